"""Canonicalizations of tensors made of, or taken apart into, single elements."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.transforms.dead_code_elimination import would_be_trivially_dead

from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.dialects.shapes import (
    is_tensor,
)
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    PartOfSplatConstant,
    complex_constant,
    constant_op,
    dense,
    dense_constant,
    element_at,
    linear_index,
    scalar_constant,
    splat_value,
)
from xdsl_bufferization.transforms.canonicalization_patterns.sizes import (
    ConstantRank,
    with_static_sizes,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table


class KnownElement(RewritePattern):
    """An element that the op defining the tensor has as an operand, or as a constant."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        source, *indices = op.operands
        owner = source.owner
        if isinstance(owner, Block):
            return
        value = _element(owner, source, indices)
        if value is not None and value.type == op.results[0].type:
            rewriter.replace(op, [], [value])


def _element(
    owner: Operation, source: SSAValue, indices: list[SSAValue]
) -> SSAValue | None:
    match owner.name:
        case "tensor.splat" | "linalg.fill":
            return owner.operands[0]
        case "tensor.insert" if list(owner.operands[2:]) == indices:
            return owner.operands[0]
        case "tensor.from_elements":
            known = [constant_of(index) for index in indices]
            assert is_tensor(source.type)
            position = linear_index(
                source.type.get_shape(), [-1 if i is None else i for i in known]
            )
            return None if position is None else owner.operands[position]
        case _:
            return None


class ConstantElement(RewritePattern):
    """An element of a constant is a constant."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        whole = dense_constant(op.operands[0])
        if whole is None:
            return
        value = element_at(whole, [constant_of(index) for index in op.operands[1:]])
        if value is not None:
            rewriter.replace(op, constant_op(value, op.results[0].type))


class ElementOfGenerate(RewritePattern):
    """An element of tensor.generate is computed where it is needed."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        generate = op.operands[0].owner
        if not isinstance(generate, tensor.GenerateOp) or not would_be_trivially_dead(
            generate
        ):
            return
        block = generate.body.block
        mapped: dict[SSAValue, SSAValue] = {}
        for argument, index in zip(block.args, op.operands[1:], strict=True):
            mapped[argument] = index
        for inner in block.ops:
            if inner is not block.last_op:
                rewriter.insert(inner.clone(mapped))
        assert block.last_op is not None
        [value] = block.last_op.operands
        rewriter.replace(op, [], [mapped.get(value, value)])


class ElementOfIndexCast(RewritePattern):
    """One element is cast, not the tensor that tensor.from_elements makes."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        cast = op.operands[0].owner
        if not isinstance(cast, arith.IndexCastOp):
            return
        source = cast.operands[0]
        if not is_tensor(source.type) or not isinstance(
            source.owner, tensor.FromElementsOp
        ):
            return
        element = tensor.ExtractOp(source, op.operands[1:], source.type.element_type)
        scalar = arith.IndexCastOp(element.results[0], op.results[0].type)
        rewriter.replace(op, [element, scalar])


class SameInSplat(RewritePattern):
    """The number that a constant has everywhere, put into it, changes nothing."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        scalar, whole = scalar_constant(op.operands[0]), dense_constant(op.operands[1])
        if scalar is not None and whole is not None and splat_value(whole) == scalar:
            rewriter.replace(op, [], [op.operands[1]])


def _constant_element(value: SSAValue) -> Attribute | None:
    number = scalar_constant(value)
    return complex_constant(value) if number is None else number


class ConstantElements(RewritePattern):
    """A tensor of constant elements is a constant."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        values: list[Attribute] = []
        for operand in op.operands:
            value = _constant_element(operand)
            if value is None:
                return
            values.append(value)
        type = op.results[0].type
        if values and (constant := dense(type, values)) is not None:
            rewriter.replace(op, arith.ConstantOp(constant, type))


class ConstantSplat(RewritePattern):
    """A tensor of one constant in all places is a constant."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        value = _constant_element(op.operands[0])
        if value is None:
            return
        type = op.results[0].type
        constant = dense(type, [value])
        if constant is not None:
            rewriter.replace(op, arith.ConstantOp(constant, type))


class ConstantGenerateSizes(RewritePattern):
    """A tensor.generate with sizes that are constants has them in its type."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        type = op.results[0].type
        assert isinstance(op, tensor.GenerateOp) and is_tensor(type)
        found = with_static_sizes(type, op.operands)
        if found is None:
            return
        body = rewriter.move_region_contents_to_new_regions(op.body)
        new = tensor.GenerateOp(found[1], body, found[0])
        new.attributes |= op.attributes
        rewriter.replace(op, [new, tensor.CastOp(new.results[0], type)])


PATTERNS: Table = {
    "tensor.extract": (
        KnownElement(),
        ConstantElement(),
        ElementOfGenerate(),
        ElementOfIndexCast(),
    ),
    "tensor.from_elements": (ConstantElements(),),
    "tensor.gather": (PartOfSplatConstant(),),
    "tensor.generate": (ConstantGenerateSizes(),),
    "tensor.insert": (SameInSplat(),),
    "tensor.rank": (ConstantRank(),),
    "tensor.splat": (ConstantSplat(),),
}
