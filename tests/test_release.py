"""What a release checks before it is one, and what it carries."""

from __future__ import annotations

import datetime
import importlib.util
import json
import re
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from docs.pages.levels import CARD, archive
from puzzle_agents.environments import ids, puzzle_of
from puzzle_envs import __version__

ROOT = Path(__file__).parent.parent
DAY = datetime.date(2026, 11, 19)


def about() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def release() -> Any:
    """The script, which is not in a package."""
    spec = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_section_of_a_version_gets_its_date(release: Any) -> None:
    text = "# Changelog\n\n## 1.0.0 (unreleased)\n\n* A.\n\n## 0.9.0 (2026-01-01)\n\n* B.\n"
    dated = release.changelog_dated(text, "1.0.0", DAY)
    assert dated == text.replace("(unreleased)", "(2026-11-19)")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("## 0.9.0 (unreleased)\n\n* A.\n", "has no section '## 1.0.0 .unreleased.'"),
        ("## 1.0.0 (2026-01-01)\n\n* A.\n", "has no section"),
        ("## 1.0.0 (unreleased)\n\n## 0.9.0 (2026-01-01)\n\n* A.\n", "lists nothing"),
    ],
)
def test_a_changelog_that_is_not_ready(release: Any, text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        release.changelog_dated(text, "1.0.0", DAY)


def test_this_changelog_is_ready(release: Any) -> None:
    dated = release.changelog_dated((ROOT / "CHANGELOG.md").read_text(), __version__, DAY)
    assert f"## {__version__} (2026-11-19)" in dated


def test_the_archive_has_every_level_with_what_is_known_of_it(tmp_path: Path) -> None:
    file = tmp_path / "levels.zip"
    archive(file)
    with zipfile.ZipFile(file) as packed:
        entries = [json.loads(line) for line in packed.read("levels.jsonl").splitlines()]
        names, card = packed.namelist(), packed.read("README.md").decode()
    assert {"LICENSE", "README.md", "levels/difficulty.json"} <= {*names}
    assert {entry["file"] for entry in entries} <= {*names}
    for id in ids():
        form = puzzle_of(id).format
        levels = [level for name in form.sets() for level in form.find_all(name)]
        own = [entry for entry in entries if entry["environment"] == id]
        assert [entry["name"] for entry in own] == [level.name for level in levels]
        assert [entry["optimum"] for entry in own] == [level.optimum for level in levels]
        assert f"| {id} | {len(form.sets())} | {len(levels):,} |" in card
    assert "/blob/main/docs/levels.md)" in card
    assert "<!-- site" not in card and CARD.read_text().splitlines()[0] in card


@pytest.mark.parametrize(
    "file", ["CITATION.cff", "recipe/meta.yaml", "pyproject.toml", "docs/start.md"]
)
def test_addresses_agree(file: str) -> None:
    source = about()["project"]["urls"]["Source"]
    text = (ROOT / file).read_text()
    assert source in text
    assert {*re.findall(r"https://github\.com/[\w-]+/puzzle-envs", text)} == {source}


def test_the_readme_on_pypi_has_absolute_addresses() -> None:
    hook = about()["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    text = (ROOT / "README.md").read_text()
    for one in hook["substitutions"]:
        text = re.sub(one["pattern"], one["replacement"], text)
    path = about()["project"]["urls"]["Source"].removeprefix("https://github.com")
    assert f"![A garden being raked](https://raw.githubusercontent.com{path}/main/docs/" in text
    for target in re.findall(r"\]\((.+?)\)", text):
        assert target.startswith("https://"), target
        inside = target.partition("/main/")[2]
        assert not inside or (ROOT / inside).exists(), target


def test_a_wheel_that_is_too_large(release: Any, tmp_path: Path) -> None:
    wheel = tmp_path / "puzzle_envs-1.0.0-py3-none-any.whl"
    wheel.write_bytes(bytes(release.LARGEST_WHEEL))
    release.check_size(wheel)
    wheel.write_bytes(bytes(release.LARGEST_WHEEL + 1))
    with pytest.raises(ValueError, match="has 6,000,001 bytes; at most 6,000,000 are allowed"):
        release.check_size(wheel)


def test_the_recipe_has_the_version_and_what_the_package_requires() -> None:
    recipe = (ROOT / "recipe" / "meta.yaml").read_text()
    assert f'set version = "{__version__}"' in recipe
    for requirement in (*about()["project"]["dependencies"], *about()["build-system"]["requires"]):
        assert requirement in recipe.replace(" >", ">"), requirement
