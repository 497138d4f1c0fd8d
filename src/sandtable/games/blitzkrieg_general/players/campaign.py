"""One phase on land and in the air: attacks with concentrated force, garrisons, the march to the front."""

from __future__ import annotations

from sandtable.core import Action

from ..facts.duels import Soldier, win_chance
from ..facts.reach import FAR, air_range, flight
from ..model.actions import Fly
from ..model.atlas import INF, MAJORS
from ..rules.flying import fly_targets
from .chances import estimate
from .goals import Goal, best_goal, goals, pull_at
from .guards import hold
from .orders import BEATEN, MANY, Assault, Orders
from .scene import Scene

_LEAST = 0.12
_SETTLED = 0.9
"""The chance from which an area counts as taken."""
_CERTAIN = 0.97
"""The chance from which an attack needs no more help."""
_PLENTY = 0.85
"""Share of the own hits left for which an attack has enough until all have."""
_HELP = 0.08
"""The least gain for which a unit joins an attack: chance times worth."""
_INDUSTRY = 2
"""Production of a home area that is not left open."""
_RICH = 4.0
"""Worth for which a risk is taken."""
_EXPOSED, _STAND = 0.2, 0.6
"""What a base is worth that may be overrun; to aircraft that help to hold it: less than one next door, more than one
from where they could not."""
_FOR_ONE = 0.3
"""How much of the chance of an attack on a minor is given up so that one division is left for elsewhere."""
_LURES = [0.8**steps for steps in range(FAR + 1)]
"""What a distance leaves of what an objective is worth to aircraft."""


