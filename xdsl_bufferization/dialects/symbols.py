"""The symbols that attributes mention."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xdsl.dialects import builtin
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    SymbolRefAttr,
    UnregisteredAttr,
)
from xdsl.ir import Attribute, ParametrizedAttribute

_NAME = re.compile(r'@(?:([\w$.-]+)|"([^"]*)")')

_WITHOUT_SYMBOLS: dict[type[Attribute], bool] = {}
"""For each class of attributes whether it is one that can hold no symbol."""


def symbols_in(attribute: Attribute) -> Iterator[SymbolRefAttr]:
    """Yield the symbol references in an attribute, at any depth.

    Of an attribute whose dialect is not known, whatever looks like one in its text.
    """
    kind = type(attribute)
    without = _WITHOUT_SYMBOLS.get(kind)
    if without is None:
        without = _WITHOUT_SYMBOLS[kind] = _holds_no_symbol(kind)
    if without:
        return
    match attribute:
        case SymbolRefAttr():
            yield attribute
        case ArrayAttr():
            for element in attribute.data:
                yield from symbols_in(element)
        case DictionaryAttr():
            for element in attribute.data.values():
                yield from symbols_in(element)
        case UnregisteredAttr():
            for found in _NAME.finditer(attribute.value.data):
                yield SymbolRefAttr(found[1] or found[2])
        case ParametrizedAttribute():
            for parameter in attribute.parameters:
                yield from symbols_in(parameter)
        case _:
            return


def _holds_no_symbol(kind: type[Attribute]) -> bool:
    """Whether a class is one of the attributes of builtin that are no containers."""
    containers = (SymbolRefAttr, ArrayAttr, DictionaryAttr, UnregisteredAttr)
    return kind.__module__ == builtin.__name__ and not issubclass(kind, containers)
