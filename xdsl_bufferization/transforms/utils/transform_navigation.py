"""The transforms that map one handle to another, or run passes on a handle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import transform as xdsl_transform
from xdsl.dialects.builtin import (
    ArrayAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.interpreters.transform import OperationHandle
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.passes import PassPipeline
from xdsl.traits import IsolatedFromAbove, SymbolTable
from xdsl.utils.arg_spec import ArgSpec
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.dialects import tensor, transform
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.loop_like import LOOP_LIKE
from xdsl_bufferization.pipeline_texts import fault_of_spec
from xdsl_bufferization.transforms.utils.transform_handles import (
    ValueHandle,
    failed,
    payload_of,
)


@register_impls
class HandleTransforms(InterpreterFunctions):
    """Transforms that do not change the program, and those that run passes."""

    def __init__(self, ctx: Context, passes: dict[str, Callable[[], Any]]):
        self.ctx = ctx
        self.passes = passes

    @impl(transform.MatchOp)
    def match(
        self, interpreter: Interpreter, op: transform.MatchOp, args: PythonValues
    ) -> PythonValues:
        roots = payload_of(args[0])
        if len(roots) != 1:
            raise PassFailedException(
                f"{op.name}: requires exactly one target, got {len(roots)}{describe(op)}"
            )
        return (
            OperationHandle(
                *(
                    candidate
                    for candidate in roots[0].walk(region_first=True)
                    if _matches(candidate, op)
                )
            ),
        )

    @impl(transform.CastOp)
    def cast(
        self, interpreter: Interpreter, op: transform.CastOp, args: PythonValues
    ) -> PythonValues:
        result_type = op.results[0].type
        if isinstance(result_type, xdsl_transform.OperationType):
            expected = result_type.operation.data
            for target in payload_of(args[0]):
                if target.name != expected:
                    raise failed(
                        op,
                        f"incompatible payload operation name: expected {expected}, got "
                        f"{target.name}",
                        target,
                    )
        return args

    @impl(transform.IncludeOp)
    def include(
        self, interpreter: Interpreter, op: transform.IncludeOp, args: PythonValues
    ) -> PythonValues:
        sequence = SymbolTable.lookup_symbol(op, op.target)
        if not isinstance(sequence, transform.NamedSequenceOp):
            raise PassFailedException(
                f"{op.name}: there is no named sequence {op.target}{describe(op)}"
            )
        return interpreter.call_op(sequence, args)

    @impl(transform.GetParentOp)
    def get_parent_op(
        self, interpreter: Interpreter, op: transform.GetParentOp, args: PythonValues
    ) -> PythonValues:
        parents = [_parent(target, op) for target in payload_of(args[0])]
        if op.deduplicate is not None:
            parents = list(dict.fromkeys(parents))
        return (OperationHandle(*parents),)

    @impl(transform.GetDefiningOp)
    def get_defining_op(
        self, interpreter: Interpreter, op: transform.GetDefiningOp, args: PythonValues
    ) -> PythonValues:
        assert isinstance(args[0], ValueHandle)
        return (OperationHandle(*(_definition(value, op) for value in args[0].values)),)

    @impl(transform.GetProducerOfOperandOp)
    def get_producer_of_operand(
        self,
        interpreter: Interpreter,
        op: transform.GetProducerOfOperandOp,
        args: PythonValues,
    ) -> PythonValues:
        number = op.operand_number.value.data
        producers: list[Operation] = []
        for target in payload_of(args[0]):
            if not 0 <= number < len(target.operands):
                raise failed(op, f"there is no operand number {number}", target)
            value = target.operands[number]
            if not isinstance(value, OpResult):
                raise failed(
                    op,
                    f"could not find a producer for operand number {number}: it is a "
                    "block argument",
                    target,
                )
            producers.append(value.op)
        return (OperationHandle(*producers),)

    @impl(transform.GetResultOp)
    def get_result(
        self, interpreter: Interpreter, op: transform.GetResultOp, args: PythonValues
    ) -> PythonValues:
        values: list[SSAValue] = []
        for target in payload_of(args[0]):
            number = len(target.results)
            given = op.raw_position_list.get_values()
            if any(not -number <= position < number for position in given):
                raise failed(
                    op, f"a position of {list(given)} is past the last result", target
                )
            positions = [position % number for position in given]
            if op.is_all is not None:
                positions = list(range(number))
            elif op.is_inverted is not None:
                positions = [p for p in range(number) if p not in positions]
            values += (target.results[position] for position in positions)
        return (ValueHandle(tuple(values)),)

    @impl(transform.MergeHandlesOp)
    def merge_handles(
        self, interpreter: Interpreter, op: transform.MergeHandlesOp, args: PythonValues
    ) -> PythonValues:
        merged: list[Any] = []
        for handle in args:
            merged += (
                handle.values if isinstance(handle, ValueHandle) else payload_of(handle)
            )
        if op.deduplicate is not None:
            merged = list(dict.fromkeys(merged))
        if isinstance(args[0], ValueHandle):
            return (ValueHandle(tuple(merged)),)
        return (OperationHandle(*merged),)

    @impl(transform.SplitHandleOp)
    def split_handle(
        self, interpreter: Interpreter, op: transform.SplitHandleOp, args: PythonValues
    ) -> PythonValues:
        targets = payload_of(args[0])
        parts: list[list[Operation]] = [[] for _ in op.results]
        if not targets and op.pass_through_empty_handle.value.data:
            return tuple(OperationHandle() for _ in parts)
        overflow = op.overflow_result
        too_few = len(targets) < len(parts) and op.fail_on_payload_too_small.value.data
        if too_few or (len(targets) > len(parts) and overflow is None):
            raise PassFailedException(
                f"{op.name}: the handle is expected to contain {len(parts)} payloads but "
                f"it contains {len(targets)}{describe(op)}"
            )
        for number, target in enumerate(targets):
            if number >= len(parts):
                assert overflow is not None
                number = overflow.value.data
            parts[number].append(target)
        return tuple(OperationHandle(*part) for part in parts)

    @impl(xdsl_transform.ApplyRegisteredPassOp)
    def apply_registered_pass(
        self,
        interpreter: Interpreter,
        op: xdsl_transform.ApplyRegisteredPassOp,
        args: PythonValues,
    ) -> PythonValues:
        targets = payload_of(args[0])
        for target in targets:
            if not isinstance(target, ModuleOp):
                raise failed(op, "passes run on builtin.module only", target)
        name = op.pass_name.data
        if name not in self.passes:
            raise PassFailedException(
                f"{op.name}: there is no pass {name!r}{describe(op)}"
            )
        spec = ArgSpec(
            name, {key: _option(value) for key, value in op.options.data.items()}
        )
        pass_class = self.passes[name]()
        try:
            pipeline = PassPipeline((pass_class.from_spec(spec),))
        except ValueError:
            fault = fault_of_spec(pass_class, spec)
            if fault is None:
                raise
            raise PassFailedException(f"{op.name}: {fault}{describe(op)}") from None
        for target in targets:
            pipeline.apply(self.ctx, cast(ModuleOp, target))
        return (OperationHandle(*targets),)


def _option(attr: Attribute) -> tuple[Any, ...]:
    """The value of a pass's option."""
    match attr:
        case IntegerAttr(type=IntegerType(width=width)) if width.data == 1:
            return (bool(attr.value.data),)
        case IntegerAttr():
            return (attr.value.data,)
        case StringAttr():
            return (attr.data,)
        case ArrayAttr():
            return tuple(value for item in attr.data for value in _option(item))
        case _:
            raise PassFailedException(
                f"transform.apply_registered_pass: {attr} is no value for an option; "
                "give a number, a boolean, a string, or an array of them"
            )


