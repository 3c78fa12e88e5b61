"""The peak of memory of four networks, and a picture of an arena: docs/memory.md.

    python -m benchmarks.memory            # print the table
    python -m benchmarks.memory --draw     # and write the pictures

Every network is bufferized in four ways, compiled and called with random arguments; the
runtime counts the bytes that are allocated at one time. Inputs and weights, which the
caller has, do not count; what a function returns does.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.tables import table
from xdsl_bufferization import jit
from xdsl_bufferization.transforms import plan_memory as planning

IMAGES = Path(__file__).parent.parent / "docs" / "img"
BUFFERIZE = (
    "one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline"
)
WAYS = {
    "plain": BUFFERIZE,
    "bufferization-pipeline": "bufferization-pipeline",
    "planned": "bufferization-pipeline,plan-memory",
}


@dataclass
class Network:
    """A function that is built op by op."""

    lines: list[str] = field(default_factory=list[str])
    arguments: list[tuple[str, tuple[int, ...]]] = field(
        default_factory=list[tuple[str, tuple[int, ...]]]
    )
    types: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])

    def argument(self, *shape: int) -> str:
        name = f"%arg{len(self.arguments)}"
        self.arguments.append((name, shape))
        self.types[name] = shape
        return name

    def type_of(self, name: str) -> str:
        return _type(self.types[name])

    def new(self, shape: tuple[int, ...]) -> str:
        name = f"%{len(self.types)}"
        self.types[name] = shape
        return name

    def empty(self, shape: tuple[int, ...]) -> str:
        name = self.new(shape)
        self.lines.append(f"{name} = tensor.empty() : {_type(shape)}")
        return name

    def op(
        self, op: str, shape: tuple[int, ...], *inputs: str, zero: bool = False
    ) -> str:
        init = self.empty(shape)
        if zero:
            filled = self.new(shape)
            self.lines.append(
                f"{filled} = linalg.fill ins(%zero : f32) outs({init} : {_type(shape)}) "
                f"-> {_type(shape)}"
            )
            init = filled
        name = self.new(shape)
        types = ", ".join(map(self.type_of, inputs))
        self.lines.append(
            f"{name} = {op} ins({', '.join(inputs)} : {types}) "
            f"outs({init} : {_type(shape)}) -> {_type(shape)}"
        )
        return name

    def matmul(self, x: str, y: str) -> str:
        shape = (self.types[x][0], self.types[y][1])
        return self.op("linalg.matmul", shape, x, y, zero=True)

    def layer(self, x: str, width: int) -> str:
        """A product with weights, and exp in place of an activation."""
        weights = self.argument(self.types[x][1], width)
        product = self.matmul(x, weights)
        return self.op("linalg.exp", self.types[product], product)

    def add(self, x: str, y: str) -> str:
        return self.op("linalg.add", self.types[x], x, y)

    def transpose(self, x: str) -> str:
        rows, columns = self.types[x]
        init = self.empty((columns, rows))
        name = self.new((columns, rows))
        self.lines.append(
            f"{name} = linalg.transpose ins({x} : {self.type_of(x)}) "
            f"outs({init} : {self.type_of(init)}) permutation = [1, 0]"
        )
        return name

    def text(self, result: str) -> str:
        arguments = ", ".join(f"{name}: {_type(shape)}" for name, shape in self.arguments)
        type_ = self.type_of(result)
        body = "\n  ".join(["%zero = arith.constant 0.0 : f32", *self.lines])
        return (
            f"func.func @main({arguments}) -> {type_} {{\n  {body}\n"
            f"  return {result} : {type_}\n}}\n"
        )


def _type(shape: tuple[int, ...]) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def perceptron(net: Network) -> str:
    """Eight layers of different widths."""
    x = net.argument(32, 64)
    for width in (128, 256, 128, 64, 256, 32, 64, 16):
        x = net.layer(x, width)
    return x


def mobile(net: Network) -> str:
    """Blocks that expand, mix and project the channels, with a residual each, as in
    MobileNet v2; a position is a row."""
    x = net.argument(64, 16)
    for width in (16, 16, 24, 24, 32, 32):
        expanded = net.layer(x, 6 * net.types[x][1])
        mixed = net.op("linalg.exp", net.types[expanded], expanded)
        projected = net.matmul(mixed, net.argument(net.types[mixed][1], width))
        x = net.add(projected, x) if net.types[x][1] == width else projected
    return x


def u_net(net: Network) -> str:
    """Four levels down and up again; each level skips to the other side."""
    x = net.argument(128, 16)
    skips: list[str] = []
    for _ in range(4):
        x = net.layer(net.layer(x, net.types[x][1]), net.types[x][1])
        skips.append(x)
        rows, channels = net.types[x]
        halved = net.matmul(net.argument(rows // 2, rows), x)
        x = net.layer(halved, 2 * channels)
    for skip in reversed(skips):
        rows, channels = net.types[skip]
        doubled = net.matmul(net.argument(rows, rows // 2), net.layer(x, channels))
        x = net.layer(net.add(doubled, skip), channels)
    return x


def transformer(net: Network) -> str:
    """Twelve layers of attention and a perceptron, each with a residual."""
    x = net.argument(32, 32)
    for _ in range(12):
        q, k, v = (net.matmul(x, net.argument(32, 32)) for _ in range(3))
        scores = net.matmul(q, net.transpose(k))
        weights = net.op("linalg.exp", net.types[scores], scores)
        x = net.add(x, net.matmul(net.matmul(weights, v), net.argument(32, 32)))
        hidden = net.layer(x, 128)
        x = net.add(x, net.matmul(hidden, net.argument(128, 32)))
    return x


NETWORKS: dict[str, Callable[[Network], str]] = {
    "perceptron": perceptron,
    "MobileNet-like chain": mobile,
    "U-Net-like skips": u_net,
    "12-layer transformer": transformer,
}


@dataclass(frozen=True)
class Peaks:
    """Bytes that are allocated at one time."""

    mlir_opt: int
    plain: int
    pipeline: int
    planned: int
    bound: int


def measure(build: Callable[[Network], str]) -> Peaks:
    net = Network()
    text = net.text(build(net))
    rng = np.random.default_rng(0)
    arguments = [0.01 * rng.random(shape, dtype="f4") for _, shape in net.arguments]
    bufferized = subprocess.run(
        [
            "mlir-opt-22",
            "--one-shot-bufferize=bufferize-function-boundaries",
            "--buffer-deallocation-pipeline",
        ],
        check=True,
        input=text,
        capture_output=True,
        text=True,
    ).stdout
    reference, mlir_opt = peak(bufferized, "lower-to-llvm-pipeline", arguments)
    peaks: dict[str, int] = {}
    plans: list[planning.FunctionPlan] = []
    for name, pipeline in WAYS.items():
        with recorded(plans):
            result, peaks[name] = peak(
                text, f"{pipeline},lower-to-llvm-pipeline", arguments
            )
        np.testing.assert_allclose(result, reference, rtol=1e-4)
    # What stays beside the arena, such as the result, is live with its peak.
    bound = peaks["planned"] - sum(plan.height - plan.lower_bound for plan in plans)
    return Peaks(
        mlir_opt, peaks["plain"], peaks["bufferization-pipeline"], peaks["planned"], bound
    )


def peak(text: str, pipeline: str, arguments: list[Any]) -> tuple[Any, int]:
    module = jit.compile(text, pipeline, count=True)
    module.reset_stats()
    result = module["main"](*(argument.copy() for argument in arguments))
    return np.array(result), module.stats().peak_bytes


class recorded:
    """Collect the plans that plan-memory makes."""

    def __init__(self, plans: list[planning.FunctionPlan]):
        self.plans = plans
        self.original = planning.plan_memory

    def __enter__(self) -> None:
        def record(*arguments: Any, **options: Any) -> list[planning.FunctionPlan]:
            made = self.original(*arguments, **options)
            self.plans += made
            return made

        planning.plan_memory = record

    def __exit__(self, *_: object) -> None:
        planning.plan_memory = self.original


def rows() -> Iterator[tuple[str, ...]]:
    for name, build in NETWORKS.items():
        found = measure(build)
        yield (
            name,
            *(
                f"{number:,}"
                for number in (
                    found.mlir_opt,
                    found.plain,
                    found.pipeline,
                    found.planned,
                    found.bound,
                )
            ),
            f"{found.planned / found.mlir_opt:.2f}",
            f"{found.planned / found.bound:.3f}",
        )


def draw(name: str, text: str, output: Path, title: str) -> None:
    """Draw an arena over time: a box for each interval of a buffer."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot
    from matplotlib.patches import Rectangle

    plans: list[planning.FunctionPlan] = []
    with recorded(plans):
        jit.compile(text, f"{WAYS['planned']},lower-to-llvm-pipeline")
    (plan,) = plans
    matplotlib.rcParams["svg.hashsalt"] = name
    figure, axes = pyplot.subplots(figsize=(9, 4), layout="constrained")
    colors = pyplot.get_cmap("tab20").colors  # pyright: ignore
    for number, place in enumerate(plan.placements):
        for start, end in place.intervals:
            axes.add_patch(
                Rectangle(
                    (start, place.offset),
                    end - start,
                    place.size,
                    facecolor=colors[number % len(colors)],
                    edgecolor="black",
                    linewidth=0.4,
                )
            )
    axes.axhline(plan.lower_bound, color="black", linestyle="--", linewidth=1)
    axes.set_xlim(0, max(p.intervals[-1][1] for p in plan.placements))
    axes.set_ylim(0, 1.05 * plan.height)
    axes.set_xlabel("ops, in program order")
    axes.set_ylabel("bytes")
    axes.set_title(f"{title}: {plan.buffers} buffers in {plan.height:,} bytes")
    figure.savefig(output, metadata={"Date": None})
    pyplot.close(figure)


def main() -> None:
    header = (
        *("network", "mlir-opt", "plain", "bufferization-pipeline", "planned"),
        *("lower bound", "planned / mlir-opt", "planned / bound"),
    )
    print("\n".join(table(header, list(rows()))))
    if "--draw" in sys.argv:
        net = Network()
        draw(
            "transformer",
            net.text(transformer(net)),
            IMAGES / "arena-transformer.svg",
            "12-layer transformer",
        )


if __name__ == "__main__":
    main()
