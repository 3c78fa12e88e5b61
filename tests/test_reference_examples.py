"""docs/reference-examples.md and the tests it lists agree: each test is listed once, in
the part of its document, with the section that its first line names, and each has a check
that can fail."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reference-examples.md"
TESTS = ROOT / "tests" / "filecheck" / "reference"
ROW = re.compile(r"^\| (.+?) \| .+ \| \[(\S+)\]\((\S+)\) \|$", re.MULTILINE)
FILES = sorted(TESTS.rglob("*.mlir"))


def name_of(path: Path) -> str:
    return str(path.relative_to(TESTS))


def test_the_page_lists_every_test_once() -> None:
    listed = [row[1] for row in ROW.findall(PAGE.read_text())]
    assert sorted(listed) == sorted(map(name_of, FILES))


def test_every_document_has_a_heading_and_says_what_is_no_example() -> None:
    documents = {path.parent.name for path in FILES}
    sections = PAGE.read_text().split("\n## ")[1:]
    assert len(sections) == len(documents) == 5
    for section in sections:
        folders = {row[1].partition("/")[0] for row in ROW.findall(section)}
        assert len(folders) == 1
        assert section.strip().splitlines()[-1].endswith(".")


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_test_names_its_section_as_the_page_does(path: Path) -> None:
    rows = {
        name: (section, link) for section, name, link in ROW.findall(PAGE.read_text())
    }
    section, link = rows[name_of(path)]
    first, *rest = path.read_text().splitlines()
    assert first.startswith("// From: ")
    assert first.partition(" | ")[2] == section
    assert (PAGE.parent / link).resolve() == path.resolve()
    runs = [line for line in rest if line.startswith("// RUN: ")]
    assert runs
    for run in runs:
        prefix = re.search(r"--check-prefix (\w+)", run)
        check = "CHECK" if prefix is None else prefix[1]
        assert any(re.match(rf"// {check}(-[A-Z0-9-]+)?: *\S", line) for line in rest)
