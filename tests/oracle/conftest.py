"""Runs the comparisons of one test function together, those that were selected."""

from __future__ import annotations

import pytest

from tests.oracle.harness import Comparison


def pytest_collection_finish(session: pytest.Session) -> None:
    for item in session.items:
        callspec = getattr(item, "callspec", None)
        if callspec is not None:
            comparison = callspec.params.get("comparison")
            if isinstance(comparison, Comparison):
                comparison.selected = True


@pytest.fixture
def comparison(request: pytest.FixtureRequest) -> Comparison:
    """One program through mlir-opt and through this package."""
    given: Comparison = request.param
    given.run()
    return given
