"""Exact odds: how a battle may end if it is fought out, how likely an interception or a raid is to succeed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from sandtable.core import Action, Modifier, Odds, Result

from .actions import ChooseBattle, Combine, Fight, March, Raid, Separate
from .atlas import ATLAS, NOBODY, SIDES
from .battle import Battle
from .crossings import needed
from .encounters import Encounter
from .fire import ROLLER, Shot, legal_targets
from .kinds import GROUND
from .lookup import control_side, ground_of_side, unit_of
from .odds_rounds import Counts, TooLarge, Volley, fight_out
from .stages import LandStage, fighters_in, land_battles
from .state import AMPHIBIOUS, CUT_OFF, DROPPED, SPECIAL, SURPRISED, M, W2State, changed
from .strategic import DEFENCE, RaidFight, fight_number, raid_number
from .strength import Crossing, crossing_bonus, land_parts

A = ATLAS
K = ATLAS.kinds


FIGHTS = CUT_OFF | SURPRISED | AMPHIBIOUS | DROPPED | SPECIAL
"""The flags that a unit's dice hang on."""


def _differs(state: W2State, unit: int, led: bool) -> tuple[int, int]:
    """What makes a unit fight in another way than others of its kind: its state, and where that is asked its home."""
    flags = state.flags[unit] & FIGHTS
    return flags, state.home[unit] if led or flags & (CUT_OFF | SURPRISED) else NOBODY


class Types:
    """The really different units of one side; an armoured ship and the same ship damaged are two types."""

    def __init__(self, m: M, units: Sequence[int]) -> None:
        state = m.state
        led = bool(m.option("leaders"))
        keys: dict[tuple[int, ...], int] = {}
        self.units: list[int] = []
        self.hurt: list[int] = []
        """Per type the type it becomes when hit, -1 where it is gone."""
        counts: list[int] = []
        for unit in units:
            kind = state.kind[unit]
            for damage in range(state.damage[unit], K.hits[kind]):
                key = (kind, state.power[unit], *_differs(state, unit, led), damage)
                if key not in keys:
                    keys[key] = len(self.units)
                    self.units.append(unit)
                    self.hurt.append(NOBODY)
                    counts.append(0)
            first = (kind, state.power[unit], *_differs(state, unit, led), state.damage[unit])
            counts[keys[first]] += 1
            if K.hits[kind] == 2 and not state.damage[unit]:
                self.hurt[keys[first]] = keys[(*first[:4], 1)]
        self.start: Counts = tuple(counts)
        self.cost = [K.cost[state.kind[u]] for u in self.units]
        self.ground = [K.cls[state.kind[u]] == GROUND for u in self.units]
        self.masks = [K.target[state.kind[u]] for u in self.units]
        self.ever: Counts = (1,) * len(self.units)
        """One of every type that may come to be."""
        self._known: dict[tuple[int, tuple[bool, ...]], int] = {}

    def listed(self, counts: Counts) -> list[int]:
        """Stand-ins for the units that are left."""
        return [unit for unit, count in zip(self.units, counts, strict=True) for _ in range(count)]

    def worth(self, counts: Counts) -> int:
        return sum(cost * count for cost, count in zip(self.cost, counts, strict=True))

    def rank(self, counts: Counts) -> int:
        """How rich a position is: every hit makes it poorer."""
        return sum(
            count * (2 if hurt >= 0 else 1) for count, hurt in zip(counts, self.hurt, strict=True)
        )  # fmt: skip

    def hit(self, m: M, counts: Counts, hits: Sequence[int]) -> Counts:
        """Take hits: the owner gives up the cheapest legal unit, a roller who may choose takes the dearest."""
        left = list(counts)
        for hit in sorted(hits):
            chosen = self._falls_on(m, hit, tuple(map(bool, left)))
            if chosen >= 0:
                left[chosen] -= 1
                if self.hurt[chosen] >= 0:
                    left[self.hurt[chosen]] += 1
        return tuple(left)

    def _falls_on(self, m: M, hit: int, present: tuple[bool, ...]) -> int:
        """The type that takes a hit when these types are there, -1 where none can."""
        key = (hit, present)
        chosen = self._known.get(key)
        if chosen is None:
            there = list(compress(range(len(present)), present))
            legal = set(legal_targets(m, hit, [self.units[t] for t in there]))
            choices = [t for t in there if self.units[t] in legal]
            price = [(self.cost[t] - (self.hurt[t] >= 0), -t) for t in choices]
            best = (max if hit & ROLLER else min)(price) if price else None
            chosen = self._known[key] = choices[price.index(best)] if best is not None else NOBODY
        return chosen


