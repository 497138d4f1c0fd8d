"""How each event looks on the table."""

from __future__ import annotations

from sandtable.core.scene import Staging

from ..model import events as ev

SCENES = {
    ev.ScenarioRolled: Staging("note"),
    ev.SetUp: Staging("note", side="country"),
    ev.TurnBegan: Staging("note"),
    ev.PhaseBegan: Staging("note", side="side"),
    ev.EventHappened: Staging("note"),
    ev.StormsBegan: Staging("note"),
    ev.Joined: Staging("note", side="country"),
    ev.PointsLost: Staging("note", side="side"),
    ev.PointsGained: Staging("note", side="side"),
    ev.Scheduled: Staging("note"),
    ev.NeverArrives: Staging("note"),
    ev.Arrived: Staging("arrive", units="unit", path=("at",)),
    ev.Delayed: Staging("note"),
    ev.Refitted: Staging("flip", units="unit"),
    ev.Launched: Staging("move", units="unit", path=("base", "target")),
    ev.Intercepted: Staging("fight", units="attacker", path=("at",)),
    ev.Bombed: Staging("fight", units="unit", path=("at",)),
    ev.TerrorSpread: Staging("note", path=("at",)),
    ev.Moved: Staging("move", units="unit", path=("path",)),
    ev.Evacuated: Staging("move", units="unit"),
    ev.Attacked: Staging("fight", units="units", path=("target",)),
    ev.SpecialForces: Staging("reveal", units="unit"),
    ev.Fought: Staging("fight", path=("target",)),
    ev.Reduced: Staging("flip", units="unit"),
    ev.Eliminated: Staging("leave", units="unit"),
    ev.Retreated: Staging("move", units="unit", path=("path",)),
    ev.Stood: Staging("note", units="unit"),
    ev.Advanced: Staging("move", units="unit", path=("path",)),
    ev.SurrenderChecked: Staging("note", side="country"),
    ev.Scored: Staging("note"),
    ev.Surprised: Staging("note", side="country"),
    ev.Prepared: Staging("note"),
}
