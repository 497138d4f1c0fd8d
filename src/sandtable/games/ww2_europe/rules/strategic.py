"""Stage 1, Strategic Warfare: bombers and submarines against factories, resource zones and convoys; rockets."""

from __future__ import annotations

from sandtable.core.columns import put

from ..facts.whereabouts import whereabouts
from ..model.atlas import ATLAS, FACTORY
from ..model.events import Bombed
from ..model.state import GONE, ORDER_HUNT, RAIDING, M, added

A = ATLAS
K = ATLAS.kinds

HIT = int(A.rules["strategic_warfare"]["attacker_hit"])

ESCORT_HIT = int(A.rules["strategic_warfare"]["escort_vs_submarine_hit"])


def raid_number(m: M, unit: int, at_convoy: bool) -> int:
    """What a raider must roll: the better of its kind and its special forces, never both.

    [w2e-stage1-bomb] [w2e-special-wolfpack] [w2e-special-eighth] [w2e-special-sac] [w2e-tech-heavy-bombers]
    """
    state = m.state
    kind, power = state.kind[unit], state.power[unit]
    number = K.strategic_hit[kind] or HIT
    forces = A.forces[power]
    if at_convoy and K.submerged[kind] and power == A.germany and m.option("wolf-packs"):
        number = max(number, int(forces["wolf_pack"]["convoy_hit"]))
    if not at_convoy and K.base[kind] == K.bomber:
        if power == A.usa and m.option("eighth-air-force"):
            number = max(number, int(forces["eighth_air_force"]["factory_hit"]))
        if power == A.britain and m.option("bomber-command"):
            number = max(number, int(forces["bomber_command"]["factory_hit"]))
    return number


def fight_number(m: M, unit: int) -> int:
    """What a raider must roll to hit a fighter over the target.  [w2e-stage1-fight]"""
    kind = m.state.kind[unit]
    return K.vs_air[kind] or K.combat[kind]


def escort_number(m: M, escort_power: int) -> int:
    """What a convoy's escort must roll against a raiding submarine; one less against a U-boat of the new kind.

    [w2e-stage1-defend] [w2e-tech-sonar] [w2e-tech-uboats]
    """
    return ESCORT_HIT + (1 if m.state.known[escort_power][A.tech_index["sonar"]] == 2 else 0)


def bomb(m: M, space: int, atomic: bool, points_lost: int) -> None:
    """A hit on a factory or resource zone.  [w2e-strategic-damage] [w2e-unit-bomber-disruption] [w2e-tech-atomic]"""
    state = m.state
    owner = state.owner[space]
    value = 0 if state.damaged[space] else A.value[space]
    dollars = min(value, state.money[owner])
    state.money = added(state.money, owner, -dollars)
    points = 0
    factory = A.homeland[space] == owner and A.feature[space] == FACTORY and not state.damaged[space]
    if owner != A.ussr and (factory or (atomic and state.damaged[space] != GONE)):
        points = min(points_lost, state.rps[owner])
        state.rps = added(state.rps, owner, -points)
    if atomic:
        state.damaged = put(state.damaged, space, GONE)
    elif not state.damaged[space]:
        state.damaged = put(state.damaged, space, 1)
    m.emit(Bombed(space=f"@{A.names[space]}", power=f"@{A.powers[owner]}", dollars=dollars, points=points))


def raiding(m: M) -> list[int]:
    """All who raid or escort raids: they are where the paths of raids end."""
    flags, rows = m.state.flags, whereabouts(m.state).rows
    ends = {task.path[-1] for task in m.state.tasks if task.order == ORDER_HUNT}
    return sorted([unit for end in ends for unit in rows[end] if flags[unit] & RAIDING])


def _spaces_within(start: int, steps: int) -> list[int]:
    found = {start: 0}
    queue = [start]
    for here in queue:
        if found[here] < steps:
            for there, _ in A.air_links[here]:
                if there not in found:
                    found[there] = found[here] + 1
                    queue.append(there)
    return sorted(s for s, far in found.items() if far == steps)
