"""Proofs of the two set-ups of World War II in Europe: stacks, bases, convoys, supply, income, pact and transfer."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection
from itertools import pairwise
from typing import Any

from tests.atlas.faults import Check, Proof
from tests.games.ww2_europe.model import atlas_facts as facts
from tests.games.ww2_europe.model.atlas_board import Board

Stack = tuple[str, str]


def stacks(board: Board, check: Check) -> None:
    """Units stand in friendly spaces of the right kind, within the limits of ground, bases and ports."""
    for scenario, record in board.setups.items():
        control = record["control"]
        check(set(control) == set(board.land), f"{scenario}: control of every land space")
        for space, owner in control.items():
            check(owner in (*facts.POWERS, "neutral", "vichy_france"), f"{scenario}: {space} belongs to {owner}")
            check(board.spaces[space]["control"][scenario] == owner, f"{scenario}: {space} and the set-up differ")
        for power, spaces in record["control_markers"].items():
            for space in spaces:
                check(control[space] == power, f"{scenario}: the marker of {power} in {space} and its owner differ")
        ground: Counter[Stack] = Counter()
        air: Counter[Stack] = Counter()
        naval: Counter[Stack] = Counter()
        for power, space, units in board.stacks(scenario):
            name = f"{scenario}: {power} in {space}"
            land = board.spaces[space]["port_of"] or space
            check(board.is_friendly(power, control[land], scenario), f"{name}, which belongs to {control[land]}")
            wing = units.get("carrier_air_wing", {})
            check(sum(wing.values()) <= 2 * units.get("carrier", 0), f"{name}: the carriers hold {wing}")
            check(set(wing) <= {"fighter", "tac_bomber"}, f"{name}: the carriers hold {wing}")
            for unit in units:
                if unit != "carrier_air_wing":
                    fits = (unit in board.naval) == (board.spaces[space]["kind"] == "port")
                    check(unit in board.units and fits, f"{name}: a {unit} cannot stand there")
            key = (board.group(power, scenario), space)
            ground[key] += board.stack_points(units, board.ground)
            air[key] += board.stack_points(units, board.air)
            naval[key] += board.stack_points(units, board.naval)
        bases = _bases(board, scenario)
        for (group, space), points in ground.items():
            roomy = points <= board.rules["stack_limits"]["ground"] or board.spaces[space]["blue_border"]
            check(roomy, f"{scenario}: {points} ground points of {group} in {space}, line 290")
        for (group, space), points in air.items():
            room = _air_room(board, scenario, space) + 10 * (bases[space]["fortress"] + bases[space]["airbase"])
            fits = points <= room or board.spaces[space]["blue_border"]
            check(fits, f"{scenario}: {points} air points of {group} in {space} with room for {room}, line 400")
        for (group, space), points in naval.items():
            land = board.spaces[space]["port_of"]
            if land and control[land] != board.spaces[land]["homeland"] and not board.spaces[land]["blue_border"]:
                room = 10 + 10 * bases[land]["fortress"]
                check(points <= room, f"{scenario}: {points} naval points of {group} in {space}, line 300")


def _bases(board: Board, scenario: str) -> dict[str, Counter[str]]:
    bases: dict[str, Counter[str]] = defaultdict(Counter)
    for _, space, units in board.stacks(scenario):
        for unit in ("fortress", "airbase"):
            bases[space][unit] += units.get(unit, 0)
    return bases


def _air_room(board: Board, scenario: str, space: str) -> int:
    """Air points that a space bases by itself; a flag taken from its owner bases nothing."""
    v, record = board.spaces[space], board.setups[scenario]
    if v["kind"] != "land":
        return 0
    owner = record["control"][space]
    if v["flag"] == "major" and owner == v["homeland"]:
        return 20
    kept = (
        v["country"] in record["minor_allies"]
        or owner in ("neutral", "vichy_france")
        or v["control"]["fall-1939"] == owner
    )
    return 10 if v["feature"] == "factory" or (v["flag"] == "minor" and kept) else 0


def forces(board: Board, check: Check) -> None:
    """Every power in play has units, money, points and boxes within its limits; transfers and minors are legal."""
    for scenario, record in board.setups.items():
        playing = [p for p in facts.POWERS if p not in record["at_war"].get("out_of_play", [])]
        check(set(record["units"]) == set(playing), f"{scenario}: units of {sorted(record['units'])}")
        count: dict[str, Counter[str]] = defaultdict(Counter)
        for power, _, units in board.stacks(scenario):
            count[power].update({u: n for u, n in units.items() if isinstance(n, int)})
        for power in playing:
            limits, name = board.powers[power]["limits"], f"{scenario}: {power}"
            check(record["money"][power] == board.powers[power]["starting_money"][scenario], f"{name}: starting money")
            check(record["rps"][power] == board.powers[power]["starting_rps"][scenario] <= 10, f"{name}: starting RPs")
            check(count[power]["airborne"] <= 1, f"{name} has {count[power]['airborne']} airborne units, line 363")
            for unit in ("fortress", "airbase"):
                check(count[power][unit] <= limits[unit], f"{name} has {count[power][unit]} times {unit}")
            for space, units in record["units"][power].items():
                check(
                    "fortress" not in units or space in limits["fortress_sites"], f"{name}: no fortress site in {space}"
                )
            for box, units in record["build_boxes"][power].items():
                for unit in units:
                    check(int(box) <= board.units[unit]["build_time"], f"{name}: {unit} in build box {box}")
        for minor, ally in record["minor_ally_units"].items():
            check(
                record["minor_allies"].get(minor) == ally["power"],
                f"{scenario}: {minor} is the ally of {ally['power']}",
            )
        transfer = board.atlas["pacific_transfer"][0]
        marked: Counter[str] = Counter()
        for space, units in transfer["marked_at_setup"][scenario].items():
            marked.update(units)
            for unit, number in units.items():
                there = record["units"]["great_britain"].get(space, {}).get(unit, 0)
                check(there >= number, f"{scenario}: Pacific Transfer of {unit} from {space}, line 1766")
        check(dict(marked) == transfer["units"], f"{scenario}: the Pacific Transfer takes {dict(marked)}, line 1766")
    for minor, v in board.minors.items():
        own = {*v["spaces"], *(s for c in v.get("colonies_attacked_separately", {}).values() for s in c)}
        for space, units in v["neutral_forces"].items():
            place = board.spaces[space]
            base = place["kind"] == "land" and (place["feature"] == "factory" or place["flag"] == "minor")
            check((place["port_of"] or space) in own, f"{minor} sets up abroad in {space}")
            check(board.stack_points(units, board.ground) <= 10, f"{minor}: too many ground points in {space}")
            check(board.stack_points(units, board.air) <= (10 if base else 0), f"{minor}: too many planes in {space}")
            afloat = {u in board.naval for u in units}
            check(afloat <= {place["kind"] == "port"}, f"{minor}: ships lie in ports, others on land: {space}")


def convoys(board: Board, check: Check) -> None:
    """Convoys run from friendly port to friendly port, each leg within ten points against the enemy at the start."""
    for scenario, record in board.setups.items():
        control, war = record["control"], record["at_war"]
        for convoy in record["convoys"]:
            name, power = f"{scenario}: convoy {convoy['name']}", convoy["power"]
            group = board.group(power, scenario)
            enemy = war.get({"axis": "allies", "allies": "axis"}.get(group, ""), [])
            threat = board.sea_control_of(scenario, enemy)
            check(convoy["transports"] >= 1, f"{name} has no transport")
            leg = 0
            for a, b in pairwise(convoy["route"]):
                link = board.near[a].get(b)
                check(link and link["kind"] == "sea", f"{name} cannot sail from {a} to {b}")
                if not link:
                    continue
                shut = [g for g in link.get("gate", []) if control[g] in enemy]
                check(not shut, f"{name}: {shut} shut the way from {a} to {b}")
                leg += board.step_cost(a, b, threat)
                if board.spaces[b]["kind"] == "port":
                    check(leg <= 10, f"{name} pays {leg} to {b}, line 631")
                    leg = 0
            ends = {convoy["route"][0], convoy["route"][-1]}
            check(ends <= set(convoy["ports"]) <= set(convoy["route"]), f"{name}: its ports lie on its route")
            for port in convoy["ports"]:
                owner = control[board.spaces[port]["port_of"]]
                check(board.is_friendly(power, owner, scenario), f"{name} calls at {port}, which belongs to {owner}")


class Tracing:
    """Land regions of one group and the convoys that join them."""

    def __init__(self, board: Board, scenario: str, members: Collection[str]) -> None:
        self.board, self.record = board, board.setups[scenario]
        self.own = {s for s in board.land if self.record["control"][s] in members}
        self.region = {s: i for i, part in enumerate(board.parts(self.own, "land")) for s in part}
        self.convoys = []
        for i, convoy in enumerate(self.record["convoys"]):
            if convoy["power"] in members:
                joined = {self.region.get(board.spaces[p]["port_of"]) for p in convoy["ports"]} - {None}
                self.convoys.append((i, joined))

    def way(self, start: str, goals: Collection[str]) -> list[int] | None:
        """Convoys from a space to the region of a goal: none where land joins them, None where nothing does."""
        ends = {self.region[g] for g in goals if g in self.region}
        first = self.region[start]
        seen: set[int | None] = {first}
        queue: deque[tuple[int | None, list[int]]] = deque([(first, [])])
        while queue:
            here, used = queue.popleft()
            if here in ends:
                return used
            for i, joined in self.convoys:
                if here in joined:
                    for there in joined - seen:
                        seen.add(there)
                        queue.append((there, [*used, i]))
        return None


def incomes(board: Board, scenario: str) -> tuple[Counter[str], Counter[int], list[Stack]]:
    """What each power collects, what each convoy carries, and the stacks that start cut off."""
    record = board.setups[scenario]
    war = record["at_war"]
    income: Counter[str] = Counter()
    load: Counter[int] = Counter()
    cut_off: list[Stack] = []
    bases = _bases(board, scenario)
    for group in ["axis", "allies", *war["neutral_majors"]]:
        members = war.get(group, [group])
        tracing = Tracing(board, scenario, members)
        for power in members:
            homeland = board.powers[power]["homeland"]
            homes = [s for s in homeland if board.spaces[s]["feature"] == "factory" and s in tracing.own]
            for space in tracing.own:
                value = board.spaces[space]["value"]
                way = tracing.way(space, homes) if value and record["control"][space] == power else None
                if way is not None:
                    income[power] += value
                    load.update(dict.fromkeys(way, value))
        capitals = [board.powers[p]["capital"] for p in members]
        capitals = [s for s in capitals if record["control"][s] in members]
        _supply(board, record, tracing, capitals, [
            (power, space, units) for power, space, units in board.stacks(scenario)
            if board.group(power, scenario) == group and board.spaces[space]["kind"] == "land"
            and not bases[space]["fortress"]
        ], load, cut_off)  # fmt: skip
    return income, load, cut_off


def _supply(
    board: Board,
    record: dict[str, Any],
    tracing: Tracing,
    capitals: list[str],
    troops: list[tuple[str, str, Any]],
    load: Counter[int],
    cut_off: list[Stack],
) -> None:
    fed: Counter[str] = Counter()
    for power, space, units in troops:
        points = board.stack_points(units, board.ground)
        way = tracing.way(space, capitals) if points else []
        if way == []:
            continue
        v = board.spaces[space]
        flag = board.minors.get(v["country"], {}).get("capital")
        colony = v["colour"].startswith("blue (lighter)") and record["control"][space] == "france"
        near = flag and tracing.region.get(flag) == tracing.region[space]
        if near and (v["country"] in record["minor_allies"] or colony) and fed[flag] + points <= 10:
            fed[flag] += points
        elif way is None:
            cut_off.append((power, space))
        else:
            load.update(dict.fromkeys(way, points))


def supply_and_income(board: Board, check: Check) -> None:
    """Nobody starts cut off, no convoy is overloaded, and the traced money is what the power sheets say."""
    for scenario, record in board.setups.items():
        income, load, cut_off = incomes(board, scenario)
        check(not cut_off, f"{scenario}: {cut_off} start Cut Off, line 1621")
        for i, points in load.items():
            convoy = record["convoys"][i]
            check(
                points <= 10 * convoy["transports"], f"{scenario}: convoy {convoy['name']} carries {points}, line 666"
            )
        for power in record["units"]:
            sheet = board.powers[power]["income"][scenario]
            check(income[power] == sheet, f"{scenario}: {power} collects {income[power]}, its sheet says {sheet}")
        pacific = board.rules["usa_pacific"]["amount"]
        if scenario == "fall-1939":
            for power, share in facts.INCOME_TO_GERMANY.items():
                fits = abs(income[power] / income["germany"] - share) < 0.03
                check(fits, f"1939: the income of {power} is {income[power]}, Germany's {income['germany']}")
            check(
                4 * income["usa"] - pacific >= 150 and pacific > 2 * income["usa"],
                "the Pacific takes its share, line 1686",
            )
        else:
            axis = income["germany"] + income["italy"]
            allies = income["great_britain"] + income["ussr"] + income["usa"] - 100
            check(0.7 <= axis / allies <= 1.1, f"1941: the Axis collects {axis}, the Allies {allies}")


def first_moves(board: Board, check: Check) -> None:
    """The pact can be kept, Poland attacked and France not surprised in the first turn."""

    def in_reach(scenario: str, power: str, goals: Collection[str], stop: Collection[str] = ()) -> int:
        return sum(
            board.units[u]["stack"] * n
            for space, units in board.setups[scenario]["units"][power].items()
            for u, n in units.items()
            if u in board.ground and board.reach(space, board.units[u]["movement"], stop) & set(goals)
        )

    fall, spring = board.setups["fall-1939"], board.setups["spring-1941"]
    for space in facts.PACT_SOVIET:
        check(in_reach("fall-1939", "ussr", [space]), f"1939: no Soviet unit reaches {space}, line 1740")
    east = in_reach("fall-1939", "ussr", ("brest_litovsk", "vilna", "lvov"))
    check(east >= 15, f"1939: {east} Soviet points reach Poland, line 1735")
    german = in_reach("fall-1939", "germany", facts.PACT_GERMAN, facts.PACT_GERMAN)
    polish = sum(board.stack_points(u, board.ground) for u in fall["minor_ally_units"]["poland"]["units"].values())
    check(german >= max(10, 2 * polish), f"1939: {german} German points reach Poland, which has {polish}")
    for space, units in fall["units"]["germany"].items():
        for unit in {"tank", "mech"} & set(units):
            far = "sedan" not in board.reach(space, board.units[unit]["movement"])
            check(far, f"1939: the German {unit} in {space} reaches Sedan")
    for power in ("germany", "ussr"):
        kept = sum(
            board.stack_points(units, board.ground)
            for owner, space, units in board.stacks("spring-1941")
            if owner == power and board.spaces[space]["country"] == "poland"
        )
        check(kept >= 10, f"1941: {power} keeps {kept} points in Poland, line 1735")
    for owner, spaces in (("germany", facts.PACT_GERMAN), ("ussr", facts.PACT_SOVIET)):
        for space in spaces:
            check(spring["control"][space] == owner, f"1941: {space} belongs to {spring['control'][space]}")


def those_who_wait(board: Board, check: Check) -> None:
    """Who is neutral in 1939 and in 1941 neither collects nor builds between, so the same army stands on both cards."""
    fall, spring = board.setups["fall-1939"], board.setups["spring-1941"]
    waiting = set(fall["at_war"]["neutral_majors"]) & set(spring["at_war"]["neutral_majors"])
    check(waiting == {"usa", "ussr"}, f"{sorted(waiting)} wait from 1939 to 1941, line 1774")
    for power in waiting:
        early, late = _army(fall, power), _army(spring, power)
        check(early == late, f"{power} has {early - late} more in 1939, {late - early} more in 1941")
        for what in ("build_boxes", "money", "rps"):
            same = fall[what][power] == spring[what][power]
            check(same, f"{power}: {what} are {fall[what][power]} in 1939, {spring[what][power]} in 1941")


def _army(record: dict[str, Any], power: str) -> Counter[str]:
    """All that a power has on the board, wherever it stands."""
    army: Counter[str] = Counter()
    for units in record["units"][power].values():
        army.update(units.get("carrier_air_wing", {}))
        army.update({unit: number for unit, number in units.items() if unit != "carrier_air_wing"})
    return army


SETUP_THEMES: dict[str, Proof] = {
    "stacks": stacks,
    "forces": forces,
    "convoys": convoys,
    "supply and income": supply_and_income,
    "first moves": first_moves,
    "those who wait": those_who_wait,
}
