"""Dense constants of which all elements are equal, stored as one element.

`dense<0.0> : tensor<128x1014x508xf64>` is one number to MLIR. To xDSL 0.75 it is a list
of 66 million, and then half a gigabyte of bytes. Here, a large constant of equal elements
keeps the bytes of one element and how often it is repeated; parsing, printing and most
questions one asks such a constant take no more than that. Whoever reads the bytes
themselves gets all of them, as before: to xDSL, a constant with the bytes of one element
has one element, whatever its type says. `constant_of_bytes` makes constants that keep to
this, and `common_element` and `element_at` read single elements without making all.

Elements are equal when their bits are: a constant of 0.0 and -0.0, which xDSL prints as
one of 0.0, is printed in full.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from itertools import repeat
from math import prod
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import (
    AnyDenseElement,
    AnyFloat,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    Signedness,
    TensorType,
)
from xdsl.ir import Attribute
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRTokenKind

_LARGE = 1 << 16
"""From this number of bytes on, a constant of equal elements is stored as one."""

_NO_ELEMENT = (MLIRTokenKind.L_SQUARE, MLIRTokenKind.STRING_LIT, MLIRTokenKind.GREATER)
"""What follows `dense<` where no single element does."""


def has_dense_form(element_type: Attribute) -> bool:
    """Whether xDSL can store an array of elements of a type: it packs them with the
    struct module, which has no integers of more than 64 bits, no f80 and no f128."""
    try:
        return cast(Any, element_type).compile_time_size > 0
    except NotImplementedError:
        return False


class Repetition(NamedTuple):
    """The bytes of one element, and how often they are repeated."""

    element: bytes
    times: int


def _repeated_bytes(element: bytes, count: int) -> BytesAttr:
    """Return an attribute whose bytes are made on demand: it has no `data` of its own, so
    that the class is asked (`MadeBytes`)."""
    attribute = object.__new__(BytesAttr)
    vars(attribute)["repetition"] = Repetition(element, count)
    return attribute


def repetition_of(constant: DenseIntOrFPElementsAttr[Any]) -> Repetition | None:
    """Return the element that a large constant repeats, or None when the constant is
    small or has different elements."""
    return vars(constant.data).get("repetition")


class MadeBytes:
    """`BytesAttr.data` of an attribute that has none of its own."""

    def __get__(self, attribute: BytesAttr | None, owner: object = None) -> Any:
        if attribute is None:
            return self
        element, count = vars(attribute)["repetition"]
        return element * count


def constant_of_bytes(type: Any, data: bytes) -> DenseIntOrFPElementsAttr[Any]:
    """Return a constant of packed elements: of all, in row-major order, or of one that
    all are equal to."""
    count, size = prod(type.get_shape()), type.element_type.compile_time_size
    if count > 1 and count * size >= _LARGE and _can_make_bytes():
        element = _first_of_equal(data, size)
        if element is not None:
            return DenseIntOrFPElementsAttr(type, _repeated_bytes(element, count))
    all_ = data * count if len(data) == size else data
    return DenseIntOrFPElementsAttr(type, BytesAttr(all_))


def _can_make_bytes() -> bool:
    """Whether xDSL asks `MadeBytes` for bytes that an attribute does not have."""
    return isinstance(vars(BytesAttr).get("data"), MadeBytes)


def _first_of_equal(data: bytes, size: int) -> bytes | None:
    """Return the first of some packed elements if they are all equal to it."""
    first = data[:size]
    if not data or data[-size:] != first or data[size:] != data[:-size]:
        return None
    return first


def common_element(constant: DenseIntOrFPElementsAttr[Any]) -> bytes | None:
    """Return the bytes of the element that all elements are equal to, or None when they
    differ or there are none."""
    repetition = repetition_of(constant)
    if repetition is not None:
        return repetition.element
    size = constant.type.element_type.compile_time_size
    return _first_of_equal(constant.data.data, size)


def element_at(constant: DenseIntOrFPElementsAttr[Any], position: int) -> bytes:
    """Return the bytes of the element at a row-major position."""
    repetition = repetition_of(constant)
    if repetition is not None:
        return repetition.element
    size = constant.type.element_type.compile_time_size
    return constant.data.data[position * size : (position + 1) * size]


def repeated_element(
    constant: DenseIntOrFPElementsAttr[Any],
) -> DenseIntOrFPElementsAttr[Any] | None:
    """Return a constant of the one element that a large constant repeats, or None."""
    repetition = repetition_of(constant)
    if repetition is None:
        return None
    type_ = TensorType[Any](constant.get_element_type(), [1])
    return DenseIntOrFPElementsAttr(type_, BytesAttr(repetition.element))


def equal_element(constant: Attribute | None) -> IntegerAttr | FloatAttr | None:
    """Return the element of a dense constant whose elements all have the same bits: a
    signless integer, an index or a float other than NaN, which has many encodings. None
    of other attributes, and if there is no element."""
    if not isinstance(constant, DenseIntOrFPElementsAttr):
        return None
    value = cast("DenseIntOrFPElementsAttr[AnyDenseElement]", constant)
    if not _is_signless(value.get_element_type()) or not value.is_splat():
        return None
    if 0 in value.get_shape():
        return None
    one = repeated_element(value)
    element = (value if one is None else one).get_attrs()[0]
    number = element.value.data
    return element if number == number else None  # NaN is not itself.


def _is_signless(element_type: Attribute) -> bool:
    if isinstance(element_type, IntegerType):
        signedness = cast("IntegerType", element_type).signedness
        return signedness.data is Signedness.SIGNLESS
    return isinstance(element_type, IndexType | AnyFloat)


def equality_of_bytes(
    equal: Callable[[BytesAttr, object], Any],
) -> Callable[[BytesAttr, object], Any]:
    """Return `BytesAttr.__eq__` that compares repeated elements, not all bytes."""

    @wraps(equal)
    def is_equal(self: BytesAttr, other: object) -> Any:
        mine = vars(self).get("repetition")
        if not isinstance(other, BytesAttr):
            return NotImplemented
        theirs = vars(other).get("repetition")
        if mine is None and theirs is None:
            return equal(self, other)
        return mine == theirs

    return is_equal


def hash_of_bytes(hashed: Callable[[BytesAttr], int]) -> Callable[[BytesAttr], int]:
    """Return `BytesAttr.__hash__` that takes the repeated element, not all bytes."""

    @wraps(hashed)
    def hash_of(self: BytesAttr) -> int:
        repetition = vars(self).get("repetition")
        return hashed(self) if repetition is None else hash(repetition)

    return hash_of


def parse_one_element(
    parse_elements: Callable[[Any, Any], DenseIntOrFPElementsAttr[Any]],
) -> Callable[[Any, Any], DenseIntOrFPElementsAttr[Any]]:
    """Return the parser's method for `dense<...>` that reads one element as one."""

    @wraps(parse_elements)
    def parse(self: Any, type: Any) -> DenseIntOrFPElementsAttr[Any]:
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

    return parse


