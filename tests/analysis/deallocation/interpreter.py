"""An interpreter of bufferized IR that watches every buffer.

It shares nothing with the passes: memory is simulated, every access, allocation and free
is checked when it happens. Wrong programs raise MemoryError subclasses: use after free,
double free, leak. `bufferization.dealloc` and `bufferization.clone` are executed by their
definition, so each stage of the pipeline can be run.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue


class WrongProgram(Exception):
    """The program does what it must not do."""


class UseAfterFree(WrongProgram):
    pass


class DoubleFree(WrongProgram):
    pass


class Leak(WrongProgram):
    pass


class OutOfFuel(Exception):
    """The program did not end within the steps it was given."""


ELEMENT_SIZE = 4
_ADDRESSES = itertools.count(4096, 1 << 20)


@dataclass(eq=False)
class Allocation:
    """A piece of memory. `data` maps byte offsets to values; what is not set is zero."""

    where: str
    address: int = field(default_factory=lambda: next(_ADDRESSES))
    data: dict[int, Any] = field(default_factory=dict)
    freed: bool = False
    manual: bool = False


@dataclass(frozen=True)
class Buffer:
    """A memref: the allocation, the aligned pointer, and the layout from there."""

    allocation: Allocation
    aligned: int
    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]

    def address_of(self, indices: Sequence[int]) -> int:
        position = self.offset + sum(
            i * s for i, s in zip(indices, self.strides, strict=True)
        )
        return self.aligned + position * ELEMENT_SIZE

    def indices(self) -> Iterator[tuple[int, ...]]:
        return itertools.product(*(range(size) for size in self.sizes))


def row_major(sizes: Sequence[int]) -> tuple[int, ...]:
    strides = [1]
    for size in reversed(sizes[1:]):
        strides.insert(0, strides[0] * size)
    return tuple(strides) if sizes else ()


class Machine:
    """Executes functions of a module.

    Args:
        external: what calls of declared functions do, by name.
        fuel: how many ops may be executed.
    """

    def __init__(
        self,
        module: ModuleOp,
        external: dict[str, Callable[..., Sequence[Any]]] | None = None,
        fuel: int = 20_000,
    ):
        self.functions: dict[str, Operation] = {}
        self.globals: dict[str, Buffer] = {}
        self.external = external or {}
        self.fuel = fuel
        self.allocations: list[Allocation] = []
        self.counts: dict[str, int] = {}
        for op in module.walk():
            name = op.get_attr_or_prop("sym_name")
            if op.name == "func.func":
                self.functions[cast(StringAttr, name).data] = op
            elif op.name == "memref.global":
                self.globals[cast(StringAttr, name).data] = self._make_global(op)

    # Memory

    def allocate(self, where: str, sizes: Sequence[int]) -> Buffer:
        allocation = Allocation(where)
        self.allocations.append(allocation)
        return Buffer(allocation, allocation.address, 0, tuple(sizes), row_major(sizes))

    def free(self, buffer: Buffer) -> None:
        if buffer.allocation.freed:
            raise DoubleFree(f"freed twice: {buffer.allocation.where}")
        buffer.allocation.freed = True

    def load(self, buffer: Buffer, indices: Sequence[int]) -> Any:
        self.check_live(buffer)
        return buffer.allocation.data.get(self._at(buffer, indices), 0.0)

    def store(self, value: Any, buffer: Buffer, indices: Sequence[int]) -> None:
        self.check_live(buffer)
        buffer.allocation.data[self._at(buffer, indices)] = value

    def copy(self, source: Buffer, target: Buffer) -> None:
        self.check_live(source)
        self.check_live(target)
        values = [self.load(source, i) for i in source.indices()]
        for i, value in zip(target.indices(), values, strict=True):
            self.store(value, target, i)

    def contents(self, buffer: Buffer) -> list[Any]:
        return [self.load(buffer, i) for i in buffer.indices()]

    def check_live(self, buffer: Buffer) -> None:
        if buffer.allocation.freed:
            raise UseAfterFree(f"used after free: {buffer.allocation.where}")

    def check_no_leak(self) -> None:
        for allocation in self.allocations:
            if not allocation.freed:
                raise Leak(f"never freed: {allocation.where}")

    def _at(self, buffer: Buffer, indices: Sequence[int]) -> int:
        return buffer.address_of(indices) - buffer.allocation.address

    def _make_global(self, op: Operation) -> Buffer:
        type = cast(MemRefType[Attribute], op.properties["type"])
        sizes = type.get_shape()
        allocation = Allocation("global")
        buffer = Buffer(allocation, allocation.address, 0, sizes, row_major(sizes))
        initial = op.properties.get("initial_value")
        if isinstance(initial, DenseIntOrFPElementsAttr):
            values = list(initial.get_values())
            if len(values) == 1:
                values *= len(list(buffer.indices()))
            for i, value in zip(buffer.indices(), values, strict=True):
                self.store(value, buffer, i)
        return buffer

    # Execution

    def call(self, name: str, arguments: Sequence[Any]) -> list[Any]:
        function = self.functions[name]
        if function.regions[0].blocks.first is None:
            return list(self.external[name](*arguments))
        scope: dict[SSAValue, Any] = {}
        terminator, values = self.run_region(function.regions[0], arguments, scope)
        assert terminator.name == "func.return", terminator.name
        return values

    def run_region(
        self, region: Region, arguments: Sequence[Any], scope: dict[SSAValue, Any]
    ) -> tuple[Operation, list[Any]]:
        """Executes blocks until one leaves the region; its terminator, its operands."""
        block: Block | None = region.blocks.first
        assert block is not None
        while True:
            for argument, value in zip(block.args, arguments, strict=True):
                scope[argument] = value
            target: tuple[Block, list[Any]] | None = None
            for op in block.ops:
                self.fuel -= 1
                if self.fuel < 0:
                    raise OutOfFuel
                if op.successors:
                    target = self.branch(op, scope)
                elif op is block.last_op and op.name in _TERMINATORS:
                    return op, [scope[value] for value in op.operands]
                else:
                    self.run_op(op, scope)
            assert target is not None, block.last_op
            block, arguments = target

    def branch(
        self, op: Operation, scope: dict[SSAValue, Any]
    ) -> tuple[Block, list[Any]]:
        values = [scope[value] for value in op.operands]
        if op.name == "cf.br":
            return op.successors[0], values
        if op.name == "cf.cond_br":
            _, true, _ = _integers(op, "operandSegmentSizes")
            if values[0]:
                return op.successors[0], values[1 : 1 + true]
            return op.successors[1], values[1 + true :]
        assert op.name == "cf.switch", op.name
        _, default, _ = _integers(op, "operandSegmentSizes")
        cases = op.properties.get("case_values")
        numbers = (
            list(cast(DenseIntOrFPElementsAttr, cases).get_values()) if cases else []
        )
        if values[0] not in numbers:
            return op.successors[0], values[1 : 1 + default]
        i = numbers.index(values[0])
        segments = _integers(op, "case_operand_segments")
        start = 1 + default + sum(segments[:i])
        return op.successors[1 + i], values[start : start + segments[i]]

    def run_op(self, op: Operation, scope: dict[SSAValue, Any]) -> None:
        self.counts[op.name] = self.counts.get(op.name, 0) + 1
        run = getattr(self, "run_" + op.name.replace(".", "_"), None)
        if run is None:
            raise NotImplementedError(op.name)
        results = run(op, [scope[value] for value in op.operands], scope)
        for result, value in zip(op.results, results or (), strict=True):
            scope[result] = value

    # arith

    def run_arith_constant(self, op: Operation, *_: Any) -> list[Any]:
        value = op.properties["value"]
        assert isinstance(value, IntegerAttr | FloatAttr)
        data = value.value.data
        return [bool(data) if str(value.type) == "i1" else data]

    def run_arith_select(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        return [v[1] if v[0] else v[2]]

    def run_arith_andi(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        return [v[0] and v[1]]

    def run_arith_ori(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        return [v[0] or v[1]]

    def run_arith_xori(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        return [v[0] != v[1]]

    def run_arith_addi(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        return [v[0] + v[1]]

    def run_arith_addf(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        return [v[0] + v[1]]

    def run_arith_muli(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        return [v[0] * v[1]]

    def run_arith_cmpi(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        predicate = cast(IntegerAttr, op.properties["predicate"]).value.data
        a, b = v
        return [(a == b, a != b, a < b, a <= b, a > b, a >= b)[_SIGNED[predicate]]]

    # memref

    def run_memref_alloc(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        type = cast(MemRefType[Attribute], op.results[0].type)
        dynamic = iter(v)
        sizes = [next(dynamic) if n == DYNAMIC_INDEX else n for n in type.get_shape()]
        return [self.allocate(str(op), sizes)]

    def run_memref_alloca(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        (buffer,) = self.run_memref_alloc(op, v, _)
        self.allocations.pop()
        return [buffer]

    def run_memref_dealloc(self, op: Operation, v: list[Any], _: Any) -> None:
        self.free(v[0])

    def run_memref_load(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        return [self.load(v[0], v[1:])]

    def run_memref_store(self, op: Operation, v: list[Any], _: Any) -> None:
        self.store(v[0], v[1], v[2:])

    def run_memref_copy(self, op: Operation, v: list[Any], _: Any) -> None:
        self.copy(*v)

    def run_memref_get_global(self, op: Operation, *_: Any) -> list[Any]:
        name = cast(SymbolRefAttr, op.properties["name"])
        return [self.globals[name.string_value()]]

    def run_memref_dim(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        return [v[0].sizes[v[1]]]

    def run_memref_cast(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        return [v[0]]

    def run_memref_view(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        type = cast(MemRefType[Attribute], op.results[0].type)
        dynamic = iter(v[2:])
        sizes = [next(dynamic) if n == DYNAMIC_INDEX else n for n in type.get_shape()]
        aligned = v[0].aligned + v[1]
        return [Buffer(v[0].allocation, aligned, 0, tuple(sizes), row_major(sizes))]

    def run_memref_subview(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        offsets, sizes, strides = _mixed(op, v[1:])
        source = v[0]
        offset = source.offset
        offset += sum(o * s for o, s in zip(offsets, source.strides, strict=True))
        scaled = tuple(a * b for a, b in zip(strides, source.strides, strict=True))
        return [Buffer(source.allocation, source.aligned, offset, tuple(sizes), scaled)]

    def run_memref_reinterpret_cast(
        self, op: Operation, v: list[Any], _: Any
    ) -> list[Any]:
        offsets, sizes, strides = _mixed(op, v[1:])
        source = v[0]
        return [
            Buffer(
                source.allocation,
                source.aligned,
                offsets[0],
                tuple(sizes),
                tuple(strides),
            )
        ]

    def run_memref_extract_strided_metadata(
        self, op: Operation, v: list[Any], _: Any
    ) -> list[Any]:
        source = v[0]
        base = Buffer(source.allocation, source.aligned, 0, (), ())
        return [base, source.offset, *source.sizes, *source.strides]

    def run_memref_extract_aligned_pointer_as_index(
        self, op: Operation, v: list[Any], _: Any
    ) -> list[Any]:
        return [v[0].aligned]

    # bufferization

    def run_bufferization_clone(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        copy = self.allocate(str(op), v[0].sizes)
        self.copy(v[0], copy)
        return [copy]

    def run_bufferization_dealloc(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        count, _, _ = _integers(op, "operandSegmentSizes")
        buffers, conditions, retained = v[:count], v[count : 2 * count], v[2 * count :]
        kept = {buffer.allocation for buffer in retained}
        freed: set[Allocation] = set()
        owned: set[Allocation] = set()
        for buffer, condition in zip(buffers, conditions, strict=True):
            if not condition:
                continue
            owned.add(buffer.allocation)
            if buffer.allocation not in kept and buffer.allocation not in freed:
                freed.add(buffer.allocation)
                self.free(buffer)
        return [buffer.allocation in owned for buffer in retained]

    # func and cf

    def run_func_call(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        name = cast(SymbolRefAttr, op.properties["callee"]).string_value()
        return self.call(name, v)

    def run_func_constant(self, op: Operation, *_: Any) -> list[Any]:
        """The value of a function is its name."""
        return [cast(SymbolRefAttr, op.properties["value"]).string_value()]

    def run_func_call_indirect(self, op: Operation, v: list[Any], _: Any) -> list[Any]:
        return self.call(v[0], v[1:])

    def run_cf_assert(self, op: Operation, v: list[Any], _: Any) -> None:
        if not v[0]:
            raise WrongProgram(f"assertion failed: {op}")

    # scf

    def run_scf_if(self, op: Operation, v: list[Any], scope: Any) -> list[Any]:
        region = op.regions[0 if v[0] else 1]
        if region.blocks.first is None:
            return []
        return self.run_region(region, (), scope)[1]

    def run_scf_index_switch(self, op: Operation, v: list[Any], scope: Any) -> list[Any]:
        cases = _integers(op, "cases")
        which = cases.index(v[0]) + 1 if v[0] in cases else 0
        return self.run_region(op.regions[which], (), scope)[1]

    def run_scf_execute_region(
        self, op: Operation, v: list[Any], scope: Any
    ) -> list[Any]:
        return self.run_region(op.regions[0], (), scope)[1]

    def run_scf_for(self, op: Operation, v: list[Any], scope: Any) -> list[Any]:
        *bounds, carried = *v[:3], v[3:]
        type = op.operands[0].type
        if "unsignedCmp" in op.properties and isinstance(type, IntegerType):
            bounds = [bound % (1 << type.width.data) for bound in bounds]
        for i in range(*bounds):
            _, carried = self.run_region(op.regions[0], [i, *carried], scope)
        return carried

    def run_scf_while(self, op: Operation, v: list[Any], scope: Any) -> list[Any]:
        carried = v
        while True:
            _, values = self.run_region(op.regions[0], carried, scope)
            if not values[0]:
                return values[1:]
            _, carried = self.run_region(op.regions[1], values[1:], scope)


_TERMINATORS = frozenset(("func.return", "scf.yield", "scf.condition"))
_SIGNED = {i: i if i < 6 else i - 4 for i in range(10)}


def _integers(op: Operation, name: str) -> list[int]:
    array = op.properties.get(name) or op.attributes[name]
    return list(cast("DenseArrayBase[Any]", array).get_values())


def _mixed(op: Operation, operands: Sequence[Any]) -> list[list[int]]:
    values = iter(operands)
    return [
        [next(values) if n == DYNAMIC_INDEX else n for n in _integers(op, name)]
        for name in ("static_offsets", "static_sizes", "static_strides")
    ]
