"""The table as a new hand finds it: few clicks to the first move, what lies on it can be read, nothing asked twice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import sandtable
from sandtable.games import games
from sandtable.host import sight

from .conftest import Server
from .hands import number, verbs, wait_for_table
from .positions import MOST, asks, carry_on, play
from .test_gestures import MARCH, Mouse, at_the_march, others_moved, settle
from .test_keys_and_eyes import serious

MOST_CLICKS = {"hitlers-war": 6, "ww2-europe": 6, "munich-war": 8, "blitzkrieg-general": 8}
"""From the lobby to the first unit that marches."""
ABLE = """() => { const s = window.sandtableSession, b = window.sandtableBoard;
    const units = s.chooser.offers.filter((one) => one.gesture?.units && one.next?.type === 'one')
        .flatMap((one) => one.next.values);
    return [...new Set(units.map((unit) => s.namer.whereIs(unit)).filter((at) => at && b.isInView(at)))] }"""
"""Places in sight from where something can march."""
GOALS = """() => { const s = window.sandtableSession, b = window.sandtableBoard;
    const look = b.scene.look; return [...look.litSpaces].filter((id) => b.placeOf(id)) }"""


def everybody(server: Server, game: str, match: Any) -> Any:
    """The page's address of a match in which one person plays all."""
    return carry_on(server, match, [{"roles": list(match.roles), "kind": "person"}])["seats"][0]["link"]


def at_the_table(open_page: Any, link: str, **options: Any) -> Any:
    page = open_page(link, viewport={"width": 1440, "height": 900}, **options)
    wait_for_table(page)
    if page.locator("[data-testid=curtain]").count():
        page.locator("[data-testid=curtain]").click()
    settle(page)
    return page


# ---- the first move
@pytest.mark.parametrize("game", games())
def test_from_the_lobby_to_the_first_march(open_page: Any, server: Server, game: str, figure: Any) -> None:
    """By the mouse, as the page comes: with its briefing and its playback. The map goes to the front by itself."""
    page = open_page("/", viewport={"width": 1440, "height": 900}, briefed=True, playback=True)
    page.get_by_role("button", name=server.games()[game]["title"], exact=False).first.click()
    page.locator("[data-testid=quick]").first.click()
    clicks = 2
    wait_for_table(page)
    page.locator("[data-testid=briefing]").wait_for()
    page.locator("[data-testid=briefing] button.primary").first.click()
    clicks += 1
    mine = "() => { const s = window.sandtableSession; return s.isAsked && !s.busy && !s.playback.plays }"
    for _ in range(12):
        page.wait_for_function(mine, timeout=120_000)
        settle(page)
        if MARCH[game] in verbs(page):
            break
        usual = page.locator("[data-offer=default-setup], [data-offer=place-default]")
        before = number(page)
        (usual if usual.count() else page.locator("[data-testid=end]")).first.click()
        clicks += 1
        if not usual.count() and "can still act" in page.inner_text("[data-testid=dock]"):
            page.locator("[data-testid=end]").click()
            clicks += 1
        page.wait_for_function(f"() => window.sandtableSession.table.number > {before}")
    page.wait_for_function(f"() => ({ABLE})().length > 0")
    mouse, before = Mouse(page), number(page)
    mouse.space(page.evaluate(ABLE)[0])
    page.wait_for_function(f"() => ({GOALS})().length > 0")
    mouse.space(page.evaluate(GOALS)[0])
    page.wait_for_function(f"() => window.sandtableSession.table.number > {before}")
    clicks += mouse.clicks
    figure(f"{game}: {clicks} clicks from the lobby to the first march")
    assert clicks <= MOST_CLICKS[game]


