"""Sets of small numbers as the bits of an integer.

A union of two of them takes a step for 30 numbers. Where each of many sets may have most
of the numbers, lists would take the square of their number in time and memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def numbers_of(bits: int) -> Iterator[int]:
    """Yield the numbers of a set, ascending."""
    if bits.bit_count() < bits.bit_length() >> 6:
        while bits:
            lowest = bits & -bits
            yield lowest.bit_length() - 1
            bits ^= lowest
        return
    for index, byte in enumerate(bits.to_bytes(bits.bit_length() // 8 + 1, "little")):
        if byte:
            yield from (8 * index + bit for bit in range(8) if byte >> bit & 1)


def connected_groups(sets: Sequence[int]) -> list[int]:
    """Return for each set the number of its group: sets are in one group if they have a
    number in common, or if others connect them. An empty set is a group of its own."""
    parent = [*range(len(sets))]
    united: dict[int, int] = {}
    first_with: dict[int, int] = {}
    seen = 0

    def find(at: int) -> int:
        while parent[at] != at:
            parent[at] = at = parent[parent[at]]
        return at

    for index, bits in enumerate(sets):
        for number in numbers_of(bits & ~seen):
            first_with[number] = index
        common = bits & seen
        union = bits
        while common:
            group = find(first_with[(common & -common).bit_length() - 1])
            common &= ~united[group]
            union |= united.pop(group)
            parent[group] = index
        united[index] = union
        seen |= bits
    return [find(index) for index in range(len(sets))]
