"""Options and marks of the whole test suite.

Tests marked `oracle` ask mlir-opt 22 (see tests/oracle/location.py for where it is
found). Without it they are skipped, and the summary says so; with `--require-mlir-opt`
that is an error.

Files marked `long` begin first: `make pytest` gives each process one file at a time, and
at the end no process should wait for another.
"""

from __future__ import annotations

import gc
import os

import pytest
from hypothesis import settings

from tests.oracle.location import missing_oracle
from xdsl_bufferization.guest import take_over

SEED = "3000000"
"""Where fresh random programs begin, if XDSL_RANDOM_SEED does not say."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--require-mlir-opt",
        action="store_true",
        help="fail rather than skip when tests against mlir-opt cannot run",
    )


def pytest_configure(config: pytest.Config) -> None:
    # What tests run in this process is a use of the package; tests of what xDSL's own
    # commands print start processes of their own.
    take_over()
    # The processes of a run must collect the same tests, and a run that is repeated must
    # say the same: new programs are for `make fuzz`, or for a seed that is given.
    seed = os.environ.setdefault("XDSL_RANDOM_SEED", SEED)
    settings.register_profile("same", derandomize=seed == SEED)
    settings.load_profile("same")
    config.addinivalue_line("markers", "oracle: asks mlir-opt 22")
    config.addinivalue_line(
        "markers", "long: begins first, so that no process waits for it"
    )
    reason = missing_oracle()
    if reason is not None and config.getoption("--require-mlir-opt"):
        raise pytest.UsageError(f"--require-mlir-opt: {reason}")


def pytest_report_header() -> str:
    return f"random programs: XDSL_RANDOM_SEED={os.environ['XDSL_RANDOM_SEED']}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    reason = missing_oracle()
    if reason is None:
        return
    for item in items:
        if item.get_closest_marker("oracle") is not None:
            item.add_marker(pytest.mark.skip(reason=reason))


def pytest_collection_finish() -> None:
    # IR is full of cycles: what lives as long as the process need not be searched for
    # garbage again and again, nor what is new that often.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    required = session.config.getoption("--require-mlir-opt") and reporter is not None
    if required and exitstatus == pytest.ExitCode.OK and _skipped_comparisons(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = _skipped_comparisons(terminalreporter)
    if skipped:
        terminalreporter.write_sep(
            "=", f"{len(skipped)} comparisons with mlir-opt SKIPPED", yellow=True
        )
        terminalreporter.write_line(missing_oracle() or "skipped by the tests themselves")


def _skipped_comparisons(reporter: pytest.TerminalReporter) -> list[pytest.TestReport]:
    skipped = reporter.getreports("skipped")
    # Of a module that is skipped as a whole there is a report without keywords.
    return [report for report in skipped if "oracle" in getattr(report, "keywords", ())]
