"""Constants that a file holds as resources are compiled."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization import jit


def program(element: str, resources: dict[str, str]) -> str:
    blobs = ",\n".join(f'{name}: "{blob}"' for name, blob in resources.items())
    type_ = f"tensor<2x2x{element}>"
    return f"""
func.func @main() -> ({type_}, {type_}) {{
  %a = arith.constant dense_resource<a> : {type_}
  %b = arith.constant dense_resource<a> : {type_}
  return %a, %b : {type_}, {type_}
}}
{{-#
  dialect_resources: {{ builtin: {{ {blobs} }} }}
#-}}"""


def blob(array: np.ndarray) -> str:
    return "0x04000000" + array.tobytes().hex()


@pytest.mark.parametrize(
    ("element", "dtype"),
    [("f32", "f4"), ("f64", "f8"), ("i8", "i1"), ("i32", "i4"), ("index", "i8")],
)
def test_elements_of_a_resource(element: str, dtype: str) -> None:
    """Also where a program before had a resource of the same name."""
    for factor in (1, 3):
        values = np.arange(4, dtype=dtype).reshape(2, 2) * np.dtype(dtype).type(factor)
        main = jit.compile(program(element, {"a": blob(values), "b": "0x04000000"})).main
        for result in main():
            assert result.tolist() == values.tolist()


@pytest.mark.parametrize("resources", [{}, {"a": "0x0400000000"}])
def test_a_resource_without_its_elements_is_refused(resources: dict[str, str]) -> None:
    text = program("f16", resources).replace("dense_resource<a>", "dense_resource<lost>")
    with pytest.raises(PassFailedException, match="does not hold the elements of dense_"):
        jit.compile(text.replace('a: "', 'lost: "'))
