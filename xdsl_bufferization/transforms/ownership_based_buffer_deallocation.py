"""The pass ownership-based-buffer-deallocation.

Every memref has an *ownership* in every block: an i1 value, often constant, that states
whether the block must free it (interfaces/buffer_deallocation.py defines the states).
Ownership begins at an allocation and at a call that returns a buffer, is forwarded with
the buffer along branches, region results and iter_args as an additional i1, and ends at
the `bufferization.dealloc` that this pass inserts at the end of every block:

    func.func @f(%c: i1, %m: memref<f32>) {
      %a = memref.alloc() : memref<f32>
      cf.cond_br %c, ^use(%a : memref<f32>), ^use(%m : memref<f32>)
    ^use(%x: memref<f32>):
      ...

becomes

      %not_c = arith.xori %c, %true
      %own1 = bufferization.dealloc (%a) if (%c) retain (%a)
      %own2 = bufferization.dealloc (%a) if (%not_c) retain (%m)
      cf.cond_br %c, ^use(%a, %own1), ^use(%m, %own2)
    ^use(%x: memref<f32>, %own: i1):
      ...
      bufferization.dealloc (%x) if (%own)

A dealloc frees the buffers that the block owns and does not retain. It retains the
memrefs that are forwarded to the successor and those that are live there. Its results
are the ownership of the retained memrefs, which makes ownership unique where it was
unknown.

The pass is one walk over the blocks, each after its dominators and before its parent
op. Additional operands, results and block arguments are added to ops in place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    FunctionType,
    MemRefType,
    ModuleOp,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue, SSAValues
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.analysis.deallocation.existing import (
    MANUAL_DEALLOCATION,
    find_existing_deallocations,
)
from xdsl_bufferization.analysis.deallocation.function_ownership import (
    FunctionOwnership,
)
from xdsl_bufferization.analysis.deallocation.liveness import compute_live_in
from xdsl_bufferization.analysis.deallocation.requirements import (
    check_known_effects,
    check_no_dealloc,
    check_regions,
    check_stored_buffers,
    check_terminator,
    refuse_block_without_terminator,
)
from xdsl_bufferization.analysis.deallocation.returned_buffers import (
    find_constant_results,
    find_same_results,
)
from xdsl_bufferization.analysis.facts.block_graph import reachable_blocks
from xdsl_bufferization.analysis.facts.functions import return_ops
from xdsl_bufferization.dialects import bufferization
from xdsl_bufferization.dialects.booleans import build_not, get_constant_bool
from xdsl_bufferization.dialects.op_lists import list_functions, list_ops
from xdsl_bufferization.interfaces.branch import BRANCH
from xdsl_bufferization.interfaces.buffer_deallocation import (
    BUFFER_DEALLOCATION,
    DeallocationOptions,
    DeallocationState,
    ReturnedOwnership,
    get_defining_block,
)
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.diagnostics import describe, warn
from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    get_allocations_and_frees,
    is_memref,
)
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
    RegionBranchOpInterface,
)
from xdsl_bufferization.locations import visit, visiting
from xdsl_bufferization.models.any_branch import (
    deallocate_before_branch,
)
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.remarks.active import active_log
from xdsl_bufferization.transforms.canonicalization_patterns.branches import (
    erase_unreachable_blocks,
)
from xdsl_bufferization.transforms.utils.unmatched_names import warn_of_unmatched_ops

if TYPE_CHECKING:
    from xdsl_bufferization.remarks.log import RemarkLog


@dataclass(frozen=True)
class OwnershipBasedBufferDeallocationPass(ModulePass):
    """Insert deallocations for all buffers that the program allocates.

    Function boundary ABI: a function never owns its memref arguments and always passes
    ownership of its memref results to the caller. It returns copies of buffers that it
    does not own.

    Options:
    - private-function-dynamic-ownership: private functions return an additional i1 for
      each memref result, its ownership, instead of copying buffers that they do not
      own.
    - alloc-ops: the names of the ops whose allocations are to be freed (all of the
      memref and bufferization dialects). Allocations by other ops are ignored. For
      *mixed allocations*, run the pass once for each kind of allocation op, each time
      followed by the lowering with the op that frees it. Functions return buffers of
      the memref.alloc kind, unless they return ownership: run that kind first.
    - dealloc-ops: the names of the ops that already free those allocations (those of
      the dialects of alloc-ops).
    - static-ownership: decide ownership statically where possible. The caller owns a
      result of a private function that is always new; it does not own a result that is
      always (part of) an argument, which is not copied; other results come with an i1.
      Results of calls are distinguished from the arguments of the call. Not with
      alloc-ops.
    """

    name = "ownership-based-buffer-deallocation"

    private_function_dynamic_ownership: bool = False
    alloc_ops: tuple[str, ...] = ()
    dealloc_ops: tuple[str, ...] = ()
    static_ownership: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.static_ownership and self.alloc_ops:
            raise PassFailedException(
                f"{self.name}: static-ownership is for programs with one kind of "
                "allocation; give it or alloc-ops"
            )
        options = DeallocationOptions(
            self.private_function_dynamic_ownership, self.static_ownership
        )
        if self.alloc_ops:
            options = replace(
                options,
                is_relevant_alloc_op=_is_among(self.alloc_ops),
                owns_call_results="memref.alloc" in self.alloc_ops,
            )
        if self.dealloc_ops:
            options = replace(options, is_relevant_dealloc_op=_is_among(self.dealloc_ops))
        elif "memref.alloc" not in self.alloc_ops and self.alloc_ops:
            options = replace(
                options, is_relevant_dealloc_op=_is_in_dialect_of(self.alloc_ops)
            )
        for option, names in (
            ("alloc-ops", self.alloc_ops),
            ("dealloc-ops", self.dealloc_ops),
        ):
            warn_of_unmatched_ops(names, f"{self.name}: {option}", ctx, op)
        deallocate_buffers_ownership_based(op, options)


def _is_among(names: Sequence[str]) -> Callable[[Operation], bool]:
    return lambda op: op.name in names


def _is_in_dialect_of(names: Sequence[str]) -> Callable[[Operation], bool]:
    dialects = {name.partition(".")[0] for name in names}
    return lambda op: op.name.partition(".")[0] in dialects


@on_program
def deallocate_buffers_ownership_based(
    module: Operation, options: DeallocationOptions
) -> None:
    """Insert deallocations in all functions of `module`.

    Warns of a tensor that is used after its buffer is freed, as when a function returns
    one that was not bufferized with its boundaries.

    Raises:
        PassFailedException: when an op could keep or free buffers in a way the pass
            cannot see.
    """
    if (log := active_log()) is not None and isinstance(module, ModuleOp):
        _note_hints(module, log)
    callees = FunctionOwnership(module, options)
    for function in visiting(list_functions(module)):
        if function.body.blocks:
            _BufferDeallocation(function, options, callees).run()


def _note_hints(module: ModuleOp, log: RemarkLog) -> None:
    """Record hints that avoid copies of results that are arguments of the call."""
    from xdsl_bufferization.transforms.drop_equivalent_buffer_results import (
        hints_for_results,
    )

    if log.result_hints is None:
        # What is known here is known after the passes before.
        log.result_hints = hints_for_results(module, "canonicalize-control-flow,")
    for function, hints in log.result_hints.items():
        for op in return_ops(cast(func.FuncOp, function)):
            for number, hint in hints.items():
                log.hints[op, op.operands[number]] = hint


class _BufferDeallocation:
    """The walk over one function."""

    def __init__(
        self,
        function: func.FuncOp,
        options: DeallocationOptions,
        callees: FunctionOwnership,
    ):
        self.function = function
        self.options = options
        self.callees = callees
        ops = list_ops(function)
        get_origins = cache(lambda: BufferOrigins(function, ops, callees.describe_call))
        self.state = DeallocationState(
            function,
            compute_live_in(function, ops),
            find_same_results(
                function, ops, callees.describe_call, callees.gives_new_buffers
            ),
            find_constant_results(function, ops, get_origins),
            (
                callees.find_owned_operands(function, get_origins())
                if options.static_ownership
                else {}
            ),
            callees.of_function(function),
        )
        self.existing = find_existing_deallocations(
            function, ops, options.is_relevant_dealloc_op
        )
        check_stored_buffers(function, ops, self.existing.freed_by_kept)
        self.to_tensors = [op for op in ops if isinstance(op, bufferization.ToTensorOp)]

    def run(self) -> None:
        for op in self.existing.taken_over:
            op.detach()
            op.erase()
        self.process_region(self.function.body)
        if self.to_tensors:
            self.warn_of_dangling_tensors()
        if ReturnedOwnership.DYNAMIC in self.state.returned:
            _update_function_type(self.function)

    def warn_of_dangling_tensors(self) -> None:
        from xdsl_bufferization.analysis.deallocation.dangling_tensors import (
            find_use_after_free,
        )

        user = find_use_after_free(self.to_tensors, self.freed_in)
        if user is not None:
            name = OwnershipBasedBufferDeallocationPass.name
            warn(
                f"{name}: a tensor is used after its buffer is freed: this op was not "
                "bufferized. Bufferize it too: give one-shot-bufferize the option "
                f"bufferize-function-boundaries.{describe(user)}"
            )

    def freed_in(self, buffer: SSAValue) -> Block | None:
        """The block at whose end a buffer is freed unless a memref carries it on."""
        block = get_defining_block(buffer)
        ownership = self.state.get_ownership(buffer, block)
        is_owned = ownership is not None and (
            not isinstance(ownership, SSAValue)
            or get_constant_bool(ownership) is not False
        )
        return block if is_owned else None

    def process_region(self, region: Region) -> None:
        blocks = region.blocks
        if blocks.first is blocks.last:
            for block in blocks:
                self.process_block(block)
            return
        reachable = reachable_blocks(region)
        erase_unreachable_blocks(region, reachable)
        for block in reachable:
            self.process_block(block)

    def process_block(self, block: Block) -> None:
        for value in self.state.live_in.get(block, ()):
            if get_defining_block(value).parent is block.parent:
                self.state.inherit_memref_to_deallocate(value, block)
        self.process_block_arguments(block)
        op = block.first_op
        while op is not None:
            following = op.next_op
            self.process_op(op)
            op = following

    def process_block_arguments(self, block: Block) -> None:
        state = self.state
        if block.parent is self.function.body and block.prev_block is None:
            for argument in block.args:
                if is_memref(argument):
                    state.set_ownership(argument, state.constants.get(False), block)
            return
        for argument in block.args:
            if is_memref(argument):
                ownership = block.insert_arg(i1, len(block.args))
                state.add_memref_to_deallocate(argument, ownership)

    def process_op(self, op: Operation) -> None:
        if op.regions:
            check_regions(op)
            for region in op.regions:
                self.process_region(region)

        visit(op)
        model = BUFFER_DEALLOCATION.lookup(op)
        if model is not None:
            model.process(op, self.state, self.options)
        else:
            check_no_dealloc(op)
            self.process_effects(op)
            if op.regions:
                self.process_regions_of(op)
            if CALL.lookup(op) is not None:
                self.process_call(op)
            if op.next_op is None:
                self.process_terminator(op)
        for result in op.results:
            if is_memref(result):
                self.inherit_ownership(result, op)

    def inherit_ownership(self, result: OpResult, op: Operation) -> None:
        """Treat results without other information as possible views of any memref
        operand."""
        state = self.state
        block = op.parent
        assert block is not None
        if state.get_ownership(result, block) is not None:
            return
        for operand in op.operands:
            if is_memref(operand) and not _is_element(result, operand):
                state.update_ownership(result, state.get_ownership(operand, block), block)
        if state.get_ownership(result, block) is None:
            state.set_ownership(result, state.constants.get(False), block)

    # Ops that allocate or free

    def process_effects(self, op: Operation) -> None:
        effects = get_allocations_and_frees(op)
        if effects is None:
            check_known_effects(op)
            return
        state = self.state
        for effect in effects:
            if effect.kind is EffectKind.FREE:
                if MANUAL_DEALLOCATION in op.attributes:
                    self.process_manual_free(op, effect.value)
            elif (
                effect.automatic
                or MANUAL_DEALLOCATION in op.attributes
                or effect.value in self.existing.freed_by_kept
                or not self.options.is_relevant_alloc_op(op)
            ):
                state.set_ownership(effect.value, state.constants.get(False))
            else:
                state.add_memref_to_deallocate(effect.value, state.constants.get(True))

    def process_manual_free(self, op: Operation, value: SSAValue) -> None:
        """Insert a run-time check that the program does not free an automatically freed
        buffer."""
        block = op.parent
        assert block is not None
        ownership = self.state.get_ownership(value, block)
        if isinstance(ownership, SSAValue) and get_constant_bool(ownership) is not False:
            from xdsl_bufferization.dialects import cf

            not_owned = build_not(op, ownership, self.state.constants)
            check = cf.AssertOp(
                not_owned, "expected that the block does not have ownership"
            )
            block.insert_op_before(check, op)

    # Control flow

    def process_regions_of(self, op: Operation) -> None:
        control_flow = REGION_BRANCH.lookup(op)
        if control_flow is not None:
            forward_region_ownership(op, control_flow, self.state)

    def process_call(self, op: Operation) -> None:
        state = self.state
        memrefs = [result for result in op.results if is_memref(result)]
        if not memrefs:
            return
        returned = self.callees.of_call(op)
        kinds = [returned[result.index] for result in memrefs]
        dynamic = iter(append_i1_results(op, kinds.count(ReturnedOwnership.DYNAMIC)))
        for memref, kind in zip(memrefs, kinds, strict=True):
            ownership = state.constants.get(kind is ReturnedOwnership.OWNED)
            if kind is ReturnedOwnership.DYNAMIC:
                ownership = next(dynamic)
            elif not self.options.owns_call_results:
                ownership = state.constants.get(False)
            if (
                memref in self.existing.freed_by_kept
                or get_constant_bool(ownership) is False
            ):
                state.set_ownership(memref, state.constants.get(False))
            else:
                state.add_memref_to_deallocate(memref, ownership)

    def process_terminator(self, op: Operation) -> None:
        branch = BRANCH.lookup(op)
        if branch is not None:
            deallocate_before_branch(op, branch, self.state)
            return
        returns = REGION_BRANCH_TERMINATOR.lookup(op)
        if returns is not None:
            positions = returns.get_returned_operand_range(op, None)
            forwarded = [op.operands[i] for i in positions]
            ownerships = self.state.insert_dealloc_for_return_like(op, forwarded)
            if ownerships:
                op.operands = (*op.operands, *ownerships)
            return
        check_terminator(op)
        if self.state.has_memrefs_to_deallocate(op):
            if not op.has_trait(IsTerminator):
                refuse_block_without_terminator(op)
            self.state.insert_dealloc_for_return_like(op, ())


def forward_region_ownership(
    op: Operation, control_flow: RegionBranchOpInterface, state: DeallocationState
) -> None:
    """Make `op` forward the ownership of its memref operands and results.

    A region owns no buffer from outside, so the initial ownership is false.
    """
    entry = control_flow.get_successor_regions(op, None)[0]
    operands = control_flow.get_entry_successor_operands(op, entry.region)
    count = sum(map(is_memref, operands))
    if count:
        false = state.constants.get(False)
        control_flow.append_forwarded_operands(op, [false] * count)
    memrefs = [result for result in op.results if is_memref(result)]
    ownerships = append_i1_results(op, len(memrefs))
    for memref, ownership in zip(memrefs, ownerships, strict=True):
        state.add_memref_to_deallocate(memref, ownership)


def append_i1_results(op: Operation, count: int) -> Sequence[OpResult]:
    """Give `op` further results of type i1, in place."""
    if not count:
        return []
    start = len(op.results)
    added = [OpResult(i1, op, start + i) for i in range(count)]
    op.results = SSAValues((*op.results, *added))
    return added


def _update_function_type(function: func.FuncOp) -> None:
    for block in function.body.blocks:
        if isinstance(block.last_op, func.ReturnOp):
            function.function_type = FunctionType.from_lists(
                function.function_type.inputs.data, block.last_op.operand_types
            )
            return


def _is_element(value: SSAValue, container: SSAValue) -> bool:
    """Whether `value` is loaded from a memref of memrefs: not a view of it."""
    return cast("MemRefType[Attribute]", container.type).element_type == value.type
