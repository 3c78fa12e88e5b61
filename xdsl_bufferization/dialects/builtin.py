"""Syntax that xDSL's parser reads wrongly, or not at all, whatever the dialect.

- `dense<0xFF800000> : tensor<4xf32>` is how mlir-opt prints minus infinity, which every
  softmax and max-pooling starts from. xDSL reads the bits as a number, 4286578688.
- `dense<300> : tensor<4xi8>` is a parse error, where xDSL lets a ValueError through, and
  so is `0x1FFFFFFFF : f32`.
- `1.0e300 : f32` is infinity, and `1 : f32` a parse error, once the package is in use.
- `array<f32: 0x7F800000>` is how mlir-opt and xDSL print an infinity in an array, which
  xDSL does not read.
- Constants of f80 and f128 are printed, and read from their bits.
- `arith.addf %a, %b {fastmath = #arith.fastmath<fast>} : f32` sets a property in the
  attribute dictionary, which MLIR allows for every op in its own syntax. xDSL keeps it as
  an attribute, which no pass reads.
- `sparse<[[0, 1]], 7> : tensor<2x2xi8>` is read as the dense elements it stands for.

The parser of builtin attributes belongs to no dialect that could be taken over, so the
methods concerned are wrapped (xdsl_patches.py).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation
from xdsl.irdl.constraints import VerificationContext
from xdsl.irdl.operations import AttrOrPropDef
from xdsl.parser import AttrParser, Parser
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xdsl_bufferization.dialects.dense_elements import constant_of_bytes
from xdsl_bufferization.dialects.wide_floats import WideFloat, wide_bits, wide_value
from xdsl_bufferization.guest import is_in_use


def read_properties_among_attributes(
    parse_operation: Callable[[Parser], Operation],
) -> Callable[[Parser], Operation]:
    """Return the parser's method for an op that makes properties of attributes that
    the op's definition has as properties."""

    @wraps(parse_operation)
    def parse(self: Parser) -> Operation:
        op = parse_operation(self)
        if op.attributes and isinstance(op, IRDLOperation):
            properties = op.get_irdl_definition().properties
            for name in [name for name in op.attributes if name in properties]:
                if is_in_use() or _accepts(properties[name], op.attributes[name]):
                    op.properties[name] = op.attributes.pop(name)
        return op

    return parse


def _accepts(definition: AttrOrPropDef, attribute: Attribute) -> bool:
    """Return whether a property may have a value. In commands of xDSL, one that it may
    not have stays the attribute that xDSL takes it for."""
    try:
        definition.constr.verify(attribute, VerificationContext())
    except VerifyException:
        return False
    return True


def read_bits_of_floats(convert: Callable[..., Any]) -> Callable[..., Any]:
    """Return `to_type` of an element that reads hexadecimal digits as bits of a float."""

    @wraps(convert)
    def to_type(self: Any, parser: AttrParser, type: Any) -> Any:
        is_complex = _is_complex(self)
        if isinstance(type, AnyFloat) and not is_complex:
            return _float_of(parser, self.span, self.span.text, self.value, type)
        if isinstance(type, ComplexType):
            if not is_complex:
                parser.raise_error(f"expected a complex number for {type}", self.span)
            return _complex_of(parser, self, cast(Any, type).element_type)
        return convert(self, parser, type)

    return to_type


def _is_complex(literal: Any) -> bool:
    return isinstance(literal.value, tuple)


def _complex_of(parser: AttrParser, literal: Any, type: Any) -> tuple[float, ...]:
    """Return the parts of a literal `(real, imaginary)`, of a given type."""
    texts = literal.span.text.strip("()").split(",")
    parts = zip(texts, literal.value, strict=True)
    span: Span = literal.span
    if isinstance(type, AnyFloat):
        return tuple(_float_of(parser, span, text, n, type) for text, n in parts)
    return tuple(_integer_of(parser, span, text, n, type) for text, n in parts)


def _float_of(
    parser: AttrParser, span: Span, text: str, value: float, type: AnyFloat
) -> float:
    """Return the float that a literal of a given value states."""
    bits = _bits(parser, span, text, type)
    if bits is not None:
        return bits
    if isinstance(value, int):
        _reject_decimal_integer(parser, span, type)
    return float(value)


def _reject_decimal_integer(parser: AttrParser, span: Span, type: AnyFloat) -> None:
    """Diagnose `1 : f32`, which programs for xDSL alone may have."""
    if is_in_use():
        parser.raise_error(f"expected a float literal for {type}, such as 1.0", span)


def _integer_of(
    parser: AttrParser, span: Span, text: str, value: float, type: IntegerType
) -> int:
    """Return the integer that a literal of a given value states."""
    number = None if isinstance(value, float) else type.normalized_value(value)
    if number is None:
        parser.raise_error(f"expected an integer of {type}, got {text.strip()}", span)
    return number


