"""The data model of remarks: why a pass makes, or avoids, a copy or an allocation.

The kinds are those of LLVM's remarks: *missed* (a copy that an optimization could not
avoid), *passed* (a copy that was avoided), *analysis* (memory that the program
allocates).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.dialects.memory_layout import element_bytes, static_bytes
from xdsl_bufferization.dialects.shapes import is_memref
from xdsl_bufferization.error_positions import enclosing_function
from xdsl_bufferization.locations import position_of_location, source_line
from xdsl_bufferization.remarks.names import value_name

Kind: TypeAlias = Literal["passed", "missed", "analysis"]
Subject: TypeAlias = Literal["copy", "allocation", "clone", "check", "in-place"]

SUBJECTS: dict[str, Subject] = {
    "memref.alloc": "allocation",
    "memref.alloca": "allocation",
    "memref.realloc": "allocation",
    "memref.copy": "copy",
    "linalg.copy": "copy",
    "bufferization.clone": "clone",
}
"""The ops that each make one remark; an scf.if that frees makes one, too."""


def is_conditional_dealloc(op: Operation) -> bool:
    """Whether an scf.if does nothing but free: a check at run time of who owns what."""
    if op.results or not op.regions or (block := op.regions[0].blocks.first) is None:
        return False
    *freeing, _ = block.ops
    return bool(freeing) and all(each.name == "memref.dealloc" for each in freeing)


def is_emptied(op: Operation) -> bool:
    """Whether nothing is left in the first region of an op: what was freed there is freed
    by other ops by now."""
    block = op.regions[0].blocks.first
    return block is None or block.first_op is block.last_op


def memory_type(op: Operation) -> Attribute:
    """Return the type of the memory that an op of a remark is about."""
    if op.name == "scf.if":
        freed = op.regions[0].blocks.first
        assert freed is not None and freed.first_op is not None
        return memory_type(freed.first_op)
    values = op.results or op.operands
    return values[0].type


_OP_NAME = re.compile(r'"?([a-zA-Z_][\w.$-]*)')


@dataclass(frozen=True)
class Place:
    """An op of the program, as it was when it was named.

    Attributes:
        op: the name of the op.
        location: its location.
        function: the name of the function around it.
        value: the name in the source of the value that is meant, with its `%`.
    """

    op: str
    location: LocationAttr
    function: str | None = None
    value: str | None = None

    @property
    def position(self) -> str | None:
        """`file:line:column`, or None where that is unknown."""
        return position_of_location(self.location)

    @property
    def name(self) -> str:
        """The op's name, or, of one that a pass has made, that of the op of the source
        program at its location."""
        shown = source_line(self.location)
        if shown is None:
            return self.op
        text, column = shown
        found = _OP_NAME.match(text, column - 1)
        if found is None or self.op.endswith(found[1]):
            return self.op
        return found[1]

    def __str__(self) -> str:
        position = self.position
        return self.name if position is None else f"{self.name} ({position})"


def place_of(op: Operation, value: SSAValue | None = None) -> Place:
    """Name an op, and a value that it uses or defines."""
    return Place(op.name, op.location, enclosing_function(op), value_name(value))


@dataclass(frozen=True)
class ReasonKind:
    """What reasons of one code have in common."""

    kind: Kind
    text: str
    """A sentence without a full stop, with the roles of places in braces."""


REASONS = {
    "later-read": ReasonKind(
        "missed",
        "{write} would overwrite {value} in place, but {read} reads the old contents "
        "afterwards",
    ),
    "next-iteration": ReasonKind(
        "missed",
        "{write} would overwrite {value} in place, but {read} reads the old contents "
        "in a later iteration",
    ),
    "later-read-of-other": ReasonKind(
        "missed",
        "{write} would overwrite {value} in place, but {read} afterwards reads {other}, "
        "which may be in the same buffer",
    ),
    "next-iteration-of-other": ReasonKind(
        "missed",
        "{write} would overwrite {value} in place, but {read} in a later iteration "
        "reads {other}, which may be in the same buffer",
    ),
    "same-op": ReasonKind(
        "missed",
        "{write} would overwrite {value} in place while it still reads the old contents",
    ),
    "shared-buffer": ReasonKind(
        "missed",
        "{op} would make {value} share a buffer that {write} overwrites before {read} "
        "reads the old contents",
    ),
    "shared-buffer-same-op": ReasonKind(
        "missed",
        "{op} would make {value} share a buffer that {write} overwrites while it still "
        "reads the old contents",
    ),
    "read-only": ReasonKind(
        "missed", "{op} would write {value} in place, but {source} must not be written"
    ),
    "parallel-loop": ReasonKind(
        "missed",
        "{write} is in a parallel loop, and {value} is from outside of it: each "
        "iteration needs a buffer of its own",
    ),
    "unanalyzed": ReasonKind("missed", "{op} may write {value}, and was not analysed"),
    "loop-yield": ReasonKind(
        "missed",
        "{op} yields {value}, which is not the buffer that the loop carries",
    ),
    "unknown-op": ReasonKind(
        "missed",
        "{op} is not bufferized, and what it makes of {value} is read after that is "
        "overwritten",
    ),
    "changed-global": ReasonKind(
        "missed", "{op} loads a global that is stored to while {value} is in use"
    ),
    "snapshot": ReasonKind(
        "missed",
        "{op} takes the contents of {value}, which other ops may overwrite while the "
        "tensor is in use",
    ),
    "layout": ReasonKind(
        "missed", "{op} needs a buffer of type {wanted}, which {value} cannot be cast to"
    ),
    "ownership": ReasonKind(
        "missed",
        "{op} transfers {value} to an owner that frees it, but {value} may not be owned "
        "here",
    ),
    "new-tensor": ReasonKind("analysis", "{op} makes a new tensor"),
    "branch": ReasonKind(
        "missed",
        "{op} yields {value}, which must not be overwritten, and another branch yields a "
        "tensor that it has updated",
    ),
    "contents": ReasonKind("analysis", "{op} copies its source into its destination"),
    "arena": ReasonKind(
        "analysis", "an arena, for this buffer and those that share its memory"
    ),
    "program": ReasonKind("analysis", "the program asks for it"),
    "ownership-check": ReasonKind(
        "analysis", "whether {value} is freed at {op} is decided at run time"
    ),
    "ownership-list": ReasonKind(
        "analysis", "the owners of the buffers at {op} are determined at run time"
    ),
    "by-pass": ReasonKind("analysis", "a pass made it for {op}"),
    "in-place": ReasonKind("passed", "{op} writes the buffer of {value} in place"),
}
"""The reasons that there are, by code."""


@dataclass(frozen=True)
class Reason:
    """Why memory is copied or allocated.

    Attributes:
        code: a key of `REASONS`.
        places: the ops that the reason names, by role: `op`, `read`, `write`, `source`.
        value: how the tensor or buffer is named.
        wanted: the type that is asked for, with the code `layout`.
    """

    code: str
    places: tuple[tuple[str, Place], ...] = ()
    value: str = "its operand"
    wanted: str = ""

    @property
    def kind(self) -> Kind:
        return REASONS[self.code].kind

    @property
    def text(self) -> str:
        """One sentence without a full stop."""
        named = dict(self.places)
        own = named.get("op")
        words = {
            # Where the remark is itself, it need not say.
            role: place.name
            if own is not None and place.location is own.location
            else str(place)
            for role, place in named.items()
        }
        if (source := named.get("source")) is not None and source.value is not None:
            words["source"] = f"{source.value} of {words['source']}"
        if (read := named.get("read")) is not None:
            words["other"] = read.value or "another tensor"
        return REASONS[self.code].text.format(
            **words, value=self.value, wanted=self.wanted
        )


@dataclass(frozen=True, eq=False)
class Cause:
    """What led to one or more ops on memory.

    Attributes:
        pass_name: the pass that decided.
        place: the op of the source program that they are for.
        hint: what would avoid the copy. Given only where it does.
    """

    pass_name: str
    place: Place
    reason: Reason
    hint: str | None = None


@dataclass(frozen=True, eq=False)
class Remark:
    """Why there is, or is not, one op on memory.

    Attributes:
        subject: what the op does; `in-place` where there is none.
        bytes: the size of the memory, or None where it depends on sizes at run time.
        type: the type of the memory, as text.
        op: the op in the program that came out, or None when there is none any more.
        removed: whether a later pass could do without the op.
        lowered_by: the pass that has made other ops of the op, or "".
        outside_arena: why an allocation is in no arena of a memory plan; None if it is
            in one, or there is no plan.
    """

    subject: Subject
    cause: Cause
    bytes: int | None = None
    type: str = ""
    op: Operation | None = field(default=None, repr=False)
    removed: bool = False
    lowered_by: str = ""
    outside_arena: str | None = None

    @property
    def is_there(self) -> bool:
        """Whether the program that came out does what the remark is about."""
        return self.op is not None or self.lowered_by != ""

    @property
    def is_on_stack(self) -> bool:
        """Whether memory is allocated on the stack."""
        return self.op is not None and self.op.name == "memref.alloca"

    @property
    def kind(self) -> Kind:
        return "passed" if self.removed else self.cause.reason.kind

    @property
    def place(self) -> Place:
        return self.cause.place

    @property
    def pass_name(self) -> str:
        return self.cause.pass_name

    @property
    def reason(self) -> Reason:
        return self.cause.reason

    @property
    def hint(self) -> str | None:
        return None if self.removed else self.cause.hint

    @property
    def name(self) -> str:
        """The name of the remark in LLVM's schema."""
        if self.subject == "in-place":
            return "InPlace"
        return self.subject.capitalize() + ("Removed" if self.removed else "")

    @property
    def message(self) -> str:
        """One line without a full stop, with the reason and without the hint."""
        if self.subject == "in-place":
            return self.reason.text
        if self.subject == "check":
            return f"checks who owns a buffer: {self.reason.text}"
        size = "memory" if self.bytes is None else format_bytes(self.bytes)
        if self.bytes is None and self.type:
            size = self.type
        verb = "allocates" if self.subject == "allocation" else "copies"
        if self.removed:
            return f"no longer {verb} {size}: a later pass could avoid it"
        where = " on the stack" if self.is_on_stack else ""
        return f"{verb} {size}{where}: {self.reason.text}"

    def __str__(self) -> str:
        position = self.place.position
        prefix = "" if position is None else f"{position}: "
        hint = "" if self.hint is None else f"; {self.hint}"
        origin = f" [{self.pass_name}]" if self.pass_name else ""
        return f"{prefix}remark: {self.message}{hint}{origin}"


def format_bytes(size: int) -> str:
    """Return a size for readers, in powers of 1024: `40 bytes`, `1.5 KiB`."""
    if size < 1024:
        return f"{size} byte{'' if size == 1 else 's'}"
    amount, unit = size / 1024, "KiB"
    for larger in ("MiB", "GiB", "TiB"):
        if amount < 1024:
            break
        amount, unit = amount / 1024, larger
    return f"{amount:.1f}".removesuffix(".0") + f" {unit}"


def copied_bytes(type_: Attribute) -> int | None:
    """Return the bytes of all elements of a buffer of static shape, else None."""
    if not is_memref(type_) or not type_.has_static_shape():
        return None
    element = element_bytes(type_.element_type)
    return None if element is None else type_.element_count() * element


def allocated_bytes(type_: Attribute) -> int | None:
    """Return the bytes of a buffer of static shape, those between its elements included,
    else None."""
    return static_bytes(type_) if is_memref(type_) else None
