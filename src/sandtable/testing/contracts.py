"""The contract: every promise that a game must keep, as a list of checks that a test can run one by one.

@pytest.mark.parametrize("check", contract(GAME), ids=str)
def test_the_game_keeps_its_contract(check: Check) -> None:
    check()
"""

from __future__ import annotations

import ast
import functools
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import msgspec

from sandtable.core import LANGUAGES, Game, Match, Texts
from sandtable.core.immutable import field_types, is_immutable
from sandtable.core.table import Table

from .fuzzing import fuzz
from .promises import ledger_ids

_BLANK = re.compile(r"\{(\w+)")
_LOOKS = 5
"""A table is looked at every so many decisions."""


class Check:
    """One promise of the contract. Call it: it raises an error that says what is wrong."""

    def __init__(self, name: str, run: Callable[[], object]) -> None:
        self.name, self._run = name, run

    def __call__(self) -> None:
        self._run()

    def __str__(self) -> str:
        return self.name


def contract(game: Game[Any], *, decisions: int = 120, look_every: int = 24) -> list[Check]:
    """Return the checks of a game: what it is made of, and random play of every scenario with each set of options.

    `decisions` is how long each random play is, and about one decision in `look_every` is looked at closely.
    """
    checks = [
        Check("columns are immutable", lambda: check_columns(game)),
        Check("options name what exists", lambda: check_options(game)),
        Check("texts are complete", lambda: check_texts(game)),
        Check("the ledger is sound", lambda: check_ledger_form(game)),
        Check("rules are in the ledger", lambda: check_ledger(game)),
        Check("every event has a scene", lambda: check_scenes(game)),
    ]
    for scenario in game.scenarios:
        for name, options in option_sets(game, scenario).items():
            play = functools.partial(fuzz, game, scenario, options, decisions=decisions, look_every=look_every, seed=11)
            shown = functools.partial(check_shown, game, scenario, options, decisions)
            checks.append(Check(f"random play of {scenario}, {name}", play))
            checks.append(Check(f"tables and measures of {scenario}, {name}", shown))
    return checks


def check_game(game: Game[Any], *, decisions: int = 120) -> None:
    """Check the whole contract."""
    for check in contract(game, decisions=decisions):
        check()


def option_sets(game: Game[Any], scenario: str) -> dict[str, Mapping[str, Any]]:
    """Return the defaults, and every optional rule that the scenario allows turned on."""
    allowed = {
        name: option.choices[-1] if option.choices else True
        for name, option in game.options.items()
        if not option.scenarios or scenario in option.scenarios
    }
    return {"defaults": {}, "all options": allowed} if allowed else {"defaults": {}}


def check_columns(game: Game[Any]) -> None:
    """Every field of the state must hold what cannot be changed in place."""
    mutable = [name for name, kind in field_types(game.state_type).items() if not is_immutable(kind)]
    assert not mutable, f"fields of {game.state_type.__name__} that can be changed in place: {', '.join(mutable)}"


def check_options(game: Game[Any]) -> None:
    """An option must be for scenarios of the game, and what evens one must be another choice than the usual one."""
    for option in game.options.values():
        unknown = sorted({*option.scenarios, *option.even} - set(game.scenarios))
        assert not unknown, f"option {option.id} names scenarios that do not exist: {', '.join(unknown)}"
        odd = [scenario for scenario, choice in option.even.items() if choice not in option.choices]
        assert not odd, f"option {option.id} has no such choice as evens {', '.join(odd)}"
        usual = [scenario for scenario, choice in option.even.items() if choice == option.default]
        assert not usual, f"option {option.id} evens {', '.join(usual)} by its usual choice"


# ---- words --------------------------------------------------------------------------------------------------------
def check_texts(game: Game[Any]) -> None:
    """All that people read must stand in every language, with the same blanks."""
    own = {language: game_sentences(game, language) for language in LANGUAGES}
    first, *others = LANGUAGES
    for language in others:
        missing = own[first].keys() ^ own[language].keys()
        assert not missing, f"only in one of the languages: {sorted(missing)}"
        other_blanks = [key for key in own[first] if blanks(own[first][key]) != blanks(own[language][key])]
        assert not other_blanks, f"other blanks in {language} than in {first}: {other_blanks}"
    known = game.texts(first)
    unsaid = [key for key in wanted_sentences(game) if key not in known]
    assert not unsaid, f"no words for {unsaid}"


