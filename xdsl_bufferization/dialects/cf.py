"""The cf dialect: xDSL's, with branch weights and checks of what successors are given."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import cf
from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i1, i32
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Block, Dialect, Operation, SSAValue
from xdsl.irdl import opt_prop_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from .definitions import refined_op_definition
from .syntax import int_array, parse_optional_typed_operands


def _verify_successor(
    op: Operation, index: int, block: Block, operands: Sequence[SSAValue]
) -> None:
    """Check the operands given to a successor against its block arguments."""
    if len(operands) != len(block.args):
        raise VerifyException(
            f"'{op.name}' branch has {len(operands)} operands for successor #{index}, "
            f"but target block has {len(block.args)}"
        )
    for i, (operand, arg) in enumerate(zip(operands, block.args, strict=True)):
        if operand.type != arg.type:
            raise VerifyException(
                f"'{op.name}' type mismatch for argument #{i} of successor #{index}: "
                f"{operand.type} and {arg.type}"
            )


def _print_successor(
    printer: Printer, block: Block, operands: Sequence[SSAValue]
) -> None:
    printer.print_block_name(block)
    if operands:
        printer.print_string("(")
        printer.print_list(operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list(
            [operand.type for operand in operands], printer.print_attribute
        )
        printer.print_string(")")


@refined_op_definition
class BranchOp(cf.BranchOp):
    """Goes to a block."""

    traits = traits_def(IsTerminator(), Pure(), cf.BranchOpHasCanonicalizationPatterns())

    def verify_(self) -> None:
        _verify_successor(self, 0, self.successors[0], self.operands)


@refined_op_definition
class ConditionalBranchOp(cf.ConditionalBranchOp):
    """Goes to one of two blocks."""

    branch_weights = opt_prop_def(DenseArrayBase.constr(i32))

    traits = traits_def(
        IsTerminator(), Pure(), cf.ConditionalBranchOpHasCanonicalizationPatterns()
    )

    @classmethod
    def parse(cls, parser: Parser) -> ConditionalBranchOp:
        condition = parser.parse_operand(i1)
        weights = None
        if parser.parse_optional_keyword("weights") is not None:
            parser.parse_punctuation("(")
            values = parser.parse_comma_separated_list(
                Parser.Delimiter.SQUARE, parser.parse_integer
            )
            parser.parse_punctuation(")")
            weights = int_array(parser, values, i32)
        parser.parse_punctuation(",")
        then_block = parser.parse_successor()
        then_operands = parse_optional_typed_operands(parser)
        parser.parse_punctuation(",")
        else_block = parser.parse_successor()
        else_operands = parse_optional_typed_operands(parser)
        op = cls(condition, then_block, then_operands, else_block, else_operands)
        if weights is not None:
            op.properties["branch_weights"] = weights
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operands[0])
        if self.branch_weights is not None:
            printer.print_string(" weights([")
            printer.print_list(self.branch_weights.iter_values(), printer.print_int)
            printer.print_string("])")
        printer.print_string(", ")
        _print_successor(printer, self.successors[0], self.then_arguments)
        printer.print_string(", ")
        _print_successor(printer, self.successors[1], self.else_arguments)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        _verify_successor(self, 0, self.successors[0], self.then_arguments)
        _verify_successor(self, 1, self.successors[1], self.else_arguments)
        weights = self.branch_weights
        if weights is not None and len(weights) != 2:
            raise VerifyException(
                f"'{self.name}' expects number of branch weights to match number of "
                f"successors: {len(weights)} vs 2"
            )


@refined_op_definition
class SwitchOp(cf.SwitchOp):
    """Goes to the block whose case value an integer has, or else to the default block."""

    def verify_(self) -> None:
        flag = self.operands[0].type
        if not isinstance(flag, IntegerType):
            raise VerifyException(f"'{self.name}' expects an integer flag, got {flag}")
        default, *blocks = self.successors
        segments = self.case_operand_segments.get_values()
        values = self.case_values
        count = 0 if values is None else len(values)
        if count != len(blocks) or len(segments) != len(blocks):
            raise VerifyException(
                f"'{self.name}' number of case values should match number of case "
                f"destinations, {len(blocks)}"
            )
        if values is not None and values.get_element_type() != flag:
            raise VerifyException(
                f"'{self.name}' 'flag' type ({flag}) should match case value type "
                f"({values.get_element_type()})"
            )
        if sum(segments) != len(self.case_operands) or any(n < 0 for n in segments):
            raise VerifyException(
                f"'{self.name}' case operand segments do not sum to the number of case "
                "operands"
            )
        _verify_successor(self, 0, default, self.default_operands)
        for i, (block, operands) in enumerate(
            zip(blocks, self.case_operand, strict=True)
        ):
            _verify_successor(self, i + 1, block, operands)


CondBranchOp = ConditionalBranchOp

Cf = Dialect("cf", [AssertOp, BranchOp, ConditionalBranchOp, SwitchOp])
