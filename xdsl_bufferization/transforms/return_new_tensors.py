"""The pass return-new-tensors."""

from __future__ import annotations

from collections.abc import Iterator, KeysView, Mapping
from dataclasses import dataclass
from math import prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.block_graph import successors
from xdsl_bufferization.analysis.facts.reached_values import ReachedValues
from xdsl_bufferization.analysis.facts.strongly_connected import strongly_connected
from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.copy_costs import depends_on_layout
from xdsl_bufferization.analysis.one_shot.model_mistakes import naming_model_mistakes
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.dialects import bufferization, memref, scf
from xdsl_bufferization.dialects.op_lists import list_functions, walk
from xdsl_bufferization.dialects.shapes import is_tensor
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.operands import get
from xdsl_bufferization.interfaces.types import TENSOR_TYPES
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.copy_estimates import estimate_copies
from xdsl_bufferization.transforms.utils.elementwise_updates import (
    is_elementwise_update,
    write_elsewhere,
)
from xdsl_bufferization.transforms.utils.op_order import OpOrder
from xdsl_bufferization.transforms.utils.overwritten_tensors import (
    Overwritten,
    find_overwritten,
)
from xdsl_bufferization.transforms.utils.tensor_builder import (
    TensorBuilder,
    dynamic_sizes,
    static_sizes,
)
from xdsl_bufferization.transforms.utils.trial_changes import TrialChanges, keep_changes


@dataclass(frozen=True)
class ReturnNewTensorsPass(ModulePass):
    """Compute what public functions return in new tensors, where that spares the copy of
    an argument. Run it before `one-shot-bufferize`.

        func.func @twice(%t: tensor<8xf64>) -> tensor<8xf64> {
          %0 = linalg.add ins(%t, %t : tensor<8xf64>, tensor<8xf64>)
              outs(%t : tensor<8xf64>) -> tensor<8xf64>
          return %0 : tensor<8xf64>
        }

    becomes

        func.func @twice(%t: tensor<8xf64>) -> tensor<8xf64> {
          %m = memref.alloc() : memref<8xf64>
          %e = bufferization.to_tensor %m restrict writable
              : memref<8xf64> to tensor<8xf64>
          %0 = linalg.add ins(%t, %t : tensor<8xf64>, tensor<8xf64>)
              outs(%e : tensor<8xf64>) -> tensor<8xf64>
          return %0 : tensor<8xf64>
        }

    In place, the sum would overwrite the argument. The caller owns what a public function
    returns, so deallocation would then return a copy of the argument.

    The pass changes the last op that replaces every element of what is returned, whatever
    op that is; the old elements become an input of a linalg.generic or linalg.map that
    uses them. Private functions do not return their arguments
    (`drop-equivalent-buffer-results`). A function stays as it is if that op is in a loop
    of blocks or ops that may need temporary memory come after it, because the peak of
    memory in use might rise, if a part of the tensor is returned as well, or if some
    execution may copy or allocate more by the estimate (docs/copies.md).

    What is updated must always be in the buffer of an argument. If it is a new tensor on
    some path, because a branch, a callee, a loop or a reshape allocates one, the function
    could return that without a copy, and stays as it is.
    """

    name = "return-new-tensors"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        return_new_tensors(op)


@on_program
def return_new_tensors(root: ModuleOp) -> None:
    """Change the public functions of a module. One that One-Shot Analysis rejects stays
    as it is: the pass that bufferizes it reports why."""
    try:
        candidates = _candidates(root)
        if not candidates:
            return
        analysis, costs = estimate_copies(root, cheapest=True)
    except PassFailedException:
        return
    changes: dict[FuncOp, TrialChanges] = {}
    for function, (returned, updates) in candidates.items():
        made = _change(function, returned, updates, analysis)
        if made is not None:
            changes[function] = made

    # Deallocation would allocate a copy instead of the new tensor.
    keep_changes(
        root, changes, lambda now, f: now.is_never_worse(costs, f), cheapest=True
    )
    for made in changes.values():
        for use, old in made.operands:
            op = use.operation
            if is_elementwise_update(op):
                new = op.operands[use.index]
                op.operands[use.index] = old
                write_elsewhere(op, new)


