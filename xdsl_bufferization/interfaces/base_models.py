"""Base models of BufferizableOpInterface, with MLIR's defaults.

- `BufferizableModel`: an op that reads its tensors, writes none and shares no buffer. An
  op that allocates its result overrides `bufferizes_to_allocation` and `bufferize`.
- `AliasingModel`: an op whose first result renames the buffer of its first operand.
- `DestinationStyleModel`: a destination-style op.
- `SingleDestinationModel`: an op with a single destination, an operand given by its
  number.

`xdsl_bufferization.base_models` contains these and the base models of loops, branches,
terminators, calls, allocations and views.

A model may be attached with `table.attach`, or be one of the traits of an op class:
`traits = traits_def(Pure(), MyModel())`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import unwrap
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import UnrankedTensorType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import PassFailedException, VerifyException

from xdsl_bufferization.interfaces.aliasing import (
    AliasingOperand,
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.interfaces.destination_style import (
    destinations,
    last_operand,
    tied_operand,
    tied_result,
)
from xdsl_bufferization.interfaces.op_on_buffers import insert_on_buffers, replace_by
from xdsl_bufferization.interfaces.operands import get, op_of, operands_of
from xdsl_bufferization.interfaces.types import (
    TENSOR_TYPES,
    BufferType,
    has_tensor_semantics,
)
from xdsl_bufferization.records import record

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.analysis_state import AnalysisState
    from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
    from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter


@record
class BufferizableModel(OpTrait):
    """The defaults of BufferizableOpInterface.

    Where an answer is the same for all ops and operands, an attribute of the class states
    it, and the method need not be overridden.

    Attributes:
        allocates: whether results are new allocations.
        reads, writes: whether the buffers of operands are read and written.
        always_in_place: whether operands must be bufferized in place; those of unranked
            tensors must in any case.
    """

    allocates = False
    reads = True
    writes = False
    always_in_place = False

    def __init_subclass__(cls) -> None:
        """Check that attributes of the class have an effect.

        Raises:
            TypeError: when the method that would use an attribute is overridden.
        """
        super().__init_subclass__()
        for attribute, name in _METHODS.items():
            method = unwrap(getattr(cls, name))
            code = getattr(method, "__code__", None)
            used = () if code is None else code.co_names
            if attribute in vars(cls) and code and {attribute, "super"}.isdisjoint(used):
                raise TypeError(
                    f"{cls.__name__}.{attribute} has no effect, because "
                    f"{method.__qualname__} does not use it; override {name} instead."
                )

    def verify(self, op: Operation | None = None) -> None:
        """Check an op that has the model among its traits; nothing, for most models.

        Raises:
            VerifyException: when the op is not one that the model is for, or when the
                class is among the traits in place of an object.
        """
        if op is None:
            # xDSL calls trait.verify(op); for a class, that makes the op `self`.
            op = cast(Operation, self)
            classes = [trait for trait in op.traits if isinstance(trait, type)]
            names = ", ".join(f"{model.__name__}()" for model in classes)
            raise VerifyException(
                f"{op.name}: a class is among its traits in place of a model, which is "
                f"an object: write {names}"
            )

    def bufferizes_to_allocation(self, op: Operation, value: SSAValue) -> bool:
        return self.allocates

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return self.reads

    def bufferizes_to_memory_write(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return self.writes

    def result_bufferizes_to_memory_write(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> bool:
        """True when the result has no aliasing operand, when one of them is written, or
        when a value defined inside the op and passed out of it is."""
        aliases = state.aliasing_operands(value)
        if not aliases:
            return True
        if any(state.bufferizes_to_memory_write(alias.operand) for alias in aliases):
            return True
        if not op.regions:
            return False
        worklist = [get(alias.operand) for alias in aliases]
        visited: set[SSAValue] = set()
        while worklist:
            inner = worklist.pop()
            owner = op_of(inner)
            # What comes from outside does not lead back into the op.
            if inner in visited or owner is None or not op.is_ancestor(owner):
                continue
            visited.add(inner)
            if state.value_bufferizes_to_memory_write(inner):
                return True
            worklist.extend(get(a.operand) for a in state.aliasing_operands(inner))
        return False

    def must_bufferize_in_place(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        """True of an unranked tensor, which cannot be copied."""
        return self.always_in_place or isinstance(get(operand).type, UnrankedTensorType)

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return ()

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        """The inverse of `aliasing_values` over the op's own operands."""
        return [
            AliasingOperand(operand, alias.relation, alias.is_definite)
            for operand in operands_of(op)
            if isinstance(get(operand).type, TENSOR_TYPES)
            for alias in state.aliasing_values(operand)
            if alias.value is value
        ]

    def results_sharing_buffers(
        self, op: Operation, state: AnalysisState
    ) -> Sequence[tuple[SSAValue, SSAValue]]:
        """Results that definitely are the buffer of one operand, or a copy of it."""
        if len(op.results) < 2:
            return ()
        pairs: list[tuple[SSAValue, SSAValue]] = []
        for operand in operands_of(op):
            if isinstance(get(operand).type, TENSOR_TYPES):
                same = [
                    alias.value
                    for alias in self.aliasing_values(op, operand, state)
                    if isinstance(alias.value, OpResult)
                    and alias.relation is BufferRelation.EQUIVALENT
                    and alias.is_definite
                ]
                pairs += pairwise(same)
        return pairs

    def bufferizes_to_elementwise_access(
        self, op: Operation, operands: Sequence[Use], state: AnalysisState
    ) -> bool:
        return False

    def is_not_conflicting(
        self, op: Operation, read: Use, write: Use, state: AnalysisState
    ) -> bool:
        return False

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        """Results are writable, block arguments are not."""
        return isinstance(value, OpResult)

    def is_repetitive_region(self, op: Operation, index: int) -> bool:
        return False

    def is_parallel_region(self, op: Operation, index: int) -> bool:
        return False

    def has_tensor_semantics(self, op: Operation) -> bool:
        return has_tensor_semantics(op)

    def supports_unstructured_control_flow(self, op: Operation) -> bool:
        return False

    def prepare(
        self, op: Operation, state: AnalysisState
    ) -> Sequence[tuple[Use, SSAValue]]:
        return ()

    def verify_analysis(self, op: Operation, state: AnalysisState) -> None:
        return

    def values_to_be_shared(
        self, op: Operation, state: AnalysisState
    ) -> Sequence[tuple[SSAValue, SSAValue]]:
        return ()

    def copied_besides(self, op: Operation, state: AnalysisState) -> Sequence[Use]:
        return ()

    def copies_last_use(self, op: Operation, operand: Use, state: AnalysisState) -> bool:
        return False

    def copied_for_layout(self, op: Operation, types: BufferTypes) -> Sequence[Use]:
        return ()

    def resolve_conflicts(
        self, op: Operation, rewriter: BufferizationRewriter, state: AnalysisState
    ) -> None:
        rewriter.resolve_operand_conflicts(op, state)

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        """An identity layout for the allocation that the op becomes now; the type of the
        buffer of the first aliasing operand where that is equivalent; otherwise the
        unknown layout, also for what is going to be an allocation, as in MLIR."""
        if op is types.visited and self.bufferizes_to_allocation(op, value):
            return types.identity_buffer_type(value.type)
        if isinstance(value, OpResult):
            aliases = self.aliasing_operands(op, value, types.state)
            if aliases and aliases[0].relation is BufferRelation.EQUIVALENT:
                return types.get_buffer_type(get(aliases[0].operand))
        return types.unknown_buffer_type(value.type, op)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        raise PassFailedException(
            f"{op.name} has a model of BufferizableOpInterface without `bufferize`; "
            f"implement {type(self).__name__}.bufferize(op, rewriter)."
        )


