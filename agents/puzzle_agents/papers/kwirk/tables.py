"""E. Wittingen, Creating a solver for Kwirk (Puzzle Boy)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from puzzle_agents.agent import Budget, Status
from puzzle_agents.environments import make_env
from puzzle_agents.papers.comparison import (
    Claim,
    Comparison,
    Measure,
    Pair,
    Row,
    Value,
    of_statements,
    printed,
)
from puzzle_agents.papers.report import Report
from puzzle_agents.papers.runs import Experiment, Outcome, Runner, Trial
from puzzle_agents.papers.settings import Settings
from puzzle_envs.kwirk import PUZZLE
from puzzle_envs.kwirk.codec import SWITCH
from puzzle_envs.kwirk.presses import key_presses

PAPER = f"{__doc__} 35th Twente Student Conference on IT, 2021"

MEM, SLOW = "MEM", "SLOW"
"""In place of m: out of memory; not solved in 15 minutes."""


class Figures(NamedTuple):
    """The paper's figures of a solver on a puzzle."""

    moves: int | str
    """Or MEM, SLOW."""
    states: int
    sequences: int | None
    quotient: float | None
    """The quotient Δs of the states and those of the base solver; not in Table 1."""


def _by_table() -> dict[str, dict[str, Figures]]:
    tables: dict[str, dict[str, Figures]] = {}
    for row in printed(__package__):
        table, puzzle = row.pop("table"), row.pop("puzzle")
        tables.setdefault(table, {})[puzzle] = Figures(**row)
    return tables


PRINTED = _by_table()
"""Tables 2 to 4, and Table 1 by the names of its solvers."""

BASE = {
    "BFS": "kwirk-bfs-paper",
    "DFS": "kwirk-dfs-paper",
    "A*": "kwirk-astar-paper",
    "Fringe": "kwirk-fringe-paper",
    "Multi-layer A*": "kwirk-layers-astar",
    "Multi-layer Fringe": "kwirk-layers-fringe",
}
"""The solvers of section 4, and our agents for them."""
LAYERED = ("Multi-layer A*", "Multi-layer Fringe")


class Variation(NamedTuple):
    """A variation of section 5."""

    title: str
    base: str
    """The base solver."""
    arguments: Mapping[str, Any]
    printed: str = ""
    """The number of its table, if it has one."""


VARIATIONS = (
    Variation(
        "Table 2, average exit-distance as the cost function, A*",
        "A*", {"heuristic": "exit-distance"}, "Table 2, A*",
    ),
    Variation(
        "Table 2, average exit-distance as the cost function, Fringe",
        "Fringe", {"heuristic": "exit-distance"}, "Table 2, Fringe",
    ),
    Variation("Section 6.2, A* with x = 20", "A*", {"window": 20}),
    Variation("Section 6.2, A* with x = 30", "A*", {"window": 30}),
    Variation(
        "Table 3, only sub-goals for holes", "Multi-layer A*", {"subgoals": "holes"}, "Table 3"
    ),
    Variation("Section 6.4, no deadlock detection", "Multi-layer A*", {"deadlocks": False}),
    Variation(
        "Table 4 (a), fewer new sequences",
        "Multi-layer A*", {"sequence_tries": 10}, "Table 4 (a)",
    ),
    Variation(
        "Table 4 (b), fewer new start-states",
        "Multi-layer A*", {"start_tries": 10}, "Table 4 (b)",
    ),
    Variation(
        "Table 4 (c), both",
        "Multi-layer A*", {"sequence_tries": 10, "start_tries": 10}, "Table 4 (c)",
    ),
)  # fmt: skip

ENVIRONMENT, BY_KEYS = "Kwirk-v0", "KwirkSteps-v0"
EXACT = "bfs"
"""The agent that proves the fewest pushes."""
OURS = "portfolio"
"""The agent that finds solutions of large floors and then makes them shorter."""
FOUND_BY = ("solved_by", "improved_by")
"""What the portfolio's results say of their origin."""

