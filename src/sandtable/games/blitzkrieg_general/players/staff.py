"""The captain's answers to everything that is asked: each kind of step has a rule of thumb."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.core import Action, Game, Offers, Pass, View

from ..model.actions import (
    Achieve,
    Announce,
    Assign,
    Attack,
    Build,
    Buy,
    BuyNumber,
    Declare,
    Dive,
    Done,
    Engage,
    Govern,
    Halt,
    Initiate,
    Join,
    LendTo,
    Liberate,
    March,
    NavalReact,
    Place,
    PlayCard,
    Raise,
    React,
    Ready,
    Repair,
    Reserve,
    Retreat,
    ReturnCard,
    TakeHit,
    Unload,
    Withdraw,
)
from ..model.atlas import ATLAS, GERMANY, SIDES
from ..model.state import strength
from ..rules.movement_phase import Phase, must_garrison
from ..rules.naval_phase import Group
from ..rules.options_phase import ChooseAlliances
from .battles import engage, hit, next_battle, react, retreat, withdraw
from .campaign import Campaign
from .doctrine import USUAL, Doctrine
from .economy import achieve, arrange, build, buy, lend, number, play_card, repair
from .politics import usual_side, war_to_declare
from .rails import by_rail, from_afar
from .scene import Scene
from .shipping import Shipping

_QUIET = (Done(), Pass(), Ready(), Halt(), ReturnCard())


def fallback(offers: Offers, rng: Random) -> Action:
    """The safest thing to do where nothing better is known: nothing, if that is allowed; never a war by chance."""
    for quiet in _QUIET:
        if offers[type(quiet)] and quiet in offers:
            return quiet
    wars = offers[Declare]
    return Offers([offer for offer in offers.offers if offer not in wars] or wars, offers.rule).sample(rng)


def owed(scene: Scene, offers: Offers) -> Action | None:
    """The march of the least German unit that the partisans tie down in Yugoslavia, as long as that is owed."""
    state, found = scene.state, scene.found
    if scene.me != GERMANY or not must_garrison(state):
        return None
    homes = {found.space_ids[s] for s in ATLAS.homes[ATLAS.yugoslavia]}
    able = [
        action
        for offer in offers[March] for action in offer
        if isinstance(action, March) and action.to in homes and state.nation[found.unit_of[action.unit]] == GERMANY
        and strength(state, found.unit_of[action.unit]) and state.place[found.unit_of[action.unit]] not in
        ATLAS.homes[ATLAS.yugoslavia]
    ]  # fmt: skip
    return min(able, key=lambda a: (scene.power(found.unit_of[a.unit]), a.unit, a.to, a.via), default=None)


class Staff:
    """Answers for one major."""

    def __init__(self, game: Game[Any], seed: str, doctrine: Doctrine = USUAL) -> None:
        self.game = game
        self.doctrine = doctrine
        self.rng = Random(seed)
        self.queue: list[Action] = []
        self.arrivals: list[Action] = []
        """Where units will be placed that were not asked for yet."""
        self.phase: tuple[Any, ...] = ()
        self.plans, self.again = 0, True
        """How often this phase may still be planned: once, and again where orders could not be carried out."""

    def answer(self, view: View[Any], offers: Offers) -> Action:
        assert view.role is not None
        state = view.state
        step = state.stack[-1]
        if isinstance(step, ChooseAlliances):
            return usual_side(self.game, view.role, offers, self.rng)
        if isinstance(step, (Phase, Group)):
            return self.move(view, offers, step)
        if offers[Place]:
            return self.arrive(self.look(view), offers)
        return self.small(self.look(view), offers)

    def look(self, view: View[Any]) -> Scene:
        """The board as this staff sees it."""
        assert view.role is not None
        return Scene(view.state, view.role, self.doctrine)

    # ---- phases
    def move(self, view: View[Any], offers: Offers, step: Any) -> Action:
        """Plan a phase when it begins and carry the plan out order by order."""
        state, role = view.state, view.role
        assert role is not None
        name = step.name if isinstance(step, Phase) else "naval"
        phase = (state.turn, state.second, state.phasing, name, state.exploiting)
        if phase != self.phase:
            self.phase, self.plans, self.again, self.queue = phase, 1, True, []
        action = self.next_order(offers, step)
        if action is not None:
            return action
        if isinstance(step, Group):
            return self.under_way(view, offers)
        scene = self.look(view)
        card = self.card(scene, offers)
        if card is not None:
            return card
        if name in ("land", "exploit"):
            war = war_to_declare(scene, offers)
            if war is not None:
                return war
            duty = owed(scene, offers) if name == "land" else None
            if duty is not None:
                return duty
        if offers[Raise]:
            return next(iter(offers[Raise][0]))
        shot = from_afar(scene, offers) if name == "land" else None
        if shot is not None:
            return shot
        while self.plans:
            self.plans -= 1
            if name == "naval":
                self.queue = self.at_sea(scene)
            elif name == "rail":
                self.queue = by_rail(scene, offers)
            elif name in ("land", "exploit"):
                self.queue = Campaign(scene).plan()
            action = self.next_order(offers, step)
            if action is not None:
                return action
        return fallback(offers, self.rng)

    def next_order(self, offers: Offers, step: Any) -> Action | None:
        """The first planned order that can be carried out; where one cannot, there will be another plan."""
        while self.queue:
            action = self.queue.pop(0)
            if offers.refuse(action) is None:
                return action
            if self.again:
                self.again, self.plans = False, self.plans + 1
            if isinstance(step, Group):
                self.give_up()
                return None
        return None

    def give_up(self) -> None:
        """A group could not carry out its orders."""
        self.queue = []

    def at_sea(self, scene: Scene) -> list[Action]:
        """The voyages of one naval phase."""
        return Shipping(scene).plan()

    def under_way(self, view: View[Any], offers: Offers) -> Action:
        """A voyage without orders: whatever can go ashore among friends does, then the group halts."""
        assert view.role is not None
        scene = self.look(view)
        for offer in offers[Unload]:
            for action in offer:
                assert isinstance(action, Unload)
                if not scene.enemies(scene.found.space_of[action.to]):
                    return action
        return fallback(offers, self.rng)

    def card(self, scene: Scene, offers: Offers) -> Action | None:
        return play_card(scene, offers) if offers[PlayCard] else None

    def arrive(self, scene: Scene, offers: Offers) -> Action:
        """The next unit is placed as was planned for all of them."""
        for _ in range(2):
            while self.arrivals:
                action = self.arrivals.pop(0)
                if offers.refuse(action) is None:
                    return action
            self.arrivals = arrange(scene, offers)
        return fallback(offers, self.rng)

    # ---- single questions
    def small(self, scene: Scene, offers: Offers) -> Action:
        asked = {offer.act for offer in offers.offers}
        for act, answer in _ANSWERS:
            if act in asked:
                found: Action | None = answer(scene, offers)
                if found is not None and offers.refuse(found) is None:
                    return found
        return fallback(offers, self.rng)


def _ready(scene: Scene, offers: Offers) -> Action:
    return Ready()


def _dive(scene: Scene, offers: Offers) -> Action:
    return Dive(True)


def _join(scene: Scene, offers: Offers) -> Action | None:
    """As many aircraft as there are come to help."""
    return max((a for offer in offers[Join] for a in offer), key=lambda a: len(getattr(a, "units", ())), default=None)


def _govern(scene: Scene, offers: Offers) -> Action | None:
    actions = [a for offer in offers[Govern] for a in offer]
    own = Govern(scene.found.nation_ids[scene.me])
    return own if own in actions else actions[0]


def _initiate(scene: Scene, offers: Offers) -> Action:
    return Initiate(SIDES[scene.side])


def _liberate(scene: Scene, offers: Offers) -> Action:
    return Liberate(True)


def _announce(scene: Scene, offers: Offers) -> Action:
    """A roll is worth it with three numbers or more."""
    return Announce() if scene.state.numbers[scene.me] >= 3 else Done()


def _declare(scene: Scene, offers: Offers) -> Action | None:
    """Asked outside a phase: the American declaration."""
    return next((a for offer in offers[Declare] for a in offer), None)


_ANSWERS: tuple[tuple[type[Action], Any], ...] = (
    (TakeHit, hit), (Retreat, retreat), (Withdraw, withdraw), (Attack, next_battle), (Engage, engage), (Dive, _dive),
    (Join, _join), (Assign, _ready), (React, react), (Reserve, react), (NavalReact, engage), (PlayCard, play_card),
    (Repair, repair), (Build, build), (Buy, buy), (BuyNumber, number), (Announce, _announce),
    (Achieve, achieve), (LendTo, lend), (Govern, _govern), (Liberate, _liberate), (Initiate, _initiate),
    (Declare, _declare),
)  # fmt: skip
