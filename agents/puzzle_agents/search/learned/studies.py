"""What learned search owes to what: ablations, and levels unlike those of training.

    python -m puzzle_agents.search.learned.studies ablations zen-garden validation/8x8
    python -m puzzle_agents.search.learned.studies tiers zen-garden --levels 30

The first trains the preset of a model again and again, each time with something left out, and
searches a set with each; the second searches the test sets of kinds that there are no training
sets of, with the model in the package and with other agents. Tables go to the standard output.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from puzzle_agents.search.learned.config import Config
from puzzle_agents.search.learned.measuring import HEADS, UNIFORM, Found, found_on
from puzzle_agents.search.learned.model import load_model
from puzzle_agents.search.learned.presets import PRESETS
from puzzle_agents.search.learned.run import train
from puzzle_agents.table import Table, columns

app = typer.Typer(add_completion=False)

FEW = 2
"""So many tilings are kept where most are left out."""
Row = tuple[str, str, dict[str, Any]]
"""A label, an agent and its arguments."""
ALONE: tuple[Row, ...] = (
    ("uniform policy alone (levin)", "levin", UNIFORM),
    ("heuristic and uniform policy (phs)", "phs", UNIFORM),
    ("heuristic alone (greedy)", "greedy", {}),
)
OTHERS: tuple[Row, ...] = (
    ("phs", "phs", {}),
    ("phs, uniform policy", "phs", UNIFORM),
    ("greedy", "greedy", {}),
    ("astar", "astar", {}),
    ("bfws", "bfws", {}),
)
KIN = ("phs", "levin", "rooted", "guided-greedy", "guided-beam")


def variants(config: Config) -> Iterator[tuple[str, Config]]:
    """Configurations that lack something, by what they lack."""
    yield "a tenth of the levels", replace(config, every=10)
    if len(config.tilings) > FEW:
        yield f"{FEW} tilings", replace(config, tilings=config.tilings[-FEW:])
    if config.views > 1:
        yield "one view", replace(config, views=1)
    if config.teacher is not None:
        yield "no teacher", replace(config, teacher=None, epochs=2, steps=1_000_000)


Preset = Annotated[str, typer.Argument(help="A preset, such as zen-garden.")]
Most = Annotated[int, typer.Option("--levels", min=1, help="Levels of each set, the first ones.")]


@app.command()
def ablations(
    preset: Preset,
    sets: Annotated[list[str], typer.Argument(help="Sets to search.")],
    levels: Most = 1000,
) -> None:
    """Train a preset with something left out, and search sets with each of these models."""
    config = PRESETS[preset]
    rows = [*ALONE, *_trained(config, "everything", KIN)]
    for label, other in variants(config):
        rows += _trained(other, label, ("phs",))
    for name in sets:
        _tell(name, [found_on(config, name, *row, levels) for row in rows])


@app.command()
def tiers(preset: Preset, levels: Most = 1000) -> None:
    """Search the test sets of kinds that there are no training sets of."""
    config = PRESETS[preset]
    sets = config.puzzle.format.sets()
    for name in sets:
        split, _, kind = name.partition("/")
        if split == "test" and f"train/{kind}" not in sets:
            _tell(name, [found_on(config, name, *row, levels) for row in OTHERS])


def _trained(config: Config, label: str, agents: tuple[str, ...]) -> list[Row]:
    """Rows of agents with a new model."""
    with TemporaryDirectory() as folder:
        model = load_model(train(config, Path(folder) / "run"))
    assert model.card is not None
    seconds = model.card.training["seconds"]
    return [
        (f"{agent}, {label} ({seconds:.0f} s of training)", agent, {"model": model})
        for agent in agents
    ]


def _tell(name: str, found: list[Found]) -> None:
    """Print a table."""
    table = Table(f"{len(found[0].levels)} levels of {name}", columns(HEADS))
    for one in found:
        table.add(*one.cells())
    print(table.markdown(), flush=True)


if __name__ == "__main__":
    app()
