"""arith."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm.builder import Index
from xdsl_bufferization.conversion.to_llvm.descriptors import MemRef, UnrankedMemRef
from xdsl_bufferization.conversion.to_llvm.elementwise import (
    element_type,
    elementwise,
    set_elementwise,
    width,
    with_element,
)
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering, Lowering
from xdsl_bufferization.conversion.to_llvm.rounding import truncate_rounded
from xdsl_bufferization.conversion.to_llvm.small_floats import (
    codes_of,
    extend,
    on_llvm_floats,
    small_float,
    truncate,
)
from xdsl_bufferization.conversion.to_llvm.types import is_integer, is_vector
from xdsl_bufferization.dialects import llvm as llvm_ops
from xdsl_bufferization.dialects.arith import NEAREST_EVEN, rounding_mode
from xdsl_bufferization.dialects.shapes import is_memref

Properties = Mapping[str, Attribute]

_NO_FLAGS: Properties = {}
_NO_OVERFLOW: Properties = {"overflowFlags": IntegerAttr(0, 32)}
NO_FAST_MATH: Properties = {"fastmathFlags": llvm.FastMathAttr(None)}


def fast_math(op: Operation) -> Properties:
    """The LLVM dialect's fast-math flags of an arith or math op."""
    flags = op.properties.get("fastmath")
    data = getattr(flags, "data", None)
    return {"fastmathFlags": llvm.FastMathAttr(data)} if data else NO_FAST_MATH


def _overflow(op: Operation) -> Properties:
    flags = op.properties.get("overflowFlags")
    data = getattr(flags, "data", None)
    if not data:
        return _NO_OVERFLOW
    number = sum(_OVERFLOW_BITS[str(flag.value)] for flag in data)
    return {"overflowFlags": IntegerAttr(number, 32)}


_OVERFLOW_BITS = {"nsw": 1, "nuw": 2}


def _exact(op: Operation) -> Properties:
    found = op.properties.get("isExact")
    return {"isExact": found} if found is not None else _NO_FLAGS


def _none(op: Operation) -> Properties:
    return _NO_FLAGS


def one_to_one(
    op_class: type[Operation], flags: Callable[[Operation], Properties] = _none
) -> Lowering:
    """The lowering to an op that takes the same operands."""

    def lower(op: Operation, to: FunctionLowering) -> None:
        result = op.results[0]
        properties = flags(op)
        operands = [to.get(value) for value in op.operands]
        type_ = to.types(result.type)
        if isinstance(type_, llvm.LLVMArrayType):
            to.set(
                result,
                elementwise(
                    to, operands, type_, lambda v, t: to.value(op_class, v, t, properties)
                ),
            )
        else:
            to.set(result, to.value(op_class, operands, type_, properties))

    return lower


def _rowwise(
    make: Callable[[FunctionLowering, Sequence[SSAValue], Attribute], SSAValue],
) -> Lowering:
    """The lowering of an op of one result by a formula on scalars or LLVM vectors."""

    def lower(op: Operation, to: FunctionLowering) -> None:
        set_elementwise(op, to, lambda v, t: make(to, v, t))

    return lower


# Constants and index arithmetic, folded where the operands are known


def _constant(op: Operation, to: FunctionLowering) -> None:
    value = cast(Attribute, op.get_attr_or_prop("value"))
    result = op.results[0]
    if isinstance(value, IntegerAttr):
        if isinstance(result.type, IndexType):
            to.set(result, cast("IntegerAttr[Any]", value).value.data)
            return
        type_ = to.types(result.type)
        if is_integer(type_):
            number = cast("IntegerAttr[Any]", value).value.data
            value = IntegerAttr(number, type_, truncate_bits=True)
    elif isinstance(value, DenseIntOrFPElementsAttr):
        value = _vector_constant(to, cast("DenseIntOrFPElementsAttr[Any]", value))
    to.set(result, codes_of(cast(Attribute, value)))


def _vector_constant(
    to: FunctionLowering, value: DenseIntOrFPElementsAttr[Any]
) -> Attribute:
    """A vector constant; one of indices gets the index type's integers."""
    if isinstance(value.get_element_type(), IndexType):
        numbers = [int(n) for n in cast("Sequence[int]", value.get_values())]
        return DenseIntOrFPElementsAttr.from_list(
            VectorType(to.index_type, value.get_shape()), numbers
        )
    return value


