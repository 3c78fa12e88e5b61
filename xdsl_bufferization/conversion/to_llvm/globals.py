"""memref.global: a global array, with its initial value."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FloatAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, Operation

from xdsl_bufferization.conversion.to_llvm.lowering import PASS, ModuleLowering
from xdsl_bufferization.conversion.to_llvm.small_floats import codes_of
from xdsl_bufferization.conversion.to_llvm.types import (
    MemRefInfo,
    TypeConverter,
    TypeNotConvertible,
)
from xdsl_bufferization.conversion.utils.diagnostics import refuse
from xdsl_bufferization.dialects.dense_elements import repeated_element
from xdsl_bufferization.dialects.dense_resources import elements_of
from xdsl_bufferization.dialects.memory_layout import allocation_alignment


def lower_global(op: Operation, module: ModuleLowering) -> llvm.GlobalOp:
    """The llvm.mlir.global of a memref.global."""
    type_ = cast("MemRefType[Attribute]", op.properties["type"])
    visibility = op.properties.get("sym_visibility")
    private = isinstance(visibility, StringAttr) and visibility.data == "private"
    try:
        info = module.types.memref(type_)
    except TypeNotConvertible as error:
        refuse(op, PASS, str(error))
    if None in info.sizes:
        refuse(op, PASS, "its type has dynamic sizes; a global's must be static")
    alignment = None
    if "alignment" in op.properties:
        alignment = allocation_alignment(op, type_.element_type)
    initial = op.properties.get("initial_value")
    if isinstance(initial, DenseResourceAttr):
        elements = elements_of(initial)
        if elements is None:
            name = initial.resource_handle.data
            refuse(
                op,
                PASS,
                f"the program does not hold the elements of dense_resource<{name}>, or "
                "not as many as its type has; export it with its resources",
            )
        initial = elements
    space = info.pointer.addr_space
    new = llvm.GlobalOp(
        array_type(info),
        cast(StringAttr, op.properties["sym_name"]),
        "private" if private else "external",
        addr_space=space.data if isinstance(space, IntAttr) else 0,
        constant="constant" in op.properties,
        value=_value(initial, info, module.types),
        alignment=alignment,
    )
    if isinstance(initial, UnitAttr):
        undefined = llvm.UndefOp(new.global_type)
        new.body.add_block(Block([undefined, llvm.ReturnOp(undefined.res)]))
    return new


def array_type(info: MemRefInfo) -> Attribute:
    """The nested arrays of a global of a memref type."""
    result = info.element
    for size in reversed(info.sizes):
        assert size is not None
        result = llvm.LLVMArrayType(size, result)
    return result


def _number(value: int | float, type_: Any) -> Attribute:
    if isinstance(value, int):
        return IntegerAttr(value, type_, truncate_bits=True)
    return FloatAttr(value, type_)


def _value(
    initial: Attribute | None, info: MemRefInfo, types: TypeConverter
) -> Attribute | None:
    """The initial value: of a memref of rank 0 the scalar; none if there is none."""
    if not isinstance(initial, DenseIntOrFPElementsAttr):
        return None if isinstance(initial, UnitAttr) else initial
    codes = codes_of(cast(Attribute, initial))
    dense = cast("DenseIntOrFPElementsAttr[Any]", codes)
    if info.rank == 0:
        value = cast(Any, dense.get_values()[0])
        element = cast(Any, info.element)
        if isinstance(value, tuple):
            parts = cast("tuple[int | float, ...]", value)
            return ArrayAttr([_number(part, element.types.data[0]) for part in parts])
        return _number(value, element)
    if isinstance(dense.get_element_type(), IndexType):
        numbers = list((repeated_element(dense) or dense).get_values())
        return DenseIntOrFPElementsAttr.from_list(
            TensorType(types.index, dense.get_shape()), numbers
        )
    return dense
