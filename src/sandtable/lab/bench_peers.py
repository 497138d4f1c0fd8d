"""The peers of the core's benchmarks: python-chess and OpenSpiel do the same kind of work in the same run.

Both play chess, and OpenSpiel also plays backgammon, which has dice. Random play follows all rules, as ours does: after
each move the peer is asked whether the game is over. The speed of python-chess without that question is measured too;
it then misses draws by repetition or lack of material. The loops are otherwise as fast as the peer's documentation
allows. A peer that is not installed is left out, and the run says so.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from random import Random
from typing import Any

from sandtable.lab.bench import Bench, Peer

CHESS_NO_PROGRESS = 150
"""A game of chess ends after so many half-moves without a capture or a pawn move."""
Peers = Callable[[str], tuple[Peer, ...]]


def measure(bench: Bench) -> Peers:
    """Measure all peers; returns a function from the name of a figure to the peers that have it."""
    found: list[tuple[str, Mapping[str, float]]] = []
    if find_spec("chess"):
        bench.say("python-chess")
        found.append(("python-chess", dict(python_chess(bench))))
    else:
        bench.say("python-chess is not installed: no figures of it")
    if find_spec("pyspiel"):
        for game in ("chess", "backgammon"):
            bench.say(f"OpenSpiel {game}")
            found.append((f"OpenSpiel {game} (C++)", dict(open_spiel(bench, game))))
    else:
        bench.say("OpenSpiel is not installed: no figures of it")

    def peers(figure: str) -> tuple[Peer, ...]:
        return tuple(Peer(name, figures[figure]) for name, figures in found if figure in figures)

    return peers


def chess_at_random() -> Callable[[], int]:
    """A function that plays a random game of chess with python-chess and returns the number of moves."""
    import chess

    rng = Random(1)

    def play() -> int:
        board, moves = chess.Board(), 0
        while not board.is_game_over():
            legal = list(board.generate_legal_moves())
            board.push(legal[int(rng.random() * len(legal))])
            moves += 1
        return moves

    return play


def chess_moves_only() -> Callable[[], int]:
    """The same, but python-chess is not asked whether the game is over: it ends when nobody can move or nothing has
    happened for long."""
    import chess

    rng = Random(1)

    def play() -> int:
        board, moves = chess.Board(), 0
        while board.halfmove_clock < CHESS_NO_PROGRESS:
            legal = list(board.generate_legal_moves())
            if not legal:
                break
            board.push(legal[int(rng.random() * len(legal))])
            moves += 1
        return moves

    return play


def python_chess(bench: Bench) -> Iterator[tuple[str, float]]:
    import chess

    rng = Random(1)

    play = chess_at_random()

    def positions() -> Iterator[tuple[Any, Any]]:
        board = chess.Board()
        for _ in range(60):
            legal = list(board.generate_legal_moves())
            if not legal:
                break
            move = legal[int(rng.random() * len(legal))]
            yield board.copy(stack=False), move
            board.push(move)

    sample = list(positions())
    each = len(sample)
    board = sample[-1][0]
    record = [move.uci() for _, move in sample]

    def legal_moves() -> None:
        for position, _ in sample:
            legal = list(position.generate_legal_moves())
            legal[int(rng.random() * len(legal))]

    def push() -> None:
        # checked as ours is: push alone accepts illegal moves
        for position, move in sample:
            if position.is_legal(move):
                position.push(move)
                position.pop()

    def replay() -> int:
        fresh = chess.Board()
        for uci in record:
            fresh.push_uci(uci)
        return each

    fen = board.fen()
    yield "random play", bench.rate(play)
    yield "offers", bench.microseconds(legal_moves) / each
    yield "apply", bench.microseconds(push) / each
    yield "clone", bench.microseconds(lambda: board.copy(stack=False))
    yield "encode", bench.microseconds(board.fen)
    yield "decode", bench.microseconds(lambda: chess.Board(fen))
    yield "replay", bench.rate(replay)


def open_spiel(bench: Bench, name: str) -> Iterator[tuple[str, float]]:
    import pyspiel

    rng = Random(1)
    game = pyspiel.load_game(name)

    def walk() -> Iterator[tuple[Any, int]]:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            action = legal[int(rng.random() * len(legal))]
            yield state, action
            state.apply_action(action)

    def play() -> int:
        # OpenSpiel rolls dice as moves; they are not counted, as ours are not
        moves, state = 0, game.new_initial_state()
        while not state.is_terminal():
            moves += not state.is_chance_node()
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
        return moves

    actions: list[int] = []
    sample: list[Any] = []
    for state, action in walk():
        if not state.is_chance_node() and len(sample) < 60:
            sample.append((state.clone(), action))
        actions.append(action)
        if len(sample) == 60:
            break
    each = len(sample)
    last = sample[-1][0]

    def legal_actions() -> None:
        for position, _ in sample:
            legal = position.clone().legal_actions()
            legal[int(rng.random() * len(legal))]

    def clone_all() -> None:
        for position, _ in sample:
            position.clone()

    def apply_all() -> None:
        for position, action in sample:
            position.clone().apply_action_with_legality_check(action)

    def replay() -> int:
        fresh = game.new_initial_state()
        for action in actions:
            fresh.apply_action_with_legality_check(action)
        return len(actions)

    text = last.serialize()
    cloning = bench.microseconds(clone_all)
    yield "random play", bench.rate(play)
    for figure, work in (("offers", legal_actions), ("apply", apply_all)):
        alone = bench.microseconds(work) - cloning
        if alone > cloning / 20:  # anything less cannot be measured beside cloning
            yield figure, alone / each
    yield "clone", bench.microseconds(last.clone)
    yield "encode", bench.microseconds(last.serialize)
    yield "decode", bench.microseconds(lambda: game.deserialize_state(text))
    yield "replay", bench.rate(replay)


def chess_game(bench: Bench) -> float | None:
    """Milliseconds of one random game of python-chess; None where it is not installed."""
    if not find_spec("chess"):
        bench.say("python-chess is not installed: no figures of it")
        return None
    play, games, started = chess_at_random(), 0, time.process_time()
    while games < 20 or time.process_time() - started < bench.seconds:
        play()
        games += 1
    return (time.process_time() - started) * 1000 / games
