"""Hooks of mkdocs: pages whose source is not in docs/, and links that leave docs/.

Pages are also read in the repository, where a link may lead to any file;
on the site, such a file is offered beside the pages, at its path in the repository.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = ("CONTRIBUTING.md", "CHANGELOG.md", "RELEASING.md")
LINK = re.compile(r"(?<=\]\()(?!https?:|#)([^)#\s]+)")
CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
FENCE_WITH_FILE = re.compile(r"^```(\w+) file=(\S+)$", re.MULTILINE)
FENCE_WITH_WORDS = re.compile(r"^```(\w+) [a-z]+$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside of docs/, and every file that a page links to there."""
    for name in PAGES:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    for page in files.documentation_pages():
        source = Path(page.abs_src_path or "")
        for target in LINK.findall(CODE.sub("", source.read_text())):
            path = Path(os.path.normpath(source.parent / target))
            if path.is_file() and not path.is_relative_to(DOCS):
                name = path.relative_to(ROOT).as_posix()
                if files.get_file_from_path(name) is None:
                    files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(
    markdown: str, page: Page, config: MkDocsConfig, files: Files
) -> str:
    """Point links to where their targets are on the site, and show the names of files."""
    source = Path(page.file.abs_src_path or "")
    here = os.path.dirname(page.file.src_uri)

    def relocate(link: re.Match[str]) -> str:
        path = Path(os.path.normpath(source.parent / link[1]))
        base = DOCS if path.is_relative_to(DOCS) else ROOT
        return os.path.relpath(path.relative_to(base), here or ".")

    parts = CODE.split(markdown)
    parts[::2] = [LINK.sub(relocate, prose) for prose in parts[::2]]
    markdown = "".join(parts)
    markdown = FENCE_WITH_FILE.sub(r'```\1 title="\2"', markdown)
    return FENCE_WITH_WORDS.sub(r"```\1", markdown)
