"""The gpu dialect: xDSL's, with the attributes that map loops to processors.

`scf.forall` and `scf.parallel` carry them in programs that do not use gpu's ops at all.
"""

from __future__ import annotations

from enum import auto

from xdsl.dialects import gpu
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Dialect
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.dialects.enums import EnumInAngleBrackets


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


@irdl_attr_definition
class GPUBlockMappingAttr(EnumInAngleBrackets, EnumAttribute[MappingId]):
    """A loop mapped to blocks."""

    name = "gpu.block"


@irdl_attr_definition
class GPUWarpgroupMappingAttr(EnumInAngleBrackets, EnumAttribute[MappingId]):
    """A loop mapped to groups of warps."""

    name = "gpu.warpgroup"


@irdl_attr_definition
class GPUWarpMappingAttr(EnumInAngleBrackets, EnumAttribute[MappingId]):
    """A loop mapped to warps."""

    name = "gpu.warp"


@irdl_attr_definition
class GPUThreadMappingAttr(EnumInAngleBrackets, EnumAttribute[MappingId]):
    """A loop mapped to threads."""

    name = "gpu.thread"


@irdl_attr_definition
class GPULaneMappingAttr(EnumInAngleBrackets, EnumAttribute[MappingId]):
    """A loop mapped to the lanes of a warp."""

    name = "gpu.lane"


@irdl_attr_definition
class AddressSpaceAttr(EnumInAngleBrackets, EnumAttribute[AddressSpace]):
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
