"""Machine code on disk: never stale, never in the way, never a crash."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from puzzle_envs.compiled import NO_KERNELS

ROOT = Path(__file__).parent.parent
KERNELS = re.compile(
    r"numba\.n?jit|^from puzzle_envs.compiled import.*\b(compiled|inlined|kernel)\b", re.MULTILINE
)

PROBE = """
import numpy as np
from puzzle_envs import verbs
from puzzle_envs.compiled import kernel
from toy import PUZZLE

@kernel
def cost_of_a_step(levels, state, action):
    verbs.start(levels[0], state)
    return verbs.apply(levels[0], state, action)

PUZZLE.load_rules()
level = PUZZLE.format.find("123/456/7.8")[0]
print(cost_of_a_step(np.array([level.record]), np.empty(1, np.uint64), 1))
"""

COMPILING = "puzzle-envs: compiling"


class Project:
    """A copy of the package and the toy puzzle, to be edited."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ignored = shutil.ignore_patterns("__pycache__", "picture", "rendering/*")
        shutil.copytree(ROOT / "puzzle_envs", folder / "puzzle_envs", ignore=ignored)
        shutil.copytree(ROOT / "tests" / "sliding_tiles", folder / "toy", ignore=ignored)
        for file in (folder / "toy").glob("*.py"):
            file.write_text(file.read_text().replace("tests.sliding_tiles", "toy"))
        zen_garden = folder / "puzzle_envs" / "zen_garden"
        shutil.rmtree(zen_garden)
        (folder / "probe.py").write_text(PROBE)

    def run(self, **environment: str) -> tuple[int, str]:
        """What the probe prints: the cost of a step, and on stderr."""
        result = subprocess.run(
            [sys.executable, "-c", "import probe"],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=True,
            env={
                **os.environ,
                "PYTHONPATH": str(self.folder),
                "PUZZLE_ENVS_CACHE": str(self.cache),
                **environment,
            },
        )
        return int(result.stdout), result.stderr

    @property
    def cache(self) -> Path:
        return self.folder / "cache"

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.folder / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_edited_sources_never_run_stale_code(project: Project) -> None:
    cost, said = project.run()
    assert cost == 1
    assert said.count(COMPILING) == 1 and said.count("\n") == 1
    assert project.run() == (1, "")

    project.edit("toy/rules.py", "    return 1\n", "    return 2\n")
    cost, said = project.run()
    assert cost == 2 and COMPILING in said

    project.edit("toy/rules.py", "    return 2\n", "    return 1\n")
    assert project.run() == (1, "")

    # A file of the package that neither the kernel nor the rules are in.
    project.edit("puzzle_envs/bitboards.py", "ONE = np.uint64(1)", "ONE = np.uint64(1)  # one")
    assert COMPILING in project.run()[1]

    # One in a folder that is marked as no part of machine code.
    marked = project.folder / "puzzle_envs" / "skyscraper" / "picture"
    marked.mkdir()
    (marked / NO_KERNELS).touch()
    (marked / "new.py").write_text("")
    assert project.run() == (1, "")


def test_marked_folders_have_no_part_in_machine_code() -> None:
    """They neither compile anything nor are imported by a file that does."""
    sources = [*(ROOT / "puzzle_envs").rglob("*.py"), *(ROOT / "agents").rglob("*.py")]
    folders = {path.parent for path in ROOT.glob(f"*/**/{NO_KERNELS}")}
    assert ROOT / "puzzle_envs" / "rendering" in folders
    names = [".".join(folder.relative_to(ROOT).parts).removeprefix("agents.") for folder in folders]
    for file in sources:
        text = file.read_text()
        if KERNELS.search(text):
            assert not folders & set(file.parents), file
            assert not any(f"import {name}" in text or f"from {name}" in text for name in names)


@pytest.mark.parametrize("damage", [b"", b"garbage", None], ids=["empty", "garbage", "half"])
def test_a_damaged_cache_file_is_compiled_anew(project: Project, damage: bytes | None) -> None:
    project.run()
    files = list(project.cache.iterdir())
    assert files
    for file in files:
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    cost, said = project.run()
    assert cost == 1 and COMPILING in said
    assert project.run() == (1, "")


def test_without_a_folder_to_write_it_compiles_each_time(project: Project) -> None:
    """Everything that could hold a cache is a file, so nothing can be made below it."""
    nowhere = str(project.folder / "probe.py")
    places = {"PUZZLE_ENVS_CACHE": nowhere, "XDG_CACHE_HOME": nowhere, "LOCALAPPDATA": nowhere}
    project.edit("puzzle_envs/compiled.py", "Path(tempfile.gettempdir())", f"Path({nowhere!r})")
    for _ in range(2):
        cost, said = project.run(**places)
        assert cost == 1 and "set PUZZLE_ENVS_CACHE to one" in said


def test_a_cache_that_others_can_write_is_not_trusted(project: Project) -> None:
    project.cache.mkdir()
    project.cache.chmod(0o777)
    project.run(XDG_CACHE_HOME=str(project.folder / "home"))
    assert list(project.cache.iterdir()) == []
    assert list((project.folder / "home" / "puzzle-envs").iterdir())


def test_the_rules_run_without_compilation(project: Project) -> None:
    assert project.run(NUMBA_DISABLE_JIT="1") == (1, "")


def _cpu_seconds(code: str) -> float:
    """The CPU time that a new process takes for this code, at best."""
    timed = f"import time\n{code}\nprint(time.process_time())"
    runs = [
        subprocess.run([sys.executable, "-c", timed], check=True, capture_output=True, text=True)
        for _ in range(4)
    ]
    return min(float(run.stdout.splitlines()[-1]) for run in runs[1:])


def test_importing_is_quick_and_brings_neither_numba_nor_pygame() -> None:
    code = (
        "import sys, puzzle_envs\n"
        "assert not {'numba', 'pygame', 'PIL', 'torch'} & set(sys.modules), sys.modules"
    )
    assert _cpu_seconds(code) < 0.3


def test_a_second_process_steps_within_a_second() -> None:
    code = (
        "import gymnasium, puzzle_envs\n"
        "env = gymnasium.make('ZenGarden-v0'); env.reset(); env.step(0)"
    )
    assert _cpu_seconds(code) < 1.0
