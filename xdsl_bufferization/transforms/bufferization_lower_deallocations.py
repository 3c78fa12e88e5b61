"""The pass bufferization-lower-deallocations.

`bufferization.dealloc` becomes `memref.dealloc` under a condition, in one of three forms.
A single memref, nothing retained:

    scf.if %c { memref.dealloc %m }

A single memref, some retained: compared with each, as an aligned pointer.

    %not_r = arith.cmpi ne, %m_pointer, %r_pointer
    %free = arith.andi %not_r, %c
    scf.if %free { memref.dealloc %m }
    %owns_r = arith.andi (arith.xori %not_r, %true), %c

Several memrefs: the pointers and conditions are stored to lists on the heap, and a
helper function, one per symbol table, fills in two further lists: which memrefs to
free, and which retained ones are owned. The size of the code stays linear in that of
the dealloc. Without lists, a few memrefs are compared with each other and with the
retained ones as above; a memref is not freed if it equals an earlier one that is owned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.builder import Builder, ImplicitBuilder
from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.dialects.booleans import (
    BoolConstants,
    build_and,
    build_not,
    build_or,
    get_constant_bool,
    insert_before,
)
from xdsl_bufferization.dialects.op_lists import list_ops
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.view_like import (
    VIEW_LIKE,
    get_comparable,
    get_view_base,
)
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.remarks.active import active_log, note_made_for
from xdsl_bufferization.transforms.utils.allocation_placement import (
    is_known_control_flow,
    is_parallel,
)

HELPER_NAME = "dealloc_helper"

_MOST_COMPARISONS = 16
"""Of pointers, in line, for one dealloc."""

_AVOID_LISTS = (
    "compare the pointers in line: bufferization-lower-deallocations{avoid-lists}, as "
    "buffer-deallocation-pipeline{static-ownership} does"
)

_INDEX = IndexType()
_NOT_EQUAL = IntegerAttr(arith.CMPI_COMPARISON_OPERATIONS.index("ne"), 64)


def _are_few(memrefs: Sequence[SSAValue], retained: Sequence[SSAValue]) -> bool:
    """Whether all comparisons of one dealloc can be in line."""
    count = len(memrefs)
    comparisons = count * (count - 1) // 2 + count * len(retained)
    return comparisons <= _MOST_COMPARISONS


def build_memref_dealloc(value: SSAValue) -> Sequence[Operation]:
    return (memref.DeallocOp.create(operands=[value]),)


@dataclass(frozen=True)
class LowerDeallocationsOptions:
    """How to free: `build_dealloc` returns the ops that free a memref, and `avoid_lists`
    has few memrefs compared in line, and the lists of more on the stack, if they can be.

    For mixed allocations, give the op that belongs to the allocation op the
    deallocations were inserted for.
    """

    build_dealloc: Callable[[SSAValue], Sequence[Operation]] = build_memref_dealloc
    avoid_lists: bool = False


@dataclass(frozen=True)
class LowerDeallocationsPass(ModulePass):
    """Lower `bufferization.dealloc` to `memref.dealloc`, guarded by `scf.if`.

    Run buffer-deallocation-simplification first: pointers whose equality it cannot
    decide are compared at run time. A dealloc of several memrefs calls a helper
    function, which is added to the module.

    Options:
    - dealloc-op: the op that frees a memref, its only operand (memref.dealloc). For
      mixed allocations, the op that matches the alloc-ops of the previous pass.
    - avoid-lists: compare the memrefs of a dealloc inline if at most 16 comparisons are
      needed. Otherwise, the lists of memrefs are on the stack, outside of parallel
      loops.
    """

    name = "bufferization-lower-deallocations"

    dealloc_op: str = "memref.dealloc"
    avoid_lists: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lower_deallocations(op, self.get_options(ctx))

    def get_options(self, ctx: Context) -> LowerDeallocationsOptions:
        if self.dealloc_op == "memref.dealloc":
            return LowerDeallocationsOptions(avoid_lists=self.avoid_lists)
        op_class = ctx.get_optional_op(self.dealloc_op)
        if op_class is None:
            raise PassFailedException(
                f"{self.name}: there is no op '{self.dealloc_op}' to free with. Give the "
                "full name of an op whose dialect is registered."
            )
        return LowerDeallocationsOptions(
            lambda memref: (op_class.create(operands=[memref]),), self.avoid_lists
        )


@on_program
def lower_deallocations(
    module: Operation, options: LowerDeallocationsOptions = LowerDeallocationsOptions()
) -> None:
    """Lower all deallocs inside `module`."""
    lowering = _Lowering(options)
    for op in visiting(list_ops(module)):
        if isinstance(op, bufferization.DeallocOp):
            lowering.lower(op)


@dataclass
class _Lowering:
    options: LowerDeallocationsOptions
    helpers: dict[Operation, str] = field(default_factory=dict[Operation, str])
    moved: dict[Operation, set[SSAValue]] = field(
        default_factory=dict[Operation, set[SSAValue]]
    )

    def lower(self, op: bufferization.DeallocOp) -> None:
        memrefs, conditions, retained = op.get_operand_groups()
        if not memrefs:
            owned = [_constants(op).get(False)] * len(retained) if retained else []
        elif len(memrefs) > 1 and self.is_compared_in_line(memrefs, retained):
            owned = self.lower_few(op, memrefs, conditions, retained)
        elif len(memrefs) > 1:
            owned = self.lower_many(op, memrefs, conditions, retained)
        elif retained:
            owned = self.lower_one_retaining(op, memrefs[0], conditions[0], retained)
        else:
            self.free_if(op, conditions[0], memrefs[0])
            owned = []
        for result, ownership in zip(list(op.results), owned, strict=True):
            result.replace_all_uses_with(ownership)
        assert op.parent is not None
        op.parent.erase_op(op)

    def free_if(self, place: Operation, condition: SSAValue, value: SSAValue) -> None:
        constant = get_constant_bool(condition)
        if constant is False:
            return
        ops = list(self.options.build_dealloc(value))
        if constant is None:
            from xdsl_bufferization.dialects import scf

            check = scf.IfOp(condition, [], [*ops, scf.YieldOp()])
            note_made_for(check, "ownership-check", place, value)
            ops = [check]
        assert place.parent is not None
        place.parent.insert_ops_before(ops, place)

    def lower_one_retaining(
        self,
        place: Operation,
        value: SSAValue,
        condition: SSAValue,
        retained: Sequence[SSAValue],
    ) -> list[SSAValue]:
        constants = _constants(place)
        pointer = self.get_pointer(place, value)
        others = [
            _build_not_equal(place, pointer, self.get_pointer(place, r)) for r in retained
        ]
        free = others[0]
        for other in others[1:]:
            free = build_and(place, free, other)
        self.free_if(place, build_and(place, free, condition), value)
        return [
            build_and(place, build_not(place, other, constants), condition)
            for other in others
        ]

    def is_compared_in_line(
        self, memrefs: Sequence[SSAValue], retained: Sequence[SSAValue]
    ) -> bool:
        return self.options.avoid_lists and _are_few(memrefs, retained)

    def lower_few(
        self,
        place: Operation,
        memrefs: Sequence[SSAValue],
        conditions: Sequence[SSAValue],
        retained: Sequence[SSAValue],
    ) -> list[SSAValue]:
        """Free each memref unless it is retained, or one before it, which is freed."""
        constants = _constants(place)
        pointers = [self.get_pointer(place, value) for value in memrefs]
        kept = [self.get_pointer(place, value) for value in retained]
        owned: list[SSAValue] = [constants.get(False)] * len(retained)
        for i, (value, condition) in enumerate(zip(memrefs, conditions, strict=True)):
            free = condition
            for j, pointer in enumerate(kept):
                other = _build_not_equal(place, pointers[i], pointer)
                is_owner = build_and(place, build_not(place, other, constants), condition)
                owned[j] = build_or(place, owned[j], is_owner)
                free = build_and(place, free, other)
            for j in range(i):
                other = _build_not_equal(place, pointers[i], pointers[j])
                is_freed = build_not(place, conditions[j], constants)
                free = build_and(place, free, build_or(place, other, is_freed))
            self.free_if(place, free, value)
        return owned

    def lower_many(
        self,
        place: Operation,
        memrefs: Sequence[SSAValue],
        conditions: Sequence[SSAValue],
        retained: Sequence[SSAValue],
    ) -> list[SSAValue]:
        index = IndexType()
        entry = _get_entry(place) if self.options.avoid_lists else None

        log = active_log()
        hint = _AVOID_LISTS if _are_few(memrefs, retained) else None
        cause = (
            None if log is None else log.cause("ownership-list", place, None, "", hint)
        )

        def allocate(element: Attribute, size: int) -> SSAValue:
            type_ = MemRefType(element, [size])
            kind = memref.AllocOp if entry is None else memref.AllocaOp
            alloc = kind((), (), type_)
            if log is not None and cause is not None:
                log.note(alloc, cause)
            return insert_before(place if entry is None else entry, alloc)

        lists = [
            allocate(element, size)
            for element, size in (
                (index, len(memrefs)),
                (i1, len(conditions)),
                (index, len(retained)),
            )
        ]
        constants = [
            insert_before(place, arith.ConstantOp.from_int_and_width(i, index))
            for i in range(max(len(memrefs), len(retained)))
        ]
        to_free, wanted, to_retain = lists

        def store(value: SSAValue, target: SSAValue, i: int) -> None:
            assert place.parent is not None
            op = memref.StoreOp.create(operands=[value, target, constants[i]])
            place.parent.insert_op_before(op, place)

        for i, value in enumerate(memrefs):
            store(self.get_pointer(place, value), to_free, i)
        for i, condition in enumerate(conditions):
            store(condition, wanted, i)
        for i, value in enumerate(retained):
            store(self.get_pointer(place, value), to_retain, i)
        pointers = _as_dynamic(place, to_free, index)
        wants = _as_dynamic(place, wanted, i1)
        keeps = _as_dynamic(place, to_retain, index)
        outputs = [allocate(i1, size) for size in (len(memrefs), len(retained))]
        free, owned = outputs
        dynamic_outputs = [_as_dynamic(place, value, i1) for value in outputs]
        call = func.CallOp(
            self.get_helper(place), [pointers, keeps, wants, *dynamic_outputs], []
        )
        assert place.parent is not None
        place.parent.insert_op_before(call, place)
        for i, value in enumerate(memrefs):
            decision = _load_i1(place, free, constants[i])
            self.free_if(place, decision, value)
        ownerships = [_load_i1(place, owned, constants[i]) for i in range(len(retained))]
        allocated = (to_free, to_retain, wanted, free, owned)
        for value in allocated if entry is None else ():
            place.parent.insert_op_before(memref.DeallocOp.build(operands=[value]), place)
        return list(ownerships)

    def get_pointer(self, place: Operation, value: SSAValue) -> SSAValue:
        """The aligned pointer of a buffer, the same for all views of the allocation.

        In line, it is read from the buffer at the start of all views, so that comparisons
        of two views of one buffer fold. mlir-opt goes back only to where it was moved.
        """
        through_views = get_view_base if self.options.avoid_lists else get_comparable
        value = through_views(value)
        function: Operation = place
        while (parent := function.parent_op()) is not None:
            function = parent
            if isinstance(function, func.FuncOp):
                break
        if function not in self.moved:
            self.moved[function] = _find_moved_views(function)
        if value in self.moved[function]:
            raise PassFailedException(
                "bufferization-lower-deallocations: cannot tell at run time which buffer "
                "a memref belongs to, because it may be a view that starts at another "
                "address (memref.view with a byte shift) and came through a block "
                "argument, a region or a call. Forward the buffer and build the view "
                f"where it is used.{describe(place)}"
            )
        # Several ops a buffer: not by the slow way over their definitions.
        pointer = memref.ExtractAlignedPointerAsIndexOp.create(
            operands=[value], result_types=[_INDEX]
        )
        return insert_before(place, pointer)

    def get_helper(self, op: Operation) -> str:
        table = op.parent_op()
        while table is not None and not table.has_trait(SymbolTable):
            table = table.parent_op()
        assert table is not None
        name = self.helpers.get(table)
        if name is None:
            name = self.helpers[table] = _add_helper(table)
        return name


def _constants(op: Operation) -> BoolConstants:
    assert op.parent is not None
    return BoolConstants(op.parent)


def _get_entry(op: Operation) -> Operation | None:
    """The first op of the function, whose stack allocations exist once in a call; None if
    several threads may be in `op` at the same time."""
    around = op.parent_op()
    while around is not None and not isinstance(around, func.FuncOp):
        if not is_known_control_flow(around) or is_parallel(around):
            return None
        around = around.parent_op()
    return None if around is None else around.body.blocks[0].first_op


def _find_moved_views(function: Operation) -> set[SSAValue]:
    """Find views whose pointer differs from that of their allocation, and their
    replacements."""
    moved: set[SSAValue] = set()
    starts: list[SSAValue] = []
    for op in list_ops(function):
        view = VIEW_LIKE.lookup(op)
        if view is not None and view.may_move_pointer(op):
            starts.append(op.results[0])
    if starts:
        origins = BufferOrigins(function)
        for start in starts:
            moved |= origins.get_dependents(start)
    return moved


def _build_not_equal(place: Operation, a: SSAValue, b: SSAValue) -> SSAValue:
    properties = {"predicate": _NOT_EQUAL}
    op = arith.CmpiOp.create(operands=[a, b], result_types=[i1], properties=properties)
    return insert_before(place, op)


def _load_i1(place: Operation, values: SSAValue, index: SSAValue) -> SSAValue:
    op = memref.LoadOp.create(operands=[values, index], result_types=[i1])
    return insert_before(place, op)


def _as_dynamic(place: Operation, value: SSAValue, element: Attribute) -> SSAValue:
    return insert_before(
        place,
        memref.CastOp.build(operands=[value], result_types=[_dynamic_list(element)]),
    )


def _dynamic_list(element: Attribute) -> MemRefType:
    return MemRefType(element, [DYNAMIC_INDEX])


def _add_helper(table: Operation) -> str:
    """Add the helper function to the end of a symbol table; the name it gets."""
    block = table.regions[0].blocks[0]
    used = {
        name.data
        for op in block.ops
        if isinstance(name := op.get_attr_or_prop("sym_name"), StringAttr)
    }
    name = HELPER_NAME
    number = 0
    while name in used:
        name = f"{HELPER_NAME}_{number}"
        number += 1
    block.add_op(build_helper_function(name))
    return name


def build_helper_function(name: str) -> func.FuncOp:
    """The function that decides what a dealloc of several memrefs frees and owns.

    Its arguments: the pointers that may be freed, those that are retained, the conditions
    of the former; and two outputs, whether to free each of the former and whether each of
    the latter is owned. A pointer is freed only at its first position.
    """
    from xdsl_bufferization.dialects import scf

    index_list, bool_list = _dynamic_list(IndexType()), _dynamic_list(i1)
    types = [index_list, index_list, bool_list, bool_list, bool_list]
    body = Block(arg_types=types)
    to_free, to_retain, conditions, free, owned = body.args
    with ImplicitBuilder(Builder(InsertPoint.at_end(body))):
        zero = arith.ConstantOp.from_int_and_width(0, IndexType()).result
        one = arith.ConstantOp.from_int_and_width(1, IndexType()).result
        true = arith.ConstantOp.from_int_and_width(1, i1).result
        false = arith.ConstantOp.from_int_and_width(0, i1).result
        free_count = memref.DimOp(to_free, zero).result
        retain_count = memref.DimOp(to_retain, zero).result

        with _loop(zero, retain_count, one) as (i, _):
            memref.StoreOp.get(false, owned, [i])
            scf.YieldOp()

        with _loop(zero, free_count, one) as (outer, _):
            pointer = memref.LoadOp.get(to_free, [outer]).res
            condition = memref.LoadOp.get(conditions, [outer]).res
            retained_loop = _loop(zero, retain_count, one, true)
            with retained_loop as (i, (so_far,)):
                retained = memref.LoadOp.get(to_retain, [i]).res
                same = arith.CmpiOp(retained, pointer, "eq").result
                then = Block()
                with ImplicitBuilder(Builder(InsertPoint.at_end(then))):
                    owned_so_far = memref.LoadOp.get(owned, [i]).res
                    now_owned = arith.OrIOp(owned_so_far, condition).result
                    memref.StoreOp.get(now_owned, owned, [i])
                    scf.YieldOp()
                scf.IfOp(same, [], Region(then))
                other = arith.CmpiOp(retained, pointer, "ne").result
                scf.YieldOp(arith.AndIOp(so_far, other).result)
            earlier_loop = _loop(zero, outer, one, retained_loop.op.results[0])
            with earlier_loop as (i, (so_far,)):
                earlier = memref.LoadOp.get(to_free, [i]).res
                other = arith.CmpiOp(earlier, pointer, "ne").result
                scf.YieldOp(arith.AndIOp(so_far, other).result)
            decision = arith.AndIOp(earlier_loop.op.results[0], condition).result
            memref.StoreOp.get(decision, free, [outer])
            scf.YieldOp()
        func.ReturnOp()
    return func.FuncOp(name, (types, []), Region(body), visibility="private")


class _loop:
    """An scf.for whose body is built inside `with ... as (index, carried)`."""

    def __init__(self, start: SSAValue, stop: SSAValue, step: SSAValue, *inits: SSAValue):
        from xdsl_bufferization.dialects import scf

        self.body = Block(arg_types=[IndexType(), *(init.type for init in inits)])
        self.op = scf.ForOp(start, stop, step, inits, Region(self.body))
        self.builder = ImplicitBuilder(Builder(InsertPoint.at_end(self.body)))

    def __enter__(self) -> tuple[SSAValue, Sequence[SSAValue]]:
        self.builder.__enter__()
        return self.body.args[0], self.body.args[1:]

    def __exit__(self, *_: object) -> None:
        self.builder.__exit__(None, None, None)
