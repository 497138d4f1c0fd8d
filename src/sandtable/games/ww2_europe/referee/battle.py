"""Battles: how many dice each side rolls, what hits, and how many units that costs (L1281 to L1366)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sandtable.core import Action, Difference, Event, Rolled

from ..model.actions import Abort, Fight
from ..model.atlas import CANAL, IMPASSABLE, MAJOR_FLAG, MOUNTAIN, NOBODY, RIVER, SIDES, STRAIT, WOODLAND
from ..model.events import BattleBegan, BattleEnded, Hit, Lost
from ..model.kinds import AIR, GROUND, NAVAL
from ..model.state import AMPHIBIOUS, CUT_OFF, DROPPED, SPECIAL, SURPRISED, W2State
from .position import A, K, Position
from .standing import tag

_FIRE = "w2e-stage3-fire"
_SEA_FIRE = "w2e-stage2-fire"
_WET = {RIVER: "river", STRAIT: "strait", CANAL: "canal"}


class Die(NamedTuple):
    """One die: the unit, the highest roll that hits, and whether only planes or only troops can be hit with it."""

    unit: int
    value: int
    only: str = ""
    free: int = 0


class Fray:
    """A ground battle as the events tell it, from its beginning or from where a decision stands in it."""

    fire = _FIRE

    def __init__(self, position: Position, space: int, attacker: int, att: Iterable[int], dfn: Iterable[int]) -> None:
        self.position, self.space, self.attacker = position, space, attacker
        self.att, self.dfn = list(att), list(dfn)
        self.doomed: list[int] = []
        self.blitz = self.landing = False
        self.round = 1
        self.phase = "attack"
        self.queue: list[Die] | None = None
        self.hits: tuple[int, int] = (0, 0)
        """The fewest and the most units that the last volley costs."""
        self.lost = 0
        self.way = self.crossing()

    # ---- what a unit needs
    def crossing(self) -> str:
        """L262, L269, L280, L285: what all attacking ground units crossed; an air drop does not count."""
        state = self.position.state
        ways = set()
        for unit in self.att:
            if K.cls[state.kind[unit]] == GROUND and not state.flags[unit] & DROPPED:
                wet = _WET.get(A.crossing.get((state.came[unit], self.space), 0), "")
                ways.add("coast" if state.flags[unit] & AMPHIBIOUS else wet)
        return ways.pop() if len(ways) == 1 else ""

    def is_soft(self) -> bool:
        """L1847: a Major Flag, a fortress or a depot lifts all of Surprise but the ban on moving."""
        state, space = self.position.state, self.space
        flagged = A.flag[space] == MAJOR_FLAG and not state.lost_flag[space]
        return bool(flagged or state.fortress[space] or state.depot[space])

    def value(self, unit: int, printed: int, *, defending: bool) -> int:
        """L1652, L1699, L1833 and the bonuses of terrain, forts and special forces."""
        state = self.position.state
        kind, flags = state.kind[unit], state.flags[unit]
        base, power = K.base[kind], state.power[unit]
        special = bool(flags & SPECIAL)
        steady = defending and special and power == A.germany and base == K.mech
        surprised = (bool(flags & SURPRISED) or (self.blitz and defending)) and not self.is_soft()
        elite, cut_off = K.drop[kind], bool(flags & CUT_OFF)
        ready = steady or (elite and (defending or cut_off))
        number = 1 if (cut_off or surprised) and not ready else printed
        if self.position.frozen(A.side[power], self.space):
            number = 1
        if K.cls[kind] != GROUND:
            return number
        return max(0, number + self.ground_bonus(unit, defending=defending))

    def ground_bonus(self, unit: int, *, defending: bool) -> int:
        state, terrain = self.position.state, A.terrain[self.space]
        base, power, flags = K.base[state.kind[unit]], state.power[unit], state.flags[unit]
        total = -1 if base == K.tank and terrain & MOUNTAIN else 0
        if defending and base in (K.infantry, K.airborne, K.mech):
            on_foot = base != K.mech
            total += bool(terrain & WOODLAND) + bool(terrain & MOUNTAIN) + bool(terrain & IMPASSABLE and on_foot)
            total += bool(self.way and (on_foot or self.way != "coast")) + 2 * bool(state.fortress[self.space])
        if flags & SPECIAL:
            total += (power, base) in ((A.germany, K.tank), (A.germany, K.mech), (A.ussr, K.tank))
            total += (power, base) == (A.ussr, K.infantry) and self.round == 1
            total += (power, base) == (A.usa, K.infantry) and bool(flags & AMPHIBIOUS) and not defending
            total += (power, base) == (A.britain, K.airborne) and bool(flags & DROPPED) and not defending
        return total

    def dice(self, shooters: Sequence[int], targets: Sequence[int], *, defending: bool) -> list[Die]:
        """L405 to L420, L1344: one die a unit, two for artillery; planes aim at what they are best against."""
        state = self.position.state
        classes = {K.cls[state.kind[u]] for u in targets}
        found: list[Die] = []
        for unit in shooters if targets else ():
            kind = state.kind[unit]
            if K.cls[kind] == AIR and state.flags[unit] & DROPPED:
                continue
            if K.anti_tank[kind] and defending and self.landing and self.round == 1:
                continue  # it fired at the ships
            if K.vs_air[kind] and AIR in classes:
                number = self.value(unit, K.vs_air[kind], defending=defending)
                found.append(Die(unit, number, "air", min(2, number)))
            elif K.vs_ground[kind] and GROUND in classes:
                number = self.value(unit, K.vs_ground[kind], defending=defending)
                found.append(Die(unit, number, "ground", min(2, number)))
            else:
                only = "air" if K.vs_ground[kind] else ""
                count = K.dice[kind]
                if K.anti_tank[kind] and state.flags[unit] & SPECIAL and state.power[unit] == A.ussr:
                    count = 3 if self.round == 1 else count
                number = self.value(unit, K.combat[kind], defending=defending)
                found += [Die(unit, number, only)] * count
        return found

    # ---- how it goes on
    def live(self, units: Sequence[int]) -> list[int]:
        return [u for u in units if u not in self.doomed]

    def open_volley(self) -> None:
        """Make the dice of the side that fires next ready."""
        if self.phase == "attack":
            self.queue = self.dice(self.live(self.att), self.live(self.dfn), defending=False)
        elif self.phase == "defend":
            shooters = [*self.live(self.dfn), *(u for u in self.doomed if u in self.dfn)]
            self.queue = self.dice(shooters, self.live(self.att), defending=True)
        self.rolled: list[tuple[Die, int]] = []

    def close_volley(self) -> None:
        """All dice of a volley have fallen: how many units it costs at least and at most."""
        state = self.position.state
        targets = self.live(self.dfn if self.phase == "attack" else self.att)
        classes = [K.cls[state.kind[u]] for u in targets]
        hits = [(die, roll) for die, roll in self.rolled if roll <= die.value]
        some = sum(not die.only for die, _ in hits)
        struck = {"air": AIR, "ground": GROUND}
        most = sum(not die.only or roll <= die.free or struck[die.only] in classes for die, roll in hits)
        self.hits, self.lost = (min(some, len(targets)), min(most, len(targets))), 0
        self.phase, self.queue = ("hits-d" if self.phase == "attack" else "hits-a"), None

    def next_volley(self) -> None:
        """What was hit is out: the other side fires, or the next round begins."""
        if self.phase == "hits-d":
            self.phase = "defend"
        else:
            self.att, self.dfn, self.doomed = self.live(self.att), self.live(self.dfn), []
            self.reinforce()
            self.phase, self.round = "attack", self.round + 1

    def reinforce(self) -> None:
        """Who joins after a round: nobody on land."""

    def roll(self, value: int) -> Iterator[Difference]:
        """A die falls: whose it is, and whether the volley before it cost what it had to."""
        for _ in range(4):
            if self.queue is None:
                if self.phase.startswith("hits"):
                    yield from self.check_losses()
                    self.next_volley()
                self.open_volley()
            assert self.queue is not None
            if self.queue:
                self.rolled.append((self.queue.pop(0), value))
                if not self.queue:
                    self.close_volley()
                return
            self.close_volley()
        yield Difference(f"dice in the battle for {A.names[self.space]}", self.fire, "one more", "none")

    def check_losses(self) -> Iterator[Difference]:
        if not self.hits[0] <= self.lost <= self.hits[1]:
            what = f"units that a volley in {A.names[self.space]} costs"
            yield Difference(what, self.fire, str(self.lost), f"{self.hits[0]} to {self.hits[1]}")


class SeaFray(Fray):
    """A naval battle under the basic rules (L1281 to L1313)."""

    fire = _SEA_FIRE

    def crossing(self) -> str:
        return ""

    def value(self, unit: int, printed: int, *, defending: bool) -> int:
        """L136: one more for ships in a friendly port; L1833: surprised units fight at one."""
        position, state = self.position, self.position.state
        home = state.home[unit] if state.home[unit] >= 0 else self.space
        soft = (A.flag[home] == MAJOR_FLAG and not state.lost_flag[home]) or state.fortress[home] or state.depot[home]
        number = 1 if state.flags[unit] & SURPRISED and not soft else printed
        ship = K.cls[state.kind[unit]] == NAVAL
        return number + (ship and position.side(self.space) == A.side[state.power[unit]])

    def dice(self, shooters: Sequence[int], targets: Sequence[int], *, defending: bool) -> list[Die]:
        """L405 to L465: fighters aim at planes, tac bombers at ships; who can hit nothing does not roll."""
        state = self.position.state
        classes = {K.cls[state.kind[u]] for u in targets}
        found: list[Die] = []
        for unit in shooters if targets else ():
            kind = state.kind[unit]
            sonar = state.known[state.power[unit]][A.tech_index["sonar"]] == 2
            if K.cls[kind] == AIR and K.vs_air[kind] and AIR in classes:
                number, seeks = self.value(unit, K.vs_air[kind], defending=defending), False
            elif K.cls[kind] == AIR and K.vs_naval[kind] and NAVAL in classes:
                number, seeks = self.value(unit, K.vs_naval[kind], defending=defending), True
            else:
                number = self.value(unit, K.combat[kind], defending=defending)
                seeks = K.cls[kind] == NAVAL and K.asw[kind] and number > 0
            best = number + (seeks and sonar)
            if best > 0:
                found.append(Die(unit, best))
        return found

    def close_volley(self) -> None:
        """Every hit costs something where only surface ships can be hit; else some may find nothing (L462)."""
        state = self.position.state
        targets = self.live(self.dfn if self.phase == "attack" else self.att)
        hits = sum(roll <= die.value for die, roll in self.rolled)
        plain = all(K.cls[state.kind[u]] == NAVAL and not K.submerged[state.kind[u]] for u in targets)
        afloat = sum(K.hits[state.kind[u]] - state.damage[u] for u in targets)
        sure = plain and not any(K.vs_air[state.kind[die.unit]] for die, _ in self.rolled) and self.round == 1
        self.hits, self.lost = (min(hits, afloat) if sure else 0, hits), 0
        self.phase, self.queue = ("hits-d" if self.phase == "attack" else "hits-a"), None

    def reinforce(self) -> None:
        """L544: planes aboard a carrier join after the first round."""
        state = self.position.state
        for units in (self.att, self.dfn):
            for plane, ship in enumerate(state.cargo_of):
                aboard = ship in units and state.space[plane] >= 0 and K.air_wing[state.kind[ship]]
                if aboard and plane not in units:
                    units.append(plane)


def check_battles(old: Position, action: Action, after: W2State, events: Sequence[Event]) -> Iterator[Difference]:
    """Follow the battles of a decision die by die. With leaders, whose effects are ours, nothing is checked."""
    if old.state.options.get("leaders"):
        return
    fray = resumed(old, action)
    for event in events:
        if isinstance(event, BattleBegan):
            fray = begun(old, event)
        elif fray is None:
            continue
        elif isinstance(event, Rolled) and event.why == fray.fire:
            yield from fray.roll(event.value)
        elif isinstance(event, (Lost, Hit)):
            unit = old.number(event.unit)
            if unit in fray.att or unit in fray.dfn:
                if fray.queue:
                    yield Difference(f"dice in the battle for {A.names[fray.space]}", fray.fire, "none",
                                     f"{len(fray.queue)} more")  # fmt: skip
                fray.doomed += [unit] if isinstance(event, Lost) else []
                fray.lost += 1
        elif isinstance(event, BattleEnded):
            if fray.phase.startswith("hits") and fray.queue is None:
                yield from fray.check_losses()
            fray = None


def begun(position: Position, event: BattleBegan) -> Fray | None:
    """A battle that begins. Who comes ashore in a landing is not known yet; the advanced naval rules are left out."""
    space = A.index.get(event.space[1:], NOBODY)
    sides = map(position.number, event.attackers), map(position.number, event.defenders)
    attacker = SIDES.index(event.side[1:])
    if event.stage == "@stage-sea" and not position.state.options.get("advanced-naval"):
        return SeaFray(position, space, attacker, *sides)
    if event.stage != "@stage-land" or position.landing(space):
        return None
    fray = Fray(position, space, attacker, *sides)
    stack: list[Any] = [step for step in position.state.stack if tag(step) in ("land-stage", "combat")]
    fray.blitz = bool(stack and stack[-1].blitz)
    return fray


def resumed(position: Position, action: Action) -> Fray | None:
    """The battle in which the decision stands: from the next volley on where a hit or a retreat was asked about."""
    step: Any = position.state.stack[-1]
    if tag(step) != "battle" or step.phase == "hits-shore" or step.round == 0:
        return None
    if step.sea and position.state.options.get("advanced-naval"):
        return None
    if not (step.phase.startswith("hits") or isinstance(action, (Fight, Abort))):
        return None
    state = position.state
    gone = {position.number(name) for name in action.units} if isinstance(action, Abort) else set()
    sides = [[u for u in units if state.space[u] != NOBODY and u not in gone] for units in (step.att, step.dfn)]
    fray = (SeaFray if step.sea else Fray)(position, step.space, step.attacker, *sides)
    fray.doomed, fray.blitz, fray.landing, fray.round = list(step.doomed), step.blitz, step.landing, step.round
    fray.way = step.crossing.found.name if step.crossing.found is not None else ""
    if step.phase.startswith("hits"):
        fray.phase, fray.hits = step.phase, (0, len(step.hits))
    elif step.phase.startswith("retreat"):
        fray.phase, fray.hits = "hits-a", (0, 0)
    return fray
