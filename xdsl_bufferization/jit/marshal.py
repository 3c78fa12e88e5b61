"""Conversion of arrays to frames in machine code: the fast path of a call.

Checking an array and packing its descriptor takes several microseconds in Python. If
every array of a call is a plain numpy.ndarray that is clearly valid, a machine code
function, shared by all compiled functions, does this in a fraction of that time. It
reads the arrays' C structs, whose layout is part of NumPy's binary interface, and runs
with the GIL held. It rejects all other cases: other objects, dtypes that are equal but
not the same object, wrong shapes, layouts or flags, and written arrays that may share
memory. Then the slow path (`arguments`, `signature`) raises an error or packs the
arguments.

The requirements on a function's arrays are a table of 64-bit integers: their number,
then a record for each:

    place     of the array in the tuple of arguments, in bytes
    frame     where its descriptor begins in the frame, in bytes
    dtypes    the addresses of the two that it may have
    rank
    itemsize  in bytes
    flags     of the array that must be set
    written   1 if the function may write to it, otherwise 0
    offset    of the descriptor, in elements
    length    of this record, in bytes
    mask      the bits of the array's address that must not be set
    sizes     one per dimension, -1 for any
    strides   one per dimension, in elements, _ANY for any

The elements of a written array definitely do not overlap if each stride is at least the
span of the dimensions with smaller strides; two arrays do not overlap if their address
ranges are disjoint.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from xdsl_bufferization.jit.elements import element_of
from xdsl_bufferization.jit.engine import Library, LLVMModule, load
from xdsl_bufferization.jit.frames import SLOT_BYTES
from xdsl_bufferization.jit.signature import Buffer, Layout, Scalar, Signature

_ANY = -(1 << 63)
_C_CONTIGUOUS, _ALIGNED, _WRITEABLE = 0x1, 0x100, 0x400

Marshal = Callable[[tuple[Any, ...], Any, Any], int]
"""Takes the arguments, a table and a frame; returns 0 when the frame is filled."""


def table_of(signature: Signature, written: Sequence[bool]) -> Any | None:
    """Return the table of a function's arrays; None if they always go the slow path."""
    records: list[int] = []
    count = 0
    slot = 0
    for index, parameter in enumerate(signature.parameters):
        if isinstance(parameter, Buffer):
            records += _record(parameter, index, slot, written[index])
            count += 1
        elif not isinstance(parameter, Scalar):
            return None
        slot += parameter.slots
    table = [count, *records]
    return (ctypes.c_int64 * len(table))(*table)


def _record(buffer: Buffer, index: int, slot: int, written: bool) -> list[int]:
    element, layout = buffer.element, buffer.layout
    flags = _ALIGNED | (_WRITEABLE if written else 0)
    strides: Sequence[int | None] = (None,) * buffer.rank
    offset = 0
    if layout is None:
        flags |= _C_CONTIGUOUS
    else:
        strides, offset = layout.strides, layout.offset or 0
    record = [
        tuple.__basicsize__ + index * ctypes.sizeof(ctypes.c_void_p),
        slot * SLOT_BYTES,
        id(element.dtypes[0]),
        id(element.dtypes[-1]),
        buffer.rank,
        element.dtype.itemsize,
        flags,
        int(written),
        offset,
        8 * (_FIELDS + 2 * buffer.rank),
        buffer.alignment - 1,
    ]
    record += [-1 if size is None else size for size in buffer.shape]
    record += [_ANY if stride is None else stride for stride in strides]
    return record


@cache
def marshal() -> Marshal | None:
    """Return the function that fills frames; None where arrays are not laid out as it
    expects."""
    if (
        sys.implementation.name != "cpython"
        or ctypes.sizeof(ctypes.c_void_p) != 8
        or int(np.__version__.partition(".")[0]) not in (1, 2)
    ):
        return None
    llvm = LLVMModule(_llvm_ir())
    llvm.optimise(2)
    library = load(llvm.emit_object(2), [_NAME], {})
    _loaded.append(library)
    prototype = ctypes.PYFUNCTYPE(
        ctypes.c_int64, ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p
    )
    function: Marshal = prototype(library.address(_NAME))
    return function if _reads_arrays(function) else None


_loaded: list[Library] = []
"""What is never unloaded."""


