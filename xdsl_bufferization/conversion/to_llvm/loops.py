"""Loops in a lowering: blocks that count from 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from xdsl_bufferization.conversion.to_llvm.builder import Index
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering


def loop(to: FunctionLowering, end: Index, body: Callable[[SSAValue], None]) -> None:
    """A loop from 0 to `end`; appending continues after it."""

    def step(index: SSAValue, numbers: Sequence[SSAValue]) -> Sequence[Index]:
        body(index)
        return numbers

    fold(to, end, (), step)


def fold(
    to: FunctionLowering,
    end: Index,
    start: Sequence[Index],
    body: Callable[[SSAValue, Sequence[SSAValue]], Sequence[Index]],
) -> Sequence[SSAValue]:
    """A loop from 0 to `end` that carries indices; return what they are after it.

    Args:
        body: takes the indices of an iteration, and returns those of the next one.
    """
    head = to.new_block((to.index_type,) * (1 + len(start)))
    to.branch(head, (to.integer(0), *map(to.number, start)))
    to.block = head
    index, *carried = head.args
    inside = to.new_block()
    to.block = inside
    following = [to.number(number) for number in body(index, carried)]
    advanced = to.number(to.add(index, 1, no_wrap=True))
    to.branch(head, (advanced, *following))
    after = to.new_block()
    to.block = head
    goes_on = to.compare("slt", index, to.number(end))
    to.branch_if(goes_on, (inside, ()), (after, ()))
    to.block = after
    return carried
