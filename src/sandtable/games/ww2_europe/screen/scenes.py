"""How each event looks on the table."""

from __future__ import annotations

from sandtable.core.scene import Staging

from ..model import events as ev

SCENES = {
    ev.TurnBegan: Staging("note"),
    ev.PhaseBegan: Staging("note"),
    ev.WarDeclared: Staging("note"),
    ev.Joined: Staging("note"),
    ev.Entered: Staging("note"),
    ev.Moved: Staging("move", units="unit", path=("path",), side="power"),
    ev.Ordered: Staging("move", units="units", path=("path",), side="power"),
    ev.Captured: Staging("owner", path=("space",), side="power"),
    ev.Sought: Staging("note", path=("space",), side="side"),
    ev.Evaded: Staging("note", units="units", path=("space",)),
    ev.BattleBegan: Staging("fight", units="attackers", path=("space",), side="side"),
    ev.Hit: Staging("hit", units="unit", side="power"),
    ev.Lost: Staging("leave", units="unit", side="power"),
    ev.Withdrew: Staging("move", path=("space", "to"), side="side"),
    ev.BattleEnded: Staging("fight", path=("space",), side="winner"),
    ev.Conditions: Staging("note", path=("space",)),
    ev.Bombed: Staging("fight", path=("space",), side="power"),
    ev.CutOff: Staging("note", units="units"),
    ev.Redeployed: Staging("move", units="unit", path=("to",), side="power"),
    ev.ConvoyDrawn: Staging("note", path=("route",), side="power"),
    ev.ConvoyEnded: Staging("note"),
    ev.Built: Staging("arrive", units="unit", path=("space",), side="power"),
    ev.Bought: Staging("note", side="power"),
    ev.Gave: Staging("note", side="power"),
    ev.Collected: Staging("note", side="power"),
    ev.Researched: Staging("note", side="power"),
    ev.InitiativePassed: Staging("note", side="side"),
    ev.Surrendered: Staging("note", side="power"),
    ev.Armistice: Staging("note", side="power"),
    ev.PactBroken: Staging("note", side="power"),
    ev.LeaderLost: Staging("note"),
    ev.Noted: Staging("note", path=("place",), side="power"),
}
