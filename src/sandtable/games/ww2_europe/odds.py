"""Exact odds: how a battle may end if it is fought out, how likely an interception or a raid is to succeed."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Action, Modifier, Odds, Result

from .actions import ChooseBattle, Combine, Fight, March, Raid, Separate
from .atlas import ATLAS, NOBODY, SIDES
from .battle import Battle
from .crossings import needed
from .encounters import Encounter
from .fire import ROLLER, Shot, legal_targets
from .kinds import GROUND
from .lookup import control_side, ground_of_side, unit_of, units_of_side
from .stages import LandStage, fighters_in, land_battles
from .state import M, changed
from .strategic import raid_number
from .strength import Crossing, crossing_bonus, land_parts

A = ATLAS
K = ATLAS.kinds
Counts = tuple[int, ...]
"""How many units of each type of a side are left."""
_MOST_STATES = 3000


class TooLarge(Exception):
    """A battle with more positions than anybody waits for."""


class Types:
    """The really different units of one side; an armoured ship and the same ship damaged are two types."""

    def __init__(self, m: M, units: Sequence[int]) -> None:
        state = m.state
        keys: dict[tuple[int, ...], int] = {}
        self.units: list[int] = []
        self.hurt: list[int] = []
        """Per type the type it becomes when hit, -1 where it is gone."""
        counts: list[int] = []
        for unit in units:
            kind = state.kind[unit]
            for damage in range(state.damage[unit], K.hits[kind]):
                key = (kind, state.power[unit], state.flags[unit], state.home[unit], damage)
                if key not in keys:
                    keys[key] = len(self.units)
                    self.units.append(unit)
                    self.hurt.append(NOBODY)
                    counts.append(0)
            first = (kind, state.power[unit], state.flags[unit], state.home[unit], state.damage[unit])
            counts[keys[first]] += 1
            if K.hits[kind] == 2 and not state.damage[unit]:
                self.hurt[keys[first]] = keys[(*first[:4], 1)]
        self.start: Counts = tuple(counts)
        self.cost = [K.cost[state.kind[u]] for u in self.units]
        self.ground = [K.cls[state.kind[u]] == GROUND for u in self.units]

    def listed(self, counts: Counts) -> list[int]:
        """Stand-ins for the units that are left."""
        return [unit for unit, count in zip(self.units, counts, strict=True) for _ in range(count)]

    def worth(self, counts: Counts) -> int:
        return sum(cost * count for cost, count in zip(self.cost, counts, strict=True))

    def hit(self, m: M, counts: Counts, hits: Sequence[int]) -> Counts:
        """Take hits: the owner gives up the cheapest legal unit, a roller who may choose takes the dearest."""
        left = list(counts)
        for hit in sorted(hits):
            there = [t for t, count in enumerate(left) if count]
            legal = set(legal_targets(m, hit, [self.units[t] for t in there]))
            choices = [t for t in there if self.units[t] in legal]
            if not choices:
                continue
            price = [(self.cost[t] - (self.hurt[t] >= 0), -t) for t in choices]
            chosen = choices[price.index(max(price) if hit & ROLLER else min(price))]
            left[chosen] -= 1
            if self.hurt[chosen] >= 0:
                left[self.hurt[chosen]] += 1
        return tuple(left)


def hit_chances(shots: Sequence[Shot]) -> dict[tuple[int, ...], float]:
    """Every set of hits that the dice can make, with its chance."""
    found: dict[tuple[int, ...], float] = {(): 1.0}
    for shot in shots:
        faces: dict[int, float] = {}
        for die in range(1, 7):
            hit = shot.hit(die)
            faces[hit] = faces.get(hit, 0.0) + 1 / 6
        after: dict[tuple[int, ...], float] = {}
        for hits, chance in found.items():
            for hit, part in faces.items():
                key = tuple(sorted((*hits, hit))) if hit else hits
                after[key] = after.get(key, 0.0) + chance * part
        found = after
    return found


def battle_odds(m: M, battle: Battle) -> Odds:
    """The battle fought out to the end, nobody retreating.

    [w2e-stage3-fire] [w2e-stage2-fire] [w2e-battle-units]
    """
    att, dfn = Types(m, battle.live(m, battle.att)), Types(m, battle.live(m, battle.dfn))
    ends = _fight_out(m, battle, att, dfn)
    sides = SIDES[battle.attacker], SIDES[1 - battle.attacker]
    spent = [0.0, 0.0]
    by: dict[str, tuple[float, float, float]] = {}
    for (a, d), chance in ends.items():
        if any(d):
            name = "repulse"
        elif any(count and (ground or battle.sea) for count, ground in zip(a, att.ground, strict=True)):
            name = "capture" if not battle.sea else "sunk"
        else:
            name = "ruin"
        lost = att.worth(att.start) - att.worth(a), dfn.worth(dfn.start) - dfn.worth(d)
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
    """The chance of every way the battle can end. Rounds without a hit are folded away."""
    ends: dict[tuple[Counts, Counts], float] = {}
    first = {(att.start, dfn.start): 1.0}
    layers: dict[tuple[Counts, Counts, bool], float] = {(a, d, battle.round <= 1): p for (a, d), p in first.items()}
    seen = 0
    while layers:
        key = max(layers, key=lambda k: (k[2], sum(k[0]) + sum(k[1]) + att.worth(k[0]) + dfn.worth(k[1])))
        chance = layers.pop(key)
        a, d, opening = key
        if not any(d) or not any(c and (g or battle.sea) for c, g in zip(a, att.ground, strict=True)):
            ends[a, d] = ends.get((a, d), 0.0) + chance
            continue
        seen += 1
        if seen > _MOST_STATES:
            raise TooLarge
        step = battle.to(round=1 if opening else 2, arrive=())
        ours, theirs = att.listed(a), dfn.listed(d)
        fire = hit_chances(step.shots(m, ours, theirs, defending=False))
        answer = hit_chances(step.shots(m, theirs, ours, defending=True))
        after_d: dict[Counts, float] = {}
        for hits, part in fire.items():
            new = dfn.hit(m, d, hits)
            after_d[new] = after_d.get(new, 0.0) + part
        after_a: dict[Counts, float] = {}
        for hits, part in answer.items():
            new = att.hit(m, a, hits)
            after_a[new] = after_a.get(new, 0.0) + part
        still = after_a.get(a, 0.0) * after_d.get(d, 0.0)
        if still > 1 - 1e-12:
            ends[a, d] = ends.get((a, d), 0.0) + chance
            continue
        scale = 1.0 if opening else 1 / (1 - still)
        for new_a, one in after_a.items():
            for new_d, two in after_d.items():
                if not opening and new_a == a and new_d == d:
                    continue
                where = (new_a, new_d, False)
                layers[where] = layers.get(where, 0.0) + chance * one * two * scale
    return ends


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
    if isinstance(action, Fight) and isinstance(step, Battle) and step.phase in ("retreat-a", "retreat-d"):
        return battle_odds(m, step.to(round=step.round + 1))
    if isinstance(action, (Combine, Separate)) and isinstance(step, Encounter):
        groups = step.groups or tuple(step.forces(m, step.patrollers(m, step.side)))
        return _search(m, step, groups, isinstance(action, Combine))
    if isinstance(action, March) and action.path:
        return _march(m, role, action)
    if isinstance(action, Raid) and not action.target.startswith("convoy "):
        unit, space = unit_of(m.state, action.unit), A.index[action.target]
        fighters = [u for u in units_of_side(m, space, 1 - A.side[A.power_index[role]])
                    if K.base[m.state.kind[u]] == K.fighter]  # fmt: skip
        if not fighters:
            return chance_odds(f"@{action.target}", raid_number(m, unit, False) / 6, "w2e-stage1-bomb")
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
