"""Which accesses of a parallel loop may meet those of another iteration."""

from __future__ import annotations

from dataclasses import replace

import pytest
from xdsl.dialects.builtin import MemRefType, ModuleOp, i32
from xdsl.ir import Operation

from tests.checkers.mutation import OPTIONS, bufferized, mutants
from tests.oracle.tools import parse, run_passes
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.analysis.facts.slices import Slice
from xdsl_bufferization.analysis.facts.value_bounds import Index
from xdsl_bufferization.checkers.contents.checker import check_contents
from xdsl_bufferization.checkers.contents.marks import Marks
from xdsl_bufferization.checkers.contents.names import Views
from xdsl_bufferization.checkers.contents.races import ParallelLoop
from xdsl_bufferization.checkers.contents.state import State
from xdsl_bufferization.checkers.contents.windows import Access
from xdsl_bufferization.dialects import memref, scf
from xdsl_bufferization.models import announce_models
from xdsl_bufferization.transforms.utils.one_shot_bufferization import (
    run_one_shot_bufferize,
)
from xdsl_bufferization.transforms.utils.verified_bufferization import (
    verify_bufferization,
)

FORALL = "scf.forall (%i, %j) = (0, 0) to (8, %n) step (2, %s)"
PARALLEL = "scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%s, %c1)"


def races(body: str, loop: str = FORALL) -> int:
    """How many reads may meet a write of another iteration."""
    announce_models()
    _, module = parse(
        f"""
        func.func @main(%m: memref<?x?xi32>, %n: index, %s: index, %x: i32) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          {loop} {{
            {body}
          }}
          return
        }}
        """
    )
    (op,) = (op for op in module.walk() if isinstance(op, scf.ForallOp | scf.ParallelOp))
    return len(list(ParallelLoop(op, []).find_races(accesses(op), State())))


def wrong_in_shared_buffer(module: ModuleOp) -> list[str]:
    """Return the names of the ops found wrong when all slices are of one buffer, as
    without keeping threads apart first."""
    unprepared, _ = bufferized(module, None)
    assert unprepared.described is not None
    wrong = check_contents(unprepared.module, unprepared.described)
    return [one.op.name for one in wrong]


def accesses(loop: Operation) -> list[Access]:
    views = Views(FunctionTable())
    found: list[Access] = []
    for op in loop.walk():
        match op:
            case memref.LoadOp() | memref.StoreOp():
                first = 1 if isinstance(op, memref.StoreOp) else 0
                view = views.of(op.operands[first]).element(op.operands[first + 1 :])
                found.append(Access(first == 1, view, op))
            case memref.CopyOp():
                for is_write, operand in enumerate(op.operands):
                    found.append(Access(is_write == 1, views.of(operand), op))
            case _:
                pass
    return found


STORE_OWN = "memref.store %x, %m[%i, %j] : memref<?x?xi32>\n"


@pytest.mark.parametrize(
    "read",
    {
        "its own element": "memref.load %m[%i, %j] : memref<?x?xi32>",
        "between steps": """
            %k = arith.addi %i, %c1 : index
            %v = memref.load %m[%k, %j] : memref<?x?xi32>
            """,
        "its own tile": """
            %t = memref.subview %m[%i, %j] [2, %s] [1, 1] : memref<?x?xi32>
                to memref<2x?xi32, strided<[?, 1], offset: ?>>
            %v = memref.load %t[%c0, %c1] : memref<2x?xi32, strided<[?, 1], offset: ?>>
            """,
        "an inner loop over its own tile": """
            scf.for %k = %c0 to %s step %c1 {
              %l = arith.addi %j, %k : index
              %v = memref.load %m[%i, %l] : memref<?x?xi32>
            }
            """,
        "a tile that ends at the border": """
            %size = affine.min affine_map<(d0)[s0, s1] -> (s0 - d0, s1)>(%j)[%n, %s]
            %t = memref.subview %m[%i, %j] [1, %size] [1, 1] : memref<?x?xi32>
                to memref<1x?xi32, strided<[?, 1], offset: ?>>
            %v = memref.load %t[%c0, %c1] : memref<1x?xi32, strided<[?, 1], offset: ?>>
            """,
    }.items(),
    ids=lambda item: item[0].replace(" ", "_"),
)
def test_no_race(read: tuple[str, str]) -> None:
    assert races(STORE_OWN + read[1]) == 0


@pytest.mark.parametrize(
    "read",
    {
        "the next iteration": """
            %c2 = arith.constant 2 : index
            %k = arith.addi %i, %c2 : index
            %v = memref.load %m[%k, %j] : memref<?x?xi32>
            """,
        "one element for all": "memref.load %m[%c0, %c0] : memref<?x?xi32>",
        "a row for all columns": "memref.load %m[%i, %c0] : memref<?x?xi32>",
        "transposed": "memref.load %m[%j, %i] : memref<?x?xi32>",
        "backwards": """
            %k = arith.subi %n, %i : index
            %v = memref.load %m[%k, %j] : memref<?x?xi32>
            """,
        "a tile that is too large": """
            %t = memref.subview %m[%i, %j] [3, %s] [1, 1] : memref<?x?xi32>
                to memref<3x?xi32, strided<[?, 1], offset: ?>>
            %v = memref.load %t[%c0, %c1] : memref<3x?xi32, strided<[?, 1], offset: ?>>
            """,
        "an offset that is not understood": """
            %k = arith.remui %i, %s : index
            %v = memref.load %m[%k, %j] : memref<?x?xi32>
            """,
    }.items(),
    ids=lambda item: item[0].replace(" ", "_"),
)
def test_race(read: tuple[str, str]) -> None:
    assert races(STORE_OWN + read[1]) == 1


