"""How the ops of each dialect implement the interfaces (MLIR's "external models").

One module a dialect, each with a function `register()` that attaches its models. A module
is imported when an op of its dialect is first looked up. Passes call `announce_models()`
before they ask any interface.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from xdsl_bufferization.interfaces.table import attach_lazily

_MODELS = (
    # dialect of the ops, module under xdsl_bufferization.models
    ("arith", "arith"),
    ("bufferization", "bufferization"),
    ("cf", "cf"),
    ("func", "func"),
    ("linalg", "linalg"),
    ("ml_program", "ml_program"),
    ("scf", "scf"),
    ("tensor", "tensor"),
    ("vector", "vector"),
    ("affine", "control_flow.affine"),
    ("arith", "control_flow.arith"),
    ("bufferization", "control_flow.bufferization"),
    ("cf", "control_flow.cf"),
    ("func", "control_flow.func"),
    ("linalg", "control_flow.linalg"),
    ("memref", "control_flow.memref"),
    ("scf", "control_flow.scf"),
    ("arith", "buffer_deallocation.arith"),
    ("cf", "buffer_deallocation.cf"),
    ("func", "buffer_deallocation.func"),
    ("scf", "buffer_deallocation.scf"),
)

_RUNTIME_VERIFICATION = (
    # the same, for the models that only generate-runtime-verification asks
    ("affine", "runtime_verification.affine"),
    ("bufferization", "runtime_verification.bufferization"),
    ("linalg", "runtime_verification.linalg"),
    ("memref", "runtime_verification.memref"),
    ("scf", "runtime_verification.scf"),
    ("tensor", "runtime_verification.tensor"),
    ("vector", "runtime_verification.vector"),
)


@cache
def announce_models() -> None:
    """Tell the interface tables where the models of this package are. Idempotent."""
    for dialect, module in _MODELS:
        attach_lazily(dialect, _register(module))


@cache
def announce_runtime_verification() -> None:
    """Tell where the models of RuntimeVerifiableOpInterface are. Idempotent."""
    for dialect, module in _RUNTIME_VERIFICATION:
        attach_lazily(dialect, _register(module))


def _register(module: str) -> Callable[[], None]:
    def register() -> None:
        import_module(f"xdsl_bufferization.models.{module}").register()

    return register
