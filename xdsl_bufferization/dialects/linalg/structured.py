"""The ops of linalg that iterate over loops: their common part, and those that are not
instances of the table in `named`: generic, map, reduce, transpose, broadcast.

Each has `inputs`, `outputs`, `res`, a scalar `body`, `get_indexing_maps()` and
`get_iterator_types()`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set as AbstractSet
from functools import cache
from typing import ClassVar, Self, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.dialects.linalg import ops as xdsl_ops
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.utils import AbstractYieldOperation as AbstractYieldOperation
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicOperandSize,
    operand_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    ConditionallySpeculatable,
    EffectInstance,
    IsTerminator,
    MemoryEffectKind,
    Pure,
    ReturnLike,
    get_effects,
    is_speculatable,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.definitions import (
    CanonicalizedBy,
    EffectsOfBody,
    refined_op_definition,
    standalone_op_definition,
)
from xdsl_bufferization.dialects.shapes import (
    IntArray,
    element_type_of,
    is_array,
    is_memref,
    is_tensor,
    shape_of,
)
from xdsl_bufferization.dialects.syntax import (
    int_array,
    parse_operands,
    parse_optional_types,
    print_body,
    print_type_or_types,
)

from .attrs import IteratorType, IteratorTypeAttr

NONE = Parser.Delimiter.NONE
PARALLEL = IteratorTypeAttr(IteratorType.PARALLEL)
REDUCTION = IteratorTypeAttr(IteratorType.REDUCTION)


class StructuredEffects(EffectsOfBody, ConditionallySpeculatable):
    """On tensors none but those of the body. On buffers: the inputs are read, the outputs
    written, and read where the body uses their old value."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance] | None:
        effects: set[EffectInstance] = set()
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    of_inner = get_effects(inner)
                    if of_inner is None:
                        return None
                    effects |= of_inner
        first_output = len(op.operands) - output_count(op)
        args = op.regions[0].block.args if op.regions else ()
        for i, operand in enumerate(op.operands):
            if not is_memref(operand.type):
                continue
            if i >= first_output:
                effects.add(EffectInstance(MemoryEffectKind.WRITE, operand))
            if i < first_output or (i < len(args) and args[i].first_use is not None):
                effects.add(EffectInstance(MemoryEffectKind.READ, operand))
        return effects

    @classmethod
    def writes_buffer(cls, op: Operation) -> bool:
        operands = op.operands
        if operands and is_memref(operands[-1].type):  # the last one is an output
            return True
        return any(
            is_memref(operand.type)
            for operand in operands[len(operands) - output_count(op) :]
        )

    @classmethod
    def is_speculatable(cls, op: Operation) -> bool:
        if any(is_memref(operand.type) for operand in op.operands):
            return False
        return all(
            is_speculatable(inner)
            for region in op.regions
            for block in region.blocks
            for inner in block.ops
            if not inner.has_trait(IsTerminator, value_if_unregistered=False)
        )


def output_count(op: Operation) -> int:
    """How many of the op's operands, the last ones, are outputs."""
    if isinstance(op, LinalgStructuredOperation):
        segments = op.properties.get("operandSegmentSizes")
        if isinstance(segments, DenseArrayBase):
            return segments.get_values()[-1]
        return len(op.outputs)
    return len(op.results) or 1


def scalar_types(values: Sequence[SSAValue]) -> list[Attribute]:
    """The types that the body sees of the operands: of an element, or of a scalar."""
    return [
        element_type_of(value.type) if shape_of(value.type) is not None else value.type
        for value in values
    ]


def tensor_types(values: Sequence[SSAValue]) -> list[Attribute]:
    """The types of the results that the given outputs lead to."""
    return [value.type for value in values if is_tensor(value.type)]


@cache
def iterator_types(text: str) -> ArrayAttr[IteratorTypeAttr]:
    """The iterator types of a text with a letter each: p of parallel, r of reduction."""
    return ArrayAttr([PARALLEL if letter == "p" else REDUCTION for letter in text])


