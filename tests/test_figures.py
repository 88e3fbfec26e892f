"""Figures in documents are those in the files that commands wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.table import Table

from benchmarks import measuring
from benchmarks.figures import MARK, documents, filled
from benchmarks.pages import BENCHMARKS, PAGES, ROOT
from puzzle_agents.page import shown, update
from puzzle_agents.table import Table as Figures
from puzzle_agents.table import columns


@pytest.mark.parametrize(
    "path",
    [path for path in documents() if MARK.search(path.read_text("utf-8"))],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_documents_show_what_was_measured(path: Path) -> None:
    text = path.read_text("utf-8")
    assert filled(text) == text, "python -m benchmarks.figures fills them in"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_is_what_its_kept_results_make_of_it(path: Path) -> None:
    assert PAGES[path]() == path.read_text("utf-8"), "python -m benchmarks.figures writes it"


def test_every_page_of_a_paper_has_its_results() -> None:
    assert {*PAGES} >= {*(ROOT / "docs" / "reproduced").glob("*.md")}


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.name)
def test_a_benchmark_s_page_shows_its_published_rows(path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs the bench extra")
    assert BENCHMARKS[path]() == path.read_text("utf-8")


def test_a_page_s_sections_are_updated_one_by_one(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    table = Figures("Solved", columns(["who", "of 10"]), remarks=["Ten levels."])
    table.add("a|b", "7")
    update(document, "# Page", {"first": ["Some words.", table], "second": ["more"]})
    update(document, "# Page", {"first": [table]})
    expected = (
        "# Page\n\n## first\n\n### Solved\n\n| who | of 10 |\n|---|--:|\n| a\\|b | 7 |\n\n"
        "* Ten levels.\n\n## second\n\nmore\n"
    )
    assert document.read_text("utf-8") == shown(document) == expected


def test_what_a_benchmark_keeps_is_filled_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "KEPT", tmp_path / "measured")
    table = Table("what", "ours", "beside")
    table.add_row("gardens, steps/s", "12,345", "CartPole 9")
    table.add_row("  floors, steps/s", "7", "")
    measuring.keep("speed", [table])
    kept = json.loads((tmp_path / "measured" / "speed.json").read_text("utf-8"))
    assert kept["command"] == "python -m benchmarks.speed --keep"
    marked = (
        "| <!-- speed :: gardens :: ours -->?<!-- / --> | "
        "<!-- speed :: floors :: ours --><!-- / -->"
    )
    assert filled(marked, tmp_path / "measured") == (
        "| <!-- speed :: gardens :: ours -->12,345<!-- / --> | "
        "<!-- speed :: floors :: ours -->7<!-- / -->"
    )
    assert filled("<!-- speed :: table 1 -->old\nrows<!-- / -->", tmp_path / "measured") == (
        "<!-- speed :: table 1 -->\n\n| what | ours | beside |\n| --- | --: | --- |\n"
        "| gardens, steps/s | 12,345 | CartPole 9 |\n| floors, steps/s | 7 |  |\n\n<!-- / -->"
    )
    assert filled(
        "<!-- speed :: table 1 :: gardens :: ours --><!-- / -->", tmp_path / "measured"
    ) == ("<!-- speed :: table 1 :: gardens :: ours -->12,345<!-- / -->")
    assert filled("<!-- speed :: circumstances --><!-- / -->", tmp_path / "measured") == (
        "<!-- speed :: circumstances -->`python -m benchmarks.speed --keep`, "
        f"{kept['date']} ({kept['circumstances']})<!-- / -->"
    )
    for wrong, words in (
        ("<!-- speed :: steps/s :: ours -->1<!-- / -->", "2 rows"),
        ("<!-- speed :: towers :: ours -->1<!-- / -->", "0 rows"),
        ("<!-- speed :: gardens :: theirs -->1<!-- / -->", "no column 'theirs'"),
        ("<!-- search :: gardens :: ours -->1<!-- / -->", "benchmarks.search --keep"),
        ("<!-- search-fast :: gardens :: ours -->1<!-- / -->", "benchmarks.search --keep"),
    ):
        with pytest.raises(ValueError, match=words):
            filled(wrong, tmp_path / "measured")


def test_a_variant_is_kept_with_its_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "KEPT", tmp_path)
    measuring.keep("floors-first", [Table("floor")], "FOLDER --first")
    kept = json.loads((tmp_path / "floors-first.json").read_text("utf-8"))
    assert kept["command"] == "python -m benchmarks.floors FOLDER --first --keep"


def test_tables_with_titles_and_those_of_other_folders_are_filled_in(tmp_path: Path) -> None:
    shown = [
        {"title": f"Part {number}", "heads": ["level", "s"], "rows": [["1x1_1", f"{number}.5 [a]"]]}
        for number in (1, 2)
    ]
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "one.json").write_text(json.dumps({"shown": shown}))
    measured = tmp_path / "measured"
    assert filled("<!-- papers/one :: tables -->old<!-- / -->", measured) == (
        "<!-- papers/one :: tables -->\n\n### Part 1\n\n| level | s |\n| --- | --: |\n"
        "| 1x1\\_1 | 1.5 \\[a\\] |\n\n### Part 2\n\n| level | s |\n| --- | --: |\n"
        "| 1x1\\_1 | 2.5 \\[a\\] |\n\n<!-- / -->"
    )
    mark = "<!-- papers/one :: table 2 :: 1x1 :: s -->{}<!-- / -->"
    assert filled(mark.format("?"), measured) == mark.format("2.5 [a]")
