"""What functions do with the buffers that they are given, as far as arenas go.

    func.func private @f(%x: memref<64xi8>, %arena: memref<64xi8>,
        %y: memref<8xf32>) -> memref<64xi8> {
      %0 = memref.view %arena[%c0][] ...    // puts its buffers in argument 1
      %i = memref.extract_aligned_pointer_as_index %y ...
      memref.store %i, %list[%c0] ...       // may keep argument 2
      memref.dealloc %x                     // may free argument 0
      return %arena                         // may return argument 1
    }

The calls in a function count as well. A function without a body does none of it, and so
does one that only a value names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.analysis.facts.buffer_uses import keeps_pointer, may_hold
from xdsl_bufferization.analysis.facts.forwarded_values import ForwardedValues
from xdsl_bufferization.analysis.facts.functions import FunctionTable, return_ops
from xdsl_bufferization.checkers.places import (
    Bases,
    each_bit,
    place_of,
    reached_from,
    renamed_by,
    sources_of,
)
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import is_memref
from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    get_allocations_and_frees,
    may_free,
)
from xdsl_bufferization.interfaces.view_like import pointer_uses

_Sources = Callable[[SSAValue, ForwardedValues], Sequence[SSAValue]]


@dataclass
class ArenaEffects:
    """What a function may do with its arguments, by number, and with globals, by name.

    Attributes:
        frees: those that it may free.
        keeps: those that something may access after it without a name, such as by their
            address.
        fills: those that it puts buffers in: arenas.
        returns: for each result those that it may be.
        fills_globals: the globals that it puts buffers in, and `globals` all that it may
            access. Constants are none of them.
    """

    frees: set[int] = field(default_factory=set[int])
    keeps: set[int] = field(default_factory=set[int])
    fills: set[int] = field(default_factory=set[int])
    returns: list[set[int]] = field(default_factory=list[set[int]])
    fills_globals: set[Attribute] = field(default_factory=set[Attribute])
    globals: set[Attribute] = field(default_factory=set[Attribute])

    def size(self) -> int:
        sets = (self.frees, self.keeps, self.fills, self.fills_globals, self.globals)
        return sum(map(len, (*sets, *self.returns)))


class ArenaCalls:
    """The effects of all functions under an op."""

    def __init__(self, functions: FunctionTable, root: Operation):
        self._functions = functions
        globals_ = [op for op in walk(root) if isinstance(op, memref.GlobalOp)]
        variables = {op.sym_name.data for op in globals_ if op.constant is None}
        constants = {op.sym_name.data for op in globals_ if op.constant is not None}
        self._constants = constants - variables
        self._effects: dict[FuncOp, ArenaEffects] = {}
        ordered, on_cycles = functions.callees_first()
        for function in ordered:
            if function.body.blocks.first is not None:
                self._analyse(function)
        self._iterate([each for each in on_cycles if each.body.blocks.first is not None])

    def of(self, op: Operation) -> ArenaEffects | None:
        """Return what the function does that an op calls; None if that is not known."""
        callee = self._functions.callee(op)
        return None if callee is None else self._effects.get(callee)

    def is_variable(self, op: memref.GetGlobalOp) -> bool:
        """Return whether a global may be written."""
        return op.name_.root_reference.data not in self._constants

    def freed_by(self, op: Operation) -> Iterator[SSAValue]:
        """Iterate over the operands that an op itself, or what it calls, may free."""
        effects = self.of(op)
        if effects is not None:
            yield from _chosen(op, effects.frees)
        elif may_free(op):
            for effect in get_allocations_and_frees(op) or ():
                if effect.kind is EffectKind.FREE:
                    yield effect.value

    def kept_by(self, op: Operation) -> Iterator[SSAValue]:
        """Iterate over the operands of a call that what it calls may keep."""
        effects = self.of(op)
        if effects is not None:
            yield from _chosen(op, effects.keeps)

    def filled_by(self, op: Operation) -> Iterator[SSAValue]:
        """Iterate over the operands of a call that are arenas of what it calls."""
        effects = self.of(op)
        if effects is not None:
            yield from _chosen(op, effects.fills)

    def sources(self, value: SSAValue, forwarded: ForwardedValues) -> Sequence[SSAValue]:
        """Return the values that a memref may be, other than a view of one. The result of
        a call is only what the function is known to return."""
        op = value.owner
        if isinstance(op, CallOp) and self.of(op) is None:
            return ()
        return self.possible_sources(value, forwarded)

    def possible_sources(
        self, value: SSAValue, forwarded: ForwardedValues
    ) -> Sequence[SSAValue]:
        """Return the values that a memref is a view of or may be forwarded from. The
        result of a call of an unknown function may be any operand with the same element
        type: bytes say nothing about what is returned."""
        op = value.owner
        effects = self.of(op) if isinstance(op, CallOp) else None
        if effects is None:
            return sources_of(value, forwarded)
        assert isinstance(op, CallOp)
        return list(_chosen(op, effects.returns[op.results.index(value)]))

    def _iterate(self, functions: Sequence[FuncOp]) -> None:
        callers: dict[FuncOp, set[FuncOp]] = {each: set() for each in functions}
        for function in functions:
            for op in walk(function):
                callee = self._functions.callee(op)
                if callee is not None and callee in callers:
                    callers[callee].add(function)
        work = list(functions)
        waiting = set(work)
        while work:
            function = work.pop()
            waiting.discard(function)
            before = self._effects.get(function, ArenaEffects()).size()
            if self._analyse(function).size() != before:
                work += (each for each in callers[function] if each not in waiting)
                waiting |= callers[function]

    def _analyse(self, function: FuncOp) -> ArenaEffects:
        """Find out what a function does, from what is known of those that it calls."""
        bases = Bases()
        forwarded = ForwardedValues()
        arguments = function.body.blocks[0].args
        numbers = [each for each, a in enumerate(arguments) if is_memref(a.type)]
        roots = [arguments[each] for each in numbers]

        def reach_by(sources: _Sources) -> Mapping[SSAValue, int]:
            return reached_from(
                roots, lambda value: sources(value, forwarded), function, bases
            )

        reach = reach_by(self.sources)

        def arguments_of(
            value: SSAValue, reach: Mapping[SSAValue, int] = reach
        ) -> Iterable[int]:
            bits = reach.get(bases.of(value), 0)
            return (numbers[bit.bit_length() - 1] for bit in each_bit(bits))

        effects = self._effects[function] = ArenaEffects(
            returns=[set() for _ in function.function_type.outputs]
        )
        for op in walk(function):
            for value in self.freed_by(op):
                effects.frees.update(arguments_of(value))
            for value in (*self.kept_by(op), *_kept_in(op)):
                effects.keeps.update(arguments_of(value))
            filled = list(self.filled_by(op))
            if isinstance(op, memref.ViewOp) and place_of(op) is not None:
                filled = [op.operands[0]]
            for value in filled:
                effects.fills.update(arguments_of(value))
                base = bases.of(value).owner
                if isinstance(base, memref.GetGlobalOp) and self.is_variable(base):
                    effects.fills_globals.add(base.name_)
            if isinstance(op, memref.GetGlobalOp) and self.is_variable(op):
                effects.globals.add(op.name_)
            called = self.of(op)
            if called is not None:
                effects.fills_globals |= called.fills_globals
                effects.globals |= called.globals
        returned = reach
        if any(isinstance(op, CallOp) and self.of(op) is None for op in walk(function)):
            returned = reach_by(self.possible_sources)
        for op in return_ops(function):
            for index, value in enumerate(op.operands):
                if is_memref(value.type):
                    effects.returns[index].update(arguments_of(value, returned))
        return effects


def _kept_in(op: Operation) -> Iterable[SSAValue]:
    """Return the memrefs that something may access after an op without a name."""
    if isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
        is_kept = any(map(keeps_pointer, pointer_uses(op.results)))
        return (op.source,) if is_kept else ()
    return op.operands if renamed_by(op) is None and may_hold(op) else ()


def _chosen(op: Operation, numbers: Iterable[int]) -> Iterator[SSAValue]:
    assert isinstance(op, CallOp)
    return (op.arguments[number] for number in sorted(numbers))
