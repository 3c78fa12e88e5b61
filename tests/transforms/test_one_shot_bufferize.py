"""The entry points of One-Shot Bufferize for Python, and the hooks of its options."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import (
    IntegerAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    TensorType,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue, Use
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.one_shot.module_analysis import analyze
from xdsl_bufferization.dialects import memref, tensor
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.models import announce_models
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass
from xdsl_bufferization.transforms.utils.bufferize import bufferize_op
from xdsl_bufferization.transforms.utils.one_shot_bufferization import (
    run_one_shot_bufferize,
)
from xdsl_bufferization.transforms.utils.tensor_copy_insertion import insert_tensor_copies
from xdsl_bufferization.universe import new_context

announce_models()

CONFLICT = """
func.func @f(%t: tensor<4xf32>, %i: index, %f: f32) -> (tensor<4xf32>, f32) {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, f32
}
"""

CHAIN = """
func.func @f(%t: tensor<?xf32>, %i: index, %f: f32) -> tensor<?xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""


def parse(text: str) -> ModuleOp:
    return Parser(new_context(), text).parse_module()


def boundaries(**options: object) -> BufferizationOptions:
    return BufferizationOptions(bufferize_function_boundaries=True, **options)


def names(module: ModuleOp) -> list[str]:
    return [op.name for op in module.walk()]


def test_statistics() -> None:
    statistics = run_one_shot_bufferize(parse(CONFLICT), boundaries())
    assert statistics.num_buffer_alloc == 1
    assert statistics.num_tensor_out_of_place == 1
    assert statistics.num_tensor_in_place == 2
    assert "1 num-buffer-alloc" in str(statistics)


def test_statistics_of_the_analysis_alone() -> None:
    module = parse(CONFLICT)
    statistics = run_one_shot_bufferize(module, boundaries(test_analysis_only=True))
    assert statistics.num_buffer_alloc == 0
    assert statistics.num_tensor_out_of_place == 1
    assert "tensor.insert" in names(module)


def test_analyze_changes_nothing() -> None:
    module = parse(CONFLICT)
    before = str(module)
    analysis = analyze(module, boundaries())
    assert str(module) == before
    assert analysis.num_tensor_out_of_place == 1


def test_insert_tensor_copies_stays_on_tensors() -> None:
    module = parse(CONFLICT)
    insert_tensor_copies(module, boundaries())
    module.verify()
    assert names(module).count("bufferization.alloc_tensor") == 1
    assert "memref.alloc" not in names(module)


def test_bufferize_op_after_copies_are_inserted() -> None:
    module = parse(CONFLICT)
    insert_tensor_copies(module, boundaries())
    statistics = bufferize_op(module, boundaries())
    module.verify()
    assert statistics.num_buffer_alloc == 1
    assert names(module).count("memref.copy") == 1


def test_bufferize_op_copies_before_every_write() -> None:
    module = parse(CHAIN)
    bufferize_op(module, boundaries(copy_before_write=True))
    module.verify()
    assert names(module).count("memref.copy") == 2


def test_allocation_hook() -> None:
    made: list[MemRefType] = []

    def allocate(rewriter, type_, sizes):
        made.append(type_)
        return rewriter.insert(
            memref.AllocaOp.build(operands=[sizes, []], result_types=[type_])
        ).results[0]

    module = parse(CONFLICT)
    run_one_shot_bufferize(module, boundaries(allocation_fn=allocate))
    module.verify()
    assert len(made) == 1
    assert "memref.alloc" not in names(module)


def test_copy_hook() -> None:
    def copy(rewriter, source, target):
        op = memref.CopyOp.build(operands=[source, target])
        op.attributes["mine"] = IntegerAttr(1, i64)
        rewriter.insert(op)

    module = parse(CONFLICT)
    run_one_shot_bufferize(module, boundaries(memcpy_fn=copy))
    copies = [op for op in module.walk() if op.name == "memref.copy"]
    assert copies and all("mine" in op.attributes for op in copies)


def test_cast_hook() -> None:
    casts: list[object] = []

    def cast(rewriter, buffer, type_):
        op = memref.CastOp.build(operands=[buffer], result_types=[type_])
        casts.append(type_)
        return rewriter.insert(op).results[0]

    module = parse(
        """
        func.func private @g(%t: tensor<4xf32>) -> tensor<4xf32> {
          return %t : tensor<4xf32>
        }
        func.func @f() -> tensor<4xf32> {
          %0 = tensor.empty() : tensor<4xf32>
          %1 = call @g(%0) : (tensor<4xf32>) -> tensor<4xf32>
          return %1 : tensor<4xf32>
        }"""
    )
    run_one_shot_bufferize(module, boundaries(cast_fn=cast))
    module.verify()
    assert len(casts) == names(module).count("memref.cast") == 1


def test_unknown_type_converter() -> None:
    def convert(type_, memory_space, options):
        return MemRefType(type_.element_type, type_.shape, NoneAttr(), memory_space)

    module = parse(CHAIN)
    options = BufferizationOptions(unknown_type_converter_fn=convert)
    run_one_shot_bufferize(module, options)
    module.verify()
    assert "strided" not in str(module)


