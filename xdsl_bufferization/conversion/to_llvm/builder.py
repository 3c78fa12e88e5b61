"""Appending LLVM dialect ops to a block, with index arithmetic folded on the way.

An index is an int if its value is known and an SSA value otherwise, so that the sizes,
strides and offsets of static memrefs never become ops. A constant becomes one op per
function, in the entry block, when it is first needed as a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    SymbolRefAttr,
    i1,
    i32,
    i64,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm.types import POINTER
from xdsl_bufferization.dialects.llvm import GEPOp

Index: TypeAlias = int | SSAValue
"""A value of the index type: known, or an SSA value of the target's index type."""

_NO_PROPERTIES: Mapping[str, Attribute] = {}
_NO_FAST_MATH = llvm.FastMathAttr(None)
_NO_OVERFLOW = {"overflowFlags": IntegerAttr(0, 32)}
_NO_SIGNED_WRAP = {"overflowFlags": IntegerAttr(1, 32)}
"""Of the product of an index and a stride, which may be negative."""
_GEP_FLAGS = {
    False: {"noWrapFlags": IntegerAttr(0, 32)},
    True: {"noWrapFlags": IntegerAttr(3, 32)},
}
_CALL_PROPERTIES: dict[str, Attribute] = {
    "fastmathFlags": _NO_FAST_MATH,
    "CConv": llvm.CallingConventionAttr("ccc"),
    "TailCallKind": llvm.TailCallKindAttr(llvm.TailCallKind.NONE),
    "op_bundle_sizes": DenseArrayBase.from_list(i32, ()),
}
_PREDICATES = {
    flag.value: {"predicate": IntegerAttr(number, i64)}
    for number, flag in enumerate(llvm.ALL_ICMP_FLAGS)
}


