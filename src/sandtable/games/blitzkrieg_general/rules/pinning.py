"""10 Pinning, and what it counts: which spaces are attacked, and by whom."""

from __future__ import annotations

from ..facts.relations import relations, roster
from ..model.atlas import GERMANY, atlas
from ..model.state import BKPlay, BKState
from .battles import pending_battles
from .flying import units_on_missions
from .search import fleets


def attackers_of(state: BKState, space: int) -> list[int]:
    """Units of the phasing side that attack a space, cargo about to land included."""
    phasing, side, nation = state.phasing, state.side, state.nation
    out = [u for u in state.here[space] if side[nation[u]] == phasing and state.mission[u] < 0]
    out += [u for u, target in state.abroad.items() if target == space and side[nation[u]] == phasing]
    return out


def attacked_spaces(m: BKPlay) -> list[int]:
    """Spaces in which a battle is coming, invasions still at sea included."""
    key = "attacked"
    if key not in m.cache:
        spaces = dict.fromkeys((*pending_battles(m), *m.state.invasions))
        m.cache[key] = list(spaces)
    found: list[int] = m.cache[key]
    return found


def attackers_known(m: BKPlay, space: int) -> list[int]:
    """The same, looked up once per decision."""
    key = ("attackers", space)
    found: list[int] | None = m.cache.get(key)
    if found is None:
        state = m.state
        phasing, side, nation, mission = state.phasing, state.side, state.nation, state.mission
        found = [u for u in state.here[space] if side[nation[u]] == phasing and mission[u] < 0]
        found = m.cache[key] = found + _sent_against(m).get(space, [])
    return found


def _sent_against(m: BKPlay) -> dict[int, list[int]]:
    """By space the units that the phasing side has sent there from elsewhere."""
    found: dict[int, list[int]] | None = m.cache.get("sent")
    if found is None:
        state, found = m.state, {}
        for unit, target in state.abroad.items():
            if state.side[state.nation[unit]] == state.phasing:
                found.setdefault(target, []).append(unit)
        m.cache["sent"] = found
    return found


def attacking_nations(m: BKPlay, space: int) -> int:
    """The nations that attack a space, as bits."""
    key = ("attacking", space)
    found: int | None = m.cache.get(key)
    if found is None:
        found, nation = 0, m.state.nation
        for unit in attackers_known(m, space):
            found |= 1 << nation[unit]
        m.cache[key] = found
    return found


def attacks(m: BKPlay) -> dict[int, int]:
    """The attacked spaces with the nations that attack each, as bits."""
    found: dict[int, int] | None = m.cache.get("attacks")
    if found is None:
        state, mine = m.state, roster(m.state)
        here, ours, away = state.here, relations(state).members(state.phasing), _bases_left(state)
        found = {}
        for space in attacked_spaces(m):
            if space in away:  # somebody of the stack is not there
                found[space] = attacking_nations(m, space)
                continue
            found[space] = mine.nations[here[space]] & ours
            for unit in _sent_against(m).get(space, ()):
                found[space] |= 1 << state.nation[unit]
        m.cache["attacks"] = found
    return found


def land_attacks(m: BKPlay) -> list[int]:
    """Areas attacked by land units. [bg-6.4.6-air-only]"""
    spaces: list[int] | None = m.cache.get("land-attacks")
    if spaces is None:
        state, found = m.state, atlas()
        armies, here, ours = roster(state).armies, state.here, relations(state).members(state.phasing)
        away, spaces = _bases_left(state), []
        for space in attacked_spaces(m):
            if found.is_sea[space]:
                continue
            sent = attackers_known(m, space) if space in away else _sent_against(m).get(space, ())
            if (space not in away and armies[here[space]] & ours) or any(found.is_land[u] for u in sent):
                spaces.append(space)
        m.cache["land-attacks"] = spaces
    return spaces


def _bases_left(state: BKState) -> set[int]:
    """Spaces from which units are out on missions."""
    return set(map(state.place.__getitem__, state.abroad))


def fights_there(m: BKPlay, nation: int, space: int) -> bool:
    """Whether a nation is at war with any of those who attack a space. [bg-8.4-dow]"""
    return bool(m.state.war[nation] & attacking_nations(m, space))


def is_blitz(m: BKPlay, space: int) -> bool:
    """[bg-card-blitzkrieg]"""
    state = m.state
    return state.effects.get("blitzkrieg", -1) == state.phasing and any(
        state.nation[u] == GERMANY for u in attackers_known(m, space)
    )


# ---- pinning ------------------------------------------------------------------------------------------------------
def is_pinned(m: BKPlay, unit: int) -> bool:
    """A unit in an attacked space may leave only if enough stay to face the attackers. [bg-10.1-pin]
    [bg-10.1-pin-number]
    [bg-10.1-pin-reserves] [bg-10.1-pin-air] [bg-10.1-pin-tf] [bg-10.1-pin-naval-reserves] [bg-10.2-who]"""
    state, found = m.state, atlas()
    if not state.advanced:
        return False
    space = state.place[unit]
    key = ("pinned", space, state.side[state.nation[unit]], found.is_land[unit])  # the same for all of them there
    if key not in m.cache:
        m.cache[key] = _is_pinned(m, unit)
    return bool(m.cache[key])


def _is_pinned(m: BKPlay, unit: int) -> bool:
    state, found = m.state, atlas()
    space = state.place[unit]
    if found.is_sea[space]:
        if space not in state.sea_battles and space not in attacked_spaces(m):
            return False
        mine, theirs = fleets(state, space)
        raiders = [u for u in units_on_missions(state) if state.mission[u] == space]
        stay = [u for u in theirs if state.mission[u] < 0]
        return len(stay) <= len(mine) + len(raiders)
    if space not in attacked_spaces(m):
        return False
    attackers = attackers_known(m, space)
    land = sum(1 for u in attackers if found.is_land[u] and not found.is_hq[u])
    others = sum(1 for u in attackers if not found.is_land[u])
    nation = state.nation[unit]
    stay = [u for u in state.here[space] if state.side[state.nation[u]] == state.side[nation] and state.mission[u] < 0]
    stay_land = [u for u in stay if found.is_land[u]]
    if found.is_land[unit] and len(stay_land) <= land:
        return True
    return len(stay) <= land + others
