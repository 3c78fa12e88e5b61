"""What the verifiers of the tosa ops demand of sizes and element types.

Sizes that are not known are taken to fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.shapes import same_dimensions

from .attrs import ShapeType

Check = Callable[[IRDLOperation], None]


def shape(value: SSAValue) -> tuple[int, ...]:
    return cast(TensorType, value.type).get_shape()


def element_type(value: SSAValue) -> Attribute:
    return cast(TensorType, value.type).element_type


def numbers(op: IRDLOperation, name: str) -> tuple[int, ...]:
    """The elements of a property that is an array of integers."""
    return tuple(cast("DenseArrayBase[IntegerType]", op.properties[name]).get_values())


def constant_shape(value: SSAValue) -> tuple[int, ...] | None:
    """The sizes of a `!tosa.shape`; None if it is no constant."""
    if not isinstance(value, OpResult) or value.op.name != "tosa.const_shape":
        return None
    values = value.op.properties["values"]
    return tuple(cast("DenseIntOrFPElementsAttr[IntegerType]", values).get_values())


def require(op: IRDLOperation, holds: bool, what: str) -> None:
    if not holds:
        raise VerifyException(f"'{op.name}' {what}")


def _require_sizes(op: IRDLOperation, value: SSAValue, sizes: Sequence[int]) -> None:
    require(
        op,
        same_dimensions(shape(value), sizes),
        f"has a tensor of type {value.type} where its other operands and attributes ask "
        f"for the sizes {'x'.join(_printed(size) for size in sizes)}",
    )


def _printed(size: int) -> str:
    return "?" if size == DYNAMIC_INDEX else str(size)


def _require_rank(op: IRDLOperation, name: str, *ranks: int) -> None:
    value = cast(SSAValue, getattr(op, name))
    require(
        op,
        len(shape(value)) in ranks,
        f"expects {name} to have rank {' or '.join(map(str, ranks))}, got {value.type}",
    )


def _require_array(op: IRDLOperation, name: str, count: int, least: int) -> None:
    values = numbers(op, name)
    require(
        op,
        len(values) == count and all(value >= least for value in values),
        f"expects {name} to be {count} integers of at least {least}, got {values}",
    )


def _known(value: int, function: Callable[[int], int]) -> int:
    return DYNAMIC_INDEX if value == DYNAMIC_INDEX else function(value)


def _require_shape(op: IRDLOperation, name: str, length: int) -> None:
    value = cast(SSAValue, getattr(op, name))
    require(
        op,
        isinstance(value.type, ShapeType) and value.type.rank.data == length,
        f"expects {name} to be a !tosa.shape<{length}>, got {value.type}",
    )


def _require_zero_points(op: IRDLOperation, *pairs: tuple[str, str]) -> None:
    for name, of in pairs:
        zero_point, value = getattr(op, name), getattr(op, of)
        require(
            op,
            prod(shape(zero_point)) == 1
            and element_type(zero_point) == element_type(value),
            f"expects {name} to have one element, of the type of {of}, got "
            f"{zero_point.type}",
        )


def _same_element_types(op: IRDLOperation, values: Sequence[SSAValue]) -> None:
    types = {element_type(value) for value in values}
    require(
        op,
        len(types) == 1,
        "expects the same element type of its operands and result, got "
        + ", ".join(sorted(map(str, types))),
    )


def broadcast(op: IRDLOperation, values: Sequence[SSAValue]) -> None:
    """Each size is that of the result, or one."""
    result = shape(op.results[0])
    shapes = [shape(value) for value in values]
    fits = all(len(sizes) == len(result) for sizes in shapes)
    for number, size in enumerate(result if fits else ()):
        sizes = {other[number] for other in shapes} - {1, DYNAMIC_INDEX}
        known = sizes or {1}
        dynamic = any(other[number] == DYNAMIC_INDEX for other in shapes)
        fits &= size == DYNAMIC_INDEX or known == {size} or (dynamic and not sizes)
        fits &= len(sizes) <= 1
    require(op, fits, "Operand and result tensor shapes are not compatible")


def elementwise(count: int) -> Check:
    """An op on `count` tensors of the result's element type."""

    def check(op: IRDLOperation) -> None:
        broadcast(op, op.operands[:count])
        _same_element_types(op, (*op.operands[:count], *op.results))

    return check


