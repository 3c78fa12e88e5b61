"""The options of One-Shot Bufferize, with the hooks that MLIR's library offers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias

from xdsl.dialects.builtin import (
    MemRefType,
    NoneAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue, Use
from xdsl.traits import IsTerminator

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.analysis_state import AnalysisState
    from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter

LayoutMapOption: TypeAlias = Literal[
    "infer-layout-map", "identity-layout-map", "fully-dynamic-layout-map"
]
UnknownLayoutMapOption: TypeAlias = Literal[
    "fully-dynamic-layout-map", "identity-layout-map"
]
"""Where no layout can be inferred, there is nothing to infer."""
AnalysisHeuristic: TypeAlias = Literal[
    "bottom-up", "top-down", "bottom-up-from-terminators", "cheapest", "fuzzer"
]

TensorLike: TypeAlias = TensorType | UnrankedTensorType
BufferLike: TypeAlias = MemRefType | UnrankedMemRefType


@dataclass
class OpFilter:
    """Which ops may be bufferized: denied by a rule, or, when there are allowing rules,
    allowed by one. A rule is a predicate on ops. An op that ends a region, and what is in
    scf.forall.in_parallel, is bufferized with the op that has the region."""

    allow: list[Callable[[Operation], bool]] = field(default_factory=list)
    deny: list[Callable[[Operation], bool]] = field(default_factory=list)

    def allow_dialects(self, *names: str) -> None:
        self.allow.append(lambda op: dialect_of(op) in names)

    def deny_dialects(self, *names: str) -> None:
        self.deny.append(lambda op: dialect_of(op) in names)

    def allow_operations(self, *ops: type[Operation]) -> None:
        self.allow.append(lambda op: isinstance(op, ops))

    def deny_operations(self, *ops: type[Operation]) -> None:
        self.deny.append(lambda op: isinstance(op, ops))

    def is_op_allowed(self, op: Operation) -> bool:
        if any(rule(op) for rule in self.deny):
            return False
        return not self.allow or any(rule(op) for rule in self.allow)


class BufferizationListener(Protocol):
    """Follows what becomes of the tensors of a program; the ops themselves do not tell,
    since most are replaced."""

    def value_replaced(self, old: SSAValue, new: SSAValue) -> None:
        """`new`, a tensor or memref, stands for what `old` stood for. A tensor
        value that becomes a memref without being replaced is not told of."""
        ...

    def bufferized(self, buffer_of: Callable[[SSAValue], SSAValue | None]) -> None:
        """All is bufferized; `buffer_of` gives the memref that holds a value, if it is
        still there and has one."""
        ...


class ExtraRules(NamedTuple):
    """The options that let the analysis share more buffers than MLIR's does."""

    disjoint_slices: bool = False
    early_copies: bool = False
    read_only_loops: bool = False


@dataclass
class BufferizationOptions:
    """Options of the analysis and the rewrite. The defaults are MLIR's; each option is
    described where the pass `one-shot-bufferize` declares it."""

    allow_return_allocs_from_loops: bool = False
    allow_unknown_ops: bool = False
    analyze_recursion: bool = False
    analysis_fuzzer_seed: int = 0
    analysis_heuristic: AnalysisHeuristic = "bottom-up"
    buffer_alignment: int = 64
    bufferize_function_boundaries: bool = False
    check_parallel_regions: bool = True
    copy_before_write: bool = False
    disjoint_slices: bool = False
    dump_alias_sets: bool = False
    early_copies: bool = False
    function_boundary_type_conversion: LayoutMapOption = "infer-layout-map"
    keep_result_shapes: bool = False
    must_infer_memory_space: bool = False
    no_analysis_func_filter: tuple[str, ...] = ()
    print_conflicts: bool = False
    read_only_loops: bool = False
    test_analysis_only: bool = False
    unknown_type_conversion: UnknownLayoutMapOption = "fully-dynamic-layout-map"
    use_encoding_for_memory_space: bool = False

    op_filter: OpFilter = field(default_factory=OpFilter)

    allocation_fn: (
        Callable[[BufferizationRewriter, MemRefType, Sequence[SSAValue]], SSAValue] | None
    ) = None
    """Builds an allocation of the type with these dynamic sizes, in place of
    memref.alloc."""
    memcpy_fn: Callable[[BufferizationRewriter, SSAValue, SSAValue], None] | None = None
    """Builds a copy from the first memref to the second, in place of memref.copy."""
    cast_fn: Callable[[BufferizationRewriter, SSAValue, BufferLike], SSAValue] | None = (
        None
    )
    """Builds a cast of a memref to another type, in place of memref.cast."""
    unknown_type_converter_fn: (
        Callable[[TensorLike, Attribute, BufferizationOptions], BufferLike] | None
    ) = None
    """The memref type of a tensor whose layout cannot be inferred, in a memory space."""
    default_memory_space_fn: Callable[[TensorLike], Attribute | None] | None = None
    """The memory space where none can be inferred; None makes bufferization fail."""
    state_initializers: list[Callable[[AnalysisState], None]] = field(
        default_factory=list["Callable[[AnalysisState], None]"]
    )
    """Called with each analysis before it decides anything."""
    decision_listeners: list[Callable[[Use, bool], None]] = field(
        default_factory=list["Callable[[Use, bool], None]"]
    )
    """Called with each operand as it is decided, and whether it is in place."""
    listeners: list[BufferizationListener] = field(
        default_factory=list["BufferizationListener"]
    )
    """Told which values take the places of tensors."""

    @property
    def extra_rules(self) -> ExtraRules:
        return ExtraRules(self.disjoint_slices, self.early_copies, self.read_only_loops)

    def is_op_allowed(self, op: Operation) -> bool:
        """Whether the op may be bufferized under these options."""
        if not self.bufferize_function_boundaries and dialect_of(op) == "func":
            return False
        op_filter = self.op_filter
        if op.name == "bufferization.to_tensor":
            # Its buffer is known to ops that are bufferized, whether it is or not.
            return True
        if op_filter.allow or op_filter.deny:
            return op_filter.is_op_allowed(_ended_op(op))
        return True

    def default_memory_space(self, tensor: TensorLike) -> Attribute | None:
        """The memory space of a buffer for which none can be inferred, or None when it
        must be inferred. The default space is `NoneAttr()`."""
        if self.default_memory_space_fn is not None:
            return self.default_memory_space_fn(tensor)
        if self.use_encoding_for_memory_space:
            return tensor.encoding if isinstance(tensor, TensorType) else NoneAttr()
        return None if self.must_infer_memory_space else NoneAttr()


def _ended_op(op: Operation) -> Operation:
    """The op whose region, or a block of it, an op ends, or is a part of the end of; else
    the op itself. It is bufferized together with its branches."""
    while (parent := op.parent_op()) is not None and (
        _ends_region(op) or _ends_region(parent)
    ):
        op = parent
    return op


def _ends_region(op: Operation) -> bool:
    return op.has_trait(IsTerminator, value_if_unregistered=False)


def dialect_of(op: Operation) -> str:
    """The name of the dialect of an op."""
    return op.name.partition(".")[0]
