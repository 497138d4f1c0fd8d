"""The combat phase: its parts in the order of the rulebook.

    announce -> invasions (naval fire, coastal air, defence, assault, advance) -> defensive assaults -> assaults ->
    advances -> exploitation -> end of the phase (garrisons, politics, supply, victory)

[hw-seq-1] [hw-fall-seq-1] [hw-attack-8] [hw-invade-5] [hw-invade-7]
"""

from __future__ import annotations

from sandtable.core import Step

from ..model.atlas import SIDES
from ..model.state import INVASION, M
from . import morale, neutrality, surrender
from .advance_phase import Advances
from .assault_phase import Assaults, DefensiveAssaults
from .attacks_phase import Announce
from .exploitation_phase import Exploitation
from .invasion_phase import CoastalFires, InvasionOver, NavalFires, SupportFires
from .naval.harbours import stranded
from .supply import Isolation


class CombatPhase(Step, frozen=True, tag="combat"):
    """The whole phase."""

    rule = "hw-attack-1"

    def run(self, m: M) -> None:
        s = m.state
        s.before = s.owner
        # hexes that changed hands outside a combat phase (partisans, a surrender by bombing) do not count for morale
        s.gained = s.lost = (0,) * len(SIDES)
        m.replace(Announce(), Attacks(), CombatEnd())


class Attacks(Step, frozen=True, tag="attacks"):
    """What was announced is carried out, invasions first.  [hw-attack-2] [hw-invade-5]"""

    rule = "hw-attack-2"

    def run(self, m: M) -> None:
        m.pop()
        if any(m.state.mode):
            m.push(Invasions(), *land_attacks())


def land_attacks() -> tuple[Step, ...]:
    """The initial attacks over land, then exploitation.  [hw-initial-5] [hw-attack-8]"""
    return DefensiveAssaults(invasion=False), Assaults(invasion=False), Advances(invasion=False), Exploitation()


class Invasions(Step, frozen=True, tag="invasions"):
    """Amphibious invasions are resolved before any other attack, step by step.  [hw-invade-5] [hw-invade-7]"""

    rule = "hw-invade-7"

    def run(self, m: M) -> None:
        if not any(mode == INVASION for mode in m.state.mode):
            m.pop()
            return
        m.replace(
            NavalFires(),
            SupportFires(),
            CoastalFires(),
            DefensiveAssaults(invasion=True),
            Assaults(invasion=True),
            Advances(invasion=True),
            InvasionOver(),
        )


class CombatEnd(Step, frozen=True, tag="combat-end"):
    """Garrisons return, attacked neutrals take sides, and what was noted for the phase is cleared.

    [hw-garrison-4] [hw-garrison-7] [hw-neutral-2]
    """

    rule = "hw-garrison-4"

    def run(self, m: M) -> None:
        s = m.state
        s.bare = {}
        s.home_fired = {}
        s.fort_fired = {}
        s.absorbed = {}
        s.coast = {}
        s.coast_fired = {}
        s.fired_sides = {}
        s.supported = {}
        s.strafed = {}
        s.routes = {}
        s.mode = s.assaulted = s.defended = s.advanced = s.spent = s.dropped = bytes(len(s.mode))
        s.target = (-1,) * len(s.target)
        m.replace(surrender.Surrenders(), Isolation(), CombatCount())
        if s.setting.politics:
            neutrality.align_violated(m)
        s.captured = {}


class CombatCount(Step, frozen=True, tag="combat-count"):
    """What the phase did to morale, once all surrenders are known.  [hw-morale-5]"""

    rule = "hw-morale-5"

    def run(self, m: M) -> None:
        s = m.state
        if s.setting.technology:
            morale.count_hexes(m)
        s.gained = s.lost = (0,) * len(SIDES)
        m.replace(surrender.MoraleGone(), *stranded(m.state))