def test_steps_of_scf_parallel() -> None:
    tile = """
        %t = memref.subview %m[%i, %j] [%s, 1] [1, 1] : memref<?x?xi32>
            to memref<?x1xi32, strided<[?, 1], offset: ?>>
        %v = memref.load %t[%c1, %c0] : memref<?x1xi32, strided<[?, 1], offset: ?>>
        """
    assert races(STORE_OWN + tile, PARALLEL) == 0
    assert races(STORE_OWN + tile, PARALLEL.replace("(%s, %c1)", "(%c1, %c1)")) == 1


def test_column_that_depends_on_one_of_two_variables() -> None:
    """Iterations (0, 0) and (0, 1) meet there."""
    one = "memref.store %x, %m[%i, %c0] : memref<?x?xi32>\n"
    assert races(one + "memref.load %m[%i, %c0] : memref<?x?xi32>") == 1
    assert races(one + "memref.load %m[%i, %c1] : memref<?x?xi32>") == 0


def test_memory_of_the_iteration() -> None:
    body = """
        %a = memref.alloc() : memref<2xi32>
        memref.store %x, %a[%c0] : memref<2xi32>
        %v = memref.load %a[%c0] : memref<2xi32>
        """
    assert races(body) == 0


@pytest.mark.parametrize(
    ("distance", "start", "expected"),
    [
        (400, "%i", 0),  # Each iteration has a window of its own,
        (60, "%i", 200),  # the windows overlap,
        (0, "%c0", 0),  # all write at even and read at odd places,
        (0, "%c1", 200),  # or the other way round, and at the same places.
    ],
)
def test_many_accesses(distance: int, start: str, expected: int) -> None:
    """They are not compared with each other."""
    body = (
        f"%w = arith.constant {distance} : index\n%b = arith.muli {start}, %w : index\n"
    )
    shift = 1 if start == "%c0" else 0
    for number in range(200):
        for name, place in (("a", 2 * number), ("b", 2 * number + shift)):
            body += f"""
                %{name}k{number} = arith.constant {place} : index
                %{name}{number} = arith.addi %b, %{name}k{number} : index
                """
        body += f"""
            memref.store %x, %m[%a{number}, %c0] : memref<?x?xi32>
            %v{number} = memref.load %m[%b{number}, %c0] : memref<?x?xi32>
            """
    loop = "scf.forall (%i) = (0) to (%n) step (1)"
    assert races(body, loop) == expected


def test_one_iteration() -> None:
    """Nobody else writes what it reads."""
    body = """
        memref.store %x, %m[%c0, %c0] : memref<?x?xi32>
        %v = memref.load %m[%c0, %c0] : memref<?x?xi32>
        """
    assert races(body, "scf.forall (%i, %j) in (1, 1)") == 0
    assert races(body, "scf.forall (%i, %j) in (1, 2)") == 1


def test_threads_that_insert_the_same_slice() -> None:
    """Inserted slices are disjoint, so there is one thread."""
    text = """
        func.func @main(%t: tensor<?x3xi32>, %u: tensor<3xi32>, %n: index)
            -> tensor<?x3xi32> {
          %c0 = arith.constant 0 : index
          %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<?x3xi32>) {
            %first = tensor.extract_slice %o[%n, 0] [1, 3] [1, 1]
                : tensor<?x3xi32> to tensor<3xi32>
            %second = tensor.extract_slice %o[%i, 0] [1, 3] [1, 1]
                : tensor<?x3xi32> to tensor<3xi32>
            %l = scf.for %a = %c0 to %n step %n iter_args(%b = %second)
                -> (tensor<3xi32>) {
              scf.yield %u : tensor<3xi32>
            }
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %first into %o[%n, 0] [1, 3] [1, 1]
                  : tensor<3xi32> into tensor<?x3xi32>
              tensor.parallel_insert_slice %first into %o[%i, 0] [1, 3] [1, 1]
                  : tensor<3xi32> into tensor<?x3xi32>
            }
          }
          return %r : tensor<?x3xi32>
        }
        """
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []


def test_loop_that_is_given_a_slice_and_yields_new_memory() -> None:
    """What it writes is in that slice, or in the new memory: not in another slice."""
    text = """
        func.func @main(%t: tensor<4x3xi32>, %u: tensor<3xi32>, %n: index, %x: i32)
            -> tensor<4x3xi32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %r = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<4x3xi32>) {
            %k = arith.addi %i, %c1 : index
            %first = tensor.extract_slice %o[%k, 0] [1, 3] [1, 1]
                : tensor<4x3xi32> to tensor<3xi32>
            %second = tensor.extract_slice %o[%i, 0] [1, 3] [1, 1]
                : tensor<4x3xi32> to tensor<3xi32>
            %l = scf.for %a = %c0 to %n step %c1 iter_args(%b = %second)
                -> (tensor<3xi32>) {
              %w = tensor.insert %x into %b[%c0] : tensor<3xi32>
              scf.yield %u : tensor<3xi32>
            }
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %first into %o[%k, 0] [1, 3] [1, 1]
                  : tensor<3xi32> into tensor<4x3xi32>
              tensor.parallel_insert_slice %first into %o[%i, 0] [1, 3] [1, 1]
                  : tensor<3xi32> into tensor<4x3xi32>
            }
          }
          return %r : tensor<4x3xi32>
        }
        """
    _, module = parse(text)
    options = replace(OPTIONS, disjoint_slices=True)
    assert verify_bufferization(module, options) == []


