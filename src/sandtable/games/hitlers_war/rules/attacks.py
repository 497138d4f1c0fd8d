"""Attacks: which hexes an army may attack or invade.

Chapters 'Making Attacks', 'Initial Attack', 'Invasion Procedure', 'Paradrop Across Water', 'Allied-Soviet
Co-operation', and what an attack means for unaligned countries and for the Soviet mobilization.
"""

from __future__ import annotations

from sandtable.core import Named, Refusal

from ..facts.seaways import blockade
from ..facts.territory import territory
from ..model.atlas import AIR, ALLIES, AMPH, ATLAS, AXIS, CLOSED, CROSSING, PARA, SOVIET, SPACES, WATER
from ..model.state import AIRDROP, LAND, PEACE_ACCEPTED, War, army_name, points, side_of, space_name, total
from .advance import why_stays


def why_no_target(s: War, side: int, target: int) -> Refusal | None:
    """Why no army of a side may attack a space, wherever the army is.

    [hw-coop-1] [hw-unaligned-2] [hw-bar-special-1] [hw-fall-special-2] [hw-surr-soviet-2]
    """
    holder = s.owner[target]
    if holder == side or (holder == AXIS != side and not s.peace):
        return None
    name = space_name(target)
    if holder == WATER:
        return Refusal("hw-attack-7", "hw-open-sea", target=name)
    if holder == CLOSED:
        return Refusal(s.setting.rule_of.get("closed", "hw-unaligned-2"), "hw-neutral-closed", target=name)
    if holder == SOVIET + ALLIES - side and side != AXIS:
        return Refusal("hw-coop-1", "hw-partner", target=name)
    if s.peace == PEACE_ACCEPTED and {side, holder} == {AXIS, SOVIET}:
        return Refusal("hw-surr-soviet-2", "hw-at-peace", target=name)
    return None


def attack_mode(s: War, army: int, target: int) -> int | Refusal:
    """How an army can attack a neighbour: over land, or with paratroops and air alone across water.

    [hw-attack-6] [hw-crossing-1] [hw-terrain-crossing] [hw-terrain-sea] [hw-parawater-1]
    """
    at = s.army_at[army]
    if target in ATLAS.step[at]:
        return LAND
    names = {"army": army_name(army), "target": space_name(target)}
    if target not in ATLAS.around[at]:
        return Refusal("hw-attack-6", "hw-not-adjacent", **names)
    kind = ATLAS.hexside[at, target]
    if kind == CROSSING and not s.setting.sea:
        return LAND
    flying = s.strength[army * 5 + PARA] + s.strength[army * 5 + AIR]
    if s.setting.technology and flying == total(s, army):
        return AIRDROP
    rule = "hw-terrain-crossing" if kind == CROSSING else "hw-terrain-sea"
    return Refusal(rule, "hw-over-water", **names)


def why_no_attack(s: War, army: int, target: int, *, entering: bool = False) -> Refusal | None:
    """Why an army may not attack a neighbour; with `entering` the attack must end in an advance.

    An army that can neither assault nor advance does not attack.  [hw-amph-2] [hw-air-11] [hw-friendly-2]
    """
    refusal = why_no_target(s, army // 12, target)
    if refusal is not None:
        return refusal
    mode = attack_mode(s, army, target)
    if isinstance(mode, Refusal):
        return mode
    assaults = s.strength[army * 5 + AIR] and s.owner[target] != side_of(army) and not entering
    return None if assaults else why_stays(s, army, mode)


def targets(s: War, army: int, *, entering: bool = False) -> list[int]:
    """Adjacent hexes that an army may attack, friendly ones too.  [hw-initial-3]"""
    near = [x for x in ATLAS.around[s.army_at[army]] if s.owner[x] < CLOSED]
    return [x for x in near if why_no_attack(s, army, x, entering=entering) is None]


def aims(s: War, army: int, *, entering: bool = False) -> Named:
    """The hexes that an army may attack, or why it may not."""
    near = targets(s, army, entering=entering)
    return Named(near, SPACES, why=lambda target: why_no_attack(s, army, target, entering=entering))


# ---- invasions
def why_no_invader(s: War, army: int) -> Refusal | None:
    """At least half of an invading army is amphibious, and it stands on a coast.  [hw-invade-2] [hw-invade-4]"""
    amphibious = s.strength[army * 5 + AMPH]
    if not amphibious or 2 * amphibious < points(s, army):
        return Refusal("hw-invade-2", "hw-too-few-amphibious", army=army_name(army))
    if not ATLAS.waters_of[s.army_at[army]]:
        return Refusal("hw-invade-4", "hw-not-on-coast", army=army_name(army))
    return None


def landings(s: War, army: int) -> frozenset[int]:
    """Spaces at which a sea route of an army can end.  [hw-invade-3]"""
    side = side_of(army)
    return territory(s, side).landings(s.army_at[army], blockade(s, side))


def why_no_landing(s: War, army: int, target: int) -> Refusal | None:
    """Why an army cannot invade a space."""
    refusal = why_no_target(s, army // 12, target)
    if refusal is not None:
        return refusal
    names = {"army": army_name(army), "target": space_name(target)}
    if not ATLAS.waters_of[target]:
        return Refusal("hw-invade-3", "hw-not-coastal", **names)
    return None if target in landings(s, army) else Refusal("hw-invade-3", "hw-no-sea-route", **names)


def shores(s: War, army: int) -> Named:
    """The spaces that an army may invade, or why it may not."""
    side, owner = side_of(army), s.owner
    open_to = [x for x in sorted(landings(s, army)) if owner[x] < CLOSED and why_no_target(s, side, x) is None]
    return Named(open_to, SPACES, why=lambda target: why_no_landing(s, army, target))
