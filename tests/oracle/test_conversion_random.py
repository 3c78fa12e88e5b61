"""Random programs on buffers, lowered by mlir-opt and by us, give the same numbers.

A program makes buffers and views of them (subviews, transpositions, reshapes, casts to
dynamic types, views chosen at run time), copies and updates through them inside of
loops and branches, and returns a hash of all buffers. Shapes are known while a program
is written, so that it never leaves a buffer.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from tests.oracle.conversion_runs import Function, ours, reference
from tests.oracle.tools import requires_mlir_opt

PROGRAMS = 40
SHAPES = [(6, 8), (4, 3, 2), (12,), (2, 2, 3, 2)]


@dataclass(frozen=True)
class View:
    """A buffer as the program knows it: what its type leaves open is known here."""

    name: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    open: frozenset[str] = frozenset()
    """Which of the type's sizes, strides and offset are dynamic: "s0", "t1", "o"."""

    @property
    def type(self) -> str:
        sizes = "".join(
            f"{'?' if f's{dim}' in self.open else size}x"
            for dim, size in enumerate(self.shape)
        )
        if self.open <= {f"s{dim}" for dim in range(len(self.shape))} and self._is_dense:
            return f"memref<{sizes}i64>"
        strides = ", ".join(
            "?" if f"t{dim}" in self.open else str(stride)
            for dim, stride in enumerate(self.strides)
        )
        offset = "?" if "o" in self.open else self.offset
        return f"memref<{sizes}i64, strided<[{strides}], offset: {offset}>>"

    @property
    def _is_dense(self) -> bool:
        expected = 1
        for size, stride in zip(
            reversed(self.shape), reversed(self.strides), strict=True
        ):
            if stride != expected:
                return False
            expected *= size
        inner_open = any(f"s{dim}" in self.open for dim in range(1, len(self.shape)))
        return self.offset == 0 and not (self.open and inner_open)


