"""compile(): what it takes, and what it says when it cannot."""

from __future__ import annotations

import gc
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException, ParseError, PassFailedException

from tests.jit.programs import LOWER, SUM, lower
from xdsl_bufferization import jit, parse
from xdsl_bufferization.universe import new_context

SMALL = "func.func @answer() -> i32 { %c = arith.constant 42 : i32  return %c : i32 }"


def test_text(tmp_path: Path) -> None:
    assert jit.compile(SMALL, LOWER).answer() == 42


def test_path(tmp_path: Path) -> None:
    path = tmp_path / "answer.mlir"
    path.write_text(SMALL)
    assert jit.compile(path, LOWER).answer() == 42
    assert jit.compile(str(path), LOWER).answer() == 42


@pytest.mark.parametrize("text", ["", " \n", "// RUN: nothing\n  // more\n"])
def test_empty_text_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "empty.mlir"
    path.write_text(text)
    with pytest.raises(PassFailedException, match="<text>: the program is empty"):
        jit.compile(text)
    with pytest.raises(PassFailedException, match=r"empty\.mlir: the program is empty"):
        jit.compile(path)
    with pytest.raises(PassFailedException, match="<text>: the program is empty"):
        parse(text)


def test_module_is_left_as_it_was() -> None:
    module = Parser(new_context(), SMALL).parse_module()
    before = str(module)
    assert jit.compile(module, LOWER).answer() == 42
    assert str(module) == before


@pytest.mark.parametrize(
    "source",
    [
        "module {}",
        "func.func private @f() { return }",
        "func.func @f(%v: vector<4xf32>) -> vector<4xf32> { return %v : vector<4xf32> }",
        'memref.global "private" constant @g : memref<0xf32> = dense<>',
    ],
)
@pytest.mark.parametrize("count", [False, True])
def test_module_without_a_function_that_python_can_call(source: str, count: bool) -> None:
    module = jit.compile(source, count=count)
    with pytest.raises(jit.NoSuchFunction):
        module["f"]


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_every_optimisation_level(level: int) -> None:
    array = np.ones((30, 40), "f")
    assert lower(SUM, opt_level=level).sum(array) == 1200


@pytest.mark.parametrize(
    ("type", "literal", "expected"),
    [
        ("complex<f64>", "(1.0, 2.0)", 1 + 2j),
        ("f16", "-1.5", -1.5),
        ("index", "-3", -3),
        ("i1", "true", True),
        ("i8", "0", 0),
    ],
)
def test_large_constants_of_equal_elements(
    type: str, literal: str, expected: object
) -> None:
    constant = f"tensor<1025x1024x{type}>"
    text = f"""
    func.func @last() -> ({type}, {type}) {{
      %i = arith.constant 1024 : index
      %j = arith.constant 1023 : index
      %o = arith.constant 0 : index
      %0 = arith.constant dense<{literal}> : {constant}
      %1 = tensor.extract %0[%o, %o] : {constant}
      %2 = tensor.extract %0[%i, %j] : {constant}
      return %1, %2 : {type}, {type}
    }}"""
    for level in (0, 2):
        assert jit.compile(text, opt_level=level).last() == (expected, expected)


def test_stages_are_timed() -> None:
    module = jit.compile(SMALL, LOWER)
    assert list(module.seconds)[:4] == ["parse", *LOWER.split(","), "translate"]
    assert all(seconds >= 0 for seconds in module.seconds.values())


@pytest.mark.parametrize(
    "source, pipeline, message",
    [
        ("missing.mlir", LOWER, "cannot read missing.mlir: No such file"),
        (SMALL, "no-such-pass", "pipeline 'no-such-pass': .*no-such-pass"),
        (SMALL, "convert-to-llvm{", "pipeline 'convert-to-llvm{': "),
        (SMALL, "canonicalize", "'func.func' in @answer is left.*default pipeline is"),
        (
            "func.func private @nowhere(i32) func.func @f(%x: i32) "
            "{ call @nowhere(%x) : (i32) -> ()  return }",
            LOWER,
            r"calls 'nowhere', which is not defined. Pass compile\(..., functions=",
        ),
        (
            "func.func @f(%x: index) -> index { return %x : index }",
            "convert-to-llvm{index-bitwidth=32}",
            r"f: the pipeline gave it the LLVM type i32 \(i32\); .*64-bit indices",
        ),
    ],
)
def test_what_cannot_be_compiled(source: str, pipeline: str, message: str) -> None:
    with pytest.raises(DiagnosticException, match=message):
        jit.compile(source, pipeline)


def test_syntax_error() -> None:
    with pytest.raises(ParseError):
        jit.compile("func.func @f(", LOWER)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"source": 42}, "cannot compile 42 of type int; expected a ModuleOp, MLIR text"),
        ({"source": b"func.func @f()"}, "cannot compile b'func.* of type bytes"),
        ({"source": None}, "cannot compile None"),
        (
            {"pipeline": 42},
            "pipeline is 42; expected text .* or a sequence of ModulePass",
        ),
        ({"pipeline": ["cse"]}, r"pipeline is \['cse'\]; expected text"),
        ({"pipeline": []}, r"pipeline is \[\]; expected text"),
        ({"count": "yes"}, "count is 'yes'; it must be True or False"),
        ({"functional": 1}, "functional is 1; it must be True or False"),
        (
            {"plan_memory": "argument"},
            "plan_memory is 'argument'; it must be True or False. For an arena from the "
            "caller, or on the stack, plan in the pipeline: "
            "'bufferization-pipeline{plan-memory arena=argument},lower-to-llvm-pipeline'",
        ),
        ({"functions": [print]}, "functions is .*; expected a mapping"),
        ({"context": 3}, "context is 3; expected a Context"),
    ],
)
def test_wrong_options(options: dict[str, object], message: str) -> None:
    given = {"source": SMALL, "pipeline": LOWER, **options}
    with pytest.raises(DiagnosticException, match=message):
        jit.compile(**given)  # type: ignore[arg-type]


