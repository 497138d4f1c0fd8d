"""A computer player that is a program of its own, in any language. It speaks JSON lines on stdin and stdout.

docs/bots.md has the protocol. One line is one object. The program is started once a match and role, told the game with
`hello`, asked with `decide` at every decision, and answers `act`. While it thinks it may ask about the offers.
"""

from __future__ import annotations

import itertools
import os
import queue
import shlex
import subprocess
import threading
from random import Random
from typing import Any

import msgspec

from sandtable.core import Action, Game, Match, Offers, SandtableError, SealedDice, View
from sandtable.core.game import Budget

PROTOCOL = 1
GRACE = 10.0
"""Seconds beyond its budget after which a silent program is given up."""
TRIES = 3
"""How many answers that are not allowed a program may give to one question."""
MOST = 1000
"""How many actions are listed at most."""


class Mistake(SandtableError):
    """A computer player answered something that is no allowed action; the message says what to return."""


def imagine(game: Game[Any], view: View[Any], rng: Random) -> Match[Any]:
    """A match that agrees with the view, to think with. What is hidden and the dice to come are drawn at random."""
    seed = f"{rng.getrandbits(128):032x}"
    state = game.determinize(view, rng)
    return Match(game, state, SealedDice(seed), seed=seed, number=view.number, history=False)


class Program:
    """Plays what a program says."""

    def __init__(self, command: str, game: Game[Any], seed: int | str) -> None:
        self.command, self.game, self.seed = command, game, seed
        self.rng = Random(f"program/{seed}")
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        words = shlex.split(command, posix=os.name != "nt")
        try:
            self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except (OSError, ValueError) as error:
            raise Mistake(f"the program '{command}' cannot be started: {error}") from None
        threading.Thread(target=self._listen, daemon=True).start()
        self._greeted = False

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.strip():
                self._answers.put(line)
        self._answers.put(b"")

    def close(self) -> None:
        """End the program: its input ends, and if it does not end then, it is killed."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
            self._process.wait(2.0)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()

    def __del__(self) -> None:
        if "_process" in self.__dict__:
            self.close()

    # ---- lines
    def _tell(self, **told: Any) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(msgspec.json.encode(told) + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise Mistake(f"the program '{self.command}' has ended (status {self._process.poll()})") from None

    def _hear(self, seconds: float) -> dict[str, Any]:
        try:
            line = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise Mistake(f"the program '{self.command}' has not answered within {seconds:g} s") from None
        if not line:
            raise Mistake(f"the program '{self.command}' has ended (status {self._process.wait()})")
        try:
            return msgspec.json.decode(line, type=dict[str, Any])
        except msgspec.DecodeError as error:
            shown = line[:80].decode("utf-8", "replace").strip()
            raise Mistake(f"the program '{self.command}' wrote {shown!r}, which is no JSON object: {error}") from None

    # ---- deciding
    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        """Return the action that the program answers."""
        if not self._greeted:
            self._greeted = True
            state = view.state
            self._tell(
                type="hello", protocol=PROTOCOL, game=self.game.id, rules=self.game.rules_version,
                scenario=state.scenario, options=dict(state.options), role=view.role, seed=str(self.seed),
            )  # fmt: skip
        self._tell(
            type="decide", role=view.role, number=view.number, seconds=budget.seconds, asked=list(view.asked),
            state=self.game.codec.builtins(view.state), offers=offers.describe(),
        )  # fmt: skip
        refused = ""
        for _ in range(TRIES):
            answer = self._hear(budget.seconds + GRACE)
            while answer.get("type") != "act":
                self._tell(**self._answer(answer, view, offers))
                answer = self._hear(budget.seconds + GRACE)
            refused = self._why_not(answer.get("action"), offers)
            if not refused:
                return self.game.codec.action(answer["action"])
            self._tell(type="refused", message=refused)
        raise Mistake(f"the program '{self.command}' answered {TRIES} times what is not allowed: {refused}")

    def _why_not(self, data: Any, offers: Offers) -> str:
        """Return a sentence about what is wrong with an action; empty where nothing is."""
        try:
            refusal = offers.check(self.game.codec.action(data))
        except SandtableError as error:
            return str(error)
        return "" if refusal is None else f"{self.game.texts('en').refusal(refusal)} [{refusal.rule}]"

    def _answer(self, asked: dict[str, Any], view: View[Any], offers: Offers) -> dict[str, Any]:
        """Return the answer to what a program asks while it thinks."""
        kind = asked.get("type")
        try:
            if kind == "sample":
                return {"type": "sample", "action": offers.sample(self.rng)}
            if kind == "list":
                most = min(int(asked.get("most", MOST)), MOST)
                found = list(itertools.islice(iter(offers), most + 1))
                return {"type": "list", "actions": found[:most], "more": len(found) > most}
            if kind == "next":
                offer = offers.offers[int(asked["offer"])]
                return {"type": "next", **offer.describe(self._values(asked["prefix"]))}
            if kind == "why-not":
                return {"type": "why-not", "message": self._why_not(asked.get("action"), offers)}
            if kind == "odds":
                action = self.game.codec.action(asked.get("action"))
                match = imagine(self.game, view, self.rng)
                return {"type": "odds", "odds": match.preview(str(view.role), action)}
        except (SandtableError, LookupError, TypeError, ValueError) as error:
            return {"type": "error", "message": f"{kind}: {error}"}
        known = "act, sample, list, next, why-not, odds"
        return {"type": "error", "message": f"there is no '{kind}'; there is {known}"}

    @staticmethod
    def _values(prefix: list[Any]) -> list[Any]:
        """Return the chosen values as actions hold them: lists are tuples there."""
        return [_tuples(value) for value in prefix]


def _tuples(value: Any) -> Any:
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value
