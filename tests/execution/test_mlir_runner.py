"""The LLVM dialect we print runs under mlir-runner and gives what jit gives.

Each example gets a function `entry` without parameters that makes the arguments, calls it
and adds up the result, weighted so that elements in wrong places show.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from tests.execution.harness import EXAMPLES
from tests.oracle.harness import requires_mlir_opt, xdsl_opt
from tests.oracle.location import mlir_tool
from xdsl_bufferization import jit

Tensor = tuple[str, Sequence[int]]


@dataclass(frozen=True)
class Driver:
    """How to call an example: a tensor argument is its type and sizes, a scalar argument
    its type and value."""

    example: str
    function: str
    arguments: Sequence[Tensor | tuple[str, str]]
    result: str

    def program(self) -> str:
        lines: list[str] = []
        types: list[str] = []
        for number, (type, value) in enumerate(self.arguments):
            types.append(type)
            if isinstance(value, str):
                lines.append(f"%a{number} = arith.constant {value} : {type}")
            else:
                lines += _generated(f"a{number}", type, value)
        values = ", ".join(f"%a{number}" for number in range(len(types)))
        lines.append(
            f"%r = call @{self.function}({values}) : ({', '.join(types)}) "
            f"-> {self.result}"
        )
        body = "\n  ".join([*lines, *_weighted_sum("r", self.result)])
        text = (EXAMPLES / self.example).read_text()
        return f"{text}\nfunc.func @entry() -> f32 {{\n  {body}\n}}\n"


def _rank(type: str) -> int:
    return type.count("x")


def _element(type: str) -> str:
    return type.rstrip(">").rsplit("x", 1)[1]


def _number(name: str, indices: str, rank: int, element: str) -> list[str]:
    """A number between -1/2 and 1/2 from a position."""
    lines = [f"%{name}h0 = arith.constant 1 : index"]
    for dim in range(rank):
        lines += [
            f"%{name}p{dim} = arith.constant {(7, 13, 29)[dim]} : index",
            f"%{name}m{dim} = arith.muli %{indices}{dim}, %{name}p{dim} : index",
            f"%{name}h{dim + 1} = arith.addi %{name}h{dim}, %{name}m{dim} : index",
        ]
    return [
        *lines,
        f"%{name}q = arith.constant 17 : index",
        f"%{name}rem = arith.remui %{name}h{rank}, %{name}q : index",
        f"%{name}i = arith.index_cast %{name}rem : index to i32",
        f"%{name}f = arith.sitofp %{name}i : i32 to {element}",
        f"%{name}s = arith.constant 0.0625 : {element}",
        f"%{name}t = arith.mulf %{name}f, %{name}s : {element}",
        f"%{name}half = arith.constant 0.5 : {element}",
        f"%{name}x = arith.subf %{name}t, %{name}half : {element}",
    ]


def _generated(name: str, type: str, sizes: Sequence[int]) -> list[str]:
    dynamic = [size for size, dim in zip(sizes, _sizes(type), strict=True) if dim == "?"]
    lines = [f"%{name}d{i} = arith.constant {n} : index" for i, n in enumerate(dynamic)]
    operands = ", ".join(f"%{name}d{i}" for i in range(len(dynamic)))
    indices = ", ".join(f"%{name}i{i}: index" for i in range(len(sizes)))
    return [
        *lines,
        f"%{name} = tensor.generate {operands} {{",
        f"^bb0({indices}):",
        *_number(name, f"{name}i", len(sizes), _element(type)),
        f"tensor.yield %{name}x : {_element(type)}",
        f"}} : {type}",
    ]


def _sizes(type: str) -> list[str]:
    return type.removeprefix("tensor<").rstrip(">").split("x")[:-1]


def _weighted_sum(name: str, type: str) -> list[str]:
    rank, element = _rank(type), _element(type)
    dims = ", ".join(f"d{i}" for i in range(rank))
    iterators = ", ".join(['"reduction"'] * rank)
    sum_ = "%sum" if element == "f32" else "%narrow"
    narrow = (
        [] if element == "f32" else [f"%narrow = arith.truncf %sum : {element} to f32"]
    )
    return [
        f"%zero = arith.constant 0.0 : {element}",
        f"%start = tensor.splat %zero : tensor<{element}>",
        f"%total = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>, "
        f"affine_map<({dims}) -> ()>], iterator_types = [{iterators}]}} "
        f"ins(%{name} : {type}) outs(%start : tensor<{element}>) {{",
        f"^bb0(%e: {element}, %so_far: {element}):",
        *(f"%k{i} = linalg.index {i} : index" for i in range(rank)),
        *_number("w", "k", rank, element),
        f"%weighted = arith.mulf %e, %wx : {element}",
        f"%plus = arith.addf %weighted, %so_far : {element}",
        f"linalg.yield %plus : {element}",
        f"}} -> tensor<{element}>",
        f"%sum = tensor.extract %total[] : tensor<{element}>",
        *narrow,
        f"return {sum_} : f32",
    ]


DRIVERS = [
    Driver(
        "mlp.mlir",
        "main",
        [
            ("tensor<32x784xf32>", (32, 784)),
            ("tensor<784x256xf32>", (784, 256)),
            ("tensor<256xf32>", (256,)),
            ("tensor<256x128xf32>", (256, 128)),
            ("tensor<128xf32>", (128,)),
            ("tensor<128x10xf32>", (128, 10)),
            ("tensor<10xf32>", (10,)),
        ],
        "tensor<32x10xf32>",
    ),
    Driver(
        "tiled_matmul.mlir",
        "main",
        [("tensor<128x96xf64>", (128, 96)), ("tensor<96x160xf64>", (96, 160))],
        "tensor<128x160xf64>",
    ),
    Driver(
        "heat.mlir",
        "main",
        [("tensor<?x?xf64>", (30, 20)), ("index", "10"), ("f64", "0.2")],
        "tensor<?x?xf64>",
    ),
    Driver(
        "attention.mlir",
        "main",
        [("tensor<?x?x64xf32>", (2, 9, 64))] + [("tensor<?x?x64xf32>", (2, 11, 64))] * 2,
        "tensor<?x?x64xf32>",
    ),
    Driver(
        "insert.mlir",
        "test_call",
        [("tensor<8xf32>", (8,)), ("index", "3")],
        "tensor<8xf32>",
    ),
]


@requires_mlir_opt
@pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.example)
def test_example(driver: Driver) -> None:
    program = driver.program()
    lowered = xdsl_opt(program, jit.DEFAULT_PIPELINE)
    assert lowered.accepted, lowered.error
    done = subprocess.run(
        [mlir_tool("mlir-runner"), "-e", "entry", "-entry-point-result=f32", "-O2"],
        input=lowered.text,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    (number,) = re.findall(r"[-+.\deinf]+", done.stdout)
    ours = jit.compile(program).entry()
    assert ours == pytest.approx(float(number), rel=1e-5)
    assert ours != 0
