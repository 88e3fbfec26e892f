"""Grids as text: every notation there and back, and every fault with its place."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from puzzle_envs.level import LevelError, Record
from puzzle_envs.skyscraper.level import FORMAT, SquareFormat, clues_of, givens_of, towers_id
from tests.skyscraper.boards import Board, boards

TOWERS = Path(__file__).parents[3] / "shared" / "levels" / "skyscraper_towers.csv"

TEXT = """\
  3 . 2 1
4 . . . . .
. . 3 . . 2
1 . . . . .
. . . 1 . 2
  2 1 . 3
"""
TOWERS_ID = "4:3//2/1/2/1//3/4//1///2//2,e3h1a"


def record_of(text: str) -> Record:
    (level,) = FORMAT.find(text)
    return level.record


def fault_of(text: str) -> LevelError:
    with pytest.raises(LevelError) as caught:
        FORMAT.find(text)
    return caught.value


# --- the notations ----------------------------------------------------------------------------


def test_a_record() -> None:
    record = record_of(TEXT)
    assert (record["size"], record["largest"], record["plane"], record["free"]) == (4, 4, 16, 14)
    assert record["mask"] == 0
    assert record["clues"][:, :5].tolist() == [
        [3, 0, 2, 1, 0],
        [2, 1, 0, 3, 0],
        [4, 0, 1, 0, 0],
        [0, 2, 0, 2, 0],
    ]
    assert record["given"].tolist() == [1 << 5 | 1 << 14, 0, 0, 0, 0]
    assert record["start"].tolist() == [3 << 4 * 5 | 1 << 4 * 14, *[0] * 19]
    assert FORMAT.words(record) == 2


@given(boards(max_size=8))
def test_rows_there_and_back(board: Board) -> None:
    record, twin = record_of(board.text), board.twin()
    assert clues_of(record) == [*twin.top, *twin.bottom, *twin.left, *twin.right]
    assert givens_of(record) == [height for row in twin.grid() for height in row]
    assert FORMAT.write(record) == [row.rstrip() for row in twin.rows()]
    bits = int.from_bytes(record["given"].tobytes(), "little")
    cells = {divmod(cell, board.size) for cell in range(board.size**2) if bits >> cell & 1}
    assert cells == set(twin.givens)
    assert record["free"] == board.size**2 - len(cells)


@given(boards(max_size=8))
def test_towers_ids_there_and_back(board: Board) -> None:
    record = record_of(board.text)
    assert FORMAT.is_text(towers_id(record))
    assert record_of(towers_id(record)) == record


def test_a_towers_id() -> None:
    assert towers_id(record_of(TEXT)) == TOWERS_ID
    assert record_of(f"; name: it\n{TOWERS_ID}\n") == record_of(TEXT)
    assert towers_id(record_of(TOWERS_ID.partition(",")[0])) == TOWERS_ID.partition(",")[0]


def test_runs_of_a_towers_id_are_at_most_26_long() -> None:
    text = f"9:{'/' * 35},z{'a' * 10}1_2k5ze"
    record = record_of(text)
    assert givens_of(record)[36:38] == [1, 2]
    assert towers_id(record) == f"9:{'/' * 35},zj1_2k5ze"
    assert record_of(towers_id(record)) == record


@pytest.mark.parametrize(
    "text",
    [
        "3 . 2 1 2 1 . 3 4 . 1 . . 2 . 2",
        "3 0 2 1 2 1 0 3 4 0 1 0 0 2 0 2",
        "3 . 2 1 / 2 1 . 3 / 4 . 1 . / . 2 . 2",
        "3//2/1/2/1//3/4//1///2//2",
        "3/./2/1/2/1/0/3/4/./1/././2/0/2",
    ],
)
def test_a_line_of_clues(text: str) -> None:
    assert FORMAT.is_text(text)
    record = record_of(text)
    assert clues_of(record) == clues_of(record_of(TEXT))
    assert not any(givens_of(record)) and record["free"] == 16


def test_numbers_of_two_digits() -> None:
    edge = "  " + " ".join("." * 12)
    row = " ".join("." * 14)
    rows = [edge, "C A B C . . . . . . . . . .", *[row] * 11, edge]
    letters = record_of("\n".join(rows))
    decimal = record_of("\n".join(rows).replace("C A B C", "12 10 11 12"))
    assert letters == decimal
    assert givens_of(letters)[:4] == [10, 11, 12, 0] and clues_of(letters)[24] == 12
    assert FORMAT.write(letters) == rows
    assert towers_id(letters) == f"12:{'/' * 24}12{'/' * 23},10_11_12zzzzzk"
    assert record_of(towers_id(letters)) == letters


def test_names_are_no_texts() -> None:
    for name in ("4x4/easy-1", "train/4x4/3", "sparse", "levels/1.txt", "1/2"):
        assert not FORMAT.is_text(name)


def test_clues_may_contradict() -> None:
    assert clues_of(record_of("1 1 1 . . . . . . . . .")) == [1, 1, 1, *[0] * 9]


@pytest.mark.skipif(not TOWERS.is_file(), reason="the file of Towers ids is not here")
def test_every_known_id() -> None:
    with TOWERS.open(encoding="utf-8") as file:
        ids = [row["towers_id"] for row in csv.DictReader(file)]
    assert ids and all(towers_id(record_of(one)) == one for one in ids)


# --- faults -----------------------------------------------------------------------------------

FAULTS = {
    "1 2 3\n1 . . . .\n. . . . 4\n. . . . .\n1 2 3": (3, 9, "a clue is .* from 1 to 3, not '4'"),
    "1 2 3\n1 . . . .\n. . 7 . .\n. . . . .\n1 2 3": (3, 5, "a height is .* not '7'"),
    "1 2 3\n1 . . B .\n. . . . .\n. . . . .\n1 2 3": (2, 7, "a height is .* not 'B'"),
    "1 2 3\n1 . x . .\n. . . . .\n. . . . .\n1 2 3": (2, 5, "a height is .* not 'x'"),
    "1 ? 3\n1 . . . .\n. . . . .\n. . . . .\n1 2 3": (1, 3, r"a clue is .* not '\?'"),
    "1 2 3\n1 . . . .\n. . . . . .\n. . . . .\n1 2 3": (3, 11, "6 numbers.* 5 in all"),
    "1 2 3\n1 . . . .\n. . . .\n. . . . .\n1 2 3": (3, 8, "4 numbers.* 5 in all"),
    "1 2\n1 . . . .\n. . . . .\n. . . . .\n1 2 3": (1, 4, "2 numbers.* has 3 clues"),
    "1 2 3\n1 . . . .\n. . . . .\n. . . . .\n1 2 3 1": (5, 7, "4 numbers.* has 3 clues"),
    "1 2 3\n1 2 . 2 .\n. . . . .\n. . . . .\n1 2 3": (
        2,
        7,
        r"2 is given twice in row 1 .* column 1 \(line 2, column 3 .*column 3\.",
    ),
    "1 2 3\n1 2 . . .\n. . . . .\n. 2 . . .\n1 2 3": (
        4,
        3,
        r"2 is given twice in column 1 .* row 1 \(line 2, column 3 .*row 3\.",
    ),
    "1 2\n1 . . .\n. . . .\n1 2": (1, 0, "has 2 rows; .* 3 to 16"),
    "1\n2": (1, 0, "has 0 rows"),
    "\n".join(["."] * 19): (1, 0, "has 17 rows"),
    "1 1 1 1 1 1 1 1": (1, 0, "8 clues are those of a grid of 2"),
    "1 2 3 1 2 3 1 2 3 1 2 3 1": (1, 25, "13 words"),
    "; name: a\nabc": (2, 1, "four clues for each row"),
    "1 2 3 1 2 3 1 2 3 1 2 4": (1, 23, "a clue is .* not '4'"),
    "4:3//2/1/2/1//3/4//1///2//2/": (1, 29, "17 clues; a grid of 4 has 16"),
    "4:3//2/1": (1, 8, "4 clues; a grid of 4 has 16"),
    "4:3//5/1/2/1//3/4//1///2//2": (1, 6, "a clue is .* not '5'"),
    "4:3//b/1/2/1//3/4//1///2//2": (1, 6, "a clue is .* not 'b'"),
    "2:///////": (1, 1, "size .* from 3 to 16, not '2'"),
    "17:" + "/" * 67: (1, 1, "size .* not '17'"),
    "; name: a\nx:///": (2, 1, "begins with the size"),
    "3:///////////,3_3g": (1, 17, r"3 is given twice in row 1 .*\(line 1, column 15"),
    "3:///////////,a4g": (1, 16, "a height is .* not '4'"),
    "3:///////////,aBg": (1, 16, "'B' is not part of a Towers id"),
    "3:///////////,3i": (1, 16, "beyond the last cell"),
    "3:///////////,3g": (1, 17, "end after 8 cells"),
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_fault_and_its_place(text: str) -> None:
    line, column, message = FAULTS[text]
    with pytest.raises(LevelError, match=message) as caught:
        FORMAT.parse(text, "here")
    assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)


def test_a_fault_in_a_file_has_the_line_of_the_file() -> None:
    assert (
        fault_of(f"; name: a\n{TEXT}\n; name: b\n{TEXT.replace('3 . . 2', '5 . . 2')}").line == 12
    )


# --- spaces -----------------------------------------------------------------------------------


def test_the_largest_grid_decides() -> None:
    small, large = record_of("3:///////////"), record_of(TEXT)
    shape = FORMAT.joint_shape([FORMAT.shape(small), FORMAT.shape(large)])
    assert shape == (64, 4, 4)
    records = np.array([small, large], FORMAT.dtype)
    FORMAT.fit(records, shape)
    assert records["largest"].tolist() == [4, 4] and records["plane"].tolist() == [16, 16]
    assert records["size"].tolist() == [3, 4]
    planes = FORMAT.codec.planes(shape)
    assert len(planes) == len(set(planes)) == 2 + 5 * 4
    assert planes[:3] == ("grid", "given", "height 1")
    assert planes[6] == "clue 1 at the top" and planes[-1] == "clue 4 at the right"


def test_the_mask_is_an_option() -> None:
    assert not FORMAT.facts
    for mask, number in (("writes", 0), ("consistent", 1), ("empty", 2)):
        (level,) = FORMAT.configured(mask=mask).find(TEXT)
        assert level.record["mask"] == number
    with pytest.raises(
        ValueError, match="mask must be one of writes, consistent, empty, not 'write'"
    ):
        SquareFormat("write")
    with pytest.raises(TypeError, match="no argument 'masks'"):
        FORMAT.configured(masks="writes")


def test_the_words_of_a_state() -> None:
    words = [FORMAT.words(record_of(f"{n}:{'/' * (4 * n - 1)}")) for n in range(3, 13)]
    assert words == [(n * n + 15) // 16 + 1 for n in range(3, 13)]
