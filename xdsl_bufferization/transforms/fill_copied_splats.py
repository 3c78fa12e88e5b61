"""The pass fill-copied-splats: copies of equal elements become fills."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects import linalg, memref
from xdsl_bufferization.dialects.dense_elements import equal_element
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import is_memref
from xdsl_bufferization.dialects.symbol_lookup import find_symbol
from xdsl_bufferization.dialects.symbols import symbols_in
from xdsl_bufferization.interfaces.view_like import get_view_base
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.direct_accesses import reads, uses_of_views
from xdsl_bufferization.transforms.utils.unused_views import erase_unused_views


@dataclass(frozen=True)
class FillCopiedSplatsPass(ModulePass):
    """Replace copies of equal elements by fills.

        func.func @f(%m: memref<6x6xf64>, %v: memref<6xf64>, %w: memref<6xf64>) {
          %zeros = memref.get_global @zeros : memref<6xf64>
          memref.copy %zeros, %w : memref<6xf64> to memref<6xf64>
          linalg.matvec ins(%m, %v : memref<6x6xf64>, memref<6xf64>)
            outs(%w : memref<6xf64>)
          return
        }
        memref.global "private" constant @zeros : memref<6xf64> = dense<0.0>

    becomes

        func.func @f(%m: memref<6x6xf64>, %v: memref<6xf64>, %w: memref<6xf64>) {
          %zero = arith.constant 0.0 : f64
          linalg.fill ins(%zero : f64) outs(%w : memref<6xf64>)
          linalg.matvec ins(%m, %v : memref<6x6xf64>, memref<6xf64>)
            outs(%w : memref<6xf64>)
          return
        }

    The copy is a memref.copy or linalg.copy of a constant memref.global or of a view of
    it. The elements are integers, indices or floats other than NaN, which has many
    encodings. A private global that is unused afterwards is erased.

    A copy of a buffer that a `linalg.fill` writes, and nothing else, becomes a fill as
    well, with the same value: `cse` lets ops share one filled tensor, which they then
    copy. So does one that a `linalg.map` or `linalg.generic` without inputs fills with
    one value, as tensor.splat and tensor.generate become. The buffer is erased if only
    its fill is left. Run the pass after bufferization, before deallocation.
    """

    name = "fill-copied-splats"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        fill_copied_splats(op)


@on_program
def fill_copied_splats(module: ModuleOp) -> None:
    """Replace the copies of constants, and buffers, of equal elements in `module` by
    fills."""
    buffers = _FilledBuffers()
    elements: dict[memref.GlobalOp, IntegerAttr | FloatAttr | None] = {}
    filled: dict[memref.GlobalOp, None] = {}
    for op in [op for op in walk(module) if _is_copy(op)]:
        source, target = op.operands
        constant = _find_constant(source)
        if constant is None:
            buffers.fill_instead(op)
            continue
        if constant not in elements:
            elements[constant] = equal_element(constant.initial_value)
        element = elements[constant]
        if element is None or not _have_element_type((source, target), element.type):
            continue
        filled[constant] = None
        with built_for(op):
            value = arith.ConstantOp(element)
            fill = linalg.FillOp([value.results[0]], [target], [])
        buffers.replace(op, [value, fill])
        get_global = erase_unused_views(source)
        if isinstance(get_global.owner, memref.GetGlobalOp) and not get_global.uses:
            Rewriter.erase_op(get_global.owner)
    if filled:
        _erase_unmentioned(module, filled)


class _FilledBuffers:
    """Buffers that are filled once and then only read."""

    def __init__(self) -> None:
        self._fills: dict[memref.AllocOp, Operation | None] = {}
        self._positions: dict[Block, dict[Operation, int]] = {}

    def fill_instead(self, copy: Operation) -> None:
        """Replace a copy of such a buffer, or of a view of it, by a fill."""
        source, target = copy.operands
        allocation = get_view_base(source).owner
        if not isinstance(allocation, memref.AllocOp):
            return
        if allocation not in self._fills:
            self._fills[allocation] = _find_only_fill(allocation)
        fill = self._fills[allocation]
        if fill is None or not self._is_before(fill, copy):
            return
        if not _have_element_type((source, target), allocation.memref.type.element_type):
            return
        value = _filling_value(fill)
        assert value is not None
        ops: list[Operation] = []
        with built_for(copy):
            if value.owner.parent_op() is fill:
                ops.append(cast(arith.ConstantOp, value.owner).clone())
                value = ops[0].results[0]
            ops.append(linalg.FillOp([value], [target], []))
        self.replace(copy, ops)
        erase_unused_views(source)
        if all(use.operation is fill for use in allocation.results[0].uses):
            del self._fills[allocation]
            Rewriter.erase_op(fill)
            Rewriter.erase_op(allocation)

    def replace(self, copy: Operation, ops: Sequence[Operation]) -> None:
        """Put ops in the place of a copy, the last of which fills its target."""
        order = self._positions.get(copy.parent) if copy.parent is not None else None
        if order is not None:
            order[ops[-1]] = order[copy]
        Rewriter.insert_op(ops, InsertPoint.before(copy))
        Rewriter.erase_op(copy)

    def _is_before(self, fill: Operation, op: Operation) -> bool:
        """Whether a fill comes before an op, in its block or one around it."""
        block = fill.parent
        assert block is not None
        if block not in self._positions:
            self._positions[block] = {o: i for i, o in enumerate(block.ops)}
        order = self._positions[block]
        around: Operation | None = op
        while around is not None and around not in order:
            around = around.parent_op()
        return around is not None and order[fill] < order[around]


def _find_only_fill(allocation: memref.AllocOp) -> Operation | None:
    """The op that fills all of a buffer; None if anything else may write it."""
    found: Operation | None = None
    for use in uses_of_views(allocation.results[0]):
        if reads(use):
            continue
        op = use.operation
        if (
            found is not None
            or _filling_value(op) is None
            or op.operands[-1] is not allocation.results[0]
        ):
            return None
        found = op
    return found


def _filling_value(op: Operation) -> SSAValue | None:
    """Return the value that an op writes to all elements of its last operand, and that is
    defined outside of it or a constant; None if there is none."""
    if isinstance(op, linalg.FillOp):
        return op.operands[0]
    if not isinstance(op, linalg.MapOp | linalg.GenericOp) or len(op.operands) != 1:
        return None
    (map_,) = op.get_indexing_maps()
    *others, end = op.body.block.ops
    if map_.data != AffineMap.identity(map_.data.num_dims) or not all(
        isinstance(other, arith.ConstantOp) for other in others
    ):
        return None
    (value,) = end.operands
    return None if value.owner is op.body.block else value


def _is_copy(op: Operation) -> bool:
    return isinstance(op, memref.CopyOp | linalg.CopyOp) and not op.results


def _find_constant(source: SSAValue) -> memref.GlobalOp | None:
    """The constant that a memref is, or is a part of."""
    get_global = get_view_base(source).owner
    if not isinstance(get_global, memref.GetGlobalOp):
        return None
    found = find_symbol(get_global, get_global.name_)
    if not isinstance(found, memref.GlobalOp) or found.constant is None:
        return None
    return found


def _have_element_type(memrefs: tuple[SSAValue, ...], element_type: Attribute) -> bool:
    return all(
        is_memref(value.type) and value.type.element_type == element_type
        for value in memrefs
    )


def _erase_unmentioned(module: ModuleOp, constants: dict[memref.GlobalOp, None]) -> None:
    """Erase the private ones of some constants that no attribute names any more."""
    named = {
        symbol.root_reference.data
        for op in walk(module)
        for attribute in (*op.properties.values(), *op.attributes.values())
        for symbol in symbols_in(attribute)
    }
    for constant in constants:
        is_private = constant.sym_visibility == StringAttr("private")
        if is_private and constant.sym_name.data not in named:
            Rewriter.erase_op(constant)
