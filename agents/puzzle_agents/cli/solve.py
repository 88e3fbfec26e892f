"""`puzzle-envs solve`: an agent on one level, or on each level of a set."""

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
from puzzle_agents.defaults import MEMORY, SECONDS
from puzzle_agents.table import Cell, columns
from puzzle_agents.terminal import Layout, Piece, room

if TYPE_CHECKING:
    from puzzle_agents.agent import Agent, Result
    from puzzle_envs.env import PuzzleEnv
    from puzzle_envs.level import Level
    from puzzle_envs.puzzle import Puzzle

__all__ = ["EXAMPLES", "NAME", "check_plays", "moves_text", "run"]

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
"""Figures of a level, and how much room each is given before it is known."""

COUNTERS = ("expanded", "generated", "unique", "evaluated", "reopened")


def run(
    env: Annotated[str, typer.Argument(metavar="ENV", help="An id; `list` shows them.")],
    level: LevelText = None,
    agent: Annotated[str, typer.Option(help="Who solves it; `list agents` shows them.")] = "astar",
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
        bool, typer.Option("--json", help="Print a line of JSON for each level instead.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="Write the solution as an episode to be replayed."),
    ] = None,
) -> int:
    """Solve a level, and print the solution with what it took to find it.

    What has to be compiled is compiled before the time begins. Ctrl-C ends a search early with
    what was found. Exit code 1: not solved, or not all.
    """
    from puzzle_agents.agent import Budget
    from puzzle_agents.cli.output import check_writable
    from puzzle_agents.environments import level_of, make_env, puzzle_of
    from puzzle_agents.registry import class_of

    if all_levels is not None and (level is not None or save is not None):
        other = "LEVEL" if level is not None else "--save, which writes one episode"
        raise ValueError(f"--all-levels is about several levels: leave out {other}.")
    if save is not None:
        check_writable(save, "--save")
    options = options_typed(option, env)
    puzzle = puzzle_of(env, **options)
    chosen = class_of(agent)
    arguments = typed(argument, chosen, f"'{agent}'", own=("budget",))
    budget = Budget(seconds, memory, expansions)
    report = _Report(env, options, agent, arguments, as_json)
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
    with _noticing_ctrl_c() as stopped:
        solver.warm_up(make_env(env, levels[0], **options))
        for one in levels:
            if stopped:
                return STOPPED
            made = make_env(env, one, **options)
            result = chosen(budget=budget, **arguments).solve(made)
            show(made, result)
            solved += result.solved
            if save is not None:
                _save(save, env, options, made, agent, result)
    if stopped and solved < len(levels):
        return STOPPED
    if all_levels is not None and not as_json:
        typer.echo(f"{solved} of {len(levels)} solved.")
    return SOLVED if solved == len(levels) else NOT_SOLVED


def check_plays(agent: Agent, puzzle: Puzzle, level: Level) -> None:
    """An agent that cannot play a level is wrong usage; found out before anything is compiled."""
    from puzzle_agents.agent import WrongPuzzleError

    try:
        agent.check(puzzle, level)
    except WrongPuzzleError as error:
        raise ValueError(f"{error} `puzzle-envs list agents ENV` shows who can.") from error


@contextmanager
def _noticing_ctrl_c() -> Iterator[list[bool]]:
    """A list that is no longer empty after a Ctrl-C, which agents take for the end of a budget."""
    stopped: list[bool] = []

    def interrupt(*_: object) -> None:
        stopped.append(True)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)


def _save(
    path: Path, id: str, options: dict[str, Any], env: PuzzleEnv, agent: str, result: Result
) -> None:
    from puzzle_agents.episode import Episode, write_episode

    if not result.solved:
        print(f"{path} is not written: there is no solution to save.", file=sys.stderr)
        return
    text = env.puzzle.format.text(env.level)
    actions, moves = tuple(result.actions), result.moves or 0
    episode = Episode(id, options, env.level.name, text, actions, moves, agent)
    write_episode(path, episode)
    print(f"Written: {path}", file=sys.stderr)


def moves_text(env: PuzzleEnv, actions: list[int]) -> list[str]:
    """A plan from where the environment stands, move by move, in the puzzle's own words."""
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


class _Report:
    """What is printed of the results."""

    def __init__(
        self, id: str, options: dict[str, Any], agent: str, arguments: dict[str, Any], json: bool
    ) -> None:
        self._id, self._options, self._agent = id, options, agent
        self._arguments, self._json = arguments, json
        self._layout: Layout | None = None

    def head(self, longest: int) -> None:
        """The head of a table whose rows come one by one."""
        if self._json:
            return
        heads = columns(["level", "status", *WIDTHS], names=2)
        self._layout = Layout(heads, [longest, LONGEST_STATUS, *WIDTHS.values()], room())
        self._print(self._layout.head())

    def row(self, env: PuzzleEnv, result: Result) -> None:
        """One level of several."""
        if self._layout is None:
            self._line(env, result)
            return
        moves = "" if result.moves is None else f"{result.moves}{'*' * result.proved_optimal}"
        cells = (
            env.level.name, result.status, moves, _optimum(env), f"{result.expanded:,}",
            f"{result.seconds:.3f}",
        )  # fmt: skip
        self._print(self._layout.row([Cell(text) for text in cells]))

    @staticmethod
    def _print(lines: Iterable[Sequence[Piece]]) -> None:
        for line in lines:
            typer.echo("".join(piece.text for piece in line))
        sys.stdout.flush()

    def one(self, env: PuzzleEnv, result: Result) -> None:
        """The only level."""
        if self._json:
            self._line(env, result)
            return
        counts = ((name, getattr(result, name)) for name in COUNTERS)
        spent = [f"{name} {count:,}" for name, count in counts if count]
        spent += [f"{result.seconds:.3f} s", f"{result.peak_bytes / 2**20:.1f} MiB"]
        typer.echo(f"{self._id} {env.level.name}, {self._agent}: {_outcome(result)}")
        typer.echo(f"optimum: {_optimum(env) or 'not known'}")
        typer.echo(f"took: {', '.join(spent)}")
        if result.solved:
            typer.echo(f"solution: {'; '.join(moves_text(env, result.actions))}")

    def _line(self, env: PuzzleEnv, result: Result) -> None:
        level = env.level
        told = {
            "env": self._id,
            "options": self._options,
            "level": level.name,
            "agent": self._agent,
            "arguments": self._arguments,
            "status": result.status,
            "optimum": level.optimum,
            "solvable": level.solvable,
            "moves": result.moves,
            "proved_optimal": result.proved_optimal,
            "bound": result.bound,
            "actions": result.actions if result.solved else None,
            "solution": moves_text(env, result.actions) if result.solved else None,
            **{name: getattr(result, name) for name in COUNTERS},
            "seconds": round(result.seconds, 6),
            "peak_bytes": result.peak_bytes,
        }
        typer.echo(json.dumps(told, ensure_ascii=False))
        sys.stdout.flush()


def _optimum(env: PuzzleEnv) -> str:
    """What is known of the fewest moves; nothing where nothing is."""
    if env.level.solvable is False:
        return "none"
    return "" if env.level.optimum is None else str(env.level.optimum)


def _outcome(result: Result) -> str:
    if not result.solved:
        bound = "" if result.bound is None else f", at least {result.bound} moves"
        return f"{result.status}{bound}"
    proof = ", proved the fewest" if result.proved_optimal else ""
    if not proof and result.bound is not None:
        proof = f", at least {result.bound}"
    return f"solved in {result.moves} moves{proof}"
