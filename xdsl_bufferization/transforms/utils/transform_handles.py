"""The payloads of the handles of a transform script, and their validity.

A transform that consumes a handle may have erased or replaced its payload. It therefore
invalidates that handle, and every other handle whose payload is the same or nested in
it; a later use of one of them is an error. The class of each transform op declares
which handles it consumes, and a listener of the interpreter tracks them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects import transform as xdsl_transform
from xdsl.interpreter import Interpreter, PythonValues
from xdsl.interpreters.transform import OperationHandle
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.dialects import transform
from xdsl_bufferization.interfaces.diagnostics import describe

CONSUMING_OPS = (
    transform.OneShotBufferizeOp,
    transform.EmptyTensorToAllocTensorOp,
    transform.BufferizeToAllocationOp,
    transform.RewriteInDestinationPassingStyleOp,
    xdsl_transform.ApplyRegisteredPassOp,
    xdsl_transform.TileOp,
)
"""The transform ops that consume their operands."""


@dataclass(frozen=True)
class ValueHandle:
    """The payload values of a handle."""

    values: tuple[SSAValue, ...]


def payload_of(handle: Any) -> list[Operation]:
    """The ops that a handle stands for, or that make the values it stands for; ops that
    were erased by a transform since are excluded."""
    if isinstance(handle, OperationHandle):
        ops = cast("OperationHandle[Operation]", handle).ops
        return [op for op in ops if _is_root(op) or op.parent is not None]
    if isinstance(handle, ValueHandle):
        return [value.op for value in handle.values if isinstance(value, OpResult)]
    return []


def failed(op: Operation, message: str, target: Operation) -> PassFailedException:
    """The error that a transform cannot be applied to an op of its payload."""
    return PassFailedException(f"{op.name}: {message}{describe(target)}")


def _is_root(op: Operation) -> bool:
    return op.name == "builtin.module"


@dataclass
class HandleTracker(Interpreter.Listener):
    """Follows which handles were invalidated, and by which op."""

    handles: dict[SSAValue, Any] = field(default_factory=dict[SSAValue, Any])
    invalidated_by: dict[SSAValue, Operation] = field(
        default_factory=dict[SSAValue, Operation]
    )

    def will_interpret_op(self, op: Operation, args: PythonValues) -> None:
        for operand, handle in zip(op.operands, args, strict=True):
            if (culprit := self.invalidated_by.get(operand)) is not None:
                raise PassFailedException(
                    f"{op.name}: op uses a handle invalidated by a previously executed "
                    f"transform op, {culprit.name}, which consumed it or a handle to "
                    "an op around its payload. Use the handle that the other op "
                    f"returned, or match again.{describe(op)}"
                )
            self.handles[operand] = handle
        if isinstance(op, CONSUMING_OPS):
            self._invalidate(op, args)

    def did_interpret_op(self, op: Operation, results: PythonValues) -> None:
        for result, handle in zip(op.results, results, strict=True):
            self.handles[result] = handle
            self.invalidated_by.pop(result, None)

    def _invalidate(self, op: Operation, args: PythonValues) -> None:
        consumed = {payload for handle in args for payload in payload_of(handle)}
        for value in op.operands:
            self.invalidated_by[value] = op
        for value, handle in self.handles.items():
            if any(_is_inside(payload, consumed) for payload in payload_of(handle)):
                self.invalidated_by[value] = op


def _is_inside(op: Operation, ops: set[Operation]) -> bool:
    current: Operation | None = op
    while current is not None:
        if current in ops:
            return True
        current = current.parent_op()
    return False
