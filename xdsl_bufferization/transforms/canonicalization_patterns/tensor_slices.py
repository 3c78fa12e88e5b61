"""Canonicalizations of tensor slices: constant offsets, casts, reinserted slices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.dialects.shapes import (
    IntArray,
    dropped_dimensions,
    is_tensor,
    verify_slice,
)
from xdsl_bufferization.transforms.canonicalization_patterns.casts import (
    tensor_before_cast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    PartOfSplatConstant,
)
from xdsl_bufferization.transforms.canonicalization_patterns.sizes import made_static
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table

SliceOp: TypeAlias = (
    tensor.ExtractSliceOp | tensor.InsertSliceOp | tensor.ParallelInsertSliceOp
)
Mixed: TypeAlias = tuple[list[int], list[SSAValue]]
"""A list of integers, DYNAMIC_INDEX where the next of the values is meant."""


@dataclass
class Place:
    """Where in a tensor a slice is."""

    offsets: Mixed
    sizes: Mixed
    strides: Mixed

    @staticmethod
    def of(op: SliceOp) -> Place:
        return Place(
            (list(op.static_offsets.get_values()), list(op.offsets)),
            (list(op.static_sizes.get_values()), list(op.sizes)),
            (list(op.static_strides.get_values()), list(op.strides)),
        )

    def fits(self, whole: Attribute) -> bool:
        """Whether no known number contradicts a shape."""
        assert is_tensor(whole)
        try:
            verify_slice(
                tensor.EmptyOp([], whole),
                whole.get_shape(),
                self.offsets[0],
                self.sizes[0],
                self.strides[0],
            )
        except VerifyException:
            return False
        return True


def _rebuilt(op: SliceOp, head: Sequence[SSAValue], place: Place) -> Operation:
    """Return the op at another place; its result has the type that follows."""
    lists = (place.offsets, place.sizes, place.strides)
    if isinstance(op, tensor.ExtractSliceOp):
        results = [_part_type(op, place)]
    else:
        results = [head[1].type] if op.results else []
    return type(op).build(
        operands=[*head, *(operands for _, operands in lists)],
        result_types=results,
        properties={
            name: DenseArrayBase.from_list(i64, values)
            for name, (values, _) in zip(
                ("static_offsets", "static_sizes", "static_strides"), lists, strict=True
            )
        },
        attributes=op.attributes,
    )


def _part_of(op: SliceOp) -> SSAValue:
    return op.results[0] if isinstance(op, tensor.ExtractSliceOp) else op.operands[0]


def _dropped(op: SliceOp) -> frozenset[int]:
    """The unit dimensions that the type of the part leaves out."""
    type = _part_of(op).type
    assert is_tensor(type)
    dropped = dropped_dimensions(op.static_sizes.get_values(), type.get_shape())
    assert dropped is not None
    return dropped


def _part_type(op: SliceOp, place: Place) -> TensorType[Attribute]:
    """The type that the part has at another place."""
    type = _part_of(op).type
    assert is_tensor(type)
    dropped = _dropped(op)
    sizes = [size for i, size in enumerate(place.sizes[0]) if i not in dropped]
    return TensorType(type.element_type, sizes, type.encoding)


def _replace(op: Operation, new: Operation, rewriter: PatternRewriter) -> None:
    """Replace an op by one whose result may be more precise."""
    if [result.type for result in op.results] == [r.type for r in new.results]:
        rewriter.replace(op, new)
    else:
        rewriter.replace(
            op, [new, tensor.CastOp(new.results[0], _ranked(op.results[0].type))]
        )


class StaticSlice(RewritePattern):
    """Constant offsets, sizes and strides of a slice are static, and in its type."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, SliceOp)
        place = Place(
            _static(op.static_offsets, op.offsets, 0),
            _static(op.static_sizes, op.sizes, 0),
            _static(op.static_strides, op.strides, None),
        )
        left = sum(map(len, (place.offsets[1], place.sizes[1], place.strides[1])))
        if left == len(op.offsets) + len(op.sizes) + len(op.strides):
            return
        whole = op.operands[0 if isinstance(op, tensor.ExtractSliceOp) else 1]
        if not place.fits(whole.type):
            return
        head = [whole]
        if not isinstance(op, tensor.ExtractSliceOp):
            head.insert(0, _as_type(op, op.operands[0], _part_type(op, place), rewriter))
        _replace(op, _rebuilt(op, head, place), rewriter)


def _as_type(
    op: Operation, value: SSAValue, type: Attribute, rewriter: PatternRewriter
) -> SSAValue:
    """Cast a tensor, before the op that ends a parallel region if `op` is in one."""
    if value.type == type:
        return value
    before = op
    if isinstance(op, tensor.ParallelInsertSliceOp):
        parent = op.parent_op()
        assert parent is not None
        before = parent
    return rewriter.insert(
        tensor.CastOp(value, _ranked(type)), InsertPoint.before(before)
    ).results[0]


def _ranked(type: Attribute) -> TensorType[Attribute]:
    assert is_tensor(type)
    return type


def _static(static: IntArray, operands: Sequence[SSAValue], least: int | None) -> Mixed:
    values = list(static.iter_values())
    return made_static(values, operands, least=least) or (values, list(operands))


