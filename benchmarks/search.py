"""Speed of the searches, compared with a program in C and searches in plain Python.

Rates are in CPU time of this process, the best of several rounds, after compilation. The targets
are for a machine on which the yardstick searches the 8-puzzle at 64 million states per second;
elsewhere they are scaled accordingly. Sliding tiles are the toy puzzle of the tests, so this runs
from the root of a checkout.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from rich.table import Table

import puzzle_envs
from benchmarks.measuring import YARDSTICK, add_keep, begun, best_seconds, explored, keep, yardstick
from benchmarks.tiles import (
    Tiles,
    hand_written,
    installed_libraries,
    level_text,
    middling_boards,
    random_board,
    side_of,
)
from puzzle_agents.agent import Agent, Budget, Result, Status
from puzzle_agents.environments import make_env, puzzle_of
from puzzle_agents.search.anytime import Anytime
from puzzle_agents.search.best_first import AStar, BestFirst, Order, UniformCost
from puzzle_agents.search.deepening import IDAStar
from puzzle_agents.search.frontier import Layers
from puzzle_agents.search.search import Problem
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.states.paths import beginning
from tests.sliding_tiles import PUZZLE as SLIDING_TILES

ROUNDS = 5
SEED = 1
"""Random seed of the boards of sliding tiles."""
TARGETS_AT = 64.0
"""Million states of the 8-puzzle per second on the machine of the targets."""
BREADTH_TARGET, A_STAR_TARGET, IDA_STAR_TARGET, FRONTIER_TARGET = 0.8, 6.0, 60.0, 40.0
"""A fraction of the yardstick; million expansions per second; million generated states per
second."""
BYTES_TARGET = 32
PEER_TARGETS = {"heapq by hand": 10, "simpleai": 50, "aima3": 50}
PEER_SECONDS = 60.0
"""Seconds after which a peer gets no further board."""
SHORT = 0.5
"""Searches longer than this, in seconds, are measured once."""

STATES_8 = 181_440
HARDEST_8 = ((8, 6, 7, 2, 5, 4, 3, 0, 1), (6, 4, 7, 8, 5, 0, 3, 2, 1))
"""The hardest boards of the 8-puzzle: 31 moves."""
DEPTHS_15 = (
    1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821, 60842, 119000, 231844,
    447342, 859744, 1637383, 3098270, 5802411, 10783780,
)  # fmt: skip
"""Known: states of the 15-puzzle by their distance from the solved board with the gap in a corner.
"""

GARDENS = ("first-steps", "rocks", "ornaments", "leaves", "mixed", "large")
KWIRK = ("easy", "average", "hard", "two", "proofs")
SETS = {
    "ZenGarden-v0": GARDENS,
    "HuaRongDao-v0": ("classics",),
    "Kwirk-v0": KWIRK,
    "KwirkSteps-v0": KWIRK,
    "Skyscraper-v0": ("4x4", "5x5", "6x6"),
}
FEW = 8
"""Number of generated grids."""
WIDE = 8


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds for each figure")
    parser.add_argument("--gardens", action="store_true", help="only: all hand-made gardens")
    parser.add_argument("--estimates", action="store_true", help="only: the benefit of heuristics")
    parser.add_argument("--seconds", type=float, help="limit of each search of these two")
    add_keep(parser, "search")
    options = parser.parse_args()
    console = begun()
    seconds = f"--seconds {options.seconds:g}" if options.seconds else ""
    if options.gardens:
        name, how = "search-gardens", f"--gardens {seconds}".strip()
        tables = gardens(options.seconds or 60.0)
    elif options.estimates:
        name, how = "search-estimates", f"--estimates {seconds}".strip()
        tables = estimates(options.rounds, options.seconds or 10.0)
    else:
        name, how = "search", ""
        tables = tiles(options.rounds)
    printed = []
    for table in tables:
        console.print(table)
        printed.append(table)
    if options.keep:
        keep(name, printed, how)
    console.print(f"load at the end {os.getloadavg()[0]:.1f}", highlight=False)


# --- sliding tiles ----------------------------------------------------------------------------


def tiles(rounds: int) -> Iterator[Table]:
    """The engines on the 8-puzzle and the 15-puzzle, and peers on the 8-puzzle."""
    puzzle = SLIDING_TILES
    if "SlidingTiles-v0" not in gymnasium.registry:
        puzzle.register()
    rates = yardstick(rounds)
    speed = rates.get("bfs8")
    random = np.random.default_rng(SEED)
    boards = [random_board(random, 4) for _ in range(10)]
    runs = [Run.of(board, rounds) for board in boards]
    table = Table("what", "ours", "target", "of the target")
    for name, rate in rates.items():
        table.add_row(f"yardstick {name}", f"{rate:.1f} M/s", "", "")
    table.add_section()
    table.add_row(*exploring(puzzle, rounds, speed))
    expanded, seconds = sum(run.a_star.expanded for run in runs), sum(run.a_star_s for run in runs)
    table.add_row(*_row("A*, 15-puzzle, expanded", expanded / seconds, A_STAR_TARGET, speed))
    most = max(run.bytes for run in runs)
    table.add_row(
        "A*, 15-puzzle, at most",
        f"{most:.1f} bytes/state",
        f"{BYTES_TARGET}",
        f"{most / BYTES_TARGET:.2f}",
    )
    generated = sum(run.ida_star.generated for run in runs)
    seconds = sum(run.ida_star_s for run in runs)
    table.add_row(*_row("IDA*, 15-puzzle, generated", generated / seconds, IDA_STAR_TARGET, speed))
    table.add_row(*layers(puzzle, 22, rounds, speed))
    yield table
    yield _table_of_runs(runs)
    easiest = min(runs, key=lambda run: run.a_star.expanded)
    groups: dict[str, Sequence[tuple[Tiles, int]]] = {
        "8-puzzle, 20 to 26 moves": middling_boards(random, 10),
        "8-puzzle, the two hardest": [(board, 31) for board in HARDEST_8],
        "15-puzzle": [(easiest.board, easiest.a_star.moves or 0)],
    }
    yield peers(puzzle, groups, rounds)


def exploring(puzzle: Puzzle, rounds: int, speed: float | None) -> tuple[str, ...]:
    """All states of the 8-puzzle, with the engine used for every puzzle."""
    last, seconds = explored(puzzle, level_text((1, 2, 3, 4, 5, 6, 7, 8, 0)), 4 * rounds)
    known = "as known" if last.unique == STATES_8 else "WRONG"
    rate = last.generated / seconds / 1e6
    what = f"breadth-first, 8-puzzle, {last.unique:,} states ({known}), generated"
    if speed is None:
        return what, f"{rate:.1f} M/s", f"set {YARDSTICK}", ""
    target = BREADTH_TARGET * speed
    return (
        what,
        f"{rate:.1f} M/s = {rate / speed:.2f} bfs8",
        f"{BREADTH_TARGET} bfs8 = {target:.1f}",
        f"{rate / target:.2f}",
    )


def layers(puzzle: Puzzle, depth: int, rounds: int, speed: float | None) -> tuple[str, ...]:
    """Frontier search of the 15-puzzle from the solved board, every layer counted."""
    problem = _problem(puzzle, (*range(1, 16), 0))
    counts: list[int] = []
    generated = [0]

    def search() -> None:
        found = Layers(problem, problem.start[0], backwards=False)
        counts[:] = [len(found.to_depth(number)) for number in range(depth + 1)]
        generated[0] = found.generated

    seconds = best_seconds(rounds, search)
    known = "as known" if counts == list(DEPTHS_15[: depth + 1]) else "WRONG"
    what = f"frontier, 15-puzzle, {sum(counts):,} states to depth {depth} ({known}), generated"
    return _row(what, generated[0] / seconds, FRONTIER_TARGET, speed)


def _problem(puzzle: Puzzle, board: Tiles) -> Problem:
    puzzle.load_rules()
    record = np.array([puzzle.format.find(level_text(board))[0].record])
    findings = puzzle.findings(record[0])
    return Problem(puzzle, record, beginning(puzzle, record), findings, False, 0, 2**32)


class Run(NamedTuple):
    """A board of the 15-puzzle, solved by A* and by IDA*."""

    board: Tiles
    a_star: Result
    a_star_s: float
    ida_star: Result
    ida_star_s: float

    @classmethod
    def of(cls, board: Tiles, rounds: int) -> Run:
        """Solve a board."""
        budget = Budget(seconds=600, memory="4 GiB")
        env = make_env("SlidingTiles-v0", level_text(board))
        AStar().warm_up(env)
        IDAStar().warm_up(env)
        a_star = _timed(AStar(budget), env, rounds)
        return cls(board, *a_star, *_timed(IDAStar(budget, table=0), env, rounds))

    @property
    def bytes(self) -> float:
        """Memory of A* per state."""
        return self.a_star.peak_bytes / self.a_star.unique

    @property
    def verdict(self) -> str:
        """Whether both found the same optimum."""
        if not (self.a_star.proved_optimal and self.ida_star.proved_optimal):
            return f"{self.a_star.status}, {self.ida_star.status}"
        return "equal" if self.a_star.moves == self.ida_star.moves else "WRONG"


def _table_of_runs(runs: Sequence[Run]) -> Table:
    table = Table(
        "15-puzzle", "moves", "A* expanded", "A* M/s", "bytes per state", "IDA* generated",
        "IDA* M/s", "optima",
    )  # fmt: skip
    for run in runs:
        table.add_row(
            level_text(run.board),
            str(run.a_star.moves),
            f"{run.a_star.expanded:,}",
            f"{run.a_star.expanded / run.a_star_s / 1e6:.2f}",
            f"{run.bytes:.1f}",
            f"{run.ida_star.generated:,}",
            f"{run.ida_star.generated / run.ida_star_s / 1e6:.1f}",
            run.verdict,
        )
    table.caption = f"random boards, seed {SEED}"
    return table


# --- peers on the 8-puzzle --------------------------------------------------------------------


def peers(puzzle: Puzzle, groups: Mapping[str, Sequence[tuple[Tiles, int]]], rounds: int) -> Table:
    """A* with Manhattan distance, ours and others, on the same boards.

    Ours is the whole agent, including actions and replay; and the search alone, like the others.

    Args:
        puzzle: Sliding tiles.
        groups: Boards and their optima; those of the 15-puzzle are not for the libraries.
        rounds: Number of measurements.
    """
    libraries = installed_libraries()
    table = Table(
        "A*", "boards", "expanded", "ms/board", "expanded/s", "slower than ours", "target"
    )
    missing = "" if len(libraries) == 2 else "; for the others: pip install simpleai aima3"
    table.caption = f"ours: how many times the rate{missing}"
    boards = [board for group in groups.values() for board, _ in group]
    envs = {board: make_env("SlidingTiles-v0", level_text(board)) for board in boards}

    def ours(board: Tiles) -> tuple[int, int]:
        result = AStar().solve(envs[board])
        return result.moves or 0, result.expanded

    problems = {board: _problem(puzzle, board) for board in envs}

    def search_alone(board: Tiles) -> tuple[int, int]:
        search = BestFirst(problems[board], Order(1, 1))
        while search.run(1 << 20) is None:
            pass
        return len(search.path()), search.count("expanded")

    by_us_and_hand = {
        "ours": ours,
        "ours, the search alone": search_alone,
        "heapq by hand": hand_written,
    }
    for what, some in groups.items():
        contenders = by_us_and_hand | (libraries if side_of(some[0][0]) == 3 else {})
        ours(some[0][0])
        own = 0.0
        for name, solve in contenders.items():
            solved, expanded, seconds = _total(solve, some, rounds)
            rate = expanded / seconds
            own = own or rate
            table.add_row(
                f"{what}, {name}",
                str(solved),
                f"{expanded:,}",
                f"{seconds / solved * 1e3:.2f}",
                f"{rate:,.0f}",
                f"{own / rate:.1f} x",
                f"{PEER_TARGETS[name]} x" if name in PEER_TARGETS else "",
            )
        table.add_section()
    return table


def _total(
    solve: Callable[[Tiles], tuple[int, int]], boards: Iterable[tuple[Tiles, int]], rounds: int
) -> tuple[int, int, float]:
    """Boards solved, states expanded, and seconds."""
    solved, total, spent = 0, 0, 0.0
    began = time.process_time()
    for board, optimum in boards:
        if time.process_time() - began > PEER_SECONDS:
            break
        (moves, expanded), seconds = _best(partial(solve, board), rounds)
        assert moves == optimum, f"{level_text(board)} takes {optimum} moves, not {moves}"
        solved, total, spent = solved + 1, total + expanded, spent + seconds
    return solved, total, spent


# --- gardens ----------------------------------------------------------------------------------


def gardens(seconds: float, sets: Sequence[str] = GARDENS) -> Iterator[Table]:
    """Results of `anytime` on every hand-made garden."""
    budget = Budget(seconds=seconds, memory="4 GiB")
    summary = Table("gardens", "boards", "proved", "seconds", "slowest")
    single = Table("garden", "size", "moves", "proved bound", "gap", "seconds", "states", "end")
    for name in sets:
        proved, spent = 0, []
        levels = puzzle_of("ZenGarden-v0").format.find(name)
        for agent in (Anytime, AStar):
            for level in levels:
                agent().warm_up(make_env("ZenGarden-v0", level))
        for level in levels:
            env = make_env("ZenGarden-v0", level)
            result, taken = _timed(Anytime(budget), env, 1)
            is_proved = result.proved_optimal or result.status == Status.UNSOLVABLE
            proved += is_proved
            spent.append((taken, level.name))
            height, width = int(level.record.height), int(level.record.width)
            if max(height, width) > WIDE or not is_proved:
                single.add_row(
                    level.name,
                    f"{width}x{height}",
                    f"{'-' if result.moves is None else result.moves}",
                    f"{'-' if result.bound is None else result.bound}",
                    _gap(result),
                    f"{taken:.2f}",
                    f"{result.unique:,}",
                    "proved" if is_proved else f"{result.status}",
                )
        slowest = max(spent)
        summary.add_row(
            name,
            str(len(levels)),
            str(proved),
            f"{sum(taken for taken, _ in spent):.1f}",
            f"{slowest[0]:.1f} ({slowest[1]})",
        )
    summary.caption = f"anytime, {seconds:.0f} s of wall time and 4 GiB for each"
    single.caption = f"gardens wider or higher than {WIDE}, and those not proved"
    yield single
    yield summary


def _gap(result: Result) -> str:
    if result.status == Status.UNSOLVABLE:
        return "unsolvable"
    if result.moves is None or result.bound is None:
        return "?"
    return str(result.moves - result.bound)


# --- the benefit of heuristics and symmetry -----------------------------------------------------


def estimates(
    rounds: int, seconds: float, sets: dict[str, tuple[str, ...]] = SETS
) -> Iterator[Table]:
    """A* compared with itself without a heuristic, and without symmetry."""
    budget = Budget(seconds=seconds, memory="4 GiB")
    agents = {
        "A*": AStar(budget),
        "no estimate": UniformCost(budget),
        "no symmetry": AStar(budget, symmetry=False),
    }
    table = Table("set", "finished", "expanded", "seconds", "fewer", "faster")
    for id, names in sets.items():
        for name in names:
            levels = puzzle_of(id).format.find(name)
            if id == "Skyscraper-v0":
                levels = levels[:: -(-len(levels) // FEW)]
            done: dict[str, dict[str, tuple[Result, float]]] = {agent: {} for agent in agents}
            for agent in agents.values():
                for level in levels:
                    agent.warm_up(make_env(id, level))
            for level in levels:
                env = make_env(id, level)
                for label, agent in agents.items():
                    result, spent = _timed(agent, env, rounds)
                    if result.proved_optimal or result.status == Status.UNSOLVABLE:
                        done[label][level.name] = result, spent
            for label in agents:
                table.add_row(
                    *_compared(
                        f"{id.removesuffix('-v0')} {name}",
                        label,
                        len(levels),
                        done["A*"],
                        done[label],
                    )
                )
            table.add_section()
    table.caption = (
        f"A* : the other, on the levels that both finish within {seconds:.0f} s and 4 GiB"
    )
    yield table


def _compared(
    what: str,
    label: str,
    count: int,
    ours: dict[str, tuple[Result, float]],
    other: dict[str, tuple[Result, float]],
) -> tuple[str, ...]:
    """A row on the levels that both have finished."""
    both = sorted(ours.keys() & other.keys())
    for level in both:
        assert ours[level][0].moves == other[level][0].moves, f"{what} {level}: optima differ"
    expanded, own = (sum(one[level][0].expanded for level in both) for one in (other, ours))
    seconds, own_seconds = (sum(one[level][1] for level in both) for one in (other, ours))
    if ours is other:
        return what, f"{len(ours)}/{count}", f"{expanded:,}", f"{seconds:.3f}", "", ""
    return (
        f"  {label}",
        f"{len(other)}/{count}",
        f"{own:,} : {expanded:,}",
        f"{own_seconds:.3f} : {seconds:.3f}",
        f"{expanded / max(own, 1):.2f} x",
        f"{seconds / max(own_seconds, 1e-9):.2f} x",
    )


# --- measuring --------------------------------------------------------------------------------


def _timed(agent: Agent, env: PuzzleEnv, rounds: int) -> tuple[Result, float]:
    return _best(lambda: agent.solve(env), rounds)


def _best(work: Callable[[], Any], rounds: int) -> tuple[Any, float]:
    """The result of some work, and the CPU seconds of its shortest round; long work runs once."""
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        result = work()
        best = min(best, time.process_time() - started)
        if best > SHORT:
            break
    return result, best


def _row(what: str, rate: float, target: float, speed: float | None) -> tuple[str, ...]:
    """A rate and its target, on this machine."""
    ours = f"{rate / 1e6:.2f} M/s"
    if speed is None:
        return what, ours, f"set {YARDSTICK}", ""
    scaled = target * speed / TARGETS_AT
    return what, ours, f"{target:.0f} M/s, here {scaled:.1f}", f"{rate / 1e6 / scaled:.2f}"


if __name__ == "__main__":
    assert puzzle_envs.__version__
    main()