def game_sentences(game: Game[Any], language: str) -> Mapping[str, str]:
    """Return the sentences that the game itself has in a language."""
    return Texts.read(game.home / "text" / f"{language}.toml")


def blanks(sentence: str) -> set[str]:
    """Return the names of the blanks in a sentence."""
    return set(_BLANK.findall(sentence))


def wanted_sentences(game: Game[Any]) -> Iterator[str]:
    """Yield the keys that every game must have words for."""
    for kind, prefix in ((game.actions, "verb"), (game.events, "event")):
        for struct in kind:
            yield f"{prefix}.{struct.__struct_config__.tag}"
    yield from (f"name.{role}" for role in game.roles)
    yield from (f"scenario.{name}.{part}" for name in game.scenarios for part in ("name", "blurb"))
    yield from (f"option.{name}.{part}" for name in game.options for part in ("name", "blurb"))
    yield from (f"refusal.{reason}" for reason in reasons(game))


def reasons(game: Game[Any]) -> set[str]:
    """Return every reason of a refusal that the game's code names."""
    found = set()
    for call in _calls(game):
        if getattr(call.func, "id", "") == "Refusal" and len(call.args) > 1:
            reason = call.args[1]
            if isinstance(reason, ast.Constant) and isinstance(reason.value, str):
                found.add(reason.value)
    return found


