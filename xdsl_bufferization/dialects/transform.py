"""The transform dialect: xDSL's, with the ops that bufferize, and MLIR's syntax for the
ops of xDSL that lead to what they are applied to.

A script of the dialect says which transformations are applied to which ops of a program
(the payload), where a pass is applied to all. Values are handles: lists of payload ops,
or of payload values. `transform-interpreter` runs a script.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import transform
from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Dialect
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    eq,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .definitions import refined_op_definition
from .lazy_formats import op_definition

NamedSequenceOp = transform.NamedSequenceOp
YieldOp = transform.YieldOp
MatchOp = transform.MatchOp

_LAYOUT_MAPS = ("InferLayoutMap", "IdentityLayoutMap", "FullyDynamicLayoutMap")
"""Keywords of the layouts, each at the number that stands for it."""

_FAILURES = ("propagate", "suppress")
"""Keywords of what failures do, each at the number that stands for it, less 1."""

MEMCPY_OPS = ("bufferization.materialize_in_destination", "memref.copy", "linalg.copy")
ALLOC_OPS = ("memref.alloc", "memref.alloca")

_FALSE = IntegerAttr(0, i1)
_TRUE = IntegerAttr(-1, i1)


@irdl_custom_directive
class LayoutMap(CustomDirective):
    """The layout of memrefs in function types, by its keyword."""

    layout: AttributeVariable

    def is_anchorable(self) -> bool:
        return True

    def is_present(self, op: IRDLOperation) -> bool:
        return self.layout.get(op) is not None

    def parse(self, parser: Parser, state: ParsingState) -> None:
        position = parser.pos
        keyword = parser.parse_optional_str_literal() or parser.parse_identifier()
        if keyword not in _LAYOUT_MAPS:
            parser.raise_error(
                f"expected one of {', '.join(_LAYOUT_MAPS)}", position, parser.pos
            )
        self.layout.set(state, IntegerAttr(_LAYOUT_MAPS.index(keyword), i32))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        attr = cast(IntegerAttr, self.layout.get(op))
        state.print_whitespace(printer)
        printer.print_string(_LAYOUT_MAPS[attr.value.data])
        state.last_was_punctuation = False
        state.should_emit_space = True


# ---------------------------------------------------------------------------------------
# Bufferization


@op_definition
class BufferLoopHoistingOp(IRDLOperation):
    """Moves allocations out of loops, as `buffer-loop-hoisting` does, inside the payload
    ops."""

    name = "transform.bufferization.buffer_loop_hoisting"

    target = operand_def(transform.TransformHandleType)

    assembly_format = "$target attr-dict `:` type($target)"


@op_definition
class OneShotBufferizeOp(IRDLOperation):
    """Bufferizes modules or functions; the options are those of `one-shot-bufferize`."""

    name = "transform.bufferization.one_shot_bufferize"

    target = operand_def(transform.TransformHandleType)
    transformed = result_def(transform.TransformHandleType)

    function_boundary_type_conversion = opt_prop_def(IntegerAttr)
    allow_return_allocs_from_loops = prop_def(BoolAttr, default_value=_FALSE)
    allow_unknown_ops = prop_def(BoolAttr, default_value=_FALSE)
    bufferize_function_boundaries = prop_def(BoolAttr, default_value=_FALSE)
    dump_alias_sets = prop_def(BoolAttr, default_value=_FALSE)
    test_analysis_only = prop_def(BoolAttr, default_value=_FALSE)
    print_conflicts = prop_def(BoolAttr, default_value=_FALSE)
    check_parallel_regions = prop_def(BoolAttr, default_value=_TRUE)
    memcpy_op = prop_def(StringAttr, default_value=StringAttr("memref.copy"))

    irdl_options = (ParsePropInAttrDict(),)
    custom_directives = (LayoutMap,)
    assembly_format = (
        "(`layout` `{` custom<LayoutMap>($function_boundary_type_conversion)^ `}`)? "
        "$target attr-dict `:` functional-type($target, results)"
    )

    @property
    def layout(self) -> str | None:
        """The layout as the pass's option names it."""
        attr = self.function_boundary_type_conversion
        if attr is None:
            return None
        return ("infer-layout-map", "identity-layout-map", "fully-dynamic-layout-map")[
            attr.value.data
        ]

    def verify_(self) -> None:
        memcpy_op = self.memcpy_op.data
        if memcpy_op not in ("memref.copy", "linalg.copy"):
            raise VerifyException(
                f"'{self.name}': unsupported memcpy op {memcpy_op!r}; it is memref.copy "
                "or linalg.copy"
            )
        layout = self.function_boundary_type_conversion
        if layout is not None and not 0 <= layout.value.data < len(_LAYOUT_MAPS):
            raise VerifyException(
                f"'{self.name}': function_boundary_type_conversion must be a number from "
                f"0 to {len(_LAYOUT_MAPS) - 1}"
            )


