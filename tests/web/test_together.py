"""Two people, two browsers, one slow match over days: invited, called back, away, replaced, and once more."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator
from email import message_from_string, policy
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.server.inside import Inside, Listener, Postbox, until

from .conftest import CLIENT, DEMO, QUIET, UNBRIEFED, Trouble
from .hands import Hands, wait_for_table

DAY = 86_400.0
SMALL = {"width": 1000, "height": 640}


@pytest.fixture(scope="module")
def postbox() -> Iterator[Postbox]:
    box = Postbox()
    yield box
    box.stop()


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory, postbox: Postbox) -> Iterator[Inside]:
    if not CLIENT.is_file():
        pytest.skip("the browser client is not built: npm ci && npm run build in web/, or ./sandtable test")
    before = os.environ.get("SANDTABLE_GAMES")
    os.environ["SANDTABLE_GAMES"] = f"{DEMO}=tests.demo.game:GAME"
    mail = {"mail": postbox.url, "mail_from": "table@example.org"}
    running = Inside(tmp_path_factory.mktemp("together"), client=str(CLIENT.parent), **mail)
    yield running
    running.stop()
    if before is None:
        del os.environ["SANDTABLE_GAMES"]
    else:
        os.environ["SANDTABLE_GAMES"] = before


@pytest.fixture
def people(chromium: Any, inside: Inside) -> Iterator[Any]:
    """Makes browsers, each a person's own."""
    contexts: list[Any] = []
    troubles: list[Trouble] = []

    def open_one(path: str = "/") -> Any:
        context = chromium.new_context(viewport=SMALL, locale="en-GB", permissions=["notifications"])
        context.set_default_timeout(60_000)
        context.add_init_script(QUIET)
        context.add_init_script(UNBRIEFED)
        contexts.append(context)
        page = context.new_page()
        troubles.append(Trouble(page))
        page.goto(inside.url + path)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert [line for trouble in troubles for line in trouble.found] == []


def named(page: Any, name: str, colour: str) -> None:
    """Take a name in the lobby."""
    page.get_by_test_id("me").click()
    page.get_by_test_id("name").fill(name)
    page.get_by_role("radio", name=colour).click()
    page.get_by_test_id("save-me").click()
    page.get_by_text("Saved.").wait_for()


def new_match(page: Any, clock: int = 3, vacation: int = 5, **seats: str) -> list[str]:
    """Put a match together in the lobby; returns the links of its invitations."""
    page.get_by_role("button", name="Three Crowns", exact=False).first.click()
    page.get_by_test_id("more").click()
    for role, kind in seats.items():
        page.locator(f"[data-seat={role}]").select_option(kind)
    page.get_by_label("Clock", exact=True).first.select_option("move")
    page.get_by_role("spinbutton", name="Clock").fill(str(clock))
    page.get_by_role("combobox", name="minutes").select_option("86400")
    page.get_by_label("days of vacation for each player").fill(str(vacation))
    page.get_by_test_id("start").click()
    page.get_by_test_id("invitations").wait_for()
    return [str(one.input_value()) for one in page.get_by_test_id("link").all()]


def session(page: Any, what: str) -> Any:
    return page.evaluate(f"() => window.sandtableSession.{what}")


def decision(page: Any) -> None:
    """Make one move of one's own by clicking, whatever is asked."""
    page.get_by_role("tab", name="Play", exact=True).click()
    before = session(page, "table.number")
    hands = Hands(page, seed=3, rush=1.0)
    assert hands.play_until(lambda seen: seen["number"] > before, seconds=120)


