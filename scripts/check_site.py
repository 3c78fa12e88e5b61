"""Checks a built site: every link and every file that a page loads is there, and no page
makes a request to another server.

    python scripts/check_site.py site
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADING_TAGS = {"audio", "embed", "iframe", "img", "script", "source", "video"}
CSS_IMPORT = re.compile(r"""(?:url\(|@import\s+)["']?(https?:)?//""")


class Page(HTMLParser):
    """The identifiers, links and loaded files of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids |= {values[name] for name in ("id", "name") if name in values}
        if tag in LOADING_TAGS and "src" in values:
            self.loads.append(values["src"])
        elif tag == "link" and "href" in values:
            self.loads.append(values["href"])
        elif tag == "a" and "href" in values:
            self.links.append(values["href"])


def main() -> int:
    site = Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    # an error page can be shown for any address, so its links are absolute
    pages.pop(site / "404.html", None)
    faults = [
        f"{path.relative_to(site)}: {fault}"
        for path, page in pages.items()
        for fault in faults_of(path, page, pages)
    ]
    faults += [
        f"{path.relative_to(site)}: loads from another server"
        for path in site.rglob("*.css")
        if CSS_IMPORT.search(path.read_text())
    ]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{len(pages)} pages, {len(faults)} faults")
    return 1 if faults or not pages else 0


def faults_of(path: Path, page: Page, pages: dict[Path, Page]) -> list[str]:
    faults = [f"loads {address}" for address in page.loads if urlsplit(address).netloc]
    for address in page.links + page.loads:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        target = path
        if parts.path:
            target = (path.parent / unquote(parts.path)).resolve()
        if target.is_dir():
            target /= "index.html"
        if not target.is_file():
            faults.append(f"no file for {address}")
        elif parts.fragment and target in pages:
            anchor = unquote(parts.fragment)
            if anchor not in pages[target].ids and not anchor.startswith("__"):
                faults.append(f"no place for {address}")
    return faults


if __name__ == "__main__":
    sys.exit(main())
