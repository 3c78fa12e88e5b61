"""What a symbol names, found in constant time for all uses in a module but the first."""

from __future__ import annotations

from typing import TypeAlias
from weakref import WeakKeyDictionary, WeakValueDictionary

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.traits import SymbolTable

_Symbols: TypeAlias = WeakValueDictionary[str, Operation]
_symbols_of: WeakKeyDictionary[Operation, _Symbols] = WeakKeyDictionary()
"""The symbols of modules, as they were when they were last searched."""


def symbol_table_of(user: Operation) -> Operation | None:
    """Return the op around `user` in which its symbols are looked up."""
    scope = user.parent_op()
    while scope is not None and not scope.has_trait(
        SymbolTable, value_if_unregistered=False
    ):
        scope = scope.parent_op()
    return scope


def find_symbol(user: Operation, name: SymbolRefAttr) -> Operation | None:
    """Return the op that a symbol names where `user` is, or None. What was found in a
    module is remembered and looked at again, to see that it still is there and has that
    name."""
    if name.nested_references.data:
        return SymbolTable.lookup_symbol(user, name)
    scope = symbol_table_of(user)
    if scope is None:
        return None
    wanted = name.root_reference.data
    known = _symbols_of.get(scope)
    found = None if known is None else known.get(wanted)
    if found is None or found.parent_op() is not scope or _name_of(found) != wanted:
        known = _symbols_of[scope] = WeakValueDictionary()
        for op in scope.regions[0].block.ops:
            if (symbol := _name_of(op)) is not None:
                known[symbol] = op
        found = known.get(wanted)
    return found


def _name_of(op: Operation) -> str | None:
    name = op.get_attr_or_prop("sym_name")
    return name.data if isinstance(name, StringAttr) else None
