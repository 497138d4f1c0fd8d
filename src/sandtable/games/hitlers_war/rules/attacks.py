"""Announcing the initial attacks: every attacking army and its target are named before anything is resolved.

Chapters 'Making Attacks', 'Initial Attack', 'Invasion Procedure', 'Paradrop Across Water', 'Allied-Soviet
Co-operation', and what an attack means for unaligned countries and for the Soviet mobilization.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Late, Offer, OneOf, Refusal
from sandtable.core.columns import having, put

from ..facts.seaways import blockade
from ..facts.territory import territory
from ..model.actions import Attack, Done, Invade
from ..model.atlas import AIR, ALLIES, AMPH, ARMIES, ATLAS, AXIS, CLOSED, CROSSING, PARA, SOVIET, WATER
from ..model.events import Announced
from ..model.state import (
    AIRDROP,
    INVASION,
    LAND,
    PEACE_ACCEPTED,
    M,
    OwnTurn,
    War,
    armies_of,
    army_name,
    points,
    side_of,
    space_name,
    total,
)
from . import neutrality
from .movement import holds, why_held
from .routes import Routes, route_waters


def why_no_target(s: War, side: int, target: int) -> Refusal | None:
    """Why nobody of a side may attack a space at all, wherever he stands.

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


def why_no_attack(s: War, army: int, target: int) -> Refusal | None:
    refusal = why_no_target(s, army // 12, target)
    if refusal is not None:
        return refusal
    mode = attack_mode(s, army, target)
    return mode if isinstance(mode, Refusal) else None


def targets(s: War, army: int) -> list[str]:
    """Adjacent hexes that an army may attack, friendly ones too.  [hw-initial-3]"""
    owner = s.owner
    around = [x for x in ATLAS.around[s.army_at[army]] if owner[x] < CLOSED]
    return [ATLAS.names[x] for x in around if why_no_attack(s, army, x) is None]


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


def invasion_targets(s: War, army: int) -> list[str]:
    side, owner = side_of(army), s.owner
    return [
        ATLAS.names[x] for x in sorted(landings(s, army)) if owner[x] < CLOSED and why_no_target(s, side, x) is None
    ]


# ---- the step
_DONE = Offer(Done, rule="hw-attack-2")


class Announce(OwnTurn, frozen=True, tag="announce"):
    """The attacker names his attacks; who is not named does not attack this turn.

    [hw-attack-1] [hw-attack-2] [hw-initial-1] [hw-initial-2] [hw-invade-1] [hw-invade-6]
    """

    rule = "hw-initial-1"

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        out: list[Offer] = [_DONE]
        if max(s.army_at[s.side * ARMIES : s.side * ARMIES + ARMIES]) >= 0:
            out.append(Late(Attack, self.attack_fields, s, rule="hw-attack-6"))
            if s.setting.sea:
                out.append(Late(Invade, self.invasion_fields, s, rule="hw-invade-1"))
        return out

    def armies(self, s: War) -> dict[str, int]:
        """The side's armies in play."""
        return {army_name(a): a for a in armies_of(s.side) if s.army_at[a] >= 0}

    def able(self, s: War, mine: dict[str, int]) -> list[str]:
        """Those that could still be named."""
        modes = s.mode
        return [name for name, a in mine.items() if not modes[a] and not holds(s, a)]

    def why_army(self, s: War, name: str) -> Refusal | None:
        mine = self.armies(s)
        if name not in mine:
            return Refusal("hw-attack-1", "hw-not-your-army", army=name)
        if s.mode[mine[name]]:
            return Refusal("hw-attack-6", "hw-already-named", army=name)
        return why_held(s, mine[name])

    def attack_fields(self, s: War) -> tuple[Field, ...]:
        mine = self.armies(s)

        def aims(name: str) -> OneOf:
            army = mine[name]
            return OneOf(
                targets(s, army), lambda t: why_no_attack(s, army, ATLAS.index[t]) if t in ATLAS.index else None
            )

        able = OneOf(self.able(s, mine), lambda name: self.why_army(s, name))
        return Field("army", "unit", able), Field("target", "space", aims)

    def invasion_fields(self, s: War) -> tuple[Field, ...]:
        mine = self.armies(s)

        def why_fit(name: str) -> Refusal | None:
            return self.why_army(s, name) or why_no_invader(s, mine[name])

        def shores(name: str) -> OneOf:
            army = mine[name]
            return OneOf(
                invasion_targets(s, army),
                lambda t: why_no_landing(s, army, ATLAS.index[t]) if t in ATLAS.index else None,
            )

        fit = [name for name in self.able(s, mine) if why_no_invader(s, mine[name]) is None]
        return (
            Field("army", "unit", OneOf(fit, why_fit)),
            Field("target", "space", shores),
            Field("route", "path", lambda name, target: Routes(s, mine[name], ATLAS.index[target])),
        )

    def take(self, m: M, role: str, action: object) -> None:
        s = m.state
        if isinstance(action, Done):
            named = [(a, s.target[a]) for a in armies_of(s.side) if s.mode[a]]
            m.replace(*neutrality.provoked(m, named))
            return
        assert isinstance(action, (Attack, Invade))
        army, target = ATLAS.army_index[action.army], ATLAS.index[action.target]
        if isinstance(action, Invade):
            s.mode = put(s.mode, army, INVASION)
            s.routes = having(s.routes, army, route_waters(s, army, action.route))
        else:
            mode = attack_mode(s, army, target)
            assert not isinstance(mode, Refusal)
            s.mode = put(s.mode, army, mode)
        s.target = put(s.target, army, target)
        m.emit(Announced(army=action.army, target=action.target))
