"""The pass canonicalize-control-flow.

The canonicalizations of control flow and i1 logic that MLIR's canonicalize performs, in
one pass over a worklist. Buffer deallocation depends on this clean-up: before ownership
is computed, buffers that flow through dead results, invariant iter_args or constant
conditions would make ownership less precise; afterwards, many of the added i1 values
are constants.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.dialects.op_lists import list_functions
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.canonicalization_patterns.driver import (
    canonicalize_function,
)


@dataclass(frozen=True)
class CanonicalizeControlFlowPass(ModulePass):
    """Simplify control flow and the values it depends on, in linear time.

    Removes dead ops, results, iter_args and block arguments, ops on constant conditions
    and loops of zero or one iteration; merges blocks, and ifs on the same condition;
    turns ifs that only choose between values into selects. Applies the
    canonicalizations of all dialects of this package except that of clones, which
    xDSL's canonicalize applies.

    Options:
    - merge-equal-ops: first replace ops without side effects by equal ops that dominate
      them, as cse does (false).
    """

    name = "canonicalize-control-flow"

    merge_equal_ops: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        canonicalize_control_flow(op, merge_equal=self.merge_equal_ops)


@on_program
def canonicalize_control_flow(module: Operation, *, merge_equal: bool = False) -> None:
    """Canonicalize all functions inside `module`."""
    for function in list_functions(module):
        canonicalize_function(function, merge_equal=merge_equal, keep_clones=True)
