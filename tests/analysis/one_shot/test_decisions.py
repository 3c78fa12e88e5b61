"""Decisions of One-Shot Analysis, each for a reason that was once missed."""

from __future__ import annotations

import pytest

from tests.analysis.one_shot.comparison import differences
from tests.oracle.tools import parse
from xdsl_bufferization.analysis.one_shot.module_analysis import analyze
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.types import is_tensor
from xdsl_bufferization.models import announce_models

OPTIONS = BufferizationOptions(
    bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
)


def out_of_place(program: str) -> list[str]:
    """The ops with an operand out of place, in the order of the text; the analysis and
    its slow reference implementation must agree."""
    announce_models()
    _, module = parse(program)
    assert differences(module, OPTIONS) == []
    analysis = analyze(module, OPTIONS)
    return [
        op.name
        for op in module.walk()
        if any(
            is_tensor(get(use).type) and not analysis.is_in_place(use)
            for use in operands_of(op)
        )
    ]


def test_an_op_does_not_exclude_what_is_inside_it() -> None:
    """The loop reads %t as its initial value, and the fill inside would overwrite it."""
    assert out_of_place(
        """
        func.func @main(%t: tensor<5xi32>, %n: index, %x: i32) -> tensor<5xi32> {
          %1 = scf.for %i = %n to %n step %n iter_args(%a = %t) -> (tensor<5xi32>) {
            %2 = linalg.fill ins(%x : i32) outs(%t : tensor<5xi32>) -> tensor<5xi32>
            scf.yield %a : tensor<5xi32>
          }
          return %1 : tensor<5xi32>
        }
        """
    ) == ["linalg.fill"]


def test_blocks_are_analysed_in_the_order_of_the_text() -> None:
    """Both branches could have the buffer; from the bottom up, the second gets it."""
    program = """
        func.func @main(%c: i1, %t: tensor<5xi32>, %i: index, %x: i32) -> tensor<5xi32> {
          cf.cond_br %c, ^FIRST, ^SECOND
        ^one:
          %1 = tensor.insert %x into %t[%i] : tensor<5xi32>
          cf.br ^join(%1 : tensor<5xi32>)
        ^two:
          %2 = linalg.fill ins(%x : i32) outs(%t : tensor<5xi32>) -> tensor<5xi32>
          cf.br ^join(%2 : tensor<5xi32>)
        ^join(%r: tensor<5xi32>):
          return %r : tensor<5xi32>
        }
        """
    one_first = program.replace("FIRST", "one").replace("SECOND", "two")
    two_first = program.replace("FIRST", "two").replace("SECOND", "one")
    assert out_of_place(one_first) == out_of_place(two_first)


def test_a_write_in_a_sibling_block_is_seen_from_a_nested_region() -> None:
    """The yield reads what was inserted just before; neither block dominates the other,
    so that the order of ops does not tell that the fill comes too late to matter."""
    assert out_of_place(
        """
        func.func @main(%c: i1, %t: tensor<5xi32>, %i: index, %x: i32) -> tensor<5xi32> {
          cf.cond_br %c, ^one, ^two(%t : tensor<5xi32>)
        ^one:
          %1 = scf.if %c -> tensor<5xi32> {
            %2 = tensor.insert %x into %t[%i] : tensor<5xi32>
            scf.yield %2 : tensor<5xi32>
          } else {
            scf.yield %t : tensor<5xi32>
          }
          cf.br ^two(%1 : tensor<5xi32>)
        ^two(%a: tensor<5xi32>):
          %3 = linalg.fill ins(%x : i32) outs(%a : tensor<5xi32>) -> tensor<5xi32>
          return %3 : tensor<5xi32>
        }
        """
    ) == ["cf.cond_br", "cf.br"]


def test_a_tile_that_moves_is_not_the_same_tile() -> None:
    """The insertion reads all of %t but the tile. In the next iteration that is another
    tile, and what it reads then would include the one that the fill has overwritten."""
    program = """
        func.func @main(%t: tensor<4xi32>, %n: index, %x: i32, %k: index) -> i32 {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> i32 {
            %1 = tensor.extract_slice %t[%i] [1] [1] : tensor<4xi32> to tensor<1xi32>
            %2 = linalg.fill ins(%x : i32) outs(%1 : tensor<1xi32>) -> tensor<1xi32>
            %3 = tensor.insert_slice %2 into %t[%i] [1] [1]
                : tensor<1xi32> into tensor<4xi32>
            %4 = tensor.extract %3[%c0] : tensor<4xi32>
            %5 = arith.addi %s, %4 : i32
            scf.yield %5 : i32
          }
          return %sum : i32
        }
        """
    assert out_of_place(program) == ["tensor.extract_slice", "tensor.insert_slice"]
    same_each_time = program.replace("%t[%i]", "%t[%k]")
    assert out_of_place(same_each_time) == ["tensor.insert_slice"]


