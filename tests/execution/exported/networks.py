"""Networks of floats, as public projects export them to tosa."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.execution.exported import reference as ref
from tests.execution.exported.export import Export, Value
from tests.execution.harness import random


@dataclass(frozen=True)
class Network:
    name: str
    text: str
    arguments: Sequence[Any]
    results: Sequence[Any]
    rtol: float


NETWORKS: dict[str, Callable[[], Network]] = {}

Exported = tuple[Export, Sequence[Value], Sequence[Any]]


def network(
    build: Callable[[], Exported] | None = None, *, rtol: float = 1e-4
) -> Callable[..., Any]:
    """Add a network: its program, the results it returns, and NumPy's."""

    def register(build: Callable[[], Exported]) -> Callable[[], Exported]:
        def make() -> Network:
            net, values, expected = build()
            text = net.text(*values)
            return Network(build.__name__, text, net.arguments, expected, rtol)

        NETWORKS[build.__name__] = make
        return build

    return register if build is None else register(build)


def _weights(*shape: int, seed: int = 0) -> Any:
    return (random(*shape, seed=seed) / np.sqrt(shape[0])).astype("f")


@network
def lenet() -> Exported:
    x = random(1, 16, 16, 1)
    w1, b1 = random(4, 5, 5, 1, seed=1) / 5, random(4, seed=2)
    w2, b2 = random(6, 3, 3, 4, seed=3) / 6, random(6, seed=4)
    w3, b3 = _weights(24, 12, seed=5), random(12, seed=6)
    w4, b4 = _weights(12, 10, seed=7), random(10, seed=8)
    w1, w2 = w1.astype("f"), w2.astype("f")

    net = Export()
    y = net.argument(x)
    y = net.convolution("conv2d", y, net.argument(w1), net.constant(b1))
    y = net.pool("max_pool2d", net.clamp(y, 0, 3.4e38), 2, 2)
    y = net.convolution("conv2d", y, net.argument(w2), net.constant(b2))
    y = net.pool("avg_pool2d", net.unary("tanh", y), 2, 2)
    y = net.reshape(y, 1, 24)
    y = net.clamp(net.linear(y, net.constant(w3), net.constant(b3)), 0, 3.4e38)
    y = net.softmax(net.linear(y, net.constant(w4), net.constant(b4)))

    z = ref.max_pool(np.maximum(ref.conv2d(x, w1, b1), 0), 2, 2)
    z = ref.average_pool(np.tanh(ref.conv2d(z, w2, b2)), 2, 2)
    z = np.maximum(z.reshape(1, 24) @ w3 + b3, 0)
    return net, [y], [ref.softmax(z @ w4 + b4).astype("f")]


def _layer_norm(net: Export, x: Value, gain: Any, bias: Any) -> Value:
    axis = len(x.shape) - 1
    centred = net.binary("sub", x, net.mean(x, axis))
    variance = net.mean(net.binary("mul", centred, centred), axis)
    safe = net.binary("add", variance, net.splat(1e-5, axis + 1))
    normal = net.binary("mul", centred, net.unary("rsqrt", safe))
    shape = [1] * axis + [-1]
    scaled = net.binary("mul", normal, net.constant(gain.reshape(shape)))
    return net.binary("add", scaled, net.constant(bias.reshape(shape)))


def _normalized(x: Any, gain: Any, bias: Any) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * gain + bias


