"""Call compiled functions with arguments that mostly do not fit, 2,000 times.

Every array ends at a page that must not be touched, or begins after one: an access
outside of it ends this process. A call must raise an exception, or give what NumPy
computes, and must leave arrays that it may not write as they were. Run as a script: the
test looks at how it ends.
"""

from __future__ import annotations

import ctypes
import mmap
import random
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.utils.exceptions import JITException

from tests.jit.programs import MATMUL
from xdsl_bufferization import jit

PROGRAM = (
    MATMUL
    + """
func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32> {bufferization.writable = false})
    -> tensor<?xf32> {
  %0 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>)
                  outs(%a : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @extract(%a: tensor<?x?xf32>, %i: index, %j: index) -> f32 {
  %0 = tensor.extract %a[%i, %j] : tensor<?x?xf32>
  return %0 : f32
}
func.func @slice(%a: tensor<?xf32>, %i: index, %n: index, %s: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %a[%i] [%n] [%s] : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @insert(%a: tensor<?xf32>, %b: tensor<?xf32>, %i: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  %0 = tensor.insert_slice %b into %a[%i] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @sum_until(%a: tensor<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
    %x = tensor.extract %a[%i] : tensor<?xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %0 : f32
}
func.func @fixed(%a: tensor<3x2xf32>, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract %a[%i, %c1] : tensor<3x2xf32>
  return %0 : f32
}
func.func @quotient(%a: tensor<?xf32>, %i: index, %j: index) -> f32 {
  %q = arith.divsi %i, %j : index
  %0 = tensor.extract %a[%q] : tensor<?xf32>
  return %0 : f32
}
func.func @remainder(%a: tensor<?xf32>, %i: index, %j: index) -> f32 {
  %r = arith.remui %i, %j : index
  %0 = tensor.extract %a[%r] : tensor<?xf32>
  return %0 : f32
}
func.func @pairs(%a: tensor<?xf32>, %n: index, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [%n, 2]
    : tensor<?xf32> into tensor<?x2xf32>
  %1 = tensor.extract %0[%i, %c1] : tensor<?x2xf32>
  return %1 : f32
}
func.func @window(%a: memref<?xf32, strided<[?], offset: ?>>, %o: index, %n: index,
                  %s: index, %i: index) -> f32 {
  %0 = memref.subview %a[%o] [%n] [%s] : memref<?xf32, strided<[?], offset: ?>>
    to memref<?xf32, strided<[?], offset: ?>>
  %1 = memref.load %0[%i] : memref<?xf32, strided<[?], offset: ?>>
  return %1 : f32
}
func.func @reinterpreted(%a: memref<?xf32>, %o: index, %n: index, %s: index, %i: index)
    -> f32 {
  %0 = memref.reinterpret_cast %a to offset: [%o], sizes: [%n], strides: [%s]
    : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  %1 = memref.load %0[%i] : memref<?xf32, strided<[?], offset: ?>>
  return %1 : f32
}
func.func @masked(%a: memref<?xf32>, %i: index, %n: index) -> f32 {
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %mask = vector.create_mask %n : vector<4xi1>
  %0 = vector.maskedload %a[%i], %mask, %zero
    : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.reduction <add>, %0 : vector<4xf32> into f32
  return %1 : f32
}
func.func @masked_store(%a: memref<?xf32>, %i: index, %n: index) {
  %one = arith.constant dense<1.0> : vector<4xf32>
  %mask = vector.create_mask %n : vector<4xi1>
  vector.maskedstore %a[%i], %mask, %one
    : memref<?xf32>, vector<4xi1>, vector<4xf32>
  return
}
func.func @transfer(%a: tensor<?x?xf32>, %i: index, %j: index, %n: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %mask = vector.create_mask %n : vector<4xi1>
  %0 = vector.transfer_read %a[%i, %j], %zero, %mask
    : tensor<?x?xf32>, vector<4xf32>
  %1 = vector.reduction <add>, %0 : vector<4xf32> into f32
  return %1 : f32
}
func.func @gather(%a: memref<?xf32>, %i: index, %j: index, %n: index) -> f32 {
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %mask = vector.create_mask %n : vector<4xi1>
  %indices = vector.broadcast %j : index to vector<4xindex>
  %0 = vector.gather %a[%i] [%indices], %mask, %zero
    : memref<?xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.reduction <add>, %0 : vector<4xf32> into f32
  return %1 : f32
}
"""
)

PAGE = mmap.PAGESIZE
libc = ctypes.CDLL(None, use_errno=True)


class Pages:
    """A page to use between two that must not be touched; reused by all arrays of one
    call, each from its own."""

    def __init__(self) -> None:
        self.memory = mmap.mmap(-1, 3 * PAGE)
        self.start = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        for page in (0, 2):
            address = ctypes.c_void_p(self.start + page * PAGE)
            assert libc.mprotect(address, ctypes.c_size_t(PAGE), 0) == 0

    def array(self, choose: random.Random, shape: Sequence[int], dtype: str) -> Any:
        """An array in the page, at its beginning or at its end."""
        count = int(np.prod(shape))
        size = count * np.dtype(dtype).itemsize
        offset = PAGE if choose.random() < 0.5 else 2 * PAGE - size
        found = np.frombuffer(self.memory, dtype, count, offset).reshape(shape)
        found[...] = np.arange(count).reshape(shape) % 7
        return found


