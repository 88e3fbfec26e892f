"""An environment's page: its docstring, its codec, its levels, and the agents that play it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence

from docs.pages.links import DOCS
from puzzle_agents.cli.listing import levels_table
from puzzle_agents.environments import class_of, ids, puzzle_of
from puzzle_agents.registry import AGENTS
from puzzle_agents.table import escaped
from puzzle_envs.codec import Codec, Shape

SHOWN = 12
"""Actions of a table; the rest continue in the same way."""


def names() -> list[str]:
    """The ids, each of which has a page."""
    return ids()


def page(id: str) -> str:
    """The page of an environment."""
    task, _, manual = inspect.cleandoc(class_of(id).__doc__ or "").partition("\n\n")
    return "\n\n".join(
        (f"# {id}", task, *_picture(id), manual, _codec(id), _levels(id), _agents(id))
    )


def _picture(id: str) -> list[str]:
    """The film of an agent, with its command."""
    from docs.pages.films import FILMS, command_of

    film = next(film for film in FILMS if film.id == id)
    return [
        f"![{film.agent} solves {film.level}](images/{id}.gif)",
        f"`{film.agent}` solves `{film.level}`:\n\n```sh\n{command_of(film)}\n```",
    ]


def _codec(id: str) -> str:
    """The planes and actions of the default level, as the codec names them."""
    puzzle = puzzle_of(id)
    shape = puzzle.format.shape(puzzle.format.find(puzzle.default_level)[0].record)
    planes = puzzle.codec.planes(shape)
    return "\n\n".join(
        (
            f"## Planes and actions of `{puzzle.default_level}`",
            f"From the codec, for {len(planes)} planes of {shape.width} by {shape.height} cells "
            f"and {shape.actions} actions.",
            table(("Plane", "1 for"), ((str(n), name) for n, name in enumerate(planes))),
            table(("Action", "Row, column, from 0", "Means"), _actions(puzzle.codec, shape)),
        )
    )


def _actions(codec: Codec, shape: Shape) -> list[tuple[str, str, str]]:
    """The first actions, and the last."""
    rows = []
    for action, (cell, _) in enumerate(codec.places(shape)):
        place = "–" if cell < 0 else ", ".join(map(str, divmod(cell, shape.width)))
        rows.append((str(action), place, codec.action_text(action, shape)))
    if len(rows) > SHOWN:
        rows[SHOWN // 2 : -SHOWN // 2] = [("…", "…", "…")]
    return rows


def _levels(id: str) -> str:
    """The sets of levels, with their difficulty if measured."""
    parts = [
        "## Levels",
        "[Levels](levels.md) describes the tiers and defines the figures.",
        _without_title(levels_table(id, difficulty=False).markdown()),
        _without_title(levels_table(id, difficulty=True).markdown()),
    ]
    plot = f"images/difficulty-{id}.png"
    if (DOCS / plot).exists():
        parts.append(f"![Difficulty of the tiers of {id}]({plot})")
    return "\n\n".join(parts)


def _without_title(markdown: str) -> str:
    return markdown.partition("\n\n")[2]


def _agents(id: str) -> str:
    """The agents that play it, each with its condition."""
    rows = [
        (f"[`{name}`](agents/{entry.kind}.md#{name})", entry.condition(id) or "", entry.proves)
        for name, entry in AGENTS.items()
        if entry.condition(id) is not None
    ]
    return "## Agents\n\n" + table(("Agent", "Condition", "Proves"), rows, plain=True)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, plain: bool = False) -> str:
    """A Markdown table; `plain` cells are Markdown already."""
    lines = [heads, ["---"] * len(heads)]
    lines += [row if plain else [escaped(cell) for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
