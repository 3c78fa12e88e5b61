"""Equal and disjoint slices: what is known of index values."""

from __future__ import annotations

import pytest
from xdsl.dialects import test

from tests.oracle.tools import parse
from xdsl_bufferization.analysis.facts.slices import (
    Slice,
    are_disjoint,
    are_equal,
    are_equal_or_disjoint,
)
from xdsl_bufferization.analysis.facts.value_bounds import (
    Index,
    is_negative,
    is_same,
    linear,
)
from xdsl_bufferization.models import announce_models

announce_models()

PROGRAM = """
func.func @f(%n: index, %m: index, %t: tensor<?x?xf32>, %c: i1) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c4 {{
    {body}
  }}
  return
}}
"""


def values(body: str) -> tuple[Index, ...]:
    """The operands of the test op at the end of a body that sees the sizes %n and %m, the
    tensor %t, the condition %c and the loop index %i."""
    _, module = parse(PROGRAM.format(body=body))
    (op,) = (op for op in module.walk() if isinstance(op, test.TestOp))
    return op.operands


@pytest.mark.parametrize(
    "first, second",
    [
        ("arith.addi %i, %n : index", "arith.addi %n, %i : index"),
        ("arith.muli %i, %c4 : index", "affine.apply affine_map<(d0) -> (d0 * 4)>(%i)"),
        (
            "affine.apply affine_map<(d0) -> (d0 mod 4)>(%i)",
            "affine.apply affine_map<(d0) -> (d0 - (d0 floordiv 4) * 4)>(%i)",
        ),
        (
            "affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%i)",
            "affine.apply affine_map<(d0) -> ((d0 + 3) floordiv 4)>(%i)",
        ),
        (
            "arith.floordivsi %i, %c4 : index",
            "affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%i)",
        ),
        ("arith.select %c, %i, %i : index", "arith.addi %i, %c0 : index"),
        ("tensor.dim %t, %c1 : tensor<?x?xf32>", "tensor.dim %t, %c1 : tensor<?x?xf32>"),
    ],
)
def test_same(first: str, second: str) -> None:
    a, b = values(
        f'%a = {first}\n%b = {second}\n"test.op"(%a, %b) : (index, index) -> ()'
    )
    assert is_same(a, b)


@pytest.mark.parametrize(
    "first, second",
    [
        ("arith.addi %i, %n : index", "arith.addi %i, %m : index"),
        ("arith.muli %i, %n : index", "arith.muli %i, %n : index"),
        ("arith.select %c, %i, %n : index", "arith.addi %i, %c0 : index"),
        ("tensor.dim %t, %c1 : tensor<?x?xf32>", "tensor.dim %t, %c0 : tensor<?x?xf32>"),
        ("arith.addi %i, %c0 : index", "arith.addi %i, %c1 : index"),
    ],
)
def test_not_known_to_be_the_same(first: str, second: str) -> None:
    a, b = values(
        f'%a = {first}\n%b = {second}\n"test.op"(%a, %b) : (index, index) -> ()'
    )
    assert not is_same(a, b)


def test_arithmetic_that_may_wrap_around_is_not_looked_into() -> None:
    a, b = values(
        """
        %x = arith.index_cast %i : index to i8
        %y = arith.addi %x, %x : i8
        %a = arith.index_cast %y : i8 to index
        %b = arith.addi %i, %i : index
        "test.op"(%a, %b) : (index, index) -> ()
        """
    )
    assert not is_same(a, b)


def test_size_of_a_new_tensor_is_the_operand_it_was_made_with() -> None:
    a, n = values(
        """
        %e = tensor.empty(%m, %n) : tensor<?x?xf32>
        %s = tensor.extract_slice %e[0, 0][%m, %n][1, 1]
          : tensor<?x?xf32> to tensor<?x?xf32>
        %x = tensor.cast %s : tensor<?x?xf32> to tensor<4x?xf32>
        %a = tensor.dim %x, %c1 : tensor<4x?xf32>
        "test.op"(%a, %n) : (index, index) -> ()
        """
    )
    assert is_same(a, n)


def test_size_of_a_result_is_that_of_its_destination() -> None:
    a, n = values(
        """
        %f = arith.constant 0.0 : f32
        %e = tensor.empty(%n) : tensor<?xf32>
        %w = tensor.insert %f into %e[%c0] : tensor<?xf32>
        %a = tensor.dim %w, %c0 : tensor<?xf32>
        "test.op"(%a, %n) : (index, index) -> ()
        """
    )
    assert is_same(a, n)


