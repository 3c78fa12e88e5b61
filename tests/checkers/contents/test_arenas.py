"""The contents checker on planned memory: right plans pass, and live buffers that share
bytes are found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from tests.checkers.stages import OPTIONS
from tests.checkers.test_memory_plan import neighbours
from tests.oracle.tools import parse
from tests.random_programs.checks import REFUSED, arguments_for
from tests.random_programs.interpreter import Interpreter
from tests.random_programs.program import OBSERVED, random_program
from xdsl_bufferization import jit
from xdsl_bufferization.checkers.contents.checker import check_contents
from xdsl_bufferization.checkers.contents.marks import Marks, remove_marks
from xdsl_bufferization.checkers.contents.report import WrongRead
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.plan_memory import FunctionPlan, plan_memory
from xdsl_bufferization.transforms.utils.one_shot_bufferization import (
    run_one_shot_bufferize,
)

CHAIN = """
func.func @main(%x: memref<8xf32>, %i: index) -> f32 {
  %t = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %d = tensor.empty() : tensor<8xf32>
  %1 = linalg.negf ins(%0 : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  %c = tensor.empty() : tensor<8xf32>
  %2 = linalg.add ins(%0, %1 : tensor<8xf32>, tensor<8xf32>)
    outs(%c : tensor<8xf32>) -> tensor<8xf32>
  %b = tensor.empty() : tensor<8xf32>
  %3 = linalg.mul ins(%1, %2 : tensor<8xf32>, tensor<8xf32>)
    outs(%b : tensor<8xf32>) -> tensor<8xf32>
  %f = tensor.extract %3[%i] : tensor<8xf32>
  return %f : f32
}
"""
LOOP = """
func.func @main(%x: tensor<8xf32>, %i: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%a = %0) -> (tensor<8xf32>) {
    %d = tensor.empty() : tensor<8xf32>
    %1 = linalg.negf ins(%a : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    %c = tensor.empty() : tensor<8xf32>
    %2 = linalg.exp ins(%1 : tensor<8xf32>) outs(%c : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %2 : tensor<8xf32>
  }
  %f = tensor.extract %r[%i] : tensor<8xf32>
  return %f : f32
}
"""


class Planned:
    """A bufferized and planned program, with its marks."""

    def __init__(self, text: str, copy_before_write: bool = False, **options: Any):
        _, self.module = parse(text)
        marks = Marks(self.module)
        run_one_shot_bufferize(
            self.module,
            replace(
                OPTIONS,
                listeners=[marks],
                copy_before_write=copy_before_write,
                buffer_alignment=0,
            ),
        )
        self.described = marks.described
        self.plans = plan_memory(self.module, **options)

    def wrong(self) -> list[WrongRead]:
        return on_program(check_contents)(self.module, self.described)

    def views(self) -> list[memref.ViewOp]:
        return [op for op in self.module.walk() if isinstance(op, memref.ViewOp)]


class Moved:
    """A view, at another offset for a while."""

    def __init__(self, view: memref.ViewOp, offset: int):
        self.view = view
        self.shift = arith.ConstantOp.from_int_and_width(offset, IndexType())

    def __enter__(self) -> None:
        self.before = self.view.operands[1]
        Rewriter.insert_op(self.shift, InsertPoint.before(self.view))
        self.view.operands[1] = self.shift.result

    def __exit__(self, *_: object) -> None:
        self.view.operands[1] = self.before
        Rewriter.erase_op(self.shift)


def moved_into(program: Planned, view: memref.ViewOp, offset: int) -> bool:
    """Whether a buffer at this offset is found to be wrong."""
    with Moved(view, offset):
        return bool(program.wrong())


def test_neighbours_of_a_chain() -> None:
    program = Planned(CHAIN, alignment=4)
    assert not program.wrong()
    first, second, third, last = program.views()
    assert [place.offset for place in program.plans[0].placements] == [0, 32, 64, 0]
    for view, neighbour in ((first, 32), (second, 0), (second, 64), (third, 32)):
        assert moved_into(program, view, neighbour)
        assert moved_into(program, view, neighbour + (4 if neighbour < 64 else -4))
    assert moved_into(program, last, 32)


def test_what_a_loop_carries_in_an_arena_is_lost_to_a_buffer_in_its_memory() -> None:
    """Both that of before the loop and that of the iteration before."""
    program = Planned(LOOP, alignment=4, arena="argument")
    assert not program.wrong()
    first, inner, last = program.views()
    here, between, there = [place.offset for place in program.plans[0].placements]
    assert between not in (here, there)
    # The iteration reads the first or the last, and writes the inner one.
    assert moved_into(program, inner, here)
    assert moved_into(program, inner, there)
    assert moved_into(program, first, between)
    assert moved_into(program, last, between)


def test_views_of_other_arenas_are_slices_of_bytes() -> None:
    """An arena that control flow forwards is not known to be just one."""
    text = """
    func.func @main(%x: tensor<8xf32>, %p: memref<64xi8>, %q: memref<64xi8>, %c: i1)
        -> f32 {
      %arena = arith.select %c, %p, %q : memref<64xi8>
      %c0 = arith.constant 0 : index
      %other = arith.constant OFFSET : index
      %0 = memref.view %arena[%c0][] : memref<64xi8> to memref<8xf32>
      %1 = memref.view %arena[%other][] : memref<64xi8> to memref<8xf32>
      %2 = linalg.exp ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
      bufferization.materialize_in_destination %2 in restrict writable %0
        : (tensor<8xf32>, memref<8xf32>) -> ()
      %t = bufferization.to_tensor %0 restrict : memref<8xf32> to tensor<8xf32>
      %3 = linalg.negf ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
      bufferization.materialize_in_destination %3 in restrict writable %1
        : (tensor<8xf32>, memref<8xf32>) -> ()
      %f = tensor.extract %t[%c0] : tensor<8xf32>
      return %f : f32
    }
    """
    assert not Planned(text.replace("OFFSET", "32")).wrong()
    assert Planned(text.replace("OFFSET", "28")).wrong()


def test_places_of_a_callee_are_in_the_memory_of_the_caller() -> None:
    """The callee writes its arena, which the caller has placed."""
    text = """
    func.func private @f(%x: tensor<8xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      %e = tensor.empty() : tensor<8xf32>
      %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      %d = tensor.empty() : tensor<8xf32>
      %1 = linalg.add ins(%x, %0 : tensor<8xf32>, tensor<8xf32>)
        outs(%d : tensor<8xf32>) -> tensor<8xf32>
      %f = tensor.extract %1[%c0] : tensor<8xf32>
      return %f : f32
    }
    func.func @main(%x: tensor<8xf32>) -> (f32, f32) {
      %c0 = arith.constant 0 : index
      %e = tensor.empty() : tensor<8xf32>
      %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      %f = func.call @f(%x) : (tensor<8xf32>) -> f32
      %g = tensor.extract %0[%c0] : tensor<8xf32>
      return %f, %g : f32, f32
    }
    """
    program = Planned(text, alignment=4)
    assert [plan.buffers for plan in program.plans] == [2, 2]
    assert not program.wrong()
    (*_, own, passed) = program.views()
    assert isinstance(next(iter(passed.results[0].uses)).operation, func.CallOp)
    with Moved(passed, 0), Moved(own, 0):
        assert program.wrong()


def pairs(program: Planned) -> Iterator[tuple[memref.ViewOp, int]]:
    """Yield buffers with the offset of one that is live together with it."""

    def plan_of(function: func.FuncOp) -> Iterator[FunctionPlan]:
        for plan in program.plans:
            if plan.function == function.sym_name.data:
                yield plan

    for function in program.module.walk():
        if isinstance(function, func.FuncOp):
            for plan in plan_of(function):
                for view, other in neighbours(function, plan):
                    yield view, other.offset


def results_of(module: ModuleOp, arguments: list[object]) -> object:
    compiled = jit.compile(module, "lower-to-llvm-pipeline", count=True, opt_level=0)
    found = compiled["main"](*arguments)
    found = found if isinstance(found, tuple) else () if found is None else (found,)
    return [np.array(each) for each in found]


def test_random_programs_in_arenas() -> None:
    """All plans pass. Where a buffer is moved into one that is live, the checker finds
    that, or the results stay the same: contents may be undefined, or never used."""
    programs = mutants = rejected = 0
    for seed in range(30):
        random = random_program(seed, OBSERVED)
        try:
            program = Planned(random.text, seed % 3 > 0, alignment=4)
        except PassFailedException as error:
            assert REFUSED in str(error)
            continue
        assert not program.wrong(), f"seed {seed}"
        found = sorted(pairs(program), key=lambda pair: pair[1])
        programs += bool(found)
        _, tensors = parse(random.text)
        expected = Interpreter(tensors).call("main", arguments_for(random))
        for view, offset in Random(seed).sample(found, min(4, len(found))):
            mutants += 1
            with Moved(view, offset):
                if program.wrong():
                    rejected += 1
                    continue
                module = program.module.clone()
                remove_marks(module)
            try:
                got = results_of(module, arguments_for(random))
            except jit.CheckError:  # beyond the end of the arena
                continue
            assert all(map(np.array_equal, got, expected)), f"seed {seed}"
    assert programs >= 4 and mutants >= 12 and rejected >= 2
