"""The ml_program dialect: xDSL's, with functions, access to globals, external values."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import ml_program
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
)
from xdsl.dialects.ml_program import GlobalOp
from xdsl.dialects.utils import parse_func_op_like
from xdsl.ir import (
    Attribute,
    Dialect,
    Operation,
    ParametrizedAttribute,
    Region,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_attr_definition,
    operand_def,
    opt_prop_def,
    param_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    ReturnLike,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from .definitions import standalone_op_definition, verify_also
from .function_syntax import FUNCTION_SYNTAX, print_function, print_visibility
from .lazy_formats import op_definition
from .symbol_lookup import find_symbol, symbol_table_of
from .syntax import parse_operands


@irdl_attr_definition
class ExternAttr(ParametrizedAttribute):
    """A value of a given type that another module has."""

    name = "ml_program.extern"

    type: Attribute = param_def()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        parser.parse_punctuation(":")
        return [parser.parse_type()]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(" : ")
        printer.print_attribute(self.type)


def _global_of(user: Operation, name: SymbolRefAttr) -> GlobalOp | None:
    """Return the global that a symbol names, which may be one of a module around that of
    the op, or None where no module is around the op."""
    scope, table = user, symbol_table_of(user)
    while table is not None:
        found = find_symbol(scope, name)
        if isinstance(found, GlobalOp):
            return found
        scope, table = table, symbol_table_of(table)
    if scope is user:
        return None
    raise VerifyException(f"'{user.name}' undefined global: {name}")


def _verify_load(op: Operation, name: SymbolRefAttr, *, is_const: bool = False) -> None:
    loaded = _global_of(op, name)
    if loaded is None:
        return
    if is_const and loaded.is_mutable is not None:
        raise VerifyException(
            f"'{op.name}' cannot load as const from mutable global {name}"
        )
    if loaded.type != op.results[0].type:
        raise VerifyException(
            f"'{op.name}' cannot load from global typed {loaded.type} as "
            f"{op.results[0].type}"
        )


def _verify_store(op: Operation, name: SymbolRefAttr) -> None:
    stored = _global_of(op, name)
    if stored is None:
        return
    if stored.is_mutable is None:
        raise VerifyException(f"'{op.name}' cannot store to an immutable global {name}")
    if stored.type != op.operands[0].type:
        raise VerifyException(
            f"'{op.name}' cannot store to a global typed {stored.type} from "
            f"{op.operands[0].type}"
        )


def _verify_global(op: GlobalOp) -> None:
    if op.is_mutable is None and op.value is None:
        raise VerifyException(f"'{op.name}' immutable global must have an initial value")


verify_also(GlobalOp, _verify_global)


@standalone_op_definition
class GlobalLoadConstOp(ml_program.GlobalLoadConstantOp):
    """The value of an immutable global."""

    name = "ml_program.global_load_const"

    global_attr = prop_def(SymbolRefAttr, prop_name="global")
    result = result_def(AnyAttr())

    traits = traits_def(Pure())

    assembly_format = "$global `:` type($result) attr-dict"

    def __init__(self, global_attr: str | Attribute, result_type: Attribute | None):
        if isinstance(global_attr, str):
            global_attr = SymbolRefAttr(global_attr)
        IRDLOperation.__init__(
            self, properties={"global": global_attr}, result_types=(result_type,)
        )

    def check(self) -> None:
        _verify_load(self, self.global_attr, is_const=True)


@op_definition
class GlobalLoadOp(IRDLOperation):
    """The value that a global has now."""

    name = "ml_program.global_load"

    global_attr = prop_def(SymbolRefAttr, prop_name="global")
    result = result_def(AnyAttr())

    traits = traits_def(MemoryReadEffect())

    assembly_format = "$global `:` type($result) attr-dict"

    def __init__(self, symbol: str | SymbolRefAttr, result_type: Attribute):
        if isinstance(symbol, str):
            symbol = SymbolRefAttr(symbol)
        super().__init__(properties={"global": symbol}, result_types=(result_type,))

    def verify_(self) -> None:
        _verify_load(self, self.global_attr)


@op_definition
class GlobalStoreOp(IRDLOperation):
    """Gives a global another value."""

    name = "ml_program.global_store"

    value = operand_def(AnyAttr())
    global_attr = prop_def(SymbolRefAttr, prop_name="global")

    traits = traits_def(MemoryWriteEffect())

    assembly_format = "$global `=` $value `:` type($value) attr-dict"

    def __init__(self, symbol: str | SymbolRefAttr, value: SSAValue | Operation):
        if isinstance(symbol, str):
            symbol = SymbolRefAttr(symbol)
        super().__init__(operands=(value,), properties={"global": symbol})

    def verify_(self) -> None:
        _verify_store(self, self.global_attr)


@irdl_attr_definition
class TokenType(ParametrizedAttribute, TypeAttribute):
    """Orders the effects of ops of a graph, which have no order among themselves."""

    name = "ml_program.token"


@op_definition
class TokenOp(IRDLOperation):
    """A new token."""

    name = "ml_program.token"

    token = result_def(TokenType)

    traits = traits_def(Pure())

    assembly_format = "attr-dict"

    def __init__(self):
        super().__init__(result_types=(TokenType(),))


@op_definition
class GlobalLoadGraphOp(IRDLOperation):
    """The value that a global has after the ops whose tokens are given."""

    name = "ml_program.global_load_graph"

    global_attr = prop_def(SymbolRefAttr, prop_name="global")
    consume_tokens = var_operand_def(TokenType)
    result = result_def(AnyAttr())
    produce_token = result_def(TokenType)

    traits = traits_def(MemoryReadEffect())

    @classmethod
    def parse(cls, parser: Parser) -> GlobalLoadGraphOp:
        symbol = _parse_symbol_reference(parser)
        tokens = _parse_ordering(parser)
        parser.parse_punctuation(":")
        return cls.create(
            operands=tokens,
            properties={"global": symbol},
            result_types=(parser.parse_type(), TokenType()),
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.global_attr)
        _print_ordering(printer, self.operands)
        printer.print_string(" : ")
        printer.print_attribute(self.results[0].type)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        _verify_load(self, self.global_attr)


@op_definition
class GlobalStoreGraphOp(IRDLOperation):
    """Gives a global another value after the ops whose tokens are given."""

    name = "ml_program.global_store_graph"

    global_attr = prop_def(SymbolRefAttr, prop_name="global")
    value = operand_def(AnyAttr())
    consume_tokens = var_operand_def(TokenType)
    produce_token = result_def(TokenType)

    traits = traits_def(MemoryWriteEffect())

    @classmethod
    def parse(cls, parser: Parser) -> GlobalStoreGraphOp:
        symbol = _parse_symbol_reference(parser)
        parser.parse_punctuation("=")
        value = parser.parse_unresolved_operand()
        tokens = _parse_ordering(parser)
        parser.parse_punctuation(":")
        return cls.create(
            operands=[parser.resolve_operand(value, parser.parse_type()), *tokens],
            properties={"global": symbol},
            result_types=(TokenType(),),
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        value, *tokens = self.operands
        printer.print_string(" ")
        printer.print_attribute(self.global_attr)
        printer.print_string(" = ")
        printer.print_operand(value)
        _print_ordering(printer, tokens)
        printer.print_string(" : ")
        printer.print_attribute(value.type)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        _verify_store(self, self.global_attr)


def _parse_symbol_reference(parser: Parser) -> SymbolRefAttr:
    symbol = parser.parse_attribute()
    if not isinstance(symbol, SymbolRefAttr):
        parser.raise_error("expected the symbol of a global")
    return symbol


def _parse_ordering(parser: Parser) -> Sequence[SSAValue]:
    """Parse `ordering(%tokens -> !ml_program.token)`, or nothing."""
    if parser.parse_optional_keyword("ordering") is None:
        return ()
    parser.parse_punctuation("(")
    tokens: list[SSAValue] = []
    if parser.parse_optional_punctuation("(") is not None:
        parser.parse_punctuation(")")
    else:
        tokens = [
            parser.resolve_operand(token, TokenType())
            for token in parse_operands(parser, Parser.Delimiter.NONE)
        ]
    parser.parse_punctuation("->")
    if parser.parse_type() != TokenType():
        parser.raise_error("expected the type of a token")
    parser.parse_punctuation(")")
    return tokens


def _print_ordering(printer: Printer, tokens: Sequence[SSAValue]) -> None:
    printer.print_string(" ordering(")
    if tokens:
        printer.print_list(tokens, printer.print_operand)
    else:
        printer.print_string("()")
    printer.print_string(" -> !ml_program.token)")


class _Callable(IRDLOperation):
    """A function, or the declaration of one that is defined elsewhere."""

    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    sym_visibility = opt_prop_def(StringAttr)
    body = region_def()

    def __init__(
        self,
        name: str,
        function_type: FunctionType,
        body: Region,
        *,
        visibility: StringAttr | None = None,
        arg_attrs: ArrayAttr[DictionaryAttr] | None = None,
        res_attrs: ArrayAttr[DictionaryAttr] | None = None,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "function_type": function_type,
                "arg_attrs": arg_attrs,
                "res_attrs": res_attrs,
                "sym_visibility": visibility,
            },
            regions=(body,),
        )

    @classmethod
    def parse(cls, parser: Parser):
        visibility = parser.parse_optional_visibility_keyword()
        name, inputs, outputs, body, attributes, arg_attrs, res_attrs = (
            parse_func_op_like(parser, reserved_attr_names=FUNCTION_SYNTAX)
        )
        op = cls(
            name,
            FunctionType.from_lists(inputs, outputs),
            body,
            visibility=visibility,
            arg_attrs=arg_attrs,
            res_attrs=res_attrs,
        )
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        print_visibility(printer, self.sym_visibility)
        print_function(printer, self)

    def verify_(self) -> None:
        entry = self.body.blocks.first
        if entry is not None and self.function_type.inputs.data != tuple(entry.arg_types):
            raise VerifyException(
                f"'{self.name}' entry block must have arguments of the types "
                f"{', '.join(map(str, self.function_type.inputs))}"
            )


@op_definition
class FuncOp(_Callable):
    """A function whose ops run in their order."""

    name = "ml_program.func"

    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())


@op_definition
class SubgraphOp(_Callable):
    """A function whose ops form a graph: they run when their operands are known."""

    name = "ml_program.subgraph"

    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())


class _Terminator(IRDLOperation):
    """Hands the results of the function that it ends to the caller."""

    arguments = var_operand_def(AnyAttr())

    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"

    def __init__(self, *arguments: SSAValue | Operation):
        super().__init__(operands=(arguments,))

    def verify_(self) -> None:
        parent = self.parent_op()
        assert isinstance(parent, _Callable)
        if parent.function_type.outputs.data != tuple(self.operand_types):
            raise VerifyException(
                f"'{self.name}' must have operands of the types that {parent.sym_name} "
                f"returns: {', '.join(map(str, parent.function_type.outputs))}"
            )


@op_definition
class ReturnOp(_Terminator):
    """The end of a function."""

    name = "ml_program.return"

    traits = traits_def(Pure(), HasParent(FuncOp), IsTerminator(), ReturnLike())


@op_definition
class OutputOp(_Terminator):
    """The end of a subgraph."""

    name = "ml_program.output"

    traits = traits_def(Pure(), HasParent(SubgraphOp), IsTerminator(), ReturnLike())


GlobalLoadConstantOp = GlobalLoadConstOp

MLProgram = Dialect(
    "ml_program",
    [
        FuncOp,
        GlobalLoadConstOp,
        GlobalLoadGraphOp,
        GlobalLoadOp,
        GlobalOp,
        GlobalStoreGraphOp,
        GlobalStoreOp,
        OutputOp,
        ReturnOp,
        SubgraphOp,
        TokenOp,
    ],
    [ExternAttr, TokenType, *ml_program.MLProgram.attributes],
)
