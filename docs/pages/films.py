"""The films of agents solving levels: `python -m docs.pages.films` draws them into docs/images.

python -m docs.pages.films                 # all of them
python -m docs.pages.films Kwirk-v0        # one
"""

from __future__ import annotations

import sys
from typing import NamedTuple


class Film(NamedTuple):
    """A film: an agent at a level, small enough for a page."""

    id: str
    level: str
    agent: str
    cell_pixels: int
    frames_per_step: int = 6
    frames_per_second: int = 20


FILMS = (
    Film("ZenGarden-v0", "mixed/4", "astar", 36),
    Film("HuaRongDao-v0", "test/11-20/1", "hua-rong-dao-bfs", 40, 5),
    Film("Kwirk-v0", "easy/9", "astar", 28, 8),
    Film("KwirkSteps-v0", "easy/2", "astar", 32, 3),
    Film("Skyscraper-v0", "5x5/hard-1", "skyscraper-exact", 44, 4),
)


def command_of(film: Film) -> str:
    """The command that draws it."""
    return (
        f"puzzle-envs record {film.id} {film.level} --agent {film.agent} "
        f"--output docs/images/{film.id}.gif --cell-pixels {film.cell_pixels} "
        f"--frames-per-step {film.frames_per_step} --frames-per-second {film.frames_per_second}"
    )


if __name__ == "__main__":
    from puzzle_agents.cli.app import main

    for film in FILMS:
        if film.id in (sys.argv[1:] or film.id):
            print(command_of(film))
            if code := main(command_of(film).split()[1:]):
                sys.exit(code)
