"""The views that memrefs denote: which part of which buffer each of them is.

`Views` looks through ops that forward only one buffer: the result of scf.for is the
initial buffer if each iteration yields its iter_arg, that of a call is an argument if the
function returns it, and that of arith.select is either operand if both are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    OpResult,
    Region,
    SSAValue,
)

from xdsl_bufferization.analysis.facts.block_graph import (
    Dominance,
    block_of,
    reaches_itself,
)
from xdsl_bufferization.analysis.facts.forwarded_values import ForwardedValues
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.analysis.facts.slices import Slice
from xdsl_bufferization.analysis.facts.value_bounds import Index, constant_of, static_list
from xdsl_bufferization.checkers.contents.arenas import Memory
from xdsl_bufferization.checkers.contents.views import (
    OtherView,
    Step,
    View,
    is_same,
    values_of,
)
from xdsl_bufferization.checkers.places import bytes_of
from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.interfaces.types import MEMREF_CLASSES
from xdsl_bufferization.interfaces.view_like import get_renamed

_MAX_SELECTED = 8
"""Views that a chain of arith.select is followed to, and parts of a buffer that a choice
is: so many take constant time."""
_CASTS = (bufferization.ToBufferOp, bufferization.ToTensorOp)
"""Between a buffer and a tensor that is left."""
_SAME_ELEMENTS = ("arith.index_cast", "arith.index_castui", "tensor.cast")
"""Views of all elements, cast one by one."""
_SLICES = ("memref.subview", "tensor.extract_slice")
TENSOR_VIEWS = {
    *("tensor.cast", "tensor.collapse_shape", "tensor.expand_shape"),
    *("tensor.extract_slice", "tensor.reshape"),
}
"""Ops that, where they were left on tensors, name a part of a buffer or all of it."""

_Repeated: TypeAlias = Operation | Region
"""What runs more than once: an op with regions, or the blocks of a region."""


class Views:
    """The views of all memrefs of a program.

    Args:
        functions: the functions that calls may refer to.
        memory: that of places in arenas, which are bases.
        returned: the arguments of a function that a result may be a part of.
        returns_new: whether a result of a function is memory that each call allocates,
            and that no other result is in.
    """

    def __init__(
        self,
        functions: FunctionTable,
        memory: Memory | None = None,
        returned: Callable[[FuncOp, int], Sequence[int]] = lambda func, number: (),
        returns_new: Callable[[FuncOp, int], bool] = lambda func, number: False,
    ) -> None:
        self._functions = functions
        self.memory = memory or {}
        self._returned = returned
        self._returns_new = returns_new
        self.forwarded = ForwardedValues()
        self._known: dict[SSAValue, View] = {}
        self._named_after: dict[SSAValue, list[SSAValue]] = {}
        """By base, the other memrefs that are named by it."""
        self._known_choices: dict[SSAValue, Sequence[SSAValue]] = {}
        self._known_alternatives: dict[View, Sequence[View] | None] = {}
        """Without those through calls."""
        self._known_results_of: dict[FuncOp, dict[int, int]] = {}
        self._dominance = Dominance()
        self._repeated: dict[Block, bool] = {}
        ordered, self._recursive = functions.find_recursive()
        for func in filter(self._recursive.__contains__, ordered):
            # Now, as the views of its own values must not be asked for meanwhile.
            self._known_results(func)

    def of(self, value: SSAValue) -> View:
        """Return the view of a memref. A tensor that is left is its own base."""
        known = self._known.get(value)
        if known is not None:
            return known
        steps: list[Step] = []
        start = value
        while start not in self._known and isinstance(start, OpResult):
            op = start.op
            source = _source(op)
            if source is None or start.index != 0 or start in self.memory:
                break
            steps += reversed(_steps(op))
            start = source
        known = self._known.get(start)
        if known is None:
            # It is its own base while its sources are looked for.
            self._known[start] = View(start)
            known = self._forwarded(start)
            self._name(start, known)
        view = View(known.base, (*known.steps, *reversed(steps))) if steps else known
        if value not in self._known:
            self._name(value, view)
        return view

    def alternatives(
        self, view: View, *, through_calls: bool = False
    ) -> Sequence[View] | None:
        """Return the possible views for a view whose base is one of several buffers;
        None if unknown. Memory that is allocated in a loop may be that of an earlier
        iteration. Indices of an earlier iteration have names that are used nowhere else.

        Args:
            through_calls: name the arguments that a result of a call may be a part of,
                which may be other memory as well.
        """
        if through_calls:
            return self._find_alternatives(view, True)
        if view in self._known_alternatives:
            return self._known_alternatives[view]
        found = self._find_alternatives(view, False)
        if found is None or not any(map(_is_called, found)):
            self._known_alternatives[view] = found
        return found

    def _find_alternatives(
        self, view: View, through_calls: bool
    ) -> Sequence[View] | None:
        found: dict[View, None] = {}
        seen: dict[SSAValue, set[tuple[View, frozenset[_Repeated]]]] = {}
        earlier: dict[SSAValue, SSAValue] = {}
        # With each view the loops around its base that have begun an iteration since.
        worklist = [(view, frozenset[_Repeated]())]
        while worklist:
            current, repeated = way = worklist.pop()
            base = current.base
            ways = seen.setdefault(base, set())
            if way in ways:
                continue
            if len(ways) == _MAX_SELECTED:
                # A loop may yield a slice of what it was given.
                return None
            ways.add(way)
            sources = [self.of(source) for source in self._choices(base)]
            if sources and (repeats := self._what_repeats(base)) is not None:
                repeated |= {repeats}
            if any(self._is_outdated(source, repeated) for source in sources):
                if not all(map(_has_slices_only, sources)):
                    return None
                sources = [self._renamed(s, repeated, earlier) for s in sources]
            if through_calls:
                sources += self._parts_of_arguments(base)
            for source in sources:
                around = {loop for loop in repeated if self._is_set_in(source.base, loop)}
                worklist.append((_after(source, current), frozenset(around)))
            if sources:
                continue
            if not self._is_its_own(base) and (
                repeated
                or not (base is view.base or self._is_known_outside(base, view.base))
            ):
                return None
            found[current] = None
        return list(found)

    def selected(self, view: View) -> list[View]:
        """Return the possible views for a view whose base is the result of
        arith.select; the view itself if there are too many, or its base is something
        else."""
        found: list[View] = []
        worklist = [view]
        while worklist:
            current = worklist.pop()
            op = current.base.owner
            if not isinstance(op, arith.SelectOp):
                found.append(current)
                continue
            worklist += [_after(self.of(source), current) for source in op.operands[1:]]
            if len(found) + len(worklist) > _MAX_SELECTED:
                return [view]
        return found

    def forwarded_bases(self, base: SSAValue) -> Sequence[SSAValue]:
        """Return the bases of the memrefs that a base is one of; none if not known."""
        return [self.of(source).base for source in self._choices(base)]

    def _parts_of_arguments(self, base: SSAValue) -> list[View]:
        """Return the parts of arguments that the result of a call may be."""
        if not isinstance(base, OpResult) or not isinstance(base.op, CallOp):
            return []
        callee = self._functions.callee(base.op)
        found = () if callee is None else self._returned(callee, base.index)
        arguments = [self.of(base.op.operands[number]) for number in found]
        return [View(v.base, (*v.steps, OtherView(base.op))) for v in arguments]

    def _choices(self, base: SSAValue) -> Sequence[SSAValue]:
        known = self._known_choices.get(base)
        if known is None:
            if isinstance(base, OpResult) and isinstance(base.op, arith.SelectOp):
                known = base.op.operands[1:]
            else:
                known = self.forwarded.sources(base)
            self._known_choices[base] = known
        return known

    def _what_repeats(self, base: SSAValue) -> _Repeated | None:
        """Return what may have begun another iteration when a base is set to a value from
        inside it: an op with regions, or the region that a loop of blocks is in."""
        owner = base.owner
        if isinstance(owner, Block) and owner.prev_block is not None:
            return owner.parent
        around = owner.parent_op() if isinstance(owner, Block) else owner
        if around is None:
            return None
        graph = self.forwarded.graph(around)
        return None if graph.is_known and not graph.repetitive else around

    def _is_outdated(self, view: View, repeated: Iterable[_Repeated]) -> bool:
        """Return whether the values that tell the part of a view may be those of an
        earlier iteration of what repeats."""
        return any(
            self._is_set_in(value, loop)
            for loop in repeated
            for step in view.steps
            for value in _values_of_step(step)
        )

    def _renamed(
        self,
        view: View,
        repeated: Collection[_Repeated],
        earlier: dict[SSAValue, SSAValue],
    ) -> View:
        """Return a view with another name for each value that may be that of an earlier
        iteration: a number of which nothing is known.

        Args:
            earlier: the names that have been given.
        """

        def rename(indices: Sequence[Index]) -> Sequence[Index]:
            return tuple(
                index
                if isinstance(index, int)
                or not any(self._is_set_in(index, loop) for loop in repeated)
                else earlier.setdefault(index, Block(arg_types=[index.type]).args[0])
                for index in indices
            )

        return View(
            view.base,
            tuple(
                Slice(rename(step.offsets), rename(step.sizes), rename(step.strides))
                for step in view.steps
                if isinstance(step, Slice)
            ),
        )

    def _is_set_in(self, value: SSAValue, repeated: _Repeated) -> bool:
        """Return whether a value is set in what repeats."""
        block = block_of(value)
        if isinstance(repeated, Operation):
            return repeated.is_ancestor(block)
        outer: Block | None = block
        while outer is not None and outer.parent is not repeated:
            inner = outer.parent_op()
            outer = None if inner is None else inner.parent
        return outer is not None and self._is_repeated(outer)

    def _is_repeated(self, block: Block) -> bool:
        known = self._repeated.get(block)
        if known is None:
            known = self._repeated[block] = reaches_itself(block)
        return known

    def _is_its_own(self, base: SSAValue) -> bool:
        """Return whether a base is the same memory, or new memory, whenever it is set."""
        if base in self.memory or isinstance(
            base.owner, memref.AllocOp | memref.GetGlobalOp
        ):
            return True
        if not isinstance(base, OpResult) or not isinstance(base.op, CallOp):
            return False
        callee = self._functions.callee(base.op)
        return callee is not None and self._returns_new(callee, base.index)

    def _is_known_outside(self, base: SSAValue, place: SSAValue) -> bool:
        """Return whether it is known, where `place` is defined, what memory a base is."""
        block: Block | None = block_of(base)
        # What is known at the end of a region that runs once is known after its op.
        while (
            block is not None
            and (around := block.parent_op()) is not None
            and (graph := self.forwarded.graph(around)).is_known
            and block.parent not in graph.repetitive
            and block.prev_block is block.next_block is None
        ):
            block = around.parent
        return self._dominance.holds(block, block_of(place))

    def _forwarded(self, value: SSAValue) -> View:
        """Return the view that a name denotes which always forwards the same buffer."""
        itself = View(value)
        found: View | None = None
        cycle, origins = self._origins(value)
        for source in origins:
            view = self.of(source)
            if view == itself:
                continue
            if found is not None and not is_same(found, view):
                return itself
            found = view
        if found is None or not self._is_defined_before(found, value):
            return itself
        # What was named after `value` meanwhile is renamed.
        for other in self._named_after.pop(value, ()):
            known = self._known[other]
            if known.base is value:
                self._name(other, _after(found, known))
        # The other values of the cycle can be nothing else.
        for other in cycle:
            if other not in self._known and self._is_defined_before(found, other):
                self._name(other, found)
        return found

    def _origins(self, value: SSAValue) -> tuple[set[SSAValue], list[SSAValue]]:
        """Return the values that are forwarded to each other and to `value`, and their
        sources: a loop that yields its iter_arg only adds names."""
        cycle = {value}
        worklist = [self._sources(value)]
        origins: list[SSAValue] = []
        while worklist:
            for source in worklist.pop():
                if source in cycle:
                    continue
                further = () if source in self._known else self._sources(source)
                if further:
                    cycle.add(source)
                    worklist.append(further)
                else:
                    origins.append(source)
        return cycle, origins

    def _sources(self, value: SSAValue) -> Sequence[SSAValue]:
        if not isinstance(value, OpResult) or not isinstance(value.op, CallOp):
            return self._choices(value)
        callee = self._functions.callee(value.op)
        known = {} if callee is None else self._known_results(callee)
        source = known.get(value.index)
        if source is None:
            return []
        return [value.op.results[~source] if source < 0 else value.op.operands[source]]

    def _known_results(self, callee: FuncOp) -> dict[int, int]:
        """Return which results of a function are always the same buffer as something else
        that a caller has: an argument `n`, as n, or an earlier result `n`, as ~n."""
        found = self._known_results_of.get(callee)
        if found is not None:
            return found
        assumed = self._assume_results(callee) if callee in self._recursive else {}
        marks = len(self._known), len(self._known_results_of)
        self._known_results_of[callee] = assumed
        found = self._find_results(callee)
        if any(found.get(number) != argument for number, argument in assumed.items()):
            self._forget_since(*marks)
            self._known_results_of[callee] = {}
            found = self._find_results(callee)
        self._known_results_of[callee] = found
        return found

    def _forget_since(self, known: int, results: int) -> None:
        """Forget the views and results that were found after there were so many: those
        from before have not changed."""
        forgotten: dict[SSAValue, View] = {}
        while len(self._known) > known:
            value, view = self._known.popitem()
            forgotten[value] = view
        for base in {view.base for view in forgotten.values()}:
            named = self._named_after.pop(base, [])
            kept = [value for value in named if value not in forgotten]
            if kept:
                self._named_after[base] = kept
        while len(self._known_results_of) > results:
            self._known_results_of.popitem()

    def _assume_results(self, callee: FuncOp) -> dict[int, int]:
        """Return the argument that each result is if a call of a recursive function in
        it returns it as well. If that is so, all calls do that end."""
        assumed: dict[int, int] = {}
        entry = callee.body.blocks.first
        for number, result in enumerate(callee.function_type.outputs):
            if result.__class__ not in MEMREF_CLASSES:
                continue
            work = [
                block.last_op.operands[number]
                for block in callee.body.blocks
                if isinstance(block.last_op, ReturnOp)
            ]
            seen: set[SSAValue] = set()
            while work:
                value = work.pop()
                if value in seen:
                    continue
                seen.add(value)
                source = _source(value.op) if isinstance(value, OpResult) else None
                work += self.forwarded.sources(value) if source is None else [source]
            arguments = {
                value.index
                for value in seen
                if isinstance(value, BlockArgument) and value.owner is entry
            }
            if len(arguments) == 1:
                (assumed[number],) = arguments
        return assumed

    def _find_results(self, callee: FuncOp) -> dict[int, int]:
        ends = [
            block.last_op
            for block in callee.body.blocks
            if isinstance(block.last_op, ReturnOp)
        ]
        known: dict[int, int] = {}
        earlier: dict[tuple[View, ...], int] = {}
        for number, result in enumerate(callee.function_type.outputs if ends else ()):
            if result.__class__ not in MEMREF_CLASSES:
                continue
            views = tuple(self.of(end.operands[number]) for end in ends)
            base = views[0].base
            if earlier.setdefault(views, number) != number:
                known[number] = ~earlier[views]
            elif (
                set(views) == {View(base)}
                and isinstance(base, BlockArgument)
                and base.owner is callee.body.blocks.first
            ):
                known[number] = base.index
        return known

    def _name(self, value: SSAValue, view: View) -> None:
        self._known[value] = view
        if view.base is not value:
            self._named_after.setdefault(view.base, []).append(value)

    def _is_defined_before(self, view: View, value: SSAValue) -> bool:
        """Return whether all that names a view is visible where `value` is defined."""
        named = [view.base]
        for step in view.steps:
            named += values_of(step) if isinstance(step, Slice) else [step.op.results[0]]
        place = block_of(value)
        return all(self._dominance.holds(block_of(name), place) for name in named)


def _is_called(view: View) -> bool:
    """Return whether a function returns the base of a view."""
    return isinstance(view.base, OpResult) and isinstance(view.base.op, CallOp)


def _after(source: View, view: View) -> View:
    """Return a view with its base replaced by another view."""
    return View(source.base, (*source.steps, *view.steps))


def _values_of_step(step: Step) -> Sequence[SSAValue]:
    """Return the values that tell the part that a step leads to: of a call, its results
    stand for what the callee has chosen."""
    if isinstance(step, Slice):
        return values_of(step)
    chosen = step.op.results if isinstance(step.op, CallOp) else ()
    return (*step.op.operands[1:], *chosen)


def _source(op: Operation) -> SSAValue | None:
    """Return the memref, or tensor that was left, whose elements the result names."""
    if isinstance(op, _CASTS) or op.name in TENSOR_VIEWS:
        return op.operands[0]
    return get_renamed(op)


def _steps(op: Operation) -> Sequence[Step]:
    """Return the steps of a view-like op; none if it only changes the type."""
    if isinstance(op, (memref.CastOp, *_CASTS)) or op.name in _SAME_ELEMENTS:
        return ()
    if op.name in _SLICES:
        slice_ = slice_of(op, 1)
        return () if _is_all(slice_, op.operands[0].type) else (slice_,)
    if isinstance(op, memref.ViewOp):
        size = bytes_of(op.results[0].type)
        if size is not None:
            return Slice((op.operands[1],), (size,), (1,)), OtherView(op)
    return (OtherView(op),)


def slice_of(op: Operation, first: int) -> Slice:
    """Return the slice that an op names, whose operands begin at `first`."""
    operands = iter(op.operands[first:])

    def mixed(number: int) -> Index:
        if number != DYNAMIC_INDEX:
            return number
        value = next(operands)
        constant = constant_of(value)
        return value if constant is None else constant

    names = ("static_offsets", "static_sizes", "static_strides")
    offsets, sizes, strides = (tuple(map(mixed, static_list(op, n))) for n in names)
    return Slice(offsets, sizes, strides)


def _is_all(slice_: Slice, type_: Attribute) -> bool:
    """Return whether a slice is all of a buffer of static shape."""
    return (
        isinstance(type_, MemRefType | TensorType)
        and set(slice_.offsets) <= {0}
        and set(slice_.strides) <= {1}
        and slice_.sizes == type_.get_shape()
    )


def is_of_earlier(step: Step) -> bool:
    """Return whether a step depends on an index of an earlier iteration, which is another
    one each time: it has a name of its own (`Views.alternatives`)."""
    return any(block_of(value).parent is None for value in _values_of_step(step))


def _has_slices_only(view: View) -> bool:
    return all(isinstance(step, Slice) for step in view.steps)
