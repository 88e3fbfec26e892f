"""The papers' tables: what holds, what is shown, what is written; Hua Rong Dao's own figures."""

from __future__ import annotations

import contextlib
import io
import json
import unittest.mock
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import puzzle_envs.zen_garden
from puzzle_agents import Budget, Result, Status, names
from puzzle_agents.papers.comparison import Claim, Comparison, Measure, Pair, Row
from puzzle_agents.papers.hua_rong_dao import tables as hua_rong_dao
from puzzle_agents.papers.journal import Journal
from puzzle_agents.papers.kwirk import tables as kwirk
from puzzle_agents.papers.report import Report, circumstances
from puzzle_agents.papers.report import markdown as page_of
from puzzle_agents.papers.runs import Experiment, Outcome, Run, Trial, Workers, _warm_up, outcome_of
from puzzle_agents.papers.settings import Settings
from puzzle_agents.papers.skyscraper import tables as skyscraper
from puzzle_agents.papers.zen_garden import tables as zen_garden

QUICK = Settings(quick=True)
PAPERS = [hua_rong_dao, kwirk, skyscraper, zen_garden]


def table(**changes: object) -> Comparison:
    parts: dict[str, object] = {
        "title": "Table 0",
        "label": "board",
        "measures": (
            Measure("moves", claim=Claim.EQUAL, remark="a"),
            Measure("states", ",", Claim.AT_MOST),
            Measure("time", ".2f"),
        ),
        "rows": (
            Row("same", (Pair(3, 3), Pair(2000, 1000), Pair(None, 1.234))),
            Row("other", (Pair(3, 4), Pair(10, 11), Pair(None, None))),
            Row("word", (Pair("SLOW", "MEM"), Pair(10, "MEM", "b"), Pair(None, 2.0))),
        ),
        "remarks": {"a": "Why not.", "b": "No | room."},
    }
    return Comparison(**(parts | changes))  # type: ignore[arg-type]


def shown(report: Report, width: int = 100) -> str:
    text = io.StringIO()
    with (
        contextlib.redirect_stdout(text),
        unittest.mock.patch("puzzle_agents.terminal.room", return_value=width),
    ):
        report.show()
    return text.getvalue()


# --- tables -----------------------------------------------------------------------------------


def test_claims_are_judged_where_there_are_two_figures_and_no_remark() -> None:
    assert table().broken() == [
        "Table 0, other, moves: the paper has 3, we have 4.",
        "Table 0, other, states: the paper has 10, we have 11.",
        "Table 0, word, moves: the paper has SLOW, we have MEM.",
    ]


def test_a_cell_shows_both_figures_and_why_they_differ() -> None:
    drawn = table().table()
    assert [column.head for column in drawn.columns] == ["board", "moves", "states", "time (ours)"]
    assert [[tuple(cell) for cell in cells[1:]] for cells in drawn.rows] == [
        [("3 / 3", "right"), ("2,000 / 1,000", ""), ("1.23", "")],
        [("3 / 4 [a]", "wrong"), ("10 / 11", "wrong"), ("–", "")],
        [("SLOW / MEM [a]", "wrong"), ("10 / MEM [b]", ""), ("2.00", "")],
    ]


def test_a_table_whose_parts_do_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="row 'short' has 1 cells, not 3"):
        table(rows=(Row("short", (Pair(),)),))
    with pytest.raises(ValueError, match="no remark 'z'"):
        table(rows=(Row("row", (Pair(1, 1, "z"), Pair(), Pair())),))
    with pytest.raises(ValueError, match="no remark 'a'"):
        table(remarks={"b": "No room."})


# --- reports ----------------------------------------------------------------------------------


def test_a_report_on_the_terminal() -> None:
    text = shown(Report("a-paper", "A. Author, A title", (table(),), ("the rest [of it].",)))
    for part in ("A. Author, A title", "3 / 4 [a]", "[a] Why not.", "Left out: the rest [of it]."):
        assert part in text
    assert "Figures that should match but do not:" in text
    good = table(rows=table().rows[:1])
    assert "Every figure expected to match the paper does." in shown(Report("p", "P", (good,)))


