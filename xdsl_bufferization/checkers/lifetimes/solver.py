"""The fixpoint: all possible states of each allocation, at each op that concerns it.

The solver explores a graph whose nodes are ops with a state before them. It collects
faults; a second pass decides whether they are certain (witness.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.analysis.facts.functions import FunctionTable, function_of
from xdsl_bufferization.checkers.lifetimes.domain import Domain
from xdsl_bufferization.checkers.lifetimes.number import Condition
from xdsl_bufferization.checkers.lifetimes.state import (
    Context,
    Exit,
    Fault,
    Node,
    Outcome,
    State,
    Step,
)
from xdsl_bufferization.checkers.lifetimes.transfer import fault_of_use, transfer
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.allocation_scopes import automatic_allocation_region
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    get_allocations_and_frees,
    is_memref,
)

NOT_FREED = "the allocation is not freed"
RETURNED_FREED = "returns an allocation that has been freed"
RETURNED_FOREIGN = "returns memory that is not the caller's"
RETURNED_STACK = "returns memory of the stack, which has been taken back then"
RETURNED_TWICE = "returns an allocation more than once, and a caller frees each result"
TOO_MANY = "too many possibilities"

_MOST_APART = 50
"""States of one allocation, at one op of a function with what is known of the arguments,
that are not joined."""
_MOST_STATES = 200
"""Likewise, with joined ones."""


class Solver:
    """Follows the allocations of a program.

    Attributes:
        internal: for each function of which every call is known, the calls.
        starts: the steps that make allocations.
        steps: all steps.
        faults: what is wrong, if the step is possible.
        followed: how many allocations, and other pieces of memory, were followed.
    """

    def __init__(self, module: ModuleOp) -> None:
        self._functions = FunctionTable(module)
        self.domain = Domain(self._functions.callee)
        self.steps: list[Step] = []
        self.faults: list[Fault] = []
        self.followed = 0
        self._own: dict[FuncOp, Context] = {}
        self._given: dict[tuple[FuncOp, State], Context] = {}
        self._calls_of: dict[FuncOp, list[CallOp]] = {}
        self._worklist: list[Node] = []
        self._ops = list(walk(module))
        for op in self._ops:
            self.domain.add(op)
            callee = self._functions.callee(op)
            if callee is not None and isinstance(op, CallOp):
                self._calls_of.setdefault(callee, []).append(op)
        self.internal = {
            func: calls
            for func, calls in self._calls_of.items()
            if self._functions.has_known_calls(func)
        }

    def solve(self) -> None:
        """Find the fixed point."""
        for op in self._ops:
            for value, is_owned, scope in self._memory_of(op):
                self._start(op, value, is_owned=is_owned, scope=scope)
        while self._worklist:
            node = self._worklist.pop()
            if isinstance(node.op, ReturnOp):
                self._return(node, node.op)
            elif CALL.lookup(node.op) is not None:
                self._call(node, node.op)
            else:
                for outcome in transfer(self.domain, node.op, node.state):
                    self._take(node, outcome)

    # Where allocations come from.

    def _memory_of(self, op: Operation) -> Iterator[tuple[SSAValue, bool, Region | None]]:
        """The memory that is followed from an op, whether it is owned there, and, of the
        stack, the region at whose end it is taken back."""
        if isinstance(op, FuncOp):
            first = op.body.blocks.first
            if first is not None and op not in self.internal:
                yield from ((v, False, None) for v in first.args if is_memref(v))
            return
        results = [result for result in op.results if is_memref(result)]
        if not results or op.parent is None:
            return
        if isinstance(op, memref.GetGlobalOp):
            yield from ((result, False, None) for result in results)
        elif CALL.lookup(op) is not None:
            if self._body(op) is None:
                yield from ((result, True, None) for result in results)
        else:
            for effect in get_allocations_and_frees(op) or ():
                if effect.kind is EffectKind.ALLOCATE and effect.value in results:
                    scope = automatic_allocation_region(op) if effect.automatic else None
                    yield effect.value, not effect.automatic, scope

    def _body(self, call: Operation) -> Block | None:
        """The first block of the callee, if that is known."""
        callee = self._functions.callee(call)
        return None if callee is None else callee.body.blocks.first

    def _start(
        self, op: Operation, value: SSAValue, *, is_owned: bool, scope: Region | None
    ) -> None:
        self.followed += 1
        is_argument = isinstance(op, FuncOp)
        block = op.body.blocks.first if is_argument else op.parent
        func = op if is_argument else function_of(op)
        assert block is not None
        position = -1 if is_argument else self.domain.uses.position(op)
        state = self._at(block, frozenset((value,)))
        if func is not None and state is not None:
            state = replace(state, is_owned=is_owned, scope=scope)
            context = self._own.setdefault(func, Context(func, None))
            at = Node(context, op, state, op)
            self._go_on(Step(None, Outcome(state), op), at, state, block, position)

    def _at(self, block: Block, inside: frozenset[SSAValue]) -> State | None:
        """What is known where memory comes from; None if control never comes there."""
        around = self.domain.flow.conditions_around(block)
        if around is None:
            return None
        known = frozenset(Condition(number, truth) for number, truth in around.items())
        return State(inside, known)

    # From op to op.

    def _take(self, node: Node, outcome: Outcome) -> None:
        step = Step(node, outcome, node.origin)
        if outcome.fault is not None:
            self._report(outcome.fault, node, step)
        elif outcome.edge is None:
            self._after(step, node, outcome.state)
        else:
            place = self.domain.along(outcome.state, node.op, outcome.edge)
            self._go_on(step, node, *place)

    def _after(self, step: Step, node: Node, state: State) -> None:
        """Go to what follows the op of a node."""
        assert node.op.parent is not None
        position = self.domain.uses.position(node.op)
        self._go_on(step, node, state, node.op.parent, position)

    def _go_on(
        self, step: Step, before: Node, state: State, block: Block, position: int
    ) -> None:
        """Go to the next op of a block that concerns the allocation."""
        state = self.domain.needed(state, block, position)
        if state.inside:
            state, op = self.domain.advance(state, block, position)
            if op is not None:
                self._reach(step, before, op, state)
        elif before.context.given is not None:
            # Here it is not needed any more; the caller may still have it.
            self._leave(before, step, Exit(is_freed=state.is_freed))
        elif state.is_owned and not state.is_freed:
            self._report(NOT_FREED, before, step)

    def _reach(self, step: Step, before: Node, op: Operation, state: State) -> None:
        context = before.context
        nodes = context.nodes.setdefault(op, {})
        joined = context.joined.get((op, state.facts))
        if joined is not None:
            state = joined if joined.includes(state) else joined.join(state)
        if state not in nodes:
            key = op, before.origin
            if joined is None and context.counts[key] >= _MOST_APART:
                alike = context.alike.get((op, state.facts))
                joined = state = state if alike is None else state.join(alike)
            if joined is not None:
                context.joined[op, state.facts] = state
            context.counts[key] += 1
            if context.counts[key] > _MOST_STATES:
                self._report(TOO_MANY, before, step)
                return
            if state not in nodes:
                alike = context.alike.get((op, state.facts))
                context.alike[op, state.facts] = (
                    state if alike is None else state.join(alike)
                )
                nodes[state] = Node(context, op, state, before.origin)
                self._worklist.append(nodes[state])
        self._add(step, nodes[state])

    def _add(self, step: Step, target: Node) -> None:
        step.target = target
        self.steps.append(step)
        if step.source is not None:
            step.source.steps.append(step)

    def _report(self, what: str, node: Node, step: Step) -> None:
        self.faults.append(Fault(what, node.op, node.origin, step))
        if step.source is not None:
            step.source.steps.append(step)

    # Functions.

    def _call(self, node: Node, op: Operation) -> None:
        """Follow the callee, which is done once for all calls that give it the same."""
        state, body = node.state, self._body(op)
        callee = self._functions.callee(op)
        if callee is None or body is None:
            self._take(node, Outcome(state, fault=fault_of_use(state)))
            return
        pairs = zip(op.operands, body.args, strict=True)
        given = replace(
            state,
            inside=frozenset(argument for v, argument in pairs if v in state.inside),
            known=frozenset(
                self.domain.condition(body.args[position], truth)
                for position, truth in self.domain.truths(state, op.operands)
            ),
            scope=None,
        )
        context = self._given.get((callee, given))
        is_new = context is None
        if context is None:
            context = self._given[callee, given] = Context(callee, given)
            context.start = Node(context, op, given, node.origin)
        assert context.start is not None
        context.calls.append(node)
        self._add(
            Step(node, Outcome(given, note=f"in @{callee.sym_name.data}"), node.origin),
            context.start,
        )
        if is_new:
            first = Step(context.start, Outcome(given), node.origin)
            self._go_on(first, context.start, given, body, -1)
        else:
            for exit_, end in list(context.exits.items()):
                self._resume(node, exit_, end)

    def _return(self, node: Node, op: ReturnOp) -> None:
        state, func = node.state, node.context.func
        results = frozenset(n for n, v in enumerate(op.operands) if v in state.inside)
        known = frozenset(self.domain.truths(state, op.operands))
        exit_ = Exit(results, known, state.is_freed)
        step = Step(node, Outcome(state), node.origin)
        if node.context.given is not None:
            self._leave(node, step, exit_)
        elif not results:
            if state.is_owned and not state.is_freed:
                self._report(NOT_FREED, node, step)
        elif state.scope is not None or (state.is_freed and not state.is_owned):
            self._report(RETURNED_STACK, node, step)
        elif state.is_freed:
            self._report(RETURNED_FREED, node, step)
        elif self._functions.has_known_calls(func):
            if state.is_owned:
                self._leave(node, step, exit_)
        # It may be called from elsewhere.
        elif not state.is_owned:
            self._report(RETURNED_FOREIGN, node, step)
        elif len(results) > 1 and func.sym_visibility != StringAttr("private"):
            # Callers in this module expect it of other functions.
            self._report(RETURNED_TWICE, node, step)
        else:
            self._leave(node, step, exit_)

    def _leave(self, node: Node, step: Step, exit_: Exit) -> None:
        """Leave a function, for the caller to go on with the allocation."""
        context = node.context
        end = context.exits.get(exit_)
        if end is not None:
            self._add(step, end)
            return
        end = context.exits[exit_] = Node(context, node.op, node.state, node.origin, True)
        self._add(step, end)
        if context.given is not None:
            for call in list(context.calls):
                self._resume(call, exit_, end)
            return
        for call in self._calls_of.get(context.func, ()):
            self._start_at_call(call, exit_, end)

    def _resume(self, node: Node, exit_: Exit, end: Node) -> None:
        """Continue after a call with an allocation that it was given."""
        assert isinstance(node.op, CallOp)
        state = replace(node.state, is_freed=exit_.is_freed)
        state = self._with_results(state, node.op, exit_)
        name = end.context.func.sym_name.data
        note = f"freed in @{name}" if exit_.is_freed else ""
        self._after(Step(node, Outcome(state, note=note), node.origin, end), node, state)

    def _start_at_call(self, call: CallOp, exit_: Exit, end: Node) -> None:
        """Follow an allocation that a function returns in a caller."""
        func = function_of(call)
        state = None if call.parent is None else self._at(call.parent, frozenset())
        if func is None or state is None:
            return
        context = self._own.setdefault(func, Context(func, None))
        state = self._with_results(state, call, exit_)
        note = f"from @{end.context.func.sym_name.data}"
        at = Node(context, call, state, end.origin)
        self._after(Step(end, Outcome(state, note=note), end.origin), at, state)

    def _with_results(self, state: State, call: CallOp, exit_: Exit) -> State:
        known = {
            self.domain.condition(call.results[number], truth)
            for number, truth in exit_.known
        }
        inside = {call.results[number] for number in exit_.results}
        return replace(state, inside=state.inside | inside, known=state.known | known)
