"""Marks: ops that connect a bufferized program with its tensor program.

`Marks` numbers the tensors and inserts an op before and after every op on tensors that
names them. Marks do not use the tensors, so they do not affect bufferization. A
listener updates the tensors that marks name, and finally replaces them by memrefs:

    check.mark before [1]                      // %1 is about to be used
    memref.store %f, %m[%i]                    // was: %2 = tensor.insert %f into %1[%i]
    check.mark after [2], before [2], %m       // %m is to hold %2, which is used next
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Data, Operation, OpResult, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect

from xdsl_bufferization.analysis.facts.functions import WRITABLE, argument_attribute
from xdsl_bufferization.dialects import bufferization, memref, scf, tensor, vector
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import has_no_elements
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.operands import operands_of
from xdsl_bufferization.interfaces.types import MEMREF_CLASSES, TENSOR_CLASSES

BEFORE = "before"
"""The next op uses these tensors, in the order of its operands."""
AFTER = "after"
"""The op before returns these tensors, in buffers that the mark names."""
ENTRY = "entry"
"""The block begins with these tensors as arguments, in buffers that the mark names."""
FILLED = "filled"
"""The op before has put these tensors into buffers of the tensor program."""


@dataclass(slots=True, eq=False)
class Notes:
    """What a mark says of the op before it, or the one that follows.

    Attributes:
        role: `before`, `after`, `entry` or `filled`.
        of: the name of the op it belongs to.
        values: numbers of tensors.
        positions: of each of them, its number among the operands of the op (`before`),
            its results (`after`) or the arguments of the block (`entry`).
        undefined: those of them with undefined contents, and outputs of threads that
            nobody uses afterwards.
        unread: the numbers of operands that a model from outside of this package says
            the op does not read.
        unwritten: those that it says the op does not write.
        read_only: those that must not be written.
        last: tensors that are not used afterwards.
        unused_inside: those of them that are not used in the regions of the op either.
    """

    role: str
    of: str
    values: tuple[int, ...]
    positions: tuple[int, ...] = ()
    undefined: tuple[int, ...] = ()
    unread: tuple[int, ...] = ()
    unwritten: tuple[int, ...] = ()
    read_only: tuple[int, ...] = ()
    last: tuple[int, ...] = ()
    unused_inside: tuple[int, ...] = ()


_PRINTED_MARK = re.compile(r'^ *"check\.mark"\(.*\n?', re.MULTILINE)

_PACKAGE = __name__.partition(".")[0]

NOTHING = Notes(BEFORE, "", ())
"""The segment around a function."""


@irdl_attr_definition
class NotesAttr(Data[tuple[Notes, ...]]):
    """Notes as an attribute. It is printed for people, and not parsed."""

    name = "check.notes"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Notes, ...]:
        parser.raise_error("marks are not read from text")

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(
            f"<{', '.join(f'{n.role} {n.of} {list(n.values)}' for n in self.data)}>"
        )


@irdl_op_definition
class MarkOp(IRDLOperation):
    """Notes on tensors, and the buffers that stand for them."""

    name = "check.mark"
    buffers = var_operand_def()
    notes = prop_def(NotesAttr)
    traits = traits_def(MemoryReadEffect())

    def each(self) -> Iterator[tuple[Notes, Sequence[tuple[int, int, SSAValue]]]]:
        """Iterate over the notes, each with its tensors: position, number, buffer."""
        buffers = iter(self.operands)
        for notes in self.notes.data:
            if notes.role == BEFORE:
                yield notes, ()
                continue
            # The buffers of the next note come after those of this one.
            yield notes, list(zip(notes.positions, notes.values, buffers, strict=False))


class Marks:
    """The marks of a program. They are inserted into the tensor program, listen to its
    bufferization (`BufferizationOptions.listeners`), and are erased in the end.

    Args:
        state: the models of ops that the checker does not know say what they access.

    Attributes:
        described: for each number how its tensor is made.
    """

    def __init__(self, module: ModuleOp, state: AnalysisState | None = None) -> None:
        self.described: dict[int, str] = {}
        self._state = state
        self._numbers: dict[SSAValue, int] = {}
        self._undefined: set[SSAValue] = set()
        self._marks: dict[MarkOp, list[tuple[Notes, list[SSAValue]]]] = {}
        """What each mark says, and what stands for the tensors it names so far; the
        latter by value in `_places`."""
        self._places: dict[SSAValue, list[tuple[list[SSAValue], int]]] = {}
        ops = [(op, _used_by(op)) for op in walk(module)]
        last_uses = _find_last_uses(ops)
        for op, used in ops:
            for region in op.regions:
                for block in region.blocks:
                    self._mark_entry(op, block)
            if op.parent is not None and not _is_part_of_another(op):
                self._mark(op, op.parent, used, last_uses.get(op, _NO_USES))

    def _number(self, value: SSAValue) -> int:
        known = self._numbers.get(value)
        if known is None:
            known = self._numbers[value] = len(self._numbers)
            self.described[known] = _described(value)
        return known

    def _mark(
        self, op: Operation, block: Block, used: Sequence[SSAValue], last: _LastUses
    ) -> None:
        results = _tensors(op.results)
        positions = _positions(op.operands)
        kind = op.__class__
        unobserved: set[SSAValue] = set()
        if kind is memref.LoadOp:
            positions = (0,) if used else ()
        elif kind is scf.InParallelOp:
            # What is inserted at the end of a thread is copied in front of this op.
            used = [v for inner in walk(op.regions[0]) for v in _tensors(inner.operands)]
            positions = ()
            unobserved = _unused_outputs(op)
        elif kind is vector.MaskOp and (inner := op.regions[0].block.first_op):
            used = _tensors(inner.operands)
            positions = ()
        is_about_tensors = bool(results or used) or any(map(_is_buffer, op.operands))
        if not is_about_tensors and kind not in (scf.InParallelOp, memref.GetGlobalOp):
            return
        undefined, number = self._undefined, self._number
        unread, unwritten = self._declared(op)
        if results and _is_undefined(op, used, undefined):
            undefined.update(results)
        # What has no elements is right, whatever happened to its buffer.
        undefined.update(v for v in (*used, *results) if has_no_elements(v.type))
        numbers = tuple(map(number, used))
        before = Notes(
            BEFORE,
            op.name,
            numbers,
            positions,
            undefined=tuple(number(v) for v in used if v in undefined or v in unobserved)
            if undefined or unobserved
            else (),
            unread=unread,
            unwritten=unwritten,
            last=tuple(map(number, last.all)),
            unused_inside=tuple(number(v) for v in last.all if v not in last.nested)
            if op.regions
            else (),
        )
        previous = op.prev_op
        if type(previous) is not MarkOp:
            previous = MarkOp.create()
            block.insert_op_before(previous, op)
        self._note(previous, before)
        buffers = _filled_buffers(op)
        if not results and not buffers:
            return
        following = MarkOp.create()
        block.insert_op_after(following, op)
        if results:
            after = Notes(
                AFTER,
                op.name,
                tuple(map(number, results)),
                _positions(op.results),
                undefined=tuple(number(v) for v in results if v in undefined),
                last=tuple(number(v) for v in results if v.first_use is None),
            )
            self._note(following, after, results)
        if buffers:
            filled = Notes(
                FILLED, op.name, numbers[: len(buffers)], tuple(range(len(buffers)))
            )
            self._note(following, filled, buffers)

    def _declared(self, op: Operation) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the operands whose contents an op does not need, and those that it does
        not write, as its model says if that is not one of this package for a certain op.
        It needs what it forwards, unless it replaces all of it."""
        state = self._state
        model = None if state is None else state.model(op)
        if state is None or model is None or _is_own(model):
            return (), ()
        operands = operands_of(op)
        uses = [operands[number] for number in _positions(op.operands)]
        writes = {u.index: state.bufferizes_to_memory_write(u) for u in uses}
        unread = [
            u.index
            for u in uses
            if not state.bufferizes_to_memory_read(u)
            and (writes[u.index] or not state.aliasing_values(u))
        ]
        return tuple(unread), tuple(n for n, is_write in writes.items() if not is_write)

    def _mark_entry(self, op: Operation, block: Block) -> None:
        arguments = _tensors(block.args)
        first = block.first_op
        if not arguments or first is None:
            return
        read_only: list[int] = []
        if isinstance(op, FuncOp) and block is op.body.blocks.first:
            for argument in block.args:
                writable = argument_attribute(op, argument.index, WRITABLE)
                if getattr(getattr(writable, "value", None), "data", 1) == 0:
                    read_only.append(self._number(argument))
        notes = Notes(
            ENTRY,
            op.name,
            tuple(map(self._number, arguments)),
            _positions(block.args),
            read_only=tuple(read_only),
            last=tuple(self._number(v) for v in arguments if v.first_use is None),
        )
        mark = MarkOp.create()
        block.insert_op_before(mark, first)
        self._note(mark, notes, arguments)

    def _note(self, mark: MarkOp, notes: Notes, values: Sequence[SSAValue] = ()) -> None:
        known = list(values)
        self._marks.setdefault(mark, []).append((notes, known))
        for position, value in enumerate(known):
            self._places.setdefault(value, []).append((known, position))

    # What bufferization records.

    def value_replaced(self, old: SSAValue, new: SSAValue) -> None:
        """Let marks that name the old value name the new one."""
        places = self._places.pop(old, None)
        if places is not None:
            for values, position in places:
                values[position] = new
            self._places.setdefault(new, []).extend(places)

    def bufferized(self, buffer_of: Callable[[SSAValue], SSAValue | None]) -> None:
        """Make all marks use the buffers of their tensors. Erased tensors have no
        buffer, and a remaining tensor stands for its own buffer."""
        for mark, parts in self._marks.items():
            connected: list[Notes] = []
            buffers: list[SSAValue] = []
            for notes, values in parts:
                kept: list[int] = []
                for position, value in enumerate(values):
                    buffer = buffer_of(value)
                    if buffer is None and _is_left(value):
                        buffer = value
                    if buffer is not None:
                        kept.append(position)
                        buffers.append(buffer)
                if kept != list(range(len(values))):
                    notes = replace(
                        notes,
                        values=tuple(notes.values[position] for position in kept),
                        positions=tuple(notes.positions[position] for position in kept),
                    )
                connected.append(notes)
            mark.properties["notes"] = NotesAttr(tuple(connected))
            if buffers:
                mark.operands = buffers