CARRYING = """
  %f = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %o = tensor.empty(%m) : tensor<?xf32>
  %r, %r2 = scf.for %j = %c0 to %m step %c1 iter_args(%x = %e, %y = %o)
      -> (tensor<?xf32>, tensor<?xf32>) {
    %inner = scf.for %k = %c0 to %m step %c1 iter_args(%z = %x) -> tensor<?xf32> {
      %w = tensor.insert %f into %z[%k] : tensor<?xf32>
      %q = scf.forall (%l) in (%n) shared_outs(%v = %w) -> tensor<?xf32> {
        scf.forall.in_parallel {
        }
      }
      scf.yield %q : tensor<?xf32>
    }
    %three = tensor.empty() : tensor<3xf32>
    %cast = tensor.cast %three : tensor<3xf32> to tensor<?xf32>
    INSIDE
    scf.yield YIELDED : tensor<?xf32>, tensor<?xf32>
  }
  AFTER
"""


@pytest.mark.parametrize(
    ("yielded", "size_is_known"),
    [
        ("%inner, %y", True),
        ("%y, %inner", False),
        ("%e, %e", False),
        ("%o, %y", False),
        ("%cast, %y", False),
    ],
)
@pytest.mark.parametrize("inside", [True, False])
def test_size_of_what_a_loop_carries(
    yielded: str, size_is_known: bool, inside: bool
) -> None:
    """It stays that of the init operand if each iteration yields a tensor of the size
    that it has received. %e has this size too, but that is not looked for."""
    use = f"""
        %a = tensor.dim {"%x" if inside else "%r"}, %c0 : tensor<?xf32>
        "test.op"(%a, %n) : (index, index) -> ()
    """
    text = CARRYING.replace("YIELDED", yielded)
    text = text.replace("INSIDE", use if inside else "")
    a, n = values(text.replace("AFTER", "" if inside else use))
    assert is_same(a, n) == size_is_known


CARRYING_WHILE = """
  %f = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %o = tensor.empty(%m) : tensor<?xf32>
  %r, %r2 = scf.while (%x = %e, %y = %o) : (tensor<?xf32>, tensor<?xf32>)
      -> (tensor<?xf32>, tensor<?xf32>) {
    %v = tensor.insert %f into %x[%c0] : tensor<?xf32>
    scf.condition(%c) FORWARDED : tensor<?xf32>, tensor<?xf32>
  } do {
  ^bb0(%p: tensor<?xf32>, %q: tensor<?xf32>):
    %w = tensor.insert %f into %p[%c0] : tensor<?xf32>
    INSIDE
    scf.yield YIELDED : tensor<?xf32>, tensor<?xf32>
  }
  AFTER
"""


@pytest.mark.parametrize(
    ("forwarded", "yielded", "size_is_known"),
    [
        ("%x, %y", "%w, %q", True),
        ("%x, %x", "%w, %q", True),
        ("%x, %y", "%q, %w", False),
        ("%y, %x", "%w, %q", False),
        ("%v, %y", "%w, %q", False),
        ("%x, %y", "%e, %q", False),
    ],
)
@pytest.mark.parametrize("inside", [True, False])
def test_size_of_what_a_while_loop_carries(
    forwarded: str, yielded: str, size_is_known: bool, inside: bool
) -> None:
    """What the first region has computed is not looked for."""
    use = f"""
        %a = tensor.dim {"%p" if inside else "%r"}, %c0 : tensor<?xf32>
        "test.op"(%a, %n) : (index, index) -> ()
    """
    text = CARRYING_WHILE.replace("YIELDED", yielded).replace("FORWARDED", forwarded)
    text = text.replace("INSIDE", use if inside else "")
    a, n = values(text.replace("AFTER", "" if inside else use))
    assert is_same(a, n) == size_is_known


def test_nothing_is_known_of_a_loop_that_was_taken_apart() -> None:
    """Passes compare what a program copies with what it copied before they changed it."""
    text = CARRYING.replace("YIELDED", "%inner, %y").replace("INSIDE", "")
    a, n = values(
        text.replace(
            "AFTER",
            """
            %a = tensor.dim %r, %c0 : tensor<?xf32>
            "test.op"(%a, %n) : (index, index) -> ()
            """,
        )
    )
    dim = a.owner
    assert is_same(a, n)
    (loop,) = (operand.owner for operand in dim.operands[:1])
    body = loop.regions[0].detach_block(0)
    assert not is_same(a, n)
    body.erase(safe_erase=False)
    loop.drop_all_references()
    assert not is_same(a, n)


def test_bounds_of_a_loop_index() -> None:
    i, n = values('"test.op"(%i, %n) : (index, index) -> ()')
    assert is_negative(linear(i) - linear(n))
    assert is_negative(linear(-1) - linear(i))
    assert not is_negative(linear(n) - linear(i))


