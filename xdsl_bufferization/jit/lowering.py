"""Lowering of the user's module to LLVM IR text, with its signatures.

The pipeline runs pass by pass. Until the functions become LLVM functions, their types
are recorded after each pass, so that the layout of every memref parameter is known at
the end.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    i1,
)
from xdsl.dialects.llvm import FuncOp as LLVMFuncOp, GlobalOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import ArgSpecParseError, JITException, PassFailedException

from xdsl_bufferization.conversion.llvm_ir.target import convert_module
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.guest import take_over
from xdsl_bufferization.interfaces.types import TENSOR_TYPES
from xdsl_bufferization.jit.options import (
    DEFAULT_PIPELINE,
    Options,
    PipelineSpec,
    Source,
    read_source,
)
from xdsl_bufferization.jit.read_signature import read_signature
from xdsl_bufferization.jit.signature import Signature
from xdsl_bufferization.jit.stages import Stages, leaves, prepare_functions
from xdsl_bufferization.large_programs import deep_nesting
from xdsl_bufferization.pipeline_texts import read_passes
from xdsl_bufferization.programs import parse_program
from xdsl_bufferization.transforms.utils.arenas import ARENA_ALIGNMENTS


@dataclass
class Lowered:
    """LLVM IR, and what is known about its functions."""

    llvm_ir: str
    public: dict[str, Signature] = field(default_factory=dict[str, Signature])
    """The functions that can be called, by name."""
    declared: dict[str, Signature] = field(default_factory=dict[str, Signature])
    """Those that the module declares and somebody else must define."""
    writable_globals: list[str] = field(default_factory=list[str])
    """The global variables that are no constants."""
    private: list[str] = field(default_factory=list[str])
    """The functions that are only for the module itself."""
    uncallable: dict[str, str] = field(default_factory=dict[str, str])
    """Why a function of the source cannot be called from Python."""
    counted_ops: int = 0
    """How many ops report what they do with memory."""
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    """How long each stage took, in order: 'parse', the passes, 'translate'."""


@deep_nesting()
def load_source(source: Source, context: Context, name: str = "") -> tuple[ModuleOp, str]:
    """Return the module itself, verified: a copy of a given one, or what text or a file
    holds. And that text; it is empty for a given module.

    Args:
        name: the name of the file that text is from.
    """
    take_over()  # Errors say where they are.
    read = read_source(source)
    if read is None:
        module, text = cast(ModuleOp, source).clone(), ""
    else:
        text, found = read
        name = name or found
        module = parse_program(text, context, name)
    module.verify()
    return module, text


def read_pipeline(pipeline: PipelineSpec) -> tuple[ModulePass, ...]:
    if isinstance(pipeline, str):
        from xdsl_bufferization.universe import installed

        try:
            return tuple(read_passes(installed().all_passes, pipeline))
        except (PassFailedException, ArgSpecParseError) as error:
            raise JITException(f"pipeline '{pipeline}': {error}") from None
    passes = tuple(pipeline) if isinstance(cast(object, pipeline), Iterable) else ()
    if not passes or not all(isinstance(cast(object, p), ModulePass) for p in passes):
        raise JITException(
            f"pipeline is {pipeline!r}; expected text as for xdsl-opt -p, or a sequence "
            "of ModulePass objects."
        )
    return passes


def lower(
    source: Source, options: Options, context: Context, in_python: Collection[str] = ()
) -> Lowered:
    """Run the pipeline on the source and translate what comes out.

    Declared functions that are defined `in_python` are not called as C functions.
    """
    passes = read_pipeline(options.pipeline)
    start = perf_counter()
    module, text = load_source(source, context)
    seconds = {"parse": perf_counter() - start}
    prepare_functions(module, options, in_python)
    names = _names_in_text(text)
    functions = [_Function(op, names) for op in _functions(module)]
    lowered = Lowered("", seconds=seconds)
    for op in module.ops:
        if isinstance(op, LLVMFuncOp):
            lowered.uncallable[op.sym_name.data] = (
                f"'{op.sym_name.data}' was given as an llvm.func, which does not tell "
                "the types of its arrays; Python can call functions given as func.func."
            )
    latest = {function.name: function.type for function in functions}
    parameter_names = {each.name: each.parameter_names for each in functions}
    arena_alignments: dict[str, Sequence[int]] = {}
    stages = Stages(module, options, context)
    for stage in passes:
        start = perf_counter()
        for current in leaves(stage):
            stages.run(current)
            for op in _functions(module):
                latest[op.sym_name.data] = op.function_type
                arena_alignments[op.sym_name.data] = _arena_alignments(op)
                known = parameter_names.get(op.sym_name.data, ())
                parameter_names[op.sym_name.data] = _names_after_pass(op, known)
        seconds[stage.name] = seconds.get(stage.name, 0.0) + perf_counter() - start
    lowered.counted_ops = stages.counted_ops
    start = perf_counter()
    _check_all_llvm(module)
    lowered.llvm_ir = translate(module)
    lowered.writable_globals = _writable_globals(module)
    seconds["translate"] = perf_counter() - start
    remaining = {op.sym_name.data for op in module.ops if isinstance(op, LLVMFuncOp)}
    for function in functions:
        name = function.name
        if function.is_private and function.has_body:
            lowered.private.append(name)
            continue
        if name not in remaining:
            continue
        try:
            signature = read_signature(
                name,
                function.type,
                latest[name],
                parameter_names[name],
                function.read_only,
                arena_alignments.get(name, ()),
            )
        except JITException as error:
            lowered.uncallable[name] = str(error)
        else:
            group = lowered.public if function.has_body else lowered.declared
            group[name] = signature
    return lowered


def _arena_alignments(function: func.FuncOp) -> Sequence[int]:
    """What the addresses of its arenas, its last parameters, must be multiples of."""
    stated = function.attributes.get(ARENA_ALIGNMENTS)
    if not isinstance(stated, ArrayAttr):
        return ()
    numbers = cast("ArrayAttr[Attribute]", stated).data
    if len(numbers) > len(function.function_type.inputs):
        return ()
    return [
        max(each.value.data & -each.value.data, 1) if isinstance(each, IntegerAttr) else 1
        for each in numbers
    ]


def _writable_globals(module: ModuleOp) -> list[str]:
    """The variables that this module defines for all threads in common."""
    return [
        op.sym_name.data
        for op in module.ops
        if isinstance(op, GlobalOp)
        and op.constant is None
        and op.thread_local_ is None
        and (op.value is not None or op.body.blocks)
    ]


_FALSE = IntegerAttr(0, i1)
_NOT_WRITTEN = (StringAttr("read"), StringAttr("none"))


class _Function:
    """What the source says of a function."""

    def __init__(self, op: func.FuncOp, names: Mapping[str, Sequence[str]]) -> None:
        self.name = op.sym_name.data
        self.type: FunctionType = op.function_type
        self.is_private = op.sym_visibility == StringAttr("private")
        self.has_body = bool(op.body.blocks)
        arguments = op.args if self.has_body else ()
        hints = [argument.name_hint for argument in arguments]
        self.parameter_names = _parameter_names(hints, names.get(self.name, ()))
        attributes = op.arg_attrs.data if op.arg_attrs is not None else ()
        # Only bufferization keeps this promise: memrefs are written where the program
        # says so.
        self.read_only = frozenset(
            index
            for index, dictionary in enumerate(attributes)
            if isinstance(self.type.inputs.data[index], TENSOR_TYPES)
            and (
                dictionary.data.get("bufferization.writable") == _FALSE
                or (
                    not self.has_body
                    and dictionary.data.get("bufferization.access") in _NOT_WRITTEN
                )
            )
        )


_HEADER = re.compile(
    r"func\.func\s[^@(]*@([\w$.-]+)\s*\(([^(){]*(?:\{[^{}]*\}[^(){]*)*)\)"
)
_NAME = re.compile(r"%([A-Za-z_$.-][\w$.-]*)\s*:")
_NUMBER = re.compile(r"(_\d+)+$")


def _names_in_text(text: str) -> dict[str, list[str]]:
    """The names of each function's parameters, as the text has them: the parser keeps
    `%x_1` as x. Functions whose types have parentheses are not found."""
    return {match[1]: _NAME.findall(match[2]) for match in _HEADER.finditer(text)}


def _parameter_names(
    hints: Sequence[str | None], in_text: Sequence[str]
) -> Sequence[str | None]:
    """Names from the text where they are those of the parsed function's parameters; a
    comment, or a nested module, may have others."""
    of_hints = [_NUMBER.sub("", hint or "") for hint in hints]
    return in_text if of_hints == [_NUMBER.sub("", n) for n in in_text] else hints


def _names_after_pass(
    function: func.FuncOp, known: Sequence[str | None]
) -> Sequence[str | None]:
    """Return the names of a function's parameters after a pass, which may have added some
    at the end: those have names as the printed program does.

    Args:
        known: the names before the pass.
    """
    number = len(function.function_type.inputs)
    hints = [each.name_hint for each in function.args] if function.body.blocks else ()
    if len(known) >= number or len(hints) != number:
        return known
    names = list(known)
    for hint in hints[len(known) :]:
        names.append(_unused_name(hint, names) if hint else None)
    return names


def _unused_name(name: str, names: Collection[str | None]) -> str:
    candidates = (f"{name}_{i}" if i else name for i in count())
    return next(each for each in candidates if each not in names)


def _functions(module: ModuleOp) -> list[func.FuncOp]:
    return [op for op in module.ops if isinstance(op, func.FuncOp)]


def _check_all_llvm(module: ModuleOp) -> None:
    for op in walk(module):
        if op.name.startswith("llvm.") or op is module:
            continue
        function = op
        while function.parent_op() not in (module, None):
            function = function.parent_op()
            assert function is not None
        name = function.attributes.get("sym_name") or function.properties.get("sym_name")
        inside = f" in @{name.data}" if isinstance(name, StringAttr) else ""
        raise JITException(
            f"'{op.name}'{inside} is left when the pipeline has run, so the module is "
            "not in the LLVM dialect. Add passes that lower it; the default pipeline is "
            f"{DEFAULT_PIPELINE}."
        )


def translate(module: ModuleOp) -> str:
    """A module of the LLVM dialect as LLVM IR text."""
    return str(convert_module(module))
