"""The base class of all passes here: xDSL's ModulePass, with MLIR's option syntax.

xDSL reads ``{flag}`` as "no value given" and rejects it for a boolean option; mlir-opt
reads it as true. Pipelines written for mlir-opt use the bare form throughout, so it is
accepted here, as are ``{flag=1}``, ``{flag=TRUE}`` and the other spellings of LLVM's
command line. A wrong option causes a diagnostic that lists the existing options, and a
wrong value one that lists the permitted values. A pass of this package also sees ops of
this package's classes, whichever pass has built them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import wraps
from importlib import import_module
from typing import Any, ClassVar, Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass as XDSLModulePass
from xdsl.utils.arg_spec import ArgSpec
from xdsl.utils.exceptions import (
    DiagnosticException,
    PassFailedException,
    VerifyException,
)

from xdsl_bufferization.error_positions import begin_with_position
from xdsl_bufferization.guest import is_in_use, take_over
from xdsl_bufferization.pass_options import check_options, read_options
from xdsl_bufferization.programs import program
from xdsl_bufferization.records import record
from xdsl_bufferization.remarks.active import running


@record
class Counterpart:
    """A pass of xDSL that has the name of one here."""

    module: str
    """The module of xdsl.transforms."""
    name: str
    """The name of its class."""
    lowers: str
    """The dialect that the pass removes."""

    def completes(self, ctx: Context, op: ModuleOp) -> bool:
        """Run xDSL's pass. Return whether it did all there is to do; if it did not, or
        failed, the program is as before."""
        pass_class = getattr(import_module(f"xdsl.transforms.{self.module}"), self.name)
        before = op.clone()
        try:
            pass_class().apply(ctx, op)
            op.verify()
        except Exception:  # whatever it fails with, the pass here takes its place
            completed = False
        else:
            prefix = f"{self.lowers}."
            completed = not any(inner.name.startswith(prefix) for inner in op.walk())
        if not completed:
            op.detach_region(0)
            op.add_region(before.detach_region(0))
        return completed


def _demand_valid(name: str, op: ModuleOp, error: BaseException) -> None:
    """Demand that a program which a pass failed on is valid, unless the error is a
    diagnostic: nothing has verified what passes and models of others have built.

    Raises:
        PassFailedException: when it is not.
    """
    if isinstance(error, (DiagnosticException, VerifyException)):
        return
    try:
        op.verify()
    except Exception as why:  # whatever is wrong with it
        raise PassFailedException(
            f"{name} failed ({type(error).__name__}), and the program is not valid: {why}"
        ) from error


@dataclasses.dataclass(frozen=True)
class ModulePass(XDSLModulePass):
    """A pass whose options are read as mlir-opt reads them (pass_options.py).

    Raises:
        PassFailedException: when an option is unknown or cannot have the value given.
    """

    counterpart: ClassVar[Counterpart | None] = None
    """The pass of xDSL that runs instead, without options, in commands that use nothing
    else of this package: their output stays what it was before it was installed."""

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if (apply := vars(cls).get("apply")) is not None:

            @wraps(apply)
            def prepare_and_apply(self: Self, ctx: Context, op: ModuleOp) -> None:
                if not is_in_use() and self == type(self)():
                    theirs = self.counterpart
                    if theirs is not None and theirs.completes(ctx, op):
                        return
                take_over()
                try:
                    with program(op), running(self.name, op):
                        apply(self, ctx, op)
                except DiagnosticException as error:
                    if error.__cause__ is not None:
                        # xDSL's pattern rewriter, say, shows where it failed.
                        _demand_valid(self.name, op, error.__cause__)
                    begin_with_position(error)
                    raise
                except Exception as error:
                    _demand_valid(self.name, op, error)
                    raise

            cls.apply = prepare_and_apply

    def __post_init__(self) -> None:
        check_options(self)

    def expand(self) -> Sequence[XDSLModulePass]:
        """Return the passes that this pass runs: itself, unless it is a pipeline."""
        return (self,)

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        try:
            parameters = read_options(cls, spec.normalize_parameter_names().parameters)
            return super().from_spec(ArgSpec(spec.name, parameters))
        except ValueError as error:
            take_over()  # the command ends with a message of this package
            raise PassFailedException(f"{spec.name}: {error}") from None
        except PassFailedException:
            take_over()
            raise
