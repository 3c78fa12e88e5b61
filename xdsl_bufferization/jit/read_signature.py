"""Signatures of a module's functions, as their func.func declares them.

A signature is read from the original module (tensors, to show to the user) and from the
module just before its functions become LLVM functions (memrefs, for the layouts).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    FunctionType,
    MemRefType,
    NoneAttr,
    ShapedType,
    StridedLayoutAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap
from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.elements import element_of
from xdsl_bufferization.jit.signature import (
    Buffer,
    Crossing,
    Layout,
    Scalar,
    Signature,
    UnrankedBuffer,
)


def read_signature(
    name: str,
    source: FunctionType,
    lowered: FunctionType,
    names: Sequence[str | None],
    read_only: frozenset[int],
    arena_alignments: Sequence[int] = (),
) -> Signature:
    """Return the signature of a function that was given as `source` and is `lowered`
    right before it becomes an LLVM function.

    Passes may change the list of parameters (results as out-parameters) or of results
    (dropped ones): then the lowered types are shown to the user as well. The last
    parameters are arenas, as many as there are alignments.
    """

    def crossings(given: Sequence[Attribute], now: Sequence[Attribute], what: str):
        shown = given if len(given) == len(now) else now
        return tuple(
            _crossing(a, b, f"{name}: {what} {i}")
            for i, (a, b) in enumerate(zip(shown, now, strict=True))
        )

    parameters = crossings(source.inputs.data, lowered.inputs.data, "argument")
    first = len(parameters) - len(arena_alignments)
    parameters = tuple(
        replace(parameter, alignment=arena_alignments[i - first])
        if i >= first and isinstance(parameter, Buffer)
        else parameter
        for i, parameter in enumerate(parameters)
    )
    results = crossings(source.outputs.data, lowered.outputs.data, "result")
    if len(names) != len(parameters):
        names = (*names, *(None,) * len(parameters))[: len(parameters)]
    return Signature(
        name, parameters, results, tuple(names), read_only, len(arena_alignments)
    )


def _crossing(source: Attribute, lowered: Attribute, where: str) -> Crossing:
    match lowered:
        case TensorType() | MemRefType():
            _check_space(lowered, where)
            shape = lowered.get_shape()
            if isinstance(source, ShapedType) and len(source.get_shape()) == len(shape):
                # Bufferization may have generalised a static shape.
                shape = tuple(
                    a if b == DYNAMIC_INDEX else b
                    for a, b in zip(source.get_shape(), shape, strict=True)
                )
            sizes = tuple(None if size == DYNAMIC_INDEX else size for size in shape)
            element = element_of(str(lowered.get_element_type()), where)
            return Buffer(str(source), element, sizes, _layout(lowered, where))
        case UnrankedTensorType() | UnrankedMemRefType():
            _check_space(lowered, where)
            element = element_of(str(lowered.element_type), where)
            return UnrankedBuffer(str(source), element)
        case _:
            return Scalar(str(source), element_of(str(lowered), where))


def _check_space(type: Attribute, where: str) -> None:
    space = getattr(type, "memory_space", NoneAttr())
    if not isinstance(space, NoneAttr) and str(space) not in ("0", "0 : i64"):
        raise JITException(
            f"{where}: {type} is in memory space {space}; NumPy arrays are in the "
            "default memory space only."
        )


def _layout(type: Attribute, where: str) -> Layout | None:
    layout = type.layout if isinstance(type, MemRefType) else NoneAttr()
    match layout:
        case NoneAttr():
            return None
        case StridedLayoutAttr():
            return Layout(tuple(layout.get_strides()), layout.get_offset())
        case AffineMapAttr() if layout.data == AffineMap.identity(layout.data.num_dims):
            return None
        case _:
            raise JITException(
                f"{where}: the layout of {type} has no strides; only strided layouts "
                "can be passed as NumPy arrays."
            )
