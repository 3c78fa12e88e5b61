"""The report: numbers, limits, remarks as data, the page."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
from xdsl.utils.exceptions import ParseError, PassFailedException
from xdsl.xdsl_opt_main import xDSLOptMain

from tests.remarks.test_remarks import CHOICE, UPDATE
from xdsl_bufferization import Report, explain, parse
from xdsl_bufferization.report import explanation
from xdsl_bufferization.report.__main__ import main
from xdsl_bufferization.report.checks import parse_limits
from xdsl_bufferization.report.page import to_html

TWO = """\
func.func private @callee(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<256xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %1 = tensor.extract %0[%c0] : tensor<256xf32>
  return %1 : f32
}
func.func @caller(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<512xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  %1 = func.call @callee(%x) : (f32) -> f32
  %2 = tensor.extract %0[%c0] : tensor<512xf32>
  %3 = arith.addf %1, %2 : f32
  return %3 : f32
}
"""
DYNAMIC = """\
func.func @f(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.extract %0[%c0] : tensor<?xf32>
  return %1 : f32
}
"""


def page_data(report: Report) -> dict[str, Any]:
    found = re.search(r"^const data = (.*);$", to_html(report), re.MULTILINE)
    assert found is not None
    return json.loads(found[1])


@pytest.fixture(autouse=True)
def passes_that_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports of programs with a copy: bufferization-pipeline may spare it."""
    passes = "one-shot-bufferize{bufferize-function-boundaries}"
    monkeypatch.setattr(
        explanation, "DEFAULT_PASSES", f"{passes},buffer-deallocation-pipeline"
    )


# ---------------------------------------------------------------------------------------
# From Python


def test_numbers_of_a_report() -> None:
    report = explain(UPDATE)
    (copy,) = report.copies
    assert copy.bytes == 32
    (allocation,) = report.allocations
    assert (allocation.name, allocation.function) == ("%once", "update")
    assert (allocation.bytes, allocation.is_freed) == (32, True)
    assert report.peak is not None
    assert (report.peak.bytes, report.peak.live) == (32, (allocation,))
    assert report.bytes_copied == 32
    assert report.summary == ("1 copy, 32 bytes, 1 allocation, peak 32 bytes (estimated)")
    assert str(report).endswith(report.summary)


def test_a_path_is_read_and_a_module_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "update.mlir"
    file.write_text(UPDATE)
    (copy,) = explain(file).copies
    assert copy.place.position == f"{file}:2:11"
    assert len(explain(str(file)).copies) == 1
    module = parse(UPDATE)
    before = str(module)
    assert len(explain(module).copies) == 1
    assert str(module) == before


def test_the_passes_can_be_chosen() -> None:
    assert len(explain(UPDATE, "one-shot-bufferize").copies) == 1
    assert not explain(UPDATE, "one-shot-bufferize{test-analysis-only}").copies
    with pytest.raises(PassFailedException, match="passes 'no-such-pass'"):
        explain(UPDATE, "no-such-pass")


def test_a_program_without_tensors_is_reported_as_it_is() -> None:
    report = explain("""
    func.func @f() {
      %0 = memref.alloc() : memref<4xi64>
      memref.dealloc %0 : memref<4xi64>
      return
    }""")
    assert report.passes == ""
    assert [remark.reason.code for remark in report.remarks] == ["program"]
    assert report.peak is not None and report.peak.bytes == 32


def test_a_program_that_does_not_parse() -> None:
    with pytest.raises(ParseError):
        explain("func.func @f(\n")


def test_the_peak_of_a_caller_has_that_of_its_callee() -> None:
    report = explain(TWO)
    peaks = {memory.name: memory.peak.bytes for memory in report.functions}
    assert peaks == {"callee": 1024, "caller": 3072}


def test_buffers_that_do_not_live_together_do_not_add_up() -> None:
    report = explain("""
    func.func @f() {
      %0 = memref.alloc() : memref<4xi64>
      memref.dealloc %0 : memref<4xi64>
      %1 = memref.alloc() : memref<6xi64>
      memref.dealloc %1 : memref<6xi64>
      return
    }""")
    assert report.peak is not None and report.peak.bytes == 48
    assert [a.bytes for a in report.peak.live] == [48]


def test_a_size_at_run_time_makes_the_peak_a_lower_bound() -> None:
    peak = explain(DYNAMIC).peak
    assert peak is not None and not peak.is_complete
    assert "at least 0 bytes" in explain(DYNAMIC).summary


