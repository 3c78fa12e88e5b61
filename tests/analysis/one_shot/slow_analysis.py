"""A slow reference implementation of One-Shot Analysis: the same decisions, straight
from the definition.

At every decision it collects all reads and all in-place writes of all aliases, and tries
every rule on every pair. Nothing is indexed, numbered or remembered: dominance is "cannot
be reached without", a loop is "comes back to itself". It asks the same models of the same
interface as the analysis of the package, and shares none of its code but for the
questions in `DefaultAnalysisState`, which need only the IR, and the function summaries.

Random programs must get the same decisions from both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue, Use
from xdsl.traits import IsolatedFromAbove, IsTerminator
from xdsl.utils.exceptions import PassFailedException

from tests.analysis.one_shot.slow_observation import is_observed, writes_back
from xdsl_bufferization.analysis.facts.forwarded_values import forwarded_targets
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.analysis.facts.slices import begins_with_source
from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.analysis.one_shot.function_summaries import summarize
from xdsl_bufferization.analysis.one_shot.module_analysis import (
    assume_results,
    is_analyzed,
)
from xdsl_bufferization.analysis.one_shot.recursive_functions import (
    assume_summaries,
    assume_writable_results,
    components,
)
from xdsl_bufferization.analysis.one_shot.shuffle import shuffle
from xdsl_bufferization.analysis.one_shot.state import (
    CASTS,
    DefaultAnalysisState,
    ops_reading,
)
from xdsl_bufferization.dialects import bufferization
from xdsl_bufferization.interfaces.aliasing import AliasingOperand, BufferRelation
from xdsl_bufferization.interfaces.analysis_state import TraversalConfig
from xdsl_bufferization.interfaces.bufferization_options import (
    AnalysisHeuristic,
    BufferizationOptions,
)
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.loop_like import LOOP_LIKE
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
)
from xdsl_bufferization.interfaces.subset import (
    SUBSET_INSERTION,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.interfaces.types import has_tensor_semantics, is_tensor

Heuristics: TypeAlias = Mapping[Operation, AnalysisHeuristic]
"""The order of the decisions in functions that have one of their own."""


def slow_analyze(
    root: Operation, options: BufferizationOptions, heuristics: Heuristics
) -> SlowAnalysis:
    """What `module_analysis.analyze_with_heuristics` does, slowly."""
    if not options.bufferize_function_boundaries or not isinstance(root, ModuleOp):
        analysis = SlowAnalysis(options, heuristics)
        analysis.analyze(root)
        return analysis
    functions = FunctionTable(root)
    analysis = SlowAnalysis(options, heuristics, functions)

    def analyze_all(group: Sequence[FuncOp]) -> SlowAnalysis:
        attempt = SlowAnalysis(options, heuristics, functions)
        for func in group:
            attempt.analyze(func)
        return attempt

    ordered, circular = functions.callees_first()
    assume_results(functions, ordered, options, {})
    for func in ordered:
        if func.sym_name.data not in options.no_analysis_func_filter:
            analysis.analyze(func)
            functions.summaries[func] = summarize(func, analysis)
    if not options.analyze_recursion:
        among = [func for func in circular if is_analyzed(func, options)]
        assume_writable_results(functions, among, options, analyze_all)
    for group, is_recursive in components(functions, circular, options):
        if is_recursive:
            assume_summaries(functions, group, options, analyze_all)
        for func in group:
            analysis.analyze(func)
            if not is_recursive:
                functions.summaries[func] = summarize(func, analysis)
    for op in _outside_functions(root):
        analysis.analyze(op)
    return analysis


def _outside_functions(module: ModuleOp) -> Iterator[Operation]:
    for op in module.ops:
        if isinstance(op, ModuleOp):
            yield from _outside_functions(op)
        elif not isinstance(op, FuncOp):
            yield op


class Partition:
    """Values in sets that can be joined."""

    def __init__(self) -> None:
        self._sets: dict[SSAValue, set[SSAValue]] = {}

    def members(self, value: SSAValue) -> set[SSAValue]:
        return self._sets.setdefault(value, {value})

    def join(self, first: SSAValue, second: SSAValue) -> None:
        joined = self.members(first) | self.members(second)
        for value in joined:
            self._sets[value] = joined


class SlowAnalysis(DefaultAnalysisState):
    """The decisions for one op with a body after the other."""

    def __init__(
        self,
        options: BufferizationOptions,
        heuristics: Heuristics,
        functions: FunctionTable | None = None,
    ):
        super().__init__(options, functions)
        self._heuristics = heuristics
        self._in_place: set[Use] = set()
        self._undefined: set[Use] = set()
        self._aliases = Partition()
        self._equivalences = Partition()

    def is_in_place(self, operand: Use) -> bool:
        return operand in self._in_place

    def are_equivalent(self, first: SSAValue, second: SSAValue) -> bool:
        return second in self._equivalences.members(first)

    def are_aliasing(self, first: SSAValue, second: SSAValue) -> bool:
        return second in self._aliases.members(first)

    def aliases_of(self, value: SSAValue) -> Iterable[SSAValue]:
        return self._aliases.members(value)

    def alias_key(self, value: SSAValue) -> object:
        return frozenset(self._aliases.members(value))

    def is_value_written(self, value: SSAValue) -> bool:
        return any(
            self.is_in_place(use) and self.bufferizes_to_memory_write(use)
            for alias in self.aliases_of(value)
            for use in alias.uses
        )

    def has_undefined_contents(self, operand: Use) -> bool:
        return operand in self._undefined

    # The analysis.

    def analyze(self, root: Operation) -> None:
        ops = list(_postorder(root))
        known = [op for op in ops if self.model(op) is not None]
        self._check_blocks(known)
        for op in known:
            for operand in _tensor_operands(op):
                if self.model(op).must_bufferize_in_place(op, operand, self):
                    self._put_in_place(operand)
        for op in known:
            for first, second in self.model(op).results_sharing_buffers(op, self):
                self._aliases.join(first, second)
        for op in known:
            self._check_before(op)
        for op in self._in_order_of_analysis(ops):
            for operand in _tensor_operands(op):
                if operand in self._in_place:
                    continue
                if not self._would_write_read_only(operand, True) and (
                    self._find_conflict(operand, True) is None
                ):
                    self._put_in_place(operand)
        for op in known:
            for result in op.results:
                if is_tensor(result.type):
                    self._find_equivalence(op, result)
        for op in known:
            for operand in _tensor_operands(op):
                if operand not in self._in_place and self._is_undefined(operand):
                    self._undefined.add(operand)
        for op in known:
            self.model(op).verify_analysis(op, self)

    def _is_undefined(self, operand: Use) -> bool:
        """Whether nothing writes what a copy for an operand would copy."""
        value = self.copied_value(operand)
        return (
            isinstance(value, OpResult)
            and self.model(value.op) is not None
            and not self.find_definitions(value)
        )

    def _put_in_place(self, operand: Use) -> None:
        self._in_place.add(operand)
        for alias in self.aliasing_values(operand):
            self._aliases.join(get(operand), alias.value)

    def _check_blocks(self, ops: Iterable[Operation]) -> None:
        for op in ops:
            if not self.model(op).supports_unstructured_control_flow(op) and any(
                len(region.blocks) > 1 for region in op.regions
            ):
                raise PassFailedException(f"{op.name}: several blocks")

    def _check_before(self, op: Operation) -> None:
        if (
            isinstance(op, bufferization.ToTensorOp)
            and op.restrict is None
            and len(list(op.results[0].uses)) > 0
        ):
            raise PassFailedException("to_tensor without restrict")
        for operand in _tensor_operands(op):
            if operand not in self._in_place:
                continue
            if self._find_conflict(operand, False) is not None:
                raise PassFailedException("cannot avoid RaW conflict")
            if self._would_write_read_only(operand, False):
                raise PassFailedException("would write to read-only buffer")

    def _in_order_of_analysis(self, ops: Sequence[Operation]) -> list[Operation]:
        ordered = [op for op in ops if self._has_tensors(op)]
        root = ops[-1]
        match self._heuristics.get(root, self.options.analysis_heuristic):
            case "bottom-up":
                ordered.reverse()
            case "fuzzer":
                shuffle(ordered, self.options.analysis_fuzzer_seed)
            case "bottom-up-from-terminators":
                ordered = [op for op in _postorder_backwards(root) if op in ordered]
                first = self._met_from_terminators(ops)
                ordered = [*first, *(op for op in ordered if op not in first)]
            case "top-down":
                pass
        return ordered

    def _has_tensors(self, op: Operation) -> bool:
        model = self.model(op)
        return (
            has_tensor_semantics(op) if model is None else model.has_tensor_semantics(op)
        )

    def _met_from_terminators(self, ops: Sequence[Operation]) -> list[Operation]:
        met: list[Operation] = []
        for end in ops:
            if not end.has_trait(IsTerminator) or end.successors or end in met:
                continue
            met.append(end)
            ways = [
                v for v in end.operands if isinstance(v, OpResult) and is_tensor(v.type)
            ]
            while ways:
                value = ways.pop()
                if value.op in met:
                    continue
                met.append(value.op)
                if not end.parent_region().is_ancestor(value.op):
                    continue
                for alias in self.aliasing_operands(value):
                    source = get(alias.operand)
                    if isinstance(source, OpResult) and is_tensor(source.type):
                        ways.append(source)
        return met

    def _find_equivalence(self, op: Operation, result: SSAValue) -> None:
        aliases = self.model(op).aliasing_operands(op, result, self)
        if not aliases:
            return
        first = get(aliases[0].operand)
        for alias in aliases:
            if (
                alias.relation is BufferRelation.EQUIVALENT
                and alias.is_definite
                and self.is_in_place(alias.operand)
            ):
                self._equivalences.join(result, get(alias.operand))
                return
        if not self.model(op).bufferizes_to_allocation(op, result) and all(
            alias.relation is BufferRelation.EQUIVALENT
            and self.is_in_place(alias.operand)
            and self.are_equivalent(get(alias.operand), first)
            for alias in aliases
        ):
            self._equivalences.join(result, first)

    # All reads, all writes.

    def _all_aliases(self, operand: Use) -> set[SSAValue]:
        """What would share one buffer if the operand were in place."""
        together = set(self._aliases.members(get(operand)))
        for alias in self.aliasing_values(operand):
            together |= self._aliases.members(alias.value)
        return together

    def _writes(self, operand: Use, with_operand: bool) -> set[Use]:
        writes = {
            use
            for value in self._all_aliases(operand)
            for use in value.uses
            if self.is_in_place(use) and self.bufferizes_to_memory_write(use)
        }
        if with_operand and self.bufferizes_to_memory_write(operand):
            writes.add(operand)
        return writes

    def _reads(self, operand: Use) -> set[Use]:
        return {
            use
            for value in self._all_aliases(operand)
            for use in value.uses
            if self._is_read(use)
        }

    def _is_read(self, use: Use) -> bool:
        if self.bufferizes_to_memory_read(use):
            return True
        return not self.bufferizes_to_memory_write(use) and any(
            self.is_value_read(alias.value) for alias in self.aliasing_values(use)
        )

    def _would_write_read_only(self, operand: Use, with_operand: bool) -> bool:
        return bool(self._writes(operand, with_operand)) and not all(
            self.is_writable(value) for value in self._all_aliases(operand)
        )

    def _find_conflict(
        self, operand: Use, with_operand: bool
    ) -> tuple[Use | None, Use] | None:
        reads, writes = self._reads(operand), self._writes(operand, with_operand)
        if self.options.check_parallel_regions and (
            reads or self._may_read_later(operand)
        ):
            for write in writes:
                if self._is_shared_by_iterations(write):
                    return None, write
        for read in reads:
            for write in writes:
                if self._are_conflicting(read, write):
                    return read, write
        for one in writes:
            for other in writes:
                if one is not other and self._are_written_by_one_op(one, other):
                    return one, other
        return None

    def _are_written_by_one_op(self, one: Use, other: Use) -> bool:
        """Whether a loop or a callee writes the same buffer by two names."""
        op = one.operation
        if op is not other.operation:
            return False
        if CALL.lookup(op) is not None:
            return True
        names = {
            target
            for use in operands_of(op)
            if self.bufferizes_to_memory_write(use) and self._starts_loop(use)
            for target in forwarded_targets(use) or ()
            if isinstance(target, BlockArgument)
            and is_tensor(target.type)
            and bool(target.uses)
        }
        return self._starts_loop(one) and len(names) > 1

    def _may_read_later(self, operand: Use) -> bool:
        """Whether a loop or a callee gets what would share the buffer: it may read what
        it writes itself, which is no read of its operand."""
        return any(
            CALL.lookup(use.operation) is not None or self._starts_loop(use)
            for value in self._all_aliases(operand)
            for use in value.uses
        )

    def _starts_loop(self, use: Use) -> bool:
        op = use.operation
        model = self.model(op)
        return (
            model is not None
            and bool(op.regions)
            and model.is_repetitive_region(op, 0)
            and forwarded_targets(use) is not None
        )

    # The rules.

    def _is_shared_by_iterations(self, write: Use) -> bool:
        region = self._parallel_region(write.operation.parent_region())
        return any(
            self._parallel_region(value.owner.parent_region()) is not region
            if isinstance(value, OpResult)
            else self._parallel_region(value.owner.parent) is not region
            for value in self.find_value_in_reverse_use_def_chain(
                get(write), self.value_bufferizes_to_memory_write
            )
        )

    def _parallel_region(self, inner: Region | None) -> Region | None:
        for region in _outwards(inner):
            op = region.parent
            if (
                op is not None
                and (model := self.model(op)) is not None
                and model.is_parallel_region(op, op.get_region_index(region))
            ):
                return region
        return None

    def _is_repetitive(self, region: Region) -> bool:
        op = region.parent
        if op is None:
            return False
        index = op.get_region_index(region)
        if (model := self.model(op)) is not None:
            return model.is_repetitive_region(op, index)
        if op.parent is None or op.has_trait(
            IsolatedFromAbove, value_if_unregistered=False
        ):
            return False
        return REGION_BRANCH.lookup(op) is None or _can_follow(op, region, region)

    def _are_conflicting(self, read: Use, write: Use) -> bool:
        # What comes before the last of a block comes before the others as well.
        readings = list(ops_reading(read))
        last = {op.parent: op for op in readings}
        for op in readings:
            if last[op.parent].is_before_in_block(op):
                last[op.parent] = op
        return any(self._is_read_after(reading, read, write) for reading in last.values())

    def _is_read_after(self, reading: Operation, read: Use, write: Use) -> bool:
        """Whether an op that reads for `read` may find what was written."""
        definitions = self.find_definitions(get(read))
        if not definitions:
            return False
        writing = write.operation
        repeating = [d for d in definitions if self._may_repeat(reading, writing, d)]
        if not repeating:
            if read == write or happens_before(reading, writing):
                return False
            if _are_mutually_exclusive(reading, writing):
                return False
            if reading is writing and self._is_elementwise(read, write):
                return False
        if self._is_already_there(read, write):
            return False
        if self._are_matching_subsets(read, write) and not any(
            self._is_set_anew(value, reading, writing, definition)
            for definition in repeating
            for value in read.operation.operands
            if not is_tensor(value.type) and constant_of(value) is None
        ):
            return False
        for op in (read.operation, writing):
            model = self.model(op)
            if model is not None and model.is_not_conflicting(op, read, write, self):
                return False
        return any(
            self._comes_after(write, d, read, reading)
            and not (
                self._is_hidden(d, read, reading, write)
                and self._is_harmless(read, write)
            )
            for d in definitions
        )

    def _is_hidden(
        self, definition: SSAValue, read: Use, reading: Operation, write: Use
    ) -> bool:
        """Whether all paths from a read back to its definition lead through the results
        of scf.index_switch, or the tensor became a memref before the write."""
        if reading is not read.operation and happens_before(
            read.operation, write.operation
        ):
            return True

        def ends(value: SSAValue) -> bool:
            if value is definition or self.value_bufferizes_to_memory_write(value):
                return True
            return isinstance(value, OpResult) and value.op.name == "scf.index_switch"

        return definition not in self.find_value_in_reverse_use_def_chain(get(read), ends)

    def _is_harmless(self, read: Use, write: Use) -> bool:
        is_idle = self._is_idle(write) and not self._may_be_copied_meanwhile(read, write)
        return is_idle or not is_observed(read, self)

    def _may_be_copied_meanwhile(self, read: Use, write: Use) -> bool:
        """Whether a thread may insert what it has copied while another one reads it."""
        loop = write.operation
        return (
            LOOP_LIKE.lookup(loop) is not None
            and loop.is_ancestor(read.operation)
            and read.operation is not loop
            and any(
                not self.is_in_place(alias.operand)
                for region in loop.regions
                for argument in region.block.args
                for use in argument.uses
                if use.operation.name == "tensor.parallel_insert_slice"
                for alias in self.aliasing_operands(use.operation.operands[0])
            )
        )

    def _may_repeat(
        self, reading: Operation, writing: Operation, definition: SSAValue
    ) -> bool:
        """Whether read and write may run again, the definition staying the same."""
        return self._repeat_by_regions(reading, writing, definition) or _repeat_by_blocks(
            reading, writing, definition
        )

    def _repeat_by_regions(
        self, reading: Operation, writing: Operation, definition: SSAValue
    ) -> bool:
        around_definition = list(_outwards(_region_of(definition)))
        return any(
            self._is_repetitive(region)
            and region not in around_definition
            and region.parent.is_ancestor(writing)
            for region in _outwards(reading.parent_region())
        )

    def _is_set_anew(
        self,
        value: SSAValue,
        reading: Operation,
        writing: Operation,
        definition: SSAValue,
    ) -> bool:
        """Whether an index may be another one each time that read and write run, the
        definition staying the same."""
        around_definition = list(_outwards(_region_of(definition)))
        around_value = list(_outwards(_region_of(value)))
        if any(
            self._is_repetitive(region)
            and region not in around_definition
            and region in around_value
            and region.parent.is_ancestor(writing)
            for region in _outwards(reading.parent_region())
        ):
            return True
        if not _repeat_by_blocks(reading, writing, definition):
            return False
        block: Block | None = _block_of(value)
        while block is not None:
            if _reaches(block, block):
                return True
            around = block.parent_op()
            block = None if around is None else around.parent
        return False

    def _comes_after(
        self, write: Use, definition: SSAValue, read: Use, reading: Operation
    ) -> bool:
        """Whether the write may destroy what the definition gave and the read expects."""
        writing = write.operation
        if isinstance(definition, OpResult):
            if happens_before(writing, definition.op):
                return False
            if writing is not definition.op and definition.op.is_ancestor(writing):
                return False
        elif not _is_between(definition, writing, reading):
            return False
        elif not isinstance(definition, OpResult):
            block = _block_of(definition)
            here = _ancestor_in(writing, block.parent)
            if (here is None or here.parent is not block) and self._is_harmless(
                read, write
            ):
                return False
        aliases = self.aliasing_values(write)
        return len(aliases) != 1 or aliases[0].value is not definition

    def _is_idle(self, write: Use) -> bool:
        """Whether the write definitely changes nothing."""
        op = write.operation
        if op.name == "linalg.copy":
            return op.operands[0] is op.operands[1]
        model = SUBSET_INSERTION.lookup(op)
        if model is not None:
            value, source = get(write), get(model.source_operand(op))
            if write != model.destination_operand(op):
                return False
            if source is value:
                return value.type.has_static_shape()
            return writes_back(op, self)
        if LOOP_LIKE.lookup(op) is None:
            return False
        if self._is_idle_in(
            op, {arg for region in op.regions for arg in region.block.args}
        ):
            return True
        carried = _iter_args(op, write)
        return bool(carried) and self._is_idle_in(op, carried)

    def _is_idle_in(self, loop: Operation, names: set[SSAValue]) -> bool:
        """Whether nothing in a loop writes some of its block arguments."""
        while True:
            uses = {use for value in names for use in value.uses if is_tensor(value.type)}
            more = {a.value for use in uses for a in self.aliasing_values(use)}
            for use in uses:
                if use.operation.parent_op() is loop:
                    more |= _iter_args(loop, use)
                ends_loop = use.operation.has_trait(IsTerminator)
                if not (ends_loop and use.operation.parent_op() is loop):
                    more.update(forwarded_targets(use) or ())
            if more <= names:
                break
            names = names | more
        return not any(
            (self.bufferizes_to_memory_write(use) and not self._is_idle(use))
            or (
                use.operation.name == "tensor.parallel_insert_slice"
                and use.index == 1
                and not self._is_idle(use)
            )
            or self.model(use.operation) is None
            or (
                use.operation.has_trait(IsTerminator)
                and use.operation.parent_op() is not loop
                and not self.aliasing_values(use)
                and not forwarded_targets(use)
            )
            for use in uses
        )

    def _is_elementwise(self, read: Use, write: Use) -> bool:
        op = read.operation
        model = self.model(op)
        if model is None or not model.bufferizes_to_elementwise_access(
            op, (read, write), self
        ):
            return False
        return any(
            self._leads_back_to(start, goal)
            and (
                not self._overlaps_otherwise(start, goal)
                or self._are_alike_or_apart(start, goal)
            )
            for start, goal in ((get(read), get(write)), (get(write), get(read)))
        )

    def _are_alike_or_apart(self, value: SSAValue, other: SSAValue) -> bool:
        return all(
            place is other_place
            or self._are_of_other_memory(
                self._ends_behind(place), self._ends_behind(other_place)
            )
            for place in self._places(value)
            for other_place in self._places(other)
        )

    def _are_of_other_memory(self, ends: set[SSAValue], others: set[SSAValue]) -> bool:
        return ends.isdisjoint(others) and all(
            self._is_own_memory(end) for end in ends | others
        )

    def _is_own_memory(self, end: SSAValue) -> bool:
        if isinstance(end, BlockArgument):
            return isinstance(end.block.parent_op(), FuncOp)
        model = self.model(end.owner)
        return end.owner.name == "arith.constant" or (
            model is not None and model.bufferizes_to_allocation(end.owner, end)
        )

    def _place(self, value: SSAValue) -> SSAValue:
        places = self._places(value)
        return places.pop() if len(places) == 1 else value

    def _places(self, value: SSAValue) -> set[SSAValue]:
        """One of them has the elements of a value, at the same positions."""
        aliases = self.aliasing_operands(value)
        sources = {get(alias.operand) for alias in aliases}
        while True:
            more = {get(a.operand) for v in sources for a in self.aliasing_operands(v)}
            if more <= sources:
                break
            sources |= more
        if value in sources or not all(self._keeps_buffer(value, a) for a in aliases):
            return {value}
        places = {p for alias in aliases for p in self._places(get(alias.operand))}
        if not all(
            self._is_the_same(place, value, alias)
            for alias in aliases
            for place in self._places(get(alias.operand))
        ):
            return {value}
        return places if 0 < len(places) <= 8 else {value}

    def _overlaps_otherwise(self, start: SSAValue, goal: SSAValue) -> bool:
        """Whether there is a way back from `start` to the goal on which the buffer does
        not stay the same, or one past the goal to where the goal comes from."""
        place = self._place(goal)
        same, other = {start}, set[SSAValue]()
        while True:
            before = len(same), len(other)
            for group in (same, other):
                for value in [v for v in group if self._place(v) is not place]:
                    for alias in self.aliasing_operands(value):
                        kept = (
                            self._keeps_buffer(value, alias)
                            and group is same
                            and self._is_the_same(place, value, alias)
                        )
                        (same if kept else other).add(get(alias.operand))
            if before == (len(same), len(other)):
                break
        if any(self._place(v) is place for v in other):
            return True
        ends = {
            v
            for v in same | other
            if not self.aliasing_operands(v) and self._place(v) is not place
        }
        return not ends.isdisjoint(self._ends_behind(goal))

    def _is_the_same(
        self, place: SSAValue, value: SSAValue, alias: AliasingOperand
    ) -> bool:
        """Whether a place that an alias leads to is what it is now, or memory of its own
        whenever it is made."""
        return (
            not isinstance(value, BlockArgument)
            or not _is_made_behind(value.owner, alias.operand.operation)
            or self._is_own_memory(place)
            or not (
                _is_made_behind(value.owner, place.owner)
                if isinstance(place, OpResult)
                else any(_is_made_behind(value.owner, op) for op in place.owner.ops)
            )
        )

    def _keeps_buffer(self, value: SSAValue, alias: AliasingOperand) -> bool:
        if isinstance(value, OpResult) and begins_with_source(value.op):
            return True
        is_cast = isinstance(value, OpResult) and value.op.name in CASTS
        return alias.relation is BufferRelation.EQUIVALENT and (
            is_cast or get(alias.operand).type == value.type
        )

    def _ends_behind(self, value: SSAValue) -> set[SSAValue]:
        reached = {value}
        while True:
            sources = {
                get(alias.operand) for v in reached for alias in self.aliasing_operands(v)
            }
            if sources <= reached:
                return {v for v in reached if not self.aliasing_operands(v)}
            reached |= sources

    def _leads_back_to(self, start: SSAValue, goal: SSAValue) -> bool:
        same_place = TraversalConfig(
            always_include_leaves=False,
            follow_equivalent_only=True,
            follow_same_type_or_casts_only=True,
        )
        return bool(
            self.find_value_in_reverse_use_def_chain(
                start, lambda value: value is goal, same_place
            )
        )

    def _are_matching_subsets(self, read: Use, write: Use) -> bool:
        op = read.operation
        model = SUBSET_INSERTION.lookup(op)
        if model is not None:
            if read == model.destination_operand(op) and self._is_inserted_at(
                get(write), model, op
            ):
                return True
            if (
                read == model.source_operand(op)
                and write == model.destination_operand(op)
                and self._is_inserted_at(get(read), model, op)
            ):
                return True
        return False

    def _is_already_there(self, read: Use, write: Use) -> bool:
        op = write.operation
        model = SUBSET_INSERTION.lookup(op)
        return (
            model is not None
            and write == model.destination_operand(op)
            and self.are_equivalent(get(read), get(model.source_operand(op)))
            and self._is_inserted_at(get(model.source_operand(op)), model, op)
        )

    def _is_inserted_at(
        self, start: SSAValue, model: SubsetInsertionOpInterface, op: Operation
    ) -> bool:
        def matches(value: SSAValue) -> bool:
            return isinstance(value, OpResult) and model.is_equivalent_subset(
                op, value, self.are_equivalent
            )

        return all(map(matches, self.find_value_in_reverse_use_def_chain(start, matches)))


def _iter_args(loop: Operation, use: Use) -> set[SSAValue]:
    """The block arguments of a loop that an operand, of the loop or of a terminator of
    its regions, becomes."""
    op = use.operation
    flow, found = REGION_BRANCH.lookup(loop), set[SSAValue]()
    if flow is None:
        return found
    if op is loop:
        for successor in flow.get_successor_regions(loop, None):
            sent = flow.get_entry_successor_operands(loop, successor.region)
            pairs = zip(sent, successor.inputs, strict=True)
            found |= {target for source, target in pairs if source is get(use)}
    elif op.has_trait(IsTerminator):
        end = REGION_BRANCH_TERMINATOR.lookup(op)
        if end is None:
            return found
        for successor in flow.get_successor_regions(loop, op.parent_region()):
            positions = end.get_returned_operand_range(op, successor.region)
            pairs = zip(positions, successor.inputs, strict=True)
            found |= {target for position, target in pairs if position == use.index}
    return found - set(loop.results)


# Control flow, from the definition.


def happens_before(first: Operation, second: Operation) -> bool:
    """Whether `first`, or an op around it, properly dominates `second`, which is not
    inside."""
    around: Operation | None = first
    while around is not None and not around.is_ancestor(second):
        region = around.parent_region()
        other = _ancestor_in(second, region)
        if other is not None:
            if around.parent is other.parent:
                return around.is_before_in_block(other)
            if not _reaches(
                region.blocks[0], other.parent, around.parent, with_start=True
            ):
                return True
        around = around.parent_op()
    return False


def _is_made_behind(start: Block, op: Operation) -> bool:
    """Whether an op is in a block or behind it, until what they belong to has ended."""
    around, region = start.parent_op(), start.parent
    if op is around or not around.is_ancestor(op):
        return False
    here = _ancestor_in(op, region)
    if here is None:
        (of_op,) = (r for r in around.regions if _ancestor_in(op, r) is not None)
        return around.regions.index(of_op) > around.regions.index(region)
    first = region.blocks[0]
    return here.parent is start or not _reaches(
        first, here.parent, start, with_start=True
    )


def _reaches(
    start: Block, goal: Block, avoiding: Block | None = None, *, with_start: bool = False
) -> bool:
    """Whether control can go from the end of `start` (from its beginning `with_start`) to
    the beginning of `goal` without entering `avoiding`."""
    reached: set[Block] = set()
    ways: list[Block] = [start] if with_start else _targets(start)
    while ways:
        block = ways.pop()
        if block in reached or block is avoiding:
            continue
        reached.add(block)
        ways.extend(_targets(block))
    return goal in reached


def _targets(block: Block) -> list[Block]:
    return [] if block.last_op is None else list(block.last_op.successors)


def _repeat_by_blocks(
    reading: Operation, writing: Operation, definition: SSAValue
) -> bool:
    """Whether a loop made of blocks goes through read and write, not the definition."""
    for region in _outwards(reading.parent_region()):
        read_here = _ancestor_in(reading, region)
        write_here = _ancestor_in(writing, region)
        if write_here is None:
            continue
        in_region = _region_of(definition) is region
        if not in_region and region in _outwards(_region_of(definition)):
            # Made anew each time just before it is read?
            inner = _ancestor_of_value(definition, region)
            if inner is read_here and reading is not read_here:
                continue
        block = _block_of(definition) if in_region else None
        if _reaches(read_here.parent, write_here.parent, block) and _reaches(
            write_here.parent, read_here.parent, block
        ):
            return True
        if in_region:
            break
    return False


def _is_between(argument: SSAValue, writing: Operation, reading: Operation) -> bool:
    """Whether control can go from the start of an argument's block through the write to
    the read without coming to the start of the block again."""
    start = _block_of(argument)
    region = start.parent
    write_here, read_here = _ancestor_in(writing, region), _ancestor_in(reading, region)
    if write_here is None:
        return False
    if read_here is None:
        return True
    write_block, read_block = write_here.parent, read_here.parent
    if write_block is not start and not _reaches(start, write_block, start):
        return False
    if _reaches(region.blocks[0], write_block, start, with_start=True):
        # The write is also met on ways that do not set the argument. On from there, the
        # read, which is only met when it is set, comes after it is set anew.
        return False
    return write_block is read_block or _reaches(write_block, read_block, start)


def _are_mutually_exclusive(first: Operation, second: Operation) -> bool:
    """Whether the two are in regions of one op that never run both."""
    for region in _outwards(first.parent_region()):
        op = region.parent
        if op is None or op is second or not op.is_ancestor(second):
            continue
        if REGION_BRANCH.lookup(op) is None:
            continue
        (other,) = [r for r in op.regions if r in list(_outwards(second.parent_region()))]
        return (
            region is not other
            and not _can_follow(op, region, other)
            and not _can_follow(op, other, region)
        )
    return False


def _can_follow(op: Operation, first: Region, second: Region) -> bool:
    """Whether region `second` may run after region `first` within one run of the op."""
    reached: list[Region] = []
    ways = [first]
    while ways:
        for successor in REGION_BRANCH.lookup(op).get_successor_regions(op, ways.pop()):
            region = successor.region
            if region is not None and region not in reached:
                reached.append(region)
                ways.append(region)
    return second in reached


# The tree of ops.


def _postorder(root: Operation) -> Iterator[Operation]:
    for region in root.regions:
        for block in region.blocks:
            for op in block.ops:
                yield from _postorder(op)
    yield root


def _postorder_backwards(root: Operation) -> Iterator[Operation]:
    for region in reversed(root.regions):
        for block in reversed(region.blocks):
            for op in reversed(block.ops):
                yield from _postorder_backwards(op)
    yield root


def _tensor_operands(op: Operation) -> list[Use]:
    return [use for use in operands_of(op) if is_tensor(get(use).type)]


def _outwards(region: Region | None) -> Iterator[Region]:
    while region is not None:
        yield region
        region = region.parent_region()


def _block_of(value: SSAValue) -> Block:
    return value.owner if isinstance(value.owner, Block) else value.owner.parent


def _region_of(value: SSAValue) -> Region:
    return _block_of(value).parent


def _ancestor_in(op: Operation | None, region: Region) -> Operation | None:
    """The op, or the op around it, that is directly in the region."""
    while op is not None and op.parent_region() is not region:
        op = op.parent_op()
    return op


def _ancestor_of_value(value: SSAValue, region: Region) -> Operation | None:
    owner = value.owner
    return _ancestor_in(owner.parent_op() if isinstance(owner, Block) else owner, region)
