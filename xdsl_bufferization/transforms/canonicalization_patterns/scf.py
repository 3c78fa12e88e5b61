"""Canonicalizations of scf: results that nothing uses or that are known."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.traits import ConstantLike
from xdsl.transforms.canonicalization_patterns.scf import replace_op_with_region

from xdsl_bufferization.dialects import scf
from xdsl_bufferization.interfaces.loop_like import static_trip_count
from xdsl_bufferization.models import announce_models

# The pass that applies these patterns is xDSL's, which knows no models.
announce_models()


class KnownResults(RewritePattern):
    """A result of an if that both regions yield from outside is that value."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not op.results:
            return
        yields = [region.block.last_op for region in op.regions if region.blocks]
        if len(yields) != 2 or yields[0] is None or yields[1] is None:
            return
        for result, a, b in zip(
            op.results, yields[0].operands, yields[1].operands, strict=True
        ):
            if a is b and result.first_use is not None:
                rewriter.replace_all_uses_with(result, a)


class UnusedResults(RewritePattern):
    """Results of an if that nothing uses go."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, scf.IfOp)
        kept = [i for i, r in enumerate(op.results) if r.first_use is not None]
        if len(kept) == len(op.results):
            return
        regions: list[Region] = []
        for region in op.regions:
            last = region.block.last_op
            assert last is not None
            rewriter.replace(last, scf.YieldOp(*(last.operands[i] for i in kept)))
            regions.append(rewriter.move_region_contents_to_new_regions(region))
        types = [op.results[i].type for i in kept]
        new = scf.IfOp(op.operands[0], types, regions[0], regions[1], op.attributes)
        results: list[SSAValue | None] = [None] * len(op.results)
        for i, result in zip(kept, new.results, strict=True):
            results[i] = result
        rewriter.replace(op, new, results)


class InvariantArguments(RewritePattern):
    """An argument of a loop that each iteration hands on as it is, is its initial value,
    and so is the result."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        body = op.regions[0].block
        last = body.last_op
        if last is None:
            return
        inits = op.operands[3:]
        for i, (result, arg, init, yielded) in enumerate(
            zip(op.results, body.args[1:], inits, last.operands, strict=True)
        ):
            if yielded is arg or yielded is init:
                for value in (result, arg):
                    if not _only_handed_on(value, last, i):
                        rewriter.replace_uses_with_if(
                            value,
                            init,
                            lambda use, i=i: use.operation is not last or use.index != i,
                        )


def _only_handed_on(value: SSAValue, last: Operation, position: int) -> bool:
    """Whether a value is used as nothing but the result that the next iteration gets in
    this position."""
    return all(use.operation is last and use.index == position for use in value.uses)


class UnusedArguments(RewritePattern):
    """An argument of a loop that is only handed on, its result unused, goes."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, scf.ForOp)
        body = op.regions[0].block
        last = body.last_op
        if last is None:
            return
        kept = [
            i
            for i, (result, arg) in enumerate(zip(op.results, body.args[1:], strict=True))
            if result.first_use is not None
            or not _only_handed_on(arg, last, i)
            or last.operands[i] not in (arg, op.operands[3 + i])
        ]
        if len(kept) == len(op.results):
            return
        rewriter.replace(last, scf.YieldOp(*(last.operands[i] for i in kept)))
        for i in reversed(range(len(op.results))):
            if i not in kept:
                rewriter.erase_block_argument(body.args[1 + i])
        new = _loop_like(op, [op.operands[3 + i] for i in kept], rewriter)
        results: list[SSAValue | None] = [None] * len(op.results)
        for i, result in zip(kept, new.results, strict=True):
            results[i] = result
        rewriter.replace(op, new, results)


def _loop_like(
    op: scf.ForOp, inits: Sequence[SSAValue], rewriter: PatternRewriter
) -> scf.ForOp:
    region = rewriter.move_region_contents_to_new_regions(op.regions[0])
    lb, ub, step = op.operands[:3]
    unsigned = "unsignedCmp" in op.properties
    new = scf.ForOp(lb, ub, step, inits, region, unsigned_cmp=unsigned)
    new.attributes |= op.attributes
    return new


class TrivialLoop(RewritePattern):
    """A loop of no iteration is its initial values, one of one iteration is its body, and
    one of several that does nothing but yield values from outside is these values."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        trips = static_trip_count(op)
        if trips is None:
            return
        if trips == 0:
            rewriter.replace(op, [], list(op.operands[3:]))
            return
        if trips == 1:
            inits = (op.operands[0], *op.operands[3:])
            replace_op_with_region(rewriter, op, op.regions[0], inits)
            return
        body = op.regions[0].block
        last = body.last_op
        if last is body.first_op and last is not None:
            yielded = list(last.operands)
            if not any(value.owner is body for value in yielded):
                rewriter.replace(op, [], yielded)


class HoistConstants(RewritePattern):
    """Move the constants at the top level of a loop's body in front of the loop.

    An op of no known dialect is not a constant, whatever it may be.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, scf.ForOp)
        constants = [
            inner
            for inner in op.body.block.ops
            if inner.has_trait(ConstantLike, value_if_unregistered=False)
        ]
        for constant in constants:
            constant.detach()
            rewriter.insert(constant)


class InlineExecuteRegion(RewritePattern):
    """A region of one block is executed where it is, unless it must not be inlined."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        blocks = op.regions[0].blocks
        if "no_inline" not in op.properties and blocks.first is blocks.last:
            replace_op_with_region(rewriter, op, op.regions[0])


PATTERNS: dict[str, tuple[RewritePattern, ...]] = {
    "scf.execute_region": (InlineExecuteRegion(),),
    "scf.for": (
        HoistConstants(),
        TrivialLoop(),
        InvariantArguments(),
        UnusedArguments(),
    ),
    "scf.if": (KnownResults(), UnusedResults()),
}
