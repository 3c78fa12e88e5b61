"""Summaries of the memref results of functions: where they may come from.

A result may be in the allocation of an argument, in a *new* allocation without other
aliases, or in *other* memory. `ReturnedMemrefs` determines which of these are possible
for each result of each function. This function returns an argument, %m, or a new
allocation:

    func.func private @f(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
      %r = scf.if %c -> (memref<4xf32>) {
        %a = memref.alloc() : memref<4xf32>
        scf.yield %a : memref<4xf32>
      } else {
        scf.yield %m : memref<4xf32>
      }
      return %r : memref<4xf32>
    }

Each result is traced back to its terminals once (buffer_origin.py), with calls as
terminals. A call then stands for the possible results of its callee, where an argument
stands for the terminals of the operand, which may again be calls. These rules are
applied up to the fixpoint, which also covers recursive functions. Each step adds one of
few possibilities to one result, so the cost is about the number of calls that results
come from, times their operands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.analysis.deallocation.buffer_origin import (
    BufferOrigins,
    ReturnedMemref,
    is_function_argument,
)
from xdsl_bufferization.analysis.deallocation.buffer_origin_index import OriginIndex
from xdsl_bufferization.analysis.facts.functions import (
    FunctionTable,
    function_of,
    return_ops,
)
from xdsl_bufferization.dialects.op_lists import list_ops
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.memory_effects import is_allocated, is_memref
from xdsl_bufferization.interfaces.types import MEMREF_TYPES
from xdsl_bufferization.records import record

_NEW, _OTHER = -1, -2

_Source: TypeAlias = int
"""The number of an argument, _NEW or _OTHER."""
_Result: TypeAlias = "tuple[FuncOp, int] | OpResult"
"""A result of a function, by number, or of a call."""


@record
class Judgement:
    """How to judge the values at which the trace of a result ends.

    Attributes:
        traced: the functions whose results are traced. All others are taken to return
            what `untraced` says.
        is_new: whether a value that is no argument and no call is a new allocation.
        becomes_new: whether a return op will return new memory in place of an operand.
        untraced: what each memref result of a call of a function that is not traced is.
        whole: a result is an argument only if it is all of it, up to casts.
    """

    traced: Collection[FuncOp]
    is_new: Callable[[SSAValue], bool]
    becomes_new: Callable[[ReturnOp, int], bool]
    untraced: ReturnedMemref
    whole: bool = False


class ReturnedMemrefs:
    """What the memref results of functions and calls may be."""

    def __init__(self, functions: FunctionTable, judgement: Judgement):
        self._functions = functions
        self._judgement = judgement
        self._bodies: dict[FuncOp, _Body] = {}
        self._sources: dict[_Result, dict[_Source, None]] = {}
        self._users: dict[_Result, list[_Result]] = {}
        self._calls: dict[tuple[FuncOp, int], list[OpResult]] = {}
        self._same: dict[FuncOp, Sequence[int]] = {}
        self._to_do: list[tuple[_Result, _Source]] = []
        for function in functions.functions:
            if function in judgement.traced and any(_memref_results(function)):
                self._bodies[function] = _Body(function, judgement.whole)
        for body in self._bodies.values():
            self._trace_results(body)
        self._solve()

    def of_function(self, function: FuncOp) -> Sequence[ReturnedMemref]:
        """What each result of a function may be; nothing is said of other types."""
        if function not in self._bodies:
            return self._of_untraced(function, function.function_type.outputs.data)
        return [
            self._describe(function, number, first)
            for number, first in enumerate(self._find_same_results(function))
        ]

    def of_call(self, call: Operation) -> Sequence[ReturnedMemref]:
        """What each result of a call may be; nothing is said of other types."""
        callee = self._functions.callee(call)
        if callee is None or callee not in self._bodies:
            return self._of_untraced(callee, [result.type for result in call.results])
        return self.of_function(callee)

    def _of_untraced(
        self, function: FuncOp | None, types: Sequence[Attribute]
    ) -> list[ReturnedMemref]:
        """A public function that is deallocated never returns a buffer twice."""
        untraced = self._judgement.untraced
        is_public = (
            function is not None
            and function.body.blocks.first is not None
            and function.sym_visibility != StringAttr("private")
        )
        if is_public or not untraced.is_new:
            return [untraced] * len(types)
        first = next(
            (n for n, type_ in enumerate(types) if isinstance(type_, MEMREF_TYPES)), 0
        )
        return [
            ReturnedMemref(same_as=() if number == first else (first,), is_new=True)
            for number in range(len(types))
        ]

    def _describe(self, function: FuncOp, number: int, first: int) -> ReturnedMemref:
        sources = self._sources.get((function, number), {})
        return ReturnedMemref(
            sorted(source for source in sources if source >= 0),
            () if first == number else (first,),
            _NEW in sources,
            _OTHER in sources,
        )

    # The rules

    def _trace_results(self, body: _Body) -> None:
        for op in return_ops(body.function):
            for number, value in enumerate(op.operands):
                if not is_memref(value):
                    continue
                result = (body.function, number)
                if self._judgement.becomes_new(op, number):
                    self._to_do.append((result, _NEW))
                else:
                    self._connect(body, value, result)

    def _connect(self, body: _Body, value: SSAValue, user: _Result) -> None:
        """Have `user` be whatever `value` in `body` may be."""
        for terminal in body.origins.get_terminals(value):
            if isinstance(terminal, BlockArgument):
                known = is_function_argument(terminal)
                self._to_do.append((user, terminal.index if known else _OTHER))
            elif isinstance(terminal, OpResult) and CALL.lookup(terminal.op) is not None:
                self._connect_call(terminal, user)
            else:
                is_new = self._judgement.is_new(terminal)
                self._to_do.append((user, _NEW if is_new else _OTHER))

    def _connect_call(self, result: OpResult, user: _Result) -> None:
        callee = self._functions.callee(result.op)
        if callee is None or callee not in self._bodies:
            untraced = self._judgement.untraced
            self._to_do.append((user, _OTHER if untraced.is_other else _NEW))
            return
        users = self._users.get(result)
        if users is None:
            users = self._users[result] = []
            key = (callee, result.index)
            self._calls.setdefault(key, []).append(result)
            for source in self._sources.get(key, ()):
                self._apply(source, result)
        users.append(user)
        self._to_do += [(user, source) for source in self._sources.get(result, ())]

    def _apply(self, source: _Source, result: OpResult) -> None:
        """Record the possible results of a call whose callee may return `source`."""
        if source < 0:
            self._to_do.append((result, source))
            return
        call = CALL.lookup(result.op)
        function = function_of(result.op)
        assert call is not None and function is not None
        operand = call.get_arg_operands(result.op)[source]
        self._connect(self._bodies[function], operand, result)

    def _solve(self) -> None:
        while self._to_do:
            result, source = self._to_do.pop()
            sources = self._sources.setdefault(result, {})
            if source in sources:
                continue
            sources[source] = None
            self._to_do += [(user, source) for user in self._users.get(result, ())]
            if isinstance(result, tuple):
                for call in list(self._calls.get(result, ())):
                    self._apply(source, call)

    # Results that may be the same new buffer

    def _find_same_results(self, function: FuncOp) -> Sequence[int]:
        """For each result, the first that may be the same memory, arguments apart.

        While that is being found, in a recursion, all of them may be.
        """
        found = self._same.get(function)
        if found is not None:
            return found
        count = len(function.function_type.outputs.data)
        numbers = [n for n in range(count) if self._gives_memory((function, n))]
        first = list(range(count))
        if len(numbers) < 2 or self._judgement.whole:
            self._same[function] = first
            return first
        assumed = self._same[function] = list(first)
        for number in numbers:
            assumed[number] = numbers[0]
        origins = BufferOrigins(function, list_ops(function), self.of_call)
        for op in return_ops(function):
            traced = [origins.trace(op.operands[number]) for number in numbers]
            index = OriginIndex(traced)
            for at, number in enumerate(numbers):
                if index.may_share(traced[at], at):
                    sharing = [first[numbers[i]] for i in index.get_sharing(traced[at])]
                    same = {first[number], *sharing}
                    first = [min(same) if n in same else n for n in first]
        self._same[function] = first
        return first

    def _gives_memory(self, result: _Result) -> bool:
        return any(source < 0 for source in self._sources.get(result, ()))


def find_whole_arguments(functions: FunctionTable) -> ReturnedMemrefs:
    """Which results are an argument, all of it: the others may be other memory."""
    return ReturnedMemrefs(
        functions,
        Judgement(
            traced={f for f in functions.functions if f.body.blocks.first is not None},
            is_new=lambda value: False,
            becomes_new=lambda op, number: False,
            untraced=ReturnedMemref(is_other=True),
            whole=True,
        ),
    )


def find_returned_allocations(functions: FunctionTable) -> ReturnedMemrefs:
    """Which results are new, after deallocation: by the function boundary ABI all those
    of functions that other programs may call or define."""
    return ReturnedMemrefs(
        functions,
        Judgement(
            traced={f for f in functions.functions if functions.has_known_calls(f)},
            is_new=is_allocated,
            becomes_new=lambda op, number: False,
            untraced=ReturnedMemref(is_new=True),
        ),
    )


class _Body:
    """A function whose results are traced."""

    def __init__(self, function: FuncOp, whole: bool):
        self.function = function
        self._whole = whole

    @cached_property
    def origins(self) -> BufferOrigins:
        ops = list_ops(self.function)
        return BufferOrigins(self.function, ops, _unknown_calls, whole=self._whole)


def _unknown_calls(op: Operation) -> Sequence[ReturnedMemref]:
    return [ReturnedMemref(is_other=True)] * len(op.results)


def _memref_results(function: FuncOp) -> Iterator[bool]:
    return (isinstance(t, MEMREF_TYPES) for t in function.function_type.outputs.data)