def battle_odds(m: M, battle: Battle) -> Odds:
    """The battle fought out to the end, nobody retreating.

    [w2e-stage3-fire] [w2e-stage2-fire] [w2e-battle-units]
    """
    att, dfn = Types(m, battle.live(m, battle.att)), Types(m, battle.live(m, battle.dfn))
    ends = _fight_out(m, battle, att, dfn)
    sides = SIDES[battle.attacker], SIDES[1 - battle.attacker]
    spent = [0.0, 0.0]
    by: dict[str, tuple[float, float, float]] = {}
    start = att.worth(att.start), dfn.worth(dfn.start)
    left_a = {a: att.worth(a) for a in {a for a, _ in ends}}
    left_d = {d: dfn.worth(d) for d in {d for _, d in ends}}
    for (a, d), chance in ends.items():
        if any(d):
            name = "repulse"
        elif any(count and (ground or battle.sea) for count, ground in zip(a, att.ground, strict=True)):
            name = "capture" if not battle.sea else "sunk"
        else:
            name = "ruin"
        lost = start[0] - left_a[a], start[1] - left_d[d]
        spent[0] += chance * lost[0]
        spent[1] += chance * lost[1]
        total = by.get(name, (0.0, 0.0, 0.0))
        by[name] = (total[0] + chance, total[1] + chance * lost[0], total[2] + chance * lost[1])
    results = [
        Result(chance, f"result.{name}", {sides[0]: round(one / chance), sides[1]: round(two / chance)})
        for name, (chance, one, two) in sorted(by.items()) if chance > 0
    ]  # fmt: skip
    success = sum(row[0] for name, row in by.items() if name in ("capture", "sunk"))
    return Odds(
        title=f"@{A.names[battle.space]}", results=results, success=success, modifiers=_modifiers(m, battle),
        expected_losses={sides[0]: spent[0], sides[1]: spent[1]}, policy="policy.fight-out",
    )  # fmt: skip


def _fight_out(m: M, battle: Battle, att: Types, dfn: Types) -> dict[tuple[Counts, Counts], float]:
    """The chance of every way the battle can end, by the same dice as the battle itself throws."""

    def volley(defending: bool) -> Volley:
        def dice(shooters: Sequence[int], targets: Sequence[int], opening: bool) -> list[Shot]:
            step = battle.to(round=1 if opening else 2, arrive=())
            return step.shots(m, shooters, targets, defending=defending)

        return dice

    def cannot_take(ours: Counts) -> bool:
        return not any(count and (ground or battle.sea) for count, ground in zip(ours, att.ground, strict=True))

    def nobody_left(theirs: Counts) -> bool:
        return not any(theirs)

    return fight_out(m, att, dfn, volley(False), volley(True), (cannot_take, nobody_left), battle.round <= 1)


def _modifiers(m: M, battle: Battle) -> list[Modifier]:
    """What stands beside the printed value of the first defender on foot, for the eyes."""
    if battle.sea:
        return []
    for unit in battle.live(m, battle.dfn):
        if K.cls[m.state.kind[unit]] == GROUND:
            parts = land_parts(m, unit, battle.space, battle.crossing, True, battle.blitz, battle.round <= 1,
                               K.combat[m.state.kind[unit]])  # fmt: skip
            return [part for part in parts if part.name != "combat"]
    return []


def chance_odds(title: str, success: float, rule: str) -> Odds:
    """Odds of one thing that works or does not."""
    results = [Result(success, "result.success"), Result(1 - success, "result.failure")]
    return Odds(title=title, results=results, success=success, modifiers=[Modifier("rule", 0, rule)])


def preview(m: M, role: str, action: Action) -> Odds | None:
    """What an action would start; None where no dice would fall or too much hangs on later choices."""
    try:
        return _preview(m, role, action)
    except TooLarge:
        return None


def _preview(m: M, role: str, action: Action) -> Odds | None:
    step = m.step
    if isinstance(action, ChooseBattle) and isinstance(step, LandStage):
        space = A.index[action.space]
        attacker = land_battles(m)[space]
        both = fighters_in(m, space)
        return _ground(m, space, attacker, both[attacker], both[1 - attacker], step.blitz)
    if isinstance(action, Fight) and isinstance(step, Battle):
        return battle_odds(m, step if step.phase.startswith("abort") else step.to(round=step.round + 1))
    if isinstance(action, (Combine, Separate)) and isinstance(step, Encounter):
        groups = step.groups or tuple(step.forces(m, step.patrollers(m, step.side)))
        return _search(m, step, groups, isinstance(action, Combine))
    if isinstance(action, March) and action.path:
        return _march(m, role, action)
    if isinstance(action, Raid):
        return _raid(m, role, action)
    return None


