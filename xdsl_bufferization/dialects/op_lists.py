"""Going through all ops of a program, at a cost that does not grow with their depth.

`Operation.walk` of xDSL hands each op through three generators for each level of nesting:
in 300 nested loops that takes 70 times as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TypeVar, cast

from xdsl.dialects import func
from xdsl.ir import Operation, Region

OpT = TypeVar("OpT", bound=Operation)


def list_ops(root: Operation) -> list[Operation]:
    """All ops in the regions of `root`, each before those in its own regions."""
    found: list[Operation] = []
    unseen: list[Operation] = []
    _push_blocks(root.regions, unseen)
    while unseen:
        op: Operation | None = unseen.pop()
        while op is not None:
            found.append(op)
            following = op.next_op
            if op.regions:
                if following is not None:
                    unseen.append(following)
                _push_blocks(op.regions, unseen)
                break
            op = following
    return found


def of_class(ops: Iterable[Operation], kind: type[OpT]) -> Iterator[OpT]:
    """Those of many ops that are instances of a class: `isinstance` asks a method of the
    metaclass of ops in Python, here once for each class."""
    answers: dict[type[Operation], bool] = {}
    for op in ops:
        op_class = type(op)
        answer = answers.get(op_class)
        if answer is None:
            answer = answers[op_class] = issubclass(op_class, kind)
        if answer:
            yield cast(OpT, op)


def walk(root: Operation | Region) -> Iterator[Operation]:
    """`root`, if it is an op, and all ops in it, each before those in its own regions.

    The op that was given last may be erased, or what it has in its regions. What is
    inserted right after it is skipped.
    """
    if isinstance(root, Region):
        return _nested((root,))
    return chain((root,), _nested(root.regions))


def postorder(root: Operation) -> list[Operation]:
    """`root` and all ops in it, each after those in its own regions."""
    found: list[Operation] = []
    unseen = [root]
    """The last ones of sequences of ops in one block; those on top come last."""
    while unseen:
        op: Operation | None = unseen.pop()
        while op is not None:
            found.append(op)
            previous = None if op is root else op.prev_op
            if op.regions:
                if previous is not None:
                    unseen.append(previous)
                for region in op.regions:
                    block = region.first_block
                    while block is not None:
                        if block.last_op is not None:
                            unseen.append(block.last_op)
                        block = block.next_block
                break
            op = previous
    found.reverse()
    return found


def _nested(regions: tuple[Region, ...]) -> Iterator[Operation]:
    unseen: list[Operation] = []
    """The first ones of sequences of ops in one block; those on top come first."""
    _push_blocks(regions, unseen)
    while unseen:
        op: Operation | None = unseen.pop()
        while op is not None:
            following = op.next_op
            yield op
            regions = op.regions
            if regions:
                if following is not None:
                    unseen.append(following)
                _push_blocks(regions, unseen)
                break
            op = following


def _push_blocks(regions: tuple[Region, ...], unseen: list[Operation]) -> None:
    for region in reversed(regions):
        block = region.last_block
        while block is not None:
            if block.first_op is not None:
                unseen.append(block.first_op)
            block = block.prev_block


def list_functions(module: Operation) -> list[func.FuncOp]:
    """All functions in `module` and in the modules inside, but for those in functions."""
    if isinstance(module, func.FuncOp):
        return [module]
    found: list[func.FuncOp] = []
    for region in module.regions:
        for block in region.blocks:
            for op in block.ops:
                if isinstance(op, func.FuncOp):
                    found.append(op)
                elif op.regions:
                    found += list_functions(op)
    return found
