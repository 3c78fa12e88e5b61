"""The pass copy-in-branches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import ConstantLike
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.forwarded_values import ForwardedValues
from xdsl_bufferization.analysis.facts.movable import Freedom, Movability
from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.copy_costs import CopyCosts, is_operand
from xdsl_bufferization.dialects import bufferization, scf
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import is_tensor
from xdsl_bufferization.interfaces.aliasing import BufferRelation
from xdsl_bufferization.interfaces.loop_like import LOOP_LIKE
from xdsl_bufferization.interfaces.operands import get, op_of, operands_of
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.remarks.active import active_log
from xdsl_bufferization.transforms.utils.copy_estimates import estimate_copies
from xdsl_bufferization.transforms.utils.op_order import OpOrder
from xdsl_bufferization.transforms.utils.trial_changes import TrialChanges, keep_changes

MOST_SOURCES = 64
"""At most this many values are followed back from what is copied."""
MOST_STEPS = 64
"""At most this many updates of one tensor in a row are followed back."""


@dataclass(frozen=True)
class CopyInBranchesPass(ModulePass):
    """Copy a tensor in the branch that yields it, not after the branch in any case, if
    the other branches yield one that they have updated. Run it before
    `one-shot-bufferize`.

        func.func @f(%start: tensor<4xf64>, %x: f64, %i: index, %lb: index,
            %ub: index, %step: index) -> (tensor<4xf64>, f64) {
          %e = tensor.empty() : tensor<4xf64>
          %z = linalg.fill ins(%x : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
          %r = scf.for %j = %lb to %ub step %step iter_args(%t = %z) -> (tensor<4xf64>) {
            %reset = arith.cmpi eq, %i, %j : index
            %b = scf.if %reset -> (tensor<4xf64>) {
              scf.yield %start : tensor<4xf64>
            } else {
              %u = tensor.insert %x into %t[%i] : tensor<4xf64>
              scf.yield %u : tensor<4xf64>
            }
            scf.yield %b : tensor<4xf64>
          }
          %y = tensor.extract %start[%i] : tensor<4xf64>
          return %r, %y : tensor<4xf64>, f64
        }

    becomes

        func.func @f(%start: tensor<4xf64>, %x: f64, %i: index, %lb: index,
            %ub: index, %step: index) -> (tensor<4xf64>, f64) {
          %e = tensor.empty() : tensor<4xf64>
          %z = linalg.fill ins(%x : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
          %r = scf.for %j = %lb to %ub step %step iter_args(%t = %z) -> (tensor<4xf64>) {
            %reset = arith.cmpi eq, %i, %j : index
            %b = scf.if %reset -> (tensor<4xf64>) {
              %c = bufferization.materialize_in_destination %start in %t
                  : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
              scf.yield %c : tensor<4xf64>
            } else {
              %u = tensor.insert %x into %t[%i] : tensor<4xf64>
              scf.yield %u : tensor<4xf64>
            }
            scf.yield %b : tensor<4xf64>
          }
          %y = tensor.extract %start[%i] : tensor<4xf64>
          return %r, %y : tensor<4xf64>, f64
        }

    %start must not be overwritten: it is a constant, or read again later. In the first
    program, %b may be %start, so each iteration copies %b. In the second one, only the
    branch copies, into what the other branch updates. If that must not be overwritten
    either, as an argument, or if its sizes may be others, `bufferization.alloc_tensor`
    makes the copy.

    An op that copies what only one branch uses, such as a tensor.extract_slice of a
    tensor that the branch overwrites, moves into that branch.

    The branches are those of scf.if and scf.index_switch. The pass considers tensors that
    One-Shot Analysis copies, and analyses the program again: a function is left unchanged
    if the estimate does not show that copies are spared, or if some execution may copy or
    allocate more (docs/copies.md).
    """

    name = "copy-in-branches"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        copy_in_branches(op)


@on_program
def copy_in_branches(root: ModuleOp) -> None:
    """Copy in branches in the functions of a module. One that One-Shot Analysis rejects
    stays as it is: the pass that bufferizes it reports why."""
    if not any(_is_branch(op) for op in walk(root)):
        return
    try:
        analysis, costs = estimate_copies(root, cheapest=True)
    except PassFailedException:
        return
    moved = _move_into_branches(costs, analysis)
    if moved:
        keep_changes(
            root, moved, lambda now, f: now.is_never_worse(costs, f), cheapest=True
        )
        if moved:
            analysis, costs = estimate_copies(root, cheapest=True)
    finder = _YieldFinder(analysis)
    found: dict[FuncOp, dict[Use, SSAValue | None]] = {}
    for function, by_operand in costs.by_function.items():
        if not isinstance(function, FuncOp):
            continue
        yields = {
            use: destination
            for operand, cost in by_operand.items()
            if cost.copied_bytes and is_operand(operand)
            for use, destination in finder.yields_to_copy(cost.value)
        }
        if yields:
            found[function] = yields
    for in_place in (True, False):
        if not found:
            return
        changes: dict[FuncOp, TrialChanges] = {}
        for function, yields in found.items():
            changes[function] = TrialChanges(OpOrder(function))
            for use, destination in yields.items():
                _copy(use, destination if in_place else None, changes[function])
        keep_changes(
            root, changes, lambda now, f: _spares_copies(now, costs, f), cheapest=True
        )
        _note_causes(changes)
        found = {f: yields for f, yields in found.items() if f not in changes}


def _move_into_branches(
    costs: CopyCosts, analysis: OneShotAnalysis
) -> dict[FuncOp, TrialChanges]:
    """Move ops that copy into the only branch that uses their results."""
    movability = Movability(analysis.functions)
    changes: dict[FuncOp, TrialChanges] = {}
    for function, by_operand in costs.by_function.items():
        if not isinstance(function, FuncOp):
            continue
        copying = {
            operand.operation: None
            for operand, cost in by_operand.items()
            if cost.copied_bytes and is_operand(operand)
        }
        # What uses another one of them moves before it.
        for op in reversed(copying):
            block = _only_branch_with_uses(op)
            if block is None or movability.freedom(op) is Freedom.EFFECTS:
                continue
            if function not in changes:
                changes[function] = TrialChanges(OpOrder(function))
            op.detach()
            Rewriter.insert_op(op, InsertPoint.at_start(block))
    return changes


def _only_branch_with_uses(op: Operation) -> Block | None:
    """The block of a branch in which, or in whose regions, all results are used."""
    blocks = {
        _block_below(use.operation, op.parent)
        for result in op.results
        for use in result.uses
    }
    block = next(iter(blocks)) if len(blocks) == 1 else None
    return block if block is not None and _is_branch(block.parent_op()) else None


def _block_below(op: Operation, around: Block | None) -> Block | None:
    """The block around an op whose op is directly in another block; None if the op
    itself is."""
    inner, block = None, op.parent
    while block is not None and block is not around:
        inner, block = block, block.parent_block()
    return inner


def _note_causes(changes: Mapping[FuncOp, TrialChanges]) -> None:
    """Tell why the copies are made, if remarks are wanted."""
    log = active_log()
    if log is None:
        return
    for made in changes.values():
        for use, value in made.operands:
            copy = get(use).owner
            assert isinstance(copy, Operation)
            log.note(copy, log.cause("branch", use.operation, value))


def _spares_copies(now: CopyCosts, before: CopyCosts, function: FuncOp | None) -> bool:
    """Whether copies that were made after branches are made in them now, or not."""
    tops = before.by_function if function is None else (function,)
    return now.is_never_worse(before, function) and any(
        use not in now.by_function.get(top, {})
        for top in tops
        for use, cost in before.by_function.get(top, {}).items()
        if cost.copied_bytes
    )


def _copy(use: Use, destination: SSAValue | None, changes: TrialChanges) -> None:
    """Let a branch yield a copy, made in another tensor if there is one."""
    value = get(use)
    with built_for(use.operation):
        if destination is None:
            copy = bufferization.AllocTensorOp(value.type, copy=value)
        else:
            copy = bufferization.MaterializeInDestinationOp(value, destination)
    Rewriter.insert_op(copy, InsertPoint.before(use.operation))
    changes.built.append(copy)
    changes.replace(use, copy.results[0])


def _is_branch(op: Operation | None) -> bool:
    return isinstance(op, scf.IfOp | scf.IndexSwitchOp)


def _is_constant(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, Operation) and owner.has_trait(
        ConstantLike, value_if_unregistered=False
    )


class _YieldFinder:
    """Finds what branches yield of other tensors than they update."""

    def __init__(self, analysis: OneShotAnalysis):
        self._analysis = analysis
        self._forwarded = ForwardedValues()

    def yields_to_copy(self, value: SSAValue) -> Iterator[tuple[Use, SSAValue | None]]:
        """The operands of terminators of branches that a copied value may be, and that
        keep the others from being updated in place; each with the tensor that another
        branch updates, if it may be written instead."""
        seen = {value}
        work = [value]
        while work and len(seen) <= MOST_SOURCES:
            value = work.pop()
            if isinstance(value, OpResult) and _is_branch(value.op):
                yield from self._foreign(value)
            for source in self._forwarded.sources(value):
                if source not in seen:
                    seen.add(source)
                    work.append(source)

    def _foreign(self, result: OpResult) -> Iterator[tuple[Use, SSAValue | None]]:
        branch = result.op
        uses = [
            operands_of(region.block.last_op)[result.index]
            for region in branch.regions
            if region.blocks and region.block.last_op is not None
        ]
        if not is_tensor(result.type):
            return
        updated = [self._updated(get(use), branch) for use in uses]
        count = Counter(updated)
        loop = _loop_around(branch)
        # What may be overwritten instead of a tensor, and instead of a constant.
        others: list[SSAValue | None] = []
        others_than_constants: list[SSAValue | None] = []
        for use, source in zip(uses, updated, strict=True):
            value = get(use)
            if _is_constant(value):
                continue
            others_than_constants.append(source)
            if source is not value or (loop is not None and _is_inside(value, loop)):
                others.append(source)
        destination = self._destination(others, result.type)
        for_constant = self._destination(others_than_constants, result.type)
        for use, source in zip(uses, updated, strict=True):
            value = get(use)
            if source is not value or count[value] > 1:
                continue
            if _is_constant(value):
                if others_than_constants:
                    yield use, for_constant
            elif others and not _is_inside(value, loop):
                yield use, destination

    def _destination(
        self, updated: Sequence[SSAValue | None], type_: Attribute
    ) -> SSAValue | None:
        """The first of some tensors that a copy of one of this type can be made in."""
        return next(
            (
                value
                for value in updated
                if value is not None
                and value.type == type_
                and not _is_constant(value)
                and _is_static(type_)
            ),
            None,
        )

    def _updated(self, value: SSAValue, branch: Operation) -> SSAValue | None:
        """The tensor from outside of a branch whose buffer a value in it may have, if it
        is that one or a buffer of its own; the value itself if it is from outside."""
        for _ in range(MOST_STEPS):
            op = op_of(value)
            if op is None or not branch.is_ancestor(op):
                return value
            if isinstance(value.owner, Operation) and not value.owner.regions:
                sources: Sequence[SSAValue] = [
                    get(alias.operand)
                    for alias in self._analysis.aliasing_operands(value)
                    if alias.relation is BufferRelation.EQUIVALENT
                ]
            else:
                sources = self._forwarded.sources(value)[:1]
            if len(sources) != 1:
                return None
            value = sources[0]
        return None


def _loop_around(op: Operation) -> Operation | None:
    around = op.parent_op()
    while around is not None and LOOP_LIKE.lookup(around) is None:
        around = around.parent_op()
    return around


def _is_inside(value: SSAValue, op: Operation | None) -> bool:
    """Whether a value is defined in the regions of an op, or of a function."""
    owner = op_of(value)
    return op is None or (owner is not None and op.is_ancestor(owner))


def _is_static(type_: Attribute) -> bool:
    return isinstance(type_, TensorType) and (
        cast("TensorType[Attribute]", type_).has_static_shape()
    )
