"""Static knowledge about index values (MLIR's ValueBounds).

An index is written as a linear expression: a constant plus a sum of integer factors
times *atoms*, which are opaque values or rounded quotients of expressions. Two indices
are equal if their difference is zero: `3 * %i + 1` and `affine.apply (d0) -> (d0 * 3 +
1)(%i)` are. Atoms have bounds, an induction variable those of its loop, so a difference
that is not constant may still be known to be negative.

Its main client compares slices of tensors (slices.py).

Ops of dialects that a tensor program may not use are recognised by name, so that these
dialects are not imported.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
)
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr, AffineMap

from xdsl_bufferization.dialects import bufferization, memref, tensor
from xdsl_bufferization.dialects.constants import constant_integer
from xdsl_bufferization.dialects.linear_forms import fold_expression
from xdsl_bufferization.dialects.shapes import shape_of
from xdsl_bufferization.interfaces.destination_style import (
    DESTINATION_STYLE,
    tied_operand,
)
from xdsl_bufferization.interfaces.operands import get
from xdsl_bufferization.records import record

if TYPE_CHECKING:
    from xdsl_bufferization.dialects import scf

Index: TypeAlias = int | SSAValue
"""An index as ops with static and dynamic lists have it."""

_MAX_DEPTH = 64
"""How many ops an expression is followed through."""
_WRAP_DEPTH = 2
"""How often bounds are put for atoms to see that a number does not wrap."""
_MAX_BOUNDS = 64
"""How many bounds of atoms are tried before giving up."""


def is_same(first: Index, second: Index) -> bool:
    """Return whether both indices definitely are equal."""
    if first is second:
        return True
    if isinstance(first, int) and isinstance(second, int):
        return first == second
    difference = linear(first) - linear(second)
    if not difference.factors:
        return difference.constant == 0
    one = Linear(1)
    return is_negative(difference - one) and is_negative(Linear(0) - difference - one)


def constant_of(index: Index) -> int | None:
    """The value of an index that is an integer or the result of a constant op."""
    if isinstance(index, int):
        return index
    return constant_integer(index)


def static_list(op: Operation, name: str) -> tuple[int, ...]:
    """A property that is a list of integers, such as the static offsets of a slice, where
    DYNAMIC_INDEX stands for an operand."""
    return cast("DenseArrayBase[IntegerType]", op.properties[name]).get_values()


# Linear expressions.


@record
class Dimension:
    """The size of one dimension of a tensor or memref."""

    value: SSAValue
    number: int


@record
class Quotient:
    """A linear expression divided by a positive integer, rounded down."""

    constant: int
    factors: frozenset[tuple[Atom, int]]
    divisor: int


Atom: TypeAlias = "SSAValue | Dimension | Quotient"


@dataclass(frozen=True)
class Linear:
    """A constant plus factors times atoms. No factor is zero."""

    constant: int
    factors: dict[Atom, int] = field(default_factory=dict)

    def __add__(self, other: Linear) -> Linear:
        return self._combine(other, 1)

    def __sub__(self, other: Linear) -> Linear:
        return self._combine(other, -1)

    def _combine(self, other: Linear, sign: int) -> Linear:
        factors = dict(self.factors)
        for atom, factor in other.factors.items():
            total = factors.get(atom, 0) + sign * factor
            if total:
                factors[atom] = total
            else:
                del factors[atom]
        return Linear(self.constant + sign * other.constant, factors)

    def scaled(self, by: int) -> Linear:
        if by == 0:
            return Linear(0)
        factors = {atom: factor * by for atom, factor in self.factors.items()}
        return Linear(self.constant * by, factors)

    def times(self, other: Linear) -> Linear | None:
        """The product, if one of both is constant."""
        if not other.factors:
            return self.scaled(other.constant)
        return None if self.factors else other.scaled(self.constant)

    def divided(self, by: int) -> Linear:
        """The expression divided by a positive integer, rounded down."""
        if by == 1 or not self.factors:
            return self if by == 1 else Linear(self.constant // by)
        return Linear(
            0, {Quotient(self.constant, frozenset(self.factors.items()), by): 1}
        )

    def constant_value(self) -> int | None:
        return None if self.factors else self.constant


def linear(index: Index, depth: int = _MAX_DEPTH) -> Linear:
    """An index as a linear expression."""
    if isinstance(index, int):
        return Linear(index)
    owner = index.owner
    if depth == 0 or isinstance(owner, Block):
        return Linear(0, {index: 1})
    kept = _kept.get()
    if kept is None:
        return _linear(index, owner, depth)
    found = kept.get((index, depth))
    if found is None:
        found = kept[index, depth] = _linear(index, owner, depth)
    return found


_kept: ContextVar[dict[tuple[SSAValue, int], Linear] | None] = ContextVar(
    "linear expressions", default=None
)
"""The answers of `linear`, where `keep_linear_expressions` says so."""


@contextmanager
def keep_linear_expressions() -> Generator[None]:
    """Compute each linear expression once. No op may change inside. Nested ones count as
    the outermost."""
    if _kept.get() is not None:
        yield
        return
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def _linear(index: SSAValue, owner: Operation, depth: int) -> Linear:
    if owner.name == "memref.extract_strided_metadata":
        result = _linear_metadata(owner, owner.results.index(index), depth - 1)
    else:
        result = _linear_result(owner, depth - 1)
    return Linear(0, {index: 1}) if result is None else result


def _linear_metadata(op: Operation, number: int, depth: int) -> Linear | None:
    """A result of memref.extract_strided_metadata, if it is a size of the source."""
    rank = len(shape_of(op.operands[0].type) or ())
    if not _SIZES_BEGIN <= number < _SIZES_BEGIN + rank:
        return None
    return linear_size(op.operands[0], number - _SIZES_BEGIN, depth)


_SIZES_BEGIN = 2
"""The results before the sizes are the base buffer and the offset."""


def _linear_result(op: Operation, depth: int) -> Linear | None:
    """The only result of an op, if it is linear in others."""
    match op.name:
        case "arith.constant":
            value = op.properties["value"]
            return Linear(value.value.data) if isinstance(value, IntegerAttr) else None
        case "arith.addi" | "arith.subi" | "arith.muli":
            # Arithmetic on narrower integers wraps around.
            if not isinstance(op.results[0].type, IndexType):
                return None
            left, right = (linear(operand, depth) for operand in op.operands)
            if op.name == "arith.addi":
                return left + right
            return left - right if op.name == "arith.subi" else left.times(right)
        case "arith.floordivsi" if isinstance(op.results[0].type, IndexType):
            divisor = constant_of(op.operands[1])
            if divisor is None or divisor <= 0:
                return None
            return linear(op.operands[0], depth).divided(divisor)
        case "arith.select":
            choices = [linear(operand, depth) for operand in op.operands[1:]]
            return choices[0] if choices[0] == choices[1] else None
        case "affine.apply":
            map_ = cast(AffineMapAttr, op.properties["map"]).data
            return _linear_map_result(map_, 0, op.operands, depth)
        case "tensor.dim" | "memref.dim":
            number = constant_of(op.operands[1])
            return None if number is None else linear_size(op.operands[0], number, depth)
        case _:
            return None


def _linear_map_result(
    map_: AffineMap, number: int, operands: Sequence[SSAValue], depth: int
) -> Linear | None:
    return linear_expression(
        map_.results[number],
        lambda position: linear(operands[position], depth),
        lambda position: linear(operands[map_.num_dims + position], depth),
    )


def linear_expression(
    expression: AffineExpr,
    dimension: Callable[[int], Linear | None],
    symbol: Callable[[int], Linear | None],
) -> Linear | None:
    """Return an affine expression as a linear expression, None if it is not linear.

    Args:
        dimension: the value of a dimension.
        symbol: the value of a symbol.
    """
    return fold_expression(expression, Linear, dimension, symbol, _combined)


def _combined(
    kind: AffineBinaryOpKind, left: Linear | None, right: Linear | None
) -> Linear | None:
    if left is None or right is None:
        return None
    if kind == AffineBinaryOpKind.Add:
        return left + right
    if kind == AffineBinaryOpKind.Mul:
        return left.times(right)
    divisor = right.constant_value()
    if divisor is None or divisor <= 0:
        return None
    if kind == AffineBinaryOpKind.CeilDiv:
        return (left + Linear(divisor - 1)).divided(divisor)
    quotient = left.divided(divisor)
    if kind == AffineBinaryOpKind.FloorDiv:
        return quotient
    return left - quotient.scaled(divisor)


def linear_size(value: SSAValue, number: int, depth: int = _MAX_DEPTH) -> Linear:
    """The size of a dimension of a tensor or memref."""
    while True:
        source = _size_source(value, number, depth)
        depth -= 1
        if isinstance(source, Dimension):
            value, number = source.value, source.number
        elif source is not None:
            return linear(source, depth)
        else:
            break
    return Linear(0, {Dimension(value, number): 1})


def _size_source(value: SSAValue, number: int, depth: int) -> Index | Dimension | None:
    """The index, or the other value's dimension, that a size equals, looked for through
    no more ops than `depth`."""
    shape = shape_of(value.type)
    if shape is not None:
        if not 0 <= number < len(shape):
            return None
        if shape[number] != DYNAMIC_INDEX:
            return shape[number]
    if depth == 0:
        return None
    carried = _carried(value)
    if carried is not None:
        keeps = carried.keeps_size(number, depth - 1)
        return Dimension(carried.init, number) if keeps else None
    if not isinstance(value, OpResult):
        return None
    op = value.op
    match op:
        case (
            tensor.EmptyOp()
            | memref.AllocOp()
            | memref.AllocaOp()
            | bufferization.AllocTensorOp()
        ):
            if isinstance(op, bufferization.AllocTensorOp) and op.copy is not None:
                return Dimension(op.copy, number)
            assert shape is not None
            return op.operands[shape[:number].count(DYNAMIC_INDEX)]
        case tensor.CastOp() | memref.CastOp():
            source = op.operands[0]
            return Dimension(source, number) if _is_ranked(source) else None
        case tensor.ExtractSliceOp() | memref.SubviewOp():
            sizes = static_list(op, "static_sizes")
            if len(sizes) != len(shape_of(value.type) or ()):
                return None
            return op.sizes[sizes[:number].count(DYNAMIC_INDEX)]
        case _:
            model = DESTINATION_STYLE.lookup(op)
            operand = None if model is None else tied_operand(model, op, value)
            return None if operand is None else Dimension(get(operand), number)


@dataclass(frozen=True)
class _Carried:
    """What a loop carries from one iteration to the next.

    Attributes:
        argument: what an iteration receives.
        yielded: what it yields; None if its threads write to parts of the argument.
    """

    init: SSAValue
    argument: SSAValue
    yielded: SSAValue | None

    def keeps_size(self, number: int, depth: int) -> bool:
        """Whether each iteration yields a tensor whose dimension of this number has the
        size of that of the argument."""
        if self.yielded is None:
            return True
        wanted = Dimension(self.argument, number)
        current = Dimension(self.yielded, number)
        body = self.argument.owner
        while current != wanted:
            owner = current.value.owner
            # What is defined outside of the body does not depend on the argument.
            if not isinstance(owner, Operation) or owner.parent is not body:
                return False
            source = _size_source(current.value, current.number, depth)
            depth -= 1
            if not isinstance(source, Dimension):
                return False
            current = source
        return True


def _carried(value: SSAValue) -> _Carried | None:
    """Return what a loop carries, for its result or the argument of an iteration; nothing
    if the loop has been taken apart since."""
    if not isinstance(value, OpResult | BlockArgument):
        return None
    loop = value.op if isinstance(value, OpResult) else value.block.parent_op()
    if loop is not None and loop.name == "scf.while":
        return _carried_by_while(value, loop)
    if loop is None or loop.name not in ("scf.for", "scf.forall"):
        return None
    body, number = loop.regions[0].blocks.first, len(loop.results)
    if body is None or body.last_op is None or len(loop.operands) < number:
        return None
    variables = len(body.args) - number
    index = value.index - (variables if isinstance(value, BlockArgument) else 0)
    if variables < 0 or not 0 <= index < number:
        return None
    if value not in (loop.results[index], body.args[variables + index]):
        return None
    init = loop.operands[len(loop.operands) - number + index]
    argument, yielded = body.args[variables + index], body.last_op.operands
    if loop.name == "scf.forall":
        return _Carried(init, argument, None)
    return _Carried(init, argument, yielded[index]) if index < len(yielded) else None


def _carried_by_while(
    value: OpResult | BlockArgument, loop: Operation
) -> _Carried | None:
    """Return the same for an scf.while whose first region forwards an argument as it
    is."""
    before, after = (region.blocks.first for region in loop.regions)
    ends = [block.last_op if block is not None else None for block in (before, after)]
    if before is None or after is None or ends[0] is None or ends[1] is None:
        return None
    yielded = ends[1].operands
    for index, forwarded in enumerate(ends[0].operands[1:]):
        if (
            isinstance(forwarded, BlockArgument)
            and forwarded.block is before
            and forwarded.index < min(len(loop.operands), len(yielded))
            and index < min(len(loop.results), len(after.args))
            and value in (loop.results[index], after.args[index], forwarded)
        ):
            init = loop.operands[forwarded.index]
            return _Carried(init, after.args[index], yielded[forwarded.index])
    return None


def _is_ranked(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType | MemRefType)


# Bounds.


def is_negative(expression: Linear) -> bool:
    """Return whether the expression is definitely negative, replacing atoms by their
    bounds until it is a constant."""
    pending = [expression]
    for _ in range(_MAX_BOUNDS):
        if not pending:
            return False
        current = pending.pop()
        if not current.factors:
            if current.constant < 0:
                return True
            continue
        for atom, factor in current.factors.items():
            rest = current - Linear(0, {atom: factor})
            pending.extend(
                rest + bound.scaled(factor) for bound in bounds_of_atom(atom, factor > 0)
            )
    return False


def bounds_of_atom(atom: Atom, upper: bool, depth: int = _WRAP_DEPTH) -> Sequence[Linear]:
    """Return expressions that the atom does not exceed (upper) or does not fall below.

    An expression is a mathematical number, but computations wrap around. An upper bound
    that may be less than the least index is therefore not a bound, and neither is a
    lower one that may be greater than the greatest.
    """
    last = Linear(-1 if upper and isinstance(atom, BlockArgument) else 0)
    return [
        bound + last
        for bound in _computed_bounds(atom, upper)
        if not exceeds_index(bound.scaled(-1) + Linear(-1) if upper else bound, depth)
    ]


def exceeds_index(expression: Linear, depth: int = _WRAP_DEPTH) -> bool:
    """Whether the expression may be more than the greatest index."""
    greatest = expression.constant
    for atom, factor in expression.factors.items():
        is_size = isinstance(atom, Dimension)
        low, high = (0, _LARGEST_SIZE) if is_size else (-_GREATEST - 1, _GREATEST)
        greatest += factor * (high if factor > 0 else low)
    if greatest <= _GREATEST:
        return False
    return depth == 0 or not any(
        not exceeds_index(
            expression - Linear(0, {atom: factor}) + bound.scaled(factor), depth - 1
        )
        for atom, factor in expression.factors.items()
        for bound in bounds_of_atom(atom, factor > 0, depth - 1)
    )


_GREATEST = (1 << 63) - 1
_LARGEST_SIZE = 1 << 48
"""No machine has more bytes to address."""


def _computed_bounds(atom: Atom, upper: bool) -> Sequence[Linear]:
    """Return the bounds, if their computation does not wrap. An upper bound of an
    argument of a loop's body is exclusive."""
    if isinstance(atom, Dimension):
        return () if upper else (Linear(0),)
    if isinstance(atom, Quotient):
        return ()
    owner = atom.owner
    if isinstance(owner, Block):
        return _induction_variable_bounds(atom, owner, upper)
    if owner.name == ("affine.min" if upper else "affine.max"):
        map_ = cast(AffineMapAttr, owner.properties["map"]).data
        results = (
            _linear_map_result(map_, i, owner.operands, _MAX_DEPTH)
            for i in range(len(map_.results))
        )
        return [result for result in results if result is not None]
    if owner.name == ("arith.minsi" if upper else "arith.maxsi"):
        return [linear(operand) for operand in owner.operands]
    if owner.name == "linalg.index":
        return _iteration_bounds(owner, upper)
    return ()


