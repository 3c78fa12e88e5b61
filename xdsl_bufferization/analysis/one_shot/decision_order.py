"""The order in which One-Shot Analysis decides on operands, by heuristic."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation, OpResult
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.one_shot.program_order import OpNode, ProgramOrder
from xdsl_bufferization.analysis.one_shot.shuffle import shuffle
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.bufferization_options import AnalysisHeuristic
from xdsl_bufferization.interfaces.operands import get
from xdsl_bufferization.interfaces.types import TENSOR_TYPES, has_tensor_semantics


def order_decisions(
    state: AnalysisState,
    root: Operation,
    order: ProgramOrder,
    heuristic: AnalysisHeuristic,
) -> Iterable[OpNode]:
    """Return the ops under `root` with tensors in the order in which a heuristic decides
    on their operands.

    Raises:
        PassFailedException: the heuristic is unknown.
    """
    nodes = [node for node in order.postorder if _has_tensor_semantics(node)]
    if heuristic == "top-down":
        return nodes
    if heuristic == "fuzzer":
        shuffle(nodes, state.options.analysis_fuzzer_seed)
        return nodes
    nodes.reverse()
    if heuristic == "bottom-up":
        return nodes
    if heuristic == "bottom-up-from-terminators":
        first = _nodes_from_terminators(state, order)
        # Then from the bottom up, but ops before the op around them, as in MLIR.
        rest = (order.nodes[op] for op in reversed(list(walk(root))) if op in order.nodes)
        return [
            *first,
            *(n for n in rest if n not in first and _has_tensor_semantics(n)),
        ]
    raise PassFailedException(
        f"unknown analysis heuristic {heuristic!r}; use bottom-up, top-down, "
        "bottom-up-from-terminators, cheapest or fuzzer"
    )


def _nodes_from_terminators(
    state: AnalysisState, order: ProgramOrder
) -> dict[OpNode, None]:
    """The ops met going back from what each region yields, within the region."""
    found: dict[OpNode, None] = {}
    for node in order.postorder:
        if not node.op.has_trait(IsTerminator, value_if_unregistered=False):
            continue
        if node.op.successors or node in found:
            continue
        found[node] = None
        worklist = [
            value
            for value in node.op.operands
            if isinstance(value, OpResult) and isinstance(value.type, TENSOR_TYPES)
        ]
        while worklist:
            result = worklist.pop()
            defining = order.nodes.get(result.op)
            if defining is None or defining in found:
                continue
            found[defining] = None
            if not _is_in_region_of(defining, node):
                continue
            for alias in state.aliasing_operands(result):
                value = get(alias.operand)
                if isinstance(value, OpResult):
                    worklist.append(value)
    return found


def _has_tensor_semantics(node: OpNode) -> bool:
    if node.model is not None:
        return node.model.has_tensor_semantics(node.op)
    return has_tensor_semantics(node.op)


def _is_in_region_of(node: OpNode, terminator: OpNode) -> bool:
    assert terminator.block is not None
    region = terminator.block.region
    return region.start <= node.enter <= region.end
