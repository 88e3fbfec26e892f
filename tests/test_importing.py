"""Levels in other people's notations: the same floor, or an error with its place."""

from __future__ import annotations

import json
import re
import tracemalloc
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from puzzle_agents.cli.app import main
from puzzle_envs import hua_rong_dao, kwirk, skyscraper
from puzzle_envs.importing import MOST_LEVELS, imported
from puzzle_envs.kwirk.importer import TURNSTILES
from puzzle_envs.kwirk.level import ARMS, LETTERS
from puzzle_envs.level import Level, LevelError
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.text import LINE_END
from tests.fuzz_levels import mutated
from tests.kwirk.boards import boards as floors

FORMAT = kwirk.PUZZLE.format
Grid = dict[tuple[int, int], str]
SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))


def read(
    text: str, name: str | None = None, source: str = "here.txt", puzzle: Puzzle = kwirk.PUZZLE
) -> list[Level]:
    return imported(puzzle.format, puzzle.notations, text, source, name)


def ours(text: str) -> list[str]:
    """The rows of the only level in a text."""
    (level,) = read(text)
    return FORMAT.write(level.record)


# --- one of each ------------------------------------------------------------------------------

SOLVER = """MAX_STEPS (20+0)
###########
#  BB  aO +
# 1B   bO2#
#  3    C +
#    <DCC #
###########
"""
PUZZLE_BOY = """1111111111
1 *b A33 1
1  0  B3 1
1 $  i 3 1
1      # 1
1¢¢¢n3 2 1
1111111111
"""
PUZZLE_BOY_HERE = [
    "##########",
    "# 4*>aOO #",
    "#  1 ^bO #",
    "# 2  * O #",
    "#   ^` 3 #",
    "#ccc*  % #",
    "##########",
]


def test_a_floor_of_the_solver() -> None:
    rows = [
        "###########",
        "#  *>  aO #",
        "# 1`   bO%#",
        "#  2    ^ #",
        "#    <*<* #",
        "###########",
    ]
    assert ours(SOLVER) == rows
    (level,) = read(SOLVER)
    assert (level.name, dict(level.notes)) == ("here", {"note": "MAX_STEPS (20+0)"})
    newer = "\n".join(["MAX_FRAMES 9", *rows, "HOLE_UNDER 7 1"])
    with pytest.raises(LevelError, match="Block a lies only over holes"):
        read(newer)
    newer = newer.replace("7 1", "4 1")
    assert ours(newer) == [*rows, "HOLE_UNDER 4 1"]


def test_a_level_of_puzzle_boy() -> None:
    """Those who follow come in reading order; arms hover over holes."""
    text = PUZZLE_BOY.replace("n3", "a ")
    assert ours(text) == PUZZLE_BOY_HERE
    over = text.replace("1      # 1", "1   3  # 1")
    assert ours(over) == [*PUZZLE_BOY_HERE, "HOLE_UNDER 4 4"]
    data = [{"id": 7, "data": text}, {"data": over.strip()}]
    assert [(one.name, FORMAT.write(one.record)[:7]) for one in read(json.dumps(data))] == [
        ("7", PUZZLE_BOY_HERE),
        ("2", PUZZLE_BOY_HERE),
    ]
    assert [one.name for one in read(f"{text}\n; name: b\n{over}")] == ["1", "b"]


def test_lists() -> None:
    codes = "; classics\n1A9BF0C00\n\n32243224566751171001 ; the paper's\n"
    found = read(codes, puzzle=hua_rong_dao.PUZZLE)
    assert [level.name for level in found] == ["1", "2"]
    ids = "3:1/2/2/2/2/1/1/2/2/2/2/1\n4:3//2/1/2/1//3/4//1///2//2,e3h1a\n"
    found = read(ids, puzzle=skyscraper.PUZZLE)
    assert [int(level.record["size"]) for level in found] == [3, 4]


# --- errors -----------------------------------------------------------------------------------

DATA = json.dumps([{"id": "7", "data": "11111\n1021\n11111"}])


