"""Executed, our programs cost no more than mlir-opt's; and costs are counted right."""

from __future__ import annotations

import pytest

from tests.checkers.machine import WrongProgram
from tests.execution.harness import call
from tests.oracle.harness import requires_mlir_opt
from tests.oracle.tools import mlir_flags, mlir_opt, parse, run_passes
from tests.random_programs.checks import arguments_for
from tests.random_programs.costs import (
    BUFFERIZATION,
    COST_PROFILES,
    COSTS,
    DEALLOCATION,
    DEALLOCATION_COSTS,
    PIPELINE_COSTS,
    Cost,
    check_costs,
    compare_costs,
    executed,
)
from tests.random_programs.program import LIKE_MLIR, Program, random_program
from tests.random_programs.their_decisions import (
    RACE,
    SWITCH,
    UNSOUND,
    wrong_decisions,
)
from xdsl_bufferization import jit

pytestmark = pytest.mark.long

SEEDS = range(2000, 2012)


@requires_mlir_opt
@pytest.mark.parametrize(
    ("check", "least_compared"), [(COSTS, 10), (DEALLOCATION_COSTS, 4)]
)
def test_no_program_costs_more_than_mlir_opts(check: str, least_compared: int) -> None:
    programs = [random_program(seed, COST_PROFILES[check]) for seed in SEEDS]
    compared = compare_costs(programs, check)
    found = {s: c.found for s, c in zip(SEEDS, compared, strict=True) if c.found}
    assert found == {}
    assert sum(not c.reason for c in compared) >= least_compared


def test_no_program_costs_more_than_after_the_plain_passes() -> None:
    programs = [random_program(seed, COST_PROFILES[PIPELINE_COSTS]) for seed in SEEDS]
    compared = compare_costs(programs, PIPELINE_COSTS)
    found = {s: c.found for s, c in zip(SEEDS, compared, strict=True) if c.found}
    assert found == {}
    assert sum(not c.reason for c in compared) >= 10


NOTHING_TO_COPY = {
    "forwarded": """
        func.func @main(%a: tensor<0xi32>, %b: tensor<0xi32>, %n: index)
            -> tensor<0xi32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %r:3 = scf.for %i = %c0 to %n step %c1
              iter_args(%x = %a, %y = %b, %z = %b)
              -> (tensor<0xi32>, tensor<0xi32>, tensor<0xi32>) {
            scf.yield %x, %x, %z : tensor<0xi32>, tensor<0xi32>, tensor<0xi32>
          }
          return %r#2 : tensor<0xi32>
        }
        """,
    "exchanged": """
        func.func @main(%a: tensor<0xi32>, %b: tensor<0xi32>, %n: index)
            -> (tensor<0xi32>, tensor<0xi32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %r:3 = scf.for %i = %c0 to %n step %c1
              iter_args(%x = %a, %y = %b, %z = %b)
              -> (tensor<0xi32>, tensor<0xi32>, tensor<0xi32>) {
            scf.yield %y, %z, %x : tensor<0xi32>, tensor<0xi32>, tensor<0xi32>
          }
          return %r#0, %r#2 : tensor<0xi32>, tensor<0xi32>
        }
        """,
}


@pytest.mark.parametrize("name", NOTHING_TO_COPY)
def test_tensors_of_no_elements_are_not_copied(name: str) -> None:
    program = Program(NOTHING_TO_COPY[name], [(0,), (0,), 3])
    (comparison,) = compare_costs([program], PIPELINE_COSTS)
    assert comparison.reason == ""
    assert comparison.found == []
    assert comparison.ours is not None
    assert comparison.ours.copies == 0


@pytest.mark.parametrize("seed", [2, 6, 19, 33])
def test_costs_are_those_that_compiled_code_counts(seed: int) -> None:
    program = random_program(seed, LIKE_MLIR)
    context, module = parse(program.text)
    run_passes(context, module, f"{BUFFERIZATION},{DEALLOCATION}")
    cost = executed(module, program).cost
    compiled = jit.compile(module, "lower-to-llvm-pipeline", count=True, opt_level=0)
    stats = call(compiled, "main", arguments_for(program)).stats
    assert (cost.allocations, cost.copies, cost.bytes_copied) == (
        stats.allocations,
        stats.copies,
        stats.bytes_copied,
    )


