"""Tensors as block arguments: code shared by models of branches and of CFG regions.

A block argument has the buffer of a value that a branch forwards to it:

      cf.br ^loop(%init : tensor<?xf32>)
    ^loop(%t: tensor<?xf32>):              // aliases %init and %next
      %next = ...
      cf.cond_br %again, ^loop(%next : tensor<?xf32>), ^exit

The argument belongs to the op whose region holds the block (func.func,
scf.execute_region): its model answers `aliasing_operands` with
`aliasing_branch_operands`, `buffer_type` with `block_argument_buffer_type`, and calls
`bufferize_block_signatures`, which does the branches too. The operand belongs to the
branch: its model answers `aliasing_values` with `aliasing_block_arguments`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue, Use
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.block_graph import reachable_blocks
from xdsl_bufferization.error_positions import name_of
from xdsl_bufferization.interfaces.aliasing import (
    AliasingOperand,
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.interfaces.branch import BRANCH
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.types import MEMREF_TYPES, TENSOR_TYPES, BufferType

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter


def branch_operands(argument: BlockArgument) -> Iterator[Use]:
    """The operands that branches forward to a block argument, one for each way into its
    block; none for an argument of an entry block."""
    for edge in argument.block.uses:
        yield _forwarded_operand(edge, argument.index)


def aliasing_branch_operands(argument: BlockArgument) -> list[AliasingOperand]:
    """The answer of `aliasing_operands` for a block argument. It is one of the forwarded
    values, not known which, even if there is just one, as in MLIR."""
    return [
        AliasingOperand(operand, BufferRelation.EQUIVALENT, is_definite=False)
        for operand in branch_operands(argument)
    ]


def aliasing_block_arguments(op: Operation, operand: Use) -> list[AliasingValue]:
    """The answer of `aliasing_values` of a branch."""
    return [
        AliasingValue(argument, BufferRelation.EQUIVALENT, is_definite=False)
        for argument in _arguments_set_by(op, operand)
    ]


def block_argument_buffer_type(argument: BlockArgument, types: BufferTypes) -> BufferType:
    """The answer of `buffer_type` for an argument of a block that is branched to: the
    type of all that is forwarded, or a fully dynamic layout when that differs.

    Raises:
        PassFailedException: when buffers of different memory spaces come together.
    """
    region = argument.block.parent
    assert region is not None
    _infer_argument_types(region, types)
    return types.get_buffer_type(argument)


def bufferize_block_signatures(region: Region, rewriter: BufferizationRewriter) -> None:
    """Give the arguments of all blocks but the first their memref types, and let the
    branches forward buffers to them."""
    first = region.blocks.first
    types: list[tuple[BlockArgument, BufferType]] = []
    ends: list[Operation] = []
    for block in region.blocks:
        if block.last_op is not None:
            ends.append(block.last_op)
        if block is not first:
            types.extend(
                (argument, rewriter.get_buffer_type(argument))
                for argument in block.args
                if isinstance(argument.type, TENSOR_TYPES)
            )
    for argument, type_ in types:
        rewriter.set_type(argument, type_)
    for end in ends:
        if end.successors:
            _bufferize_branch(end, rewriter)


def _bufferize_branch(op: Operation, rewriter: BufferizationRewriter) -> None:
    """Forward buffers, cast to the types of the block arguments they become."""
    for operand in operands_of(op):
        value = get(operand)
        if not isinstance(value.type, (*TENSOR_TYPES, *MEMREF_TYPES)):
            continue
        # An operand is forwarded to one successor only, as to one argument.
        for argument in _arguments_set_by(op, operand):
            if isinstance(argument.type, MEMREF_TYPES):
                type_ = rewriter.get_buffer_type(argument)
                buffer = rewriter.get_buffer(value)
                with rewriter.insert_at(_point_after(buffer, op)):
                    buffer = rewriter.create_cast(buffer, type_)
                rewriter.set_operand(op, operand.index, buffer)


def _point_after(buffer: SSAValue, branch: Operation) -> InsertPoint:
    """Where a buffer is cast for a branch: at the end of the block it comes from, so that
    a block that does nothing but branch remains one."""
    owner = buffer.owner
    block = owner if isinstance(owner, Block) else owner.parent
    assert block is not None
    inside = block.find_ancestor_op_in_block(branch)
    end = block.last_op if inside is None else inside
    assert end is not None
    return InsertPoint.before(end)


# Which operand goes where.


def _forwarded_operand(edge: Use, number: int) -> Use:
    """The operand that a branch forwards along `edge`, a use of a block, as its argument
    of this number."""
    op = edge.operation
    model = BRANCH.lookup(op)
    if model is None:
        raise PassFailedException(
            f"{name_of(op)}: it is not known which operands it forwards to the arguments "
            "of its successors. Attach a model of BranchOpInterface to it "
            f"(xdsl_bufferization.interfaces.branch).{describe(op)}"
        )
    return operands_of(op)[model.get_successor_operand_range(op, edge.index)[number]]


def _arguments_set_by(op: Operation, operand: Use) -> Iterator[BlockArgument]:
    """The block arguments that an operand of a branch becomes: one, or none for an
    operand that decides where to go."""
    model = BRANCH.lookup(op)
    if model is None:
        return
    for number, block in enumerate(op.successors):
        forwarded = model.get_successor_operand_range(op, number)
        if operand.index in forwarded:
            yield block.args[operand.index - forwarded.start]


# Types of block arguments.


def _infer_argument_types(region: Region, types: BufferTypes) -> None:
    """Find the buffer types of all block arguments of a region together.

    Blocks are taken in an order in which every block comes after one that branches to
    it. An argument is assumed to have the type of what comes from the blocks before; then
    what comes from later blocks (the ends of loops) must have that type as well. Where it
    has not, the layout is made dynamic, and inference restarts from there.
    """
    op = region.parent
    assert op is not None
    dynamic: dict[BlockArgument, BufferType] = {}
    reached = reachable_blocks(region)
    position = {block: number for number, block in enumerate(reached)}
    unreached = [block for block in region.blocks if block not in position]
    while True:
        mark = types.mark_types()
        late: list[tuple[BlockArgument, Use]] = []
        for argument in _tensor_arguments(unreached):
            type_ = types.unknown_buffer_type(argument.type, op)
            types.assume_type(argument, type_)
            late.extend((argument, operand) for operand in branch_operands(argument))
        for number, block in enumerate(reached[1:], 1):
            for argument in _tensor_arguments([block]):
                type_: BufferType | None = None
                for edge in block.uses:
                    operand = _forwarded_operand(edge, argument.index)
                    source = edge.operation.parent
                    assert source is not None
                    if position.get(source, number) >= number:
                        late.append((argument, operand))
                    elif argument not in dynamic:
                        came = types.get_buffer_type(get(operand))
                        type_ = _common_type(argument, type_, came, types)
                type_ = dynamic.get(argument, type_)
                assert type_ is not None, "a reached block has an earlier predecessor"
                types.assume_type(argument, type_)
        found = len(dynamic)
        for argument, operand in late:
            if argument not in dynamic:
                assumed = types.get_buffer_type(argument)
                came = types.get_buffer_type(get(operand))
                type_ = _common_type(argument, assumed, came, types)
                if type_ != assumed:
                    dynamic[argument] = type_
        if len(dynamic) == found:
            return
        types.forget_types(mark)


def _common_type(
    argument: SSAValue,
    first: BufferType | None,
    second: BufferType,
    types: BufferTypes,
) -> BufferType:
    if first is None:
        return second
    return types.common_buffer_type(
        argument, first, second, "the values that branches forward to a block argument"
    )


def _tensor_arguments(blocks: list[Block]) -> Iterator[BlockArgument]:
    for block in blocks:
        for argument in block.args:
            if isinstance(argument.type, TENSOR_TYPES):
                yield argument
