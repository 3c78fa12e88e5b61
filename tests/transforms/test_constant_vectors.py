"""Random programs of constant vectors: canonicalize folds them to what they compute, and
to the constants that mlir-opt folds them to.

`XDSL_RANDOM_PROGRAMS` in the environment says how many, instead of 24, and
`XDSL_RANDOM_SEED` which.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from math import prod
from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp
from xdsl.ir import Attribute

from tests.oracle.tools import mlir_opt, parse, requires_mlir_opt, run_passes
from tests.transforms.constant_vectors import Program, in_memory
from xdsl_bufferization import jit

COUNT = int(os.environ.get("XDSL_RANDOM_PROGRAMS", "24"))
FRESH = int(os.environ["XDSL_RANDOM_SEED"])  # tests/conftest.py chooses it
TOGETHER = 24
"""Programs that are compiled as one."""
SEEDS = [*range(COUNT), *range(FRESH, FRESH + COUNT)]
GROUPS = [SEEDS[at : at + TOGETHER] for at in range(0, len(SEEDS), TOGETHER)]

_DTYPES: dict[str, Any] = {
    "i8": np.int8,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
}


def _programs(seeds: list[int]) -> list[Program]:
    return [Program(f"f{seed}", seed) for seed in seeds]


def _results(programs: list[Program], passes: str) -> dict[str, list[bytes]]:
    """The bytes of all vectors, by program."""
    text = "".join(program.text() for program in programs)
    module = jit.compile(text, passes, opt_level=0)
    results: dict[str, list[bytes]] = {}
    for program in programs:
        buffers = [
            np.zeros(v.shape, _DTYPES[in_memory(v.element)]) for v in program.values
        ]
        module[program.name](*buffers)
        results[program.name] = [buffer.tobytes() for buffer in buffers]
    return results


def _canonicalized(text: str) -> ModuleOp:
    context, module = parse(text)
    run_passes(context, module, "canonicalize")
    return module


def _constants(module: ModuleOp) -> Iterator[DenseIntOrFPElementsAttr[Any]]:
    for op in module.walk():
        if isinstance(op, arith.ConstantOp) and isinstance(
            op.value, DenseIntOrFPElementsAttr
        ):
            yield cast("DenseIntOrFPElementsAttr[Any]", op.value)


def _returned(module: ModuleOp) -> list[Attribute | None]:
    """The constants that a function returns, None for other values."""
    function = module.ops.first
    assert isinstance(function, func.FuncOp)
    last = function.body.block.last_op
    assert last is not None
    return [
        op.value if isinstance(op := operand.owner, arith.ConstantOp) else None
        for operand in last.operands
    ]


@pytest.mark.parametrize("seeds", GROUPS, ids=lambda seeds: f"from-{seeds[0]}")
def test_folded_constants_are_what_is_computed(seeds: list[int]) -> None:
    programs = _programs(seeds)
    expected = _results(programs, "lower-to-llvm-pipeline")
    actual = _results(programs, "canonicalize,lower-to-llvm-pipeline")
    wrong = {program.name for program in programs} - {
        name for name, result in actual.items() if result == expected[name]
    }
    assert not wrong


@pytest.mark.parametrize("seeds", GROUPS, ids=lambda seeds: f"from-{seeds[0]}")
def test_folded_constants_have_all_their_elements(seeds: list[int]) -> None:
    text = "".join(program.text(returns=True) for program in _programs(seeds))
    for constant in _constants(_canonicalized(text)):
        assert len(constant) == prod(constant.get_shape())


@requires_mlir_opt
@pytest.mark.parametrize("seeds", GROUPS, ids=lambda seeds: f"from-{seeds[0]}")
def test_folded_constants_are_those_of_mlir(seeds: list[int]) -> None:
    programs = [program.text(returns=True) for program in _programs(seeds)]
    compared = 0
    for text, outcome in zip(programs, mlir_opt(programs, "-canonicalize"), strict=True):
        assert outcome.accepted, outcome.error
        theirs_module = parse(outcome.text)[1]
        both = zip(_returned(_canonicalized(text)), _returned(theirs_module), strict=True)
        for ours, theirs in both:
            if ours is not None and theirs is not None:
                assert ours == theirs, text
                compared += 1
    assert compared


def test_a_row_of_equal_elements_is_inserted() -> None:
    module = _canonicalized("""
    func.func @f() -> vector<2x2xi32> {
      %a = arith.constant dense<[[7, 7], [3, 4]]> : vector<2x2xi32>
      %b = vector.extract %a[0] : vector<2xi32> from vector<2x2xi32>
      %c = vector.insert %b, %a[1] : vector<2xi32> into vector<2x2xi32>
      return %c : vector<2x2xi32>
    }""")
    assert [str(value) for value in _returned(module)] == ["dense<7> : vector<2x2xi32>"]


@pytest.mark.parametrize("dialect", ["arith", "vector"])
def test_bits_of_nan_are_left_alone(dialect: str) -> None:
    module = _canonicalized(f"""
    func.func @f() -> vector<2xf16> {{
      %a = arith.constant dense<-1> : vector<2xi16>
      %b = {dialect}.bitcast %a : vector<2xi16> to vector<2xf16>
      return %b : vector<2xf16>
    }}""")
    assert _returned(module) == [None]
