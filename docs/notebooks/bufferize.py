import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Bufferization, step by step")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    mo.md(
        """
        # Bufferization, step by step

        A program on tensors becomes one on memrefs, then one that frees its memory,
        and at last machine code. This notebook shows the program after each pass.
        Change the program below, and everything follows.
        """
    )
    return (mo,)


@app.cell
def _(mo):
    text = mo.ui.code_editor(
        """
    func.func @sums(%x: tensor<8xf32>, %i: index) -> (tensor<8xf32>, f32) {
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %sums = scf.for %k = %c1 to %c8 step %c1 iter_args(%acc = %x) -> (tensor<8xf32>) {
        %before = arith.subi %k, %c1 : index
        %sum = tensor.extract %acc[%before] : tensor<8xf32>
        %next = tensor.extract %x[%k] : tensor<8xf32>
        %new = arith.addf %sum, %next : f32
        %updated = tensor.insert %new into %acc[%k] : tensor<8xf32>
        scf.yield %updated : tensor<8xf32>
      }
      %old = tensor.extract %x[%i] : tensor<8xf32>
      return %sums, %old : tensor<8xf32>, f32
    }
    """.strip(),
        label="A program on tensors",
    )
    text
    return (text,)


@app.cell
def _():
    from xdsl.passes import PassPipeline
    from xdsl.universe import Universe

    import xdsl_bufferization
    from xdsl_bufferization.universe import new_context

    def run(text, pipeline):
        """Run passes, and return the program before them and after each one by name."""
        context = new_context()
        module = xdsl_bufferization.parse(text, context=context)
        steps = []

        def note(previous, module, following):
            name = "the program" if previous is None else str(previous.spec())
            steps.append((name, str(module)))

        passes = Universe.get_multiverse().all_passes
        PassPipeline.parse_spec(passes, pipeline, note).apply(context, module)
        return steps

    return run, xdsl_bufferization


@app.cell
def _(mo):
    def show(steps):
        """Each program in a tab, under the name of the pass that made it."""
        return mo.ui.tabs(
            {
                f"{number}. {name.partition('{')[0]}": mo.md(
                    f"`{name}`\n\n```mlir\n{ir}\n```"
                )
                for number, (name, ir) in enumerate(steps)
            }
        )

    return (show,)


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## The decisions

    First, the analysis decides for each operand whether the op may work in its
    buffer: `"true"` in `__inplace_operands_attr__`. A `"false"` becomes a copy. Here
    the loop must not overwrite `%x`, which is read later. The marks `C_0` name the
    definition, the write and the read that conflict.
    """)
    return


@app.cell
def _(mo, run, text):
    boundaries = "bufferize-function-boundaries"
    layout = "function-boundary-type-conversion=identity-layout-map"
    decisions = run(
        text.value,
        f"one-shot-bufferize{{{boundaries} test-analysis-only print-conflicts}}",
    )
    mo.md(f"```mlir\n{decisions[-1][1]}\n```")
    return boundaries, layout


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## From tensors to buffers

    `one-shot-bufferize` inserts the copies and replaces each tensor by the memref
    that holds it. `canonicalize` and `cse` remove casts and constants that are left.
    """)
    return


@app.cell
def _(boundaries, layout, run, show, text):
    bufferized = run(
        text.value, f"one-shot-bufferize{{{boundaries} {layout}}},canonicalize,cse"
    )
    show(bufferized)
    return (bufferized,)


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## Who frees what

    `buffer-deallocation-pipeline` is a list of passes. They find out who owns each
    buffer, place a `bufferization.dealloc` at the end of each block, simplify these,
    and lower them to `memref.dealloc`.
    """)
    return


@app.cell
def _(bufferized, run, show):
    from xdsl_bufferization.pipelines import BufferDeallocationPipeline

    _passes = BufferDeallocationPipeline().get_passes()
    _names = ",".join(str(step.spec()) for step in _passes)
    deallocated = run(bufferized[-1][1], _names)
    show(deallocated)
    return (deallocated,)


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## Why there is a copy

    `explain` runs the passes and gives a reason for each copy.
    """)
    return


@app.cell
def _(mo, text, xdsl_bufferization):
    report = xdsl_bufferization.explain(text.value)
    mo.md(f"```text\n{report}\n```")
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## Numbers

    `jit.compile` lowers the program to machine code. Its functions take NumPy arrays.
    """)
    return


@app.cell
def _(mo, text, xdsl_bufferization):
    import numpy

    compiled = xdsl_bufferization.jit.compile(text.value, count=True)
    numbers = numpy.arange(1, 9, dtype="float32")
    sums, old = compiled.sums(numbers, 2)
    stats = compiled.stats()
    mo.md(
        f"""
        `sums` returns `{sums}` and `{old}`. Number of allocations:
        {stats.allocations}; bytes copied: {stats.bytes_copied}; bytes leaked:
        {stats.leaked_bytes}.
        """
    )
    return numbers, stats, sums


@app.cell
def _(deallocated, numbers, stats, sums):
    assert sums.tolist() == numbers.cumsum().tolist()
    assert stats.leaked_bytes == 0
    assert "tensor<" not in deallocated[-1][1]
    return


if __name__ == "__main__":
    app.run()