def _is_own(model: object) -> bool:
    """Return whether a model is one of this package, but not one of the base models,
    which are for the ops of others."""
    own, base = (f"{_PACKAGE}.models.", f"{_PACKAGE}.models.base.")
    module = f"{model.__class__.__module__}."
    return module.startswith(own) and not module.startswith(base)


def _is_left(value: SSAValue) -> bool:
    """Return whether a tensor is left. What was erased has no uses."""
    return value.type.__class__ in TENSOR_CLASSES and value.first_use is not None


def _is_part_of_another(op: Operation) -> bool:
    """Return whether an op is bufferized as a part of the op around it."""
    return (
        op.__class__ is tensor.ParallelInsertSliceOp
        or op.parent_op().__class__ is vector.MaskOp
    )


def _filled_buffers(op: Operation) -> list[SSAValue]:
    """Return the buffers of the tensor program that hold the first operands of an op
    afterwards. A value without uses need not hold anything."""
    match op.name:
        case "bufferization.to_buffer":
            return [value for value in op.results if value.first_use is not None]
        case "bufferization.materialize_in_destination":
            return [value for value in op.operands[1:] if _is_buffer(value)]
        case _:
            return []


@dataclass
class _LastUses:
    """The last uses of tensors by an op or its nested ops, for tensors that are used
    only in their defining block and its nested blocks.

    Attributes:
        nested: those of them that nested ops use.
    """

    all: list[SSAValue] = field(default_factory=list[SSAValue])
    nested: set[SSAValue] = field(default_factory=set[SSAValue])


