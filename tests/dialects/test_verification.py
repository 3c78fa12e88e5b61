"""Verification counts the blocks of a region once, and forgets the number."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block
from xdsl.ir.core import RegionBlocks
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.universe import new_context


def chain(blocks: int) -> ModuleOp:
    body = "\n".join(f"^b{n}:\n  cf.br ^b{n + 1}" for n in range(blocks))
    text = f"func.func @f() {{\n  cf.br ^b0\n{body}\n^b{blocks}:\n  return\n}}"
    return Parser(new_context(), text).parse_module()


def region_of(module: ModuleOp):
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    return function.body


def test_number_of_visited_blocks_is_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    visited = 0
    iterate = RegionBlocks.__iter__

    def counting(self: RegionBlocks) -> Iterator[Block]:
        nonlocal visited
        for block in iterate(self):
            visited += 1
            yield block

    module = chain(300)
    monkeypatch.setattr(RegionBlocks, "__iter__", counting)
    module.verify()
    assert visited < 20 * 300


def test_length_is_counted_again_after_a_change() -> None:
    module = chain(3)
    module.verify()
    region = region_of(module)
    assert len(region.blocks) == 5
    region.add_block(Block())
    assert len(region.blocks) == 6


def test_length_is_counted_again_after_a_failure() -> None:
    module = chain(3)
    region = region_of(module)
    last = region.blocks[1].last_op
    assert last is not None
    block = Block()
    last.detach()
    block.add_op(last)
    region.add_block(block)
    region.insert_block(Block([FuncOp("g", ((), ()))]), 0)
    with pytest.raises(VerifyException, match="terminat"):
        module.verify()
    region.detach_block(block)
    assert len(region.blocks) == 6
