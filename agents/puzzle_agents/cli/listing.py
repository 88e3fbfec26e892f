"""`puzzle-envs list`: what there is to play, on which levels, who can play it, and suites."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from puzzle_envs.level import Level, LevelFormat

__all__ = ["EXAMPLES", "NAME", "What", "run"]

NAME = "list"

EXAMPLES = (
    "puzzle-envs list",
    "puzzle-envs list levels Kwirk-v0",
    "puzzle-envs list agents ZenGarden-v0",
    "puzzle-envs list suites",
)


class What(StrEnum):
    """What can be listed."""

    ENVIRONMENTS = "environments"
    LEVELS = "levels"
    AGENTS = "agents"
    SUITES = "suites"


def run(
    what: Annotated[What, typer.Argument(help="What to list.")] = What.ENVIRONMENTS,
    env: Annotated[
        str | None,
        typer.Argument(
            metavar="ENV", help="An id: only what belongs to it.", show_default="of all"
        ),
    ] = None,
) -> int:
    """List environments, sets of levels, agents, or the benchmark's suites.

    A set's name stands wherever levels are asked for; a level's is the set's with its own, such as
    easy/1.
    """
    from puzzle_agents.environments import class_of, ids

    if what == What.SUITES:
        if env is not None:
            raise ValueError("A suite has several environments; leave out ENV.")
        _list_suites()
        return 0
    chosen = ids() if env is None else [env]
    for id in chosen:
        class_of(id)
    if what == What.ENVIRONMENTS:
        _list_environments(chosen)
    elif what == What.LEVELS:
        for id in chosen:
            _list_levels(id)
    else:
        _list_agents(env)
    return 0


# --- environments -----------------------------------------------------------------------------


def _list_environments(chosen: Sequence[str]) -> None:
    from rich.table import Table

    from puzzle_agents.cli.output import console
    from puzzle_agents.environments import class_of

    table = Table("environment", "puzzle", "task", "default level")
    table.columns[0].no_wrap = table.columns[3].no_wrap = True
    for id in chosen:
        found = class_of(id)
        puzzle = found.puzzle
        table.add_row(id, puzzle.title, _first_paragraph(found), puzzle.default_level)
    console().print(table)


def _first_paragraph(documented: type) -> str:
    return " ".join((documented.__doc__ or "").strip().partition("\n\n")[0].split())


# --- levels -----------------------------------------------------------------------------------


def _list_levels(id: str) -> None:
    from rich.table import Table

    from puzzle_agents.cli.output import console
    from puzzle_agents.cli.show import optimum_of
    from puzzle_agents.environments import puzzle_of

    form = puzzle_of(id).format
    table = Table("set", "levels", "boards", optimum_of(form), "besides", title=id)
    table.title_justify = "left"
    table.columns[0].no_wrap = True
    table.columns[1].justify = "right"
    for name in form.sets():
        levels = form.find_all(name)
        table.add_row(name, str(len(levels)), _sizes(form, levels), _optima(levels), _rest(levels))
    console().print(table)


def _sizes(form: LevelFormat, levels: Sequence[Level]) -> str:
    shapes = [form.shape(level.record) for level in levels]
    sizes = sorted({(shape.height * shape.width, shape.width, shape.height) for shape in shapes})
    names = [f"{width}x{height}" for _, width, height in sizes]
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


def _optima(levels: Sequence[Level]) -> str:
    """The least and the most moves, and those in the middle."""
    known = [level.optimum for level in levels if level.optimum is not None]
    if not known:
        return ""
    low, high = min(known), max(known)
    return str(low) if low == high else f"{low} to {high}, median {median(known):g}"


def _rest(levels: Sequence[Level]) -> str:
    """Levels without an optimum; and kinds, where names such as hard-3 tell them."""
    unsolvable = sum(level.solvable is False for level in levels)
    unknown = sum(level.optimum is None and level.solvable is not False for level in levels)
    parts = [f"{unsolvable} without a solution"] * bool(unsolvable)
    parts += [f"{unknown} without a known optimum"] * bool(unknown)
    names = [re.fullmatch(r"([a-z]+)-\d+", level.name.rpartition("/")[2]) for level in levels]
    kinds = Counter(name[1] for name in names if name is not None)
    if kinds.total() == len(levels):
        parts += [f"{count} {kind}" for kind, count in kinds.items()]
    return ", ".join(parts)


# --- agents -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Use:
    """A row of the table in an agent's docstring."""

    puzzles: str
    can: str
    optimal_in: str


