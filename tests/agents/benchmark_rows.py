"""Rows of a benchmark for tests of reports: made up, or with solutions of real agents."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium

from puzzle_agents import registry
from puzzle_agents.agent import Budget
from puzzle_agents.benchmark.row import KINDS, Kind, Limits, Row
from puzzle_envs.env import PuzzleEnv

PLAIN = Row(
    suite="test", key="0" * 16, env="ZenGarden-v0", options={}, level="set/1", level_text="one",
    agent="astar", name="astar", arguments={}, kind="search", seed=None,
    budget=Limits(10.0, 2**31, None), status="solved", error=None, optimum=None, solvable=None,
    moves=4, proved_optimal=False, bound=None, actions=None, verified=True, expanded=100,
    generated=300, unique=200, evaluated=200, reopened=0, seconds=1.0, cpu_seconds=1.0,
    warm_seconds=0.1, peak_bytes=2_000_000, peak_rss=0, train_steps=None, train_seconds=None,
    began="2026-01-01T00:00:00+00:00", load=0.5, versions={"puzzle_envs": "0.1.0"}, cpu="a CPU",
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


def played(
    env_id: str, level: str, agent: str, kind: Kind, *, seed: int | None = None,
    options: dict[str, Any] | None = None, expansions: int = 200_000,
) -> Row:  # fmt: skip
    """The row of an agent that really tries a bundled level."""
    env = gymnasium.make(env_id, level=level, disable_env_checker=True, **options or {})
    env.reset(seed=0)
    made = env.unwrapped
    assert isinstance(made, PuzzleEnv)
    arguments = {} if seed is None else {"seed": seed}
    result = registry.make(agent, Budget(60.0, expansions=expansions), **arguments).solve(env)
    return row(
        env=env_id, options=options or {}, level=made.level.name,
        level_text=made.puzzle.format.text(made.level), agent=agent, name=agent,
        arguments=arguments, kind=kind, seed=seed, status=str(result.status),
        optimum=made.level.optimum, solvable=made.level.solvable, moves=result.moves,
        proved_optimal=result.proved_optimal, bound=result.bound,
        actions=result.actions if result.solved else None, verified=result.solved,
        expanded=result.expanded, generated=result.generated, unique=result.unique,
        evaluated=result.evaluated, seconds=result.seconds, cpu_seconds=result.seconds,
        peak_bytes=result.peak_bytes,
    )  # fmt: skip


LEVELS = {
    "ZenGarden-v0": ("first-steps/1", "mixed/1", "leaves/1", "ornaments/2", "rocks/2"),
    "HuaRongDao-v0": ("train/1-10/1", "classics/1"),
    "Kwirk-v0": ("easy/2", "easy/3", "easy/6"),
    "KwirkSteps-v0": ("two/1",),
    "Skyscraper-v0": ("4x4/easy-1", "5x5/easy-1"),
}


def real_rows(levels: dict[str, Sequence[str]]) -> list[Row]:
    """Quick agents of several kinds on bundled levels."""
    rows = []
    for env, names in levels.items():
        exact = {"Skyscraper-v0": "skyscraper-exact", "HuaRongDao-v0": "hua-rong-dao-bfs"}.get(env)
        evolution = {"ZenGarden-v0": "zen-ga", "Skyscraper-v0": "skyscraper-ga"}.get(env)
        for name in names:
            if env != "Skyscraper-v0":
                rows += [played(env, name, agent, "search") for agent in ("bfs", "astar")]
            if exact:
                rows.append(played(env, name, exact, "exact"))
            for seed in range(2):
                rows.append(played(env, name, "random", "random", seed=seed, expansions=3000))
                if evolution:
                    rows.append(played(env, name, evolution, "evolution", seed=seed))
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
                like, key=f"{number:016x}", agent=f"agent-{agent % 12}", kind=KINDS[agent % 5],
                seed=number // (12 * len(rows)), proved_optimal=False, bound=None,
                expanded=int(10 ** chance.uniform(1, 6)), generated=int(10 ** chance.uniform(1, 7)),
                **({"cpu_seconds": 10 ** chance.uniform(-3, 1)} if solved else UNSOLVED),
            )
        )  # fmt: skip
    return made
