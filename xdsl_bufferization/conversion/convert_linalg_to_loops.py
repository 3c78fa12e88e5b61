"""The pass convert-linalg-to-loops.

Every structured linalg op specifies for each operand how the loops index it (the
indexing map) and computes in its region one element of each output from one element of
each operand. One function therefore lowers all of them: a loop for each iterator,
loads, the region's ops, stores. linalg.softmax, which is not a structured op, has its
own loops.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    TensorType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.conversion.utils.affine_indices import INDEX, IndexBuilder
from xdsl_bufferization.conversion.utils.diagnostics import refuse
from xdsl_bufferization.conversion.utils.linalg_softmax import softmax_loops
from xdsl_bufferization.conversion.utils.loop_order import loop_order
from xdsl_bufferization.dialects import linalg, memref, scf
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import shape_of
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import Counterpart, ModulePass
from xdsl_bufferization.programs import on_program

PASS = "convert-linalg-to-loops"


@dataclass(frozen=True)
class ConvertLinalgToLoopsPass(ModulePass):
    """Turn the structured ops of linalg on memrefs (linalg.generic, map, reduce,
    transpose, broadcast, all named ops) and linalg.softmax into nests of scf.for around
    loads, the ops of their region, and stores.

    ```mlir
    linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x?xf32>)
                  outs(%c : memref<4x?xf32>)
    ```

    becomes

    ```mlir
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %b, %c1 : memref<8x?xf32>
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        scf.for %k = %c0 to %c8 step %c1 {
          %0 = memref.load %a[%i, %k] : memref<4x8xf32>
          %1 = memref.load %b[%k, %j] : memref<8x?xf32>
          %2 = memref.load %c[%i, %j] : memref<4x?xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          memref.store %4, %c[%i, %j] : memref<4x?xf32>
        }
      }
    }
    ```

    Operands whose element the region does not use are not loaded. Dynamic shapes,
    strided layouts and rank 0 are supported. Ops on tensors are left unchanged: to turn
    them into loops too, run one-shot-bufferize first.

    Options:
    - interchange: order the loops so that the innermost one accesses memory with unit
      stride where that is estimated to be faster: above, `%k` outside of `%j`.
      Reductions keep their order, so each element keeps its rounding.
    """

    name = "convert-linalg-to-loops"

    interchange: bool = False

    counterpart = Counterpart(
        "convert_linalg_to_loops", "ConvertLinalgToLoopsPass", lowers="linalg"
    )

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_linalg_to_loops(op, self.interchange)


@on_program
def convert_linalg_to_loops(module: Operation, interchange: bool = False) -> None:
    """Convert all structured ops on memrefs inside an op, each once.

    Raises:
        PassFailedException: for an op whose operands do not tell the extent of a loop.
    """
    found = [op for op in walk(module) if op.name.startswith("linalg.")]
    for op in visiting(found):
        if not _has_tensors(op):
            _lower_to_loops(op, interchange)


_RELAYOUT = "it works on tensors; one-shot-bufferize makes a linalg.map of it"
_WINOGRAD = (
    "it works on tensors and has no bufferization; decompose it into matrix products "
    "first, as mlir-opt's transform.structured.decompose_winograd_op does"
)
WITHOUT_LOOPS = {
    # op of linalg that never becomes loops: why, and what to do
    "linalg.pack": _RELAYOUT,
    "linalg.unpack": _RELAYOUT,
    "linalg.winograd_filter_transform": _WINOGRAD,
    "linalg.winograd_input_transform": _WINOGRAD,
    "linalg.winograd_output_transform": _WINOGRAD,
}


def _has_tensors(op: Operation) -> bool:
    return any(
        isinstance(value.type, TensorType | UnrankedTensorType)
        for value in (*op.operands, *op.results)
    )


def _lower_to_loops(op: Operation, interchange: bool) -> None:
    """Replace one op on memrefs by loops, if it is structured or a softmax."""
    if isinstance(op, linalg.SoftmaxOp):
        _lower_softmax(op)
        return
    maps = _indexing_maps(op)
    body = op.regions[-1].blocks.first if op.regions else None
    if maps is not None and body is not None:
        _lower_structured(op, maps, body, interchange)


def _lower_softmax(op: linalg.SoftmaxOp) -> None:
    identity = AffineMap.identity(len(shape_of(op.input.type) or ()))
    head = IndexBuilder()
    ends = _loop_ends(op, (identity, identity), (op.input, op.output), head)
    loops = softmax_loops(op, ends, head)
    Rewriter.insert_op((*head.ops, *loops), InsertPoint.before(op))
    Rewriter.erase_op(op)


def _lower_structured(
    op: Operation, maps: Sequence[AffineMap], body: Block, interchange: bool
) -> None:
    operands = tuple(op.operands)[: len(maps)]
    outputs = _output_count(op)
    head = IndexBuilder()
    ends = _loop_ends(op, maps, operands, head)
    order = loop_order(op, maps, body, outputs) if interchange else range(len(ends))
    loops, innermost, outermost = _make_loops([ends[loop] for loop in order], head)
    place = dict(zip(order, loops, strict=True))
    indices = [place[loop] for loop in range(len(ends))]
    _fill(body, maps, operands, outputs, indices, innermost)
    Rewriter.insert_op(head.ops, InsertPoint.before(op))
    if outermost is None:
        # Without iterators the body takes the place of the op itself.
        ops = list(innermost.ops)
        for inner in ops:
            inner.detach()
        Rewriter.insert_op(ops, InsertPoint.before(op))
    else:
        Rewriter.insert_op(outermost, InsertPoint.before(op))
    Rewriter.erase_op(op)


def _indexing_maps(op: Operation) -> list[AffineMap] | None:
    get_indexing_maps = getattr(op, "get_indexing_maps", None)
    if get_indexing_maps is None:
        return None
    maps = cast("ArrayAttr[AffineMapAttr]", get_indexing_maps())
    return [map_.data for map_ in maps]


def _output_count(op: Operation) -> int:
    """The outputs are the last operands; the region yields one value for each."""
    block = op.regions[-1].blocks.first
    assert block is not None and block.last_op is not None
    return len(block.last_op.operands)


def _loop_ends(
    op: Operation,
    maps: Sequence[AffineMap],
    operands: Sequence[SSAValue],
    head: IndexBuilder,
) -> list[SSAValue]:
    """The number of iterations of each loop: the size of a dimension that its index alone
    reaches, a static one if there is one.
    """
    count = maps[0].num_dims if maps else 0
    sources: list[tuple[SSAValue, int, int] | None] = [None] * count
    for map_, operand in zip(maps, operands, strict=True):
        shape = shape_of(operand.type)
        if shape is None:
            continue
        for dim, expr in enumerate(map_.results):
            if not isinstance(expr, AffineDimExpr):
                continue
            old = sources[expr.position]
            if old is None or (old[2] == DYNAMIC_INDEX and shape[dim] != DYNAMIC_INDEX):
                sources[expr.position] = (operand, dim, shape[dim])
    ends: list[SSAValue] = []
    for position, source in enumerate(sources):
        if source is None:
            refuse(
                op,
                PASS,
                f"no operand has a dimension that loop {position} alone indexes, so its "
                "extent is unknown",
            )
        operand, dim, size = source
        if size == DYNAMIC_INDEX:
            at = head.constant(dim)
            dim_op = memref.DimOp.create(operands=(operand, at), result_types=(INDEX,))
            ends.append(head.add(dim_op))
        else:
            ends.append(head.constant(size))
    return ends


def _make_loops(
    ends: Sequence[SSAValue], head: IndexBuilder
) -> tuple[list[SSAValue], Block, Operation | None]:
    """A perfect nest of loops: their indices, the innermost block (without terminator)
    and the outermost loop. Without loops the block stands alone.
    """
    indices: list[SSAValue] = []
    outermost: Operation | None = None
    block = Block()
    if not ends:
        return indices, block, outermost
    zero, one = head.constant(0), head.constant(1)
    parent: Block | None = None
    for end in ends:
        block = Block(arg_types=(INDEX,))
        loop = scf.ForOp.create(operands=(zero, end, one), regions=(Region(block),))
        if parent is None:
            outermost = loop
        else:
            parent.add_op(loop)
            parent.add_op(scf.YieldOp.create())
        indices.append(block.args[0])
        parent = block
    return indices, block, outermost


def _fill(
    body: Block,
    maps: Sequence[AffineMap],
    operands: Sequence[SSAValue],
    outputs: int,
    indices: Sequence[SSAValue],
    block: Block,
) -> None:
    """Put the loads, the ops of the region and the stores into the innermost block."""
    places: dict[AffineMap, list[SSAValue]] = {}
    address = IndexBuilder()

    def place(map_: AffineMap) -> list[SSAValue]:
        found = places.get(map_)
        if found is None:
            found = [address.expression(expr, indices) for expr in map_.results]
            places[map_] = found
        return found

    for argument, map_, operand in zip(body.args, maps, operands, strict=True):
        _replace_argument(argument, map_, operand, place, address)
    _replace_indices(body, indices)
    terminator = body.last_op
    assert terminator is not None
    results = tuple(terminator.operands)
    terminator.detach()
    terminator.erase()
    ops = list(body.ops)
    for op in ops:
        op.detach()
    first_output = len(operands) - outputs
    # The addresses of outputs that are not read are computed here as well, up front.
    stores = [
        memref.StoreOp.create(
            operands=(result, operands[at], *place(maps[at])),
            properties=_NOT_NONTEMPORAL,
        )
        for at, result in enumerate(results, first_output)
    ]
    block.add_ops(address.ops)
    block.add_ops(ops)
    block.add_ops(stores)
    if indices:
        block.add_op(scf.YieldOp.create())


Place: TypeAlias = Callable[[AffineMap], list[SSAValue]]
"""The indices at which a map reaches into its operand."""

_NOT_NONTEMPORAL: dict[str, Attribute] = {"nontemporal": IntegerAttr(0, 1)}


def _replace_argument(
    argument: BlockArgument,
    map_: AffineMap,
    operand: SSAValue,
    place: Place,
    address: IndexBuilder,
) -> None:
    """Load the element a block argument stands for, if it is used; a scalar operand
    stands for itself.
    """
    if not argument.uses:
        return
    if not isinstance(operand.type, MemRefType):
        argument.replace_all_uses_with(operand)
        return
    load = memref.LoadOp.create(
        operands=(operand, *place(map_)),
        result_types=(argument.type,),
        properties=_NOT_NONTEMPORAL,
    )
    argument.replace_all_uses_with(address.add(load))


def _replace_indices(body: Block, indices: Sequence[SSAValue]) -> None:
    """linalg.index, at any depth but inside of another linalg op, is the loop's index."""
    waiting = [body]
    while waiting:
        for op in list(waiting.pop().ops):
            if op.name == "linalg.index":
                dim = cast("IntegerAttr", op.properties["dim"]).value.data
                Rewriter.replace_op(op, [], [indices[dim]])
            elif not op.name.startswith("linalg."):
                waiting += (block for region in op.regions for block in region.blocks)
