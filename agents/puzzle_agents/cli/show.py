"""`puzzle-envs show`: a level and its environment."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from puzzle_agents.cli.arguments import CellPixels, LevelText, PuzzleOptions, options_typed
from puzzle_agents.table import counted

if TYPE_CHECKING:
    from rich.text import Text

    from puzzle_envs.env import PuzzleEnv
    from puzzle_envs.level import Level, LevelFormat

NAME = "show"

EXAMPLES = (
    "puzzle-envs show Kwirk-v0 hard/3",
    "puzzle-envs show HuaRongDao-v0 1A9BF0C00 --option metric=step --option oracle=true",
    "puzzle-envs show ZenGarden-v0 mine.txt/2 --picture garden.png",
)

PALETTE = ("cyan", "magenta", "yellow", "green", "blue", "red", "bright_cyan", "bright_magenta")
"""Consecutive letters get different colours."""


def run(
    env: Annotated[str, typer.Argument(metavar="ENV", help="An environment id; see `list`.")],
    level: LevelText = None,
    option: PuzzleOptions = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Also write a picture.")
    ] = None,
    cell_pixels: CellPixels = 48,
    theme: Annotated[str, typer.Option(help="Theme of the picture: light or dark.")] = "light",
) -> int:
    """Show a level: its text, its optimum, and the sizes of states, actions and observations."""
    from puzzle_agents.cli.output import check_writable
    from puzzle_agents.environments import level_of, make_env, puzzle_of
    from puzzle_agents.terminal import console
    from puzzle_envs.rendering.png import save_png

    if picture is not None:
        check_writable(picture, "--picture")
        if picture.suffix.lower() != ".png":
            raise ValueError(f"The picture is a PNG; write --picture {picture.stem}.png.")
    options = options_typed(option, env)
    chosen = level_of(puzzle_of(env, **options), level)
    drawn: dict[str, Any] = {"cell_pixels": cell_pixels, "theme": theme}
    mode = None if picture is None else "rgb_array"
    made = make_env(env, chosen, mode, **options, **drawn)
    if picture is not None:
        save_png(picture, made.render())
    console().print(coloured(made.puzzle.format.text(chosen)))
    for name, fact in {**facts_of(made), **difficulty_of(env, chosen)}.items():
        typer.echo(f"{name}: {fact}")
    if picture is not None:
        typer.echo(f"picture: {picture}")
    return 0


def facts_of(env: PuzzleEnv) -> dict[str, str]:
    """Facts about an environment of one level."""
    form, level = env.puzzle.format, env.level
    planes, height, width = env.planes.shape
    return {
        "level": level.name,
        optimum_of(form): fewest_moves(level) or "unknown",
        "state": f"{8 * form.words(level.record)} bytes",
        "actions": str(env.action_space.n),
        "observation": f"{counted(planes, 'plane')} of {width} by {height}",
    }


def difficulty_of(id: str, level: Level) -> dict[str, str]:
    """The difficulty of a bundled level, if it was measured."""
    from puzzle_agents.difficulty.figures import published

    found = published().get(id, {}).get(level.set_name)
    figures = None if found is None else found.levels.get(level.name_in_file)
    if figures is None:
        return {}
    counts = {
        "states within the optimum": figures.states,
        "expansions of A*": figures.astar,
        "expansions of greedy search": figures.greedy,
    }
    facts = {name: "many" if n is None else f"{n:,}" for name, n in counts.items()}
    facts["branching"] = f"{figures.branching:.1f}"
    if figures.fragility is not None:
        first = "never" if figures.episodes is None else f"in episode {figures.episodes}"
        facts["solved by random play"] = first
        facts["fragility"] = f"{figures.fragility:.0%} of random episodes end in a dead end"
    if figures.irreversibility is not None:
        said = f"{figures.irreversibility:.0%} of their actions come after the last solvable state"
        facts["irreversibility"] = said
    return facts


def fewest_moves(level: Level) -> str:
    """The known optimum or bounds on it; empty if nothing is known."""
    if level.solvable is False:
        return "none"
    if level.optimum is not None:
        return str(level.optimum)
    if level.known is None:
        return "" if level.bound is None else f"at least {level.bound}"
    return f"at most {level.known}" if level.bound is None else f"{level.bound} to {level.known}"


def optimum_of(form: LevelFormat) -> str:
    """The heading of the optimum, which names the unit of puzzles that do not count moves."""
    key = form.optimum_key
    return key if key.startswith("optimum") else f"optimum ({key})"


def coloured(text: str) -> Text:
    """A level's text with a colour per kind of character, if the terminal has colours."""
    from rich.text import Text

    shown = Text()
    for line in text.splitlines(keepends=True):
        if line.startswith(";"):
            shown.append(line, "dim")
            continue
        for character in line:
            shown.append(character, _style(character))
    return shown


def _style(character: str) -> str:
    if character.isalpha():
        return PALETTE[ord(character) % len(PALETTE)]
    if character.isdigit():
        return "bold"
    return "dim" if character in "#." else "bright_yellow"
