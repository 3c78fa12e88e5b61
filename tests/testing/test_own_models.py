"""Models of this package pass the kit, as a fixture and as a command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from xdsl_bufferization.testing import OpCase
from xdsl_bufferization.testing.__main__ import main
from xdsl_bufferization.testing.plugin import check_bufferization as check_bufferization

T, P = "tensor<4xf32>", "tensor<2xf32>"

CASES = {
    "insert": OpCase(
        f"%r = tensor.insert %x into %t[%i] : {T}", {"%x": "f32", "%t": T, "%i": "index"}
    ),
    "extract": OpCase(f"%r = tensor.extract %t[%i] : {T}", {"%t": T, "%i": "index"}),
    "extract_slice": OpCase(
        f"%r = tensor.extract_slice %t[1] [2] [1] : {T} to {P}", {"%t": T}
    ),
    "insert_slice": OpCase(
        f"%r = tensor.insert_slice %s into %t[1] [2] [1] : {P} into {T}",
        {"%s": P, "%t": T},
    ),
    "expand_shape": OpCase(
        f"%r = tensor.expand_shape %t [[0, 1]] output_shape [2, 2] : {T} into "
        "tensor<2x2xf32>",
        {"%t": T},
    ),
    "reshape": OpCase(
        f"%r = tensor.reshape %t(%s) : ({T}, tensor<2xindex>) -> tensor<2x2xf32>",
        {"%t": T, "%s": "tensor<2xindex>"},
        integers=(2, 3),
    ),
    "from_elements": OpCase(f"%r = tensor.from_elements %x, %x : {P}", {"%x": "f32"}),
    "empty": OpCase(f"%r = tensor.empty() : {T}", {}),
    "constant": OpCase(f"%r = arith.constant dense<1.0> : {T}", {}),
    "select": OpCase(
        f"%r = arith.select %c, %a, %b : {T}", {"%c": "i1", "%a": T, "%b": T}
    ),
    "fill": OpCase(
        f"%r = linalg.fill ins(%x : f32) outs(%t : {T}) -> {T}", {"%x": "f32", "%t": T}
    ),
    "add": OpCase(
        f"%r = linalg.add ins(%a, %b : {T}, {T}) outs(%t : {T}) -> {T}",
        {"%a": T, "%b": T, "%t": T},
        meaning=lambda a, b, t: a + b,
    ),
    "if": OpCase(
        f"""%r = scf.if %c -> ({T}) {{
          scf.yield %a : {T}
        }} else {{
          scf.yield %b : {T}
        }}""",
        {"%c": "i1", "%a": T, "%b": T},
    ),
    "for": OpCase(
        f"""%c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> ({T}) {{
          %w = tensor.insert %x into %a[%i] : {T}
          scf.yield %w : {T}
        }}""",
        {"%x": "f32", "%t": T, "%n": "index"},
        integers=(2, 4),
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_models_of_this_package_pass(
    case: OpCase, check_bufferization: Callable[[OpCase], None]
) -> None:
    check_bufferization(case)


def test_the_command_prints_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    head = "from xdsl_bufferization.testing import OpCase\n"
    text = f"'%r = arith.constant dense<1.0> : {T}', {{}}"
    (tmp_path / "right_cases.py").write_text(f"{head}one = OpCase({text})\n")
    (tmp_path / "wrong_cases.py").write_text(
        f"{head}two = OpCase({text}, meaning=lambda: [2.0] * 4)\n"
    )
    assert main(["right_cases"]) == 0
    assert "right_cases.one: right" in capsys.readouterr().out
    assert main(["wrong_cases"]) == 1
    printed = capsys.readouterr().out
    assert "wrong_cases.two: 1 wrong" in printed
    assert "not what the op means" in printed
