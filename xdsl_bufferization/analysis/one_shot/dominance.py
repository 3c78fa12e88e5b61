"""Check that the definitions of tensors dominate their uses.

xDSL's verifier does not check this; mlir-opt's does. Analyses that follow tensors from
op to op rely on it: otherwise, they might not terminate.
"""

from __future__ import annotations

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.block_graph import reachable_blocks
from xdsl_bufferization.analysis.one_shot.program_order import OpNode, ProgramOrder
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.types import TENSOR_CLASSES


def check_dominance(order: ProgramOrder) -> None:
    """Check that every use of a tensor is dominated by its definition.

    Raises:
        PassFailedException: when one is not. Blocks that cannot be reached may use what
            is defined in those that can.
    """
    for node in order.postorder:
        for operand in operands_of(node.op):
            value = get(operand)
            if (
                value.type.__class__ in TENSOR_CLASSES
                and not _dominates(value, node, order)
                and (_is_reachable(node.op.parent) or not _is_reachable(value.owner))
            ):
                raise PassFailedException(
                    f"{node.op.name}: operand {operand.index} does not dominate this "
                    "use. Move the op that defines it in front of all its uses."
                    f"{describe(node.op)}"
                )


def _dominates(value: SSAValue, node: OpNode, order: ProgramOrder) -> bool:
    if isinstance(value, OpResult):
        source = order.nodes.get(value.op)
        if source is None:
            return True
        if source.block is node.block:
            return source.enter < node.enter
        return order.properly_dominates(source, node)
    assert isinstance(value, BlockArgument)
    block = order.blocks.get(value.block)
    return block is None or block.start <= node.enter <= block.dominated_end


def _is_reachable(place: Operation | Block | None) -> bool:
    block = place.parent if isinstance(place, Operation) else place
    while block is not None and block.parent is not None:
        region = block.parent
        if block is not region.blocks.first and block not in reachable_blocks(region):
            return False
        around = region.parent
        block = None if around is None else around.parent
    return True
