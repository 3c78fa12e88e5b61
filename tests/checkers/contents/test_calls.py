"""The contents checker on calls whose arguments may be one buffer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.checkers import mutation
from tests.checkers.mutation import OPTIONS, mutants
from tests.oracle.tools import parse
from xdsl_bufferization.checkers.contents.checker import check_contents
from xdsl_bufferization.transforms.utils.verified_bufferization import (
    verify_bufferization,
)

READS_FIRST = """
    func.func private @f(%a: tensor<4xi32>, %b: tensor<4xi32>, %i: index, %x: i32)
        -> (tensor<4xi32>, i32) {
      %1 = tensor.extract %a[%i] : tensor<4xi32>
      %0 = tensor.insert %x into %b[%i] : tensor<4xi32>
      return %0, %1 : tensor<4xi32>, i32
    }
    """
READS_LATER = """
    func.func private @f(%a: tensor<4xi32>, %b: tensor<4xi32>, %i: index, %x: i32)
        -> (tensor<4xi32>, i32) {
      %0 = tensor.insert %x into %b[%i] : tensor<4xi32>
      %1 = tensor.extract %a[%i] : tensor<4xi32>
      return %0, %1 : tensor<4xi32>, i32
    }
    """
RECURSIVE = """
    func.func private @f(%a: tensor<4xi32>, %b: tensor<4xi32>, %i: index, %x: i32)
        -> (tensor<4xi32>, i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c = arith.cmpi eq, %i, %c0 : index
      %0:2 = scf.if %c -> (tensor<4xi32>, i32) {
        %1 = tensor.insert %x into %b[%i] : tensor<4xi32>
        %2 = tensor.extract %a[%i] : tensor<4xi32>
        scf.yield %1, %2 : tensor<4xi32>, i32
      } else {
        %j = arith.subi %i, %c1 : index
        %3:2 = func.call @f(%a, %b, %j, %x)
            : (tensor<4xi32>, tensor<4xi32>, index, i32) -> (tensor<4xi32>, i32)
        scf.yield %3#0, %3#1 : tensor<4xi32>, i32
      }
      return %0#0, %0#1 : tensor<4xi32>, i32
    }
    """
ONE_TENSOR_TWICE = """
    func.func @main(%t: tensor<4xi32>, %i: index, %x: i32) -> (tensor<4xi32>, i32) {
      %0:2 = call @f(%t, %t, %i, %x)
          : (tensor<4xi32>, tensor<4xi32>, index, i32) -> (tensor<4xi32>, i32)
      return %0#0, %0#1 : tensor<4xi32>, i32
    }
    """
SLICES = """
    func.func @main(%t: tensor<8xi32>, %i: index, %x: i32) -> (tensor<4xi32>, i32) {{
      %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xi32> to tensor<4xi32>
      %b = tensor.extract_slice %t[{offset}] [4] [1] : tensor<8xi32> to tensor<4xi32>
      %0:2 = call @f(%a, %b, %i, %x)
          : (tensor<4xi32>, tensor<4xi32>, index, i32) -> (tensor<4xi32>, i32)
      return %0#0, %0#1 : tensor<4xi32>, i32
    }}
    """


def accepted(text: str) -> dict[str, bool]:
    """Return which buffers that a right program copies may be used without the copy."""
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []
    return {
        mutant.what: check_contents(mutant.module, mutant.described) == []
        for mutant in mutants(text)
        if "in place" in mutant.what
    }


def test_argument_that_the_callee_overwrites_as_another_one() -> None:
    found = accepted(READS_LATER + ONE_TENSOR_TWICE)
    assert found == {"operand 1 of func.call in place": False}


def test_recursive_callee(monkeypatch: pytest.MonkeyPatch) -> None:
    options = replace(OPTIONS, analyze_recursion=True)
    monkeypatch.setattr(mutation, "OPTIONS", options)
    found = accepted(RECURSIVE + ONE_TENSOR_TWICE)
    assert found == {"operand 1 of func.call in place": False}


def test_argument_that_the_callee_reads_before_it_overwrites_it() -> None:
    found = accepted(READS_FIRST + ONE_TENSOR_TWICE)
    assert found == {"operand 1 of func.call in place": True}


@pytest.mark.parametrize(("offset", "is_right"), [(2, False), (4, True)])
def test_slices(offset: int, is_right: bool) -> None:
    found = accepted(READS_LATER + SLICES.format(offset=offset))
    assert found == {"operand 0 of tensor.extract_slice in place": is_right}


def test_argument_that_the_callee_returns() -> None:
    found = accepted(
        """
        func.func private @f(%a: tensor<4xi32>, %b: tensor<4xi32>, %i: index, %x: i32)
            -> (tensor<4xi32>, tensor<4xi32>) {
          %0 = tensor.insert %x into %b[%i] : tensor<4xi32>
          return %a, %0 : tensor<4xi32>, tensor<4xi32>
        }
        func.func @main(%t: tensor<4xi32>, %i: index, %x: i32) -> (tensor<4xi32>, i32) {
          %0:2 = call @f(%t, %t, %i, %x)
              : (tensor<4xi32>, tensor<4xi32>, index, i32)
              -> (tensor<4xi32>, tensor<4xi32>)
          %1 = tensor.extract %0#0[%i] : tensor<4xi32>
          return %0#1, %1 : tensor<4xi32>, i32
        }
        """
    )
    assert found == {"operand 1 of func.call in place": False}


def test_callee_of_the_callee() -> None:
    found = accepted(
        READS_LATER
        + """
        func.func private @g(%i: index, %a: tensor<4xi32>, %b: tensor<4xi32>)
            -> (tensor<4xi32>, i32) {
          %x = arith.constant 5 : i32
          %0:2 = call @f(%a, %b, %i, %x)
              : (tensor<4xi32>, tensor<4xi32>, index, i32) -> (tensor<4xi32>, i32)
          return %0#0, %0#1 : tensor<4xi32>, i32
        }
        func.func @main(%t: tensor<4xi32>, %i: index) -> (tensor<4xi32>, i32) {
          %0:2 = call @g(%i, %t, %t)
              : (index, tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, i32)
          return %0#0, %0#1 : tensor<4xi32>, i32
        }
        """
    )
    assert found == {"operand 2 of func.call in place": False}


def test_argument_that_a_declared_function_only_reads() -> None:
    found = accepted(
        """
        func.func private @f(tensor<4xi32> {bufferization.access = "read"},
                             tensor<4xi32>)
        func.func @main(%t: tensor<4xi32>, %i: index) -> i32 {
          call @f(%t, %t) : (tensor<4xi32>, tensor<4xi32>) -> ()
          %0 = tensor.extract %t[%i] : tensor<4xi32>
          return %0 : i32
        }
        """
    )
    assert found == {"operand 1 of func.call in place": False}


@pytest.mark.parametrize("attributes", ["", " {bufferization.writable = false}"])
def test_argument_that_nobody_reads(attributes: str) -> None:
    """In place from the start, although the callee writes it as another one."""
    assert not accepted(
        f"""
        func.func private @f(%a: tensor<4xi32>{attributes}, %b: tensor<4xi32>, %i: index,
                             %x: i32) -> tensor<4xi32> {{
          %0 = tensor.insert %x into %b[%i] : tensor<4xi32>
          return %0 : tensor<4xi32>
        }}
        func.func @main(%t: tensor<4xi32>, %i: index, %x: i32) -> tensor<4xi32> {{
          %0 = call @f(%t, %t, %i, %x)
              : (tensor<4xi32>, tensor<4xi32>, index, i32) -> tensor<4xi32>
          return %0 : tensor<4xi32>
        }}
        """
    )
