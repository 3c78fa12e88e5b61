"""The complete tensor dialect, extending xDSL's.

Ops that xDSL has are refined where they reject valid IR or accept invalid IR; those it
lacks (bitcast gather generate parallel_insert_slice rank scatter) are defined here.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    FixedBitwidthType,
    IndexType,
    IntegerType,
    TensorType,
    UnitAttr,
    UnrankedTensorType,
    i64,
)
from xdsl.dialects.utils import (
    AbstractYieldOperation as AbstractYieldOperation,
    DynamicIndexList,
)
from xdsl.ir import Attribute, Dialect, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    lazy_traits_def,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    HasParent,
    IsTerminator,
    NoMemoryEffect,
    OpTrait,
    Pure,
    RecursiveMemoryEffect,
    ReturnLike,
    SingleBlockImplicitTerminator,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.lazy_formats import op_definition
from xdsl_bufferization.dialects.shapes import IntArray

from .definitions import CanonicalizedBy, refined_op_definition
from .shapes import (
    compatible_shapes,
    dropped_dimensions,
    element_type_of,
    product,
    shape_of,
    verify_dynamic_sizes,
    verify_indices,
    verify_mixed_list,
    verify_reassociation,
    verify_slice,
)
from .speculation import SpeculatableDim

ANY_TENSOR = base(TensorType) | base(UnrankedTensorType)
I64_ARRAY = DenseArrayBase.constr(i64)


def _verify_same_element_type(op: Operation, a: Attribute, b: Attribute) -> None:
    if element_type_of(a) != element_type_of(b):
        raise VerifyException(
            f"'{op.name}' expects the same element type, got {a} and {b}"
        )


def _width(type: Attribute) -> int | None:
    element = element_type_of(type)
    return element.bitwidth if isinstance(element, FixedBitwidthType) else None


@op_definition
class BitcastOp(IRDLOperation):
    """Reads the elements of a tensor as another type of the same width."""

    name = "tensor.bitcast"

    source = operand_def(ANY_TENSOR)
    dest = result_def(ANY_TENSOR)

    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))

    def __init__(self, source: SSAValue | Operation, dest: Attribute):
        super().__init__(operands=(source,), result_types=(dest,))

    def verify_(self) -> None:
        source, dest = self.operands[0].type, self.results[0].type
        if not compatible_shapes(source, dest) or _width(source) != _width(dest):
            raise VerifyException(
                f"'{self.name}' operand type {source} and result type {dest} are cast "
                "incompatible"
            )


@refined_op_definition
class CastOp(tensor.CastOp):
    """Says more or less of a tensor's shape in its type."""

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))

    def verify_(self) -> None:
        source, dest = self.operands[0].type, self.results[0].type
        if element_type_of(source) != element_type_of(dest) or not compatible_shapes(
            source, dest
        ):
            raise VerifyException(
                f"'{self.name}' operand type {source} and result type {dest} are cast "
                "incompatible"
            )


@refined_op_definition
class CollapseShapeOp(tensor.CollapseShapeOp):
    """Joins groups of neighbouring dimensions into one each."""

    src = operand_def(TensorType)
    reassociation = prop_def(ArrayAttr)

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))

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
        _verify_same_element_type(self, source, result)
        verify_reassociation(
            self,
            shape_of(result) or (),
            shape_of(source) or (),
            self.properties["reassociation"],
        )


@refined_op_definition
class ConcatOp(tensor.ConcatOp):
    """Joins tensors along one dimension."""

    inputs = var_operand_def(TensorType)
    result = result_def(TensorType)

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))

    def verify_(self) -> None:
        result = self.results[0].type
        shape = shape_of(result)
        assert shape is not None
        dim = self.dim.value.data
        if not self.operands:
            raise VerifyException(f"'{self.name}' requires at least one input")
        if not 0 <= dim < len(shape):
            raise VerifyException(
                f"'{self.name}' concatenation dim must be less than the tensor rank"
            )
        shapes = [shape_of(operand.type) or () for operand in self.operands]
        for operand, other in zip(self.operands, shapes, strict=True):
            _verify_same_element_type(self, operand.type, result)
            if len(other) != len(shape):
                raise VerifyException(
                    f"'{self.name}' rank of concatenated inputs must match result rank"
                )
        for i, size in enumerate(shape):
            sizes = {other[i] for other in shapes} - {DYNAMIC_INDEX}
            if i == dim:
                known = [other[i] for other in shapes]
                inferred = DYNAMIC_INDEX if DYNAMIC_INDEX in known else sum(known)
            elif len(sizes) > 1:
                raise VerifyException(
                    f"'{self.name}' static concatenation size mismatch along "
                    f"non-concatenated dimension {i}"
                )
            else:
                inferred = next(iter(sizes), DYNAMIC_INDEX)
            if DYNAMIC_INDEX not in (inferred, size) and inferred != size:
                raise VerifyException(
                    f"'{self.name}' result type {result} does not match inferred size "
                    f"{inferred} of dimension {i}"
                )


