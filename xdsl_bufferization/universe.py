"""The plug-in: the dialects, passes and targets that xdsl-opt gains from this package.

xDSL loads every entry point of the group `xdsl.universe` at start-up and rejects a name
that two universes define. xDSL itself defines parts of some of our dialects, so our
universe takes over their names: loading this module removes them from xDSL's own
universe. The same holds for a pass or target that a future xDSL may ship under one of
our names.

Start-up imports only this table; a dialect, pass or target is imported on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any

from xdsl.context import Context
from xdsl.ir import Dialect
from xdsl.universe import XDSL_UNIVERSE, Universe

from xdsl_bufferization.guest import delay_refinements, take_over
from xdsl_bufferization.large_programs import large_programs
from xdsl_bufferization.patching import apply_patches
from xdsl_bufferization.xdsl_patches import all_patches

_DIALECTS = {
    # dialect name: module under xdsl_bufferization.dialects, name of the Dialect in it
    "affine": ("affine", "Affine"),
    "arith": ("arith", "Arith"),
    "bufferization": ("bufferization", "Bufferization"),
    "cf": ("cf", "Cf"),
    "dlti": ("dlti", "DLTI"),
    "func": ("func", "Func"),
    "gpu": ("gpu", "GPU"),
    "index": ("index", "Index"),
    "linalg": ("linalg", "Linalg"),
    "llvm": ("llvm", "LLVM"),
    "math": ("math", "Math"),
    "memref": ("memref", "MemRef"),
    "ml_program": ("ml_program", "MLProgram"),
    "scf": ("scf", "Scf"),
    "tensor": ("tensor", "Tensor"),
    "tosa": ("tosa", "Tosa"),
    "transform": ("transform", "Transform"),
    "vector": ("vector", "Vector"),
}

_TRANSFORMS = {
    # pass name: class in the module of transforms/ that is named as the pass
    "buffer-deallocation-simplification": "BufferDeallocationSimplificationPass",
    "bufferization-lower-deallocations": "LowerDeallocationsPass",
    "convert-bufferization-to-memref": "ConvertBufferizationToMemrefPass",
    "expand-realloc": "ExpandReallocPass",
    "optimize-allocation-liveness": "OptimizeAllocationLivenessPass",
    "buffer-deallocation": "BufferDeallocationPass",
    "copy-removal": "CopyRemovalPass",
    "coalesce-copies": "CoalesceCopiesPass",
    "build-in-destination": "BuildInDestinationPass",
    "fill-copied-splats": "FillCopiedSplatsPass",
    "fold-copies-into-updates": "FoldCopiesIntoUpdatesPass",
    "fold-ownership-conditions": "FoldOwnershipConditionsPass",
    "hoist-loop-allocations": "HoistLoopAllocationsPass",
    "sequence-disjoint-updates": "SequenceDisjointUpdatesPass",
    "split-empty-tensors": "SplitEmptyTensorsPass",
    "reuse-freed-buffers": "ReuseFreedBuffersPass",
    "split-copying-edges": "SplitCopyingEdgesPass",
    "copy-in-branches": "CopyInBranchesPass",
    "return-new-tensors": "ReturnNewTensorsPass",
    "reuse-loop-buffers": "ReuseLoopBuffersPass",
    "canonicalize-control-flow": "CanonicalizeControlFlowPass",
    "ownership-based-buffer-deallocation": "OwnershipBasedBufferDeallocationPass",
    "decompose-tensor-concat": "DecomposeTensorConcatPass",
    "arith-bufferize": "ArithBufferizePass",
    "bufferization-bufferize": "BufferizationBufferizePass",
    "finalizing-bufferize": "FinalizingBufferizePass",
    "generate-runtime-verification": "GenerateRuntimeVerificationPass",
    "func-bufferize": "FuncBufferizePass",
    "linalg-bufferize": "LinalgBufferizePass",
    "llvm-request-c-wrappers": "LLVMRequestCWrappersPass",
    "scf-bufferize": "ScfBufferizePass",
    "tensor-bufferize": "TensorBufferizePass",
    "vector-bufferize": "VectorBufferizePass",
    "buffer-hoisting": "BufferHoistingPass",
    "buffer-loop-hoisting": "BufferLoopHoistingPass",
    "plan-memory": "PlanMemoryPass",
    "reorder-for-peak-memory": "ReorderForPeakMemoryPass",
    "promote-buffers-to-stack": "PromoteBuffersToStackPass",
    "promote-repeated-allocations": "PromoteRepeatedAllocationsPass",
    "buffer-results-to-out-params": "BufferResultsToOutParamsPass",
    "drop-equivalent-buffer-results": "DropEquivalentBufferResultsPass",
    "remove-unread-buffers": "RemoveUnreadBuffersPass",
    "remove-unused-values": "RemoveUnusedValuesPass",
    "expand-strided-metadata": "ExpandStridedMetadataPass",
    "fold-memref-alias-ops": "FoldMemrefAliasOpsPass",
    "rewrite-in-destination-passing-style": "RewriteInDestinationPassingStylePass",
    "eliminate-empty-tensors": "EliminateEmptyTensorsPass",
    "move-reads-before-writes": "MoveReadsBeforeWritesPass",
    "noalias-tensor-arguments": "NoaliasTensorArgumentsPass",
    "one-shot-bufferize": "OneShotBufferizePass",
    "transform-interpreter": "TransformInterpreterPass",
    "verify-bufferization": "VerifyBufferizationPass",
    "verify-deallocation": "VerifyDeallocationPass",
    "verify-memory-plan": "VerifyMemoryPlanPass",
}

_CONVERSIONS = {
    # pass name: class in the module of conversion/ that is named as the pass
    "convert-elementwise-to-linalg": "ConvertElementwiseToLinalgPass",
    "convert-tensor-to-linalg": "ConvertTensorToLinalgPass",
    "tosa-to-arith": "TosaToArithPass",
    "tosa-to-linalg": "TosaToLinalgPass",
    "tosa-to-linalg-named": "TosaToLinalgNamedPass",
    "tosa-to-scf": "TosaToScfPass",
    "tosa-to-tensor": "TosaToTensorPass",
    "convert-linalg-to-loops": "ConvertLinalgToLoopsPass",
    "convert-scf-to-cf": "ConvertScfToCfPass",
    "convert-to-llvm": "ConvertToLLVMPass",
    "lower-affine": "LowerAffinePass",
    "scf-forall-to-for": "ScfForallToForPass",
    "scf-forall-to-parallel": "ScfForallToParallelPass",
    "scf-parallel-for-to-nested-fors": "ScfParallelForToNestedForsPass",
}

_PIPELINES = {
    # pipeline name: class in pipelines.py
    "buffer-deallocation-pipeline": "BufferDeallocationPipeline",
    "bufferization-pipeline": "BufferizationPipeline",
    "lower-to-llvm-pipeline": "LowerToLLVMPipeline",
    "tensor-to-llvm-pipeline": "TensorToLLVMPipeline",
}

_TARGETS = {
    # target name: module under xdsl_bufferization, name of the class in it
    "bufferization-remarks": ("report.targets", "RemarksTarget"),
    "bufferization-report": ("report.targets", "ReportTarget"),
    "llvm": ("conversion.llvm_ir.target", "LLVMTarget"),
}


_COMPLETED = ("canonicalize",)
"""Passes of xDSL that do more with the patterns of this package."""

_ALSO_IN_XDSL = {*XDSL_UNIVERSE.all_passes, *XDSL_UNIVERSE.all_targets}


def _lazy(module: str, name: str) -> Callable[[], Any]:
    def load() -> Any:
        # What modules define stays: the garbage collector would visit it in vain.
        with large_programs():
            return getattr(import_module(f"xdsl_bufferization.{module}"), name)

    return load


def _taking_over(name: str, load: Callable[[], Any]) -> Callable[[], Any]:
    """`load`, for a pass or target; those that xDSL does not have are a use of ours."""
    if name in _ALSO_IN_XDSL and name not in _COMPLETED:
        return load

    def take_over_and_load() -> Any:
        take_over()
        return load()

    return take_over_and_load


def _passes() -> Iterable[tuple[str, Callable[[], Any]]]:
    for folder, table in (("transforms", _TRANSFORMS), ("conversion", _CONVERSIONS)):
        for name, class_name in table.items():
            module = f"{folder}.{name.replace('-', '_')}"
            yield name, _taking_over(name, _lazy(module, class_name))
    for name, class_name in _PIPELINES.items():
        yield name, _taking_over(name, _lazy("pipelines", class_name))


def _lazy_dialect(module: str, name: str) -> Callable[[], Dialect]:
    load_dialect = _lazy(f"dialects.{module}", name)

    def load() -> Dialect:
        dialect: Dialect = load_dialect()
        delay_refinements(dialect)
        return dialect

    return load


BUFFERIZATION_UNIVERSE = Universe(
    all_dialects={
        name: _lazy_dialect(module, dialect)
        for name, (module, dialect) in _DIALECTS.items()
    },
    all_passes=dict(_passes()),
    all_targets={
        name: _lazy(module, target) for name, (module, target) in _TARGETS.items()
    },
)

apply_patches(all_patches(own_formats=_DIALECTS.keys() | {"complex"}))
for _name in BUFFERIZATION_UNIVERSE.all_dialects:
    XDSL_UNIVERSE.all_dialects.pop(_name, None)
for _name in BUFFERIZATION_UNIVERSE.all_passes:
    XDSL_UNIVERSE.all_passes.pop(_name, None)
for _name in BUFFERIZATION_UNIVERSE.all_targets:
    XDSL_UNIVERSE.all_targets.pop(_name, None)
for _name in _COMPLETED:
    _load = XDSL_UNIVERSE.all_passes[_name]
    XDSL_UNIVERSE.all_passes[_name] = _taking_over(_name, _load)


@cache
def installed() -> Universe:
    """Return the dialects, passes and targets of xDSL and of all plug-ins installed.

    Looked up once per process: a look-up reads the metadata of every installed package,
    which takes longer than compiling a small program.
    """
    return Universe.get_multiverse()


def new_context() -> Context:
    """A context that knows every dialect xdsl-opt knows with this package installed,
    those of other plug-ins included. Dialects are loaded when the parser meets them.
    """
    context = Context()
    for name, load in installed().all_dialects.items():
        context.register_dialect(name, load)
    return context
