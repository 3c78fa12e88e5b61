"""Frames, which pass values between Python and compiled code.

A compiled function's own calling convention (descriptors spread over parameters, several
results in one struct) cannot be expressed in ctypes. Each public function therefore
gets a second entry in LLVM IR that takes one pointer to a frame: an array of eight-byte
slots, first the parameters', then the results'.

    define void @jit.call.f(ptr %frame) {      ; f(tensor<?xf32>, i32) -> f32
      %0 = load ptr, ptr %frame                ; one load per field of a descriptor
      ...
      %6 = call float @jit.function.f(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4, i32 %5)
      store float %6, ptr %result
      ret void
    }

The module's own functions are called `jit.function.f` in memory, so that a function
with the name of a C library function, such as exp, is not confused with it.

A declared function that Python implements gets the inverse: a body that fills a frame,
calls `jit.python.f` on it and reads the results back.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from xdsl_bufferization.jit.elements import Element
from xdsl_bufferization.jit.signature import Crossing, Scalar, Signature

FUNCTION_PREFIX = "jit.function."
CALL_PREFIX = "jit.call."
C_PREFIX = "_mlir_ciface_"
PYTHON_PREFIX = "jit.python."
GLOBALS_TABLE = "jit.globals"
SLOT_BYTES = 8
_MAX_CALLS = 100
"""How often Python is called for results, before the process is ended instead."""


@dataclass(frozen=True)
class Frame:
    """The layout of a signature's frame."""

    parameters: struct.Struct
    results: struct.Struct
    parameter_slots: tuple[slice, ...]
    """Which of the unpacked values belong to each parameter."""
    result_slots: tuple[slice, ...]

    @property
    def size(self) -> int:
        return self.parameters.size + self.results.size


def frame_of(signature: Signature) -> Frame:
    return Frame(
        _struct(signature.parameters),
        _struct(signature.results),
        _slices(signature.parameters),
        _slices(signature.results),
    )


def _struct(crossings: Sequence[Crossing]) -> struct.Struct:
    return struct.Struct("=" + "".join(crossing.slot_format for crossing in crossings))


def _slices(crossings: Sequence[Crossing]) -> tuple[slice, ...]:
    counts = [sum(c not in "0123456789x" for c in x.slot_format) for x in crossings]
    ends = list(accumulate(counts))
    return tuple(slice(end - n, end) for n, end in zip(counts, ends, strict=True))


def call_entry(signature: Signature) -> str:
    """The LLVM IR of a function that takes a frame and calls the compiled function."""
    writer = _Writer()
    arguments: list[str] = []
    slot = 0
    for parameter in signature.parameters:
        slot = _load_parameter(writer, parameter, slot, arguments)
    function = symbol(FUNCTION_PREFIX + signature.name)
    callee = f"{signature.llvm_result} {function}"
    call = f"call {callee}({', '.join(arguments)}) noinline"
    if not signature.results:
        writer.add(call)
    else:
        returned = writer.value(call)
        for i, result in enumerate(signature.results):
            value = returned
            if len(signature.results) > 1:
                value = writer.value(
                    f"extractvalue {signature.llvm_result} {returned}, {i}"
                )
            slot = _store_result(writer, result, slot, value)
    parameters = (t for p in signature.parameters for t in p.llvm_parameters)
    return "\n".join(
        [
            f"declare {signature.llvm_result} {function}({', '.join(parameters)})",
            f"define void {symbol(CALL_PREFIX + signature.name)}(ptr %frame) {{",
            *writer.lines,
            "  ret void",
            "}",
        ]
    )


def python_entries(signatures: Iterable[Signature]) -> Sequence[str]:
    """The LLVM IR of bodies for declared functions, and of what they need."""
    entries = [_python_entry(signature) for signature in signatures]
    return [*entries, "declare void @llvm.trap()"] if entries else []


def _python_entry(signature: Signature) -> str:
    """The LLVM IR of a body for a declared function: it calls Python on a frame.

    After the results, the frame has a slot for how often Python has been called; Python
    makes it zero when the results are there. A signal's handler may raise an exception
    before Python can catch it, and ctypes drops that. Python is then called once more.
    """
    writer = _Writer()
    callback = symbol(PYTHON_PREFIX + signature.name)
    frame = frame_of(signature)
    parameters: list[str] = []
    slots = frame.size // SLOT_BYTES
    writer.add(f"%frame = alloca [{slots + 1} x i64], align 16")
    writer.add(f"%calls = getelementptr i64, ptr %frame, i64 {slots}")
    slot = 0
    for parameter in signature.parameters:
        slot = _store_parameter(writer, parameter, slot, parameters)
    writer.lines += [
        "  store i64 1, ptr %calls",
        "  br label %python",
        "python:",
        f"  call void {callback}(ptr %frame)",
        "  %called = load i64, ptr %calls",
        "  %finished = icmp eq i64 %called, 0",
        "  br i1 %finished, label %results, label %again",
        "again:",
        "  %next = add i64 %called, 1",
        "  store i64 %next, ptr %calls",
        f"  %endless = icmp ugt i64 %next, {_MAX_CALLS}",
        "  br i1 %endless, label %abort, label %python",
        "abort:",
        "  call void @llvm.trap()",
        "  unreachable",
        "results:",
    ]
    returned = "poison"
    for i, result in enumerate(signature.results):
        value = _load_result(writer, result, slot)
        slot += result.slots
        if len(signature.results) == 1:
            returned = value
        else:
            returned = writer.value(
                f"insertvalue {signature.llvm_result} {returned}, "
                f"{result.llvm_result} {value}, {i}"
            )
    tail = f"{signature.llvm_result} {returned}" if signature.results else "void"
    return "\n".join(
        [
            f"declare void {callback}(ptr)",
            f"define {signature.llvm_result} {symbol(FUNCTION_PREFIX + signature.name)}"
            f"({', '.join(parameters)}) {{",
            *writer.lines,
            f"  ret {tail}",
            "}",
        ]
    )