@refined_op_definition
class DimOp(tensor.DimOp):
    """The size of one dimension."""

    traits = traits_def(
        NoMemoryEffect(),
        SpeculatableDim(),
        CanonicalizedBy("tensor"),
        CanonicalizedBy("bufferization"),
    )

    def verify_(self) -> None:
        if shape_of(self.operands[0].type) == ():
            raise VerifyException(f"'{self.name}' cannot get dim of 0-rank tensor")


@refined_op_definition
class EmptyOp(tensor.EmptyOp):
    """A tensor of given shape whose contents do not matter."""

    assembly_format = "`(` $dynamic_sizes `)` attr-dict `:` type($tensor)"

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))

    def verify_(self) -> None:
        verify_dynamic_sizes(self, self.results[0].type, len(self.operands))


@refined_op_definition
class ExpandShapeOp(tensor.ExpandShapeOp):
    """Splits dimensions into groups of neighbouring ones."""

    reassociation = prop_def(ArrayAttr)

    assembly_format = (
        "$src $reassociation `output_shape` "
        "custom<DynamicIndexList>($dynamic_output_shape, $static_output_shape) "
        "attr-dict `:` type($src) `into` type($result)"
    )
    custom_directives = (DynamicIndexList,)

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))

    def verify_(self) -> None:
        source, result = self.operands[0].type, self.results[0].type
        shape = shape_of(result) or ()
        _verify_same_element_type(self, source, result)
        static = self.static_output_shape
        if len(static) != len(shape):
            raise VerifyException(
                f"'{self.name}' expected number of static shape dims to be equal to the "
                f"output rank ({len(shape)}) but found {len(static)} inputs instead"
            )
        verify_mixed_list(self, "output shape", self.operands[1:], static)
        if static.get_values() != shape:
            raise VerifyException(
                f"'{self.name}' expected output shape {list(static.get_values())} to be "
                f"that of its result type {result}"
            )
        verify_reassociation(
            self, shape_of(source) or (), shape, self.properties["reassociation"]
        )


@refined_op_definition
class ExtractOp(tensor.ExtractOp):
    """One element of a tensor."""

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))

    def verify_(self) -> None:
        verify_indices(self, self.operands[0].type, len(self.operands) - 1)


def _verify_slice_type(
    op: Operation, part: Attribute, whole: Attribute, sizes: Sequence[int]
) -> None:
    """Check that a slice has the given sizes, unit dimensions possibly dropped."""
    _verify_same_element_type(op, part, whole)
    shape = shape_of(part) or ()
    if shape != tuple(sizes) and dropped_dimensions(sizes, shape) is None:
        raise VerifyException(
            f"'{op.name}' expected type of shape {list(sizes)} or a rank-reduced "
            f"version, got {part} (size mismatch)"
        )


def _verify_slice_op(
    op: ExtractSliceOp | InsertSliceOp | ParallelInsertSliceOp,
    part: Attribute,
    whole: Attribute,
) -> None:
    offsets, sizes, strides = op.static_offsets, op.static_sizes, op.static_strides
    verify_mixed_list(op, "offset", op.offsets, offsets)
    verify_mixed_list(op, "size", op.sizes, sizes)
    verify_mixed_list(op, "stride", op.strides, strides)
    verify_slice(
        op,
        shape_of(whole) or (),
        offsets.get_values(),
        sizes.get_values(),
        strides.get_values(),
    )
    _verify_slice_type(op, part, whole, sizes.get_values())


@refined_op_definition
class ExtractSliceOp(tensor.ExtractSliceOp):
    """A part of a tensor; unit dimensions may be dropped from its type."""

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))

    def verify_(self) -> None:
        _verify_slice_op(self, self.results[0].type, self.operands[0].type)


@refined_op_definition
class FromElementsOp(tensor.FromElementsOp):
    """A tensor of the given elements."""

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))

    def verify_(self) -> None:
        shape = shape_of(self.results[0].type) or ()
        if DYNAMIC_INDEX in shape or product(shape) != len(self.operands):
            raise VerifyException(
                f"'{self.name}' expects a statically shaped result with as many elements "
                f"as operands, got {self.results[0].type} for {len(self.operands)}"
            )


