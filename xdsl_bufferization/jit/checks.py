"""Failing assertions: a Python exception instead of the end of the process.

Compiled code calls `jit.fail` when a cf.assert fails. It must not return, and compiled
code cannot be unwound like Python. A function with assertions is therefore entered
through a guard, which saves its context (setjmp); `jit.fail` records the message and
the compared numbers, and returns to the guard (longjmp). There is never a Python frame
between the two: a Python function that compiled code calls enters other compiled code
through its own guard.

Guards nest, and every thread has its own: the innermost one is in a thread-specific slot
of the C library. The memory that the failed call had allocated is not freed.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.engine import Library, LLVMModule, load

FAIL = "jit.fail"
"""The function that a failed assertion calls: `void (ptr, i64, i64, i64, i64)`."""

STACK_LIMIT = "jit.stack_limit"
"""The function that returns how far down the stack may grow: `ptr ()`."""

ABORTING_DEFINITION = f'''
define ptr @"{STACK_LIMIT}"() {{
  ret ptr null
}}
declare i32 @puts(ptr)
declare void @abort() noreturn
define void @"{FAIL}"(ptr %message, i64, i64, i64, i64) cold noreturn {{
  %put = call i32 @puts(ptr %message)
  call void @abort()
  unreachable
}}'''
"""LLVM IR of these functions where there is no guard: in what is saved for others. Their
stacks have no limit that is known."""

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
        report = _REPORT(_stack_limit())
        if guard(address, frame, report):
            raise CheckError(_message(report))

    return call


def addresses() -> dict[str, int]:
    """The addresses of the functions that checked code calls, by name."""
    _, library = _runtime()
    return {name: library.address(name) for name in (FAIL, STACK_LIMIT)}


def _message(report: ctypes.Array[ctypes.c_int64]) -> str:
    address, *numbers = report
    text = ctypes.string_at(address).decode()
    body, separator, required = text.rpartition("\nrequired: ")
    if not separator:
        return text
    return f"{body}{separator}{required.format(*numbers)}"


class _Stack(threading.local):
    """The stack of the current thread."""

    limit: int | None = None


_STACK = _Stack()


def _stack_limit() -> int:
    """How far down the stack of this thread may grow; 0 where that is not known."""
    limit = _STACK.limit
    if limit is None:
        limit = _STACK.limit = _find_stack_limit()
    return limit


def _find_stack_limit() -> int:
    """The end of the stack, as the C library knows it, and room for what checks do not
    look at: small frames, functions of the C library, Python functions."""
    libc = ctypes.CDLL(None)
    libc.pthread_self.restype = ctypes.c_void_p
    if sys.platform == "darwin":
        of_thread = libc.pthread_get_stackaddr_np, libc.pthread_get_stacksize_np
        of_thread[0].restype, of_thread[1].restype = ctypes.c_void_p, ctypes.c_size_t
        thread = ctypes.c_void_p(libc.pthread_self())
        top, size = (get(thread) for get in of_thread)
        low = top - size
    else:
        attributes = ctypes.create_string_buffer(_LARGEST_PTHREAD_ATTR)
        get = getattr(libc, "pthread_getattr_np", None)
        if get is None or get(ctypes.c_void_p(libc.pthread_self()), attributes):
            return 0
        address, length = ctypes.c_void_p(), ctypes.c_size_t()
        libc.pthread_attr_getstack(
            attributes, ctypes.byref(address), ctypes.byref(length)
        )
        libc.pthread_attr_destroy(attributes)
        low, size = address.value or 0, length.value
    return low + min(_RESERVE, size // 2)


_LARGEST_PTHREAD_ATTR = 256
_RESERVE = 1 << 18


@cache
def _runtime() -> tuple[Any, Library]:
    """The guard and `jit.fail`, compiled once for all modules."""
    key = ctypes.c_uint64(0)
    create = ctypes.CDLL(None).pthread_key_create
    if create(ctypes.byref(key), None):
        raise JITException("the C library has no thread-specific slot left")
    llvm = LLVMModule(_RUNTIME.replace("$KEY", str(key.value)))
    llvm.optimise(1)
    library = load(llvm.emit_object(1), ["jit.guard", FAIL, STACK_LIMIT], {})
    return _GUARD(library.address("jit.guard")), library


# A state holds a jmp_buf, for which 512 bytes are enough everywhere, then the address of
# the report. That begins with the limit of the stack, until a check fails.
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

define ptr @"{STACK_LIMIT}"() {{
  %state = call ptr @pthread_getspecific(i64 $KEY)
  %none = icmp eq ptr %state, null
  br i1 %none, label %alone, label %guarded
alone:
  ret ptr null
guarded:
  %slot = getelementptr i8, ptr %state, i64 512
  %report = load ptr, ptr %slot
  %limit = load ptr, ptr %report
  ret ptr %limit
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
