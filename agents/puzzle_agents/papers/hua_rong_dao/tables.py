"""Z. Zhao and Y. Xu, Solving Hua Rong Dao Puzzle and Its Variations using Breadth First Search."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from puzzle_agents.agent import Budget, Result, Status
from puzzle_agents.environments import make_env
from puzzle_agents.papers.comparison import Claim, Comparison, Measure, Pair, Row, of_statements
from puzzle_agents.papers.hua_rong_dao.searching_process import searching_process
from puzzle_agents.papers.report import Report
from puzzle_agents.papers.runs import Experiment, Runner, Trial
from puzzle_agents.papers.settings import Settings
from puzzle_agents.reading import text_of_file
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.hua_rong_dao import PUZZLE
from puzzle_envs.hua_rong_dao.keys import key_of_state
from puzzle_envs.hua_rong_dao.oracle import Oracle
from puzzle_envs.level import LevelError

PAPER = f"{__doc__} Shandong University of Finance"

TABLE_1 = {
    1: (2, 3),
    11: (256, 41),
    21: (820, 43),
    31: (2292, 314),
    41: (9190, 959),
    51: (16288, 229),
    61: (17998, 141),
    71: (20922, 332),
}
"""Table I: CLOSE and OPEN by the number of moves."""


class Results(NamedTuple):
    """Section IV-B, over 374 configurations of a website."""

    configurations: int
    basic: int
    easiest: int
    hardest: int
    unsolvable: int


RESULTS = Results(configurations=374, basic=81, easiest=18, hardest=137, unsolvable=1)

LAYOUTS_VARIABLE = "PUZZLE_ENVS_KNOWN_LAYOUTS"
"""Environment variable for --levels: a CSV file with a column `code`, in the website's order."""

ENVIRONMENT = "HuaRongDao-v0"
STANDARD = "classics/1"
EASIEST, HARDEST, UNSOLVABLE = "classics/11", "classics/9", "classics/10"

NO_SOLUTION = "no solution"

REMARKS = {
    "a": "The website's list is not bundled. The layout with 138 moves, Feng Hui Lu Zhuan, is well "
    "known; no layout of any piece set in this box takes more. So either the authors' list left it "
    "out or their figure is one too low.",
    "b": "Figure 5 with the pruning of section III-C to the letter drops a state whose layout is "
    "known, whichever block moved last, and so sometimes loses the better of two paths. The "
    "paper's own figures are those of an exact search, not of the procedure that it prints.",
}


def reproduce(settings: Settings, run: Runner) -> Report:
    """Run everything."""
    file = settings.levels_or(LAYOUTS_VARIABLE)
    if file is not None:
        _codes(file)  # an unreadable file is an error before anything is run
    experiment = Experiment(ENVIRONMENT, settings, run)
    tables = [table_1(), named_layouts(experiment), results(settings)]
    left_out = []
    if file is not None and not settings.quick:
        tables.append(website(file, experiment))
    else:
        left_out.append(
            "the website's 374 configurations; they are run, without --quick, if --levels or "
            f"{LAYOUTS_VARIABLE} names a CSV file of them."
        )
    return Report("hua-rong-dao", PAPER, tuple(tables), tuple(left_out))


def environment(level: str) -> PuzzleEnv:
    """A layout in the paper's metric, after a reset."""
    return make_env(ENVIRONMENT, level)


def table_1() -> Comparison:
    """Table I, by the layers of the exact search."""
    queues = {row.moves: row for row in searching_process(environment(STANDARD))}
    rows = (
        Row.of(str(moves), Pair(closed, queues[moves].closed), Pair(opened, queues[moves].opened))
        for moves, (closed, opened) in TABLE_1.items()
    )
    return Comparison(
        "Table I, size changing of the CLOSE/OPEN queues, standard layout",
        "moves",
        (Measure("CLOSE", claim=Claim.EQUAL), Measure("OPEN", claim=Claim.EQUAL)),
        tuple(rows),
    )


def results(settings: Settings) -> Comparison:
    """Section IV-B on layouts known by name."""
    settings.watch("the layouts that section IV-B speaks of", 0, 1)
    standard, easiest = (optimum(level) for level in (STANDARD, EASIEST))
    hardest, none = (optimum(level) for level in (HARDEST, UNSOLVABLE))
    farthest = max(level.optimum or 0 for level in PUZZLE.format.find_all("hardest"))
    settings.watch("the layouts that section IV-B speaks of", 1, 1)
    return of_statements(
        "Section IV-B, results",
        "configuration",
        Measure("fewest moves", claim=Claim.EQUAL),
        [
            ("the basic configuration", RESULTS.basic, standard, ""),
            ("the easiest (ours: its first variation)", RESULTS.easiest, easiest, ""),
            ("the most difficult (ours: Feng Hui Lu Zhuan)", RESULTS.hardest, hardest, "a"),
            ("the farthest layout of any piece set in this box", None, farthest, ""),
            ("the one without a solution (ours: Zou Tou Wu Lu)", NO_SOLUTION,
             none or NO_SOLUTION, ""),
        ],
        {"a": REMARKS["a"]},
    )  # fmt: skip


