import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="A dialect of your own")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    mo.md(
        """
        # A dialect of your own

        This notebook defines a dialect with one op, says how it bufferizes, lowers the
        op, calls the result and tests the model. Nothing is installed for that. How to
        make a plug-in of it is in *Bufferize your own dialect*.
        """
    )
    return (mo,)


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## An op and its model

    `toy.axpy` computes `a * x + y`. The result is an update of the last operand: the
    op is in destination-passing style, for which there is a base model. On memrefs,
    the op has no result.
    """)
    return


@app.cell
def _():
    from xdsl.dialects.builtin import f32
    from xdsl.ir import Dialect
    from xdsl.irdl import (
        IRDLOperation,
        irdl_op_definition,
        operand_def,
        opt_result_def,
        traits_def,
    )
    from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

    from xdsl_bufferization.base_models import DestinationStyleModel
    from xdsl_bufferization.universe import new_context

    def define_axpy(model):
        """The op with a given model."""

        @irdl_op_definition
        class AxpyOp(IRDLOperation):
            name = "toy.axpy"
            a = operand_def(f32)
            x = operand_def()
            y = operand_def()
            result = opt_result_def()
            traits = traits_def(model, MemoryReadEffect(), MemoryWriteEffect())

        return AxpyOp

    def make_context(*ops):
        """A context with all dialects of xDSL and of this package, and ours."""
        context = new_context()
        context.load_dialect(Dialect("toy", ops))
        return context

    AxpyOp = define_axpy(DestinationStyleModel())
    context = make_context(AxpyOp)
    return DestinationStyleModel, context, define_axpy, make_context


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## It bufferizes

    One update works in the buffer of `%y`. The other one must not overwrite what is
    returned as well, and works on a copy.
    """)
    return


@app.cell
def _(context, mo):
    import xdsl_bufferization

    text = """
    func.func @f(%a: f32, %x: tensor<8xf32>, %y: tensor<8xf32>)
        -> (tensor<8xf32>, tensor<8xf32>) {
      %0 = "toy.axpy"(%a, %x, %y) : (f32, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %1 = "toy.axpy"(%a, %x, %0) : (f32, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      return %0, %1 : tensor<8xf32>, tensor<8xf32>
    }
    """
    module = xdsl_bufferization.parse(text, context=context)
    xdsl_bufferization.bufferize(
        module,
        context=context,
        bufferize_function_boundaries=True,
        function_boundary_type_conversion="identity-layout-map",
    )
    mo.md(f"```mlir\n{module}\n```")
    return module, text


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## It runs

    A pass lowers the op on memrefs to a loop. Then the program can be called on
    arrays.
    """)
    return


@app.cell
def _(context, mo, text):
    from dataclasses import dataclass

    import numpy
    from xdsl.builder import ImplicitBuilder
    from xdsl.dialects import arith, memref, scf
    from xdsl.dialects.builtin import IndexType
    from xdsl.ir import Block
    from xdsl.passes import ModulePass
    from xdsl.rewriter import Rewriter

    from xdsl_bufferization import jit
    from xdsl_bufferization.pipelines import (
        BufferDeallocationPipeline,
        LowerToLLVMPipeline,
    )
    from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass

    def lower_axpy(op):
        zero, one, size = (
            arith.ConstantOp.from_int_and_width(number, IndexType())
            for number in (0, 1, *op.y.type.get_shape())
        )
        body = Block(arg_types=[IndexType()])
        with ImplicitBuilder(body) as (index,):
            product = arith.MulfOp(op.a, memref.LoadOp.get(op.x, [index]))
            total = arith.AddfOp(product, memref.LoadOp.get(op.y, [index]))
            memref.StoreOp.get(total, op.y, [index])
            scf.YieldOp()
        Rewriter.replace_op(
            op, [zero, one, size, scf.ForOp(zero, size, one, [], body)], []
        )

    @dataclass(frozen=True)
    class LowerToyPass(ModulePass):
        name = "lower-toy"

        def apply(self, ctx, op):
            for inner in list(op.walk()):
                if inner.name == "toy.axpy":
                    lower_axpy(inner)

    compiled = jit.compile(
        text,
        [
            OneShotBufferizePass(bufferize_function_boundaries=True),
            BufferDeallocationPipeline(),
            LowerToyPass(),
            LowerToLLVMPipeline(),
        ],
        context=context,
        functional=True,
        count=True,
    )
    x, y = numpy.arange(8, dtype="f"), numpy.ones(8, dtype="f")
    once, twice = compiled.f(10, x, y)
    mo.md(f"`{once}`, `{twice}`, {compiled.stats().leaked_bytes} bytes leaked")
    return LowerToyPass, once, twice, x


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## It is tested

    A model that answers wrongly makes wrong programs. The conformance kit executes
    the op and compares each answer with what happens. It finds nothing wrong with
    this model.
    """)
    return


@app.cell
def _(LowerToyPass, context, mo):
    from xdsl_bufferization.testing import OpCase, check_model

    def make_case(context):
        t = "tensor<4xf32>"
        return OpCase(
            f'%r = "toy.axpy"(%a, %x, %y) : (f32, {t}, {t}) -> {t}',
            {"%a": "f32", "%x": t, "%y": t},
            lowering=[LowerToyPass()],
            meaning=lambda a, x, y: a * x + y,
            context=context,
        )

    right = check_model(make_case(context))
    mo.md(f"{len(right)} wrong answers")
    return check_model, make_case, right


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    But a model that says that the destination is never read is wrong:
    """)
    return


@app.cell
def _(
    DestinationStyleModel,
    check_model,
    define_axpy,
    make_case,
    make_context,
    mo,
):
    class WrongModel(DestinationStyleModel):
        def bufferizes_to_memory_read(self, op, operand, state):
            return operand.index != 2

    wrong = check_model(make_case(make_context(define_axpy(WrongModel()))))
    mo.md("\n".join(f"```text\n{answer}\n```" for answer in wrong))
    return (wrong,)


@app.cell
def _(module, once, right, twice, wrong, x):
    assert str(module).count("memref.copy") == 1
    assert once.tolist() == (10 * x + 1).tolist()
    assert twice.tolist() == (20 * x + 1).tolist()
    assert right == []
    assert [answer.answer for answer in wrong] == ["WrongModel.bufferizes_to_memory_read"]
    return


if __name__ == "__main__":
    app.run()