def _search(m: M, step: Encounter, groups: Sequence[Sequence[int]], together: bool) -> Odds | None:
    """Whether the enemy is found by at least one roll.  [w2e-interception-combine]"""
    if not groups:
        return None
    if together:
        groups = [[u for group in groups for u in group]]
    missed = 1.0
    for group in groups:
        missed *= 1 - min(6, needed(m, list(group), step.space)) / 6
    return chance_odds(f"@{A.names[step.space]}", 1 - missed, "w2e-one-patrol")


def _raid(m: M, role: str, action: Raid) -> Odds:
    """The raid as it would go if nobody moved any more: fighters first, then what is left drops its bombs."""
    state = m.state
    side, at_convoy = A.side[A.power_index[role]], action.target.startswith("convoy ")
    target = int(action.target.split()[1]) if at_convoy else A.index[action.target]
    fight = RaidFight(side, at_convoy, target)
    return raid_odds(m, fight, [*fight.raiders(m), unit_of(state, action.unit)], action.target)


def raid_odds(m: M, fight: RaidFight, raiders: Sequence[int], name: str) -> Odds:
    """The chance that at least one bomber or submarine hits, escorts and then the cheapest raiders being lost first.

    [w2e-stage1-fight] [w2e-stage1-bomb]
    """
    state = m.state
    fighters = [] if fight.at_convoy else fight.fighters(m)
    raiders = sorted(raiders, key=lambda u: (K.strategic[state.kind[u]], K.cost[state.kind[u]]))
    success, lost_here = 0.0, 0.0
    for hits, chance in enumerate(binomial(len(fighters), DEFENCE)):
        missed = 1.0
        for unit in raiders[hits:]:
            if K.strategic[state.kind[unit]]:
                missed *= 1 - raid_number(m, unit, fight.at_convoy) / 6
        success += chance * (1 - missed)
        lost_here += chance * sum(K.cost[state.kind[u]] for u in raiders[:hits])
    kills = [1.0]
    for unit in raiders if fighters else ():
        kills = convolve(kills, min(6, fight_number(m, unit)) / 6)
    worth = sorted(K.cost[state.kind[u]] for u in fighters)
    lost_there = sum(chance * sum(worth[:number]) for number, chance in enumerate(kills))
    return Odds(
        title=f"@{name}" if not fight.at_convoy else name,
        results=[Result(success, "result.success"), Result(1 - success, "result.failure")], success=success,
        modifiers=[Modifier("rule", 0, "w2e-stage1-bomb")],
        expected_losses={SIDES[fight.side]: lost_here, SIDES[1 - fight.side]: lost_there}, policy="policy.fight-out",
    )  # fmt: skip


def convolve(chances: Sequence[float], hit: float) -> list[float]:
    """The number of hits with one more die."""
    after = [chance * (1 - hit) for chance in chances] + [0.0]
    for number, chance in enumerate(chances):
        after[number + 1] += chance * hit
    return after


def binomial(dice: int, needed_roll: int) -> list[float]:
    """The number of hits of so many equal dice."""
    chances = [1.0]
    for _ in range(dice):
        chances = convolve(chances, needed_roll / 6)
    return chances


def _march(m: M, role: str, action: March) -> Odds | None:
    """The battle as it would stand if nobody moved any more."""
    space, unit = A.index[action.path[-1]], unit_of(m.state, action.unit)
    side = A.side[A.power_index[role]]
    if control_side(m.state, space) != 1 - side or not ground_of_side(m, space, 1 - side):
        return None
    both = fighters_in(m, space)
    came = m.state.came[unit]
    m.state.came = changed(
        m.state.came, unit, A.index[action.path[-2]] if len(action.path) > 1 else m.state.space[unit]
    )
    try:
        return _ground(m, space, side, [*both[side], unit], both[1 - side], False)
    finally:
        m.state.came = changed(m.state.came, unit, came)


def _ground(m: M, space: int, attacker: int, att: Sequence[int], dfn: Sequence[int], blitz: bool) -> Odds:
    crossing = Crossing(crossing_bonus(m, space, att))
    return battle_odds(m, Battle(space, attacker, False, tuple(att), tuple(dfn), blitz=blitz, crossing=crossing))
