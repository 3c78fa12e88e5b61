"""What installing the package does to xdsl-opt: it adds, overrides, breaks nothing."""

from __future__ import annotations

import ast
import dataclasses
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import get_type_hints

import pytest
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def
from xdsl.irdl.declarative_assembly_format import FormatProgram
from xdsl.passes import ModulePass as XDSLModulePass
from xdsl.transforms import get_all_passes
from xdsl.universe import XDSL_UNIVERSE, Universe
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline
from xdsl.utils.exceptions import ParseError, PassFailedException
from xdsl.utils.target import Target

from xdsl_bufferization.dialects.late_formats import LateFormat
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.canonicalization_patterns.constant_pool import (
    defines_constant,
)
from xdsl_bufferization.universe import BUFFERIZATION_UNIVERSE, new_context

PACKAGE = Path(str(files("xdsl_bufferization")))
DIALECTS = BUFFERIZATION_UNIVERSE.all_dialects
PASSES = BUFFERIZATION_UNIVERSE.all_passes
TARGETS = BUFFERIZATION_UNIVERSE.all_targets

# A dialect's op names its canonicalization patterns in a trait, which imports them when
# canonicalize asks: the one way up, and it is xDSL's own.
PATTERNS = f"{PACKAGE.name}.transforms.canonicalization_patterns"


def load_pass(name: str) -> type[XDSLModulePass]:
    return PASSES[name]()


def options(pass_class: type[XDSLModulePass]) -> list[str]:
    return [
        field.name
        for field in dataclasses.fields(pass_class)
        if field.init and field.name != "name"
    ]


# ---------------------------------------------------------------------------------------
# Start-up


SCALARS = "func.func @f(%i: index) -> index { return %i : index }"
INSERT = """
func.func @f(%t: tensor<8xf32>, %i: index, %x: f32) -> tensor<8xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  return %0 : tensor<8xf32>
}"""
LOOP = """
func.func @f(%t: tensor<8xf32>, %c: index, %x: f32) -> tensor<8xf32> {
  %0 = scf.for %i = %c to %c step %c iter_args(%a = %t) -> (tensor<8xf32>) {
    %1 = tensor.insert %x into %a[%i] : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}"""
FILL = """
func.func @f(%x: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}"""

BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries}"
DEALLOCATE = f"{BUFFERIZE},buffer-deallocation-pipeline"


def modules_imported(program: str, pipeline: str = "") -> set[str]:
    """All modules that a process of xdsl-opt imports for a program."""
    arguments = ["xdsl-opt", "-p", pipeline] if pipeline else ["xdsl-opt"]
    script = (
        "import json, sys\n"
        "from xdsl.tools.xdsl_opt import main\n"
        f"sys.argv = {arguments}\n"
        "main()\n"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        check=True,
        input=program,
        capture_output=True,
        text=True,
    )
    assert "builtin.module" in run.stdout
    return set(json.loads(run.stderr))


def test_xdsl_opt_imports_nothing_but_the_tables() -> None:
    modules = modules_imported("builtin.module {}")
    ours = {name for name in modules if name.split(".")[0] == PACKAGE.name}
    # The tables, what xDSL's parser lacks, how its verifier counts blocks, and what rests
    # the garbage collector during imports.
    assert ours == {
        "xdsl_bufferization",
        "xdsl_bufferization.dialects",
        "xdsl_bufferization.dialects.affine_expressions",
        "xdsl_bufferization.dialects.builtin",
        "xdsl_bufferization.dialects.dense_bits",
        "xdsl_bufferization.dialects.dense_elements",
        "xdsl_bufferization.dialects.late_formats",
        "xdsl_bufferization.dialects.llvm_flags",
        "xdsl_bufferization.dialects.parsed_once",
        "xdsl_bufferization.dialects.verification",
        "xdsl_bufferization.dialects.verification_plans",
        "xdsl_bufferization.dialects.wide_floats",
        "xdsl_bufferization.error_positions",
        "xdsl_bufferization.guest",
        "xdsl_bufferization.large_programs",
        "xdsl_bufferization.locations",
        "xdsl_bufferization.patching",
        "xdsl_bufferization.universe",
        "xdsl_bufferization.xdsl_patches",
    }
    assert not {"numpy", "llvmlite"} & modules