def test_slice_of_an_earlier_iteration() -> None:
    """A loop that yields a slice at its induction variable is given that of the iteration
    before: at an offset of which nothing is known, though the variable has the same
    name."""
    _, module = parse(
        """
        func.func @main(%m: memref<8xi32>, %n: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %s = memref.subview %m[0] [1] [1]
              : memref<8xi32> to memref<1xi32, strided<[1]>>
          %d = memref.cast %s
              : memref<1xi32, strided<[1]>> to memref<1xi32, strided<[1], offset: ?>>
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %d)
              -> (memref<1xi32, strided<[1], offset: ?>>) {
            %p = memref.subview %m[%i] [1] [1]
                : memref<8xi32> to memref<1xi32, strided<[1], offset: ?>>
            scf.yield %p : memref<1xi32, strided<[1], offset: ?>>
          }
          %q = scf.for %i = %c0 to %n step %c1 iter_args(%a = %d)
              -> (memref<1xi32, strided<[1], offset: ?>>) {
            %p = memref.subview %m[%n] [1] [1]
                : memref<8xi32> to memref<1xi32, strided<[1], offset: ?>>
            scf.yield %p : memref<1xi32, strided<[1], offset: ?>>
          }
          return
        }
        """
    )
    moving, still = (op for op in module.walk() if isinstance(op, scf.ForOp))
    views = Views(FunctionTable())

    def offsets(loop: Operation) -> set[Index]:
        found = views.alternatives(views.of(loop.regions[0].block.args[1])) or ()
        steps = [view.steps[-1] for view in found]
        return {step.offsets[0] for step in steps if isinstance(step, Slice)}

    (now,) = moving.regions[0].block.args[:1]
    assert len(offsets(moving)) == len(offsets(still)) == 2
    assert now not in offsets(moving)
    # Nothing else is at that offset: the result of the loop, asked for, has another one.
    result = views.of(moving.results[0])
    steps = [view.steps[-1] for view in views.alternatives(result) or ()]
    others = {step.offsets[0] for step in steps if isinstance(step, Slice)}
    assert offsets(moving) & others == {0}


def test_slice_at_an_offset_from_memory() -> None:
    """It is an iteration's own, since the iteration inserts it there."""
    text = """
        func.func @main(%t: tensor<8xi32>, %at: tensor<4xindex>, %x: i32)
            -> tensor<8xi32> {
          %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xi32>) {
            %k = tensor.extract %at[%i] : tensor<4xindex>
            %s = tensor.extract_slice %o[%k] [2] [1] : tensor<8xi32> to tensor<2xi32>
            %c0 = arith.constant 0 : index
            %e = tensor.extract %s[%c0] : tensor<2xi32>
            %f = arith.addi %e, %x : i32
            %w = tensor.insert %f into %s[%c0] : tensor<2xi32>
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %w into %o[%k] [2] [1]
                  : tensor<2xi32> into tensor<8xi32>
            }
          }
          return %r : tensor<8xi32>
        }
        """
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []


@pytest.mark.parametrize(
    ("place", "is_own"),
    [
        ("affine_map<(d0) -> (d0 * 2)>", True),
        ("affine_map<(d0) -> (d0 * 2 + 1)>", True),
        ("affine_map<(d0) -> (d0 * 2 + 2)>", False),
        ("affine_map<(d0) -> (d0)>", False),
    ],
)
def test_copy_of_all_that_threads_insert(place: str, is_own: bool) -> None:
    """A thread finds there what it inserts itself, whatever others have written of the
    rest while it copied."""
    text = f"""
        func.func @main(%t: tensor<8xi32>, %x: i32) -> tensor<8xi32> {{
          %c7 = arith.constant 7 : index
          %r = scf.forall (%i) in (3) shared_outs(%o = %t) -> (tensor<8xi32>) {{
            %j = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
            %k = affine.apply {place}(%i)
            %d = tensor.insert %x into %o[%c7] : tensor<8xi32>
            %e = tensor.extract %d[%k] : tensor<8xi32>
            %z = tensor.extract %o[%j] : tensor<8xi32>
            %s = tensor.from_elements %e, %z : tensor<2xi32>
            scf.forall.in_parallel {{
              tensor.parallel_insert_slice %s into %o[%j] [2] [1]
                  : tensor<2xi32> into tensor<8xi32>
            }}
          }}
          return %r : tensor<8xi32>
        }}
        """
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []
    assert wrong_in_shared_buffer(module) == ([] if is_own else ["memref.load"])


def test_thread_that_overwrites_what_others_insert() -> None:
    """What it writes is what was there before the loop, and nobody reads it."""
    text = """
        func.func @main(%t: tensor<4xi32>, %s: tensor<1xi32>)
            -> (tensor<4xi32>, tensor<4xi32>) {
          %c0 = arith.constant 0 : index
          %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xi32>) {
            %d = tensor.insert_slice %t into %o[0] [4] [1]
                : tensor<4xi32> into tensor<4xi32>
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %s into %o[%i] [1] [1]
                  : tensor<1xi32> into tensor<4xi32>
            }
          }
          return %r, %t : tensor<4xi32>, tensor<4xi32>
        }
        """
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []
    # Mutants are made without keeping threads apart first: only the one in which nothing
    # is overwritten is right.
    accepted = [
        mutant.what
        for mutant in mutants(text)
        if mutant.described is not None
        and not check_contents(mutant.module, mutant.described)
    ]
    assert accepted == ["copy number 1 left out"]


