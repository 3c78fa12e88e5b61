"""generate-runtime-verification asks ops of dialects that are not of this package."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import builtin, func
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Dialect, Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, traits_def
from xdsl.parser import Parser
from xdsl.traits import OpTrait

from xdsl_bufferization.interfaces.runtime_verifiable import (
    Equal,
    InBounds,
    Requirement,
    SizeOf,
)
from xdsl_bufferization.transforms.generate_runtime_verification import (
    generate_runtime_verification,
)


class FirstElements(OpTrait):
    """The first elements of one buffer go to another, which has just that many."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        source, target, count = op.operands
        return [
            InBounds(count, SizeOf(source, 0), "too many elements"),
            Equal(count, SizeOf(target, 0), "the target has another size"),
        ]


@irdl_op_definition
class TakeOp(IRDLOperation):
    name = "mine.take"

    source = operand_def(MemRefType)
    target = operand_def(MemRefType)
    count = operand_def(IndexType)

    traits = traits_def(FirstElements())


def test_op_carries_its_requirements() -> None:
    context = Context()
    for dialect in (builtin.Builtin, func.Func, Dialect("mine", [TakeOp])):
        context.load_dialect(dialect)
    module = Parser(
        context,
        """
        func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
          "mine.take"(%a, %b, %n) : (memref<?xf32>, memref<?xf32>, index) -> ()
          return
        }
        """,
    ).parse_module()
    generate_runtime_verification(module)
    module.verify()
    [function] = module.ops
    names = [op.name for op in function.regions[0].block.ops]
    assert names == [
        *("arith.constant", "memref.dim", "arith.cmpi", "cf.assert"),
        *("memref.dim", "arith.cmpi", "cf.assert", "mine.take", "func.return"),
    ]
    assert "too many elements" in str(module)
    assert "the target has another size" in str(module)
