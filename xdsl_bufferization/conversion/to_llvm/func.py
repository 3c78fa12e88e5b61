"""func: functions with MLIR's calling convention.

A ranked memref argument becomes one argument for each field of its descriptor, an
unranked one its rank and pointer. A single result is returned as a value, several
results as a struct. A function with `llvm.emit_c_interface` can also be called from C
as `_mlir_ciface_<name>`, which takes pointers to descriptors, the one for a result of
memref type (or of several) first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    MemRefType,
    SymbolRefAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xdsl_bufferization.conversion.to_llvm import descriptors
from xdsl_bufferization.conversion.to_llvm.builder import Builder
from xdsl_bufferization.conversion.to_llvm.descriptors import MemRef, UnrankedMemRef
from xdsl_bufferization.conversion.to_llvm.lowering import (
    PASS,
    FunctionLowering,
    Lowered,
    ModuleLowering,
)
from xdsl_bufferization.conversion.to_llvm.memref_copy import copy_bytes
from xdsl_bufferization.conversion.to_llvm.safety import check_room, check_stack
from xdsl_bufferization.conversion.to_llvm.types import (
    POINTER,
    TypeConverter,
    TypeNotConvertible,
    is_memref,
)
from xdsl_bufferization.conversion.to_llvm.unranked import (
    allocate_descriptor,
    descriptor_bytes,
)
from xdsl_bufferization.conversion.utils.diagnostics import refuse
from xdsl_bufferization.transforms.llvm_request_c_wrappers import EMIT_C_INTERFACE

C_PREFIX = "_mlir_ciface_"
_POINTER_ONLY = ("llvm.noalias", "llvm.nonnull", "llvm.nocapture", "llvm.readonly")


@dataclass(frozen=True)
class Signature:
    """A func.func and the function it becomes, whose body comes later."""

    old: func.FuncOp
    new: llvm.FuncOp
    groups: Sequence[Sequence[Attribute]]
    """For each argument, the types of those it becomes."""


def convert_signature(op: func.FuncOp, module: ModuleLowering) -> Signature:
    """The function of the LLVM dialect for a func.func, without its body."""
    types = module.types
    inputs, results = op.function_type.inputs.data, op.function_type.outputs.data
    try:
        groups = [_argument_group(types, input_) for input_ in inputs]
        output = types.pack(results)
    except TypeNotConvertible as error:
        refuse(op, PASS, str(error))
    flat = [type_ for group in groups for type_ in group]
    new = _make_function(op, op.sym_name.data, flat, output, groups)
    module.symbols[op.sym_name.data] = new
    return Signature(op, new, groups)


def lower_function(signature: Signature, module: ModuleLowering) -> list[Operation]:
    """Convert the body. Return the functions a func.func becomes: itself, and its C
    interface.
    """
    op, new = signature.old, signature.new
    if op.body.blocks:
        _lower_body(signature, module)
    created: list[Operation] = [new]
    if EMIT_C_INTERFACE in op.attributes:
        created.append(_c_interface(op, new, module))
    return created


def _argument_group(types: TypeConverter, type_: Attribute) -> list[Attribute]:
    """The types of the arguments that one argument becomes."""
    if is_memref(type_):
        return descriptors.argument_types(types, types.memref(type_))
    if isinstance(type_, UnrankedMemRefType):
        return [types.index, POINTER]
    return [types(type_)]


def _make_function(
    op: func.FuncOp,
    name: str,
    inputs: Sequence[Attribute],
    output: Attribute,
    groups: Sequence[Sequence[Attribute]],
) -> llvm.FuncOp:
    linkage = op.attributes.get("llvm.linkage")
    attributes = {k: v for k, v in op.attributes.items() if k != "llvm.linkage"}
    new = llvm.FuncOp(
        name,
        llvm.LLVMFunctionType(inputs, output),
        linkage
        if isinstance(linkage, llvm.LinkageAttr)
        else llvm.LinkageAttr("external"),
        sym_visibility=op.sym_visibility,
        body=Region(Block(arg_types=inputs)) if op.body.blocks else None,
        extra_attrs=attributes,
    )
    if groups and op.arg_attrs is not None:
        new.arg_attrs = _argument_attributes(op.arg_attrs, groups)
    return new


def _argument_attributes(
    given: ArrayAttr[DictionaryAttr], groups: Sequence[Sequence[Attribute]]
) -> ArrayAttr[DictionaryAttr] | None:
    """The attributes of the arguments after unpacking: those of the LLVM dialect, on a
    memref those about pointers, which the pointer that elements are accessed by gets.
    """
    result: list[DictionaryAttr] = []
    for attributes, group in zip(given, groups, strict=True):
        kept = {k: v for k, v in attributes.data.items() if k.startswith("llvm.")}
        if len(group) == 1:
            result.append(DictionaryAttr(kept))
            continue
        pointers = DictionaryAttr({k: v for k, v in kept.items() if k in _POINTER_ONLY})
        result += (
            pointers if place == 1 else DictionaryAttr({}) for place in range(len(group))
        )
    return ArrayAttr(result) if any(attrs.data for attrs in result) else None


def _lower_body(signature: Signature, module: ModuleLowering) -> None:
    op, new = signature.old, signature.new
    entry = new.body.block
    to = FunctionLowering(module, entry, check_room)
    old_entry = op.body.blocks.first
    assert old_entry is not None
    start = 0
    for argument, group in zip(old_entry.args, signature.groups, strict=True):
        arguments = entry.args[start : start + len(group)]
        start += len(group)
        to.set(argument, _from_arguments(to.types, argument.type, arguments))
        if len(group) == 1:
            arguments[0].name_hint = argument.name_hint
    if op in module.recursive:
        check_stack(op, to, 0)
    to.lower_body(op.body, new.body)
    to.finish()


def _from_arguments(
    types: TypeConverter, type_: Attribute, arguments: Sequence[SSAValue]
) -> Lowered:
    if is_memref(type_):
        return descriptors.from_arguments(types.memref(type_), arguments)
    if isinstance(type_, UnrankedMemRefType):
        return UnrankedMemRef(arguments[0], arguments[1])
    return arguments[0]


# The C interface


def _c_interface(
    op: func.FuncOp, new: llvm.FuncOp, module: ModuleLowering
) -> llvm.FuncOp:
    """The function that C calls or, for a declaration, that C defines: then `new`, which
    our code calls, gets a body that calls it.
    """
    types = module.types
    inputs = op.function_type.inputs.data
    result = new.function_type.output
    by_pointer = isinstance(result, llvm.LLVMStructType)
    c_inputs: list[Attribute] = [POINTER] if by_pointer else []
    c_inputs += [POINTER if _is_memref(type_) else types(type_) for type_ in inputs]
    c_output = llvm.LLVMVoidType() if by_pointer else result
    wrapper = _make_function(op, C_PREFIX + op.sym_name.data, c_inputs, c_output, ())
    if op.body.blocks:
        _call_from_c(wrapper, new, inputs, types, by_pointer)
    else:
        new.body.add_block(Block(arg_types=new.function_type.inputs))
        new.linkage = llvm.LinkageAttr("private")
        _call_to_c(new, wrapper, inputs, types, by_pointer)
    module.symbols[wrapper.sym_name.data] = wrapper
    return wrapper


def _is_memref(type_: Attribute) -> bool:
    return isinstance(type_, MemRefType | UnrankedMemRefType)


def _call_from_c(
    wrapper: llvm.FuncOp,
    new: llvm.FuncOp,
    inputs: Sequence[Attribute],
    types: TypeConverter,
    by_pointer: bool,
) -> None:
    builder = Builder(wrapper.body.block, types.index)
    arguments = list(wrapper.body.block.args)
    result = arguments.pop(0) if by_pointer else None
    operands: list[SSAValue] = []
    for type_, argument in zip(inputs, arguments, strict=True):
        if not _is_memref(type_):
            operands.append(argument)
            continue
        struct_type = types(type_)
        struct = builder.load(argument, struct_type)
        operands += (builder.extract(struct, *at) for at in _leaves(struct_type))
    output = new.function_type.output
    void = isinstance(output, llvm.LLVMVoidType)
    call = builder.call(new.sym_name.data, operands, None if void else output)
    if result is not None:
        builder.store(call.results[0], result)
    builder.emit(llvm.ReturnOp, () if by_pointer or void else call.results)
    builder.finish()


def _leaves(struct: Attribute) -> list[tuple[int, ...]]:
    """The positions of a descriptor's numbers and pointers, in order."""
    leaves: list[tuple[int, ...]] = []
    for index, type_ in enumerate(cast(llvm.LLVMStructType, struct).types):
        if isinstance(type_, llvm.LLVMArrayType):
            leaves += ((index, dim) for dim in range(type_.size.data))
        else:
            leaves.append((index,))
    return leaves


