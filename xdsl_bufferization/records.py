"""Immutable records, for small classes that are defined at every start-up.

`@record` adds the same methods as `@dataclass(frozen=True)`: an initializer, comparison
by value, a hash, a printed form. A dataclass compiles code for each class, which takes
as long as importing a module; all records share their methods.

Passes stay dataclasses, because xDSL queries their fields, and so does any class whose
fields have default factories or whose instances are created with `replace`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform

ClassT = TypeVar("ClassT", bound=type[Any])

_set = object.__setattr__


@dataclass_transform(frozen_default=True)
def record(cls: ClassT) -> ClassT:
    """Make `cls` a record of its annotated fields, after those of its base classes.

    A base class may be a record or a frozen dataclass.
    """
    names = _field_names(cls)
    methods: dict[str, Any] = {
        "__match_args__": names,
        "__init__": _initializer(cls, names),
        "__repr__": _print,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        **_comparison(attrgetter(*names) if names else type),
    }
    for name, method in methods.items():
        setattr(cls, name, method)
    return cls


def _field_names(cls: type) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for base in reversed(cls.__mro__[1:]):
        names.update(dict.fromkeys(vars(base).get("__match_args__", ())))
    names.update(dict.fromkeys(vars(cls).get("__annotations__", ())))
    return tuple(names)


def _initializer(cls: type, names: tuple[str, ...]) -> Callable[..., None]:
    count, class_name = len(names), cls.__qualname__

    def __init__(self: Any, *values: Any, **named: Any) -> None:
        for name, value in zip(names, values, strict=False):
            _set(self, name, value)
        if len(values) == count and not named:
            return
        rest = names[len(values) :]
        for name, value in named.items():
            if name not in rest:
                raise TypeError(f"{class_name}() got an unexpected argument {name!r}")
            _set(self, name, value)
        if len(values) > count:
            raise TypeError(f"{class_name}() takes {count} arguments, not {len(values)}")
        for name in rest:
            # A default is an attribute of the class.
            if name not in named and not hasattr(cls, name):
                raise TypeError(f"{class_name}() needs an argument {name!r}")

    return __init__


def _comparison(values_of: Callable[[Any], Any]) -> dict[str, Any]:
    def __eq__(self: Any, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values_of(self) == values_of(other)

    def __hash__(self: Any) -> int:
        return hash(values_of(self))

    return {"__eq__": __eq__, "__hash__": __hash__}


def _print(self: Any) -> str:
    fields = (f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{type(self).__qualname__}({', '.join(fields)})"


def _refuse(self: object, name: str, *value: object) -> NoReturn:
    raise FrozenInstanceError(f"{name!r} of {type(self).__qualname__} is fixed")
