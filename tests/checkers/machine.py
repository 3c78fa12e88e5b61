"""A machine that executes bufferized IR on memory that is watched.

It is there for wrong programs, many of them: it needs no compiler, and says at once what
is wrong with an access, rather than going on with some number. Memory is undefined until
it is written: a different number each time it is allocated. All elements are i32, as in
the programs of tests/random_programs, or the bytes of an arena.

What makes a program wrong, beside its results: a use after a free, a second free, a free
of what was not allocated, a leak, a write to a constant or to an argument that must not
be written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, cast

import numpy as np
from numpy.lib.stride_tricks import as_strided
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    MemRefType,
    ModuleOp,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from tests.random_programs.interpreter import Interpreter
from xdsl_bufferization.analysis.facts.value_bounds import static_list
from xdsl_bufferization.checkers.places import bytes_of
from xdsl_bufferization.dialects import linalg
from xdsl_bufferization.dialects.allocation_scopes import is_automatic_allocation_scope

MOST_STEPS = 300_000


class WrongProgram(Exception):
    """The program does what it must not do."""


@dataclass(eq=False)
class Allocation:
    """A piece of memory.

    Attributes:
        cells: its elements, in one row.
        kind: "heap", "stack", "constant" or "argument".
        writable: whether it may be written.
        arena: the piece of memory that this is a part of, if it is planned.
    """

    cells: Any
    address: int
    kind: str = "heap"
    writable: bool = True
    freed: bool = False
    arena: Allocation | None = None

    @property
    def is_gone(self) -> bool:
        return self.freed or (self.arena is not None and self.arena.is_gone)


@dataclass(frozen=True)
class Buffer:
    """A memref: an array that is a view of the cells of an allocation."""

    allocation: Allocation
    array: Any

    def viewed(self, array: Any) -> Buffer:
        return Buffer(self.allocation, array)


@dataclass
class Memory:
    """All allocations."""

    allocations: list[Allocation] = field(default_factory=list[Allocation])

    def allocate(self, sizes: Sequence[int], kind: str = "heap") -> Buffer:
        number = len(self.allocations)
        size = math.prod(sizes)
        undefined = 0x5EED0000 + 7919 * number
        cells = np.full(size, undefined & 0x7FFFFFFF, np.int64)
        allocation = Allocation(cells, 4096 * (number + 1), kind)
        self.allocations.append(allocation)
        return Buffer(allocation, cells.reshape(tuple(sizes)))

    def free(self, buffer: Buffer) -> None:
        allocation = buffer.allocation
        if allocation.kind != "heap":
            raise WrongProgram(f"free of {allocation.kind} memory")
        if allocation.freed:
            raise WrongProgram("second free")
        allocation.freed = True


class Machine(Interpreter):
    """Executes functions. Values are numbers and `Buffer`s; ops that do not touch memory
    are those of the interpreter of tensor programs."""

    def __init__(self, module: ModuleOp, *, watch_leaks: bool = True) -> None:
        super().__init__(module)
        self.watch_leaks = watch_leaks
        self.most_steps = MOST_STEPS
        self.memory = Memory()
        self.globals: dict[str, Buffer] = {}
        for op in module.ops:
            if op.name == "memref.global":
                self._make_global(op)

    def run_main(self, arguments: Sequence[Any]) -> list[Any]:
        """Call @main; its results, as arrays."""
        main = self.functions["main"]
        attributes = cast(Any, main.properties.get("arg_attrs"))
        values: list[Any] = []
        for number, argument in enumerate(arguments):
            if not isinstance(argument, np.ndarray):
                values.append(argument)
                continue
            buffer = self.memory.allocate(argument.shape, "argument")
            buffer.array[...] = argument
            given = attributes.data[number].data if attributes else {}
            writable = given.get("bufferization.writable")
            if writable is not None and not bool(writable.value.data):
                buffer.allocation.writable = False
            values.append(buffer)
        results = self.call("main", values)
        arrays = [
            self.readable(value).copy() if isinstance(value, Buffer) else value
            for value in results
        ]
        returned = {v.allocation for v in results if isinstance(v, Buffer)}
        for allocation in self.memory.allocations:
            if allocation.kind != "heap" or allocation.freed:
                continue
            if self.watch_leaks and allocation not in returned:
                raise WrongProgram("leak")
        return arrays

    def run(
        self, region: Region, arguments: Sequence[Any], env: Any
    ) -> tuple[Operation, list[Any]]:
        before = len(self.memory.allocations)
        ran = super().run(region, arguments, env)
        around = region.parent
        if around is not None and is_automatic_allocation_scope(around):
            for allocation in self.memory.allocations[before:]:
                if allocation.kind == "stack":
                    allocation.freed = True
        return ran

    def readable(self, buffer: Buffer) -> Any:
        if buffer.allocation.is_gone:
            raise WrongProgram("use after free")
        return buffer.array

    def writable(self, buffer: Buffer) -> Any:
        if buffer.allocation.is_gone:
            raise WrongProgram("use after free")
        if not buffer.allocation.writable:
            raise WrongProgram(f"write to {buffer.allocation.kind} memory")
        return buffer.array

    def _make_global(self, op: Operation) -> None:
        type_ = cast("MemRefType[Attribute]", op.properties["type"])
        buffer = self.memory.allocate(type_.get_shape(), "constant")
        value = cast(DenseIntOrFPElementsAttr, op.properties["initial_value"])
        numbers = np.array(value.get_values(), np.int64)
        buffer.array[...] = (
            numbers if numbers.size == 1 else numbers.reshape(type_.get_shape())
        )
        buffer.allocation.writable = "constant" not in op.properties
        name = cast(Any, op.properties["sym_name"]).data
        self.globals[name] = buffer

    # arith

    def arith_andi(self, op: Operation, values: list[Any], env: Any) -> Any:
        return [values[0] & values[1]]

    def arith_ori(self, op: Operation, values: list[Any], env: Any) -> Any:
        return [values[0] | values[1]]

    def affine_apply(self, op: Operation, values: list[Any], env: Any) -> Any:
        map_ = cast(Any, op.properties["map"]).data
        return list(map_.eval(values[: map_.num_dims], values[map_.num_dims :]))

    # memref

    def memref_alloc(self, op: Operation, values: list[Any], env: Any) -> Any:
        return [self.memory.allocate(_sizes(op.results[0], values))]

    def memref_alloca(self, op: Operation, values: list[Any], env: Any) -> Any:
        return [self.memory.allocate(_sizes(op.results[0], values), "stack")]

    def memref_dealloc(self, op: Operation, values: list[Any], env: Any) -> Any:
        self.memory.free(values[0])
        return []

    def memref_get_global(self, op: Operation, values: list[Any], env: Any) -> Any:
        name = cast(SymbolRefAttr, op.properties["name"])
        return [self.globals[name.string_value()]]

    def memref_load(self, op: Operation, values: list[Any], env: Any) -> Any:
        array = self.readable(values[0])
        number = int(array[_checked(array, values[1:])])
        return [bool(number) if str(op.results[0].type) == "i1" else number]

    def memref_store(self, op: Operation, values: list[Any], env: Any) -> Any:
        array = self.writable(values[1])
        array[_checked(array, values[2:])] = values[0]
        return []

    def memref_copy(self, op: Operation, values: list[Any], env: Any) -> Any:
        source, target = self.readable(values[0]), self.writable(values[1])
        if source.shape != target.shape:
            raise WrongProgram("copy between shapes that differ")
        target[...] = source.copy()
        return []

    def memref_dim(self, op: Operation, values: list[Any], env: Any) -> Any:
        return [values[0].array.shape[values[1]]]

    def memref_cast(self, op: Operation, values: list[Any], env: Any) -> Any:
        return values

    def memref_subview(self, op: Operation, values: list[Any], env: Any) -> Any:
        array = values[0].array
        offsets, sizes, strides = _mixed(op, values[1:])
        slices: list[slice] = []
        for offset, size, stride, extent in zip(
            offsets, sizes, strides, array.shape, strict=True
        ):
            if size and not 0 <= offset + (size - 1) * stride < extent:
                raise WrongProgram("slice out of bounds")
            slices.append(slice(offset, offset + (size - 1) * stride + 1, stride))
        part = array[tuple(slices)]
        rank = cast("MemRefType[Attribute]", op.results[0].type).get_num_dims()
        while part.ndim > rank:
            dropped = next(d for d in range(part.ndim) if part.shape[d] == 1)
            part = part.reshape(part.shape[:dropped] + part.shape[dropped + 1 :])
            assert np.shares_memory(part, array)
        return [values[0].viewed(part)]

    def memref_view(self, op: Operation, values: list[Any], env: Any) -> Any:
        """An arena has one cell per byte. An element is in the cell of its first byte, as
        the elements of the programs that are executed are aligned."""
        arena, offset = values[0].allocation, values[1]
        sizes = _sizes(op.results[0], values[2:])
        width = element_bytes(op.results[0])
        assert offset % width == 0
        if not 0 <= offset <= offset + width * math.prod(sizes) <= values[0].array.size:
            raise WrongProgram("view out of bounds")
        start = _offset(values[0]) + offset
        cells = arena.cells[start : start + width * math.prod(sizes) : width]
        part = Allocation(
            cells, arena.address + start, "planned", arena.writable, arena=arena
        )
        return [Buffer(part, as_strided(cells, sizes, _strides(sizes, cells.strides[0])))]

    def memref_reshape(self, op: Operation, values: list[Any], env: Any) -> Any:
        sizes = tuple(map(int, self.readable(values[1])))
        if math.prod(sizes) != values[0].array.size:
            raise WrongProgram("reshape to another number of elements")
        return [_reshaped(values[0], sizes)]

    def memref_collapse_shape(self, op: Operation, values: list[Any], env: Any) -> Any:
        return [_reshaped(values[0], (values[0].array.size,))]

    def memref_expand_shape(self, op: Operation, values: list[Any], env: Any) -> Any:
        return [_reshaped(values[0], tuple(_sizes(op.results[0], values[1:])))]

    def memref_transpose(self, op: Operation, values: list[Any], env: Any) -> Any:
        permutation = cast(Any, op.properties["permutation"]).data
        order = [result.position for result in permutation.results]
        return [values[0].viewed(values[0].array.transpose(order))]

    def memref_extract_strided_metadata(
        self, op: Operation, values: list[Any], env: Any
    ) -> Any:
        array = values[0].array
        # A buffer of no elements has no first one. Nobody reads it then.
        base = values[0].viewed(as_strided(values[0].allocation.cells, (), ()))
        step = _step(values[0].allocation)
        strides = [stride // step for stride in array.strides]
        return [base, _offset(values[0]), *array.shape, *strides]

    def memref_reinterpret_cast(self, op: Operation, values: list[Any], env: Any) -> Any:
        offsets, sizes, strides = _mixed(op, values[1:])
        cells = values[0].allocation.cells
        array = as_strided(
            cells[offsets[0] :],
            tuple(sizes),
            tuple(stride * _step(values[0].allocation) for stride in strides),
        )
        return [values[0].viewed(array)]

    def memref_extract_aligned_pointer_as_index(
        self, op: Operation, values: list[Any], env: Any
    ) -> Any:
        return [values[0].allocation.address]

    # vector

    def element_array(self, value: Any) -> Any:
        return self.readable(value)

    def vector_transfer_write(self, op: Operation, values: list[Any], env: Any) -> Any:
        array = self.writable(values[1])
        array[values[2] : values[2] + values[0].size] = values[0]
        return []

    # bufferization

    def bufferization_clone(self, op: Operation, values: list[Any], env: Any) -> Any:
        copy = self.memory.allocate(values[0].array.shape)
        copy.array[...] = self.readable(values[0])
        return [copy]

    def bufferization_dealloc(self, op: Operation, values: list[Any], env: Any) -> Any:
        count = static_list(op, "operandSegmentSizes")[0]
        buffers, conditions = values[:count], values[count : 2 * count]
        retained = [buffer.allocation for buffer in values[2 * count :]]
        owned: dict[Allocation, Buffer] = {}
        for buffer, condition in zip(buffers, conditions, strict=True):
            if condition:
                owned[buffer.allocation] = buffer
        for allocation, buffer in owned.items():
            if allocation not in retained:
                self.memory.free(buffer)
        return [allocation in owned for allocation in retained]

    # linalg

    def _structured(
        self, op: linalg.LinalgStructuredOperation, values: list[Any], env: Any
    ) -> list[Any]:
        count = len(op.operands) - _output_count(op)
        body = op.regions[0].block
        arrays: list[Any] = []
        for number, value in enumerate(values):
            if not isinstance(value, Buffer):
                arrays.append(value)
                continue
            used = body.args[number].first_use is not None
            arrays.append(self.readable(value) if used else value.array)
            if number >= count:
                self.writable(value)
        self.compute(op, arrays, range(count, len(values)), env)
        return []

    # scf

    def scf_forall(self, op: Operation, values: list[Any], env: Any) -> Any:
        sizes = iter(values)
        ranges = [
            range(next(sizes) if bound == DYNAMIC_INDEX else bound)
            for bound in static_list(op, "staticUpperBound")
        ]
        for thread in product(*ranges):
            self.run(op.regions[0], [*thread], env)
        return []


def element_bytes(memref: SSAValue) -> int:
    """The bytes of an element of a memref."""
    element_type = cast("MemRefType[Attribute]", memref.type).element_type
    found = bytes_of(MemRefType(element_type, (1,)))
    assert found is not None
    return found


def _output_count(op: linalg.LinalgStructuredOperation) -> int:
    from xdsl_bufferization.dialects.linalg.structured import output_count

    return output_count(op)


def _sizes(result: SSAValue, dynamic: Sequence[int]) -> list[int]:
    given = iter(dynamic)
    shape = cast("MemRefType[Attribute]", result.type).get_shape()
    return [next(given) if size == DYNAMIC_INDEX else size for size in shape]


def _checked(array: Any, indices: Sequence[int]) -> tuple[int, ...]:
    if not all(0 <= i < size for i, size in zip(indices, array.shape, strict=True)):
        raise WrongProgram("index out of bounds")
    return tuple(indices)


def _mixed(op: Operation, values: Sequence[int]) -> list[list[int]]:
    given = iter(values)
    return [
        [next(given) if n == DYNAMIC_INDEX else n for n in static_list(op, name)]
        for name in ("static_offsets", "static_sizes", "static_strides")
    ]


def _offset(buffer: Buffer) -> int:
    start = buffer.array.__array_interface__["data"][0]
    first = buffer.allocation.cells.__array_interface__["data"][0]
    return (start - first) // _step(buffer.allocation)


def _step(allocation: Allocation) -> int:
    """The bytes from one element to the next; NumPy has none for an empty array."""
    return allocation.cells.strides[0] or allocation.cells.itemsize


def _reshaped(buffer: Buffer, sizes: tuple[int, ...]) -> Buffer:
    """The same elements in another shape; without a copy, also of slices that have one
    stride throughout."""
    array = buffer.array
    if array.flags.c_contiguous:
        return buffer.viewed(array.reshape(sizes))
    varying = [d for d in range(array.ndim) if array.shape[d] > 1]
    step = array.strides[varying[-1]] if varying else array.itemsize
    return buffer.viewed(as_strided(array, sizes, _strides(sizes, step)))


def _strides(sizes: Sequence[int], step: int) -> list[int]:
    """The strides of rows of elements that are `step` bytes apart."""
    strides: list[int] = []
    for size in reversed(sizes):
        strides.insert(0, step)
        step *= size
    return strides
