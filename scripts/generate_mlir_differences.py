"""Writes docs/mlir-differences.md from the notes in the comparison tests.

    python scripts/generate_mlir_differences.py            write
    python scripts/generate_mlir_differences.py --check    fail when it is not up to date

A program in tests/oracle whose result differs from mlir-opt's says so and why, and the
test fails when that is no longer so. This page is what they say.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROGRAMS = ROOT / "tests" / "oracle"
PAGE = ROOT / "docs" / "mlir-differences.md"
NOTE = re.compile(r"^\s*// (DIFFERS|MLIR-REJECTS): (.*(?:\n\s*//(?! [A-Z-]+:).*)*)", re.M)
SYMBOL = re.compile(r"(?:func\.func|module|ml_program\.\w+).*?@(\w+)")

HEADER = """\
# Where results differ from mlir-opt 22

On a program that mlir-opt 22 accepts and compiles correctly, the same in-place decisions
are made and the same IR comes out, up to canonicalization and CSE. The comparison tests
in `tests/oracle` demand it. What follows is all they know of that is otherwise, each with
the program that shows it. The notes say what is wrong, or missing, in mlir-opt 22.1.

Some rules go beyond MLIR's throughout:

- The argument of a block may be read, and its buffer written, in later blocks: One-Shot
  Analysis here follows the control flow between them. MLIR takes such a write for one out
  of the argument's scope.
- A loop of blocks around an op repeats everything nested in that op.
- An op with regions about which nothing is known may repeat them.
- A function that returns one new buffer as two results is seen to do so.
- A function that returns a constant, or other memory that must not be written, is seen to
  do so, and its caller copies that before writing it.
- A tile that moves with a loop is not updated in place in a tensor from outside the loop.
- A loop copies a constant that it hands on and that is written afterwards, and one buffer
  that it would yield twice.
- A tensor that was copied before a loop which yields it is seen to be from outside.
- A buffer that bufferization.to_buffer hands out is read where it is used, in all places.
- An op may read and write element by element in place if all that the written tensor may
  be is the tensor that is read, or shares nothing with it. To MLIR one way suffices.
- Of the insertions that end a scf.forall, one does not read what one before it replaced.
- A bufferization.to_tensor without `restrict` is a copy of its buffer, or that itself
  if nothing writes that afterwards; so one-shot-bufferize can run on what it, or another
  pass, has bufferized in part.
- A filter of dialects or ops takes what ends a region together with the op that has the
  region: a scf.forall is bufferized with its insertions, or stays on tensors with them.
- A materialize_in_destination is refused only when the conflict cannot be avoided by a
  copy elsewhere.

Functions that do not call each other are bufferized in the order of the program; so the
globals that their constants become may stand in another order than mlir-opt's.

Of buffer deallocation there is more on [a page of its own](differences/deallocation.md).

<!-- Written by scripts/generate_mlir_differences.py from tests/oracle: edit those. -->
"""

TITLES = {
    "DIFFERS": "## Other results",
    "MLIR-REJECTS": "## Accepted here, refused there",
}


def notes() -> Iterator[tuple[str, str, str, str]]:
    """Every note: its kind, the file, the program, and what it says."""
    for path in sorted(PROGRAMS.rglob("*.mlir")):
        for chunk in re.split(r"^\s*// -----.*$", path.read_text(), flags=re.M):
            note = NOTE.search(chunk)
            if note is None:
                continue
            code = re.sub(r"//.*", "", chunk)
            symbol = SYMBOL.search(code)
            text = " ".join(
                line.strip().removeprefix("//").strip() for line in note[2].splitlines()
            )
            name = "" if symbol is None else symbol[1]
            yield note[1], str(path.relative_to(PROGRAMS)), name, text.rstrip(".")


def page() -> str:
    """The text of the page."""
    parts = [HEADER]
    found = list(notes())
    for kind, title in TITLES.items():
        parts.append(f"\n{title}\n")
        file = ""
        for note_kind, path, name, text in found:
            if note_kind != kind:
                continue
            if path != file:
                file = path
                parts.append(f"\n`tests/oracle/{path}`\n\n")
            parts.append(f"- `@{name}`: {text}.\n")
    return "".join(parts)


def main() -> int:
    text = page()
    if "--check" not in sys.argv:
        PAGE.write_text(text)
        return 0
    if not PAGE.exists() or PAGE.read_text() != text:
        print(f"{PAGE.relative_to(ROOT)} is not up to date: run {Path(__file__).name}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
