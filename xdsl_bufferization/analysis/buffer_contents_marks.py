"""Marks: what ties a bufferized program to the tensor program it came from.

`insert_marks` gives every tensor value a number and puts an op beside every op on tensors
that names them. Marks are bufferized with the rest: they do not read, write or copy
anything, and afterwards tell which memref stands for which tensor, and where.

    check.mark before [1]                              // %1 is about to be used
    %2 = tensor.insert %f into %1[%i]
    check.mark after [2], %2
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Data, Operation, OpResult, SSAValue, Use
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
from xdsl.traits import IsTerminator

from xdsl_bufferization.analysis.function_summaries import WRITABLE, argument_attribute
from xdsl_bufferization.dialects import bufferization, scf, tensor
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.bufferizable import MEMREF_TYPES, TENSOR_TYPES
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter

BEFORE = "before"
"""The op that follows uses these tensors, in the order of its operands."""
AFTER = "after"
"""The op before has given these tensors; the operands are their buffers."""
ENTRY = "entry"
"""The block begins with these tensors as arguments; the operands are their buffers."""
FILLED = "filled"
"""The op before has put these tensors into these buffers of the program's own."""


@dataclass(frozen=True)
class MarkModel(BufferizableModel):
    """A mark touches nothing."""

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return False

    def resolve_conflicts(
        self, op: Operation, rewriter: BufferizationRewriter, state: AnalysisState
    ) -> None:
        return

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        rewriter.bufferize_operands(op)


@dataclass(frozen=True)
class Notes:
    """What a mark says.

    Attributes:
        role: `before`, `after`, `entry` or `filled`.
        of: the name of the op it belongs to.
        values: numbers of tensors.
        undefined: those of them with undefined contents.
        read_only: those that must not be written.
        last: tensors that are not used afterwards.
    """

    role: str
    of: str
    values: tuple[int, ...]
    undefined: tuple[int, ...] = ()
    read_only: tuple[int, ...] = ()
    last: tuple[int, ...] = ()


@irdl_attr_definition
class NotesAttr(Data[Notes]):
    """Notes as an attribute. It is printed for people, and not parsed."""

    name = "check.notes"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Notes:
        parser.raise_error("marks are not read from text")

    def print_parameter(self, printer: Printer) -> None:
        notes = self.data
        lists = [notes.values, notes.undefined, notes.read_only, notes.last]
        printer.print_string(f"<{notes.role} {notes.of} {' '.join(map(str, lists))}>")


@irdl_op_definition
class MarkOp(IRDLOperation):
    """Notes on tensors, and the buffers that stand for them."""

    name = "check.mark"

    buffers = var_operand_def()
    notes = prop_def(NotesAttr)

    traits = traits_def(MarkModel())

    @staticmethod
    def make(notes: Notes, buffers: Sequence[SSAValue] = ()) -> MarkOp:
        return MarkOp.create(operands=buffers, properties={"notes": NotesAttr(notes)})


def insert_marks(module: ModuleOp) -> dict[int, str]:
    """Put marks into a tensor program. Gives for each number how its tensor is made."""
    numbers: dict[SSAValue, int] = {}
    described: dict[int, str] = {}
    undefined: set[SSAValue] = set()
    last_uses = _last_uses(module)

    def number(value: SSAValue) -> int:
        known = numbers.get(value)
        if known is None:
            known = numbers[value] = len(numbers)
            described[known] = _described(value)
        return known

    for op in list(module.walk()):
        if isinstance(op, MarkOp | tensor.ParallelInsertSliceOp):
            continue
        for region in op.regions:
            for block in region.blocks:
                _mark_entry(op, block, number)
        results = _tensors(op.results)
        used = _tensors(op.operands)
        if isinstance(op, scf.InParallelOp):
            # What is inserted at the end of a thread is copied in front of this op.
            used = [v for inner in op.regions[0].walk() for v in _tensors(inner.operands)]
        if op.parent is None:
            continue
        if not results and not used and not any(map(_is_buffer, op.operands)):
            continue
        if _gives_undefined(op, undefined):
            undefined.update(results)
        before = Notes(
            BEFORE,
            op.name,
            tuple(map(number, used)),
            undefined=tuple(number(value) for value in used if value in undefined),
            last=tuple(map(number, last_uses.get(op, ()))),
        )
        op.parent.insert_op_before(MarkOp.make(before), op)
        if results:
            after = Notes(
                AFTER,
                op.name,
                tuple(map(number, results)),
                undefined=tuple(number(v) for v in results if v in undefined),
                last=tuple(number(value) for value in results if _is_unused(value)),
            )
            op.parent.insert_op_after(MarkOp.make(after, results), op)
        buffers = _filled_buffers(op)
        if buffers:
            filled = Notes(FILLED, op.name, tuple(map(number, used[: len(buffers)])))
            op.parent.insert_op_after(MarkOp.make(filled, buffers), op)
    return described


