"""Commands that use only xDSL print the same as without this package.

The package refines ops that xDSL defines: it prints forms that xDSL lacks, states memory
effects, and verifies what MLIR verifies. All of this would change what xDSL's commands
print. Visible refinements are therefore deferred until a command uses a feature that
xDSL alone lacks: a pass or target of this package, a form that only this package
parses, or `canonicalize`, which this package completes. `take_over` then activates them
for the rest of the process.

Ops that MLIR rejects but xDSL accepts stay accepted in programs that MLIR cannot parse
anyway, which use dialects that only xDSL has: for example, its lowerings to Cerebras
CSL create such ops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary

from xdsl.ir import Dialect, Operation
from xdsl.ir.core import OpTraits
from xdsl.irdl import IRDLOperation
from xdsl.traits import HasCanonicalizationPatternsTrait, MemoryEffect, OpTrait
from xdsl.utils.exceptions import VerifyException

# fmt: off
MLIR_DIALECTS = frozenset(
    (
        "acc", "affine", "amdgpu", "amx", "arith", "arm_neon", "arm_sme", "arm_sve",
        "async", "bufferization", "builtin", "cf", "complex", "dlti", "emitc", "func",
        "gpu", "index", "irdl", "linalg", "llvm", "math", "memref", "ml_program",
        "mpi", "nvgpu", "nvvm", "omp", "pdl", "pdl_interp", "ptr", "quant", "rocdl",
        "scf", "shape", "shard", "smt", "sparse_tensor", "spirv", "tensor", "tosa",
        "transform", "ub", "vcix", "vector", "wasmssa", "x86vector", "xegpu", "xevm",
    )
)
# fmt: on
"""The dialects of MLIR 22."""

_SHOWN = (MemoryEffect, HasCanonicalizationPatternsTrait)
"""The traits that commands of xDSL show."""

_in_use = False
_waiting: list[Callable[[], None]] = []
_own_traits: dict[type[Operation], OpTraits] = {}
_readable_by_mlir: WeakKeyDictionary[Operation, bool] = WeakKeyDictionary()


def is_in_use() -> bool:
    """Return whether something that xDSL alone lacks has been used in this process."""
    return _in_use


def take_over() -> None:
    """Let the refinements show that have waited so far, and all later ones at once."""
    global _in_use
    _in_use = True
    while _waiting:
        _waiting.pop()()
    _own_traits.clear()


def own_traits(cls: type[Operation]) -> OpTraits:
    """Return the traits that an op has in this package, which may still wait."""
    return _own_traits.get(cls, cls.traits)


def delay_refinements(dialect: Dialect) -> None:
    """Let what the dialect's ops add to xDSL's, and xDSL's commands would show, wait.

    An op that xDSL lacks or prints in generic form is printed so. Its memory effects,
    from which dead code elimination follows, and its canonicalizations are xDSL's.
    """
    if _in_use:
        return
    originals = {op.name: op for op in _dialect_of_xdsl(dialect.name)}
    for cls in dialect.operations:
        original = originals.get(cls.name)
        if original is cls:
            continue
        form = Operation.print if original is None else original.print
        if form is Operation.print and cls.print is not form:
            _delay(cls, "print", form)
            _take_over_when_parsed(cls)
        _own_traits[cls] = cls.traits
        _delay(cls, "traits", _with_shown_traits_of(original, cls.traits))


def accepts_like_xdsl(
    refined: type[IRDLOperation] | None, verify: Callable[[Any], None]
) -> Callable[[Any], None]:
    """Return `verify`, with the leniency for programs that MLIR cannot read.

    Raises what `verify` raises, unless the definition of xDSL, `refined`, accepts the op.
    Of an op that refines none, the constraints of its fields are all that remains.
    """

    def verify_op(self: Any) -> None:
        try:
            verify(self)
        except VerifyException:
            if _in_use or _can_mlir_read(self):
                raise
            if refined is not None:
                refined.verify_(self)

    return verify_op


def _dialect_of_xdsl(name: str) -> Iterable[type[Operation]]:
    try:
        module = import_module(f"xdsl.dialects.{name}")
    except ModuleNotFoundError:
        return ()
    dialects = (value for value in vars(module).values() if isinstance(value, Dialect))
    return next((d.operations for d in dialects if d.name == name), ())


def _with_shown_traits_of(original: type[Operation] | None, own: OpTraits) -> OpTraits:
    """The traits of an op are made on first use, because they may refer to other ops."""

    def traits() -> tuple[OpTrait, ...]:
        theirs = () if original is None else original.traits
        return (
            *(trait for trait in own if not isinstance(trait, _SHOWN)),
            *(trait for trait in theirs if isinstance(trait, _SHOWN)),
        )

    return OpTraits(traits)


def _delay(cls: type[Operation], attribute: str, until_then: Any) -> None:
    value = getattr(cls, attribute)
    _waiting.append(lambda: setattr(cls, attribute, value))
    setattr(cls, attribute, until_then)


def _take_over_when_parsed(cls: type[Operation]) -> None:
    parse = cls.parse.__func__

    def parse_own_form(cls: Any, parser: Any) -> Operation:
        take_over()
        return parse(cls, parser)

    cls.parse = classmethod(parse_own_form)  # pyright: ignore[reportAttributeAccessIssue]


def _can_mlir_read(op: Operation) -> bool:
    root = op.get_toplevel_object()
    if not isinstance(root, Operation):
        return True
    known = _readable_by_mlir.get(root)
    if known is None:
        known = all(o.name.partition(".")[0] in MLIR_DIALECTS for o in root.walk())
        _readable_by_mlir[root] = known
    return known
