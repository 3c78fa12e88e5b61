"""Broken programs: what our passes say to them must be a diagnostic.

Three sorts, from a seed each:

- a random program in which tokens were dropped, doubled, exchanged or replaced (by other
  numbers, types, ops and attributes of the program), or that was cut off;
- programs that are valid and absurd: nested a few hundred deep, of rank 60, of sizes that
  do not fit into memory, without any op, with thousands of results;
- options that make no sense.

Each is parsed, verified and sent through one of our pipelines.

    python -m tests.robustness.broken --seed 0 --count 5000
"""

from __future__ import annotations

import argparse
import re
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

from xdsl.utils.exceptions import (
    ArgSpecParseError,
    DiagnosticException,
    ParseError,
)

from tests.oracle.tools import parse, run_passes
from tests.random_programs.program import random_program
from xdsl_bufferization.large_programs import large_programs

BUFFERIZE = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}"
)
PIPELINES = (
    f"{BUFFERIZE},buffer-deallocation-pipeline,lower-to-llvm-pipeline",
    f"verify-bufferization{{bufferize-function-boundaries}},{BUFFERIZE},"
    "buffer-deallocation-pipeline{private-function-dynamic-ownership},"
    "verify-deallocation",
    "eliminate-empty-tensors,one-shot-bufferize,buffer-deallocation-pipeline",
    f"{BUFFERIZE},buffer-results-to-out-params,drop-equivalent-buffer-results,"
    "buffer-hoisting,buffer-loop-hoisting,promote-buffers-to-stack,"
    "ownership-based-buffer-deallocation,canonicalize",
    "convert-elementwise-to-linalg,convert-tensor-to-linalg,"
    f"{BUFFERIZE},expand-strided-metadata,convert-linalg-to-loops",
    "linalg-bufferize,tensor-bufferize,scf-bufferize,arith-bufferize,func-bufferize,"
    "finalizing-bufferize,buffer-deallocation",
    "one-shot-bufferize{allow-unknown-ops},fold-memref-alias-ops,remove-unread-buffers",
    f"{BUFFERIZE},convert-linalg-to-loops,convert-scf-to-cf,"
    "ownership-based-buffer-deallocation,bufferization-lower-deallocations",
)
OWN_CODE = "/xdsl_bufferization/"
XDSL_LEXER = "in _lex_string_literal"
"""It takes for ever where a quotation mark has no end."""
MOST_SECONDS = 30
MOST_MEMORY = 4 << 30

_TOKEN = re.compile(
    r"%[\w#]+|\^\w+|@\w+|#?\w+(?:\.\w+)+|tensor<[^<>]*>|memref<[^<>]*>|"
    r"vector<[^<>]*>|-?\d+|\w+|->|[^\s\w]"
)
_NUMBERS = (
    "0",
    "1",
    "-1",
    "7",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
)
_TYPES = (
    *("index", "i1", "i32", "f32", "i64", "none", "complex<f32>", "vector<4xi32>"),
    *("tensor<?xi32>", "tensor<*xi32>", "tensor<0xi32>", "tensor<i32>", "tensor<4xf32>"),
    *("memref<?xi32>", "memref<4xi32, strided<[?], offset: ?>>", "memref<*xi32>"),
    *("tensor<1000000000x1000000000xi32>", "() -> ()", "tensor<4x!unknown.type>"),
)


def broken_program(random: Random) -> str:
    """A random program with a few faults in its text."""
    text = random_program(random.randrange(1 << 30)).text
    if random.random() < 0.08:
        return text[: random.randrange(len(text))]
    tokens = list(_TOKEN.finditer(text))
    if random.random() < 0.6:
        # Numbers and values: what is not found out by the parser.
        telling = [t for t in tokens if re.fullmatch(r"-?\d+|%\w+", t.group())]
        tokens = telling or tokens
    edits: list[tuple[int, int, str]] = []
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        token = random.choice(tokens)
        edits.append((*token.span(), _instead(token.group(), tokens, random)))
    for start, end, instead in sorted(edits, reverse=True):
        text = text[:start] + instead + text[end:]
    return text


