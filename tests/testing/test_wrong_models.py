"""The kit finds wrong models: each has one mistake, and is right without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import MemRefType, NoneAttr, StridedLayoutAttr, f32
from xdsl.traits import (
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    RecursiveMemoryEffect,
)

from tests.testing.own_dialect import create, define, make_case
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.aliasing import (
    AliasingOperand,
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.interfaces.base_models import (
    AliasingModel,
    BufferizableModel,
    DestinationStyleModel,
)
from xdsl_bufferization.interfaces.operands import operands_of
from xdsl_bufferization.interfaces.region_branch import RegionSuccessor
from xdsl_bufferization.models.regions import BranchModel, LoopModel
from xdsl_bufferization.testing import OpCase, check_model

T = "tensor<4xf32>"
READ, WRITE = MemoryReadEffect(), MemoryWriteEffect()


class AddModel(DestinationStyleModel):
    """y += x"""

    def bufferize(self, op: Any, rewriter: Any) -> None:
        x, y = map(rewriter.get_buffer, op.operands)
        rewriter.insert(create(op, [x, y]))
        rewriter.replace(op, [y])


class IotaModel(BufferizableModel):
    """[0, 1, 2, 3] in a new buffer"""

    def bufferizes_to_allocation(self, op: Any, value: Any) -> bool:
        return True

    def bufferize(self, op: Any, rewriter: Any) -> None:
        buffer = rewriter.create_alloc(MemRefType(f32, [4]), [])
        rewriter.insert(create(op, [buffer]))
        rewriter.replace(op, [buffer])


class NegateModel(BufferizableModel):
    """-x in a new buffer"""

    def bufferizes_to_allocation(self, op: Any, value: Any) -> bool:
        return True

    def bufferize(self, op: Any, rewriter: Any) -> None:
        buffer = rewriter.create_alloc(MemRefType(f32, [4]), [])
        rewriter.insert(create(op, [rewriter.get_buffer(op.operands[0]), buffer]))
        rewriter.replace(op, [buffer])


@dataclass(frozen=True)
class PartModel(AliasingModel):
    """x[1:3], a view"""

    relation: BufferRelation = BufferRelation.UNKNOWN
    first: int = 1

    def buffer_type(self, op: Any, value: Any, types: Any) -> Any:
        return self.type_of_part(types.get_buffer_type(op.operands[0]))

    def type_of_part(self, whole: Any) -> Any:
        layout = StridedLayoutAttr([None], None)
        if isinstance(whole.layout, NoneAttr):
            layout = StridedLayoutAttr([1], self.first)
        return MemRefType(f32, [2], layout)

    def bufferize(self, op: Any, rewriter: Any) -> None:
        source = rewriter.get_buffer(op.operands[0])
        view = memref.SubviewOp.build(
            operands=[source, [], [], []],
            result_types=[self.type_of_part(source.type)],
            properties=memref_properties(self.first),
        )
        rewriter.replace(op, [rewriter.insert(view).results[0]])


def memref_properties(first: int) -> dict[str, Any]:
    from xdsl.dialects.builtin import DenseArrayBase, i64

    return {
        f"static_{name}": DenseArrayBase.from_list(i64, [number])
        for name, number in (("offsets", first), ("sizes", 2), ("strides", 1))
    }


def add(model: Any, *effects: Any) -> OpCase:
    op = define("add", model, *(effects or (READ, WRITE)))
    text = f'%r = "own.add"(%x, %y) : ({T}, {T}) -> {T}'
    return make_case(op, text, {"%x": T, "%y": T}, lambda x, y: x + y)


def add_reversed(model: Any, *effects: Any) -> OpCase:
    op = define("add_reversed", model, READ, WRITE)
    text = f'%r = "own.add_reversed"(%x, %y) : ({T}, {T}) -> {T}'
    return make_case(op, text, {"%x": T, "%y": T}, lambda x, y: x[::-1] + y)


def iota(model: Any, *effects: Any) -> OpCase:
    op = define("iota", model, *(effects or (WRITE,)))
    text = f'%r = "own.iota"() : () -> {T}'
    return make_case(op, text, {}, lambda: np.arange(4, dtype="f"))


def negate(model: Any, *effects: Any) -> OpCase:
    op = define("negate", model, *(effects or (READ, WRITE)))
    text = f'%r = "own.negate"(%x) : ({T}) -> {T}'
    return make_case(op, text, {"%x": T}, lambda x: -x)


def part(model: Any, *effects: Any) -> OpCase:
    op = define("part", model, Pure())
    text = f'%r = "own.part"(%x) : ({T}) -> tensor<2xf32>'
    return make_case(op, text, {"%x": T}, lambda x: x[1:3])


def repeat(model: Any, *effects: Any) -> OpCase:
    op = define("repeat", model, *(effects or (RecursiveMemoryEffect(),)))
    text = f"""%n = arith.constant 3 : index
    %i = arith.constant 1 : index
    %r = "own.repeat"(%n, %t) ({{
    ^bb0(%a: {T}):
      %e = tensor.extract %a[%i] : {T}
      %f = arith.addf %e, %x : f32
      %w = tensor.insert %f into %a[%i] : {T}
      "own.yield"(%w) : ({T}) -> ()
    }}) : (index, {T}) -> {T}"""

    def meaning(t: Any, x: float) -> Any:
        t[1] += 3 * x
        return t

    return make_case(op, text, {"%t": T, "%x": "f32"}, meaning)


def choose(model: Any, *effects: Any) -> OpCase:
    op = define("choose", model, *(effects or (RecursiveMemoryEffect(),)))
    text = f"""%r = "own.choose"(%c) ({{
      "own.yield"(%x) : ({T}) -> ()
    }}, {{
      "own.yield"(%y) : ({T}) -> ()
    }}) : (i1) -> {T}"""
    arguments = {"%c": "i1", "%x": T, "%y": T}
    return make_case(op, text, arguments, lambda c, x, y: x if c else y, (0, 2))


LOOP = LoopModel(first_init=1)


def first_alone(method: Any) -> Callable[..., Any]:
    return lambda self, op, point: method(self, op, point)[:1]


def last_alone(method: Any) -> Callable[..., Any]:
    return lambda self, op, point: method(self, op, point)[1:]


def answer(value: Any) -> Callable[..., Any]:
    return lambda *arguments: value


def of_operand(number: int, value: bool, other: bool) -> Callable[..., bool]:
    return lambda self, op, operand, state: value if operand.index == number else other


def takes_too_few(self: Any, op: Any, operand: Any) -> bool:
    return True


def mutate(base: Any, **methods: Any) -> Any:
    """An object of a subclass of the model's class, with other methods."""
    own = type(f"Wrong{type(base).__name__}", (type(base),), methods)
    return own(**{name: getattr(base, name) for name in base.__dataclass_fields__})


