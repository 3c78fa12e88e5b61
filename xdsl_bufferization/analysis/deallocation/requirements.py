"""The requirements of buffer deallocation on ops, and their diagnostics.

Each check raises PassFailedException with the op, its location, and the interface to
implement, with an example.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NoReturn

from xdsl.dialects import func
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator, NoTerminator
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.analysis.deallocation.existing import MANUAL_DEALLOCATION
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.memory_effects import get_allocation, is_memref
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH

_EFFECTS_HINT = """State them in the definition of the op, for example
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
or attach a model of MemoryEffectOpInterface that says which memrefs the op allocates and
frees:
    class {model}:
        def get_allocations_and_frees(self, op):
            return ()  # neither
    attach("{name}", {model}())"""

_REGIONS_HINT = """Implement RegionBranchOpInterface for it, for example
    class {model}(RegionBranchModel):
        def get_successor_regions(self, op, point):
            if point is None:  # from the op into its regions
                return [RegionSuccessor(region, ()) for region in op.regions]
            return [RegionSuccessor(None, op.results)]  # and out again
    attach("{name}", {model}())"""

_TERMINATOR_HINT = """Implement RegionBranchTerminatorOpInterface for it if it leaves its
region, for example
    attach("{name}", ReturnLike())
or BranchOpInterface if it goes to other blocks."""

_STORE_HINT = f"""What is loaded again may be used when the buffer is gone. Have the
program free the buffer itself: mark its allocation and its deallocation with
'{MANUAL_DEALLOCATION}'."""

_DEALLOC_HINT = """Run ownership-based-buffer-deallocation only once, and before
bufferization-lower-deallocations."""


def check_known_effects(op: Operation) -> None:
    """Check that an op with memrefs declares its memory effects."""
    if CALL.lookup(op) is None and _has_memrefs(op):
        _refuse(op, "has unknown effects on the memory of its memrefs", _EFFECTS_HINT)


def check_regions(op: Operation) -> None:
    """Check that an op with regions declares its control flow, unless it is irrelevant:
    for regions without memref results or arguments, if there is one only or none makes
    memrefs (scf.reduce has one for each reduction).
    """
    if REGION_BRANCH.lookup(op) is not None:
        return
    arguments = [
        argument
        for region in op.regions
        if region.blocks.first is not None
        for argument in region.blocks.first.args
    ]
    if (
        any(map(is_memref, op.results))
        or any(map(is_memref, arguments))
        or (len(op.regions) > 1 and _makes_memrefs(op))
    ):
        _refuse(op, "has regions in unknown control flow", _REGIONS_HINT)
    if op.has_trait(NoTerminator) and _has_memrefs(op):
        _refuse(op, "has a region without a terminator", _REGIONS_HINT)


def check_terminator(op: Operation) -> None:
    """Check that a terminator declares where it forwards its memrefs."""
    if op.has_trait(IsTerminator) and any(map(is_memref, op.operands)):
        _refuse(op, "forwards memrefs somewhere unknown", _TERMINATOR_HINT)


def check_no_dealloc(op: Operation) -> None:
    if op.name == "bufferization.dealloc":
        _refuse(op, "is there already", _DEALLOC_HINT)


def check_stored_buffers(
    function: func.FuncOp, ops: Sequence[Operation], kept: Container[SSAValue]
) -> None:
    """A buffer that is stored may be used when the function has freed it.

    Args:
        ops: all ops inside `function`.
        kept: the buffers that the program frees itself.
    """
    origins: BufferOrigins | None = None
    for op in ops:
        if op.name != "memref.store" or not is_memref(op.operands[0]):
            continue
        if origins is None:
            origins = BufferOrigins(function, ops)
        for terminal in origins.get_terminals(op.operands[0]):
            if terminal not in kept and _is_freed_by_function(terminal):
                _refuse(op, "stores a buffer that its function frees", _STORE_HINT)


def _is_freed_by_function(value: SSAValue) -> bool:
    op = value.owner
    if not isinstance(op, Operation) or MANUAL_DEALLOCATION in op.attributes:
        return False
    allocation = get_allocation(value)
    if allocation is None:
        return CALL.lookup(op) is not None
    return not allocation.automatic


def refuse_block_without_terminator(op: Operation) -> NoReturn:
    _refuse(op, "ends a block that owns buffers, but is no terminator", _TERMINATOR_HINT)


def _makes_memrefs(op: Operation) -> bool:
    """Whether an op inside an op has memrefs as results."""
    return any(
        is_memref(r) for inner in walk(op) if inner is not op for r in inner.results
    )


def _has_memrefs(op: Operation) -> bool:
    return any(map(is_memref, op.operands)) or any(map(is_memref, op.results))


def _refuse(op: Operation, problem: str, hint: str) -> NoReturn:
    name = op.op_name.data if isinstance(op, UnregisteredOp) else op.name
    model = "".join(part.capitalize() for part in name.replace(".", "_").split("_"))
    advice = hint.format(name=name, model=model)
    raise PassFailedException(
        f"buffer deallocation: '{name}' {problem}.{describe(op)}\n{advice}"
    )
