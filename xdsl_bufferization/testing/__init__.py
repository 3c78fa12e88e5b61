"""A kit that tests the model of an op: whether its answers are what happens.

    >>> from xdsl_bufferization.testing import OpCase, check_model
    >>> case = OpCase(
    ...     '%r = "toy.axpy"(%a, %x, %y) : (f32, tensor<4xf32>, tensor<4xf32>)'
    ...     " -> tensor<4xf32>",
    ...     {"%a": "f32", "%x": "tensor<4xf32>", "%y": "tensor<4xf32>"},
    ...     lowering=[LowerToyPass()],
    ...     meaning=lambda a, x, y: a * x + y,
    ... )
    >>> check_model(case)
    []

The op is executed on memory that is poisoned where nothing has been written, and each
answer of its model is compared with what the op did. Then small programs are compiled
around it, and what they compute, free and leak is checked. Needs llvmlite and NumPy:
`pip install 'xdsl-bufferization[jit]'`. docs/model-testing.md says the rest.
"""

from xdsl_bufferization.testing.answers import WrongAnswer
from xdsl_bufferization.testing.case import OpCase
from xdsl_bufferization.testing.check import assert_model, check_model

__all__ = ["OpCase", "WrongAnswer", "assert_model", "check_model"]
