"""A dialect whose ops are defined with the model that is given, and their lowering."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.builder import ImplicitBuilder
from xdsl.context import Context
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import DenseArrayBase, IndexType, ModuleOp, i64
from xdsl.ir import Block, Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator, Pure

from xdsl_bufferization.dialects import memref
from xdsl_bufferization.models.regions import YieldModel
from xdsl_bufferization.testing import OpCase
from xdsl_bufferization.universe import new_context

SIZE = 4


@irdl_op_definition
class YieldOp(IRDLOperation):
    name = "own.yield"
    values = var_operand_def()
    traits = traits_def(YieldModel(), IsTerminator(), Pure())


def define(op_name: str, *op_traits: Any) -> type[IRDLOperation]:
    """An op class with any operands, results and regions."""

    @irdl_op_definition
    class OwnOp(IRDLOperation):
        name = f"own.{op_name}"
        inputs = var_operand_def()
        outputs = var_result_def()
        bodies = var_region_def()
        traits = traits_def(*op_traits)

    return OwnOp


def create(like: Operation, operands: Sequence[SSAValue]) -> Operation:
    """The op on memrefs, without results."""
    return type(like).create(operands=operands)


def constant(number: int) -> arith.ConstantOp:
    return arith.ConstantOp.from_int_and_width(number, IndexType())


def store_each(op: Operation, compute: Callable[[SSAValue], SSAValue]) -> None:
    """Store a value for each index into the last operand, which is one-dimensional."""
    zero, one, size = constant(0), constant(1), constant(SIZE)
    body = Block(arg_types=[IndexType()])
    with ImplicitBuilder(body) as (index,):
        memref.StoreOp.get(compute(index), op.operands[-1], [index])
        scf.YieldOp()
    loop = scf.ForOp(zero, size, one, [], body)
    Rewriter.replace_op(op, [zero, one, size, loop], [])


def load(buffer: SSAValue, index: SSAValue) -> SSAValue:
    return memref.LoadOp.get(buffer, [index]).results[0]


def lower_add(op: Operation) -> None:
    x, y = op.operands
    store_each(op, lambda i: arith.AddfOp(load(x, i), load(y, i)).result)


def lower_add_reversed(op: Operation) -> None:
    x, y = op.operands

    def compute(index: SSAValue) -> SSAValue:
        last = constant(SIZE - 1).result
        other = arith.SubiOp(last, index).result
        return arith.AddfOp(load(x, other), load(y, index)).result

    store_each(op, compute)


def lower_negate(op: Operation) -> None:
    x = op.operands[0]
    store_each(op, lambda i: arith.NegfOp(load(x, i)).result)


def lower_iota(op: Operation) -> None:
    from xdsl.dialects.builtin import f32, i32

    store_each(op, lambda i: arith.SIToFPOp(arith.IndexCastOp(i, i32), f32).result)


def lower_repeat(op: Operation) -> None:
    """The body moves into an scf.for, in front of whose iter_args is a counter."""
    times, *inits = op.operands
    body = op.regions[0].detach_block(0)
    body.insert_arg(IndexType(), 0)
    end = body.last_op
    assert end is not None
    Rewriter.replace_op(end, scf.YieldOp(*end.operands))
    zero, one = constant(0), constant(1)
    loop = scf.ForOp(zero, times, one, inits, body)
    Rewriter.replace_op(op, [zero, one, loop], list(loop.results))


def lower_choose(op: Operation) -> None:
    for region in op.regions:
        end = region.block.last_op
        assert end is not None
        Rewriter.replace_op(end, scf.YieldOp(*end.operands))
    first, second = (region.detach_block(0) for region in op.regions)
    types = [result.type for result in op.results]
    branch = scf.IfOp(op.operands[0], types, [first], [second])
    Rewriter.replace_op(op, [branch], list(branch.results))


def lower_part(op: Operation) -> None:
    view = memref.SubviewOp.build(
        operands=[op.operands[0], [], [], []],
        result_types=[op.results[0].type],
        properties={
            f"static_{name}": DenseArrayBase.from_list(i64, [number])
            for name, number in (("offsets", 1), ("sizes", 2), ("strides", 1))
        },
    )
    Rewriter.replace_op(op, [view])


def lower_rename(op: Operation) -> None:
    cast = memref.CastOp.get(op.operands[0], cast_type(op.results[0].type))
    Rewriter.replace_op(op, [cast])


def lower_call(op: Operation) -> None:
    call = func.CallOp(
        cast_type(op.attributes["callee"]),
        op.operands,
        [result.type for result in op.results],
    )
    Rewriter.replace_op(op, [call])


def cast_type(attribute: Any) -> Any:
    """An attribute whose class is known from the op."""
    return attribute


LOWERINGS = {
    "own.add": lower_add,
    "own.add_reversed": lower_add_reversed,
    "own.negate": lower_negate,
    "own.iota": lower_iota,
    "own.repeat": lower_repeat,
    "own.choose": lower_choose,
    "own.view": lower_part,
    "own.rename": lower_rename,
    "own.call": lower_call,
}


@dataclass(frozen=True)
class LowerOwnPass(ModulePass):
    name = "lower-own"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if inner.name in LOWERINGS:
                LOWERINGS[inner.name](inner)


def make_case(
    op: type[IRDLOperation],
    text: str,
    arguments: dict[str, str],
    meaning: Callable[..., Any],
    integers: tuple[int, int] = (1, 4),
    functions: str = "",
) -> OpCase:
    context = new_context()
    context.load_dialect(Dialect("own", [op, YieldOp]))
    return OpCase(
        text, arguments, [LowerOwnPass()], meaning, context, integers, functions
    )
