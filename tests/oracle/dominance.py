"""Whether values are defined before they are used, which xDSL's verifier does not ask."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region

from xdsl_bufferization.analysis.facts.block_graph import Dominance, reachable_blocks
from xdsl_bufferization.dialects.op_lists import list_functions


def uses_before_definition(module: ModuleOp) -> list[Operation]:
    """The ops in functions that use a value which does not dominate them."""
    dominance = Dominance()
    reachable: dict[Region, set[Block]] = {}
    found: list[Operation] = []
    for function in list_functions(module):
        number = {op: number for number, op in enumerate(function.walk())}
        for op in number:
            block = op.parent
            if op is function or block is None or block.parent is None:
                continue
            region = block.parent
            if region not in reachable:
                reachable[region] = set(reachable_blocks(region))
            if block in reachable[region] and not all(
                _is_defined(operand.owner, op, number, dominance)
                for operand in op.operands
            ):
                found.append(op)
    return found


def _is_defined(
    owner: Operation | Block,
    user: Operation,
    number: dict[Operation, int],
    dominance: Dominance,
) -> bool:
    if isinstance(owner, Block):
        return dominance.holds(owner, user.parent)
    top = None if owner.parent is None else owner.parent.find_ancestor_op_in_block(user)
    if top is not None:
        return number[owner] < number[top]
    return dominance.holds(owner.parent, user.parent)