UNKNOWN = """
func.func private @fill(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %0[%c0] : memref<?xf32>
  %1 = memref.load %0[%c0] : memref<?xf32>
  memref.dealloc %0 : memref<?xf32>
  return %1 : f32
}
"""
KNOWN = """
func.func private @known(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = memref.alloc() : memref<SIZExf32>
  memref.store %x, %0[%c0] : memref<SIZExf32>
  %1 = memref.load %0[%c0] : memref<SIZExf32>
  memref.dealloc %0 : memref<SIZExf32>
  return %1 : f32
}
"""


@pytest.mark.parametrize("size", [0, 8])
@pytest.mark.parametrize("is_first", [False, True])
def test_one_unknown_peak_makes_that_of_the_program_a_lower_bound(
    size: int, is_first: bool
) -> None:
    known = KNOWN.replace("SIZE", str(size))
    report = explain(UNKNOWN + known if is_first else known + UNKNOWN)
    assert report.peak is not None
    assert (report.peak.bytes, report.peak.is_complete) == (4 * size, False)
    assert f"peak at least {4 * size} bytes" in report.summary
    assert f"peak at least {4 * size} bytes" in page_data(report)["summary"]
    (limit,) = parse_limits("peak<=1kB")
    assert not limit.check(report)[0]


RECURSIVE = """
func.func @main(%n: index) {
  call @first(%n) : (index) -> ()
  return
}
func.func private @first(%n: index) {
  BODY
  call @second(%n) : (index) -> ()
  return
}
func.func private @second(%n: index) {
  %c1 = arith.constant 1 : index
  %more = arith.cmpi sgt, %n, %c1 : index
  scf.if %more {
    %less = arith.subi %n, %c1 : index
    func.call @CALLEE(%less) : (index) -> ()
  }
  return
}
"""
BODY = """
  %0 = memref.alloc() : memref<4xi64>
  memref.dealloc %0 : memref<4xi64>
"""


@pytest.mark.parametrize(
    ("body", "callee", "peak"),
    [
        ("", "first", (0, True)),
        (BODY, "first", (32, False)),
        ("", "second", (0, True)),
        # Here the function that allocates is not recursive.
        (BODY, "second", (32, True)),
    ],
)
def test_the_peak_of_recursion_that_allocates_is_not_known(
    body: str, callee: str, peak: tuple[int, bool]
) -> None:
    report = explain(RECURSIVE.replace("BODY", body).replace("CALLEE", callee))
    main = report.functions[0].peak
    assert report.peak is not None
    assert (main.bytes, main.is_complete) == peak
    assert (report.peak.bytes, report.peak.is_complete) == peak


@pytest.mark.parametrize(
    ("program", "is_complete"),
    [
        (
            """
            func.func private @print(f32)
            func.func @f(%x: f32) {
              call @print(%x) : (f32) -> ()
              return
            }
            """,
            True,
        ),
        (
            """
            func.func private @make() -> memref<4xf32>
            func.func @f() {
              %0 = call @make() : () -> memref<4xf32>
              memref.dealloc %0 : memref<4xf32>
              return
            }
            """,
            False,
        ),
        (
            """
            func.func @f(%g: () -> ()) {
              call_indirect %g() : () -> ()
              return
            }
            """,
            False,
        ),
    ],
)
def test_the_peak_of_unknown_callees(program: str, is_complete: bool) -> None:
    peak = explain(program).peak
    assert peak is not None and peak.is_complete is is_complete


# ---------------------------------------------------------------------------------------
# The command line


@pytest.fixture
def update(tmp_path: Path) -> Path:
    file = tmp_path / "update.mlir"
    file.write_text(UPDATE)
    return file


