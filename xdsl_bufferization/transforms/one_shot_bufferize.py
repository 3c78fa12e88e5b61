"""The pass one-shot-bufferize."""

from __future__ import annotations

from dataclasses import dataclass, fields

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.interfaces.bufferization_options import (
    AnalysisHeuristic,
    BufferizationOptions,
    LayoutMapOption,
    OpFilter,
    UnknownLayoutMapOption,
)
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.pass_options import Alignment, Unsigned
from xdsl_bufferization.remarks.active import printing_remarks
from xdsl_bufferization.transforms.utils.one_shot_bufferization import (
    check_options,
    run_one_shot_bufferize,
)
from xdsl_bufferization.transforms.utils.unmatched_names import (
    warn_of_unmatched_dialects,
    warn_of_unmatched_functions,
)


@dataclass(frozen=True)
class OneShotBufferizePass(ModulePass):
    """Bufferize tensors: every tensor becomes a memref, and copies are made only where
    reusing a buffer would change what the program computes.

    An analysis first decides for each tensor operand whether the op may write the
    operand's buffer (in place) or must write a copy. Then every op is rewritten. Ops
    are supported through BufferizableOpInterface (docs/new-dialect.md). Buffers are not
    freed: run `buffer-deallocation-pipeline` afterwards.

        func.func @f(%t: tensor<8xf32>, %i: index, %x: f32) -> tensor<8xf32> {
          %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
          return %0 : tensor<8xf32>
        }

    becomes, with `bufferize-function-boundaries`,

        func.func @f(%t: memref<8xf32, strided<[?], offset: ?>>, %i: index, %x: f32)
            -> memref<8xf32, strided<[?], offset: ?>> {
          memref.store %x, %t[%i] : memref<8xf32, strided<[?], offset: ?>>
          return %t : memref<8xf32, strided<[?], offset: ?>>
        }

    Options:
        allow-return-allocs-from-loops: a loop may yield a buffer that it allocated.
        allow-unknown-ops: ops without a model stay as they are, on tensors;
            bufferization.to_tensor and to_buffer connect them to the rest.
        analyze-recursion: analyse recursive functions and functions that call them.
            Without this option, as in mlir-opt, calls of them may do anything. The
            heuristic `fuzzer` does not use it.
        analysis-fuzzer-seed: seed of the heuristic `fuzzer`.
        analysis-heuristic: order of decisions, which are greedy: `bottom-up` (default),
            `top-down`, `bottom-up-from-terminators`, or `fuzzer`, a random order, the
            same as mlir-opt's for each seed. `cheapest`, which mlir-opt does not have,
            selects for each function the order among the first three that copies the
            fewest bytes, estimated with the trip counts of loops (docs/copies.md).
        buffer-alignment: alignment of new buffers in bytes; 0 for none. 64 by default.
        bufferize-function-boundaries: bufferize functions, calls and returns too.
        check-parallel-regions: give each iteration of a parallel loop its own buffers.
        copy-before-write: no analysis; copy a buffer before every write.
        dialect-filter: bufferize ops of these dialects only.
        disjoint-slices: let an op write a slice of a buffer in place if only disjoint
            slices are read later (docs/copies.md). mlir-opt, and this pass without the
            option, copy the tensor or the slice.
        dump-alias-sets: annotate tensors with their aliases (with test-analysis-only).
        early-copies: let an op write a buffer in place although another operand of the
            op gets a copy of it, because the copy comes before the op: for example, if a
            loop starts with one tensor twice. mlir-opt, and this pass without the
            option, copy twice.
        function-boundary-type-conversion: layout of memrefs in function types:
            `infer-layout-map` (fully dynamic for arguments, inferred for results),
            `identity-layout-map` or `fully-dynamic-layout-map`.
        keep-result-shapes: let a function return the shape that it declares. mlir-opt,
            and this pass without the option, drop a cast before the return, and thus
            change the shape, if the layout is inferred.
        must-infer-memory-space: fail where a memory space cannot be inferred, instead
            of using the default one.
        no-analysis-func-filter: names of functions that are not analysed; they copy a
            buffer before every write.
        print-conflicts: annotate operands with the reasons why they are out of place
            (with test-analysis-only).
        read-only-loops: let a loop carry a buffer that none of its ops can write although
            the buffer is read later, or is read-only. mlir-opt, and this pass without
            the option, treat a loop as a write of all that it carries, and copy that;
            and copy in each iteration what scf.while carries, unless that never changes.
            Loops inside of scf.forall are as without the option.
        remarks: print to stderr why each copy and allocation exists, and how to avoid
            copies (docs/why-a-copy.md).
        test-analysis-only: annotate the tensor program with the decisions, and do not
          bufferize it.
        unknown-type-conversion: layout of memrefs for which none can be inferred:
            `fully-dynamic-layout-map` (default) or `identity-layout-map`.
        use-encoding-for-memory-space: a tensor type's encoding is its memory space.
        verify-result: check that every op reads the contents that the tensor program
            specifies, as verify-bufferization does.
    """

    name = "one-shot-bufferize"

    allow_return_allocs_from_loops: bool = False
    allow_unknown_ops: bool = False
    analyze_recursion: bool = False
    analysis_fuzzer_seed: Unsigned = 0
    analysis_heuristic: AnalysisHeuristic = "bottom-up"
    buffer_alignment: Alignment = 64
    bufferize_function_boundaries: bool = False
    check_parallel_regions: bool = True
    copy_before_write: bool = False
    dialect_filter: tuple[str, ...] | str = ()
    disjoint_slices: bool = False
    dump_alias_sets: bool = False
    early_copies: bool = False
    function_boundary_type_conversion: LayoutMapOption = "infer-layout-map"
    keep_result_shapes: bool = False
    must_infer_memory_space: bool = False
    no_analysis_func_filter: tuple[str, ...] | str = ()
    print_conflicts: bool = False
    read_only_loops: bool = False
    remarks: bool = False
    test_analysis_only: bool = False
    unknown_type_conversion: UnknownLayoutMapOption = "fully-dynamic-layout-map"
    use_encoding_for_memory_space: bool = False
    verify_result: bool = False

    def options(self) -> BufferizationOptions:
        """The options as the library takes them.

        Raises:
            PassFailedException: for options that exclude each other.
        """
        op_filter = OpFilter()
        if self.dialect_filter:
            op_filter.allow_dialects(*_names(self.dialect_filter))
        given = {name: getattr(self, name) for name in _SHARED}
        given["no_analysis_func_filter"] = _names(self.no_analysis_func_filter)
        options = BufferizationOptions(**given, op_filter=op_filter)
        check_options(options)
        return options

    def warn_of_unmatched_names(self, ctx: Context, op: ModuleOp) -> None:
        """Warn of filters that match nothing."""
        warn_of_unmatched_dialects(
            _names(self.dialect_filter), f"{self.name}: dialect-filter", ctx, op
        )
        warn_of_unmatched_functions(
            _names(self.no_analysis_func_filter),
            f"{self.name}: no-analysis-func-filter",
            op,
        )

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        options = self.options()
        self.warn_of_unmatched_names(ctx, op)
        with printing_remarks(op, self.name, self.remarks):
            self._bufferize(op, options)

    def _bufferize(self, op: ModuleOp, options: BufferizationOptions) -> None:
        if not self.verify_result:
            run_one_shot_bufferize(op, options)
            return
        from xdsl_bufferization.transforms.utils.verified_bufferization import (
            bufferize_and_verify,
            demand_right_contents,
            verify_bufferization,
        )

        if options.test_analysis_only:
            demand_right_contents(verify_bufferization(op, options), self.name)
            run_one_shot_bufferize(op, options)
        else:
            demand_right_contents(bufferize_and_verify(op, options)[1], self.name)


_SHARED = {field.name for field in fields(OneShotBufferizePass)} & {
    field.name for field in fields(BufferizationOptions)
}
"""The options that pass and library have in common."""


def _names(value: tuple[str, ...] | str) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value
