"""Learned search on boxes whose piece sets do not occur in its training.

    python -m benchmarks.piece_sets --page docs/learned_models.md

The piece sets of the training layouts are split into FOLDS parts. For each part, the preset is
trained on its levels without those whose piece sets are in this one, and searches the validation
layouts whose piece sets are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import numpy as np
import typer

from puzzle_agents.learning.levels import levels_of
from puzzle_agents.page import command_of, update
from puzzle_agents.search.learned.measuring import HEADING, UNIFORM, Found, found_on, table_of
from puzzle_agents.search.learned.model import Model, load_model
from puzzle_agents.search.learned.presets import PRESETS
from puzzle_agents.search.learned.run import train
from puzzle_envs.hua_rong_dao.level import pieces_of
from puzzle_envs.level import Level, save_levels

FOLDS = 3
CONFIG = PRESETS["hua-rong-dao"]
BINS = ("1-10", "11-20", "21-40", "41-80", "81-138")


def blocks_of(level: Level) -> Hashable:
    """The sizes of a level's blocks, and how often each occurs."""
    sizes = Counter((piece.height, piece.width) for piece in pieces_of(level.record))
    return frozenset(sizes.items())


def held_out(levels: Sequence[Level], seed: int) -> list[set[Hashable]]:
    """The sets of blocks of each part."""
    sets = sorted({blocks_of(level) for level in levels}, key=repr)
    order = np.random.default_rng(seed).permutation(len(sets))
    return [{sets[number] for number in order[fold::FOLDS]} for fold in range(FOLDS)]


def saved(path: Path, levels: Sequence[Level]) -> str:
    """Write levels to a file; return its name."""
    numbered = [replace(level, name=str(place)) for place, level in enumerate(levels)]
    save_levels(path, CONFIG.puzzle.format, numbered, "")
    return str(path)


def trained(folder: Path, levels: Sequence[Level], seed: int) -> Model:
    """The preset's model, trained on these levels."""
    folder.mkdir()
    config = replace(CONFIG, levels=(saved(folder / "levels.txt", levels),), seed=seed)
    return load_model(train(config, folder / "run"))


def main(
    split: Annotated[str, typer.Option(help="The split to search.")] = "validation",
    seed: Annotated[int, typer.Option(help="Of the parts and of the training.")] = 0,
    page: Annotated[Path | None, typer.Option(help="A page of which to write a section.")] = None,
) -> None:
    """Print a table for each bin of the levels' lengths."""
    find = CONFIG.puzzle.format.find_all
    unseen = dict[str, list[list[Found]]]()
    levels = [one for name in CONFIG.levels for one in levels_of(CONFIG.puzzle, name, seed)]
    with TemporaryDirectory() as temporary:
        for fold, left_out in enumerate(held_out(find("train"), seed)):
            folder = Path(temporary) / str(fold)
            model = trained(folder, [one for one in levels if blocks_of(one) not in left_out], seed)
            rows: tuple[tuple[str, str, dict[str, Any]], ...] = (
                ("phs, sets held out", "phs", {"model": model}),
                ("phs, uniform policy", "phs", UNIFORM),
                ("greedy", "greedy", {}),
            )
            for bin in BINS:
                new = [one for one in find(f"{split}/{bin}") if blocks_of(one) in left_out]
                if not new:
                    continue
                name = saved(folder / f"{bin}.txt", new)
                unseen.setdefault(bin, []).append([found_on(CONFIG, name, *row) for row in rows])
    tables = [
        table_of(f"{split}/{bin}", [_joined(parts) for parts in zip(*folds, strict=True)])
        for bin, folds in unseen.items()
    ]
    for table in tables:
        print(table.markdown(), flush=True)
    if page is not None:
        said = command_of("benchmarks.piece_sets")
        update(page, HEADING, {"Piece sets held out: Hua Rong Dao": [said, *tables]})


def _joined(parts: Sequence[Found]) -> Found:
    """The results of an agent on the levels of all parts."""
    return Found(
        parts[0].label,
        [result for part in parts for result in part.results],
        [level for part in parts for level in part.levels],
        sum(part.seconds for part in parts),
    )


if __name__ == "__main__":
    typer.run(main)
