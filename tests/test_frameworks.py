"""The example of each framework learns: it solves more than random legal actions do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "examples" / "frameworks"
NEEDS = {
    "with_pytorch": ["torch"],
    "with_sb3": ["stable_baselines3"],
    "with_sb3_contrib": ["sb3_contrib"],
    "with_torchrl": ["torchrl"],
    "with_rllib": ["ray.rllib.algorithms.ppo"],
    "with_tianshou": ["tianshou"],
}
SECONDS = 600
"""Two minutes of a core, on a machine shared with other work."""


def test_every_example_is_short_and_has_its_needs_stated() -> None:
    assert {file.stem for file in FOLDER.glob("with_*.py")} == {*NEEDS}
    for file in FOLDER.glob("*.py"):
        lines = [line for line in file.read_text().splitlines() if line]
        assert len(lines) < 40, file.name


@pytest.mark.skipif(
    "PUZZLE_ENVS_SLOW_TESTS" not in os.environ, reason="Set PUZZLE_ENVS_SLOW_TESTS=1 to run this."
)
@pytest.mark.parametrize("name", NEEDS)
@pytest.mark.filterwarnings("ignore")  # theirs
def test_an_example_beats_random_play(name: str) -> None:
    for module in NEEDS[name]:
        pytest.importorskip(module, reason=f"needs {module}", exc_type=ImportError)
    run = [sys.executable, str(FOLDER / f"{name}.py")]
    result = subprocess.run(run, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert result.returncode == 0, result.stderr
    said = re.search(r"random: ([\d.]+)% solved, trained: ([\d.]+)%", result.stdout)
    assert said is not None, result.stdout
    random, trained = map(float, said.groups())
    assert trained > random + 5
