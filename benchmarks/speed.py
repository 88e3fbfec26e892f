"""Speed of the engines, compared with well-known software, measured in the same run.

Rates are the best of several rounds, in CPU time of this process (threads: in wall time), after
compilation. Environments play random legal actions; for single environments, choosing them is not
timed, since it would outweigh the step; for vector environments it is.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from rich.table import Table

import puzzle_envs
from benchmarks.measuring import YARDSTICK, add_keep, begun, best_seconds, explored, keep, yardstick
from puzzle_agents.agent import Agent, Budget
from puzzle_agents.environments import make_env
from puzzle_agents.exact.hua_rong_dao import LayoutSearch
from puzzle_agents.registry import make
from puzzle_envs.hua_rong_dao.keys import piece_sets
from puzzle_envs.hua_rong_dao.level import METRICS
from puzzle_envs.hua_rong_dao.oracle import NEVER, Oracle, layouts
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.kwirk import PUZZLE as KWIRK
from puzzle_envs.level import Level
from puzzle_envs.skyscraper.exact import ExactSearch
from puzzle_envs.skyscraper.generator import generate as generate_grid
from puzzle_envs.skyscraper.level import FORMAT as SKYSCRAPER_FORMAT
from puzzle_envs.skyscraper.level import clues_of, givens_of
from puzzle_envs.states.exploration import Exploration
from puzzle_envs.vector import PuzzleVectorEnv
from puzzle_envs.verbs import heuristic
from puzzle_envs.zen_garden import PUZZLE
from puzzle_envs.zen_garden.level import FORMAT as GARDEN_FORMAT
from puzzle_envs.zen_garden.scattered import generate as generate_garden

ROUNDS = 5
ENVS = 1024
IDS = ("ZenGarden-v0", "HuaRongDao-v0", "Kwirk-v0", "KwirkSteps-v0", "Skyscraper-v0")
GARDENS = "train/6x6"
KNOWN_FLOOR = "PUZZLE_ENVS_KNOWN_FLOOR"
"""The variable that names a file with another floor of Kwirk to measure."""
KNOWN_GRIDS = "PUZZLE_ENVS_KNOWN_GRIDS"
"""The variable that names a CSV file of Towers ids to measure instead of our own grids."""
KNOWN_LAYOUTS = "PUZZLE_ENVS_KNOWN_LAYOUTS"
"""The variable that names a CSV file of Hua Rong Dao codes and their optima."""
EVALUATIONS = 100_000
"""Evaluations of a run of a genetic algorithm."""
SLOW_GRID = "paper-like/5x5-4"
"""A grid that the paper's genetic algorithm seldom solves."""
RELAXED = 2_000
"""States of a floor that are expanded, for states whose relaxed plans are timed."""
PICTURES = 3_000
"""Target of pictures per second."""
GARDEN_12X12 = (
    "............\n.#....B...#.\n............\n...y....r...\n.....#......\n..B......#..\n"
    "............\n.#....o.....\n.........B..\n...#........\n......y...#.\n............\n"
)
FLOOR_12X12 = """\
############
#     a   ##
# bbbb ^   #
# bbbb *c  #
##d  ## c  #
##   ## c %#
#          #
#   OO     #
#1       ###
#   O  ef ##
#       ####
############
"""
GRID_12X12 = "12:" + "/".join("3" if number % 4 else "" for number in range(48))
PARTS = (
    "starting", "single", "vector", "threads", "exploring", "boxes", "floors", "relaxing", "grids",
    "evolving", "generating", "painting",
)  # fmt: skip
LAYERS_4X4 = [1, 8, 96, 461, 606, 286, 52]
"""Known: perimeter states of the empty 4x4 garden by the number of moves to reach them."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds for each figure")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="parts to measure")
    add_keep(parser, "speed")
    given = parser.parse_args()
    if given.keep and given.only != PARTS:
        parser.error("--keep writes all parts; leave out --only.")
    console = begun()
    table = Table("what", "ours", "compared with", "ratio")
    for part in given.only:
        for row in globals()[part](given.rounds):
            table.add_row(*row)
        table.add_section()
    console.print(table)
    if given.keep:
        keep("speed", [table])


def starting(rounds: int) -> list[tuple[str, ...]]:
    """Import, and the first step of a process with cached machine code."""
    imports = _python(rounds, "import gymnasium, puzzle_envs")
    without = _python(rounds, "import gymnasium")
    step = "env = gymnasium.make('ZenGarden-v0'); env.reset(); env.step(0)"
    first = _python(rounds, f"import gymnasium, puzzle_envs; {step}")
    return [
        ("import puzzle_envs", f"{imports:.2f} s", f"gymnasium alone {without:.2f} s", ""),
        ("a new process to its first step", f"{first:.2f} s", "at most 1 s", ""),
    ]


def _python(rounds: int, code: str) -> float:
    """The seconds of a whole process."""

    def run() -> None:
        subprocess.run([sys.executable, "-c", code], check=True)

    return best_seconds(rounds, run, _children_seconds)


def single(rounds: int) -> list[tuple[str, ...]]:
    """One environment through gymnasium.make with its default wrappers."""
    cart_pole = max(_single_rate("CartPole-v1", 30_000) for _ in range(rounds))
    rows = []
    for id in IDS:
        ours = max(_single_rate(id, 30_000) for _ in range(rounds))
        rows.append(_row(f"{id}, steps/s", ours, "CartPole-v1", cart_pole))
    return rows


def _single_rate(id: str, steps: int) -> float:
    env = gymnasium.make(id)
    random = np.random.default_rng(0)
    _, info = env.reset(seed=0)
    spent = 0.0
    for _ in range(steps):
        mask = info.get("action_mask")
        action = int(random.integers(2) if mask is None else random.choice(np.flatnonzero(mask)))
        started = time.process_time_ns()
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            _, info = env.reset()
        spent += time.process_time_ns() - started
    return steps / spent * 1e9


def vector(rounds: int) -> list[tuple[str, ...]]:
    """Many environments, one thread; masks, observations and infos included."""
    cart_pole = gymnasium.make_vec("CartPole-v1", num_envs=ENVS)
    cart_pole.reset(seed=0)
    known = _vector_rate(rounds, lambda: cart_pole.step(cart_pole.action_space.sample()))
    rows = []
    for name, id, levels in (
        ("the 6x6 garden rocks/1", "ZenGarden-v0", "rocks/1"),
        ("6x6 gardens of rocks", "ZenGarden-v0", _gardens_of_rocks()),
        (f"all gardens of {GARDENS}", "ZenGarden-v0", GARDENS),
        ("the standard Hua Rong Dao", "HuaRongDao-v0", "classics/1"),
        ("the floor easy/1 by pushes", "Kwirk-v0", "easy/1"),
        ("all floors of train/4-6 by pushes", "Kwirk-v0", "train/4-6"),
        ("the floor easy/1 by keys", "KwirkSteps-v0", "easy/1"),
        ("all floors of train/4-6 by keys", "KwirkSteps-v0", "train/4-6"),
        ("5x5 grids", "Skyscraper-v0", "5x5"),
    ):
        venv = _vector_env(id, levels)
        both = _vector_rate(rounds, partial(_step_legally, venv))
        sampling = _vector_rate(rounds, venv.sample_legal)
        rate = 1 / (1 / both - 1 / sampling)
        rows.append(_row(f"{ENVS} envs, {name}, steps/s", rate, "CartPole-v1", known))
        rows.append(_row(f"  {name}, choosing the actions included", both, "CartPole-v1", known))
    return rows


def _gardens_of_rocks() -> list[Level]:
    gardens = GARDEN_FORMAT.find(GARDENS)
    return [one for one in gardens if not one.record.has_ornaments and not one.record.has_leaves]


def _step_legally(venv: PuzzleVectorEnv) -> None:
    venv.step(venv.sample_legal())


def _vector_env(
    id: str, levels: str | list[Level], count: int = ENVS, threads: int = 1
) -> PuzzleVectorEnv:
    venv = gymnasium.make_vec(id, num_envs=count, levels=levels, threads=threads)
    assert isinstance(venv, PuzzleVectorEnv)
    venv.reset(seed=0)
    for _ in range(50):  # away from the common start, so that episodes are at different steps
        _step_legally(venv)
    return venv


def _vector_rate(rounds: int, step: Callable[[], Any]) -> float:
    repeats = 200_000 // ENVS
    return ENVS * repeats / best_seconds(rounds, lambda: [step() for _ in range(repeats)])


def threads(rounds: int) -> list[tuple[str, ...]]:
    """Two threads against one, in wall time: medians of steps, choosing the actions not counted.

    In turns of some steps, so that what else the machine does slows both.
    """
    rows = []
    for count in (ENVS, 4 * ENVS, 16 * ENVS):
        venvs = [_vector_env("ZenGarden-v0", GARDENS, count, number) for number in (1, 2)]
        turns = rounds * max(4, 20_000 // count)
        spent: list[list[float]] = [[], []]
        for _ in range(turns):
            for seconds, venv in zip(spent, venvs, strict=True):
                seconds += [_step_seconds(venv) for _ in range(10)]
        one, two = count / np.median(spent, axis=1)
        rows.append(_row(f"{count} envs, two threads, steps/s", two, "one thread", one))
        for venv in venvs:
            venv.close()
    return rows


def _step_seconds(venv: PuzzleVectorEnv) -> float:
    actions = venv.sample_legal()
    started = time.perf_counter()
    venv.step(actions)
    return time.perf_counter() - started


def exploring(rounds: int) -> list[tuple[str, ...]]:
    """Breadth-first search over macro-moves."""
    empty = np.array([PUZZLE.format.find("....\n" * 4)[0].record])
    search = Exploration(PUZZLE, empty, pruned=False)
    search.run(to_solution=False)
    layers = " ".join(str(count) for count in search.layers)
    known = "as known" if search.layers == LAYERS_4X4 else "WRONG"
    last, seconds = explored(PUZZLE, "rocks/1", rounds, pruned=False)
    return [
        ("empty 4x4, states by moves", layers, known, ""),
        (
            f"rocks/1, all {last.unique:,} states",
            f"{seconds:.2f} s",
            f"{last.generated / seconds / 1e6:.1f} M generated/s",
            f"{last.unique / seconds / 1e6:.1f} M distinct/s",
        ),
    ]


def boxes(rounds: int) -> list[tuple[str, ...]]:
    """Hua Rong Dao: one layout, and all layouts."""
    env = make_env("HuaRongDao-v0", "classics/1")
    words, record, unique = env.get_state().words, env.record, [0]

    def solve() -> None:
        for _ in range(20):
            search = LayoutSearch(record, words, 2**31)
            search.run(1 << 30)
        unique[0] = search.unique

    seconds = best_seconds(rounds, solve) / 20
    rate = unique[0] / seconds / 1e6
    what = f"standard layout, {unique[0]:,} layouts to 81 moves"
    ours = f"{seconds * 1e3:.2f} ms, {rate:.1f} M distinct/s"
    rows = [(what, ours, *_beside_bfs8(rate)), *_known_layouts()]
    layouts.cache_clear()
    started = time.process_time()
    total = greatest = 0
    for metric in METRICS:
        oracle = Oracle(metric)
        for pieces in piece_sets():
            distances = oracle.distances(pieces)
            total += distances.size
            greatest = max(greatest, int(distances[distances != NEVER].max(initial=0)))
    spent = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    rows.append(
        (
            f"all layouts in three metrics ({total:,} up to mirrors)",
            f"{spent:.1f} s, peak {peak:.2f} GiB",
            f"hardest {greatest} steps",
            "",
        )
    )
    return rows


def _known_layouts() -> list[tuple[str, ...]]:
    """The move metric over a list of layouts (columns code, moves; -1: unsolvable), if named."""
    file = os.environ.get(KNOWN_LAYOUTS)
    if file is None:
        return []
    with open(file, encoding="utf-8") as lines:
        known = [(row["code"], int(row["moves"])) for row in csv.DictReader(lines)]
    env = make_env("HuaRongDao-v0", levels=[code for code, _ in known])
    spent, wrong = 0.0, 0
    for number, (_, moves) in enumerate(known):
        env.reset(options={"level": number})
        record, words = env.record, env.get_state().words
        started = time.process_time()
        search = LayoutSearch(record, words, 2**31)
        while (status := search.run(1 << 30)) is None:
            pass
        found = search.moves if status == "solved" else -1
        spent += time.process_time() - started
        wrong += found != moves
    return [(f"{len(known)} known layouts", f"{spent:.2f} s", f"{wrong} optima wrong", "")]


def _measured_floors() -> Iterator[tuple[str, str]]:
    """Names and levels: a bundled floor, and another one if named."""
    yield "hard/4", "hard/4"
    if known := os.environ.get(KNOWN_FLOOR):
        yield Path(known).stem, known


def floors(rounds: int) -> list[tuple[str, ...]]:
    """Kwirk: pushes from all states of floors, table included."""
    rows: list[tuple[str, ...]] = []
    for name, level in _measured_floors():
        search, seconds = explored(KWIRK, level, rounds)
        rate = search.generated / seconds / 1e6
        what = f"{name}: {search.generated:,} pushes of Kwirk"
        rows.append((what, f"{rate:.2f} M/s", *_beside_bfs8(rate)))
    return rows


@kernel
def plan_all(levels: Any, findings: Any, states: Any) -> int:
    """Ask for the heuristic of each state."""
    total = 0
    for index in range(states.shape[0]):
        total += heuristic(levels[0], findings, states[index])
    return total


def relaxing(rounds: int) -> list[tuple[str, ...]]:
    """Kwirk: relaxed plans of the states of floors that breadth-first search meets."""
    rows: list[tuple[str, ...]] = []
    for name, level in _measured_floors():
        record = np.array([KWIRK.format.find(level)[0].record])
        graph = Exploration(KWIRK, record)
        graph.run(RELAXED)
        states = np.array([graph.state(number) for number in range(graph.unique)])
        findings = KWIRK.heuristic_findings(record[0], "relaxed")
        seconds = best_seconds(rounds, partial(plan_all, record, findings, states))
        what = f"{name}: relaxed plans of {len(states):,} states"
        beside, _ = _beside_bfs8(0.0)
        rows.append((what, f"{len(states) / seconds:,.0f} /s", beside, ""))
    return rows


def grids(rounds: int) -> list[tuple[str, ...]]:
    """Skyscraper: the hardest bundled grids of each size, and CP-SAT on the same if installed."""
    rows: list[tuple[str, ...]] = []
    for size in (5, 7, 9):
        levels = _hard_grids(size)
        puzzles = [(clues_of(level.record), givens_of(level.record)) for level in levels]
        search = ExactSearch(size)

        def first(puzzle: Any, search: ExactSearch = search) -> None:
            search.load(*puzzle)
            search.run(1)

        def proof(puzzle: Any, search: ExactSearch = search) -> None:
            search.load(*puzzle)
            search.run(2)

        ours = _median_milliseconds(rounds, puzzles, first)
        unique = _median_milliseconds(rounds, puzzles, proof)
        theirs = _cp_sat_milliseconds(size, puzzles)
        rows.append(
            (
                f"{len(levels)} {size}x{size} grids of the hardest grade, median",
                f"{ours:.3f} ms, with proof {unique:.3f} ms",
                f"CP-SAT {theirs:.1f} ms" if theirs else "install the bench extra",
                f"{theirs / ours:.0f}" if theirs else "",
            )
        )
    return rows


def _hard_grids(size: int) -> list[Level]:
    """The hardest grade of a list of known grids (columns n, towers_id, grade), if named."""
    file = os.environ.get(KNOWN_GRIDS)
    if file is None:
        return [one for one in SKYSCRAPER_FORMAT.find(f"{size}x{size}") if "hard" in one.name]
    with open(file, encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if int(row["n"]) == size]
    hardest = [row["towers_id"] for row in rows if row["grade"] == "unreasonable"]
    return [level for id in hardest for level in SKYSCRAPER_FORMAT.find(id)]


def _median_milliseconds(
    rounds: int, puzzles: Sequence[Any], solve: Callable[[Any], None]
) -> float:
    """The median over the puzzles of the shortest round, in CPU time."""
    times = []
    for puzzle in puzzles:
        spent = []
        for _ in range(max(rounds, 3)):
            started = time.process_time_ns()
            solve(puzzle)
            spent.append(time.process_time_ns() - started)
        times.append(min(spent))
    return float(np.median(times)) / 1e6


def _cp_sat_milliseconds(size: int, puzzles: Sequence[Any]) -> float | None:
    """The median of a constraint solver on one core, without building its model."""
    try:
        from benchmarks.cp_sat import solve_seconds
    except ImportError:
        return None
    return float(np.median([solve_seconds(size, *puzzle) for puzzle in puzzles])) * 1e3


def evolving(rounds: int) -> list[tuple[str, ...]]:
    """Genetic algorithms: evaluations per second of whole runs that do not end early."""
    jobs = [
        ("6x6 garden", "target 200,000", "ZenGarden-v0", "zen-ga-paper", "ornaments/8"),
        ("7x7 garden", "", "ZenGarden-v0", "zen-ga", "ornaments/10"),
        ("5x5 grid", "target 1,000,000", "Skyscraper-v0", "skyscraper-ga-paper", SLOW_GRID),
        ("9x9 grid", "", "Skyscraper-v0", "skyscraper-ga", "sparse/9x9-5"),
    ]
    rows: list[tuple[str, ...]] = []
    for what, wanted, id, name, level in jobs:
        env = gymnasium.make(id, level=level)
        env.reset()
        agent = make(name, Budget(seconds=None, expansions=EVALUATIONS))
        counted: list[int] = []

        def run(agent: Agent = agent, env: Any = env, counted: list[int] = counted) -> None:
            counted.append(agent.solve(env).evaluated)

        rate = 1 / best_seconds(rounds, run)
        rows.append((f"{name}, {what}, evaluations/s", f"{rate * counted[-1]:,.0f}", wanted, ""))
    return rows


def generating(rounds: int) -> list[tuple[str, ...]]:
    """New levels, each certified by search."""
    random = np.random.default_rng(0)
    jobs: list[tuple[str, int, str, Callable[[], Any]]] = [
        (
            "certified 6x6 gardens/s",
            100,
            "200",
            lambda: generate_garden(random, 6, 6, rocks=5),
        ),
        ("unique 5x5 grids/s", 100, "50", lambda: generate_grid(random, 5)),
        ("unique 9x9 grids/s", 10, "5", lambda: generate_grid(random, 9)),
    ]
    rows: list[tuple[str, ...]] = []
    for what, count, wanted, make_one in jobs:

        def some(count: int = count, make_one: Callable[[], Any] = make_one) -> None:
            for _ in range(count):
                make_one()

        rate = count / best_seconds(rounds, some)
        rows.append((what, f"{rate:,.0f}", f"target {wanted}", ""))
    return rows


def painting(rounds: int) -> list[tuple[str, ...]]:
    """Pictures of large boards at 64 pixels per cell, each after a random legal step."""
    rows: list[tuple[str, ...]] = []
    for what, id, level in (
        ("a garden of 12x12", "ZenGarden-v0", GARDEN_12X12),
        ("a floor of 12x12 by pushes", "Kwirk-v0", FLOOR_12X12),
        ("a floor of 12x12 by keys", "KwirkSteps-v0", FLOOR_12X12),
        ("the standard Hua Rong Dao", "HuaRongDao-v0", "classics/1"),
        ("a grid of 12x12", "Skyscraper-v0", GRID_12X12),
    ):
        env = gymnasium.make(id, level=level, render_mode="rgb_array", cell_pixels=64)
        _painting_rate(env)  # most tiles are drawn by now
        rate = max(_painting_rate(env) for _ in range(rounds))
        rows.append(_row(f"{what}, pictures/s", rate, "target", PICTURES))
    return rows


def _painting_rate(env: gymnasium.Env[Any, Any], steps: int = 600) -> float:
    random = np.random.default_rng(0)
    over, spent = True, 0
    for _ in range(steps):
        if over:
            _, info = env.reset(seed=0)
        else:
            action = int(random.choice(np.flatnonzero(info["action_mask"])))
            _, _, terminated, truncated, info = env.step(action)
        over = not over and (terminated or truncated)
        started = time.process_time_ns()
        env.render()
        spent += time.process_time_ns() - started
    return steps / spent * 1e9


def _beside_bfs8(rate: float) -> tuple[str, str]:
    """The yardstick's breadth-first search of the 8-puzzle, and a rate in millions as a share."""
    theirs = yardstick().get("bfs8")
    if theirs is None:
        return f"set {YARDSTICK}", ""
    return f"bfs8 {theirs:.1f} M/s", f"{rate / theirs:.3f}"


def _children_seconds() -> float:
    """CPU time of child processes, in hundredths of a second."""
    return sum(os.times()[2:4])


def _row(what: str, ours: float, peer: str, theirs: float) -> tuple[str, ...]:
    return what, f"{ours:,.0f}", f"{peer} {theirs:,.0f}", f"{ours / theirs:.2f}"


if __name__ == "__main__":
    assert puzzle_envs.__version__
    main()