def comparison(op: IRDLOperation) -> None:
    broadcast(op, op.operands)
    _same_element_types(op, op.operands)
    require(op, element_type(op.results[0]) == i1, "expects a result of i1")


def select(op: IRDLOperation) -> None:
    broadcast(op, op.operands)
    _same_element_types(op, (*op.operands[1:], *op.results))
    require(op, element_type(op.operands[0]) == i1, "expects a condition of i1")


def cast_check(op: IRDLOperation) -> None:
    broadcast(op, op.operands)
    kinds = (element_type(op.operands[0]), element_type(op.results[0]))
    require(
        op,
        all(isinstance(kind, AnyFloat | IntegerType) for kind in kinds),
        "is for integers and floats",
    )


def negate(op: IRDLOperation) -> None:
    elementwise(1)(op)
    _require_zero_points(op, ("input1_zp", "input1"), ("output_zp", "output"))


def clamp(op: IRDLOperation) -> None:
    elementwise(1)(op)
    for name in ("min_val", "max_val"):
        type_ = getattr(op.properties[name], "type", None)
        require(
            op,
            type_ == element_type(op.operands[0]),
            f"expects {name} to have the type of the elements, "
            f"{element_type(op.operands[0])}, got {type_}",
        )


def mul(op: IRDLOperation) -> None:
    broadcast(op, op.operands[:2])
    _same_element_types(op, op.operands[:2])
    source, result = element_type(op.operands[0]), element_type(op.results[0])
    wider = (
        isinstance(source, IntegerType)
        and isinstance(result, IntegerType)
        and result.bitwidth >= source.bitwidth
    )
    require(
        op,
        source == result or wider,
        f"cannot have elements of {result} from elements of {source}",
    )
    shift = op.operands[2]
    require(op, prod(shape(shift)) == 1, f"expects one shift, got {shift.type}")


def table(op: IRDLOperation) -> None:
    broadcast(op, op.operands[:1])
    kinds = [element_type(value) for value in (*op.operands, *op.results)]
    widths = [kind.bitwidth if isinstance(kind, IntegerType) else 0 for kind in kinds]
    length = {8: 256, 16: 513}.get(widths[0])
    fits = widths in ([8, 8, 8], [16, 16, 32])
    require(
        op,
        fits and length is not None and same_dimensions(shape(op.operands[1]), (length,)),
        "is for i8 by a table of 256 i8, or for i16 by a table of 513 i16 into i32",
    )


def reduction(op: IRDLOperation) -> None:
    source = op.operands[0]
    axis = _axis(op)
    sizes = list(shape(source))
    sizes[axis] = 1
    _require_sizes(op, op.results[0], sizes)
    _same_element_types(op, (source, op.results[0]))


def _axis(op: IRDLOperation) -> int:
    axis = cast(IntegerAttr, op.properties["axis"]).value.data
    rank = len(shape(op.operands[0]))
    require(
        op,
        0 <= axis < rank,
        f"expects an axis from 0 to {rank - 1}, got {axis}",
    )
    return axis


def argmax(op: IRDLOperation) -> None:
    sizes = list(shape(op.operands[0]))
    del sizes[_axis(op)]
    _require_sizes(op, op.results[0], sizes)
    require(
        op, isinstance(element_type(op.results[0]), IntegerType), "has integer results"
    )


def reverse(op: IRDLOperation) -> None:
    _axis(op)
    _require_sizes(op, op.results[0], shape(op.operands[0]))
    _same_element_types(op, (*op.operands, *op.results))


def concat(op: IRDLOperation) -> None:
    require(op, len(op.operands) > 0, "expects at least one tensor")
    axis = _axis(op)
    sizes = list(shape(op.operands[0]))
    along = [shape(value)[axis] for value in op.operands if len(shape(value)) > axis]
    for value in op.operands:
        others = list(sizes)
        others[axis] = DYNAMIC_INDEX
        _require_sizes(op, value, others)
    sizes[axis] = DYNAMIC_INDEX if DYNAMIC_INDEX in along else sum(along)
    for number in range(len(sizes)):
        if sizes[number] == DYNAMIC_INDEX and number != axis:
            known = [shape(v)[number] for v in op.operands]
            sizes[number] = max(known)
    _require_sizes(op, op.results[0], sizes)
    _same_element_types(op, (*op.operands, *op.results))