def _candidates(
    root: ModuleOp,
) -> dict[FuncOp, tuple[Operation, list[Overwritten]]]:
    """The functions that may be changed: what ends each, and its last updates."""
    candidates: dict[FuncOp, tuple[Operation, list[Overwritten]]] = {}
    options = BufferizationOptions()
    state = DefaultAnalysisState(options)
    with naming_model_mistakes(root):
        for function in list_functions(root):
            returned = _only_return(function)
            if returned is None:
                continue
            updates = _last_updates(function, returned, state)
            if updates:
                candidates[function] = returned, updates
    return candidates


def _only_return(function: FuncOp) -> Operation | None:
    """The op that ends a public function, if that is only one and returns tensors."""
    visibility = function.sym_visibility
    if function.is_declaration or (
        visibility is not None and visibility.data != "public"
    ):
        return None
    ends = [block.last_op for block in function.body.blocks if not successors(block)]
    if len(ends) != 1 or not isinstance(ends[0], ReturnOp):
        return None
    return ends[0] if any(is_tensor(v.type) for v in ends[0].operands) else None


def _last_updates(
    function: FuncOp, returned: Operation, state: DefaultAnalysisState
) -> list[Overwritten]:
    """The updates of all elements of a tensor that run at most once, and after which a
    function needs no temporary memory; of two that both run, the last one first."""
    sizes = {_known_size(v.type) for v in returned.operands if is_tensor(v.type)}
    found: list[Overwritten] = []
    before_memory: set[Block] = set()
    """Blocks in which, or after which, temporary memory may be needed."""
    for part in strongly_connected((function.body.blocks[0],), successors):
        block, later = part[0], successors(part[0])
        if len(part) > 1 or block in later or not before_memory.isdisjoint(later):
            before_memory.update(part)
            continue
        for update in _updates_before_memory(block, state):
            if update is None:
                before_memory.add(block)
                break
            # One of another size cannot be what is returned.
            size = _known_size(update.result.type)
            if size in sizes or None in (size, *sizes):
                found.append(update)
    return found


def _updates_before_memory(
    block: Block, state: DefaultAnalysisState
) -> Iterator[Overwritten | None]:
    """The updates of a block, in the branches of its ops too, from the last one on, but
    none from before an op that may need temporary memory. If there is such an op, None
    comes last."""
    before_memory: set[Block | None] = set()
    work = [block.last_op]
    while work:
        op = work.pop()
        if op is None or op.parent in before_memory:
            continue
        work.append(op.prev_op)
        if _is_branch(op):
            work += [region.block.last_op for region in op.regions if region.blocks]
        elif not _may_need_memory(op):
            yield from find_overwritten(op, state)
        else:
            around = op.parent
            while around is not block.parent_block():
                before_memory.add(around)
                around = None if around is None else around.parent_block()
    if before_memory:
        yield None


def _is_branch(op: Operation) -> bool:
    """Whether an op runs one of its regions, of one block each, and only once."""
    return isinstance(op, scf.IfOp | scf.IndexSwitchOp)


def _known_size(type_: Attribute) -> int | None:
    """Return the number of elements of a tensor of static sizes."""
    shape = type_.get_shape() if is_tensor(type_) else (DYNAMIC_INDEX,)
    return None if DYNAMIC_INDEX in shape else prod(shape)


def _may_need_memory(op: Operation) -> bool:
    """Whether an op may allocate what it frees before it ends: a callee does, and a
    region that computes tensors."""
    return any(
        CALL.lookup(inner) is not None
        or (
            inner is not op
            and any(isinstance(result.type, TENSOR_TYPES) for result in inner.results)
        )
        for inner in walk(op)
    )


def _change(
    function: FuncOp,
    returned: Operation,
    updates: list[Overwritten],
    analysis: OneShotAnalysis,
) -> TrialChanges | None:
    """Let the last updates of each result that are in the buffer of an argument write a
    new tensor."""
    changes: TrialChanges | None = None
    in_argument = _in_arguments(function, analysis)
    by_result = {
        update.result: update
        for update in updates
        if analysis.is_in_place(update.output) and in_argument.of(get(update.output))
    }
    last = {
        value: _last_on_paths(value, by_result, analysis)
        for value in returned.operands
        if isinstance(value.type, TENSOR_TYPES)
    }
    for update in dict.fromkeys(each for found in last.values() for each in found):
        others = [value for value, found in last.items() if update not in found]
        if any(_is_part(other, update.result, analysis) for other in others):
            continue
        output, op = get(update.output), update.output.operation
        if changes is None:
            changes = TrialChanges(OpOrder(function))
        first = op.prev_op
        with built_for(op):
            new = _build_new(output, op)
        changes.note_built(first, op)
        changes.replace(update.output, new)
    return changes


