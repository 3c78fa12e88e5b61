"""Names of values in the source."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue


def value_name(value: SSAValue | None) -> str | None:
    """Return the name of a value in the source, if it has one; of the base buffer of a
    memref, that of the memref."""
    if value is None:
        return None
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "memref.extract_strided_metadata":
        value = owner.operands[0]
    return None if value.name_hint is None else f"%{value.name_hint}"