def test_op_filter_denies_an_op() -> None:
    module = parse(CHAIN)
    options = boundaries(allow_unknown_ops=True)
    options.op_filter.deny_operations(tensor.InsertOp)
    run_one_shot_bufferize(module, options)
    module.verify()
    assert names(module).count("tensor.insert") == 2
    assert "bufferization.to_tensor" in names(module)


def test_op_filter_predicate() -> None:
    module = parse(CHAIN)
    options = boundaries(allow_unknown_ops=True)
    options.op_filter.deny.append(lambda op: "keep" in op.attributes)
    next(op for op in module.walk() if op.name == "tensor.insert").attributes["keep"] = (
        IntegerAttr(1, i64)
    )
    run_one_shot_bufferize(module, options)
    module.verify()
    assert names(module).count("tensor.insert") == 1
    assert names(module).count("memref.store") == 1


def test_decisions_are_heard() -> None:
    heard: list[tuple[str, int, bool]] = []

    def listen(use: Use, in_place: bool) -> None:
        heard.append((use.operation.name, use.index, in_place))

    started: list[object] = []
    options = boundaries(decision_listeners=[listen], state_initializers=[started.append])
    run_one_shot_bufferize(parse(CONFLICT), options)
    assert sorted(heard) == [
        ("func.return", 0, True),
        ("tensor.extract", 0, True),
        ("tensor.insert", 1, False),
    ]
    assert len(started) == 1


def test_heuristics_order_the_decisions() -> None:
    orders: dict[str, list[str]] = {}
    for heuristic in ("bottom-up", "top-down"):
        heard = orders.setdefault(heuristic, [])
        options = boundaries(
            analysis_heuristic=heuristic,
            decision_listeners=[
                lambda use, _, heard=heard: heard.append(use.operation.name)
            ],
        )
        run_one_shot_bufferize(parse(CONFLICT), options)
    assert orders["top-down"] == orders["bottom-up"][::-1]


def test_the_fuzzer_repeats_itself() -> None:
    def decisions(seed: int) -> list[str]:
        heard: list[str] = []
        options = boundaries(
            analysis_heuristic="fuzzer",
            analysis_fuzzer_seed=seed,
            decision_listeners=[lambda use, _: heard.append(use.operation.name)],
        )
        run_one_shot_bufferize(parse(CHAIN.replace("@f", "@g") + CONFLICT), options)
        return heard

    assert decisions(7) == decisions(7)
    assert len({tuple(decisions(seed)) for seed in range(20)}) > 1


def test_nothing_is_changed_when_an_op_is_unknown() -> None:
    module = parse(
        """
        func.func @f(%t: tensor<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
          %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
          %1 = tosa.reciprocal %0 : (tensor<4xf32>) -> tensor<4xf32>
          return %1 : tensor<4xf32>
        }"""
    )
    before = str(module)
    with pytest.raises(PassFailedException, match=r"tosa.reciprocal: op was not"):
        bufferize_op(module, boundaries())
    assert str(module) == before


class Follower:
    """Knows which value stands for a tensor."""

    def __init__(self, value: SSAValue) -> None:
        self.value = value
        self.buffer: SSAValue | None = None

    def value_replaced(self, old: SSAValue, new: SSAValue) -> None:
        if old is self.value:
            self.value = new

    def bufferized(self, buffer_of: Callable[[SSAValue], SSAValue | None]) -> None:
        self.buffer = buffer_of(self.value)


def test_listeners_follow_tensors_to_their_buffers() -> None:
    module = parse(CONFLICT)
    inserted = next(op for op in module.walk() if isinstance(op, tensor.InsertOp))
    argument, result = inserted.dest, inserted.results[0]
    followers = [Follower(argument), Follower(result)]
    run_one_shot_bufferize(module, boundaries(listeners=[*followers]))
    store = next(op for op in module.walk() if isinstance(op, memref.StoreOp))
    assert followers[0].buffer is argument
    assert followers[1].buffer is store.memref
    assert isinstance(store.memref.owner, memref.AllocOp)


def test_listeners_are_told_that_a_tensor_has_no_buffer() -> None:
    module = parse(
        """
        func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
          %0 = bufferization.alloc_tensor() : tensor<4xf32>
          return %t : tensor<4xf32>
        }"""
    )
    unused = next(op for op in module.walk() if "alloc_tensor" in op.name)
    follower = Follower(unused.results[0])
    run_one_shot_bufferize(module, boundaries(listeners=[follower]))
    assert follower.buffer is None


