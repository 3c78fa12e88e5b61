"""Reads of contents that nobody ever looks at.

A write that comes before such a read does no harm, although the read then finds other
contents than the program says:

    ^bb1(%0: tensor<4xi32>):
      %1 = linalg.fill ins(%c) outs(%a) -> tensor<4xi32>    // overwrites %a
      %2 = tensor.insert %d into %a[%i] : tensor<4xi32>     // reads %a; nobody reads %2
      func.return %1

What a branch, a loop or the end of a region forwards, what a view shows and what is
copied into a tensor is as observed as the values that it becomes. What is overwritten
entirely is not observed. Where a slice is inserted where it was extracted, both tensors
are observed (idle_writes.py). All other uses of a tensor observe its contents, even if
they only compute something that has no use: verify-result wants each op to find what the
program says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

from xdsl.ir import Operation, SSAValue, Use
from xdsl.traits import IsTerminator, is_side_effect_free

from xdsl_bufferization.analysis.facts.forwarded_values import forwarded_targets
from xdsl_bufferization.analysis.one_shot.idle_writes import IdleWrites
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH
from xdsl_bufferization.interfaces.subset import SUBSET_INSERTION
from xdsl_bufferization.interfaces.types import is_tensor

_COPYING = frozenset(
    (
        "bufferization.alloc_tensor",
        "bufferization.materialize_in_destination",
        "tensor.concat",
        "tensor.insert",
        "tensor.pad",
    )
)
"""Ops that do no more with the tensors they read than to copy them by memref.copy, of
which verify-result does not demand that its source holds what the program says."""


class UnobservedReads:
    """Answers for one program, which is analysed when the first question is asked.

    Args:
        state: answers about its tensors.
        idle_writes: answers about its writes.
        ops: all of its ops, nested ones included.
    """

    def __init__(
        self,
        state: DefaultAnalysisState,
        idle_writes: IdleWrites,
        ops: Iterable[Operation],
    ) -> None:
        self._state = state
        self._idle_writes = idle_writes
        self._ops = ops

    def is_unobserved(self, read: Use) -> bool:
        """Return whether nobody looks at the contents that an op reads."""
        targets = self._targets(read)
        return targets is not None and self._observed.isdisjoint(targets)

    @cached_property
    def _observed(self) -> set[SSAValue]:
        sources: dict[SSAValue, list[SSAValue]] = defaultdict(list)
        observed: set[SSAValue] = set()
        for op in self._ops:
            for operand in operands_of(op):
                value = get(operand)
                if not is_tensor(value.type):
                    continue
                targets = self._targets(operand)
                if targets is None:
                    observed.add(value)
                else:
                    for target in targets:
                        sources[target].append(value)
        worklist = list(observed)
        while worklist:
            for source in sources[worklist.pop()]:
                if source not in observed:
                    observed.add(source)
                    worklist.append(source)
        return observed

    def _targets(self, operand: Use) -> Sequence[SSAValue] | None:
        """Return the values that a tensor becomes, or a part of which it becomes; None
        if its contents are observed."""
        op = operand.operation
        if self._state.model(op) is None:
            return None
        if op.successors or op.has_trait(IsTerminator) or REGION_BRANCH.lookup(op):
            return forwarded_targets(operand)
        if not self._state.bufferizes_to_memory_read(
            operand
        ) and self._state.bufferizes_to_memory_write(operand):
            return ()
        if op.name == "bufferization.to_buffer" and op.results[0].first_use is None:
            return ()
        if op.regions and op.name not in _COPYING:
            return None
        if self._idle_writes.relies_on_reads(op):
            return None
        insertion = SUBSET_INSERTION.lookup(op)
        is_passed_on = (
            self._is_reshaped(operand)
            or (
                insertion is not None
                and operand
                in (insertion.source_operand(op), insertion.destination_operand(op))
            )
            or op.name in _COPYING
        )
        results = op.results
        if not is_passed_on or not results or not all(is_tensor(r.type) for r in results):
            return None
        return results

    def _is_reshaped(self, operand: Use) -> bool:
        """Whether an op only shows its operand in another way; it reads it if it has to
        copy it for that, as tensor.collapse_shape may."""
        op = operand.operation
        shown = {alias.value for alias in self._state.aliasing_values(operand)}
        return (
            not self._state.bufferizes_to_memory_write(operand)
            and shown.issuperset(op.results)
            and is_side_effect_free(op)
        )
