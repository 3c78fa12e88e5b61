"""Random bufferized functions: structured and unstructured control flow, views, calls.

Programs are valid by construction. `@main` takes two buffers, an index, two conditions
and loop bounds, and gives up to two buffers. Blocks branch at random, on what the
declared functions `@coin` and `@dice` say, and may form any graph. Conditions are
computed where they are used: some twice, or as the negation of one before.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

T = "memref<8xf32>"
SCALARS = "%i0: index, %c0: i1, %c1: i1, %lb: index, %ub: index, %st: index"
SCALAR_NAMES = ["%i0", "%c0", "%c1", "%lb", "%ub", "%st"]
SCALAR_TYPES = ["index", "i1", "i1", "index", "index", "index"]
COMPARED = [("%i0", "%ub"), ("%lb", "%ub")]
PREDICATES = ["slt", "sge", "eq", "ult"]
NARROW_LOOPS = [
    ("i8", -2, 1, 1, False),
    ("i8", 126, -127, 1, True),
    ("i8", -6, -2, 2, True),
    ("i8", 3, -5, -56, True),
    ("i16", -1, 3, 1, True),
    ("i16", 32767, -32768, 1, True),
    ("i32", -3, -3, 1, True),
    ("i32", -9, -7, 2, False),
    ("i64", -4, -1, 1, True),
]
"""Types, bounds and steps of scf.for, as signed numbers, and whether it is unsigned: few
or no iterations."""
MAX_CARRIED = 6
PRELUDE = f"""\
memref.global "private" @g : {T} = dense<1.0>
func.func private @coin() -> i1
func.func private @dice() -> i32
"""


@dataclass
class Generator:
    """Makes one program from a seed, without writes to buffers if so told."""

    seed: int
    writes: bool = True
    random: random.Random = field(init=False)
    lines: list[str] = field(default_factory=list[str])
    functions: dict[str, int] = field(default_factory=dict[str, int])
    counter: int = 0

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    def program(self) -> str:
        parts = [PRELUDE]
        for i in range(self.random.randint(0, 2)):
            parts.append(self.helper(f"f{i}"))
        parts.append(self.main())
        return "\n".join(parts)

    def name(self) -> str:
        self.counter += 1
        return f"%v{self.counter}"

    def emit(self, line: str) -> None:
        self.lines.append(line)

    # Functions

    def helper(self, name: str) -> str:
        """A function of one block. It returns only buffers of its own, each once:
        what else it returned would be a copy, which the caller could tell by writing."""
        self.lines = []
        buffers = ["%a0", "%a1"]
        for _ in range(self.random.randint(2, 4)):
            self.statement(buffers, 2)
        text = "\n".join(self.lines)
        own = re.findall(rf"^(%v\d+) = memref.alloc\(\) : {re.escape(T)}$", text, re.M)
        own = [value for value in own if value in buffers]
        count = min(len(own), self.random.randint(0, 2))
        results = self.random.sample(own, count)
        self.functions[name] = count
        visibility = "private " if self.random.random() < 0.5 else ""
        return self.function(f"{visibility}@{name}", [("", self.lines)], results)

    def main(self) -> str:
        graph = self.graph(self.random.randint(1, 7))
        arguments = {
            b: [
                f"%b{b}_{i}"
                for i in range(self.random.choice([0, 0, 1, 1, 2]) if b else 0)
            ]
            for b in graph.blocks
        }
        defined = {b: list(arguments[b]) for b in graph.blocks}
        defined[0] += ["%a0", "%a1"]
        results: list[str] = []
        bodies: dict[int, list[str]] = {}
        count = self.random.randint(0, 2)
        for b in sorted(graph.blocks, key=lambda b: len(graph.dominators[b])):
            self.lines = []
            buffers = [v for d in sorted(graph.dominators[b]) for v in defined[d]]
            known = len(buffers)
            for _ in range(self.random.randint(0, 3)):
                self.statement(buffers, self.random.choice([0, 0, 1, 2]))
            defined[b] += buffers[known:]
            successors = graph.successors[b]
            if successors:
                targets = [
                    self.target(successor, arguments[successor], buffers)
                    for successor in successors
                ]
                self.branch(targets)
            else:
                results = [self.random.choice(buffers) for _ in range(count)]
            bodies[b] = self.lines
        blocks = [
            (f"^bb{b}{_typed(arguments[b])}:" if b else "", bodies[b])
            for b in sorted(graph.blocks)
        ]
        return self.function("@main", blocks, results, graph.end)

    def function(
        self,
        name: str,
        blocks: list[tuple[str, list[str]]],
        results: list[str],
        end: int | None = None,
    ) -> str:
        types = ", ".join([T] * len(results))
        lines = [f"func.func {name}(%a0: {T}, %a1: {T}, {SCALARS}) -> ({types}) {{"]
        for header, body in blocks:
            lines += [header, *(f"  {line}" for line in body)]
            if end is None or header.startswith(f"^bb{end}") or len(blocks) == 1:
                values = f" {', '.join(results)} : {types}" if results else ""
                lines.append(f"  return{values}")
        return "\n".join([*(line for line in lines if line), "}"]) + "\n"

    # Graphs

    def graph(self, count: int) -> Graph:
        """A graph in which the last block is reached from the first."""
        successors: dict[int, list[int]] = {count - 1: []}
        for b in range(count - 1):
            targets = [
                self.random.randrange(1, count)
                if self.random.random() < 0.4
                else min(count - 1, b + 1 + self.random.randint(0, 1))
                for _ in range(self.random.choice([1, 2, 2, 2, 3]))
            ]
            if b + 1 not in targets:
                targets[0] = b + 1
            successors[b] = targets
        return Graph(successors, end=count - 1)

    def target(self, block: int, arguments: list[str], buffers: list[str]) -> str:
        values = [self.random.choice(buffers[-4:] + buffers) for _ in arguments]
        types = ", ".join([T] * len(values))
        return f"^bb{block}" + (f"({', '.join(values)} : {types})" if values else "")

    def branch(self, targets: list[str]) -> None:
        value = self.name()
        if len(targets) == 1:
            self.emit(f"cf.br {targets[0]}")
        elif len(targets) == 2:
            self.emit(f"{value} = func.call @coin() : () -> i1")
            self.emit(f"cf.cond_br {value}, {targets[0]}, {targets[1]}")
        else:
            default, *cases = targets
            listed = ", ".join(f"{i}: {case}" for i, case in enumerate(cases, 1))
            self.emit(f"{value} = func.call @dice() : () -> i32")
            self.emit(f"cf.switch {value} : i32, [ default: {default}, {listed} ]")

    # Conditions and loops

    def condition(self) -> str:
        if self.random.random() < 0.4:
            return self.random.choice(["%c0", "%c1"])
        left, right = self.random.choice(COMPARED)
        if self.random.random() < 0.2:
            left, right = right, left
        predicate, value = self.random.choice(PREDICATES), self.name()
        self.emit(f"{value} = arith.cmpi {predicate}, {left}, {right} : index")
        return value

    def loop(self, carried: str = "") -> str:
        """An scf.for up to its body, with constants for its bounds if there are any."""
        if self.random.random() < 0.6:
            unsigned = "unsigned " if self.random.random() < 0.3 else ""
            return f"scf.for {unsigned}{self.name()} = %lb to %ub step %st{carried} {{"
        type_, *numbers, is_unsigned = self.random.choice(NARROW_LOOPS)
        low, high, step = (self.name() for _ in numbers)
        for value, number in zip((low, high, step), numbers, strict=True):
            self.emit(f"{value} = arith.constant {number} : {type_}")
        unsigned = "unsigned " if is_unsigned else ""
        return (
            f"scf.for {unsigned}{self.name()} = {low} to {high} step {step}{carried} : "
            f"{type_} {{"
        )

    def rotated(self, values: list[str]) -> list[str]:
        start = self.random.randrange(len(values)) if values else 0
        return values[start:] + values[:start]

    # Statements

    def statement(self, buffers: list[str], depth: int) -> None:
        flat = ["alloc", "alloc", "view", "select", "global"]
        flat += ["store", "load", "copy"] if self.writes else []
        nested = ["if", "if_giving", "for", "for_giving", "while", "switch", "region"]
        kinds = [*flat, *(["call"] if self.functions else []), *(nested if depth else [])]
        kind = self.random.choice(kinds)
        getattr(self, f"make_{kind}")(buffers, depth - 1)

    def inner(self, buffers: list[str], depth: int) -> list[str]:
        """A few statements of a nested region; the buffers they can see."""
        inside = list(buffers)
        for _ in range(self.random.randint(0, 3)):
            self.statement(inside, max(depth, 0))
        return inside

    def pick(self, buffers: list[str]) -> str:
        return self.random.choice(buffers)

    def make_alloc(self, buffers: list[str], _: int) -> None:
        value = self.name()
        self.emit(f"{value} = memref.alloc() : {T}")
        buffers.append(value)

    def make_global(self, buffers: list[str], _: int) -> None:
        value = self.name()
        self.emit(f"{value} = memref.get_global @g : {T}")
        buffers.append(value)

    def make_view(self, buffers: list[str], _: int) -> None:
        part, value = self.name(), self.name()
        strided = "memref<8xf32, strided<[1]>>"
        self.emit(
            f"{part} = memref.subview {self.pick(buffers)}[0] [8] [1] : {T} to {strided}"
        )
        self.emit(f"{value} = memref.cast {part} : {strided} to {T}")
        buffers.append(value)

    def make_select(self, buffers: list[str], _: int) -> None:
        value = self.name()
        condition = self.condition()
        a, b = self.pick(buffers), self.pick(buffers)
        self.emit(f"{value} = arith.select {condition}, {a}, {b} : {T}")
        buffers.append(value)

    def make_store(self, buffers: list[str], _: int) -> None:
        value = self.name()
        self.emit(f"{value} = arith.constant {self.random.randint(1, 9)}.0 : f32")
        self.emit(f"memref.store {value}, {self.pick(buffers)}[%i0] : {T}")

    def make_load(self, buffers: list[str], _: int) -> None:
        value = self.name()
        self.emit(f"{value} = memref.load {self.pick(buffers)}[%i0] : {T}")
        self.emit(f"memref.store {value}, {self.pick(buffers)}[%i0] : {T}")

    def make_copy(self, buffers: list[str], _: int) -> None:
        source, target = self.pick(buffers), self.pick(buffers)
        self.emit(f"memref.copy {source}, {target} : {T} to {T}")

    def make_call(self, buffers: list[str], _: int) -> None:
        callee = self.random.choice(list(self.functions))
        count = self.functions[callee]
        results = [self.name() for _ in range(count)]
        operands = ", ".join([self.pick(buffers), self.pick(buffers), *SCALAR_NAMES])
        types = ", ".join([T, T, *SCALAR_TYPES])
        given = f"{', '.join(results)} = " if results else ""
        signature = f"({types}) -> ({', '.join([T] * count)})"
        call = f"func.call @{callee}"
        if self.random.random() < 0.3:
            call = f"func.call_indirect {self.function_value(count, signature)}"
        self.emit(f"{given}{call}({operands}) : {signature}")
        buffers += results

    def function_value(self, count: int, signature: str) -> str:
        """A function that returns so many buffers, or a choice of two."""
        names = [name for name, results in self.functions.items() if results == count]
        first, second, choice = self.name(), self.name(), self.name()
        for value in (first, second):
            callee = self.random.choice(names)
            self.emit(f"{value} = func.constant @{callee} : {signature}")
        condition = self.condition()
        self.emit(f"{choice} = arith.select {condition}, {first}, {second} : {signature}")
        return self.random.choice([first, choice])

    def make_if(self, buffers: list[str], depth: int) -> None:
        self.emit(f"scf.if {self.condition()} {{")
        self.inner(buffers, depth)
        if self.random.random() < 0.5:
            self.emit("} else {")
            self.inner(buffers, depth)
        self.emit("}")

    def make_if_giving(self, buffers: list[str], depth: int) -> None:
        count = self.random.randint(1, 2)
        results = [self.name() for _ in range(count)]
        types = ", ".join([T] * count)
        condition = self.condition()
        self.emit(f"{', '.join(results)} = scf.if {condition} -> ({types}) {{")
        for end in ("} else {", "}"):
            inside = self.inner(buffers, depth)
            values = ", ".join(self.pick(inside) for _ in results)
            self.emit(f"scf.yield {values} : {types}")
            self.emit(end)
        buffers += results

    def make_switch(self, buffers: list[str], depth: int) -> None:
        value = self.name()
        self.emit(f"{value} = scf.index_switch %i0 -> {T}")
        for case in ("case 0", "case 1", "default"):
            self.emit(f"{case} {{")
            inside = self.inner(buffers, depth)
            self.emit(f"scf.yield {self.pick(inside)} : {T}")
            self.emit("}")
        buffers.append(value)

    def make_region(self, buffers: list[str], depth: int) -> None:
        value = self.name()
        self.emit(f"{value} = scf.execute_region -> {T} {{")
        inside = self.inner(buffers, depth)
        self.emit(f"scf.yield {self.pick(inside)} : {T}")
        self.emit("}")
        buffers.append(value)

    def make_for(self, buffers: list[str], depth: int) -> None:
        self.emit(self.loop())
        self.inner(buffers, depth)
        self.emit("}")

    def make_for_giving(self, buffers: list[str], depth: int) -> None:
        count = self.random.choice([1, 2, 3, self.random.randint(1, MAX_CARRIED)])
        results = [self.name() for _ in range(count)]
        carried = [self.name() for _ in range(count)]
        types = ", ".join([T] * count)
        inits = ", ".join(f"{value} = {self.pick(buffers)}" for value in carried)
        head = self.loop(f" iter_args({inits}) -> ({types})")
        self.emit(f"{', '.join(results)} = {head}")
        inside = self.inner([*buffers, *carried], depth)
        self.emit(f"scf.yield {', '.join(self.sent(carried, inside[-3:]))} : {types}")
        self.emit("}")
        buffers += results

    def sent(self, carried: list[str], others: list[str]) -> list[str]:
        """What a loop sends to its next iteration: what it carries, in another order, or
        anything."""
        if self.random.random() < 0.3:
            return self.rotated(carried)
        return [self.pick(carried + others) for _ in carried]

    def make_while(self, buffers: list[str], depth: int) -> None:
        count = self.random.choice([0, 1, 2, self.random.randint(0, MAX_CARRIED)])
        index, before, after = self.name(), self.name(), self.name()
        results, first, second = ([self.name() for _ in range(count)] for _ in range(3))
        types = ", ".join(["index", *[T] * count])
        inits = ", ".join(f"{value} = {self.pick(buffers)}" for value in first)
        self.emit(
            f"{', '.join([index, *results])} = scf.while "
            f"({', '.join(filter(None, [f'{before} = %lb', inits]))}) : "
            f"({types}) -> ({types}) {{"
        )
        inside = self.inner([*buffers, *first], depth)
        go = self.name()
        self.emit(f"{go} = arith.cmpi slt, {before}, %ub : index")
        values = self.sent(first, inside[-2:])
        self.emit(f"scf.condition({go}) {', '.join([before, *values])} : {types}")
        self.emit("} do {")
        arguments = [f"{after}: index", *(f"{value}: {T}" for value in second)]
        self.emit(f"^bb0({', '.join(arguments)}):")
        inside = self.inner([*buffers, *second], depth)
        following = self.name()
        self.emit(f"{following} = arith.addi {after}, %st : index")
        values = self.sent(second, inside[-2:])
        self.emit(f"scf.yield {', '.join([following, *values])} : {types}")
        self.emit("}")
        buffers += results


@dataclass
class Graph:
    """Blocks 0, 1, ...; of the last one, `end`, every block before has a path to it."""

    successors: dict[int, list[int]]
    end: int
    blocks: list[int] = field(init=False)
    dominators: dict[int, set[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.blocks = list(range(self.end + 1))
        predecessors = {
            b: [p for p in self.blocks if b in self.successors[p]] for b in self.blocks
        }
        self.dominators = {b: set(self.blocks) if b else {0} for b in self.blocks}
        changed = True
        while changed:
            changed = False
            for b in self.blocks[1:]:
                sets = [self.dominators[p] for p in predecessors[b]]
                found = set.intersection(*sets) | {b}
                changed |= found != self.dominators[b]
                self.dominators[b] = found


def _typed(values: list[str]) -> str:
    return f"({', '.join(f'{value}: {T}' for value in values)})" if values else ""
