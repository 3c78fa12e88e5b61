"""complex, ub, and remaining casts of other conversions.

A complex number is a struct of its real and its imaginary part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm.arith import fast_math
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering, Lowering
from xdsl_bufferization.conversion.to_llvm.math import call_libm
from xdsl_bufferization.conversion.to_llvm.types import is_memref
from xdsl_bufferization.dialects import llvm as llvm_ops

Parts: TypeAlias = tuple[SSAValue, SSAValue]


def _parts(to: FunctionLowering, value: SSAValue) -> Parts:
    struct = to.get(value)
    return to.extract(struct, 0), to.extract(struct, 1)


def _set(to: FunctionLowering, result: SSAValue, parts: Parts) -> None:
    to.set(result, to.struct(to.types(result.type), parts))


class _Scalars:
    """Float arithmetic with the flags of an op."""

    def __init__(self, op: Operation, to: FunctionLowering) -> None:
        self._to = to
        self._flags = fast_math(op)

    def _op(self, op_class: type[Operation], *operands: SSAValue) -> SSAValue:
        return self._to.value(op_class, operands, operands[0].type, self._flags)

    def add(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self._op(llvm.FAddOp, a, b)

    def sub(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self._op(llvm.FSubOp, a, b)

    def mul(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self._op(llvm.FMulOp, a, b)

    def div(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self._op(llvm.FDivOp, a, b)

    def neg(self, a: SSAValue) -> SSAValue:
        return self._op(llvm.FNegOp, a)

    def unary(self, op_class: type[Operation], a: SSAValue) -> SSAValue:
        return self._op(op_class, a)


Formula: TypeAlias = "Callable[[_Scalars, Parts, Parts], Parts]"


def _binary(formula: Formula) -> Lowering:
    def lower(op: Operation, to: FunctionLowering) -> None:
        a, b = _parts(to, op.operands[0]), _parts(to, op.operands[1])
        _set(to, op.results[0], formula(_Scalars(op, to), a, b))

    return lower


def _multiply(s: _Scalars, a: Parts, b: Parts) -> Parts:
    return (
        s.sub(s.mul(a[0], b[0]), s.mul(a[1], b[1])),
        s.add(s.mul(a[1], b[0]), s.mul(a[0], b[1])),
    )


def _divide(s: _Scalars, a: Parts, b: Parts) -> Parts:
    scale = s.add(s.mul(b[0], b[0]), s.mul(b[1], b[1]))
    real = s.add(s.mul(a[0], b[0]), s.mul(a[1], b[1]))
    imaginary = s.sub(s.mul(a[1], b[0]), s.mul(a[0], b[1]))
    return s.div(real, scale), s.div(imaginary, scale)


def _unary(formula: Callable[[_Scalars, Parts], Parts]) -> Lowering:
    def lower(op: Operation, to: FunctionLowering) -> None:
        parts = formula(_Scalars(op, to), _parts(to, op.operands[0]))
        _set(to, op.results[0], parts)

    return lower


def _exponential(s: _Scalars, a: Parts) -> Parts:
    size = s.unary(llvm.FExpOp, a[0])
    cosine, sine = s.unary(llvm.FCosOp, a[1]), s.unary(llvm.FSinOp, a[1])
    return s.mul(size, cosine), s.mul(size, sine)


def _create(op: Operation, to: FunctionLowering) -> None:
    _set(to, op.results[0], (to.get(op.operands[0]), to.get(op.operands[1])))


def _constant(op: Operation, to: FunctionLowering) -> None:
    value = cast("ArrayAttr[Attribute]", op.properties["value"])
    parts: list[SSAValue] = []
    for part in value:
        type_ = cast("IntegerAttr[Any] | FloatAttr[Any]", part).type
        parts.append(to.constant(part, to.types(cast(Attribute, type_))))
    _set(to, op.results[0], (parts[0], parts[1]))


def _part(index: int) -> Lowering:
    def lower(op: Operation, to: FunctionLowering) -> None:
        to.set(op.results[0], _parts(to, op.operands[0])[index])

    return lower


def _equality(predicate: str, combine: type[Operation]) -> Lowering:
    number = llvm.FCmpPredicateFlag(predicate).to_int()
    properties = {
        "predicate": IntegerAttr(number, 64),
        "fastmathFlags": llvm.FastMathAttr(None),
    }

    def lower(op: Operation, to: FunctionLowering) -> None:
        a, b = _parts(to, op.operands[0]), _parts(to, op.operands[1])
        type_ = to.types(op.results[0].type)
        same = [
            to.value(llvm_ops.FCmpOp, pair, type_, properties)
            for pair in zip(a, b, strict=True)
        ]
        to.set(op.results[0], to.binary(combine, same[0], same[1]))

    return lower


def _of_libm(name: str, order: Sequence[int]) -> Lowering:
    """The lowering to a function of libm that takes both parts."""

    def lower(op: Operation, to: FunctionLowering) -> None:
        parts = _parts(to, op.operands[0])
        arguments = [parts[index] for index in order]
        type_ = to.types(op.results[0].type)
        to.set(op.results[0], call_libm(op, to, name, arguments, type_))

    return lower


# ub and casts


def _poison(op: Operation, to: FunctionLowering) -> None:
    result = op.results[0]
    kind = llvm.ZeroOp if to.module.options.freeze_poison else llvm_ops.PoisonOp
    value = to.value(kind, (), to.types(result.type))
    to.set(result, to.from_struct(result.type, value))


def _unreachable(op: Operation, to: FunctionLowering) -> None:
    to.emit(llvm.UnreachableOp)


def _cast(op: Operation, to: FunctionLowering) -> None:
    """A cast between a type and what that becomes has done its work."""
    if len(op.operands) == len(op.results) == 1:
        operand, result = op.operands[0], op.results[0]
        if to.types(operand.type) == to.types(result.type):
            if is_memref(operand.type) and is_memref(result.type):
                to.set(result, to.values[operand])
            else:
                to.set(result, to.from_struct(result.type, to.get(operand)))
            return
    to.refuse(op, "its types become different types of the LLVM dialect")


COMPLEX_LOWERINGS: dict[str, Lowering] = {
    "complex.abs": _of_libm("hypot", (0, 1)),
    "complex.add": _binary(lambda s, a, b: (s.add(a[0], b[0]), s.add(a[1], b[1]))),
    "complex.angle": _of_libm("atan2", (1, 0)),
    "complex.conj": _unary(lambda s, a: (a[0], s.neg(a[1]))),
    "complex.constant": _constant,
    "complex.create": _create,
    "complex.div": _binary(_divide),
    "complex.eq": _equality("oeq", llvm.AndOp),
    "complex.exp": _unary(_exponential),
    "complex.im": _part(1),
    "complex.mul": _binary(_multiply),
    "complex.neg": _unary(lambda s, a: (s.neg(a[0]), s.neg(a[1]))),
    "complex.neq": _equality("une", llvm.OrOp),
    "complex.re": _part(0),
    "complex.sub": _binary(lambda s, a, b: (s.sub(a[0], b[0]), s.sub(a[1], b[1]))),
}

OTHER_LOWERINGS: dict[str, Lowering] = {
    "builtin.unrealized_conversion_cast": _cast,
    "ub.poison": _poison,
    "ub.unreachable": _unreachable,
}
