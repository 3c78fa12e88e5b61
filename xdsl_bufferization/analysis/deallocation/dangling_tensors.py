"""Which tensors outlive their buffers once deallocations are inserted.

    %m = memref.alloc() : memref<4xf32>
    %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
    return %t : tensor<4xf32>

Deallocation frees the buffers that a block owns at the end of the block, unless the
memref escapes it. A tensor that escapes does not keep its buffer alive: here, the
caller gets a tensor whose buffer is freed. The analysis follows a tensor from its
`to_tensor` through all values that may share its buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xdsl.dialects.builtin import TensorType, UnrankedTensorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.analysis.facts.forwarded_values import may_become
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.dialects import bufferization
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions


def find_use_after_free(
    to_tensors: Iterable[bufferization.ToTensorOp],
    freed_in: Callable[[SSAValue], Block | None],
) -> Operation | None:
    """Return an op that uses a tensor after its buffer is freed, or makes others use it.

    `freed_in` returns the block at whose end a buffer is freed, if it is freed. Takes
    time linear in the number of uses for each such block.
    """
    state = DefaultAnalysisState(BufferizationOptions())
    visited: dict[Block, set[SSAValue]] = {}
    for to_tensor in to_tensors:
        block = freed_in(to_tensor.memref)
        if block is None:
            continue
        found = _find_use_outside(
            to_tensor.tensor, block, visited.setdefault(block, set()), state
        )
        if found is not None:
            return found
    return None


def _find_use_outside(
    tensor: SSAValue, block: Block, visited: set[SSAValue], state: DefaultAnalysisState
) -> Operation | None:
    worklist = [tensor]
    while worklist:
        value = worklist.pop()
        if value in visited or not isinstance(
            value.type, (TensorType, UnrankedTensorType)
        ):
            continue
        visited.add(value)
        for use in value.uses:
            op = use.operation
            inside = block.find_ancestor_op_in_block(op)
            if inside is None or (op is block.last_op and op.has_trait(IsTerminator)):
                return op
            worklist += may_become(use, state)
    return None
