"""What cannot be lowered is refused by name, with its place and the way out."""

from __future__ import annotations

from io import StringIO

import pytest
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.universe import Universe
from xdsl.utils.exceptions import LLVMTranslationException, PassFailedException

from xdsl_bufferization.universe import new_context


def run(program: str, pipeline: str, target: str | None = None) -> str:
    universe = Universe.get_multiverse()
    context = new_context()
    module = Parser(context, program).parse_module()
    PassPipeline.parse_spec(universe.all_passes, pipeline).apply(context, module)
    stream = StringIO()
    if target is not None:
        universe.all_targets[target]()().emit(context, module, stream)
    return stream.getvalue()


START = r"^<unknown>:1:\d+: error: convert-to-llvm: "


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%t = tensor.empty() : tensor<4xf32>",
            "'tensor.empty' in @f: it has no lowering .*; it works on tensors; run "
            "one-shot-bufferize first",
        ),
        (
            "%c = arith.constant dense<1.0> : tensor<4xf32> "
            "%d = arith.addf %c, %c : tensor<4xf32>",
            "'arith.addf' in @f: the type tensor<4xf32> is a tensor; .* run "
            "one-shot-bufferize first",
        ),
        (
            "%m = memref.alloc() : memref<4xf32> %x = arith.constant 1.0 : f32 "
            "linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)",
            "'linalg.fill' in @f: .*run convert-linalg-to-loops first",
        ),
        (
            "%x = arith.constant 1.5 : tf32 %y = arith.addf %x, %x : tf32",
            "'arith.addf' in @f: the type tf32 has no counterpart in the LLVM dialect",
        ),
        (
            "%c = arith.constant true scf.if %c { }",
            "'scf.if' in @f: .*run convert-scf-to-cf first",
        ),
        (
            "%n = arith.constant 1 : index %m = memref.alloc() : memref<4xf32> "
            "%r = memref.realloc %m(%n) : memref<4xf32> to memref<?xf32>",
            "'memref.realloc' in @f: .*run expand-realloc first",
        ),
        (
            "memref.dealloc %m : memref<4xf32> %m = memref.alloc() : memref<4xf32>",
            "'memref.alloc' in @f: a value that it defines is used where that does not "
            "dominate the use",
        ),
        (
            "%m = memref.alloc() : memref<4x4xf32, affine_map<(i, j) -> (i mod 2 + j)>>",
            "'memref.alloc' in @f: the layout of .* is not strided",
        ),
        (
            '%m = memref.alloc() : memref<4xf32, "fast">',
            "'memref.alloc' in @f: the memory space \"fast\" is not an integer",
        ),
        (
            "%m = memref.alloc() : memref<4xf32> "
            "%n = arith.constant 7 : index %d = memref.dim %m, %n : memref<4xf32>",
            "'memref.dim' in @f: the dimension 7 is out of range",
        ),
        ('"mine.op"() : () -> ()', "'mine.op' in @f: it has no lowering"),
    ],
)
def test_ops_without_lowering(body: str, message: str) -> None:
    program = f"func.func @f() {{ {body} return }}"
    context = new_context()
    context.allow_unregistered = True
    module = Parser(context, program).parse_module()
    passes = PassPipeline.parse_spec(
        Universe.get_multiverse().all_passes, "convert-to-llvm"
    )
    with pytest.raises(PassFailedException, match=START + message):
        passes.apply(context, module)


def test_tensor_in_a_signature() -> None:
    program = "func.func private @f(tensor<4xf32>)"
    with pytest.raises(
        PassFailedException, match=r"'func.func' in the module: .*one-shot-bufferize"
    ):
        run(program, "convert-to-llvm")


def test_tensor_forwarded_to_a_block() -> None:
    program = """
    func.func @f(%x: f32) {
      %t = tensor.from_elements %x : tensor<1xf32>
      cf.br ^next(%t : tensor<1xf32>)
    ^next(%u: tensor<1xf32>):
      return
    }
    """
    message = r"'func.func' in the module: argument of a block: .*one-shot-bufferize"
    with pytest.raises(PassFailedException, match=message):
        run(program, "convert-to-llvm")


def test_op_outside_of_functions() -> None:
    program = "memref.alloc() : memref<4xf32>"
    with pytest.raises(PassFailedException, match=r"'memref.alloc' in the module: .*out"):
        run("%m = " + program, "convert-to-llvm")


def test_name_of_a_runtime_function() -> None:
    program = """
    func.func @malloc(%x: f32) { return }
    func.func @f() { %m = memref.alloc() : memref<4xf32> return }
    """
    with pytest.raises(
        PassFailedException, match=r"calls @malloc .*; rename the function"
    ):
        run(program, "convert-to-llvm")


