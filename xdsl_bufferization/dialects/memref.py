"""The complete memref dialect, extending xDSL's.

Ops that xDSL has are refined: most lack their syntax, effects or checks. Those it lacks
(distinct_objects generic_atomic_rmw prefetch realloc reshape transpose ...) are defined
here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    BoolAttr,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Dialect, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    base,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
    Pure,
    RecursiveMemoryEffect,
    ReturnLike,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.lazy_formats import op_definition
from xdsl_bufferization.dialects.shapes import IntArray, is_memref

from .builtin import parse_sparse_elements
from .definitions import CanonicalizedBy, refined_op_definition, standalone_op_definition
from .effects import BufferEffects
from .linear_forms import LinearForm, linear_form
from .shapes import (
    compatible_shapes,
    dropped_dimensions,
    element_type_of,
    reassociation_groups,
    shape_of,
    verify_dynamic_sizes,
    verify_indices,
    verify_mixed_list,
    verify_reassociation,
    verify_slice,
)
from .speculation import SpeculatableDim
from .strides import collapsed_strides, expanded_strides
from .symbol_lookup import find_symbol, symbol_table_of
from .syntax import (
    INDEX,
    ensure_terminated,
    parse_index_operands,
    parse_operands,
    parse_optional_types,
    print_body,
    print_optional_types,
)

ANY_MEMREF = base(MemRefType) | base(UnrankedMemRefType)
SQUARE = Parser.Delimiter.SQUARE


def memory_space_of(type: Attribute) -> Attribute:
    """The memory space of a memref type, NoneAttr for the default space."""
    assert isinstance(type, MemRefType | UnrankedMemRefType)
    return type.memory_space


def strides_and_offset_of(type: Attribute) -> LinearForm | None:
    """Return the strides and the offset of a memref, None for each that is dynamic; None
    if the layout is not strided."""
    assert is_memref(type)
    layout = type.layout
    if not isinstance(layout, AffineMapAttr):
        strides = type.get_strides()
        if strides is None or len(strides) != type.get_num_dims():
            return None
        return strides, type.get_offset()
    results = layout.data.results
    if len(results) == type.get_num_dims() and layout.data == AffineMap.identity(
        type.get_num_dims()
    ):
        return strides_and_offset_of(MemRefType(type.element_type, type.shape))
    return linear_form(results[0], type.get_num_dims()) if len(results) == 1 else None


def has_identity_layout(type_: MemRefType) -> bool:
    """Whether the layout counts as the contiguous one: none, an identity map, or
    unit stride in the only dimension."""
    layout = type_.layout
    if isinstance(layout, NoneAttr):
        return True
    if isinstance(layout, AffineMapAttr):
        return layout.data == AffineMap.identity(type_.get_num_dims())
    return (
        type_.get_num_dims() == 1
        and type_.get_offset() == 0
        and tuple(type_.get_strides() or ()) == (1,)
    )


def _print_access(
    printer: Printer, buffer: SSAValue, indices: Sequence[SSAValue]
) -> None:
    printer.print_ssa_value(buffer)
    printer.print_string("[")
    printer.print_list(indices, printer.print_ssa_value)
    printer.print_string("]")


def _verify_alignment(op: Operation, type: IntegerType = i64) -> None:
    alignment = op.properties.get("alignment")
    if alignment is None:
        return
    value = cast("IntegerAttr[IntegerType]", alignment)
    typed = isinstance(alignment, IntegerAttr) and value.type == type
    number = value.value.data if typed else 0
    if number <= 0 or number & (number - 1):
        raise VerifyException(
            f"'{op.name}' attribute 'alignment' expects a positive power of 2 of type "
            f"{type}, got {alignment}"
        )


def _layout_symbols(layout: Attribute) -> int:
    """Return how many values a layout leaves open: the symbols of its affine map."""
    if isinstance(layout, AffineMapAttr):
        return layout.data.num_symbols
    if isinstance(layout, StridedLayoutAttr):
        return sum(
            isinstance(value, NoneAttr) for value in (*layout.strides, layout.offset)
        )
    return 0


def _verify_alloc(op: AllocOp | AllocaOp) -> None:
    type = op.results[0].type
    assert is_memref(type)
    verify_dynamic_sizes(op, type, len(op.dynamic_sizes))
    symbols = _layout_symbols(type.layout)
    if len(op.symbol_operands) != symbols:
        raise VerifyException(
            f"'{op.name}' symbol operand count does not equal memref symbol count: "
            f"expected {symbols}, got {len(op.symbol_operands)}"
        )
    _verify_alignment(op)


@refined_op_definition
class AllocOp(memref.AllocOp):
    """A new buffer, to be freed by a dealloc."""

    traits = traits_def(BufferEffects(allocates=(0,)), CanonicalizedBy("memref"))

    def verify_(self) -> None:
        _verify_alloc(self)


@refined_op_definition
class AllocaOp(memref.AllocaOp):
    """A new buffer, freed when control leaves the closest automatic allocation scope."""

    traits = traits_def(BufferEffects(allocates=(0,)), CanonicalizedBy("memref"))

    def __init__(
        self,
        dynamic_sizes: Sequence[SSAValue],
        symbol_operands: Sequence[SSAValue],
        result_type: Attribute,
        alignment: Attribute | None = None,
    ):
        super().__init__(
            operands=(dynamic_sizes, symbol_operands),
            result_types=(result_type,),
            properties={"alignment": alignment},
        )

    def verify_(self) -> None:
        _verify_alloc(self)


@refined_op_definition
class AllocaScopeOp(memref.AllocaScopeOp):
    """A scope in which stack allocations are freed."""

    traits = traits_def(RecursiveMemoryEffect(), CanonicalizedBy("memref"))

    def __init__(self, result_types: Sequence[Attribute], scope: Region):
        super().__init__(result_types=(result_types,), regions=(scope,))

    @classmethod
    def parse(cls, parser: Parser) -> AllocaScopeOp:
        types = parse_optional_types(parser)
        region = ensure_terminated(parser.parse_region(), AllocaScopeReturnOp)
        op = cls(types, region)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        print_optional_types(printer, self.result_types)
        print_body(printer, self.regions[0], print_terminators=bool(self.results))
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        block = self.regions[0].blocks.last
        if block is None:
            raise VerifyException(f"'{self.name}' expects a block in its body")
        last = block.last_op
        if (
            isinstance(last, AllocaScopeReturnOp)
            and last.operand_types != self.result_types
        ):
            raise VerifyException(
                f"'{self.name}' returns values of types other than its results'"
            )


@refined_op_definition
class AllocaScopeReturnOp(memref.AllocaScopeReturnOp):
    """Ends an alloca_scope."""

    assembly_format = "attr-dict ($ops^ `:` type($ops))?"

    traits = traits_def(IsTerminator(), ReturnLike(), HasParent(AllocaScopeOp), Pure())

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=(values,))

    def verify_(self) -> None:
        parent = self.parent_op()
        if parent is not None and self.operand_types != parent.result_types:
            raise VerifyException(
                f"'{self.name}' operand types must match the results of '{parent.name}'"
            )


@refined_op_definition
class AssumeAlignmentOp(memref.AssumeAlignmentOp):
    """Promises that a buffer is aligned."""

    traits = traits_def(Pure(), CanonicalizedBy("memref"))

    def verify_(self) -> None:
        _verify_alignment(self, i32)
        if self.operands[0].type != self.results[0].type:
            raise VerifyException(f"'{self.name}' expects its result to be of its type")


ATOMIC_KINDS = (
    "addf",
    "addi",
    "andi",
    "assign",
    "maximumf",
    "maxnumf",
    "maxs",
    "maxu",
    "minimumf",
    "minnumf",
    "mins",
    "minu",
    "mulf",
    "muli",
    "ori",
    "xori",
)
"""The kinds of atomic_rmw in the order of their numbers."""


def combines(kind: str, type: Attribute) -> bool:
    """Return whether a kind combines values of a type."""
    if kind == "assign":
        return True
    if kind.endswith("f"):
        return isinstance(type, AnyFloat)
    return isinstance(type, IntegerType | IndexType)


@refined_op_definition
class AtomicRMWOp(memref.AtomicRMWOp):
    """Combines a value with an element, atomically; the result is what it was before."""

    value = operand_def(AnyAttr())
    memref = operand_def(MemRefType)
    result = result_def(AnyAttr())

    traits = traits_def(BufferEffects(reads=(1,), writes=(1,)), CanonicalizedBy("memref"))

    def __init__(
        self,
        kind: str | Attribute,
        value: SSAValue | Operation,
        memref: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
    ):
        if isinstance(kind, str):
            kind = IntegerAttr(ATOMIC_KINDS.index(kind), i64)
        super().__init__(
            operands=(value, memref, indices),
            result_types=(SSAValue.get(value).type,),
            properties={"kind": kind},
        )

    @classmethod
    def parse(cls, parser: Parser) -> AtomicRMWOp:
        kind = parser.parse_keyword_in(ATOMIC_KINDS)
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        buffer = parser.parse_unresolved_operand()
        indices = parse_index_operands(parser, SQUARE)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        parser.parse_punctuation("(")
        value_type = parser.parse_type()
        parser.parse_punctuation(",")
        buffer_type = parser.parse_type()
        parser.parse_punctuation(")")
        parser.parse_punctuation("->")
        result_type = parser.parse_type()
        if result_type != value_type:
            parser.raise_error("expected the result type to be that of the value")
        op = cls(
            kind,
            parser.resolve_operand(value, value_type),
            parser.resolve_operand(buffer, buffer_type),
            indices,
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        value, buffer, *indices = self.operands
        printer.print_string(f" {ATOMIC_KINDS[self.kind.value.data]} ")
        printer.print_ssa_value(value)
        printer.print_string(", ")
        _print_access(printer, buffer, indices)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : (")
        printer.print_attribute(value.type)
        printer.print_string(", ")
        printer.print_attribute(buffer.type)
        printer.print_string(") -> ")
        printer.print_attribute(self.results[0].type)

    def verify_(self) -> None:
        value, buffer = self.operands[0].type, self.operands[1].type
        verify_indices(self, buffer, len(self.operands) - 2)
        if value != element_type_of(buffer) or value != self.results[0].type:
            raise VerifyException(
                f"'{self.name}' expects value and result of the element type of {buffer}"
            )
        number = self.kind.value.data
        if not 0 <= number < len(ATOMIC_KINDS):
            raise VerifyException(f"'{self.name}' has no kind number {number}")
        kind = ATOMIC_KINDS[number]
        if not combines(kind, value):
            wanted = "a floating-point type" if kind.endswith("f") else "an integer type"
            raise VerifyException(
                f"'{self.name}' with kind '{kind}' expects {wanted}, got {value}"
            )


@refined_op_definition
class CastOp(memref.CastOp):
    """Says more or less of a buffer's shape and layout in its type."""

    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    traits = traits_def(Pure(), CanonicalizedBy("memref"))

    def __init__(self, source: SSAValue | Operation, dest: Attribute):
        super().__init__(operands=(source,), result_types=(dest,))

    def verify_(self) -> None:
        source, dest = self.operands[0].type, self.results[0].type
        if not cast_compatible(source, dest):
            raise VerifyException(
                f"'{self.name}' operand type {source} and result type {dest} are cast "
                "incompatible"
            )


