"""Learned search on Boxoban, for comparison with papers, with the Sokoban of the tests.

    python -m benchmarks.boxoban FOLDER --output runs/boxoban --page docs/learned_models.md

FOLDER has train.txt and test.txt, floors in the usual characters with an empty line between two.
An expansion generates all pushes of a state, wherever the player has to walk.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from puzzle_agents.page import command_of, update
from puzzle_agents.search.learned.config import Config
from puzzle_agents.search.learned.measuring import HEADING, UNIFORM, found_on, table_of
from puzzle_agents.search.learned.model import load_model
from puzzle_agents.search.learned.run import train
from tests.sokoban import PUZZLE

TILINGS = ("cell", "plus", "square", "large", "square after", "large after", "square in place")
STEPS = 95_000_000
"""The published cost of training."""
KEPT = 200
"""The last training levels are for validation."""


def numbered(boards: list[str], path: Path) -> str:
    """Write boards with names to a file; return its name."""
    named = [re.sub("^;.*", f"; name: {number}", one) for number, one in enumerate(boards)]
    path.write_text("\n\n".join(named) + "\n")
    return str(path)


def main(
    folder: Annotated[Path, typer.Argument(help="The folder of train.txt and test.txt.")],
    output: Annotated[Path, typer.Option(help="A new folder for the runs.")],
    levels: Annotated[int, typer.Option(help="How many of the levels to train on.")] = 9_800,
    seeds: Annotated[int, typer.Option(help="How many seeds.")] = 3,
    page: Annotated[Path | None, typer.Option(help="A page of which to write a section.")] = None,
) -> None:
    """Train a model for each seed; print its and other agents' results on the test levels."""
    output.mkdir(parents=True)
    boards = (folder / "train.txt").read_text().strip().split("\n\n")
    test = numbered((folder / "test.txt").read_text().strip().split("\n\n"), output / "test.txt")
    config = Config(
        env=f"{PUZZLE.package}:{next(iter(PUZZLE.registered))}",
        levels=(numbered(boards[:-KEPT][:levels], output / "train.txt"),),
        validation=(numbered(boards[-KEPT:], output / "validation.txt"),),
        tilings=TILINGS,
        bits=20,
        steps=STEPS,
    )
    found = []
    for seed in range(seeds):
        one = Config(**{**vars(config), "seed": seed})
        model = load_model(train(one, output / str(seed), say=print))
        assert model.card is not None
        spent = model.card.training
        label = f"phs, seed {seed} ({spent['seconds']:.0f} s, {spent['steps']:,} expansions)"
        found.append(found_on(config, test, label, "phs", {"model": model}))
    for label, agent in (("phs, uniform policy", "phs"), ("greedy", "greedy"), ("astar", "astar")):
        found.append(found_on(config, test, label, agent, UNIFORM if agent == "phs" else {}))
    table = table_of("Boxoban", found)
    print(table.markdown())
    if page is not None:
        update(page, HEADING, {"Boxoban": [command_of("benchmarks.boxoban"), table]})


if __name__ == "__main__":
    typer.run(main)