def optimum(level: str) -> int | None:
    """The distance of a layout from the goal, from the oracle."""
    env = environment(level)
    return Oracle("move").optimum(key_of_state(env.record[0], env.get_state().words))


def named_layouts(experiment: Experiment) -> Comparison:
    """The exact search and the printed procedure on the bundled layouts with names."""
    levels = PUZZLE.format.find_all("classics")
    pairs = _both(experiment, "layouts with names", [level.name for level in levels])
    rows = []
    for level, (exact, printed) in zip(levels, pairs, strict=True):
        name = level.notes.get("note", level.name).partition(",")[0]
        paper = {STANDARD: RESULTS.basic, EASIEST: RESULTS.easiest}.get(level.name)
        wrong = printed.solved and printed.moves != exact.moves
        rows.append(
            Row.of(
                f"{level.name.partition('/')[2]} {name}", Pair(paper, _moves(exact)),
                Pair(None, _moves(printed), "b" if wrong else ""), exact.unique, printed.unique,
            )
        )  # fmt: skip
    return Comparison(
        "Layouts with names: the exact search, and the procedure as it is printed",
        "layout",
        (
            Measure("fewest moves", claim=Claim.EQUAL),
            Measure("printed procedure"),
            Measure("layouts searched, mirror images merged", ","),
            Measure("printed procedure, layouts", ","),
        ),
        tuple(rows),
        {"b": REMARKS["b"]},
    )


def website(file: Path, experiment: Experiment) -> Comparison:
    """The website's list, which the user provides."""
    codes = _codes(file)[: RESULTS.configurations]
    pairs = _both(experiment, "configurations of the website", codes)
    solved = [exact.moves for exact, _ in pairs if exact.moves is not None]
    unsolvable = sum(exact.status == Status.UNSOLVABLE for exact, _ in pairs)
    wrong = sum(printed.solved and printed.moves != exact.moves for exact, printed in pairs)
    return of_statements(
        "The website's configurations",
        "what",
        Measure("figure"),
        [
            ("configurations", RESULTS.configurations, len(codes), ""),
            ("easiest, moves", RESULTS.easiest, min(solved, default=None), "c"),
            ("most difficult, moves", RESULTS.hardest, max(solved, default=None), "c"),
            ("without a solution", RESULTS.unsolvable, unsolvable, ""),
            ("printed procedure, too many moves on", None, wrong, "b"),
        ],
        {
            "c": f"The first {len(codes)} of the list in {file.name}; the paper's list dates from "
            "2011 or earlier and may differ.",
            "b": REMARKS["b"],
        },
    )


def _codes(file: Path) -> list[str]:
    reader = csv.DictReader(io.StringIO(text_of_file(file), newline=""))
    try:
        codes = [row.get("code") for row in reader]
    except csv.Error as error:
        raise ValueError(f"{file}:{reader.line_num}: This is not CSV: {error}.") from None
    if "code" not in (reader.fieldnames or ()):
        raise ValueError(f"{file} has no column 'code'; give a CSV file with one.")
    for number, code in enumerate(codes[: RESULTS.configurations], start=1):
        try:
            PUZZLE.format.find(code or "")
        except LevelError as error:
            raise ValueError(f"{file}, row {number}: {error}") from None
    return [str(code) for code in codes]


def _both(experiment: Experiment, what: str, levels: Sequence[str]) -> list[tuple[Result, Result]]:
    """The exact search and the printed procedure, level by level."""
    exact, printed = (
        experiment.once(f"{what}, {how}", Trial(agent, Budget(seconds=60)), levels)
        for how, agent in (
            ("exact search", "hua-rong-dao-bfs"),
            ("printed procedure", "hua-rong-dao-bfs-paper"),
        )
    )
    return [(one.result, other.result) for one, other in zip(exact, printed, strict=True)]


def _moves(result: Result) -> int | str:
    if result.status == Status.UNSOLVABLE:
        return NO_SOLUTION
    return str(result.status) if result.moves is None else result.moves