def _instead(token: str, tokens: list[re.Match[str]], random: Random) -> str:
    """What to put in the place of a token: most often something of its kind."""
    way = random.random()
    if way < 0.03:
        return ""
    if way < 0.05:
        return f"{token} {token}"
    if way < 0.08:
        return random.choice(tokens).group()
    if re.fullmatch(r"-?\d+", token):
        return random.choice(_NUMBERS)
    if token.startswith(("tensor<", "memref<", "vector<")) or token in _TYPES:
        return random.choice(_TYPES)
    kind = token[0] if token[0] in "%^@" else "." if "." in token else "w"

    def same_kind(other: str) -> bool:
        return (other[0] if other[0] in "%^@" else "." if "." in other else "w") == kind

    alike = [other.group() for other in tokens if same_kind(other.group())]
    return random.choice(alike)


# Valid, and absurd.


def _nested(open_: str, close: str) -> Callable[[Random], str]:
    def program(random: Random) -> str:
        depth = random.choice((50, 150, 300))
        return (
            "func.func @f(%t: tensor<?xi32>, %c: i1, %i: index, %x: i32) "
            "-> tensor<?xi32> {\n"
            + "".join(open_.replace("$n", str(n)) + "\n" for n in range(depth))
            + "%w = tensor.insert %x into %t[%i] : tensor<?xi32>\n"
            + "".join(close.replace("$n", str(n)) + "\n" for n in reversed(range(depth)))
            + "return %t : tensor<?xi32>\n}\n"
        )

    return program


def _many_results(random: Random) -> str:
    count = random.choice((50, 200))
    types = ", ".join(["tensor<4xi32>"] * count)
    values = ", ".join(["%t"] * count)
    return (
        f"func.func private @g(%t: tensor<4xi32>) -> ({types}) {{\n"
        f"return {values} : {types}\n}}\n"
        f"func.func @f(%t: tensor<4xi32>) {{\n"
        f"%r:{count} = call @g(%t) : (tensor<4xi32>) -> ({types})\nreturn\n}}\n"
    )


def _of_rank(random: Random) -> str:
    rank = random.choice((20, 60))
    type_ = f"tensor<{'1x' * rank}i32>"
    zeros = ", ".join(["%i"] * rank)
    return (
        f"func.func @f(%t: {type_}, %i: index, %x: i32) -> {type_} {{\n"
        f"%0 = tensor.insert %x into %t[{zeros}] : {type_}\n"
        f"%1 = linalg.fill ins(%x : i32) outs(%t : {type_}) -> {type_}\n"
        f"return %0 : {type_}\n}}\n"
    )


def _huge(random: Random) -> str:
    type_ = random.choice(
        (
            "tensor<9223372036854775807xi32>",
            "tensor<4294967296x4294967296xi32>",
            "tensor<0x?x0xi32>",
            "tensor<1000000000000xi1>",
        )
    )
    dynamic = ", ".join(["%i"] * type_.count("?"))
    return (
        f"func.func @f(%x: i32, %y: i1, %i: index) -> {type_} {{\n"
        f"%e = tensor.empty({dynamic}) : {type_}\n"
        f"%c = bufferization.alloc_tensor() copy(%e) : {type_}\n"
        f"return %c : {type_}\n}}\n"
    )


def _many_blocks(random: Random) -> str:
    count = random.choice((100, 600))
    lines = ["func.func @f(%t: tensor<4xi32>, %c: i1, %i: index, %x: i32) {", "cf.br ^b0"]
    for number in range(count):
        other = random.randrange(count)
        lines += [
            f"^b{number}:",
            f"%v{number} = tensor.insert %x into %t[%i] : tensor<4xi32>",
            f"cf.cond_br %c, ^b{min(number + 1, count - 1)}, ^b{other}",
        ]
    return "\n".join([*lines, "}", ""])


def _calls_itself(random: Random) -> str:
    count = random.choice((2, 40))
    return "".join(
        f"func.func @f{n}(%t: tensor<4xi32>) -> tensor<4xi32> {{\n"
        f"%0 = call @f{(n + 1) % count}(%t) : (tensor<4xi32>) -> tensor<4xi32>\n"
        f"return %0 : tensor<4xi32>\n}}\n"
        for n in range(count)
    )


