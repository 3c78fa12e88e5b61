"""The pass verify-bufferization."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass
from xdsl_bufferization.transforms.utils.verified_bufferization import (
    demand_right_contents,
    verify_bufferization,
)


@dataclass(frozen=True)
class VerifyBufferizationPass(OneShotBufferizePass):
    """Check the result of one-shot-bufferize on a tensor program, and leave the program
    unchanged. Run it before one-shot-bufferize, with the same options.

    The pass bufferizes a copy of the program and marks which buffer stands for which
    tensor. Then a checker interprets it forward and tracks, for every part of memory,
    which tensors it contains: every op must find the tensors that it reads. The checker
    shares nothing with the analysis that decides what to copy.

        func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<4xf32>, f32) {
          %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
          %1 = tensor.extract %t[%i] : tensor<4xf32>
          return %0, %1 : tensor<4xf32>, f32
        }

    is accepted, because the insertion writes a copy of %t. If it did not, the error
    would report that memref.load expects %t but finds %0, and show the memref.store
    that overwrote it.

    Limits: the checker assumes that ops compute the right values, and that the models of
    ops of other dialects say truly which operands are read and written.
    verify-deallocation checks deallocations.
    """

    name = "verify-bufferization"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        options = self.options()
        self.warn_of_unmatched_names(ctx, op)
        demand_right_contents(verify_bufferization(op, options), self.name)


# The options are described once.
_, _heading, _options = (OneShotBufferizePass.__doc__ or "").partition(
    # Python 3.13 takes the indentation off docstrings.
    "Options:\n" if sys.version_info >= (3, 13) else "    Options:\n"
)
VerifyBufferizationPass.__doc__ = (
    f"{VerifyBufferizationPass.__doc__}\n{_heading}{_options}"
)
