"""The table plays a turn: many units in one gesture, one Done, no question with one answer, who acts; in few clicks."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games import games

from .conftest import Server
from .hands import Hands, number, spot_on_map, verbs, wait_for_table
from .positions import asks, carry_on, play
from .test_at_the_table import BATTLES
from .test_keys_and_eyes import serious

WHERE = """(units) => { const s = window.sandtableSession; return units.map((unit) => s.namer.whereIs(unit)) }"""
MARCH = {"ww2-europe": "march", "blitzkrieg-general": "march", "hitlers-war": "march", "munich-war": "move"}


def settle(page: Any) -> None:
    page.wait_for_function("() => !window.sandtableSession.busy")
    page.wait_for_timeout(60)


def at_the_march(open_page: Any, server: Server, game: str, scenario: str = "", role: str = "") -> Any:
    """A page at the first step in which units march."""
    made = server.new_match(game, [], scenario or server.games()[game]["scenarios"][-1]["id"])
    page = open_page(made["seats"][0]["link"], viewport={"width": 1440, "height": 900})
    wait_for_table(page)
    hands = Hands(page, seed=1, rush=1.0, first={"default-setup", "place-default"})
    assert hands.play_until(lambda _: MARCH[game] in verbs(page), 120)
    if role:
        page.evaluate("(role) => window.sandtableSession.lookAs(role)", role)
        page.wait_for_function("(role) => window.sandtableSession.role === role", arg=role)
    settle(page)
    return page


class Mouse:
    """Counts every press of the button on the map."""

    def __init__(self, page: Any) -> None:
        self.page, self.clicks = page, 0

    def space(self, space: str, **how: Any) -> None:
        spot = spot_on_map(self.page, space)
        assert spot is not None, space
        self.page.mouse.move(1, 1)
        self.page.wait_for_timeout(120)
        self.clicks += 1
        self.page.mouse.click(*spot, **how)
        settle(self.page)

    def button(self, selector: str) -> None:
        self.clicks += 1
        self.page.locator(selector).first.click()
        settle(self.page)


def taken(page: Any) -> int:
    return int(page.evaluate("() => document.querySelectorAll('.chit.chosen').length"))


def test_twenty_units_of_a_front_march_in_six_clicks(open_page: Any, server: Server, figure: Any) -> None:
    page = at_the_march(open_page, server, "ww2-europe", "spring-1941", "germany")
    mouse, sent, start = Mouse(page), 0, number(page)
    for stack, target in (("warsaw", "danzig"), ("krakow", "prague"), ("sofia", "bucharest")):
        mouse.space(stack)
        units, before = taken(page), number(page)
        mouse.space(target)
        assert number(page) == before + units, page.locator("[data-testid=toast]").all_inner_texts()
        sent += units
    figure(f"ww2-europe: {sent} units in {mouse.clicks} clicks")
    assert sent >= 20
    assert mouse.clicks <= 6
    assert number(page) == start + sent


def test_three_units_march_in_four_clicks(open_page: Any, server: Server, figure: Any) -> None:
    """The stack opens under the pointer; three of its counters are clicked, then the place."""
    page = at_the_march(open_page, server, "blitzkrieg-general", "1939-basic", "germany")
    mouse, before = Mouse(page), number(page)
    spot = spot_on_map(page, "prussia")
    assert spot is not None
    page.mouse.move(1, 1)
    page.mouse.move(*spot)
    page.locator("[data-testid=fan]").wait_for()
    units = page.locator("[data-testid=fan] .chit.lit")
    ids = page.evaluate("() => window.sandtableSession.table.stacks.prussia.map((one) => one.id)")
    for place in range(3):
        box = units.nth(place).bounding_box()
        mouse.clicks += 1
        page.mouse.click(box["x"] + 20, box["y"] + 20)
        settle(page)
    assert "3 units" in page.inner_text("[data-testid=hand]")
    mouse.space("bavaria")
    figure(f"blitzkrieg-general: 3 units in {mouse.clicks} clicks")
    assert mouse.clicks <= 4
    assert number(page) == before + 3
    assert page.evaluate(WHERE, ids).count("bavaria") == 3
    page.keyboard.press("z")  # one step of undo
    settle(page)
    assert page.evaluate(WHERE, ids).count("prussia") == len(ids)


def test_a_box_takes_a_front_and_a_key_walks_through_it(open_page: Any, server: Server) -> None:
    page = at_the_march(open_page, server, "blitzkrieg-general", "1939-basic", "germany")
    board = page.locator("[data-testid=board]").bounding_box()
    page.keyboard.down("Shift")
    page.mouse.move(board["x"] + 30, board["y"] + 70)
    page.mouse.down()
    page.mouse.move(board["x"] + board["width"] - 30, board["y"] + board["height"] - 80, steps=6)
    page.mouse.up()
    page.keyboard.up("Shift")
    settle(page)
    assert int(page.inner_text("[data-testid=hand] b").split()[0]) >= 6
    page.keyboard.press("Escape")
    assert page.locator("[data-testid=hand]").count() == 0
    seen = set()
    for _ in range(3):
        page.keyboard.press("m")
        page.keyboard.press("n")
        settle(page)
        seen.add(page.evaluate("() => [...document.querySelectorAll('.here h3')].map((e) => e.innerText).join()"))
        assert page.locator("[data-testid=hand]").count() == 1
    assert len(seen) == 3, "every press takes the next stack"
    before = number(page)
    page.keyboard.press("g")  # the nearest place it can go, and there
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => window.sandtableSession.table.number > {before}")


@pytest.mark.parametrize("game", games())
def test_one_done_says_what_it_ends_and_asks_once(open_page: Any, server: Server, game: str) -> None:
    page = at_the_march(open_page, server, game)
    done = page.locator("[data-testid=end]")
    assert done.count() == 1
    assert done.inner_text().lower().startswith("end ")
    assert "can act" in done.inner_text()
    before = number(page)
    page.keyboard.press("e")
    assert number(page) == before, "units that could act remain: it asks once"
    assert "can still act" in done.inner_text()
    done.click()
    page.wait_for_function(f"() => window.sandtableSession.table.number > {before}")


@pytest.mark.parametrize("game", games())
def test_who_acts_stands_in_large_letters_and_the_map_is_there(open_page: Any, server: Server, game: str) -> None:
    page = at_the_march(open_page, server, game)
    page.wait_for_timeout(1200)
    who = page.locator("[data-testid=who] strong")
    name = page.evaluate("() => window.sandtableSession.namer.role(window.sandtableSession.role)")
    assert who.inner_text().lower() == name.lower()
    assert (
        float(
            page.evaluate(
                "() => parseFloat(getComputedStyle(document.querySelector('[data-testid=who] strong')).fontSize)"
            )
        )
        >= 20
    )
    seen = page.evaluate(
        """() => { const s = window.sandtableSession, b = window.sandtableBoard, units = s.chooser.offers
            .filter((offer) => offer.gesture?.units && offer.next?.type === 'one')
            .flatMap((offer) => offer.next.values);
            return units.map((unit) => s.namer.whereIs(unit)).filter((at) => at && b.screenOf(at))
                .map((at) => b.screenOf(at))
                .filter(([x, y]) => x > 0 && y > 0 && x < b.width && y < b.height).length }"""
    )
    assert seen > 0
    assert not page.evaluate("() => window.sandtableBoard.scene.isFar(window.sandtableBoard.view.k)"), (
        "counters, not tiles"
    )


def test_why_not_names_the_rule_and_posts_whole_actions(open_page: Any, server: Server) -> None:
    """Blitzkrieg General: what is in the hand cannot go there, and the rule that says so is that of the march."""
    page = at_the_march(open_page, server, "blitzkrieg-general", "1939-basic", "germany")
    mouse = Mouse(page)
    mouse.space("prussia")
    mouse.space("moscow", button="right")
    page.locator("[data-testid=why]").click()
    toast = page.locator("[data-testid=toast]")
    toast.wait_for()
    assert "Germany" in toast.inner_text(), "the unit is named"
    assert "bg-8.1-neutral-area" in toast.inner_text()
    assert page.locator("[data-testid=toast]").count() == 1


def test_all_that_can_come_are_gathered_by_the_right_button(open_page: Any, server: Server) -> None:
    page = at_the_march(open_page, server, "blitzkrieg-general", "1939-basic", "germany")
    mouse = Mouse(page)
    mouse.space("bavaria", button="right")
    page.locator("[data-testid=gather]").click()
    settle(page)
    before = number(page)
    text = page.inner_text("[data-testid=send]")
    mouse.button("[data-testid=send]")
    assert number(page) == before + int(text.split()[1])


def test_the_usual_set_up_for_all_countries_is_one_click(open_page: Any, server: Server) -> None:
    made = server.new_match("munich-war", [{"roles": ["axis", "allies"]}], "little-entente")
    page = open_page(made["seats"][0]["link"])
    wait_for_table(page)
    page.locator("[data-offer=default-setup]").click()
    page.wait_for_function(
        "() => !window.sandtableSession.chooser.offers.some((offer) => offer.verb === 'default-setup')"
    )
    assert number(page) > 1


def test_what_was_done_is_listed_and_each_can_be_taken_back(open_page: Any, server: Server) -> None:
    page = at_the_march(open_page, server, "blitzkrieg-general", "1939-basic", "germany")
    mouse = Mouse(page)
    ids = page.evaluate("() => window.sandtableSession.table.stacks.austria.map((one) => one.id)")
    mouse.space("prussia")
    mouse.space("bavaria")
    mouse.space("austria")
    mouse.space("western_germany")
    assert page.evaluate(WHERE, ids).count("western_germany") > 0
    page.locator("details.news summary").first.click()
    page.locator("[data-testid=take-back]").nth(-2).click()  # the first march; the second stays
    settle(page)
    assert page.evaluate("() => window.sandtableSession.table.stacks.bavaria?.length ?? 0") <= 2
    assert page.evaluate(WHERE, ids).count("western_germany") > 0


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_hand_and_its_menus_are_fit_for_everybody(open_page: Any, server: Server, language: str) -> None:
    """axe finds nothing with units in the hand, the stack open and the menu of a place."""
    page = at_the_march(open_page, server, "ww2-europe", "spring-1941", "germany")
    if language == "de":
        page.evaluate(
            "() => localStorage.setItem('sandtable.settings', JSON.stringify({ language: 'de', playback: 'off' }))"
        )
        page.reload()
        wait_for_table(page)
        assert "beenden" in page.inner_text("[data-testid=end]")
    mouse = Mouse(page)
    mouse.space("konigsberg")
    assert taken(page) >= 5
    assert serious(page) == []
    mouse.space("warsaw", button="right")
    assert serious(page) == []


# ---- the others' turn
def others_moved(server: Server) -> Any:
    """A match in which the computer has moved and a person is asked."""
    roles = next(one["roles"] for one in server.games()["hitlers-war"]["scenarios"] if one["id"] == "campaign-1")
    rest = [role for role in roles if role != "allies"]
    seats: list[dict[str, Any]] = [{"roles": ["allies"]}, {"roles": rest, "kind": "computer", "level": "recruit"}]
    made = server.new_match("hitlers-war", seats, "campaign-1")
    return next(seat["link"] for seat in made["seats"] if seat["kind"] == "person")


PLAYS = "() => { const b = window.sandtableSession.playback; return [b.plays, b.place, b.total] }"


def test_what_the_others_did_plays_on_the_map_oldest_first(open_page: Any, server: Server) -> None:
    link = others_moved(server)
    quiet = open_page(link)
    wait_for_table(quiet)
    quiet.wait_for_function("() => window.sandtableSession.isAsked")
    page = open_page(link, playback=True)  # a new browser: it knows nothing of the match
    wait_for_table(page)
    page.wait_for_function("() => window.sandtableSession.playback.plays")
    page.keyboard.press(" ")
    page.wait_for_function("() => window.sandtableSession.playback.now")
    paused = page.evaluate(PLAYS)
    told = page.evaluate("() => window.sandtableSession.playback.now.lines.map((line) => [line.number, line.text])")
    numbers = sorted(set(page.evaluate("() => window.sandtableSession.news.map((line) => line.number)")))
    assert told[0][0] == numbers[paused[1] - 1], "oldest first"
    assert told[-1][1] in page.inner_text("[data-testid=playback]")
    page.wait_for_timeout(1500)
    assert page.evaluate(PLAYS)[1] == paused[1], "it is paused"
    assert page.locator("[data-testid=offers]").count() == 1
    page.locator("[data-testid=skip]").click()
    assert page.evaluate(PLAYS)[0] is False
    assert page.evaluate("() => window.sandtableSession.playback.shown") is None, "the map shows the present"
    page.keyboard.press("p")
    page.wait_for_function("() => window.sandtableSession.playback.plays")
    assert serious(page) == []
    page.keyboard.press("Enter")
    assert page.evaluate(PLAYS)[0] is False


def test_a_new_browser_plays_from_the_last_decision(open_page: Any, server: Server) -> None:
    link = others_moved(server)
    page = open_page(link)
    wait_for_table(page)
    page.wait_for_function("() => window.sandtableSession.isAsked")  # until then only the others move
    hands = Hands(page, seed=4, rush=1.0)
    start = number(page)
    assert hands.play_until(lambda seen: seen["number"] > start + 3 and seen["asked"])
    mine = page.evaluate(
        "() => { const s = window.sandtableSession;"
        "return s.log.filter((l) => s.roles.includes(l.role)).at(-1)?.number ?? 0 }"
    )
    other = open_page(link)
    wait_for_table(other)
    seen = other.evaluate("() => window.sandtableSession.seenTo")
    assert seen >= mine > 0
    assert all(line > seen for line in other.evaluate("() => window.sandtableSession.news.map((line) => line.number)"))


def test_reduced_motion_goes_step_by_step(open_page: Any, server: Server) -> None:
    page = open_page(others_moved(server), playback=True, reduced_motion="reduce")
    wait_for_table(page)
    page.wait_for_function("() => window.sandtableSession.playback.plays && window.sandtableSession.playback.paused")
    place = page.evaluate(PLAYS)[1]
    page.wait_for_timeout(1200)
    assert page.evaluate(PLAYS)[1] == place, "nothing moves by itself"
    page.keyboard.press(" ")
    page.wait_for_function(f"() => window.sandtableSession.playback.place > {place}")


# ---- battles
@pytest.mark.parametrize("game", BATTLES)
def test_a_battle_opens_its_board_for_everybody(open_page: Any, server: Server, game: str) -> None:
    """Ranks of counters, what counts, the map at the place: for who decides and for a spectator alike."""
    scenario = server.games()[game]["scenarios"][0]
    match = play(game, scenario["id"], lambda match: bool(match.table(match.asked).battles))
    made = carry_on(server, match, [{"roles": scenario["roles"], "kind": "person"}])
    for path in (made["seats"][0]["link"], f"/m/{made['match']}"):
        page = open_page(path, viewport={"width": 1440, "height": 900})
        wait_for_table(page)
        if page.locator("[data-testid=curtain]").count():
            page.locator("[data-testid=curtain]").click()
        board = page.locator("[data-testid=battle]").first
        board.wait_for()
        battle = page.evaluate("() => window.sandtableSession.table.battles[0]")
        units = [u for force in ("attackers", "defenders") for rank in battle[force]["ranks"] for u in rank["units"]]
        assert board.locator(".chit").count() == len(units) > 0
        needs = [rank.get("needs", "") for rank in battle["attackers"]["ranks"]]
        assert battle.get("column") or all(needs), "what each needs, or the ratio and the column"
        assert board.locator(".needs, .column").count() > 0
        page.wait_for_timeout(500)
        inside = page.evaluate(
            """(id) => { const b = window.sandtableBoard, at = b.screenOf(id);
                return at && at[0] > 0 && at[1] > 0 && at[0] < b.width && at[1] < b.height }""",
            battle["place"],
        )
        assert inside, "the map goes there"
        # and so near that its counters can be read
        page.wait_for_function("() => window.sandtableBoard.view.k / window.sandtableBoard.readable() >= 0.99")
        assert serious(page) == []


# ---- the desk
PURCHASES = {"ww2-europe": "buy", "blitzkrieg-general": "build", "munich-war": "mobilize", "hitlers-war": "build"}


@pytest.mark.parametrize("game", PURCHASES)
def test_the_desk_has_pictures_prices_and_a_running_total(open_page: Any, server: Server, game: str) -> None:
    """Two things are ordered by steppers in one order; in Hitler's War the place is chosen on the map."""
    scenario = server.games()[game]["scenarios"][0]

    def is_at_the_desk(match: Any) -> bool:
        return asks(match, {PURCHASES[game]}) and bool((desk := match.table(match.asked).desk) and desk.items)

    match = play(game, scenario["id"], is_at_the_desk)
    made = carry_on(server, match, [{"roles": scenario["roles"], "kind": "person"}])
    page = open_page(made["seats"][0]["link"], viewport={"width": 1440, "height": 900})
    wait_for_table(page)
    if page.locator("[data-testid=curtain]").count():
        page.locator("[data-testid=curtain]").click()
    page.locator("[data-testid=desk]").wait_for()
    items = page.evaluate("() => window.sandtableSession.table.desk.items")
    assert page.locator("[data-testid=desk] li").count() == len(items)
    assert serious(page) == []
    if game == "hitlers-war":
        page.locator("[data-testid=desk] li button").first.click()
        settle(page)
        assert page.evaluate("() => window.sandtableSession.chooser.prefix.length") >= 1
        return
    money, before = int(page.inner_text("[data-testid=money] b")), number(page)
    plus = page.locator("[data-testid=desk] li button:last-child")
    cheap = min(range(len(items)), key=lambda place: items[place]["price"])
    plus.nth(cheap).click()
    assert int(page.inner_text("[data-testid=money] b")) == money - items[cheap]["price"], "the running total"
    page.locator("[data-testid=order]").click()
    page.wait_for_function(f"() => window.sandtableSession.table.number > {before}")
