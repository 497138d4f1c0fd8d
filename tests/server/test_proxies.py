"""Behind the real nginx and Caddy, as deploy/ sets them up; under a path; behind a proxy that does not pass Host on."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from sandtable.cli import bootstrap
from sandtable.server.run import client_folder

from .conftest import PATIENCE, ROOT, Server, create, free_port

NGINX = """
daemon off; pid FOLDER/pid; error_log FOLDER/log; worker_processes 1;
events {}
http {
    access_log off;
    client_body_temp_path FOLDER/body; proxy_temp_path FOLDER/proxy; fastcgi_temp_path FOLDER/f;
    uwsgi_temp_path FOLDER/u; scgi_temp_path FOLDER/s;
    SITE
}
"""


@pytest.fixture(scope="module", params=[(1e9, 1e9)])
def server(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Server]:
    running = Server(
        f"sqlite:///{tmp_path_factory.mktemp('proxies') / 'matches.db'}",
        proxies=("127.0.0.1",),
        names=("127.0.0.1",),
        root="/games",
        client=str(client_folder()) if client_folder() else None,
        rate_limit=request.param,
    )
    yield running
    running.stop()


def find(program: str) -> str:
    """The path of a proxy; a test that needs one is skipped where there is none."""
    folders = [os.environ.get("SANDTABLE_PROGRAMS", ""), "/usr/sbin", os.environ["PATH"]]
    found = shutil.which(program, path=os.pathsep.join(filter(None, folders)))
    if found is None:
        pytest.skip(f"{program} is not there; ./sandtable test fetches it from Debian's packages")
    return found


@contextmanager
def running(words: list[str], port: int, **more: Any) -> Iterator[str]:
    """A proxy that listens on a port; yields its address."""
    process = subprocess.Popen(words, **more)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(400):
            assert process.poll() is None, f"{words[0]} did not start"
            try:
                httpx.get(f"{address}/api/ready", timeout=PATIENCE)
                break
            except httpx.TransportError:
                time.sleep(0.05)
        yield address
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def nginx(folder: Path, port: int, site: str) -> Iterator[str]:
    found = find("nginx")
    config = folder / "nginx.conf"
    config.write_text(NGINX.replace("SITE", site).replace("FOLDER", str(folder)))
    with running([found, "-c", str(config), "-e", str(folder / "log")], port) as address:
        yield address


@contextmanager
def caddy(folder: Path, port: int, server: Server) -> Iterator[str]:
    found = find("caddy")
    site = (ROOT / "deploy" / "Caddyfile").read_text()
    assert "reverse_proxy server:8000" in site
    site = "{\n\tadmin off\n}\n" + site.replace("server:8000", f"127.0.0.1:{server.port}")
    (folder / "Caddyfile").write_text(site)
    env = {"SANDTABLE_NAME": f"http://127.0.0.1:{port}", "HOME": str(folder), "PATH": "/usr/bin:/bin"}
    words = [found, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    with running(words, port, env=env, stderr=subprocess.DEVNULL) as address:
        yield address


def our_nginx(port: int, server: Server) -> str:
    """The file of deploy/ without TLS, between these two ports."""
    site = (ROOT / "deploy" / "nginx.conf").read_text()
    site, number = re.subn(r"listen 443 ssl;", f"listen 127.0.0.1:{port};", site)
    assert number == 1
    site = re.sub(r"^ *ssl_.*$", "", site, flags=re.MULTILINE)
    return site.replace("127.0.0.1:8000", f"127.0.0.1:{server.port}").replace("play.example.org", "127.0.0.1")


def play_through(address: str, origin: str) -> None:
    """What a browser does: a match is made and played over a WebSocket, all with the page's own origin."""
    with httpx.Client(headers={"Origin": origin}, timeout=PATIENCE) as browser:
        made = browser.post(f"{address}/api/matches", json={"game": "three-crowns", "scenario": "war"})
        assert made.status_code == 201, made.text
        match, secret = made.json()["match"], made.json()["seats"][0]["secret"]
        alien = browser.post(f"{address}/api/matches", json={}, headers={"Origin": "http://evil.example"})
        assert alien.status_code == 403
    live = f"{address.replace('http', 'ws', 1)}/api/matches/{match}/live"
    with connect(live, origin=Origin(origin), open_timeout=PATIENCE) as socket:
        socket.send(json.dumps({"seat": secret, "lang": "en"}))
        state = json.loads(socket.recv(PATIENCE))
        assert state["type"] == "state"
        act = {"type": "act", "role": "red", "action": {"do": "plan", "posture": "march"}, "answers": 0, "id": "a"}
        socket.send(json.dumps(act))
        assert "error" not in json.loads(socket.recv(PATIENCE))


