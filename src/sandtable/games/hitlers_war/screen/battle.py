"""The attacks that are being fought, as the battle board shows them."""

from __future__ import annotations

from sandtable.core import Texts
from sandtable.core.table import Battle, Force, Part, Rank

from ..model.atlas import NOBODY, SIDES
from ..model.state import War, armies_in, army_name, side_of, space_name, total
from ..rules.advance import chance, droppable
from ..rules.control import defence

_FIGHTING = ("defensive-assaults", "assaults", "advances", "must-advance", "losses", "exploitation", "retreats")


def battles(s: War, tag: str, texts: Texts) -> list[Battle]:
    """Return a battle for each hex that is attacked, with what each attacker needs to advance into it."""
    if tag not in _FIGHTING:
        return []
    attacked = [(side_of(army), target) for army, target in enumerate(s.target) if target >= 0 and s.army_at[army] >= 0]
    targets = dict.fromkeys(target for side, target in attacked if s.owner[target] != side)
    return [_face(s, target, texts) for target in targets]


def _face(s: War, target: int, texts: Texts) -> Battle:
    attackers = [army for army, at in enumerate(s.target) if at == target and s.army_at[army] >= 0]
    defenders = [army for army in armies_in(s, target) if side_of(army) != side_of(attackers[0])]
    ranks = []
    for army in attackers:
        found = chance(s, army, target, droppable(s, army))
        parts = [Part(texts.say(f"modifier.{part.name}"), f"{part.value:+d}", part.rule) for part in found.modifiers]
        said = texts.say("battle.needs", strength=found.strength, number=found.needed) if found.needed else ""
        ranks.append(Rank([army_name(army)], said or texts.say("battle.no-advance"), parts))
    owner = s.owner[target]
    return Battle(
        space_name(target),
        Force(
            SIDES[side_of(attackers[0])], ranks, texts.say("battle.points", number=sum(total(s, a) for a in attackers))
        ),
        Force(
            SIDES[side_of(defenders[0])] if defenders else SIDES[owner] if owner < NOBODY else "neutral",
            [Rank([army_name(army) for army in defenders])] if defenders else [],
            texts.say("battle.points", number=defence(s, target)),
        ),
    )
