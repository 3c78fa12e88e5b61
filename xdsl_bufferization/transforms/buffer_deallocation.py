"""The pass buffer-deallocation: unconditional deallocation.

Every buffer has one statically known owner at any time
(analysis/deallocation/static_ownership.py). If a value could be both owned and not
owned, it is always owned: buffers that are not owned are cloned.

    %r = scf.if %c -> (memref<4xf32>) {      %r = scf.if %c -> (memref<4xf32>) {
      %a = memref.alloc()                      %a = memref.alloc()
      scf.yield %a                             scf.yield %a
    } else {                                 } else {
                                               %copy = bufferization.clone %m
      scf.yield %m                             scf.yield %copy
    }                                        }
    use(%r)                                  use(%r)
                                             memref.dealloc %r

The last op that forwards an owner transfers ownership. Otherwise, the owner is freed at
the end of the last block in which it, or a value that borrows from it, is live.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.analysis.deallocation.existing import (
    find_existing_deallocations,
)
from xdsl_bufferization.analysis.deallocation.liveness import (
    get_predecessors,
    mark_live,
)
from xdsl_bufferization.analysis.deallocation.requirements import (
    check_known_effects,
    check_no_dealloc,
    check_regions,
    check_stored_buffers,
    check_terminator,
)
from xdsl_bufferization.analysis.deallocation.static_ownership import (
    Edge,
    StaticOwnership,
    find_static_ownership,
)
from xdsl_bufferization.analysis.facts.block_graph import reachable_blocks
from xdsl_bufferization.dialects import bufferization, cf, memref
from xdsl_bufferization.dialects.booleans import insert_before
from xdsl_bufferization.dialects.op_lists import list_ops, walk
from xdsl_bufferization.interfaces.branch import BRANCH
from xdsl_bufferization.interfaces.buffer_deallocation import (
    DeallocationOptions,
    get_defining_block,
)
from xdsl_bufferization.interfaces.memory_effects import (
    get_allocations_and_frees,
    is_memref,
)
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH_TERMINATOR
from xdsl_bufferization.locations import visit, visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.remarks.active import note_made_for
from xdsl_bufferization.transforms.canonicalization_patterns.branches import (
    erase_unreachable_blocks,
)


@dataclass(frozen=True)
class BufferDeallocationPass(ModulePass):
    """Insert unconditional deallocations, and clones where these are needed.

    Use it for targets on which pointers cannot, or should not, be compared at run time;
    ownership-based-buffer-deallocation clones less. The function boundary ABI is the
    same: a function never owns its arguments, and the caller owns its results. Run
    copy-removal afterwards.

    A clone must stay equal to its source, so the pass is for programs in which no buffer
    is written after it is forwarded.
    """

    name = "buffer-deallocation"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        deallocate_buffers(op)


@on_program
def deallocate_buffers(module: Operation) -> None:
    """Insert deallocations in all functions of `module`.

    Raises:
        PassFailedException: when an op could keep or free buffers in a way the pass
            cannot see.
    """
    functions = [op for op in walk(module) if isinstance(op, func.FuncOp)]
    for function in visiting(functions):
        if function.body.blocks.first is not None:
            _Deallocation(function).run()


class _Deallocation:
    """The deallocation of one function."""

    def __init__(self, function: func.FuncOp):
        existing = find_existing_deallocations(
            function, list_ops(function), DeallocationOptions().is_relevant_dealloc_op
        )
        for op in existing.taken_over:
            op.detach()
            op.erase()
        for op in walk(function):
            for region in op.regions:
                erase_unreachable_blocks(region, reachable_blocks(region))
        check_stored_buffers(function, list_ops(function), existing.freed_by_kept)
        _check(function)
        self.function = function
        self.ownership: StaticOwnership = find_static_ownership(
            function, existing.freed_by_kept
        )
        self.borrowers = {
            owner: self.ownership.get_borrowers(owner) for owner in self.ownership.owners
        }
        self.owners_of: dict[SSAValue, list[SSAValue]] = {}
        for owner, borrowers in self.borrowers.items():
            for value in borrowers:
                self.owners_of.setdefault(value, []).append(owner)

    def run(self) -> None:
        present = self.find_present_owners()
        regions = [
            region
            for op in walk(self.function)
            for region in op.regions
            if region.blocks.first is not None
        ]
        for region in regions:
            for block in list(region.blocks):
                self.process_block(block, present)

    def find_present_owners(self) -> dict[Block, dict[SSAValue, None]]:
        """For each block, the owners from blocks before that are still needed there."""
        present: dict[Block, dict[SSAValue, None]] = {}
        by_region: dict[Region, list[SSAValue]] = {}
        for owner in self.borrowers:
            region = get_defining_block(owner).parent
            if region is not None and region.blocks.first is not region.blocks.last:
                by_region.setdefault(region, []).append(owner)
        for region, owners in by_region.items():
            live: dict[Block, dict[SSAValue, None]] = {b: {} for b in region.blocks}
            predecessors = get_predecessors(region)
            for owner in owners:
                defining = get_defining_block(owner)
                for value in self.borrowers[owner]:
                    for use in value.uses:
                        assert use.operation.parent is not None
                        block = region.find_ancestor_block_in_region(use.operation.parent)
                        if block is not None:
                            mark_live(owner, block, defining, predecessors, live)
            present |= live
        return present

    def process_block(
        self, block: Block, present: dict[Block, dict[SSAValue, None]]
    ) -> None:
        owners = list(present.get(block, ()))
        owners += (value for value in block.args if value in self.borrowers)
        for op in list(block.ops):
            if op.regions:
                visit(op)
                self.clone_into_regions(op)
            owners += (value for value in op.results if value in self.borrowers)
        end = block.last_op
        if end is None:
            return
        visit(end)
        if end.successors:
            self.process_branch(end, owners, present)
            return
        edges = self.ownership.edges.get(end, ())
        if isinstance(end, func.ReturnOp):
            wanted = [i for i, value in enumerate(end.operands) if is_memref(value)]
        else:
            wanted = [i for edge in edges for i in self.get_owned_positions(edge)]
        positions = range(len(end.operands))
        moved = self.transfer_ownership(end, positions, wanted, owners, {})
        _free([owner for owner in owners if owner not in moved], end)

    def process_branch(
        self,
        end: Operation,
        owners: list[SSAValue],
        present: dict[Block, dict[SSAValue, None]],
    ) -> None:
        branch = BRANCH.lookup(end)
        assert branch is not None
        edges = self.ownership.edges[end]
        for i, (edge, successor) in enumerate(
            zip(edges, list(end.successors), strict=True)
        ):
            live = present.get(successor, {})
            positions = branch.get_successor_operand_range(end, i)
            wanted = [
                positions.start + k
                for k, into in enumerate(edge.successors[0])
                if into in self.borrowers
            ]
            if len(edges) == 1:
                moved = self.transfer_ownership(end, positions, wanted, owners, live)
                _free([o for o in owners if o not in moved and o not in live], end)
                continue
            # What only this edge needs happens in a block of its own.
            jump = cf.BranchOp(successor, *(end.operands[p] for p in positions))
            middle = Block([jump])
            wanted = [p - positions.start for p in wanted]
            moved = self.transfer_ownership(
                jump, range(len(positions)), wanted, owners, live
            )
            _free([o for o in owners if o not in moved and o not in live], jump)
            if jump.prev_op is None and not moved:
                middle.erase()
                continue
            assert end.parent is not None and end.parent.parent is not None
            end.parent.parent.insert_block_before(middle, successor)
            branch.erase_successor_operands(end, i, range(len(positions)))
            end.successors[i] = middle

    def clone_into_regions(self, op: Operation) -> None:
        """Clone the initial operands of regions that own them."""
        for edge in self.ownership.edges.get(op, ()):
            for i in self.get_owned_positions(edge):
                op.operands[i] = _clone(op.operands[i], op)

    def get_owned_positions(self, edge: Edge) -> list[int]:
        return [
            edge.first + k
            for k, into in enumerate(edge.successors[0])
            if into in self.borrowers
        ]

    def transfer_ownership(
        self,
        op: Operation,
        positions: range,
        wanted: list[int],
        owners: list[SSAValue],
        live: dict[SSAValue, None],
    ) -> set[SSAValue]:
        """Let the receivers of the `wanted` operands own them. Return the owners that are
        transferred.

        An owner is transferred if nothing else that leaves with it borrows from it.
        """
        moved: set[SSAValue] = set()
        owned = set(owners)
        for i in wanted:
            value = op.operands[i]
            borrowed_elsewhere = any(
                value in self.owners_of.get(op.operands[k], ())
                for k in positions
                if k != i and is_memref(op.operands[k])
            )
            if value in owned and value not in live and not borrowed_elsewhere:
                moved.add(value)
            else:
                op.operands[i] = _clone(value, op)
        return moved


def _clone(value: SSAValue, place: Operation) -> SSAValue:
    clone = bufferization.CloneOp(value)
    note_made_for(clone, "ownership", place, value)
    return insert_before(place, clone)


def _free(owners: list[SSAValue], place: Operation) -> None:
    assert place.parent is not None
    for owner in owners:
        dealloc = memref.DeallocOp.build(operands=[owner])
        place.parent.insert_op_before(dealloc, place)


def _check(function: func.FuncOp) -> None:
    for op in walk(function):
        if op is function:
            continue
        check_no_dealloc(op)
        if get_allocations_and_frees(op) is None:
            check_known_effects(op)
        if op.regions:
            check_regions(op)
        if (
            op.next_op is None
            and BRANCH.lookup(op) is None
            and REGION_BRANCH_TERMINATOR.lookup(op) is None
        ):
            check_terminator(op)
