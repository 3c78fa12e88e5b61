"""The ml_program dialect: global tensors become memref.globals.

A load returns the global's own memory, which later stores change. The loaded tensor is
therefore copied if the global may be stored to while the tensor is still live.
(mlir-opt does not do so, and treats a store as an op that writes the tensor and does
not read it.)

    %0 = ml_program.global_load @g : tensor<4xf32>
    ml_program.global_store @g = %1 : tensor<4xf32>
    %2 = tensor.extract %0[%i] : tensor<4xf32>       // the old contents
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import (
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.dialects import memref, ml_program
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.interfaces.types import TENSOR_TYPES

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.analysis_state import AnalysisState


class Global(BufferizableModel):
    """memref.global, constant unless the op is mutable; one without contents where the
    value is that of another module."""

    def has_tensor_semantics(self, op: Operation) -> bool:
        return isinstance(op.properties.get("type"), TENSOR_TYPES)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        value, type_ = op.properties.get("value"), op.properties["type"]
        if value is None:
            raise PassFailedException(
                f"{op.name}: global op must have a value. Give it one, or "
                f"#ml_program.extern.{describe(op)}"
            )
        if not isinstance(type_, TensorType) or not type_.has_static_shape():
            raise PassFailedException(
                f"{op.name}: a global buffer needs a static shape, not {type_}."
                f"{describe(op)}"
            )
        visibility = op.properties.get("sym_visibility")
        global_op = memref.GlobalOp(
            cast(StringAttr, op.properties["sym_name"]),
            _global_type(op.properties["type"]),
            None if isinstance(value, ml_program.ExternAttr) else value,
            sym_visibility=visibility if isinstance(visibility, StringAttr) else None,
            constant="is_mutable" not in op.properties,
        )
        rewriter.insert(global_op)
        rewriter.erase(op)


class GlobalLoad(BufferizableModel):
    """memref.get_global, which must not be written, and a copy of it where needed."""

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        return False

    def resolve_conflicts(
        self, op: Operation, rewriter: BufferizationRewriter, state: AnalysisState
    ) -> None:
        stores = _stores(op, rewriter)
        if not stores or not _may_change_while_used(op, stores, state):
            return
        result = op.results[0]
        uses = tuple(result.uses)
        with (
            rewriter.insert_at(InsertPoint.after(op)),
            rewriter.because("changed-global", op, result),
        ):
            copy = rewriter.allocate_tensor(result)
        for use in uses:
            use.operation.operands[use.index] = copy
        rewriter.notify_replaced(result, copy)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        buffer = _create_get_global(op, op.results[0].type, rewriter)
        rewriter.replace(op, [buffer])


class GlobalStore(BufferizableModel):
    """A copy to memref.get_global."""

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        source = rewriter.get_buffer(op.operands[0])
        dest = _create_get_global(op, source.type, rewriter)
        rewriter.create_memcpy(source, dest)
        rewriter.erase(op)


def _global_type(type_: Attribute) -> MemRefType:
    """The type of a global of this tensor type, or of these shape and elements."""
    shaped = cast("TensorType | MemRefType", type_)
    return MemRefType(shaped.element_type, shaped.shape)


def _create_get_global(
    op: Operation, type_: Attribute, rewriter: BufferizationRewriter
) -> SSAValue:
    get_global = memref.GetGlobalOp(_symbol(op), _global_type(type_))
    return rewriter.insert(get_global).results[0]


def _symbol(op: Operation) -> SymbolRefAttr:
    """The global that a load or store names."""
    return cast(SymbolRefAttr, op.properties["global"])


# Whether a loaded value may change while it is used.

_STORES: WeakKeyDictionary[BufferizationRewriter, dict[Attribute, set[Operation]]] = (
    WeakKeyDictionary()
)


def _stores(op: Operation, rewriter: BufferizationRewriter) -> set[Operation]:
    """All stores to the global that is loaded. The module is searched once a run."""
    by_symbol = _STORES.get(rewriter)
    if by_symbol is None:
        by_symbol = _STORES[rewriter] = {}
        root = op
        while (parent := root.parent_op()) is not None:
            root = parent
        for inner in walk(root):
            if isinstance(inner, ml_program.GlobalStoreOp):
                by_symbol.setdefault(_symbol(inner), set()).add(inner)
    return by_symbol.get(_symbol(op), set())


def _may_change_while_used(
    load: Operation, stores: set[Operation], state: AnalysisState
) -> bool:
    """Whether a store may happen between the load and the last use of what it gives, or
    of what may be part of it. A use out of sight counts as the last of all."""
    pending = set[Operation]()
    for user in _users(load.results[0], state):
        while user is not None and user.parent is not load.parent:
            user = user.parent_op()
        if user is None or user.next_op is None:
            return True
        pending.add(user)
    op = load.next_op
    while op is not None and pending:
        # A store that is the last user itself has read the value when it writes.
        pending.discard(op)
        if (op not in stores or pending) and any(
            inner in stores or inner.name.startswith("func.call") for inner in walk(op)
        ):
            return True
        op = op.next_op
    return False


def _users(value: SSAValue, state: AnalysisState) -> Iterator[Operation | None]:
    """The ops that use a tensor or what may share its buffer; None for an op that may do
    anything with it."""
    worklist, seen = [value], {value}
    while worklist:
        for use in worklist.pop().uses:
            if state.model(use.operation) is None:
                yield None
                continue
            yield use.operation
            for alias in state.aliasing_values(use):
                if alias.value not in seen:
                    seen.add(alias.value)
                    worklist.append(alias.value)


def register() -> None:
    attach(ml_program.GlobalOp, Global())
    attach(ml_program.GlobalLoadConstOp, GlobalLoad())
    attach(ml_program.GlobalLoadOp, GlobalLoad())
    attach(ml_program.GlobalStoreOp, GlobalStore())
