"""Counts of a module's memory operations: `compile(..., count=True)`.

Allocation functions are bound to a `Counter` instead of the C library. It tracks every
live buffer by address, so leaks, double frees and frees of memory that was never
allocated are detected exactly. New memory is filled with 0xFF (NaN in every float
type), and so is freed memory, which is kept for a while, so that early or late reads
are visible in the results. LLVM cannot see through the counted functions: the counts
are those of the lowered program, before LLVM removes allocations.

Copies are counted while they are still memref.copy or bufferization.clone: before each,
a call reports its number of bytes and its op. A copy that is lowered to a loop is thus
counted as well. Calls before allocations report the allocating op.

A module compiled without count=True contains none of this.
"""

from __future__ import annotations

import ctypes
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from xdsl_bufferization.jit.engine import process_symbol

COUNT_COPY = "jit.count.copy"
COUNT_ALLOCATION = "jit.count.allocation"
_PREFIX = "jit.count."
_QUARANTINE_BYTES = 1 << 26
_FILL = 0xFF

_ALLOCATION_FUNCTIONS = {
    # symbol in the compiled code: method of Counter
    "malloc": "malloc",
    "aligned_alloc": "aligned_alloc",
    "free": "free",
    "_mlir_memref_to_llvm_alloc": "malloc",
    "_mlir_memref_to_llvm_aligned_alloc": "aligned_alloc",
    "_mlir_memref_to_llvm_free": "free",
}

_COUNTERS = ("copies", "bytes_copied", "ops")

GENERIC_FUNCTIONS = {
    # what lowerings with generic allocation functions call: the C library's function
    "_mlir_memref_to_llvm_alloc": "malloc",
    "_mlir_memref_to_llvm_aligned_alloc": "aligned_alloc",
    "_mlir_memref_to_llvm_free": "free",
}


@dataclass(frozen=True)
class Stats:
    """What a counted module has done since it was compiled or its counts were reset."""

    allocations: int
    frees: int
    """Valid ones, by the compiled code and by result arrays that are gone."""
    invalid_frees: int
    """Double frees, and frees of what these functions never allocated."""
    copies: int
    """memref.copy and bufferization.clone, each time one was executed."""
    bytes_copied: int
    bytes_allocated: int
    """As asked of the allocator: padding for alignment included."""
    live_bytes: int
    peak_bytes: int
    """The most there ever was of live_bytes."""
    returned_bytes: int
    """The part of live_bytes that result arrays own."""

    @property
    def leaked_bytes(self) -> int:
        """Live bytes that nothing will ever free. Meaningful between calls."""
        return self.live_bytes - self.returned_bytes


class OpCount(NamedTuple):
    """What one op has done since counts were reset."""

    times: int
    bytes: int


