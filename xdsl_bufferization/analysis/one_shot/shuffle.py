"""The random order of the heuristic `fuzzer`, the same as mlir-opt's for each seed.

MLIR shuffles with the 32-bit Mersenne Twister of the C++ standard library. Python uses
the same generator with a different seeding.
"""

from __future__ import annotations

import random
from typing import Any

_SIZE = 624
_WORD = 0xFFFFFFFF
_MULTIPLIER = 1812433253


def shuffle(items: list[Any], seed: int) -> None:
    """Bring the items into a random order, in place."""
    numbers = _mersenne_twister(seed)
    for position in range(len(items) - 1):
        other = position + numbers.getrandbits(32) % (len(items) - position)
        items[position], items[other] = items[other], items[position]


def _mersenne_twister(seed: int) -> random.Random:
    """The generator that `std::mt19937` is when it is made from a number."""
    state = [seed & _WORD]
    for index in range(1, _SIZE):
        last = state[-1]
        state.append((_MULTIPLIER * (last ^ (last >> 30)) + index) & _WORD)
    generator = random.Random()
    generator.setstate((3, (*state, _SIZE), None))
    return generator
