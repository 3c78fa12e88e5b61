"""The checker of deallocations: its lattice, and what its second pass is sure of."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import i1
from xdsl.ir import Block

from tests.oracle.tools import parse
from xdsl_bufferization.checkers.lifetimes.checker import check_lifetimes
from xdsl_bufferization.checkers.lifetimes.number import Condition, Number
from xdsl_bufferization.checkers.lifetimes.state import State
from xdsl_bufferization.models import announce_models

VALUES = Block(arg_types=[i1, i1]).args
FIRST, SECOND = Condition(Number(0, i1), True), Condition(Number(1, i1), False)


def state(*known: Condition, inside: int = 1, is_freed: bool = False) -> State:
    return State(frozenset(VALUES[:inside]), frozenset(known), is_freed=is_freed)


def test_state_that_knows_less_includes_another() -> None:
    assert state().includes(state(FIRST))
    assert state(FIRST).includes(state(FIRST))
    assert not state(FIRST).includes(state())
    assert not state(FIRST).includes(state(FIRST.negated()))


def test_states_of_other_memrefs_or_freed_ones_are_not_compared() -> None:
    assert not state().includes(state(inside=2))
    assert not state().includes(state(is_freed=True))


def test_join_knows_what_both_know() -> None:
    joined = state(FIRST, SECOND).join(state(SECOND, FIRST.negated()))
    assert joined == state(SECOND)


def verdict(body: str, arguments: str = "%n: index, %c: i1") -> str:
    announce_models()
    constants = "\n".join(f"%c{i} = arith.constant {i} : index" for i in range(4))
    _, module = parse(f"func.func @f({arguments}) {{ {constants} {body} }}")
    found = check_lifetimes(module)
    if found.wrong:
        return found.wrong[0].what
    return "undecided" if found.undecided else "right"


def test_more_states_than_are_followed_are_joined() -> None:
    """What an op far below says of each condition does not matter to the allocation."""
    numbers = range(9)
    branches = "\n".join(
        f"""%own{n} = scf.if %c{n} -> i1 {{
          %view{n} = memref.cast %a : memref<4xf32> to memref<?xf32>
          memref.store %x, %view{n}[%i] : memref<?xf32>
          scf.yield %true : i1
        }} else {{
          scf.yield %false : i1
        }}"""
        for n in numbers
    )
    uses = "\n".join(
        f"scf.if %own{n} {{ memref.store %x, %m[%i] : memref<4xf32> }}" for n in numbers
    )
    conditions = ", ".join(f"%c{n}: i1" for n in numbers)
    announce_models()
    _, module = parse(
        f"""func.func @f(%x: f32, %i: index, %m: memref<4xf32>, {conditions}) {{
          %true = arith.constant true
          %false = arith.constant false
          %a = memref.alloc() : memref<4xf32>
          {branches}
          {uses}
          memref.dealloc %a : memref<4xf32>
          return
        }}"""
    )
    found = check_lifetimes(module)
    assert found.wrong == []
    assert found.undecided == []


def test_comparison_of_computed_constants_is_known() -> None:
    assert (
        verdict(
            """
            %a = memref.alloc() : memref<4xf32>
            %zero = arith.index_cast %c0 : index to i32
            %three = arith.constant 3 : i32
            %less = arith.cmpi sle, %zero, %three : i32
            scf.if %less { memref.dealloc %a : memref<4xf32> }
            return
            """
        )
        == "right"
    )


# An allocation, or a free, that depends on the counter of a loop.

WHILE = """
    %a = memref.alloc() : memref<4xf32>
    %r = scf.while (%i = %c0) : (index) -> index {{
      %go = arith.cmpi ult, %i, %c3 : index
      scf.condition(%go) %i : index
    }} do {{
    ^bb0(%i: index):
      %now = arith.cmpi eq, %i, {iteration} : index
      scf.if %now {{ memref.dealloc %a : memref<4xf32> }}
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }}
    {after}
    return