@dataclass
class Writer:
    """Writes the body of one function."""

    choice: random.Random
    lines: list[str] = field(default_factory=list[str])
    views: list[View] = field(default_factory=list[View])
    buffers: list[View] = field(default_factory=list[View])
    count: int = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def index(self, value: int) -> str:
        name = self.name()
        self.lines.append(f"{name} = arith.constant {value} : index")
        return name

    def emit(self, line: str) -> None:
        self.lines.append(line)

    # Views

    def buffer(self) -> None:
        shape = self.choice.choice(SHAPES)
        strides: list[int] = []
        stride = 1
        for size in reversed(shape):
            strides.insert(0, stride)
            stride *= size
        view = View(self.name(), shape, tuple(strides), 0)
        attribute = self.choice.choice(["", " {alignment = 64}"])
        self.emit(f"{view.name} = memref.alloc(){attribute} : {view.type}")
        self.fill(view)
        self.buffers.append(view)
        self.views.append(view)

    def fill(self, view: View) -> None:
        start = self.choice.randrange(100)
        loops = [f"%i{self.count}_{dim}" for dim in range(len(view.shape))]
        zero, one = self.index(0), self.index(1)
        for loop, size in zip(loops, view.shape, strict=True):
            self.emit(f"scf.for {loop} = {zero} to {self.index(size)} step {one} {{")
        value = self.index(start)
        for loop in loops:
            scaled, total = self.name(), self.name()
            self.emit(f"{scaled} = arith.muli {value}, {self.index(9)} : index")
            self.emit(f"{total} = arith.addi {scaled}, {loop} : index")
            value = total
        number = self.name()
        self.emit(f"{number} = arith.index_cast {value} : index to i64")
        self.emit(f"memref.store {number}, {view.name}[{', '.join(loops)}] : {view.type}")
        self.lines += ["}"] * len(loops)

    def subview(self, source: View) -> None:
        offsets: list[int] = []
        sizes: list[int] = []
        steps: list[int] = []
        for size in source.shape:
            offset = self.choice.randrange(size)
            step = self.choice.choice([1, 1, 2])
            room = (size - offset + step - 1) // step
            offsets.append(offset)
            sizes.append(self.choice.randint(1, room))
            steps.append(step)
        dynamic = [self.choice.random() < 0.4 for _ in source.shape]
        opened: set[str] = set(source.open & {"o"})
        written: list[str] = []
        for dim, offset in enumerate(offsets):
            if dynamic[dim]:
                opened |= {"o", f"s{dim}", f"t{dim}"}
            if f"t{dim}" in source.open:
                opened |= {f"t{dim}"} | ({"o"} if offset or dynamic[dim] else set())
        for numbers in (offsets, sizes, steps):
            parts = [
                self.index(n) if dynamic[dim] else str(n) for dim, n in enumerate(numbers)
            ]
            written.append(f"[{', '.join(parts)}]")
        moved = source.offset + sum(
            o * t for o, t in zip(offsets, source.strides, strict=True)
        )
        strides = tuple(s * t for s, t in zip(steps, source.strides, strict=True))
        result = View(self.name(), tuple(sizes), strides, moved, frozenset(opened))
        text = _strided_text(result)
        self.emit(
            f"{result.name} = memref.subview {source.name}{' '.join(written)} : "
            f"{source.type} to {text}"
        )
        self._cast(result, text)

    def transpose(self, source: View) -> None:
        order = list(range(len(source.shape)))
        self.choice.shuffle(order)
        place = {old: new for new, old in enumerate(order)}
        opened = frozenset(
            key if key == "o" else f"{key[0]}{place[int(key[1:])]}" for key in source.open
        )
        result = View(
            self.name(),
            tuple(source.shape[dim] for dim in order),
            tuple(source.strides[dim] for dim in order),
            source.offset,
            opened,
        )
        dims = ", ".join(f"d{dim}" for dim in range(len(order)))
        permuted = ", ".join(f"d{dim}" for dim in order)
        text = _strided_text(result)
        self.emit(
            f"{result.name} = memref.transpose {source.name} ({dims}) -> ({permuted}) : "
            f"{source.type} to {text}"
        )
        self._cast(result, text)

    def open_up(self, source: View) -> None:
        """A cast to a type with fewer static numbers."""
        keys = [f"s{dim}" for dim in range(len(source.shape))]
        keys += [f"t{dim}" for dim in range(len(source.shape))] + ["o"]
        opened = source.open | {key for key in keys if self.choice.random() < 0.5}
        result = View(
            self.name(), source.shape, source.strides, source.offset, frozenset(opened)
        )
        text = _strided_text(result)
        self.emit(f"{result.name} = memref.cast {source.name} : {source.type} to {text}")
        self._cast(result, text)

    def _cast(self, view: View, text: str) -> None:
        if view.type == text:
            self.views.append(view)
            return
        name = self.name()
        self.emit(f"{name} = memref.cast {view.name} : {text} to {view.type}")
        self.views.append(View(name, view.shape, view.strides, view.offset, view.open))

    def collapse(self, source: View) -> None:
        if len(source.shape) < 2 or source not in self.buffers:
            return
        size = 1
        for extent in source.shape:
            size *= extent
        result = View(self.name(), (size,), (1,), 0)
        groups = ", ".join(map(str, range(len(source.shape))))
        self.emit(
            f"{result.name} = memref.collapse_shape {source.name} [[{groups}]] : "
            f"{source.type} into {result.type}"
        )
        self.views.append(result)

    # Effects

    def copy(self) -> None:
        source = self.choice.choice(self.views)
        same = [v for v in self.views if v.shape == source.shape]
        target = self.choice.choice(same)
        # Through a new buffer, since the two may overlap.
        middle = self.name()
        sizes = "".join(f"{size}x" for size in source.shape)
        between = f"memref<{sizes}i64>"
        self.emit(f"{middle} = memref.alloc() : {between}")
        self.emit(f"memref.copy {source.name}, {middle} : {source.type} to {between}")
        self.emit(f"memref.copy {middle}, {target.name} : {between} to {target.type}")
        self.emit(f"memref.dealloc {middle} : {between}")

    def update(self) -> None:
        view = self.choice.choice(self.views)
        at = ", ".join(self.index(self.choice.randrange(size)) for size in view.shape)
        x, y = self.name(), self.name()
        self.emit(f"{x} = memref.load {view.name}[{at}] : {view.type}")
        self.emit(f"{y} = arith.muli {x}, %x : i64")
        self.emit(f"memref.store {y}, {view.name}[{at}] : {view.type}")

    def nested(self, depth: int) -> None:
        zero, one = self.index(0), self.index(1)
        visible = len(self.views)
        if self.choice.random() < 0.5:
            end = self.index(self.choice.randint(1, 3))
            self.emit(f"scf.for %k{self.count} = {zero} to {end} step {one} {{")
        else:
            cond = self.name()
            number = self.name()
            self.emit(f"{number} = arith.constant {self.choice.randrange(-3, 4)} : i64")
            self.emit(f"{cond} = arith.cmpi slt, %x, {number} : i64")
            self.emit(f"scf.if {cond} {{")
        self.block(self.choice.randint(1, 3), depth + 1)
        self.emit("}")
        del self.views[visible:]

    def block(self, length: int, depth: int = 0) -> None:
        for _ in range(length):
            kind = self.choice.randrange(7 if depth < 2 else 6)
            source = self.choice.choice(self.views)
            match kind:
                case 0:
                    self.subview(source)
                case 1:
                    self.transpose(source)
                case 2:
                    self.open_up(source)
                case 3:
                    self.collapse(source)
                case 4:
                    self.copy()
                case 5:
                    self.update()
                case _:
                    self.nested(depth)