@pytest.mark.parametrize(
    ("program", "pipeline", "dialects"),
    [
        (SCALARS, "", {"func"}),
        (INSERT, "", {"func", "tensor"}),
        (INSERT, BUFFERIZE, {"bufferization", "func", "memref", "tensor"}),
        (LOOP, BUFFERIZE, {"bufferization", "func", "memref", "scf", "tensor"}),
        (FILL, BUFFERIZE, {"bufferization", "func", "linalg", "memref", "tensor"}),
        # The ownership of buffers is in values of arith.
        (INSERT, DEALLOCATE, {"arith", "bufferization", "func", "memref", "tensor"}),
        (
            FILL,
            DEALLOCATE,
            {"arith", "bufferization", "func", "linalg", "memref", "tensor"},
        ),
    ],
)
def test_xdsl_opt_imports_the_dialects_in_use(
    program: str, pipeline: str, dialects: set[str]
) -> None:
    """Of the dialects of this package only those of the ops that the program has or gets;
    and no pass, model or pattern that nothing asks for."""
    modules = modules_imported(program, pipeline)
    folder = f"{PACKAGE.name}.dialects."
    assert {name for name in DIALECTS if folder + name in modules} <= dialects
    assert not any(name.startswith(f"{PACKAGE.name}.conversion") for name in modules)
    unused = DIALECTS.keys() - dialects
    assert not [
        name
        for name in modules
        if name.startswith((f"{PACKAGE.name}.models.", f"{PACKAGE.name}.transforms."))
        and name.rpartition(".")[2] in unused
    ]
    assert not any("runtime_verif" in name for name in modules)


@pytest.mark.parametrize("name", DIALECTS)
def test_assembly_formats_compile(name: str) -> None:
    """They are compiled when an op is first parsed or printed, so that a wrong one would
    not be met when the dialect is loaded."""
    for op in DIALECTS[name]().operations:
        assert issubclass(op, IRDLOperation)
        definition = op.get_irdl_definition()
        if definition.assembly_format is not None:
            late: object = FormatProgram.from_str(definition.assembly_format, definition)
            assert isinstance(late, LateFormat)
            assert late.program.stmts


@irdl_op_definition
class OwnOp(IRDLOperation):
    """An op of a dialect that this package does not know."""

    name = "own.op"
    value = operand_def()
    assembly_format = "$value `:` type($value) attr-dict"


def test_formats_of_other_dialects_compile_at_once() -> None:
    definition = OwnOp.get_irdl_definition()
    assert definition.assembly_format is not None
    program = FormatProgram.from_str(definition.assembly_format, definition)
    assert isinstance(program, FormatProgram)
    with pytest.raises(ParseError):
        FormatProgram.from_str("$no_such_operand attr-dict", definition)


def tables_in(module: str) -> Mapping[str, object] | None:
    return getattr(import_module(f"{PATTERNS}.{module}"), "PATTERNS", None)


def test_constants_have_no_rules_but_the_pool() -> None:
    """Their dialects' rules are not loaded for them."""
    folder = PACKAGE / "transforms" / "canonicalization_patterns"
    tables = [
        patterns
        for file in sorted(folder.glob("[a-z]*.py"))
        if (patterns := tables_in(file.stem)) is not None
    ]
    assert tables
    constants = {
        op.name
        for load in DIALECTS.values()
        for op in load().operations
        if defines_constant(op)
    }
    assert {"arith.constant", "index.constant"} <= constants
    assert not constants & {name for table in tables for name in table}


# ---------------------------------------------------------------------------------------
# The universe


@pytest.mark.parametrize("name", DIALECTS)
def test_dialect_loads(name: str) -> None:
    assert DIALECTS[name]().name == name


def test_targets_load() -> None:
    for name, load in TARGETS.items():
        target = load()
        assert issubclass(target, Target)
        assert target.name == name


def test_names_taken_over_from_xdsl_have_one_definition() -> None:
    assert not DIALECTS.keys() & XDSL_UNIVERSE.all_dialects.keys()
    multiverse = Universe.get_multiverse()
    for name, load in DIALECTS.items():
        assert multiverse.all_dialects[name] is load


def test_nothing_of_xdsl_is_lost() -> None:
    multiverse = Universe.get_multiverse()
    assert multiverse.all_dialects.keys() >= get_all_dialects().keys()
    assert multiverse.all_passes.keys() >= get_all_passes().keys()


def test_all_dialects_load_together() -> None:
    context = new_context()
    for name in Universe.get_multiverse().all_dialects:
        context.load_registered_dialect(name)


