"""The gpu dialect: xDSL's, with the attributes that map loops to processors.

`scf.forall` and `scf.parallel` carry them in programs that do not use gpu's ops at all.
"""

from __future__ import annotations

from enum import auto
from typing import Any

from xdsl.dialects import gpu
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Dialect
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum


class MappingId(StrEnum):
    """A dimension of processors, or one of a linear numbering of them."""

    X = auto()
    Y = auto()
    Z = auto()
    LINEAR_DIM_0 = auto()
    LINEAR_DIM_1 = auto()
    LINEAR_DIM_2 = auto()
    LINEAR_DIM_3 = auto()
    LINEAR_DIM_4 = auto()
    LINEAR_DIM_5 = auto()
    LINEAR_DIM_6 = auto()
    LINEAR_DIM_7 = auto()
    LINEAR_DIM_8 = auto()
    LINEAR_DIM_9 = auto()


class AddressSpace(StrEnum):
    GLOBAL = auto()
    WORKGROUP = auto()
    PRIVATE = auto()
    CONSTANT = auto()


class _InAngleBrackets:
    """An attribute of one enum, printed as `#gpu.kind<value>`."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Any:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(cls.enum_type)  # pyright: ignore

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)  # pyright: ignore


@irdl_attr_definition
class GPUBlockMappingAttr(_InAngleBrackets, EnumAttribute[MappingId]):
    """A loop mapped to blocks."""

    name = "gpu.block"


@irdl_attr_definition
class GPUWarpgroupMappingAttr(_InAngleBrackets, EnumAttribute[MappingId]):
    """A loop mapped to groups of warps."""

    name = "gpu.warpgroup"


@irdl_attr_definition
class GPUWarpMappingAttr(_InAngleBrackets, EnumAttribute[MappingId]):
    """A loop mapped to warps."""

    name = "gpu.warp"


@irdl_attr_definition
class GPUThreadMappingAttr(_InAngleBrackets, EnumAttribute[MappingId]):
    """A loop mapped to threads."""

    name = "gpu.thread"


@irdl_attr_definition
class GPULaneMappingAttr(_InAngleBrackets, EnumAttribute[MappingId]):
    """A loop mapped to the lanes of a warp."""

    name = "gpu.lane"


@irdl_attr_definition
class AddressSpaceAttr(_InAngleBrackets, EnumAttribute[AddressSpace]):
    """A memory space of a GPU."""

    name = "gpu.address_space"


GPU = Dialect(
    "gpu",
    list(gpu.GPU.operations),
    [
        *gpu.GPU.attributes,
        AddressSpaceAttr,
        GPUBlockMappingAttr,
        GPULaneMappingAttr,
        GPUThreadMappingAttr,
        GPUWarpMappingAttr,
        GPUWarpgroupMappingAttr,
    ],
)