@pytest.mark.parametrize(
    ("text", "name", "line", "column", "words"),
    [
        ("####\n#@$.#\n####", None, 2, 2, "This is Sokoban, which has no"),
        ("; 1\n####\n#$@#\n####", "solver", 3, 2, "This is Sokoban"),
        ("hello", None, 1, 1, "not in a known notation (puzzle-boy, solver); level"),
        ("; name: 1\n####\n#1%#\n####", None, 1, 1, "not in a known notation"),
        ("", "solver", 0, 0, "There is no level here"),
        ("#####\n#1  #\n#####", None, 1, 1, "There is no exit, '2'"),
        ("#####\n#122#\n#####", None, 2, 4, "'2' is a second exit"),
        ("#####\n# 2 #\n#####", None, 1, 1, "There is no character"),
        ("#####\n#12x\n#####", None, 2, 5, "This row has 4 cells, the first row has 5"),
        ("######\n#12 A#\n######", None, 2, 5, "'A' stands alone; a turnstile has"),
        ("######\n#12AA#\n######", None, 2, 5, "'A' is a pivot or an arm"),
        ("######\n#12 ?#\n######", None, 2, 5, "'?' is not part of a floor"),
        ("#####\n#12 #\n#####\nHOLE_UNDER 9 1", None, 4, 12, "column of this floor"),
        ("11111\n1  21\n11111", None, 1, 1, "A level has one '0', the first character, not 0"),
        ("111111\n10 021\n111111", None, 1, 1, "one '0', the first character, not 2"),
        ("11111111\n10*#$*21\n11111111", None, 2, 6, "'*' is one character too many; the"),
        ("11111\n10 21\n1b  1\n11111", None, 0, 0, ""),
        ("11111\n10 21\n1  b1\n11111", None, 3, 4, "'b' has no room for its arm right"),
        ("11111\n10 21\n1 eb1\n11111", None, 3, 3, "'e' has no room for its arm right"),
        ("11111\n10\t21\n11111", None, 2, 3, "A tab is not part of a level"),
        ("11111\n10\x0021\n11111", None, 2, 3, "NUL is not allowed"),
        ("[", None, 1, 2, "It is not JSON"),
        ("[1]", None, 1, 1, "Level 1 is not an object with a text 'data'"),
        ("[" * 100_000, None, 1, 1, "This is not a list of levels"),
        ("[" + "9" * 5000 + "]", None, 1, 1, "This is not a list of levels"),
        ("[]", None, 0, 0, "There is no level here"),
        (DATA, None, 2, 5, "here.txt, level '7':2:5: This row has 4 cells"),
    ],
)
def test_an_error_names_its_place(
    text: str, name: str | None, line: int, column: int, words: str
) -> None:
    if not words:
        assert read(text, name)
        return
    with pytest.raises(LevelError, match=re.escape(words)) as caught:
        read(text, name)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_wrong_line_of_a_list_is_named() -> None:
    with pytest.raises(LevelError, match=re.escape("here.txt:2:1: A code is nine hexa")):
        read("1A9BF0C00\n 1A9BF0C0\n", puzzle=hua_rong_dao.PUZZLE)
    with pytest.raises(
        LevelError, match=re.escape("here.txt:2:1: Each line must be in the notation 'ids'.")
    ):
        read("3:1/2/2/2/2/1/1/2/2/2/2/1\nhello\n", puzzle=skyscraper.PUZZLE)
    with pytest.raises(LevelError, match=re.escape("here.txt:2:3: In a grid of 3 a clue is")):
        read("; an id\n3:9/2/2/2/2/1/1/2/2/2/2/1\n", puzzle=skyscraper.PUZZLE)


def test_as_many_blocks_as_there_is_room_for() -> None:
    signs = [chr(code) for code in range(0x100, 0x100 + len(LETTERS) + 1)]
    rows = [
        "1" * 32,
        "10" + "".join(signs[:28]) + "21",
        "1" + "".join(signs[28:48]) + " " * 10 + "1",
    ]
    rows += ["1" + " " * 30 + "1", "1" * 32]
    (level,) = read("\n".join(rows))
    assert level.record["blocks"] == len(LETTERS)
    (level,) = read("\n".join(rows).replace(signs[47] + " ", signs[47] * 2))
    assert level.record["blocks"] == len(LETTERS)
    with pytest.raises(LevelError, match="one block too many; there is room for 48"):
        read("\n".join(rows).replace(signs[47] + " ", signs[47] + signs[48]))


