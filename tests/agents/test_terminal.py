"""Tables: every figure is there, whole, in any width; and how each command prints its own."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from puzzle_agents import terminal
from puzzle_agents.benchmark.report.results import Results
from puzzle_agents.benchmark.report.tables import all_scores, all_tables
from puzzle_agents.cli.app import main
from puzzle_agents.papers.comparison import Comparison, Measure, Pair
from puzzle_agents.papers.comparison import Row as Compared
from puzzle_agents.table import Cell, Column, Table
from puzzle_agents.terminal import Layout, drawn
from tests.agents.benchmark_rows import row

WIDTHS = [None, 200, 120, 80, 60, 40, 20]
SENTENCE = "a sentence that is as long as need be, and that may break wherever it has a space"

PLAIN = Table(
    "A title",
    [Column("name"), Column("what it is", "prose"), Column("moves / best", "figure"),
     Column("expanded", "figure")],
    [[Cell("weighted-astar"), Cell(SENTENCE), Cell("1.417"), Cell("1,234,567")],
     [Cell("漢字"), Cell("short"), Cell(""), Cell("7")]],
)  # fmt: skip
GROUPED = Table(
    "By puzzle",
    [Column("puzzle"), Column("agent"), Column("solved", "figure"), Column("moves", "figure")],
    [[Cell(puzzle), Cell(agent), Cell("24/24"), Cell("1.234")]
     for puzzle in ("HuaRongDao-v0 metric=step", "Kwirk-v0")
     for agent in ("hua-rong-dao-bfs-paper", "astar")],
    grouped=True,
)  # fmt: skip
OF_A_PAPER = Comparison(
    "Table IV", "board", (Measure("moves"), Measure("states", ",")),
    (Compared.of("a row whose label is long", Pair(3, 4, "a"), Pair(2000, 1999)),),
    {"a": "Why."},
).table()  # fmt: skip


def of_a_benchmark() -> list[Table]:
    results = Results([row(), row(agent="hua-rong-dao-bfs-paper", generated=123_456_789)])
    return all_tables(results, all_scores(results), {})


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("table", [PLAIN, GROUPED, OF_A_PAPER, *of_a_benchmark()])
def test_nothing_is_cut_in_any_width(table: Table, width: int | None) -> None:
    text = drawn(table, width).plain
    words = [word for line in table.rows for cell in line for word in cell.text.split()]
    assert all(word in text for word in words), text
    assert "…" not in text
    unbroken = [
        cell.text
        for line in table.rows
        for cell, column in zip(line, table.columns, strict=True)
        if column.kind == "figure"
    ]
    shown = " ".join(text.split())
    assert all(figure in text or ((width or 99) < 40 and figure in shown) for figure in unbroken)
    if width is not None and width >= 40:
        lines = [line for line in text.splitlines() if line != table.title]
        assert max(terminal._cells(line) for line in lines) <= width, text


def test_what_there_is_no_room_for_breaks_and_then_goes_below() -> None:
    assert drawn(PLAIN, None).plain.splitlines()[1:4] == [
        f"name            {'what it is':{len(SENTENCE)}}  moves / best   expanded",
        "─" * (14 + 2 + len(SENTENCE) + 2 + 12 + 2 + 9),
        f"weighted-astar  {SENTENCE}         1.417  1,234,567",
    ]
    assert drawn(PLAIN, 80).plain.splitlines()[1:5] == [
        "name            what it is                                   moves /   expanded",
        "                                                                best",
        "─" * 79,
        "weighted-astar  a sentence that is as long as need be, and     1.417  1,234,567",
    ]
    assert drawn(PLAIN, 40).plain.splitlines()[1:] == [
        "weighted-astar",
        "  what it is: a sentence that is as long",
        "  as need be, and that may break",
        "  wherever it has a space",
        "  moves / best: 1.417",
        "  expanded: 1,234,567",
        "漢字",
        "  what it is: short",
        "  expanded: 7",
    ]


def test_what_rows_share_becomes_a_heading_where_there_is_no_room_for_it() -> None:
    agents = ["hua-rong-dao-bfs-paper   24/24  1.234", "astar                    24/24  1.234"]
    assert drawn(GROUPED, 50).plain.splitlines() == [
        "By puzzle", "agent                   solved  moves", "─" * 37, "HuaRongDao-v0 metric=step",
        *agents, "", "Kwirk-v0", *agents,
    ]  # fmt: skip
    wide = drawn(GROUPED, 80).plain
    assert wide.count("Kwirk-v0") == 1 and drawn(GROUPED, None).plain.count("Kwirk-v0") == 2


def test_rows_that_come_one_by_one_may_be_longer_than_was_thought() -> None:
    layout = Layout([Column("level"), Column("expanded", "figure")], [5, 3], 80)
    lines = [
        "".join(piece.text for piece in line) for line in layout.row([Cell("1"), Cell("9" * 9)])
    ]
    assert lines == [f"1      {'9' * 9}"]


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize(
    "line",
    ["list", "list levels Skyscraper-v0", "list agents", "list suites",
     "solve ZenGarden-v0 --all-levels first-steps"],
)  # fmt: skip
def test_what_commands_print_on_a_terminal_and_in_a_pipe_is_the_same(
    line: str, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def figures() -> set[str]:
        assert main(line.split()) == 0
        shown = [one for one in capsys.readouterr().out.splitlines() if "extra" not in one]
        too_long[:] = [one for one in shown if terminal._cells(one) > width]
        assert "…" not in "".join(shown)
        words = {word.strip(",:;") for one in shown for word in one.split()}
        return {word for word in words if re.search(r"\d", word) and not re.search(r"\.\d", word)}

    too_long: list[str] = []
    piped = figures()
    monkeypatch.setattr(terminal, "room", lambda: width)
    monkeypatch.setattr("puzzle_agents.cli.solve.room", lambda: width)
    assert figures() == piped and not too_long


@pytest.mark.skipif(sys.platform == "win32", reason="has no such terminals")
def test_a_terminal_has_the_width_that_it_says(tmp_path: Path) -> None:
    import fcntl
    import pty
    import struct
    import subprocess
    import termios

    keeper, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    code = "from puzzle_agents.terminal import room; print(room())"
    env = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    for extra, expected in ({}, "40"), ({"COLUMNS": "77"}, "77"):
        subprocess.run([sys.executable, "-c", code], stdout=other, env=env | extra, check=True)
        assert os.read(keeper, 100).decode().strip() == expected
    piped = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    assert piped.stdout.strip() == b"None"
    os.close(keeper)
    os.close(other)
