"""The reports of the contents checker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.diagnostics import describe


@dataclass(frozen=True)
class WrongRead:
    """An op that finds the wrong contents.

    Attributes:
        op: the op, of the bufferized program.
        expected: the tensors of which it should find one.
        found: the tensors that are there.
        writes: the ops that have destroyed what was expected.
    """

    op: Operation
    expected: Sequence[str]
    found: Sequence[str]
    writes: Sequence[Operation]

    def __str__(self) -> str:
        found = ", ".join(self.found) or "nothing known"
        lines = "".join(
            f"\n  destroyed by this write:{describe(write)}" for write in self.writes
        )
        return (
            f"{self.op.name}: expects {' or '.join(self.expected) or 'nothing'} in the "
            f"buffer, finds {found}.{describe(self.op)}{lines}"
        )
