"""The table of the tosa ops without regions.

A line has the op's class name, its name, its operands, its properties, and what its
verifier demands (see `checks`). An operand whose name ends with `!` is a `!tosa.shape`,
all others are tensors. All of them have one result and one syntax: operands, a
dictionary, a function type.
"""

from __future__ import annotations

from typing import Any, ClassVar, cast

from xdsl.dialects import tosa
from xdsl.dialects.builtin import (
    I32,
    I64,
    BoolAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FloatAttr,
    IntegerAttr,
    TensorType,
    i32,
)
from xdsl.ir import TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Commutative, Pure

from xdsl_bufferization.dialects.definitions import standalone_op_definition

from . import checks
from .attrs import (
    NanModeAttr,
    ResizeModeAttr,
    RoundingModeAttr,
    ShapeType,
    parse_attributes,
    print_attributes,
)
from .checks import Check

OPS: list[type[IRDLOperation]] = []
"""Every op of the table, in its order."""


class TosaOp(IRDLOperation):
    """An op of the table."""

    CHECK: ClassVar[Check]

    @classmethod
    def parse(cls, parser: Parser) -> TosaOp:
        pos = parser.pos
        operands = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        attributes = parse_attributes(parser)
        parser.parse_punctuation(":")
        type_ = parser.parse_function_type()
        values = parser.resolve_operands(operands or [], type_.inputs.data, pos)
        known = cls.get_irdl_definition().properties
        properties = {name: attributes.pop(name) for name in known if name in attributes}
        fields = len(cls.get_irdl_definition().operands)
        if fields != len(values) and cls is not ConcatOp:
            parser.raise_error(f"'{cls.name}' expects {fields} operands", pos, parser.pos)
        return cls.create(
            operands=values,
            result_types=type_.outputs.data,
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        if self.operands:
            printer.print_string(" ")
            printer.print_list(self.operands, printer.print_ssa_value)
        print_attributes(printer, self.properties | self.attributes)
        printer.print_string(" : ")
        printer.print_operation_type(self)

    def check(self) -> None:
        type(self).CHECK(self)


def _tosa_op(
    class_name: str,
    name: str,
    operands: str,
    check: Check,
    *,
    refines: type[IRDLOperation] | None = None,
    commutative: bool = False,
    **properties: Any,
) -> type[TosaOp]:
    """Make the class of one line of the table."""
    result = "output"
    if refines is not None:
        ((result, _),) = refines.get_irdl_definition().results
    fields: dict[str, Any] = {
        "__module__": __name__,
        "__doc__": f"`tosa.{name}`: {operands}",
        "__annotations__": {},
        "name": f"tosa.{name}",
        result: result_def(TensorType),
        "traits": traits_def(Pure(), *([Commutative()] if commutative else [])),
        "irdl_options": (),
        **properties,
    }
    for operand in operands.split():
        shape = operand.endswith("!")
        fields[operand.removesuffix("!")] = operand_def(
            ShapeType if shape else TensorType
        )
    return _registered(class_name, fields, check, refines)


def _registered(
    class_name: str,
    fields: dict[str, Any],
    check: Check,
    refines: type[IRDLOperation] | None = None,
) -> type[TosaOp]:
    bases = (TosaOp,) if refines is None else (TosaOp, refines)
    cls = cast(type[TosaOp], type(class_name, bases, fields))
    standalone_op_definition(cls)
    cls.CHECK = staticmethod(check)
    OPS.append(cls)
    return cls


_UNARY, _BINARY = checks.elementwise(1), checks.elementwise(2)

_MIN_MAX: dict[str, Any] = {"nan_mode": opt_prop_def(NanModeAttr)}
_AXIS: dict[str, Any] = {"axis": prop_def(IntegerAttr[I32])}
_PAIRS = DenseArrayBase[I64]
_WINDOW: dict[str, Any] = {
    "kernel": prop_def(_PAIRS),
    "stride": prop_def(_PAIRS),
    "pad": prop_def(_PAIRS),
}
_CONVOLUTION: dict[str, Any] = {
    "pad": prop_def(_PAIRS),
    "stride": prop_def(_PAIRS),
    "dilation": prop_def(_PAIRS),
    "acc_type": prop_def(TypeAttribute),
    "local_bound": opt_prop_def(BoolAttr),
}
_NUMBER = IntegerAttr | FloatAttr

# fmt: off
# ruff: noqa: E501
AbsOp = _tosa_op("AbsOp", "abs", "input1", _UNARY)
BitwiseNotOp = _tosa_op("BitwiseNotOp", "bitwise_not", "input1", _UNARY)
CeilOp = _tosa_op("CeilOp", "ceil", "input1", _UNARY)
ClzOp = _tosa_op("ClzOp", "clz", "input1", _UNARY)
CosOp = _tosa_op("CosOp", "cos", "input1", _UNARY, refines=tosa.CosOp)
ErfOp = _tosa_op("ErfOp", "erf", "input", _UNARY)
ExpOp = _tosa_op("ExpOp", "exp", "input1", _UNARY)
FloorOp = _tosa_op("FloorOp", "floor", "input1", _UNARY)
LogOp = _tosa_op("LogOp", "log", "input1", _UNARY)
LogicalNotOp = _tosa_op("LogicalNotOp", "logical_not", "input1", _UNARY)
ReciprocalOp = _tosa_op("ReciprocalOp", "reciprocal", "input1", _UNARY, refines=tosa.ReciprocalOp)
RsqrtOp = _tosa_op("RsqrtOp", "rsqrt", "input1", _UNARY)
SigmoidOp = _tosa_op("SigmoidOp", "sigmoid", "input", _UNARY)
SinOp = _tosa_op("SinOp", "sin", "input1", _UNARY, refines=tosa.SinOp)
TanhOp = _tosa_op("TanhOp", "tanh", "input", _UNARY)
NegateOp = _tosa_op("NegateOp", "negate", "input1 input1_zp output_zp", checks.negate)
ClampOp = _tosa_op("ClampOp", "clamp", "input", checks.clamp, refines=tosa.ClampOp,
    min_val=prop_def(_NUMBER), max_val=prop_def(_NUMBER), **_MIN_MAX)
CastOp = _tosa_op("CastOp", "cast", "input", checks.cast_check)
IdentityOp = _tosa_op("IdentityOp", "identity", "input1", _UNARY)

AddOp = _tosa_op("AddOp", "add", "input1 input2", _BINARY, refines=tosa.AddOp, commutative=True)
SubOp = _tosa_op("SubOp", "sub", "input1 input2", _BINARY, refines=tosa.SubOp)
MulOp = _tosa_op("MulOp", "mul", "input1 input2 shift", checks.mul, refines=tosa.MulOp)
PowOp = _tosa_op("PowOp", "pow", "input1 input2", _BINARY)
IntDivOp = _tosa_op("IntDivOp", "intdiv", "input1 input2", _BINARY)
MaximumOp = _tosa_op("MaximumOp", "maximum", "input1 input2", _BINARY, **_MIN_MAX)
MinimumOp = _tosa_op("MinimumOp", "minimum", "input1 input2", _BINARY, **_MIN_MAX)
BitwiseAndOp = _tosa_op("BitwiseAndOp", "bitwise_and", "input1 input2", _BINARY)
BitwiseOrOp = _tosa_op("BitwiseOrOp", "bitwise_or", "input1 input2", _BINARY)
BitwiseXorOp = _tosa_op("BitwiseXorOp", "bitwise_xor", "input1 input2", _BINARY)
LogicalAndOp = _tosa_op("LogicalAndOp", "logical_and", "input1 input2", _BINARY)
LogicalOrOp = _tosa_op("LogicalOrOp", "logical_or", "input1 input2", _BINARY)
LogicalXorOp = _tosa_op("LogicalXorOp", "logical_xor", "input1 input2", _BINARY)
LogicalLeftShiftOp = _tosa_op("LogicalLeftShiftOp", "logical_left_shift", "input1 input2", _BINARY)
LogicalRightShiftOp = _tosa_op("LogicalRightShiftOp", "logical_right_shift", "input1 input2", _BINARY)
ArithmeticRightShiftOp = _tosa_op("ArithmeticRightShiftOp", "arithmetic_right_shift",
    "input1 input2", _BINARY, round=prop_def(BoolAttr))
EqualOp = _tosa_op("EqualOp", "equal", "input1 input2", checks.comparison)
GreaterOp = _tosa_op("GreaterOp", "greater", "input1 input2", checks.comparison)
GreaterEqualOp = _tosa_op("GreaterEqualOp", "greater_equal", "input1 input2", checks.comparison)
SelectOp = _tosa_op("SelectOp", "select", "input1 input2 input3", checks.select)
TableOp = _tosa_op("TableOp", "table", "input1 table", checks.table)
RescaleOp = _tosa_op("RescaleOp", "rescale", "input multiplier shift input_zp output_zp",
    checks.rescale, refines=tosa.RescaleOp,
    scale32=prop_def(BoolAttr), rounding_mode=prop_def(RoundingModeAttr),
    per_channel=prop_def(BoolAttr), input_unsigned=prop_def(BoolAttr),
    output_unsigned=prop_def(BoolAttr))

ReduceAllOp = _tosa_op("ReduceAllOp", "reduce_all", "input", checks.reduction, refines=tosa.ReduceAllOp, **_AXIS)
ReduceAnyOp = _tosa_op("ReduceAnyOp", "reduce_any", "input", checks.reduction, refines=tosa.ReduceAnyOp, **_AXIS)
ReduceMaxOp = _tosa_op("ReduceMaxOp", "reduce_max", "input", checks.reduction, refines=tosa.ReduceMaxOp, **_AXIS, **_MIN_MAX)
ReduceMinOp = _tosa_op("ReduceMinOp", "reduce_min", "input", checks.reduction, refines=tosa.ReduceMinOp, **_AXIS, **_MIN_MAX)
ReduceProductOp = _tosa_op("ReduceProductOp", "reduce_product", "input", checks.reduction, refines=tosa.ReduceProductOp, **_AXIS)
ReduceSumOp = _tosa_op("ReduceSumOp", "reduce_sum", "input", checks.reduction, refines=tosa.ReduceSumOp, **_AXIS)
ArgMaxOp = _tosa_op("ArgMaxOp", "argmax", "input", checks.argmax, **_AXIS, **_MIN_MAX)

MatMulOp = _tosa_op("MatMulOp", "matmul", "a b a_zp b_zp", checks.matmul, refines=tosa.MatMulOp)
Conv2DOp = _tosa_op("Conv2DOp", "conv2d", "input weight bias input_zp weight_zp", checks.conv2d, **_CONVOLUTION)
DepthwiseConv2DOp = _tosa_op("DepthwiseConv2DOp", "depthwise_conv2d",
    "input weight bias input_zp weight_zp", checks.depthwise_conv2d, **_CONVOLUTION)
MaxPool2DOp = _tosa_op("MaxPool2DOp", "max_pool2d", "input", checks.pool, refines=tosa.MaxPool2DOp, **_WINDOW, **_MIN_MAX)
AvgPool2DOp = _tosa_op("AvgPool2DOp", "avg_pool2d", "input input_zp output_zp", checks.average_pool,
    refines=tosa.AvgPool2DOp, **_WINDOW, acc_type=prop_def(TypeAttribute))

ReshapeOp = _tosa_op("ReshapeOp", "reshape", "input1 shape!", checks.reshape)
TransposeOp = _tosa_op("TransposeOp", "transpose", "input1", checks.transpose, perms=prop_def(DenseArrayBase[I32]))
SliceOp = _tosa_op("SliceOp", "slice", "input1 start! size!", checks.slice_check)
TileOp = _tosa_op("TileOp", "tile", "input1 multiples!", checks.tile)
PadOp = _tosa_op("PadOp", "pad", "input1 padding! pad_const", checks.pad)
ReverseOp = _tosa_op("ReverseOp", "reverse", "input1", checks.reverse, **_AXIS)
GatherOp = _tosa_op("GatherOp", "gather", "values indices", checks.gather)
ScatterOp = _tosa_op("ScatterOp", "scatter", "values_in indices input", checks.scatter)
ResizeOp = _tosa_op("ResizeOp", "resize", "input scale! offset! border!", checks.resize, mode=prop_def(ResizeModeAttr))
# fmt: on
ConcatOp = _registered(
    "ConcatOp",
    {
        "__module__": __name__,
        "__doc__": "`tosa.concat`: tensors next to each other, along an axis",
        "__annotations__": {},
        "name": "tosa.concat",
        "tensors": var_operand_def(TensorType),
        "output": result_def(TensorType),
        "traits": traits_def(Pure()),
        **_AXIS,
    },
    checks.concat,
    tosa.ConcatOp,
)


class ConstOp(tosa.ConstOp):
    """`tosa.const`, whose values may be a resource. It has the generic syntax alone."""

    values = prop_def(DenseIntOrFPElementsAttr | DenseResourceAttr)
    output = result_def(TensorType)
    traits = traits_def(Pure())

    def check(self) -> None:
        checks.const(self)


standalone_op_definition(ConstOp)
OPS.append(ConstOp)


@irdl_op_definition
class ConstShapeOp(TosaOp):
    """`tosa.const_shape`: sizes, starts, paddings or multiples."""

    name = "tosa.const_shape"

    values = prop_def(DenseIntOrFPElementsAttr)
    output = result_def(ShapeType)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        checks.const_shape(self)


OPS.append(ConstShapeOp)


@irdl_op_definition
class ApplyScaleOp(TosaOp):
    """`tosa.apply_scale`: an i32 or i48 times a multiplier, shifted right and rounded."""

    name = "tosa.apply_scale"

    value = operand_def()
    multiplier = operand_def(i32)
    shift = operand_def()
    output = result_def(i32)
    rounding_mode = prop_def(RoundingModeAttr)
    traits = traits_def(Pure())


OPS.append(ApplyScaleOp)
