"""The log of remarks, which passes record.

While a log is active (`active.collecting`), passes record a *cause* for each op on
memory that they create: the op of the source program that needs it, and the reason. The
log is a separate table. It changes no op, so the result is the same with and without
it. An op that replaces a recorded one at the same location inherits its cause, so that
causes survive passes that do not handle them. At the end, each remaining op on memory
produces a remark, and so does each cause whose ops have been removed.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.ir import Attribute, Operation, SSAValue, Use

from xdsl_bufferization.remarks.model import (
    SUBJECTS,
    Cause,
    Reason,
    Remark,
    Subject,
    allocated_bytes,
    copied_bytes,
    is_conditional_dealloc,
    is_emptied,
    memory_type,
    place_of,
)


class RemarkLog:
    """The causes of the ops on memory of one program.

    Attributes:
        pass_name: the pass that runs.
        causes_of_copies: for tensor operands out of place, why: the analysis that has
            decided fills it in before copies are inserted.
        successes: the operands that are written in place.
        hints: what would avoid a copy of a value at an op. The pass that knows fills it
            in before the copy is made.
        result_hints: what would avoid a copy of a result of a function, by its number;
            None until a pass has looked at the functions.
        outside_arenas: why allocations are in no arena of a memory plan.
    """

    def __init__(self, pass_name: str = "") -> None:
        self.pass_name = pass_name
        self.causes_of_copies: dict[Use, Cause] = {}
        self.successes: list[Cause] = []
        self.hints: dict[tuple[Operation, SSAValue], str] = {}
        self.result_hints: dict[Operation, dict[int, str]] | None = None
        self.outside_arenas: dict[Operation, str] = {}
        self._causes: dict[Operation, Cause] = {}
        self._types: dict[Operation, Attribute] = {}
        self._lowered: list[Remark] = []

    def note(self, op: Operation, cause: Cause) -> None:
        """Note why an op was made, unless that is known."""
        if op not in self._causes:
            self._causes[op] = cause
            if op.name in SUBJECTS:
                self._types[op] = memory_type(op)

    def cause_of(self, op: Operation) -> Cause | None:
        return self._causes.get(op)

    def cause(
        self,
        code: str,
        op: Operation,
        value: SSAValue | None = None,
        wanted: str = "",
        hint: str | None = None,
    ) -> Cause:
        """Make a cause that names one op."""
        place = place_of(op, value)
        named = place.value or "its operand"
        reason = Reason(code, (("op", place),), named, wanted)
        if hint is None and value is not None:
            hint = self.hints.get((op, value))
        return Cause(self.pass_name, place, reason, hint)

    def _subject_of(self, op: Operation) -> Subject | None:
        subject = SUBJECTS.get(op.name)
        if subject is None and op.name == "scf.if":
            cause = self._causes.get(op)
            is_noted = cause is not None and cause.reason.code == "ownership-check"
            is_check = is_noted and not is_emptied(op)
            return "check" if is_check or is_conditional_dealloc(op) else None
        return subject

    def adopt(self, root: Operation, code: str) -> None:
        """Note a cause with all ops on memory that have none: that of an op that is gone
        from the same location, or else one with this code."""
        new: list[Operation] = []
        present: set[Operation] = set()
        for op in root.walk():
            if self._subject_of(op) is not None:
                present.add(op)
                if op not in self._causes:
                    new.append(op)
        if not new:
            return
        gone: dict[int, list[Operation]] = {}
        for op in self._causes:
            if op not in present:
                gone.setdefault(id(op.location), []).append(op)
        for op in new:
            candidates = gone.get(id(op.location), ())
            subject = self._subject_of(op)
            cause = next(
                (self._causes[c] for c in candidates if _may_become(c, op, subject)), None
            )
            self.note(op, self.cause(code, op) if cause is None else cause)

    @contextmanager
    def lowering(self, root: Operation, pass_name: str) -> Generator[None]:
        """Take ops on memory that are gone after a pass as lowered, not as removed."""
        before: dict[Operation, Subject] = {}
        for op in root.walk():
            subject = self._subject_of(op) if op in self._causes else None
            if subject is not None:
                before[op] = subject
        sizes = {op: _size(op, subject) for op, subject in before.items()}
        yield
        left = set(root.walk())
        for op, subject in before.items():
            if op not in left:
                cause, (size, text) = self._causes[op], sizes[op]
                remark = Remark(subject, cause, size, text, lowered_by=pass_name)
                self._lowered.append(remark)

    def remarks(self, root: Operation) -> list[Remark]:
        """Make the remarks on a program: one for each op on memory, in program order,
        then those on what was avoided."""
        self.adopt(root, "by-pass")
        found: list[Remark] = list(self._lowered)
        left = {remark.cause for remark in found}
        for op in root.walk():
            subject = self._subject_of(op)
            if subject is not None:
                cause = self._causes[op]
                left.add(cause)
                outside = self.outside_arenas.get(op)
                size = _size(op, subject)
                found.append(Remark(subject, cause, *size, op, outside_arena=outside))
        avoided: dict[Cause, Remark] = {}
        for op, cause in self._causes.items():
            subject = SUBJECTS.get(op.name)
            if subject is not None and cause not in left:
                type_ = self._types[op]
                if cause not in avoided or subject == "copy":
                    avoided[cause] = Remark(
                        subject, cause, *_size_of(type_, subject), removed=True
                    )
        found += avoided.values()
        found += (Remark("in-place", cause) for cause in self.successes)
        return found


def _size(op: Operation, subject: Subject) -> tuple[int | None, str]:
    """The bytes and the type of the memory that an op is about."""
    return _size_of(memory_type(op), subject)


def _size_of(type_: Attribute, subject: Subject) -> tuple[int | None, str]:
    if subject == "check":
        return None, str(type_)
    size = allocated_bytes if subject == "allocation" else copied_bytes
    return size(type_), str(type_)


def _may_become(old: Operation, new: Operation, subject: Subject | None) -> bool:
    """Whether a pass may have made `new`, of this subject, from `old`."""
    if subject == "check":
        return old.name == new.name
    was = SUBJECTS.get(old.name)
    return was is None or was == subject or was == "clone" or old.name == "memref.realloc"
