"""What the checker of memory plans knows at a point of a function."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from xdsl_bufferization.checkers.places import each_bit


@dataclass(slots=True)
class State:
    """What names may be, as bits; all others are fresh.

    `older` are, by place, the names that it was forwarded to before it was made again.
    The bits of `freed` and `earlier` are those of ArenaMemory: of memory that may have
    been freed, and for that of each root of names that surely are not what it is now:
    other memory, or what it was before it was allocated again.
    `held` are the places that something may access from now on without a name.
    """

    used: int = 0
    lost: int = 0
    older: dict[int, int] = field(default_factory=dict[int, int])
    freed: int = 0
    earlier: dict[int, int] = field(default_factory=dict[int, int])
    held: int = 0
    is_reached: bool = True

    @staticmethod
    def nowhere() -> State:
        """The state where control never comes, before anything is joined to it."""
        return State(is_reached=False)

    def copy(self) -> State:
        return replace(self, older=dict(self.older), earlier=dict(self.earlier))

    def join(self, other: State) -> bool:
        """Add what may be on another path. Return whether that is anything new."""
        before = self.copy()
        self.used |= other.used
        self.lost |= other.lost
        for place, names in other.older.items():
            self.older[place] = self.older.get(place, 0) | names
        self.freed |= other.freed
        if not self.is_reached:
            self.earlier = dict(other.earlier)
        elif other.is_reached:
            both = {
                root: names & other.earlier.get(root, 0)
                for root, names in self.earlier.items()
            }
            self.earlier = {root: names for root, names in both.items() if names}
        self.is_reached |= other.is_reached
        self.held |= other.held
        return self != before

    def bind(
        self, target: int, sources: int, places: int, before: State | None = None
    ) -> None:
        """Let a name be one of others, as they were before, from now on; all are given as
        bits, with those of the places that it may be."""
        before = before or self
        used = target if before.used & sources else 0
        lost = target if before.lost & sources else 0
        self.used = self.used & ~target | used
        self.lost = self.lost & ~target | lost
        for place in each_bit(places) if before.older or self.older else ():
            older = target if before.older.get(place, 0) & sources else 0
            names = self.older.get(place, 0) & ~target | older
            if names:
                self.older[place] = names
            else:
                self.older.pop(place, None)
