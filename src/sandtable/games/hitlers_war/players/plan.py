"""Planning a turn: what to hold, where to attack and with what, and so where every point should be.

A plan depends on who holds what and on how many points each theatre has, not on where the points stand in it:
within a movement phase it comes out the same at every step, and a player that has forgotten it finds it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.players.guard import guarded

from ..facts.seaways import blockade
from ..facts.territory import held, held_by, territory
from ..model.atlas import AIR, ALLIES, AMPH, ARMIES, ATLAS, AXIS, INF, MECH, NOBODY, PARA, STACK
from ..model.places import BERLIN, GERMANY, SIBERIA
from ..model.state import armies_in
from ..rules.sealift import ATLANTIC
from ..rules.supply import cut_off
from .chances import advance, breach, mean_loss
from .doctrine import Doctrine, Plan, Post
from .scene import Scene

_REACH = 6
"""How many hexes ahead a spearhead is planned."""


_DEFENDS = 0.5
"""The share held back from which a side defends."""
_BOATS, _PARTIES = 5, 3
"""Amphibious points of a full landing party, and the parties of a landing that is made against any reserve."""
_SHORT_STAY = 0.3
"""How much of its gain a landing loses that is sure to be thrown back."""
_BOUND = 0.7
"""Enemy points that one point of a partner binds."""
_DECISIVE = 12.0
"""The worth of a place from which it is held with more than a few points."""
_WATCH = 4
"""Points that a decisive place keeps even where nothing is left to hold it with: tanks do not simply drive in."""
_RICH = 3
"""Production from which a place keeps a watch."""
_RISK = 0.35
"""The chance to fall at which a decisive place gets every point that fits."""


def make_guarded(scene: Scene, doctrine: Doctrine) -> Plan:
    """A plan after which the enemy's best blow at each decisive place has been looked at.

    Who keeps most of the army back anyway needs no such look: it would only be spread thinner.
    """
    if doctrine.reserve >= _DEFENDS:
        return Planner(scene, doctrine).make()
    return guarded(lambda hold: Planner(scene, doctrine, hold).make(), lambda plan, _: in_danger(scene, plan))


def make(scene: Scene, doctrine: Doctrine) -> Plan:
    """The plan of a doctrine, guarded where it says so."""
    return make_guarded(scene, doctrine) if doctrine.wary else Planner(scene, doctrine).make()


def in_danger(scene: Scene, plan: Plan) -> dict[int, int]:
    """Decisive places that would fall to the enemy's best blow, with the points that fit there.

    Distance does not matter within a theatre: every neighbour that the enemy owns can hold ten points that fire, and
    one of them ten tanks that drive.
    """
    found = {}
    for space in strongholds(scene):
        sides = sum(scene.owner[y] < NOBODY and scene.prey[y] for y in ATLAS.step[space])
        held = scene.fixed[space] + sum(sum(p.want) - p.want[AIR] for p in plan.posts if p.at == space and p.aim < 0)
        fires = tuple((STACK, 0) for _ in range(min(sides, scene.foe_total // STACK)))
        fort = scene.s.fort.get(space, 0)
        if held < STACK and fires and breach(min(STACK, scene.foe_mech), held, fires, 0, fort) >= _RISK:
            found[space] = STACK - scene.fixed[space]
    return found


def strongholds(scene: Scene) -> list[int]:
    """The own places that must be held, the most precious first."""
    found = [x for x in ATLAS.land if scene.owner[x] == scene.side and scene.worth[x] >= 15 and scene.danger[x] <= 5]
    return sorted(found, key=lambda x: (-scene.worth[x], x))


def keeps_watch(scene: Scene, doctrine: Doctrine, army: int) -> bool:
    """Whether an army is all that holds a place that keeps a watch."""
    at = scene.s.army_at[army]
    return doctrine.watch > 0 and ATLAS.production[at] >= _RICH and len(armies_in(scene.s, at)) == 1


def watch_of(scene: Scene, watch: int, space: int) -> int:
    """Points that stay in a place whatever else is planned: tanks that break through come from far.

    Partisans rise anywhere, but not where an army stands.
    """
    if scene.danger[space] > _REACH + watch:
        rises = scene.s.setting.technology and scene.side == AXIS and ATLAS.country_of[space] != GERMANY
        return 1 if watch and rises and ATLAS.production[space] >= _RICH else 0
    return 2 * watch if scene.worth[space] >= _DECISIVE else watch if ATLAS.production[space] >= _RICH else 0


class Planner:
    """Makes one plan."""

    def __init__(self, scene: Scene, doctrine: Doctrine, hold: Mapping[int, int] | None = None) -> None:
        """`hold`: points that must stand in a place before anything else is planned."""
        self.scene, self.doctrine, self.hold = scene, doctrine, hold or {}
        self.worth = scene.ringed(doctrine.ring) if doctrine.ring else scene.worth
        focus = doctrine.focus or doctrine.ring
        self.pull = scene.field(dict(doctrine.focus), self.worth) if focus else scene.pull
        self.load: dict[int, int] = {}
        self.watched: dict[int, int] = {}
        """Place -> points that watch it."""
        self.posts: list[Post] = []
        self.claimed: set[int] = set()
        self.breached: dict[int, float] = {}
        self.left = ARMIES - len(scene.held)
        """Army counters still free."""
        self.score = 0.0

    def make(self) -> Plan:
        scene = self.scene
        theatre = scene.theatre
        pools: dict[int, list[int]] = {}
        for army in scene.free:
            pool = pools.setdefault(theatre[scene.s.army_at[army]], [0] * 5)
            for kind in range(5):
                pool[kind] += scene.s.strength[army * 5 + kind]
        ordered = sorted(pools, key=lambda label: (-sum(pools[label]), label))
        waiting = len(ordered)
        for label in ordered:
            waiting -= 1
            places = [x for x in ATLAS.land if theatre[x] == label]
            before = len(self.posts)
            allowed = max(1, self.left - waiting)
            self.fill(places, pools[label], allowed)
            self.left -= len(self.posts) - before
        return Plan(self.posts, self.doctrine, self.score, self.pull)

    # ---- one theatre
    def fill(self, places: list[int], stock: list[int], allowed: int) -> None:
        if not places or not sum(stock):
            return
        first = len(self.posts)
        own = set(places)
        self.storm(own, stock, first + allowed)
        self.watch(places, stock, first + allowed)
        self.sally(own, stock, first + allowed)
        self.garrison(places, stock, first + allowed)
        if self.scene.s.setting.sea and stock[AMPH] >= 2:
            self.invade(places, stock, first + allowed)
        self.strike(own, stock, first + allowed)
        self.settle(places, stock, first, first + allowed)

    def room(self, space: int) -> int:
        if space == SIBERIA and self.scene.s.turn < ATLAS.turn("siberian_army"):
            return 0  # who goes there stays there
        if ATLAS.is_box[space] and space != SIBERIA:
            return 99
        return STACK - self.scene.fixed[space] - self.load.get(space, 0)

    def put(self, space: int, want: list[int], stock: list[int], **more: Any) -> Post:
        """Take points out of the stock and give them a place; holders of one hex share an army."""
        for kind in range(5):
            stock[kind] -= want[kind]
        self.load[space] = self.load.get(space, 0) + want[INF] + want[MECH] + want[PARA] + want[AMPH]
        if not more:
            for post in self.posts:
                if post.at == space and post.aim < 0 and not (want[PARA] and post.want[AMPH]):
                    for kind in range(5):
                        post.want[kind] += want[kind]
                    return post
        post = Post(space, want, **more)
        self.posts.append(post)
        return post

    def needs(self, places: list[int]) -> list[tuple[float, int, int]]:
        """(priority, space, points) of what should be held."""
        scene = self.scene
        if not scene.foe_total:  # at peace somebody may still drive into an empty city
            cities = [x for x in places if self.worth[x] >= _DECISIVE and not ATLAS.is_box[x]]
            return [(self.worth[x], x, _WATCH - scene.fixed[x]) for x in cities]
        found = []
        guard, minor, watch = dict(self.doctrine.guard), self.doctrine.minor, self.doctrine.watch
        far = _REACH + watch
        for space in places:
            worth, near = self.worth[space], scene.danger[space]
            if worth < 3:
                continue
            if near > (5 if worth < _DECISIVE else far):
                want = watch_of(scene, watch, space)
            elif worth >= _DECISIVE:
                want = STACK if near <= 3 or space == BERLIN else 6 if near <= _REACH else _WATCH
                want = round(want * min(1.0, guard.get(space, 1.0)))
                if space == SIBERIA and self.doctrine.ring:
                    want = _WATCH if near <= 2 else 0
            else:
                want = round(minor * (min(5, 1 + int(worth / 2)) if near == 1 else 2)) if near <= 2 else 0
                want = max(want, watch_of(scene, watch, space))
            want = min(want, max(2, scene.foe_total // 2)) - scene.fixed[space]
            if want > 0:
                found.append((worth * (1.15 - 0.15 * near) * guard.get(space, 1.0), space, want))
        return sorted(found, key=lambda row: (-row[0], row[1]))

    def watch(self, places: list[int], stock: list[int], most: int) -> None:
        """A few points for each place that matters, before any of them gets more: also landing craft where nobody
        else is there."""
        if not self.doctrine.watch or not self.scene.foe_total:
            return
        for _, space, want in self.needs(places):
            if len(self.posts) < most:
                number = min(want, watch_of(self.scene, self.doctrine.watch, space))
                self.watched[space] = self.man(space, number, stock, craft=True)

    def garrison(self, places: list[int], stock: list[int], most: int) -> None:
        """Hold what must be held, with foot first."""
        watching = sum(self.watched.get(space, 0) for space in places)
        budget = int(self.doctrine.reserve * (sum(stock[k] for k in (INF, MECH, PARA)) + watching) + 0.5) - watching
        firm = [(99.0, space, self.hold[space]) for space in sorted(self.hold) if space in places]
        for _, space, want in (*firm, *(row for row in self.needs(places) if row[1] not in self.hold)):
            have = self.watched.get(space, 0)
            least = self.hold.get(space, _WATCH if self.worth[space] >= _DECISIVE else 0)
            number = min(want - have, max(budget, least - have))
            if number > 0 and len(self.posts) < most:
                budget -= self.man(space, number, stock)

    def man(self, space: int, number: int, stock: list[int], *, craft: bool = False) -> int:
        """Put so many points into a place, foot first; returns how many it has got."""
        number = min(number, self.room(space))
        foot = min(number, stock[INF])
        drop = min(number - foot, stock[PARA])
        tanks = min(number - foot - drop, stock[MECH])
        boats = min(number - foot - tanks, stock[AMPH]) if craft and not drop else 0
        if foot + drop + tanks + boats <= 0:
            return 0
        self.put(space, [foot, tanks, 0, drop, boats], stock)
        return foot + drop + tanks + boats

    # ---- attacks over land
    def storm(self, own: set[int], stock: list[int], most: int) -> None:
        """The attack that ends the war comes before any garrison: what is held no longer matters when it succeeds."""
        scene = self.scene
        if (target := scene.prize) < 0 or not scene.prey[target]:
            return
        sites = [space for space in ATLAS.step[target] if space in own]
        offer = self.consider(target, sites, stock, most - len(self.posts)) if sites else None
        if offer is not None:
            self.score += offer[0]
            self.commit(offer[1], stock)

    def sally(self, own: set[int], stock: list[int], most: int) -> None:
        """Tanks take back what lies beside a threatened city before it is manned: from there it would be shot at."""
        scene, sally = self.scene, self.doctrine.sally
        beside = {y for x in scene.standing if scene.owner[x] == scene.side for y in ATLAS.step[x]}
        lost = [x for x in sorted(beside) if x not in own and scene.prey[x]]
        sites = {x: [y for y in ATLAS.step[x] if y in own] for x in lost}
        while sites and stock[MECH] >= 3 and sally and len(self.posts) < most:
            some = [min(2, stock[INF]), min(sally, stock[MECH]), 0, 0, 0]
            offers = [self.consider(target, near, some, 1) for target, near in sites.items() if near]
            best = max((offer for offer in offers if offer), key=lambda offer: offer[0], default=None)
            if best is None:
                return
            self.score += best[0]
            self.commit(best[1], stock)
            sites = {x: near for x, near in sites.items() if x not in self.claimed}

    def strike(self, own: set[int], stock: list[int], most: int) -> None:
        scene, doctrine = self.scene, self.doctrine
        sites: dict[int, list[int]] = {}
        for space in own:
            for there in scene.links[space]:
                if there not in own and scene.is_prey(there) and not self.hopeless(there):
                    sites.setdefault(there, []).append(space)
        for _ in range(doctrine.columns):
            if stock[MECH] + 2 * stock[PARA] < 3 or len(self.posts) >= most:
                break
            best: tuple[float, Any] | None = None
            for target in sorted(sites):
                offer = self.consider(target, sites[target], stock, most - len(self.posts))
                if offer is not None and (best is None or offer[0] > best[0]):
                    best = offer
            if best is None:
                break
            self.score += best[0]
            self.commit(best[1], stock)
        self.pound(sites, stock, most)

    def hopeless(self, target: int) -> bool:
        """An unaligned country is attacked only where its capital can fall in the same turn."""
        scene = self.scene
        if scene.owner[target] != NOBODY:
            return False
        country = ATLAS.countries[ATLAS.group_of[target]]
        if not country.capitals or country.name == ATLAS.rules["inclined"]["stays_out"]:
            return False
        return not any(c == target or c in scene.links[target] for c in country.capitals)

    def consider(
        self, target: int, around: list[int], stock: list[int], counters: int
    ) -> tuple[float, tuple[int, list[tuple[int, list[int]]], float, list[int]]] | None:
        """The best attack on a target with what is in stock: (score, (target, [(site, points)], chance, run))."""
        scene, doctrine = self.scene, self.doctrine
        open_sites = sorted((x for x in around if self.room(x) >= 3), key=lambda x: (-self.room(x), x))
        if not open_sites:
            return None
        site = open_sites[0]
        room = self.room(site)
        wide = self.worth[target] >= 15
        punch = STACK if wide and scene.s.fort.get(target, 0) else doctrine.punch
        tanks = min(punch, stock[MECH], room)
        drops = min(stock[PARA], room - tanks) if tanks < punch else 0
        foot = min(stock[INF], room - tanks - drops, max(2, STACK - punch))
        strength = min(STACK, tanks + 2 * drops)
        if strength < 3:
            return None
        added = scene.added(site)
        hill = 2 if ATLAS.mountain[target] else 0
        parts: list[tuple[int, list[int]]] = [(site, [foot, tanks, 0, drops, 0])]
        if target in self.breached:
            chance = self.breached[target] * advance(strength, 0, added)
        else:
            held, fort = scene.held_by(target), scene.s.fort.get(target, 0)
            air = min(stock[AIR], 4)
            fires = [(foot + drops + air + (0 if hill else tanks), added)]
            chance = breach(strength, held, tuple(fires), added + hill, fort)
            left = stock[INF] - foot
            spare = stock[MECH] - tanks if wide else 0
            for other in open_sites[1:]:
                if chance >= doctrine.mass or left + spare < 2 or len(parts) >= counters:
                    break
                number = min(self.room(other), left)
                more = min(self.room(other) - number, spare)
                if number + more < 2:
                    continue
                fires.append((number + more, scene.added(other)))
                better = breach(strength, held, tuple(fires), added + hill, fort)
                if better - chance < 0.03 and not wide:
                    fires.pop()
                    continue
                chance = better
                parts.append((other, [number, more, 0, 0, 0]))
                left -= number
                spare -= more
        if chance < (doctrine.bold if target != BERLIN or scene.seasons_left else 0.02):
            return None
        gain, run = self.run(target, strength, added)
        if target in self.breached:
            gain -= self.worth[target]
        else:
            gain += 0.6 * mean_loss(min(STACK, foot + tanks)) * 2 * (scene.ground[target] > 0)
            if scene.ground[target] and not self.can_retreat(target):
                gain += 1.6 * scene.ground[target]
        if doctrine.cut:
            gain += doctrine.cut * self.isolated([target, *run])
        risk = mean_loss(scene.ground[target]) if scene.ground[target] and target not in self.breached else 0.0
        committed = sum(sum(points) for _, points in parts[1:])
        score = chance * gain - 2.0 * risk - 0.08 * committed
        if score <= 0.4:
            return None
        return score, (target, parts, chance, run)

    def run(self, start: int, strength: int, added: int) -> tuple[float, list[int]]:
        """What a spearhead can expect to take from a hex onward, and the hexes on its way."""
        scene, pull, draw = self.scene, self.pull, self.doctrine.draw
        total, chance, here, tired = self.worth[start], 1.0, start, 1
        path: list[int] = []
        for _ in range(_REACH):
            best, where, odds = 0.0, -1, 0.0
            for there in scene.links[here]:
                if there in self.claimed or there == start or there in path or not scene.is_prey(there):
                    continue
                hill = 2 if ATLAS.mountain[there] else 0
                p = advance(strength, scene.held_by(there), added + tired + hill)
                value = p * (self.worth[there] + draw * pull[there])
                if value > best:
                    best, where, odds = value, there, p
            if where < 0 or odds < self.doctrine.press:
                break
            chance *= odds
            total += chance * self.worth[where]
            path.append(where)
            here, tired = where, tired + 1
        return total + draw * chance * pull[here], path

    def can_retreat(self, target: int) -> bool:
        scene = self.scene
        holder = scene.owner[target]
        return any(scene.owner[y] == holder and y not in self.breached for y in ATLAS.step[target])

    def isolated(self, taken: list[int]) -> float:
        """Enemy points that would be out of supply if these hexes, and those already claimed, changed hands."""
        scene = self.scene
        owner = bytearray(scene.owner)
        losers = set()
        for space in (*taken, *self.claimed):
            if owner[space] < NOBODY:
                losers.add(owner[space])
            owner[space] = scene.side
        total = 0.0
        for foe in sorted(losers - {scene.side}):
            before = set(cut_off(scene.s, foe, territory(scene.s, foe)))
            for space in cut_off(scene.s, foe, held(held_by(foe, owner))):
                if space not in before and not ATLAS.is_box[space]:
                    total += scene.ground[space] * 2 + 0.3
        return total

    def commit(self, choice: tuple[int, list[tuple[int, list[int]]], float, list[int]], stock: list[int]) -> None:
        target, parts, chance, run = choice
        for number, (site, points) in enumerate(parts):
            if not number:
                points[AIR] = min(stock[AIR], 4)
            self.put(site, points, stock, aim=target, lead=not number)
        self.breached.setdefault(target, chance)
        self.claimed.add(target)
        self.claimed.update(run[:2])

    def pound(self, sites: dict[int, list[int]], stock: list[int], most: int) -> None:
        """Spare foot next to a strong enemy stack shoots at it where it will be shot at less."""
        scene = self.scene
        if stock[INF] < 6:
            return
        ranked = sorted((t for t in sites if scene.ground[t] >= 4), key=lambda t: (-self.pull[t], t))
        for target in ranked[:2]:
            for site in sorted(sites[target], key=lambda x: (-self.room(x), x)):
                number = min(self.room(site), stock[INF])
                if number >= 6 and len(self.posts) < most:
                    self.put(site, [number, 0, 0, 0, 0], stock, aim=target)

    # ---- attacks over the sea
    def invade(self, places: list[int], stock: list[int], most: int) -> None:
        """Land where few points defend much."""
        scene, s, side = self.scene, self.scene.s, self.scene.side
        starts = [x for x in places if ATLAS.waters_of[x] and not ATLAS.is_box[x]]
        mine, barred = territory(s, side), blockade(s, side)
        reach = {x: mine.landings(x, barred) for x in starts}
        shores = sorted({t for spaces in reach.values() for t in spaces if scene.is_prey(t) and not ATLAS.is_box[t]})
        parties = max(1, min(_PARTIES, stock[AMPH] // _BOATS))
        in_force = parties == _PARTIES and stock[INF] + stock[MECH] >= _PARTIES * _BOATS + STACK
        for _ in range(parties):
            boats = min(_BOATS, stock[AMPH])
            if boats < 2 or len(self.posts) >= most:
                return
            best: tuple[float, int, int, list[int], float, list[int]] | None = None
            for target in shores:
                if target in self.claimed or self.hopeless(target):
                    continue
                fit = [x for x in starts if target in reach[x] and self.room(x) >= 2 * boats]
                if not fit:
                    continue
                site = min(fit, key=lambda x: (ATLAS.distance(x, target), x))
                tanks = min(boats, stock[MECH])
                foot = min(boats - tanks, stock[INF])
                held = scene.held_by(target)
                lost = mean_loss(scene.ground[target]) if scene.ground[target] else 0.0
                near = any(scene.owner[y] == side for y in ATLAS.around[target])
                if not near and scene.owner[target] != NOBODY:
                    lost += mean_loss(6)
                strength = max(0, boats + tanks + foot - round(lost))
                fires = [(max(0, boats - round(lost / 2)), 0)]
                atlantic = any(ATLAS.waters[w][1] == ATLANTIC for w in ATLAS.waters_of[target])
                if side == ALLIES and atlantic and not s.setting.technology:
                    fires.append((6, 0))
                hill = 2 if ATLAS.mountain[target] else 0
                chance = breach(strength, held, tuple(fires), hill, s.fort.get(target, 0))
                if chance < max(0.6, self.doctrine.bold):
                    continue
                gain, run = self.run(target, min(tanks, 8), 0)
                back = self.thrown_back(target, strength, parties)
                if back > 0.5 and not in_force:
                    continue
                score = chance * gain * (1 - _SHORT_STAY * back) - 3 * lost - (1 - chance) * 6
                if score > 1.5 and (best is None or score > best[0]):
                    best = (score, site, target, [foot, tanks, 0, 0, boats], chance, run)
            if best is None:
                return
            score, site, target, points, chance, run = best
            self.score += score
            points[AIR] = min(stock[AIR], 3)
            self.put(site, points, stock, aim=target, lands=True, lead=True)
            self.breached[target] = chance
            self.claimed.add(target)
            self.claimed.update(run[:1])

    def thrown_back(self, beach: int, landed: int, parties: int) -> float:
        """The chance that a landing is lost in the enemy's next turn.

        Every point that a partner does not bind may stand beside the beaches by then.
        """
        scene = self.scene
        sides = sum(scene.prey[y] and scene.owner[y] < NOBODY and y not in self.claimed for y in ATLAS.step[beach])
        free = scene.foe_total - _BOUND * scene.partner
        fires = min(sides, int(free / STACK / parties + 0.5))
        return breach(min(STACK, scene.foe_mech), min(STACK, landed), ((STACK, 0),) * fires) if fires > 0 else 0.0

    # ---- whatever is left
    def settle(self, places: list[int], stock: list[int], first: int, most: int) -> None:
        """Everything else goes behind the attacks, to the threatened front, or home."""
        ranked = sorted(
            (x for x in places if self.room(x) > 0),
            key=lambda x: (-self.appeal(x), x),
        )
        taken = {post.at for post in self.posts[first:]}
        for space in (*(x for x in ranked if x in taken), *(x for x in ranked if x not in taken)):
            ground = stock[INF] + stock[MECH] + stock[PARA] + stock[AMPH]
            if not ground:
                break
            holder = any(p.at == space and p.aim < 0 for p in self.posts)
            if not holder and len(self.posts) >= most:
                continue
            boat = min(stock[AMPH], self.room(space)) if not stock[PARA] else 0
            foot = min(stock[INF], self.room(space) - boat)
            tanks = min(stock[MECH], self.room(space) - boat - foot)
            drop = min(stock[PARA], self.room(space) - foot - tanks) if not boat else 0
            if boat + foot + tanks + drop:
                self.put(space, [foot, tanks, 0, drop, boat], stock)
        if stock[AIR]:
            leads = [p for p in self.posts[first:] if p.lead] or self.posts[first:]
            for number in range(stock[AIR] if leads else 0):
                leads[number % len(leads)].want[AIR] += 1
                stock[AIR] -= 1

    def appeal(self, space: int) -> float:
        """How good a place is for troops without a task."""
        scene = self.scene
        if space == SIBERIA and self.doctrine.ring:
            return 0.0
        near = scene.danger[space]
        front = {1: 3.0, 2: 2.0, 3: 1.0}.get(near, 0.0)
        need = self.worth[space] * (0.3 if near <= 4 else 0.05)
        return front + need + 0.15 * self.pull[space]