def test_one_slow_match_between_two_people(people: Any, inside: Inside, postbox: Postbox) -> None:
    listener = Listener()
    al = people()
    named(al, "Al", "teal")
    [link] = new_match(al, red="me", blue="friend", green="computer")
    assert "Only this machine can open" in al.inner_text("[data-testid=only-here]")
    assert al.get_by_test_id("qr").count() == 1
    assert "Link for Blue" in al.inner_text("[data-testid=invitations]")
    al.get_by_test_id("enter").click()
    wait_for_table(al)
    assert "Nobody has taken Blue yet" in al.inner_text("[data-testid=open-seat]")

    # who made the match is warned before they take their friend's seat
    own = al.context.new_page()
    own.goto(link)
    own.get_by_test_id("own-invitation").wait_for()
    own.close()

    # Bo has a mail address, a webhook and a browser, and takes the seat
    bo = people()
    named(bo, "Bo", "amber")
    bo.get_by_placeholder("Mail address").fill("bo@example.org")
    bo.get_by_role("button", name="Send me a link").click()
    mail = message_from_string(postbox.wait_for(1)[0], policy=policy.default).get_content()
    bo.goto(next(word for word in mail.split() if "#mail=" in word))
    bo.get_by_text("By mail to bo@example.org").wait_for()
    bo.get_by_test_id("hook").fill(f"{listener.url}/hook")
    bo.get_by_test_id("save-calls").click()
    bo.get_by_text("Saved.").wait_for()
    private, auth = subscribe(bo, f"{listener.url}/push")
    bo.goto(link)
    bo.get_by_test_id("claim").wait_for()
    assert "Red: Al" in bo.inner_text("main")
    bo.get_by_test_id("claim").click()
    wait_for_table(bo)
    match, key = session(bo, "match"), session(bo, "seat")
    assert session(bo, "info.you") == ["blue"]
    assert "seat=" not in bo.url

    # the link that Al sent is used up: it opens nothing, for nobody
    assert key not in link
    stranger = people(link.removeprefix(inside.url))
    stranger.get_by_text("this seat link is not, or no longer, one of this match").wait_for()
    dead = al.context.new_page()
    dead.goto(link)
    dead.get_by_test_id("who").wait_for()
    assert dead.evaluate("() => window.sandtableSession.info.you") == ["red"], "Al has their own seat, and no other"
    dead.close()

    # Bo goes to bed. Al moves; a day passes; Bo is called by all three roads
    decision(bo)
    bo.goto(f"{inside.url}/api/health")
    decision(al)
    while "blue" not in session(al, "info.asked"):
        decision(al)
    inside.wait(DAY)
    heard = {path: (headers, body) for path, headers, body in listener.wait_for(2)}
    mails = [message_from_string(text, policy=policy.default) for text in postbox.wait_for(2)]
    assert mails[-1]["Subject"] == "Your move"
    assert f"/m/{match}" in mails[-1].get_content()
    told = json.loads(http_ece.decrypt(heard["/push"][1], private_key=private, auth_secret=auth, version="aes128gcm"))
    assert told["title"] == "Your move"
    assert "against Al" in told["body"]
    assert json.loads(heard["/hook"][1])["url"] == told["url"] == f"{inside.url}/m/{match}"
    assert shown_by_service_worker(bo, inside, told) == [("Your move", told["body"])]

    # the lobby says what waits, and Bo comes back by the link of the message, on a second device too
    bo.goto(f"{inside.url}/")
    line = bo.get_by_test_id("match").first
    assert "Your move" in line.inner_text()
    assert "Al (Red)" in line.inner_text()
    phone = people("/")
    bo.get_by_test_id("me").click()
    bo.get_by_test_id("move").click()
    phone.goto(bo.get_by_test_id("me-sheet").get_by_test_id("link").input_value())
    phone.get_by_text("Bo", exact=True).first.wait_for()
    phone.goto(told["url"])
    wait_for_table(phone)
    assert session(phone, "info.you") == ["blue"]
    decision(phone)

    # Bo rests for two days; the clock stands still
    phone.get_by_role("tab", name="Seats").click()
    phone.get_by_label("Days of vacation").fill("2")
    phone.get_by_role("button", name="Go on vacation").click()
    phone.get_by_text("on vacation until").first.wait_for()
    phone.get_by_role("button", name="I am back").first.click()
    phone.get_by_role("button", name="Go on vacation").wait_for()

    # the computer sits in for Bo, until they want to play again
    phone.get_by_test_id("lend").click()
    phone.get_by_text("The computer plays your seat.").wait_for()
    phone.get_by_test_id("take-seat-back").click()
    phone.get_by_text("The computer plays your seat.").wait_for(state="hidden")
    listener.stop()

    # Bo writes down what they think of it, for themself alone
    replay = f"{inside.url}/replay/{match}"
    annotate(phone, f"{replay}?at=2", "I should have marched at once.")
    assert phone.get_by_test_id("publish").count() == 0
    al.goto(f"{replay}?at=2")
    al.wait_for_function("() => window.sandtableReplay?.story()")
    assert al.evaluate("() => window.sandtableReplay.story().notes") == []

    # Bo gives up, adds a word and publishes; a stranger reads it at the move of the link
    phone.goto(f"{inside.url}/m/{match}")
    wait_for_table(phone)
    phone.get_by_role("button", name="Menu").click()
    phone.get_by_role("button", name="Resign").click()
    phone.get_by_role("button", name="Resign").first.click()
    phone.wait_for_function("() => window.sandtableSession.info.over")
    annotate(phone, f"{replay}?at=3", "Here Al was faster.")
    phone.get_by_test_id("story-title").fill("The war that I lost")
    phone.get_by_test_id("publish").click()
    phone.get_by_test_id("is-published").wait_for()
    stranger = people(phone.get_by_test_id("link").input_value().removeprefix(inside.url))
    stranger.get_by_text("The war that I lost").first.wait_for()
    stranger.wait_for_function("() => window.sandtableStory.shown() === 3")
    notes = [note.inner_text() for note in stranger.get_by_test_id("story-note").all()]
    assert ["at once" in notes[0], "faster" in notes[1]] == [True, True]
    assert "Bo" in stranger.locator("article header").inner_text()
    assert stranger.get_by_text("I should have marched at once.").is_visible()


