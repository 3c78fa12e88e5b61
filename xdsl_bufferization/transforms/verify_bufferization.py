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
    """Check what one-shot-bufferize makes of a tensor program, and leave the program
    as it is. Run it before one-shot-bufferize, with the same options.

    A copy of the program is bufferized, with marks that tell which buffer stands for
    which tensor. Then a checker follows it forward and keeps, for every part of memory,
    which tensors are in there: every op must find the tensors that it reads. The checker
    has nothing in common with the analysis that has decided what to copy.

        func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<4xf32>, f32) {
          %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
          %1 = tensor.extract %t[%i] : tensor<4xf32>
          return %0, %1 : tensor<4xf32>, f32
        }

    passes, because the insertion writes a copy of %t. If it did not, the error would say
    that memref.load expects %t, but finds %0, and show the memref.store that was one too
    many.

    Limits: what an op computes is assumed to be right. Deallocations are checked by
    verify-deallocation.
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