@cache
def projection(rank: int, dims: tuple[int, ...]) -> AffineMapAttr:
    """The map of `rank` loops to the given ones."""
    return AffineMapAttr(AffineMap(rank, 0, tuple(AffineDimExpr(i) for i in dims)))


def parse_typed_operands(parser: Parser, keyword: str) -> Sequence[SSAValue]:
    """Parse `keyword(operands : types)`, or nothing."""
    if parser.parse_optional_keyword(keyword) is None:
        return ()
    parser.parse_punctuation("(")
    if parser.parse_optional_punctuation(")") is not None:
        return ()
    pos = parser.pos
    operands = parse_operands(parser, NONE)
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return parser.resolve_operands(operands, types, pos)


def print_typed_operands(
    printer: Printer, keyword: str, operands: Sequence[SSAValue]
) -> None:
    if not operands:
        return
    printer.print_string(f" {keyword}(")
    printer.print_list(operands, printer.print_ssa_value)
    printer.print_string(" : ")
    printer.print_list([operand.type for operand in operands], printer.print_attribute)
    printer.print_string(")")


def verify_structured(op: LinalgStructuredOperation) -> None:
    """Check operands, indexing maps, body and results against each other."""
    _verify_loops(op)
    outputs = op.outputs
    if list(op.result_types) != tensor_types(outputs):
        raise VerifyException(
            f"'{op.name}' expected the number and types of results to be those of its "
            f"tensor outputs, got ({', '.join(map(str, op.result_types))})"
        )
    last = op.body.block.last_op
    if not isinstance(last, xdsl_ops.YieldOp):
        raise VerifyException(f"'{op.name}' expects its body to end with linalg.yield")
    expected = scalar_types(outputs)
    if list(last.operand_types) != expected:
        raise VerifyException(
            f"'linalg.yield' expected values of types "
            f"({', '.join(map(str, expected))}) to match the outputs of '{op.name}', got "
            f"({', '.join(map(str, last.operand_types))})"
        )


_VERIFIED_LOOPS_LIMIT = 10_000
_verified_loops: set[Hashable] = set()
"""What `_verify_loops` has found right: a program has few kinds of loops."""


def _verify_loops(op: LinalgStructuredOperation) -> None:
    """Check maps, operands and the arguments of the body against each other, as xDSL
    does, which takes as long as all other checks of an op: once for equal ones."""
    block = op.body.first_block
    arguments = () if block is None else tuple(argument.type for argument in block.args)
    loops = (
        op.get_indexing_maps(),
        op.get_iterator_types(),
        tuple(_kind_of(operand.type) for operand in op.operands),
        arguments,
        block is op.body.last_block,
    )
    if loops not in _verified_loops:
        LinalgStructuredOperation.verify_(op)
        if len(_verified_loops) >= _VERIFIED_LOOPS_LIMIT:
            _verified_loops.clear()
        _verified_loops.add(loops)


def _kind_of(type: Attribute) -> Hashable:
    """All that matters of an operand's type."""
    if is_tensor(type) or is_memref(type):
        return type.name, type.get_shape(), type.element_type
    return type


