"""Arrays over memory that other libraries export by DLPack.

NumPy also reads DLPack, but makes arrays of unversioned exports read-only, although
they may be written, and does not support bfloat16 or f8 types. The array keeps the
capsule and never marks it as used: when the capsule is destroyed, it releases the
memory itself.
"""

from __future__ import annotations

import ctypes
from importlib import import_module
from typing import Any

import numpy as np

from xdsl_bufferization.jit.arrays import array_at
from xdsl_bufferization.jit.signature import Array, row_major

_CPU = 1
_READ_ONLY = 1
_KINDS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}
"""NumPy's kinds of dtype, by DLPack's type codes."""
_SMALL_FLOATS = {
    4: "bfloat16",
    7: "float8_e3m4",
    8: "float8_e4m3",
    9: "float8_e4m3b11fnuz",
    10: "float8_e4m3fn",
    11: "float8_e4m3fnuz",
    12: "float8_e5m2",
    13: "float8_e5m2fnuz",
    14: "float8_e8m0fnu",
}
"""Their names in ml_dtypes, by DLPack's type codes."""


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("type_code", ctypes.c_uint8),
        ("type_bits", ctypes.c_uint8),
        ("type_lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _VersionedTensor(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    )


_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_IsValid", ctypes.pythonapi)
)
_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def from_dlpack(value: Any) -> Array:
    """Return an array over the memory that an object lends by DLPack.

    Raises:
        BufferError: when the memory or the type is none that an array could have.
    """
    device, _ = value.__dlpack_device__()
    if device != _CPU:
        raise BufferError("it is not in the memory of the CPU")
    try:
        capsule = value.__dlpack__(max_version=(1, 0))
    except TypeError:
        capsule = value.__dlpack__()
    writable = True
    if _is_valid(capsule, b"dltensor_versioned"):
        address = _get_pointer(capsule, b"dltensor_versioned")
        versioned = _VersionedTensor.from_address(address)
        if versioned.major != 1:
            raise BufferError(f"version {versioned.major} of DLPack is not known")
        writable = not versioned.flags & _READ_ONLY
        tensor: _Tensor = versioned.tensor
    elif _is_valid(capsule, b"dltensor"):
        tensor = _Tensor.from_address(_get_pointer(capsule, b"dltensor"))
    else:
        raise BufferError("what __dlpack__ returned is no tensor")
    dtype = _dtype(tensor)
    shape = tuple(tensor.shape[: tensor.rank])
    strides = tensor.strides[: tensor.rank] if tensor.strides else row_major(shape)
    return array_at(
        (tensor.data or 0) + tensor.byte_offset,
        shape,
        tuple(stride * dtype.itemsize for stride in strides),
        dtype,
        capsule,
        writable,
    )


def _dtype(tensor: _Tensor) -> np.dtype[Any]:
    code, bits = tensor.type_code, tensor.type_bits
    try:
        if tensor.type_lanes == 1 and bits % 8 == 0:
            if code in _SMALL_FLOATS:
                return np.dtype(getattr(import_module("ml_dtypes"), _SMALL_FLOATS[code]))
            return np.dtype(f"{_KINDS[code]}{bits // 8}")
    except (ImportError, AttributeError, KeyError, TypeError):
        pass
    raise BufferError(f"no array has elements of DLPack's type {code} with {bits} bits")
