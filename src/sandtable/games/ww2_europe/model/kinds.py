"""The unit chart: one row of numbers per kind of unit, technology's improved kinds included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

GROUND, AIR, NAVAL, BASE = range(4)
_CLASSES = {"ground": GROUND, "air": AIR, "naval": NAVAL, "base": BASE}

# What a hit may fall on: classes of targets as bits.
T_GROUND, T_TANK, T_AIR, T_SHIP, T_TRANSPORT, T_SUB, T_UBOAT = (1 << bit for bit in range(7))
T_LAND = T_GROUND | T_TANK | T_AIR
T_SURFACE = T_SHIP | T_TRANSPORT
T_NAVAL = T_SURFACE | T_SUB | T_UBOAT


class Kinds:
    """Parallel lists, one entry per kind of unit."""

    def __init__(self, units: Mapping[str, Any], improved: Mapping[str, Any]) -> None:
        rows: dict[str, dict[str, Any]] = {
            name: {**row, "base": name} for name, row in units.items() if row["class"] in _CLASSES
        }
        for name, row in improved.items():
            rows[name] = {**rows[row["base"]], **row}
        self.names = tuple(rows)
        self.index = {name: number for number, name in enumerate(self.names)}
        self.told = tuple(f"@{name}" for name in self.names)
        """Kinds as events and refusals name them."""
        self._values = list(rows.values())
        self.cls = tuple(_CLASSES[row["class"]] for row in self._values)
        self.base = tuple(self.index[row["base"]] for row in self._values)
        """The plain kind that an improved one is a version of."""
        self._numbers()
        self._abilities()
        self.target = tuple(self._target(number) for number in range(len(self.names)))
        named = self.index
        self.infantry, self.mech, self.airborne = named["infantry"], named["mech"], named["airborne"]
        self.artillery, self.tank, self.airbase = named["artillery"], named["tank"], named["airbase"]
        self.fighter, self.tac_bomber, self.bomber = named["fighter"], named["tac_bomber"], named["bomber"]
        self.submarine, self.destroyer, self.cruiser = named["submarine"], named["destroyer"], named["cruiser"]
        self.battleship, self.carrier, self.transport = named["battleship"], named["carrier"], named["transport"]

    def _numbers(self) -> None:
        def column(title: str, default: int = 0) -> tuple[int, ...]:
            return tuple(int(row.get(title, default)) for row in self._values)

        self.cost = column("cost")
        self.build_time = column("build_time")
        self.combat = column("combat")
        self.movement = column("movement")
        self.stack = column("stack")
        self.dice = column("dice", 1)
        self.vs_air = column("combat_vs_air")
        self.vs_ground = column("combat_vs_ground")
        self.vs_naval = column("combat_vs_naval")
        self.free_choice = column("free_choice_at")
        self.strategic_hit = column("strategic_hit")
        self.escort_hit = column("convoy_escort_hit")
        self.bombardment = column("bombardment")
        self.hits = column("hits", 1)
        self.air_wing = column("air_wing")
        self.limit = column("limit_on_board")
        self.drop_range = column("air_drop_range")
        self.drop_stack = column("air_drop_air_stack")

    def _abilities(self) -> None:
        def able(ability: str) -> tuple[bool, ...]:
            return tuple(ability in row.get("abilities", ()) for row in self._values)

        self.escort = able("escort")
        self.entrench = able("entrench")
        self.blitz = able("blitzkrieg")
        self.asw = able("asw")
        self.sea_control = able("sea_control")
        self.must_avoid = able("must_avoid")
        self.last_target = able("last_target")
        self.submerged = able("submerged")
        self.surface_only = able("surface_attack_only")
        self.anti_tank = able("anti_tank")
        self.strategic = able("strategic_warfare")
        self.drop = able("air_drop")
        self.atomic = tuple(name == "atomic_bomber" for name in self.names)
        self.uboat = tuple(row.get("hit_by_enemy_at", 0) < 0 for row in self._values)

    def _target(self, kind: int) -> int:
        if self.cls[kind] == GROUND:
            return T_TANK if self.names[self.base[kind]] == "tank" else T_GROUND
        if self.cls[kind] == AIR:
            return T_AIR
        if self.cls[kind] == BASE:
            return 0
        if self.submerged[kind]:
            return T_UBOAT if self.uboat[kind] else T_SUB
        return T_TRANSPORT if self.last_target[kind] else T_SHIP
