"""The vector dialect: xDSL's, and the ops of MLIR's that it lacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, TypeVar, cast

from xdsl.dialects import vector
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    VectorType,
    i64,
)
from xdsl.dialects.utils import AbstractYieldOperation, EnumAttribute
from xdsl.dialects.vector import (
    BroadcastOp,
    CombiningKindAttr,
    ExtractOp,
    FMAOp,
    InsertOp,
    ShuffleOp,
)
from xdsl.ir import Attribute, Block, Dialect, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_attr_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    RecursiveMemoryEffect,
    ReturnLike,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.dialects.lazy_formats import op_definition
from xdsl_bufferization.dialects.shapes import is_array, is_memref, is_tensor, is_vector

from .definitions import CanonicalizedBy, refined_op_definition, verify_also
from .effects import BufferEffects
from .syntax import parse_optional_types
from .vector_verification import (
    verify_broadcast,
    verify_constant_mask,
    verify_element_count,
    verify_extract,
    verify_extract_strided_slice,
    verify_insert,
    verify_insert_strided_slice,
    verify_interleaved,
    verify_kind,
    verify_multi_reduction,
    verify_shape_cast,
    verify_step,
    verify_transpose,
    verify_type_cast,
)

SHAPED = base(MemRefType) | base(TensorType)
VECTOR = base(VectorType)
I64_ARRAY = DenseArrayBase.constr(i64)


class PrintPunctuation(StrEnum):
    NO_PUNCTUATION = "no_punctuation"
    NEW_LINE = "newline"
    COMMA = "comma"
    OPEN = "open"
    CLOSE = "close"


class VectorIteratorType(StrEnum):
    PARALLEL = "parallel"
    REDUCTION = "reduction"


@irdl_attr_definition
class PunctuationAttr(EnumAttribute[PrintPunctuation]):
    """What vector.print prints after its operand."""

    name = "vector.punctuation"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> PrintPunctuation:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(PrintPunctuation)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)


@irdl_attr_definition
class IteratorTypeAttr(EnumAttribute[VectorIteratorType]):
    """The kind of a loop of vector.contract."""

    name = "vector.iterator_type"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> VectorIteratorType:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(VectorIteratorType)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)


@refined_op_definition
class LoadOp(vector.LoadOp):
    """Loads a vector of neighbouring elements of a buffer."""

    alignment = opt_prop_def(IntegerAttr)
    result = result_def(VECTOR)

    traits = traits_def(MemoryReadEffect())

    def verify_(self) -> None:
        base, *indices = self.operands
        _verify_access(self, base.type, len(indices), self.result.type)


@refined_op_definition
class StoreOp(vector.StoreOp):
    """Stores a vector in neighbouring elements of a buffer."""

    alignment = opt_prop_def(IntegerAttr)

    traits = traits_def(MemoryWriteEffect())

    def verify_(self) -> None:
        vector_, base, *indices = self.operands
        _verify_access(self, base.type, len(indices), vector_.type)


def _verify_access(
    op: Operation,
    base: Attribute,
    indices: int,
    vector_: Attribute,
    mask: Attribute | None = None,
    pass_thru: Attribute | None = None,
) -> None:
    """Verify the types of an op that moves a vector to or from a buffer or tensor.

    A buffer of vectors holds the very vectors that vector.load and vector.store move.
    """
    if not (is_memref(base) or is_tensor(base)) or not is_vector(vector_):
        return
    if base.get_num_dims() != indices:
        raise VerifyException(
            f"'{op.name}' requires {base.get_num_dims()} indices, got {indices}"
        )
    element = base.get_element_type()
    moved = vector_ if isinstance(element, VectorType) else vector_.get_element_type()
    if element != moved:
        raise VerifyException(
            f"'{op.name}' moves {moved} to or from {base}, whose elements are {element}"
        )
    if pass_thru is not None and pass_thru != vector_:
        raise VerifyException(
            f"'{op.name}' expects what masked places hold to be {vector_}, got "
            f"{pass_thru}"
        )
    if isinstance(mask, VectorType) and mask.get_shape() != vector_.get_shape():
        raise VerifyException(
            f"'{op.name}' expects a mask of the shape of {vector_}, got {mask}"
        )


@op_definition
class CompressStoreOp(IRDLOperation):
    """Stores the elements of a vector that a mask selects next to each other."""

    name = "vector.compressstore"

    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    mask = operand_def(VECTOR)
    value_to_store = operand_def(VECTOR)
    alignment = opt_prop_def(IntegerAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $value_to_store attr-dict "
        "`:` type($base) `,` type($mask) `,` type($value_to_store)"
    )

    traits = traits_def(MemoryWriteEffect())

    def verify_(self) -> None:
        _verify_access(
            self,
            self.base.type,
            len(self.indices),
            self.value_to_store.type,
            self.mask.type,
        )


@op_definition
class ConstantMaskOp(IRDLOperation):
    """A mask of a hyper-rectangle of constant sizes."""

    name = "vector.constant_mask"

    mask_dim_sizes = prop_def(I64_ARRAY)
    result = result_def(VECTOR)

    assembly_format = "$mask_dim_sizes attr-dict `:` type($result)"

    traits = traits_def(Pure())

    def verify_(self) -> None:
        verify_constant_mask(self, self.mask_dim_sizes.get_values(), self.result.type)


@op_definition
class ContractionOp(IRDLOperation):
    """Multiplies two vectors and combines the products into a third."""

    name = "vector.contract"

    lhs = operand_def(VECTOR)
    rhs = operand_def(VECTOR)
    acc = operand_def(AnyAttr())
    indexing_maps = prop_def(ArrayAttr)
    iterator_types = prop_def(ArrayAttr)
    kind = prop_def(CombiningKindAttr)
    result = result_def(AnyAttr())

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> ContractionOp:
        pos = parser.pos
        attributes = parser.parse_optional_attr_dict()
        operands = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        if len(operands) != 3:
            parser.raise_error("expected three operands", pos)
        attributes |= parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = [parser.parse_type()]
        parser.parse_punctuation(",")
        types.append(parser.parse_type())
        parser.parse_keyword("into")
        types.append(parser.parse_type())
        attributes.setdefault("kind", CombiningKindAttr(vector.CombiningKindFlag.ADD))
        properties = {
            name: attributes.pop(name)
            for name in ("indexing_maps", "iterator_types", "kind")
            if name in attributes
        }
        iterators = properties.get("iterator_types")
        if is_array(iterators):
            properties["iterator_types"] = ArrayAttr(
                _iterator_type(parser, iterator) for iterator in iterators
            )
        return cls.build(
            operands=parser.resolve_operands(operands, types, pos),
            result_types=[types[2]],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        shown: dict[str, Attribute] = {**self.properties, **self.attributes}
        shown["iterator_types"] = ArrayAttr(
            StringAttr(iterator.data.value)
            for iterator in self.iterator_types
            if isinstance(iterator, IteratorTypeAttr)
        )
        printer.print_op_attributes(shown)
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list(self.operand_types[:2], printer.print_attribute)
        printer.print_string(" into ")
        printer.print_attribute(self.operand_types[2])

    def verify_(self) -> None:
        if len(self.indexing_maps) != 3:
            raise VerifyException(
                f"'{self.name}' expected an indexing map for each vector operand"
            )


def _iterator_type(parser: Parser, attribute: Attribute) -> Attribute:
    if isinstance(attribute, StringAttr) and attribute.data in (
        "parallel",
        "reduction",
    ):
        return IteratorTypeAttr(VectorIteratorType(attribute.data))
    if isinstance(attribute, IteratorTypeAttr):
        return attribute
    return parser.raise_error(f"unknown iterator type {attribute}")


@refined_op_definition
class BitcastOp(vector.BitcastOp):
    """A vector of the same bits with elements of another type."""

    traits = traits_def(Pure())


@refined_op_definition
class ReductionOp(vector.ReductionOp):
    """Combines the elements of a vector."""

    traits = traits_def(Pure())

    def verify_(self) -> None:
        super().verify_()
        verify_kind(self, self.kind.data, self.vector)


@refined_op_definition
class CreateMaskOp(vector.CreateMaskOp):
    """A mask of a hyper-rectangle."""

    traits = traits_def(Pure())

    def verify_(self) -> None:
        type = self.results[0].type
        rank = len(type.get_shape()) if is_vector(type) else 0
        if len(self.operands) != max(rank, 1):
            raise VerifyException(
                f"'{self.name}' must specify an operand for each result vector dimension"
            )


@refined_op_definition
class MaskedLoadOp(vector.MaskedLoadOp):
    """Loads the elements that a mask selects."""

    mask = operand_def(VECTOR)
    alignment = opt_prop_def(IntegerAttr)
    result = result_def(VECTOR)

    irdl_options = (ParsePropInAttrDict(),)

    traits = traits_def(MemoryReadEffect())

    def verify_(self) -> None:
        _verify_access(
            self,
            self.base.type,
            len(self.indices),
            self.result.type,
            self.mask.type,
            self.pass_thru.type,
        )


@refined_op_definition
class MaskedStoreOp(vector.MaskedStoreOp):
    """Stores the elements that a mask selects."""

    mask = operand_def(VECTOR)
    value_to_store = operand_def(VECTOR)
    alignment = opt_prop_def(IntegerAttr)

    irdl_options = (ParsePropInAttrDict(),)

    traits = traits_def(MemoryWriteEffect())

    def verify_(self) -> None:
        _verify_access(
            self,
            self.base.type,
            len(self.indices),
            self.value_to_store.type,
            self.mask.type,
        )


@op_definition
class DeinterleaveOp(IRDLOperation):
    """The elements at even and at odd places of a vector."""

    name = "vector.deinterleave"

    T: ClassVar = VarConstraint("T", VECTOR)

    source = operand_def(VECTOR)
    res1 = result_def(VECTOR)
    res2 = result_def(VECTOR)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> DeinterleaveOp:
        operand = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.resolve_operand(operand, parser.parse_type())
        parser.parse_punctuation("->")
        type = parser.parse_type()
        return cls.build(
            operands=[source], result_types=[type, type], attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.res1.type)

    def verify_(self) -> None:
        verify_interleaved(self, self.res1, self.source)


@op_definition
class ExpandLoadOp(IRDLOperation):
    """Loads neighbouring elements into the places of a vector that a mask selects."""

    name = "vector.expandload"

    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    mask = operand_def(VECTOR)
    pass_thru = operand_def(VECTOR)
    alignment = opt_prop_def(IntegerAttr)
    result = result_def(VECTOR)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict "
        "`:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)"
    )

    traits = traits_def(MemoryReadEffect())

    def verify_(self) -> None:
        _verify_access(
            self,
            self.base.type,
            len(self.indices),
            self.result.type,
            self.mask.type,
            self.pass_thru.type,
        )


@op_definition
class ExtractStridedSliceOp(IRDLOperation):
    """A part of a vector."""

    name = "vector.extract_strided_slice"

    source = operand_def(VECTOR)
    offsets = prop_def(ArrayAttr)
    sizes = prop_def(ArrayAttr)
    strides = prop_def(ArrayAttr)
    result = result_def(VECTOR)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    traits = traits_def(Pure())

    def verify_(self) -> None:
        verify_extract_strided_slice(self, self.offsets, self.sizes, self.strides)


@op_definition
class FromElementsOp(IRDLOperation):
    """A vector of the given elements."""

    name = "vector.from_elements"

    T: ClassVar = VarConstraint("T", AnyAttr())

    elements = var_operand_def(T)
    dest = result_def(VectorType.constr(T))

    assembly_format = "$elements attr-dict `:` type($dest)"

    traits = traits_def(Pure())

    def verify_(self) -> None:
        verify_element_count(self, len(self.elements), self.dest.type)


@op_definition
class GatherOp(IRDLOperation):
    """Loads the elements that a vector of indices and a mask select."""

    name = "vector.gather"

    base = operand_def(SHAPED)
    offsets = var_operand_def(IndexType)
    indices = operand_def(VECTOR)
    mask = operand_def(VECTOR)
    pass_thru = operand_def(VECTOR)
    alignment = opt_prop_def(IntegerAttr)
    result = result_def(VECTOR)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict "
        "`:` type($base) `,` type($indices) `,` type($mask) `,` type($pass_thru) "
        "`into` type($result)"
    )

    traits = traits_def(MemoryReadEffect())

    def verify_(self) -> None:
        _verify_access(
            self,
            self.base.type,
            len(self.offsets),
            self.result.type,
            self.mask.type,
            self.pass_thru.type,
        )


@op_definition
class InsertStridedSliceOp(IRDLOperation):
    """A vector with a part replaced."""

    name = "vector.insert_strided_slice"

    DEST: ClassVar = VarConstraint("DEST", VECTOR)

    value_to_store = operand_def(VECTOR)
    dest = operand_def(DEST)
    offsets = prop_def(ArrayAttr)
    strides = prop_def(ArrayAttr)
    result = result_def(DEST)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$value_to_store `,` $dest attr-dict `:` type($value_to_store) `into` type($dest)"
    )

    traits = traits_def(Pure())

    def verify_(self) -> None:
        verify_insert_strided_slice(self, self.offsets, self.strides)


@op_definition
class InterleaveOp(IRDLOperation):
    """Two vectors, alternately."""

    name = "vector.interleave"

    T: ClassVar = VarConstraint("T", VECTOR)

    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(VECTOR)

    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"

    traits = traits_def(Pure())

    def verify_(self) -> None:
        verify_interleaved(self, self.lhs, self.result)


@op_definition
class MaskOp(IRDLOperation):
    """Executes one op under a mask."""

    name = "vector.mask"

    mask = operand_def(VECTOR)
    passthru = opt_operand_def(AnyAttr())
    res = var_result_def()
    mask_region = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> MaskOp:
        mask = parser.parse_unresolved_operand()
        passthru = None
        pos = parser.pos
        if parser.parse_optional_punctuation(",") is not None:
            passthru = parser.parse_unresolved_operand()
        region = parser.parse_region()
        block = region.blocks.first
        if block is None:
            block = Block()
            region.add_block(block)
        last = block.last_op
        if last is None:
            block.add_op(YieldOp())
        elif not isinstance(last, YieldOp):
            block.add_op(YieldOp(*last.results))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        mask_type = parser.parse_type()
        types = parse_optional_types(parser)
        if passthru is not None and not types:
            parser.raise_error("expected a result type", pos)
        operands = [parser.resolve_operand(mask, mask_type)]
        return cls.build(
            operands=[
                operands[0],
                None if passthru is None else parser.resolve_operand(passthru, types[0]),
            ],
            result_types=[types],
            attributes=attributes,
            regions=[region],
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" {")
        block = self.mask_region.block
        masked = block.first_op
        if masked is not None and masked is not block.last_op:
            printer.print_string(" ")
            printer.print_op(masked)
        printer.print_string(" }")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.mask.type)
        if self.results:
            printer.print_string(" -> ")
            printer.print_list(self.result_types, printer.print_attribute)

    def verify_(self) -> None:
        block = self.mask_region.block
        if len(block.ops) > 2:
            raise VerifyException(f"'{self.name}' expects only one operation to mask")
        last = block.last_op
        if not isinstance(last, YieldOp) or last.operand_types != self.result_types:
            raise VerifyException(f"'{self.name}' expects its results to be yielded")


@op_definition
class YieldOp(AbstractYieldOperation[Attribute]):
    """Ends the region of a mask."""

    name = "vector.yield"

    traits = traits_def(IsTerminator(), ReturnLike(), Pure())


@op_definition
class MultiDimReductionOp(IRDLOperation):
    """Reduces some dimensions of a vector."""

    name = "vector.multi_reduction"

    ACC: ClassVar = VarConstraint("ACC", AnyAttr())

    kind = prop_def(CombiningKindAttr)
    source = operand_def(VECTOR)
    acc = operand_def(ACC)
    reduction_dims = prop_def(I64_ARRAY)
    dest = result_def(ACC)

    assembly_format = (
        "$kind `,` $source `,` $acc attr-dict $reduction_dims "
        "`:` type($source) `to` type($dest)"
    )

    traits = traits_def(Pure())

    def verify_(self) -> None:
        verify_kind(self, self.kind.data, self.source)
        dims = self.reduction_dims.get_values()
        verify_multi_reduction(self, dims, self.source, self.dest.type)


@op_definition
class OuterProductOp(IRDLOperation):
    """The products of all elements of two vectors, combined with a third if given."""

    name = "vector.outerproduct"

    lhs = operand_def(VECTOR)
    rhs = operand_def(AnyAttr())
    acc = opt_operand_def(VECTOR)
    kind = prop_def(CombiningKindAttr)
    result = result_def(VECTOR)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> OuterProductOp:
        pos = parser.pos
        operands = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        lhs = parser.parse_type()
        parser.parse_punctuation(",")
        rhs = parser.parse_type()
        if not is_vector(lhs) or len(operands) not in (2, 3):
            parser.raise_error("expected two or three operands, the first a vector", pos)
        result = lhs
        if is_vector(rhs):
            result = VectorType(
                lhs.element_type,
                (*lhs.get_shape(), *rhs.get_shape()),
                ArrayAttr((*lhs.scalable_dims, *rhs.scalable_dims)),
            )
        types = [lhs, rhs, result][: len(operands)]
        resolved = parser.resolve_operands(operands, types, pos)
        kind = attributes.pop("kind", None)
        return cls.build(
            operands=[resolved[0], resolved[1], resolved[2:]],
            result_types=[result],
            properties={"kind": kind or CombiningKindAttr(vector.CombiningKindFlag.ADD)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes({"kind": self.kind, **self.attributes})
        printer.print_string(" : ")
        printer.print_list(self.operand_types[:2], printer.print_attribute)


@refined_op_definition
class PrintOp(vector.PrintOp):
    """Prints a value, a string or punctuation."""

    source = opt_operand_def(AnyAttr())
    punctuation = prop_def(
        PunctuationAttr, default_value=PunctuationAttr(PrintPunctuation.NEW_LINE)
    )
    string_literal = opt_prop_def(StringAttr, prop_name="stringLiteral")

    traits = traits_def(MemoryWriteEffect())

    def __init__(
        self,
        source: SSAValue | Operation | None = None,
        *,
        string_literal: str | None = None,
        punctuation: PrintPunctuation = PrintPunctuation.NEW_LINE,
    ):
        IRDLOperation.__init__(
            self,
            operands=(source,),
            properties={
                "punctuation": PunctuationAttr(punctuation),
                "stringLiteral": (
                    None if string_literal is None else StringAttr(string_literal)
                ),
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> PrintOp:
        operand = parser.parse_optional_unresolved_operand()
        source = None
        if operand is not None:
            parser.parse_punctuation(":")
            source = parser.resolve_operand(operand, parser.parse_type())
        literal = None
        punctuation = PrintPunctuation.NEW_LINE
        if parser.parse_optional_keyword("str") is not None:
            literal = parser.parse_str_literal()
        elif parser.parse_optional_keyword("punctuation") is not None:
            with parser.in_angle_brackets():
                punctuation = parser.parse_str_enum(PrintPunctuation)
        op = cls(source, string_literal=literal, punctuation=punctuation)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        if self.source is not None:
            printer.print_string(" ")
            printer.print_ssa_value(self.source)
            printer.print_string(" : ")
            printer.print_attribute(self.source.type)
        if self.string_literal is not None:
            printer.print_string(" str ")
            printer.print_attribute(self.string_literal)
        elif self.punctuation.data is not PrintPunctuation.NEW_LINE:
            printer.print_string(f" punctuation <{self.punctuation.data.value}>")
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        if self.string_literal is not None and self.source is not None:
            raise VerifyException(f"'{self.name}' prints a value or a string, not both")


@op_definition
class ScalableExtractOp(IRDLOperation):
    """A part of a scalable vector."""

    name = "vector.scalable.extract"

    source = operand_def(VECTOR)
    pos = prop_def(IntegerAttr)
    res = result_def(VECTOR)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> ScalableExtractOp:
        source = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        position = IntegerAttr(parser.parse_integer(), i64)
        parser.parse_punctuation("]")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        result = parser.parse_type()
        parser.parse_keyword("from")
        return cls.build(
            operands=[parser.resolve_operand(source, parser.parse_type())],
            result_types=[result],
            properties={"pos": position},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(f"[{self.pos.value.data}]")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.res.type)
        printer.print_string(" from ")
        printer.print_attribute(self.source.type)


@op_definition
class ScalableInsertOp(IRDLOperation):
    """A scalable vector with a part replaced."""

    name = "vector.scalable.insert"

    DEST: ClassVar = VarConstraint("DEST", VECTOR)

    value_to_store = operand_def(VECTOR)
    dest = operand_def(DEST)
    pos = prop_def(IntegerAttr)
    result = result_def(DEST)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> ScalableInsertOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        dest = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        position = IntegerAttr(parser.parse_integer(), i64)
        parser.parse_punctuation("]")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        value_type = parser.parse_type()
        parser.parse_keyword("into")
        dest_type = parser.parse_type()
        return cls.build(
            operands=[
                parser.resolve_operand(value, value_type),
                parser.resolve_operand(dest, dest_type),
            ],
            result_types=[dest_type],
            properties={"pos": position},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(f"[{self.pos.value.data}]")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.value_to_store.type)
        printer.print_string(" into ")
        printer.print_attribute(self.dest.type)


@op_definition
class ScanOp(IRDLOperation):
    """The running combinations along one dimension, and the last of them."""

    name = "vector.scan"

    SOURCE: ClassVar = VarConstraint("SOURCE", VECTOR)
    INITIAL: ClassVar = VarConstraint("INITIAL", VECTOR)

    kind = prop_def(CombiningKindAttr)
    source = operand_def(SOURCE)
    initial_value = operand_def(INITIAL)
    reduction_dim = prop_def(IntegerAttr)
    inclusive = prop_def(BoolAttr)
    dest = result_def(SOURCE)
    accumulated_value = result_def(INITIAL)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$kind `,` $source `,` $initial_value attr-dict "
        "`:` type($source) `,` type($initial_value)"
    )

    traits = traits_def(Pure())


TransferT = TypeVar("TransferT", bound="TransferReadOp | TransferWriteOp")


def _parse_transfer(
    cls: type[TransferT], parse: Callable[[Parser], Operation], parser: Parser
) -> TransferT:
    """Parse a transfer as xDSL does, but keep all attributes."""
    given: dict[str, Attribute] = {}
    parse_dictionary = parser.parse_optional_attr_dict

    def parse_and_keep() -> dict[str, Attribute]:
        given.update(parse_dictionary())
        return dict(given)

    parser.parse_optional_attr_dict = parse_and_keep
    try:
        op = parse(parser)
    finally:
        del parser.parse_optional_attr_dict
    op.attributes |= {k: v for k, v in given.items() if k not in op.properties}
    op.__class__ = cls
    return cast(TransferT, op)


@refined_op_definition
class TransferReadOp(vector.TransferReadOp):
    """Reads a vector from a part of a buffer or tensor, or padding from outside of it."""

    traits = traits_def(BufferEffects(reads=(0,)), CanonicalizedBy("vector"))

    @classmethod
    def parse(cls, parser: Parser) -> TransferReadOp:
        return _parse_transfer(cls, vector.TransferReadOp.parse, parser)


@refined_op_definition
class TransferWriteOp(vector.TransferWriteOp):
    """Writes a vector to a part of a buffer or tensor, and nothing outside of it."""

    traits = traits_def(BufferEffects(writes=(1,)), CanonicalizedBy("vector"))

    @classmethod
    def parse(cls, parser: Parser) -> TransferWriteOp:
        return _parse_transfer(cls, vector.TransferWriteOp.parse, parser)


@op_definition
class ScatterOp(IRDLOperation):
    """Stores elements where a vector of indices and a mask say."""

    name = "vector.scatter"

    base = operand_def(SHAPED)
    offsets = var_operand_def(IndexType)
    indices = operand_def(VECTOR)
    mask = operand_def(VECTOR)
    value_to_store = operand_def(VECTOR)
    alignment = opt_prop_def(IntegerAttr)
    result = opt_result_def(TensorType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $value_to_store attr-dict "
        "`:` type($base) `,` type($indices) `,` type($mask) `,` type($value_to_store) "
        "(`->` type($result)^)?"
    )

    traits = traits_def(MemoryWriteEffect())

    def verify_(self) -> None:
        _verify_access(
            self,
            self.base.type,
            len(self.offsets),
            self.value_to_store.type,
            self.mask.type,
        )


@op_definition
class ShapeCastOp(IRDLOperation):
    """The same elements in another shape."""

    name = "vector.shape_cast"

    source = operand_def(VECTOR)
    result = result_def(VECTOR)

    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    traits = traits_def(Pure())

    def verify_(self) -> None:
        verify_shape_cast(self)


@op_definition
class StepOp(IRDLOperation):
    """The numbers from 0 on."""

    name = "vector.step"

    result = result_def(VECTOR)

    assembly_format = "attr-dict `:` type($result)"

    traits = traits_def(Pure())

    def verify_(self) -> None:
        verify_step(self, self.result.type)


@op_definition
class ToElementsOp(IRDLOperation):
    """The elements of a vector."""

    name = "vector.to_elements"

    source = operand_def(VECTOR)
    elements = var_result_def()

    traits = traits_def(Pure())

    def __init__(self, source: SSAValue):
        assert is_vector(source.type)
        count = 1
        for size in source.type.get_shape():
            count *= size
        super().__init__(
            operands=(source,), result_types=([source.type.element_type] * count,)
        )

    @classmethod
    def parse(cls, parser: Parser) -> ToElementsOp:
        operand = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        if not is_vector(type):
            parser.raise_error("expected a vector type")
        op = cls(parser.resolve_operand(operand, type))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)


@op_definition
class TransposeOp(IRDLOperation):
    """A vector with its dimensions permuted."""

    name = "vector.transpose"

    vector = operand_def(VECTOR)
    permutation = prop_def(I64_ARRAY)
    result = result_def(VECTOR)

    assembly_format = (
        "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"
    )

    traits = traits_def(Pure())

    def verify_(self) -> None:
        verify_transpose(self, self.permutation.get_values())


@op_definition
class TypeCastOp(IRDLOperation):
    """A buffer of scalars seen as a buffer of one vector."""

    name = "vector.type_cast"

    memref = operand_def(MemRefType)
    result = result_def(MemRefType)

    assembly_format = "$memref attr-dict `:` type($memref) `to` type($result)"

    traits = traits_def(Pure())

    def verify_(self) -> None:
        source, result = self.memref.type, self.result.type
        assert is_memref(source) and is_memref(result)
        verify_type_cast(self, source, result)


@op_definition
class VectorScaleOp(IRDLOperation):
    """The factor of scalable vectors' sizes."""

    name = "vector.vscale"

    res = result_def(IndexType())

    assembly_format = "attr-dict"

    traits = traits_def(Pure())


