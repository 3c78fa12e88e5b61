"""What users do who follow the hint of a remark: change the program, or the passes."""

from __future__ import annotations

import re
from typing import cast

from xdsl.dialects import arith, linalg, scf, tensor
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    ModuleOp,
    TensorType,
    UnitAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, OpResult
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import ConstantLike

from xdsl_bufferization.locations import position_of
from xdsl_bufferization.remarks.model import Remark

_POSITION = re.compile(r"\(([^()\s]+:\d+:\d+)\)")
_PASSES = re.compile(r"(?<=run )[a-z,-]+\{[^}]*\}")
_OPTION = re.compile(r"[a-z-]+=[a-z-]+$")


def follow(module: ModuleOp, remark: Remark, passes: str) -> str:
    """Change the program as a hint says. Return the passes to run then.

    Args:
        passes: those that the remark is about.
    """
    hint = remark.hint
    assert hint is not None
    positions = {position_of(op): op for op in module.walk() if op.parent is not None}
    named = [positions[found] for found in _POSITION.findall(hint) if found in positions]
    if hint.startswith("bufferize functions too"):
        return passes.replace(
            "one-shot-bufferize", "one-shot-bufferize{bufferize-function-boundaries}", 1
        )
    if (option := _OPTION.search(hint)) is not None:
        return with_option(passes, option[0])
    if "avoid-lists" in hint:
        return passes.replace(
            "buffer-deallocation-pipeline",
            "buffer-deallocation-pipeline{static-ownership}",
        )
    if (before := _PASSES.search(hint)) is not None:
        if passes == "bufferization-pipeline":
            return with_option(passes, "modify-public-functions")
        return passes.replace(
            "buffer-deallocation-pipeline", f"{before[0]},buffer-deallocation-pipeline"
        )
    if hint.startswith("move "):
        *reads, write = named
        for read in reads:
            move(read, write)
    elif hint.startswith("unroll "):
        (loop,) = named
        assert isinstance(loop, scf.ForOp)
        unroll(loop, int(hint.partition(" times")[0].rpartition(" ")[2]))
    elif "`restrict writable`" in hint:
        (to_tensor,) = named
        to_tensor.properties |= {"restrict": UnitAttr(), "writable": UnitAttr()}
    else:
        let_write(positions, remark)
    return passes


def with_option(passes: str, option: str) -> str:
    """Give the first of the passes one more option."""
    name, _, rest = passes.partition(",")
    if "{" in name:
        name = name.replace("}", f" {option}}}")
    else:
        name = f"{name}{{{option}}}"
    return f"{name},{rest}" if rest else name


def move(read: Operation, write: Operation) -> None:
    """Move a read, and the constants that it uses and that are later, before a write."""
    owners = [value.owner for value in read.operands if isinstance(value, OpResult)]
    for op in (*(o for o in owners if o.has_trait(ConstantLike)), read):
        assert isinstance(op, Operation) and write.parent is not None
        if op.parent is write.parent and op.is_before_in_block(write):
            continue
        op.detach()
        write.parent.insert_op_before(op, write)


def unroll(loop: scf.ForOp, count: int) -> None:
    """Make `count` iterations at a time. The iterations that remain are forgotten: where
    there are copies does not depend on them."""
    body = loop.body.block
    original = loop.body.clone()
    for _ in range(count - 1):
        end = body.last_op
        assert end is not None
        following = original.clone().detach_block(0)
        Rewriter.inline_block(
            following, InsertPoint.before(end), (body.args[0], *end.operands)
        )
        last = body.last_op
        assert last is not None
        new_end = last.prev_op
        assert new_end is not None
        last.operands = new_end.operands
        Rewriter.erase_op(new_end)


def let_write(positions: dict[str | None, Operation], remark: Remark) -> None:
    """Make the source of a tensor writable that is read only."""
    source = dict(remark.reason.places)["source"]
    op = positions[source.position]
    if isinstance(op, FuncOp):
        (argument,) = (a for a in op.args if f"%{a.name_hint}" == source.value)
        assert op.arg_attrs is not None
        attributes = list(op.arg_attrs.data)
        attributes[argument.index] = DictionaryAttr({})
        op.properties["arg_attrs"] = ArrayAttr(attributes)
    elif op.name == "arith.constant":
        fill(op)
    else:
        assert op.name == "bufferization.to_tensor"
        op.properties["writable"] = UnitAttr()


def fill(constant: Operation) -> None:
    """Replace a constant of equal elements by a linalg.fill."""
    value = constant.properties["value"]
    assert isinstance(value, DenseIntOrFPElementsAttr)
    type_ = cast("TensorType[Attribute]", constant.results[0].type)
    element = arith.ConstantOp(next(iter(value.iter_attrs())))
    empty = tensor.EmptyOp((), type_)
    filled = linalg.FillOp(element.results, empty.results, [type_])
    Rewriter.replace_op(constant, [element, empty, filled])