def globals_table(sizes: Mapping[str, int]) -> str:
    """The LLVM IR of a table that says where global variables of these sizes lie.

    A null entry ends it: JITLink ends the process when it is given an object without a
    single byte, which a module without functions for Python would otherwise be.
    """
    names = [symbol(name) for name in sizes]
    entries = [
        *(
            f"{{ ptr, i64 }} {{ ptr {name}, i64 {size} }}"
            for name, size in zip(names, sizes.values(), strict=True)
        ),
        "{ ptr, i64 } zeroinitializer",
    ]
    type = f"[{len(entries)} x {{ ptr, i64 }}]"
    return "\n".join(
        [
            *(f"{name} = external hidden global i8" for name in names),
            f"@{GLOBALS_TABLE} = constant {type} [{', '.join(entries)}]",
        ]
    )


def read_globals_table(address: int, count: int) -> list[tuple[int, int]]:
    """Address and size of each variable in a table, by address."""
    fields = list((ctypes.c_int64 * (2 * count)).from_address(address))
    return sorted(zip(fields[::2], fields[1::2], strict=True))


class _Writer:
    """Lines of a function's body, with numbered values."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._values = 0

    def add(self, instruction: str) -> None:
        self.lines.append("  " + instruction)

    def value(self, instruction: str) -> str:
        name = f"%v{self._values}"
        self._values += 1
        self.add(f"{name} = {instruction}")
        return name

    def slot(self, index: int) -> str:
        return self.value(f"getelementptr i64, ptr %frame, i64 {index}")


def _load_parameter(
    writer: _Writer, parameter: Crossing, slot: int, arguments: list[str]
) -> int:
    if isinstance(parameter, Scalar):
        value = _load_scalar(writer, parameter.element, slot)
        arguments.append(f"{parameter.element.llvm} {value}")
        return slot + parameter.slots
    for type in parameter.llvm_parameters:
        value = writer.value(f"load {type}, ptr {writer.slot(slot)}")
        arguments.append(f"{type} {value}")
        slot += 1
    return slot


def _store_parameter(
    writer: _Writer, parameter: Crossing, slot: int, parameters: list[str]
) -> int:
    if isinstance(parameter, Scalar):
        name = f"%a{len(parameters)}"
        parameters.append(f"{parameter.element.llvm} {name}")
        _store_scalar(writer, parameter.element, slot, name)
        return slot + parameter.slots
    for type in parameter.llvm_parameters:
        name = f"%a{len(parameters)}"
        parameters.append(f"{type} {name}")
        writer.add(f"store {type} {name}, ptr {writer.slot(slot)}")
        slot += 1
    return slot


def _store_result(writer: _Writer, result: Crossing, slot: int, value: str) -> int:
    if isinstance(result, Scalar):
        _store_scalar(writer, result.element, slot, value)
    else:
        # Every field of a descriptor is eight bytes, so it is laid out as its slots.
        writer.add(f"store {result.llvm_result} {value}, ptr {writer.slot(slot)}")
    return slot + result.slots


def _load_result(writer: _Writer, result: Crossing, slot: int) -> str:
    if isinstance(result, Scalar):
        return _load_scalar(writer, result.element, slot)
    return writer.value(f"load {result.llvm_result}, ptr {writer.slot(slot)}")


def _load_scalar(writer: _Writer, element: Element, slot: int) -> str:
    value = writer.value(f"load {element.slot}, ptr {writer.slot(slot)}, align 8")
    if element.slot == element.llvm:
        return value
    return writer.value(f"trunc {element.slot} {value} to {element.llvm}")


def _store_scalar(writer: _Writer, element: Element, slot: int, value: str) -> None:
    if element.slot != element.llvm:
        extend = "sext" if element.signed else "zext"
        value = writer.value(f"{extend} {element.llvm} {value} to {element.slot}")
    writer.add(f"store {element.slot} {value}, ptr {writer.slot(slot)}, align 8")


def symbol(name: str) -> str:
    """A global name as LLVM IR writes it."""
    escaped = "".join(
        c if c.isascii() and c.isprintable() and c not in '"\\' else _escape(c)
        for c in name
    )
    return f'@"{escaped}"'


def _escape(character: str) -> str:
    return "".join(f"\\{byte:02X}" for byte in character.encode())
