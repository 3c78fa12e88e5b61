"""Running programs from tensors to numbers: the library of all execution tests.

    def test_splat() -> None:
        check(
            '''
            func.func @main(%x: f32) -> tensor<3xf32> {
              %t = tensor.splat %x : tensor<3xf32>
              return %t : tensor<3xf32>
            }
            ''',
            [2.5],
            np.full(3, 2.5, "f"),
        )

`check` compiles the program with the default pipeline, calls it, compares its results
with NumPy's, and demands that nothing leaked, that every free was valid and that nothing
is live when the results are gone. The checkers of bufferization and deallocation must
find no fault with it. Memory is filled with NaN before first use and after free, so a
program that reads it cannot get the right numbers by chance.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.universe import Universe

from tests.oracle.tools import parse
from xdsl_bufferization import jit
from xdsl_bufferization.jit.signature import Buffer
from xdsl_bufferization.pipelines import (
    BufferDeallocationPipeline,
    BufferizationPipeline,
    Pipeline,
)
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass
from xdsl_bufferization.transforms.verify_deallocation import VerifyDeallocationPass

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

Program = str | Path


@dataclass(frozen=True)
class Run:
    """What one call did."""

    results: tuple[Any, ...]
    """Copies: the arrays themselves are gone, and their memory with them."""
    stats: jit.Stats
    """Counted while the results were alive."""


def run(
    program: Program,
    arguments: Sequence[Any],
    *,
    function: str = "main",
    pipeline: str | None = None,
    functions: Mapping[str, Callable[..., Any]] | None = None,
    checkers: bool = True,
) -> Run:
    """Calls a function once, counting, and checks what must hold for every program."""
    passes = jit.DEFAULT_PIPELINE if pipeline is None else pipeline
    checked = with_checkers(passes) if checkers else passes
    module = jit.compile(program, checked, count=True, functions=functions)
    return call(module, function, arguments)


def with_checkers(pipeline: str) -> Sequence[ModulePass]:
    """The passes of a pipeline, with bufferization and deallocation checked as well."""
    known = dict(Universe.get_multiverse().all_passes)
    passes = PassPipeline.parse_spec(known, pipeline).passes
    return [checked for each in passes for checked in _with_checkers(each)]


def _with_checkers(module_pass: ModulePass) -> Iterator[ModulePass]:
    if isinstance(module_pass, OneShotBufferizePass):
        yield replace(module_pass, verify_result=True)
        return
    if not isinstance(module_pass, Pipeline):
        yield module_pass
        return
    for inner in module_pass.get_passes():
        yield from _with_checkers(inner)
    if isinstance(module_pass, BufferDeallocationPipeline | BufferizationPipeline):
        yield VerifyDeallocationPass(allow_undecided=False)


def call(module: jit.Module, function: str, arguments: Sequence[Any]) -> Run:
    """Calls a function of a counted module."""
    module.reset_stats()
    returned = module[function](*arguments)
    stats = module.stats()
    assert stats.invalid_frees == 0, stats
    assert stats.leaked_bytes == 0, stats
    results = returned if isinstance(returned, tuple) else (returned,)
    if returned is None:
        results = ()
    copies = tuple(np.array(r) if isinstance(r, np.ndarray) else r for r in results)
    del returned, results
    after = module.stats()
    if after.live_bytes:
        # Something refers to an array in a cycle, such as a traceback.
        gc.collect()
        after = module.stats()
    assert after.live_bytes == 0, after
    assert after.allocations == after.frees, after
    return Run(copies, stats)


def call_with_outs(
    module: jit.Module, function: str, arguments: Sequence[Any], program: str
) -> Run:
    """Calls a function of which results may be arguments now, before its arenas: either
    no tensor of static size that the program returns, or all."""
    compiled = module[function]
    extra = compiled.signature.parameters[len(arguments) :]
    count = len(extra) - len(compiled.arenas)
    provided = [_provide(parameter) for parameter in extra]
    done = call(module, function, [*arguments, *provided])
    outs, rest = provided[:count], [*done.results]
    merged = tuple(
        (outs if is_static and count else rest).pop(0)
        for is_static in _static_results(program, function)
    )
    assert not outs
    assert not rest
    return Run(merged, done.stats)


def _static_results(program: str, function: str) -> Iterator[bool]:
    """Whether each result is a tensor of static size."""
    _, module = parse(program)
    for op in module.ops:
        if isinstance(op, FuncOp) and op.sym_name.data == function:
            for type_ in op.function_type.outputs:
                yield isinstance(type_, TensorType) and type_.has_static_shape()


def _provide(parameter: object) -> Any:
    """An array for a parameter, full of what no program computes."""
    assert isinstance(parameter, Buffer)
    shape = [size or 0 for size in parameter.shape]
    dtype = parameter.element.dtypes[0]
    memory = aligned_bytes(math.prod(shape) * dtype.itemsize, parameter.alignment)
    memory.fill(0x5A if dtype.kind != "b" else 1)
    return memory.view(dtype).reshape(shape)


def check(
    program: Program,
    arguments: Sequence[Any],
    *expected: Any,
    rtol: float = 1e-5,
    function: str = "main",
    pipeline: str | None = None,
    functions: Mapping[str, Callable[..., Any]] | None = None,
    checkers: bool = True,
) -> jit.Stats:
    """Runs a program and compares its results with those expected, one each.

    Integers must be equal, floats equal within `rtol`. Types and shapes must agree.
    Without `checkers` only the numbers count: there are right programs that these reject.
    """
    done = run(
        program,
        arguments,
        function=function,
        pipeline=pipeline,
        functions=functions,
        checkers=checkers,
    )
    compare(done.results, expected, rtol)
    return done.stats


def compare(results: Sequence[Any], expected: Sequence[Any], rtol: float = 1e-5) -> None:
    """See `check`."""
    assert len(results) == len(expected)
    for result, want in zip(results, expected, strict=True):
        if isinstance(want, np.ndarray):
            assert result.dtype == want.dtype
            assert result.shape == want.shape
        if np.asarray(want).dtype.kind in "fcV":
            np.testing.assert_allclose(result, want, rtol=rtol, atol=rtol)
        else:
            np.testing.assert_array_equal(result, want)


def aligned_bytes(size: int, alignment: int, shift: int = 0) -> Any:
    """So many zeros, at a multiple of the alignment or `shift` bytes after it."""
    memory = np.zeros(size + shift + alignment, "i1")
    return memory[-memory.ctypes.data % alignment + shift :][:size]


def random(*shape: int, dtype: str = "f4", seed: int = 0) -> Any:
    """Numbers between -1 and 1, or between -100 and 99; the same for the same call."""
    numbers = np.random.default_rng([seed, *shape])
    if np.dtype(dtype).kind in "iu":
        return numbers.integers(-100, 100, shape).astype(dtype)
    return (numbers.random(shape) * 2 - 1).astype(dtype)
