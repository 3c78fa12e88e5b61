"""Models of user-defined dialects, with every answer checked.

A false answer of the right type makes wrong programs; one of a wrong type, or an
exception, would show itself somewhere else, without the op or the model. So tables give
models that are not of this package as objects that ask the model, and compare what it
returns with the annotation of the method in the protocol of the interface.

Uses are compared, and found in dictionaries, by identity, but a model may build them from
an op and a number: the uses in an answer are replaced by those of the op itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from operator import is_
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from xdsl.ir import Operation, Use
from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization.error_positions import name_of
from xdsl_bufferization.interfaces.model_errors import (
    is_of_package,
    is_of_this_package,
    refuse,
)
from xdsl_bufferization.interfaces.operands import operands_of, own_operand

Check = Callable[[Operation, Any], Any]
"""What returns an answer about an op with the op's own uses, or raises WrongAnswer."""


_SEQUENCES = frozenset((list, tuple))


class WrongAnswer(Exception):
    """An answer is not of the type that the interface declares. The text says what is
    there instead: "None", "a sequence with an OpResult"."""


def checked(model: Any, interface: type, methods: Sequence[str]) -> Any:
    """Return a model of an interface that checks its answers: the model itself if it is
    of this package."""
    if isinstance(model, _CheckedModel) or is_of_this_package(model):
        return model
    return _CheckedModel(model, interface, methods)


class _CheckedModel:
    """A model of a user's dialect, as one of an interface. It has the class of the model
    and all its attributes, except that the methods of the interface check answers.

    Raises:
        PassFailedException: from these methods, when the model raises an exception that
            is no diagnostic, or returns something of another type than they declare.
    """

    def __init__(self, model: object, interface: type, methods: Sequence[str]):
        self._model = model
        for method in methods:
            check, words = _declared_answer(interface, method)
            setattr(self, method, _checked_method(model, method, check, words))

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self._model.__class__

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)


def _checked_method(
    model: object, method: str, check: Check | None, words: str
) -> Callable[..., Any]:
    ask = getattr(model, method)

    def checked_method(op: Operation, *arguments: Any, **named: Any) -> Any:
        try:
            answer = ask(op, *arguments, **named)
        except DiagnosticException:
            raise
        except Exception as error:
            problem = f"raised {type(error).__name__}: {error}"
            raise refuse(op, model, method, problem) from error
        if check is None:
            return answer
        try:
            return check(op, answer)
        except WrongAnswer as wrong:
            problem = f"returned {wrong}; it must return {words}"
            raise refuse(op, model, method, problem) from None

    return checked_method


@cache
def _declared_answer(interface: type, method: str) -> tuple[Check | None, str]:
    """Return what checks the answers of a method, None if it returns nothing, and what it
    must return in words."""
    scope = vars(sys.modules[interface.__module__])
    for base in interface.__mro__:
        if method in vars(base):
            scope = vars(sys.modules[base.__module__])
            break
    annotation = getattr(interface, method).__annotations__["return"]
    type_ = eval(annotation, dict(scope)) if isinstance(annotation, str) else annotation
    if type_ is None:
        return None, "nothing"
    return _check_of(type_), _words_of(type_)


@cache
def _check_of(type_: Any) -> Check:
    """Return what checks answers of a type, as an annotation has it."""
    origin = get_origin(type_)
    if type_ is Use:
        return _own_use
    if origin in (Union, UnionType):
        return partial(_check_union, [_check_of(each) for each in get_args(type_)])
    if origin is tuple and Ellipsis not in get_args(type_):
        return partial(_check_tuple, [_check_of(each) for each in get_args(type_)])
    if origin is not None:
        return partial(_check_sequence, _check_of(get_args(type_)[0]))
    if is_of_package(type_) and getattr(type_, "__match_args__", ()):
        return partial(_check_record, type_)
    return partial(_check_class, type_)


def _own_use(op: Operation, answer: Any) -> Use:
    if answer.__class__ is not Use:
        raise WrongAnswer(_kind_of(answer))
    user, index = answer.operation, answer.index
    if user is not op and not op.is_ancestor(user):
        raise WrongAnswer(f"an operand of {name_of(user)}, another op")
    own = own_operand(answer)
    if own is None:
        count = len(operands_of(user))
        raise WrongAnswer(f"operand #{index} of {name_of(user)}, which has {count}")
    return own


def _check_class(type_: type, op: Operation, answer: Any) -> Any:
    if not isinstance(answer, type_):
        raise WrongAnswer(_kind_of(answer))
    return answer


def _check_union(options: Sequence[Check], op: Operation, answer: Any) -> Any:
    for option in options[:-1]:
        try:
            return option(op, answer)
        except WrongAnswer:
            pass
    return options[-1](op, answer)


def _check_sequence(check: Check, op: Operation, answer: Any) -> Any:
    # Asking an abstract base class takes longer than all else here.
    if answer.__class__ not in _SEQUENCES and not isinstance(answer, Sequence):
        raise WrongAnswer(_kind_of(answer))
    items = cast("Sequence[Any]", answer)
    if not items:
        return items
    try:
        found = [check(op, item) for item in items]
    except WrongAnswer as wrong:
        raise WrongAnswer(f"a sequence with {wrong}") from None
    return items if all(map(is_, found, items)) else found


def _check_tuple(checks: Sequence[Check], op: Operation, answer: Any) -> Any:
    _check_class(tuple, op, answer)
    if len(answer) != len(checks):
        raise WrongAnswer(f"a tuple of {len(answer)}")
    return _check_fields(checks, op, answer, answer) or answer


def _check_record(type_: type, op: Operation, answer: Any) -> Any:
    """Check a record of this package, or a named tuple."""
    _check_class(type_, op, answer)
    checks = _checks_of_fields(answer.__class__)
    fields = [getattr(answer, name) for name in answer.__match_args__]
    found = _check_fields(checks, op, answer, fields)
    return answer if found is None else answer.__class__(*found)


@cache
def _checks_of_fields(type_: Any) -> Sequence[Check]:
    """Found when there is an answer: a record may have fields of its own type."""
    hints = get_type_hints(type_)
    return [_check_of(hints[name]) for name in type_.__match_args__]


def _check_fields(
    checks: Sequence[Check], op: Operation, answer: object, fields: Sequence[Any]
) -> tuple[Any, ...] | None:
    """Return the fields of an answer with the op's own uses; None if they are these."""
    try:
        found = [check(op, field) for check, field in zip(checks, fields, strict=False)]
    except WrongAnswer as wrong:
        raise WrongAnswer(f"{_kind_of(answer)} of {wrong}") from None
    return None if all(map(is_, found, fields)) else tuple(found)


def _kind_of(answer: object) -> str:
    if answer is None or isinstance(answer, bool | int | str):
        return repr(answer)
    return _with_article(type(answer).__name__)


def _words_of(type_: Any) -> str:
    """Return what an annotation means."""
    arguments = get_args(type_)
    origin = get_origin(type_)
    if type_ is Use:
        return "a Use (an item of operands_of(op))"
    if type_ is bool:
        return "True or False"
    if type_ is NoneType:
        return "None"
    if origin in (Union, UnionType):
        return " or ".join(map(_words_of, arguments))
    if origin is tuple:
        return f"a tuple of {' and '.join(map(_words_of, arguments))}"
    if origin is not None:
        return f"a sequence, of which each item is {_words_of(arguments[0])}"
    return _with_article(type_.__name__)


def _with_article(name: str) -> str:
    return f"{'an' if name[0] in 'AEIOU' or name == 'int' else 'a'} {name}"