@pytest.mark.parametrize("op", ["exp", "tanh"])
def test_name_of_a_function_of_libm(op: str) -> None:
    program = (
        f"func.func @{op}(%x: f64) -> f64 {{ %y = math.{op} %x : f64 return %y : f64 }}"
    )
    with pytest.raises(
        (PassFailedException, LLVMTranslationException), match=r"rename the function"
    ):
        run(program, "convert-to-llvm", "llvm")


def test_linalg_on_tensors_is_left_to_one_shot_bufferize() -> None:
    program = """
    func.func @f(%x: f32, %t: tensor<4xf32>) -> tensor<4xf32> {
      %r = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
    """
    with pytest.raises(
        PassFailedException,
        match=r"the type tensor<4xf32> is a tensor; .*run one-shot-bufferize",
    ):
        run(program, "convert-linalg-to-loops,convert-to-llvm")


def test_control_flow_inside_linalg() -> None:
    program = """
    func.func @f(%c: i1, %m: memref<4xf32>) {
      linalg.generic {
        indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]
      } outs(%m : memref<4xf32>) {
      ^bb0(%x: f32):
        %y = scf.if %c -> (f32) { scf.yield %x : f32 } else { scf.yield %x : f32 }
        linalg.yield %y : f32
      }
      return
    }
    """
    with pytest.raises(
        PassFailedException,
        match=r"'scf.if' in @f: it is inside of 'linalg.generic', whose region must stay",
    ):
        run(program, "convert-scf-to-cf")


def test_control_flow_inside_affine_loops() -> None:
    program = """
    func.func @f(%c: i1, %m: memref<4xf32>) {
      affine.for %i = 0 to 4 {
        scf.if %c {
          %x = memref.load %m[%i] : memref<4xf32>
        }
      }
      return
    }
    """
    with pytest.raises(
        PassFailedException,
        match=r"'scf.if' in @f: it is inside of 'affine.for', whose region must stay",
    ):
        run(program, "convert-scf-to-cf")
    run(program, "lower-affine,convert-scf-to-cf")


def test_forall_on_tensors() -> None:
    program = """
    func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
      %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
        scf.forall.in_parallel { }
      }
      return %r : tensor<4xf32>
    }
    """
    with pytest.raises(PassFailedException, match=r"'scf.forall' in @f: .*one-shot-buf"):
        run(program, "convert-scf-to-cf")


def test_llvm_ir_of_another_dialect() -> None:
    with pytest.raises(
        LLVMTranslationException,
        match=r"'func.func' in the module .*run lower-to-llvm-pipeline first",
    ):
        run("func.func @f() { return }", "canonicalize", "llvm")


@pytest.mark.parametrize(
    ("op", "flag"),
    [
        ("%0 = llvm.load %p {volatile_} : !llvm.ptr -> i32", "volatile_"),
        ('%0 = "llvm.load"(%p) <{ordering = 2 : i64}> : (!llvm.ptr) -> i32', "ordering"),
        ("llvm.call @f(%p) {convergent} : (!llvm.ptr) -> ()", "convergent"),
    ],
)
def test_llvm_ir_of_a_flag_that_is_not_translated(op: str, flag: str) -> None:
    program = f"llvm.func @f(%p: !llvm.ptr) {{ {op} llvm.return }}"
    module = Parser(new_context(), program).parse_module()
    target = Universe.get_multiverse().all_targets["llvm"]()
    with pytest.raises(LLVMTranslationException, match=f"the property {flag} of llvm"):
        target().emit(new_context(), module, StringIO())


def test_a_use_before_the_definition() -> None:
    program = (
        "func.func @f(%m: memref<4xf32>, %i: index) -> f32 { "
        "%y = arith.addf %x, %x : f32 "
        "%x = memref.load %m[%i] : memref<4xf32> return %y : f32 }"
    )
    with pytest.raises(
        PassFailedException, match=START + "'memref.load' in @f: a value that it defines"
    ):
        run(program, "convert-to-llvm")


def test_options() -> None:
    with pytest.raises(
        PassFailedException, match=r"index-bitwidth is '7'; it must be 8, 16"
    ):
        run("func.func @f() { return }", "convert-to-llvm{index-bitwidth=7}")


def test_a_call_of_no_function_that_a_pass_made() -> None:
    module = Parser(
        new_context(), "llvm.func @f() { llvm.call @g() : () -> () llvm.return }"
    ).parse_module()
    target = Universe.get_multiverse().all_targets["llvm"]()
    with pytest.raises(LLVMTranslationException, match=r"@g: the module has no function"):
        target().emit(new_context(), module, StringIO())
