"""The answers of a model, compared with the behaviour of its op.

Only answers that lead to wrong programs are errors: a model that declares a read, a
write or an alias that never happens costs copies, and is accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue, Use
from xdsl.traits import MemoryEffectKind

from xdsl_bufferization.analysis.facts.forwarded_values import may_become
from xdsl_bufferization.analysis.facts.strongly_connected import reachable
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.dialects.shapes import is_tensor
from xdsl_bufferization.interfaces.aliasing import BufferRelation
from xdsl_bufferization.interfaces.bufferizable import (
    BUFFERIZABLE,
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH
from xdsl_bufferization.testing.observation import Observation


@dataclass(frozen=True)
class WrongAnswer:
    """An answer of a model that is not what happens."""

    answer: str
    """The method that gives it, or what else is wrong."""
    problem: str
    """What happens instead, in a sentence."""
    program: str
    """The program that shows it."""

    def __str__(self) -> str:
        return f"{self.answer}: {self.problem}\n{self.program}"


@dataclass(frozen=True)
class _Judged:
    """An op before bufferization, its model, and what the op does."""

    op: Operation
    model: BufferizableOpInterface
    state: DefaultAnalysisState
    seen: Observation
    names: Sequence[tuple[Use, str]]
    """The tensor operands that are arguments, with their names."""

    def wrong(self, method: str, problem: str) -> WrongAnswer:
        name = f"{self.model.__class__.__name__}.{method}"
        return WrongAnswer(name, f"{self.op.name}: {problem}", self.seen.program)


def find_wrong_answers(
    op: Operation, seen: Observation, state: DefaultAnalysisState
) -> list[WrongAnswer]:
    """Return the answers of the model of `op` that differ from what was observed."""
    model = BUFFERIZABLE.lookup(op)
    if model is None:
        return [
            WrongAnswer("model", f"{op.name} has no model of a dialect", seen.program)
        ]
    names = [
        (operand, f"%{get(operand).name_hint}")
        for operand in operands_of(op)
        if isinstance(get(operand).type, TensorType)
        and f"%{get(operand).name_hint}" in seen.needed
    ]
    judged = _Judged(op, model, state, seen, names)
    return [
        *_wrong_reads_and_writes(judged),
        *_wrong_aliases(judged),
        *_wrong_results(judged),
        *_wrong_regions(judged),
        *_wrong_effects(judged),
    ]


def _wrong_reads_and_writes(judged: _Judged) -> Iterable[WrongAnswer]:
    op, model, state, seen = judged.op, judged.model, judged.state, judged.seen
    for operand, name in judged.names:
        where = f"the buffer of operand #{operand.index} ({name})"
        is_written = name in seen.written
        if is_written and not model.bufferizes_to_memory_write(op, operand, state):
            yield judged.wrong(
                "bufferizes_to_memory_write", f"{where} is declared not written, but is"
            )
        # What only passes a buffer on makes results depend on its contents unread.
        passed_on = (
            set[int]()
            if is_written
            else {number for argument, number in seen.overlaps if argument == name}
        )
        needed = seen.needed[name] - passed_on
        if needed and not model.bufferizes_to_memory_read(op, operand, state):
            yield judged.wrong(
                "bufferizes_to_memory_read",
                f"{where} is declared not read, but its contents decide what is in "
                f"{_listed(needed)}",
            )


def _wrong_aliases(judged: _Judged) -> Iterable[WrongAnswer]:
    op, model, state, seen = judged.op, judged.model, judged.state, judged.seen
    for operand, name in judged.names:
        declared = {
            alias.value: alias for alias in model.aliasing_values(op, operand, state)
        }
        for result in op.results:
            if not isinstance(result.type, TensorType):
                continue
            pair = (name, result.index)
            # A loop may forward it to other results than its own, which are no aliases
            # for the model.
            is_forwarded = (
                bool(op.regions and declared)
                and result not in declared
                and result in _reached(operand, state)
            )
            inverse = [
                alias
                for alias in model.aliasing_operands(op, result, state)
                if alias.operand is operand
            ]
            where = f"operand #{operand.index} ({name}) and result #{result.index}"
            if pair in seen.overlaps and not is_forwarded:
                if result not in declared:
                    yield judged.wrong(
                        "aliasing_values",
                        f"{where} share a buffer, which is not declared",
                    )
                if not inverse:
                    yield judged.wrong(
                        "aliasing_operands",
                        f"{where} share a buffer, which is not declared",
                    )
            relations = [alias.relation for alias in inverse]
            if result in declared:
                relations.append(declared[result].relation)
            is_definite = any(alias.is_definite for alias in inverse)
            if BufferRelation.EQUIVALENT in relations and (
                pair in seen.overlaps - seen.same
                or (is_definite and pair in seen.different)
            ):
                yield judged.wrong(
                    "aliasing_values",
                    f"{where} are declared EQUIVALENT, but are not one buffer with the "
                    "same offset and strides",
                )
    shared = {frozenset(pair) for pair in model.results_sharing_buffers(op, state)}
    for first, second in seen.shared_results:
        values = (op.results[first], op.results[second])
        roots = [
            {get(alias.operand) for alias in model.aliasing_operands(op, value, state)}
            for value in values
        ]
        if not roots[0] & roots[1] and frozenset[SSAValue](values) not in shared:
            yield judged.wrong(
                "results_sharing_buffers",
                f"results #{first} and #{second} share a buffer, which is not declared",
            )


def _reached(operand: Use, state: DefaultAnalysisState) -> dict[SSAValue, None]:
    """Return the values that may have the buffer of an operand, or a part of it."""
    return reachable(
        may_become(operand, state),
        lambda value: [new for use in value.uses for new in may_become(use, state)],
    )


def _wrong_results(judged: _Judged) -> Iterable[WrongAnswer]:
    op, model, state, seen = judged.op, judged.model, judged.state, judged.seen
    for result in op.results:
        if not is_tensor(result.type) or 0 in result.type.get_shape():
            continue
        is_allocation = model.bufferizes_to_allocation(op, result)
        operands = {name for name, number in seen.overlaps if number == result.index}
        if operands and op.regions and not model.aliasing_operands(op, result, state):
            yield judged.wrong(
                "aliasing_operands",
                f"result #{result.index} is declared to share no buffer, but is in that "
                f"of {', '.join(sorted(operands))}",
            )
        where = f"the buffer of result #{result.index}"
        if operands and is_allocation:
            yield judged.wrong(
                "bufferizes_to_allocation",
                f"{where} is declared a new allocation, but is that of "
                f"{', '.join(sorted(operands))}",
            )
        is_made_elsewhere = op.regions or CALL.lookup(op) is not None
        if (
            not operands
            and seen.allocations
            and not is_allocation
            and not is_made_elsewhere
        ):
            yield judged.wrong(
                "bufferizes_to_allocation",
                f"{where} is a new allocation, which is not declared",
            )
        if not operands and not seen.allocations and model.is_writable(op, result, state):
            yield judged.wrong(
                "is_writable",
                f"{where} is declared writable, but is neither allocated by the op nor "
                "that of an operand",
            )
        defines = (
            bool(operands & seen.written)
            if operands
            else result.index not in seen.poisoned
        )
        if defines and not model.result_bufferizes_to_memory_write(op, result, state):
            yield judged.wrong(
                "result_bufferizes_to_memory_write",
                f"the contents of result #{result.index} are declared undefined, or "
                "those of an operand, but the op writes them",
            )


def _wrong_regions(judged: _Judged) -> Iterable[WrongAnswer]:
    op, model, seen = judged.op, judged.model, judged.seen
    control_flow = REGION_BRANCH.lookup(op)
    for number, region in enumerate(op.regions):
        if number >= len(seen.executions):
            break
        count = seen.executions[number]
        if count > 1 and not model.is_repetitive_region(op, number):
            yield judged.wrong(
                "is_repetitive_region",
                f"region #{number} is declared to be executed at most once, but was "
                f"executed {count} times",
            )
        if control_flow is None or not count:
            continue
        entries = control_flow.get_successor_regions(op, None)
        others = [region for region in op.regions if region.blocks]
        after = [
            successor.region
            for other in others
            for successor in control_flow.get_successor_regions(op, other)
        ]
        if region not in [entry.region for entry in entries] and region not in after:
            yield judged.wrong(
                "get_successor_regions", f"region #{number} is executed, but no successor"
            )
        elif count > 1 and region not in after:
            yield judged.wrong(
                "get_successor_regions",
                f"region #{number} is executed {count} times, but is a successor of no "
                "region",
            )


def _wrong_effects(judged: _Judged) -> Iterable[WrongAnswer]:
    op, seen = judged.op, judged.seen
    if seen.effects is None:
        yield WrongAnswer(
            "memory effects",
            f"{op.name}: the op on memrefs declares none: put traits such as "
            "MemoryReadEffect() and MemoryWriteEffect() on its class, or Pure()",
            seen.program,
        )
        return
    fresh = any(
        isinstance(result.type, TensorType)
        and result.index not in seen.poisoned
        and not any(number == result.index for _, number in seen.overlaps)
        for result in op.results
    )
    if (seen.written or (fresh and seen.allocations)) and (
        MemoryEffectKind.WRITE not in seen.effects
    ):
        yield WrongAnswer(
            "memory effects",
            f"{op.name}: the op on memrefs writes memory, but declares no "
            "MemoryWriteEffect: it could be removed as unused",
            seen.program,
        )
    reads = any(
        needed - {number for argument, number in seen.overlaps if argument == name}
        for name, needed in seen.needed.items()
    )
    if reads and MemoryEffectKind.READ not in seen.effects:
        yield WrongAnswer(
            "memory effects",
            f"{op.name}: the op on memrefs reads memory, but declares no "
            "MemoryReadEffect: it could be moved over a write",
            seen.program,
        )


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(
        "other operands" if number < 0 else f"result #{number}"
        for number in sorted(numbers)
    )
