"""Check many programs in several processes: a program that hangs or crashes is a finding.

Each worker gets one seed at a time. Before it starts, it asks faulthandler to end the
process after a time limit and to write down where it was, which works in native code as
well. A worker that ends, for this or any other reason, is replaced: its seed is a
finding, and no other is lost. A `Record` says which seeds are done and what was found; it
is kept in a file, from which a run resumes.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import signal
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

Task = Callable[[int], list[str]]
"""What goes wrong with the program of a seed. Workers receive it pickled."""

COLLECTION_THRESHOLD = 100_000
"""New objects before a garbage collection. A program makes tens of thousands, and all of
xDSL's dialects are searched in each collection: collecting less often saves 5 to 10 %."""
TICK = 0.5
"""Seconds after which `outcomes` yields although no program is done."""
INTERVAL = 10.0
"""Seconds between two saved records, and between two lines of progress in a file."""
LOST = "no result: "
"""How a finding starts that comes from a worker that ended."""
FRAMES = 15
"""How many lines of the stack of such a worker are shown, innermost first."""


class StateError(Exception):
    """A file of state that does not fit the run."""


@dataclass
class Record:
    """What is done of a run.

    Attributes:
        parameters: what the run checks; a record belongs to one run.
        seeds: the first seed, and the first one after the run.
        following: all seeds before this one are done.
        ahead: seeds done after `following`, which waits for a slow program.
        findings: what went wrong, by seed.
    """

    parameters: dict[str, int | str | None]
    seeds: tuple[int, int]
    following: int
    ahead: set[int] = field(default_factory=set[int])
    findings: dict[int, list[str]] = field(default_factory=dict[int, list[str]])

    @staticmethod
    def start(parameters: dict[str, int | str | None], first: int, count: int) -> Record:
        return Record(parameters, (first, first + count), first)

    @property
    def total(self) -> int:
        return self.seeds[1] - self.seeds[0]

    @property
    def done(self) -> int:
        return self.following - self.seeds[0] + len(self.ahead)

    def remaining(self) -> Iterator[int]:
        """The seeds that were not done when this was called."""
        ahead = frozenset(self.ahead)
        return (s for s in range(self.following, self.seeds[1]) if s not in ahead)

    def add(self, seed: int, found: list[str]) -> None:
        if found:
            self.findings[seed] = found
        self.ahead.add(seed)
        while self.following in self.ahead:
            self.ahead.remove(self.following)
            self.following += 1

    def save(self, path: Path) -> None:
        """Write the record in one step: a run that is killed leaves the one before."""
        content = {
            "parameters": self.parameters,
            "following": self.following,
            "ahead": sorted(self.ahead),
            "findings": [[s, found] for s, found in sorted(self.findings.items())],
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}")
        part.write_text(json.dumps(content, indent=1) + "\n")
        part.replace(path)

    def load(self, path: Path) -> None:
        """Continue the run that is written down in a file.

        Raises:
            StateError: the file is of a run with other parameters, or of none.
        """
        try:
            content = json.loads(path.read_text())
            parameters = content["parameters"]
            following = int(content["following"])
            ahead = {int(seed) for seed in content["ahead"]}
            findings = {
                int(s): [str(f) for f in found] for s, found in content["findings"]
            }
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StateError(f"{path} is not the state of a run: {error!r}") from error
        if parameters != self.parameters:
            raise StateError(
                f"{path} is the state of a run with {parameters}, not {self.parameters}"
            )
        self.following, self.ahead, self.findings = following, ahead, findings


class _Worker:
    """A process that checks one program after another, and its replacement if it ends."""

    def __init__(self, task: Task, limit: float, trace: Path) -> None:
        self._task, self._limit, self._trace = task, limit, trace
        self.seed = 0
        self._start()

    def _start(self) -> None:
        self._started = False
        context = get_context("spawn")
        self.connection, other = context.Pipe()
        self._process = context.Process(
            target=_serve,
            args=(other, self._task, self._limit, str(self._trace)),
            daemon=True,
        )
        # Ctrl-C reaches all processes of a terminal; the parent ends the others.
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self._process.start()
        finally:
            signal.signal(signal.SIGINT, handler)
        other.close()

    def check(self, seed: int) -> None:
        self.seed = seed
        # If it has ended already, `answer` finds that out.
        with suppress(OSError):
            self.connection.send(seed)

    def answer(self) -> list[str] | None:
        """Receive what was found; None if the worker has only told that it started."""
        try:
            found = self.connection.recv()
        except (EOFError, OSError):
            self._process.join()
            found = [LOST + self._reason()]
            if not self._started:
                raise RuntimeError("a worker did not start") from None
            self.connection.close()
            self._start()
            return found
        self._started = True
        return found

    def _reason(self) -> str:
        trace = self._trace.read_text() if self._trace.exists() else ""
        lines = trace.splitlines()[:FRAMES]
        if trace.startswith("Timeout"):
            return "\n".join([f"stopped after {self._limit:g} s", *lines[1:]])
        code = self._process.exitcode
        return "\n".join([f"the process ended with exit code {code}", *lines])

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self.connection.close()