@refined_op_definition
class YieldOp(xdsl_ops.YieldOp):
    """Ends the body of a structured op: the new scalars of the outputs."""

    traits = traits_def(IsTerminator(), ReturnLike(), Pure())

    @classmethod
    def parse(cls, parser: Parser) -> YieldOp:
        attributes = parser.parse_optional_attr_dict()
        pos = parser.pos
        values: Sequence[SSAValue] = ()
        first = parser.parse_optional_unresolved_operand()
        if first is not None:
            operands = [first]
            while parser.parse_optional_punctuation(",") is not None:
                operands.append(parser.parse_unresolved_operand())
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(NONE, parser.parse_type)
            values = parser.resolve_operands(operands, types, pos)
        op = cls(*values)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        if self.operands:
            printer.print_string(" ")
            printer.print_list(self.operands, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list(self.operand_types, printer.print_attribute)


@refined_op_definition
class IndexOp(xdsl_ops.IndexOp):
    """The iteration number of a loop around the body."""

    traits = traits_def(Pure(), CanonicalizedBy("linalg"))

    def verify_(self) -> None:
        parent = self.parent_op()
        if parent is None:
            return
        if not isinstance(parent, LinalgStructuredOperation):
            raise VerifyException(
                f"'{self.name}' expected parent op with LinalgOp interface"
            )
        loops = len(parent.get_iterator_types())
        if not 0 <= self.dim.value.data < loops:
            raise VerifyException(
                f"'{self.name}' expected dim ({self.dim.value.data}) to be lower than "
                f"the number of loops ({loops}) of the enclosing LinalgOp"
            )


_GENERIC_PROPERTIES = ("indexing_maps", "iterator_types", "doc", "library_call")


@refined_op_definition
class GenericOp(xdsl_ops.GenericOp):
    """A structured op of any indexing maps, iterator types and body."""

    traits = traits_def(StructuredEffects(), CanonicalizedBy("linalg"))

    @classmethod
    def parse(cls, parser: Parser) -> GenericOp:
        pos = parser.pos
        trait = parser.parse_optional_attribute()
        if not isinstance(trait, DictionaryAttr):
            parser.raise_error("expected a dictionary of the op's attributes", pos)
        attributes = dict(trait.data)
        properties = {
            name: attributes.pop(name)
            for name in _GENERIC_PROPERTIES
            if name in attributes
        }
        maps = properties.get("indexing_maps")
        iterators = properties.get("iterator_types")
        if not is_array(maps) or not is_array(iterators):
            parser.raise_error("expected indexing_maps and iterator_types", pos)
        properties["iterator_types"] = ArrayAttr(
            _iterator_type(parser, iterator) for iterator in iterators
        )
        inputs = parse_typed_operands(parser, "ins")
        outputs = parse_typed_operands(parser, "outs")
        if parser.parse_optional_keyword("attrs") is not None:
            parser.parse_punctuation("=")
            attributes |= parser.parse_optional_attr_dict()
        body = parser.parse_region()
        results = parse_optional_types(parser)
        return cls.build(
            operands=(inputs, outputs),
            result_types=(results,),
            properties=properties,
            attributes=attributes,
            regions=(body,),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" {indexing_maps = ")
        printer.print_attribute(self.indexing_maps)
        printer.print_string(", iterator_types = [")
        printer.print_list(
            self.iterator_types, lambda i: printer.print_string_literal(str(i.data))
        )
        printer.print_string("]")
        for name in ("doc", "library_call"):
            if name in self.properties:
                printer.print_string(f", {name} = ")
                printer.print_attribute(self.properties[name])
        printer.print_string("}")
        print_typed_operands(printer, "ins", self.inputs)
        print_typed_operands(printer, "outs", self.outputs)
        if self.attributes:
            printer.print_string(" attrs =")
            printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        printer.print_region(self.body)
        print_type_or_types(printer, self.result_types)

    def verify_(self) -> None:
        verify_structured(self)


def _iterator_type(parser: Parser, attribute: Attribute) -> IteratorTypeAttr:
    if isinstance(attribute, IteratorTypeAttr):
        return attribute
    if isinstance(attribute, StringAttr):
        for kind in IteratorType:
            if attribute.data == str(kind):
                return IteratorTypeAttr(kind)
    return parser.raise_error(f"unknown iterator type {attribute}")


def parse_payload_name(parser: Parser) -> tuple[str, dict[str, Attribute]] | None:
    """Parse `{ op.name attributes }`, the short form of a body of one op."""
    if parser.parse_optional_punctuation("{") is None:
        return None
    name = parser.parse_identifier()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation("}")
    return name, attributes


def build_payload(
    parser: Parser,
    payload: tuple[str, dict[str, Attribute]],
    inputs: Sequence[SSAValue],
    outputs: Sequence[SSAValue],
    *,
    outputs_used: bool,
) -> Region:
    """Build the body that the short form stands for.

    A map's op takes the inputs; a reduction's takes the outputs and then the inputs.
    """
    name, attributes = payload
    op_type = parser.ctx.get_optional_op(name)
    if op_type is None:
        parser.raise_error(f"operation {name} is not registered")
    block = Block(arg_types=scalar_types([*inputs, *outputs]))
    args = list(block.args)
    ins, outs = args[: len(inputs)], args[len(inputs) :]
    operands = [*outs, *ins] if outputs_used else ins
    properties: dict[str, Attribute] = {}
    if issubclass(op_type, IRDLOperation):
        known = op_type.get_irdl_definition().properties
        properties = {k: attributes.pop(k) for k in list(attributes) if k in known}
    op = op_type.create(
        operands=operands,
        result_types=[arg.type for arg in (outs if outputs else ins)],
        properties=properties,
        attributes=attributes,
    )
    block.add_ops((op, YieldOp(*op.results)))
    return Region(block)


def payload_of(body: Region, input_count: int, *, outputs_used: bool) -> Operation | None:
    """The op that the short form names, if the body can be written so."""
    block = body.block
    op, last = block.first_op, block.last_op
    if op is None or op.next_op is not last or not isinstance(last, YieldOp):
        return None
    args = list(block.args)
    ins, outs = args[:input_count], args[input_count:]
    operands = [*outs, *ins] if outputs_used else ins
    if len(op.results) != 1 or op.regions or op.successors:
        return None
    if list(op.operands) != operands or list(last.operands) != list(op.results):
        return None
    if outputs_used and len(outs) != 1:
        return None
    if not outputs_used and [arg.type for arg in outs] != list(op.result_types):
        return None
    # The operands of the short form are all of the type of the element.
    return op


def print_payload(printer: Printer, op: Operation) -> None:
    printer.print_string(f" {{ {op.name}")
    attributes = {
        name: value
        for name, value in (op.properties | op.attributes).items()
        if not _is_default(name, value)
    }
    printer.print_op_attributes(attributes)
    printer.print_string(" }")


def _is_default(name: str, value: Attribute) -> bool:
    return name in ("fastmath", "overflowFlags") and not getattr(value, "data", True)


def print_arguments_and_body(printer: Printer, body: Region) -> None:
    """Print `(arguments) {...}` on a line of its own."""
    printer.print_string("\n  (")
    printer.print_list(body.block.args, printer.print_block_argument)
    printer.print_string(")")
    print_body(printer, body)


@standalone_op_definition
class MapOp(LinalgStructuredOperation):
    """Applies its body to the elements of any number of tensors of one shape."""

    name = "linalg.map"

    inputs = var_operand_def()
    init = operand_def()
    res = var_result_def(TensorType)
    body = region_def("single_block")

    traits = traits_def(StructuredEffects(), CanonicalizedBy("linalg"))

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        init: SSAValue | Operation,
        body: Region,
        result_types: Sequence[Attribute] | None = None,
    ):
        init = SSAValue.get(init)
        if result_types is None:
            result_types = tensor_types([init])
        IRDLOperation.__init__(
            self, operands=(inputs, init), result_types=(result_types,), regions=(body,)
        )

    @property
    def outputs(self) -> Sequence[SSAValue]:
        return self.operands[-1:]

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        rank = len(shape_of(self.operands[-1].type) or ())
        identity = projection(rank, tuple(range(rank)))
        return ArrayAttr([identity] * len(self.operands))

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return iterator_types("p" * len(shape_of(self.operands[-1].type) or ()))

    @classmethod
    def parse(cls, parser: Parser) -> MapOp:
        payload = parse_payload_name(parser)
        inputs = parse_typed_operands(parser, "ins")
        outputs = parse_typed_operands(parser, "outs")
        if len(outputs) != 1:
            parser.raise_error("expected one output")
        attributes = parser.parse_optional_attr_dict()
        if payload is None:
            body = parser.parse_region(
                parser.parse_comma_separated_list(
                    Parser.Delimiter.PAREN, parser.parse_argument
                )
            )
        else:
            body = build_payload(parser, payload, inputs, outputs, outputs_used=False)
        op = cls(inputs, outputs[0], body)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        *inputs, init = self.operands
        payload = payload_of(self.body, len(inputs), outputs_used=False)
        if not inputs:
            payload = None
        if payload is not None:
            print_payload(printer, payload)
        print_typed_operands(printer, "ins", inputs)
        print_typed_operands(printer, "outs", [init])
        printer.print_op_attributes(self.attributes)
        if payload is None:
            print_arguments_and_body(printer, self.body)

    def check(self) -> None:
        init = self.operands[-1].type
        for operand in self.operands[:-1]:
            if shape_of(operand.type) != shape_of(init):
                raise VerifyException(
                    f"'{self.name}' expected shape of input {operand.type} to match "
                    f"shape of output {init}"
                )
        verify_structured(self)


