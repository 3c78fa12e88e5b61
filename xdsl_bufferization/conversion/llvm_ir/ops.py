"""Instructions for ops that xDSL's translation does not support, or translates to IR
that LLVM rejects: an intrinsic needs its types in its name, a pointer must be opaque.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias, cast

import llvmlite.ir as _ir  # pyright: ignore[reportMissingTypeStubs]
from xdsl.backend.llvm.convert_op import convert_op as xdsl_convert_op
from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import LLVMTranslationException

from xdsl_bufferization.conversion.llvm_ir.constants import (
    constant,
    convert_type,
    text_constant,
)
from xdsl_bufferization.dialects import llvm as llvm_ops

ir: Any = _ir


@dataclass
class Body:
    """A function under translation: its values and blocks."""

    values: dict[SSAValue, Any]
    blocks: dict[Block, Any]
    edges: set[tuple[Any, Block]] = field(default_factory=set[tuple[Any, Block]])
    """The branches with operands so far: from which block of LLVM IR to which block."""


Convert: TypeAlias = Callable[[Operation, Any, Body], None]


def convert_op(op: Operation, builder: Any, body: Body) -> None:
    """Translates an op: by ours, or else by xDSL's translation.

    Raises:
        NotImplementedError: when neither knows it.
        LLVMTranslationException: when the op has a flag that neither translates.
    """
    _demand_translatable(op)
    convert = _conversion(type(op))
    if convert is not None:
        convert(op, builder, body)
    elif op.name.startswith("llvm.intr."):
        _convert_intrinsic(op, builder, body)
    else:
        xdsl_convert_op(op, builder, body.values, body.blocks)


@cache
def _conversion(cls: type[Operation]) -> Convert | None:
    """Return the conversion of an op or of the one that it refines."""
    return next(
        (_CONVERSIONS[base] for base in cls.__mro__ if base in _CONVERSIONS), None
    )


_UNTRANSLATED = ("volatile_", "syncscope", "inalloca", "convergent")
"""The properties without which an op does something else."""


def _demand_translatable(op: Operation) -> None:
    flags = [name for name in _UNTRANSLATED if name in op.properties]
    if isinstance(op, (llvm.LoadOp, llvm.StoreOp)):
        ordering = op.ordering
        if ordering is not None and ordering.value.data != 0:
            flags.append("ordering")
    if op.name in ("llvm.call", "llvm.call_intrinsic"):
        flags += [name for name in ("arg_attrs", "res_attrs") if name in op.properties]
    if flags:
        raise LLVMTranslationException(
            f"the property {flags[0]} of {op.name} has no translation to LLVM IR; "
            "translate the program with mlir-translate"
        )


# Intrinsics


def _type_name(type_: Any) -> str:
    """How a type is written in an intrinsic's name."""
    if isinstance(type_, ir.VectorType):
        return f"v{type_.count}{_type_name(type_.element)}"
    return type_.intrinsic_name


_FLAGS = {
    "llvm.intr.abs": ("is_int_min_poison",),
    "llvm.intr.ctlz": ("is_zero_poison",),
    "llvm.intr.cttz": ("is_zero_poison",),
    "llvm.intr.is.fpclass": ("bit",),
    "llvm.intr.memcpy": ("isVolatile",),
    "llvm.intr.memmove": ("isVolatile",),
    "llvm.intr.memset": ("isVolatile",),
    "llvm.intr.prefetch": ("rw", "hint", "cache"),
}
"""The properties that become operands, after the others."""

_OVERLOADED = {
    "llvm.intr.memcpy": (0, 1, 2),
    "llvm.intr.memmove": (0, 1, 2),
    "llvm.intr.memset": (0, 2),
    "llvm.intr.powi": (0, 1),
    "llvm.intr.ptrmask": (0, 1),
    "llvm.intr.vector.reduce.fadd": (1,),
    "llvm.intr.vector.reduce.fmul": (1,),
}
"""The operands whose types the name carries, where it is not the first one."""


