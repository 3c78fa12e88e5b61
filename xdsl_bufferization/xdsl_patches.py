"""The table of all changes to xDSL that loading the plug-in makes.

`universe.py` replaces what can be replaced by name (dialects, passes, targets); this
module changes code for which xDSL has no extension point. Each patch states what it
changes and why, what users lose without it, and which xDSL makes it superfluous.
`patching.py` decides when it is applied.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from functools import partial, wraps
from itertools import chain
from typing import Any

from xdsl.ir import Operation
from xdsl.ir.affine import AffineBinaryOpKind
from xdsl.passes import ModulePass as XDSLModulePass

from xdsl_bufferization.dialects import (
    affine_expressions,
    builtin,
    dense_bits,
    dense_elements,
    llvm_flags,
    parsed_once,
    verification,
    verification_plans,
)
from xdsl_bufferization.dialects.late_formats import compile_formats_late
from xdsl_bufferization.error_positions import (
    accept_empty_programs,
    explaining_bytes,
    explaining_files,
    explaining_pipelines,
    explaining_target,
    name_place_of_verification_errors,
    point_at_undefined_values,
    without_traceback,
)
from xdsl_bufferization.large_programs import deep_nesting
from xdsl_bufferization.locations import (
    Computed,
    lines_before,
    location_of_new_op,
    print_recorded_locations_when_in_use,
    record_locations,
)
from xdsl_bufferization.patching import Change, Patch

# What each patch puts in place of something in xDSL, where no other module owns it.


def _look_up_base_classes(table: str, method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(self: Any, interpreter: Any, op: Operation, args: Any) -> Any:
        known: dict[type[Operation], Any] = getattr(self, table)
        if type(op) not in known:
            for base in type(op).__mro__[1:]:
                if base in known:
                    known[type(op)] = known[base]
                    break
        return method(self, interpreter, op, args)

    return call


def _expand_pipelines(set_up: Callable[[Any], None]) -> Callable[[Any], None]:
    @wraps(set_up)
    def set_up_and_expand(self: Any) -> None:
        set_up(self)
        if self.args.print_between_passes or self.args.time_passes:
            passes = chain.from_iterable(map(_passes_inside, self.pipeline.passes))
            self.pipeline = replace(self.pipeline, passes=tuple(passes))

    return set_up_and_expand


def _passes_inside(module_pass: XDSLModulePass) -> Sequence[XDSLModulePass]:
    expand = getattr(module_pass, "expand", None)
    return (module_pass,) if expand is None else expand()


def _show_diagnostics_alone(set_up: Callable[[Any], None]) -> Callable[[Any], None]:
    @wraps(set_up)
    def show_and_set_up(self: Any) -> None:
        sys.excepthook = without_traceback(sys.excepthook)
        with explaining_pipelines(self.available_passes, self.args.passes):
            set_up(self)

    return show_and_set_up


def _nest_deeply(run: Callable[[Any], None]) -> Callable[[Any], None]:
    @wraps(run)
    def run_deeply(self: Any) -> None:
        with deep_nesting():
            run(self)

    return run_deeply


def _explain_targets(output: Callable[..., str]) -> Callable[..., str]:
    @wraps(output)
    def output_and_explain(self: Any, prog: Any) -> str:
        with explaining_target(self.available_targets, self.args.target):
            return output(self, prog)

    return output_and_explain


def _explain_input(prepare: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @wraps(prepare)
    def prepare_and_explain(self: Any) -> Any:
        with explaining_files(self.args.input_file):
            return prepare(self)

    return prepare_and_explain


def _explain_output(prepare: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @wraps(prepare)
    def prepare_and_explain(self: Any) -> Any:
        with explaining_files(self.args.output_file, reads=False):
            return prepare(self)

    return prepare_and_explain


def _explain_bytes(parse_chunk: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(parse_chunk)
    def parse_and_explain(
        self: Any, chunk: Any, file_extension: str, start_offset: int = 0
    ) -> Any:
        with explaining_bytes(self.args.input_file, start_offset):
            return parse_chunk(self, chunk, file_extension, start_offset)

    return parse_and_explain


def _count_lines_of_earlier_chunks(
    parse_chunk: Callable[..., Any],
) -> Callable[..., Any]:
    @wraps(parse_chunk)
    def parse_counted(
        self: Any, chunk: Any, file_extension: str, start_offset: int = 0
    ) -> Any:
        with lines_before(start_offset):
            return parse_chunk(self, chunk, file_extension, start_offset)

    return parse_counted


def _always(value: Any) -> Change:
    """Return a change that puts `value` there, whatever was there."""

    def change(_: Any) -> Any:
        return value

    return change


def all_patches(own_formats: Container[str]) -> Sequence[Patch]:
    """Return every patch.

    Args:
        own_formats: dialects whose assembly formats are known to be valid.
    """
    return (
        Patch(
            name="semi-affine expressions",
            module="xdsl.ir.affine",
            changes={
                "AffineExpr.__mul__(self, other)": affine_expressions.semi_affine_product,
                "AffineExpr.__floordiv__(self, other)": partial(
                    affine_expressions.semi_affine_division, AffineBinaryOpKind.FloorDiv
                ),
                "AffineExpr.ceil_div(self, other)": partial(
                    affine_expressions.semi_affine_division, AffineBinaryOpKind.CeilDiv
                ),
                "AffineExpr.__mod__(self, other)": partial(
                    affine_expressions.semi_affine_division, AffineBinaryOpKind.Mod
                ),
                "AffineExpr.simplify(self, num_dims, num_symbols)": (
                    affine_expressions.semi_affine_simplification
                ),
            },
            why="Products, quotients and remainders by symbols are represented, but the "
            "operators that build them raise.",
            lost="maps such as `d0 * s0` are rejected",
            until="builds semi-affine expressions",
        ),
        Patch(
            name="semi-affine syntax",
            module="xdsl.parser.affine_parser",
            changes={
                "AffineParser._create_binop_expr(self, lhs, rhs, binop)": (
                    affine_expressions.check_semi_affine
                ),
            },
            why="What is not even semi-affine gets an exception of Python, not a "
            "ParseError.",
            lost="maps such as `d0 * d1` are accepted or end in a traceback",
            until="raises ParseError for expressions that are not affine",
        ),
        Patch(
            name="large constants",
            module="xdsl.dialects.builtin",
            changes={
                "BytesAttr.__eq__(self, other)": dense_elements.equality_of_bytes,
                "BytesAttr.__hash__(self)": dense_elements.hash_of_bytes,
                "BytesAttr.data": _always(dense_elements.MadeBytes()),
                "DenseIntOrFPElementsAttr.from_list(type, data)": (
                    dense_elements.store_one_element
                ),
                "DenseIntOrFPElementsAttr.__len__(self)": dense_elements.known_length,
                "DenseIntOrFPElementsAttr.get_values(self)": (
                    dense_elements.repeat_values
                ),
                "DenseIntOrFPElementsAttr.get_attrs(self)": dense_elements.repeat_values,
                "DenseIntOrFPElementsAttr.iter_values(self)": (
                    dense_elements.repeat_iterator
                ),
                "DenseIntOrFPElementsAttr.iter_attrs(self)": (
                    dense_elements.repeat_iterator
                ),
                "DenseIntOrFPElementsAttr.is_splat(self)": dense_elements.is_splat,
                "DenseIntOrFPElementsAttr.print_without_type(self, printer)": (
                    dense_elements.print_one_element
                ),
            },
            why="A constant of equal elements takes the memory and time of all of them. "
            "Builtin attributes belong to no dialect that a plug-in could replace.",
            lost="constants of millions of equal elements are slow and large",
            until="stores splat constants as one element",
            uses=("DenseIntOrFPElementsAttr.get_element_type",),
        ),
        Patch(
            name="constants of one element",
            module="xdsl.parser.attribute_parser",
            changes={
                "AttrParser.parse_dense_int_or_fp_elements_attr(self, type)": (
                    dense_elements.parse_one_element
                ),
            },
            why="`dense<0.0>` is parsed into as many elements as the type has.",
            lost="constants of millions of equal elements are slow to parse",
            until="parses splat constants as one element",
            uses=(
                "AttrParser._current_token",
                "AttrParser._resume_from",
                "AttrParser._parse_tensor_literal_element",
                "AttrParser._parse_dense_literal_type",
            ),
        ),
        Patch(
            name="large constants of i1, printed",
            module="xdsl.dialects.builtin",
            changes={
                "DenseIntOrFPElementsAttr.print_without_type(self, printer)": (
                    dense_bits.print_packed_bits
                ),
            },
            why="More than 100 elements of i1 are printed as a byte each, which mlir-opt "
            "does not read.",
            lost="mlir-opt does not read large constants of i1",
            until="prints large constants of i1 as mlir-opt does",
            uses=("DenseIntOrFPElementsAttr.get_element_type",),
        ),
        Patch(
            name="large constants of i1, parsed",
            module="xdsl.parser.attribute_parser",
            changes={
                "AttrParser.parse_dense_int_or_fp_elements_attr(self, type)": (
                    dense_bits.parse_packed_bits
                ),
            },
            why="mlir-opt prints more than 100 elements of i1 as a bit each.",
            lost="large constants of i1 that mlir-opt prints are not read",
            until="parses large constants of i1 as mlir-opt prints them",
            uses=(
                "AttrParser._current_token",
                "AttrParser._resume_from",
                "AttrParser._parse_dense_literal_type",
            ),
        ),
        Patch(
            name="elements out of range",
            module="xdsl.parser.attribute_parser",
            changes={
                "AttrParser.parse_dense_int_or_fp_elements_attr(self, type)": (
                    builtin.diagnose_elements_out_of_range
                ),
                "AttrParser._parse_builtin_densearray_attr(self)": (
                    builtin.diagnose_elements_out_of_range
                ),
            },
            why="An element that its type cannot hold raises ValueError.",
            lost="`dense<300> : tensor<4xi8>` ends in a traceback",
            until="raises ParseError for such elements",
        ),
        Patch(
            name="bits of floats",
            module="xdsl.parser.attribute_parser",
            changes={
                "AttrParser._TensorLiteralElement.to_type(self, parser, type)": (
                    builtin.read_bits_of_floats
                ),
                "AttrParser._parse_optional_complex(self)": (
                    builtin.read_bits_in_complex_numbers
                ),
                "AttrParser.parse_optional_builtin_int_or_float_attr(self)": (
                    builtin.read_float_literals
                ),
                "AttrParser._parse_builtin_densearray_attr(self)": (
                    builtin.read_bits_in_arrays
                ),
            },
            why="`dense<0xFF800000> : tensor<4xf32>`, as mlir-opt prints minus infinity, "
            "is read as the number 4286578688.",
            lost="infinities and NaNs in constants are read as other numbers",
            until="reads hexadecimal elements of floats as their bits",
            uses=(
                "AttrParser._current_token",
                "AttrParser._parse_attribute_type",
                "AttrParser._parse_bool_int_or_float",
                "AttrParser._resume_from",
            ),
        ),
        Patch(
            name="large floats",
            module="xdsl.dialects.builtin",
            changes={
                "StructPackableType.pack(self, values)": builtin.round_to_infinity,
            },
            why="The struct module does not round a float that is too large to infinity, "
            "but raises OverflowError.",
            lost="`array<f32: 1.0e300>` ends in an error",
            until="rounds large floats to infinity",
        ),
        Patch(
            name="wide floats",
            module="xdsl.printer",
            changes={
                "Printer.print_float(self, value, type)": builtin.print_wide_floats,
            },
            why="The printer packs floats with the struct module, which has no f80 and "
            "f128.",
            lost="constants of f80 and f128 end in a traceback",
            until="prints constants of f80 and f128",
        ),
        Patch(
            name="sparse constants",
            module="xdsl.parser.attribute_parser",
            changes={
                "AttrParser._parse_optional_builtin_parametrized_attr(self)": (
                    builtin.read_sparse_elements
                ),
            },
            why="The builtin attribute `sparse<...>` is not parsed.",
            lost="programs with sparse constants are rejected",
            until="parses sparse constants",
            uses=(
                "AttrParser._parse_tensor_literal",
                "AttrParser._parse_dense_literal_type",
            ),
        ),
        Patch(
            name="repeated types and maps",
            module="xdsl.parser.attribute_parser",
            changes={
                "AttrParser.parse_optional_type(self)": parsed_once.parse_types_once,
                "AttrParser.parse_optional_attribute(self)": parsed_once.parse_maps_once,
            },
            why="Each type and affine map is lexed and parsed wherever the program has "
            "it, which is half of the time of parsing.",
            lost="parsing large programs takes longer",
            until="parses the same type once",
            uses=("AttrParser._resume_from",),
        ),
        Patch(
            name="properties among attributes",
            module="xdsl.parser.core",
            changes={
                "Parser.parse_operation(self)": builtin.read_properties_among_attributes,
            },
            why="MLIR takes what an op's own syntax has in the attribute dictionary for "
            "properties where the op defines them; xDSL keeps attributes, which no pass "
            "reads.",
            lost="properties in attribute dictionaries, such as fastmath, are ignored",
            until="reads them as properties",
        ),
        Patch(
            name="flags of truncations",
            module="xdsl.dialects.llvm",
            changes={
                "IntegerConversionOpOverflow.create(cls, operands, result_types, "
                "properties, attributes, location, successors, regions)": (
                    llvm_flags.read_bits_of_overflow
                ),
            },
            why="The flags of llvm.trunc may not be a number, as mlir-opt prints them in "
            "the generic form. Translations look for the class of xDSL exactly.",
            lost='`"llvm.trunc"(%0) <{overflowFlags = 0 : i32}>` is rejected',
            until="reads the flags of llvm.trunc as a number",
            uses=("OverflowAttr.from_int",),
        ),
        Patch(
            name="calling conventions",
            module="xdsl.dialects.llvm",
            changes={
                "CallingConventionAttr.parse_parameters(cls, parser)": (
                    llvm_flags.parse_conventions
                ),
            },
            why="Only some calling conventions are known. Attributes are equal only if "
            "they are of one class, so that a refined one would not do.",
            lost="calling conventions such as `win64cc` are rejected",
            until="knows the calling conventions of MLIR 22",
            uses=("LLVM_CALLING_CONVS",),
        ),
        Patch(
            name="number of blocks",
            module="xdsl.ir.core",
            changes={
                "Operation.verify(self, verify_nested_ops)": (
                    verification.verify_op_in_place
                ),
                "Block.verify(self)": verification.verify_ops_of_block,
            },
            why="The verifier counts all blocks of a region once for each of them, and "
            "its errors about terminators and empty blocks have no place.",
            lost="functions of many blocks are verified in quadratic time, and errors "
            "about terminators and empty blocks do not say where they are",
            until="verifies regions in linear time, and names the place of these errors",
            uses=(
                "Block.first_op",
                "Block.last_op",
                "ErasedSSAValue",
                "Operation.next_op",
                "Operation.verify_",
                "Region.first_block",
                "Region.last_block",
            ),
        ),
        Patch(
            name="kinds of traits",
            module="xdsl.ir.core",
            changes={"Operation.get_trait(cls, trait)": verification.remember_traits},
            why="The traits of a class are searched again for each op.",
            lost="verification and canonicalization take longer",
            until="remembers which traits a class has",
            uses=("OpTraits.traits",),
        ),
        Patch(
            name="isolation",
            module="xdsl.traits",
            changes={
                "IsolatedFromAbove.verify(self, op)": (
                    verification.verify_isolation_in_one_walk
                ),
            },
            why="From each operand in a function the verifier climbs to the function. "
            "Its error shows the op as an object of Python.",
            lost="verification of nested loops takes longer, and errors about values "
            "from outside of a function have the place of the function",
            until="verifies isolation in linear time, and names the place of the error",
        ),
        Patch(
            name="plans of definitions",
            module="xdsl.irdl.operations",
            changes={"OpDef.verify(self, op)": verification_plans.verify_by_plans},
            why="Of each op the verifier finds out again which fields are variadic, what "
            "states their sizes and what reads them. It is called by all definitions, "
            "those of other dialects included.",
            lost="verification takes twice as long",
            until="finds this out once for each definition "
            "(docs/upstream/xdsl-verification-plans.patch)",
            uses=("BaseAccessor", "BaseAttrAccessor", "AttrSizedSegments.container"),
        ),
        Patch(
            name="locations of built ops",
            module="xdsl.ir.core",
            changes={"_unknown_loc()": _always(location_of_new_op)},
            why="An op that is built without a location has none, and ops are built "
            "everywhere.",
            lost="ops that passes build have no location",
            until="gives ops the location of a rewriter or builder",
        ),
        Patch(
            name="locations of parsed ops",
            module="xdsl.parser.core",
            changes={
                "Parser.parse_optional_operation(self)": record_locations,
                "xdsl.dialects.builtin:FileLineColLoc.filename": (
                    _always(Computed("filename"))
                ),
                "xdsl.dialects.builtin:FileLineColLoc.line": _always(Computed("line")),
                "xdsl.dialects.builtin:FileLineColLoc.column": (
                    _always(Computed("column"))
                ),
                "xdsl.dialects.builtin:FileLineColLoc.print_builtin(self, printer)": (
                    print_recorded_locations_when_in_use
                ),
            },
            why="The parser sets the location of an op only from an explicit `loc(...)`, "
            "and the driver makes the parser.",
            lost="errors and remarks do not say where in the file an op is",
            until="records file, line and column of parsed ops",
        ),
        Patch(
            name="lines of chunks",
            module="xdsl.xdsl_opt_main",
            changes={
                "xDSLOptMain.parse_chunk(self, chunk, file_extension, start_offset)": (
                    _count_lines_of_earlier_chunks
                ),
            },
            why="With --split-input-file the chunks of a file are parsed one by one, and "
            "each counts its lines from one.",
            lost="with --split-input-file, line numbers are those of the chunk",
            until="records file, line and column of parsed ops",
        ),
        Patch(
            name="interpretation of refined ops",
            module="xdsl.interpreter",
            changes={
                "_InterpreterFunctionImpls.run(self, interpreter, op, args)": partial(
                    _look_up_base_classes, "_impl_dict"
                ),
                "_InterpreterFunctionImpls.call(self, interpreter, op, args)": partial(
                    _look_up_base_classes, "_callable_impl_dict"
                ),
            },
            why="The interpreter looks up the implementation of an op by its exact "
            "class, so that it knows none of the subclasses by which this package "
            "refines xDSL's ops.",
            lost="xdsl-run does not run programs with ops that this package refines",
            until="looks up base classes",
        ),
        Patch(
            name="passes inside pipelines",
            module="xdsl.xdsl_opt_main",
            changes={"xDSLOptMain.setup_pipeline(self)": _expand_pipelines},
            why="The driver calls back between the passes of the command line, and a "
            "pass cannot see who runs it. Without these options a pipeline stays one "
            "pass, for the driver verifies the program after each.",
            lost="--print-between-passes and --time-passes show a pipeline as one pass",
            until="lets a pass consist of passes",
        ),
        Patch(
            name="diagnostics without a traceback",
            module="xdsl.xdsl_opt_main",
            changes={
                "xDSLOptMain.setup_pipeline(self)": _show_diagnostics_alone,
                "xDSLOptMain.prepare_input(self)": _explain_input,
                "xDSLOptMain.prepare_output(self)": _explain_output,
                "xDSLOptMain.parse_chunk(self, chunk, file_extension, start_offset)": (
                    _explain_bytes
                ),
                "xDSLOptMain.output_resulting_program(self, prog)": _explain_targets,
            },
            why="A diagnostic ends the driver as any exception does, a wrong option "
            "raises a ValueError that does not name the pass, and a file that cannot be "
            "read raises what Python raises.",
            lost="errors in programs, options and paths are shown with the traceback of "
            "xDSL's driver",
            until="prints diagnostics alone "
            "(docs/upstream/xdsl-diagnostics-without-traceback.patch)",
        ),
        Patch(
            name="deep nesting",
            module="xdsl.xdsl_opt_main",
            changes={"xDSLOptMain.run(self)": _nest_deeply},
            why="The parser, the verifier and the printer recurse into regions, and "
            "Python allows 1,000 frames.",
            lost="programs of about 190 nested loops end in a RecursionError",
            until="reads, verifies and prints regions of any depth",
        ),
        Patch(
            name="place of verification errors",
            module="xdsl.ir.core",
            changes={
                "Operation.emit_error(self, message, underlying_error)": (
                    name_place_of_verification_errors
                ),
            },
            why="The message of an op that does not verify is the op's alone, and a note "
            "holds all of the program.",
            lost="errors of verification name neither op nor place",
            until="names op and place in errors of verification",
        ),
        Patch(
            name="empty programs",
            module="xdsl.parser.core",
            changes={
                "Parser.parse_module(self, allow_implicit_module)": (
                    accept_empty_programs
                ),
            },
            why="A text without ops is a parse error; mlir-opt reads an empty module.",
            lost="programs without ops are rejected",
            until="reads an empty module",
            uses=("Parser._current_token",),
        ),
        Patch(
            name="undefined values",
            module="xdsl.parser.core",
            changes={
                "Parser.parse_module(self, allow_implicit_module)": (
                    point_at_undefined_values
                ),
            },
            why="The parser finds at the end of the program that a value is not defined, "
            "and points there.",
            lost="the error on a value that is not defined points behind the program",
            until="points at the use of a value that is not defined",
        ),
        Patch(
            name="late formats",
            module="xdsl.irdl.declarative_assembly_format",
            changes={
                "FormatProgram.from_str(input, op_def)": partial(
                    compile_formats_late, own_formats
                ),
            },
            why="The assembly format of every op is compiled when its dialect is "
            "imported, which is most of what the import takes.",
            lost="start-up takes longer",
            until="compiles assembly formats on first use",
        ),
    )
