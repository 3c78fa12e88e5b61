"""The one walk: functions block by block, ops through the tables.

Blocks are visited in reverse postorder, so that a value is always converted before its
uses; unreachable blocks are dropped. A lowering (a function of the op and this state)
appends LLVM dialect ops and records what each result became.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xdsl_bufferization.analysis.facts.block_graph import reachable_blocks
from xdsl_bufferization.conversion.convert_linalg_to_loops import WITHOUT_LOOPS
from xdsl_bufferization.conversion.to_llvm import descriptors
from xdsl_bufferization.conversion.to_llvm.builder import Builder, Index
from xdsl_bufferization.conversion.to_llvm.descriptors import MemRef, UnrankedMemRef
from xdsl_bufferization.conversion.to_llvm.types import (
    POINTER,
    MemRefInfo,
    TypeConverter,
    TypeNotConvertible,
    bytes_at_most,
    is_memref,
)
from xdsl_bufferization.conversion.to_llvm.without_lowering import WITHOUT_LOWERING
from xdsl_bufferization.conversion.utils.diagnostics import refuse
from xdsl_bufferization.error_positions import name_of
from xdsl_bufferization.locations import locations_restored, visit
from xdsl_bufferization.pass_options import IndexBitwidth

PASS = "convert-to-llvm"

Constant: TypeAlias = "IntegerAttr[IntegerType] | FloatAttr | DenseIntOrFPElementsAttr"
Lowered: TypeAlias = SSAValue | int | MemRef | UnrankedMemRef | Attribute
"""What a value became: an int is an index whose value is known, an attribute a constant
that no op has needed yet.
"""

Lowering: TypeAlias = "Callable[[Operation, FunctionLowering], None]"

SMALL_FRAME = 4096
"""How many bytes of the stack a call of a function may take without a check."""

NEEDED_FIRST = {
    "tensor": "it works on tensors; run one-shot-bufferize first",
    "linalg": "run convert-linalg-to-loops first",
    "scf": "run convert-scf-to-cf first",
    "affine": "run lower-affine first",
    "bufferization": "run one-shot-bufferize and buffer-deallocation-pipeline first",
}
"""What turns a dialect's ops into ops that have a lowering."""


@dataclass(frozen=True)
class Options:
    """The options of convert-to-llvm."""

    index_bitwidth: IndexBitwidth = 64
    use_aligned_alloc: bool = False
    use_generic_functions: bool = False
    assert_function: str = ""
    check_allocations: bool = False
    check_divisions: bool = False
    freeze_poison: bool = False
    stack_limit_function: str = ""
    trust_alignments: bool = True


@dataclass
class ModuleLowering:
    """What all functions of a module share."""

    module: ModuleOp
    options: Options
    table: Mapping[str, Lowering]
    types: TypeConverter
    symbols: dict[str, Operation] = field(default_factory=dict[str, Operation])
    recursive: set[Operation] = field(default_factory=set[Operation])
    """The functions whose calls need a check of the stack."""
    _added: list[Operation] = field(default_factory=list[Operation])
    _strings: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, op: Operation, name: str) -> None:
        """Add an op with a symbol to the module's head, after those added before."""
        self.symbols[name] = op
        self._added.append(op)

    def declare(
        self, user: Operation, name: str, inputs: Sequence[Attribute], output: Attribute
    ) -> str:
        """A function of the runtime library, declared when first used.

        Raises:
            PassFailedException: when the module defines the name as something else.
        """
        type_ = llvm.LLVMFunctionType(inputs, output)
        found = self.symbols.get(name)
        if found is None:
            self.add(llvm.FuncOp(name, type_, llvm.LinkageAttr("external")), name)
        elif not isinstance(found, llvm.FuncOp) or found.function_type != type_:
            refuse(
                user,
                PASS,
                f"it calls @{name} : {type_}, but the module defines that name "
                "otherwise; rename the function",
            )
        return name

    def check_not_defined(self, user: Operation, name: str) -> None:
        """Check that a function of libm is not one of the module's own.

        Raises:
            PassFailedException: when it is, so that the op would call the user's.
        """
        found = self.symbols.get(name)
        if isinstance(found, llvm.FuncOp) and found.body.blocks:
            refuse(
                user,
                PASS,
                f"it calls libm's {name}, but the module defines @{name}; rename the "
                "function",
            )

    def string(self, name: str, text: str) -> str:
        """A constant global with a zero-terminated text; one for each text."""
        found = self._strings.get(text)
        if found is None:
            found = self.fresh(name)
            data = text.encode() + b"\0"
            type_ = llvm.LLVMArrayType(len(data), IntegerType(8))
            value = DenseIntOrFPElementsAttr.from_list(
                TensorType(IntegerType(8), (len(data),)), list(data)
            )
            self.add(
                llvm.GlobalOp(type_, found, "private", constant=True, value=value), found
            )
            self._strings[text] = found
        return found

    def fresh(self, name: str) -> str:
        """A symbol name that is free."""
        candidate, count = name, 0
        while candidate in self.symbols:
            candidate = f"{name}_{count}"
            count += 1
        return candidate

    def finish(self) -> None:
        """Put what was added at the module's head."""
        block = self.module.body.block
        if block.first_op is None:
            block.add_ops(self._added)
        elif self._added:
            block.insert_ops_before(self._added, block.first_op)


