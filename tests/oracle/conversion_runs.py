"""Executing one program three ways, for the comparisons of the conversion room.

`reference` lowers a program with mlir-opt alone, `ours` with lower-to-llvm-pipeline to
LLVM IR with our target, and `through_mlir` takes our LLVM dialect text through
mlir-translate. All three give a `Compiled` module, whose functions on scalars can be
called in this process.

A function's arguments are tried with values from `edge_values` of their types.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import random
import re
import struct
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import llvmlite.binding as binding
from xdsl.universe import Universe

from tests.oracle.location import mlir_tool, runner_library
from tests.oracle.tools import parse, run_passes, to_text

LOWERING = "lower-to-llvm-pipeline"
REFERENCE_PASSES = (
    "--convert-bufferization-to-memref",
    *("--convert-linalg-to-loops", "--lower-affine", "--convert-scf-to-cf"),
    *("--expand-strided-metadata", "--memref-expand", "--lower-affine"),
    *("--lower-vector-mask", "--convert-vector-to-scf=full-unroll"),
    "--lower-vector-multi-reduction",
    *("--lower-affine", "--convert-scf-to-cf", "--expand-strided-metadata"),
    *("--lower-affine", "--convert-vector-to-llvm"),
    *("--convert-math-to-funcs", "--convert-math-to-llvm", "--convert-math-to-libm"),
    *("--convert-complex-to-standard", "--convert-math-to-llvm"),
    *("--convert-complex-to-llvm", "--convert-scf-to-cf"),
    *("--finalize-memref-to-llvm", "--convert-arith-to-llvm", "--convert-index-to-llvm"),
    *("--convert-ub-to-llvm", "--convert-cf-to-llvm", "--convert-func-to-llvm"),
    "--reconcile-unrealized-casts",
)

_TYPES: dict[str, Any] = {
    "i1": ctypes.c_bool,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "index": ctypes.c_int64,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
}


@dataclass
class Compiled:
    """A compiled module; keeps the engine alive."""

    engine: Any

    def call(self, function: Function, arguments: Sequence[Any]) -> Any:
        """Calls a function and returns its result: the bits of a float."""
        prototype = ctypes.CFUNCTYPE(
            _TYPES[function.result], *[_TYPES[name] for name in function.arguments]
        )
        address = self.engine.get_function_address(function.name)
        result = prototype(address)(*arguments)
        return bits(result, function.result)


@dataclass(frozen=True)
class Function:
    """A function on scalars, read from the text of a program."""

    name: str
    arguments: tuple[str, ...]
    result: str

    def __str__(self) -> str:
        return self.name


_FUNCTION = re.compile(r"func\.func @(\w+)\(([^)]*)\) -> (\w+)[^\n]*\{\n")


def functions_of(path: Path) -> list[Function]:
    """The functions of a file that take and return scalars."""
    found: list[Function] = []
    for name, arguments, result in _FUNCTION.findall(path.read_text()):
        types = tuple(a.split(":")[1].strip() for a in arguments.split(",") if a.strip())
        if result in _TYPES and all(t in _TYPES for t in types):
            found.append(Function(name, types, result))
    assert found, path
    return found


def bits(value: Any, type_: str) -> Any:
    """A value for comparison: floats by their bits, all NaNs alike."""
    if type_ not in ("f32", "f64"):
        return int(value)
    if math.isnan(value):
        return "nan"
    return struct.pack("<d", value)


def ulps(a: Any, b: Any, type_: str) -> float:
    """How many representable numbers lie between two floats given as their bits."""
    if a == b:
        return 0
    if "nan" in (a, b):
        return math.inf
    x, y = struct.unpack("<d", a)[0], struct.unpack("<d", b)[0]
    if x == y:
        return 0
    if math.isinf(x) or math.isinf(y):
        return math.inf
    if type_ == "f64":
        step = math.ulp(max(abs(x), abs(y)))
    else:
        step = math.ulp(max(abs(x), abs(y), 2.0**-126)) * 2.0**29
    return abs(x - y) / step


# Compiling


def compile_ir(text: str, *others: str) -> Compiled:
    """A module from LLVM IR text, linked with others."""
    _set_up()
    module = binding.parse_assembly(text)
    for other in others:
        module.link_in(binding.parse_assembly(other))
    module.verify()
    machine = binding.Target.from_default_triple().create_target_machine(jit=True)
    engine = binding.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return Compiled(engine)


def _set_up() -> None:
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    library = runner_library()
    if library is not None:
        binding.load_library_permanently(str(library))


def mlir(text: str, *flags: str, tool: str = "mlir-opt") -> str:
    """What a tool of MLIR prints for a text."""
    done = subprocess.run(
        [mlir_tool(tool), *flags],
        check=False,
        input=text,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{tool} {' '.join(flags)}\n{done.stderr}\n{text[:3000]}"
    return done.stdout


def lower(text: str, pipeline: str, target: str | None = None) -> str:
    """A program through our passes, as text of the IR or of a target."""
    context, module = parse(text)
    run_passes(context, module, pipeline)
    if target is None:
        return to_text(module)
    stream = StringIO()
    Universe.get_multiverse().all_targets[target]()().emit(context, module, stream)
    return stream.getvalue()


def reference(text: str, passes: Sequence[str] = REFERENCE_PASSES) -> Compiled:
    """The program lowered by mlir-opt. Its arith-expand gets the sign of the greater of
    two zeros wrong, so that it is only used where divisions need it.
    """
    if "arith.ceildiv" in text or "arith.floordiv" in text:
        passes = ("--arith-expand", *passes)
    dialect = mlir(text, *passes)
    return compile_ir(mlir(dialect, "--mlir-to-llvmir", tool="mlir-translate"))


def ours(text: str, pipeline: str = LOWERING) -> Compiled:
    """The program lowered and translated by this package."""
    return compile_ir(lower(text, pipeline, target="llvm"))


def through_mlir(text: str, pipeline: str = LOWERING) -> Compiled:
    """The program lowered by this package; its LLVM dialect translated by MLIR."""
    dialect = lower(text, pipeline)
    return compile_ir(mlir(dialect, "--mlir-to-llvmir", tool="mlir-translate"))


# Arguments

_INTEGERS = (0, 1, 2, 3, 5, 7, 31, 100, -1, -2, -3, -7, -100)
_FLOATS = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.0, 0.3, -7.25, 100.125, 1e-5, 1e6),
    *(math.inf, -math.inf, math.nan),
)


def edge_values(type_: str) -> list[Any]:
    """Values of a type that tend to go wrong."""
    if type_ in ("f32", "f64"):
        return list(_FLOATS)
    if type_ == "i1":
        return [False, True]
    width = 64 if type_ == "index" else int(type_[1:])
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    return sorted({v for v in (*_INTEGERS, low, low + 1, high) if low <= v <= high})


def argument_lists(function: Function, limit: int = 200) -> Iterator[tuple[Any, ...]]:
    """All combinations of edge values, or a fixed choice of them if they are many."""
    lists = [edge_values(type_) for type_ in function.arguments]
    combinations = list(itertools.product(*lists))
    if len(combinations) > limit:
        combinations = random.Random(function.name).sample(combinations, limit)
    yield from combinations
