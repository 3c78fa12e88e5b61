"""Verification is fast, and finds what xDSL finds."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, StringAttr, i1, i32
from xdsl.ir import Block, Operation, Region
from xdsl.ir.core import RegionBlocks
from xdsl.irdl import IRDLOperation, OpDef
from xdsl.parser import Parser
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.verification_plans import make_plan
from xdsl_bufferization.universe import new_context


def chain(blocks: int) -> ModuleOp:
    body = "\n".join(f"^b{n}:\n  cf.br ^b{n + 1}" for n in range(blocks))
    text = f"func.func @f() {{\n  cf.br ^b0\n{body}\n^b{blocks}:\n  return\n}}"
    return Parser(new_context(), text).parse_module()


def test_number_of_visited_blocks_is_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    visited = 0
    iterate = RegionBlocks.__iter__

    def counting(self: RegionBlocks) -> Iterator[Block]:
        nonlocal visited
        for block in iterate(self):
            visited += 1
            yield block

    module = chain(300)
    monkeypatch.setattr(RegionBlocks, "__iter__", counting)
    module.verify()
    assert visited < 20 * 300


OPS = """
func.func private @g(index)
func.func @f(%m: memref<?x4xf32>, %t: tensor<?xf32>, %i: index, %x: f32, %c: i1)
    -> tensor<?xf32> {
  %0 = memref.subview %m[%i, 0] [2, %i] [1, 1]
    : memref<?x4xf32> to memref<2x?xf32, strided<[4, 1], offset: ?>>
  %1 = memref.alloc(%i) {alignment = 64 : i64} : memref<?xf32>
  %2 = scf.for %k = %i to %i step %i iter_args(%a = %t) -> (tensor<?xf32>) {
    %3 = tensor.insert %x into %a[%k] : tensor<?xf32>
    scf.yield %3 : tensor<?xf32>
  }
  %4 = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>],
      iterator_types = ["parallel"]}
      ins(%2 : tensor<?xf32>) outs(%t : tensor<?xf32>) {
  ^bb0(%p: f32, %q: f32):
    %5 = arith.addf %p, %q fastmath<fast> : f32
    linalg.yield %5 : f32
  } -> tensor<?xf32>
  %6 = linalg.fill ins(%x : f32) outs(%4 : tensor<?xf32>) -> tensor<?xf32>
  scf.if %c {
    func.call @g(%i) : (index) -> ()
  }
  memref.store %x, %m[%i, %i] : memref<?x4xf32>
  %7 = arith.cmpi slt, %i, %i : index
  cf.cond_br %7, ^bb1(%6 : tensor<?xf32>), ^bb2
^bb1(%8: tensor<?xf32>):
  return %8 : tensor<?xf32>
