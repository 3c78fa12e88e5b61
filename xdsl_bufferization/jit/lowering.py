"""From a module as the user gives it to LLVM IR text, remembering the signatures.

The pipeline runs pass by pass. Until the functions become LLVM functions their types are
noted after each pass, so that at the end the layout of every memref parameter is known.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnrankedTensorType,
    i1,
)
from xdsl.dialects.llvm import FuncOp as LLVMFuncOp, GlobalOp
from xdsl.parser import Parser
from xdsl.passes import ModulePass, PassPipeline
from xdsl.universe import Universe
from xdsl.utils.exceptions import ArgSpecParseError, JITException

from xdsl_bufferization.conversion.convert_to_llvm import ConvertToLLVMPass
from xdsl_bufferization.conversion.llvm_ir.target import convert_module
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.jit.checks import FAIL, STACK_LIMIT
from xdsl_bufferization.jit.copies import count_copies
from xdsl_bufferization.jit.options import (
    DEFAULT_PIPELINE,
    Options,
    PipelineSpec,
    Source,
    read_source,
)
from xdsl_bufferization.jit.read_signature import read_signature
from xdsl_bufferization.jit.signature import Signature
from xdsl_bufferization.pipelines import Pipeline
from xdsl_bufferization.transforms.generate_runtime_verification import (
    generate_runtime_verification,
)
from xdsl_bufferization.transforms.llvm_request_c_wrappers import EMIT_C_INTERFACE
from xdsl_bufferization.transforms.plan_memory import PlanMemoryPass, plan_memory

BEFORE_CHECKS = {"move-reads-before-writes", "noalias-tensor-arguments"}
"""These leave every op as it is. Checks are inserted after them, since these keep ops in
their places."""

CHECKED_LEVEL_ENDS = {
    "convert-linalg-to-loops",
    "lower-affine",
    "convert-scf-to-cf",
    "convert-to-llvm",
}
"""Before the first of these, ops are checked: one check is then enough for all accesses
of an op of linalg."""

BUFFER_LEVEL_ENDS = {"convert-bufferization-to-memref", "convert-to-llvm"}
"""Before the first of these every copy is still there as one op."""

PLANNED_LEVEL_ENDS = CHECKED_LEVEL_ENDS | BUFFER_LEVEL_ENDS
"""Before the first of these, memory is planned."""


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
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    """How long each stage took, in order: 'parse', the passes, 'translate'."""


def load_source(source: Source, context: Context) -> tuple[ModuleOp, str]:
    """Return the module itself, verified: a copy of a given one, or what text or a file
    holds. And that text; it is empty for a given module."""
    read = read_source(source)
    if read is None:
        module, text = cast(ModuleOp, source).clone(), ""
    else:
        text, name = read
        module = Parser(context, text, name).parse_module()
    module.verify()
    return module, text


def read_pipeline(pipeline: PipelineSpec) -> tuple[ModulePass, ...]:
    if isinstance(pipeline, str):
        known = Universe.get_multiverse().all_passes
        try:
            return PassPipeline.parse_spec(dict(known), pipeline).passes
        except (ValueError, ArgSpecParseError) as error:
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
    for op in _functions(module):
        if op.sym_name.data in in_python:
            op.attributes.pop(EMIT_C_INTERFACE, None)
        if options.functional:
            _leave_arguments_alone(op)
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
    counted = not options.count
    checked = not options.check
    verified = not options.check
    planned = not options.plan_memory
    for stage in passes:
        start = perf_counter()
        for current in _leaves(stage):
            if not verified and current.name not in BEFORE_CHECKS:
                # The ops are still those that the user wrote. Bufferization may drop a
                # cast.
                generate_runtime_verification(module)
                verified = True
            planned |= current.name == PlanMemoryPass.name
            if not planned and current.name in PLANNED_LEVEL_ENDS:
                plan_memory(module)
                planned = True
            if not counted and current.name in BUFFER_LEVEL_ENDS:
                count_copies(module)
                counted = True
            if not checked and current.name in CHECKED_LEVEL_ENDS:
                generate_runtime_verification(module)
                checked = True
            if isinstance(current, ConvertToLLVMPass):
                current = replace(
                    current,
                    assert_function=FAIL,
                    check_allocations=options.check,
                    check_divisions=options.check,
                    stack_limit_function=STACK_LIMIT if options.check else "",
                    trust_alignments=not options.check,
                )
            current.apply(context, module)
            latest.update(
                (op.sym_name.data, op.function_type) for op in _functions(module)
            )
        seconds[stage.name] = seconds.get(stage.name, 0.0) + perf_counter() - start
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
                function.parameter_names,
                function.read_only,
            )
        except JITException as error:
            lowered.uncallable[name] = str(error)
        else:
            group = lowered.public if function.has_body else lowered.declared
            group[name] = signature
    return lowered


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


def _leave_arguments_alone(function: func.FuncOp) -> None:
    """Forbid a function that Python can call to change its tensors: bufferization then
    copies those that are written, and no others."""
    if function.sym_visibility == StringAttr("private") or not function.body.blocks:
        return
    types = function.function_type.inputs.data
    given = function.arg_attrs or ArrayAttr(DictionaryAttr({}) for _ in types)
    function.arg_attrs = ArrayAttr(
        DictionaryAttr({**attributes.data, "bufferization.writable": _FALSE})
        if isinstance(type, TensorType | UnrankedTensorType)
        else attributes
        for type, attributes in zip(types, given, strict=True)
    )


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
            if isinstance(self.type.inputs.data[index], TensorType | UnrankedTensorType)
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


def _leaves(stage: ModulePass) -> Iterator[ModulePass]:
    """The passes a pass consists of: itself, if it is no pipeline."""
    if isinstance(stage, Pipeline):
        for part in stage.get_passes():
            yield from _leaves(part)
    else:
        yield stage


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
