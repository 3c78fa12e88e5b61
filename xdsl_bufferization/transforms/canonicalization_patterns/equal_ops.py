"""Ops that repeat the computation of an earlier op.

    %p = memref.extract_aligned_pointer_as_index %m
    scf.if %c {
      %q = memref.extract_aligned_pointer_as_index %m     // is %p
      ...

Lowered deallocs repeatedly extract the same pointers and negate the same conditions. An
op without side effects is replaced by an equal op that dominates it. Regions with one
and several blocks are handled uniformly, each op is visited once, and the known ops of
a region are dropped at its end, so the cost is one walk (xDSL's cse copies the known
ops for every region, and does not enter regions with several blocks).
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import IsolatedFromAbove, IsTerminator, MemoryEffect, NoMemoryEffect

from xdsl_bufferization.analysis.facts.block_graph import dominator_tree
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist

_Attributes: TypeAlias = frozenset[tuple[str, Attribute]]
_Key: TypeAlias = tuple[
    type[Operation],
    tuple[SSAValue, ...],
    _Attributes,
    _Attributes,
    tuple[Attribute, ...],
]
_Known: TypeAlias = dict[_Key, Operation]


def merge_equal_ops(root: Operation, worklist: Worklist) -> None:
    """Replace ops in the regions of `root` by equal ones that dominate them."""
    for region in root.regions:
        _visit_region(region, {}, worklist)


def _visit_region(region: Region, known: _Known, worklist: Worklist) -> None:
    first = region.blocks.first
    if first is None:
        return
    tree = dominator_tree(region) if first is not region.blocks.last else {}
    stack: list[Block | list[_Key]] = [first]
    while stack:
        block = stack.pop()
        if isinstance(block, list):
            for key in block:
                del known[key]
            continue
        stack.append(_visit_block(block, known, worklist))
        stack += tree.get(block, ())


def _visit_block(block: Block, known: _Known, worklist: Worklist) -> list[_Key]:
    """The keys that were added to `known`."""
    added: list[_Key] = []
    op = block.first_op
    while op is not None:
        following = op.next_op
        if op.regions:
            inside = {} if op.has_trait(IsolatedFromAbove) else known
            for region in op.regions:
                _visit_region(region, inside, worklist)
        elif op.results and _is_pure(type(op)):
            key = (
                type(op),
                tuple(op.operands),
                frozenset(op.properties.items()),
                frozenset(op.attributes.items()),
                tuple(op.result_types),
            )
            equal = known.get(key)
            if equal is None:
                known[key] = op
                added.append(key)
            else:
                worklist.replace(op, equal.results)
        op = following
    return added


@cache
def _is_pure(op_class: type[Operation]) -> bool:
    """Whether all ops of a class have no effects, and only compute their results."""
    effects = [trait for trait in op_class.traits if isinstance(trait, MemoryEffect)]
    return (
        bool(effects)
        and all(isinstance(trait, NoMemoryEffect) for trait in effects)
        and not op_class.has_trait(IsTerminator)
    )
