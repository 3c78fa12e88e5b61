"""The canonicalizations of arith."""

from __future__ import annotations

from xdsl_bufferization.transforms.canonicalization_patterns import (
    booleans,
    float_casts,
    floats,
    integer_casts,
    integer_identities,
    integers,
)
from xdsl_bufferization.transforms.canonicalization_patterns.elements import (
    fold_by_table,
    fold_elements,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table, joined

_INDEX_CAST = (integer_casts.cast_index_back,)
_EXTENSION = (integer_casts.combine_extensions,)
_LOGIC = (
    booleans.combine_with_negation,
    booleans.absorb_operand,
    integer_identities.meet_complement,
    integer_identities.extend_later,
)
_SUM = (integers.cancel_terms, integers.reassociate_sums)
_EXTREMUM = (floats.drop_neutral_operand,)

_OF_CONSTANTS: Table = joined(
    {
        name: (integers.fold_integers, integer_identities.fold_different_elements(name))
        for name in integers.EVALUATE
    },
    {
        name: (rule,)
        for evaluate in (
            floats.EVALUATE,
            float_casts.EVALUATE,
            integer_casts.EVALUATE,
            integer_identities.EXTENDED,
        )
        for name, rule in fold_by_table(evaluate).items()
    },
    {
        "arith.cmpf": (fold_elements(floats.evaluate_comparison),),
        "arith.cmpi": (
            booleans.fold_comparison,
            fold_elements(booleans.evaluate_comparison),
        ),
        "arith.select": (fold_elements(booleans.evaluate_select),),
    },
)

_SIMPLER: Table = {
    "arith.addf": (floats.drop_neutral_operand,),
    "arith.addi": (*_SUM, integer_identities.subtract_negated),
    "arith.addui_extended": (integer_identities.simplify_extended,),
    "arith.andi": _LOGIC,
    "arith.bitcast": (float_casts.simplify_bitcast,),
    "arith.cmpf": (floats.fold_comparison, float_casts.compare_before_conversion),
    "arith.cmpi": (
        booleans.compare_before_extension,
        booleans.compare_extended_boolean,
    ),
    "arith.divf": (floats.drop_neutral_operand, floats.cancel_negations),
    "arith.divsi": (integer_identities.divide_product,),
    "arith.divui": (integer_identities.divide_product,),
    "arith.extf": (float_casts.extend_truncated,),
    "arith.extsi": _EXTENSION,
    "arith.extui": _EXTENSION,
    "arith.index_cast": _INDEX_CAST,
    "arith.index_castui": _INDEX_CAST,
    "arith.maximumf": _EXTREMUM,
    "arith.maxnumf": _EXTREMUM,
    "arith.minimumf": _EXTREMUM,
    "arith.minnumf": _EXTREMUM,
    "arith.mulf": (
        floats.drop_neutral_operand,
        floats.cancel_negations,
        floats.multiply_by_zero,
    ),
    "arith.muli": (integers.reassociate_products,),
    "arith.mulsi_extended": (integer_identities.simplify_extended,),
    "arith.mului_extended": (integer_identities.simplify_extended,),
    "arith.negf": (floats.negate_twice,),
    "arith.ori": _LOGIC,
    "arith.select": (
        booleans.simplify_select,
        booleans.skip_decided_select,
        booleans.extend_condition,
        integer_identities.choose_unpoisoned,
    ),
    "arith.subf": (floats.drop_neutral_operand,),
    "arith.subi": _SUM,
    "arith.truncf": (float_casts.truncate_extended, float_casts.truncate_integer),
    "arith.trunci": (integer_casts.truncate_extended,),
    "arith.xori": (
        booleans.fold_negation,
        integer_identities.cancel_exclusive_or,
        integer_identities.extend_later,
    ),
}

_OF_POISON: Table = dict.fromkeys(
    {*_OF_CONSTANTS, *_SIMPLER} - {"arith.select"}, (integer_identities.propagate_poison,)
)

PATTERNS: Table = joined(_OF_CONSTANTS, _SIMPLER, _OF_POISON)