class Campaign(Orders):
    """Plans one phase for one major."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.pulls: dict[int, float] = {}
        """By area how strongly it draws HQs, once the others have their orders."""
        self.lures: dict[int, float] = {}
        """By area how much there is to attack, or to hold, from it by air."""
        self.settled: set[int] = set()
        """Areas that fall to those who are on the way: nobody else is wanted there."""

    # ---- the whole phase
    def plan(self) -> list[Action]:
        if not self.free and (not self.planes or self.scene.state.exploiting):
            return []
        if self.scene.looks_ahead:
            self.attack()
            self.garrison()
        else:
            self.garrison()
            self.attack()
        self.march()
        if self.way.posts:
            self.post()
        self.lead()
        self.fly_on()
        return self.orders

    # ---- garrisons
    def garrison(self) -> None:
        """Before anything else infantry goes where the industry at home would be open to a stroke."""
        scene, found = self.scene, self.scene.found
        homes = [s for s in found.homes[scene.me] if found.left[s] >= _INDUSTRY and scene.friendly(s)]
        for area in sorted(homes, key=lambda s: (-found.left[s], s)):
            if scene.contested(area):
                continue
            need = self.way.home * self.danger(area) - self.company(area)
            if need <= 0:
                continue
            near = [
                u for u in self.free
                if found.type[u] == INF and area in self.reach[u] and not self.reach[u][area]
                and scene.state.place[u] not in homes[: homes.index(area)]
            ]  # fmt: skip
            for unit in sorted(near, key=lambda u: (-scene.power(u), u)):
                if need <= 0:
                    break
                if self.may_leave(unit, -1):
                    self.go(unit, area)
                    need -= scene.power(unit)

    # ---- attacks
    def choices(self) -> dict[int, list[int]]:
        """Hostile areas with the units that could enter them."""
        out: dict[int, list[int]] = {}
        for unit in self.free:
            if self.scene.found.is_hq[unit]:
                continue
            for to, ways in self.reach[unit].items():
                if ways and self.scene.hostile(to):
                    out.setdefault(to, []).append(unit)
        return out

    def attack(self) -> None:
        scene = self.scene
        choices = self.choices()
        worth = {t: scene.worth(t) + self.way.kill * scene.foe(t) * scene.stress(t) for t in choices}
        order = sorted(choices, key=lambda t: (-worth[t] / (1.5 + scene.foe(t)), t))
        if scene.looks_ahead:
            self.offensive(order, choices, worth)
            return
        for target in order:
            self.strike(target, choices[target], worth[target])

    # ---- attacks together
    def offensive(self, order: list[int], choices: dict[int, list[int]], worth: dict[int, float]) -> None:
        """Every target gets as many as it needs, and only then whoever is left goes where it helps most.

        What failed for want of units is tried again: a stack that others beat no longer ties down its neighbours.
        """
        for target in [t for t in order if not self.prepare(t, choices[t], worth[t])]:
            self.prepare(target, choices[target], worth[target])
        for unit in [*self.planes, *self.ships, *(u for u in self.free if not self.scene.found.is_hq[u])]:
            self.reinforce(unit)
        if self.way.stays:
            hold(self)
        for battle in self.battles:
            if battle.chance() >= _SETTLED:
                self.settled.add(battle.target)

    def prepare(self, target: int, units: list[int], worth: float) -> bool:
        """Attack with the fewest that are enough, troops and aircraft by turns."""
        scene = self.scene
        pool = [u for u in units if u in self.free]
        if not pool:
            return False
        foes = scene.enemies(target)
        if not foes:
            return self.walk_in(target, pool, worth)
        need = self.way.bold if worth >= _RICH else self.way.sure
        defenders = [scene.soldier(u, target, -1, False) for u in foes] + self.helpers(target)
        battle = Assault(target, worth, defenders, need)
        pool.sort(key=lambda u: (scene.power(u), -u))
        above = self.wings(target)[::-1]
        team: list[int] = []
        wings: list[int] = []
        while (pool or (team and above)) and battle.left() < _PLENTY:
            if (above and len(team) > 1 + len(wings)) or not pool:
                wings.append(above.pop())
                battle.add(wings[-1], scene.soldier(wings[-1], target, -1, True))
                continue
            unit = pool.pop()
            if self.may_leave(unit, target):
                team.append(unit)
                self.send(unit)
                battle.add(unit, scene.soldier(unit, target, self.via(unit, target), True))
        if not team or battle.left() < _LEAST or battle.chance() < need:
            self.recall(team)
            return False
        if self.way.stays and all(scene.state.nation[u] >= len(MAJORS) for u in foes):
            self.spare(battle, team)
        for unit in team:
            self.go(unit, target)
        for plane in wings:
            self.fly(plane, target)
        self.battles.append(battle)
        if battle.chance() >= BEATEN:
            self.beaten[target] = scene.foe(target)
        return True

    def spare(self, battle: Assault, team: list[int]) -> None:
        """Of all who would attack a minor out of one area the weakest is left for elsewhere, if the odds allow it."""
        place = self.scene.state.place
        for start in sorted({place[unit] for unit in team}):
            unit = min((u for u in team if place[u] == start), key=lambda u: (self.scene.power(u), u))
            fair = len(team) > 1 and battle.without(unit) >= max(battle.need, battle.chance() - _FOR_ONE)
            if fair and self.is_open(start, battle.target):
                team.remove(unit)
                self.recall([unit])
                battle.drop(unit)

    def reinforce(self, unit: int) -> None:
        """Join the attack in which it makes most difference, if any."""
        scene, found, state = self.scene, self.scene.found, self.scene.state
        best: tuple[float, Assault, Soldier] | None = None
        for battle in self.battles:
            target, before = battle.target, battle.chance()
            if before >= _CERTAIN:
                continue
            via = -1
            if found.is_air[unit]:
                if target not in flight(state, state.nation[unit], state.place[unit], air_range(state, unit)):
                    continue
            elif found.is_land[unit]:
                if not self.reach[unit].get(target):
                    continue
                via = self.via(unit, target)
            elif target not in found.coast[state.place[unit]]:
                continue
            soldier = scene.soldier(unit, target, via, True)
            gain = (win_chance([*battle.soldiers, soldier], battle.defenders) - before) * battle.worth
            if gain > (best[0] if best else _HELP):
                best = (gain, battle, soldier)
        if best is None:
            return
        _, battle, soldier = best
        if not found.is_land[unit]:
            self.fly(unit, battle.target)
        elif self.may_leave(unit, battle.target) and not self.opens(unit, battle.target):
            self.go(unit, battle.target)
        else:
            return
        battle.add(unit, soldier)

    # ---- attacks one by one
    def strike(self, target: int, units: list[int], worth: float) -> None:
        """Attack with the strongest until they are enough."""
        scene = self.scene
        foes = scene.enemies(target)
        pool = [u for u in units if u in self.free]
        if not pool:
            return
        if not foes:
            self.walk_in(target, pool, worth)
            return
        pool.sort(key=lambda u: (-scene.power(u), u))
        defenders = [scene.soldier(u, target, -1, False) for u in foes] + self.helpers(target)
        planes = self.wings(target)
        support = [scene.soldier(u, target, -1, True) for u in planes]
        able = [scene.soldier(u, target, self.via(u, target), True) for u in pool]
        need = self.way.bold if worth >= _RICH else self.way.sure
        if scene.chance([*able, *support], defenders) < need:  # all together are too few
            return
        team: list[int] = []
        soldiers: list[Soldier] = []
        for unit, soldier in zip(pool, able, strict=True):
            if not self.may_leave(unit, target):
                continue
            team.append(unit)
            self.send(unit)
            soldiers.append(soldier)
            if estimate([*soldiers, *support], defenders) >= self.way.enough:
                break
        if not team or scene.chance([*soldiers, *support], defenders) < need:
            self.recall(team)
            return
        for unit in team:
            self.go(unit, target)
        used = 0
        for number in range(len(planes)):
            if estimate([*soldiers, *support[:number]], defenders) >= self.way.enough:
                break
            used = number + 1
        for plane in planes[:used]:
            self.fly(plane, target)

    def helpers(self, target: int) -> list[Soldier]:
        """Enemy aircraft next door, which will come in reaction."""
        scene, found = self.scene, self.scene.found
        near = [u for s in found.land_next[target] for u in scene.enemies(s) if found.is_air[u]]
        return [scene.soldier(u, target, -1, False) for u in near]

    def wings(self, target: int) -> list[int]:
        """Own aircraft in range and Task Forces off the coast."""
        scene, found, state = self.scene, self.scene.found, self.scene.state
        out = [
            u for u in self.planes
            if target in flight(state, state.nation[u], state.place[u], air_range(state, u))
        ]  # fmt: skip
        out += [u for u in self.ships if target in found.coast[state.place[u]]]
        return sorted(out, key=lambda u: (-scene.power(u), u))

    def walk_in(self, target: int, pool: list[int], worth: float) -> bool:
        """Nobody is there: the weakest who can be spared goes."""
        scene = self.scene
        danger = scene.threat(target)
        for unit in sorted(pool, key=lambda u: (scene.power(u), u)):
            if danger > 3 * scene.power(unit) and worth < _RICH and danger > 1.5:
                continue
            if self.may_leave(unit, target) and not self.opens(unit, target):
                self.go(unit, target)
                battle = Assault(target, worth, [])
                battle.add(unit, scene.soldier(unit, target, -1, True))
                self.walks.append(battle)
                return True
        return False

    # ---- everybody else
    def march(self) -> None:
        """Units that do not attack go where they are needed most."""
        scene, state, found = self.scene, self.scene.state, self.scene.found
        self.wanted = [goal for goal in goals(scene) if goal.space not in self.settled]
        hold = {goal.space: goal for goal in self.wanted if goal.hold}
        if self.beaten:
            for held in hold.values():
                held.relieve(scene.threat(held.space) - self.danger(held.space))
        for unit in scene.mine:
            # a unit that cannot move or has gone is counted where it will be
            if found.is_land[unit] and unit not in self.free and unit not in self.gone and state.place[unit] in hold:
                hold[state.place[unit]].assigned += scene.power(unit)
        for taken in self.wanted:
            taken.assigned += self.arriving.get(taken.space, 0.0)
        tied: list[tuple[int, Goal]] = []
        for unit in sorted((u for u in self.free if not found.is_hq[u]), key=lambda u: (-scene.power(u), u)):
            goal = best_goal(self.wanted, state.place[unit])
            if goal is not None:
                goal.assigned += scene.power(unit)
                if not self.follow(unit, goal):
                    tied.append((unit, goal))
        for unit, goal in tied:  # others may have come in their place
            self.follow(unit, goal)

    def follow(self, unit: int, goal: Goal) -> bool:
        """March towards a goal, unless nothing is gained by it; False: the unit is needed where it stands."""
        to = self.towards(unit, goal)
        if to != self.scene.state.place[unit]:
            arrives = goal.hold and goal.space == to
            if (arrives or self.way.stays) and self.is_last(unit):
                return False
            if not (self.is_led(unit) if arrives else self.may_leave(unit, -1)):
                return False
            self.go(unit, to)
        return True

    def post(self) -> None:
        """Where everybody has left and one division would keep the enemy out, the weakest that can be spared goes."""
        scene, found = self.scene, self.scene.found
        open_to = [
            s for s in found.land
            if scene.friendly(s) and scene.vital(s) and scene.threat(s) > 0 and self.company(s) <= 0
            and not scene.contested(s)
        ]  # fmt: skip
        for area in sorted(open_to, key=lambda s: (-scene.produces(s), s)):
            able = [
                u for u in self.free
                if not found.is_hq[u] and area in self.reach[u] and not self.reach[u][area]
                and scene.threat(area) <= MANY * scene.power(u) and self.has_company(u) and self.is_led(u)
            ]  # fmt: skip
            if able:
                self.go(min(able, key=lambda u: (scene.power(u), u)), area)

    def towards(self, unit: int, goal: Goal) -> int:
        """The friendly area in reach that is nearest to the goal, but not alone into the enemy's arms."""
        scene = self.scene
        start = scene.state.place[unit]
        distance, threat = goal.roads[goal.space], scene.threat(start)
        best, rank = start, (distance[start], 0.0)
        for to, ways in self.reach[unit].items():
            steps = distance[to]
            if ways or steps > rank[0] or not scene.friendly(to) or scene.contested(to):
                continue
            company = self.company(to) + scene.power(unit)
            if not goal.hold and threat <= 0 and scene.threat(to) > 2.5 * company:
                continue
            key = (steps, -company)
            if key < rank:
                best, rank = to, key
        return best

    def lead(self) -> None:
        """HQs join the biggest crowd of infantry near them that does not stand in danger."""
        state, found = self.scene.state, self.scene.found
        for unit in [u for u in self.free if found.is_hq[u]]:
            places = [state.place[unit], *(to for to, ways in self.reach[unit].items() if not ways)]
            best = max(places, key=lambda s: (self.crowd(s), s == state.place[unit], -s))
            if best != state.place[unit] and self.crowd(best) > 0:
                self.go(unit, best)

    def crowd(self, space: int) -> float:
        scene = self.scene
        power = self.company(space)
        if power <= 0 or scene.contested(space) or not scene.friendly(space):
            return -1.0
        pull = self.pulls.get(space)
        if pull is None:
            pull = self.pulls[space] = 0.5 * pull_at(self.wanted, space)
        return power + pull - scene.threat(space) * 0.3

    def fly_on(self) -> None:
        """Aircraft move their bases up behind the front, under cover of troops, or to what they help to hold."""
        scene, state, found = self.scene, self.scene.state, self.scene.found
        if state.exploiting:
            return
        better: dict[tuple[int, int, int], int] = {}  # all aircraft of a base have the same choice
        for plane in self.planes:
            start = state.place[plane]
            key = (state.nation[plane], start, air_range(state, plane))
            if key not in better:
                places = [s for s in fly_targets(state, plane) if not found.is_sea[s] and scene.friendly(s)]
                best = max(places, key=lambda s: (self.base(s), -s), default=start)
                better[key] = best if self.base(best) > 1.25 * self.base(start) + 0.1 else start
            if better[key] != start:
                self.orders.append(Fly(found.unit_ids[plane], found.space_ids[better[key]]))

    def base(self, space: int) -> float:
        pull = self.lures.get(space)
        if pull is None:
            pull = 0.0
            defends, distance = self.way.defends, self.wanted[0].roads[space] if self.wanted else []
            for goal in self.wanted:
                if goal.weight <= pull:
                    break
                if goal.hold == defends and (lure := goal.weight * _LURES[distance[goal.space]]) > pull:
                    pull = lure
            self.lures[space] = pull
        cover, danger = self.company(space), self.scene.threat(space)
        if danger <= 0 or cover > 0.8 * danger:
            return pull
        return pull * (_STAND if self.way.defends else _EXPOSED)
