"""The named pipelines: each is only a list of passes.

A pipeline imports its passes when it runs, so that it loads only the dialects that it
needs: for example, only pipelines that lower to the LLVM dialect load it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass as XDSLModulePass
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.interfaces.bufferization_options import LayoutMapOption
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.pass_options import Alignment, Arena, IndexBitwidth, Unsigned
from xdsl_bufferization.remarks.active import printing_remarks


@dataclass(frozen=True)
class Pipeline(ModulePass):
    """A pass that runs other passes, one after the other."""

    @abstractmethod
    def get_passes(self) -> Sequence[ModulePass]: ...

    def expand(self) -> Sequence[XDSLModulePass]:
        return [inner for each in self.get_passes() for inner in each.expand()]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for module_pass in self.get_passes():
            module_pass.apply(ctx, op)


@dataclass(frozen=True)
class BufferDeallocationPipeline(Pipeline):
    """Insert deallocations after one-shot-bufferize, and make them as cheap as
    possible.

    Options:
    - private-function-dynamic-ownership: private functions return an additional i1 for
      each memref result, its ownership, instead of copying buffers that they do not
      own.
    - alloc-ops: the names of the ops whose allocations are to be freed (all of the
      memref and bufferization dialects).
    - dealloc-ops: the names of the ops that already free those allocations (those of
      the dialects of alloc-ops).
    - dealloc-op: the op to free with (memref.dealloc).
    - static-ownership: decide ownership statically where possible, from an analysis of
      function results that includes recursion: private functions do not copy an
      argument to return it, and return an i1 only with a result that is sometimes new.
      The remaining pointer comparisons are inlined and use no heap memory. Not with
      alloc-ops.
    """

    name = "buffer-deallocation-pipeline"

    private_function_dynamic_ownership: bool = False
    alloc_ops: tuple[str, ...] = ()
    dealloc_ops: tuple[str, ...] = ()
    dealloc_op: str = "memref.dealloc"
    static_ownership: bool = False

    def get_passes(self) -> Sequence[ModulePass]:
        from xdsl_bufferization.transforms.buffer_deallocation_simplification import (
            BufferDeallocationSimplificationPass,
        )
        from xdsl_bufferization.transforms.bufferization_lower_deallocations import (
            LowerDeallocationsPass,
        )
        from xdsl_bufferization.transforms.canonicalize_control_flow import (
            CanonicalizeControlFlowPass,
        )
        from xdsl_bufferization.transforms.expand_realloc import ExpandReallocPass
        from xdsl_bufferization.transforms.ownership_based_buffer_deallocation import (
            OwnershipBasedBufferDeallocationPass,
        )

        fold: tuple[ModulePass, ...] = ()
        if self.static_ownership:
            from xdsl_bufferization.transforms.fold_ownership_conditions import (
                FoldOwnershipConditionsPass,
            )

            fold = (FoldOwnershipConditionsPass(),)
        return (
            ExpandReallocPass(emit_deallocs=False),
            CanonicalizeControlFlowPass(),
            OwnershipBasedBufferDeallocationPass(
                self.private_function_dynamic_ownership,
                self.alloc_ops,
                self.dealloc_ops,
                self.static_ownership,
            ),
            *fold,
            CanonicalizeControlFlowPass(),
            BufferDeallocationSimplificationPass(self.static_ownership),
            LowerDeallocationsPass(self.dealloc_op, avoid_lists=self.static_ownership),
            CanonicalizeControlFlowPass(merge_equal_ops=True),
        )


@dataclass(frozen=True)
class BufferizationPipeline(Pipeline):
    """Bufferize tensors and free the buffers, with the fewest copies and allocations.

    one-shot-bufferize and buffer-deallocation-pipeline produce the same results as
    mlir-opt. This pipeline produces the best code that this package can: for every
    program, no more copies, copied bytes or allocations than those two, and, with few
    exceptions (docs/copies.md), no higher peak of memory in use. Functions are bufferized
    as well.

        func.func private @mark(%t: tensor<8xi1>, %i: index) -> tensor<8xi1> {
          %true = arith.constant true
          %0 = tensor.insert %true into %t[%i] : tensor<8xi1>
          return %0 : tensor<8xi1>
        }

    becomes a function that returns nothing, where the two passes return a copy of %t:

        func.func private @mark(%t: memref<8xi1, strided<[?], offset: ?>>, %i: index) {
          %true = arith.constant true
          memref.store %true, %t[%i] : memref<8xi1, strided<[?], offset: ?>>
          return
        }

    Options (of one-shot-bufferize, drop-equivalent-buffer-results):
    - allow-unknown-ops: ops without a model stay as they are, on tensors.
    - buffer-alignment: the alignment of new buffers in bytes (64).
    - function-boundary-type-conversion: the layouts of the buffers of functions
      (infer-layout-map).
    - modify-public-functions: public functions do not return their arguments either; an
      external caller finds such a result in the argument that it passed.
    - results-to-out-params: results of static size are arguments, which the caller
      allocates, also those of public functions. With plan-memory and arena=argument, a
      function then needs no memory of its own.
    - plan-memory: let the buffers of a function share one block of memory, an arena, by
      the pass of this name; the buffers in it are not reused otherwise. The next four are
      options of that pass.
    - arena: where the arena of a function comes from: allocate, argument or stack
      (allocate).
    - stack-limit: the largest arena for the stack, in bytes (65536).
    - capacity: the available bytes, or SPACE:BYTES for a memory space.
    - search-steps: the work to spend on a plan, for each buffer (300).
    - reorder-for-peak-memory: first reorder ops, by the pass of this name, so that
      fewer bytes are live at once.
    - verify-result: check that every op reads the contents that the program specifies,
      that every buffer is freed exactly once, and that no buffer in an arena is
      overwritten while it is live; a program for which this cannot be decided is
      rejected (docs/testing.md).
    - remarks: print to stderr why each copy and allocation exists, and how to avoid
      copies (docs/why-a-copy.md).
    """

    name = "bufferization-pipeline"

    allow_unknown_ops: bool = False
    buffer_alignment: Alignment = 64
    function_boundary_type_conversion: LayoutMapOption = "infer-layout-map"
    modify_public_functions: bool = False
    results_to_out_params: bool = False
    plan_memory: bool = False
    arena: Arena = "allocate"
    stack_limit: Unsigned = 65536
    capacity: tuple[str, ...] = ()
    search_steps: Unsigned = 300
    reorder_for_peak_memory: bool = False
    verify_result: bool = False
    remarks: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        with printing_remarks(op, self.name, self.remarks):
            super().apply(ctx, op)

    def expand(self) -> Sequence[XDSLModulePass]:
        # Remarks are printed when the last of the passes is done.
        return (self,) if self.remarks else super().expand()

    def get_passes(self) -> Sequence[ModulePass]:
        return (
            *self.get_bufferization_passes(),
            *self.get_buffer_passes(),
            *self.get_deallocation_passes(),
            *self.get_memory_passes(),
        )

    def get_bufferization_passes(self) -> Sequence[ModulePass]:
        """From tensors to buffers: what changes tensors comes first."""
        from xdsl_bufferization.transforms.build_in_destination import (
            BuildInDestinationPass,
        )
        from xdsl_bufferization.transforms.copy_in_branches import CopyInBranchesPass
        from xdsl_bufferization.transforms.move_reads_before_writes import (
            MoveReadsBeforeWritesPass,
        )
        from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass
        from xdsl_bufferization.transforms.remove_unused_values import (
            RemoveUnusedValuesPass,
        )
        from xdsl_bufferization.transforms.return_new_tensors import ReturnNewTensorsPass
        from xdsl_bufferization.transforms.sequence_disjoint_updates import (
            SequenceDisjointUpdatesPass,
        )
        from xdsl_bufferization.transforms.split_copying_edges import (
            SplitCopyingEdgesPass,
        )
        from xdsl_bufferization.transforms.split_empty_tensors import (
            SplitEmptyTensorsPass,
        )

        return (
            RemoveUnusedValuesPass(),
            SplitCopyingEdgesPass(),
            SplitEmptyTensorsPass(),
            MoveReadsBeforeWritesPass(),
            SequenceDisjointUpdatesPass(),
            CopyInBranchesPass(),
            BuildInDestinationPass(),
            *(() if self.modify_public_functions else (ReturnNewTensorsPass(),)),
            OneShotBufferizePass(
                allow_return_allocs_from_loops=True,
                allow_unknown_ops=self.allow_unknown_ops,
                analysis_heuristic="cheapest",
                analyze_recursion=True,
                buffer_alignment=self.buffer_alignment,
                bufferize_function_boundaries=True,
                disjoint_slices=True,
                early_copies=True,
                read_only_loops=True,
                keep_result_shapes=self.results_to_out_params,
                function_boundary_type_conversion=(
                    self.function_boundary_type_conversion
                ),
                verify_result=self.verify_result,
            ),
        )

    def get_buffer_passes(self) -> Sequence[ModulePass]:
        """What spares copies and allocations while no buffer is freed yet."""
        from xdsl_bufferization.transforms.buffer_results_to_out_params import (
            BufferResultsToOutParamsPass,
        )
        from xdsl_bufferization.transforms.canonicalize_control_flow import (
            CanonicalizeControlFlowPass,
        )
        from xdsl_bufferization.transforms.coalesce_copies import CoalesceCopiesPass
        from xdsl_bufferization.transforms.drop_equivalent_buffer_results import (
            DropEquivalentBufferResultsPass,
        )
        from xdsl_bufferization.transforms.fill_copied_splats import FillCopiedSplatsPass
        from xdsl_bufferization.transforms.fold_copies_into_updates import (
            FoldCopiesIntoUpdatesPass,
        )
        from xdsl_bufferization.transforms.remove_unused_values import (
            RemoveUnusedValuesPass,
        )
        from xdsl_bufferization.transforms.reuse_loop_buffers import (
            ReuseLoopBuffersPass,
        )

        all_results = (
            (
                BufferResultsToOutParamsPass(
                    hoist_static_allocs=True,
                    modify_public_functions=True,
                    only_static=True,
                ),
            )
            if self.results_to_out_params
            else ()
        )
        return (
            DropEquivalentBufferResultsPass(
                self.modify_public_functions, through_control_flow=True
            ),
            # What One-Shot Analysis needed, and what has become unused since.
            RemoveUnusedValuesPass(),
            CoalesceCopiesPass(),
            FillCopiedSplatsPass(),
            BufferResultsToOutParamsPass(
                hoist_static_allocs=True, hoist_dynamic_allocs=True, only_hoisted=True
            ),
            *all_results,
            # Buffers that callers allocate now may be copied, and dead after that.
            CoalesceCopiesPass(),
            FoldCopiesIntoUpdatesPass(),
            # What only a branch that is never taken uses needs no spare buffer.
            CanonicalizeControlFlowPass(),
            # An arena that is given has a place for each buffer, from the start.
            ReuseLoopBuffersPass(allocate_in_loops=self.arena != "argument"),
        )

    def get_deallocation_passes(self) -> Sequence[ModulePass]:
        """The deallocations, and what moves or removes them."""
        from xdsl_bufferization.transforms.hoist_loop_allocations import (
            HoistLoopAllocationsPass,
        )
        from xdsl_bufferization.transforms.optimize_allocation_liveness import (
            OptimizeAllocationLivenessPass,
        )
        from xdsl_bufferization.transforms.promote_repeated_allocations import (
            PromoteRepeatedAllocationsPass,
        )
        from xdsl_bufferization.transforms.remove_unread_buffers import (
            RemoveUnreadBuffersPass,
        )
        from xdsl_bufferization.transforms.reuse_freed_buffers import (
            ReuseFreedBuffersPass,
        )
        from xdsl_bufferization.transforms.verify_deallocation import (
            VerifyDeallocationPass,
        )

        verify = (
            (VerifyDeallocationPass(allow_undecided=False),) if self.verify_result else ()
        )
        return (
            BufferDeallocationPipeline(static_ownership=True),
            OptimizeAllocationLivenessPass(any_buffer=True),
            HoistLoopAllocationsPass(),
            # What only a branch, a loop or a value that is removed by now has used.
            RemoveUnreadBuffersPass(),
            PromoteRepeatedAllocationsPass(),
            # A loop that carries a buffer keeps it out of an arena: these come first.
            *(() if self.plan_memory else (ReuseFreedBuffersPass(),)),
            *verify,
        )

    def get_memory_passes(self) -> Sequence[ModulePass]:
        """The plan of the memory, where it is wanted."""
        if not self.plan_memory:
            if self._plan_options != BufferizationPipeline()._plan_options:
                raise PassFailedException(
                    f"{self.name}: arena, stack-limit, capacity, search-steps and "
                    "reorder-for-peak-memory are for plan-memory; add the option "
                    "plan-memory"
                )
            return ()
        # Not needed, and not loaded, for anything else.
        from xdsl_bufferization.transforms.plan_memory import PlanMemoryPass
        from xdsl_bufferization.transforms.reorder_for_peak_memory import (
            ReorderForPeakMemoryPass,
        )
        from xdsl_bufferization.transforms.reuse_freed_buffers import (
            ReuseFreedBuffersPass,
        )
        from xdsl_bufferization.transforms.verify_deallocation import (
            VerifyDeallocationPass,
        )
        from xdsl_bufferization.transforms.verify_memory_plan import VerifyMemoryPlanPass

        reorder = (ReorderForPeakMemoryPass(),) if self.reorder_for_peak_memory else ()
        # Again, as the last buffers are reused here; before the plan, which erases frees,
        # the deallocations of all have been verified.
        verify = (
            (VerifyDeallocationPass(allow_undecided=False), VerifyMemoryPlanPass())
            if self.verify_result
            else ()
        )
        return (
            *reorder,
            PlanMemoryPass(
                arena=self.arena,
                stack_limit=self.stack_limit,
                capacity=self.capacity,
                search_steps=self.search_steps,
            ),
            ReuseFreedBuffersPass(),
            *verify,
        )

    @property
    def _plan_options(self) -> tuple[object, ...]:
        return (
            *(self.arena, self.stack_limit, self.capacity, self.search_steps),
            self.reorder_for_peak_memory,
        )


@dataclass(frozen=True)
class LowerToLLVMPipeline(Pipeline):
    """Lower bufferized, deallocated IR (linalg, affine, scf, memref, arith, math, func)
    to the LLVM dialect. Print the result as LLVM IR with `xdsl-opt -t llvm`. Loops of
    structured ops are interchanged where that makes the innermost loop faster.

    Options (of convert-to-llvm):
    - index-bitwidth: the width of the index type (64).
    - use-aligned-alloc: allocate with aligned_alloc instead of malloc.
    - use-generic-functions: allocate and free with functions that the linker resolves.
    """

    name = "lower-to-llvm-pipeline"

    index_bitwidth: IndexBitwidth = 64
    use_aligned_alloc: bool = False
    use_generic_functions: bool = False

    def get_passes(self) -> Sequence[ModulePass]:
        from xdsl_bufferization.conversion.convert_linalg_to_loops import (
            ConvertLinalgToLoopsPass,
        )
        from xdsl_bufferization.conversion.convert_scf_to_cf import ConvertScfToCfPass
        from xdsl_bufferization.conversion.convert_to_llvm import ConvertToLLVMPass
        from xdsl_bufferization.conversion.lower_affine import LowerAffinePass
        from xdsl_bufferization.transforms.convert_bufferization_to_memref import (
            ConvertBufferizationToMemrefPass,
        )
        from xdsl_bufferization.transforms.expand_realloc import ExpandReallocPass

        return (
            ExpandReallocPass(),
            ConvertBufferizationToMemrefPass(),
            ConvertLinalgToLoopsPass(interchange=True),
            LowerAffinePass(),
            ConvertScfToCfPass(),
            ConvertToLLVMPass(
                self.index_bitwidth, self.use_aligned_alloc, self.use_generic_functions
            ),
        )


@dataclass(frozen=True)
class TensorToLLVMPipeline(Pipeline):
    """Lower tensors to the LLVM dialect: noalias-tensor-arguments,
    bufferization-pipeline and lower-to-llvm-pipeline.

    Functions are bufferized too. Public functions return new buffers, which the caller
    frees.

    Options (of bufferization-pipeline, convert-to-llvm):
    - buffer-alignment: the alignment of new buffers in bytes (64).
    - function-boundary-type-conversion: the layouts of the buffers of functions
      (infer-layout-map).
    - index-bitwidth: the width of the index type (64).
    - use-aligned-alloc: allocate with aligned_alloc instead of malloc.
    - use-generic-functions: allocate and free with functions that the linker resolves.
    """

    name = "tensor-to-llvm-pipeline"

    buffer_alignment: Alignment = 64
    function_boundary_type_conversion: LayoutMapOption = "infer-layout-map"
    index_bitwidth: IndexBitwidth = 64
    use_aligned_alloc: bool = False
    use_generic_functions: bool = False

    def get_passes(self) -> Sequence[ModulePass]:
        from xdsl_bufferization.transforms.noalias_tensor_arguments import (
            NoaliasTensorArgumentsPass,
        )

        return (
            NoaliasTensorArgumentsPass(),
            BufferizationPipeline(
                buffer_alignment=self.buffer_alignment,
                function_boundary_type_conversion=(
                    self.function_boundary_type_conversion
                ),
            ),
            LowerToLLVMPipeline(
                self.index_bitwidth, self.use_aligned_alloc, self.use_generic_functions
            ),
        )
