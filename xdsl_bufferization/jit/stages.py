"""The passes that compilation runs: those of the pipeline, and the JIT's between them.

Checks are inserted twice, on the user's ops and on the ops on buffers; then memory is
planned, and counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    i1,
)
from xdsl.passes import ModulePass

from xdsl_bufferization.conversion.convert_to_llvm import ConvertToLLVMPass
from xdsl_bufferization.interfaces.types import TENSOR_TYPES
from xdsl_bufferization.jit.checks import FAIL, STACK_LIMIT
from xdsl_bufferization.jit.frees import check_frees, frees_itself
from xdsl_bufferization.jit.memory_counts import count_memory
from xdsl_bufferization.jit.options import Options
from xdsl_bufferization.pipelines import Pipeline
from xdsl_bufferization.transforms.generate_runtime_verification import (
    generate_runtime_verification,
)
from xdsl_bufferization.transforms.llvm_request_c_wrappers import EMIT_C_INTERFACE
from xdsl_bufferization.transforms.plan_memory import PlanMemoryPass, plan_memory

BEFORE_CHECKS = {
    "build-in-destination",
    "copy-in-branches",
    "move-reads-before-writes",
    "noalias-tensor-arguments",
    "remove-unused-values",
    "return-new-tensors",
    "sequence-disjoint-updates",
    "split-copying-edges",
    "split-empty-tensors",
}
"""Checks are inserted after these passes, because checks keep ops in their places. The
passes change which tensors ops write, remove unused ops, or build slices, which are then
checked as well; all other ops stay as they are."""

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


def leaves(stage: ModulePass) -> Iterator[ModulePass]:
    """The passes a pass consists of: itself, if it is no pipeline."""
    if isinstance(stage, Pipeline):
        for part in stage.get_passes():
            yield from leaves(part)
    else:
        yield stage


def prepare_functions(
    module: ModuleOp, options: Options, in_python: Collection[str]
) -> None:
    """Bring functions into the form that the options ask for, and those that are defined
    `in_python`."""
    for op in module.ops:
        if not isinstance(op, func.FuncOp):
            continue
        if op.sym_name.data in in_python:
            op.attributes.pop(EMIT_C_INTERFACE, None)
        if options.functional:
            _leave_arguments_alone(op)


def _leave_arguments_alone(function: func.FuncOp) -> None:
    """Forbid a function that Python can call to change its tensors: bufferization then
    copies those that are written, and no others."""
    if function.sym_visibility == StringAttr("private") or not function.body.blocks:
        return
    types = function.function_type.inputs.data
    given = function.arg_attrs or ArrayAttr(DictionaryAttr({}) for _ in types)
    function.arg_attrs = ArrayAttr(
        DictionaryAttr({**attributes.data, "bufferization.writable": _FALSE})
        if isinstance(type, TENSOR_TYPES)
        else attributes
        for type, attributes in zip(types, given, strict=True)
    )


class Stages:
    """Runs passes on a module, one after the other.

    Attributes:
        counted_ops: how many ops report what they do with memory.
    """

    def __init__(self, module: ModuleOp, options: Options, context: Context) -> None:
        self.counted_ops = 0
        self._module, self._options, self._context = module, options, context
        self._is_counted = not options.count
        self._is_checked = not options.check
        self._is_verified = not options.check
        self._is_planned = not options.plan_memory
        # Code that counts sees invalid frees when it runs, and does not do them.
        is_checked = options.check and not options.count
        self._frees_itself = is_checked and frees_itself(module)

    def run_to_buffers(self, passes: Iterable[ModulePass]) -> None:
        """Run the passes after which every copy is still there as one op."""
        for stage in passes:
            for current in leaves(stage):
                if current.name in BUFFER_LEVEL_ENDS:
                    self._plan_before(current)
                    return
                self.run(current)

    def run(self, current: ModulePass) -> None:
        """Run a pass that is no pipeline, and what belongs before it."""
        module, name = self._module, current.name
        if not self._is_verified and name not in BEFORE_CHECKS:
            # The ops are still those that the user wrote. Bufferization may drop a cast.
            generate_runtime_verification(module)
            self._is_verified = True
        if self._frees_itself and name in PLANNED_LEVEL_ENDS:
            check_frees(module)
            self._frees_itself = False
        self._plan_before(current)
        if not self._is_counted and name in BUFFER_LEVEL_ENDS:
            self.counted_ops = count_memory(module)
            self._is_counted = True
        if not self._is_checked and name in CHECKED_LEVEL_ENDS:
            generate_runtime_verification(module)
            self._is_checked = True
        if isinstance(current, ConvertToLLVMPass):
            current = self._with_checks(current)
        current.apply(self._context, module)

    def _plan_before(self, current: ModulePass) -> None:
        self._is_planned |= current.name == PlanMemoryPass.name
        if not self._is_planned and current.name in PLANNED_LEVEL_ENDS:
            plan_memory(self._module)
            self._is_planned = True

    def _with_checks(self, conversion: ConvertToLLVMPass) -> ConvertToLLVMPass:
        check = self._options.check
        return replace(
            conversion,
            assert_function=FAIL,
            check_allocations=check,
            check_divisions=check,
            freeze_poison=check,
            stack_limit_function=STACK_LIMIT if check else "",
            trust_alignments=not check,
        )


_FALSE = IntegerAttr(0, i1)