# ---- what lies on the table
@pytest.mark.parametrize("game", games())
def test_stacks_of_one_size_become_tiles_far_away(open_page: Any, server: Server, game: str) -> None:
    page = at_the_march(open_page, server, game)
    piles = page.evaluate(
        """() => { const { scene } = window.sandtableBoard, land = (c) => (c.symbol ?? '')[2] === 'G';
            return [...scene.piles].filter(([id]) => scene.isHere(id) && !scene.boxRect(id)).map(([id, piles]) => ({
                port: scene.space(id).kind === 'port', size: scene.sizeIn(scene.space(id)),
                top: piles.every(({ counters }) => !counters.some(land) || land(counters.at(-1))) })) }"""
    )
    assert len({(one["port"], round(one["size"])) for one in piles}) == len({one["port"] for one in piles})
    assert all(one["top"] for one in piles), "land units lie on top"
    page.evaluate("() => window.sandtableBoard.fitAll()")
    far = "() => { const b = window.sandtableBoard; return b.scene.isFar(b.view.k) }"
    page.wait_for_function(far)
    cluster = page.evaluate(
        """() => { const b = window.sandtableBoard;
            const tile = b.scene.tilesAt(b.view.k).find((one) => one.spaces.length > 1);
            if (!tile) return null;
            const { x, y, w, h } = tile.rect, box = b.stage.getBoundingClientRect();
            const at = b.toScreen([x + w / 2, y + h / 2]);
            return [box.left + at[0], box.top + at[1]] }"""
    )
    if cluster:  # where stacks stand close; it opens into them
        before = number(page)
        page.mouse.click(*cluster)
        page.wait_for_function(f"() => !({far})()")
        assert number(page) == before
    assert serious(page) == []


def test_the_country_a_war_is_declared_on_is_lit(open_page: Any, server: Server) -> None:
    made = server.new_match("ww2-europe", [], "fall-1939")
    page = at_the_table(open_page, made["seats"][0]["link"])
    lit = set(page.evaluate(GOALS))
    spain = set(page.evaluate("() => window.sandtableSession.namer.landOf('spain')"))
    assert len(spain) > 1
    assert spain <= lit
    Mouse(page).space(min(spain))
    page.wait_for_function(
        """() => { const s = window.sandtableSession;
            return s.chooser.ready?.country === 'spain' || s.log.some((line) => line.text.includes('Spain')) }"""
    )


def test_sounds_are_off_until_they_are_wanted(open_page: Any, server: Server) -> None:
    count = """window.made = 0; const Real = window.AudioContext;
        window.AudioContext = class extends Real { constructor() { super(); window.made++; } };"""
    for wanted in (False, True):
        link = server.new_match("three-crowns", [], "war")["seats"][0]["link"]
        page = open_page("/")
        page.context.add_init_script(count)
        page.evaluate(
            "(on) => localStorage.setItem('sandtable.settings', JSON.stringify({ sounds: on, playback: 'off' }))",
            wanted,
        )
        page.goto(server.address + link)
        wait_for_table(page)
        before = number(page)
        page.evaluate("() => void window.sandtableSession.act({ do: 'plan', posture: 'march' })")
        page.wait_for_function(f"() => window.sandtableSession.table.number > {before}")
        assert page.evaluate("() => window.made > 0") is wanted


# ---- no question with one answer, fights in a row
def single(game: str, scenario: str) -> Any:
    """A position in which one role is asked and can do one thing alone."""
    for seed in range(1, 20):
        match, rng = sandtable.new(game, scenario=scenario, seed=seed), Random(seed)
        for _ in range(MOST):
            if match.over:
                break
            role, *others = match.decisions()
            if match.number and not others and sight.only(match, role, sight.offers(match, role, "en")):
                return match
            match.apply(role, match.offers(role).sample(rng))
    raise AssertionError(f"{game}: there is always a choice")


@pytest.mark.parametrize("game", games())
def test_a_question_with_one_answer_answers_itself(open_page: Any, server: Server, game: str) -> None:
    match = single(game, server.games()[game]["scenarios"][0]["id"])
    link = everybody(server, game, match)
    page = open_page("/")
    page.evaluate(
        "() => localStorage.setItem('sandtable.settings', JSON.stringify({ answerAlone: false, playback: 'off' }))"
    )
    page.goto(server.address + link)
    wait_for_table(page)
    settle(page)
    assert number(page) == match.number, "switched off it is asked"
    other = open_page(link)
    wait_for_table(other)
    if other.locator("[data-testid=curtain]").count():
        other.locator("[data-testid=curtain]").click()
    other.wait_for_function(f"() => window.sandtableSession.table.number > {match.number}")


FIGHTS = {"munich-war": "fight", "blitzkrieg-general": "attack", "ww2-europe": "choose-battle"}


@pytest.mark.parametrize("game", FIGHTS)
def test_all_battles_are_fought_by_one_click(open_page: Any, server: Server, game: str) -> None:
    """It goes on until all are fought, or somebody has something to decide."""
    verb = FIGHTS[game]

    def several(match: Any) -> bool:
        offers = [one for one in match.offers(match.decisions()[0]).offers if one.verb == verb]
        return bool(offers) and len(list(zip(offers[0], range(2), strict=False))) > 1

    match = play(game, server.games()[game]["scenarios"][0]["id"], several)
    page = at_the_table(open_page, everybody(server, game, match))
    page.locator("[data-testid=repeat]").first.click()
    page.wait_for_function(f"() => window.sandtableSession.table.number > {match.number}")
    page.wait_for_function("() => !window.sandtableSession.busy")
    settle(page)
    assert number(page) > match.number + 1 or verb not in verbs(page), "the next battle followed, or a decision"


