import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="From needless copies to none")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    mo.md(
        """
        # From needless copies to none

        This function notes in a table where it has written, updates `%t`, and adds up
        what was there before. It does not look as if it needs a copy of anything. Does
        it copy?
        """
    )
    return (mo,)


@app.cell
def _(mo):
    first = """
    func.func @f(%t: tensor<64xf32>, %i: index, %x: f32) -> (tensor<64xf32>, f32) {
      %zeros = arith.constant dense<0.0> : tensor<64xf32>
      %marked = tensor.insert %x into %zeros[%i] : tensor<64xf32>
      %new = tensor.insert %x into %t[%i] : tensor<64xf32>
      %old = tensor.extract %t[%i] : tensor<64xf32>
      %mark = tensor.extract %marked[%i] : tensor<64xf32>
      %sum = arith.addf %old, %mark : f32
      return %new, %sum : tensor<64xf32>, f32
    }
    """
    mo.md(f"```mlir{first}```")
    return (first,)


@app.cell
def _(mo):
    from xdsl_bufferization import explain

    passes = (
        "one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline"
    )

    def show(report):
        """The remarks as text, and the page of the report below."""
        page = mo.accordion({"The report": mo.Html(report._repr_html_())})
        return mo.vstack([mo.md(f"```text\n{report}\n```"), page])

    return explain, passes, show


@app.cell
def _(explain, first, passes, show):
    before = explain(first, passes)
    show(before)
    return (before,)


@app.cell(hide_code=True)
def _(before, mo):
    mo.md(f"""
    It does: {before.summary}. Each remark says what is in the way, and the note what
    removes the copy. In the report, the line under the mouse marks what it became, and
    all lines that use its buffer.

    ## A constant is filled instead

    The elements of a constant must not be written. The first note says to fill a tensor
    instead.
    """)
    return


@app.cell
def _(explain, first, passes, show):
    filled = first.replace(
        "%zeros = arith.constant dense<0.0> : tensor<64xf32>",
        """%zero = arith.constant 0.0 : f32
      %table = tensor.empty() : tensor<64xf32>
      %zeros = linalg.fill ins(%zero : f32)
          outs(%table : tensor<64xf32>) -> tensor<64xf32>""",
    )
    after_fill = explain(filled, passes)
    show(after_fill)
    return after_fill, filled


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## A read comes first

    `%old` is read from `%t` after `%t` is updated, so the update needs a buffer of its
    own. The read does not need the update: it can come first.
    """)
    return


@app.cell
def _(explain, filled, passes, show):
    _lines = filled.splitlines()
    _update, _read = (
        next(n for n, line in enumerate(_lines) if f"{name} =" in line)
        for name in ("%new", "%old")
    )
    _lines[_update], _lines[_read] = _lines[_read], _lines[_update]
    moved = "\n".join(_lines)
    after_move = explain(moved, passes)
    show(after_move)
    return after_move, moved


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## The caller has the result already

    The update is in place now, and the function returns its own argument. Who calls a
    function frees what it returns, and so gets a copy. The note says what avoids that:
    callers look into what they have passed, and the function returns nothing.
    `bufferization-pipeline{modify-public-functions}` does it. It also moves the read by
    itself.
    """)
    return


@app.cell
def _(explain, moved, show):
    last = explain(moved, "bufferization-pipeline{modify-public-functions}")
    show(last)
    return (last,)


@app.cell
def _(mo, last):
    mo.md(f"""
    ```mlir
    {last.result.text}
    ```
    """)
    return


@app.cell
def _(after_fill, after_move, before, last):
    reasons = [
        [copy.reason.code for copy in report.copies]
        for report in (before, after_fill, after_move, last)
    ]
    assert reasons == [["read-only", "later-read"], ["later-read"], ["ownership"], []]
    return


if __name__ == "__main__":
    app.run()
