"""Re-classing ops that xDSL's own passes have built.

Where this package refines an op of xDSL, a program that was parsed has the refined class,
but xDSL's passes build the class they know: tiling builds its tensor.extract_slice,
empty-tensor-to-alloc-tensor its bufferization.alloc_tensor. Both have the same fields, so
that such an op becomes ours by changing its class. Passes of this package do so before
they look at a program, and may then recognise ops by their class.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from xdsl.ir import Dialect, Operation

from xdsl_bufferization.dialects.op_lists import list_ops


def adopt_ops(root: Operation) -> None:
    """Let every op inside `root` that this package refines have the refined class."""
    for op in list_ops(root):
        refined = _refinement(type(op))
        if refined is not None:
            op.__class__ = refined


@cache
def _refinement(cls: type[Operation]) -> type[Operation] | None:
    """The class of this package for one of xDSL's, if there is another."""
    if not cls.__module__.startswith("xdsl.dialects."):
        return None
    try:
        module = import_module(f"{__package__}.{cls.name.partition('.')[0]}")
    except ModuleNotFoundError:
        return None
    for value in vars(module).values():
        if isinstance(value, Dialect):
            for ours in value.operations:
                if ours.name == cls.name and ours is not cls and issubclass(ours, cls):
                    return ours
    return None
