"""The table that attaches interfaces to op classes.

An *interface* is a question asked of an op ("which operands are written in place?"), a
*model* is an object that answers it for one kind of op: its methods take the op first.
`attach(OpClass, Model())` binds a model to an op class from outside, as MLIR's external
models do; a user-defined op class can instead have the model among its traits.

Look-up goes by class first (subclasses included), then by the traits of the class, then
by op name, because one op may exist as two classes of the same name: xDSL's own passes
build xDSL's class where the parser builds ours. The answers of models of other packages
are checked (`checked_models`).

The models of this package are imported when an op of their dialect is first looked up:
`models/__init__.py` announces them with `attach_lazily`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Generic, Protocol, TypeVar, cast

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation

from xdsl_bufferization.interfaces.checked_models import checked

InterfaceT = TypeVar("InterfaceT")

_TABLES: list[InterfaceTable[Any]] = []
_ATTACHED: list[tuple[type[Operation] | str, object]] = []
_LAZY_MODELS: dict[str, list[Callable[[], None]]] = {}


class InterfaceTable(Generic[InterfaceT]):
    """The models of one interface, found by op in one dictionary access.

    Args:
        interface: a runtime-checkable protocol; an object that has its methods is a
            model of it.
    """

    def __init__(self, interface: type[InterfaceT]):
        self.interface = interface
        self._methods = _methods_of(interface)
        self._by_class: dict[type[Operation], InterfaceT] = {}
        self._by_name: dict[str, InterfaceT] = {}
        self._cache: dict[type[Operation], InterfaceT | None] = {}
        self._checked: dict[int, InterfaceT] = {}
        _TABLES.append(self)
        for op, model in _ATTACHED:
            # Attached before this interface was imported.
            if self.is_implemented_by(model):
                self.attach(op, cast(InterfaceT, model))

    def attach(self, op: type[Operation] | str, model: InterfaceT) -> None:
        """Bind `model` to an op class, or to the name of an op."""
        model = self.checked(model)
        if isinstance(op, str):
            self._by_name[op] = model
        else:
            self._by_class[op] = model
            self._by_name.setdefault(op.name, model)
        self._cache.clear()

    def lookup(self, op: Operation) -> InterfaceT | None:
        """The model of `op`, or None when the interface is not implemented for it."""
        op_class = type(op)
        try:
            return self._cache[op_class]
        except KeyError:
            pass
        if isinstance(op, UnregisteredOp):
            name = op.op_name.data
            _load_models(name.partition(".")[0])
            return self._by_name.get(name)
        model = self._find(op_class)
        self._cache[op_class] = model
        return model

    def checked(self, model: InterfaceT) -> InterfaceT:
        """The model as look-ups give it: a user's with its answers checked."""
        try:
            return self._checked[id(model)]
        except KeyError:
            found = checked(model, self.interface, self._methods)
            self._checked[id(model)] = found
            return found

    def is_implemented_by(self, model: object) -> bool:
        """Whether `model` has all methods of the interface: what `isinstance` says, which
        would collect the methods again each time."""
        return all(getattr(model, name, None) is not None for name in self._methods)

    def _find(self, op_class: type[Operation]) -> InterfaceT | None:
        _load_models(op_class.name.partition(".")[0])
        for base in op_class.__mro__:
            if (model := self._by_class.get(base)) is not None:
                return model
        for trait in op_class.traits:
            if self.is_implemented_by(trait):
                if isinstance(trait, type):
                    raise TypeError(_class_for_instance(op_class.name, trait))
                return self.checked(cast(InterfaceT, trait))
        return self._by_name.get(op_class.name)


def _methods_of(interface: type) -> tuple[str, ...]:
    """The names of the methods that a protocol and those it extends declare."""
    return tuple(
        name
        for base in interface.__mro__
        if getattr(base, "_is_protocol", False) and base is not Protocol
        for name, value in vars(base).items()
        if callable(value) and not name.startswith("_")
    )


def attach(op: type[Operation] | str, *models: object) -> None:
    """Bind models to an op class (or op name), each to every interface it implements.

    Raises:
        TypeError: when a model is a class rather than an object, or implements no
            interface; the error names the interfaces there are.
    """
    for model in models:
        if isinstance(model, type):
            name = op if isinstance(op, str) else op.name
            raise TypeError(_class_for_instance(name, model))
        tables = _tables_of(model)
        if not tables:
            _import_interfaces()
            tables = _tables_of(model)
        if not tables:
            raise TypeError(
                f"{type(model).__name__} implements no interface. Derive it from a base "
                "model such as "
                "xdsl_bufferization.base_models.BufferizableModel, or give it "
                "every method of one of: "
                + ", ".join(sorted(table.interface.__name__ for table in _TABLES))
            )
        for table in tables:
            table.attach(op, model)
        _ATTACHED.append((op, model))


def count_attachments() -> int:
    """How many models have been attached: more of them, and ops may mean something
    else."""
    return len(_ATTACHED)


def _class_for_instance(op_name: str, model: type) -> str:
    return (
        f"{op_name}: its model {model.__name__} is a class; a model is an object: write "
        f"{model.__name__}()."
    )


def _tables_of(model: object) -> list[InterfaceTable[Any]]:
    return [table for table in _TABLES if table.is_implemented_by(model)]


def _import_interfaces() -> None:
    """Import every interface: a table exists once its module is imported."""
    package = __name__.rpartition(".")[0]
    for module in iter_modules(import_module(package).__path__, f"{package}."):
        import_module(module.name)


def attach_lazily(dialect: str, register: Callable[[], None]) -> None:
    """Call `register` once, when an op of `dialect` is first looked up in any table."""
    _LAZY_MODELS.setdefault(dialect, []).append(register)


def _load_models(dialect: str) -> None:
    for register in _LAZY_MODELS.pop(dialect, ()):
        register()
