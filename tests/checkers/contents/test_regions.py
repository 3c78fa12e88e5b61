"""The checker of bufferizations enters every region, whatever op it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Dialect, Operation, Region, SSAValue, Use
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.traits import IsTerminator, Pure

from tests.checkers.mutation import OPTIONS, bufferized, mutants_of
from tests.oracle.tools import new_context, parse
from xdsl_bufferization.checkers.contents.checker import check_contents
from xdsl_bufferization.interfaces.aliasing import (
    AliasingOperand,
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.operands import operands_of
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchModel,
    RegionSuccessor,
    ReturnLike,
)
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.transforms.utils.verified_bufferization import (
    verify_bufferization,
)


@irdl_op_definition
class RepeatOp(IRDLOperation):
    """An op of a user's dialect that says nothing about its region."""

    name = "user.repeat"

    inputs = var_operand_def()
    outputs = var_result_def()
    body = region_def()


@irdl_op_definition
class OnceOp(IRDLOperation):
    """An op of a user's dialect that runs its region once."""

    name = "user.once"

    outputs = var_result_def()
    body = region_def()


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The end of either."""

    name = "user.yield"

    values = var_operand_def()
    traits = traits_def(IsTerminator())


@dataclass
class _Once(RegionBranchModel):
    def get_successor_regions(
        self, op: Operation, point: Region | None
    ) -> tuple[RegionSuccessor, ...]:
        if point is None:
            return (RegionSuccessor(op.regions[0], ()),)
        return (RegionSuccessor(None, op.results),)

    def get_entry_successor_operands(
        self, op: Operation, successor: Region | None
    ) -> tuple[SSAValue, ...]:
        return ()


USER = Dialect("user", [RepeatOp, OnceOp, YieldOp], [])
attach(OnceOp, _Once())
attach(YieldOp, ReturnLike())


def parsed(program: str) -> ModuleOp:
    context: Context = new_context()
    context.load_dialect(USER)
    context.allow_unregistered = True
    module = Parser(context, program).parse_module()
    module.verify()
    return module


PROGRAM = """
func.func @main(%t: tensor<4xi32>, %seen: memref<1xi32>, %i: index, %x: i32, %b: i1,
                %m: memref<4xi32>) -> i32 {{
  %c0 = arith.constant 0 : index
  {before}
    %0 = tensor.insert %x into %t[%i] : tensor<4xi32>
    %1 = tensor.extract %0[%i] : tensor<4xi32>
    memref.store %1, %seen[%c0] : memref<1xi32>
  {after}
  %r = tensor.extract %t[%i] : tensor<4xi32>
  return %r : i32
}}
"""
REGIONS = {
    "scf.execute_region": ("scf.execute_region {", "scf.yield }"),
    "scf.while, before": (
        "scf.while : () -> () {",
        "scf.condition(%b) } do { scf.yield }",
    ),
    "scf.reduce": (
        "%s = scf.parallel (%k) = (%c0) to (%i) step (%i) init(%x) -> i32 { "
        "scf.reduce(%x : i32) { ^bb0(%l: i32, %h: i32):",
        "scf.reduce.return %1 : i32 } }",
    ),
    "memref.alloca_scope": ("memref.alloca_scope {", "}"),
    "memref.generic_atomic_rmw": (
        "memref.generic_atomic_rmw %m[%i] : memref<4xi32> { ^bb0(%old: i32):",
        "memref.atomic_yield %1 : i32 }",
    ),
    "affine.for": ("affine.for %k = 0 to 4 {", "}"),
    "affine.if": ("affine.if affine_set<(d0): (d0 >= 0)>(%i) {", "}"),
    "affine.if, else": ("affine.if affine_set<(d0): (d0 >= 0)>(%i) { } else {", "}"),
    "affine.parallel": ("affine.parallel (%k) = (0) to (4) {", "}"),
    "of a user's dialect": (
        '"user.repeat"() ({',
        '"user.yield"() : () -> () }) : () -> ()',
    ),
    "of a user's dialect, with interface": (
        '"user.once"() ({',
        '"user.yield"() : () -> () }) : () -> ()',
    ),
    "of a user's dialect, with memrefs": (
        '"user.repeat"(%m) ({ ^bb0(%a: memref<4xi32>):',
        '"user.yield"(%a) : (memref<4xi32>) -> () }) : (memref<4xi32>) -> ()',
    ),
    "not registered": ('"my.op"() ({', '"my.end"() : () -> () }) : () -> ()'),
    "not registered, the second one": (
        '"my.op"() ({ }, {',
        '"my.end"() : () -> () }) : () -> ()',
    ),
    "not registered, without a terminator": ('"my.op"() ({', "}) : () -> ()"),
    "not registered, with blocks": (
        '"my.op"() ({',
        '"my.branch"()[^next] : () -> () ^next: "my.end"() : () -> () }) : () -> ()',
    ),
    "two around it": ("affine.for %k = 0 to 4 { memref.alloca_scope {", "} }"),
}


@pytest.mark.parametrize("region", REGIONS.values(), ids=list(REGIONS))
def test_region(region: tuple[str, str]) -> None:
    """A right program is accepted, a wrong one is not."""
    before, after = region
    module = parsed(PROGRAM.format(before=before, after=after))
    right, _ = bufferized(module.clone(), None)
    assert right.described is not None
    assert check_contents(right.module, right.described) == []
    count = 0
    for mutant in mutants_of(module):
        assert mutant.described is not None
        assert check_contents(mutant.module, mutant.described), mutant.what
        count += 1
    assert count == 2


@pytest.mark.parametrize("name", ["user.repeat", "my.op"])
def test_unknown_region_may_run_again(name: str) -> None:
    """What a region needs when it begins, it must leave as it was."""
    module = parsed(
        f"""
        func.func @main(%t: tensor<4xi32>, %m: memref<4xi32>, %i: index, %x: i32) {{
          "{name}"() ({{
            %0 = tensor.extract %t[%i] : tensor<4xi32>
            memref.store %0, %m[%i] : memref<4xi32>
            %1 = tensor.insert %x into %t[%i] : tensor<4xi32>
            %2 = tensor.extract %1[%i] : tensor<4xi32>
            memref.store %2, %m[%i] : memref<4xi32>
            "user.yield"() : () -> ()
          }}) : () -> ()
          return
        }}
        """
    )
    assert verify_bufferization(module, OPTIONS) == []
    found = list(mutants_of(module))
    assert len(found) == 2
    for mutant in found:
        assert mutant.described is not None
        assert check_contents(mutant.module, mutant.described), mutant.what


def test_operand_that_was_a_memref() -> None:
    """A tensor is looked for in its own operand, also where others were memrefs."""
    _, module = parse(
        """
        func.func @main(%t: tensor<4xi32>, %m: memref<4xi32>, %n: index, %x: i32)
            -> (tensor<4xi32>, i32) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %0 = tensor.insert %x into %t[%c0] : tensor<4xi32>
          %r, %q = scf.for %k = %c0 to %n step %c1 iter_args(%a = %t, %b = %m)
              -> (tensor<4xi32>, memref<4xi32>) {
            scf.yield %a, %b : tensor<4xi32>, memref<4xi32>
          }
          %1 = tensor.extract %r[%c0] : tensor<4xi32>
          return %0, %1 : tensor<4xi32>, i32
        }
        """
    )
    right, _ = bufferized(module.clone(), None)
    assert right.described is not None
    assert check_contents(right.module, right.described) == []
    (in_place, *_) = mutants_of(module)
    assert in_place.described is not None
    assert check_contents(in_place.module, in_place.described)


def test_input_is_not_the_output_that_may_hold_anything() -> None:
    """Any new buffer will do for tensor.empty, but not for the input beside it."""
    _, module = parse(
        """
        func.func @main(%t: tensor<4xi32>, %i: index, %x: i32)
            -> (tensor<4xi32>, tensor<2x4xi32>) {
          %0 = tensor.insert %x into %t[%i] : tensor<4xi32>
          %1 = tensor.empty() : tensor<2x4xi32>
          %2 = linalg.broadcast ins(%0 : tensor<4xi32>) outs(%1 : tensor<2x4xi32>)
              dimensions = [0]
          return %t, %2 : tensor<4xi32>, tensor<2x4xi32>
        }
        """
    )
    without_copy = [m for m in mutants_of(module) if "left out" in m.what]
    assert without_copy
    for mutant in without_copy:
        assert mutant.described is not None
        assert check_contents(mutant.module, mutant.described)


class _Shown(BufferizableModel):
    """The result is what the end of the region shows."""

    reads = False

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> list[AliasingOperand]:
        end = op.regions[0].block.last_op
        assert end is not None
        return [AliasingOperand(operands_of(end)[0], BufferRelation.EQUIVALENT)]

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        end = op.regions[0].block.last_op
        assert end is not None
        rewriter.set_type(op.results[0], rewriter.get_buffer(end.operands[0]).type)


class _Shows(BufferizableModel):
    reads = False
    always_in_place = True

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> list[AliasingValue]:
        around = op.parent_op()
        assert around is not None
        return [AliasingValue(around.results[0], BufferRelation.EQUIVALENT)]

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        rewriter.set_operand(op, 0, rewriter.get_buffer(op.operands[0]))


@irdl_op_definition
class ShowOp(IRDLOperation):
    """An op with a model, but nothing says where its region leads."""

    name = "user.show"

    outputs = var_result_def()
    body = region_def("single_block")
    traits = traits_def(_Shown())


@irdl_op_definition
class ShownOp(IRDLOperation):
    name = "user.shown"

    values = var_operand_def()
    traits = traits_def(_Shows(), IsTerminator(), Pure())


def test_message_names_the_interface_that_is_missing() -> None:
    """Of a right program nothing is said. A wrong one may be wrong for another reason."""
    context: Context = new_context()
    context.load_dialect(Dialect("user", [ShowOp, ShownOp], []))
    module = Parser(
        context,
        """
        func.func @main(%t: tensor<4xi32>, %u: tensor<4xi32>, %x: i32, %i: index)
            -> tensor<4xi32> {
          %1 = "user.show"() ({
            %0 = tensor.insert %x into %t[%i] : tensor<4xi32>
            "user.shown"(%0) : (tensor<4xi32>) -> ()
          }) : () -> tensor<4xi32>
          %2 = linalg.add ins(%1, %t : tensor<4xi32>, tensor<4xi32>)
              outs(%u : tensor<4xi32>) -> tensor<4xi32>
          return %2 : tensor<4xi32>
        }
        """,
    ).parse_module()
    assert verify_bufferization(module, OPTIONS) == []
    wrong = [
        check_contents(mutant.module, mutant.described or {})
        for mutant in mutants_of(module)
    ]
    assert len(wrong) == 2
    assert all(wrong)
    message = "user.show does not say which values its regions get and return"
    assert any(message in str(one) for found in wrong for one in found)