def _filled_buffers(op: Operation) -> list[SSAValue]:
    """The buffers of the tensor program that hold the first operands of an op
    afterwards. What nobody uses need not hold anything."""
    match op:
        case bufferization.ToBufferOp():
            return [value for value in op.results if not _is_unused(value)]
        case bufferization.MaterializeInDestinationOp():
            return [value for value in op.operands[1:] if _is_buffer(value)]
        case _:
            return []


def _is_unused(value: SSAValue) -> bool:
    """Whether only marks use a value."""
    return all(isinstance(use.operation, MarkOp) for use in value.uses)


def _last_uses(module: ModuleOp) -> dict[Operation, list[SSAValue]]:
    """By op, the tensors that are used in it for the last time: those that are used only
    in the block that defines them, and what is nested there."""
    position: dict[Operation, int] = {}
    last: dict[SSAValue, Operation | None] = {}
    for number, op in enumerate(module.walk()):
        position[op] = number
        for value in _tensors(op.operands):
            home = value.owner if isinstance(value.owner, Block) else value.owner.parent
            user: Operation | None = op
            while user is not None and user.parent is not home:
                user = user.parent_op()
            known = last.get(value, user)
            if user is None or known is None:
                last[value] = None
            elif known is user or position[known] <= position[user]:
                last[value] = user
    found: dict[Operation, list[SSAValue]] = {}
    for value, op in last.items():
        if op is not None:
            found.setdefault(op, []).append(value)
    return found


def remove_marks(module: ModuleOp) -> None:
    for op in list(module.walk()):
        if isinstance(op, MarkOp) and op.parent is not None:
            op.parent.erase_op(op)


def _mark_entry(op: Operation, block: Block, number: Callable[[SSAValue], int]) -> None:
    arguments = _tensors(block.args)
    first = block.first_op
    if not arguments or first is None:
        return
    read_only: list[int] = []
    if isinstance(op, FuncOp) and block is op.body.blocks.first:
        for argument in block.args:
            writable = argument_attribute(op, argument.index, WRITABLE)
            if getattr(getattr(writable, "value", None), "data", 1) == 0:
                read_only.append(number(argument))
    notes = Notes(
        ENTRY,
        op.name,
        tuple(map(number, arguments)),
        read_only=tuple(read_only),
        last=tuple(number(argument) for argument in arguments if _is_unused(argument)),
    )
    block.insert_op_before(MarkOp.make(notes, arguments), first)


def _tensors(values: Iterable[SSAValue]) -> list[SSAValue]:
    return [value for value in values if isinstance(value.type, TENSOR_TYPES)]


def _is_buffer(value: SSAValue) -> bool:
    """Whether the tensor program has a buffer there: what it does with that is right."""
    return isinstance(value.type, MEMREF_TYPES)


def _gives_undefined(op: Operation, undefined: set[SSAValue]) -> bool:
    """Whether nothing defines the contents of what the op gives."""
    if op.has_trait(IsTerminator, value_if_unregistered=False):
        return False
    match op:
        case tensor.EmptyOp():
            return True
        case bufferization.AllocTensorOp():
            return not _tensors(op.operands)
        case (
            tensor.CastOp()
            | tensor.ExtractSliceOp()
            | tensor.ExpandShapeOp()
            | tensor.CollapseShapeOp()
        ):
            return op.operands[0] in undefined
        case _:
            return op.name == "arith.select" and all(
                value in undefined for value in _tensors(op.operands)
            )


def _described(value: SSAValue) -> str:
    hint = "" if value.name_hint is None else f"%{value.name_hint}, "
    if isinstance(value, OpResult):
        return f"{hint}result {value.index} of {value.op.name}"
    return f"{hint}argument of a block"
