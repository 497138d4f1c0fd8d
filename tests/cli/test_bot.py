"""Bots from elsewhere: a class by its module, a program that speaks JSON lines, the players of installed packages."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable.core import Match, Unknown
from sandtable.lab.remote import Seat
from sandtable.players import Budget, Mistake, base, find, levels, make, take_turn
from sandtable.players.program import Program
from tests.cli.conftest import DEMO, Command
from tests.demo.game import GAME
from tests.server.conftest import Server, create

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "examples" / "river-line" / "engine.py"
HEAD = """
import json, sys
def tell(**words): print(json.dumps(words), flush=True)
def hear(): return json.loads(sys.stdin.readline())
hello, asked = hear(), hear()
"""


class Bot:
    """Plays at random, here and elsewhere."""

    def __init__(self, game: Any, seed: Any) -> None:
        self.rng = Random(str(seed))

    def decide(self, view: Any, offers: Any, budget: Any) -> Any:
        return offers.sample(self.rng)


ME = f"{__name__}:Bot"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(f"sqlite:///{tmp_path_factory.mktemp('bots') / 'matches.db'}")
    yield running
    running.stop()


@pytest.fixture
def match() -> Match[Any]:
    return Match.new(GAME, "war", seed=1)


def program(tmp_path: Path, code: str) -> Program:
    (tmp_path / "engine.py").write_text(HEAD + code)
    return Program(f"{sys.executable} {tmp_path / 'engine.py'}", GAME, 1)


# ---- programs ------------------------------------------------------------------------------------------------------


def test_a_program_plays_a_match_to_its_end(match: Match[Any]) -> None:
    player = Program(f"{sys.executable} {ENGINE}", GAME, 1)
    others = Bot(GAME, 2)
    while (role := match.asked) is not None:
        take_turn(match, role, player if role == "red" else others, Budget(5))
    player.close()
    assert player._process.returncode == 0, "its input ended, and so did it"


def test_a_program_is_told_what_its_role_may_know(match: Match[Any], tmp_path: Path) -> None:
    engine = program(
        tmp_path, 'json.dump([hello, asked], open(sys.argv[0] + ".heard", "w"))\ntell(type="act", action={})\n'
    )
    with pytest.raises(Mistake):
        take_turn(match, "red", engine, Budget(3))
    hello, asked = json.loads((tmp_path / "engine.py.heard").read_text())
    assert (hello["type"], hello["protocol"], hello["game"], hello["role"]) == ("hello", 1, "three-crowns", "red")
    assert (asked["type"], asked["role"], asked["number"], asked["seconds"]) == ("decide", "red", 0, 3)
    assert asked["offers"][0]["verb"] == "plan"
    mine, *theirs = asked["state"]["hands"]
    assert "?" not in mine
    assert {card for hand in theirs for card in hand} == {"?"}
    assert set(asked["state"]["deck"]) == {"?"}


def test_a_program_may_ask_while_it_thinks(match: Match[Any], tmp_path: Path) -> None:
    questions = [
        {"type": "sample"},
        {"type": "list", "most": 2},
        {"type": "next", "offer": 0, "prefix": []},
        {"type": "why-not", "action": {"do": "plan", "posture": "fly"}},
        {"type": "why-not", "action": {"do": "plan", "posture": "march"}},
        {"type": "odds", "action": {"do": "plan", "posture": "march"}},
        {"type": "next", "offer": 9, "prefix": []},
        {"type": "sing"},
    ]
    code = f"heard = []\nfor question in {questions!r}:\n    tell(**question); heard.append(hear())\n"
    code += 'json.dump(heard, open(sys.argv[0] + ".heard", "w"))\ntell(type="act", action=heard[0]["action"])\n'
    take_turn(match, "red", program(tmp_path, code), Budget(5))
    assert match.number == 1
    sample, some, following, no, yes, odds, beyond, sing = json.loads((tmp_path / "engine.py.heard").read_text())
    assert sample["action"]["do"] == "plan"
    assert (len(some["actions"]), some["more"]) == (2, True)
    assert following["next"]["values"] == ["march", "dig in", "scout"]
    assert no["message"].startswith("That is not one of the choices now")
    assert yes["message"] == ""
    assert odds == {"type": "odds", "odds": None}
    assert beyond["type"] == "error"
    assert sing["message"] == "there is no 'sing'; there is act, sample, list, next, why-not, odds"


def test_a_program_that_errs_may_answer_again_and_then_ends_the_match(match: Match[Any], tmp_path: Path) -> None:
    wrong = 'tell(type="act", action={"do": "plan", "posture": "fly"})\n'
    right = 'assert hear()["type"] == "refused"\ntell(type="act", action={"do": "plan", "posture": "scout"})\n'
    take_turn(match, "red", program(tmp_path, wrong + right), Budget(5))
    assert match.number == 1
    with pytest.raises(Mistake, match=r"answered 3 times what is not allowed: .*\[demo-plan\]"):
        take_turn(match, "blue", program(tmp_path, (wrong + "hear()\n") * 3), Budget(5))


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("raise SystemExit(3)\n", r"has ended \(status 3\)"),
        ("print('e2e4', flush=True)\n", "wrote 'e2e4', which is no JSON object"),
        ("import time; time.sleep(60)\n", "has not answered within"),
    ],
)
def test_a_program_that_fails_is_told_in_one_sentence(
    match: Match[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, sentence: str
) -> None:
    monkeypatch.setattr("sandtable.players.program.GRACE", 0.5)
    with pytest.raises(Mistake, match=sentence):
        take_turn(match, "red", program(tmp_path, code), Budget(1))


def test_a_program_that_is_not_there(match: Match[Any]) -> None:
    with pytest.raises(Mistake, match="'no-such-engine' cannot be started"):
        find("exec:no-such-engine", GAME)(GAME, 1)


# ---- names ---------------------------------------------------------------------------------------------------------


def test_only_the_person_at_the_machine_chooses_what_is_run() -> None:
    """The host makes players by words of strangers: no module and no program among them."""
    assert isinstance(find(ME, GAME)(GAME, 1), Bot)
    for level in (ME, "exec:true", "os:system"):
        with pytest.raises(Unknown, match=f"no level '{level}'"):
            make(level, GAME, 1)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("no_such_module:Bot", "there is no player at 'no_such_module:Bot'"),
        (f"{__name__}:Nobody", "has no attribute 'Nobody'"),
        (f"{__name__}:ROOT", "makes no player"),
        ("nobody", "there is no level 'nobody' for three-crowns"),
    ],
)
def test_a_name_that_leads_nowhere_gets_a_sentence(name: str, sentence: str) -> None:
    with pytest.raises(Unknown, match=sentence):
        find(name, GAME)


def test_players_of_installed_packages_are_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_installed", lambda: {"three-crowns.bold": ME, "any": ME, "munich-war.shy": ME})
    assert levels(GAME) == ("recruit", "bold", "any")
    assert isinstance(make("bold", GAME, 1), Bot)


# ---- the command ---------------------------------------------------------------------------------------------------


def test_a_seat_may_hold_a_class_or_a_program(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    seats = ["--seat", f"red={ME}", "--seat", f"blue=exec:{sys.executable} {ENGINE}"]
    answer = command("simulate", DEMO, "--matches", "1", *seats, "--json")
    assert answer.status == 0, answer.err
    assert json.loads(answer.out)["matches"] == 1
    assert command("simulate", DEMO, "--seat", "red=nowhere:Bot").is_bad_input("there is no player at 'nowhere:Bot'")


@pytest.mark.parametrize("bot", [ME, f"exec:{sys.executable} {ENGINE}", "recruit"])
def test_a_bot_plays_a_seat_of_a_server(
    server: Server,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    bot: str,
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("SANDTABLE_GAMES", f"three-crowns={DEMO}")
    monkeypatch.setattr("sandtable.lab.remote.PAUSE", 0.02)
    computer = {"kind": "computer", "level": "recruit"}
    match, (red, *_) = create(server.url, [{"roles": ["red"]}, {"roles": ["blue", "green"], **computer}])
    answer = command("bot", bot, f"{server.url}/m/{match}#seat={red.secret}", "--json")
    assert answer.status == 0, answer.err
    end = json.loads(answer.out)
    assert (end["match"], end["over"], end["you"]) == (match, True, ["red"])


def test_a_link_that_is_none_gets_a_sentence(command: Command, server: Server) -> None:
    assert command("bot", "recruit", "nonsense").is_bad_input("is no link of a seat")
    match, (red, *_) = create(server.url)
    assert command("bot", "recruit", f"{server.url}/m/{match}#seat=wrong").status == 2
    assert command("bot", "recruit", f"{server.url}/m/none#seat={red.secret}").status == 2


def test_a_bot_sees_what_its_seat_may_know_and_nobody_elses_view(server: Server) -> None:
    match, (red, *_) = create(server.url, [{"roles": ["red"]}, {"roles": ["blue"]}, {"roles": ["green"]}])
    seen = Seat(f"{server.url}/m/{match}#seat={red.secret}").call("/view?role=red")
    assert seen["number"] == 0
    assert {card for hand in seen["state"]["hands"][1:] for card in hand} == {"?"}
    assert red.http.get("/view", params={"role": "blue"}).status_code == 403
    assert red.http.get("/view", params={"role": "red"}, headers={"Authorization": ""}).status_code == 401
