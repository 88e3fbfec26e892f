"""puzzle-envs record."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from puzzle_agents.cli.app import WRONG_USAGE, main
from tests.agents.test_cli import error_of

image = pytest.importorskip("PIL.Image", reason="needs the bench extra")

SMALL = ["--cell-pixels", "8", "--frames-per-step", "2", "--frames-per-second", "10"]


@pytest.fixture
def episode(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    file = tmp_path / "episode.json"
    assert main(["solve", "ZenGarden-v0", "first-steps/1", "--save", str(file)]) == 0
    capsys.readouterr()
    return file


def test_an_episode_as_a_gif(episode: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = episode.with_name("film.gif")
    assert main(["record", str(episode), "--output", str(film), *SMALL]) == 0
    assert capsys.readouterr().err == f"Written: {film}\n"
    with image.open(film) as shown:
        assert shown.size == (5 * 8, 5 * 8)
        assert shown.n_frames > 6
        light = sum(shown.convert("L").histogram()[128:])
    assert main(["record", str(episode), "--output", str(film), *SMALL, "--theme", "dark"]) == 0
    with image.open(film) as shown:
        assert sum(shown.convert("L").histogram()[128:]) < light


def test_an_agent_s_solution_as_pngs(tmp_path: Path) -> None:
    folder = tmp_path / "film"
    given = ["record", "KwirkSteps-v0", "easy/9", "--agent", "bfs", "--output", str(folder), *SMALL]
    assert main(given) == 0
    with image.open(folder / "00000.png") as first:
        assert first.size[0] % 8 == 0
    assert len(list(folder.iterdir())) > 10
    assert main(given) == WRONG_USAGE


def test_an_agent_s_solution_as_an_mp4(tmp_path: Path) -> None:
    pytest.importorskip("imageio_ffmpeg", reason="needs the video extra")
    film = tmp_path / "film.mp4"
    assert main(["record", "ZenGarden-v0", "first-steps/2", "--output", str(film), *SMALL]) == 0
    assert film.read_bytes()[4:8] == b"ftyp"


def test_an_mp4_without_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    given = ["record", "ZenGarden-v0", "--output", str(tmp_path / "film.mp4")]
    assert main(given) == WRONG_USAGE
    assert 'pip install "puzzle-envs[video]"' in error_of(capsys)
