"""The op on memrefs that most models build: the same op, with buffers for its tensors.

    %r = "toy.axpy"(%a, %x, %y) : (f32, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>

becomes

    "toy.axpy"(%a, %x, %y) : (f32, memref<4xf32>, memref<4xf32>) -> ()
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, AttrSizedResultSegments
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException, VerifyException

from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.types import TENSOR_TYPES

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter

_OPERAND_SIZES = AttrSizedOperandSegments.attribute_name
_RESULT_SIZES = AttrSizedResultSegments.attribute_name


def insert_on_buffers(
    model: object,
    op: Operation,
    rewriter: BufferizationRewriter,
    more: Sequence[SSAValue] = (),
    results: Sequence[Attribute] | None = None,
) -> Operation:
    """Insert the same op on memrefs: with the buffer of each tensor operand, the
    attributes, the other operands and the regions.

    Args:
        model: the model that builds it, to be named in an error.
        more: further operands, at the end.
        results: the types of the results; by default those that are no tensors.

    Raises:
        PassFailedException: when the class of the op does not accept this; the message
            says how it could.
    """
    operands = [
        rewriter.get_buffer(value) if isinstance(value.type, TENSOR_TYPES) else value
        for value in op.operands
    ]
    kept = [not isinstance(result.type, TENSOR_TYPES) for result in op.results]
    if results is None:
        types = [r.type for r, is_kept in zip(op.results, kept, strict=True) if is_kept]
    else:
        types, kept = list(results), [True] * len(results)
    new = type(op).create(
        operands=[*operands, *more],
        result_types=types,
        properties=_with_sizes(op.properties, len(more), kept),
        attributes=_with_sizes(op.attributes, len(more), kept),
        regions=[Rewriter.move_region_contents_to_new_regions(r) for r in op.regions],
    )
    try:
        new.verify_()
    except VerifyException as error:
        raise PassFailedException(
            f"{op.name}: {type(model).__name__}.bufferize builds the same op on memrefs, "
            f"which the class of the op refuses: {error}. Let its operands be memrefs "
            "too (operand_def()), and its tensor results and their buffers be optional "
            "(opt_result_def(), opt_operand_def()); or override bufferize."
            f"{describe(op)}"
        ) from error
    return rewriter.insert(new)


def _with_sizes(
    attributes: dict[str, Attribute], more: int, kept: Sequence[bool]
) -> dict[str, Attribute]:
    """The attributes, with the sizes of the segments of operands and results as they
    are on memrefs: further operands belong to the last segment."""
    attributes = dict(attributes)
    sizes = attributes.get(_OPERAND_SIZES)
    if isinstance(sizes, DenseArrayBase):
        *first, last = (int(size) for size in sizes.get_values())
        attributes[_OPERAND_SIZES] = DenseArrayBase.from_list(i32, [*first, last + more])
    sizes = attributes.get(_RESULT_SIZES)
    if isinstance(sizes, DenseArrayBase):
        counts: list[int] = []
        start = 0
        for size in (int(size) for size in sizes.get_values()):
            counts.append(sum(kept[start : start + size]))
            start += size
        attributes[_RESULT_SIZES] = DenseArrayBase.from_list(i32, counts)
    return attributes


def replace_by(
    op: Operation,
    new: Operation,
    buffers: Sequence[SSAValue],
    rewriter: BufferizationRewriter,
) -> None:
    """Replace an op by one on memrefs: its tensor results by buffers, one each, the
    others by the results of the new op.

    Raises:
        PassFailedException: when there is not one buffer for each tensor result.
    """
    tensors = [result for result in op.results if isinstance(result.type, TENSOR_TYPES)]
    if len(buffers) != len(tensors):
        raise PassFailedException(
            f"{op.name}: there are {len(tensors)} tensor results, but {len(buffers)} "
            "buffers for them. Where some destinations are memrefs and others tensors, "
            f"override bufferize.{describe(op)}"
        )
    values = dict(zip(tensors, buffers, strict=True))
    others = iter(new.results)
    rewriter.replace(op, [values[r] if r in values else next(others) for r in op.results])
