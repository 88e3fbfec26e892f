"""Gardens as planning tasks.

An operator is an action: entering at a face, or a choice on sand, with the whole slide that
follows. Entering costs 1 and choices nothing, so a plan costs the moves of its solution.

Each cell with sand to rake is `raw` until the monk enters it or an ornament covers it, then `done`:
he can enter it again only by pushing that ornament on, and it is then raked. Locked leaves depend
on the yellow and orange ones left, so these are counted. How far a slide goes depends on the cells
ahead; each length is a separate operator, so no effect has a condition.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzle_envs.level import Record
from puzzle_envs.planning import Facts, Moved, Operator, Planes, State, Task, cells_of, numbered
from puzzle_envs.zen_garden.codec import (
    CHOICES,
    GARDEN,
    LEAVES,
    MONK,
    ORNAMENT,
    SAND,
    STEPS,
    TURNS,
    Cell,
    choosing,
    faces_of,
)

YELLOW, ORANGE = "yellow-leaves", "orange-leaves"
MONK_IS, OUTSIDE = "monk", "outside"


def task(record: Record, state: State, planes: Planes) -> Task:
    """The task of a garden in any state."""
    return _Garden(record, planes).task()


def _sand(cell: Cell) -> str:
    return f"sand-{cell[0]}-{cell[1]}"


def _ornament(cell: Cell) -> str:
    return f"ornament-{cell[0]}-{cell[1]}"


def _stopped(cell: Cell, heading: int) -> str:
    return f"at-{cell[0]}-{cell[1]}-{'nesw'[heading]}"


def _ahead(cell: Cell, heading: int) -> Cell:
    return cell[0] + STEPS[heading][0], cell[1] + STEPS[heading][1]


class _Garden:
    def __init__(self, record: Record, planes: Planes) -> None:
        self._record = record
        self._height, self._width = int(record["height"]), int(record["width"])

        self._garden = cells_of(planes[GARDEN])
        self._raw, self._ornaments = cells_of(planes[SAND]), cells_of(planes[ORNAMENT])
        self._leaf = {
            cell: colour
            for colour in range(3)
            for cell in cells_of(planes[LEAVES + colour]) & self._raw
        }
        self._monk = [
            (cell, heading) for heading in range(4) for cell in cells_of(planes[MONK + heading])
        ]

    def task(self) -> Task:
        entering = list(self._entering())
        operators = list(entering)
        seen: set[str] = set()
        left = [*self._stops(entering), *self._monk]
        while left:
            cell, heading = left.pop()
            place = _stopped(cell, heading)
            if place not in seen:
                seen.add(place)
                choices = list(self._choices(cell, heading))
                operators += choices
                left += self._stops(choices)
        goal = {_sand(cell): "done" for cell in self._raw} | {MONK_IS: OUTSIDE}
        return Task(self._start(), goal, numbered(operators))

    def _start(self) -> Facts:
        start = {MONK_IS: _stopped(*self._monk[0]) if self._monk else OUTSIDE}
        start |= {_sand(cell): "raw" for cell in sorted(self._raw)}
        if self._ornaments:
            start |= {_ornament(cell): "no" for cell in sorted(self._raw)}
            start |= {_ornament(cell): "yes" for cell in sorted(self._ornaments)}
        colours = list(self._leaf.values())
        if colours:
            start |= {YELLOW: str(colours.count(0)), ORANGE: str(colours.count(1))}
        return start

    def _stops(self, operators: list[Operator]) -> Iterator[tuple[Cell, int]]:
        """Where the monk can stand after these."""
        for operator in operators:
            place = operator.sets[MONK_IS]
            if place != OUTSIDE:
                _, row, column, heading = place.split("-")
                yield (int(row), int(column)), "nesw".index(heading)

    # --- actions ------------------------------------------------------------------------------

    def _entering(self) -> Iterator[Operator]:
        for face, (cell, heading) in enumerate(faces_of(self._height, self._width)):
            here = {MONK_IS: OUTSIDE}
            ways = list(self._slide(cell, heading, here, {}))
            if self._record["push_from_perimeter"]:
                ways += self._push(cell, heading, here)
            for needs, sets in ways:
                yield Operator(f"enter-{face + 1}", needs, sets, 1, (face,))

    def _choices(self, cell: Cell, heading: int) -> Iterator[Operator]:
        here = {MONK_IS: _stopped(cell, heading)}
        for choice, turn in enumerate(TURNS):
            way = (heading + turn) % 4
            beside = _ahead(cell, way)
            ways: list[Moved] = []
            if beside not in self._garden:
                if turn and self._record["turning_out"]:
                    ways.append((here, {MONK_IS: OUTSIDE}))
            else:
                if turn:
                    ways += self._slide(beside, way, here, {})
                if not turn or self._record["sideways_push"]:
                    ways += self._push(beside, way, here)
            action = choosing(int(self._record["entrances"]), choice)
            for needs, sets in ways:
                name = f"{CHOICES[choice]}-{here[MONK_IS]}"
                yield Operator(name, needs, sets, 0, (action,))

    # --- motion -------------------------------------------------------------------------------

    def _slide(self, cell: Cell, heading: int, needs: Facts, sets: Facts) -> Iterator[Moved]:
        """Rules 3 and 4: enter a cell, and go on for as long as the next one is open."""
        if cell not in self._raw:
            return
        for open_needs, open_sets in self._rake(cell, needs, sets):
            ahead = _ahead(cell, heading)
            stopped = {**open_sets, MONK_IS: _stopped(cell, heading)}
            if ahead not in self._garden:
                yield open_needs, {**open_sets, MONK_IS: OUTSIDE}
            elif ahead not in self._raw:
                yield open_needs, stopped
            else:
                yield {**open_needs, _sand(ahead): "done"}, stopped
                for locked in self._locked(ahead, open_needs, open_sets):
                    yield {**locked, _sand(ahead): "raw"}, stopped
                yield from self._slide(ahead, heading, open_needs, open_sets)

    def _rake(self, cell: Cell, needs: Facts, sets: Facts) -> Iterator[Moved]:
        """Step on a cell, and collect what leaf is there (rule 8)."""
        needs, sets = {**needs, _sand(cell): "raw"}, {**sets, _sand(cell): "done"}
        colour = self._leaf.get(cell)
        if colour is None:
            yield needs, sets
        elif colour == 0:
            yield from self._one_less(YELLOW, needs, sets)
        else:
            for unlocked in _known(YELLOW, "0", needs, sets):
                if colour == 1:
                    yield from self._one_less(ORANGE, unlocked, sets)
                else:
                    yield from ((known, sets) for known in _known(ORANGE, "0", unlocked, sets))

    def _locked(self, cell: Cell, needs: Facts, sets: Facts) -> Iterator[Facts]:
        """What makes the leaf of a cell locked."""
        colour = self._leaf.get(cell, 0)
        if colour > 0:
            for left in self._counts(YELLOW):
                yield from _known(YELLOW, left, needs, sets)
        if colour == 2:
            for without_yellow in _known(YELLOW, "0", needs, sets):
                for left in self._counts(ORANGE):
                    yield from _known(ORANGE, left, without_yellow, sets)

    def _push(self, cell: Cell, heading: int, here: Facts) -> Iterator[Moved]:
        """Rule 6: push the ornament of a cell, and stand there."""
        behind = _ahead(cell, heading)
        if not self._ornaments or cell not in self._raw | self._ornaments:
            return
        colour = self._leaf.get(behind)
        if behind not in self._raw or (colour is not None and not self._record["push_onto_leaf"]):
            return
        needs = {**here, _ornament(cell): "yes", _sand(behind): "raw"}
        sets = {
            MONK_IS: _stopped(cell, heading),
            _ornament(cell): "no",
            _ornament(behind): "yes",
            _sand(behind): "done",
        }
        if colour is None or colour == 2:
            yield needs, sets
        else:
            yield from self._one_less((YELLOW, ORANGE)[colour], needs, sets)

    def _counts(self, which: str) -> Iterator[str]:
        """The possible numbers of leaves left, except 0."""
        colour = (YELLOW, ORANGE).index(which)
        return (str(left + 1) for left in range(list(self._leaf.values()).count(colour)))

    def _one_less(self, which: str, needs: Facts, sets: Facts) -> Iterator[Moved]:
        for left in self._counts(which):
            for known in _known(which, left, needs, sets):
                yield known, {**sets, which: str(int(left) - 1)}


def _known(variable: str, value: str, needs: Facts, sets: Facts) -> Iterator[Facts]:
    """The preconditions with this value of a variable; none if they contradict it."""
    present = sets.get(variable, needs.get(variable))
    if present is None:
        yield {**needs, variable: value}
    elif present == value:
        yield needs
