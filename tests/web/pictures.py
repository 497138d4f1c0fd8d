"""Pictures of every page, to be looked at: `python -m tests.web.pictures FOLDER [--game GAME] [--look LOOK]`.

`python -m tests.web.pictures docs/pictures --docs` makes those of README and docs anew: the opening, a battle,
playback, the desk, a phone, the dark. With `--size 390x844` (as often as wanted) they are all taken in that size, to be
looked at.

`python -m tests.web.pictures docs/book/pictures --book` makes those of the examples of the printed book.

Lobby, match at three zooms, battle with its odds and replay, for each game, on a desk, on a phone held sideways and in
the dark. The positions are those of a match between computer players, so the maps look as they do in play.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import msgspec

import sandtable
from sandtable.games import find, games
from sandtable.host.lessons import examples
from sandtable.lab.chromium import find_chromium
from sandtable.players import Budget, make

from .conftest import QUIET, UNBRIEFED, Server
from .hands import wait_for_table
from .positions import asks, carry_on, play

LOOKS: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"},
    "phone": {"viewport": {"width": 844, "height": 390}, "color_scheme": "light", "device_scale_factor": 2},
    "dark": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
}
STAGES = {
    "hitlers-war": ("campaign-1", 60),
    "munich-war": ("general-war", 110),
    "blitzkrieg-general": ("1939-advanced", 160),
    "ww2-europe": ("fall-1939", 140),
}
"""The scenario, and after how many decisions a battle is looked for."""
ZOOMS = {
    "far": "() => window.sandtableBoard.fitAll()",
    "middle": "() => window.sandtableBoard.fitAction()",
    "near": """(action) => { const b = window.sandtableBoard, n = window.sandtableSession.namer;
        const words = Object.values(action).flat(9).filter((one) => typeof one === 'string');
        const id = words.map((one) => n.whereIs(one) ?? one).find((one) => b.placeOf(one));
        if (!id) return;
        b.reveal(id);
        b.lookAt(b.placeOf(id), b.readable() * 1.7); }""",
}
TRIES = 300


def fought(game: str) -> tuple[Any, str, dict[str, Any]]:
    """A match between captains, up to where somebody may start a battle; who, and with what action."""
    scenario, least = STAGES[game]
    match, rng = sandtable.new(game, scenario=scenario, seed=4), Random(4)
    players: dict[str, Any] = {}
    while not match.over:
        role = match.decisions()[0]
        offers = match.offers(role)
        if match.number >= least:
            for _ in range(TRIES):
                action = offers.sample(rng)
                if match.preview(role, action) is not None:
                    return match, role, msgspec.to_builtins(action)
        player = players.setdefault(role, make("captain", match.game, f"4/{role}"))
        match.apply(role, player.decide(match.view(role), offers, Budget(2)))
    raise AssertionError(f"{game}: the war was over before anybody looked at odds")


def settle(page: Any) -> None:
    """Wait until nothing is being fetched or painted any more."""
    page.wait_for_function("() => !window.sandtableSession?.busy")
    page.wait_for_timeout(800)
    page.wait_for_function("() => window.sandtableBoard.ground.painter.open.size === 0")
    page.wait_for_timeout(400)


def picture_all(browser: Any, server: Server, game: str, looks: list[str], folder: Path) -> None:
    match, role, action = fought(game)
    roles = list(match.roles)
    made = carry_on(server, match, [{"roles": roles, "kind": "person"}])
    seat = made["seats"][0]
    for look in looks:
        context = browser.new_context(locale="en-GB", **LOOKS[look])
        context.add_init_script(UNBRIEFED)
        page = context.new_page()

        def shoot(name: str, look: str = look, page: Any = page) -> None:
            page.screenshot(path=folder / f"{game}-{name}-{look}.png")

        page.goto(server.address)
        page.get_by_role("button", name=server.games()[game]["title"], exact=False).first.click()
        page.wait_for_timeout(1500)
        shoot("lobby")
        page.goto(server.address + seat["link"])
        wait_for_table(page)
        settle(page)
        for name, zoom in ZOOMS.items():
            page.evaluate(zoom, action)
            settle(page)
            shoot(name)
        page.evaluate(ZOOMS["middle"])
        page.evaluate(
            """async ([role, action]) => { const s = window.sandtableSession, c = s.chooser;
                if (s.role !== role) await s.lookAs(role);
                c.begin(c.offers.find((offer) => offer.verb === action.do));
                await c.finish(action, false); }""",
            [role, action],
        )
        page.wait_for_selector("[data-testid=confirm]")
        settle(page)
        shoot("battle")
        page.goto(f"{server.address}/replay/{made['match']}?at={max(1, match.number - 20)}")
        page.locator("[data-testid=scrubber]").wait_for()
        settle(page)
        shoot("replay")
        context.close()
        print(game, look, json.dumps(action), flush=True)


# ---- the pictures of README and docs
SCENES = {
    "opening": ("ww2-europe", "wide"), "battle": ("blitzkrieg-general", "wide"), "playback": ("hitlers-war", "wide"),
    "desk": ("ww2-europe", "wide"), "phone": ("munich-war", "upright"), "dark": ("blitzkrieg-general", "dark"),
}  # fmt: skip
"""By name: the game and the look."""
UPRIGHT = {"viewport": {"width": 390, "height": 844}, "color_scheme": "light", "device_scale_factor": 2}
PLAYED_BACK = """() => { const b = window.sandtableSession.playback;
    return b.plays && b.place >= Math.min(3, b.total) && b.now?.lines.some((line) => line.scene.kind === 'move') }"""


def scene_of(server: Server, name: str, game: str) -> str:
    """The address of a match that shows what the picture is about."""
    scenario = server.games()[game]["scenarios"][0]
    if name == "playback":
        *rest, last = scenario["roles"]
        seats: list[dict[str, Any]] = [{"roles": [last]}, {"roles": rest, "kind": "computer", "level": "captain"}]
        made = server.new_match(game, seats, scenario["id"])
        return str(next(seat["link"] for seat in made["seats"] if seat["kind"] == "person"))
    everybody = [{"roles": scenario["roles"], "kind": "person"}]
    if name == "opening":
        match = play(game, scenario["id"], lambda m: asks(m, {"march"}))
    elif name == "battle":
        match = play(game, scenario["id"], lambda m: bool(b := m.table(m.asked).battles) and _counters(b[0]) >= 3)
    elif name == "desk":
        match = play(game, scenario["id"], lambda m: bool((d := m.table(m.asked).desk) and len(d.items) > 5))
    else:
        match = fought(game)[0]
    return str(carry_on(server, match, everybody)["seats"][0]["link"])


def _counters(battle: Any) -> int:
    """How many counters the smaller side has."""
    return min(sum(len(rank.units) for rank in force.ranks) for force in (battle.attackers, battle.defenders))


def picture_docs(browser: Any, server: Server, folder: Path, sizes: list[str], wanted: list[str]) -> None:
    """One picture of each scene in its own look, or in each of the sizes."""
    from PIL import Image

    for name, (game, look) in SCENES.items():
        if wanted and game not in wanted:
            continue
        link = scene_of(server, name, game)
        own = {**LOOKS, "upright": UPRIGHT}[look]
        for size in sizes or [""]:
            wide, _, high = size.partition("x")
            options = {**own, "viewport": {"width": int(wide), "height": int(high)}} if size else own
            context = browser.new_context(locale="en-GB", **options)
            context.add_init_script(UNBRIEFED)
            if name != "playback":
                context.add_init_script(QUIET)
            page = context.new_page()
            page.goto(server.address + link)
            wait_for_table(page)
            if page.locator("[data-testid=curtain]").count():
                page.locator("[data-testid=curtain]").click()
            if name == "playback":
                page.wait_for_function(PLAYED_BACK, timeout=240_000)
                page.keyboard.press(" ")
            settle(page)
            page.wait_for_timeout(1500)
            path = folder / f"{name}{'-' + size if size else ''}.png"
            page.screenshot(path=path)
            if not size:
                Image.open(path).save(path.with_suffix(".webp"), quality=88, method=6)
                path.unlink()
            context.close()
            print(name, game, size or look, flush=True)


# ---- the pictures of the printed book
PAINTED = """(id) => { const b = document.querySelector(`[data-example="${id}"] [data-testid=example-board]`)?.board;
    return b && b.frames > 0 && b.ground.painter.open.size === 0 && b.ground.picture !== null }"""


def picture_book(browser: Any, server: Server, game: str, folder: Path) -> None:
    """The small board of every example of a game's book."""
    from PIL import Image

    scenario = server.games()[game]["scenarios"][0]
    made = server.new_match(game, [{"roles": scenario["roles"], "kind": "person"}], scenario["id"])
    context = browser.new_context(locale="en-GB", **(LOOKS["wide"] | {"device_scale_factor": 2}))
    context.add_init_script(UNBRIEFED)
    context.add_init_script(QUIET)
    page = context.new_page()
    page.goto(server.address + made["seats"][0]["link"])
    wait_for_table(page)
    if page.locator("[data-testid=curtain]").count():
        page.locator("[data-testid=curtain]").click()
    page.keyboard.press("r")
    page.wait_for_selector("[data-testid=book]")
    for name, example in examples(find(game)).items():
        page.locator("[role=tabpanel] input[type=search]").fill(example.title.en)
        page.wait_for_selector(f'[data-example="{name}"]')
        board = page.locator(f'[data-example="{name}"] [data-testid=example-board]')
        board.scroll_into_view_if_needed()
        page.wait_for_function(PAINTED, arg=name)
        page.wait_for_timeout(400)
        path = folder / f"{game}-{name.removeprefix('example/')}.png"
        board.screenshot(path=path)
        Image.open(path).save(path.with_suffix(".webp"), quality=80, method=6)
        path.unlink()
        print(game, name, flush=True)
    context.close()


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", choices=list(games()), action="append")
    parser.add_argument("--look", choices=list(LOOKS), action="append")
    parser.add_argument("--docs", action="store_true", help="the pictures of README and docs")
    parser.add_argument("--book", action="store_true", help="the examples of the printed book")
    parser.add_argument("--size", action="append", default=[], help="with --docs: WIDTHxHEIGHT instead of its own look")
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data))
        try:
            server.wait()
            arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=arguments)
            if wanted.docs:
                picture_docs(browser, server, wanted.folder, wanted.size, wanted.game or [])
            for game in (wanted.game or games()) if wanted.book else ():
                picture_book(browser, server, game, wanted.folder)
            for game in (wanted.game or games()) if not (wanted.docs or wanted.book) else ():
                picture_all(browser, server, game, wanted.look or list(LOOKS), wanted.folder)
            browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