def cast_compatible(source: Attribute, dest: Attribute) -> bool:
    """Whether a buffer of one type may be seen as one of the other."""
    if element_type_of(source) != element_type_of(dest):
        return False
    if memory_space_of(source) != memory_space_of(dest):
        return False
    if not is_memref(source) or not is_memref(dest):
        return is_memref(source) or is_memref(dest)
    if not compatible_shapes(source, dest):
        return False
    if source.layout == dest.layout:
        return True
    a, b = strides_and_offset_of(source), strides_and_offset_of(dest)
    if a is None or b is None:
        return False

    def compatible(x: int | None, y: int | None) -> bool:
        return x is None or y is None or x == y

    if not compatible(a[1], b[1]):
        return False
    return all(
        compatible(x, y) or dim == 1
        for x, y, dim in zip(a[0], b[0], source.get_shape(), strict=True)
    )


@refined_op_definition
class CollapseShapeOp(memref.CollapseShapeOp):
    """Joins groups of neighbouring dimensions into one each, without a copy."""

    result = result_def(MemRefType)
    reassociation = prop_def(ArrayAttr)

    traits = traits_def(Pure(), CanonicalizedBy("memref"))

    def __init__(
        self, src: SSAValue | Operation, reassociation: Attribute, result_type: Attribute
    ):
        super().__init__(
            operands=(src,),
            result_types=(result_type,),
            properties={"reassociation": reassociation},
        )

    def verify_(self) -> None:
        source, result = self.operands[0].type, self.results[0].type
        assert is_memref(source)
        groups = _verify_reshape(self, result, source)
        layout = strides_and_offset_of(source)
        strides = layout and collapsed_strides(
            layout[0], source.get_shape(), groups, certainly=False
        )
        _verify_view_layout(self, source, result, layout and strides, layout)


