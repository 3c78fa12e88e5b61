"""Questions about tensors that need only the IR (MLIR's AnalysisState).

`DefaultAnalysisState` answers without an analysis: an operand that is written is out of
place, and two tensors may alias but are never known to be the same buffer.
`copy-before-write` uses this state, and so does the rewrite, while the program changes.

`MemoizedAnalysisState` caches its answers, for a program that does not change.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import UnrankedTensorType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue, Use

from xdsl_bufferization.analysis.facts.buffer_uses import may_refer_to_memory
from xdsl_bufferization.analysis.facts.forwarded_values import (
    entry_arguments,
    forwarded_targets,
    values_after_unknown_region,
)
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.dialects import bufferization
from xdsl_bufferization.interfaces.aliasing import (
    AliasingOperand,
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.interfaces.analysis_state import TraversalConfig
from xdsl_bufferization.interfaces.branch import BRANCH
from xdsl_bufferization.interfaces.bufferizable import (
    BUFFERIZABLE,
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.operands import (
    get,
    is_entry_argument,
    op_of,
    operands_of,
)
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
)
from xdsl_bufferization.interfaces.types import MEMREF_TYPES, TENSOR_TYPES

if TYPE_CHECKING:  # AnalysisState is also the earlier name of a class here.
    from xdsl_bufferization.interfaces.analysis_state import AnalysisState

_DEFAULT_TRAVERSAL = TraversalConfig()
CASTS = ("tensor.cast", "bufferization.to_tensor", "bufferization.to_buffer")
"""Ops that keep the buffer and change its type only."""


class DefaultAnalysisState:
    """The answers in the absence of an analysis.

    Args:
        options: decides which ops may be bufferized; the others are unknown ops, which
            are treated conservatively.
        functions: the functions that calls may refer to.
    """

    def __init__(
        self, options: BufferizationOptions, functions: FunctionTable | None = None
    ):
        self.options = options
        self.read_only_loops = options.read_only_loops
        self.functions = FunctionTable() if functions is None else functions

    def model(self, op: Operation) -> BufferizableOpInterface | None:
        model = BUFFERIZABLE.lookup(op)
        if model is None or not self.options.is_op_allowed(op):
            return None
        return model

    def is_in_place(self, operand: Use) -> bool:
        if isinstance(operand.operation, bufferization.ToBufferOp):
            return True
        return not self.bufferizes_to_memory_write(operand)

    def are_equivalent(self, first: SSAValue, second: SSAValue) -> bool:
        return first is second

    def are_aliasing(self, first: SSAValue, second: SSAValue) -> bool:
        return True

    def may_share_buffer(self, first: SSAValue, second: SSAValue) -> bool:
        return False

    def alias_key(self, value: SSAValue) -> object:
        """Something that two values have in common when their buffers may overlap."""
        return value

    def aliases_of(self, value: SSAValue) -> Iterable[SSAValue]:
        """All values whose buffer may overlap that of `value`, itself included, as far as
        they are known; without an analysis, only itself."""
        return (value,)

    def has_alias(
        self, value: SSAValue, is_wanted: Callable[[SSAValue, AnalysisState], bool]
    ) -> bool:
        return any(is_wanted(alias, self) for alias in self.aliases_of(value))

    def bufferizes_to_memory_read(self, operand: Use) -> bool:
        op = operand.operation
        model = self.model(op)
        return model is None or model.bufferizes_to_memory_read(op, operand, self)

    def bufferizes_to_memory_write(self, operand: Use) -> bool:
        op = operand.operation
        model = self.model(op)
        return model is None or model.bufferizes_to_memory_write(op, operand, self)

    def value_bufferizes_to_memory_write(self, value: SSAValue) -> bool:
        if not isinstance(value, OpResult):
            return True
        op = value.op
        model = self.model(op)
        return model is None or model.result_bufferizes_to_memory_write(op, value, self)

    def bufferizes_to_alias_only(self, operand: Use) -> bool:
        return (
            self.model(operand.operation) is not None
            and not self.bufferizes_to_memory_read(operand)
            and not self.bufferizes_to_memory_write(operand)
            and bool(self.aliasing_values(operand))
        )

    def aliasing_values(self, operand: Use) -> Sequence[AliasingValue]:
        op = operand.operation
        model = self.model(op)
        if model is None:
            return self._unknown_aliasing_values(operand)
        return model.aliasing_values(op, operand, self)

    def aliasing_operands(self, value: SSAValue) -> Sequence[AliasingOperand]:
        op = op_of(value)
        if op is None:
            return ()
        model = self.model(op)
        if model is None:
            return self._unknown_aliasing_operands(op, value)
        return model.aliasing_operands(op, value, self)

    def _unknown_aliasing_values(self, operand: Use) -> list[AliasingValue]:
        """An unknown op may return any operand's buffer as any result, and pass it to the
        entry block of any region; a branch, to the block arguments that it becomes. So
        may what ends a region of an unknown op, where it is not known better."""
        op = operand.operation
        values: list[SSAValue] = [*op.results, *entry_arguments(op)]
        branch = BRANCH.lookup(op)
        for number, successor in enumerate(op.successors):
            if branch is None:
                values.extend(successor.args)
                continue
            positions = branch.get_successor_operand_range(op, number)
            if operand.index in positions:
                values.append(successor.args[operand.index - positions.start])
        values.extend(self._values_after_region(operand))
        return [
            AliasingValue(value, BufferRelation.UNKNOWN, False)
            for value in values
            if isinstance(value.type, TENSOR_TYPES)
        ]

    def _unknown_aliasing_operands(
        self, op: Operation, value: SSAValue
    ) -> list[AliasingOperand]:
        if isinstance(value, BlockArgument) and not is_entry_argument(value):
            return []
        last = [b.last_op for region in op.regions for b in region.blocks if b.last_op]
        operands = [
            *operands_of(op),
            *(
                operand
                for end in last
                if self.model(end) is None
                for operand in operands_of(end)
                if value in self._values_after_region(operand)
            ),
        ]
        return [
            AliasingOperand(operand, BufferRelation.UNKNOWN, False)
            for operand in operands
            if isinstance(get(operand).type, TENSOR_TYPES)
        ]

    def may_hide(self, operand: Use) -> bool:
        """Whether an unknown op may put the buffer of an operand into a value that is no
        tensor, but may refer to memory."""
        values = (*operand.operation.results, *self._values_after_region(operand))
        return any(
            not isinstance(value.type, TENSOR_TYPES) and may_refer_to_memory(value.type)
            for value in values
        )

    def _values_after_region(self, operand: Use) -> Sequence[SSAValue]:
        """Return what an operand may become, if its op ends a region of an unknown op."""
        op = operand.operation
        around = op.parent_op()
        if op.next_op is not None or around is None or self.model(around) is not None:
            return ()
        if REGION_BRANCH.lookup(around) and REGION_BRANCH_TERMINATOR.lookup(op):
            return forwarded_targets(operand) or ()
        return values_after_unknown_region(op)

    def is_value_read(self, value: SSAValue) -> bool:
        worklist = [value]
        visited = {value}
        while worklist:
            for use in worklist.pop().uses:
                if self.bufferizes_to_memory_read(use):
                    return True
                if self.bufferizes_to_alias_only(use):
                    for alias in self.aliasing_values(use):
                        if alias.value not in visited:
                            visited.add(alias.value)
                            worklist.append(alias.value)
        return False

    def is_value_written(self, value: SSAValue) -> bool:
        return True

    def is_writable(self, value: SSAValue) -> bool:
        op = op_of(value)
        if op is None:
            return False
        model = self.model(op)
        if model is None or not model.is_writable(op, value, self):
            return False
        # A branch that is left on tensors forwards what may be needed elsewhere.
        return not isinstance(value, BlockArgument) or all(
            self.model(use.operation) is not None for use in value.block.uses
        )

    def has_undefined_contents(self, operand: Use) -> bool:
        return False

    @property
    def copied_for_unknown_ops(self) -> Collection[Use]:
        """The operands of ops that are left on tensors which must be copies."""
        return ()

    def can_omit_tensor_copy(self, operand: Use) -> bool:
        if self.has_undefined_contents(operand):
            return True
        if self.bufferizes_to_memory_read(operand):
            return False
        return self.bufferizes_to_memory_write(operand) or not any(
            self.is_value_read(alias.value) for alias in self.aliasing_values(operand)
        )

    def copied_value(self, operand: Use) -> SSAValue:
        aliases = self.aliasing_values(operand)
        if (
            len(aliases) == 1
            and isinstance(aliases[0].value, OpResult)
            and not isinstance(aliases[0].value.type, UnrankedTensorType)
            and not self.bufferizes_to_memory_write(operand)
            and len(self.aliasing_operands(aliases[0].value)) == 1
        ):
            return aliases[0].value
        return get(operand)

    def find_definitions(self, value: SSAValue) -> Sequence[SSAValue]:
        return self.find_value_in_reverse_use_def_chain(
            value,
            self.value_bufferizes_to_memory_write,
            TraversalConfig(always_include_leaves=False),
        )

    def find_value_in_reverse_use_def_chain(
        self,
        value: SSAValue,
        condition: Callable[[SSAValue], bool],
        config: TraversalConfig = _DEFAULT_TRAVERSAL,
    ) -> Sequence[SSAValue]:
        found: dict[SSAValue, None] = {}
        visited: set[SSAValue] = set()
        worklist = [value]
        leaves = config.always_include_leaves
        while worklist:
            value = worklist.pop()
            if value in visited:
                if leaves:
                    found[value] = None
                continue
            visited.add(value)
            if condition(value):
                found[value] = None
                continue
            owner = op_of(value)
            if owner is None or (
                not config.follow_unknown_ops and self.model(owner) is None
            ):
                if leaves:
                    found[value] = None
                continue
            aliases = self.aliasing_operands(value)
            if not aliases and leaves:
                found[value] = None
            for alias in aliases:
                source = get(alias.operand)
                if (
                    (
                        config.follow_equivalent_only
                        and alias.relation is not BufferRelation.EQUIVALENT
                    )
                    or (
                        config.follow_in_place_only
                        and not self.is_in_place(alias.operand)
                    )
                    or (
                        config.follow_same_type_or_casts_only
                        and source.type != value.type
                        and owner.name not in CASTS
                    )
                ):
                    if leaves:
                        found[value] = None
                    continue
                worklist.append(source)
        return tuple(found)


class MemoizedAnalysisState(DefaultAnalysisState):
    """An `DefaultAnalysisState` for a program that does not change while it is asked."""

    def __init__(
        self, options: BufferizationOptions, functions: FunctionTable | None = None
    ):
        super().__init__(options, functions)
        self._reads: dict[Use, bool] = {}
        self._writes: dict[Use, bool] = {}
        self._aliasing_values: dict[Use, Sequence[AliasingValue]] = {}
        self._aliasing_operands: dict[SSAValue, Sequence[AliasingOperand]] = {}
        self._value_writes: dict[SSAValue, bool] = {}
        self._value_read: dict[SSAValue, bool] = {}
        self._definitions: dict[SSAValue, tuple[SSAValue, ...]] = {}
        self._definition_sources: dict[SSAValue, Sequence[SSAValue] | None] = {}

    def bufferizes_to_memory_read(self, operand: Use) -> bool:
        known = self._reads.get(operand)
        if known is None:
            known = self._reads[operand] = super().bufferizes_to_memory_read(operand)
        return known

    def bufferizes_to_memory_write(self, operand: Use) -> bool:
        known = self._writes.get(operand)
        if known is None:
            known = self._writes[operand] = super().bufferizes_to_memory_write(operand)
        return known

    def value_bufferizes_to_memory_write(self, value: SSAValue) -> bool:
        known = self._value_writes.get(value)
        if known is None:
            known = super().value_bufferizes_to_memory_write(value)
            self._value_writes[value] = known
        return known

    def aliasing_values(self, operand: Use) -> Sequence[AliasingValue]:
        known = self._aliasing_values.get(operand)
        if known is None:
            known = self._aliasing_values[operand] = super().aliasing_values(operand)
        return known

    def aliasing_operands(self, value: SSAValue) -> Sequence[AliasingOperand]:
        known = self._aliasing_operands.get(value)
        if known is None:
            known = self._aliasing_operands[value] = super().aliasing_operands(value)
        return known

    def forget_relations(self) -> None:
        """Forget which values alias: relations become more precise as equivalences
        are found."""
        self._aliasing_values.clear()
        self._aliasing_operands.clear()

    def is_value_read(self, value: SSAValue) -> bool:
        """Linear over all calls: visited values are cached, as read along the path to
        the read that was found, or as not read if there is none."""
        known = self._value_read.get(value)
        if known is not None:
            return known
        came_from: dict[SSAValue, SSAValue | None] = {value: None}
        worklist = [value]
        while worklist:
            current = worklist.pop()
            if self._value_read.get(current) or any(
                self.bufferizes_to_memory_read(use) for use in current.uses
            ):
                step: SSAValue | None = current
                while step is not None:
                    self._value_read[step] = True
                    step = came_from[step]
                return True
            for use in current.uses:
                if not self.bufferizes_to_alias_only(use):
                    continue
                for alias in self.aliasing_values(use):
                    target = alias.value
                    if (
                        target not in came_from
                        and self._value_read.get(target) is not False
                    ):
                        came_from[target] = current
                        worklist.append(target)
        for visited in came_from:
            self._value_read[visited] = False
        return False

    def definition_sources(self, value: SSAValue) -> Sequence[SSAValue] | None:
        """The values whose definitions are those of a value; None if it is a definition
        itself."""
        known = self._definition_sources
        if value not in known:
            known[value] = (
                None
                if self.value_bufferizes_to_memory_write(value)
                else [get(alias.operand) for alias in self.aliasing_operands(value)]
            )
        return known[value]

    def find_definitions(self, value: SSAValue) -> tuple[SSAValue, ...]:
        """The definitions of a result are those of the operands it aliases; block
        arguments are definitions, so that there are no cycles."""
        definitions = self._definitions
        known = definitions.get(value)
        if known is not None:
            return known
        stack = [value]
        visiting: set[SSAValue] = set()
        while stack:
            current = stack[-1]
            if current in definitions:
                stack.pop()
                continue
            sources = self.definition_sources(current)
            if sources is None:
                definitions[current] = (current,)
                stack.pop()
                continue
            missing = [
                source
                for source in sources
                if source not in definitions and source not in visiting
            ]
            if missing:
                visiting.add(current)
                stack.extend(missing)
                continue
            stack.pop()
            if len(sources) == 1:
                definitions[current] = definitions.get(sources[0], ())
            else:
                definitions[current] = tuple(
                    dict.fromkeys(
                        definition
                        for source in sources
                        for definition in definitions.get(source, ())
                    )
                )
        return definitions[value]


def ops_reading(operand: Use) -> list[Operation]:
    """Return the ops that read the buffer of an operand which an op reads: that op, or
    for bufferization.to_buffer, the ops that use its result or a view of it. MLIR
    treats to_buffer itself as the reader, and allows the buffer to be overwritten
    before it is read."""
    ops = [operand.operation]
    if isinstance(ops[0], bufferization.ToBufferOp):
        seen = set(ops)
        for op in ops:
            for result in op.results:
                if isinstance(result.type, MEMREF_TYPES):
                    for use in result.uses:
                        if use.operation not in seen:
                            seen.add(use.operation)
                            ops.append(use.operation)
    return ops


def __getattr__(name: str) -> type[DefaultAnalysisState]:
    """Return the current object for a name of an earlier version."""
    if name != "AnalysisState":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(
        f"{__name__}.AnalysisState is DefaultAnalysisState now; the interface that "
        "models ask is xdsl_bufferization.interfaces.analysis_state.AnalysisState",
        DeprecationWarning,
        stacklevel=2,
    )
    return DefaultAnalysisState