def _call_to_c(
    new: llvm.FuncOp,
    wrapper: llvm.FuncOp,
    inputs: Sequence[Attribute],
    types: TypeConverter,
    by_pointer: bool,
) -> None:
    builder = Builder(new.body.block, types.index)
    output = new.function_type.output
    arguments = list(new.body.block.args)
    operands: list[SSAValue] = []
    if by_pointer:
        operands.append(builder.alloca(output))
    for type_ in inputs:
        if not _is_memref(type_):
            operands.append(arguments.pop(0))
            continue
        struct_type = types(type_)
        struct = builder.struct(struct_type, ())
        for position in _leaves(struct_type):
            struct = builder.insert(struct, arguments.pop(0), *position)
        slot = builder.alloca(struct_type)
        builder.store(struct, slot)
        operands.append(slot)
    returned = None if by_pointer or isinstance(output, llvm.LLVMVoidType) else output
    call = builder.call(wrapper.sym_name.data, operands, returned)
    if by_pointer:
        builder.emit(llvm.ReturnOp, (builder.load(operands[0], output),))
    else:
        builder.emit(llvm.ReturnOp, call.results)
    builder.finish()


# Ops


def _return(op: Operation, to: FunctionLowering) -> None:
    results = [_returned(op, value, to) for value in op.operands]
    if len(results) > 1:
        type_ = to.types.pack([value.type for value in op.operands])
        results = [to.struct(type_, results)]
    to.emit(llvm.ReturnOp, results)


