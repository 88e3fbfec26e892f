"""How the parts may know each other: no cycles between folders, nothing private across them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = {"puzzle_envs": ROOT / "puzzle_envs", "puzzle_agents": ROOT / "agents" / "puzzle_agents"}
FILES = {
    ".".join((name, *path.relative_to(folder).with_suffix("").parts)): path
    for name, folder in SOURCES.items()
    for path in sorted(folder.rglob("*.py"))
}
"""The modules that are shipped, a folder's own as `folder.__init__`."""


def folder_of(module: str) -> str:
    """The folder that a module is in; the files at the top of a package are one."""
    if module in FILES:
        return module.rpartition(".")[0]
    return module if f"{module}.__init__" in FILES else module.rpartition(".")[0]


def imported(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """The modules that a statement names, and the names taken from them."""
    if isinstance(statement, ast.Import):
        yield from ((alias.name, "") for alias in statement.names)
    elif isinstance(statement, ast.ImportFrom) and statement.module is not None:
        for alias in statement.names:
            whole = f"{statement.module}.{alias.name}"
            if whole in FILES or f"{whole}.__init__" in FILES:
                yield whole, ""
            else:
                yield statement.module, alias.name


def at_load_time(path: Path) -> Iterator[ast.stmt]:
    """The statements that run when a module is imported, without what only type checkers see."""
    waiting: list[ast.stmt] = list(ast.parse(path.read_text()).body)
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test):
            waiting += statement.orelse
        elif isinstance(statement, (ast.If, ast.Try, ast.With)):
            waiting += [one for one in ast.walk(statement) if isinstance(one, ast.stmt)][1:]
        else:
            yield statement


def test_folders_do_not_import_each_other_in_a_circle() -> None:
    knows: dict[str, set[str]] = {}
    for module, path in FILES.items():
        here = folder_of(module)
        for statement in at_load_time(path):
            for name, _ in imported(statement):
                if name.partition(".")[0] in SOURCES and folder_of(name) != here:
                    knows.setdefault(here, set()).add(folder_of(name))
    while ends := [folder for folder in knows if not knows[folder] & knows.keys()]:
        for folder in ends:
            del knows[folder]
    circle = {folder: sorted(known & knows.keys()) for folder, known in knows.items()}
    assert not circle


@pytest.mark.parametrize("module", FILES)
def test_nothing_private_is_imported_from_another_folder(module: str) -> None:
    for node in ast.walk(ast.parse(FILES[module].read_text())):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for name, taken in imported(node):
                if name.partition(".")[0] in SOURCES and folder_of(name) != folder_of(module):
                    parts = [*name.split("."), taken]
                    assert not any(
                        part.startswith("_") and not part.startswith("__") for part in parts
                    ), f"{name} {taken}"


def test_what_is_shipped_knows_neither_tests_nor_benchmarks() -> None:
    for path in FILES.values():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for name, _ in imported(node):
                    assert name.partition(".")[0] not in ("tests", "benchmarks", "examples"), path


def test_environments_know_nothing_of_agents() -> None:
    for module, path in FILES.items():
        if module.startswith("puzzle_envs."):
            assert "puzzle_agents" not in path.read_text(), module


MOST_LINES = 600


def test_no_file_is_long() -> None:
    others = [
        path for name in ("tests", "benchmarks", "docs") for path in (ROOT / name).rglob("*.py")
    ]
    long = [
        path
        for path in [*FILES.values(), *others]
        if len(path.read_text().split("\n")) > MOST_LINES
    ]
    assert not long


COMPILES = {"kernel", "rare_kernel", "compiled", "inlined", "rules"}
"""The decorators of functions that become machine code."""
MOST_PARAMETERS = 8
FLAT = {("puzzle_envs.episodes.stepping", "advance")}
"""Python calls it at each step, and a bundle would take a microsecond to unpack."""


def test_compiled_functions_take_at_most_eight_parameters() -> None:
    counts = {
        (module, node.name): len(node.args.args)
        for module, path in FILES.items()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef)
        and COMPILES & {ast.unparse(one).partition("(")[0] for one in node.decorator_list}
    }
    assert len(counts) > 500
    assert {function for function, count in counts.items() if count > MOST_PARAMETERS} == FLAT


PUZZLES = re.compile("zen.?(puzzle.)?garden|hua.?rong.?dao|klotski|kwirk|skyscraper", re.IGNORECASE)
"""How the puzzles are called, in names and in texts."""
TITLES = {"Zen Puzzle Garden", "Hua Rong Dao"}
KNOW_PUZZLES = {
    "registry.py",  # which puzzles each agent plays
    "learning/presets.py",  # what the models of the package were trained with
    "search/learned/presets.py",  # the same of learned search
    "cli/reproduce.py",  # the papers, by their puzzles
}


def named_puzzles(path: Path) -> Iterator[str]:
    """What code says of a puzzle by its name; docstrings, and sentences for people, are no code."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            said = [ast.unparse(node)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            is_prose = " " in node.value and node.value not in TITLES
            said = [] if is_prose else [node.value]
        else:
            said = [str(getattr(node, name, "")) for name in ("id", "attr", "arg", "name")]
        yield from (one for one in said if PUZZLES.search(one))


@pytest.mark.parametrize("module", [name for name in FILES if name.startswith("puzzle_agents.")])
def test_agents_know_no_puzzle_by_name(module: str) -> None:
    """But for the papers, the solvers of one puzzle, and files that are called after theirs."""
    path = FILES[module].relative_to(SOURCES["puzzle_agents"])
    about_one = path.parts[0] in ("papers", "exact") or PUZZLES.search(path.name)
    if not about_one and path.as_posix() not in KNOW_PUZZLES:
        assert not list(named_puzzles(FILES[module]))


@pytest.mark.parametrize("path", sorted(KNOW_PUZZLES))
def test_the_files_that_may_are_there_and_do(path: str) -> None:
    assert list(named_puzzles(SOURCES["puzzle_agents"] / path))