@pytest.mark.parametrize("use", ["insert", "generate"])
def test_threads_that_use_one_tensor(use: str) -> None:
    """Each works on a copy; in place they would find what another one has written."""
    body = """
        %v = arith.index_cast %i : index to i32
        %0 = tensor.insert %v into %u[%c0] : tensor<2xi32>
        %e = tensor.extract %0[%c0] : tensor<2xi32>
        """
    if use == "generate":
        program = f"""
            %r = tensor.generate {{
            ^bb0(%i: index):
              {body}
              tensor.yield %e : i32
            }} : tensor<4xi32>
            """
    else:
        program = f"""
            %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xi32>) {{
              {body}
              %s = tensor.from_elements %e : tensor<1xi32>
              scf.forall.in_parallel {{
                tensor.parallel_insert_slice %s into %o[%i] [1] [1]
                    : tensor<1xi32> into tensor<4xi32>
              }}
            }}
            """
    text = f"""
        func.func @main(%t: tensor<4xi32>, %u: tensor<2xi32>) -> tensor<4xi32> {{
          %c0 = arith.constant 0 : index
          {program}
          return %r : tensor<4xi32>
        }}
        """
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []
    found = list(mutants(text))
    assert found
    for mutant in found:
        assert mutant.described is not None
        assert check_contents(mutant.module, mutant.described), mutant.what


@pytest.mark.parametrize("count", [1, 4])
def test_iterations_of_affine_parallel(count: int) -> None:
    """Each works on a copy. In place they would find what another one has written; what
    is wrong with the only one is that %u is needed afterwards."""
    text = f"""
        func.func @main(%u: tensor<2xi32>, %seen: memref<4xi32>) -> tensor<2xi32> {{
          %c0 = arith.constant 0 : index
          affine.parallel (%i) = (0) to ({count}) {{
            %v = arith.index_cast %i : index to i32
            %0 = tensor.insert %v into %u[%c0] : tensor<2xi32>
            %e = tensor.extract %0[%c0] : tensor<2xi32>
            memref.store %e, %seen[%i] : memref<4xi32>
          }}
          return %u : tensor<2xi32>
        }}
        """
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []
    (in_place, *_) = mutants(text)
    assert in_place.described is not None
    wrong = check_contents(in_place.module, in_place.described)
    expected = ["memref.load"] if count > 1 else []
    assert [one.op.name for one in wrong] == [*expected, "func.return"]


@pytest.mark.parametrize("place", ["%i", "%c0"])
def test_slices_of_affine_parallel(place: str) -> None:
    """Iterations whose elements are apart do not meet."""
    _, module = parse(
        f"""
        func.func @main(%m: memref<?xi32>, %n: index, %x: i32) -> i32 {{
          %c0 = arith.constant 0 : index
          %t = bufferization.to_tensor %m restrict writable
              : memref<?xi32> to tensor<?xi32>
          affine.parallel (%i) = (0) to (%n) {{
            %e = tensor.extract %t[{place}] : tensor<?xi32>
            %f = arith.addi %e, %x : i32
            memref.store %f, %m[%i] : memref<?xi32>
          }}
          return %x : i32
        }}
        """
    )
    marks = Marks(module)
    run_one_shot_bufferize(module, replace(OPTIONS, listeners=[marks]))
    wrong = check_contents(module, marks.described)
    races = [one for one in wrong if "another iteration" in str(one)]
    assert len(races) == (place == "%c0")


@pytest.mark.parametrize(("place", "is_wrong"), [("%c3", True), ("%i", False)])
def test_write_beside_what_a_thread_inserts(place: str, is_wrong: bool) -> None:
    """What no thread inserts must stay, even if no other thread reads it."""
    _, module = parse(
        f"""
        func.func @main(%t: tensor<4xi32>, %s: tensor<1xi32>, %m: memref<4xi32>, %x: i32)
            -> tensor<4xi32> {{
          %c3 = arith.constant 3 : index
          %0 = scf.forall (%i) in (2) shared_outs(%o = %t) -> (tensor<4xi32>) {{
            memref.store %x, %m[{place}] : memref<4xi32>
            scf.forall.in_parallel {{
              tensor.parallel_insert_slice %s into %o[%i] [1] [1]
                  : tensor<1xi32> into tensor<4xi32>
            }}
          }}
          return %0 : tensor<4xi32>
        }}
        """
    )
    marks = Marks(module)
    run_one_shot_bufferize(module, replace(OPTIONS, listeners=[marks]))
    (store,) = (op for op in module.walk() if isinstance(op, memref.StoreOp))
    (copy,) = (op for op in module.walk() if isinstance(op, memref.CopyOp))
    assert check_contents(module, marks.described) == []
    # From here on, it writes what the threads insert into.
    output = copy.operands[1]
    assert isinstance(output.owner, memref.SubviewOp)
    store.operands[1] = output.owner.operands[0]
    wrong = check_contents(module, marks.described)
    assert [one.op.name for one in wrong] == ["scf.forall.in_parallel"] * is_wrong


_INSERTIONS = {
    "two": "[%i] [%k]",
    "three": "[%i] [%k] [%j]",
    "surely apart": "[%i] [%i4]",
    "one of them first in memory": "[%c0] [%k]",
}


def _threads(places: str, filled: int | None = None) -> str:
    """A loop whose threads insert at these places; what they insert at one of them, they
    first write there in place."""
    insertions: list[str] = []
    made = ""
    for number, place in enumerate(places.split()):
        source = f"%s{number}"
        if number == filled:
            source = "%w"
            made = f"""
                %v = tensor.extract_slice %o{place} [1] [1]
                    : tensor<8xi32> to tensor<1xi32>
                %w = linalg.fill ins(%x : i32) outs(%v : tensor<1xi32>) -> tensor<1xi32>
                """
        insertions.append(
            f"tensor.parallel_insert_slice {source} into %o{place} [1] [1] "
            ": tensor<1xi32> into tensor<8xi32>"
        )
    return f"""
        func.func @main(%t: tensor<8xi32>, %s0: tensor<1xi32>, %s1: tensor<1xi32>,
                        %s2: tensor<1xi32>, %x: i32, %n: index, %a: index, %b: index)
            -> tensor<8xi32> {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c4 = arith.constant 4 : index
          %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8xi32>) {{
            %k = arith.addi %a, %i : index
            %j = arith.addi %b, %i : index
            %i1 = arith.addi %c1, %i : index
            %i4 = arith.addi %c4, %i : index
            {made}
            scf.forall.in_parallel {{
              {" ".join(insertions)}
            }}
          }}
          return %r : tensor<8xi32>
        }}
        """