^bb2:
  return %t : tensor<?xf32>
}
"""
VERIFY_IN_XDSL = inspect.unwrap(OpDef.verify)


def is_right(verify: Callable[[], Any]) -> bool:
    try:
        return verify() is not False
    except (VerifyException, ValueError):  # a verifier asked for the only block
        return False


def faults() -> dict[str, Callable[[Operation], object]]:
    """Changes to an op, of which most make it wrong."""
    value = test.TestOp(result_types=[i1]).results[0]
    segments = "operandSegmentSizes"

    def set_segments(op: Operation, change: Callable[[list[int]], list[int]]) -> None:
        stated = op.properties.get(segments)
        if isinstance(stated, DenseArrayBase):
            sizes = change(list(stated.get_values()))
            op.properties[segments] = DenseArrayBase.from_list(i32, sizes)

    def drop_operand(op: Operation) -> None:
        op.operands = op.operands[:-1]

    def add_operand(op: Operation) -> None:
        op.operands = (*op.operands, value)

    def retype_operand(op: Operation) -> None:
        op.operands = (*op.operands[:-1], *([value] if op.operands else []))

    def add_block(op: Operation) -> None:
        if op.regions:
            op.regions[0].add_block(Block())

    def retype_argument(op: Operation) -> None:
        if op.regions and op.regions[0].first_block is not None:
            op.regions[0].first_block.insert_arg(StringAttr("no type"), 0)

    def drop_property(op: Operation) -> None:
        if op.properties:
            op.properties.popitem()

    def retype_property(op: Operation) -> None:
        for name in op.properties:
            op.properties[name] = StringAttr("something else")

    return {
        "none": lambda op: None,
        "operand dropped": drop_operand,
        "operand added": add_operand,
        "operand of another type": retype_operand,
        "region added": lambda op: op.add_region(Region()),
        "block added": add_block,
        "argument added": retype_argument,
        "property dropped": drop_property,
        "property unknown": lambda op: op.properties.update(new=StringAttr("")),
        "property of another kind": retype_property,
        "attribute added": lambda op: op.attributes.update(new=StringAttr("")),
        "segments moved": lambda op: set_segments(op, lambda sizes: sizes[::-1]),
        "segment negative": lambda op: set_segments(
            op, lambda sizes: [sizes[0] + 1, -1, *sizes[2:]]
        ),
        "segment missing": lambda op: set_segments(op, lambda sizes: sizes[:-1]),
        "segments absent": lambda op: op.properties.pop(segments, None),
    }


@pytest.mark.parametrize("fault", faults())
def test_plans_accept_what_xdsl_accepts(fault: str) -> None:
    module = Parser(new_context(), OPS).parse_module()
    for op in list(module.walk()):
        assert isinstance(op, IRDLOperation)
        faults()[fault](op)
        definition = op.get_irdl_definition()
        plan = make_plan(definition, type(op))
        expected = is_right(lambda op=op, of=definition: VERIFY_IN_XDSL(of, op))
        assert is_right(lambda op=op, plan=plan: plan(op)) == expected, op.name


def function_with(*ops: Operation) -> Operation:
    """An op that is isolated and has a block with these ops."""
    return ModuleOp(Region(Block(ops)))


def test_value_from_outside_of_a_function() -> None:
    outside = test.TestOp(result_types=[i1])
    inner = test.TestOp(operands=[outside.results[0]])
    with pytest.raises(VerifyException, match=r"(?i)isolated ?from ?above"):
        function_with(
            test.TestOp(regions=[Region(Block([inner, test.TestTermOp()]))])
        ).verify()


def test_block_that_ends_without_a_terminator() -> None:
    module = Parser(new_context(), OPS).parse_module()
    last = module.body.block.last_op
    assert last is not None
    terminator = last.regions[0].blocks[1].last_op
    assert terminator is not None
    block = terminator.parent
    assert block is not None
    terminator.detach()
    block.add_op(test.TestOp())
    with pytest.raises(VerifyException, match="not a terminator"):
        module.verify()


def test_branch_in_the_middle_of_a_block() -> None:
    module = chain(3)
    function = module.body.block.first_op
    assert function is not None
    function.regions[0].blocks[1].add_op(test.TestOp())
    with pytest.raises(VerifyException, match="must terminate its parent block"):
        module.verify()


def test_trait_that_is_added_later_is_found() -> None:
    class Late(IsolatedFromAbove):
        pass

    class Op(test.TestOp):
        traits = type(test.TestOp.traits)(test.TestOp.traits.gen_traits)

    assert Op.get_trait(Late) is None
    Op.traits.add_trait(Late())
    assert Op.get_trait(Late) is not None


def test_insertion_of_a_part_of_other_sizes() -> None:
    """mlir-opt accepts it, and has no lowering for it."""
    text = """
    func.func @f(%part: vector<3xf32>, %whole: vector<2x4xf32>) {
      %0 = vector.insert %part, %whole[1] : vector<3xf32> into vector<2x4xf32>
      return
    }
    """
    with pytest.raises(VerifyException, match="expects a part of"):
        Parser(new_context(), text).parse_module().verify()