FLOORS_VARIABLE = "PUZZLE_ENVS_KNOWN_FLOORS"
"""Environment variable for --levels: a folder with the 30 puzzles, easy-1.txt to hard-10.txt."""
GOING_UP = [f"{grade}-{number}" for grade in ("easy", "average", "hard") for number in range(1, 11)]
OWN_SETS = ("easy", "average", "hard", "two", "proofs")

BUDGET = Budget(seconds=90, memory="400 MB")
"""A tenth of the paper's 15 minutes and 4 GB."""
OUR_MEMORY, OUR_SECONDS = "4 GB", 75.0
"""Of the portfolio: the paper's memory, and a twelfth of its time, on the processor."""
QUICK_BUDGET = Budget(seconds=1, memory="256 MiB")
QUICK_GOING_UP = [*GOING_UP[:10], "average-1", "average-4", "hard-1"]
QUICK_OWN = 4
"""Number of floors of each set."""

MOVES, STATES, SEQUENCES = "tasks", "opened", "sequences"
"""The keys of the paper's m, s and seq in the results of its solvers."""

REMARKS = {
    "a": "The order in which states of equal cost are opened is not printed; s and seq depend on "
    "it, and so does the m of searches that are not exact.",
    "b": "m counts tasks: pushes, and each time that a character is moved aside first. With "
    "several characters it is not the number of pushes.",
    "c": "MEM: out of memory; SLOW: out of time. The paper's limits were 4 GB and 15 minutes, ours "
    "are a tenth of both.",
}
PORTFOLIO_REMARK = (
    "The portfolio had {limits}; after its first solution it spent the rest of the time on shorter "
    "ones, unless that was proved optimal. Every solution was played by keys."
)

Ours = Callable[[Outcome], Value]
Solved = Mapping[str, Outcome]
"""The results of a solver, by floor."""


class Floors(NamedTuple):
    """Levels to run on."""

    title: str
    levels: Mapping[str, str]
    """The name of each floor, and the level for an environment."""
    figures: Mapping[str, Mapping[str, Figures]]
    """The paper's figures for these floors."""

    def printed(self) -> Floors:
        """Those that the paper has figures of."""
        there = {name: level for name, level in self.levels.items() if name in PRINTED["BFS"]}
        return self._replace(levels=there)


def reproduce(settings: Settings, run: Runner) -> Report:
    """Run everything."""
    left_out = []
    tables: list[Comparison] = []
    experiment = Experiment(ENVIRONMENT, settings, run)
    folder = settings.levels_or(FLOORS_VARIABLE)
    if folder is None:
        left_out.append(
            "the 30 puzzles of Going up, which are not bundled; name a folder with easy-1.txt to "
            f"hard-10.txt with --levels or {FLOORS_VARIABLE}."
        )
    else:
        floors = _going_up(folder, settings)
        printed_floors = floors.printed()
        tables += [searched(floors, experiment), *_tables_of(printed_floors, experiment)]
        unprinted = [name for name in floors.levels if name not in printed_floors.levels]
        if unprinted:
            left_out.append(
                f"the paper's solvers on {', '.join(unprinted)}, which none of them solves."
            )
        missing = [name for name in GOING_UP if name not in floors.levels]
        if missing and not settings.quick:
            left_out.append(f"puzzles that the folder does not contain: {', '.join(missing)}.")
    own = _own_floors(settings)
    tables += [searched(own, experiment), *_tables_of(own, experiment), arithmetic()]
    if settings.quick:
        left_out.append(
            f"floors: {len(QUICK_GOING_UP)} of the 30 puzzles, {QUICK_OWN} of each bundled set; "
            f"{QUICK_BUDGET.seconds} s and {QUICK_BUDGET.memory} for each instead of "
            f"{BUDGET.seconds} s and {BUDGET.memory}."
        )
    return Report("kwirk", PAPER, tuple(tables), tuple(left_out))


