"""PQ-trees: all orders of the leaves in which given sets are consecutive.

The children of a P-node may be in any order, those of a Q-node in one order or its
reverse. Here the leaves are what is live at a time, from the bottom of the memory to the
top. Where some of it ends, and as many bytes start, it is consecutive, and leaves for
what starts take its place:

    P(a b c d)    a, b end, e starts    P(e c d)
                  e, c end, f, g start  P(P(f g) d)

At the end, any order that is left tells the offsets of all. What has been replaced is
kept with a mark next to its successors if it is in a Q-node: as that may be reversed
later, it is known only then in which order the replaced ones were.

The templates are those of Booth and Lueker, "Testing for the consecutive ones property,
interval graphs, and graph planarity using PQ-tree algorithms" (JCSS 13, 1976), which
replaces leaves in the same way to test whether a graph is planar: an op takes time for
all children of the nodes that it changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

_LEAF, _P, _Q, _MARK = range(4)
_EMPTY, _PARTIAL, _FULL, _NEUTRAL = range(4)
"""Whether a subtree has no leaf of a set, some, or only such; a mark has no leaves."""


class Replacement:
    """Leaves that have been replaced.

    Attributes:
        before: the one before it.
        replaced: the nodes that were there, from the bottom to the top.
        leaves: the numbers of the new leaves.
    """

    __slots__ = ("before", "leaves", "replaced")

    def __init__(
        self, before: Replacement | None, replaced: list[_Node], leaves: Sequence[int]
    ):
        self.before = before
        self.replaced = replaced
        self.leaves = leaves


class _Node:
    """A node with `size` leaves. The content of a leaf is its number, that of a mark the
    replacement beside it, in reverse if `is_reversed`. A leaf is alone if no others of
    its node have come with it."""

    __slots__ = (
        *("children", "content", "is_alone", "is_reversed", "kind", "parent", "size"),
    )

    def __init__(
        self,
        kind: int,
        children: list[_Node],
        content: int | Replacement = -1,
        is_reversed: bool = False,
    ):
        self.kind = kind
        self.children = children
        self.content = content
        self.is_reversed = is_reversed
        self.is_alone = False
        self.parent: _Node | None = None
        self.size = 1 if kind == _LEAF else 0
        for child in children:
            child.parent = self
            self.size += child.size


_Counts: TypeAlias = dict[_Node, int]
"""How many leaves of a set a node has, for those that have any."""


class PQTree:
    """A tree of numbered leaves."""

    __slots__ = ("_last", "_leaves", "_root")

    def __init__(self, numbers: Iterable[int]):
        self._leaves: dict[int, _Node] = {}
        self._root = self._build(numbers)
        self._last: Replacement | None = None

    @property
    def size(self) -> int:
        """The number of leaves."""
        return self._root.size

    def copy(self) -> PQTree:
        """Return a copy, which shares what has been replaced."""
        copied = PQTree.__new__(PQTree)
        copied._last = self._last
        leaves = copied._leaves = {}
        root = copied._root = _shallow_copy(self._root)
        work = [root]
        for node in work:
            if node.kind == _LEAF:
                assert isinstance(node.content, int)
                leaves[node.content] = node
            children = node.children = [_shallow_copy(child) for child in node.children]
            for child in children:
                child.parent = node
            work += children
        return copied

    def can_replace(self, numbers: Sequence[int]) -> bool:
        """Return whether leaves are consecutive in one of the orders."""
        return self._find_root(self._count(numbers), numbers) is not None

    def replace(self, numbers: Sequence[int], new: Sequence[int]) -> bool:
        """Keep the orders in which leaves are consecutive, and replace these by new ones,
        in any order. Return False, and change nothing, if there is no such order."""
        counts = self._count(numbers)
        node = self._find_root(counts, numbers)
        if node is None:
            return False
        for number in numbers:
            del self._leaves[number]
        made = self._build(new)
        replacement = self._last = Replacement(self._last, [], new)
        growth = len(new) - len(numbers)
        if counts[node] == node.size:
            replacement.replaced.append(node)
            self._put_in_place(node, made)
            node = made
        elif node.kind == _P:
            self._replace_in_p(node, made, counts, replacement)
            node.size += growth
        else:
            self._replace_in_q(node, made, counts, replacement)
            node.size += growth
        around = node.parent
        while around is not None:
            around.size += growth
            around = around.parent
        return True

    def split(self, number: int, parts: Sequence[int]) -> None:
        """Replace a leaf by several: it stands for bytes that need not be consecutive if
        others have taken the place of something together with them."""
        leaf = self._leaves.pop(number)
        parent = leaf.parent
        self._last = Replacement(self._last, [leaf], parts)
        made = [_Node(_LEAF, [], part) for part in parts]
        self._leaves.update(zip(parts, made, strict=True))
        if parent is not None and parent.kind == _P and not leaf.is_alone:
            parent.children.remove(leaf)
            parent.children += made
        else:
            node = _group(made)
            self._put_in_place(leaf, node)
            made = [node] if parent is not None else []
        around = parent
        for node in made:
            node.parent = parent
        while around is not None:
            around.size += len(parts) - 1
            around = around.parent

    def find_offsets(self, size_of: Callable[[int], int]) -> dict[int, int]:
        """Return the offsets of all leaves there have been, in one of the orders."""
        reversed_: dict[Replacement, bool] = {}
        offsets: dict[int, int] = {}

        def put(nodes: Sequence[_Node], is_reversed: bool, offset: int) -> None:
            for leaf in _list_leaves(nodes, is_reversed, reversed_):
                offsets[leaf] = offset
                offset += size_of(leaf)

        put([self._root], False, 0)
        replacement = self._last
        while replacement is not None:
            start = min(map(offsets.__getitem__, replacement.leaves))
            put(replacement.replaced, reversed_.get(replacement, False), start)
            replacement = replacement.before
        return offsets

    def _build(self, numbers: Iterable[int]) -> _Node:
        leaves = [_Node(_LEAF, [], number) for number in numbers]
        for leaf in leaves:
            assert isinstance(leaf.content, int)
            self._leaves[leaf.content] = leaf
            leaf.is_alone = len(leaves) == 1
        return _group(leaves)

    def _put_in_place(self, old: _Node, new: _Node) -> None:
        parent = new.parent = old.parent
        if parent is None:
            self._root = new
        else:
            parent.children[parent.children.index(old)] = new

    # What a set of leaves has to do with the nodes.

    def _count(self, numbers: Sequence[int]) -> _Counts:
        counts: _Counts = {}
        for number in numbers:
            node: _Node | None = self._leaves[number]
            while node is not None:
                counts[node] = counts.get(node, 0) + 1
                node = node.parent
        return counts

    def _find_root(self, counts: _Counts, numbers: Sequence[int]) -> _Node | None:
        """Return the lowest node with all leaves of a set; None if they cannot be
        consecutive."""
        node = self._leaves[numbers[0]]
        while counts[node] < len(numbers):
            assert node.parent is not None
            node = node.parent
        if counts[node] == node.size:
            return node
        if node.kind == _P:
            partial = [c for c in node.children if _state(c, counts) == _PARTIAL]
            fits = len(partial) <= 2
        else:
            partial, fits = _check_run(node.children, counts)
        return node if fits and all(_is_one_sided(c, counts) for c in partial) else None

    def _replace_in_p(
        self, node: _Node, made: _Node, counts: _Counts, replacement: Replacement
    ) -> None:
        empty, partial, full = _sort_children(node, counts)
        if not partial:
            replacement.replaced.append(_group(full))
            node.children = [*empty, made]
            made.parent = node
            return
        row = _straighten(partial[0], counts)
        if full:
            row.append(_group_full(full, counts))
        if len(partial) > 1:
            row += _reverse(_straighten(partial[1], counts))
        row = _put_in_row(row, made, counts, replacement)
        if empty:
            row_node = _Node(_Q, row)
            node.children = [*empty, row_node]
            row_node.parent = node
        else:
            node.kind = _Q
            node.children = row
            for child in row:
                child.parent = node

    def _replace_in_q(
        self, node: _Node, made: _Node, counts: _Counts, replacement: Replacement
    ) -> None:
        row: list[_Node] = []
        has_begun = False
        for child in node.children:
            state = _state(child, counts)
            if state == _PARTIAL:
                found = _straighten(child, counts)
                row += _reverse(found) if has_begun else found
            else:
                row.append(child)
            has_begun = has_begun or state in (_PARTIAL, _FULL)
        node.children = _put_in_row(row, made, counts, replacement)
        for child in node.children:
            child.parent = node


def _shallow_copy(node: _Node) -> _Node:
    copied = _Node.__new__(_Node)
    copied.kind = node.kind
    copied.children = node.children
    copied.content = node.content
    copied.is_alone = node.is_alone
    copied.is_reversed = node.is_reversed
    copied.parent = None
    copied.size = node.size
    return copied


def _group(nodes: list[_Node]) -> _Node:
    return nodes[0] if len(nodes) == 1 else _Node(_P, nodes)


def _group_full(nodes: list[_Node], counts: _Counts) -> _Node:
    node = _group(nodes)
    counts[node] = node.size
    return node


def _state(node: _Node, counts: _Counts) -> int:
    if node.kind == _MARK:
        return _NEUTRAL
    count = counts.get(node, 0)
    if count == 0:
        return _EMPTY
    return _FULL if count == node.size else _PARTIAL


def _sort_children(
    node: _Node, counts: _Counts
) -> tuple[list[_Node], list[_Node], list[_Node]]:
    """Return the empty, partial and full children."""
    found: tuple[list[_Node], list[_Node], list[_Node]] = ([], [], [])
    for child in node.children:
        found[_state(child, counts)].append(child)
    return found


def _reverse(row: list[_Node]) -> list[_Node]:
    for node in row:
        if node.kind == _MARK:
            node.is_reversed = not node.is_reversed
    return row[::-1]


def _must_be_reversed(row: list[_Node], counts: _Counts) -> bool:
    """Return whether the empty nodes of a row would come last."""
    ends = [_state(node, counts) for node in row if node.kind != _MARK]
    return ends[0] > ends[-1]


def _check_run(row: Sequence[_Node], counts: _Counts) -> tuple[list[_Node], bool]:
    """Return the partial nodes of a row, and whether what is not empty is consecutive,
    and partial at its ends only."""
    states = [(_state(node, counts), node) for node in row]
    found = [(state, node) for state, node in states if state != _NEUTRAL]
    while found and found[0][0] == _EMPTY:
        del found[0]
    while found and found[-1][0] == _EMPTY:
        found.pop()
    partial = [node for state, node in found if state == _PARTIAL]
    return partial, all(state == _FULL for state, _ in found[1:-1])


def _is_one_sided(node: _Node, counts: _Counts) -> bool:
    """Return whether the leaves of the set may be at one end of a subtree."""
    while True:
        if node.kind == _P:
            partial = [c for c in node.children if _state(c, counts) == _PARTIAL]
            fits = len(partial) <= 1
        else:
            row = [child for child in node.children if child.kind != _MARK]
            if _must_be_reversed(row, counts):
                row.reverse()
            states = [_state(child, counts) for child in row]
            first = next((i for i, state in enumerate(states) if state), len(states))
            partial = [row[first]] if states[first] == _PARTIAL else []
            fits = all(state == _FULL for state in states[first + 1 :])
        if not fits or not partial:
            return fits
        node = partial[0]


def _straighten(node: _Node, counts: _Counts) -> list[_Node]:
    """Return a row of the parts of a partial subtree, the empty ones first."""
    start: list[_Node] = []
    end: list[_Node] = []
    while True:
        partial: _Node | None = None
        if node.kind == _P:
            empty, found, full = _sort_children(node, counts)
            if empty:
                start.append(_group(empty))
            if full:
                end.append(_group_full(full, counts))
            partial = found[0] if found else None
        else:
            row = node.children
            if _must_be_reversed(row, counts):
                row = _reverse(row)
            later: list[_Node] = []
            for child in row:
                if _state(child, counts) == _PARTIAL:
                    partial = child
                elif partial is None:
                    start.append(child)
                else:
                    later.append(child)
            if partial is not None:
                end += later[::-1]
        if partial is None:
            return start + end[::-1]
        node = partial


def _put_in_row(
    row: list[_Node], made: _Node, counts: _Counts, replacement: Replacement
) -> list[_Node]:
    """Return a row with a node, and a mark, instead of its full nodes."""
    full = [i for i, node in enumerate(row) if _state(node, counts) == _FULL]
    first, last = full[0], full[-1] + 1
    replacement.replaced += row[first:last]
    return [*row[:first], _Node(_MARK, [], replacement), made, *row[last:]]


def _list_leaves(
    nodes: Sequence[_Node], is_reversed: bool, reversed_: dict[Replacement, bool]
) -> list[int]:
    """Return the numbers of the leaves from the bottom to the top, and note the marks."""
    found: list[int] = []
    work = [*nodes] if is_reversed else [*nodes[::-1]]
    while work:
        node = work.pop()
        if node.kind == _LEAF:
            assert isinstance(node.content, int)
            found.append(node.content)
        elif node.kind == _MARK:
            assert isinstance(node.content, Replacement)
            reversed_[node.content] = node.is_reversed != is_reversed
        else:
            work += node.children if is_reversed else node.children[::-1]
    return found
