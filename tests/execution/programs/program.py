"""What a program of this folder is: MLIR with a function @main, and NumPy's answer.

    @program('''
        func.func @main(%t: tensor<?xf32>) -> tensor<?xf32> { ... }
    ''', least_copies=0)
    def doubled() -> Example:
        t = random(5)
        return [t.copy()], [2 * t]

The function under the decorator gives fresh arguments, which @main may overwrite, and the
results that @main must return for them, computed by other means. `least_copies` is the
least number of copies with which the program can be executed, worked out by hand, in no
more memory than the plain passes need. Moving data that the program itself moves is a
copy, such as inserting a row that is elsewhere. So is the first buffer of a loop that
starts with an argument or a constant and updates it. An op that replaces all elements of
a tensor, one by one, needs none.
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
    least_copies: int


PROGRAMS: list[Program] = []


def program(
    text: str, *, least_copies: int, rtol: float = 1e-5
) -> Callable[[Callable[[], Example]], Callable[[], Example]]:
    """Adds a program, named as the function that gives its arguments and results."""

    def register(example: Callable[[], Example]) -> Callable[[], Example]:
        PROGRAMS.append(Program(example.__name__, text, example, rtol, least_copies))
        return example

    return register
