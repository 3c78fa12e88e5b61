"""The checker of deallocations: is every allocation freed once, and not used afterwards?

It follows *one* allocation forward, from where it is made, over all the ways control may
take: which memrefs are in it, which conditions are known, whether it has been freed. All
other memory is of no interest meanwhile, which is what makes this simple: a new
allocation is in no memref but those it is handed to, and whatever is freed under unknown
conditions elsewhere does not matter to it.

    %r, %own = scf.if %c -> (memref<4xf32>, i1) {
      %a = memref.alloc()             // followed from here: %a; %c is true
      scf.yield %a, %true
    } else {
      scf.yield %m, %false            // the allocation never comes here
    }                                 // %r is in it, %own is true
    scf.if %own {
      memref.dealloc %r               // so this is always done: freed
    }

Where a condition is not known, both ways are followed, and it is remembered which of them
was taken. What is known at a point does not tell which allocation it is about, so that
all allocations of a program share the work. Only ops that concern the allocation are
visited. The cost is about the number of uses of memrefs.

The memory of arguments, of globals and on the stack is followed as well: it must not be
freed. Between functions, what a function does to an allocation that it is given is found
once for all calls; an allocation that a function returns begins anew in its callers.

What cannot be told is *undecided*, and no error: a buffer that is hidden (stored to
memory, cast to a pointer, given to an unknown op), or a wrong way that depends on a
condition that is not understood.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.analysis.buffer_lifetimes_conditions import (
    Conditions,
)
from xdsl_bufferization.analysis.buffer_lifetimes_flow import (
    Edge,
    Uses,
    block_of,
    conditions_around,
    edges_between_blocks,
    edges_from,
    edges_into,
    function_of,
    has_known_flow,
)
from xdsl_bufferization.analysis.buffer_lifetimes_ops import (
    USED_AFTER_FREE,
    Ops,
    State,
)
from xdsl_bufferization.analysis.buffer_lifetimes_report import (
    Lifetimes,
    WrongLifetime,
)
from xdsl_bufferization.analysis.function_summaries import FunctionTable
from xdsl_bufferization.dialects import memref, scf
from xdsl_bufferization.dialects.func import CallIndirectOp
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    get_allocations_and_frees,
    is_memref,
)

NOT_FREED = "the allocation is not freed"

_MOST_STATES = 200
"""Of one allocation, at one op of a function, with what is known of the arguments."""


def check_lifetimes(module: ModuleOp) -> Lifetimes:
    """Check a bufferized program in which deallocations have been inserted, lowered or
    not."""
    checker = _Checker(module)
    checker.run()
    return checker.found


@dataclass(frozen=True)
class _Exit:
    """How a function leaves an allocation.

    Attributes:
        results: the results that are in it.
        known: results that are known i1.
    """

    results: frozenset[int]
    known: frozenset[tuple[int, bool]]
    freed: bool
    doubtful: bool


@dataclass(eq=False)
class _Context:
    """A function, followed for allocations of its own (`given` is None), or for one it is
    given as an argument.

    Attributes:
        calls: in the latter case, from where.
        exits: what is known so far of how it returns.
        visited: by op, what was known in front of it.
        counts: how much that was, by op and allocation.
    """

    func: FuncOp
    given: State | None
    calls: list[_Point] = field(default_factory=list["_Point"])
    exits: dict[_Exit, _Point] = field(default_factory=dict["_Exit", "_Point"])
    visited: dict[Operation, set[State]] = field(
        default_factory=dict[Operation, set[State]]
    )
    counts: dict[tuple[Operation, Operation], int] = field(
        default_factory=dict[tuple[Operation, Operation], int]
    )


@dataclass(eq=False)
class _Point:
    """An op that concerns the allocation, and what is known in front of it."""

    context: _Context
    op: Operation
    state: State
    before: _Point | None
    note: str
    origin: Operation


class _Checker:
    def __init__(self, module: ModuleOp) -> None:
        self.found = Lifetimes()
        self._module = module
        self._functions = FunctionTable(module)
        self._functions.callees_first()  # This finds those that are used as values.
        self._conditions = Conditions(self._functions.callee)
        self._ops = Ops(self._conditions)
        self._uses = Uses()
        self._own: dict[FuncOp, _Context] = {}
        self._given: dict[tuple[FuncOp, State], _Context] = {}
        self._calls_of: dict[FuncOp, list[CallOp]] = {}
        self._waiting: list[_Point] = []
        self._reported: set[tuple[str, Operation, Operation]] = set()

    def run(self) -> None:
        ops = list(walk(self._module))
        for op in ops:
            if isinstance(op, CallOp):
                callee = self._functions.callee(op)
                if callee is not None:
                    self._calls_of.setdefault(callee, []).append(op)
        for op in ops:
            self._begin(op)
        while self._waiting:
            self._visit(self._waiting.pop())

    # Where allocations come from.

    def _begin(self, op: Operation) -> None:
        if isinstance(op, FuncOp):
            first = op.body.blocks.first
            if first is None or self._is_internal(op):
                return
            for argument in first.args:
                if is_memref(argument):
                    self._start(op, first, -1, argument, ours=False)
            return
        if not op.results or not any(is_memref(result) for result in op.results):
            return
        block = op.parent
        if block is None:
            return
        for result in op.results:
            if is_memref(result) and (ours := self._makes(op, result)) is not None:
                self._start(op, block, self._uses.position(op), result, ours=ours)

    def _makes(self, op: Operation, result: SSAValue) -> bool | None:
        """Whether a result is memory that is ours, or not ours; None when neither."""
        if isinstance(op, memref.GetGlobalOp):
            return False
        if isinstance(op, CallOp | CallIndirectOp):
            callee = self._functions.callee(op)
            declared = callee is None or callee.body.blocks.first is None
            return True if declared else None
        for effect in get_allocations_and_frees(op) or ():
            if effect.kind is EffectKind.ALLOCATE and effect.value is result:
                return not effect.automatic
        return None

    def _start(
        self, op: Operation, block: Block, position: int, value: SSAValue, *, ours: bool
    ) -> None:
        self.found.followed += 1
        func = op if isinstance(op, FuncOp) else function_of(op)
        if func is None:
            return
        context = self._own.setdefault(func, _Context(func, None))
        state = State(frozenset((value,)), conditions_around(block), ours)
        start = _Point(context, op, state, None, "", op)
        self._go_on(start, block, position, state)

    def _is_internal(self, func: FuncOp) -> bool:
        """Whether all calls of a function are known."""
        return func in self._calls_of and not self._is_open(func)

    def _is_open(self, func: FuncOp) -> bool:
        """Whether a function may be called from elsewhere: what it returns must then be
        the caller's."""
        return not _is_private(func) or func in self._functions.used_as_values

    # From op to op.

    def _go_on(
        self, before: _Point, block: Block, position: int, state: State, note: str = ""
    ) -> None:
        """Go to the next op of a block that concerns the allocation."""
        inside = frozenset(
            value
            for value in state.inside
            if block_of(value) is not block
            or self._uses.is_used_after(value, block, position)
        )
        if not inside:
            if before.context.given is not None:
                # Here it is not needed any more; the caller may still have it.
                self._leave(before, _nowhere(state))
            elif state.ours and not state.freed:
                self._report(NOT_FREED, before, state)
            return
        known = state.known
        if known:
            known = frozenset(
                (value, truth)
                for value, truth in known
                if block_of(value) is not block
                or self._uses.is_used_after(value, block, position)
            )
            if len(known) < len(state.known):
                known |= self._outcomes_of_branches(state, known, block, position)
        if inside is not state.inside or known is not state.known:
            state = replace(state, inside=inside, known=known)
        following = [
            found
            for value in inside
            if (
                found := self._uses.next_use(
                    value, block, position, only_control=not state.freed
                )
            )
            is not None
        ]
        last = block.last_op
        if last is None:
            return
        op = self._uses.op_at(block, min(following)) if following else last
        self._reach(_Point(before.context, op, state, before, note, before.origin))

    def _outcomes_of_branches(
        self,
        state: State,
        kept: frozenset[tuple[SSAValue, bool]],
        block: Block,
        position: int,
    ) -> frozenset[tuple[SSAValue, bool]]:
        """What is known of the conditions that come out of branches which were passed,
        and of which nothing will be known when only `kept` is."""
        found: set[tuple[SSAValue, bool]] = set()
        for value, _ in state.known - kept:
            for use in value.uses:
                op = use.operation
                if not isinstance(op, scf.IfOp) or op.parent is not block:
                    continue
                for result in op.results:
                    if str(result.type) == "i1" and self._uses.is_used_after(
                        result, block, position
                    ):
                        truth = self._conditions.evaluate(result, state.situation)
                        if truth is not None:
                            found.add((result, truth))
        return frozenset(found)

    def _reach(self, point: _Point) -> None:
        states = point.context.visited.setdefault(point.op, set())
        if point.state in states:
            return
        key = point.op, point.origin
        count = point.context.counts.get(key, 0)
        if count >= _MOST_STATES:
            self._undecided("too many possibilities", point)
            return
        point.context.counts[key] = count + 1
        states.add(point.state)
        self._waiting.append(point)

    def _visit(self, point: _Point) -> None:
        op, state = point.op, point.state
        if op.successors:
            self._take(point, op, state, edges_between_blocks(op))
        elif isinstance(op, ReturnOp):
            self._return(point, op)
        elif _is_end(op):
            around = op.parent_op()
            if around is None or not has_known_flow(around):
                self._hidden(point)
            else:
                self._take(point, op, state, edges_from(op, around))
        elif op.regions and has_known_flow(op):
            self._take(point, op, state, edges_into(op))
        elif isinstance(op, CallOp | CallIndirectOp):
            self._call(point, op)
        else:
            self._effect(point, op)

    def _effect(self, point: _Point, op: Operation) -> None:
        for outcome in self._ops.outcomes(op, point.state):
            if outcome.wrong is not None:
                self._report(outcome.wrong, point, outcome.state)
            elif outcome.hidden:
                self._hidden(point)
            else:
                self._behind(point, op, outcome.state, outcome.note)

    def _behind(self, point: _Point, op: Operation, state: State, note: str = "") -> None:
        assert op.parent is not None
        self._go_on(point, op.parent, self._uses.position(op), state, note)

    def _take(
        self, point: _Point, op: Operation, state: State, edges: Sequence[Edge]
    ) -> None:
        """Follow the ways of control from an op."""
        if not edges:
            self._hidden(point)
        for edge in edges:
            ways = [(state, "")]
            if edge.condition is not None:
                condition, wanted = edge.condition
                ways = [
                    (way, note)
                    for truth, way, note in self._ops.decide(state, condition)
                    if truth == wanted
                ]
            for way, note in ways:
                self._along(point, op, way, edge, note or edge.note)

    def _along(
        self, point: _Point, op: Operation, state: State, edge: Edge, note: str
    ) -> None:
        situation = state.situation
        inside: set[SSAValue] = set()
        known: set[tuple[SSAValue, bool]] = set()
        for target, source in zip(edge.targets, edge.sources, strict=True):
            if source in state.inside:
                inside.add(target)
            elif str(target.type) == "i1":
                truth = self._conditions.evaluate(source, situation)
                if truth is not None:
                    known.add((target, truth))
        behind = op
        is_end = _is_end(op)
        if is_end and not op.successors:
            # What is made in the region that is left is gone, or made anew.
            around = op.parent_op()
            assert around is not None and op.parent is not None
            behind = around
            state = _outside(state, op.parent, around)
        elif is_end and edge.block is not None:
            state = self._live_into(state, edge.block)
        state = replace(
            state, inside=state.inside | inside, known=state.known | frozenset(known)
        )
        if edge.block is None:
            self._behind(point, behind, state, note)
        else:
            self._go_on(point, edge.block, -1, state, note)

    def _live_into(self, state: State, block: Block) -> State:
        region = block.parent

        def lives(value: SSAValue) -> bool:
            home = block_of(value)
            if home.parent is not region:
                return True
            if home is block:
                # The block begins anew.
                return False
            return self._uses.is_live_into(value, block)

        return replace(
            state,
            inside=frozenset(value for value in state.inside if lives(value)),
            known=frozenset(pair for pair in state.known if lives(pair[0])),
        )

    # Functions.

    def _call(self, point: _Point, op: CallOp | CallIndirectOp) -> None:
        state = point.state
        callee = self._functions.callee(op)
        first = None if callee is None else callee.body.blocks.first
        if callee is None or first is None:
            if state.freed:
                self._report(USED_AFTER_FREE, point, state)
            else:
                self._behind(point, op, state)
            return
        situation = state.situation
        inside: set[SSAValue] = set()
        known: set[tuple[SSAValue, bool]] = set()
        for argument, operand in zip(first.args, op.operands, strict=True):
            if operand in state.inside:
                inside.add(argument)
            elif str(argument.type) == "i1":
                truth = self._conditions.evaluate(operand, situation)
                if truth is not None:
                    known.add((argument, truth))
        given = replace(state, inside=frozenset(inside), known=frozenset(known))
        context = self._given.get((callee, given))
        if context is None:
            context = self._given[callee, given] = _Context(callee, given)
            context.calls.append(point)
            note = f"in @{_symbol(callee)}"
            start = _Point(context, op, given, point, note, point.origin)
            self._go_on(start, first, -1, given)
            return
        context.calls.append(point)
        for way, end in list(context.exits.items()):
            self._resume(point, way, end)

    def _return(self, point: _Point, op: ReturnOp) -> None:
        state, context = point.state, point.context
        results = frozenset(
            number for number, value in enumerate(op.operands) if value in state.inside
        )
        situation = state.situation
        known: set[tuple[int, bool]] = set()
        for number, value in enumerate(op.operands):
            if str(value.type) == "i1":
                truth = self._conditions.evaluate(value, situation)
                if truth is not None:
                    known.add((number, truth))
        way = _Exit(results, frozenset(known), state.freed, state.doubtful)
        if context.given is not None:
            self._leave(point, way)
            return
        if not results:
            if state.ours and not state.freed:
                self._report(NOT_FREED, point, state)
            return
        if state.freed:
            self._report("returns an allocation that has been freed", point, state)
            return
        if not state.ours:
            if self._is_open(context.func):
                self._report("returns memory that is not the caller's", point, state)
            return
        if way not in context.exits:
            context.exits[way] = point
            for call in self._calls_of.get(context.func, ()):
                self._begin_at_call(call, way, point)

    def _begin_at_call(self, call: CallOp, way: _Exit, end: _Point) -> None:
        """A function returns an allocation that its caller must care for."""
        func = function_of(call)
        block = call.parent
        if func is None or block is None:
            return
        context = self._own.setdefault(func, _Context(func, None))
        state = State(frozenset(), conditions_around(block), doubtful=way.doubtful)
        state = _with_results(state, call, way)
        start = _Point(
            context, call, state, end, f"from @{_symbol(end.context.func)}", end.origin
        )
        self._behind(start, call, state)

    def _leave(self, point: _Point, way: _Exit) -> None:
        context = point.context
        if way in context.exits:
            return
        context.exits[way] = point
        for call in list(context.calls):
            self._resume(call, way, point)

    def _resume(self, call: _Point, way: _Exit, end: _Point) -> None:
        """Go on behind a call."""
        assert isinstance(call.op, CallOp)
        state = replace(call.state, freed=way.freed, doubtful=way.doubtful)
        state = _with_results(state, call.op, way)
        note = f"freed in @{_symbol(end.context.func)}"
        self._behind(call, call.op, state, note if way.freed else "")

    # Results.

    def _hidden(self, point: _Point) -> None:
        self._undecided("it is not known what becomes of the allocation", point)

    def _undecided(self, what: str, point: _Point) -> None:
        self._add(self.found.undecided, what, point)

    def _report(self, what: str, point: _Point, state: State) -> None:
        self._add(
            self.found.undecided if state.doubtful else self.found.wrong, what, point
        )

    def _add(self, to: list[WrongLifetime], what: str, point: _Point) -> None:
        key = (what, point.op, point.origin)
        if key in self._reported:
            return
        self._reported.add(key)
        way: list[str] = []
        place: _Point | None = point
        while place is not None:
            if place.note:
                way.append(place.note)
            place = place.before
        to.append(WrongLifetime(what, point.op, point.origin, way[::-1]))


def _is_private(func: FuncOp) -> bool:
    visibility = func.sym_visibility
    return isinstance(visibility, StringAttr) and visibility.data == "private"


def _is_end(op: Operation) -> bool:
    return op.parent is not None and op is op.parent.last_op and not has_known_flow(op)


def _nowhere(state: State) -> _Exit:
    return _Exit(frozenset(), frozenset(), state.freed, state.doubtful)


def _with_results(state: State, call: CallOp, way: _Exit) -> State:
    return replace(
        state,
        inside=state.inside | {call.results[number] for number in way.results},
        known=state.known
        | {(call.results[number], truth) for number, truth in way.known},
    )


def _outside(state: State, block: Block, around: Operation) -> State:
    """What is known without the values defined inside an op."""

    def is_outside(value: SSAValue) -> bool:
        home = block_of(value)
        return home.parent is not block.parent

    return replace(
        state,
        inside=frozenset(value for value in state.inside if is_outside(value)),
        known=frozenset(pair for pair in state.known if is_outside(pair[0])),
    )


def _symbol(func: FuncOp) -> str:
    return func.sym_name.data
