"""`puzzle-envs list`: environments, sets of levels, agents and suites."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from statistics import median
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from puzzle_agents.table import Table
    from puzzle_envs.level import Level, LevelFormat

NAME = "list"

EXAMPLES = (
    "puzzle-envs list",
    "puzzle-envs list levels Kwirk-v0",
    "puzzle-envs list levels Kwirk-v0 --difficulty",
    "puzzle-envs list levels ZenGarden-v0 --json",
    "puzzle-envs list agents ZenGarden-v0",
    "puzzle-envs list suites",
    "puzzle-envs list open Kwirk-v0",
)


class What(StrEnum):
    """What to list."""

    ENVIRONMENTS = "environments"
    LEVELS = "levels"
    AGENTS = "agents"
    SUITES = "suites"
    OPEN = "open"


def run(
    what: Annotated[What, typer.Argument(help="What to list.")] = What.ENVIRONMENTS,
    env: Annotated[
        str | None,
        typer.Argument(metavar="ENV", help="Only for this environment id.", show_default="all"),
    ] = None,
    difficulty: Annotated[
        bool, typer.Option("--difficulty", help="For levels: their measured difficulty.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="For levels: print one line of JSON per set.")
    ] = False,
) -> int:
    """List environments, sets of levels, agents, the benchmark's suites, or open levels.

    Set names work wherever levels are expected; name one level as SET/LEVEL, such as easy/1. Open
    levels are those whose optimum is not known; `submit` enters a solution.
    """
    from puzzle_agents.environments import class_of, ids, known_ids
    from puzzle_agents.terminal import say, show

    if (difficulty or as_json) and what != What.LEVELS:
        option = "--difficulty" if difficulty else "--json"
        raise ValueError(f"{option} is for levels: puzzle-envs list levels {option}.")
    if what == What.SUITES:
        if env is not None:
            raise ValueError("Suites cover several environments; leave out ENV.")
        _list_suites()
        return 0
    chosen = ids() if env is None else [env]
    for id in chosen:
        class_of(id)
    if what == What.ENVIRONMENTS:
        _list_environments(known_ids() if env is None else chosen)
    elif what == What.LEVELS:
        for id in chosen:
            if as_json:
                _print_sets(id)
                continue
            table = levels_table(id, difficulty=difficulty)
            if table.rows:
                show(table)
            else:
                say(f"{id} has no bundled levels; give a level file, such as mine.txt.")
    elif what == What.OPEN:
        _list_open(chosen)
    else:
        _list_agents(env)
    return 0


# --- environments -----------------------------------------------------------------------------


def _list_environments(chosen: Sequence[str]) -> None:
    from puzzle_agents.environments import class_of
    from puzzle_agents.terminal import show

    rows = []
    for id in chosen:
        found = class_of(id)
        puzzle = found.puzzle
        first = puzzle.default_level
        level = "a text" if "\n" in first else first
        rows.append((id, puzzle.title, _first_paragraph(found), level))
    show(_table("", ("environment", "puzzle", "task", "default level"), rows, prose=(2,)))


def _table(
    title: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    prose: Sequence[int] = (),
    figures: Sequence[int] = (),
) -> Table:
    """A table; columns are numbered from 0."""
    from puzzle_agents.table import Cell, Column, Table

    columns = [
        Column(head, "prose" if n in prose else "figure" if n in figures else "name")
        for n, head in enumerate(heads)
    ]
    return Table(title, columns, [[Cell(text) for text in row] for row in rows])


def _first_paragraph(documented: type) -> str:
    return " ".join((documented.__doc__ or "").strip().partition("\n\n")[0].split())


# --- levels -----------------------------------------------------------------------------------


def levels_table(id: str, *, difficulty: bool) -> Table:
    """The sets of an environment's levels, or their difficulty."""
    from puzzle_agents.cli.show import optimum_of
    from puzzle_agents.environments import puzzle_of

    form = puzzle_of(id).format
    rows = []
    for name in form.sets():
        levels = form.find_all(name)
        if difficulty:
            rows.append((name, _optima(levels), *_difficulty_of(id, name)))
        else:
            sizes = _sizes(form, levels)
            shown = sizes[0] if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
            rows.append((name, str(len(levels)), shown, _optima(levels), _rest(levels)))
    optimum = optimum_of(form)
    if difficulty:
        heads = ("set", optimum, *HEADS.values(), "best agent")
        return _table(id, heads, rows, prose=(1,), figures=range(2, 2 + len(HEADS)))
    heads = ("set", "levels", "boards", optimum, "of these")
    return _table(id, heads, rows, prose=(3, 4), figures=(1,))


def _list_open(chosen: Sequence[str]) -> None:
    """The sets with levels of unknown optimum, and the gaps between the bounds."""
    from puzzle_agents.environments import puzzle_of
    from puzzle_agents.terminal import show

    rows = []
    for id in chosen:
        form = puzzle_of(id).format
        for name in form.sets():
            levels = form.find_all(name)
            left = [one for one in levels if one.optimum is None and one.solvable is not False]
            if left:
                known = [level.known for level in left if level.known is not None]
                least = [level.bound for level in left if level.bound is not None]
                spans = [_range(counts) if counts else "" for counts in (known, least)]
                rows.append((id, name, f"{len(left)} of {len(levels)}", *spans))
    heads = ("environment", "set", "open", "moves known to suffice", "lower bounds")
    show(_table("", heads, rows, figures=(2,)))