def test_ownership_checks_are_counted() -> None:
    program = Program(
        """
        func.func @main(%a: tensor<3xi32>, %c: i1) -> i32 {
          %x = arith.constant 1 : i32
          %i = arith.constant 0 : index
          %r = scf.if %c -> tensor<3xi32> {
            %t = tensor.splat %x : tensor<3xi32>
            scf.yield %t : tensor<3xi32>
          } else {
            scf.yield %a : tensor<3xi32>
          }
          %e = tensor.extract %r[%i] : tensor<3xi32>
          return %e : i32
        }
        """,
        [(3,), True],
    )
    context, module = parse(program.text)
    run_passes(context, module, f"{BUFFERIZATION},{DEALLOCATION}")
    assert executed(module, program).cost == Cost(1, 0, 0, 1, 12)


def test_what_costs_more_is_named() -> None:
    kinds = ("allocations", "bytes_copied")
    assert Cost(2, 2, 8, 0).more_than(Cost(2, 1, 4, 1), kinds) == [
        "costs: bytes_copied: 8, not 4"
    ]
    assert Cost(1, 1, 4, 2).more_than(Cost(1, 1, 4, 1), ("ownership_checks",))
    assert not Cost(1, 0, 0, 2).more_than(Cost(1, 1, 4, 1), ("ownership_checks",))


@requires_mlir_opt
@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (
            "func.func @main(%n: i32) -> (tensor<2xi32>, tensor<2xi32>) {\n"
            "  %t = tensor.splat %n : tensor<2xi32>\n"
            "  return %t, %t : tensor<2xi32>, tensor<2xi32>\n}",
            "mlir-opt compiles it wrongly: one buffer returned twice",
        ),
        (
            "func.func @main(%n: i32) -> tensor<2xi32> {\n"
            "  %i = arith.constant 0 : index\n"
            "  %low = arith.constant -128 : i8\n"
            "  %high = arith.constant 127 : i8\n"
            "  %t = tensor.splat %n : tensor<2xi32>\n"
            "  %r = scf.for %k = %low to %high step %high iter_args(%x = %t)\n"
            "      -> (tensor<2xi32>) : i8 {\n"
            "    %y = tensor.insert %n into %x[%i] : tensor<2xi32>\n"
            "    scf.yield %y : tensor<2xi32>\n"
            "  }\n"
            "  return %r : tensor<2xi32>\n}",
            "mlir-opt compiles it wrongly: a loop with too large a range",
        ),
        # It frees in the branch of the if what is read after it.
        (
            "func.func @main(%n: i32, %u: tensor<2xi32>) -> i32 {\n"
            "  %i = arith.constant 0 : index\n"
            "  %t = tensor.splat %n : tensor<2xi32>\n"
            "  %k = arith.constant 5 : i32\n"
            "  %c = arith.cmpi sgt, %n, %k : i32\n"
            "  %r = scf.if %c -> tensor<2xi32> {\n"
            "    scf.yield %t : tensor<2xi32>\n"
            "  } else {\n"
            "    scf.yield %u : tensor<2xi32>\n"
            "  }\n"
            "  cf.cond_br %c, ^bb1, ^bb2\n"
            "^bb1:\n"
            "  %e = tensor.extract %r[%i] : tensor<2xi32>\n"
            "  return %e : i32\n"
            "^bb2:\n"
            "  return %n : i32\n}",
            "mlir-opt compiles it wrongly: on a path not taken",
        ),
    ],
)
def test_what_mlir_opt_compiles_wrongly_is_not_compared(
    program: str, reason: str
) -> None:
    arguments = [1, (2,)] if "%u:" in program else [1]
    (compared,) = compare_costs([Program(program, arguments)], COSTS)
    assert compared.reason == reason
    assert check_costs(Program(program, arguments), COSTS) == []


