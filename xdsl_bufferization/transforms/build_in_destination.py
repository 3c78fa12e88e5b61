"""The pass build-in-destination."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.one_shot.copy_costs import joined_operands
from xdsl_bufferization.analysis.one_shot.program_order import ProgramOrder
from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.operands import get
from xdsl_bufferization.interfaces.subset import SUBSET_INSERTION
from xdsl_bufferization.interfaces.types import TENSOR_TYPES
from xdsl_bufferization.locations import visit
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.copy_estimates import estimate_copies
from xdsl_bufferization.transforms.utils.moving_program import MovingProgram
from xdsl_bufferization.transforms.utils.new_tensors import (
    compute_in_empty_tensors,
    find_insertions,
    makes_new_tensor,
)
from xdsl_bufferization.transforms.utils.trial_changes import (
    TrialChanges,
    changes_around,
    keep_changes,
)


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

    Where a `tensor.from_elements`, `tensor.generate`, `tensor.pad` or `tensor.concat`
    (of static sizes) is inserted, or an operand of one can be computed in its place, it
    becomes ops that compute it in a `tensor.empty`, as by `decompose-tensor-concat` and
    `rewrite-in-destination-passing-style`. A constant of equal elements that a branch
    yields to an insertion becomes a `linalg.fill`.

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
    if not any(makes_new_tensor(op) for op in ops):
        return
    if not any(SUBSET_INSERTION.lookup(op) or joined_operands(op) for op in ops):
        return
    changes: dict[FuncOp, TrialChanges] = {}
    try:
        analysis, costs = estimate_copies(root, cheapest=True)
    except PassFailedException:
        return
    insertions = find_insertions(ops, analysis)
    if not insertions:
        return
    inserting = compute_in_empty_tensors(ops, insertions, changes)
    program = MovingProgram(ProgramOrder(root, analysis.model))
    # What inserts into a part that is inserted itself uses the place that this gets.
    for op, uses in reversed(inserting):
        made = changes_around(op, changes) if uses else None
        if made is not None:
            visit(op)
            _build(op, uses, program, made)
    changes = {function: made for function, made in changes.items() if made.operands}
    keep_changes(
        root, changes, lambda now, f: now.is_never_worse(costs, f), cheapest=True
    )


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
    uses: Sequence[Use],
    program: MovingProgram,
    changes: TrialChanges,
) -> None:
    """Let all uses of tensor.empty that the source of an insertion comes from use the
    slice that it is inserted into."""
    model = SUBSET_INSERTION.lookup(op)
    block = _place(op).parent
    assert model is not None and block is not None
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
