"""Announcing the initial attacks: every attacking army and its target are named before anything is resolved."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Offer, OneOf, Refusal
from sandtable.core.columns import having, put

from ..model.actions import Attack, Done, Invade
from ..model.atlas import ARMIES, ATLAS
from ..model.events import Announced
from ..model.state import INVASION, M, OwnTurn, War, armies_of, army_name
from . import neutrality
from .attacks import attack_mode, invasion_targets, targets, why_no_attack, why_no_invader, why_no_landing
from .movement import holds, why_held
from .routes import Routes, route_waters

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
            out.append(Offer(Attack, lambda: self.attack_fields(s), rule="hw-attack-6"))
            if s.setting.sea:
                out.append(Offer(Invade, lambda: self.invasion_fields(s), rule="hw-invade-1"))
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
