"""How the ops of each dialect implement the interfaces (MLIR's "external models").

There is one package per dialect, with up to four modules: `bufferization`,
`control_flow` (regions, branches, calls, loops, effects), `deallocation`
(ownership-based deallocation) and `runtime_verification` (run-time requirements). Each
has a function `register()` that attaches its models. Other modules support these.

The modules of a dialect are imported when one of its ops is first looked up. Passes
call `announce_models()` before they query any interface.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from xdsl_bufferization.interfaces.table import attach_lazily

_MODELS = {
    "affine": ("control_flow",),
    "arith": ("bufferization", "control_flow", "deallocation"),
    "bufferization": ("bufferization", "control_flow"),
    "cf": ("bufferization", "control_flow", "deallocation"),
    "func": ("bufferization", "control_flow", "deallocation"),
    "linalg": ("bufferization", "control_flow"),
    "memref": ("control_flow",),
    "ml_program": ("bufferization",),
    "scf": ("bufferization", "control_flow", "deallocation"),
    "tensor": ("bufferization",),
    "vector": ("bufferization",),
}

_RUNTIME_VERIFIED = (
    "affine",
    "bufferization",
    "linalg",
    "memref",
    "scf",
    "tensor",
    "vector",
)
"""The dialects with models that only generate-runtime-verification asks."""


@cache
def announce_models() -> None:
    """Tell the interface tables where the models of this package are. Idempotent."""
    for dialect, modules in _MODELS.items():
        for module in modules:
            attach_lazily(dialect, _register(dialect, module))


@cache
def announce_runtime_verification() -> None:
    """Tell where the models of RuntimeVerifiableOpInterface are. Idempotent."""
    for dialect in _RUNTIME_VERIFIED:
        attach_lazily(dialect, _register(dialect, "runtime_verification"))


def _register(dialect: str, module: str) -> Callable[[], None]:
    def register() -> None:
        import_module(f"xdsl_bufferization.models.{dialect}.{module}").register()

    return register
