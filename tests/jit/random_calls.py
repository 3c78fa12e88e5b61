"""Random calls, right and wrong, on watched memory.

    python -m tests.jit.random_calls --seed 0 --count 2000

Arrays lie at the beginning or at the end of memory that has a page on both sides that
nobody may touch, so that an access outside of it ends the process. Their sizes, ranks,
strides, dtypes and flags are what a function wants, or are not. Each call must raise a
diagnostic, or return what NumPy computes; in both cases nothing but the elements of
arrays that the function may write has changed.
"""

from __future__ import annotations

import argparse
import ctypes
import mmap
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization import jit

PAGE = mmap.PAGESIZE
ANY = "strided<[?, ?], offset: ?>"

PROGRAM = f"""
func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {{
  %r = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>)
      -> tensor<?xf32>
  return %r : tensor<?xf32>
}}
func.func @matmul(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>)
    -> tensor<?x?xf64> {{
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>)
      outs(%c : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}}
func.func @static(%a: tensor<3x4xi32>, %b: tensor<3x4xi32>) -> tensor<3x4xi32> {{
  %e = tensor.empty() : tensor<3x4xi32>
  %r = linalg.sub ins(%a, %b : tensor<3x4xi32>, tensor<3x4xi32>)
      outs(%e : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}}
func.func @set(%t: tensor<?x?xi16>, %i: index, %j: index, %x: i16) -> tensor<?x?xi16> {{
  %r = tensor.insert %x into %t[%i, %j] : tensor<?x?xi16>
  return %r : tensor<?x?xi16>
}}
func.func @get(%t: tensor<?x4xi64>, %i: index, %j: index) -> i64 {{
  %r = tensor.extract %t[%i, %j] : tensor<?x4xi64>
  return %r : i64
}}
func.func @part(%t: tensor<?xf32>, %offset: index, %size: index) -> tensor<?xf32> {{
  %r = tensor.extract_slice %t[%offset] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}}
func.func @double(%m: memref<?x?xf32, {ANY}>) {{
  linalg.add ins(%m, %m : memref<?x?xf32, {ANY}>, memref<?x?xf32, {ANY}>)
      outs(%m : memref<?x?xf32, {ANY}>)
  return
}}
func.func @copy(%from: memref<?x?xi8>, %to: memref<?x?xi8>) {{
  memref.copy %from, %to : memref<?x?xi8> to memref<?x?xi8>
  return
}}
func.func @fixed(%m: memref<2x3xf32, strided<[8, 1], offset: 2>>, %x: f32) {{
  linalg.fill ins(%x : f32) outs(%m : memref<2x3xf32, strided<[8, 1], offset: 2>>)
  return
}}
func.func @point(%a: tensor<f64>, %b: memref<f64>) -> f64 {{
  %x = tensor.extract %a[] : tensor<f64>
  memref.store %x, %b[] : memref<f64>
  return %x : f64
}}
"""


def _inserted(t: Any, i: int, j: int, x: int) -> Any:
    t[i, j] = x
    return t


def _stored(to: Any, value: Any) -> None:
    to[...] = value


@dataclass(frozen=True)
class Kernel:
    """A function of the program: the dtype and the rank of each array it takes (None for
    an index, another number otherwise), and what it does, in NumPy, to copies."""

    name: str
    parameters: tuple[tuple[str, int] | str, ...]
    run: Callable[..., Any]
    is_valid: Callable[..., bool] = lambda *arguments: True

    def shape(self, index: int, rank: int, sizes: Sequence[int]) -> list[int]:
        """A shape that fits the function and the other arguments, of some sizes."""
        match self.name:
            case "matmul":
                return [[sizes[0], sizes[1]], [sizes[1], sizes[2]], [sizes[0], sizes[2]]][
                    index
                ]
            case "static":
                return [3, 4]
            case "fixed":
                return [2, 3]
            case "get":
                return [sizes[0], 4]
            case _:
                return list(sizes[:rank])


