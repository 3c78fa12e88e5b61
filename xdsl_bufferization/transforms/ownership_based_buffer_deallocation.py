"""The pass ownership-based-buffer-deallocation.

Every memref has an *ownership* in every block: an i1 value, often constant, that says
whether the block has to free it (interfaces/buffer_deallocation.py defines the states).
Ownership begins at an allocation and at a call that returns a buffer, travels with the
buffer along branches, region results and iteration arguments as an additional i1, and
ends at the `bufferization.dealloc` that this pass puts at the end of every block:

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

A dealloc frees what the block owns and does not retain. What it retains is what control
takes along: the memrefs forwarded to the successor and those that are live there. Its
results are the ownership that they take along, which makes an ownership unique that was
unknown before.

One walk over the blocks, each after its dominators and before the op around it. Ops get
their additional operands, results and block arguments in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, SymbolRefAttr, i1
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue, SSAValues
from xdsl.traits import IsTerminator, NoTerminator, SymbolTable
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.liveness import compute_live_in, get_reachable_blocks
from xdsl_bufferization.dialects import bufferization, cf, scf
from xdsl_bufferization.dialects.booleans import (
    build_not,
    get_constant_bool,
    insert_before,
)
from xdsl_bufferization.interfaces.branch import BRANCH, BranchOpInterface
from xdsl_bufferization.interfaces.buffer_deallocation import (
    BUFFER_DEALLOCATION,
    DeallocationOptions,
    DeallocationState,
    get_defining_block,
)
from xdsl_bufferization.interfaces.call import CALL, CallOpInterface
from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    get_allocations_and_frees,
    is_memref,
)
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
    RegionBranchOpInterface,
    RegionBranchTerminatorOpInterface,
)
from xdsl_bufferization.models import announce_models
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.canonicalization_patterns.branches import (
    erase_unreachable_blocks,
)

MANUAL_DEALLOCATION = "bufferization.manual_deallocation"
"""Marks an op whose allocation the program frees, or that frees such an allocation."""


@dataclass(frozen=True)
class OwnershipBasedBufferDeallocationPass(ModulePass):
    """Insert deallocations for all buffers that the program allocates.

    Function boundary ABI: a function never owns its memref arguments; it always passes
    on the ownership of its memref results, and so returns copies of what it does not own.

    Options:
    - private-function-dynamic-ownership: private functions return for each memref result
      an additional i1, its ownership, instead of a copy of what they do not own.
    """

    name = "ownership-based-buffer-deallocation"

    private_function_dynamic_ownership: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        deallocate_buffers_ownership_based(
            op, DeallocationOptions(self.private_function_dynamic_ownership)
        )


def deallocate_buffers_ownership_based(
    module: Operation, options: DeallocationOptions
) -> None:
    """Insert deallocations in all functions of `module`.

    Raises:
        PassFailedException: when an op could keep or free buffers in a way the pass
            cannot see.
    """
    announce_models()
    functions = [op for op in module.walk() if isinstance(op, func.FuncOp)]
    for function in functions:
        if function.body.blocks:
            _BufferDeallocation(function, options).run()


class _BufferDeallocation:
    """The walk over one function."""

    def __init__(self, function: func.FuncOp, options: DeallocationOptions):
        self.function = function
        self.options = options
        self.returns_ownership = _has_dynamic_ownership(function, options)
        self.state = DeallocationState(function, compute_live_in(function))

    def run(self) -> None:
        self.process_region(self.function.body)
        if self.returns_ownership:
            _update_function_type(self.function)

    def process_region(self, region: Region) -> None:
        blocks = region.blocks
        if blocks.first is blocks.last:
            for block in blocks:
                self.process_block(block)
            return
        reachable = get_reachable_blocks(region)
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
        for region in op.regions:
            self.process_region(region)

        model = BUFFER_DEALLOCATION.lookup(op)
        if model is not None:
            model.process(op, self.state, self.options)
        else:
            self.process_effects(op)
            if op.regions:
                self.process_regions_of(op)
            if (call := CALL.lookup(op)) is not None:
                self.process_call(op, call)
            if op.next_op is None:
                self.process_terminator(op)
        for result in op.results:
            if is_memref(result):
                self.inherit_ownership(result, op)

    def inherit_ownership(self, result: OpResult, op: Operation) -> None:
        """Results that nothing else is known of may be views of any memref operand."""
        state = self.state
        block = op.parent
        assert block is not None
        if state.get_ownership(result, block) is not None:
            return
        for operand in op.operands:
            if is_memref(operand):
                state.update_ownership(result, state.get_ownership(operand, block), block)
        if state.get_ownership(result, block) is None:
            state.set_ownership(result, state.constants.get(False), block)

    # Ops that allocate or free

    def process_effects(self, op: Operation) -> None:
        effects = get_allocations_and_frees(op)
        if effects is None:
            self.check_unknown_effects(op)
            return
        state = self.state
        for effect in effects:
            if effect.kind is EffectKind.FREE:
                self.process_free(op, effect.value)
            elif (
                effect.automatic
                or MANUAL_DEALLOCATION in op.attributes
                or not self.options.is_relevant_alloc_op(op)
            ):
                state.set_ownership(effect.value, state.constants.get(False))
            else:
                owned = state.constants.get(True)
                state.add_memref_to_deallocate(effect.value, owned)

    def process_free(self, op: Operation, value: SSAValue) -> None:
        if not self.options.is_relevant_dealloc_op(op):
            return
        if MANUAL_DEALLOCATION not in op.attributes:
            raise PassFailedException(
                f"{op.name} frees a buffer that is deallocated automatically"
            )
        block = op.parent
        assert block is not None
        ownership = self.state.get_ownership(value, block)
        if isinstance(ownership, SSAValue) and get_constant_bool(ownership) is not False:
            not_owned = build_not(op, ownership, self.state.constants)
            check = cf.AssertOp(
                not_owned, "expected that the block does not have ownership"
            )
            block.insert_op_before(check, op)

    def check_unknown_effects(self, op: Operation) -> None:
        if CALL.lookup(op) is not None:
            return
        if any(map(is_memref, op.operands)) or any(map(is_memref, op.results)):
            raise PassFailedException(f"{op.name} has unknown memory side effects")

    # Control flow

    def process_regions_of(self, op: Operation) -> None:
        control_flow = REGION_BRANCH.lookup(op)
        if control_flow is None:
            _check_regions_without_control_flow(op)
            return
        forward_region_ownership(op, control_flow, self.state)

    def process_call(self, op: Operation, call: CallOpInterface) -> None:
        state = self.state
        memrefs = [result for result in op.results if is_memref(result)]
        if not memrefs:
            return
        if self.calls_with_dynamic_ownership(op, call):
            ownerships: list[SSAValue] = list(append_i1_results(op, len(memrefs)))
        else:
            ownerships = [state.constants.get(True)] * len(memrefs)
        for memref, ownership in zip(memrefs, ownerships, strict=True):
            state.add_memref_to_deallocate(memref, ownership)

    def calls_with_dynamic_ownership(self, op: Operation, call: CallOpInterface) -> bool:
        if not self.options.private_function_dynamic_ownership:
            return False
        callee = call.get_callable_for_callee(op)
        if not isinstance(callee, SymbolRefAttr):
            return False
        function = SymbolTable.lookup_symbol(op, callee)
        return isinstance(function, func.FuncOp) and _has_dynamic_ownership(
            function, self.options
        )

    def process_terminator(self, op: Operation) -> None:
        branch = BRANCH.lookup(op)
        if branch is not None:
            self.process_branch(op, branch)
            return
        returns = REGION_BRANCH_TERMINATOR.lookup(op)
        if returns is not None:
            self.process_return_like(op, returns)
            return
        if op.has_trait(IsTerminator) and any(map(is_memref, op.operands)):
            raise PassFailedException(f"{op.name}: unsupported terminator")

    def process_branch(self, op: Operation, branch: BranchOpInterface) -> None:
        state = self.state
        successors = op.successors
        if len(successors) != 1:
            raise PassFailedException(f"{op.name}: several successors")
        positions = branch.get_successor_operand_range(op, 0)
        forwarded = [op.operands[i] for i in positions]
        memrefs, conditions = state.get_memrefs_and_conditions_to_deallocate(op)
        retained = state.get_memrefs_to_retain(successors[0], forwarded)
        updated = state.insert_dealloc(op, memrefs, conditions, retained)
        branch.append_successor_operands(
            op, 0, [updated[value] for value in forwarded if is_memref(value)]
        )

    def process_return_like(
        self, op: Operation, returns: RegionBranchTerminatorOpInterface
    ) -> None:
        state = self.state
        block = op.parent
        assert block is not None
        leaves_function = block.parent is self.function.body
        positions = returns.get_returned_operand_range(op, None)
        if leaves_function and not self.returns_ownership:
            for i in positions:
                if is_memref(op.operands[i]):
                    op.operands[i] = self.get_owned(op.operands[i], op)
        forwarded = [op.operands[i] for i in positions]
        ownerships = state.insert_dealloc_for_return_like(op, forwarded)
        if ownerships and not (leaves_function and not self.returns_ownership):
            assert positions.stop == len(op.operands)
            op.operands = (*op.operands, *ownerships)

    def get_owned(self, memref: SSAValue, place: Operation) -> SSAValue:
        """`memref`, or a copy of it where that is not owned."""
        state = self.state
        owner = memref.owner
        model = (
            BUFFER_DEALLOCATION.lookup(owner)
            if isinstance(owner, Operation) and owner.parent is place.parent
            else None
        )
        if model is not None:
            assert isinstance(owner, Operation)
            memref, condition = model.materialize_unique_ownership(
                owner, memref, place, state
            )
        else:
            memref, condition = state.get_memref_with_unique_ownership(memref, place)
        constant = get_constant_bool(condition)
        if constant is True:
            return memref
        if constant is False:
            return state.clone(memref, place)[0]
        clone = bufferization.CloneOp(memref)
        owned = insert_before(
            place,
            scf.IfOp(
                condition,
                [memref.type],
                [scf.YieldOp(memref)],
                [clone, scf.YieldOp(clone.results[0])],
            ),
        )
        state.add_memref_to_deallocate(owned, state.constants.get(True))
        return owned


def forward_region_ownership(
    op: Operation, control_flow: RegionBranchOpInterface, state: DeallocationState
) -> None:
    """Have `op` take the ownership of its memref operands in and of its results out.

    A region owns nothing of what comes from outside, so what goes in is false.
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


def _has_dynamic_ownership(function: func.FuncOp, options: DeallocationOptions) -> bool:
    return (
        options.private_function_dynamic_ownership
        and function.sym_visibility == StringAttr("private")
        and bool(function.body.blocks)
    )


def _update_function_type(function: func.FuncOp) -> None:
    for block in function.body.blocks:
        if isinstance(block.last_op, func.ReturnOp):
            function.function_type = FunctionType.from_lists(
                function.function_type.inputs.data, block.last_op.operand_types
            )
            return


def _check_regions_without_control_flow(op: Operation) -> None:
    if op.has_trait(NoTerminator) or len(op.regions) > 1 or op.results:
        raise PassFailedException(f"{op.name}: regions")