class Maker:
    """Random arguments of one call."""

    def __init__(self, choose: random.Random, pages: Sequence[Pages]) -> None:
        self.choose = choose
        self.pages = iter(pages)
        self.made: list[Any] = []

    def array(self, rank: int) -> Any:
        choose = self.choose
        if self.made and choose.random() < 0.05:
            return choose.choice(self.made)
        if choose.random() < 0.03:
            rank += choose.choice([-1, 1])
        shape = [choose.choice([0, 1, 2, 3, 3, 3, 4]) for _ in range(rank)]
        dtype = "d" if choose.random() < 0.03 else "f"
        found = next(self.pages).array(choose, shape, dtype)
        if rank == 2 and choose.random() < 0.2:
            found = found.T
        if rank >= 1 and choose.random() < 0.2:
            found = found[:: choose.choice([2, -1])]
        if choose.random() < 0.05:
            found.flags.writeable = False
        self.made.append(found)
        return found

    def index(self) -> int:
        choose = self.choose
        small = choose.randint(-2, 5)
        return choose.choice([small, small, small, 2**31, 2**62, -(2**63)])


def insert(a: Any, b: Any, i: int) -> Any:
    a = a.copy()
    a[i : i + len(b)] = b
    return a


def quotient(a: Any, i: int, j: int) -> Any:
    size = abs(i) // abs(j)
    return a[size if (i < 0) == (j < 0) else -size]


def remainder(a: Any, i: int, j: int) -> Any:
    return a[(i % 2**64) % (j % 2**64)]


def lanes(n: int) -> int:
    """How many of four lanes a mask of n selects."""
    return min(max(n, 0), 4)


def masked(a: Any, i: int, n: int) -> Any:
    return a[i : i + lanes(n)].sum() if lanes(n) else 0


def transfer(a: Any, i: int, j: int, n: int) -> Any:
    rows = a[i, j : j + lanes(n)] if lanes(n) and i < len(a) else a[:0]
    return rows.sum()


CALLS: dict[str, tuple[Sequence[Any], Callable[..., Any]]] = {
    # ranks of arrays, or None for an index; what NumPy says
    "matmul": ((2, 2, 2), lambda a, b, c: a @ b + c),
    "add": ((1, 1), lambda a, b: a + b),
    "extract": ((2, None, None), lambda a, i, j: a[i, j]),
    "slice": ((1, None, None, None), lambda a, i, n, s: a[i + s * np.arange(n)]),
    "insert": ((1, 1, None), insert),
    "sum_until": ((1, None), lambda a, n: a[: max(n, 0)].sum()),
    "fixed": ((2, None), lambda a, i: a[i, 1]),
    "quotient": ((1, None, None), quotient),
    "remainder": ((1, None, None), remainder),
    "pairs": ((1, None, None), lambda a, n, i: a.reshape(n, 2)[i, 1]),
    "window": ((1, None, None, None, None), lambda a, o, n, s, i: a[o + s * i]),
    "reinterpreted": ((1, None, None, None, None), lambda a, o, n, s, i: a[o + s * i]),
    "masked": ((1, None, None), masked),
    "masked_store": ((1, None, None), lambda a, i, n: None),
    "transfer": ((2, None, None, None), transfer),
    "gather": (
        (1, None, None, None),
        lambda a, i, j, n: lanes(n) * a[(i + j) % 2**64] if lanes(n) else 0,
    ),
}


def main(count: int) -> None:
    module = jit.compile(PROGRAM)
    choose = random.Random(5)
    pages = [Pages() for _ in range(3)]
    failed = 0
    for _ in range(count):
        name = choose.choice(list(CALLS))
        ranks, numpy = CALLS[name]
        maker = Maker(choose, pages)
        arguments = [maker.index() if r is None else maker.array(r) for r in ranks]
        before = [np.copy(argument) for argument in arguments]
        try:
            result = module[name](*arguments)
        except JITException:
            failed += 1
            continue
        given = [x if np.ndim(x) else int(x) for x in before]
        try:
            expected = numpy(*given)
        except (IndexError, ValueError) as error:
            raise AssertionError(f"{name} {before} returned {result}") from error
        np.testing.assert_array_equal(result, expected, err_msg=f"{name} {before}")
        written = module[name].written
        for argument, old, may_change in zip(arguments, before, written, strict=True):
            if not may_change and not any(argument is a for a in arguments[:1]):
                np.testing.assert_array_equal(argument, old, err_msg=name)
    assert count // 2 < failed < count


if __name__ == "__main__":
    main(int(sys.argv[1]))
