"""How op definitions of xDSL are refined, and what the refinements share.

Other passes recognise an op by its class, so an op that xDSL defines too narrowly is not
defined again here but refined: a subclass that says only what differs.

    @refined_op_definition
    class LoadOp(memref.LoadOp):
        alignment = opt_prop_def(IntegerAttr)

Everything the subclass does not mention (operands, results, regions, properties, options,
traits, syntax) stays as xDSL has it, and its static methods that build an op, such as
`memref.DeallocOp.get`, build one of the subclass. What it does mention replaces the field
of the same name in its place; a new field comes after the old ones. `traits` replaces all
traits. Defining `verify_` replaces the verifier: the subclass checks everything beyond
its fields' constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from importlib import import_module
from inspect import getclosurevars
from typing import Any, TypeVar, cast

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, OpDef
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import HasCanonicalizationPatternsTrait, MemoryEffect, OpTrait

from xdsl_bufferization.dialects.lazy_formats import get_accessors
from xdsl_bufferization.guest import accepts_like_xdsl
from xdsl_bufferization.records import record

OpT = TypeVar("OpT", bound=type[IRDLOperation])
OperationT = TypeVar("OperationT", bound=Operation)
DefT = TypeVar("DefT")


def refined_op_definition(cls: OpT) -> OpT:
    """Completes the class of an op that refines that of its first base class."""
    original = cast(type[IRDLOperation], cls.__bases__[0])
    refined = original.get_irdl_definition()
    stated = _stated_definition(cls)
    body = vars(cls)
    if "assembly_format" in body or "parse" in body:
        assembly_format, directives = stated.assembly_format, stated.custom_directives
    else:
        assembly_format, directives = refined.assembly_format, refined.custom_directives
    definition = OpDef(
        cls.name,
        operands=_overridden(refined.operands, stated.operands),
        results=_overridden(refined.results, stated.results),
        properties=refined.properties | stated.properties,
        attributes=refined.attributes | stated.attributes,
        regions=_overridden(refined.regions, stated.regions),
        successors=_overridden(refined.successors, stated.successors),
        options=_combined_options(refined, stated),
        traits=stated.traits if "traits" in body else refined.traits,
        accessor_names=refined.accessor_names | stated.accessor_names,
        assembly_format=assembly_format,
        custom_directives=directives | stated.custom_directives,
    )
    _inherit_constructors(cls, original)
    verify = body.get("verify_")
    if verify is None:
        return _completed(cls, definition, verifier_beyond_fields(original))
    return _completed(cls, definition, accepts_like_xdsl(original, verify))


def verifier_beyond_fields(cls: type[IRDLOperation]) -> Any:
    """Return what an op's definition checks beyond the constraints of its fields.

    xDSL keeps it in the verifier that it makes of both.
    """
    return getclosurevars(cls.verify_).nonlocals.get("custom_verify")


def standalone_op_definition(cls: OpT) -> OpT:
    """Completes the class of an op that states all of its fields itself and has only
    methods from its bases, which may be ops of xDSL that it stands in for."""
    check = getattr(cls, "check", None)
    verify = None if check is None else accepts_like_xdsl(None, check)
    return _completed(cls, _stated_definition(cls), verify)


def _stated_definition(cls: type[IRDLOperation]) -> OpDef:
    """What a class itself states, without its bases."""
    body = {
        name: value
        for name, value in vars(cls).items()
        if name not in ("__dict__", "__weakref__")
    }
    alone = type(cls.__name__, (IRDLOperation,), {**body, "name": cls.name})
    return OpDef.from_pyrdl(alone)


def _completed(cls: OpT, definition: OpDef, verify: Any) -> OpT:
    for name, value in get_accessors(definition, verify).items():
        setattr(cls, name, value)
    return cls


def _inherit_constructors(cls: type[IRDLOperation], original: type) -> None:
    """Let static methods of `original` that build an op of it build one of `cls`."""
    for name, method in vars(original).items():
        if isinstance(method, staticmethod) and name not in vars(cls):
            setattr(cls, name, staticmethod(_building(cls, original, method.__func__)))


def _building(
    cls: type[IRDLOperation], original: type, method: Callable[..., Any]
) -> Callable[..., Any]:
    @wraps(method)
    def build(*args: Any, **kwargs: Any) -> Any:
        built = method(*args, **kwargs)
        if type(built) is original:
            built.__class__ = cls
        return built

    return build


def _overridden(
    inherited: Sequence[tuple[str, DefT]], stated: Sequence[tuple[str, DefT]]
) -> list[tuple[str, DefT]]:
    fields = dict(inherited)
    fields.update(stated)
    return list(fields.items())


def _combined_options(refined: OpDef, stated: OpDef):
    given = {type(option) for option in stated.options}
    return [
        *(option for option in refined.options if type(option) not in given),
        *stated.options,
    ]


def verify_also(cls: type[OperationT], check: Callable[[OperationT], None]) -> None:
    """Let the verification of an op of xDSL, which no subclass refines, check more.

    The check must not rely on what the op's own verifier checks beyond its fields.
    """
    cls.traits.add_trait(_VerifiedBy(accepts_like_xdsl(None, check)))


@record
class _VerifiedBy(OpTrait):
    check: Callable[[Any], None]

    def verify(self, op: Operation) -> None:
        self.check(op)


class EffectsOfBody(MemoryEffect):
    """Memory effects that are those of a body, and more."""

    @classmethod
    def writes_buffer(cls, op: Operation) -> bool:
        """Whether the op writes a buffer besides what its body does, which is cheap to
        know."""
        raise NotImplementedError


@record
class CanonicalizedBy(HasCanonicalizationPatternsTrait):
    """The op's canonicalizations are in a table of transforms.canonicalization_patterns,
    loaded when the op is first canonicalized."""

    module: str

    def get_patterns(self, op: type[Operation]) -> tuple[RewritePattern, ...]:
        return _patterns(self.module, op.name)

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return ()


def load_patterns(module: str) -> Mapping[str, Sequence[Any]]:
    """The canonicalizations in a module, by op name (`tables.Table`)."""
    return import_module(f"{_CANONICALIZATIONS}.{module}").PATTERNS


_CANONICALIZATIONS = "xdsl_bufferization.transforms.canonicalization_patterns"


@cache
def _patterns(module: str, op_name: str) -> tuple[RewritePattern, ...]:
    as_pattern = import_module(f"{_CANONICALIZATIONS}.adapters").as_pattern
    return tuple(map(as_pattern, load_patterns(module)[op_name]))
