"""Equal computations are one condition: value numbering for the checker of deallocations.

A *number* stands for all values that are computed alike from the same *sources*, the
values whose computation is not understood (arguments, loads, results of calls):

    %d = arith.cmpi eq, %n, %c0       // the condition "%n is in [0, 0]" is true
    %e = arith.cmpi ne, %n, %c0       // the same condition is false
    %f = arith.cmpi slt, %n, %c0      // "%n is in [-2^63, -1]": excluded if %d holds

A *condition* is a number and the truth it has when the condition holds, so that a
comparison and its negation share their number. A comparison with a constant is a set of
integers: what is known of one decides others.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, UnregisteredOp, i1
from xdsl.dialects.func import CallOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.view_like import get_view_base

Intervals: TypeAlias = tuple[tuple[int, int], ...]
"""Disjoint closed intervals of signed integers, in order."""

_MOST_SOURCES = 8
_COMMUTATIVE = frozenset(
    f"arith.{name}i" for name in ("add", "mul", "and", "or", "xor", "maxs", "mins")
)
_SIGN_EXTENSIONS = ("arith.extsi", "arith.index_cast")
_ZERO_EXTENSIONS = ("arith.extui", "arith.index_castui")
_DETERMINISTIC = ("arith.", "complex.", "index.", "math.")
"""Dialects in which an op without regions may trap, but has no other effect."""
_CONNECTIVES = ("arith.andi", "arith.ori", "arith.xori", "arith.select")
EQ, _NE, SLT, _SLE, _SGT, _SGE, ULT, _ULE, _UGT, _UGE = range(10)
"""The predicates of arith.cmpi."""
_NEGATED = {_NE: EQ, _SLE: _SGT, _SGE: SLT, _ULE: _UGT, _UGE: ULT}
"""Predicates that are written as the negation of another."""
_SWAPPED = {
    SLT: _SGT,
    _SLE: _SGE,
    ULT: _UGT,
    _ULE: _UGE,
    _SGT: SLT,
    _SGE: _SLE,
    _UGT: ULT,
    _UGE: _ULE,
}
_UNSIGNED = {SLT: ULT, _SLE: _ULE, _SGT: _UGT, _SGE: _UGE}
_NEGATED_FLOAT = {15: 0, 13: 1, 12: 2, 11: 3, 10: 4, 9: 5, 8: 6, 14: 7}
_SWAPPED_FLOAT = {2: 4, 3: 5, 4: 2, 5: 3, 9: 11, 10: 12, 11: 9, 12: 10}


@dataclass(eq=False)
class Source:
    """What conditions depend on and is not understood.

    Attributes:
        value: the value; None for what all calls of a function depend on.
        atoms: the conditions that depend on it, with no condition among their operands.
    """

    value: SSAValue | None
    atoms: list[Number] = field(default_factory=list["Number"])

    @property
    def is_shared(self) -> bool:
        """Whether one condition may restrict another by way of the source."""
        return len(self.atoms) > 1


@dataclass(eq=False)
class Number:
    """A computation.

    Attributes:
        order: the order in which numbers were made.
        type: of the values.
        sources: on what it depends.
        is_complex: whether it depends on more.
        constant: the signed integer that it always is.
        leaf: the value, of a number that is not computed.
        extended: how it is extended from an integer with fewer bits.
        subject, inside: of a condition, that `subject` is in `inside`.
        compared: the conditions of which this one is the subject.
        members: the values that have this number, up to negation.
        users: ops that depend on the condition without an operand for it.
    """

    order: int
    type: Attribute
    sources: frozenset[Source]
    is_complex: bool = False
    constant: int | None = None
    leaf: SSAValue | None = None
    extended: Extension | None = None
    subject: Number | None = None
    inside: Intervals = ()
    operands: tuple[Number, ...] = ()
    compared: list[Number] = field(default_factory=list["Number"])
    members: list[SSAValue] = field(default_factory=list[SSAValue])
    users: list[Operation] = field(default_factory=list[Operation])

    @property
    def is_decision(self) -> bool:
        """Whether what is known of it may restrict its sources, for other conditions."""
        return any(source.is_shared for source in self.sources)

    @property
    def domain(self) -> Intervals:
        """The values it can have, as far as its type says."""
        if self.extended is None:
            return _all_integers(width_of(self.type))
        source = self.extended.source
        if self.extended.is_signed:
            return source.domain
        return ((0, (1 << width_of(source.type)) - 1),)


class Extension(NamedTuple):
    """That an integer is `source`, or its negation unless `truth`, with more bits."""

    source: Number
    truth: bool
    is_signed: bool


class Condition(NamedTuple):
    """That a number is `truth`."""

    number: Number
    truth: bool

    def negated(self) -> Condition:
        return Condition(self.number, not self.truth)


class Numbering:
    """The numbers of a program. Every op must be added before any condition is asked
    for, so that the members of each number are known."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, Number] = {}
        self._of_value: dict[SSAValue, Condition] = {}
        self._sources: dict[Hashable, Source] = {}
        self._true = self._make(("constant", 1), i1, (), constant=1)

    def add(self, op: Operation) -> None:
        """Take the conditions into account that an op computes."""
        for result in op.results:
            if result.type == i1:
                self.condition(result)

    def condition(self, value: SSAValue) -> Condition:
        """The condition that an i1 stands for."""
        return self._condition_of(value)

    def leaf(self, value: SSAValue) -> Number:
        """The number of an argument of a block."""
        return self._condition_of(value).number

    def compare(
        self, predicate: int, first: SSAValue | int, second: SSAValue | int
    ) -> Condition:
        """What `arith.cmpi` computes; a number has the type of the value, or index."""
        types = [x.type for x in (first, second) if isinstance(x, SSAValue)]
        left, right = (
            self.number(x)
            if isinstance(x, SSAValue)
            else self._constant(x, (*types, IndexType())[0])
            for x in (first, second)
        )
        return self._compare(predicate, left, right)

    def constant_of(self, value: SSAValue) -> int | None:
        """The signed integer that a value always is, if one is known."""
        is_integer = isinstance(value.type, IntegerType | IndexType)
        return self.number(value).constant if is_integer else None

    def depending_on(self, op: Operation, values: Sequence[SSAValue]) -> Number:
        """A condition of an op that depends on some integers."""
        return self._make(op, i1, [self.number(value) for value in values])

    def number(self, value: SSAValue) -> Number:
        """The number of an integer."""
        return self._condition_of(value).number

    # Values.

    def _condition_of(self, value: SSAValue) -> Condition:
        """Number what the value is computed from, operands first, without recursion."""
        stack = [value]
        while stack:
            top = stack[-1]
            if top in self._of_value:
                stack.pop()
                continue
            missing = [v for v in _operands(top) if v not in self._of_value]
            if missing:
                stack += missing
                continue
            stack.pop()
            condition = self._of_value[top] = self._compute(top)
            condition.number.members.append(top)
        return self._of_value[value]

    def _compute(self, value: SSAValue) -> Condition:
        if not isinstance(value, OpResult) or not _is_computed(value.op):
            return Condition(self._leaf(value), True)
        op = value.op
        if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr):
            data = op.value.value.data
            if value.type == i1:
                return Condition(self._true, bool(data))
            return Condition(self._constant(data, value.type), True)
        conditions = [self._of_value[operand] for operand in op.operands]
        if isinstance(op, arith.CmpiOp):
            return self._comparison(op.predicate.value.data, conditions)
        if isinstance(op, arith.CmpfOp):
            return self._float_comparison(op, conditions)
        if isinstance(op, arith.XOrIOp) and value.type == i1:
            return self._equality(conditions, negated=True)
        keys = [(c.number.order, c.truth) for c in conditions]
        if op.name in _COMMUTATIVE:
            keys.sort()
        attributes = tuple(sorted({**op.attributes, **op.properties}.items(), key=_first))
        key = (op.name, attributes, value.index, value.type, *keys)
        numbers = [condition.number for condition in conditions]
        # Each extent of a memref is a leaf of its own, although it has operands.
        leaf = value if isinstance(op, memref.DimOp) else None
        extended = _extension(op, conditions)
        number = self._make(key, value.type, numbers, leaf=leaf, extended=extended)
        return Condition(number, True)

    def _leaf(self, value: SSAValue) -> Number:
        sources = [self._source(value, value)]
        if isinstance(value, OpResult):
            # Loads of the same memory, and calls of the same function, may be equal.
            if isinstance(value.op, memref.LoadOp):
                base = get_view_base(value.op.operands[0])
                sources.append(self._source(base, base))
            elif isinstance(value.op, CallOp):
                sources.append(self._source(value.op.callee, None))
        number = self._make(value, value.type, (), leaf=value)
        self._depends(number, sources)
        return number

    def _source(self, key: Hashable, value: SSAValue | None) -> Source:
        return self._sources.setdefault(key, Source(value))

    def _constant(self, data: int, type_: Attribute) -> Number:
        data = _signed(data, width_of(type_))
        return self._make(("constant", data, type_), type_, (), constant=data)

    def _make(
        self,
        key: Hashable,
        type_: Attribute,
        operands: Sequence[Number],
        *,
        constant: int | None = None,
        leaf: SSAValue | None = None,
        extended: Extension | None = None,
    ) -> Number:
        known = self._numbers.get(key)
        if known is not None:
            return known
        number = self._numbers[key] = Number(
            len(self._numbers),
            type_,
            frozenset(),
            constant=constant,
            leaf=leaf,
            extended=extended,
            operands=tuple(operands),
        )
        number.is_complex = any(operand.is_complex for operand in operands)
        sources = {s: None for operand in operands for s in operand.sources}
        is_atom = not isinstance(key, tuple) or key[0] not in _CONNECTIVES
        self._depends(number, list(sources), is_atom=is_atom)
        return number

    def _depends(
        self, number: Number, sources: Sequence[Source], *, is_atom: bool = True
    ) -> None:
        number.is_complex |= len(sources) > _MOST_SOURCES
        number.sources = frozenset(sources[:_MOST_SOURCES])
        if number.type == i1 and is_atom:
            for source in number.sources:
                source.atoms.append(number)

    # Comparisons.

    def _comparison(self, predicate: int, conditions: Sequence[Condition]) -> Condition:
        first, second = (condition.number for condition in conditions)
        if first.type != i1:
            return self._compare(predicate, first, second)
        if predicate in (EQ, _NE):
            return self._equality(conditions, negated=predicate == _NE)
        key = ("cmpi", predicate, *((c.number.order, c.truth) for c in conditions))
        return Condition(self._make(key, i1, (first, second)), True)

    def _equality(self, conditions: Sequence[Condition], *, negated: bool) -> Condition:
        """That two conditions are equal, or that they are not."""
        first, second = sorted(conditions, key=lambda c: c.number.order)
        truth = (first.truth == second.truth) != negated
        if first.number is second.number:
            return Condition(self._true, truth)
        if first.number is self._true:
            return Condition(second.number, truth)
        key = ("arith.xori", first.number.order, second.number.order)
        return Condition(self._make(key, i1, (first.number, second.number)), truth)

    def _compare(self, predicate: int, first: Number, second: Number) -> Condition:
        predicate, first, second = self._narrowed(predicate, first, second)
        if first.constant is not None:
            predicate, first, second = (
                _SWAPPED.get(predicate, predicate),
                second,
                first,
            )
        if second.constant is not None:
            inside = _satisfying(predicate, second.constant, width_of(first.type))
            return self._membership(first, inside)
        if first is second:
            return Condition(self._true, predicate in (EQ, _SLE, _SGE, _ULE, _UGE))
        if first.order > second.order:
            predicate, first, second = (
                _SWAPPED.get(predicate, predicate),
                second,
                first,
            )
        truth = predicate not in _NEGATED
        predicate = _NEGATED.get(predicate, predicate)
        key = ("cmpi", predicate, first.order, second.order)
        return Condition(self._make(key, i1, (first, second)), truth)

    def _narrowed(
        self, predicate: int, first: Number, second: Number
    ) -> tuple[int, Number, Number]:
        """The comparison of what two numbers are extended from, or one and a constant."""
        if first.constant is not None and second.constant is None:
            swapped = _SWAPPED.get(predicate, predicate)
            predicate, second, first = self._narrowed(swapped, second, first)
            return _SWAPPED.get(predicate, predicate), first, second
        while first.extended is not None:
            source, _, is_signed = first.extended
            if second.constant is not None:
                if not contains(first.domain, second.constant):
                    break
                other = self._constant(second.constant, source.type)
            elif second.extended is None or second.extended.is_signed != is_signed:
                break
            else:
                other = second.extended.source
            if other.type != source.type or source.type == i1:
                break
            if not is_signed:
                predicate = _UNSIGNED.get(predicate, predicate)
            first, second = source, other
        return predicate, first, second

    def _membership(self, subject: Number, inside: Intervals) -> Condition:
        """That a number is in a set; of the set and its complement the one is meant that
        excludes the least integer."""
        domain = subject.domain
        inside = intersection(domain, inside)
        if subject.constant is not None:
            return Condition(self._true, contains(inside, subject.constant))
        if inside in ((), domain):
            return Condition(self._true, bool(inside))
        truth = not contains(inside, domain[0][0])
        if not truth:
            inside = difference(domain, inside)
        if subject.extended is not None and subject.extended.source.type == i1:
            return self._of_extended(subject.extended, truth=truth)
        key = ("in", subject.order, inside)
        number = self._make(key, i1, (subject,))
        if number.subject is None:
            number.subject, number.inside = subject, inside
            subject.compared.append(number)
        return Condition(number, truth)

    def _of_extended(self, extended: Extension, *, truth: bool) -> Condition:
        """That an extended i1 is the greater of its two values, or the lesser: true, but
        false if it is sign-extended."""
        return Condition(extended.source, (truth == extended.truth) != extended.is_signed)

    def _float_comparison(
        self, op: arith.CmpfOp, conditions: Sequence[Condition]
    ) -> Condition:
        first, second = (condition.number for condition in conditions)
        predicate = op.predicate.value.data
        if first.order > second.order:
            predicate = _SWAPPED_FLOAT.get(predicate, predicate)
            first, second = second, first
        truth = predicate not in _NEGATED_FLOAT
        predicate = _NEGATED_FLOAT.get(predicate, predicate)
        key = ("cmpf", predicate, first.order, second.order)
        return Condition(self._make(key, i1, (first, second)), truth)


