"""The kit as a pytest plugin, which pytest finds automatically if the package is
installed.

In a test module, an OpCase whose name begins with `test` is a test:

    test_axpy = OpCase(...)

and `check_bufferization` is a fixture that checks a case. A project that uses neither
is not affected: this module imports only pytest until it finds one of the two.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from xdsl_bufferization.testing.case import OpCase


@pytest.fixture
def check_bufferization() -> Callable[[OpCase], None]:
    """A function that fails the test unless the model of an op passes the kit."""
    from xdsl_bufferization.testing.check import assert_model

    return assert_model


def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> pytest.Item | None:
    """Collect a case as a test, by the names that tests have in this project."""
    if f"{type(obj).__module__}.{type(obj).__qualname__}" != _CASE:
        return None
    if not collector.funcnamefilter(name):
        return None
    item: Any = ModelItem.from_parent(collector, name=name)  # pyright: ignore[reportUnknownMemberType]
    item.case = obj
    return item


_CASE = "xdsl_bufferization.testing.case.OpCase"


class ModelItem(pytest.Item):
    """The test that the model of an op passes the kit."""

    case: OpCase

    def runtest(self) -> None:
        from xdsl_bufferization.testing.check import assert_model

        assert_model(self.case)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None
    ) -> Any:
        """The wrong answers and the programs that show them, without a traceback."""
        if isinstance(excinfo.value, AssertionError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name
