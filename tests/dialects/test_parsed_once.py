"""Types and maps that are looked up by their text are those that the text means."""

from __future__ import annotations

import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from xdsl_bufferization.universe import new_context

TYPES = (
    "tensor<4xf32>",
    "tensor<4xf32 >",
    "tensor<\n4xf32>",
    "tensor<*xcomplex<f32>>",
    "vector<[4]x2xi8>",
    "memref<4xf32, strided<[?], offset: ?>>",
    "memref<4xf32, strided<[?], offset: ?>, 1>",
    "memref<4xf32, affine_map<(d0) -> (d0)>>",
    "memref<4xf32, affine_map<(d0) -> (d0 * 2)>>",
    'memref<4xf32, affine_map<(d0) -> (d0)>, "a">',
    "memref<?xf32, #map>",
    "memref<4xmemref<2xf32>>",
    "tensor<4xf32, dense<1> : vector<2xi8>>",
)


@pytest.mark.parametrize("first", TYPES)
def test_a_type_is_the_same_whatever_was_read_before(first: str) -> None:
    prefix = "#map = affine_map<(d0) -> (d0 + 1)>\n"
    body = "\n".join(
        f'%{number} = "test.op"() : () -> {type_}'
        for number, type_ in enumerate((first, *TYPES, first))
    )
    context = new_context()
    together = Parser(context, prefix + body).parse_module().body.block
    for op, type_ in zip(together.ops, (first, *TYPES, first), strict=True):
        text = f'{prefix}%0 = "test.op"() : () -> {type_}'
        alone = Parser(context, text).parse_module().body.block.first_op
        assert alone is not None
        assert op.result_types == alone.result_types


@pytest.mark.parametrize(
    "text",
    [
        "affine_map<(d0) -> (d0)>",
        "affine_map<(d0, d1)[s0] -> (d0 - s0, d1 floordiv 2)>",
        "affine_map<() -> ()>",
        "affine_map<(d0) ->\n (d0)>",
    ],
)
def test_a_map_is_the_same_the_second_time(text: str) -> None:
    parser = Parser(new_context(), f"{text} {text}\n{text}")
    first, second, third = (parser.parse_attribute() for _ in range(3))
    assert first == second == third
    assert first is second or "\n" in text
    assert parser.parse_optional_attribute() is None


@pytest.mark.parametrize("text", ["tensor<4xf32", "tensor<4xf33>", "memref<-1xf32>"])
def test_a_wrong_type_is_an_error_each_time(text: str) -> None:
    parser = Parser(new_context(), f"tensor<4xf32> {text}")
    parser.parse_type()
    start = parser.pos
    for _ in range(2):
        with pytest.raises(ParseError):
            parser.parse_type()
        parser._resume_from(start)
