"""The pass eliminate-empty-tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsolatedFromAbove

from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.module_analysis import analyze
from xdsl_bufferization.analysis.one_shot.program_order import ProgramOrder
from xdsl_bufferization.analysis.one_shot.state import CASTS
from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.interfaces.aliasing import BufferRelation
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.operands import get, op_of
from xdsl_bufferization.interfaces.subset import (
    SUBSET_INSERTION,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.locations import visit
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.buffer_snapshots import take_snapshots
from xdsl_bufferization.transforms.utils.moving_program import MovingProgram


@dataclass(frozen=True)
class EliminateEmptyTensorsPass(ModulePass):
    """Compute results directly in their final destination, instead of in a separate
    buffer that is then copied. Run it before `one-shot-bufferize`.

    A tensor.empty would become an allocation. If the tensor that is computed in it is
    inserted into another tensor (tensor.insert_slice), or materialized in a buffer
    (bufferization.materialize_in_destination), that destination replaces the
    tensor.empty:

        %0 = tensor.empty() : tensor<4xf32>
        %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
        %2 = tensor.insert_slice %1 into %t[%i] [4] [1]
            : tensor<4xf32> into tensor<10xf32>

    becomes

        %0 = tensor.extract_slice %t[%i] [4] [1] : tensor<10xf32> to tensor<4xf32>
        %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
        %2 = tensor.insert_slice %1 into %t[%i] [4] [1]
            : tensor<4xf32> into tensor<10xf32>

    which is bufferized without an allocation and without a copy. If the slice needs
    values that are defined after the op that computes into the tensor.empty, their
    definitions move before that op, provided that they have no side effects. In this
    way, all parts of a concatenation are computed in its result.

    Only insertions that One-Shot Analysis bufferizes in place are considered. The ops
    between the tensor.empty and the insertion must keep the buffer and its shape: there
    may be no reshapes and slices.

    The tensor of a buffer that may be written later (`bufferization.to_tensor` without
    `restrict`) is copied first, as by one-shot-bufferize.
    """

    name = "eliminate-empty-tensors"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        eliminate_empty_tensors(op)


@on_program
def eliminate_empty_tensors(root: Operation) -> None:
    """Replace tensor.empty ops under `root` by the places their contents go to.

    Raises:
        PassFailedException: when the program cannot be analysed.
    """
    options = BufferizationOptions(
        allow_return_allocs_from_loops=True,
        bufferize_function_boundaries=isinstance(root, ModuleOp),
    )
    take_snapshots(root, options)
    scope = _self_contained(root)
    analysis = analyze(scope, options)
    order = ProgramOrder(scope, analysis.model)
    program = MovingProgram(order)
    for node in order.postorder:
        if scope is not root and not root.is_ancestor(node.op):
            continue
        model = SUBSET_INSERTION.lookup(node.op)
        if model is not None and analysis.is_in_place(model.source_operand(node.op)):
            visit(node.op)
            _compute_in_destination(node.op, model, analysis, program)


def _self_contained(op: Operation) -> Operation:
    """The op, or the nearest one around it, that uses no values from outside of it."""
    while not op.has_trait(IsolatedFromAbove, value_if_unregistered=False):
        parent = op.parent_op()
        if parent is None:
            break
        op = parent
    return op


def _compute_in_destination(
    op: Operation,
    model: SubsetInsertionOpInterface,
    analysis: OneShotAnalysis,
    program: MovingProgram,
) -> None:
    """Replace the tensor.empty ops that the source of an insertion is computed into."""
    for use in uses_of_empty_tensors(model.source_operand(op), analysis):
        empty = get(use)
        needed = model.values_needed_to_build_subset_extraction(op)
        point = _insertion_point(empty, use.operation, needed, program)
        if point is None:
            continue
        before = point.prev_op
        replacement = model.build_subset_extraction(op, InsertPoint.before(point))
        if replacement is not None and replacement is not empty:
            if replacement.type != empty.type:
                cast = tensor.CastOp.build(
                    operands=[replacement], result_types=[empty.type]
                )
                Rewriter.insert_op(cast, InsertPoint.before(point))
                replacement = cast.results[0]
            use.operation.operands[use.index] = replacement
        _note_new_ops(before, point, program)


def uses_of_empty_tensors(
    source: Use, analysis: OneShotAnalysis, *, by_all_ways: bool = False
) -> list[Use]:
    """For each tensor.empty that the buffer of `source` may be, the use by which it was
    found first; or all those by which it is, as in two branches, if `by_all_ways`."""
    found: dict[object, Use] = {}
    for use in uses_of_results(source, analysis, _is_empty):
        found.setdefault(use if by_all_ways else get(use), use)
    return list(found.values())


def _is_empty(value: SSAValue) -> bool:
    return isinstance(value.owner, tensor.EmptyOp)


def uses_of_results(
    source: Use, analysis: OneShotAnalysis, is_wanted: Callable[[SSAValue], bool]
) -> Iterator[Use]:
    """Iterate over the uses of wanted values by which the buffer of `source` may be that
    of such a value."""
    visited: set[SSAValue] = set()
    worklist = [source]
    while worklist:
        use = worklist.pop()
        value = get(use)
        if is_wanted(value):
            yield use
            continue
        owner = op_of(value)
        if value in visited or owner is None:
            continue
        visited.add(value)
        if analysis.model(owner) is None:
            continue
        for alias in analysis.aliasing_operands(value):
            if alias.relation is BufferRelation.EQUIVALENT and (
                get(alias.operand).type == value.type or owner.name in CASTS
            ):
                worklist.append(alias.operand)


def _insertion_point(
    empty: SSAValue,
    user: Operation,
    needed: Sequence[SSAValue],
    program: MovingProgram,
) -> Operation | None:
    """The op before which the replacement of a tensor.empty may be built: all values it
    needs are defined there, and it is before the user. Definitions of these values are
    moved before the user if no op is such a place."""
    owner = empty.owner
    assert isinstance(owner, Operation)
    for candidate in (owner, *(_first_op_after(value) for value in needed)):
        if (
            candidate is not None
            and all(program.properly_dominates(value, candidate) for value in needed)
            and (candidate is user or program.properly_dominates(candidate, user))
        ):
            return candidate
    return user if program.move_definitions(needed, user) else None


def _first_op_after(value: SSAValue) -> Operation | None:
    """The first op after the definition of a value."""
    owner = value.owner
    return owner.first_op if isinstance(owner, Block) else owner.next_op


def _note_new_ops(
    before: Operation | None, point: Operation, program: MovingProgram
) -> None:
    """Tell the program of the ops that were inserted between two neighbours."""
    if before is None:
        assert point.parent is not None
        first = point.parent.first_op
    else:
        first = before.next_op
    assert first is not None
    program.note_new_ops(first, point)
