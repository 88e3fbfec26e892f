"""Rows of one folder, or of several whose shards are parts of one benchmark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from puzzle_agents.benchmark.published import PACKED
from puzzle_agents.benchmark.report.results import played_id
from puzzle_agents.benchmark.row import ROWS, Row, read_rows


def rows_of(folders: Sequence[Path]) -> list[Row]:
    """All rows of some folders, each once; a ValueError says why they are not parts of one."""
    found = [(folder, row) for folder in folders for row in _rows_in(folder)]
    if len(folders) == 1:
        return [row for _, row in found]
    _check_of_one_benchmark(found)
    kept: dict[str, tuple[Path, Row]] = {}
    for folder, row in found:
        where, same = kept.setdefault(row.key, (folder, row))
        if same != row:
            seed = "" if row.seed is None else f" with seed {row.seed}"
            raise ValueError(
                f"{where} and {folder} both have the run of {row.agent} on {row.level}{seed}, with "
                "different results; leave one of them out."
            )
    return [row for _, row in kept.values()]


def _check_of_one_benchmark(found: Iterable[tuple[Path, Row]]) -> None:
    said: dict[str, tuple[Path, str]] = {}
    for folder, row in found:
        for what, value in _shared(row):
            where, other = said.setdefault(what, (folder, value))
            if other != value:
                raise ValueError(
                    f"{where} and {folder} are not parts of one benchmark: {what} is {other:.80} "
                    f"in one and {value:.80} in the other; report on them separately."
                )


def _rows_in(folder: Path) -> list[Row]:
    found = [folder / name for name in (ROWS, PACKED) if (folder / name).is_file()]
    if not found:
        raise ValueError(
            f"{folder} has no {ROWS} or {PACKED}; name a folder that 'puzzle-envs bench' wrote "
            "results to."
        )
    path = found[0]
    rows = read_rows(path)
    if not rows:
        raise ValueError(f"{path} has no rows yet; run 'puzzle-envs bench' first.")
    return rows


def _shared(row: Row) -> Iterator[tuple[str, str]]:
    """What all rows of one benchmark have in common."""
    budget = row.budget
    yield "the suite", row.suite
    yield "the version of puzzle-envs", row.versions.get("puzzle-envs", "unknown")
    yield "the budget", f"{budget.seconds:,} s and {budget.memory:,} bytes"
    yield f"the agent {row.agent}", f"{row.name} {row.arguments}"
    level = f"the level {row.level} of {played_id(row)}"
    yield level, row.level_text
    yield f"the budget for {level}", f"{budget.transitions} transitions"
