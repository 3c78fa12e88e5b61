"""The package as functions: the passes of `xdsl-opt -p`, called from Python.

Each function runs one pass or pipeline and takes its options, under mlir-opt's names
with underscores. All take a module, which they modify and return, or MLIR text. Import
them from the package: `from xdsl_bufferization import bufferize`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, Unpack, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.guest import take_over
from xdsl_bufferization.interfaces.bufferization_options import (
    AnalysisHeuristic,
    LayoutMapOption,
    UnknownLayoutMapOption,
)
from xdsl_bufferization.large_programs import deep_nesting
from xdsl_bufferization.programs import parse_program
from xdsl_bufferization.universe import new_context

if TYPE_CHECKING:
    from xdsl_bufferization.module_pass import ModulePass

Program: TypeAlias = "ModuleOp | str"
"""A module, or the text of one."""


class BufferizeOptions(TypedDict, total=False):
    """The options of one-shot-bufferize; docs/passes.md describes each."""

    allow_return_allocs_from_loops: bool
    allow_unknown_ops: bool
    analysis_fuzzer_seed: int
    analysis_heuristic: AnalysisHeuristic
    analyze_recursion: bool
    buffer_alignment: int
    bufferize_function_boundaries: bool
    check_parallel_regions: bool
    copy_before_write: bool
    dialect_filter: tuple[str, ...] | str
    disjoint_slices: bool
    dump_alias_sets: bool
    early_copies: bool
    function_boundary_type_conversion: LayoutMapOption
    keep_result_shapes: bool
    must_infer_memory_space: bool
    no_analysis_func_filter: tuple[str, ...] | str
    print_conflicts: bool
    read_only_loops: bool
    remarks: bool
    test_analysis_only: bool
    unknown_type_conversion: UnknownLayoutMapOption
    use_encoding_for_memory_space: bool
    verify_result: bool


class DeallocateOptions(TypedDict, total=False):
    """The options of buffer-deallocation-pipeline; docs/passes.md describes each."""

    private_function_dynamic_ownership: bool
    alloc_ops: tuple[str, ...]
    dealloc_ops: tuple[str, ...]
    dealloc_op: str
    static_ownership: bool


class LowerOptions(TypedDict, total=False):
    """The options of lower-to-llvm-pipeline; docs/passes.md describes each."""

    index_bitwidth: int
    use_aligned_alloc: bool
    use_generic_functions: bool


def parse(text: str, *, context: Context | None = None) -> ModuleOp:
    """Parse MLIR text into a module, and verify it.

    Args:
        text: A module, or the ops of one, in the custom or the generic syntax.
        context: The context that knows the dialects of the program. By default one that
            knows those of xDSL, of this package and of every installed plug-in.

    Raises:
        ParseError: when the text is not MLIR of dialects that the context knows.
        PassFailedException: when the text is empty.
        VerifyException: when an op is not valid.
    """
    return _read(text, new_context() if context is None else context)


def bufferize(
    module: Program,
    *,
    context: Context | None = None,
    **options: Unpack[BufferizeOptions],
) -> ModuleOp:
    """Replace the tensors of a program by memrefs; the pass one-shot-bufferize.

    A buffer is reused for the result of an op, and otherwise copied, as One-Shot Analysis
    decides. No buffer is freed: call `deallocate` afterwards.

    Args:
        module: The program. A ModuleOp is changed in place; text is parsed first.
        context: The context that knows the dialects of the program. By default one that
            knows those of xDSL, of this package and of every installed plug-in.
        options: Those of the pass, as docs/passes.md describes them: functions are
            bufferized only with `bufferize_function_boundaries=True`, and
            `buffer_alignment` is in bytes.

    Returns:
        The bufferized module: the same object, where a ModuleOp was given.

    Raises:
        PassFailedException: when an op has no model, or the program cannot be bufferized
            under these options. A module that was given is then to be discarded.
        ParseError: when text is not MLIR.
        VerifyException: when an op of the program is not valid.
        TypeError: when there is no such option.

    The algorithm is MLIR's One-Shot Analysis (mlir/docs/Bufferization.md), in near-linear
    time; docs/architecture.md describes it.
    """
    from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass

    return _run(OneShotBufferizePass, module, context, options)


def deallocate(
    module: Program,
    *,
    context: Context | None = None,
    **options: Unpack[DeallocateOptions],
) -> ModuleOp:
    """Free every buffer that a bufferized program allocates, once, on every path; the
    pipeline buffer-deallocation-pipeline.

    Args:
        module: The program, on memrefs. A ModuleOp is changed in place; text is parsed
            first.
        context: As for `bufferize`.
        options: Those of the pipeline, as docs/passes.md describes them.

    Returns:
        The module: the same object, where a ModuleOp was given.

    Raises:
        PassFailedException: when an op could keep or free buffers in a way that the pass
            cannot see. A module that was given is then to be discarded.
        ParseError: when text is not MLIR.
        VerifyException: when an op of the program is not valid.
        TypeError: when there is no such option.

    The algorithm is MLIR's ownership-based buffer deallocation
    (mlir/docs/OwnershipBasedBufferDeallocation.md).
    """
    from xdsl_bufferization.pipelines import BufferDeallocationPipeline

    return _run(BufferDeallocationPipeline, module, context, options)


def lower(
    module: Program, *, context: Context | None = None, **options: Unpack[LowerOptions]
) -> ModuleOp:
    """Lower a program on memrefs to the LLVM dialect; the pipeline
    lower-to-llvm-pipeline.

    Args:
        module: The program, bufferized and with deallocations. A ModuleOp is changed in
            place; text is parsed first.
        context: As for `bufferize`.
        options: Those of the pipeline, as docs/passes.md describes them;
            `index_bitwidth` is in bits.

    Returns:
        The module: the same object, where a ModuleOp was given.

    Raises:
        PassFailedException: when an op cannot be lowered: an op on tensors, say. A module
            that was given is then to be discarded.
        ParseError: when text is not MLIR.
        VerifyException: when an op of the program is not valid.
        TypeError: when there is no such option.
    """
    from xdsl_bufferization.pipelines import LowerToLLVMPipeline

    return _run(LowerToLLVMPipeline, module, context, options)


def verify(
    module: Program,
    *,
    context: Context | None = None,
    **options: Unpack[BufferizeOptions],
) -> None:
    """Check that bufferization and deallocation of a program are right; the passes
    verify-bufferization and verify-deallocation. The program is left as it is.

    A program with tensors is bufferized in a copy: every op must find the contents that
    the tensor program names. Deallocations are then inserted into the copy and checked. A
    program without tensors is taken as it is: every allocation must be freed once, on
    every path, and not be used afterwards.

    Args:
        module: The program.
        context: As for `bufferize`.
        options: Those that `bufferize` is to have.

    Raises:
        PassFailedException: when a check fails; the message shows the op, and the op that
            overwrote or freed the buffer. Or when the program cannot be bufferized.
        ParseError: when text is not MLIR.
        VerifyException: when an op of the program is not valid.
        TypeError: when there is no such option.

    Both checkers are forward dataflow analyses that share nothing with the passes they
    check; docs/testing.md describes them.
    """
    from xdsl_bufferization.interfaces.types import has_tensor_semantics
    from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass
    from xdsl_bufferization.transforms.verify_deallocation import VerifyDeallocationPass

    context = new_context() if context is None else context
    module = _read(module, context)
    if any(map(has_tensor_semantics, module.walk())):
        checked = cast(BufferizeOptions, {**options, "verify_result": True})
        module = _run(OneShotBufferizePass, module.clone(), context, checked)
        module = deallocate(module, context=context)
    VerifyDeallocationPass().apply(context, module)


@deep_nesting()
def _run(
    pass_class: Callable[..., ModulePass],
    module: Program,
    context: Context | None,
    options: BufferizeOptions | DeallocateOptions | LowerOptions,
) -> ModuleOp:
    """Run a pass between two verifications, as xdsl-opt does."""
    module_pass = _make(pass_class, options)
    context = new_context() if context is None else context
    module = _read(module, context)
    module_pass.apply(context, module)
    module.verify()
    return module


def _make(
    pass_class: Callable[..., ModulePass], options: Mapping[str, Any]
) -> ModulePass:
    known = [field.name for field in fields(cast("type[ModulePass]", pass_class))]
    for name in options:
        if name not in known:
            raise TypeError(
                f"there is no option {name}. The options are: {', '.join(known)}."
            )
    return pass_class(**options)


@deep_nesting()
def _read(module: Program, context: Context) -> ModuleOp:
    take_over()  # Errors say where they are.
    if isinstance(module, str):
        module = parse_program(module, context, "<text>")
    elif not isinstance(cast(object, module), ModuleOp):
        raise PassFailedException(
            f"the program is {module!r} of type {type(module).__name__}; expected a "
            "ModuleOp or MLIR text."
        )
    module.verify()
    return module
