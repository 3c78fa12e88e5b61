"""Simplification of the outputs of scf.forall.

In a thread, a shared output has its value from before the loop: insertions by threads
are visible only in the result.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, Region, SSAValue

from xdsl_bufferization.dialects import scf, tensor
from xdsl_bufferization.dialects.shapes import is_tensor
from xdsl_bufferization.transforms.canonicalization_patterns.casts import (
    tensor_before_cast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


def drop_outputs(op: Operation, worklist: Worklist) -> bool:
    """scf.forall without outputs that nothing is inserted into, or that nothing uses
    after it."""
    assert isinstance(op, scf.ForallOp)
    insertions = _insertions(op)
    if insertions is None:
        return False
    outputs, arguments = list(op.outputs), list(op.region_iter_args)
    written = {insertion.dest for insertion in insertions}
    dropped = [
        number
        for number, result in enumerate(op.results)
        if result.first_use is None or arguments[number] not in written
    ]
    if not dropped:
        return False
    for number in dropped:
        worklist.replace_value(op.results[number], outputs[number])
    gone = {arguments[number] for number in dropped}
    for insertion in insertions:
        if insertion.dest in gone:
            worklist.erase(insertion)
    for number in reversed(dropped):
        worklist.replace_value(arguments[number], outputs[number])
        op.region.block.erase_arg(op.region.block.args[op.rank + number])
    kept = [number for number in range(len(outputs)) if number not in dropped]
    new = _with_outputs(op, [outputs[number] for number in kept], worklist)
    for number, result in zip(kept, new.results, strict=True):
        worklist.replace_value(op.results[number], result)
    worklist.erase(op)
    return True


def _insertions(op: scf.ForallOp) -> list[tensor.ParallelInsertSliceOp] | None:
    """The insertions of a thread into the outputs; None if there are others."""
    found: list[tensor.ParallelInsertSliceOp] = []
    arguments = set(op.region_iter_args)
    for insertion in op.terminator.regions[0].block.ops:
        if not isinstance(insertion, tensor.ParallelInsertSliceOp):
            return None
        if insertion.dest not in arguments:
            return None
        found.append(insertion)
    return found


def _with_outputs(
    op: scf.ForallOp, outputs: Sequence[SSAValue], worklist: Worklist
) -> scf.ForallOp:
    """A new loop before `op` with its bounds and body, and other outputs."""
    region = Region()
    op.region.move_blocks(region)
    new = scf.ForallOp(
        (list(op.dynamic_lower_bound), op.static_lower_bound),
        (list(op.dynamic_upper_bound), op.static_upper_bound),
        (list(op.dynamic_step), op.static_step),
        outputs,
        region,
        op.mapping,
    )
    new.attributes |= op.attributes
    worklist.insert_before(op, new)
    return new


def forget_output_casts(op: Operation, worklist: Worklist) -> bool:
    """The outputs of a loop are the tensors before casts that forget sizes; threads read
    them cast, and the results are cast."""
    assert isinstance(op, scf.ForallOp)
    precise = [tensor_before_cast(output) for output in op.outputs]
    if not any(precise) or _insertions(op) is None:
        return False
    outputs = [
        before or output for before, output in zip(precise, op.outputs, strict=True)
    ]
    old_types = [output.type for output in op.outputs]
    for number, before in enumerate(precise):
        if before is not None:
            _use_precise_argument(op, number, before, worklist)
    new = _with_outputs(op, outputs, worklist)
    for result, type, old in zip(new.results, old_types, op.results, strict=True):
        value: SSAValue = result
        if result.type != type and is_tensor(type):
            back = tensor.CastOp(result, type)
            worklist.insert_before(op, back)
            value = back.results[0]
        worklist.replace_value(old, value)
    worklist.erase(op)
    return True


def _use_precise_argument(
    op: scf.ForallOp, number: int, before: SSAValue, worklist: Worklist
) -> None:
    """Give an argument of the body the type of `before`; reads of it are cast."""
    block = op.region.block
    old = block.args[op.rank + number]
    argument = block.insert_arg(before.type, old.index)
    assert block.first_op is not None and is_tensor(old.type)
    cast = tensor.CastOp(argument, old.type)
    worklist.insert_before(block.first_op, cast)
    for use in list(old.uses):
        user = use.operation
        is_target = isinstance(user, tensor.ParallelInsertSliceOp) and use.index == 1
        user.operands[use.index] = argument if is_target else cast.results[0]
        worklist.push(user)
    block.erase_arg(old)