@pytest.mark.parametrize(
    "body",
    [
        "%0 = tensor.insert %f into %0[%i] : tensor<4xf32>",
        "%0 = tensor.insert %f into %1[%i] : tensor<4xf32>"
        " %1 = tensor.insert %f into %t[%i] : tensor<4xf32>",
        "cf.cond_br %c, ^a, ^b"
        " ^a: %1 = tensor.insert %f into %t[%i] : tensor<4xf32> cf.br ^b"
        " ^b: %0 = tensor.insert %f into %1[%i] : tensor<4xf32>",
        "cf.cond_br %c, ^a(%t : tensor<4xf32>), ^b"
        " ^a(%1: tensor<4xf32>): cf.br ^b"
        " ^b: %0 = tensor.insert %f into %1[%i] : tensor<4xf32>",
        "return %t : tensor<4xf32>"
        " ^dead: %0 = tensor.insert %f into %0[%i] : tensor<4xf32>",
    ],
    ids=["itself", "later", "one branch", "argument of a branch", "unreachable"],
)
def test_what_does_not_dominate_its_use_is_an_error(body: str) -> None:
    module = parse(
        "func.func @f(%t: tensor<4xf32>, %i: index, %f: f32, %c: i1) -> tensor<4xf32> {"
        f"{body} return %0 : tensor<4xf32> }}"
    )
    with pytest.raises(PassFailedException, match=r"operand 1 does not dominate"):
        run_one_shot_bufferize(module, boundaries())


def test_unreachable_blocks_may_use_what_is_reachable() -> None:
    module = parse(
        """
        func.func @f(%t: tensor<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
          cf.br ^end
        ^dead:
          %0 = tensor.insert %f into %1[%i] : tensor<4xf32>
          return %0 : tensor<4xf32>
        ^end:
          %1 = tensor.insert %f into %t[%i] : tensor<4xf32>
          return %1 : tensor<4xf32>
        }"""
    )
    run_one_shot_bufferize(module, boundaries())


def test_pass_options_reach_the_library() -> None:
    options = OneShotBufferizePass(
        buffer_alignment=32,
        bufferize_function_boundaries=True,
        dialect_filter=("tensor", "bufferization"),
        no_analysis_func_filter="f",
    ).options()
    assert options.buffer_alignment == 32
    assert options.no_analysis_func_filter == ("f",)
    assert options.op_filter.allow


REGIONS = """
func.func @f(%t: tensor<4xf32>, %c: i1, %f: f32, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %b = tensor.insert %f into %a[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %w = scf.while (%a = %r) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%c) %a : tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>):
    scf.yield %a : tensor<4xf32>
  }
  %p = scf.forall (%i) in (4) shared_outs(%o = %w) -> tensor<4xf32> {
    %e = tensor.extract_slice %w[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i] [1] [1]
          : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %p : tensor<4xf32>
}
"""


@pytest.mark.parametrize(
    ("op", "ends"),
    [
        ("scf.for", "scf.yield"),
        ("scf.while", "scf.condition"),
        ("scf.forall", "tensor.parallel_insert_slice"),
    ],
)
def test_op_and_end_of_its_region_are_bufferized_together(op: str, ends: str) -> None:
    module = parse(REGIONS)
    options = boundaries(allow_unknown_ops=True)
    options.op_filter.deny.append(lambda candidate: candidate.name == op)
    run_one_shot_bufferize(module, options)
    module.verify()
    (kept,) = (found for found in module.walk() if found.name == op)
    assert [isinstance(result.type, TensorType) for result in kept.results] == [True]
    (end,) = (
        found
        for found in kept.walk()
        if found.name == ends
        and found.parent_op() in (kept, kept.regions[0].block.last_op)
    )
    assert any(isinstance(operand.type, TensorType) for operand in end.operands)


@pytest.mark.parametrize(
    "ends", ["scf.yield", "scf.condition", "tensor.parallel_insert_slice"]
)
def test_end_of_a_region_cannot_be_excluded_alone(ends: str) -> None:
    module = parse(REGIONS)
    options = boundaries()
    options.op_filter.deny.append(lambda candidate: candidate.name == ends)
    run_one_shot_bufferize(module, options)
    module.verify()
    assert "to_tensor" not in str(module)


@pytest.mark.parametrize("excluded", ["g", "f"])
@pytest.mark.parametrize(
    "use",
    [
        "%r = func.call @g(%t) : (tensor<4xf32>) -> tensor<4xf32>",
        """
        %g = func.constant @g : (tensor<4xf32>) -> tensor<4xf32>
        %r = func.call_indirect %g(%t) : (tensor<4xf32>) -> tensor<4xf32>
        """,
    ],
    ids=["call", "value"],
)
def test_function_and_its_use_are_bufferized_together(use: str, excluded: str) -> None:
    module = parse(
        f"""
        func.func private @g(%t: tensor<4xf32>) -> tensor<4xf32> {{
          return %t : tensor<4xf32>
        }}
        func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {{
          {use}
          return %r : tensor<4xf32>
        }}
        """
    )

    def is_excluded(op: Operation | None) -> bool:
        while op is not None and not isinstance(op, FuncOp):
            op = op.parent_op()
        return op is not None and op.sym_name.data == excluded

    options = boundaries()
    options.op_filter.deny.append(is_excluded)
    with pytest.raises(PassFailedException, match="include only one of this op and"):
        run_one_shot_bufferize(module, options)
