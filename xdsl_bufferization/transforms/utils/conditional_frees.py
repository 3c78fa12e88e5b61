"""Deallocations that a condition keeps from freeing what a function was given.

    cf.br ^loop(%x, %false)                     // %x is an argument of the function
    ^loop(%old: memref<8xf32>, %own: i1):
      %new = memref.alloc()
      ...
      scf.if %own { memref.dealloc %old }       // frees what %new was, never %x
      cf.cond_br %c, ^loop(%new, %true), ^exit

A buffer and the conditions under which it is freed are followed backwards, together along
each edge of control flow. If one of the conditions is false wherever the buffer is an
argument of the function, the deallocation frees only allocations.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Sequence,
    Set,
)
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.analysis.deallocation.buffer_origin import is_function_argument
from xdsl_bufferization.analysis.facts.forwarded_values import ForwardedValues
from xdsl_bufferization.dialects import memref, scf
from xdsl_bufferization.dialects.booleans import get_constant_bool, get_negated
from xdsl_bufferization.interfaces.memory_effects import is_allocated
from xdsl_bufferization.interfaces.view_like import get_view_base

_EQUAL, _UNEQUAL = map(arith.CMPI_COMPARISON_OPERATIONS.index, ("eq", "ne"))

CASES_OF_FUNCTION, CASES_OF_FREE = 1_000, 64
"""So many cases are followed in a function, and as many more for each deallocation. If
there are others, the deallocations left may free anything."""

MOST_CASES, MOST_STEPS = 256, 4_096
"""A condition with more cases, or that takes more steps to take apart, is left whole."""

_Fact: TypeAlias = tuple[SSAValue, bool]
"""An i1 value, and what it is."""

_Facts: TypeAlias = tuple[_Fact, ...]


@dataclass(frozen=True)
class _Case:
    """A buffer that may be freed, and what is known then.

    Attributes:
        others: arguments of the function that the buffer is not.
    """

    buffer: SSAValue
    facts: _Facts
    others: frozenset[SSAValue] = frozenset()


class ConditionalFrees:
    """What deallocations free, in one function as long as it does not change.

    Args:
        frees: the deallocations that will be asked about.
        is_expected: whether they may free an allocation.
    """

    def __init__(
        self, frees: Collection[Operation], is_expected: Callable[[SSAValue], bool]
    ) -> None:
        self._forwarded = ForwardedValues()
        self._is_expected = is_expected
        self._left = CASES_OF_FUNCTION + CASES_OF_FREE * len(frees)
        self._harmless: set[_Case] = set()

    def frees_only_expected(self, free: Operation) -> bool:
        """Return whether a memref.dealloc frees nothing but expected allocations."""
        work = [*_cases(free.operands[0], _facts_around(free), frozenset())]
        seen = set(work)
        for case in work:
            if case in self._harmless:
                continue
            self._left -= 1
            case = _with_others(case)
            buffer = case.buffer
            if is_allocated(buffer):
                if self._is_expected(buffer):
                    continue
                return False
            # To free a global is wrong for any condition.
            if buffer in case.others or isinstance(buffer.owner, memref.GetGlobalOp):
                continue
            earlier = self._before(case)
            if earlier is None or self._left < 0:
                return False
            new = [case for case in dict.fromkeys(earlier) if case not in seen]
            seen.update(new)
            work += new
        self._harmless |= seen
        return True

    def _before(self, case: _Case) -> Sequence[_Case] | None:
        """Return what a buffer and values that are known may have been before; None if
        there is nothing to follow."""
        buffer, facts, others = case.buffer, case.facts, case.others
        if isinstance(buffer.owner, arith.SelectOp):
            chosen, one, other = buffer.owner.operands
            return [
                *_cases(one, [*facts, (chosen, True)], others),
                *_cases(other, [*facts, (chosen, False)], others),
            ]
        followed = [value for value, _ in facts]
        if not is_function_argument(buffer):
            # An argument stays what it is: only the conditions have been others before.
            followed.insert(0, buffer)
        for value in followed:
            owner = value.owner
            if isinstance(owner, scf.IfOp):
                return [*_before_branch(owner, case)]
            sources = self._forwarded.sources(value)
            if sources:
                return [
                    before
                    for number in range(len(sources))
                    for before in self._before_edge(number, owner, case)
                ]
        return None

    def _before_edge(
        self, number: int, owner: Operation | Block, case: _Case
    ) -> Sequence[_Case]:
        """Return what a buffer and values have been before an edge, given by its number
        and by what it leads to. What it does not forward may be of another iteration."""
        before = self._along(number, owner, case.buffer)
        moved = [
            (self._along(number, owner, value), truth) for value, truth in case.facts
        ]
        known = [(value, truth) for value, truth in moved if value is not None]
        return _cases(case.buffer if before is None else before, known, case.others)

    def _along(
        self, number: int, owner: Operation | Block, value: SSAValue
    ) -> SSAValue | None:
        """Return what an edge forwards to a value; None if it is defined elsewhere."""
        if value.owner is not owner:
            return None
        sources = self._forwarded.sources(value)
        return sources[number] if number < len(sources) else None


def _with_others(case: _Case) -> _Case:
    """Return a case with what its facts say about addresses: which arguments the buffer
    is not, and a name of it about which more is known."""
    buffer, others = case.buffer, set(case.others)
    owners = {value.owner for value, _ in case.facts}
    for value, truth in case.facts:
        names, is_equal = _compared_buffers(value, truth)
        if case.buffer not in names:
            continue
        (other,) = names - {case.buffer}
        if not is_equal and is_function_argument(other):
            others.add(other)
        if is_equal and (
            is_allocated(other) or (other.owner in owners and buffer.owner not in owners)
        ):
            buffer = other
    return _Case(buffer, case.facts, frozenset(others))


def _compared_buffers(value: SSAValue, truth: bool) -> tuple[Set[SSAValue], bool]:
    """Return two memrefs of which a value says whether their addresses are equal; none
    if it says something else."""
    op = value.owner
    if not isinstance(op, arith.CmpiOp):
        return frozenset(), False
    names = {
        get_view_base(operand.owner.operands[0])
        for operand in op.operands
        if isinstance(operand.owner, memref.ExtractAlignedPointerAsIndexOp)
    }
    predicate = op.predicate.value.data
    if len(names) != 2 or predicate not in (_EQUAL, _UNEQUAL):
        return frozenset(), False
    return names, truth is (predicate == _EQUAL)


def _before_branch(branch: scf.IfOp, case: _Case) -> Iterator[_Case]:
    """Yield what a buffer and values have been in the regions of an scf.if, which defines
    at least one of them."""
    for region in (branch.true_region, branch.false_region):
        end = region.block.last_op
        assert end is not None
        yielded: dict[SSAValue, SSAValue] = dict(
            zip(branch.results, end.operands, strict=True)
        )
        known = [(yielded.get(value, value), truth) for value, truth in case.facts]
        known.append((branch.cond, region is branch.true_region))
        buffer = yielded.get(case.buffer, case.buffer)
        yield from _cases(buffer, known, case.others)


def _facts_around(op: Operation) -> Iterator[_Fact]:
    """Yield the conditions of all scf.if that an op is in."""
    around = op.parent_op()
    while around is not None:
        if isinstance(around, scf.IfOp):
            yield around.cond, op.parent_region() is around.true_region
        op, around = around, around.parent_op()


def _cases(
    buffer: SSAValue, facts: Iterable[_Fact], others: frozenset[SSAValue]
) -> Sequence[_Case]:
    """Return the cases in which all facts hold: none if one contradicts another."""
    base = get_view_base(buffer)
    given = tuple(facts)
    found: list[_Case] = []
    # What is known in a case, and facts of it that have not been taken apart.
    work: list[tuple[dict[Hashable, tuple[_Fact, bool]], list[_Fact]]] = [
        ({}, list(given))
    ]
    steps = 0
    while work:
        known, unknown = work.pop()
        while unknown:
            steps += 1
            if steps > MOST_STEPS or len(work) > MOST_CASES:
                return [_Case(base, given, others)]
            value, truth = fact = unknown.pop()
            constant = get_constant_bool(value)
            if constant is not None:
                if constant is truth:
                    continue
                break
            parts = _parts_of(value, truth)
            if parts is None:
                key, holds = _compared(value, truth)
                if known.setdefault(key, (fact, holds))[1] is not holds:
                    break
                continue
            first, *alternatives = parts
            work += ((dict(known), [*unknown, *each]) for each in alternatives)
            unknown += first
        else:
            found.append(_Case(base, tuple(f for f, _ in known.values()), others))
    return found


def _parts_of(value: SSAValue, truth: bool) -> Sequence[Sequence[_Fact]] | None:
    """Return lists of facts of which one holds if a value is true, or false; None if
    the value has no parts."""
    op = value.owner
    negated = get_negated(value)
    if negated is not None:
        return [[(negated, not truth)]]
    if isinstance(op, arith.AndIOp | arith.OrIOp):
        parts = [(operand, truth) for operand in op.operands]
        is_all = isinstance(op, arith.AndIOp) is truth
        return [parts] if is_all else [[part] for part in parts]
    if isinstance(op, arith.SelectOp):
        chosen, one, other = op.operands
        return [[(chosen, True), (one, truth)], [(chosen, False), (other, truth)]]
    return None


def _compared(value: SSAValue, truth: bool) -> tuple[Hashable, bool]:
    """Return what a value is about, the same for a comparison and its opposite, and
    whether it says so."""
    op = value.owner
    if isinstance(op, arith.CmpiOp):
        predicate = op.predicate.value.data
        if predicate in (_EQUAL, _UNEQUAL):
            return frozenset(op.operands), truth is (predicate == _EQUAL)
    return value, truth