def test_a_report_in_files(tmp_path: Path) -> None:
    report = Report("a-paper", "A. Author, A title", (table(),), ("the rest.",))
    paths = report.write(tmp_path, circumstances("puzzle-envs reproduce a-paper", 7, 1.25))
    assert sorted(tmp_path.iterdir()) == sorted(paths), "nothing but the two files"
    markdown = (tmp_path / "a-paper.md").read_text(encoding="utf-8")
    assert "| same | 3 / 3 | 2,000 / 1,000 | 1.23 |" in markdown
    assert "| other | **✗ 3 / 4 \\[a\\]** | **✗ 10 / 11** | – |" in markdown
    assert "* \\[b\\] No \\| room." in markdown
    data = json.loads((tmp_path / "a-paper.json").read_text(encoding="utf-8"))
    assert data["tables"][0]["rows"][1]["cells"][0] == {
        "paper": 3, "ours": 4, "same": False, "holds": False, "remark": "a",
    }  # fmt: skip
    assert data["command"] == "puzzle-envs reproduce a-paper" and data["seed"] == 7
    assert {"python", "numpy", "numba", "gymnasium"} <= data["versions"].keys()
    assert data["machine"] and data["date"].startswith("20") and len(data["broken"]) == 3
    assert page_of(data) == markdown, "the page can be written again from the data alone"


