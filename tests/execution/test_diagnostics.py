"""Bad input on the way from tensors to numbers: a diagnostic says where and what."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization import jit

UNKNOWN = """
func.func @main(%t: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "test.op"(%t) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
INSERT = """
func.func @main(%t: tensor<2xf32>, %i: index, %x: f32) -> tensor<2xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
UNRESTRICTED = """
func.func @main(%m: memref<*xf32>, %i: index) -> index {
  %t = bufferization.to_tensor %m : memref<*xf32> to tensor<*xf32>
  %x = tensor.dim %t, %i : tensor<*xf32>
  return %x : index
}
"""


@pytest.mark.parametrize(
    "program, pipeline, message",
    [
        (UNKNOWN, None, r"test\.op"),
        (INSERT, "lower-to-llvm-pipeline", r"func\.func(.|\n)*run one-shot-bufferize"),
        (INSERT, "one-shot-bufferize,lower-to-llvm-pipeline", r"bufferization\.to_"),
        (UNRESTRICTED, None, r"bufferization\.to_tensor(.|\n)*restrict"),
    ],
)
def test_program(program: str, pipeline: str | None, message: str) -> None:
    with pytest.raises(DiagnosticException, match=message):
        jit.compile(program, pipeline)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (
            (np.zeros(2), 0, 1.0),
            r"argument 0 \(%t\): .*float32 .*got float64",
        ),
        ((np.zeros(3, "f"), 0, 1.0), r"argument 0 \(%t\): .*shape \(2,\).*shape \(3,\)"),
        ((np.zeros((2, 1), "f"), 0, 1.0), r"argument 0 \(%t\): .*shape \(2,\)"),
        ((np.zeros(2, "f"), 0.5, 1.0), r"argument 1 \(%i\): .*number for index"),
        ((np.zeros(2, "f"), 0, "x"), r"argument 2 \(%x\): .*number for f32"),
        ((np.zeros(2, "f"), 0), "missing 1 required positional argument: 'x'"),
    ],
)
def test_argument(arguments: tuple[object, ...], message: str) -> None:
    module = jit.compile(INSERT)
    with pytest.raises(DiagnosticException, match=f"main.*{message}"):
        module.main(*arguments)
