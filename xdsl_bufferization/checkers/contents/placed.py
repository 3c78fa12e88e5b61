"""The tensors in the views of one base, by place.

A write damages what overlaps it, and a read needs what it overlaps. Many views of one
base, such as the parts that a tensor.concat is put together from, are slices at constant
offsets. They are kept sorted in one dimension, so that those that are definitely
elsewhere are not visited.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Mapping

from xdsl_bufferization.analysis.facts.slices import Slice
from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.checkers.contents.memory import Damage
from xdsl_bufferization.checkers.contents.views import View

_FEW = 8
"""So many views are not sorted."""


class Placed(dict[View, dict[int, Damage]]):
    """By view of one base, the tensors in it and what is damaged of each.

    Args:
        views: what is in it from the start.
    """

    def __init__(self, views: Mapping[View, dict[int, Damage]] | None = None) -> None:
        super().__init__(views or {})
        self._sorted: _Sorted | None = None

    def __setitem__(self, view: View, inside: dict[int, Damage]) -> None:
        if self._sorted is not None and view not in self:
            self._sorted.add(view)
        super().__setitem__(view, inside)

    def __delitem__(self, view: View) -> None:
        if self._sorted is not None:
            self._sorted.remove(view)
        super().__delitem__(view)

    def near(self, view: View) -> Collection[View]:
        """Return the views, except for those that definitely share no element with this
        one."""
        if len(self) <= _FEW:
            return self.keys()
        if self._sorted is None or len(self) > 2 * self._sorted.size:
            self._sorted = _Sorted(self.keys())
        found = self._sorted.near(view)
        return self.keys() if found is None else found


class _Sorted:
    """Views, sorted by the indices of their first slices in the dimension in which these
    differ most.

    Attributes:
        size: how many views there were when they were sorted.
    """

    def __init__(self, views: Collection[View]) -> None:
        self.size = len(views)
        slices = [slice_ for view in views if (slice_ := _first_slice(view))]
        self._rank = max((len(slice_.offsets) for slice_ in slices), default=0)
        self._dimension = max(
            range(self._rank),
            key=lambda dimension: len(
                {
                    constant_of(slice_.offsets[dimension])
                    for slice_ in slices
                    if len(slice_.offsets) == self._rank
                }
            ),
            default=0,
        )
        self._spans: list[tuple[int, int, int]] = []
        """The first and the last index of each view, and its number."""
        self._views: dict[int, View] = {}
        self._numbers: dict[View, int] = {}
        self._elsewhere: dict[View, None] = {}
        """The views that have no such indices, or unknown ones."""
        self._longest = 0
        self._next = 0
        for view in views:
            self.add(view)

    def add(self, view: View) -> None:
        """Add a view."""
        span = self._span(view)
        if span is None:
            self._elsewhere[view] = None
            return
        number = self._numbers[view] = self._next
        self._next += 1
        self._views[number] = view
        insort(self._spans, (*span, number))
        self._longest = max(self._longest, span[1] - span[0])

    def remove(self, view: View) -> None:
        """Remove a view."""
        span = self._span(view)
        if span is None:
            del self._elsewhere[view]
            return
        number = self._numbers.pop(view)
        del self._views[number]
        del self._spans[bisect_left(self._spans, (*span, number))]

    def near(self, view: View) -> Collection[View] | None:
        """Return the views that may overlap one; None if its place is not known."""
        span = self._span(view)
        if span is None:
            return None
        low, high = span
        begin = bisect_left(self._spans, (low - self._longest,))
        end = bisect_right(self._spans, high, begin, key=lambda span: span[0])
        return [
            *self._elsewhere,
            *(
                self._views[number]
                for _, last, number in self._spans[begin:end]
                if last >= low
            ),
        ]

    def _span(self, view: View) -> tuple[int, int] | None:
        slice_ = _first_slice(view)
        if slice_ is None or len(slice_.offsets) != self._rank or not self._rank:
            return None
        dimension = self._dimension
        offset, size, stride = (
            constant_of(numbers[dimension])
            for numbers in (slice_.offsets, slice_.sizes, slice_.strides)
        )
        if offset is None or size is None or stride is None or size < 1 or stride < 0:
            return None
        return offset, offset + (size - 1) * stride


def _first_slice(view: View) -> Slice | None:
    first = view.steps[0] if view.steps else None
    return first if isinstance(first, Slice) else None
