"""The text of a case."""

from __future__ import annotations

import pytest
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.testing import OpCase, check_model

T = "tensor<4xf32>"


@pytest.mark.parametrize("name", ["%r", "%r_0", "%r0", "%_r"])
def test_a_name_of_a_result(name: str) -> None:
    case = OpCase(f"{name} = tensor.splat %x : {T}", {"%x": "f32"})
    assert case.results == [name]
    assert check_model(case) == []


def test_names_that_differ_in_their_number() -> None:
    case = OpCase(
        f"""%r = tensor.splat %x : {T}
        %r_0 = tensor.insert %y into %r[%i] : {T}""",
        {"%x": "f32", "%y": "f32", "%i": "index"},
    )
    assert case.results == ["%r_0"]


def test_a_name_in_front_of_an_op_with_an_explicit_location() -> None:
    case = OpCase(f'%r = tensor.splat %x : {T} loc("a.py":1:2)', {"%x": "f32"})
    assert case.results == ["%r"]


def test_a_number_for_a_name() -> None:
    case = OpCase(f"%0 = tensor.splat %x : {T}", {"%x": "f32"})
    with pytest.raises(PassFailedException, match="beginning with a letter"):
        _ = case.results


def test_a_pack_of_results() -> None:
    loop = f"""%r:2 = scf.for %i = %n to %n step %n iter_args(%a = %t, %b = %t)
        -> ({T}, {T}) {{
      scf.yield %a, %b : {T}, {T}
    }}"""
    case = OpCase(loop, {"%t": T, "%n": "index"})
    with pytest.raises(PassFailedException, match="one for each"):
        _ = case.results


SWAP = f"""%r, %s = scf.for %i = %n to %m step %o iter_args(%a = %t, %b = %u)
    -> ({T}, {T}) {{
  scf.yield %b, %a : {T}, {T}
}}"""
CROSS = f"""%r, %s = scf.if %c -> ({T}, {T}) {{
  scf.yield %t, %u : {T}, {T}
}} else {{
  scf.yield %u, %u : {T}, {T}
}}"""


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (SWAP, {"%t": T, "%u": T, "%n": "index", "%m": "index", "%o": "index"}),
        (CROSS, {"%t": T, "%u": T, "%c": "i1"}),
        (
            f"%r = tensor.extract_slice %t[0] [0] [1] : {T} to tensor<0xf32>",
            {"%t": T},
        ),
        (
            f"%r = tensor.insert_slice %s into %t[1] [0] [1] : tensor<0xf32> into {T}",
            {"%s": "tensor<0xf32>", "%t": T},
        ),
    ],
    ids=["buffers exchanged", "a tensor twice", "a slice of nothing", "nothing inserted"],
)
def test_no_false_alarm(text: str, arguments: dict[str, str]) -> None:
    assert check_model(OpCase(text, arguments)) == []
