"""memref: allocation, access and queries."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.dialects import llvm, memref
from xdsl.dialects.builtin import (
    IntegerAttr,
    IntegerType,
    NoneAttr,
    SymbolRefAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from xdsl_bufferization.conversion.to_llvm import descriptors
from xdsl_bufferization.conversion.to_llvm.alignments import access_properties
from xdsl_bufferization.conversion.to_llvm.builder import Index
from xdsl_bufferization.conversion.to_llvm.cf import fail_unless
from xdsl_bufferization.conversion.to_llvm.descriptors import MemRef, UnrankedMemRef
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering, Lowering
from xdsl_bufferization.conversion.to_llvm.memref_copy import lower_copy
from xdsl_bufferization.conversion.to_llvm.safety import check_room
from xdsl_bufferization.conversion.to_llvm.sizes import size_of
from xdsl_bufferization.conversion.to_llvm.types import (
    POINTER,
    MemRefInfo,
    byte_size,
    is_integer,
)
from xdsl_bufferization.conversion.to_llvm.unranked import in_memory
from xdsl_bufferization.conversion.utils.diagnostics import failed_check
from xdsl_bufferization.conversion.utils.stack_buffers import is_only_accessed
from xdsl_bufferization.dialects import llvm as llvm_ops
from xdsl_bufferization.dialects.memory_layout import allocation_alignment
from xdsl_bufferization.dialects.memref import ATOMIC_KINDS

_SMALLEST_ALIGNED_ALLOC = 16
_NOT_ON_THE_HEAP = 0xDEADBEEF
"""MLIR's allocated pointer of a global's descriptor: freeing it is an error."""


# Allocation


def sizes_and_strides(
    op: Operation, to: FunctionLowering, info: MemRefInfo, dynamic: list[SSAValue]
) -> tuple[tuple[Index, ...], tuple[Index, ...]]:
    """The sizes and strides of a new buffer, given the values of its dynamic sizes."""
    rest = iter(dynamic)
    sizes = tuple(to.index(next(rest)) if size is None else size for size in info.sizes)
    if not info.contiguous:
        if None in info.strides or info.offset is None:
            to.refuse(
                op,
                "the strides of its type are dynamic; allocate a memref of the identity "
                "layout and reinterpret_cast it",
            )
        return sizes, cast("tuple[Index, ...]", info.strides)
    strides = descriptors.row_major(to, sizes)
    return sizes, descriptors.static_or(info.strides, strides)


def _element_count(
    to: FunctionLowering, info: MemRefInfo, sizes: tuple[Index, ...]
) -> Index:
    """How many elements the buffer needs room for."""
    if info.contiguous:
        return descriptors.element_count(to, sizes)
    assert info.offset is not None
    count: Index = info.offset + 1
    for size, stride in zip(sizes, info.strides, strict=True):
        count = to.add(count, to.mul(size, cast(int, stride)))
    return count


def descriptors_product(shape: tuple[int, ...]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def _alloc(op: Operation, to: FunctionLowering) -> None:
    assert isinstance(op, memref.AllocOp)
    info = to.info(op.results[0])
    sizes, strides = sizes_and_strides(op, to, info, list(op.dynamic_sizes))
    count = _element_count(to, info, sizes)
    alignment = allocation_alignment(op, op.memref.type.element_type) or None
    if to.module.options.use_aligned_alloc:
        allocated = aligned = _aligned_alloc(op, to, info, count, alignment)
    else:
        allocated, aligned = _malloc(op, to, info, count, alignment)
    if to.module.options.check_allocations:
        _check_allocation(op, to, allocated, size_of(to, info.element, count))
    if info.pointer != POINTER:
        allocated = to.value(llvm_ops.AddrSpaceCastOp, (allocated,), info.pointer)
        aligned = to.value(llvm_ops.AddrSpaceCastOp, (aligned,), info.pointer)
    offset = info.offset or 0
    to.set(op.results[0], MemRef(info, allocated, aligned, offset, sizes, strides))


def _check_allocation(
    op: Operation, to: FunctionLowering, allocated: SSAValue, size: Index
) -> None:
    """Fail where there is no memory, or can be none, for a buffer that is not small."""
    if isinstance(size, int) and size <= _SMALL_BUFFER:
        return
    if isinstance(size, int) and size > _LARGEST_BUFFER:
        condition = to.integer(0, IntegerType(1))
    else:
        address = to.pointer_to_index(allocated)
        condition = to.compare("ne", address, to.integer(0))
    fail_unless(op, to, condition, failed_check(op, "no memory for a buffer"))


_SMALL_BUFFER = 1 << 16
_LARGEST_BUFFER = 1 << 48
"""No machine has more bytes to address."""


def _malloc(
    op: Operation,
    to: FunctionLowering,
    info: MemRefInfo,
    count: Index,
    alignment: int | None,
) -> tuple[SSAValue, SSAValue]:
    """Call malloc, for `alignment` bytes more if there is one, within which the aligned
    pointer lies. It is computed as a pointer, not as a number, so that LLVM still knows
    that nothing else points there; but the mask must be as wide as a pointer is.
    """
    size = size_of(to, info.element, count)
    if alignment is not None:
        size = to.add(size, alignment)
    generic = to.module.options.use_generic_functions
    name = "_mlir_memref_to_llvm_alloc" if generic else "malloc"
    malloc = to.module.declare(op, name, (to.index_type,), POINTER)
    allocated = to.call(malloc, (to.number(size),), POINTER).results[0]
    if alignment is None:
        return allocated, allocated
    if to.index_type == i64:
        end = to.gep(allocated, IntegerType(8), (alignment - 1,), inbounds=True)
        mask = to.integer(-alignment)
        return allocated, to.value(llvm_ops.PtrMaskOp, (end, mask), POINTER)
    address = to.pointer_to_index(allocated)
    last = to.add(address, alignment - 1)
    excess = to.arithmetic(llvm.URemOp, last, alignment)
    del excess.owner.properties["overflowFlags"]  # pyright: ignore
    return allocated, to.index_to_pointer(to.number(to.sub(last, excess)))


def _aligned_alloc(
    op: Operation,
    to: FunctionLowering,
    info: MemRefInfo,
    count: Index,
    alignment: int | None,
) -> SSAValue:
    """Call aligned_alloc, whose size must be a multiple of the alignment."""
    if alignment is None:
        natural = byte_size(info.element) or _SMALLEST_ALIGNED_ALLOC
        alignment = max(_SMALLEST_ALIGNED_ALLOC, natural)
    size = size_of(to, info.element, count)
    if isinstance(size, int):
        size = -(-size // alignment) * alignment
    else:
        last = to.add(size, alignment - 1)
        excess = to.binary(llvm.URemOp, to.number(last), to.integer(alignment))
        size = to.sub(last, excess)
    generic = to.module.options.use_generic_functions
    name = "_mlir_memref_to_llvm_aligned_alloc" if generic else "aligned_alloc"
    index = to.index_type
    function = to.module.declare(op, name, (index, index), POINTER)
    operands = (to.integer(alignment), to.number(size))
    return to.call(function, operands, POINTER).results[0]


def _alloca(op: Operation, to: FunctionLowering) -> None:
    assert isinstance(op, memref.AllocaOp)
    dynamic = list(op.dynamic_sizes)
    info = to.info(op.results[0])
    sizes, strides = sizes_and_strides(op, to, info, dynamic)
    properties: dict[str, Attribute] = {"elem_type": info.element}
    alignment = allocation_alignment(op, op.memref.type.element_type)
    if alignment:
        properties["alignment"] = IntegerAttr(alignment, 64)
    count = _element_count(to, info, sizes)
    if isinstance(count, int) and _can_be_shared(op):
        pointer = to.slot(llvm.LLVMArrayType(count, info.element))
    else:
        check_room(op, to, info.element, count)
        pointer = to.value(llvm.AllocaOp, (to.number(count),), info.pointer, properties)
    offset = info.offset or 0
    to.set(op.results[0], MemRef(info, pointer, pointer, offset, sizes, strides))


def _can_be_shared(op: Operation) -> bool:
    """Whether all executions of a memref.alloca in a loop can use one buffer."""
    buffer = cast("memref.AllocaOp", op).memref
    return (
        op.parent is not None
        and op.parent.prev_block is not None
        and isinstance(buffer.type.memory_space, NoneAttr)
        and "alignment" not in op.properties
        and is_only_accessed(op)
    )


def _dealloc(op: Operation, to: FunctionLowering) -> None:
    lowered = to.values[op.operands[0]]
    if isinstance(lowered, UnrankedMemRef):
        pointer = in_memory(to, op.operands[0]).allocated
    else:
        pointer = cast(MemRef, lowered).allocated
    if pointer.type != POINTER:
        pointer = to.value(llvm_ops.AddrSpaceCastOp, (pointer,), POINTER)
    generic = to.module.options.use_generic_functions
    name = "_mlir_memref_to_llvm_free" if generic else "free"
    free = to.module.declare(op, name, (POINTER,), llvm.LLVMVoidType())
    to.call(free, (pointer,), None)


def _realloc(op: Operation, to: FunctionLowering) -> None:
    to.refuse(op, "it has no lowering to the LLVM dialect; run expand-realloc first")


def _get_global(op: Operation, to: FunctionLowering) -> None:
    name = cast(SymbolRefAttr, op.properties["name"])
    info = to.info(op.results[0])
    address = to.value(llvm.AddressOfOp, (), info.pointer, {"global_name": name})
    marker = to.index_to_pointer(to.integer(_NOT_ON_THE_HEAP), info.pointer)
    sizes = cast("tuple[int, ...]", info.sizes)
    strides = descriptors.static_or(info.strides, (0,) * info.rank)
    to.set(op.results[0], MemRef(info, marker, address, info.offset or 0, sizes, strides))


# Scopes of stack allocation


def _alloca_scope(op: Operation, to: FunctionLowering) -> None:
    types, regroup = to.block_arguments(result.type for result in op.results)
    saved = to.value(llvm.StackSaveOp, (), POINTER)
    exit_ = to.new_block(types)
    to.scope_exits[op.regions[0]] = (exit_, saved)
    region = exit_.parent
    assert isinstance(region, Region)
    to.lower_body(op.regions[0], region)
    to.block = exit_
    for result, lowered in zip(op.results, regroup(exit_.args), strict=True):
        to.set(result, lowered)


def _alloca_scope_return(op: Operation, to: FunctionLowering) -> None:
    region = op.parent_region()
    assert region is not None and region.parent is not None
    exit_, saved = to.scope_exits[region]
    operands = to.branch_operands(op.operands, region.parent.results)
    to.emit(llvm.StackRestoreOp, (saved,))
    to.branch(exit_, operands)


# Access


def _load(op: Operation, to: FunctionLowering) -> None:
    operands = op.operands
    buffer = to.memref(operands[0])
    pointer = descriptors.element_pointer(
        to, buffer, [to.index(index) for index in operands[1:]]
    )
    result = op.results[0]
    value = to.load(pointer, buffer.info.element, access_properties(operands[0]))
    to.set(result, to.from_struct(result.type, value))


def _store(op: Operation, to: FunctionLowering) -> None:
    operands = op.operands
    pointer = descriptors.element_pointer(
        to, to.memref(operands[1]), [to.index(index) for index in operands[2:]]
    )
    to.store(to.get(operands[0]), pointer, access_properties(operands[1]))


def _prefetch(op: Operation, to: FunctionLowering) -> None:
    pointer = descriptors.element_pointer(
        to, to.memref(op.operands[0]), [to.index(index) for index in op.operands[1:]]
    )

    def flag(name: str) -> IntegerAttr[IntegerType]:
        value = cast("IntegerAttr[IntegerType]", op.properties[name]).value.data
        return IntegerAttr(abs(value), i32)

    to.emit(
        llvm_ops.PrefetchOp,
        (pointer,),
        (),
        {
            "rw": flag("isWrite"),
            "hint": flag("localityHint"),
            "cache": flag("isDataCache"),
        },
    )


# Atomics

_ACQUIRE_RELEASE = IntegerAttr(6, i64)
_MONOTONIC = IntegerAttr(2, i64)
_ATOMIC_OPS = {
    "addf": "fadd",
    "addi": "add",
    "andi": "_and",
    "assign": "xchg",
    "maxnumf": "fmax",
    "maxs": "max",
    "maxu": "umax",
    "minnumf": "fmin",
    "mins": "min",
    "minu": "umin",
    "ori": "_or",
    "xori": "_xor",
}
_COMBINED_OPS: dict[str, type[Operation]] = {
    "maximumf": llvm_ops.MaximumOp,
    "minimumf": llvm_ops.MinimumOp,
    "mulf": llvm.FMulOp,
    "muli": llvm.MulOp,
}
"""The kinds that llvm.atomicrmw lacks: done by compare and exchange."""


def _atomic_rmw(op: Operation, to: FunctionLowering) -> None:
    value, buffer, *indices = op.operands
    target = to.memref(buffer)
    pointer = descriptors.element_pointer(to, target, [to.index(i) for i in indices])
    kind_number = cast("IntegerAttr[IntegerType]", op.properties["kind"]).value.data
    kind = ATOMIC_KINDS[kind_number]
    new = to.get(value)
    if kind in _ATOMIC_OPS:
        number = llvm_ops.ATOMIC_BIN_OPS.index(_ATOMIC_OPS[kind])
        result = to.value(
            llvm_ops.AtomicRMWOp,
            (pointer, new),
            new.type,
            {"bin_op": IntegerAttr(number, i64), "ordering": _ACQUIRE_RELEASE},
        )
    else:
        combine = _COMBINED_OPS[kind]
        result = _compare_and_exchange(
            to, pointer, new.type, lambda old: to.binary(combine, old, new)
        )
    to.set(op.results[0], result)


def _generic_atomic_rmw(op: Operation, to: FunctionLowering) -> None:
    buffer, *indices = op.operands
    target = to.memref(buffer)
    pointer = descriptors.element_pointer(to, target, [to.index(i) for i in indices])
    body = op.regions[0].block

    def update(old: SSAValue) -> SSAValue:
        return to.get(to.inline(body, (old,))[0])

    element = target.info.element
    to.set(op.results[0], _compare_and_exchange(to, pointer, element, update))


def _compare_and_exchange(
    to: FunctionLowering,
    pointer: SSAValue,
    type_: Attribute,
    update: Callable[[SSAValue], SSAValue],
) -> SSAValue:
    """Replace an element by its update until no other thread came between; return what
    it was before.
    """
    size = byte_size(type_)
    integer = type_ if is_integer(type_) else IntegerType(8 * (size or 8))

    def cast_to(value: SSAValue, target: Attribute) -> SSAValue:
        return (
            value if value.type == target else to.value(llvm.BitcastOp, (value,), target)
        )

    first = to.load(pointer, integer)
    loop = to.new_block((integer,))
    to.branch(loop, (first,))
    to.block = loop
    old = loop.args[0]
    value = cast_to(old, type_)
    new = cast_to(update(value), integer)
    outcome = to.value(
        llvm_ops.AtomicCmpXchgOp,
        (pointer, old, new),
        llvm.LLVMStructType.from_type_list((integer, i1)),
        {"success_ordering": _ACQUIRE_RELEASE, "failure_ordering": _MONOTONIC},
    )
    found, done = to.extract(outcome, 0), to.extract(outcome, 1)
    exit_ = to.new_block()
    to.branch_if(done, (exit_, ()), (loop, (found,)))
    to.block = exit_
    return value


# Queries


def _dim(op: Operation, to: FunctionLowering) -> None:
    source, dim = to.values[op.operands[0]], to.index(op.operands[1])
    if isinstance(source, UnrankedMemRef):
        to.set(op.results[0], in_memory(to, op.operands[0]).size(dim))
        return
    sizes = cast(MemRef, source).sizes
    if isinstance(dim, int):
        if not 0 <= dim < len(sizes):
            to.refuse(op, f"the dimension {dim} is out of range for {len(sizes)} ones")
        to.set(op.results[0], sizes[dim])
        return
    result: Index = sizes[-1] if sizes else 0
    for position, size in reversed(list(enumerate(sizes[:-1]))):
        is_dimension = to.compare("eq", dim, to.integer(position))
        result = to.value(
            llvm_ops.SelectOp,
            (is_dimension, to.number(size), to.number(result)),
            to.index_type,
            {"fastmathFlags": llvm.FastMathAttr(None)},
        )
    to.set(op.results[0], result)


def _rank(op: Operation, to: FunctionLowering) -> None:
    source = to.values[op.operands[0]]
    unranked = isinstance(source, UnrankedMemRef)
    to.set(op.results[0], source.rank if unranked else cast(MemRef, source).info.rank)


def _assume_alignment(op: Operation, to: FunctionLowering) -> None:
    buffer = to.memref(op.operands[0])
    alignment = cast("IntegerAttr[IntegerType]", op.properties["alignment"]).value.data
    if to.module.options.trust_alignments:
        pointer = descriptors.data_pointer(to, buffer)
        true = to.integer(1, IntegerType(1))
        bundles = [("align", (pointer, to.integer(alignment)))]
        to.block.add_op(llvm_ops.AssumeOp(true, bundles))
    for result in op.results:
        to.set(result, buffer)


def _distinct_objects(op: Operation, to: FunctionLowering) -> None:
    for operand, result in zip(op.operands, op.results, strict=True):
        to.set(result, to.values[operand])


MEMREF_LOWERINGS: dict[str, Lowering] = {
    "memref.alloc": _alloc,
    "memref.alloca": _alloca,
    "memref.alloca_scope": _alloca_scope,
    "memref.alloca_scope.return": _alloca_scope_return,
    "memref.assume_alignment": _assume_alignment,
    "memref.atomic_rmw": _atomic_rmw,
    "memref.copy": lower_copy,
    "memref.dealloc": _dealloc,
    "memref.dim": _dim,
    "memref.distinct_objects": _distinct_objects,
    "memref.generic_atomic_rmw": _generic_atomic_rmw,
    "memref.get_global": _get_global,
    "memref.load": _load,
    "memref.prefetch": _prefetch,
    "memref.rank": _rank,
    "memref.realloc": _realloc,
    "memref.store": _store,
}
