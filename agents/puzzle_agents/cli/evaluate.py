"""`puzzle-envs evaluate`: how many levels a trained policy solves."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["NAME", "run"]

NAME = "evaluate"


def run(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL", help="A run's folder, a model's file, or a pretrained model's name."
        ),
    ],
    levels: Annotated[
        list[str], typer.Option(help="A set, such as test/5x5. Several times: all of them.")
    ],
    samples: Annotated[int, typer.Option(min=1, help="Episodes on each level.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="What chance depends on.")] = 0,
) -> int:
    """Play a set of levels with a trained policy, and with random legal actions beside it.

    Prints the share of levels solved with its 95 % interval (Wilson), by one episode and by the
    best of all, moves over the optimum, and time a level.

    Example: puzzle-envs evaluate runs/gardens --levels test/5x5
    """
    from rich.console import Console
    from rich.table import Column, Table

    from puzzle_agents.learning.evaluation import any_legal, evaluate
    from puzzle_agents.learning.model_file import puzzle_of
    from puzzle_agents.learning.pretrained import model_of

    policy = model_of(model)
    card = policy.card
    puzzle = puzzle_of(card.env).configured(**card.options)
    chosen = [level for name in levels for level in puzzle.format.find_all(name)]
    longest = int(card.training.get("longest", 1000))
    table = Table(
        Column("policy", no_wrap=True),
        *("solved in 1", "95 %", f"solved in {samples}", "95 %", "moves / optimum", "ms a level"),
        title=f"{model}: {len(chosen)} levels of {', '.join(levels)}",
    )
    for name, rate in ((card.algorithm, policy.scores), ("random", any_legal)):
        found = evaluate(
            rate, puzzle, chosen, room=card.room, samples=samples, longest=longest, seed=seed
        )
        table.add_row(
            name,
            *_share(found.rate(1), found.interval(1)),
            *_share(found.rate(samples), found.interval(samples)),
            f"{found.over_optimum:.3f}",
            f"{1000 * found.seconds / len(chosen):.1f}",
        )
    Console().print(table)
    return 0


def _share(rate: float, interval: tuple[float, float]) -> tuple[str, str]:
    low, high = interval
    return f"{100 * rate:.1f} %", f"{100 * low:.1f} to {100 * high:.1f}"