_METHODS = {
    "allocates": "bufferizes_to_allocation",
    "reads": "bufferizes_to_memory_read",
    "writes": "bufferizes_to_memory_write",
    "always_in_place": "must_bufferize_in_place",
}
"""The methods that attributes of a class answer."""


@dataclass(frozen=True)
class AliasingModel(BufferizableModel):
    """An op that neither reads nor writes: its first result is the buffer of its first
    operand under another type (tensor.cast) or a view of it (tensor.extract_slice)."""

    relation: BufferRelation = BufferRelation.EQUIVALENT
    reads = False

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return (AliasingValue(op.results[0], self.relation),)

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        return (AliasingOperand(operands_of(op)[0], self.relation),)

    def result_bufferizes_to_memory_write(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> bool:
        return False


@record
class DestinationStyleModel(BufferizableModel):
    """A destination-style op: inputs are read, destinations read and written, each result
    is the buffer of its destination. The only destination is the last operand, unless
    `dps_inits` is overridden: it returns the destinations in the order of their results,
    each as a `Use`, which is an element of `operands_of(op)`.

        class AxpyOp(IRDLOperation):     # %r = "toy.axpy"(%a, %x, %y) : ...
            name = "toy.axpy"
            a, x, y = operand_def(f32), operand_def(), operand_def()
            result = opt_result_def()
            traits = traits_def(
                DestinationStyleModel(), MemoryReadEffect(), MemoryWriteEffect()
            )

    On memrefs it is the same op, without the tensor results: `"toy.axpy"(%a, %x, %y) :
    (f32, memref<4xf32>, memref<4xf32>) -> ()`. Override `bufferize` to build something
    else.
    """

    def verify(self, op: Operation | None = None) -> None:
        """Check that there is a result for each destination that is a tensor.

        Raises:
            VerifyException: when there are fewer results, or when `dps_inits` returns
                something else than operands of the op.
        """
        BufferizableModel.verify(self, op)
        assert op is not None
        try:
            named = destinations(self, op)
        except PassFailedException as error:
            raise VerifyException(str(error)) from error
        inits = [init for init in named if isinstance(get(init).type, TENSOR_TYPES)]
        ties = type(self).aliasing_values is DestinationStyleModel.aliasing_values
        if ties and len(op.results) < len(inits):
            raise VerifyException(
                f"{op.name}: {type(self).__name__} is for an op with a result for each "
                f"destination that is a tensor: there are {len(inits)} of these, but "
                f"{len(op.results)} results"
            )

    def dps_inits(self, op: Operation) -> Sequence[Use]:
        return last_operand(op)

    def bufferizes_to_memory_write(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return operand in destinations(self, op)

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        result = tied_result(self, op, operand)
        if result is None:
            return ()
        return (AliasingValue(result, BufferRelation.EQUIVALENT),)

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        if isinstance(value, BlockArgument):
            return ()
        operand = tied_operand(self, op, value)
        if operand is None:
            return ()
        return (AliasingOperand(operand, BufferRelation.EQUIVALENT),)

    def result_bufferizes_to_memory_write(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> bool:
        operand = tied_operand(self, op, value)
        return operand is None or state.bufferizes_to_memory_write(operand)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        # Of an op whose destinations are memrefs, there is no result to replace.
        has_results = any(isinstance(result.type, TENSOR_TYPES) for result in op.results)
        inits = destinations(self, op) if has_results else ()
        buffers = [rewriter.get_buffer(get(operand)) for operand in inits]
        replace_by(op, insert_on_buffers(self, op, rewriter), buffers, rewriter)


@dataclass(frozen=True)
class SingleDestinationModel(DestinationStyleModel):
    """A destination-style op whose only destination is one operand, given by its number,
    and whose only result, if there is one, is that operand's buffer."""

    destination: int = 0

    def dps_inits(self, op: Operation) -> Sequence[Use]:
        return operands_of(op)[self.destination : self.destination + 1]

    def bufferizes_to_memory_write(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return operand.index == self.destination

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        if operand.index != self.destination or not op.results:
            return ()
        return (AliasingValue(op.results[0], BufferRelation.EQUIVALENT),)

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        if isinstance(value, BlockArgument):
            return ()
        destination = operands_of(op)[self.destination]
        return (AliasingOperand(destination, BufferRelation.EQUIVALENT),)

    def result_bufferizes_to_memory_write(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> bool:
        return True