@op_definition
class EliminateEmptyTensorsOp(IRDLOperation):
    """Computes results where they end up, as `eliminate-empty-tensors` does, inside the
    payload ops."""

    name = "transform.bufferization.eliminate_empty_tensors"

    target = operand_def(transform.TransformHandleType)

    assembly_format = "$target attr-dict `:` type($target)"


@op_definition
class EmptyTensorToAllocTensorOp(IRDLOperation):
    """Makes each tensor.empty a bufferization.alloc_tensor."""

    name = "transform.bufferization.empty_tensor_to_alloc_tensor"

    target = operand_def(eq(transform.OperationType("tensor.empty")))
    transformed = result_def(eq(transform.OperationType("bufferization.alloc_tensor")))

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"


@op_definition
class BufferizeToAllocationOp(IRDLOperation):
    """Bufferizes single ops, each into a new buffer for what it writes."""

    name = "transform.structured.bufferize_to_allocation"

    target = operand_def(transform.TransformHandleType)
    allocated_buffer = result_def(eq(transform.AnyValueType()))
    new_ops = result_def(eq(transform.AnyOpType()))

    memory_space = opt_prop_def(Attribute)
    memcpy_op = prop_def(StringAttr, default_value=StringAttr(MEMCPY_OPS[0]))
    alloc_op = prop_def(StringAttr, default_value=StringAttr(ALLOC_OPS[0]))
    bufferize_destination_only = opt_prop_def(UnitAttr)
    emit_dealloc = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$target attr-dict `:` type($target)"

    def verify_(self) -> None:
        for what, given, known in (
            ("memcpy", self.memcpy_op.data, MEMCPY_OPS),
            ("alloc", self.alloc_op.data, ALLOC_OPS),
        ):
            if given not in known:
                raise VerifyException(
                    f"'{self.name}': unsupported {what} op {given!r}; it is one of "
                    f"{', '.join(known)}"
                )


@op_definition
class RewriteInDestinationPassingStyleOp(IRDLOperation):
    """Gives tensor.from_elements, generate and pad a destination, as
    `rewrite-in-destination-passing-style` does."""

    name = "transform.structured.rewrite_in_destination_passing_style"

    target = operand_def(transform.TransformHandleType)
    transformed = result_def(transform.TransformHandleType)

    assembly_format = "$target attr-dict `:` functional-type($target, results)"


# ---------------------------------------------------------------------------------------
# Ways to other handles


@refined_op_definition
class CastOp(transform.CastOp):
    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"


@refined_op_definition
class GetParentOp(transform.GetParentOp):
    nth_parent = prop_def(IntegerAttr, default_value=IntegerAttr(1, i64))

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$target attr-dict `:` functional-type(operands, results)"


@refined_op_definition
class GetDefiningOp(transform.GetDefiningOp):
    assembly_format = "$target attr-dict `:` functional-type(operands, results)"


@refined_op_definition
class GetProducerOfOperandOp(transform.GetProducerOfOperandOp):
    operand_number = prop_def(IntegerAttr.constr(i64))

    assembly_format = (
        "$target `[` $operand_number `]` attr-dict `:` functional-type(operands, results)"
    )