def test_new_context_starts_empty() -> None:
    assert isinstance(new_context(), Context)
    assert list(new_context().loaded_dialects) == []


# ---------------------------------------------------------------------------------------
# Passes


@pytest.mark.parametrize("name", PASSES)
def test_pass_has_name_and_documentation(name: str) -> None:
    pass_class = load_pass(name)
    assert issubclass(pass_class, ModulePass)
    assert pass_class.name == name
    own_doc = vars(pass_class).get("__doc__") or ""
    generated = f"{pass_class.__name__}("  # what a dataclass says without a docstring
    assert own_doc and not own_doc.startswith(generated)
    undocumented = [
        option
        for option in options(pass_class)
        if option not in own_doc and option.replace("_", "-") not in own_doc
    ]
    assert not undocumented


@pytest.mark.parametrize("name", sorted(PASSES.keys() - {"transform-interpreter"}))
def test_pass_runs_on_an_empty_module(name: str) -> None:
    """Not the interpreter, which refuses a module without a script, as mlir-opt does."""
    module = ModuleOp([])
    load_pass(name).from_spec(ArgSpec(name, {})).apply(new_context(), module)
    module.verify()


@pytest.mark.parametrize("name", PASSES)
def test_flags_may_be_bare(name: str) -> None:
    pass_class = load_pass(name)
    hints = get_type_hints(pass_class)
    flags = [option for option in options(pass_class) if hints[option] is bool]
    for flag in flags:
        spec = ArgSpec(name, {flag.replace("_", "-"): ()})
        assert getattr(pass_class.from_spec(spec), flag) is True


@pytest.mark.parametrize("name", PASSES)
@pytest.mark.parametrize(
    ("value", "meaning"),
    [
        *((value, True) for value in ("1", "true", "True", "TRUE")),
        *((value, False) for value in ("0", "false", "False", "FALSE")),
    ],
)
def test_flags_are_read_as_by_mlir_opt(name: str, value: str, meaning: bool) -> None:
    pass_class = load_pass(name)
    hints = get_type_hints(pass_class)
    for flag in (option for option in options(pass_class) if hints[option] is bool):
        (spec,) = parse_pipeline(f"{name}{{{flag.replace('_', '-')}={value}}}")
        assert getattr(pass_class.from_spec(spec), flag) is meaning


def test_a_flag_that_is_no_truth_value_is_a_diagnostic() -> None:
    for value in ("2", "yes", "1.0", "1,1"):
        (spec,) = parse_pipeline(f"one-shot-bufferize{{allow-unknown-ops={value}}}")
        with pytest.raises(PassFailedException, match="must be true or false"):
            load_pass("one-shot-bufferize").from_spec(spec)


@pytest.mark.parametrize("name", PASSES)
def test_an_unknown_option_is_a_diagnostic(name: str) -> None:
    with pytest.raises(PassFailedException, match=f"^{name}: .*no.such.option") as error:
        load_pass(name).from_spec(ArgSpec(name, {"no-such-option": (1,)}))
    for option in options(load_pass(name)):
        assert option.replace("_", "-") in str(error.value)


# ---------------------------------------------------------------------------------------
# Layers

LAYERS = (
    {
        "dialects",
        "error_positions",
        "guest",
        "large_programs",
        "locations",
        "pass_options",
        "pipeline_texts",
        "patching",
        "planner",
        "records",
        "remarks",
        "xdsl_patches",
        "xdsl_probes",
    },
    {"interfaces"},
    {"analysis"},
    {"models", "base_models", "checkers"},
    {"programs"},
    {"module_pass"},
    {"transforms", "conversion"},
    {"pipelines"},
    {"universe", "without_universe"},
    {"api", "report"},
    {"jit"},
    {"testing", "__main__"},
)


def layer(room: str) -> int:
    return next(number for number, rooms in enumerate(LAYERS) if room in rooms)


def imports_of(file: Path) -> Iterator[str]:
    """The modules of the package that a file imports, wherever in the file."""
    package = (PACKAGE.name, *file.relative_to(PACKAGE).parent.parts)
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            up = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join((*up, *filter(None, [node.module])))
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (name for name in names if name.startswith(f"{PACKAGE.name}."))


