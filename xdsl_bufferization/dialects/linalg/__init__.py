"""The complete linalg dialect.

`named` has one line for each structured named op; `structured` has generic, map, reduce,
transpose and broadcast; `relayout` has the ops that are not structured.
"""

from xdsl.ir import Dialect

from .attrs import *  # noqa: F403
from .attrs import (
    BinaryFnAttr,
    ElementwiseKindAttr,
    IteratorTypeAttr,
    TernaryFnAttr,
    TypeFnAttr,
    UnaryFnAttr,
)
from .named import *  # noqa: F403
from .named import NAMED_OPS
from .relayout import (
    PackOp,
    SoftmaxOp,
    UnPackOp,
    WinogradFilterTransformOp,
    WinogradInputTransformOp,
    WinogradOutputTransformOp,
)
from .structured import (
    BroadcastOp,
    GenericOp,
    IndexOp,
    LinalgStructuredOperation as LinalgStructuredOperation,
    MapOp,
    ReduceOp,
    TransposeOp,
    YieldOp,
)

Linalg = Dialect(
    "linalg",
    [
        GenericOp,
        YieldOp,
        IndexOp,
        MapOp,
        ReduceOp,
        TransposeOp,
        BroadcastOp,
        *NAMED_OPS,
        PackOp,
        UnPackOp,
        SoftmaxOp,
        WinogradFilterTransformOp,
        WinogradInputTransformOp,
        WinogradOutputTransformOp,
    ],
    [
        IteratorTypeAttr,
        TypeFnAttr,
        UnaryFnAttr,
        BinaryFnAttr,
        TernaryFnAttr,
        ElementwiseKindAttr,
    ],
)
