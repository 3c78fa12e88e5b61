"""Which memory a dealloc owns and frees, while one allocation is followed.

    bufferization.dealloc (%a, %b, %c) if (%o0, %o1, %o2) retain (%r)

%b is freed if %o1 is true, and it is neither in the memory of %a nor of %r. A dealloc of
*n* memrefs compares each with all others. Most questions are about the allocation that is
followed, and for these only the memrefs that are in it are compared: the *names* of the
memory of each entry are found once for the program, and the entries in the allocation by
the names in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

from xdsl.ir import OpResult, SSAValue

from xdsl_bufferization.checkers.lifetimes.helper import Dealloc
from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.interfaces.memory_effects import is_memref
from xdsl_bufferization.interfaces.view_like import VIEW_LIKE

Truth: TypeAlias = bool | None
"""None where it is not known."""


class Followed:
    """The allocation that is followed."""


FOLLOWED: Final = Followed()
Memory: TypeAlias = Followed | SSAValue | None
"""Which memory a pointer is of: the one that is followed, that of another memref, or none
that is known."""


@dataclass(eq=False)
class Names:
    """The memrefs that are in the same memory as a memref or an aligned pointer.

    Attributes:
        names: it is in the allocation if any of these is.
        otherwise: the memory that it is in if none of them is.
    """

    names: Sequence[SSAValue]
    otherwise: SSAValue | None

    def memory(self, inside: Set[SSAValue]) -> Memory:
        """Return the memory, where some memrefs are in the allocation."""
        is_followed = any(name in inside for name in self.names)
        return FOLLOWED if is_followed else self.otherwise


def names_of(value: SSAValue) -> Names:
    """Find the names of the memory of a memref or an aligned pointer: the memref, and
    those of which it is a view. Some views move the aligned pointer."""
    is_pointer = not is_memref(value)
    if is_pointer:
        op = value.owner
        if not isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
            return Names((), None)
        value = op.operands[0]
    names = [value]
    while isinstance(value, OpResult) and value.index == 0:
        model = VIEW_LIKE.lookup(value.op)
        if model is None:
            break
        if is_pointer and model.may_move_pointer(value.op):
            return Names(names, None)
        value = model.get_view_source(value.op)
        names.append(value)
    return Names(names, value)


def same(first: Memory, second: Memory) -> Truth:
    """Return whether two pointers are equal. That freed memory may be allocated again is
    ignored."""
    if first is None or second is None:
        return None
    if first is second:
        return True
    if first is FOLLOWED or second is FOLLOWED:
        return False
    return False if _is_new(first) and _is_new(second) else None


def _is_new(memory: Memory) -> bool:
    """Return whether it is an allocation: two allocations definitely differ."""
    return isinstance(memory, SSAValue) and isinstance(
        memory.owner, memref.AllocOp | bufferization.CloneOp
    )


@dataclass(eq=False)
class Entries:
    """A list of memrefs or pointers that a dealloc is given.

    Attributes:
        names: of each.
        by_name: the entries that are in the allocation if a memref is.
        unclear: the entries whose memory is not known, unless it is the allocation.
    """

    names: Sequence[Names]
    by_name: dict[SSAValue, list[int]] = field(default_factory=dict[SSAValue, list[int]])
    unclear: list[int] = field(default_factory=list[int])

    def __post_init__(self) -> None:
        for index, each in enumerate(self.names):
            for name in each.names:
                self.by_name.setdefault(name, []).append(index)
            if each.otherwise is None:
                self.unclear.append(index)
        self._all = frozenset(self.by_name)

    def followed(self, inside: Set[SSAValue]) -> Sequence[int]:
        """Return the entries in the allocation, in order."""
        found = {i for name in self._all & inside for i in self.by_name[name]}
        return sorted(found)


@dataclass(eq=False)
class Lists:
    """The lists of a dealloc: what may be freed, and what is retained."""

    memory: Entries
    retained: Entries

    @classmethod
    def of(cls, dealloc: Dealloc, find: Callable[[SSAValue], Names]) -> Lists:
        memory, retained = dealloc.memory, dealloc.retained
        return cls(Entries(list(map(find, memory))), Entries(list(map(find, retained))))


class Owners:
    """Which memory a dealloc owns, and frees, in one situation.

    Args:
        inside: the memrefs that are in the allocation.
        is_owned: whether the condition of an entry holds.
    """

    def __init__(
        self, lists: Lists, inside: Set[SSAValue], is_owned: Callable[[int], Truth]
    ) -> None:
        self._memory, self._retained = lists.memory, lists.retained
        self._inside, self._is_owned = inside, is_owned

    @cached_property
    def followed(self) -> Sequence[int]:
        """The entries of memory that are in the allocation, in order."""
        return self._memory.followed(self._inside)

    @cached_property
    def _is_retained(self) -> bool:
        return bool(self._retained.followed(self._inside))

    def _memory_of(self, names: Names) -> Memory:
        return names.memory(self._inside)

    def owns(self, index: int) -> Truth:
        """Return whether any of the owned memory is that of a retained memref."""
        memory = self._memory_of(self._retained.names[index])
        if memory is FOLLOWED:
            return self._owns_followed()
        owned = [(m, t) for m, t in self._owned if t is not False]
        maybe = {m for m, _ in owned}
        if memory is not None and (memory, True) in owned:
            return True
        if memory is None or None in maybe:
            return None if maybe else False
        if memory in maybe:
            return None
        others = maybe - {FOLLOWED}
        is_old = any(not _is_new(m) for m in others)
        return None if others and (is_old or not _is_new(memory)) else False

    @cached_property
    def _owned(self) -> Sequence[tuple[Memory, Truth]]:
        """The memory of each entry, and whether it is owned."""
        entries = enumerate(self._memory.names)
        return [(self._memory_of(names), self._is_owned(n)) for n, names in entries]

    def _owns_followed(self) -> Truth:
        truths = [self._is_owned(index) for index in self.followed]
        if True in truths:
            return True
        unclear = set(self._memory.unclear).difference(self.followed)
        truths += [self._is_owned(index) for index in unclear]
        return False if all(truth is False for truth in truths) else None

    def frees(self, index: int) -> Truth:
        """Return whether memory is freed by its entry: it is owned, not retained, and not
        freed by an entry before."""
        truth = self._is_owned(index)
        if truth is False:
            return False
        memory = self._memory_of(self._memory.names[index])
        if memory is FOLLOWED:
            if self._is_retained or self.followed[0] < index:
                return False
            unclear = self._memory.unclear
            # None of these is in the allocation.
            is_unclear = bool(self._retained.unclear) or (
                bool(unclear) and unclear[0] < index
            )
            return None if is_unclear else truth
        is_unknown = False
        for others in (self._retained.names, self._memory.names[:index]):
            for other in others:
                equal = same(memory, self._memory_of(other))
                if equal:
                    return False
                is_unknown = is_unknown or equal is None
        return None if is_unknown else truth