def test_what_must_be_in_place_does_not_forbid_copies_elsewhere() -> None:
    """The result of the insertion may be in %d or in %t, so that %t would be overwritten
    by what goes into %d. mlir-opt rejects the program for that."""
    assert out_of_place(
        """
        func.func @main(%c: i1, %s: tensor<4xi32>, %t: tensor<4xi32>, %i: index, %x: i32)
            -> tensor<4xi32> {
          %d = bufferization.alloc_tensor() : tensor<4xi32>
          %1 = bufferization.materialize_in_destination %s in %d
              : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
          %2 = tensor.insert %x into %1[%i] : tensor<4xi32>
          %3 = scf.if %c -> tensor<4xi32> {
            scf.yield %2 : tensor<4xi32>
          } else {
            scf.yield %t : tensor<4xi32>
          }
          return %3 : tensor<4xi32>
        }
        """
    ) == ["tensor.insert"]


@pytest.mark.parametrize("heuristic", ["top-down", "bottom-up-from-terminators"])
def test_other_heuristics_decide_in_another_order(heuristic: str) -> None:
    announce_models()
    _, module = parse(
        """
        func.func @main(%t: tensor<5xi32>, %i: index, %x: i32)
            -> (tensor<5xi32>, tensor<5xi32>) {
          %1 = tensor.insert %x into %t[%i] : tensor<5xi32>
          %2 = linalg.fill ins(%x : i32) outs(%t : tensor<5xi32>) -> tensor<5xi32>
          return %1, %2 : tensor<5xi32>, tensor<5xi32>
        }
        """
    )
    options = BufferizationOptions(
        bufferize_function_boundaries=True,
        analysis_heuristic=heuristic,  # pyright: ignore[reportArgumentType]
    )
    assert differences(module, options) == []


@pytest.mark.parametrize("heuristic", ["top-down", "bottom-up-from-terminators"])
def test_recursion_that_ends_with_a_constant_may_return_a_copy(heuristic: str) -> None:
    """The constant is copied, so that results of the calls are not read-only."""
    announce_models()
    _, module = parse(
        """
        func.func private @main(%n: index, %t: tensor<4xf32>) -> tensor<?xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %constant = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
          %more = arith.cmpi ugt, %n, %c0 : index
          %r = scf.if %more -> (tensor<?xf32>) {
            %m = arith.subi %n, %c1 : index
            %0 = func.call @main(%m, %t) : (index, tensor<4xf32>) -> tensor<?xf32>
            scf.yield %0 : tensor<?xf32>
          } else {
            %0 = tensor.cast %constant : tensor<4xf32> to tensor<?xf32>
            scf.yield %0 : tensor<?xf32>
          }
          return %r : tensor<?xf32>
        }
        """
    )
    options = BufferizationOptions(
        bufferize_function_boundaries=True,
        allow_return_allocs_from_loops=True,
        analysis_heuristic=heuristic,  # pyright: ignore[reportArgumentType]
    )
    assert differences(module, options) == []


@pytest.mark.parametrize(
    ("last", "copied"),
    [
        ("%2 = tensor.cast %1 : tensor<4xi32> to tensor<?xi32>", []),
        ("%2 = tensor.insert_slice %1 into %1[0] [4] [1] "
         ": tensor<4xi32> into tensor<4xi32>", []),
        ("cf.br ^last(%1 : tensor<4xi32>) ^last(%2: tensor<4xi32>):", []),
        ("%2 = tensor.extract %1[%j] : tensor<4xi32>", ["linalg.fill"]),
        ("%2 = func.call @f(%1) : (tensor<4xi32>) -> tensor<4xi32>", ["linalg.fill"]),
    ],
)  # fmt: skip
def test_a_read_that_nobody_observes_does_not_conflict_in_a_later_block(
    last: str, copied: list[str]
) -> None:
    found = out_of_place(
        f"""
        func.func private @f(%t: tensor<4xi32>) -> tensor<4xi32>

        func.func @main(%t: tensor<4xi32>, %i: index, %x: i32) -> i32 {{
          cf.br ^end(%i : index)
        ^end(%j: index):
          %0 = linalg.fill ins(%x : i32) outs(%t : tensor<4xi32>) -> tensor<4xi32>
          %s = tensor.extract %0[%j] : tensor<4xi32>
          %1 = tensor.insert %x into %t[%j] : tensor<4xi32>
          {last}
          return %s : i32
        }}
        """
    )
    assert [name for name in found if name == "linalg.fill"] == copied


