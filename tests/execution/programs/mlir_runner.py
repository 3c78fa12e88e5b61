"""Running the programs of this folder under mlir-runner, all in one process.

Functions and affine maps get the program's name as a prefix, so that all programs fit in
one module. Each gets a function that makes its arguments, constants, calls @main and
prints the elements of the results as integers; `entry` calls them all. What is printed
is read back here as the array it was.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    ComplexType,
    Float64Type,
    IndexType,
    IntegerType,
    TensorType,
    UnrankedTensorType,
    i1,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from tests.execution.programs.program import Program
from tests.oracle.location import mlir_tool, runner_library
from tests.oracle.tools import parse, xdsl_opt
from xdsl_bufferization import jit

PRINTERS = "func.func private @printI64(i64)\nfunc.func private @printNewline()\n"

Results = list[np.ndarray[Any, Any]]


def run_all(programs: Sequence[Program]) -> dict[str, Results]:
    """The results of each program, floats in 64 bits."""
    text = PRINTERS + "\n".join(map(_module, programs))
    calls = "\n".join(f"  call @{p.name}_entry() : () -> ()" for p in programs)
    text += f"\nfunc.func @entry() {{\n{calls}\n  return\n}}\n"
    lowered = xdsl_opt(text, jit.DEFAULT_PIPELINE)
    assert lowered.accepted, lowered.error
    done = subprocess.run(
        [
            *(mlir_tool("mlir-runner"), "-e", "entry", "-entry-point-result=void"),
            *("-O1", f"-shared-libs={runner_library()}"),
        ],
        input=lowered.text,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    numbers = iter(map(int, done.stdout.split()))
    results = {p.name: _read(numbers, p) for p in programs}
    assert next(numbers, None) is None, "more was printed than the results"
    return results


def _main_types(program: Program) -> tuple[Sequence[Attribute], Sequence[Attribute]]:
    _, module = parse(program.text)
    for op in module.ops:
        if isinstance(op, FuncOp) and op.sym_name.data == "main":
            return op.function_type.inputs.data, op.function_type.outputs.data
    raise ValueError(f"{program.name} has no @main")


def _module(program: Program) -> str:
    """The program under names of its own, and the function that calls it."""
    inputs, outputs = _main_types(program)
    text = re.sub(r"@(\w+)", rf"@{program.name}_\1", program.text)
    for alias in re.findall(r"^\s*#(\w+) =", text, re.M):
        text = re.sub(rf"#{alias}\b", f"#{program.name}_{alias}", text)
    arguments, _ = program.example()
    lines: list[str] = []
    for number, (type_, value) in enumerate(zip(inputs, arguments, strict=True)):
        lines += _argument(f"%a{number}", type_, value)
    names = [f"%r{number}" for number in range(len(outputs))]
    values = ", ".join(f"%a{number}" for number in range(len(inputs)))
    signature = f"({_joined(inputs)}) -> ({_joined(outputs)})"
    lines.append(
        f"{', '.join(names)} = call @{program.name}_main({values}) : {signature}"
    )
    lines += ["%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index"]
    for name, type_ in zip(names, outputs, strict=True):
        lines += _print(name, type_)
    lines.append("call @printNewline() : () -> ()")
    body = "\n  ".join([*lines, "return"])
    return f"{text}\nfunc.func private @{program.name}_entry() {{\n  {body}\n}}\n"


def _joined(types: Sequence[Attribute]) -> str:
    return ", ".join(map(str, types))


def _argument(name: str, type_: Attribute, value: Any) -> list[str]:
    if not isinstance(type_, TensorType | UnrankedTensorType):
        literal = _literal(type_, value)
        typed = literal if type_ == i1 else f"{literal} : {type_}"
        return [f"{name} = arith.constant {typed}"]
    element = type_.element_type
    static = TensorType(element, value.shape)
    lines = [f"{name}s = arith.constant dense<{_literals(element, value)}> : {static}"]
    if static == type_:
        lines[0] = lines[0].replace(f"{name}s", name, 1)
        return lines
    return [*lines, f"{name} = tensor.cast {name}s : {static} to {type_}"]


def _literals(element: Attribute, value: Any) -> str:
    if value.ndim:
        return f"[{', '.join(_literals(element, part) for part in value)}]"
    return _literal(element, value)


def _literal(type_: Attribute, value: Any) -> str:
    if isinstance(type_, ComplexType):
        return f"({float(value.real)!r}, {float(value.imag)!r})"
    if isinstance(type_, IntegerType | IndexType):
        return str(int(value)) if type_ != IntegerType(1) else str(bool(value)).lower()
    return format(float(value), ".17e")


# Printing and reading


def _print(name: str, type_: Attribute) -> list[str]:
    """Prints the sizes, and each element as one or two integers."""
    if not isinstance(type_, TensorType):
        return _print_element(name, name, type_)
    rank = type_.get_num_dims()
    lines: list[str] = []
    for dim in range(rank):
        size = f"{name}n{dim}"
        lines += [
            f"{size}d = arith.constant {dim} : index",
            f"{size} = tensor.dim {name}, {size}d : {type_}",
            *_print_element(size, size, IndexType()),
        ]
    indices = [f"{name}i{dim}" for dim in range(rank)]
    for dim, index in enumerate(indices):
        lines.append(f"scf.for {index} = %c0 to {name}n{dim} step %c1 {{")
    element = f"{name}e"
    lines.append(f"{element} = tensor.extract {name}[{', '.join(indices)}] : {type_}")
    call = _print_element(element, element, type_.element_type)
    lines += [line.replace("call @", "func.call @") for line in call]
    return [*lines, *["}"] * rank]


def _print_element(name: str, value: str, type_: Attribute) -> list[str]:
    print_ = f"call @printI64({name}p) : (i64) -> ()"
    space = "call @printNewline() : () -> ()"
    if isinstance(type_, ComplexType):
        part = type_.element_type
        lines: list[str] = []
        for half in ("re", "im"):
            lines.append(f"{name}{half} = complex.{half} {value} : {type_}")
            lines += _print_element(f"{name}{half}", f"{name}{half}", part)
        return lines
    if isinstance(type_, IndexType):
        convert = [f"{name}p = arith.index_cast {value} : index to i64"]
    elif isinstance(type_, IntegerType):
        width = type_.width.data
        extend = "extui" if width == 1 else "extsi"
        convert = [f"{name}p = arith.{extend} {value} : {type_} to i64"]
        if width == 64:
            convert = [f"{name}z = arith.constant 0 : i64"]
            convert.append(f"{name}p = arith.addi {value}, {name}z : i64")
    else:
        wide = value
        convert = []
        if not isinstance(type_, Float64Type):
            wide = f"{name}w"
            convert.append(f"{wide} = arith.extf {value} : {type_} to f64")
        convert.append(f"{name}p = arith.bitcast {wide} : f64 to i64")
    return [*convert, print_, space]


def _read(numbers: Iterator[int], program: Program) -> Results:
    _, outputs = _main_types(program)
    results: Results = []
    for type_ in outputs:
        shape: tuple[int, ...] = ()
        element = type_
        if isinstance(type_, TensorType):
            shape = tuple(next(numbers) for _ in range(type_.get_num_dims()))
            element = type_.element_type
        count = int(np.prod(shape, dtype=int))
        per_element = 2 if isinstance(element, ComplexType) else 1
        raw = np.array([next(numbers) for _ in range(count * per_element)], "i8")
        if isinstance(element, ComplexType):
            raw = raw.view("c16")
        elif not isinstance(element, IntegerType | IndexType):
            raw = raw.view("f8")
        results.append(raw.reshape(shape))
    return results
