"""That a use before its definition is seen, as all tests of passes rely on."""

from __future__ import annotations

import pytest
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from tests.oracle.dominance import uses_before_definition
from tests.oracle.tools import parse
from xdsl_bufferization.analysis.one_shot.dominance import check_dominance

PROGRAM = """
    func.func @f(%c: i1, %n: index) -> index {
      %a = arith.addi %n, %n {name = "a"} : index
      %r = scf.if %c -> (index) {
        %b = arith.addi %a, %n {name = "b"} : index
        scf.yield %b : index
      } else {
        scf.yield %a : index
      }
      cf.cond_br %c, ^one, ^two
    ^one:
      %d = arith.addi %r, %a {name = "d"} : index
      cf.br ^two
    ^two:
      %e = arith.addi %r, %a {name = "e"} : index
      return %e : index
    ^never:
      %g = arith.addi %e, %a {name = "g"} : index
      return %g : index
    }
    """


@pytest.mark.parametrize(
    "moved, place, wrong",
    [
        ("e", "d", ["func.return"]),
        ("d", "e", []),
        ("a", "b", ["arith.addi", "arith.addi", "scf.yield"]),
        ("a", "e", ["arith.addi", "arith.addi", "scf.yield"]),
        ("b", "a", ["arith.addi"]),
        ("d", "a", ["arith.addi"]),
        ("a", "g", ["arith.addi", "arith.addi", "arith.addi", "scf.yield"]),
    ],
)
def test_moved_op(moved: str, place: str, wrong: list[str]) -> None:
    _, module = parse(PROGRAM)
    named = {
        str(op.attributes["name"]).strip('"'): op
        for op in module.walk()
        if "name" in op.attributes
    }
    assert uses_before_definition(module) == []
    named[moved].detach()
    Rewriter.insert_op(named[moved], InsertPoint.before(named[place]))
    assert sorted(op.name for op in uses_before_definition(module)) == wrong
    if wrong:
        with pytest.raises(PassFailedException, match="does not dominate this use"):
            check_dominance(module)
    else:
        check_dominance(module)