def _going_up(folder: Path, settings: Settings) -> Floors:
    """The paper's puzzles that the folder contains."""
    wanted = settings.either(GOING_UP, QUICK_GOING_UP)
    paths = {name: folder / f"{name}.txt" for name in wanted}
    there = {name: str(path) for name, path in paths.items() if path.is_file()}
    if not there:
        raise ValueError(
            f"{folder} has none of the puzzles; give a folder with easy-1.txt to hard-10.txt."
        )
    return Floors("Going up", there, PRINTED)


def _own_floors(settings: Settings) -> Floors:
    levels: dict[str, str] = {}
    for name in OWN_SETS:
        for level in PUZZLE.format.find_all(name)[: settings.either(None, QUICK_OWN)]:
            levels[level.name] = level.name
    return Floors("Our own floors", levels, {})


def _tables_of(floors: Floors, experiment: Experiment) -> list[Comparison]:
    """Tables 1 to 4 on these floors."""

    def solve(what: str, agent: str, arguments: Mapping[str, Any]) -> Solved:
        budget = experiment.settings.either(BUDGET, QUICK_BUDGET)
        trial = Trial(agent, budget, arguments, (MOVES, STATES, SEQUENCES))
        found = experiment.once(f"{floors.title}: {what}", trial, floors.levels.values())
        return dict(zip(floors.levels, found, strict=True))

    base = {name: solve(name, agent, {}) for name, agent in BASE.items()}
    tables = table_1(floors, base, solve("fewest pushes", EXACT, {}))
    for variation in VARIATIONS:
        found = solve(variation.title, BASE[variation.base], variation.arguments)
        tables.append(_varied(floors, variation, base[variation.base], found))
    return tables


# --- Table 1 ----------------------------------------------------------------------------------


def table_1(floors: Floors, base: Mapping[str, Solved], exact: Solved) -> list[Comparison]:
    """The base solvers: moves, states opened and sequences, a table each.

    Rows are the puzzles that at least one solver solves, the paper's or ours.
    """
    names = [
        name
        for name in floors.levels
        if name in floors.figures.get("BFS", {})
        or any(base[solver][name].result.solved for solver in BASE)
    ]

    def pairs(name: str, solvers: Iterable[str], figure: str, ours: Ours) -> list[Pair]:
        figures = [floors.figures.get(solver, {}).get(name) for solver in solvers]
        found = [ours(base[solver][name]) for solver in solvers]
        return [
            Pair(paper and getattr(paper, figure), our)
            for paper, our in zip(figures, found, strict=True)
        ]

    def table(what: str, solvers: Sequence[str], figure: str, ours: Ours) -> Comparison:
        rows = (Row.of(name, *pairs(name, solvers, figure, ours)) for name in names)
        measures = tuple(Measure(solver, ",", remark="a") for solver in solvers)
        title = f"Table 1, {floors.title}: {what}"
        return Comparison(title, "puzzle", measures, tuple(rows), {"a": REMARKS["a"]})

    moves = []
    for name in names:
        cells = pairs(name, tuple(BASE), "moves", _moves)
        best = Pair(_least(cell.paper for cell in cells), _least(cell.ours for cell in cells))
        proof = exact[name].result
        moves.append(Row.of(name, *cells, best, proof.moves if proof.proved_optimal else None))
    solved = [
        Pair(
            len(_numbers(floors.figures[solver])) if floors.figures else None,
            sum(outcome.result.solved for outcome in base[solver].values()),
        )
        for solver in BASE
    ]
    measures = (
        *(Measure(name, ",", remark="a") for name in BASE),
        Measure("best", ",", Claim.AT_MOST, "b"),
        Measure("fewest pushes, proved", ","),
    )
    moves.append(Row.of(f"solved, of {len(floors.levels)}", *solved, None, None))
    title = f"Table 1, {floors.title}: moves (m)"
    return [
        Comparison(title, "puzzle", measures, tuple(moves), REMARKS),
        table("states opened (s)", tuple(BASE), "states", _states),
        table("sub-goal sequences explored (seq)", LAYERED, "sequences", _sequences),
    ]


