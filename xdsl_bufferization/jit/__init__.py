"""Compile a module and call its functions on NumPy arrays.

    >>> from xdsl_bufferization import jit
    >>> module = jit.compile('''
    ...     func.func @scale(%x: tensor<?xf32>, %factor: f32) -> tensor<?xf32> {
    ...       %scaled = linalg.map ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>)
    ...         (%in: f32, %out: f32) {
    ...           %product = arith.mulf %in, %factor : f32
    ...           linalg.yield %product : f32
    ...         }
    ...       return %scaled : tensor<?xf32>
    ...     }
    ... ''')
    >>> module.scale(numpy.arange(3, dtype="f"), 2.0)
    array([0., 2., 4.], dtype=float32)

Needs llvmlite and NumPy: `pip install 'xdsl-bufferization[jit]'`. docs/running.md
describes the details.
"""

try:
    import llvmlite as _llvmlite  # pyright: ignore[reportMissingTypeStubs]
    import numpy as _numpy
except ImportError as error:
    raise ImportError(
        f"xdsl_bufferization.jit needs {error.name}, which is not installed: "
        "pip install 'xdsl-bufferization[jit]'",
        name=error.name,
    ) from None

from xdsl_bufferization.jit.checks import CheckError
from xdsl_bufferization.jit.compiler import compile
from xdsl_bufferization.jit.counting import Stats
from xdsl_bufferization.jit.function import Function
from xdsl_bufferization.jit.module import Module, NoSuchFunction
from xdsl_bufferization.jit.options import DEFAULT_PIPELINE, Options
from xdsl_bufferization.jit.signature import Arena, Signature

__all__ = [
    "DEFAULT_PIPELINE",
    "Arena",
    "CheckError",
    "Function",
    "Module",
    "NoSuchFunction",
    "Options",
    "Signature",
    "Stats",
    "compile",
]

del _llvmlite, _numpy