def _folded(
    fold: Callable[[FunctionLowering, Index, Index, bool], Index],
    op_class: type[Operation],
) -> Lowering:
    """The lowering that folds when the op works on indices of which one is known. The
    last argument of `fold` is whether the result is known not to wrap, as a signed
    number."""
    otherwise = one_to_one(op_class, _overflow)

    def lower(op: Operation, to: FunctionLowering) -> None:
        result = op.results[0]
        if isinstance(result.type, IndexType):
            lhs, rhs = to.values[op.operands[0]], to.values[op.operands[1]]
            if isinstance(lhs, int) or isinstance(rhs, int):
                flags = getattr(op.properties.get("overflowFlags"), "data", ())
                no_wrap = arith.IntegerOverflowFlag.NSW in flags
                lhs, rhs = to.index(op.operands[0]), to.index(op.operands[1])
                to.set(result, fold(to, lhs, rhs, no_wrap))
                return
        otherwise(op, to)

    return lower


# Comparisons and select

_COMPARISONS = tuple(flag.value for flag in llvm.ALL_ICMP_FLAGS)
_FLOAT_PREDICATES = tuple({"predicate": IntegerAttr(number, i64)} for number in range(16))
_INTEGER_PREDICATES = tuple(
    {"predicate": IntegerAttr(number, i64)} for number in range(len(_COMPARISONS))
)


def _predicate(op: Operation) -> int:
    attribute = op.properties["predicate"]
    return cast("IntegerAttr[IntegerType]", attribute).value.data


def _cmpi(op: Operation, to: FunctionLowering) -> None:
    properties = _INTEGER_PREDICATES[_predicate(op)]
    _compare(op, to, llvm.ICmpOp, properties)


def _cmpf(op: Operation, to: FunctionLowering) -> None:
    properties = {**_FLOAT_PREDICATES[_predicate(op)], **fast_math(op)}
    _compare(op, to, llvm_ops.FCmpOp, properties)


def _compare(
    op: Operation, to: FunctionLowering, op_class: type[Operation], properties: Properties
) -> None:
    set_elementwise(op, to, lambda v, t: to.value(op_class, v, t, properties))


