"""Constant vectors of several dimensions, however large, are what the program says."""

from __future__ import annotations

from math import prod
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from xdsl_bufferization import jit

DTYPES: dict[str, Any] = {
    "i1": np.int8,
    "i8": np.int8,
    "i64": np.int64,
    "index": np.int64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
}
SHAPES = [(8, 8), (4, 4, 8), (2, 64), (64, 1)]


def numbers(shape: tuple[int, ...], element: str, *, is_splat: bool) -> np.ndarray:
    count = np.arange(prod(shape)) % (2 if element == "i1" else 50)
    values = np.ones(prod(shape)) if is_splat else count
    return values.reshape(shape).astype(DTYPES[element])


def literal(values: np.ndarray, element: str) -> str:
    if element == "i1":
        return str(values.astype(bool).tolist()).lower()
    is_float = element[0] != "i"
    return str(values.astype(np.float64 if is_float else np.int64).tolist())


@pytest.mark.parametrize("is_splat", [True, False])
@pytest.mark.parametrize("element", DTYPES)
def test_large_vectors(element: str, is_splat: bool) -> None:
    functions: list[str] = []
    for number, shape in enumerate(SHAPES):
        sizes = "x".join(map(str, shape))
        vector = f"vector<{sizes}x{element}>"
        stored, buffer, written = vector, f"memref<{sizes}x{element}>", "%w"
        extension = ""
        if element == "i1":  # LLVM packs the bits of a vector in memory.
            stored, buffer, written = f"vector<{sizes}xi8>", f"memref<{sizes}xi8>", "%b"
            extension = f"%b = arith.extui %w : {vector} to {stored}"
        values = literal(numbers(shape, element, is_splat=is_splat), element)
        at, inside = (", ".join([word] * len(shape)) for word in ("%zero", "true"))
        row = f"vector<{'x'.join(map(str, shape[1:]))}x{element}>"
        last = ", ".join(str(size - 1) for size in shape)
        functions.append(f"""
            func.func @f{number}(%m: {buffer}) -> {element} {{
              %v = arith.constant dense<{values}> : {vector}
              %zero = arith.constant 0 : index
              %row = vector.extract %v[0] : {row} from {vector}
              %w = vector.insert %row, %v[0] : {row} into {vector}
              {extension}
              vector.transfer_write {written}, %m[{at}] {{in_bounds = [{inside}]}}
                : {stored}, {buffer}
              %x = vector.extract %v[{last}] : {element} from {vector}
              return %x : {element}
            }}""")
    module = jit.compile("".join(functions), "lower-to-llvm-pipeline", opt_level=0)
    for number, shape in enumerate(SHAPES):
        expected = numbers(shape, element, is_splat=is_splat)
        actual = np.zeros(shape, DTYPES[element])
        assert module[f"f{number}"](actual) == expected.flat[-1]
        assert actual.tobytes() == expected.tobytes()


def test_sum_of_large_vectors() -> None:
    module = jit.compile("""
    func.func @sum(%m: memref<2x64xi8>) {
      %a = arith.constant dense<3> : vector<2x64xi8>
      %b = arith.constant dense<4> : vector<2x64xi8>
      %c = arith.addi %a, %b : vector<2x64xi8>
      %zero = arith.constant 0 : index
      vector.transfer_write %c, %m[%zero, %zero] {in_bounds = [true, true]}
        : vector<2x64xi8>, memref<2x64xi8>
      return
    }""")
    result = np.zeros((2, 64), np.int8)
    module["sum"](result)
    assert (result == 7).all()
