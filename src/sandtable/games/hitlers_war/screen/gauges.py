"""The conditions of victory as gauges, for every scenario and number of players."""

from __future__ import annotations

from fractions import Fraction

from sandtable.core.gauges import Gauge, Standing

from ..model.atlas import ALLIES, ATLAS, AXIS, SIDES, SOVIET
from ..model.places import BERLIN, GERMANY, SOVIET_CAPITALS
from ..model.state import M, War
from ..rules import victory

_CHART = ATLAS.rules["victory"]
_BERLIN = (ATLAS.names[BERLIN],)
_OTHERS = (SIDES[SOVIET], SIDES[ALLIES])
_RATIO_RULES = {AXIS: "hw-c1-victory-axis", SOVIET: "hw-c1-victory-soviet", ALLIES: "hw-c1-victory-allied"}


def standing(m: M) -> Standing:
    """Return the gauges of a match; its state is used up to see how it would end."""
    s = m.state
    kind = s.setting.victory
    gauges = _capitals(s) if kind == "capitals" else _berlin(s) if kind == "berlin" else _campaign(s)
    if not victory.at_once(m):
        victory.finish(m)
    return Standing(tuple(gauges), s.outcome)


def _capitals(s: War) -> list[Gauge]:
    names = tuple(ATLAS.names[x] for x in SOVIET_CAPITALS)
    taken = tuple(ATLAS.names[x] for x in SOVIET_CAPITALS if s.owner[x] == AXIS)
    kept = tuple(name for name in names if name not in taken)
    return [
        Gauge(id="cities", roles=(SIDES[AXIS],), value=len(taken), goal=len(names), places=names, held=taken,
              rules=("hw-bar-victory-1",)),
        Gauge(id="cities-kept", roles=(SIDES[SOVIET],), value=len(kept), goal=1, places=names, held=kept,
              rules=("hw-bar-victory-2",)),
        _berlin_lost(s, (SIDES[SOVIET],), "hw-bar-victory-3", SOVIET),
    ]  # fmt: skip


def _is_axis(s: War) -> bool:
    return s.owner[BERLIN] == AXIS and not s.surrendered[GERMANY]


def _berlin_kept(s: War, *rules: str) -> Gauge:
    held = _is_axis(s)
    return Gauge(id="berlin-kept", roles=(SIDES[AXIS],), value=int(held), goal=1, places=_BERLIN,
                 held=_BERLIN if held else (), rules=rules)  # fmt: skip


def _berlin_lost(s: War, roles: tuple[str, ...], rule: str, by: int | None = None) -> Gauge:
    """Berlin taken from the Axis, or by one side."""
    met = s.owner[BERLIN] == by if by is not None else not _is_axis(s)
    return Gauge(id="berlin-taken", roles=roles, value=int(met), goal=1, places=_BERLIN, held=_BERLIN if met else (),
                 rules=(rule,))  # fmt: skip


def _berlin(s: War) -> list[Gauge]:
    if victory.two_players(s):
        return [_berlin_kept(s, "hw-fall-victory-2"), _berlin_lost(s, _OTHERS, "hw-fall-special-1")]
    top, bottom = _CHART["soviet_share"]
    soviet, allies = (victory.production_held(s, side) for side in (SOVIET, ALLIES))
    share = _percent(Fraction(soviet, allies) if allies else Fraction(soviet))
    goal = 100 * top / bottom
    return [
        _berlin_kept(s, "hw-fall-victory-2"),
        _berlin_lost(s, _OTHERS, "hw-fall-victory-1"),
        Gauge(id="share-of-allies", roles=(SIDES[SOVIET],), value=share, goal=goal, percent=True,
              rules=("hw-fall-victory-3", "hw-fall-victory-5")),
        Gauge(id="share-below", roles=(SIDES[ALLIES],), value=int(not bottom * soviet >= top * allies), goal=1,
              rules=("hw-fall-victory-4",)),
    ]  # fmt: skip


def _campaign(s: War) -> list[Gauge]:
    if victory.two_players(s):
        return [_berlin_kept(s, "hw-c1-victory-two"), _berlin_lost(s, _OTHERS, "hw-c1-victory-two")]
    held = [victory.production_held(s, side) for side in (AXIS, SOVIET, ALLIES)]
    found = [_berlin_kept(s, "hw-c1-victory-axis", "hw-c1-victory-highest")]
    for side in (AXIS, SOVIET, ALLIES):
        chart = _CHART[SIDES[side]]
        levels = [_percent(Fraction(*chart[name])) for name in victory.LEVELS if name in chart]
        found.append(
            Gauge(id="share", roles=(SIDES[side],), value=_percent(victory.ratio(held, side)), goal=levels[0],
                  marks=tuple(levels[1:]), percent=True, rules=(_RATIO_RULES[side], "hw-c1-victory-highest"))
        )  # fmt: skip
    return found


def _percent(share: Fraction) -> float:
    return float(100 * share)
