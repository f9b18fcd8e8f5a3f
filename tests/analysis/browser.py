"""A headless Chromium that opens files, by the protocol of its developer tools over two pipes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find_chromium() -> str | None:
    """The browser of this machine, where it has one."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@dataclass(slots=True)
class Page:
    """An open page, and what it complained of while it was open."""

    browser: Browser
    session: str
    complaints: list[str] = field(default_factory=list)
    """Console errors and warnings, exceptions and refused resources."""
    requests: list[str] = field(default_factory=list)
    """Every address that it asked for."""

    def call(self, method: str, **parameters: Any) -> Any:
        """The result of a command to this page."""
        return self.browser.call(method, parameters, self.session)

    def evaluate(self, script: str) -> Any:
        """The value of an expression in the page; a promise is waited for."""
        ended = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in ended:
            raise AssertionError(f"{script[:80]}: {ended['exceptionDetails']}")
        return ended["result"].get("value")

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        """What is seen of the page, or the whole of it, as a PNG file."""
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(b64decode(shot["data"]))

    def pdf(self, path: Path) -> None:
        """The page as it is printed on A4."""
        printed = self.call(
            "Page.printToPDF", preferCSSPageSize=True, paperWidth=8.27, paperHeight=11.69
        )
        path.write_bytes(b64decode(printed["data"]))

    def hear(self, event: dict[str, Any]) -> None:
        """Remember what an event of the page complains of."""
        about = event["params"]
        match event["method"]:
            case "Runtime.consoleAPICalled" if about["type"] in ("error", "warning", "assert"):
                self.complaints.append(str(about["args"]))
            case "Runtime.exceptionThrown":
                self.complaints.append(str(about["exceptionDetails"]))
            case "Log.entryAdded" if about["entry"]["level"] in ("error", "warning"):
                self.complaints.append(about["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(about["request"]["url"])


@dataclass(slots=True)
class Browser:
    """The browser and its two pipes, on which messages end with a zero byte."""

    to: IO[bytes]
    back: IO[bytes]
    pages: dict[str, Page] = field(default_factory=dict)
    last: int = 0

    def call(self, method: str, parameters: dict[str, Any], session: str | None = None) -> Any:
        """The result of a command; AssertionError where the browser refuses it."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.to.write(json.dumps(message).encode() + b"\0")
        self.to.flush()
        while (heard := self.hear()).get("id") != self.last:
            pass
        assert "error" not in heard, f"{method}: {heard.get('error')}"
        return heard["result"]

    def hear(self) -> dict[str, Any]:
        """The next message; a page is told of its own."""
        text = bytearray()
        while (byte := self.back.read(1)) != b"\0":
            assert byte, "the browser has ended"
            text += byte
        message: dict[str, Any] = json.loads(text)
        page = self.pages.get(message.get("sessionId", ""))
        if page is not None and "method" in message:
            page.hear(message)
        return message

    @contextmanager
    def open(
        self, path: Path, *, width: int = 1280, height: int = 900, dark: bool = False
    ) -> Iterator[Page]:
        """The file in a page of this size, loaded."""
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        attached = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})
        page = self.pages[attached["sessionId"]] = Page(self, attached["sessionId"])
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        page.call("Emulation.setEmulatedMedia", features=[scheme])
        page.call("Page.navigate", url=path.resolve().as_uri())
        while self.hear().get("method") != "Page.loadEventFired":
            pass
        yield page
        self.call("Target.closeTarget", {"targetId": target})
        del self.pages[page.session]


@contextmanager
def chromium(program: str) -> Iterator[Browser]:
    """The browser with a profile of its own, which is gone with it."""
    down, to = os.pipe()
    back, up = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = [
            "--headless=new",
            "--remote-debugging-pipe",
            f"--user-data-dir={profile}",
            "--no-first-run",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            # Its own sandbox cannot be set up by root, as in most containers.
            *(["--no-sandbox"] if os.geteuid() == 0 else []),
        ]
        # It speaks on descriptors 3 and 4, which `pass_fds` cannot choose.
        place = (
            "import os, sys; a, b = map(int, sys.argv[1:3]); a, b = os.dup(a), os.dup(b); "
            "os.dup2(a, 3); os.dup2(b, 4); os.set_inheritable(3, True); "
            "os.set_inheritable(4, True); os.execv(sys.argv[3], sys.argv[3:])"
        )
        command = [sys.executable, "-c", place, str(down), str(up), program, *options]
        with subprocess.Popen(
            command, pass_fds=(down, up), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            os.close(down)
            os.close(up)
            with os.fdopen(to, "wb") as sending, os.fdopen(back, "rb") as hearing:
                browser = Browser(sending, hearing)
                try:
                    yield browser
                finally:
                    browser.call("Browser.close", {})
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