def store_one_element(make: Callable[..., Any]) -> Callable[..., Any]:
    """Return `from_list` that stores a large constant of equal elements as one."""

    @wraps(make)
    def from_list(type: Any, data: Sequence[Any]) -> DenseIntOrFPElementsAttr[Any]:
        count = prod(type.get_shape())
        size = type.element_type.compile_time_size
        if count < 2 or count * size < _LARGE:
            return make(type, data)
        if len(data) == 1:
            packed = make(TensorType[Any](type.element_type, [1]), data).data.data
        else:
            constant = make(type, data)
            if len(constant) != count:
                return constant
            packed = constant.data.data
        return constant_of_bytes(type, packed)

    return from_list


def known_length(length: Callable[[Any], int]) -> Callable[[Any], int]:
    """Return `__len__` that knows how often the element is repeated."""

    @wraps(length)
    def count(self: DenseIntOrFPElementsAttr[Any]) -> int:
        repetition = repetition_of(self)
        return length(self) if repetition is None else repetition.times

    return count


def repeat_values(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a method that lists values: those of the one element, repeated."""
    return _repeat(answer, lambda values, count: tuple(values) * count)


def repeat_iterator(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a method that iterates over values: that of the one element, repeated."""
    return _repeat(answer, lambda values, count: repeat(next(values), count))


def _repeat(
    answer: Callable[[Any], Any], repeated: Callable[[Any, int], Any]
) -> Callable[[Any], Any]:
    @wraps(answer)
    def answer_once(self: DenseIntOrFPElementsAttr[Any]) -> Any:
        one = repeated_element(self)
        return answer(self) if one is None else repeated(answer(one), len(self))

    return answer_once


def is_splat(compare: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return `is_splat` that compares bits, without making a list of elements."""

    @wraps(compare)
    def has_equal_elements(self: DenseIntOrFPElementsAttr[Any]) -> bool:
        if repetition_of(self) is not None:
            return True
        data, size = self.data.data, self.get_element_type().compile_time_size
        return data[size:] == data[:-size]

    return has_equal_elements


def print_one_element(
    print_all: Callable[[Any, Printer], None],
) -> Callable[[Any, Printer], None]:
    """Return `print_without_type` that prints the one element that is repeated."""

    @wraps(print_all)
    def print_without_type(self: DenseIntOrFPElementsAttr[Any], printer: Printer) -> None:
        print_all(repeated_element(self) or self, printer)

    return print_without_type
