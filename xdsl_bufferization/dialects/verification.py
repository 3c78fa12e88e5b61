"""Verification of large programs.

Whether an op may end its block, and whether values cross the border of a function, xDSL
0.75 finds out by counting all blocks of a region for the last op of each, by searching
the traits of a class again for each op, and by climbing from each operand to the
function. Here each takes constant time for an op.

As with the plans of definitions (`verification_plans.py`), what is found here is only
that ops are right. Any other op is left to xDSL, which says what is wrong, but not where:
that is added to its messages.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from xdsl.ir import Block, Operation, OpTrait, Region
from xdsl.ir.core import ErasedSSAValue
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.error_positions import InnerOpError, name_place
from xdsl_bufferization.guest import is_in_use

_FOUND = "_traits_found"
_NOTHING: dict[Any, OpTrait | None] = {}


def remember_traits(search: Callable[..., OpTrait | None]) -> Callable[..., Any]:
    """Return `Operation.get_trait` that searches a class once for each kind of trait."""

    @wraps(search)
    def get_trait(cls: type[Operation], trait: Any) -> OpTrait | None:
        if not isinstance(trait, type):
            return search(cls, trait)
        traits = cls.traits
        searched, found = traits.__dict__.get(_FOUND, (None, _NOTHING))
        if searched is not traits.traits:  # the first time, or one was added
            found = dict[Any, OpTrait | None]()
            traits.__dict__[_FOUND] = (traits.traits, found)
        if trait not in found:
            found[trait] = search(cls, trait)
        return found[trait]

    return get_trait


def verify_op_in_place(verify: Callable[..., None]) -> Callable[..., None]:
    """Return `Operation.verify` that does not count blocks."""

    @wraps(verify)
    def verify_op(self: Operation, verify_nested_ops: bool = True) -> None:
        if not _is_in_place(self):
            try:
                verify(self, verify_nested_ops)
            except VerifyException as error:
                name_place(self, error)
                raise
            return
        if verify_nested_ops:
            for region in self.regions:
                region.verify()
        try:
            self.verify_()
        except VerifyException:
            verify(self, False)

    return verify_op


def verify_ops_of_block(verify: Callable[[Block], None]) -> Callable[[Block], None]:
    """Return `Block.verify` that does not count ops."""

    @wraps(verify)
    def verify_ops(self: Block) -> None:
        op = self.first_op
        if op is None:
            _verify_empty(self, verify)
        while op is not None:
            if op.parent is not self:
                verify(self)
            op.verify()
            op = op.next_op

    return verify_ops


def _verify_empty(block: Block, verify: Callable[[Block], None]) -> None:
    try:
        verify(block)
    except VerifyException as error:
        if (parent := block.parent_op()) is not None:
            name_place(parent, error)
        raise


def _is_in_place(op: Operation) -> bool:
    """Whether the op uses values that exist, branches to blocks around it, and ends its
    block if and only if it may."""
    if ErasedSSAValue in map(type, op._operands):  # pyright: ignore[reportPrivateUsage]
        return False
    block = op.parent
    region = None if block is None else block.parent
    successors = op._successors  # pyright: ignore[reportPrivateUsage]
    if block is None or region is None:
        return not successors
    if block.last_op is op:
        return all(successor.parent is region for successor in successors) and (
            op.has_trait(IsTerminator) or _needs_no_terminator(region)
        )
    return not successors


def _needs_no_terminator(region: Region) -> bool:
    parent = region.parent
    return region.first_block is region.last_block and (
        parent is None or parent.has_trait(NoTerminator)
    )


def verify_isolation_in_one_walk(verify: Callable[..., None]) -> Callable[..., None]:
    """Return `IsolatedFromAbove.verify` that does not climb from operands."""

    @wraps(verify)
    def verify_isolated(self: IsolatedFromAbove, op: Operation) -> None:
        if _is_isolated(op):
            return
        try:
            verify(self, op)
        except VerifyException:
            # It shows the op in the form of Python, and not where it is.
            if is_in_use():
                _refuse_use_from_outside(op)
            raise

    return verify_isolated


def _is_isolated(op: Operation) -> bool:
    """Whether what is used in the op is defined in it. Ops inside that are isolated
    themselves are not entered."""
    inside: set[Block] = set()
    defined_in: list[Any] = []
    regions = list(op.regions)
    while regions:
        for block in regions.pop().blocks:
            inside.add(block)
            for child in block.ops:
                for operand in child._operands:  # pyright: ignore[reportPrivateUsage]
                    owner = operand.owner
                    defined_in.append(owner if type(owner) is Block else owner.parent)
                if child.regions and not child.has_trait(IsolatedFromAbove):
                    regions += child.regions
    return inside.issuperset(defined_in)


def _refuse_use_from_outside(op: Operation) -> None:
    """Raise for an op inside that uses what is not defined inside."""
    regions = list(op.regions)
    while regions:
        for block in regions.pop().blocks:
            for child in block.ops:
                for number, operand in enumerate(child.operands):
                    owner = operand.owner
                    if owner is op or not op.is_ancestor(owner):
                        raise InnerOpError(
                            child,
                            f"operand {number} is defined outside of '{op.name}', which "
                            "is isolated from above; pass the value as an argument, or "
                            "define it inside",
                        )
                if not child.has_trait(IsolatedFromAbove):
                    regions += child.regions