@pytest.mark.parametrize("row", ["#" * 10**6, "1" * 10**6, "#1\n" * 10**5, "111\n" * 10**5])
def test_a_text_larger_than_any_floor_takes_little_memory(row: str) -> None:
    tracemalloc.start()
    with pytest.raises(LevelError, match="beyond the largest floor, 32 by 32"):
        read(row)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 100 << 20


def test_more_levels_than_memory_should_hold() -> None:
    code = "1A9BF0C00\n"
    text = code * (MOST_LEVELS + 1)
    tracemalloc.start()
    with pytest.raises(LevelError, match="too many levels") as caught:
        read(text, puzzle=hua_rong_dao.PUZZLE)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert caught.value.line == MOST_LEVELS + 1
    assert most < 100 << 20


# --- round trips ------------------------------------------------------------------------------


def grid_of(text: str) -> tuple[Grid, list[tuple[int, int]]]:
    """The characters of a text of ours, and its holes under something."""
    rows = [line for line in text.split("\n") if line and not line.startswith(("HOLE", ";"))]
    under = [line.split()[1:] for line in text.split("\n") if line.startswith("HOLE_UNDER")]
    grid = {(y, x): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
    return grid, [(int(y), int(x)) for x, y in under]


def text_of(grid: Grid) -> str:
    height, width = (1 + last for last in max(grid))
    return "\n".join("".join(grid[y, x] for x in range(width)) for y in range(height)) + "\n"


def arms_of(grid: Grid, pivot: tuple[int, int]) -> list[int]:
    """The ways in which its arms lie."""
    return [
        way
        for way, (down, right) in enumerate(SIDES)
        if grid.get((pivot[0] + down, pivot[1] + right)) == ARMS[way]
    ]


def as_solver(text: str, *, letters: bool) -> str:
    """In the older form of the solver's notation: turnstiles all in letters, or only pivots."""
    grid, under = grid_of(text)
    names = iter("ABCDEFGHIJKLMNPQRSTUVWXYZ")
    drawn = {place: {"%": "2"}.get(sign, sign) for place, sign in grid.items()}
    drawn |= {
        place: {"1": "1", "2": "3", "3": "4", "4": "5"}[sign]
        for place, sign in grid.items()
        if sign in "1234"
    }
    for place in [place for place, sign in grid.items() if sign == "*"]:
        drawn[place] = name = next(names)
        arms = arms_of(grid, place)
        if letters and len(arms) > 1:
            for way in arms:
                drawn[place[0] + SIDES[way][0], place[1] + SIDES[way][1]] = name
    lines = [f"HOLE_UNDER {x} {y}\n" for y, x in under]
    return "MAX_STEPS 9\n" + text_of(drawn) + "".join(lines)


def as_puzzle_boy(text: str) -> str:
    """In the notation of Puzzle Boy; under a block no hole can be written."""
    grid, under = grid_of(text)
    drawn = {
        place: {"#": "1", "%": "2", "O": "3", "1": "0", "2": "*", "3": "#", "4": "$"}.get(
            sign, sign
        )
        for place, sign in grid.items()
    }
    blocks = {
        sign: "ABCDEFGHIJKLMNOPQRSTUVWXYZ¢©«ªµ"[number]
        for number, sign in enumerate(
            dict.fromkeys(sign for sign in grid.values() if sign in LETTERS)
        )
    }
    drawn |= {place: blocks[sign] for place, sign in grid.items() if sign in blocks}
    for place in [place for place, sign in grid.items() if sign == "*"]:
        arms = arms_of(grid, place)
        mask = sum(1 << way for way in arms)
        drawn[place] = next(letter for letter, found in TURNSTILES.items() if found == mask)
        for way in arms:
            arm = place[0] + SIDES[way][0], place[1] + SIDES[way][1]
            drawn[arm] = "3" if arm in under else " "
    return text_of(drawn)


def in_reading_order(text: str) -> str:
    """With characters numbered in reading order from the first, blocks lettered in that order."""
    grid, under = grid_of(text)
    places = [place for place, sign in grid.items() if sign in "1234"]
    first = [grid[place] for place in places].index("1")
    for number, place in enumerate(places[first:] + places[:first], start=1):
        grid[place] = str(number)
    blocks = dict.fromkeys(sign for sign in grid.values() if sign in LETTERS)
    letters = dict(zip(blocks, LETTERS, strict=False))
    grid = {place: letters.get(sign, sign) for place, sign in grid.items()}
    return text_of(grid) + "".join(f"HOLE_UNDER {x} {y}\n" for y, x in under)


@given(floors(max_characters=4), st.booleans())
def test_floors_come_back_from_the_notation_of_the_solver(text: str, letters: bool) -> None:
    text = in_reading_order(text) if "1" in text else text
    assume(any(sign in text for sign in "1"))
    (level,) = read(as_solver(text, letters=letters))
    (wanted,) = FORMAT.parse(text, "wanted")
    assert level.record == wanted.record


@given(floors(max_characters=4))
def test_floors_come_back_from_the_notation_of_puzzle_boy(text: str) -> None:
    grid, under = grid_of(text)
    assume("1" in grid.values() and all(grid[place] in ARMS for place in under))
    text = in_reading_order(text)
    (wanted,) = FORMAT.parse(text, "wanted")
    for written in (as_puzzle_boy(text), json.dumps({"data": as_puzzle_boy(text)})):
        (level,) = read(written)
        assert level.record == wanted.record


# --- texts that are none ----------------------------------------------------------------------


def outcome_of(text: str, name: str | None) -> str:
    """What comes of a text: levels that survive being written, or an error at a place of it."""
    error: LevelError | None = None
    try:
        levels = read(text, name)
    except LevelError as raised:
        error = raised
    if error is None:
        for level in levels:
            assert FORMAT.parse(FORMAT.text(level), "again")[0].record == level.record
        return "read"
    assert error.line or "no level here" in str(error), (text, error)
    assert len(str(error)) < 1000
    if error.line and error.source == "here.txt":
        lines = LINE_END.split(text.removeprefix("\ufeff"))
        assert error.line <= len(lines) and error.column <= len(lines[error.line - 1]) + 1
    return "refused"


def test_mutated_texts_are_levels_or_errors_with_a_place() -> None:
    random = Random(1)
    floors = [in_reading_order(FORMAT.text(level)) for level in FORMAT.find("hard")[:8]]
    plain = [text for text in floors if "HOLE_UNDER" not in text]
    texts = [SOLVER, PUZZLE_BOY, *(as_solver(text, letters=True) for text in floors)]
    texts += map(as_puzzle_boy, plain)
    texts += [json.dumps([{"id": 1, "data": as_puzzle_boy(text)}]) for text in plain]
    outcomes = {"read": 0, "refused": 0}
    for number in range(2000):
        text = mutated(random, random.choice(texts))
        name = (None, "solver", "puzzle-boy")[number % 3]
        outcomes[outcome_of(text, name)] += 1
    assert min(outcomes.values()) > 100, outcomes


# --- the command ------------------------------------------------------------------------------


def test_files_become_a_level_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.txt").write_text(SOLVER)
    text = PUZZLE_BOY.replace("n3", "a ")
    Path("level.json").write_text(json.dumps([{"id": i, "data": text} for i in range(2)]))
    assert main(["import", "Kwirk-v0", "old.txt"]) == 0
    assert FORMAT.parse(capsys.readouterr().out, "out")[0].name == "old"
    assert main(["import", "Kwirk-v0", "old.txt", "level.json", "-o", "all.txt"]) == 0
    names = [level.name for level in FORMAT.find("all.txt")]
    assert names == ["old", "level-0", "level-1"]
    capsys.readouterr()

    for arguments, words in (
        (["Kwirk-v0", "none.txt"], "none.txt"),
        (["Kwirk-v0", "old.txt", "--output", "all.lev"], "A level file must end in .txt"),
        (["Kwirk-v0", "old.txt", "--format", "solvr"], "no notation 'solvr'. Did you mean"),
        (["Kwirk-v0", "old.txt", "old.txt", "-o", "two.txt"], "two levels called 'old'"),
        (["ZenGarden-v0", "old.txt"], "Zen Puzzle Garden has no notations other"),
        (["Kwirk", "old.txt"], "Kwirk-v0"),
        (["Kwirk-v0", "level.json", "--format", "solver"], "There is no level here"),
    ):
        assert main(["import", *arguments]) == 2, arguments
        assert words in capsys.readouterr().err
    assert not Path("two.txt").exists()
