"""index: arith on the index type, under other names."""

from __future__ import annotations

from xdsl.ir import Operation

from xdsl_bufferization.conversion.to_llvm.arith import ARITH_LOWERINGS
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering, Lowering
from xdsl_bufferization.dialects.index import CmpOp


def _compare(op: Operation, to: FunctionLowering) -> None:
    assert isinstance(op, CmpOp)
    lhs, rhs = (to.get(value) for value in op.operands)
    to.set(op.result, to.compare(op.pred.data.value, lhs, rhs))


def _size(op: Operation, to: FunctionLowering) -> None:
    to.set(op.results[0], to.index_type.width.data)


INDEX_LOWERINGS: dict[str, Lowering] = {
    "index.constant": ARITH_LOWERINGS["arith.constant"],
    "index.bool.constant": ARITH_LOWERINGS["arith.constant"],
    "index.add": ARITH_LOWERINGS["arith.addi"],
    "index.sub": ARITH_LOWERINGS["arith.subi"],
    "index.mul": ARITH_LOWERINGS["arith.muli"],
    "index.divs": ARITH_LOWERINGS["arith.divsi"],
    "index.divu": ARITH_LOWERINGS["arith.divui"],
    "index.ceildivs": ARITH_LOWERINGS["arith.ceildivsi"],
    "index.ceildivu": ARITH_LOWERINGS["arith.ceildivui"],
    "index.floordivs": ARITH_LOWERINGS["arith.floordivsi"],
    "index.rems": ARITH_LOWERINGS["arith.remsi"],
    "index.remu": ARITH_LOWERINGS["arith.remui"],
    "index.maxs": ARITH_LOWERINGS["arith.maxsi"],
    "index.maxu": ARITH_LOWERINGS["arith.maxui"],
    "index.mins": ARITH_LOWERINGS["arith.minsi"],
    "index.minu": ARITH_LOWERINGS["arith.minui"],
    "index.shl": ARITH_LOWERINGS["arith.shli"],
    "index.shrs": ARITH_LOWERINGS["arith.shrsi"],
    "index.shru": ARITH_LOWERINGS["arith.shrui"],
    "index.and": ARITH_LOWERINGS["arith.andi"],
    "index.or": ARITH_LOWERINGS["arith.ori"],
    "index.xor": ARITH_LOWERINGS["arith.xori"],
    "index.cmp": _compare,
    "index.sizeof": _size,
    "index.casts": ARITH_LOWERINGS["arith.index_cast"],
    "index.castu": ARITH_LOWERINGS["arith.index_castui"],
}
