"""Programs whose sizes do not fit: an exception, and nothing is written outside."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.jit.programs import MATMUL
from xdsl_bufferization import jit
from xdsl_bufferization.jit.stages import BEFORE_CHECKS
from xdsl_bufferization.pipelines import BufferizationPipeline

ROOT = Path(__file__).parent.parent.parent

PROGRAM = (
    MATMUL
    + """
func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>)
                  outs(%a : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @extract(%a: tensor<?xf32>, %i: index) -> f32 {
  %0 = tensor.extract %a[%i] : tensor<?xf32>
  return %0 : f32
}
func.func @insert(%a: tensor<?x?xf32>, %i: index, %j: index, %x: f32) -> tensor<?x?xf32> {
  %0 = tensor.insert %x into %a[%i, %j] : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @slices(%a: tensor<?xf32>, %b: tensor<?xf32>, %i: index, %n: index, %s: index)
    -> tensor<?xf32> {
  %0 = tensor.extract_slice %b[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.insert_slice %0 into %a[%i] [%n] [%s] : tensor<?xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @convolution(%a: tensor<?xf32>, %k: tensor<?xf32>, %c: tensor<?xf32>)
    -> tensor<?xf32> {
  %0 = linalg.conv_1d ins(%a, %k : tensor<?xf32>, tensor<?xf32>)
                      outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @cast(%a: tensor<?xf32>) -> f32 {
  %c3 = arith.constant 3 : index
  %0 = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %1 = tensor.extract %0[%c3] : tensor<4xf32>
  return %1 : f32
}
func.func @write_until(%a: tensor<?xf32>, %n: index, %x: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<?xf32> {
    %1 = tensor.insert %x into %t[%i] : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
func.func @expand(%a: tensor<?xf32>, %n: index, %i: index) -> f32 {
  %c3 = arith.constant 3 : index
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [%n, 4]
      : tensor<?xf32> into tensor<?x4xf32>
  %1 = tensor.extract %0[%i, %c3] : tensor<?x4xf32>
  return %1 : f32
}
func.func @gather(%a: tensor<?xf32>, %at: tensor<4x1xindex>) -> tensor<4xf32> {
  %0 = tensor.gather %a[%at] gather_dims([0])
      : (tensor<?xf32>, tensor<4x1xindex>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @fill(%n: index, %x: f32) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @fixed(%a: tensor<?xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @size(%a: tensor<?x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.cast %a : tensor<?x?xf32> to tensor<2x3xf32>
  %1 = tensor.dim %0, %c0 : tensor<2x3xf32>
  return %1 : index
}
func.func @pack(%a: tensor<?xf32>, %p: tensor<?x?xf32>, %t: index, %x: f32)
    -> tensor<?x?xf32> {
  %0 = linalg.pack %a padding_value(%x : f32) inner_dims_pos = [0] inner_tiles = [%t]
      into %p : tensor<?xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @unpack(%p: tensor<?x?xf32>, %a: tensor<?xf32>, %t: index) -> tensor<?xf32> {
  %0 = linalg.unpack %p inner_dims_pos = [0] inner_tiles = [%t]
      into %a : tensor<?x?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @pad(%a: tensor<?xf32>, %low: index, %high: index, %x: f32) -> tensor<?xf32> {
  %0 = tensor.pad %a low[%low] high[%high] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @reshape(%a: tensor<?xf32>, %s: tensor<2xindex>) -> tensor<?x?xf32> {
  %0 = tensor.reshape %a(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @read_vector(%a: tensor<?xf32>, %i: index, %x: f32) -> f32 {
  %0 = vector.transfer_read %a[%i], %x : tensor<?xf32>, vector<4xf32>
  %1 = vector.reduction <add>, %0 : vector<4xf32> into f32
  return %1 : f32
}
func.func @read_masked(%a: memref<?xf32>, %i: index, %n: index) -> f32 {
  %m = vector.create_mask %n : vector<4xi1>
  %p = arith.constant dense<0.0> : vector<4xf32>
  %0 = vector.maskedload %a[%i], %m, %p
      : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.reduction <add>, %0 : vector<4xf32> into f32
  return %1 : f32
}
func.func @write_indexed(%a: memref<?xf32>, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %m = vector.create_mask %n : vector<3xi1>
  %at = arith.constant dense<[1, 0, 5]> : vector<3xi32>
  %v = arith.constant dense<2.0> : vector<3xf32>
  vector.scatter %a[%i] [%at], %m, %v
      : memref<?xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32>
  return
}
"""
)


@pytest.fixture(scope="module")
def checked() -> jit.Module:
    return jit.compile(PROGRAM)


def ones(*shape: int) -> Any:
    return np.ones(shape, dtype="f")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        (
            "matmul",
            (ones(200, 30), ones(30, 500), ones(2, 2)),
            r"linalg.matmul.*2 == 200",
        ),
        ("matmul", (ones(2, 3), ones(4, 2), ones(2, 2)), r"linalg.matmul.*4 == 3"),
        ("add", (ones(8), ones(3)), r"linalg.add.*3 == 8"),
        ("extract", (ones(4), 1000), r"tensor.extract.*in @extract.*0 <= 1000 < 4"),
        ("extract", (ones(4), -1), r"tensor.extract.*0 <= -1 < 4"),
        ("insert", (ones(4, 3), 1, 3, 0.0), r"tensor.insert.*dimension 1.*0 <= 3 < 3"),
        ("slices", (ones(8), ones(5), 4, 5, 1), r"tensor.insert_slice.*0 <= 8 < 8$"),
        ("slices", (ones(8), ones(5), 0, 6, 1), r"tensor.extract_slice.*0 <= 6 <= 5"),
        (
            "slices",
            (ones(8), ones(5), 0, 5, 2),
            r"tensor.insert_slice.*along dimension 0",
        ),
        ("slices", (ones(8), ones(5), -1, 5, 1), r"tensor.insert_slice.*offset 0"),
        ("slices", (ones(8), ones(5), 0, 2**62, 1), r"tensor.extract_slice"),
        ("convolution", (ones(5), ones(3), ones(4)), r"linalg.conv_1d.*0 <= 5 < 5"),
        ("cast", (ones(3),), r"tensor.cast.*in @cast.*3 == 4"),
        ("write_until", (ones(3), 4, 1.0), r"tensor.insert.* < 3"),
        ("expand", (ones(10), 2, 1), r"tensor.expand_shape.*8 == 10"),
        ("gather", (ones(4), np.array([[0], [1], [2], [4]])), r"memref.load.*0 <= 4 < 4"),
        ("fill", (-1, 1.0), r"tensor.empty.*0 <= -1 <= "),
        ("fill", (2**61, 1.0), r"tensor.empty.*too large"),
        ("fill", (2**46, 1.0), r"memref.alloc.*no memory for a buffer.*in @fill"),
        ("fixed", (ones(3),), r"tensor.cast.*3 == 4"),
        ("size", (ones(3, 2),), r"tensor.cast.*3 == 2"),
        ("pack", (ones(8), ones(1, 4), 4, 0.0), r"linalg.pack.*too few.*0 <= 8 <= 4"),
        ("pack", (ones(8), ones(2, 4), 0, 0.0), r"linalg.pack.*not positive.*0 >= 1"),
        ("pack", (ones(8), ones(2, 4), 3, 0.0), r"linalg.pack.*size of tile 0.*4 == 3"),
        ("unpack", (ones(2, 4), ones(9), 4), r"linalg.unpack.*too few"),
        ("unpack", (ones(2, 0), ones(9), 0), r"linalg.unpack.*not positive"),
        ("pad", (ones(4), -1, 0, 0.0), r"tensor.pad.*low padding.*-1 >= 0"),
        ("pad", (ones(4), 3, -1, 0.0), r"tensor.pad.*high padding"),
        ("reshape", (ones(6), np.array([-2, -3])), r"reshape.*new size 0 is negative"),
        ("reshape", (ones(0), np.array([2**32, 2**32])), r"reshape.*another number"),
        ("read_vector", (ones(4), -1, 0.0), r"vector.transfer_read.*index 0 is negative"),
        ("read_masked", (ones(4), 2, 3), r"vector.maskedload.*out-of-bounds"),
        ("read_masked", (ones(4), -1, 4), r"vector.maskedload.*out-of-bounds"),
        ("write_indexed", (ones(5), 0, 3), r"vector.scatter.*out-of-bounds"),
        ("write_indexed", (ones(5), 4, 1), r"vector.scatter.*out-of-bounds"),
    ],
)
def test_error_names_op_and_numbers(
    checked: jit.Module, name: str, arguments: Sequence[Any], message: str
) -> None:
    with pytest.raises(jit.CheckError, match=f"(?s){message}"):
        getattr(checked, name)(*arguments)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("matmul", (ones(2, 3), ones(3, 4), ones(2, 4))),
        ("matmul", (ones(0, 3), ones(3, 4), ones(0, 4))),
        ("add", (ones(0), ones(0))),
        ("slices", (ones(8), ones(5), 3, 5, 1)),
        ("slices", (ones(9), ones(5), 0, 5, 2)),
        ("slices", (ones(8), ones(5), 8, 0, 1)),
        ("slices", (ones(8), ones(5), 7, 1, 1000)),
        ("convolution", (ones(5), ones(3), ones(3))),
        ("convolution", (ones(1), ones(3), ones(0))),
        ("write_until", (ones(3), 3, 1.0)),
        ("write_until", (ones(3), -3, 1.0)),
        ("expand", (ones(8), 2, 1)),
        ("gather", (ones(4), np.array([[0], [1], [2], [3]]))),
        ("fill", (0, 1.0)),
        ("fixed", (ones(4),)),
        ("pack", (ones(7), ones(2, 4), 4, 0.0)),
        ("pack", (ones(7), ones(3, 4), 4, 0.0)),
        ("unpack", (ones(2, 4), ones(7), 4)),
        ("pad", (ones(4), 0, 2, 0.0)),
        ("reshape", (ones(6), np.array([2, 3]))),
        ("read_vector", (ones(4), 3, 0.0)),
        ("read_masked", (ones(4), 2, 2)),
        ("read_masked", (ones(4), -9, 0)),
        ("write_indexed", (ones(6), 0, 3)),
        ("write_indexed", (ones(5), 3, 1)),
    ],
)
def test_what_fits_is_computed(
    checked: jit.Module, name: str, arguments: Sequence[Any]
) -> None:
    getattr(checked, name)(*arguments)


def test_nothing_is_written_around_arrays(checked: jit.Module) -> None:
    """Random sizes and indices, few of which fit."""
    choose = random.Random(1)
    for _ in range(300):
        name = choose.choice(["matmul", "add", "insert", "slices", "convolution"])
        padded: list[Any] = []

        def array(rank: int, padded: list[Any] = padded) -> Any:
            shape = [choose.randint(0, 6) for _ in range(rank)]
            around = np.full(64 + int(np.prod(shape)) + 64, 7, dtype="f")
            padded.append(around)
            return around[64:-64].reshape(shape)

        def index() -> int:
            return choose.choice([-1, 0, 1, 2, 3, 5, 8, 2**40, 2**62, -(2**62)])

        arguments: dict[str, Sequence[Any]] = {
            "matmul": (array(2), array(2), array(2)),
            "add": (array(1), array(1)),
            "insert": (array(2), index(), index(), 1.0),
            "slices": (array(1), array(1), index(), index(), index()),
            "convolution": (array(1), array(1), array(1)),
        }
        with suppress(jit.CheckError):
            getattr(checked, name)(*arguments[name])
        for around in padded:
            assert (around[:64] == 7).all()
            assert (around[-64:] == 7).all()


def test_without_checks_there_are_none() -> None:
    module = jit.compile(PROGRAM, check=False)
    assert "jit.fail" not in module.llvm_ir
    assert "jit.fail" in jit.compile(PROGRAM).llvm_ir


def test_static_sizes_take_no_checks() -> None:
    program = """
        func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>)
            -> tensor<4x2xf32> {
          %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>)
                             outs(%c : tensor<4x2xf32>) -> tensor<4x2xf32>
          return %0 : tensor<4x2xf32>
        }
    """
    assert "jit.fail" not in jit.compile(program, opt_level=0).llvm_ir


def test_assertion_of_the_program_raises_its_message() -> None:
    module = jit.compile(
        'func.func @f(%x: i1) { cf.assert %x, "x must hold" return }', "convert-to-llvm"
    )
    module.f(True)
    with pytest.raises(jit.CheckError, match=r"^x must hold$"):
        module.f(False)
    module.f(True)


def test_failed_check_under_a_python_function_passes_through_it() -> None:
    inner = jit.compile(PROGRAM)
    seen: list[str] = []

    def call(x: Any) -> float:
        try:
            return inner.extract(x, 9)
        except jit.CheckError as error:
            seen.append(str(error))
            return inner.extract(x, 1)

    outer = jit.compile(
        """
        func.func private @call(tensor<?xf32>) -> f32
        func.func @f(%x: tensor<?xf32>, %i: index) -> f32 {
          %0 = call @call(%x) : (tensor<?xf32>) -> f32
          %1 = tensor.extract %x[%i] : tensor<?xf32>
          %2 = arith.addf %0, %1 : f32
          return %2 : f32
        }
        """,
        functions={"call": call},
    )
    assert outer.f(ones(4), 3) == 2
    assert "0 <= 9 < 4" in seen[0]
    with pytest.raises(jit.CheckError, match="0 <= 5 < 4"):
        outer.f(ones(4), 5)


def test_exception_of_a_python_function_comes_before_what_it_made_fail() -> None:
    def size() -> int:
        raise KeyError("size")

    module = jit.compile(
        """
        func.func private @size() -> index
        func.func @f(%x: tensor<?xf32>) -> f32 {
          %0 = call @size() : () -> index
          %c1 = arith.constant 1 : index
          %i = arith.subi %0, %c1 : index
          %1 = tensor.extract %x[%i] : tensor<?xf32>
          return %1 : f32
        }
        """,
        functions={"size": size},
    )
    with pytest.raises(KeyError, match="size"):
        module.f(ones(4))


def test_threads_fail_apart(checked: jit.Module) -> None:
    wrong: list[str] = []

    def work(number: int) -> None:
        for i in range(200):
            try:
                value = checked.extract(ones(4), number + i % 2 * 4)
                if i % 2 or value != 1:
                    wrong.append(f"{number} {i}: {value}")
            except jit.CheckError as error:
                if not i % 2 or f"0 <= {number + 4} < 4" not in str(error):
                    wrong.append(f"{number} {i}: {error}")

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_no_call_reads_or_writes_outside_of_its_arrays() -> None:
    """Each array lies against a page that ends the process when it is touched."""
    command = [sys.executable, "-m", "tests.jit.wrong_calls", "2000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_step_of_a_loop_is_positive() -> None:
    """Otherwise the bounds of the loop would not tell that accesses are in bounds."""
    program = """
    func.func @f(%m: memref<?xf32>, %s: index) {
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %n = memref.dim %m, %c0 : memref<?xf32>
      %z = arith.constant 0.0 : f32
      scf.for %i = %c1 to %n step %s {
        memref.store %z, %m[%i] : memref<?xf32>
      }
      return
    }
    """
    module = jit.compile(program)
    for step in (0, -1, -(10**9)):
        with pytest.raises(jit.CheckError, match="step of a loop is not positive"):
            module.f(np.zeros(9, "f"), step)
    array = np.ones(9, "f")
    module.f(array, 3)
    np.testing.assert_array_equal(array, [1, 0, 1, 1, 0, 1, 1, 0, 1])


HUGE = {
    "alloc": """
    func.func @f(%m: memref<16xi8>, %n: index, %k: index, %i: index) -> f32 {
      %a = memref.alloc(%n, %k) : memref<?x?xf32>
      %x = memref.load %a[%i, %i] : memref<?x?xf32>
      memref.dealloc %a : memref<?x?xf32>
      return %x : f32
    }
    """,
    "view": """
    func.func @f(%m: memref<16xi8>, %n: index, %k: index, %i: index) -> i64 {
      %c0 = arith.constant 0 : index
      %v = memref.view %m[%c0][%n, %k] : memref<16xi8> to memref<?x?xi64>
      %x = memref.load %v[%i, %i] : memref<?x?xi64>
      return %x : i64
    }
    """,
    "expand": """
    func.func @f(%m: memref<?xi8>, %n: index, %k: index, %i: index) -> i8 {
      %v = memref.expand_shape %m [[0, 1]] output_shape [%n, %k]
        : memref<?xi8> into memref<?x?xi8>
      %x = memref.load %v[%i, %i] : memref<?x?xi8>
      return %x : i8
    }
    """,
}


@pytest.mark.parametrize("name", HUGE)
def test_sizes_whose_product_overflows(name: str) -> None:
    module = jit.compile(HUGE[name])
    bytes_ = np.zeros(0 if name == "expand" else 16, "i1")
    with pytest.raises(jit.CheckError, match=r"too large|as product"):
        module.f(bytes_, 2**32, 2**32, 70_000)
    with pytest.raises(jit.CheckError, match="negative"):
        module.f(np.zeros(16, "i1"), -4, -4, 0)


WRAPPING = {
    # The lower bound of the loop becomes the least index.
    "lower": """
      %m = arith.maxsi %x, %c0 : index
      %from = arith.addi %m, %c1 : index
      %to = arith.addi %n, %c0 : index
    """,
    # The upper bound is less than all indices, and what is computed is positive.
    "upper": """
      %k = arith.constant -4611686018427387904 : index
      %from = arith.addi %c0, %c0 : index
      %to = arith.muli %n, %k : index
    """,
}


@pytest.mark.parametrize("name", WRAPPING)
def test_bounds_of_loops_that_wrap_around_are_no_bounds(name: str) -> None:
    module = jit.compile(f"""
    func.func @f(%a: memref<?xf32>, %x: index) -> f32 {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = memref.dim %a, %c0 : memref<?xf32>
      {WRAPPING[name]}
      %z = arith.constant 0.0 : f32
      %r = scf.for %i = %from to %to step %c1 iter_args(%s = %z) -> f32 {{
        %v = memref.load %a[%i] : memref<?xf32>
        %t = arith.addf %s, %v : f32
        scf.yield %t : f32
      }}
      return %r : f32
    }}
    """)
    with pytest.raises(jit.CheckError, match="out-of-bounds"):
        module.f(ones(3), 2**63 - 1)
    if name == "lower":
        assert module.f(ones(3), 1) == 1


def test_sizes_that_wrap_around() -> None:
    module = jit.compile("""
    func.func @multiple(%a: memref<?xi8>, %i: index) -> i8 {
      %c0 = arith.constant 0 : index
      %k = arith.constant 4611686018427387904 : index
      %n = memref.dim %a, %c0 : memref<?xi8>
      %m = arith.muli %n, %k : index
      %b = memref.alloc(%m) : memref<?xi8>
      %v = memref.load %b[%i] : memref<?xi8>
      memref.dealloc %b : memref<?xi8>
      return %v : i8
    }
    func.func @square(%a: memref<?xi8, strided<[?], offset: ?>>, %i: index) -> i8 {
      %c0 = arith.constant 0 : index
      %n = memref.dim %a, %c0 : memref<?xi8, strided<[?], offset: ?>>
      %b = memref.alloc(%n, %n) : memref<?x?xi8>
      %v = memref.load %b[%i, %i] : memref<?x?xi8>
      memref.dealloc %b : memref<?x?xi8>
      return %v : i8
    }
    """)
    with pytest.raises(jit.CheckError, match="negative or too large"):
        module.multiple(np.ones(2, "i1"), 10**9)
    with pytest.raises(jit.CheckError, match="too large"):
        module.square(np.broadcast_to(np.ones(1, "i1"), (2**33,)), 10**9)


@pytest.mark.parametrize("sizes", ["50000000000000", "4611686018427387904x4"])
def test_static_sizes_for_which_there_is_no_memory(sizes: str) -> None:
    at = ", ".join("%i" for _ in sizes.split("x"))
    module = jit.compile(
        f"""
        func.func @f(%i: index) -> f32 {{
          %c = arith.constant 1.0 : f32
          %a = memref.alloc() : memref<{sizes}xf32>
          memref.store %c, %a[{at}] : memref<{sizes}xf32>
          %0 = memref.load %a[{at}] : memref<{sizes}xf32>
          memref.dealloc %a : memref<{sizes}xf32>
          return %0 : f32
        }}
        """,
        opt_level=0,
    )
    with pytest.raises(jit.CheckError, match="no memory for a buffer"):
        module.f(3)


LOWERED = {
    "tensor.gather": (
        """
func.func @f(%a: tensor<?x4xf32>, %i: tensor<3x1xindex>) -> tensor<3x1x4xf32> {
  %0 = tensor.gather %a[%i] gather_dims([0])
    : (tensor<?x4xf32>, tensor<3x1xindex>) -> tensor<3x1x4xf32>
  return %0 : tensor<3x1x4xf32>
}""",
        (np.zeros((5, 4), "f"), np.array([[0], [9], [1]])),
    ),
    "tensor.concat": (
        """
func.func @f(%a: tensor<?x4xf32>, %b: tensor<?x?xf32>) -> tensor<?x4xf32> {
  %0 = tensor.concat dim(0) %a, %b
    : (tensor<?x4xf32>, tensor<?x?xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}""",
        (np.zeros((3, 4), "f"), np.zeros((5, 7), "f")),
    ),
    "linalg.div": (
        """
func.func @f(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %0 = linalg.div ins(%a, %a : tensor<?xi32>, tensor<?xi32>)
                  outs(%b : tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}""",
        (np.zeros(3, "i4"), np.ones(3, "i4")),
    ),
}


@pytest.mark.parametrize("name", LOWERED)
def test_error_in_what_an_op_became_shows_the_op(name: str) -> None:
    text, arguments = LOWERED[name]
    with pytest.raises(jit.CheckError, match=rf"\nSource: %0 = {name} "):
        jit.compile(text).f(*arguments)


@pytest.mark.parametrize("unsigned", ["", "unsigned "])
@pytest.mark.parametrize("type_", ["i8", "i32", "i64", "index"])
def test_step_of_a_loop_is_positive_in_its_type(type_: str, unsigned: str) -> None:
    """A loop with step 0 would not end. A negative number is a step if unsigned."""
    of_type = "" if type_ == "index" else f" : {type_}"
    module = jit.compile(f"""
func.func @f(%a: memref<?xi32>, %stop: {type_}, %step: {type_}) {{
  %c0 = arith.constant 0 : {type_}
  %i0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  scf.for {unsigned}%i = %c0 to %stop step %step{of_type} {{
    %n = memref.load %a[%i0] : memref<?xi32>
    %m = arith.addi %n, %one : i32
    memref.store %m, %a[%i0] : memref<?xi32>
  }}
  return
}}""")
    count = np.zeros(1, "i4")
    module.f(count, 7, 3)
    assert count[0] == 3
    for step in (0,) if unsigned else (0, -1):
        with pytest.raises(jit.CheckError, match="step of a loop is not positive"):
            module.f(count, 7, step)
    if unsigned:
        module.f(count, 100, -56)
        assert count[0] == 4


GREATEST = 2**63 - 1
STORES_IN_LOOPS = {
    "for": "scf.for %i = %c2 to %n step %s { memref.store %z, %m[%i] : memref<?xi32> }",
    "parallel": """scf.parallel (%i) = (%c2) to (%n) step (%s) {
        memref.store %z, %m[%i] : memref<?xi32>
      }""",
    "forall": """scf.forall (%i) = (2) to (%n) step (%s) {
        memref.store %z, %m[%i] : memref<?xi32>
      }""",
    "static forall": f"""scf.forall (%i) = (2) to (%n) step ({GREATEST}) {{
        memref.store %z, %m[%i] : memref<?xi32>
      }}""",
    "static for": f"""%t = arith.constant {GREATEST} : index
      scf.for %i = %c2 to %n step %t {{ memref.store %z, %m[%i] : memref<?xi32> }}""",
}


@pytest.mark.parametrize("name", STORES_IN_LOOPS)
def test_loop_whose_index_wraps_around_does_not_write_outside(name: str) -> None:
    """2, then 2 + GREATEST, which is negative and so still less than %n, then 0, -1."""
    module = jit.compile(f"""
    func.func @f(%m: memref<?xi32>, %s: index) {{
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %n = memref.dim %m, %c0 : memref<?xi32>
      %z = arith.constant 7 : i32
      {STORES_IN_LOOPS[name]}
      return
    }}""")
    around = np.zeros(60, "i4")
    with pytest.raises(jit.CheckError, match="induction variable of a loop exceeds"):
        module.f(around[20:40], GREATEST)
    assert not around.any()
    module.f(around[20:22], GREATEST)
    assert not around.any()
    if not name.startswith("static"):
        module.f(around[20:40], GREATEST - 2)
        assert np.flatnonzero(around).tolist() == [22]


RANGES = {
    # lower, upper, step: how often the loop iterates, None if it wraps around
    "": {
        (0, 127, 100): None,
        (0, 120, 100): None,
        (0, 100, 100): 1,
        (0, 101, 100): None,
        (0, 120, 10): 12,
        (-128, 127, 127): None,
        (-128, 126, 127): 2,
        (-128, 127, 85): 3,
        (126, 127, 2): None,
        (127, -128, 127): 0,
        (5, 5, 127): 0,
    },
    "unsigned ": {
        (0, -1, -1): 1,
        (0, -6, 100): None,
        (0, -56, 100): 2,
        (0, -55, 100): None,
        (1, -1, 127): 2,
        (-2, -1, 2): None,
        (-1, 0, 2): 0,
    },
}


@pytest.mark.parametrize("are_constants", [False, True])
@pytest.mark.parametrize("unsigned", RANGES)
def test_loop_ends_in_the_type_of_its_induction_variable(
    unsigned: str, *, are_constants: bool
) -> None:
    for numbers, expected in RANGES[unsigned].items():
        parameters, constants = "%l: i8, %u: i8, %s: i8", ""
        if are_constants:
            parameters = ""
            constants = "\n".join(
                f"%{name} = arith.constant {number} : i8"
                for name, number in zip("lus", numbers, strict=True)
            )
        module = jit.compile(f"""
func.func @f({parameters}) -> i64 {{
  {constants}
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for {unsigned}%i = %l to %u step %s iter_args(%n = %c0) -> (i64) : i8 {{
    %m = arith.addi %n, %c1 : i64
    scf.yield %m : i64
  }}
  return %r : i64
}}""")
        arguments = () if are_constants else numbers
        if expected is None:
            with pytest.raises(jit.CheckError, match="exceeds its type"):
                module.f(*arguments)
        else:
            assert module.f(*arguments) == expected


@pytest.mark.parametrize("loop", ["scf.parallel", "scf.forall"])
def test_dimensions_of_a_loop_that_are_not_reached_may_be_of_any_size(loop: str) -> None:
    """Where a dimension has no iteration, those after it are not begun."""
    module = jit.compile(f"""
func.func @f(%m: memref<?xi32>, %n: index, %p: index, %x: i32) {{
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  {loop} (%i, %j) = (%c0, %c0) to (%n, %p) step (%c3, %c3) {{
    memref.store %x, %m[%j] : memref<?xi32>
  }}
  return
}}""")
    numbers = np.zeros(3, "i4")
    most = (1 << 63) - 1
    module.f(numbers, 0, most, 1)
    assert not numbers.any()
    for sizes in (1, most), (most, 0):
        with pytest.raises(jit.CheckError, match="exceeds its type"):
            module.f(numbers, *sizes, 1)
    module.f(numbers, 1, 3, 1)
    assert numbers.tolist() == [1, 0, 0]


def test_step_of_a_parallel_loop_is_positive() -> None:
    module = jit.compile("""
func.func @f(%a: tensor<?xi32>, %step: index, %x: i32) -> tensor<?xi32> {
  %0 = scf.forall (%i) = (0) to (3) step (%step) shared_outs(%o = %a)
      -> tensor<?xi32> {
    %one = tensor.from_elements %x : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %o[%i] [1] [1]
        : tensor<1xi32> into tensor<?xi32>
    }
  }
  return %0 : tensor<?xi32>
}""")
    with pytest.raises(jit.CheckError, match="the step of a loop is not positive"):
        module.f(np.zeros(3, "i4"), 0, 7)
    assert module.f(np.zeros(3, "i4"), 2, 7).tolist() == [7, 0, 7]


NEST = """
func.func @f(%m: memref<?x?xi64>, %from: index, %to: index, %n: index) -> i64 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i64
  %r = scf.for %i = {lower} to %to step {step} iter_args(%s = %zero) -> i64 {{
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%t = %s) -> i64 {{
      {index}
      %v = memref.load %m[%x, %j] : memref<?x?xi64>
      %u = arith.addi %t, %v : i64
      scf.yield %u : i64
    }}
    scf.yield %q : i64
  }}
  return %r : i64
}}
"""
INDICES: dict[str, tuple[str, Callable[[int, int, int], int]]] = {
    "i": ("%x = arith.addi %i, %c0 : index", lambda i, j, n: i),
    "2 i + 1": (
        "%y = arith.muli %i, %c2 : index\n%x = arith.addi %y, %c1 : index",
        lambda i, j, n: 2 * i + 1,
    ),
    "3 - i": ("%x = arith.subi %c3, %i : index", lambda i, j, n: 3 - i),
    "i + j": ("%x = arith.addi %i, %j : index", lambda i, j, n: i + j),
    "i - j": ("%x = arith.subi %i, %j : index", lambda i, j, n: i - j),
    "i - n + 3": (
        "%y = arith.subi %i, %n : index\n%x = arith.addi %y, %c3 : index",
        lambda i, j, n: i - n + 3,
    ),
    "2^62 i": (
        "%k = arith.constant 4611686018427387904 : index\n%x = arith.muli %i, %k : index",
        lambda i, j, n: i << 62,
    ),
}


@pytest.mark.parametrize("name", INDICES)
@pytest.mark.parametrize(
    ("lower", "step"),
    [("%c0", "%c1"), ("%c1", "%c2"), ("%from", "%c1"), ("%from", "%c3")],
)
def test_checks_before_loops_fail_where_an_access_would(
    name: str, lower: str, step: str
) -> None:
    """A nest raises if, and only if, some iteration is out of bounds."""
    text, index = INDICES[name]
    module = jit.compile(NEST.format(lower=lower, step=step, index=text))
    raised = 0
    array = np.arange(20, dtype="i8").reshape(5, 4)
    bounds = [-(2**63), -3, -1, 0, 1, 2, 5, 6]
    for begin in bounds if lower == "%from" else [0]:
        for end in [*bounds[1:], 2**63 - 1]:
            for n in (-1, 0, 1, 3, 4, 5):
                first = begin if lower == "%from" else int(lower[2:])
                values = range(first, end, int(step[2:]))
                places = (
                    (index(i, j, n) % 2**64, j)
                    for i in (values if n > 0 else ())
                    for j in range(n)
                )
                found = list(islice(places, 100))
                if all(x < 5 and j < 4 for x, j in found):
                    if len(values[:101]) <= 100:
                        expected = sum(int(array[at]) for at in found)
                        assert module.f(array, begin, end, n) == expected
                else:
                    raised += 1
                    with pytest.raises(jit.CheckError, match=r"out-of-bounds|its type"):
                        module.f(array, begin, end, n)
    assert raised


def test_loops_of_unsigned_indices_are_checked_inside() -> None:
    module = jit.compile("""
    func.func @f(%m: memref<?xi64>, %to: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %v = arith.constant 7 : i64
      scf.for unsigned %i = %c0 to %to step %c1 {
        memref.store %v, %m[%i] : memref<?xi64>
      }
      return
    }
    """)
    array = np.zeros(3, "i8")
    with pytest.raises(jit.CheckError, match="out-of-bounds"):
        module.f(array, -1)
    module.f(array, 3)
    assert array.tolist() == [7, 7, 7]


def test_what_is_built_in_its_destination_is_checked_before() -> None:
    module = jit.compile(
        """
        func.func @main(%t: tensor<16xf64>, %i: index, %x: f64) -> tensor<16xf64> {
          %e = tensor.empty() : tensor<4xf64>
          %f = linalg.fill ins(%x : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
          %u = tensor.insert_slice %f into %t[%i] [4] [1]
              : tensor<4xf64> into tensor<16xf64>
          return %u : tensor<16xf64>
        }
        """
    )
    t = np.zeros(16)
    with pytest.raises(jit.CheckError, match="slice runs out-of-bounds"):
        module["main"](t, 14, 1.0)
    assert not t.any()
    assert module["main"](t, 3, 1.0).sum() == 4


def test_checks_come_after_all_passes_that_change_tensors() -> None:
    before = {each.name for each in BufferizationPipeline().get_bufferization_passes()}
    assert before - {"one-shot-bufferize"} <= BEFORE_CHECKS


def test_affine_loop_whose_variable_wraps_around_is_checked_inside() -> None:
    module = jit.compile("""
    func.func @f(%m: memref<?xi64>) {
      %c0 = arith.constant 0 : index
      %v = arith.constant 7 : i64
      %n = memref.dim %m, %c0 : memref<?xi64>
      affine.for %i = 1 to %n step 9223372036854775807 {
        affine.store %v, %m[%i] : memref<?xi64>
      }
      return
    }
    """)
    with pytest.raises(jit.CheckError, match="out-of-bounds"):
        module.f(np.zeros(3, "i8"))