def _verify_view_layout(
    op: Operation,
    source: MemRefType,
    result: Attribute,
    strides: Sequence[int | None] | None,
    layout: tuple[Sequence[int | None], int | None] | None,
) -> None:
    """Check that a result has the strides that its op computes and the offset of its
    source, and no layout if the source is contiguous."""
    assert is_memref(result)
    if has_identity_layout(source):
        expected: Attribute = NoneAttr()
    elif strides is None or layout is None:
        raise VerifyException(
            f"'{op.name}' has an invalid source layout map, or joins dimensions that are "
            f"not contiguous: {source}"
        )
    else:
        expected = StridedLayoutAttr(strides, layout[1])
    if result.layout == expected or (
        isinstance(expected, NoneAttr) and _is_identity_map(result.layout)
    ):
        return
    type_ = MemRefType(result.element_type, result.shape, expected, result.memory_space)
    raise VerifyException(f"'{op.name}' expected result type to be {type_}, got {result}")


def _is_identity_map(layout: Attribute) -> bool:
    return isinstance(layout, AffineMapAttr) and layout.data == AffineMap.identity(
        layout.data.num_dims
    )


def _verify_reshape(
    op: Operation, collapsed: Attribute, expanded: Attribute
) -> list[list[int]]:
    """Check elements, memory spaces and shapes, and return the groups of dimensions."""
    if element_type_of(collapsed) != element_type_of(expanded):
        raise VerifyException(
            f"'{op.name}' expects the same element type, got {collapsed}, {expanded}"
        )
    if memory_space_of(collapsed) != memory_space_of(expanded):
        raise VerifyException(f"'{op.name}' expects the same memory space")
    verify_reassociation(
        op,
        shape_of(collapsed) or (),
        shape_of(expanded) or (),
        op.properties["reassociation"],
    )
    return reassociation_groups(op.properties["reassociation"])


@refined_op_definition
class CopyOp(memref.CopyOp):
    """Copies the elements of one buffer into another of the same shape."""

    source = operand_def(ANY_MEMREF)
    destination = operand_def(ANY_MEMREF)

    assembly_format = (
        "$source `,` $destination attr-dict `:` type($source) `to` type($destination)"
    )

    traits = traits_def(BufferEffects(reads=(0,), writes=(1,)), CanonicalizedBy("memref"))

    def verify_(self) -> None:
        source, target = (operand.type for operand in self.operands)
        if element_type_of(source) != element_type_of(target):
            raise VerifyException(
                f"'{self.name}' requires the same element type for all operands"
            )
        if not compatible_shapes(source, target):
            raise VerifyException(
                f"'{self.name}' requires the same shape for all operands"
            )


@refined_op_definition
class DeallocOp(memref.DeallocOp):
    """Frees a buffer that an alloc made."""

    traits = traits_def(BufferEffects(frees=(0,)), CanonicalizedBy("memref"))

    def __init__(self, memref: SSAValue | Operation):
        super().__init__(operands=(memref,))


@refined_op_definition
class DimOp(memref.DimOp):
    """The size of one dimension."""

    traits = traits_def(NoMemoryEffect(), SpeculatableDim(), CanonicalizedBy("memref"))

    assembly_format = "attr-dict $source `,` $index `:` type($source)"

    def verify_(self) -> None:
        if shape_of(self.operands[0].type) == ():
            raise VerifyException(f"'{self.name}' cannot get dim of 0-rank memref")


@op_definition
class DistinctObjectsOp(IRDLOperation):
    """Promises that buffers do not overlap."""

    name = "memref.distinct_objects"

    inputs = var_operand_def(MemRefType)
    res = var_result_def(MemRefType)

    traits = traits_def(Pure())

    def __init__(self, inputs: Sequence[SSAValue]):
        super().__init__(operands=(inputs,), result_types=([v.type for v in inputs],))

    @classmethod
    def parse(cls, parser: Parser) -> DistinctObjectsOp:
        pos = parser.pos
        operands = parse_operands(parser, Parser.Delimiter.NONE)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_type
        )
        op = cls(parser.resolve_operands(operands, types, pos))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.operand_types, printer.print_attribute)

    def verify_(self) -> None:
        if not self.operands:
            raise VerifyException(f"'{self.name}' expected at least one operand")
        if self.operand_types != self.result_types:
            raise VerifyException(f"'{self.name}' expects results of its operands' types")