@pytest.mark.parametrize("filled", [None, 0, 1])
@pytest.mark.parametrize("places", _INSERTIONS.values(), ids=list(_INSERTIONS))
def test_insertions_of_one_thread(places: str, filled: int | None) -> None:
    """They are disjoint, says the program, as are those of different threads."""
    _, module = parse(_threads(places, filled))
    assert verify_bufferization(module, OPTIONS) == []


def test_insertions_into_parts_of_rows() -> None:
    _, module = parse(
        """
        func.func @main(%t: tensor<?x?xi32>, %u: tensor<?x?xi32>, %s: tensor<1x?xi32>,
                        %n: index, %h: index, %m: index)
            -> (tensor<?x?xi32>, tensor<?x?xi32>) {
          %r:2 = scf.forall (%i) in (%n) shared_outs(%o = %t, %p = %u)
              -> (tensor<?x?xi32>, tensor<?x?xi32>) {
            %a = affine.apply affine_map<(i)[h] -> (i floordiv h)>(%i)[%h]
            %b = arith.remui %i, %h : index
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %s into %o[%a, %b] [1, %m] [1, 1]
                  : tensor<1x?xi32> into tensor<?x?xi32>
              tensor.parallel_insert_slice %s into %o[%b, %a] [1, %m] [1, 2]
                  : tensor<1x?xi32> into tensor<?x?xi32>
              tensor.parallel_insert_slice %s into %p[%b, 0] [1, %m] [1, 1]
                  : tensor<1x?xi32> into tensor<?x?xi32>
            }
          }
          return %r#0, %r#1 : tensor<?x?xi32>, tensor<?x?xi32>
        }
        """
    )
    assert verify_bufferization(module, OPTIONS) == []


_OVERLAPPING = ["[%i] [%i]", "[%i] [%k] [%i]", "[4] [%c4]"]


@pytest.mark.parametrize("places", _OVERLAPPING)
def test_insertions_that_surely_overlap(places: str) -> None:
    """They have no order, so that either may be there in the end."""
    _, module = parse(_threads(places))
    assert verify_bufferization(module, OPTIONS) == []


def test_all_of_a_shared_output_is_overwritten_in_another_one() -> None:
    """In a thread, a shared output is what the loop was given: so is a copy of that."""
    _, module = parse(
        """
        func.func @main(%t: tensor<2xi32>, %u: tensor<8xi32>, %s: tensor<2xi32>)
            -> (tensor<2xi32>, tensor<8xi32>) {
          %r:2 = scf.forall (%i) in (2) shared_outs(%o = %t, %p = %u)
              -> (tensor<2xi32>, tensor<8xi32>) {
            %e = tensor.extract_slice %s[%i] [1] [1] : tensor<2xi32> to tensor<1xi32>
            %k = affine.apply affine_map<(i) -> (4 * i)>(%i)
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %e into %o[%i] [1] [1]
                : tensor<1xi32> into tensor<2xi32>
              tensor.parallel_insert_slice %o into %p[%k] [2] [1]
                : tensor<2xi32> into tensor<8xi32>
              tensor.parallel_insert_slice %s into %p[%k] [2] [1]
                : tensor<2xi32> into tensor<8xi32>
            }
          }
          return %r#0, %r#1 : tensor<2xi32>, tensor<8xi32>
        }
        """
    )
    assert verify_bufferization(module, OPTIONS) == []


def test_inserted_again_after_a_choice_of_the_same() -> None:
    """Whichever of two buffers is chosen holds the slice, if both do."""
    _, module = parse(
        """
        func.func @main(%t: tensor<3x5xi32>, %n: index, %b: i1) -> tensor<3x5xi32> {
          %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<3x5xi32>) {
            %s = tensor.extract_slice %o[%i, 0] [1, 5] [1, 1]
              : tensor<3x5xi32> to tensor<5xi32>
            %c = arith.select %b, %s, %s : tensor<5xi32>
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %c into %o[%i, 0] [1, 5] [1, 1]
                : tensor<5xi32> into tensor<3x5xi32>
              tensor.parallel_insert_slice %s into %o[%i, 0] [1, 5] [1, 1]
                : tensor<5xi32> into tensor<3x5xi32>
            }
          }
          return %r : tensor<3x5xi32>
        }
        """
    )
    assert verify_bufferization(module, OPTIONS) == []


