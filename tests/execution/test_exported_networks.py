"""Networks as public projects export them, from tosa or linalg to numbers.

Each is compared with NumPy. Where mlir-opt is there, its own lowering of tosa is run in
the same way, and must give the very same bits.
"""

from __future__ import annotations

import functools
import subprocess

import numpy as np
import pytest

from tests.execution.exported import (
    linalg_networks as linalg_networks,
    operators as operators,
    quantized as quantized,
)
from tests.execution.exported.networks import NETWORKS
from tests.execution.harness import Run, compare, run
from tests.oracle.harness import requires_mlir_opt
from tests.oracle.location import mlir_tool
from xdsl_bufferization import jit

pytestmark = pytest.mark.long

TO_LLVM = f"convert-elementwise-to-linalg,{jit.DEFAULT_PIPELINE}"

PIPELINE = f"tosa-to-linalg,{TO_LLVM}"

ONE_PASS_EACH = (
    "tosa-to-linalg-named,tosa-to-tensor,tosa-to-scf,tosa-to-linalg,"
    f"tosa-to-arith{{include-apply-rescale}},{TO_LLVM}"
)

MLIR_PIPELINE = (
    "builtin.module(func.func(tosa-to-scf,tosa-to-linalg-named,tosa-to-linalg,"
    "tosa-to-arith{include-apply-rescale},tosa-to-tensor,canonicalize))"
)

LARGE = {"bert_block", "deepseek_block", "vision_transformer"}
"""Networks of ops that others have as well: one way to lower them is tested."""


@functools.cache
def run_network(name: str, pipeline: str) -> Run:
    network = NETWORKS[name]()
    return run(network.text, network.arguments, pipeline=pipeline)


@pytest.mark.parametrize(
    ("pipeline", "name"),
    [
        *(pytest.param(PIPELINE, name, id=f"all-{name}") for name in NETWORKS),
        *(
            pytest.param(ONE_PASS_EACH, name, id=f"each-{name}")
            for name in NETWORKS
            if name not in LARGE
        ),
    ],
)
def test_numbers(pipeline: str, name: str) -> None:
    network = NETWORKS[name]()
    done = run_network(name, pipeline)
    compare(done.results, network.results, network.rtol)


@requires_mlir_opt
@pytest.mark.parametrize("name", NETWORKS)
def test_same_bits_as_lowered_by_mlir_opt(name: str) -> None:
    network = NETWORKS[name]()
    command = [mlir_tool("mlir-opt"), f"--pass-pipeline={MLIR_PIPELINE}"]
    lowered = subprocess.run(
        command, check=True, input=network.text, capture_output=True, text=True
    ).stdout
    assert "tosa." not in lowered
    reference = run(lowered, network.arguments, pipeline=TO_LLVM)
    ours = run_network(name, PIPELINE)
    for result, expected in zip(ours.results, reference.results, strict=True):
        assert result.tobytes() == expected.tobytes()
        assert isinstance(result, np.ndarray)
