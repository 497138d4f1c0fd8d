"""`sandtable train`: learn to judge a game's positions from matches between computer players."""

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable.cli.inputs import positive
from sandtable.cli.output import console, print_json, table

if TYPE_CHECKING:
    from sandtable.core import Game
    from sandtable.lab.judging import Learned


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument(
        "--matches", type=positive, default=500, metavar="N", help="how many matches to learn from (500)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="X", help="the same seed gives the same model (1)")
    parser.add_argument("--top", metavar="LEVEL", default="", help="the highest level that plays (colonel)")
    parser.add_argument("--tries", type=positive, metavar="N", help="how many tries a searching player makes (its own)")
    parser.add_argument("--rounds", type=positive, metavar="N", help="how many trees are grown at most (200)")
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes on this machine (1)")
    parser.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster; 'local' starts one here")
    parser.add_argument(
        "--lines", type=Path, metavar="FILE", help="a line there for every match; a stopped run goes on from it"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="where the model goes (the game's data/judgement.json)"
    )
    parser.add_argument("--docs", action="store_true", help="put the figures into docs/training.md")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def run(arguments: argparse.Namespace) -> int:
    import msgspec

    from sandtable.cli.app import BadInput
    from sandtable.cli.checkout import checkout
    from sandtable.cli.inputs import find_game
    from sandtable.cli.output import Progress
    from sandtable.lab.boosting import Settings
    from sandtable.lab.judging import learn
    from sandtable.lab.lines import Line, LinesOf
    from sandtable.lab.selfplay import Bout, Told, bouts, play
    from sandtable.lab.simulate import do_all
    from sandtable.players.judgement import FILE, write

    game = find_game(arguments.game)
    if arguments.docs:
        checkout("train --docs")
    out = arguments.out or game.home / FILE
    if not out.parent.is_dir():
        raise BadInput(f"{out.parent} is no folder")
    wanted = bouts(arguments.game, arguments.matches, arguments.seed, top=arguments.top, tries=arguments.tries)
    kept = LinesOf[Bout, Told](arguments.lines, Line[Bout, Told]) if arguments.lines else None
    finished = 0
    with Progress("playing", len(wanted), "matches") as bar:

        def one_more() -> None:
            nonlocal finished
            finished += 1
            bar.set(finished)

        records = do_all(play, wanted, Told, workers=arguments.workers, ray=arguments.ray, done=one_more, kept=kept)
    settings = Settings(rounds=arguments.rounds) if arguments.rounds else Settings()
    played = list(zip(wanted, records, strict=True))
    with Progress("learning", 100, "percent") as bar:
        learned = learn(
            game, played, command(arguments), settings=settings, seed=arguments.seed,
            told=lambda done, of: bar.set(100 * done // of),
        )  # fmt: skip
    try:
        write(out, learned.model)
    except OSError as error:
        raise BadInput(f"{out} cannot be written: {error.strerror or error}") from error
    if arguments.docs:
        docs(game, learned)
    if arguments.json:
        told = msgspec.to_builtins(learned)
        del told["model"]
        print_json(told)
        return 0
    show(game, learned)
    console(stderr=True).print(f"written: {out}", markup=False)
    return 0


def show(game: "Game[Any]", learned: "Learned") -> None:
    """Print what came of it."""
    shown = table("judgement", ">log loss", ">each match once", ">AUC", title=f"{game.title}: matches held out")
    for name, figures in (("learned", learned.learned), ("by hand", learned.by_hand)):
        shown.add_row(name, f"{figures.log_loss:.3f}", f"{figures.plain:.3f}", f"{figures.auc:.3f}")
    shown.add_row("how often each side wins", f"{learned.nothing:.3f}", "", "")
    console().print(shown)
    won = ", ".join(f"{name} {share:g}" for name, share in learned.wins.items())
    console().print(
        f"{learned.matches} matches ({won}), {learned.held_out} of them held out, {learned.positions} positions, "
        f"features: {len(learned.model.features)}, trees: {len(learned.model.trees)}"
    )


def command(arguments: argparse.Namespace) -> str:
    """The command that makes this model again."""
    words = ["./sandtable", "train", arguments.game, "--matches", str(arguments.matches), "--seed", str(arguments.seed)]
    for name in ("top", "tries", "rounds"):
        words += [f"--{name}", str(getattr(arguments, name))] if getattr(arguments, name) else []
    return shlex.join(words)


def docs(game: "Game[Any]", learned: "Learned") -> None:
    """Put the figures of a game into docs/training.md."""
    from sandtable.cli.checkout import checkout
    from sandtable.lab.judging import merged, section

    page = checkout("train --docs") / "docs" / "training.md"
    page.write_text(merged(page.read_text(encoding="utf-8"), game.id, section(game, learned)), encoding="utf-8")
