"""The pass split-empty-tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.block_graph import block_of
from xdsl_bufferization.analysis.facts.forwarded_values import (
    ForwardedValues,
    forwarded_targets,
)
from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.copy_costs import (
    CopyCost,
    CopyCosts,
    is_operand,
)
from xdsl_bufferization.dialects import linalg, tensor
from xdsl_bufferization.dialects.bufferization import AllocTensorOp
from xdsl_bufferization.dialects.op_lists import list_functions, walk
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.eliminate_empty_tensors import uses_of_empty_tensors
from xdsl_bufferization.transforms.utils.copy_estimates import estimate_copies
from xdsl_bufferization.transforms.utils.filled_tensors import (
    fill_again,
    is_copied_if_shared,
    is_filled,
)
from xdsl_bufferization.transforms.utils.op_order import OpOrder
from xdsl_bufferization.transforms.utils.trial_changes import TrialChanges, keep_changes

_REPLACED = (tensor.EmptyOp, AllocTensorOp, tensor.ExtractSliceOp, linalg.FillOp)


@dataclass(frozen=True)
class SplitEmptyTensorsPass(ModulePass):
    """Give each op that computes in a shared tensor.empty its own, where that saves a
    copy. Run it before `one-shot-bufferize`.

        %e = tensor.empty() : tensor<8xf64>
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<8xf64>) {
          %y = linalg.exp ins(%x : tensor<8xf64>) outs(%e : tensor<8xf64>)
              -> tensor<8xf64>
          scf.yield %y : tensor<8xf64>
        }

    becomes

        %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<8xf64>) {
          %e = tensor.empty() : tensor<8xf64>
          %y = linalg.exp ins(%x : tensor<8xf64>) outs(%e : tensor<8xf64>)
              -> tensor<8xf64>
          scf.yield %y : tensor<8xf64>
        }

    All iterations use a buffer that is allocated before the loop, so each must yield a
    copy of it. An iteration can yield a buffer that it allocates itself without a copy,
    and `reuse-loop-buffers` lets the loop alternate between two of them.

    The pass splits each tensor.empty in which a copied tensor is computed, and analyses
    the program again. A function is left unchanged if the estimate shows no fewer
    copied bytes, or if some execution may copy or allocate more (docs/copies.md).

    An op that has to copy a tensor of equal elements gets one of its own: a linalg.fill
    of a tensor.empty instead of a constant or a linalg.fill that others use, too, or a
    tensor.splat. Filling costs less than the copy, and `build-in-destination` can place
    what is computed in it.

    A tensor.empty, or a bufferization.alloc_tensor without contents, of which only a
    slice is used is replaced by one of the size of the slice, which needs less memory,
    if no execution copies more then.
    """

    name = "split-empty-tensors"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        split_empty_tensors(op)


@on_program
def split_empty_tensors(root: ModuleOp) -> None:
    """Shrink and split tensors without contents in the functions of a module. What
    One-Shot Analysis refuses stays as it is: what bufferizes it says why."""
    _shrink_tensors(root)
    if not any(_may_be_split(op) for op in walk(root)):
        return
    try:
        analysis, costs = estimate_copies(root)
    except PassFailedException:
        return
    changes: dict[FuncOp, TrialChanges] = {}
    for function, by_operand in costs.by_function.items():
        if isinstance(function, FuncOp):
            made = _split(function, by_operand, analysis)
            if made is not None:
                changes[function] = made

    def is_kept(now: CopyCosts, function: FuncOp | None) -> bool:
        return now.is_improvement(costs, function)

    keep_changes(root, changes, is_kept, cheapest=False)
    _erase_unused(changes)


def _erase_unused(changes: dict[FuncOp, TrialChanges]) -> None:
    """Erase what has been replaced and made the replaced tensors, if nothing uses it."""
    worklist = [value for made in changes.values() for _, value in made.operands]
    while worklist:
        op = worklist.pop().owner
        if (
            isinstance(op, _REPLACED)
            and op.parent is not None
            and not any(result.uses for result in op.results)
        ):
            worklist += op.operands
            op.detach()
            op.erase()


def _shrink_tensors(root: ModuleOp) -> None:
    """Replace slices of tensors without contents that have no other use by such tensors,
    unless more is copied then: what is written in a slice may be out of place without a
    copy, and in place in the tensor, which others must then not share."""
    if not any(_undefined_source(op) for op in walk(root)):
        return
    try:
        _, costs = estimate_copies(root, cheapest=True)
    except PassFailedException:
        return
    changes: dict[FuncOp, TrialChanges] = {}
    for function in list_functions(root):
        made = _shrink(function)
        if made is not None:
            changes[function] = made

    def is_kept(now: CopyCosts, function: FuncOp | None) -> bool:
        return now.copies_no_more(costs, function)

    keep_changes(root, changes, is_kept, cheapest=True)
    _erase_unused(changes)


def _shrink(function: FuncOp) -> TrialChanges | None:
    """Replace each slice of a tensor without contents by such a tensor of its size."""
    changes: TrialChanges | None = None
    for slice_ in list(walk(function)):
        source = _undefined_source(slice_)
        if source is None:
            continue
        if changes is None:
            changes = TrialChanges(OpOrder(function))
        assert isinstance(slice_, tensor.ExtractSliceOp)
        # Only dimensions of size 1 are dropped, so that all dynamic sizes are kept.
        sizes, type_ = slice_.sizes, slice_.results[0].type
        with built_for(slice_):
            if isinstance(source, AllocTensorOp):
                own = AllocTensorOp(type_, sizes, memory_space=source.memory_space)
            else:
                own = tensor.EmptyOp(sizes, type_)
        own.results[0].name_hint = slice_.results[0].name_hint
        Rewriter.insert_op(own, InsertPoint.before(slice_))
        changes.built.append(own)
        for use in list(slice_.results[0].uses):
            changes.replace(use, own.results[0])
    return changes


def _undefined_source(op: Operation) -> tensor.EmptyOp | AllocTensorOp | None:
    """Return the tensor without contents that an op takes a slice of, if nothing else
    uses it."""
    if not isinstance(op, tensor.ExtractSliceOp) or op.results[0].first_use is None:
        return None
    source = op.operands[0].owner
    if source.parent is not op.parent or not op.operands[0].has_one_use():
        return None
    if isinstance(source, AllocTensorOp):
        return None if source.copy or source.size_hint else source
    return source if isinstance(source, tensor.EmptyOp) else None


def _may_be_split(op: Operation) -> bool:
    """Whether several ops use a tensor.empty, or one in another block, or an op may have
    to copy a filled tensor."""
    if isinstance(op, tensor.EmptyOp):
        return _is_shared(op.results[0])
    return any(
        is_filled(result)
        and _is_shared(result, isinstance(op, arith.ConstantOp))
        and any(map(is_copied_if_shared, result.uses))
        for result in op.results[:1]
    )


def _is_shared(value: SSAValue, is_constant: bool = False) -> bool:
    """Whether several ops use a tensor, or one in another block. No op may write a
    constant, so that one is enough."""
    uses = list(value.uses)
    block = block_of(value)
    return (
        len(uses) > 1
        or is_constant
        or any(use.operation.parent is not block for use in uses)
    )


def _split(
    function: FuncOp, costs: dict[Use, CopyCost], analysis: OneShotAnalysis
) -> TrialChanges | None:
    """Split what the tensors that are copied in a function were computed in. The uses of
    it that have a buffer of their own anyway take one too: another one of them would be
    in its place otherwise."""
    found: dict[Use, None] = {}
    forwarded = ForwardedValues()
    for use, cost in costs.items():
        if not cost.copied_bytes or not is_operand(use):
            continue
        if is_filled(get(use)) and is_copied_if_shared(use):
            found[use] = None
            continue
        for source in (use, *_forwarded_to(get(use), forwarded)):
            for shared in uses_of_empty_tensors(source, analysis):
                found[shared] = None
                others = get(shared).uses
                found.update((other, None) for other in others if other in costs)
    changes: TrialChanges | None = None
    for use in found:
        value = get(use)
        made = value.owner
        if isinstance(made, tensor.EmptyOp) and not _is_shared(value):
            continue
        if changes is None:
            changes = TrialChanges(OpOrder(function))
        if isinstance(made, tensor.EmptyOp):
            with built_for(use.operation):
                own: Sequence[Operation] = [made.clone()]
        else:
            own = fill_again(value, use.operation)
        Rewriter.insert_op(own, InsertPoint.before(use.operation))
        changes.built += own
        changes.replace(use, own[-1].results[0])
    return changes


def _forwarded_to(value: SSAValue, forwarded: ForwardedValues) -> list[Use]:
    """Return the operands that become an argument of a region: scf.while copies what its
    first region passes on, which the second one has computed in the iteration before."""
    around = block_of(value).parent_op()
    if not isinstance(value, BlockArgument) or around is None:
        return []
    sources = set(forwarded.sources(value))
    ends = [block.last_op for region in around.regions for block in region.blocks]
    return [
        use
        for op in (around, *ends)
        if op is not None
        for use in operands_of(op)
        if get(use) in sources and value in (forwarded_targets(use) or ())
    ]
