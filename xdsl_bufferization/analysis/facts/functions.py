"""The functions of a module, their callees, and summaries of the effects of a call on
the buffers of its operands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from functools import cache, cached_property
from itertools import chain

from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.analysis.facts.strongly_connected import (
    reachable,
    strongly_connected,
)
from xdsl_bufferization.dialects.func import CallIndirectOp, ConstantOp
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.symbols import symbols_in
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.function_summary import FunctionSummary
from xdsl_bufferization.interfaces.types import TENSOR_TYPES

ACCESS = "bufferization.access"
WRITABLE = "bufferization.writable"


def argument_attribute(func: FuncOp, index: int, name: str) -> Attribute | None:
    """An attribute of a function argument, such as bufferization.writable."""
    if func.arg_attrs is None:
        return None
    return func.arg_attrs.data[index].data.get(name)


def return_ops(func: FuncOp) -> list[ReturnOp]:
    """The func.return ops of a function."""
    return [
        block.last_op for block in func.body.blocks if isinstance(block.last_op, ReturnOp)
    ]


def returned_tensors(func: FuncOp) -> list[tuple[int, list[SSAValue]]]:
    """The tensor results by number, each with the values that the function returns."""
    returns = return_ops(func)
    return [
        (number, [op.operands[number] for op in returns])
        for number in tensor_indices(func.function_type.outputs.data)
    ]


def tensor_indices(types: Iterable[Attribute]) -> list[int]:
    """The numbers of the types that are tensors."""
    return [i for i, type_ in enumerate(types) if isinstance(type_, TENSOR_TYPES)]


def indirectly_called_type(op: Operation) -> Attribute | None:
    """The type of the functions that a call other than func.call may call: that of a
    value, or an op of a dialect of which only CallOpInterface is known."""
    if isinstance(op, CallOp):
        return None
    if isinstance(op, CallIndirectOp):
        return op.callee.type
    model = CALL.lookup(op)
    if model is None:
        return None
    arguments = [value.type for value in model.get_arg_operands(op)]
    return FunctionType.from_lists(arguments, [result.type for result in op.results])


class FunctionTable:
    """The functions under an op, those of nested modules included, and their summaries as
    far as they are known.

    Attributes:
        read_only: by function without a summary, the results that may be read-only.
        read_only_by_type: by function type, the results that may be read-only of some
            function that an indirect call may call.
        has_indirect_calls: whether `callees_first` has found a call other than func.call.
    """

    def __init__(self, root: Operation | None = None):
        self.functions: list[FuncOp] = []
        self.summaries: dict[FuncOp, FunctionSummary] = {}
        self.read_only: dict[FuncOp, set[int]] = {}
        self.read_only_by_type: dict[Attribute, set[int]] = {}
        self.has_indirect_calls = False
        self._by_name: dict[tuple[Operation | None, str], FuncOp] = {}
        self._callees: dict[Operation, FuncOp | None] = {}
        self._root = root
        if root is not None:
            self._find(root)

    def _find(self, op: Operation) -> None:
        if isinstance(op, FuncOp):
            self.functions.append(op)
            self._by_name[op.parent_op(), op.sym_name.data] = op
            return
        if isinstance(op, ModuleOp):
            for inner in op.ops:
                self._find(inner)

    def callee(self, call: Operation) -> FuncOp | None:
        """The function a func.call calls, when it is known."""
        if not _is_call(type(call)):
            return None
        assert isinstance(call, CallOp)
        if call not in self._callees:
            self._callees[call] = self._lookup(call, call.callee)
        return self._callees[call]

    def named(self, op: ConstantOp) -> FuncOp | None:
        """The function that a func.constant names, when it is known."""
        return self._lookup(op, op.value)

    def _lookup(self, op: Operation, name: SymbolRefAttr) -> FuncOp | None:
        """The function that an op means by a name."""
        scope = op.parent_op()
        while scope is not None and not isinstance(scope, ModuleOp):
            scope = scope.parent_op()
        if name.nested_references.data:
            return None
        return self._by_name.get((scope, name.root_reference.data))

    @cached_property
    def used_as_values(self) -> set[FuncOp]:
        """The functions that are mentioned otherwise than as the callee of a func.call:
        not all of their callers are known, and none may be called with another type.

        Such are func.constant and llvm.mlir.addressof, but any attribute of any op may
        mention a symbol. Where a name cannot be resolved, it is that of all functions
        with this name.
        """
        found: set[FuncOp] = set()
        if self._root is None:
            return found
        by_name: dict[str, list[FuncOp]] = {}
        for func in self.functions:
            by_name.setdefault(func.sym_name.data, []).append(func)
        for op in walk(self._root):
            is_call = self.callee(op) is not None
            for attributes in (op.properties, op.attributes):
                for key, attribute in attributes.items():
                    if is_call and key == "callee":
                        continue
                    for name in symbols_in(attribute):
                        function = self._lookup(op, name)
                        leaf = [name.root_reference, *name.nested_references.data][-1]
                        if function is not None:
                            found.add(function)
                        else:
                            found.update(by_name.get(leaf.data, ()))
        return found

    def has_known_calls(self, func: FuncOp) -> bool:
        """Whether every use of a function is a func.call in the module: it has a body, is
        private, and no value. Only then may its type change, together with its calls."""
        return (
            func.body.blocks.first is not None
            and func.sym_visibility == StringAttr("private")
            and func not in self.used_as_values
        )

    def summary(self, call: Operation) -> FunctionSummary | None:
        """The summary of what a call calls; None when it is not analysed (yet)."""
        callee = self.callee(call)
        return None if callee is None else self.summaries.get(callee)

    def read_only_results(self, call: Operation) -> Set[int]:
        """The results of a call, direct or not, that must not be written."""
        type_ = indirectly_called_type(call)
        if type_ is not None:
            return self.read_only_by_type.get(type_, frozenset())
        callee = self.callee(call)
        if callee is None:
            return frozenset()
        summary = self.summaries.get(callee)
        if summary is not None:
            return summary.read_only
        return self.read_only.get(callee, frozenset())

    def callable_by_value(self) -> dict[Attribute, list[FuncOp]]:
        """The functions with a body that an indirect call may call, by type."""
        found: dict[Attribute, list[FuncOp]] = {}
        for func in self.functions:
            if func.body.blocks.first is not None and not self.has_known_calls(func):
                found.setdefault(func.function_type, []).append(func)
        return found

    def callees_first(self) -> tuple[list[FuncOp], list[FuncOp]]:
        """The functions in an order in which each comes after those it calls; and those
        that are on a cycle of calls, or call into one, in the order of the program."""
        callers: dict[FuncOp, list[FuncOp]] = {func: [] for func in self.functions}
        waiting: dict[FuncOp, int] = {}
        for func in self.functions:
            callees: set[FuncOp] = set()
            for op in walk(func):
                callee = self.callee(op)
                if callee is not None:
                    callees.add(callee)
                elif indirectly_called_type(op) is not None:
                    self.has_indirect_calls = True
            waiting[func] = len(callees)
            for callee in callees:
                callers[callee].append(func)
        ordered = [func for func, count in waiting.items() if count == 0]
        for func in ordered:
            for caller in callers[func]:
                waiting[caller] -= 1
                if waiting[caller] == 0:
                    ordered.append(caller)
        done = set(ordered)
        return ordered, [func for func in self.functions if func not in done]

    def find_recursive(self) -> tuple[list[FuncOp], set[FuncOp]]:
        """Return all functions, each after those that it calls unless these may call it;
        and those that may call themselves, through others or not."""
        ordered, circular = self.callees_first()
        callees = {
            func: [callee for op in walk(func) if (callee := self.callee(op)) is not None]
            for func in circular
        }
        components = strongly_connected(
            circular, lambda func: [each for each in callees[func] if each in callees]
        )
        recursive = {
            func
            for component in components
            for func in component
            if len(component) > 1 or func in callees[func]
        }
        return [*ordered, *chain.from_iterable(components)], recursive


@cache
def _is_call(op_class: type[Operation]) -> bool:
    """Whether ops of a class are calls of a function by name. All ops are asked."""
    return issubclass(op_class, CallOp)


def function_of(op: Operation) -> FuncOp | None:
    """Return the function around an op, which may be the op itself."""
    around: Operation | None = op
    while around is not None and not isinstance(around, FuncOp):
        around = around.parent_op()
    return around


def with_callers(
    functions: Iterable[FuncOp], callers: Mapping[FuncOp, Iterable[FuncOp]]
) -> set[FuncOp]:
    """Return some functions, and all that may call one of them transitively.

    Args:
        callers: by function, those that call it directly.
    """
    return set(reachable(functions, lambda func: callers.get(func, ())))
