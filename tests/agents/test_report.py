"""The report on a benchmark: scores by hand, faults, tables, files."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Sequence
from dataclasses import replace
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from puzzle_agents.benchmark.report import make_report
from puzzle_agents.benchmark.report.cells import bad
from puzzle_agents.benchmark.report.contest import contest_of
from puzzle_agents.benchmark.report.episodes import record
from puzzle_agents.benchmark.report.faults import faults_in
from puzzle_agents.benchmark.report.page import table_html
from puzzle_agents.benchmark.report.results import Results
from puzzle_agents.benchmark.report.scores import (
    chance_of,
    common_levels,
    evaluations,
    geometric_mean,
    log_score,
    score_of,
    transitions,
)
from puzzle_agents.benchmark.report.tables import (
    all_scores,
    all_tables,
    board_table,
    comparison_table,
    set_table,
)
from puzzle_agents.benchmark.row import Row
from puzzle_agents.cli.app import main
from puzzle_agents.registry import Kind
from puzzle_agents.statistics import better, bootstrap, improvement, iqm, wilson
from puzzle_agents.table import Table, columns
from puzzle_agents.terminal import drawn
from tests.agents.benchmark_rows import UNSOLVED, many, real_rows, row, solved_row, write_rows

GARDEN = "ZenGarden-v0"
NAMES = {"report.md", "report.html", "rows.csv", "scores.csv", "iohprofiler.zip"}


@pytest.fixture(scope="module")
def garden() -> Row:
    """A garden that is solved."""
    return solved_row(GARDEN, "first-steps/1", [0, 5, 14, 2, 13])


def faults_of(*rows: Row) -> dict[int, list[str]]:
    return faults_in(Results(rows))


# --- statistics -----------------------------------------------------------------------------------


def test_the_interquartile_mean_leaves_out_a_quarter_at_either_end() -> None:
    assert iqm([100, 1, 2, 3, 4, 5, 6, -50]) == pytest.approx(3.5)
    assert iqm([1, 2, 60]) == pytest.approx(21)  # of three numbers none is left out
    assert iqm([[0, 1, 1, 9], [4, 4, 4, 4]]).tolist() == [1, 4]


def test_the_probability_of_improvement_is_over_pairs_and_tasks() -> None:
    assert better([1, 2], [0, 2]) == pytest.approx((1 + 0 + 1 + 0.5) / 4)
    assert better([[1.0], [0.0]], [[0.0], [1.0]]).tolist() == [1, 0]
    assert improvement([[3, 4]], [[1, 2]]) == (1, 1, 1)
    value, low, high = improvement([[1, 2, 3], [5, 5, 5]], [[1, 2, 3], [5, 5, 5]])
    assert value == 0.5 and low < 0.5 < high
    mixed = improvement([[1, 2, 3], [7, 8, 9]], [[2, 3, 4], [0, 1, 2]])
    assert mixed[0] == pytest.approx(((1 + 0.5 * 2) / 9 + 1) / 2)


def test_the_bootstrap_draws_within_strata_and_is_the_same_each_time() -> None:
    strata = [[0.0] * 5, [1.0] * 5]
    assert bootstrap(strata, lambda drawn: drawn.mean(axis=-1)) == (0.5, 0.5)
    mixed = [[0.0, 1.0, 1.0, 0.0, 1.0], [1.0, 1.0]]
    first = bootstrap(mixed, iqm)
    assert first == bootstrap(mixed, iqm) and first[0] < first[1]
    assert first != bootstrap(mixed, lambda drawn: drawn.mean(axis=-1))


def test_the_bootstrap_covers_the_mean_as_often_as_it_says() -> None:
    random = np.random.default_rng(1)
    covered = 0
    for seed in range(200):
        sample = random.normal(5, 2, 40).tolist()
        low, high = bootstrap([sample], lambda drawn: drawn.mean(axis=-1), seed=seed)
        covered += low <= 5 <= high
    assert 178 <= covered <= 200


def test_wilson_takes_fractions() -> None:
    assert wilson(1.5, 3)[0] == pytest.approx(1 - wilson(1.5, 3)[1])
    assert wilson(0, 0) == (0.0, 1.0)


# --- scores ---------------------------------------------------------------------------------------


def test_log_scores_are_labs() -> None:
    assert log_score(50, 100, 10**6) == 1.0
    assert log_score(10**7, 100, 10**6) == 0.0
    assert log_score(10**4, 100, 10**6) == pytest.approx(0.5)
    assert log_score(3, 1, 300) == pytest.approx(log(3 / 300) / log(1 / 300))


def test_the_scores_of_an_agent_by_hand() -> None:
    rows = [
        row(level_text="a", optimum=4, moves=5, expanded=100, generated=10**4, cpu_seconds=0.5),
        row(level_text="b", optimum=4, moves=4, proved_optimal=True, expanded=10**4,
            generated=10**6, cpu_seconds=10**0.5),
        row(level_text="c", **UNSOLVED),
        row(level_text="a", agent="other", optimum=4),
    ]  # fmt: skip
    score = score_of(Results(rows), GARDEN, "astar")
    assert (score.levels, score.runs, score.solved_runs, score.coverage) == (3, 3, 2, 2.0)
    assert (score.low, score.high) == wilson(2, 3)
    assert score.agile == pytest.approx(1.5)
    assert score.satisficing == pytest.approx(4 / 5 + 1)
    assert score.optimal == 1
    assert score.expansions_score == pytest.approx(1.5)
    assert score.generated_score == pytest.approx(0.5)
    assert score.quality == pytest.approx(0.9)
    assert score.par2 == pytest.approx((0.5 + 10**0.5 + 20) / 3)


def test_the_best_found_stands_in_for_an_unknown_optimum() -> None:
    rows = [row(moves=6), row(agent="other", moves=5)]
    assert score_of(Results(rows), GARDEN, "astar").satisficing == pytest.approx(5 / 6)


def test_a_level_with_several_seeds_counts_with_their_mean() -> None:
    rows = [row(level_text="a", seed=seed) for seed in range(3)]
    rows += [row(level_text="a", seed=3, **UNSOLVED), row(level_text="b", seed=0)]
    assert score_of(Results(rows), GARDEN, "astar").coverage == pytest.approx(1.75)


def test_what_was_not_verified_is_not_solved() -> None:
    score = score_of(Results([row(verified=False)]), GARDEN, "astar")
    assert (score.coverage, score.agile, score.satisficing, score.quality) == (0, 0, 0, None)


def test_an_agent_that_counts_nothing_has_no_score_for_it() -> None:
    score = score_of(Results([row(expanded=0, generated=0)]), GARDEN, "astar")
    assert score.expansions_score is None and score.generated_score is None


def test_a_wrong_claim_voids_the_optimal_track_of_its_puzzle_only() -> None:
    rows = [
        row(level_text="a", moves=5, proved_optimal=True),
        row(level_text="b", moves=5, proved_optimal=True),
        row(level_text="a", moves=4, agent="other"),
        row(env="Kwirk-v0", level_text="c", proved_optimal=True),
    ]
    results = Results(rows)
    assert score_of(results, GARDEN, "astar").optimal is None
    assert score_of(results, "Kwirk-v0", "astar").optimal == 1


def test_common_levels_are_those_that_all_who_solve_anything_solved_with_every_seed() -> None:
    rows = [
        *(row(level_text=text, agent="a") for text in "xyz"),
        *(row(level_text="x", agent="b", seed=seed) for seed in range(2)),
        row(level_text="y", agent="b", seed=0), row(level_text="y", agent="b", seed=1, **UNSOLVED),
        *(row(level_text=text, agent="never", **UNSOLVED) for text in "xyz"),
    ]  # fmt: skip
    able, common = common_levels(Results(rows), GARDEN)
    assert able == ["a", "b"] and [key.text for key in common] == ["x"]


def test_geometric_means() -> None:
    assert geometric_mean([1, 100], 1) == pytest.approx(10)
    assert geometric_mean([0, 100], 1) == pytest.approx(10)


def test_chance_has_figures_from_two_seeds_on() -> None:
    assert chance_of(Results([row(seed=0)]), GARDEN, "astar") is None
    rows = [row(seed=seed, moves=4 + (seed == 3)) for seed in range(4)]
    chance = chance_of(Results(rows), GARDEN, "astar")
    assert chance is not None and (chance.levels, chance.seeds) == (1, 4)
    assert chance.solved == (1, 1, 1)
    assert chance.quality[0] == pytest.approx(1.0) and chance.quality[1] < 1


# --- the contest ----------------------------------------------------------------------------------


def test_who_beats_search_follows_the_rule() -> None:
    def against(text: str, kind: str, counts: Sequence[int | None]) -> list[Row]:
        return [
            row(level_text=text, agent=kind, kind=kind, seed=seed, evaluated=count or 0,
                generated=1, **({} if count is not None else UNSOLVED))
            for seed, count in enumerate(counts)
        ]  # fmt: skip

    rows = [
        *(row(level_text=text, evaluated=100, generated=1) for text in "abc"),
        *(row(level_text=text, **UNSOLVED) for text in "de"),
        *against("a", "evolution", [50, 60, None]),  # the median is 60
        *against("b", "evolution", [50, None, None]),  # the median is unsolved
        *against("c", "evolution", [100, 100, 100]),  # not less
        *against("d", "evolution", [10**6]),
        *against("a", "learning", [7]),
        *against("e", "learning", [None]),
        row(level_text="c", agent="exact", kind="exact", evaluated=1),
    ]
    contest = contest_of(Results(rows), GARDEN, evaluations)
    texts = [[key.text for key in keys] for keys in
             (contest.evolution, contest.learning, contest.neither, contest.unsolved)]  # fmt: skip
    assert texts == [["a", "d"], ["a"], ["b", "c"], ["e"]]
    by_transitions = contest_of(Results(rows), GARDEN, transitions)
    assert [key.text for key in by_transitions.evolution] == ["d"]


def test_the_fewest_evaluations_by_sets_and_by_levels() -> None:
    def on(name: str, agent: str, kind: Kind, evaluated: int, **changes: Any) -> Row:
        return row(level=name, level_text=name, agent=agent, kind=kind, evaluated=evaluated,
                   **changes)  # fmt: skip

    results = Results([
        on("a/1", "astar", "search", 100), on("a/1", "greedy", "search", 40),
        on("a/1", "ga", "evolution", 10), on("a/1", "ppo", "learning", 40),
        on("a/2", "astar", "search", 10), on("a/2", "ga", "evolution", 90),
        on("a/2", "ppo", "learning", 5, **UNSOLVED),
        on("b/1", "astar", "search", 1, **UNSOLVED), on("b/1", "ppo", "learning", 7),
    ])  # fmt: skip
    by_set = [[cell.text for cell in cells] for cells in set_table(results).rows]
    assert by_set == [
        [GARDEN, "a", "2", "1", "1", "0", "0", "1.5", "1"],
        [GARDEN, "b", "1", "0", "0", "1", "0", "–", "–"],
    ]
    by_level = [[cell.text for cell in cells[1:]] for cells in board_table(results).rows]
    assert by_level == [
        ["a/1", "40 (greedy)", "10 (ga)", "40 (ppo)", "evolution"],
        ["a/2", "10 (astar)", "90 (ga)", "–", "search"],
        ["b/1", "–", "–", "7 (ppo)", "learning"],
    ]
    assert not set_table(Results([row()])).rows


def test_agents_without_an_estimate_count_what_they_expand() -> None:
    assert evaluations(row(evaluated=0, expanded=7)) == 7
    assert evaluations(row(evaluated=3, expanded=7)) == 3


def test_evolution_counts_until_it_found_its_solution() -> None:
    ga = row(kind="evolution", evaluated=900, found=[[10, 0.1, 6], [50, 0.2, 4]])
    assert evaluations(ga) == 50
    assert evaluations(replace(ga, **UNSOLVED)) == 900
    assert evaluations(replace(ga, kind="search")) == 900


# --- faults ---------------------------------------------------------------------------------------


def test_sound_rows_have_no_faults() -> None:
    sound = [
        row(optimum=4, proved_optimal=True, bound=4),
        row(agent="b", moves=6),
        row(agent="c", **UNSOLVED),
        row(agent="d", **UNSOLVED | {"status": "error"}),
    ]
    assert faults_of(*sound) == {}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (row(verified=False), "not verified"),
        (row(moves=5, proved_optimal=True), "claimed to be optimal, but 'best' solved"),
        (row(**UNSOLVED | {"bound": 5}), "a bound of 5 moves is claimed"),
        (row(**UNSOLVED | {"status": "unsolvable"}), "claimed to be unsolvable, but 'best'"),
        (
            row(level_text="x", solvable=True, **UNSOLVED | {"status": "unsolvable"}),
            "says that it is solvable",
        ),
        (row(level_text="x", solvable=False), "says that it is unsolvable"),
        (row(level_text="x", optimum=5), "stated optimum is 5"),
        (row(level_text="x", optimum=3, proved_optimal=True), "stated optimum is 3"),
        (row(level_text="x", optimum=3, **UNSOLVED | {"bound": 4}), "stated optimum is 3"),
    ],
)
def test_what_does_not_hold_is_a_fault_of_its_row(wrong: Row, words: str) -> None:
    faults = faults_of(row(agent="best"), wrong)
    assert list(faults) == [1] and words in " ".join(faults[1])


def test_rows_of_other_options_are_other_puzzles() -> None:
    assert not faults_of(
        row(moves=5, proved_optimal=True, options={"metric": "step"}),
        row(agent="best", options={"metric": "move"}),
    )


def test_a_solution_that_does_not_replay_is_a_fault(garden: Row) -> None:
    assert garden.actions is not None and garden.moves is not None
    rows = [
        garden,
        replace(garden, agent="short", actions=garden.actions[:-1]),
        replace(garden, agent="liar", moves=garden.moves + 1),
        replace(garden, agent="wild", actions=[10**6]),
        replace(garden, agent="long", actions=[*garden.actions, 0]),
        replace(garden, level_text="what is this\n"),
    ]
    faults = record(Results(rows)).faults
    assert set(faults) == {1, 2, 3, 4, 5}
    assert "does not solve" in faults[1] and f"takes {garden.moves} moves" in faults[2]
    assert "cannot be replayed" in faults[5]


# --- episodes -------------------------------------------------------------------------------------


def test_equal_solutions_are_recorded_once_and_the_longest_left_out(garden: Row) -> None:
    rows = [garden, replace(garden, agent="twin")]
    recorded = record(Results(rows))
    assert len(recorded.episodes) == len(recorded.boards) == 1
    assert recorded.of_row == {0: 0, 1: 0}
    assert recorded.episodes[0]["moves"][-1] == garden.moves
    assert record(Results(rows), most_bytes=10).left_out == {0, 1}


# --- tables and files -----------------------------------------------------------------------------


def test_tables_show_texts_as_they_are() -> None:
    table = Table("A [bold]title[/]", columns(("a", "b")))
    table.add("[red]x|y[/]<b>", bad("*no*"))
    assert "[red]x|y[/]<b>" in drawn(table, 200).plain
    assert (
        "\\[red\\]x\\|y\\[/\\]\\<b\\>" in table.markdown() and "**✗ \\*no\\***" in table.markdown()
    )
    pytest.importorskip("jinja2", reason="needs the bench extra")
    assert "[red]x|y[/]&lt;b&gt;" in table_html(table) and "<b>" not in table_html(table)


def test_the_comparison_marks_wrong_claims_red() -> None:
    rows = [row(moves=5, proved_optimal=True), row(agent="best")]
    console = Console(
        width=200, file=io.StringIO(), force_terminal=True, color_system="standard", no_color=False
    )
    results = Results(rows)
    console.print(drawn(comparison_table(results, faults_in(results)), None))
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert "\x1b[1;31mastar" in shown and "\x1b[1;31mvoid" in shown
    assert "\x1b[1;31mbest" not in shown


def test_training_stands_beside_testing() -> None:
    rows = [row(agent="ppo", kind="learning", seed=0, train_steps=10**6, train_seconds=1000.0,
                cpu_seconds=2.0)]  # fmt: skip
    results = Results(rows)
    tables = all_tables(results, all_scores(results), {})
    (training,) = (table for table in tables if table.title == "Costs of training and testing")
    assert [cell.text for cell in training.rows[0]] == [
        GARDEN, "ppo", "1,000,000", "1,000", "2", "1,002", "12", "2.1"
    ]  # fmt: skip


def test_a_report_is_the_same_each_time_and_every_row_is_in_it(tmp_path: Path, garden: Row) -> None:
    pytest.importorskip("matplotlib", reason="needs the bench extra")
    rows = [garden, *many([garden], 30)]
    folder = write_rows(tmp_path, rows)
    one, two = make_report([folder], tmp_path / "one"), make_report([folder], tmp_path / "two")
    assert [path.name for path in one.files] == [path.name for path in two.files]
    assert {path.name for path in one.files} > NAMES
    for first, second in zip(one.files, two.files, strict=True):
        assert first.read_bytes() == second.read_bytes(), first.name
    with (tmp_path / "one" / "rows.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert [line["key"] for line in lines] == [one_row.key for one_row in rows]
    assert [line["row"] for line in lines] == [str(1 + number) for number in range(len(rows))]


def test_the_command_reports_and_fails_where_something_is_wrong(
    tmp_path: Path, garden: Row, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib", reason="needs the bench extra")
    assert main(["report", str(write_rows(tmp_path / "good", [garden]))]) == 0
    assert {path.name for path in (tmp_path / "good" / "report").iterdir()} > NAMES
    wrong = replace(garden, agent="odd", verified=False)
    folder = write_rows(tmp_path / "bad", [garden, wrong])
    assert main(["report", str(folder), "--output", str(tmp_path / "out")]) == 1
    assert "not verified" in capsys.readouterr().out
    assert "✗ the solution was not verified" in (tmp_path / "out" / "report.md").read_text("utf-8")
    assert not (folder / "report").exists()


def test_a_document_gets_the_tables_between_its_marks(
    tmp_path: Path, garden: Row, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib", reason="needs the bench extra")
    folder, document = str(write_rows(tmp_path, [garden])), tmp_path / "mine.md"
    begin, end = "<!-- tables begin -->", "<!-- tables end -->"
    for _ in range(2):
        document.write_text(f"Mine.\n{begin}\nold\n{end}\nMine, too.\n", encoding="utf-8")
        assert main(["report", folder, "--document", str(document)]) == 0
    text = document.read_text("utf-8")
    assert text.startswith(f"Mine.\n{begin}\n") and text.endswith(f"{end}\nMine, too.\n")
    assert "old" not in text and text.count("## Comparison of the agents") == 1
    for wrong in ("no marks", f"{end} {begin}", f"{begin}{end}{end}", f"{begin}{begin}{end}"):
        document.write_text(wrong, encoding="utf-8")
        capsys.readouterr()
        assert main(["report", folder, "--document", str(document)]) == 2
        assert str(document) in capsys.readouterr().err
        assert document.read_text("utf-8") == wrong


def test_names_of_any_letters_are_reported(tmp_path: Path, garden: Row) -> None:
    pytest.importorskip("matplotlib", reason="needs the bench extra")
    names = ["$x_1$", "_hidden", "禅", "<b>&", "a|b", "{{data}}", "[red]", "</script>"]
    rows = [replace(garden, agent=name, level=name, suite=name) for name in names]
    make_report([write_rows(tmp_path, rows)], tmp_path / "report")
    page = (tmp_path / "report" / "report.html").read_text("utf-8")
    assert page.count("</script>") == 2 and "<b>&" not in page


def test_a_thousand_rows_are_reported_within_ten_seconds(tmp_path: Path, garden: Row) -> None:
    pytest.importorskip("matplotlib", reason="needs the bench extra")
    folder = write_rows(tmp_path, many(real_rows(), 1000))
    make_report([write_rows(tmp_path / "first", real_rows())], tmp_path / "warm")
    began = time.process_time()
    make_report([folder], tmp_path / "report")
    assert time.process_time() - began < 10
    assert (tmp_path / "report" / "report.html").stat().st_size < 5_000_000
