"""Groups of dimensions, as expand_shape and collapse_shape list them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, i64
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.shapes import product, reassociation_groups


def reassociation_attribute(
    groups: Sequence[Sequence[int]],
) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    return ArrayAttr(ArrayAttr(IntegerAttr(i, i64) for i in group) for group in groups)


def composed(
    fine: Sequence[Sequence[int]], coarse: Sequence[Sequence[int]]
) -> list[list[int]]:
    """Join the groups of dimensions that a second collapse joins."""
    if not coarse:
        return []
    return [[i for number in group for i in fine[number]] for group in coarse]


def join_reshapes(
    op: Operation, *, collapses: bool
) -> tuple[SSAValue, ArrayAttr[ArrayAttr[IntegerAttr]]] | None:
    """Return the source and the groups of the one reshape that a collapse of a collapse
    is, or an expansion of an expansion; None if `op` is neither."""
    inner = op.operands[0].owner
    if not isinstance(inner, type(op)):
        return None
    first = reassociation_groups(inner.properties["reassociation"])
    second = reassociation_groups(op.properties["reassociation"])
    groups = composed(first, second) if collapses else composed(second, first)
    return inner.operands[0], reassociation_attribute(groups)


def between(expanded: Sequence[int], collapsed: Sequence[int]) -> list[list[int]] | None:
    """Return the groups that collapse one static shape to another; None if none do.

    Unit dimensions belong to the group before them, those in front to the first one.
    """
    if not collapsed:
        return [] if all(size == 1 for size in expanded) else None
    groups: list[list[int]] = []
    position = 0
    for size in collapsed:
        group: list[int] = []
        total = 1
        while position < len(expanded) and (not group or total < size):
            total *= expanded[position]
            group.append(position)
            position += 1
        if total != size:
            return None
        groups.append(group)
    while position < len(expanded) and expanded[position] == 1:
        groups[-1].append(position)
        position += 1
    if position != len(expanded) or any(
        product(expanded[i] for i in group) != size
        for group, size in zip(groups, collapsed, strict=True)
    ):
        return None
    return groups


def unions(
    fine: Sequence[Sequence[int]], coarse: Sequence[Sequence[int]]
) -> list[list[int]] | None:
    """Return which groups of `fine` each group of `coarse` consists of; None if one
    does not consist of complete groups. Both partition the same dimensions, in
    order."""
    result: list[list[int]] = []
    number = 0
    for group in coarse:
        members: list[int] = []
        count = 0
        while count < len(group) and number < len(fine):
            count += len(fine[number])
            members.append(number)
            number += 1
        if count != len(group):
            return None
        result.append(members)
    return result if number == len(fine) else None
