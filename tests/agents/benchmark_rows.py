"""Rows of a benchmark for tests of reports: made up, or with solutions that agents found."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from puzzle_agents.benchmark.row import Limits, Row
from puzzle_agents.environments import make_env
from puzzle_agents.registry import KINDS, Kind
from tests.walks import replayed

PLAIN = Row(
    suite="test", key="0" * 16, env="ZenGarden-v0", options={}, level="set/1", level_text="one",
    agent="astar", name="astar", arguments={}, kind="search", seed=None,
    budget=Limits(10.0, 2**31, None), status="solved", error=None, optimum=None, known=None,
    solvable=None,
    moves=4, proved_optimal=False, bound=None, actions=None, found=[], verified=True, expanded=100,
    generated=300, unique=200, evaluated=200, reopened=0, seconds=1.0, cpu_seconds=1.0,
    warm_seconds=0.1, preparing=0.0, peak_bytes=2_000_000, peak_rss=0, train_steps=None,
    train_seconds=None,
    began="2026-01-01T00:00:00+00:00", load=0.5, versions={"puzzle-envs": "0.1.0"}, cpu="a CPU",
    cores=2,
)  # fmt: skip

UNSOLVED: dict[str, Any] = {
    "status": "out of time", "moves": None, "actions": None, "verified": False,
    "cpu_seconds": 10.0,
}  # fmt: skip


def row(**changes: Any) -> Row:
    """A row of A*, solved in 4 moves, with changes."""
    return replace(PLAIN, **changes)


def write_rows(folder: Path, rows: Iterable[Row]) -> Path:
    """A results folder."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{one.to_json()}\n" for one in rows)
    (folder / "rows.jsonl").write_text(lines, encoding="utf-8")
    return folder


SOLUTIONS: dict[tuple[str, str], list[tuple[str, Kind, list[int]]]] = {
    ("ZenGarden-v0", "first-steps/1"): [
        ("bfs", "search", [0, 2, 1]),
        ("astar", "search", [0, 5, 14, 2, 13]),
        ("zen-ga", "evolution", [2, 7, 8]),
    ],
    ("ZenGarden-v0", "mixed/1"): [
        ("astar", "search", [10, 21, 0, 21, 21, 11, 21, 21, 17, 22, 21, 22]),
        ("random", "random", [17, 20, 21, 7, 21, 18, 21, 16, 21, 20, 22, 19, 21, 13, 22, 22]),
    ],
    ("ZenGarden-v0", "leaves/1"): [("astar", "search", [3, 15, 18, 11, 18, 18])],
    ("ZenGarden-v0", "ornaments/2"): [("astar", "search", [12, 16, 17, 7, 18, 18, 17, 3, 17])],
    ("HuaRongDao-v0", "train/1-10/1"): [
        ("astar", "search", [39, 6, 15, 11, 24, 40, 56, 41, 72, 56, 49]),
    ],
    ("Kwirk-v0", "easy/3"): [("astar", "search", [61, 120, 61, 65, 78])],
    ("Kwirk-v0", "easy/6"): [("astar", "search", [164, 89, 103, 99, 95, 42])],
    ("KwirkSteps-v0", "two/1"): [
        ("astar", "search", [4, 1, 2, 1, 1, 0, 0, 3, 1, 2, 2, 3, 3, 0, 3, 0, 0, 1, 2, 2, 3, 2, 1, 1,
                             1, 4, 3, 4, 0, 4, 3, 4, 0, 4, 0, 4, 0, 4, 0, 1, 0, 1]),
    ],
    ("Skyscraper-v0", "4x4/easy-1"): [
        ("skyscraper-exact", "exact", [63, 3, 5, 10, 54, 56, 43, 23, 36, 16, 34, 30, 45, 25]),
    ],
}  # fmt: skip
"""What agents found on bundled levels."""


def solved_row(env_id: str, level: str, actions: list[int], **changes: Any) -> Row:
    """The row of a solution that is played here."""
    env = make_env(env_id, level, disable_env_checker=True)
    info = replayed(env, actions)
    return row(
        env=env_id, level=env.level.name, level_text=env.puzzle.format.text(env.level),
        optimum=env.level.optimum, moves=info["moves"], actions=actions, **changes,
    )  # fmt: skip


def real_rows() -> list[Row]:
    """Solutions of four puzzles, and a failed row for each level."""
    rows = []
    for (env, level), solutions in SOLUTIONS.items():
        for agent, kind, actions in solutions:
            seed = 0 if kind in ("random", "evolution") else None
            rows.append(solved_row(env, level, actions, agent=agent, kind=kind, seed=seed))
        rows.append(replace(rows[-1], agent="dfs", kind="search", seed=None, **UNSOLVED))
    return rows


def many(rows: Sequence[Row], count: int, seed: int = 0) -> list[Row]:
    """So many rows with these rows' levels and solutions, other agents and other figures."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        like = rows[number % len(rows)]
        agent = number // len(rows)
        solved = like.solved and chance.random() < 0.8
        made.append(
            replace(
                like, key=f"{number:016x}", agent=f"agent-{agent % 12}",
                kind=KINDS[agent % len(KINDS)],
                seed=number // (12 * len(rows)), proved_optimal=False, bound=None,
                expanded=int(10 ** chance.uniform(1, 6)), generated=int(10 ** chance.uniform(1, 7)),
                **({"cpu_seconds": 10 ** chance.uniform(-3, 1)} if solved else UNSOLVED),
            )
        )  # fmt: skip
    return made
