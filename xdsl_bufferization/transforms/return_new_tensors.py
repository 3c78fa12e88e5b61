"""The pass return-new-tensors."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.block_graph import successors
from xdsl_bufferization.analysis.facts.strongly_connected import strongly_connected
from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.copy_costs import depends_on_layout
from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.dialects.op_lists import list_functions, walk
from xdsl_bufferization.dialects.shapes import is_tensor
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.operands import get, operands_of
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

    The pass changes the last op that replaces every element of what is returned; the old
    elements become an input of a linalg.generic or linalg.map that uses them. Private
    functions do not return their arguments (`drop-equivalent-buffer-results`). A function
    stays as it is if that op is in a loop of blocks or ops that may need temporary memory
    come after it, because the peak of memory in use might rise, if a part of the tensor
    is returned as well, or if some execution may copy or allocate more by the estimate
    (docs/copies.md).

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
    candidates: dict[FuncOp, tuple[Operation, list[Operation]]] = {}
    for function in list_functions(root):
        returned = _only_return(function)
        if returned is not None and (updates := _last_updates(function, returned)):
            candidates[function] = returned, updates
    if not candidates:
        return
    try:
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
            new = use.operation.operands[use.index]
            use.operation.operands[use.index] = old
            write_elsewhere(use.operation, new)


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


def _last_updates(function: FuncOp, returned: Operation) -> list[Operation]:
    """The updates of all elements of a tensor that run at most once, and after which a
    function needs no temporary memory; of two that both run, the last one first."""
    sizes = {_known_size(v.type) for v in returned.operands if is_tensor(v.type)}
    found: list[Operation] = []
    before_memory: set[Block] = set()
    """Blocks in which, or after which, temporary memory may be needed."""
    for part in strongly_connected((function.body.blocks[0],), successors):
        block, later = part[0], successors(part[0])
        if len(part) > 1 or block in later or not before_memory.isdisjoint(later):
            before_memory.update(part)
            continue
        op = block.last_op
        while op is not None and not _may_need_memory(op):
            if op.results and is_elementwise_update(op):
                # One of another size cannot be what is returned.
                size = _known_size(op.results[0].type)
                if size in sizes or None in (size, *sizes):
                    found.append(op)
            op = op.prev_op
        if op is not None:
            before_memory.add(block)
    return found


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
    updates: list[Operation],
    analysis: OneShotAnalysis,
) -> TrialChanges | None:
    """Let the last update of each result that is in the buffer of an argument write a
    new tensor."""
    changes: TrialChanges | None = None
    changed: set[Operation] = set()
    for value in returned.operands:
        update = next(
            (op for op in updates if analysis.are_equivalent(op.results[0], value)), None
        )
        if update is None or update in changed:
            continue
        use = operands_of(update)[len(update.operands) - 1]
        output = update.operands[use.index]
        if (
            not analysis.is_in_place(use)
            or not _is_in_argument(output, function, analysis)
            or _is_part_returned(update.results[0], returned, analysis)
        ):
            continue
        changed.add(update)
        if changes is None:
            changes = TrialChanges(OpOrder(function))
        first = update.prev_op
        with built_for(update):
            new = _build_new(output, update)
        assert update.parent is not None
        built = update.parent.first_op if first is None else first.next_op
        while built is not update:
            assert built is not None
            changes.built.append(built)
            built = built.next_op
        changes.replace(use, new)
    return changes


def _is_part_returned(
    value: SSAValue, returned: Operation, analysis: OneShotAnalysis
) -> bool:
    """Whether a part of a tensor is returned as well. Deallocation clones that part with
    the gaps of its layout, and the layout of a part of a new buffer is static."""
    return any(
        isinstance(other.type, TENSOR_TYPES)
        and analysis.are_aliasing(value, other)
        and not analysis.are_equivalent(value, other)
        for other in returned.operands
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


def _is_in_argument(value: SSAValue, function: FuncOp, analysis: OneShotAnalysis) -> bool:
    """Whether a tensor is always in the buffer of an argument, or of one of several:
    never in one that the function, a callee, an iteration of a loop or a reshape has
    allocated, which it could return without a copy."""
    entry = function.body.blocks[0]
    seen = {value}
    work = [value]
    while work:
        value = work.pop()
        if value.owner is entry:
            continue
        sources = [alias.operand for alias in analysis.aliasing_operands(value)]
        if not sources or not all(map(analysis.is_in_place, sources)):
            return False
        origins = [get(source) for source in sources]
        op = value.owner
        model = analysis.model(op) if isinstance(op, Operation) else None
        if isinstance(op, Operation) and model is not None:
            may_replace = CALL.lookup(op) is not None or (
                bool(op.regions) and model.is_repetitive_region(op, 0)
            )
            if depends_on_layout(model) or (
                may_replace
                and not any(analysis.are_equivalent(value, origin) for origin in origins)
            ):
                return False
        work += (origin for origin in origins if origin not in seen)
        seen.update(origins)
    return True