@dataclass(frozen=True)
class Mistake:
    """A model with one mistake, and the answer that is to be reported."""

    case: Callable[..., OpCase]
    model: Any
    answer: str
    effects: tuple[Any, ...] = field(default=())


RIGHT: dict[str, Mistake] = {
    "add": Mistake(add, AddModel(), ""),
    "add_reversed": Mistake(add_reversed, AddModel(), ""),
    "iota": Mistake(iota, IotaModel(), ""),
    "negate": Mistake(negate, NegateModel(), ""),
    "part": Mistake(part, PartModel(), ""),
    "repeat": Mistake(repeat, LOOP, ""),
    "choose": Mistake(choose, BranchModel(), ""),
}


def swapped(self: Any, op: Any, rewriter: Any) -> None:
    x, y = map(rewriter.get_buffer, op.operands)
    rewriter.insert(create(op, [y, x]))
    rewriter.replace(op, [y])


def other_result(self: Any, op: Any, rewriter: Any) -> None:
    x, y = map(rewriter.get_buffer, op.operands)
    rewriter.insert(create(op, [x, y]))
    rewriter.replace(op, [x])


def forgotten_op(self: Any, op: Any, rewriter: Any) -> None:
    rewriter.replace(op, [rewriter.create_alloc(MemRefType(f32, [4]), [])])


def frees_result(self: Any, op: Any, rewriter: Any) -> None:
    buffer = rewriter.create_alloc(MemRefType(f32, [4]), [])
    rewriter.insert(create(op, [buffer]))
    rewriter.replace(op, [buffer])
    rewriter.insert(memref.DeallocOp.get(buffer))


