"""The canonicalizations of cf."""

from __future__ import annotations

from xdsl.transforms.canonicalization_patterns.cf import (
    DropSwitchCasesThatMatchDefault,
    SimplifySwitchFromSwitchOnSameCondition,
)

from xdsl_bufferization.transforms.canonicalization_patterns import branches
from xdsl_bufferization.transforms.canonicalization_patterns.known_conditions import (
    replace_known_condition,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table

PATTERNS: Table = {
    "cf.assert": (branches.drop_true_assert,),
    "cf.br": (branches.merge_with_only_predecessor, branches.pass_through),
    "cf.cond_br": (
        branches.fold_constant_cond_branch,
        branches.pass_through,
        branches.select_of_same_successor,
        branches.follow_same_condition,
        replace_known_condition,
    ),
    "cf.switch": (
        branches.fold_constant_cf_switch,
        branches.pass_through,
        DropSwitchCasesThatMatchDefault(),
        SimplifySwitchFromSwitchOnSameCondition(),
    ),
}
