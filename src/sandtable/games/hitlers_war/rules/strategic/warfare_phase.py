"""The strategic phase (Campaign Game II): bombing raids, the Axis sea raid, missiles, atomic bombs."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Named, Numbers, Offer, OneOf, Refusal, Step
from sandtable.core.columns import having, lacking, put

from ...model.actions import Bomb, Done, Drop, Launch, Strike
from ...model.atlas import ALLIES, ATLAS, AXIS, SIDES, SOVIET, SPACES
from ...model.events import Devastated, ShippingLost
from ...model.places import SOVIET_CAPITALS
from ...model.state import ON_BOMBERS, U_BOATS, M, OwnTurn, War, enemies, in_box, space_name
from ...model.technology import cell
from .. import morale
from ..control import healthy
from ..firepower import fire
from ..losses import strike
from ..morale import BRITAIN, COUNTRIES, GERMANY, attack_dice
from ..naval.fleets import raiding_strength
from ..naval.harbours import stranded
from ..surrender import MoraleGone
from . import missiles
from .arsenal import BOMBERS
from .warfare import (
    _CAPITALS,
    _MAINLAND,
    _SIDE_OF_COUNTRY,
    _UBOAT,
    ATOMIC,
    INDUSTRY,
    MISSILE_REACH,
    REACH,
    aims,
    atomic_targets,
    bombers,
    industry,
)


class StrategicPhase(Step, frozen=True, tag="strategic"):
    """Bombing, then the Axis sea raid, then missiles, then atomic bombs.  [hw-c2-seq] [hw-abomb-5]"""

    rule = "hw-c2-seq"

    def run(self, m: M) -> None:
        raid = (SeaRaid(),) if m.state.side == AXIS else ()
        m.replace(Bombing(), *raid, MissileLaunch(), AtomicStrikes(), MoraleGone(), *stranded(m.state))


class Bombing(OwnTurn, frozen=True, tag="bombing"):
    """One raid with all bombers, against industry or morale, never both.

    [hw-bomb-2] [hw-bomb-3] [hw-bomb-4] [hw-bomb-5] [hw-moraleattack-3]
    """

    rule = "hw-bomb-2"

    def choices(self, s: War) -> dict[str, list[str]]:
        if not bombers(s, s.side):
            return {}
        found = {SIDES[foe]: aims(s, s.side, foe) for foe in enemies(s, s.side)}
        return {foe: some for foe, some in found.items() if some}

    def run(self, m: M) -> None:
        if not self.choices(m.state):
            m.pop()

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        choices = self.choices(m.state)

        def out_of_range(value: str) -> Refusal:
            return why_no_foe(m.state, value) or Refusal("hw-bomb-2", "hw-out-of-range", reach=REACH)

        return [
            Offer(Done, rule=self.rule),
            Offer(
                Bomb,
                Field("against", "role", OneOf(list(choices), out_of_range)),
                Field("aim", "choice", lambda against: OneOf(choices[against], out_of_range)),
                rule=self.rule,
            ),
        ]

    def take(self, m: M, role: str, action: object) -> None:
        s = m.state
        m.pop()
        if isinstance(action, Bomb):
            side, foe = s.side, SIDES.index(action.against)
            guns = in_box(s, foe, "air_defense")
            shot = fire(m, guns, (), by="@air-defense", at=_anchor(side), rule="hw-bomb-3", capped=False)
            key = cell(side, "bomber")
            aboard = min(s.bombs[ON_BOMBERS + side], s.box[key])
            s.box = put(s.box, key, max(0, s.box[key] - shot))
            # bombers without atomic bombs fall first; a bomb falls only with the bomber that carries it
            s.bombs = put(s.bombs, ON_BOMBERS + side, s.bombs[ON_BOMBERS + side] - (max(0, aboard - s.box[key])))
            s.flown = s.box[key]
            dice = attack_dice(s, side)
            hits = fire(m, s.box[key], dice, by="@bombers", at=_anchor(foe), rule="hw-bomb-4", capped=False)
            damage(m, foe, action.aim, hits, -1)


def why_no_foe(s: War, value: str) -> Refusal | None:
    """Why a side is not attacked from the air, whatever the range.  [hw-bomb-7] [hw-surr-soviet-2]"""
    if value not in SIDES or SIDES.index(value) in enemies(s, s.side):
        return None
    peace = {value, SIDES[s.side]} == {SIDES[AXIS], SIDES[SOVIET]}
    return Refusal("hw-surr-soviet-2" if peace else "hw-bomb-7", "hw-no-foe", side=f"@{value}")


def _anchor(side: int) -> int:
    """A place on the map for the log: the side's own capital."""
    return _CAPITALS[GERMANY][0] if side == AXIS else _CAPITALS[BRITAIN][0] if side == ALLIES else _MOSCOW


