"""The kit as a pytest plugin.

In conftest.py: `pytest_plugins = ["xdsl_bufferization.testing.plugin"]`.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from xdsl_bufferization.testing.case import OpCase
from xdsl_bufferization.testing.check import assert_model


@pytest.fixture
def check_bufferization() -> Callable[[OpCase], None]:
    """A function that fails the test unless the model of an op passes the kit."""
    return assert_model
