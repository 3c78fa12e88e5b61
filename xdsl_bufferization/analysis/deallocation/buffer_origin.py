"""Do two memrefs originate from the same allocation? Must, may, or never.

Deallocation asks about allocations, not about overlapping elements, so an alias analysis
is the wrong oracle: two disjoint subviews never alias, but free the same buffer.

Each memref is traced back through views, branches and region results to its
*terminals*: the values at which the trace ends, such as allocations, function
arguments, and results of unknown ops. Two memrefs with the same single terminal must be
the same allocation. Disjoint terminals are different allocations if one side has only
allocations and the other only allocations and function arguments.

The result of a call may be any operand or any other buffer, unless an analysis of the
callee says more (returned_memrefs.py).

One walk over a function answers all questions about it: `BufferOrigins` computes the
terminals of a value on first use, once per strongly connected component of the flow (a
loop-carried buffer depends on itself).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum, IntEnum, auto
from typing import NamedTuple, TypeAlias

from xdsl.dialects import func
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xdsl_bufferization.analysis.facts.bits import numbers_of
from xdsl_bufferization.analysis.facts.strongly_connected import strongly_connected
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import list_ops
from xdsl_bufferization.interfaces.branch import BRANCH, get_successor_operands
from xdsl_bufferization.interfaces.buffer_view_flow import BUFFER_VIEW_FLOW
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.memory_effects import is_allocated, is_memref
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
    get_forwarded_values,
)
from xdsl_bufferization.interfaces.view_like import get_renamed, get_view_base
from xdsl_bufferization.records import record


class SameAllocation(Enum):
    MUST = auto()
    MAY = auto()
    NEVER = auto()


MUST, MAY, NEVER = SameAllocation.MUST, SameAllocation.MAY, SameAllocation.NEVER


class OriginKind(IntEnum):
    """What all terminals of a memref are; each kind includes the ones before."""

    ALLOCATIONS = auto()
    ALLOCATIONS_OR_ARGUMENTS = auto()
    ANYTHING = auto()


FEW = 16

_CASTS = frozenset({"memref.cast"})
_RESHAPES = frozenset({"memref.collapse_shape", "memref.expand_shape", "memref.reshape"})


class Origin(NamedTuple):
    """Where a memref comes from: a set of terminals, given by their numbers.

    Up to FEW are listed in `few`. Of more, `few` is None, and `many` has a bit for each:
    a chain of ops that each add a terminal would else take the square of its length.
    """

    kind: OriginKind
    few: frozenset[int] | None
    many: int = 0

    @property
    def is_single(self) -> bool:
        return self.few is not None and len(self.few) == 1

    @property
    def bits(self) -> int:
        """A bit for each terminal."""
        if self.few is None:
            return self.many
        return sum(1 << terminal for terminal in self.few)

    def has_common_terminal(self, other: Origin) -> bool:
        if self.few is None and other.few is None:
            return self.many & other.many != 0
        if self.few is not None and other.few is not None:
            return not self.few.isdisjoint(other.few)
        few, many = (self, other) if self.few is not None else (other, self)
        assert few.few is not None
        return any(many.many >> terminal & 1 for terminal in few.few)

    def get_terminals(self) -> Iterator[int]:
        """The numbers of the terminals, in order."""
        if self.few is not None:
            yield from sorted(self.few)
        else:
            yield from numbers_of(self.many)


class Traced(NamedTuple):
    """A memref traced back: through views to `base`, and further to its origin.

    `is_new`: the op that defines `base` always allocates it, or calls what does.
    """

    base: SSAValue
    origin: Origin
    is_new: bool


@record
class ReturnedMemref:
    """What a memref may be that a call returns: of the allocations that are named here.

    Attributes:
        arguments: the numbers of operands of the call.
        same_as: the numbers of earlier results of the call.
        is_new: a new allocation, which only the results that say so refer to.
        is_other: anything else.
    """

    arguments: Sequence[int] = ()
    same_as: Sequence[int] = ()
    is_new: bool = False
    is_other: bool = False


DescribeCall: TypeAlias = Callable[[Operation], Sequence[ReturnedMemref]]
"""What is known of the results of a call, one each."""


def describe_any_call(op: Operation) -> Sequence[ReturnedMemref]:
    """Describe an unknown call: the callee may return its operands."""
    call = CALL.lookup(op)
    assert call is not None
    operands = range(len(call.get_arg_operands(op)))
    return [ReturnedMemref(operands, is_other=True)] * len(op.results)


class BufferOrigins:
    """The origins of all memrefs in `operation`.

    The answers are valid as long as no memrefs are added to the IR or forwarded
    elsewhere.

    Args:
        operation: for example, a function.
        ops: all ops inside, if a list of them is available.
        describe_call: what is known about the results of calls.
        whole: trace complete memrefs: a trace ends at a view that is not a cast.
        reshaped: with `whole`, trace through reshapes too, which keep all elements.
        globals_differ: globals are among the arguments, as neither is allocated here.
            mlir-opt's deallocation does not know that of globals.
    """

    def __init__(
        self,
        operation: Operation,
        ops: Sequence[Operation] | None = None,
        describe_call: DescribeCall = describe_any_call,
        *,
        whole: bool = False,
        reshaped: bool = False,
        globals_differ: bool = False,
    ):
        self._describe_call = describe_call
        self._complete = _CASTS | _RESHAPES if reshaped else _CASTS
        self._whole = whole
        self._globals_differ = globals_differ
        # Results of calls that are new if they are none of their sources.
        self._new_results: set[SSAValue] = set()
        self._sources: dict[SSAValue, list[SSAValue]] = {}
        self._dependents: dict[SSAValue, list[SSAValue]] = {}
        self._terminals: set[SSAValue] = set()
        self._numbered: list[SSAValue] = []
        self._origins: dict[SSAValue, Origin] = {}
        self._add_flow_of(operation)
        for op in list_ops(operation) if ops is None else ops:
            if _may_forward(op):
                self._add_flow_of(op)

    def same_allocation(self, a: SSAValue, b: SSAValue) -> SameAllocation:
        return compare_traced(self.trace(a), self.trace(b))

    def trace(self, memref: SSAValue) -> Traced:
        base = get_view_base(memref)
        is_new = is_allocated(base) or (
            base in self._new_results and base not in self._sources
        )
        return Traced(base, self.get_origin(base), is_new)

    def get_origin(self, value: SSAValue) -> Origin:
        origin = self._origins.get(value)
        if origin is None:
            if value in self._sources:
                self._trace(value)
                origin = self._origins[value]
            else:
                only = frozenset((self._add_terminal(value),))
                origin = self._origins[value] = Origin(self._get_kind(value), only)
        return origin

    def join(self, values: Iterable[SSAValue]) -> Origin:
        """The origin of a memref that may be any of some values."""
        return self._join((), map(self.get_origin, values))

    def get_terminals(self, value: SSAValue) -> list[SSAValue]:
        """The values where the trace of `value` ends."""
        return [self._numbered[i] for i in self.get_origin(value).get_terminals()]

    @property
    def terminals(self) -> Sequence[SSAValue]:
        """The terminals of all memrefs that have been traced, by number."""
        return self._numbered

    def get_dependents(self, value: SSAValue) -> set[SSAValue]:
        """All memrefs that may be `value`, a view of it or forwarded from it."""
        found = {value}
        stack = [value]
        while stack:
            for dependent in self._dependents.get(stack.pop(), ()):
                if dependent not in found:
                    found.add(dependent)
                    stack.append(dependent)
        return found

    def dependents_first(self, values: Iterable[SSAValue]) -> list[list[SSAValue]]:
        """The values and all their dependents, in groups that are dependents of each
        other (around a loop, say), each group after the dependents outside of it."""
        return strongly_connected(values, self.direct_dependents)

    def direct_dependents(self, value: SSAValue) -> Sequence[SSAValue]:
        """The memrefs that are views of `value`, or forwarded from it, themselves."""
        return self._dependents.get(value, ())

    def direct_sources(self, value: SSAValue) -> Sequence[SSAValue]:
        """The memrefs that `value` is a view of, or forwarded from, themselves."""
        return self._sources.get(value, ())

    # Building the flow

    def _add_flow_of(self, op: Operation) -> None:
        flow = BUFFER_VIEW_FLOW.lookup(op)
        if flow is not None:
            for source, result in flow.get_dependencies(op):
                self._add_flow(source, result)
            self._terminals.update(
                value for value in op.results if flow.may_be_terminal_buffer(op, value)
            )
            return
        renamed = get_renamed(op)
        if renamed is not None:
            if not self._whole or op.name in self._complete:
                self._add_flow(renamed, op.results[0])
            return
        branch = BRANCH.lookup(op)
        if branch is not None:
            for index, successor in enumerate(op.successors):
                operands = get_successor_operands(branch, op, index)
                self._add_flows(operands, successor.args)
            return
        control_flow = REGION_BRANCH.lookup(op)
        if control_flow is not None:
            for point in (None, *op.regions):
                for sent, received in get_forwarded_values(control_flow, op, point):
                    self._add_flows(sent, received)
            return
        if REGION_BRANCH_TERMINATOR.lookup(op) is not None:
            return
        call = CALL.lookup(op)
        if call is not None:
            self._add_flow_of_call(op, call.get_arg_operands(op))
            return
        self._terminals.update(filter(is_memref, op.results))
        for region in op.regions:
            if region.blocks.first is not None:
                self._terminals.update(filter(is_memref, region.blocks.first.args))

    def _add_flow_of_call(self, op: Operation, arguments: Sequence[SSAValue]) -> None:
        returned = self._describe_call(op)
        for result, origin in zip(op.results, returned, strict=True):
            if not is_memref(result):
                continue
            for number in origin.arguments:
                self._add_flow(arguments[number], result)
            for number in origin.same_as:
                self._add_flow(op.results[number], result)
            if origin.is_new or origin.is_other:
                self._terminals.add(result)
            if origin.is_new and not origin.is_other:
                self._new_results.add(result)

    def _add_flows(
        self, sources: Sequence[SSAValue], results: Sequence[SSAValue]
    ) -> None:
        for source, result in zip(sources, results, strict=True):
            self._add_flow(source, result)

    def _add_flow(self, source: SSAValue, result: SSAValue) -> None:
        if is_memref(source) and is_memref(result):
            self._sources.setdefault(result, []).append(source)
            self._dependents.setdefault(source, []).append(result)

    # Tracing back

    def _trace(self, root: SSAValue) -> None:
        """Tarjan's algorithm from `root`; components end after all they come from."""
        index: dict[SSAValue, int] = {root: 0}
        low: dict[SSAValue, int] = {root: 0}
        component_stack = [root]
        open_values = {root}
        work = [(root, iter(self._sources.get(root, ())))]
        while work:
            value, sources = work[-1]
            for source in sources:
                if source in self._origins:
                    continue
                if source not in index:
                    index[source] = low[source] = len(index)
                    component_stack.append(source)
                    open_values.add(source)
                    work.append((source, iter(self._sources.get(source, ()))))
                    break
                if source in open_values:
                    low[value] = min(low[value], index[source])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[value])
                if low[value] == index[value]:
                    at = len(component_stack) - 1
                    while component_stack[at] is not value:
                        at -= 1
                    component = component_stack[at:]
                    del component_stack[at:]
                    open_values.difference_update(component)
                    self._close_component(component)

    def _close_component(self, component: list[SSAValue]) -> None:
        origins: dict[int, Origin] = {}
        own: list[SSAValue] = []
        for value in component:
            sources = self._sources.get(value, ())
            if value in self._terminals or not sources:
                own.append(value)
            for source in sources:
                origin = self._origins.get(source)
                if origin is not None:
                    origins[id(origin)] = origin
        if not own and len(origins) == 1:
            (origin,) = origins.values()
        else:
            origin = self._join(own, origins.values())
        for value in component:
            self._origins[value] = origin

    def _get_kind(self, terminal: SSAValue) -> OriginKind:
        if is_allocated(terminal) or terminal in self._new_results:
            return OriginKind.ALLOCATIONS
        if is_function_argument(terminal) or (
            self._globals_differ and isinstance(terminal.owner, memref.GetGlobalOp)
        ):
            return OriginKind.ALLOCATIONS_OR_ARGUMENTS
        return OriginKind.ANYTHING

    def _add_terminal(self, value: SSAValue) -> int:
        self._numbered.append(value)
        return len(self._numbered) - 1

    def _join(self, own: Iterable[SSAValue], origins: Iterable[Origin]) -> Origin:
        few: set[int] = set()
        many = 0
        kind = OriginKind.ALLOCATIONS
        for origin in origins:
            if origin.few is None:
                many |= origin.many
            else:
                few |= origin.few
            kind = max(kind, origin.kind)
        for value in own:
            few.add(self._add_terminal(value))
            kind = max(kind, self._get_kind(value))
        if not many and len(few) <= FEW:
            return Origin(kind, frozenset(few))
        for terminal in few:
            many |= 1 << terminal
        return Origin(kind, None, many)


