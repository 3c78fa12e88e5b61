"""Large constants of i1 in hexadecimal digits, as mlir-opt prints and reads them.

`dense<"0x396B..."> : tensor<200xi1>` has a bit for each element, the first one in the
least significant bit of the first byte. To xDSL 0.75 it has a byte for each; such text
is read, too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from math import prod
from typing import Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, i1
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xdsl_bufferization.dialects.dense_elements import constant_of_bytes

_MOST_LISTED = 100
"""Constants of more elements are printed in hexadecimal digits."""
_DIGIT_OF_BYTE = b"0" + 255 * b"1"
_BYTE_OF_DIGIT = bytes(255 * (byte == ord("1")) for byte in range(256))


def packed(elements: bytes) -> bytes:
    """Return a bit for each byte, which is 1 if the byte is not 0."""
    digits = elements.translate(_DIGIT_OF_BYTE)[::-1]
    return int(digits or b"0", 2).to_bytes(_packed_size(len(elements)), "little")


def unpacked(bits: bytes, count: int) -> bytes:
    """Return a byte for each of the first bits: 0, or 255."""
    number = int.from_bytes(bits, "little") | 1 << 8 * len(bits)
    digits = f"{number:b}"[1:].encode()[::-1]
    return digits[:count].translate(_BYTE_OF_DIGIT)


def _packed_size(count: int) -> int:
    return -(-count // 8)


def parse_packed_bits(
    parse_elements: Callable[[Any, Any], DenseIntOrFPElementsAttr[Any]],
) -> Callable[[Any, Any], DenseIntOrFPElementsAttr[Any]]:
    """Return the parser's method for `dense<...>` that reads a bit for each i1."""

    @wraps(parse_elements)
    def parse(self: Any, type: Any) -> DenseIntOrFPElementsAttr[Any]:
        start = self.pos
        self.parse_punctuation("<", " in dense attribute")
        if self._current_token.kind is MLIRTokenKind.STRING_LIT:
            digits = self.parse_str_literal()
            self.parse_punctuation(">", " in dense attribute")
            of_type = type
            if of_type is None:
                self.parse_punctuation(":", " in dense attribute")
                of_type = self._parse_dense_literal_type()
            data = _bits(digits, of_type)
            if data is not None:
                return constant_of_bytes(of_type, data)
        self._resume_from(start)
        return parse_elements(self, type)

    return parse


def _bits(digits: str, type: Any) -> bytes | None:
    """Return the bytes of the elements that digits have a bit for, or None."""
    count = prod(type.get_shape())
    if type.element_type != i1 or count < 2:
        return None
    try:
        data = bytes.fromhex(digits.removeprefix("0x"))
    except ValueError:
        return None
    return unpacked(data, count) if len(data) == _packed_size(count) else None


def print_packed_bits(
    print_all: Callable[[Any, Printer], None],
) -> Callable[[Any, Printer], None]:
    """Return `print_without_type` that prints a bit for each i1 of a large constant."""

    @wraps(print_all)
    def print_without_type(self: DenseIntOrFPElementsAttr[Any], printer: Printer) -> None:
        if (
            self.get_element_type() != i1
            or len(self) <= _MOST_LISTED
            or self.is_splat()
            or not self.shape_is_complete
        ):
            print_all(self, printer)
            return
        printer.print_string(f'dense<"0x{packed(self.data.data).hex().upper()}">')

    return print_without_type