# Others build these ops of xDSL, and look up their exact classes.
verify_also(BroadcastOp, verify_broadcast)
verify_also(ExtractOp, verify_extract)
verify_also(InsertOp, verify_insert)

Vector = Dialect(
    "vector",
    [
        BitcastOp,
        BroadcastOp,
        CompressStoreOp,
        ConstantMaskOp,
        ContractionOp,
        CreateMaskOp,
        DeinterleaveOp,
        ExpandLoadOp,
        ExtractOp,
        ExtractStridedSliceOp,
        FMAOp,
        FromElementsOp,
        GatherOp,
        InsertOp,
        InsertStridedSliceOp,
        InterleaveOp,
        LoadOp,
        MaskOp,
        MaskedLoadOp,
        MaskedStoreOp,
        MultiDimReductionOp,
        OuterProductOp,
        PrintOp,
        ReductionOp,
        ScalableExtractOp,
        ScalableInsertOp,
        ScanOp,
        ScatterOp,
        ShapeCastOp,
        ShuffleOp,
        StepOp,
        StoreOp,
        ToElementsOp,
        TransferReadOp,
        TransferWriteOp,
        TransposeOp,
        TypeCastOp,
        VectorScaleOp,
        YieldOp,
    ],
    [CombiningKindAttr, IteratorTypeAttr, PunctuationAttr],
)
