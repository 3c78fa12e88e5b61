"""Builtin attributes that xDSL's parser reads wrongly.

`dense<0xFF800000> : tensor<4xf32>` is how mlir-opt prints minus infinity, which every
softmax and max-pooling starts from. xDSL reads the bits as a number, 4286578688. The
parser of builtin attributes belongs to no dialect that could be taken over, so its one
method that converts an element is wrapped.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import AnyFloat
from xdsl.parser import AttrParser


def read_hexadecimal_floats() -> None:
    """Makes elements of dense float attributes that are written as bits be read so."""
    element = getattr(AttrParser, "_TensorLiteralElement", None)
    convert = getattr(element, "to_type", None)
    if element is None or convert is None or hasattr(convert, "reads_bits"):
        return

    def to_type(self: Any, parser: AttrParser, type: Any) -> Any:
        bits = str(self.span.text)
        if isinstance(type, AnyFloat) and bits[:2] in ("0x", "0X"):
            raw = int(bits, 16)
            size = type.compile_time_size
            if raw >= 1 << (8 * size):
                parser.raise_error(f"{bits} is too wide for {type}", self.span)
            return type.unpack(raw.to_bytes(size, "little"), 1)[0]
        return convert(self, parser, type)

    to_type.reads_bits = True  # pyright: ignore[reportFunctionMemberAccess]
    element.to_type = to_type
