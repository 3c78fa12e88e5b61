"""Signals whose handlers raise an exception while LLVM works."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from xdsl_bufferization import jit
from xdsl_bufferization.jit import engine
from xdsl_bufferization.jit.uninterrupted import uninterrupted

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="no such signals")


class Interrupted(Exception):
    pass


@pytest.fixture
def interrupt() -> Iterator[Callable[[], None]]:
    def handle(number: int, frame: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGUSR1, handle)
    yield lambda: os.kill(os.getpid(), signal.SIGUSR1)
    signal.signal(signal.SIGUSR1, before)


def test_exception_of_a_handler_does_not_end_the_work(
    interrupt: Callable[[], None],
) -> None:
    interrupted, finished = threading.Event(), threading.Event()

    @uninterrupted
    def work() -> None:
        interrupt()
        interrupted.wait(10)
        finished.set()

    with pytest.raises(Interrupted):
        work()
    assert not finished.is_set()
    interrupted.set()
    assert finished.wait(10)


def test_result_and_exception_of_the_work() -> None:
    @uninterrupted
    def divide(a: int, b: int = 1) -> int:
        return a // b

    assert divide(7, b=2) == 3
    with pytest.raises(ZeroDivisionError):
        divide(7, 0)


@pytest.mark.parametrize("name", ["parse_assembly", "create_pass_builder", "Target"])
def test_llvm_works_where_no_signal_interrupts_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    llvm: Any = engine._llvm  # pyright: ignore[reportPrivateUsage]
    wanted = getattr(llvm, name)
    used: list[bool] = []

    class Watched:
        def __getattr__(self, attribute: str) -> Any:
            if attribute == name:
                used.append(threading.current_thread() is threading.main_thread())
                return wanted
            return getattr(llvm, attribute)

    monkeypatch.setattr(engine, "_llvm", Watched())
    engine._target_machine.cache_clear()  # pyright: ignore[reportPrivateUsage]
    module = jit.compile("func.func @main(%x: i32) -> i32 { return %x : i32 }")
    assert module.main(3) == 3
    assert "ret i32" in module.llvm_ir
    assert used
    assert not any(used)


def test_process_ends_after_an_exception_at_any_place() -> None:
    """While LLVM works, too."""
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == "interrupted\n"


INTERRUPTED = """
import signal
import subprocess
import sys
from xdsl_bufferization.jit.engine import LLVMModule

signal.signal(signal.SIGALRM, signal.default_int_handler)
interrupted = 0
for attempt in range(300):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.0001 + 0.00002 * attempt)
        module = LLVMModule("define i32 @f(i32 %x) { ret i32 %x }")
        module.optimise(2)
        module.emit_object(2)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        interrupted += 1
assert interrupted > 0
print("interrupted")
"""
