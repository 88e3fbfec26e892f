"""Studies of learned search: ablations, and levels unlike those of training.

    python -m puzzle_agents.search.learned.studies ablations zen-garden validation/8x8
    python -m puzzle_agents.search.learned.studies tiers zen-garden --levels 30
    python -m puzzle_agents.search.learned.studies ladders --levels 30
    python -m puzzle_agents.search.learned.studies ladders zen-garden --tier 16x16 --seconds 100
    python -m puzzle_agents.search.learned.studies networks hua-rong-dao validation/21-40

The first retrains the preset of a model with one component left out at a time, and searches a set
with each model; the second searches the test sets of tiers without training sets, with the model in
the package and with other agents; the third does so on all validation tiers of which A* solves less
than half; the fourth compares the model in the package with a pretrained policy network in the same
search. Tables are printed to standard output and, with `--page docs/learned_models.md`, written as
a section of that page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from puzzle_agents.page import command_of, update
from puzzle_agents.search.learned.config import Config
from puzzle_agents.search.learned.measuring import (
    HEADING,
    UNIFORM,
    Row,
    found_on,
    others,
    table_of,
)
from puzzle_agents.search.learned.model import load_model
from puzzle_agents.search.learned.presets import PRESETS
from puzzle_agents.search.learned.run import train
from puzzle_agents.table import Table, columns

app = typer.Typer(add_completion=False)

FEW = 2
"""Number of tilings kept in the ablation of tilings."""
ALONE: tuple[Row, ...] = (
    ("uniform policy alone (levin)", "levin", UNIFORM),
    ("heuristic and uniform policy (phs)", "phs", UNIFORM),
    ("heuristic alone (greedy)", "greedy", {}),
)
GUIDED = ("phs", "rooted")
"""With the model in the package."""
PLAIN = ("greedy", "astar", "bfws")
TIER_HEADS = ("environment", "tier", "levels", *GUIDED, "phs, uniform policy", *PLAIN, "gain")
KIN = ("phs", "levin", "rooted", "guided-greedy", "guided-beam")


def variants(config: Config) -> Iterator[tuple[str, Config]]:
    """Configurations with one component left out, each with a label."""
    yield "a tenth of the levels", replace(config, every=10)
    if len(config.tilings) > FEW:
        yield f"{FEW} tilings", replace(config, tilings=config.tilings[-FEW:])
    if config.views > 1:
        yield "one view", replace(config, views=1)
    if config.teacher is not None:
        yield "no teacher", replace(config, teacher=None, epochs=2, rounds=0, steps=1_000_000)
    if config.rounds:
        yield "only the teacher's solutions", replace(config, epochs=6, rounds=0)


Preset = Annotated[str, typer.Argument(help="A preset, such as zen-garden.")]
Most = Annotated[int, typer.Option("--levels", min=1, help="Levels of each set, the first ones.")]
Page = Annotated[Path | None, typer.Option(help="A page of which to write a section.")]


@app.command()
def ablations(
    preset: Preset,
    sets: Annotated[list[str], typer.Argument(help="Sets to search.")],
    levels: Most = 1000,
    page: Page = None,
) -> None:
    """Train a preset with something left out, and search sets with each of these models."""
    config = PRESETS[preset]
    rows = [*ALONE, *_trained(config, "everything", KIN)]
    for label, other in variants(config):
        rows += _trained(other, label, ("phs",))
    tables = [
        table_of(name, [found_on(config, name, *row, levels) for row in rows]) for name in sets
    ]
    _tell(page, f"Ablations: {config.puzzle.title}", tables)


@app.command()
def ladders(
    presets: Annotated[list[str] | None, typer.Argument(help="Presets; by default all.")] = None,
    levels: Most = 1000,
    tier: Annotated[list[str] | None, typer.Option(help="Tiers; by default all.")] = None,
    seconds: Annotated[
        float,
        typer.Option(min=0, help="CPU time of a tier for A*; the others search the same levels."),
    ] = math.inf,
    page: Page = None,
) -> None:
    """Compare on validation tiers of which A* solves less than half."""
    table = Table("Solved, %", columns(TIER_HEADS, names=2))
    for config in (PRESETS[preset] for preset in presets or PRESETS):
        for name in config.puzzle.format.sets():
            split, _, kind = name.partition("/")
            if split == "validation" and (not tier or kind in tier):
                cells = _tier(config, name, levels, seconds)
                if cells:
                    table.add(*cells)
    titles = [PRESETS[preset].puzzle.title for preset in presets or PRESETS]
    _tell(page, f"Tiers of which A* solves less than half: {', '.join(titles)}", [table])


def _tier(config: Config, name: str, levels: int, seconds: float) -> list[str]:
    """The row of a tier, shares in percent; empty if A* solves half of it."""
    rows = {label: (label, agent, given) for label, agent, given in others(config)}
    found = {"astar": found_on(config, name, *rows["astar"], levels, seconds)}
    count = len(found["astar"].levels)
    if 2 * len(found["astar"].solved) >= count:
        return []
    rows |= {row[0]: row for row in _guided()}
    for label in (*GUIDED, "phs, uniform policy", *PLAIN):
        if label not in found:
            found[label] = found_on(config, name, *rows[label], count)
    share = {label: 100 * len(one.solved) / count for label, one in found.items()}
    gain = share["phs"] - max(share[label] for label in PLAIN)
    shares = [f"{share[label]:.0f}" for label in TIER_HEADS[3:-1]]
    return [config.env, name, str(count), *shares, f"{gain:+.0f}"]


@app.command()
def tiers(preset: Preset, levels: Most = 1000, page: Page = None) -> None:
    """Search the test sets of tiers without training sets."""
    config, tables = PRESETS[preset], []
    sets = config.puzzle.format.sets()
    for name in sets:
        split, _, kind = name.partition("/")
        if split == "test" and f"train/{kind}" not in sets:
            rows = (*_guided(), *others(config))
            tables.append(_compared(config, name, rows, levels))
    _tell(page, f"Tiers without training levels: {config.puzzle.title}", tables)


@app.command()
def networks(
    preset: Preset,
    sets: Annotated[list[str], typer.Argument(help="Sets to search.")],
    levels: Most = 1000,
    page: Page = None,
) -> None:
    """Search sets by PHS* with the model in the package, a policy network, and neither."""
    from puzzle_agents.search.learned.network import NetworkPHS

    config = PRESETS[preset]
    used = {"heuristic": config.heuristic} if config.heuristic else {}
    rows: list[Row] = [
        ("phs, the model in the package", "phs", {}),
        ("phs, a policy network", NetworkPHS, used),
        ("phs, uniform policy", "phs", UNIFORM | used),
    ]
    tables = [
        table_of(name, [found_on(config, name, *row, levels) for row in rows]) for name in sets
    ]
    _tell(page, f"A policy network in the same search: {config.puzzle.title}", tables)


def _compared(config: Config, name: str, rows: Sequence[Row], levels: int) -> Table:
    """The results of agents on the first levels of a set."""
    return table_of(name, [found_on(config, name, *row, levels) for row in rows])


def _guided() -> list[Row]:
    """The agents with the model in the package."""
    return [(agent, agent, {}) for agent in GUIDED]


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


def _tell(page: Path | None, section: str, tables: Sequence[Table]) -> None:
    """Print tables, and write them as a section of a page."""
    for table in tables:
        print(table.markdown(), flush=True)
    if page is not None:
        said = command_of("puzzle_agents.search.learned.studies")
        update(page, HEADING, {section: [said, *tables]})


if __name__ == "__main__":
    app()