@op_definition
class GatherOp(IRDLOperation):
    """The slices of a tensor at the coordinates that another tensor lists."""

    name = "tensor.gather"

    source = operand_def(TensorType)
    indices = operand_def(TensorType)
    gather_dims = prop_def(I64_ARRAY)
    unique = opt_prop_def(UnitAttr)
    result = result_def(TensorType)

    assembly_format = (
        "$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` "
        "(`unique` $unique^)? attr-dict `:` functional-type(operands, results)"
    )

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))

    def __init__(
        self,
        source: SSAValue | Operation,
        indices: SSAValue | Operation,
        gather_dims: Sequence[int] | IntArray,
        result_type: Attribute,
        unique: bool = False,
    ):
        if not isinstance(gather_dims, DenseArrayBase):
            gather_dims = DenseArrayBase.from_list(i64, gather_dims)
        super().__init__(
            operands=(source, indices),
            result_types=(result_type,),
            properties={
                "gather_dims": gather_dims,
                "unique": UnitAttr() if unique else None,
            },
        )

    def verify_(self) -> None:
        source, indices = (operand.type for operand in self.operands)
        _verify_coordinates(
            self, self.gather_dims.get_values(), source, indices, "gather", "source"
        )
        _verify_gathered(
            self, self.gather_dims.get_values(), source, indices, self.results[0].type
        )


def _verify_coordinates(
    op: Operation,
    dims: Sequence[int],
    whole: Attribute,
    indices: Attribute,
    what: str,
    operand: str,
) -> None:
    rank = len(shape_of(whole) or ())
    last = (shape_of(indices) or (DYNAMIC_INDEX,))[-1]
    if not dims:
        raise VerifyException(f"'{op.name}' {what}_dims must be non-empty")
    if len(dims) > rank:
        raise VerifyException(
            f"'{op.name}' {what}_dims overflow {operand} rank ({len(dims)} > {rank})"
        )
    if any(not 0 <= dim < rank for dim in dims):
        raise VerifyException(
            f"'{op.name}' {what}_dims value must be non-negative and smaller than "
            f"{operand} rank {rank}"
        )
    if list(dims) != sorted(set(dims)):
        raise VerifyException(
            f"'{op.name}' {what}_dims values must be strictly increasing"
        )
    if last not in (DYNAMIC_INDEX, len(dims)):
        raise VerifyException(
            f"'{op.name}' trailing dimension of the indices must be the number of "
            f"{what}_dims, {len(dims)}, got {last}"
        )


def _verify_gathered(
    op: Operation,
    dims: Sequence[int],
    whole: Attribute,
    indices: Attribute,
    part: Attribute,
) -> None:
    """Check the type of what is gathered or scattered: the leading dimensions of the
    indices, then those of the whole, the indexed ones as 1 or dropped."""
    _verify_same_element_type(op, part, whole)
    leading = (shape_of(indices) or ())[:-1]
    rest = shape_of(whole) or ()
    full = (*leading, *(1 if i in dims else d for i, d in enumerate(rest)))
    reduced = (*leading, *(d for i, d in enumerate(rest) if i not in dims))
    if shape_of(part) not in (full, reduced):
        raise VerifyException(
            f"'{op.name}' type {part} does not match the expected shape {list(full)} "
            f"or its rank-reduced form {list(reduced)}"
        )


@refined_op_definition
class YieldOp(tensor.YieldOp):
    """Ends the body of a generate or pad: the element at the body's coordinates."""

    traits = lazy_traits_def(
        lambda: (IsTerminator(), ReturnLike(), HasParent(GenerateOp, PadOp), Pure())
    )

    def verify_(self) -> None:
        if len(self.operands) != 1:
            raise VerifyException(f"'{self.name}' expects one operand")


def _verify_element_body(op: Operation, rank: int) -> None:
    """Check a body that computes the element of the result at given coordinates."""
    region = op.regions[0]
    block = region.blocks.first
    if block is None or block.next_block is not None:
        raise VerifyException(f"'{op.name}' expects one block in its body")
    if len(block.args) != rank or any(arg.type != IndexType() for arg in block.args):
        raise VerifyException(
            f"'{op.name}' must have one body argument of type index per dimension of "
            f"its result, {rank}"
        )
    last = block.last_op
    if not isinstance(last, YieldOp):
        raise VerifyException(f"'{op.name}' expects its body to end with tensor.yield")
    if last.operand_types != (element_type_of(op.results[0].type),):
        raise VerifyException(
            f"'{op.name}' body must be terminated with a yield operation of the tensor "
            f"element type, got {', '.join(map(str, last.operand_types))}"
        )


