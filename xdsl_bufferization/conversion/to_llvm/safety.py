"""Checks for errors that end the process: division by zero and stack overflow.

`convert-to-llvm` inserts them only on request. At this level, a division is still one
op and is lowered directly to the trapping instruction, so divisions in the bodies of
named linalg ops, in affine maps and on vectors are covered as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerType,
    ModuleOp,
    SymbolRefAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.analysis.facts.strongly_connected import strongly_connected
from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.conversion.to_llvm.arith import compare, splat
from xdsl_bufferization.conversion.to_llvm.builder import Index
from xdsl_bufferization.conversion.to_llvm.cf import fail_unless
from xdsl_bufferization.conversion.to_llvm.elementwise import elementwise, width
from xdsl_bufferization.conversion.to_llvm.lowering import (
    SMALL_FRAME,
    FunctionLowering,
    Lowering,
)
from xdsl_bufferization.conversion.to_llvm.types import (
    POINTER,
    bytes_at_most,
    is_integer,
    is_vector,
)
from xdsl_bufferization.conversion.utils.diagnostics import failed_check
from xdsl_bufferization.dialects import func
from xdsl_bufferization.dialects.op_lists import walk

# Division


def checked_division(lowering: Lowering, *, signed: bool) -> Lowering:
    """The lowering of an integer division, with a check before it if one is asked for."""

    def lower(op: Operation, to: FunctionLowering) -> None:
        if to.module.options.check_divisions:
            _check_division(op, to, signed)
        lowering(op, to)

    return lower


def _check_division(op: Operation, to: FunctionLowering, signed: bool) -> None:
    dividends, divisors = (_constants(operand) for operand in op.operands)
    if divisors is None or 0 in divisors:
        _fail_if(op, to, _is_zero, "division by zero", "{1} != 0")
    if not signed or (divisors is not None and -1 not in divisors):
        return
    least = -(1 << (width(to.types(op.operands[0].type)) - 1))
    if dividends is None or least in dividends:
        reason = "the quotient is too large for its type"
        required = f"{{0}} != {least} or {{1}} != -1"
        _fail_if(op, to, _overflows, reason, required)


def _constants(value: SSAValue) -> Collection[int] | None:
    """The elements of a constant, which is a number or a vector; None for others."""
    number = constant_of(value)
    if number is not None:
        return (number,)
    attribute = getattr(value.owner, "properties", {}).get("value")
    if isinstance(attribute, DenseIntOrFPElementsAttr):
        return cast("Sequence[int]", attribute.get_values())
    return None


def _fail_if(
    op: Operation, to: FunctionLowering, is_wrong: _Predicate, reason: str, required: str
) -> None:
    """Fail if any elements of a division's operands are wrong.

    Args:
        required: what must hold of the operands {0} and {1}; shown for scalars.
    """
    operands = [to.get(operand) for operand in op.operands]
    type_ = operands[0].type
    found: list[SSAValue] = []

    def look_at(row: Sequence[SSAValue], row_type: Attribute) -> SSAValue:
        found.append(_any_element(to, is_wrong(to, row)))
        return row[0]

    elementwise(to, operands, type_, look_at)
    wrong = found[0]
    for other in found[1:]:
        wrong = to.binary(llvm.OrOp, wrong, other)
    message = failed_check(op, reason)
    numbers: list[SSAValue] = []
    if is_integer(type_) and type_.width.data <= _REPORTED_WIDTH:
        message += f"\nrequired: {required}"
        numbers = [
            operand if operand.type == i64 else to.value(llvm.SExtOp, (operand,), i64)
            for operand in operands
        ]
    is_right = to.compare("eq", wrong, to.integer(0, i1))
    fail_unless(op, to, is_right, message, numbers)


_REPORTED_WIDTH = 64
_Predicate: TypeAlias = "Callable[[FunctionLowering, Sequence[SSAValue]], SSAValue]"


def _is_zero(to: FunctionLowering, operands: Sequence[SSAValue]) -> SSAValue:
    divisor = operands[1]
    return compare(to, "eq", divisor, splat(to, 0, divisor.type))


def _overflows(to: FunctionLowering, operands: Sequence[SSAValue]) -> SSAValue:
    dividend, divisor = operands
    least = splat(to, _least(dividend.type), dividend.type)
    return to.binary(
        llvm.AndOp,
        compare(to, "eq", dividend, least),
        compare(to, "eq", divisor, splat(to, -1, divisor.type)),
    )


def _least(type_: Attribute) -> int:
    return -(1 << (width(type_) - 1))


def _any_element(to: FunctionLowering, condition: SSAValue) -> SSAValue:
    """Whether a condition, or one of a vector of conditions, holds."""
    if not is_vector(condition.type):
        return condition
    bits = IntegerType(condition.type.get_shape()[0])
    together = to.value(llvm.BitcastOp, (condition,), bits)
    return to.compare("ne", together, to.integer(0, bits))


# The stack


def check_room(
    op: Operation, to: FunctionLowering, type_: Attribute, count: Index
) -> None:
    """Check that the stack has room for some neighbours of a type, unless what a call of
    the function takes of it once is little together: the limit leaves room for that."""
    if not to.module.options.stack_limit_function:
        return
    size = to.mul(count, bytes_at_most(type_))
    once = op.parent is not None and op.parent.prev_block is None
    if once and isinstance(size, int) and to.stack_bytes + size <= SMALL_FRAME:
        to.stack_bytes += size
    else:
        check_stack(op, to, size)


def check_stack(op: Operation, to: FunctionLowering, size: Index) -> None:
    """Fail unless the stack has room for some bytes."""
    function = to.module.options.stack_limit_function
    name = to.module.declare(op, function, (), POINTER)
    limit = to.pointer_to_index(to.call(name, (), POINTER).results[0])
    top = to.pointer_to_index(to.value(llvm.StackSaveOp, (), POINTER))
    room = to.number(to.sub(top, limit))
    # Where the limit is exceeded already, the room is negative.
    enough = to.compare("sle", to.number(size), room)
    fail_unless(op, to, enough, failed_check(op, "the stack is exhausted"))


def recursive_functions(module: ModuleOp) -> set[Operation]:
    """The functions of which a call may lead to another call of the same."""
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    callees: dict[Operation, set[Operation]] = {}
    callers_of_values: list[Operation] = []
    used_as_values: set[Operation] = set()
    for function in functions.values():
        callees[function] = set()
        for op in walk(function):
            if isinstance(op, func.CallIndirectOp):
                callers_of_values.append(function)
                continue
            name = op.properties.get("callee") or op.properties.get("value")
            if isinstance(name, SymbolRefAttr) and name.string_value() in functions:
                target = functions[name.string_value()]
                is_value = isinstance(op, func.ConstantOp)
                (used_as_values if is_value else callees[function]).add(target)
    for function in callers_of_values:
        callees[function] |= used_as_values
    return {
        function
        for component in strongly_connected(callees, callees.__getitem__)
        for function in component
        if len(component) > 1 or function in callees[function]
    }
