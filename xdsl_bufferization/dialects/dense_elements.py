"""Dense constants of which all elements are equal, stored as one element.

`dense<0.0> : tensor<128x1014x508xf64>` is one number to MLIR. To xDSL 0.74 it is a list
of 66 million, and then half a gigabyte of bytes. Here, a large constant of equal elements
keeps the bytes of one element and how often it is repeated; parsing, printing and most
questions one asks such a constant take no more than that. Whoever reads the bytes
themselves gets all of them, as before.

Elements are equal when their bits are: a constant of 0.0 and -0.0, which xDSL prints as
one of 0.0, is printed in full.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from itertools import repeat
from math import prod
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, TensorType
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

_LARGE = 1 << 16
"""From this number of bytes on, a constant of equal elements is stored as one."""

_NO_ELEMENT = (MLIRTokenKind.L_SQUARE, MLIRTokenKind.STRING_LIT, MLIRTokenKind.GREATER)
"""What follows `dense<` where no single element does."""


class Repetition(NamedTuple):
    """The bytes of one element, and how often they are repeated."""

    element: bytes
    times: int


def _repeated_bytes(element: bytes, count: int) -> BytesAttr:
    """Return an attribute whose bytes are made on demand: it has no `data` of its own, so
    that the class is asked (`_MadeBytes`)."""
    attribute = object.__new__(BytesAttr)
    vars(attribute)["repetition"] = Repetition(element, count)
    return attribute


def repetition_of(constant: DenseIntOrFPElementsAttr[Any]) -> Repetition | None:
    """Return the element that a large constant repeats, or None when the constant is
    small or has different elements."""
    return vars(constant.data).get("repetition")


class _MadeBytes:
    """`BytesAttr.data` of an attribute that has none of its own."""

    def __get__(self, attribute: BytesAttr | None, owner: object = None) -> Any:
        if attribute is None:
            return self
        element, count = vars(attribute)["repetition"]
        return element * count


def repeated_element(
    constant: DenseIntOrFPElementsAttr[Any],
) -> DenseIntOrFPElementsAttr[Any] | None:
    """Return a constant of the one element that a large constant repeats, or None."""
    repetition = repetition_of(constant)
    if repetition is None:
        return None
    type_ = TensorType[Any](constant.get_element_type(), [1])
    return DenseIntOrFPElementsAttr(type_, BytesAttr(repetition.element))


def amend_dense_elements() -> None:
    """Let xDSL parse, store and print large constants of equal elements as one."""
    _amend_bytes()
    _amend_parser()
    _amend_construction()
    _amend_length()
    for name in ("get_values", "get_attrs"):
        _amend_question(name, lambda values, count: tuple(values) * count)
    for name in ("iter_values", "iter_attrs"):
        _amend_question(name, lambda values, count: repeat(next(values), count))
    _amend_printing()


def _amend_bytes() -> None:
    equal, hashed = BytesAttr.__eq__, BytesAttr.__hash__

    def is_equal(self: BytesAttr, other: object) -> Any:
        mine = vars(self).get("repetition")
        if not isinstance(other, BytesAttr):
            return NotImplemented
        theirs = vars(other).get("repetition")
        if mine is None and theirs is None:
            return equal(self, other)
        return mine == theirs

    def hash_of(self: BytesAttr) -> int:
        repetition = vars(self).get("repetition")
        return hashed(self) if repetition is None else hash(repetition)

    made_bytes: Any = _MadeBytes()
    BytesAttr.data = made_bytes
    BytesAttr.__eq__ = wraps(equal)(is_equal)
    BytesAttr.__hash__ = wraps(hashed)(hash_of)


def _amend_parser() -> None:
    parse_elements = AttrParser.parse_dense_int_or_fp_elements_attr

    def parse_any(self: Any, type: Any) -> DenseIntOrFPElementsAttr[Any]:
        start = self.pos
        self.parse_punctuation("<", " in dense attribute")
        if self._current_token.kind in _NO_ELEMENT:
            self._resume_from(start)
            return parse_elements(self, type)
        element = self._parse_tensor_literal_element()
        self.parse_punctuation(">", " in dense attribute")
        if type is None:
            self.parse_punctuation(":", " in dense attribute")
            type = self._parse_dense_literal_type()
        value = element.to_type(self, type.element_type)
        values = [value] if prod(type.get_shape()) else []
        return DenseIntOrFPElementsAttr.from_list(type, values)

    @wraps(parse_elements)
    def parse(self: Any, type: Any) -> DenseIntOrFPElementsAttr[Any]:
        start = self.pos
        try:
            return parse_any(self, type)
        except NotImplementedError:
            # xDSL packs elements with the struct module.
            message = (
                "dense constants of integers of more than 64 bits are not supported; "
                "extend one of i64 with arith.extsi"
            )
            span = Span(start, self.pos, self.lexer.input)
            raise ParseError(span, message) from None

    AttrParser.parse_dense_int_or_fp_elements_attr = parse


def _amend_construction() -> None:
    make = cast("Callable[..., Any]", DenseIntOrFPElementsAttr.from_list)

    @wraps(make)
    def from_list(type: Any, data: Sequence[Any]) -> DenseIntOrFPElementsAttr[Any]:
        count = prod(type.get_shape())
        size = type.element_type.compile_time_size
        if count < 2 or count * size < _LARGE:
            return make(type, data)
        if len(data) == 1:
            one = make(TensorType[Any](type.element_type, [1]), data).data.data
        else:
            constant = make(type, data)
            packed = constant.data.data
            one = packed[:size]
            if len(packed) != count * size or packed[size:] != packed[:-size]:
                return constant
        return DenseIntOrFPElementsAttr(type, _repeated_bytes(one, count))

    DenseIntOrFPElementsAttr.from_list = staticmethod(from_list)


def _amend_length() -> None:
    length = DenseIntOrFPElementsAttr.__len__

    @wraps(length)
    def known_length(self: DenseIntOrFPElementsAttr[Any]) -> int:
        repetition = repetition_of(self)
        return length(self) if repetition is None else repetition.times

    DenseIntOrFPElementsAttr.__len__ = known_length


def _amend_question(name: str, repeated: Callable[[Any, int], Any]) -> None:
    """Let a method answer for the one element, and repeat the answer."""
    answer = getattr(DenseIntOrFPElementsAttr, name)

    @wraps(answer)
    def answer_once(self: DenseIntOrFPElementsAttr[Any]) -> Any:
        one = repeated_element(self)
        return answer(self) if one is None else repeated(answer(one), len(self))

    setattr(DenseIntOrFPElementsAttr, name, answer_once)


def _amend_printing() -> None:
    print_all = DenseIntOrFPElementsAttr.print_without_type

    def is_splat(self: DenseIntOrFPElementsAttr[Any]) -> bool:
        if repetition_of(self) is not None:
            return True
        data, size = self.data.data, self.get_element_type().compile_time_size
        return data[size:] == data[:-size]

    @wraps(print_all)
    def print_without_type(self: DenseIntOrFPElementsAttr[Any], printer: Printer) -> None:
        print_all(repeated_element(self) or self, printer)

    DenseIntOrFPElementsAttr.is_splat = wraps(DenseIntOrFPElementsAttr.is_splat)(is_splat)
    DenseIntOrFPElementsAttr.print_without_type = print_without_type