@pytest.mark.parametrize("server", [(0.001, 60)], indirect=True)
@pytest.mark.parametrize("program", ["nginx", "caddy"])
def test_the_pages_of_deploy_work_with_the_real_programs(program: str, server: Server, tmp_path: Path) -> None:
    port = free_port()
    proxy = nginx(tmp_path, port, our_nginx(port, server)) if program == "nginx" else caddy(tmp_path, port, server)
    with proxy as address:
        play_through(address, address)
        assert httpx.get(f"{address}/api/metrics").status_code == 404
        # each client has a limit of its own: another one still gets in when one has used up its own
        loud, quiet = (
            httpx.Client(transport=httpx.HTTPTransport(local_address=f"127.0.0.{number + len(program)}"))
            for number in (10, 20)
        )
        assert 429 in [loud.get(f"{address}/api/ready").status_code for _ in range(80)]
        assert quiet.get(f"{address}/api/ready").status_code == 200
        loud.close()
        quiet.close()


@pytest.mark.parametrize(
    "passes", ["http://127.0.0.1:SERVER/", "http://127.0.0.1:SERVER/games/", "http://127.0.0.1:SERVER"]
)
def test_under_a_path_and_behind_a_proxy_that_does_not_pass_host_on(
    server: Server, tmp_path: Path, passes: str
) -> None:
    """nginx as its manual has it: Host is that of the server behind it. The path is taken off, or not."""
    port = free_port()
    headers = "proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade;"
    target = passes.replace("SERVER", str(server.port))
    site = f"server {{ listen 127.0.0.1:{port}; location /games/ {{ proxy_pass {target}; {headers} }} }}"
    with nginx(tmp_path, port, site) as address:
        play_through(f"{address}/games", address)
        page = httpx.get(f"{address}/games/")
        if client_folder() is not None:
            assert 'content="/games"' in page.text
            (script,) = re.findall(r'src="(/games/assets/[^"]+)"', page.text)
            assert httpx.get(f"{address}{script}").status_code == 200
        reference = httpx.get(f"{address}/games/api/schema")
        assert reference.status_code == 200
        assert "/games/api/schema/style.css" in reference.text


def test_the_browser_plays_under_a_path(server: Server, tmp_path: Path) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    chromium = bootstrap.find_browser(bootstrap.BROWSERS[0])
    if chromium is None or client_folder() is None:
        pytest.skip("there is no Chromium on the path, or the browser client is not built")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": 620})
        page.set_default_timeout(60_000)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.add_init_script("localStorage.setItem('sandtable.briefed', '\"never\"')")
        page.goto(f"{server.url}/games/")
        page.get_by_role("button", name="Hitler's War").first.click()
        page.locator("[data-testid=quick]").first.click()
        page.wait_for_selector("[data-testid=prompt]")
        assert re.match(rf"{server.url}/games/m/\w+", page.url)
        page.reload()
        page.wait_for_selector("[data-testid=prompt]")
        # the reference is a page that shows something under our own policy
        page.goto(f"{server.url}/games/api/schema")
        assert page.locator("h3").count() > 50
        assert page.evaluate("getComputedStyle(document.querySelector('td')).verticalAlign") == "top"
        page.locator("a", has_text="MatchInfo").first.click()
        page.screenshot(path=str(tmp_path / "reference.png"))
        assert errors == []
        browser.close()


def test_a_proxy_that_nobody_named_is_warned_of_once(tmp_path: Path) -> None:
    plain = Server(f"sqlite:///{tmp_path / 'plain.db'}")
    try:
        for _ in range(3):
            httpx.get(f"{plain.url}/api/ready", headers={"X-Forwarded-For": "10.0.0.1"}, timeout=PATIENCE)
        assert plain.log().count(b"name it with --proxy") == 1
        # and its word is not believed: a page that calls itself by another name stays a stranger
        headers = {"Origin": "http://evil.example", "X-Forwarded-Host": "evil.example"}
        body = {"game": "three-crowns"}
        assert httpx.post(f"{plain.url}/api/matches", json=body, headers=headers, timeout=PATIENCE).status_code == 403
    finally:
        plain.stop()


def test_two_servers_on_one_postgresql_show_the_newest_position(postgres_url: str) -> None:
    one, two = Server(postgres_url), Server(postgres_url)
    try:
        match, (seat, *_) = create(one.url)
        there = f"{two.url}/api/matches/{match}"
        headers = {"Authorization": f"Bearer {seat.secret}"}
        assert httpx.get(there, timeout=PATIENCE).json()["number"] == 0
        assert seat.act("red", {"do": "plan", "posture": "march"}, 0).status_code == 200
        assert httpx.get(there, timeout=PATIENCE).json()["number"] == 1
        late = {"role": "red", "action": {"do": "plan", "posture": "march"}, "answers": 0, "id": "late"}
        answer = httpx.post(f"{there}/act", json=late, headers=headers, timeout=PATIENCE)
        assert (answer.status_code, answer.json()["number"]) == (409, 1)
    finally:
        one.stop()
        two.stop()
