"""Ops in the modes that the networks do not use: NaNs ignored, casts, lookups."""

from __future__ import annotations

import numpy as np

from tests.execution.exported.export import Export
from tests.execution.exported.networks import Exported, network
from tests.execution.harness import random


@network(rtol=0)
def casts_between_types() -> Exported:
    x = np.array([0.5, 1.5, -2.5, 300, -300, 1e10, -1e10, 7.49], "f")
    h = np.array([0.5, 1.5, -2.5, 65504, np.inf, -np.inf, -0.4, 3], "f2")
    n = np.array([-7, 0, 1, 300, 70000, -1, 127, 5], "i4")
    net = Export()
    single, half, integer = net.argument(x), net.argument(h), net.argument(n)
    results = [
        net.op("cast", [value], (8,), element)
        for value, element in [
            (single, "i8"),
            (single, "i32"),
            (single, "f16"),
            (half, "i32"),
            (half, "i16"),
            (half, "f32"),
            (integer, "f32"),
            (integer, "i8"),
            (integer, "i1"),
        ]
    ]
    limits = np.iinfo("i4")
    wide = [np.clip(np.rint(a.astype("f8")), limits.min, limits.max) for a in (x, h)]
    expected = [
        np.clip(np.rint(x), -128, 127).astype("i1"),
        wide[0].astype("i4"),
        x.astype("f2"),
        wide[1].astype("i4"),
        np.clip(wide[1], -32768, 32767).astype("i2"),
        h.astype("f"),
        n.astype("f"),
        n.astype("i1"),
        n != 0,
    ]
    return net, results, expected


@network(rtol=0)
def not_a_number() -> Exported:
    nan = np.float32("nan")
    x = np.array([[1, nan, 3], [nan, nan, nan], [-4, -5, nan]], "f")
    y = np.array([[nan, 2, 2]], "f")
    net = Export()
    a, b = net.argument(x), net.argument(y)
    ignore = "nan_mode = IGNORE"
    results = [
        net.op("reduce_max", [a], (3, 1), attributes=f"axis = 1 : i32, {ignore}"),
        net.op("reduce_min", [a], (3, 1), attributes="axis = 1 : i32"),
        net.op("maximum", [a, b], (3, 3), attributes=ignore),
        net.op("minimum", [a, b], (3, 3)),
        net.op("argmax", [a], (3,), "i32", f"axis = 1 : i32, {ignore}"),
        net.op("argmax", [a], (3,), "i32", "axis = 1 : i32"),
    ]
    expected = [
        np.fmax.reduce(x, axis=1, keepdims=True),
        np.minimum.reduce(x, axis=1, keepdims=True),
        np.fmax(x, y),
        np.minimum(x, y),
        np.array([2, 0, 0], "i4"),
        np.array([1, 0, 2], "i4"),
    ]
    return net, results, expected


@network(rtol=0)
def lookups() -> Exported:
    """A table between whose entries i16 lie, an image of integers resized, a scatter."""
    keys = np.array([-32768, -1, 0, 77, 32767], "i2")
    entries = random(513, dtype="i2", seed=1)
    image = random(1, 3, 4, 2, dtype="i1", seed=2)
    values, rows = random(2, 4, 3, seed=3), random(2, 2, 3, seed=4)
    places = np.array([[3, 0], [1, 2]], "i4")
    net = Export()
    looked_up = net.op("table", [net.argument(keys), net.constant(entries)], (5,), "i32")
    sizes = [net.sizes(4, 2, 6, 3), net.sizes(-1, 1), net.sizes(-1, 1)]
    picture = net.argument(image)
    nearest, bilinear = (
        net.op("resize", [picture, *sizes], (1, 5, 7, 2), element, f"mode = {mode}")
        for element, mode in (("i8", "NEAREST_NEIGHBOR"), ("i32", "BILINEAR"))
    )
    operands = [net.argument(values), net.argument(places), net.argument(rows)]
    scattered = net.op("scatter", operands, values.shape)

    position = keys.astype("i4") + 32768
    index, fraction = position >> 7, position & 127
    low, high = entries[index].astype("i4"), entries[index + 1].astype("i4")

    def axis(size: int, count: int, scale: tuple[int, int], offset: int):
        place = np.arange(count) * scale[1] + offset
        before = np.trunc(place / scale[0]).astype("i4")
        distance = place - before * scale[0]
        last = size - 1
        middle = np.clip(before + (2 * distance >= scale[0]), 0, last)
        return np.clip(before, 0, last), np.clip(before + 1, 0, last), distance, middle

    y0, y1, dy, y = axis(3, 5, (4, 2), -1)
    x0, x1, dx, x = axis(4, 7, (6, 3), 1)
    wide = image.astype("i4")
    right, down = dx[:, None], dy[:, None, None]
    top = wide[:, y0][:, :, x0] * (6 - right) + wide[:, y0][:, :, x1] * right
    bottom = wide[:, y1][:, :, x0] * (6 - right) + wide[:, y1][:, :, x1] * right
    blended = (top * (4 - down) + bottom * down).astype("i4")
    moved = values.copy()
    for batch in range(2):
        moved[batch, places[batch]] = rows[batch]
    expected = [
        (low * 128 + (high - low) * fraction).astype("i4"),
        image[:, y][:, :, x],
        blended,
        moved,
    ]
    return net, [looked_up, nearest, bilinear, scattered], expected
