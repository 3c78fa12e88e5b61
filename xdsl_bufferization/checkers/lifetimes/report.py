"""The reports of the deallocation checker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from xdsl_bufferization.interfaces.diagnostics import describe


@dataclass(frozen=True)
class WrongLifetime:
    """An allocation that is not freed as it should be.

    Attributes:
        what: what is wrong.
        op: the op at which it is.
        allocation: the op that made the allocation, or the function it is an argument of.
        path: what was done and decided from there to here.
    """

    what: str
    op: Operation
    allocation: Operation
    path: Sequence[str]

    def __str__(self) -> str:
        path = "".join(f"\n    {step}" for step in self.path)
        path = f"\n  on the way:{path}" if path else ""
        if isinstance(self.allocation, FuncOp):
            made = f"\n  is memory of an argument of @{self.allocation.sym_name.data}"
        else:
            made = f"\n  comes from:{describe(self.allocation)}"
        return f"{self.op.name}: {self.what}{describe(self.op)}{made}{path}"


@dataclass
class Lifetimes:
    """What the checker has found.

    Attributes:
        wrong: the errors.
        undecided: where it could not tell, and why.
        followed: how many allocations, and other pieces of memory, it has followed.
    """

    wrong: list[WrongLifetime] = field(default_factory=list[WrongLifetime])
    undecided: list[WrongLifetime] = field(default_factory=list[WrongLifetime])
    followed: int = 0
