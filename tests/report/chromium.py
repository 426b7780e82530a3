"""A real browser on two pipes: pages, clicks, keys, downloads, what it asked for."""

import base64
import json
import os
import shutil
import subprocess
import time
from pathlib import Path

__all__ = ["Chromium", "Page"]

_NAMES = ["chromium", "chromium-browser", "google-chrome"]
_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--remote-debugging-pipe",
]
_PATIENCE = 240.0
_KEYS = {
    "Tab": 9,
    "Enter": 13,
    " ": 32,
    "Home": 36,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
}


class Chromium:
    """A headless browser that is spoken to in its own protocol."""

    def __init__(self, profile: Path) -> None:
        browser = next(filter(None, map(shutil.which, _NAMES)), None)
        assert browser, "No Chromium found; `make test` installs it when run as root."
        to_read, self._to = os.pipe()
        self._from, to_write = os.pipe()
        command = [browser, *_FLAGS, f"--user-data-dir={profile}", "about:blank"]
        # The browser reads commands from 3 and writes answers to 4.
        words = 'exec 3<&"$1" 4>&"$2"; shift 2; exec "$@"'
        self._process = subprocess.Popen(
            ["bash", "-c", words, "bash", str(to_read), str(to_write), *command],
            pass_fds=(to_read, to_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._count, self._rest = 0, b""
        self.events: list[dict] = []

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(30)
        os.close(self._to)
        os.close(self._from)

    def send(self, method: str, session: str | None = None, **values):
        """Send a command and return its result; events on the way are kept."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": values}
        if session:
            message["sessionId"] = session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self._to, text) :]
        while True:
            told = self._next()
            if told.get("id") == self._count:
                assert "error" not in told, (method, told["error"])
                return told["result"]
            self.events.append(told)

    def page(self, path: Path, *, width: int = 1400, height: int = 900) -> "Page":
        """Open a file in a new page of that size, and wait until it has loaded."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)
        page = Page(self, session["sessionId"])
        for part in ("Page", "Runtime", "Log", "Network"):
            page.send(f"{part}.enable")
        size = {"width": width, "height": height, "deviceScaleFactor": 1}
        page.send("Emulation.setDeviceMetricsOverride", mobile=width < 500, **size)
        page.send("Page.navigate", url=path.as_uri())
        page.wait("document.readyState === 'complete'")
        return page

    def _next(self) -> dict:
        while b"\0" not in self._rest:
            part = os.read(self._from, 1 << 20)
            assert part, "The browser has ended."
            self._rest += part
        text, _, self._rest = self._rest.partition(b"\0")
        return json.loads(text)


class Page:
    """One page: what can be done with it, and what it did."""

    def __init__(self, browser: Chromium, session: str) -> None:
        self.browser, self.session = browser, session

    def send(self, method: str, **values):
        return self.browser.send(method, self.session, **values)

    def ask(self, script: str):
        """Return the value of an expression in the page."""
        told = self.send("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def wait(self, script: str) -> None:
        """Wait until an expression becomes true."""
        end = time.monotonic() + _PATIENCE
        while not self.ask(script):
            assert time.monotonic() < end, script
            time.sleep(0.05)

    def click(self, selector: str) -> None:
        self.ask(f"document.querySelector({json.dumps(selector)}).click()")

    def press(self, key: str) -> None:
        """Press and release a key, as a person would."""
        code = _KEYS[key]
        text = {"Enter": "\r", " ": " "}.get(key, "")
        shared = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self.send("Input.dispatchKeyEvent", type="keyDown", text=text, **shared)
        self.send("Input.dispatchKeyEvent", type="keyUp", **shared)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Draw a box with the mouse."""
        shared = {"button": "left", "clickCount": 1}
        where = [start, start, end, end]
        kinds = ["mouseMoved", "mousePressed", "mouseMoved", "mouseReleased"]
        for kind, (x, y) in zip(kinds, where, strict=True):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **shared)

    def downloads_to(self, folder: Path) -> None:
        where = {"behavior": "allow", "downloadPath": str(folder)}
        self.browser.send("Browser.setDownloadBehavior", **where)

    def screenshot(self, path: Path) -> None:
        """Save a picture of the whole page."""
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "scale": 1, **_pick(size, "width", "height")}
        told = self.send(
            "Page.captureScreenshot", clip=clip, captureBeyondViewport=True
        )
        path.write_bytes(base64.b64decode(told["data"]))

    def happened(self, method: str) -> list[dict]:
        """Return the events of a kind that this page has reported."""
        self.ask("0")
        return [
            event["params"]
            for event in self.browser.events
            if event.get("method") == method and event.get("sessionId") == self.session
        ]


def _pick(values: dict, *names: str) -> dict:
    return {name: values[name] for name in names}
