"""Writes tosa programs as exporters of networks do, from the shapes that NumPy finds.

    net = Export()
    x = net.argument(random(1, 4, 8))
    w = net.constant(random(1, 8, 2))
    y = net.matmul(x, w)
    net.text(y)

A `Value` carries its type alone: the numbers that the program must compute come from
NumPy, in the network's own function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

_ELEMENTS = {"f2": "f16", "f4": "f32", "i1": "i8", "i2": "i16", "i4": "i32", "b1": "i1"}


@dataclass(frozen=True)
class Value:
    name: str
    shape: tuple[int, ...]
    element: str

    @property
    def type(self) -> str:
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}{self.element}>"


def _element(array: Any) -> str:
    return _ELEMENTS[array.dtype.str[1:]]


def _literal(array: Any) -> str:
    if np.ndim(array):
        return "[" + ", ".join(_literal(part) for part in array) + "]"
    number = array.item()
    if isinstance(number, bool):
        return "true" if number else "false"
    return f"{number:.9e}" if isinstance(number, float) else str(number)


@dataclass
class Export:
    arguments: list[Any] = field(default_factory=list[Any])
    _parameters: list[Value] = field(default_factory=list[Value])
    _lines: list[str] = field(default_factory=list[str])
    _count: int = 0

    def _name(self) -> str:
        self._count += 1
        return f"%{self._count - 1}"

    def argument(self, array: Any) -> Value:
        value = Value(f"%arg{len(self.arguments)}", array.shape, _element(array))
        self.arguments.append(array)
        self._parameters.append(value)
        return value

    def constant(self, array: Any, element: str | None = None) -> Value:
        array = np.asarray(array)
        value = Value(self._name(), array.shape, element or _element(array))
        self._lines.append(
            f'{value.name} = "tosa.const"() <{{values = dense<{_literal(array)}> : '
            f"{value.type}}}> : () -> {value.type}"
        )
        return value

    def sizes(self, *sizes: int) -> Value:
        """A tosa.const_shape."""
        name = self._name()
        type_ = f"!tosa.shape<{len(sizes)}>"
        numbers = f"dense<{list(sizes)}> : tensor<{len(sizes)}xindex>"
        self._lines.append(
            f"{name} = tosa.const_shape {{values = {numbers}}} : () -> {type_}"
        )
        return Value(name, sizes, type_)

    def op(
        self,
        op: str,
        operands: Sequence[Value],
        shape: Sequence[int],
        element: str | None = None,
        attributes: str = "",
    ) -> Value:
        result = Value(self._name(), tuple(shape), element or operands[0].element)
        names = ", ".join(operand.name for operand in operands)
        types = ", ".join(
            operand.element if operand.element.startswith("!") else operand.type
            for operand in operands
        )
        attributes = f" {{{attributes}}}" if attributes else ""
        self._lines.append(
            f"{result.name} = tosa.{op} {names}{attributes} : ({types}) -> {result.type}"
        )
        return result

    def lines(self, types: Sequence[str], text: str) -> list[Value]:
        """Ops with regions, as text, with results of these types."""
        self._count += 1
        name = f"%{self._count - 1}"
        self._lines.append(f"{name}:{len(types)} = {text}")
        values: list[Value] = []
        for number, type_ in enumerate(types):
            *sizes, element = type_.removeprefix("tensor<").rstrip(">").split("x")
            values.append(Value(f"{name}#{number}", tuple(map(int, sizes)), element))
        return values

    def text(self, *results: Value) -> str:
        parameters = ", ".join(f"{v.name}: {v.type}" for v in self._parameters)
        types = ", ".join(value.type for value in results)
        names = ", ".join(value.name for value in results)
        body = "\n  ".join(self._lines)
        return (
            f"func.func @main({parameters}) -> ({types}) {{\n  {body}\n  "
            f"return {names} : {types}\n}}\n"
        )

    # Ops whose types follow from their operands

    def unary(self, op: str, x: Value, attributes: str = "") -> Value:
        return self.op(op, [x], x.shape, attributes=attributes)

    def binary(self, op: str, x: Value, y: Value, element: str | None = None) -> Value:
        shape = np.broadcast_shapes(x.shape, y.shape)
        operands = [x, y]
        if op == "mul":
            operands.append(self.constant(np.zeros(1, "i1")))
        return self.op(op, operands, shape, element)

    def splat(self, number: float, rank: int) -> Value:
        return self.constant(np.full([1] * rank, number, "f"))

    def reduce(self, op: str, x: Value, axis: int) -> Value:
        shape = [1 if n == axis else size for n, size in enumerate(x.shape)]
        return self.op(f"reduce_{op}", [x], shape, attributes=f"axis = {axis} : i32")

    def reshape(self, x: Value, *shape: int) -> Value:
        return self.op("reshape", [x, self.sizes(*shape)], shape)

    def transpose(self, x: Value, *perms: int) -> Value:
        shape = [x.shape[n] for n in perms]
        numbers = ", ".join(map(str, perms))
        return self.op(
            "transpose", [x], shape, attributes=f"perms = array<i32: {numbers}>"
        )

    def slice(self, x: Value, start: Sequence[int], shape: Sequence[int]) -> Value:
        return self.op("slice", [x, self.sizes(*start), self.sizes(*shape)], shape)

    def concat(self, axis: int, *parts: Value) -> Value:
        shape = list(parts[0].shape)
        shape[axis] = sum(part.shape[axis] for part in parts)
        return self.op("concat", parts, shape, attributes=f"axis = {axis} : i32")

    def zero(self, of: Value, number: int = 0) -> Value:
        """A zero point."""
        if of.element in ("f32", "bf16", "f16"):
            return self.constant(np.zeros(1, "f"), of.element)
        return self.constant(np.array([number]), of.element)

    def matmul(
        self, a: Value, b: Value, element: str | None = None, zero_points: Any = (0, 0)
    ) -> Value:
        zeros = [self.zero(v, n) for v, n in zip((a, b), zero_points, strict=True)]
        return self.op("matmul", [a, b, *zeros], (*a.shape[:2], b.shape[2]), element)

    def linear(self, x: Value, w: Value, bias: Value) -> Value:
        """A fully connected layer, of two dimensions or of three with a batch of one."""
        rows = self.reshape(x, 1, *x.shape[-2:])
        y = self.matmul(rows, self.reshape(w, 1, *w.shape))
        biased = self.binary("add", y, self.reshape(bias, 1, 1, bias.shape[0]))
        return self.reshape(biased, *x.shape[:-1], w.shape[1])

    def convolution(
        self,
        op: str,
        x: Value,
        w: Value,
        bias: Value,
        *,
        pad: Sequence[int] = (0, 0, 0, 0),
        stride: Sequence[int] = (1, 1),
        zero_points: tuple[int, int] = (0, 0),
    ) -> Value:
        kernel = w.shape[1:3] if op == "conv2d" else w.shape[:2]
        channels = w.shape[0] if op == "conv2d" else w.shape[2] * w.shape[3]
        height, width = (
            (x.shape[1 + n] + sum(pad[2 * n : 2 * n + 2]) - kernel[n]) // stride[n] + 1
            for n in range(2)
        )
        zeros = [self.zero(v, n) for v, n in zip((x, w), zero_points, strict=True)]
        element = "i32" if x.element == "i8" else x.element
        attributes = (
            f"acc_type = {'i32' if x.element == 'i8' else 'f32'}, "
            f"dilation = array<i64: 1, 1>, pad = array<i64: {', '.join(map(str, pad))}>, "
            f"stride = array<i64: {stride[0]}, {stride[1]}>"
        )
        shape = (x.shape[0], height, width, channels)
        return self.op(op, [x, w, bias, *zeros], shape, element, attributes)

    def pool(
        self, op: str, x: Value, kernel: int, stride: int, zero_points: Any = (0, 0)
    ) -> Value:
        height, width = ((x.shape[n] - kernel) // stride + 1 for n in (1, 2))
        operands = [x]
        attributes = (
            f"kernel = array<i64: {kernel}, {kernel}>, pad = array<i64: 0, 0, 0, 0>, "
            f"stride = array<i64: {stride}, {stride}>"
        )
        if op == "avg_pool2d":
            operands += [self.zero(x, n) for n in zero_points]
            attributes += f", acc_type = {'i32' if x.element == 'i8' else 'f32'}"
        shape = (x.shape[0], height, width, x.shape[3])
        return self.op(op, operands, shape, attributes=attributes)

    def clamp(self, x: Value, low: float, high: float) -> Value:
        of = x.element
        numbers = (low, high) if of[0] == "i" else (float(low), float(high))
        least, most = (f"{number} : {of}" for number in numbers)
        return self.unary("clamp", x, f"max_val = {most}, min_val = {least}")

    def rescale(
        self,
        x: Value,
        element: str,
        multipliers: Sequence[int],
        shifts: Sequence[int],
        zero_points: tuple[int, int] = (0, 0),
        rounding: str = "SINGLE_ROUND",
    ) -> Value:
        operands = [
            x,
            self.constant(np.array(multipliers, "i4")),
            self.constant(np.array(shifts, "i1")),
            self.constant(np.array([zero_points[0]]), x.element),
            self.constant(np.array([zero_points[1]]), element),
        ]
        per_channel = "true" if len(multipliers) > 1 else "false"
        attributes = (
            f"input_unsigned = false, output_unsigned = false, per_channel = "
            f"{per_channel}, rounding_mode = {rounding}, scale32 = true"
        )
        return self.op("rescale", operands, x.shape, element, attributes)

    def softmax(self, x: Value) -> Value:
        """Over the last dimension."""
        axis = len(x.shape) - 1
        shifted = self.binary("sub", x, self.reduce("max", x, axis))
        powers = self.unary("exp", shifted)
        total = self.unary("reciprocal", self.reduce("sum", powers, axis))
        return self.binary("mul", powers, total)

    def mean(self, x: Value, axis: int) -> Value:
        total = self.reduce("sum", x, axis)
        return self.binary("mul", total, self.splat(1 / x.shape[axis], len(x.shape)))
