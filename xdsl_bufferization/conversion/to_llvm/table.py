"""All lowerings, by the name of the op."""

from __future__ import annotations

from xdsl_bufferization.conversion.to_llvm.arith import ARITH_LOWERINGS
from xdsl_bufferization.conversion.to_llvm.cf import CF_LOWERINGS
from xdsl_bufferization.conversion.to_llvm.complex import (
    COMPLEX_LOWERINGS,
    OTHER_LOWERINGS,
)
from xdsl_bufferization.conversion.to_llvm.func import FUNC_LOWERINGS
from xdsl_bufferization.conversion.to_llvm.index import INDEX_LOWERINGS
from xdsl_bufferization.conversion.to_llvm.lowering import Lowering
from xdsl_bufferization.conversion.to_llvm.math import MATH_LOWERINGS
from xdsl_bufferization.conversion.to_llvm.memref import MEMREF_LOWERINGS
from xdsl_bufferization.conversion.to_llvm.memref_views import VIEW_LOWERINGS
from xdsl_bufferization.conversion.to_llvm.poison import DEFINED, defined
from xdsl_bufferization.conversion.to_llvm.safety import checked_division
from xdsl_bufferization.conversion.to_llvm.vector import VECTOR_LOWERINGS
from xdsl_bufferization.conversion.to_llvm.vector_mask import MASK_LOWERINGS
from xdsl_bufferization.conversion.to_llvm.vector_memory import VECTOR_MEMORY_LOWERINGS
from xdsl_bufferization.conversion.to_llvm.vector_print import PRINT_LOWERINGS
from xdsl_bufferization.conversion.to_llvm.vector_reductions import REDUCTION_LOWERINGS

LOWERINGS: dict[str, Lowering] = {
    **FUNC_LOWERINGS,
    **CF_LOWERINGS,
    **ARITH_LOWERINGS,
    **INDEX_LOWERINGS,
    **MATH_LOWERINGS,
    **COMPLEX_LOWERINGS,
    **OTHER_LOWERINGS,
    **MEMREF_LOWERINGS,
    **VIEW_LOWERINGS,
    **VECTOR_LOWERINGS,
    **VECTOR_MEMORY_LOWERINGS,
    **MASK_LOWERINGS,
    **REDUCTION_LOWERINGS,
    **PRINT_LOWERINGS,
}

LOWERINGS.update((name, defined(LOWERINGS[name])) for name in DEFINED)

_SIGNED_DIVISIONS = (
    *("arith.divsi", "arith.remsi", "arith.ceildivsi", "arith.floordivsi"),
    *("index.divs", "index.rems", "index.ceildivs", "index.floordivs"),
)
_UNSIGNED_DIVISIONS = (
    *("arith.divui", "arith.remui", "arith.ceildivui"),
    *("index.divu", "index.remu", "index.ceildivu"),
)
LOWERINGS.update(
    (name, checked_division(LOWERINGS[name], signed=names is _SIGNED_DIVISIONS))
    for names in (_SIGNED_DIVISIONS, _UNSIGNED_DIVISIONS)
    for name in names
)
