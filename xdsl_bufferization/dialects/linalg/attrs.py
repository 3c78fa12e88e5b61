"""Attributes of the linalg dialect."""

from __future__ import annotations

from enum import auto

from xdsl.dialects.linalg.attrs import (
    IteratorType as IteratorType,
    IteratorTypeAttr as IteratorTypeAttr,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.dialects.enums import EnumInAngleBrackets


class TypeFn(StrEnum):
    """How scalars are cast to the type of the accumulator."""

    CAST_SIGNED = auto()
    CAST_UNSIGNED = auto()


class UnaryFn(StrEnum):
    EXP = auto()
    LOG = auto()
    ABS = auto()
    CEIL = auto()
    FLOOR = auto()
    NEGF = auto()
    RECIPROCAL = auto()
    ROUND = auto()
    SQRT = auto()
    RSQRT = auto()
    SQUARE = auto()
    TANH = auto()
    ERF = auto()


class BinaryFn(StrEnum):
    ADD = auto()
    SUB = auto()
    MUL = auto()
    DIV = auto()
    DIV_UNSIGNED = auto()
    MAX_SIGNED = auto()
    MIN_SIGNED = auto()
    MAX_UNSIGNED = auto()
    MIN_UNSIGNED = auto()
    POWF = auto()


class TernaryFn(StrEnum):
    SELECT = auto()


class ElementwiseKind(StrEnum):
    """All of the unary, binary and ternary functions."""

    EXP = auto()
    LOG = auto()
    ABS = auto()
    CEIL = auto()
    FLOOR = auto()
    NEGF = auto()
    RECIPROCAL = auto()
    ROUND = auto()
    SQRT = auto()
    RSQRT = auto()
    SQUARE = auto()
    TANH = auto()
    ERF = auto()
    ADD = auto()
    SUB = auto()
    MUL = auto()
    DIV = auto()
    DIV_UNSIGNED = auto()
    MAX_SIGNED = auto()
    MIN_SIGNED = auto()
    MAX_UNSIGNED = auto()
    MIN_UNSIGNED = auto()
    POWF = auto()
    SELECT = auto()

    @property
    def arity(self) -> int:
        if self is ElementwiseKind.SELECT:
            return 3
        return 1 if self.value in {fn.value for fn in UnaryFn} else 2


class WinogradConv2DFmr(StrEnum):
    """The output size and filter size of a Winograd convolution."""

    F_2_3 = "F_2_3"
    F_4_3 = "F_4_3"
    F_2_5 = "F_2_5"


@irdl_attr_definition
class TypeFnAttr(EnumInAngleBrackets, EnumAttribute[TypeFn]):
    name = "linalg.type_fn"


@irdl_attr_definition
class UnaryFnAttr(EnumInAngleBrackets, EnumAttribute[UnaryFn]):
    name = "linalg.unary_fn"


@irdl_attr_definition
class BinaryFnAttr(EnumInAngleBrackets, EnumAttribute[BinaryFn]):
    name = "linalg.binary_fn"


@irdl_attr_definition
class TernaryFnAttr(EnumInAngleBrackets, EnumAttribute[TernaryFn]):
    name = "linalg.ternary_fn"


@irdl_attr_definition
class ElementwiseKindAttr(EnumInAngleBrackets, EnumAttribute[ElementwiseKind]):
    name = "linalg.elementwise_kind"
