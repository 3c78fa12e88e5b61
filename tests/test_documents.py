"""The documents tell the truth: their commands print what they show."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import Parser
from xdsl.transforms.dead_code_elimination import dce
from xdsl.utils.arg_spec import parse_pipeline

from tests.oracle.harness import requires_mlir_opt
from tests.oracle.location import mlir_opt_path
from tests.preloaded.server import preloaded_commands
from xdsl_bufferization.pipelines import BufferizationPipeline
from xdsl_bufferization.universe import BUFFERIZATION_UNIVERSE, new_context

pytestmark = pytest.mark.long

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
DOCUMENTS = [README, *sorted((ROOT / "docs").rglob("*.md"))]
FILE = re.compile(r"^```\w+ file=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BECOMES = re.compile(
    r"^```mlir\n([^`]*)^```\n\n(becomes[^\n]*)\n\n```mlir\n([^`]*)^```$", re.MULTILINE
)
HERE_DOCUMENT = re.compile(r"^cat > \S+ <<'END'\n(.*?)^END$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def search_path() -> Iterator[str]:
    """PATH with the commands of the environment, xdsl-opt loaded before."""
    packages = [f"xdsl_bufferization.{name}" for name in ("dialects", "transforms")]
    with preloaded_commands("xdsl.dialects", "xdsl.transforms", *packages) as scripts:
        tools = Path(sys.executable).parent
        yield os.pathsep.join((str(scripts), str(tools), os.environ["PATH"]))


def sessions(wanted: str) -> list[object]:
    """Every block of commands with their output, and the IR shown right before it."""
    found: list[object] = []
    for document in DOCUMENTS:
        program = ""
        previous = ""
        for language, text in FENCE.findall(document.read_text()):
            if language == "sh" and (pasted := HERE_DOCUMENT.search(text)):
                program = pasted[1]
            elif language == "mlir" and not HERE_DOCUMENT.search(previous):
                program = text
            elif language == wanted:
                name = f"{document.name}{len(found)}"
                found.append(pytest.param(document, program, text, id=name))
            previous = text
    return found


@pytest.mark.parametrize(("document", "program", "session"), sessions("console"))
def test_commands_print_what_is_shown(
    document: Path, program: str, session: str, tmp_path: Path, search_path: str
) -> None:
    """A command reads the IR before it under whatever name it gives to the file, and the
    files that the page names, in a folder with an environment in `.venv`, as `make`
    leaves it."""
    for name, text in FILE.findall(document.read_text()):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    if "examples/" in session:
        (tmp_path / "examples").symlink_to(ROOT / "examples", target_is_directory=True)
    for block in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, shown = split_command(block)
        for name in re.findall(r"(?<![\w/-])[\w-]+\.mlir", command):
            if not (tmp_path / name).exists():
                (tmp_path / name).write_text(program)
        run = subprocess.run(
            command,
            check=False,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PATH": search_path},
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr
        assert run.stdout.strip() == shown.strip()


def test_the_example_of_the_readme_can_be_pasted(tmp_path: Path) -> None:
    """It runs in a folder with an environment in `.venv`, and prints the next block."""
    blocks = FENCE.findall(README.read_text())
    (at,) = [at for at, (_, text) in enumerate(blocks) if HERE_DOCUMENT.search(text)]
    (tmp_path / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    run = subprocess.run(
        blocks[at][1],
        check=False,
        shell=True,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == blocks[at + 1][1].strip()


def split_command(block: str) -> tuple[str, str]:
    """A command, up to the line that closes its quotes, and its output."""
    lines = block.splitlines()
    for count in range(1, len(lines) + 1):
        command = "\n".join(lines[:count])
        if command.count("'") % 2 == 0 and not command.endswith("\\"):
            return command, "\n".join(lines[count:])
    raise ValueError(f"the quotes of this command are not closed: {block}")


@pytest.mark.parametrize(("document", "program", "session"), sessions("pycon"))
def test_python_sessions(
    document: Path,
    program: str,
    session: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in re.findall(r"[\w-]+\.mlir", session):
        (tmp_path / name).write_text(program)
    test = doctest.DocTestParser().get_doctest(session, {}, "session", None, 0)
    report: list[str] = []
    results = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(
        test, out=report.append
    )
    assert results.attempted and not results.failed, "".join(report)


@requires_mlir_opt
def test_the_list_of_passes_says_which_mlir_opt_has() -> None:
    page = (ROOT / "docs/passes.md").read_text()
    rows = re.findall(r"^\| \[`([\w-]+)`\]\(.*\| (yes)? *\|$", page, re.MULTILINE)
    assert rows
    asked = subprocess.run(
        [mlir_opt_path(), "--help"],
        check=True,
        capture_output=True,
        text=True,
    )
    theirs = set(re.findall(r"^ +--([\w-]+)", asked.stdout, re.MULTILINE))
    assert {name for name, known in rows if known} == theirs & {name for name, _ in rows}


NO_SAMPLE_OF_A_PROGRAM = {
    "finalizing-bufferize": "it shows ops that disappear",
    "remove-unread-buffers": "it shows ops that disappear",
    "transform-interpreter": "it shows a script",
    "verify-bufferization": "it shows what is refused",
    "verify-deallocation": "it shows what is refused",
    "verify-memory-plan": "it shows what is refused",
}
"""Passes whose samples no test runs, and why."""


def sections() -> Iterable[tuple[str, str]]:
    """The sections of docs/passes.md, by pass."""
    page = (ROOT / "docs/passes.md").read_text()
    parts = re.split(r"^### ([\w-]+)$", page, flags=re.MULTILINE)[1:]
    return zip(parts[::2], parts[1::2], strict=True)


def samples() -> Iterable[object]:
    """The pairs of programs, or parts of one, that "becomes" joins: the pass, the options
    that this sentence names, and both."""
    for name, section in sections():
        for before, words, after in BECOMES.findall(section):
            options = re.findall(r"`([\w-]+)`", words)
            yield pytest.param(name, options, before, after, id=name)


@pytest.mark.parametrize(("name", "options", "before", "after"), list(samples()))
def test_passes_do_what_their_samples_show(
    name: str, options: list[str], before: str, after: str
) -> None:
    """Up to dead code that the pass leaves, and messages that the sample cuts."""
    found, expected = parse_sample(before, after)
    (spec,) = parse_pipeline(f"{name}{{{' '.join(options)}}}" if options else name)
    context = new_context()
    BUFFERIZATION_UNIVERSE.all_passes[name]().from_spec(spec).apply(context, found)
    found.verify()
    for module in (found, expected):
        dce(module)
    assert comparable(found) == comparable(expected)


def test_every_sample_of_a_pass_is_run() -> None:
    """A block of MLIR is part of a sample that the test above runs."""
    others = {
        name
        for name, section in sections()
        if section.count("\n```mlir\n") != 2 * len(BECOMES.findall(section))
    }
    assert others == NO_SAMPLE_OF_A_PROGRAM.keys()


def parse_sample(before: str, after: str) -> tuple[ModuleOp, ModuleOp]:
    """Two programs. Ops outside of a function are put into one, with their free values as
    arguments, which returns what they leave unused at first."""
    if before.startswith("func.func"):
        first, second = (Parser(new_context(), t).parse_module() for t in (before, after))
        return first, second
    parts = [parse_part(text) for text in (before, after)]
    free = {n: v.type for part in reversed(parts) for n, v in part.free.items()}
    results = [n for n, v in parts[0].defined.items() if v.first_use is None]
    first, second = (part.to_module(sorted(free.items()), results) for part in parts)
    return first, second


@dataclass
class Part:
    """Ops of a function, the values that they use and those that they define, by name."""

    ops: list[Operation]
    free: dict[str, SSAValue]
    defined: dict[str, SSAValue]

    def to_module(
        self, arguments: Sequence[tuple[str, Attribute]], results: Sequence[str]
    ) -> ModuleOp:
        block = Block(self.ops, arg_types=[type_ for _, type_ in arguments])
        for (name, _), argument in zip(arguments, block.args, strict=True):
            if name in self.free:
                self.free[name].replace_all_uses_with(argument)
        returned = [self.defined[name] for name in results]
        block.add_op(func.ReturnOp(*returned))
        types = ([a.type for a in block.args], [value.type for value in returned])
        return ModuleOp([func.FuncOp("f", types, Region(block))])


def parse_part(text: str) -> Part:
    parser = Parser(new_context(), text)
    ops: list[Operation] = []
    while (op := parser.parse_optional_operation()) is not None:
        ops.append(op)
    free = {
        name: value
        for name, values in parser.forward_ssa_references.items()
        for value in values.values()
    }
    defined = {name: values[0] for name, values in parser.ssa_values.items()}
    return Part(ops, free, defined)


def comparable(module: ModuleOp) -> str:
    """The functions of a program as text: globals that a pass adds are not in samples."""
    functions = [op for op in module.ops if op.name != "memref.global"]
    for op in functions:
        op.detach()
    text = without_names(ModuleOp(functions))
    return re.sub(r'(Runtime op verification failed)[^"]*', r"\1 ...", text)


def without_names(module: ModuleOp) -> str:
    """The text of a module with numbers for the names of its values."""
    for op in module.walk():
        blocks = [block for region in op.regions for block in region.blocks]
        for value in [*op.results, *(arg for block in blocks for arg in block.args)]:
            value.name_hint = None
    return str(module)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", prose):
        assert (document.parent / target).exists(), target


def test_the_site_offers_every_page() -> None:
    offered = set(re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.M))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in DOCUMENTS[1:]}
    assert pages <= offered


LOOK_UP = re.compile(
    r"^\| (?P<question>[^|]+) \| (?P<places>[^|]*\.py`[^|]*) \|$", re.MULTILINE
)


@pytest.mark.parametrize(
    ("question", "places"),
    LOOK_UP.findall(
        (ROOT / "docs/architecture.md").read_text().partition("## Where is")[2]
    ),
)
def test_what_is_looked_up_is_there(question: str, places: str) -> None:
    """Files exist, for `<dialect>` some of them; names after a file are defined there."""
    text = ""
    for place in re.findall(r"`([^`]+)`", places):
        if place.endswith(".py"):
            pattern = place.replace("<dialect>", "*")
            files = list((ROOT / "xdsl_bufferization").glob(pattern))
            assert files, f"{question}: no {place}"
            text = files[0].read_text()
        else:
            assert re.search(rf"\b(?:class|def) {place}\b", text), f"{question}: {place}"


def test_every_package_is_in_the_architecture() -> None:
    page = (ROOT / "docs/architecture.md").read_text()
    table = page.partition("## Packages")[2].partition("\n## ")[0]
    parts = {
        f"{path.name}/" if path.is_dir() else path.name
        for path in (ROOT / "xdsl_bufferization").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    missing = {part for part in parts - {"__init__.py"} if f"`{part}" not in table}
    assert not missing


def test_the_passes_of_bufferization_pipeline_are_listed_in_order() -> None:
    page = (ROOT / "docs/copies.md").read_text()
    table = page.partition("## The passes, in order")[2].partition("\n\nThe option")[0]
    passes = BufferizationPipeline().get_passes()
    assert re.findall(r"`([^`]+)`", table) == [each.name for each in passes]


# Commands without output, and Python without a session.

PROGRAM = """
func.func @main(%t: tensor<2x2xf32>, %s: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = linalg.add ins(%t, %s : tensor<2x2xf32>, tensor<2x2xf32>)
    outs(%s : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
"""
BUFFERS = "id,lower,upper,size\n0,0,3,4\n1,3,9,4\n2,0,9,4\n"
COMMANDS_RUN = ("copies.md", "index.md", "memory.md", "running.md", "why-a-copy.md")
PYTHON_RUN = ("memory.md", "without-universe.md")
NOT_RUN = {
    ("README.md", "sh"): "they install, and run all tests",
    ("canonicalize.md", "sh"): "they compare all programs of the tests",
    ("copies.md", "mlir"): "parts of programs, which passes.md has complete",
    ("memory.md", "mlir"): "the head of a function",
    ("notebooks.md", "sh"): "they install marimo and open a browser",
    ("testing.md", "python"): "a test as the pages of tests/oracle have it",
    ("testing.md", "sh"): "they run tests for minutes",
    ("tutorial.md", "sh"): "they install the package",
}
"""Blocks that no test runs, by page and language, and why. Blocks of text are drawings,
outputs and options of other tools."""


def blocks_of(document: Path, language: str) -> list[str]:
    return [
        text for found, text in FENCE.findall(document.read_text()) if found == language
    ]


@pytest.mark.parametrize("page", COMMANDS_RUN)
def test_commands_without_output_succeed(
    page: str, tmp_path: Path, search_path: str
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples", target_is_directory=True)
    for text in blocks_of(ROOT / "docs" / page, "sh"):
        for name in re.findall(r"(?<![\w/])\w+\.mlir", text):
            (tmp_path / name).write_text(PROGRAM)
        (tmp_path / "buffers.csv").write_text(BUFFERS)
        np.save(tmp_path / "a.npy", np.ones((2, 2), "f"))
        run = subprocess.run(
            ["sh", "-ec", text],
            check=False,
            cwd=tmp_path,
            env={**os.environ, "PATH": search_path},
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("page", PYTHON_RUN)
def test_python_of_a_page_runs(page: str) -> None:
    """One block after the other, with a program."""
    names: dict[str, object] = {"program": PROGRAM}
    for text in blocks_of(ROOT / "docs" / page, "python"):
        exec(compile(text, page, "exec"), names)


def test_every_block_is_run_or_explained() -> None:
    unexplained: set[tuple[str, str]] = set()
    for document in DOCUMENTS:
        languages = [language for language, _ in FENCE.findall(document.read_text())]
        for number, language in enumerate(languages, 1):
            # a program is that of the commands up to the next one
            of_program = takewhile(lambda other: other != "mlir", languages[number:])
            is_run = (
                language in ("", "console", "pycon", "text")
                or document.name == "passes.md"
                or (language == "mlir" and {"console", "pycon"} & {*of_program})
                or (language == "mlir" and document == README)
                or (language == "sh" and document.name in COMMANDS_RUN)
                or (language == "python" and document.name in PYTHON_RUN)
            )
            if not is_run:
                unexplained.add((document.name, language))
    assert unexplained == NOT_RUN.keys()
