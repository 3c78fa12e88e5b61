"""Large constants of equal elements behave as those with all their elements."""

from __future__ import annotations

from typing import Any, cast

import pytest
from xdsl.dialects.builtin import (
    ComplexType,
    DenseIntOrFPElementsAttr,
    IndexType,
    TensorType,
    VectorType,
    f32,
    f64,
    i1,
    i8,
)
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from xdsl_bufferization.dialects.dense_elements import (
    common_element,
    constant_of_bytes,
    element_at,
    repetition_of,
)
from xdsl_bufferization.universe import new_context

COUNT = 1 << 17
ELEMENTS: list[tuple[Any, Any]] = [
    (f32, 1.5),
    (f64, -0.0),
    (i1, 1),
    (i8, -3),
    (IndexType(), 7),
    (ComplexType(f32), (1.0, 2.0)),
]


def dense(type: Any, values: list[Any]) -> Any:
    return cast(Any, DenseIntOrFPElementsAttr.from_list)(type, values)


@pytest.mark.parametrize(("element", "value"), ELEMENTS)
def test_one_element_is_stored(element: Any, value: Any) -> None:
    constant = dense(TensorType(element, [COUNT]), [value])
    repetition = repetition_of(constant)
    assert repetition is not None
    assert len(repetition.element) == element.compile_time_size
    assert repetition.times == len(constant) == COUNT


@pytest.mark.parametrize(("element", "value"), ELEMENTS)
def test_all_elements_are_there(element: Any, value: Any) -> None:
    (stored,) = dense(TensorType(element, [1]), [value]).get_values()
    constant = dense(TensorType(element, [COUNT]), [value])
    assert constant.get_values() == (stored,) * COUNT
    assert list(constant.iter_values()) == [stored] * COUNT
    assert len(constant.data.data) == COUNT * element.compile_time_size
    assert constant.is_splat()
    assert str(constant).startswith("dense<") and len(str(constant)) < 100


@pytest.mark.parametrize(("element", "value"), ELEMENTS)
def test_written_out_it_is_the_same_constant(element: Any, value: Any) -> None:
    type = VectorType(element, [COUNT])
    one, all_ = dense(type, [value]), dense(type, [value] * COUNT)
    assert one == all_ and hash(one) == hash(all_)
    assert one != dense(VectorType(element, [COUNT + 1]), [value])


@pytest.mark.parametrize(
    "text",
    [
        f"dense<0x3FC00000> : tensor<{COUNT}xf32>",
        f"dense<-3> : vector<2x{COUNT}xi8>",
        f"dense<(1.0, -2.0)> : tensor<{COUNT}xcomplex<f32>>",
        f"dense<true> : tensor<{COUNT}x1xi1>",
    ],
)
def test_parsed_as_one_element(text: str) -> None:
    constant = Parser(new_context(), text).parse_attribute()
    assert isinstance(constant, DenseIntOrFPElementsAttr)
    assert repetition_of(constant) is not None
    assert Parser(new_context(), str(constant)).parse_attribute() == constant


@pytest.mark.parametrize("literal", ["1.0 2.0", "", "[1.0, 2.0]", "1.0]"])
def test_a_broken_literal_is_a_diagnostic(literal: str) -> None:
    for type in ("tensor<4xf32>", "tensor<4xcomplex<f32>>"):
        with pytest.raises(ParseError):
            Parser(new_context(), f"dense<{literal}> : {type}").parse_attribute()


def test_a_number_is_no_complex_element() -> None:
    with pytest.raises(ParseError, match="complex"):
        Parser(new_context(), "dense<1.0> : tensor<4xcomplex<f32>>").parse_attribute()


def test_attributes_of_elements() -> None:
    constant = dense(TensorType(f32, [COUNT]), [1.5])
    attributes = constant.get_attrs()
    assert len(attributes) == COUNT and {a.value.data for a in attributes} == {1.5}


def test_different_elements_are_stored_as_they_are() -> None:
    constant = dense(TensorType(i8, [COUNT]), [0] * (COUNT - 1) + [1])
    assert repetition_of(constant) is None
    assert not constant.is_splat() and constant.get_values()[-1] == 1
    assert constant != dense(TensorType(i8, [COUNT]), [0])


@pytest.mark.parametrize("count", [1, 3, COUNT])
@pytest.mark.parametrize(("element", "value"), ELEMENTS)
def test_constants_of_bytes(element: Any, value: Any, count: int) -> None:
    type = TensorType(element, [count])
    expected = dense(type, [value])
    one = expected.data.data[: element.compile_time_size]
    for data in (one, one * count):
        constant = constant_of_bytes(type, data)
        assert constant == expected and len(constant) == count
        assert common_element(constant) == element_at(constant, count - 1) == one


def test_different_elements_have_no_common_one() -> None:
    constant = constant_of_bytes(TensorType(i8, [3]), b"\1\2\2")
    assert common_element(constant) is None
    assert element_at(constant, 2) == b"\2"
    assert common_element(constant_of_bytes(TensorType(i8, [0]), b"\1")) is None
