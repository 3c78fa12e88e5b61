"""Canonicalizations of linalg.pack and linalg.unpack: of each other, of tensors whose
elements are all equal, and of casts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects import linalg, tensor
from xdsl_bufferization.dialects.constants import constant_integer
from xdsl_bufferization.dialects.shapes import is_tensor
from xdsl_bufferization.transforms.canonicalization_patterns.casts import (
    tensor_before_cast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    constant_op,
    dense,
    dense_constant,
    scalar_constant,
    splat_value,
)
from xdsl_bufferization.transforms.canonicalization_patterns.linalg_fill import (
    OverwrittenFill,
    are_equal_scalars,
    fill_of,
    filled,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table

_Relayout: TypeAlias = linalg.PackOp | linalg.UnPackOp


def _mixed_tiles(op: _Relayout) -> list[SSAValue | int]:
    dynamic = iter(op.inner_tiles)
    return [
        next(dynamic) if tile == DYNAMIC_INDEX else tile
        for tile in op.static_inner_tiles.get_values()
    ]


def _outer_order(op: _Relayout) -> list[int]:
    """The order of the outer dimensions, which need not be stated."""
    order = op.outer_dims_perm
    if order is not None and len(order):
        return list(order.get_values())
    plain = op.source.type if isinstance(op, linalg.PackOp) else op.dest.type
    return list(range(len(plain.get_shape()))) if is_tensor(plain) else []


def _have_same_tiles(a: _Relayout, b: _Relayout) -> bool:
    if a.inner_dims_pos != b.inner_dims_pos or _outer_order(a) != _outer_order(b):
        return False
    return all(
        x is y
        or (isinstance(x, int) and x == y)
        or (
            isinstance(x, SSAValue)
            and isinstance(y, SSAValue)
            and constant_integer(x) is not None
            and constant_integer(x) == constant_integer(y)
        )
        for x, y in zip(_mixed_tiles(a), _mixed_tiles(b), strict=True)
    )


def _has_static_shape(type: Attribute) -> bool:
    return is_tensor(type) and type.has_static_shape()


class PackOfUnpack(RewritePattern):
    """What was unpacked and is packed in the same tiles, without padding, was there
    before."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, linalg.PackOp)
        unpack = op.source.owner
        if (
            isinstance(unpack, linalg.UnPackOp)
            and op.result
            and op.padding_value is None
            and unpack.source.type == op.dest.type
            and _have_same_tiles(op, unpack)
        ):
            rewriter.replace(op, [], [unpack.source])


class UnpackOfPack(RewritePattern):
    """Fold an unpack of a pack with the same tiles to the source.

    Dynamic sizes may differ: the result may be smaller, with the same number of tiles.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, linalg.UnPackOp)
        pack = op.source.owner
        if (
            isinstance(pack, linalg.PackOp)
            and op.result
            and pack.source.type == op.dest.type
            and _has_static_shape(op.dest.type)
            and _have_same_tiles(op, pack)
        ):
            rewriter.replace(op, [], [pack.source])


class NeedlessPadding(RewritePattern):
    """A pack of full tiles needs no padding."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, linalg.PackOp)
        if op.padding_value is None or not is_tensor(op.source.type):
            return
        shape = op.source.type.get_shape()
        for position, tile in zip(
            op.inner_dims_pos.get_values(),
            op.static_inner_tiles.get_values(),
            strict=True,
        ):
            if DYNAMIC_INDEX in (shape[position], tile) or shape[position] % tile:
                return
        rewriter.replace(op, _with(op, op.source, op.dest, _mixed_tiles(op)))


def _with(
    op: _Relayout,
    source: SSAValue,
    dest: SSAValue,
    tiles: Sequence[SSAValue | int],
    padding: SSAValue | None = None,
) -> _Relayout:
    """The op with other operands."""
    static = [tile if isinstance(tile, int) else DYNAMIC_INDEX for tile in tiles]
    dynamic = [tile for tile in tiles if isinstance(tile, SSAValue)]
    new: _Relayout
    if isinstance(op, linalg.PackOp):
        new = linalg.PackOp(
            source, dest, op.inner_dims_pos, static, dynamic, padding, op.outer_dims_perm
        )
    else:
        new = linalg.UnPackOp(
            source, dest, op.inner_dims_pos, static, dynamic, op.outer_dims_perm
        )
    new.attributes |= op.attributes
    return new


class RelayoutOfEqual(RewritePattern):
    """Elements that are all equal, and padding equal to them, are so in any layout."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, _Relayout)
        if not op.result:
            return
        padding = op.padding_value if isinstance(op, linalg.PackOp) else None
        fill = fill_of(op.source) if isinstance(op, linalg.PackOp) else None
        if fill is not None:
            if padding is None or are_equal_scalars(padding, fill.operands[0]):
                rewriter.replace(op, filled(fill, op.dest))
            return
        elements = dense_constant(op.source)
        value = None if elements is None else splat_value(elements)
        if value is None or (padding is not None and scalar_constant(padding) != value):
            return
        constant = dense(op.dest.type, [value])
        if constant is not None:
            rewriter.replace(op, constant_op(constant, op.dest.type))


class RelayoutOfCast(RewritePattern):
    """A pack or unpack works on the tensors before casts. The size of a tile is then
    known from the packed tensor."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, _Relayout)
        source = tensor_before_cast(op.source) or op.source
        dest = tensor_before_cast(op.dest) or op.dest
        if not op.result or (source is op.source and dest is op.dest):
            return
        packed = (dest if isinstance(op, linalg.PackOp) else source).type
        if not is_tensor(packed):
            return
        tiles = _mixed_tiles(op)
        sizes = packed.get_shape()[packed.get_num_dims() - len(tiles) :]
        tiles = [
            tile if size == DYNAMIC_INDEX else size
            for tile, size in zip(tiles, sizes, strict=True)
        ]
        padding = op.padding_value if isinstance(op, linalg.PackOp) else None
        new = _with(op, source, dest, tiles, padding)
        if not _is_valid(new):
            new.drop_all_references()
            return
        rewriter.insert(new)
        result: SSAValue = new.result[0]
        old = op.dest.type
        if dest is not op.dest and is_tensor(old):
            back = tensor.CastOp(result, old)
            result = rewriter.insert(back).results[0]
        rewriter.replace(op, [], [result])


def _is_valid(op: _Relayout) -> bool:
    try:
        op.verify_()
    except VerifyException:
        return False
    return True


RELAYOUT: Table = {
    "linalg.pack": (
        NeedlessPadding(),
        PackOfUnpack(),
        RelayoutOfEqual(),
        RelayoutOfCast(),
        OverwrittenFill(),
    ),
    "linalg.unpack": (
        UnpackOfPack(),
        RelayoutOfEqual(),
        RelayoutOfCast(),
        OverwrittenFill(),
    ),
}
