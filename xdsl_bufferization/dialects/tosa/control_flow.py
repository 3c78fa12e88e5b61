"""The tosa ops with regions, cond_if and while_loop, and the yield in them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import tosa
from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Attribute, Region
from xdsl.irdl import (
    IRDLOperation,
    operand_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.definitions import standalone_op_definition
from xdsl_bufferization.dialects.syntax import (
    parse_assignments,
    parse_optional_types,
    print_assignments,
    print_body,
    print_type_or_types,
    resolve_arguments,
)

_CONDITION = TensorType(i1, [])


def _require_region(
    op: IRDLOperation,
    region: Region,
    arguments: Sequence[Attribute],
    yielded: Sequence[Attribute],
) -> None:
    """Check the types that a region takes and yields."""
    if tuple(region.block.arg_types) != tuple(arguments):
        raise VerifyException(
            f"'{op.name}' expects a region whose arguments have the types of its inputs"
        )
    end = region.block.last_op
    if not isinstance(end, tosa.YieldOp):
        raise VerifyException(f"'{op.name}' expects a region that ends in a tosa.yield")
    if tuple(end.operand_types) != tuple(yielded):
        raise VerifyException(
            f"'{op.name}' expects a region that yields "
            f"{', '.join(map(str, yielded)) or 'nothing'}, got "
            f"{', '.join(map(str, end.operand_types)) or 'nothing'}"
        )


class YieldOp(tosa.YieldOp):
    """Yield what a region of tosa.cond_if or tosa.while_loop computes."""

    inputs = var_operand_def(TensorType)
    traits = traits_def(IsTerminator(), Pure())
    assembly_format = "($inputs^ `:` type($inputs))? attr-dict"

    def check(self) -> None:
        if not isinstance(self.parent_op(), tosa.IfOp | WhileOp):
            raise VerifyException(
                f"'{self.name}' expects parent op 'tosa.cond_if' or 'tosa.while_loop'"
            )


class IfOp(tosa.IfOp):
    """Run one of two regions, whose arguments are the inputs."""

    cond = operand_def(_CONDITION)
    inputs = var_operand_def(TensorType)
    output = var_result_def(TensorType)
    true_region = region_def("single_block")
    false_region = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        condition = parser.parse_unresolved_operand()
        operands: list[UnresolvedOperand] = []
        pos = parser.pos
        if parser.parse_optional_punctuation("(") is not None:
            operands = parser.parse_comma_separated_list(
                Parser.Delimiter.NONE, lambda: _parse_input(parser)
            )
            parser.parse_punctuation(")")
        parser.parse_punctuation(":")
        cond = parser.resolve_operand(condition, parser.parse_type())
        types: Sequence[Attribute] = ()
        if operands:
            types = parser.parse_comma_separated_list(
                Parser.Delimiter.PAREN, parser.parse_type
            )
        inputs = parser.resolve_operands(operands, types, pos)
        results = parse_optional_types(parser)
        regions = [parser.parse_region()]
        parser.parse_keyword("else")
        regions.append(parser.parse_region())
        return cls.build(
            operands=(cond, inputs),
            result_types=(results,),
            regions=regions,
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.cond)
        inputs = self.operands[1:]
        if inputs:
            printer.print_string(" ")
            print_assignments(printer, self.true_region.block.args, inputs)
        printer.print_string(" : ")
        printer.print_attribute(self.cond.type)
        if inputs:
            printer.print_string(" (")
            printer.print_list(inputs, lambda v: printer.print_attribute(v.type))
            printer.print_string(")")
        print_type_or_types(printer, self.result_types)
        printer.print_string(" ")
        printer.print_region(self.true_region)
        printer.print_string(" else ")
        printer.print_region(self.false_region)
        printer.print_op_attributes(self.attributes)

    def check(self) -> None:
        inputs = [value.type for value in self.operands[1:]]
        for region in (self.true_region, self.false_region):
            _require_region(self, region, inputs, self.result_types)


def _parse_input(parser: Parser) -> UnresolvedOperand:
    """Parse `%argument = %operand`; the block names its arguments again."""
    parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    return parser.parse_unresolved_operand()


class WhileOp(IRDLOperation):
    """Run a region as long as another one yields true."""

    name = "tosa.while_loop"

    inputs = var_operand_def(TensorType)
    output = var_result_def(TensorType)
    cond_graph = region_def("single_block")
    body_graph = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> WhileOp:
        names, operands = parse_assignments(parser)
        parser.parse_punctuation(":")
        pos = parser.pos
        type_ = parser.parse_function_type()
        inputs = parser.resolve_operands(operands, type_.inputs.data, pos)
        condition = parser.parse_region(
            resolve_arguments(parser, names, type_.inputs.data)
        )
        parser.parse_keyword("do")
        body = parser.parse_region()
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return cls.build(
            operands=(inputs,),
            result_types=(type_.outputs.data,),
            regions=(condition, body),
            attributes={} if attributes is None else attributes.data,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_assignments(printer, self.cond_graph.block.args, self.operands)
        printer.print_string(" : ")
        printer.print_operation_type(self)
        print_body(printer, self.cond_graph)
        printer.print_string(" do ")
        printer.print_region(self.body_graph)
        printer.print_op_attributes(self.attributes, print_keyword=True)

    def check(self) -> None:
        types = [value.type for value in self.operands]
        if types != [*self.result_types]:
            raise VerifyException(f"'{self.name}' expects results of its inputs' types")
        _require_region(self, self.cond_graph, types, (_CONDITION,))
        _require_region(self, self.body_graph, types, types)


for _op in (YieldOp, IfOp, WhileOp):
    standalone_op_definition(_op)
