"""Equal computations are one condition: value numbering for the deallocation checker.

A *number* stands for all values with equal computations from the same *sources*, the
values whose computation is opaque (arguments, loads, results of calls):

    %d = arith.cmpi eq, %n, %c0       // the condition "%n is in [0, 0]" is true
    %e = arith.cmpi ne, %n, %c0       // the same condition is false
    %f = arith.cmpi slt, %n, %c0      // "%n is in [-2^63, -1]": excluded if %d holds

A value that a loop or branch forwards unchanged, or that is the same on every edge,
keeps its initial number.

A *condition* is a number and the boolean that it has when the condition is true, so
that a comparison and its negation share their number. A comparison with a constant is a
set of integers: one known comparison decides others.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    IntegerType,
    UnregisteredOp,
    i1,
)
from xdsl.dialects.func import CallOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.analysis.facts.block_graph import block_of
from xdsl_bufferization.analysis.facts.forwarded_values import ForwardedValues
from xdsl_bufferization.checkers.lifetimes.intervals import (
    EQ,
    NE,
    NEGATED,
    SGE,
    SLE,
    SWAPPED,
    UGE,
    ULE,
    UNSIGNED,
    Intervals,
    contains,
    difference,
    intersection,
    satisfying,
    signed,
    width_of,
)
from xdsl_bufferization.checkers.lifetimes.number import (
    Condition,
    Extension,
    Number,
    Source,
)
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.view_like import get_view_base

_MOST_SOURCES = 8
_MOST_FORWARDED = 32
"""Values that are looked at to find what is forwarded to one of them."""
_COMMUTATIVE = frozenset(
    f"arith.{name}i" for name in ("add", "mul", "and", "or", "xor", "maxs", "mins")
)
_SIGN_EXTENSIONS = ("arith.extsi", "arith.index_cast")
_ZERO_EXTENSIONS = ("arith.extui", "arith.index_castui")
_DETERMINISTIC = ("arith.", "complex.", "index.", "math.")
"""Dialects in which an op without regions may trap, but has no other effect."""
_NEGATED_FLOAT = {15: 0, 13: 1, 12: 2, 11: 3, 10: 4, 9: 5, 8: 6, 14: 7}
_SWAPPED_FLOAT = {2: 4, 3: 5, 4: 2, 5: 3, 9: 11, 10: 12, 11: 9, 12: 10}


class Numbering:
    """The numbers of a program. Every op must be added before any condition is asked
    for, so that the members of each number are known."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, Number] = {}
        self._of_value: dict[SSAValue, Condition] = {}
        self._forwarded = ForwardedValues()
        self._origins: dict[SSAValue, SSAValue | None] = {}
        """What integers always are that control forwards, if it is known."""
        self._true = self._make(("constant", 1), i1, constant=1)

    def add(self, op: Operation) -> None:
        """Take the conditions into account that an op computes."""
        for result in op.results:
            if result.type == i1:
                self.condition(result)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    if argument.type == i1:
                        self.condition(argument)

    def condition(self, value: SSAValue) -> Condition:
        """Return the condition of an i1, or the number of another value. The operands
        of its computation are numbered first, without recursion."""
        known = self._of_value.get(value)
        if known is not None:
            return known
        stack = [value]
        entered: set[SSAValue] = set()
        while stack:
            top = stack[-1]
            if top in self._of_value:
                stack.pop()
                continue
            missing = [v for v in self._operands(top) if v not in self._of_value]
            if missing:
                if not entered.isdisjoint(missing):
                    # In blocks that control never comes to, a value may be computed from
                    # what forwards it.
                    self._origins.update(dict.fromkeys(entered & self._origins.keys()))
                entered.add(top)
                stack += missing
                continue
            stack.pop()
            condition = self._of_value[top] = self._compute(top)
            condition.number.members.append(top)
        return self._of_value[value]

    def number(self, value: SSAValue) -> Number:
        return self.condition(value).number

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
        return self._make(op, i1, [self.condition(value) for value in values])

    # Values.

    def _compute(self, value: SSAValue) -> Condition:
        if not isinstance(value, OpResult) or not _is_computed(value.op):
            return self._unchanged(value) or Condition(self._leaf(value), True)
        op = value.op
        if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr):
            data = op.value.value.data
            if value.type == i1:
                return Condition(self._true, bool(data))
            return Condition(self._constant(data, value.type), True)
        operands = [self._of_value[operand] for operand in op.operands]
        if isinstance(op, arith.CmpiOp):
            return self._comparison(op.predicate.value.data, operands)
        if isinstance(op, arith.CmpfOp):
            return self._float_comparison(op, operands)
        if isinstance(op, arith.XOrIOp) and value.type == i1:
            return self._equality(operands, negated=True)
        keys = [(c.number.order, c.truth) for c in operands]
        if op.name in _COMMUTATIVE:
            keys.sort()
        attributes = tuple(sorted({**op.attributes, **op.properties}.items(), key=_first))
        key = (op.name, attributes, value.index, value.type, *keys)
        number = self._make(key, value.type, operands, name=op.name)
        number.extended = _extension(op, operands)
        constants = [n.constant for n, _ in operands if n.constant is not None]
        if operands and len(constants) == len(operands) and value.type != i1:
            result = number.compute(constants)
            if result is not None:
                return Condition(self._constant(result, value.type), True)
        if isinstance(op, memref.DimOp):
            # Each extent of a memref is a leaf of its own, although it has operands.
            number.leaf = value
        return Condition(number, True)

    def _operands(self, value: SSAValue) -> Sequence[SSAValue]:
        """Return the values that must be numbered before a value."""
        if isinstance(value, OpResult) and _is_computed(value.op):
            return value.op.operands
        if not isinstance(value.type, IntegerType | IndexType):
            return ()
        if value not in self._origins:
            self._origins[value] = self._find_origin(value)
        origin = self._origins[value]
        return () if origin is None else (origin,)

    def _find_origin(self, value: SSAValue) -> SSAValue | None:
        """Return the single source of a forwarded value, from outside of a cycle that
        it may be in; None if there is no single visible one."""
        cycle, waiting = {value}, [value]
        found: SSAValue | None = None
        while waiting:
            current = waiting.pop()
            sources = self._forwarded.sources(current)
            if not sources:
                if current is value or not (found is None or _are_equal(found, current)):
                    return None
                found = current
            for source in sources:
                if source not in cycle:
                    cycle.add(source)
                    waiting.append(source)
            if len(cycle) > _MOST_FORWARDED:
                return None
        return found if found is not None and _is_around(found, value) else None

    def _unchanged(self, value: SSAValue) -> Condition | None:
        """Return the source of a value that is only forwarded."""
        origin = self._origins.get(value)
        return None if origin is None else self._of_value[origin]

    def _leaf(self, value: SSAValue) -> Number:
        number = self._make(value, value.type)
        number.leaf = value
        sources: list[Source] = [value]
        if isinstance(value, OpResult):
            # Loads of the same memory, and calls of the same function, may be equal.
            if isinstance(value.op, memref.LoadOp):
                sources.append(get_view_base(value.op.operands[0]))
            elif isinstance(value.op, CallOp):
                sources.append(value.op.callee)
        number.sources = frozenset(sources)
        number.homes = frozenset(
            block_of(source) for source in sources if isinstance(source, SSAValue)
        )
        return number

    def _constant(self, data: int, type_: Attribute) -> Number:
        data = signed(data, width_of(type_))
        return self._make(("constant", data, type_), type_, constant=data)

    def _make(
        self,
        key: Hashable,
        type_: Attribute,
        operands: Sequence[Condition] = (),
        *,
        name: str | int = "",
        constant: int | None = None,
    ) -> Number:
        known = self._numbers.get(key)
        if known is not None:
            return known
        number = self._numbers[key] = Number(len(self._numbers), type_, name, operands)
        number.constant = constant
        parts = [operand.number for operand in operands]
        sources = {source: None for part in parts for source in part.sources}
        number.is_complex = len(sources) > _MOST_SOURCES or any(
            part.is_complex for part in parts
        )
        number.sources = frozenset(list(sources)[:_MOST_SOURCES])
        number.homes = frozenset[Block]().union(*(part.homes for part in parts))
        return number

    # Comparisons.

    def _comparison(self, predicate: int, operands: Sequence[Condition]) -> Condition:
        first, second = operands
        if first.number.type != i1:
            return self._compare(predicate, first.number, second.number)
        if predicate in (EQ, NE):
            return self._equality(operands, negated=predicate == NE)
        key = ("cmpi", predicate, *((c.number.order, c.truth) for c in operands))
        return Condition(self._make(key, i1, operands, name=predicate), True)

    def _equality(self, operands: Sequence[Condition], *, negated: bool) -> Condition:
        """That two conditions are equal, or that they are not."""
        first, second = sorted(operands, key=lambda c: c.number.order)
        truth = (first.truth == second.truth) != negated
        if first.number is second.number:
            return Condition(self._true, truth)
        if first.number is self._true:
            return Condition(second.number, truth)
        key = ("equal", first.number.order, second.number.order)
        parts = Condition(first.number, True), Condition(second.number, True)
        return Condition(self._make(key, i1, parts, name=EQ), truth)

    def _compare(self, predicate: int, first: Number, second: Number) -> Condition:
        predicate, first, second = self._narrowed(predicate, first, second)
        if first.constant is not None or (
            second.constant is None and first.order > second.order
        ):
            predicate = SWAPPED.get(predicate, predicate)
            first, second = second, first
        if second.constant is not None:
            inside = satisfying(predicate, second.constant, width_of(first.type))
            return self._membership(first, inside)
        if first is second:
            return Condition(self._true, predicate in (EQ, SLE, SGE, ULE, UGE))
        truth = predicate not in NEGATED
        predicate = NEGATED.get(predicate, predicate)
        key = ("cmpi", predicate, first.order, second.order)
        parts = Condition(first, True), Condition(second, True)
        return Condition(self._make(key, i1, parts, name=predicate), truth)

    def _narrowed(
        self, predicate: int, first: Number, second: Number
    ) -> tuple[int, Number, Number]:
        """The comparison of what two numbers are extended from, or one and a constant."""
        if first.constant is not None and second.constant is None:
            swapped = SWAPPED.get(predicate, predicate)
            predicate, second, first = self._narrowed(swapped, second, first)
            return SWAPPED.get(predicate, predicate), first, second
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
                predicate = UNSIGNED.get(predicate, predicate)
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
            # An extended i1 is the greater of its two values, or the lesser: true, but
            # false if it is sign-extended.
            source, extended_truth, is_signed = subject.extended
            return Condition(source, (truth == extended_truth) != is_signed)
        number = self._make(("in", subject.order, inside), i1, [Condition(subject, True)])
        if number.subject is None:
            number.subject, number.inside = subject, inside
            subject.compared.append(number)
        return Condition(number, truth)

    def _float_comparison(
        self, op: arith.CmpfOp, operands: Sequence[Condition]
    ) -> Condition:
        first, second = operands
        predicate = op.predicate.value.data
        if first.number.order > second.number.order:
            predicate = _SWAPPED_FLOAT.get(predicate, predicate)
            first, second = second, first
        truth = predicate not in _NEGATED_FLOAT
        predicate = _NEGATED_FLOAT.get(predicate, predicate)
        key = ("cmpf", predicate, first.number.order, second.number.order)
        return Condition(self._make(key, i1, (first, second), name=op.name), truth)


def _first(pair: tuple[str, Attribute]) -> str:
    return pair[0]


def _are_equal(first: SSAValue, second: SSAValue) -> bool:
    """Return whether two values are one, or equal constants."""
    if first is second:
        return True
    one, other = first.owner, second.owner
    return (
        isinstance(one, arith.ConstantOp)
        and isinstance(other, arith.ConstantOp)
        and one.value == other.value
    )


def _is_around(outer: SSAValue, value: SSAValue) -> bool:
    """Return whether a value is defined in the region of another one, or around it."""
    region = block_of(outer).parent
    block: Block | None = block_of(value)
    while block is not None and block.parent is not region:
        around = block.parent_op()
        block = None if around is None else around.parent
    return block is not None


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
