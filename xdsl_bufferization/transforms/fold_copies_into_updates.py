"""The pass fold-copies-into-updates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.dialects import linalg, memref
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import is_memref
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.elementwise_updates import (
    is_elementwise_update,
    reads_output,
    write_elsewhere,
)

MOST_OPS = 16
"""How many ops may be between an allocation and the update."""


@dataclass(frozen=True)
class FoldCopiesIntoUpdatesPass(ModulePass):
    """Let an elementwise op read the source of a copy, instead of the copy that it
    overwrites.

        func.func @f(%a: memref<8xf64>, %b: memref<8xf64>) -> memref<8xf64> {
          %0 = memref.alloc() : memref<8xf64>
          memref.copy %a, %0 : memref<8xf64> to memref<8xf64>
          linalg.map ins(%b : memref<8xf64>) outs(%0 : memref<8xf64>)
            (%in: f64, %old: f64) {
              %1 = arith.addf %in, %old : f64
              linalg.yield %1 : f64
            }
          return %0 : memref<8xf64>
        }

    becomes

        func.func @f(%a: memref<8xf64>, %b: memref<8xf64>) -> memref<8xf64> {
          %0 = memref.alloc() : memref<8xf64>
          linalg.map ins(%b, %a : memref<8xf64>, memref<8xf64>)
            outs(%0 : memref<8xf64>)
            (%in: f64, %old: f64, %unused: f64) {
              %1 = arith.addf %in, %old : f64
              linalg.yield %1 : f64
            }
          return %0 : memref<8xf64>
        }

    The op is a linalg.generic or linalg.map that replaces every element of a buffer, the
    first one to use the buffer after its allocation and the copy, with nothing in between
    that may write the source. Run the pass after bufferization.
    """

    name = "fold-copies-into-updates"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        fold_copies_into_updates(op)


@on_program
def fold_copies_into_updates(module: ModuleOp) -> None:
    """Fold the copies in `module` into the updates that overwrite them."""
    for copy in [op for op in walk(module) if isinstance(op, memref.CopyOp)]:
        update = _find_update(copy)
        if update is None:
            continue
        source, target = copy.operands
        if reads_output(update):
            update.operands[len(update.operands) - 1] = source
            write_elsewhere(update, target)
        Rewriter.erase_op(copy)


def _find_update(copy: memref.CopyOp) -> Operation | None:
    """The update that overwrites a copy in a new buffer, if that is its first use."""
    target = copy.operands[1]
    if (
        not isinstance(target, OpResult)
        or not isinstance(target.op, memref.AllocOp)
        or not is_memref(copy.operands[0].type)
        or _memory_space(target) != _memory_space(copy.operands[0])
    ):
        return None
    is_copied = False
    op = target.op.next_op
    for _ in range(MOST_OPS):
        if op is None:
            return None
        if op is copy:
            is_copied = True
        elif any(target in inner.operands for inner in walk(op)):
            return op if is_copied and _is_update(op, target) else None
        elif is_copied and not (
            isinstance(op, memref.AllocOp) or is_side_effect_free(op)
        ):
            return None
        op = op.next_op
    return None


def _memory_space(value: SSAValue) -> Attribute:
    return cast("MemRefType[Attribute]", value.type).memory_space


def _is_update(op: Operation, target: OpResult) -> bool:
    """Whether an op only uses a buffer to replace all elements of it."""
    return (
        isinstance(op, linalg.GenericOp | linalg.MapOp)
        and is_elementwise_update(op)
        and sum(list(inner.operands).count(target) for inner in walk(op)) == 1
        and op.operands[-1] is target
    )
