"""The pass buffer-deallocation-simplification.

`bufferization.dealloc` compares buffers at run time: each buffer that it may free with
each that it retains and each other that it may free. This pass removes the comparisons
whose result follows from the origin of the buffers
(analysis/deallocation/buffer_origin.py). In a dealloc

    %o:2 = bufferization.dealloc (%m0, %m1) if (%c0, %c1) retain (%r0, %r1)

1. a memref that must share the allocation of some retained memrefs, and cannot share
   that of the others, is not freed; its condition is or-ed to the results of the former
   (*certain*);
2. a retained memref that can share the allocation of none of the memrefs is not owned
   (*unrelated*);
3. a memref that can share the allocation of none of the other memrefs gets its own
   dealloc (*alone*), in which 1 and 2 are more precise;
4. a retained memref that must share the allocation of one that is freed unconditionally
   is owned; if all retained memrefs do, the memrefs whose allocations they share are
   not freed (*always owned*).

With static ownership, the conditions are known to be ownership, as
ownership-based-buffer-deallocation computes it. A result that an op of the same block
returns with ownership is new memory, because an op owns no buffer from outside of it.
It therefore shares its allocation with no earlier memref or global, and with no such
result of another op.

Then the pass canonicalizes: it removes duplicates, memrefs with a false condition,
empty deallocs, and allocations that are only freed.

Each dealloc is rewritten once, in program order, and uses of its results are folded
before the next dealloc. An index over the operands answers these queries, so that a
dealloc of n buffers takes about n queries, not n * n comparisons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins, Traced
from xdsl_bufferization.analysis.deallocation.buffer_origin_index import OriginIndex
from xdsl_bufferization.analysis.deallocation.function_ownership import FunctionOwnership
from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.dialects.booleans import (
    BoolConstants,
    build_or,
    get_constant_bool,
)
from xdsl_bufferization.dialects.op_lists import list_functions, list_ops
from xdsl_bufferization.interfaces.buffer_deallocation import DeallocationOptions
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.canonicalization_patterns.dealloc import (
    erase_with_unused_operands,
    is_only_freed,
    merge_duplicate_memrefs,
)
from xdsl_bufferization.transforms.canonicalization_patterns.driver import rules_for
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import (
    Rule,
    Worklist,
)


@dataclass(frozen=True)
class BufferDeallocationSimplificationPass(ModulePass):
    """Remove run-time checks from deallocations where the buffers are known.

    Run it after ownership-based-buffer-deallocation and canonicalize. Here %a and %b are
    different allocations:

        func.func @f(%x: f32, %i: index, %c: i1, %d: i1) -> i1 {
          %a = memref.alloc() : memref<8xf32>
          %b = memref.alloc() : memref<8xf32>
          memref.store %x, %a[%i] : memref<8xf32>
          memref.store %x, %b[%i] : memref<8xf32>
          %own = bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>)
            if (%c, %d) retain (%a : memref<8xf32>)
          return %own : i1
        }

    becomes

        func.func @f(%x: f32, %i: index, %c: i1, %d: i1) -> i1 {
          %a = memref.alloc() : memref<8xf32>
          %b = memref.alloc() : memref<8xf32>
          memref.store %x, %a[%i] : memref<8xf32>
          memref.store %x, %b[%i] : memref<8xf32>
          bufferization.dealloc (%b : memref<8xf32>) if (%d)
          return %c : i1
        }

    Options:
    - static-ownership: assume that ownership-based-buffer-deallocation has inserted the
      deallocations, so that a result which an op returns with ownership is new memory.
      The result of a call is what the callee returns: an argument, if the callee is
      private, or a new allocation; a function with unknown callers returns only new
      allocations, by the function boundary ABI. Without this option, the result of a
      call may be any buffer.
    """

    name = "buffer-deallocation-simplification"

    static_ownership: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        simplify_buffer_deallocations(op, self.static_ownership)


@on_program
def simplify_buffer_deallocations(
    module: Operation, static_ownership: bool = False
) -> None:
    """Simplify all deallocs inside `module`."""
    options = DeallocationOptions(static_ownership=static_ownership)
    describe_call = FunctionOwnership(module, options).describe_call
    for function in list_functions(module):
        ops = list_ops(function)
        deallocs = [op for op in ops if isinstance(op, bufferization.DeallocOp)]
        if not deallocs:
            continue
        origins = BufferOrigins(function, ops, describe_call)
        constants = BoolConstants(function.body.blocks[0])
        positions = (
            {op: position for position, op in enumerate(ops)} if static_ownership else {}
        )
        conditions = Worklist(function, _rules_for_conditions)
        for dealloc in visiting(deallocs):
            _Simplification(dealloc, origins, constants, positions, conditions).run()
            # Before the next one, whose conditions may depend on the results of this one.
            conditions.run()


def _rules_for_conditions(op_class: type[Operation]) -> Sequence[Rule]:
    return rules_for(op_class) if op_class.name.startswith("arith.") else ()


_MOST_COMPARISONS = 4
"""By as many times deallocs of separate memrefs may be longer than a common one."""


@dataclass(slots=True)
class _Part:
    """A planned dealloc: some of the memrefs of the original one, and some of its
    retained memrefs.

    Attributes:
        memrefs: what it may free, and the conditions.
        retained: what it may own.
        certain: the conditions of the memrefs that were removed because they must be
            retained ones, with those.
        alone: the deallocs of memrefs that can be no other ones, but retained ones.
        rest: the dealloc of the memrefs that are left when any are alone.
    """

    memrefs: Sequence[tuple[SSAValue, SSAValue]]
    retained: Sequence[SSAValue]
    certain: Sequence[tuple[SSAValue, list[SSAValue]]] = ()
    alone: Sequence[_Part] = ()
    rest: _Part | None = None


class _Simplification:
    """The rewriting of one dealloc.

    Args:
        positions: with static ownership, the positions of all ops of the function.
    """

    def __init__(
        self,
        op: bufferization.DeallocOp,
        origins: BufferOrigins,
        constants: BoolConstants,
        positions: Mapping[Operation, int],
        conditions: Worklist,
    ):
        self.op = op
        self.positions = positions
        self.origins = origins
        self.constants = constants
        self.conditions = conditions
        self.traced: dict[SSAValue, Traced] = {}

    def run(self) -> None:
        op = self.op
        _, _, retained = op.get_operand_groups()
        results = list(op.results)
        part = _Part(merge_duplicate_memrefs(op), list(dict.fromkeys(retained)))
        for value in (*[value for value, _ in part.memrefs], *part.retained):
            self.traced[value] = self.origins.trace(value)
        if not self.positions or not self.split_by_origin(part):
            self.simplify(part)
        owned = self.build(part)
        false = self.constants.get(False)
        for value, result in zip(retained, results, strict=True):
            self.conditions.push_users(result)
            result.replace_all_uses_with(owned.get(value, false))
        erase_with_unused_operands(op)

    def split_by_origin(self, part: _Part) -> bool:
        """Separate the memrefs that different ops of the block return: if they are owned,
        each is new, and only what comes later may be the same.

        Return whether that was done: not if the deallocs together would be much longer.
        """
        by_op: dict[Operation, list[tuple[SSAValue, SSAValue]]] = {}
        rest: list[tuple[SSAValue, SSAValue]] = []
        for value, condition in part.memrefs:
            op = self.traced[value].base.owner
            if isinstance(op, Operation) and op.parent is self.op.parent:
                by_op.setdefault(op, []).append((value, condition))
            else:
                rest.append((value, condition))
        if not by_op:
            return False
        retained = self.get_index(part.retained)
        pieces: list[_Part] = []
        for op, memrefs in by_op.items():
            sharing: set[int] = set()
            for value, _ in memrefs:
                sharing.update(retained.get_sharing(self.traced[value]))
            kept = [part.retained[i] for i in sorted(sharing)]
            kept = [value for value in kept if not self.is_earlier(value, op)]
            pieces.append(_Part(memrefs, kept))
        comparisons = sum(len(piece.memrefs) * len(piece.retained) for piece in pieces)
        if comparisons > _MOST_COMPARISONS * (len(part.memrefs) + len(part.retained)):
            return False
        part.alone = pieces
        part.rest = _Part(rest, part.retained)
        for piece in (*pieces, part.rest):
            self.simplify(piece)
        return True

    def is_earlier(self, value: SSAValue, op: Operation) -> bool:
        """Whether a retained memref was there before an op of the dealloc's block; a
        global always was."""
        owner = self.traced[value].base.owner
        if isinstance(owner, memref.GetGlobalOp):
            return True
        if not isinstance(owner, Operation) or owner.parent is not op.parent:
            return True
        # A choice that a fold inserted has no position.
        position = self.positions.get(owner)
        return position is not None and position < self.positions[op]

    def simplify(self, part: _Part) -> None:
        """Reduce `part` by rules 1 and 2 until they no longer apply, then split it."""
        while True:
            part.memrefs = [
                (value, condition)
                for value, condition in part.memrefs
                if get_constant_bool(condition) is not False
            ]
            if not part.retained and len(part.memrefs) <= 1:
                return
            self.drop_certain(part)
            memrefs = self.get_index([value for value, _ in part.memrefs])
            if not self.drop_unrelated(part, memrefs):
                break
        if len(part.memrefs) > 1 and self.split(part, memrefs):
            return
        self.drop_always_owned(part)

    def get_index(self, memrefs: Sequence[SSAValue]) -> OriginIndex:
        return OriginIndex([self.traced[value] for value in memrefs])

    def drop_certain(self, part: _Part) -> None:
        if not part.retained:
            return
        index = self.get_index(part.retained)
        kept: list[tuple[SSAValue, SSAValue]] = []
        certain = list(part.certain)
        for value, condition in part.memrefs:
            same = index.get_same(self.traced[value])
            if same and index.is_certain(self.traced[value], same):
                certain.append((condition, [part.retained[i] for i in same]))
            else:
                kept.append((value, condition))
        part.memrefs = kept
        part.certain = certain

    def drop_unrelated(self, part: _Part, memrefs: OriginIndex) -> bool:
        related = [
            value for value in part.retained if memrefs.may_share(self.traced[value])
        ]
        dropped = len(related) < len(part.retained)
        part.retained = related
        return dropped

    def split(self, part: _Part, memrefs: OriginIndex) -> bool:
        retained = self.get_index(part.retained) if part.retained else None
        rest: list[tuple[SSAValue, SSAValue]] = []
        alone: list[_Part] = []
        for i, (value, condition) in enumerate(part.memrefs):
            traced = self.traced[value]
            if memrefs.may_share(traced, i):
                rest.append((value, condition))
                continue
            sharing = retained.get_sharing(traced) if retained is not None else ()
            piece = _Part(((value, condition),), [part.retained[j] for j in sharing])
            alone.append(piece)
            if sharing:
                self.simplify(piece)
        if not alone:
            return False
        part.alone = alone
        part.rest = _Part(rest, part.retained)
        self.simplify(part.rest)
        return True

    def drop_always_owned(self, part: _Part) -> None:
        if not part.retained:
            return
        index = self.get_index(part.retained)
        covered: set[int] = set()
        kept: list[tuple[SSAValue, SSAValue]] = []
        for value, condition in part.memrefs:
            is_freed = get_constant_bool(condition) is True
            same = index.get_same(self.traced[value]) if is_freed else []
            covered.update(same)
            if not same:
                kept.append((value, condition))
        if not covered:
            return
        true = self.constants.get(True)
        owned = [part.retained[i] for i in sorted(covered)]
        part.certain = [*part.certain, (true, owned)]
        if len(covered) == len(part.retained):
            part.memrefs = kept
            self.simplify(part)

    def build(self, part: _Part) -> dict[SSAValue, SSAValue]:
        """Insert the deallocs of `part`; the ownership of everything it retains."""
        false = self.constants.get(False)
        pieces = [self.build(alone) for alone in part.alone]
        if part.rest is not None:
            owned = self.build(part.rest)
        else:
            owned = self.build_dealloc(part.memrefs, part.retained)
        for piece in pieces:
            for value, ownership in piece.items():
                owned[value] = build_or(self.op, owned.get(value, false), ownership)
        for condition, values in reversed(part.certain):
            for value in values:
                owned[value] = build_or(self.op, owned.get(value, false), condition)
        return owned

    def build_dealloc(
        self, memrefs: Sequence[tuple[SSAValue, SSAValue]], retained: Sequence[SSAValue]
    ) -> dict[SSAValue, SSAValue]:
        op = self.op
        if not memrefs:
            return {}
        kept = frozenset(retained)
        needed = [m for m in memrefs if m[0] in kept or not is_only_freed(m[0], op)]
        if not needed:
            return {}
        values, conditions = zip(*needed, strict=True)
        dealloc = bufferization.DeallocOp(values, conditions, retained)
        assert op.parent is not None
        op.parent.insert_op_before(dealloc, op)
        return dict(zip(retained, dealloc.results, strict=True))
