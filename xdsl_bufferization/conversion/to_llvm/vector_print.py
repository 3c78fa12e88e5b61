"""vector.print: calls of the print functions of MLIR's runner library.

  vector.print %v : vector<2xf32>
becomes
  printOpen(); printF32(%v[0]); printComma(); printF32(%v[1]); printClose();
  printNewline();
"""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    Signedness,
    SymbolRefAttr,
    i16,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering, Lowering
from xdsl_bufferization.conversion.to_llvm.types import POINTER, is_integer, is_vector
from xdsl_bufferization.conversion.to_llvm.vector import Elements, Place, shape_of
from xdsl_bufferization.dialects.vector import PrintOp, PrintPunctuation

_PUNCTUATION = {
    PrintPunctuation.NEW_LINE: "printNewline",
    PrintPunctuation.COMMA: "printComma",
    PrintPunctuation.OPEN: "printOpen",
    PrintPunctuation.CLOSE: "printClose",
}
_FLOATS: dict[type[Attribute], tuple[str, Attribute]] = {
    # of the type: the function, and the type of integer it takes the bits as
    BFloat16Type: ("printBF16", i16),
    Float16Type: ("printF16", i16),
}


def _print(op: Operation, to: FunctionLowering) -> None:
    assert isinstance(op, PrintOp)
    if op.string_literal is not None:
        name = to.module.string("vector_print_str", op.string_literal.data)
        pointer = to.value(
            llvm.AddressOfOp, (), POINTER, {"global_name": SymbolRefAttr(name)}
        )
        _call(op, to, "printString", pointer)
        return  # No punctuation follows, not even the default's new line.
    if op.source is not None:
        _print_part(op, to, op.source.type, Elements(to, op.source), ())
    function = _PUNCTUATION.get(op.punctuation.data)
    if function is not None:
        _call(op, to, function)


def _print_part(
    op: Operation, to: FunctionLowering, type_: Attribute, elements: Elements, at: Place
) -> None:
    """Print an element, or the elements of a row in parentheses."""
    shape = shape_of(type_)
    if is_vector(type_) and not shape:
        shape = (1,)
    if len(at) == len(shape):
        element = type_.element_type if is_vector(type_) else type_
        _print_number(op, to, element, elements[at if elements.shape else ()])
        return
    _call(op, to, "printOpen")
    for index in range(shape[len(at)]):
        if index:
            _call(op, to, "printComma")
        _print_part(op, to, type_, elements, (*at, index))
    _call(op, to, "printClose")


def _print_number(
    op: Operation, to: FunctionLowering, type_: Attribute, value: SSAValue
) -> None:
    if isinstance(type_, Float32Type | Float64Type):
        _call(op, to, f"printF{type_.bitwidth}", value)
    elif type(type_) in _FLOATS:
        function, integer = _FLOATS[type(type_)]
        _call(op, to, function, to.value(llvm.BitcastOp, (value,), integer))
    elif isinstance(type_, IndexType):
        _call(op, to, "printU64", _widened(to, value, llvm.ZExtOp))
    elif is_integer(type_) and type_.width.data <= 64:
        unsigned = type_.signedness.data is Signedness.UNSIGNED
        extension = llvm.ZExtOp if unsigned or type_.width.data == 1 else llvm.SExtOp
        function = "printU64" if unsigned else "printI64"
        _call(op, to, function, _widened(to, value, extension))
    else:
        to.refuse(op, f"elements of type {type_} cannot be printed; convert them first")


def _widened(
    to: FunctionLowering, value: SSAValue, extension: type[Operation]
) -> SSAValue:
    return value if value.type == i64 else to.value(extension, (value,), i64)


def _call(op: Operation, to: FunctionLowering, name: str, *operands: SSAValue) -> None:
    types = [value.type for value in operands]
    to.call(to.module.declare(op, name, types, llvm.LLVMVoidType()), operands, None)


PRINT_LOWERINGS: dict[str, Lowering] = {"vector.print": _print}
