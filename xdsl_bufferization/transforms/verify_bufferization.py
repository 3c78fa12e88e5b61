"""The pass verify-bufferization."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.buffer_contents import check_contents
from xdsl_bufferization.analysis.buffer_contents_marks import Marks, remove_marks
from xdsl_bufferization.analysis.buffer_contents_report import WrongRead
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.large_programs import large_programs
from xdsl_bufferization.models import announce_models
from xdsl_bufferization.transforms.bufferize import BufferizationStatistics
from xdsl_bufferization.transforms.one_shot_bufferize import (
    OneShotBufferizePass,
    run_one_shot_bufferize,
)


@dataclass(frozen=True)
class VerifyBufferizationPass(OneShotBufferizePass):
    """Check what one-shot-bufferize makes of a tensor program, and leave the program
    as it is. Run it in front of one-shot-bufferize, with the same options.

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

    Limits: what an op computes is taken for granted. Deallocations are the business of
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


def verify_bufferization(
    module: ModuleOp, options: BufferizationOptions
) -> Sequence[WrongRead]:
    """Bufferize a copy of a tensor program and check it: the reads that go wrong.

    Raises:
        PassFailedException: when the program cannot be bufferized.
    """
    options = replace(
        options, test_analysis_only=False, print_conflicts=False, dump_alias_sets=False
    )
    return bufferize_and_verify(module.clone(), options)[1]


def bufferize_and_verify(
    module: ModuleOp, options: BufferizationOptions
) -> tuple[BufferizationStatistics, Sequence[WrongRead]]:
    """Bufferize a tensor program and check the result: the reads that go wrong.

    Raises:
        PassFailedException: when the program cannot be bufferized.
    """
    announce_models()
    with large_programs():
        marks = Marks(module)
        statistics = run_one_shot_bufferize(
            module, replace(options, listeners=[*options.listeners, marks])
        )
        wrong = check_contents(module, marks.described)
        remove_marks(module)
    return statistics, wrong


def demand_right_contents(wrong: Sequence[WrongRead], name: str) -> None:
    """Raise PassFailedException, for the pass of this name, when there are reads that go
    wrong."""
    if wrong:
        more = f"\n(and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise PassFailedException(f"{name}: {wrong[0]}{more}")
