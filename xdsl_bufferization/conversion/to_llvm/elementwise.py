"""Ops that work element by element, on scalars and on vectors of any rank.

LLVM's vectors have one dimension, so a vector of more is an array of vectors, and an op
on it becomes one op for each innermost vector.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import llvm
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering
from xdsl_bufferization.conversion.to_llvm.types import is_integer, is_vector
from xdsl_bufferization.dialects.llvm import ExtractElementOp, PoisonOp

Rows = Callable[[Sequence[SSAValue], Attribute], SSAValue]
"""Makes the result of a type from operands that are scalars or LLVM vectors."""


def elementwise(
    to: FunctionLowering, operands: Sequence[SSAValue], type_: Attribute, make: Rows
) -> SSAValue:
    """Applies `make` to scalars or vectors, or to each vector of arrays of vectors."""
    if not isinstance(type_, llvm.LLVMArrayType):
        return make(operands, type_)
    result = to.value(PoisonOp, (), type_)
    for index in range(type_.size.data):
        rows = [
            to.extract(operand, index)
            if isinstance(operand.type, llvm.LLVMArrayType)
            else operand
            for operand in operands
        ]
        result = to.insert(result, elementwise(to, rows, type_.type, make), index)
    return result


def set_elementwise(op: Operation, to: FunctionLowering, make: Rows) -> None:
    """Lower an op whose result is `elementwise` of its operands."""
    operands = [to.get(value) for value in op.operands]
    type_ = to.types(op.results[0].type)
    to.set(op.results[0], elementwise(to, operands, type_, make))


def each_element(
    to: FunctionLowering, operands: Sequence[SSAValue], type_: Attribute, make: Rows
) -> SSAValue:
    """Applies `make`, which takes scalars, to each element of LLVM vectors."""
    if not is_vector(type_):
        return make(operands, type_)
    vector: SSAValue = to.value(PoisonOp, (), type_)
    element = element_type(type_)
    for index in range(type_.get_shape()[0]):
        position = to.integer(index)
        scalars = [
            to.value(ExtractElementOp, (operand, position), element_type(operand.type))
            for operand in operands
        ]
        vector = to.value(
            llvm.InsertElementOp, (vector, make(scalars, element), position), type_
        )
    return vector


def for_each_element(op: Operation, to: FunctionLowering, make: Rows) -> None:
    """Let a formula on scalars give all elements of the result."""
    set_elementwise(op, to, lambda v, t: each_element(to, v, t, make))


def element_type(type_: Attribute) -> Attribute:
    """The element type of a vector or of an array of vectors; otherwise the type."""
    while isinstance(type_, llvm.LLVMArrayType):
        type_ = type_.type
    if is_vector(type_):
        return type_.element_type
    return type_


def with_element(type_: Attribute, element: Attribute) -> Attribute:
    """The scalar or LLVM vector type with another element."""
    if is_vector(type_):
        return VectorType(element, type_.get_shape())
    return element


def width(type_: Attribute) -> int:
    """The bits of an integer type, or of a vector's elements."""
    element = element_type(type_)
    assert is_integer(element)
    return element.width.data