def compare_traced(a: Traced, b: Traced) -> SameAllocation:
    if a.base is b.base:
        return MUST
    origin_a, origin_b = a.origin, b.origin
    if origin_a.is_single and origin_a.few == origin_b.few:
        return MUST
    if (
        min(origin_a.kind, origin_b.kind) is OriginKind.ALLOCATIONS
        and max(origin_a.kind, origin_b.kind) is not OriginKind.ANYTHING
        and not origin_a.has_common_terminal(origin_b)
    ):
        return NEVER
    return MAY


def _may_forward(op: Operation) -> bool:
    """Whether a memref may become another one in `op`, its regions or successors.

    Results of ops without memrefs, such as allocations, are where a trace ends.
    """
    return bool(
        op.regions
        or (
            any(map(is_memref, op.results))
            and (any(map(is_memref, op.operands)) or CALL.lookup(op) is not None)
        )
        or (op.next_op is None and op.successors)
    )


def is_function_argument(value: SSAValue) -> bool:
    """Whether `value` is an argument of a func.func."""
    return (
        isinstance(value, BlockArgument)
        and isinstance(value.block.parent_op(), func.FuncOp)
        and value.block.prev_block is None
    )


def is_allocated_inside(traced: Traced, block: Block) -> bool:
    """Whether an op in `block`, or in a region inside, allocates what was traced."""
    owner = traced.base.owner
    return (
        traced.is_new
        and isinstance(owner, Operation)
        and block.find_ancestor_op_in_block(owner) is not None
    )
