"""Requirements as run-time checks: the ops that compute them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import prod
from typing import cast

from xdsl.dialects import arith, cf, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StridedLayoutAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.conversion.utils.affine_indices import IndexBuilder
from xdsl_bufferization.dialects import memref, tensor
from xdsl_bufferization.dialects.arith import CmpiOp, IndexCastOp
from xdsl_bufferization.dialects.shapes import element_type_of
from xdsl_bufferization.dialects.vector import ShapeCastOp
from xdsl_bufferization.interfaces import runtime_verifiable as runtime
from xdsl_bufferization.interfaces.runtime_verifiable import Requirement, Term
from xdsl_bufferization.transforms.utils.runtime_requirements import (
    Key,
    constant_term,
    is_at_least,
)

INDEX = IndexType()
_SLT, _UGE = 2, 9
"""Predicates of arith.cmpi: less than, of signed numbers; at least, of unsigned ones."""


class _WrappingIndices(IndexBuilder):
    """Numbers that are not checked yet may have any product."""

    def product(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return self.binary(arith.MuliOp, lhs, rhs)


@dataclass
class CheckBuilder:
    """Builds the ops of checks before one op."""

    before: Operation
    index: IndexBuilder = field(default_factory=_WrappingIndices)
    _known: dict[Term, SSAValue] = field(default_factory=dict[Term, SSAValue])

    def add_check(
        self, requirement: Requirement, message: str, known: Collection[Key]
    ) -> None:
        """Check a requirement, and end the program with the message if it is not met.

        Args:
            known: what `condition_key` returned for the conditions that surely hold.
        """
        condition = self._condition(requirement)
        if condition_key(condition) not in known:
            self.index.ops.append(cf.AssertOp(condition, message))

    def is_known(self, requirement: Requirement, known: Collection[Key]) -> bool:
        """Return whether the condition of a requirement is among the known ones."""
        return condition_key(self._condition(requirement)) in known

    def insert(self) -> None:
        """Insert the checks, without what only conditions that are known need."""
        needed: list[Operation] = []
        for op in reversed(self.index.ops):
            if isinstance(op, cf.AssertOp) or any(result.uses for result in op.results):
                needed.append(op)
            else:
                op.drop_all_references()
        Rewriter.insert_op(needed[::-1], InsertPoint.before(self.before))

    def _condition(self, requirement: Requirement) -> SSAValue:
        match requirement:
            case runtime.Equal(left, right, unless_at_most=void):
                return self._unless(
                    (
                        self._compare("ule", term, number)
                        for term, number in void
                        if not is_at_least(term, number + 1)
                    ),
                    self._compare("eq", left, right),
                )
            case runtime.InBounds(
                index, size, unless_empty=unless_empty, unless_none=ranges
            ):
                return self._unless(
                    chain(
                        (
                            self._compare("eq", term, 0)
                            for term in unless_empty
                            if not is_at_least(term, 1)
                        ),
                        (self._compare("sle", upper, lower) for lower, upper in ranges),
                    ),
                    self._compare("ult", index, size),
                )
            case runtime.AtMost(number, limit):
                return self._compare("ule", number, limit)
            case runtime.AtLeast(number, least):
                return self._compare("sge", number, least)
            case runtime.EndsInType():
                return self._ends_in_type(requirement)
            case runtime.Allocatable(number, limit):
                return self._compare("ule", number, limit)
            case runtime.ProductAtMost(numbers, limit):
                return self._product_at_most(numbers, limit)
            case runtime.LanesInBounds():
                return self._lanes_in_bounds(requirement)
            case runtime.InsideSpan():
                return self._inside_span(requirement)

    def _ends_in_type(self, requirement: runtime.EndsInType) -> SSAValue:
        """Compare the step with the room above the last number of the induction
        variable. Below an upper bound, differences are exact as unsigned numbers."""
        add, type_ = self.index.add, requirement.type
        lower, upper, step, one = (
            self._value(term, type_)
            for term in (requirement.lower, requirement.upper, requirement.step, 1)
        )
        # The greatest unsigned number is written as the signed one with its bits.
        greatest = self._value(requirement.greatest if requirement.signed else -1, type_)
        below = add(arith.SubiOp(upper, one))
        # Where the step is zero, another check fails: this must not divide by it.
        divisor = add(arith.MaxUIOp(step, one))
        rest = add(arith.RemUIOp(add(arith.SubiOp(below, lower)), divisor))
        room = add(arith.SubiOp(greatest, add(arith.SubiOp(below, rest))))
        empty = self._compare("sge" if requirement.signed else "uge", lower, upper)
        around = (
            self._compare("sle", end, begin) for begin, end in requirement.unless_none
        )
        return self._unless(chain((empty,), around), self._compare("ule", step, room))

    def _product_at_most(self, numbers: Sequence[Term], limit: int) -> SSAValue:
        add = self.index.add
        product = add(arith.ConstantOp(FloatAttr(1.0, f64)))
        for number in numbers:
            product = add(arith.MulfOp(product, self._as_float(number)))
        largest = add(arith.ConstantOp(FloatAttr(float(limit), f64)))
        return add(arith.CmpfOp(product, largest, "ole"))

    def _inside_span(self, requirement: runtime.InsideSpan) -> SSAValue:
        """Compare the ends of both spans, as floats: no sum overflows, and those that are
        inside of a buffer are exact."""
        add = self.index.add
        source, rank = requirement.buffer, requirement.rank
        dimensions = range(rank)
        sizes = tuple(runtime.SizeOf(source, i) for i in dimensions)
        strides = tuple(runtime.StrideOf(source, i, rank) for i in dimensions)
        first, last, empty = self._span(runtime.OffsetOf(source, rank), sizes, strides)
        low, high, nothing = self._span(
            requirement.offset, requirement.sizes, requirement.strides
        )
        inside = add(
            arith.AndIOp(
                add(arith.CmpfOp(low, first, "oge")),
                add(arith.CmpfOp(high, last, "ole")),
            )
        )
        if empty is not None:
            true = add(arith.ConstantOp(IntegerAttr(1, i1)))
            inside = add(arith.AndIOp(inside, add(arith.XOrIOp(empty, true))))
        return self._unless(() if nothing is None else (nothing,), inside)

    def _span(
        self, offset: Term, sizes: Sequence[Term], strides: Sequence[Term]
    ) -> tuple[SSAValue, SSAValue, SSAValue | None]:
        """The first and the last element, as floats, and whether there is none; None if
        there surely is one."""
        add = self.index.add
        zero = add(arith.ConstantOp(FloatAttr(0.0, f64)))
        low = high = self._as_float(offset)
        empty: SSAValue | None = None
        for size, stride in zip(sizes, strides, strict=True):
            above = self.index.binary(
                arith.SubiOp, self._value(size), self.index.constant(1)
            )
            extent = add(arith.MulfOp(self._as_float(above), self._as_float(stride)))
            low = add(arith.AddfOp(low, add(arith.MinimumfOp(extent, zero))))
            high = add(arith.AddfOp(high, add(arith.MaximumfOp(extent, zero))))
            if not is_at_least(size, 1):
                none = self._compare("eq", size, 0)
                empty = none if empty is None else add(arith.OrIOp(empty, none))
        return low, high, empty

    def _as_float(self, number: Term) -> SSAValue:
        integer = self.index.add(IndexCastOp(self._value(number), i64))
        return self.index.add(arith.SIToFPOp(integer, f64))

    def _lanes_in_bounds(self, requirement: runtime.LanesInBounds) -> SSAValue:
        """Whether no lane is both selected and out of bounds."""
        add = self.index.add
        mask = self._flat(requirement.mask)
        count = cast("VectorType[Attribute]", mask.type).get_shape()[0]
        indices = VectorType(INDEX, (count,))
        offsets = requirement.offsets
        if isinstance(offsets, tuple):
            numbers = DenseIntOrFPElementsAttr.from_list(indices, offsets)
            offsets = add(arith.ConstantOp(numbers))
        else:
            offsets = self._flat(offsets)
            if offsets.type != indices:
                offsets = add(
                    IndexCastOp.create(operands=(offsets,), result_types=(indices,))
                )
        base = add(vector.BroadcastOp(requirement.index, indices))
        places = add(arith.AddiOp(base, offsets))
        size: Term = 0 if requirement.size is None else requirement.size
        limit = add(vector.BroadcastOp(self._value(size), indices))
        predicate = _SLT if requirement.size is None else _UGE
        outside = add(
            CmpiOp.create(
                operands=(places, limit),
                result_types=(mask.type,),
                properties={"predicate": IntegerAttr(predicate, 64)},
            )
        )
        wrong = add(arith.AndIOp(mask, outside))
        any_wrong = self._reduced(wrong, vector.CombiningKindFlag.OR, i1)
        true = add(arith.ConstantOp(IntegerAttr(1, i1)))
        return add(arith.XOrIOp(any_wrong, true))

    def _selected(self, mask: SSAValue) -> SSAValue:
        count = cast("VectorType[Attribute]", mask.type).get_shape()[0]
        ones = VectorType(i64, (count,))
        extended = arith.ExtUIOp.create(operands=(mask,), result_types=(ones,))
        number = self.index.add(extended)
        total = self._reduced(number, vector.CombiningKindFlag.ADD, i64)
        return self._add(IndexCastOp, (total,))

    def _reduced(
        self, lanes: SSAValue, kind: vector.CombiningKindFlag, type_: Attribute
    ) -> SSAValue:
        return self.index.add(
            vector.ReductionOp.create(
                operands=(lanes,),
                result_types=(type_,),
                properties={
                    "kind": vector.CombiningKindAttr(kind),
                    "fastmath": arith.FastMathFlagsAttr("none"),
                },
            )
        )

    def _flat(self, value: SSAValue) -> SSAValue:
        """A vector with its lanes in one dimension."""
        type_ = cast("VectorType[Attribute]", value.type)
        shape = type_.get_shape()
        if len(shape) == 1:
            return value
        flat = VectorType(type_.element_type, (prod(shape),))
        return self.index.add(ShapeCastOp.create(operands=(value,), result_types=(flat,)))

    def _unless(self, void: Iterable[SSAValue], condition: SSAValue) -> SSAValue:
        """A condition that need not hold if one of others does. As a select it is told
        from these, so that the message shows the numbers of the condition alone."""
        either: SSAValue | None = None
        for other in void:
            either = (
                other if either is None else self.index.add(arith.OrIOp(either, other))
            )
        if either is None:
            return condition
        true = self.index.add(arith.ConstantOp(IntegerAttr(1, i1)))
        return self.index.add(arith.SelectOp(either, true, condition))

    def _compare(self, predicate: str, left: Term, right: Term) -> SSAValue:
        type_ = next((t.type for t in (left, right) if isinstance(t, SSAValue)), INDEX)
        lhs, rhs = self._value(left, type_), self._value(right, type_)
        return self.index.add(CmpiOp(lhs, rhs, predicate))

    def _value(self, term: Term, type_: Attribute = INDEX) -> SSAValue:
        """The value of a term; a number has the type that is asked for."""
        if isinstance(term, int):
            if type_ == INDEX:
                return self.index.constant(term)
            number = IntegerAttr(term, cast("IntegerType", type_))
            return self.index.add(arith.ConstantOp(number))
        if isinstance(term, SSAValue):
            return term
        known = self._known.get(term)
        if known is None:
            number = constant_term(term)
            known = self._known[term] = (
                self._computed(term) if number is None else self.index.constant(number)
            )
        return known

    def _computed(
        self,
        term: runtime.SizeOf
        | runtime.RankOf
        | runtime.StrideOf
        | runtime.OffsetOf
        | runtime.ElementOf
        | runtime.SelectedOf
        | runtime.Affine
        | runtime.Product,
    ) -> SSAValue:
        match term:
            case runtime.SizeOf(buffer, dimension):
                at = self.index.constant(dimension)
                dim = tensor.DimOp if _is_tensor(buffer) else memref.DimOp
                return self._add(dim, (buffer, at))
            case runtime.RankOf(buffer):
                rank = tensor.RankOp if _is_tensor(buffer) else memref.RankOp
                return self._add(rank, (buffer,))
            case runtime.OffsetOf(buffer, rank):
                return self._metadata(buffer, rank)[0]
            case runtime.StrideOf(buffer, dimension, rank):
                return self._metadata(buffer, rank)[1 + rank + dimension]
            case runtime.ElementOf(buffer, number):
                return self._element(buffer, self.index.constant(number))
            case runtime.SelectedOf(mask):
                return self._selected(mask)
            case runtime.Product(left, right):
                return self.index.binary(
                    arith.MuliOp, self._value(left), self._value(right)
                )
            case runtime.Affine(expression, terms):
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
        return self._add(IndexCastOp, (value,))

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


def _is_tensor(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType | UnrankedTensorType)


def condition_key(value: SSAValue) -> Key:
    """Equal for values that are computed alike of the same values."""
    op = value.owner
    if not isinstance(op, Operation) or op.name not in _COMPUTED_ALIKE:
        return (value,)
    return (
        op.name,
        op.results.index(value),
        tuple(op.properties.items()),
        tuple(map(condition_key, op.operands)),
    )


_COMPUTED_ALIKE = {
    *("arith.constant", "arith.cmpi", "arith.cmpf", "arith.select", "arith.ori"),
    *("arith.andi", "arith.xori", "arith.addi", "arith.subi", "arith.muli"),
    *("arith.mulf", "arith.addf", "arith.minimumf", "arith.maximumf"),
    *("arith.sitofp", "arith.index_cast", "arith.floordivsi", "arith.remsi"),
    *("arith.maxui", "arith.remui"),
    *("memref.dim", "memref.rank", "memref.cast", "memref.extract_strided_metadata"),
    *("tensor.dim", "tensor.rank", "arith.extui"),
    *("vector.broadcast", "vector.reduction", "vector.shape_cast"),
}
"""What checks are made of, but for loads: memory changes."""
