"""docs/running-a-server.md and deploy/, followed as far as a machine without a network can."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import httpx
import pytest

from sandtable.cli.app import build_parser, main

from .conftest import DEMO, ROOT, Server, create, free_port

DOCS = (ROOT / "docs" / "running-a-server.md").read_text(encoding="utf-8")
COMMANDS = [
    shlex.split(found.strip())[1:]
    for line in DOCS.splitlines()
    if line.startswith("./sandtable")
    for found in re.split(r"\s{2,}", line)
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_of_the_page_is_one(words: list[str]) -> None:
    build_parser(words).parse_args(words)


def test_the_deployed_commands_are_commands() -> None:
    unit = (ROOT / "deploy" / "sandtable.service").read_text()
    started = re.search(r"^ExecStart=/opt/sandtable/bin/sandtable (.*)$", unit, re.MULTILINE)
    assert started is not None
    compose = (ROOT / "deploy" / "compose.yaml").read_text()
    listed = [word.strip()[2:] for word in compose.splitlines() if re.match(r"\s+- (serve|--)", word)]
    image = (ROOT / "deploy" / "Containerfile").read_text()
    given = re.search(r"^CMD \[(.*)\]$", image, re.MULTILINE)
    assert given is not None
    for words in (shlex.split(started[1]), listed, [word.strip().strip('"') for word in given[1].split(",")]):
        assert words[0] == "serve"
        build_parser(words).parse_args(words)


def test_the_unit_is_sound(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed, so its unit cannot be checked")
    unit = (ROOT / "deploy" / "sandtable.service").read_text().replace("/opt/sandtable/bin/sandtable", sys.executable)
    (tmp_path / "sandtable.service").write_text(unit)
    done = subprocess.run(
        ["systemd-analyze", "verify", str(tmp_path / "sandtable.service")], capture_output=True, text=True, check=False
    )
    complaints = [line for line in done.stderr.splitlines() if "sandtable.service" in line]
    assert not complaints, complaints


def instructions() -> list[list[tuple[str, str]]]:
    """The instructions of the image, stage by stage: (FROM, ...), (COPY, ...)."""
    text = (ROOT / "deploy" / "Containerfile").read_text().replace("\\\n", " ")
    stages: list[list[tuple[str, str]]] = []
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            if word == "FROM":
                stages.append([])
            stages[-1].append((word, rest.strip()))
    return stages


def test_the_image_is_made_of_what_is_there() -> None:
    """Every file that it copies is in the checkout and not ignored; every command is a command of the shell."""
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".venv", ".git", "**/node_modules", "web/dist"} <= set(ignored)
    known = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
    client, server = instructions()
    for word, rest in (*client, *server):
        assert word in known
        if word == "COPY" and not rest.startswith("--from"):
            *sources, _ = rest.split()
            assert [source for source in sources if not (ROOT / source).exists() or source in ignored] == []
        if word == "RUN":
            assert subprocess.run(["sh", "-n", "-c", rest], check=False).returncode == 0
        if word == "FROM":
            image, _, tag = rest.partition(" ")[0].partition(":")
            major = int(tag.split("-")[0].split(".")[0])
            assert (image, major) in {("docker.io/library/node", 22), ("docker.io/library/python", 3)}
    assert server[-2][0] == "ENTRYPOINT"
    assert "sandtable" in dict(server)["USER"], "not as root"


def test_the_compose_file_hangs_together() -> None:
    yaml = pytest.importorskip("yaml")
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())
    services = compose["services"]
    for name, service in services.items():
        assert set(service.get("depends_on", ())) <= set(services)
        assert set(service["networks"]) <= set(compose["networks"])
        named = {volume.partition(":")[0] for volume in service.get("volumes", ()) if not volume.startswith(".")}
        assert named <= set(compose["volumes"])
        assert name == "proxy" or "ports" not in service, "only the proxy is seen from outside"
    assert (
        ROOT / "deploy" / services["server"]["build"]["context"] / services["server"]["build"]["dockerfile"]
    ).exists()
    address = services["proxy"]["networks"]["inside"]["ipv4_address"]
    assert f"--proxy={address}" in services["server"]["command"], "the proxy is believed, and nobody else"
    assert "server:8000" in (ROOT / "deploy" / "Caddyfile").read_text()


@pytest.mark.skipif(not os.environ.get("SANDTABLE_SLOW"), reason="takes a minute: SANDTABLE_SLOW=1 runs it")
def test_the_steps_of_the_image_make_a_server_that_answers(tmp_path: Path) -> None:
    """Where no image can be built: its steps one by one in a folder, all but the user and the base image."""
    here, port = tmp_path / "root", free_port()
    (here / "var/lib/sandtable").mkdir(parents=True)

    def inside(text: str) -> str:
        return re.sub(r"(?<![\w.])/(opt|var)/", rf"{here}/\1/", text)

    folder, env = here, dict(os.environ)
    env.pop("PYTHONPATH", None)
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    words: list[str] = []
    for word, rest in instructions()[-1]:
        if word == "WORKDIR":
            folder = Path(inside(rest))
            folder.mkdir(parents=True)
        elif word == "COPY":
            *sources, target = rest.removeprefix("--from=client ").replace("/src/web/dist", "web/dist").split()
            for source in sources:
                into = folder / target / (Path(source).name if target.endswith("/") else "")
                into.parent.mkdir(parents=True, exist_ok=True)
                copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
                copy(ROOT / source, into)
        elif word == "RUN" and "useradd" not in rest:
            subprocess.run(["sh", "-c", inside(rest)], cwd=folder, env=env, check=True)
        elif word == "ENV":
            env |= dict(pair.split("=", 1) for pair in inside(rest).split())
        elif word in ("ENTRYPOINT", "CMD"):
            words += json.loads(inside(rest))
    process = subprocess.Popen([*words, "--port", str(port)], cwd=here, env=env)
    try:
        for _ in range(300):
            try:
                assert httpx.get(f"http://127.0.0.1:{port}/api/health", timeout=10).status_code == 200
                break
            except httpx.TransportError:
                time.sleep(0.2)
        assert "<script" in httpx.get(f"http://127.0.0.1:{port}/").text
        assert (here / "var/lib/sandtable/server.db").exists()
    finally:
        process.terminate()
        process.wait(20)


def test_the_page_is_followed_from_the_first_match_to_the_drill(tmp_path, monkeypatch, capsys):
    """Start, play by the four calls, back up while it runs, restore as of a moment, verify."""
    monkeypatch.setenv("SANDTABLE_GAMES", DEMO)
    url, fresh = f"sqlite:///{tmp_path / 'server.db'}", f"sqlite:///{tmp_path / 'new.db'}"
    server = Server(url)
    try:
        match, (seat, *_) = create(server.url)
        offers = seat.http.get("/offers", params={"role": "red"}).json()
        assert seat.act("red", {"do": "plan", "posture": "march"}, offers["number"]).status_code == 200
        assert seat.http.get("/table").status_code == 200
        time.sleep(1.1)
        moment = datetime.now().isoformat()
        assert seat.act("blue", {"do": "plan", "posture": "march"}, 1).status_code == 200
        assert httpx.get(f"{server.url}/api/ready").status_code == 200
        assert main(["admin", "backup", str(tmp_path / "monday.db"), "--database", url]) == 0
    finally:
        server.stop()
    assert main(["admin", "restore", str(tmp_path / "monday.db"), "--database", fresh, "--at", moment]) == 0
    assert main(["admin", "verify", "--database", fresh]) == 0
    capsys.readouterr()
    assert main(["admin", "inspect", match, "--database", fresh]) == 0
    assert '"number": 1' in capsys.readouterr().out