def _serve(connection: Connection, task: Task, limit: float, trace: str) -> None:
    """Check the programs whose seeds are received, until there are no more."""
    gc.set_threshold(COLLECTION_THRESHOLD)
    with open(trace, "w") as file:
        faulthandler.enable(file)
        connection.send(None)
        while True:
            try:
                seed = connection.recv()
            except EOFError:
                return
            faulthandler.dump_traceback_later(limit, exit=True, file=file)
            found = task(seed)
            faulthandler.cancel_dump_traceback_later()
            connection.send(found)


def outcomes(
    task: Task, seeds: Iterator[int], jobs: int, limit: float
) -> Generator[tuple[int, list[str]] | None]:
    """Yield what goes wrong with each program, in the order in which they are done; and
    None now and then, so that the caller sees the time pass. A program that takes more
    than `limit` seconds, or ends its process, goes wrong. Closing the iterator ends the
    workers."""
    workers: dict[object, _Worker] = {}
    started: list[_Worker] = []
    with TemporaryDirectory() as directory:
        try:
            for number, seed in enumerate(islice(seeds, jobs)):
                worker = _Worker(task, limit, Path(directory, f"{number}.txt"))
                started.append(worker)
                worker.check(seed)
                workers[worker.connection] = worker
            while workers:
                ready = wait([worker.connection for worker in workers.values()], TICK)
                if not ready:
                    yield None
                for connection in ready:
                    worker = workers[connection]
                    done, found = worker.seed, worker.answer()
                    if found is None:
                        continue
                    del workers[connection]
                    following = next(seeds, None)
                    if following is not None:
                        worker.check(following)
                        workers[worker.connection] = worker
                    yield done, found
        finally:
            for worker in started:
                worker.end()


class Stop:
    """Whether the user has asked to stop."""

    requested = False


@contextmanager
def stoppable() -> Generator[Stop]:
    """Let Ctrl-C, and a request to terminate, ask to stop: nothing is interrupted."""
    stop = Stop()

    def request(*_: object) -> None:
        stop.requested = True

    before = {
        number: signal.signal(number, request)
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Progress:
    """How far a run is: on a terminal one line that changes, else a line now and then."""

    def __init__(self, record: Record, stream: TextIO) -> None:
        self._record, self._stream = record, stream
        self._terminal = stream.isatty()
        self._start = self._shown = time.monotonic()
        self._before = record.done

    def update(self) -> None:
        now = time.monotonic()
        if now - self._shown < (TICK if self._terminal else INTERVAL):
            return
        self._shown = now
        text = progress_line(self._record, self._before, now - self._start)
        self._stream.write(f"\r{text}\x1b[K" if self._terminal else f"{text}\n")
        self._stream.flush()

    def clear(self) -> None:
        """Make place for other output."""
        if self._terminal:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def progress_line(record: Record, before: int, seconds: float) -> str:
    """How far a run is that resumed with `before` programs done and then took so long."""
    rate = (record.done - before) / max(seconds, 1e-9)
    left = duration((record.total - record.done) / rate) if rate else "unknown time"
    return (
        f"{record.done:,} of {record.total:,} programs, {rate:.1f}/s, "
        f"{findings(record.findings)}, {left} left"
    )


def findings(found: dict[int, list[str]]) -> str:
    return "1 finding" if len(found) == 1 else f"{len(found)} findings"


def duration(seconds: float) -> str:
    hours, rest = divmod(round(seconds), 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}"


def run(
    task: Task,
    record: Record,
    *,
    jobs: int,
    limit: float,
    save: Callable[[], None],
    progress: Progress,
    show: Callable[[int, Sequence[str]], None],
) -> bool:
    """Check what remains of a run. Return whether it was completed, not stopped."""
    saved = time.monotonic()
    with stoppable() as stop:
        results = outcomes(task, record.remaining(), jobs, limit)
        try:
            for outcome in results:
                if outcome is not None:
                    record.add(*outcome)
                    if outcome[1]:
                        progress.clear()
                        show(*outcome)
                progress.update()
                if time.monotonic() - saved > INTERVAL:
                    save()
                    saved = time.monotonic()
                if stop.requested:
                    break
        finally:
            results.close()
            progress.clear()
            save()
    return record.done == record.total