def test_result_of_an_unknown_call_by_threads_of_an_earlier_iteration() -> None:
    """It may be the buffer that the threads were given then, but not the one that they
    are given now."""
    _, module = parse(
        """
        func.func @main(%t: tensor<8xi32>, %s: tensor<2xi32>, %x: i32, %n: index,
                        %f: (tensor<2xi32>) -> tensor<2xi32>) -> tensor<8xi32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xi32>) {
            %0 = scf.forall (%j) in (%n) shared_outs(%o = %a) -> (tensor<8xi32>) {
              %k = affine.apply affine_map<(j) -> (2 * j)>(%j)
              %e = tensor.extract_slice %o[%k] [2] [1] : tensor<8xi32> to tensor<2xi32>
              %1 = func.call_indirect %f(%e) : (tensor<2xi32>) -> tensor<2xi32>
              scf.forall.in_parallel {
                tensor.parallel_insert_slice %s into %o[%k] [2] [1]
                  : tensor<2xi32> into tensor<8xi32>
              }
            }
            %2 = tensor.insert %x into %a[%n] : tensor<8xi32>
            scf.yield %0 : tensor<8xi32>
          }
          return %r : tensor<8xi32>
        }
        """
    )
    assert verify_bufferization(module, OPTIONS) == []


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("places", _OVERLAPPING)
def test_insertion_that_is_left_out(places: str, number: int) -> None:
    """Something must be inserted before something else overwrites it."""
    _, module = parse(_threads(places))
    mutant, _ = bufferized(module, None)
    copies = [op for op in mutant.module.walk() if isinstance(op, memref.CopyOp)]
    inserting = [
        op for op in copies if isinstance(op.operands[1].owner, memref.SubviewOp)
    ]
    copy = inserting[number % len(inserting)]
    copy.detach()
    assert mutant.described is not None
    wrong = check_contents(mutant.module, mutant.described)
    assert [one.op.name for one in wrong] == ["scf.forall.in_parallel"]


def test_insertions_of_which_one_surely_overlaps_the_next_thread() -> None:
    """Each thread has the two elements to itself, says the program."""
    text = """
        func.func @main(%t: tensor<8xi32>, %s: tensor<2xi32>, %n: index, %a: index)
            -> tensor<8xi32> {
          %c1 = arith.constant 1 : index
          %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8xi32>) {
            %j = arith.muli %i, %a : index
            %k = arith.addi %j, %c1 : index
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %s into %o[%j] [2] [1]
                  : tensor<2xi32> into tensor<8xi32>
              tensor.parallel_insert_slice %s into %o[%k] [2] [1]
                  : tensor<2xi32> into tensor<8xi32>
            }
          }
          return %r : tensor<8xi32>
        }
        """
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []


@pytest.mark.parametrize("places", ["%k %k %i", "%k %i %k"])
def test_slice_that_overlapping_insertions_overwrite(places: str) -> None:
    """What is inserted is read before any insertion, be it overwritten by several."""
    targets = places.split()
    sources = ["%v" if target == "%i" else "%s" for target in targets]
    insertions = " ".join(
        f"tensor.parallel_insert_slice {source} into %o[{target}] [1] [1] "
        ": tensor<1xi32> into tensor<8xi32>"
        for source, target in zip(sources, targets, strict=True)
    )
    text = f"""
        func.func @main(%t: tensor<8xi32>, %s: tensor<1xi32>, %n: index, %a: index)
            -> tensor<8xi32> {{
          %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8xi32>) {{
            %k = arith.addi %a, %i : index
            %v = tensor.extract_slice %o[%k] [1] [1] : tensor<8xi32> to tensor<1xi32>
            scf.forall.in_parallel {{ {insertions} }}
          }}
          return %r : tensor<8xi32>
        }}
        """
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []
    assert wrong_in_shared_buffer(module) == ["scf.forall.in_parallel"]


def test_slice_that_an_insertion_overwrites_before_it_is_inserted() -> None:
    """Disjoint are the places where threads insert, not what they insert."""
    text = """
        func.func @main(%t: tensor<8xi32>, %s: tensor<1xi32>, %n: index, %a: index)
            -> tensor<8xi32> {
          %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8xi32>) {
            %k = arith.addi %a, %i : index
            %v = tensor.extract_slice %o[%k] [1] [1] : tensor<8xi32> to tensor<1xi32>
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %s into %o[%k] [1] [1]
                  : tensor<1xi32> into tensor<8xi32>
              tensor.parallel_insert_slice %v into %o[%i] [1] [1]
                  : tensor<1xi32> into tensor<8xi32>
            }
          }
          return %r : tensor<8xi32>
        }
        """
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []
    assert wrong_in_shared_buffer(module) == ["scf.forall.in_parallel"]


@pytest.mark.parametrize("first", ["%i", "%k"])
@pytest.mark.parametrize("number", ["%n", "2"])
def test_slice_that_is_inserted_elsewhere_too(first: str, number: str) -> None:
    """It is still there: nothing but itself has replaced it."""
    second = {"%i": "%k", "%k": "%i"}[first]
    insertions = " ".join(
        f"tensor.parallel_insert_slice %v into %o[{place}] [1] [1] "
        ": tensor<1xi32> into tensor<8xi32>"
        for place in (first, second)
    )
    text = f"""
        func.func @main(%t: tensor<8xi32>, %n: index, %a: index) -> tensor<8xi32> {{
          %r = scf.forall (%i) in ({number}) shared_outs(%o = %t) -> (tensor<8xi32>) {{
            %k = arith.addi %a, %i : index
            %v = tensor.extract_slice %o[%i] [1] [1] : tensor<8xi32> to tensor<1xi32>
            scf.forall.in_parallel {{ {insertions} }}
          }}
          return %r : tensor<8xi32>
        }}
        """
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []
    run_one_shot_bufferize(module, OPTIONS)
    assert not [op for op in module.walk() if op.name == "memref.alloc"]


def test_one_of_two_slices_that_is_inserted_into_both() -> None:
    """Which of them an insertion replaces by itself is not known: it is copied."""
    insertions = " ".join(
        f"tensor.parallel_insert_slice %v into %o[{place}] [1] [1] "
        ": tensor<1xi32> into tensor<8xi32>"
        for place in ("%i", "%k")
    )
    text = f"""
        func.func @main(%t: tensor<8xi32>, %n: index, %k: index, %c: i1)
            -> tensor<8xi32> {{
          %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8xi32>) {{
            %x = tensor.extract_slice %o[%i] [1] [1] : tensor<8xi32> to tensor<1xi32>
            %y = tensor.extract_slice %o[%k] [1] [1] : tensor<8xi32> to tensor<1xi32>
            %v = arith.select %c, %x, %y : tensor<1xi32>
            scf.forall.in_parallel {{ {insertions} }}
          }}
          return %r : tensor<8xi32>
        }}
        """
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []


