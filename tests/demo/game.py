"""The demonstration game: three roles, hidden hands, a simultaneous decision, dice, retreats, interrupts, an option.

It is small but nasty: everything the core promises is proven on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from sandtable.core import Action, Field, Game, Gesture, Match, Offer, OneOf, Option, Play, Scenario, Texts, View
from sandtable.core.columns import put
from sandtable.core.data import OptionValue
from sandtable.core.scene import Staging
from sandtable.core.table import Colour, CounterFace, SideFace, SpaceFace, Stage, Table
from sandtable.odds.losses import all_losses

from .board import CAPITALS, DECK, POSTURES, ROLES, SPACES, UNITS_PER_ROLE
from .state import (
    ACTIONS,
    EVENTS,
    HIDDEN,
    NOWHERE,
    DemoState,
    Drew,
    Lose,
    Lost,
    Moved,
    Peeked,
    Planned,
    PlayCard,
    Played,
)
from .steps import STEPS, UNITS, Battle, Losses, Planning, Turn, discard, units_at

COLOURS: tuple[Colour, ...] = ("red", "blue", "green")


class ThreeCrowns(Game[DemoState]):
    id = "three-crowns"
    title = "Three Crowns"
    rules_version = 1
    roles = ROLES
    alliances: ClassVar = {role: (role,) for role in ROLES}
    scenarios: ClassVar = {"war": Scenario("war", turns=5), "skirmish": Scenario("skirmish", turns=5)}
    options: ClassVar = {
        "floods": Option("floods", rule="demo-flood"),
        "gold": Option("gold", default=1, choices=(0, 1, 3), scenarios=("war",)),
    }
    home = Path(__file__).parent
    state_type = DemoState
    steps = STEPS
    actions = ACTIONS
    events = EVENTS
    gestures: ClassVar = {"end-moves": Gesture(ends=True)}
    scenes: ClassVar = {
        Drew: Staging("card", side="role"),
        Planned: Staging("note"),
        Moved: Staging("move", units="unit", path=("to",)),
        Played: Staging("card", side="role"),
        Peeked: Staging("reveal", side="role"),
        Lost: Staging("hit", units="unit"),
    }

    def begin(self, scenario: str, options: Mapping[str, OptionValue]) -> DemoState:
        active = 3 if scenario == "war" else 2
        per_role = range(UNITS_PER_ROLE)
        return DemoState(
            scenario=scenario,
            options=options,
            stack=(Turn(),),
            space=tuple([CAPITALS[role] if n < active else NOWHERE for role in range(3) for n in per_role]),
            step=tuple([2 if n < active else 0 for _ in range(3) for n in per_role]),
            owner=tuple([CAPITALS.index(p) if p in CAPITALS else -1 for p in range(len(SPACES))]),
            gold=(int(options.get("gold", 0)),) * 3,
            hands=((), (), ()),
            deck=DECK,
            posture=("march",) * 3,
        )

    def redact(self, state: DemoState, role: str | None) -> None:
        state.deck = (HIDDEN,) * len(state.deck)
        state.hands = tuple([hand if ROLES[i] == role else (HIDDEN,) * len(hand) for i, hand in enumerate(state.hands)])

    def determinize(self, view: View[DemoState], rng: Random) -> DemoState:
        state = self.codec.clone(view.state)
        unseen = list(DECK)
        for hand in state.hands:
            for card in hand:
                if card != HIDDEN:
                    unseen.remove(card)
        rng.shuffle(unseen)
        state.hands = tuple(
            [tuple([unseen.pop() if card == HIDDEN else card for card in hand]) for hand in state.hands]
        )
        state.deck = tuple(unseen)
        for place, step in enumerate(state.stack):
            if isinstance(step, Planning):
                guess = tuple(rng.choice(POSTURES) if chosen == HIDDEN else chosen for chosen in step.chosen)
                state.stack = put(state.stack, place, Planning(guess))
        return state

    def scramble(self, state: DemoState, role: str, rng: Random) -> DemoState:
        other, me = self.codec.clone(state), ROLES.index(role)
        unseen = [*state.deck, *(card for i, hand in enumerate(state.hands) if i != me for card in hand)]
        rng.shuffle(unseen)
        other.hands = tuple(
            [hand if i == me else tuple([unseen.pop() for _ in hand]) for i, hand in enumerate(state.hands)]
        )
        other.deck = tuple(unseen)
        for place, step in enumerate(other.stack):
            if isinstance(step, Planning):
                chosen = [c if not c or i == me else rng.choice(POSTURES) for i, c in enumerate(step.chosen)]
                other.stack = put(other.stack, place, Planning(tuple(chosen)))
        return other

    def windows(self) -> Sequence[str]:
        return ("before-battle",)

    def default_windows(self, state: DemoState, role: str) -> Sequence[str]:
        return self.windows()

    def window_offers(self, m: Play[DemoState], role: str, name: str) -> Sequence[Offer]:
        hand = m.state.hands[ROLES.index(role)]
        usable = [card for card in ("ambush", "levy") if card in hand]
        return [Offer(PlayCard, Field("card", "card", OneOf(usable)), rule="demo-card")]

    def window_take(self, m: Play[DemoState], role: str, action: Any, name: str) -> None:
        me = ROLES.index(role)
        discard(m.state, me, action.card)
        m.reveal("demo-card")
        m.emit(Played(role=role, card=action.card))
        below = m.state.stack[-2]
        assert isinstance(below, Battle)
        gain = 2 if action.card == "ambush" else 1
        mine = 0 if me == below.attacker else 1
        bonus = (below.bonus[0] + gain * (mine == 0), below.bonus[1] + gain * (mine == 1))
        m.state.stack = put(m.state.stack, -2, Battle(below.place, below.attacker, below.defender, bonus, below.stage))

    def table(self, view: View[DemoState], texts: Texts) -> Table:
        state = view.state
        stacks: dict[str, list[CounterFace]] = {}
        for unit, place in enumerate(state.space):
            if place != NOWHERE:
                role = ROLES[unit // UNITS_PER_ROLE]
                face = CounterFace(UNITS[unit], role, symbol="SFGPUCI----", numbers=str(state.step[unit]))
                stacks.setdefault(SPACES[place], []).append(face)
        return Table(
            game=self.id,
            scenario=state.scenario,
            role=view.role,
            number=view.number,
            ends=texts.say("ends.moves"),
            prompt=texts.say(f"prompt.{state.stack[-1].__struct_config__.tag}"),  # type: ignore[attr-defined]
            asked=view.asked,
            turn=str(state.turn),
            sequence=[Stage("plan", texts.say("step.planning")), Stage("moves", texts.say("step.moves"))],
            sides={role: SideFace(texts.name(f"@{role}"), colour) for role, colour in zip(ROLES, COLOURS, strict=True)},
            spaces={
                name: SpaceFace(ROLES[state.owner[place]] if state.owner[place] >= 0 else "")
                for place, name in enumerate(SPACES)
            },
            stacks=stacks,
        )

    def measures(self, state: DemoState) -> Mapping[str, float]:
        """Of each crown: the steps of its units, and its gold."""
        found: dict[str, float] = {}
        for place, role in enumerate(ROLES):
            found[f"strength.{role}"] = float(sum(state.step[place * UNITS_PER_ROLE : (place + 1) * UNITS_PER_ROLE]))
            found[f"money.{role}"] = float(state.gold[place])
        return found

    def losses(self, match: Match[DemoState], role: str) -> Sequence[Action]:
        def first(at: Match[Any], asked: str) -> Action | None:
            step = at.step
            if not isinstance(step, Losses):
                return None
            return Lose(units=(UNITS[units_at(at.play, step.place, step.loser)[0]],))

        return all_losses(match, role, first)

    def faults(self, state: DemoState) -> Sequence[str]:
        found = []
        for unit, name in enumerate(UNITS):
            if (state.space[unit] == NOWHERE) != (state.step[unit] == 0):
                found.append(f"{name} is on the map without steps, or off it with some")
            if not 0 <= state.step[unit] <= 2:
                found.append(f"{name} has {state.step[unit]} steps")
        cards = sorted([*state.deck, *(card for hand in state.hands for card in hand)])
        if cards != sorted(DECK):
            found.append("a card is missing or there twice")
        found.extend(f"{ROLES[role]} has {gold} gold" for role, gold in enumerate(state.gold) if gold < 0)
        return found


GAME = ThreeCrowns()
