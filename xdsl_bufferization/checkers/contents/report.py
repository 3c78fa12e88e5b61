"""The reports of the contents checker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsolatedFromAbove

from xdsl_bufferization.analysis.facts.forwarded_values import entry_arguments
from xdsl_bufferization.error_positions import name_of
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.memory_effects import is_memref
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH
from xdsl_bufferization.interfaces.types import is_tensor


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
            f"buffer, finds {found}.{describe(self.op)}{lines}{self._hint()}"
        )

    def _hint(self) -> str:
        """What the reason may be, if the program is right."""
        around = (op for start in (self.op, *self.writes) for op in _outwards(start))
        unknown = next(filter(_forwards_somewhere, around), None)
        if unknown is None:
            return ""
        return (
            f"\n  {name_of(unknown)} does not say which values its regions get and "
            "return; if this is right, implement RegionBranchOpInterface for it"
        )


def _outwards(start: Operation) -> Iterator[Operation]:
    op: Operation | None = start
    while op is not None and not op.has_trait(IsolatedFromAbove):
        yield op
        op = op.parent_op()


def _forwards_somewhere(op: Operation) -> bool:
    """Whether an op has regions that may get or return buffers, in a way that is not
    known."""
    if not op.regions or REGION_BRANCH.lookup(op) is not None:
        return False
    return any(_is_buffer(value) for value in (*op.results, *entry_arguments(op)))


def _is_buffer(value: SSAValue) -> bool:
    return is_memref(value) or is_tensor(value.type)