HEADS = {
    "states": "states",
    "branching": "branching",
    "random": "random",
    "fragility": "fragile",
    "irreversibility": "irreversible",
    "astar": "A*",
    "greedy": "greedy",
}
"""The heads of a set's figures of difficulty."""


def _difficulty_of(id: str, name: str) -> list[str]:
    """The cells of a set's figures, and of the agent that decides most of its levels."""
    from puzzle_agents.difficulty.figures import published

    found = published().get(id, {}).get(name)
    if found is None:
        return [""] * (len(HEADS) + 1)
    summary = found.summary()
    cells = [_figure(key, summary[key]) for key in HEADS]
    if not found.coverage:
        return [*cells, ""]
    best = max(found.coverage, key=lambda agent: found.coverage[agent])
    return [*cells, f"{best} {found.coverage[best]:.0%}"]


def _figure(key: str, value: float | None) -> str:
    """A count or a share; it may be beyond the limits of measuring, or undefined."""
    if value is None:
        return "many" if key in ("states", "astar", "greedy") else ""
    if key in ("random", "fragility", "irreversibility"):
        return f"{value:.0%}"
    return f"{value:.1f}" if key == "branching" else f"{value:,.0f}"


def _print_sets(id: str) -> None:
    """Print one object per set, with its difficulty if measured."""
    from puzzle_agents.difficulty.figures import published
    from puzzle_agents.environments import puzzle_of

    form = puzzle_of(id).format
    for name in form.sets():
        levels = form.find_all(name)
        optima = sorted(level.optimum for level in levels if level.optimum is not None)
        known = sorted(level.known for level in levels if level.known is not None)
        found = published().get(id, {}).get(name)
        fields = {
            "puzzle": id,
            "set": name,
            "levels": len(levels),
            "sizes": _sizes(form, levels),
            "optimum": _spread(optima),
            "known": _spread(known),
            "unsolvable": sum(level.solvable is False for level in levels),
            "difficulty": None if found is None else found.summary(),
            "coverage": None if found is None else found.coverage,
        }
        typer.echo(json.dumps(fields, ensure_ascii=False))


def _spread(counts: Sequence[int]) -> dict[str, float] | None:
    """Minimum, median and maximum of sorted counts."""
    if not counts:
        return None
    return {"levels": len(counts), "min": counts[0], "median": median(counts), "max": counts[-1]}


def _sizes(form: LevelFormat, levels: Sequence[Level]) -> list[str]:
    """The sizes of boards, from the smallest to the largest."""
    shapes = [form.shape(level.record) for level in levels]
    sizes = sorted({(shape.height * shape.width, shape.width, shape.height) for shape in shapes})
    return [f"{width}x{height}" for _, width, height in sizes]


def _optima(levels: Sequence[Level]) -> str:
    """Minimum, maximum and median of the optima, and of known solutions of the other levels."""
    optima = [level.optimum for level in levels if level.optimum is not None]
    known = [level.known for level in levels if level.known is not None]
    parts = [_range(optima)] if optima else []
    parts += [f"known: {_range(known)}"] if known else []
    return "; ".join(parts)


def _range(counts: Sequence[int]) -> str:
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{low} to {high}, median {median(counts):g}"


def _rest(levels: Sequence[Level]) -> str:
    """Levels without an optimum, and kinds if the names tell them, as in hard-3."""
    unsolvable = sum(level.solvable is False for level in levels)
    unknown = sum(level.optimum is None and level.solvable is not False for level in levels)
    parts = [f"{unsolvable} unsolvable"] * bool(unsolvable)
    parts += [f"{unknown} without known optimum"] * bool(unknown)
    names = [re.fullmatch(r"([a-z]+)-\d+", level.name.rpartition("/")[2]) for level in levels]
    kinds = Counter(name[1] for name in names if name is not None)
    if kinds.total() == len(levels):
        parts += [f"{count} {kind}" for kind, count in kinds.items()]
    return ", ".join(parts)


# --- agents -----------------------------------------------------------------------------------


def _list_agents(env: str | None) -> None:
    from puzzle_agents.registry import AGENTS
    from puzzle_agents.terminal import console, show

    rows = []
    for name, agent in AGENTS.items():
        if env is None:
            plays = "; ".join(f"{id}: {how}" if how else id for id, how in agent.plays.items())
        else:
            how = agent.condition(env)
            if how is None:
                continue
            plays = how or "yes"
        rows.append((name, agent.does, plays, agent.proves))
    heads = ("agent", "what it does", env or "plays", "proves")
    show(_table("", heads, rows, prose=(1, 2, 3)))
    for line in extras():
        console().print(line)


def extras() -> list[str]:
    """The packages of each extra but those for development, and whether they are installed."""
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
    from puzzle_agents.benchmark.suite import bundled, outline
    from puzzle_agents.terminal import show

    rows = []
    for name in bundled():
        suite = outline(name)
        limits = suite.limits
        most = f"{limits.seconds:g} s, {limits.memory / 2**30:g} GiB"
        if limits.transitions is not None:
            most += f", {limits.transitions:,} transitions"
        rows.append((name, suite.about, f"{suite.runs:,}", most))
    show(
        _table("", ("suite", "purpose", "runs", "limits per run"), rows, prose=(1, 3), figures=(2,))
    )
