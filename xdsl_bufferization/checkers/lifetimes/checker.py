"""The checker of deallocations: is every allocation freed once, and not used afterwards?

It follows *one* allocation forward, from where it is made, along every path that control
may take: which memrefs are in it, which conditions are known, whether it has been freed.
All other memory is of no interest meanwhile, which is what makes this simple: a new
allocation is in no memref but those it is forwarded to, and whatever is freed under
unknown conditions elsewhere does not matter to it.

    %r, %own = scf.if %c -> (memref<4xf32>, i1) {
      %a = memref.alloc()             // followed from here: %a; %c is true
      scf.yield %a, %true
    } else {
      scf.yield %m, %false            // the allocation never comes here
    }                                 // %r is in it, %own is true
    scf.if %own {
      memref.dealloc %r               // so this is always done: freed
    }

Where a condition is not known, both branches are followed, and it is remembered which of
them was taken. What is known at a point does not say which allocation it is about, so
that all allocations of a program share the work. Only ops that concern the allocation are
visited. The cost is about the number of uses of memrefs.

The memory of arguments, of globals and on the stack is followed as well: it must not be
freed. Between functions, what a function does to an allocation that it is given is found
once for all calls; an allocation that a function returns starts afresh in its callers.

What cannot be told is *undecided*, and no error: a buffer that is hidden (stored to
memory, cast to a pointer, given to an unknown op), or a wrong way that depends on a
condition that is not understood.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import ModuleOp, StringAttr, i1
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.checkers.lifetimes.conditions import (
    Conditions,
)
from xdsl_bufferization.checkers.lifetimes.flow import (
    Edge,
    Flow,
    Key,
    Uses,
    block_of,
    function_of,
    has_known_flow,
)
from xdsl_bufferization.checkers.lifetimes.freedom import FreeSources
from xdsl_bufferization.checkers.lifetimes.numbers import (
    EQ,
    Condition,
    Numbering,
)
from xdsl_bufferization.checkers.lifetimes.ops import (
    USED_AFTER_FREE,
    Ops,
    State,
)
from xdsl_bufferization.checkers.lifetimes.report import (
    Lifetimes,
    WrongLifetime,
)
from xdsl_bufferization.dialects import memref, scf
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.loop_like import COUNTED_LOOP, static_trip_count
from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    get_allocations_and_frees,
    is_memref,
)

NOT_FREED = "the allocation is not freed"
TOO_MANY = "too many possibilities"

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
        self._numbering = Numbering()
        self._flow = Flow(self._numbering)
        self._calls_of: dict[FuncOp, list[CallOp]] = {}
        self._internal: dict[FuncOp, list[CallOp]] = {}
        self._conditions = Conditions(
            self._numbering,
            self._functions.callee,
            FreeSources(self._numbering, self._flow, self._internal),
        )
        self._ops = Ops(self._conditions)
        self._uses = Uses()
        self._own: dict[FuncOp, _Context] = {}
        self._given: dict[tuple[FuncOp, State], _Context] = {}
        self._waiting: list[_Point] = []
        self._reported: set[tuple[bool, str, Operation, Operation]] = set()

    def run(self) -> None:
        ops = list(walk(self._module))
        for op in ops:
            self._numbering.add(op)
            self._flow.add(op)
            if isinstance(op, CallOp):
                callee = self._functions.callee(op)
                if callee is not None:
                    self._calls_of.setdefault(callee, []).append(op)
        self._internal |= {
            func: calls
            for func, calls in self._calls_of.items()
            if not self._is_open(func)
        }
        for op in ops:
            self._begin(op)
        while self._waiting:
            self._visit(self._waiting.pop())
        wrong = {(w.what, w.op, w.allocation) for w in self.found.wrong}
        self.found.undecided = [
            undecided
            for undecided in self.found.undecided
            if (undecided.what, undecided.op, undecided.allocation) not in wrong
        ]

    # Where allocations come from.

    def _begin(self, op: Operation) -> None:
        if isinstance(op, FuncOp):
            first = op.body.blocks.first
            if first is None or op in self._internal:
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
        if CALL.lookup(op) is not None:
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
        known = self._known_at(block)
        if func is None or known is None:
            return
        context = self._own.setdefault(func, _Context(func, None))
        state = State(frozenset((value,)), known, ours=ours)
        start = _Point(context, op, state, None, "", op)
        self._go_on(start, block, position, state)

    def _known_at(self, block: Block) -> frozenset[Condition] | None:
        """What is known where a block begins; None if control never comes there."""
        around = self._flow.conditions_around(block)
        if around is None:
            return None
        return frozenset(Condition(number, truth) for number, truth in around.items())

    def _is_open(self, func: FuncOp) -> bool:
        """Whether a function may be called from elsewhere: what it returns must then be
        the caller's."""
        return not _is_private(func) or func in self._functions.used_as_values

    # From op to op.

    def _go_on(
        self, before: _Point, block: Block, position: int, state: State, note: str = ""
    ) -> _Point | None:
        """Go to the next op of a block that concerns the allocation, and return it."""
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
                end = _Point(
                    before.context, before.op, state, before, note, before.origin
                )
                self._report(NOT_FREED, end, state)
            return None

        def is_needed(key: Key) -> bool:
            return block not in self._uses.homes(key) or self._uses.is_used_after(
                key, block, position
            )

        if state.known or state.constrained:
            before_, state = state, self._forgetting(state, is_needed)
            if len(state.known) < len(before_.known):
                found = self._outcomes_of_branches(before_, state.known, block, position)
                state = replace(state, known=state.known | found)
        if inside is not state.inside:
            state = replace(state, inside=inside)
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
            return None
        op = self._uses.op_at(block, min(following)) if following else last
        reached = _Point(before.context, op, state, before, note, before.origin)
        self._reach(reached)
        return reached

    def _forgetting(self, state: State, is_needed: Callable[[Key], bool]) -> State:
        """What is known, without conditions that are not needed any more. The sources of
        those may have been restricted by them."""
        kept = frozenset(known for known in state.known if is_needed(known.number))
        constrained = state.constrained.union(
            *(
                known.number.sources
                for known in state.known
                if known not in kept and known.number.is_decision
            )
        )
        constrained = frozenset(
            source for source in constrained if source.is_shared and is_needed(source)
        )
        if len(kept) == len(state.known) and constrained == state.constrained:
            return state
        return replace(state, known=kept, constrained=constrained)

    def _outcomes_of_branches(
        self,
        state: State,
        kept: frozenset[Condition],
        block: Block,
        position: int,
    ) -> frozenset[Condition]:
        """What is known of the conditions that come out of branches which were passed,
        and of which nothing will be known when only `kept` is."""
        found: set[Condition] = set()
        for number, _ in state.known - kept:
            uses = [use.operation for v in number.members for use in v.uses]
            for op in uses:
                if not isinstance(op, scf.IfOp) or op.parent is not block:
                    continue
                for result in op.results:
                    if result.type != i1:
                        continue
                    outcome = self._numbering.condition(result)
                    if self._uses.is_used_after(outcome.number, block, position):
                        truth = self._conditions.evaluate(result, state.situation)
                        if truth is not None:
                            found.add(outcome if truth else outcome.negated())
        return frozenset(found)

    def _reach(self, point: _Point) -> None:
        states = point.context.visited.setdefault(point.op, set())
        if point.state in states:
            return
        key = point.op, point.origin
        count = point.context.counts.get(key, 0)
        if count >= _MOST_STATES:
            self._undecided(TOO_MANY, point)
            return
        point.context.counts[key] = count + 1
        states.add(point.state)
        self._waiting.append(point)

    def _visit(self, point: _Point) -> None:
        op, state = point.op, point.state
        if op.successors:
            self._take(point, op, state, self._flow.edges_between_blocks(op))
        elif isinstance(op, ReturnOp):
            self._return(point, op)
        elif _is_end(op):
            around = op.parent_op()
            if around is None or not has_known_flow(around):
                self._hidden(point)
            else:
                self._take(point, op, state, self._flow.edges_from(op, around))
        elif op.regions and has_known_flow(op):
            self._take(point, op, state, self._flow.edges_into(op))
        elif CALL.lookup(op) is not None:
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

    def _behind(
        self, point: _Point, op: Operation, state: State, note: str = ""
    ) -> _Point | None:
        assert op.parent is not None
        return self._go_on(point, op.parent, self._uses.position(op), state, note)

    def _take(
        self, point: _Point, op: Operation, state: State, edges: Sequence[Edge]
    ) -> None:
        """Follow the paths of control from an op."""
        if not edges:
            self._hidden(point)
        repeats = False
        # Where the body begins again comes first.
        for edge in sorted(edges, key=lambda edge: edge.block is None):
            for way, note in self._decided(point, state, edge, repeats):
                reached = self._along(point, op, way, edge, note or edge.note)
                repeats |= edge.loop is not None and self._is_repeated(point, reached)

    def _decided(
        self, point: _Point, state: State, edge: Edge, repeats: bool
    ) -> Iterator[tuple[State, str]]:
        """What is known when an edge is taken. `repeats` says whether the iteration that
        ends here may follow itself any number of times."""
        if edge.choice:
            state = replace(state, doubtful=True)
        if edge.loop is not None:
            state = self._after_iteration(point, state, edge, edge.loop, repeats)
        for holds, way, note in self._ops.decide_all(state, edge.conditions):
            if not holds:
                continue
            if not edge.excluded:
                if self._is_last_check(point, edge):
                    way = replace(way, doubtful=state.doubtful)
                yield way, note
                continue
            for excluded, further, more in self._ops.decide_all(way, edge.excluded):
                if not excluded:
                    yield further, more

    def _after_iteration(
        self, point: _Point, state: State, edge: Edge, loop: Operation, repeats: bool
    ) -> State:
        """What is known when an iteration of a counted loop is, or is not, the last."""
        trips = static_trip_count(loop)
        if trips is not None:
            done = sum(place.op is point.op for place in _since(point, loop))
            is_sure = done < trips if edge.block is not None else repeats or done == trips
            if edge.block is None and _is_made_in_each_iteration(point.origin, loop):
                # The last iteration makes one as well.
                is_sure |= done <= trips
            return state if is_sure else replace(state, doubtful=True)
        again = self._flow.again(loop)
        runs = self._flow.runs(loop)
        others = [
            known.number
            for known in state.known
            if known.number is not again and known.number not in runs
        ]
        if not self._conditions.is_free_choice(again, others, state.constrained):
            state = replace(state, doubtful=True)
        return replace(state, known=state.known | {Condition(again, True)})

    def _is_last_check(self, point: _Point, edge: Edge) -> bool:
        """Whether an edge leaves scf.while after the iteration that has made the
        allocation, as the last iteration does, whatever the condition is."""
        around = point.op.parent_op()
        return (
            edge.block is None
            and isinstance(around, scf.WhileOp)
            and _is_made_in_each_iteration(point.origin, around)
            and sum(place.op is point.op for place in _since(point, around)) == 1
        )

    def _is_repeated(self, point: _Point, reached: _Point | None) -> bool:
        """Whether an iteration begins as the one that ends at a point has begun."""
        if reached is None:
            return False
        around = point.op.parent_op()
        assert around is not None
        first = point
        for place in _since(point, around):
            if place is not point and place.op is point.op:
                break
            first = place
        return first.op is reached.op and first.state == reached.state

    def _along(
        self, point: _Point, op: Operation, state: State, edge: Edge, note: str
    ) -> _Point | None:
        situation = state.situation
        inside: set[SSAValue] = set()
        known: set[Condition] = set()
        for target, source in zip(edge.targets, edge.sources, strict=True):
            if source in state.inside:
                inside.add(target)
            elif target.type == i1:
                truth = self._conditions.evaluate(source, situation)
                if truth is not None:
                    known.add(Condition(self._numbering.leaf(target), truth))
            elif (constant := self._numbering.constant_of(source)) is not None:
                # The first iteration of a loop begins with it.
                known.add(self._numbering.compare(EQ, target, constant))
        after = op
        is_end = _is_end(op)
        if is_end and not op.successors:
            # What is made in the region that is left is gone, or made again.
            around = op.parent_op()
            assert around is not None and op.parent is not None
            after = around
            state = self._outside(state, op.parent)
        elif is_end and edge.block is not None:
            state = self._live_into(state, edge.block)
        state = replace(
            state, inside=state.inside | inside, known=state.known | frozenset(known)
        )
        if edge.block is None:
            return self._behind(point, after, state, note)
        return self._go_on(point, edge.block, -1, state, note)

    def _outside(self, state: State, block: Block) -> State:
        """What is known without the values defined in the region of a block."""

        def is_outside(key: Key) -> bool:
            return all(home.parent is not block.parent for home in self._uses.homes(key))

        return replace(
            self._forgetting(state, is_outside),
            inside=frozenset(value for value in state.inside if is_outside(value)),
        )

    def _live_into(self, state: State, block: Block) -> State:
        region = block.parent

        def lives(key: Key) -> bool:
            homes = self._uses.homes(key)
            if block in homes:
                # The block starts again.
                return False
            return not any(
                home.parent is region for home in homes
            ) or self._uses.is_live_into(key, block)

        return replace(
            self._forgetting(state, lives),
            inside=frozenset(value for value in state.inside if lives(value)),
        )

    # Functions.

    def _call(self, point: _Point, op: Operation) -> None:
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
        known: set[Condition] = set()
        for argument, operand in zip(first.args, op.operands, strict=True):
            if operand in state.inside:
                inside.add(argument)
            elif argument.type == i1:
                truth = self._conditions.evaluate(operand, situation)
                if truth is not None:
                    known.add(Condition(self._numbering.leaf(argument), truth))
        given = replace(
            state,
            inside=frozenset(inside),
            known=frozenset(known),
            constrained=frozenset(),
        )
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
            if value.type == i1:
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
        known = None if block is None else self._known_at(block)
        if func is None or block is None or known is None:
            return
        context = self._own.setdefault(func, _Context(func, None))
        state = State(frozenset(), known, doubtful=way.doubtful)
        state = self._with_results(state, call, way)
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
        """Continue after a call."""
        assert isinstance(call.op, CallOp)
        state = replace(call.state, freed=way.freed, doubtful=way.doubtful)
        state = self._with_results(state, call.op, way)
        note = f"freed in @{_symbol(end.context.func)}"
        self._behind(call, call.op, state, note if way.freed else "")

    def _with_results(self, state: State, call: CallOp, way: _Exit) -> State:
        known = {
            Condition(self._numbering.leaf(call.results[number]), truth)
            for number, truth in way.known
        }
        return replace(
            state,
            inside=state.inside | {call.results[number] for number in way.results},
            known=state.known | known,
        )

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
        key = (to is self.found.wrong, what, point.op, point.origin)
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


def _is_made_in_each_iteration(allocation: Operation, loop: Operation) -> bool:
    """Whether each iteration of a loop, of whose regions the allocation is in the last,
    makes it."""
    op = allocation
    while True:
        block, around = op.parent, op.parent_op()
        if block is None or block.prev_block is not None or around is None:
            return False
        if around is loop:
            return block.parent is loop.regions[-1]
        if COUNTED_LOOP.lookup(around) is None:
            return False
        op = around


def _since(point: _Point, loop: Operation) -> Iterator[_Point]:
    """A point and those before it, back to where control has come into a loop."""
    place: _Point | None = point
    while place is not None and place.op is not loop:
        yield place
        place = place.before


def _is_private(func: FuncOp) -> bool:
    visibility = func.sym_visibility
    return isinstance(visibility, StringAttr) and visibility.data == "private"


def _is_end(op: Operation) -> bool:
    return op.parent is not None and op is op.parent.last_op and not has_known_flow(op)


def _nowhere(state: State) -> _Exit:
    return _Exit(frozenset(), frozenset(), state.freed, state.doubtful)


def _symbol(func: FuncOp) -> str:
    return func.sym_name.data
