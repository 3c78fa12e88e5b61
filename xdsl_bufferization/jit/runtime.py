"""The few functions that compiled code may call and the C library lacks, in LLVM IR.

`memrefCopy` copies between memrefs of any layout; MLIR's lowering of memref.copy calls it
with the size of an element and two unranked descriptors { rank, descriptor }, where a
descriptor is { allocated, aligned, offset, sizes..., strides... }.

vector.print calls `printI64` and similar functions. They write to C's standard output,
which is flushed at the end of a line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

_MEMREF_COPY = """
define void @memrefCopy(i64 %bytes, ptr %source, ptr %target) {
  %rank = load i64, ptr %source
  %source.field = getelementptr i8, ptr %source, i64 8
  %target.field = getelementptr i8, ptr %target, i64 8
  %from = load ptr, ptr %source.field
  %to = load ptr, ptr %target.field
  %from.data = call ptr @jit.first_element(i64 %bytes, ptr %from)
  %to.data = call ptr @jit.first_element(i64 %bytes, ptr %to)
  %sizes = getelementptr i64, ptr %from, i64 3
  %from.strides = getelementptr i64, ptr %sizes, i64 %rank
  %to.sizes = getelementptr i64, ptr %to, i64 3
  %to.strides = getelementptr i64, ptr %to.sizes, i64 %rank
  call void @jit.copy_dimensions(i64 %rank, i64 %bytes, ptr %sizes, ptr %from.data,
                                 ptr %from.strides, ptr %to.data, ptr %to.strides)
  ret void
}

define internal ptr @jit.first_element(i64 %bytes, ptr %descriptor) {
  %aligned.field = getelementptr i64, ptr %descriptor, i64 1
  %offset.field = getelementptr i64, ptr %descriptor, i64 2
  %aligned = load ptr, ptr %aligned.field
  %offset = load i64, ptr %offset.field
  %distance = mul i64 %offset, %bytes
  %first = getelementptr i8, ptr %aligned, i64 %distance
  ret ptr %first
}

define internal void @jit.copy_dimensions(i64 %rank, i64 %bytes, ptr %sizes, ptr %from,
                                          ptr %from.strides, ptr %to, ptr %to.strides) {
  %is.element = icmp eq i64 %rank, 0
  br i1 %is.element, label %element, label %dimension

element:
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  ret void

dimension:
  %size = load i64, ptr %sizes
  %from.stride = load i64, ptr %from.strides
  %to.stride = load i64, ptr %to.strides
  %is.last = icmp eq i64 %rank, 1
  %from.dense = icmp eq i64 %from.stride, 1
  %to.dense = icmp eq i64 %to.stride, 1
  %both.dense = and i1 %from.dense, %to.dense
  %is.row = and i1 %is.last, %both.dense
  br i1 %is.row, label %row, label %prepare

row:
  %row.bytes = mul i64 %size, %bytes
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %row.bytes, i1 false)
  ret void

prepare:
  %inner.rank = sub i64 %rank, 1
  %inner.sizes = getelementptr i64, ptr %sizes, i64 1
  %inner.from.strides = getelementptr i64, ptr %from.strides, i64 1
  %inner.to.strides = getelementptr i64, ptr %to.strides, i64 1
  %from.step = mul i64 %from.stride, %bytes
  %to.step = mul i64 %to.stride, %bytes
  br label %loop

loop:
  %i = phi i64 [ 0, %prepare ], [ %next, %body ]
  %more = icmp slt i64 %i, %size
  br i1 %more, label %body, label %done

body:
  %from.distance = mul i64 %i, %from.step
  %to.distance = mul i64 %i, %to.step
  %inner.from = getelementptr i8, ptr %from, i64 %from.distance
  %inner.to = getelementptr i8, ptr %to, i64 %to.distance
  call void @jit.copy_dimensions(i64 %inner.rank, i64 %bytes, ptr %inner.sizes,
                                 ptr %inner.from, ptr %inner.from.strides, ptr %inner.to,
                                 ptr %inner.to.strides)
  %next = add i64 %i, 1
  br label %loop

done:
  ret void
}
"""


_PRINT_HALF = """
@jit.{name}.text = internal constant [3 x i8] c"%g\\00"

define void @{name}(i16 %bits) {{
  %value = bitcast i16 %bits to {type}
  %shown = fpext {type} %value to double
  call i32 (ptr, ...) @printf(ptr @jit.{name}.text, double %shown)
  ret void
}}
"""


def _printing(name: str, text: str, parameter: str = "", convert: str = "") -> str:
    """A function that passes a text to printf, and its parameter, converted to %shown."""
    data = text.replace("\n", "\\0A") + "\\00"
    length = len(text) + 1
    shown = f", {convert.split()[-1]} %shown" if convert else ""
    if parameter and not convert:
        shown = f", {parameter} %value"
    flush = "  call i32 @fflush(ptr null)\n" if text == "\n" else ""
    return f"""
