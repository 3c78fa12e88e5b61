"""The syntax that functions of several dialects share."""

from __future__ import annotations

from typing import Protocol

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, StringAttr
from xdsl.dialects.utils import print_func_op_like
from xdsl.ir import Attribute, Region
from xdsl.printer import Printer

FUNCTION_SYNTAX = (
    "sym_name",
    "function_type",
    "sym_visibility",
    "arg_attrs",
    "res_attrs",
)
"""The properties that the syntax has a place for."""


class Function(Protocol):
    """An op of the form of func.func."""

    @property
    def sym_name(self) -> StringAttr: ...
    @property
    def function_type(self) -> FunctionType: ...
    @property
    def arg_attrs(self) -> ArrayAttr[DictionaryAttr] | None: ...
    @property
    def res_attrs(self) -> ArrayAttr[DictionaryAttr] | None: ...
    @property
    def body(self) -> Region: ...
    @property
    def attributes(self) -> dict[str, Attribute]: ...


def print_visibility(printer: Printer, visibility: StringAttr | None) -> None:
    if visibility is not None:
        printer.print_string(f" {visibility.data}")


def print_function(printer: Printer, function: Function) -> None:
    """Print a function, without its visibility."""
    print_func_op_like(
        printer,
        function.sym_name,
        function.function_type,
        function.body,
        function.attributes,
        arg_attrs=function.arg_attrs,
        res_attrs=function.res_attrs,
        reserved_attr_names=FUNCTION_SYNTAX,
    )
