"""Firefox and WebKit for the smoke matches, with the few words of a Playwright page that `Hands` needs.

Playwright drives builds of these browsers that it patched itself. What people use is the browser as it is: Firefox
answers WebDriver BiDi on a socket of its own, WebKitGTK has a WebDriver. Both are a handful of commands.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from tests.server.conftest import free_port

PATIENCE = 240
"""Seconds until a browser has to have done something: a busy machine is not a fault."""
WIDTH, HEIGHT = 1280, 800


class Faulty(Exception):
    """What the browser says is wrong with a command or a script."""


class Mouse:
    def __init__(self, perform: Callable[[list[dict[str, Any]]], None]) -> None:
        self._perform = perform

    def click(self, x: float, y: float) -> None:
        there = {"type": "pointerMove", "x": round(x), "y": round(y)}
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._perform([{"type": "pointer", "id": "mouse", "actions": [there, *press]}])


class Tab:
    """A tab of a browser that is driven. `trouble` is what its console complained about."""

    def __init__(self) -> None:
        self.mouse = Mouse(self._perform)
        self.trouble: list[str] = []

    def _perform(self, actions: list[dict[str, Any]]) -> None:
        raise NotImplementedError

    def goto(self, address: str) -> None:
        raise NotImplementedError

    def evaluate(self, function: str, arg: Any = None) -> Any:
        """What a JavaScript function returns, or its promise comes to."""
        raise NotImplementedError

    def wait_for_timeout(self, milliseconds: float) -> None:
        time.sleep(milliseconds / 1000)

    def wait_for_function(self, function: str, arg: Any = None, seconds: float = PATIENCE) -> None:
        end = time.monotonic() + seconds
        while not self.evaluate(function, arg):
            assert time.monotonic() < end, f"never came true: {function} {self.trouble}"
            self.wait_for_timeout(50)

    def wait_for_selector(self, selector: str) -> None:
        self.wait_for_function("(selector) => document.querySelector(selector) !== null", selector)


# ---- Firefox: WebDriver BiDi ---------------------------------------------------------------------------------------


class Firefox(Tab):
    """https://w3c.github.io/webdriver-bidi/ on the socket that Firefox opens by itself."""

    PREFERENCES = """
user_pref("app.normandy.enabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.safebrowsing.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,#remote-settings-dummy/v1");
user_pref("toolkit.telemetry.server", "");
"""

    def __init__(self, program: str, folder: Path) -> None:
        super().__init__()
        folder.mkdir(exist_ok=True)
        (folder / "user.js").write_text(self.PREFERENCES, encoding="utf-8")
        words = [program, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
        self._log = folder / "browser.log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [*words, "--width", str(WIDTH), "--height", str(HEIGHT), "about:blank"],
                env={**os.environ, "HOME": str(folder)},
                stdout=log,
                stderr=log,
            )
        self._numbers = itertools.count(1)
        self._open = contextlib.ExitStack()
        try:
            socket = connect(f"{self._address()}/session", max_size=None, open_timeout=PATIENCE)
            self._socket = self._open.enter_context(socket)
            self._call("session.new", capabilities={})
            self._call("session.subscribe", events=["log.entryAdded"])
            self._tab = self._call("browsingContext.getTree")["contexts"][0]["context"]
            self._call("browsingContext.setViewport", context=self._tab, viewport={"width": WIDTH, "height": HEIGHT})
        except BaseException:
            self.close()
            raise

    def _address(self) -> str:
        end = time.monotonic() + PATIENCE
        while not (found := re.search(r"WebDriver BiDi listening on (\S+)", self._log.read_text(errors="replace"))):
            said = self._log.read_text(errors="replace")[-800:]
            assert self._process.poll() is None, f"Firefox did not start: {said}"
            assert time.monotonic() < end, f"Firefox does not listen: {said}"
            time.sleep(0.1)
        return found[1]

    def _call(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(timeout=PATIENCE))
            if message.get("id") == number:
                if message["type"] == "error":
                    raise Faulty(f"{method}: {message['message']}")
                return message["result"]
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.trouble.append(str(message["params"]["text"]))

    def _perform(self, actions: list[dict[str, Any]]) -> None:
        self._call("input.performActions", context=self._tab, actions=actions)

    def goto(self, address: str) -> None:
        self._call("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def evaluate(self, function: str, arg: Any = None) -> Any:
        found = self._call(
            "script.callFunction",
            functionDeclaration=f"async (arg) => JSON.stringify((await ({function})(JSON.parse(arg))) ?? null)",
            arguments=[{"type": "string", "value": json.dumps(arg)}],
            target={"context": self._tab},
            awaitPromise=True,
        )
        if found["type"] == "exception":
            raise Faulty(found["exceptionDetails"]["text"])
        return json.loads(found["result"]["value"])

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._call("browser.close")
        with contextlib.suppress(Exception):
            self._open.close()
        end_of(self._process)


# ---- WebKit: WebDriver ---------------------------------------------------------------------------------------------


class WebKit(Tab):
    """https://www.w3.org/TR/webdriver2/ by WebKitGTK's own driver, on a display that nobody sees."""

    LISTENS = """() => {
        if (window.sandtableTrouble) return window.sandtableTrouble.splice(0);
        window.sandtableTrouble = [];
        const note = (text) => window.sandtableTrouble.push(String(text));
        addEventListener('error', (event) => note(event.message));
        addEventListener('unhandledrejection', (event) => note(event.reason));
        console.error = (...words) => note(words.join(' '));
        return [];
    }"""
    """WebDriver does not tell what the console said, so the page keeps it, from the first thing that is waited for."""

    def __init__(self, program: str, folder: Path) -> None:
        super().__init__()
        folder.mkdir(exist_ok=True)
        self._processes: list[subprocess.Popen[bytes]] = []
        self._session = ""
        self._log = folder / "browser.log"
        self._address = f"http://127.0.0.1:{free_port()}"
        try:
            display = self._display()
            with self._log.open("wb") as log:
                driver = subprocess.Popen(
                    [program, f"--port={self._address.rpartition(':')[2]}"],
                    env={**os.environ, "DISPLAY": display, "HOME": str(folder), "NO_AT_BRIDGE": "1"},
                    stdout=log,
                    stderr=log,
                )
            self._processes.insert(0, driver)
            self._begin(driver)
        except BaseException:
            self.close()
            raise

    def _display(self) -> str:
        reading, writing = os.pipe()
        words = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{WIDTH}x{HEIGHT + 200}x24", "-nolisten", "tcp"]
        server = subprocess.Popen(words, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._processes.append(server)
        os.close(writing)
        with os.fdopen(reading) as told:  # it writes the display's number when it is ready, and closes when it fails
            number = told.readline().strip()
        assert number, "Xvfb did not start"
        return f":{number}"

    def _begin(self, driver: subprocess.Popen[bytes]) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self._session = self._call("POST", "/session", {"capabilities": {}})["sessionId"]
                break
            except urllib.error.URLError:  # not listening yet
                assert driver.poll() is None, f"WebKitWebDriver did not start: {self._log.read_text()[-800:]}"
                assert time.monotonic() < end, "WebKitWebDriver does not listen"
                time.sleep(0.1)
        self._here("POST", "/timeouts", {"script": PATIENCE * 1000, "pageLoad": PATIENCE * 1000})
        self._here("POST", "/window/rect", {"width": WIDTH, "height": HEIGHT})

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, data, {"content-type": "application/json"})
        request.method = method
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Faulty(f"{path}: {error.read().decode(errors='replace')}") from error

    def _here(self, method: str, path: str, body: Any = None) -> Any:
        return self._call(method, f"/session/{self._session}{path}", body)

    def _perform(self, actions: list[dict[str, Any]]) -> None:
        self._here("POST", "/actions", {"actions": actions})

    def goto(self, address: str) -> None:
        self._here("POST", "/url", {"url": address})

    def wait_for_selector(self, selector: str) -> None:
        super().wait_for_selector(selector)
        self.trouble += self.evaluate(self.LISTENS)

    def evaluate(self, function: str, arg: Any = None) -> Any:
        script = f"""const told = arguments[1];
            (async () => (await ({function})(arguments[0])) ?? null)().then(
                (value) => told([true, value]), (error) => told([false, String(error)]));"""
        done, value = self._here("POST", "/execute/async", {"script": script, "args": [arg]})
        if not done:
            raise Faulty(value)
        return value

    def close(self) -> None:
        if self._session:
            with contextlib.suppress(Exception):
                self.trouble += self.evaluate(self.LISTENS)
            with contextlib.suppress(Exception):
                self._here("DELETE", "")
        for process in self._processes:
            end_of(process)


def end_of(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


BROWSERS: dict[str, tuple[type[Firefox] | type[WebKit], tuple[str, ...], str]] = {
    "firefox": (Firefox, ("firefox-esr", "firefox"), "SANDTABLE_NO_FIREFOX"),
    "webkit": (WebKit, ("WebKitWebDriver",), "SANDTABLE_NO_WEBKIT"),
}


@contextlib.contextmanager
def started(name: str, folder: Path) -> Iterator[Tab]:
    """A browser by its name. Skips, with the reason, where it is not installed; fails if a page complained."""
    kind, programs, reason = BROWSERS[name]
    program = os.environ.get(reason.replace("_NO", "")) or next(
        (path for one in programs if (path := shutil.which(one))), None
    )
    if program is None or (kind is WebKit and shutil.which("Xvfb") is None):
        pytest.skip(os.environ.get(reason) or f"there is no {kind.__name__} on the path: ./sandtable test installs it")
    tab = kind(program, folder)
    try:
        yield tab
    finally:
        tab.close()
    assert tab.trouble == []
