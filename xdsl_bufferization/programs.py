"""The setup that a pass needs before it works on a program."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from threading import local
from typing import Concatenate, ParamSpec, TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.dialects.adoption import adopt_ops
from xdsl_bufferization.large_programs import large_programs
from xdsl_bufferization.locations import locations_restored
from xdsl_bufferization.models import announce_models

Parameters = ParamSpec("Parameters")
RootT = TypeVar("RootT", bound=Operation)
ResultT = TypeVar("ResultT")


class _Prepared(local):
    """The programs that are being worked on, a thread at a time."""

    roots: tuple[Operation, ...] = ()


_prepared = _Prepared()


def parse_program(text: str, context: Context, name: str) -> ModuleOp:
    """Parse text into a module.

    Args:
        name: what errors call the text, such as the name of its file.

    Raises:
        ParseError: when the text is not MLIR of dialects that the context knows.
        PassFailedException: when the text has nothing but comments.
    """
    if not any(line.partition("//")[0].strip() for line in text.splitlines()):
        raise PassFailedException(f"{name}: the program is empty; expected MLIR text.")
    return Parser(context, text, name).parse_module()


@contextmanager
def program(root: Operation) -> Generator[None]:
    """Prepare for work on everything under `root`.

    Inside, interfaces find the models of this package, ops that passes of xDSL have built
    have the classes of this package, the process suits programs of any size, and the
    location of new ops is restored afterwards. Inside of a scope for the same op, only
    the last is done: the passes of a pipeline do not prepare its program again.
    """
    with locations_restored():
        if root in _prepared.roots:
            yield
            return
        before = _prepared.roots
        _prepared.roots = (*before, root)
        try:
            with large_programs():
                announce_models()
                adopt_ops(root)
                yield
        finally:
            _prepared.roots = before


def on_program(
    function: Callable[Concatenate[RootT, Parameters], ResultT],
) -> Callable[Concatenate[RootT, Parameters], ResultT]:
    """Run a function inside `program` of its first argument, the root of a program."""

    @wraps(function)
    def run(
        root: RootT, /, *arguments: Parameters.args, **options: Parameters.kwargs
    ) -> ResultT:
        with program(root):
            return function(root, *arguments, **options)

    return run
