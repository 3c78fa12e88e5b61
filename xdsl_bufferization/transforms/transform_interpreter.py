"""The pass transform-interpreter: xDSL's, with the transforms that bufferize."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, NoneAttr
from xdsl.dialects.func import FuncOp
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.interpreters.printf import PrintfFunctions
from xdsl.interpreters.transform import OperationHandle, TransformFunctions
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.transforms.transform_interpreter import (
    TransformInterpreterPass as XDSLTransformInterpreterPass,
)
from xdsl.universe import Universe

from xdsl_bufferization.dialects import bufferization, linalg, transform
from xdsl_bufferization.dialects.adoption import adopt_ops
from xdsl_bufferization.interfaces.bufferization_options import (
    BufferizationOptions,
    LayoutMapOption,
)
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.buffer_loop_hoisting import hoist_buffers_from_loops
from xdsl_bufferization.transforms.eliminate_empty_tensors import (
    eliminate_empty_tensors,
)
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass
from xdsl_bufferization.transforms.rewrite_in_destination_passing_style import rewrite_op
from xdsl_bufferization.transforms.utils.bufferize_to_allocation import (
    AllocationOptions,
    bufferize_to_allocation,
)
from xdsl_bufferization.transforms.utils.one_shot_bufferization import (
    run_one_shot_bufferize,
)
from xdsl_bufferization.transforms.utils.transform_handles import (
    HandleTracker,
    ValueHandle,
    failed,
    payload_of,
)
from xdsl_bufferization.transforms.utils.transform_navigation import HandleTransforms


@dataclass(frozen=True)
class TransformInterpreterPass(ModulePass):
    """Run a transform script: a transform.named_sequence that specifies which ops to
    transform, and how.

        transform.named_sequence @__transform_main(
            %module: !transform.any_op {transform.consumed}) {
          %pads = transform.structured.match ops{["tensor.pad"]} in %module
              : (!transform.any_op) -> !transform.any_op
          %buffers, %new = transform.structured.bufferize_to_allocation %pads
              {memory_space = 1} : !transform.any_op
          transform.bufferization.eliminate_empty_tensors %module : !transform.any_op
          %all = transform.bufferization.one_shot_bufferize %module
              {bufferize_function_boundaries = true}
              : (!transform.any_op) -> !transform.any_op
          transform.yield
        }

    computes the padded tensor in a buffer in memory space 1, and bufferizes the rest.
    These are the transforms that bufferize:

    - `bufferization.one_shot_bufferize`, of modules and functions;
    - `bufferization.eliminate_empty_tensors` and `bufferization.buffer_loop_hoisting`
      inside of any op;
    - `bufferization.empty_tensor_to_alloc_tensor` of tensor.empty ops;
    - `structured.bufferize_to_allocation` of single ops, each into a new buffer;
    - `structured.rewrite_in_destination_passing_style` of tensor.from_elements, generate
      and pad.

    It also runs xDSL's transforms (`structured.match` with all its filters here,
    `structured.tile_using_for`, `apply_registered_pass` with options) and `cast`,
    `include`, `get_parent_op`, `get_defining_op`, `get_producer_of_operand`,
    `get_result`, `merge_handles` and `split_handle`. A consumed handle, or a handle to
    ops nested in consumed ops, cannot be used again.

    Options:
        entry-point: the name of the sequence; `__transform_main` by default.
    """

    name = "transform-interpreter"

    entry_point: str = "__transform_main"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        schedule = XDSLTransformInterpreterPass.find_transform_entry_point(
            op, self.entry_point
        )
        tracker = HandleTracker()
        interpreter = Interpreter(op, listeners=(tracker,))
        passes = Universe.get_multiverse().all_passes
        interpreter.register_implementations(TransformFunctions(ctx, passes))
        interpreter.register_implementations(PrintfFunctions())
        interpreter.register_implementations(HandleTransforms(ctx, passes), override=True)
        interpreter.register_implementations(BufferizingTransforms())
        interpreter.call_op(schedule, (OperationHandle(op),))


@register_impls
class BufferizingTransforms(InterpreterFunctions):
    """The transforms that bufferize."""

    @impl(transform.OneShotBufferizeOp)
    def one_shot_bufferize(
        self,
        interpreter: Interpreter,
        op: transform.OneShotBufferizeOp,
        args: PythonValues,
    ) -> PythonValues:
        options = _one_shot_options(op)
        targets = _targets(args[0])
        for target in targets:
            if not isinstance(target, ModuleOp | FuncOp):
                raise failed(op, "expected module or function target", target)
            if options.bufferize_function_boundaries and not isinstance(target, ModuleOp):
                raise failed(
                    op,
                    "expected module target, since function boundaries are bufferized "
                    "(bufferize_function_boundaries)",
                    target,
                )
            run_one_shot_bufferize(target, options)
        return (OperationHandle(*targets),)

    @impl(transform.EliminateEmptyTensorsOp)
    def eliminate_empty_tensors(
        self,
        interpreter: Interpreter,
        op: transform.EliminateEmptyTensorsOp,
        args: PythonValues,
    ) -> PythonValues:
        for target in _targets(args[0]):
            eliminate_empty_tensors(target)
        return ()

    @impl(transform.BufferLoopHoistingOp)
    def buffer_loop_hoisting(
        self,
        interpreter: Interpreter,
        op: transform.BufferLoopHoistingOp,
        args: PythonValues,
    ) -> PythonValues:
        for target in _targets(args[0]):
            hoist_buffers_from_loops(target)
        return ()

    @impl(transform.EmptyTensorToAllocTensorOp)
    def empty_tensor_to_alloc_tensor(
        self,
        interpreter: Interpreter,
        op: transform.EmptyTensorToAllocTensorOp,
        args: PythonValues,
    ) -> PythonValues:
        new_ops: list[Operation] = []
        for target in visiting(_targets(args[0])):
            new_op = bufferization.AllocTensorOp(target.results[0].type, target.operands)
            Rewriter.replace_op(target, new_op)
            new_ops.append(new_op)
        return (OperationHandle(*new_ops),)

    @impl(transform.BufferizeToAllocationOp)
    def bufferize_to_allocation(
        self,
        interpreter: Interpreter,
        op: transform.BufferizeToAllocationOp,
        args: PythonValues,
    ) -> PythonValues:
        options = AllocationOptions(
            memory_space=NoneAttr() if op.memory_space is None else op.memory_space,
            memcpy_op=op.memcpy_op.data,
            alloc_op=op.alloc_op.data,
            bufferize_destination_only=op.bufferize_destination_only is not None,
            emit_dealloc=op.emit_dealloc is not None,
        )
        results = [
            bufferize_to_allocation(target, options)
            for target in visiting(_targets(args[0]))
        ]
        return (
            ValueHandle(tuple(result.buffer for result in results)),
            OperationHandle(*(op for result in results for op in result.new_ops)),
        )

    @impl(transform.RewriteInDestinationPassingStyleOp)
    def rewrite_in_destination_passing_style(
        self,
        interpreter: Interpreter,
        op: transform.RewriteInDestinationPassingStyleOp,
        args: PythonValues,
    ) -> PythonValues:
        new_ops: list[Operation] = []
        for target in visiting(_targets(args[0])):
            new_op = rewrite_op(target)
            if new_op is None:
                raise failed(
                    op,
                    "applies to tensor.from_elements, generate and pad only",
                    target,
                )
            new_ops.append(new_op)
        return (OperationHandle(*new_ops),)


def _targets(handle: Any) -> list[Operation]:
    """The payload of a handle, every op of it of the class that this package knows."""
    targets = payload_of(handle)
    for target in targets:
        adopt_ops(target)
    return targets


def _linalg_copy(
    rewriter: BufferizationRewriter, source: SSAValue, target: SSAValue
) -> None:
    rewriter.insert(linalg.CopyOp([source], [target], []))


def _one_shot_options(op: transform.OneShotBufferizeOp) -> BufferizationOptions:
    def flag(name: str) -> bool:
        return bool(cast(IntegerAttr, op.properties[name]).value.data)

    options = OneShotBufferizePass(
        allow_return_allocs_from_loops=flag("allow_return_allocs_from_loops"),
        allow_unknown_ops=flag("allow_unknown_ops"),
        bufferize_function_boundaries=flag("bufferize_function_boundaries"),
        check_parallel_regions=flag("check_parallel_regions"),
        dump_alias_sets=flag("dump_alias_sets"),
        function_boundary_type_conversion=cast(
            LayoutMapOption, op.layout or "infer-layout-map"
        ),
        print_conflicts=flag("print_conflicts"),
        test_analysis_only=flag("test_analysis_only"),
    ).options()
    if op.memcpy_op.data == linalg.CopyOp.name:
        options.memcpy_fn = _linalg_copy
    return options
