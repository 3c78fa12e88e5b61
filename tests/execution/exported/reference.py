"""What the layers of networks compute, in NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import erf as _erf
from typing import Any

import numpy as np


def softmax(x: Any) -> Any:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def erf(x: Any) -> Any:
    return np.vectorize(_erf)(x).astype(x.dtype)


def rounded_to_bf16(x: Any) -> Any:
    """The nearest floats of which the lower half of the bits is zero, ties to even."""
    bits = np.ascontiguousarray(x, "f").view(np.uint32)
    bits = bits + 0x7FFF + ((bits >> 16) & 1)
    return (bits & np.uint32(0xFFFF0000)).view(np.float32)


def _windows(x: Any, kernel: Sequence[int], stride: Sequence[int]) -> Any:
    """Axes: batch, row, column, channel, row and column of the window."""
    views = np.lib.stride_tricks.sliding_window_view(x, kernel, axis=(1, 2))
    return views[:, :: stride[0], :: stride[1]]


def _padded(x: Any, pad: Sequence[int], value: Any) -> Any:
    widths = [(0, 0), (pad[0], pad[1]), (pad[2], pad[3]), (0, 0)]
    return np.pad(x, widths, constant_values=value)


def _widened(
    x: Any, w: Any, pad: Sequence[int], zero_points: Sequence[int]
) -> tuple[Any, Any]:
    """The padded input and the weights of a convolution, without their zero points."""
    wide = np.int32 if x.dtype.kind == "i" else np.float32
    x = _padded(x, pad, zero_points[0]).astype(wide) - wide(zero_points[0])
    return x, w.astype(wide) - wide(zero_points[1])


def _convolution(equation: str, kernel_axes: slice) -> Callable[..., Any]:
    """Return a convolution: the Einstein sum of windows and weights, plus a bias."""

    def convolve(
        x: Any,
        w: Any,
        bias: Any,
        pad: Sequence[int] = (0, 0, 0, 0),
        stride: Sequence[int] = (1, 1),
        zero_points: Sequence[int] = (0, 0),
    ) -> Any:
        x, w = _widened(x, w, pad, zero_points)
        y = np.einsum(equation, _windows(x, w.shape[kernel_axes], stride), w)
        return y.reshape(*y.shape[:3], -1) + bias

    return convolve


conv2d = _convolution("nhwcij,fijc->nhwf", slice(1, 3))
depthwise_conv2d = _convolution("nhwcij,ijcm->nhwcm", slice(2))


def max_pool(x: Any, kernel: int, stride: int) -> Any:
    return _windows(x, (kernel, kernel), (stride, stride)).max((-2, -1))


def average_pool(x: Any, kernel: int, stride: int) -> Any:
    return _windows(x, (kernel, kernel), (stride, stride)).mean((-2, -1))


def average_pool_of_integers(
    x: Any, kernel: int, stride: int, zero_points: Sequence[int]
) -> Any:
    """The sum times a reciprocal of 30 bits, rounded, as tosa defines it."""
    total = _windows(x.astype("i8"), (kernel, kernel), (stride, stride)).sum((-2, -1))
    count = kernel * kernel
    total = total - count * zero_points[0]
    power = 32 - (32 - (count - 1).bit_length())
    multiplier = ((1 << 30) + 1 << power) // count
    mean = rescaled_products(total, multiplier, 30 + power) + zero_points[1]
    return np.clip(mean, -128, 127).astype("i1")


def rescaled_products(x: Any, multiplier: Any, shift: Any) -> Any:
    wide = np.asarray(x, "i8") * np.asarray(multiplier, "i8")
    return (wide + (np.int64(1) << (np.asarray(shift, "i8") - 1))) >> np.asarray(shift)


def rescale(
    x: Any,
    dtype: str,
    multipliers: Sequence[int],
    shifts: Sequence[int],
    zero_points: Sequence[int] = (0, 0),
    double: bool = False,
) -> Any:
    """As tosa.rescale, a multiplier and a shift for all or for each last index."""
    value = x.astype("i8") - zero_points[0]
    multiplier, shift = np.array(multipliers, "i8"), np.array(shifts, "i8")
    product = value * multiplier + (np.int64(1) << (shift - 1))
    if double:
        away = ((value >= 0) * 2 - 1) * np.int64(1 << 30)
        product = product + away * (shift > 31)
    result = (product >> shift) + zero_points[1]
    limits = np.iinfo(dtype)
    return np.clip(result, limits.min, limits.max).astype(dtype)
