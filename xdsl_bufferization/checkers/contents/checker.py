"""The contents checker: does every op read what the tensor program specifies?

It uses no tensor aliases, conflicts or decisions. Marks (marks.py) name the tensors of
the original program that each op of the bufferized program takes and returns. The
checker interprets the bufferized program forward and determines which tensors are in
which memory.

**Lattice.** A state (state.py) maps each view of a buffer to the tensors in it, each
with its *damage*: the slices of it that have been overwritten, or all of it, which is
equivalent to its absence. It also maps each base of views to its possible memory
(roots), views written in the open segment to whether the write was correct, and block
arguments or results that were just set to whether they contain their tensors. One state
is below another if it contains less information: fewer tensors, more damage, more
roots. The bottom state contains no information.

**Join.** Facts are intersected: tensors that are in a view in both states, with the
union of their damage; the union of the roots; writes that are correct in both. On a
back edge of a loop, damage of a slice that depends on values defined in the loop
becomes damage of the complete tensor, since the slice differs in the next iteration.

**Termination.** A function has finitely many views, tensors, slices and roots, a join
only moves down, and a stretch is visited again only after a join has changed its state.
When roots grow for the fifth time, they are widened to all roots that may ever be
forwarded there, so that a cycle of n buffers does not take n rounds. A back edge drops
the roots of values that the next iteration makes again, so that the head of a loop is
not visited for each of them.

**Transfer**, by kind of op (transfer.py, segments.py, calls.py):

- mark before: opens a segment; tensors that are no longer needed are dropped;
- mark after: puts each result into its buffer, if it was written there or already
  there, and into what was copied to this buffer; one that control flow sets must be in
  the result of the op, or a copy of that;
- allocation: new memory, distinct from earlier allocations by the same op;
- view: another name, nothing else (names.py);
- view of an arena (arenas.py): the memory of its bytes, with unknown contents;
- read: must find one of the operand tensors of its segment, undamaged;
- write: damages tensors that overlap it, in the written part;
- copy: a read and a write that propagates tensors, with their damage; it damages nothing
  if the target already holds the operand that is copied;
- structured op: reads and writes of its operands;
- choice (arith.select): the union of the roots of both operands;
- call: the effects of the callee, which is interpreted once for all its calls, and once
  more for two arguments that overlap, if it writes one; a result is a part of an
  argument or other memory;
- op with regions: edges (flow.py), which set the roots of the values that they forward;
  leaving or re-entering a region makes its earlier allocations distinct from later
  ones;
- any other op: reads and writes its operands.

An op of the tensor program may do anything with buffers that it has there already and
that hold no tensor: only what it does to the contents of others matters.

**Two passes** (solver.py). A worklist of stretches, in program order, computes the
fixpoint. Then each stretch is visited once more to report errors. Both passes process
the stretches in groups such that no edge leads back to an earlier group: states need
not be kept for long, and a stretch outside of cycles is visited once. The accesses that
the second pass finds in a parallel loop are compared (races.py). A copy of memory that
another iteration may write is not an error as long as no later op needs the copied
contents: it is recorded, and the group is solved again. The slices that an iteration
inserts itself are right in the copy.

**Trusted base.** The computations of ops, and that models put results where they declare;
of ops that it does not know, what their models say that they do not read or write (the
tests of models, docs/model-testing.md, run them). From the package: `value_bounds` (are
slices equal, disjoint?), `view_like`, the interfaces of control flow and their models,
`destination_style`, `FunctionTable`, the block graph, and the marks, in which
bufferization records what has replaced each tensor. One-Shot Analysis uses the first four
as well. The checker assumes that slices which threads insert are disjoint.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Operation, OpResult

from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.checkers.contents.arenas import Segment, find_memory
from xdsl_bufferization.checkers.contents.flow import FlowGraph
from xdsl_bufferization.checkers.contents.memory import Root, without_iteration
from xdsl_bufferization.checkers.contents.names import Views
from xdsl_bufferization.checkers.contents.report import WrongRead
from xdsl_bufferization.checkers.contents.segments import MARKS
from xdsl_bufferization.checkers.contents.solver import Solver
from xdsl_bufferization.checkers.contents.transfer import transfer_of
from xdsl_bufferization.checkers.contents.visit import Effects, Global
from xdsl_bufferization.dialects import memref

_SHARED = "memory that two arguments share"


def check_contents(module: ModuleOp, described: Mapping[int, str]) -> list[WrongRead]:
    """Check a bufferized program with marks.

    Args:
        described: the tensors by number, as `Marks` describes them.
    """
    return _Checker(module, described).check()


@dataclass
class _Outcome:
    """What following a function has shown: the reads that go wrong, and its effects."""

    wrong: dict[tuple[Operation, tuple[int, ...]], tuple[int, WrongRead]] = field(
        default_factory=dict[tuple[Operation, tuple[int, ...]], tuple[int, WrongRead]]
    )
    effects: Effects | None = None


class _Checker:
    """Follows each function once, callees first (visit.Program)."""

    def __init__(self, module: ModuleOp, described: Mapping[int, str]) -> None:
        self.functions = FunctionTable(module)
        self.memory = {func: find_memory(func) for func in self.functions.functions}
        of_all = (places.items() for places in self.memory.values())
        self.views = Views(
            self.functions,
            dict(chain.from_iterable(of_all)),
            self._returned_arguments,
            self._returns_new,
        )
        self.described = described
        self.constants = {
            op.sym_name.data
            for op in module.ops
            if isinstance(op, memref.GlobalOp) and op.constant is not None
        }
        self._graphs: dict[FuncOp, FlowGraph] = {}
        self._outcomes: dict[FuncOp, _Outcome] = {}
        self._needed: dict[tuple[FuncOp, int], bool] = {}
        self._spoiled: dict[tuple[FuncOp, frozenset[int]], bool] = {}
        self._globals: Mapping[tuple[FuncOp, int], frozenset[Root]] = {}
        self._has_assumed_globals = False
        self._assumed: dict[FuncOp, Effects] = {}
        self._callable: dict[Attribute, list[FuncOp]] | None = None

    def check(self) -> list[WrongRead]:
        functions = [
            func
            for group in self.functions.callees_first()
            for func in group
            if func.body.blocks.first is not None
        ]
        while True:
            self._outcomes, self._needed, self._spoiled = {}, {}, {}
            for func in functions:
                self.effects(func)
            found = self._returned_globals()
            effects = {func: self.effects(func) for func in self._assumed}
            if effects == self._assumed and (
                not self._has_assumed_globals or found == self._globals
            ):
                break
            self._globals, self._assumed = found, effects
        return [
            wrong
            for func in self.functions.functions
            if func in self._outcomes
            for _, wrong in sorted(
                self._outcomes[func].wrong.values(), key=lambda found: found[0]
            )
        ]

    # Functions.

    def effects(self, func: FuncOp) -> Effects:
        """Return the effects of a function. For a recursive call, these are the effects
        found in the previous iteration, initially none; if they are less than those
        found now, the iteration is repeated."""
        if func not in self._outcomes:
            self._outcomes[func] = _Outcome()
            self._outcomes[func] = self._follow(func)
        effects = self._outcomes[func].effects
        if effects is None:
            nothing = [frozenset[Root]()] * len(func.function_type.outputs)
            effects = self._assumed.setdefault(func, Effects(frozenset(), nothing))
        return effects

    def _returned_arguments(self, func: FuncOp, result: int) -> Sequence[int]:
        """Return the arguments that a result of a function may be a part of."""
        if func.body.blocks.first is None:
            return ()
        return [root for root in self.effects(func).results[result] if type(root) is int]

    def _returns_new(self, func: FuncOp, result: int) -> bool:
        """Return whether a result of a function is memory that each call allocates, and
        that no other result is in."""
        if func.body.blocks.first is None:
            return False
        results = self.effects(func).results
        others = (roots for number, roots in enumerate(results) if number != result)
        return all(map(_is_new, results[result])) and all(
            results[result].isdisjoint(roots) for roots in others
        )

    def needs(self, func: FuncOp, argument: int) -> bool:
        """Return whether a function reads what an argument holds when it is called."""
        if self._outcomes[func].effects is None:
            # It calls itself, and is being followed.
            return True
        key = func, argument
        if key not in self._needed:
            self._needed[key] = True
            without = self._follow(func, {argument: False}).wrong.keys()
            self._needed[key] = bool(without - self._outcomes[func].wrong.keys())
        return self._needed[key]

    def is_spoiled(self, func: FuncOp, overlapping: frozenset[int]) -> bool:
        """Return whether a function reads, or returns, something wrong if two arguments
        are in the same memory. While it is being followed with them, it is assumed not
        to: what goes wrong elsewhere is reported at the call that is asked about."""
        key = func, overlapping
        if key not in self._spoiled:
            self._spoiled[key] = False
            found = self._follow(func, overlapping=overlapping).wrong.keys()
            self._spoiled[key] = bool(found - self._outcomes[func].wrong.keys())
        return self._spoiled[key]

    def callable_with(self, type_: Attribute | None) -> Sequence[FuncOp]:
        """Return the functions that an indirect call may call."""
        if self._callable is None:
            self._callable = self.functions.callable_by_value()
        return self._callable.get(type_, ()) if type_ else ()

    def globals_of(self, callees: Sequence[FuncOp], result: int) -> frozenset[Root]:
        """Return the globals that a result of functions of unknown effects may be. They
        are assumed; if that is wrong, all begins again."""
        self._has_assumed_globals = True
        found = [self._globals.get((func, result), frozenset()) for func in callees]
        return frozenset[Root]().union(*found)

    def _returned_globals(self) -> Mapping[tuple[FuncOp, int], frozenset[Root]]:
        return {
            (func, number): globals_
            for func, outcome in self._outcomes.items()
            if outcome.effects is not None
            for number, roots in enumerate(outcome.effects.results)
            if (globals_ := frozenset(root for root in roots if isinstance(root, Global)))
        }

    def _follow(
        self,
        func: FuncOp,
        valid: Mapping[int, bool] = MappingProxyType({}),
        overlapping: Set[int] = frozenset(),
    ) -> _Outcome:
        """Follow a function.

        Args:
            valid: by number of an argument, whether it holds its tensor.
            overlapping: arguments that are in the same memory. Each may be in memory of
                its own as well, which is what must not be written if it is read-only.
        """
        graph = self._graphs.get(func)
        if graph is None:
            graph = self._graphs[func] = FlowGraph(func, self.views, transfer_of, MARKS)
        memory = self.memory[func]
        if overlapping:
            shared = {graph.arguments[number] for number in overlapping}
            memory = memory | {a: frozenset[Root]((a, _SHARED)) for a in shared}
        findings = Solver(self, graph, memory).solve(valid)

        arguments: dict[Root, int] = {a: a.index for a in graph.arguments}

        def to_caller(root: Root) -> Root:
            known = arguments.get(root.arena if isinstance(root, Segment) else root)
            if known is not None:
                return known
            return root if isinstance(root, Global) else (func, root)

        written = frozenset(r for r in map(to_caller, findings.written) if type(r) is int)
        results = [
            frozenset(map(to_caller, findings.returned.get(number, ())))
            for number in range(len(func.function_type.outputs))
        ]
        return _Outcome(findings.wrong, Effects(written, results))


def _is_new(root: Root) -> bool:
    """Return whether a root of the effects of a function is memory that it allocates."""
    if not isinstance(root, tuple):
        return False
    of_func = without_iteration(cast("tuple[FuncOp, Root]", root)[1])
    return isinstance(of_func, OpResult) and isinstance(
        of_func.op, memref.AllocOp | CallOp
    )