def _convert_intrinsic(op: Operation, builder: Any, body: Body) -> None:
    operands = [body.values[value] for value in op.operands]
    if op.operands:
        at = _OVERLOADED.get(op.name, (0,))
        types = [operands[index].type for index in at]
    else:
        types = [convert_type(op.results[0].type)]
    for flag in _FLAGS.get(op.name, ()):
        attribute = cast("IntegerAttr[IntegerType]", op.properties[flag])
        operands.append(constant(attribute.type, attribute))
    name = op.name.replace("intr.", "", 1)
    full_name = ".".join((name, *map(_type_name, types)))
    result = op.results[0].type if op.results else llvm.LLVMVoidType()
    function = _declare(builder, full_name, convert_type(result), operands)
    call = builder.call(function, operands, fastmath=_fast_math(op))
    if op.results:
        body.values[op.results[0]] = call


def _declare(builder: Any, name: str, result: Any, operands: Sequence[Any]) -> Any:
    found = builder.module.globals.get(name)
    if found is None:
        type_ = ir.FunctionType(result, [operand.type for operand in operands])
        found = ir.Function(builder.module, type_, name)
    return found


def _fast_math(op: Operation) -> tuple[str, ...]:
    flags = op.properties.get("fastmathFlags")
    if not isinstance(flags, llvm.FastMathAttr):
        return ()
    return tuple(flag.value for flag in flags.data)


class _Assume(ir.Instruction):
    """llvm.assume with operand bundles, which llvmlite's calls do not have."""

    def __init__(self, parent: Any, cond: Any, bundles: Any) -> None:
        values = [value for _, values in bundles for value in values]
        ir.Instruction.__init__(self, parent, ir.VoidType(), "call", [cond, *values])
        self._bundles = bundles

    def descr(self, buf: list[str]) -> None:
        def typed(value: Any) -> str:
            return f"{value.type} {value.get_reference()}"

        bundles = ", ".join(
            f'"{tag}"({", ".join(map(typed, values))})' for tag, values in self._bundles
        )
        buf.append(
            f"call void @llvm.assume({typed(self.operands[0])})"
            + (f" [ {bundles} ]\n" if bundles else "\n")
        )


def _convert_assume(op: Operation, builder: Any, body: Body) -> None:
    assert isinstance(op, llvm_ops.AssumeOp)
    cond = body.values[op.operands[0]]
    _declare(builder, "llvm.assume", ir.VoidType(), [cond])
    bundles = [
        (tag, [body.values[value] for value in values]) for tag, values in op.bundles()
    ]
    _insert(builder, _Assume(builder.block, cond, bundles))


# Values and casts


def _insert(builder: Any, instruction: Any) -> Any:
    builder._insert(instruction)
    return instruction


def _convert_constant(op: Operation, builder: Any, body: Body) -> None:
    result = op.results[0]
    body.values[result] = constant(result.type, op.properties["value"])


def _written(text: str) -> Convert:
    def convert(op: Operation, builder: Any, body: Body) -> None:
        result = op.results[0]
        body.values[result] = text_constant(convert_type(result.type), text)

    return convert


def _convert_zero(op: Operation, builder: Any, body: Body) -> None:
    result = op.results[0]
    body.values[result] = ir.Constant(convert_type(result.type), None)


def _convert_address_of(op: Operation, builder: Any, body: Body) -> None:
    assert isinstance(op, llvm.AddressOfOp)
    symbol = builder.module.get_global(op.global_name.root_reference.data)
    body.values[op.results[0]] = text_constant(
        convert_type(op.results[0].type), symbol.get_reference()
    )


def _cast(name: str) -> Convert:
    def convert(op: Operation, builder: Any, body: Body) -> None:
        result = op.results[0]
        operand = body.values[op.operands[0]]
        body.values[result] = _insert_cast(
            builder, name, operand, convert_type(result.type)
        )

    return convert


def _insert_cast(builder: Any, name: str, operand: Any, type_: Any) -> Any:
    cast_ = ir.instructions.CastInstr(builder.block, name, operand, type_)
    return _insert(builder, cast_)


