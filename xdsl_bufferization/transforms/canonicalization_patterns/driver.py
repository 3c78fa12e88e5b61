"""Canonicalization of a function in linear time.

One worklist holds the ops that may be simplified; each change adds the ops that it
affects. There is no iteration to a fixpoint, except in functions of several blocks,
where a folded branch may make blocks unreachable.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache

from xdsl.ir import Block, Operation, Region
from xdsl.traits import IsolatedFromAbove

from xdsl_bufferization.analysis.facts.block_graph import reachable_blocks
from xdsl_bufferization.dialects.definitions import CanonicalizedBy, load_patterns
from xdsl_bufferization.dialects.op_lists import list_ops
from xdsl_bufferization.transforms.canonicalization_patterns import branches
from xdsl_bufferization.transforms.canonicalization_patterns.adapters import as_rule
from xdsl_bufferization.transforms.canonicalization_patterns.constant_pool import (
    defines_constant,
)
from xdsl_bufferization.transforms.canonicalization_patterns.equal_ops import (
    merge_equal_ops,
)
from xdsl_bufferization.transforms.canonicalization_patterns.region_branch import (
    erase_unused_inputs,
    simplify_region_branch,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import (
    Rule,
    Worklist,
    is_trivially_dead,
)

_MODULES_OF_DIALECTS = {
    name: name
    for name in ("affine", "arith", "builtin", "cf", "complex", "index", "vector")
}
"""Where the rules are for ops whose classes are xDSL's, by dialect."""


@cache
def rules_for(op_class: type[Operation]) -> Sequence[Rule]:
    """The canonicalizations of the ops of a class, as rules."""
    if defines_constant(op_class):
        # No table has rules for constants: those of their dialect need not be loaded.
        return (_share_constant,)
    name = op_class.name
    modules = [
        trait.module for trait in op_class.traits if isinstance(trait, CanonicalizedBy)
    ]
    module = _MODULES_OF_DIALECTS.get(name.partition(".")[0])
    if module is not None and module not in modules:
        modules.append(module)
    return tuple(
        as_rule(canonicalization)
        for module in modules
        for canonicalization in load_patterns(module).get(name, ())
    )


_ALLOC_TENSOR = "bufferization.alloc_tensor"


def _rules_but_for_clones(op_class: type[Operation]) -> Sequence[Rule]:
    return () if op_class.name == "bufferization.clone" else rules_for(op_class)


def _rules_about_unused(op_class: type[Operation]) -> Sequence[Rule]:
    if op_class.name == _ALLOC_TENSOR:
        return (_erase_unused_tensor,)
    simplified = simplify_region_branch in rules_for(op_class)
    return (erase_unused_inputs,) if simplified else ()


def _erase_unused_tensor(op: Operation, worklist: Worklist) -> bool:
    """An unused bufferization.alloc_tensor is not allocated; canonicalize keeps it, as
    mlir-opt does."""
    if op.results[0].first_use is not None:
        return False
    worklist.erase(op)
    return True


def has_unused_values(function: Operation) -> bool:
    """Whether there may be something that `remove_unused_values` removes."""
    for op in _list_own_ops(function):
        if is_trivially_dead(op) or (
            (op.regions or op.name == _ALLOC_TENSOR)
            and any(result.first_use is None for result in op.results)
        ):
            return True
        for region in op.regions:
            if region.first_block is not region.last_block:
                return True
    return function.regions[0].first_block is not function.regions[0].last_block


def remove_unused_values(function: Operation) -> None:
    """Remove what nothing uses in the regions of an isolated op: ops without effects,
    results, values that loops carry, block arguments, unreachable blocks."""
    _simplify(function, Worklist(function, _rules_about_unused))


def _share_constant(op: Operation, worklist: Worklist) -> bool:
    """A constant is defined once in a function, at its start."""
    if op.attributes or op.operands or op.regions:
        return False
    equal = worklist.constants.find_equal(op)
    if equal is not None:
        worklist.replace(op, equal.results)
        return True
    following = op.next_op if op.prev_op is None else None
    if not worklist.constants.move_to_start(op):
        return False
    worklist.push_branches_to_empty(following)
    return True


def canonicalize_function(
    function: Operation,
    *,
    merge_equal: bool = False,
    keep_clones: bool = False,
    on_erasure: Callable[[Operation], None] = lambda op: None,
) -> bool:
    """Canonicalize the ops in the regions of an isolated op; whether that changed any.

    Args:
        function: a function, or another op that is isolated from above.
        merge_equal: whether to replace ops without effects by equal ones first.
        keep_clones: whether to leave bufferization.clone alone. A clone that is to be
            freed by another run of the deallocation must not replace a buffer that is
            already freed.
        on_erasure: called with each op that is about to be erased.
    """
    if not any(region.blocks for region in function.regions):
        return False
    rules = _rules_but_for_clones if keep_clones else rules_for
    worklist = Worklist(function, rules, on_erasure)
    if merge_equal:
        merge_equal_ops(function, worklist)
    _simplify(function, worklist)
    return worklist.has_changed


def _simplify(function: Operation, worklist: Worklist) -> None:
    """Visit all ops in the regions of a function, until there is nothing left to do."""
    ops = _list_own_ops(function)
    worklist.push_all(ops)
    worklist.run()
    # No rule makes a region of several blocks where there was none.
    if _have_several_blocks((function, *ops)):
        while _simplify_blocks(function, worklist):
            worklist.run()


def _list_own_ops(function: Operation) -> list[Operation]:
    """List the ops inside, except those in the regions of nested isolated ops."""
    ops = list_ops(function)
    isolated = [op for op in ops if op.regions and _is_isolated(type(op))]
    if not isolated:
        return ops
    foreign = {inner for op in isolated for inner in list_ops(op)}
    return [op for op in ops if op not in foreign]


@cache
def _is_isolated(op_class: type[Operation]) -> bool:
    return op_class.has_trait(IsolatedFromAbove, value_if_unregistered=False)


def _have_several_blocks(ops: Iterable[Operation]) -> bool:
    return any(
        region.first_block is not region.last_block
        for op in ops
        if op.regions
        for region in op.regions
    )


def _simplify_blocks(function: Operation, worklist: Worklist) -> bool:
    """Remove unreachable blocks and dead block arguments; whether there were any."""
    changed = False
    # Inner regions first: a block that is removed takes the regions in it along.
    for op in reversed((function, *_list_own_ops(function))):
        for region in op.regions:
            if region.first_block is not region.last_block:
                changed |= _simplify_region(region, worklist)
    return changed


def _simplify_region(region: Region, worklist: Worklist) -> bool:
    reachable = reachable_blocks(region)
    if len(reachable) < len(region.blocks):
        _push_operands_of_others(region, reachable, worklist)
    changed = branches.erase_unreachable_blocks(
        region, reachable, worklist.announce_erasure
    )
    if changed:
        assert region.parent is not None
        worklist.push(region.parent)
        for block in region.blocks:
            if block.last_op is not None:
                worklist.push(block.last_op)
    return branches.erase_unused_arguments(region, worklist) or changed


def _push_operands_of_others(
    region: Region, blocks: Collection[Block], worklist: Worklist
) -> None:
    """Push the definitions that the blocks not in `blocks` use: they will lose uses."""
    kept = set(blocks)
    for block in region.blocks:
        if block in kept:
            continue
        for op in block.walk():
            for operand in op.operands:
                worklist.push_definition(operand)
