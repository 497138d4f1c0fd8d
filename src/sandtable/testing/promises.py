"""The promises of the core, each as a check at one moment of a match. All games keep all of them."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from sandtable.core import LANGUAGES, Action, Game, Match, Offer, Refusal, Rolled, SandtableError, Undo
from sandtable.core import replay as files
from sandtable.core.codec import Codec
from sandtable.core.facts import strict, without_memory


class FuzzFailure(SandtableError):
    """A promise that does not hold, with what reproduces it."""

    def __init__(self, message: str, match: Match[Any] | None = None) -> None:
        super().__init__(message)
        self.match = match

    def replay(self) -> bytes | None:
        """The match file up to the failure, where it can be written."""
        if self.match is None:
            return None
        try:
            return files.save(self.match)
        except SandtableError:
            return None


def random_play(match: Match[Any], rng: Random, most: int | None = None) -> int:
    """Play at random until the match is over or `most` decisions are made; returns the number of decisions."""
    made = 0
    while not match.over and (most is None or made < most):
        asked = match.decisions()
        role = asked[0] if len(asked) == 1 else asked[int(rng.random() * len(asked))]
        match.apply(role, match.offers(role).sample(rng))
        made += 1
    return made


def apply_offered(match: Match[Any], role: str, action: Action) -> None:
    """Apply an action that was offered: it must not be refused."""
    refusal = match.offers(role).check(action)
    if refusal is not None:
        raise FuzzFailure(f"an offered action is refused: {action}: {match.explain(refusal)}")
    match.apply(role, action)


def check_state(match: Match[Any]) -> bytes:
    """The state must be sound and survive MessagePack; its packed form is returned."""
    codec, state = match.game.codec, match.state
    faults = match.faults()
    if faults:
        raise FuzzFailure(f"broken invariants after {type(match.step).__name__}: " + "; ".join(faults))
    packed = codec.pack(state)
    back = codec.unpack(packed)
    if back != state:
        names = [n for n in state.__struct_fields__ if getattr(back, n) != getattr(state, n)]
        raise FuzzFailure(f"the state does not survive MessagePack: {', '.join(names)}")
    if codec.pack(back) != packed:
        raise FuzzFailure("the state packs to other bytes after a round trip")
    return packed


def check_views(match: Match[Any], rng: Random) -> None:
    """What a role is shown must be the same for states that differ only in what it may not know."""
    codec = match.game.codec
    if codec.from_json(codec.to_json(match.state)) != match.state:
        raise FuzzFailure("the state does not survive JSON")
    open_game = match.game.public(match.state)
    for role in (*match.roles, None):
        packed = codec.pack(match.view(role).state)
        match.table(role, rng.choice(LANGUAGES))
        if role is None:
            continue
        guess = match.determinize(role, rng)
        if codec.pack(guess.view(role).state) != packed:
            raise FuzzFailure(f"what determinize makes up for {role} does not agree with what it knows")
        if guess.faults():
            raise FuzzFailure(f"what determinize makes up for {role} is not sound: " + "; ".join(guess.faults()))
        if open_game:  # nothing is hidden, so nothing can leak
            continue
        match.table(role, "de")
        check_pair(match, role, rng)


def check_pair(match: Match[Any], role: str, rng: Random) -> None:
    """All that a role can get to see must be the same for two states that differ only in what it may not know."""
    codec, other = match.game.codec, match.scramble(role, rng)
    if codec.pack(other.view(role).state) != codec.pack(match.view(role).state):
        raise FuzzFailure(f"the view of {role} depends on what it may not know")
    if other.waiting_for() != match.waiting_for():
        raise FuzzFailure(f"{role} can tell from the asking what it may not know")
    if msgspec.json.encode(other.table(role)) != msgspec.json.encode(match.table(role)):
        raise FuzzFailure(f"the table of {role} depends on what it may not know")
    if role in match.decisions():
        mine, theirs = match.offers(role), other.offers(role)
        if codec.builtins(mine.describe()) != codec.builtins(theirs.describe()):
            raise FuzzFailure(f"the offers to {role} depend on what it may not know")
        action = mine.sample(rng)
        for left, right in zip(mine[type(action)], theirs[type(action)], strict=True):
            _check_fields(codec, left, right, action)
        if theirs.check(action) is None and odds(match, role, action) != odds(other, role, action):
            raise FuzzFailure(f"the odds of {action} depend on what {role} may not know")
    for action in foreign(match, rng):
        if match.why_not(role, action) != other.why_not(role, action):
            raise FuzzFailure(f"whether and why {role} may not {action} depends on what it may not know")


def odds(match: Match[Any], role: str, action: Action) -> bytes:
    """Return what the screen shows of an action's odds, to be compared."""
    return msgspec.json.encode(match.game.shown_odds(match, role, action))


