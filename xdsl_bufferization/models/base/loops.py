"""The base model of loops: buffers and control flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchModel,
    RegionSuccessor,
)
from xdsl_bufferization.models.base.loop_buffers import IterArgsBuffers


@dataclass(frozen=True)
class IterArgsControlFlow(RegionBranchModel):
    """The control flow of a loop of one region, as of `IterArgsBuffers`: from the op, and
    from the end of the body, to the body or out of it."""

    first_init: int = 0
    first_iter_arg: int = 0

    def get_successor_regions(
        self, op: Operation, point: Region | None
    ) -> Sequence[RegionSuccessor]:
        return (
            RegionSuccessor(op.regions[0], self.get_region_iter_args(op)),
            RegionSuccessor(None, op.results),
        )

    def get_entry_successor_operands(
        self, op: Operation, successor: Region | None
    ) -> Sequence[SSAValue]:
        return op.operands[self.first_init :]

    def get_loop_regions(self, op: Operation) -> Sequence[Region]:
        return op.regions

    def get_inits(self, op: Operation) -> Sequence[SSAValue]:
        return op.operands[self.first_init :]

    def get_region_iter_args(self, op: Operation) -> Sequence[SSAValue]:
        first = op.regions[0].blocks.first
        return first.args[self.first_iter_arg :] if first is not None else ()


@dataclass(frozen=True)
class LoopModel(IterArgsBuffers, IterArgsControlFlow):
    """A loop over tensors: everything that is asked of it but how often it runs.

        traits = traits_def(LoopModel(first_init=1), RecursiveMemoryEffect())

    Args:
        first_init: the number of the first operand that is an init; all that follow are
            inits. There is a result for each.
        first_iter_arg: the number of the first block argument that is an iter_arg: 1
            where the first is an induction variable.

    The body is one block that ends in a terminator of `YieldModel`. The loop is assumed
    to run any number of times, none included. A model that knows more implements
    CountedLoopOpInterface too (`get_ranges`).
    """

    def verify(self, op: Operation | None = None) -> None:
        """Check that inits, iter_args, yielded values and results agree in their types.

        Raises:
            VerifyException: where they do not.
        """
        BufferizableModel.verify(self, op)
        assert op is not None
        block = op.regions[0].blocks.first if len(op.regions) == 1 else None
        end = None if block is None else block.last_op
        if block is None or end is None:
            raise VerifyException(
                f"{op.name}: {type(self).__name__} is for a loop with one region, which "
                "ends in a terminator"
            )
        inits = op.operands[self.first_init :]
        for what, values in (
            ("iter_args", block.args[self.first_iter_arg :]),
            (f"values that {end.name} forwards", end.operands),
            ("results", op.results),
        ):
            types = [value.type for value in values]
            if len(types) != len(inits):
                raise VerifyException(
                    f"{op.name}: there are {len(inits)} inits (the operands from number "
                    f"{self.first_init} on), but {len(types)} {what}; "
                    f"{type(self).__name__} expects one each"
                )
            for number, (init, type_) in enumerate(zip(inits, types, strict=True)):
                if init.type != type_:
                    raise VerifyException(
                        f"{op.name}: init #{number} is of type {init.type}, but number "
                        f"{number} of the {what} is of type {type_}; "
                        f"{type(self).__name__} expects the same"
                    )
