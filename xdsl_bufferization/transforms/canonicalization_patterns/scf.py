"""The canonicalizations of scf."""

from __future__ import annotations

from xdsl_bufferization.transforms.canonicalization_patterns import (
    scf_conditionals,
    scf_forall,
    scf_loops,
    scf_parallel,
)
from xdsl_bufferization.transforms.canonicalization_patterns.known_conditions import (
    replace_known_condition,
)
from xdsl_bufferization.transforms.canonicalization_patterns.region_branch import (
    simplify_region_branch,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table

PATTERNS: Table = {
    "scf.execute_region": (
        scf_conditionals.inline_execute_region,
        simplify_region_branch,
    ),
    "scf.for": (simplify_region_branch, scf_loops.unroll_trivial_for),
    "scf.if": (
        scf_conditionals.fold_constant_if,
        scf_conditionals.turn_negated_if,
        simplify_region_branch,
        scf_conditionals.select_outside_of_if,
        replace_known_condition,
        scf_conditionals.drop_empty_else,
        scf_conditionals.combine_ifs_in_a_row,
        scf_conditionals.combine_nested_ifs,
    ),
    "scf.index_switch": (
        scf_conditionals.fold_constant_switch,
        simplify_region_branch,
    ),
    "scf.forall": (
        scf_parallel.drop_empty_parallel,
        scf_parallel.simplify_forall,
        scf_forall.drop_outputs,
        scf_forall.forget_output_casts,
    ),
    "scf.parallel": (
        scf_parallel.drop_empty_parallel,
        scf_parallel.drop_single_iterations_of_parallel,
        scf_parallel.merge_nested_parallel,
    ),
    "scf.while": (
        simplify_region_branch,
        scf_loops.know_while_condition,
        scf_loops.align_while_arguments,
    ),
}