_NO_USES = _LastUses()


def _find_last_uses(
    ops: Iterable[tuple[Operation, Sequence[SSAValue]]],
) -> dict[Operation, _LastUses]:
    """Return the tensors that are used for the last time, by op.

    Args:
        ops: all ops in the order of the program, each with the tensors it uses.
    """
    last: dict[SSAValue, Operation | None] = {}
    nested: set[tuple[SSAValue, Operation]] = set()
    # Of the ops in a block, a later one is met later.
    for op, used in ops:
        for value in used:
            home = value.owner if isinstance(value.owner, Block) else value.owner.parent
            user: Operation | None = op
            while user is not None and user.parent is not home:
                user = user.parent_op()
            if user is None or (value in last and last[value] is None):
                last[value] = None
                continue
            last[value] = user
            if user is not op:
                nested.add((value, user))
    found: dict[Operation, _LastUses] = {}
    for value, op in last.items():
        if op is not None:
            uses = found.setdefault(op, _LastUses())
            uses.all.append(value)
            if (value, op) in nested:
                uses.nested.add(value)
    return found


def remove_marks(module: ModuleOp) -> None:
    """Erase the marks of a program."""
    for op in [op for op in walk(module) if type(op) is MarkOp]:
        if op.parent is not None:
            op.parent.erase_op(op)


