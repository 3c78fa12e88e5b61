"""The pass lower-affine.

Visits each affine op once: maps become arith ops on indices, loops scf ops, and
accesses memref and vector ops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    i1,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpKind,
    AffineConstraintKind,
    AffineExpr,
    AffineMap,
    AffineSet,
)
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.conversion.to_llvm.types import is_integer
from xdsl_bufferization.conversion.utils.affine_indices import IndexBuilder
from xdsl_bufferization.conversion.utils.diagnostics import refuse
from xdsl_bufferization.dialects import affine, memref, scf
from xdsl_bufferization.dialects.memref import ATOMIC_KINDS
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import Counterpart, ModulePass
from xdsl_bufferization.programs import on_program

PASS = "lower-affine"


@dataclass(frozen=True)
class LowerAffinePass(ModulePass):
    """Lower the affine dialect to arith, scf, memref and vector.

    ```mlir
    func.func @f(%m: memref<?xf32>, %o: index, %n: index, %x: f32) {
      affine.for %i = 0 to min affine_map<(d0)[s0] -> (d0 + 8, s0)>(%o)[%n] {
        affine.store %x, %m[%i * 2] : memref<?xf32>
      }
      return
    }
    ```

    becomes

    ```mlir
    func.func @f(%m: memref<?xf32>, %o: index, %n: index, %x: f32) {
      %0 = arith.constant 0 : index
      %1 = arith.constant 8 : index
      %2 = arith.addi %o, %1 : index
      %3 = arith.minsi %2, %n : index
      %4 = arith.constant 1 : index
      scf.for %i = %0 to %3 step %4 {
        %5 = arith.constant 2 : index
        %6 = arith.muli %i, %5 overflow<nsw> : index
        memref.store %x, %m[%6] : memref<?xf32>
      }
      return
    }
    ```

    A parallel loop becomes scf.parallel, with its reductions.
    """

    name = "lower-affine"
    counterpart = Counterpart("lower_affine", "LowerAffinePass", lowers="affine")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lower_affine(op)


@on_program
def lower_affine(module: Operation) -> None:
    """Lower all affine ops inside an op.

    Raises:
        PassFailedException: for an affine op without lowering.
    """
    found = [
        op
        for op in walk(module)
        if op.name.startswith("affine.") and not isinstance(op, affine.YieldOp)
    ]
    for op in visiting(found):
        lower = _LOWERINGS.get(op.name)
        if lower is None:
            refuse(op, PASS, "it has no lowering")
        builder = IndexBuilder()
        results = lower(op, builder)
        if builder.ops:
            Rewriter.insert_op(builder.ops, InsertPoint.before(op))
        Rewriter.replace_op(op, [], results)


Lower: TypeAlias = Callable[[Operation, IndexBuilder], Sequence[SSAValue]]
"""Adds the ops that stand for an affine op; returns what its results become."""


def _values(
    builder: IndexBuilder,
    exprs: Sequence[AffineExpr],
    map_: AffineMap | AffineSet,
    operands: Sequence[SSAValue],
) -> list[SSAValue]:
    """Expressions over the dimensions and symbols of a map or set."""
    dims, symbols = operands[: map_.num_dims], operands[map_.num_dims :]
    return [builder.expression(expr, dims, symbols) for expr in exprs]


def _map(op: Operation, name: str = "map") -> AffineMap:
    return cast(AffineMapAttr, op.properties[name]).data


def _extreme(
    builder: IndexBuilder, values: Sequence[SSAValue], op_class: type[Operation]
) -> SSAValue:
    result = values[0]
    for value in values[1:]:
        result = builder.binary(op_class, result, value)
    return result


def _apply(op: Operation, builder: IndexBuilder) -> Sequence[SSAValue]:
    map_ = _map(op)
    return _values(builder, map_.results, map_, op.operands[:])


def _minimum_or_maximum(op_class: type[Operation]) -> Lower:
    def lower(op: Operation, builder: IndexBuilder) -> Sequence[SSAValue]:
        map_ = _map(op)
        values = _values(builder, map_.results, map_, op.operands[:])
        return [_extreme(builder, values, op_class)]

    return lower


# Accesses


def _indices(
    op: Operation, builder: IndexBuilder, operands: Sequence[SSAValue]
) -> list[SSAValue]:
    if "map" not in op.properties:
        return list(operands)
    map_ = _map(op)
    return _values(builder, map_.results, map_, operands)


def _load(op: Operation, builder: IndexBuilder) -> Sequence[SSAValue]:
    buffer, *operands = op.operands
    indices = _indices(op, builder, operands)
    return [builder.add(memref.LoadOp.get(buffer, indices))]


def _store(op: Operation, builder: IndexBuilder) -> Sequence[SSAValue]:
    value, buffer, *operands = op.operands
    indices = _indices(op, builder, operands)
    builder.ops.append(memref.StoreOp.get(value, buffer, indices))
    return []


def _vector_load(op: Operation, builder: IndexBuilder) -> Sequence[SSAValue]:
    buffer, *operands = op.operands
    indices = _indices(op, builder, operands)
    return [
        builder.add(
            vector.LoadOp.create(
                operands=[buffer, *indices], result_types=[op.results[0].type]
            )
        )
    ]


def _vector_store(op: Operation, builder: IndexBuilder) -> Sequence[SSAValue]:
    value, buffer, *operands = op.operands
    indices = _indices(op, builder, operands)
    builder.ops.append(vector.StoreOp.create(operands=[value, buffer, *indices]))
    return []


def _prefetch(op: Operation, builder: IndexBuilder) -> Sequence[SSAValue]:
    buffer, *operands = op.operands
    indices = _indices(op, builder, operands)
    properties = {k: v for k, v in op.properties.items() if k != "map"}
    builder.ops.append(
        memref.PrefetchOp.create(operands=[buffer, *indices], properties=properties)
    )
    return []


# Control flow


def _for(op: Operation, builder: IndexBuilder) -> Sequence[SSAValue]:
    assert isinstance(op, affine.ForOp)
    bounds: list[SSAValue] = []
    for name, operands, op_class in (
        ("lowerBoundMap", op.lowerBoundOperands, arith.MaxSIOp),
        ("upperBoundMap", op.upperBoundOperands, arith.MinSIOp),
    ):
        map_ = _map(op, name)
        values = _values(builder, map_.results, map_, operands)
        bounds.append(_extreme(builder, values, op_class))
    step = builder.constant(_integer(op.step))
    region = _yield_for_scf(op.detach_region(0))
    loop = scf.ForOp.create(
        operands=[*bounds, step, *op.inits],
        result_types=[result.type for result in op.results],
        regions=[region],
    )
    builder.ops.append(loop)
    return loop.results


def _yield_for_scf(region: Region) -> Region:
    """Ends a region with an scf.yield instead of an affine.yield."""
    if region.blocks:
        end = region.block.last_op
        assert end is not None
        Rewriter.replace_op(end, scf.YieldOp(*end.operands), [])
    return region


def _if(op: Operation, builder: IndexBuilder) -> Sequence[SSAValue]:
    condition = cast(AffineSetAttr, op.properties["condition"]).data
    holds: SSAValue | None = None
    for constraint in condition.constraints:
        sides = _values(
            builder, (constraint.lhs, constraint.rhs), condition, op.operands[:]
        )
        predicate = _PREDICATES[constraint.kind]
        one = builder.add(arith.CmpiOp(sides[0], sides[1], predicate))
        holds = one if holds is None else builder.add(arith.AndIOp(holds, one))
    if holds is None:
        holds = builder.add(arith.ConstantOp(IntegerAttr(1, i1)))
    regions = [_yield_for_scf(op.detach_region(region)) for region in list(op.regions)]
    new = scf.IfOp.create(
        operands=[holds],
        result_types=[result.type for result in op.results],
        regions=regions,
    )
    builder.ops.append(new)
    return new.results


_PREDICATES = {
    AffineConstraintKind.ge: "sge",
    AffineConstraintKind.le: "sle",
    AffineConstraintKind.eq: "eq",
}


def _parallel(op: Operation, builder: IndexBuilder) -> Sequence[SSAValue]:
    assert isinstance(op, affine.ParallelOp)
    lower_map = op.lowerBoundsMap.data
    count = lower_map.num_dims + lower_map.num_symbols
    lower = _grouped(
        builder, lower_map, op.lowerBoundsGroups, op.operands[:count], arith.MaxSIOp
    )
    upper = _grouped(
        builder,
        op.upperBoundsMap.data,
        op.upperBoundsGroups,
        op.operands[count:],
        arith.MinSIOp,
    )
    steps = [builder.constant(_integer(step)) for step in op.steps]
    kinds = [
        ATOMIC_KINDS[_integer(kind)] for kind in cast("ArrayAttr[Any]", op.reductions)
    ]
    inits = [
        builder.add(arith.ConstantOp(_neutral(kind, result.type)))
        for kind, result in zip(kinds, op.results, strict=True)
    ]
    region = op.detach_region(0)
    end = region.block.last_op
    assert end is not None
    values = tuple(end.operands)
    reductions = [
        Region(_reduction(op, kind, value))
        for kind, value in zip(kinds, values, strict=True)
    ]
    Rewriter.replace_op(end, scf.ReduceOp(values, reductions), [])
    loop = scf.ParallelOp(lower, upper, steps, region, inits)
    builder.ops.append(loop)
    return loop.results


def _grouped(
    builder: IndexBuilder,
    map_: AffineMap,
    groups: DenseIntOrFPElementsAttr,
    operands: Sequence[SSAValue],
    op_class: type[Operation],
) -> list[SSAValue]:
    """The bound of each loop, of which a group of the map's results says the extreme."""
    values: Iterator[SSAValue] = iter(_values(builder, map_.results, map_, operands))
    sizes = cast("Sequence[int]", groups.get_values())
    return [
        _extreme(builder, [next(values) for _ in range(size)], op_class) for size in sizes
    ]


