"""Takes the pictures of docs/why-a-copy.md: for each copy there, the report on its
program, with a copy marked.

    python scripts/screenshot_copies.py

Chromium must be installed; Playwright, which drives it, and Pillow come with the extra
`dev`. What is in a picture depends on the fonts of the machine: nothing compares them.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import sync_playwright

from xdsl_bufferization import explain
from xdsl_bufferization.report.page import to_html

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "why-a-copy.md"
PICTURES = DOCS / "img" / "copies"

_SECTION = re.compile(r"^### (.*)$", re.MULTILINE)
_FENCE = re.compile(r"^```(mlir|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PASSES = re.compile(r"-p (?:'([^']*)'|(\S+))")
_WIDTH, _COLORS = 1200, 64


class Copy(NamedTuple):
    """A section about a copy: its program, and the passes that copy."""

    heading: str
    program: str
    passes: str

    @property
    def file_name(self) -> str:
        return re.sub(r"\W+", "-", self.heading.lower()) + ".png"


def copies_of(text: str) -> Iterator[Copy]:
    """Yield the sections that show a program and a command with passes."""
    for section in _SECTION.split(text)[1:][::2]:
        body = text.split(f"### {section}\n", 1)[1].split("\n### ", 1)[0]
        blocks = dict(_FENCE.findall(body))
        passes = _PASSES.search(blocks["console"])
        assert passes is not None, section
        yield Copy(section, blocks["mlir"], passes[1] or passes[2])


def take_picture(page: Any, copy: Copy, folder: Path) -> bytes:
    """Open the report, go to the first copy, and return the two programs as PNG."""
    report = explain(copy.program, copy.passes)
    file = folder / "report.html"
    file.write_text(to_html(report), encoding="utf-8")
    page.goto(file.as_uri())
    page.locator("#remarks tr", has_text=re.compile("^(copy|clone)")).first.click()
    return page.locator("#programs").screenshot()


def make_small(picture: bytes) -> bytes:
    """Return the picture with few colors, which make its file small."""
    output = BytesIO()
    image = Image.open(BytesIO(picture)).convert("RGB").quantize(_COLORS)
    image.save(output, "PNG", optimize=True)
    return output.getvalue()


def main() -> int:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        print("no Chromium is installed", file=sys.stderr)
        return 1
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(
            viewport={"width": _WIDTH, "height": 900}, color_scheme="light"
        )
        for copy in copies_of(PAGE.read_text()):
            picture = make_small(take_picture(page, copy, Path(folder)))
            (PICTURES / copy.file_name).write_bytes(picture)
            print(f"{copy.file_name}: {len(picture) / 1024:.0f} KiB")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
