"""Writes that do not change the buffer.

For One-Shot Analysis, an op that may write its operand does write it. Some ops
definitely do not change it:

    linalg.copy ins(%t) outs(%t)                 // what is there is copied to itself
    tensor.insert_slice %t into %t[%i] [4] [1] : tensor<4xf32> into tensor<4xf32>
    tensor.insert_slice %s into %t[%i] [2] [1]   // extract_slice %t[%i] [2] [1] was %s
    scf.for ... iter_args(%a = %t) { ... }       // nothing inside writes %a, or what
                                                 // a later iteration has in its place

A slice is inserted where it was extracted to no effect only as long as both buffers hold
what the program says when that is executed: %s may have a buffer of its own. Therefore,
this counts only for insertions that read what is around the slice, so that their reads
make sure of it, and those of a thread, where nothing else writes the tensor. Those reads
are observed whatever becomes of the result (unobserved_reads.py). A thread that inserts
from a buffer of its own writes at the same time as other threads read, so they must not
read the same buffer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import BlockArgument, Operation, SSAValue, Use
from xdsl.traits import IsTerminator

from xdsl_bufferization.analysis.facts.forwarded_values import (
    forwarded_targets,
    may_become,
)
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.interfaces.aliasing import AliasingOperand
from xdsl_bufferization.interfaces.loop_like import LOOP_LIKE
from xdsl_bufferization.interfaces.operands import get
from xdsl_bufferization.interfaces.subset import SUBSET_INSERTION
from xdsl_bufferization.interfaces.types import TENSOR_TYPES


class IdleWrites:
    """Answers for one program, each loop and each of its operands once."""

    def __init__(self, state: DefaultAnalysisState) -> None:
        self._state = state
        self._idle_loops: dict[Operation, bool] = {}
        self._idle_inits: dict[Use, bool] = {}
        self._extractions: dict[Operation, list[Use]] = {}

    def is_idle(self, write: Use) -> bool:
        """Return whether an op definitely does not change the buffer of an operand that
        it writes. Writes of other ops through its results are not considered."""
        op = write.operation
        if LOOP_LIKE.lookup(op) is not None:
            known = self._idle_loops.get(op)
            if known is None:
                known = self._idle_loops[op] = self._is_idle_loop(op)
            return known or self._is_idle_init(write)
        value = get(write)
        if op.name == "linalg.copy":
            return all(operand is value for operand in op.operands)
        model = SUBSET_INSERTION.lookup(op)
        if model is None or write != model.destination_operand(op):
            return False
        source = get(model.source_operand(op))
        if source is value:
            # A part that is as large as the whole is the whole.
            return isinstance(value.type, ShapedType) and value.type.has_static_shape()
        return self.relies_on_reads(op)

    def relies_on_reads(self, op: Operation) -> bool:
        """Return whether an op changes nothing because what it reads is already there."""
        model = SUBSET_INSERTION.lookup(op)
        if model is None:
            return False
        source, destination = model.source_operand(op), model.destination_operand(op)
        return (
            get(source) is not get(destination)
            and (not op.results or self._state.bufferizes_to_memory_read(destination))
            and model.is_equivalent_subset(
                op, get(source), lambda one, other: one is other
            )
        )

    def may_threads_copy(self, loop: Operation) -> bool:
        """Return whether threads of a loop that changes nothing may insert what they have
        copied to a buffer of their own. No other thread may read the destination at the
        same time."""
        extractions = self._extractions.get(loop)
        if extractions is None:
            extractions = self._extractions[loop] = [
                alias.operand
                for argument in _carried(loop)
                for use in argument.uses
                for alias in self._aliases_of_inserted(use.operation)
            ]
        # Decisions are final.
        while extractions and self._state.is_in_place(extractions[-1]):
            extractions.pop()
        return bool(extractions)

    def _aliases_of_inserted(self, op: Operation) -> Sequence[AliasingOperand]:
        """Return what the source of the insertion of a thread is a part of."""
        model = None if op.results else SUBSET_INSERTION.lookup(op)
        if model is None:
            return ()
        return self._state.aliasing_operands(get(model.source_operand(op)))

    def _is_idle_loop(self, loop: Operation) -> bool:
        """Return whether no op in a loop writes its iter_args."""
        return all(
            len(region.blocks) == 1 for region in loop.regions
        ) and self._is_only_read(loop, _carried(loop))

    def _is_idle_init(self, init: Use) -> bool:
        """Return whether no op in a loop writes the iter_args that an operand becomes."""
        known = self._idle_inits.get(init)
        if known is None:
            loop = init.operation
            carried = _iter_args_of(loop, init)
            known = self._idle_inits[init] = (
                bool(carried)
                and all(len(region.blocks) == 1 for region in loop.regions)
                and self._is_only_read(loop, carried)
            )
        return known

    def _is_only_read(self, loop: Operation, values: Iterable[SSAValue]) -> bool:
        """Whether nothing writes values that a loop carries, or what may share their
        memory. What the end of a region of the loop forwards is carried, too."""
        state = self._state
        worklist: list[SSAValue] = list(values)
        visited = set(worklist)
        while worklist:
            for use in worklist.pop().uses:
                op = use.operation
                if state.model(op) is None:
                    return False
                if self._may_write(use) and not self.is_idle(use):
                    return False
                names = list(may_become(use, state))
                if op.has_trait(IsTerminator):
                    if op.parent_op() is loop:
                        names = _iter_args_of(loop, use)
                    elif not names:
                        return False
                for name in names:
                    if name not in visited:
                        visited.add(name)
                        worklist.append(name)
        return True

    def _may_write(self, use: Use) -> bool:
        """Whether an op may write its operand. What threads insert at their end is said
        to be written by the op around them."""
        if self._state.bufferizes_to_memory_write(use):
            return True
        model = SUBSET_INSERTION.lookup(use.operation)
        return model is not None and use == model.destination_operand(use.operation)


def _carried(loop: Operation) -> list[BlockArgument]:
    return [
        argument
        for region in loop.regions
        for block in region.blocks
        for argument in block.args
        if isinstance(argument.type, TENSOR_TYPES)
    ]


def _iter_args_of(loop: Operation, operand: Use) -> list[SSAValue]:
    """Return the block arguments of a loop that an operand becomes."""
    return [
        target
        for target in forwarded_targets(operand) or ()
        if isinstance(target, BlockArgument) and target.block.parent_op() is loop
    ]
