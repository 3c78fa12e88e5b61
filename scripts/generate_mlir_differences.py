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

If mlir-opt 22 accepts a program and compiles it correctly, this package makes the same
in-place decisions and produces the same IR, up to canonicalization and CSE. The
comparison tests in `tests/oracle` require it. This page lists every known exception with
the program that shows it. The notes say what is wrong, or missing, in mlir-opt 22.1.

Some rules go further than MLIR's in general:

- The argument of a block may be read, and its buffer written, in later blocks: One-Shot
  Analysis here follows the control flow between them. MLIR assumes that such a write is
  outside the argument's scope.
  Only a write that surely changes nothing (what is there is copied to itself, or a loop
  carries a buffer and does not write it) is none there.
- A cycle of blocks around an op repeats everything nested in that op.
- An unknown op with regions may repeat them.
- The analysis knows if a function returns one new buffer as two results.
- It also knows if a function returns a constant, or other memory that must not be
  written. The caller then copies the result before writing it.
- A tile that moves with a loop is not updated in place in a tensor from outside the loop.
- A loop copies a constant that it yields and that is written afterwards, and a buffer
  that it would yield twice, unless what it yields is only read from then on.
- A result of scf.index_switch is the buffer that is yielded, if anything uses the result.
- If a tensor is copied before a loop that yields it, the loop yields a value from
  outside.
- Every use of the result of bufferization.to_buffer reads the buffer.
- An op may read and write element by element in place if every tensor that the written
  operand may be is either the tensor that is read or shares no memory with it. For MLIR,
  one such tensor is enough.
- An insertion at the end of a scf.forall does not read what an earlier insertion
  replaced.
- A bufferization.to_tensor without `restrict` is a copy of its buffer, or the buffer
  itself if nothing writes to it afterwards. So one-shot-bufferize can run on a program
  that it, or another pass, has bufferized in part.
- A filter of dialects or ops treats the terminator of a region like the op that has the
  region: a scf.forall is bufferized with its insertions, or stays on tensors with them,
  and branches are analysed with the op around them, as they are rewritten with it.
- An op or branch that is left on tensors may return or forward the buffer of an operand.
  The operand is copied if it is overwritten before that is read.
- A materialize_in_destination is refused only when the conflict cannot be avoided by a
  copy elsewhere.

Functions that do not call each other are bufferized in the order of the program. The
globals that their constants become can therefore be in a different order than mlir-opt's.

[A separate page](differences/deallocation.md) describes the differences in deallocation.

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
