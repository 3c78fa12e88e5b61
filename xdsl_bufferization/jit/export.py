"""Export of compiled code: shared libraries, object files and a C header.

C calls a function through `_mlir_ciface_<name>`, as with MLIR: arrays are pointers to
descriptors, and any result that is not a single number is returned through a pointer,
the first parameter. Functions for which the pipeline created no such entry
(`llvm.emit_c_interface`) get one here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.checks import ABORTING_DEFINITION, FAIL, STACK_LIMIT
from xdsl_bufferization.jit.elements import Element
from xdsl_bufferization.jit.engine import LLVMModule
from xdsl_bufferization.jit.frames import C_PREFIX, symbol
from xdsl_bufferization.jit.runtime import (
    conversion_definitions,
    runtime_definitions,
    runtime_functions,
)
from xdsl_bufferization.jit.signature import (
    Buffer,
    Crossing,
    Scalar,
    Signature,
    UnrankedBuffer,
)


@dataclass(frozen=True)
class Exportable:
    """A module as it was before anything was added for this process."""

    bitcode: bytes
    signatures: Sequence[Signature]
    opt_level: int

    def save(self, path: str | os.PathLike[str], compiler: str | None) -> None:
        target = Path(path)
        write = _FORMATS.get(target.suffix)
        if write is None and target.suffix not in _LIBRARIES:
            known = ", ".join([*_LIBRARIES, *_FORMATS])
            raise JITException(
                f"cannot tell from the name '{target.name}' what to save; it must end in "
                f"one of {known}."
            )
        llvm = self._complete()
        if write is None:
            _link(llvm.emit_object(self.opt_level), target, compiler)
            return
        try:
            target.write_bytes(write(llvm, self.opt_level))
        except OSError as error:
            raise JITException(f"cannot write {target}: {error.strerror}") from None

    def _complete(self) -> LLVMModule:
        llvm = LLVMModule(self.bitcode)
        runtime = runtime_functions(set(llvm.declared_functions()))
        supporting = runtime_definitions(runtime) + conversion_definitions(str(llvm))
        own = set(runtime)
        if FAIL in llvm.declared_functions():
            supporting.append(ABORTING_DEFINITION)
            own |= {FAIL, STACK_LIMIT}
        for signature in self.signatures:
            if not llvm.is_defined(C_PREFIX + signature.name):
                supporting.append(_c_entry(signature))
        llvm.link("\n".join(supporting))
        llvm.make_internal(own)
        llvm.optimise(self.opt_level)
        return llvm

    def header(self) -> str:
        return _header(self.signatures)


_FORMATS: dict[str, Callable[[LLVMModule, int], bytes]] = {
    ".o": LLVMModule.emit_object,
    ".s": lambda llvm, level: llvm.emit_assembly(level).encode(),
    ".ll": lambda llvm, level: str(llvm).encode(),
    ".bc": lambda llvm, level: llvm.emit_bitcode(),
}
_LIBRARIES = (".so", ".dylib", ".dll")


def _link(object_file: bytes, library: Path, compiler: str | None) -> None:
    compiler = compiler or os.environ.get("CC") or "cc"
    if shutil.which(compiler) is None:
        raise JITException(
            f"a C compiler is needed to link {library.name}, and '{compiler}' is not "
            "found. Set CC, pass compiler=..., or save an object file (.o)."
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "module.o")
        path.write_bytes(object_file)
        command = [compiler, "-shared", "-o", str(library), str(path), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise JITException(f"{' '.join(command)} failed:\n{done.stderr}")


def _returns_through_pointer(signature: Signature) -> bool:
    match signature.results:
        case () | (Scalar(element=Element(slot_format="q" | "d" | "f4x" | "e6x")),):
            return False
        case _:
            return True


def _c_entry(signature: Signature) -> str:
    """The LLVM IR of the function that C calls."""
    parameters: list[str] = []
    arguments: list[str] = []
    lines: list[str] = []
    through_pointer = _returns_through_pointer(signature)
    if through_pointer:
        parameters.append("ptr %result")
    for index, parameter in enumerate(signature.parameters):
        name = f"%a{index}"
        if isinstance(parameter, Scalar):
            parameters.append(f"{parameter.element.llvm} {name}")
            arguments.append(f"{parameter.element.llvm} {name}")
            continue
        parameters.append(f"ptr {name}")
        for field, type in enumerate(parameter.llvm_parameters):
            # Every field of a descriptor is eight bytes.
            lines.append(f"{name}.p{field} = getelementptr i64, ptr {name}, i64 {field}")
            lines.append(f"{name}.{field} = load {type}, ptr {name}.p{field}")
            arguments.append(f"{type} {name}.{field}")
    type = signature.llvm_result
    types = ", ".join(t for p in signature.parameters for t in p.llvm_parameters)
    call = f"call {type} {symbol(signature.name)}({', '.join(arguments)})"
    lines.append(f"%returned = {call}" if signature.results else call)
    if through_pointer:
        lines.append(f"store {type} %returned, ptr %result")
    if through_pointer or not signature.results:
        type = "void"
    lines.append(f"ret {type}" + ("" if type == "void" else " %returned"))
    return "\n".join(
        [
            f"declare {signature.llvm_result} {symbol(signature.name)}({types})",
            f"define {type} {symbol(C_PREFIX + signature.name)}"
            f"({', '.join(parameters)}) {{",
            *lines,
            "}",
        ]
    )


_HEADER = """\
// Call with pointers to descriptors; a pointer for results comes first. Memory that a
// result points to with `allocated` is the caller's to free.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {{
#endif