@pytest.mark.parametrize(
    ("made", "inserted"),
    [
        # New memory, as the slice is still needed.
        ("linalg.fill ins(%f : i32) outs(%v : tensor<2xi32>) -> tensor<2xi32>", "%i"),
        ("tensor.extract_slice %v[0] [2] [1] : tensor<2xi32> to tensor<2xi32>", "%i"),
        # The slice itself, in its place and then elsewhere.
        (
            """scf.if %c -> (tensor<2xi32>) { scf.yield %v : tensor<2xi32> }
            else { scf.yield %v : tensor<2xi32> }""",
            "%k",
        ),
    ],
)
def test_slice_that_is_inserted_by_another_name_too(made: str, inserted: str) -> None:
    """What the slice is made into is nothing else of the output."""
    other = {"%i": "%k", "%k": "%i"}[inserted]
    text = f"""
        func.func @main(%t: tensor<8xi32>, %f: i32, %c: i1) -> tensor<8xi32> {{
          %c2 = arith.constant 2 : index
          %r = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<8xi32>) {{
            %k = arith.addi %i, %c2 : index
            %v = tensor.extract_slice %o[%k] [2] [1] : tensor<8xi32> to tensor<2xi32>
            %w = {made}
            scf.forall.in_parallel {{
              tensor.parallel_insert_slice %w into %o[{inserted}] [2] [1]
                  : tensor<2xi32> into tensor<8xi32>
              tensor.parallel_insert_slice %v into %o[{other}] [2] [1]
                  : tensor<2xi32> into tensor<8xi32>
            }}
          }}
          return %r : tensor<8xi32>
        }}
        """
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []
    run_one_shot_bufferize(module, OPTIONS)
    sizes = [op.results[0].type for op in module.walk() if op.name == "memref.alloc"]
    assert MemRefType(i32, [8]) not in sizes


@pytest.mark.parametrize(
    ("places", "is_right"),
    # What is copied onto one of the buffers that it may be stays there; where it is
    # copied across another one that it may be, it does not.
    [(("%i", "4"), True), (("%k", "4"), False)],
)
def test_choice_of_the_slice_that_is_inserted_twice(
    places: tuple[str, str], is_right: bool
) -> None:
    insertions = " ".join(
        f"tensor.parallel_insert_slice %w into %o[{place}] [2] [1] "
        ": tensor<2xi32> into tensor<8xi32>"
        for place in places
    )
    text = f"""
        func.func @main(%t: tensor<8xi32>, %s: index, %k: index, %f: i32)
            -> tensor<8xi32> {{
          %r = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<8xi32>) {{
            %v = tensor.extract_slice %o[%i] [2] [1] : tensor<8xi32> to tensor<2xi32>
            %w = scf.index_switch %s -> tensor<2xi32>
            case 0 {{
              %empty = tensor.empty() : tensor<2xi32>
              %new = linalg.fill ins(%f : i32) outs(%empty : tensor<2xi32>)
                  -> tensor<2xi32>
              scf.yield %new : tensor<2xi32>
            }}
            default {{
              scf.yield %v : tensor<2xi32>
            }}
            scf.forall.in_parallel {{ {insertions} }}
          }}
          return %r : tensor<8xi32>
        }}
        """
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []
    assert (not wrong_in_shared_buffer(module)) == is_right


@pytest.mark.parametrize(
    ("callee", "other", "is_right"),
    [("@one", "%f", True), ("@recursive", "%f", True), ("@one", "%y", False)],
)
def test_result_of_a_call_that_may_be_the_slice_that_is_inserted_last(
    callee: str, other: str, is_right: bool
) -> None:
    """It is the slice or other memory, which the first insertion replaces or not."""
    text = f"""
        func.func private @one(%a: tensor<2xi32>, %b: tensor<2xi32>, %c: i1)
            -> tensor<2xi32> {{
          %r = scf.if %c -> (tensor<2xi32>) {{
            scf.yield %a : tensor<2xi32>
          }} else {{
            scf.yield %b : tensor<2xi32>
          }}
          return %r : tensor<2xi32>
        }}
        func.func private @recursive(%a: tensor<2xi32>, %b: tensor<2xi32>, %c: i1)
            -> tensor<2xi32> {{
          %r = scf.if %c -> (tensor<2xi32>) {{
            scf.yield %a : tensor<2xi32>
          }} else {{
            %e = tensor.empty() : tensor<2xi32>
            %s = func.call @recursive(%e, %e, %c)
                : (tensor<2xi32>, tensor<2xi32>, i1) -> tensor<2xi32>
            scf.yield %s : tensor<2xi32>
          }}
          return %r : tensor<2xi32>
        }}
        func.func @main(%t: tensor<8xi32>, %k: index, %c: i1, %x: i32)
            -> tensor<8xi32> {{
          %r = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<8xi32>) {{
            %v = tensor.extract_slice %o[%i] [2] [1] : tensor<8xi32> to tensor<2xi32>
            %y = tensor.extract_slice %o[%k] [2] [1] : tensor<8xi32> to tensor<2xi32>
            %e = tensor.empty() : tensor<2xi32>
            %f = linalg.fill ins(%x : i32) outs(%e : tensor<2xi32>) -> tensor<2xi32>
            %w = func.call {callee}(%v, {other}, %c)
                : (tensor<2xi32>, tensor<2xi32>, i1) -> tensor<2xi32>
            scf.forall.in_parallel {{
              tensor.parallel_insert_slice %f into %o[%k] [2] [1]
                  : tensor<2xi32> into tensor<8xi32>
              tensor.parallel_insert_slice %w into %o[%i] [2] [1]
                  : tensor<2xi32> into tensor<8xi32>
            }}
          }}
          return %r : tensor<8xi32>
        }}
        """
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []
    assert (not wrong_in_shared_buffer(module)) == is_right