@requires_mlir_opt
@pytest.mark.parametrize(("place", "why"), [("%i", ""), ("%j", UNSOUND)])
def test_decisions_of_mlir_opt_are_judged(place: str, why: str) -> None:
    """It lets a thread read in place what another one replaces."""
    text = f"""
        func.func @main(%t: tensor<4xi32>, %n: index) -> tensor<4xi32> {{
          %c1 = arith.constant 1 : index
          %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> tensor<4xi32> {{
            %j = arith.addi %i, %c1 : index
            %s = tensor.extract_slice %o[{place}] [1] [1]
                : tensor<4xi32> to tensor<1xi32>
            scf.forall.in_parallel {{
              tensor.parallel_insert_slice %s into %o[%i] [1] [1]
                  : tensor<1xi32> into tensor<4xi32>
            }}
          }}
          return %r : tensor<4xi32>
        }}
    """
    assert wrong_decisions([text], BUFFERIZATION) == [why]


@requires_mlir_opt
def test_loads_after_a_buffer_is_overwritten_are_wrong() -> None:
    """To mlir-opt it is the to_buffer that reads."""
    text = """
        func.func @main(%t: tensor<4xi32>, %i: index, %x: i32) -> (tensor<4xi32>, i32) {
          %m = bufferization.to_buffer %t read_only
              : tensor<4xi32> to memref<4xi32, strided<[?], offset: ?>>
          %r = tensor.insert %x into %t[%i] : tensor<4xi32>
          %e = memref.load %m[%i] : memref<4xi32, strided<[?], offset: ?>>
          return %r, %e : tensor<4xi32>, i32
        }
    """
    assert wrong_decisions([text], BUFFERIZATION) == [UNSOUND]


@requires_mlir_opt
def test_threads_that_write_one_buffer_are_a_race() -> None:
    text = """
        func.func @main(%t: tensor<4xi32>, %n: index, %x: i32) -> i32 {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          scf.parallel (%i) = (%c0) to (%n) step (%c1) {
            %s = tensor.insert %x into %t[%c0] : tensor<4xi32>
          }
          return %x : i32
        }
    """
    assert wrong_decisions([text], BUFFERIZATION) == [RACE]


@requires_mlir_opt
def test_what_a_switch_forwards_is_not_copied_by_mlir_opt() -> None:
    """A block argument is the tensor that is overwritten, and read afterwards."""
    text = """
        func.func @main(%t: tensor<4xi32>, %c: i32, %i: index) -> (i32, i32) {
          cf.switch %c : i32, [
            default: ^bb1(%t : tensor<4xi32>),
            0: ^bb1(%t : tensor<4xi32>)
          ]
        ^bb1(%u: tensor<4xi32>):
          %w = linalg.fill ins(%c : i32) outs(%t : tensor<4xi32>) -> tensor<4xi32>
          %x = tensor.extract %u[%i] : tensor<4xi32>
          %y = tensor.extract %w[%i] : tensor<4xi32>
          return %x, %y : i32, i32
        }
    """
    assert wrong_decisions([text], BUFFERIZATION) == [SWITCH]
    (outcome,) = mlir_opt([text], *mlir_flags(BUFFERIZATION))
    assert "memref.alloc" not in outcome.text


@pytest.mark.parametrize(
    "offsets, wrong",
    [((0, 20), None), ((0, 16), "wrong"), ((0, 24), "out of bounds"), ((4, 0), "wrong")],
)
def test_buffers_of_an_arena_share_its_bytes(
    offsets: tuple[int, int], wrong: str | None
) -> None:
    tensors = """
        func.func @main(%a: i32, %b: i32, %i: index) -> i32 {
          return %a : i32
        }
        """
    _, module = parse(
        f"""
        func.func @main(%a: i32, %b: i32, %i: index) -> i32 {{
          %arena = memref.alloc() : memref<40xi8>
          %o = arith.constant {offsets[0]} : index
          %p = arith.constant {offsets[1]} : index
          %x = memref.view %arena[%o][] : memref<40xi8> to memref<5xi32>
          %y = memref.view %arena[%p][] : memref<40xi8> to memref<5xi32>
          linalg.fill ins(%a : i32) outs(%x : memref<5xi32>)
          linalg.fill ins(%b : i32) outs(%y : memref<5xi32>)
          %z = memref.load %x[%i] : memref<5xi32>
          memref.dealloc %arena : memref<40xi8>
          return %z : i32
        }}
        """
    )
    program = Program(tensors, (1, 2, 4 if offsets[0] == 0 else 0))
    if wrong is None:
        assert executed(module, program).peak_reserved == 40
        return
    with pytest.raises(WrongProgram, match=wrong):
        executed(module, program)
