"""Levels by name, file and text, and everything that can be wrong with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from puzzle_agents.environments import ids, puzzle_of
from puzzle_envs.level import LevelError, save_levels
from puzzle_envs.zen_garden.level import FORMAT
from tests.zen_garden.boards import Board, boards
from tests.zen_garden.test_rules import level_text

SMALL = "...\n.#.\n"


@pytest.mark.parametrize("id", ids())
def test_equal_levels_have_equal_bytes(id: str) -> None:
    """Environments know levels by their bytes; copies leave what lies between fields as it is."""
    dtype = puzzle_of(id).format.dtype
    assert dtype.fields is not None and dtype.itemsize == sum(
        field[0].itemsize for field in dtype.fields.values()
    )


def test_names_files_and_texts(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(f"; name: one\n{SMALL}\n; name: two\n; author: me\n{SMALL}")
    assert [level.name for level in FORMAT.find(file)] == ["one", "two"]
    assert [level.name for level in FORMAT.find(str(file))] == ["one", "two"]
    assert FORMAT.find(SMALL)[0].record["width"] == 3
    assert FORMAT.find(".#.")[0].record["height"] == 1
    bundled = FORMAT.find("rocks/1")[0]
    assert bundled.name == "rocks/1"
    assert FORMAT.find(bundled) == [bundled]
    assert bundled.name in [level.name for level in FORMAT.find("rocks")]
    assert len(FORMAT.find_all(["rocks/1", SMALL, file])) == 4


def test_a_file_of_one_board_needs_no_name(tmp_path: Path) -> None:
    file = tmp_path / "pond.txt"
    file.write_text(SMALL)
    assert FORMAT.find(file)[0].name == "pond"


def test_an_edited_file_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "pond.txt"
    file.write_text(SMALL)
    assert FORMAT.find(file)[0].record["height"] == 2
    file.write_text(SMALL + "...\n")
    assert FORMAT.find(file)[0].record["height"] == 3


def test_what_is_known_of_a_level() -> None:
    text = "; a comment of no key\n; optimum: 4\n; author: me\n; note: hard\n" + SMALL
    level = FORMAT.find(text)[0]
    assert (level.optimum, level.solvable) == (4, True)
    assert level.notes == {"author": "me", "note": "hard"}
    unknown = FORMAT.find(SMALL)[0]
    assert (unknown.optimum, unknown.solvable) == (None, None)
    hopeless = FORMAT.find("; optimum: none\n" + SMALL)[0]
    assert (hopeless.optimum, hopeless.solvable) == (None, False)


@given(boards(max_width=16, max_height=16))
@settings(deadline=None)
def test_written_and_read_again(board: Board) -> None:
    level = FORMAT.find(level_text(board.rows, board.switches))[0]
    again = FORMAT.find(FORMAT.text(level))[0]
    assert again.record == level.record
    assert (again.name, again.optimum) == (level.name, level.optimum)


FAULTS = {
    "ragged": ("...\n..\n", "t.txt:2:3: This row has 2 cells, the first row has 3."),
    "long row": ("..\n...\n", "t.txt:2:3: This row has 3 cells, the first row has 2."),
    "character": ("...\n.x.\n", "t.txt:2:2: 'x' is not part of a garden; use . sand"),
    "no sand": ("##\n#B\n", "t.txt:1: This board has no sand to rake."),
    "too wide": ("." * 17 + "\n", "t.txt:1: This board is 17 wide and 1 high; the largest"),
    "too high": (".\n" * 17, "t.txt:1: This board is 1 wide and 17 high; the largest"),
    "empty": ("\n\n", "t.txt: There is no level here."),
    "no board": ("; name: a\n", "t.txt:1: These lines have no board below them."),
    "no names": ("..\n\n..\n", "t.txt:1: This board has no name; write '; name: ...' above it."),
    "a name with two boards": ("; name: a\n..\n\n..\n", "t.txt:4: This board has no name"),
}


@pytest.mark.parametrize(("text", "said"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named_with_its_place(text: str, said: str) -> None:
    with pytest.raises(LevelError) as error:
        FORMAT.parse(text, source="t.txt")
    assert str(error.value).startswith(said)
    assert error.value.source == "t.txt"


def test_nothing_is_half_loaded(tmp_path: Path) -> None:
    file = tmp_path / "set.txt"
    file.write_text("; name: good\n..\n\n; name: bad\n.x\n")
    with pytest.raises(LevelError, match=r"set\.txt:5:2"):
        FORMAT.find(file)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("rock", "Did you mean 'rocks'"),
        ("rock", "rocks, and those below test/, train/ and validation/, such as test/4x4."),
        ("rocks/1000", "Did you mean 'rocks/1"),
        ("rocks/1000", "The set 'rocks' has 24 levels."),
        ("no/such", "ZenGarden-v0 has no level or set 'no/such'"),
        ("", "ZenGarden-v0 has no level or set ''"),
    ],
)
def test_an_unknown_name_answers_with_the_nearest(name: str, said: str) -> None:
    with pytest.raises(LevelError, match=said):
        FORMAT.find(name)


def test_saved_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "set.txt"
    levels = FORMAT.find_all(["rocks/1", SMALL])
    save_levels(file, FORMAT, levels, head="; Two boards.\n")
    again = FORMAT.find(file)
    assert [level.name for level in again] == ["1", "level text"]
    np.testing.assert_array_equal(
        [level.record for level in again], [level.record for level in levels]
    )
    before = file.read_text()

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("puzzle_envs.common.files.os.replace", fail)
    with pytest.raises(OSError, match="full"):
        save_levels(file, FORMAT, levels[:1])
    assert file.read_text() == before
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("wanted", ["rocks", "test", "test/4x4", "rocks/3", "...\n...\n"])
def test_levels_are_counted_unread(wanted: str) -> None:
    assert FORMAT.count(wanted) == len(FORMAT.find_all(wanted))