# ---- the others' turn, in every game
@pytest.mark.parametrize("game", games())
def test_what_the_others_did_plays_in_every_game(open_page: Any, server: Server, game: str) -> None:
    info = server.games()[game]
    side = {role["id"]: role["alliance"] for role in info["roles"]}
    asked: list[str] = []

    def other_side(match: Any) -> bool:
        """Whether it is now somebody's turn whose enemy has just moved."""
        asked.append(side[match.decisions()[0]])
        return len(asked) > 4 and asked[-1] != asked[-2]

    match = play(game, info["scenarios"][0]["id"], other_side)
    mine = [role for role in match.roles if side[role] == side[match.decisions()[0]]]
    rest = [role for role in match.roles if role not in mine]
    made = carry_on(server, match, [{"roles": mine, "kind": "person"}, {"roles": rest, "kind": "person"}])
    page = open_page(made["seats"][0]["link"], viewport={"width": 1440, "height": 900}, playback=True, briefed=True)
    wait_for_table(page)
    page.locator("[data-testid=briefing]").wait_for()  # it waits behind the briefing, however slow the machine is
    page.wait_for_function("() => window.sandtableSession.playback.plays")
    page.evaluate("() => { window.sandtableSession.playback.paused = true }")
    page.keyboard.press("Enter")
    page.locator("[data-testid=briefing]").wait_for(state="detached")
    page.wait_for_function("() => window.sandtableSession.playback.now")
    told = page.evaluate("() => window.sandtableSession.playback.now.lines.map((line) => line.number)")
    assert told
    assert min(told) <= match.number
    page.locator("[data-testid=skip]").click()
    page.wait_for_function("() => !window.sandtableSession.playback.plays")
    assert page.evaluate("() => window.sandtableSession.table.number") == match.number


# ---- the desk
DESKS = {
    ("hitlers-war", "campaign-2", "invest"): {},
    ("blitzkrieg-general", "1939-advanced", "buy-number"): {},
    ("blitzkrieg-general", "1939-advanced", "buy"): {},
    ("ww2-europe", "fall-1939", "research"): {"technology": True},
    ("ww2-europe", "fall-1939", "buy-point"): {},
}
"""Research, cards and Redeployment Points: game, scenario, verb; options."""


def at_desk(game: str, scenario: str, verb: str, options: dict[str, Any]) -> Any:
    for seed in range(1, 20):
        match, rng = sandtable.new(game, scenario=scenario, seed=seed, options=options), Random(seed)
        for _ in range(4000):
            if match.over:
                break
            role = match.decisions()[0]
            if asks(match, {verb}):
                desk = match.table(role).desk
                if desk and any(item.action["do"] == verb for item in desk.items):
                    return match
            match.apply(role, match.offers(role).sample(rng))
    raise AssertionError(f"{game}: nobody comes to {verb}")


@pytest.mark.parametrize("wanted", DESKS, ids="-".join)
def test_research_cards_and_points_are_ordered_at_the_desk(open_page: Any, server: Server, wanted: Any) -> None:
    game, scenario, verb = wanted
    match = at_desk(game, scenario, verb, DESKS[wanted])
    page = at_the_table(open_page, everybody(server, game, match))
    page.locator("[data-testid=desk]").wait_for()
    items = page.evaluate("() => window.sandtableSession.table.desk.items")
    place = next(n for n, item in enumerate(items) if item["action"]["do"] == verb)
    line = page.locator("[data-testid=desk] li").nth(place)
    assert items[place]["title"].lower() in line.inner_text().lower()
    money = int(page.inner_text("[data-testid=money] b"))
    line.locator("button").last.click()
    assert int(page.inner_text("[data-testid=money] b")) == money - items[place]["price"]
    assert serious(page) == []
    page.locator("[data-testid=order]").click()
    page.wait_for_function(f"() => window.sandtableSession.table.number > {match.number}")


ORDERS = {"ww2-europe": "buy", "blitzkrieg-general": "build", "hitlers-war": "build"}


