"""The data structures of the control flow graph: stretches of ops, and edges.

A *stretch* is a sequence of ops of one block. It ends with its block, or with an op
whose regions are entered. The complete graph is built before it is interpreted
(flow.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.checkers.contents.marks import Notes
from xdsl_bufferization.checkers.contents.views import View
from xdsl_bufferization.interfaces.types import MEMREF_CLASSES

Transfer: TypeAlias = Callable[[Any, Any], None]
"""What an op does to the state of a visit (transfer.py)."""
Placed: TypeAlias = tuple[int, int, View]
"""A tensor in memory: its position among those of its op, its number, the view."""
MarkTransfer: TypeAlias = Callable[[Notes, Sequence[Placed], Any, Any], None]
"""What a part of a mark does (segments.py)."""


@dataclass(eq=False, slots=True)
class Loop:
    """A part of the graph that control may come back to.

    Attributes:
        first: the number of its first stretch.
        depth: how many loops over regions there are around it, and the loop itself.
        allocations: what ops inside allocate.
    """

    first: int
    depth: int = 1
    allocations: Sequence[SSAValue] = ()


@dataclass(eq=False, slots=True)
class Edge:
    """Where control goes at the end of a stretch.

    Attributes:
        target: the stretch.
        flows: the bases that are set, each with that of the value forwarded to it.
        around: if it is not known what is forwarded to what, the op that knows; then
            `flows` has what is set, and `sent` what may be forwarded there.
        forwarded: by number of a target, the check of its source; None where the target
            keeps what it says of that.
        loop: the loop that it goes back to the beginning of, or that an iteration leaves.
        is_back: whether it goes back.
        left: the values that are not visible any more.
        is_repeated: whether these may be made again.
    """

    target: Stretch
    flows: Sequence[tuple[SSAValue, SSAValue]] = ()
    around: Operation | None = None
    sent: Sequence[SSAValue] = ()
    forwarded: Sequence[tuple[int, int]] | None = ()
    loop: Loop | None = None
    is_back: bool = False
    left: Sequence[SSAValue] = ()
    is_repeated: bool = False


@dataclass(eq=False, slots=True)
class Stretch:
    """Ops that run one after the other.

    Attributes:
        notes: the segment that is open at its start.
        outer: the segment of the op around its block.
        parallel: the parallel loops around it, the outermost first.
        number: its position in the program.
        steps: the ops that do something, and what.
        checks: at its end, the memrefs that are forwarded: a key, and the tensor that
            each should hold.
        forgotten: the tensors that are not needed any more at its end.
        entered: the loop that begins at its end.
        ends_block: whether the segment that is open at its end ends there.
    """

    notes: Notes
    outer: Notes
    parallel: tuple[Operation, ...]
    number: int = -1
    steps: list[tuple[Operation, Transfer]] = field(
        default_factory=list[tuple[Operation, Transfer]]
    )
    checks: Sequence[Placed] = ()
    forgotten: Sequence[int] = ()
    entered: Loop | None = None
    ends_block: bool = False
    edges: list[Edge] = field(default_factory=list[Edge])


@dataclass(frozen=True)
class RegionFlow:
    """The stretches of a region.

    Attributes:
        ends: those at whose end it is left, each with the terminator.
        defined: its memrefs and tensors.
        defined_once: likewise, with those of regions inside that run once.
    """

    first: Stretch
    ends: Sequence[tuple[Stretch, Operation | None]]
    defined: Sequence[SSAValue]
    defined_once: Sequence[SSAValue]


def tensors_of_operands(op: Operation, notes: Notes) -> Sequence[tuple[int, int]]:
    """Return the memref operands of an op by position, each with the tensor that it
    should hold."""
    memrefs = [
        position
        for position, value in enumerate(op.operands)
        if value.type.__class__ in MEMREF_CLASSES
    ]
    if not memrefs:
        return ()
    if op.name == notes.of and len(notes.positions) == len(notes.values):
        # Others were memrefs in the tensor program.
        held = dict(zip(notes.positions, notes.values, strict=True))
        return [(position, held[position]) for position in memrefs if position in held]
    if len(memrefs) == len(notes.values):
        return list(zip(memrefs, notes.values, strict=True))
    return ()
