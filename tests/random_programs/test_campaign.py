"""Many programs side by side: a time limit, progress, and how a run is resumed."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.random_programs.campaign import (
    LOST,
    Progress,
    Record,
    StateError,
    duration,
    outcomes,
    progress_line,
    run,
)

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
HANGS, CRASHES, FAILS = 2, 3, 4


def outcome(seed: int) -> list[str]:
    """A task: three of its programs are bad."""
    if seed == HANGS:
        time.sleep(600)
    if seed == CRASHES:
        os.abort()
    return ["a fault"] if seed == FAILS else []


def record_of(count: int) -> Record:
    return Record.start({"seed": 0, "count": count}, 0, count)


def command(*options: str) -> list[str]:
    return [sys.executable, "-m", "tests.random_programs", *options]


def run_command(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*options),
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_programs_that_hang_crash_or_fail_are_findings_and_no_other_is_lost() -> None:
    found = dict(o for o in outcomes(outcome, iter(range(7)), 2, 5.0) if o is not None)
    assert sorted(found) == list(range(7))
    assert {seed for seed in found if found[seed]} == {HANGS, CRASHES, FAILS}
    assert found[FAILS] == ["a fault"]
    (hung,), (crashed,) = found[HANGS], found[CRASHES]
    assert hung.startswith(f"{LOST}stopped after 5 s") and "in outcome" in hung
    assert crashed.startswith(f"{LOST}the process ended with exit code -6")
    assert "in outcome" in crashed


def test_a_run_saves_and_shows_what_it_finds() -> None:
    record, saved, shown = record_of(6), list[int](), list[int]()
    record.add(HANGS, [])
    record.add(CRASHES, [])
    complete = run(
        outcome,
        record,
        jobs=1,
        limit=60.0,
        save=lambda: saved.append(record.done),
        progress=Progress(record, io.StringIO()),
        show=lambda seed, found: shown.append(seed),
    )
    assert complete
    assert saved[-1] == 6
    assert shown == [FAILS]
    assert record.findings == {FAILS: ["a fault"]}


def test_a_record_resumes_with_what_is_not_done(tmp_path: Path) -> None:
    path, record = tmp_path / "folder" / "state.json", record_of(6)
    record.add(0, [])
    record.add(2, ["bad"])
    record.save(path)
    resumed = record_of(6)
    resumed.load(path)
    assert resumed == record
    assert list(resumed.remaining()) == [1, 3, 4, 5]
    assert [p.name for p in path.parent.iterdir()] == ["state.json"]


def test_a_record_of_other_parameters_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    record_of(6).save(path)
    with pytest.raises(StateError, match="state of a run with"):
        record_of(7).load(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"parameters": {}, "following": []}'])
def test_a_broken_record_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "state.json"
    path.write_text(text)
    with pytest.raises(StateError, match="is not the state of a run"):
        record_of(6).load(path)


def test_progress_names_rate_findings_and_time_left() -> None:
    record = record_of(5000)
    for seed in range(1500):
        record.add(seed, ["bad"] if seed == 7 else [])
    assert progress_line(record, 500, 100.0) == (
        "1,500 of 5,000 programs, 10.0/s, 1 finding, 0:05:50 left"
    )
    assert progress_line(record, 1500, 1.0).endswith(
        "0.0/s, 1 finding, unknown time left"
    )
    assert duration(3661) == "1:01:01"


def test_progress_on_a_terminal_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    clock = iter([0.0, 0.1, 1.0, 2.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    record, stream = record_of(4), Terminal()
    progress = Progress(record, stream)
    progress.update()
    assert stream.getvalue() == ""
    record.add(0, [])
    progress.update()
    record.add(1, [])
    progress.update()
    lines = stream.getvalue().split("\r")
    assert [line.partition(" programs")[0] for line in lines] == ["", "1 of 4", "2 of 4"]
    assert "\n" not in stream.getvalue()


def test_a_stopped_command_resumes(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    options = ("--seed", "0", "--count", "100000", "--check", "analysis", "--jobs", "1")
    with subprocess.Popen(
        command(*options, "--state", str(state)),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        # As a terminal does: to the workers, too.
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=300)
    assert " of 100,000 programs, " in first and " left" in first
    assert "Traceback" not in errors
    assert process.returncode == 130
    summary, stopped = output.splitlines()[-2:]
    assert " of 100,000 programs, 0 findings, 0:0" in summary
    assert stopped == f"stopped; the same command resumes, from {state}"

    other = run_command("--seed", "1", *options[2:], "--state", str(state))
    assert other.returncode == 2
    assert "pass --restart" in other.stderr


def test_a_command_that_is_run_again_does_what_remains(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    record = Record.start(
        {"check": "analysis", "profile": None, "seed": 0, "count": 12}, 0, 12
    )
    for seed in range(9):
        record.add(seed, ["seen before"] if seed == 5 else [])
    record.save(state)
    options = ("--seed", "0", "--count", "12", "--check", "analysis")
    done = run_command(*options, "--state", str(state))
    assert done.returncode == 1
    assert "resuming from" in done.stderr
    assert done.stdout.startswith("seed 5:\nseen before\n12 of 12 programs, 1 finding ")
    again = run_command(*options, "--state", str(state))
    assert again.returncode == 0, "a complete run starts over"
