"""The process is as before when a pass is done, whatever happened in it."""

import gc
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException

from benchmarks import programs
from xdsl_bufferization import bufferize, explain, jit
from xdsl_bufferization.large_programs import deep_nesting, large_programs
from xdsl_bufferization.transforms.one_shot_bufferize import BufferizationOptions
from xdsl_bufferization.transforms.utils.one_shot_bufferization import (
    run_one_shot_bufferize,
)
from xdsl_bufferization.universe import new_context

UNKNOWN = """
func.func @main(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_inside_recursion_is_deep_and_the_collector_rests() -> None:
    limit = sys.getrecursionlimit()
    with large_programs():
        with large_programs():
            pass
        assert sys.getrecursionlimit() > limit
        assert not gc.isenabled()
    assert sys.getrecursionlimit() == limit
    assert gc.isenabled()


@pytest.mark.parametrize("state", [deep_nesting, large_programs])
def test_two_threads_may_end_in_any_order(
    state: Callable[[], AbstractContextManager[None]],
) -> None:
    limit = sys.getrecursionlimit()
    first, second = state(), state()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert sys.getrecursionlimit() > limit
    assert gc.isenabled() == (state is deep_nesting)
    second.__exit__(None, None, None)
    assert sys.getrecursionlimit() == limit
    assert gc.isenabled()


def test_a_collector_that_is_off_stays_off() -> None:
    gc.disable()
    try:
        with large_programs():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_pass_that_fails_leaves_the_process_as_it_was() -> None:
    ctx = new_context()
    ctx.allow_unregistered = True
    module = Parser(ctx, UNKNOWN).parse_module()
    limit = sys.getrecursionlimit()
    with pytest.raises(PassFailedException):
        run_one_shot_bufferize(
            module, BufferizationOptions(bufferize_function_boundaries=True)
        )
    assert sys.getrecursionlimit() == limit
    assert gc.isenabled()


@pytest.mark.parametrize("passes", ["canonicalize", "bufferization-pipeline"])
def test_xdsl_opt_reads_and_prints_deeply_nested_programs(
    tmp_path: Path, passes: str
) -> None:
    file = tmp_path / "nested.mlir"
    file.write_text(programs.deep_loops(250))
    command = [Path(sys.executable).with_name("xdsl-opt"), "-p", passes, file]
    printed = subprocess.run(command, capture_output=True, text=True, check=True)
    assert printed.stdout.count("scf.for") == 250


def test_functions_take_deeply_nested_programs() -> None:
    limit = sys.getrecursionlimit()
    text = programs.deep_loops(250).replace("to %c8", "to %c1")
    bufferize(text, bufferize_function_boundaries=True)
    assert explain(text).copies
    result = jit.compile(text)["main"](np.zeros(8, "f4"), 2.0)
    np.testing.assert_array_equal(result, [2, 0, 0, 0, 0, 0, 0, 0])
    assert sys.getrecursionlimit() == limit
