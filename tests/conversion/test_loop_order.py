"""convert-linalg-to-loops{interchange} changes no bit of what structured ops compute."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.oracle.tools import parse, run_passes
from xdsl_bufferization import jit
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import walk

LOWERING = (
    "convert-linalg-to-loops{options},lower-affine,convert-scf-to-cf,convert-to-llvm"
)
BODIES = {
    "f32": "%m = arith.mulf %x, %y : f32\n%r = arith.addf %m, %z : f32",
    "i32": "%m = arith.muli %x, %y : i32\n%r = arith.addi %m, %z : i32",
}
SIZES = [1, 2, 3, 5, 17]


def random_op(seed: int) -> tuple[str, list[tuple[int, ...]], str]:
    """A linalg.generic that sums products, the shapes of its operands and their type:
    with loops in any order, and operands that are transposed, shifted or broadcast.
    """
    random = Random(seed)
    loops = random.randint(2, 5)
    sizes = [random.choice(SIZES) for _ in range(loops)]
    iterators = [random.choice(["parallel", "reduction"]) for _ in range(loops)]
    element = random.choice(sorted(BODIES))
    dims = [f"d{i}" for i in range(loops)]
    maps: list[str] = []
    shapes: list[tuple[int, ...]] = []
    for _ in range(2):
        results: list[str] = []
        shape: list[int] = []
        for dim in random.sample(range(loops), random.randint(1, loops)):
            other = random.randrange(loops)
            if random.random() < 0.3:
                results.append(f"d{dim} + d{other}")
                shape.append(sizes[dim] + sizes[other] - 1)
            else:
                results.append(f"d{dim}")
                shape.append(sizes[dim])
        maps.append(", ".join(results))
        shapes.append(tuple(shape))
    output = [dim for dim in range(loops) if iterators[dim] == "parallel"]
    random.shuffle(output)
    maps.append(", ".join(f"d{dim}" for dim in output))
    shapes.append(tuple(sizes[dim] for dim in output))
    # An operand that is not read tells the extent of every loop.
    maps.append(", ".join(dims))
    shapes.append(tuple(sizes))
    order = [0, 1, 3, 2]
    types = ["memref<" + "".join(f"{n}x" for n in s) + f"{element}>" for s in shapes]
    text = f"""
    func.func @main(%a: {types[0]}, %b: {types[1]}, %s: {types[3]}, %c: {types[2]}) {{
      linalg.generic {{
          indexing_maps = [{
        ", ".join(f"affine_map<({', '.join(dims)}) -> ({maps[at]})>" for at in order)
    }],
          iterator_types = [{", ".join(f'"{i}"' for i in iterators)}]}}
          ins(%a, %b, %s : {types[0]}, {types[1]}, {types[3]}) outs(%c : {types[2]}) {{
      ^bb0(%x: {element}, %y: {element}, %u: {element}, %z: {element}):
        {BODIES[element]}
        linalg.yield %r : {element}
      }}
      return
    }}
    """
    return text, [shapes[at] for at in order], element


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_random_ops_compute_the_same_bits(first: int) -> None:
    for seed in range(first, first + 20):
        text, shapes, element = random_op(seed)
        numbers = np.random.default_rng(seed)
        values = [
            numbers.random(shape, "f4")
            if element == "f32"
            else numbers.integers(-99, 99, shape).astype("i4")
            for shape in shapes
        ]
        found: list[np.ndarray] = []
        for options in ("", "{interchange}"):
            module = jit.compile(text, LOWERING.format(options=options))
            result = values[-1].copy()
            module.main(*values[:-1], result)
            found.append(result)
        assert found[0].tobytes() == found[1].tobytes(), f"seed {seed}: {text}"


def test_random_ops_are_interchanged() -> None:
    """So that the test above is not one of nothing."""
    changed = 0
    for seed in range(60):
        text, _, _ = random_op(seed)
        places: list[list[str]] = []
        for options in ("", "{interchange}"):
            context, module = parse(text)
            run_passes(context, module, f"convert-linalg-to-loops{options}")
            loads = [op for op in walk(module) if isinstance(op, memref.LoadOp)]
            innermost = loads[0].parent_block()
            assert innermost is not None
            index = innermost.args[0]
            places.append([str([i is index for i in load.indices]) for load in loads])
        changed += places[0] != places[1]
    assert 10 < changed < 60