def _check_fields(codec: Codec[Any], mine: Offer, theirs: Offer, action: Action) -> None:
    """The domain of each field of an action, given those before it, must be described alike."""
    if mine.refuse(action) is not None:
        return
    values = [getattr(action, field.name) for field in mine.fields]
    for place in range(1, len(values)):
        left, right = (codec.builtins(offer.describe(values[:place])) for offer in (mine, theirs))
        if left != right:
            raise FuzzFailure(f"what may follow in {action} depends on what its role may not know")


def check_clone(match: Match[Any], rng: Random) -> None:
    """Playing on a clone must not change the original."""
    before = match.digest()
    twin = match.clone()
    if twin.digest() != before:
        raise FuzzFailure("a clone differs from its original")
    random_play(twin, Random(rng.random()), most=5)
    if match.digest() != before:
        raise FuzzFailure("playing on a clone changed its original")


def check_memory(match: Match[Any]) -> None:
    """Who is asked and what is offered must not depend on remembered facts, nor on columns that facts do not name."""
    codec = match.game.codec
    with without_memory(), strict():
        fresh = Match.restore(match.game, codec.unpack(codec.pack(match.state)), seed=match.seed, number=match.number)
        asked = fresh.decisions()
        offers = {role: codec.builtins(fresh.offers(role).describe()) for role in asked}
    if asked != match.decisions():
        raise FuzzFailure("who is asked depends on what is remembered, not on the state alone")
    for role in asked:
        if codec.builtins(match.offers(role).describe()) != offers[role]:
            raise FuzzFailure(f"the offers to {role} depend on what is remembered, not on the state alone")


def check_replay(match: Match[Any], digests: Sequence[str]) -> None:
    """The same actions must lead to the same states when nothing is remembered: `digests` are those after each."""
    with without_memory(), strict():
        again = Match.new(match.game, match.scenario, match.options, seed=match.seed)
        for number, entry in enumerate(match.log, 1):
            try:
                again.apply(entry.role, entry.action)
            except Refusal as refusal:
                raise FuzzFailure(f"move {number} is refused when facts are not remembered: {refusal}") from None
            if digests[number] and again.digest() != digests[number]:
                raise FuzzFailure(f"move {number} leads elsewhere when facts are not remembered")


def check_preview(match: Match[Any], role: str, action: Action) -> None:
    """The odds of an offered action must be a distribution, and must change nothing."""
    before = match.digest()
    odds = match.preview(role, action)
    if match.digest() != before:
        raise FuzzFailure(f"the preview of {action} changed the state")
    if odds is None:
        return
    total = sum(result.probability for result in odds.results)
    if abs(total - 1) > 1e-9 or not -1e-9 <= odds.success <= 1 + 1e-9:
        raise FuzzFailure(f"the odds of {action} are no distribution: they sum to {total}, success {odds.success}")
    if odds.success and not (odds.aim and odds.whose):
        raise FuzzFailure(f"the odds of {action} speak of success, but not of whose or of what")


def check_undo(match: Match[Any], role: str, action: Action, before: str) -> int:
    """The last action can be taken back exactly when no die fell; then all is as before, and it can be made again."""
    latest = [event for number, event in match.events if number == match.number]
    if any(isinstance(event, Rolled) for event in latest):
        if match.can_undo(role):
            raise FuzzFailure("an action can be taken back although a die fell")
        return 0
    if not match.can_undo(role):
        return 0
    after, rolled = match.digest(), match.state.rolled
    match.undo(role)
    if match.digest() != before:
        raise FuzzFailure(f"taking back {action} does not bring back the state before it")
    apply_offered(match, role, action)
    if match.digest() != after or match.state.rolled != rolled:
        raise FuzzFailure(f"making {action} again after taking it back leads elsewhere")
    return 1


