"""No measured figure in the README or docs is typed by hand.

Not looked at: what benchmarks.figures fills in and benchmarks.pages writes, code, and the pages of
EXEMPT. In the rest, a figure is

* in a table: a digit in a cell that is not of the first column, unless it is part of the size of a
  board (8x8), of a link or of inline code;
* in prose: a number followed by a unit (per cent, times, million, points, time, memory, or what a
  search counts, such as expansions), or "N of M".

A setting looks like a figure. TABLES_OF_SETTINGS and SETTINGS list those there are.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.figures import MARK, documents
from benchmarks.pages import BENCHMARKS, PAGES, ROOT
from puzzle_agents.benchmark.report.files import BEGIN, END

EXEMPT = {"docs/ROADMAP.md"}
"""The roadmap is a plan, with notes of trials."""

TABLES_OF_SETTINGS = {
    ("README.md", "If you want"): "how many environments are compared",
    ("docs/benchmark.md", "Suite"): "budgets of the suites",
    ("docs/benchmark.md", "File"): "the version of a format",
    ("docs/frameworks.md", "`observation=`"): "types of observations",
    ("docs/gymnasium.md", "Expected"): "versions and counts of what there is",
    ("docs/learned_search.md", "agent"): "formulas",
    ("docs/levels.md", "Tier"): "parameters of generators, compared with them in test_tiers.py",
    ("docs/levels.md", "In the file"): "an example of a line",
    ("docs/levels.md", "Puzzle"): "lengths of codes",
    ("docs/levels.md", "Figure"): "limits of a measurement",
    ("docs/planners.md", "Agent"): "the year of LAMA",
    ("docs/planners.md", "Puzzle"): "costs by definition",
    ("docs/playing.md", "Key or gesture"): "heights and their keys",
}
"""Tables by their page and the head of their first column, and what their figures are."""

SETTINGS = {
    "CHANGELOG.md": ["agents have 2 GiB by default"],
    "docs/benchmark.md": [
        "at most 50,000 expansions and 500,000 transitions",
        "10,000 transitions, some milliseconds",
        "CPU seconds 1.1 times the budget plus 1, memory 1.25 times the budget plus 256 MiB",
        "twice the budget plus 10 s.",
    ],
    "docs/kwirk_frontier.md": [
        "turns of 100 expansions",
        "with 4 GiB",
        "after 75 CPU seconds per floor",
        "more than 10 % on average or by 50 % on any floor",
    ],
    "docs/learned_search.md": [
        "one byte per entry, below 0.5 MB",
        "at most 20 MiB",
        "less than 15 % more levels",
        "less than 25 points",
        "(1,630.6 expansions by",  # printed in a paper
    ],
    "docs/learning.md": [
        "with 100,000 expansions per level",
        "limited to 100,000 expansions",
        "within 5,000 expansions",
        "95 % bootstrap interval",
        "at most 64 MiB",
    ],
    "docs/levels.md": [
        "80-399 of 10 or 5",
        "7 to 22 times at random",
        "breadth-first search reaches in 10,000 expansions",
        "at least 30 percentage points",
        "at least 2,850 of the 4,096 candidates",
        "more than 10,000 expansions, 500,000 transitions or 100,000 states",
        "within 500 expansions and 10,000 states",
    ],
    "docs/papers.md": [
        "at most 100 million boards",
        "the best 95 % survive",
        "the paper's 15 minutes and 4 GB",
        "with 75 CPU seconds and 4 GB each",
        "within the same 1,710,000 evaluations",
        # printed in a paper, or computed from what is printed there
        '"If we discount board T2, this falls to 0.65 %."** Table II gives 0.72 %',
        "(2.53 %, 14.66 % excess)",
        "the same 5,888,672 and 31,000 evaluations",
        'approximately by 60 %"**: by Table III from 88.8 to 23.6 %',
        "65.2 points, or 73.4 % of it",
        'increased by about 3 %"**: from 374 to 36,652 ms, 98 times as long',
        "from 11.6 to 42.9 ms within Table III",
    ],
    "docs/performance.md": [
        "a machine on which bfs8 reaches 64 M/s",
        "target: at most 15 %",
    ],
    "docs/release.md": ["a wheel larger than 6 MB"],
    "docs/top_tiers.md": ["a minute and 2 GiB"],
}  # fmt: skip
"""Phrases of pages that state a setting, a limit, or what somebody else printed."""

NUMBER = r"(?<![\w.])\d[\d,.]*"
UNIT = r"""(?:
    [%‰]
  | (?:CPU[ -])?(?:[nµm]?s|(?:nano|micro|milli)?seconds?|min|minutes?|hours?|days?)\b
  | [kMGT]i?B\b | bytes?\b
  | [kMG](?:/s|\s\w+/s)? \b
  | times\b | million\b | (?:percentage\ )?points\b | CPU\b
  | (?:expansion|evaluation|guesse?|generation|transition)s?\b
)"""
SHARE = rf"{NUMBER}[ ]of[ ](?:(?:the|its|their)[ ])?\d"
FIGURE = re.compile(rf"{NUMBER}[ -]?{UNIT} | {SHARE}", re.VERBOSE)
CODE = re.compile(r"^```.*?^```$|(?:(?<=\n\n)|\A)(?:    [^\n]*\n)+", re.MULTILINE | re.DOTALL)
TABLE = re.compile(
    r"^[ ]*\|(?P<heads>.*)\|\n[ ]*\|[ :|-]+\|\n(?P<rows>(?:[ ]*\|.*\n?)*)", re.MULTILINE
)
NO_FIGURES = re.compile(r"`[^`]*`|\]\([^)]*\)|\d+x\d+")


def typed(page: Path) -> str:
    """What was typed on a page."""
    text = page.read_text("utf-8")
    if page in BENCHMARKS:
        before, _, rest = text.partition(BEGIN)
        text = before + rest.partition(END)[2]
    return CODE.sub("", MARK.sub("", text))


def tables_of_figures(text: str) -> list[str]:
    """The head of the first column of each table that has figures."""
    found = []
    for table in TABLE.finditer(text):
        rows = [row.strip().strip("|").split("|") for row in table["rows"].splitlines()]
        cells = [NO_FIGURES.sub("", cell) for row in rows for cell in row[1:]]
        if any(re.search(r"\d", cell) for cell in cells):
            found.append(table["heads"].split("|")[0].strip())
    return found


def figures_in_prose(text: str) -> list[str]:
    """The figures of a text, each with some words around it."""
    flat = " ".join(NO_FIGURES.sub("", TABLE.sub("", text)).split())
    return [flat[max(0, one.start() - 40) : one.end() + 20] for one in FIGURE.finditer(flat)]


def without_settings(text: str, name: str) -> str:
    """A text without the phrases that state a setting."""
    flat = " ".join(text.split())
    for phrase in SETTINGS.get(name, ()):
        assert phrase in flat, f"{name} has no '{phrase}' any more: take it from SETTINGS."
        flat = flat.replace(phrase, "")
    return flat


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


LOOKED_AT = [
    page
    for page in (*documents(), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md")
    if page not in PAGES and name_of(page) not in EXEMPT
]


@pytest.mark.parametrize("page", LOOKED_AT, ids=name_of)
def test_tables_of_figures_are_filled_in(page: Path) -> None:
    heads = tables_of_figures(typed(page))
    assert not [head for head in heads if (name_of(page), head) not in TABLES_OF_SETTINGS]


@pytest.mark.parametrize("page", LOOKED_AT, ids=name_of)
def test_figures_in_prose_are_filled_in(page: Path) -> None:
    prose = TABLE.sub("", typed(page))
    assert not figures_in_prose(without_settings(prose, name_of(page)))


def test_the_list_of_settings_has_no_table_that_is_gone() -> None:
    there = {(name_of(page), head) for page in LOOKED_AT for head in tables_of_figures(typed(page))}
    assert set(TABLES_OF_SETTINGS) == there
    assert set(SETTINGS) <= {name_of(page) for page in LOOKED_AT}
    assert all((ROOT / name).is_file() for name in EXEMPT)
    assert set(BENCHMARKS) <= set(LOOKED_AT)  # but for the parts that are written


@pytest.mark.parametrize(
    "said",
    [
        "it solves 88 % of them", "12.4 seconds", "in 7 ms", "1,978 times as few", "58 of the 60",
        "30 points ahead", "16 CPU seconds", "runs at 4.5 million", "takes 2,059 guesses", "64 M/s",
        "two cores took 1.5-2.5 GiB", "3 minutes", "0.3 µs",
    ],
)  # fmt: skip
def test_what_counts_as_a_figure_in_prose(said: str) -> None:
    assert figures_in_prose(f"Here {said}, measured.")


@pytest.mark.parametrize(
    "said",
    ["boards of 16x16", "`--seconds 30 s`", "Python 3.11 to 3.14", "1,024 gardens", "see 5.2"],
)
def test_what_does_not(said: str) -> None:
    assert not figures_in_prose(f"Here {said}, said.")


def test_what_counts_as_a_figure_in_a_table() -> None:
    table = "| level | {} |\n|---|---|\n| one, 3 | {} |\n"
    assert tables_of_figures(table.format("s", "0.3")) == ["level"]
    for words in ("`a1`", "4x5", "[a](b/1.md)", "none"):
        assert not tables_of_figures(table.format("what", words))