def test_a_thread_starts_a_loop_with_a_tensor_from_outside() -> None:
    """The loop may read what it writes, though no op reads the operand or the result."""
    program = """
        func.func @main(%t: tensor<5xi32> {bufferization.writable = false}, %n: index)
            -> index {
          %c0 = arith.constant 0 : index
          %c4 = arith.constant 4 : index
          %1 = linalg.add ins(%t, %t : tensor<5xi32>, tensor<5xi32>)
              outs(%t : tensor<5xi32>) -> tensor<5xi32>
          %2 = scf.forall (%j) in (%n) shared_outs(%o = %t) -> (tensor<5xi32>) {
            %3:2 = scf.for %i = %c0 to %c4 step %c4 iter_args(%a = %t, %b = %1)
                -> (tensor<5xi32>, tensor<5xi32>) {
              scf.yield %t, %a : tensor<5xi32>, tensor<5xi32>
            }
            scf.forall.in_parallel {
            }
          }
          return %n : index
        }
        """
    assert out_of_place(program) == ["linalg.add", "scf.forall", "scf.for"]


@pytest.mark.parametrize("second, expected", [("%a", []), ("%b", ["scf.while"])])
def test_a_loop_gets_two_buffers_if_it_uses_two_names(
    second: str, expected: list[str]
) -> None:
    """Also of a tensor whose contents nothing defines. The number that the loop counts
    with is no name of a buffer."""
    program = f"""
        func.func @main(%n: index) -> index {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %t = tensor.empty() : tensor<5xi32>
          %1:3 = scf.while (%i = %c0, %a = %t, %b = %t)
              : (index, tensor<5xi32>, tensor<5xi32>)
              -> (index, tensor<5xi32>, tensor<5xi32>) {{
            %go = arith.cmpi ult, %i, %n : index
            scf.condition(%go) %i, %a, {second} : index, tensor<5xi32>, tensor<5xi32>
          }} do {{
          ^bb0(%j: index, %c: tensor<5xi32>, %d: tensor<5xi32>):
            %2 = arith.addi %j, %c1 : index
            scf.yield %2, %c, %d : index, tensor<5xi32>, tensor<5xi32>
          }}
          return %n : index
        }}
        """
    assert out_of_place(program) == expected


def test_a_thread_passes_a_tensor_from_outside_to_a_function() -> None:
    """No thread overwrites what a function gets, whether that reads it or not."""
    assert "linalg.transpose" in out_of_place(
        """
        func.func private @see(%t: tensor<3x?xi32>, %x: i32) -> i32 {
          return %x : i32
        }
        func.func @main(%t: tensor<?x3xi32>, %n: index, %x: i32) -> index {
          %1 = scf.forall (%j) in (%n) shared_outs(%o = %t) -> (tensor<?x3xi32>) {
            %2 = tensor.cast %t : tensor<?x3xi32> to tensor<3x?xi32>
            %3 = linalg.transpose ins(%t : tensor<?x3xi32>) outs(%2 : tensor<3x?xi32>)
                permutation = [1, 0]
            %4 = func.call @see(%2, %x) : (tensor<3x?xi32>, i32) -> i32
            scf.forall.in_parallel {
            }
          }
          return %n : index
        }
        """
    )


ADDITION = """
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(IN : tensor<4xi32>) outs(OUT : tensor<4xi32>) {
  ^bb0(%e: i32, %f: i32):
    %g = arith.addi %e, %f : i32
    linalg.yield %g : i32
  } -> tensor<4xi32>
  """


def test_elementwise_op_on_tensors_that_may_be_one_or_others() -> None:
    """Whichever of both each operand is: it is all of %s, or all of %t, so an element is
    at one place in both operands, or in other memory."""
    program = f"""
        func.func @main(%s: tensor<4xi32>, %t: tensor<4xi32>, %c: i1) -> tensor<4xi32> {{
          %1 = arith.select %c, %s, %t : tensor<4xi32>
          %2 = scf.if %c -> tensor<4xi32> {{
            scf.yield %t : tensor<4xi32>
          }} else {{
            scf.yield %1 : tensor<4xi32>
          }}
          {ADDITION.replace("IN", "%1").replace("OUT", "%2")}
          return %r : tensor<4xi32>
        }}
        """
    assert out_of_place(program) == []


@pytest.mark.parametrize("first, second", [("0", "1"), ("1", "0")])
def test_elementwise_op_on_parts_that_may_overlap(first: str, second: str) -> None:
    """Elements at one place in the operands are at two places in memory."""
    program = f"""
        func.func @main(%t: tensor<6xi32>, %u: tensor<4xi32>, %c: i1) -> tensor<4xi32> {{
          %a = tensor.extract_slice %t[{first}] [4] [1] : tensor<6xi32> to tensor<4xi32>
          %b = tensor.extract_slice %t[{second}] [4] [1] : tensor<6xi32> to tensor<4xi32>
          %1 = arith.select %c, %a, %u : tensor<4xi32>
          %2 = arith.select %c, %b, %1 : tensor<4xi32>
          {ADDITION.replace("IN", "%1").replace("OUT", "%2")}
          return %r : tensor<4xi32>
        }}
        """
    assert out_of_place(program) != []