_MOSCOW = SOVIET_CAPITALS[1]


def damage(m: M, foe: int, aim: str, hits: int, counter: int) -> None:
    """Hits devastate production of the attacker's choice, or lower morale.

    [hw-bomb-4] [hw-missile-4] [hw-moraleattack-2]
    """
    if not hits:
        return
    if aim == INDUSTRY:
        m.push(Strikes(foe, hits, counter))
    else:
        morale.change_morale(m, COUNTRIES.index(aim), -hits)


class Strikes(OwnTurn, frozen=True, tag="strikes"):
    """The attacker picks production points to devastate, one by one.  [hw-bomb-4] [hw-missile-4]"""

    rule = "hw-bomb-4"

    foe: int
    hits: int
    counter: int

    def run(self, m: M) -> None:
        if not self.hits or not industry(m.state, m.state.side, self.foe, self.counter):
            m.pop()

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        places = industry(s, s.side, self.foe, self.counter)

        def why(space: int) -> Refusal:
            return Refusal("hw-bomb-2", "hw-no-industry", at=space_name(space))

        return [Offer(Strike, Field("at", "space", Named(places, SPACES, why=why)), rule=self.rule)]

    def take(self, m: M, role: str, action: Strike) -> None:
        s = m.state
        space = ATLAS.index[action.at]
        s.devastated = having(s.devastated, space, s.devastated.get(space, 0) + 1)
        m.emit(Devastated(at=action.at, number=1))
        m.replace(Strikes(self.foe, self.hits - 1, self.counter))


class SeaRaid(Step, frozen=True, tag="sea-raid"):
    """A.S.W. fires at the U-boats at sea, then they and any raiders cut the next Allied budget.

    [hw-asw-2] [hw-asw-3] [hw-uboat-4] [hw-uboat-6] [hw-raid-2]
    """

    rule = "hw-uboat-4"

    def run(self, m: M) -> None:
        s = m.state
        m.pop()
        at = _CAPITALS[BRITAIN][0]
        if s.at_sea[U_BOATS]:
            asw = in_box(s, ALLIES, "asw")
            shot = fire(m, asw, attack_dice(s, ALLIES), by="@asw", at=at, rule="hw-asw-2", capped=False)
            s.at_sea = put(s.at_sea, U_BOATS, max(0, s.at_sea[U_BOATS] - shot))
        boats = s.at_sea[U_BOATS]
        lost = fire(m, boats, attack_dice(s, AXIS), by="@u-boats", at=at, rule="hw-uboat-4", capped=False)
        raiders = raiding_strength(s)
        lost += fire(m, raiders, attack_dice(s, AXIS), by="@raiders", at=at, rule="hw-raid-2", capped=False)
        cap = int(_UBOAT["cap_after_us" if s.america else "cap_before_us"])
        s.raided = min(cap, lost)
        if s.raided:
            m.emit(ShippingLost(points=s.raided))


class MissileLaunch(OwnTurn, frozen=True, tag="missile-launch"):
    """Each missile counter may fire once; what is fired is gone.  [hw-missile-3] [hw-missile-4] [hw-missile-5]"""

    rule = "hw-missile-3"

    fired: tuple[int, ...] = ()

    def ready(self, s: War) -> dict[str, int]:
        return {
            missiles.counter_name(c): c
            for c in missiles.counters_of(s.side)
            if s.missile_at[c] >= 0 and s.missiles[c] and c not in self.fired and self.marks(s, c)
        }

    def marks(self, s: War, counter: int) -> dict[str, list[str]]:
        found = {SIDES[foe]: aims(s, s.side, foe, counter) for foe in enemies(s, s.side)}
        return {foe: some for foe, some in found.items() if some}

    def run(self, m: M) -> None:
        if not self.ready(m.state):
            m.pop()

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        ready = self.ready(s)

        def out_of_range(value: str) -> Refusal:
            return why_no_foe(s, value) or Refusal("hw-missile-4", "hw-out-of-range", reach=MISSILE_REACH)

        def why_counter(name: str) -> Refusal:
            counter = missiles.find(s.side, name)
            if counter < 0 or counter in self.fired or not s.missiles[counter]:
                return Refusal(self.rule, "hw-no-missiles", counter=name)
            return out_of_range("")

        return [
            Offer(Done, rule=self.rule),
            Offer(
                Launch,
                Field("counter", "unit", OneOf(list(ready), why_counter)),
                Field("number", "number", lambda name: Numbers(1, s.missiles[ready[name]])),
                Field("against", "role", lambda name, n: OneOf(list(self.marks(s, ready[name])), out_of_range)),
                Field("aim", "choice", lambda name, n, foe: OneOf(self.marks(s, ready[name])[foe], out_of_range)),
                rule=self.rule,
            ),
        ]

    def take(self, m: M, role: str, action: object) -> None:
        if isinstance(action, Launch):
            self.launch(m, action)
        else:
            m.pop()

    def launch(self, m: M, action: Launch) -> None:
        """The missiles are spent whether they hit or not.  [hw-missile-4]"""
        s = m.state
        counter, foe = missiles.find(s.side, action.counter), SIDES.index(action.against)
        m.replace(MissileLaunch((*self.fired, counter)))
        s.missiles = put(s.missiles, counter, s.missiles[counter] - action.number)
        s.launched = having(s.launched, counter, action.number)
        at = s.missile_at[counter]
        hits = fire(m, action.number, attack_dice(s, s.side), by="@missiles", at=at, rule="hw-missile-4", capped=False)
        damage(m, foe, action.aim, hits, counter)


