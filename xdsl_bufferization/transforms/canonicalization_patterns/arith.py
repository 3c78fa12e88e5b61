"""The canonicalizations of arith."""

from __future__ import annotations

from xdsl_bufferization.transforms.canonicalization_patterns import (
    booleans,
    integer_casts,
    integers,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table

_BINARY = (
    *("ceildivsi", "ceildivui", "divsi", "divui", "floordivsi", "remsi", "remui"),
    *("maxsi", "maxui", "minsi", "minui", "shli", "shrsi", "shrui"),
)
_INDEX_CAST = (integer_casts.convert_constant, integer_casts.cast_index_back)
_EXTENSION = (integer_casts.convert_constant, integer_casts.combine_extensions)
_LOGIC = (integers.fold_integers, booleans.combine_with_negation, booleans.absorb_operand)
_SUM = (integers.fold_integers, integers.cancel_terms, integers.reassociate_sums)

PATTERNS: Table = {
    **{f"arith.{name}": (integers.fold_integers,) for name in _BINARY},
    "arith.addi": _SUM,
    "arith.andi": _LOGIC,
    "arith.cmpi": (booleans.fold_comparison, booleans.compare_before_extension),
    "arith.extsi": _EXTENSION,
    "arith.extui": _EXTENSION,
    "arith.index_cast": _INDEX_CAST,
    "arith.index_castui": _INDEX_CAST,
    "arith.muli": (integers.fold_integers, integers.reassociate_products),
    "arith.ori": _LOGIC,
    "arith.select": (booleans.simplify_select, booleans.skip_decided_select),
    "arith.subi": _SUM,
    "arith.trunci": (integer_casts.convert_constant, integer_casts.truncate_extended),
    "arith.xori": (integers.fold_integers, booleans.fold_negation),
}