@pytest.mark.parametrize("game", ORDERS)
def test_last_turns_order_is_a_start_in_any_browser(open_page: Any, server: Server, game: str) -> None:
    """What the role ordered in an earlier turn lies on the desk by one click."""
    info = server.games()[game]
    scenario = info["scenarios"][0]["id"]
    ordered: dict[str, tuple[str, dict[str, Any]]] = {}

    def again(match: Any) -> bool:
        role = match.decisions()[0]
        if not asks(match, {ORDERS[game]}):
            return False
        table = match.table(role)
        if not table.desk:
            return False
        kinds = {item.action.get("kind") for item in table.desk.items if item.price * 2 <= table.desk.money}
        before = ordered.get(role)
        return bool(before and before[0] != table.turn and before[1].get("kind") in kinds)

    for seed in range(1, 20):
        match, rng = sandtable.new(game, scenario=scenario, seed=seed), Random(seed)
        ordered.clear()
        for _ in range(MOST):
            if match.over or again(match):
                break
            role = match.decisions()[0]
            offers = match.offers(role)
            action = offers.sample(rng)
            data = match.game.codec.builtins(action)
            if data["do"] == ORDERS[game]:
                ordered[role] = (match.table(role).turn, data)
            match.apply(role, action)
        if not match.over and again(match):
            break
    else:
        raise AssertionError(f"{game}: nobody orders twice")
    page = at_the_table(open_page, everybody(server, game, match))
    page.locator("[data-testid=as-last]").click()
    assert page.locator("[data-testid=desk] li.picked").count() > 0
    assert page.locator("[data-testid=order]").is_enabled()
    page.locator("[data-testid=order]").click()
    page.wait_for_function(f"() => window.sandtableSession.table.number > {match.number}")


# ---- large screens, and a drawer that is not empty
def test_a_large_screen_shows_the_same_table_larger(open_page: Any, server: Server) -> None:
    """Text, counters in the hand and counters on the map grow with the window; nothing else has to be set."""
    link = server.new_match("hitlers-war", [], "barbarossa")["seats"][0]["link"]
    sizes = []
    for width, height in ((1440, 900), (3840, 2160)):
        page = open_page(link, viewport={"width": width, "height": height})
        wait_for_table(page)
        settle(page)
        sizes.append(
            page.evaluate(
                """() => { const px = (one) => parseFloat(getComputedStyle(document.querySelector(one)).fontSize);
                    return [px('[data-testid=prompt]'), px('.panel-body'), window.sandtableBoard.readable()] }"""
            )
        )
        page.close()
    assert all(large >= 1.5 * small for small, large in zip(*sizes, strict=True)), sizes


def test_the_drawer_tells_how_everybody_is_doing_until_there_is_more_to_read(open_page: Any, server: Server) -> None:
    page = at_the_march(open_page, server, "hitlers-war")
    page.locator("[data-testid=standing] [data-gauge]").first.wait_for()
    assert serious(page) == []
    Mouse(page).space(page.evaluate(ABLE)[0])
    page.locator(".here").wait_for()
    assert page.locator("[data-testid=standing]").count() == 0


def test_a_list_opens_where_nothing_of_it_is_on_the_map(open_page: Any, server: Server) -> None:
    """Munich War's aircraft wait beside the map: the list is there at once, and does not say that they are lit."""
    scenario = server.games()["munich-war"]["scenarios"][0]["id"]

    def at_air(match: Any) -> bool:
        return asks(match, {"launch"}) and len(match.offers(match.decisions()[0]).offers) == 2

    match = play("munich-war", scenario, at_air)
    page = at_the_table(open_page, everybody(server, "munich-war", match))
    page.wait_for_function("() => window.sandtableSession.chooser.active")
    assert page.locator("[data-testid=offers] [data-choice]").count() > 0
    assert "lit" not in page.inner_text("[data-testid=offers] .ask")
    assert page.locator("[data-testid=end]").count() == 1


def test_playback_waits_for_the_briefing(open_page: Any, server: Server) -> None:
    page = open_page(others_moved(server), playback=True, briefed=True)
    wait_for_table(page)
    page.locator("[data-testid=briefing]").wait_for()
    page.wait_for_function("() => window.sandtableSession.playback.plays")
    assert page.locator("[data-testid=playback]").count() == 0
    assert page.evaluate("() => window.sandtableSession.playback.now") is None, "nothing is shown behind it"
    page.keyboard.press("Enter")
    page.locator("[data-testid=briefing]").wait_for(state="detached")
    page.wait_for_function("() => window.sandtableSession.playback.now")
