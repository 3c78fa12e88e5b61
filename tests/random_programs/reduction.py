"""Make a failing program small: drop ops, as long as it still fails in the same way.

An op is dropped by using, instead of its results, other values of the same types. A
region is dissolved by putting its ops in place of the op around it. A loop is made to
carry one value less: its result becomes the initial value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from tests.oracle.tools import parse, to_text
from xdsl_bufferization.dialects.scf import ForOp

Predicate = Callable[[str], bool]


def reduce_program(text: str, fails: Predicate) -> str:
    """The smallest program found that fails; `text` is one that does."""
    size = None
    while size != len(text):
        size = len(text)
        position = 0
        while True:
            candidates = list(_candidates(text, position))
            if not candidates:
                break
            for candidate in candidates:
                if candidate != text and fails(candidate):
                    text = candidate
                    break
            else:
                position += 1
    return text


def _candidates(text: str, position: int) -> Iterator[str]:
    """The program without the op at a position, counted from the end, in several ways.
    Nothing when there is no such op."""
    ways = 6
    for way in range(ways):
        _, module = parse(text, allow_unregistered=True)
        ops = [op for op in module.walk() if op is not module]
        if position >= len(ops):
            return
        op = ops[len(ops) - 1 - position]
        if _change(op, way):
            try:
                module.verify()
            except VerifyException:
                continue
            yield to_text(module)
    yield text


def _change(op: Operation, way: int) -> bool:
    if isinstance(op, FuncOp):
        if way > 0 or op.sym_name.data == "main":
            return False
        op.detach()
        op.erase(safe_erase=False, drop_references=True)
        return True
    if isinstance(op, ModuleOp) or op.has_trait(IsTerminator):
        return False
    if way == 3:
        return _dissolve(op)
    if way > 3:
        return isinstance(op, ForOp) and _carry_less(op, 0 if way == 4 else -1)
    replacements: list[SSAValue] = []
    for result in op.results:
        if result.first_use is None:
            continue
        others = [v for v in _visible_before(op) if v.type == result.type]
        if way >= len(others):
            return False
        # The nearest, the farthest, one in between.
        other = (others[-1], others[0], others[len(others) // 2])[way]
        result.replace_all_uses_with(other)
        replacements.append(other)
    if way > 0 and not replacements:
        return False
    op.detach()
    op.erase(safe_erase=False, drop_references=True)
    return True


def _dissolve(op: Operation) -> bool:
    """Replace an op by the ops of its first region."""
    if not op.regions or len(op.regions[0].blocks) != 1 or op.parent is None:
        return False
    block = op.regions[0].block
    end = block.last_op
    if end is None:
        return False
    visible = list(_visible_before(op))
    for argument in block.args:
        others = [v for v in visible if v.type == argument.type]
        if argument.first_use is not None:
            if not others:
                return False
            argument.replace_all_uses_with(others[-1])
    values = end.operands[len(end.operands) - len(op.results) :]
    if len(values) != len(op.results) or any(
        value.type != result.type
        for value, result in zip(values, op.results, strict=True)
    ):
        return False
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    for inner in list(block.ops):
        inner.detach()
        if inner is not end:
            op.parent.insert_op_before(inner, op)
    op.detach()
    op.erase(safe_erase=False, drop_references=True)
    return True


def _carry_less(loop: ForOp, number: int) -> bool:
    """Let the initial value take the place of a value that a loop carries."""
    if not loop.results:
        return False
    number %= len(loop.results)
    body, end = loop.body.block, loop.body.block.last_op
    init = loop.iter_args[number]
    assert end is not None
    body.args[1 + number].replace_all_uses_with(init)
    body.erase_arg(body.args[1 + number])
    end.operands = [v for n, v in enumerate(end.operands) if n != number]
    inits = [v for n, v in enumerate(loop.iter_args) if n != number]
    smaller = ForOp(
        *(loop.lb, loop.ub, loop.step),
        inits,
        loop.detach_region(loop.body),
        unsigned_cmp=loop.unsigned_cmp is not None,
    )
    kept = iter(smaller.results)
    results = [init if n == number else next(kept) for n in range(len(loop.results))]
    Rewriter.replace_op(loop, smaller, results)
    return True


def _visible_before(op: Operation) -> Iterator[SSAValue]:
    """Values that may be used in place of the results of an op, outermost first. Those
    of other blocks are left out."""
    levels: list[tuple[Block, Operation]] = []
    place: Operation | None = op
    while place is not None and place.parent is not None:
        levels.append((place.parent, place))
        place = place.parent_op()
    for block, until in reversed(levels):
        yield from block.args
        for other in block.ops:
            if other is until:
                break
            yield from other.results
