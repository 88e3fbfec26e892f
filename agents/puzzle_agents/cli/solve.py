"""`puzzle-envs solve`: run an agent on one level, or on each level of a set."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from puzzle_agents.cli.arguments import (
    AgentArguments,
    Expansions,
    LevelText,
    Memory,
    PuzzleOptions,
    Seconds,
    options_typed,
    typed,
)
from puzzle_agents.cli.show import fewest_moves
from puzzle_agents.defaults import MEMORY, SECONDS
from puzzle_agents.table import Cell, columns, counted
from puzzle_agents.terminal import Layout, Piece, room

if TYPE_CHECKING:
    from puzzle_agents.agent import Agent, Result
    from puzzle_envs.env import PuzzleEnv
    from puzzle_envs.level import Level
    from puzzle_envs.puzzle import Puzzle

NAME = "solve"

EXAMPLES = (
    "puzzle-envs solve ZenGarden-v0 mixed/4",
    "puzzle-envs solve Kwirk-v0 hard/3 --agent weighted-astar --argument weight=1.5 --seconds 10",
    "puzzle-envs solve HuaRongDao-v0 classics/1 --option metric=step --save episode.json",
    "puzzle-envs solve Skyscraper-v0 --all-levels test/5x5 --agent skyscraper-exact --json",
)

SOLVED, NOT_SOLVED, STOPPED = 0, 1, 130

LONGEST_STATUS = len("out of memory")
WIDTHS = {"moves": 5, "optimum": 7, "expanded": 13, "seconds": 8}
"""Initial column widths of a level's figures."""

COUNTERS = ("expanded", "generated", "unique", "evaluated", "reopened")


def run(
    env: Annotated[str, typer.Argument(metavar="ENV", help="An environment id; see `list`.")],
    level: LevelText = None,
    agent: Annotated[str, typer.Option(help="The agent; see `list agents`.")] = "astar",
    argument: AgentArguments = None,
    option: PuzzleOptions = None,
    seconds: Seconds = SECONDS,
    memory: Memory = MEMORY,
    expansions: Expansions = None,
    all_levels: Annotated[
        str | None,
        typer.Option("--all-levels", metavar="SET", help="Solve each level of a set or a file."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON per level.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="Write the solution as an episode, for replay."),
    ] = None,
) -> int:
    """Solve a level, and print the solution and the cost of the search.

    Time limits do not include compilation. Ctrl-C ends a search early and keeps what was found.
    Exit code 1: not everything was solved.
    """
    from puzzle_agents.agent import Budget
    from puzzle_agents.cli.output import check_writable
    from puzzle_agents.environments import level_of, make_env, puzzle_of
    from puzzle_agents.registry import class_of

    if all_levels is not None and (level is not None or save is not None):
        other = "LEVEL" if level is not None else "--save"
        raise ValueError(f"--all-levels solves a whole set; do not also give {other}.")
    if save is not None:
        check_writable(save, "--save")
    options = options_typed(option, env)
    puzzle = puzzle_of(env, **options)
    chosen = class_of(agent)
    arguments = typed(argument, chosen, f"'{agent}'", own=("budget",))
    budget = Budget(seconds, memory, expansions)
    report = Report(env, options, agent, arguments, as_json)
    if all_levels is None:
        hint = ", or solve them all with --all-levels"
        levels, show = [level_of(puzzle, level, hint)], report.one
    else:
        levels, show = puzzle.format.find_all(all_levels), report.row
    solver = chosen(budget=budget, **arguments)
    for one in levels:
        check_plays(solver, puzzle, one)
    if all_levels is not None:
        report.head(max(len(one.name) for one in levels))
    solved = 0
    with catching_ctrl_c() as stopped:
        solver.warm_up(make_env(env, levels[0], **options))
        for one in levels:
            if stopped:
                return STOPPED
            made = make_env(env, one, **options)
            result = chosen(budget=budget, **arguments).solve(made)
            show(made, result)
            solved += result.solved
            if save is not None:
                save_episode(save, env, options, made, agent, result)
    if stopped and solved < len(levels):
        return STOPPED
    if all_levels is not None and not as_json:
        typer.echo(f"{solved} of {len(levels)} solved.")
    return SOLVED if solved == len(levels) else NOT_SOLVED


def check_plays(agent: Agent, puzzle: Puzzle, level: Level) -> None:
    """Reject an agent that cannot play a level before anything is compiled."""
    from puzzle_agents.agent import WrongPuzzleError

    try:
        agent.check(puzzle, level)
    except WrongPuzzleError as error:
        raise ValueError(f"{error} `puzzle-envs list agents ENV` lists those that can.") from error


@contextmanager
def catching_ctrl_c() -> Iterator[list[bool]]:
    """A list that becomes non-empty on Ctrl-C, which agents treat as the end of their budget."""
    stopped: list[bool] = []

    def interrupt(*_: object) -> None:
        stopped.append(True)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)


