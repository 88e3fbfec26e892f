"""Skyscraper grids as sequences of writes, shared by the agents for Skyscraper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from puzzle_agents.agent import WrongPuzzleError
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Record
from puzzle_envs.skyscraper.codec import writing
from puzzle_envs.skyscraper.level import heights_in, packed_heights

__all__ = [
    "heights_of",
    "skyscraper_record",
    "until_solved",
    "words_of",
    "write_of",
    "writes_of",
]


def skyscraper_record(env: Any, agent: str) -> Record:
    """The level of a Skyscraper environment; other puzzles are rejected."""
    if not isinstance(env, PuzzleEnv) or env.puzzle.format.puzzle != "skyscraper":
        title = env.puzzle.title if isinstance(env, PuzzleEnv) else env
        raise WrongPuzzleError(f"{agent} solves Skyscraper only, not {title}.")
    return env.record[0]


def heights_of(record: Record, words: Sequence[int]) -> list[int]:
    """The height in each cell of a state; 0 if empty."""
    packed = sum(int(word) << 64 * place for place, word in enumerate(words))
    return heights_in(packed, int(record["size"]) ** 2)


def words_of(heights: Sequence[int]) -> list[int]:
    """The state with these heights."""
    packed = packed_heights(heights)
    count = -(-max(packed.bit_length(), 4 * len(heights)) // 64)
    return [packed >> 64 * word & 2**64 - 1 for word in range(count)]


def write_of(record: Record, cell: int, height: int) -> int:
    """The action that writes a height into a cell."""
    row, column = divmod(cell, int(record["size"]))
    largest = int(record["largest"])
    return writing(largest, row * largest + column, height)


def until_solved(env: PuzzleEnv, writes: Sequence[int]) -> list[int]:
    """The writes up to the first solved state: wrong heights may lead past another solution."""
    copied = env.simulation(observation="planes")
    _, info = copied.set_state(copied.get_state())
    needed: list[int] = []
    for action in writes:
        if info["solved"]:
            break
        info = copied.step(action)[4]
        needed.append(action)
    return needed


def writes_of(env: PuzzleEnv, solution: Sequence[int]) -> list[int]:
    """The writes that turn the environment's grid into a solution, row by row."""
    record = env.record[0]
    heights = heights_of(record, env.get_state().words)
    writes = [
        write_of(record, cell, height)
        for cell, height in enumerate(solution)
        if height != heights[cell]
    ]
    return until_solved(env, writes)
