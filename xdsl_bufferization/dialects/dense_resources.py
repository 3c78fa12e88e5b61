"""The contents of dense_resource attributes, which a file keeps apart from its ops.

    %w = arith.constant dense_resource<weights> : tensor<2xf32>
    ...
    {-# dialect_resources: { builtin: { weights: "0x04000000" "0000803F" ... } } #-}

A blob is hexadecimal: four bytes for its alignment, then the elements, in little-endian
order without gaps. xDSL keeps blobs in its builtin dialect.
"""

from __future__ import annotations

import re
from itertools import count
from typing import Any, cast

from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import (
    Builtin,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FixedBitwidthType,
    IndexType,
    TensorType,
)
from xdsl.ir import Attribute

from xdsl_bufferization.dialects.dense_elements import constant_of_bytes

_BYTES_OF_ALIGNMENT = 4
_BYTES_OF_INDEX = 8


def elements_of(resource: DenseResourceAttr) -> DenseIntOrFPElementsAttr[Any] | None:
    """The elements of a resource; None if the program does not hold them, or holds
    another number of bytes than its type has."""
    blob = _find_blob(resource.resource_handle.data)
    if blob is None or not isinstance(resource.type, TensorType):
        return None
    type_ = cast("TensorType[Any]", resource.type)
    data = bytes.fromhex(blob.removeprefix("0x"))[_BYTES_OF_ALIGNMENT:]
    size = _bytes_of_element(type_.element_type)
    if size is None or len(data) != size * type_.element_count():
        return None
    return constant_of_bytes(type_, data)


def _bytes_of_element(type_: Attribute) -> int | None:
    if isinstance(type_, IndexType):
        return _BYTES_OF_INDEX
    if isinstance(type_, FixedBitwidthType) and type_.bitwidth % 8 == 0:
        return type_.size
    return None


def _find_blob(handle: str) -> str | None:
    """The blob of a handle.

    Where a name was known already, from another program, xDSL invents one for each use
    of it, `name_0`, `name_1` and so on, and another for the blob, which comes after its
    uses. So it is the first one that follows.
    """
    storage = Builtin.get_interface(OpAsmDialectInterface)
    if storage is None:
        return None
    if blob := storage.lookup(handle):
        return blob
    numbered = re.fullmatch(r"(.*)_(\d+)", handle)
    if numbered is None:
        return None
    for number in count(int(numbered[2]) + 1):
        blob = storage.lookup(f"{numbered[1]}_{number}")
        if blob or blob is None:
            return blob
    return None
