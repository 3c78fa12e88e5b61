"""Remarks in the format of compilers, with the source line and a caret.

update.mlir:2:11: remark: copies 32 bytes: tensor.insert (update.mlir:2:11) would ...
  %once = tensor.insert %x into %t[%i] : tensor<8xf32>
          ^
update.mlir:2:11: note: move tensor.extract (update.mlir:4:10) before ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import IO

from xdsl_bufferization.locations import source_line
from xdsl_bufferization.remarks.model import Cause, Remark


def print_remarks(remarks: Iterable[Remark], output: IO[str]) -> None:
    """Print the remarks on memory that is there in the end."""
    for block in remark_texts(remarks):
        output.write(block)


def remark_texts(remarks: Iterable[Remark]) -> Iterator[str]:
    """Iterate over what is printed of remarks: an allocation and the copy into it, of one
    cause, are one text."""
    of_causes: dict[Cause, list[Remark]] = {}
    for remark in remarks:
        if remark.is_there:
            of_causes.setdefault(remark.cause, []).append(remark)
    for several in of_causes.values():
        copies = [remark for remark in several if remark.subject != "allocation"]
        first, *others = copies or [_together(several)]
        outside = next(
            (each.outside_arena for each in several if each.outside_arena), None
        )
        yield remark_text(replace(first, outside_arena=outside))
        yield from map(remark_text, others)


def _together(allocations: list[Remark]) -> Remark:
    """One remark on all the memory that is allocated for one cause."""
    sizes = [remark.bytes for remark in allocations]
    known = [size for size in sizes if size is not None]
    complete = len(known) == len(sizes)
    return replace(allocations[0], bytes=sum(known) if complete else None)


def remark_text(remark: Remark) -> str:
    """Return one remark, its line of source, and its notes, each line with its end."""
    place = remark.place
    prefix = "" if place.position is None else f"{place.position}: "
    origin = f" [{remark.pass_name}]" if remark.pass_name else ""
    lines = [f"{prefix}remark: {remark.message}{origin}"]
    shown = source_line(place.location)
    if shown is not None:
        text, column = shown
        # Tabs stay tabs, so that the caret is below its op in any terminal.
        blank = "".join(c if c == "\t" else " " for c in text[: column - 1])
        lines += [f"  {text}", f"  {blank}^"]
    if remark.hint is not None:
        lines.append(f"{prefix}note: to avoid it, {remark.hint}")
    if remark.outside_arena is not None:
        lines.append(f"{prefix}note: it is in no arena: {remark.outside_arena}")
    return "".join(f"{line}\n" for line in lines)
