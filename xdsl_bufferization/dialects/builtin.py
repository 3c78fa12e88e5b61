"""Syntax that xDSL's parser reads wrongly, or not at all, whatever the dialect.

- `dense<0xFF800000> : tensor<4xf32>` is how mlir-opt prints minus infinity, which every
  softmax and max-pooling starts from. xDSL reads the bits as a number, 4286578688.
- `dense<300> : tensor<4xi8>` is a parse error, where xDSL lets a ValueError through.
- `arith.addf %a, %b {fastmath = #arith.fastmath<fast>} : f32` sets a property in the
  attribute dictionary, which MLIR allows for every op in its own syntax. xDSL keeps it as
  an attribute, which no pass reads.
- `sparse<[[0, 1]], 7> : tensor<2x2xi8>` is read as the dense elements it stands for.

The parser of builtin attributes belongs to no dialect that could be taken over, so the
methods concerned are wrapped (xdsl_patches.py).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from xdsl.dialects.builtin import (
    AnyFloat,
    BytesAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    IndexType,
    TensorType,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation
from xdsl.irdl.constraints import VerificationContext
from xdsl.irdl.operations import AttrOrPropDef
from xdsl.parser import AttrParser, Parser
from xdsl.utils.exceptions import VerifyException

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
        bits = str(self.span.text)
        if isinstance(type, AnyFloat) and bits[:2] in ("0x", "0X"):
            raw = int(bits, 16)
            size = type.compile_time_size
            if raw >= 1 << (8 * size):
                parser.raise_error(f"{bits} is too wide for {type}", self.span)
            return type.unpack(raw.to_bytes(size, "little"), 1)[0]
        if isinstance(type, ComplexType) and not isinstance(self.value, tuple):
            parser.raise_error(f"expected a complex number for {type}", self.span)
        return convert(self, parser, type)

    return to_type


def diagnose_elements_out_of_range(
    parse_elements: Callable[[AttrParser, Any], DenseIntOrFPElementsAttr],
) -> Callable[[AttrParser, Any], DenseIntOrFPElementsAttr]:
    """Return the parser's method for `dense<...>` that raises a ParseError for elements
    that do not fit."""

    @wraps(parse_elements)
    def parse(self: AttrParser, type: Any) -> DenseIntOrFPElementsAttr:
        try:
            return parse_elements(self, type)
        except ValueError as error:
            self.raise_error(str(error))

    return parse


def read_sparse_elements(
    parse_optional: Callable[[AttrParser], Attribute | None],
) -> Callable[[AttrParser], Attribute | None]:
    """Return the parser's method for builtin attributes that reads `sparse<...>` too."""

    @wraps(parse_optional)
    def parse(self: AttrParser) -> Attribute | None:
        attribute = parse_optional(self)
        if attribute is None and self.parse_optional_keyword("sparse") is not None:
            return parse_sparse_elements(self, None)
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
    packed = _packed(parser, type.element_type, elements)
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
    return DenseIntOrFPElementsAttr(type, BytesAttr(bytes(data)))


def _packed(parser: AttrParser, element_type: Any, elements: list[Any]) -> bytes:
    type = TensorType[Any](element_type, [len(elements)])
    try:
        return DenseIntOrFPElementsAttr.from_list(type, elements).data.data
    except ValueError as error:
        parser.raise_error(str(error))