def _first(pair: tuple[str, Attribute]) -> str:
    return pair[0]


def _operands(value: SSAValue) -> Sequence[SSAValue]:
    if isinstance(value, OpResult) and _is_computed(value.op):
        return value.op.operands
    return ()


def _is_computed(op: Operation) -> bool:
    """Whether equal operands mean equal results."""
    return (
        not op.regions
        and not isinstance(op, UnregisteredOp)
        and not op.name.startswith("ub.")
        and (op.name.startswith(_DETERMINISTIC) or is_side_effect_free(op))
    )


def _extension(op: Operation, operands: Sequence[Condition]) -> Extension | None:
    if op.name not in (*_SIGN_EXTENSIONS, *_ZERO_EXTENSIONS):
        return None
    source, truth = operands[0]
    types = source.type, op.results[0].type
    if not all(isinstance(type_, IntegerType | IndexType) for type_ in types):
        return None
    if width_of(types[0]) > width_of(types[1]):
        return None
    return Extension(source, truth, op.name in _SIGN_EXTENSIONS)


# Sets of integers.


def width_of(type_: Attribute) -> int:
    """The number of bits of an integer; an index has 64."""
    return type_.width.data if type(type_) is IntegerType else 64


def _signed(data: int, width: int) -> int:
    data &= (1 << width) - 1
    return data - (1 << width) if width and data >> (width - 1) else data


