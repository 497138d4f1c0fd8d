"""What the learned judgement looks at in Hitler's War, besides what every game gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.core import Game
from sandtable.core.judge import Judge

from ..model.atlas import AIR, ALLIES, ARMIES, ATLAS, AXIS, SIDES, SOVIET
from ..model.places import BERLIN, BRITISH_CAPITALS, PARIS, SOVIET_CAPITALS
from ..model.state import M, War
from ..rules.victory import last_turn, two_players
from .evaluate import evaluate, objectives, standing
from .outlook import facts, log_odds

_SCALE = 40.0
"""The worth by hand that stands for one step of log odds."""
_PLACES = (BERLIN, *SOVIET_CAPITALS, PARIS, *BRITISH_CAPITALS)
"""What wins or breaks a side."""
_NAMES = {place: ATLAS.names[place] for place in _PLACES}
_BESIDE: Mapping[int, tuple[int, ...]] = {
    space: tuple(place for place in _PLACES if space in ATLAS.step[place]) for space in range(len(ATLAS.names))
}


class WarJudge(Judge[War]):
    """The calendar, and who stands in and beside each capital. Three players win each for themselves."""

    def parties(self, game: Game[Any], state: War) -> Mapping[str, tuple[str, ...]]:
        roles = tuple(SIDES[side] for side in state.setting.order)
        if two_players(state) or len(roles) < len(SIDES):
            return {roles[0]: roles[:1], SIDES[-1]: roles[1:]}
        return {role: (role,) for role in roles}

    def features(self, m: M) -> Mapping[str, float]:
        state = m.state
        left = last_turn(state) - state.turn
        found = {"turn": float(state.turn), "turns-left": float(left), "moves": float(state.side)}
        for place, name in _NAMES.items():
            found[f"owner:{name}"] = float(state.owner[place] == AXIS)
            found[f"fort:{name}"] = float(state.fort.get(place, 0) + state.building.get(place, 0))
        for army, at in enumerate(state.army_at):
            if at < 0 or state.idle[army]:
                continue
            base = army * 5
            points = float(sum(state.strength[base : base + AIR]))
            whose = "axis" if army < ARMIES else "enemy"
            if at in _NAMES:
                key = f"inside:{_NAMES[at]}.{whose}"
                found[key] = found.get(key, 0.0) + points
            for place in _BESIDE[at]:
                key = f"beside:{_NAMES[place]}.{whose}"
                found[key] = found.get(key, 0.0) + points
        if state.setting.victory == "capitals":
            found |= {f"outlook:{number}": value for number, value in enumerate(facts(state))}
            found["hand.axis"] = log_odds(state)
        else:
            means = [standing(state, side) for side in (AXIS, SOVIET, ALLIES)]
            found["hand.axis"] = (means[AXIS] - (means[SOVIET] + means[ALLIES]) / 2 + objectives(state)) / _SCALE
            found["hand.soviet"] = (means[SOVIET] - means[ALLIES]) / _SCALE
        return found

    def worth(self, m: M, role: str) -> float:
        return evaluate(m.state, SIDES.index(role)) / _SCALE


JUDGE = WarJudge()
