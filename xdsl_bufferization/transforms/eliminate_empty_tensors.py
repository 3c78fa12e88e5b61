"""The pass eliminate-empty-tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.analysis.analysis_state import CASTS
from xdsl_bufferization.analysis.module_analysis import analyze
from xdsl_bufferization.analysis.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.analysis.program_order import OpNode, ProgramOrder
from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.interfaces.bufferizable import BufferRelation, get, op_of
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.subset import (
    SUBSET_INSERTION,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.large_programs import large_programs
from xdsl_bufferization.models import announce_models
from xdsl_bufferization.module_pass import ModulePass


@dataclass(frozen=True)
class EliminateEmptyTensorsPass(ModulePass):
    """Compute results where they end up, instead of in a buffer of their own that is then
    copied. Run it before `one-shot-bufferize`.

    A tensor.empty would become an allocation. Where what is computed into it is inserted
    into another tensor (tensor.insert_slice), or materialized in a buffer
    (bufferization.materialize_in_destination), that place takes the place of the
    tensor.empty:

        %0 = tensor.empty() : tensor<4xf32>
        %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
        %2 = tensor.insert_slice %1 into %t[%i] [4] [1]

    becomes

        %0 = tensor.extract_slice %t[%i] [4] [1] : tensor<10xf32> to tensor<4xf32>
        %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
        %2 = tensor.insert_slice %1 into %t[%i] [4] [1]

    which is bufferized without an allocation and without a copy. Only insertions that are
    in place by One-Shot Analysis are considered, and only ways back from them through ops
    that keep the buffer and its shape; reshapes and slices on the way are not seen
    through.
    """

    name = "eliminate-empty-tensors"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        eliminate_empty_tensors(op)


def eliminate_empty_tensors(root: Operation) -> None:
    """Replace tensor.empty ops under `root` by the places their contents go to.

    Raises:
        PassFailedException: when the program cannot be analysed.
    """
    announce_models()
    options = BufferizationOptions(
        allow_return_allocs_from_loops=True,
        bufferize_function_boundaries=isinstance(root, ModuleOp),
    )
    with large_programs():
        analysis = analyze(root, options)
        order = ProgramOrder(root, analysis.model)
        for node in order.postorder:
            model = SUBSET_INSERTION.lookup(node.op)
            if model is not None and analysis.is_in_place(model.source_operand(node.op)):
                _compute_in_destination(node.op, model, analysis, order)


def _compute_in_destination(
    op: Operation,
    model: SubsetInsertionOpInterface,
    analysis: OneShotAnalysis,
    order: ProgramOrder,
) -> None:
    """Replace the tensor.empty ops that the source of an insertion is computed into."""
    for use in _uses_of_empty_tensors(model.source_operand(op), analysis):
        empty = get(use)
        user = order.nodes[use.operation]
        needed = model.values_needed_to_build_subset_extraction(op)
        point = _insertion_point(empty, user, needed, order)
        if point is None:
            continue
        replacement = model.build_subset_extraction(op, InsertPoint.before(point.op))
        if replacement is None or replacement is empty:
            continue
        if replacement.type != empty.type:
            cast = tensor.CastOp.build(operands=[replacement], result_types=[empty.type])
            Rewriter.insert_op(cast, _behind(replacement))
            replacement = cast.results[0]
        use.operation.operands[use.index] = replacement


def _uses_of_empty_tensors(source: Use, analysis: OneShotAnalysis) -> list[Use]:
    """For each tensor.empty that the buffer of `source` may be, the use by which it was
    found."""
    found: dict[SSAValue, Use] = {}
    visited: set[SSAValue] = set()
    worklist = [source]
    while worklist:
        use = worklist.pop()
        value = get(use)
        if value in visited:
            continue
        visited.add(value)
        owner = op_of(value)
        if owner is None:
            continue
        if owner.name == tensor.EmptyOp.name:
            found[value] = use
            continue
        if analysis.model(owner) is None:
            continue
        for alias in analysis.aliasing_operands(value):
            if alias.relation is BufferRelation.EQUIVALENT and (
                get(alias.operand).type == value.type or owner.name in CASTS
            ):
                worklist.append(alias.operand)
    return list(found.values())


def _insertion_point(
    empty: SSAValue, user: OpNode, needed: Sequence[SSAValue], order: ProgramOrder
) -> OpNode | None:
    """The op before which the replacement of a tensor.empty may be built: all values it
    needs are defined there, and it is before the user."""
    owner = empty.owner
    assert isinstance(owner, Operation)
    candidates = [owner, *(_first_op_behind(value, order) for value in needed)]
    for candidate in candidates:
        if candidate is None:
            continue
        node = order.nodes[candidate]
        if all(_is_defined_at(value, node, order) for value in needed) and (
            node is user or order.properly_dominates(node, user)
        ):
            return node
    return None


def _first_op_behind(value: SSAValue, order: ProgramOrder) -> Operation | None:
    """The first op behind the definition of a value, of those there were at first."""
    owner = value.owner
    op = owner.first_op if isinstance(owner, Block) else owner.next_op
    while op is not None and op not in order.nodes:
        op = op.next_op
    return op


def _is_defined_at(value: SSAValue, point: OpNode, order: ProgramOrder) -> bool:
    if isinstance(value, BlockArgument):
        block = order.blocks[value.block]
        return block.start <= point.enter <= block.dominated_end
    owner = value.owner
    assert isinstance(owner, Operation)
    return order.properly_dominates(order.nodes[owner], point)


def _behind(value: SSAValue) -> InsertPoint:
    owner = value.owner
    if isinstance(owner, Block):
        return InsertPoint.at_start(owner)
    return InsertPoint.after(owner)
