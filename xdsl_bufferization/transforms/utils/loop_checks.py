"""Checks of accesses in loops, made once before the loops.

An index that is linear in the induction variables of the loops around an access is in
bounds in all iterations if it is in bounds in the first and the last one. If a nest of
counted loops definitely executes an access in each of its iterations, comparisons
before the nest are therefore sufficient.

Index arithmetic wraps around. Let the index go from `p` to `q >= p`, and the induction
variables by the distances `d1, d2, ...` from their first value to their last one. If
`q` has wrapped around, indices between two ends that are in bounds may be out of
bounds. It has not if each distance is less than the size, which is the case if all
accesses are in bounds: a size is less than 2^48, factors are at most 2^10, and loops at
most four.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import IndexType, StringAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineExpr

from xdsl_bufferization.analysis.facts.value_bounds import (
    Atom,
    Dimension,
    Linear,
    Quotient,
    linear,
)
from xdsl_bufferization.conversion.utils.diagnostics import FAILED_CHECK
from xdsl_bufferization.interfaces.loop_like import COUNTED_LOOP, LoopRange
from xdsl_bufferization.interfaces.runtime_verifiable import (
    RUNTIME_VERIFIABLE,
    Affine,
    EndsInType,
    InBounds,
    SizeOf,
    Term,
)
from xdsl_bufferization.records import record
from xdsl_bufferization.transforms.utils.runtime_requirements import (
    constant_term,
    linear_term,
)

_MAX_LOOPS = 4
_MAX_FACTOR = 1 << 10
_MAX_SIZE = 1 << 48
_GOES_ON = frozenset(
    {
        *("affine", "arith", "bufferization", "complex", "index", "linalg", "math"),
        *("memref", "scf", "tensor", "vector"),
    }
)
"""Dialects whose ops neither end the program nor call anything outside of it."""


@record
class _Loop:
    variable: SSAValue
    lower: Linear
    upper: Linear
    step: int

    @property
    def surely_runs(self) -> bool:
        lower, upper = self.lower.constant_value(), self.upper.constant_value()
        return lower is not None and upper is not None and lower < upper

    @property
    def distance(self) -> Linear:
        """From the first value of the induction variable to the last one."""
        return (self.upper - self.lower - Linear(1)).divided(self.step).scaled(self.step)


class LoopChecks:
    """Finds loops before which accesses can be checked."""

    def __init__(self) -> None:
        self._may_end: dict[Operation, bool] = {}

    def move_out(
        self, op: Operation, requirement: InBounds
    ) -> tuple[Operation, Sequence[InBounds]] | None:
        """Return what, required before the outermost loop possible, implies what an op in
        it requires, and fails only if some iteration would; and that loop."""
        index, size = linear_term(requirement.index), linear_term(requirement.size)
        if (
            index is None
            or size is None
            or not 0 <= (size.constant_value() or 0) < _MAX_SIZE
            or any(constant_term(t) in (None, 0) for t in requirement.unless_empty)
        ):
            return None
        found: tuple[Operation, list[_Loop]] | None = None
        loops: list[_Loop] = []
        inner = op
        while (outer := inner.parent_op()) is not None:
            ranges = self._read(outer, inner)
            if ranges is None or len(loops) + len(ranges) > _MAX_LOOPS:
                break
            loops += ranges
            if _is_known_before(outer, loops, index, size):
                found = outer, list(loops)
            inner = outer
        if found is None:
            return None
        outermost, loops = found
        requirements = _at_the_ends(loops, index, size, requirement.reason)
        return None if requirements is None else (outermost, requirements)

    def _read(self, op: Operation, inner: Operation) -> list[_Loop] | None:
        """The ranges of a loop that executes an op in it in each of its iterations."""
        model, block = COUNTED_LOOP.lookup(op), inner.parent_block()
        if model is None or block is None or self._ends(op):
            return None
        loops: list[_Loop] = []
        for variable, range_ in zip(block.args, model.get_ranges(op), strict=False):
            loop = _read_range(variable, range_)
            if loop is None or not (loop.step == 1 or _is_checked_to_end(op)):
                return None
            loops.append(loop)
        return loops

    def _ends(self, op: Operation) -> bool:
        """Whether an op may end the program, or call what may: then it need not reach the
        accesses after it."""
        known = self._may_end.get(op)
        if known is None:
            goes_on = op.name.partition(".")[0] in _GOES_ON or _is_check(op)
            known = self._may_end[op] = not goes_on or any(
                self._ends(inner)
                for region in op.regions
                for block in region.blocks
                for inner in block.ops
            )
        return known


def _is_checked_to_end(op: Operation) -> bool:
    """Whether a loop is itself checked to end before its variable wraps around, as one of
    step 1 does in any case."""
    model = RUNTIME_VERIFIABLE.lookup(op)
    return model is not None and any(
        isinstance(requirement, EndsInType)
        for requirement in model.get_runtime_requirements(op)
    )


def _is_check(op: Operation) -> bool:
    message = op.properties.get("msg") if op.name == "cf.assert" else None
    return isinstance(message, StringAttr) and message.data.startswith(FAILED_CHECK)


def _read_range(variable: SSAValue, range_: LoopRange) -> _Loop | None:
    lower, upper, step = range_.lower, range_.upper, range_.static_step
    if (
        range_.unsigned
        or lower is None
        or upper is None
        or step is None
        or step <= 0
        or not isinstance(variable.type, IndexType)
    ):
        return None
    return _Loop(variable, linear(lower), linear(upper), step)


def _is_known_before(
    outermost: Operation, loops: Sequence[_Loop], index: Linear, size: Linear
) -> bool:
    """Whether all that the ends of an index depend on is defined before a loop."""
    variables = {loop.variable for loop in loops}
    atoms: list[Atom] = [atom for atom in index.factors if atom not in variables]
    atoms += size.factors
    for loop in loops:
        atoms += (*loop.lower.factors, *loop.upper.factors)
    return all(_is_defined_before(atom, outermost) for atom in atoms)


def _is_defined_before(atom: Atom, outermost: Operation) -> bool:
    value = atom.value if isinstance(atom, Dimension) else atom
    if not isinstance(value, SSAValue):
        return False
    owner = value.owner
    inside = owner.parent_op() if isinstance(owner, Block) else owner
    return inside is None or not outermost.is_ancestor(inside)


def _at_the_ends(
    loops: Sequence[_Loop], index: Linear, size: Linear, reason: str
) -> list[InBounds] | None:
    """That an index is in bounds at both ends, and does not wrap around between them,
    unless one of the loops has no iteration."""
    bounds = tuple(
        (_term(loop.lower), _term(loop.upper)) for loop in loops if not loop.surely_runs
    )
    factors = dict(index.factors)
    moving = [
        (factors.pop(loop.variable), loop) for loop in loops if loop.variable in factors
    ]
    first = last = Linear(index.constant, factors)
    for factor, loop in moving:
        if abs(factor) > _MAX_FACTOR:
            return None
        begin = loop.lower.scaled(factor)
        end = (loop.lower + loop.distance).scaled(factor)
        low, high = (begin, end) if factor > 0 else (end, begin)
        first, last = first + low, last + high
    ends = [first, last, *(loop.distance for _, loop in moving)]
    if [factor for factor, _ in moving] == [1] and _goes_up(first, moving[0][1]):
        ends = [last]
    limit = _term(size)
    return [InBounds(_term(end), limit, reason, unless_none=bounds) for end in ends]


def _goes_up(first: Linear, loop: _Loop) -> bool:
    """Whether an index that changes as an induction variable does begins at 0 or more,
    and cannot wrap around: a distance is less than 2^64, and less than 2^63 more than a
    lower bound is below zero."""
    start, lower = first.constant_value(), loop.lower.constant_value()
    if start is None or lower is None:
        return start == 0
    return 0 <= start < _MAX_SIZE and abs(lower) < _MAX_SIZE


def _term(expression: Linear) -> Term:
    """A linear expression, to be computed by a check."""
    atoms: list[Term] = []
    affine = _affine(expression.constant, expression.factors.items(), atoms)
    return Affine(affine, tuple(atoms)) if atoms else expression.constant


def _affine(
    constant: int, factors: Iterable[tuple[Atom, int]], atoms: list[Term]
) -> AffineExpr:
    """An affine expression whose dimensions are atoms, which are added to a list."""
    total: AffineExpr | None = None
    for atom, factor in factors:
        if isinstance(atom, Quotient):
            part = _affine(atom.constant, atom.factors, atoms) // atom.divisor
        else:
            part = AffineExpr.dimension(len(atoms))
            is_size = isinstance(atom, Dimension)
            atoms.append(SizeOf(atom.value, atom.number) if is_size else atom)
        part = part if factor == 1 else part * factor
        total = part if total is None else total + part
    if total is None:
        return AffineExpr.constant(constant)
    return total if constant == 0 else total + constant