def _bits(parser: AttrParser, span: Span, text: str, type: AnyFloat) -> float | None:
    """Return the float that hexadecimal digits are the bits of, or None for others."""
    digits = text.strip().lower()
    if digits.startswith("-") and "0x" in digits:
        parser.raise_error(f"bits of {type} cannot have a sign: {digits}", span)
    if not digits.startswith("0x"):
        return None
    raw = int(digits, 16)
    if isinstance(type, WideFloat):
        try:
            return wide_value(raw, type)
        except ValueError as error:
            parser.raise_error(str(error), span)
    if raw >= 1 << type.bitwidth:
        parser.raise_error(f"{digits} is too wide for {type}", span)
    return type.unpack(raw.to_bytes(type.compile_time_size, "little"), 1)[0]


def read_bits_in_complex_numbers(
    parse_optional: Callable[[AttrParser], Any],
) -> Callable[[AttrParser], Any]:
    """Return the parser's method for `(real, imaginary)` that accepts the bits of one
    part beside the decimal digits of the other."""

    @wraps(parse_optional)
    def parse(self: Any) -> Any:
        start = self._current_token.span
        if self.parse_optional_punctuation("(") is None:
            return None
        real, real_span = self._parse_bool_int_or_float()
        self.parse_punctuation(",")
        imaginary, imaginary_span = self._parse_bool_int_or_float()
        end = self._current_token.span
        self.parse_punctuation(")")
        span = Span(start.start, end.end, start.input)
        texts = (real_span.text.lower(), imaginary_span.text.lower())
        if type(real) is not type(imaginary) and not any("0x" in text for text in texts):
            self.raise_error("expected two integers or two floats", span)
        return (real, imaginary), span

    return parse


def read_float_literals(
    parse_number: Callable[[AttrParser], Attribute | None],
) -> Callable[[AttrParser], Attribute | None]:
    """Return the parser's method for numbers that raises a ParseError for what is no
    float of the type, and reads the bits of f80 and f128."""

    @wraps(parse_number)
    def parse(self: Any) -> Attribute | None:
        first = self._current_token
        start, source = first.span.start, first.span.input
        if not _is_hexadecimal(first):
            try:
                number = parse_number(self)
            except (OverflowError, ValueError) as error:
                raise ParseError(Span(start, self.pos, source), str(error)) from None
            if not isinstance(number, FloatAttr):
                return number
            number = cast(FloatAttr[AnyFloat], number)
            integer = _DECIMAL_INTEGER.match(source.content, start)
            if integer is not None:
                span = Span(start, integer.end(), source)
                _reject_decimal_integer(self, span, number.type)
            return number
        self.parse_optional_number()
        end = self._current_token.span.start
        if self._current_token.kind is MLIRTokenKind.COLON:
            type = self._parse_attribute_type()
            if isinstance(type, AnyFloat):
                span = Span(start, end, source)
                value = _bits(self, span, span.text, type)
                assert value is not None
                return FloatAttr(value, type)
        self._resume_from(start)
        return parse_number(self)

    return parse


_DECIMAL_INTEGER = re.compile(r"-?\s*[0-9]+(?![.0-9])")


def _is_hexadecimal(token: Any) -> bool:
    """Return whether a number that begins with a token has hexadecimal digits."""
    if token.kind is not MLIRTokenKind.MINUS:
        return token.text[:2] in ("0x", "0X")
    following = token.span.input.content[token.span.end : token.span.end + 80].lstrip()
    return following[:2] in ("0x", "0X")


def read_bits_in_arrays(
    parse_array: Callable[[AttrParser], Attribute],
) -> Callable[[AttrParser], Attribute]:
    """Return the parser's method for `array<...>` that reads hexadecimal elements of
    floats as their bits."""

    @wraps(parse_array)
    def parse(self: Any) -> Attribute:
        token = self._current_token
        start = token.span.start
        # Most arrays are lists of integers, which are not to be read twice.
        if not _MAY_BE_FLOAT.match(token.span.input.content, token.span.end):
            return parse_array(self)
        self.parse_punctuation("<", " in dense array")
        type = self.parse_attribute()
        if (
            isinstance(type, AnyFloat)
            and self.parse_optional_punctuation(":") is not None
        ):
            return diagnose_elements_out_of_range(_parse_array_of_floats)(self, type)
        self._resume_from(start)
        return parse_array(self)

    return parse


_MAY_BE_FLOAT = re.compile(r"\s*[!bft/]")
"""The type of an array's elements, an alias of one, or a comment."""


def _parse_array_of_floats(parser: Any, type: AnyFloat) -> Attribute:
    def parse_element() -> float:
        value, span = parser._parse_bool_int_or_float()
        if isinstance(value, bool):
            parser.raise_error("expected a float literal", span)
        return _float_of(parser, span, span.text, value, type)

    elements = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parse_element)
    parser.parse_punctuation(">", " in dense array")
    return DenseArrayBase.from_list(type, elements)