def _calls(game: Game[Any]) -> Iterator[ast.Call]:
    for path in sorted(game.home.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield node


def check_ledger_form(game: Game[Any]) -> None:
    """The ledger, where the game has one, must have every rule once, with all that is to be said of it."""
    if not ledger_ids(game):
        return
    rules = tomllib.loads((game.home / "data" / "ledger.toml").read_text(encoding="utf-8"))["rule"]
    twice = [rule for rule, number in Counter(item["id"] for item in rules).items() if number > 1]
    assert not twice, f"in the ledger more than once: {twice}"
    bare = [item["id"] for item in rules if not all(item.get(word) for word in ("title", "scope", "kind", "says"))]
    assert not bare, f"rules of the ledger without a title, a scope, a kind or what they say: {bare}"
    strange = {item["id"].split("-")[0] for item in rules}
    assert len(strange) == 1, f"ids of one ledger begin alike, not with {sorted(strange)}"


def check_ledger(game: Game[Any]) -> None:
    """The ledger must have every rule that the code cites, where the game has one."""
    known = ledger_ids(game)
    if not known:
        return
    prefixes = {rule.split("-")[0] for rule in known}
    cited = set()
    for path in sorted(game.home.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for prefix in prefixes:
            cited |= set(re.findall(rf"\[({prefix}-[a-zA-Z0-9.-]+)\]", text))
    for call in _calls(game):
        named = [word.value for word in call.keywords if word.arg in ("rule", "why")]
        if getattr(call.func, "id", "") == "Refusal":
            named += call.args[:1]
        cited |= {word.value for word in named if isinstance(word, ast.Constant) and isinstance(word.value, str)}
    unknown = sorted(rule for rule in cited if rule not in known and not rule.startswith("sandtable-"))
    assert not unknown, f"cited but not in the ledger: {unknown}"


def check_scenes(game: Game[Any]) -> None:
    """Every event must say how it looks, and the fields that it names must be there."""
    unseen = [event.__name__ for event in game.events if event not in game.scenes]
    assert not unseen, f"events without a scene: {unseen}"
    for event, staging in game.scenes.items():
        named = {staging.units, staging.side, *staging.path} - {""}
        unknown = named - set(event.__struct_fields__)
        assert not unknown, f"the scene of {event.__name__} names fields that it does not have: {sorted(unknown)}"


# ---- what is shown ------------------------------------------------------------------------------------------------
def check_shown(game: Game[Any], scenario: str, options: Mapping[str, Any], decisions: int) -> None:
    """Tables must be valid and in words, and measures the same numbers throughout."""
    match, rng = Match.new(game, scenario, options, seed=11, history=False), Random(11)
    measured = set(game.measures(match.state))
    places, staged = set(match.table(None).spaces) | _mapped(game), dict[str, list[bool]]()
    while (role := match.asked) is not None and match.number < decisions:
        if match.number % _LOOKS == 0:
            for viewer in (role, None):
                check_table(match.table(viewer, LANGUAGES[match.number % len(LANGUAGES)]))
            check_gestures(match, role)
            check_desk(match, role)
        for event in match.apply(role, match.offers(role).sample(rng)):
            path = game.scene(event).path
            if path:
                staged.setdefault(type(event).__name__, []).append(bool(set(path) & places))
        measures = game.measures(match.state)
        assert set(measures) == measured, f"other measures than before: {set(measures) ^ measured}"
        assert all(isinstance(value, float) for value in measures.values())
    lost = [name for name, found in staged.items() if len(found) >= _LOOKS and not any(found)]  # one may be elsewhere
    assert not lost, f"scenes whose places are never on the map: {lost}"


def _mapped(game: Game[Any]) -> set[str]:
    """Return the ids of the places of a game's map, where it has one."""
    path = game.home / "data" / "map.json"
    if not path.exists():
        return set()
    told = msgspec.json.decode(path.read_bytes())
    spaces = [space["id"] for sheet in told["sheets"] for space in sheet["spaces"]]
    return {*spaces, *(box["id"] for box in told.get("boxes", ()))}


def check_gestures(match: Match[Any], role: str) -> None:
    """A gesture must name fields of its offer, and what ends a step must say what it ends."""
    for offer in match.offers(role).offers:
        gesture = match.game.gesture(offer)
        fields = {field.name for field in offer.fields}
        assert not fields or {gesture.units, gesture.place} - {""} <= fields, f"{offer.verb}: {gesture}"
        if gesture.ends and offer.verb in match.game.gestures:
            step = type(match.step).__name__
            assert all(match.table(role, one).ends for one in LANGUAGES), (
                f"nothing says what {offer.verb} of {step} ends"
            )


def check_desk(match: Match[Any], role: str) -> None:
    """What lies on the desk can be ordered: at once, or it begins an offer."""
    table = match.table(role)
    verbs = {offer.verb for offer in match.offers(role).offers}
    for item in table.desk.items if table.desk else ():
        assert item.action["do"] in verbs, f"nothing is offered for {item.action}"
        acts = [offer for offer in match.offers(role).offers if offer.verb == item.action["do"]]
        fields = {field.name for offer in acts for field in offer.fields}
        if fields <= set(item.action) and item.price <= (table.desk.money if table.desk else 0):
            refusal = match.why_not(role, match.parse(msgspec.json.encode(item.action)))
            assert refusal is None, f"on the desk and refused: {item.action}: {refusal}"


def check_table(table: Table) -> None:
    """A Table must survive JSON, ask in words, and be at one stage of the sequence at most."""
    packed = msgspec.json.encode(table)
    assert msgspec.json.encode(msgspec.json.decode(packed, type=Table)) == packed
    assert table.prompt, "the prompt is empty"
    spoken = [table.prompt, table.turn, table.rules, *(stage.title for stage in table.sequence)]
    spoken += [panel.title for panel in table.panels]
    spoken += [row.cells[0] for panel in table.panels for row in panel.rows if row.cells]
    for words in spoken:
        assert "{" not in words, f"an open blank: {words}"
        assert not re.match(r"(prompt|rules|step|table|name|turn)\.\w", words), f"a key instead of words: {words}"
    counters = {counter.id for stack in table.stacks.values() for counter in stack}
    for battle in table.battles:
        ranks = (*battle.attackers.ranks, *battle.defenders.ranks)
        strange = {unit for rank in ranks for unit in rank.units} - counters
        assert not strange, f"the battle in {battle.place} has counters that are not on the table: {sorted(strange)}"
    assert sum(stage.now for stage in table.sequence) <= 1, "several stages at once"
