"""Answers, pairwise wins and surprising rows: the wording follows the figures, either way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from puzzle_agents.benchmark.report.anomalies import MOST, MOST_OF_A_RULE, anomalies, anomaly_table
from puzzle_agents.benchmark.report.answers import answer_tables, decisive
from puzzle_agents.benchmark.report.pairs import chance, pair_tables, wins
from puzzle_agents.benchmark.report.results import LevelKey, Results
from puzzle_agents.benchmark.row import Row
from puzzle_agents.registry import Kind
from tests.agents.benchmark_rows import UNSOLVED, many, real_rows, row

GARDEN = "ZenGarden-v0"
EVOLUTION = "Is evolution competitive with heuristic search?"
LEARNING = "When does learning pay?"
WIDTH = "Where does width search beat heuristic search?"
PLANNERS = "Where do planners win?"
OPEN = "What does no agent solve?"


def runs(agent: str, kind: Kind, costs: Sequence[int | None], **changes: Any) -> list[Row]:
    """Runs on the levels of one tier, with so many evaluations and seconds; None: unsolved."""
    return [
        row(level=f"test/4x4/{number}", level_text=f"{number}", agent=agent, name=agent, kind=kind,
            **{"evaluated": cost or 1, "cpu_seconds": (cost or 0) / 100, **changes}
            | (UNSOLVED if cost is None else {}))
        for number, cost in enumerate(costs, start=1)
    ]  # fmt: skip


def answer(question: str, *rows: Row) -> list[tuple[str, str, str]]:
    """The tier, sentence and refutation of each claim."""
    (table,) = (one for one in answer_tables(Results(rows)) if one.title == question)
    return [(line[1].text, line[2].text, line[3].text) for line in table.rows]


@pytest.mark.parametrize(
    ("question", "ours", "theirs", "all_tiers", "sentence", "refuted"),
    [
        (
            EVOLUTION, runs("ga", "evolution", [10, 20, 90]), runs("astar", "search", [40, 50, 60]),
            "The claim holds on 1 of 1 tier.",
            "holds: ga decides 3 of 3 levels, astar 3; ga takes fewer evaluations on 2, more on 1 "
            "(where both decide: 0.53 times as many evaluations, equally many moves).",
            "row 4 (test, test/4x4/1, astar, seed –) took at most 10 evaluations",
        ),
        (
            EVOLUTION, runs("ga", "evolution", [70, 80, 90]), runs("astar", "search", [40, 50, 60]),
            "The claim holds on 0 of 1 tier.",
            "fails: ga decides 3 of 3 levels, astar 3; ga takes fewer evaluations on 0, more on 3 "
            "(where both decide: 1.6 times as many evaluations, equally many moves).",
            "row 1 (test, test/4x4/1, ga, seed –) took at most 40 evaluations, "
            "and so did 2 more such rows",
        ),
        (
            EVOLUTION, runs("ga", "evolution", [1, 1, None]), runs("astar", "search", [40, 50, 60]),
            "The claim holds on 0 of 1 tier.",
            "fails: ga decides 2 of 3 levels, astar 3; ga takes fewer evaluations on 2, more on 1 "
            "(where both decide: 0.022 times as many evaluations, equally many moves).",
            "row 3 (test, test/4x4/3, ga, seed –) decided it",
        ),
        (
            EVOLUTION, runs("ga", "evolution", [None]), runs("astar", "search", [None]),
            "The claim holds on 0 of 1 tier.",
            "undecided: neither decides a level.",
            "row 1 (test, test/4x4/1, ga, seed –) ended otherwise",
        ),
        (
            LEARNING, runs("ppo", "learning", [100, 200], train_seconds=1000.0),
            runs("astar", "search", [500, None]),
            "Learning pays on 1 of 1 tier.",
            "pays: ppo decides 2 of 2 levels, astar 1; ppo was trained in 1,000.0 s.",
            "row 4 (test, test/4x4/2, astar, seed –) decided it",
        ),
        (
            LEARNING, runs("ppo", "learning", [100, None], train_seconds=1000.0),
            runs("astar", "search", [500, 100]),
            "Learning pays on 0 of 1 tier.",
            "does not pay: ppo decides 1 of 2 levels, astar 2; ppo was trained in 1,000.0 s.",
            "row 2 (test, test/4x4/2, ppo, seed –) decided it",
        ),
        (
            LEARNING, runs("ppo", "learning", [100, 200, None], train_seconds=1000.0),
            runs("astar", "search", [500, None, 300]),
            "Learning pays on 1 of 1 tier.",
            "pays after 250 levels: ppo decides 2 of 3 levels, astar 2; ppo was trained in "
            "1,000.0 s and takes 1 CPU s per level where both decide, astar 5.",
            "row 4 (test, test/4x4/1, astar, seed –) took at most 1 CPU s",
        ),
        (
            LEARNING, runs("ppo", "learning", [100, 900], train_seconds=60.0),
            runs("astar", "search", [500, 100]),
            "Learning pays on 0 of 1 tier.",
            "does not pay: ppo decides 2 of 2 levels, astar 2; ppo was trained in 60.0 s and takes "
            "5 CPU s per level where both decide, astar 3.",
            "row 2 (test, test/4x4/2, ppo, seed –) took at most 1 CPU s",
        ),
        (
            LEARNING, runs("ppo", "learning", [None, 1], train_seconds=60.0),
            runs("astar", "search", [1, None]),
            "Learning pays on 0 of 1 tier.",
            "does not pay: ppo decides 1 of 2 levels, astar 1; ppo was trained in 60.0 s.",
            "row 1 (test, test/4x4/1, ppo, seed –) ended otherwise",
        ),
        (
            WIDTH, runs("bfws", "search", [1, 1, 1]), runs("greedy", "search", [1, None, None]),
            "Of 1 tier, width search leads on 1, heuristic search on 0; even: 0.",
            "width search leads: bfws decides 3 of 3 levels, greedy 1.",
            "row 5 (test, test/4x4/2, greedy, seed –) decided it, and so did 1 more such row",
        ),
        (
            WIDTH, runs("bfws", "search", [None, 1]), runs("greedy", "search", [1, 1]),
            "Of 1 tier, width search leads on 0, heuristic search on 1; even: 0.",
            "heuristic search leads: bfws decides 1 of 2 levels, greedy 2.",
            "row 1 (test, test/4x4/1, bfws, seed –) decided it",
        ),
        (
            PLANNERS, runs("lama", "planner", [None, 1]), runs("phs", "learning", [1, None]),
            "Of 1 tier, the best planner leads on 0, the best agent of this package on 0; "
            "even: 1.",
            "even: lama decides 1 of 2 levels, phs 1.",
            "row 1 (test, test/4x4/1, lama, seed –) ended otherwise",
        ),
    ],
)  # fmt: skip
def test_the_wording_follows_the_figures(
    question: str,
    ours: list[Row],
    theirs: list[Row],
    all_tiers: str,
    sentence: str,
    refuted: str,
) -> None:
    assert answer(question, *ours, *theirs) == [
        ("all", all_tiers, "–"),
        ("test/4x4", sentence, refuted),
    ]


def test_a_kind_is_represented_by_its_best_and_only_where_it_ran_on_every_level() -> None:
    rows = [
        *runs("ga", "evolution", [10, 20]),
        *runs("other-ga", "evolution", [1, None]),
        *runs("astar", "search", [10, 30]),
        *runs("greedy", "search", [10, 20]),
        *runs("unfinished", "search", [1]),
    ]
    (_, (_, sentence, _)) = answer(EVOLUTION, *rows)
    assert "ga decides 2 of 2 levels, greedy 2" in sentence


def test_questions_that_the_rows_do_not_answer_are_left_out() -> None:
    rows = [*runs("astar", "search", [1]), *runs("ppo", "learning", [1])]  # untrained
    assert [table.title for table in answer_tables(Results(rows))] == [OPEN]


def test_open_problems_are_named_with_what_is_known() -> None:
    rows = [
        row(level="test/4x4/1", level_text="a"),
        row(level="test/4x4/2", level_text="b", known=23, **UNSOLVED),
        row(level="test/4x4/3", level_text="c", solvable=False, **UNSOLVED),
        row(level="test/4x4/4", level_text="d", **UNSOLVED),
        row(level="test/4x4/5", level_text="e", solvable=False,
            **UNSOLVED | {"status": "unsolvable"}),
    ]  # fmt: skip
    lines = answer(OPEN, *rows)
    assert [line[:2] for line in lines] == [
        ("all", "3 of 5 levels."),
        ("test/4x4/2", "tried by 1 agent; 23 moves are known to suffice."),
        ("test/4x4/3", "tried by 1 agent; it is known to be unsolvable."),
        ("test/4x4/4", "tried by 1 agent; no solution is known."),
    ]
    assert lines[1][2].startswith("row 2 (test, test/4x4/2, astar, seed –)")


def test_a_claim_rests_on_as_many_levels_as_its_sum_needs() -> None:
    keys = [LevelKey("", text) for text in "abcd"]
    margin = dict(zip(keys, [3.0, -2.0, 5.0, 1.0], strict=True))
    assert decisive(margin) == (keys[2], 1)  # 7 in all: 5 and 3
    assert decisive({keys[0]: 1.0}) == (keys[0], 0)
    with pytest.raises(ValueError, match="not positive"):
        decisive({keys[0]: 0.0})


# --- pairs ------------------------------------------------------------------------------------


def test_a_win_is_a_decision_or_else_fewer_moves() -> None:
    short, long, failed = row(moves=3), row(moves=4), row(**UNSOLVED)
    assert [chance([short], [other]) for other in (long, short, failed)] == [1, 0.5, 1]
    assert chance([long, failed], [short]) == 0 and chance([failed], [failed]) == 0.5
    assert chance([short, failed], [long, failed]) == pytest.approx((1 + 1 + 0 + 0.5) / 4)


def test_pairwise_wins_are_complements_with_intervals() -> None:
    rows = [*runs("one", "search", [1, 1, 1, None]), *runs("two", "search", [1, None, None, 1])]
    results = Results([*rows, *runs("three", "search", [1])])
    mine, its = wins(results, GARDEN, "one", "two"), wins(results, GARDEN, "two", "one")
    assert mine is not None and its is not None
    assert mine[0] == pytest.approx((0.5 + 1 + 1 + 0) / 4) == 1 - its[0]
    assert mine[1] < mine[0] < mine[2]
    assert wins(results, GARDEN, "one", "three") == (0.5, 0.5, 0.5)
    (table,) = pair_tables(results)
    assert [cell.text for cell in table.rows[0]][:2] == ["one", "–"]
    assert not pair_tables(Results(runs("one", "search", [1])))


# --- anomalies --------------------------------------------------------------------------------

CROWD = [one for number in range(4) for one in runs(f"agent-{number}", "search", [1, 1, 1, None])]


@pytest.mark.parametrize(
    ("rows", "surprising", "words"),
    [
        (runs("odd", "search", [1, None, 1, 1]), 17, "missed a level of test/4x4 that others"),
        (runs("odd", "search", [1, 1, 1, 1]), 19, "the only one of 5 agents to decide"),
        (runs("odd", "search", [1, 1, 1, None], error="it broke.", status="error"), 16, "an error"),
        (runs("odd", "search", [100, 100, 100, 2000, 100], generated=10), 19, "times its median"),
        ([*runs("odd", "search", [1, 1, 1, 1], peak_rss=10**8),
          row(level="test/4x4/5", level_text="5", agent="odd", peak_rss=10**10)],
         20, "bytes of memory"),
        ([*runs("odd", "search", [1, 1, 1]), row(level="test/4x4/4", level_text="4", agent="odd",
          **UNSOLVED | {"cpu_seconds": 0.5})], 19, "out of time after 0.5 CPU s of 10 s"),
        ([row(level="test/4x4/1", level_text="1", agent="odd", proved_optimal=True),
          row(level="test/4x4/1", level_text="1", agent="odd", proved_optimal=True, moves=6)],
         17, "proved 6 moves optimal, and another agent 4"),
        ([row(level="test/4x4/1", level_text="1", agent="odd",
              **UNSOLVED | {"status": "unsolvable"})], 16, "proved unsolvable what another"),
    ],
)  # fmt: skip
def test_what_surprises_is_listed(rows: list[Row], surprising: int, words: str) -> None:
    results = Results([*CROWD, *rows])
    found = {results.numbers[id(one.row)] - 1: one.what for one in anomalies(results)}
    assert words in found[surprising], found


def test_nothing_surprises_where_all_is_as_usual_and_the_list_is_short() -> None:
    assert not anomalies(Results(CROWD))
    results = Results(many(real_rows(), 400))
    found = anomalies(results)
    assert 0 < len(found) <= MOST and len({id(one.row) for one in found}) == len(found)
    assert len(anomaly_table(results).rows) == len(found)
    errors = [row(status="error", level_text=str(n), moves=None, verified=False) for n in range(9)]
    assert len(anomalies(Results(errors))) == MOST_OF_A_RULE
