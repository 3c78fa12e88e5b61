"""Every structured named op has the body, indexing maps and iterator types of mlir-opt's.

The programs are made from the table itself: one per op and choice of element types.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from io import StringIO

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from tests.oracle.harness import Outcome, mlir_opt, parse, requires_mlir_opt
from xdsl_bufferization.dialects import linalg
from xdsl_bufferization.dialects.linalg import LinalgStructuredOperation
from xdsl_bufferization.dialects.linalg.named import NAMED_OPS, NamedOp

GENERIC = ("--mlir-print-op-generic", "--mlir-print-local-scope")
LOOP_SIZE = 3
QUANTIZED = ("i8", "i8", "i32", "i32", "i32")
ELEMENT_TYPES: dict[str, list[tuple[str, ...]]] = {
    "contraction": [("f32",) * 3, ("i8", "i8", "i32"), ("f16", "f16", "f32")],
    "pooling": [("f32",) * 3, ("i8", "i8", "i32")],
    "unsigned pooling": [("i8", "i8", "i8"), ("i8", "i8", "i32")],
}


@dataclass(frozen=True)
class Case:
    name: str
    program: str


def _type(shape: list[int], element: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def _shape(op: type[NamedOp], operand: int) -> list[int]:
    """The shape of an operand when each loop runs LOOP_SIZE times."""
    assert op.INDEXING is not None
    places = op.INDEXING.operands[operand]
    return [2 * LOOP_SIZE - 1 if "+" in p or "~" in p else LOOP_SIZE for p in places]


def _element_types(op: type[NamedOp]) -> list[tuple[str, ...]]:
    if op is linalg.FillRng2DOp:
        return [("f64", "f64", "i32", "f32"), ("f64", "f64", "i32", "i32")]
    if op.INPUTS == 4:
        return [QUANTIZED, ("i8",) * 5]
    if "unsigned" in op.name:
        return ELEMENT_TYPES["unsigned pooling"]
    return ELEMENT_TYPES["pooling" if "pooling" in op.name else "contraction"]


def _program(name: str, attributes: str, types: list[str]) -> str:
    *inputs, output = [f"%{i}" for i in range(len(types))]
    arguments = ", ".join(f"%{i}: {type}" for i, type in enumerate(types))
    return (
        f"func.func @f({arguments}) -> {types[-1]} {{\n"
        f"  %r = {name}{attributes} ins({', '.join(inputs)} : {', '.join(types[:-1])}) "
        f"outs({output} : {types[-1]}) -> {types[-1]}\n  return %r : {types[-1]}\n}}"
    )


def _cases() -> list[Case]:
    cases: list[Case] = []
    for op in NAMED_OPS:
        if op.INDEXING is None:
            continue
        for elements in _element_types(op):
            places = op.INDEXING.operands
            types = [
                element
                if not places[i] and i < len(places) - 1
                else _type(_shape(op, i), element)
                for i, element in enumerate(elements)
            ]
            windows = op.INDEXING.windows
            given = [""]
            if windows:
                ones = f"dense<1> : tensor<{windows}xi64>"
                given.append(f" {{dilations = {ones}, strides = {ones}}}")
            if op in (linalg.MatmulOp, linalg.BatchMatmulOp, linalg.BatchReduceMatmulOp):
                given.append(" {cast = #linalg.type_fn<cast_unsigned>}")
            for attributes in given:
                case_name = f"{op.name}-{elements[0]}-{elements[-1]}-{len(attributes)}"
                cases.append(Case(case_name, _program(op.name, attributes, types)))
    for element in ("i1", "i8", "f32", "complex<f32>"):
        for op in NAMED_OPS:
            if op.INDEXING is None and op not in (
                linalg.ContractOp,
                linalg.ElementwiseOp,
            ):
                types = [_type([4, 5], element)] * (op.INPUTS + 1)
                if op is linalg.SelectOp:
                    types[0] = _type([4, 5], "i1")
                if op is linalg.FillOp:
                    types[0] = element
                cases.append(Case(f"{op.name}-{element}", _program(op.name, "", types)))
    for kind in linalg.ElementwiseKind:
        # mlir-opt crashes on elements that the function does not take.
        element = "i32" if "unsigned" in kind.value else "f32"
        types = [_type([4, 5], element)] * (kind.arity + 1)
        if kind is linalg.ElementwiseKind.SELECT:
            types[0] = _type([4, 5], "i1")
        attributes = f" kind=#linalg.elementwise_kind<{kind.value}>"
        program = _program("linalg.elementwise", attributes, types)
        cases.append(Case(f"elementwise-{kind.value}", program))
    scalars = ("i1", "i8", "i32", "index", "f16", "bf16", "f32", "complex<f32>")
    for source in scalars:
        for target in scalars:
            for cast in ("signed", "unsigned"):
                types = [_type([4], source), _type([4], target)]
                attributes = f" {{cast = #linalg.type_fn<cast_{cast}>}}"
                program = _program("linalg.copy", attributes, types)
                cases.append(Case(f"copy-{source}-{target}-{cast}", program))
    return cases


CASES = {case.name: case.program for case in _cases()}


@cache
def _by_mlir_opt(*flags: str) -> dict[str, Outcome]:
    return dict(zip(CASES, mlir_opt(list(CASES.values()), *flags), strict=True))


def _printed(module: ModuleOp, generic: bool) -> str:
    stream = StringIO()
    Printer(stream, print_generic_format=generic).print_op(module)
    return stream.getvalue()


@cache
def _ours_by_mlir_opt(generic: bool) -> dict[str, Outcome]:
    """What mlir-opt reads of what we print of each program it accepts."""
    names = [name for name, outcome in _by_mlir_opt(*GENERIC).items() if outcome.accepted]
    texts = [_printed(parse(CASES[name])[1], generic) for name in names]
    return dict(zip(names, mlir_opt(texts, *GENERIC), strict=True))


def _without_memo(text: str) -> str:
    return re.sub(r" \{linalg.memoized_indexing_maps = \[.*?\]\}", "", text)


@requires_mlir_opt
@pytest.mark.parametrize("printed", ("pretty", "generic"))
@pytest.mark.parametrize("name", CASES)
def test_body(name: str, printed: str) -> None:
    reference = _by_mlir_opt(*GENERIC)[name]
    if not reference.accepted:
        with pytest.raises(Exception, match=r"has no scalar|expects|match"):
            parse(CASES[name])
        return
    ours = _ours_by_mlir_opt(printed == "generic")[name]
    assert ours.accepted, ours.error
    assert _without_memo(ours.text) == _without_memo(reference.text)


def _structured(module: ModuleOp) -> LinalgStructuredOperation:
    return next(op for op in module.walk() if isinstance(op, LinalgStructuredOperation))


@requires_mlir_opt
@pytest.mark.parametrize("name", CASES)
def test_loops(name: str) -> None:
    """The indexing maps and iterator types are those mlir-opt generalizes the op to."""
    reference = _by_mlir_opt("--linalg-generalize-named-ops")[name]
    if not reference.accepted or name.startswith("linalg.contract"):
        return
    ours = _structured(parse(CASES[name])[1])
    general = _structured(parse(reference.text)[1])
    assert isinstance(general, linalg.GenericOp)
    assert ours.get_indexing_maps() == general.get_indexing_maps()
    assert ours.get_iterator_types() == general.get_iterator_types()


STRIDED = """func.func @f(%0: tensor<2x11x14x4xf32>, %1: tensor<3x2x4x8xf32>,
                            %2: tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %r = linalg.conv_2d_nhwc_hwcf
      {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[2, 4]> : tensor<2xi64>}
      ins(%0, %1 : tensor<2x11x14x4xf32>, tensor<3x2x4x8xf32>)
      outs(%2 : tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %r : tensor<2x4x4x8xf32>
}"""


@requires_mlir_opt
def test_strides_and_dilations() -> None:
    [reference] = mlir_opt([STRIDED], "--linalg-generalize-named-ops")
    ours = _structured(parse(STRIDED)[1])
    general = _structured(parse(reference.text)[1])
    assert ours.get_indexing_maps() == general.get_indexing_maps()


def test_the_table_is_whole() -> None:
    """81 ops of MLIR's generated file; three matmuls, contract and elementwise."""
    names = [op.name for op in NAMED_OPS]
    assert len(set(names)) == len(names) == 81 + 5
