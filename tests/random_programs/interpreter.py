"""What a tensor program means: an interpreter on NumPy arrays, value by value.

Tensors are values here: an op that changes one makes a new array. So the results do not
depend on any decision about buffers. It knows the ops of the generator, by name, and
what a structured linalg op says about itself (maps, body).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    SymbolRefAttr,
    TensorType,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xdsl_bufferization.analysis.facts.value_bounds import static_list
from xdsl_bufferization.dialects import linalg

UNDEFINED = 0x5EEDBEE
MAX_STEPS = 2_000_000

Value = Any
Env = dict[SSAValue, Value]


class NotTerminating(Exception):
    """The program was given up."""


class Interpreter:
    """Calls functions of a module."""

    def __init__(self, module: ModuleOp) -> None:
        self.functions = {
            op.properties["sym_name"].data: op
            for op in module.ops
            if "sym_name" in op.properties
        }
        self.steps = 0
        self.most_steps = MAX_STEPS

    def call(self, name: str, arguments: Sequence[Value]) -> list[Value]:
        region = self.functions[name].regions[0]
        _, values = self.run(region, arguments, {})
        return values

    def run(
        self, region: Region, arguments: Sequence[Value], env: Env
    ) -> tuple[Operation, list[Value]]:
        """Run a region until an op ends it: that op, and its operands."""
        block: Block = region.blocks[0]
        while True:
            env.update(zip(block.args, arguments, strict=True))
            end = self._run_ops(block, env)
            values = [env[operand] for operand in end.operands]
            if end.name == "cf.br":
                (block,), arguments = end.successors, values
            elif end.name == "cf.cond_br":
                first = static_list(end, "operandSegmentSizes")[1]
                if values[0]:
                    block, arguments = end.successors[0], values[1 : 1 + first]
                else:
                    block, arguments = end.successors[1], values[1 + first :]
            elif end.name == "cf.switch":
                block, arguments = _chosen(end, values)
            else:
                return end, values

    def _run_ops(self, block: Block, env: Env) -> Operation:
        last = block.last_op
        assert last is not None
        for op in block.ops:
            if op is last:
                break
            self.steps += 1
            if self.steps > self.most_steps:
                raise NotTerminating
            values = [env[operand] for operand in op.operands]
            env.update(zip(op.results, self._evaluate(op, values, env), strict=True))
        return last

    def _evaluate(self, op: Operation, values: list[Value], env: Env) -> Sequence[Value]:
        if isinstance(op, UnregisteredOp):
            return self._repeat(op, env)
        if isinstance(op, linalg.LinalgStructuredOperation):
            return self._structured(op, values, env)
        name = op.name.replace(".", "_")
        method: Callable[..., Sequence[Value]] | None = getattr(self, name, None)
        if method is None:
            raise NotImplementedError(op.name)
        return method(op, values, env)

    # arith

    def arith_constant(self, op: Operation, values: list[Value], env: Env) -> Any:
        attribute = op.properties["value"]
        if isinstance(attribute, DenseIntOrFPElementsAttr):
            shape = attribute.type.get_shape()
            numbers = np.array(attribute.get_values(), np.int32)
            return [
                np.broadcast_to(numbers, shape).copy()
                if numbers.size == 1
                else numbers.reshape(shape)
            ]
        assert isinstance(attribute, IntegerAttr)
        return [attribute.value.data]

    def arith_index_cast(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [_wrap(values[0], op.results[0])]

    def arith_index_castui(self, op: Operation, values: list[Value], env: Env) -> Any:
        return self.arith_extui(op, values, env)

    def arith_extui(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [_wrap(_unsigned(values[0], op.operands[0].type), op.results[0])]

    def arith_extsi(self, op: Operation, values: list[Value], env: Env) -> Any:
        return values

    def arith_addi(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [_wrap(values[0] + values[1], op.results[0])]

    def arith_subi(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [_wrap(values[0] - values[1], op.results[0])]

    def arith_muli(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [_wrap(values[0] * values[1], op.results[0])]

    def arith_xori(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [_wrap(values[0] ^ values[1], op.results[0])]

    def arith_maxsi(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [max(values)]

    def arith_remui(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [values[0] % values[1]]

    def arith_cmpi(self, op: Operation, values: list[Value], env: Env) -> Any:
        first, second = values
        predicate = op.properties["predicate"]
        assert isinstance(predicate, IntegerAttr)
        signed = [
            first == second,
            first != second,
            first < second,
            first <= second,
            first > second,
            first >= second,
        ]
        number = predicate.value.data
        if number < 6:
            return [signed[number]]
        first, second = (_unsigned(v, op.operands[0].type) for v in values)
        unsigned = [first < second, first <= second, first > second, first >= second]
        return [unsigned[number - 6]]

    def arith_select(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [values[1] if values[0] else values[2]]

    # tensor

    def tensor_empty(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [np.full(_shape(op.results[0], values), UNDEFINED, np.int32)]

    def tensor_splat(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [np.full(_shape(op.results[0], values[1:]), values[0], np.int32)]

    def tensor_from_elements(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [np.array(values, np.int32).reshape(_shape(op.results[0], []))]

    def tensor_generate(self, op: Operation, values: list[Value], env: Env) -> Any:
        array = np.empty(_shape(op.results[0], values), np.int32)
        for place in np.ndindex(array.shape):
            _, (array[place],) = self.run(op.regions[0], place, env)
        return [array]

    def tensor_extract(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [int(values[0][_place(values[0], values[1:])])]

    def tensor_insert(self, op: Operation, values: list[Value], env: Env) -> Any:
        array = values[1].copy()
        array[_place(array, values[2:])] = values[0]
        return [array]

    def tensor_extract_slice(self, op: Operation, values: list[Value], env: Env) -> Any:
        part = values[0][_slices(op, values[0].shape, values[1:])]
        return [part.reshape(_reduced(part.shape, op.results[0]))]

    def tensor_insert_slice(self, op: Operation, values: list[Value], env: Env) -> Any:
        array = values[1].copy()
        where = _slices(op, array.shape, values[2:])
        array[where] = values[0].reshape(array[where].shape)
        return [array]

    def tensor_cast(self, op: Operation, values: list[Value], env: Env) -> Any:
        return values

    def tensor_dim(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [values[0].shape[values[1]]]

    def tensor_reshape(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [values[0].reshape(tuple(values[1]))]

    def tensor_collapse_shape(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [values[0].reshape(-1)]

    def tensor_expand_shape(self, op: Operation, values: list[Value], env: Env) -> Any:
        return [values[0].reshape(_shape(op.results[0], values[1:]))]

    def tensor_pad(self, op: Operation, values: list[Value], env: Env) -> Any:
        widths = zip(
            static_list(op, "static_low"), static_list(op, "static_high"), strict=True
        )
        array = np.pad(values[0], list(widths))
        inside = np.pad(
            np.ones_like(values[0]),
            [
                (low, high)
                for low, high in zip(
                    static_list(op, "static_low"),
                    static_list(op, "static_high"),
                    strict=True,
                )
            ],
        )
        for place in np.ndindex(array.shape):
            if not inside[place]:
                _, (array[place],) = self.run(op.regions[0], place, env)
        return [array]

    # bufferization

    def bufferization_alloc_tensor(
        self, op: Operation, values: list[Value], env: Env
    ) -> Any:
        sizes, copies, _ = static_list(op, "operandSegmentSizes")
        return [values[sizes]] if copies else self.tensor_empty(op, values, env)

    def bufferization_materialize_in_destination(
        self, op: Operation, values: list[Value], env: Env
    ) -> Any:
        if not op.results:
            # Into a buffer.
            values[1][...] = values[0]
            return []
        return values[:1]

    def bufferization_to_tensor(
        self, op: Operation, values: list[Value], env: Env
    ) -> Any:
        return [values[0].copy()]

    def bufferization_to_buffer(
        self, op: Operation, values: list[Value], env: Env
    ) -> Any:
        return values

    def memref_load(self, op: Operation, values: list[Value], env: Env) -> Any:
        return self.tensor_extract(op, values, env)

    def memref_alloc(self, op: Operation, values: list[Value], env: Env) -> Any:
        type_ = op.results[0].type
        assert isinstance(type_, MemRefType)
        given = iter(values)
        sizes = [next(given) if n == DYNAMIC_INDEX else n for n in type_.get_shape()]
        return [np.full(sizes, UNDEFINED, np.int32)]

    # vector

    def vector_transfer_read(self, op: Operation, values: list[Value], env: Env) -> Any:
        (width,) = op.results[0].type.get_shape()  # pyright: ignore
        return [self.element_array(values[0])[values[1] : values[1] + width].copy()]

    def vector_transfer_write(self, op: Operation, values: list[Value], env: Env) -> Any:
        array = values[1].copy()
        array[values[2] : values[2] + values[0].size] = values[0]
        return [array]

    def element_array(self, value: Value) -> Any:
        return value

    # linalg

    def _structured(
        self, op: linalg.LinalgStructuredOperation, values: list[Value], env: Env
    ) -> list[Value]:
        outputs = range(len(values) - len(op.results), len(values))
        arrays = list(values)
        for number in outputs:
            arrays[number] = values[number].copy()
        self.compute(op, arrays, outputs, env)
        return arrays[outputs.start :]

    def compute(
        self,
        op: linalg.LinalgStructuredOperation,
        arrays: list[Value],
        outputs: Sequence[int],
        env: Env,
    ) -> None:
        """Run the body of a structured op on all elements, and write the outputs."""
        maps = [attribute.data for attribute in op.get_indexing_maps().data]
        extents: dict[int, int] = {}
        for map_, value in zip(maps, arrays, strict=True):
            for dimension, result in enumerate(map_.results):
                if isinstance(result, AffineDimExpr):
                    extents[result.position] = value.shape[dimension]
        where = [_compiled(map_) for map_ in maps]
        block = op.regions[0].block
        used = [argument.first_use is not None for argument in block.args]
        for place in product(*(range(extents[d]) for d in range(maps[0].num_dims))):
            for argument, array, is_used, at in zip(
                block.args, arrays, used, where, strict=True
            ):
                if is_used:
                    is_array = isinstance(array, np.ndarray)
                    env[argument] = int(array[at(place)]) if is_array else array
            self._place = place
            end = self._run_ops(block, env)
            for number, result in zip(outputs, end.operands, strict=True):
                arrays[number][where[number](place)] = env[result]

    def linalg_index(self, op: Operation, values: list[Value], env: Env) -> Any:
        dimension = op.properties["dim"]
        assert isinstance(dimension, IntegerAttr)
        return [self._place[dimension.value.data]]

    # scf

    def scf_for(self, op: Operation, values: list[Value], env: Env) -> Any:
        *bounds, carried = *values[:3], values[3:]
        counter = op.regions[0].block.args[0]
        if "unsignedCmp" in op.properties:
            bounds = [_unsigned(bound, counter.type) for bound in bounds]
        for number in range(*bounds):
            first = _wrap(number, counter)
            _, carried = self.run(op.regions[0], [first, *carried], env)
        return carried

    def scf_if(self, op: Operation, values: list[Value], env: Env) -> Any:
        region = op.regions[0 if values[0] else 1]
        return self.run(region, [], env)[1] if region.blocks else []

    def scf_index_switch(self, op: Operation, values: list[Value], env: Env) -> Any:
        cases = static_list(op, "cases")
        number = cases.index(values[0]) + 1 if values[0] in cases else 0
        return self.run(op.regions[number], [], env)[1]

    def scf_execute_region(self, op: Operation, values: list[Value], env: Env) -> Any:
        return self.run(op.regions[0], [], env)[1]

    def scf_while(self, op: Operation, values: list[Value], env: Env) -> Any:
        while True:
            _, (again, *passed) = self.run(op.regions[0], values, env)
            if not again:
                return passed
            _, values = self.run(op.regions[1], passed, env)

    def scf_forall(self, op: Operation, values: list[Value], env: Env) -> Any:
        """Every thread sees the outputs as they were before the loop."""
        count = len(values) - len(op.results)
        sizes = iter(values[:count])
        ranges = [
            range(next(sizes) if bound == DYNAMIC_INDEX else bound)
            for bound in static_list(op, "staticUpperBound")
        ]
        outputs = values[count:]
        results = [output.copy() for output in outputs]
        arguments = op.regions[0].block.args[len(ranges) :]
        for thread in product(*ranges):
            end, _ = self.run(op.regions[0], [*thread, *outputs], env)
            for insertion in end.regions[0].block.ops:
                source, dest, *place = (env[operand] for operand in insertion.operands)
                result = results[arguments.index(insertion.operands[1])]
                where = _slices(insertion, dest.shape, place)
                result[where] = source.reshape(result[where].shape)
        return results

    def scf_parallel(self, op: Operation, values: list[Value], env: Env) -> Any:
        low, high, step, *totals = values
        for iteration in range(low, high, step):
            end, reduced = self.run(op.regions[0], [iteration], env)
            totals = [
                self.run(region, [total, value], env)[1][0]
                for region, total, value in zip(end.regions, totals, reduced, strict=True)
            ]
        return totals

    # ops that are passed through

    def memref_alloca_scope(self, op: Operation, values: list[Value], env: Env) -> Any:
        return self.run(op.regions[0], [], env)[1]

    def affine_for(self, op: Operation, values: list[Value], env: Env) -> Any:
        (high,) = op.properties["upperBoundMap"].data.eval([], [])  # pyright: ignore
        for counter in range(high):
            _, values = self.run(op.regions[0], [counter, *values], env)
        return values

    def affine_if(self, op: Operation, values: list[Value], env: Env) -> Any:
        (constraint,) = op.properties["condition"].data.constraints  # pyright: ignore
        number = (
            0 if constraint.lhs.eval(values, []) >= constraint.rhs.eval([], []) else 1
        )
        return self.run(op.regions[number], [], env)[1]

    def affine_parallel(self, op: Operation, values: list[Value], env: Env) -> Any:
        (high,) = op.properties["upperBoundsMap"].data.eval([], [])  # pyright: ignore
        for counter in range(high):
            self.run(op.regions[0], [counter], env)
        return []

    def _repeat(self, op: UnregisteredOp, env: Env) -> list[Value]:
        """The op that is not registered runs its region twice."""
        self.run(op.regions[0], [], env)
        return self.run(op.regions[0], [], env)[1]

    # func

    def func_call(self, op: Operation, values: list[Value], env: Env) -> Any:
        callee = op.properties["callee"]
        assert isinstance(callee, SymbolRefAttr)
        return self.call(callee.root_reference.data, values)

    def func_constant(self, op: Operation, values: list[Value], env: Env) -> Any:
        """The value of a function is its name."""
        function = op.properties["value"]
        assert isinstance(function, SymbolRefAttr)
        return [function.root_reference.data]

    def func_call_indirect(self, op: Operation, values: list[Value], env: Env) -> Any:
        return self.call(values[0], values[1:])


def _compiled(map_: AffineMap) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
    """A map as a function; most only choose dimensions."""
    positions = [r.position for r in map_.results if isinstance(r, AffineDimExpr)]
    if len(positions) < len(map_.results):
        return lambda place: map_.eval(place, [])
    return lambda place: tuple(place[position] for position in positions)


def _chosen(end: Operation, values: list[Value]) -> tuple[Block, list[Value]]:
    """Where cf.switch goes, and with what."""
    count = static_list(end, "operandSegmentSizes")[1]
    segments = static_list(end, "case_operand_segments")
    cases = end.properties.get("case_values")
    numbers: list[int] = []
    if isinstance(cases, DenseIntOrFPElementsAttr):
        numbers = [int(number) for number in cases.get_values()]
    if values[0] not in numbers:
        return end.successors[0], values[1 : 1 + count]
    case = numbers.index(values[0])
    start = 1 + count + sum(segments[:case])
    return end.successors[1 + case], values[start : start + segments[case]]


def _unsigned(number: int, type: Attribute) -> int:
    """The number that the bits of an integer are without a sign. Indices are not
    negative: signed and unsigned are alike."""
    return (
        number & ((1 << type.width.data) - 1) if isinstance(type, IntegerType) else number
    )


def _wrap(number: Value, result: SSAValue) -> Value:
    if isinstance(number, np.ndarray):
        return number.astype(np.int32)
    if isinstance(result.type, IndexType):
        return number
    assert isinstance(result.type, IntegerType)
    width = result.type.width.data
    number &= (1 << width) - 1
    return number - (1 << width) if width > 1 and number >> (width - 1) else number


def _shape(result: SSAValue, sizes: Sequence[int]) -> tuple[int, ...]:
    assert isinstance(result.type, TensorType)
    given = iter(sizes)
    return tuple(
        next(given) if size == DYNAMIC_INDEX else size for size in result.type.get_shape()
    )


def _place(array: Any, indices: Sequence[int]) -> tuple[int, ...]:
    assert all(0 <= i < size for i, size in zip(indices, array.shape, strict=True)), (
        f"index {indices} is out of bounds of {array.shape}"
    )
    return tuple(indices)


def _slices(
    op: Operation, shape: Sequence[int], values: Sequence[int]
) -> tuple[slice, ...]:
    given = iter(values)
    offsets, sizes, strides = (
        [next(given) if n == DYNAMIC_INDEX else n for n in static_list(op, name)]
        for name in ("static_offsets", "static_sizes", "static_strides")
    )
    for offset, size, stride, extent in zip(offsets, sizes, strides, shape, strict=True):
        assert offset >= 0 and offset + (size - 1) * stride < extent, "out of bounds"
    return tuple(
        slice(offset, offset + (size - 1) * stride + 1, stride)
        for offset, size, stride in zip(offsets, sizes, strides, strict=True)
    )


def _reduced(shape: tuple[int, ...], result: SSAValue) -> tuple[int, ...]:
    """The sizes of a slice without the ones that its type leaves out, leading ones."""
    assert isinstance(result.type, TensorType)
    return shape[len(shape) - result.type.get_num_dims() :]