def save_episode(
    path: Path, id: str, options: dict[str, Any], env: PuzzleEnv, agent: str, result: Result
) -> None:
    """Write a solution as an episode, or say that there is none."""
    from puzzle_agents.episode import Episode, write_episode

    if not result.solved:
        print(f"{path} not written: no solution was found.", file=sys.stderr)
        return
    text = env.puzzle.format.text(env.level)
    actions, moves = tuple(result.actions), result.moves or 0
    episode = Episode(id, options, env.level.name, text, actions, moves, agent)
    write_episode(path, episode)
    print(f"Written: {path}", file=sys.stderr)


def moves_text(env: PuzzleEnv, actions: list[int]) -> list[str]:
    """The moves of a plan from the environment's state, in the puzzle's own words."""
    actor = env.simulation(observation="planes")
    codec, shape = env.puzzle.codec, env.puzzle.format.shape(env.level.record)
    moves: list[list[str]] = []
    counted = actor.get_state().moves
    for action in actions:
        _, _, _, _, info = actor.step(action)
        if info["moves"] > counted or not moves:
            moves.append([])
        counted = info["moves"]
        moves[-1].append(codec.action_text(action, shape))
    return [", ".join(move) for move in moves]


class Report:
    """Prints results as text, table rows or JSON."""

    def __init__(
        self, id: str, options: dict[str, Any], agent: str, arguments: dict[str, Any], json: bool
    ) -> None:
        self._id, self._options, self._agent = id, options, agent
        self._arguments, self._json = arguments, json
        self._layout: Layout | None = None

    def head(self, longest: int) -> None:
        """Print the table's head."""
        if self._json:
            return
        heads = columns(["level", "status", *WIDTHS], names=2)
        self._layout = Layout(heads, [longest, LONGEST_STATUS, *WIDTHS.values()], room())
        self._print(self._layout.head())

    def row(self, env: PuzzleEnv, result: Result) -> None:
        """Print the result of one level among several."""
        if self._layout is None:
            self._line(env, result)
            return
        moves = "" if result.moves is None else f"{result.moves}{'*' * result.proved_optimal}"
        cells = (
            env.level.name, result.status, moves, fewest_moves(env.level), f"{result.expanded:,}",
            f"{result.seconds:.3f}",
        )  # fmt: skip
        self._print(self._layout.row([Cell(text) for text in cells]))

    @staticmethod
    def _print(lines: Iterable[Sequence[Piece]]) -> None:
        for line in lines:
            typer.echo("".join(piece.text for piece in line))
        sys.stdout.flush()

    def one(self, env: PuzzleEnv, result: Result) -> None:
        """Print the result of a single level."""
        if self._json:
            self._line(env, result)
            return
        counts = ((name, getattr(result, name)) for name in COUNTERS)
        spent = [f"{name} {count:,}" for name, count in counts if count]
        spent += [f"translating {result.preparing:.3f} s"] if result.preparing else []
        spent += [f"{result.seconds:.3f} s", f"{result.peak_bytes / 2**20:.1f} MiB"]
        typer.echo(f"{self._id} {env.level.name}, {self._agent}: {_outcome(result)}")
        typer.echo(f"optimum in the level file: {fewest_moves(env.level) or 'not stated'}")
        typer.echo(f"took: {', '.join(spent)}")
        if result.solved:
            typer.echo(f"solution: {'; '.join(moves_text(env, result.actions))}")

    def _line(self, env: PuzzleEnv, result: Result) -> None:
        level = env.level
        line = {
            "env": self._id,
            "options": self._options,
            "level": level.name,
            "agent": self._agent,
            "arguments": self._arguments,
            "status": result.status,
            "optimum": level.optimum,
            "known": level.known,
            "solvable": level.solvable,
            "moves": result.moves,
            "proved_optimal": result.proved_optimal,
            "bound": result.bound,
            "found_moves": result.found_moves,
            "improved_by": result.improved_by or None,
            "actions": result.actions if result.solved else None,
            "solution": moves_text(env, result.actions) if result.solved else None,
            **{name: getattr(result, name) for name in COUNTERS},
            "seconds": round(result.seconds, 6),
            "preparing": round(result.preparing, 6),
            "peak_bytes": result.peak_bytes,
        }
        typer.echo(json.dumps(line, ensure_ascii=False))
        sys.stdout.flush()


def _outcome(result: Result) -> str:
    from puzzle_agents.agent import Status

    if result.status == Status.UNSOLVABLE:
        return "proved unsolvable"
    if not result.solved or result.moves is None:
        said = str(result.status)
    elif result.improved_by:
        said = f"solved in {counted(result.moves, 'move')}, shortened from {result.found_moves}"
        said += f" by {result.improved_by}"
    else:
        said = f"solved in {counted(result.moves, 'move')}"
    if result.proved_optimal:
        return f"{said} (proved optimal)"
    return said if result.bound is None else f"{said} (proved lower bound: {result.bound})"