KERNELS = [
    Kernel("add", (("f", 1), ("f", 1)), np.add, lambda a, b: a.shape == b.shape),
    Kernel(
        "matmul",
        (("d", 2), ("d", 2), ("d", 2)),
        lambda a, b, c: a @ b + c,
        lambda a, b, c: a.shape[1] == b.shape[0] and c.shape == (a.shape[0], b.shape[1]),
    ),
    Kernel("static", (("i4", 2), ("i4", 2)), np.subtract),
    Kernel(
        "set",
        (("i2", 2), "index", "index", "i16"),
        _inserted,
        lambda t, i, j, x: 0 <= i < t.shape[0] and 0 <= j < t.shape[1],
    ),
    Kernel(
        "get",
        (("i8", 2), "index", "index"),
        lambda t, i, j: t[i, j],
        lambda t, i, j: 0 <= i < t.shape[0] and 0 <= j < t.shape[1],
    ),
    Kernel(
        "part",
        (("f", 1), "index", "index"),
        lambda t, offset, size: t[offset : offset + size],
        lambda t, offset, size: 0 <= offset <= offset + size <= t.shape[0] and size >= 0,
    ),
    Kernel("double", (("f", 2),), lambda m: _stored(m, m + m)),
    Kernel(
        "copy",
        (("i1", 2), ("i1", 2)),
        lambda a, b: _stored(b, a),
        lambda a, b: a.shape == b.shape,
    ),
    Kernel("fixed", (("f", 2), "f32"), lambda m, x: _stored(m, x)),
    Kernel("point", (("d", 0), ("d", 0)), lambda a, b: (_stored(b, a), a[()])[1]),
]
DTYPES = ["f", "d", "i1", "i2", "i4", "i8", "u1", "u4", "?", "F", ">f4", "e", "q", "l"]


