"""The time of the passes around One-Shot Bufferize, on 1,000 and 10,000 ops."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.universe import Universe

from benchmarks.tables import decimal, ratio, table
from xdsl_bufferization.universe import new_context

SIZES = (1_000, 10_000)
WARM_UP = 50
T, M, V = "tensor<4xf32>", "memref<4xf32>", "memref<?xf32, strided<[1], offset: ?>>"
ARGUMENTS = "%x: f32, %i: index, %n: index, %c: i1"


@dataclass(frozen=True)
class Shape:
    """A function that repeats a few ops. In `unit` and `end`, # stands for the number of
    the repetition and @ for the next one; in `end` # is their count."""

    name: str
    argument: str
    result: str
    ops: int
    unit: str
    end: str
    start: str = ""

    def make(self, ops: int) -> str:
        count = max(1, ops // self.ops)
        units = (self.unit.replace("#", str(k)) for k in range(count))
        body = "".join(
            unit.replace("@", str(k + 1)) + "\n" for k, unit in enumerate(units)
        )
        result = f" -> {self.result}" if self.result else ""
        return (
            f"func.func @main({ARGUMENTS}, {self.argument}){result} {{\n{self.start}\n"
            f"{body}{self.end.replace('#', str(count))}\n}}\n"
        )


INSERTIONS = Shape(
    "empty, fill, insert_slice",
    "%r0: tensor<40xf32>",
    "tensor<40xf32>",
    3,
    f"""%e# = tensor.empty() : {T}
    %f# = linalg.fill ins(%x : f32) outs(%e# : {T}) -> {T}
    %r@ = tensor.insert_slice %f# into %r#[%i] [4] [1] : {T} into tensor<40xf32>""",
    "return %r# : tensor<40xf32>",
)
MATERIALIZED = Shape(
    "empty, fill, materialize_in_destination",
    f"%m: {M}",
    "",
    3,
    f"""%e# = tensor.empty() : {T}
    %f# = linalg.fill ins(%x : f32) outs(%e# : {T}) -> {T}
    bufferization.materialize_in_destination %f# in restrict writable %m
      : ({T}, {M}) -> ()""",
    "return",
)
NEW_TENSORS = Shape(
    "from_elements, generate, pad",
    "%r0: tensor<2xf32>",
    "tensor<2xf32>",
    6,
    """%r@ = tensor.from_elements %x, %x : tensor<2xf32>
    %b# = tensor.generate %n {
    ^bb0(%k: index):
      tensor.yield %x : f32
    } : tensor<?xf32>
    %p# = tensor.pad %b# low[1] high[%n] {
    ^bb0(%k: index):
      tensor.yield %x : f32
    } : tensor<?xf32> to tensor<?xf32>""",
    "return %r# : tensor<2xf32>",
)
ELEMENTWISE = Shape(
    "arith.addf on tensors",
    f"%t0: {T}",
    T,
    1,
    f"%t@ = arith.addf %t#, %t0 : {T}",
    f"return %t# : {T}",
)
TOSA = Shape(
    "tosa.add",
    f"%t0: {T}",
    T,
    1,
    f"%t@ = tosa.add %t#, %t0 : ({T}, {T}) -> {T}",
    f"return %t# : {T}",
)
CONCATENATIONS = Shape(
    "concat",
    f"%t: {T}",
    "",
    1,
    f"%c# = tensor.concat dim(0) %t, %t : ({T}, {T}) -> tensor<8xf32>",
    "return",
)
BRANCHES = Shape(
    "alloc in scf.if",
    f"%m: {M}",
    "",
    6,
    f"""%r# = scf.if %c -> ({M}) {{
      %a = memref.alloc() : {M}
      scf.yield %a : {M}
    }} else {{
      scf.yield %m : {M}
    }}
    memref.store %x, %r#[%i] : {M}""",
    "return",
)
LOOPS = Shape(
    "alloc in scf.for",
    f"%m: {M}",
    "",
    5,
    f"""scf.for %k = %i to %n step %n {{
      %a = memref.alloc() : {M}
      memref.store %x, %a[%k] : {M}
      memref.copy %a, %m : {M} to {M}
    }}""",
    "return",
)
SELECTED = Shape(
    "alloc, select",
    f"%s0: {M}",
    "",
    3,
    f"""%a# = memref.alloc() : {M}
    memref.store %x, %a#[%i] : {M}
    %s@ = arith.select %c, %s#, %a# : {M}""",
    f"memref.store %x, %s#[%i] : {M}\nreturn",
)
VIEWS = Shape(
    "subview, load, store",
    "%m: memref<?xf32>",
    "",
    3,
    f"""%v# = memref.subview %m[%i] [%i] [1] : memref<?xf32> to {V}
    memref.store %x, %v#[%i] : {V}
    %l# = memref.load %v#[%i] : {V}""",
    "return",
)
NESTED_VIEWS = Shape(
    "subview of subview",
    "%m: memref<?xf32>",
    "",
    1,
    f"%v@ = memref.subview %v#[%i] [%i] [1] : {V} to {V}",
    f"memref.store %x, %v#[%i] : {V}\nreturn",
    f"%v0 = memref.subview %m[%i] [%i] [1] : memref<?xf32> to {V}",
)
COPIES = Shape(
    "alloc, fill, copy, dealloc",
    f"%m: {M}",
    "",
    4,
    f"""%a# = memref.alloc() : {M}
    linalg.fill ins(%x : f32) outs(%a# : {M})
    memref.copy %a#, %m : {M} to {M}
    memref.dealloc %a# : {M}""",
    "return",
)
UNREAD = Shape(
    "alloc, copy of the one before",
    f"%a0: {M}",
    "",
    2,
    f"%a@ = memref.alloc() : {M}\nmemref.copy %a#, %a@ : {M} to {M}",
    "return",
)
MIXED = Shape(
    "ops of six dialects",
    f"%t0: {T}",
    T,
    8,
    f"""%k# = arith.constant dense<1.0> : {T}
    %p# = tensor.insert %x into %t#[%i] : {T}
    %s# = arith.select %c, %p#, %k# : {T}
    %a# = bufferization.alloc_tensor() copy(%s#) : {T}
    %l# = linalg.fill ins(%x : f32) outs(%a# : {T}) -> {T}
    %t@ = scf.if %c -> {T} {{
      scf.yield %l# : {T}
    }} else {{
      scf.yield %p# : {T}
    }}""",
    f"return %t# : {T}",
)

PARTIAL = ("arith", "tensor", "linalg", "scf", "bufferization", "func")
CASES = (
    ("eliminate-empty-tensors", INSERTIONS),
    ("eliminate-empty-tensors", MATERIALIZED),
    ("rewrite-in-destination-passing-style", NEW_TENSORS),
    ("convert-tensor-to-linalg", NEW_TENSORS),
    ("convert-elementwise-to-linalg", ELEMENTWISE),
    ("tosa-to-linalg", TOSA),
    ("decompose-tensor-concat", CONCATENATIONS),
    ("buffer-hoisting", BRANCHES),
    ("buffer-hoisting", SELECTED),
    ("buffer-loop-hoisting", LOOPS),
    ("promote-buffers-to-stack", LOOPS),
    ("fold-memref-alias-ops", VIEWS),
    ("fold-memref-alias-ops", NESTED_VIEWS),
    ("expand-strided-metadata", VIEWS),
    ("copy-removal", COPIES),
    ("remove-unread-buffers", UNREAD),
    ",".join(f"{dialect}-bufferize" for dialect in PARTIAL) + ",finalizing-bufferize",
)


def section(spent: Callable[[], bool], quick: bool = False) -> Iterator[str]:
    yield "\n## Other passes\n"
    yield (
        f"One pass on a function of {SIZES[1]:,} ops: its time, that of xDSL's parser,\n"
        f"and how many times longer the pass takes than on {SIZES[0]:,} ops.\n"
    )
    header = ("pass", "function of", "parse, s", "pass, s", "pass ÷ parse", "growth")
    yield from table(header, rows(spent, quick))


def rows(spent: Callable[[], bool], quick: bool) -> Iterator[tuple[str, ...]]:
    small, large = (100, 1_000) if quick else SIZES
    for case in CASES:
        if spent():
            return
        pipeline, shape = (case, MIXED) if isinstance(case, str) else case
        measure(pipeline, shape.make(WARM_UP))
        _, short = best(pipeline, shape.make(small), 3)
        parse, long = best(pipeline, shape.make(large), 2)
        name = "the partial passes" if isinstance(case, str) else f"`{pipeline}`"
        cells = (decimal(parse), decimal(long), ratio(long, parse), ratio(long, short))
        yield (name, shape.name, *cells)


def best(pipeline: str, text: str, runs: int) -> tuple[float, float]:
    """The least of several measurements, of the parser and of the passes."""
    parsed, passed = zip(*(measure(pipeline, text) for _ in range(runs)), strict=True)
    return min(parsed), min(passed)


def measure(pipeline: str, text: str) -> tuple[float, float]:
    """Processor seconds of the parser and of the passes."""
    passes = PassPipeline.parse_spec(Universe.get_multiverse().all_passes, pipeline)
    ctx = new_context()
    gc.collect()
    start = time.process_time()
    module = Parser(ctx, text).parse_module()
    parsed = time.process_time()
    gc.collect()
    collected = time.process_time()
    passes.apply(ctx, module)
    return parsed - start, time.process_time() - collected
