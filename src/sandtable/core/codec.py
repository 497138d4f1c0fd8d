"""States, actions and events to bytes and back, and the digest of a state."""

from __future__ import annotations

import functools
import hashlib
import operator
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from .data import CORE_ACTIONS, CORE_EVENTS, Action, AnyStep, Event, State
from .errors import BadFile, Malformed
from .immutable import field_types, is_immutable
from .step import Step
from .windows import Window

S = TypeVar("S", bound=State)


def _union(kinds: tuple[type, ...]) -> Any:
    return functools.reduce(operator.or_, dict.fromkeys(kinds))


class Codec(Generic[S]):
    """The readers and writers of one game's data, made once."""

    def __init__(
        self,
        state: type[S],
        steps: tuple[type[Step], ...],
        actions: tuple[type[Action], ...],
        events: tuple[type[Event], ...],
    ) -> None:
        self.state = state
        steps = (*steps, Window)
        for kind in (*steps, *actions, *events):
            if not is_immutable(kind):
                raise TypeError(f"{kind.__name__} must be frozen and hold only immutable fields")
        self._step_union = _union(steps)
        self._action_union = _union((*actions, *CORE_ACTIONS))
        self._event_union = _union((*events, *CORE_EVENTS))
        self._pack = msgspec.msgpack.Encoder()
        self._json = msgspec.json.Encoder()
        # a decoder made once is a hundred times faster than msgspec.convert, which analyses the union each time
        self._read_packed_step = msgspec.msgpack.Decoder(self._step_union)
        self._read_json_step = msgspec.json.Decoder(self._step_union)
        self._unpack = msgspec.msgpack.Decoder(state, dec_hook=self._packed_step)
        self._unjson = msgspec.json.Decoder(state, dec_hook=self._json_step)
        self._read_action = msgspec.json.Decoder(self._action_union)
        self._read_event = msgspec.json.Decoder(self._event_union)
        for name, field in field_types(state).items():
            if not is_immutable(field):
                raise TypeError(f"the column {name} of {state.__name__} can be changed in place; make it immutable")
        self.clone: Callable[[S], S] = state.__copy__  # type: ignore[attr-defined]

    def _packed_step(self, kind: type, value: Any) -> Any:
        assert kind is AnyStep
        return self._read_packed_step.decode(self._pack.encode(value))

    def _json_step(self, kind: type, value: Any) -> Any:
        assert kind is AnyStep
        return self._read_json_step.decode(self._json.encode(value))

    # ---- states
    def pack(self, state: S) -> bytes:
        """Return the state as MessagePack: the same moves give the same bytes (dicts keep their order of insertion)."""
        return self._pack.encode(state)

    def unpack(self, data: bytes) -> S:
        try:
            return self._unpack.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadFile(f"not a saved state of this game: {error}") from None

    def to_json(self, state: S) -> bytes:
        return self._json.encode(state)

    def from_json(self, data: bytes) -> S:
        try:
            return self._unjson.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadFile(f"not a saved state of this game: {error}") from None

    def digest(self, state: S) -> str:
        """Return 32 hex digits that differ when the states do."""
        return hashlib.blake2b(self._pack.encode(state), digest_size=16).hexdigest()

    def step(self, data: Any) -> Step:
        """Return the step that plain data describes: {"step": its tag, and its fields}."""
        try:
            found: Step = msgspec.convert(data, self._step_union)
            return found
        except msgspec.ValidationError as error:
            raise Malformed(f"not a step of this game: {error}") from None

    # ---- actions and events
    def action(self, data: Any) -> Action:
        """Return the action in JSON text or in what json.loads gives."""
        try:
            if isinstance(data, (bytes, str)):
                result: Action = self._read_action.decode(data)
            else:
                result = msgspec.convert(data, self._action_union)
            return result
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Malformed(f"not an action of this game: {error}") from None
        except RecursionError:
            raise Malformed("not an action of this game: nested too deeply") from None

    def event(self, data: bytes) -> Event:
        result: Event = self._read_event.decode(data)
        return result

    def builtins(self, value: Any) -> Any:
        """Return the value as plain dicts, lists and strings, as JSON has them."""
        return msgspec.to_builtins(value, str_keys=True)
