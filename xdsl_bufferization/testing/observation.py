"""The behaviour of a bufferized op on memory, observed by running it.

The op is bufferized with every operand in place, on distinct buffers, lowered and
compiled with allocations counted and poisoned. Then it runs on arrays: once, and then
once for each operand with different contents in that operand only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, cast

import numpy as np
from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint
from xdsl.traits import MemoryEffectKind, get_effects
from xdsl.utils.exceptions import PassFailedException, VerifyException

from xdsl_bufferization import jit
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.pipelines import LowerToLLVMPipeline
from xdsl_bufferization.testing.case import (
    OpCase,
    find_op,
    is_ranked,
    is_tensor_text,
    memref_text,
)
from xdsl_bufferization.transforms.utils.bufferize import bufferize_op
from xdsl_bufferization.universe import BUFFERIZATION_UNIVERSE

Array = np.ndarray[Any, np.dtype[Any]]
OPTIONS = BufferizationOptions(
    bufferize_function_boundaries=True,
    # Arrays are dense, and an op need not copy what may have any layout.
    function_boundary_type_conversion="identity-layout-map",
)
_COUNTER = "%executions__"
_TENSOR = re.compile(r"tensor<((?:\d+x)*)(\w+)>")
_DTYPES = {
    "index": "int64",
    "i1": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
}


@dataclass
class Layout:
    """Where a result is in memory."""

    address: int
    """Of its first element, in bytes."""
    strides: Sequence[int]
    """In elements."""


@dataclass
class Run:
    """The effects of one execution."""

    arrays: Mapping[str, Array]
    """The tensor arguments, afterwards."""
    results: Sequence[Any]
    """The results: for a tensor, a copy of its contents."""
    layouts: Sequence[Layout | None]
    """Where each result is; None for one that is no tensor."""
    executions: Sequence[int]
    """How often each region was executed."""
    allocations: int


@dataclass
class Observation:
    """What an op does."""

    program: str
    """The program that was run, on tensors."""
    written: set[str] = field(default_factory=set[str])
    """The arguments whose buffers it writes."""
    needed: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    """The results that depend on the contents of an argument. -1 stands for the contents
    of other arguments."""
    overlaps: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    """The arguments and results that share memory."""
    same: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    """Those that are the same buffer, with the same strides."""
    different: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    """Those that are not, in one run at least."""
    shared_results: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """The results that share memory with each other."""
    poisoned: set[int] = field(default_factory=set[int])
    """The results with contents that nothing has written."""
    executions: Sequence[int] = ()
    allocations: int = 0
    effects: set[MemoryEffectKind] | None = None
    """The memory effects that the ops on memrefs declare; None when one declares none."""


class Probe:
    """An op, bufferized in place and compiled."""

    def __init__(self, case: OpCase):
        self.case = case
        self.types = case.result_types()
        self.program = self._write()
        module = case.parse(self.program)
        op = find_op(module)
        self.region_count = len(op.regions)
        bufferize_op(module, OPTIONS)
        module.verify()
        self.effects = _declared_effects(module, op.name.partition(".")[0])
        self.compiled = jit.compile(
            _with_counted_executions(module, op.name),
            [*case.lowering, LowerToLLVMPipeline()],
            count=True,
            context=case.context,
        )

    def _write(self) -> str:
        """The op, then its results copied and their places in memory returned."""
        body = [self.case.text]
        more: dict[str, str] = {}
        returned: list[tuple[str, str]] = []
        for name, type_ in zip(self.case.results, self.types, strict=True):
            if not is_ranked(type_):
                returned.append((name, str(type_)))
                continue
            buffer, out = f"{name}_buffer__", f"{name}_out__"
            of = memref_text(type_)
            sizes = "".join(f"{size}x" for size in type_.get_shape())
            rank = len(type_.get_shape())
            more[out] = f"memref<{sizes}{type_.element_type}>"
            names = [
                f"{buffer}{what}" for what in ("b", "o", *(f"n{i}" for i in range(rank)))
            ]
            strides = [f"{buffer}s{i}" for i in range(rank)]
            indices = ", ".join(["index"] * (1 + 2 * rank))
            body += [
                f"{buffer} = bufferization.to_buffer {name} : {type_} to {of}",
                f"memref.copy {buffer}, {out} : {of} to {more[out]}",
                f"{buffer}p = memref.extract_aligned_pointer_as_index {buffer} : {of} "
                "-> index",
                f"{', '.join([*names, *strides])} = memref.extract_strided_metadata "
                f"{buffer} : {of} -> memref<{type_.element_type}>, {indices}",
            ]
            returned += [
                (value, "index") for value in (f"{buffer}p", f"{buffer}o", *strides)
            ]
        more[_COUNTER] = "memref<?xindex>"
        return self.case.function("main", "\n".join(body), more, returned)

    def run(self, arguments: Mapping[str, Any]) -> Run:
        """Execute the op once. The arrays are copied."""
        arrays = {
            name: cast(Array, value).copy()
            for name, value in arguments.items()
            if isinstance(value, np.ndarray)
        }
        outs: list[Array] = [
            np.zeros(type_.get_shape(), _dtype(str(type_.element_type)))
            for type_ in self.types
            if is_ranked(type_)
        ]
        counter = np.zeros(max(self.region_count, 1), dtype="int64")
        self.compiled.reset_stats()
        values: Any = self.compiled["main"](
            *(arrays.get(name, value) for name, value in arguments.items()),
            *outs,
            counter,
        )
        returned = list(as_tuple(values))
        results: list[Any] = []
        layouts: list[Layout | None] = []
        for type_ in self.types:
            if not is_ranked(type_):
                results.append(returned.pop(0))
                layouts.append(None)
                continue
            out = outs.pop(0)
            results.append(out)
            pointer, offset = int(returned.pop(0)), int(returned.pop(0))
            strides = [int(returned.pop(0)) for _ in type_.get_shape()]
            layouts.append(Layout(pointer + offset * out.itemsize, strides))
        return Run(
            arrays, results, layouts, counter.tolist(), self.compiled.stats().allocations
        )

    def observe(self) -> Observation:
        """Run the op on several contents, and compare."""
        seen = Observation(self.program, effects=self.effects)
        for seed in range(2):
            arguments = make_arguments(self.case, seed)
            base = self.run(arguments)
            self._observe_memory(arguments, base, seen)
            for name, value in arguments.items():
                if isinstance(value, np.ndarray):
                    changed = {**arguments, name: other_contents(cast(Array, value))}
                    try:
                        other = self.run(changed)
                    except jit.CheckError:  # They are not allowed, and so they matter.
                        seen.needed.setdefault(name, set()).add(-1)
                    else:
                        self._observe_reads(name, base, other, seen)
            seen.executions = list(
                map(max, base.executions, seen.executions or base.executions)
            )
            seen.allocations = max(seen.allocations, base.allocations)
        return seen

    def _observe_memory(
        self, arguments: Mapping[str, Any], run: Run, seen: Observation
    ) -> None:
        ranges: list[tuple[int, int] | None] = []
        for number, layout in enumerate(run.layouts):
            if layout is None:
                ranges.append(None)
                continue
            result: Array = run.results[number]
            if not result.size:
                # No memory is no memory that is shared.
                ranges.append(None)
                continue
            if set(result.tobytes()) == {0xFF}:
                seen.poisoned.add(number)
            span = sum(
                (size - 1) * stride
                for size, stride in zip(result.shape, layout.strides, strict=True)
            )
            end = layout.address + (span + 1) * result.itemsize
            ranges.append((layout.address, end))
        for name, after in run.arrays.items():
            if after.tobytes() != arguments[name].tobytes():
                seen.written.add(name)
            start = after.ctypes.data
            for number, interval in enumerate(ranges):
                layout = run.layouts[number]
                if interval is None or layout is None or not after.size:
                    continue
                is_same = False
                if interval[0] < start + after.nbytes and start < interval[1]:
                    seen.overlaps.add((name, number))
                    result = run.results[number]
                    # Arrays are dense. A view of another rank may be the same buffer.
                    strides = [stride // result.itemsize for stride in result.strides]
                    is_same = (
                        start == layout.address
                        and result.nbytes == after.nbytes
                        and strides == layout.strides
                    )
                (seen.same if is_same else seen.different).add((name, number))
        for first, interval in enumerate(ranges):
            for second in range(first + 1, len(ranges)):
                other = ranges[second]
                if (
                    interval
                    and other
                    and max(interval[0], other[0]) < min(interval[1], other[1])
                ):
                    seen.shared_results.add((first, second))

    def _observe_reads(self, name: str, base: Run, other: Run, seen: Observation) -> None:
        needed = seen.needed.setdefault(name, set())
        for number, (first, second) in enumerate(
            zip(base.results, other.results, strict=True)
        ):
            if np.asarray(first).tobytes() != np.asarray(second).tobytes():
                needed.add(number)
        if any(
            base.arrays[key].tobytes() != other.arrays[key].tobytes()
            for key in base.arrays
            if key != name
        ):
            needed.add(-1)


def as_tuple(results: Any) -> tuple[Any, ...]:
    """What a function returns, as a tuple also where it is one value, or none."""
    if results is None:
        return ()
    return cast("tuple[Any, ...]", results) if isinstance(results, tuple) else (results,)


def make_arguments(case: OpCase, seed: int) -> dict[str, Any]:
    """Contents for the arguments: the same for the same seed."""
    generator = np.random.default_rng(seed)
    low, high = case.integers
    arguments: dict[str, Any] = {}
    for name, type_ in case.arguments.items():
        if not is_tensor_text(type_):
            number = int(generator.integers(low, high))
            if type_ == "i1":  # Both, in two runs.
                number = seed % 2
            arguments[name] = float(number) if type_.startswith("f") else number
            continue
        match = _TENSOR.fullmatch(type_)
        if match is None or match[2] not in _DTYPES:
            raise PassFailedException(
                f"the case has an argument of type {type_}; it must be a tensor of a "
                f"static shape, of elements of {', '.join(_DTYPES)}."
            )
        sizes, element = match.groups()
        shape = tuple(int(size) for size in sizes.split("x")[:-1])
        if element.startswith("f"):
            # No two elements are equal.
            contents = generator.permutation(prod(shape)).reshape(shape) + 1
        else:
            contents = generator.integers(low, high, shape)
        arguments[name] = contents.astype(_dtype(element))
    return arguments


def other_contents(array: Array) -> Array:
    """Contents that differ in every element."""
    return (
        np.logical_not(array) if array.dtype == np.bool_ else array + array.dtype.type(1)
    )


def _dtype(element: str) -> str:
    return _DTYPES[element]


def _declared_effects(module: ModuleOp, dialect: str) -> set[MemoryEffectKind] | None:
    """What the bufferized ops of a dialect declare to do to memory; everything, where the
    dialect is one of this package, or none of its ops is left."""
    ops = [op for op in walk(module) if op.name.partition(".")[0] == dialect]
    if dialect in BUFFERIZATION_UNIVERSE.all_dialects or not ops:
        return set(MemoryEffectKind)
    kinds: set[MemoryEffectKind] = set()
    for op in ops:
        effects = get_effects(op)
        if effects is None:
            return None
        kinds |= {effect.kind for effect in effects}
    return kinds


def _with_counted_executions(module: ModuleOp, name: str) -> ModuleOp:
    """The program with a count of executions, if the op allows other ops in its regions:
    that of vector.mask allows none."""
    counted = module.clone()
    _count_executions(counted, name)
    try:
        counted.verify()
    except VerifyException:
        return module
    return counted


def _count_executions(module: ModuleOp, name: str) -> None:
    """Count in the last argument of `main` how often each region of the op is entered."""
    op: Operation | None = next((op for op in walk(module) if op.name == name), None)
    if op is None:
        return
    main = op
    while main.name != "func.func":
        parent = main.parent_op()
        assert parent is not None
        main = parent
    counter = main.regions[0].block.args[-1]
    for number, region in enumerate(op.regions):
        if region.blocks.first is None:
            continue
        builder = Builder(InsertPoint.at_start(region.blocks.first))
        index = builder.insert(arith.ConstantOp.from_int_and_width(number, IndexType()))
        one = builder.insert(arith.ConstantOp.from_int_and_width(1, IndexType()))
        before = builder.insert(memref.LoadOp.get(counter, [index]))
        after = builder.insert(arith.AddiOp(before, one))
        builder.insert(memref.StoreOp.get(after, counter, [index]))