class WholeSlice(RewritePattern):
    """Replace a slice of the complete tensor by the tensor, or an insertion of it by
    its source."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.ExtractSliceOp | tensor.InsertSliceOp)
        whole = op.operands[0 if isinstance(op, tensor.ExtractSliceOp) else 1]
        type = _ranked(whole.type)
        shape = type.get_shape()
        if (
            _part_of(op).type == type
            and DYNAMIC_INDEX not in shape
            and op.static_sizes.get_values() == shape
            and not any(op.static_offsets.iter_values())
            and all(stride == 1 for stride in op.static_strides.iter_values())
        ):
            rewriter.replace(op, [], [op.operands[0]])


class InsertNothing(RewritePattern):
    """An insertion of no elements is the tensor that it is made into."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if 0 in _ranked(op.operands[0].type).get_shape():
            rewriter.replace(op, [], [op.operands[1]])


class SliceOfCast(RewritePattern):
    """A slice of a cast tensor is one of the tensor before the cast."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.ExtractSliceOp)
        source = tensor_before_cast(op.operands[0])
        if source is not None and Place.of(op).fits(source.type):
            op.operands[0] = source
            rewriter.notify_op_modified(op)


class SliceOfInserted(RewritePattern):
    """Replace a slice at the position of an insertion by the inserted tensor."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        insert = op.operands[0].owner
        assert isinstance(op, tensor.ExtractSliceOp)
        if (
            isinstance(insert, tensor.InsertSliceOp)
            and insert.operands[0].type == op.results[0].type
            and Place.of(insert) == Place.of(op)
        ):
            rewriter.replace(op, [], [insert.operands[0]])


class InsertOfCast(RewritePattern):
    """What is inserted into a tensor, and the tensor, may as well be those before a
    cast."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.InsertSliceOp | tensor.ParallelInsertSliceOp)
        source = tensor_before_cast(op.operands[0])
        dest = None
        if isinstance(op, tensor.InsertSliceOp):
            dest = tensor_before_cast(op.operands[1])
        if source is None and dest is None:
            return
        place = Place.of(op)
        if source is not None:
            shape = _ranked(source.type).get_shape()
            place.sizes = _merged(place.sizes, shape, _dropped(op))
        head = [source or op.operands[0], dest or op.operands[1]]
        if place.fits(head[1].type):
            _replace(op, _rebuilt(op, head, place), rewriter)


class InsertBack(RewritePattern):
    """A slice that is put back where it was taken from changes nothing."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        extract = op.operands[0].owner
        assert isinstance(op, tensor.InsertSliceOp)
        if (
            isinstance(extract, tensor.ExtractSliceOp)
            and extract.operands[0] is op.operands[1]
            and Place.of(extract) == Place.of(op)
        ):
            rewriter.replace(op, [], [op.operands[1]])


class InsertOver(RewritePattern):
    """What was inserted at the very same place before is lost."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        earlier = op.operands[1].owner
        assert isinstance(op, tensor.InsertSliceOp)
        if (
            isinstance(earlier, tensor.InsertSliceOp)
            and earlier.operands[0].type == op.operands[0].type
            and Place.of(earlier) == Place.of(op)
        ):
            op.operands[1] = earlier.operands[1]
            rewriter.notify_op_modified(op)


class CastOfSlice(RewritePattern):
    """A slice that is cast to a more precise type has the sizes of that type."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        extract = op.operands[0].owner
        type = op.results[0].type
        if (
            not isinstance(extract, tensor.ExtractSliceOp)
            or not is_tensor(type)
            or not extract.results[0].has_one_use()
            or not _is_cast_up(extract.results[0].type, type)
        ):
            return
        place = Place.of(extract)
        dropped = _dropped(extract)
        place.sizes = _merged(place.sizes, type.get_shape(), dropped)
        if not place.fits(extract.operands[0].type):
            return
        new = _rebuilt(extract, [extract.operands[0]], place)
        if new.results[0].type == type:
            rewriter.replace(op, new)


def _is_cast_up(before: Attribute, after: TensorType[Attribute]) -> bool:
    """Whether a cast only adds sizes."""
    return is_tensor(before) and all(
        b in (a, DYNAMIC_INDEX)
        for b, a in zip(before.get_shape(), after.get_shape(), strict=True)
    )


def _merged(sizes: Mixed, shape: Sequence[int], dropped: frozenset[int]) -> Mixed:
    """The sizes of a slice with those of its new shape."""
    static, operands = list(sizes[0]), iter(sizes[1])
    known = iter(shape)
    kept: list[SSAValue] = []
    for i, size in enumerate(static):
        new = size if i in dropped else next(known)
        static[i] = new
        if size == DYNAMIC_INDEX:
            operand = next(operands)
            if new == DYNAMIC_INDEX:
                kept.append(operand)
    return static, kept


PATTERNS: Table = {
    "tensor.cast": (CastOfSlice(),),
    "tensor.extract_slice": (
        WholeSlice(),
        StaticSlice(),
        SliceOfCast(),
        SliceOfInserted(),
        PartOfSplatConstant(),
    ),
    "tensor.insert_slice": (
        InsertNothing(),
        WholeSlice(),
        StaticSlice(),
        InsertOfCast(),
        InsertBack(),
        InsertOver(),
    ),
    "tensor.parallel_insert_slice": (StaticSlice(), InsertOfCast()),
}
