"""The position of the example of multiple interceptions, its orders given one by one."""

from __future__ import annotations

from sandtable.games.ww2_europe.model.actions import Done, Ferry, Patrol
from sandtable.games.ww2_europe.rules.interception_phase import SeaStage
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from tests.games.ww2_europe.war import ALLIES, AXIS, A, War

WHERE = {"A": "genoa_port", "B": "tyrrhenian", "C": "malta_port", "D": "gulf_of_gabes", "E": "tripoli_port"}
EVERY = tuple(range(len(A.fronts)))


class Mediterranean(War):
    """Italy moves first, then Britain; the units bear the numbers of the advanced example's Task Forces."""

    def __init__(self, *, advanced: bool = False, gibraltar: str = "cruiser") -> None:
        super().__init__("summer 1941", neutral=("usa", "ussr"), options={"advanced-naval": advanced})
        self.initiative(AXIS)
        self.infantry = self.put("italy", "infantry", "taranto")
        self.transport = self.put("italy", "transport", "taranto_port")
        self.first = self.put("italy", "battleship", "taranto_port")
        self.second = self.put("italy", "battleship", "taranto_port")
        self.third = self.put("italy", "destroyer", "genoa_port")
        self.fourth = self.put("italy", "destroyer", "tripoli_port")
        self.rome = self.put("italy", "fighter", "rome")
        self.tripoli = self.put("italy", "fighter", "tripoli")
        self.x = self.put("great_britain", gibraltar, "gibraltar_port")
        self.z = self.put("great_britain", "destroyer", "oran_port")
        self.y = self.put("great_britain", "destroyer", "oran_port")
        self.tunis = self.put("great_britain", "fighter", "tunis")
        self.submarine = self.put("great_britain", "submarine", "malta_port")
        self.malta = self.put("great_britain", "destroyer", "malta_port")
        self.run(Movement(AXIS, fronts=EVERY), Movement(ALLIES, fronts=EVERY), SeaStage())
        self.do(
            "italy",
            Ferry(self.transport, self.infantry, "taranto_port", ("tyrrhenian", "malta_port"), "malta"),
            Patrol("taranto_port", ("tyrrhenian", "malta_port"), (self.first,)),
            Patrol("tripoli", ("tripoli_port", "malta_port"), (self.tripoli,)),
            Patrol("taranto_port", ("tyrrhenian",), (self.second,)),
            Patrol("genoa_port", ("tyrrhenian",), (self.third,)),
            Patrol("tripoli_port", ("gulf_of_gabes", "tyrrhenian"), (self.fourth,)),
            Patrol("rome", ("tyrrhenian",), (self.rome,)),
        )
        for power in self.match.decisions():
            self.do(power, Done())
        self.do(
            "great_britain",
            Patrol("gibraltar_port", ("alboran_sea", "balearic_sea", "tyrrhenian"), (self.x,)),
            Patrol("oran_port", ("balearic_sea", "tyrrhenian"), (self.z,)),
            Patrol("oran_port", ("balearic_sea", "gulf_of_lion", "genoa_port"), (self.y,)),
            Patrol("tunis", ("gulf_of_gabes", "tripoli_port"), (self.tunis,)),
        )

    def sail(self, *dice: int) -> Mediterranean:
        """The Allies are done: the sea battles begin, with these dice."""
        self.dice(*dice)
        for power in self.match.decisions():
            self.do(power, Done())
        return self
