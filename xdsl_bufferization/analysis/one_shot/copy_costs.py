"""The estimated cost of the decisions of One-Shot Analysis, before the program is
changed.

The cost is the number of bytes of the tensors that the analysis copies, or that ops copy
because of the layout of their buffers (tensor.collapse_shape of a slice). An unknown size
counts as 1,024 elements. Copies in a loop are multiplied by the trip count, or by 16 if
it is unknown, and copies in a function by the number of its calls. Functions on a cycle
of calls, and their callers, count 16 times.

Deallocation makes public functions return copies of their arguments, and of buffers that
they return twice. No bytes are counted for these, because other callers may do without
them, but `is_never_worse` compares them like all other copies.

    scf.for %i = %c0 to %c8 step %c1 {               weight 8
      scf.while ... {                                weight 8 * 16
        %1 = tensor.insert %x into %t[%j]            %t : tensor<4xf32> out of place:
      }                                              8 * 16 * 16 bytes
    }
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    ComplexType,
    FixedBitwidthType,
    IntegerType,
    TensorType,
    VectorType,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue, Use
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.block_graph import cycles
from xdsl_bufferization.analysis.facts.forwarded_values import ForwardedValues
from xdsl_bufferization.analysis.facts.value_bounds import linear_size
from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.tensor import (
    ConcatOp,
    EmptyOp,
    FromElementsOp,
    GenerateOp,
    PadOp,
    SplatOp,
)
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.loop_like import static_trip_count
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.subset import SUBSET, SUBSET_INSERTION
from xdsl_bufferization.interfaces.types import TENSOR_TYPES
from xdsl_bufferization.records import record

UNKNOWN_ELEMENTS = 1024
"""The number of elements of a tensor of unknown size."""
UNKNOWN_TRIPS = 16
"""The trip count of a loop for which none is known, and the calls in a recursion."""
MOST_CANDIDATES = 16
"""The slices of one buffer that an insertion is compared with."""
MOST_STEPS = 16
"""At most this many slices of slices are followed back to the whole tensor."""
MOST_COMPARED = 64
"""The copies of a function that are compared with those before one by one."""


NO_OPERAND = -1
"""Stands for an operand of a tensor.empty that becomes an allocation, or of another op
that makes a new tensor."""
_NEW_TENSORS = (FromElementsOp, GenerateOp, SplatOp, PadOp, ConcatOp)


def own_copy(operand: Use) -> Use:
    """Stands for a copy of an operand that the op itself makes, whatever is decided: an
    operand that is out of place may be copied once more."""
    return Use(operand.operation, NO_OPERAND - 1 - operand.index)


def joined_operands(op: Operation) -> Sequence[Use]:
    """Return the operands that a tensor.pad or tensor.concat copies into its result."""
    if isinstance(op, ConcatOp):
        return operands_of(op)
    return operands_of(op)[:1] if isinstance(op, PadOp) else ()


def is_operand(use: Use) -> bool:
    """Whether the key of a cost is an operand, not something else that an op does."""
    return use.index >= 0


@record
class CopyCost:
    """A tensor that is copied, or for which a buffer is allocated.

    Attributes:
        op: the op at which it is done.
        value: the tensor.
        copies, allocates: what is done.
        copied_bytes: the bytes that are copied in all executions of the op, estimated.
        is_certain: whether it is done in all executions of the op.
        block: the block of the op, which may be removed later.
    """

    op: Operation
    value: SSAValue
    copies: bool
    allocates: bool
    copied_bytes: int
    is_certain: bool
    block: Block | None


class CopyCosts:
    """The costs of the decisions of an analysis.

    Attributes:
        by_function: for each op directly in the module, such as a function, the costs by
            the operand that is out of place, or copied besides; of a tensor.empty whose
            buffer is used, the costs are by `NO_OPERAND`, and those of an operand that is
            copied by the op itself by `own_copy`.
    """

    def __init__(self, root: Operation, analysis: OneShotAnalysis):
        self.by_function: dict[Operation, dict[Use, CopyCost]] = {}
        self._analysis = analysis
        self._types: BufferTypes | None = None
        self._weights: dict[Block, int] = {}
        self._cycles: dict[Region, set[Block]] = {}
        self._calls: dict[Operation, int] = {}
        self._forwarded = ForwardedValues()
        self._not_repeated_in: dict[Block | None, frozenset[Block]] = {}
        self._surely_reached_from: dict[Block | None, frozenset[Block]] = {}
        self._count_calls()
        self._extractions = self._find_extractions(root)
        if any(depends_on_layout(analysis.model(op)) for op in walk(root)):
            self._types = _PredictedBufferTypes(analysis.options, analysis)
        for op in walk(root):
            for use, cost in self._costs_of(op):
                self.by_function.setdefault(_top_level(op), {})[use] = cost

    def copied_bytes(self, top: Operation | None = None) -> int:
        """The bytes that are copied in one function, or in all."""
        tops = self.by_function if top is None else [top]
        return sum(
            cost.copied_bytes
            for each in tops
            for cost in self.by_function.get(each, {}).values()
        )

    def has_avoidable_copies(self, top: Operation) -> bool:
        """Whether a function copies what other decisions may not copy. What an op joins
        in a new tensor is copied in any case."""
        return any(
            cost.copied_bytes
            and (use.index >= NO_OPERAND or not joined_operands(use.operation))
            for use, cost in self.by_function.get(top, {}).items()
        )

    def of_copies(
        self,
        before: CopyCosts,
        originals: Mapping[Operation, Mapping[Operation, Operation]],
    ) -> CopyCosts:
        """Return these costs in a form for comparison with those before, where the bodies
        of some functions are copies of what they were.

        Args:
            originals: for each of these functions, the ops that its ops are copies of.
        """
        found = copy(self)
        found.by_function = dict(self.by_function)
        for top, original in originals.items():
            uses = {(u.operation, u.index): u for u in before.by_function.get(top, {})}
            found.by_function[top] = {
                uses.get((original[use.operation], use.index), use): cost
                for use, cost in self.by_function.get(top, {}).items()
            }
        return found

    def is_improvement(self, before: CopyCosts, top: Operation | None = None) -> bool:
        """Whether fewer bytes are copied than before, in one function or in all, and in
        no execution more is copied or allocated."""
        fewer = self.copied_bytes(top) < before.copied_bytes(top)
        return fewer and self.is_never_worse(before, top)

    def is_never_worse(self, before: CopyCosts, top: Operation | None = None) -> bool:
        """Whether in no execution more is copied or allocated than before, in one
        function or in all: for each copy that is new there is one before that is spared,
        at least as large, and executed whenever the new one is."""
        tops = self.by_function if top is None else [top]
        return all(
            self._is_covered(
                self.by_function.get(each, {}), before.by_function.get(each, {})
            )
            for each in tops
        )

    def copies_no_more(self, before: CopyCosts, top: Operation | None = None) -> bool:
        """Whether in no execution more is copied than before, in one function or in all;
        what is allocated without a copy is not compared."""
        tops = self.by_function if top is None else [top]
        return all(
            self._is_covered(
                _copies_of(self.by_function.get(each, {})),
                _copies_of(before.by_function.get(each, {})),
            )
            for each in tops
        )

    def _is_covered(
        self, costs: dict[Use, CopyCost], costs_before: dict[Use, CopyCost]
    ) -> bool:
        self._not_repeated_in.clear()
        self._surely_reached_from.clear()
        # What stands for no operand is another object in each analysis.
        now = {(use.operation, use.index): cost for use, cost in costs.items()}
        before = {(use.operation, use.index): c for use, c in costs_before.items()}
        new = [c for use, c in now.items() if use not in before]
        new += [
            c for use, c in now.items() if use in before and not _suffices(before[use], c)
        ]
        spared = [c for use, c in before.items() if use not in now]
        spared.sort(key=lambda cost: cost.copied_bytes)
        if len(new) > min(len(spared), MOST_COMPARED):
            return False
        for cost in sorted(new, key=lambda cost: -cost.copied_bytes):
            for other in spared:
                if (
                    _suffices(other, cost)
                    and _is_at_most_as_large(cost.value, other.value)
                    and self._is_executed_with(cost.block, other.block)
                ):
                    spared.remove(other)
                    break
            else:
                return False
        return True

    def _is_executed_with(self, block: Block | None, other: Block | None) -> bool:
        """Whether `other` is executed at least as often as `block`, whatever happens."""
        return other in self._not_repeated(block) or (
            block in self._surely_reached(other)
        )

    def _not_repeated(self, block: Block | None) -> frozenset[Block]:
        """The blocks around a block of an op, itself included, that are executed
        whenever the op is: up to the first one that its loop repeats. With each, the one
        from which control comes to it, as to the second region of scf.while."""
        known = self._not_repeated_in.get(block)
        if known is None:
            found: list[Block] = []
            level = block
            while level is not None:
                found.append(level)
                found += self._always_before(level)
                if self._trips(level) > 1:
                    break
                level = level.parent_block()
            known = self._not_repeated_in[block] = frozenset(found)
        return known

    def _always_before(self, block: Block) -> Sequence[Block]:
        """Return the block of another region of an op that is executed before each
        execution of a block, if there is one."""
        region, op = block.parent, block.parent_op()
        if region is None or op is None or len(op.regions) == 1 or block.next_block:
            return ()
        points = self._forwarded.graph(op).predecessors.get(region, ())
        if len(points) != 1 or points[0] is None or len(points[0].blocks) != 1:
            return ()
        return (points[0].block,)

    def _surely_reached(self, block: Block | None) -> frozenset[Block]:
        """The blocks around a block, itself included, whose execution surely comes to
        it."""
        known = self._surely_reached_from.get(block)
        if known is None:
            found: list[Block] = []
            level = block
            while level is not None:
                found.append(level)
                around = level.parent_op()
                if around is None or not static_trip_count(around):
                    break
                level = around.parent
            known = self._surely_reached_from[block] = frozenset(found)
        return known

    def _costs_of(self, op: Operation) -> Iterator[tuple[Use, CopyCost]]:
        """What an op copies, and for which operand."""
        analysis = self._analysis
        if isinstance(op, ReturnOp):
            for operand, is_certain in self._copied_results(op):
                value = _whole_of(get(operand))
                cost = CopyCost(op, value, True, True, 0, is_certain, op.parent)
                yield operand, cost
            return
        model = analysis.model(op)
        if model is None:
            for operand in operands_of(op):
                if operand in analysis.copied_for_unknown_ops:
                    yield operand, self._cost(op, get(operand))
            return
        for operand in operands_of(op):
            value = get(operand)
            if not isinstance(value.type, TENSOR_TYPES) or analysis.is_in_place(operand):
                continue
            copies = not analysis.can_omit_tensor_copy(operand)
            value = analysis.copied_value(operand)
            yield operand, self._cost(op, value, copies=copies)
        for operand in model.copied_besides(op, analysis):
            if model.copies_last_use(op, operand, analysis):
                continue
            yield operand, self._cost(operand.operation, get(operand))
        for operand in self._copied_for_layout(op, model):
            yield own_copy(operand), self._cost(op, get(operand))
        if isinstance(op, EmptyOp) and any(
            analysis.is_in_place(use) for use in op.results[0].uses
        ):
            yield (
                Use(op, NO_OPERAND),
                self._cost(op, op.results[0], copies=False),
            )
        if isinstance(op, _NEW_TENSORS):
            yield Use(op, NO_OPERAND), self._cost(op, op.results[0], copies=False)
        for operand in joined_operands(op):
            yield own_copy(operand), self._cost(op, get(operand), allocates=False)
        source = self._copied_source(op)
        if source is not None:
            yield source, self._cost(op, get(source), allocates=False)

    def _copied_for_layout(
        self, op: Operation, model: BufferizableOpInterface
    ) -> Iterator[Use]:
        """The operands that an op copies because of the layout of their buffers."""
        if self._types is None:
            return
        # Asked of all ops, in order: what a type follows from is known then.
        try:
            for result in op.results:
                if isinstance(result.type, TENSOR_TYPES):
                    self._types.get_buffer_type(result)
            copied = model.copied_for_layout(op, self._types)
        except PassFailedException:
            # Bufferization explains it, unless there is a copy that prevents it.
            return
        for operand in copied:
            # The copy of an operand has the right layout; one of the result comes later.
            if self._analysis.is_in_place(operand) or (
                self._analysis.copied_value(operand) is not get(operand)
            ):
                yield operand

    def _copied_results(self, op: ReturnOp) -> Iterator[tuple[Use, bool]]:
        """The operands that a public function returns copies of, because the caller owns
        what it returns: arguments, and buffers that it returns already. Each with whether
        it definitely is one of those."""
        function = op.parent_op()
        if not isinstance(function, FuncOp) or not _is_public(function):
            return
        alias_key, buffer_key = self._analysis.alias_key, self._analysis.buffer_key
        owned = {alias_key(argument) for argument in function.args}
        definitely_owned = {buffer_key(argument) for argument in function.args}
        for operand in operands_of(op):
            if isinstance(get(operand).type, TENSOR_TYPES):
                key = alias_key(get(operand))
                buffer = buffer_key(_whole_of(get(operand)))
                if key in owned:
                    yield operand, buffer in definitely_owned
                owned.add(key)
                definitely_owned.add(buffer)

    def _cost(
        self, op: Operation, value: SSAValue, copies: bool = True, allocates: bool = True
    ) -> CopyCost:
        size = self.weight(op) * byte_size(value.type) if copies else 0
        return CopyCost(op, value, copies, allocates, size, True, op.parent)

    # Insertions copy what they insert, unless it was computed in place.

    def _find_extractions(self, root: Operation) -> dict[SSAValue, list[OpResult]]:
        """The slices in place by the buffer that they are."""
        found: dict[SSAValue, list[OpResult]] = {}
        for op in walk(root):
            if (
                SUBSET.lookup(op) is not None
                and SUBSET_INSERTION.lookup(op) is None
                and op.results
                and isinstance(op.results[0].type, TENSOR_TYPES)
                and self._analysis.is_in_place(operands_of(op)[0])
            ):
                buffer = self._analysis.buffer_key(op.results[0])
                slices = found.setdefault(buffer, [])
                if len(slices) < MOST_CANDIDATES:
                    slices.append(op.results[0])
        return found

    def _copied_source(self, op: Operation) -> Use | None:
        """The operand that an op copies into a subset of another, if it does."""
        model = SUBSET_INSERTION.lookup(op)
        if model is None:
            return None
        source = model.source_operand(op)
        destination = model.destination_operand(op)
        if not (
            isinstance(get(source).type, TENSOR_TYPES)
            and isinstance(get(destination).type, TENSOR_TYPES)
        ):
            return None
        analysis = self._analysis
        # A subset that is all of the destination may be the source without an extraction.
        inserted = get(source)
        extractions = self._extractions.get(analysis.buffer_key(inserted), ())
        candidates = (inserted, *extractions)
        is_there = analysis.is_in_place(destination) and any(
            model.is_equivalent_subset(op, candidate, analysis.are_equivalent)
            for candidate in candidates
        )
        return None if is_there else source

    # How often an op is executed.

    def weight(self, op: Operation) -> int:
        """How often an op is executed, as far as it can be estimated."""
        block = op.parent
        if block is None:
            return self._calls.get(op, 1)
        outer: list[Block] = []
        while block is not None and block not in self._weights:
            outer.append(block)
            block = block.parent_block()
        weight = 1 if block is None else self._weights[block]
        for block in reversed(outer):
            weight *= self._trips(block)
            self._weights[block] = weight
        return weight

    def _trips(self, block: Block) -> int:
        """How often a block is executed each time the op around it is."""
        region = block.parent
        op = block.parent_op()
        assert region is not None and op is not None
        if op in self._calls:
            trips = self._calls[op]
        else:
            model = self._analysis.model(op)
            trips = 1
            if model is not None and model.is_repetitive_region(
                op, op.regions.index(region)
            ):
                count = static_trip_count(op)
                trips = UNKNOWN_TRIPS if count is None else count
        if region.blocks.first is not region.blocks.last:
            repeated = self._cycles.get(region)
            if repeated is None:
                repeated = self._cycles[region] = set(cycles(region.blocks, None))
            if block in repeated:
                trips *= UNKNOWN_TRIPS
        return trips

    def _count_calls(self) -> None:
        """How often each function is called; one without callers, once."""
        functions = self._analysis.functions
        ordered, circular = functions.callees_first()
        self._calls.update((func, 1) for func in functions.functions)
        for func in circular:
            self._calls[func] = UNKNOWN_TRIPS
        counts: dict[FuncOp, int] = {}
        for func in (*circular, *reversed(ordered)):
            if func in counts:
                self._calls[func] = max(1, counts[func]) * self._calls[func]
            for op in walk(func):
                callee = functions.callee(op)
                if callee is not None:
                    counts[callee] = counts.get(callee, 0) + self.weight(op)


class _PredictedBufferTypes(BufferTypes):
    """The types of buffers after decisions for which no copies have been made yet."""

    def is_copied(self, value: SSAValue) -> bool:
        aliases = self.state.aliasing_operands(value)
        return bool(aliases) and not any(
            self.state.is_in_place(alias.operand) for alias in aliases
        )


def depends_on_layout(model: BufferizableOpInterface | None) -> bool:
    """Whether an op may copy an operand because of its layout."""
    return (
        model is not None
        and model.__class__.copied_for_layout is not BufferizableModel.copied_for_layout
    )


def _whole_of(value: SSAValue) -> SSAValue:
    """Return the tensor that a value is a slice of, or the value itself. A clone of a
    slice may include the gaps of its layout."""
    for _ in range(MOST_STEPS):
        if not isinstance(value, OpResult):
            break
        model = SUBSET.lookup(value.op)
        if model is None or SUBSET_INSERTION.lookup(value.op) is not None:
            break
        value = model.subset_tensor(value.op)
    return value


def _is_public(function: FuncOp) -> bool:
    visibility = function.sym_visibility
    return visibility is None or visibility.data == "public"


def _copies_of(costs: Mapping[Use, CopyCost]) -> dict[Use, CopyCost]:
    return {use: cost for use, cost in costs.items() if cost.copies}


def _suffices(before: CopyCost, now: CopyCost) -> bool:
    """Whether what was done before is all that is done now."""
    return (
        before.copies >= now.copies
        and before.allocates >= now.allocates
        and before.is_certain >= now.is_certain
    )


def _is_at_most_as_large(value: SSAValue, other: SSAValue) -> bool:
    """Return whether a tensor definitely has no more bytes than another."""
    if value is other:
        return True
    if not (isinstance(value.type, TensorType) and isinstance(other.type, TensorType)):
        return False
    first = cast("TensorType[Attribute]", value.type)
    second = cast("TensorType[Attribute]", other.type)
    shape, shape_of_other = first.get_shape(), second.get_shape()
    if DYNAMIC_INDEX not in (*shape, *shape_of_other):
        return byte_size(first) <= byte_size(second)
    if first.element_type != second.element_type or len(shape) != len(shape_of_other):
        return False
    for number in range(len(shape)):
        more = linear_size(value, number) - linear_size(other, number)
        if (constant := more.constant_value()) is None or constant > 0:
            return False
    return True


def byte_size(type_: Attribute) -> int:
    """Return the size of a tensor in bytes, as far as it can be estimated."""
    if not isinstance(type_, TensorType):
        return 8 * UNKNOWN_ELEMENTS
    tensor = cast("TensorType[Attribute]", type_)
    shape = tensor.get_shape()
    elements = UNKNOWN_ELEMENTS if DYNAMIC_INDEX in shape else prod(shape)
    return elements * _element_bytes(tensor.element_type)


def _element_bytes(type_: Attribute) -> int:
    if isinstance(type_, VectorType):
        vector = cast("VectorType[Attribute]", type_)
        return prod(vector.get_shape()) * _element_bytes(vector.element_type)
    if isinstance(type_, ComplexType):
        return 2 * _element_bytes(
            cast("ComplexType[AnyFloat | IntegerType]", type_).element_type
        )
    return -(-type_.bitwidth // 8) if isinstance(type_, FixedBitwidthType) else 8


def _top_level(op: Operation) -> Operation:
    """The function that an op is in, or the op in a module."""
    while (parent := op.parent_op()) is not None and not isinstance(op, FuncOp):
        if parent.parent_op() is None:
            break
        op = parent
    return op