@pytest.mark.parametrize(
    "loop",
    [
        "scf.for %j = %n to %n step %c1",
        "scf.for %j = %c4 to %c1 step %c1",
        "scf.parallel (%k, %j) = (%c0, %c4) to (%n, %c4) step (%c1, %c1)",
        "scf.forall (%k, %j) = (0, 4) to (%n, 4) step (1, 1)",
    ],
)
def test_nothing_is_known_in_a_loop_that_never_runs(loop: str) -> None:
    """Its variable is less than itself: a slice of that size were apart from itself."""
    end = "scf.reduce" if "parallel" in loop else ""
    (j,) = values(f'{loop} {{ "test.op"(%j) : (index) -> ()\n {end} }}')
    for constant in (0, 5):
        difference = linear(j) - linear(constant)
        assert not is_negative(difference)
        assert not is_negative(linear(0) - difference)
    own = Slice((0,), (j,), (1,))
    assert not are_disjoint(own, own)


def test_bounds_of_affine_min() -> None:
    (a,) = values(
        """
        %a = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%i)[%n]
        "test.op"(%a) : (index) -> ()
        """
    )
    assert is_negative(linear(a) - linear(5))
    assert not is_negative(linear(a) - linear(4))
    assert not is_negative(linear(3) - linear(a))


def test_a_chain_longer_than_is_followed_ends() -> None:
    chain = "\n".join(f"%a{n + 1} = arith.addi %a{n}, %c1 : index" for n in range(500))
    a, i = values(
        f"%a0 = arith.addi %i, %c0 : index\n{chain}\n"
        '"test.op"(%a500, %i) : (index, index) -> ()'
    )
    assert not is_same(a, i)


def test_slices() -> None:
    i, j = values(
        '%j = arith.addi %i, %c4 : index\n"test.op"(%i, %j) : (index, index) -> ()'
    )
    tile = Slice([i, 0], [4, 8], [1, 1])
    assert are_equal(tile, Slice([i, 0], [4, 8], [1, 1]))
    assert not are_equal(tile, Slice([i, 0], [4, 8], [1, 2]))
    assert not are_equal(tile, Slice([i], [4], [1]))
    assert are_disjoint(tile, Slice([j, 0], [4, 8], [1, 1]))
    assert are_disjoint(Slice([j, 0], [4, 8], [1, 1]), tile)
    assert not are_disjoint(tile, Slice([j, 0], [4, 8], [-1, 1]))
    # The fifth element of a tile of 5 is the first of the next.
    assert not are_disjoint(Slice([i, 0], [5, 8], [1, 1]), Slice([j, 0], [4, 8], [1, 1]))
    assert not are_disjoint(tile, tile)


def test_slices_that_are_equal_or_disjoint() -> None:
    i, j, n = values('"test.op"(%i, %m, %n) : (index, index, index) -> ()')
    row = Slice([i, 0], [1, n], [1, 1])
    assert are_equal_or_disjoint(row, row)
    assert are_equal_or_disjoint(row, Slice([j, 0], [1, n], [2, 1]))
    assert not are_equal_or_disjoint(row, Slice([j, 0], [1, 8], [1, 1]))
    assert not are_equal_or_disjoint(row, Slice([j, 1], [1, n], [1, 1]))
    assert not are_equal_or_disjoint(row, Slice([j, 0], [1, n], [1, 2]))
    two = Slice([i, 0], [2, n], [1, 1])
    assert not are_equal_or_disjoint(two, Slice([j, 0], [2, n], [1, 1]))
    assert are_equal_or_disjoint(two, Slice([i, 0], [2, n], [1, 1]))


def test_interleaved_slices() -> None:
    twice, four, thrice, more = values(
        """
        %twice = affine.apply affine_map<(d0) -> (d0 * 2)>(%n)
        %four = affine.apply affine_map<(d0) -> (d0 * 4 + 1)>(%m)
        %thrice = affine.apply affine_map<(d0) -> (d0 * 3)>(%n)
        %more = affine.apply affine_map<(d0) -> (d0 * 3 + 1)>(%n)
        "test.op"(%twice, %four, %thrice, %more) : (index, index, index, index) -> ()
        """
    )
    even, odd = Slice([0], [8], [2]), Slice([1], [8], [2])
    assert are_disjoint(even, odd)
    assert are_disjoint(even, Slice([3], [4], [4]))
    assert not are_disjoint(even, Slice([2], [4], [4]))
    assert not are_disjoint(even, Slice([1], [8], [1]))
    assert not are_disjoint(even, Slice([1], [8], [3]))
    assert are_disjoint(Slice([twice], [8], [2]), Slice([four], [8], [2]))
    assert not are_disjoint(Slice([twice], [8], [4]), Slice([four], [8], [4]))
    # A product with three may wrap around to any number.
    assert not are_disjoint(Slice([thrice], [8], [3]), Slice([1], [8], [3]))
    assert are_disjoint(Slice([thrice], [8], [3]), Slice([more], [8], [3]))
