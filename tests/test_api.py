"""The functions of the package itself: xdsl_bufferization.bufferize and its like."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import get_type_hints

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ParseError, PassFailedException, VerifyException

import xdsl_bufferization
from xdsl_bufferization import api
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.pipelines import BufferDeallocationPipeline, LowerToLLVMPipeline
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass

INSERT = """
func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) -> tensor<4xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
ALLOCATION = """
func.func private @use(memref<4xf32>)
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  call @use(%a) : (memref<4xf32>) -> ()
  return
}"""


def names(module: ModuleOp) -> set[str]:
    return {op.name for op in module.walk()}


def test_bufferize_changes_and_returns_the_module() -> None:
    module = xdsl_bufferization.parse(INSERT)
    assert xdsl_bufferization.bufferize(module) is module
    assert "memref.store" in names(module)


def test_functions_take_text() -> None:
    assert "memref.dealloc" in names(xdsl_bufferization.deallocate(ALLOCATION))
    assert "llvm.func" in names(xdsl_bufferization.lower(ALLOCATION))


def test_options_reach_the_pass() -> None:
    text = str(
        xdsl_bufferization.bufferize(
            INSERT,
            bufferize_function_boundaries=True,
            function_boundary_type_conversion="identity-layout-map",
        )
    )
    assert "@f(%t: memref<4xf32>," in text


@pytest.mark.parametrize(
    ("options", "pass_class"),
    [
        (api.BufferizeOptions, OneShotBufferizePass),
        (api.DeallocateOptions, BufferDeallocationPipeline),
        (api.LowerOptions, LowerToLLVMPipeline),
    ],
)
def test_options_are_those_of_the_pass(
    options: type, pass_class: type[ModulePass]
) -> None:
    fields = {f.name for f in dataclasses.fields(pass_class) if f.init}
    assert set(get_type_hints(options)) == fields


def test_an_unknown_option_lists_those_there_are() -> None:
    untyped: Callable[..., ModuleOp] = xdsl_bufferization.bufferize
    with pytest.raises(TypeError, match=r"no option in_place.*copy_before_write"):
        untyped(INSERT, in_place=True)


def test_a_wrong_value_of_an_option_is_a_diagnostic() -> None:
    with pytest.raises(PassFailedException, match="buffer-alignment"):
        xdsl_bufferization.bufferize(INSERT, buffer_alignment=3)


def test_what_is_no_program_is_a_diagnostic() -> None:
    untyped: Callable[..., ModuleOp] = xdsl_bufferization.bufferize
    with pytest.raises(PassFailedException, match="expected a ModuleOp or MLIR text"):
        untyped(7)
    with pytest.raises(ParseError):
        xdsl_bufferization.bufferize("func.func @f(")
    with pytest.raises(VerifyException):
        xdsl_bufferization.bufferize(
            '"func.func"() ({ ^bb0(%x: f32): "func.return"() : () -> () }) '
            '{sym_name = "f", function_type = () -> ()} : () -> ()'
        )


def test_verify_leaves_the_program_as_it_is() -> None:
    module = xdsl_bufferization.parse(INSERT)
    before = str(module)
    xdsl_bufferization.verify(module, bufferize_function_boundaries=True)
    assert str(module) == before


def test_verify_checks_deallocations_of_a_program_on_memrefs() -> None:
    with pytest.raises(PassFailedException, match="not freed"):
        xdsl_bufferization.verify(ALLOCATION)
    xdsl_bufferization.verify(xdsl_bufferization.deallocate(ALLOCATION))


def test_the_version_is_that_of_the_installed_package() -> None:
    assert xdsl_bufferization.__version__ == version("xdsl-bufferization")


def test_every_public_name_is_there() -> None:
    for name in xdsl_bufferization.__all__:
        assert getattr(xdsl_bufferization, name) is not None
    assert set(xdsl_bufferization.__all__) <= set(dir(xdsl_bufferization))
    with pytest.raises(AttributeError, match="no attribute 'bufferise'"):
        _ = getattr(xdsl_bufferization, "bufferise")  # noqa: B009


def test_importing_the_package_imports_nothing_else() -> None:
    script = (
        "import sys; before = set(sys.modules); import xdsl_bufferization; "
        "print([n for n in set(sys.modules) - before if n.startswith('xdsl')])"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    assert run.stdout.strip() == "['xdsl_bufferization']"


def test_a_name_of_an_earlier_version_can_be_imported() -> None:
    from xdsl_bufferization.analysis.one_shot import state

    with pytest.warns(DeprecationWarning, match="is DefaultAnalysisState now"):
        earlier = state.AnalysisState
    assert earlier is state.DefaultAnalysisState
    with pytest.raises(AttributeError, match="has no attribute 'NoSuchState'"):
        _ = state.NoSuchState
