"""The generic form of LLVM ops, as mlir-opt prints it, is read and printed back.

The programs have every op of the LLVM dialect with every flag and property that xDSL or
this package knows. mlir-opt reads what is printed, in both forms, as the same program.
"""

from __future__ import annotations

from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer
from xdsl.utils.exceptions import DiagnosticException, ParseError

from tests.oracle.harness import mlir_opt, parse, read_programs, requires_mlir_opt
from xdsl_bufferization.dialects.llvm import LLVM
from xdsl_bufferization.guest import take_over

PROGRAMS = {
    program.name: program.text
    for program in read_programs(Path(__file__).with_name("llvm_generic.mlir"))
}


@cache
def _references(*options: str) -> dict[str, str]:
    """What mlir-opt prints of each program, or an error."""
    outcomes = zip(PROGRAMS, mlir_opt(list(PROGRAMS.values()), *options), strict=True)
    return {name: o.text if o.accepted else f"{o.error}" for name, o in outcomes}


@cache
def _parsed() -> dict[str, ModuleOp | str]:
    """Each program, read in generic form, or an error."""
    take_over()
    parsed: dict[str, ModuleOp | str] = {}
    for name, text in _references("--mlir-print-op-generic").items():
        try:
            module = parse(text)[1]
            module.verify()
            parsed[name] = module
        except (DiagnosticException, ParseError) as error:
            parsed[name] = f"not read: {error}"
    return parsed


@cache
def _read_back(*, generic: bool) -> dict[str, str]:
    """What mlir-opt makes of each program as it is printed here, or an error."""
    texts: list[str] = []
    for module in _parsed().values():
        stream = StringIO()
        if isinstance(module, ModuleOp):
            Printer(stream, print_generic_format=generic).print_op(module)
        texts.append(stream.getvalue())
    outcomes = zip(_parsed().items(), mlir_opt(texts), strict=True)
    return {
        name: module
        if isinstance(module, str)
        else o.text
        if o.accepted
        else f"{o.error}"
        for (name, module), o in outcomes
    }


@requires_mlir_opt
@pytest.mark.parametrize("generic", (True, False))
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_generic_form_is_read_and_printed_back(name: str, generic: bool) -> None:
    assert _read_back(generic=generic)[name] == _references()[name]


@requires_mlir_opt
def test_every_op_and_property_is_tested() -> None:
    tested: set[str] = set()
    for module in _parsed().values():
        assert isinstance(module, ModuleOp), module
        for op in module.walk():
            tested |= {op.name, *(f"{op.name} {name}" for name in op.properties)}
    known: set[str] = set()
    for op in LLVM.operations:
        known.add(op.name)
        properties = op.get_irdl_definition().properties  # pyright: ignore
        known |= {f"{op.name} {name}" for name in properties}
    assert known - tested == {"llvm.getelementptr inbounds"}, "which only xDSL has"
