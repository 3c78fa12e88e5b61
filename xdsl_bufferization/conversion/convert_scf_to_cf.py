"""The pass convert-scf-to-cf.

Each block is visited once. The ops after a structured op move to a new block, and the
blocks of its regions move into the function, where they are visited later. Every op
thus moves at most once for its own block, and nesting adds no cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntElementsAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    UnrankedMemRefType,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.irdl.operations import SingleBlockRegionDef

from xdsl_bufferization.conversion.utils.diagnostics import refuse
from xdsl_bufferization.conversion.utils.scf_loops import forall_to_for, parallel_to_for
from xdsl_bufferization.conversion.utils.stack_buffers import is_only_accessed
from xdsl_bufferization.conversion.utils.unranked import is_unranked, makes_descriptor
from xdsl_bufferization.dialects import cf, scf
from xdsl_bufferization.dialects.allocation_scopes import is_automatic_allocation_scope
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.locations import locations_restored, visit
from xdsl_bufferization.module_pass import Counterpart, ModulePass
from xdsl_bufferization.programs import on_program

PASS = "convert-scf-to-cf"


@dataclass(frozen=True)
class ConvertScfToCfPass(ModulePass):
    """Turn structured control flow into branches between blocks: scf.for, if, while,
    index_switch, execute_region, parallel (with reductions) and forall on buffers.

    ```mlir
    func.func @f(%lb: index, %ub: index, %s: index, %init: f32, %x: f32) -> f32 {
      %r = scf.for %i = %lb to %ub step %s iter_args(%a = %init) -> (f32) {
        %b = arith.addf %a, %x : f32
        scf.yield %b : f32
      }
      return %r : f32
    }
    ```

    becomes

    ```mlir
    func.func @f(%lb: index, %ub: index, %s: index, %init: f32, %x: f32) -> f32 {
      cf.br ^bb1(%lb, %init : index, f32)
    ^bb1(%i: index, %a: f32):
      %0 = arith.cmpi slt, %i, %ub : index
      cf.cond_br %0, ^bb2, ^bb3
    ^bb2:
      %b = arith.addf %a, %x : f32
      %1 = arith.addi %i, %s : index
      cf.br ^bb1(%1, %b : index, f32)
    ^bb3:
      return %a : f32
    }
    ```

    Parallel loops run sequentially. Memory that an iteration allocates on the stack is
    freed at its end, in scf.while if nothing can keep it. A loop that carries an
    unranked memref frees none, because the descriptor of that is on the stack. An op
    whose region must stay a single block (linalg.generic, affine.for) must not contain
    scf ops: lower it first.
    """

    name = "convert-scf-to-cf"
    counterpart = Counterpart("convert_scf_to_cf", "ConvertScfToCf", lowers="scf")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_scf_to_cf(op)


@on_program
def convert_scf_to_cf(op: Operation) -> None:
    """Convert all structured control flow inside an op.

    Raises:
        PassFailedException: for an scf op without lowering, or one inside an op whose
            region must stay one block.
    """
    waiting = [block for region in op.regions for block in region.blocks]
    with locations_restored():
        while waiting:
            _convert_block(waiting.pop(), waiting)


_ONE_BLOCK = {"affine.for", "affine.if", "memref.generic_atomic_rmw"}
"""Ops whose regions keep one block, although their definition does not state it."""


def _convert_block(block: Block, waiting: list[Block]) -> None:
    """Convert the structured ops of a block. The blocks that come of it, except those
    the block itself is split into, are put on the waiting list.
    """
    current = block
    ops = list(reversed(list(block.ops)))
    while ops:
        op = ops.pop()
        visit(op)
        if op.name in _PARALLEL:
            _check_place(op)
            if op.parent is not current:
                _move(op, current)
            replacement = (
                parallel_to_for(op)
                if op.name == "scf.parallel"
                else forall_to_for(op, PASS)
            )
            ops += reversed(replacement)
            continue
        lower = _LOWERINGS.get(op.name)
        if op.name == "memref.alloca_scope" and not _has_control_flow(op):
            lower = None
        if lower is None:
            if op.name.startswith("scf.") and op.name not in _TERMINATORS:
                refuse(op, PASS, "it has no lowering to branches")
            if op.parent is not current:
                _move(op, current)
            for region in op.regions:
                waiting += region.blocks
            continue
        _check_place(op)
        op.detach()
        after = Block()
        region = current.parent
        assert region is not None
        region.insert_block_after(after, current)
        arguments = lower(op, Split(current, after, waiting))
        for result, value in zip(op.results, arguments, strict=True):
            result.replace_all_uses_with(value)
        op.erase()
        current = after


_PARALLEL = ("scf.parallel", "scf.forall")

_TERMINATORS = {
    *("scf.yield", "scf.condition", "scf.reduce", "scf.reduce.return"),
    *("scf.forall.in_parallel", "memref.alloca_scope.return"),
}


def _check_place(op: Operation) -> None:
    parent = op.parent_op()
    if parent is not None and _keeps_one_block(parent):
        refuse(
            op,
            PASS,
            f"it is inside of '{parent.name}', whose region must stay one block; "
            "lower that op first",
        )


def _keeps_one_block(op: Operation) -> bool:
    return op.name in _ONE_BLOCK or (
        isinstance(op, IRDLOperation)
        and any(
            isinstance(region, SingleBlockRegionDef)
            for _, region in op.get_irdl_definition().regions
        )
    )


def _move(op: Operation, block: Block) -> None:
    op.detach()
    block.add_op(op)


@dataclass(frozen=True, slots=True)
class Split:
    """A block that ends where a structured op was, and the one after it."""

    before: Block
    after: Block
    waiting: list[Block]

    def take(self, region: Region) -> tuple[Block, list[Operation]]:
        """Move the blocks of a region between the two. Return the first one, and the
        terminators of all that end the region.
        """
        blocks = list(region.blocks)
        region.move_blocks_before(self.after)
        self.waiting.extend(blocks)
        ends = [
            op
            for block in blocks
            if (op := block.last_op) is not None and op.name in _TERMINATORS
        ]
        return blocks[0], ends

    def new_block(self, types: Sequence[Attribute] = ()) -> Block:
        """A block between the two, after all others there."""
        block = Block(arg_types=types)
        region = self.after.parent
        assert region is not None
        region.insert_block_before(block, self.after)
        return block

    def result_arguments(self, op: Operation) -> Sequence[SSAValue]:
        """Arguments of the block after, for the results of the op."""
        for index, result in enumerate(op.results):
            self.after.insert_arg(result.type, index)
        return self.after.args


Lower: TypeAlias = "Callable[[Operation, Split], Sequence[SSAValue]]"
"""Ends the block before a structured op; returns what its results become."""


def _branch(block: Block, target: Block, values: Sequence[SSAValue]) -> None:
    block.add_op(cf.BranchOp.create(operands=values, successors=(target,)))


def _branch_if(
    block: Block,
    condition: SSAValue,
    then: tuple[Block, Sequence[SSAValue]],
    otherwise: tuple[Block, Sequence[SSAValue]],
) -> None:
    segments = (1, len(then[1]), len(otherwise[1]))
    block.add_op(
        cf.ConditionalBranchOp.create(
            operands=(condition, *then[1], *otherwise[1]),
            properties={"operandSegmentSizes": DenseArrayBase.from_list(i32, segments)},
            successors=(then[0], otherwise[0]),
        )
    )


def _replace_ends(ends: Sequence[Operation], target: Block) -> None:
    """Branches instead of terminators, with their operands."""
    for end in ends:
        block = end.parent_block()
        assert block is not None
        values = tuple(end.operands)
        end.detach()
        end.erase()
        _branch(block, target, values)


_SLT, _ULT = IntegerAttr(2, 64), IntegerAttr(6, 64)
_NO_OVERFLOW = {"overflowFlags": arith.IntegerOverflowAttr("none")}


def _lower_for(op: Operation, split: Split) -> Sequence[SSAValue]:
    lower, upper, step, *inits = op.operands
    frees = _frees_stack(op) and _allocates_on_stack(op.regions[0])
    head = split.new_block([lower.type, *(value.type for value in inits)])
    index, *carried = head.args
    body, (end,) = split.take(op.regions[0])
    for argument, value in zip(body.args, head.args, strict=True):
        argument.replace_all_uses_with(value)
        value.name_hint = argument.name_hint
    while body.args:
        body.erase_arg(body.args[-1])
    _branch(split.before, head, (lower, *inits))
    predicate = _ULT if "unsignedCmp" in op.properties else _SLT
    compare = arith.CmpiOp.create(
        operands=(index, upper),
        result_types=(i1,),
        properties={"predicate": predicate},
    )
    head.add_op(compare)
    _branch_if(head, compare.results[0], (body, ()), (split.after, ()))
    last = end.parent_block()
    assert last is not None
    if frees:
        _free_stack(body, [end])
    advance = arith.AddiOp.create(
        operands=(index, step), result_types=(index.type,), properties=_NO_OVERFLOW
    )
    values = tuple(end.operands)
    end.detach()
    end.erase()
    last.add_op(advance)
    _branch(last, head, (advance.results[0], *values))
    return carried


def _frees_stack(op: Operation) -> bool:
    """Whether what is allocated on the stack inside of an op can be freed at the end of
    each iteration, or of the op: nothing there passes it on.

    scf.while is no scope of the stack, so a buffer that it passes on, or that something
    in it may keep, is needed for longer. So is the descriptor of an unranked memref.
    """
    if op.name == "scf.while":
        allocas = (inner for inner in walk(op) if inner.name == "memref.alloca")
        if not all(map(is_only_accessed, allocas)):
            return False
        arguments = [arg for region in op.regions for arg in region.blocks[0].args]
        passed = (*op.results, *arguments)
        return not any(isinstance(value.type, _POINTERS) for value in passed)
    return is_automatic_allocation_scope(op) and not any(map(is_unranked, op.results))


_POINTERS = (MemRefType, UnrankedMemRefType, llvm.LLVMPointerType, llvm.LLVMStructType)


def _allocates_on_stack(*regions: Region) -> bool:
    """Whether regions allocate on the stack, but in an op that frees it itself."""
    waiting = list(regions)
    while waiting:
        for block in waiting.pop().blocks:
            for op in block.ops:
                if op.name == "memref.alloca" or makes_descriptor(op):
                    return True
                if op.regions and not _frees_stack(op):
                    waiting += op.regions
    return False


def _free_stack(first: Block, ends: Sequence[Operation]) -> None:
    """Free, at some terminators, what is allocated on the stack from the head of a block
    on."""
    save = llvm.StackSaveOp()
    first.insert_op_before(save, cast(Operation, first.first_op))
    for end in ends:
        block = end.parent_block()
        assert block is not None
        block.insert_op_before(llvm.StackRestoreOp(save.res), end)


def _lower_if(op: Operation, split: Split) -> Sequence[SSAValue]:
    condition = op.operands[0]
    results = split.result_arguments(op)
    targets: list[Block] = []
    for region in op.regions:
        if region.blocks.first is None:
            targets.append(split.after)
            continue
        block, ends = split.take(region)
        _replace_ends(ends, split.after)
        targets.append(block)
    then, otherwise = targets
    _branch_if(split.before, condition, (then, ()), (otherwise, ()))
    return results


def _lower_while(op: Operation, split: Split) -> Sequence[SSAValue]:
    frees = _frees_stack(op) and _allocates_on_stack(*op.regions)
    head, (condition,) = split.take(op.regions[0])
    body, ends = split.take(op.regions[1])
    if frees:
        _free_stack(head, ends)
    _branch(split.before, head, tuple(op.operands))
    last = condition.parent_block()
    assert last is not None
    holds, *values = condition.operands
    condition.detach()
    condition.erase()
    _branch_if(last, holds, (body, values), (split.after, ()))
    _replace_ends(ends, head)
    return values


def _lower_execute_region(op: Operation, split: Split) -> Sequence[SSAValue]:
    results = split.result_arguments(op)
    entry, ends = split.take(op.regions[0])
    _branch(split.before, entry, ())
    _replace_ends(ends, split.after)
    return results


def _lower_index_switch(op: Operation, split: Split) -> Sequence[SSAValue]:
    assert isinstance(op, scf.IndexSwitchOp)
    results = split.result_arguments(op)
    entries: list[Block] = []
    for region in op.regions:
        entry, ends = split.take(region)
        _replace_ends(ends, split.after)
        entries.append(entry)
    default, *cases = entries
    index = op.operands[0]
    if not cases:
        _branch(split.before, default, ())
        return results
    values = list(cast("DenseArrayBase[IntegerType]", op.cases).iter_values())
    flag = arith.IndexCastOp(index, i64)
    switch = cf.SwitchOp(
        flag.result,
        default,
        (),
        DenseIntElementsAttr.from_list(VectorType(i64, (len(cases),)), values),
        cases,
        [()] * len(cases),
    )
    split.before.add_ops([flag, switch])
    return results


def _lower_alloca_scope(op: Operation, split: Split) -> Sequence[SSAValue]:
    """A scope of stack allocation has one block only, so one with control flow inside
    becomes what it stands for: the stack is saved before and restored after it.
    """
    results = split.result_arguments(op)
    save = llvm.StackSaveOp()
    split.before.add_op(save)
    entry, ends = split.take(op.regions[0])
    _branch(split.before, entry, ())
    for end in ends:
        block = end.parent_block()
        assert block is not None
        block.insert_op_before(llvm.StackRestoreOp(save.res), end)
    _replace_ends(ends, split.after)
    return results


def _has_control_flow(op: Operation) -> bool:
    return any(
        inner.name in _LOWERINGS or inner.name in _PARALLEL
        for inner in walk(op)
        if inner is not op
    )


_LOWERINGS: dict[str, Lower] = {
    "memref.alloca_scope": _lower_alloca_scope,
    "scf.for": _lower_for,
    "scf.if": _lower_if,
    "scf.while": _lower_while,
    "scf.execute_region": _lower_execute_region,
    "scf.index_switch": _lower_index_switch,
}
