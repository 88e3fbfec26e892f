"""What a puzzle says of its replays has to fit a page."""

from __future__ import annotations

import re

import pytest

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_agents.benchmark.report.episodes import record
from puzzle_agents.benchmark.report.results import Results
from puzzle_agents.environments import ids, puzzle_of
from puzzle_envs.replay import Replay
from tests.agents.benchmark_rows import real_rows


@pytest.mark.parametrize(
    ("script", "style", "constants", "fault"),
    [
        ("'</script>'", "", {}, "'</' would end the script"),
        ("", "a::before { content: '</style>' }", {}, "'</' would end the script"),
        ("", "", {"A B": 1}, "in capitals, such as GAP, not 'A B'"),
        ("", "", {"class": 1}, "in capitals, such as GAP, not 'class'"),
    ],
)
def test_what_would_break_the_page_is_refused(
    script: str, style: str, constants: dict[str, int], fault: str
) -> None:
    with pytest.raises(ValueError, match=fault):
        Replay(script, style, constants)


@pytest.mark.parametrize("id", ids())
def test_every_puzzle_has_a_drawing_that_uses_what_it_is_given(id: str) -> None:
    replay = puzzle_of(id).replay
    assert replay is not None
    for name in replay.constants:
        assert re.search(rf"\b{name}\b", replay.script), name


def test_more_planes_than_a_number_has_bits_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzle_agents.benchmark.report.episodes.MOST_PLANES", 5)
    recorded = record(Results(real_rows()[:1]))
    assert recorded.faults[0] == (
        "the level cannot be replayed here (a page shows 5 planes at most)."
    )