def _strided_text(view: View) -> str:
    """The type with its layout always written."""
    sizes = "".join(
        f"{'?' if f's{dim}' in view.open else size}x"
        for dim, size in enumerate(view.shape)
    )
    strides = ", ".join(
        "?" if f"t{dim}" in view.open else str(stride)
        for dim, stride in enumerate(view.strides)
    )
    offset = "?" if "o" in view.open else view.offset
    return f"memref<{sizes}i64, strided<[{strides}], offset: {offset}>>"


def write_program(seed: int) -> str:
    writer = Writer(random.Random(seed))
    for _ in range(2):
        writer.buffer()
    writer.block(writer.choice.randint(4, 14))
    body = "\n  ".join(writer.lines)
    tail: list[str] = ["%h0 = arith.constant 7 : i64"]
    for number, view in enumerate(writer.buffers):
        tail.append(_hash(number, view))
        tail.append(f"memref.dealloc {view.name} : {view.type}")
    end = "\n  ".join(tail)
    return (
        f"func.func @program_{seed}(%x: i64) -> i64 {{\n  {body}\n  {end}\n"
        f"  return %h{len(writer.buffers)} : i64\n}}\n"
    )


def _hash(number: int, view: View) -> str:
    """Folds a buffer into %h<number>, which gives %h<number + 1>."""
    loops = [f"%l{number}_{dim}" for dim in range(len(view.shape))]
    lines = [
        f"%z{number} = arith.constant 0 : index",
        f"%o{number} = arith.constant 1 : index",
        f"%p{number} = arith.constant 31 : i64",
    ]
    outer = f"%h{number}"
    for dim, size in enumerate(view.shape):
        lines.append(f"%n{number}_{dim} = arith.constant {size} : index")
    for dim, loop in enumerate(loops):
        result = f"%h{number + 1}" if dim == 0 else f"%r{number}_{dim}"
        state = f"%a{number}_{dim}"
        lines.append(
            f"{result} = scf.for {loop} = %z{number} to %n{number}_{dim} step %o{number} "
            f"iter_args({state} = {outer}) -> (i64) {{"
        )
        outer = state
    lines += [
        f"%e{number} = memref.load {view.name}[{', '.join(loops)}] : {view.type}",
        f"%f{number} = arith.muli {outer}, %p{number} : i64",
        f"%g{number} = arith.addi %f{number}, %e{number} : i64",
        f"scf.yield %g{number} : i64",
        "}",
    ]
    for dim in reversed(range(1, len(loops))):
        lines += [f"scf.yield %r{number}_{dim} : i64", "}"]
    return "\n  ".join(lines)


@requires_mlir_opt
@pytest.mark.parametrize("start", [0, PROGRAMS])
def test_same_hash(start: int) -> None:
    seeds = range(start, start + PROGRAMS)
    text = "\n".join(write_program(seed) for seed in seeds)
    expected, by_us = reference(text), ours(text)
    for seed in seeds:
        function = Function(f"program_{seed}", ("i64",), "i64")
        for x in (-2, 0, 3):
            wanted = expected.call(function, (x,))
            assert by_us.call(function, (x,)) == wanted, write_program(seed)