class AtomicStrikes(OwnTurn, frozen=True, tag="atomic-strikes"):
    """Bombs carried by the season's raid and launches are dropped, one by one, after all other damage.

    [hw-abomb-2] [hw-abomb-3] [hw-abomb-4] [hw-abomb-5] [hw-abomb-6] [hw-morale-4]
    """

    rule = "hw-abomb-2"

    def carriers(self, s: War) -> dict[str, tuple[int, int]]:
        """Carrier name -> (place of its bombs, missile counter or -1) while it still has one to drop."""
        found: dict[str, tuple[int, int]] = {}
        if min(s.flown, s.bombs[ON_BOMBERS + s.side]):
            found[BOMBERS] = (ON_BOMBERS + s.side, -1)
        for c in missiles.counters_of(s.side):
            if s.missile_at[c] >= 0 and min(s.bombs[c], s.launched.get(c, 0)):
                found[missiles.counter_name(c)] = (c, c)
        return {name: place for name, place in found.items() if atomic_targets(s, s.side, enemies(s, s.side), place[1])}

    def run(self, m: M) -> None:
        s = m.state
        if not self.carriers(s):
            s.flown = 0
            s.launched = {}
            drop_empty(s)
            m.pop()

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        carriers = self.carriers(s)

        def spaces(name: str) -> Named:
            fit = atomic_targets(s, s.side, enemies(s, s.side), carriers[name][1])
            reach = REACH if carriers[name][1] < 0 else MISSILE_REACH
            return Named(fit, SPACES, why=lambda at: Refusal("hw-abomb-4", "hw-out-of-range", reach=reach))

        fields = Field("carrier", "unit", OneOf(list(carriers))), Field("at", "space", spaces)
        return [Offer(Done, rule=self.rule), Offer(Drop, *fields, rule=self.rule)]

    def take(self, m: M, role: str, action: Done | Drop) -> None:
        s = m.state
        if isinstance(action, Done):
            s.flown = 0
            s.launched = {}
            drop_empty(s)
            m.pop()
            return
        place, counter = self.carriers(s)[action.carrier]
        s.bombs = put(s.bombs, place, s.bombs[place] - 1)
        if counter >= 0:
            s.launched = having(s.launched, counter, s.launched[counter] - 1)
        else:
            s.flown -= 1
        m.replace(self)
        detonate(m, ATLAS.index[action.at])


def detonate(m: M, space: int) -> None:
    """One production point is lost for good, the points in the hex take a fire of strength six, morale falls.

    [hw-abomb-4] [hw-abomb-6] [hw-morale-table]
    """
    s = m.state
    if healthy(s, space):
        s.ruined = having(s.ruined, space, s.ruined.get(space, 0) + 1)
    elif s.devastated.get(space, 0):
        s.devastated = having(s.devastated, space, s.devastated[space] - 1)
        if not s.devastated[space]:
            s.devastated = lacking(s.devastated, space)
        s.ruined = having(s.ruined, space, s.ruined.get(space, 0) + 1)
    for country, mainland in enumerate(_MAINLAND):
        if space in mainland and s.owner[space] == _SIDE_OF_COUNTRY[country]:
            morale.change_morale(m, country, int(ATLAS.rules["morale"]["atomic"]))
    lost = fire(m, ATOMIC, attack_dice(s, s.side), by="@atomic-bomb", at=space, rule="hw-abomb-4")
    strike(m, space, lost)


def drop_empty(s: War) -> None:
    """Missile counters without missiles and bombs leave the map."""
    for counter in missiles.counters_of(s.side):
        if s.missile_at[counter] >= 0 and not s.missiles[counter] and not s.bombs[counter]:
            s.missile_at = put(s.missile_at, counter, -1)
