"""Types of which xDSL stores no arrays: nothing is folded to an array of them.

Every op is tried that may turn constants into a constant tensor or vector.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.oracle.tools import parse, run_passes

WIDE = {"i65": "5", "i128": "5", "f80": "1.0", "f128": "1.0"}
SHAPES = {
    "vector<2x{}>": "vector.broadcast %k : {0} to {1}",
    "tensor<2x{}>": "tensor.splat %k : {1}",
}
OF_TWO = {
    "i": ("addi", "muli", "divsi", "xori", "maxsi"),
    "f": ("addf", "mulf", "minnumf"),
}
TO_OTHERS = {
    "i": {"sitofp": "f64", "trunci": "i64", "extui": "i200"},
    "f": {"fptosi": "i64", "truncf": "f32"},
}
FROM_OTHERS = {
    "i": {"extsi": ("3", "i64"), "extui": ("3", "i32"), "fptosi": ("3.0", "f64")},
    "f": {"extf": ("3.0", "f32"), "sitofp": ("3", "i32")},
}
REARRANGED = """
  %e = vector.from_elements %k, %k : vector<2x{0}>
  %t = tensor.from_elements %k, %k : tensor<2x{0}>
  %v = vector.broadcast %k : {0} to vector<2x{0}>
  %x = vector.insert %k, %v [1] : {0} into vector<2x{0}>
  %y = vector.extract %v[0] : {0} from vector<2x{0}>
  %h = vector.shuffle %v, %e [0, 3] : vector<2x{0}>, vector<2x{0}>
  %c = vector.shape_cast %v : vector<2x{0}> to vector<2x1x{0}>
  %p = vector.transpose %c, [1, 0] : vector<2x1x{0}> to vector<1x2x{0}>
  "test.use"(%t, %x, %y, %h, %p)
    : (tensor<2x{0}>, vector<2x{0}>, {0}, vector<2x{0}>, vector<1x2x{0}>) -> ()
"""


def used(op: str, type_: str) -> str:
    return f'  %r = {op}\n  "test.use"(%r) : ({type_}) -> ()'


def programs(wide: str, number: str) -> Iterator[str]:
    kind = wide[0]
    one = f"  %k = arith.constant {number} : {wide}\n"
    yield one + REARRANGED.format(wide)
    narrow = "  %n = arith.constant dense<3> : vector<4xi64>\n"
    if wide in ("i128", "f128"):
        result = f"vector<2x{wide}>"
        yield narrow + used(f"vector.bitcast %n : vector<4xi64> to {result}", result)
    if kind == "f":
        complex_ = f"complex<{wide}>"
        made = f"  %c = complex.create %k, %k : {complex_}\n"
        result = f"tensor<4x{complex_}>"
        yield one + made + used(f"tensor.splat %c : {result}", result)
    for shape, splat in SHAPES.items():
        type_ = shape.format(wide)
        all_ = f"{one}  %a = {splat.format(wide, type_)}\n"
        for name in OF_TWO[kind]:
            yield all_ + used(f"arith.{name} %a, %a : {type_}", type_)
        for name, other in TO_OTHERS[kind].items():
            result = shape.format(other)
            yield all_ + used(f"arith.{name} %a : {type_} to {result}", result)
        for name, (other_number, other) in FROM_OTHERS[kind].items():
            source = shape.format(other)
            yield (
                f"  %a = arith.constant dense<{other_number}> : {source}\n"
                + used(f"arith.{name} %a : {source} to {type_}", type_)
            )


@pytest.mark.parametrize(
    "body", [body for wide, one in WIDE.items() for body in programs(wide, one)]
)
def test_no_array_of_wide_elements_is_made(body: str) -> None:
    text = f"func.func @f() {{\n{body}\n  return\n}}"
    ctx, module = parse(text, allow_unregistered=True)
    run_passes(ctx, module, "canonicalize")
    module.verify()