def reshape(op: IRDLOperation) -> None:
    source, result = shape(op.operands[0]), shape(op.results[0])
    _require_shape(op, "shape", len(result))
    _same_element_types(op, (op.operands[0], *op.results))
    if DYNAMIC_INDEX not in (*source, *result):
        require(
            op,
            prod(source) == prod(result),
            f"cannot make {prod(result)} elements of {prod(source)}",
        )
    sizes = constant_shape(op.operands[1])
    if sizes is not None:
        known = [DYNAMIC_INDEX if size == -1 else size for size in sizes]
        _require_sizes(op, op.results[0], known)


def transpose(op: IRDLOperation) -> None:
    source = shape(op.operands[0])
    perms = numbers(op, "perms")
    require(
        op,
        sorted(perms) == list(range(len(source))),
        f"expects perms to be a permutation of {len(source)} dimensions, got {perms}",
    )
    _require_sizes(op, op.results[0], [source[number] for number in perms])
    _same_element_types(op, (*op.operands, *op.results))


def slice_check(op: IRDLOperation) -> None:
    source = shape(op.operands[0])
    for name in ("start", "size"):
        _require_shape(op, name, len(source))
    _same_element_types(op, (op.operands[0], *op.results))
    starts, sizes = constant_shape(op.operands[1]), constant_shape(op.operands[2])
    if starts is None or sizes is None:
        return
    require(op, len(shape(op.results[0])) == len(source), "cannot change the rank")
    for start, size, whole in zip(starts, sizes, source, strict=True):
        fits = start >= 0 and (size > 0 or size == -1)
        if whole != DYNAMIC_INDEX:
            fits &= start + max(size, 0) <= whole
        require(op, fits, f"is from {start}, of size {size}, in a size of {whole}")
    known = [
        _known(whole, lambda whole, start=start: whole - start) if size == -1 else size
        for start, size, whole in zip(starts, sizes, source, strict=True)
    ]
    _require_sizes(op, op.results[0], known)


def tile(op: IRDLOperation) -> None:
    source = shape(op.operands[0])
    _require_shape(op, "multiples", len(source))
    _same_element_types(op, (op.operands[0], *op.results))
    multiples = constant_shape(op.operands[1])
    if multiples is not None:
        require(op, all(n > 0 for n in multiples), f"cannot repeat {multiples} times")
        pairs = zip(source, multiples, strict=True)
        sizes = [_known(size, lambda size, n=n: size * n) for size, n in pairs]
        _require_sizes(op, op.results[0], sizes)


def pad(op: IRDLOperation) -> None:
    source = shape(op.operands[0])
    _require_shape(op, "padding", 2 * len(source))
    _same_element_types(op, (op.operands[0], op.operands[2], *op.results))
    require(op, prod(shape(op.operands[2])) == 1, "expects one element to pad with")
    padding = constant_shape(op.operands[1])
    if padding is None:
        return
    require(op, all(n >= 0 for n in padding), f"cannot pad by {padding}")
    both = [sum(padding[2 * n : 2 * n + 2]) for n in range(len(source))]
    pairs = zip(source, both, strict=True)
    sizes = [_known(size, lambda size, n=n: size + n) for size, n in pairs]
    _require_sizes(op, op.results[0], sizes)


def gather(op: IRDLOperation) -> None:
    _require_rank(op, "values", 3)
    _require_rank(op, "indices", 2)
    values, indices = shape(op.operands[0]), shape(op.operands[1])
    _require_sizes(op, op.operands[1], (values[0], DYNAMIC_INDEX))
    _require_sizes(op, op.results[0], (values[0], indices[1], values[2]))
    _same_element_types(op, (op.operands[0], *op.results))
    integers = isinstance(element_type(op.operands[1]), IntegerType)
    require(op, integers, "has integer indices")