def check_told(match: Match[Any], role: str, action: Action, rng: Random) -> Callable[[], None]:
    """An action that told its role something hidden cannot be taken back. Called before it; the check is for after."""
    if match.game.public(match.state):
        return lambda: None
    elsewhere = match.clone().seen_elsewhere(role, action, rng)

    def check() -> None:
        events = [event for number, event in match.events if number == match.number]
        if match.hides_whom_it_asks(role) and match.can_undo(role):
            raise FuzzFailure(f"{action} led to a question that is asked in hiding, and can be taken back")
        if match.can_undo(role) and match.seen_after(role, events) != elsewhere:
            raise FuzzFailure(f"{action} told {role} something hidden, and can be taken back")

    return check


def foreign(match: Match[Any], rng: Random) -> list[Action]:
    """Actions that a role might try to learn something: others' and impossible ones, with values of others in them."""
    made = [entry.action for entry in match.log[-120:] if not isinstance(entry.action, Undo)]
    tried = rng.sample(made, min(len(made), 12))
    values: dict[str, list[Any]] = {}
    for action in made:
        for name in action.__struct_fields__:
            values.setdefault(name, []).append(getattr(action, name))
    for action in list(tried):
        tried.append(mutate(action, rng))
        if action.__struct_fields__:
            name = rng.choice(action.__struct_fields__)
            tried.append(msgspec.structs.replace(action, **{name: rng.choice(values[name])}))
    return tried


def check_refusals(match: Match[Any], role: str, action: Action, rng: Random) -> int:
    """Mutations of an offered action that are not offered are refused with a reason, and nothing changes."""
    before, refused = match.digest(), 0
    for _ in range(4):
        mutant = mutate(action, rng)
        refusal = match.why_not(role, mutant)
        if refusal is None:
            continue
        refused += 1
        try:
            match.apply(role, mutant)
        except Refusal as raised:
            if raised != refusal:
                raise FuzzFailure(f"{mutant}: why_not says {refusal}, apply says {raised}") from None
        else:
            raise FuzzFailure(f"{mutant} was applied although why_not refuses it: {refusal}")
        _check_refusal(match, refusal)
    for stranger in match.roles:
        if stranger not in match.decisions() and match.why_not(stranger, action) is None:
            raise FuzzFailure(f"{stranger} may act although it is not asked")
    if match.digest() != before:
        raise FuzzFailure("a refused action changed the state")
    return refused


def _check_refusal(match: Match[Any], refusal: Refusal) -> None:
    known = ledger_ids(match.game)
    if known and refusal.rule not in known and not refusal.rule.startswith("sandtable-"):
        raise FuzzFailure(f"a refusal cites {refusal.rule}, which is not in the ledger")
    for language in LANGUAGES:
        texts = match.game.texts(language)
        if f"refusal.{refusal.reason}" not in texts and f"refusal.{refusal.rule}" not in texts:
            raise FuzzFailure(f"there is no sentence for the refusal {refusal}")
        if "?" in texts.refusal(refusal) and not any("?" in str(fact) for fact in refusal.facts.values()):
            raise FuzzFailure(f"a blank stays empty in the sentence of {refusal}: {texts.refusal(refusal)}")


@functools.cache
def ledger_ids(game: Game[Any]) -> frozenset[str]:
    """The ids of the game's ledger; empty where it has none."""
    path = game.home / "data" / "ledger.toml"
    if not path.exists():
        return frozenset()
    return frozenset(item["id"] for item in tomllib.loads(path.read_text(encoding="utf-8"))["rule"])


def mutate(action: Action, rng: Random) -> Action:
    """The action with one field changed a little: still of the right shape, mostly against the rules."""
    fields = action.__struct_fields__
    if not fields:
        return action
    name = rng.choice(fields)
    return msgspec.structs.replace(action, **{name: _mutant(getattr(action, name), rng)})


def _mutant(value: Any, rng: Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-3, -1, 1, 5))
    if isinstance(value, str):
        return rng.choice((value + "x", "", value[::-1], value.upper()))
    if isinstance(value, tuple):
        if not value:
            return value
        place = rng.randrange(len(value))
        kind = rng.randrange(4)
        if kind == 0:
            return value[:place] + value[place + 1 :]
        if kind == 1:
            return (*value, value[place])
        if kind == 2:
            return value[::-1]
        return (*value[:place], _mutant(value[place], rng), *value[place + 1 :])
    return value