class Counter:
    """The allocator of a counted module. Any number of threads may call it.

    Args:
        ops: how many ops report, each under its number.
    """

    def __init__(self, ops: int) -> None:
        self._lock = threading.Lock()
        self._c_malloc = c_function("malloc", ctypes.c_void_p, ctypes.c_size_t)
        self._c_aligned = c_function(
            "aligned_alloc", ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t
        )
        self._c_free = c_function("free", None, ctypes.c_void_p)
        self._live: dict[int, int] = {}
        self._returned: set[int] = set()
        self._quarantine: OrderedDict[int, int] = OrderedDict()
        self._quarantine_bytes = 0
        self._released: deque[int] = deque()
        self._copies = ctypes.c_int64()
        self._bytes_copied = ctypes.c_int64()
        # Of each op: how often it was executed, and with how many bytes in all.
        self._ops = (ctypes.c_int64 * (2 * ops))()
        size_t, pointer = ctypes.c_size_t, ctypes.c_void_p
        self._callbacks: dict[str, Any] = {
            "malloc": ctypes.CFUNCTYPE(pointer, size_t)(self.malloc),
            "aligned_alloc": ctypes.CFUNCTYPE(pointer, size_t, size_t)(
                self.aligned_alloc
            ),
            "free": ctypes.CFUNCTYPE(None, pointer)(self.free),
        }
        self.reset()

    def reset(self) -> None:
        """Start counting again at zero; what is live stays live."""
        self._free_released()
        with self._lock:
            self._allocations = self._frees = self._invalid_frees = 0
            self._bytes_allocated = 0
            self._live_bytes = sum(self._live.values())
            self._peak_bytes = self._live_bytes
            self._copies.value = self._bytes_copied.value = 0
            ctypes.memset(self._ops, 0, ctypes.sizeof(self._ops))

    def malloc(self, size: int) -> int:
        return self._register(self._c_malloc(max(size, 1)), size)

    def aligned_alloc(self, alignment: int, size: int) -> int:
        return self._register(self._c_aligned(alignment, max(size, 1)), size)

    def _register(self, address: int | None, size: int) -> int:
        if not address:
            return 0
        ctypes.memset(address, _FILL, size)
        with self._lock:
            self._live[address] = size
            self._allocations += 1
            self._bytes_allocated += size
            self._live_bytes += size
            self._peak_bytes = max(self._peak_bytes, self._live_bytes)
        return address

    def free(self, address: int | None) -> None:
        if not address:
            return
        released: list[int] = []
        with self._lock:
            size = self._live.pop(address, None)
            if size is None:
                self._invalid_frees += 1
                return
            self._frees += 1
            self._live_bytes -= size
            self._returned.discard(address)
            self._quarantine[address] = size
            ctypes.memset(address, _FILL, size)
            self._quarantine_bytes += size
            while self._quarantine_bytes > _QUARANTINE_BYTES:
                oldest, its_size = self._quarantine.popitem(last=False)
                self._quarantine_bytes -= its_size
                released.append(oldest)
        for oldest in released:
            self._c_free(oldest)

    def hand_out(self, address: int) -> None:
        """Note that a result array owns this buffer from now on."""
        with self._lock:
            self._returned.add(address)

    def release(self, address: int) -> None:
        """Free a buffer that a result array owned.

        The garbage collector may ask for that at any moment, even in a thread that is
        counting: then the buffer is freed when that is done.
        """
        self._released.append(address)
        if self._lock.acquire(blocking=False):
            self._lock.release()
            self._free_released()

    def _free_released(self) -> None:
        while self._released:
            try:
                address = self._released.popleft()
            except IndexError:  # another thread was faster
                return
            self.free(address)

    def stats(self) -> Stats:
        self._free_released()
        with self._lock:
            return Stats(
                allocations=self._allocations,
                frees=self._frees,
                invalid_frees=self._invalid_frees,
                copies=self._copies.value,
                bytes_copied=self._bytes_copied.value,
                bytes_allocated=self._bytes_allocated,
                live_bytes=self._live_bytes,
                peak_bytes=self._peak_bytes,
                returned_bytes=sum(self._live.get(a, 0) for a in self._returned),
            )

    def op_counts(self) -> Sequence[OpCount]:
        """What each op that reports has done, by its number."""
        counts = list(self._ops)
        return [OpCount(*pair) for pair in zip(counts[::2], counts[1::2], strict=True)]

    def __del__(self) -> None:
        for address in self._quarantine:
            self._c_free(address)

    @staticmethod
    def renaming() -> Mapping[str, str]:
        """New names for the allocation functions, under which LLVM knows nothing of
        them and `imports` binds them."""
        return {name: _PREFIX + name for name in _ALLOCATION_FUNCTIONS}

    @staticmethod
    def symbols() -> set[str]:
        """The names of everything counted code refers to."""
        return {_PREFIX + name for name in (*_ALLOCATION_FUNCTIONS, *_COUNTERS)}

    def imports(self) -> dict[str, int]:
        """The addresses of everything counted code refers to."""
        addresses = {
            _PREFIX + name: address_of(self._callbacks[method])
            for name, method in _ALLOCATION_FUNCTIONS.items()
        }
        counters = (self._copies, self._bytes_copied, self._ops)
        for name, counter in zip(_COUNTERS, counters, strict=True):
            addresses[_PREFIX + name] = ctypes.addressof(counter)
        return addresses

    @staticmethod
    def definitions() -> str:
        """The LLVM IR of the functions that count copies and allocations."""
        return f"""
@{_PREFIX}copies = external global i64
@{_PREFIX}bytes_copied = external global i64
@{_PREFIX}ops = external global [0 x i64]
define void @{COUNT_COPY}(i64 %op, i64 %bytes) {{
  %1 = atomicrmw add ptr @{_PREFIX}copies, i64 1 monotonic
  %2 = atomicrmw add ptr @{_PREFIX}bytes_copied, i64 %bytes monotonic
  call void @{COUNT_ALLOCATION}(i64 %op, i64 %bytes)
  ret void
}}
define void @{COUNT_ALLOCATION}(i64 %op, i64 %bytes) {{
  %index = shl i64 %op, 1
  %times = getelementptr i64, ptr @{_PREFIX}ops, i64 %index
  %sum = getelementptr i64, ptr %times, i64 1
  %1 = atomicrmw add ptr %times, i64 1 monotonic
  %2 = atomicrmw add ptr %sum, i64 %bytes monotonic
  ret void
}}
"""


def c_function(name: str, result: Any, *parameters: Any) -> Callable[..., Any]:
    """A function of the C library that compiled code uses as well."""
    address = process_symbol(name)
    assert address is not None, f"the C library has no {name}"
    return ctypes.CFUNCTYPE(result, *parameters)(address)


def address_of(function: Any) -> int:
    """The address of a ctypes function."""
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return address
