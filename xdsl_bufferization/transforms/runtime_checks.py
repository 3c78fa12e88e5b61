"""Requirements as checks: what is known of their terms, and the ops that compute them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects import arith, cf, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StridedLayoutAttr,
    UnrankedMemRefType,
    VectorType,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineSymExpr
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.analysis.value_bounds import (
    Linear,
    is_negative,
    linear,
    linear_expression,
    linear_size,
)
from xdsl_bufferization.conversion.affine_indices import IndexBuilder
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.shapes import element_type_of, shape_of
from xdsl_bufferization.interfaces.runtime_verifiable import (
    Affine,
    Allocatable,
    AtMost,
    ElementOf,
    Equal,
    InBounds,
    LanesInBounds,
    NotNegative,
    OffsetOf,
    Product,
    ProductAtMost,
    RankOf,
    Requirement,
    SizeOf,
    StrideOf,
    Term,
)

INDEX = IndexType()
_UGE = 9
"""The predicate of arith.cmpi for unsigned numbers: at least."""


# What is known


def linear_term(term: Term) -> Linear | None:
    """A term as a linear expression, if it is one of indices and sizes."""
    match term:
        case int() | SSAValue():
            return linear(term)
        case SizeOf(buffer, dimension):
            if isinstance(buffer.type, MemRefType):
                return linear_size(buffer, dimension)
            return None
        case Affine(expression, terms):

            def leaf(expr: AffineDimExpr | AffineSymExpr) -> Linear | None:
                return linear_term(terms[expr.position])

            return linear_expression(expression, leaf)
        case Product(left, right):
            factors = linear_term(left), linear_term(right)
            if factors[0] is None or factors[1] is None:
                return None
            return factors[0].times(factors[1])
        case RankOf() | StrideOf() | OffsetOf() | ElementOf():
            return None


def is_met(requirement: Requirement) -> bool:
    """Whether a requirement surely is met."""
    match requirement:
        case Equal(left, right):
            first, second = linear_term(left), linear_term(right)
            if first is None or second is None:
                return left == right
            return (first - second).constant_value() == 0
        case InBounds(index, size):
            number, limit = linear_term(index), linear_term(size)
            return _is_between(number, limit, strict=True)
        case AtMost(number, limit):
            return _is_between(linear_term(number), linear_term(limit), strict=False)
        case NotNegative(number) | Allocatable(number):
            expression = linear_term(number)
            return expression is not None and _is_not_negative(expression)
        case ProductAtMost(numbers, limit):
            return all(map(_is_size, numbers))
        case LanesInBounds():
            return False


def _is_between(number: Linear | None, limit: Linear | None, *, strict: bool) -> bool:
    if number is None or limit is None:
        return False
    above = number - limit if strict else number - limit - Linear(1)
    return is_negative(above) and _is_not_negative(number)


def _is_not_negative(number: Linear) -> bool:
    return is_negative(Linear(-1) - number)


def _is_size(number: Term) -> bool:
    """Whether a number is constant or surely made of sizes that buffers have."""
    expression = linear_term(number)
    return expression is not None and _is_not_negative(expression)


Key = tuple[object, ...]


def key_of(requirement: Requirement) -> Key:
    """Equal for requirements that are the same."""
    match requirement:
        case Equal(left, right):
            return (Equal, _key_of_term(left), _key_of_term(right))
        case InBounds(index, size, unless_empty=unless_empty):
            guards = tuple(_key_of_term(term) for term in unless_empty)
            return (InBounds, _key_of_term(index), _key_of_term(size), guards)
        case AtMost(number, limit):
            return (AtMost, _key_of_term(number), _key_of_term(limit))
        case NotNegative(number):
            return (NotNegative, _key_of_term(number))
        case Allocatable(number, limit):
            return (Allocatable, _key_of_term(number), limit)
        case ProductAtMost(numbers, limit):
            return (ProductAtMost, tuple(map(_key_of_term, numbers)), limit)
        case LanesInBounds():
            return (requirement,)


def _key_of_term(term: Term) -> object:
    expression = linear_term(term)
    if expression is None:
        return term
    return (expression.constant, frozenset(expression.factors.items()))


# What is computed


@dataclass
class CheckBuilder:
    """Builds the ops of checks before one op."""

    before: Operation
    index: IndexBuilder = field(default_factory=IndexBuilder)
    _known: dict[Term, SSAValue] = field(default_factory=dict[Term, SSAValue])

    def add_check(self, requirement: Requirement, message: str) -> None:
        """Check a requirement, and end the program with the message if it is not met."""
        condition = self._condition(requirement)
        self.index.ops.append(cf.AssertOp(condition, message))

    def insert(self) -> None:
        Rewriter.insert_op(self.index.ops, InsertPoint.before(self.before))

    def _condition(self, requirement: Requirement) -> SSAValue:
        match requirement:
            case Equal(left, right):
                return self._compare("eq", left, right)
            case InBounds(index, size, unless_empty=unless_empty):
                condition = self._compare("ult", index, size)
                for term in self._possibly_zero(unless_empty):
                    empty = self._compare("eq", term, 0)
                    condition = self.index.add(arith.OrIOp(condition, empty))
                return condition
            case AtMost(number, limit):
                return self._compare("ule", number, limit)
            case NotNegative(number):
                return self._compare("sge", number, 0)
            case Allocatable(number, limit):
                return self._compare("ule", number, limit)
            case ProductAtMost(numbers, limit):
                return self._product_at_most(numbers, limit)
            case LanesInBounds():
                return self._lanes_in_bounds(requirement)

    def _product_at_most(self, numbers: Sequence[Term], limit: int) -> SSAValue:
        add = self.index.add
        product = add(arith.ConstantOp(FloatAttr(1.0, f64)))
        for number in numbers:
            integer = add(arith.IndexCastOp(self._value(number), i64))
            product = add(arith.MulfOp(product, add(arith.SIToFPOp(integer, f64))))
        largest = add(arith.ConstantOp(FloatAttr(float(limit), f64)))
        return add(arith.CmpfOp(product, largest, "ole"))

    def _lanes_in_bounds(self, requirement: LanesInBounds) -> SSAValue:
        """Whether no lane is both selected and out of bounds."""
        add = self.index.add
        count = cast("VectorType[Attribute]", requirement.mask.type).get_shape()[0]
        indices = VectorType(INDEX, (count,))
        offsets = requirement.offsets
        if offsets is None:
            numbers = DenseIntOrFPElementsAttr.from_list(indices, range(count))
            offsets = add(arith.ConstantOp(numbers))
        elif offsets.type != indices:
            offsets = add(
                arith.IndexCastOp.create(operands=(offsets,), result_types=(indices,))
            )
        base = add(vector.BroadcastOp(requirement.index, indices))
        size = add(vector.BroadcastOp(self._value(requirement.size), indices))
        places = add(arith.AddiOp(base, offsets))
        outside = add(
            arith.CmpiOp.create(
                operands=(places, size),
                result_types=(requirement.mask.type,),
                properties={"predicate": IntegerAttr(_UGE, 64)},
            )
        )
        wrong = add(arith.AndIOp(requirement.mask, outside))
        any_wrong = add(
            vector.ReductionOp.create(
                operands=(wrong,),
                result_types=(i1,),
                properties={
                    "kind": vector.CombiningKindAttr(vector.CombiningKindFlag.OR),
                    "fastmath": arith.FastMathFlagsAttr("none"),
                },
            )
        )
        true = add(arith.ConstantOp(IntegerAttr(1, i1)))
        return add(arith.XOrIOp(any_wrong, true))

    def _possibly_zero(self, terms: Iterable[Term]) -> Iterable[Term]:
        for term in terms:
            expression = linear_term(term)
            if expression is None or not is_negative(Linear(0) - expression):
                yield term

    def _compare(self, predicate: str, left: Term, right: Term) -> SSAValue:
        return self.index.add(
            arith.CmpiOp(self._value(left), self._value(right), predicate)
        )

    def _value(self, term: Term) -> SSAValue:
        if isinstance(term, int):
            return self.index.constant(term)
        if isinstance(term, SSAValue):
            return term
        known = self._known.get(term)
        if known is None:
            known = self._known[term] = self._computed(term)
        return known

    def _computed(
        self,
        term: SizeOf | RankOf | StrideOf | OffsetOf | ElementOf | Affine | Product,
    ) -> SSAValue:
        match term:
            case SizeOf(buffer, dimension):
                number = _static_size(buffer, dimension)
                if number is not None:
                    return self.index.constant(number)
                at = self.index.constant(dimension)
                return self._add(memref.DimOp, (buffer, at))
            case RankOf(buffer):
                return self._add(memref.RankOp, (buffer,))
            case OffsetOf(buffer, rank):
                return self._metadata(buffer, rank)[0]
            case StrideOf(buffer, dimension, rank):
                return self._metadata(buffer, rank)[1 + rank + dimension]
            case ElementOf(buffer, number):
                return self._element(buffer, self.index.constant(number))
            case Product(left, right):
                return self.index.binary(
                    arith.MuliOp, self._value(left), self._value(right)
                )
            case Affine(expression, terms):
                return self.index.expression(
                    expression, [self._value(inner) for inner in terms]
                )

    def _add(self, op_class: type[Operation], operands: Iterable[SSAValue]) -> SSAValue:
        op = op_class.create(operands=tuple(operands), result_types=(INDEX,))
        return self.index.add(op)

    def _element(self, buffer: SSAValue, at: SSAValue) -> SSAValue:
        element = element_type_of(buffer.type)
        load = memref.LoadOp.create(
            operands=(buffer, at),
            result_types=(element,),
            properties={"nontemporal": IntegerAttr(0, 1)},
        )
        value = self.index.add(load)
        if element == INDEX:
            return value
        return self._add(arith.IndexCastOp, (value,))

    def _metadata(self, buffer: SSAValue, rank: int) -> list[SSAValue]:
        """The offset, the sizes and the strides of a buffer."""
        type_ = cast("MemRefType | UnrankedMemRefType", buffer.type)
        element = element_type_of(type_)
        if isinstance(type_, UnrankedMemRefType):
            dynamic = MemRefType(
                element,
                [DYNAMIC_INDEX] * rank,
                StridedLayoutAttr([None] * rank, None),
                type_.memory_space,
            )
            buffer = self.index.add(
                memref.CastOp.create(operands=(buffer,), result_types=(dynamic,))
            )
        base = MemRefType(element, (), memory_space=type_.memory_space)
        op = memref.ExtractStridedMetadataOp.create(
            operands=(buffer,), result_types=(base, *[INDEX] * (1 + 2 * rank))
        )
        self.index.ops.append(op)
        return list(op.results[1:])


def _static_size(buffer: SSAValue, dimension: int) -> int | None:
    shape = shape_of(buffer.type)
    if shape is None or shape[dimension] == DYNAMIC_INDEX:
        return None
    return shape[dimension]
