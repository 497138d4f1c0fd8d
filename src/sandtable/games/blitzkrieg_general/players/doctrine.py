"""How boldly a major is led: the numbers behind the rules of thumb."""

from __future__ import annotations

import msgspec


class Doctrine(msgspec.Struct, frozen=True):
    """One way to lead."""

    enough: float = 0.8
    """Share of the own hits left at which a captain puts no more units into an attack."""
    sure: float = 0.72
    """The chance at which an attack is made."""
    bold: float = 0.6
    """The same on what is worth a risk."""
    cover: float = 0.5
    """Share of the power that threatens an area that stays behind in it."""
    home: float = 0.5
    """The same of the home areas, to which others march if too few are there."""
    hold: float = 1.0
    """Weight of what is to be held against what is to be taken."""
    kill: float = 0.6
    """Worth of a hit a round that the enemy loses with the units that are attacked."""
    peace: float = 0.0
    """Above 0: war is declared on no great power; below 0: on whoever would be an enemy anyway, without waiting."""
    posts: bool = False
    """Whether no area that gives points is left empty where one division would keep it."""
    stays: bool = False
    """Whether somebody stays, or comes, where all would leave such an area, if that is worth more than the attack."""
    prize: float = 0.0
    """How much more a point to win counts. Above 0 every neutral that gives one is attacked."""
    islands: float = 1.0
    """0: convoys take nothing over the sea, and carry troops to the fronts."""
    main: int = -1
    """The country to finish first; -1: the usual one."""
    force: float = 2.5
    """How much more its areas count than others."""
    keep: tuple[int, ...] = ()
    """Own areas that are held against all that threatens them."""
    leave: tuple[int, ...] = ()
    """Own areas for which nobody stays behind."""
    build: str = ""
    """The class of units that is wanted most; '': the usual mix."""

    @property
    def defends(self) -> bool:
        """Whether what is held counts more than what is to be taken."""
        return self.hold > 1.0


USUAL = Doctrine()
BLITZ = Doctrine(sure=0.65, bold=0.55, cover=0.0, home=0.0, hold=0.6, kill=2.0)
"""Everything for a quick decision in the west, while the east is quiet."""
GUARDED = Doctrine(sure=0.65, bold=0.55, cover=0.0, home=1.0, hold=0.6, kill=2.0)
"""The same while the army is in Poland: France does not march into an empty home."""
WARY = Doctrine(sure=0.75, bold=0.65, cover=0.4, home=1.0, kill=2.0)
"""The home is held against all that threatens it, and few attacks are made: time is gained for others."""
WALL = Doctrine(sure=0.85, bold=0.8, cover=5.0, home=5.0, hold=16.0, kill=2.0)
"""Everything that produces is held with far more than threatens it, so that nobody likes to attack."""
BOLD = Doctrine(sure=0.65, bold=0.55, cover=0.2, home=0.2)
"""Take risks: losses can be replaced."""
