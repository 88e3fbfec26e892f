"""What the README shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import gymnasium

import puzzle_agents
import puzzle_envs  # noqa: F401 (registers the ids)

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_its_code_runs(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(code.splitlines()) <= 30
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, cwd=tmp_path)


def test_its_tables_name_every_id_and_agent() -> None:
    for id, spec in gymnasium.registry.items():
        if str(spec.entry_point).startswith("puzzle_envs."):
            assert f"| `{id}` |" in README
    for name in puzzle_agents.names():
        assert f"| `{name}` |" in README


def test_its_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert targets
    for target in targets:
        assert (ROOT / target).exists(), target