def _reduction(op: Operation, kind: str, value: SSAValue) -> Block:
    """The body of an scf.reduce that combines two values."""
    block = Block(arg_types=[value.type, value.type])
    combine = _COMBINATIONS.get(kind)
    if combine is None:
        refuse(op, PASS, f"there is no reduction of the kind {kind}")
    result = combine(block.args[0], block.args[1])
    block.add_ops([result, scf.ReduceReturnOp(result.results[0])])
    return block


_COMBINATIONS: dict[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "addf": arith.AddfOp,
    "addi": arith.AddiOp,
    "andi": arith.AndIOp,
    "maximumf": arith.MaximumfOp,
    "maxnumf": arith.MaxnumfOp,
    "maxs": arith.MaxSIOp,
    "maxu": arith.MaxUIOp,
    "minimumf": arith.MinimumfOp,
    "minnumf": arith.MinnumfOp,
    "mins": arith.MinSIOp,
    "minu": arith.MinUIOp,
    "mulf": arith.MulfOp,
    "muli": arith.MuliOp,
    "ori": arith.OrIOp,
    "xori": arith.XOrIOp,
}
_NEUTRAL_FLOATS = {
    "addf": 0.0,
    "mulf": 1.0,
    **dict.fromkeys(("maximumf", "maxnumf"), float("-inf")),
    **dict.fromkeys(("minimumf", "minnumf"), float("inf")),
}


