"""Check that the definitions of values dominate their uses.

xDSL's verifier does not check this; mlir-opt's does. Analyses that follow tensors from
op to op rely on it: otherwise, they might not terminate. Passes that move or remove ops
rely on it for all values.

One walk finds the uses that do not come after their definition in the same block or in a
block around the use. Only these are examined further: dominators are computed only for
regions where a value is used in another block than the one that defines it.

Other values than tensors may be used in any order where MLIR permits it: in a graph
region, such as the body of a module or of an unregistered op, and in blocks that control
never reaches.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.block_graph import Dominance, block_of
from xdsl_bufferization.error_positions import name_of
from xdsl_bufferization.guest import MLIR_DIALECTS
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.types import TENSOR_CLASSES


def check_dominance(root: Operation) -> None:
    """Check that every use inside `root` of a value is dominated by its definition.

    Raises:
        PassFailedException: when one is not. Blocks that cannot be reached may use what
            is defined in those that can.
    """
    dominance = Dominance()
    for use in _uses_of_unseen(root):
        if not _is_valid(use, root, dominance):
            raise PassFailedException(
                f"{name_of(use.op)}: the definition of operand {use.number} does not "
                "dominate this use. Move the op that defines it in front of all its "
                f"uses, on every path.{describe(use.op)}"
            )


class _Use(NamedTuple):
    """A use of a value that no op before it, in its block or those around it, defines."""

    op: Operation
    number: int
    user_block: Block | None
    """The block around the use, or the block that it is in, that is in the region of the
    value's definition; None if there is none."""

    @property
    def value(self) -> SSAValue:
        return self.op.operands[self.number]


def _uses_of_unseen(root: Operation) -> Iterator[_Use]:
    """The uses whose definition the walk has not passed, or has left the block of."""
    seen: set[int] = set()
    """The ops that have ended, by their ids, which are faster to look up than ops."""
    open_blocks: set[int] = set()
    block_in: dict[Region, Block] = {}
    """The open block of each region."""
    unseen: list[tuple[Block, Operation | None, Operation | None]] = []
    """Blocks to continue, with the op that has ended and the op to continue with."""
    _push_blocks(root, unseen)
    while unseen:
        block, ended, op = unseen.pop()
        if ended is None:
            open_blocks.add(id(block))
            assert block.parent is not None
            block_in[block.parent] = block
        else:
            seen.add(id(ended))
        while op is not None:
            for number, value in enumerate(op._operands):  # pyright: ignore[reportPrivateUsage]
                if type(value) is OpResult:
                    source = value.op
                    if id(source) in seen and id(source.parent) in open_blocks:
                        continue
                elif id(value.owner) in open_blocks:
                    continue
                region = block_of(value).parent
                yield _Use(op, number, None if region is None else block_in.get(region))
            if op.regions:
                unseen.append((block, op, op.next_op))
                _push_blocks(op, unseen)
                break
            seen.add(id(op))
            op = op.next_op
        else:
            open_blocks.discard(id(block))
            assert block.parent is not None
            if block.next_block is None:
                del block_in[block.parent]


def _push_blocks(
    op: Operation, unseen: list[tuple[Block, Operation | None, Operation | None]]
) -> None:
    for region in reversed(op.regions):
        block = region.last_block
        while block is not None:
            unseen.append((block, None, block.first_op))
            block = block.prev_block


def _is_valid(use: _Use, root: Operation, dominance: Dominance) -> bool:
    value, place = use.value, use.user_block
    home = block_of(value)
    if place is None:
        if not root.is_ancestor(home):
            return True  # Defined around the root.
    elif place is not home and dominance.holds(home, place):
        return True
    if value.type.__class__ in TENSOR_CLASSES:
        return not _is_reachable(use.op.parent, dominance) and _is_reachable(
            home, dominance
        )
    return (place is home and _is_graph_region(home.parent)) or not _is_reachable(
        use.op.parent, dominance
    )


def _is_graph_region(region: Region | None) -> bool:
    """Whether a region may be one whose ops have no order. Ops of other dialects than
    MLIR's do not say."""
    op = None if region is None else region.parent
    return (
        op is None
        or op.has_trait(NoTerminator)
        or op.name.partition(".")[0] not in MLIR_DIALECTS
    )


def _is_reachable(block: Block | None, dominance: Dominance) -> bool:
    while block is not None and block.parent is not None:
        region = block.parent
        if not dominance.holds(region.first_block, block):
            return False
        around = region.parent
        block = None if around is None else around.parent
    return True
