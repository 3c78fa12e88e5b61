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

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.copy_costs import joined_operands
from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.dialects.shapes import shape_of
from xdsl_bufferization.interfaces.operands import get
from xdsl_bufferization.interfaces.subset import SUBSET_INSERTION
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.transforms.decompose_tensor_concat import join
from xdsl_bufferization.transforms.eliminate_empty_tensors import uses_of_results
from xdsl_bufferization.transforms.rewrite_in_destination_passing_style import rewrite_op
from xdsl_bufferization.transforms.utils.filled_tensors import fill_again, is_filled
from xdsl_bufferization.transforms.utils.tensor_builder import TensorBuilder
from xdsl_bufferization.transforms.utils.trial_changes import TrialChanges, changes_around

_MAKING = (
    tensor.FromElementsOp,
    tensor.GenerateOp,
    tensor.PadOp,
    tensor.ConcatOp,
)


def makes_new_tensor(op: Operation) -> bool:
    """Whether an op makes a tensor that may be computed in its destination."""
    return isinstance(op, (tensor.EmptyOp, *_MAKING))


@dataclass
class NewTensors:
    """What of a program is worth rewriting.

    Attributes:
        ops: ops that make a new tensor, in the order of the program.
        constants: uses of constants by which these come to an insertion.
    """

    ops: Sequence[Operation]
    constants: Sequence[Use]

    def __bool__(self) -> bool:
        return bool(self.ops or self.constants)

    def rewrite(self, changes: dict[FuncOp, TrialChanges]) -> None:
        """Compute the tensors of these ops, and the constants, in a tensor.empty."""
        for op in self.ops:
            made = changes_around(op, changes)
            if made is not None:
                _rewrite(op, made)
        for use in self.constants:
            made = changes_around(use.operation, changes)
            if made is not None:
                own = fill_again(get(use), use.operation)
                Rewriter.insert_op(own, InsertPoint.before(use.operation))
                made.built += own
                made.replace(use, own[-1].results[0])


def find_new_tensors(ops: Sequence[Operation], analysis: OneShotAnalysis) -> NewTensors:
    """Find what is worth rewriting among the ops of a program."""
    rewritten: dict[Operation, None] = {}
    constants: dict[Use, None] = {}
    for op in ops:
        for source in _copied_sources(op):
            if not analysis.is_in_place(source):
                continue
            for use in uses_of_results(source, analysis, _is_new):
                maker = get(use).owner
                assert isinstance(maker, Operation)
                if not isinstance(maker, ConstantOp):
                    rewritten[maker] = rewritten[op] = None
                elif use is not source:
                    constants[use] = None
    return NewTensors(
        [op for op in ops if op in rewritten and _can_rewrite(op)], [*constants]
    )


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
    if isinstance(op, tensor.ConcatOp):
        values = (*op.operands, *op.results)
        return all(DYNAMIC_INDEX not in (shape_of(v.type) or ()) for v in values)
    if isinstance(op, tensor.PadOp):
        return op.nofold is None
    return isinstance(op, _MAKING)


def _rewrite(op: Operation, changes: TrialChanges) -> None:
    before = op.prev_op
    if isinstance(op, tensor.ConcatOp):
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
