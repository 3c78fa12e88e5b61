"""The reasons why operands are out of place, for remarks.

The analysis keeps the conflicts that it found at each decision. This module turns them
into causes that name ops, for all operands at once and before the first copy is
inserted, because copies change the operands that conflicts refer to.

A hint is given only if it removes all conflicts of the operand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.traits import ConstantLike

from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.conflicts import Conflict
from xdsl_bufferization.dialects import bufferization
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.operands import get, is_entry_argument, op_of
from xdsl_bufferization.interfaces.types import TENSOR_TYPES
from xdsl_bufferization.remarks.log import RemarkLog
from xdsl_bufferization.remarks.model import Cause, Place, Reason, place_of
from xdsl_bufferization.remarks.names import value_name

Positions = Mapping[Operation, int]


def note_decisions(root: Operation, analysis: OneShotAnalysis, log: RemarkLog) -> None:
    """Note the causes of all copies that the decisions of an analysis ask for."""
    for operand in analysis.operands_written_in_place():
        log.successes.append(log.cause("in-place", operand.operation, get(operand)))
    if not analysis.conflicts:
        return
    positions = {op: number for number, op in enumerate(walk(root))}
    for operand, conflicts in analysis.conflicts.items():
        op, value = operand.operation, get(operand)
        place = place_of(op, value)
        reason = _reason(place, operand, conflicts[0], positions, analysis)
        hint = _hint(operand, conflicts, positions, analysis)
        log.causes_of_copies[operand] = Cause(log.pass_name, place, reason, hint)


def _reason(
    place: Place,
    operand: Use,
    conflict: Conflict,
    positions: Positions,
    analysis: OneShotAnalysis,
) -> Reason:
    named = place.value or f"operand #{operand.index}"
    if conflict.read_only:
        source = conflict.read_only[0]
        owner = op_of(source)
        at = place if owner is None else place_of(owner, source)
        return Reason("read-only", (("op", place), ("source", at)), named)
    assert conflict.write is not None, "every other conflict has a write"
    write = place_of(conflict.write.operation, get(conflict.write))
    if conflict.read is None:
        return Reason("parallel-loop", (("op", place), ("write", write)), named)
    read = place_of(conflict.read.operation, get(conflict.read))
    places = (("op", place), ("write", write), ("read", read))
    if conflict.write.operation is not operand.operation:
        is_same = conflict.read.operation is conflict.write.operation
        code = "shared-buffer-same-op" if is_same else "shared-buffer"
        return Reason(code, places, named)
    code = _code(conflict.read, conflict.write, positions)
    if code != "same-op" and not _reads_old_contents(conflict, analysis):
        code += "-of-other"
    return Reason(code, places, named)


def _code(read: Use, write: Use, positions: Positions) -> str:
    if read.operation is write.operation:
        return "same-op"
    # In program order the read comes first: only a loop leads back to it.
    before = positions[read.operation] < positions[write.operation]
    if before and not _is_around(read.operation, write.operation):
        return "next-iteration"
    return "later-read"


def _reads_old_contents(conflict: Conflict, analysis: OneShotAnalysis) -> bool:
    """Whether a read may expect what the written tensor contains: something defines both.
    If not, they are different tensors that may share a buffer, for example because a
    later op chooses one of them."""
    assert conflict.read is not None and conflict.write is not None
    read, written = get(conflict.read), get(conflict.write)
    if read is written:
        return True
    definitions = set(analysis.find_definitions(written))
    return not definitions.isdisjoint(analysis.find_definitions(read))


def _is_around(op: Operation, inner: Operation) -> bool:
    return any(op is ancestor for ancestor in _ancestors(inner))


def _ancestors(op: Operation) -> Iterable[Operation]:
    parent = op.parent_op()
    while parent is not None:
        yield parent
        parent = parent.parent_op()


# Hints.


def _hint(
    operand: Use,
    conflicts: Sequence[Conflict],
    positions: Positions,
    analysis: OneShotAnalysis,
) -> str | None:
    first = conflicts[0]
    if first.read_only:
        if len(conflicts) > 1 or len(first.read_only) > 1:
            return None
        return _writable_hint(operand, first.read_only[0], analysis.options)
    reads: dict[Operation, None] = {}
    for conflict in conflicts:
        read, write = conflict.read, conflict.write
        if (
            read is None
            or write is None
            or write.operation is not operand.operation
            or not _can_move(read.operation, write.operation, positions)
        ):
            return None
        reads[read.operation] = None
    if len(reads) > 2 or len(conflicts) == analysis.num_conflicts_kept:
        return None
    named = " and ".join(str(place_of(op)) for op in reads)
    return f"move {named} before {place_of(operand.operation)}"


def _can_move(read: Operation, write: Operation, positions: Positions) -> bool:
    """Whether a read can be moved before a write in its block, and then is before it each
    time: it makes no tensor, and what it uses is there."""
    return (
        read.parent is write.parent
        and positions[read] > positions[write]
        and not read.regions
        and bool(read.results)
        and not any(isinstance(result.type, TENSOR_TYPES) for result in read.results)
        and all(_is_defined_before(v, write, positions) for v in read.operands)
    )


def _is_defined_before(value: SSAValue, op: Operation, positions: Positions) -> bool:
    """Whether a value is there when an op runs, or can be: a constant moves along."""
    return not isinstance(value, OpResult) or (
        positions[value.op] < positions[op] or value.op.has_trait(ConstantLike)
    )


def _writable_hint(
    operand: Use, source: SSAValue, options: BufferizationOptions
) -> str | None:
    """What makes a read-only value writable, if anything does."""
    owner = op_of(source)
    if isinstance(source, BlockArgument):
        if not isinstance(owner, FuncOp) or not is_entry_argument(source):
            return None
        if not options.bufferize_function_boundaries:
            if _is_declared_read_only(owner, source.index):
                return None
            return "bufferize functions too: bufferize-function-boundaries"
        name = value_name(source) or f"argument #{source.index}"
        return (
            f"if callers of @{owner.sym_name.data} do not need the old contents of "
            f"{name}, remove its attribute bufferization.writable = false"
        )
    if isinstance(owner, bufferization.ToTensorOp):
        return f"if its memref may be written, add `writable` to {place_of(owner)}"
    if owner is not None and _is_splat(owner) and get(operand) is source:
        return f"fill a tensor.empty with linalg.fill in place of {place_of(owner)}"
    return None


def _is_declared_read_only(function: FuncOp, argument: int) -> bool:
    if function.arg_attrs is None:
        return False
    attributes = function.arg_attrs.data[argument].data
    writable = attributes.get("bufferization.writable")
    return isinstance(writable, IntegerAttr) and not writable.value.data


def _is_splat(op: Operation) -> bool:
    if op.name != "arith.constant":
        return False
    value = op.properties.get("value")
    return isinstance(value, DenseIntOrFPElementsAttr) and value.is_splat()
