"""Assertions that fail: an exception in Python instead of the end of the process.

Compiled code calls `jit.fail` where a cf.assert does not hold. It must not return, and
compiled code cannot be unwound as Python is. So a function with assertions is entered
through a guard, which remembers where it was called (setjmp); `jit.fail` notes the
message and the numbers compared, and goes back there (longjmp). No frame of Python is
ever between the two: a Python function that compiled code calls enters other compiled
code through a guard of its own.

Guards nest, and every thread has its own: the innermost one is in a thread-specific slot
of the C library. The memory that the failed call had allocated is not freed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.engine import Library, LLVMModule, load

FAIL = "jit.fail"
"""The function that a failed assertion calls: `void (ptr, i64, i64, i64, i64)`."""

ABORTING_DEFINITION = f'''
declare i32 @puts(ptr)
declare void @abort() noreturn
define void @"{FAIL}"(ptr %message, i64, i64, i64, i64) cold noreturn {{
  %put = call i32 @puts(ptr %message)
  call void @abort()
  unreachable
}}'''
"""LLVM IR of that function where there is no guard: in what is saved for others."""

_NUMBERS = 4
_REPORT = ctypes.c_int64 * (1 + _NUMBERS)
_GUARD = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class CheckError(JITException):
    """An assertion of compiled code that failed.

    Its text shows the op, what is wrong, where, and the numbers that were compared. The
    call had no result; arrays that it had written to before stay as they were then."""


def guarded(entry: int) -> Callable[[Any], None]:
    """Return a function that calls an entry with a frame.

    Raises (when called):
        CheckError: when an assertion of the compiled code fails.
    """
    guard, _ = _runtime()
    address = ctypes.c_void_p(entry)

    def call(frame: Any) -> None:
        report = _REPORT()
        if guard(address, frame, report):
            raise CheckError(_message(report))

    return call


def fail_address() -> int:
    """The address of `jit.fail`."""
    _, library = _runtime()
    return library.address(FAIL)


def _message(report: ctypes.Array[ctypes.c_int64]) -> str:
    address, *numbers = report
    text = ctypes.string_at(address).decode()
    body, separator, required = text.rpartition("\nrequired: ")
    if not separator:
        return text
    return f"{body}{separator}{required.format(*numbers)}"


@cache
def _runtime() -> tuple[Any, Library]:
    """The guard and `jit.fail`, compiled once for all modules."""
    key = ctypes.c_uint64(0)
    create = ctypes.CDLL(None).pthread_key_create
    if create(ctypes.byref(key), None):
        raise JITException("the C library has no thread-specific slot left")
    llvm = LLVMModule(_RUNTIME.replace("$KEY", str(key.value)))
    llvm.optimise(1)
    library = load(llvm.emit_object(1), ["jit.guard", FAIL], {})
    return _GUARD(library.address("jit.guard")), library


# A state holds a jmp_buf, for which 512 bytes are enough everywhere, then the address of
# the report.
_RUNTIME = f'''
declare ptr @pthread_getspecific(i64)
declare i32 @pthread_setspecific(i64, ptr)
declare i32 @_setjmp(ptr) returns_twice
declare void @longjmp(ptr, i32) noreturn
declare i32 @puts(ptr)
declare void @abort() noreturn

define i32 @"jit.guard"(ptr %entry, ptr %frame, ptr %report) {{
  %state = alloca [520 x i8], align 16
  %slot = getelementptr i8, ptr %state, i64 512
  store volatile ptr %report, ptr %slot
  %outer = call ptr @pthread_getspecific(i64 $KEY)
  %set = call i32 @pthread_setspecific(i64 $KEY, ptr %state)
  %failed = call i32 @_setjmp(ptr %state) returns_twice
  %first = icmp eq i32 %failed, 0
  br i1 %first, label %run, label %done
run:
  call void %entry(ptr %frame)
  br label %done
done:
  %reset = call i32 @pthread_setspecific(i64 $KEY, ptr %outer)
  ret i32 %failed
}}

define void @"{FAIL}"(ptr %message, i64 %a, i64 %b, i64 %c, i64 %d) noreturn {{
  %state = call ptr @pthread_getspecific(i64 $KEY)
  %none = icmp eq ptr %state, null
  br i1 %none, label %alone, label %guarded
alone:
  %put = call i32 @puts(ptr %message)
  call void @abort()
  unreachable
guarded:
  %slot = getelementptr i8, ptr %state, i64 512
  %report = load ptr, ptr %slot
  store ptr %message, ptr %report
  %p1 = getelementptr i64, ptr %report, i64 1
  store i64 %a, ptr %p1
  %p2 = getelementptr i64, ptr %report, i64 2
  store i64 %b, ptr %p2
  %p3 = getelementptr i64, ptr %report, i64 3
  store i64 %c, ptr %p3
  %p4 = getelementptr i64, ptr %report, i64 4
  store i64 %d, ptr %p4
  call void @longjmp(ptr %state, i32 1)
  unreachable
}}'''
