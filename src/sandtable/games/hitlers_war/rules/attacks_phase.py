"""Announcing the initial attacks: every attacking army and its target are named before anything is resolved."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandtable.core import Field, Named, Offer, Refusal
from sandtable.core.columns import having, put

from ..model.actions import Attack, Done, Invade
from ..model.atlas import ARMIES, ARMY_NAMES, ATLAS
from ..model.events import Announced
from ..model.state import INVASION, M, OwnTurn, War, armies_of, army_name, in_play, side_of
from . import neutrality
from .attacks import aims, attack_mode, shores, why_no_invader
from .movement import why_held
from .routes import Routes, route_waters

# ---- the step
_DONE = Offer(Done, rule="hw-attack-2")


class Announce(OwnTurn, frozen=True, tag="announce"):
    """The attacker names the attacks; an army that is not named does not attack this turn.

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

    def why_army(self, s: War, army: int) -> Refusal | None:
        """Why an army cannot be named now."""
        if side_of(army) != s.side or s.army_at[army] < 0:
            return Refusal("hw-attack-1", "hw-not-your-army", army=army_name(army))
        if s.mode[army]:
            return Refusal("hw-attack-6", "hw-already-named", army=army_name(army))
        return why_held(s, army)

    def attack_fields(self, s: War) -> tuple[Field, ...]:
        why = partial(self.why_army, s)
        able = Named([a for a in in_play(s, s.side) if why(a) is None], ARMY_NAMES, why=why)
        return Field("army", "unit", able), Field("target", "space", lambda name: aims(s, ATLAS.army_index[name]))

    def invasion_fields(self, s: War) -> tuple[Field, ...]:
        def why(army: int) -> Refusal | None:
            return self.why_army(s, army) or why_no_invader(s, army)

        able = Named([a for a in in_play(s, s.side) if why(a) is None], ARMY_NAMES, why=why)
        return (
            Field("army", "unit", able),
            Field("target", "space", lambda name: shores(s, ATLAS.army_index[name])),
            Field("route", "path", lambda name, target: Routes(s, ATLAS.army_index[name], ATLAS.index[target])),
        )

    def take(self, m: M, role: str, action: Done | Attack | Invade) -> None:
        s = m.state
        if isinstance(action, Done):
            named = [(a, s.target[a]) for a in armies_of(s.side) if s.mode[a]]
            m.replace(*neutrality.provoked(m, named))
            return
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