@standalone_op_definition
class ReduceOp(LinalgStructuredOperation):
    """Reduces tensors along some of their dimensions."""

    name = "linalg.reduce"

    inputs = var_operand_def()
    outputs = var_operand_def()
    dimensions = prop_def(DenseArrayBase.constr(i64))
    res = var_result_def(TensorType)
    body = region_def("single_block")

    irdl_options = (SameVariadicOperandSize(),)

    traits = traits_def(StructuredEffects(), CanonicalizedBy("linalg"))

    def __init__(
        self,
        inputs: SSAValue | Sequence[SSAValue],
        outputs: SSAValue | Sequence[SSAValue],
        dimensions: IntArray | Sequence[int],
        body: Region,
        result_types: Sequence[Attribute] | None = None,
    ):
        inputs = [inputs] if isinstance(inputs, SSAValue) else list(inputs)
        outputs = [outputs] if isinstance(outputs, SSAValue) else list(outputs)
        if not isinstance(dimensions, DenseArrayBase):
            dimensions = DenseArrayBase.from_list(i64, list(dimensions))
        if result_types is None:
            result_types = tensor_types(outputs)
        IRDLOperation.__init__(
            self,
            operands=(inputs, outputs),
            result_types=(result_types,),
            properties={"dimensions": dimensions},
            regions=(body,),
        )

    @property
    def input(self) -> SSAValue:
        return self.operands[0]

    @property
    def init(self) -> SSAValue:
        return self.operands[len(self.operands) // 2]

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        rank = len(shape_of(self.operands[0].type) or ())
        reduced = self.dimensions.get_values()
        count = len(self.operands) // 2
        kept = tuple(i for i in range(rank) if i not in reduced)
        return ArrayAttr(
            [projection(rank, tuple(range(rank)))] * count
            + [projection(rank, kept)] * count
        )

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        rank = len(shape_of(self.operands[0].type) or ())
        reduced = self.dimensions.get_values()
        return iterator_types("".join("r" if i in reduced else "p" for i in range(rank)))

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        payload = parse_payload_name(parser)
        inputs = parse_typed_operands(parser, "ins")
        outputs = parse_typed_operands(parser, "outs")
        parser.parse_keyword("dimensions")
        parser.parse_punctuation("=")
        dimensions = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, parser.parse_integer
        )
        attributes = parser.parse_optional_attr_dict()
        if payload is None:
            body = parser.parse_region(
                parser.parse_comma_separated_list(
                    Parser.Delimiter.PAREN, parser.parse_argument
                )
            )
        else:
            body = build_payload(parser, payload, inputs, outputs, outputs_used=True)
        if len(inputs) != len(outputs):
            parser.raise_error("expected as many outputs as inputs")
        op = cls(inputs, outputs, int_array(parser, dimensions), body)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        count = len(self.operands) // 2
        payload = payload_of(self.body, count, outputs_used=True)
        if payload is not None:
            print_payload(printer, payload)
        print_typed_operands(printer, "ins", self.operands[:count])
        print_typed_operands(printer, "outs", self.operands[count:])
        print_dimensions(printer, "dimensions", self.dimensions)
        printer.print_op_attributes(self.attributes)
        if payload is None:
            print_arguments_and_body(printer, self.body)

    def check(self) -> None:
        count = len(self.operands) // 2
        if not count:
            raise VerifyException(f"'{self.name}' expects an input and an output")
        shape = shape_of(self.operands[0].type) or ()
        dims = self.dimensions.get_values()
        if list(dims) != sorted(set(dims)):
            raise VerifyException(
                f"'{self.name}' attribute 'dimensions' should be in increasing order"
            )
        if any(not 0 <= dim < len(shape) for dim in dims):
            raise VerifyException(
                f"'{self.name}' dimensions for reduction should be in the range "
                f"[0, {len(shape) - 1}]."
            )
        for i in range(1, count):
            if shape_of(self.operands[i].type) != shape:
                raise VerifyException(
                    f"'{self.name}' expects all inputs to have the same shapes."
                )
        kept = tuple(size for i, size in enumerate(shape) if i not in dims)
        for operand in self.operands[count:]:
            init_shape = shape_of(operand.type) or ()
            if len(init_shape) != len(kept):
                raise VerifyException(
                    f"'{self.name}' number of dimensions after reduction {len(kept)} "
                    f"doesn't match the init rank {len(init_shape)}"
                )
            if init_shape != kept:
                raise VerifyException(
                    f"'{self.name}' init dimensions {list(init_shape)} doesn't match "
                    f"input dimensions after reduction {list(kept)}"
                )
        verify_structured(self)