def _split_heads(net: Export, x: Value, heads: int) -> Value:
    _, tokens, width = x.shape
    split = net.reshape(x, 1, tokens, heads, width // heads)
    return net.reshape(net.transpose(split, 0, 2, 1, 3), heads, tokens, width // heads)


def _join_heads(net: Export, x: Value) -> Value:
    heads, tokens, width = x.shape
    split = net.reshape(x, 1, heads, tokens, width)
    return net.reshape(net.transpose(split, 0, 2, 1, 3), 1, tokens, heads * width)


def _attend(net: Export, q: Value, k: Value, v: Value, mask: Value) -> Value:
    scores = net.matmul(q, net.transpose(k, 0, 2, 1))
    scores = net.binary("mul", scores, net.splat(q.shape[2] ** -0.5, 3))
    lowest = net.splat(-1e30, 3)
    masked = net.op("select", [mask, scores, lowest], scores.shape, "f32")
    return net.matmul(net.softmax(masked), v)


def _attended(q: Any, k: Any, v: Any, mask: Any) -> Any:
    scores = q @ k.transpose(0, 2, 1) * np.float32(q.shape[2] ** -0.5)
    return ref.softmax(np.where(mask, scores, np.float32(-1e30))) @ v


def _heads(x: Any, heads: int) -> Any:
    return x.reshape(x.shape[-2], heads, -1).transpose(1, 0, 2)


def _joined(x: Any) -> Any:
    return x.transpose(1, 0, 2).reshape(1, x.shape[1], -1)


@network
def bert_block() -> Exported:
    tokens, width, heads = 6, 8, 2
    x = random(1, tokens, width)
    mask = np.array([1, 1, 1, 1, 0, 0], bool).reshape(1, 1, tokens)
    projections = [_weights(width, width, seed=n) for n in range(4)]
    biases = [random(width, seed=10 + n) for n in range(4)]
    up, down = _weights(width, 4 * width, seed=20), _weights(4 * width, width, seed=21)
    up_bias, down_bias = random(4 * width, seed=22), random(width, seed=23)
    gains = [random(width, seed=24 + n) for n in range(4)]

    net = Export()
    arg, mask_arg = net.argument(x), net.argument(mask)
    q, k, v = (
        _split_heads(
            net,
            net.linear(arg, net.constant(projections[n]), net.constant(biases[n])),
            heads,
        )
        for n in range(3)
    )
    attended = _join_heads(net, _attend(net, q, k, v, mask_arg))
    out = net.linear(attended, net.constant(projections[3]), net.constant(biases[3]))
    hidden = _layer_norm(net, net.binary("add", out, arg), gains[0], gains[1])
    y = net.linear(hidden, net.constant(up), net.constant(up_bias))
    error = net.unary("erf", net.binary("mul", y, net.splat(0.5**0.5, 3)))
    half = net.binary("mul", y, net.splat(0.5, 3))
    y = net.binary("mul", half, net.binary("add", error, net.splat(1, 3)))
    y = net.linear(y, net.constant(down), net.constant(down_bias))
    y = _layer_norm(net, net.binary("add", y, hidden), gains[2], gains[3])

    q, k, v = (_heads(x @ projections[n] + biases[n], heads) for n in range(3))
    z = _joined(_attended(q, k, v, mask)) @ projections[3] + biases[3]
    h = _normalized(z + x, gains[0], gains[1])
    z = h @ up + up_bias
    z = 0.5 * z * (ref.erf(z * np.float32(0.5**0.5)) + 1)
    z = _normalized(z @ down + down_bias + h, gains[2], gains[3])
    return net, [y], [z.astype("f")]


@network
def deepseek_block() -> Exported:
    """A decoder: RMSNorm, rotary positions, causal attention, SwiGLU, the next token."""
    tokens, width, heads, words = 5, 8, 2, 12
    half = width // heads // 2
    ids = np.array([[3, 0, 11, 7, 3]], "i4")
    table = random(1, words, width, seed=1)
    wq, wk, wv, wo = (_weights(width, width, seed=2 + n) for n in range(4))
    gate, up = (_weights(width, 12, seed=6 + n) for n in range(2))
    down = _weights(12, width, seed=8)
    gain = random(width, seed=9) + 2
    angles = np.outer(np.arange(tokens), 10000.0 ** (-np.arange(half) / half))
    angles = np.concatenate([angles, angles], 1)[None].astype("f")
    causal = np.tril(np.ones((1, tokens, tokens), bool))
    zeros = {size: np.zeros(size, "f") for size in (width, 12)}

    net = Export()
    id_arg, table_arg = net.argument(ids), net.argument(table)
    angle_value, mask = net.constant(angles), net.constant(causal)

    def rms_norm(x: Value) -> Value:
        power = net.binary("pow", x, net.splat(2, 3))
        safe = net.binary("add", net.mean(power, 2), net.splat(1e-6, 3))
        normal = net.binary("mul", x, net.unary("rsqrt", safe))
        return net.binary("mul", net.constant(gain.reshape(1, 1, -1)), normal)

    def project(x: Value, w: Any) -> Value:
        return net.linear(x, net.constant(w), net.constant(zeros[w.shape[1]]))

    def rotate(x: Value) -> Value:
        lower = net.slice(x, (0, 0, 0), (heads, tokens, half))
        upper = net.slice(x, (0, 0, half), (heads, tokens, half))
        negated = net.op("negate", [upper, net.zero(x), net.zero(x)], upper.shape)
        turned = net.concat(2, negated, lower)
        cosine = net.binary("mul", x, net.unary("cos", angle_value))
        return net.binary(
            "add", cosine, net.binary("mul", turned, net.unary("sin", angle_value))
        )

    x = net.op("gather", [table_arg, id_arg], (1, tokens, width))
    normal = rms_norm(x)
    q, k, v = (_split_heads(net, project(normal, w), heads) for w in (wq, wk, wv))
    attended = _attend(net, rotate(q), rotate(k), v, mask)
    x = net.binary("add", x, project(_join_heads(net, attended), wo))
    normal = rms_norm(x)
    gated = project(normal, gate)
    gated = net.binary("mul", gated, net.unary("sigmoid", gated))
    x = net.binary("add", x, project(net.binary("mul", gated, project(normal, up)), down))
    logits = net.matmul(x, net.transpose(table_arg, 0, 2, 1))
    shape = (1, tokens)
    token = net.op("argmax", [logits], shape, "i32", "axis = 2 : i32")

    def rms(x: Any) -> Any:
        return gain * (x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6))

    def rotated(x: Any) -> Any:
        turned = np.concatenate([-x[..., half:], x[..., :half]], -1)
        return x * np.cos(angles) + turned * np.sin(angles)

    y = table[:, ids[0]]
    q, k, v = (_heads(rms(y) @ w, heads) for w in (wq, wk, wv))
    y = y + _joined(_attended(rotated(q), rotated(k), v, causal)) @ wo
    g = rms(y) @ gate
    y = y + (g * ref.sigmoid(g) * (rms(y) @ up)) @ down
    scores = (y @ table.transpose(0, 2, 1)).astype("f")
    return net, [logits, token], [scores, scores.argmax(-1).astype("i4")]


@network(rtol=2e-2)
def bf16_mlp() -> Exported:
    """Products of bf16 added up in f32, and rounded to bf16 after each layer."""
    x = random(1, 8, 16)
    layers = [(_weights(16, 12, seed=1), random(12, seed=2))]
    layers += [(_weights(12, 6, seed=3), random(6, seed=4))]

    net = Export()
    y = net.op("cast", [net.argument(x)], x.shape, "bf16")
    z = ref.rounded_to_bf16(x)
    for w, b in layers:
        w16 = net.op("cast", [net.argument(w[None])], (1, *w.shape), "bf16")
        bias = net.constant(b.reshape(1, 1, -1))
        y = net.binary("add", net.matmul(y, w16, "f32"), bias)
        y = net.op("cast", [net.clamp(y, 0, 3.4e38)], y.shape, "bf16")
        z = ref.rounded_to_bf16(np.maximum(z @ ref.rounded_to_bf16(w) + b, 0))
    total = net.reduce("sum", y, 1)
    y = net.op("cast", [y], y.shape, "f32")
    total = net.op("cast", [total], total.shape, "f32")
    return net, [y, total], [z, ref.rounded_to_bf16(z.sum(1, keepdims=True))]


@network
def mobilenet() -> Exported:
    """A strided convolution, an inverted bottleneck with its residual, global average."""
    x = random(1, 9, 9, 3)
    stem, stem_bias = random(4, 3, 3, 3, seed=1) / 5, random(4, seed=2)
    expand, expand_bias = random(8, 1, 1, 4, seed=3) / 2, random(8, seed=4)
    depth, depth_bias = random(3, 3, 8, 1, seed=5) / 3, random(8, seed=6)
    project, project_bias = random(4, 1, 1, 8, seed=7) / 3, random(1, seed=8)
    multi, multi_bias = random(3, 3, 4, 2, seed=9) / 3, random(8, seed=10)
    head, head_bias = _weights(8, 5, seed=11), random(5, seed=12)

    net = Export()
    constants = [
        net.constant(a.astype("f")) for a in (stem, expand, depth, project, multi)
    ]
    padding = net.sizes(0, 0, 1, 1, 1, 1, 0, 0)
    y = net.argument(x)
    y = net.op("pad", [y, padding, net.constant(np.zeros(1, "f"))], (1, 11, 11, 3))
    y = net.convolution("conv2d", y, constants[0], net.constant(stem_bias), stride=(2, 2))
    residual = y = net.clamp(y, 0, 6)
    y = net.convolution("conv2d", y, constants[1], net.constant(expand_bias))
    y = net.clamp(y, 0, 6)
    name = "depthwise_conv2d"
    bias = net.constant(depth_bias)
    y = net.convolution(name, y, constants[2], bias, pad=(1, 1, 1, 1))
    y = net.clamp(y, 0, 6)
    y = net.convolution("conv2d", y, constants[3], net.constant(project_bias))
    y = net.binary("add", y, residual)
    y = net.convolution(name, y, constants[4], net.constant(multi_bias), stride=(2, 2))
    y = net.mean(net.mean(y, 1), 2)
    y = net.linear(net.reshape(y, 1, 8), net.constant(head), net.constant(head_bias))

    z = np.pad(x, [(0, 0), (1, 1), (1, 1), (0, 0)])
    z = np.clip(ref.conv2d(z, stem, stem_bias, stride=(2, 2)), 0, 6)
    kept = z
    z = np.clip(ref.conv2d(z, expand, expand_bias), 0, 6)
    z = np.clip(ref.depthwise_conv2d(z, depth, depth_bias, pad=(1, 1, 1, 1)), 0, 6)
    z = ref.conv2d(z, project, project_bias) + kept
    z = ref.depthwise_conv2d(z, multi, multi_bias, stride=(2, 2))
    return net, [y], [(z.mean((1, 2)) @ head + head_bias).astype("f")]


@network
def vision_transformer() -> Exported:
    """Patches, a token for the class, positions, attention, and the class's scores."""
    width, heads = 8, 2
    x = random(1, 8, 8, 3)
    patch, patch_bias = random(width, 4, 4, 3, seed=1) / 7, random(width, seed=2)
    token, positions = random(1, 1, width, seed=3), random(1, 5, width, seed=4)
    wq, wk, wv = (_weights(width, width, seed=5 + n) for n in range(3))
    head, bias = _weights(width, 4, seed=9), random(4, seed=10)
    gain, zero = random(width, seed=11), np.zeros(width, "f")
    everything = np.ones((1, 1, 5), bool)

    net = Export()
    weight = net.constant(patch.astype("f"))
    y = net.argument(x)
    y = net.convolution("conv2d", y, weight, net.constant(patch_bias), stride=(4, 4))
    y = net.concat(1, net.constant(token), net.reshape(y, 1, 4, width))
    residual = y = net.binary("add", y, net.argument(positions))
    y = _layer_norm(net, y, gain, gain)
    q, k, v = (
        _split_heads(net, net.linear(y, net.constant(w), net.constant(zero)), heads)
        for w in (wq, wk, wv)
    )
    y = _join_heads(net, _attend(net, q, k, v, net.constant(everything)))
    y = net.binary("add", y, residual)
    y = net.reshape(net.slice(y, (0, 0, 0), (1, 1, width)), 1, width)
    y = net.linear(y, net.constant(head), net.constant(bias))

    z = ref.conv2d(x, patch, patch_bias, stride=(4, 4)).reshape(1, 4, width)
    z = np.concatenate([token, z], 1) + positions
    n = _normalized(z, gain, gain)
    q, k, v = (_heads(n @ w, heads) for w in (wq, wk, wv))
    z = _joined(_attended(q, k, v, everything)) + z
    return net, [y], [(z[:, 0] @ head + bias).astype("f")]


@network
def upsampling_decoder() -> Exported:
    """Features upsampled in both modes, joined with others, mirrored, tiled."""
    x, skip = random(1, 3, 3, 2), random(1, 6, 6, 2, seed=1)
    w, b = random(3, 3, 3, 6, seed=2) / 7, random(3, seed=3)

    net = Export()
    small = net.argument(x)
    scales = net.sizes(2, 1, 2, 1)
    offset, border = net.sizes(0, 0), net.sizes(1, 1)
    up = [
        net.op("resize", [small, scales, offset, border], (1, 6, 6, 2), "f32", mode)
        for mode in ("mode = NEAREST_NEIGHBOR", "mode = BILINEAR")
    ]
    y = net.concat(3, *up, net.argument(skip))
    weight = net.constant(w.astype("f"))
    y = net.convolution("conv2d", y, weight, net.constant(b), pad=(1, 1, 1, 1))
    y = net.unary("reverse", net.unary("tanh", y), "axis = 2 : i32")
    y = net.op("tile", [y, net.sizes(1, 2, 1, 1)], (1, 12, 6, 3))

    def blended(t: Any, axis: int) -> Any:
        after = np.concatenate([t.take(range(1, 3), axis), t.take([2], axis)], axis)
        pairs = np.stack([t, (t + after) / 2], axis + 1)
        return pairs.reshape(*t.shape[:axis], 6, *t.shape[axis + 1 :])

    # Half of the way to the next element counts as the next one.
    index = np.minimum((np.arange(6) + 1) // 2, 2)
    nearest = x[:, index][:, :, index]
    z = np.concatenate([nearest, blended(blended(x, 1), 2), skip], 3)
    z = np.tanh(ref.conv2d(z, w, b, pad=(1, 1, 1, 1)))[:, :, ::-1]
    return net, [y], [np.tile(z, (1, 2, 1, 1)).astype("f")]


@network
def gated_recurrent_unit() -> Exported:
    """Two steps of a GRU, unrolled, whose inputs are gathered from a sequence."""
    width = 6
    sequence, start = random(1, 4, 5), random(1, 1, width, seed=1)
    order = np.array([[2, 0]], "i4")
    wx = [_weights(5, width, seed=2 + n)[None] for n in range(3)]
    wh = [_weights(width, width, seed=5 + n)[None] for n in range(3)]

    net = Export()
    inputs, state = net.argument(sequence), net.argument(start)
    rows = net.op("gather", [inputs, net.constant(order)], (1, 2, 5))
    for step in range(2):
        row = net.slice(rows, (0, step, 0), (1, 1, 5))
        from_x = [net.matmul(row, net.constant(w)) for w in wx]
        update, reset = (
            net.unary(
                "sigmoid",
                net.binary("add", from_x[n], net.matmul(state, net.constant(wh[n]))),
            )
            for n in range(2)
        )
        hidden = net.matmul(net.binary("mul", reset, state), net.constant(wh[2]))
        candidate = net.unary("tanh", net.binary("add", from_x[2], hidden))
        kept = net.binary("mul", update, state)
        rest = net.binary("sub", net.splat(1, 3), update)
        state = net.binary("add", kept, net.binary("mul", rest, candidate))

    h = start
    for step in range(2):
        xt = sequence[:, order[0, step]][:, None]
        z, r = (ref.sigmoid(xt @ wx[n] + h @ wh[n]) for n in range(2))
        h = z * h + (1 - z) * np.tanh(xt @ wx[2] + (r * h) @ wh[2])
    return net, [state], [h.astype("f")]


@network
def recurrent_network() -> Exported:
    """A cell in a tosa.while_loop, then one of two activations by tosa.cond_if."""
    start, w = random(1, 1, 4), _weights(4, 4, seed=1)[None]
    net = Export()
    state, weight = net.argument(start), net.constant(w)
    count, last = net.constant(np.array(0, "i4")), net.constant(np.array(5, "i4"))
    one, zero = net.constant(np.array(1, "i4")), net.zero(state)
    steps, final = net.lines(
        ("tensor<i32>", "tensor<1x1x4xf32>"),
        f"""tosa.while_loop (%i = {count.name}, %s = {state.name})
            : (tensor<i32>, tensor<1x1x4xf32>) -> (tensor<i32>, tensor<1x1x4xf32>) {{
          %c = tosa.greater {last.name}, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
          tosa.yield %c : tensor<i1>
        }} do {{
        ^bb0(%i: tensor<i32>, %s: tensor<1x1x4xf32>):
          %n = tosa.add %i, {one.name} : (tensor<i32>, tensor<i32>) -> tensor<i32>
          %m = tosa.matmul %s, {weight.name}, {zero.name}, {zero.name}
            : (tensor<1x1x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>)
            -> tensor<1x1x4xf32>
          %t = tosa.tanh %m : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
          tosa.yield %n, %t : tensor<i32>, tensor<1x1x4xf32>
        }}""",
    )
    odd = net.op("greater", [steps, one], (), "i1")
    (chosen,) = net.lines(
        ("tensor<1x1x4xf32>",),
        f"""tosa.cond_if {odd.name} (%x = {final.name})
            : tensor<i1> (tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {{
        ^bb0(%x: tensor<1x1x4xf32>):
          %e = tosa.exp %x : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
          tosa.yield %e : tensor<1x1x4xf32>
        }} else {{
        ^bb0(%x: tensor<1x1x4xf32>):
          %e = tosa.floor %x : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
          tosa.yield %e : tensor<1x1x4xf32>
        }}""",
    )
    h = start
    for _ in range(5):
        h = np.tanh(h @ w)
    return net, [chosen, steps], [np.exp(h), np.array(5, "i4")]
