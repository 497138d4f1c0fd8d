"""Options French Armistice, with Vichy France, and Italian Armistice."""

from __future__ import annotations

from sandtable.core.columns import put

from ..facts.control import control_side, speaker
from ..facts.whereabouts import ground_of_side, has_ground
from ..model.atlas import ATLAS, NEUTRAL, NOBODY
from ..model.state import AT_WAR, BOX, OUT, M, W2State
from .land import capture, set_owner
from .politics import join
from .units import remove

A = ATLAS
K = ATLAS.kinds

CARD = A.data["vichy_setup"]

VICHY_LAND = tuple(A.index[name] for name in CARD["vichy_controlled"])


def free_france(m: M) -> None:
    """Refused: what is left of France fights on as a British minor ally.  [w2e-armistice-french-offer]"""
    state = m.state
    patron = A.britain if state.status[A.britain] == AT_WAR else speaker(state, 1)
    for space in A.land:
        if state.owner[space] == A.france:
            set_owner(m, space, patron)
            state.start_owner = put(state.start_owner, space, patron)
    for unit, owner in enumerate(state.power):
        if owner == A.france:
            if state.space[unit] <= BOX:
                remove(state, unit)
            else:
                state.power = put(state.power, unit, patron)
    state.convoys = tuple(
        type(c)(c.number, patron, c.route, c.dollars) if c.power == A.france else c for c in state.convoys
    )
    state.money, state.rps = put(state.money, A.france, 0), put(state.rps, A.france, 0)
    state.status = put(state.status, A.france, OUT)
    state.lost_flag = put(state.lost_flag, A.capital[A.france], 1)
    for minor, owner in enumerate(state.patron):
        if owner == A.france:
            state.patron = put(state.patron, minor, patron)
    for number, (power, _) in enumerate(A.leaders):
        if power == A.france:
            state.leader_dead = put(state.leader_dead, number, 1)
            state.leader_space = put(state.leader_space, number, NOBODY)
            state.leader_ship = put(state.leader_ship, number, NOBODY)


def free_vichy(m: M) -> None:
    """A freed Paris brings what is left of Vichy France to Britain.  [w2e-armistice-french-paris]"""
    state = m.state
    if state.vichy and control_side(state, A.capital[A.france]) == 1:
        patron = A.britain if state.status[A.britain] == AT_WAR else speaker(state, 1)
        for minor in (A.vichy, *A.colonies):
            if state.patron[minor] == NOBODY:
                join(m, minor, patron)
        state.vichy = False


def occupy(m: M) -> None:
    """Units that find themselves alone in land that has become the enemy's take it."""
    state = m.state
    for space in VICHY_LAND:
        side = control_side(state, space)
        if side >= 0 and has_ground(state, space, 1 - side) and not has_ground(state, space, side):
            capture(m, space, state.power[ground_of_side(state, space, 1 - side)[0]])


def may_linger(state: W2State, space: int) -> bool:
    """Vichy land that foreign units may still leave or go to war for."""
    return state.vichy and state.owner[space] == NEUTRAL and space in VICHY_LAND


# ---- Italy -----------------------------------------------------------------------------------------------------------
def italy_must_offer(m: M) -> bool:
    """The conditions at the start of a turn.  [w2e-armistice-italian-offer]"""
    state, rule = m.state, A.rules["italian_armistice"]
    if not m.option("italian-armistice") or state.status[A.italy] != AT_WAR:
        return False

    def allied(name: str) -> bool:
        return control_side(state, A.index[name]) == 1

    fronts = all(
        control_side(state, s) != 0 for name in rule["control_all_fronts"] for s in A.front_land[A.front_index[name]]
    )
    islands = [name for name in rule["one_of"] if allied(name)]
    mainland = [
        s for s in A.land
        if A.homeland[s] == A.italy and A.names[s] not in rule["one_of"] and control_side(state, s) == 1
    ]  # fmt: skip
    initiative = all(state.initiative[A.front_index[name]] == 1 for name in rule["initiative"])
    return bool(
        fronts and all(allied(name) for name in rule["control"]) and islands
        and len(mainland) >= int(rule["plus_homeland_spaces"]) and initiative
    )  # fmt: skip
