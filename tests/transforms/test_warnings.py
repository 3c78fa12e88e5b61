"""What passes warn of: filters that match nothing, and tensors without a buffer."""

from __future__ import annotations

import subprocess
import sys
import warnings

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.universe import Universe
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization import jit
from xdsl_bufferization.universe import new_context

FUNCTION = """
func.func @f(%m: memref<4xf32>) {
  return
}
"""


def run(text: str, passes: str) -> ModuleOp:
    context = new_context()
    context.allow_unregistered = True
    module = Parser(context, text).parse_module()
    available = Universe.get_multiverse().all_passes
    PassPipeline.parse_spec(available, passes).apply(context, module)
    return module


@pytest.mark.parametrize(
    ("passes", "message"),
    [
        ("one-shot-bufferize{dialect-filter=tensr}", "dialect-filter .*dialect 'tensr'"),
        ("verify-bufferization{dialect-filter=tensr}", "dialect-filter .*'tensr'"),
        (
            "one-shot-bufferize{bufferize-function-boundaries no-analysis-func-filter=g}",
            "no-analysis-func-filter .*function 'g'",
        ),
        (
            'ownership-based-buffer-deallocation{alloc-ops="memref.aloc"}',
            "alloc-ops .*op 'memref.aloc'",
        ),
        (
            'buffer-deallocation-pipeline{dealloc-ops="memref.free"}',
            "dealloc-ops .*op 'memref.free'",
        ),
    ],
)
def test_a_filter_that_matches_nothing(passes: str, message: str) -> None:
    name = passes.partition("{")[0].replace("buffer-deallocation-pipeline", "")
    with pytest.warns(UserWarning, match=f"{name}: {message}") as found:
        run(FUNCTION, passes)
    assert len(found) == 1


def test_names_that_may_be_meant() -> None:
    """The most similar ones, or else all if they are few."""
    text = """
    func.func @f(%x: memref<4xf32, "scratchpad">, %y: memref<4xf32, 1>, %z: memref<f32>) {
      return
    }
    """
    with pytest.warns(UserWarning, match=r"space 'scratch'\. Is 'scratchpad' meant\?$"):
        run(text, 'plan-memory{capacity="scratch:100"}')
    named = r"space 'L2'\. The program has '1', 'scratchpad', the default memory space"
    with pytest.warns(UserWarning, match=named):
        run(text, 'plan-memory{capacity="L2:100"}')
    with pytest.warns(UserWarning, match="dialect 'tensr'. Is 'tensor' meant"):
        run(RETURNED, "one-shot-bufferize{dialect-filter=tensr}")