def _states(outcome: Outcome) -> int:
    counted: int | None = outcome.facts.get(STATES)
    return outcome.result.expanded if counted is None else counted


def _moves(outcome: Outcome) -> int | str:
    """The paper's m, or its word for why there is none."""
    if outcome.result.solved:
        counted: int | None = outcome.facts.get(MOVES)
        return (outcome.result.moves or 0) if counted is None else counted
    words = {Status.OUT_OF_MEMORY: MEM, Status.OUT_OF_TIME: SLOW}
    return words.get(outcome.result.status, str(outcome.result.status))


def _sequences(outcome: Outcome) -> int | None:
    return outcome.facts.get(SEQUENCES)


def _least(values: Iterable[Value]) -> int | None:
    return min((value for value in values if isinstance(value, int)), default=None)


# --- our own search ---------------------------------------------------------------------------


def searched(floors: Floors, experiment: Experiment) -> Comparison:
    """What the portfolio finds, beside the best of the paper's solvers."""
    seconds = experiment.settings.either(OUR_SECONDS, float(QUICK_BUDGET.seconds or 0))
    budget = experiment.settings.either(Budget(None, OUR_MEMORY), QUICK_BUDGET)
    trial = Trial(OURS, budget, facts=FOUND_BY, cpu_seconds=seconds)
    found = experiment.once(f"{floors.title}: {OURS}", trial, floors.levels.values())
    rows = []
    for name, outcome in zip(floors.levels, found, strict=True):
        result, printed_of = outcome.result, [floors.figures.get(solver, {}) for solver in BASE]
        best = _least(figures[name].moves for figures in printed_of if name in figures)
        steps, switches = _keys(outcome)
        rows.append(
            Row.of(
                name, Pair(best, _moves(outcome)), result.found_moves, result.bound, steps,
                switches, outcome.cpu_seconds, result.peak_bytes / 1e6,
                *(outcome.facts.get(fact) or None for fact in FOUND_BY),
            )
        )  # fmt: skip
    measures = (
        Measure("moves; pushes", ",", Claim.AT_MOST, "b"), Measure("as found", ","),
        Measure("lower bound", ","), Measure("steps", ","), Measure("switches", ","),
        Measure("CPU s", ".1f"), Measure("MB", ".0f"), Measure("solved by"),
        Measure("improved by"),
    )  # fmt: skip
    title = f"{floors.title}: the paper's best, and our portfolio"
    limits = f"{seconds:.0f} CPU seconds and {budget.memory} per floor, on one core"
    remarks = {"b": REMARKS["b"], "d": PORTFOLIO_REMARK.format(limits=limits)}
    return Comparison(title, "puzzle", measures, tuple(rows), remarks)


def _keys(outcome: Outcome) -> tuple[int | None, int | None]:
    """The steps and switches of a solution; the environment by keys has to be solved by them."""
    if not outcome.result.actions:
        return None, None
    env = make_env(ENVIRONMENT, outcome.run.level)
    keys = key_presses(env.record, env.get_state().words, outcome.result.actions)
    played = make_env(BY_KEYS, outcome.run.level)
    info = {"solved": False}
    for key in keys:
        *_, info = played.step(key)
    if not info["solved"]:
        raise RuntimeError(f"{outcome.run.level}: the keys do not solve the floor.")
    switches = keys.count(SWITCH)
    return len(keys) - switches, switches


# --- Tables 2 to 4 ----------------------------------------------------------------------------


