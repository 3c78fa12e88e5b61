"""Copies that are removed in long chains of blocks, and what is live after an op."""

from __future__ import annotations

import pytest
from xdsl.dialects.func import FuncOp

from tests.oracle.tools import parse
from xdsl_bufferization.analysis.deallocation.live_memrefs import LiveMemrefs
from xdsl_bufferization.dialects import memref, scf
from xdsl_bufferization.transforms.coalesce_copies import coalesce_copies

M = "memref<8xf64>"


def exchanges(count: int) -> str:
    """Blocks that each copy one of two buffers, and exchange both or not."""
    blocks = "".join(
        f"""^b{i}(%x{i}: {M}, %y{i}: {M}):
          %z{i} = memref.alloc() : {M}
          memref.copy %x{i}, %z{i} : {M} to {M}
          memref.store %k, %z{i}[%i] : {M}
          cf.cond_br %c, ^b{i + 1}(%z{i}, %y{i} : {M}, {M}),
            ^b{i + 1}(%y{i}, %z{i} : {M}, {M})
        """
        for i in range(count)
    )
    return f"""func.func @main(%c: i1, %k: f64, %i: index) -> ({M}, {M}) {{
      %a = memref.alloc() : {M}
      %b = memref.alloc() : {M}
      cf.br ^b0(%a, %b : {M}, {M})
      {blocks}
    ^b{count}(%x{count}: {M}, %y{count}: {M}):
      return %x{count}, %y{count} : {M}, {M}
    }}"""


@pytest.mark.parametrize("count", [1, 10, 120])
def test_no_copy_is_left_however_long_the_chain(count: int) -> None:
    _, module = parse(exchanges(count))
    coalesce_copies(module)
    assert not [op for op in module.walk() if isinstance(op, memref.CopyOp)]


def test_live_after() -> None:
    _, module = parse(f"""func.func @main(%n: index, %i: index, %k: f64) {{
      %a = memref.alloc() : {M}
      %b = memref.alloc() : {M}
      %d = memref.alloc() : {M}
      memref.store %k, %d[%i] : {M}
      %r = scf.for %j = %i to %n step %n iter_args(%old = %a) -> ({M}) {{
        memref.copy %old, %b : {M} to {M}
        %new = memref.alloc() : {M}
        scf.yield %new : {M}
      }}
      memref.store %k, %r[%i] : {M}
      return
    }}""")
    (function,) = (op for op in module.walk() if isinstance(op, FuncOp))
    live = LiveMemrefs(function)
    first, second, _, new = (
        op.results[0] for op in module.walk() if isinstance(op, memref.AllocOp)
    )
    (loop,) = (op for op in module.walk() if isinstance(op, scf.ForOp))
    (copy,) = (op for op in module.walk() if isinstance(op, memref.CopyOp))
    end = loop.body.block.last_op
    assert end is not None
    # The loop may use %a and %b in the next iteration, as far as this analysis knows.
    assert set(live.after(copy)) == {first, second}
    assert set(live.after(end)) == {first, second, new}
    assert set(live.after(loop)) == {loop.results[0]}
