"""Figures in documents are those in the files that commands wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.table import Table

from benchmarks import measuring
from benchmarks.figures import MARK, ROOT, documents, filled
from puzzle_agents.page import shown, update
from puzzle_agents.table import Table as Figures
from puzzle_agents.table import columns

IMAGES = ROOT / "docs" / "images"


@pytest.mark.parametrize(
    "path",
    [path for path in documents() if MARK.search(path.read_text("utf-8"))],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_documents_show_what_was_measured(path: Path) -> None:
    text = path.read_text("utf-8")
    assert filled(text) == text, "python -m benchmarks.figures fills them in"


@pytest.mark.parametrize(
    ("suite", "page", "with_plots"),
    [("standard", "benchmark.md", True), ("hard", "top_tiers.md", False)],
)
def test_a_benchmark_s_page_shows_its_published_rows(
    suite: str, page: str, with_plots: bool
) -> None:
    pytest.importorskip("matplotlib", reason="needs the bench extra")
    from puzzle_agents.benchmark.report import Picture, circumstances, plots_for_documents
    from puzzle_agents.benchmark.report.faults import faults_in
    from puzzle_agents.benchmark.report.files import answers_markdown, around_tables
    from puzzle_agents.benchmark.report.folders import rows_of
    from puzzle_agents.benchmark.report.results import Results
    from puzzle_agents.benchmark.report.tables import all_scores, answers

    document = ROOT / "docs" / page
    text = document.read_text("utf-8")
    rows = rows_of([ROOT / "docs" / "results" / suite])
    results = Results(rows)
    faults = faults_in(results)
    tables = answers(results, all_scores(results), faults)
    shown = [
        Picture(plot.title, IMAGES / plot.name).markdown(document.parent)
        for plot in (plots_for_documents(results, "light") if with_plots else [])
    ]
    told = answers_markdown(tables, faults, circumstances(rows), shown)
    assert told.join(around_tables(text, str(document))) == text


@pytest.mark.parametrize("name", ["algorithms", "learned_models", "pretrained"])
def test_a_page_is_the_one_that_its_data_make(name: str) -> None:
    document = ROOT / "docs" / f"{name}.md"
    assert shown(document) == document.read_text("utf-8")


def test_a_page_s_sections_are_updated_one_by_one(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    table = Figures("Solved", columns(["who", "of 10"]), remarks=["Ten levels."])
    table.add("a|b", "7")
    update(document, "# Page", {"first": ["Some words.", table], "second": ["more"]})
    update(document, "# Page", {"first": [table]})
    assert (
        document.read_text("utf-8")
        == shown(document)
        == (
            "# Page\n\n## first\n\n### Solved\n\n| who | of 10 |\n|---|--:|\n| a\\|b | 7 |\n\n"
            "* Ten levels.\n\n## second\n\nmore\n"
        )
    )


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
    assert filled("<!-- speed :: circumstances --><!-- / -->", tmp_path / "measured") == (
        "<!-- speed :: circumstances -->`python -m benchmarks.speed --keep`, "
        f"{kept['date']} ({kept['circumstances']})<!-- / -->"
    )
    for wrong, words in (
        ("<!-- speed :: steps/s :: ours -->1<!-- / -->", "2 rows"),
        ("<!-- speed :: towers :: ours -->1<!-- / -->", "0 rows"),
        ("<!-- speed :: gardens :: theirs -->1<!-- / -->", "no column 'theirs'"),
        ("<!-- search :: gardens :: ours -->1<!-- / -->", "benchmarks.search --keep"),
    ):
        with pytest.raises(ValueError, match=words):
            filled(wrong, tmp_path / "measured")
