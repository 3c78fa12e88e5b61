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
comparison tests in `tests/oracle` require it. This page lists every known exception
with the program that shows it. The notes describe errors and limitations of mlir-opt
22.1.

Some rules are more general than MLIR's:

- A block argument may be read, and its buffer written, in later blocks: One-Shot
  Analysis here follows the control flow between them. MLIR assumes that such a write is
  outside the argument's scope. In later blocks, a write is ignored if it definitely
  changes nothing (contents are copied to themselves, a slice is inserted where it was
  extracted, or a loop carries a buffer and does not write it), or if no op looks at the
  contents that are read afterwards (a tensor is forwarded, or copied into another one,
  which has no use). An op that computes something from them does look at them, even if
  its result has no use: `verify-result` demands that each op finds the contents that the
  program says.
- An op in a cycle of blocks is repeated with everything nested in it.
- An unknown op with regions may execute them repeatedly. What ends such a region, be it
  of an unregistered op or of an `scf.if` that a filter leaves on tensors, may be a result
  of the op: it is copied if the result is read after the buffer has been overwritten.
- If an unknown op has a result of a type that may refer to memory, such as a tuple, its
  operands are copied if they are written later.
- The analysis detects that a function returns the same new buffer as two results.
- It also detects that a function returns a constant, or other memory that must not be
  written. The caller then copies the result before writing it.
- A loop, or a call, that writes two operands gets them in two buffers, also if they are
  one tensor that nothing has written (`tensor.empty`), or that the callee only writes.
- A tile whose offsets depend on the iteration is not updated in place in a tensor from
  outside the loop.
- A loop copies a constant that it yields if the result is written afterwards. It also
  copies a buffer that it would yield twice, unless the results are only read, or one of
  them has no use, and no write to one of the iter_args or results comes before a read of
  the other. A result counts as the init operand that it may be.
- A result of scf.index_switch aliases the yielded buffers if the result is used. Writes
  that change nothing, and reads that no op looks at, are ignored, as in later blocks.
- If a tensor is copied before a loop that yields it, the yielded value counts as
  defined outside of the loop. It is copied again unless no write to it, or to the
  iter_arg or result, comes before a read under another of these names.
- Every use of the result of bufferization.to_buffer reads the buffer; writes between the
  to_buffer and such a read are ignored if they change nothing. A to_buffer without uses
  reads nothing.
- An elementwise op may read and write the same buffer in place if every tensor that the
  written operand may alias either is the tensor that is read or shares no memory with
  it. For MLIR, one such tensor is enough. A slice of an earlier iteration counts as
  another part of its tensor.
- A call defines the contents of a result that may be an argument or something else. For
  MLIR, the result has the contents of the argument, even if nothing defines these.
- An insertion at the end of a scf.forall does not read elements that an earlier
  insertion has overwritten.
- A bufferization.to_tensor without `restrict` is a copy of its buffer, or the buffer
  itself if nothing writes to it afterwards. `one-shot-bufferize` can therefore run on a
  program that it, or another pass, has partially bufferized.
- A filter of dialects or ops treats the terminator of a region like the op with the
  region: a scf.forall and its insertions are bufferized or left on tensors together,
  and branches are analysed and rewritten with the op around them. It does not exclude
  bufferization.to_tensor, whose buffer the ops that are bufferized use.
- An op or branch that is left on tensors may return or forward the buffer of an
  operand. The operand is copied if its buffer is overwritten before the returned or
  forwarded value is read.
- A materialize_in_destination is rejected only if no copy elsewhere can avoid the
  conflict.

Functions that do not call each other are bufferized in program order. The globals for
their constants can therefore be in a different order than mlir-opt's.

[A separate page](differences/deallocation.md) describes the differences in deallocation.

<!-- Written by scripts/generate_mlir_differences.py from tests/oracle: edit those. -->
"""

TITLES = {
    "DIFFERS": "## Other results",
    "MLIR-REJECTS": "## Accepted here, rejected there",
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
