"""cf: branches; an assertion that fails prints its message and aborts, or calls a given
function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import arith, cf, llvm
from xdsl.dialects.builtin import (
    FloatAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering
from xdsl_bufferization.conversion.to_llvm.types import POINTER
from xdsl_bufferization.conversion.utils.diagnostics import FAILED_CHECK
from xdsl_bufferization.dialects.llvm import FPToSIOp, SwitchOp
from xdsl_bufferization.dialects.shapes import is_integer


def _branch(op: Operation, to: FunctionLowering) -> None:
    target = op.successors[0]
    operands = to.branch_operands(op.operands, target.args)
    to.branch(to.blocks[target], operands)


def _destination(
    to: FunctionLowering, block: Block, operands: Sequence[SSAValue]
) -> tuple[Block, list[SSAValue]]:
    return to.blocks[block], to.branch_operands(operands, block.args)


def _cond_branch(op: Operation, to: FunctionLowering) -> None:
    then, other = op.successors
    count = len(then.args)
    to.branch_if(
        to.get(op.operands[0]),
        _destination(to, then, op.operands[1 : 1 + count]),
        _destination(to, other, op.operands[1 + count :]),
    )


def _switch(op: Operation, to: FunctionLowering) -> None:
    assert isinstance(op, cf.SwitchOp)
    default = _destination(to, op.default_block, op.default_operands)
    values = () if op.case_values is None else op.case_values.get_values()
    cases = [
        (int(value), *_destination(to, block, operands))
        for value, block, operands in zip(
            values, op.case_blocks, op.case_operand, strict=True
        )
    ]
    to.block.add_op(SwitchOp(to.get(op.operands[0]), default, cases))


def _assert(op: Operation, to: FunctionLowering) -> None:
    message = cast(StringAttr, op.get_attr_or_prop("msg")).data
    function = to.module.options.assert_function
    comparisons = _comparisons(op.operands[0]) if function else []
    if not message.startswith(FAILED_CHECK):
        # Floats of a program are no whole numbers.
        comparisons = [c for c in comparisons if isinstance(c, arith.CmpiOp)]
    if comparisons:
        either = isinstance(op.operands[0].owner, arith.OrIOp)
        required = (" or " if either else " and ").join(
            _sign(comparison) for comparison in comparisons
        )
        message += f"\nrequired: {required}"
    numbers = [
        _number(to, value) for compared in comparisons for value in compared.operands
    ]
    fail_unless(op, to, to.get(op.operands[0]), message, numbers)


def fail_unless(
    op: Operation,
    to: FunctionLowering,
    condition: SSAValue,
    message: str,
    numbers: Sequence[SSAValue] = (),
) -> None:
    """End the program, or call the function for failed assertions, unless a condition
    holds.

    Args:
        numbers: of 64 bits, for that function, at most as many as it takes.
    """
    function = to.module.options.assert_function
    go_on = to.new_block()
    fail = to.new_block()
    region = to.block.parent
    assert region is not None
    region.detach_block(fail)
    region.add_block(fail)
    to.branch_if(condition, (go_on, ()), (fail, ()))
    to.block = fail
    name = to.module.string("assert_msg", message)
    text = to.value(llvm.AddressOfOp, (), POINTER, {"global_name": SymbolRefAttr(name)})
    void = llvm.LLVMVoidType()
    if function:
        zero = to.constant(IntegerAttr(0, i64), i64)
        padded = [*numbers, *[zero] * (_NUMBERS - len(numbers))]
        inputs = (POINTER, *(i64,) * _NUMBERS)
        callee = to.module.declare(op, function, inputs, void)
        to.call(callee, (text, *padded), None)
    else:
        to.call(to.module.declare(op, "puts", (POINTER,), void), (text,), None)
        to.call(to.module.declare(op, "abort", (), void), (), None)
    to.emit(llvm.UnreachableOp)
    to.block = go_on


_NO_FAST_MATH = {"fastmathFlags": llvm.FastMathAttr(None)}
_NUMBERS = 4
"""How many numbers a function for failed assertions takes."""

_SIGNS = (
    *("{} == {}", "{} != {}"),
    *("{} < {}", "{} <= {}", "{} > {}", "{} >= {}"),
    *("0 <= {} < {}", "0 <= {} <= {}", "{} > {}", "{} >= {}"),
)
"""How comparisons are shown, by predicate; unsigned ones bound an index on both sides."""

_FLOAT_SIGNS = {1: "{} == {}", 2: "{} > {}", 3: "{} >= {}", 4: "{} < {}", 5: "{} <= {}"}


def _sign(comparison: arith.CmpiOp | arith.CmpfOp) -> str:
    signs = _SIGNS if isinstance(comparison, arith.CmpiOp) else _FLOAT_SIGNS
    return signs[comparison.predicate.value.data]


def _comparisons(condition: SSAValue) -> list[arith.CmpiOp | arith.CmpfOp]:
    """The first comparisons of indices, and of floats that stand for such, that a
    condition is made of: of `select %void, %true, %condition`, those of the last."""
    found: list[arith.CmpiOp | arith.CmpfOp] = []
    worklist = [condition]
    while worklist:
        op = worklist.pop().owner
        if isinstance(op, arith.AndIOp | arith.OrIOp):
            worklist += reversed(op.operands)
        elif isinstance(op, arith.SelectOp):
            worklist.append(op.rhs)
        elif (isinstance(op, arith.CmpiOp) and _fits(op.lhs.type)) or (
            isinstance(op, arith.CmpfOp)
            and op.lhs.type == f64
            and op.predicate.value.data in _FLOAT_SIGNS
        ):
            found.append(op)
    return found[: _NUMBERS // 2]


def _fits(type_: Attribute) -> bool:
    return isinstance(type_, IndexType) or (
        is_integer(type_) and 1 < type_.width.data <= 64
    )


def _number(to: FunctionLowering, value: SSAValue) -> SSAValue:
    """A value as a number of 64 bits; a float, which stands for an index, is clamped."""
    lowered = to.get(value)
    if lowered.type == i64:
        return lowered
    if lowered.type == f64:
        for op_class, limit in (
            (llvm.VectorFMinOp, 2.0**62),
            (llvm.VectorFMaxOp, -(2.0**62)),
        ):
            bound = to.constant(FloatAttr(limit, f64), f64)
            lowered = to.value(op_class, (lowered, bound), f64, _NO_FAST_MATH)
        return to.value(FPToSIOp, (lowered,), i64)
    return to.value(llvm.SExtOp, (lowered,), i64)


CF_LOWERINGS = {
    "cf.br": _branch,
    "cf.cond_br": _cond_branch,
    "cf.switch": _switch,
    "cf.assert": _assert,
}
