"""The tables of tiers in docs/levels.md have the parameters of the generators."""

from __future__ import annotations

from pathlib import Path

from puzzle_envs.hua_rong_dao import generator as boxes
from puzzle_envs.hua_rong_dao.planted import BOXES
from puzzle_envs.hua_rong_dao.rooms import AWAY, FAR, ROOMS
from puzzle_envs.kwirk import generator as floors
from puzzle_envs.skyscraper import generator as grids
from puzzle_envs.skyscraper.evolved import EVOLVED
from puzzle_envs.zen_garden import generator as gardens

LEVELS = Path(__file__).parent.parent / "docs" / "levels.md"


def table(section: str, number: int = 0) -> dict[str, list[str]]:
    """The cells of a table of a section, by the names of tiers without backquotes."""
    text = LEVELS.read_text("utf-8").partition(f"\n## {section}\n")[2].partition("\n## ")[0].strip()
    found = [block for block in text.split("\n\n") if block.startswith("| Tier")]
    rows = [
        [cell.strip() for cell in line.strip()[1:-1].split("|")]
        for line in found[number].splitlines()[2:]
    ]
    return {name.replace("`", ""): cells for name, *cells in rows}


def named(tiers: dict[str, list[str]]) -> set[str]:
    """The names of a table, lists taken apart."""
    return {one for names in tiers for one in names.split(", ")}


def count(number: int) -> str:
    return f"{number:,}" if number else ""


def test_gardens() -> None:
    first, last = "10x10-mixed", "16x16-mixed"
    names = named(table("Zen Puzzle Garden")) - {f"{first} … {last}"}
    mixed = {bin for bin in gardens.BINS if bin.endswith("-mixed")}
    assert names | mixed == {*gardens.BINS} and {first, last} <= mixed


def test_floors() -> None:
    assert named(table("Kwirk")) == {*floors.BINS}
    expected = {}
    for name, kind in floors.KINDS.items():
        if kind.bridge is None:
            breadth, width = kind.room.states  # the width search has half of its states to reach
            expected[name] = [count(breadth), count(width // 2), count(kind.room.changes)]
    assert table("Kwirk", 1) == expected
    sides = {name: kind.room.height for name, kind in floors.KINDS.items()}
    for name, cells in table("Kwirk").items():
        if "rooms of" in cells[0] and name in sides:
            assert f"rooms of {sides[name]} by {sides[name]}" in cells[0].replace("evolved ", "")


def test_boxes() -> None:
    tiers = table("Hua Rong Dao")
    for name, box in BOXES.items():
        empty, plan, failing = tiers[name]
        assert (int(empty), int(plan.removesuffix(" moves"))) == (box.empty, box.known)
        assert bool(failing) == bool(box.failing)
    assert tiers[ROOMS][1] == f"{FAR + AWAY - 1}, proved optimal"
    assert {*tiers} == {*BOXES, ROOMS, boxes.TWINS}


def test_grids() -> None:
    tiers = table("Skyscraper")
    assert {*tiers} == {*EVOLVED, grids.TWINS}
    for name, evolution in EVOLVED.items():
        said = [count(n) for n in (evolution.annealed, evolution.changes, evolution.least)]
        assert tiers[name] == said
