"""The effects of calls on the contents of memory.

A function is interpreted once for all its calls (checker.py); its `Effects` describe a
call. Its arguments are then assumed to be in different memory. If two of a call are not,
and the function writes one, it must do the same when it is interpreted for that. An
unknown function may do anything with its arguments, in any order, and return them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.analysis.facts.functions import (
    ACCESS,
    argument_attribute,
    indirectly_called_type,
)
from xdsl_bufferization.checkers.contents.arenas import Segment
from xdsl_bufferization.checkers.contents.graph import tensors_of_operands
from xdsl_bufferization.checkers.contents.memory import Returned, Root
from xdsl_bufferization.checkers.contents.report import WrongRead
from xdsl_bufferization.checkers.contents.state import State
from xdsl_bufferization.checkers.contents.views import View
from xdsl_bufferization.checkers.contents.visit import (
    Effects,
    Global,
    Visit,
    is_allocated,
    is_returned,
)
from xdsl_bufferization.interfaces.types import MEMREF_CLASSES, TENSOR_CLASSES

_NOT_READ = ("write", "none")
_NOT_WRITTEN = ("read", "none")


def call(op: Operation, visit: Visit) -> None:
    """Apply the effects of the callee."""
    program, state = visit.program, visit.state
    callee = program.functions.callee(op)
    is_declared = callee is not None and callee.body.blocks.first is None
    effects = None if callee is None or is_declared else program.effects(callee)
    arguments = {
        position: visit.view(value)
        for position, value in enumerate(op.operands)
        if value.type.__class__ in MEMREF_CLASSES
    }
    written = [
        position
        for position in arguments
        if (
            not is_declared or _access(callee, position) not in _NOT_WRITTEN
            if effects is None
            else position in effects.written
        )
    ]
    if visit.findings is not None:
        _read_arguments(op, callee, effects, arguments, written, visit)
    for position in written:
        visit.write(op, arguments[position], True)
    results = [r for r in op.results if r.type.__class__ in MEMREF_CLASSES]
    for result in results:
        state.allocate(result)
    given = {n: state.roots_of(view.base) for n, view in arguments.items()}
    if effects is not None:
        _return_known(results, effects, given, visit)
    else:
        _return_anything(op, results, frozenset[Root]().union(*given.values()), visit)
    for result in op.results:
        if result.type.__class__ in MEMREF_CLASSES | TENSOR_CLASSES:
            visit.note_written(visit.view(result), True)
    state.forwarded = {}


def _read_arguments(
    op: Operation,
    callee: FuncOp | None,
    effects: Effects | None,
    arguments: Mapping[int, View],
    written: Iterable[int],
    visit: Visit,
) -> None:
    """Check that the callee finds the contents that it reads, and does not overwrite them
    as another argument first."""

    def is_needed(position: int) -> bool:
        if callee is not None and _access(callee, position) in _NOT_READ:
            return False
        return callee is None or effects is None or visit.program.needs(callee, position)

    for position, tensor in visit.invalid_operands(op):
        if is_needed(position):
            visit.report(op, arguments[position], [tensor])
    for first, second, tensor in _overlapping(op, arguments, written, visit):
        if (
            is_needed(second)
            if callee is None or effects is None
            else visit.program.is_spoiled(callee, frozenset((first, second)))
        ):
            expected = [visit.program.described[tensor]]
            found = [f"that of operand {first}, which the callee writes"]
            visit.wrong(op, (first, second), WrongRead(op, expected, found, []))
    if visit.stretch.parallel:
        for position, view in arguments.items():
            if is_needed(position):
                visit.log(op, view)


def _overlapping(
    op: Operation,
    arguments: Mapping[int, View],
    written: Iterable[int],
    visit: Visit,
) -> Iterator[tuple[int, int, int]]:
    """Iterate over the pairs of arguments that may be in the same memory of which the
    first one is written. With each, the tensor of the second one."""
    tensors = dict(tensors_of_operands(op, visit.notes))
    state = visit.state
    by_root: dict[Root, list[int]] = {}
    for position in tensors:
        for root in state.roots_of(arguments[position].base):
            by_root.setdefault(root, []).append(position)
    for first in written:
        if first not in tensors:
            continue
        roots = state.roots_of(arguments[first].base)
        for second in dict.fromkeys(n for root in roots for n in by_root[root]):
            if first != second and state.overlap(arguments[first], arguments[second]):
                yield first, second, tensors[second]


def _return_known(
    results: Sequence[OpResult],
    effects: Effects,
    given: Mapping[int, frozenset[Root]],
    visit: Visit,
) -> None:
    """Set results to the values that a known function returns."""
    new: dict[Root, SSAValue] = {}
    """What the function has allocated, by where it has."""
    for result in results:
        roots: set[Root] = set()
        for root in effects.results[result.index]:
            if isinstance(root, int):
                roots |= given[root]
            elif isinstance(root, Global):
                roots.add(root)
            else:
                roots.add(new.setdefault(root, result))
        visit.state.set_roots(result, frozenset(roots))


def _return_anything(
    op: Operation, results: Sequence[OpResult], given: frozenset[Root], visit: Visit
) -> None:
    """Let each result of an unknown function be any of its arguments, or a global. But no
    two are the same buffer: the caller owns, and frees, each of them. Places stay what
    they are, and so each result may be any of those in the same memory."""
    state, program = visit.state, visit.program
    callees: Sequence[FuncOp] = ()
    if (type_ := indirectly_called_type(op)) is not None:
        callees = program.callable_with(type_)
    segments = frozenset(root for root in given if isinstance(root, Segment))
    given -= segments
    new: list[Root] = [Returned(op, result.index) for result in results]
    # What the same call has returned before is something else.
    earlier = [state.renew(root) for root in new]
    state.extend_roots(given, frozenset(new))
    for result, root, before in zip(results, new, earlier, strict=True):
        known = state.roots_of(root)
        state.set_roots(before, state.roots_of(before) | (known - {root}))
        state.set_roots(root, known | _from_outside(given, state))
        globals_ = program.globals_of(callees, result.index)
        state.set_roots(result, globals_ | segments | {root})


def _from_outside(given: frozenset[Root], state: State) -> frozenset[Root]:
    """Return which memory that the caller has not allocated itself some memory may be,
    and what unknown functions returned for that."""
    found: set[Root] = set()
    for root in given:
        found |= state.roots_of(root) if is_returned(root) else {root}
    return frozenset(
        root for root in found if not is_returned(root) and not is_allocated(root)
    )


def _access(func: FuncOp | None, position: int) -> str | None:
    """Return the declared access of a function without a body to an argument."""
    if func is None or func.body.blocks.first is not None:
        return None
    access = argument_attribute(func, position, ACCESS)
    return access.data if isinstance(access, StringAttr) else None
