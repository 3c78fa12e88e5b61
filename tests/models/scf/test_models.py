"""Models of scf and cf: deep and wide programs, inference of types, single answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import (
    FunctionType,
    IndexType,
    MemRefType,
    ModuleOp,
    TensorType,
    f32,
)
from xdsl.ir import Block, Operation, Region
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.dialects import bufferization, cf, memref, scf, tensor
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
from xdsl_bufferization.interfaces.bufferizable import BUFFERIZABLE
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.large_programs import large_programs
from xdsl_bufferization.models import announce_models
from xdsl_bufferization.transforms.utils.one_shot_bufferization import (
    run_one_shot_bufferize,
)
from xdsl_bufferization.universe import new_context

TENSOR = TensorType(f32, [8])


def parse(text: str) -> ModuleOp:
    with large_programs():  # xDSL's parser descends by recursion.
        return Parser(new_context(), text).parse_module()


def bufferize(module: ModuleOp, **options: object) -> None:
    run_one_shot_bufferize(
        module,
        BufferizationOptions(
            bufferize_function_boundaries=True,
            allow_return_allocs_from_loops=True,
            **options,  # pyright: ignore[reportArgumentType]
        ),
    )


def ops_of(module: ModuleOp, kind: type[Operation]) -> list[Operation]:
    return [op for op in module.walk() if isinstance(op, kind)]


def only(module: ModuleOp, kind: type[Operation]) -> Operation:
    (op,) = ops_of(module, kind)
    return op


# Deep and wide.


def nest(depth: int, innermost: str) -> str:
    """Loops in conditionals in loops around `innermost`, which makes %w of %a."""
    begin, end = "", "scf.yield %w : tensor<8xf32>"
    for level in range(depth):
        init = "%t" if level == 0 else "%a"
        begin += f"""
            %r{level} = scf.for %i{level} = %lb to %ub step %step
                iter_args(%a{level} = {init}{level - 1 if level else ""})
                -> tensor<8xf32> {{
              %s{level} = scf.if %c -> tensor<8xf32> {{"""
    for level in reversed(range(depth)):
        end += f"""
              }} else {{
                scf.yield %a{level} : tensor<8xf32>
              }}
              scf.yield %s{level} : tensor<8xf32>
            }}"""
        if level:
            end += f"scf.yield %r{level} : tensor<8xf32>"
    return f"""
        func.func @main(%t: tensor<8xf32>, %f: f32, %c: i1,
            %lb: index, %ub: index, %step: index) -> tensor<8xf32> {{
          {begin}
          {innermost.replace("%a", f"%a{depth - 1}")}
          {end}
          return %r0 : tensor<8xf32>
        }}
    """


WRITE = "%w = tensor.insert %f into %a[%lb] : tensor<8xf32>"
NEW_BUFFER = "%w = bufferization.alloc_tensor() copy(%a) : tensor<8xf32>"


def conditionals(count: int) -> str:
    """Conditionals one after the other, in a loop, so that none has its type yet when
    the type of the loop is asked for."""
    body = "%s0 = tensor.insert %f into %a[%i] : tensor<8xf32>\n"
    for number in range(count):
        body += f"""
            %s{number + 1} = scf.if %c -> tensor<8xf32> {{
              %w = tensor.insert %f into %s{number}[%i] : tensor<8xf32>
              scf.yield %w : tensor<8xf32>
            }} else {{
              scf.yield %s{number} : tensor<8xf32>
            }}"""
    return f"""
        func.func @main(%t: tensor<8xf32>, %f: f32, %c: i1, %lb: index)
            -> tensor<8xf32> {{
          %r = scf.for %i = %lb to %lb step %lb iter_args(%a = %t) -> tensor<8xf32> {{
            {body}
            scf.yield %s{count} : tensor<8xf32>
          }}
          return %r : tensor<8xf32>
        }}
    """


def test_a_hundred_nested_loops_and_conditionals_work_in_place() -> None:
    module = parse(nest(100, WRITE))
    bufferize(module)
    loops = ops_of(module, scf.ForOp)
    assert len(loops) == 100
    assert len({loop.results[0].type for loop in loops}) == 1
    assert not ops_of(module, memref.AllocOp)


def test_a_new_buffer_in_the_innermost_of_a_hundred_loops() -> None:
    module = parse(nest(100, NEW_BUFFER))
    bufferize(module)
    assert len(ops_of(module, memref.AllocOp)) == 1
    for loop in ops_of(module, scf.ForOp):
        type_ = loop.results[0].type
        assert isinstance(type_, MemRefType)
        assert type_ == loop.operands[3].type == loop.regions[0].block.args[1].type


@pytest.mark.parametrize(
    "program",
    [
        lambda size: nest(size, WRITE),
        lambda size: nest(size, NEW_BUFFER),
        conditionals,
    ],
    ids=["in place", "new buffer", "conditionals"],
)
def test_inference_of_types_is_linear(
    program: Callable[[int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    get_buffer_type = BufferTypes.get_buffer_type
    calls = 0

    def count(rewriter: BufferTypes, value: object) -> object:
        nonlocal calls
        calls += 1
        return get_buffer_type(rewriter, value)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(BufferTypes, "get_buffer_type", count)
    numbers: list[int] = []
    for size in (20, 80):
        calls = 0
        bufferize(parse(program(size)))
        numbers.append(calls)
    assert numbers[1] <= 5 * numbers[0]


def chain_of_blocks(length: int) -> ModuleOp:
    """A function whose blocks each write their argument and forward it to the next."""
    index = IndexType()
    body = Region(Block(arg_types=[TENSOR, f32, index]))
    block = body.block
    tensor_, number, position = block.args
    for _ in range(length):
        target = Block(arg_types=[TENSOR])
        body.add_block(target)
        block.add_op(cf.BranchOp(target, tensor_))
        insert = tensor.InsertOp(number, target.args[0], [position])
        target.add_op(insert)
        block, tensor_ = target, insert.results[0]
    block.add_op(func.ReturnOp(tensor_))
    type_ = FunctionType.from_lists([TENSOR, f32, index], [TENSOR])
    return ModuleOp([func.FuncOp("main", type_, body)])


def test_five_thousand_blocks_with_tensor_arguments() -> None:
    module = chain_of_blocks(5000)
    bufferize(module)
    function = only(module, func.FuncOp)
    types = {block.args[0].type for block in function.regions[0].blocks}
    assert len(types) == 1
    assert isinstance(types.pop(), MemRefType)
    assert not ops_of(module, memref.AllocOp)


# Types of block arguments.


def test_an_argument_on_two_cycles_gets_one_dynamic_layout() -> None:
    """^a gets a contiguous buffer first, from ^b a slice: that is known only after ^b's
    argument, which comes from ^a, is."""
    module = parse("""
        func.func @main(%c: i1, %t: tensor<16xf32>, %i: index) -> f32 {
          %e = bufferization.alloc_tensor() : tensor<8xf32>
          cf.br ^a(%e : tensor<8xf32>)
        ^a(%x: tensor<8xf32>):
          cf.cond_br %c, ^b(%x : tensor<8xf32>), ^end
        ^b(%y: tensor<8xf32>):
          %s = tensor.extract_slice %t[%i] [8] [1] : tensor<16xf32> to tensor<8xf32>
          cf.cond_br %c, ^a(%s : tensor<8xf32>), ^b(%y : tensor<8xf32>)
        ^end:
          %v = tensor.extract %x[%i] : tensor<8xf32>
          return %v : f32
        }
    """)
    bufferize(module)
    module.verify()
    first, a, b, _ = only(module, func.FuncOp).regions[0].blocks
    assert a.args[0].type == b.args[0].type
    assert "strided<[?], offset: ?>" in str(a.args[0].type)
    assert len(ops_of(module, memref.CastOp)) == 1
    assert first.last_op is not None
    assert first.last_op.operands[0].owner is only(module, memref.CastOp)


def test_an_unknown_branch_is_named() -> None:
    module = parse("""
        func.func @main(%t: tensor<8xf32>) -> tensor<8xf32> {
          cf.br ^end(%t : tensor<8xf32>)
        ^end(%a: tensor<8xf32>):
          return %a : tensor<8xf32>
        }
    """)
    branch = only(module, cf.BranchOp)
    block = branch.parent
    assert block is not None

    from xdsl.irdl import (
        IRDLOperation,
        irdl_op_definition,
        successor_def,
        traits_def,
        var_operand_def,
    )
    from xdsl.traits import IsTerminator

    @irdl_op_definition
    class Jump(IRDLOperation):
        name = "mine.jump"
        forwarded = var_operand_def()
        target = successor_def()
        traits = traits_def(IsTerminator())

    jump = Jump.create(operands=branch.operands, successors=branch.successors)
    block.insert_op_before(jump, branch)
    block.erase_op(branch)
    with pytest.raises(PassFailedException, match=r"mine\.jump.*BranchOpInterface"):
        bufferize(module, allow_unknown_ops=True)


# Single answers.


@pytest.mark.parametrize(
    ("bounds", "repeats"),
    [
        ("(0) to (8) step (1)", True),
        ("(0) to (1) step (1)", False),
        ("(0) to (8) step (8)", False),
        ("(0) to (9) step (8)", True),
        ("(0, 0) to (1, 2) step (1, 1)", True),
        ("(0) to (%n) step (1)", True),
        ("(%one) to (2) step (%one)", False),
    ],
)
def test_a_forall_of_one_iteration_is_not_parallel(bounds: str, repeats: bool) -> None:
    variables = "%i, %j" if "," in bounds else "%i"
    module = parse(f"""
        func.func @main(%n: index) {{
          %one = arith.constant 1 : index
          scf.forall ({variables}) = {bounds} {{
          }}
          return
        }}
    """)
    announce_models()
    loop = only(module, scf.ForallOp)
    model = BUFFERIZABLE.lookup(loop)
    assert model is not None
    assert model.is_parallel_region(loop, 0) == repeats
    assert model.is_repetitive_region(loop, 0) == repeats


@pytest.mark.parametrize(("upper", "repeats"), [(1, False), (2, True)])
def test_a_parallel_of_one_iteration_is_not_parallel(upper: int, repeats: bool) -> None:
    module = parse(f"""
        func.func @main() {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %ub = arith.constant {upper} : index
          scf.parallel (%i) = (%c0) to (%ub) step (%c1) {{
            scf.reduce
          }}
          return
        }}
    """)
    announce_models()
    loop = only(module, scf.ParallelOp)
    model = BUFFERIZABLE.lookup(loop)
    assert model is not None
    assert model.is_parallel_region(loop, 0) == repeats


def test_a_forall_keeps_its_mapping_and_attributes() -> None:
    module = parse("""
        func.func @main(%t: tensor<8xf32>) -> tensor<8xf32> {
          %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
            %s = tensor.extract_slice %o[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %s into %o[%i] [1] [1]
                  : tensor<1xf32> into tensor<8xf32>
            }
          } {mapping = ["here"], my.note = "kept"}
          return %r : tensor<8xf32>
        }
    """)
    bufferize(module)
    loop = only(module, scf.ForallOp)
    assert isinstance(loop, scf.ForallOp)
    assert str(loop.mapping) == '["here"]'
    assert list(loop.attributes) == ["my.note"]
    assert not loop.results
    assert len(loop.regions[0].block.args) == 1


def test_a_loop_left_on_tensors_gets_tensors_from_its_body() -> None:
    module = parse("""
        func.func @main(%t: tensor<8xf32>, %f: f32, %n: index) -> tensor<8xf32> {
          %r = scf.for %i = %n to %n step %n iter_args(%a = %t) -> tensor<8xf32> {
            %w = tensor.insert %f into %a[%i] : tensor<8xf32>
            scf.yield %w : tensor<8xf32>
          }
          return %r : tensor<8xf32>
        }
    """)
    options = BufferizationOptions(allow_unknown_ops=True)
    options.op_filter.deny_operations(scf.ForOp)
    run_one_shot_bufferize(module, options)
    module.verify()
    loop = only(module, scf.ForOp)
    assert loop.results[0].type == TENSOR
    end = loop.regions[0].block.last_op
    assert end is not None
    assert isinstance(end.operands[0].owner, bufferization.ToTensorOp)
    assert ops_of(module, memref.StoreOp)


def test_constants_decide_whether_a_loop_runs() -> None:
    """The bounds 200 and 250 of eight bits are -56 and -6."""
    module = parse("""
        func.func @main(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
          %lb = arith.constant -56 : i8
          %ub = arith.constant -6 : i8
          %r = scf.for %k = %lb to %ub step %lb iter_args(%a = %t) -> tensor<8xf32> : i8 {
            %w = linalg.fill ins(%f : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
            scf.yield %w : tensor<8xf32>
          }
          %v = tensor.extract %t[%i] : tensor<8xf32>
          return %r, %v : tensor<8xf32>, f32
        }
    """)
    for constant in ops_of(module, arith.ConstantOp):
        assert constant.results[0].first_use is not None
    bufferize(module)
    assert ops_of(module, memref.AllocOp)
    assert not ops_of(module, memref.CopyOp)


# Inference of the types of iter_args.


def swapping_loops(depth: int, loop: str) -> str:
    """Nested loops that swap two tensors before they enter the next, and write one."""
    both = "tensor<8xf32>, tensor<8xf32>"
    lines = [
        f"func.func @f(%c: i1, %a: tensor<8xf32>, %b: tensor<8xf32>) -> ({both}) {{",
        "%c0 = arith.constant 0 : index",
        "%c1 = arith.constant 1 : index",
        "%f = arith.constant 1.0 : f32",
    ]
    x, y = "%a", "%b"
    for i in range(depth):
        if loop == "scf.while":
            lines.append(
                f"%r{i}:2 = scf.while (%p{i} = {x}, %q{i} = {y}) : "
                f"({both}) -> ({both}) {{"
                f"scf.condition(%c) %p{i}, %q{i} : {both} }} do {{"
                f"^bb0(%x{i}: tensor<8xf32>, %y{i}: tensor<8xf32>):"
            )
        else:
            lines.append(
                f"%r{i}:2 = scf.for %i{i} = %c0 to %c1 step %c1 "
                f"iter_args(%x{i} = {x}, %y{i} = {y}) -> ({both}) {{"
            )
        x, y = f"%y{i}", f"%x{i}"
        if loop == "scf.if in scf.for":
            lines.append(f"%s{i}:2 = scf.if %c -> ({both}) {{")
    lines.append(f"%w = tensor.insert %f into {y}[%c0] : tensor<8xf32>")
    x, y = "%w", x
    for i in reversed(range(depth)):
        if loop == "scf.if in scf.for":
            lines.append(f"scf.yield {x}, {y} : {both} }} else {{")
            lines.append(f"scf.yield %x{i}, %y{i} : {both} }}")
            x, y = f"%s{i}#0", f"%s{i}#1"
        lines.append(f"scf.yield {x}, {y} : {both} }}")
        x, y = f"%r{i}#0", f"%r{i}#1"
    return "\n".join([*lines, f"return {x}, {y} : {both} }}"])


@pytest.mark.parametrize("loop", ["scf.for", "scf.while", "scf.if in scf.for"])
def test_types_of_nested_loops_are_inferred_in_few_steps(
    loop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 0
    common = BufferTypes.common_buffer_type

    def counted(*arguments: Any) -> Any:
        nonlocal steps
        steps += 1
        return common(*arguments)

    monkeypatch.setattr(BufferTypes, "common_buffer_type", counted)
    module = parse(swapping_loops(40, loop))
    with large_programs():
        bufferize(module)
        module.verify()
    # Each assumption fails once; the types of an scf.if depend on those of loops.
    assert 0 < steps <= 40 * 4 * 40
