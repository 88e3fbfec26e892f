"""Recordings of solutions for the page: the states that a row's actions lead through.

A state is a number per cell: bit i is plane i of the observation. A step is a list of changes,
cells alternating with their new numbers. For a puzzle without a replay, a state is text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np

from puzzle_agents.benchmark.report.results import Results, holds
from puzzle_agents.benchmark.row import Row
from puzzle_agents.environments import check_imported
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.replay import Replay

LONGEST = 2000
"""Maximum number of recorded steps; the page says when an episode is truncated."""
MOST_PLANES = 52
"""Maximum number of planes: bits of a JavaScript number."""
MOST_BYTES = 8_000_000
"""Maximum size of all episodes in the page; beyond it the longest are left out."""


@dataclass
class Episodes:
    """The recordings, for JSON, and the rows whose replay contradicts the row."""

    boards: list[dict[str, Any]] = field(default_factory=list)
    """The initial states of levels."""
    episodes: list[dict[str, Any]] = field(default_factory=list)
    of_row: dict[int, int] = field(default_factory=dict)
    """The index of a row's episode; rows with the same solution share one."""
    left_out: set[int] = field(default_factory=set)
    """Rows whose episodes would make the page too large."""
    faults: dict[int, str] = field(default_factory=dict)
    drawings: dict[str, Replay] = field(default_factory=dict)
    """Drawing code of puzzles, by their names in boards."""


def record(results: Results, most_bytes: int = MOST_BYTES) -> Episodes:
    """Replay the solution of every solved row, equal ones once."""
    recorded = Episodes()
    by_level: dict[Any, list[int]] = {}
    for number, row in enumerate(results.rows):
        if holds(row) and row.actions is not None:
            by_level.setdefault(results.level_of(row), []).append(number)
    sizes: list[tuple[int, int]] = []
    for numbers in by_level.values():
        _record_level(results.rows, numbers, recorded, sizes)
    _keep_within(recorded, sizes, most_bytes)
    return recorded


def _record_level(
    rows: list[Row], numbers: list[int], recorded: Episodes, sizes: list[tuple[int, int]]
) -> None:
    first = rows[numbers[0]]
    try:
        recorder = _Recorder(first)
    except (gymnasium.error.Error, ValueError, TypeError) as error:
        sentence = f"the level cannot be replayed here ({' '.join(str(error).split())})"
        recorded.faults.update(dict.fromkeys(numbers, f"{sentence.rstrip('.')}."))
        return
    known: dict[tuple[int, ...], tuple[int, int | None]] = {}
    board = len(recorded.boards)
    recorded.boards.append(recorder.board())
    if recorder.replay is not None:
        recorded.drawings[recorder.puzzle] = recorder.replay
    for number in numbers:
        row = rows[number]
        assert row.actions is not None
        plan = tuple(row.actions)
        if plan not in known:
            episode, moves = recorder.episode(plan)
            known[plan] = len(recorded.episodes), moves
            sizes.append((len(json.dumps(episode)), len(recorded.episodes)))
            recorded.episodes.append({"board": board, **episode})
        place, moves = known[plan]
        recorded.of_row[number] = place
        if moves is None:
            recorded.faults[number] = "the replay of its actions does not solve the level."
        elif moves != row.moves:
            recorded.faults[number] = f"its replay takes {moves} moves, not {row.moves}."


def _keep_within(recorded: Episodes, sizes: list[tuple[int, int]], most_bytes: int) -> None:
    total = sum(size for size, _ in sizes)
    for size, place in sorted(sizes, reverse=True):
        if total <= most_bytes:
            break
        total -= size
        recorded.episodes[place] = {}
    for number, place in list(recorded.of_row.items()):
        if not recorded.episodes[place]:
            del recorded.of_row[number]
            recorded.left_out.add(number)


class _Recorder:
    """Replays plans on one level."""

    def __init__(self, row: Row) -> None:
        check_imported(row.env)
        made = gymnasium.make(
            row.env, level=row.level_text, disable_env_checker=True, **row.options
        ).unwrapped
        if not isinstance(made, PuzzleEnv):
            raise TypeError(f"{row.env} is not an environment of puzzle_envs")
        self._env = made
        self.puzzle, self.replay = made.puzzle.package, made.puzzle.replay
        if self.replay is None:
            made.render_mode = "ansi"
        planes, info = made.reset()
        if self.replay is not None and len(self.replay.shown(planes)) > MOST_PLANES:
            raise ValueError(f"a page shows {MOST_PLANES} planes at most")
        # Replays restart from here without reading the level again.
        self._start = made.get_state()
        self._solved_at_once = bool(info["solved"])
        self._first = planes

    def board(self) -> dict[str, Any]:
        """The initial state, and what never changes."""
        board: dict[str, Any] = {"puzzle": self.puzzle, "title": self._env.puzzle.title}
        if self.replay is None:
            return board | {"text": str(self._env.render())}
        planes = self.replay.shown(self._first)
        _, height, width = planes.shape
        board |= {"height": height, "width": width, "cells": _bits(planes).ravel().tolist()}
        return {**board, **self.replay.facts(self._first)}

    def episode(self, plan: tuple[int, ...]) -> tuple[dict[str, Any], int | None]:
        """The steps of a plan with move counts; its moves, None if it is not a solution."""
        env = self._env
        env.set_state(self._start)
        actions, over = int(env.action_space.n), False
        solved, illegal, last = self._solved_at_once, False, 0
        planes, texts, moves = [self._first], [], []
        for number, action in enumerate(plan):
            if over or not 0 <= action < actions:
                illegal = True
                break
            seen, _, over, _, info = env.step(action)
            solved, last = bool(info["solved"]), int(info["moves"])
            illegal = illegal or bool(info["illegal"])
            if number < LONGEST:
                moves.append(last)
                if self.replay is None:
                    texts.append(str(env.render()))
                else:
                    planes.append(seen)
        steps = texts if self.replay is None else _changes(self._states(planes))
        episode = {
            "actions": plan[: len(moves)], "moves": moves, "steps": steps, "length": len(plan)
        }  # fmt: skip
        return episode, last if solved and not illegal else None

    def _states(self, planes: list[Any]) -> Any:
        assert self.replay is not None
        return _bits(np.stack([self.replay.shown(one) for one in planes]))


def _bits(planes: Any) -> Any:
    """Pack planes (..., planes, height, width) to a number per cell."""
    weights = 1 << np.arange(planes.shape[-3], dtype=np.int64)
    return (planes.astype(np.int64) * weights[:, None, None]).sum(axis=-3)


def _changes(states: Any) -> list[list[int]]:
    """For each state but the first, the changed cells and their new numbers."""
    flat = states.reshape(len(states), -1)
    differ = flat[1:] != flat[:-1]
    changes: list[list[int]] = [[] for _ in range(len(flat) - 1)]
    steps, cells = np.nonzero(differ)
    values = flat[1:][differ]
    for step, cell, value in zip(steps.tolist(), cells.tolist(), values.tolist(), strict=True):
        changes[step] += (cell, value)
    return changes