@dataclass
class Memory:
    """Some pages between two that nobody may touch."""

    size: int
    pages: mmap.mmap = field(init=False)
    start: int = field(init=False)

    def __post_init__(self) -> None:
        inner = -(-max(self.size, 1) // PAGE) * PAGE
        self.pages = mmap.mmap(-1, inner + 2 * PAGE)
        first = ctypes.addressof(ctypes.c_char.from_buffer(self.pages))
        libc = ctypes.CDLL(None)
        libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        for guard in (first, first + PAGE + inner):
            assert libc.mprotect(guard, PAGE, 0) == 0
        self.start = PAGE
        self.inner = inner

    def bytes(self) -> np.ndarray:
        """All of it that may be touched."""
        return np.frombuffer(self.pages, "u1", self.inner, self.start)


class Calls:
    """Random calls of one compiled module."""

    def __init__(self, seed: int, functional: bool) -> None:
        self.random = Random(seed)
        self.functional = functional
        self.module = jit.compile(PROGRAM, functional=functional)
        self.outcomes = {"returned": 0, "raised": 0}

    def run(self) -> None:
        """Make one call, and check what it did."""
        kernel = self.random.choice(KERNELS)
        sizes = [self.random.choice([0, 1, 2, 3, 4, 4, 5, 8]) for _ in range(3)]
        arguments: list[Any] = []
        memories: list[Memory] = []
        for index, parameter in enumerate(kernel.parameters):
            if isinstance(parameter, str):
                arguments.append(self.number(parameter))
            elif self.random.random() < 0.1 and any(
                isinstance(a, np.ndarray) for a in arguments
            ):
                arguments.append(self.variant_of(arguments))
            else:
                dtype, rank = parameter
                shape = kernel.shape(index, rank, sizes)
                arguments.append(self.array(dtype, shape, memories, kernel.name))
        if self.random.random() < 0.03:
            arguments[self.random.randrange(len(arguments))] = self.random.choice(
                [None, [1.0], "text", 3, np.float32(1), object(), memoryview(b"abcd")]
            )
        self.call(kernel, arguments, memories)

    def number(self, type: str) -> Any:
        if type == "f32":
            return self.random.choice([0.5, 3, 1e300])
        return self.random.choice([0, 1, 2, 3, 4, 7, -1, 1000, 2**62, -(2**63)])

    def array(
        self, dtype: str, shape: list[int], memories: list[Memory], kernel: str
    ) -> Any:
        """An array that is what is wanted, or is not."""
        random = self.random
        if random.random() < 0.1:
            shape = random.choice([shape[:-1], [*shape, 2], [s + 1 for s in shape]])
        if random.random() < 0.05:
            dtype = random.choice(DTYPES)
        itemsize = np.dtype(dtype).itemsize
        strides = [itemsize] * len(shape)
        order = list(range(len(shape)))
        if random.random() < 0.3:
            random.shuffle(order)
        step = itemsize
        for d in reversed(order):
            strides[d] = step * (1 if random.random() < 0.8 else 2)
            step = strides[d] * max(shape[d], 1)
        if kernel == "fixed" and len(shape) == 2 and random.random() < 0.8:
            strides = [8 * itemsize, itemsize]
        for d in order:
            kind = random.random()
            if kind < 0.05:
                strides[d] = 0
            elif kind < 0.1:
                strides[d] = itemsize
            elif kind < 0.2:
                strides[d] = -strides[d]
            elif kind < 0.22:
                strides[d] += 1
        reach = [(size - 1) * s for size, s in zip(shape, strides, strict=True)]
        low = sum(min(r, 0) for r in reach) if 0 not in shape else 0
        high = sum(max(r, 0) for r in reach) + itemsize if 0 not in shape else 0
        memory = Memory(high - low)
        memories.append(memory)
        all_bytes = memory.bytes()
        all_bytes[:] = np.arange(len(all_bytes)) % 5
        # At the end or at the beginning; now and then not aligned.
        start = len(all_bytes) - high if random.random() < 0.5 else -low
        if random.random() < 0.03:
            start += 1 if start == -low and start + 1 + high <= len(all_bytes) else 0
        array = np.ndarray(shape, dtype, memory.pages, PAGE + start, strides)
        if random.random() < 0.1:
            array.flags.writeable = False
        return array

    def variant_of(self, arguments: Sequence[Any]) -> Any:
        """An array that shares memory with one that is passed already."""
        array = self.random.choice([a for a in arguments if isinstance(a, np.ndarray)])
        if not array.ndim:
            return array
        return self.random.choice([array, array[1:], array[::-1], array[::2], array.T])

    def call(self, kernel: Kernel, arguments: list[Any], memories: list[Memory]) -> None:
        function = self.module[kernel.name]
        before = [memory.bytes().copy() for memory in memories]
        copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        try:
            returned = function(*arguments)
        except DiagnosticException:
            self.outcomes["raised"] += 1
            returned = None
            succeeded = False
        else:
            self.outcomes["returned"] += 1
            succeeded = True
            assert kernel.is_valid(*copies), "a call that had to be refused returned"
            with np.errstate(all="ignore"):
                expected = kernel.run(*copies)
            if expected is None:
                assert returned is None
            else:
                # Of an unsigned array of i32, say, the results are signed.
                wanted = np.asarray(expected).astype(np.asarray(returned).dtype)
                np.testing.assert_array_equal(returned, wanted)
        self.check_memory(function, arguments, copies, memories, before, succeeded)

    def check_memory(
        self,
        function: jit.Function,
        arguments: Sequence[Any],
        copies: Sequence[Any],
        memories: Sequence[Memory],
        before: Sequence[np.ndarray],
        succeeded: bool,
    ) -> None:
        """Nothing outside of written arrays' elements has changed, and memrefs hold what
        NumPy writes to them."""
        touched: list[np.ndarray] = []
        for argument, copy, written, parameter in zip(
            arguments,
            copies,
            function.written,
            function.signature.parameters,
            strict=True,
        ):
            if not isinstance(argument, np.ndarray):
                continue
            is_memref = parameter.type.startswith("memref")
            if succeeded and is_memref:
                np.testing.assert_array_equal(argument, copy)
            if written and argument.flags.writeable:
                assert is_memref or not self.functional
                touched.append(argument)
        for memory, old in zip(memories, before, strict=True):
            changed = memory.bytes() != old
            for argument in touched:
                changed &= ~_element_bytes(argument, memory)
            assert not changed.any(), "bytes outside of the written arrays have changed"


def _element_bytes(array: np.ndarray, memory: Memory) -> np.ndarray:
    """Which bytes of the memory are elements of the array."""
    mask = np.zeros(memory.inner, "?")
    base = memory.bytes().__array_interface__["data"][0]
    first = array.__array_interface__["data"][0] - base
    if not 0 <= first < memory.inner:
        return mask
    for index in np.ndindex(array.shape):
        start = first + sum(i * s for i, s in zip(index, array.strides, strict=True))
        mask[start : start + array.itemsize] = True
    return mask


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000)
    options = parser.parse_args()
    runs = [Calls(options.seed, functional) for functional in (False, True)]
    for number in range(options.count):
        calls = runs[number % 2]
        calls.random.seed(f"{options.seed} {number}")
        try:
            calls.run()
        except Exception as error:
            raise AssertionError(f"call {number} of seed {options.seed}") from error
    for calls in runs:
        sys.stdout.write(f"{calls.outcomes}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
