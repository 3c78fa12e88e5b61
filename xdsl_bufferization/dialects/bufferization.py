"""The complete bufferization dialect, extending xDSL's.

xDSL's to_tensor and to_buffer reject buffers with a layout or memory space, its
alloc_tensor lacks the memory space; dealloc and dealloc_tensor are missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects import bufferization
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerAttr as IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
    i1,
    i32,
)
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.lazy_formats import op_definition
from xdsl_bufferization.dialects.shapes import is_memref

from .definitions import CanonicalizedBy, refined_op_definition
from .effects import BufferEffects
from .shapes import compatible_shapes, element_type_of, shape_of, verify_dynamic_sizes
from .syntax import INDEX, parse_index_operands

ANY_TENSOR = base(TensorType) | base(UnrankedTensorType)
ANY_MEMREF = base(MemRefType) | base(UnrankedMemRefType)


@refined_op_definition
class AllocTensorOp(bufferization.AllocTensorOp):
    """A tensor that bufferizes to a new allocation, with the contents of `copy` if given.

    `memory_space` is the space of the allocation; `size_hint` serves sparse tensors.
    """

    traits = traits_def(CanonicalizedBy("bufferization"))

    dynamic_sizes = var_operand_def(IndexType)
    copy = opt_operand_def(ANY_TENSOR)
    size_hint = opt_operand_def(IndexType)
    memory_space = opt_prop_def(AnyAttr())
    tensor = result_def(TensorType)

    def __init__(
        self,
        result_type: Attribute,
        dynamic_sizes: Sequence[Operation | SSAValue] | None = None,
        copy: SSAValue | Operation | None = None,
        size_hint: SSAValue | Operation | None = None,
        memory_space: Attribute | None = None,
    ):
        super().__init__(result_type, dynamic_sizes, copy, size_hint)
        if memory_space is not None:
            self.properties["memory_space"] = memory_space

    @classmethod
    def parse(cls, parser: Parser) -> AllocTensorOp:
        sizes = parse_index_operands(parser, Parser.Delimiter.PAREN)
        copy = hint = None
        if parser.parse_optional_keyword("copy") is not None:
            parser.parse_punctuation("(")
            copy = parser.parse_unresolved_operand()
            parser.parse_punctuation(")")
        if parser.parse_optional_keyword("size_hint") is not None:
            parser.parse_punctuation("=")
            hint = parser.parse_operand(INDEX)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        source = None if copy is None else parser.resolve_operand(copy, type)
        space = attributes.pop("memory_space", None)
        op = cls(type, sizes, source, hint, space)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string("(")
        printer.print_list(self.dynamic_sizes, printer.print_ssa_value)
        printer.print_string(")")
        if self.copy is not None:
            printer.print_string(" copy(")
            printer.print_ssa_value(self.copy)
            printer.print_string(")")
        if self.size_hint is not None:
            printer.print_string(" size_hint = ")
            printer.print_ssa_value(self.size_hint)
        attributes = self.attributes
        if self.memory_space is not None:
            attributes = attributes | {"memory_space": self.memory_space}
        printer.print_op_attributes(attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.results[0].type)

    def verify_(self) -> None:
        copy = self.copy
        if copy is None:
            verify_dynamic_sizes(self, self.results[0].type, len(self.dynamic_sizes))
        elif self.dynamic_sizes:
            raise VerifyException(
                f"'{self.name}' dynamic sizes not needed when copying a tensor"
            )
        elif copy.type != self.results[0].type:
            raise VerifyException(
                f"'{self.name}' expected that `copy` and return type match, got "
                f"{copy.type} and {self.results[0].type}"
            )


@refined_op_definition
class CloneOp(bufferization.CloneOp):
    """A buffer of the same contents: a new one, or the same one where no use can see the
    difference."""

    input = operand_def(ANY_MEMREF)
    output = result_def(ANY_MEMREF)

    traits = traits_def(
        BufferEffects(reads=(0,), allocates=(0,)), CanonicalizedBy("bufferization")
    )

    def __init__(self, input: SSAValue | Operation, result_type: Attribute | None = None):
        input = SSAValue.get(input)
        IRDLOperation.__init__(
            self, operands=(input,), result_types=(result_type or input.type,)
        )

    def verify_(self) -> None:
        _verify_matching(self, self.operands[0].type, self.results[0].type)


def _verify_matching(op: Operation, a: Attribute, b: Attribute) -> None:
    """Check that two types may be of one and the same contents."""
    if element_type_of(a) != element_type_of(b):
        raise VerifyException(
            f"'{op.name}' requires the same element type, got {a} and {b}"
        )
    if not compatible_shapes(a, b):
        raise VerifyException(f"'{op.name}' requires the same shape, got {a} and {b}")


def _verify_tensor_and_buffer(
    op: Operation, tensor: Attribute, buffer: Attribute
) -> None:
    if element_type_of(tensor) != element_type_of(buffer) or shape_of(tensor) != shape_of(
        buffer
    ):
        raise VerifyException(
            f"'{op.name}' specified tensor and buffer types must match in shape and "
            f"element type; got {tensor} and {buffer}"
        )


@lru_cache(maxsize=256)
def _segment_sizes(*sizes: int) -> DenseArrayBase[IntegerType]:
    return DenseArrayBase.from_list(i32, sizes)


@op_definition
class DeallocOp(IRDLOperation):
    """Frees each buffer whose condition holds and that no retained buffer aliases.

    Each result says whether its retained buffer is owned now: whether a buffer with a
    condition that holds aliases it.
    """

    name = "bufferization.dealloc"

    memrefs = var_operand_def(ANY_MEMREF)
    conditions = var_operand_def(IntegerType(1))
    retained = var_operand_def(ANY_MEMREF)
    updated_conditions = var_result_def(IntegerType(1))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(CanonicalizedBy("dealloc"))

    def __init__(
        self,
        memrefs: Sequence[SSAValue],
        conditions: Sequence[SSAValue],
        retained: Sequence[SSAValue] = (),
    ):
        # One op for each buffer of a program: not by the slow way over its definition.
        sizes = _segment_sizes(len(memrefs), len(conditions), len(retained))
        Operation.__init__(
            self,
            operands=(*memrefs, *conditions, *retained),
            result_types=(i1,) * len(retained),
            properties={AttrSizedOperandSegments.attribute_name: sizes},
        )

    def get_operand_groups(
        self,
    ) -> tuple[Sequence[SSAValue], Sequence[SSAValue], Sequence[SSAValue]]:
        """The memrefs, the conditions and the retained memrefs, of a valid op."""
        operands = self.operands
        count = (len(operands) - len(self.results)) // 2
        return operands[:count], operands[count : 2 * count], operands[2 * count :]

    @classmethod
    def parse(cls, parser: Parser) -> DeallocOp:
        from .syntax import parse_operands, parse_optional_typed_operands

        memrefs = parse_optional_typed_operands(parser)
        conditions: list[SSAValue] = []
        if memrefs:
            parser.parse_keyword("if")
            conditions = [
                parser.resolve_operand(operand, i1)
                for operand in parse_operands(parser, Parser.Delimiter.PAREN)
            ]
        retained: list[SSAValue] = []
        if parser.parse_optional_keyword("retain") is not None:
            retained = parse_optional_typed_operands(parser)
        op = cls(memrefs, conditions, retained)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        for prefix, values in ((" (", self.memrefs), (" retain (", self.retained)):
            if not values:
                continue
            printer.print_string(prefix)
            printer.print_list(values, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list([v.type for v in values], printer.print_attribute)
            printer.print_string(")")
            if prefix == " (":
                printer.print_string(" if (")
                printer.print_list(self.conditions, printer.print_ssa_value)
                printer.print_string(")")
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        if len(self.memrefs) != len(self.conditions):
            raise VerifyException(
                f"'{self.name}' must have the same number of conditions as memrefs to "
                f"deallocate: {len(self.conditions)} and {len(self.memrefs)}"
            )
        if len(self.results) != len(self.retained):
            raise VerifyException(
                f"'{self.name}' must have the same number of updated conditions "
                f"(results) as retained operands: {len(self.results)} and "
                f"{len(self.retained)}"
            )


@op_definition
class DeallocTensorOp(IRDLOperation):
    """Frees the buffer that a tensor will have."""

    name = "bufferization.dealloc_tensor"

    tensor = operand_def(ANY_TENSOR)

    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue | Operation):
        super().__init__(operands=(tensor,))


@refined_op_definition
class MaterializeInDestinationOp(bufferization.MaterializeInDestinationOp):
    """Puts a tensor's contents into a tensor's future buffer, or into a buffer."""

    source = operand_def(ANY_TENSOR)
    dest = operand_def(ANY_TENSOR | ANY_MEMREF)
    result = opt_result_def(ANY_TENSOR)

    traits = traits_def(BufferEffects(writes=(1,)), CanonicalizedBy("bufferization"))

    def __init__(
        self,
        source: SSAValue | Operation,
        dest: SSAValue | Operation,
        *,
        restrict: bool = False,
        writable: bool = False,
    ):
        dest = SSAValue.get(dest)
        is_tensor = isinstance(dest.type, TensorType | UnrankedTensorType)
        super().__init__(
            operands=(source, dest),
            result_types=(dest.type if is_tensor else None,),
            properties={
                "restrict": UnitAttr() if restrict else None,
                "writable": UnitAttr() if writable else None,
            },
        )

    def verify_(self) -> None:
        source, dest = (operand.type for operand in self.operands)
        is_tensor = isinstance(dest, TensorType | UnrankedTensorType)
        _verify_matching(self, source, dest)
        if is_tensor and [r.type for r in self.results] != [dest]:
            raise VerifyException(
                f"'{self.name}' result must be of the destination's type {dest}"
            )
        if not is_tensor and self.results:
            raise VerifyException(
                f"'{self.name}' tensor op result expected only for a tensor destination"
            )
        if is_tensor and self.restrict is not None:
            raise VerifyException(
                f"'{self.name}' 'restrict' is valid only for memref destinations"
            )
        if (self.writable is None) != is_tensor:
            raise VerifyException(
                f"'{self.name}' 'writable' must be specified if and only if the "
                "destination is of memref type"
            )


@refined_op_definition
class ToBufferOp(bufferization.ToBufferOp):
    """The future buffer of a tensor."""

    tensor = operand_def(ANY_TENSOR)
    memref = result_def(ANY_MEMREF)

    assembly_format = (
        "$tensor (`read_only` $read_only^)? attr-dict "
        "`:` type($tensor) `to` type($memref)"
    )

    traits = traits_def(Pure(), CanonicalizedBy("bufferization"))

    def __init__(
        self,
        tensor: SSAValue | Operation,
        result_type: Attribute,
        *,
        read_only: bool = False,
    ):
        super().__init__(
            operands=(tensor,),
            result_types=(result_type,),
            properties={"read_only": UnitAttr() if read_only else None},
        )

    def verify_(self) -> None:
        _verify_tensor_and_buffer(self, self.operands[0].type, self.results[0].type)


@refined_op_definition
class ToTensorOp(bufferization.ToTensorOp):
    """A tensor of the contents of a buffer.

    `restrict` promises that no other to_tensor reaches the buffer or an alias of it;
    `writable` allows bufferization to write to it.
    """

    memref = operand_def(ANY_MEMREF)
    tensor = result_def(ANY_TENSOR)

    traits = traits_def(BufferEffects(reads=(0,)), CanonicalizedBy("bufferization"))

    def __init__(
        self,
        memref: SSAValue | Operation,
        restrict: bool = False,
        writable: bool = False,
        result_type: Attribute | None = None,
    ):
        memref = SSAValue.get(memref)
        IRDLOperation.__init__(
            self,
            operands=(memref,),
            result_types=(result_type or tensor_type_of(memref.type),),
            properties={
                "restrict": UnitAttr() if restrict else None,
                "writable": UnitAttr() if writable else None,
            },
        )

    def verify_(self) -> None:
        _verify_tensor_and_buffer(self, self.results[0].type, self.operands[0].type)


def tensor_type_of(buffer: Attribute) -> TensorType | UnrankedTensorType:
    """The tensor type of the contents of a buffer of the given type."""
    if is_memref(buffer):
        return TensorType(buffer.element_type, buffer.shape)
    return UnrankedTensorType(element_type_of(buffer))


Bufferization = Dialect(
    "bufferization",
    [
        AllocTensorOp,
        CloneOp,
        DeallocOp,
        DeallocTensorOp,
        MaterializeInDestinationOp,
        ToBufferOp,
        ToTensorOp,
    ],
)
