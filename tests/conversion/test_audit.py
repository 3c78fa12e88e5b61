"""Every op of the dialects that convert-to-llvm and convert-linalg-to-loops take has a
lowering that some test executes, or is refused for a reason that is written down.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Region
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.conversion.convert_linalg_to_loops import (
    WITHOUT_LOOPS,
    convert_linalg_to_loops,
)
from xdsl_bufferization.conversion.convert_to_llvm import convert_to_llvm
from xdsl_bufferization.conversion.to_llvm.table import LOWERINGS
from xdsl_bufferization.conversion.to_llvm.without_lowering import WITHOUT_LOWERING
from xdsl_bufferization.dialects.linalg import Linalg
from xdsl_bufferization.universe import new_context

DIALECTS = ("func", "cf", "arith", "math", "index", "memref", "complex", "vector", "ub")
PARTS = {
    # what is lowered with the op around it, and functions and globals themselves
    *("func.func", "memref.global", "memref.atomic_yield", "vector.yield"),
}
TESTS = Path(__file__).parent.parent
EXECUTED = ("oracle/conversion/to_llvm", "execution", "conversion", "jit", "../examples")


def ops_of(dialect: str) -> list[str]:
    found = new_context().get_optional_dialect(dialect)
    assert found is not None
    return [op.name for op in found.operations]


LOWERED = [op for dialect in DIALECTS for op in ops_of(dialect) if op not in PARTS]


@cache
def executed_text() -> str:
    """The programs of tests that execute what they lower, and what those tests say."""
    files = [
        path
        for folder in EXECUTED
        for path in (TESTS / folder).rglob("*")
        if path.suffix in (".mlir", ".py") and path.name != Path(__file__).name
    ]
    assert len(files) > 30
    return "\n".join(path.read_text() for path in files)


def test_every_op_is_lowered_or_refused_for_a_reason() -> None:
    undecided = [op for op in LOWERED if (op in LOWERINGS) == (op in WITHOUT_LOWERING)]
    assert not undecided


def test_every_lowering_is_executed() -> None:
    words = set(re.findall(r"[a-z_]+(?:\.[a-z_0-9]+)*", executed_text()))
    # func's own ops are written without the name of their dialect.
    words |= {f"func.{word}" for word in words}
    assert not [op for op in LOWERED if op in LOWERINGS and op not in words]


@pytest.mark.parametrize("op", sorted(WITHOUT_LOWERING))
def test_refusal_tells_the_reason(op: str) -> None:
    assert op in LOWERED
    unknown = UnregisteredOp.with_name(op).create()
    function = FuncOp("f", ((), ()), Region(Block([unknown])))
    with pytest.raises(PassFailedException, match=re.escape(WITHOUT_LOWERING[op])):
        convert_to_llvm(ModuleOp([function]))


def test_every_op_of_linalg_becomes_loops_or_has_a_reason_why_not() -> None:
    for op in Linalg.operations:
        if op.name in ("linalg.yield", "linalg.index"):
            continue
        lowered = hasattr(op, "get_indexing_maps") or op.name == "linalg.softmax"
        assert lowered != (op.name in WITHOUT_LOOPS), op.name


@pytest.mark.parametrize(
    ("op", "rest"),
    [
        (
            "pack",
            "%a inner_dims_pos = [0] inner_tiles = [2] into %b "
            ": tensor<4xf32> -> tensor<2x2xf32>",
        ),
        (
            "unpack",
            "%b inner_dims_pos = [0] inner_tiles = [2] into %a "
            ": tensor<2x2xf32> -> tensor<4xf32>",
        ),
        (
            "winograd_filter_transform",
            "fmr(F_4_3) ins(%w : tensor<3x3x1x1xf32>) outs(%u : tensor<6x6x1x1xf32>) "
            "-> tensor<6x6x1x1xf32>",
        ),
    ],
)
def test_linalg_without_loops_stays_and_has_a_reason(op: str, rest: str) -> None:
    program = f"""
        func.func @f(%a: tensor<4xf32>, %b: tensor<2x2xf32>, %w: tensor<3x3x1x1xf32>,
                     %u: tensor<6x6x1x1xf32>) {{
          %0 = linalg.{op} {rest}
          return
        }}
    """
    module = Parser(new_context(), program).parse_module()
    before = str(module)
    convert_linalg_to_loops(module)
    assert str(module) == before
    unknown = UnregisteredOp.with_name(f"linalg.{op}").create()
    function = FuncOp("f", ((), ()), Region(Block([unknown])))
    reason = re.escape(WITHOUT_LOOPS[f"linalg.{op}"])
    with pytest.raises(PassFailedException, match=rf"'linalg.{op}' in @f: .*{reason}"):
        convert_to_llvm(ModuleOp([function]))