@pytest.mark.parametrize(
    "file",
    [file for file in sorted(PACKAGE.rglob("*.py")) if file.name != "__init__.py"],
    ids=lambda file: str(file.relative_to(PACKAGE)),
)
def test_imports_run_one_way(file: Path) -> None:
    own = layer(file.relative_to(PACKAGE).parts[0].removesuffix(".py"))
    upward = {name for name in imports_of(file) if layer(name.split(".")[1]) > own}
    if own == layer("dialects"):
        upward = {name for name in upward if not name.startswith(PATTERNS)}
    assert not upward


def modules() -> dict[str, Path]:
    return {
        ".".join((PACKAGE.name, *file.relative_to(PACKAGE).with_suffix("").parts)): file
        for file in PACKAGE.rglob("*.py")
        if file.name != "__init__.py"
    }


TYPE_CYCLE = {
    f"{PACKAGE.name}.interfaces.{name}"
    for name in (
        "analysis_state",
        "base_models",
        "buffer_type_inference",
        "bufferizable",
        "bufferization_options",
        "bufferization_rewriter",
        "destination_style",
        "reify",
    )
}
"""The questions about bufferization mention each other in their types, and only there."""


def test_no_modules_import_each_other() -> None:
    files = modules()
    sorter = TopologicalSorter[str]()
    for name, file in files.items():
        for imported in imports_of(file):
            if imported in files and not {name, imported} <= TYPE_CYCLE:
                sorter.add(name, imported)
    sorter.prepare()  # raises CycleError


# What a checker may share with what it judges; the head of each checker says so too.
JUDGED = ("analysis.one_shot", "analysis.deallocation", "models", "transforms")


@pytest.mark.parametrize("file", sorted((PACKAGE / "checkers").rglob("*.py")), ids=str)
def test_checkers_do_not_share_what_they_judge(file: Path) -> None:
    judged = tuple(f"{PACKAGE.name}.{name}" for name in JUDGED)
    assert not [name for name in imports_of(file) if name.startswith(judged)]


# ---------------------------------------------------------------------------------------
# Tests

TESTS = Path(__file__).parent
# Each method of testing has a folder; those of programs mirror the package in turn.
MIRRORS = ("", "filecheck", "oracle")
OF_NO_PACKAGE = {
    "execution": "programs that are compiled and run",
    "random_programs": "a generator, and all checks of what it generates",
    "robustness": "broken programs through all passes",
    "preloaded": "commands that start faster",
    "filecheck/examples": "the programs of examples/",
    "filecheck/reference": "the programs of MLIR's documents",
    "oracle/models/rewrite": "programs whose decisions differ from mlir-opt's",
    "oracle/models/special": "programs that name their own options",
    "oracle/models/scf/special": "programs that name their own options",
}


def folders_of_tests(root: Path) -> Iterator[str]:
    """The folders below one of them that hold tests or programs."""
    for file in sorted((*root.rglob("*.py"), *root.rglob("*.mlir"))):
        yield str(file.parent.relative_to(TESTS))


@pytest.mark.parametrize("root", MIRRORS)
def test_tests_mirror_the_package(root: str) -> None:
    """What covers a part of the package is in the folder of its name."""
    others = {*OF_NO_PACKAGE, *filter(None, MIRRORS)} - {root}
    for folder in set(folders_of_tests(TESTS / root)):
        if any(f"{folder}/".startswith(f"{other}/") for other in others):
            continue
        part = PACKAGE / Path(folder).relative_to(root)
        assert part.is_dir() or part.with_suffix(".py").is_file(), folder


def test_folders_of_no_package_exist() -> None:
    assert all((TESTS / folder).is_dir() for folder in OF_NO_PACKAGE)


# ---------------------------------------------------------------------------------------
# What users read


def texts_of(file: Path) -> Iterator[str]:
    """The strings of a file that are no docstrings."""
    tree = ast.parse(file.read_text())
    parents = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    documented = [node for node in ast.walk(tree) if isinstance(node, parents)]
    statements = {
        id(statement.value)
        for node in documented
        for statement in node.body
        if isinstance(statement, ast.Expr)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in statements:
            continue
        if isinstance(node.value, str):
            yield node.value


def test_messages_name_nothing_that_a_wheel_lacks() -> None:
    """Who has only the wheel has no docs/."""
    found = {
        f"{file.name}: {text}"
        for file in PACKAGE.rglob("*.py")
        if file.name != "xdsl_patches.py"  # which maintainers read
        for text in texts_of(file)
        if re.search(r"docs/|\.md\b", text)
    }
    assert not found
