"""The rewrite: from ops on tensors to ops on memrefs (MLIR's `bufferizeOp`).

Every op is visited once, top-down, an op after the ops in its regions, and replaced or
changed in place by its model. Ops on tensors that a model inserts are bufferized
immediately afterwards. Functions are visited callees first, so that a call sees the
final types of its callee. Ops that stay on tensors are connected to the rest at the
end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.rewriter import InsertPoint
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.analysis.one_shot.module_analysis import other_ops
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.dialects import bufferization
from xdsl_bufferization.dialects.func import ConstantOp
from xdsl_bufferization.dialects.op_lists import postorder, walk
from xdsl_bufferization.error_positions import name_of
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.model_errors import is_of_this_package, refuse
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.types import (
    MEMREF_TYPES,
    TENSOR_CLASSES,
    TENSOR_TYPES,
    has_tensor_semantics,
)
from xdsl_bufferization.models.func.boundary import takes_tensors
from xdsl_bufferization.models.func.bufferization import bufferize_results
from xdsl_bufferization.models.func.values import convert_function_values
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.tensor_copy_insertion import (
    prepare,
    resolve_conflicts,
)


@dataclass
class BufferizationStatistics:
    """What a run of bufferization did; MLIR's statistics of the same names."""

    num_buffer_alloc: int = 0
    num_tensor_in_place: int = 0
    num_tensor_out_of_place: int = 0

    def __str__(self) -> str:
        return "\n".join(
            f"{number:8} {name}"
            for name, number in (
                ("num-buffer-alloc", self.num_buffer_alloc),
                ("num-tensor-in-place", self.num_tensor_in_place),
                ("num-tensor-out-of-place", self.num_tensor_out_of_place),
            )
        )


@on_program
def bufferize_op(
    root: Operation, options: BufferizationOptions
) -> BufferizationStatistics:
    """Bufferize everything under `root`, `root` itself included.

    Nothing is analysed: the program must be free of conflicts (`insert_tensor_copies`),
    or `options.copy_before_write` set.

    Raises:
        PassFailedException: when an op on tensors has no bufferization (unless
            `allow_unknown_ops`), or a model cannot bufferize an op.
    """
    functions = FunctionTable(root)
    state = DefaultAnalysisState(options, functions)
    if options.copy_before_write:
        prepare(root, state)
        resolve_conflicts(root, state)
    rewriter = BufferizationRewriter(options, state)
    _check_known(root, state)
    _check_callees(root, state)
    for ops, circular in _units(root, functions, options):
        _bufferize(ops, rewriter)
        for op in ops:
            if isinstance(op, FuncOp) and state.model(op) is not None:
                bufferize_results(op, circular, rewriter)
                if options.bufferize_function_boundaries:
                    convert_function_values(op, rewriter)
    rewriter.fold_casts()
    _remove_unused_casts(root)
    for listener in options.listeners:
        listener.bufferized(rewriter.existing_buffer)
    return BufferizationStatistics(num_buffer_alloc=rewriter.num_buffer_allocs)


def _units(
    root: Operation, functions: FunctionTable, options: BufferizationOptions
) -> Iterable[tuple[Sequence[Operation], bool]]:
    """The ops to bufferize one after the other, those together that use each other's
    results; and whether each is a function that may be called before the types of what
    it returns are known."""
    if not options.bufferize_function_boundaries or not isinstance(root, ModuleOp):
        return [((root,), False)]
    ordered, circular = functions.callees_first()
    return [
        *(((func,), func in functions.used_as_values) for func in ordered),
        *(((func,), True) for func in circular),
        (other_ops(root), False),
    ]


_CASTS = (bufferization.ToTensorOp, bufferization.ToBufferOp)


def _check_known(root: Operation, state: DefaultAnalysisState) -> None:
    """Raise for an op on tensors that nothing can bufferize, before anything changes."""
    options = state.options
    if options.allow_unknown_ops:
        return
    for op in walk(root):
        if (
            has_tensor_semantics(op)
            and op.__class__ not in _CASTS
            and options.is_op_allowed(op)
            and state.model(op) is None
        ):
            raise PassFailedException(
                f"{name_of(op)}: op was not bufferized: it does not implement "
                f"BufferizableOpInterface. {advice(op)}, or run with allow-unknown-ops."
                f"{describe(op)}"
            )