def _iteration_bounds(index: Operation, upper: bool) -> Sequence[Linear]:
    """The bounds of an index of a structured op: the sizes that it runs over."""
    if not upper:
        return (Linear(0),)
    around = index.parent_op()
    get_indexing_maps = getattr(around, "get_indexing_maps", None)
    if around is None or get_indexing_maps is None:
        return ()
    wanted = AffineExpr.dimension(cast(IntegerAttr, index.properties["dim"]).value.data)
    maps = cast("Sequence[AffineMapAttr]", get_indexing_maps())
    return [
        linear_size(operand, number) + Linear(-1)
        for operand, map_ in zip(around.operands, maps, strict=False)
        for number, expression in enumerate(map_.data.results)
        if expression == wanted
    ]


def _induction_variable_bounds(
    value: SSAValue, block: Block, upper: bool
) -> Sequence[Linear]:
    """Return the lower bound of the variable, or the exclusive upper one. There are no
    bounds for a loop that definitely never runs: its variable would be less than
    itself."""
    bounds = _bounds_of_loop(cast(BlockArgument, value), block.parent_op())
    if bounds is None:
        return ()
    lower, end = map(linear, bounds)
    number = (end - lower).constant_value()
    if number is not None and number <= 0:
        return ()
    return (end if upper else lower,)


