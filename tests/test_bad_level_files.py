"""Bad level texts of every puzzle: what is wrong is said in a sentence, with its place."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_envs.hua_rong_dao.level import BoxFormat
from puzzle_envs.kwirk.level import FloorFormat
from puzzle_envs.level import LARGEST_OPTIMUM, Level, LevelError, LevelFormat, save_levels
from puzzle_envs.skyscraper.level import SquareFormat
from puzzle_envs.zen_garden.level import GardenFormat

GARDEN, BOX, FLOOR, GRID = GardenFormat(), BoxFormat(), FloorFormat(), SquareFormat()
STEPS = FloorFormat(keys=True)
STEP_METRIC = BoxFormat("step")

ROOM = "######\n#1 a%#\n#    #\n######\n"
CARD = "....\nSB*S\nS**S\nVHHV\n^<<^\n"
LINES = "1 2 2\n1 . . . .\n2 . . . .\n2 . . . .\n. . .\n"
HUGE = "9" * 5000

BAD: list[tuple[LevelFormat, str, int, int, str]] = [
    # Numbers: not a number, too small, too large, far too large.
    (GARDEN, "; optimum: x\n..\n", 1, 12, "number from 0 to 1,000,000,000, not 'x'"),
    (GARDEN, "; optimum:\n..\n", 1, 11, "not ''"),
    (GARDEN, "; optimum: -1\n..\n", 1, 12, "not '-1'"),
    (GARDEN, "; optimum: 1.5\n..\n", 1, 12, "not '1.5'"),
    (GARDEN, "; optimum: 1e3\n..\n", 1, 12, "not '1e3'"),
    (GARDEN, "; optimum: 1_0\n..\n", 1, 12, "not '1_0'"),
    (GARDEN, "; optimum: ٣\n..\n", 1, 12, "not '٣'"),
    (GARDEN, "; optimum: ²\n..\n", 1, 12, "not '²'"),
    (GARDEN, "; optimum: inf\n..\n", 1, 12, "not 'inf'"),
    (GARDEN, ";optimum :  1000000001\n..\n", 1, 13, "not '1000000001'"),
    (GARDEN, f"; optimum: {2**63}\n..\n", 1, 12, "not '9223372036854775808'"),
    (GARDEN, f"; optimum: {HUGE}\n..\n", 1, 12, r"not '9+\.\.\.' \(5,000 characters\)"),
    (BOX, f"; optimum-straight: {HUGE}\n1A9BF0C00\n", 1, 21, "'optimum-straight' must be 'none'"),
    (STEP_METRIC, f"; optimum-step: {HUGE}\n1A9BF0C00\n", 1, 17, "'optimum-step' must be 'none'"),
    (FLOOR, f"; pushes: {HUGE}\n{ROOM}", 1, 11, "'pushes' must be 'none' or a number"),
    (FLOOR, f"; steps: 3 and more\n{ROOM}", 1, 10, "'steps' .* not '3 and more'"),
    (STEPS, f"; pushes: {2**64}\n{ROOM}", 1, 11, "'pushes' must be 'none' or a number"),
    (GRID, f"; optimum: {HUGE}\n{LINES}", 1, 12, "'optimum' must be 'none' or a number"),
    (FLOOR, f"{ROOM}HOLE_UNDER {HUGE} 1\n", 5, 12, "column of this floor must be .* from 0 to 5"),
    (FLOOR, f"{ROOM}HOLE_UNDER 3 {HUGE}\n", 5, 14, "row of this floor must be .* from 0 to 3"),
    (FLOOR, f"{ROOM}HOLE_UNDER -3 1\n", 5, 12, "not '-3'"),
    (FLOOR, f"{ROOM}HOLE_UNDER ٣ 1\n", 5, 12, "not '٣'"),
    (FLOOR, f"{ROOM}HOLE_UNDER 6 1\n", 5, 12, "not '6'"),
    (FLOOR, f"{ROOM}HOLE_UNDERx 3 1\n", 5, 0, "'HOLE_UNDER column row'"),
    (BOX, f"; goal: a {HUGE} 1\na.\n", 1, 11, "row of a goal must be a number from 1 to 8"),
    (BOX, "; goal: a 1 0\na.\n", 1, 13, "column of a goal must be a number from 1 to 8, not '0'"),
    (BOX, "; goal: a  1   ٣\na.\n", 1, 16, "column of a goal .* not '٣'"),
    (BOX, "; goal: ab 1 1\nab.\n", 1, 0, "a letter, a row and a column, not 'ab 1 1'"),
    (BOX, "; goal:\na.\n", 1, 0, "a letter, a row and a column, not ''"),
    (GRID, f"{HUGE}:///////////\n", 1, 1, "size that a Towers id begins with is from 3 to 16"),
    (GRID, "  0:\n", 1, 3, "from 3 to 16, not '0'"),
    (GRID, "٣:///////////\n", 1, 1, "begins with the size and a colon"),
    (GRID, f"3:/{HUGE}//////////\n", 1, 4, "a clue is .* from 1 to 3, not '9+"),
    (GRID, f"3:///////////,a{HUGE}\n", 1, 16, "a height is .* from 1 to 3, not '9+"),
    (GRID, LINES.replace("2 . .", f"2 {HUGE} .", 1), 3, 3, "a height is .* not '9+"),
    (GRID, LINES.replace("1 2 2", "1 ٣ 2"), 1, 3, "a clue is .* not '٣'"),
    (GRID, LINES.replace("1 2 2", "1 A 2"), 1, 3, "a clue is .* not 'A'"),
    (GRID, f"{HUGE} 1 1 1 1 1 1 1 1 1 1 1\n", 1, 1, "a clue is .* not '9+"),
    # Characters that one does not see, or takes for others.
    (GARDEN, "..\n.\0\n", 2, 2, "NUL is not allowed"),
    (GARDEN, "; note: a\x1b[2J\n..\n", 1, 10, r"character U\+001B is not allowed"),
    (GARDEN, "..\n.\f.\n", 2, 2, "A form feed is not allowed"),
    (GARDEN, "..\v..\n", 1, 3, "A vertical tab is not allowed"),
    (GARDEN, "..\n..\u2028..\n", 2, 3, r"Line separator \(U\+2028\) is not allowed"),
    (GARDEN, "..\n..\x85..\n", 2, 3, r"character U\+0085 is not allowed"),
    (GARDEN, "..\n\ufeff..\n", 2, 1, "A byte order mark is not allowed"),
    (GARDEN, "..\n.\ud800\n", 2, 2, r"character U\+D800 is not allowed"),
    (GARDEN, "..\n.\t\n", 2, 2, "A tab is not part of a garden"),
    (GARDEN, "...\n. .\n", 2, 2, "A space is not part of a garden"),
    (GARDEN, ".\u200b\n..\n", 1, 2, r"Zero width space \(U\+200B\) is not part of a garden"),
    (GARDEN, "..\n.о\n", 2, 2, r"'о' \(U\+043E, cyrillic small letter o\) is not part"),  # noqa: RUF001
    (FLOOR, ROOM.replace("  ", "\t ", 1), 3, 2, "A tab is not part of a floor"),
    (FLOOR, ROOM.replace(" a", "\xa0a"), 2, 3, r"No-break space \(U\+00A0\) is not part of a"),
    (FLOOR, ROOM.replace("a", "ä"), 2, 4, r"'ä' \(U\+00E4.* a to z and A to W \(not O\) blocks"),
    (BOX, CARD.replace("....", "..\t.", 1), 1, 3, "A tab is not part of a layout"),
    (BOX, "; goal: a 1 2\na\t\n", 2, 2, "A tab is not part of a box"),
    (BOX, "; goal: a 1 2\naä.\n", 2, 2, "'ä' .*is not part of a box"),
    (GRID, "3:///////////,a\t\n3", 1, 0, "has 0 rows"),
    (GRID, "; name: a\n3:///////////,a\xa0b\n", 2, 16, "No-break space .* is not part of a T"),
    (FLOOR, ROOM.replace("a", "X"), 2, 4, "'X' is not part of a floor"),
    # Codes that are nearly codes.
    (BOX, "; name: a\n1A9BF0C0\n", 2, 0, "nine hexadecimal digits, .*; this has 8"),
    (BOX, "; name: a\n1A9BF0C0G\n", 2, 9, "nine hexadecimal .*; 'G' at position 9 is not"),
    (BOX, "; name: a\n1A9BF0C00 \n", 2, 10, "nine hexadecimal .*; a space at position 10 is not"),
    (BOX, "; name: a\n0x1A9BF0C00\n", 2, 2, "nine hexadecimal .*; 'x' at position 2 is not"),
    (BOX, "; name: a\n32233224455662770199\n", 2, 19, "20 digits from 0 to 8; '9' at position 19"),
    (BOX, "; name: a\nVB*V^**^VH<V^SS^S..s\n", 2, 20, "each .* 's' at position 20 is not"),
    (BOX, "; name: a\nVB*V^**^VH<V^SS^S...V\n", 2, 0, "this has 21"),
    (BOX, "; name: a\nVB*V^**.VH<V^SS^S...\n", 2, 4, "This 'V' is incomplete"),
    (BOX, "; name: a\nwhat is this\n", 2, 0, "20 characters, 20 digits or 9 hexadecimal"),
    # Keys and names.
    (GARDEN, "; nam: a\n..\n", 1, 0, "Did you mean 'name'. The keys are author, bound, known"),
    (FLOOR, f"; optimum: 1\n{ROOM}", 1, 0, "The keys are author, bound, known, name"),
    (BOX, f"; gaol: a 1 1\n{CARD}", 1, 0, "Did you mean 'goal'"),
    (GRID, f"; {'x' * 5000}: 1\n{LINES}", 1, 0, r"'x+\.\.\.' \(5,000 characters\) is not a key"),
    (GARDEN, "; name:\n..\n", 1, 8, "A name cannot be empty"),
    (GARDEN, "; turning-out: \x41\n..\n", 1, 16, "on or off, not 'A'"),
    (GARDEN, "; a: 1\n; a: 2\n..\n", 2, 0, "'a' is given twice"),
    (GARDEN, "; name: a/1\n..\n\n; name: a/1\n..\n", 4, 0, "A second board is called 'a/1'"),
    # Boards.
    (FLOOR, "#" * 5000 + "\n", 1, 1, "5000 wide and 1 high; sides are from 3 to 32"),
    (GARDEN, "." * 5000, 1, 0, "5000 wide and 1 high; the largest is 16 by 16"),
    (FLOOR, "HOLE_UNDER 1 1\n", 1, 0, "There is no floor above"),
    (BOX, "; goal: a 1 2\na........\n", 2, 0, "9 wide and 1 high"),
    (GRID, "\n".join(["."] * 5000), 1, 0, "4998 rows"),
]  # fmt: skip


@pytest.mark.parametrize(("format", "text", "line", "column", "said"), BAD)
def test_a_bad_text_is_refused_with_its_place(
    format: LevelFormat, text: str, line: int, column: int, said: str
) -> None:
    with pytest.raises(LevelError, match=said) as caught:
        format.parse(text, "t.txt")
    assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)
    place = f"t.txt:{line}:{column}: " if column else f"t.txt:{line}: "
    assert str(caught.value).startswith(place)
    assert str(caught.value).endswith((".", "?")) and len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff; name: a\n..\n.#\n",
        "; name: a\r\n..\r\n.#\r\n",
        "; name: a\r..\r.#\r",
        "; name: a\n..\n.#",
        "\r\n\n; name: a\n\r\n..\r\n.#\r\n\n\n",
        ";\tname:\ta\t\n..\n.#\n",
    ],
)
def test_what_does_no_harm_is_read(text: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_bytes(text.encode())
    for (level,) in (GARDEN.find(text), GARDEN.find(file)):
        assert (level.name, GARDEN.write(level.record)) == ("a", ["..", ".#"])


def test_a_byte_order_mark_before_a_level_in_one_line_and_tabs_between_numbers() -> None:
    assert BOX.find("\ufeff1A9BF0C00")[0].record == BOX.find("1A9BF0C00")[0].record
    assert GRID.find(LINES.replace(" ", "\t"))[0].record == GRID.find(LINES)[0].record


# --- names and files ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "wanted", "said"),
    [
        (
            BOX,
            "1A9BF0C0",
            "no level or set '1A9BF0C0'. A code is nine hexadecimal digits, .*this has 8",
        ),
        (BOX, "1A9BF0C0O", "'O' at position 9 is not"),
        (BOX, "3223322445566277011", "The paper's layouts are 20 digits from 0 to 8; this has 19"),
        (BOX, "VB*V^**^VH<V^SS^S..", "A layout in one line is 20 characters"),
        (BOX, "hardes", "Did you mean 'hardest'"),
        (FLOOR, "#" * 5000, r"'#+\.\.\.' \(5,000 characters\). A level as a text has a line for"),
        (GARDEN, "./.." * 5000, r"\(20,000 characters\)"),
        (GARDEN, "ro\0ks", r"'ro\\x00ks'. Did you mean 'rocks'"),
        (GARDEN, "rocks/" + HUGE, "ZenGarden-v0 has no level or set"),
        (GARDEN, "no.txt/1", r"There is no level file no\.txt\."),
        (GARDEN, "no.txt", r"There is no level file no\.txt\."),
    ],
)
def test_a_name_that_is_none(format: LevelFormat, wanted: str, said: str) -> None:
    with pytest.raises(LevelError, match=said) as caught:
        format.find(wanted)
    assert len(str(caught.value)) < 1000


def test_a_folder_is_no_level_file(tmp_path: Path) -> None:
    (tmp_path / "dir.txt").mkdir()
    (tmp_path / "dir.txt" / "mine.txt").write_text("; name: b.txt/1\n..\n")
    for wanted in (tmp_path / "dir.txt", f"{tmp_path}/dir.txt/1"):
        with pytest.raises(LevelError, match=r"dir\.txt is a folder, not a level file"):
            GARDEN.find(wanted)
    inside = f"{tmp_path}/dir.txt/mine.txt"
    assert GARDEN.find(f"{inside}/b.txt/1")[0].name == GARDEN.find(f"{inside}/")[0].name


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [(b"\xff\xfe.\0.\0", 1, 1), (b"..\r\n.\xc3\xa4\xff\n", 2, 3), (b"..\n..\xe2\x82", 2, 3)],
)
def test_a_file_in_another_encoding(tmp_path: Path, data: bytes, line: int, column: int) -> None:
    file = tmp_path / "mine.txt"
    file.write_bytes(data)
    with pytest.raises(LevelError, match="not UTF-8 text: invalid byte 0x") as caught:
        GARDEN.find(file)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file that nobody can read")
def test_a_file_that_cannot_be_read() -> None:
    with pytest.raises(LevelError, match="mem: This file cannot be read: Input/output error"):
        GARDEN.find("/proc/self/mem")


@pytest.mark.parametrize("stem", ["a\nb", " a", "a\x7f"])
def test_a_file_whose_name_no_level_can_have(tmp_path: Path, stem: str) -> None:
    file = tmp_path / f"{stem}.txt"
    file.write_text("..\n")
    with pytest.raises(LevelError, match="cannot be a name: it"):
        GARDEN.find(file)


NAMES = ("a/1", "b/1", "/1", "//", "a//b", "1/", "a.txt/1", ".", "..", "x" * 500, "ä: ö; #", "a\tb")


def levels_called(*names: str) -> list[Level]:
    return [replace(GARDEN.find("..\n")[0], name=name) for name in names]


def test_names_with_slashes_are_kept_and_found(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    save_levels(file, GARDEN, levels_called(*NAMES))
    assert [level.name for level in GARDEN.find(file)] == list(NAMES)
    for name in NAMES:
        assert [level.name for level in GARDEN.find(f"{file}/{name}")] == [name]
        env = gymnasium.make("ZenGarden-v0", level=f"{file}/{name}")
        assert env.reset()[1]["level"] == name


@given(name=st.text(min_size=1))
def test_a_name_is_kept_or_refused(name: str) -> None:
    (level,) = levels_called(name)
    kept = name == name.strip() and not re.search("[\\x00-\\x08\\x0a-\\x1f\\x7f-\\x9f]", name)
    if not kept or set(name) & set("\u2028\u2029\ufeff"):
        with pytest.raises(LevelError, match="cannot be saved in a file: it"):
            GARDEN.text(level)
    else:
        assert GARDEN.parse(GARDEN.text(level), "again")[0].name == name


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": ""}, "without a name"),
        ({"name": "a\nb"}, r"name 'a\\nb' cannot be saved in a file: it contains a line end"),
        ({"name": "a\rb"}, "it contains a carriage return"),
        ({"name": " a"}, "begins or ends with a space"),
        ({"name": "a\0"}, "it contains NUL"),
        ({"notes": {"author": "me\n; name: you"}}, "author .* it contains a line end"),
    ],
)
def test_what_no_file_can_keep_is_not_written(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    (level,) = levels_called("a")
    with pytest.raises(LevelError, match=said):
        save_levels(tmp_path / "mine.txt", GARDEN, [replace(level, **change)])  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_two_levels_of_one_name_are_not_written(tmp_path: Path) -> None:
    bundled = GARDEN.find_all(["rocks/1", "rocks/2", "ornaments/1"])
    with pytest.raises(LevelError, match=r"two levels called '1' \('rocks/1' and 'ornaments/1'\)"):
        save_levels(tmp_path / "mine.txt", GARDEN, bundled)
    assert not list(tmp_path.iterdir())
    renamed = [replace(level, name=level.name.replace("/", "-")) for level in bundled]
    save_levels(tmp_path / "mine.txt", GARDEN, renamed)
    assert len(GARDEN.find(tmp_path / "mine.txt")) == 3


def test_a_bundled_level_is_written_as_its_file_has_it() -> None:
    assert "; name: 3\n" in GARDEN.text(GARDEN.find("rocks/3")[0])
    assert "; name: 3\n" in BOX.text(BOX.find("train/1-10/3")[0])


# --- levels that another format read ------------------------------------------------------------


def test_a_level_counts_moves_as_its_environment_does() -> None:
    level = BOX.find("classics/1")[0]
    env = gymnasium.make("HuaRongDao-v0", level=level, metric="step")
    assert (env.reset()[1]["level"], env.reset()[1]["optimum"]) == ("classics/1", 116)
    assert STEP_METRIC.find(STEP_METRIC.text(level))[0].optimum == 116
    floor = FLOOR.find("easy/3")[0]
    steps: Any = gymnasium.make("KwirkSteps-v0", level=floor).unwrapped
    steps.reset()
    by_keys = steps.level
    assert by_keys.record == STEPS.find("easy/3")[0].record
    assert (by_keys.name, by_keys.optimum) == ("easy/3", STEPS.find("easy/3")[0].optimum)
    assert BOX.find(level) == [level]


# --- optima ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("optimum", [-1, LARGEST_OPTIMUM + 1, 2**63, 10**400])
def test_no_level_has_an_optimum_out_of_bounds(optimum: int) -> None:
    with pytest.raises(LevelError, match="The optimum of 'a' must be from 0 to 1,000,000,000"):
        replace(levels_called("a")[0], optimum=optimum)


def test_the_largest_optimum_stays_a_whole_number() -> None:
    texts = [f"; optimum: {LARGEST_OPTIMUM}\n...\n.#.\n...\n", "...\n...\n.#.\n"]
    venv = gymnasium.make_vec("ZenGarden-v0", num_envs=32, levels=texts)
    optima = venv.reset(seed=0)[1]["optimum"]
    assert optima.dtype == np.int64 and LARGEST_OPTIMUM in optima.tolist()
