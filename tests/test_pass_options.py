"""Values of pass options: those of mlir-opt are read, others refused with the choices."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.pipelines import TensorToLLVMPipeline
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass

PASSES: dict[str, Callable[[], type[ModulePass]]] = Universe.get_multiverse().all_passes

ALIGNMENT = "a power of two, or 0 for none"
HEURISTICS = "bottom-up, top-down, bottom-up-from-terminators, cheapest or fuzzer"
LAYOUTS = "infer-layout-map, identity-layout-map or fully-dynamic-layout-map"
UNSIGNED = "an integer from 0 to 4294967295"


def read(spec: str) -> ModulePass:
    (parsed,) = parse_pipeline(spec)
    return PASSES[parsed.name]().from_spec(parsed)


@pytest.mark.parametrize(
    ("name", "option", "value", "choices"),
    [
        ("one-shot-bufferize", "check-parallel-regions", "maybe", "true or false"),
        ("one-shot-bufferize", "check-parallel-regions", "1,0", "true or false"),
        ("tensor-to-llvm-pipeline", "use-aligned-alloc", "2", "true or false"),
        ("one-shot-bufferize", "buffer-alignment", "3", ALIGNMENT),
        ("one-shot-bufferize", "buffer-alignment", "-1", ALIGNMENT),
        ("one-shot-bufferize", "buffer-alignment", "64,32", ALIGNMENT),
        ("one-shot-bufferize", "buffer-alignment", "16.0", ALIGNMENT),
        ("one-shot-bufferize", "buffer-alignment", "true", ALIGNMENT),
        ("one-shot-bufferize", "buffer-alignment", str(2**63), ALIGNMENT),
        ("tensor-to-llvm-pipeline", "buffer-alignment", "48", ALIGNMENT),
        ("one-shot-bufferize", "analysis-fuzzer-seed", "-1", UNSIGNED),
        ("one-shot-bufferize", "analysis-fuzzer-seed", str(2**32), UNSIGNED),
        ("promote-buffers-to-stack", "max-alloc-size-in-bytes", "big", UNSIGNED),
        ("one-shot-bufferize", "analysis-heuristic", "sideways", HEURISTICS),
        ("verify-bufferization", "analysis-heuristic", "7", HEURISTICS),
        ("one-shot-bufferize", "function-boundary-type-conversion", "round", LAYOUTS),
        ("tensor-to-llvm-pipeline", "function-boundary-type-conversion", "x", LAYOUTS),
        (
            "one-shot-bufferize",
            "unknown-type-conversion",
            "infer-layout-map",
            "fully-dynamic-layout-map or identity-layout-map",
        ),
        ("generate-runtime-verification", "verbose-level", "2", "0 or 1"),
        ("lower-to-llvm-pipeline", "index-bitwidth", "7", "8, 16, 32 or 64"),
    ],
)
def test_wrong_value(name: str, option: str, value: str, choices: str) -> None:
    with pytest.raises(PassFailedException) as error:
        read(f"{name}{{{option}={value}}}")
    assert str(error.value) == f"{name}: {option} is '{value}'; it must be {choices}"


@pytest.mark.parametrize("option", ["buffer-alignment", "dialect-filter"])
def test_no_value(option: str) -> None:
    with pytest.raises(PassFailedException, match=f"{option} has no value; it must be"):
        read(f"one-shot-bufferize{{{option}}}")


@pytest.mark.parametrize(("value", "meaning"), [("0", 0), ("1", 1), ("0x40", 64)])
def test_alignment(value: str, meaning: int) -> None:
    expected = OneShotBufferizePass(buffer_alignment=meaning)
    assert read(f"one-shot-bufferize{{buffer-alignment={value}}}") == expected


def test_names_in_a_list_may_look_like_other_values() -> None:
    expected = OneShotBufferizePass(no_analysis_func_filter=("1", "true", "f"))
    assert read("one-shot-bufferize{no-analysis-func-filter=1,true,f}") == expected


def test_wrong_value_from_python() -> None:
    with pytest.raises(PassFailedException, match=r"analysis-heuristic is 'sideways'"):
        OneShotBufferizePass(analysis_heuristic="sideways")  # pyright: ignore[reportArgumentType]


def test_options_of_a_pipeline_are_checked_where_it_is_made() -> None:
    with pytest.raises(PassFailedException, match=r"^tensor-to-llvm-pipeline: buffer-a"):
        TensorToLLVMPipeline(buffer_alignment=3)
