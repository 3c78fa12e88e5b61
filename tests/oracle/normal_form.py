"""IR in which only what matters is ordered.

Two passes may insert the same pure ops (constants, i1 logic, base buffers) in different
orders. `normal_form` moves each pure op right before the first op that needs it, in the
order of the operands, drops names, and prints.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from io import StringIO

from xdsl.context import Context
from xdsl.ir import Block, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, is_side_effect_free

from xdsl_bufferization.universe import new_context


@cache
def normal_form(text: str) -> str:
    context: Context = new_context()
    context.allow_unregistered = True
    module = Parser(context, text).parse_module()
    for op in list(module.walk()):
        for region in op.regions:
            for block in region.blocks:
                _order(block)
    for op in module.walk():
        for result in op.results:
            result.name_hint = None
        for region in op.regions:
            for block in region.blocks:
                block.name_hint = None
                for argument in block.args:
                    argument.name_hint = None
    stream = StringIO()
    Printer(stream).print_op(module)
    return stream.getvalue() + "\n"


def _order(block: Block) -> None:
    ops = list(block.ops)
    movable = {
        op
        for op in ops
        if op.results
        and not op.regions
        and is_side_effect_free(op)
        and not op.has_trait(IsTerminator)
    }
    placed: set[Operation] = set()
    order: list[Operation] = []

    def place(op: Operation) -> None:
        if op in placed:
            return
        placed.add(op)
        for value in _needed(op):
            owner = value.owner
            if isinstance(owner, Operation) and owner in movable:
                place(owner)
        order.append(op)

    for op in ops:
        if op not in movable:
            place(op)
    # What only other blocks need: constants by their value, the rest as it was.
    for op in sorted(ops, key=_constant_text):
        place(op)
    for op in ops:
        op.detach()
    block.add_ops(order)


def _constant_text(op: Operation) -> str:
    return "" if op.operands or op.regions else f"{op.name} {op.properties}"


def _needed(op: Operation) -> Iterator[SSAValue]:
    for inner in op.walk():
        yield from inner.operands