@pytest.mark.parametrize(
    ("limits", "code", "words"),
    [
        ("copies<=1,peak<=1KiB", 0, "ok: copies is 1, peak is 32 bytes (estimated)"),
        ("copies<1", 1, "limit not met: copies is 1, must be < 1"),
        ("bytes-copied==32B, allocations>=1", 0, "bytes-copied is 32 bytes"),
        ("peak>1kB", 1, "must be > 1000 bytes"),
    ],
)
def test_limits(
    update: Path,
    limits: str,
    code: int,
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([str(update), "--check", limits]) == code
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{update}: ") and words in line


def test_checks_at_run_time_can_be_limited() -> None:
    report = explain(CHOICE, "buffer-deallocation-pipeline")
    (limit,) = parse_limits("ownership-checks<=0")
    assert limit.check(report) == (False, "ownership-checks is 1")
    (check,) = report.ownership_checks
    assert "is decided at run time" in check.message


def test_what_is_known_at_run_time_only_satisfies_no_limit() -> None:
    (limit,) = parse_limits("peak>=0")
    assert limit.check(explain(DYNAMIC)) == (
        False,
        "peak depends on what is known only at run time",
    )


@pytest.mark.parametrize("text", ["", "copies", "copies<=x", "speed<=1", "copies<=1,"])
def test_what_is_no_limit(
    update: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match="is not a limit: expected one of copies"):
        parse_limits(text)
    if text:
        assert main([str(update), "--check", text]) == 2
        assert "is not a limit" in capsys.readouterr().err


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such-file.mlir"]) == 2
    assert "no-such-file.mlir" in capsys.readouterr().err


def test_a_file_that_is_not_text_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bytes.mlir"
    path.write_bytes(b"\xff\xfe")
    assert main([str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"error: '{path}' is not text in UTF-8")


# ---------------------------------------------------------------------------------------
# Targets


def emit(update: Path, target: str, output: Path) -> str:
    xDSLOptMain(args=[str(update), "-t", target, "-o", str(output)]).run()
    return output.read_text()


def test_remarks_as_yaml(update: Path, tmp_path: Path) -> None:
    text = emit(update, "bufferization-remarks", tmp_path / "remarks.yaml")
    documents = text.split("...\n")
    assert documents.pop() == ""
    assert [d.splitlines()[0] for d in documents] == [
        "--- !Missed",
        "--- !Missed",
        "--- !Passed",
    ]
    copy = documents[1].splitlines()
    assert copy[1:5] == [
        "Pass: 'one-shot-bufferize'",
        "Name: 'Copy'",
        f"DebugLoc: {{ File: '{update}', Line: 2, Column: 11 }}",
        "Function: 'update'",
    ]
    assert "  - Bytes: '32'" in copy


def test_remarks_as_json(update: Path, tmp_path: Path) -> None:
    text = emit(update, "bufferization-remarks{format=json}", tmp_path / "remarks.json")
    _, copy, success = json.loads(text)
    assert (copy["kind"], copy["name"], copy["bytes"]) == ("missed", "Copy", 32)
    assert copy["places"]["read"] == {
        "op": "tensor.extract",
        "value": "%t",
        "function": "update",
        "file": str(update),
        "line": 4,
        "column": 10,
    }
    assert success["kind"] == "passed"


def test_the_page_as_a_target_and_from_the_command_line(
    update: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = emit(update, "bufferization-report", tmp_path / "target.html")
    other = tmp_path / "command.html"
    assert main([str(update), "-o", str(other)]) == 0
    assert capsys.readouterr().out.startswith("1 copy, 32 bytes")
    assert other.read_text() == page


# ---------------------------------------------------------------------------------------
# The page


def test_the_page_needs_no_network() -> None:
    page = to_html(explain(UPDATE))
    assert "default-src 'none'" in page
    urls = set(re.findall(r"https?://[^\"' ]+", page))
    assert urls == {"http://www.w3.org/2000/svg"}, "the name of SVG, never fetched"
    assert not re.search(r"<(script|img|iframe)[^>]*\bsrc=", page)


def test_lines_are_linked_to_the_lines_that_they_come_from() -> None:
    report = explain(UPDATE)
    source, result = UPDATE.splitlines(), report.result.text.splitlines()
    linked = {
        result[index].strip().split("(")[0]: source[line - 1].strip().split(" ")[0]
        for index, line in enumerate(report.links)
        if line
    }
    assert linked["%once = memref.alloc"] == "%once"
    assert linked["memref.copy %t, %once : memref<8xf32, strided<[?], offset: ?>> to "
                  "memref<8xf32>"] == "%once"  # fmt: skip
    assert linked["func.return %new : f32"] == "return"


def test_the_page_holds_what_the_report_says() -> None:
    data = page_data(explain(UPDATE))
    assert data["source"] == UPDATE
    subjects = [(r["subject"], r["bytes"], r["kind"]) for r in data["remarks"]]
    assert subjects == [("allocation", 32, "missed"), ("copy", 32, "missed")]
    assert data["passed"] == [[5, 1]]
    (function,) = data["functions"]
    assert (function["name"], function["peak"], function["live"]) == ("update", 32, [0])


def test_text_of_the_program_cannot_end_the_script() -> None:
    text = UPDATE.replace("{\n", "{ // </script><script>alert(1)</script> <!--\n", 1)
    report = explain(text)
    page = to_html(report)
    assert page.count("</script>") == 1
    assert page_data(report)["source"] == text


def big_program(inserts: int) -> str:
    lines = [
        f"  %{n + 1} = tensor.insert %x into %{n if n else 't'}[%i] : tensor<8xf32>"
        for n in range(inserts)
    ]
    return "\n".join(
        [
            "func.func @f(%t: tensor<8xf32>, %i: index, %x: f32) -> tensor<8xf32> {",
            *lines,
            f"  return %{inserts} : tensor<8xf32>",
            "}",
            "",
        ]
    )


def test_ten_thousand_ops_make_less_than_three_megabytes() -> None:
    assert len(to_html(explain(big_program(10_000))).encode()) < 3_000_000


def test_each_copy_that_is_explained_has_a_small_picture() -> None:
    docs = Path(__file__).parent.parent.parent / "docs"
    text = (docs / "why-a-copy.md").read_text().split("## Ten copies", 1)[1]
    sections = text.split("\n### ")[1:]
    assert len(sections) == 10
    for section in sections:
        (name,) = re.findall(r"!\[.*\]\((img/copies/.*\.png)\)", section)
        assert (docs / name).stat().st_size < 50_000


def test_notebooks_show_the_page_in_a_frame() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown = explain(UPDATE)._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert shown.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert "<script" not in shown


def test_memory_on_the_stack_is_no_allocation() -> None:
    report = explain(
        """
        func.func @f(%x: f64, %i: index) -> f64 {
          %0 = memref.alloca() : memref<4xf64>
          memref.store %x, %0[%i] : memref<4xf64>
          %1 = memref.load %0[%i] : memref<4xf64>
          return %1 : f64
        }
        """
    )
    assert report.allocations == ()
    assert report.peak is not None
    assert (report.peak.bytes, report.peak.on_stack) == (32, 32)
    assert report.summary.endswith(
        "peak 32 bytes (estimated), 32 bytes of them on the stack"
    )
    (remark,) = report.remarks
    assert "allocates 32 bytes on the stack" in remark.message
    assert "on the stack: the program asks for it\n" in str(report)


CHAIN = """\
func.func @main(%x: memref<64xf32>) {
  %0 = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
  %1 = memref.alloc() : memref<64xf32>
  linalg.exp ins(%0 : memref<64xf32>) outs(%1 : memref<64xf32>)
  linalg.exp ins(%1 : memref<64xf32>) outs(%x : memref<64xf32>)
  memref.dealloc %0 : memref<64xf32>
  memref.dealloc %1 : memref<64xf32>
  return
}
"""


@pytest.mark.parametrize("arena", ["allocate", "argument", "stack"])
def test_an_arena_counts_wherever_it_is(
    arena: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A limit on the peak is not met because somebody else provides the memory."""
    file = tmp_path / "chain.mlir"
    file.write_text(CHAIN)
    passes = f"plan-memory{{arena={arena}}}"
    assert main([str(file), "-p", passes, "--check", "peak<=511"]) == 1
    assert "peak is 512 bytes (estimated), must be" in capsys.readouterr().out
    report = explain(CHAIN, passes)
    assert report.peak is not None
    assert report.peak.passed == (512 if arena == "argument" else 0)
    assert report.peak.on_stack == (512 if arena == "stack" else 0)
    (live,) = report.peak.live
    assert live.name == "%arena"
    assert len(report.allocations) == (arena == "allocate")
    if arena == "argument":
        assert report.summary.endswith(", 512 bytes of them in arenas of the caller")


def test_an_arena_that_a_caller_in_the_program_passes_counts_once() -> None:
    program = (
        CHAIN
        + """
    func.func @caller(%x: memref<64xf32>) {
      func.call @main(%x) : (memref<64xf32>) -> ()
      return
    }
    """
    )
    report = explain(program, "plan-memory{arena=argument}")
    assert [memory.peak.bytes for memory in report.functions] == [512, 512]
    assert [memory.peak.passed for memory in report.functions] == [512, 512]


def test_an_arena_of_any_size_has_no_peak() -> None:
    report = explain(
        """
        func.func @main(%arena: memref<?xi8>) attributes {arena_alignments = [64 : i64]} {
          return
        }
        """
    )
    assert report.peak is not None and not report.peak.is_complete


def test_memory_on_the_stack_ends_with_its_scope() -> None:
    report = explain(
        """
        func.func @f(%x: f64, %i: index) {
          memref.alloca_scope {
            %0 = memref.alloca() : memref<4xf64>
            memref.store %x, %0[%i] : memref<4xf64>
          }
          memref.alloca_scope {
            %1 = memref.alloca() : memref<2xf64>
            memref.store %x, %1[%i] : memref<2xf64>
          }
          return
        }
        """,
        "",
    )
    assert report.peak is not None and report.peak.bytes == 32
