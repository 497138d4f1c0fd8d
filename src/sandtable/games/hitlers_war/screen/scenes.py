"""How each event looks on the table."""

from __future__ import annotations

from sandtable.core.scene import Staging

from ..model import events as ev

SCENES = {
    ev.TurnBegan: Staging("note"),
    ev.PlayerTurnBegan: Staging("note", side="side"),
    ev.Moved: Staging("move", units="army", path=("to",)),
    ev.PointsMoved: Staging("move", units="army", path=("to",)),
    ev.Converted: Staging("flip", units="army"),
    ev.Raised: Staging("arrive", units="army", path=("at",)),
    ev.Announced: Staging("fight", units="army", path=("target",)),
    ev.Fired: Staging("fight", path=("at",)),
    ev.FiredBack: Staging("fight", path=("at",)),
    ev.PointLost: Staging("hit", units="unit"),
    ev.ArmyGone: Staging("leave", units="army"),
    ev.ArmyLost: Staging("leave", units="army"),
    ev.Absorbed: Staging("hit", path=("at",)),
    ev.Advanced: Staging("move", units="army", path=("to",)),
    ev.Repulsed: Staging("note", units="army", path=("to",)),
    ev.Captured: Staging("owner", path=("at",), side="side"),
    ev.Retreated: Staging("move", units="army", path=("to",)),
    ev.Defected: Staging("owner", path=("at",), side="side"),
    ev.Joined: Staging("note", side="country"),
    ev.Surrendered: Staging("note", side="country"),
    ev.Budget: Staging("note", side="side"),
    ev.Built: Staging("note", side="side"),
    ev.Repaired: Staging("note", path=("at",)),
    ev.Devastated: Staging("hit", path=("at",)),
    ev.Lent: Staging("note"),
    ev.Peace: Staging("note"),
    ev.Researched: Staging("note", side="side"),
    ev.MoraleChanged: Staging("note", side="country"),
    ev.ShippingLost: Staging("note"),
    ev.SeaBattle: Staging("note", side="side"),
    ev.Partisan: Staging("fight", path=("at",)),
    ev.LeaderShown: Staging("reveal", units="army"),
    ev.LeaderLost: Staging("leave", units="army"),
    ev.Sailed: Staging("move", units="fleet", path=("to",)),
    ev.FleetsMet: Staging("fight", units="fleet"),
    ev.BattleWon: Staging("fight", units="fleet"),
    ev.ShipsLost: Staging("hit", units="fleet"),
    ev.Chased: Staging("fight", units="fleet"),
    ev.Raiding: Staging("note", units="fleet"),
    ev.ShipBegun: Staging("note", side="side"),
}
