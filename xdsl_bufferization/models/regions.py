"""Base models for ops with regions: loops, branches, and the terminators of both.

An op class carries them among its traits. They answer for bufferization, for control flow
(RegionBranchOpInterface, LoopLikeOpInterface) and so for buffer deallocation:

    class RepeatOp(IRDLOperation):             # toy.repeat %n iter_args(%a = %t) { ... }
        name = "toy.repeat"
        times = operand_def(IndexType)
        inits = var_operand_def()
        outs = var_result_def()
        body = region_def("single_block")
        traits = traits_def(LoopModel(first_init=1), RecursiveMemoryEffect())

A loop counts as a write of its init operands. Its result is the buffer of the init
operand again if each iteration yields the buffer it was given:

    %r = scf.for ... iter_args(%a = %t) -> tensor<?xf32> {
      %w = tensor.insert %f into %a[%i]      // in place: %w is %a, so the yield is
      scf.yield %w                           // equivalent to %a, and %r to %t
    }

A loop that yields another buffer (a new one, or another iter_arg's) is accepted with
allow-return-allocs-from-loops only. What it yields may be written by the next
iteration, so it must not be visible under another name: otherwise `resolve_conflicts`
copies it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue, Use
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException, VerifyException

from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.buffer_type_inference import (
    BufferTypes,
    has_fully_dynamic_layout,
)
from xdsl_bufferization.interfaces.bufferizable import (
    BUFFERIZABLE,
    MEMREF_TYPES,
    TENSOR_TYPES,
    AliasingOperand,
    AliasingValue,
    BufferRelation,
    BufferType,
    get,
    operands_of,
)
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.diagnostics import describe, name_of
from xdsl_bufferization.interfaces.loop_like import surely_runs
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchModel,
    RegionSuccessor,
)
from xdsl_bufferization.models.values import number_of

_HOW_TO_YIELD = (
    "Let every iteration yield the buffer it got (write the iter_arg in place and "
    "yield the result), or run with allow-return-allocs-from-loops."
)


class RegionOpModel(BufferizableModel):
    """An op whose regions end with terminators of `YieldModel`."""

    def yield_targets(self, op: Operation, end: Operation) -> Sequence[SSAValue]:
        """The values whose buffers have the types of what a terminator forwards."""
        return op.results


# Loops.


class LoopBuffers(RegionOpModel):
    """What loops that carry tensors between iterations have in common."""

    def bufferizes_to_memory_write(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return True

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        """Always: an init operand that may not be written is copied before the loop."""
        return True

    def is_repetitive_region(self, op: Operation, index: int) -> bool:
        return True

    def resolve_conflicts(
        self, op: Operation, rewriter: BufferizationRewriter, state: AnalysisState
    ) -> None:
        rewriter.resolve_operand_conflicts(op, state)
        for operand in self.copied_besides(op, state):
            copy_operand(operand, rewriter)


@dataclass(frozen=True)
class IterArgsBuffers(LoopBuffers):
    """A loop of one region. Its operands from `first_init` on are the inits, the block
    arguments from `first_iter_arg` on the iter_args; there is a result for each."""

    first_init: int = 0
    first_iter_arg: int = 0

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        """A loop that may run no iteration gives the init operand as its result; else
        the iter_arg is read or not."""
        number = operand.index - self.first_init
        if number < 0 or not surely_runs(op):
            return True
        return state.is_value_read(body_of(op).args[number + self.first_iter_arg])

    def bufferizes_to_memory_write(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return operand.index >= self.first_init

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        number = operand.index - self.first_init
        if number < 0:
            return ()
        relation = self._relation(op, number, state)
        return (AliasingValue(op.results[number], relation, is_definite(relation)),)

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        if isinstance(value, BlockArgument):
            return ()
        number = number_of(value)
        relation = self._relation(op, number, state)
        operand = operands_of(op)[number + self.first_init]
        return (AliasingOperand(operand, relation, is_definite(relation)),)

    def _relation(
        self, op: Operation, number: int, state: AnalysisState
    ) -> BufferRelation:
        body = body_of(op)
        yielded = terminator_of(body).operands[number]
        argument = body.args[number + self.first_iter_arg]
        return relation_of(state.are_equivalent(argument, yielded))

    def verify_analysis(self, op: Operation, state: AnalysisState) -> None:
        if not state.options.allow_return_allocs_from_loops:
            body = body_of(op)
            arguments = body.args[self.first_iter_arg :]
            verify_forwarded(terminator_of(body), 0, arguments, state)

    def copied_besides(self, op: Operation, state: AnalysisState) -> Sequence[Use]:
        """What is yielded and must not be the buffer of the next iteration."""
        if state.options.copy_before_write:
            return ()  # Nothing is ever written under two names.
        body = body_of(op)
        end = terminator_of(body)
        copied: list[Use] = []
        forwarded: set[SSAValue] = set()
        arguments = body.args[self.first_iter_arg :]
        for operand, argument in zip(operands_of(end), arguments, strict=True):
            value = get(operand)
            if not isinstance(value.type, TENSOR_TYPES):
                continue
            result = op.results[argument.index - self.first_iter_arg]
            is_written = state.is_value_written(argument) or state.is_value_written(
                result
            )
            if any(
                alias in forwarded
                or (alias is not argument and not is_made_inside(alias, op.regions[0]))
                # A constant, say. The loop, and who comes after it, may write it.
                or (is_written and not state.is_writable(alias))
                for alias in state.aliases_of(value)
            ):
                copied.append(operand)
            else:
                forwarded.add(value)
        return copied

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        body = body_of(op)
        if not isinstance(value, BlockArgument):
            return types.get_buffer_type(
                body.args[number_of(value) + self.first_iter_arg]
            )
        number = value.index - self.first_iter_arg
        yielded = terminator_of(body).operands[number]
        init = op.operands[number + self.first_init]
        return types.loop_carried_type(value, init, yielded, CARRIED)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        arguments = body_of(op).args[self.first_iter_arg :]
        for operand in operands_of(op)[: self.first_init]:
            if isinstance(get(operand).type, TENSOR_TYPES):
                rewriter.set_operand(op, operand.index, rewriter.get_buffer(get(operand)))
        bufferize_inits(op, operands_of(op)[self.first_init :], arguments, rewriter)
        for result, argument in zip(op.results, arguments, strict=True):
            if isinstance(result.type, TENSOR_TYPES):
                rewriter.set_type(result, rewriter.get_buffer_type(argument))


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
        super().verify(op)
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


# Branches.


class BranchBuffers(RegionOpModel):
    """An op whose results are what the terminators of its regions forward."""

    def terminators_of(self, op: Operation) -> Sequence[Operation]:
        """The terminators that forward values to the results."""
        return [
            block.last_op
            for region in op.regions
            for block in region.blocks
            if block.last_op is not None
            and isinstance(BUFFERIZABLE.lookup(block.last_op), YieldModel)
        ]

    def is_yielded_definitely(self, op: Operation) -> bool:
        """Whether a result is always the operand of one and the same terminator."""
        return False

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        if isinstance(value, BlockArgument):
            return ()
        number = number_of(value)
        definite = self.is_yielded_definitely(op)
        return [
            AliasingOperand(operands_of(end)[number], BufferRelation.EQUIVALENT, definite)
            for end in self.terminators_of(op)
        ]

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        number = number_of(value)
        type_: BufferType | None = None
        for end in self.terminators_of(op):
            # Then the others do not matter. Asking for them all the same would make a
            # chain of `else if` quadratic.
            if type_ is not None and has_fully_dynamic_layout(type_):
                break
            yielded = types.get_buffer_type(end.operands[number])
            type_ = _common_type(value, type_ or yielded, yielded, types)
        if type_ is None:  # It never ends.
            return types.unknown_buffer_type(value.type, op)
        return type_

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        rewriter.bufferize_operands(op)
        for result in op.results:
            if isinstance(result.type, TENSOR_TYPES):
                type_ = rewriter.get_buffer_type(result)
                for end in self.terminators_of(op):
                    forward(end, result.index, result, type_, rewriter)
                rewriter.set_type(result, type_)


class BranchControlFlow(RegionBranchModel):
    """Executes one of its regions, or none when that may be, and takes its results."""

    def get_successor_regions(
        self, op: Operation, point: Region | None
    ) -> Sequence[RegionSuccessor]:
        if point is not None:
            return (RegionSuccessor(None, op.results),)
        regions = [region for region in op.regions if region.blocks]
        successors = [RegionSuccessor(region, ()) for region in regions]
        if len(regions) < len(op.regions):
            successors.append(RegionSuccessor(None, op.results))
        return successors

    def get_entry_successor_operands(
        self, op: Operation, successor: Region | None
    ) -> Sequence[SSAValue]:
        return ()

    def append_forwarded_operands(
        self, op: Operation, operands: Sequence[SSAValue]
    ) -> None:
        if operands:
            raise ValueError(f"{op.name} forwards no operands")


@dataclass(frozen=True)
class BranchModel(BranchBuffers, BranchControlFlow):
    """A choice of one region: its results are what that region yields.

        traits = traits_def(BranchModel(), RecursiveMemoryEffect())

    The regions have no block arguments; each is one block that ends in a terminator of
    `YieldModel`, with a value for each result. Where a region is empty, there may be no
    result. Operands that are tensors are read by the op, as a condition is.
    """

    def verify(self, op: Operation | None = None) -> None:
        """Check that every region yields values of the types of the results.

        Raises:
            VerifyException: where one does not.
        """
        super().verify(op)
        assert op is not None
        expected = [result.type for result in op.results]
        for number, region in enumerate(op.regions):
            block = region.blocks.first
            end = None if block is None else block.last_op
            if end is None and not expected:
                continue
            types = [] if end is None else [operand.type for operand in end.operands]
            if types != expected:
                raise VerifyException(
                    f"{op.name}: region #{number} yields "
                    f"({', '.join(map(str, types))}), but the results are of types "
                    f"({', '.join(map(str, expected))}); {type(self).__name__} expects "
                    "the same"
                )


# Terminators.


class RegionTerminatorModel(BufferizableModel):
    """A terminator that forwards tensors: it reads them, so that they are finished by
    then, and never copies them, for that would be an allocation to forward."""

    def must_bufferize_in_place(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return True


class YieldModel(RegionTerminatorModel):
    """A terminator that forwards all its operands to the op around it, which has a model
    derived from `LoopModel` or `BranchModel`.

        traits = traits_def(IsTerminator(), YieldModel(), Pure())

    The results of loops are linked to their init operands instead.
    """

    def get_returned_operand_range(self, op: Operation, point: Region | None) -> range:
        return range(len(op.operands))

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        parent = op.parent_op()
        if parent is None:
            return ()
        model = BUFFERIZABLE.lookup(parent)
        if not isinstance(model, BranchBuffers):
            return ()
        result = parent.results[operand.index]
        definite = model.is_yielded_definitely(parent)
        return (AliasingValue(result, BufferRelation.EQUIVALENT, definite),)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        parent = op.parent_op()
        assert parent is not None
        model = BUFFERIZABLE.lookup(parent)
        if not isinstance(model, RegionOpModel):
            raise PassFailedException(
                f"{op.name}: it is not known what {name_of(parent)} does with the "
                "tensors that are yielded. Derive its model from LoopModel or "
                "BranchModel of xdsl_bufferization.models.regions, or end its region "
                "with a terminator of its own dialect, which has a model of "
                "BufferizableOpInterface."
                f"{describe(op)}"
            )
        forward_all(op, 0, model.yield_targets(parent, op), rewriter)


def forward_all(
    end: Operation,
    first: int,
    targets: Sequence[SSAValue],
    rewriter: BufferizationRewriter,
) -> None:
    """Let a terminator forward buffers, operands from the `first` on, each of the type of
    its target."""
    for index, target in enumerate(targets, first):
        if isinstance(target.type, (*TENSOR_TYPES, *MEMREF_TYPES)):
            forward(end, index, target, rewriter.get_buffer_type(target), rewriter)


def forward(
    end: Operation,
    index: int,
    target: SSAValue,
    type_: BufferType,
    rewriter: BufferizationRewriter,
) -> None:
    """Let a terminator forward a buffer of the type of its target."""
    buffer = rewriter.get_buffer(end.operands[index])
    if buffer.type != type_:
        _common_type(target, type_, cast(BufferType, buffer.type), rewriter.types)
        with rewriter.insert_at(InsertPoint.before(end)):
            buffer = rewriter.create_cast(buffer, type_)
    rewriter.set_operand(end, index, buffer)


def _common_type(
    value: SSAValue, first: BufferType, second: BufferType, types: BufferTypes
) -> BufferType:
    what = "the buffers that its regions yield"
    return types.common_buffer_type(value, first, second, what)


# Structure of loops.


def body_of(op: Operation) -> Block:
    """The first block of the only region of a loop."""
    block = op.regions[0].blocks.first
    assert block is not None
    return block


def terminator_of(block: Block) -> Operation:
    end = block.last_op
    assert end is not None
    return end


def relation_of(is_equivalent: bool) -> BufferRelation:
    return BufferRelation.EQUIVALENT if is_equivalent else BufferRelation.UNKNOWN


def is_definite(relation: BufferRelation) -> bool:
    return relation is BufferRelation.EQUIVALENT


def verify_forwarded(
    end: Operation, first: int, arguments: Sequence[SSAValue], state: AnalysisState
) -> None:
    """Demand that a region ends with the buffers it began with.

    Raises:
        PassFailedException: where it does not.
    """
    what = "Yield operand" if first == 0 else "Condition arg"
    for number, value in enumerate(end.operands[first:]):
        if not isinstance(value.type, TENSOR_TYPES):
            continue
        if number >= len(arguments) or not state.are_equivalent(value, arguments[number]):
            raise PassFailedException(
                f"{end.name}: {what} #{number} is not equivalent to the corresponding "
                f"iter bbArg. {_HOW_TO_YIELD}{describe(end)}"
            )


def is_made_inside(value: SSAValue, region: Region) -> bool:
    """Whether a value is defined in the region, or deeper. Its own block arguments come
    from outside."""
    inner = value.owner.parent_region()
    if inner is region:
        return not isinstance(value, BlockArgument)
    while inner is not None and inner is not region:
        inner = inner.parent_region()
    return inner is region


def copy_operand(operand: Use, rewriter: BufferizationRewriter) -> None:
    """Forward a copy of the tensor."""
    op = operand.operation
    with (
        rewriter.insert_at(InsertPoint.before(op)),
        rewriter.because("loop-yield", op, get(operand)),
    ):
        copy = rewriter.allocate_tensor(get(operand))
    rewriter.set_operand(op, operand.index, copy)


# Buffers of loops.

CARRIED = "the init operand of a loop and the value it yields"


def bufferize_inits(
    op: Operation,
    inits: Iterable[Use],
    arguments: Sequence[BlockArgument],
    rewriter: BufferizationRewriter,
) -> None:
    """Start the loop with buffers of the types of its iter_args, which it gives them."""
    types = [
        (operand, argument, rewriter.get_buffer_type(argument))
        for operand, argument in zip(inits, arguments, strict=True)
        if isinstance(argument.type, TENSOR_TYPES)
    ]
    for operand, argument, type_ in types:
        buffer = rewriter.create_cast(rewriter.get_buffer(get(operand)), type_)
        rewriter.set_operand(op, operand.index, buffer)
        rewriter.set_type(argument, type_)