def print_dimensions(printer: Printer, name: str, values: IntArray) -> None:
    printer.print_string(f" {name} = [")
    printer.print_list(values.iter_values(), printer.print_int)
    printer.print_string("]")


class _CopyingOp(IRDLOperation):
    """An op of one input that says in a list of integers where its elements go."""

    LIST_NAME: ClassVar[str]

    def _init(
        self,
        input: SSAValue,
        init: SSAValue,
        values: IntArray | Sequence[int],
        result: Attribute | Sequence[Attribute] | None,
    ) -> None:
        if not isinstance(values, DenseArrayBase):
            values = DenseArrayBase.from_list(i64, list(values))
        if result is None:
            result = tensor_types([init])
        elif isinstance(result, Attribute):
            result = [result]
        body = Block(arg_types=scalar_types([input, init]))
        body.add_op(YieldOp(body.args[0]))
        IRDLOperation.__init__(
            self,
            operands=((input,), (init,)),
            result_types=(result,),
            properties={self.LIST_NAME: values},
            regions=(Region(body),),
        )

    @property
    def input(self) -> SSAValue:
        return self.operands[0]

    @property
    def init(self) -> SSAValue:
        return self.operands[1]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        inputs = parse_typed_operands(parser, "ins")
        outputs = parse_typed_operands(parser, "outs")
        if len(inputs) != 1 or len(outputs) != 1:
            parser.raise_error("expected one input and one output")
        parser.parse_keyword(cls.LIST_NAME)
        parser.parse_punctuation("=")
        values = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, parser.parse_integer
        )
        attributes = parser.parse_optional_attr_dict()
        op = cls.__new__(cls)
        op._init(inputs[0], outputs[0], int_array(parser, values), None)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        print_typed_operands(printer, "ins", self.operands[:1])
        print_typed_operands(printer, "outs", self.operands[1:])
        print_dimensions(
            printer, self.LIST_NAME, cast(IntArray, self.properties[self.LIST_NAME])
        )
        printer.print_op_attributes(self.attributes)


