"""The tosa dialect of MLIR 22: xDSL's, completed.

`table` has an op a line, `checks` what their verifiers demand, `control_flow` the ops
with regions, `attrs` the types and attributes.
"""

from xdsl.dialects.tosa import (
    NanMode as NanMode,
    NanModeAttr as NanModeAttr,
    RoundingMode as RoundingMode,
    RoundingModeAttr as RoundingModeAttr,
)
from xdsl.ir import Dialect

from .attrs import (
    ResizeMode as ResizeMode,
    ResizeModeAttr as ResizeModeAttr,
    ShapeType as ShapeType,
)
from .control_flow import IfOp as IfOp, WhileOp as WhileOp, YieldOp as YieldOp
from .table import OPS, ConstOp as ConstOp, ConstShapeOp as ConstShapeOp, TosaOp as TosaOp

Tosa = Dialect(
    "tosa",
    [*OPS, IfOp, WhileOp, YieldOp],
    [NanModeAttr, RoundingModeAttr, ResizeModeAttr, ShapeType],
)