def test_an_option_without_effect() -> None:
    with pytest.warns(UserWarning, match="stack-limit has no effect .* arena=stack as"):
        run(FUNCTION, "plan-memory{stack-limit=100}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(FUNCTION, "plan-memory{stack-limit=100 arena=stack},plan-memory")


@pytest.mark.parametrize(
    ("before", "printed"),
    [
        (
            "",
            "warning: plan-memory: capacity matches nothing: there is no memory space "
            "'7'",
        ),
        ("warnings.formatwarning = lambda *_: 'chosen\\n'", "chosen"),
    ],
)
def test_a_warning_is_printed_as_by_a_compiler(before: str, printed: str) -> None:
    """Unless the program has chosen a format. Here, pytest records warnings."""
    program = f"""
import warnings
from xdsl.dialects.builtin import ModuleOp
from xdsl_bufferization.transforms.plan_memory import plan_memory
{before}
chosen = warnings.formatwarning
plan_memory(ModuleOp([]), capacity={{"7": 100}})
assert warnings.formatwarning is chosen
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stderr == f"{printed}\n"


@pytest.mark.parametrize(
    "passes",
    [
        "one-shot-bufferize{dialect-filter=tensor,tosa,mine}",
        "one-shot-bufferize{bufferize-function-boundaries no-analysis-func-filter=f}",
        'ownership-based-buffer-deallocation{alloc-ops="memref.alloc","mine.op"}',
    ],
)
def test_a_filter_that_could_match(passes: str) -> None:
    text = FUNCTION.replace("  return", '  "mine.op"() : () -> ()\n  return')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(text, passes)


RETURNED = """
func.func @f(%x: f32) -> tensor<4xf32> {
  %0 = tensor.splat %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
CAST = """
func.func @f(%x: f32) -> tensor<?xf32> {
  %0 = tensor.splat %x : tensor<4xf32>
  %1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""
YIELDED = """
func.func @f(%c: i1, %x: f32, %t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.if %c -> tensor<4xf32> {
    %1 = tensor.splat %x : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
"""
IN_ANOTHER_BLOCK = """
func.func @f(%x: f32) {
  %0 = tensor.splat %x : tensor<4xf32>
  cf.br ^next
^next:
  "mine.use"(%0) : (tensor<4xf32>) -> ()
  return
}
"""
FORWARDED = """
func.func @f(%x: f32) {
  %0 = tensor.splat %x : tensor<4xf32>
  cf.br ^next(%0 : tensor<4xf32>)
^next(%1: tensor<4xf32>):
  "mine.use"(%1) : (tensor<4xf32>) -> ()
  return
}
"""


@pytest.mark.parametrize(
    ("text", "options", "user"),
    [
        (RETURNED, "", "func.return"),
        (CAST, "", "func.return"),
        (YIELDED, "", "func.return"),
        (YIELDED, "{dialect-filter=tensor}", "scf.yield"),
        (IN_ANOTHER_BLOCK, "{allow-unknown-ops}", "mine.use"),
        (FORWARDED, "{allow-unknown-ops}", "cf.br"),
    ],
)
def test_a_tensor_whose_buffer_is_freed(text: str, options: str, user: str) -> None:
    passes = f"one-shot-bufferize{options},ownership-based-buffer-deallocation"
    with pytest.warns(UserWarning, match="used after its buffer is freed") as found:
        run(text, passes)
    assert len(found) == 1
    assert user in str(found[0].message)
    assert "bufferize-function-boundaries" in str(found[0].message)


ARGUMENT = """
func.func @f(%m: memref<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
USED_WHILE_THERE = """
func.func @f(%x: f32, %c: i1) {
  %0 = tensor.splat %x : tensor<4xf32>
  scf.if %c {
    "mine.use"(%0) : (tensor<4xf32>) -> ()
  }
  return
}
"""
YIELDED_WHILE_THERE = """
func.func @f(%x: f32, %c: i1, %t: tensor<4xf32>) {
  %0 = tensor.splat %x : tensor<4xf32>
  %1 = scf.if %c -> tensor<4xf32> {
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  "mine.use"(%1) : (tensor<4xf32>) -> ()
  return
}
"""


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (ARGUMENT, "{allow-unknown-ops}"),
        (USED_WHILE_THERE, "{allow-unknown-ops}"),
        (YIELDED_WHILE_THERE, "{allow-unknown-ops dialect-filter=tensor}"),
        (RETURNED, "{bufferize-function-boundaries}"),
        (YIELDED, "{bufferize-function-boundaries}"),
    ],
)
def test_a_tensor_whose_buffer_is_there(text: str, options: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(text, f"one-shot-bufferize{options},ownership-based-buffer-deallocation")


UNDECIDED_FREE = """
    func.func @f(%n: index) {
      %c3 = arith.constant 3 : index
      %a = memref.alloc() : memref<4xf32>
      %more = arith.cmpi sgt, %n, %c3 : index
      scf.if %more { memref.dealloc %a : memref<4xf32> }
      %double = arith.muli %n, %n : index
      %less = arith.cmpi slt, %double, %c3 : index
      scf.if %less { memref.dealloc %a : memref<4xf32> }
      return
    }
    """


def test_undecided_deallocations() -> None:
    with pytest.warns(
        UserWarning, match=r"undecided, whether this is right: .*freed"
    ) as w:
        run(UNDECIDED_FREE, "verify-deallocation")
    assert "allow-undecided=false" in str(w[0].message)
    with pytest.raises(PassFailedException, match="undecided, whether this is right"):
        run(UNDECIDED_FREE, "verify-deallocation{allow-undecided=false}")
    with pytest.warns(UserWarning, match="undecided, whether this may happen: .*freed"):
        jit.compile(UNDECIDED_FREE, "lower-to-llvm-pipeline")