@op_definition
class GenerateOp(IRDLOperation):
    """A tensor whose elements its body computes from their coordinates."""

    name = "tensor.generate"

    dynamic_extents = var_operand_def(IndexType)
    body = region_def()
    result = result_def(TensorType)

    assembly_format = "$dynamic_extents $body attr-dict `:` type($result)"

    traits = lazy_traits_def(
        lambda: (
            CanonicalizedBy("tensor"),
            RecursiveMemoryEffect(),
            SingleBlockImplicitTerminator(YieldOp),
        )
    )

    def __init__(
        self, dynamic_extents: Sequence[SSAValue], body: Region, result_type: Attribute
    ):
        super().__init__(
            operands=(dynamic_extents,), regions=(body,), result_types=(result_type,)
        )

    def verify_(self) -> None:
        result = self.results[0].type
        verify_dynamic_sizes(self, result, len(self.operands))
        _verify_element_body(self, len(shape_of(result) or ()))


@refined_op_definition
class InsertOp(tensor.InsertOp):
    """A tensor with one element replaced."""

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))

    def verify_(self) -> None:
        verify_indices(self, self.operands[1].type, len(self.operands) - 2)


@refined_op_definition
class InsertSliceOp(tensor.InsertSliceOp):
    """A tensor with a part replaced; the part may leave out unit dimensions."""

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))

    def verify_(self) -> None:
        _verify_slice_op(self, self.operands[0].type, self.operands[1].type)


@refined_op_definition
class PadOp(tensor.PadOp):
    """A tensor with elements added before and after it, in each dimension."""

    traits = lazy_traits_def(
        lambda: (
            CanonicalizedBy("tensor"),
            Pure(),
            SingleBlockImplicitTerminator(YieldOp),
        )
    )

    def verify_(self) -> None:
        shape = shape_of(self.operands[0].type) or ()
        result = self.results[0].type
        result_shape = shape_of(result) or ()
        low, high = self.static_low.get_values(), self.static_high.get_values()
        verify_mixed_list(self, "low", self.low, self.static_low)
        verify_mixed_list(self, "high", self.high, self.static_high)
        if len(low) != len(shape) or len(high) != len(shape):
            raise VerifyException(
                f"'{self.name}' expects one low and one high padding per dimension of "
                f"its source, {len(shape)}"
            )
        if len(result_shape) != len(shape):
            raise VerifyException(
                f"'{self.name}' expects its result to have the source's rank"
            )
        for i, (dims, size) in enumerate(
            zip(zip(shape, low, high, strict=True), result_shape, strict=True)
        ):
            inferred = DYNAMIC_INDEX if DYNAMIC_INDEX in dims else sum(dims)
            if inferred not in (size, DYNAMIC_INDEX) and size != DYNAMIC_INDEX:
                raise VerifyException(
                    f"'{self.name}' specified type {result} does not match the inferred "
                    f"size {inferred} of dimension {i}"
                )
        _verify_element_body(self, len(shape))


def _traits_of_parallel_insertion() -> tuple[OpTrait, ...]:
    from .scf import InParallelOp

    return HasParent(InParallelOp), CanonicalizedBy("tensor")


@op_definition
class ParallelInsertSliceOp(IRDLOperation):
    """The part of a shared tensor that one thread of a parallel op replaces."""

    name = "tensor.parallel_insert_slice"

    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    static_offsets = prop_def(I64_ARRAY)
    static_sizes = prop_def(I64_ARRAY)
    static_strides = prop_def(I64_ARRAY)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    assembly_format = (
        "$source `into` $dest `` "
        "custom<DynamicIndexList>($offsets, $static_offsets) "
        "custom<DynamicIndexList>($sizes, $static_sizes) "
        "custom<DynamicIndexList>($strides, $static_strides) "
        "attr-dict `:` type($source) `into` type($dest)"
    )
    custom_directives = (DynamicIndexList,)

    traits = lazy_traits_def(_traits_of_parallel_insertion)

    def __init__(
        self,
        source: SSAValue | Operation,
        dest: SSAValue | Operation,
        offsets: Sequence[SSAValue],
        sizes: Sequence[SSAValue],
        strides: Sequence[SSAValue],
        static_offsets: IntArray,
        static_sizes: IntArray,
        static_strides: IntArray,
    ):
        super().__init__(
            operands=(source, dest, offsets, sizes, strides),
            properties={
                "static_offsets": static_offsets,
                "static_sizes": static_sizes,
                "static_strides": static_strides,
            },
        )

    def verify_(self) -> None:
        _verify_slice_op(self, self.operands[0].type, self.operands[1].type)