"""


def test_second_free_in_a_counted_while_loop() -> None:
    body = WHILE.format(iteration="%c2", after="memref.dealloc %a : memref<4xf32>")
    assert verdict(body) == "frees an allocation that has been freed"


def test_iteration_that_there_is_not() -> None:
    """Nothing is freed: the counter is never 3."""
    body = WHILE.format(iteration="%c3", after="")
    assert verdict(body) == "the allocation is not freed"


def test_counter_that_reaches_an_iteration_is_no_alarm() -> None:
    """It is freed once, for a reason that the checker does not see."""
    assert verdict(WHILE.format(iteration="%c2", after="")) == "undecided"


BLOCKS = """
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %a = memref.alloc() : memref<4xf32>
    %go = arith.cmpi ult, %i, %n : index
    scf.if %go {{ memref.dealloc %a : memref<4xf32> }}
    cf.cond_br %go, ^next, ^end
  ^next:
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next : index)
  ^end:
    {free}
    return
"""


@pytest.mark.parametrize(
    ("free", "expected"),
    [
        ("memref.dealloc %a : memref<4xf32>", "right"),
        ("", "the allocation is not freed"),
    ],
)
def test_last_iteration_of_a_loop_of_blocks(free: str, expected: str) -> None:
    """Whatever the condition of the loop is computed from, it ends the last one."""
    assert verdict(BLOCKS.format(free=free)) == expected


def test_sum_with_anything_is_anything() -> None:
    body = """
        %a = memref.alloc() : memref<4xf32>
        %sum = arith.addi %n, %m : index
        %zero = arith.cmpi eq, %sum, %c0 : index
        scf.if %zero { memref.dealloc %a : memref<4xf32> }
        return
    """
    found = verdict(body, "%n: index, %m: index")
    assert found == "the allocation is not freed"


def test_conditions_on_one_value_that_exclude_each_other_are_no_alarm() -> None:
    """%n is not less than 2 and its double more than 3: freed once."""
    body = """
        %a = memref.alloc() : memref<4xf32>
        %less = arith.cmpi ult, %n, %c2 : index
        scf.if %less { memref.dealloc %a : memref<4xf32> }
        %double = arith.addi %n, %n : index
        %more = arith.cmpi ugt, %double, %c3 : index
        scf.if %more { memref.dealloc %a : memref<4xf32> }
        return
    """
    assert verdict(body) == "undecided"


def test_trip_count_that_another_condition_restricts_is_no_alarm() -> None:
    """Freed twice if the loop has two iterations, but it has one at most."""
    body = """
        %a = memref.alloc() : memref<4xf32>
        %false = arith.constant false
        %true = arith.constant true
        %two = arith.cmpi sgt, %n, %c1 : index
        scf.if %two {
          memref.dealloc %a : memref<4xf32>
        } else {
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%again = %false) -> (i1) {
            scf.if %again { memref.dealloc %a : memref<4xf32> }
            scf.yield %true : i1
          }
          memref.dealloc %a : memref<4xf32>
        }
        return
    """
    assert verdict(body) == "undecided"


def test_trip_count_that_is_computed_is_no_alarm() -> None:
    body = """
        %a = memref.alloc() : memref<4xf32>
        %false = arith.constant false
        %true = arith.constant true
        cf.br ^loop(%c1 : index)
      ^loop(%m: index):
        %r = scf.for %i = %c0 to %m step %c1 iter_args(%again = %false) -> (i1) {
          scf.if %again { memref.dealloc %a : memref<4xf32> }
          scf.yield %true : i1
        }
        memref.dealloc %a : memref<4xf32>
        return
    """
    assert verdict(body) == "undecided"


def test_argument_of_a_call_that_is_restricted_before_is_no_alarm() -> None:
    announce_models()
    _, module = parse(
        """
        func.func private @free(%a: memref<4xf32>, %n: index) {
          %c3 = arith.constant 3 : index
          %more = arith.cmpi sgt, %n, %c3 : index
          scf.if %more { memref.dealloc %a : memref<4xf32> }
          return
        }
        func.func @f(%n: index) {
          %c2 = arith.constant 2 : index
          %a = memref.alloc() : memref<4xf32>
          %less = arith.cmpi slt, %n, %c2 : index
          scf.if %less { memref.dealloc %a : memref<4xf32> }
          func.call @free(%a, %n) : (memref<4xf32>, index) -> ()
          return
        }
        """
    )
    wrong = [fault.what for fault in check_lifetimes(module).wrong]
    assert wrong == ["the allocation is not freed"]


def test_loops_with_the_same_bounds_have_as_many_iterations() -> None:
    body = """
        %a = memref.alloc() : memref<4xf32>
        %b = memref.alloc() : memref<4xf32>
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> memref<4xf32> {
          %s = scf.for %j = %c0 to %n step %c1 iter_args(%q = %p) -> memref<4xf32> {
            scf.yield %b : memref<4xf32>
          }
          scf.yield %s : memref<4xf32>
        }
        memref.dealloc %r : memref<4xf32>
        memref.dealloc %b : memref<4xf32>
        return
    """
    assert verdict(body) == "frees an allocation that has been freed"


def test_bounds_that_exclude_a_path_are_no_alarm() -> None:
    """The second loop has one iteration if the first one has."""
    body = """
        %a = memref.alloc() : memref<4xf32>
        %false = arith.constant false
        %true = arith.constant true
        %one:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %false, %q = %false)
            -> (i1, i1) {
          scf.yield %true, %p : i1, i1
        }
        %two:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %false, %q = %false)
            -> (i1, i1) {
          scf.if %q { memref.dealloc %a : memref<4xf32> }
          scf.yield %true, %p : i1, i1
        }
        memref.dealloc %a : memref<4xf32>
        return
    """
    assert verdict(body) == "frees an allocation that has been freed"


def test_condition_in_memory_of_the_caller_may_be_either() -> None:
    body = """
        %a = memref.alloc() : memref<4xf32>
        %go = memref.load %m[] : memref<i1>
        scf.if %go { memref.dealloc %a : memref<4xf32> }
        return
    """
    assert verdict(body, "%m: memref<i1>") == "the allocation is not freed"


_CARRIED = {
    "loop": """
        %r, %own = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a, %o = %c)
            -> (memref<4xf32>, i1) {
          scf.yield %m, %o : memref<4xf32>, i1
        }
    """,
    "nested loops": """
        %r, %own = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a, %o = %c)
            -> (memref<4xf32>, i1) {
          %r1, %o1 = scf.for %j = %c0 to %i step %c1 iter_args(%m1 = %m, %o2 = %o)
              -> (memref<4xf32>, i1) {
            scf.yield %m1, %o2 : memref<4xf32>, i1
          }
          scf.yield %r1, %o1 : memref<4xf32>, i1
        }
    """,
    "blocks": """
        cf.br ^bb1(%a, %c : memref<4xf32>, i1)
      ^bb1(%m: memref<4xf32>, %o: i1):
        %again = memref.load %k[] : memref<i1>
        cf.cond_br %again, ^bb1(%m, %o : memref<4xf32>, i1),
                           ^bb2(%m, %o : memref<4xf32>, i1)
      ^bb2(%r: memref<4xf32>, %own: i1):
    """,
}


@pytest.mark.parametrize("loop", _CARRIED.values(), ids=list(_CARRIED))
@pytest.mark.parametrize(
    ("otherwise", "expected"),
    [("", "the allocation is not freed"), ("memref.dealloc %r : memref<4xf32>", "right")],
)
def test_flag_that_a_loop_carries_unchanged(
    loop: str, otherwise: str, expected: str
) -> None:
    """It is what it was before the loop, so that it may be either."""
    body = f"""
        %true = arith.constant true
        %a = memref.alloc() : memref<4xf32>
        {loop}
        scf.if %own {{ memref.dealloc %r : memref<4xf32> }}
        %not = arith.xori %c, %true : i1
        scf.if %not {{ {otherwise} }}
        return
    """
    assert verdict(body, "%c: i1, %n: index, %k: memref<i1>") == expected


def test_flag_in_blocks_that_control_never_comes_to() -> None:
    body = """
        return
      ^bb1(%o: i1):
        %true = arith.constant true
        %not = arith.xori %o, %true : i1
        cf.br ^bb1(%not : i1)
    """
    assert verdict(body) == "right"


def test_shape_of_a_reshape_is_read() -> None:
    body = """
        %a = memref.alloc() : memref<1xindex>
        %b = memref.alloca() : memref<4xf32>
        memref.dealloc %a : memref<1xindex>
        %r = memref.reshape %b(%a) : (memref<4xf32>, memref<1xindex>) -> memref<?xf32>
        return
    """
    assert verdict(body) == "uses an allocation that has been freed"


def test_what_becomes_of_a_pointer_is_not_known() -> None:
    body = """
        %a = memref.alloc() : memref<4xf32>
        %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
        %i = arith.index_cast %p : index to i64
        %q = llvm.inttoptr %i : i64 to !llvm.ptr
        memref.dealloc %a : memref<4xf32>
        return
    """
    assert verdict(body) == "undecided"


EQUAL_VIEWS = {
    "casts": "memref.cast %a : memref<4xf32> to memref<?xf32>",
    "reshaped": "memref.expand_shape %a [[0, 1]] output_shape [2, 2]"
    " : memref<4xf32> into memref<2x2xf32>",
}


@pytest.mark.parametrize("view", EQUAL_VIEWS.values(), ids=EQUAL_VIEWS)
@pytest.mark.parametrize("used", ["first", "second"])
@pytest.mark.parametrize("is_freed", [True, False])
def test_comparison_of_one_of_two_equal_views(
    view: str, used: str, is_freed: bool
) -> None:
    """Both comparisons are one condition. It is known by the view that is used last."""
    type_ = view.rpartition(" ")[2]
    found = verdict(
        f"""
        %new = memref.alloc() : memref<4xf32>
        cf.br ^begin(%new : memref<4xf32>)
      ^begin(%a: memref<4xf32>):
        %b = memref.alloc() : memref<4xf32>
        %first = {view}
        %second = {view}
        %p = memref.extract_aligned_pointer_as_index %b : memref<4xf32> -> index
        %q = memref.extract_aligned_pointer_as_index %first : {type_} -> index
        %r = memref.extract_aligned_pointer_as_index %second : {type_} -> index
        %is_first = arith.cmpi eq, %p, %q : index
        %is_second = arith.cmpi eq, %p, %r : index
        memref.dealloc %b : memref<4xf32>
        cf.br ^next
      ^next:
        scf.if %is_{used} {{
          memref.dealloc %{used} : {type_}
        }}
        {f"memref.dealloc %{used} : {type_}" if is_freed else ""}
        func.return
        """
    )
    assert found == ("right" if is_freed else "the allocation is not freed")


IN_ONE_ITERATION = {
    "equal": "%z = arith.cmpi eq, %i, %c2 : index",
    "least": "%z = arith.cmpi sge, %i, %c3 : index",
    "computed": """%j = arith.muli %i, %c3 : index
        %k = arith.addi %j, %i : index
        %z = arith.cmpi eq, %k, %c8 : index""",
    "carried": """%z = arith.cmpi eq, %u, %c2 : index""",
}


@pytest.mark.parametrize("condition", IN_ONE_ITERATION.values(), ids=IN_ONE_ITERATION)
@pytest.mark.parametrize("outer", ["", "%b", "%m"])
def test_free_in_one_iteration_of_several_is_no_alarm(condition: str, outer: str) -> None:
    """The first iteration does not free, and leaves everything as it is; the third or
    fourth one does."""
    inner = f"""
        %a = memref.alloc() : memref<4xf32>
        %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%u = %c0) -> (index) {{
          {condition}
          scf.if %z {{ memref.dealloc %a : memref<4xf32> }}
          %v = arith.addi %u, %c1 : index
          scf.yield %v : index
        }}
    """
    constants = "%c4 = arith.constant 4 : index\n%c8 = arith.constant 8 : index"
    if outer == "%b":
        inner = f"scf.if %c {{ {inner} }}"
    elif outer == "%m":
        inner = f"scf.for %x = %c0 to %n step %c1 {{ {inner} }}"
    assert verdict(f"{constants} {inner} return") == "undecided"


def test_what_each_iteration_leaves_out_is_not_freed() -> None:
    """Whether an iteration frees does not depend on its number."""
    body = """
        %a = memref.alloc() : memref<4xf32>
        scf.for %i = %c0 to %c3 step %c1 {
          %z = memref.load %flags[%i] : memref<4xi1>
          scf.if %z { memref.dealloc %a : memref<4xf32> }
        }
        return
    """
    found = verdict(body, "%flags: memref<4xi1>")
    assert found in (
        "the allocation is not freed",
        "frees an allocation that has been freed",
    )


COMPUTED = {
    "remainder": ("arith.remui %n, %m", "eq, %q, %c0"),
    "remainder of a constant": ("arith.remui %n, %c3", "ult, %q, %c2"),
    "signed remainder": ("arith.remsi %n, %c3", "slt, %q, %c0"),
    "quotient": ("arith.divui %n, %c2", "eq, %q, %c3"),
    "quotient of two": ("arith.divsi %n, %m", "eq, %q, %c3"),
    "product": ("arith.muli %n, %m", "slt, %q, %c3"),
    "bits": ("arith.andi %n, %c3", "eq, %q, %c2"),
    "shifted": ("arith.shrui %n, %c2", "ugt, %q, %c2"),
    "at most": ("arith.minsi %n, %c2", "eq, %q, %c2"),
    "at least": ("arith.maxsi %n, %c2", "sgt, %q, %c2"),
}
NEVER = {
    "remainder of a constant": ("arith.remui %n, %c3", "ugt, %q, %c3"),
    "signed remainder": ("arith.remsi %n, %c3", "eq, %q, %c3"),
    "quotient": ("arith.divui %n, %c2", "slt, %q, %c0"),
    "product": ("arith.muli %n, %c2", "eq, %q, %c3"),
    "square": ("arith.muli %n, %n", "eq, %q, %c3"),
    "bits": ("arith.andi %n, %c2", "eq, %q, %c3"),
    "shifted": ("arith.shrui %n, %c2", "slt, %q, %c0"),
    "at most": ("arith.minsi %n, %c2", "sgt, %q, %c2"),
    "at least": ("arith.maxsi %n, %c2", "slt, %q, %c2"),
}


def verdict_if_computed(computed: tuple[str, str]) -> str:
    """What is freed twice under a condition."""
    value, comparison = computed
    body = f"""
        %a = memref.alloc() : memref<4xf32>
        %q = {value} : index
        %d = arith.cmpi {comparison} : index
        scf.if %d {{
          memref.dealloc %a : memref<4xf32>
        }}
        memref.dealloc %a : memref<4xf32>
        return
    """
    return verdict(body, "%n: index, %m: index")


@pytest.mark.parametrize("computed", COMPUTED.values(), ids=COMPUTED)
def test_computed_condition_that_may_be_either(computed: tuple[str, str]) -> None:
    found = verdict_if_computed(computed)
    assert found == "frees an allocation that has been freed"


@pytest.mark.parametrize("computed", NEVER.values(), ids=NEVER)
def test_computed_condition_that_never_holds_is_no_alarm(
    computed: tuple[str, str],
) -> None:
    assert verdict_if_computed(computed) in ("undecided", "right")


def test_comparison_with_a_value_that_was_restricted_before() -> None:
    """Whatever %n is, there are greater and smaller %m."""
    body = """
        %a = memref.alloc() : memref<4xf32>
        %zero = arith.cmpi eq, %n, %c0 : index
        %less = arith.cmpi slt, %n, %m : index
        scf.if %zero { memref.dealloc %a : memref<4xf32> }
        scf.if %less { memref.dealloc %a : memref<4xf32> }
        return
    """
    arguments = "%n: index, %m: index"
    assert verdict(body, arguments) == "the allocation is not freed"
    restricted = body.replace("cmpi eq, %n", "cmpi eq, %m")
    assert verdict(restricted, arguments) == "the allocation is not freed"
    both = body.replace("scf.if %less", "%y = arith.cmpi eq, %m, %c0 : index scf.if %y")
    assert verdict(both, arguments) == "the allocation is not freed"


@pytest.mark.parametrize("predicate", ["slt", "ugt"])
def test_comparison_with_the_least_value(predicate: str) -> None:
    """No %m is less than the least integer; for an unsigned comparison it is none."""
    body = f"""
        %a = memref.alloc() : memref<4xf32>
        %second = arith.constant -9223372036854775807 : index
        %least = arith.cmpi slt, %n, %second : index
        %beyond = arith.cmpi {predicate}, %m, %n : index
        scf.if %least {{
          scf.if %beyond {{ memref.dealloc %a : memref<4xf32> }}
        }}
        memref.dealloc %a : memref<4xf32>
        return
    """
    found = verdict(body, "%n: index, %m: index")
    expected = "frees an allocation that has been freed"
    assert found == ("undecided" if predicate == "slt" else expected)
