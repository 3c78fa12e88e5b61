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

from collections.abc import Callable, Iterable, Iterator

from xdsl.dialects import arith
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.analysis.deallocation.buffer_origin import is_function_argument
from xdsl_bufferization.analysis.facts.forwarded_values import ForwardedValues
from xdsl_bufferization.dialects import memref, scf
from xdsl_bufferization.dialects.booleans import get_constant_bool
from xdsl_bufferization.interfaces.memory_effects import is_allocated
from xdsl_bufferization.interfaces.view_like import get_view_base

_EQUAL = 0
"""The predicate of arith.cmpi."""

MOST_CASES = 256
"""If there are more cases, the deallocation may free anything."""

MOST_STEPS = 4_096
"""A condition that takes more steps to take apart is left whole."""

_Case = tuple[SSAValue, tuple[SSAValue, ...]]
"""A buffer that may be freed, and i1 values that are all true then."""


class ConditionalFrees:
    """What deallocations free, in one function as long as it does not change."""

    def __init__(self) -> None:
        self._forwarded = ForwardedValues()

    def frees_only(
        self, free: Operation, is_expected: Callable[[SSAValue], bool]
    ) -> bool:
        """Return whether a memref.dealloc frees nothing but some allocations.

        Args:
            is_expected: whether an allocation is one of them.
        """
        work = _cases(free.operands[0], _conditions_around(free))
        seen = set(work)
        for buffer, conditions in work:
            buffer = _same_as(buffer, conditions)
            if is_allocated(buffer):
                if is_expected(buffer):
                    continue
                return False
            if isinstance(buffer.owner, memref.GetGlobalOp):
                # Wrong for any condition.
                continue
            earlier = self._before(buffer, conditions)
            if earlier is None or len(seen) > MOST_CASES:
                return False
            new = [case for case in dict.fromkeys(earlier) if case not in seen]
            seen.update(new)
            work += new
        return True

    def _before(
        self, buffer: SSAValue, conditions: tuple[SSAValue, ...]
    ) -> list[_Case] | None:
        """Return what a buffer and conditions that are true may have been before; None if
        that is not known."""
        if isinstance(buffer.owner, arith.SelectOp):
            chosen, one, other = buffer.owner.operands
            return [*_cases(one, [*conditions, chosen]), *_cases(other, conditions)]
        followed = [buffer, *conditions]
        if is_function_argument(buffer):
            # It stays what it is: only the conditions have been others before.
            followed = [*conditions]
        for value in followed:
            if isinstance(value.owner, scf.IfOp):
                return [*_before_branch(value.owner, buffer, conditions)]
            sources = self._forwarded.sources(value)
            if not sources:
                continue
            found: list[_Case] = []
            for number in range(len(sources)):
                before = self._along(number, value.owner, buffer)
                moved = (self._along(number, value.owner, each) for each in conditions)
                # What is not forwarded may be of another iteration.
                known = [each for each in moved if each is not None]
                found += _cases(buffer if before is None else before, known)
            return found
        return None

    def _along(
        self, number: int, owner: Operation | Block, value: SSAValue
    ) -> SSAValue | None:
        """Return what an edge, given by its number, forwards to a value that an op or
        block defines; None if it is defined elsewhere."""
        if value.owner is not owner:
            return None
        sources = self._forwarded.sources(value)
        return sources[number] if number < len(sources) else None


def _same_as(buffer: SSAValue, conditions: tuple[SSAValue, ...]) -> SSAValue:
    """Return a name of a buffer about which conditions say more, if one of them is that
    the addresses are equal."""
    if any(each.owner is buffer.owner for each in conditions):
        return buffer
    owners = {each.owner for each in conditions}
    for condition in conditions:
        op = condition.owner
        if not isinstance(op, arith.CmpiOp) or op.predicate.value.data != _EQUAL:
            continue
        pointers = [operand.owner for operand in op.operands]
        names = [
            get_view_base(pointer.operands[0])
            for pointer in pointers
            if isinstance(pointer, memref.ExtractAlignedPointerAsIndexOp)
        ]
        if len(names) == 2 and buffer in names:
            one, other = names
            found = other if buffer is one else one
            if found.owner in owners:
                return found
    return buffer


def _before_branch(
    branch: scf.IfOp, buffer: SSAValue, conditions: tuple[SSAValue, ...]
) -> Iterator[_Case]:
    """Yield what a buffer and conditions have been in the regions of an scf.if, which
    defines at least one of them."""
    for region in (branch.true_region, branch.false_region):
        is_true = region is branch.true_region
        if not is_true and branch.cond in conditions:
            continue
        end = region.block.last_op
        assert end is not None
        yielded: dict[SSAValue, SSAValue] = dict(
            zip(branch.results, end.operands, strict=True)
        )
        known: list[SSAValue] = [yielded.get(each, each) for each in conditions]
        if is_true:
            known.append(branch.cond)
        yield from _cases(yielded.get(buffer, buffer), known)


def _conditions_around(op: Operation) -> Iterator[SSAValue]:
    """Yield the conditions of all scf.if whose first region an op is in."""
    around = op.parent_op()
    while around is not None:
        if isinstance(around, scf.IfOp) and op.parent_region() is around.true_region:
            yield around.cond
        op, around = around, around.parent_op()


def _cases(buffer: SSAValue, conditions: Iterable[SSAValue]) -> list[_Case]:
    """Return the cases in which all conditions are true: none if one is false."""
    base = get_view_base(buffer)
    given = tuple(conditions)
    found: list[_Case] = []
    # What is true in a case, and conditions of it that have not been taken apart.
    work: list[tuple[dict[SSAValue, None], list[SSAValue]]] = [({}, list(given))]
    steps = 0
    while work:
        known, unknown = work.pop()
        while unknown:
            steps += 1
            if steps > MOST_STEPS or len(work) > MOST_CASES:
                return [(base, given)]
            condition = unknown.pop()
            constant = get_constant_bool(condition)
            op = condition.owner
            if constant is False:
                break
            if isinstance(op, arith.AndIOp):
                unknown += op.operands
            elif isinstance(op, arith.OrIOp):
                work.append((dict(known), [*unknown, op.lhs]))
                unknown.append(op.rhs)
            elif isinstance(op, arith.SelectOp):
                chosen, one, other = op.operands
                work.append((dict(known), [*unknown, chosen, one]))
                unknown.append(other)
            elif constant is None:
                known[condition] = None
        else:
            found.append((base, tuple(known)))
    return found
