"""What the site and the README show is what happens."""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import puzzle_agents
import puzzle_envs  # noqa: F401 (registers the ids)
from docs.pages import PARTS, WANTED, write
from docs.pages.links import DOCS, ROOT, relinked
from docs.pages.reference import definition, exported, home_of, package, packages, prose
from puzzle_agents.cli.app import app, main

README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
NOTES = sorted((ROOT / "notes").glob("*.md"))
"""Their commands and code are of their day, and are not run."""
FRAMEWORKS = DOCS / "frameworks.md"
"""Its code is files of examples/frameworks; tests/test_frameworks.py runs them."""
FOLLOWED = [DOCS / "start.md", *sorted((DOCS / "tutorials").glob("*.md"))]
"""Pages whose commands are run one after the other, but for windows."""
WINDOWS = ("play", "watch")
THEIRS = ("git ", "cd ", "pip ", "pre-commit ", "python -m venv", ". .venv", "tox", "twine ")
"""Commands of other programs, which are left alone."""

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAVED = re.compile(r"[Ss]ave this as `([\w.]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
(_phony,) = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
TARGETS = set(_phony.split())


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@cache
def text_of(page: Path) -> str:
    """A page as it is on the site."""
    if "site: citation" in page.read_text() and importlib.util.find_spec("yaml") is None:
        return ""  # of the extra docs
    return write(page.read_text(), page)[0] if page.is_relative_to(DOCS) else page.read_text()


def blocks(page: Path, language: str) -> list[str]:
    return [code for said, code in BLOCK.findall(text_of(page)) if said == language]


def commands(page: Path) -> Iterator[str]:
    """The lines for a shell, in fences or indented after a blank line; continued ones whole."""
    unfenced = BLOCK.sub("", text_of(page))
    indented: list[str] = re.findall(r"(?:^|\n)\n((?:    [^\n]*\n)+)", unfenced)
    for block in (*blocks(page, "sh"), *indented):
        yield from (line.strip() for line in block.replace("\\\n", " ").splitlines())


def split(line: str) -> list[str]:
    """A command's words, without settings of its environment before it."""
    words = shlex.split(line, comments=True)
    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
        words.pop(0)
    return words


@pytest.mark.parametrize("page", [page for page in PAGES if page != FRAMEWORKS], ids=name_of)
def test_the_code_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    shown = blocks(page, "python")
    if not shown:
        return
    code = "\n".join(("import gymnasium, puzzle_envs", *shown))
    run = [sys.executable, "-W", "error", "-c", code]
    result = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_commands_of_a_page_exist(page: Path) -> None:
    for line in commands(page):
        match split(line):
            case ["puzzle-envs", *arguments]:
                parse(arguments)
            case ["python", "-m", module, *_] if not line.startswith(THEIRS):
                assert importlib.util.find_spec(module), line
            case ["python", script, *_] if script.endswith(".py"):
                assert (ROOT / script).exists(), line
            case ["make", *words]:
                assert {word for word in words if "=" not in word} <= TARGETS, line


def parse(arguments: list[str]) -> None:
    """Read a command line as the command does, without running it."""
    from typer.main import get_command

    group: Any = get_command(app)
    if arguments[:1] == ["--import"]:
        del arguments[:2]
    name, *rest = arguments
    if not {"COMMAND", "--version", "--help"} & {*arguments}:
        group.commands[name].make_context(name, rest)


@pytest.mark.parametrize("page", FOLLOWED, ids=name_of)
def test_a_tutorial_can_be_followed(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in ("sb3_contrib", "matplotlib"):
        pytest.importorskip(module, reason="needs the extras rl and bench")
    monkeypatch.chdir(tmp_path)
    for name, text in SAVED.findall(page.read_text()):
        Path(name).write_text(text)
    for line in commands(page):
        words = split(line)
        if words[:1] == ["puzzle-envs"] and words[1] not in WINDOWS:
            assert main(words[1:]) == 0, (line, capsys.readouterr().err)


@pytest.mark.parametrize("page", [*PAGES, *NOTES], ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", BLOCK.sub("", page.read_text())):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", [*PAGES, *NOTES], ids=name_of)
def test_no_folder_of_the_machine_that_measured_is_named(page: Path) -> None:
    assert not re.findall(r"(?<![\w.}])/(?:tmp|home|root|work)/\S+", page.read_text())


def test_the_readme_is_short_and_names_every_id() -> None:
    assert len(README.read_text().splitlines()) <= 100
    (code,) = blocks(README, "python")
    assert len(code.splitlines()) <= 20
    for id, spec in gymnasium.registry.items():
        if str(spec.entry_point).startswith("puzzle_envs."):
            assert f"`{id}`" in README.read_text()


def test_the_readme_states_what_was_measured() -> None:
    """Speeds are those of the performance page, sizes those of the levels."""
    from puzzle_agents.environments import puzzle_of

    rows = re.findall(r"^\| (.+?) \|.* CartPole-v1 [\d,]+ \| ([\d.]+) \|$",
                      (DOCS / "performance.md").read_text(), re.MULTILINE)  # fmt: skip
    many = [float(ratio) for what, ratio in rows if what.startswith("1024 envs")]
    single = [float(ratio) for what, ratio in rows if what.endswith("-v0, steps/s")]
    readme = " ".join(re.sub("<!--.*?-->", "", README.read_text()).split())
    assert f"1,024 in parallel reach {min(many)} to {max(many)} times CartPole's" in readme
    assert "a single environment steps as fast as CartPole" in readme
    assert len(single) == 5 and min(single) > 0.9
    floors = puzzle_of("Kwirk-v0").format
    moves = [
        one.optimum or one.known or 0 for name in floors.sets() for one in floors.find_all(name)
    ]
    assert f"floors of {max(moves)} pushes" in readme
    gardens = puzzle_of("ZenGarden-v0").format
    widths = [
        gardens.shape(one.record).width for name in gardens.sets() for one in gardens.find_all(name)
    ]
    assert f"boards of {max(widths)}x{max(widths)}" in readme
    assert len([*(ROOT / "examples" / "frameworks").glob("with_*.py")]) == 6  # "six frameworks"
    assert len([*(DOCS / "reproduced").glob("*.md")]) == 4  # "four papers"


def test_the_site_has_every_environment_agent_and_public_name() -> None:
    pytest.importorskip("yaml", reason="needs the extra docs")
    asked: list[tuple[str, str]] = []
    site = ""
    for page in sorted(DOCS.rglob("*.md")):
        text, parts = write(page.read_text(), page)
        site, asked = site + text, asked + parts
    for kind, names in WANTED.items():
        assert sorted(name for one, name in asked if one == kind) == sorted(names())
    for name in puzzle_agents.names():
        assert f"\n## `{name}`\n" in site
    for id in WANTED["environment"]():
        assert f"\n# {id}\n" in f"\n{site}"


def test_the_reference_has_what_is_public_and_nothing_else() -> None:
    agents = package("puzzle_agents")
    assert "{py:class} Budget(" not in package("puzzle_agents.search")
    assert "{py:class} Budget\n:module: puzzle_agents.agent\n" in agents
    assert "{py:function} make(name: str, budget: Budget | None=None" in agents
    assert "WARMING_TRANSITIONS" not in agents  # not in __all__
    assert "__post_init__" not in agents
    for one in packages():
        assert "## `" in package(one)
    assert exported("puzzle_agents.defaults") == ()
    assert home_of("puzzle_agents", "make") == "puzzle_agents.registry"
    with pytest.raises(LookupError, match="exports 'nothing' and does not define it"):
        definition("puzzle_agents.agent", "nothing")


@pytest.mark.parametrize(
    ("docstring", "markdown"),
    [
        ("Reads levels/<id>.", "Reads levels/\\<id>."),
        ("Reads `<id>`.", "Reads `<id>`."),
        ("Do.\n\nArgs:\n    one: A\n        thing.\n    two: B.",
         "Do.\n\n**Arguments**\n\n* `one`: A thing.\n* `two`: B."),
        ("Do.\n\nReturns:\n    It.", "Do.\n\n**Returns**: It."),
    ],
)  # fmt: skip
def test_docstrings_become_markdown(docstring: str, markdown: str) -> None:
    assert prose(docstring) == markdown


@pytest.mark.parametrize(
    ("link", "seen"),
    [
        ("[a](docs/levels.md#difficulty)", "[a](../levels.md#difficulty)"),
        ("[a](CHANGELOG.md)", "[a](../changelog.md)"),
        ("![a](docs/images/puzzles.png)", "![a](../images/puzzles.png)"),
        ("[a](tests)", "[a](https://github.com/puzzle-envs/puzzle-envs/tree/main/tests)"),
        ("[a](https://arxiv.org)", "[a](https://arxiv.org)"),
        ("`[a](tests)`", "`[a](tests)`"),
        ("[a](nowhere.md)", "[a](nowhere.md)"),
    ],
)
def test_links_of_the_readme_as_a_page_has_them(link: str, seen: str) -> None:
    assert relinked(link, README, DOCS / "tutorials" / "x.md") == seen


def test_the_report_of_a_benchmark_is_embedded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import docs.pages

    page = DOCS / "benchmark.md"
    monkeypatch.setattr(docs.pages, "REPORT", tmp_path / "report.html")
    assert "report.html" not in write("<!-- site: report -->", page)[0]
    (tmp_path / "report.html").write_text("<html></html>")
    embedded = write("<!-- site: report -->", page)[0]
    assert '<iframe src="report.html"' in embedded
    assert "](report.html)" not in embedded  # no page of the site: Sphinx would warn


def test_a_part_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="asks for 'films'; the parts are " + ", ".join(PARTS)):
        write("<!-- site: films all -->", DOCS / "index.md")


def test_words_for_the_bare_file_are_not_on_the_site() -> None:
    page = DOCS / "environments" / "zen-garden.md"
    assert "make docs" in page.read_text()
    assert "make docs" not in write(page.read_text(), page)[0]


def test_pictures_for_both_themes_are_sphinx_s_own() -> None:
    """Sphinx copies only pictures that it knows, not those that HTML names."""
    page = DOCS / "benchmark.md"
    there = re.findall(r"<picture>", page.read_text())
    seen, _ = write(page.read_text(), page)
    files = re.findall(r"^```\{image\} (\S+)\n:alt: \S.*\n:class: only-(light|dark)$", seen, re.M)
    assert there and "<picture" not in seen and len(files) == 2 * len(there)
    for file, theme in files:
        assert file.endswith(f"-{theme}.png") and (DOCS / file).is_file()