def _varied(floors: Floors, variation: Variation, base: Solved, found: Solved) -> Comparison:
    """A variation next to its base solver: the paper's rows, and those in which ours differ."""
    figures = floors.figures.get(variation.printed, {})
    rows = []
    for name in floors.levels:
        paper, before, after = figures.get(name), base[name], found[name]
        if paper is None and not _differ(before, after):
            continue
        quotient = paper and round(paper.states / PRINTED[variation.base][name].states, 3)
        rows.append(
            Row.of(
                name, Pair(paper and paper.moves, _moves(after)),
                Pair(paper and paper.states, _states(after)),
                Pair(quotient, round(_quotient(before, after), 3)),
                Pair(paper and paper.sequences, _sequences(after)),
            )
        )  # fmt: skip
    forms = {"m": ",", "s": ",", "Δs": ".3f", "seq": ","}
    return Comparison(
        f"{variation.title}, {floors.title}",
        "puzzle",
        tuple(Measure(name, form, remark="a") for name, form in forms.items()),
        tuple(rows),
        {"a": REMARKS["a"], "c": REMARKS["c"]},
    )


def _quotient(base: Outcome, found: Outcome) -> float:
    return _states(found) / max(1, _states(base))


def _differ(base: Outcome, found: Outcome) -> bool:
    """Whether the paper would show a row, by its rule in section 6."""
    return (
        _moves(base) != _moves(found)
        or _sequences(base) != _sequences(found)
        or not 0.9 <= _quotient(base, found) <= 1.1
    )


# --- the paper's own figures ------------------------------------------------------------------


def arithmetic() -> Comparison:
    """The statements of the text, recomputed from Tables 1 to 4."""
    moves = {solver: _numbers(PRINTED[solver]) for solver in BASE}
    both = moves["BFS"].keys() & moves["Multi-layer A*"].keys()
    opened = {
        solver: round(fmean(PRINTED[solver][name].states for name in both))
        for solver in ("BFS", "Multi-layer A*")
    }
    not_shorter = {
        solver: sum(count >= moves["DFS"][name] for name, count in moves[solver].items())
        for solver in ("A*", "Multi-layer Fringe")
    }
    unlike_a_star = sum(
        row.moves != PRINTED["A*"][name].moves for name, row in PRINTED["Table 3"].items()
    )
    wrong_quotients = sum(
        abs(row.states / PRINTED[variation.base][name].states - (row.quotient or 0)) > 0.00051
        for variation in VARIATIONS
        if variation.printed
        for name, row in PRINTED[variation.printed].items()
    )
    return of_statements(
        "The paper's statements: printed / recomputed from its tables",
        "statement",
        Measure("value", ","),
        [
            ("puzzles that A* and DFS solve, of 30", 16, len(moves["A*"]), ""),
            ("puzzles on which A* is not shorter than DFS", 0, not_shorter["A*"], "a"),
            ("puzzles on which multi-layer Fringe is not shorter than DFS", 0,
             not_shorter["Multi-layer Fringe"], "b"),
            ("states opened by BFS, average over the puzzles that it and multi-layer A* solve",
             None, opened["BFS"], "c"),
            ("states opened by multi-layer A*, average over the same", None,
             opened["Multi-layer A*"], "c"),
            ("puzzles of Table 3 whose moves differ from those of A*", None, unlike_a_star, ""),
            ("quotients Δs in Tables 2 to 4 that do not match their counts", None,
             wrong_quotients, ""),
        ],
        {
            "a": "Section 6.1: all solutions of A* are shorter than those of DFS. On easy-4 both "
            "have 5 moves.",
            "b": "Section 6.1: multi-layer Fringe finds shorter solutions than DFS. On easy-4 it "
            "takes as many moves, on hard-3 more (66 and 58).",
            "c": "Section 6.1: BFS opened more states on average than multi-layer A*. On the 15 "
            "puzzles that both solve it opened fewer; the statement holds only with hard-5, where "
            "both ran out of memory.",
        },
    )  # fmt: skip


def _numbers(figures: Mapping[str, Figures]) -> dict[str, int]:
    """The moves on the solved puzzles."""
    return {name: row.moves for name, row in figures.items() if isinstance(row.moves, int)}
