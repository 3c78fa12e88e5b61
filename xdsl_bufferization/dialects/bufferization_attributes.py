"""Verification of the attributes with which a program steers its bufferization.

They belong to the bufferization dialect, and other dialects' ops have them:

- `bufferization.writable = false`, `bufferization.access = "read"` and
  `bufferization.buffer_layout = affine_map<...>` on arguments of functions;
- `bufferization.manual_deallocation` on ops that allocate or free.

MLIR has a dialect verify its attributes wherever they stand. xDSL does not, so func.func
verifies those of its arguments and of the ops in it. This module loads no dialect.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    MemRefLayoutAttr,
    StringAttr,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Operation, Region
from xdsl.traits import (
    MemoryAllocEffect,
    MemoryEffect,
    MemoryFreeEffect,
    RecursiveMemoryEffect,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.guest import own_traits

from .effects import BufferEffects

_PREFIX = "bufferization."
_MANUAL_DEALLOCATION = "bufferization.manual_deallocation"
_ON_ARGUMENTS = (
    "bufferization.writable",
    "bufferization.access",
    "bufferization.buffer_layout",
)
_TRUE, _FALSE = BoolAttr.from_bool(True), BoolAttr.from_bool(False)
_ACCESSES = ("none", "read", "write", "read-write")

_STATES_EFFECTS = frozenset(
    (
        *("affine", "arith", "bufferization", "builtin", "cf", "complex", "func"),
        *("linalg", "math", "memref", "ml_program", "scf", "tensor", "ub", "vector"),
    )
)
"""Dialects of which every op that allocates or frees says so by a trait."""


def verify_argument_attributes(
    arguments: ArrayAttr[DictionaryAttr] | None, *, is_external: bool
) -> None:
    """Verifies the bufferization attributes of a function's arguments."""
    if arguments is None:
        return
    for attributes in arguments:
        for name, value in attributes.data.items():
            if name.startswith(_PREFIX):
                _verify_argument_attribute(name, value, is_external)


def _verify_argument_attribute(name: str, value: Attribute, is_external: bool) -> None:
    match name:
        case "bufferization.writable":
            if value not in (_TRUE, _FALSE):
                raise VerifyException(f"'{name}' is expected to be a boolean attribute")
            if is_external:
                raise VerifyException(f"'{name}' is invalid on external functions")
        case "bufferization.access":
            if not isinstance(value, StringAttr):
                raise VerifyException(f"'{name}' is expected to be a string attribute")
            if value.data not in _ACCESSES:
                raise VerifyException(
                    f"invalid value for '{name}': \"{value.data}\" is none of "
                    f"{', '.join(_ACCESSES)}"
                )
        case "bufferization.buffer_layout":
            if not isinstance(value, MemRefLayoutAttr):
                raise VerifyException(
                    f"'{name}' is expected to be a memref layout attribute"
                )
        case _:
            raise VerifyException(
                f"attribute '{name}' not supported as a region arg attribute by the "
                f"bufferization dialect, which knows {', '.join(_ON_ARGUMENTS)}"
            )


def verify_op_attributes(op: Operation) -> None:
    """Verifies the bufferization attributes of an op and of all ops nested in it, in time
    linear in their number."""
    _verify_op(op, op.attributes)
    regions: list[Region] = list(op.regions)
    while regions:
        block = regions.pop().first_block
        while block is not None:
            nested = block.first_op
            while nested is not None:
                if nested.attributes:
                    _verify_op(nested, nested.attributes)
                if nested.regions:
                    regions.extend(nested.regions)
                nested = nested.next_op
            block = block.next_block


def _verify_op(op: Operation, attributes: Mapping[str, Attribute]) -> None:
    for name in attributes:
        if not name.startswith(_PREFIX):
            continue
        if name != _MANUAL_DEALLOCATION:
            raise VerifyException(
                f"attribute '{name}' not supported as an op attribute by the "
                f"bufferization dialect, which knows {_MANUAL_DEALLOCATION}: "
                f"{_first_line(op)}"
            )
        if not _may_allocate_or_free(op):
            raise VerifyException(
                f"'{op.name}' attribute '{name}' can be used only on ops that have an "
                f"allocation and/or free side effect: {_first_line(op)}"
            )


def _first_line(op: Operation) -> str:
    """The op as it is printed, without its regions: the error itself is reported on the
    function, which is what xDSL is verifying."""
    return str(op).partition("\n")[0]


def _may_allocate_or_free(op: Operation) -> bool:
    """Whether an op has such an effect itself, its regions aside. A model may tell of
    the effects of another dialect's op that states none."""
    stated = [
        trait
        for trait in own_traits(type(op))
        if isinstance(trait, MemoryEffect)
        and not isinstance(trait, RecursiveMemoryEffect)
    ]
    if not stated:
        known = op.name.partition(".")[0] in _STATES_EFFECTS
        return not (known or isinstance(op, UnregisteredOp))
    return any(
        bool(trait.frees or trait.allocates)
        if isinstance(trait, BufferEffects)
        else isinstance(trait, MemoryAllocEffect | MemoryFreeEffect)
        for trait in stated
    )