@standalone_op_definition
class DmaStartOp(memref.DmaStartOp):
    """Starts a transfer between memory spaces; a tag element says when it is done.

    The ranks of the buffers tell which operands are indices of which; after them come,
    for a strided transfer, the stride and the number of elements per stride.
    """

    name = "memref.dma_start"

    arguments = var_operand_def(AnyAttr())

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, arguments: Sequence[SSAValue]):
        IRDLOperation.__init__(self, operands=(arguments,))

    def split(self) -> list[tuple[SSAValue, Sequence[SSAValue]]] | None:
        """The source, the destination and the tag with their indices, then the number of
        elements with stride and elements per stride; None when operands are missing."""
        rest = list(self.operands)
        parts: list[tuple[SSAValue, Sequence[SSAValue]]] = []
        for position in range(4):
            if not rest:
                return None
            head, *rest = rest
            rank = 0
            if position != 2:
                if not is_memref(head.type):
                    return None
                rank = head.type.get_num_dims()
            if len(rest) < rank:
                return None
            parts.append((head, rest[:rank]))
            rest = rest[rank:]
        source, dest, count, tag = parts
        return [source, dest, tag, (count[0], rest)]

    @classmethod
    def parse(cls, parser: Parser) -> DmaStartOp:
        def parse_access() -> tuple[UnresolvedOperand, list[SSAValue]]:
            buffer = parser.parse_unresolved_operand()
            return buffer, parse_index_operands(parser, SQUARE)

        source, source_indices = parse_access()
        parser.parse_punctuation(",")
        dest, dest_indices = parse_access()
        parser.parse_punctuation(",")
        count = parser.parse_operand(INDEX)
        parser.parse_punctuation(",")
        tag, tag_indices = parse_access()
        stride: list[SSAValue] = []
        while parser.parse_optional_punctuation(",") is not None:
            stride.append(parser.parse_operand(INDEX))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        pos = parser.pos
        types = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_type
        )
        buffers = parser.resolve_operands([source, dest, tag], types, pos)
        op = cls(
            [
                buffers[0],
                *source_indices,
                buffers[1],
                *dest_indices,
                count,
                buffers[2],
                *tag_indices,
                *stride,
            ]
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        parts = self.split()
        assert parts is not None
        source, dest, tag, (count, stride) = parts
        for i, part in enumerate((source, dest, (count, None), tag)):
            printer.print_string(", " if i else " ")
            printer.print_ssa_value(part[0])
            if part[1] is not None:
                printer.print_string("[")
                printer.print_list(part[1], printer.print_ssa_value)
                printer.print_string("]")
        for value in stride:
            printer.print_string(", ")
            printer.print_ssa_value(value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        types = [source[0].type, dest[0].type, tag[0].type]
        printer.print_list(types, printer.print_attribute)

    def check(self) -> None:
        parts = self.split()
        if parts is None or len(parts[3][1]) not in (0, 2):
            raise VerifyException(f"'{self.name}' incorrect number of operands")
        indices = [index for part in parts[:3] for index in part[1]]
        for value in (*indices, parts[3][0], *parts[3][1]):
            if value.type != INDEX:
                raise VerifyException(
                    f"'{self.name}' expected indices and sizes to be of index type"
                )


@refined_op_definition
class DmaWaitOp(memref.DmaWaitOp):
    """Waits for a transfer."""

    assembly_format = (
        "$tag `[` $tag_indices `]` `,` $num_elements attr-dict `:` type($tag)"
    )

    def verify_(self) -> None:
        verify_indices(self, self.operands[0].type, len(self.operands) - 2)


@refined_op_definition
class ExpandShapeOp(memref.ExpandShapeOp):
    """Splits dimensions into groups of neighbouring ones, without a copy."""

    result = result_def(MemRefType)
    reassociation = prop_def(ArrayAttr)

    traits = traits_def(Pure(), CanonicalizedBy("memref"))

    def __init__(
        self,
        src: SSAValue | Operation,
        reassociation: Attribute,
        output_shape: Sequence[SSAValue],
        static_output_shape: IntArray,
        result_type: Attribute,
    ):
        super().__init__(
            operands=(src, output_shape),
            result_types=(result_type,),
            properties={
                "reassociation": reassociation,
                "static_output_shape": static_output_shape,
            },
        )

    def verify_(self) -> None:
        source, result = self.operands[0].type, self.results[0].type
        assert is_memref(source) and is_memref(result)
        groups = _verify_reshape(self, source, result)
        layout = strides_and_offset_of(source)
        strides = layout and expanded_strides(layout[0], result.get_shape(), groups)
        _verify_view_layout(self, source, result, strides, layout)
        static = self.static_output_shape
        verify_mixed_list(self, "output shape", self.operands[1:], static)
        if static.get_values() != shape_of(result):
            raise VerifyException(
                f"'{self.name}' expected output shape {list(static.get_values())} to be "
                f"that of its result type {result}"
            )


@refined_op_definition
class ExtractAlignedPointerAsIndexOp(memref.ExtractAlignedPointerAsIndexOp):
    """The address of a buffer's first element, before its offset."""

    source = operand_def(ANY_MEMREF)

    assembly_format = "$source `:` type($source) `->` type($aligned_pointer) attr-dict"

    traits = traits_def(Pure(), CanonicalizedBy("memref"))

    def __init__(self, source: SSAValue | Operation):
        super().__init__(operands=(source,), result_types=(INDEX,))


@refined_op_definition
class ExtractStridedMetadataOp(memref.ExtractStridedMetaDataOp):
    """A buffer's base, offset, sizes and strides."""

    traits = traits_def(Pure(), CanonicalizedBy("memref"))

    def verify_(self) -> None:
        source = self.operands[0].type
        rank = len(shape_of(source) or ())
        if len(self.results) != 2 + 2 * rank:
            raise VerifyException(
                f"'{self.name}' expects a base buffer, an offset, {rank} sizes and "
                f"{rank} strides as results, got {len(self.results)} values"
            )
        base_type = self.results[0].type
        if element_type_of(base_type) != element_type_of(source) or shape_of(base_type):
            raise VerifyException(
                f"'{self.name}' expects a base buffer of rank 0 and the source's element "
                f"type, got {base_type}"
            )


@op_definition
class GenericAtomicRMWOp(IRDLOperation):
    """Updates an element atomically, as its body says; the result is the old element."""

    name = "memref.generic_atomic_rmw"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    result = result_def(AnyAttr())
    atomic_body = region_def()

    traits = traits_def(BufferEffects(reads=(0,), writes=(0,)), CanonicalizedBy("memref"))

    def __init__(
        self,
        memref: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
        atomic_body: Region,
    ):
        memref = SSAValue.get(memref)
        super().__init__(
            operands=(memref, indices),
            result_types=(element_type_of(memref.type),),
            regions=(atomic_body,),
        )

    @classmethod
    def parse(cls, parser: Parser) -> GenericAtomicRMWOp:
        buffer = parser.parse_unresolved_operand()
        indices = parse_index_operands(parser, SQUARE)
        parser.parse_punctuation(":")
        type = parser.parse_type()
        if not is_memref(type):
            parser.raise_error("expected a memref type")
        body = parser.parse_region()
        op = cls(parser.resolve_operand(buffer, type), indices, body)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        buffer, *indices = self.operands
        printer.print_string(" ")
        _print_access(printer, buffer, indices)
        printer.print_string(" : ")
        printer.print_attribute(buffer.type)
        printer.print_string(" ")
        printer.print_region(self.regions[0])
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        verify_indices(self, self.operands[0].type, len(self.operands) - 1)
        element = element_type_of(self.operands[0].type)
        block = self.regions[0].blocks.first
        if block is None or [arg.type for arg in block.args] != [element]:
            raise VerifyException(
                f"'{self.name}' expected a single entry block argument of type {element}"
            )
        if self.results[0].type != element:
            raise VerifyException(f"'{self.name}' expects a result of type {element}")
        if not isinstance(block.last_op, AtomicYieldOp):
            raise VerifyException(
                f"'{self.name}' expects its body to end with memref.atomic_yield"
            )


@op_definition
class AtomicYieldOp(IRDLOperation):
    """Ends the body of a generic_atomic_rmw: the new element."""

    name = "memref.atomic_yield"

    result = operand_def(AnyAttr())

    assembly_format = "$result attr-dict `:` type($result)"

    traits = traits_def(IsTerminator(), HasParent(GenericAtomicRMWOp), Pure())

    def __init__(self, result: SSAValue | Operation):
        super().__init__(operands=(result,))

    def verify_(self) -> None:
        parent = self.parent_op()
        if parent is not None and self.operand_types != parent.result_types:
            raise VerifyException(
                f"'{self.name}' expects its operand to be of the type of the result of "
                f"'{parent.name}'"
            )


@refined_op_definition
class GetGlobalOp(memref.GetGlobalOp):
    """The buffer of a global."""

    traits = traits_def(Pure())

    def verify_(self) -> None:
        if symbol_table_of(self) is None:
            return
        found = find_symbol(self, self.name_)
        if not isinstance(found, memref.GlobalOp):
            raise VerifyException(
                f"'{self.name}' {self.name_} does not reference a valid global memref"
            )
        type_ = found.properties["type"]
        if self.results[0].type != type_:
            raise VerifyException(
                f"'{self.name}' result type {self.results[0].type} does not match type "
                f"{type_} of the global memref {self.name_}"
            )


@refined_op_definition
class GlobalOp(memref.GlobalOp):
    """A buffer of the module: declared, uninitialized, or with initial contents."""

    sym_visibility = opt_prop_def(StringAttr)
    initial_value = opt_prop_def(AnyAttr())
    alignment = opt_prop_def(IntegerAttr)

    traits = traits_def(SymbolOpInterface())

    def __init__(
        self,
        sym_name: str | StringAttr,
        type: Attribute,
        initial_value: Attribute | None = None,
        *,
        sym_visibility: str | StringAttr | None = None,
        constant: bool = False,
        alignment: int | Attribute | None = None,
    ):
        """`initial_value` is the contents, UnitAttr for none, None for a declaration."""
        if isinstance(sym_name, str):
            sym_name = StringAttr(sym_name)
        if isinstance(sym_visibility, str):
            sym_visibility = StringAttr(sym_visibility)
        if isinstance(alignment, int):
            alignment = IntegerAttr(alignment, i64)
        super().__init__(
            properties={
                "sym_name": sym_name,
                "type": type,
                "initial_value": initial_value,
                "sym_visibility": sym_visibility,
                "constant": UnitAttr() if constant else None,
                "alignment": alignment,
            }
        )

    @property
    def is_external(self) -> bool:
        return "initial_value" not in self.properties

    @classmethod
    def parse(cls, parser: Parser) -> GlobalOp:
        visibility = parser.parse_optional_str_literal()
        constant = parser.parse_optional_keyword("constant") is not None
        name = parser.parse_symbol_name()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        value: Attribute | None = None
        if parser.parse_optional_punctuation("=") is not None:
            if parser.parse_optional_keyword("uninitialized") is not None:
                value = UnitAttr()
            else:
                value = _parse_initial_value(parser, type)
        attributes = parser.parse_optional_attr_dict()
        op = cls(
            name,
            type,
            value,
            sym_visibility=visibility,
            constant=constant,
            alignment=attributes.pop("alignment", None),
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        if self.sym_visibility is not None:
            printer.print_string(" ")
            printer.print_string_literal(self.sym_visibility.data)
        if self.constant is not None:
            printer.print_string(" constant")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" : ")
        printer.print_attribute(self.type)
        value = self.initial_value
        if isinstance(value, UnitAttr):
            printer.print_string(" = uninitialized")
        elif value is not None:
            printer.print_string(" = ")
            _print_without_type(printer, value)
        attributes = self.attributes
        if self.alignment is not None:
            attributes = attributes | {"alignment": self.alignment}
        printer.print_op_attributes(attributes)

    def verify_(self) -> None:
        type = self.type
        if DYNAMIC_INDEX in type.get_shape():
            raise VerifyException(
                f"'{self.name}' type should be static shaped memref, but got {type}"
            )
        value = self.initial_value
        if value is not None and not isinstance(value, UnitAttr):
            contents = TensorType(type.element_type, type.shape)
            value_type = getattr(value, "type", None)
            if value_type is None:
                raise VerifyException(
                    f"'{self.name}' initial value should be a unit or elements "
                    f"attribute, but got {value}"
                )
            if value_type != contents:
                raise VerifyException(
                    f"'{self.name}' initial value expected to be of type {contents}, "
                    f"but was of type {value_type}"
                )
        _verify_alignment(self)


def _parse_initial_value(parser: Parser, type: Attribute) -> Attribute:
    """Parse the contents of a global, whose type the syntax leaves out."""
    if not is_memref(type):
        parser.raise_error("expected a memref type")
    contents: Any = TensorType(type.element_type, type.shape)
    if parser.parse_optional_keyword("dense") is not None:
        return parser.parse_dense_int_or_fp_elements_attr(contents)
    if parser.parse_optional_keyword("sparse") is not None:
        return parse_sparse_elements(parser, contents)
    if parser.parse_optional_keyword("dense_resource") is not None:
        resources = parser.ctx.get_dialect("builtin").get_interface(OpAsmDialectInterface)
        assert resources is not None
        with parser.in_angle_brackets():
            handle = parser._parse_dialect_resource_handle(  # pyright: ignore[reportPrivateUsage]
                "builtin", resources
            )
        return DenseResourceAttr.from_params(handle, contents)
    return parser.parse_attribute()


def _print_without_type(printer: Printer, value: Attribute) -> None:
    if isinstance(value, DenseIntOrFPElementsAttr | DenseResourceAttr):
        value.print_without_type(printer)
    else:
        printer.print_attribute(value)


@refined_op_definition
class LoadOp(memref.LoadOp):
    """An element of a buffer."""

    alignment = opt_prop_def(IntegerAttr)

    traits = traits_def(
        BufferEffects(reads=(0,)),
        CanonicalizedBy("memref"),
        CanonicalizedBy("bufferization"),
    )

    def verify_(self) -> None:
        verify_indices(self, self.operands[0].type, len(self.operands) - 1)
        _verify_alignment(self)


@refined_op_definition
class MemorySpaceCastOp(memref.MemorySpaceCastOp):
    """A buffer as seen in another memory space."""

    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    traits = traits_def(Pure(), CanonicalizedBy("memref"))

    def verify_(self) -> None:
        source, dest = self.operands[0].type, self.results[0].type
        same_layout = (
            not is_memref(source) or not is_memref(dest) or source.layout == dest.layout
        )
        if (
            element_type_of(source) != element_type_of(dest)
            or shape_of(source) != shape_of(dest)
            or not same_layout
        ):
            raise VerifyException(
                f"'{self.name}' operand type {source} and result type {dest} are cast "
                "incompatible"
            )


@op_definition
class PrefetchOp(IRDLOperation):
    """Hints that an element will be used soon."""

    name = "memref.prefetch"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr, prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    traits = traits_def(BufferEffects(reads=(0,), writes=(0,)), CanonicalizedBy("memref"))

    def __init__(
        self,
        memref: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
        *,
        is_write: bool,
        locality_hint: int,
        is_data_cache: bool,
    ):
        super().__init__(
            operands=(memref, indices),
            properties={
                "isWrite": BoolAttr.from_bool(is_write),
                "localityHint": IntegerAttr(locality_hint, i32),
                "isDataCache": BoolAttr.from_bool(is_data_cache),
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchOp:
        buffer = parser.parse_unresolved_operand()
        indices = parse_index_operands(parser, SQUARE)
        parser.parse_punctuation(",")
        access = parser.parse_keyword_in(("read", "write"))
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        parser.parse_punctuation("<")
        locality = parser.parse_integer()
        parser.parse_punctuation(">")
        parser.parse_punctuation(",")
        cache = parser.parse_keyword_in(("data", "instr"))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        op = cls(
            parser.resolve_operand(buffer, parser.parse_type()),
            indices,
            is_write=access == "write",
            locality_hint=locality,
            is_data_cache=cache == "data",
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        buffer, *indices = self.operands
        printer.print_string(" ")
        _print_access(printer, buffer, indices)
        access = "write" if self.is_write.value.data else "read"
        locality = self.locality_hint.value.data
        cache = "data" if self.is_data_cache.value.data else "instr"
        printer.print_string(f", {access}, locality<{locality}>, {cache}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(buffer.type)

    def verify_(self) -> None:
        verify_indices(self, self.operands[0].type, len(self.operands) - 1)
        if not 0 <= self.locality_hint.value.data <= 3:
            raise VerifyException(
                f"'{self.name}' attribute 'localityHint' must be from 0 to 3"
            )


@refined_op_definition
class RankOp(memref.RankOp):
    """The number of dimensions of a buffer."""

    source = operand_def(ANY_MEMREF)

    assembly_format = "$source attr-dict `:` type($source)"

    traits = traits_def(Pure(), CanonicalizedBy("memref"))

    def __init__(self, source: SSAValue | Operation):
        super().__init__(operands=(source,), result_types=(INDEX,))


@op_definition
class ReallocOp(IRDLOperation):
    """A buffer of another size with the old contents; the old buffer is gone."""

    name = "memref.realloc"

    source = operand_def(MemRefType)
    dynamic_result_size = opt_operand_def(IndexType)
    alignment = opt_prop_def(IntegerAttr)
    result = result_def(MemRefType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$source (`(` $dynamic_result_size^ `)`)? attr-dict "
        "`:` type($source) `to` type($result)"
    )

    traits = traits_def(BufferEffects(frees=(0,), allocates=(0,)))

    def __init__(
        self,
        source: SSAValue | Operation,
        result_type: Attribute,
        dynamic_result_size: SSAValue | Operation | None = None,
        alignment: Attribute | None = None,
    ):
        super().__init__(
            operands=(source, dynamic_result_size),
            result_types=(result_type,),
            properties={"alignment": alignment},
        )

    def verify_(self) -> None:
        source, result = self.operands[0].type, self.results[0].type
        assert is_memref(source) and is_memref(result)
        for type in (source, result):
            if type.get_num_dims() != 1:
                raise VerifyException(
                    f"'{self.name}' expects 1D memrefs of any type, got {type}"
                )
            if not isinstance(type.layout, NoneAttr):
                raise VerifyException(
                    f"'{self.name}' unsupported layout for memref type {type}"
                )
        if source.memory_space != result.memory_space:
            raise VerifyException(
                f"'{self.name}' different memory spaces specified for source {source} "
                f"and result {result}"
            )
        if source.element_type != result.element_type:
            raise VerifyException(
                f"'{self.name}' different element types specified for source {source} "
                f"and result {result}"
            )
        verify_dynamic_sizes(self, result, len(self.operands) - 1)
        _verify_alignment(self)


@refined_op_definition
class ReinterpretCastOp(memref.ReinterpretCastOp):
    """A buffer with another offset, other sizes and strides."""

    source = operand_def(ANY_MEMREF)

    traits = traits_def(Pure(), CanonicalizedBy("memref"))

    def verify_(self) -> None:
        source, result = self.operands[0].type, self.results[0].type
        for name, operands, static in (
            ("offset", self.offsets, self.static_offsets),
            ("size", self.sizes, self.static_sizes),
            ("stride", self.strides, self.static_strides),
        ):
            verify_mixed_list(self, name, operands, static)
        if memory_space_of(source) != memory_space_of(result):
            raise VerifyException(
                f"'{self.name}' different memory spaces specified for source type "
                f"{source} and result memref type {result}"
            )
        if element_type_of(source) != element_type_of(result):
            raise VerifyException(
                f"'{self.name}' different element types specified for source type "
                f"{source} and result memref type {result}"
            )
        shape = shape_of(result) or ()
        offsets, sizes, strides = (
            self.static_offsets.get_values(),
            self.static_sizes.get_values(),
            self.static_strides.get_values(),
        )
        if len(offsets) != 1 or len(sizes) != len(shape) or len(strides) != len(shape):
            raise VerifyException(
                f"'{self.name}' expects one offset and {len(shape)} sizes and strides"
            )
        for i, (size, dim) in enumerate(zip(sizes, shape, strict=True)):
            if DYNAMIC_INDEX not in (size, dim) and size != dim:
                raise VerifyException(
                    f"'{self.name}' expected result type with size = {size} instead of "
                    f"{dim} in dim = {i}"
                )
            if size == DYNAMIC_INDEX and dim != DYNAMIC_INDEX:
                raise VerifyException(
                    f"'{self.name}' expected result type with dynamic size instead of "
                    f"{dim} in dim = {i}"
                )
        layout = strides_and_offset_of(result)
        if layout is None:
            raise VerifyException(
                f"'{self.name}' expected result type to have strided layout but found "
                f"{result}"
            )
        for what, given, found in (
            ("offset", offsets, [layout[1]]),
            ("stride", strides, layout[0]),
        ):
            for i, (value, declared) in enumerate(zip(given, found, strict=True)):
                if declared is None or (value == declared):
                    continue
                shown = "dynamic" if value == DYNAMIC_INDEX else value
                raise VerifyException(
                    f"'{self.name}' expected result type with {what} = {shown} instead "
                    f"of {declared} in dim = {i}"
                )


@op_definition
class ReshapeOp(IRDLOperation):
    """A buffer in another shape, given as a buffer, without a copy."""

    name = "memref.reshape"

    source = operand_def(ANY_MEMREF)
    shape = operand_def(MemRefType)
    result = result_def(ANY_MEMREF)

    assembly_format = (
        "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
    )

    traits = traits_def(BufferEffects(reads=(1,)))

    def __init__(
        self,
        source: SSAValue | Operation,
        shape: SSAValue | Operation,
        result_type: Attribute,
    ):
        super().__init__(operands=(source, shape), result_types=(result_type,))

    def verify_(self) -> None:
        source, shape = (operand.type for operand in self.operands)
        result = self.results[0].type
        if element_type_of(source) != element_type_of(result):
            raise VerifyException(
                f"'{self.name}' element types of source and destination memref types "
                "should be the same"
            )
        for type in (source, result):
            if is_memref(type) and not has_identity_layout(type):
                raise VerifyException(
                    f"'{self.name}' memref type should have identity affine map, got "
                    f"{type}"
                )
        extents = shape_of(shape) or ()
        if len(extents) != 1 or not isinstance(
            element_type_of(shape), IntegerType | IndexType
        ):
            raise VerifyException(
                f"'{self.name}' expects a 1D shape memref of integers or indices"
            )
        to_shape = shape_of(result)
        if to_shape is None:
            return
        if extents[0] == DYNAMIC_INDEX:
            raise VerifyException(
                f"'{self.name}' cannot use shape operand with dynamic length to reshape "
                "to statically-ranked memref type"
            )
        if extents[0] != len(to_shape):
            raise VerifyException(
                f"'{self.name}' length of shape operand differs from the result's "
                "memref rank"
            )


@refined_op_definition
class StoreOp(memref.StoreOp):
    """Sets an element of a buffer."""

    alignment = opt_prop_def(IntegerAttr)

    traits = traits_def(BufferEffects(writes=(1,)), CanonicalizedBy("memref"))

    def verify_(self) -> None:
        verify_indices(self, self.operands[1].type, len(self.operands) - 2)
        _verify_alignment(self)


@refined_op_definition
class SubviewOp(memref.SubviewOp):
    """A part of a buffer, without a copy. Its type may drop unit dimensions."""

    traits = traits_def(Pure(), CanonicalizedBy("memref"))

    def verify_(self) -> None:
        source, result = self.operands[0].type, self.results[0].type
        assert is_memref(source) and is_memref(result)
        for name, operands, static in (
            ("offset", self.offsets, self.static_offsets),
            ("size", self.sizes, self.static_sizes),
            ("stride", self.strides, self.static_strides),
        ):
            verify_mixed_list(self, name, operands, static)
        offsets = self.static_offsets.get_values()
        sizes = self.static_sizes.get_values()
        strides = self.static_strides.get_values()
        verify_slice(self, source.get_shape(), offsets, sizes, strides)
        if source.memory_space != result.memory_space:
            raise VerifyException(
                f"'{self.name}' different memory spaces specified for source type "
                f"{source} and result type {result}"
            )
        if source.element_type != result.element_type:
            raise VerifyException(
                f"'{self.name}' expected result element type to be "
                f"{source.element_type}, got {result}"
            )
        _verify_subview_type(self, source, result, offsets, sizes, strides)


def _verify_subview_type(
    op: SubviewOp,
    source: MemRefType,
    result: MemRefType,
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
) -> None:
    """Check the shape, strides and offset of a subview's type."""
    shape = result.get_shape()
    if shape != tuple(sizes) and dropped_dimensions(sizes, shape) is None:
        raise VerifyException(
            f"'{op.name}' expected result type of shape {list(sizes)} or a rank-reduced "
            f"version, got {result} (mismatch of result sizes)"
        )
    before, after = strides_and_offset_of(source), strides_and_offset_of(result)
    if before is None:
        raise VerifyException(f"'{op.name}' base type {source} is not strided")
    expected = subview_strides_and_offset(before, offsets, strides)
    if after is None or after[1] != expected[1]:
        raise VerifyException(
            f"'{op.name}' expected result offset {_shown(expected[1])}, got {result} "
            "(mismatch of result offset)"
        )
    # Which unit dimensions were dropped may be told only by the strides.
    if not _is_reduction(
        list(zip(sizes, expected[0], strict=True)),
        list(zip(shape, after[0], strict=True)),
    ):
        raise VerifyException(
            f"'{op.name}' expected result strides "
            f"[{', '.join(map(_shown, expected[0]))}] or a rank-reduced version, got "
            f"{result} (mismatch of result strides)"
        )


def _shown(value: int | None) -> str:
    return "?" if value is None else str(value)


def _is_reduction(
    full: list[tuple[int, int | None]], reduced: list[tuple[int, int | None]]
) -> bool:
    """Whether dropping unit dimensions of `full`, of (size, stride), results in
    `reduced`."""
    if len(full) == len(reduced):
        # The stride of a unit dimension does not matter.
        return all(
            a[0] == b[0] and a[1] == b[1] for a, b in zip(full, reduced, strict=True)
        )
    position = 0
    spare = len(full) - len(reduced)
    for size, stride in full:
        if position < len(reduced) and reduced[position] == (size, stride):
            position += 1
        elif size == 1 and spare:
            spare -= 1
        else:
            return False
    return position == len(reduced)


def subview_strides_and_offset(
    source: tuple[Sequence[int | None], int | None],
    offsets: Sequence[int],
    strides: Sequence[int],
) -> tuple[list[int | None], int | None]:
    """The strides and offset of a subview, of those of its source."""
    source_strides, offset = source
    result: list[int | None] = []
    for stride, step, start in zip(source_strides, strides, offsets, strict=True):
        known = None if stride is None or step == DYNAMIC_INDEX else stride * step
        result.append(known)
        if start != 0:
            if offset is None or stride is None or start == DYNAMIC_INDEX:
                offset = None
            else:
                offset += start * stride
    return result, offset


@op_definition
class TransposeOp(IRDLOperation):
    """A buffer with its dimensions permuted, without a copy."""

    name = "memref.transpose"

    input = operand_def(MemRefType)
    permutation = prop_def(AffineMapAttr)
    result = result_def(MemRefType)

    traits = traits_def(Pure(), CanonicalizedBy("memref"))

    def __init__(
        self,
        input: SSAValue | Operation,
        permutation: AffineMapAttr,
        result_type: Attribute,
    ):
        super().__init__(
            operands=(input,),
            result_types=(result_type,),
            properties={"permutation": permutation},
        )

    @classmethod
    def parse(cls, parser: Parser) -> TransposeOp:
        source = parser.parse_unresolved_operand()
        permutation = AffineMapAttr(parser.parse_affine_map())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source_type = parser.parse_type()
        parser.parse_keyword("to")
        op = cls(
            parser.resolve_operand(source, source_type), permutation, parser.parse_type()
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operands[0])
        printer.print_string(f" {self.permutation.data}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)
        printer.print_string(" to ")
        printer.print_attribute(self.results[0].type)

    def verify_(self) -> None:
        source, result = self.operands[0].type, self.results[0].type
        rank = len(shape_of(source) or ())
        order = permutation_of(self.permutation)
        if order is None:
            raise VerifyException(f"'{self.name}' expected a permutation map")
        if len(order) != rank:
            raise VerifyException(
                f"'{self.name}' expected a permutation map of same rank as the input"
            )
        layout, result_layout = (
            strides_and_offset_of(source),
            strides_and_offset_of(result),
        )
        expected_shape = tuple((shape_of(source) or ())[i] for i in order)
        if (
            layout is None
            or result_layout is None
            or element_type_of(source) != element_type_of(result)
            or memory_space_of(source) != memory_space_of(result)
            or shape_of(result) != expected_shape
            or list(result_layout[0]) != [layout[0][i] for i in order]
            or result_layout[1] != layout[1]
        ):
            raise VerifyException(
                f"'{self.name}' result type {result} is not that of {source} permuted by "
                f"{self.permutation.data}"
            )


def permutation_of(map: AffineMapAttr) -> list[int] | None:
    """The dimensions in the order of a permutation map; None for another map."""
    order = [
        expr.position for expr in map.data.results if isinstance(expr, AffineDimExpr)
    ]
    dims = list(range(map.data.num_dims))
    if len(order) != len(map.data.results) or sorted(order) != dims:
        return None
    return order


@refined_op_definition
class ViewOp(memref.ViewOp):
    """A buffer of bytes seen as one of another shape and element type."""

    traits = traits_def(Pure(), CanonicalizedBy("memref"))

    assembly_format = (
        "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict "
        "`:` type($source) `to` type($result)"
    )

    def verify_(self) -> None:
        source, result = self.operands[0].type, self.results[0].type
        assert is_memref(source) and is_memref(result)
        if source.get_num_dims() != 1 or source.element_type != i8:
            raise VerifyException(
                f"'{self.name}' expects a 1D memref of 8-bit signless integer values, "
                f"got {source}"
            )
        for type, what in ((source, "base"), (result, "result")):
            if not isinstance(type.layout, NoneAttr):
                raise VerifyException(
                    f"'{self.name}' unsupported map for {what} memref type {type}"
                )
        if source.memory_space != result.memory_space:
            raise VerifyException(
                f"'{self.name}' different memory spaces specified for base memref type "
                f"{source} and view memref type {result}"
            )
        verify_dynamic_sizes(self, result, len(self.operands) - 2)


ExtractStridedMetaDataOp = ExtractStridedMetadataOp
SubViewOp = SubviewOp

MemRef = Dialect(
    "memref",
    [
        AllocOp,
        AllocaOp,
        AllocaScopeOp,
        AllocaScopeReturnOp,
        AssumeAlignmentOp,
        AtomicRMWOp,
        AtomicYieldOp,
        CastOp,
        CollapseShapeOp,
        CopyOp,
        DeallocOp,
        DimOp,
        DistinctObjectsOp,
        DmaStartOp,
        DmaWaitOp,
        ExpandShapeOp,
        ExtractAlignedPointerAsIndexOp,
        ExtractStridedMetadataOp,
        GenericAtomicRMWOp,
        GetGlobalOp,
        GlobalOp,
        LoadOp,
        MemorySpaceCastOp,
        PrefetchOp,
        RankOp,
        ReallocOp,
        ReinterpretCastOp,
        ReshapeOp,
        StoreOp,
        SubviewOp,
        TransposeOp,
        ViewOp,
    ],
)