def _convert_compare(op: Operation, builder: Any, body: Body) -> None:
    assert isinstance(op, llvm_ops.FCmpOp)
    number = op.predicate.value.data
    predicate = llvm.ALL_FCMP_FLAGS[number].value.removeprefix("_")
    lhs, rhs = (body.values[value] for value in op.operands)
    instruction = ir.instructions.FCMPInstr(
        builder.block, predicate, lhs, rhs, flags=_fast_math(op)
    )
    body.values[op.results[0]] = _insert(builder, instruction)


def _convert_select(op: Operation, builder: Any, body: Body) -> None:
    operands = [body.values[value] for value in op.operands]
    body.values[op.results[0]] = builder.select(*operands, flags=_fast_math(op))


def _convert_freeze(op: Operation, builder: Any, body: Body) -> None:
    value = body.values[op.operands[0]]
    # llvmlite's builder has no method for it.
    instruction = ir.Instruction(builder.block, value.type, "freeze", [value])
    body.values[op.results[0]] = _insert(builder, instruction)


def _convert_extract_element(op: Operation, builder: Any, body: Body) -> None:
    operands = [body.values[value] for value in op.operands]
    body.values[op.results[0]] = builder.extract_element(*operands)


# Memory


def _convert_gep(op: Operation, builder: Any, body: Body) -> None:
    assert isinstance(op, llvm.GEPOp)
    pointer, *dynamic = (body.values[value] for value in op.operands)
    rest = iter(dynamic)
    indices = [
        next(rest)
        if index == llvm.GEP_USE_SSA_VAL
        else ir.Constant(ir.IntType(32), index)
        for index in op.rawConstantIndices.iter_values()
    ]
    body.values[op.results[0]] = builder.gep(
        pointer,
        indices,
        inbounds=op.inbounds is not None or bool(op.noWrapFlags.value.data & 1),
        source_etype=convert_type(op.elem_type),
    )


def _convert_alloca(op: Operation, builder: Any, body: Body) -> None:
    """The stack is in address space 0; a pointer of another one is cast to it."""
    assert isinstance(op, llvm.AllocaOp)
    element = convert_type(op.elem_type)
    pointer = builder.alloca(element, size=body.values[op.operands[0]])
    pointer.type = convert_type(_POINTER)
    if op.alignment is not None:
        pointer.align = op.alignment.value.data
    if op.results[0].type != _POINTER:
        pointer = _insert_cast(
            builder, "addrspacecast", pointer, convert_type(op.results[0].type)
        )
    body.values[op.results[0]] = pointer


_POINTER = llvm.LLVMPointerType()


def _convert_atomic_rmw(op: Operation, builder: Any, body: Body) -> None:
    assert isinstance(op, llvm_ops.AtomicRMWOp)
    name = llvm_ops.ATOMIC_BIN_OPS[op.bin_op.value.data].lstrip("_")
    ordering = llvm.ATOMIC_ORDERING_KEYWORDS[op.ordering.value.data]
    operands = [body.values[value] for value in op.operands]
    body.values[op.results[0]] = builder.atomic_rmw(name, *operands, ordering)


def _convert_cmpxchg(op: Operation, builder: Any, body: Body) -> None:
    assert isinstance(op, llvm_ops.AtomicCmpXchgOp)
    orderings = [
        llvm.ATOMIC_ORDERING_KEYWORDS[ordering.value.data]
        for ordering in (op.success_ordering, op.failure_ordering)
    ]
    operands = [body.values[value] for value in op.operands]
    body.values[op.results[0]] = builder.cmpxchg(*operands, *orderings)


# Calls


class _IndirectCall(ir.Instruction):
    """A call through an opaque pointer, whose function type must be written."""

    def __init__(self, parent: Any, function: Any, type_: Any, args: Any) -> None:
        ir.Instruction.__init__(
            self, parent, type_.return_type, "call", [function, *args]
        )
        self._function_type = type_

    def descr(self, buf: list[str]) -> None:
        function, *args = self.operands
        written = ", ".join(f"{arg.type} {arg.get_reference()}" for arg in args)
        type_ = self._function_type.return_type
        buf.append(f"call {type_} {function.get_reference()}({written})\n")