def _matches(candidate: Operation, op: transform.MatchOp) -> bool:
    """Whether an op passes all filters of transform.structured.match."""
    if op.ops is not None and all(candidate.name != name.data for name in op.ops):
        return False
    if op.interface is not None and not _implements(candidate, op.interface.value.data):
        return False
    if op.op_attrs is not None:
        present = {**candidate.attributes, **candidate.properties}
        if any(present.get(key) != value for key, value in op.op_attrs.data.items()):
            return False
    if op.filter_result_type is not None and tuple(candidate.result_types) != (
        op.filter_result_type,
    ):
        return False
    if op.filter_operand_types is not None:
        wanted: Sequence[Any] = op.filter_operand_types.data
        if len(wanted) == 1:
            wanted = wanted * len(candidate.operands)
        if len(wanted) != len(candidate.operands):
            raise failed(
                op,
                f"filter_operand_types is one type for all operands or one for each, but "
                f"there are {len(wanted)} types for {len(candidate.operands)} operands",
                candidate,
            )
        return tuple(candidate.operand_types) == tuple(wanted)
    return True


def _implements(op: Operation, interface: int) -> bool:
    match xdsl_transform.MATCH_INTERFACES[interface]:
        case xdsl_transform.MatchInterfaceEnum.LINALG_OP:
            return isinstance(op, LinalgStructuredOperation)
        case xdsl_transform.MatchInterfaceEnum.TILING_INTERFACE:
            return isinstance(op, LinalgStructuredOperation | tensor.PadOp)
        case xdsl_transform.MatchInterfaceEnum.LOOP_LIKE_INTERFACE:
            return LOOP_LIKE.lookup(op) is not None


def _parent(target: Operation, op: transform.GetParentOp) -> Operation:
    """The op around a target that transform.get_parent_op asks for."""
    parent = target
    for _ in range(op.nth_parent.value.data):
        parent = parent.parent_op()
        while parent is not None and not (
            (op.isolated_from_above is None or parent.has_trait(IsolatedFromAbove))
            and (op.op_name is None or parent.name == op.op_name.data)
        ):
            parent = parent.parent_op()
        if parent is None:
            raise failed(
                op, "could not find a parent op that matches all requirements", target
            )
    return parent


def _definition(value: SSAValue, op: Operation) -> Operation:
    if not isinstance(value, OpResult):
        raise PassFailedException(
            f"{op.name}: cannot get the defining op of a block argument{describe(op)}"
        )
    return value.op
