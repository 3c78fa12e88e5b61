"""The pass fold-ownership-conditions: conditions that are the same in every iteration.

The ownership of a loop-carried buffer is a loop-carried i1. A loop that swaps two
buffers that it does not own carries two conditions that are initially false, and
computed from each other:

    scf.for ... iter_args(%old = %a, %new = %b, %p = %false, %q = %false) {
      ...
      %c:2 = bufferization.dealloc (%old, %new) if (%p, %q) retain (%new, %old)
      scf.yield %new, %old, %c#0, %c#1
    }

No op folds on its own there, because each condition depends on itself. Therefore, all
conditions are first assumed to be constants, and assumptions that lead to a
contradiction are dropped: the optimistic constant propagation of Wegman and Zadeck
("Constant Propagation with Conditional Branches", 1991), on i1 values. It is linear: a
value changes at most twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.analysis.deallocation.buffer_origin import (
    NEVER,
    BufferOrigins,
)
from xdsl_bufferization.analysis.facts.forwarded_values import ForwardedValues
from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.dialects.booleans import BoolConstants, get_constant_bool
from xdsl_bufferization.dialects.op_lists import list_functions, list_ops
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program


@dataclass(frozen=True)
class FoldOwnershipConditionsPass(ModulePass):
    """Replace i1 conditions that always have the same value by constants, also around
    loops.

        %false = arith.constant false
        %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a, %own = %false)
            -> (memref<8xf64>, i1) {
          %c = bufferization.dealloc (%m : memref<8xf64>) if (%own)
              retain (%m : memref<8xf64>)
          scf.yield %m, %c : memref<8xf64>, i1
        }

    becomes

        %no = arith.constant false
        %false = arith.constant false
        %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a, %own = %false)
            -> (memref<8xf64>, i1) {
          %c = bufferization.dealloc (%m : memref<8xf64>) if (%no)
              retain (%m : memref<8xf64>)
          scf.yield %m, %no : memref<8xf64>, i1
        }

    because %own and %c are false in every iteration, and %r#1 is false after the loop.
    The pointers of memrefs that are never in one allocation differ, too:

        %m = memref.alloc() : memref<8xf64>
        %p = memref.extract_aligned_pointer_as_index %m : memref<8xf64> -> index
        %q = memref.extract_aligned_pointer_as_index %a : memref<8xf64> -> index
        %c = arith.cmpi ne, %p, %q : index

    becomes

        %c = arith.constant true
        %m = memref.alloc() : memref<8xf64>
        %p = memref.extract_aligned_pointer_as_index %m : memref<8xf64> -> index
        %q = memref.extract_aligned_pointer_as_index %a : memref<8xf64> -> index

    `canonicalize-control-flow` then removes the unused values. The pass is part of
    `buffer-deallocation-pipeline{static-ownership}`, where it runs after the
    deallocations are inserted.
    """

    name = "fold-ownership-conditions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        fold_ownership_conditions(op)


@on_program
def fold_ownership_conditions(module: ModuleOp) -> None:
    """Fold the conditions in all functions of `module`."""
    for function in list_functions(module):
        ops = list_ops(function)
        conditions = _find_conditions((function, *ops))
        if any(map(_may_be_known, conditions)):
            origins = BufferOrigins(function, ops)
            _replace(function, _Constants(conditions, origins).known)


def _may_be_known(condition: SSAValue) -> bool:
    """Whether no other pass finds out that a condition is a constant."""
    return isinstance(condition, BlockArgument) or bool(_compared_memrefs(condition))


def _compared_memrefs(condition: SSAValue) -> tuple[SSAValue, ...]:
    """The two memrefs whose pointers a condition compares; empty if it does not."""
    op = condition.owner
    if not isinstance(op, arith.CmpiOp) or op.predicate.value.data not in _IF_DIFFERENT:
        return ()
    match [operand.owner for operand in op.operands]:
        case [
            memref.ExtractAlignedPointerAsIndexOp() as left,
            memref.ExtractAlignedPointerAsIndexOp() as right,
        ]:
            return left.operands[0], right.operands[0]
        case _:
            return ()


def _find_conditions(ops: Iterable[Operation]) -> list[SSAValue]:
    """All values of the type i1, of results and of arguments of blocks."""
    found: list[SSAValue] = []
    for op in ops:
        found += (result for result in op.results if result.type == i1)
        for region in op.regions:
            for block in region.blocks:
                found += (argument for argument in block.args if argument.type == i1)
    return found


_IF_DIFFERENT = {
    arith.CMPI_COMPARISON_OPERATIONS.index("eq"): False,
    arith.CMPI_COMPARISON_OPERATIONS.index("ne"): True,
}
"""What comparing two values that differ gives, by predicate."""

MOST_COMPARISONS = 1_024
"""Of a deallocation with more pairs of buffers, any may be the same."""

_VARIES = None
"""What is known of a value that is no constant. Nothing is known of a value yet that is
not in the table."""


class _Constants:
    """The constants among some values.

    Attributes:
        known: by value, the constant that it is, or that it varies.
    """

    def __init__(self, values: list[SSAValue], origins: BufferOrigins) -> None:
        self._origins = origins
        self.known: dict[SSAValue, bool | None] = {}
        self._forwarded = ForwardedValues()
        self._targets: dict[SSAValue, list[SSAValue]] = {}
        for value in values:
            for source in self._forwarded.sources(value):
                self._targets.setdefault(source, []).append(value)
        worklist = list(reversed(values))
        while worklist:
            value = worklist.pop()
            if value in self.known and self.known[value] is _VARIES:
                continue
            known = self._evaluate(value)
            if not known or (value in self.known and known[0] is self.known[value]):
                continue
            self.known[value] = known[0]
            worklist += self._targets.get(value, ())
            for use in value.uses:
                worklist += (r for r in use.operation.results if r.type == i1)

    def _evaluate(self, value: SSAValue) -> tuple[bool | None, ...]:
        """Return the lattice value of a value; empty if there is none yet."""
        constant = get_constant_bool(value)
        if constant is not None:
            return (constant,)
        sources = self._forwarded.sources(value)
        if sources:
            known = {self.known[source] for source in sources if source in self.known}
            return tuple(known) if len(known) < 2 else (_VARIES,)
        if not isinstance(value, OpResult) or value.op.regions:
            return (_VARIES,)
        op = value.op
        if isinstance(op, bufferization.DeallocOp):
            return self._any(self._conditions_for(op, value), False)
        if isinstance(op, arith.OrIOp):
            return self._any(op.operands, True)
        if isinstance(op, arith.AndIOp):
            return self._all(op.operands)
        compared = _compared_memrefs(value)
        if compared and self._origins.same_allocation(*compared) is NEVER:
            assert isinstance(op, arith.CmpiOp)
            return (_IF_DIFFERENT[op.predicate.value.data],)
        return (_VARIES,)

    def _conditions_for(
        self, op: bufferization.DeallocOp, result: OpResult
    ) -> Iterator[SSAValue]:
        """The conditions of the buffers that may be the one which a result is about."""
        memrefs, conditions, retained = op.get_operand_groups()
        kept = retained[result.index]
        are_few = len(memrefs) * len(retained) <= MOST_COMPARISONS
        for buffer, condition in zip(memrefs, conditions, strict=True):
            if (
                are_few
                and self.known.get(condition, ...) is not False
                and self._origins.same_allocation(buffer, kept) is NEVER
            ):
                continue
            yield condition

    def _any(
        self, operands: Iterable[SSAValue], is_true: bool
    ) -> tuple[bool | None, ...]:
        """Whether an operand is true; if one is, the result need not be."""
        known = [self.known.get(operand, ...) for operand in operands]
        if True in known:
            return (True if is_true else _VARIES,)
        if _VARIES in known:
            return (_VARIES,)
        return () if ... in known else (False,)

    def _all(self, operands: Iterable[SSAValue]) -> tuple[bool | None, ...]:
        known = [self.known.get(operand, ...) for operand in operands]
        if False in known:
            return (False,)
        if _VARIES in known:
            return (_VARIES,)
        return () if ... in known else (True,)


def _replace(function: FuncOp, known: dict[SSAValue, bool | None]) -> None:
    """Put constants in the place of the values that are constants."""
    entry = function.body.blocks.first
    assert entry is not None
    constants = BoolConstants(entry)
    for value, constant in known.items():
        if constant is None or value.first_use is None:
            continue
        owner: Operation | Block = value.owner
        if isinstance(owner, arith.ConstantOp):
            continue
        with built_for(value.first_use.operation):
            value.replace_all_uses_with(constants.get(constant))
