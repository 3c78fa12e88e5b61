"""Read-after-write conflicts: the exact rule for one read and one write.

A read expects the contents that its *definition* gave to the buffer. A write to the
same buffer conflicts with it if it may happen after the definition and before the read.
The rules are those of MLIR's OneShotAnalysis; the answer depends only on the IR, not on
other decisions, but for rule 7, which depends on a decision that is never changed. There
is no conflict when

1. the read happens before the write, both are the same operand, or they are in mutually
   exclusive regions (each only where dominance may be used, see `_can_use_dominance`);
2. both are operands of one elementwise op on the same buffer (elementwise_conflicts.py);
3. they touch matching subsets, as extract_slice and insert_slice of one tile do (and,
   where dominance may not be used, do so each time);
4. an op declares it (`is_not_conflicting`);
5. the write happens before the definition, is inside the defining op, is outside the
   block whose argument is the definition, or is the definition itself;
6. with the option disjoint-slices, both touch disjoint slices (disjoint_slices.py);
7. with the option early-copies, the read is that of an operand that has been decided to
   be out of place, and the write is of the same op or inside of it: the copy, which
   reads, comes before the op (where dominance may be used).

And there is a conflict that MLIR 22 does not see:

8. a loop or a callee writes the buffer of two of its operands. It reads what it has
   written to one of them by names that are none of the operands, so that this is no read
   of them, and nothing may define what they hold before (tensor.empty).

MLIR 22 treats a write in a later block as outside the scope of a block argument; rule 5
here follows the control flow (see docs/mlir-differences.md), and ignores such writes
that change nothing (idle_writes.py), or before reads of what nobody looks at
(unobserved_reads.py).

`windows` returns a superset of the positions of writes that rules 1 and 5 do not
exclude: it selects the candidates, and `are_conflicting` decides. Both ask where the
definitions of what is read are (definition_places.py). Of the candidates, those in
regions that exclude the *scope* of the read are skipped (alias_sets.py). The scope
is the outermost loop around the read that does not contain a definition, or the read
itself: it contains every write for which dominance may not be used, and rule 1 applies
to all others.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, OpResult, SSAValue, Use

from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.analysis.one_shot.alias_sets import OperandInfo, Parts
from xdsl_bufferization.analysis.one_shot.definition_places import (
    DefinitionPlaces,
    Place,
)
from xdsl_bufferization.analysis.one_shot.disjoint_slices import DisjointSlices
from xdsl_bufferization.analysis.one_shot.elementwise_conflicts import ElementwiseRule
from xdsl_bufferization.analysis.one_shot.idle_writes import IdleWrites
from xdsl_bufferization.analysis.one_shot.program_order import (
    BlockInfo,
    OpNode,
    ProgramOrder,
    RegionInfo,
)
from xdsl_bufferization.analysis.one_shot.state import MemoizedAnalysisState
from xdsl_bufferization.analysis.one_shot.unobserved_reads import UnobservedReads
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.operands import get, op_of
from xdsl_bufferization.interfaces.subset import (
    SUBSET_INSERTION,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.interfaces.types import TENSOR_TYPES


class Conflict:
    """Why an operand is out of place: a read would see a wrong value (`read`, `write` and
    the `definition` the read should see), or a buffer must not be written (`read_only`
    values), or parallel iterations would share a buffer that one of them writes
    (`write` alone)."""

    def __init__(
        self,
        read: Use | None = None,
        write: Use | None = None,
        definition: SSAValue | None = None,
        read_only: Sequence[SSAValue] = (),
    ):
        self.read = read
        self.write = write
        self.definition = definition
        self.read_only = read_only

    def explain(self) -> str:
        """Return the read and the write, for an error message; nothing if there are not
        both."""
        if self.read is None or self.write is None:
            return ""
        return (
            f"\n  this read would see a wrong value (operand {self.read.index}):"
            f"{describe(self.read.operation)}"
            f"\n  because of this write (operand {self.write.index}):"
            f"{describe(self.write.operation)}"
        )


class ConflictRules:
    """The rules over one numbered program.

    Args:
        state: answers about the tensor program.
        order: the numbering of its ops.
        with_disjoint_slices: whether rule 6 is one of them.
        with_early_copies: whether rule 7 is one of them.

    Attributes:
        used_options: whether rule 6 or 7 has excluded a conflict.
    """

    def __init__(
        self,
        state: MemoizedAnalysisState,
        order: ProgramOrder,
        with_disjoint_slices: bool,
        with_early_copies: bool,
    ):
        self.used_options = False
        self._with_early_copies = with_early_copies
        self.state = state
        self.order = order
        self._elementwise = ElementwiseRule(state, order)
        self._idle_writes = IdleWrites(state)
        self._unobserved_reads = UnobservedReads(state, self._idle_writes, order.nodes)
        self._seen: dict[SSAValue, frozenset[SSAValue]] = {}
        self._places = DefinitionPlaces(state, order)
        self._disjoint_slices: DisjointSlices | None = None
        if with_disjoint_slices:
            self._disjoint_slices = DisjointSlices(state, order)

    def windows(self, read: OperandInfo) -> tuple[tuple[int, int], ...]:
        """The ranges of positions at which a write may conflict with `read`, at most one
        for each last position. Set the scope of the read."""
        order = self.order
        node = scope = read.read_node
        level = node.block if order.is_unstructured else None
        while level is not None:
            if level.component is not None:
                scope = level.region.node
            level = level.region.node.block
        ranges: list[tuple[int, int]] = []
        for place in self._places.of(get(read.use)):
            low, high = place.low, node.exit
            ranges.extend((point, point) for point in place.points)
            if node.unordered is not None:
                low = min(low, node.unordered.enter)
                high = max(high, node.unordered.exit)
            loop = self._outermost_loop(read, place)
            if loop is not None:
                low = min(low, loop.node.enter)
                high = max(high, loop.node.exit)
                if order.is_inside(scope, loop.node):
                    scope = loop.node
            clip = (0, order.last)
            if place.argument_block is not None:
                clip = (place.argument_block.start, place.argument_block.dominated_end)
            if order.is_unstructured:
                level = node.block
                may_repeat = True
                while level is not None:
                    region = level.region
                    if region.has_blocks:
                        if may_repeat and self._is_on_cycle(level, place):
                            low = min(low, region.start)
                            high = max(high, region.end)
                        if level.dominated_end < region.end:
                            later = level.dominated_end + 1
                            ranges.append((max(later, clip[0]), min(region.end, clip[1])))
                    if place.is_direct and region is place.block.region:
                        may_repeat = False
                    level = region.node.block
            ranges.append((max(low, clip[0]), min(high, clip[1])))
        read.scope = scope
        lows: dict[int, int] = {}
        for low, high in ranges:
            if low <= high:
                lows[high] = min(low, lows.get(high, low))
        return tuple((low, high) for high, low in lows.items())

    def _is_on_cycle(self, block: BlockInfo, place: Place) -> bool:
        """Whether a block may run again without the definitions in a place."""
        avoiding = None
        if place.is_direct and block.region is place.block.region:
            avoiding = place.block.block
        return avoiding is not block.block and self.order.share_cycle(
            block.block, block.block, avoiding
        )

    def has_definitions(self, value: SSAValue) -> bool:
        """Whether anything defines the contents of a value."""
        return bool(self._places.of(value))

    def are_conflicting(self, read: OperandInfo, write: OperandInfo) -> bool:
        """Whether the write may destroy, before the read, what the read should see."""
        if read.is_inner_read:
            return self._are_written_by_one_op(read, write)
        state, order = self.state, self.order
        places = self._places.of(get(read.use))
        if not places:
            return False
        reading, writing = read.read_node, write.node
        is_ordered = self._can_use_dominance(read, write, places)
        if is_ordered:
            if order.happens_before(reading, writing) or read.use is write.use:
                return False
            if reading is writing:
                if self._elementwise.applies(read, write):
                    return False
            elif order.are_mutually_exclusive(reading, writing):
                return False
            if self._is_copied_before(read, writing):
                self.used_options = True
                return False
        if self._writes_what_is_there(read, write) or (
            self._are_of_one_insertion(read, write)
            and (is_ordered or not self._may_slice_change(read, write, places))
        ):
            return False
        for node in {read.node, writing}:
            if node.model is not None and node.model.is_not_conflicting(
                node.op, read.use, write.use, state
            ):
                return False
        if not any(self._may_destroy_one(read, write, place) for place in places):
            return False
        if self.is_harmless(read, write) and self.destroyed(read, write) is None:
            return False
        if self._are_apart(read, write, places, is_ordered):
            self.used_options = True
            return False
        return True

    def _are_written_by_one_op(self, inner: OperandInfo, write: OperandInfo) -> bool:
        """Whether a loop or a callee, which may read what it has written to the buffer of
        one operand, writes the same buffer as another one (rule 8)."""
        if not inner.in_place or inner.node is not write.node or inner.use is write.use:
            return False
        slices = self._disjoint_slices
        if slices is not None and slices.are_apart(inner, write, self.order.last + 1):
            self.used_options = True
            return False
        return True

    def destroyed(self, read: OperandInfo, write: OperandInfo) -> SSAValue | None:
        """Of a read and a write that are in conflict, the definition that the write may
        destroy before the read: the first one in the order in which they are found."""
        return next(
            (
                definition
                for definition in self.state.find_definitions(get(read.use))
                if self._may_destroy(read, write, definition)
                and (
                    self._is_seen_in_mlir(read, write, definition)
                    or not self.is_harmless(read, write)
                )
            ),
            None,
        )

    def _may_destroy_one(
        self, read: OperandInfo, write: OperandInfo, place: Place
    ) -> bool:
        """Whether the write may come between one of the definitions in a place and the
        read. A write that comes before one of them comes before those after it, unless
        they are in different regions of one op together with it."""
        order, writing = self.order, write.node
        for definition in place.first:
            if self._may_destroy(read, write, definition):
                return True
            if isinstance(definition, OpResult):
                defining = order.nodes[definition.op]
                if order.happens_before(writing, defining) and (
                    place.is_direct or not self._are_in_one_op(writing, defining, place)
                ):
                    return False
        # Of the arguments of a block, only one can be what the write itself defines.
        return (
            place.has_more
            and place.argument_block is None
            and any(
                self._may_destroy(read, write, definition)
                for definition in self.state.find_definitions(get(read.use))
            )
        )

    def _are_in_one_op(self, writing: OpNode, defining: OpNode, place: Place) -> bool:
        """Whether a write and a definition are inside one op of the block of a place."""
        while defining.block is not place.block:
            assert defining.parent is not None
            defining = defining.parent
        return self.order.is_inside(writing, defining)

    def _may_destroy(
        self, read: OperandInfo, write: OperandInfo, definition: SSAValue
    ) -> bool:
        """Whether the write may come between a definition and the read (rule 5)."""
        order, writing = self.order, write.node
        if isinstance(definition, OpResult):
            defining = order.nodes[definition.op]
            if order.happens_before(writing, defining) or order.is_inside(
                writing, defining
            ):
                return False
        elif not self._may_follow_argument(
            definition, writing, read.read_node
        ) or self._is_harmless_elsewhere(definition, read, write):
            return False
        aliases = self.state.aliasing_values(write.use)
        return len(aliases) != 1 or aliases[0].value is not definition

    def is_harmless(self, read: OperandInfo, write: OperandInfo) -> bool:
        """Whether a write may come before a read because it changes nothing, or because
        nobody looks at what is read."""
        return (
            self._idle_writes.is_idle(write.use)
            and not (
                self.order.is_inside(read.node, write.node)
                and self._idle_writes.may_threads_copy(write.node.op)
            )
        ) or self._unobserved_reads.is_unobserved(read.use)

    def shares_buffer_across_iterations(self, write: OperandInfo) -> bool:
        """Whether the write is in a parallel region that the buffer was made outside of,
        so that each iteration needs a buffer of its own."""
        if write.parallel is None:
            write.parallel = self.order.has_parallel_regions and any(
                self._block_of(value).region.in_parallel
                is not _region_of(write.node).in_parallel
                for value in self.state.find_value_in_reverse_use_def_chain(
                    get(write.use), self.state.value_bufferizes_to_memory_write
                )
            )
        return write.parallel

    def _block_of(self, value: SSAValue) -> BlockInfo:
        owner = value.owner
        if isinstance(owner, Block):
            return self.order.blocks[owner]
        block = self.order.nodes[owner].block
        assert block is not None, "a value is defined inside the op that is analysed"
        return block

    # Rule 1: where the order of ops means anything.

    def _outermost_loop(self, read: OperandInfo, place: Place) -> RegionInfo | None:
        """The outermost repetitive region around the read that does not contain the
        definitions in `place`."""
        order = self.order
        inner = order.enclosing_repetitive_region(read.read_node.block)
        outer = self._places.loop_of(place)
        if inner is outer:
            return None
        loop = None
        while inner is not None and inner is not outer:
            loop = inner
            inner = order.enclosing_repetitive_region(inner.node.block)
        return loop

    def _can_use_dominance(
        self, read: OperandInfo, write: OperandInfo, places: Sequence[Place]
    ) -> bool:
        """Return whether "read before write" excludes a conflict. It does not if both
        may run again without the definition running again: in a structured or
        unstructured loop around them that does not contain the definition."""
        order = self.order
        for place in places:
            loop = self._outermost_loop(read, place)
            if loop is not None and self._is_in_loop(write, loop):
                return False
            if order.is_unstructured and self._share_block_cycle(read, write, place):
                return False
        return True

    def _is_in_loop(self, write: OperandInfo, loop: RegionInfo) -> bool:
        """Whether the op of a loop, or one inside it, writes."""
        return loop.node is write.node or self.order.is_inside(write.node, loop.node)

    def _share_block_cycle(
        self, read: OperandInfo, write: OperandInfo, place: Place
    ) -> bool:
        definition = place.block
        reading, writing = self.order.common_level(read.read_node, write.node)
        while True:
            read_block, write_block = reading.block, writing.block
            if read_block is None or write_block is None:
                return False
            region = read_block.region
            if (
                region.has_blocks
                and region is write_block.region
                and not self._is_recomputed(definition, reading, read.read_node)
            ):
                avoiding = None
                if place.is_direct and region is definition.region:
                    avoiding = definition.block
                if (
                    read_block.component is not None
                    and avoiding is not read_block.block
                    and avoiding is not write_block.block
                    and self.order.share_cycle(
                        read_block.block, write_block.block, avoiding
                    )
                ):
                    return True
            if region.node.block is None or (
                place.is_direct and region is definition.region
            ):
                return False
            reading = writing = region.node

    def _is_recomputed(
        self, definition: BlockInfo, around: OpNode, reading: OpNode
    ) -> bool:
        """Whether the definition is inside an op around the read, so that it is made
        again each time before it is read."""
        inner = definition.region.node
        return around is not reading and (
            inner is around or self.order.is_inside(inner, around)
        )

    # Rule 3.

    def _are_of_one_insertion(self, read: OperandInfo, write: OperandInfo) -> bool:
        """Return whether both are of one insertion, which does not read the elements
        that it overwrites."""
        reading = read.node.op
        model = SUBSET_INSERTION.lookup(reading)
        if model is None:
            return False
        destination = model.destination_operand(reading)
        # The insertion reads only what it does not overwrite.
        if read.use is destination and self._matches_insertion(
            get(write.use), model, reading
        ):
            return True
        # The source was computed in the very place it is inserted into.
        return (
            write.use is destination
            and read.use is model.source_operand(reading)
            and self._matches_insertion(get(read.use), model, reading)
        )

    def _writes_what_is_there(self, read: OperandInfo, write: OperandInfo) -> bool:
        """Return whether an insertion only writes contents that are already there."""
        writing = write.node.op
        model = SUBSET_INSERTION.lookup(writing)
        if model is None or write.use is not model.destination_operand(writing):
            return False
        source = get(model.source_operand(writing))
        return self.state.are_equivalent(
            get(read.use), source
        ) and self._matches_insertion(source, model, writing)

    def _may_slice_change(
        self, read: OperandInfo, write: OperandInfo, places: Sequence[Place]
    ) -> bool:
        """Whether an insertion, which reads all but the slice that it overwrites, is in a
        loop in which that is another slice each time, while the tensor stays the same:
        then it reads the slices that were written before. MLIR 22 overlooks it."""
        indices = [
            value
            for value in read.node.op.operands
            if not isinstance(value.type, TENSOR_TYPES) and constant_of(value) is None
        ]
        for place in places:
            loop = self._outermost_loop(read, place)
            if (
                loop is not None
                and self._is_in_loop(write, loop)
                and any(
                    loop.start <= self.order.position(value) <= loop.end
                    for value in indices
                )
            ):
                return True
            if self.order.is_unstructured and self._share_block_cycle(read, write, place):
                for value in indices:
                    level: BlockInfo | None = self._block_of(value)
                    while level is not None:
                        if level.component is not None:
                            return True
                        level = level.region.node.block
        return False

    # Rule 6.

    def _are_apart(
        self,
        read: OperandInfo,
        write: OperandInfo,
        places: Sequence[Place],
        is_ordered: bool,
    ) -> bool:
        """Whether a read and a write touch slices that share no element, or later
        insertions overwrite the slice that is written before anybody looks at it."""
        if self._disjoint_slices is None:
            return False
        before = self.order.last + 1
        if not is_ordered:
            before = self._start_of_loop(read, places)
        return self._disjoint_slices.are_apart(
            read, write, before
        ) or self._disjoint_slices.is_overwritten(read, write, before)

    def _start_of_loop(self, read: OperandInfo, places: Sequence[Place]) -> int:
        """The start of the outermost loop in which a read may run again on the same
        tensor; without a loop, the end of the program."""
        start = self.order.last + 1
        for place in places:
            loop = self._outermost_loop(read, place)
            start = start if loop is None else min(start, loop.start)
        return start

    def find_parts(self, access: OperandInfo) -> None:
        """Find which parts of tensors an operand accesses, if there are too many to
        compare all pairs."""
        slices = self._disjoint_slices
        if slices is None or not slices.has_many:
            return
        if access.is_read and access.read_parts is None:
            before = self._start_of_loop(access, self._places.of(get(access.use)))
            access.read_parts = slices.parts_read(access, before)
        if access.writes and access.write_parts is None:
            access.write_parts = slices.parts_written(access)

    def parts_read(self, read: OperandInfo) -> Parts:
        """The parts of tensors outside of which no write conflicts with a read. The
        result is empty until rule 6 has excluded a conflict: otherwise it would never be
        applied, and `used_options` would stay false."""
        return read.read_parts or {} if self.used_options else {}

    def parts_written(self, write: OperandInfo) -> Parts:
        """The parts of tensors outside of which no read conflicts with a write, in the
        same way."""
        if not self.used_options:
            return {}
        self.find_parts(write)
        return write.write_parts or {}

    # Rule 7.

    def _is_copied_before(self, read: OperandInfo, writing: OpNode) -> bool:
        """Whether a read is that of a copy which is made before the writing op, or before
        an op around it."""
        return (
            self._with_early_copies
            and read.in_place is False
            and read.read_node is read.node
            and (read.node is writing or self.order.is_inside(writing, read.node))
        )

    def _matches_insertion(
        self, start: SSAValue, model: SubsetInsertionOpInterface, op: Operation
    ) -> bool:
        """Return whether every path back from `start` reaches the subset that `op`
        overwrites.

        That subset is derived from the destination of `op`: a path beyond the
        definition of the destination is not followed further.
        """
        state = self.state
        goal_position = self.order.position(get(model.destination_operand(op)))
        worklist = [start]
        visited: set[SSAValue] = set()
        while worklist:
            value = worklist.pop()
            if isinstance(value, OpResult) and model.is_equivalent_subset(
                op, value, state.are_equivalent
            ):
                continue
            if value in visited or self.order.is_before(value, goal_position):
                return False
            visited.add(value)
            owner = op_of(value)
            if owner is None or state.model(owner) is None:
                return False
            aliases = state.aliasing_operands(value)
            if not aliases:
                return False
            worklist.extend(get(alias.operand) for alias in aliases)
        return True

    # Rule 5.

    def _may_follow_argument(
        self, definition: SSAValue, writing: OpNode, reading: OpNode
    ) -> bool:
        """Whether control can go from the start of the block, through the write, to the
        read, without coming to the start of the block again."""
        block = self._block_of(definition)
        if not block.start <= writing.enter <= block.dominated_end:
            return False
        if not block.region.has_blocks:
            return True
        write_block = self._ancestor_block(writing, block.region)
        read_block = self._ancestor_block(reading, block.region)
        if write_block is None or read_block is None or write_block is read_block:
            return True
        return self.order.is_reachable(write_block, read_block, block.block)

    def _is_harmless_elsewhere(
        self, definition: SSAValue, read: OperandInfo, write: OperandInfo
    ) -> bool:
        """Return whether a write is harmless (`is_harmless`), and in another block than
        the block argument that is the definition. In MLIR, no write in another block
        conflicts, and every other write does, even if it changes nothing."""
        block = self._block_of(definition)
        return self._ancestor_block(
            write.node, block.region
        ) is not block.block and self.is_harmless(read, write)

    def _is_seen_in_mlir(
        self, read: OperandInfo, write: OperandInfo, definition: SSAValue
    ) -> bool:
        """Whether MLIR finds the read after the write, and its definition. For MLIR,
        bufferization.to_buffer reads, not what reads its memref later; and MLIR does not
        look for definitions behind the results of scf.index_switch."""
        if read.read_node is not read.node and self.order.happens_before(
            read.node, write.node
        ):
            return False
        value = get(read.use)
        known = self._seen.get(value)
        if known is None:
            known = self._seen[value] = frozenset(
                self.state.find_value_in_reverse_use_def_chain(
                    value,
                    lambda value: (
                        self.state.value_bufferizes_to_memory_write(value)
                        or _is_chosen_by_number(value)
                    ),
                )
            )
        return definition in known

    def _ancestor_block(self, node: OpNode, region: RegionInfo) -> Block | None:
        block = node.block
        while block is not None and block.region is not region:
            block = block.region.node.block
        return None if block is None else block.block


def _is_chosen_by_number(value: SSAValue) -> bool:
    owner = op_of(value)
    return owner is not None and owner.name == "scf.index_switch"


def _region_of(node: OpNode) -> RegionInfo:
    assert node.block is not None
    return node.block.region