def _bounds_of_loop(
    value: BlockArgument, loop: Operation | None
) -> tuple[Index, Index] | None:
    """Return where the range of an induction variable begins and ends."""
    kind = None if loop is None else loop.name
    number = value.index
    if kind == "scf.for" and number == 0:
        loop = cast("scf.ForOp", loop)
        if "unsignedCmp" in loop.properties and not _is_signed_range(loop):
            return None
        return loop.lb, loop.ub
    if kind == "scf.parallel":
        loop = cast("scf.ParallelOp", loop)
        return loop.lowerBound[number], loop.upperBound[number]
    if kind == "scf.forall":
        loop = cast("scf.ForallOp", loop)
        lower = mixed_list(
            loop.dynamic_lower_bound, static_list(loop, "staticLowerBound")
        )
        upper = mixed_list(
            loop.dynamic_upper_bound, static_list(loop, "staticUpperBound")
        )
        if number < len(upper):
            return lower[number], upper[number]
    return None


def _is_signed_range(loop: scf.ForOp) -> bool:
    """Whether the bounds of an unsigned loop are the same numbers if signed."""
    bounds = [constant_of(bound) for bound in (loop.lb, loop.ub)]
    return all(bound is not None and bound >= 0 for bound in bounds)


def mixed_list(dynamic: Sequence[SSAValue], static: Sequence[int]) -> Sequence[Index]:
    """A list of indices, of which the dynamic ones are operands."""
    operands = iter(dynamic)
    return [next(operands) if number == DYNAMIC_INDEX else number for number in static]
