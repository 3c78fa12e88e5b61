"""cf: branches; an assertion that fails prints its message and aborts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import cf, llvm
from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering
from xdsl_bufferization.conversion.to_llvm.types import POINTER
from xdsl_bufferization.dialects.llvm import SwitchOp


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
    message = cast(StringAttr, op.get_attr_or_prop("msg"))
    name = to.module.string("assert_msg", message.data)
    go_on = to.new_block()
    fail = to.new_block()
    region = to.block.parent
    assert region is not None
    region.detach_block(fail)
    region.add_block(fail)
    to.branch_if(to.get(op.operands[0]), (go_on, ()), (fail, ()))
    to.block = fail
    text = to.value(llvm.AddressOfOp, (), POINTER, {"global_name": SymbolRefAttr(name)})
    void = llvm.LLVMVoidType()
    to.call(to.module.declare(op, "puts", (POINTER,), void), (text,), None)
    to.call(to.module.declare(op, "abort", (), void), (), None)
    to.emit(llvm.UnreachableOp)
    to.block = go_on


CF_LOWERINGS = {
    "cf.br": _branch,
    "cf.cond_br": _cond_branch,
    "cf.switch": _switch,
    "cf.assert": _assert,
}
