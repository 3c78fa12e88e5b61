"""All changes to xDSL that are made when the plug-in is loaded, in one table.

What can be replaced by name (dialects, passes, targets) is in `universe.py`; here is what
xDSL has no place to extend. Each patch names what it changes, why, what users lose
without it, and which xDSL makes it superfluous.

A patch switches itself off, with a warning that says what is lost, when something that it
changes or uses is no longer what it was written against: an attribute that is missing, a
method with other parameters. With a version of xDSL that this package was not tested
with, a patch is applied only where a probe (`xdsl_probes.py`) finds that xDSL still needs
it.

A patch of a module that is not imported yet waits until it is, so that start-up costs
nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial, wraps
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.metadata import distribution
from importlib.util import find_spec
from inspect import getattr_static
from itertools import chain
from types import ModuleType
from typing import Any, NamedTuple
from warnings import warn

from xdsl.ir import Operation
from xdsl.ir.affine import AffineBinaryOpKind
from xdsl.passes import ModulePass as XDSLModulePass

from xdsl_bufferization.dialects import (
    affine_expressions,
    builtin,
    dense_elements,
    verification,
    verification_plans,
)
from xdsl_bufferization.dialects.late_formats import compile_formats_late
from xdsl_bufferization.error_positions import (
    name_place_of_verification_errors,
    without_traceback,
)
from xdsl_bufferization.locations import (
    Computed,
    lines_before,
    location_of_new_op,
    print_recorded_locations_when_in_use,
    record_locations,
)

TESTED_XDSL = ("0.74.0",)
"""The versions of xDSL that the tests of this package have run with."""

Change = Callable[[Any], Any]
"""Returns what replaces a function, given that function."""


class XDSLChangedWarning(UserWarning):
    """xDSL is no longer what a patch was written against, so that it is not applied."""


class Patch(NamedTuple):
    """A change to xDSL.

    Attributes:
        name: what its probe in `xdsl_probes.py` is named.
        module: the module of xDSL that is changed; where a target names another module,
            it is one that this one imports.
        changes: for each target what replaces it. A target is `Class.method(parameters)`,
            `function(parameters)`, or `Class.field` for a field of a dataclass, whose
            replacement gets None. `other.module:` may precede it.
        why: what xDSL does, and why that cannot be mended elsewhere.
        lost: what is lost without the patch.
        until: the xDSL that makes it superfluous.
        uses: other attributes of classes of the module that the replacements use.
    """

    name: str
    module: str
    changes: Mapping[str, Change]
    why: str
    lost: str
    until: str
    uses: Sequence[str] = ()


def apply_patches(patches: Sequence[Patch]) -> None:
    """Apply patches of modules that are imported now, others as soon as theirs is."""
    for patch in patches:
        if patch.module in sys.modules:
            _apply(patch)
        else:
            sys.meta_path.insert(0, _PatchingFinder(patch))


@cache
def xdsl_version() -> str:
    """Return the version of the xDSL that is installed."""
    # `importlib.metadata.version` would import a parser of emails, at every start.
    metadata = distribution("xdsl").read_text("METADATA") or ""
    for line in metadata.splitlines():
        if line.startswith("Version: "):
            return line.removeprefix("Version: ")
    return "unknown"


def is_tested() -> bool:
    """Return whether this package was tested with the xDSL that is installed."""
    return xdsl_version() in TESTED_XDSL


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
        set_up(self)

    return show_and_set_up


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
            name="elements out of range",
            module="xdsl.parser.attribute_parser",
            changes={
                "AttrParser.parse_dense_int_or_fp_elements_attr(self, type)": (
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
            },
            why="`dense<0xFF800000> : tensor<4xf32>`, as mlir-opt prints minus infinity, "
            "is read as the number 4286578688.",
            lost="infinities and NaNs in constants are read as other numbers",
            until="reads hexadecimal elements of floats as their bits",
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
            name="number of blocks",
            module="xdsl.ir.core",
            changes={
                "Operation.verify(self, verify_nested_ops)": (
                    verification.verify_op_in_place
                ),
                "Block.verify(self)": verification.verify_ops_of_block,
            },
            why="The verifier counts all blocks of a region once for each of them.",
            lost="functions of many blocks are verified in quadratic time",
            until="verifies regions in linear time",
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
            why="From each operand in a function the verifier climbs to the function.",
            lost="verification of nested loops takes longer",
            until="verifies isolation in linear time",
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
            changes={"xDSLOptMain.setup_pipeline(self)": _show_diagnostics_alone},
            why="A diagnostic ends the driver as any exception does.",
            lost="errors in programs are shown with the traceback of xDSL's driver",
            until="prints diagnostics alone "
            "(docs/upstream/xdsl-diagnostics-without-traceback.patch)",
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


# Applying


class _ChangedError(Exception):
    """Something in xDSL that a patch changes or uses is not what it was."""


def _apply(patch: Patch) -> None:
    try:
        places = [_find(patch.module, target) for target in patch.changes]
        for used in patch.uses:
            _attribute(patch.module, used)
        if not is_tested() and not _still_needed(patch):
            return
    except _ChangedError as changed:
        warn(
            f"xDSL {xdsl_version()} has changed {changed}, which xdsl-bufferization "
            f"amends. Until there is a version for this xDSL, {patch.lost}.",
            XDSLChangedWarning,
            stacklevel=2,
        )
        return
    for (owner, name, original), change in zip(
        places, patch.changes.values(), strict=True
    ):
        method: Any = getattr_static(owner, name, None)
        kind = type(method)
        if kind in (staticmethod, classmethod):
            setattr(owner, name, kind(change(method.__func__)))
        else:
            setattr(owner, name, change(original))


def _still_needed(patch: Patch) -> bool:
    # Probes are for an xDSL that is not known; others do not pay for their import.
    from xdsl_bufferization.xdsl_probes import PROBES

    try:
        return PROBES[patch.name]()
    except Exception as error:
        raise _ChangedError(f"what '{patch.name}' probes ({error})") from error


def _find(module: str, target: str) -> tuple[Any, str, Any]:
    """Return the owner, the name and the value of a target; of a field no value.

    Raises:
        _ChangedError: the target is not as its text says.
    """
    path, call, parameters = target.partition("(")
    owner, name, value = _attribute(module, path, is_field=not call)
    if not call:
        return owner, name, None
    function = value
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(function, "__code__", None)
    if code is None or ", ".join(_parameters(code)) != parameters.rstrip(")"):
        raise _ChangedError(target)
    return owner, name, value


def _parameters(code: Any) -> Sequence[str]:
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _attribute(module: str, path: str, is_field: bool = False) -> tuple[Any, str, Any]:
    other, in_other, path = path.rpartition(":")
    *outer, name = path.split(".")
    owner: Any = import_module(other) if in_other else sys.modules[module]
    for part in outer:
        owner = getattr(owner, part, None)
    fields = getattr(owner, "__dataclass_fields__", ())
    if not (name in fields if is_field else hasattr(owner, name)):
        raise _ChangedError(path)
    return owner, name, getattr(owner, name, None)


class _PatchingFinder(MetaPathFinder):
    """Finds one module as Python would, and patches it when it is executed."""

    def __init__(self, patch: Patch) -> None:
        self.patch = patch

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if fullname != self.patch.module:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            _patch_after_execution(spec.loader, self.patch)
        return spec


def _patch_after_execution(loader: Loader, patch: Patch) -> None:
    execute = loader.exec_module

    def execute_and_patch(module: ModuleType) -> None:
        execute(module)
        _apply(patch)

    loader.exec_module = execute_and_patch
