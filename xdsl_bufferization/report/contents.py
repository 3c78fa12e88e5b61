"""The contents of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from xdsl_bufferization.remarks.model import Remark, format_bytes
from xdsl_bufferization.report.listing import Listing
from xdsl_bufferization.report.memory import Allocation, FunctionMemory, Peak


@dataclass(frozen=True)
class Executed:
    """What one copy or allocation of the result has done while the program ran.

    Attributes:
        remark: why it is there, and where.
        times: how often it was executed.
        bytes: how many bytes it has copied or allocated in all.
    """

    remark: Remark
    times: int
    bytes: int

    def __str__(self) -> str:
        position = self.remark.place.position
        prefix = "" if position is None else f"{position}: "
        verb = "allocated" if self.remark.subject == "allocation" else "copied"
        done = f"{_count(self.times, 'time', 'times')}, {format_bytes(self.bytes)}"
        return f"{prefix}{self.remark.place.name}: {verb} {done}"


@dataclass(frozen=True)
class Contents:
    """The copies, allocations and peak of a program, with the reasons.

    Attributes:
        passes: what was run.
        source: the program as it was.
        result: the program that came out.
        remarks: all remarks; those on memory that is there come first, in its order.
        functions: the memory of each function.
        links: for each line of the result, the line of the source it comes from, or 0.
        buffers: for lines of the result that use memrefs, the numbers of the buffers,
            whatever their names; first the one that the op makes or writes.
        executed: what copies and allocations have done, counted; None if nothing was.
    """

    passes: str
    source: Listing
    result: Listing
    remarks: tuple[Remark, ...]
    functions: tuple[FunctionMemory, ...]
    links: tuple[int, ...]
    executed: tuple[Executed, ...] | None = None
    buffers: Mapping[int, Sequence[int]] = field(default_factory=dict[int, list[int]])

    @property
    def copies(self) -> tuple[Remark, ...]:
        """The copies of the result, clones included, each with its reason."""
        return tuple(
            remark
            for remark in self.remarks
            if remark.is_there and remark.subject in ("copy", "clone")
        )

    @property
    def ownership_checks(self) -> tuple[Remark, ...]:
        """The places where the program finds out, while it runs, whether to free."""
        return tuple(
            remark
            for remark in self.remarks
            if remark.is_there and remark.subject == "check"
        )

    @property
    def allocations(self) -> tuple[Allocation, ...]:
        """The allocations of the result, function by function, without the stack and
        the arenas that the caller passes."""
        return tuple(
            allocation
            for memory in self.functions
            for allocation in memory.allocations
            if not (allocation.is_on_stack or allocation.is_argument)
        )

    @property
    def peak(self) -> Peak | None:
        """The largest peak of a function, an estimate; None if there is no function.

        It is complete only if those of all functions are: one of unknown size may be the
        largest.
        """
        peaks = [memory.peak for memory in self.functions]
        if not peaks:
            return None
        largest = max(peaks, key=lambda peak: peak.bytes)
        return replace(largest, is_complete=all(peak.is_complete for peak in peaks))

    @property
    def bytes_copied(self) -> int | None:
        """What all copies copy if each runs once; None where a size is not known."""
        total = 0
        for remark in self.copies:
            if remark.bytes is None:
                return None
            total += remark.bytes
        return total

    @property
    def summary(self) -> str:
        """One line."""
        if self.executed is not None:
            return self._counted_summary(self.executed)
        peak, copied = self.peak, self.bytes_copied
        words = [
            _count(len(self.copies), "copy", "copies"),
            "of sizes known at run time" if copied is None else format_bytes(copied),
            _count(len(self.allocations), "allocation", "allocations"),
        ]
        if peak is not None:
            at_least = "" if peak.is_complete else "at least "
            words.append(f"peak {at_least}{format_bytes(peak.bytes)} (estimated)")
            if peak.on_stack:
                words.append(f"{format_bytes(peak.on_stack)} of them on the stack")
            if peak.passed:
                words.append(
                    f"{format_bytes(peak.passed)} of them in arenas of the caller"
                )
        return ", ".join(words)

    def _counted_summary(self, executed: tuple[Executed, ...]) -> str:
        copies = [e for e in executed if e.remark.subject != "allocation"]
        allocations = [
            e
            for e in executed
            if e.remark.subject == "allocation" and not e.remark.is_on_stack
        ]
        return ", ".join(
            (
                _count(sum(e.times for e in copies), "copy", "copies"),
                format_bytes(sum(e.bytes for e in copies)),
                _count(sum(e.times for e in allocations), "allocation", "allocations"),
                f"{format_bytes(sum(e.bytes for e in allocations))} (counted)",
            )
        )


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