class Builder:
    """Appends ops to `block`, which moves as control flow is made."""

    block: Block
    index_type: IntegerType

    def __init__(self, block: Block, index_type: IntegerType) -> None:
        self.block = block
        self.index_type = index_type
        self._entry = block
        self._constants: dict[tuple[Attribute, Attribute], SSAValue] = {}
        self._integers: dict[tuple[int, int], SSAValue] = {}
        self._slots: list[Operation] = []

    # Ops

    def emit(
        self,
        op_class: type[Operation],
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] = _NO_PROPERTIES,
        successors: Sequence[Block] = (),
    ) -> Operation:
        """Appends an op."""
        op = op_class.create(
            operands=operands,
            result_types=result_types,
            properties=properties,
            successors=successors,
        )
        self.block.add_op(op)
        return op

    def value(
        self,
        op_class: type[Operation],
        operands: Sequence[SSAValue],
        result_type: Attribute,
        properties: Mapping[str, Attribute] = _NO_PROPERTIES,
    ) -> SSAValue:
        """Appends an op of one result and returns that."""
        op = op_class.create(
            operands=operands, result_types=(result_type,), properties=properties
        )
        self.block.add_op(op)
        return op.results[0]

    def finish(self) -> None:
        """Put the constants, and after them the slots, at the head of the entry block."""
        head: list[Operation] = []
        for value in (*self._integers.values(), *self._constants.values()):
            assert isinstance(value.owner, Operation)
            head.append(value.owner)
        head += self._slots
        first = self._entry.first_op
        if first is None:
            self._entry.add_ops(head)
        elif head:
            self._entry.insert_ops_before(head, first)

    # Constants

    def constant(self, attribute: Attribute, type_: Attribute) -> SSAValue:
        """A constant, of which a function has one op."""
        key = (attribute, type_)
        found = self._constants.get(key)
        if found is None:
            op = llvm.ConstantOp.create(
                result_types=(type_,), properties={"value": attribute}
            )
            found = self._constants[key] = op.results[0]
        return found

    def integer(self, value: int, type_: IntegerType | None = None) -> SSAValue:
        """A constant integer, by default of the index type."""
        if type_ is None:
            type_ = self.index_type
        key = (value, type_.width.data)
        found = self._integers.get(key)
        if found is None:
            attribute = IntegerAttr(value, type_, truncate_bits=True)
            op = llvm.ConstantOp.create(
                result_types=(type_,), properties={"value": attribute}
            )
            found = self._integers[key] = op.results[0]
        return found

    def number(self, index: Index) -> SSAValue:
        """An index as an SSA value."""
        return self.integer(index) if isinstance(index, int) else index

    # Index arithmetic

    def add(self, lhs: Index, rhs: Index, *, no_wrap: bool = False) -> Index:
        if isinstance(lhs, int):
            if isinstance(rhs, int):
                return lhs + rhs
            if lhs == 0:
                return rhs
        elif rhs == 0 and isinstance(rhs, int):
            return lhs
        return self.arithmetic(llvm.AddOp, lhs, rhs, no_wrap)

    def sub(self, lhs: Index, rhs: Index, *, no_wrap: bool = False) -> Index:
        if isinstance(rhs, int):
            if isinstance(lhs, int):
                return lhs - rhs
            if rhs == 0:
                return lhs
        return self.arithmetic(llvm.SubOp, lhs, rhs, no_wrap)

    def mul(self, lhs: Index, rhs: Index, *, no_wrap: bool = False) -> Index:
        if isinstance(lhs, int):
            if isinstance(rhs, int):
                return lhs * rhs
            lhs, rhs = rhs, lhs
        if isinstance(rhs, int):
            if rhs == 1:
                return lhs
            if rhs == 0:
                return 0
        return self.arithmetic(llvm.MulOp, lhs, rhs, no_wrap)

    def arithmetic(
        self, op_class: type[Operation], lhs: Index, rhs: Index, no_wrap: bool = False
    ) -> SSAValue:
        """An op with overflow flags on two indices."""
        return self.value(
            op_class,
            (self.number(lhs), self.number(rhs)),
            self.index_type,
            _NO_SIGNED_WRAP if no_wrap else _NO_OVERFLOW,
        )

    def binary(self, op_class: type[Operation], lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """An op without flags on two values of a type."""
        properties = (
            _NO_OVERFLOW
            if issubclass(op_class, llvm.ArithmeticBinOpOverflow)
            else _NO_PROPERTIES
        )
        return self.value(op_class, (lhs, rhs), lhs.type, properties)

    def compare(self, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """llvm.icmp of two scalars."""
        return self.value(llvm.ICmpOp, (lhs, rhs), i1, _PREDICATES[predicate])

    # Memory and aggregates

    def gep(
        self,
        pointer: SSAValue,
        element: Attribute,
        indices: Sequence[Index],
        *,
        inbounds: bool = False,
    ) -> SSAValue:
        """The address of an element; the pointer itself if all indices are 0."""
        constants: list[int] = []
        operands = [pointer]
        moved = False
        for index in indices:
            if isinstance(index, int) and -(2**31) < index < 2**31:
                constants.append(index)
                moved = moved or index != 0
            else:
                constants.append(llvm.GEP_USE_SSA_VAL)
                operands.append(self.number(index))
                moved = True
        if not moved:
            return pointer
        return self.value(
            GEPOp,
            operands,
            pointer.type,
            {
                "elem_type": element,
                "rawConstantIndices": dense_i32(*constants),
                **_GEP_FLAGS[inbounds],
            },
        )

    def load(
        self,
        pointer: SSAValue,
        type_: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        return self.value(llvm.LoadOp, (pointer,), type_, properties or NOT_ATOMIC)

    def store(
        self,
        value: SSAValue,
        pointer: SSAValue,
        properties: Mapping[str, Attribute] | None = None,
    ) -> None:
        self.emit(llvm.StoreOp, (value, pointer), (), properties or NOT_ATOMIC)

    def alloca(
        self, type_: Attribute, count: Index = 1, alignment: int | None = None
    ) -> SSAValue:
        properties: dict[str, Attribute] = {"elem_type": type_}
        if alignment is not None:
            properties["alignment"] = IntegerAttr(alignment, 64)
        return self.value(llvm.AllocaOp, (self.number(count),), POINTER, properties)

    def slot(self, type_: Attribute) -> SSAValue:
        """Memory on the stack that is allocated once in a call of the function."""
        op = llvm.AllocaOp.create(
            operands=(self.integer(1),),
            result_types=(POINTER,),
            properties={"elem_type": type_},
        )
        self._slots.append(op)
        return op.results[0]

    def extract(self, struct: SSAValue, *position: int) -> SSAValue:
        type_: Attribute = struct.type
        for index in position:
            if isinstance(type_, llvm.LLVMStructType):
                type_ = type_.types.data[index]
            else:
                assert isinstance(type_, llvm.LLVMArrayType)
                type_ = type_.type
        return self.value(llvm.ExtractValueOp, (struct,), type_, _position(position))

    def insert(self, struct: SSAValue, value: SSAValue, *position: int) -> SSAValue:
        return self.value(
            llvm.InsertValueOp, (struct, value), struct.type, _position(position)
        )

    def struct(self, type_: Attribute, fields: Sequence[SSAValue]) -> SSAValue:
        """A struct of its fields."""
        from xdsl_bufferization.dialects.llvm import PoisonOp

        result = self.value(PoisonOp, (), type_)
        for index, field in enumerate(fields):
            result = self.insert(result, field, index)
        return result

    def call(
        self,
        callee: str | None,
        operands: Sequence[SSAValue],
        result_type: Attribute | None,
    ) -> Operation:
        """llvm.call of a symbol, or of the first operand."""
        segments = dense_i32(len(operands), 0)
        properties = {**_CALL_PROPERTIES, "operandSegmentSizes": segments}
        if callee is not None:
            properties["callee"] = SymbolRefAttr(callee)
        results = () if result_type is None else (result_type,)
        return self.emit(llvm.CallOp, operands, results, properties)

    def pointer_to_index(self, pointer: SSAValue) -> SSAValue:
        return self.value(llvm.PtrToIntOp, (pointer,), self.index_type)

    def index_to_pointer(
        self, index: SSAValue, type_: LLVMPointerType = POINTER
    ) -> SSAValue:
        return self.value(llvm.IntToPtrOp, (index,), type_)

    # Control flow

    def branch(self, block: Block, operands: Sequence[SSAValue] = ()) -> None:
        self.emit(llvm.BrOp, operands, successors=(block,))

    def branch_if(
        self,
        condition: SSAValue,
        then: tuple[Block, Sequence[SSAValue]],
        other: tuple[Block, Sequence[SSAValue]],
    ) -> None:
        self.emit(
            llvm.CondBrOp,
            (condition, *then[1], *other[1]),
            (),
            {
                "operandSegmentSizes": dense_i32(1, len(then[1]), len(other[1])),
            },
            (then[0], other[0]),
        )


NOT_ATOMIC: Mapping[str, Attribute] = {"ordering": IntegerAttr(0, i64)}


@lru_cache(maxsize=4096)
def dense_i32(*numbers: int) -> Attribute:
    return DenseArrayBase.from_list(i32, numbers)


@lru_cache(maxsize=4096)
def _position(position: tuple[int, ...]) -> dict[str, Attribute]:
    return {"position": DenseArrayBase.from_list(i64, position)}