@refined_op_definition
class GetResultOp(transform.GetResultOp):
    raw_position_list = prop_def(DenseArrayBase.constr(i64))

    @classmethod
    def parse(cls, parser: Parser) -> GetResultOp:
        target = parser.parse_unresolved_operand()
        with parser.in_square_brackets():
            is_all = parser.parse_optional_keyword("all") is not None
            is_inverted = not is_all and parser.parse_optional_keyword("except")
            if is_inverted:
                parser.parse_punctuation("(")
            positions: list[int] = []
            if not is_all:
                positions = parser.parse_comma_separated_list(
                    parser.Delimiter.NONE, parser.parse_integer
                )
            if is_inverted:
                parser.parse_punctuation(")")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_function_type()
        op = cls(
            parser.resolve_operand(target, type_.inputs.data[0]),
            positions,
            bool(is_inverted),
            is_all,
        )
        op.results[0]._type = type_.outputs.data[0]  # pyright: ignore[reportPrivateUsage]
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operands[0])
        printer.print_string("[")
        if self.is_all is not None:
            printer.print_string("all")
        else:
            positions = ", ".join(map(str, self.raw_position_list.get_values()))
            inverted = self.is_inverted is not None
            printer.print_string(f"except({positions})" if inverted else positions)
        printer.print_string("]")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_operation_type(self)


@refined_op_definition
class IncludeOp(transform.IncludeOp):
    """Runs another named sequence."""

    target = prop_def(SymbolRefAttr)
    failure_propagation_mode = prop_def(IntegerAttr.constr(i32))

    @classmethod
    def parse(cls, parser: Parser) -> IncludeOp:
        name = parser.parse_symbol_name().data
        parser.parse_keyword("failures")
        with parser.in_parens():
            position = parser.pos
            keyword = parser.parse_identifier()
            if keyword not in _FAILURES:
                parser.raise_error(
                    f"expected one of {', '.join(_FAILURES)}", position, parser.pos
                )
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_function_type()
        return cls.build(
            operands=[
                parser.resolve_operands(operands, type_.inputs.data, parser.pos),
            ],
            result_types=[type_.outputs.data],
            properties={
                "target": SymbolRefAttr(name),
                "failure_propagation_mode": IntegerAttr(
                    _FAILURES.index(keyword) + 1, i32
                ),
            },
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        mode = self.failure_propagation_mode.value.data
        printer.print_string(" ")
        printer.print_symbol_name(self.target.string_value())
        printer.print_string(f" failures({_FAILURES[mode - 1]}) (")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(")")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_operation_type(self)

    def verify_(self) -> None:
        if self.failure_propagation_mode.value.data not in (1, 2):
            raise VerifyException(
                f"'{self.name}': failure_propagation_mode must be 1 (propagate) or 2 "
                "(suppress)"
            )


@refined_op_definition
class MergeHandlesOp(transform.MergeHandlesOp):
    handles = var_operand_def(transform.TransformHandleType)

    @classmethod
    def parse(cls, parser: Parser) -> MergeHandlesOp:
        deduplicate = parser.parse_optional_keyword("deduplicate") is not None
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        op = cls([parser.resolve_operand(o, type_) for o in operands], deduplicate)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" " if self.deduplicate is None else " deduplicate ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.results[0].type)

    def verify_(self) -> None:
        if len({value.type for value in (*self.operands, *self.results)}) != 1:
            raise VerifyException(
                f"'{self.name}' expects at least one handle, and all handles of one type"
            )


@refined_op_definition
class SplitHandleOp(transform.SplitHandleOp):
    pass_through_empty_handle = prop_def(BoolAttr, default_value=_TRUE)
    fail_on_payload_too_small = prop_def(BoolAttr, default_value=_TRUE)
    overflow_result = opt_prop_def(IntegerAttr.constr(i64))
    results_ = var_result_def(transform.TransformHandleType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$handle attr-dict `:` functional-type(operands, results)"


_OURS = (
    BufferLoopHoistingOp,
    BufferizeToAllocationOp,
    CastOp,
    EliminateEmptyTensorsOp,
    EmptyTensorToAllocTensorOp,
    GetDefiningOp,
    GetParentOp,
    GetProducerOfOperandOp,
    GetResultOp,
    IncludeOp,
    MergeHandlesOp,
    OneShotBufferizeOp,
    RewriteInDestinationPassingStyleOp,
    SplitHandleOp,
)

Transform = Dialect(
    "transform",
    [
        *_OURS,
        *(
            op
            for op in transform.Transform.operations
            if op.name not in {ours.name for ours in _OURS}
        ),
    ],
    list(transform.Transform.attributes),
)
