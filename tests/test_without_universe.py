"""Use from a context of xDSL's dialects, in a process that loads no plug-in."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "without-universe.md"

PROGRAM = """
func.func @casts(%m: memref<4xf32>) -> memref<4xf32> {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  return %b : memref<4xf32>
}

func.func @kernel(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>)
    outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
"""

CONTEXT = """
import sys
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.parser import Parser
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl_bufferization.without_universe import adopt

context = Context()
for name, load in get_all_dialects().items():
    context.register_dialect(name, load)
"""

END = "\nassert 'xdsl_bufferization.universe' not in sys.modules\nprint(module)\n"


def run(script: str) -> str:
    """Run a script to which `program` is the text above, and return what it prints."""
    text = f"import sys\nprogram = {PROGRAM!r}\n{script}{END}"
    command = [sys.executable, "-c", text]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_canonicalize_folds_the_casts_of_an_adopted_program() -> None:
    folded = run(
        CONTEXT + "module = Parser(context, program).parse_module()\n"
        "adopt(module)\n"
        "CanonicalizePass().apply(context, module)\n"
    )
    assert "func.return %m : memref<4xf32>" in folded
    assert "bufferization" not in folded


def test_ops_built_by_xdsl_are_adopted() -> None:
    folded = run(
        CONTEXT + "from xdsl.dialects import bufferization, memref, tensor\n"
        "from xdsl.dialects.builtin import ModuleOp, TensorType, f32\n"
        "buffer = memref.AllocOp.get(f32, None, [4])\n"
        "cast = bufferization.ToTensorOp(buffer.memref, restrict=True)\n"
        "back = bufferization.ToBufferOp(operands=[cast.tensor],\n"
        "                                result_types=[buffer.memref.type])\n"
        "free = memref.DeallocOp.get(back)\n"
        "module = ModuleOp([buffer, cast, back, free])\n"
        "adopt(module)\n"
        "CanonicalizePass().apply(context, module)\n"
    )
    assert "bufferization" not in folded


def test_the_example_of_the_page() -> None:
    (example,) = re.findall(
        r"```python\n(from xdsl.context.*?)```", PAGE.read_text(), re.DOTALL
    )
    bufferized = run(example)
    assert "tensor<" not in bufferized
    assert bufferized.count("memref.alloc") == 1
    assert "memref.copy" not in bufferized
