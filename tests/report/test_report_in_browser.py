"""The page of a report in Chromium, headless, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.remarks.test_remarks import UPDATE
from tests.report.test_report import TWO, big_program
from xdsl_bufferization import explain
from xdsl_bufferization.report.page import to_html

playwright: Any = pytest.importorskip(
    "playwright.sync_api", reason="playwright is part of the extra `dev`"
)
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    None,
)
TIMEOUT = 300_000
"""Milliseconds; Playwright's own 30 s are short for a machine with other work."""
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed"),
    pytest.mark.long,
]

COPYING = "one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline"
SLICES = """\
func.func @f(%t: tensor<8xf32>, %x: f32, %i: index) -> (f32, f32) {
  %s = tensor.extract_slice %t[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %u = tensor.insert %x into %s[%i] : tensor<4xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  %new = tensor.extract %u[%i] : tensor<4xf32>
  return %old, %new : f32, f32
}
"""
PLANNED = """\
func.func @f(%x: f32, %i: index) -> f32 {
  %a = tensor.empty() : tensor<256xf32>
  %0 = linalg.fill ins(%x : f32) outs(%a : tensor<256xf32>) -> tensor<256xf32>
  %b = tensor.empty() : tensor<128xf32>
  %1 = linalg.fill ins(%x : f32) outs(%b : tensor<128xf32>) -> tensor<128xf32>
  %2 = tensor.extract %0[%i] : tensor<256xf32>
  %3 = tensor.extract %1[%i] : tensor<128xf32>
  %4 = arith.addf %2, %3 : f32
  return %4 : f32
}
"""


class Opened:
    """A page that was opened: what it has asked for, and what it has complained of."""

    def __init__(self, page: Any, file: Path) -> None:
        self.page = page
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.set_default_timeout(TIMEOUT)
        page.on("request", self._note_request)
        page.on("console", self._note_message)
        page.on("pageerror", self._note_error)
        page.goto(file.as_uri())

    def _note_request(self, request: Any) -> None:
        self.requests.append(request.url)

    def _note_message(self, message: Any) -> None:
        self.complaints.append(message.text)

    def _note_error(self, error: Any) -> None:
        self.complaints.append(str(error))

    def marked(self, selector: str) -> list[str]:
        """The texts of the lines that are marked, without what is said about them."""
        rows = self.page.locator(selector)
        texts: list[str] = rows.evaluate_all("rows => rows.map(r => r.firstChild.data)")
        return [text.strip() for text in texts]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        # In containers, Chromium cannot make its sandbox.
        yield driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"], timeout=TIMEOUT
        )


class Opener:
    def __init__(self, browser: Any, folder: Path) -> None:
        self.browser, self.folder = browser, folder

    def __call__(self, text: str, passes: str = COPYING, **options: Any) -> Opened:
        file = self.folder / "report.html"
        file.write_text(to_html(explain(text, passes)))
        return Opened(self.browser.new_page(**options), file)


@pytest.fixture
def open_report(browser: Any, tmp_path: Path) -> Opener:
    return Opener(browser, tmp_path)