def _all_integers(width: int) -> Intervals:
    half = 1 << max(width - 1, 0)
    return ((-half, half - 1),)


def _satisfying(predicate: int, constant: int, width: int) -> Intervals:
    """The integers x for which `cmpi predicate, x, constant` is true."""
    everything = _all_integers(width)
    if predicate in _NEGATED:
        return difference(everything, _satisfying(_NEGATED[predicate], constant, width))
    least, greatest = everything[0]
    if predicate == EQ:
        return ((constant, constant),)
    if predicate == SLT:
        return _nonempty((least, constant - 1))
    if predicate == _SGT:
        return _nonempty((constant + 1, greatest))
    # Unsigned: the negative integers come after the others.
    if predicate == ULT:
        if constant >= 0:
            return _nonempty((0, constant - 1))
        return _nonempty((least, constant - 1), (0, greatest))
    if constant >= 0:
        return _nonempty((least, -1), (constant + 1, greatest))
    return _nonempty((constant + 1, -1))


def _nonempty(*intervals: tuple[int, int]) -> Intervals:
    return tuple((low, high) for low, high in intervals if low <= high)


def contains(intervals: Intervals, integer: int) -> bool:
    return any(low <= integer <= high for low, high in intervals)


def intersection(first: Intervals, second: Intervals) -> Intervals:
    return _nonempty(*((max(a, c), min(b, d)) for a, b in first for c, d in second))