def round_to_infinity(
    pack: Callable[[Any, Sequence[Any]], bytes],
) -> Callable[..., bytes]:
    """Return `pack` of a type that makes infinities of floats too large for it."""

    @wraps(pack)
    def pack_all(self: Any, values: Sequence[Any]) -> bytes:
        try:
            return pack(self, values)
        except OverflowError:
            return b"".join(pack(self, [_fitting(self, pack, value)]) for value in values)

    return pack_all


def _fitting(type: Any, pack: Callable[[Any, Sequence[Any]], bytes], value: Any) -> Any:
    try:
        pack(type, [value])
    except OverflowError:
        return math.copysign(math.inf, value)
    return value


def print_wide_floats(
    print_float: Callable[[Any, float, AnyFloat], None],
) -> Callable[[Any, float, AnyFloat], None]:
    """Return the printer's method for floats that prints f80 and f128 as well."""

    @wraps(print_float)
    def print_any(self: Any, value: float, type: AnyFloat) -> None:
        if not isinstance(type, WideFloat):
            print_float(self, value, type)
        elif math.isfinite(value):
            mantissa, exponent = f"{value:.5e}".split("e")
            text = f"{mantissa}0e{exponent}"
            self.print_string(text if float(text) == value else repr(value))
        else:
            self.print_string(f"0x{wide_bits(value, type):X}")

    return print_any


def diagnose_elements_out_of_range(
    parse_elements: Callable[..., Attribute],
) -> Callable[..., Attribute]:
    """Return a parser's method for arrays of numbers that raises a ParseError for
    elements that do not fit, or whose type xDSL cannot store."""

    @wraps(parse_elements)
    def parse(self: AttrParser, *args: Any) -> Attribute:
        start = self.pos
        try:
            return parse_elements(self, *args)
        except (ValueError, OverflowError) as error:
            message = str(error)
        except NotImplementedError:
            # xDSL packs elements with the struct module.
            message = (
                "arrays of integers of more than 64 bits are not supported, nor are "
                "those of f80 and f128; extend one of i64 with arith.extsi, or one of "
                "f64 with arith.extf (tensors through convert-elementwise-to-linalg)"
            )
        span = Span(start, self.pos, self.lexer.input)
        raise ParseError(span, message)

    return parse


def read_sparse_elements(
    parse_optional: Callable[[AttrParser], Attribute | None],
) -> Callable[[AttrParser], Attribute | None]:
    """Return the parser's method for builtin attributes that reads `sparse<...>` too."""

    @wraps(parse_optional)
    def parse(self: AttrParser) -> Attribute | None:
        attribute = parse_optional(self)
        if attribute is None and self.parse_optional_keyword("sparse") is not None:
            return diagnose_elements_out_of_range(parse_sparse_elements)(self, None)
        return attribute

    return parse


def parse_sparse_elements(parser: Any, type: Any) -> DenseIntOrFPElementsAttr:
    """Parse `<indices, values>`: the values at these indices, zero elsewhere. Without a
    type, ` : type` follows."""
    parser.parse_punctuation("<")
    indices: list[Any] = []
    indices_shape = [0]
    values: list[Any] = []
    values_shape = [0]
    if parser.parse_optional_punctuation(">") is None:
        indices, indices_shape = parser._parse_tensor_literal()
        parser.parse_punctuation(",")
        values, values_shape = parser._parse_tensor_literal()
        parser.parse_punctuation(">")
    if type is None:
        parser.parse_punctuation(":")
        type = parser._parse_dense_literal_type()
    shape: tuple[int, ...] = type.get_shape()
    rank = len(shape)
    if not indices_shape:
        indices, indices_shape = indices * rank, [1, rank]
    count = indices_shape[0]
    if indices_shape not in ([count, rank], [0]) and (
        rank != 1 or len(indices_shape) > 1
    ):
        parser.raise_error(f"expected indices of shape [{count}, {rank}]")
    if values_shape not in ([], [count]):
        parser.raise_error(f"expected as many values as indices: {count}")
    numbers = [index.to_type(parser, IndexType()) for index in indices]
    elements = [value.to_type(parser, type.element_type) for value in values]
    if not values_shape:
        elements *= count
    packed_type = TensorType[Any](type.element_type, [len(elements)])
    packed = DenseIntOrFPElementsAttr.from_list(packed_type, elements).data.data
    if min(shape, default=0) < 0:
        parser.raise_error(f"sparse elements of a type of unknown size: {type}")
    size: int = type.element_type.compile_time_size
    total = 1
    for bound in shape:
        total *= bound
    data = bytearray(size * total)
    for number in range(count):
        index = numbers[number * rank : (number + 1) * rank]
        place = 0
        for position, bound in zip(index, shape, strict=True):
            if not 0 <= position < bound:
                parser.raise_error(f"sparse index {index} is outside of {type}")
            place = place * bound + position
        value = packed[number * size : (number + 1) * size]
        data[place * size : (place + 1) * size] = value
    return constant_of_bytes(type, bytes(data))
