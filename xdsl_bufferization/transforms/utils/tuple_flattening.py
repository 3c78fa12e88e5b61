"""Flattening of tuples at function boundaries: each element becomes an argument or
result.

    func.func @f(%t: tuple<tensor<4xf32>, i1>) -> tuple<tensor<4xf32>, i1> {
      return %t : tuple<tensor<4xf32>, i1>
    }

becomes

    func.func @f(%a: tensor<4xf32>, %b: i1) -> (tensor<4xf32>, i1) {
      return %a, %b : tensor<4xf32>, i1
    }

Nested tuples are flattened to their innermost elements. Other users of a tuple get it
from an op that packs the elements, and an op unpacks a tuple that is returned or
passed; a tuple that was packed is not unpacked, but its elements are used. MLIR has no
ops for this: by default, builtin.unrealized_conversion_cast does both, and a compiler
with its own ops provides them (`TupleOps`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeGuard, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    TupleType,
    UnrealizedConversionCastOp,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.functions import FunctionTable, return_ops
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.transforms.utils.function_signatures import calls_of


def _cast(values: Sequence[SSAValue], types: Sequence[Attribute]) -> list[Operation]:
    return [UnrealizedConversionCastOp.get(values, types)]


@dataclass(frozen=True)
class TupleOps:
    """How tuples are made and taken apart. Both functions return ops in their order; the
    results of the last ones are the values asked for.

    Attributes:
        pack: from the innermost elements, and the type of the tuple in a list.
        unpack: from the tuple in a list, and the types of its innermost elements.
    """

    pack: Callable[[Sequence[SSAValue], Sequence[Attribute]], Sequence[Operation]] = _cast
    unpack: Callable[[Sequence[SSAValue], Sequence[Attribute]], Sequence[Operation]] = (
        _cast
    )


def flatten_tuples(module: ModuleOp, ops: TupleOps | None = None) -> None:
    """Take apart the tuples that functions take and return, in functions and calls.

    Raises:
        PassFailedException: when a function with tuples is used as a value.
    """
    flattening = _Flattening(TupleOps() if ops is None else ops)
    functions = FunctionTable(module)
    calls = calls_of(module, functions)
    changed: list[FuncOp] = []
    for func in functions.functions:
        type_ = func.function_type
        if not any(isinstance(t, TupleType) for t in (*type_.inputs, *type_.outputs)):
            continue
        if func in functions.used_as_values:
            raise PassFailedException(
                f"{func.name}: tuples of a function that is used as a value cannot be "
                "taken apart, since whoever calls it is not known. Give it arguments and "
                f"results that are no tuples.{describe(func)}"
            )
        flattening.change_arguments(func)
        changed.append(func)
    for func in changed:
        for call in calls.get(func, ()):
            flattening.change_call(call, func.function_type.outputs.data)
    for func in changed:
        for op in return_ops(func):
            op.operands = flattening.unpacked(op.operands, op)
    flattening.erase_unused()


class _Flattening:
    def __init__(self, ops: TupleOps):
        self.ops = ops
        self.elements: dict[SSAValue, Sequence[SSAValue]] = {}
        """Of every tuple that was packed."""

    def change_arguments(self, func: FuncOp) -> None:
        """Change the type of a function and the arguments of its body."""
        inputs, outputs = func.function_type.inputs.data, func.function_type.outputs.data
        func.properties["function_type"] = FunctionType.from_lists(
            _flattened(inputs), _flattened(outputs)
        )
        for name, types in (("arg_attrs", inputs), ("res_attrs", outputs)):
            attributes = func.properties.get(name)
            if attributes is not None:
                func.properties[name] = _attributes_of_elements(
                    cast("ArrayAttr[DictionaryAttr]", attributes), types
                )
        entry = func.body.blocks.first
        if entry is None:
            return
        start = entry.first_op
        assert start is not None, "a function ends with a return"
        for argument in list(entry.args):
            if isinstance(argument.type, TupleType):
                elements = [
                    entry.insert_arg(type_, argument.index)
                    for type_ in _flattened([argument.type])
                ]
                packed = self.pack(elements, argument.type, InsertPoint.before(start))
                argument.replace_all_uses_with(packed)
                entry.erase_arg(argument)

    def change_call(self, call: CallOp, types: Sequence[Attribute]) -> None:
        new_call = CallOp(call.callee, self.unpacked(call.operands, call), types)
        new_call.attributes.update(call.attributes)
        Rewriter.insert_op(new_call, InsertPoint.before(call))
        results = iter(new_call.results)
        for result in call.results:
            elements = [next(results) for _ in _flattened([result.type])]
            if isinstance(result.type, TupleType):
                point = InsertPoint.before(call)
                result.replace_all_uses_with(self.pack(elements, result.type, point))
            else:
                result.replace_all_uses_with(elements[0])
        Rewriter.erase_op(call)

    def pack(
        self, elements: Sequence[SSAValue], type_: Attribute, point: InsertPoint
    ) -> SSAValue:
        """The tuple of these elements."""
        ops = self.ops.pack(elements, [type_])
        Rewriter.insert_op(ops, point)
        tuple_ = ops[-1].results[0]
        self.elements[tuple_] = elements
        return tuple_

    def unpacked(self, values: Sequence[SSAValue], user: Operation) -> list[SSAValue]:
        """The values, innermost elements in place of tuples."""
        result: list[SSAValue] = []
        for value in values:
            if not isinstance(value.type, TupleType):
                result.append(value)
                continue
            types = _flattened([value.type])
            elements = self.elements.get(value)
            if elements is None and _is_packed(value, types):
                elements = self.elements[value] = tuple(value.owner.operands)
            if elements is None:
                ops = self.ops.unpack([value], types)
                Rewriter.insert_op(ops, InsertPoint.before(user))
                values_of_ops = [result for op in ops for result in op.results]
                elements = values_of_ops[len(values_of_ops) - len(types) :]
                self.elements[value] = elements
            result += elements
        return result

    def erase_unused(self) -> None:
        """Erase what packed a tuple that nothing uses."""
        for tuple_ in self.elements:
            op = tuple_.owner
            if (
                isinstance(op, UnrealizedConversionCastOp)
                and op.parent is not None
                and tuple_.first_use is None
                and isinstance(tuple_.type, TupleType)
            ):
                Rewriter.erase_op(op)


def _is_packed(value: SSAValue, types: Sequence[Attribute]) -> TypeGuard[OpResult]:
    """Whether a value was made of elements of these types by a cast."""
    return (
        isinstance(value.owner, UnrealizedConversionCastOp)
        and list(value.owner.operand_types) == types
    )


def _flattened(types: Sequence[Attribute]) -> list[Attribute]:
    """The types, innermost element types in place of tuples."""
    flat: list[Attribute] = []
    for type_ in types:
        if isinstance(type_, TupleType):
            flat += _flattened(type_.types.data)
        else:
            flat.append(type_)
    return flat


def _attributes_of_elements(
    attributes: ArrayAttr[DictionaryAttr], types: Sequence[Attribute]
) -> ArrayAttr[DictionaryAttr]:
    """The attributes of arguments or results; each element of a tuple has its tuple's."""
    return ArrayAttr(
        attribute
        for attribute, type_ in zip(attributes, types, strict=True)
        for _ in _flattened([type_])
    )