def difference(first: Intervals, second: Intervals) -> Intervals:
    for low, high in second:
        first = _nonempty(
            *(
                part
                for a, b in first
                for part in ((a, min(b, low - 1)), (max(a, high + 1), b))
            )
        )
    return first


# Which conditions may be either.


def is_independent(
    number: Number,
    known: Iterable[Number],
    constrained: frozenset[Source],
    is_free: Callable[[SSAValue], bool],
) -> bool:
    """Whether a condition may be true and may be false, whatever is the case with those
    that are known and with the sources that earlier decisions have restricted."""
    if number.is_complex or number.sources & constrained:
        return False
    if not all(_is_free(part, is_free) for part in _parts(number)):
        return False
    return all(
        other is number
        or not other.sources & number.sources
        or (other.subject is not None and other.subject is number.subject)
        for other in known
    )


def _parts(number: Number) -> Sequence[Number]:
    return (
        (number.subject,) if number.subject is not None else number.operands or (number,)
    )


def _is_free(number: Number, is_free: Callable[[SSAValue], bool]) -> bool:
    while number.extended is not None:
        number = number.extended.source
    if number.leaf is None:
        return not number.sources
    return is_free(number.leaf)


def blocks_of(number: Number) -> set[Block]:
    """The blocks of the values that it depends on: each time control comes to one of
    them, the condition is another."""
    return {
        value.owner if isinstance(value.owner, Block) else cast(Block, value.owner.parent)
        for source in number.sources
        if (value := source.value) is not None
    }
