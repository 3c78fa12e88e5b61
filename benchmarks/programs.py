"""Programs of any size, one function a shape of program that stresses something else.

Each takes a number of units and returns MLIR text. What a unit is, is in its docstring.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

INDEX_CONSTANTS = """\
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
"""


def _module(functions: Iterable[str]) -> str:
    return "module {\n" + "".join(functions) + "}\n"


def _function(signature: str, body: Iterable[str]) -> str:
    return f"  func.func {signature} {{\n" + "".join(body) + "  }\n"


def insert_chain(n: int) -> str:
    """n tensor.insert, each into the result of the one before: all in place."""
    t = "tensor<64xf32>"

    def body() -> Iterable[str]:
        yield "    %0 = tensor.insert %f into %t[%i] : " + t + "\n"
        for k in range(1, n):
            yield f"    %{k} = tensor.insert %f into %{k - 1}[%i] : {t}\n"
        yield f"    return %{n - 1} : {t}\n"

    return _module([_function(f"@main(%t: {t}, %i: index, %f: f32) -> {t}", body())])


def slice_triples(n: int) -> str:
    """n times extract_slice, linalg.fill, insert_slice on one tensor: all in place."""
    t, s = "tensor<1024xf32>", "tensor<4xf32>"

    def body() -> Iterable[str]:
        last = "%t"
        for k in range(n):
            at = f"[{4 * (k % 256)}] [4] [1]"
            yield f"    %e{k} = tensor.extract_slice {last}{at} : {t} to {s}\n"
            yield f"    %f{k} = linalg.fill ins(%f : f32) outs(%e{k} : {s}) -> {s}\n"
            into = f"{last}{at} : {s} into {t}"
            yield f"    %i{k} = tensor.insert_slice %f{k} into {into}\n"
            last = f"%i{k}"
        yield f"    return {last} : {t}\n"

    return _module([_function(f"@main(%t: {t}, %f: f32) -> {t}", body())])


def perceptron(n: int) -> str:
    """n layers of 13 ops, those in bodies included: fill, matmul, bias and relu."""
    t, w, v = "tensor<8x16xf32>", "tensor<16x16xf32>", "tensor<16xf32>"
    row, column = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (j)>"
    loops = 'iterator_types = ["parallel", "parallel"]'

    def body() -> Iterable[str]:
        yield "    %zero = arith.constant 0.0 : f32\n"
        last = "%x"
        for k in range(n):
            yield (
                f"    %e{k} = tensor.empty() : {t}\n"
                f"    %z{k} = linalg.fill ins(%zero : f32) outs(%e{k} : {t}) -> {t}\n"
                f"    %m{k} = linalg.matmul ins({last}, %w : {t}, {w}) "
                f"outs(%z{k} : {t}) -> {t}\n"
                f"    %b{k} = linalg.generic {{indexing_maps = [{row}, {column}, {row}], "
                f"{loops}}} ins(%m{k}, %v : {t}, {v}) outs(%e{k} : {t}) {{\n"
                "    ^bb0(%p: f32, %q: f32, %r: f32):\n"
                "      %s = arith.addf %p, %q : f32\n"
                "      linalg.yield %s : f32\n"
                f"    }} -> {t}\n"
                f"    %a{k} = linalg.generic {{indexing_maps = [{row}, {row}], {loops}}} "
                f"ins(%b{k} : {t}) outs(%e{k} : {t}) {{\n"
                "    ^bb0(%p: f32, %r: f32):\n"
                "      %s = arith.maximumf %p, %zero : f32\n"
                "      linalg.yield %s : f32\n"
                f"    }} -> {t}\n"
            )
            last = f"%a{k}"
        yield f"    return {last} : {t}\n"

    return _module([_function(f"@main(%x: {t}, %w: {w}, %v: {v}) -> {t}", body())])


def loop_nests(n: int) -> str:
    """n nests of three scf.for over one tensor, reading and writing one element."""
    t = "tensor<8x8x8xf32>"

    def body() -> Iterable[str]:
        yield INDEX_CONSTANTS
        last = "%t"
        for k in range(n):
            yield (
                f"    %l{k} = scf.for %i = %c0 to %c8 step %c1 "
                f"iter_args(%a = {last}) -> ({t}) {{\n"
                "      %x = scf.for %j = %c0 to %c8 step %c1 "
                f"iter_args(%b = %a) -> ({t}) {{\n"
                "        %y = scf.for %k = %c0 to %c8 step %c1 "
                f"iter_args(%c = %b) -> ({t}) {{\n"
                f"          %e = tensor.extract %c[%i, %j, %k] : {t}\n"
                "          %m = arith.mulf %e, %e : f32\n"
                f"          %z = tensor.insert %m into %c[%i, %j, %k] : {t}\n"
                f"          scf.yield %z : {t}\n"
                "        }\n"
                f"        scf.yield %y : {t}\n"
                "      }\n"
                f"      scf.yield %x : {t}\n"
                "    }\n"
            )
            last = f"%l{k}"
        yield f"    return {last} : {t}\n"

    return _module([_function(f"@main(%t: {t}) -> {t}", body())])


def deep_loops(n: int) -> str:
    """One nest of n scf.for, the tensor passed down and back up."""
    t = "tensor<8xf32>"

    def body() -> Iterable[str]:
        yield INDEX_CONSTANTS
        last = "%t"
        for k in range(n):
            yield (
                f"    %l{k} = scf.for %i{k} = %c0 to %c8 step %c1 "
                f"iter_args(%a{k} = {last}) -> ({t}) {{\n"
            )
            last = f"%a{k}"
        yield f"    %w = tensor.insert %f into {last}[%c0] : {t}\n"
        last = "%w"
        for k in reversed(range(n)):
            yield f"    scf.yield {last} : {t}\n    }}\n"
            last = f"%l{k}"
        yield f"    return {last} : {t}\n"

    return _module([_function(f"@main(%t: {t}, %f: f32) -> {t}", body())])


def call_chain(n: int) -> str:
    """n functions, each writing to its argument and calling the one before it."""
    t = "tensor<64xf32>"
    signature = f"%t: {t}, %i: index, %f: f32"

    def functions() -> Iterable[str]:
        for k in range(n):
            write = f"    %0 = tensor.insert %f into %t[%i] : {t}\n"
            call = (
                f"    %1 = func.call @f{k - 1}(%0, %i, %f) : ({t}, index, f32) -> {t}\n"
                f"    return %1 : {t}\n"
            )
            end = call if k else f"    return %0 : {t}\n"
            yield _function(f"@f{k}({signature}) -> {t}", [write, end])

    return _module(functions())


def conflicts(n: int) -> str:
    """n writes to one tensor whose old contents are read afterwards: n copies."""
    t = "tensor<64xf32>"

    def body() -> Iterable[str]:
        for k in range(n):
            yield f"    %w{k} = tensor.insert %f into %t[%i] : {t}\n"
            yield f"    %r{k} = tensor.extract %w{k}[%j] : {t}\n"
        yield f"    %last = tensor.extract %t[%i] : {t}\n"
        yield "    %s0 = arith.addf %last, %r0 : f32\n"
        for k in range(1, n):
            yield f"    %s{k} = arith.addf %s{k - 1}, %r{k} : f32\n"
        yield f"    return %s{n - 1} : f32\n"

    signature = f"@main(%t: {t}, %i: index, %j: index, %f: f32) -> f32"
    return _module([_function(signature, body())])


def fan_out(n: int) -> str:
    """n reads of one tensor, then one write to it, which no read follows: in place."""
    t = "tensor<64xf32>"

    def body() -> Iterable[str]:
        yield f"    %r0 = tensor.extract %t[%i] : {t}\n"
        last = "%r0"
        for k in range(1, n):
            yield f"    %r{k} = tensor.extract %t[%i] : {t}\n"
            yield f"    %s{k} = arith.addf {last}, %r{k} : f32\n"
            last = f"%s{k}"
        yield f"    %w = tensor.insert {last} into %t[%i] : {t}\n"
        yield f"    return %w : {t}\n"

    return _module([_function(f"@main(%t: {t}, %i: index) -> {t}", body())])


def branches(n: int) -> str:
    """n scf.if in a row, each writing to the tensor in one branch only."""
    t = "tensor<64xf32>"

    def body() -> Iterable[str]:
        last = "%t"
        for k in range(n):
            yield (
                f"    %b{k} = scf.if %p -> ({t}) {{\n"
                f"      %w = tensor.insert %f into {last}[%i] : {t}\n"
                f"      scf.yield %w : {t}\n"
                "    } else {\n"
                f"      scf.yield {last} : {t}\n"
                "    }\n"
            )
            last = f"%b{k}"
        yield f"    return {last} : {t}\n"

    signature = f"@main(%t: {t}, %i: index, %f: f32, %p: i1) -> {t}"
    return _module([_function(signature, body())])


def transformer_blocks(n: int) -> str:
    """n blocks of 26 ops, those in bodies included: attention scores, a row-wise softmax,
    the weighted values, a residual, and a feed-forward layer with relu."""
    t, s, v = "tensor<32x64xf32>", "tensor<32x32xf32>", "tensor<32xf32>"
    w = "tensor<64x64xf32>"
    full, row = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (i)>"
    parallel = 'iterator_types = ["parallel", "parallel"]'

    def matmul(name: str, left: str, right: str, types: str, to: str) -> Iterable[str]:
        yield f"    %{name}e = tensor.empty() : {to}\n"
        yield (
            f"    %{name}z = linalg.fill ins(%zero : f32) outs(%{name}e : {to}) -> {to}\n"
        )
        yield (
            f"    %{name} = linalg.matmul ins({left}, {right} : {types}) "
            f"outs(%{name}z : {to}) -> {to}\n"
        )

    def reduced(name: str, source: str, combiner: str, start: str) -> Iterable[str]:
        yield f"    %{name}e = tensor.empty() : {v}\n"
        yield (
            f"    %{name}z = linalg.fill ins({start} : f32) outs(%{name}e : {v}) -> {v}\n"
        )
        yield (
            f"    %{name} = linalg.reduce {{ {combiner} }} ins({source} : {s}) "
            f"outs(%{name}z : {v}) dimensions = [1]\n"
        )

    def body() -> Iterable[str]:
        yield "    %zero = arith.constant 0.0 : f32\n"
        yield "    %low = arith.constant -1.0e+30 : f32\n"
        last = "%input"
        for k in range(n):
            yield f"    %kt{k}e = tensor.empty() : tensor<64x32xf32>\n"
            yield (
                f"    %kt{k} = linalg.transpose ins({last} : {t}) "
                f"outs(%kt{k}e : tensor<64x32xf32>) permutation = [1, 0]\n"
            )
            yield from matmul(f"s{k}", last, f"%kt{k}", f"{t}, tensor<64x32xf32>", s)
            yield from reduced(f"m{k}", f"%s{k}", "arith.maximumf", "%low")
            yield (
                f"    %p{k} = linalg.generic {{indexing_maps = [{row}, {full}], "
                f"{parallel}}} ins(%m{k} : {v}) outs(%s{k} : {s}) {{\n"
                "    ^bb0(%m: f32, %x: f32):\n"
                "      %d = arith.subf %x, %m : f32\n"
                "      %e = math.exp %d : f32\n"
                "      linalg.yield %e : f32\n"
                f"    }} -> {s}\n"
            )
            yield from reduced(f"d{k}", f"%p{k}", "arith.addf", "%zero")
            yield (
                f"    %a{k} = linalg.generic {{indexing_maps = [{row}, {full}], "
                f"{parallel}}} ins(%d{k} : {v}) outs(%p{k} : {s}) {{\n"
                "    ^bb0(%d: f32, %x: f32):\n"
                "      %q = arith.divf %x, %d : f32\n"
                "      linalg.yield %q : f32\n"
                f"    }} -> {s}\n"
            )
            yield from matmul(f"v{k}", f"%a{k}", last, f"{s}, {t}", t)
            yield f"    %re{k} = tensor.empty() : {t}\n"
            yield (
                f"    %r{k} = linalg.add ins(%v{k}, {last} : {t}, {t}) "
                f"outs(%re{k} : {t}) -> {t}\n"
            )
            yield from matmul(f"f{k}", f"%r{k}", "%w", f"{t}, {w}", t)
            yield (
                f"    %o{k} = linalg.map ins(%f{k} : {t}) outs(%re{k} : {t}) "
                "(%x: f32, %out: f32) {\n"
                "      %y = arith.maximumf %x, %zero : f32\n"
                "      linalg.yield %y : f32\n"
                "    }\n"
            )
            last = f"%o{k}"
        yield f"    return {last} : {t}\n"

    return _module([_function(f"@main(%input: {t}, %w: {w}) -> {t}", body())])


def large_module(n: int) -> str:
    """n functions of 4,000 ops each: 1,000 times extract_slice, linalg.fill, extract and
    insert_slice on one tensor."""
    t, s = "tensor<1024xf32>", "tensor<4xf32>"

    def body() -> Iterable[str]:
        last = "%t"
        for k in range(1000):
            at = f"[{4 * (k % 256)}] [4] [1]"
            yield f"    %e{k} = tensor.extract_slice {last}{at} : {t} to {s}\n"
            yield f"    %f{k} = linalg.fill ins(%f : f32) outs(%e{k} : {s}) -> {s}\n"
            yield f"    %x{k} = tensor.extract %f{k}[%i] : {s}\n"
            into = f"{last}{at} : {s} into {t}"
            yield f"    %i{k} = tensor.insert_slice %f{k} into {into}\n"
            last = f"%i{k}"
        yield f"    return {last} : {t}\n"

    signature = f"(%t: {t}, %f: f32, %i: index) -> {t}"
    return _module(_function(f"@f{k}{signature}", body()) for k in range(n))


def scalar_code(n: int) -> str:
    """n times load, multiply, add, store: code on memrefs, as it is before the LLVM
    dialect."""
    m = "memref<64xf32>"

    def body() -> Iterable[str]:
        for k in range(n):
            yield f"    %a{k} = memref.load %m[%i] : {m}\n"
            yield f"    %b{k} = arith.mulf %a{k}, %f : f32\n"
            yield f"    %c{k} = arith.addf %b{k}, %a{k} : f32\n"
            yield f"    memref.store %c{k}, %m[%j] : {m}\n"
        yield "    return\n"

    signature = f"@main(%m: {m}, %i: index, %j: index, %f: f32)"
    return _module([_function(signature, body())])


PROGRAMS: dict[str, Callable[[int], str]] = {
    "insert chain": insert_chain,
    "slice triples": slice_triples,
    "perceptron layers": perceptron,
    "transformer blocks": transformer_blocks,
    "loop nests": loop_nests,
    "nested loops": deep_loops,
    "calls": call_chain,
    "branches": branches,
    "fan-out": fan_out,
    "conflicts": conflicts,
    "large module": large_module,
    "scalar code": scalar_code,
}
"""By what tables call them."""
