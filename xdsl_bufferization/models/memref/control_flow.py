"""Control flow, views and allocations of memref."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, Region, SSAValue
from xdsl.traits import ConstantLike

from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    MemoryEffectOnValue,
)
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchModel,
    RegionSuccessor,
    ReturnLike,
)
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.interfaces.view_like import FirstOperandView

_VIEWS = (
    *("assume_alignment", "cast", "collapse_shape", "expand_shape"),
    *("extract_strided_metadata", "memory_space_cast", "reinterpret_cast", "reshape"),
    *("subview", "transpose"),
)


class _View(FirstOperandView):
    """memref.view starts its result a number of bytes after the start of the source."""

    def may_move_pointer(self, op: Operation) -> bool:
        shift = ConstantLike.get_constant_value(op.operands[1])
        return not (isinstance(shift, IntegerAttr) and shift.value.data == 0)


class _AllocaScope(RegionBranchModel):
    def get_successor_regions(
        self, op: Operation, point: Region | None
    ) -> Sequence[RegionSuccessor]:
        if point is None:
            return (RegionSuccessor(op.regions[0], ()),)
        return (RegionSuccessor(None, op.results),)

    def get_entry_successor_operands(
        self, op: Operation, successor: Region | None
    ) -> Sequence[SSAValue]:
        return ()


class _Alloca:
    def get_allocations_and_frees(self, op: Operation) -> Sequence[MemoryEffectOnValue]:
        value = op.results[0]
        return (MemoryEffectOnValue(EffectKind.ALLOCATE, value, automatic=True),)


class _Realloc:
    def get_dependencies(self, op: Operation) -> Sequence[tuple[SSAValue, SSAValue]]:
        return ((op.operands[0], op.results[0]),)

    def may_be_terminal_buffer(self, op: Operation, value: SSAValue) -> bool:
        return True

    def get_allocations_and_frees(self, op: Operation) -> Sequence[MemoryEffectOnValue]:
        return (
            MemoryEffectOnValue(EffectKind.FREE, op.operands[0]),
            MemoryEffectOnValue(EffectKind.ALLOCATE, op.results[0]),
        )


def register() -> None:
    for view in _VIEWS:
        attach(f"memref.{view}", FirstOperandView())
    attach("memref.view", _View())
    attach("memref.alloca_scope", _AllocaScope())
    attach("memref.alloca_scope.return", ReturnLike())
    attach("memref.alloca", _Alloca())
    attach("memref.realloc", _Realloc())
