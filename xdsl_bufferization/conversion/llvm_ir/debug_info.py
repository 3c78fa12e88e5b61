"""Locations as LLVM debug info: the source position of each instruction.

A function becomes a DISubprogram of the file that it is in, and the location of an op a
DILocation, so that debuggers, profilers and sanitizers name lines of the source. An op
from another file than its function is in a DILexicalBlockFile of that file. An op
without a location gets line 0, because LLVM requires a location for calls.
"""

from __future__ import annotations

import os
from typing import Any

import llvmlite.ir as _ir  # pyright: ignore[reportMissingTypeStubs]
from xdsl.dialects import llvm
from xdsl.ir import Operation

from xdsl_bufferization.locations import position_of

ir: Any = _ir

_DWARF_VERSION, _DEBUG_INFO_VERSION = 4, 3
_WARN, _MAX = 2, 7
"""What the linker does about module flags that differ."""


class DebugInfo:
    """The debug info of one llvmlite module."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._files: dict[str, Any] = {}
        self._units: dict[str, Any] = {}
        self._locations: dict[tuple[int, int, int], Any] = {}
        self._scopes: dict[tuple[int, str], Any] = {}
        self._type = self._node("DISubroutineType", types=module.add_metadata([None]))
        number = ir.IntType(32)
        for behavior, name, value in (
            (_MAX, "Dwarf Version", _DWARF_VERSION),
            (_WARN, "Debug Info Version", _DEBUG_INFO_VERSION),
        ):
            flag = (number(behavior), name, number(value))
            module.add_named_metadata("llvm.module.flags", flag)

    def describe_function(self, op: llvm.FuncOp, function: Any) -> Any:
        """Make a defined function a subprogram, and return it as the scope of its ops."""
        name, line, _ = _place(op)
        file = self._file(name)
        scope = self._node(
            "DISubprogram",
            distinct=True,
            name=op.sym_name.data,
            linkageName=op.sym_name.data,
            scope=file,
            file=file,
            line=line,
            scopeLine=line,
            type=self._type,
            spFlags=ir.DIToken("DISPFlagDefinition"),
            unit=self._unit(name),
        )
        function.set_metadata("dbg", scope)
        return scope

    def location_of(self, op: Operation, function: llvm.FuncOp, scope: Any) -> Any:
        """Return the location of an op in a function with this scope."""
        own, _, _ = _place(function)
        name, line, column = _place(op)
        if line and name != own:
            key = (id(scope), name)
            if key not in self._scopes:
                self._scopes[key] = self._node(
                    "DILexicalBlockFile",
                    scope=scope,
                    file=self._file(name),
                    discriminator=0,
                )
            scope = self._scopes[key]
        key = (id(scope), line, column)
        if key not in self._locations:
            self._locations[key] = self._node(
                "DILocation", line=line, column=column, scope=scope
            )
        return self._locations[key]

    def _file(self, name: str) -> Any:
        if name not in self._files:
            folder, base = os.path.split(name)
            self._files[name] = self._node(
                "DIFile", filename=base or name, directory=folder
            )
        return self._files[name]

    def _unit(self, name: str) -> Any:
        if name not in self._units:
            self._units[name] = self._node(
                "DICompileUnit",
                distinct=True,
                # No language of DWARF is MLIR; this is what mlir-opt takes.
                language=ir.DIToken("DW_LANG_C"),
                file=self._file(name),
                producer="xdsl-bufferization",
                isOptimized=False,
                runtimeVersion=0,
                emissionKind=ir.DIToken("LineTablesOnly"),
            )
            self._module.add_named_metadata("llvm.dbg.cu", self._units[name])
        return self._units[name]

    def _node(self, kind: str, distinct: bool = False, **operands: Any) -> Any:
        return self._module.add_debug_info(kind, operands, is_distinct=distinct)


def _place(op: Operation) -> tuple[str, int, int]:
    """File, line and column of an op; line 0 where they are not known."""
    position = position_of(op)
    if position is None:
        return "<unknown>", 0, 0
    name, line, column = position.rsplit(":", 2)
    return name, int(line), int(column)