def annotate(page: Any, address: str, text: str) -> None:
    """Write a note about a move in the replay."""
    page.goto(address)
    page.wait_for_function("() => window.sandtableReplay?.story()")
    before = page.evaluate("() => window.sandtableReplay.story().notes.length")
    page.get_by_role("tab", name="Story").click()
    page.get_by_test_id("note").fill(text)
    page.get_by_test_id("note").blur()
    page.wait_for_function("(n) => window.sandtableReplay.story().notes.length === n", arg=before + 1)


def subscribe(page: Any, endpoint: str) -> tuple[Any, bytes]:
    """Subscribe to a push service of our own, with keys that we can open its messages with."""
    private, auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    public = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    text = [base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in (public, auth)]
    body = {"endpoint": endpoint, "keys": {"p256dh": text[0], "auth": text[1]}}
    status = page.evaluate(
        """async (body) => (await fetch('/api/me/push', { method: 'POST', body: JSON.stringify(body), headers: {
            'Content-Type': 'application/json',
            'X-Person': JSON.parse(localStorage['sandtable.person']).key } })).status""",
        body,
    )
    assert status == 200
    return private, auth


def shown_by_service_worker(page: Any, inside: Inside, told: dict[str, Any]) -> list[tuple[str, str]]:
    """Have the browser deliver a push message to the service worker; returns the notifications that it shows."""
    page.goto(f"{inside.url}/")
    page.evaluate(
        "async () => { await navigator.serviceWorker.register('/push.js'); await navigator.serviceWorker.ready; }"
    )
    tools, known = page.context.new_cdp_session(page), list[dict[str, Any]]()
    tools.on("ServiceWorker.workerRegistrationUpdated", lambda event: known.extend(event["registrations"]))
    tools.send("ServiceWorker.enable")
    for _ in range(100):
        if known:
            break
        page.wait_for_timeout(50)
    page.wait_for_function("async () => (await navigator.serviceWorker.ready).active.state === 'activated'")
    place = {"origin": inside.url, "registrationId": known[-1]["registrationId"]}
    tools.send("ServiceWorker.deliverPushMessage", {**place, "data": json.dumps(told)})
    found = page.evaluate(
        """async () => {
            const here = await navigator.serviceWorker.ready;
            for (let n = 0; n < 1200; n++) {
                const shown = await here.getNotifications();
                if (shown.length) return shown.map((one) => [one.title, one.body]);
                await new Promise((on) => setTimeout(on, 50));
            }
            return [];
        }"""
    )
    return [(title, body) for title, body in found]


