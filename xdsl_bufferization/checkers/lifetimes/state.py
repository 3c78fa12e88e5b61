"""The lattice of the deallocation checker, and the graph that it explores."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, Region, SSAValue

from xdsl_bufferization.checkers.lifetimes.conditions import Situation
from xdsl_bufferization.checkers.lifetimes.flow import Edge
from xdsl_bufferization.checkers.lifetimes.number import Condition

Facts: TypeAlias = tuple[frozenset[SSAValue], bool, bool, Region | None]


@dataclass(frozen=True)
class State:
    """What is known of the allocation that is followed. A value: `replace` copies it.

    Attributes:
        inside: the memrefs that are in it and are still needed.
        known: the conditions whose truth is known.
        is_owned: whether it has to be freed, rather than must not be.
        is_freed: whether it has been freed.
        scope: of memory of the stack, the region at whose end it is taken back. In a
            function that is given the memory it is None: a call returns before that.
    """

    inside: frozenset[SSAValue]
    known: frozenset[Condition] = frozenset()
    is_owned: bool = True
    is_freed: bool = False
    scope: Region | None = None

    @cached_property
    def situation(self) -> Situation:
        return Situation(self.inside, dict(self.known))

    @property
    def facts(self) -> Facts:
        """What is known of the allocation itself."""
        return self.inside, self.is_owned, self.is_freed, self.scope

    def includes(self, other: State) -> bool:
        """The order: whether all that is possible in another state is possible here."""
        return self.facts == other.facts and self.known <= other.known

    def join(self, other: State) -> State:
        """The least state that includes two of the same facts."""
        return replace(self, known=self.known & other.known)


@dataclass(frozen=True)
class Outcome:
    """What may be the case after an op.

    Attributes:
        state: what is known then.
        choices: the unknown conditions that were assumed for that.
        note: what was done, for people.
        edge: where control goes; None for the next op.
        fault: what is wrong with the op, if anything is; control ends there then.
    """

    state: State
    choices: tuple[Condition, ...] = ()
    note: str = ""
    edge: Edge | None = None
    fault: str | None = None


@dataclass(frozen=True)
class Exit:
    """How a function leaves an allocation.

    Attributes:
        results: the results that are in it.
        known: results that are known i1.
    """

    results: frozenset[int] = frozenset()
    known: frozenset[tuple[int, bool]] = frozenset()
    is_freed: bool = False


@dataclass(eq=False)
class Context:
    """A function, followed for allocations of its own (`given` is None), or for one it is
    given as an argument.

    Attributes:
        start: in the latter case, the first op that concerns it; None if there is none.
        calls: likewise, from where.
        exits: how it returns.
        nodes: by op, what may be known in front of it.
        alike: by op and facts, the join of the states in `nodes`.
        joined: likewise, where they were too many, and have been replaced by it.
        counts: by op and origin, how many states there are.
    """

    func: FuncOp
    given: State | None
    start: Node | None = None
    calls: list[Node] = field(default_factory=list["Node"])
    exits: dict[Exit, Node] = field(default_factory=dict["Exit", "Node"])
    nodes: dict[Operation, dict[State, Node]] = field(
        default_factory=dict[Operation, dict["State", "Node"]]
    )
    alike: dict[tuple[Operation, Facts], State] = field(
        default_factory=dict[tuple[Operation, "Facts"], "State"]
    )
    joined: dict[tuple[Operation, Facts], State] = field(
        default_factory=dict[tuple[Operation, "Facts"], "State"]
    )
    counts: Counter[tuple[Operation, Operation]] = field(
        default_factory=Counter[tuple[Operation, Operation]]
    )


@dataclass(eq=False, slots=True)
class Node:
    """An op that concerns the allocation, with what is known in front of it; or an exit
    of a function.

    Attributes:
        origin: the op that makes the allocation, or the function it is an argument of.
        steps: where control goes from there.
    """

    context: Context
    op: Operation
    state: State
    origin: Operation
    is_exit: bool = False
    steps: list[Step] = field(default_factory=list["Step"])


@dataclass(eq=False, slots=True)
class Step:
    """A step from one node to another.

    Attributes:
        source: None where an allocation is made.
        outcome: of the op of the source.
        through: after a call, how the callee was left.
        target: None if there is a fault instead.
    """

    source: Node | None
    outcome: Outcome
    origin: Operation
    through: Node | None = None
    target: Node | None = None


@dataclass(eq=False, slots=True)
class Fault:
    """Something that is wrong if a step can be taken."""

    what: str
    op: Operation
    origin: Operation
    step: Step