class _LoweredValues(dict[SSAValue, Lowered]):
    """What each value became. All that dominates a use is there: xDSL's verifier does
    not demand that definitions do."""

    def __missing__(self, value: SSAValue) -> Lowered:
        owner = value.owner
        op = owner.parent_op() if isinstance(owner, Block) else owner
        assert op is not None
        refuse(
            op,
            PASS,
            "a value that it defines is used where that does not dominate the use; move "
            "the definition in front of all uses",
        )


RoomCheck: TypeAlias = "Callable[[Operation, FunctionLowering, Attribute, Index], None]"
"""Checks, for an op, that the stack has room for a number of elements of a type."""


class FunctionLowering(Builder):
    """The state of one function's walk: where to append, and what each value became."""

    def __init__(
        self, module: ModuleLowering, block: Block, check_room: RoomCheck
    ) -> None:
        super().__init__(block, module.types.index)
        self.module = module
        self._check_room = check_room
        self.types = module.types
        self.values: dict[SSAValue, Lowered] = _LoweredValues()
        self.blocks: dict[Block, Block] = {}
        self.scope_exits: dict[Region, tuple[Block, SSAValue]] = {}
        """Where control goes from an alloca_scope, and the stack to restore there."""
        self.stack_bytes = 0
        """The bytes on the stack that are not checked, as they are few."""
        self._op: Operation | None = None
        """The op that is being converted."""

    # Types

    def refuse(self, op: Operation, reason: str) -> NoReturn:
        refuse(op, PASS, reason)

    # Values

    def set(self, result: SSAValue, lowered: Lowered) -> None:
        self.values[result] = lowered

    def get(self, value: SSAValue) -> SSAValue:
        """What a value became, as one SSA value."""
        lowered = self.values[value]
        if isinstance(lowered, SSAValue):
            return lowered
        if isinstance(lowered, int):
            return self.integer(lowered)
        if isinstance(lowered, MemRef):
            return descriptors.pack(self, lowered)
        if isinstance(lowered, UnrankedMemRef):
            return descriptors.pack_unranked(self, self.types, lowered)
        return self.constant(lowered, self.types(value.type))

    def index(self, value: SSAValue) -> Index:
        """What a value of the index type became."""
        lowered = self.values[value]
        if isinstance(lowered, int | SSAValue):
            return lowered
        return self.get(value)

    def memref(self, value: SSAValue) -> MemRef:
        """What a value of a ranked memref type became."""
        return cast(MemRef, self.values[value])

    def info(self, value: SSAValue) -> MemRefInfo:
        """What the type of a ranked memref fixes."""
        return self.types.memref(value.type)

    def from_struct(self, type_: Attribute, value: SSAValue) -> Lowered:
        """The value of a type of the input that is given as one value."""
        if is_memref(type_):
            return descriptors.unpack(self, self.types.memref(type_), value)
        if isinstance(type_, UnrankedMemRefType):
            return descriptors.unpack_unranked(self, value)
        return value

    # The stack

    def alloca(
        self, type_: Attribute, count: Index = 1, alignment: int | None = None
    ) -> SSAValue:
        """Memory on the stack until the function returns: in a loop it adds up."""
        if self._op is not None:
            self._check_room(self._op, self, type_, count)
        return super().alloca(type_, count, alignment)

    def slot(self, type_: Attribute) -> SSAValue:
        """Memory on the stack for what no two executions of the op need at once: one
        place for all of them, while such places are few."""
        size = bytes_at_most(type_)
        if self.stack_bytes + size > SMALL_FRAME:
            return self.alloca(type_)
        self.stack_bytes += size
        return super().slot(type_)

    # Blocks

    def new_block(self, types: Sequence[Attribute] = ()) -> Block:
        """A block of the function under construction, placed after the current one."""
        block = Block(arg_types=types)
        region = self.block.parent
        assert region is not None
        region.insert_block_after(block, self.block)
        return block

    def block_arguments(
        self, types: Iterable[Attribute]
    ) -> tuple[list[Attribute], Callable[[Sequence[SSAValue]], list[Lowered]]]:
        """The types of the block arguments that values of some types become, and the way
        back from the arguments to the values.
        """
        types = tuple(types)
        flat: list[Attribute] = []
        for type_ in types:
            if is_memref(type_):
                info = self.types.memref(type_)
                flat += descriptors.block_argument_types(self.types, info)
            elif isinstance(type_, UnrankedMemRefType):
                flat += (self.types.index, POINTER)
            else:
                flat.append(self.types(type_))

        def regroup(arguments: Sequence[SSAValue]) -> list[Lowered]:
            rest = iter(arguments)
            result: list[Lowered] = []
            for type_ in types:
                if is_memref(type_):
                    info = self.types.memref(type_)
                    result.append(descriptors.from_block_arguments(info, rest))
                elif isinstance(type_, UnrankedMemRefType):
                    result.append(UnrankedMemRef(next(rest), next(rest)))
                else:
                    result.append(next(rest))
            return result

        return flat, regroup

    def branch_operands(
        self, values: Iterable[SSAValue], arguments: Iterable[SSAValue]
    ) -> list[SSAValue]:
        """The operands that carry values to block arguments (of the input's block)."""
        operands: list[SSAValue] = []
        for value, argument in zip(values, arguments, strict=True):
            lowered = self.values[value]
            if isinstance(lowered, MemRef):
                info = self.types.memref(argument.type)
                operands += descriptors.to_block_arguments(self, info, lowered)
            elif isinstance(lowered, UnrankedMemRef):
                operands += (self.number(lowered.rank), lowered.descriptor)
            else:
                operands.append(self.get(value))
        return operands

    # The walk

    def lower_body(self, old: Region, region: Region) -> None:
        """Convert the blocks of a region. The first one continues in the current block,
        its arguments being set already; a block for each other is added to `region`.
        """
        order = reachable_blocks(old)
        self.blocks[order[0]] = self.block
        for block in order[1:]:
            try:
                types, regroup = self.block_arguments(a.type for a in block.args)
            except TypeNotConvertible as error:
                parent = block.parent_op()
                assert parent is not None
                refuse(parent, PASS, f"argument of a block: {error}")
            new = Block(arg_types=types)
            if block.name_hint is not None:
                new.name_hint = block.name_hint
            region.add_block(new)
            self.blocks[block] = new
            for argument, lowered in zip(block.args, regroup(new.args), strict=True):
                self.values[argument] = lowered
        with locations_restored():
            for block in order:
                self.block = self.blocks[block]
                self.lower_ops(block)

    def lower_ops(self, block: Block) -> None:
        """Convert the ops of a block into the current one."""
        table = self.module.table
        op = block.first_op
        while op is not None:
            visit(op)
            lowering = table.get(op.name)
            self._op = op
            try:
                if lowering is not None:
                    lowering(op, self)
                elif op.name.startswith("llvm."):
                    self._keep(op)
                else:
                    self._refuse_unknown(op)
            except TypeNotConvertible as error:
                refuse(op, PASS, str(error))
            op = op.next_op

    def inline(self, block: Block, arguments: Sequence[Lowered]) -> Sequence[SSAValue]:
        """Convert all but the terminator of a block and return that one's operands."""
        for argument, lowered in zip(block.args, arguments, strict=True):
            self.values[argument] = lowered
        terminator = block.last_op
        assert terminator is not None
        operands = tuple(terminator.operands)
        block.detach_op(terminator)
        with locations_restored():
            self.lower_ops(block)
        block.add_op(terminator)
        return operands

    def _keep(self, op: Operation) -> None:
        """An op of the LLVM dialect stays as it is, on what its operands became."""
        new = op.clone_without_regions(
            {value: self.get(value) for value in op.operands}, {**self.blocks}
        )
        self.block.add_op(new)
        self.values.update(zip(op.results, new.results, strict=True))

    def _refuse_unknown(self, op: Operation) -> NoReturn:
        name = name_of(op)
        reason = "it has no lowering to the LLVM dialect"
        on_tensors = any(
            isinstance(value.type, TensorType | UnrankedTensorType)
            for value in (*op.operands, *op.results)
        )
        dialect = "tensor" if on_tensors else name.split(".", 1)[0]
        first = (
            WITHOUT_LOWERING.get(name)
            or WITHOUT_LOOPS.get(name)
            or NEEDED_FIRST.get(dialect)
        )
        refuse(op, PASS, f"{reason}; {first}" if first else reason)


def symbol_name(op: Operation) -> str | None:
    name = op.get_attr_or_prop("sym_name")
    return name.data if isinstance(name, StringAttr) else None