def _reads_arrays(function: Marshal) -> bool:
    """Whether the function finds in an array what NumPy says of it."""
    array = np.zeros((3, 5, 4), "i2").transpose(2, 0, 1)[::-1, :, ::2]
    unknown = Layout((None,) * array.ndim)
    buffer = Buffer("", element_of("i16", ""), (None,) * array.ndim, unknown)
    signature = Signature("", (buffer,), (), (None,))
    frame = (ctypes.c_int64 * buffer.slots)()
    refused = function((array,), table_of(signature, [False]), frame)
    return not refused and tuple(frame) == buffer.to_slots(array, "")


def _llvm_ir() -> str:
    """The code, for the layout of PyArrayObject_fields after a PyObject header, and of a
    PyObject's type at the end of that."""
    header = object.__basicsize__
    return _LLVM_IR.format(
        name=_NAME,
        any=_ANY,
        ndarray=id(np.ndarray),
        type=header - 8,
        data=header,
        rank=header + 8,
        sizes=header + 16,
        strides=header + 24,
        dtype=header + 40,
        flags=header + 48,
    )


_NAME = "jit.marshal"
_FIELDS = 11

_LLVM_IR = """
define i64 @{name}(ptr %arguments, ptr %table, ptr %frame) {{
entry:
  %count = load i64, ptr %table
  %first = getelementptr i64, ptr %table, i64 1
  %extents = alloca [3 x i64], i64 %count
  br label %arrays

arrays:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next.array ]
  %record = phi ptr [ %first, %entry ], [ %record.next, %next.array ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %array, label %done

array:
  %place = load i64, ptr %record
  %object.p = getelementptr i8, ptr %arguments, i64 %place
  %object = load ptr, ptr %object.p
  %extent = getelementptr [3 x i64], ptr %extents, i64 %i
  %good = call i1 @pack(ptr %object, ptr %record, ptr %frame, ptr %extent)
  br i1 %good, label %pairs, label %refuse

pairs:
  %j = phi i64 [ 0, %array ], [ %j.next, %next.pair ]
  %more.pairs = icmp slt i64 %j, %i
  br i1 %more.pairs, label %pair, label %next.array

pair:
  %other = getelementptr [3 x i64], ptr %extents, i64 %j
  %conflict = call i1 @conflict(ptr %extent, ptr %other)
  br i1 %conflict, label %refuse, label %next.pair

next.pair:
  %j.next = add i64 %j, 1
  br label %pairs

next.array:
  %length.p = getelementptr i64, ptr %record, i64 9
  %length = load i64, ptr %length.p
  %record.next = getelementptr i8, ptr %record, i64 %length
  %i.next = add i64 %i, 1
  br label %arrays

done:
  ret i64 0

refuse:
  ret i64 1
}}

; Whether two arrays, of which one is written, have addresses in common. An extent is the
; first address, the one after the last, and whether the array is written.
define internal i1 @conflict(ptr %a, ptr %b) {{
  %a.end.p = getelementptr i64, ptr %a, i64 1
  %b.end.p = getelementptr i64, ptr %b, i64 1
  %a.written.p = getelementptr i64, ptr %a, i64 2
  %b.written.p = getelementptr i64, ptr %b, i64 2
  %a.begin = load i64, ptr %a
  %b.begin = load i64, ptr %b
  %a.end = load i64, ptr %a.end.p
  %b.end = load i64, ptr %b.end.p
  %a.written = load i64, ptr %a.written.p
  %b.written = load i64, ptr %b.written.p
  %either = or i64 %a.written, %b.written
  %written = icmp ne i64 %either, 0
  %before = icmp ult i64 %a.begin, %b.end
  %after = icmp ult i64 %b.begin, %a.end
  %meet = and i1 %before, %after
  %conflict = and i1 %meet, %written
  ret i1 %conflict
}}

; Checks an object against a record, and fills its part of the frame and its extent.
define internal i1 @pack(ptr %object, ptr %record, ptr %frame, ptr %extent) {{
entry:
  %type.p = getelementptr i8, ptr %object, i64 {type}
  %type = load i64, ptr %type.p
  %is.array = icmp eq i64 %type, {ndarray}
  br i1 %is.array, label %header, label %refuse

header:
  %frame.p = getelementptr i64, ptr %record, i64 1
  %dtype0.p = getelementptr i64, ptr %record, i64 2
  %dtype1.p = getelementptr i64, ptr %record, i64 3
  %rank.p = getelementptr i64, ptr %record, i64 4
  %itemsize.p = getelementptr i64, ptr %record, i64 5
  %flags.p = getelementptr i64, ptr %record, i64 6
  %written.p = getelementptr i64, ptr %record, i64 7
  %offset.p = getelementptr i64, ptr %record, i64 8
  %begin = load i64, ptr %frame.p
  %dtype0 = load i64, ptr %dtype0.p
  %dtype1 = load i64, ptr %dtype1.p
  %rank = load i64, ptr %rank.p
  %itemsize = load i64, ptr %itemsize.p
  %flags.wanted = load i64, ptr %flags.p
  %written = load i64, ptr %written.p
  %offset = load i64, ptr %offset.p
  %array.dtype.p = getelementptr i8, ptr %object, i64 {dtype}
  %array.rank.p = getelementptr i8, ptr %object, i64 {rank}
  %array.flags.p = getelementptr i8, ptr %object, i64 {flags}
  %array.dtype = load i64, ptr %array.dtype.p
  %array.rank.32 = load i32, ptr %array.rank.p
  %array.flags.32 = load i32, ptr %array.flags.p
  %array.rank = zext i32 %array.rank.32 to i64
  %array.flags = zext i32 %array.flags.32 to i64
  %is.dtype0 = icmp eq i64 %array.dtype, %dtype0
  %is.dtype1 = icmp eq i64 %array.dtype, %dtype1
  %is.dtype = or i1 %is.dtype0, %is.dtype1
  %is.rank = icmp eq i64 %array.rank, %rank
  %flags.set = and i64 %array.flags, %flags.wanted
  %is.flags = icmp eq i64 %flags.set, %flags.wanted
  %is.dtype.and.rank = and i1 %is.dtype, %is.rank
  %is.header = and i1 %is.dtype.and.rank, %is.flags
  %data.p = getelementptr i8, ptr %object, i64 {data}
  br i1 %is.header, label %address, label %refuse

address:
  %mask.p = getelementptr i64, ptr %record, i64 10
  %mask = load i64, ptr %mask.p
  %data = load i64, ptr %data.p
  %misplaced = and i64 %data, %mask
  %is.placed = icmp eq i64 %misplaced, 0
  br i1 %is.placed, label %descriptor, label %refuse

descriptor:
  %sizes.p = getelementptr i8, ptr %object, i64 {sizes}
  %strides.p = getelementptr i8, ptr %object, i64 {strides}
  %sizes = load ptr, ptr %sizes.p
  %strides = load ptr, ptr %strides.p
  %offset.bytes = mul i64 %offset, %itemsize
  %aligned = sub i64 %data, %offset.bytes
  %out = getelementptr i8, ptr %frame, i64 %begin
  %out.aligned = getelementptr i64, ptr %out, i64 1
  %out.offset = getelementptr i64, ptr %out, i64 2
  %out.sizes = getelementptr i64, ptr %out, i64 3
  %out.strides = getelementptr i64, ptr %out.sizes, i64 %rank
  store i64 %data, ptr %out
  store i64 %aligned, ptr %out.aligned
  store i64 %offset, ptr %out.offset
  %sizes.wanted = getelementptr i64, ptr %record, i64 11
  %strides.wanted = getelementptr i64, ptr %sizes.wanted, i64 %rank
  %dense.flag = and i64 %flags.wanted, 1
  %dense = icmp ne i64 %dense.flag, 0
  %data.end = add i64 %data, %itemsize
  br label %dimensions

dimensions: ; from the last to the first
  %i = phi i64 [ %rank, %descriptor ], [ %k, %next ]
  %row = phi i64 [ 1, %descriptor ], [ %row.next, %next ]
  %low = phi i64 [ %data, %descriptor ], [ %low.next, %next ]
  %high = phi i64 [ %data.end, %descriptor ], [ %high.next, %next ]
  %empty = phi i1 [ false, %descriptor ], [ %empty.next, %next ]
  %more = icmp sgt i64 %i, 0
  br i1 %more, label %dimension, label %packed

dimension:
  %k = sub i64 %i, 1
  %size.p = getelementptr i64, ptr %sizes, i64 %k
  %stride.p = getelementptr i64, ptr %strides, i64 %k
  %size.wanted.p = getelementptr i64, ptr %sizes.wanted, i64 %k
  %stride.wanted.p = getelementptr i64, ptr %strides.wanted, i64 %k
  %size = load i64, ptr %size.p
  %stride.bytes = load i64, ptr %stride.p
  %size.wanted = load i64, ptr %size.wanted.p
  %stride.wanted = load i64, ptr %stride.wanted.p
  %any.size = icmp eq i64 %size.wanted, -1
  %same.size = icmp eq i64 %size.wanted, %size
  %is.size = or i1 %any.size, %same.size
  %rest = srem i64 %stride.bytes, %itemsize
  %even = icmp eq i64 %rest, 0
  %stride.items = sdiv i64 %stride.bytes, %itemsize
  %stride = select i1 %dense, i64 %row, i64 %stride.items
  %is.even = or i1 %even, %dense
  %any.stride = icmp eq i64 %stride.wanted, {any}
  %same.stride = icmp eq i64 %stride.wanted, %stride
  %no.step = icmp sle i64 %size, 1
  %any.or.same = or i1 %any.stride, %same.stride
  %is.stride = or i1 %any.or.same, %no.step
  %is.size.and.even = and i1 %is.size, %is.even
  %is.dimension = and i1 %is.size.and.even, %is.stride
  %out.size.p = getelementptr i64, ptr %out.sizes, i64 %k
  %out.stride.p = getelementptr i64, ptr %out.strides, i64 %k
  store i64 %size, ptr %out.size.p
  store i64 %stride, ptr %out.stride.p
  br i1 %is.dimension, label %next, label %refuse

next:
  %row.next = mul i64 %row, %size
  %steps = sub i64 %size, 1
  %reach = mul i64 %steps, %stride.bytes
  %is.backward = icmp slt i64 %reach, 0
  %backward = select i1 %is.backward, i64 %reach, i64 0
  %forward = select i1 %is.backward, i64 0, i64 %reach
  %low.next = add i64 %low, %backward
  %high.next = add i64 %high, %forward
  %is.empty = icmp eq i64 %size, 0
  %empty.next = or i1 %empty, %is.empty
  br label %dimensions

packed:
  %end = select i1 %empty, i64 %low, i64 %high
  %extent.end = getelementptr i64, ptr %extent, i64 1
  %extent.written = getelementptr i64, ptr %extent, i64 2
  store i64 %low, ptr %extent
  store i64 %end, ptr %extent.end
  store i64 %written, ptr %extent.written
  %contiguous = and i64 %array.flags, 3
  %is.spread.flag = icmp ne i64 %contiguous, 0
  %is.read.only = icmp eq i64 %written, 0
  %is.apart = or i1 %is.spread.flag, %is.read.only
  %is.fine = or i1 %is.apart, %empty
  br i1 %is.fine, label %accept, label %check

check:
  %apart = call i1 @apart(ptr %sizes, ptr %strides, i64 %rank, i64 %itemsize)
  ret i1 %apart

accept:
  ret i1 true

refuse:
  ret i1 false
}}

; Whether each stride is at least what the dimensions of smaller strides span.
define internal i1 @apart(ptr %sizes, ptr %strides, i64 %rank, i64 %itemsize) {{
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next.outer ]
  %more = icmp slt i64 %i, %rank
  br i1 %more, label %dimension, label %accept

dimension:
  %size.p = getelementptr i64, ptr %sizes, i64 %i
  %size = load i64, ptr %size.p
  %stride.p = getelementptr i64, ptr %strides, i64 %i
  %signed = load i64, ptr %stride.p
  %stride = call i64 @llvm.abs.i64(i64 %signed, i1 false)
  br label %inner

inner:
  %j = phi i64 [ 0, %dimension ], [ %j.next, %other ]
  %span = phi i64 [ %itemsize, %dimension ], [ %span.next, %other ]
  %more.inner = icmp slt i64 %j, %rank
  br i1 %more.inner, label %other, label %compare

other:
  %other.size.p = getelementptr i64, ptr %sizes, i64 %j
  %other.size = load i64, ptr %other.size.p
  %other.stride.p = getelementptr i64, ptr %strides, i64 %j
  %other.signed = load i64, ptr %other.stride.p
  %other.stride = call i64 @llvm.abs.i64(i64 %other.signed, i1 false)
  %smaller = icmp ule i64 %other.stride, %stride
  %is.other = icmp ne i64 %i, %j
  %counts = and i1 %smaller, %is.other
  %steps = sub i64 %other.size, 1
  %reach = mul i64 %steps, %other.stride
  %counted = select i1 %counts, i64 %reach, i64 0
  %span.next = add i64 %span, %counted
  %j.next = add i64 %j, 1
  br label %inner

compare:
  %wide = icmp uge i64 %stride, %span
  %no.step = icmp sle i64 %size, 1
  %good = or i1 %wide, %no.step
  br i1 %good, label %next.outer, label %refuse

next.outer:
  %i.next = add i64 %i, 1
  br label %outer

accept:
  ret i1 true

refuse:
  ret i1 false
}}

declare i64 @llvm.abs.i64(i64, i1)
"""
