"""The buffers that each line of the bufferized program uses.

Values that may alias form one *group*: views and casts, values that loops and branches
forward, and results of selects. A part of an arena, a memref.view, is a separate
buffer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.branch import BRANCH, get_successor_operands
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    get_forwarded_values,
)
from xdsl_bufferization.interfaces.types import MEMREF_TYPES
from xdsl_bufferization.interfaces.view_like import get_renamed

_MAKING_NEW = ("memref.alloc", "memref.alloca", "memref.realloc", "bufferization.clone")


class BufferGroups:
    """The groups of the memrefs of a program.

    Attributes:
        of_lines: for each line with ops on memrefs, the numbers of their groups; first
            that of the buffer that the op makes or, as a rule, writes.
    """

    def __init__(self, module: ModuleOp, lines: Mapping[Operation, int]) -> None:
        self._parents: dict[SSAValue, SSAValue] = {}
        ops = list(walk(module))
        for op in ops:
            for values in _same_buffers(op):
                for first, second in pairwise(values):
                    self._join(first, second)
        self._numbers: dict[SSAValue, int] = {}
        self.of_lines: dict[int, list[int]] = {}
        for op in ops:
            values = [v for v in (*op.results, *reversed(op.operands)) if _is_memref(v)]
            groups = self.of_lines.setdefault(lines[op], []) if values else []
            groups += dict.fromkeys(
                number for v in values if (number := self.number_of(v)) not in groups
            )

    def number_of(self, value: SSAValue) -> int:
        """Return the number of the group of a memref, from 0 in program order."""
        return self._numbers.setdefault(self._find(value), len(self._numbers))

    def _find(self, value: SSAValue) -> SSAValue:
        root = value
        while (parent := self._parents.get(root)) is not None:
            root = parent
        while value is not root:
            following = self._parents[value]
            self._parents[value] = root
            value = following
        return root

    def _join(self, first: SSAValue, second: SSAValue) -> None:
        first, second = self._find(first), self._find(second)
        if first is not second:
            self._parents[second] = first


def _is_memref(value: SSAValue) -> bool:
    return isinstance(value.type, MEMREF_TYPES)


def _same_buffers(op: Operation) -> Iterator[Sequence[SSAValue]]:
    """Yield memrefs that an op makes names of one buffer."""
    for sent, received in _forwarded(op):
        for pair in zip(sent, received, strict=False):
            if all(map(_is_memref, pair)):
                yield pair
    if op.regions or op.name in _MAKING_NEW or isinstance(op, memref.ViewOp):
        return
    source = get_renamed(op)
    if source is not None:
        yield source, op.results[0]
    elif CALL.lookup(op) is None and any(map(_is_memref, op.results)):
        yield [value for value in (*op.operands, *op.results) if _is_memref(value)]


def _forwarded(
    op: Operation,
) -> Iterable[tuple[Sequence[SSAValue], Sequence[SSAValue]]]:
    """The edges of control flow that begin at an op, or at the ends of its regions."""
    regions = REGION_BRANCH.lookup(op)
    if regions is not None:
        for point in (None, *op.regions):
            yield from get_forwarded_values(regions, op, point)
    branch = BRANCH.lookup(op)
    if branch is not None:
        for number, block in enumerate(op.successors):
            yield get_successor_operands(branch, op, number), block.args