def test_source_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "binary.mlir"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(DiagnosticException, match=r"cannot read .*: it is no text"):
        jit.compile(path, LOWER)
    with pytest.raises(DiagnosticException, match=r"cannot read .*: Is a directory"):
        jit.compile(tmp_path, LOWER)


def test_optimisation_level_is_checked() -> None:
    with pytest.raises(DiagnosticException, match="opt_level is 4; it must be 0, 1, 2"):
        jit.compile(SMALL, LOWER, opt_level=4)


def test_functions_named_as_those_of_c() -> None:
    """Such names are free in MLIR, and LLVM must not mistake one for the other."""
    module = jit.compile(
        """
        func.func @memcpy(%x: memref<?xi8>) -> memref<?xi8> {
          %c0 = arith.constant 0 : index
          %n = memref.dim %x, %c0 : memref<?xi8>
          %m = memref.alloc(%n) : memref<?xi8>
          memref.copy %x, %m : memref<?xi8> to memref<?xi8>
          return %m : memref<?xi8>
        }
        func.func @free(%n: index) -> memref<?xi8> {
          %m = memref.alloc(%n) : memref<?xi8>
          return %m : memref<?xi8>
        }
        func.func @cosf(%x: f32) -> f32 {
          %y = func.call @exp2(%x) : (f32) -> f32
          %z = math.sin %y : f32
          return %z : f32
        }
        func.func @exp2(%x: f32) -> f32 { return %x : f32 }
        """,
        LOWER,
    )
    array = np.arange(100, dtype="i1")
    np.testing.assert_array_equal(module.memcpy(array), array)
    assert module.free(3).shape == (3,)
    assert module.cosf(0.5) == pytest.approx(np.sin(0.5))


def test_many_threads_compile_and_call() -> None:
    def compile_and_call(number: int) -> int:
        module = jit.compile(SMALL.replace("42", str(number)), LOWER)
        return module.answer()

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(compile_and_call, range(40))) == list(range(40))


def test_many_threads_call_one_module() -> None:
    module = lower(SUM, count=True)

    def call(number: int) -> float:
        return module.sum(np.full((50, 50), number, "f"))

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(call, range(200))) == [2500 * n for n in range(200)]


def test_dependencies_are_named_when_missing() -> None:
    code = (
        "import sys; sys.modules['llvmlite'] = None\n"
        "import xdsl_bufferization\n"
        "try:\n    import xdsl_bufferization.jit\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "needs llvmlite" in done.stdout
    assert "pip install 'xdsl-bufferization[jit]'" in done.stdout


def test_nothing_heavy_is_imported_with_the_package() -> None:
    code = (
        "import sys, xdsl_bufferization.universe\n"
        "print({'numpy', 'llvmlite'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"


def test_modules_die_in_any_order() -> None:
    """Also when the garbage collector finds them, and with an error half-way."""
    results = []
    for number in range(20):
        module = jit.compile(SMALL, LOWER)
        cycle: list[object] = [module, module.answer]
        cycle.append(cycle)
        if number % 2:
            results.append(module.answer)
        with pytest.raises(DiagnosticException) as error:
            jit.compile(
                "func.func private @nowhere() func.func @f() "
                "{ call @nowhere() : () -> () return }",
                LOWER,
            )
        cycle.append(error)
        del module, cycle, error
    gc.collect()
    assert [function() for function in results] == [42] * 10


def test_loops_over_tensor_arguments_do_not_ask_whether_they_overlap() -> None:
    program = """
        #id = affine_map<(i) -> (i)>
        func.func @f(%a: tensor<2000xf64>, %b: tensor<2000xf64>, %c: tensor<2000xf64>)
            -> tensor<2000xf64> {
          %r = linalg.generic {indexing_maps = [#id, #id, #id],
                               iterator_types = ["parallel"]}
              ins(%a, %b : tensor<2000xf64>, tensor<2000xf64>)
              outs(%c : tensor<2000xf64>) {
            ^bb0(%x: f64, %y: f64, %z: f64):
              %p = arith.mulf %x, %y : f64
              %q = arith.addf %p, %z : f64
              linalg.yield %q : f64
          } -> tensor<2000xf64>
          return %r : tensor<2000xf64>
        }
    """
    dense = "function-boundary-type-conversion=identity-layout-map"
    pipeline = f"tensor-to-llvm-pipeline{{{dense}}}"
    by_hand = (
        f"one-shot-bufferize{{bufferize-function-boundaries {dense}}},"
        "buffer-deallocation-pipeline,lower-to-llvm-pipeline"
    )
    branches = [
        jit.compile(program, passes).llvm_ir.count("br i1")
        for passes in (by_hand, pipeline)
    ]
    assert branches[1] < branches[0]
