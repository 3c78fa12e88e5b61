"""Ops of linalg that are not structured: pack, unpack, softmax, Winograd transforms."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.definitions import CanonicalizedBy
from xdsl_bufferization.dialects.lazy_formats import op_definition
from xdsl_bufferization.dialects.shapes import (
    IntArray,
    element_type_of,
    same_dimensions,
    shape_of,
    verify_mixed_list,
)
from xdsl_bufferization.dialects.syntax import (
    int_array,
    parse_mixed_indices,
    parse_optional_types,
    print_mixed_indices,
    print_type_or_types,
)

from .attrs import WinogradConv2DFmr
from .structured import (
    StructuredEffects,
    parse_typed_operands,
    print_dimensions,
    print_typed_operands,
    tensor_types,
)

I64_ARRAY = DenseArrayBase.constr(i64)
SHAPED = base(TensorType) | base(MemRefType)


def _int_array(values: IntArray | Sequence[int]) -> IntArray:
    if isinstance(values, DenseArrayBase):
        return values
    return DenseArrayBase.from_list(i64, list(values))


def _parse_int_list(parser: Parser, name: str) -> IntArray:
    parser.parse_punctuation("=")
    values = parser.parse_comma_separated_list(
        Parser.Delimiter.SQUARE, parser.parse_integer
    )
    return int_array(parser, values)


@op_definition
class PackOp(IRDLOperation):
    """Tiles dimensions of a tensor and moves the tiles to the end, padded if need be."""

    name = "linalg.pack"

    source = operand_def(SHAPED)
    dest = operand_def(SHAPED)
    padding_value = opt_operand_def(AnyAttr())
    inner_tiles = var_operand_def(IndexType)
    outer_dims_perm = opt_prop_def(I64_ARRAY)
    inner_dims_pos = prop_def(I64_ARRAY)
    static_inner_tiles = prop_def(I64_ARRAY)
    result = var_result_def(TensorType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(StructuredEffects(), CanonicalizedBy("linalg"))

    def __init__(
        self,
        source: SSAValue,
        dest: SSAValue,
        inner_dims_pos: IntArray | Sequence[int],
        static_inner_tiles: IntArray | Sequence[int],
        inner_tiles: Sequence[SSAValue] = (),
        padding_value: SSAValue | None = None,
        outer_dims_perm: IntArray | Sequence[int] | None = None,
    ):
        super().__init__(
            operands=(source, dest, padding_value, inner_tiles),
            result_types=(tensor_types([dest]),),
            properties={
                "outer_dims_perm": (
                    None if outer_dims_perm is None else _int_array(outer_dims_perm)
                ),
                "inner_dims_pos": _int_array(inner_dims_pos),
                "static_inner_tiles": _int_array(static_inner_tiles),
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> PackOp:
        source = parser.parse_unresolved_operand()
        padding = None
        if parser.parse_optional_keyword("padding_value") is not None:
            parser.parse_punctuation("(")
            operand = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            padding = parser.resolve_operand(operand, parser.parse_type())
            parser.parse_punctuation(")")
        layout = _parse_layout(parser)
        dest, attributes, source_type, dest_type = _parse_relayout_end(parser)
        op = cls(
            parser.resolve_operand(source, source_type),
            parser.resolve_operand(dest, dest_type),
            layout[1],
            layout[3],
            layout[2],
            padding,
            layout[0],
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        if self.padding_value is not None:
            printer.print_string(" padding_value(")
            printer.print_ssa_value(self.padding_value)
            printer.print_string(" : ")
            printer.print_attribute(self.padding_value.type)
            printer.print_string(")")
        _print_relayout_end(printer, self)

    def verify_(self) -> None:
        _verify_relayout(self, self.source.type, self.dest.type)
        padding = self.padding_value
        element = element_type_of(self.source.type)
        if padding is not None and padding.type != element:
            raise VerifyException(
                f"'{self.name}' expected padding_value has {element} but got: "
                f"{padding.type}"
            )
        if padding is None:
            _verify_full_tiles(self)


@op_definition
class UnPackOp(IRDLOperation):
    """Undoes a pack: puts tiles back where they were, and drops the padding."""

    name = "linalg.unpack"

    source = operand_def(SHAPED)
    dest = operand_def(SHAPED)
    inner_tiles = var_operand_def(IndexType)
    outer_dims_perm = opt_prop_def(I64_ARRAY)
    inner_dims_pos = prop_def(I64_ARRAY)
    static_inner_tiles = prop_def(I64_ARRAY)
    result = var_result_def(TensorType)

    traits = traits_def(StructuredEffects(), CanonicalizedBy("linalg"))

    def __init__(
        self,
        source: SSAValue,
        dest: SSAValue,
        inner_dims_pos: IntArray | Sequence[int],
        static_inner_tiles: IntArray | Sequence[int],
        inner_tiles: Sequence[SSAValue] = (),
        outer_dims_perm: IntArray | Sequence[int] | None = None,
    ):
        super().__init__(
            operands=(source, dest, inner_tiles),
            result_types=(tensor_types([dest]),),
            properties={
                "outer_dims_perm": (
                    None if outer_dims_perm is None else _int_array(outer_dims_perm)
                ),
                "inner_dims_pos": _int_array(inner_dims_pos),
                "static_inner_tiles": _int_array(static_inner_tiles),
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> UnPackOp:
        source = parser.parse_unresolved_operand()
        layout = _parse_layout(parser)
        dest, attributes, source_type, dest_type = _parse_relayout_end(parser)
        op = cls(
            parser.resolve_operand(source, source_type),
            parser.resolve_operand(dest, dest_type),
            layout[1],
            layout[3],
            layout[2],
            layout[0],
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        _print_relayout_end(printer, self)

    def verify_(self) -> None:
        _verify_relayout(self, self.dest.type, self.source.type)


def _parse_layout(parser: Parser):
    perm = None
    if parser.parse_optional_keyword("outer_dims_perm") is not None:
        perm = _parse_int_list(parser, "outer_dims_perm")
    parser.parse_keyword("inner_dims_pos")
    positions = _parse_int_list(parser, "inner_dims_pos")
    parser.parse_keyword("inner_tiles")
    parser.parse_punctuation("=")
    tiles, static = parse_mixed_indices(parser)
    return perm, positions, tiles, static


def _parse_relayout_end(parser: Parser):
    parser.parse_keyword("into")
    dest = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    source_type = parser.parse_type()
    dest_type = source_type
    if parser.parse_optional_punctuation("->") is not None:
        dest_type = parser.parse_type()
    return dest, attributes, source_type, dest_type


def _print_relayout_end(printer: Printer, op: PackOp | UnPackOp) -> None:
    if op.outer_dims_perm is not None and len(op.outer_dims_perm):
        print_dimensions(printer, "outer_dims_perm", op.outer_dims_perm)
    print_dimensions(printer, "inner_dims_pos", op.inner_dims_pos)
    printer.print_string(" inner_tiles = ")
    print_mixed_indices(printer, op.inner_tiles, op.static_inner_tiles)
    printer.print_string(" into ")
    printer.print_ssa_value(op.dest)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.source.type)
    printer.print_string(" -> ")
    printer.print_attribute(op.dest.type)


def _verify_relayout(op: PackOp | UnPackOp, plain: Attribute, packed: Attribute) -> None:
    """Check the layout, and the packed shape against it."""
    shape, packed_shape = shape_of(plain) or (), shape_of(packed) or ()
    rank = len(shape)
    positions = op.inner_dims_pos.get_values()
    tiles = op.static_inner_tiles.get_values()
    perm = op.outer_dims_perm.get_values() if op.outer_dims_perm is not None else ()
    verify_mixed_list(op, "inner tile", op.inner_tiles, op.static_inner_tiles)
    if element_type_of(plain) != element_type_of(packed):
        raise VerifyException(f"'{op.name}' expects source and dest of one element type")
    if [result.type for result in op.result] != tensor_types([op.dest]):
        raise VerifyException(f"'{op.name}' expects a result of the type of dest")
    if 0 in tiles:
        raise VerifyException(f"'{op.name}' invalid zero tile factor")
    if (
        len(positions) > rank
        or len(set(positions)) != len(positions)
        or any(not 0 <= i < rank for i in positions)
    ):
        raise VerifyException(f"'{op.name}' invalid inner_dims_pos vector")
    if perm and sorted(perm) != list(range(rank)):
        raise VerifyException(f"'{op.name}' invalid outer_dims_perm vector")
    if len(tiles) != len(positions):
        raise VerifyException(
            f"'{op.name}' tiling factors must equal the number of dimensions to tile"
        )
    if len(packed_shape) != rank + len(tiles):
        raise VerifyException(
            f"'{op.name}' packed rank != (unpacked rank + num tiling factors), got "
            f"{len(packed_shape)} != {rank + len(tiles)}"
        )
    outer = list(shape)
    for position, tile in zip(positions, tiles, strict=True):
        if DYNAMIC_INDEX in (outer[position], tile):
            outer[position] = DYNAMIC_INDEX
        else:
            outer[position] = -(-outer[position] // tile)
    if perm:
        outer = [outer[i] for i in perm]
    expected = (*outer, *tiles)
    if not same_dimensions(expected, packed_shape):
        raise VerifyException(
            f"'{op.name}' expected a packed domain of shape {list(expected)}, got "
            f"{packed}"
        )


def _verify_full_tiles(op: PackOp) -> None:
    shape = shape_of(op.source.type) or ()
    for position, tile in zip(
        op.inner_dims_pos.get_values(), op.static_inner_tiles.get_values(), strict=True
    ):
        if DYNAMIC_INDEX not in (shape[position], tile) and shape[position] % tile:
            raise VerifyException(
                f"'{op.name}' invalid tile factor or output size provided. Only full "
                "tiles are supported when padding_value is not set"
            )


@op_definition
class SoftmaxOp(IRDLOperation):
    """Normalizes the exponentials of a tensor along one dimension."""

    name = "linalg.softmax"

    input = operand_def(SHAPED)
    output = operand_def(SHAPED)
    dimension = prop_def(IntegerAttr)
    result = var_result_def(TensorType)

    traits = traits_def(StructuredEffects())

    def __init__(
        self,
        input: SSAValue,
        output: SSAValue,
        dimension: int | Attribute,
        result_types: Sequence[Attribute] | None = None,
    ):
        if isinstance(dimension, int):
            dimension = IntegerAttr(dimension, i64)
        if result_types is None:
            result_types = tensor_types([output])
        super().__init__(
            operands=(input, output),
            result_types=(result_types,),
            properties={"dimension": dimension},
        )

    @classmethod
    def parse(cls, parser: Parser) -> SoftmaxOp:
        attributes = parser.parse_optional_attr_dict()
        parser.parse_keyword("dimension")
        parser.parse_punctuation("(")
        dimension = parser.parse_integer()
        parser.parse_punctuation(")")
        operands = (
            *parse_typed_operands(parser, "ins"),
            *parse_typed_operands(parser, "outs"),
        )
        if len(operands) != 2:
            parser.raise_error("expected one input and one output")
        op = cls(*operands, dimension, parse_optional_types(parser))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(f" dimension({self.dimension.value.data})")
        print_typed_operands(printer, "ins", self.operands[:1])
        print_typed_operands(printer, "outs", self.operands[1:])
        print_type_or_types(printer, self.result_types)

    def verify_(self) -> None:
        source, dest = (operand.type for operand in self.operands)
        if element_type_of(source) != element_type_of(dest):
            raise VerifyException(
                f"'{self.name}' input and output must have the same element type; got "
                f"{source} and {dest}"
            )
        if not same_dimensions(shape_of(source) or (), shape_of(dest) or ()):
            raise VerifyException(f"'{self.name}' incompatible output shape")
        rank = len(shape_of(source) or ())
        if not 0 <= self.dimension.value.data < rank:
            raise VerifyException(f"'{self.name}' incorrect dimension specified")


class _WinogradTransform(IRDLOperation):
    """A transform between the domains of a Winograd convolution."""

    @classmethod
    def parse(cls, parser: Parser):
        attributes = parser.parse_optional_attr_dict()
        parser.parse_keyword("fmr")
        parser.parse_punctuation("(")
        names = [kind.value for kind in WinogradConv2DFmr]
        fmr = names.index(parser.parse_keyword_in(names))
        parser.parse_punctuation(")")
        operands = (
            *parse_typed_operands(parser, "ins"),
            *parse_typed_operands(parser, "outs"),
        )
        if len(operands) != 2:
            parser.raise_error("expected one input and one output")
        types = parse_optional_types(parser)
        return cls.build(
            operands=operands,
            result_types=types,
            properties={"fmr": IntegerAttr(fmr, i32)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        fmr = self.properties["fmr"]
        assert isinstance(fmr, IntegerAttr)
        printer.print_string(f" fmr({list(WinogradConv2DFmr)[fmr.value.data].value})")
        print_typed_operands(printer, "ins", self.operands[:1])
        print_typed_operands(printer, "outs", self.operands[1:])
        print_type_or_types(printer, self.result_types)


def _verify_winograd(op: IRDLOperation, source_rank: int, result_rank: int) -> None:
    source, output = (operand.type for operand in op.operands)
    if element_type_of(source) != element_type_of(output):
        raise VerifyException(f"'{op.name}' expects operands of one element type")
    if op.results[0].type != output:
        raise VerifyException(f"'{op.name}' expects a result of the type of its output")
    for type, rank in ((source, source_rank), (output, result_rank)):
        if len(shape_of(type) or ()) != rank:
            raise VerifyException(f"'{op.name}' expects a {rank}D tensor, got {type}")
    fmr = op.properties["fmr"]
    if not isinstance(fmr, IntegerAttr) or not 0 <= fmr.value.data < len(
        WinogradConv2DFmr
    ):
        raise VerifyException(f"'{op.name}' has an unknown fmr")


@op_definition
class WinogradFilterTransformOp(_WinogradTransform):
    """Transforms a filter."""

    name = "linalg.winograd_filter_transform"

    filter = operand_def(TensorType)
    output = operand_def(TensorType)
    fmr = prop_def(IntegerAttr)
    result = result_def(TensorType)

    traits = traits_def(Pure())

    def verify_(self) -> None:
        _verify_winograd(self, 4, 4)


@op_definition
class WinogradInputTransformOp(_WinogradTransform):
    """Transforms an image."""

    name = "linalg.winograd_input_transform"

    input = operand_def(TensorType)
    output = operand_def(TensorType)
    fmr = prop_def(IntegerAttr)
    result = result_def(TensorType)

    traits = traits_def(Pure())

    def verify_(self) -> None:
        _verify_winograd(self, 4, 6)


@op_definition
class WinogradOutputTransformOp(_WinogradTransform):
    """Transforms the product back."""

    name = "linalg.winograd_output_transform"

    value = operand_def(TensorType)
    output = operand_def(TensorType)
    fmr = prop_def(IntegerAttr)
    result = result_def(TensorType)

    traits = traits_def(Pure())

    def verify_(self) -> None:
        _verify_winograd(self, 6, 4)
