"""Ops that make a new tensor, rewritten so that they compute it in a tensor.empty.

What is computed in a tensor.empty can be computed in its destination instead
(build-in-destination). A tensor.from_elements, tensor.generate, tensor.pad or
tensor.concat allocates. It is worth rewriting where its result is inserted, or where one
of its operands could be computed in the result:

    %0 = tensor.from_elements %x : tensor<1xf64>
    %1 = tensor.insert_slice %0 into %t[%i] [1] [1] : tensor<1xf64> into tensor<8xf64>

A branch may also insert a constant whose elements are all equal: it can fill the part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.copy_costs import joined_operands
from xdsl_bufferization.dialects.shapes import shape_of
from xdsl_bufferization.dialects.tensor import (
    ConcatOp,
    EmptyOp,
    FromElementsOp,
    GenerateOp,
    InsertSliceOp,
    PadOp,
)
from xdsl_bufferization.interfaces.operands import get
from xdsl_bufferization.interfaces.subset import SUBSET_INSERTION
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.records import record
from xdsl_bufferization.transforms.decompose_tensor_concat import join
from xdsl_bufferization.transforms.eliminate_empty_tensors import uses_of_results
from xdsl_bufferization.transforms.rewrite_in_destination_passing_style import rewrite_op
from xdsl_bufferization.transforms.utils.filled_tensors import fill_again, is_filled
from xdsl_bufferization.transforms.utils.tensor_builder import TensorBuilder
from xdsl_bufferization.transforms.utils.trial_changes import TrialChanges, changes_around

_MAKING = (FromElementsOp, GenerateOp, PadOp, ConcatOp)


def makes_new_tensor(op: Operation) -> bool:
    """Whether an op makes a tensor that may be computed in its destination."""
    return isinstance(op, (EmptyOp, *_MAKING))


@record
class Insertion:
    """An operand that an op copies into a part of another tensor.

    Attributes:
        op: the op, which inserts it, or joins it with others in a new tensor.
        source: the operand.
        makers: the ops that make new tensors, or constants, which the operand may be, by
            the uses of these.
    """

    op: Operation
    source: Use
    makers: Mapping[Use, Operation]


def find_insertions(
    ops: Iterable[Operation], analysis: OneShotAnalysis
) -> list[Insertion]:
    """Find the insertions of what may be computed in its place, among some ops."""
    found: list[Insertion] = []
    for op in ops:
        for source in _copied_sources(op):
            if analysis.is_in_place(source):
                makers = {
                    use: _maker(use)
                    for use in uses_of_results(source, analysis, _is_new)
                    if use is not source or not isinstance(get(use).owner, ConstantOp)
                }
                if makers:
                    found.append(Insertion(op, source, makers))
    return found


def compute_in_empty_tensors(
    ops: Iterable[Operation],
    insertions: Sequence[Insertion],
    changes: dict[FuncOp, TrialChanges],
) -> list[tuple[Operation, list[Use]]]:
    """Compute what is inserted in a tensor.empty.

    Args:
        ops: all ops of the program, in order.

    Returns:
        the ops that insert now, in order, each with the uses of a tensor.empty by which
        its source may be computed in one.
    """
    wanted = {each.op for each in insertions}
    wanted.update(op for each in insertions for op in each.makers.values())
    built: dict[Operation, list[Operation]] = {}
    for op in ops:
        if op in wanted and _can_rewrite(op):
            made = changes_around(op, changes)
            if made is not None:
                built[op] = _rewrite(op, made)
    uses = _UsesOfEmptyTensors(built, changes)
    found: list[tuple[Operation, list[Use]]] = []
    for each in insertions:
        op = each.op
        if op in built:
            inserting = [part for part in built[op] if isinstance(part, InsertSliceOp)]
            op = inserting[each.source.index]
        if SUBSET_INSERTION.lookup(op) is not None:
            parts = [uses.of(use, maker) for use, maker in each.makers.items()]
            found.append((op, [use for part in parts for use in part]))
    return found


class _UsesOfEmptyTensors:
    """The uses of tensor.empty that there are instead of those of other new tensors.

    Args:
        built: what was built instead of an op.
    """

    def __init__(
        self,
        built: dict[Operation, list[Operation]],
        changes: dict[FuncOp, TrialChanges],
    ) -> None:
        self._built = built
        self._changes = changes
        self._of_constants: dict[Use, Sequence[Use]] = {}

    def of(self, use: Use, op: Operation) -> Sequence[Use]:
        """Return them for one use of what an op makes."""
        if isinstance(op, ConstantOp):
            if use not in self._of_constants:
                self._of_constants[use] = self._fill(use)
            return self._of_constants[use]
        if op in self._built:
            return _uses_of_empty(self._built[op])
        is_left = isinstance(op, EmptyOp) and use.operation not in self._built
        return (use,) if is_left else ()

    def _fill(self, use: Use) -> Sequence[Use]:
        made = changes_around(use.operation, self._changes)
        if made is None:
            return ()
        own = fill_again(get(use), use.operation)
        Rewriter.insert_op(own, InsertPoint.before(use.operation))
        made.built += own
        made.replace(use, own[-1].results[0])
        return _uses_of_empty(own)


def _uses_of_empty(built: Iterable[Operation]) -> Sequence[Use]:
    empty = next(op for op in built if isinstance(op, EmptyOp))
    return tuple(empty.results[0].uses)


def _maker(use: Use) -> Operation:
    op = get(use).owner
    assert isinstance(op, Operation)
    return op


def _copied_sources(op: Operation) -> Sequence[Use]:
    """The operands that an op copies into a part of another tensor."""
    model = SUBSET_INSERTION.lookup(op)
    return joined_operands(op) if model is None else (model.source_operand(op),)


def _is_new(value: SSAValue) -> bool:
    owner = value.owner
    if isinstance(owner, ConstantOp):
        return is_filled(value)
    return isinstance(owner, Operation) and makes_new_tensor(owner)


def _can_rewrite(op: Operation) -> bool:
    """Whether the op would be rewritten. Of a concatenation, the sizes must be static:
    whether others fit is checked at run time, if at all, as long as the op is there. A
    `nofold` asks for a copy."""
    if isinstance(op, ConcatOp):
        values = (*op.operands, *op.results)
        return all(DYNAMIC_INDEX not in (shape_of(v.type) or ()) for v in values)
    if isinstance(op, PadOp):
        return op.nofold is None
    return isinstance(op, _MAKING)


def _rewrite(op: Operation, changes: TrialChanges) -> list[Operation]:
    """Return what is built instead of an op."""
    before, count = op.prev_op, len(changes.built)
    if isinstance(op, ConcatOp):
        with built_for(op):
            result = join(op, op.dim.value.data, TensorBuilder(op))
    else:
        # What takes the body of the op leaves that of the original alone.
        copy = op.clone()
        Rewriter.insert_op(copy, InsertPoint.before(op))
        made = rewrite_op(copy)
        assert made is not None
        result = made.results[0]
    result.name_hint = op.results[0].name_hint
    changes.note_built(before, op)
    for use in tuple(op.results[0].uses):
        changes.replace(use, result)
    changes.remove(op)
    return changes.built[count:]
