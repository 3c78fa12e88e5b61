"""Static knowledge about requirements: which are met, and which are equal."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, MemRefType, TensorType
from xdsl.ir import SSAValue

from xdsl_bufferization.analysis.facts.value_bounds import (
    Dimension,
    Linear,
    exceeds_index,
    is_negative,
    linear,
    linear_expression,
    linear_size,
)
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.memref import strides_and_offset_of
from xdsl_bufferization.interfaces import runtime_verifiable as runtime
from xdsl_bufferization.interfaces.runtime_verifiable import Requirement, Term


def linear_term(term: Term) -> Linear | None:
    """A term as a linear expression, if it is one of indices and sizes."""
    match term:
        case int() | SSAValue():
            return linear(term)
        case runtime.SizeOf(buffer, dimension):
            if isinstance(buffer.type, MemRefType | TensorType):
                return linear_size(buffer, dimension)
            return None
        case runtime.Affine(expression, terms):

            def leaf(position: int) -> Linear | None:
                return linear_term(terms[position])

            return linear_expression(expression, leaf, leaf)
        case runtime.Product(left, right):
            factors = linear_term(left), linear_term(right)
            if factors[0] is None or factors[1] is None:
                return None
            return factors[0].times(factors[1])
        case runtime.StrideOf(buffer, dimension):
            layout = _layout_of(buffer)
            return _known(layout[0][dimension]) if layout else None
        case runtime.OffsetOf(buffer):
            layout = _layout_of(buffer)
            return _known(layout[1]) if layout else None
        case runtime.RankOf() | runtime.ElementOf() | runtime.SelectedOf():
            return None


def _layout_of(buffer: SSAValue) -> tuple[Sequence[int | None], int | None] | None:
    is_ranked = isinstance(buffer.type, MemRefType)
    return strides_and_offset_of(buffer.type) if is_ranked else None


def _known(number: int | None) -> Linear | None:
    return None if number is None else Linear(number)


def constant_term(term: Term) -> int | None:
    """The value of a term, if it is known."""
    expression = linear_term(term)
    return None if expression is None else expression.constant_value()


def is_met(requirement: Requirement) -> bool:
    """Return whether a requirement is definitely met."""
    match requirement:
        case runtime.Equal(left, right, unless_at_most=void):
            if any(_is_at_most(term, number) for term, number in void):
                return True
            first, second = linear_term(left), linear_term(right)
            if first is None or second is None:
                return left == right
            return (first - second).constant_value() == 0
        case runtime.InBounds(index, size):
            number, limit = linear_term(index), linear_term(size)
            return _is_between(number, limit, strict=True)
        case runtime.AtMost(number, limit):
            return _is_between(linear_term(number), linear_term(limit), strict=False)
        case runtime.AtLeast(number, least):
            return is_at_least(number, least)
        case runtime.EndsInType():
            return _ends_in_type(requirement)
        case runtime.Allocatable(number):
            return is_at_least(number, 0)
        case runtime.ProductAtMost(numbers, limit):
            return _is_small_product(numbers, limit)
        case runtime.LanesInBounds():
            return False
        case runtime.InsideSpan():
            return _is_inside_span(requirement)


def _is_at_most(term: Term, number: int) -> bool:
    expression = linear_term(term)
    return expression is not None and is_negative(expression - Linear(number + 1))


def _ends_in_type(requirement: runtime.EndsInType) -> bool:
    """Whether a loop surely ends: it reaches every number, or none that it may reach is
    too large."""
    step = constant_term(requirement.step)
    if step == 1:
        return True
    if step is None or not requirement.signed:
        return False
    upper = linear_term(requirement.upper)
    if upper is None:
        return False
    last = upper + Linear(step - 1)
    if requirement.type == IndexType():
        return not exceeds_index(last)
    constant = last.constant_value()
    return constant is not None and constant <= requirement.greatest


def _is_inside_span(requirement: runtime.InsideSpan) -> bool:
    """Whether a view surely is inside of a buffer: all numbers are constants, or it is as
    large as a view of the same buffer, or both have one dimension without gaps."""
    buffer, sizes, strides = requirement.buffer, requirement.sizes, requirement.strides
    numbers = (requirement.offset, *sizes, *strides)
    if any(constant_term(size) == 0 for size in sizes):
        return True
    source = numbers[0].owner if isinstance(numbers[0], SSAValue) else None
    if isinstance(source, memref.ExtractStridedMetadataOp):
        return numbers == tuple(source.results[1:])
    dimensions = range(requirement.rank)
    span = _constant_span(requirement.offset, sizes, strides)
    whole = _constant_span(
        runtime.OffsetOf(buffer, requirement.rank),
        [runtime.SizeOf(buffer, i) for i in dimensions],
        [runtime.StrideOf(buffer, i, requirement.rank) for i in dimensions],
    )
    if span is not None and whole is not None:
        return whole[0] <= span[0] and span[1] <= whole[1]
    layout = _layout_of(buffer)
    if layout != ((1,), 0) or [constant_term(stride) for stride in strides] != [1]:
        return False
    begin, size = linear_term(requirement.offset), linear_term(sizes[0])
    if begin is None or size is None:
        return False
    beyond = linear_size(buffer, 0) - begin - size
    return _is_not_negative(begin) and _is_not_negative(beyond)


def _constant_span(
    offset: Term, sizes: Sequence[Term], strides: Sequence[Term]
) -> tuple[int, int] | None:
    """The first and the last element; None where they are not known or there is none."""
    low = high = constant_term(offset)
    for size, stride in zip(sizes, strides, strict=True):
        count, distance = constant_term(size), constant_term(stride)
        if low is None or high is None or distance is None or not count or count < 0:
            return None
        extent = (count - 1) * distance
        low, high = low + min(extent, 0), high + max(extent, 0)
    return None if low is None or high is None else (low, high)


def _is_between(number: Linear | None, limit: Linear | None, *, strict: bool) -> bool:
    if number is None or limit is None:
        return False
    above = number - limit if strict else number - limit - Linear(1)
    return is_negative(above) and _is_not_negative(number)


def _is_not_negative(number: Linear) -> bool:
    return is_negative(Linear(-1) - number)


def is_at_least(term: Term, number: int) -> bool:
    expression = linear_term(term)
    return (
        expression is not None
        and is_negative(Linear(number - 1) - expression)
        and not exceeds_index(expression)
    )


def _is_small_product(numbers: Sequence[Term], limit: int) -> bool:
    """Whether a product surely is at most the limit: all numbers are constants, or one
    buffer has them as its sizes."""
    dimensions: set[Dimension] = set()
    rest = 1
    for number in numbers:
        expression = linear_term(number)
        if expression is None:
            return False
        if (value := expression.constant_value()) is not None:
            rest *= value
            continue
        atom = next(iter(expression.factors))
        if expression != Linear(0, {atom: 1}) or not isinstance(atom, Dimension):
            return False
        if atom in dimensions:
            return False
        dimensions.add(atom)
    return rest <= limit and len({dimension.value for dimension in dimensions}) <= 1


Key = tuple[object, ...]


def key_of(requirement: Requirement) -> Key:
    """Equal for requirements that are the same."""
    match requirement:
        case runtime.Equal(left, right, unless_at_most=void):
            guards = tuple((_key_of_term(term), number) for term, number in void)
            return (runtime.Equal, _key_of_term(left), _key_of_term(right), guards)
        case runtime.InBounds(index, size, unless_empty=unless_empty, unless_none=ranges):
            guards = tuple(_key_of_term(term) for term in unless_empty)
            terms = _key_of_term(index), _key_of_term(size)
            return (runtime.InBounds, *terms, guards, _key_of_ranges(ranges))
        case runtime.AtMost(number, limit):
            return (runtime.AtMost, _key_of_term(number), _key_of_term(limit))
        case runtime.AtLeast(number, least):
            return (runtime.AtLeast, _key_of_term(number), least)
        case runtime.EndsInType(lower, upper, step, signed, type_, _, ranges):
            terms = _key_of_term(lower), _key_of_term(upper), _key_of_term(step)
            return (runtime.EndsInType, *terms, signed, type_, _key_of_ranges(ranges))
        case runtime.Allocatable(number, limit):
            return (runtime.Allocatable, _key_of_term(number), limit)
        case runtime.ProductAtMost(numbers, limit):
            return (runtime.ProductAtMost, tuple(map(_key_of_term, numbers)), limit)
        case runtime.LanesInBounds() | runtime.InsideSpan():
            return (requirement,)


def _key_of_ranges(ranges: Sequence[tuple[Term, Term]]) -> Key:
    return tuple((_key_of_term(lower), _key_of_term(upper)) for lower, upper in ranges)


def _key_of_term(term: Term) -> object:
    expression = linear_term(term)
    if expression is None:
        return term
    return (expression.constant, frozenset(expression.factors.items()))
