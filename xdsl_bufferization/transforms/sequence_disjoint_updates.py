"""The pass sequence-disjoint-updates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.one_shot.program_order import ProgramOrder
from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.dialects.op_lists import list_functions, list_ops
from xdsl_bufferization.interfaces.subset import SUBSET
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.copy_estimates import estimate_copies
from xdsl_bufferization.transforms.utils.moving_program import MovingProgram
from xdsl_bufferization.transforms.utils.op_order import OpOrder
from xdsl_bufferization.transforms.utils.trial_changes import TrialChanges, keep_changes

MOST_UPDATES = 16
"""At most this many updates of one tensor in a row are considered."""
MOST_SLICES = 64
"""At most this many users of a tensor are considered."""


@dataclass(frozen=True)
class SequenceDisjointUpdatesPass(ModulePass):
    """Update disjoint slices of a tensor one after the other, if that saves a copy. Run
    it before `one-shot-bufferize`.

        func.func @f(%t: tensor<8xf64>, %c: i1) -> tensor<8xf64> {
          cf.cond_br %c, ^bb1, ^bb2(%t : tensor<8xf64>)
        ^bb1:
          %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf64> to tensor<4xf64>
          %b = tensor.extract_slice %t[4] [4] [1] : tensor<8xf64> to tensor<4xf64>
          %x = linalg.exp ins(%a : tensor<4xf64>) outs(%a : tensor<4xf64>)
              -> tensor<4xf64>
          %y = linalg.exp ins(%b : tensor<4xf64>) outs(%b : tensor<4xf64>)
              -> tensor<4xf64>
          %u = tensor.insert_slice %x into %t[0] [4] [1]
              : tensor<4xf64> into tensor<8xf64>
          %w = tensor.insert_slice %y into %u[4] [4] [1]
              : tensor<4xf64> into tensor<8xf64>
          cf.br ^bb2(%w : tensor<8xf64>)
        ^bb2(%r: tensor<8xf64>):
          return %r : tensor<8xf64>
        }

    becomes

        func.func @f(%t: tensor<8xf64>, %c: i1) -> tensor<8xf64> {
          cf.cond_br %c, ^bb1, ^bb2(%t : tensor<8xf64>)
        ^bb1:
          %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf64> to tensor<4xf64>
          %x = linalg.exp ins(%a : tensor<4xf64>) outs(%a : tensor<4xf64>)
              -> tensor<4xf64>
          %u = tensor.insert_slice %x into %t[0] [4] [1]
              : tensor<4xf64> into tensor<8xf64>
          %b = tensor.extract_slice %u[4] [4] [1] : tensor<8xf64> to tensor<4xf64>
          %y = linalg.exp ins(%b : tensor<4xf64>) outs(%b : tensor<4xf64>)
              -> tensor<4xf64>
          %w = tensor.insert_slice %y into %u[4] [4] [1]
              : tensor<4xf64> into tensor<8xf64>
          cf.br ^bb2(%w : tensor<8xf64>)
        ^bb2(%r: tensor<8xf64>):
          return %r : tensor<8xf64>
        }

    In the first program, %u is defined by what %t was before %y was computed, so %y must
    not be computed in place. The slices share no element: %b is the same part of %u.

    All ops are in one block, and each slice is used only after all updates that precede
    its own have been computed. `one-shot-bufferize{disjoint-slices}` needs this pass only
    in functions of several blocks. The program is analysed again afterwards: a function
    is left unchanged if the estimate shows no fewer copied bytes, or if some execution
    may copy or allocate more (docs/copies.md).
    """

    name = "sequence-disjoint-updates"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        sequence_disjoint_updates(op)


@on_program
def sequence_disjoint_updates(root: ModuleOp) -> None:
    """Update disjoint slices one after the other in the functions of a module. One that
    One-Shot Analysis rejects stays as it is: the pass that bufferizes it reports why."""
    rows = {
        function: found
        for function in list_functions(root)
        if (found := list(_find_rows(function)))
    }
    if not rows:
        return
    try:
        analysis, costs = estimate_copies(root, cheapest=True)
    except PassFailedException:
        return
    program = MovingProgram(ProgramOrder(root, analysis.model))
    changes: dict[FuncOp, TrialChanges] = {}
    for function, found in rows.items():
        if not costs.has_avoidable_copies(function):
            continue
        made = TrialChanges(OpOrder(function))
        for row in found:
            _sequence(row, program, made)
        if made.operands:
            changes[function] = made
    keep_changes(
        root, changes, lambda now, f: now.is_improvement(costs, f), cheapest=True
    )
    for made in changes.values():
        for slice_ in {old.owner for _, old in made.operands}:
            assert isinstance(slice_, Operation)
            if slice_.results[0].first_use is None:
                Rewriter.erase_op(slice_)


def _find_rows(function: FuncOp) -> Iterator[list[tensor.InsertSliceOp]]:
    """The insertions into one tensor, each into the result of the one before, in one
    block."""
    for op in list_ops(function):
        if not isinstance(op, tensor.InsertSliceOp) or _previous(op) is not None:
            continue
        row = [op]
        while len(row) < MOST_UPDATES and (following := _next(row[-1])) is not None:
            row.append(following)
        if len(row) > 1:
            yield row


def _previous(op: tensor.InsertSliceOp) -> tensor.InsertSliceOp | None:
    owner = op.dest.owner
    if isinstance(owner, tensor.InsertSliceOp) and _next(owner) is op:
        return owner
    return None


def _next(op: tensor.InsertSliceOp) -> tensor.InsertSliceOp | None:
    user = op.results[0].get_user_of_unique_use()
    if isinstance(user, tensor.InsertSliceOp) and user.parent is op.parent:
        return user if user.dest is op.results[0] else None
    return None


def _sequence(
    row: list[tensor.InsertSliceOp],
    program: MovingProgram,
    changes: TrialChanges,
) -> None:
    """Take each slice that is updated from the tensor that the updates before it made."""
    values = [row[0].dest, *(op.results[0] for op in row)]
    for number in range(1, len(row)):
        found = _find_slice(row, values, number)
        if found is None:
            continue
        first = _first_user(found, program)
        earlier = row[:number]
        # Two slices that are swapped: an update before inserts what it must precede.
        if first is None or first is row[number] or first in earlier:
            continue
        if not all(
            program.properly_dominates(value, first)
            for op in earlier
            for value in op.operands
            if value not in values[1:]
        ):
            continue
        moved = [op for op in earlier if not program.is_before(op, first)]
        if not all(_is_in_bounds(op, values, first, program) for op in moved):
            continue
        program.place_before(moved, first)
        with built_for(found):
            again = found.clone()
            again.operands[0] = values[number]
        Rewriter.insert_op(again, InsertPoint.before(first))
        program.note_new_ops(again, first)
        changes.built.append(again)
        for use in tuple(found.results[0].uses):
            changes.replace(use, again.results[0])


def _find_slice(
    row: list[tensor.InsertSliceOp], values: list[SSAValue], number: int
) -> tensor.ExtractSliceOp | None:
    """The slice of an earlier tensor that an update overwrites, and that the updates
    between share no element with."""
    for first in range(number):
        for op in _slices_of(values[first], row[0].parent):
            if _is_same_part(row[number], op) and all(
                _are_disjoint(op, between) for between in row[first:number]
            ):
                return op
    return None


def _slices_of(value: SSAValue, block: Block | None) -> Iterator[tensor.ExtractSliceOp]:
    for number, use in enumerate(value.uses):
        if number == MOST_SLICES:
            return
        op = use.operation
        if isinstance(op, tensor.ExtractSliceOp) and op.parent is block:
            yield op


def _is_in_bounds(
    insertion: tensor.InsertSliceOp,
    values: list[SSAValue],
    place: Operation,
    program: MovingProgram,
) -> bool:
    """Whether the slice that an op inserts into has been taken before a place: only then
    may the op be executed there, even if the program ends before the op."""
    return any(
        _is_same_part(insertion, op) and program.is_before(op, place)
        for value in values
        for op in _slices_of(value, insertion.parent)
    )


def _first_user(op: Operation, program: MovingProgram) -> Operation | None:
    """The first op of a block that uses the result of another one, also in regions."""
    block = op.parent
    assert block is not None
    users: list[Operation] = []
    for use in op.results[0].uses:
        user = block.find_ancestor_op_in_block(use.operation)
        if user is None:
            return None
        users.append(user)
    return min(users, key=program.position, default=None)


def _is_same_part(op: Operation, other: Operation) -> bool:
    model = SUBSET.lookup(op)
    return model is not None and model.operates_on_equivalent_subset(
        op, other, _are_one_tensor
    )


def _are_disjoint(op: Operation, other: Operation) -> bool:
    model = SUBSET.lookup(op)
    return model is not None and model.operates_on_disjoint_subset(
        op, other, _are_one_tensor
    )


def _are_one_tensor(first: SSAValue, second: SSAValue) -> bool:
    """What is asked of slices that are known to be of one tensor."""
    return True
