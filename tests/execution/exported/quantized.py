"""Networks of integers: their results are equal bit for bit."""

from __future__ import annotations

import numpy as np

from tests.execution.exported import reference as ref
from tests.execution.exported.export import Export
from tests.execution.exported.networks import Exported, network
from tests.execution.harness import random


@network(rtol=0)
def quantized_classifier() -> Exported:
    """Convolutions with zero points, scaled per channel, pooled, with a table."""
    x = random(1, 8, 8, 3, dtype="i1")
    w1, b1 = random(4, 3, 3, 3, dtype="i1", seed=1), random(4, dtype="i4", seed=2)
    w2, b2 = random(3, 3, 4, 1, dtype="i1", seed=3), random(4, dtype="i4", seed=4)
    w3 = random(1, 4, 6, dtype="i1", seed=5)
    table = np.round(127 * np.tanh(np.arange(-128, 128) / 40)).astype("i1")
    channels = ([1342177280, 1610612736, 1100000000, 2000000000], [38, 39, 37, 40])
    one = ([1518500250], [39])

    net = Export()
    y = net.argument(x)
    weight, bias, around = net.constant(w1), net.argument(b1), (1, 1, 1, 1)
    y = net.convolution("conv2d", y, weight, bias, pad=around, zero_points=(-3, 0))
    y = net.rescale(y, "i8", *channels, (0, -128), "DOUBLE_ROUND")
    y = net.clamp(y, -128, 100)
    y = net.convolution(
        "depthwise_conv2d", y, net.constant(w2), net.constant(b2), zero_points=(-128, 2)
    )
    y = net.rescale(y, "i8", *one, (0, 5))
    y = net.op("table", [y, net.constant(table)], y.shape)
    y = net.pool("max_pool2d", y, 2, 2)
    y = net.pool("avg_pool2d", y, 3, 3, zero_points=(5, -7))
    y = net.matmul(net.reshape(y, 1, 1, 4), net.constant(w3), "i32", (-7, 0))
    scores = net.rescale(y, "i16", [1073741824], [33])
    best = net.op("argmax", [scores], (1, 1), "i32", "axis = 2 : i32")

    z = ref.conv2d(x, w1, b1, pad=(1, 1, 1, 1), zero_points=(-3, 0))
    z = ref.rescale(z, "i1", *channels, (0, -128), double=True)
    z = np.minimum(z, np.int8(100))
    z = ref.depthwise_conv2d(z, w2, b2, zero_points=(-128, 2))
    z = ref.rescale(z, "i1", *one, (0, 5))
    z = table[z.astype("i4") + 128]
    z = ref.max_pool(z, 2, 2)
    z = ref.average_pool_of_integers(z, 3, 3, (5, -7))
    z = (z.reshape(1, 1, 4).astype("i4") + 7) @ w3.astype("i4")
    z = ref.rescale(z, "i2", [1073741824], [33])
    return net, [scores, best], [z, z.argmax(-1).astype("i4")]


@network(rtol=0)
def integer_residual_block() -> Exported:
    """Two inputs brought to one scale in i32, added, shifted, compared and selected."""
    a, b = random(2, 5, dtype="i1"), random(2, 5, dtype="i1", seed=1)
    distance = np.array([[0, 1, 2, 3, 4]], "i4")

    net = Export()
    lhs = net.rescale(net.argument(a), "i32", [1073741824], [20], (4, 0))
    rhs = net.rescale(net.argument(b), "i32", [1288490189], [21], (-9, 0))
    total = net.binary("add", lhs, rhs)
    operands = [total, net.constant(distance)]
    shifted = net.op("arithmetic_right_shift", operands, (2, 5), "i32", "round = true")
    product = net.op(
        "mul", [shifted, rhs, net.constant(np.array([7], "i1"))], (2, 5), "i32"
    )
    greater = net.op("greater", [product, lhs], (2, 5), "i1")
    chosen = net.op("select", [greater, product, lhs], (2, 5), "i32")
    result = net.rescale(chosen, "i8", [1073741824], [50], (0, -1), "DOUBLE_ROUND")
    negated = net.op("negate", [result, net.zero(result), net.zero(result)], (2, 5))
    largest = net.op("reduce_max", [chosen], (2, 1), "i32", "axis = 1 : i32")

    x = ref.rescale(a, "i4", [1073741824], [20], (4, 0))
    y = ref.rescale(b, "i4", [1288490189], [21], (-9, 0))
    s = (x + y) >> distance
    s = s + np.where(distance > 0, ((x + y) >> np.maximum(distance - 1, 0)) & 1, 0)
    p = ((s.astype("i8") * y + 64) >> 7).astype("i4")
    c = np.maximum(p, x)
    r = ref.rescale(c, "i1", [1073741824], [50], (0, -1), double=True)
    n = np.clip(-r.astype("i4"), -128, 127).astype("i1")
    return net, [result, negated, largest], [r, n, c.max(1, keepdims=True)]
