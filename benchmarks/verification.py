"""What it takes to verify ops of the dialects that this package refines.

A process with this package and one without it parse the same program of 20,000 ops
or more and verify it several times; the quickest time counts. In the process with this
package its definitions are in use, as they are when one of its passes runs.
"""

from __future__ import annotations

import statistics
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.startup import COMMAND, installations

OPS = 20_000

VERIFY = """
import gc, sys, time
from xdsl.parser import Parser
from xdsl.xdsl_opt_main import xDSLOptMain
ctx = xDSLOptMain(args=["-"]).ctx
if "xdsl_bufferization" in sys.modules:
    sys.modules["xdsl_bufferization.guest"].take_over()
module = Parser(ctx, sys.stdin.read()).parse_module()
module.verify()
gc.disable()
times = []
for _ in range(5):
    start = time.process_time()
    module.verify()
    times.append(time.process_time() - start)
print(min(times), sum(1 for _ in module.walk()))
"""

MAP = "affine_map<(d0, d1) -> (d0, d1)>"
M, V = "memref<4x4xf32>", "memref<2x2xf32, strided<[4, 1], offset: ?>>"
T, U = "tensor<4x4xf32>", "tensor<2x2xf32>"
ARGUMENTS = f"%a: {M}, %b: {M}, %t: {T}, %i: index, %x: f32, %n: i64, %p: !llvm.ptr"

UNITS = {
    # six ops, those in bodies included, that repeat: # is the number of the repetition
    "linalg": f"""
    linalg.fill ins(%x : f32) outs(%a : {M})
    linalg.matmul ins(%a, %a : {M}, {M}) outs(%b : {M})
    linalg.generic {{
      indexing_maps = [{MAP}, {MAP}],
      iterator_types = ["parallel", "parallel"]
    }} ins(%a : {M}) outs(%b : {M}) {{
    ^bb0(%u: f32, %v: f32):
      linalg.yield %u : f32
    }}""",
    "memref": f"""
    %m# = memref.alloc() : {M}
    %v# = memref.subview %m#[%i, %i] [2, 2] [1, 1] : {M} to {V}
    %l# = memref.load %v#[%i, %i] : {V}
    memref.store %l#, %m#[%i, %i] : {M}
    %d# = memref.dim %m#, %i : {M}
    memref.dealloc %m# : {M}""",
    "tensor": f"""
    %e# = tensor.empty() : {T}
    %s# = tensor.extract_slice %t[%i, %i] [2, 2] [1, 1] : {T} to {U}
    %r# = tensor.insert_slice %s# into %e#[%i, %i] [2, 2] [1, 1] : {U} into {T}
    %l# = tensor.extract %r#[%i, %i] : {T}
    %w# = tensor.insert %l# into %r#[%i, %i] : {T}
    %d# = tensor.dim %w#, %i : {T}""",
    "arith, scf": """
    %s# = scf.for %j# = %i to %i step %i iter_args(%y# = %x) -> (f32) {
      %f# = arith.addf %y#, %x : f32
      scf.yield %f# : f32
    }
    %k# = arith.addi %n, %n : i64
    %c# = arith.cmpi slt, %k#, %n : i64
    %z# = arith.select %c#, %k#, %n : i64""",
    "llvm": """
    %k# = llvm.mlir.constant(1 : i64) : i64
    %q# = llvm.getelementptr %p[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %l# = llvm.load %q# : !llvm.ptr -> f32
    %f# = llvm.fmul %l#, %l# : f32
    llvm.store %f#, %q# : f32, !llvm.ptr
    %z# = llvm.add %k#, %n : i64""",
}


@dataclass(frozen=True)
class Verification:
    """Medians of processor seconds for one verification of the whole program."""

    dialect: str
    ops: int
    alone: float
    with_us: float

    @property
    def ratio(self) -> float:
        return self.with_us / self.alone


def program(unit: str) -> str:
    repetitions = OPS // 6
    body = "".join(unit.replace("#", str(n)) for n in range(repetitions))
    return f"func.func @f({ARGUMENTS}) {{{body}\n    func.return\n}}\n"


def measure(dialect: str, runs: int) -> Verification:
    text = program(UNITS[dialect])
    times: list[list[float]] = [[], []]
    ops = 0
    with installations() as environments:
        for _ in range(runs):
            for taken, environment in zip(times, environments, strict=True):
                done = subprocess.run(
                    [*COMMAND[:-1], VERIFY],
                    input=text,
                    env=environment,
                    check=True,
                    capture_output=True,
                    text=True,
                )
                seconds, count = done.stdout.split()
                taken.append(float(seconds))
                ops = int(count)
    return Verification(dialect, ops, *map(statistics.median, times))


def section(runs: int) -> Iterator[str]:
    yield "\n## Verification\n"
    yield (
        "One verification of a program of ops of a dialect that this package\n"
        "refines, by xDSL alone and with the definitions of this package in use: times\n"
        f"in milliseconds, medians of {runs} processes each, in turns.\n"
    )
    yield "| dialect | ops | xDSL alone | with this package | ratio |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for dialect in UNITS:
        taken = measure(dialect, runs)
        yield (
            f"| {taken.dialect} | {taken.ops:,} | {1000 * taken.alone:.0f} | "
            f"{1000 * taken.with_us:.0f} | {taken.ratio:.2f} |"
        )


if __name__ == "__main__":
    for line in section(5):
        print(line)
