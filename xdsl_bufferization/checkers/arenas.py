"""Whether the views of arenas are where they may be: inside of the arena, and aligned.

An arena is a buffer of bytes with a view. Its size is that of its type, or what the
attribute arena_bytes of the function says of an argument, if that is less. A view that
cannot be proved to be inside is wrong if its arena has other views, of which one is at a
constant offset: memory in which all offsets are computed was not planned. A cast of an
arena is the arena, and so is a part of it that is cast to bytes without an offset. If a
buffer with views is forwarded by a branch, an op with regions or a call, views of what it
is forwarded to are among the others (`checkers/shared_arenas.py`).

A view in a parallel region of an arena from outside is wrong, because all iterations
share it; so is a call of a function that puts its buffers there.

The address of a view must be a multiple of what its elements need (`natural_alignment`).
An arena is aligned as follows:

    memref.alloc                its alignment, at least 16
    memref.alloca               its alignment, or 1
    an argument of a function   arena_alignments of the function, or else what its views
                                need, which is then required of the operands of all calls
    a view of an arena          as far as the arena and the offset are
    anything else               what its views need
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import IntegerAttr, i8
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.analysis.facts.parallel_ops import runs_in_parallel
from xdsl_bufferization.checkers.arena_calls import ArenaCalls
from xdsl_bufferization.checkers.places import (
    arena_of,
    bytes_of,
    name_of,
    natural_alignment,
    place_of,
    start_of,
)
from xdsl_bufferization.checkers.shared_arenas import SharedArenas
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.constants import constant_integer
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import is_array, is_memref
from xdsl_bufferization.interfaces.diagnostics import describe

_MALLOC = 16
"""What the addresses of all allocations on the heap are a multiple of."""


@dataclass(frozen=True)
class WrongPlan:
    """An op, and what is wrong with the memory that it uses."""

    op: Operation
    what: str

    def __str__(self) -> str:
        return f"{self.what}{describe(self.op)}"


def check_arenas(functions: FunctionTable, calls: ArenaCalls) -> list[WrongPlan]:
    """Check where all views in some functions are. Return the errors."""
    return list(_Check(functions, calls).run())


@dataclass
class _Check:
    functions: FunctionTable
    calls: ArenaCalls
    needed: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    """What the addresses of function arguments must be a multiple of."""
    sizes: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    """What arena_bytes says of function arguments."""
    stated: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    """What arena_alignments says of function arguments."""

    def run(self) -> Iterator[WrongPlan]:
        ordered, on_cycles = self.functions.callees_first()
        bodies = [each for each in (*ordered, *on_cycles) if each.body.blocks.first]
        for function in bodies:
            yield from self._read_attributes(function)
        views: list[memref.ViewOp] = []
        for function in bodies:
            yield from self._check_bounds(function, views)
        yield from self._check_alignments(bodies, views)

    def _read_attributes(self, function: FuncOp) -> Iterator[WrongPlan]:
        arguments = function.body.blocks[0].args
        for name, found in (
            ("arena_bytes", self.sizes),
            ("arena_alignments", self.stated),
        ):
            attribute = function.attributes.get(name)
            if attribute is None:
                continue
            least = 1 if found is self.stated else 0
            numbers = _integers(attribute, least)
            arenas = arguments[-len(numbers) :] if numbers else ()
            if (
                numbers is None
                or len(arenas) != len(numbers)
                or not all(map(_is_bytes, arenas))
            ):
                yield WrongPlan(
                    function,
                    f"{name} of @{function.sym_name.data} must be an array with a number "
                    f"from {least} on for each of its last arguments, buffers of bytes",
                )
                continue
            found.update(zip(arenas, numbers, strict=True))
        for argument in arguments:
            number, size = self.sizes.get(argument), bytes_of(argument.type)
            if number is not None and size is not None and size < number:
                yield WrongPlan(
                    function,
                    f"arena_bytes of @{function.sym_name.data} says that "
                    f"{name_of(argument)} has {number} bytes, but it has {size}",
                )

    # Bounds

    def _check_bounds(
        self, function: FuncOp, at_constants: list[memref.ViewOp]
    ) -> Iterator[WrongPlan]:
        """Check that the views in a function are inside of their arenas. Append those at
        constant offsets."""
        by_arena: dict[SSAValue, list[memref.ViewOp]] = {}
        for op in walk(function):
            if isinstance(op, memref.ViewOp):
                by_arena.setdefault(arena_of(op), []).append(op)
                around = _parallel_op_between(op, arena_of(op))
                if around is not None:
                    what = f"{name_of(op.results[0])}, a view of {name_of(arena_of(op))}"
                    yield WrongPlan(op, _is_shared(what, around))
            elif isinstance(op, CallOp):
                yield from self._check_call_in_parallel(op)
        shared = SharedArenas.of(by_arena, self.calls)
        # The roots of arenas: of those with a view at a constant offset, and those that
        # are roots of several.
        planned = once = several = 0
        for arena, views in by_arena.items():
            roots = shared.roots_of(arena)
            constant = [
                op for op in views if constant_integer(op.operands[1]) is not None
            ]
            at_constants += constant
            planned |= roots if constant else 0
            several |= roots if len(views) > 1 else once & roots
            once |= roots
        for arena, views in by_arena.items():
            roots = shared.roots_of(arena)
            for op in views:
                size = self._size_of(arena, op)
                place = place_of(op)
                if place is None or size is None:
                    if roots & planned and roots & several:
                        yield WrongPlan(op, _unproved(op))
                elif place.start < 0 or place.end > size:
                    yield WrongPlan(
                        op,
                        f"{place} is not inside of its arena, which has {size} bytes",
                    )

    def _check_call_in_parallel(self, op: CallOp) -> Iterator[WrongPlan]:
        """Check that parallel iterations give what they call different arenas."""
        effects = self.calls.of(op)
        if effects is None:
            return
        name = op.callee.string_value()
        for arena in self.calls.filled_by(op):
            around = _parallel_op_between(op, start_of(arena))
            if around is not None:
                what = f"{name_of(arena)}, in which @{name} puts its buffers,"
                yield WrongPlan(op, _is_shared(what, around))
        if effects.fills_globals:
            around = _parallel_op_between(op, None)
            if around is not None:
                found = ", ".join(sorted(map(str, effects.fills_globals)))
                what = f"{found}, in which @{name} puts its buffers,"
                yield WrongPlan(op, _is_shared(what, around))

    def _size_of(self, arena: SSAValue, view: memref.ViewOp) -> int | None:
        """Return how many bytes the arena of a view has at least; None if that is not
        known."""
        size = bytes_of(arena.type)
        op = arena.owner
        if (
            size is None
            and isinstance(op, memref.AllocOp | memref.AllocaOp)
            and len(op.dynamic_sizes) == 1
        ):
            size = constant_integer(op.dynamic_sizes[0])
        known = (size, bytes_of(view.operands[0].type), self.sizes.get(arena))
        return min((each for each in known if each is not None), default=None)

    # Alignments

    def _check_alignments(
        self, functions: Sequence[FuncOp], views: Sequence[memref.ViewOp]
    ) -> Iterator[WrongPlan]:
        self.needed.update(self.stated)
        requirements = [
            (op, value, natural_alignment(value.type.element_type))
            for op in views
            for value in op.results
            if is_memref(value.type) and bytes_of(value.type) != 0
        ]
        calls = [
            (op, callee)
            for function in functions
            for op in walk(function)
            if isinstance(op, CallOp)
            and (callee := self.functions.callee(op)) is not None
            and callee.body.blocks.first is not None
        ]
        for _, value, needed in requirements:
            self._require(value, needed)
        # Requirements pass from callees to callers, which come later unless there is a
        # cycle.
        changed = True
        while changed:
            changed = False
            for op, callee in calls:
                for operand, argument in _passed(op, callee):
                    needed = self.needed.get(argument, 1)
                    changed |= needed > 1 and self._require(operand, needed)
        for op, value, needed in requirements:
            what = f"the elements of {value.type} need"
            yield from self._check_alignment(op, value, needed, what)
        for op, callee in calls:
            for operand, argument in _passed(op, callee):
                needed = self.needed.get(argument, 1)
                what = f"{name_of(argument)} of @{callee.sym_name.data} needs"
                yield from self._check_alignment(op, operand, needed, what)

    def _require(self, value: SSAValue, needed: int) -> bool:
        """Require an alignment of the function argument that a value is a view of, if its
        alignment is not stated. Return whether that is anything new."""
        root, _ = _root_of(value)
        if (
            root in self.stated
            or not _is_argument_of_function(root)
            or self.needed.get(root, 1) >= needed
        ):
            return False
        self.needed[root] = needed
        return True

    def _check_alignment(
        self, op: Operation, value: SSAValue, needed: int, what: str
    ) -> Iterator[WrongPlan]:
        if needed == 1:
            return
        root, offset = _root_of(value)
        known = self._alignment_of(root)
        if offset is None or offset % needed:
            at = (
                "an offset that is not constant" if offset is None else f"offset {offset}"
            )
            yield WrongPlan(
                op,
                f"{name_of(value)} is at {at} of {name_of(root)}, but {what} a multiple "
                f"of {needed} bytes",
            )
        elif known is not None and known % needed:
            yield WrongPlan(
                op,
                f"{name_of(value)}, at offset {offset} of {name_of(root)}: {what} a "
                f"multiple of {needed} bytes, but {name_of(root)} is aligned to {known}",
            )

    def _alignment_of(self, root: SSAValue) -> int | None:
        """Return what an arena is aligned to; None where its users decide."""
        op = root.owner
        match op:
            case memref.AllocOp():
                return max(_stated_alignment(op), _MALLOC)
            case memref.AllocaOp():
                return _stated_alignment(op)
            case _:
                return self.stated.get(root)


def _parallel_op_between(op: Operation, arena: SSAValue | None) -> Operation | None:
    """Return an op around another one whose iterations run at the same time, and share
    an arena; None if there is none.

    Args:
        arena: None if it is shared by everything.
    """
    made_in = None if arena is None else arena.owner
    if isinstance(made_in, Operation):
        made_in = made_in.parent
    block = op.parent
    while block is not None and block is not made_in:
        region = block.parent
        parent = None if region is None else region.parent
        if region is None or parent is None:
            return None
        if runs_in_parallel(parent):
            return parent
        block = parent.parent
    return None


def _is_shared(what: str, around: Operation) -> str:
    return (
        f"the iterations of '{around.name}' run at the same time, and share {what} from "
        "outside"
    )


def _unproved(op: memref.ViewOp) -> str:
    view, arena = name_of(op.results[0]), name_of(op.operands[0])
    if constant_integer(op.operands[1]) is None:
        reason = "its offset is not a constant (canonicalize first if it is computed)"
    elif bytes_of(op.results[0].type) is None:
        reason = "its size is not known"
    else:
        reason = f"the size of {arena} is not known"
    return (
        f"it cannot be proved that {view} is inside of {arena} and overlaps no other "
        f"view of it: {reason}"
    )


def _integers(attribute: Attribute, least: int) -> list[int] | None:
    if not is_array(attribute):
        return None
    numbers = [each.value.data for each in attribute if isinstance(each, IntegerAttr)]
    is_list = len(numbers) == len(attribute) and min(numbers, default=least) >= least
    return numbers if is_list else None


def _is_bytes(value: SSAValue) -> bool:
    return is_memref(value.type) and value.type.element_type == i8


def _stated_alignment(op: memref.AllocOp | memref.AllocaOp) -> int:
    given = op.properties.get("alignment")
    return max(given.value.data, 1) if isinstance(given, IntegerAttr) else 1


def _root_of(value: SSAValue) -> tuple[SSAValue, int | None]:
    """Return the arena that a value is a view of, through all views, and the offset; None
    where it is not constant."""
    offset: int | None = 0
    value = start_of(value)
    while isinstance(value.owner, memref.ViewOp):
        start = constant_integer(value.owner.operands[1])
        offset = None if start is None or offset is None else offset + start
        value = arena_of(value.owner)
    return value, offset


def _is_argument_of_function(value: SSAValue) -> bool:
    if not isinstance(value, BlockArgument):
        return False
    block = value.owner
    return isinstance(block.parent_op(), FuncOp) and block.prev_block is None


def _passed(op: CallOp, callee: FuncOp) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Yield the operands of a call, each with the argument that it becomes."""
    for operand, argument in zip(op.arguments, callee.body.blocks[0].args, strict=True):
        if is_memref(operand.type):
            yield operand, argument