@pytest.mark.parametrize("number", ["%n", "2"])
def test_output_that_no_thread_inserts_into_is_what_the_loop_was_given(
    number: str,
) -> None:
    text = f"""
        func.func @main(%t: tensor<4xi32>, %s: tensor<1xi32>, %n: index)
            -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {{
          %r, %q = scf.forall (%i) in ({number}) shared_outs(%o = %t, %p = %t)
              -> (tensor<4xi32>, tensor<4xi32>) {{
            scf.forall.in_parallel {{
              tensor.parallel_insert_slice %s into %p[%i] [1] [1]
                  : tensor<1xi32> into tensor<4xi32>
            }}
          }}
          return %t, %r, %q : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
        }}
        """
    _, module = parse(text)
    assert verify_bufferization(module, OPTIONS) == []
    left_out = [mutant for mutant in mutants(text) if "left out" in mutant.what]
    assert left_out
    for mutant in left_out:
        assert mutant.described is not None
        assert check_contents(mutant.module, mutant.described), mutant.what


@pytest.mark.parametrize(
    "element, found",
    [
        ("%i, %i", 0),
        ("%i, %c4", 0),
        ("%next, %c0", 1),
        ("%c0, %i", 1),
    ],
)
def test_element_of_what_a_thread_inserts(element: str, found: int) -> None:
    """Rows that other threads insert are not the one that this thread inserts."""
    _, module = parse(
        f"""
        func.func @main(%t: tensor<?x5xi32>, %k: index, %n: index, %x: i32)
            -> tensor<?x5xi32> {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c4 = arith.constant 4 : index
          %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<?x5xi32>) {{
            %j = arith.addi %i, %k : index
            %next = arith.addi %i, %c1 : index
            %s = tensor.extract_slice %o[%j, 0] [1, 5] [1, 1]
                : tensor<?x5xi32> to tensor<5xi32>
            %y = tensor.extract %o[{element}] : tensor<?x5xi32>
            %v = tensor.insert %y into %s[%c0] : tensor<5xi32>
            %w = tensor.insert %x into %s[%c1] : tensor<5xi32>
            scf.forall.in_parallel {{
              tensor.parallel_insert_slice %v into %o[%i, 0] [1, 5] [1, 1]
                  : tensor<5xi32> into tensor<?x5xi32>
              tensor.parallel_insert_slice %w into %o[%j, 0] [1, 5] [1, 1]
                  : tensor<5xi32> into tensor<?x5xi32>
            }}
          }}
          return %r : tensor<?x5xi32>
        }}
        """
    )
    assert wrong_in_shared_buffer(module).count("memref.load") == found


LEFT_ON_TENSORS = [
    "%v = tensor.insert %x into %u[%i, %c0] : tensor<4x4xi32>",
    """%r = tensor.extract_slice %u[%i, 0] [1, 4] [1, 1]
           : tensor<4x4xi32> to tensor<4xi32>
       %v = tensor.insert %x into %r[%c0] : tensor<4xi32>""",
    """%r = tensor.collapse_shape %u [[0, 1]] : tensor<4x4xi32> into tensor<16xi32>
       %v = tensor.insert %x into %r[%c0] : tensor<16xi32>""",
    """%r = tensor.empty() : tensor<8x4xi32>
       %v = tensor.insert_slice %u into %r[0, 0] [4, 4] [1, 1]
           : tensor<4x4xi32> into tensor<8x4xi32>""",
    """%r = tensor.reshape %u(%shape) : (tensor<4x4xi32>, tensor<1xi32>) -> tensor<16xi32>
       %v = tensor.insert %x into %r[%c0] : tensor<16xi32>""",
    """%v = tensor.pad %u low[1, 0] high[0, 0] {
       ^bb0(%j: index, %k: index):
         tensor.yield %x : i32
       } : tensor<4x4xi32> to tensor<5x4xi32>""",
]


@pytest.mark.parametrize("ops", LEFT_ON_TENSORS)
@pytest.mark.parametrize("is_defined", [True, False])
def test_undefined_contents_that_threads_share(ops: str, is_defined: bool) -> None:
    """An op left on tensors reads its operand, which other threads overwrite, as its
    contents do not matter. If they do, threads get a copy to insert into."""
    empty = "bufferization.alloc_tensor() : tensor<4x4xi32>"
    text = f"""
        func.func @main(%row: tensor<4xi32>, %x: i32, %shape: tensor<1xi32>)
            -> tensor<4x4xi32> {{
          %c0 = arith.constant 0 : index
          %u = {"tensor.splat %x : tensor<4x4xi32>" if is_defined else empty}
          %0 = scf.forall (%i) in (4) shared_outs(%o = %u) -> (tensor<4x4xi32>) {{
            {ops}
            scf.forall.in_parallel {{
              tensor.parallel_insert_slice %row into %o[%i, 0] [1, 4] [1, 1]
                  : tensor<4xi32> into tensor<4x4xi32>
            }}
          }}
          return %0 : tensor<4x4xi32>
        }}
        """
    context, module = parse(text)
    filtered = "dialect-filter=bufferization,scf,func,linalg,arith"
    run_passes(context, module, f"one-shot-bufferize{{verify-result {filtered}}}")
