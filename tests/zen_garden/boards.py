"""Random boards, random switches and random play for hypothesis tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from hypothesis import strategies as st

from tests.zen_garden.twin import LEAF_COLOURS, ORNAMENT, ROCK, SAND, Twin


class Switches(TypedDict):
    """The switches of a board, as keyword arguments of `Twin.from_rows`."""

    sideways_push: bool
    turning_out: bool
    push_onto_leaf: bool
    push_from_perimeter: bool


DEFAULT_SWITCHES = Switches(
    sideways_push=True, turning_out=True, push_onto_leaf=False, push_from_perimeter=False
)


@dataclass(frozen=True)
class Board:
    """The rows of a level text with the switches it is played under."""

    rows: tuple[str, ...]
    switches: Switches

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.rows[0])

    @property
    def faces(self) -> int:
        """Number of faces of this board alone."""
        return 2 * self.width + 2 * self.height

    def twin(self, faces: int | None = None) -> Twin:
        """The starting position; `faces` as in `Twin.from_rows`."""
        return Twin.from_rows(self.rows, faces=faces, **self.switches)


def switches() -> st.SearchStrategy[Switches]:
    """Every combination of switches, simplest at the defaults."""
    on_by_default, off_by_default = st.sampled_from((True, False)), st.booleans()
    return st.builds(
        Switches,
        sideways_push=on_by_default,
        turning_out=on_by_default,
        push_onto_leaf=off_by_default,
        push_from_perimeter=off_by_default,
    )


@st.composite
def boards(
    draw: st.DrawFn,
    max_width: int = 12,
    max_height: int = 10,
    kinds: str = ROCK + ORNAMENT + LEAF_COLOURS,
    any_switches: bool = True,
) -> Board:
    """Boards from empty to crowded, with at least one cell of plain sand.

    Args:
        draw: Supplied by hypothesis.
        max_width: Greatest number of columns.
        max_height: Greatest number of rows.
        kinds: Characters that may stand on the sand; each board uses some of them or none.
        any_switches: Whether the switches vary; if not, all are at their defaults.
    """
    width = draw(st.integers(1, max_width), label="width")
    height = draw(st.integers(1, max_height), label="height")
    used = "".join(kind for kind in kinds if draw(st.booleans(), label=f"uses {kind}"))
    sand = draw(st.sampled_from((12, 8, 5, 3, 1)), label="cells of sand to one of each kind")
    palette = SAND * sand + used
    size = width * height
    cells = draw(st.lists(st.sampled_from(palette), min_size=size, max_size=size), label="cells")
    if SAND not in cells:
        cells[draw(st.integers(0, size - 1), label="cell of sand")] = SAND
    text = "".join(cells)
    return Board(
        rows=tuple(text[start : start + width] for start in range(0, size, width)),
        switches=draw(switches(), label="switches") if any_switches else DEFAULT_SWITCHES,
    )