ABSURD: tuple[Callable[[Random], str], ...] = (
    _nested("scf.if %c {", "}"),
    _nested("scf.execute_region {", "scf.yield }"),
    _nested(
        "%c$n = arith.constant 1 : index\nscf.for %i$n = %c$n to %i step %c$n {", "}"
    ),
    _many_results,
    _of_rank,
    _huge,
    _many_blocks,
    _calls_itself,
    lambda random: "",
    lambda random: "module {}",
    lambda random: "func.func private @f()",
    lambda random: "module { module { func.func @f(%t: tensor<*xi32>) { return } } }",
    lambda random: '"builtin.module"() ({}) : () -> ()',
    lambda random: '"func.func"() : () -> ()',
)

OPTIONS = (
    "one-shot-bufferize{bufferize-function-boundaries=maybe}",
    "one-shot-bufferize{no-such-option}",
    "one-shot-bufferize{buffer-alignment=-3 bufferize-function-boundaries}",
    "one-shot-bufferize{buffer-alignment=x}",
    "one-shot-bufferize{analysis-heuristic=best}",
    "one-shot-bufferize{analysis-fuzzer-seed=99999999999999999999 "
    "analysis-heuristic=fuzzer bufferize-function-boundaries}",
    "one-shot-bufferize{function-boundary-type-conversion=none}",
    "one-shot-bufferize{copy-before-write test-analysis-only}",
    "one-shot-bufferize{dialect-filter=nothing,tensor,,}",
    "one-shot-bufferize{no-analysis-func-filter=nobody bufferize-function-boundaries}",
    "buffer-deallocation-pipeline{alloc-ops=memref.load dealloc-op=memref.store}",
    "buffer-deallocation-pipeline{dealloc-op=no.such}",
    "promote-buffers-to-stack{max-alloc-size-in-bytes=-1}",
    "promote-buffers-to-stack{max-rank-of-allocated-memref=99999999999999999999}",
    "bufferization-lower-deallocations{dealloc-op=arith.addi}",
    "convert-to-llvm{index-bitwidth=0}",
    "convert-to-llvm{index-bitwidth=7}",
    "verify-bufferization{copy-before-write bufferize-function-boundaries}",
    "verify-deallocation{allow-undecided=2}",
)


class TooLong(Exception):
    """It took more time than it may."""


@contextmanager
def _limited() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooLong(f"no answer within {MOST_SECONDS} s")

    before = signal.signal(signal.SIGPROF, stop)
    limits = resource.getrlimit(resource.RLIMIT_AS)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, limits[1]))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, limits)
        signal.signal(signal.SIGPROF, before)


def answer(text: str, pipeline: str) -> tuple[str, str]:
    """How far a program gets, and what is wrong about the answer, if anything is."""
    stage = "parsing"
    try:
        # xDSL's parser and verifier recurse over nested regions.
        with _limited(), large_programs():
            context, module = parse(text)
            stage = "passes"
            run_passes(context, module, pipeline)
    except (DiagnosticException, ParseError, ArgSpecParseError) as error:
        what = "" if str(error).strip() else "a diagnostic without a text"
        return f"refused by {stage}", what
    except Exception as error:
        trace = traceback.format_exc()
        place = traceback.extract_tb(error.__traceback__)[-1].filename
        if stage == "parsing" and (OWN_CODE not in place or XDSL_LEXER in trace):
            return "crash of xDSL's parser", ""
        return f"crash in {stage}", trace
    return "accepted", ""


def case(seed: int) -> tuple[str, str]:
    """The program and the pipeline of a seed."""
    random = Random(seed)
    kind = seed % 20
    if kind == 0:
        return random_program(seed).text, random.choice(OPTIONS)
    if kind == 1:
        return random.choice(ABSURD)(random), random.choice(PIPELINES)
    return broken_program(random), random.choice(PIPELINES)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.robustness.broken")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--show", action="store_true", help="print the program")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    start, slowest = time.process_time(), 0.0
    for seed in range(options.seed, options.seed + options.count):
        text, pipeline = case(seed)
        if options.show:
            sys.stdout.write(f"// {pipeline}\n{text}")
        before = time.process_time()
        how, wrong = answer(text, pipeline)
        slowest = max(slowest, time.process_time() - before)
        counts[how] += 1
        if wrong:
            sys.stdout.write(f"seed {seed}: {pipeline}\n{wrong}\n")
            sys.stdout.flush()
    for how, count in sorted(counts.items()):
        sys.stdout.write(f"{count} {how}\n")
    taken = time.process_time() - start
    sys.stdout.write(f"{taken:.0f} seconds, the slowest {slowest:.1f}\n")


if __name__ == "__main__":
    main()