def _neutral(kind: str, type_: Any) -> Any:
    """What a reduction starts with."""
    if kind in _NEUTRAL_FLOATS:
        return FloatAttr(_NEUTRAL_FLOATS[kind], type_)
    bits = type_.width.data if is_integer(type_) else 64
    numbers = {
        "muli": 1,
        "andi": -1,
        "minu": -1,
        "maxs": -(1 << (bits - 1)),
        "mins": (1 << (bits - 1)) - 1,
    }
    return IntegerAttr(numbers.get(kind, 0), cast(IntegerType, type_))


def _integer(attribute: Any) -> int:
    return int(cast("IntegerAttr[IntegerType]", attribute).value.data)


# Linear indices


def _basis(
    op: Operation, builder: IndexBuilder, dynamic: Sequence[SSAValue]
) -> list[SSAValue]:
    rest = iter(dynamic)
    static = cast("DenseArrayBase[IntegerType]", op.properties["static_basis"])
    return [
        next(rest) if number == DYNAMIC_INDEX else builder.constant(int(number))
        for number in static.iter_values()
    ]


def _delinearize(op: Operation, builder: IndexBuilder) -> Sequence[SSAValue]:
    assert isinstance(op, affine.DelinearizeIndexOp)
    basis = _basis(op, builder, op.dynamic_basis)
    if len(basis) == len(op.results):
        # The outermost size says only what the index is below.
        basis = basis[1:]
    index = op.operands[0]
    results: list[SSAValue] = []
    for size in reversed(basis):
        results.append(builder.combine(AffineBinaryOpKind.Mod, index, size))
        index = builder.combine(AffineBinaryOpKind.FloorDiv, index, size)
    return [index, *reversed(results)]


def _linearize(op: Operation, builder: IndexBuilder) -> Sequence[SSAValue]:
    assert isinstance(op, affine.LinearizeIndexOp)
    indices = list(op.multi_index)
    basis = _basis(op, builder, op.dynamic_basis)[-(len(indices) - 1) :]
    result = indices[0] if indices else builder.constant(0)
    for index, size in zip(indices[1:], basis, strict=False):
        scaled = builder.combine(AffineBinaryOpKind.Mul, result, size)
        result = builder.combine(AffineBinaryOpKind.Add, scaled, index)
    return [result]


_LOWERINGS: dict[str, Lower] = {
    "affine.apply": _apply,
    "affine.delinearize_index": _delinearize,
    "affine.for": _for,
    "affine.if": _if,
    "affine.linearize_index": _linearize,
    "affine.load": _load,
    "affine.max": _minimum_or_maximum(arith.MaxSIOp),
    "affine.min": _minimum_or_maximum(arith.MinSIOp),
    "affine.parallel": _parallel,
    "affine.prefetch": _prefetch,
    "affine.store": _store,
    "affine.vector_load": _vector_load,
    "affine.vector_store": _vector_store,
}