def test_files_are_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = Report("a-paper", "A. Author, A title", (table(),))
    how = circumstances("puzzle-envs", 0, 0.0)
    report.write(tmp_path, how)
    before = (tmp_path / "a-paper.md").read_bytes()

    def no_space(*_: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr("puzzle_envs.common.files.os.replace", no_space)
    with pytest.raises(OSError, match="No space"):
        Report("a-paper", "Another", (table(),)).write(tmp_path, how)
    assert (tmp_path / "a-paper.md").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-paper.json", "a-paper.md"]


# --- runs -------------------------------------------------------------------------------------


def test_runs_side_by_side_come_back_in_their_order() -> None:
    told = []

    def watch(what: str, done: int, of: int) -> None:
        told.append((what, done, of))

    runs = [
        Run("ZenGarden-v0", level, Trial("zen-astar-paper", facts=("finished", "nothing")))
        for level in ("first-steps/14", "first-steps/1")
    ]
    with Workers(2) as workers:
        found = workers.outcomes("boards", runs, Settings(watch=watch))
    assert [outcome.run for outcome in found] == runs
    assert [outcome.result.moves for outcome in found] == [5, 3]
    assert found[0].facts == {"finished": True, "nothing": None}
    assert all(0 < outcome.cpu_seconds < 2 for outcome in found)
    assert told == [("boards", done, 2) for done in range(3)]


def test_an_interrupted_command_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "a-paper.runs"
    runs = [
        Run("ZenGarden-v0", f"first-steps/{number}", Trial("zen-astar-paper", facts=("finished",)))
        for number in (14, 1)
    ]
    with Workers(1, Journal(file)) as workers:
        before = workers.outcomes("boards", runs[:1], Settings())
    with file.open("a") as half:
        half.write('5\n{"run": "b", "result": {"status": "solved"}}\n{"run": "broken')
    told = []
    journal = Journal(file)
    with Workers(1, journal) as workers:
        found = workers.outcomes("boards", runs, Settings(watch=lambda *now: told.append(now)))
    assert journal.resumed == 1 and told == [("boards", 1, 2), ("boards", 2, 2)]
    assert found[0] == before[0] and [outcome.run for outcome in found] == runs
    assert Journal(file).resumed == 2
    journal.end()
    assert not file.exists()


def test_a_limit_of_the_processor_s_time() -> None:
    run = Run("ZenGarden-v0", "large/16", Trial("bfs", Budget(None, "1 GiB"), cpu_seconds=0.2))
    _warm_up(run)
    outcome = outcome_of(run)
    assert outcome.result.status == Status.OUT_OF_TIME
    assert 0.2 < outcome.cpu_seconds < 2


def test_a_run_that_fails_ends_the_rest() -> None:
    wrong = Run("ZenGarden-v0", "first-steps/1", Trial("no-such-agent"))
    with (
        Workers(1) as workers,
        pytest.raises(ValueError, match="There is no agent 'no-such-agent'"),
    ):
        workers.outcomes("boards", [wrong, wrong], Settings())


# --- the papers -------------------------------------------------------------------------------


def canned(what: str, runs: Sequence[Run], settings: Settings) -> list[Outcome]:
    """As if every run had come to the same."""
    result = Result(
        Status.SOLVED, moves=4, proved_optimal=True, expanded=100, evaluated=1000, seconds=0.5
    )
    facts = {"finished": True, "generation": 12, "best_score": -2, "sequences": 1}
    settings.watch(what, len(runs), len(runs))
    return [Outcome(run, result, facts) for run in runs]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_makes_a_report(paper: ModuleType, tmp_path: Path) -> None:
    report: Report = paper.reproduce(QUICK, canned)
    assert import_module(f"puzzle_agents.papers.{report.name.replace('-', '_')}.tables") is paper
    assert report.left_out, "a quick run says what it leaves out"
    for width in (60, 200):
        assert report.paper.split(",")[0] in shown(report, width)
    report.write(tmp_path, circumstances("puzzle-envs", 0, 0.0))


def test_the_searching_process_of_hua_rong_dao() -> None:
    drawn = hua_rong_dao.table_1()
    assert drawn.broken() == []
    assert all(cell.same for row in drawn.rows for cell in row.pairs)
    assert len(drawn.rows) == 8


def test_the_results_of_hua_rong_dao() -> None:
    """All but the hardest: 137 in the paper, and 138 are known."""
    drawn = hua_rong_dao.results(QUICK)
    assert [(cell.paper, cell.ours) for row in drawn.rows for cell in row.pairs] == [
        (81, 81), (18, 18), (137, 138), (None, 138), ("no solution", "no solution"),
    ]  # fmt: skip
    assert drawn.broken() == []


def test_the_printed_procedure_of_hua_rong_dao() -> None:
    def run(what: str, runs: Sequence[Run], settings: Settings) -> list[Outcome]:
        few = ("classics/1", "classics/10", "classics/11")
        return [
            outcome_of(one) if one.level in few else Outcome(one, Result(Status.GAVE_UP), {})
            for one in runs
        ]

    drawn = hua_rong_dao.named_layouts(Experiment("HuaRongDao-v0", QUICK, run))
    moves = [(row.pairs[0].ours, row.pairs[1].ours) for row in drawn.rows]
    assert (moves[0], moves[9], moves[10]) == ((81, 84), ("no solution",) * 2, (18, 19))
    assert drawn.rows[0].pairs[1].remark == "b"
    assert drawn.broken() == []


def test_a_list_of_hua_rong_dao_s_website(tmp_path: Path) -> None:
    file = tmp_path / "layouts.csv"
    file.write_text("code,name\n1A9BF0C00,one\n1FFFFFFC3,two\n", encoding="utf-8")
    report = hua_rong_dao.reproduce(Settings(levels=file), canned)
    assert report.tables[-1].rows[0].pairs[0] == Pair(374, 2)


def test_gardens_in_place_of_the_paper_s() -> None:
    """The rule of their choice, but for the limit on A*, which takes minutes."""
    form = puzzle_envs.zen_garden.PUZZLE.format
    sets = ("rocks", "ornaments", "leaves", "mixed")
    defaults = {"sideways_push": 1, "turning_out": 1, "push_onto_leaf": 0, "push_from_perimeter": 0}
    assert len({board.level for board in zen_garden.BOARDS.values()}) == 23
    last: dict[tuple[int, str], int] = {}
    for board in zen_garden.BOARDS.values():
        (level,) = form.find(board.level)
        record = level.record
        assert level.optimum == board.optimum
        assert max(int(record["width"]), int(record["height"])) <= 8
        assert {key: int(record[key]) for key in defaults} == defaults
        folder, _, number = board.level.partition("/")
        assert folder in sets
        assert int(number) > last.get((level.optimum, folder), 0), "in the order of the set"
        last[level.optimum, folder] = int(number)


def test_the_board_without_a_solution() -> None:
    run = Run("ZenGarden-v0", zen_garden.UNSOLVABLE, Trial("zen-astar-paper"))
    result = outcome_of(run).result
    assert (result.status, result.evaluated) == (Status.UNSOLVABLE, 33_452)


def test_the_arithmetic_of_the_papers() -> None:
    def figures(drawn: Comparison) -> list[tuple[object, object]]:
        return [(row.pairs[0].paper, row.pairs[0].ours) for row in drawn.rows]

    assert figures(zen_garden.arithmetic()) == [
        (14.66, 14.66), (None, 0), (2.53, 2.53), (0.65, 0.72), (None, 0), (24, 24), (24, 22),
        (None, 2), (None, 0),
    ]  # fmt: skip
    assert figures(kwirk.arithmetic()) == [
        (16, 16), (0, 1), (0, 2), (None, 34_586), (None, 36_584), (None, 0), (None, 0),
    ]  # fmt: skip
    assert figures(skyscraper.arithmetic()) == [(60, 73.4), (3, 9694), (None, 0)]


def test_kwirk_s_own_puzzles_are_run_where_they_are(tmp_path: Path) -> None:
    for name in kwirk.QUICK_GOING_UP:
        (tmp_path / f"{name}.txt").write_text("########\n#1 a%  #\n########\n", encoding="utf-8")
    report = kwirk.reproduce(Settings(quick=True, levels=tmp_path), canned)
    ours, first, *_ = report.tables
    assert [row.label for row in ours.rows] == kwirk.QUICK_GOING_UP
    assert [row.label for row in first.rows][:-1] == kwirk.QUICK_GOING_UP
    assert "{" not in "".join(ours.remarks.values())
    assert sorted(first.remarks) == ["a", "b", "c"], "the portfolio's remark is not about Table 1"
    easy = first.rows[0].pairs
    assert easy[0] == Pair(4, 4) and easy[1] == Pair(15, 4), "BFS and DFS on easy-1"
    (tmp_path / "easy-7.txt").unlink()
    fewer = kwirk.reproduce(Settings(levels=tmp_path), canned)
    assert "easy-7" not in [row.label for row in fewer.tables[1].rows]
    assert "does not contain: easy-7, average-2" in " ".join(fewer.left_out)


def test_the_paper_s_solvers_skip_puzzles_without_figures(tmp_path: Path) -> None:
    ran: set[tuple[str, str]] = set()

    def run(what: str, runs: Sequence[Run], settings: Settings) -> list[Outcome]:
        ran.update(
            (one.trial.agent, Path(one.level).stem) for one in runs if one.level.endswith(".txt")
        )
        return canned(what, runs, settings)

    for name in ("easy-1", "average-2"):
        (tmp_path / f"{name}.txt").write_text("########\n#1 a%  #\n########\n", encoding="utf-8")
    report = kwirk.reproduce(Settings(levels=tmp_path), run)
    assert {name for agent, name in ran if agent == kwirk.OURS} == {"easy-1", "average-2"}
    assert {name for agent, name in ran if agent != kwirk.OURS} == {"easy-1"}
    assert "solvers on average-2" in " ".join(report.left_out)


def test_kwirk_shows_the_rows_that_differ() -> None:
    """As section 6 does."""

    def run(what: str, runs: Sequence[Run], settings: Settings) -> list[Outcome]:
        slow = "Table 3" in what
        found = canned(what, runs, settings)
        if not slow:
            return found
        more = Result(Status.SOLVED, moves=4, expanded=120)
        return [Outcome(found[0].run, more, found[0].facts), *found[1:]]

    report = kwirk.reproduce(QUICK, run)
    (third,) = [drawn for drawn in report.tables if drawn.title.startswith("Table 3")]
    assert [row.label for row in third.rows] == ["easy/1"]
    assert third.rows[0].pairs[2].ours == 1.2


def test_words_for_what_is_not_solved() -> None:
    def run(what: str, runs: Sequence[Run], settings: Settings) -> list[Outcome]:
        status = Status.OUT_OF_MEMORY if "BFS" in what else Status.SOLVED
        return [Outcome(one, Result(status, moves=4, expanded=9), {}) for one in runs]

    first = kwirk.reproduce(QUICK, run).tables[1]
    assert first.rows[0].pairs[0].ours == "MEM"
    assert first.rows[-1].pairs[0].ours == 0, "solved by none"


def test_agents_that_tables_name_are_registered() -> None:
    assert {"hua-rong-dao-bfs", "hua-rong-dao-bfs-paper", zen_garden.A_STAR} <= set(names())