{types}
{functions}
#ifdef __cplusplus
}}
#endif
"""

_UNRANKED = """\
typedef struct {
  int64_t rank;
  void *descriptor;
} memref_unranked;
"""


def _header(signatures: Iterable[Signature]) -> str:
    types: dict[str, str] = {}
    functions: list[str] = []
    for signature in signatures:
        functions.append(f"// {signature}")
        reason = _not_for_c(signature)
        if reason is not None:
            functions.append(f"// Not callable from C: {reason}.\n")
            continue
        functions += (
            f"// {name}: at a multiple of {crossing.alignment} bytes"
            for crossing, name in zip(
                signature.parameters, _c_names(signature), strict=True
            )
            if isinstance(crossing, Buffer) and crossing.alignment > 1
        )
        parameters = [
            _c_parameter(crossing, name, types)
            for crossing, name in zip(
                signature.parameters, _c_names(signature), strict=True
            )
        ]
        result = "void"
        if _returns_through_pointer(signature):
            parameters.insert(0, f"{_c_results(signature, types)} *result")
        elif signature.results:
            result = _c_type(signature.results[0], types)
        functions.append(
            f"{result} {C_PREFIX}{signature.name}({', '.join(parameters) or 'void'});\n"
        )
    return _HEADER.format(types="\n".join(types.values()), functions="\n".join(functions))


def _not_for_c(signature: Signature) -> str | None:
    if not signature.name.isidentifier() or not signature.name.isascii():
        return "C has no such names"
    for scalar in (*signature.parameters, *signature.results):
        if isinstance(scalar, Scalar) and scalar.element.llvm in _NOT_AS_IN_C:
            return f"{scalar.type} is passed in another way than C does"
    return None


_NOT_AS_IN_C = ("{ float, float }", "{ double, double }", "bfloat")


def _c_names(signature: Signature) -> list[str]:
    """Return the parameters' own names where C can have them, and others elsewhere."""
    own = signature.names
    names: list[str] = []
    for index, name in enumerate(own):
        if name is None or own.count(name) > 1 or not _is_c_name(name):
            name = f"arg{index}"
            while name in own:
                name += "_"
        names.append(name)
    return names


def _is_c_name(name: str) -> bool:
    return name.isidentifier() and name.isascii() and not _C_WORD.fullmatch(name)


_C_WORD = re.compile(
    "auto|bool|break|case|char|class|const|continue|default|delete|do|double|else|enum|"
    "extern|float|for|goto|if|inline|int|long|new|operator|private|public|register|"
    "restrict|result|return|short|signed|sizeof|static|struct|switch|template|this|"
    "typedef|union|unsigned|void|volatile|while"
)
"""What cannot name a parameter in C or C++, or already does."""


def _c_parameter(crossing: Crossing, name: str, types: dict[str, str]) -> str:
    type = _c_type(crossing, types)
    return f"{type} {name}" if isinstance(crossing, Scalar) else f"{type} *{name}"


def _c_type(crossing: Crossing, types: dict[str, str]) -> str:
    match crossing:
        case Scalar():
            return crossing.element.c_type
        case UnrankedBuffer():
            types["memref_unranked"] = _UNRANKED
            return "memref_unranked"
        case Buffer():
            return _c_descriptor(crossing, types)


def _c_descriptor(buffer: Buffer, types: dict[str, str]) -> str:
    element = "".join(c if c.isalnum() else "_" for c in buffer.element.name).strip("_")
    name = f"memref_{buffer.rank}d_{element}"
    fields = [
        f"  {buffer.element.c_type} *allocated;",
        f"  {buffer.element.c_type} *aligned;",
        "  int64_t offset;",
    ]
    if buffer.rank:
        fields.append(f"  int64_t sizes[{buffer.rank}];")
        fields.append(f"  int64_t strides[{buffer.rank}];")
    types[name] = "\n".join(["typedef struct {", *fields, f"}} {name};\n"])
    return name


def _c_results(signature: Signature, types: dict[str, str]) -> str:
    if len(signature.results) == 1:
        return _c_type(signature.results[0], types)
    name = f"{signature.name}_results"
    fields = [
        f"  {_c_type(result, types)} result{index};"
        for index, result in enumerate(signature.results)
    ]
    types[name] = "\n".join(["typedef struct {", *fields, f"}} {name};\n"])
    return name