@standalone_op_definition
class TransposeOp(_CopyingOp, xdsl_ops.TransposeOp):
    """Permutes the dimensions of a tensor."""

    name = "linalg.transpose"
    LIST_NAME: ClassVar[str] = "permutation"

    inputs = var_operand_def()
    outputs = var_operand_def()
    permutation = prop_def(DenseArrayBase.constr(i64))
    res = var_result_def(TensorType)
    body = region_def("single_block")

    irdl_options = (SameVariadicOperandSize(),)

    traits = traits_def(StructuredEffects(), CanonicalizedBy("linalg"))

    def __init__(
        self,
        input: SSAValue,
        init: SSAValue,
        permutation: IntArray | Sequence[int],
        result: Attribute | Sequence[Attribute] | None = None,
    ):
        self._init(input, init, permutation, result)

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        order = self.permutation.get_values()
        rank = len(order)
        inverse = tuple(order.index(i) for i in range(rank))
        return ArrayAttr(
            [projection(rank, inverse), projection(rank, tuple(range(rank)))]
        )

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return iterator_types("p" * len(self.permutation))

    def check(self) -> None:
        if len(self.operands) != 2:
            raise VerifyException(f"'{self.name}' expects one input and one output")
        shape, init_shape = (shape_of(operand.type) or () for operand in self.operands)
        order = self.permutation.get_values()
        rank = len(shape)
        if sorted(order) != list(range(len(order))):
            raise VerifyException(f"'{self.name}' permutation is not valid")
        if len(init_shape) != rank:
            raise VerifyException(
                f"'{self.name}' input rank {rank} does not match init rank "
                f"{len(init_shape)}"
            )
        if len(order) != rank:
            raise VerifyException(
                f"'{self.name}' size of permutation {len(order)} does not match the "
                f"argument rank {rank}"
            )
        for i, j in enumerate(order):
            if init_shape[i] != shape[j]:
                raise VerifyException(
                    f"'{self.name}' dim(result, {i}) = {init_shape[i]} doesn't match "
                    f"dim(input, permutation[{i}]) = {shape[j]}"
                )
        verify_structured(self)