def scatter(op: IRDLOperation) -> None:
    for name, rank in (("values_in", 3), ("indices", 2), ("input", 3)):
        _require_rank(op, name, rank)
    values, indices = shape(op.operands[0]), shape(op.operands[1])
    _require_sizes(op, op.operands[1], (values[0], DYNAMIC_INDEX))
    _require_sizes(op, op.operands[2], (values[0], indices[1], values[2]))
    _require_sizes(op, op.results[0], values)
    _same_element_types(op, (op.operands[0], op.operands[2], *op.results))
    integers = isinstance(element_type(op.operands[1]), IntegerType)
    require(op, integers, "has integer indices")


def _accumulates(op: IRDLOperation, sources: Sequence[SSAValue]) -> None:
    """Products of integers are added up as integers that are not narrower."""
    result = element_type(op.results[0])
    for value in sources:
        kind = element_type(value)
        if isinstance(kind, IntegerType) and isinstance(result, IntegerType):
            fits = result.bitwidth >= kind.bitwidth
        else:
            fits = isinstance(kind, AnyFloat) and isinstance(result, AnyFloat)
        require(op, fits, f"cannot have elements of {result} from elements of {kind}")


def matmul(op: IRDLOperation) -> None:
    _require_rank(op, "a", 3)
    _require_rank(op, "b", 3)
    a, b = shape(op.operands[0]), shape(op.operands[1])
    _require_sizes(op, op.operands[1], (a[0], a[2], DYNAMIC_INDEX))
    _require_sizes(op, op.results[0], (a[0], a[1], b[2]))
    _require_zero_points(op, ("a_zp", "a"), ("b_zp", "b"))
    _accumulates(op, op.operands[:2])


def _window(size: int, before: int, kernel: int, after: int, stride: int) -> int:
    """How many windows there are, DYNAMIC_INDEX if that is not known; -1 is for none."""
    if DYNAMIC_INDEX in (size, kernel):
        return DYNAMIC_INDEX
    return (before + size + after - kernel) // stride + 1


def _convolution(op: IRDLOperation, weight_sizes: tuple[int, int], channels: int) -> None:
    _require_array(op, "pad", 4, 0)
    _require_array(op, "stride", 2, 1)
    _require_array(op, "dilation", 2, 1)
    pad, stride, dilation = (numbers(op, n) for n in ("pad", "stride", "dilation"))
    source = shape(op.operands[0])
    sizes = [source[0]]
    for n in range(2):
        extent = _known(
            weight_sizes[n], lambda size, step=dilation[n]: (size - 1) * step + 1
        )
        before, after = pad[2 * n : 2 * n + 2]
        sizes.append(_window(source[1 + n], before, extent, after, stride[n]))
    _require_sizes(op, op.results[0], (*sizes, channels))
    _require_rank(op, "bias", 1)
    bias = shape(op.operands[2])
    require(
        op,
        bias == (1,) or same_dimensions(bias, (channels,)),
        f"expects a bias of 1 or {channels} elements, got {op.operands[2].type}",
    )
    _require_zero_points(op, ("input_zp", "input"), ("weight_zp", "weight"))
    _accumulates(op, (*op.operands[:3],))
    accumulator, kind = op.properties["acc_type"], element_type(op.operands[0])
    integers = isinstance(accumulator, IntegerType) and isinstance(kind, IntegerType)
    floats = isinstance(accumulator, AnyFloat) and isinstance(kind, AnyFloat)
    require(op, integers or floats, f"cannot accumulate {kind} in {accumulator}")


def conv2d(op: IRDLOperation) -> None:
    _require_rank(op, "input", 4)
    _require_rank(op, "weight", 4)
    source, weight = shape(op.operands[0]), shape(op.operands[1])
    _require_sizes(op, op.operands[1], (*weight[:3], source[3]))
    _convolution(op, (weight[1], weight[2]), weight[0])


def depthwise_conv2d(op: IRDLOperation) -> None:
    _require_rank(op, "input", 4)
    _require_rank(op, "weight", 4)
    source, weight = shape(op.operands[0]), shape(op.operands[1])
    _require_sizes(op, op.operands[1], (*weight[:2], source[3], weight[3]))
    known = DYNAMIC_INDEX not in weight[2:]
    channels = weight[2] * weight[3] if known else DYNAMIC_INDEX
    _convolution(op, (weight[0], weight[1]), channels)


