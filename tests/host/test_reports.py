"""Reports: a file holds what its player may know and nothing more, and is enough to see again what they saw."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from sandtable.core import BadFile, Match, Odds, OtherVersion, SandtableError, Unknown
from sandtable.games import find, games
from sandtable.host import MatchRow, MoveRow, reports
from sandtable.host.log import events_of, is_seen
from sandtable.host.matches import make_move, standing
from sandtable.host.messages import AskReport
from sandtable.odds.shown import shown
from tests.demo.game import GAME as DEMO

from .conftest import ONE_EACH, PLAN, World, play

ALL = [DEMO, *(find(name) for name in games())]
SENTENCE = "This should be allowed."
WALK = {"do": "walk", "unit": "red-1", "path": ["Fordham"]}


class Story:
    """A match in the making, with the rows that a host keeps of it."""

    def __init__(self, game: Any, scenario: str, seed: int) -> None:
        self.match: Match[Any] = Match.new(game, scenario, seed=seed)
        self.rng = Random(seed)
        self.before = self.match.clone()
        self.rows: list[MoveRow] = []
        self.row = MatchRow(
            id="m", game=game.id, rules=game.rules_version, scenario=scenario, options=dict(self.match.options),
            seed=str(seed), seed_hash="", created=0, updated=0, public=False, kind="live", **standing(self.match),
        )  # fmt: skip

    def play(self, moves: int) -> None:
        for _ in range(moves):
            if self.match.over:
                return
            role = self.match.decisions()[0]
            self.before = self.match.clone()
            action = self.match.offers(role).sample(self.rng)
            self.rows.append(make_move(self.match, role, action, 0.0))

    def report(self, wish: AskReport, role: str | None, roles: Sequence[str]) -> str:
        past = self.before if wish.about == "event" else self.match
        source = reports.Source(self.row, past, self.rows, roles, role, "en")
        return reports.write(reports.make(wish, source))

    def wishes(self, role: str) -> Iterator[AskReport]:
        """What a role may click on here: the lines of the last move, old actions that are refused now, odds."""
        match, move = self.match, self.rows[-1]
        told = [event for event in events_of(match.game, move) if is_seen(event, (role,))]
        if told:
            yield AskReport(about="event", at=match.number, sentence=SENTENCE, role=role)
        for row in self.rows[-6:]:
            action = json.loads(row.action)
            if match.why_not(role, match.parse(action)) is not None:
                yield AskReport(about="refusal", at=match.number, sentence=SENTENCE, role=role, action=action)
        if role not in match.decisions():
            return
        for _ in range(12):
            action = match.offers(role).sample(self.rng)
            if shown(match, role, action) is not None:
                fields = msgspec.to_builtins(action)
                yield AskReport(about="odds", at=match.number, sentence=SENTENCE, role=role, action=fields)
                return

    def scrambled(self, role: str) -> Story:
        """A story that differs in what the role may not know: hidden things, secret events and moves, dice to come."""
        other = Story.__new__(Story)
        other.rng = self.rng
        other.match, other.before = self.match.scramble(role, self.rng), self.before.scramble(role, self.rng)
        other.row = msgspec.structs.replace(self.row, seed="another", seed_hash="another")
        other.rows = [self._scrambled_row(row, role) for row in self.rows]
        return other

    def _scrambled_row(self, row: MoveRow, role: str) -> MoveRow:
        game = self.match.game
        seen = [event for event in events_of(game, row) if is_seen(event, (role,))]
        is_known = row.role == role or game.public(self.match.state)
        action = row.action if is_known else b'{"do":"pass"}'
        return msgspec.structs.replace(row, events=msgspec.json.encode(seen), action=action, digest="another")


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
def test_a_report_does_not_depend_on_what_its_player_may_not_know(game: Any) -> None:
    kinds: set[str] = set()
    for number, scenario in enumerate(list(game.scenarios)[:2]):
        story = Story(game, scenario, seed=number)
        for _ in range(10):
            story.play(17)
            if story.match.over:
                break
            for role in story.match.roles:
                other = story.scrambled(role)
                for wish in story.wishes(role):
                    kinds.add(wish.about)
                    mine = story.report(wish, role, (role,))
                    assert mine == other.report(wish, role, (role,)), (scenario, role, wish.about)
                    assert '"digest"' not in mine
    assert kinds >= {"event", "refusal"}


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
def test_the_position_can_be_set_up_again(game: Any) -> None:
    """From the whole match to the same state, from a view to a state of which the player sees the same."""
    done = 0
    story = Story(game, next(iter(game.scenarios)), seed=4)
    for _ in range(6):
        story.play(23)
        if story.match.over:
            break
        for role in story.match.decisions():
            for wish in story.wishes(role):
                past = story.before if wish.about == "event" else story.match
                whole = reports.read(story.report(wish, role, story.match.roles).encode())
                assert isinstance(whole.known, reports.Played)
                again = reports.position(whole, verify=True)
                assert again.digest() == past.digest()
                seen = reports.read(story.report(wish, role, (role,)).encode())
                assert isinstance(seen.known, reports.Seen)
                drawn = reports.position(seen)
                assert drawn.number == past.number
                assert msgspec.json.encode(drawn.view(role)) == msgspec.json.encode(past.view(role))
                for report, match in ((whole, again), (seen, drawn)):
                    check_answer(report, match)
                done += 1
    assert done >= 6


def check_answer(report: reports.Report, match: Match[Any]) -> None:
    """What was reported is seen again."""
    about = report.about
    if isinstance(about, reports.Refused):
        assert about.action is not None
        refusal = reports.refused(match, about.role, about.action)
        assert refusal is not None
        assert (refusal.rule, match.explain(refusal)) == (report.rule, about.text)
    elif isinstance(about, reports.Weighed):
        now, then = (
            msgspec.json.decode(msgspec.json.encode(odds), type=Odds | None)
            for odds in (reports.weighed(match, about.role, about.action), about.odds)
        )
        assert now == then
    elif isinstance(report.known, reports.Played):
        assert reports.repeated(match, report) == [reports.event_in(match.game, raw) for raw in about.events]


def test_a_running_match_is_told_as_far_as_the_seat_knows_it() -> None:
    async def scene(world: World) -> None:
        match, _secrets, (red, blue, green) = await world.table()
        for client, role in ((red, "red"), (blue, "blue"), (green, "green")):
            await client.act(role, PLAN)
        row = await world.storage.match(match)
        assert row is not None
        told = (await red.ask("report", about="refusal", at=3, role="red", action=WALK, sentence=SENTENCE))["value"]
        report = reports.read(told.encode())
        assert (report.game, report.scenario, report.at, report.sentence) == ("three-crowns", "war", 3, SENTENCE)
        assert isinstance(report.known, reports.Seen)
        assert (report.known.role, report.known.roles) == ("red", ("red",))
        assert row.seed not in told
        assert "digest" not in told
        crowd = await world.join(match, None)
        lines = (await red.ask("log"))["value"]
        at = lines[-1]["number"]
        watched = reports.read((await crowd.ask("report", about="event", at=at, sentence=SENTENCE))["value"].encode())
        assert isinstance(watched.known, reports.Seen)
        assert isinstance(watched.about, reports.Happened)
        assert (watched.known.role, watched.about.action) == (None, None)

    play(scene)


@pytest.mark.parametrize("is_over", [False, True])
def test_who_may_know_everything_gets_the_whole_match_and_no_seed(is_over: bool) -> None:
    async def scene(world: World) -> None:
        seats = ONE_EACH if is_over else [{"roles": ["red", "blue", "green"]}]
        match, _secrets, clients = await world.table(seats)
        by_role = dict(zip(("red", "blue", "green"), clients if is_over else clients * 3, strict=True))
        for role, client in by_role.items():
            await client.act(role, PLAN)
        if is_over:
            for role in ("red", "blue"):
                await by_role[role].act(role, {"do": "resign"})
            assert by_role["green"].state["info"]["over"]
        row = await world.storage.match(match)
        assert row is not None
        asked = await by_role["red"].ask("report", about="event", at=3, role="red", sentence=SENTENCE)
        report = reports.read(asked["value"].encode())
        assert isinstance(report.known, reports.Played)
        assert [line.n for line in report.known.moves] == [1, 2]
        assert isinstance(report.about, reports.Happened)
        assert report.about.action == PLAN
        assert row.seed not in asked["value"]
        kept = (await world.storage.tail(match, 1, 2))[0].digest
        assert reports.position(report, verify=True).digest() == kept

    play(scene)


@pytest.mark.parametrize(
    ("wish", "status"),
    [
        ({"about": "refusal", "at": 1, "role": "blue", "action": WALK}, 403),
        ({"about": "refusal", "at": 99, "role": "red", "action": WALK}, 404),
        ({"about": "event", "at": 0, "role": "red"}, 404),
        ({"about": "event", "at": 1, "role": "red", "line": 77}, 404),
        ({"about": "odds", "at": 0, "role": "red"}, 400),
        ({"about": "odds", "at": 0, "role": "red", "action": {"do": "fly"}}, 400),
        ({"about": "weather", "at": 0, "role": "red"}, 400),
        ({"about": "refusal", "at": 0, "role": "red", "action": WALK, "sentence": ""}, 400),
    ],
)
def test_what_cannot_be_reported(wish: dict[str, Any], status: int) -> None:
    async def scene(world: World) -> None:
        _match, _secrets, (red, *_others) = await world.table()
        await red.act("red", PLAN)
        answer = await red.ask("report", **{"sentence": SENTENCE, **wish})
        assert (answer["type"], answer.get("status")) == ("error", status)

    play(scene)


def test_a_choice_that_was_not_finished_is_refused_as_far_as_it_goes() -> None:
    match = Match.new(DEMO, "war", seed=1)
    for role in match.decisions():
        match.apply(role, match.parse(PLAN))
    role = match.decisions()[0]
    offer = next(offer for offer in match.offers(role).offers if len(offer.fields) > 1)
    first = offer.fields[0].name
    wrong = reports.refused(match, role, {"do": offer.verb, first: "nobody"})
    assert wrong is not None
    assert wrong.rule
    good = msgspec.to_builtins(next(iter(offer)))[first]
    assert reports.refused(match, role, {"do": offer.verb, first: good}) is None


def a_report() -> dict[str, Any]:
    story = Story(DEMO, "war", seed=2)
    story.play(5)
    wish = AskReport(about="event", at=5, sentence=SENTENCE, role="red")
    told: dict[str, Any] = json.loads(story.report(wish, "red", story.match.roles))
    return told


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"7", b"{}", b"\xff", b"[" * 100_000, b'{"sandtable":1}'])
def test_files_that_are_no_reports(data: bytes) -> None:
    with pytest.raises(BadFile, match="not a report"):
        reports.read(data)


def test_damaged_reports() -> None:
    told = a_report()
    assert reports.position(reports.read(json.dumps(told).encode()), verify=True).number == 4
    with pytest.raises(OtherVersion, match="format 9"):
        reports.read(json.dumps(told | {"sandtable_report": 9}).encode())
    damages: list[dict[str, Any]] = [{"about": {}}, {"known": None}, {"sentence": 5}, {"at": 3}, {"at": 99}]
    for changes in damages:
        with pytest.raises(BadFile, match="damaged"):
            reports.read(json.dumps(told | changes).encode())
    others: list[tuple[dict[str, Any], type[SandtableError]]] = [
        ({"rules": 99}, OtherVersion),
        ({"scenario": "peace"}, Unknown),
        ({"options": {"cheese": True}}, Unknown),
        ({"known": told["known"] | {"dice": []}}, SandtableError),
    ]
    for changes, error in others:
        report = reports.read(json.dumps(told | changes).encode())
        with pytest.raises(error):
            reports.position(report, verify=True)


def test_a_report_cannot_name_a_module_to_import() -> None:
    report = reports.read(json.dumps(a_report() | {"game": "tests.demo.game:GAME"}).encode())
    with pytest.raises(Unknown, match="there is no game"):
        reports.position(report)


def test_a_state_that_is_none_is_one_clear_error() -> None:
    story = Story(DEMO, "war", seed=2)
    story.play(5)
    wish = AskReport(about="event", at=5, sentence=SENTENCE, role="red")
    told = json.loads(story.report(wish, "red", ("red",)))
    damages: list[dict[str, Any]] = [{"space": []}, {"space": [999] * 12}, {"stack": [{"step": "x"}]}, {"gold": "much"}]
    for changes in damages:
        state = told["known"]["state"] | changes
        report = reports.read(json.dumps(told | {"known": told["known"] | {"state": state}}).encode())
        with pytest.raises(BadFile):
            reports.position(report)
