"""Every op of our dialects is in a program that goes to mlir-opt and back.

The programs are those of `oracle/test_dialects`, which are written by hand, and of
`oracle/test_dialects_linalg`, which are made from the table of named ops.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from xdsl.ir import Dialect
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from tests.oracle.test_dialects import PROGRAMS
from tests.oracle.test_dialects_linalg import CASES
from xdsl_bufferization.dialects.affine import Affine
from xdsl_bufferization.dialects.arith import Arith
from xdsl_bufferization.dialects.bufferization import Bufferization
from xdsl_bufferization.dialects.cf import Cf
from xdsl_bufferization.dialects.func import Func
from xdsl_bufferization.dialects.index import Index
from xdsl_bufferization.dialects.linalg import Linalg
from xdsl_bufferization.dialects.math import Math
from xdsl_bufferization.dialects.memref import MemRef
from xdsl_bufferization.dialects.ml_program import MLProgram
from xdsl_bufferization.dialects.scf import Scf
from xdsl_bufferization.dialects.tensor import Tensor
from xdsl_bufferization.dialects.transform import Transform
from xdsl_bufferization.dialects.vector import Vector
from xdsl_bufferization.universe import new_context

DIALECTS = [
    *(Affine, Arith, Bufferization, Cf, Func, Index, Linalg, Math, MemRef, MLProgram),
    *(Scf, Tensor, Vector),
]


@cache
def _ops_in_programs() -> set[str]:
    return {name for text in PROGRAMS.values() for name in _ops_of(text)}


@cache
def _ops_in_made_programs() -> set[str]:
    found: set[str] = set()
    for text in CASES.values():
        # Some are made to be rejected: functions of elements that have none.
        try:
            found.update(_ops_of(text))
        except (ParseError, VerifyException):
            continue
    return found


def _ops_of(text: str) -> Iterator[str]:
    module = Parser(new_context(), text).parse_module()
    module.verify()
    return (op.name for op in module.walk())


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_every_op_goes_to_mlir_opt_and_back(dialect: Dialect) -> None:
    covered = _ops_in_programs()
    if dialect is Linalg:
        covered = covered | _ops_in_made_programs()
    assert {op.name for op in dialect.operations} <= covered


def test_every_op_added_to_a_dialect_of_xdsl_goes_to_mlir_opt_and_back() -> None:
    added = {
        op.name
        for op in Transform.operations
        if op.__module__.startswith("xdsl_bufferization.")
    }
    assert added and added <= _ops_in_programs()
