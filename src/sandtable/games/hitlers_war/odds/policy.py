"""What both sides are assumed to choose while a battle is played out.

The defender fires with all it has as soon as it can. The attackers assault together with all their air, then advance:
the likeliest first, with all their paratroops. Losses are infantry first. Ships fire whenever they may; fleets stay
where they are. Everywhere else nothing is done, or the first that is offered.
"""

from __future__ import annotations

from sandtable.core import Action, Match, Offer, Pass

from ..model.actions import (
    Advance,
    Assault,
    CoastalAir,
    DefensiveAssault,
    Done,
    Lose,
    NavalFire,
    SupportFire,
)
from ..model.atlas import ATLAS, INF, KINDS
from ..model.state import War
from ..rules.advance import chance

_FIRES = (DefensiveAssault, Assault, NavalFire, SupportFire, CoastalAir)


def choose(match: Match[War], role: str, *, assault: bool = True, fire: bool = True) -> Action:
    """What a role does in a battle. `assault`: whether attackers fire; `fire`: whether defenders do."""
    offers = match.offers(role)
    for act in _FIRES:
        if offers[act] and (assault if act is Assault else fire):
            shot = _most(offers[act][0])
            if shot is not None:
                return shot
    if any(offers[Advance]):
        return max(offers[Advance][0], key=lambda action: _likeliest(match.state, action))
    if offers[Lose]:
        return min(offers[Lose][0], key=_worth)
    return quiet(match, role)


def quiet(match: Match[War], role: str) -> Action:
    """Do nothing where that is allowed, otherwise the first thing offered."""
    offers = match.offers(role)
    for idle in (Done(), Pass()):
        if offers[type(idle)] and offers.refuse(idle) is None:
            return idle
    return next(iter(offers))


def _most(offer: Offer) -> Action | None:
    """The shot with everybody and all air; None where there is none."""
    chosen: list[object] = []
    for field in offer.fields:
        domain = field.given(chosen)
        values = domain if field.kind in ("space", "unit") else reversed([*domain])
        value = next(iter(values), None)
        if value is None:
            return None
        chosen.append(value)
    return offer.act(*chosen)


def _likeliest(s: War, action: Action) -> tuple[int, int]:
    assert isinstance(action, Advance)
    army = ATLAS.army_index[action.army]
    what = chance(s, army, s.target[army], action.paradrop)
    return sum(what.succeeds(die) for die in range(1, 7)), action.paradrop


def _worth(action: Action) -> bool:
    assert isinstance(action, Lose)
    return action.kind != KINDS[INF]
