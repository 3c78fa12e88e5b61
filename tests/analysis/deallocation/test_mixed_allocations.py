"""Allocations of several kinds: the op to free with; one run of the pipeline a kind."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects import test
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Dialect, Operation
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.traits import MemoryAllocEffect, MemoryFreeEffect
from xdsl.utils.exceptions import PassFailedException

from tests.analysis.deallocation.interpreter import (
    Allocation,
    Machine,
    OutOfFuel,
    WrongProgram,
)
from tests.analysis.deallocation.random_programs import Generator
from tests.analysis.deallocation.test_random_programs import execute
from tests.oracle.tools import parse, run_passes
from xdsl_bufferization.transforms.bufferization_lower_deallocations import (
    LowerDeallocationsOptions,
    LowerDeallocationsPass,
    lower_deallocations,
)
from xdsl_bufferization.universe import new_context

DEALLOC = """func.func @f(%m: memref<4xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  return
}"""


def test_own_op_to_free_with() -> None:
    _, module = parse(DEALLOC)
    lower_deallocations(
        module, LowerDeallocationsOptions(lambda value: (test.TestOp([value]),))
    )
    assert '"test.op"(%m)' in str(module)
    assert "memref.dealloc" not in str(module)


def test_op_given_by_name() -> None:
    context, module = parse(DEALLOC)
    LowerDeallocationsPass(dealloc_op="test.op").apply(context, module)
    assert '"test.op"(%m)' in str(module)


def test_unknown_op() -> None:
    context, module = parse(DEALLOC)
    with pytest.raises(PassFailedException, match=r"no op 'my\.free'"):
        LowerDeallocationsPass(dealloc_op="my.free").apply(context, module)


@irdl_op_definition
class MyAlloc(IRDLOperation):
    name = "my.alloc"

    buffer = result_def(MemRefType)
    traits = traits_def(MemoryAllocEffect())
    assembly_format = "attr-dict `:` type($buffer)"


@irdl_op_definition
class MyFree(IRDLOperation):
    name = "my.free"

    buffer = operand_def(MemRefType)
    traits = traits_def(MemoryFreeEffect())
    assembly_format = "$buffer attr-dict `:` type($buffer)"


MY_DIALECT = Dialect("my", [MyAlloc, MyFree])
ONE_KIND_AFTER_THE_OTHER = (
    'buffer-deallocation-pipeline{alloc-ops="memref.alloc"OPTION},'
    'buffer-deallocation-pipeline{alloc-ops="my.alloc" dealloc-op="my.free"OPTION}'
)


class MixedMachine(Machine):
    """Buffers are to be freed by the op that belongs to the one that allocated them."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.mine: set[Allocation] = set()

    def run_my_alloc(self, op: Operation, v: list[Any], scope: Any) -> list[Any]:
        (buffer,) = self.run_memref_alloc(op, v, scope)
        self.mine.add(buffer.allocation)
        return [buffer]

    def run_my_free(self, op: Operation, v: list[Any], scope: Any) -> None:
        if v[0].allocation not in self.mine:
            raise WrongProgram(f"{op} frees what memref.alloc has allocated")
        self.free(v[0])

    def run_memref_dealloc(self, op: Operation, v: list[Any], _: Any) -> None:
        if v[0].allocation in self.mine:
            raise WrongProgram(f"{op} frees what my.alloc has allocated")
        self.free(v[0])


def parse_mixed(program: str) -> tuple[Context, ModuleOp]:
    context = new_context()
    context.load_dialect(MY_DIALECT)
    return context, Parser(context, program).parse_module()


@pytest.mark.parametrize("option", ["", " private-function-dynamic-ownership"])
@pytest.mark.parametrize("seed", range(40))
def test_one_run_for_each_kind(seed: int, option: str) -> None:
    choices = random.Random(seed)
    program = re.sub(
        r"memref\.alloc\(\)",
        lambda _: choices.choice(["memref.alloc()", "my.alloc"]),
        Generator(seed).program(),
    )
    _, reference = parse_mixed(program)
    context, module = parse_mixed(program)
    run_passes(context, module, ONE_KIND_AFTER_THE_OTHER.replace("OPTION", option))
    for run in range(2):
        try:
            expected = execute(
                reference,
                run,
                deallocated=False,
                fuel=5_000,
                machine_class=MixedMachine,
            )
            got = execute(
                module,
                run,
                deallocated=True,
                fuel=300_000,
                machine_class=MixedMachine,
            )
        except OutOfFuel:
            continue
        assert got == expected, f"run {run}, of\n{program}"
