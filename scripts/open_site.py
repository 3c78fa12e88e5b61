"""Opens every page of a built site in Chromium, in light and in dark colours.

    python scripts/open_site.py site

It fails if a page writes an error to the console, makes a request to another server or
lacks its colours, and if the search does not find a pass. Chromium is `chromium`,
`chromium-browser` or `google-chrome` on PATH, or what CHROMIUM names; without one,
nothing is checked.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--remote-debugging-port=0",
)
SCHEMES = {"light": "default", "dark": "slate"}
SEARCHED = "one-shot-bufferize"
ANSWER_TIME = 30  # seconds


class Tab:
    """A page of the browser, controlled by the DevTools protocol."""

    def __init__(self, socket: ClientConnection, session: str) -> None:
        self.socket = socket
        self.session = session
        self.numbers = count(1)
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol; keep the events that precede its answer."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            received = json.loads(self.socket.recv(ANSWER_TIME))
            if received.get("id") == number:
                if "error" in received:
                    raise RuntimeError(f"{method}: {received['error']['message']}")
                return received["result"]
            self.events.append(received)

    def open(self, address: str) -> list[dict[str, Any]]:
        """Open a page, and return what happened until it had loaded."""
        self.events = []
        self.send("Page.navigate", url=address)
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(json.loads(self.socket.recv(ANSWER_TIME)))
        return self.events

    def evaluate(self, script: str) -> Any:
        """The value of an expression of JavaScript, awaited."""
        answer = self.send(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        return answer["result"].get("value")


@contextmanager
def browser(program: str) -> Iterator[Tab]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [program, *OPTIONS, f"--user-data-dir={profile}", "about:blank"]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            assert process.stderr is not None
            for line in process.stderr:
                if found := re.search(r"DevTools listening on (ws://\S+)", line):
                    break
            else:
                raise RuntimeError(f"{program} does not start")
            with connect(found[1], max_size=None) as socket:
                root = Tab(socket, "")
                target = root.send("Target.createTarget", url="about:blank")
                session = root.send(
                    "Target.attachToTarget", targetId=target["targetId"], flatten=True
                )
                tab = Tab(socket, session["sessionId"])
                for domain in ("Page", "Network", "Log", "Runtime"):
                    tab.send(f"{domain}.enable")
                # each page is opened as by a new reader, without chosen colours
                forget = "window.localStorage.clear()"
                tab.send("Page.addScriptToEvaluateOnNewDocument", source=forget)
                yield tab
        finally:
            process.terminate()
            process.wait()


def faults_of(events: list[dict[str, Any]]) -> list[str]:
    """The errors in a console, and the requests to other servers."""
    faults: list[str] = []
    for event in events:
        details = event.get("params", {})
        match event.get("method"):
            case "Runtime.exceptionThrown":
                faults.append(f"error: {details['exceptionDetails']['text']}")
            case "Log.entryAdded" if details["entry"]["level"] == "error":
                entry = details["entry"]
                faults.append(f"error: {entry['text']} {entry.get('url', '')}")
            case "Runtime.consoleAPICalled" if details["type"] in ("error", "assert"):
                faults.append(f"console error: {details['args']}")
            case "Network.requestWillBeSent":
                address = details["request"]["url"]
                if not address.startswith(("file:", "data:", "blob:")):
                    faults.append(f"request to {address}")
            case _:
                pass
    return faults


def check(tab: Tab, page: Path, colours: str) -> list[str]:
    feature = {"name": "prefers-color-scheme", "value": colours}
    tab.send("Emulation.setEmulatedMedia", features=[feature])
    events = tab.open(page.as_uri())
    shown = tab.evaluate("document.body.getAttribute('data-md-color-scheme')")
    faults = faults_of(events + tab.events[len(events) :])
    if shown != SCHEMES[colours]:
        faults.append(f"its colours are {shown}")
    return faults


def check_search(tab: Tab, site: Path) -> list[str]:
    """Search for a pass as a reader does, and wait for its section among the results."""
    tab.open((site / "index.html").as_uri() + f"?q={SEARCHED}")
    found = tab.evaluate(
        """new Promise(resolve => {
          let tries = 0
          const look = () => {
            const links = document.querySelectorAll("a.md-search-result__link")
            const found = Array.from(links, link => link.getAttribute("href"))
            if (found.length || ++tries > 200) resolve(found)
            else setTimeout(look, 50)
          }
          look()
        })"""
    )
    faults = faults_of(tab.events)
    if not any("passes.html" in address for address in found or []):
        faults.append(f"no section of passes.html among the results for {SEARCHED}")
    return faults


def main() -> int:
    site = Path(sys.argv[1]).resolve()
    named = os.environ.get("CHROMIUM")
    program = named or next(filter(None, map(shutil.which, NAMES)), None)
    if not program:
        print("The pages are not opened: there is no Chromium on PATH")
        return 0
    # an error page is made for the root of a server
    pages = [page for page in sorted(site.rglob("*.html")) if page.name != "404.html"]
    faults: list[str] = []
    with browser(program) as tab:
        for page in pages:
            for colours in SCHEMES:
                name = f"{page.relative_to(site)}, {colours}"
                faults += [f"{name}: {fault}" for fault in check(tab, page, colours)]
        faults += [f"search: {fault}" for fault in check_search(tab, site)]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{len(pages)} pages opened in light and dark, {len(faults)} faults")
    return 1 if faults or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
