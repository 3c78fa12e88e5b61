"""Diagnostics for errors in models of user-defined dialects.

An error in a model appears somewhere else: in the analysis, as a TypeError, or in a
later pass, as wrong IR. The functions here name the op, the model and the method. They
run only after a failure, so that correct models incur no cost.

Exceptions in models of this package are bugs of the package, and are not converted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from xdsl.ir import Operation, SSAValue, Use
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import (
    DiagnosticException,
    PassFailedException,
    VerifyException,
)

from xdsl_bufferization.error_positions import name_of
from xdsl_bufferization.interfaces.aliasing import (
    AliasingOperand,
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.bufferizable import (
    BUFFERIZABLE,
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.operands import get, operands_of, own_operand
from xdsl_bufferization.interfaces.types import TENSOR_TYPES, has_tensor_semantics

_PACKAGE = __name__.partition(".")[0]


def is_of_this_package(model: object) -> bool:
    """Whether a model comes with this package, rather than with a dialect of a user's."""
    return type(model).__module__.partition(".")[0] == _PACKAGE


def method_of(model: object, method: str) -> str:
    """A method of a model, as an error names it."""
    return f"{type(model).__name__}.{method}"


def kind_of(answer: object) -> str:
    """What a model returned, as an error names it."""
    if answer is None or isinstance(answer, bool | int | str):
        return repr(answer)
    kind = type(answer).__name__
    return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"


def refuse(
    op: Operation, model: object, method: str, problem: str
) -> PassFailedException:
    """The error for what a method of a model does wrong."""
    return PassFailedException(
        f"{name_of(op)}: {method_of(model, method)} {problem}{describe(op)}"
    )


def raised(
    op: Operation, model: object, method: str, error: Exception
) -> PassFailedException:
    """The error for an exception in a method of a model."""
    return refuse(op, model, method, f"raised {type(error).__name__}: {error}")


def own_aliases(
    op: Operation, model: object, aliases: Sequence[AliasingOperand]
) -> Sequence[AliasingOperand]:
    """Return what `aliasing_operands` of a model returned, with the uses of the ops
    themselves in place of those that the model built.

    Raises:
        PassFailedException: when there is no such operand.
    """
    if all(own_operand(alias.operand) is alias.operand for alias in aliases):
        return aliases
    found: list[AliasingOperand] = []
    for alias in aliases:
        operand = own_operand(alias.operand)
        if operand is None:
            user, index = alias.operand.operation, alias.operand.index
            raise refuse(
                op,
                model,
                "aliasing_operands",
                f"returned operand #{index} of {name_of(user)}, which has "
                f"{len(operands_of(user))} operands",
            )
        found.append(AliasingOperand(operand, alias.relation, alias.is_definite))
    return found


def find_wrong_answer(
    ops: Iterable[Operation], state: AnalysisState
) -> PassFailedException | None:
    """Ask the models of the user's dialects all that the analysis asks. Return the error
    for the first answer that is an exception or of the wrong type, or for the first op
    that its model is not for."""
    for op in ops:
        model = BUFFERIZABLE.lookup(op)
        if model is None or not has_tensor_semantics(op):
            continue
        if (misfit := _find_misfit(op, model)) is not None:
            return misfit
        if is_of_this_package(model):
            continue
        for method, arguments, expected, is_right in _questions(op, state):
            try:
                answer: object = getattr(model, method)(*arguments)
                right = is_right(answer)
            except DiagnosticException:
                continue
            except Exception as error:
                return raised(op, model, method, error)
            if not right:
                return refuse(
                    op, model, method, f"returned {answer!r}; it must return {expected}"
                )
    return None


def _find_misfit(
    op: Operation, model: BufferizableOpInterface
) -> PassFailedException | None:
    """What a model that verifies ops says of an op. The verifier of the op says the same,
    but only where the model is one of its traits and not attached from outside."""
    if isinstance(model, OpTrait):
        try:
            model.verify(op)
        except VerifyException as error:
            return PassFailedException(f"{error}{describe(op)}")
    return None


_Question = tuple[str, Sequence[object], str, Callable[[Any], bool]]


def _questions(op: Operation, state: AnalysisState) -> Iterable[_Question]:
    """The methods to call: name, arguments, what is expected in words, and whether an
    answer is that."""
    flag = "True or False"
    values = "a sequence of AliasingValue; () if the op shares no buffer of the operand"
    uses = "a sequence of AliasingOperand; () if the value shares no buffer of an operand"
    for operand in operands_of(op):
        if not isinstance(get(operand).type, TENSOR_TYPES):
            continue
        for method in (
            "bufferizes_to_memory_read",
            "bufferizes_to_memory_write",
            "must_bufferize_in_place",
        ):
            yield method, (op, operand, state), flag, _is_flag
        yield "aliasing_values", (op, operand, state), values, _are_values
    for result in op.results:
        if isinstance(result.type, TENSOR_TYPES):
            yield "bufferizes_to_allocation", (op, result), flag, _is_flag
            for method in ("result_bufferizes_to_memory_write", "is_writable"):
                yield method, (op, result, state), flag, _is_flag
            yield "aliasing_operands", (op, result, state), uses, _are_operands
    for number in range(len(op.regions)):
        for method in ("is_repetitive_region", "is_parallel_region"):
            yield method, (op, number), flag, _is_flag


def _is_flag(answer: object) -> bool:
    return isinstance(answer, bool)


def _are_values(answer: object) -> bool:
    return isinstance(answer, Sequence) and all(
        isinstance(alias, AliasingValue)
        and isinstance(cast(object, alias.value), SSAValue)
        and isinstance(cast(object, alias.relation), BufferRelation)
        for alias in cast(Sequence[object], answer)
    )


def _are_operands(answer: object) -> bool:
    return isinstance(answer, Sequence) and all(
        isinstance(alias, AliasingOperand)
        and isinstance(cast(object, alias.operand), Use)
        and isinstance(cast(object, alias.relation), BufferRelation)
        for alias in cast(Sequence[object], answer)
    )