@op_definition
class RankOp(IRDLOperation):
    """The number of dimensions of a tensor."""

    name = "tensor.rank"

    tensor = operand_def(ANY_TENSOR)
    result = result_def(IndexType())

    assembly_format = "$tensor attr-dict `:` type($tensor)"

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))

    def __init__(self, tensor: SSAValue | Operation):
        super().__init__(operands=(tensor,), result_types=(IndexType(),))


@refined_op_definition
class ReshapeOp(tensor.ReshapeOp):
    """A tensor of the same elements in another shape, given as a tensor."""

    source = operand_def(ANY_TENSOR)
    shape = operand_def(TensorType)
    result = result_def(ANY_TENSOR)

    assembly_format = (
        "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
    )

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))

    def verify_(self) -> None:
        source, shape = (operand.type for operand in self.operands)
        result = self.results[0].type
        _verify_same_element_type(self, source, result)
        extents = shape_of(shape) or ()
        if len(extents) != 1 or not isinstance(
            element_type_of(shape), IntegerType | IndexType
        ):
            raise VerifyException(
                f"'{self.name}' expects a 1D shape tensor of integers or indices"
            )
        from_shape, to_shape = shape_of(source), shape_of(result)
        if to_shape is None:
            return
        if (
            from_shape is not None
            and DYNAMIC_INDEX not in (*from_shape, *to_shape)
            and product(from_shape) != product(to_shape)
        ):
            raise VerifyException(
                f"'{self.name}' source and destination tensor should have the same "
                "number of elements"
            )
        if extents[0] == DYNAMIC_INDEX:
            raise VerifyException(
                f"'{self.name}' cannot use shape operand with dynamic length to reshape "
                "to statically-ranked tensor type"
            )
        if extents[0] != len(to_shape):
            raise VerifyException(
                f"'{self.name}' length of shape operand differs from the result's "
                "tensor rank"
            )


@op_definition
class ScatterOp(IRDLOperation):
    """A tensor with the slices at the coordinates that another tensor lists replaced."""

    name = "tensor.scatter"

    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    indices = operand_def(TensorType)
    scatter_dims = prop_def(I64_ARRAY)
    unique = opt_prop_def(UnitAttr)
    result = result_def(TensorType)

    assembly_format = (
        "$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)` "
        "(`unique` $unique^)? attr-dict `:` functional-type(operands, results)"
    )

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))

    def __init__(
        self,
        source: SSAValue | Operation,
        dest: SSAValue | Operation,
        indices: SSAValue | Operation,
        scatter_dims: Sequence[int] | IntArray,
        unique: bool = False,
    ):
        if not isinstance(scatter_dims, DenseArrayBase):
            scatter_dims = DenseArrayBase.from_list(i64, scatter_dims)
        super().__init__(
            operands=(source, dest, indices),
            result_types=(SSAValue.get(dest).type,),
            properties={
                "scatter_dims": scatter_dims,
                "unique": UnitAttr() if unique else None,
            },
        )

    def verify_(self) -> None:
        source, dest, indices = (operand.type for operand in self.operands)
        dims = self.scatter_dims.get_values()
        _verify_coordinates(self, dims, dest, indices, "scatter", "dest")
        _verify_gathered(self, dims, dest, indices, source)
        if self.unique is None:
            raise VerifyException(f"'{self.name}' requires 'unique' attribute to be set")


@refined_op_definition
class SplatOp(tensor.SplatOp):
    """A tensor of one scalar in all places."""

    traits = traits_def(Pure(), CanonicalizedBy("tensor"))


Tensor = Dialect(
    "tensor",
    [
        BitcastOp,
        CastOp,
        CollapseShapeOp,
        ConcatOp,
        DimOp,
        EmptyOp,
        ExpandShapeOp,
        ExtractOp,
        ExtractSliceOp,
        FromElementsOp,
        GatherOp,
        GenerateOp,
        InsertOp,
        InsertSliceOp,
        PadOp,
        ParallelInsertSliceOp,
        RankOp,
        ReshapeOp,
        ScatterOp,
        SplatOp,
        YieldOp,
    ],
)
