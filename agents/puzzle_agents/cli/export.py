"""`puzzle-envs export`: a level as a planning task, and a planner's plan as a solution."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzle_agents.cli.arguments import LevelText, PuzzleOptions, options_typed
from puzzle_agents.table import counted

if TYPE_CHECKING:
    from puzzle_envs.env import PuzzleEnv
    from puzzle_envs.planning import Task

NAME = "export"

EXAMPLES = (
    "puzzle-envs export HuaRongDao-v0 classics/1 --output klotski.sas",
    "puzzle-envs export ZenGarden-v0 rocks/1 --format pddl --output garden.pddl",
    "puzzle-envs export HuaRongDao-v0 classics/1 --plan sas_plan",
)


class TaskFormat(StrEnum):
    """A planner's input format."""

    SAS = "sas"
    PDDL = "pddl"


def run(
    env: Annotated[str, typer.Argument(metavar="ENV", help="An environment id; see `list`.")],
    level: LevelText = None,
    option: PuzzleOptions = None,
    format: Annotated[
        TaskFormat,
        typer.Option(help="sas: Fast Downward's translator output; pddl: a domain and a problem."),
    ] = TaskFormat.SAS,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Output file; for PDDL the problem's, with the "
            "domain beside it as FILE-domain.", show_default="stdout",
        ),
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Play a planner's plan for this task instead."),
    ] = None,
) -> int:  # fmt: skip
    """Write a level as a planning task (SAS+ or PDDL), for planners and other programs.

    docs/planners.md describes the operators and their costs. With --plan, the actions of a
    plan are played; exit code 1: it does not solve the level.
    """
    from puzzle_agents.cli.output import check_writable
    from puzzle_agents.environments import level_of, make_env, puzzle_of
    from puzzle_agents.export import pddl_domain, pddl_problem, sas, task_of
    from puzzle_envs.common.files import write_whole

    if plan is not None and output is not None:
        raise ValueError("--plan plays a plan and writes no task; do not also give --output.")
    options = options_typed(option, env)
    puzzle = puzzle_of(env, **options)
    if puzzle.planning is None:
        raise ValueError(f"{puzzle.title} has no translation for planners.")
    chosen = level_of(puzzle, level)
    made = make_env(env, chosen, **options)
    task = task_of(made)
    if plan is not None:
        return _play(made, task, plan)
    if format == TaskFormat.SAS:
        files = {output: sas(task)}
    else:
        beside = None if output is None else output.with_stem(f"{output.stem}-domain")
        files = {beside: pddl_domain(task), output: pddl_problem(task)}
    for path in files:
        if path is not None:
            check_writable(path, "--output")
    for path, text in files.items():
        if path is None:
            typer.echo(text, nl=False)
        else:
            write_whole(path, text.encode())
            typer.echo(f"Written: {path}", err=True)
    typer.echo(f"{len(task.variables)} variables, {len(task.operators)} operators.", err=True)
    return 0


def _play(env: PuzzleEnv, task: Task, path: Path) -> int:
    """Play a plan's actions, and report the result."""
    from puzzle_agents.cli.solve import moves_text
    from puzzle_agents.export import plan_of, played
    from puzzle_agents.reading import text_of_file

    text = text_of_file(path)
    try:
        actions, moves = played(env, task.actions_of(plan_of(text)))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if moves is None:
        typer.echo(f"The plan does not solve {env.level.name}.")
        return 1
    typer.echo(f"The plan solves {env.level.name} in {counted(moves, 'move')}.")
    typer.echo(f"solution: {'; '.join(moves_text(env, actions))}")
    return 0
