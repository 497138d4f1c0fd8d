"""The research phase (Campaign Game II): investing, and rolling for results."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Numbers, Offer, OneOf, Refusal
from sandtable.core.columns import having, put

from ..model.actions import Done, Invest, Test
from ..model.state import M, OwnTurn, War
from ..model.technology import ITEM, ITEMS, cell
from .research import _ITEMS, fundable, most_points, test, why_no_research

_DONE = Offer(Done, rule="hw-research-delay")
_ROLLING = Offer(Invest, Refusal("hw-research-2", "hw-rolling-already"), rule="hw-research-2")


_BROKE = Offer(Invest, Refusal("hw-research-1", "hw-no-money", needed=1, left=0), rule="hw-research-1")


def _invest_fields(s: War, side: int) -> tuple[Field, ...]:
    def why(item: str) -> Refusal | None:
        return why_no_research(s, side, item) if item in ITEM else None

    return (
        Field("item", "choice", OneOf(list(fundable(s, side)), why)),
        Field("number", "number", lambda item: Numbers(1, most_points(s, side, item))),
    )


def _test_fields(ready: list[str]) -> tuple[Field, ...]:
    def untried(item: str) -> Refusal | None:
        return Refusal("hw-research-2", "hw-not-on-track", item=f"@{item}")

    return (Field("item", "choice", OneOf(ready, untried)),)


class Research(OwnTurn, frozen=True, tag="research"):
    """A side invests what is left of its budget, then rolls for what it likes.

    [hw-research-1] [hw-research-2] [hw-research-delay]
    """

    rule = "hw-research-1"

    rolling: bool = False

    def ready(self, s: War) -> list[str]:
        """Items that can be rolled for: on the track and not yet tried this turn."""
        first, tested = s.side * _ITEMS, s.tested
        steps = s.track[first : first + _ITEMS]
        return [ITEMS[item] for item, step in enumerate(steps) if step and first + item not in tested]

    def can_invest(self, s: War) -> bool:
        return not self.rolling and s.budget > 0 and next(fundable(s, s.side), None) is not None

    def run(self, m: M) -> None:
        s = m.state
        if not self.ready(s) and not self.can_invest(s):
            s.budget = 0
            s.invested = {}
            s.tested = {}
            m.pop()

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        side = s.side
        out: list[Offer] = [_DONE]
        ready = self.ready(s)
        if self.can_invest(s):
            out.append(Offer(Invest, lambda: _invest_fields(s, side), rule=self.rule))
        elif self.rolling:
            out.append(_ROLLING)
        elif not s.budget:
            out.append(_BROKE)
        if ready:
            out.append(Offer(Test, lambda: _test_fields(ready), rule="hw-research-2"))
        return out

    def take(self, m: M, role: str, action: object) -> None:
        s = m.state
        if isinstance(action, Invest):
            key = cell(s.side, action.item)
            s.budget -= action.number
            s.track = put(s.track, key, s.track[key] + action.number)
            s.invested = having(s.invested, key, s.invested.get(key, 0) + action.number)
            m.replace(self)
        elif isinstance(action, Test):
            test(m, s.side, action.item)
            m.replace(Research(rolling=True))
        else:
            s.budget = 0
            s.invested = {}
            s.tested = {}
            m.pop()