@pytest.mark.parametrize(
    ("theme", "color"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(22, 24, 28)")]
)
def test_it_opens_in_both_themes_and_asks_for_nothing(
    open_report: Opener, theme: str, color: str
) -> None:
    opened = open_report(TWO, color_scheme=theme)
    assert not opened.complaints
    (own,) = opened.requests
    assert own.startswith("file:") and own.endswith("report.html")
    rows = TWO.count("\n") + explain(TWO, COPYING).result.text.count("\n") + 1
    assert opened.page.locator(".row").count() == rows
    assert opened.page.locator("svg").count() == 2
    assert opened.page.locator("rect.buffer.live").count() > 0
    background = "document.body.computedStyleMap().get('background-color').toString()"
    assert opened.page.evaluate(background) == color


def test_a_click_marks_what_a_line_became_and_all_names_of_its_buffer(
    open_report: Opener,
) -> None:
    opened = open_report(UPDATE)
    opened.page.click("#source-2")
    assert opened.marked("#source .row.on") == [UPDATE.splitlines()[1].strip()]
    became = [text.split(" ")[0] for text in opened.marked("#result .row.on")]
    assert became == ["%once", "memref.copy", "memref.store"]
    (copy,) = opened.marked("#result .row.alias.copies")
    assert copy.startswith("memref.copy %t, %once")
    aliases = [text.partition(" :")[0] for text in opened.marked("#result .row.alias")]
    assert aliases[-3:] == [
        "memref.store %old, %once[%c0]",
        "%new = memref.load %once[%i]",
        "memref.dealloc %once",
    ]
    assert opened.page.locator("rect.buffer.on").count() == 1
    opened.page.keyboard.press("Escape")
    assert not opened.marked(".row.on, .row.alias")
    assert opened.page.locator("rect.buffer.on").count() == 0


def test_a_line_under_the_mouse_marks_views_of_its_buffer(open_report: Opener) -> None:
    opened = open_report(SLICES)
    row = opened.page.locator("#result .row", has_text="memref.subview")
    row.hover()
    aliases = opened.marked("#result .row.alias")
    assert any(text.startswith("%old = memref.load %t") for text in aliases)
    assert any(text.startswith("memref.copy") for text in aliases)
    assert not any("%new" in text for text in aliases), "that is another buffer"


def test_the_table_leads_to_the_lines(open_report: Opener) -> None:
    opened = open_report(UPDATE)
    opened.page.click("#remarks tr:has-text('copy')")
    (copy,) = opened.marked("#result .row.on")
    assert copy.startswith("memref.copy")
    assert opened.marked("#source .row.on") == [UPDATE.splitlines()[1].strip()]


def test_it_works_by_keyboard(open_report: Opener) -> None:
    opened = open_report(UPDATE)
    keyboard = opened.page.keyboard
    keyboard.press("n")
    assert opened.marked("#result .row.on")[0].startswith("%once = memref.alloc")
    keyboard.press("n")
    assert opened.marked("#result .row.on")[0].startswith("memref.copy")
    keyboard.press("p")
    assert opened.marked("#result .row.on")[0].startswith("%once = memref.alloc")
    keyboard.press("Escape")
    for _ in range(2):
        keyboard.press("Tab")
    focused = opened.page.evaluate("document.activeElement.id")
    assert focused == "source-2"
    keyboard.press("Enter")
    assert len(opened.marked("#result .row.on")) == 3


def test_a_bar_leads_to_its_allocation(open_report: Opener) -> None:
    opened = open_report(UPDATE)
    opened.page.locator("rect.buffer").click()
    assert opened.marked("#result .row.on")[0].startswith("%once = memref.alloc")


def test_planned_buffers_are_at_their_offsets(open_report: Opener) -> None:
    opened = open_report(PLANNED, "bufferization-pipeline{plan-memory}")
    assert not opened.complaints
    bars = opened.page.locator("svg.planned rect")
    titles: list[str] = bars.locator("title").all_text_contents()
    assert sorted(title.partition(": ")[0] for title in titles) == ["%a", "%b"]
    assert sorted(title.rpartition(" ")[2] for title in titles) == ["0", "1024"]
    tops = bars.evaluate_all("bars => bars.map(bar => Number(bar.getAttribute('y')))")
    assert tops[0] != tops[1]


def test_everything_is_printed(open_report: Opener) -> None:
    opened = open_report(UPDATE)
    opened.page.emulate_media(media="print")
    assert not opened.page.locator(".keys").is_visible()
    hidden = """[...document.querySelectorAll(".program")].filter(
        pane => pane.scrollHeight > pane.clientHeight + 1).length"""
    assert opened.page.evaluate(hidden) == 0


def test_ten_thousand_ops_can_be_opened(open_report: Opener) -> None:
    opened = open_report(big_program(10_000))
    assert not opened.complaints
    assert opened.page.locator("#source .row").count() == 10_003
    opened.page.keyboard.press("n")
    opened.page.click("#source-2")
    assert len(opened.marked("#source .row.on")) == 1