def _last_on_paths(
    value: SSAValue, by_result: Mapping[SSAValue, Overwritten], analysis: OneShotAnalysis
) -> list[Overwritten]:
    """Return the updates whose result a value is, with no other one of them in between,
    but none that comes after another one of these on some path: it would need a second
    new tensor there."""
    found = _nearest(value, by_result, analysis)
    return [
        update
        for update in found
        if found.isdisjoint(_nearest(get(update.output), by_result, analysis))
    ]


def _nearest(
    value: SSAValue, by_result: Mapping[SSAValue, Overwritten], analysis: OneShotAnalysis
) -> KeysView[Overwritten]:
    """Return the updates that are found by following a value back, without going on from
    them: to what it is in place of, and to what branches forward to it."""
    found: dict[Overwritten, None] = {}
    seen = {value}
    work = [value]
    while work:
        value = work.pop()
        update = by_result.get(value)
        if update is not None:
            found[update] = None
            continue
        owner = value.owner
        is_choice = isinstance(owner, Block) or _is_branch(owner)
        for alias in analysis.aliasing_operands(value):
            source = get(alias.operand)
            if source not in seen and (
                is_choice
                or (
                    analysis.is_in_place(alias.operand)
                    and analysis.are_equivalent(source, value)
                )
            ):
                seen.add(source)
                work.append(source)
    return found.keys()


def _is_part(other: SSAValue, value: SSAValue, analysis: OneShotAnalysis) -> bool:
    """Whether a returned tensor may be a part of another one. Deallocation clones it with
    the gaps of its layout, and the layout of a part of a new buffer is static."""
    return analysis.are_aliasing(value, other) and not analysis.are_equivalent(
        value, other
    )


def _build_new(like: SSAValue, before: Operation) -> SSAValue:
    """Build a tensor in a buffer of its own, aligned like the copy that it replaces."""
    type_ = cast("TensorType[Attribute]", like.type)
    builder = TensorBuilder(before)
    sizes = builder.sizes(like)
    buffer = builder.insert(
        memref.AllocOp(
            dynamic_sizes(sizes), (), MemRefType(type_.element_type, static_sizes(sizes))
        )
    )
    return builder.insert(
        bufferization.ToTensorOp(buffer, restrict=True, writable=True, result_type=type_)
    )


def _in_arguments(
    function: FuncOp, analysis: OneShotAnalysis
) -> ReachedValues[SSAValue, bool]:
    """Whether a tensor is always in the buffer of an argument, or of one of several:
    never in one that the function, a callee, an iteration of a loop or a reshape has
    allocated, which it could return without a copy."""
    entry = function.body.blocks[0]

    def keeps_buffer(value: SSAValue) -> bool:
        if value.owner is entry:
            return True
        sources = [alias.operand for alias in analysis.aliasing_operands(value)]
        if not sources or not all(map(analysis.is_in_place, sources)):
            return False
        op = value.owner
        model = analysis.model(op) if isinstance(op, Operation) else None
        if not isinstance(op, Operation) or model is None:
            return True
        may_replace = CALL.lookup(op) is not None or (
            bool(op.regions) and model.is_repetitive_region(op, 0)
        )
        # The buffer of an unranked tensor has no layout.
        may_copy = depends_on_layout(model) and any(
            is_tensor(get(source).type) for source in sources
        )
        return not may_copy and (
            not may_replace
            or any(analysis.are_equivalent(value, get(source)) for source in sources)
        )

    def origins(value: SSAValue) -> list[SSAValue]:
        if value.owner is entry:
            return []
        return [get(alias.operand) for alias in analysis.aliasing_operands(value)]

    return ReachedValues(keeps_buffer, origins, all)