def without_marks(message: str) -> str:
    """Return a message that may show ops of a marked program, without the marks."""
    return _PRINTED_MARK.sub("", message)


def _tensors(values: Iterable[SSAValue]) -> list[SSAValue]:
    return [value for value in values if value.type.__class__ in TENSOR_CLASSES]


def _used_by(op: Operation) -> list[SSAValue]:
    """Return the tensors that an op uses. A load from the result of a
    bufferization.to_buffer uses its tensor."""
    if op.__class__ is memref.LoadOp:
        source = op.operands[0].owner
        if isinstance(source, bufferization.ToBufferOp) and source.read_only is not None:
            return list(source.operands)
    return _tensors(op.operands)


def _unused_outputs(end: Operation) -> set[SSAValue]:
    """Return the shared outputs of threads of which nobody uses the result."""
    loop = end.parent_op()
    if not isinstance(loop, scf.ForallOp):
        return set()
    return {
        argument
        for argument, result in zip(loop.region_iter_args, loop.results, strict=True)
        if result.first_use is None
    }


def _positions(values: Iterable[SSAValue]) -> tuple[int, ...]:
    """Return the positions of the tensors among some values."""
    return tuple(n for n, v in enumerate(values) if v.type.__class__ in TENSOR_CLASSES)


def _is_buffer(value: SSAValue) -> bool:
    """Return whether a value is a buffer of the tensor program, which uses it rightly."""
    return value.type.__class__ in MEMREF_CLASSES


def _is_undefined(
    op: Operation, used: Sequence[SSAValue], undefined: set[SSAValue]
) -> bool:
    """Return whether nothing defines the contents of the results of an op.

    Args:
        used: the tensors that it gets.
    """
    match op.name:
        case "tensor.empty":
            return True
        case "bufferization.alloc_tensor":
            return not used
        case (
            "arith.select"
            | "tensor.cast"
            | "tensor.collapse_shape"
            | "tensor.expand_shape"
            | "tensor.extract_slice"
        ):
            return undefined.issuperset(used)
        case "scf.if" | "scf.index_switch":
            return all(
                isinstance(value, OpResult)
                and _is_undefined(value.op, _tensors(value.op.operands), undefined)
                for region in op.regions
                for block in region.blocks
                if block.last_op is not None
                for value in _tensors(block.last_op.operands)
            )
        case _:
            return False


def _described(value: SSAValue) -> str:
    hint = "" if value.name_hint is None else f"%{value.name_hint}, "
    if isinstance(value, OpResult):
        return f"{hint}result {value.index} of {value.op.name}"
    return f"{hint}argument of a block"
