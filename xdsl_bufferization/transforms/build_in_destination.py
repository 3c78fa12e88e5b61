"""The pass build-in-destination."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.program_order import ProgramOrder
from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import shape_of
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.subset import (
    SUBSET_INSERTION,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.interfaces.types import TENSOR_TYPES
from xdsl_bufferization.locations import built_for, visit
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.decompose_tensor_concat import join
from xdsl_bufferization.transforms.eliminate_empty_tensors import uses_of_empty_tensors
from xdsl_bufferization.transforms.utils.copy_estimates import estimate_copies
from xdsl_bufferization.transforms.utils.moving_program import MovingProgram
from xdsl_bufferization.transforms.utils.op_order import OpOrder
from xdsl_bufferization.transforms.utils.tensor_builder import TensorBuilder
from xdsl_bufferization.transforms.utils.trial_changes import TrialChanges, keep_changes


@dataclass(frozen=True)
class BuildInDestinationPass(ModulePass):
    """Compute results in the part of another tensor that they are inserted into, even
    through loops and branches, unless that makes the program worse. Run it before
    `one-shot-bufferize`.

        %r = scf.if %c -> (tensor<4xf64>) {
          %e = tensor.empty() : tensor<4xf64>
          %f = linalg.fill ins(%x : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
          scf.yield %f : tensor<4xf64>
        } else {
          %e = tensor.empty() : tensor<4xf64>
          %f = linalg.fill ins(%y : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
          scf.yield %f : tensor<4xf64>
        }
        %u = tensor.insert_slice %r into %t[8] [4] [1]
            : tensor<4xf64> into tensor<16xf64>

    becomes

        %d = tensor.extract_slice %t[8] [4] [1] : tensor<16xf64> to tensor<4xf64>
        %r = scf.if %c -> (tensor<4xf64>) {
          %f = linalg.fill ins(%x : f64) outs(%d : tensor<4xf64>) -> tensor<4xf64>
          scf.yield %f : tensor<4xf64>
        } else {
          %f = linalg.fill ins(%y : f64) outs(%d : tensor<4xf64>) -> tensor<4xf64>
          scf.yield %f : tensor<4xf64>
        }
        %u = tensor.insert_slice %r into %t[8] [4] [1]
            : tensor<4xf64> into tensor<16xf64>

    which is bufferized without an allocation and without a copy. mlir-opt's
    `eliminate-empty-tensors` replaces each tensor.empty by a slice of its own, and so
    leaves a copy after the branch. It also ignores the effect on the rest of the
    program: a destination that is read later is then copied first.

    A `tensor.concat` of static sizes, of which an operand can be computed in its place,
    becomes insertions (`decompose-tensor-concat`).

    This pass analyses the program again, and leaves a function unchanged if some
    execution might copy or allocate more (docs/copies.md explains the estimate).
    """

    name = "build-in-destination"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        build_in_destination(op)


@on_program
def build_in_destination(root: ModuleOp) -> None:
    """Compute what is inserted in its destination, in the functions of a module. One that
    One-Shot Analysis refuses stays as it is: what bufferizes it says why."""
    ops = list(walk(root))
    if not any(isinstance(op, tensor.EmptyOp) for op in ops):
        return
    concats = [op for op in ops if isinstance(op, tensor.ConcatOp) and _is_static(op)]
    if not concats and not any(SUBSET_INSERTION.lookup(op) is not None for op in ops):
        return
    changes: dict[FuncOp, TrialChanges] = {}
    try:
        analysis, costs = estimate_copies(root, cheapest=True)
        concats = [op for op in concats if _joins_new_tensors(op, analysis)]
        if concats:
            _decompose(concats, changes)
            analysis, _ = estimate_copies(root, cheapest=True)
    except PassFailedException:
        for made in changes.values():
            made.undo()
        return
    order = ProgramOrder(root, analysis.model)
    program = MovingProgram(order)
    for node in order.postorder:
        model = SUBSET_INSERTION.lookup(node.op)
        if model is None or not analysis.is_in_place(model.source_operand(node.op)):
            continue
        function = _function_around(node.op)
        source = model.source_operand(node.op)
        uses = uses_of_empty_tensors(source, analysis, by_all_ways=True)
        if function is None or not uses:
            continue
        if function not in changes:
            changes[function] = TrialChanges(OpOrder(function))
        visit(node.op)
        _build(node.op, model, uses, program, changes[function])
    changes = {function: made for function, made in changes.items() if made.operands}
    keep_changes(
        root, changes, lambda now, f: now.is_never_worse(costs, f), cheapest=True
    )


def _is_static(op: tensor.ConcatOp) -> bool:
    """Whether the sizes of an op are all static: whether others fit is checked at run
    time, if at all, as long as the op is there."""
    values = (*op.operands, *op.results)
    return all(DYNAMIC_INDEX not in (shape_of(v.type) or ()) for v in values)


def _joins_new_tensors(op: tensor.ConcatOp, analysis: OneShotAnalysis) -> bool:
    return any(uses_of_empty_tensors(operand, analysis) for operand in operands_of(op))


def _decompose(
    concats: Sequence[tensor.ConcatOp], changes: dict[FuncOp, TrialChanges]
) -> None:
    """Insert the operands of each op into a new tensor."""
    for op in concats:
        function = _function_around(op)
        if function is None:
            continue
        made = changes.get(function)
        if made is None:
            made = changes[function] = TrialChanges(OpOrder(function))
        before = op.prev_op
        with built_for(op):
            joined = join(op, op.dim.value.data, TensorBuilder(op))
        made.note_built(before, op)
        for use in tuple(op.results[0].uses):
            made.replace(use, joined)
        made.remove(op)


def _function_around(op: Operation) -> FuncOp | None:
    around = op.parent_op()
    while around is not None and not isinstance(around, FuncOp):
        around = around.parent_op()
    return around


def _place(op: Operation) -> Operation:
    """The op of the computation at which something is inserted: for what a terminator
    inserts (scf.forall.in_parallel), that terminator."""
    around = op.parent_op()
    while around is not None and around.has_trait(
        IsTerminator, value_if_unregistered=False
    ):
        op, around = around, around.parent_op()
    return op


def _build(
    op: Operation,
    model: SubsetInsertionOpInterface,
    uses: Sequence[Use],
    program: MovingProgram,
    changes: TrialChanges,
) -> None:
    """Let all uses of tensor.empty that the source of an insertion comes from use the
    slice that it is inserted into."""
    block = _place(op).parent
    assert block is not None
    around = [block.find_ancestor_op_in_block(use.operation) for use in uses]
    if None in around or not isinstance(get(model.source_operand(op)).type, TENSOR_TYPES):
        return
    first = min((a for a in around if a is not None), key=program.position)
    needed = model.values_needed_to_build_subset_extraction(op)
    if not program.move_definitions(needed, first):
        return
    before = first.prev_op
    replacement = model.build_subset_extraction(op, InsertPoint.before(first))
    if replacement is None:
        return
    casts: dict[object, SSAValue] = {replacement.type: replacement}
    for use in uses:
        empty = get(use)
        if empty.type not in casts:
            cast = tensor.CastOp.build(operands=[replacement], result_types=[empty.type])
            Rewriter.insert_op(cast, InsertPoint.before(first))
            casts[empty.type] = cast.results[0]
        changes.replace(use, casts[empty.type])
    built = block.first_op if before is None else before.next_op
    assert built is not None
    program.note_new_ops(built, first)
    changes.note_built(before, first)