def _returned(op: Operation, value: SSAValue, to: FunctionLowering) -> SSAValue:
    """A result. The descriptor of an unranked one is on the stack, so that a copy on the
    heap is returned, which the caller moves to its own stack.
    """
    lowered = to.values[value]
    if not isinstance(lowered, UnrankedMemRef):
        return to.get(value)
    size = to.number(descriptor_bytes(to, lowered.rank))
    malloc = to.module.declare(op, "malloc", (to.index_type,), POINTER)
    heap = to.call(malloc, (size,), POINTER).results[0]
    copy_bytes(to, lowered.descriptor, heap, size)
    moved = UnrankedMemRef(lowered.rank, heap)
    return descriptors.pack_unranked(to, to.types, moved)


def _received(
    op: Operation, result: SSAValue, value: SSAValue, to: FunctionLowering
) -> Lowered:
    """What a call's result becomes; see `_returned`."""
    lowered = to.from_struct(result.type, value)
    if not isinstance(lowered, UnrankedMemRef):
        return lowered
    size = to.number(descriptor_bytes(to, lowered.rank))
    stack = allocate_descriptor(to, lowered.rank)
    copy_bytes(to, lowered.descriptor, stack, size)
    free = to.module.declare(op, "free", (POINTER,), llvm.LLVMVoidType())
    to.call(free, (lowered.descriptor,), None)
    return UnrankedMemRef(lowered.rank, stack)


def _arguments(to: FunctionLowering, values: Sequence[SSAValue]) -> list[SSAValue]:
    operands: list[SSAValue] = []
    for value in values:
        lowered = to.values[value]
        if isinstance(lowered, MemRef):
            operands += descriptors.to_arguments(to, lowered)
        elif isinstance(lowered, UnrankedMemRef):
            operands += (to.number(lowered.rank), lowered.descriptor)
        else:
            operands.append(to.get(value))
    return operands


def _set_call_results(op: Operation, call: Operation, to: FunctionLowering) -> None:
    if len(op.results) == 1:
        to.set(op.results[0], _received(op, op.results[0], call.results[0], to))
        return
    for index, result in enumerate(op.results):
        field = to.extract(call.results[0], index)
        to.set(result, _received(op, result, field, to))


def _call(op: Operation, to: FunctionLowering) -> None:
    assert isinstance(op, func.CallOp)
    types = [result.type for result in op.results]
    call = to.call(
        op.callee.string_value(),
        _arguments(to, op.operands),
        to.types.pack(types) if types else None,
    )
    _set_call_results(op, call, to)


def _call_indirect(op: Operation, to: FunctionLowering) -> None:
    types = [result.type for result in op.results]
    operands = [to.get(op.operands[0]), *_arguments(to, op.operands[1:])]
    call = to.call(None, operands, to.types.pack(types) if types else None)
    _set_call_results(op, call, to)


def _constant(op: Operation, to: FunctionLowering) -> None:
    value = op.properties["value"]
    assert isinstance(value, SymbolRefAttr)
    to.set(
        op.results[0],
        to.value(llvm.AddressOfOp, (), POINTER, {"global_name": value}),
    )


FUNC_LOWERINGS = {
    "func.return": _return,
    "func.call": _call,
    "func.call_indirect": _call_indirect,
    "func.constant": _constant,
}
