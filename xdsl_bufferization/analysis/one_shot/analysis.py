"""One-Shot Analysis: which tensor operands are bufferized in place.

The analysis visits the tensor operands of a program one by one, by default bottom-up,
and decides each greedily: an operand is in place unless a read would then see a wrong
value (a read-after-write conflict) or a buffer that must not be written would be
written. A decision for "in place" merges the alias sets of the operand and of the
results that will share its buffer. The semantics are those of MLIR's OneShotAnalysis,
by M. Springer ("Comprehensive Bufferization", 2021, and the MLIR documentation).

MLIR compares all reads with all writes of both sets at each decision. Here, whether a
read and a write conflict depends on the IR alone (conflicts.py), so pairs within a set
never have to be checked again; a decision checks only pairs across the sets that it
merges, and among those only writes inside the windows of reads (alias_sets.py). The
cost is close to O(n log n) in the number of operands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.equivalence_sets import EquivalenceSets
from xdsl_bufferization.analysis.facts.forwarded_values import forwarded_targets
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.analysis.facts.value_bounds import keep_linear_expressions
from xdsl_bufferization.analysis.one_shot.alias_sets import (
    AliasSet,
    OperandInfo,
)
from xdsl_bufferization.analysis.one_shot.conflicts import Conflict, ConflictRules
from xdsl_bufferization.analysis.one_shot.decision_order import order_decisions
from xdsl_bufferization.analysis.one_shot.program_order import (
    BlockInfo,
    OpNode,
    ProgramOrder,
)
from xdsl_bufferization.analysis.one_shot.state import MemoizedAnalysisState, ops_reading
from xdsl_bufferization.dialects import bufferization
from xdsl_bufferization.interfaces.aliasing import AliasingValue, BufferRelation
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.bufferization_options import (
    AnalysisHeuristic,
    BufferizationOptions,
    ExtraRules,
)
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.types import TENSOR_TYPES
from xdsl_bufferization.remarks.active import active_log

_OBSTACLES_KEPT = 4
"""Of what keeps an operand from being in place, how much is kept for remarks. A hint that
overcomes all of it must know all of it."""


class OneShotAnalysis(MemoizedAnalysisState):
    """The decisions for one function after the other, or for any op with a body.

    Attributes:
        conflicts: for each operand out of place, why: what decided (with
            `print_conflicts`), or up to `num_conflicts_kept` in all (for remarks).
        num_tensor_in_place, num_tensor_out_of_place: how many operands were decided so.
        heuristics: the order of the decisions for each op with a body.
        used_options: whether a rule that an option adds has excluded a conflict, or let
            a loop count as a read.
    """

    def __init__(
        self, options: BufferizationOptions, functions: FunctionTable | None = None
    ):
        super().__init__(options, functions)
        self.num_tensor_in_place = 0
        self.num_tensor_out_of_place = 0
        self.conflicts: dict[Use, list[Conflict]] = {}
        self.num_conflicts_kept = 1 if options.print_conflicts else 0
        if active_log() is not None:
            self.num_conflicts_kept = _OBSTACLES_KEPT
        self._infos: dict[Use, OperandInfo] = {}
        self._sets: dict[SSAValue, AliasSet] = {}
        # Whether something holds for a member of a set, of which so many were asked.
        self._asked: dict[
            tuple[AliasSet, Callable[[SSAValue, AnalysisState], bool]], tuple[bool, int]
        ] = {}
        self._equivalences = EquivalenceSets()
        self._undefined: set[Use] = set()
        self._copied_early: set[Use] = set()
        self._sharable: set[tuple[SSAValue, SSAValue]] = set()
        self._copied_for_unknown_ops: dict[Use, None] = {}
        self.heuristics: dict[Operation, AnalysisHeuristic] = {}
        self.used_options = False
        self._rules: ConflictRules | None = None
        for initialize in options.state_initializers:
            initialize(self)

    # The answers.

    def operands_written_in_place(self) -> list[Use]:
        """The operands whose buffers their ops write, in the order of the program."""
        return [use for use, info in self._infos.items() if info.writes and info.in_place]

    def is_in_place(self, operand: Use) -> bool:
        info = self._infos.get(operand)
        if info is not None:
            return info.in_place is True
        # In a function that the options leave out, nothing is decided.
        model = self.model(operand.operation)
        return model is not None and model.must_bufferize_in_place(
            operand.operation, operand, self
        )

    def are_equivalent(self, first: SSAValue, second: SSAValue) -> bool:
        return self._equivalences.are_equivalent(first, second)

    def buffer_key(self, value: SSAValue) -> SSAValue:
        """One of the values that are known to be the same buffer, the same for all."""
        return self._equivalences.find(value)

    def are_aliasing(self, first: SSAValue, second: SSAValue) -> bool:
        alias_set = self._sets.get(first)
        return first is second or (
            alias_set is not None and alias_set is self._sets.get(second)
        )

    def alias_key(self, value: SSAValue) -> object:
        return self._sets.get(value, value)

    def aliases_of(self, value: SSAValue) -> Iterable[SSAValue]:
        alias_set = self._sets.get(value)
        return (value,) if alias_set is None else alias_set.members

    def has_alias(
        self, value: SSAValue, is_wanted: Callable[[SSAValue, AnalysisState], bool]
    ) -> bool:
        alias_set = self._sets.get(value)
        if alias_set is None:
            return is_wanted(value, self)
        found, asked = self._asked.get((alias_set, is_wanted), (False, 0))
        if not found:
            members = islice(alias_set.members, asked, None)
            found = any(is_wanted(member, self) for member in members)
            self._asked[alias_set, is_wanted] = found, len(alias_set.members)
        return found

    def is_value_written(self, value: SSAValue) -> bool:
        alias_set = self._sets.get(value)
        return alias_set is not None and bool(alias_set.writes)

    def may_share_buffer(self, first: SSAValue, second: SSAValue) -> bool:
        return (first, second) in self._sharable or (second, first) in self._sharable

    def has_undefined_contents(self, operand: Use) -> bool:
        return operand in self._undefined

    def copied_value(self, operand: Use) -> SSAValue:
        if operand in self._copied_early:
            return get(operand)
        return super().copied_value(operand)

    @property
    def copied_for_unknown_ops(self) -> Collection[Use]:
        return self._copied_for_unknown_ops

    # The analysis.

    @keep_linear_expressions()
    def analyze(
        self,
        root: Operation,
        left_out: tuple[type[Operation], ...] = (),
        heuristic: AnalysisHeuristic | None = None,
        rules: ExtraRules | None = None,
    ) -> None:
        """Decide every tensor operand inside `root`.

        Args:
            left_out: classes of ops directly in `root` that are analyzed on their own.
            heuristic: the order of the decisions, if not that of the options.
            rules: those besides MLIR's, if not those of the options.

        Raises:
            PassFailedException: when the program cannot be bufferized as it demands, for
                example when a bufferization.materialize_in_destination would have to
                write a buffer that is read afterwards.
        """
        self.forget_relations()
        order = ProgramOrder(root, self.model, left_out)
        rules = self.options.extra_rules if rules is None else rules
        self.read_only_loops = rules.read_only_loops
        self._rules = ConflictRules(
            self, order, rules.disjoint_slices, rules.early_copies
        )
        self._check_control_flow(order)
        infos = self._collect(order)
        self._apply_obligations(order)
        self._check_obligations(order)
        heuristic = heuristic or self.options.analysis_heuristic
        self.heuristics[root] = heuristic
        for node in order_decisions(self, root, order, heuristic):
            for operand in operands_of(node.op):
                info = self._infos.get(operand)
                if info is not None:
                    self._decide(info)
        self._settle_unknown_ops(infos)
        if rules.early_copies:
            self._find_early_copies(infos)
        self.used_options |= self._rules.used_options
        self.forget_relations()
        self._find_equivalences(order)
        self._find_undefined(infos)
        self._find_sharable(order)
        for node in order.postorder:
            if node.model is not None:
                node.model.verify_analysis(node.op, self)

    def _check_control_flow(self, order: ProgramOrder) -> None:
        for node in order.postorder:
            if node.model is None or not node.op.regions:
                continue
            if node.model.supports_unstructured_control_flow(node.op):
                continue
            for region in node.op.regions:
                first = region.blocks.first
                if first is not None and first.next_block is not None:
                    raise PassFailedException(
                        f"{node.op.name}: a region with several blocks cannot be "
                        "bufferized by the model of this op. Use structured control flow "
                        "(scf) inside it, or give the op a model that supports "
                        f"unstructured control flow.{describe(node.op)}"
                    )

    def _collect(self, order: ProgramOrder) -> list[OperandInfo]:
        """Ask the models about every tensor operand, nested ops first, so that an op with
        a body finds the answers about the body."""
        infos: list[OperandInfo] = []
        for node in order.postorder:
            first = len(infos)
            for operand in operands_of(node.op):
                if not isinstance(get(operand).type, TENSOR_TYPES):
                    continue
                info = OperandInfo(operand, node)
                info.writes = self.bufferizes_to_memory_write(operand)
                if self.read_only_loops and not info.writes and _starts_loop(info):
                    self.used_options = True
                info.is_read = self.bufferizes_to_memory_read(operand) or (
                    not info.writes
                    and any(
                        self.is_value_read(alias.value)
                        for alias in self.aliasing_values(operand)
                    )
                )
                if info.is_read and isinstance(node.op, bufferization.ToBufferOp):
                    info.reads = _reads_of_buffer(info, order)
                self._infos[operand] = info
                infos.append(info)
            if len(infos) - first > 1:
                _note_inner_reads(infos[first:])
        return infos

    def _apply_obligations(self, order: ProgramOrder) -> None:
        """Decide what has no choice: operands that must be in place, results that share a
        buffer by nature."""
        for node in order.postorder:
            model = node.model
            if model is None:
                continue
            for operand in operands_of(node.op):
                info = self._infos.get(operand)
                if info is not None and model.must_bufferize_in_place(
                    node.op, operand, self
                ):
                    self._put_in_place(info, self._sets_of(info))
            for first, second in model.results_sharing_buffers(node.op, self):
                self._join([self._set_of(first), self._set_of(second)])

    def _check_obligations(self, order: ProgramOrder) -> None:
        for node in order.postorder:
            if node.model is None:
                continue
            op = node.op
            if (
                isinstance(op, bufferization.ToTensorOp)
                and op.restrict is None
                and op.results[0].first_use is not None
            ):
                raise PassFailedException(
                    f"{op.name}: to_tensor ops without `restrict` are not supported by "
                    "One-Shot Analysis if their tensor cannot be copied: it may alias "
                    "any other. Add `restrict` when this op is the only way in which "
                    f"tensors gain access to the buffer.{describe(op)}"
                )
        for node in order.postorder:
            if node.model is None:
                continue
            for operand in operands_of(node.op):
                info = self._infos.get(operand)
                if info is not None:
                    self._check_obligation(info)

    def _check_obligation(self, info: OperandInfo) -> None:
        """Raise when decisions that had no choice conflict at an operand. One that is
        still to be decided is no reason to: it is going to be out of place then (MLIR
        rejects the program)."""
        if not info.in_place:
            return
        sets = self._sets_of(info)
        if not any(alias_set.writes for alias_set in sets):
            return
        reason = "cannot avoid RaW conflict"
        conflict = next(self._wrong_reads(info, sets, info.writes), None)
        if conflict is None:
            reason = "would write to read-only buffer"
            read_only = [s.read_only for s in sets if s.read_only is not None]
            conflict = Conflict(read_only=read_only) if read_only else None
        if conflict is not None:
            op = info.node.op
            raise PassFailedException(
                f"{op.name}: not bufferizable under the given constraints: {reason}. "
                "Copy the tensor (bufferization.alloc_tensor copy) before it is "
                f"overwritten, or materialize it in another buffer.{describe(op)}"
                + conflict.explain()
            )

    def _decide(self, info: OperandInfo) -> None:
        if info.in_place:
            return
        sets = self._sets_of(info)
        if next(self._obstacles(info, sets, with_operand=True), None) is None:
            self._put_in_place(info, sets)
        else:
            info.in_place = False
            self.num_tensor_out_of_place += 1
            for listener in self.options.decision_listeners:
                listener(info.use, False)
            if self.num_conflicts_kept:
                obstacles = self._obstacles(info, sets, with_operand=True)
                self.conflicts[info.use] = list(
                    islice(obstacles, self.num_conflicts_kept)
                )

    def _settle_unknown_ops(self, infos: list[OperandInfo]) -> None:
        """Find the operands of unknown ops that must be copied. Such an op, or a
        branch, is left on tensors, and writes no buffer. But the values that it returns
        or forwards may be in the buffer of an operand, which others must not overwrite
        before the values are read. Who reads the buffer through a value of another type,
        such as a tuple, and when, is not known."""
        for info in infos:
            if info.node.model is None and not info.in_place:
                sets = self._sets_of(info)
                if next(self._wrong_reads(info, sets, False), None) is not None or (
                    self.may_hide(info.use) and self._is_written_later(info, sets)
                ):
                    self._copied_for_unknown_ops[info.use] = None
                else:
                    self._join(sets)

    def _is_written_later(self, info: OperandInfo, sets: list[AliasSet]) -> bool:
        """Whether a buffer may be written after an op has run."""
        assert self._rules is not None
        order = self._rules.order
        first, block = info.node.enter, info.node.block
        around: list[OpNode] = []
        while block is not None:
            around.append(block.region.node)
            if block.region.repetitive:
                first = block.region.node.enter
            block = block.region.node.block
        if order.is_unstructured:
            first = 0
        return any(
            next(each.writes.within(first, order.last), None) is not None
            or not each.writes.on_regions.keys().isdisjoint(around)
            for each in sets
        )

    def _put_in_place(self, info: OperandInfo, sets: list[AliasSet]) -> None:
        if info.in_place:
            return
        info.in_place = True
        if info.inner_read is not None:
            info.inner_read.in_place = True
        self.num_tensor_in_place += 1
        for listener in self.options.decision_listeners:
            listener(info.use, True)
        joined = self._join(sets)
        if info.writes:
            assert self._rules is not None
            self._rules.find_parts(info)
            joined.add_write(info)
            if (
                self.options.check_parallel_regions
                and joined.parallel_write is None
                and self._rules.shares_buffer_across_iterations(info)
            ):
                joined.parallel_write = info

    # Alias sets.

    def _set_of(self, value: SSAValue) -> AliasSet:
        """The alias set of a value; at first it holds the value alone, with its reads."""
        alias_set = self._sets.get(value)
        if alias_set is not None:
            return alias_set
        alias_set = self._sets[value] = AliasSet(value)
        if not self.is_writable(value):
            alias_set.read_only = value
        assert self._rules is not None
        for use in value.uses:
            info = self._infos.get(use)
            if info is None:
                continue
            if info.inner_read is not None:
                place = info.node.enter
                alias_set.add_read(place, place, info.inner_read)
            if not info.is_read:
                if self._rules.order.has_parallel_regions and _may_read_later(info):
                    alias_set.has_reads = True
                continue
            alias_set.has_reads = True
            for read in info.reads or (info,):
                if read.windows is None:
                    read.windows = self._rules.windows(read)
                    self._rules.find_parts(read)
                for low, high in read.windows:
                    alias_set.add_read(low, high, read)
        return alias_set

    def _sets_of(self, info: OperandInfo) -> list[AliasSet]:
        """The sets that "in place" would join."""
        first = self._set_of(get(info.use))
        sets = [first]
        for alias in self.aliasing_values(info.use):
            alias_set = self._set_of(alias.value)
            if alias_set not in sets:
                sets.append(alias_set)
        return sets

    def _join(self, sets: list[AliasSet]) -> AliasSet:
        largest = max(sets, key=AliasSet.weight)
        for alias_set in sets:
            if alias_set is not largest:
                largest.absorb(alias_set)
                for member in alias_set.members:
                    self._sets[member] = largest
        return largest

    # Conflicts.

    def _obstacles(
        self, info: OperandInfo, sets: list[AliasSet], with_operand: bool
    ) -> Iterator[Conflict]:
        """Iterate over the conflicts that prevent joining the sets, with the operand's
        own write if asked."""
        if (with_operand and info.writes) or any(s.writes for s in sets):
            read_only = [s.read_only for s in sets if s.read_only is not None]
            if read_only:
                yield Conflict(read_only=read_only)
            yield from self._wrong_reads(info, sets, with_operand)

    def _wrong_reads(
        self, info: OperandInfo, sets: list[AliasSet], with_operand: bool
    ) -> Iterator[Conflict]:
        rules = self._rules
        assert rules is not None
        own_write = with_operand and info.writes
        if self.options.check_parallel_regions and any(s.has_reads for s in sets):
            for alias_set in sets:
                if alias_set.parallel_write is not None:
                    yield Conflict(write=alias_set.parallel_write.use)
            if own_write and rules.shares_buffer_across_iterations(info):
                yield Conflict(write=info.use)
        if own_write:
            for alias_set in sets:
                for read in _reads_around(alias_set, info, rules):
                    if rules.are_conflicting(read, info):
                        yield self._conflict(read, info, rules)
        for number, first in enumerate(sets):
            for second in sets[:number]:
                for read, write in _pairs(first, second, rules):
                    if rules.are_conflicting(read, write):
                        yield self._conflict(read, write, rules)

    def _conflict(
        self, read: OperandInfo, write: OperandInfo, rules: ConflictRules
    ) -> Conflict:
        """The conflict of a read and a write, with the definition if it is to be kept."""
        definition = rules.destroyed(read, write) if self.num_conflicts_kept else None
        return Conflict(read.use, write.use, definition)

    # After the decisions.

    def _find_equivalences(self, order: ProgramOrder) -> None:
        """Which results are the very buffer of an operand; nested ops first."""
        union = self._equivalences.union
        for node in order.postorder:
            model = node.model
            if model is None:
                continue
            for result in node.op.results:
                if not isinstance(result.type, TENSOR_TYPES):
                    continue
                aliases = model.aliasing_operands(node.op, result, self)
                if not aliases:
                    continue
                first = get(aliases[0].operand)
                all_equivalent = True
                for alias in aliases:
                    operand = get(alias.operand)
                    same = (
                        alias.relation is BufferRelation.EQUIVALENT
                        and self.is_in_place(alias.operand)
                    )
                    if same and alias.is_definite:
                        union(result, operand)
                        all_equivalent = False
                        break
                    if not same or not self.are_equivalent(operand, first):
                        all_equivalent = False
                if all_equivalent and not model.bufferizes_to_allocation(node.op, result):
                    union(result, first)

    def _find_undefined(self, infos: list[OperandInfo]) -> None:
        """Operands out of place whose contents nothing defines: they need no copy."""
        rules = self._rules
        assert rules is not None
        for info in infos:
            if info.in_place:
                continue
            # What a loop returns is more than what it begins with.
            value = self.copied_value(info.use)
            if (
                isinstance(value, OpResult)
                and self.model(value.op) is not None
                and not rules.has_definitions(value)
            ):
                self._undefined.add(info.use)

    def _find_early_copies(self, infos: list[OperandInfo]) -> None:
        """Find the operands out of place whose buffers are written by their ops or inside
        them: such a copy comes before the op, as rule 7 of `ConflictRules` assumes."""
        for info in infos:
            if not info.in_place:
                node, writes = info.node, self._set_of(get(info.use)).writes
                if any(True for _ in writes.within(node.enter, node.exit)):
                    self._copied_early.add(info.use)

    def _find_sharable(self, order: ProgramOrder) -> None:
        """Find which values may have one buffer, while the program is still the one that
        was analysed."""
        rules = self._rules
        assert rules is not None
        for node in order.postorder:
            if node.model is None or not node.op.regions:
                continue
            for first, second in node.model.values_to_be_shared(node.op, self):
                sets = self._set_of(first), self._set_of(second)
                if (
                    sets[0] is not sets[1]
                    and all(s.parallel_write is None for s in sets)
                    and not any(
                        rules.are_conflicting(read, write)
                        and not rules.is_harmless(read, write)
                        for read, write in _pairs(*sets, rules)
                    )
                ):
                    self._sharable.add((first, second))

    def aliasing_values(self, operand: Use) -> Sequence[AliasingValue]:
        # Repeated here for speed: asked many times for each operand.
        known = self._aliasing_values.get(operand)
        return super().aliasing_values(operand) if known is None else known


def _may_read_later(info: OperandInfo) -> bool:
    """Whether the op may read what it writes itself, which is no read of the operand."""
    return _starts_loop(info) or CALL.lookup(info.use.operation) is not None


def _starts_loop(info: OperandInfo) -> bool:
    """Whether an operand is what a loop starts with."""
    op, model = info.node.op, info.node.model
    return (
        bool(op.regions)
        and model is not None
        and model.is_repetitive_region(op, 0)
        and forwarded_targets(info.use) is not None
    )


def _reads_of_buffer(info: OperandInfo, order: ProgramOrder) -> tuple[OperandInfo, ...]:
    """Of the ops that read the memref of a bufferization.to_buffer the last of every
    block: what comes between the definition and another one comes before that as well."""
    last: dict[BlockInfo | None, OpNode] = {}
    for op in ops_reading(info.use):
        node = order.nodes[op]
        if node.block not in last or last[node.block].exit < node.exit:
            last[node.block] = node
    reads: list[OperandInfo] = []
    for node in last.values():
        read = OperandInfo(info.use, info.node)
        read.is_read, read.read_node = True, node
        reads.append(read)
    return tuple(reads)


def _note_inner_reads(infos: Sequence[OperandInfo]) -> None:
    """Note that a loop, or a callee, may read what it has written to the buffers of its
    operands, if it may write several of them."""
    written = [info for info in infos if info.writes]
    if len(written) < 2 or not any(map(_may_read_later, written)):
        return
    names: set[object] = set()
    for info in written:
        names.update(_names_inside(info))
        if len(names) > 1:
            break
    else:
        return
    for info in written:
        inner = info.inner_read = OperandInfo(info.use, info.node)
        inner.is_inner_read = True


def _names_inside(info: OperandInfo) -> Iterable[object]:
    """The names in a loop that are used of an operand, or of others of the same value;
    what stands for the one in a callee."""
    if _starts_loop(info):
        for target in forwarded_targets(info.use) or ():
            if isinstance(target, BlockArgument) and target.first_use is not None:
                yield target
    else:
        yield info


def _reads_around(
    alias_set: AliasSet, write: OperandInfo, rules: ConflictRules
) -> Iterator[OperandInfo]:
    """The reads that a write may conflict with."""
    for accesses in alias_set.may_touch(rules.parts_written(write)):
        yield from accesses.reads_around(write, rules.order)


def _pairs(
    first: AliasSet, second: AliasSet, rules: ConflictRules
) -> Iterator[tuple[OperandInfo, OperandInfo]]:
    """The reads and writes across two sets that may conflict. The smaller set is walked,
    the larger one searched."""
    small, large = first, second
    if small.weight() > large.weight():
        small, large = large, small
    if large.writes:
        reads = small.reads
        for key, low, read in zip(reads.keys, reads.lows, reads.items, strict=True):
            for accesses in large.may_touch(rules.parts_read(read)):
                writes = accesses.writes
                for span in rules.order.before_end(read.scope, low, -key):
                    for write in writes.within(*span):
                        yield read, write
                if writes.on_regions:
                    ancestor = read.read_node.parent
                    while ancestor is not None:
                        for write in writes.on_regions.get(ancestor, ()):
                            yield read, write
                        ancestor = ancestor.parent
    for write in small.writes.items:
        for read in _reads_around(large, write, rules):
            yield read, write