@standalone_op_definition
class BroadcastOp(_CopyingOp, LinalgStructuredOperation):
    """Repeats a tensor along added dimensions."""

    name = "linalg.broadcast"
    LIST_NAME: ClassVar[str] = "dimensions"

    inputs = var_operand_def()
    outputs = var_operand_def()
    dimensions = prop_def(DenseArrayBase.constr(i64))
    res = var_result_def(TensorType)
    body = region_def("single_block")

    irdl_options = (SameVariadicOperandSize(),)

    traits = traits_def(StructuredEffects(), CanonicalizedBy("linalg"))

    def __init__(
        self,
        input: SSAValue,
        init: SSAValue,
        dimensions: IntArray | Sequence[int],
        result: Attribute | Sequence[Attribute] | None = None,
    ):
        self._init(input, init, dimensions, result)

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        rank = len(shape_of(self.operands[1].type) or ())
        added = self.dimensions.get_values()
        kept = tuple(i for i in range(rank) if i not in added)
        return ArrayAttr([projection(rank, kept), projection(rank, tuple(range(rank)))])

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return iterator_types("p" * len(shape_of(self.operands[1].type) or ()))

    def check(self) -> None:
        if len(self.operands) != 2:
            raise VerifyException(f"'{self.name}' expects one input and one output")
        shape, init_shape = (shape_of(operand.type) or () for operand in self.operands)
        added = self.dimensions.get_values()
        rank = len(init_shape)
        if len(shape) + len(added) != rank:
            raise VerifyException(
                f"'{self.name}' input rank plus added dimensions does not match init "
                f"rank. input rank: {len(shape)}, dimensions size: {len(added)}, init "
                f"rank: {rank}"
            )
        for i, dim in enumerate(added):
            if not 0 <= dim < rank:
                raise VerifyException(
                    f"'{self.name}' dimension {i} is out of range. expected range: "
                    f"[0, {rank - 1}], got: {dim}"
                )
        kept = [i for i in range(rank) if i not in added]
        for i, j in enumerate(kept[: len(shape)]):
            if shape[i] != init_shape[j]:
                raise VerifyException(
                    f"'{self.name}' input dim {i} should match init dim {j}. input: "
                    f"{shape[i]}, init: {init_shape[j]}"
                )
        verify_structured(self)