@jit.{name}.text = internal constant [{length} x i8] c"{data}"

define void @{name}({f"{parameter} %value" if parameter else ""}) {{
{f"  %shown = {convert}" if convert else ""}
  call i32 (ptr, ...) @printf(ptr @jit.{name}.text{shown})
{flush}  ret void
}}
"""


_TRUNCATE = """
define weak hidden half @__truncdfhf2(double %number) {
  %odd = call float @jit.rounded_to_odd(double %number)
  %rounded = fptrunc float %odd to half
  ret half %rounded
}

define weak hidden bfloat @__truncdfbf2(double %number) {
  %odd = call float @jit.rounded_to_odd(double %number)
  %rounded = fptrunc float %odd to bfloat
  ret bfloat %rounded
}

define internal float @jit.rounded_to_odd(double %number) {
  %nearest = fptrunc double %number to float
  %back = fpext float %nearest to double
  %magnitude = call double @llvm.fabs.f64(double %number)
  %back.magnitude = call double @llvm.fabs.f64(double %back)
  %too.large = fcmp ogt double %back.magnitude, %magnitude
  %excess = zext i1 %too.large to i32
  %nearest.bits = bitcast float %nearest to i32
  %inner = sub i32 %nearest.bits, %excess
  %is.inexact = fcmp one double %back, %number
  %sticky = zext i1 %is.inexact to i32
  %bits = or i32 %inner, %sticky
  %odd = bitcast i32 %bits to float
  ret float %odd
}

declare double @llvm.fabs.f64(double)
"""
"""What machine code calls to make a half or a bfloat of a double. A number that is first
rounded to odd, as a float, is then rounded as if it had not been (Boldo and Melquiond,
"Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd",
2008)."""

_TRUNCATE_TO_BFLOAT = """
define weak hidden bfloat @__truncsfbf2(float %number) {
  %bits = bitcast float %number to i32
  %shifted = lshr i32 %bits, 16
  %last = and i32 %shifted, 1
  %half = add i32 %last, 32767
  %sum = add i32 %bits, %half
  %nearest = lshr i32 %sum, 16
  %quiet = or i32 %shifted, 64
  %is.nan = fcmp uno float %number, 0.0
  %wide = select i1 %is.nan, i32 %quiet, i32 %nearest
  %narrow = trunc i32 %wide to i16
  %rounded = bitcast i16 %narrow to bfloat
  ret bfloat %rounded
}
"""
"""What machine code calls to make a bfloat of a float, on processors that have no
instruction for it. Adding a little less than half of the last place that is kept, or just
half if that is odd, rounds to nearest, ties to even."""

_TRUNCATED = re.compile(
    r"fptrunc (?:<\d+ x )?double\b.* to (?:<\d+ x )?(?:half|bfloat)\b"
)


_DEFINITIONS = {
    # symbol: its definition
    "memrefCopy": _MEMREF_COPY,
    "printI64": _printing("printI64", "%lld", "i64"),
    "printU64": _printing("printU64", "%llu", "i64"),
    "printF32": _printing("printF32", "%g", "float", "fpext float %value to double"),
    "printF16": _PRINT_HALF.format(name="printF16", type="half"),
    "printBF16": _PRINT_HALF.format(name="printBF16", type="bfloat"),
    "printF64": _printing("printF64", "%lg", "double"),
    "printString": _printing("printString", "%s", "ptr"),
    "printOpen": _printing("printOpen", "( "),
    "printClose": _printing("printClose", " )"),
    "printComma": _printing("printComma", ", "),
    "printNewline": _printing("printNewline", "\n"),
}

_DECLARATIONS = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @printf(ptr, ...)
declare i32 @fflush(ptr)
"""


def runtime_functions(missing: Collection[str]) -> list[str]:
    """Those of some functions that are defined here."""
    return [name for name in _DEFINITIONS if name in missing]


def runtime_definitions(names: Iterable[str]) -> list[str]:
    """LLVM IR with the definitions of functions, to be parsed as one text."""
    found = [_DEFINITIONS[name] for name in names]
    return [*found, _DECLARATIONS] if found else []


def conversion_definitions(llvm_ir: str) -> list[str]:
    """LLVM IR with what the machine code for a module calls of its own accord. No C
    library needs to have it."""
    found = [_TRUNCATE] if _TRUNCATED.search(llvm_ir) else []
    # Arithmetic on bfloats is done on floats, and rounded.
    return [*found, _TRUNCATE_TO_BFLOAT] if found or "bfloat" in llvm_ir else []