def _convert_call(op: Operation, builder: Any, body: Body) -> None:
    assert isinstance(op, llvm.CallOp)
    if op.callee is not None:
        name = op.callee.root_reference.data
        if name not in builder.module.globals:
            raise LLVMTranslationException(
                f"llvm.call of @{name}: the module has no function of this name; define "
                "or declare it"
            )
        xdsl_convert_op(op, builder, body.values, body.blocks)
        return
    function, *args = (body.values[value] for value in op.operands)
    result = op.results[0].type if op.results else llvm.LLVMVoidType()
    type_ = ir.FunctionType(convert_type(result), [arg.type for arg in args])
    call = _insert(builder, _IndirectCall(builder.block, function, type_, args))
    if op.results:
        body.values[op.results[0]] = call


# Branches


def _edge(block: Block, operands: Sequence[SSAValue], builder: Any, body: Body) -> Any:
    """The destination of a branch, whose phis get the operands. An edge with operands
    that is not the block's first to its destination goes by a block of its own, since a
    phi has one value for each predecessor.
    """
    source, target = builder.block, body.blocks[block]
    if not operands:
        return target
    if (source, block) in body.edges:
        source = builder.append_basic_block()
        ir.IRBuilder(source).branch(target)
        target = source
    body.edges.add((source, block))
    for argument, operand in zip(block.args, operands, strict=True):
        body.values[argument].add_incoming(body.values[operand], source)
    return target


def _convert_branch(op: Operation, builder: Any, body: Body) -> None:
    builder.branch(_edge(op.successors[0], tuple(op.operands), builder, body))


def _convert_cond_branch(op: Operation, builder: Any, body: Body) -> None:
    assert isinstance(op, llvm.CondBrOp)
    then = _edge(op.then_block, op.then_arguments, builder, body)
    other = _edge(op.else_block, op.else_arguments, builder, body)
    builder.cbranch(body.values[op.cond], then, other)


def _convert_switch(op: Operation, builder: Any, body: Body) -> None:
    assert isinstance(op, llvm_ops.SwitchOp)
    default = _edge(op.default_destination, op.default_operands, builder, body)
    edges = [
        (value, _edge(block, operands, builder, body))
        for value, block, operands in op.cases()
    ]
    switch = builder.switch(body.values[op.value], default)
    for value, target in edges:
        switch.add_case(value, target)


_CONVERSIONS: dict[type[Operation], Convert] = {
    llvm.AddressOfOp: _convert_address_of,
    llvm.AllocaOp: _convert_alloca,
    llvm.BrOp: _convert_branch,
    llvm.CallOp: _convert_call,
    llvm.CondBrOp: _convert_cond_branch,
    llvm.ConstantOp: _convert_constant,
    llvm.GEPOp: _convert_gep,
    llvm_ops.GEPOp: _convert_gep,
    llvm.UndefOp: _written("undef"),
    llvm.ZeroOp: _convert_zero,
    llvm_ops.AddrSpaceCastOp: _cast("addrspacecast"),
    llvm_ops.AssumeOp: _convert_assume,
    llvm_ops.AtomicCmpXchgOp: _convert_cmpxchg,
    llvm_ops.AtomicRMWOp: _convert_atomic_rmw,
    llvm_ops.ExtractElementOp: _convert_extract_element,
    llvm_ops.FCmpOp: _convert_compare,
    llvm_ops.FPToSIOp: _cast("fptosi"),
    llvm_ops.FPToUIOp: _cast("fptoui"),
    llvm_ops.FreezeOp: _convert_freeze,
    llvm_ops.PoisonOp: _written("poison"),
    llvm_ops.SelectOp: _convert_select,
    llvm_ops.SwitchOp: _convert_switch,
    llvm_ops.UIToFPOp: _cast("uitofp"),
}
