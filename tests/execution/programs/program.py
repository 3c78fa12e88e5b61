"""What a program of this folder is: MLIR with a function @main, and NumPy's answer.

    @program('''
        func.func @main(%t: tensor<?xf32>) -> tensor<?xf32> { ... }
    ''')
    def doubled() -> Example:
        t = random(5)
        return [t.copy()], [2 * t]

The function under the decorator gives fresh arguments, which @main may overwrite, and the
results that @main must return for them, computed by other means. `least_copies` is the
least number of copies with which the program can be executed, worked out by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Example: TypeAlias = tuple[Sequence[Any], Sequence[Any]]
"""Arguments and results."""


@dataclass(frozen=True)
class Program:
    name: str
    text: str
    example: Callable[[], Example]
    rtol: float
    least_copies: int | None = None


PROGRAMS: list[Program] = []


def program(
    text: str, rtol: float = 1e-5, least_copies: int | None = None
) -> Callable[[Callable[[], Example]], Callable[[], Example]]:
    """Adds a program, named as the function that gives its arguments and results."""

    def register(example: Callable[[], Example]) -> Callable[[], Example]:
        PROGRAMS.append(Program(example.__name__, text, example, rtol, least_copies))
        return example

    return register
