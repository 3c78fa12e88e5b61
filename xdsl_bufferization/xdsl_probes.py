"""Probes that find which patches (`xdsl_patches.py`) an unknown xDSL still needs.

A probe runs a minimal example of the behaviour that its patch changes, and returns
whether xDSL still behaves like version 0.75. If a probe raises, something else has
changed in xDSL.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from xdsl import irdl
from xdsl.context import Context
from xdsl.dialects import arith, builtin, llvm, test
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    ModuleOp,
    TensorType,
    f32,
    f64,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.ir.affine import AffineExpr
from xdsl.ir.core import OpTraits, RegionBlocks
from xdsl.irdl import base
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.traits import IsolatedFromAbove, Pure
from xdsl.utils.exceptions import ParseError, VerifyException

_MANY = 1 << 14


def _context() -> Context:
    context = Context(allow_unregistered=True)
    for dialect in (arith.Arith, builtin.Builtin, test.Test):
        context.load_dialect(dialect)
    return context


def _parsed(text: str) -> Operation:
    """Return the last op of a program."""
    op = Parser(_context(), text).parse_module().body.block.last_op
    assert op is not None
    return op


def _constant(text: str) -> Attribute:
    return Parser(_context(), text).parse_attribute()


def _error_of(function: Callable[..., object], *args: Any) -> type[Exception] | None:
    """Return what kind of exception a call raises."""
    try:
        function(*args)
    except Exception as error:
        return type(error)
    return None


def _semi_affine_expressions() -> bool:
    def build() -> None:
        product = AffineExpr.dimension(0) * AffineExpr.symbol(0)
        product.simplify(1, 1)

    return _error_of(build) is NotImplementedError


def _semi_affine_syntax() -> bool:
    text = "affine_map<(d0, d1) -> (d0 * d1)>"
    return _error_of(_constant, text) is not ParseError


def _large_constants() -> bool:
    constant = DenseIntOrFPElementsAttr.from_list(TensorType(f64, [_MANY]), [0.0])
    return len(vars(constant.data).get("data", b"")) == 8 * _MANY


def _constants_of_one_element() -> bool:
    stored = vars(DenseIntOrFPElementsAttr)["from_list"]
    lengths: list[int] = []

    def from_list(type: Any, data: Any) -> Any:
        lengths.append(len(data))
        return stored.__func__(type, data)

    DenseIntOrFPElementsAttr.from_list = staticmethod(from_list)
    try:
        _constant(f"dense<0.0> : tensor<{_MANY}xf64>")
    finally:
        DenseIntOrFPElementsAttr.from_list = stored
    return max(lengths) > 1


def _printed_large_constants_of_i1() -> bool:
    constant = DenseIntOrFPElementsAttr.from_list(TensorType(i1, [128]), [1, 0] * 64)
    return len(str(constant)) > 128


def _parsed_large_constants_of_i1() -> bool:
    constant = f'dense<"0x{"0F" * 16}"> : tensor<128xi1>'
    return _error_of(_constant, constant) is ParseError


def _elements_out_of_range() -> bool:
    return _error_of(_constant, "dense<300> : tensor<4xi8>") is ValueError


def _bits_of_floats() -> bool:
    constant: Any = _constant("dense<0xFF800000> : tensor<1xf32>")
    return constant.get_values()[0] != float("-inf")


def _large_floats() -> bool:
    return _error_of(f32.pack, (1.0e300,)) is OverflowError


def _wide_floats() -> bool:
    return _error_of(str, _constant("1.5 : f128")) is NotImplementedError


def _sparse_constants() -> bool:
    text = "sparse<[[0]], 1> : tensor<2xi32>"
    return _error_of(_constant, text) is ParseError


def _repeated_types_and_maps() -> bool:
    parser = Parser(_context(), "tensor<2xf32> tensor<2xf32>")
    return parser.parse_type() is not parser.parse_type()


def _properties_among_attributes() -> bool:
    op = _parsed(
        "%0 = arith.constant 1.0 : f32\n"
        "%1 = arith.addf %0, %0 {fastmath = #arith.fastmath<fast>} : f32"
    )
    return "fastmath" in op.attributes


def _llvm_constant(text: str) -> Attribute:
    context = _context()
    context.load_dialect(llvm.LLVM)
    return Parser(context, text).parse_attribute()


def _flags_of_truncations() -> bool:
    properties = {"overflowFlags": IntegerAttr(0, i32)}
    op = llvm.TruncOp.create(properties=properties)
    return op.properties == properties and (
        llvm.TruncOp.get_irdl_definition().properties["overflowFlags"].constr
        == base(llvm.OverflowAttr)
    )


def _calling_conventions() -> bool:
    return _error_of(_llvm_constant, "#llvm.cconv<win64cc>") is not None


def _calls(function: Any, run: Callable[[], object]) -> int:
    """Return how often a function of xDSL is called by `run`."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    calls = 0

    def profile(frame: Any, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code is function.__code__

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(before)
    return calls


def _number_of_blocks() -> bool:
    """A region is verified; how often are its blocks counted?"""
    blocks = [Block() for _ in range(4)]
    for block in blocks:
        successors = [] if block is blocks[-1] else [blocks[-1]]
        block.add_op(test.TestTermOp(successors=successors))
    op = test.TestOp(regions=[Region(blocks)])
    return _calls(RegionBlocks.__len__, op.verify) > 2


def _kinds_of_traits() -> bool:
    """A class is asked again for a trait; are all of its traits looked at again?"""
    test.TestOp.get_trait(Pure)
    return _calls(OpTraits.__iter__, lambda: test.TestOp.get_trait(Pure)) > 0


def _isolation() -> bool:
    """An op uses a value of an argument; does the verifier climb from there?"""
    block = Block(arg_types=[i32])
    block.add_op(test.TestOp(operands=[block.args[0]]))
    module = ModuleOp(Region(block))
    return _calls(Operation.is_ancestor, lambda: IsolatedFromAbove().verify(module)) > 0


def _plans_of_definitions() -> bool:
    """An op is verified again; are the kinds of its operands determined again?"""
    op = _parsed("%0 = arith.constant 1 : i32")
    op.verify()
    return _calls(irdl.operations.verify_variadic_size, op.verify) > 0


def _locations_of_built_ops() -> bool:
    from xdsl_bufferization.locations import built_for

    place = builtin.FileLineColLoc(
        builtin.StringAttr("probe"), builtin.IntAttr(1), builtin.IntAttr(1)
    )
    origin = test.TestOp()
    origin.location = place
    with built_for(origin):
        return test.TestOp().location != place


def _locations_of_parsed_ops() -> bool:
    return _parsed('"test.op"() : () -> ()').location == UNKNOWN_LOC


def _lines_of_chunks() -> bool:
    """Needed where this package is it that records where ops are."""
    location = _parsed('"test.op"() : () -> ()').location
    return location == UNKNOWN_LOC or "_recorded" in vars(location)


def _interpretation_of_refined_ops() -> bool:
    from xdsl.interpreter import Interpreter
    from xdsl.interpreters.arith import ArithFunctions
    from xdsl.utils.exceptions import InterpretationError

    class RefinedConstantOp(arith.ConstantOp):
        pass

    constant = arith.ConstantOp.from_int_and_width(1, i32)
    constant.__class__ = RefinedConstantOp
    interpreter = Interpreter(ModuleOp([]))
    interpreter.register_implementations(ArithFunctions())
    return _error_of(interpreter.run_op, constant, ()) is InterpretationError


def _passes_inside_pipelines() -> bool:
    return not hasattr(ModulePass, "expand")


def _diagnostics_without_a_traceback() -> bool:
    from xdsl.xdsl_opt_main import xDSLOptMain

    return not hasattr(xDSLOptMain, "main")


def _deep_nesting() -> bool:
    from xdsl.xdsl_opt_main import xDSLOptMain

    class Driver(xDSLOptMain):
        def __init__(self) -> None:
            """Takes no arguments from the command line."""

        def prepare_input(self) -> Any:
            raise _LimitError(sys.getrecursionlimit())

        def prepare_output(self) -> Any:
            return None

    try:
        Driver().run()
    except _LimitError as inside:
        return inside.args == (sys.getrecursionlimit(),)
    raise AssertionError("xDSLOptMain.run does not call prepare_input")


class _LimitError(Exception):
    """Tells how many frames a method may use."""


def _place_of_verification_errors() -> bool:
    op = _parsed('"test.op"() : () -> ()')
    cause = VerifyException("cause")
    try:
        op.emit_error("message", cause)
    except VerifyException as error:
        return "test.op" not in str(error)


def _empty_programs() -> bool:
    return _error_of(Parser(_context(), "// empty").parse_module) is ParseError


def _undefined_values() -> bool:
    text = '"test.op"(%0) : (i32) -> ()'
    try:
        Parser(_context(), text).parse_module()
    except ParseError as error:
        return error.span.start != text.index("%")
    return False


def _late_formats() -> bool:
    from xdsl.irdl import OpDef
    from xdsl.irdl.declarative_assembly_format import FormatProgram

    program = FormatProgram.from_str("attr-dict", OpDef("tensor.probe"))
    return type(program) is FormatProgram


PROBES: dict[str, Callable[[], bool]] = {
    "bits of floats": _bits_of_floats,
    "calling conventions": _calling_conventions,
    "constants of one element": _constants_of_one_element,
    "deep nesting": _deep_nesting,
    "diagnostics without a traceback": _diagnostics_without_a_traceback,
    "elements out of range": _elements_out_of_range,
    "empty programs": _empty_programs,
    "flags of truncations": _flags_of_truncations,
    "interpretation of refined ops": _interpretation_of_refined_ops,
    "large constants": _large_constants,
    "large constants of i1, parsed": _parsed_large_constants_of_i1,
    "large constants of i1, printed": _printed_large_constants_of_i1,
    "large floats": _large_floats,
    "isolation": _isolation,
    "kinds of traits": _kinds_of_traits,
    "late formats": _late_formats,
    "lines of chunks": _lines_of_chunks,
    "locations of built ops": _locations_of_built_ops,
    "locations of parsed ops": _locations_of_parsed_ops,
    "number of blocks": _number_of_blocks,
    "passes inside pipelines": _passes_inside_pipelines,
    "place of verification errors": _place_of_verification_errors,
    "plans of definitions": _plans_of_definitions,
    "properties among attributes": _properties_among_attributes,
    "repeated types and maps": _repeated_types_and_maps,
    "semi-affine expressions": _semi_affine_expressions,
    "semi-affine syntax": _semi_affine_syntax,
    "sparse constants": _sparse_constants,
    "undefined values": _undefined_values,
    "wide floats": _wide_floats,
}
"""For each patch, whether xDSL still needs it."""
