"""The values of pass options: parsing, checks and diagnostics.

The type of a pass's field determines the values of its option: `bool`, an integer
(`Unsigned`, `Alignment` or a `Literal` of some), a `Literal` of names, `str`, or a
tuple of one of these. All are parsed as by LLVM's command line, so that options written
for mlir-opt are accepted.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import (
    Annotated,
    Any,
    Literal,
    TypeAlias,
    get_args,
    get_origin,
    get_type_hints,
)

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ParameterListType, ParameterType
from xdsl.utils.exceptions import PassFailedException
from xdsl.utils.target import Target

from xdsl_bufferization.records import record

_BOOLEANS = {
    **dict.fromkeys(("true", "TRUE", "True", "1"), True),
    **dict.fromkeys(("false", "FALSE", "False", "0"), False),
}


@record
class IntegerSet:
    """The integers that an option may be."""

    description: str
    contains: Callable[[int], bool]


Unsigned: TypeAlias = Annotated[
    int, IntegerSet(f"an integer from 0 to {2**32 - 1}", range(2**32).__contains__)
]
"""An option that is a 32-bit integer without sign."""

Alignment: TypeAlias = Annotated[
    int,
    IntegerSet(
        "a power of two, or 0 for none",
        lambda value: 0 <= value < 2**63 and value & (value - 1) == 0,
    ),
]
"""An option that is an alignment in bytes, which an attribute of type i64 holds."""

IndexBitwidth: TypeAlias = Literal[8, 16, 32, 64]
"""An option that is the width of the index type in LLVM."""

Arena: TypeAlias = Literal["allocate", "argument", "stack"]
"""An option that says where a function gets the memory from that its buffers share."""


@record
class _Kind:
    """The values of an option."""

    choices: str
    """What to choose from."""
    read: Callable[[str], ParameterType | None]
    """Returns the value of a text, or None when it is not one of the choices. Reads one
    element of a list."""
    is_list: bool = False
    bare: ParameterListType | None = None
    """The value of the option's name alone; None when a value must be given."""


@cache
def _kinds(pass_class: type[ModulePass | Target]) -> Mapping[str, _Kind]:
    """Return what the fields of a pass accept. Fields of other types are left to xDSL."""
    hints = get_type_hints(pass_class, include_extras=True)
    kinds = {
        field.name: _kind(hints[field.name])
        for field in dataclasses.fields(pass_class)
        if field.init
    }
    return {name: kind for name, kind in kinds.items() if kind is not None}


def _kind(hint: Any) -> _Kind | None:
    if hint is bool:
        return _Kind("true or false", _BOOLEANS.get, bare=(True,))
    if hint is str:
        return _Kind("a text", lambda text: text)
    if hint is int:
        return _Kind("an integer", _integer)
    arguments = get_args(hint)
    match get_origin(hint):
        case origin if origin is Annotated and isinstance(arguments[1], IntegerSet):
            return _integers(arguments[1])
        case origin if origin is Literal:
            values = {str(value): value for value in arguments}
            return _Kind(_either(values), values.get)
        case origin if origin is tuple and arguments[1:] == (...,):
            element = _kind(arguments[0])
            return element and _Kind(
                f"a list, each {element.choices}", element.read, True
            )
        case _:
            # A list of one element may be given as the element.
            lists = (_kind(argument) for argument in arguments)
            return next((kind for kind in lists if kind and kind.is_list), None)


def _integer(text: str) -> int | None:
    try:
        return None if "_" in text else int(text, 0)
    except ValueError:
        return None


def _integers(integers: IntegerSet) -> _Kind:
    def read(text: str) -> int | None:
        value = _integer(text)
        return value if value is not None and integers.contains(value) else None

    return _Kind(integers.description, read)


def _either(choices: Iterable[str]) -> str:
    *others, last = choices
    return f"{', '.join(others)} or {last}" if others else last


def read_options(
    pass_class: type[ModulePass | Target], parameters: Mapping[str, ParameterListType]
) -> dict[str, ParameterListType]:
    """Return the values of the options of a pass or target, by the names of its fields.

    Raises:
        PassFailedException: for an option that the pass does not have, or a value that is
            not one of the option's.
    """
    kinds = _kinds(pass_class)
    fields = [field.name for field in dataclasses.fields(pass_class) if field.init]
    read: dict[str, ParameterListType] = {}
    for name, value in parameters.items():
        if name not in fields:
            what = "pass" if issubclass(pass_class, ModulePass) else "target"
            known = ", ".join(map(option_name, fields)) or "none"
            raise PassFailedException(
                f"{pass_class.name}: there is no option {option_name(name)}. The options "
                f"of this {what} are: {known}."
            )
        kind = kinds.get(name)
        read[name] = value if kind is None else _read(pass_class.name, name, kind, value)
    return read


def check_options(module_pass: ModulePass) -> None:
    """Raise PassFailedException when a field of a pass made in Python has a value that
    the option does not."""
    for name, kind in _kinds(type(module_pass)).items():
        value: ParameterType | ParameterListType = getattr(module_pass, name)
        elements = value if isinstance(value, tuple) else (value,)
        if elements or not kind.is_list:
            _read(module_pass.name, name, kind, elements)


def _read(
    pass_name: str, name: str, kind: _Kind, value: ParameterListType
) -> ParameterListType:
    if not value and kind.bare is not None:
        return kind.bare
    texts = [_text(element) for element in value]
    read = [element for text in texts if (element := kind.read(text)) is not None]
    if len(read) == len(texts) and (len(texts) == 1 or (texts and kind.is_list)):
        return tuple(read)
    given = f"is '{','.join(texts)}'" if texts else "has no value"
    raise PassFailedException(
        f"{pass_name}: {option_name(name)} {given}; it must be {kind.choices}"
    )


def option_name(field: str) -> str:
    """Return the name of an option, as it is written on the command line."""
    return field.replace("_", "-")


def _text(value: ParameterType) -> str:
    """Return a value as it is written on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)