def test_who_missed_the_deadline_is_replaced_and_their_open_page_is_out_at_once(people: Any, inside: Inside) -> None:
    al = people()
    named(al, "Al", "teal")
    [link] = new_match(al, clock=1, vacation=0, red="me", blue="friend", green="computer")
    al.get_by_test_id("enter").click()
    wait_for_table(al)
    bo = people(link.removeprefix(inside.url))
    bo.get_by_test_id("claim").click()
    wait_for_table(bo)
    # while Bo plays in time, Al alone cannot put anybody else there
    al.get_by_role("tab", name="Seats").click()
    al.get_by_role("button", name="Invite somebody else").first.click()
    bo.get_by_test_id("motion").wait_for()
    bo.get_by_test_id("motion").get_by_role("button", name="No").click()
    al.locator(".motion").wait_for(state="hidden")
    decision(al)
    inside.wait(1.5 * DAY)
    al.get_by_role("tab", name="Seats").click()
    al.get_by_text("missed the deadline").first.wait_for()
    al.get_by_role("button", name="Invite somebody else").first.click()
    bo.get_by_text("this seat link is no longer good").wait_for()
    substitute = people(al.get_by_test_id("link").input_value().removeprefix(inside.url))
    substitute.get_by_test_id("name").fill("Cy")
    substitute.get_by_test_id("claim").click()
    wait_for_table(substitute)
    assert session(substitute, "info.you") == ["blue"]
    bo.reload()
    bo.get_by_text("this seat link is not, or no longer, one of this match").wait_for()


def test_a_challenge_is_taken_by_a_stranger_and_played_again_with_the_sides_swapped(
    people: Any, inside: Inside
) -> None:
    al = people()
    named(al, "Al", "teal")
    al.get_by_role("button", name="Three Crowns", exact=False).first.click()
    al.get_by_test_id("more").click()
    for role, kind in (("red", "me"), ("blue", "friend"), ("green", "me")):
        al.locator(f"[data-seat={role}]").select_option(kind)
    al.get_by_test_id("challenge-tick").check()
    al.get_by_label("It counts for the ratings of the players").check()
    al.get_by_test_id("start").click()
    al.get_by_test_id("enter").click()
    wait_for_table(al)
    bo = people()
    named(bo, "Bo", "amber")
    bo.reload()
    card = bo.get_by_test_id("challenge").first
    assert "Al" in card.inner_text()
    card.get_by_role("button", name="Play as Blue").click()
    wait_for_table(bo)
    bo.get_by_role("tab", name="Chat").click()
    bo.get_by_placeholder("Say something").fill("Good game!")
    bo.get_by_role("button", name="Send").click()
    al.get_by_role("tab", name="Chat").click()
    al.get_by_text("Good game!").wait_for()
    al.get_by_role("button", name="Mute").click()
    al.get_by_text("Good game!").wait_for(state="hidden")
    # both speak for a draw
    bo.get_by_role("button", name="Menu").click()
    bo.get_by_role("button", name="Speak for a draw").click()
    al.get_by_test_id("draw-offer").get_by_role("button", name="Agree").click()
    for page in (al, bo):
        page.wait_for_function("() => window.sandtableSession.info.over")
    first = session(al, "match")
    bo.get_by_role("tab", name="Seats").click()
    bo.get_by_role("button", name="Rematch with sides swapped").click()
    bo.wait_for_function("(old) => window.sandtableSession?.info && window.sandtableSession.match !== old", arg=first)
    al.get_by_role("button", name="Go there").click()
    al.wait_for_function("(old) => window.sandtableSession?.info && window.sandtableSession.match !== old", arg=first)
    assert session(al, "match") == session(bo, "match")
    assert session(al, "info.you") == ["blue"]
    assert session(bo, "info.you") == ["red", "green"]
    ratings = until(
        lambda: al.evaluate("async () => (await (await fetch('/api/ratings/three-crowns')).json())") or None
    )
    assert {(row["name"], row["matches"]) for row in ratings} >= {("Al", 1), ("Bo", 1)}