def hidden_copy(self: Any, op: Any, rewriter: Any) -> None:
    x, y = map(rewriter.get_buffer, op.operands)
    buffer = rewriter.create_alloc(MemRefType(f32, [4]), [])
    rewriter.create_memcpy(y, buffer)
    rewriter.insert(create(op, [x, buffer]))
    rewriter.replace(op, [buffer])


def in_place(self: Any, op: Any, rewriter: Any) -> None:
    x = rewriter.get_buffer(op.operands[0])
    rewriter.insert(create(op, [x, x]))
    rewriter.replace(op, [x])


def also_in_place(self: Any, op: Any, rewriter: Any) -> None:
    x = rewriter.get_buffer(op.operands[0])
    buffer = rewriter.create_alloc(MemRefType(f32, [4]), [])
    rewriter.insert(create(op, [x, buffer]))
    rewriter.insert(create(op, [x, x]))
    rewriter.replace(op, [buffer])


def unchanged(self: Any, op: Any, rewriter: Any) -> None:
    rewriter.replace(op, [rewriter.get_buffer(op.operands[0])])


def alias_of_first(self: Any, op: Any, operand: Any, state: Any) -> Any:
    return (AliasingValue(op.results[0], BufferRelation.EQUIVALENT),)


def operand_of_first(self: Any, op: Any, value: Any, state: Any) -> Any:
    return (AliasingOperand(operands_of(op)[0], BufferRelation.EQUIVALENT),)


def to_first(self: Any, op: Any, point: Any) -> Any:
    if point is not None:
        return (RegionSuccessor(None, op.results),)
    return (RegionSuccessor(op.regions[0], ()),)


NO, YES, NONE = answer(False), answer(True), answer(())
ADD, IOTA, NEGATE, PART, BRANCH = (
    *(AddModel(), IotaModel(), NegateModel(), PartModel()),
    BranchModel(),
)
READS, WRITES = "bufferizes_to_memory_read", "bufferizes_to_memory_write"
RESULT = "result_bufferizes_to_memory_write"
ALLOCATION = "bufferizes_to_allocation"
VALUES, OPERANDS = "aliasing_values", "aliasing_operands"
EFFECTS = "memory effects"