def pool(op: IRDLOperation) -> None:
    _require_rank(op, "input", 4)
    _require_array(op, "kernel", 2, 1)
    _require_array(op, "stride", 2, 1)
    _require_array(op, "pad", 4, 0)
    kernel, stride, pad = (numbers(op, n) for n in ("kernel", "stride", "pad"))
    source = shape(op.operands[0])
    sizes = [source[0]]
    for n in range(2):
        before, after = pad[2 * n : 2 * n + 2]
        sizes.append(_window(source[1 + n], before, kernel[n], after, stride[n]))
        if source[1 + n] != DYNAMIC_INDEX:
            over = (before + source[1 + n] + after - kernel[n]) % stride[n]
            require(op, over == 0, "has windows that do not fit exactly into the input")
        least = max(before, after)
        require(op, kernel[n] > least, "has windows that are padding alone")
    _require_sizes(op, op.results[0], (*sizes, source[3]))
    _same_element_types(op, (op.operands[0], *op.results))


def average_pool(op: IRDLOperation) -> None:
    pool(op)
    _require_zero_points(op, ("input_zp", "input"), ("output_zp", "output"))
    accumulator = op.properties["acc_type"]
    kind = element_type(op.operands[0])
    integers = isinstance(accumulator, IntegerType) and isinstance(kind, IntegerType)
    floats = isinstance(accumulator, AnyFloat) and isinstance(kind, AnyFloat)
    require(op, integers or floats, f"cannot accumulate {kind} in {accumulator}")
    require(
        op,
        not integers or cast(IntegerType, accumulator).bitwidth == 32,
        f"accumulates integers in i32, got {accumulator}",
    )


def rescale(op: IRDLOperation) -> None:
    broadcast(op, op.operands[:1])
    kinds = [element_type(value) for value in (*op.operands, *op.results)]
    require(op, all(isinstance(kind, IntegerType) for kind in kinds), "is for integers")
    _require_zero_points(op, ("input_zp", "input"), ("output_zp", "output"))
    multiplier, shift = shape(op.operands[1]), shape(op.operands[2])
    per_channel = cast(IntegerAttr, op.properties["per_channel"]).value.data != 0
    sizes = shape(op.operands[0])
    require(op, not per_channel or len(sizes) > 0, "has no channels")
    length = sizes[len(sizes) - 1] if per_channel else 1
    require(
        op,
        same_dimensions(multiplier, (length,)) and same_dimensions(shift, (length,)),
        f"expects a multiplier and a shift of {length} elements each, got "
        f"{op.operands[1].type} and {op.operands[2].type}",
    )


def resize(op: IRDLOperation) -> None:
    _require_rank(op, "input", 4)
    for name, length in (("scale", 4), ("offset", 2), ("border", 2)):
        _require_shape(op, name, length)
    source, result = shape(op.operands[0]), shape(op.results[0])
    _require_sizes(
        op, op.results[0], (source[0], DYNAMIC_INDEX, DYNAMIC_INDEX, source[3])
    )
    lists = [constant_shape(value) for value in op.operands[1:]]
    scale, offset, border = lists
    if scale is None or offset is None or border is None:
        return
    require(op, all(n > 0 for n in scale), f"has a scale that is not positive: {scale}")
    for n in range(2):
        if DYNAMIC_INDEX in (source[1 + n], result[1 + n]):
            continue
        upscale, downscale = scale[2 * n : 2 * n + 2]
        extent = (source[1 + n] - 1) * upscale - offset[n] + border[n]
        require(
            op,
            extent % downscale == 0 and extent // downscale + 1 == result[1 + n],
            f"expects a result of size {extent // downscale + 1} along dimension "
            f"{1 + n}, got {result[1 + n]}",
        )


def const(op: IRDLOperation) -> None:
    values = op.properties["values"]
    type_ = getattr(values, "type", None)
    require(
        op,
        type_ == op.results[0].type,
        f"expects a result of the type of its values, {type_}, got {op.results[0].type}",
    )


def const_shape(op: IRDLOperation) -> None:
    values = op.properties["values"]
    require(
        op,
        isa(values, DenseIntOrFPElementsAttr) and isinstance(values.type, TensorType),
        "expects sizes as elements of a tensor",
    )
    rank = cast(ShapeType, op.results[0].type).rank.data
    count = len(cast(DenseIntOrFPElementsAttr, values).get_values())
    require(op, count == rank, f"expects {rank} sizes, got {count}")
