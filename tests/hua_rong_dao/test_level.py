"""Layouts in their four notations, everything that can be wrong with them, and bundled sets."""

from __future__ import annotations

from collections.abc import Hashable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from puzzle_envs.hua_rong_dao.generator import canonical
from puzzle_envs.hua_rong_dao.layout import (
    code_of_text,
    digits_of_text,
    standard_text,
    text_of_code,
    text_of_digits,
)
from puzzle_envs.hua_rong_dao.level import FORMAT, BoxFormat, pieces_of
from puzzle_envs.level import LevelError
from tests.hua_rong_dao.boards import Board, default_boards

STANDARD = "VB*V^**^VH<V^SS^S..S"


DIGITS = "32243224566751171001"
CODES = {
    "1A9BF0C00": STANDARD,
    "1ADEF8000": "VB*V^**^SH<SVSSV^..^",
    "10AAF7C00": ".B*.V**V^VV^S^^SH<SS",
    "1AFF98000": "VB*V^**^SSSSVH<V^..^",
}
"""Classics, as others write them."""


@pytest.mark.parametrize("code", CODES)
def test_codes_of_classics(code: str) -> None:
    assert (text_of_code(code), code_of_text(CODES[code])) == (CODES[code], code)
    rows = "\n".join(CODES[code][4 * row : 4 * row + 4] for row in range(5)) + "\n"
    levels = [FORMAT.find(text)[0] for text in (rows, CODES[code], code, code.lower())]
    assert standard_text(pieces_of(levels[0].record)) == CODES[code]
    assert all(level.record == levels[0].record for level in levels)


@pytest.mark.parametrize("digits", [DIGITS, "52285228344731171001"])
def test_which_domino_has_which_digit_does_not_matter(digits: str) -> None:
    assert (text_of_digits(digits), digits_of_text(STANDARD)) == (STANDARD, DIGITS)
    assert FORMAT.find(digits)[0].record == FORMAT.find(STANDARD)[0].record


@given(default_boards(), st.permutations("345678"))
@settings(max_examples=300, deadline=None)
def test_every_notation_leads_back_to_the_text(board: Board, order: list[str]) -> None:
    text = "".join(board.rows)
    assert text_of_code(code_of_text(text)) == text
    assume(text.count("V") + text.count("H") <= 6)
    digits = digits_of_text(text)
    swapped = digits.translate(str.maketrans("345678", "".join(order)))
    assert text_of_digits(digits) == text_of_digits(swapped) == text


FAULTS = {
    "torn": ("VB*V\n.**^\n....\n....\n....\n", "t.txt:1:1: This 'V' is incomplete: '^' belongs at"),
    "off the board": ("B*..\n**..\n....\n....\n...V\n", "t.txt:5:4: This 'V' leaves the box."),
    "overlap": ("HB*.\n^**.\n....\n....\n....\n", "t.txt:1:1: This 'H' is incomplete"),
    "two 2x2": ("B*B*\n****\n....\n....\n....\n", "t.txt:1:3: A layout has one 2x2, not 2."),
    "no 2x2": ("S...\n....\n....\n....\n....\n", "t.txt:1:1: A layout has one 2x2, not 0."),
    "no space": ("B*SS\n**SS\nSSSS\nSSSS\nSSSS\n", "t.txt:1: No cell is empty"),
    "orphan": ("B*.^\n**..\n....\n....\n....\n", "t.txt:1:4: This '^' belongs to no piece."),
    "character": ("B*.x\n**..\n....\n....\n....\n", "t.txt:1:4: 'x' is not part of a layout"),
    "rows": ("B*..\n**..\n", "t.txt:1: A layout has 5 rows, not 2; another box needs"),
    "width": ("B*..\n**.\n....\n....\n....\n", "t.txt:2: A row has 4 cells, not 3."),
    "one line": ("B*..**..\n", "t.txt:1: A layout in one line is 20 characters"),
    "code off": ("3A9BF0C00\n", "t.txt:1: 3A9BF0C00 is not a layout: the 2x2 at cell 3"),
    "code beyond": (
        "110000000\n",
        "t.txt:1: 110000000 is not a layout: the piece at cell 3",
    ),
    "code below": ("F00000000\n", "t.txt:1: F00000000 is not a layout: the 2x2 at cell 15"),
    "code on the 2x2": ("140000000\n", "t.txt:1: 140000000 is not a layout: two pieces overlap"),
    "code at the side": ("001000000\n", "t.txt:1: 001000000 is not a layout: the piece at cell 7"),
    "code at the end": ("000000008\n", "t.txt:1: 000000008 is not a layout: the piece at cell 18"),
    "code goes on": ("1A9BF0C01\n", "t.txt:1: 1A9BF0C01 is not a layout: there are more pieces"),
    "digits alone": ("3" + "0" * 19, "t.txt:1:1: This 'V' is incomplete"),
    "digits apart": ("3003" + "0" * 16, "t.txt:1:1: This 'V' is incomplete"),
    "digits around the edge": ("00033" + "0" * 15, "t.txt:1:4: This 'V' is incomplete"),
    "digits three": ("333" + "0" * 17, "t.txt:1:3: This '<' belongs to no piece."),
    "digits all": ("2" * 20, "t.txt:1:3: This '*' belongs to no piece."),
    "torn letters": ("; goal: a 1 1\naa\na.\n", "t.txt:3:2: The piece 'a' is not a rectangle"),
    "no such goal": ("; goal: b 1 1\na.\n", "t.txt:1: The goal is for piece 'b'"),
    "goal beyond": ("; goal: a 1 3\naa.\n", "t.txt:1: The goal puts 'a' outside the box."),
    "goal words": ("; goal: a\na.\n", "t.txt:1: A goal must be a letter, a row and a column"),
    "too large": ("; goal: a 1 2\na........\n", "t.txt:2: This box is 9 wide and 1 high"),
    "ragged letters": ("; goal: a 1 2\na.\n.\n", "t.txt:3: This row has 1 cells"),
    "no letter": ("; goal: a 1 2\na.1\n", "t.txt:2:3: '1' is not part of a box"),
}


@pytest.mark.parametrize(("text", "said"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named_with_its_place(text: str, said: str) -> None:
    with pytest.raises(LevelError) as error:
        FORMAT.parse(text, source="t.txt")
    assert str(error.value).startswith(said)


def test_the_metric_chooses_the_optimum() -> None:
    found = [BoxFormat(metric).find("classics/1")[0] for metric in ("move", "straight", "step")]
    assert [level.optimum for level in found] == [81, 90, 116]
    with pytest.raises(ValueError, match="metric must be one of move, straight, step, not 'moves'"):
        BoxFormat("moves")


def test_splits_are_disjoint_up_to_mirror_images() -> None:
    """Also of turned ones, in larger boxes; `canonical` has tests of its own."""
    seen: dict[Hashable, str] = {}
    for split in ("train", "validation", "test"):
        for level in FORMAT.find(split):
            key = canonical(level)
            assert key not in seen, (level.name, seen[key])
            seen[key] = level.name
    assert len(seen) == 5 * (400 + 80 + 120) + 7 * (30 + 100)
