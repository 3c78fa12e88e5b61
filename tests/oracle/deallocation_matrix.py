"""Programs for buffer deallocation: every control structure with every flow of buffers.

A *structure* is an op with regions, or a piece of CFG, that may give a buffer; a *body*
is what happens inside and which buffer it gives; a *use* is what becomes of the result.
Each combination is a small function of its own.
"""

from __future__ import annotations

from itertools import product

from tests.oracle.harness import Program, split_programs

T = "memref<4xf32>"

PRELUDE = f"""
memref.global "private" @constant : {T} = dense<1.0>
func.func private @use({T})
func.func private @make() -> {T}
func.func private @decide() -> i1
"""

STRUCTURES = {
    "if": """
  %r = scf.if %c -> ({T}) {{
    {body}
    scf.yield {given} : {T}
  }} else {{
    scf.yield %other : {T}
  }}""",
    "else": """
  %r = scf.if %c -> ({T}) {{
    func.call @use(%m) : ({T}) -> ()
    scf.yield %m : {T}
  }} else {{
    {body}
    scf.yield {given} : {T}
  }}""",
    "for": """
  %r = scf.for %i = %lb to %ub step %one iter_args(%carried = %other) -> ({T}) {{
    func.call @use(%carried) : ({T}) -> ()
    {body}
    scf.yield {given} : {T}
  }}""",
    "for_in_place": """
  %r = scf.for %i = %lb to %ub step %one iter_args(%carried = %other) -> ({T}) {{
    {body}
    func.call @use({given}) : ({T}) -> ()
    scf.yield %carried : {T}
  }}""",
    "swap": """
  %r, %s = scf.for %i = %lb to %ub step %one
      iter_args(%a = %other, %b = %m) -> ({T}, {T}) {{
    {body}
    func.call @use({given}) : ({T}) -> ()
    scf.yield %b, %a : {T}, {T}
  }}""",
    "while": """
  %r = scf.while (%carried = %other) : ({T}) -> {T} {{
    %go = func.call @decide() : () -> i1
    scf.condition(%go) %carried : {T}
  }} do {{
  ^bb0(%inside: {T}):
    func.call @use(%inside) : ({T}) -> ()
    {body}
    scf.yield {given} : {T}
  }}""",
    "do_while": """
  %r = scf.while (%carried = %other) : ({T}) -> {T} {{
    func.call @use(%carried) : ({T}) -> ()
    {body}
    %go = func.call @decide() : () -> i1
    scf.condition(%go) {given} : {T}
  }} do {{
  ^bb0(%inside: {T}):
    scf.yield %inside : {T}
  }}""",
    "switch": """
  %r = scf.index_switch %ub -> {T}
  case 2 {{
    {body}
    scf.yield {given} : {T}
  }}
  case 5 {{
    scf.yield %m : {T}
  }}
  default {{
    scf.yield %other : {T}
  }}""",
    "execute_region": """
  %r = scf.execute_region -> {T} no_inline {{
    {body}
    scf.yield {given} : {T}
  }}""",
    "blocks": """
  cf.cond_br %c, ^then, ^join(%other : {T})
^then:
  {body}
  cf.br ^join({given} : {T})
^join(%r: {T}):""",
    "diamond": """
  cf.cond_br %c, ^then, ^else
^then:
  {body}
  cf.br ^join({given} : {T})
^else:
  func.call @use(%other) : ({T}) -> ()
  cf.br ^join(%m : {T})
^join(%r: {T}):""",
}

BODIES = {
    "new": ("%x = memref.alloc() : {T}\n    func.call @use(%x) : ({T}) -> ()", "%x"),
    "temporary": (
        "%x = memref.alloc() : {T}\n    func.call @use(%x) : ({T}) -> ()",
        "%m",
    ),
    "outer": ("func.call @use(%other) : ({T}) -> ()", "%other"),
    "call": ("%x = func.call @make() : () -> {T}", "%x"),
    "global": ("%x = memref.get_global @constant : {T}", "%x"),
    "choice": (
        "%y = memref.alloc() : {T}\n    func.call @use(%y) : ({T}) -> ()\n"
        "    %x = arith.select %d, %y, %other : {T}",
        "%x",
    ),
    "nested": (
        "%x = scf.if %d -> ({T}) {{\n      %y = memref.alloc() : {T}\n"
        "      func.call @use(%y) : ({T}) -> ()\n      scf.yield %y : {T}\n"
        "    }} else {{\n      scf.yield %m : {T}\n    }}",
        "%x",
    ),
    "view": (
        "%y = memref.alloc() : memref<8xf32>\n"
        "    %v = memref.subview %y[0] [4] [1] : memref<8xf32> to "
        "memref<4xf32, strided<[1]>>\n"
        "    %x = memref.cast %v : memref<4xf32, strided<[1]>> to {T}",
        "%x",
    ),
}

USES = {
    "returned": ("{T}", "  return %r : {T}"),
    "used": ("()", "  func.call @use(%r) : ({T}) -> ()\n  return"),
}


def make_programs() -> list[Program]:
    """All combinations, as programs of the harness."""
    texts: list[str] = []
    for (structure, frame), (name, (body, given)), (use, (result, end)) in product(
        STRUCTURES.items(), BODIES.items(), USES.items()
    ):
        inner = body.format(T=T)
        code = frame.format(T=T, body=inner, given=given)
        texts.append(
            f"{PRELUDE}func.func @{structure}_{name}_{use}(%m: {T}, %c: i1, %d: i1, "
            f"%lb: index, %ub: index) -> {result.format(T=T)} {{\n"
            "  %one = arith.constant 1 : index\n"
            f"  %other = memref.alloc() : {T}\n"
            f"  func.call @use(%other) : ({T}) -> (){code}\n{end.format(T=T)}\n}}\n"
        )
    programs = split_programs("// -----\n".join(texts))
    return [
        Program(text.split("func.func @")[1].split("(")[0], p.text, p.path, p.line)
        for text, p in zip(texts, programs, strict=True)
    ]
