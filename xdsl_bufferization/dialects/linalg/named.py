"""The table of the structured named ops.

A line has the op's class name, its name, its loops, how its operands index them, and its
scalar body (see `scalar`). From it come the class with its syntax, the region that
mlir-opt would build, the indexing maps and the iterator types.

The loops and operands read like an einsum:

    "m n k : m k, k n -> m n"

names three loops, and one list of loops for each input and for the output. A loop that
the output does not have is a reduction. `oh~kh` is a place that a window slides over: the
output position times a stride plus the window position times a dilation; the first place
of an op takes the first stride and dilation, and so on. `oh+kh` is the same without
stride and dilation. `()` is a scalar. An elementwise op has no such text: all its
operands are indexed alike, but for scalars.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, cast

from xdsl.builder import ImplicitBuilder
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    TensorType,
    i64,
)
from xdsl.dialects.linalg import ops as xdsl_ops
from xdsl.dialects.linalg.abstract_ops import NamedOperation
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.definitions import (
    CanonicalizedBy,
    standalone_op_definition,
)
from xdsl_bufferization.dialects.shapes import is_array, shape_of
from xdsl_bufferization.dialects.syntax import parse_optional_types, print_type_or_types
from xdsl_bufferization.guest import is_in_use
from xdsl_bufferization.records import record

from . import scalar
from .attrs import ElementwiseKindAttr, IteratorTypeAttr, TypeFn, TypeFnAttr
from .scalar import Body, ScalarBuilder, elementwise
from .structured import (
    StructuredEffects,
    YieldOp,
    iterator_types,
    parse_typed_operands,
    print_typed_operands,
    projection,
    scalar_types,
    tensor_types,
    verify_structured,
)

_MEMOIZED = "linalg.memoized_indexing_maps"


@record
class Indexing:
    """How the operands of an op index its loops."""

    loops: tuple[str, ...]
    operands: tuple[tuple[str, ...], ...]
    """The places of each operand, the output last: a loop, `a+b` or `a~b`."""

    @classmethod
    def parse(cls, text: str) -> Indexing:
        loops, _, operands = text.partition(":")
        inputs, _, output = operands.partition("->")
        places = [part.split() for part in (*inputs.split(","), output)]
        return cls(
            tuple(loops.split()),
            tuple(tuple(p for p in part if p != "()") for part in places),
        )

    @property
    def windows(self) -> int:
        """The number of places that strides and dilations apply to."""
        return sum("~" in place for places in self.operands for place in places)

    @property
    def iterators(self) -> str:
        parallel = {
            loop
            for place in self.operands[-1]
            for loop in place.replace("~", "+").split("+")
        }
        return "".join("p" if loop in parallel else "r" for loop in self.loops)

    def maps(
        self, strides: Sequence[int] = (), dilations: Sequence[int] = ()
    ) -> ArrayAttr[AffineMapAttr]:
        window = 0
        maps: list[AffineMapAttr] = []
        for places in self.operands:
            results: list[AffineExpr] = []
            for place in places:
                outer, plus, inner = place.replace("~", "+").partition("+")
                expr: AffineExpr = AffineDimExpr(self.loops.index(outer))
                if plus:
                    offset: AffineExpr = AffineDimExpr(self.loops.index(inner))
                    if "~" in place:
                        expr, offset = expr * strides[window], offset * dilations[window]
                        window += 1
                    expr = expr + offset
                results.append(expr)
            maps.append(AffineMapAttr(AffineMap(len(self.loops), 0, tuple(results))))
        return ArrayAttr(maps)


@cache
def _indexing_maps(
    indexing: Indexing, strides: tuple[int, ...], dilations: tuple[int, ...]
) -> ArrayAttr[AffineMapAttr]:
    return indexing.maps(strides, dilations)


class NamedOp(NamedOperation):
    """A structured op whose maps, iterators and body follow from its line."""

    INDEXING: ClassVar[Indexing | None] = None
    INPUTS: ClassVar[int] = 0
    """The number of inputs; the output comes after them."""
    BODY: ClassVar[Body]

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue] = (),
        res: Sequence[Attribute] | None = None,
        attributes: Mapping[str, Attribute | None] | None = None,
        **properties: Attribute | Sequence[int] | None,
    ):
        """Strides and dilations may be given as numbers."""
        given: dict[str, Attribute | None] = {}
        for name, value in properties.items():
            if value is not None and not isinstance(value, Attribute):
                numbers = TensorType(i64, [len(value)])
                value = DenseIntOrFPElementsAttr.from_list(numbers, list(value))
            given[name] = value
        IRDLOperation.__init__(
            self,
            operands=(inputs, outputs),
            result_types=(tensor_types(outputs) if res is None else res,),
            properties=given,
            attributes=attributes,
            regions=(self.build_body(inputs, outputs, given),),
        )

    @classmethod
    def build_body(
        cls,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        properties: Mapping[str, Attribute | None],
    ) -> Region:
        """The scalar body, as mlir-opt builds it.

        Raises:
            VerifyException: when there is none for these operand types.
        """
        if len(inputs) != cls.input_count(properties) or len(outputs) != 1:
            raise VerifyException(
                f"'{cls.name}' expects {cls.input_count(properties)} inputs and one "
                f"output, got {len(inputs)} and {len(outputs)}"
            )
        block = Block(arg_types=scalar_types([*inputs, *outputs]))
        cast_kind = properties.get("cast")
        unsigned = (
            isinstance(cast_kind, TypeFnAttr) and cast_kind.data is TypeFn.CAST_UNSIGNED
        )
        as_in_xdsl = not is_in_use() and cls.is_known_to_xdsl()
        builder = ScalarBuilder(block, cls.name, unsigned, as_in_xdsl)
        # The body is built apart, also where ops go into the block of an ImplicitBuilder.
        with ImplicitBuilder(block):
            YieldOp(cls.scalar_body(properties)(builder, *block.args))
        return Region(block)

    @classmethod
    def is_known_to_xdsl(cls) -> bool:
        """Return whether xDSL defines this op too."""
        return any(base.__module__ == "xdsl.dialects.linalg.ops" for base in cls.__mro__)

    @classmethod
    def input_count(cls, properties: Mapping[str, Attribute | None]) -> int:
        return cls.INPUTS

    @classmethod
    def scalar_body(cls, properties: Mapping[str, Attribute | None]) -> Body:
        return cls.BODY

    @classmethod
    def get_hidden_region(
        cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]
    ) -> Region:
        return cls.build_body(inputs, outputs, {})

    @property
    def rank(self) -> int:
        """The number of loops of an elementwise op."""
        return len(shape_of(self.operands[-1].type) or ())

    def window(self, name: str) -> tuple[int, ...]:
        """The strides or dilations, 1 each where the op does not give them."""
        values = self.properties.get(name)
        if isinstance(values, DenseIntOrFPElementsAttr):
            return tuple(values.get_values())
        return (1,) * (self.INDEXING.windows if self.INDEXING else 0)

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        if self.INDEXING is None:
            rank = self.rank
            loops = tuple(range(rank))
            return ArrayAttr(
                [
                    projection(rank, loops if shape_of(operand.type) else ())
                    for operand in self.operands
                ]
            )
        return _indexing_maps(
            self.INDEXING, self.window("strides"), self.window("dilations")
        )

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        return [attr.data for attr in self.get_indexing_maps()]

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        if self.INDEXING is None:
            return iterator_types("p" * self.rank)
        return iterator_types(self.INDEXING.iterators)

    @classmethod
    def parse(cls, parser: Parser) -> NamedOp:
        properties: dict[str, Attribute] = cls.parse_prefix(parser)
        attributes = parser.parse_optional_attr_dict()
        pos = parser.pos
        inputs = parse_typed_operands(parser, "ins")
        outputs = parse_typed_operands(parser, "outs")
        known = cls.get_irdl_definition().properties
        for name in [name for name in attributes if name in known]:
            properties[name] = attributes.pop(name)
        results = parse_optional_types(parser)
        try:
            body = cls.build_body(inputs, outputs, properties)
        except VerifyException as error:
            parser.raise_error(str(error), pos, parser.pos)
        return cls.build(
            operands=(inputs, outputs),
            result_types=(results,),
            properties=properties,
            attributes=attributes,
            regions=(body,),
        )

    def print(self, printer: Printer) -> None:
        prefixed = self.print_prefix(printer)
        attributes = {
            name: value
            for name, value in (self.properties | self.attributes).items()
            if name not in prefixed and name not in ("operandSegmentSizes", _MEMOIZED)
        }
        printer.print_op_attributes(attributes)
        print_typed_operands(printer, "ins", self.inputs)
        print_typed_operands(printer, "outs", self.outputs)
        print_type_or_types(printer, self.result_types)

    @classmethod
    def parse_prefix(cls, parser: Parser) -> dict[str, Attribute]:
        """Parse the properties that come before the attribute dictionary."""
        return {}

    def print_prefix(self, printer: Printer) -> Sequence[str]:
        """Print the properties that come before the attribute dictionary; return their
        names."""
        return ()

    def check(self) -> None:
        count = self.input_count(self.properties)
        if len(self.inputs) != count or len(self.outputs) != 1:
            raise VerifyException(
                f"'{self.name}' expects {count} inputs and one output, got "
                f"{len(self.inputs)} and {len(self.outputs)}"
            )
        windows = self.INDEXING.windows if self.INDEXING else 0
        for name in ("strides", "dilations"):
            if len(self.window(name)) != windows:
                raise VerifyException(
                    f"'{self.name}' expects {windows} {name}, got "
                    f"{len(self.window(name))}"
                )
        verify_structured(self)


class _WithMaps(NamedOp):
    """An op whose indexing maps may be given, to transpose or broadcast its operands.

    The property is always there, as mlir-opt has it; the syntax leaves the default out.
    """

    def __init__(self, *args: Any, **properties: Any):
        super().__init__(*args, **properties)
        self.properties.setdefault("indexing_maps", self.get_indexing_maps())

    @classmethod
    def parse(cls, parser: Parser) -> NamedOp:
        op = super().parse(parser)
        op.properties.setdefault("indexing_maps", op.get_indexing_maps())
        return op

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        maps = self.properties.get("indexing_maps")
        if is_array(maps) and len(maps):
            return cast(ArrayAttr[AffineMapAttr], maps)
        return super().get_indexing_maps()

    @classmethod
    def parse_prefix(cls, parser: Parser) -> dict[str, Attribute]:
        if parser.parse_optional_keyword("indexing_maps") is None:
            return {}
        parser.parse_punctuation("=")
        return {"indexing_maps": parser.parse_attribute()}

    def print_prefix(self, printer: Printer) -> Sequence[str]:
        maps = self.properties.get("indexing_maps")
        if maps is not None and maps != super().get_indexing_maps():
            printer.print_string(" indexing_maps = ")
            printer.print_attribute(maps)
        return ("indexing_maps",)


def _named_op(
    class_name: str,
    name: str,
    body: Body,
    *,
    indexing: str | None = None,
    inputs: int | None = None,
    refines: type[NamedOperation] | None = None,
    base: type[NamedOp] = NamedOp,
    properties: Mapping[str, Any] | None = None,
    doc: str = "",
) -> type[NamedOp]:
    """Make the class of one line of the table."""
    parsed = None if indexing is None else Indexing.parse(indexing)
    if inputs is None:
        inputs = len(parsed.operands) - 1 if parsed else 1
    fields: dict[str, Any] = {
        "__module__": __name__,
        "__doc__": doc or f"`linalg.{name}`" + (f": `{indexing}`" if indexing else ""),
        "__annotations__": {},
        "name": f"linalg.{name}",
        "inputs": var_operand_def(),
        "outputs": var_operand_def(),
        "res": var_result_def(TensorType),
        "body": region_def("single_block"),
        "irdl_options": (AttrSizedOperandSegments(as_property=True),),
        "traits": traits_def(StructuredEffects(), CanonicalizedBy("linalg")),
        **(properties or {}),
    }
    if parsed is not None and parsed.windows:
        fields["strides"] = opt_prop_def(DenseIntOrFPElementsAttr)
        fields["dilations"] = opt_prop_def(DenseIntOrFPElementsAttr)
    bases = (base,) if refines is None else (base, refines)
    cls = cast(type[NamedOp], type(class_name, bases, fields))
    standalone_op_definition(cls)
    cls.INDEXING, cls.INPUTS, cls.BODY = parsed, inputs, staticmethod(body)
    NAMED_OPS.append(cls)
    return cls


NAMED_OPS: list[type[NamedOp]] = []
"""Every op of the table, in its order."""


def _unary(
    class_name: str, name: str, refines: type[NamedOperation] | None = None
) -> type[NamedOp]:
    return _named_op(class_name, name, elementwise(name), refines=refines)


def _binary(
    class_name: str,
    name: str,
    refines: type[NamedOperation] | None = None,
    function: str | None = None,
) -> type[NamedOp]:
    body = elementwise(function or name)
    return _named_op(class_name, name, body, inputs=2, refines=refines)


def _contraction(
    class_name: str, name: str, indexing: str, refines: type[NamedOperation] | None = None
) -> type[NamedOp]:
    """An op that multiplies and adds up."""
    return _named_op(
        class_name, name, scalar.multiply_add, indexing=indexing, refines=refines
    )


def _matmul(
    class_name: str,
    name: str,
    indexing: str,
    refines: type[NamedOperation] | None = None,
    body: Body = scalar.multiply_add,
) -> type[NamedOp]:
    """A contraction whose indexing maps and cast may be given."""
    return _named_op(
        class_name,
        name,
        body,
        indexing=indexing,
        refines=refines,
        base=_WithMaps,
        properties={
            "indexing_maps": opt_prop_def(ArrayAttr),
            "cast": opt_prop_def(TypeFnAttr),
        },
    )


def _quantized(
    class_name: str, name: str, indexing: str, refines: type[NamedOperation] | None = None
) -> type[NamedOp]:
    """A contraction of numbers with a zero point each."""
    body = scalar.quantized_multiply_add
    return _named_op(class_name, name, body, indexing=indexing, refines=refines)


def _pooling(
    class_name: str,
    name: str,
    indexing: str,
    function: str,
    *,
    unsigned: bool = False,
    refines: type[NamedOperation] | None = None,
) -> type[NamedOp]:
    body = scalar.pooled(function, unsigned=unsigned)
    return _named_op(class_name, name, body, indexing=indexing, refines=refines)


# fmt: off
CopyOp = _named_op("CopyOp", "copy", scalar.copy, refines=xdsl_ops.CopyOp,
                   properties={"cast": opt_prop_def(TypeFnAttr)})
ExpOp = _unary("ExpOp", "exp", xdsl_ops.ExpOp)
LogOp = _unary("LogOp", "log", xdsl_ops.LogOp)
AbsOp = _unary("AbsOp", "abs")
CeilOp = _unary("CeilOp", "ceil")
FloorOp = _unary("FloorOp", "floor")
NegFOp = _unary("NegFOp", "negf")
ReciprocalOp = _unary("ReciprocalOp", "reciprocal")
RoundOp = _unary("RoundOp", "round")
SqrtOp = _unary("SqrtOp", "sqrt", xdsl_ops.SqrtOp)
RsqrtOp = _unary("RsqrtOp", "rsqrt")
SquareOp = _unary("SquareOp", "square")
TanhOp = _unary("TanhOp", "tanh")
ErfOp = _unary("ErfOp", "erf")
AddOp = _binary("AddOp", "add", xdsl_ops.AddOp)
SubOp = _binary("SubOp", "sub", xdsl_ops.SubOp)
MulOp = _binary("MulOp", "mul", xdsl_ops.MulOp)
DivOp = _binary("DivOp", "div")
DivUnsignedOp = _binary("DivUnsignedOp", "div_unsigned")
MaxOp = _binary("MaxOp", "max", xdsl_ops.MaxOp, "max_signed")
MinOp = _binary("MinOp", "min", xdsl_ops.MinOp, "min_signed")
PowFOp = _binary("PowFOp", "powf")
SelectOp = _named_op("SelectOp", "select", elementwise("select"), inputs=3,
                     refines=xdsl_ops.SelectOp)
FillOp = _named_op("FillOp", "fill", scalar.first, refines=xdsl_ops.FillOp)
FillRng2DOp = _named_op("FillRng2DOp", "fill_rng_2d", scalar.random_2d,
                        indexing="i j : (), (), () -> i j")

MatmulOp = _matmul("MatmulOp", "matmul", "m n k : m k, k n -> m n", xdsl_ops.MatmulOp)
BatchMatmulOp = _matmul("BatchMatmulOp", "batch_matmul",
    "b m n k : b m k, b k n -> b m n")
# mlir-opt takes no notice of the cast of this one.
BatchReduceMatmulOp = _matmul("BatchReduceMatmulOp", "batch_reduce_matmul",
                              "b m n k : b m k, b k n -> m n",
                              body=scalar.signed_multiply_add)
Mmt4DOp = _contraction("Mmt4DOp", "mmt4d",
    "m n k m0 n0 k0 : m k m0 k0, n k n0 k0 -> m n m0 n0")
BatchMmt4DOp = _contraction("BatchMmt4DOp", "batch_mmt4d",
                            "b m n k m0 n0 k0 : b m k m0 k0, b n k n0 k0 -> b m n m0 n0")
MatvecOp = _contraction("MatvecOp", "matvec", "m n : m n, n -> m")
VecmatOp = _contraction("VecmatOp", "vecmat", "n m : m, m n -> n")
BatchMatvecOp = _contraction("BatchMatvecOp", "batch_matvec", "b m k : b m k, b k -> b m")
BatchVecmatOp = _contraction("BatchVecmatOp", "batch_vecmat", "b n k : b k, b k n -> b n")
DotOp = _contraction("DotOp", "dot", "m : m, m -> ()")
QuantizedMatmulOp = _quantized("QuantizedMatmulOp", "quantized_matmul",
                               "m n k : m k, k n, (), () -> m n",
                               xdsl_ops.QuantizedMatmulOp)
QuantizedBatchMatmulOp = _quantized("QuantizedBatchMatmulOp", "quantized_batch_matmul",
                                    "b m n k : b m k, b k n, (), () -> b m n")

Conv1DOp = _contraction("Conv1DOp", "conv_1d", "ow kw : ow+kw, kw -> ow")
Conv2DOp = _contraction("Conv2DOp", "conv_2d",
    "oh ow kh kw : oh+kh ow+kw, kh kw -> oh ow")
Conv3DOp = _contraction("Conv3DOp", "conv_3d",
                        "od oh ow kd kh kw : od+kd oh+kh ow+kw, kd kh kw -> od oh ow")
Conv1DNwcWcfOp = _contraction("Conv1DNwcWcfOp", "conv_1d_nwc_wcf",
                              "n ow f kw c : n ow~kw c, kw c f -> n ow f")
Conv1DNcwFcwOp = _contraction("Conv1DNcwFcwOp", "conv_1d_ncw_fcw",
                              "n f ow c kw : n c ow~kw, f c kw -> n f ow")
Conv2DNhwcHwcfOp = _contraction(
    "Conv2DNhwcHwcfOp", "conv_2d_nhwc_hwcf",
    "n oh ow f kh kw c : n oh~kh ow~kw c, kh kw c f -> n oh ow f",
    xdsl_ops.Conv2DNhwc_HwcfOp)
Conv2DNhwcFhwcOp = _contraction(
    "Conv2DNhwcFhwcOp", "conv_2d_nhwc_fhwc",
    "n oh ow f kh kw c : n oh~kh ow~kw c, f kh kw c -> n oh ow f",
    xdsl_ops.Conv2DNhwc_FhwcOp)
Conv2DNhwcHwcfQOp = _quantized(
    "Conv2DNhwcHwcfQOp", "conv_2d_nhwc_hwcf_q",
    "n oh ow f kh kw c : n oh~kh ow~kw c, kh kw c f, (), () -> n oh ow f")
Conv2DNhwcFhwcQOp = _quantized(
    "Conv2DNhwcFhwcQOp", "conv_2d_nhwc_fhwc_q",
    "n oh ow f kh kw c : n oh~kh ow~kw c, f kh kw c, (), () -> n oh ow f")
Conv2DNchwFchwQOp = _quantized(
    "Conv2DNchwFchwQOp", "conv_2d_nchw_fchw_q",
    "n f oh ow c kh kw : n c oh~kh ow~kw, f c kh kw, (), () -> n f oh ow")
Conv2DNchwFchwOp = _contraction(
    "Conv2DNchwFchwOp", "conv_2d_nchw_fchw",
    "n f oh ow c kh kw : n c oh~kh ow~kw, f c kh kw -> n f oh ow",
    xdsl_ops.Conv2DNchwFchwOp)
Conv2DNgchwFgchwOp = _contraction(
    "Conv2DNgchwFgchwOp", "conv_2d_ngchw_fgchw",
    "n g f oh ow c kh kw : n g c oh~kh ow~kw, f g c kh kw -> n g f oh ow",
    xdsl_ops.Conv2DNgchwFgchwOp)
Conv2DNgchwGfchwOp = _contraction(
    "Conv2DNgchwGfchwOp", "conv_2d_ngchw_gfchw",
    "n g f oh ow c kh kw : n g c oh~kh ow~kw, g f c kh kw -> n g f oh ow",
    xdsl_ops.Conv2DNgchwGfchwOp)
Conv2DNhwgcGfhwcOp = _contraction(
    "Conv2DNhwgcGfhwcOp", "conv_2d_nhwgc_gfhwc",
    "n oh ow g f kh kw c : n oh~kh ow~kw g c, g f kh kw c -> n oh ow g f",
    xdsl_ops.Conv2DNhwgcGfhwcOp)
Conv2DNhwgcGfhwcQOp = _quantized(
    "Conv2DNhwgcGfhwcQOp", "conv_2d_nhwgc_gfhwc_q",
    "n oh ow g f kh kw c : n oh~kh ow~kw g c, g f kh kw c, (), () -> n oh ow g f")
Conv2DNgchwGfchwQOp = _quantized(
    "Conv2DNgchwGfchwQOp", "conv_2d_ngchw_gfchw_q",
    "n g f oh ow c kh kw : n g c oh~kh ow~kw, g f c kh kw, (), () -> n g f oh ow")
Conv3DNdhwcDhwcfOp = _contraction(
    "Conv3DNdhwcDhwcfOp", "conv_3d_ndhwc_dhwcf",
    "n od oh ow f kd kh kw c : n od~kd oh~kh ow~kw c, kd kh kw c f -> n od oh ow f")
Conv3DNdhwcDhwcfQOp = _quantized(
    "Conv3DNdhwcDhwcfQOp", "conv_3d_ndhwc_dhwcf_q",
    "n od oh ow f kd kh kw c : n od~kd oh~kh ow~kw c, kd kh kw c f, (), ()"
    " -> n od oh ow f")
Conv3DNcdhwFcdhwOp = _contraction(
    "Conv3DNcdhwFcdhwOp", "conv_3d_ncdhw_fcdhw",
    "n f od oh ow c kd kh kw : n c od~kd oh~kh ow~kw, f c kd kh kw -> n f od oh ow")
DepthwiseConv1DNwcWcOp = _contraction(
    "DepthwiseConv1DNwcWcOp", "depthwise_conv_1d_nwc_wc",
    "n ow c kw : n ow~kw c, kw c -> n ow c")
DepthwiseConv1DNcwCwOp = _contraction(
    "DepthwiseConv1DNcwCwOp", "depthwise_conv_1d_ncw_cw",
    "n ow c kw : n c ow~kw, c kw -> n c ow")
DepthwiseConv1DNwcWcmOp = _contraction(
    "DepthwiseConv1DNwcWcmOp", "depthwise_conv_1d_nwc_wcm",
    "n ow c cm kw : n ow~kw c, kw c cm -> n ow c cm")
DepthwiseConv2DNhwcHwcOp = _contraction(
    "DepthwiseConv2DNhwcHwcOp", "depthwise_conv_2d_nhwc_hwc",
    "n oh ow c kh kw : n oh~kh ow~kw c, kh kw c -> n oh ow c")
DepthwiseConv2DNchwChwOp = _contraction(
    "DepthwiseConv2DNchwChwOp", "depthwise_conv_2d_nchw_chw",
    "n oh ow c kh kw : n c oh~kh ow~kw, c kh kw -> n c oh ow")
DepthwiseConv2DNhwcHwcQOp = _quantized(
    "DepthwiseConv2DNhwcHwcQOp", "depthwise_conv_2d_nhwc_hwc_q",
    "n oh ow c kh kw : n oh~kh ow~kw c, kh kw c, (), () -> n oh ow c")
DepthwiseConv2DNhwcHwcmOp = _contraction(
    "DepthwiseConv2DNhwcHwcmOp", "depthwise_conv_2d_nhwc_hwcm",
    "n oh ow c cm kh kw : n oh~kh ow~kw c, kh kw c cm -> n oh ow c cm")
DepthwiseConv2DNhwcHwcmQOp = _quantized(
    "DepthwiseConv2DNhwcHwcmQOp", "depthwise_conv_2d_nhwc_hwcm_q",
    "n oh ow c cm kh kw : n oh~kh ow~kw c, kh kw c cm, (), () -> n oh ow c cm")
DepthwiseConv3DNdhwcDhwcOp = _contraction(
    "DepthwiseConv3DNdhwcDhwcOp", "depthwise_conv_3d_ndhwc_dhwc",
    "n od oh ow kd kh kw c : n od~kd oh~kh ow~kw c, kd kh kw c -> n od oh ow c")
DepthwiseConv3DNcdhwCdhwOp = _contraction(
    "DepthwiseConv3DNcdhwCdhwOp", "depthwise_conv_3d_ncdhw_cdhw",
    "n od oh ow kd kh kw c : n c od~kd oh~kh ow~kw, c kd kh kw -> n c od oh ow")
DepthwiseConv3DNdhwcDhwcmOp = _contraction(
    "DepthwiseConv3DNdhwcDhwcmOp", "depthwise_conv_3d_ndhwc_dhwcm",
    "n od oh ow cm kd kh kw c : n od~kd oh~kh ow~kw c, kd kh kw c cm -> n od oh ow c cm")

_NHWC = "n oh ow c kh kw : n oh~kh ow~kw c, kh kw -> n oh ow c"
_NCHW = "n c oh ow kh kw : n c oh~kh ow~kw, kh kw -> n c oh ow"
_NWC = "n ow c kw : n ow~kw c, kw -> n ow c"
_NCW = "n c ow kw : n c ow~kw, kw -> n c ow"
_NDHWC = "n od oh ow c kd kh kw : n od~kd oh~kh ow~kw c, kd kh kw -> n od oh ow c"

PoolingNhwcSumOp = _pooling("PoolingNhwcSumOp", "pooling_nhwc_sum", _NHWC, "add")
PoolingNchwSumOp = _pooling("PoolingNchwSumOp", "pooling_nchw_sum", _NCHW, "add")
PoolingNhwcMaxOp = _pooling("PoolingNhwcMaxOp", "pooling_nhwc_max", _NHWC, "max_signed")
PoolingNhwcMaxUnsignedOp = _pooling("PoolingNhwcMaxUnsignedOp",
                                    "pooling_nhwc_max_unsigned", _NHWC,
                                    "max_unsigned", unsigned=True)
PoolingNchwMaxOp = _pooling("PoolingNchwMaxOp", "pooling_nchw_max", _NCHW, "max_signed",
                            refines=xdsl_ops.PoolingNchwMaxOp)
PoolingNhwcMinOp = _pooling("PoolingNhwcMinOp", "pooling_nhwc_min", _NHWC, "min_signed")
PoolingNhwcMinUnsignedOp = _pooling("PoolingNhwcMinUnsignedOp",
                                    "pooling_nhwc_min_unsigned", _NHWC,
                                    "min_unsigned", unsigned=True)
PoolingNwcSumOp = _pooling("PoolingNwcSumOp", "pooling_nwc_sum", _NWC, "add")
PoolingNcwSumOp = _pooling("PoolingNcwSumOp", "pooling_ncw_sum", _NCW, "add")
PoolingNwcMaxOp = _pooling("PoolingNwcMaxOp", "pooling_nwc_max", _NWC, "max_signed")
PoolingNwcMaxUnsignedOp = _pooling("PoolingNwcMaxUnsignedOp", "pooling_nwc_max_unsigned",
                                   _NWC, "max_unsigned", unsigned=True)
PoolingNcwMaxOp = _pooling("PoolingNcwMaxOp", "pooling_ncw_max", _NCW, "max_signed")
PoolingNwcMinOp = _pooling("PoolingNwcMinOp", "pooling_nwc_min", _NWC, "min_signed")
PoolingNwcMinUnsignedOp = _pooling("PoolingNwcMinUnsignedOp", "pooling_nwc_min_unsigned",
                                   _NWC, "min_unsigned", unsigned=True)
PoolingNdhwcSumOp = _pooling("PoolingNdhwcSumOp", "pooling_ndhwc_sum", _NDHWC, "add")
PoolingNdhwcMaxOp = _pooling("PoolingNdhwcMaxOp", "pooling_ndhwc_max",
    _NDHWC, "max_signed")
PoolingNdhwcMinOp = _pooling("PoolingNdhwcMinOp", "pooling_ndhwc_min",
    _NDHWC, "min_signed")
# fmt: on


class _Contract(_WithMaps):
    """The part of linalg.contract that is not in the table: its maps say what it does."""

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        maps = self.get_indexing_maps()
        output = {
            expr.position
            for expr in maps.data[-1].data.results
            if isinstance(expr, AffineDimExpr)
        }
        loops = maps.data[0].data.num_dims
        return iterator_types("".join("p" if i in output else "r" for i in range(loops)))


ContractOp = _named_op(
    "ContractOp",
    "contract",
    scalar.multiply_add,
    inputs=2,
    base=_Contract,
    properties={
        "indexing_maps": prop_def(ArrayAttr),
        "cast": opt_prop_def(TypeFnAttr),
    },
    doc="A contraction of two tensors into a third, as its indexing maps say.",
)


class _Elementwise(_WithMaps):
    """The part of linalg.elementwise that is not in the table: the function is one of its
    properties."""

    @classmethod
    def input_count(cls, properties: Mapping[str, Attribute | None]) -> int:
        kind = properties.get("kind")
        return kind.data.arity if isinstance(kind, ElementwiseKindAttr) else 0

    @classmethod
    def scalar_body(cls, properties: Mapping[str, Attribute | None]) -> Body:
        kind = properties["kind"]
        assert isinstance(kind, ElementwiseKindAttr)
        return elementwise(str(kind.data.value))

    @classmethod
    def parse_prefix(cls, parser: Parser) -> dict[str, Attribute]:
        parser.parse_keyword("kind")
        parser.parse_punctuation("=")
        kind = parser.parse_attribute()
        if not isinstance(kind, ElementwiseKindAttr):
            parser.raise_error("expected an elementwise kind")
        return {"kind": kind, **super().parse_prefix(parser)}

    def print_prefix(self, printer: Printer) -> Sequence[str]:
        printer.print_string(" kind=")
        printer.print_attribute(self.properties["kind"])
        return ("kind", *super().print_prefix(printer))

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return iterator_types("p" * self.get_indexing_maps().data[-1].data.num_dims)


ElementwiseOp = _named_op(
    "ElementwiseOp",
    "elementwise",
    scalar.first,
    base=_Elementwise,
    properties={
        "kind": prop_def(ElementwiseKindAttr),
        "indexing_maps": opt_prop_def(ArrayAttr),
    },
    doc="Applies the scalar function that `kind` names to the elements of its inputs.",
)
