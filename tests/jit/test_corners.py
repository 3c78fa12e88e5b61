"""Calls and compilations that are nearly right."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.utils.exceptions import JITException, ParseError

from xdsl_bufferization import jit

PROGRAM = """
func.func @main(%x: tensor<?xf32>, %by: index, %in: index) -> f32 {
  %i = arith.addi %by, %in : index
  %0 = tensor.extract %x[%i] : tensor<?xf32>
  return %0 : f32
}
func.func @size(%x: tensor<?x?xf32>) -> index {
  %c1 = arith.constant 1 : index
  %0 = tensor.dim %x, %c1 : tensor<?x?xf32>
  return %0 : index
}
func.func @first(%x: tensor<?xbf16>) -> bf16 {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %x[%c0] : tensor<?xbf16>
  return %0 : bf16
}
"""


@pytest.fixture(scope="module")
def module() -> jit.Module:
    return jit.compile(PROGRAM)


LINE = np.arange(4, dtype="f")


def test_masked_arrays_are_refused(module: jit.Module) -> None:
    masked: Any = np.ma.masked_less(LINE, 2)
    with pytest.raises(TypeError, match=r"mask of a masked array. Pass array.filled"):
        module.main(masked, 0, 0)
    assert module.main(masked.data, 1, 0) == 1


def test_strides_of_an_array_without_elements_do_not_matter(module: jit.Module) -> None:
    array = np.ndarray((0, 3), "f", np.zeros(100, "u1"), 0, (13, 5))
    assert module.size(array) == 3


def test_hint_for_a_type_of_ml_dtypes_is_an_expression(module: jit.Module) -> None:
    with pytest.raises(JITException, match=r"array.astype\(ml_dtypes.bfloat16\)"):
        module.first(LINE)
    with pytest.raises(JITException, match=r"dtype=ml_dtypes.bfloat16\)"):
        module.first([1])


def test_parameter_with_the_name_of_a_keyword(module: jit.Module) -> None:
    assert str(module.main.__signature__).count("/") == 0
    assert module.main(LINE, 1, in_=2) == module.main(LINE, 1, **{"in": 2}) == 3


@pytest.mark.parametrize("arguments", [(), (1,), (1, 2)])
def test_unknown_keyword_is_named(module: jit.Module, arguments: Any) -> None:
    with pytest.raises(JITException, match="unexpected keyword argument 'bz'"):
        module.main(LINE, *arguments, bz=2, c=3)


def test_pickling_says_what_to_do(module: jit.Module) -> None:
    for compiled in (module, module.main):
        with pytest.raises(TypeError, match=r"cannot be pickled. Pickle .*cache=True"):
            pickle.dumps(compiled)


def test_copies_are_the_module_itself(module: jit.Module) -> None:
    for compiled in (module, module.main):
        assert copy.copy(compiled) is copy.deepcopy(compiled) is compiled


def test_paths_without_a_suffix(tmp_path: Path) -> None:
    with pytest.raises(JITException, match="Is a directory"):
        jit.compile(str(tmp_path))
    with pytest.raises(JITException, match="No such file"):
        jit.compile(str(tmp_path / "none"))
    (tmp_path / "program").write_text(PROGRAM)
    assert "main" in jit.compile(str(tmp_path / "program"))
    assert not list(jit.compile("module {}"))


def test_functions_that_are_only_declared_need_no_definition() -> None:
    program = """
    func.func private @g(f32) -> f32
    func.func @f(%x: f32) -> f32 {{
      {}
      return %x : f32
    }}
    """
    assert jit.compile(program.format("")).f(2) == 2
    with pytest.raises(JITException, match="the module calls 'g'"):
        jit.compile(program.format("%0 = call @g(%x) : (f32) -> f32"))


@pytest.mark.parametrize("literal", ["1", "[1, 2, 3]"])
def test_wide_dense_constants_are_refused(literal: str) -> None:
    with pytest.raises(ParseError, match="more than 64 bits are not supported"):
        jit.compile(f"""
        func.func @f() -> tensor<3xi128> {{
          %c = arith.constant dense<{literal}> : tensor<3xi128>
          return %c : tensor<3xi128>
        }}
        """)