def _select(op: Operation, to: FunctionLowering) -> None:
    result = op.results[0]
    condition = to.get(op.operands[0])
    lhs, rhs = to.values[op.operands[1]], to.values[op.operands[2]]

    def select(lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        if lhs is rhs:
            return lhs
        return to.value(llvm_ops.SelectOp, (condition, lhs, rhs), lhs.type, NO_FAST_MATH)

    def select_index(known: int | None, lhs: Index, rhs: Index) -> Index:
        if known is not None:
            return known
        return lhs if lhs == rhs else select(to.number(lhs), to.number(rhs))

    if isinstance(lhs, MemRef) and isinstance(rhs, MemRef):
        info = to.types.memref(result.type)
        to.set(
            result,
            MemRef(
                info,
                select(lhs.allocated, rhs.allocated),
                select(lhs.aligned, rhs.aligned),
                select_index(info.offset, lhs.offset, rhs.offset),
                tuple(map(select_index, info.sizes, lhs.sizes, rhs.sizes)),
                tuple(map(select_index, info.strides, lhs.strides, rhs.strides)),
            ),
        )
    elif isinstance(lhs, UnrankedMemRef) and isinstance(rhs, UnrankedMemRef):
        rank = select_index(None, lhs.rank, rhs.rank)
        to.set(result, UnrankedMemRef(rank, select(lhs.descriptor, rhs.descriptor)))
    else:
        flags = fast_math(op)
        set_elementwise(op, to, lambda v, t: to.value(llvm_ops.SelectOp, v, t, flags))


# Division


def splat(to: FunctionLowering, value: int, type_: Attribute) -> SSAValue:
    """An integer constant as a scalar or in all elements of an LLVM vector."""
    if is_vector(type_):
        vector = cast("VectorType[IntegerType]", type_)
        return to.constant(DenseIntOrFPElementsAttr.from_list(vector, [value]), type_)
    assert is_integer(type_)
    return to.integer(value, type_)


def compare(
    to: FunctionLowering, predicate: str, lhs: SSAValue, rhs: SSAValue
) -> SSAValue:
    """llvm.icmp of scalars or LLVM vectors."""
    properties = _INTEGER_PREDICATES[_COMPARISONS.index(predicate)]
    return to.value(llvm.ICmpOp, (lhs, rhs), llvm_ops.i1_like(lhs.type), properties)


def choose(
    to: FunctionLowering, condition: SSAValue, then: SSAValue, other: SSAValue
) -> SSAValue:
    return to.value(llvm_ops.SelectOp, (condition, then, other), then.type, NO_FAST_MATH)


def _ceildivui(
    to: FunctionLowering, operands: Sequence[SSAValue], type_: Attribute
) -> SSAValue:
    """(a - 1) / b + 1, but 0 for a = 0."""
    a, b = operands
    zero, one = splat(to, 0, type_), splat(to, 1, type_)
    quotient = to.binary(llvm.UDivOp, to.binary(llvm.SubOp, a, one), b)
    is_zero = compare(to, "eq", a, zero)
    return choose(to, is_zero, zero, to.binary(llvm.AddOp, quotient, one))


def _rounded_division(step: int, same_sign: bool) -> Lowering:
    """The quotient, moved by `step` if it is not exact and the exact one lies there:
    above it for operands of the same sign, below it otherwise.
    """

    def make(
        to: FunctionLowering, operands: Sequence[SSAValue], type_: Attribute
    ) -> SSAValue:
        a, b = operands
        zero = splat(to, 0, type_)
        quotient = to.binary(llvm.SDivOp, a, b)
        product = to.binary(llvm.MulOp, quotient, b)
        inexact = compare(to, "ne", a, product)
        signs = (compare(to, "slt", a, zero), compare(to, "slt", b, zero))
        rounded_wrong = compare(to, "eq" if same_sign else "ne", *signs)
        moved = to.binary(llvm.AddOp, quotient, splat(to, step, type_))
        both = to.binary(llvm.AndOp, inexact, rounded_wrong)
        return choose(to, both, moved, quotient)

    return _rowwise(make)


# Two results


def _addui_extended(op: Operation, to: FunctionLowering) -> None:
    a, b = to.get(op.operands[0]), to.get(op.operands[1])

    def sum_of(v: Sequence[SSAValue], t: Attribute) -> SSAValue:
        return to.value(llvm.AddOp, v, t, _NO_OVERFLOW)

    total = elementwise(to, (a, b), to.types(op.results[0].type), sum_of)
    carry = elementwise(
        to,
        (total, a),
        to.types(op.results[1].type),
        lambda v, t: compare(to, "ult", v[0], v[1]),
    )
    to.set(op.results[0], total)
    to.set(op.results[1], carry)


def _mul_extended(extend: type[Operation]) -> Lowering:
    """The low and the high half of the product, computed at twice the width."""

    def lower(op: Operation, to: FunctionLowering) -> None:
        operands = [to.get(value) for value in op.operands]
        type_ = to.types(op.results[0].type)
        bits = width(type_)
        wide_element = IntegerType(2 * bits)

        def half(v: Sequence[SSAValue], t: Attribute, shift: int) -> SSAValue:
            wide = with_element(t, wide_element)
            a, b = (to.value(extend, (x,), wide) for x in v)
            product = to.binary(llvm.MulOp, a, b)
            if shift:
                product = to.binary(llvm.LShrOp, product, splat(to, shift, wide))
            return to.value(llvm.TruncOp, (product,), t)

        for result, shift in zip(op.results, (0, bits), strict=True):
            to.set(
                result,
                elementwise(to, operands, type_, lambda v, t, s=shift: half(v, t, s)),
            )

    return lower


# Casts


def _index_cast(extend: type[Operation]) -> Lowering:
    def cast_row(to: FunctionLowering, value: SSAValue, type_: Attribute) -> SSAValue:
        old, new = width(value.type), width(type_)
        if old == new:
            return value
        return to.value(extend if old < new else llvm.TruncOp, (value,), type_)

    def lower(op: Operation, to: FunctionLowering) -> None:
        if is_memref(op.results[0].type):
            to.refuse(op, "it casts a memref; load its elements and cast these")
        set_elementwise(op, to, lambda v, t: cast_row(to, v[0], t))

    return lower


def _bitcast(op: Operation, to: FunctionLowering) -> None:
    value, result = op.operands[0], op.results[0]
    if to.types(value.type) == to.types(result.type):
        to.set(result, to.get(value))
    else:
        one_to_one(llvm.BitcastOp)(op, to)


def _truncf(op: Operation, to: FunctionLowering) -> None:
    mode = rounding_mode(op)
    small = small_float(op.results[0].type)
    if small is not None:
        if mode != NEAREST_EVEN:
            to.refuse(
                op, f"numbers cannot be rounded {mode} to {small}; round to nearest"
            )
        truncate(op, to, small)
    elif mode != NEAREST_EVEN:
        truncate_rounded(op, to, mode)
    else:
        one_to_one(llvm.FPTruncOp)(op, to)


def _extf(op: Operation, to: FunctionLowering) -> None:
    small = small_float(op.operands[0].type)
    if small is not None:
        extend(op, to, small)
    else:
        one_to_one(llvm.FPExtOp)(op, to)


def _negf(op: Operation, to: FunctionLowering) -> None:
    one_to_one(llvm.FNegOp, fast_math)(op, to)


def constant_float(to: FunctionLowering, value: float, type_: Attribute) -> SSAValue:
    """A float constant as a scalar or in all elements of an LLVM vector."""
    element = cast(Any, element_type(type_))
    if is_vector(type_):
        vector = cast("VectorType[Any]", type_)
        return to.constant(DenseIntOrFPElementsAttr.from_list(vector, [value]), type_)
    return to.constant(FloatAttr(value, element), type_)


ARITH_LOWERINGS: dict[str, Lowering] = {
    "arith.constant": _constant,
    "arith.addi": _folded(
        lambda to, a, b, no_wrap: to.add(a, b, no_wrap=no_wrap), llvm.AddOp
    ),
    "arith.subi": _folded(
        lambda to, a, b, no_wrap: to.sub(a, b, no_wrap=no_wrap), llvm.SubOp
    ),
    "arith.muli": _folded(
        lambda to, a, b, no_wrap: to.mul(a, b, no_wrap=no_wrap), llvm.MulOp
    ),
    "arith.divsi": one_to_one(llvm.SDivOp, _exact),
    "arith.divui": one_to_one(llvm.UDivOp, _exact),
    "arith.remsi": one_to_one(llvm.SRemOp),
    "arith.remui": one_to_one(llvm.URemOp),
    "arith.andi": one_to_one(llvm.AndOp),
    "arith.ori": one_to_one(llvm.OrOp),
    "arith.xori": one_to_one(llvm.XOrOp),
    "arith.shli": one_to_one(llvm.ShlOp, _overflow),
    "arith.shrsi": one_to_one(llvm.AShrOp, _exact),
    "arith.shrui": one_to_one(llvm.LShrOp, _exact),
    "arith.maxsi": one_to_one(llvm_ops.SMaxOp),
    "arith.maxui": one_to_one(llvm_ops.UMaxOp),
    "arith.minsi": one_to_one(llvm_ops.SMinOp),
    "arith.minui": one_to_one(llvm_ops.UMinOp),
    "arith.ceildivui": _rowwise(_ceildivui),
    "arith.ceildivsi": _rounded_division(1, same_sign=True),
    "arith.floordivsi": _rounded_division(-1, same_sign=False),
    "arith.addui_extended": _addui_extended,
    "arith.mulsi_extended": _mul_extended(llvm.SExtOp),
    "arith.mului_extended": _mul_extended(llvm.ZExtOp),
    "arith.addf": one_to_one(llvm.FAddOp, fast_math),
    "arith.subf": one_to_one(llvm.FSubOp, fast_math),
    "arith.mulf": one_to_one(llvm.FMulOp, fast_math),
    "arith.divf": one_to_one(llvm.FDivOp, fast_math),
    "arith.remf": one_to_one(llvm.FRemOp, fast_math),
    "arith.negf": _negf,
    "arith.maximumf": one_to_one(llvm_ops.MaximumOp, fast_math),
    "arith.minimumf": one_to_one(llvm_ops.MinimumOp, fast_math),
    "arith.maxnumf": one_to_one(llvm.VectorFMaxOp, fast_math),
    "arith.minnumf": one_to_one(llvm.VectorFMinOp, fast_math),
    "arith.cmpi": _cmpi,
    "arith.cmpf": _cmpf,
    "arith.select": _select,
    "arith.extsi": one_to_one(llvm.SExtOp),
    "arith.extui": one_to_one(llvm.ZExtOp),
    "arith.trunci": one_to_one(llvm.TruncOp),
    "arith.extf": _extf,
    "arith.truncf": _truncf,
    "arith.sitofp": one_to_one(llvm.SIToFPOp),
    "arith.uitofp": one_to_one(llvm_ops.UIToFPOp),
    "arith.fptosi": one_to_one(llvm_ops.FPToSIOp),
    "arith.fptoui": one_to_one(llvm_ops.FPToUIOp),
    "arith.bitcast": _bitcast,
    "arith.index_cast": _index_cast(llvm.SExtOp),
    "arith.index_castui": _index_cast(llvm.ZExtOp),
}

_ON_FLOATS = (
    *("addf", "subf", "mulf", "divf", "remf", "negf", "cmpf"),
    *("maximumf", "minimumf", "maxnumf", "minnumf"),
    *("sitofp", "uitofp", "fptosi", "fptoui"),
)
ARITH_LOWERINGS.update(
    (name, on_llvm_floats(ARITH_LOWERINGS[name]))
    for name in (f"arith.{short}" for short in _ON_FLOATS)
)