def _check_callees(root: Operation, state: DefaultAnalysisState) -> None:
    """Raise for a call, or a function as a value, that the filter of ops treats otherwise
    than the function: one would be on tensors, the other on memrefs."""
    options, functions = state.options, state.functions
    if not (options.op_filter.allow or options.op_filter.deny):
        return
    for op in walk(root):
        if isinstance(op, ConstantOp):
            callee = functions.named(op)
        elif isinstance(op, CallOp):
            callee = functions.callee(op)
        else:
            continue
        if (
            callee is not None
            and takes_tensors(callee.function_type)
            and options.is_op_allowed(op) != options.is_op_allowed(callee)
        ):
            raise PassFailedException(
                f"{op.name}: the options include only one of this op and the function "
                f"@{callee.sym_name.data} that it names, whose type changes. Include or "
                f"exclude both.{describe(op)}"
            )


def advice(op: Operation) -> str:
    """Say what makes an op that has no model bufferizable, without the full stop."""
    from xdsl_bufferization.conversion.convert_elementwise_to_linalg import is_elementwise

    if is_elementwise(op):
        return "Run convert-elementwise-to-linalg first"
    if op.dialect_name() == "tosa":
        return "Run tosa-to-linalg first"
    return (
        "Attach a model to it (pydoc xdsl_bufferization.base_models says how), lower it "
        "to ops that can be bufferized first"
    )


def _bufferize(roots: Sequence[Operation], rewriter: BufferizationRewriter) -> None:
    state = rewriter.state
    kept: dict[Operation, list[Attribute]] = {}
    worklist: list[Operation] = []
    to_buffers: list[Operation] = []
    for op in chain.from_iterable(map(postorder, roots)):
        model = state.model(op)
        if model is None or (op.next_op is None and _ends_unknown_region(op, rewriter)):
            if has_tensor_semantics(op) and not _is_branch_of_known(op, rewriter):
                kept[op] = [value.type for value in op.operands]
        elif isinstance(op, bufferization.ToBufferOp):
            to_buffers.append(op)
        elif model.has_tensor_semantics(op):
            worklist.append(op)
    rewriter.kept.update(kept)
    for op in worklist:
        _bufferize_one(op, rewriter)
        # What models insert may itself have to be bufferized.
        while rewriter.pending:
            inserted, rewriter.pending = rewriter.pending, []
            for new_op in inserted:
                if new_op.parent is not None:
                    _bufferize_one(new_op, rewriter)
    # The buffers they ask for are there now.
    for op in to_buffers:
        _bufferize_one(op, rewriter)
    for op, types in kept.items():
        _connect_kept(op, types, rewriter)


def _ends_unknown_region(op: Operation, rewriter: BufferizationRewriter) -> bool:
    """Whether the last op of a block passes tensors to an op that is not bufferized."""
    parent = op.parent_op()
    return (
        parent is not None
        and rewriter.state.model(parent) is None
        and op.has_trait(IsTerminator)
    )


def _is_branch_of_known(op: Operation, rewriter: BufferizationRewriter) -> bool:
    """Whether a branch is bufferized with the op around it, though its own dialect is
    not to be bufferized: it forwards to block arguments of that op."""
    parent = op.parent_op() if op.successors else None
    model = rewriter.state.model(parent) if parent is not None else None
    return parent is not None and model is not None and model.has_tensor_semantics(parent)


def _bufferize_one(op: Operation, rewriter: BufferizationRewriter) -> None:
    model = rewriter.state.model(op)
    if model is not None:
        rewriter.visit(op)
        model.bufferize(op, rewriter)
        for result in op.results:
            if result.type.__class__ in TENSOR_CLASSES and result.first_use is not None:
                _check_replaced(op, model)
                break


def _check_replaced(op: Operation, model: BufferizableOpInterface) -> None:
    """Raise for a model of a user's that leaves results on tensors."""
    if op.parent is not None and not is_of_this_package(model):
        raise refuse(
            op,
            model,
            "bufferize",
            "left the op in the program with tensors as its results. Call "
            "rewriter.replace(op, values), or rewriter.set_type for an op that is kept.",
        )


def _connect_kept(
    op: Operation, types: list[Attribute], rewriter: BufferizationRewriter
) -> None:
    """Give an op that stays on tensors a tensor where its operand is a memref by now."""
    if op.parent is None:
        return
    parent = op.parent_op()
    # Nothing but insertions may be in the region that ends a scf.forall.
    if parent is None or parent.name != "scf.forall.in_parallel":
        parent = op
    rewriter.point = InsertPoint.before(parent)
    for operand, type_ in zip(operands_of(op), types, strict=True):
        value = get(operand)
        if isinstance(type_, TENSOR_TYPES) and isinstance(value.type, MEMREF_TYPES):
            rewriter.set_operand(op, operand.index, rewriter.to_tensor(value, type_))


def _remove_unused_casts(root: Operation) -> None:
    for op in list(walk(root)):
        if (
            op.__class__ in _CASTS
            and op.results[0].first_use is None
            and op.parent is not None
        ):
            op.parent.erase_op(op)
