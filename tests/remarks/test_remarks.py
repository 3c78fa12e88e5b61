"""Remarks: every copy and allocation of a pass says why it is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.dialects.builtin import (
    ModuleOp,
)
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.universe import Universe
from xdsl.xdsl_opt_main import xDSLOptMain

from xdsl_bufferization import explain
from xdsl_bufferization.remarks.active import collecting
from xdsl_bufferization.remarks.model import Remark, format_bytes
from xdsl_bufferization.remarks.printing import remark_texts
from xdsl_bufferization.universe import new_context

FUNCTIONS = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}"
)
IDENTITY = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops "
    "function-boundary-type-conversion=identity-layout-map}"
)
DEALLOCATED = f"{IDENTITY},buffer-deallocation-pipeline,convert-bufferization-to-memref"

UPDATE = """\
func.func @update(%t: tensor<8xf32>, %i: index, %x: f32) -> f32 {
  %once = tensor.insert %x into %t[%i] : tensor<8xf32>
  %c0 = arith.constant 0 : index
  %old = tensor.extract %t[%c0] : tensor<8xf32>
  %twice = tensor.insert %old into %once[%c0] : tensor<8xf32>
  %new = tensor.extract %twice[%i] : tensor<8xf32>
  return %new : f32
}
"""


CONSTANT = """\
func.func @f(%i: index, %x: f32) -> f32 {
  %c = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<8xf32>
  %0 = tensor.insert %x into %c[%i] : tensor<8xf32>
  %1 = tensor.extract %0[%i] : tensor<8xf32>
  return %1 : f32
}
"""


SWAP = """
    func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index)
        -> (tensor<8xf32>, tensor<8xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
          -> (tensor<8xf32>, tensor<8xf32>) {
        scf.yield %y, %x : tensor<8xf32>, tensor<8xf32>
      }
      return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
    }"""


def parse(text: str) -> ModuleOp:
    return Parser(new_context(), text, "p.mlir").parse_module()


def run(module: ModuleOp, passes: str) -> None:
    known = dict(Universe.get_multiverse().all_passes)
    PassPipeline.parse_spec(known, passes).apply(new_context(), module)


def remarks_on(text: str, passes: str = FUNCTIONS) -> list[Remark]:
    module = parse(text)
    with collecting(module) as log:
        run(module, passes)
        return log.remarks(module)


def copies(text: str, passes: str = FUNCTIONS) -> list[Remark]:
    """The remarks on copies that are there in the end."""
    return [
        remark
        for remark in remarks_on(text, passes)
        if remark.op is not None and remark.subject in ("copy", "clone")
    ]


def only_copy(text: str, passes: str = FUNCTIONS) -> Remark:
    (remark,) = copies(text, passes)
    return remark


# ---------------------------------------------------------------------------------------
# Reasons


def test_a_read_that_comes_later() -> None:
    remark = only_copy(UPDATE)
    assert remark.kind == "missed"
    assert remark.pass_name == "one-shot-bufferize"
    assert remark.bytes == 32
    assert remark.place.position == "p.mlir:2:11"
    assert remark.place.function == "update"
    assert remark.message == (
        "copies 32 bytes: tensor.insert would overwrite %t in place, but "
        "tensor.extract (p.mlir:4:10) reads the old contents afterwards"
    )
    assert (
        remark.hint == "move tensor.extract (p.mlir:4:10) before tensor.insert "
        "(p.mlir:2:11)"
    )


CHOSEN_BY = {
    "select": "%f = arith.select %c, %a1, %b1 : tensor<8xf32>",
    "if": """%f = scf.if %c -> tensor<8xf32> {
        scf.yield %a1 : tensor<8xf32>
      } else {
        scf.yield %b1 : tensor<8xf32>
      }""",
    "function": """%f = func.call @choose(%c, %a1, %b1)
        : (i1, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>""",
}


@pytest.mark.parametrize("choice", CHOSEN_BY)
def test_a_later_read_of_another_tensor_that_may_share_the_buffer(choice: str) -> None:
    """Without the choice, nothing reads what either insertion overwrites."""
    remark = only_copy(
        f"""
    func.func private @choose(%c: i1, %p: tensor<8xf32>, %q: tensor<8xf32>)
        -> tensor<8xf32> {{
      %0 = arith.select %c, %p, %q : tensor<8xf32>
      return %0 : tensor<8xf32>
    }}
    func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: i1, %i: index, %x: f32)
        -> f32 {{
      %a1 = tensor.insert %x into %a[%i] : tensor<8xf32>
      %b1 = tensor.insert %x into %b[%i] : tensor<8xf32>
      {CHOSEN_BY[choice]}
      %v = tensor.extract %f[%i] : tensor<8xf32>
      return %v : f32
    }}"""
    )
    assert remark.reason.code == "later-read-of-other"
    assert "would overwrite %b in place, but " in remark.message
    assert "afterwards reads %" in remark.message
    assert remark.message.endswith(", which may be in the same buffer")
    assert "old contents" not in remark.message


def test_a_read_of_another_tensor_in_a_later_iteration() -> None:
    text = """
    func.func @f(%b: tensor<8xf32>, %n: index, %i: index, %x: f32) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %b1 = tensor.insert %x into %b[%i] : tensor<8xf32>
      %s = scf.for %j = %c0 to %n step %c1 iter_args(%p = %x) -> (f32) {
        %old = tensor.extract %b1[%j] : tensor<8xf32>
        %0 = linalg.fill ins(%p : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
        %new = tensor.extract %0[%i] : tensor<8xf32>
        %sum = arith.addf %old, %new : f32
        scf.yield %sum : f32
      }
      return %s : f32
    }"""
    options = "bufferize-function-boundaries analysis-heuristic=top-down"
    remarks = remarks_on(text, f"one-shot-bufferize{{{options}}}")
    (remark,) = (each for each in remarks if each.kind == "missed")
    assert remark.reason.code == "next-iteration-of-other"
    assert remark.message == (
        "allocates 32 bytes: linalg.fill would overwrite %b in place, but tensor.extract "
        "(p.mlir:7:16) in a later iteration reads %b1, which may be in the same buffer"
    )


def test_no_hint_where_the_read_needs_the_result() -> None:
    text = """
    func.func @f(%t: tensor<8xindex>, %i: index) -> index {
      %0 = tensor.insert %i into %t[%i] : tensor<8xindex>
      %j = tensor.extract %0[%i] : tensor<8xindex>
      %k = tensor.extract %t[%j] : tensor<8xindex>
      return %k : index
    }"""
    assert only_copy(text).hint is None


def test_a_read_only_argument() -> None:
    text = """
    func.func @f(%t: tensor<8xf32> {bufferization.writable = false}, %i: index, %x: f32)
        -> tensor<8xf32> {
      %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
      return %0 : tensor<8xf32>
    }"""
    remark = only_copy(text)
    assert remark.reason.code == "read-only"
    assert "%t of func.func (p.mlir:2:5) must not be written" in remark.message
    assert remark.hint is not None
    assert "remove its attribute bufferization.writable = false" in remark.hint


def test_an_argument_of_a_function_that_is_not_bufferized() -> None:
    remark = only_copy(UPDATE, "one-shot-bufferize")
    assert remark.hint is None, "the later read is in the way, too"
    text = UPDATE.replace("tensor.extract %t[", "tensor.extract %once[")
    remark = only_copy(text, "one-shot-bufferize")
    assert remark.hint == "bufferize functions too: bufferize-function-boundaries"
    assert not copies(text, "one-shot-bufferize{bufferize-function-boundaries}")


def test_a_constant() -> None:
    text = """
    func.func @f(%i: index, %x: f32) -> tensor<8xf32> {
      %c = arith.constant dense<0.0> : tensor<8xf32>
      %0 = tensor.insert %x into %c[%i] : tensor<8xf32>
      return %0 : tensor<8xf32>
    }"""
    remark = only_copy(text)
    assert remark.reason.code == "read-only"
    assert (
        remark.hint == "fill a tensor.empty with linalg.fill in place of arith.constant "
        "(p.mlir:3:12)"
    )


def test_a_read_in_a_later_iteration() -> None:
    text = """
    func.func @f(%t: tensor<8xf32>, %n: index, %x: f32) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f32) {
        %old = tensor.extract %t[%i] : tensor<8xf32>
        %0 = tensor.insert %a into %t[%c0] : tensor<8xf32>
        %new = tensor.extract %0[%i] : tensor<8xf32>
        %sum = arith.addf %old, %new : f32
        scf.yield %sum : f32
      }
      return %s : f32
    }"""
    remark = only_copy(text)
    assert remark.reason.code == "next-iteration"
    assert remark.hint is None


def test_a_parallel_loop() -> None:
    text = """
    func.func @f(%t: tensor<8xf32>, %o: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
      %0 = scf.forall (%i) in (8) shared_outs(%a = %o) -> tensor<8xf32> {
        %1 = tensor.insert %x into %t[%i] : tensor<8xf32>
        %2 = tensor.extract_slice %1[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %2 into %a[%i] [1] [1]
            : tensor<1xf32> into tensor<8xf32>
        }
      }
      return %0 : tensor<8xf32>
    }"""
    codes = {remark.reason.code for remark in copies(text)}
    assert codes == {"parallel-loop", "contents"}


def test_what_a_loop_yields() -> None:
    found = copies(SWAP)
    assert {remark.reason.code for remark in found} == {"loop-yield"}
    assert {remark.place.position for remark in found} == {"p.mlir:8:9"}


def test_a_layout_that_a_function_demands() -> None:
    text = """
    func.func @f(%t: tensor<8x8xf32>) -> tensor<4x4xf32> {
      %0 = tensor.extract_slice %t[2, 2] [4, 4] [1, 1]
        : tensor<8x8xf32> to tensor<4x4xf32>
      return %0 : tensor<4x4xf32>
    }"""
    remark = only_copy(text, IDENTITY)
    assert remark.reason.code == "layout"
    assert "memref<4x4xf32>" in remark.message
    assert not copies(text, FUNCTIONS)


def test_a_layout_that_an_option_demands_of_arguments() -> None:
    text = """
    func.func @f(%t: tensor<8x8xf32>) -> tensor<64xf32> {
      %0 = tensor.collapse_shape %t [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
      return %0 : tensor<64xf32>
    }"""
    remark = only_copy(text)
    assert remark.hint == (
        "if callers of @f pass %t without gaps, let functions take such buffers only: "
        "function-boundary-type-conversion=identity-layout-map"
    )
    assert not copies(text, IDENTITY)


def test_loops_that_swap_buffers() -> None:
    hints = {remark.hint for remark in copies(SWAP)}
    assert hints == {
        "unroll scf.for (p.mlir:6:14) 2 times, after which each value is in the buffer "
        "that it came in"
    }


def test_no_hint_to_unroll_where_a_buffer_from_outside_is_yielded() -> None:
    text = SWAP.replace("scf.yield %y, %x", "scf.yield %y, %b")
    assert {remark.hint for remark in copies(text)} == {None}


CHOICE = """\
func.func private @use(memref<4xf32>)
func.func @f(%c: i1, %m: memref<4xf32>) {
  %0 = scf.if %c -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  func.call @use(%0) : (memref<4xf32>) -> ()
  return
}
"""


def test_a_check_at_run_time_of_who_owns_a_buffer() -> None:
    passes = "buffer-deallocation-pipeline"
    (check,) = (r for r in remarks_on(CHOICE, passes) if r.subject == "check")
    assert check.reason.code == "ownership-check"
    assert check.place.position == "p.mlir:10:3"
    assert (check.bytes, check.name) == (None, "Check")
    assert check.op is not None and check.op.name == "scf.if"


def test_a_check_names_the_memref_whose_base_buffer_is_freed() -> None:
    text = """
    func.func @f(%m: memref<4xf32>, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%given = %m) -> (memref<4xf32>) {
        %new = memref.alloc() : memref<4xf32>
        memref.copy %given, %new : memref<4xf32> to memref<4xf32>
        scf.yield %new : memref<4xf32>
      }
      return
    }"""
    reasons = {
        remark.reason.text
        for remark in remarks_on(text, "buffer-deallocation-pipeline{static-ownership}")
        if remark.subject == "check"
    }
    assert "whether %given is freed at scf.yield is decided at run time" in reasons


def test_a_slice_of_the_tensor_that_it_is_inserted_into() -> None:
    text = """
    func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
      %s = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %0 = tensor.insert_slice %s into %t[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
      return %0 : tensor<8xf32>
    }"""
    (remark,) = (r for r in copies(text) if r.place.op == "tensor.extract_slice")
    assert remark.reason.text == (
        "tensor.extract_slice would make %t share a buffer that tensor.insert_slice "
        "(p.mlir:4:12) overwrites while it still reads the old contents"
    )


def test_lists_of_one_op_are_one_text() -> None:
    passes = f"{FUNCTIONS},buffer-deallocation-pipeline"
    lists = [
        remark
        for remark in remarks_on(SWAP, passes)
        if remark.reason.code == "ownership-list"
        and remark.place.position == "p.mlir:8:9"
    ]
    assert len(lists) == 5
    (shown,) = remark_texts(lists)
    total = sum(remark.bytes or 0 for remark in lists)
    assert f"allocates {total} bytes" in shown
    assert "bufferization-lower-deallocations{avoid-lists}" in shown


def test_a_clone_for_the_caller() -> None:
    text = (
        "func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> { return %t : tensor<8xf32> }"
    )
    for passes in (f"{IDENTITY},buffer-deallocation-pipeline", DEALLOCATED):
        remark = only_copy(text, passes)
        assert remark.reason.code == "ownership"
        assert remark.pass_name == "ownership-based-buffer-deallocation"
        assert remark.place.name == "func.return"
        assert remark.hint is not None and remark.hint.startswith("let callers of @f use")


def test_allocations_and_successes() -> None:
    text = """
    func.func @f(%x: f32) -> tensor<8xf32> {
      %e = tensor.empty() : tensor<8xf32>
      %0 = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }"""
    allocation, success = remarks_on(text)
    assert (allocation.kind, allocation.name) == ("analysis", "Allocation")
    assert allocation.message == "allocates 32 bytes: tensor.empty makes a new tensor"
    assert (success.kind, success.name) == ("passed", "InPlace")
    assert success.message == "linalg.fill writes the buffer of %e in place"


def test_a_copy_that_a_later_pass_removes() -> None:
    text = """
    func.func @f(%m: memref<8xf32>) {
      memref.copy %m, %m : memref<8xf32> to memref<8xf32>
      return
    }"""
    (remark,) = remarks_on(text, "canonicalize")
    assert remark.kind == "passed"
    assert remark.op is None
    assert remark.name == "CopyRemoved"


def test_what_is_lowered_is_still_there() -> None:
    passes = f"{FUNCTIONS},buffer-deallocation-pipeline"
    before = remarks_on(UPDATE, passes)
    after = remarks_on(UPDATE, f"{passes},lower-to-llvm-pipeline")
    assert sorted(map(str, after)) == sorted(map(str, before))
    (copy,) = (remark for remark in after if remark.subject == "copy")
    assert (copy.op, copy.lowered_by, copy.bytes) == (None, "convert-to-llvm", 32)


def test_memory_that_the_program_asks_for() -> None:
    text = """
    func.func @f(%m: memref<8xf32>) {
      %0 = memref.alloc() : memref<8xf32>
      memref.copy %m, %0 : memref<8xf32> to memref<8xf32>
      memref.dealloc %0 : memref<8xf32>
      return
    }"""
    found = remarks_on(text, FUNCTIONS)
    assert [(r.subject, r.reason.code) for r in found] == [
        ("allocation", "program"),
        ("copy", "program"),
    ]


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (1, "1 byte"),
        (32, "32 bytes"),
        (1024, "1 KiB"),
        (1536, "1.5 KiB"),
        (3 << 20, "3 MiB"),
    ],
)
def test_sizes_are_readable(size: int, text: str) -> None:
    assert format_bytes(size) == text


# ---------------------------------------------------------------------------------------
# Printing


def test_texts_have_the_line_of_source_and_a_caret() -> None:
    (text,) = remark_texts(remarks_on(UPDATE))
    assert text.splitlines() == [
        "p.mlir:2:11: remark: copies 32 bytes: tensor.insert would overwrite %t in "
        "place, but tensor.extract (p.mlir:4:10) reads the old contents afterwards "
        "[one-shot-bufferize]",
        "    %once = tensor.insert %x into %t[%i] : tensor<8xf32>",
        "            ^",
        "p.mlir:2:11: note: to avoid it, move tensor.extract (p.mlir:4:10) before "
        "tensor.insert (p.mlir:2:11)",
    ]


@pytest.mark.parametrize(
    "passes",
    [
        "one-shot-bufferize{bufferize-function-boundaries remarks}",
        "bufferization-pipeline{remarks}",
    ],
)
@pytest.mark.parametrize("flags", [[], ["--print-between-passes"]])
def test_the_option_prints_to_stderr(
    passes: str,
    flags: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "update.mlir"
    file.write_text(CONSTANT)
    xDSLOptMain(args=[str(file), "-p", passes, *flags]).run()
    output = capsys.readouterr()
    assert output.err.count("remark:") == 1
    assert "update.mlir:3:8: remark: copies 32 bytes" in output.err
    assert "remark" not in output.out


def test_a_check_that_frees_nothing_any_more_has_no_remark(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """plan-memory frees the arena in place of the buffers that the checks freed."""
    file = tmp_path / "swap.mlir"
    file.write_text("""
        func.func private @use(memref<4xf32>)
        func.func @swap(%again: i1) {
          %a = memref.alloc() : memref<4xf32>
          %b = memref.alloc() : memref<4xf32>
          cf.br ^loop(%a, %b : memref<4xf32>, memref<4xf32>)
        ^loop(%x: memref<4xf32>, %y: memref<4xf32>):
          func.call @use(%x) : (memref<4xf32>) -> ()
          cf.cond_br %again, ^loop(%y, %x : memref<4xf32>, memref<4xf32>), ^done
        ^done:
          call @use(%y) : (memref<4xf32>) -> ()
          return
        }
    """)
    for options, checks in ("remarks", True), ("remarks plan-memory", False):
        passes = f"bufferization-pipeline{{{options}}}"
        xDSLOptMain(args=[str(file), "-p", passes]).run()
        assert ("checks who owns a buffer" in capsys.readouterr().err) == checks


def test_an_arena_is_one_allocation_of_its_own() -> None:
    """The remark on it is not that on its first buffer."""
    found = remarks_on(
        """
        func.func @f(%x: memref<64xf32>) {
          %0 = memref.alloc() : memref<64xf32>
          linalg.exp ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
          %1 = memref.alloc() : memref<64xf32>
          linalg.exp ins(%0 : memref<64xf32>) outs(%1 : memref<64xf32>)
          linalg.exp ins(%1 : memref<64xf32>) outs(%x : memref<64xf32>)
          memref.dealloc %0 : memref<64xf32>
          memref.dealloc %1 : memref<64xf32>
          return
        }
        """,
        "plan-memory",
    )
    assert [each.message for each in found if each.is_there] == [
        "allocates 512 bytes: an arena, for this buffer and those that share its memory"
    ]


@pytest.mark.parametrize(
    ("type_", "bytes_"),
    [
        ("memref<4x4xf32, strided<[8, 1]>>", 4 * 28),
        ("memref<4x4xf32, strided<[8, 1], offset: 2>>", 4 * 30),
        ("memref<4x4xf32, strided<[1, 4]>>", 4 * 16),
        ("memref<0x4xf32, strided<[8, 1], offset: 2>>", 0),
        ("memref<4xi24>", 4 * 4),
        ("memref<4xcomplex<f32>>", 4 * 8),
        ("memref<4xvector<3xf32>>", 4 * 16),
    ],
)
def test_allocated_bytes(type_: str, bytes_: int) -> None:
    """With what is between elements, whereas a copy is one of the elements alone."""
    found = remarks_on(
        f"""
        func.func @f(%x: {type_}) {{
          %0 = memref.alloc() : {type_}
          memref.copy %x, %0 : {type_} to {type_}
          memref.dealloc %0 : {type_}
          return
        }}
        """,
        "plan-memory",
    )
    size = {remark.subject: remark.bytes for remark in found}
    assert size["allocation"] == bytes_
    assert size["copy"] == (64 if bytes_ and "4x4" in type_ else bytes_)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "%0 = memref.alloc(%n) : memref<?xf32>\nmemref.dealloc %0 : memref<?xf32>",
            "its size is known at run time only",
        ),
        (
            "%0 = memref.alloc() : memref<4xf32, strided<[2]>>\n"
            "memref.dealloc %0 : memref<4xf32, strided<[2]>>",
            "its type has a layout",
        ),
        (
            "%0 = memref.alloc() : memref<4xf32>\n"
            "linalg.exp ins(%x : memref<4xf32>) outs(%0 : memref<4xf32>)\n"
            "memref.dealloc %0 : memref<4xf32>",
            "there is no other buffer to share an arena with",
        ),
        (
            "%0 = memref.alloc() : memref<4xf32>\n"
            "memref.store %0, %kept[%n] : memref<?xmemref<4xf32>>",
            "memref.store stores it in memory",
        ),
        (
            "%0 = memref.alloc() : memref<4xf32>\n"
            "%p = memref.extract_aligned_pointer_as_index %0 : memref<4xf32> -> index\n"
            "%i = arith.addi %p, %n : index\n"
            "%q = arith.index_cast %i : index to i64\n"
            "%z = llvm.inttoptr %q : i64 to !llvm.ptr",
            "its address is kept",
        ),
        (
            "%0 = memref.alloc() : memref<4xf32>\n"
            "%p = memref.extract_aligned_pointer_as_index %0 : memref<4xf32> -> index\n"
            "memref.store %p, %kept_address[] : memref<index>",
            "its address is kept",
        ),
        (
            "%0 = memref.alloc() : memref<0xf32>\n"
            "linalg.fill ins(%f : f32) outs(%0 : memref<0xf32>)\n"
            "memref.dealloc %0 : memref<0xf32>",
            "it has no bytes",
        ),
        (
            "%r = scf.if %cond -> (f32) {\n"
            "  %0 = memref.alloc() : memref<64xf32>\n"
            "  linalg.fill ins(%f : f32) outs(%0 : memref<64xf32>)\n"
            "  memref.dealloc %0 : memref<64xf32>\n"
            "  scf.yield %f : f32\n"
            "} else { scf.yield %f : f32 }\n"
            "%1 = memref.alloc() : memref<4xf32>\n"
            "linalg.fill ins(%r : f32) outs(%1 : memref<4xf32>)\n"
            "memref.dealloc %1 : memref<4xf32>",
            "an arena with it could raise the peak",
        ),
        (
            "%0 = memref.alloc() : memref<4xf32>\n"
            "func.call @keep(%0) : (memref<4xf32>) -> ()",
            "@keep may keep or free it",
        ),
        (
            "%0 = memref.alloc() : memref<4xf32>\n"
            "%b = memref.realloc %0 : memref<4xf32> to memref<8xf32>\n"
            "memref.dealloc %b : memref<8xf32>",
            "memref.realloc may keep or free it",
        ),
        (
            "scf.parallel (%i) = (%c0) to (%n) step (%c1) {\n"
            "  %0 = memref.alloc() : memref<4xf32>\n"
            "  memref.dealloc %0 : memref<4xf32>\n"
            "}",
            "the iterations of scf.parallel around it may run in parallel",
        ),
        (
            "%a = memref.alloc() : memref<4xf32>\n"
            "%r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %a) "
            "-> (memref<4xf32>) {\n"
            "  %0 = memref.alloc() : memref<4xf32>\n"
            "  linalg.exp ins(%c : memref<4xf32>) outs(%0 : memref<4xf32>)\n"
            "  memref.dealloc %c : memref<4xf32>\n"
            "  scf.yield %0 : memref<4xf32>\n"
            "}\n"
            "memref.dealloc %r : memref<4xf32>",
            "it is still needed when the next iteration allocates it again",
        ),
    ],
)
def test_an_allocation_outside_of_the_arenas_has_a_note(body: str, reason: str) -> None:
    text = f"""
    func.func @f(%x: memref<4xf32>, %n: index, %kept: memref<?xmemref<4xf32>>,
                 %kept_address: memref<index>, %f: f32, %cond: i1) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      {body}
      return
    }}
    func.func @keep(%x: memref<4xf32>) {{
      memref.dealloc %x : memref<4xf32>
      return
    }}
    """
    assert f"note: it is in no arena: {reason}\n" in str(explain(text, "plan-memory"))
    assert "arena" not in str(explain(text, "canonicalize"))


def test_a_loop_that_carries_many_buffers_has_a_note_on_the_list_of_pointers() -> None:
    """It does not allocate if it starts with a copy of the argument, as the note says."""
    text = """
    func.func @f(%x: tensor<64xf32>, %n: index) -> tensor<64xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %e = tensor.empty() : tensor<64xf32>
      COPY
      %r:4 = scf.for %i = %c0 to %n step %c1
          iter_args(%a = FIRST, %b = FIRST, %c = FIRST, %d = FIRST)
          -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
        %next = linalg.add ins(%a, %d : tensor<64xf32>, tensor<64xf32>)
            outs(%e : tensor<64xf32>) -> tensor<64xf32>
        scf.yield %b, %c, %d, %next
            : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
      }
      %s = linalg.add ins(%r#0, %r#3 : tensor<64xf32>, tensor<64xf32>)
          outs(%e : tensor<64xf32>) -> tensor<64xf32>
      return %s : tensor<64xf32>
    }
    """
    options = "results-to-out-params plan-memory arena=argument"
    given = text.replace("COPY", "").replace("FIRST", "%x")
    copied = text.replace(
        "COPY",
        "%y = linalg.copy ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) "
        "-> tensor<64xf32>",
    ).replace("FIRST", "%y")
    found = remarks_on(given, f"bufferization-pipeline{{{options}}}")
    notes = {each.outside_arena for each in found if each.outside_arena}
    assert len(notes) == 1
    assert "a list of pointers decides at run time what is freed" in notes.pop()
    found = remarks_on(copied, f"bufferization-pipeline{{{options}}}")
    assert not any(each.subject == "allocation" and each.is_there for each in found)


@pytest.mark.parametrize(
    ("carried", "rotated", "is_listed"),
    [(3, True, False), (4, True, True), (6, False, False), (7, False, True)],
)
def test_how_many_carried_buffers_need_a_list(
    carried: int, rotated: bool, is_listed: bool
) -> None:
    """The numbers of docs/memory.md, for loops that start with arguments."""
    numbers, type_ = range(carried), "tensor<512xf32>"
    types = ", ".join([type_] * carried)
    computed = range(1) if rotated else numbers
    body = "\n".join(
        f"%e{i} = tensor.empty() : {type_}\n"
        f"%s{i} = linalg.sub ins(%a{i}, %a{(i + 1) % carried} : {type_}, {type_}) "
        f"outs(%e{i} : {type_}) -> {type_}"
        for i in computed
    )
    yielded = [f"%a{i}" for i in numbers[1:]] if rotated else []
    yielded += [f"%s{i}" for i in computed]
    text = f"""
    func.func @f({", ".join(f"%x{i}: {type_}" for i in numbers)}, %n: index)
        -> ({types}) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r:{carried} = scf.for %i = %c0 to %n step %c1
          iter_args({", ".join(f"%a{i} = %x{i}" for i in numbers)}) -> ({types}) {{
        {body}
        scf.yield {", ".join(yielded)} : {types}
      }}
      return {", ".join(f"%r#{i}" for i in numbers)} : {types}
    }}
    """
    options = "results-to-out-params plan-memory arena=argument"
    report = explain(text, f"bufferization-pipeline{{{options}}}")
    assert bool(report.allocations) == is_listed
    assert ("a list of pointers decides" in str(report)) == is_listed


def test_a_result_has_a_note_on_why_it_is_in_no_arena() -> None:
    text = """
    func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %0 = linalg.exp ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    """
    shown = str(explain(text, "bufferization-pipeline{plan-memory}"))
    assert shown.count("note: it is in no arena: the function returns it\n") == 1


def test_hints_follow_results_whose_numbers_change() -> None:
    """The first result becomes an argument, the last one may be an argument."""
    text = """
    func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>, %n: index)
        -> (tensor<4xf32>, tensor<?xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
          -> (tensor<4xf32>, tensor<?xf32>) {
        scf.yield %x, %y : tensor<4xf32>, tensor<?xf32>
      }
      return %r#0, %r#1 : tensor<4xf32>, tensor<?xf32>
    }
    """
    report = explain(text, "bufferization-pipeline{results-to-out-params}")
    copies = [each for each in report.copies if each.hint is not None]
    assert len(copies) == 1
    assert "in place of the result" in (copies[0].hint or "")
