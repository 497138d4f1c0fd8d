"""Assaults and defensive assaults: who fires when."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Named, Numbers, Offer, Refusal, Step, Subsets
from sandtable.core.columns import having, put

from ..model.actions import Assault, DefensiveAssault, Done
from ..model.atlas import ATLAS, SPACES
from ..model.state import (
    AIRDROP,
    INVASION,
    LAND,
    M,
    OwnTurn,
    War,
    air_in,
    armies_in,
    armies_of,
    army_name,
    role_of,
    side_of,
    space_name,
)
from .assault import (
    COAST,
    FORT,
    HOME,
    air_commitment,
    air_fire,
    attackers_of,
    attacking,
    defenders_in,
    defending,
    enemy_air,
    ground_fire,
    resolve,
)
from .control import who_defends


class DefensiveAssaults(Step, frozen=True, tag="defensive-assaults"):
    """Each army in a target may fire once at those who attack it; the defender chooses when.

    [hw-initial-4] [hw-initial-5] [hw-exploit-3] [hw-invdef-1]
    """

    rule = "hw-initial-4"

    invasion: bool
    passed: tuple[int, ...] = ()

    def places(self, s: War) -> dict[int, list[int]]:
        """Defending side -> spaces where it can still fire."""
        found: dict[int, list[int]] = {}
        for space in sorted({s.target[a] for a in armies_of(s.side) if s.target[a] >= 0}):
            if s.owner[space] == s.side or not attackers_of(s, space, invasion=self.invasion):
                continue
            if defenders_in(s, space):
                found.setdefault(who_defends(s, space), []).append(space)
        return found

    def asked(self, s: War) -> int:
        return next((side for side in sorted(self.places(s)) if side not in self.passed), -1)

    def run(self, m: M) -> None:
        if self.asked(m.state) < 0:
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(self.asked(m.state)),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state

        def units(at: str) -> Subsets:
            return Subsets(defenders_in(s, ATLAS.index[at]), least=1)

        def commit(at: str, chosen: tuple[str, ...]) -> Numbers:
            shot = defending(s, DefensiveAssault(at, chosen, 0), invasion=self.invasion)
            own = air_in(s, list(shot.units)) + shot.coast
            return air_commitment(own, sum(air_fire(s, a, shot.space) for a in shot.enemy))

        places = Named(self.places(s)[self.asked(s)], SPACES, why=lambda space: self.why(s, space))
        fields = Field("at", "space", places), Field("units", "units", units), Field("air", "number", commit)
        return [Offer(Done, rule=self.rule), Offer(DefensiveAssault, *fields, rule=self.rule)]

    def why(self, s: War, space: int) -> Refusal | None:
        at = space_name(space)
        if not attackers_of(s, space, invasion=self.invasion):
            return Refusal("hw-initial-4", "hw-not-attacked", at=at)
        if who_defends(s, space) != self.asked(s):
            return Refusal("hw-initial-4", "hw-not-your-hex", at=at)
        if any(s.defended[a] for a in armies_in(s, space)) or space in s.fort_fired or space in s.home_fired:
            return Refusal("hw-initial-4", "hw-defended-once", at=at)
        silent = next(iter(armies_in(s, space)), None)
        if silent is not None:
            return Refusal("hw-amph-2", "hw-amphibious-silent", army=army_name(silent))
        return Refusal("hw-garrison-2", "hw-garrison-silent", at=at)

    def take(self, m: M, role: str, action: Done | DefensiveAssault) -> None:
        s = m.state
        if isinstance(action, Done):
            m.replace(DefensiveAssaults(self.invasion, (*self.passed, self.asked(s))))
            return
        m.replace(self)
        shot = defending(s, action, invasion=self.invasion)
        for army in shot.units:
            s.defended = put(s.defended, army, 1)
        if FORT in action.units:
            s.fort_fired = having(s.fort_fired, shot.space, 1)
        if HOME in action.units:
            s.home_fired = having(s.home_fired, shot.space, 1)
        if COAST in action.units:
            s.coast_fired = having(s.coast_fired, shot.space, 1)
        resolve(m, shot)


class Assaults(OwnTurn, frozen=True, tag="assaults"):
    """The attacker's assaults, hex by hex; each army has one in a turn.

    [hw-attack-3] [hw-initial-5] [hw-assault-2] [hw-invassault-1] [hw-exploit-3]
    """

    rule = "hw-initial-5"

    invasion: bool
    only: int = -1
    """In exploitation: the one army that attacks."""

    def able(self, s: War) -> list[int]:
        modes = s.mode
        return [a for a in armies_of(s.side) if modes[a] and self.why_army(s, a) is None]

    def why_army(self, s: War, army: int) -> Refusal | None:
        """Why an army makes no assault now.  [hw-attack-3] [hw-friendly-2] [hw-mountain-1]"""
        modes = (INVASION,) if self.invasion else (LAND, AIRDROP)
        target = s.target[army]
        if target < 0 or s.mode[army] not in modes or s.spent[army] or (self.only >= 0 and army != self.only):
            return Refusal("hw-initial-1", "hw-not-named", army=army_name(army))
        if s.assaulted[army]:
            return Refusal("hw-attack-3", "hw-assaulted-once", army=army_name(army))
        if s.owner[target] == s.side:
            return Refusal("hw-friendly-2", "hw-friendly-target", target=space_name(target))
        if ground_fire(s, army, target) + air_fire(s, army, target) == 0:
            rule = "hw-mountain-1" if ATLAS.mountain[target] and s.mode[army] == LAND else "hw-amph-2"
            return Refusal(rule, "hw-cannot-assault", army=army_name(army), target=space_name(target))
        return None

    def run(self, m: M) -> None:
        if not self.able(m.state):
            m.pop()

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        able = self.able(s)
        origins = list(dict.fromkeys(s.army_at[a] for a in able))

        def targets(at: str) -> Named:
            here = ATLAS.index[at]

            def why(space: int) -> Refusal:
                return Refusal("hw-assault-2", "hw-not-at-target", at=space_name(here), target=space_name(space))

            return Named(list(dict.fromkeys(s.target[a] for a in able if s.army_at[a] == here)), SPACES, why=why)

        def units(at: str, target: str) -> Subsets:
            here, there = ATLAS.index[at], ATLAS.index[target]
            return Subsets([army_name(a) for a in able if s.army_at[a] == here and s.target[a] == there], least=1)

        def commit(at: str, target: str, chosen: tuple[str, ...]) -> Numbers:
            there = ATLAS.index[target]
            own = sum(air_fire(s, ATLAS.army_index[u], there) for u in chosen)
            return air_commitment(own, enemy_air(s, there))

        fields = (
            Field("at", "space", Named(origins, SPACES, why=lambda space: self.why_origin(s, space))),
            Field("target", "space", targets),
            Field("units", "units", units),
            Field("air", "number", commit),
        )
        return [Offer(Done, rule=self.rule), Offer(Assault, *fields, rule="hw-assault-2")]

    def why_origin(self, s: War, space: int) -> Refusal:
        refusals = (self.why_army(s, army) for army in armies_in(s, space) if side_of(army) == s.side)
        found = next((refusal for refusal in refusals if refusal is not None), None)
        return found or Refusal("hw-assault-2", "hw-no-army-there", at=space_name(space))

    def take(self, m: M, role: str, action: Done | Assault) -> None:
        s = m.state
        if isinstance(action, Done):
            m.pop()
            return
        m.replace(self)
        shot = attacking(s, action, invasion=self.invasion)
        for army in shot.units:
            s.assaulted = put(s.assaulted, army, 1)
        resolve(m, shot)