WRONG: dict[str, Mistake] = {
    "an input is not read": Mistake(
        add, mutate(ADD, **{READS: of_operand(0, False, True)}), READS
    ),
    "a destination is not read": Mistake(
        add, mutate(ADD, **{READS: of_operand(1, False, True)}), READS
    ),
    "an answer of another type": Mistake(
        add, mutate(ADD, **{READS: answer("yes")}), "model"
    ),
    "a method without an argument": Mistake(
        add, mutate(ADD, **{READS: takes_too_few}), "model"
    ),
    "nothing is read": Mistake(add, mutate(ADD, **{READS: NO}), READS),
    "a destination is not written": Mistake(add, mutate(ADD, **{WRITES: NO}), WRITES),
    "the input is the destination": Mistake(
        add, mutate(ADD, **{WRITES: of_operand(0, True, False)}), WRITES
    ),
    "a destination has no alias": Mistake(add, mutate(ADD, **{VALUES: NONE}), VALUES),
    "a result has no alias": Mistake(add, mutate(ADD, **{OPERANDS: NONE}), OPERANDS),
    "a result aliases the input": Mistake(
        add, mutate(ADD, **{OPERANDS: operand_of_first}), OPERANDS
    ),
    "the contents of a result are undefined": Mistake(
        add, mutate(ADD, **{RESULT: NO}), RESULT
    ),
    "a destination is an allocation": Mistake(
        add, mutate(ADD, **{ALLOCATION: YES}), ALLOCATION
    ),
    "the operands are swapped": Mistake(add, mutate(ADD, bufferize=swapped), WRITES),
    "the result is the input": Mistake(add, mutate(ADD, bufferize=other_result), VALUES),
    "the result is a hidden copy": Mistake(
        add, mutate(ADD, bufferize=hidden_copy), ALLOCATION
    ),
    "the op is pure": Mistake(add, ADD, EFFECTS, (Pure(),)),
    "the op only reads": Mistake(add, ADD, EFFECTS, (READ,)),
    "the op only writes": Mistake(add, ADD, EFFECTS, (WRITE,)),
    "the access is not elementwise": Mistake(
        add_reversed,
        mutate(ADD, bufferizes_to_elementwise_access=YES),
        "bufferizes_to_elementwise_access",
    ),
    "an allocation is not declared": Mistake(
        iota, mutate(IOTA, **{ALLOCATION: NO}), ALLOCATION
    ),
    "the contents of an allocation are undefined": Mistake(
        iota, mutate(IOTA, **{RESULT: NO}), RESULT
    ),
    "the op is forgotten": Mistake(
        iota, mutate(IOTA, bufferize=forgotten_op), "bufferize"
    ),
    "the allocation is freed": Mistake(
        iota, mutate(IOTA, bufferize=frees_result), "bufferize"
    ),
    "an allocation without a write": Mistake(iota, IOTA, EFFECTS, (Pure(),)),
    "an allocation that reads": Mistake(iota, IOTA, EFFECTS, (READ,)),
    "the only operand is not read": Mistake(negate, mutate(NEGATE, **{READS: NO}), READS),
    "an alias of a new buffer": Mistake(
        negate, mutate(NEGATE, **{VALUES: alias_of_first}), VALUES
    ),
    "an aliasing operand of a new buffer": Mistake(
        negate, mutate(NEGATE, **{OPERANDS: operand_of_first}), VALUES
    ),
    "the operand is overwritten": Mistake(
        negate, mutate(NEGATE, bufferize=in_place), WRITES
    ),
    "the operand is overwritten too": Mistake(
        negate, mutate(NEGATE, bufferize=also_in_place), WRITES
    ),
    "the result is the operand": Mistake(
        negate, mutate(NEGATE, bufferize=unchanged), VALUES
    ),
    "a read without an effect": Mistake(negate, NEGATE, EFFECTS, (WRITE,)),
    "a write without an effect": Mistake(negate, NEGATE, EFFECTS, (READ,)),
    "a view that is equivalent": Mistake(
        part, PartModel(BufferRelation.EQUIVALENT), VALUES
    ),
    "a view without an alias": Mistake(part, mutate(PART, **{VALUES: NONE}), VALUES),
    "a view without an aliasing operand": Mistake(
        part, mutate(PART, **{OPERANDS: NONE}), OPERANDS
    ),
    "a view that is an allocation": Mistake(
        part, mutate(PART, **{ALLOCATION: YES}), ALLOCATION
    ),
    "a view of another part": Mistake(part, PartModel(first=2), "bufferize"),
    "a loop that is not repeated": Mistake(
        repeat, mutate(LOOP, is_repetitive_region=NO), "is_repetitive_region"
    ),
    "a loop that does not write": Mistake(repeat, mutate(LOOP, **{WRITES: NO}), WRITES),
    "a loop that does not read": Mistake(repeat, mutate(LOOP, **{READS: NO}), READS),
    "a loop without an alias": Mistake(repeat, mutate(LOOP, **{VALUES: NONE}), VALUES),
    "a loop without an aliasing operand": Mistake(
        repeat, mutate(LOOP, **{OPERANDS: NONE}), OPERANDS
    ),
    "a loop without a back edge": Mistake(
        repeat,
        mutate(LOOP, get_successor_regions=last_alone(LoopModel.get_successor_regions)),
        "get_successor_regions",
    ),
    "a branch with one successor": Mistake(
        choose, mutate(BRANCH, get_successor_regions=to_first), "get_successor_regions"
    ),
    "a branch without an aliasing operand": Mistake(
        choose, mutate(BRANCH, **{OPERANDS: NONE}), OPERANDS
    ),
}


@pytest.mark.parametrize("mistake", WRONG.values(), ids=WRONG)
def test_a_mistake_is_found(mistake: Mistake) -> None:
    found = check_model(mistake.case(mistake.model, *mistake.effects))
    assert found
    assert any(wrong.answer.endswith(mistake.answer) for wrong in found), found
    assert all("func.func" in wrong.program for wrong in found)


@pytest.mark.parametrize("right", RIGHT.values(), ids=RIGHT)
def test_a_model_that_is_right_passes(right: Mistake) -> None:
    assert check_model(right.case(right.model)) == []