def _list_agents(env: str | None) -> None:
    from rich.table import Table

    from puzzle_agents.cli.output import console
    from puzzle_agents.environments import class_of
    from puzzle_agents.registry import class_of as agent_of
    from puzzle_agents.registry import names

    use_of_it = "can be used for" if env is None else env
    table = Table("agent", "what it does", use_of_it, "optimal in", "needs")
    table.columns[0].no_wrap = True
    for name in names():
        try:
            documented = agent_of(name)
        except ImportError as error:  # an extra
            table.add_row(name, "", "", "", str(error))
            continue
        uses = uses_of(documented)
        if env is not None:
            use = use_for(uses, env, class_of(env).puzzle.title)
            uses = [] if use is None else [use]
        uses = [use for use in uses if use.can != "no"]
        if uses:
            played = "; ".join(_played(use) if env is None else use.can for use in uses)
            optimal = "; ".join(dict.fromkeys(use.optimal_in for use in uses))
            table.add_row(name, _first_paragraph(documented), played, optimal)
    if not any(table.columns[4].cells):
        table.columns.pop()
    console().print(table)
    for line in extras():
        console().print(line)


def uses_of(agent: type) -> list[Use]:
    """The table "Can I use it?" of an agent's docstring."""
    rows = re.findall(r"^\s*\|(.*)\|\s*$", agent.__doc__ or "", re.MULTILINE)
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    return [Use(row[0], row[1], _plain(*row[2:])) for row in cells[2:]]


def _plain(optimal_in: str = "") -> str:
    return "nothing" if optimal_in in ("", "no guarantee") else optimal_in.replace("`", "")


def use_for(uses: Sequence[Use], id: str, title: str) -> Use | None:
    """What is said of an environment: by its id, by its puzzle, or with all others."""
    for word in (id, title, "others", "all"):
        for use in uses:
            if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", use.puzzles):
                return use
    return None


def _played(use: Use) -> str:
    return use.puzzles if use.can == "yes" else f"{use.puzzles}: {use.can.removeprefix('yes, ')}"


def extras() -> list[str]:
    """A line for each extra that brings more than developing does: what it has, and whether."""
    from importlib import metadata

    try:
        required = metadata.requires("puzzle-envs") or []
    except metadata.PackageNotFoundError:  # run from a folder, not installed
        return []
    packages: dict[str, list[str]] = {}
    for requirement in required:
        match = re.match(r"([\w.-]+).*extra == ['\"](\w+)['\"]", requirement)
        if match and match[2] not in ("all", "demo", "dev"):
            packages.setdefault(match[2], []).append(match[1])
    return [f"The extra {name}: {_installed(name, needed)}" for name, needed in packages.items()]


def _installed(extra: str, packages: Sequence[str]) -> str:
    from importlib import metadata

    missing = []
    for package in packages:
        try:
            metadata.version(package)
        except metadata.PackageNotFoundError:
            missing.append(package)
    if not missing:
        return f"installed ({', '.join(packages)})."
    return f"{', '.join(missing)} missing; pip install 'puzzle-envs[{extra}]'"


# --- suites -----------------------------------------------------------------------------------


def _list_suites() -> None:
    from rich.table import Table

    from puzzle_agents.benchmark.suite import bundled, read_suite
    from puzzle_agents.cli.output import console

    table = Table("suite", "what it is for", "runs", "each at most")
    for name in bundled():
        suite = read_suite(name)
        limits = suite.tasks[0].budget
        most = f"{limits.seconds:g} s"
        if limits.transitions is not None:
            most += f", {limits.transitions:,} transitions"
        table.add_row(name, suite.about, str(len(suite.tasks)), most)
    console().print(table)
