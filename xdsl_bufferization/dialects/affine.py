"""The affine dialect: xDSL's, with symbols in accesses, if and parallel, and more ops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, cast

from xdsl.dialects import affine
from xdsl.dialects.affine import ApplyOp, YieldOp
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Dialect, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.parser.affine_parser import AffineParser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.lazy_formats import op_definition
from xdsl_bufferization.dialects.shapes import is_memref

from .definitions import refined_op_definition
from .memref import ATOMIC_KINDS, combines
from .syntax import (
    INDEX,
    ensure_terminated,
    parse_arguments,
    parse_mixed_indices,
    parse_optional_types,
    print_body,
    print_mixed_indices,
    print_optional_types,
    print_type_or_types,
)
from .terminators import entry_block, verify_yield

T = TypeVar("T")


class AccessParser:
    """Parses affine expressions over values: `%i + 1`, `symbol(%n) * 2`.

    Values are dimensions but for those in `symbol(...)`; each is an operand once.
    """

    def __init__(self, parser: Parser):
        self.parser = parser
        self.affine = AffineParser(parser._parser_state)  # pyright: ignore[reportPrivateUsage]
        self.dims: list[SSAValue] = []
        self.symbols: list[SSAValue] = []

    def expression(self) -> AffineExpr:
        return self.affine._parse_affine_expr(self._value)  # pyright: ignore[reportPrivateUsage]

    def expressions(self) -> list[AffineExpr]:
        return self.parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, self.expression
        )

    def map(self, results: Sequence[AffineExpr]) -> AffineMapAttr:
        return AffineMapAttr(AffineMap(len(self.dims), len(self.symbols), tuple(results)))

    @property
    def operands(self) -> list[SSAValue]:
        return [*self.dims, *self.symbols]

    def _value(self) -> AffineExpr | None:
        if self.parser.parse_optional_keyword("symbol") is not None:
            self.parser.parse_punctuation("(")
            value = self.parser.parse_operand(INDEX)
            self.parser.parse_punctuation(")")
            return AffineSymExpr(_position(self.symbols, value))
        operand = self.parser.parse_optional_unresolved_operand()
        if operand is None:
            return None
        value = self.parser.resolve_operand(operand, INDEX)
        return AffineDimExpr(_position(self.dims, value))


def _position(values: list[SSAValue], value: SSAValue) -> int:
    for i, other in enumerate(values):
        if other is value:
            return i
    values.append(value)
    return len(values) - 1


_PRECEDENCE = {AffineBinaryOpKind.Add: 1}


def print_expression(
    printer: Printer,
    expr: AffineExpr,
    dims: Sequence[SSAValue],
    symbols: Sequence[SSAValue],
    outer: int = 0,
) -> None:
    if isinstance(expr, AffineConstantExpr):
        printer.print_string(str(expr.value))
    elif isinstance(expr, AffineDimExpr):
        printer.print_ssa_value(dims[expr.position])
    elif isinstance(expr, AffineSymExpr):
        printer.print_string("symbol(")
        printer.print_ssa_value(symbols[expr.position])
        printer.print_string(")")
    elif isinstance(expr, AffineBinaryOpExpr):
        precedence = _PRECEDENCE.get(expr.kind, 2)
        if precedence < outer:
            printer.print_string("(")
        print_expression(printer, expr.lhs, dims, symbols, precedence)
        printer.print_string(f" {expr.kind.get_token()} ")
        print_expression(printer, expr.rhs, dims, symbols, precedence + 1)
        if precedence < outer:
            printer.print_string(")")


def _print_access(
    printer: Printer, memref: SSAValue, map: AffineMapAttr, operands: Sequence[SSAValue]
) -> None:
    dims = operands[: map.data.num_dims]
    symbols = operands[map.data.num_dims :]
    printer.print_ssa_value(memref)
    printer.print_string("[")
    printer.print_list(
        map.data.results, lambda expr: print_expression(printer, expr, dims, symbols)
    )
    printer.print_string("]")


def _print_load(printer: Printer, op: Operation, map: AffineMapAttr) -> None:
    memref, *operands = op.operands
    printer.print_string(" ")
    _print_access(printer, memref, map, operands)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(memref.type)


def _print_store(printer: Printer, op: Operation, map: AffineMapAttr) -> None:
    value, memref, *operands = op.operands
    printer.print_string(" ")
    printer.print_ssa_value(value)
    printer.print_string(", ")
    _print_access(printer, memref, map, operands)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(memref.type)


def _verify_access(
    op: Operation, memref: Attribute, map: Attribute, operands: Sequence[SSAValue]
) -> None:
    assert is_memref(memref) and isinstance(map, AffineMapAttr)
    if len(operands) != map.data.num_dims + map.data.num_symbols:
        raise VerifyException(
            f"'{op.name}' expects as many subscripts as affine map inputs: "
            f"{map.data.num_dims + map.data.num_symbols}, got {len(operands)}"
        )
    if len(map.data.results) != memref.get_num_dims():
        raise VerifyException(
            f"'{op.name}' affine map num results must equal memref rank, "
            f"{memref.get_num_dims()}"
        )


def _parse_access(
    parser: Parser,
) -> tuple[
    UnresolvedOperand, MemRefType, AffineMapAttr, list[SSAValue], dict[str, Attribute]
]:
    memref = parser.parse_unresolved_operand()
    access = AccessParser(parser)
    map = access.map(access.expressions())
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    return memref, _memref_type(parser), map, access.operands, attributes


def _memref_type(parser: Parser) -> MemRefType:
    type = parser.parse_type()
    if not is_memref(type):
        parser.raise_error("expected a memref type")
    return type


@refined_op_definition
class LoadOp(affine.LoadOp):
    """An element of a buffer at affine subscripts."""

    traits = traits_def(MemoryReadEffect())

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        memref, type, map, operands, attributes = _parse_access(parser)
        op = cls(parser.resolve_operand(memref, type), operands, map, type.element_type)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        _print_load(printer, self, self.map)

    def verify_(self) -> None:
        _verify_access(self, self.operands[0].type, self.map, self.operands[1:])


@refined_op_definition
class StoreOp(affine.StoreOp):
    """Sets an element of a buffer at affine subscripts."""

    traits = traits_def(MemoryWriteEffect())

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        memref, type, map, operands, attributes = _parse_access(parser)
        op = cls(
            parser.resolve_operand(value, type.element_type),
            parser.resolve_operand(memref, type),
            operands,
            map,
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        _print_store(printer, self, self.map)

    def verify_(self) -> None:
        _verify_access(self, self.operands[1].type, self.map, self.operands[2:])


@refined_op_definition
class VectorLoadOp(affine.VectorLoadOp):
    """A vector of neighbouring elements at affine subscripts."""

    traits = traits_def(MemoryReadEffect())

    @classmethod
    def parse(cls, parser: Parser) -> VectorLoadOp:
        memref, type, map, operands, attributes = _parse_access(parser)
        parser.parse_punctuation(",")
        return cls.build(
            operands=[parser.resolve_operand(memref, type), operands],
            result_types=[parser.parse_type()],
            properties={"map": map},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        _print_load(printer, self, self.map)
        printer.print_string(", ")
        printer.print_attribute(self.results[0].type)

    def verify_(self) -> None:
        _verify_access(self, self.operands[0].type, self.map, self.operands[1:])


@refined_op_definition
class VectorStoreOp(affine.VectorStoreOp):
    """Stores a vector in neighbouring elements at affine subscripts."""

    traits = traits_def(MemoryWriteEffect())

    @classmethod
    def parse(cls, parser: Parser) -> VectorStoreOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        memref, type, map, operands, attributes = _parse_access(parser)
        parser.parse_punctuation(",")
        vector = parser.resolve_operand(value, parser.parse_type())
        return cls.build(
            operands=[vector, parser.resolve_operand(memref, type), operands],
            properties={"map": map},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        _print_store(printer, self, self.map)
        printer.print_string(", ")
        printer.print_attribute(self.operands[0].type)

    def verify_(self) -> None:
        _verify_access(self, self.operands[1].type, self.map, self.operands[2:])


@op_definition
class PrefetchOp(IRDLOperation):
    """Hints that an element at affine subscripts will be used soon."""

    name = "affine.prefetch"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr, prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")
    map = prop_def(AffineMapAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchOp:
        memref = parser.parse_unresolved_operand()
        access = AccessParser(parser)
        map = access.map(access.expressions())
        parser.parse_punctuation(",")
        mode = parser.parse_keyword_in(("read", "write"))
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        with parser.in_angle_brackets():
            locality = parser.parse_integer()
        parser.parse_punctuation(",")
        cache = parser.parse_keyword_in(("data", "instr"))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.build(
            operands=[
                parser.resolve_operand(memref, _memref_type(parser)),
                access.operands,
            ],
            properties={
                "isWrite": BoolAttr.from_bool(mode == "write"),
                "localityHint": IntegerAttr(locality, i32),
                "isDataCache": BoolAttr.from_bool(cache == "data"),
                "map": map,
            },
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        _print_access(printer, self.operands[0], self.map, self.operands[1:])
        mode = "write" if self.is_write.value.data else "read"
        cache = "data" if self.is_data_cache.value.data else "instr"
        printer.print_string(
            f", {mode}, locality<{self.locality_hint.value.data}>, {cache}"
        )
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)

    def verify_(self) -> None:
        _verify_access(self, self.operands[0].type, self.map, self.operands[1:])


def _parse_map_operands(parser: Parser) -> tuple[list[SSAValue], list[SSAValue]]:
    """Parse `(dims)[symbols]`."""

    def parse_index() -> SSAValue:
        return parser.parse_operand(INDEX)

    dims = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parse_index)
    symbols = parser.parse_optional_comma_separated_list(
        Parser.Delimiter.SQUARE, parse_index
    )
    return dims, symbols or []


def _verify_extremum(op: MaxOp | MinOp) -> None:
    map = op.map.data
    if len(op.operands) != map.num_dims + map.num_symbols:
        raise VerifyException(
            f"'{op.name}' operand count and affine map dimension and symbol count "
            "must match"
        )
    if not map.results:
        raise VerifyException(f"'{op.name}' affine map expect at least one result")


def _print_map_operands(
    printer: Printer, operands: Sequence[SSAValue], dims: int
) -> None:
    printer.print_string("(")
    printer.print_list(operands[:dims], printer.print_ssa_value)
    printer.print_string(")")
    if len(operands) > dims:
        printer.print_string("[")
        printer.print_list(operands[dims:], printer.print_ssa_value)
        printer.print_string("]")


@op_definition
class MaxOp(IRDLOperation):
    """The greatest of the results of an affine map."""

    name = "affine.max"

    arguments = var_operand_def(IndexType())
    map = prop_def(AffineMapAttr)
    result = result_def(IndexType())

    traits = traits_def(Pure())

    def __init__(self, operands: Sequence[SSAValue], map: AffineMapAttr):
        super().__init__(
            operands=(operands,), properties={"map": map}, result_types=(INDEX,)
        )

    @classmethod
    def parse(cls, parser: Parser) -> MaxOp:
        map = parser.parse_attribute()
        if not isinstance(map, AffineMapAttr):
            parser.raise_error("expected an affine map")
        dims, symbols = _parse_map_operands(parser)
        op = cls([*dims, *symbols], map)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.map)
        _print_map_operands(printer, self.operands, self.map.data.num_dims)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        _verify_extremum(self)


@refined_op_definition
class MinOp(affine.MinOp):
    """The smallest of the results of an affine map."""

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> MinOp:
        # xDSL's parser builds the class that it knows.
        op = super().parse(parser)
        op.__class__ = cls
        return cast(MinOp, op)

    def verify_(self) -> None:
        _verify_extremum(self)


@refined_op_definition
class ForOp(affine.ForOp):
    """A counted loop between affine bounds, with the effects of its body."""

    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> ForOp:
        op = super().parse(parser)
        # xDSL's parser builds the class that it knows.
        op.__class__ = cls
        return op

    def verify_(self) -> None:
        block = entry_block(self, self.body, "body")
        super().verify_()
        if self.step.type != INDEX:
            raise VerifyException(f"'{self.name}' expects a step of type index")
        for bound, map in (("lower", self.lowerBoundMap), ("upper", self.upperBoundMap)):
            if not map.data.results:
                raise VerifyException(
                    f"'{self.name}' expected {bound} bound map to have at least one "
                    "result"
                )
        verify_yield(self, block, YieldOp, "body")


@refined_op_definition
class IfOp(affine.IfOp):
    """Chooses between two regions by affine constraints."""

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        condition = parser.parse_attribute()
        if not isinstance(condition, AffineSetAttr):
            parser.raise_error("expected an affine set")
        pos, inputs = parser.pos, condition.data
        dims, symbols = _parse_map_operands(parser)
        if (len(dims), len(symbols)) != (inputs.num_dims, inputs.num_symbols):
            parser.raise_error(
                f"expected {inputs.num_dims} dimensions and {inputs.num_symbols} symbols",
                pos,
            )
        types = parse_optional_types(parser)
        then = ensure_terminated(parser.parse_region(), YieldOp.create)
        orelse = Region()
        if parser.parse_optional_keyword("else") is not None:
            orelse = ensure_terminated(parser.parse_region(), YieldOp.create)
        return cls.build(
            operands=[[*dims, *symbols]],
            result_types=[types],
            properties={"condition": condition},
            attributes=parser.parse_optional_attr_dict(),
            regions=[then, orelse],
        )

    def print(self, printer: Printer) -> None:
        has_results = bool(self.results)
        printer.print_string(" ")
        printer.print_attribute(self.condition)
        _print_map_operands(printer, self.operands, self.condition.data.num_dims)
        print_type_or_types(printer, self.result_types)
        print_body(printer, self.regions[0], print_terminators=has_results)
        if self.regions[1].blocks:
            printer.print_string(" else")
            print_body(printer, self.regions[1], print_terminators=has_results)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        inputs = self.condition.data.num_dims + self.condition.data.num_symbols
        if len(self.operands) != inputs:
            raise VerifyException(
                f"'{self.name}' operand count and integer set dimension and symbol count "
                "must match"
            )
        for name, region in zip(
            ("then region", "else region"), self.regions, strict=True
        ):
            if region.blocks or self.results or name == "then region":
                block = entry_block(self, region, name)
                if block.args:
                    raise VerifyException(f"'{self.name}' {name} has no arguments")
                verify_yield(self, block, YieldOp, name)


def _parse_bounds(
    parser: Parser, keyword: str
) -> tuple[AffineMapAttr, DenseIntOrFPElementsAttr, list[SSAValue]]:
    """Parse `(bound, keyword(bound, bound), ...)`."""
    access = AccessParser(parser)
    results: list[AffineExpr] = []
    groups: list[int] = []

    def parse_bound() -> None:
        if parser.parse_optional_keyword(keyword) is not None:
            group = parser.parse_comma_separated_list(
                Parser.Delimiter.PAREN, access.expression
            )
        else:
            group = [access.expression()]
        results.extend(group)
        groups.append(len(group))

    parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parse_bound)
    sizes = DenseIntOrFPElementsAttr.from_list(TensorType(i32, [len(groups)]), groups)
    return access.map(results), sizes, access.operands


def _print_bounds(
    printer: Printer,
    keyword: str,
    map: AffineMapAttr,
    groups: DenseIntOrFPElementsAttr,
    operands: Sequence[SSAValue],
) -> None:
    dims = operands[: map.data.num_dims]
    symbols = operands[map.data.num_dims :]
    results = list(map.data.results)
    printer.print_string("(")
    for i, size in enumerate(_group_sizes(groups)):
        group, results = results[:size], results[size:]
        printer.print_string(", " if i else "")
        printer.print_string(f"{keyword}(" if size != 1 else "")
        printer.print_list(group, lambda e: print_expression(printer, e, dims, symbols))
        printer.print_string(")" if size != 1 else "")
    printer.print_string(")")


@refined_op_definition
class ParallelOp(affine.ParallelOp):
    """A nest of loops over affine bounds whose iterations are independent."""

    reductions = prop_def(ArrayAttr)
    steps = prop_def(ArrayAttr)

    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> ParallelOp:
        variables = parse_arguments(parser)
        parser.parse_punctuation("=")
        lower_map, lower_groups, lower = _parse_bounds(parser, "max")
        parser.parse_keyword("to")
        upper_map, upper_groups, upper = _parse_bounds(parser, "min")
        steps = [1] * len(variables)
        if parser.parse_optional_keyword("step") is not None:
            steps = parser.parse_comma_separated_list(
                Parser.Delimiter.PAREN, parser.parse_integer
            )
        reductions: list[int] = []
        if parser.parse_optional_keyword("reduce") is not None:
            pos = parser.pos
            names = parser.parse_comma_separated_list(
                Parser.Delimiter.PAREN, parser.parse_str_literal
            )
            if not set(names) <= set(ATOMIC_KINDS):
                parser.raise_error("unknown reduction", pos)
            reductions = [ATOMIC_KINDS.index(name) for name in names]
        types = parse_optional_types(parser)
        body = parser.parse_region([variable.resolve(INDEX) for variable in variables])
        ensure_terminated(body, YieldOp.create)
        return cls.build(
            operands=[[*lower, *upper]],
            result_types=[types],
            properties={
                "lowerBoundsMap": lower_map,
                "lowerBoundsGroups": lower_groups,
                "upperBoundsMap": upper_map,
                "upperBoundsGroups": upper_groups,
                "steps": ArrayAttr(IntegerAttr(step, i64) for step in steps),
                "reductions": ArrayAttr(IntegerAttr(kind, i64) for kind in reductions),
            },
            attributes=parser.parse_optional_attr_dict(),
            regions=[body],
        )

    def print(self, printer: Printer) -> None:
        lower, upper = self.lowerBoundsMap, self.upperBoundsMap
        count = lower.data.num_dims + lower.data.num_symbols
        printer.print_string(" (")
        printer.print_list(self.body.block.args, printer.print_ssa_value)
        printer.print_string(") = ")
        operands = self.operands
        _print_bounds(printer, "max", lower, self.lowerBoundsGroups, operands[:count])
        printer.print_string(" to ")
        _print_bounds(printer, "min", upper, self.upperBoundsGroups, operands[count:])
        steps = _ints(self.steps)
        if any(step != 1 for step in steps):
            printer.print_string(f" step ({', '.join(map(str, steps))})")
        if self.reductions:
            names = [ATOMIC_KINDS[kind] for kind in _ints(self.reductions)]
            printer.print_string(" reduce (")
            printer.print_list(names, printer.print_string_literal)
            printer.print_string(")")
            print_optional_types(printer, self.result_types)
        print_body(printer, self.body, print_terminators=bool(self.results))
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        lower, upper = self.lowerBoundsMap.data, self.upperBoundsMap.data
        inputs = lower.num_dims + lower.num_symbols + upper.num_dims + upper.num_symbols
        block = entry_block(self, self.body, "body")
        rank = len(block.args)
        if len(self.operands) != inputs:
            raise VerifyException(
                f"'{self.name}' expects {inputs} operands for its bounds, got "
                f"{len(self.operands)}"
            )
        for groups, map in (
            (self.lowerBoundsGroups, lower),
            (self.upperBoundsGroups, upper),
        ):
            if len(groups) != rank or sum(groups.get_values()) != len(map.results):
                raise VerifyException(
                    f"'{self.name}' expects one group of bounds for each of its {rank} "
                    "loops"
                )
        if len(self.steps) != rank or len(self.reductions) != len(self.results):
            raise VerifyException(
                f"'{self.name}' expects a step for each loop and a reduction for each "
                "result"
            )
        if any(not 0 <= kind < len(ATOMIC_KINDS) for kind in _ints(self.reductions)):
            raise VerifyException(f"'{self.name}' has an unknown reduction")
        for kind, type in zip(_ints(self.reductions), self.result_types, strict=True):
            if not combines(ATOMIC_KINDS[kind], type):
                raise VerifyException(
                    f"'{self.name}' result type cannot match reduction "
                    f"{ATOMIC_KINDS[kind]}: {type}"
                )
        verify_yield(self, block, YieldOp, "body")


def _group_sizes(groups: DenseIntOrFPElementsAttr) -> list[int]:
    return [size for size in groups.get_values() if isinstance(size, int)]


def _ints(values: ArrayAttr) -> list[int]:
    return [value.value.data for value in values if isinstance(value, IntegerAttr)]


@op_definition
class DelinearizeIndexOp(IRDLOperation):
    """The index of each dimension, of an index of all elements in order."""

    name = "affine.delinearize_index"

    linear_index = operand_def(IndexType())
    dynamic_basis = var_operand_def(IndexType())
    static_basis = prop_def(DenseArrayBase.constr(i64))
    multi_index = var_result_def(IndexType())

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> DelinearizeIndexOp:
        index = parser.parse_operand(INDEX)
        parser.parse_keyword("into")
        dynamic, static = parse_mixed_indices(parser, Parser.Delimiter.PAREN)
        attributes = parser.parse_optional_attr_dict()
        types: Sequence[Attribute] = ()
        if parser.parse_optional_punctuation(":") is not None:
            types = parser.parse_comma_separated_list(
                Parser.Delimiter.NONE, parser.parse_type
            )
        return cls.build(
            operands=[index, dynamic],
            result_types=[types],
            properties={"static_basis": static},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operands[0])
        printer.print_string(" into ")
        print_mixed_indices(
            printer, self.operands[1:], self.static_basis, Parser.Delimiter.PAREN
        )
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.result_types, printer.print_attribute)

    def verify_(self) -> None:
        if len(self.results) not in (len(self.static_basis), len(self.static_basis) + 1):
            raise VerifyException(
                f"'{self.name}' should return an index for each basis element and up to "
                "one extra index"
            )


@op_definition
class LinearizeIndexOp(IRDLOperation):
    """The index of all elements in order, of an index of each dimension."""

    name = "affine.linearize_index"

    multi_index = var_operand_def(IndexType())
    dynamic_basis = var_operand_def(IndexType())
    static_basis = prop_def(DenseArrayBase.constr(i64))
    disjoint = opt_prop_def(UnitAttr | BoolAttr)
    linear_index = result_def(IndexType())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> LinearizeIndexOp:
        disjoint = parser.parse_optional_keyword("disjoint") is not None
        indices = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, lambda: parser.parse_operand(INDEX)
        )
        parser.parse_keyword("by")
        dynamic, static = parse_mixed_indices(parser, Parser.Delimiter.PAREN)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        parser.parse_type()
        return cls.build(
            operands=[indices, dynamic],
            result_types=[INDEX],
            properties={
                "static_basis": static,
                "disjoint": UnitAttr() if disjoint else None,
            },
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        if isinstance(self.disjoint, UnitAttr):
            printer.print_string(" disjoint")
        printer.print_string(" [")
        printer.print_list(self.multi_index, printer.print_ssa_value)
        printer.print_string("] by ")
        print_mixed_indices(
            printer, self.dynamic_basis, self.static_basis, Parser.Delimiter.PAREN
        )
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : index")


Affine = Dialect(
    "affine",
    [
        ApplyOp,
        DelinearizeIndexOp,
        ForOp,
        IfOp,
        LinearizeIndexOp,
        LoadOp,
        MaxOp,
        MinOp,
        ParallelOp,
        PrefetchOp,
        StoreOp,
        VectorLoadOp,
        VectorStoreOp,
        YieldOp,
    ],
)
