"""Control flow of linalg: the bodies of structured ops end in a yield."""

from __future__ import annotations

from xdsl_bufferization.interfaces.region_branch import ReturnLike
from xdsl_bufferization.interfaces.table import attach


def register() -> None:
    attach("linalg.yield", ReturnLike())
