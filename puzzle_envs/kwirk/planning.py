"""Floors as planning tasks.

An operator is a step of a character by one cell, with what it pushes, or a switch.

By keys it is an action and costs as in the game, 1 a step and 0 a switch: a plan costs the steps of
its solution. By pushes any character may step at any time; a block push or a turn costs 1, walking
and leaving nothing, so a plan costs the pushes of its solution. There an operator is the action of
pushing from a cell, or with several characters the walk aside to a cell; a single character walks
by itself.

A cell is `free`, `taken` by a character, an arm or a part of a block, or holds the upper left
corner of a block of some size: blocks of one size are interchangeable. Holes are `open` or
`filled`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from puzzle_envs.codec import at_cell
from puzzle_envs.kwirk.codec import (
    ARM,
    BLOCK,
    EXIT,
    GOES_DOWN,
    GOES_RIGHT,
    GROUND,
    HOLE,
    PIVOT,
    STEPS,
    SWITCH,
    aside_to,
)
from puzzle_envs.kwirk.level import ACTIVE_SHIFT, CELLS, place_of
from puzzle_envs.level import Record
from puzzle_envs.planning import Facts, Moved, Operator, Planes, State, Task, cells_of, numbered

Cell = tuple[int, int]
Size = tuple[int, int]
"""Height and width of a block."""

FREE, TAKEN, OPEN, FILLED, GONE = "free", "taken", "open", "filled", "gone"
ACTIVE = "active"


def _blocks(planes: Planes) -> Iterator[tuple[Cell, Size]]:
    """The blocks by their upper left cells; the edge is wall, so no index wraps."""
    for row, column in zip(*planes[BLOCK].nonzero(), strict=True):
        if planes[GOES_DOWN, row - 1, column] or planes[GOES_RIGHT, row, column - 1]:
            continue
        down, across = 1, 1
        while planes[GOES_DOWN, row + down - 1, column]:
            down += 1
        while planes[GOES_RIGHT, row, column + across - 1]:
            across += 1
        yield (int(row), int(column)), (down, across)


def task(record: Record, state: State, planes: Planes) -> Task:
    """The task of a floor in any state."""
    return _Floor(record, state, planes).task()


def _at(cell: Cell) -> str:
    return f"cell-{cell[0]}-{cell[1]}"


def _hole(cell: Cell) -> str:
    return f"hole-{cell[0]}-{cell[1]}"


def _who(character: int) -> str:
    return f"character-{character + 1}"


def _present(character: int) -> str:
    return f"present-{character + 1}"


def _stands(cell: Cell) -> str:
    return f"at-{cell[0]}-{cell[1]}"


def _turnstile(pivot: Cell) -> str:
    return f"turnstile-{pivot[0]}-{pivot[1]}"


def _arms(mask: int) -> str:
    return "arms-" + "".join("urdl"[way] for way in range(4) if mask >> way & 1)


def _beside(cell: Cell, way: int) -> Cell:
    return cell[0] + STEPS[way][0], cell[1] + STEPS[way][1]


def _size(size: Size) -> str:
    return f"block-{size[0]}x{size[1]}"


def _body(corner: Cell, size: Size) -> set[Cell]:
    return {
        (corner[0] + down, corner[1] + right) for down in range(size[0]) for right in range(size[1])
    }


def _turned(mask: int, quarters: int) -> int:
    """Arms after quarter turns clockwise."""
    quarters %= 4
    return (mask << quarters | mask >> (4 - quarters)) & 15


class _Floor:
    def __init__(self, record: Record, state: State, planes: Planes) -> None:
        self._keys, self._plane = bool(record["keys"]), int(record["plane"])
        self._stride = int(record["stride"])

        (self._exit,) = cells_of(planes[EXIT])
        self._holes = cells_of(planes[HOLE])
        arms = [cells_of(planes[ARM + way]) for way in range(4)]
        self._pivots = {
            pivot: sum((_beside(pivot, way) in arms[way]) << way for way in range(4))
            for pivot in sorted(cells_of(planes[PIVOT]))
        }
        self._floor = cells_of(planes[GROUND]) - {self._exit} - set(self._pivots)
        """Cells that a character or a piece can occupy."""
        self._blocks = dict(_blocks(planes))
        self._characters: dict[int, Cell] = {}
        self._number = int(record["characters"])
        for who in range(self._number):
            word, shift = place_of(who)
            cell = int(state[word]) >> shift & CELLS - 1
            if cell:
                self._characters[who] = divmod(cell, int(record["width"]))
        self._active = int(state[0]) >> ACTIVE_SHIFT
        self._tells_present = self._keys and len(self._characters) > 1

    def task(self) -> Task:
        operators = list(self._switches()) if self._keys else []
        for who, cell, way in product(self._characters, sorted(self._floor), range(4)):
            operators += self._steps(who, cell, way)
        goal = {_who(who): GONE for who in range(self._number)}
        return Task(self._start(), goal, numbered(operators))

    def _start(self) -> Facts:
        start = {_at(cell): FREE for cell in sorted(self._floor)}
        start |= {_hole(cell): OPEN for cell in sorted(self._holes)}
        for corner, size in self._blocks.items():
            start |= {_at(cell): TAKEN for cell in _body(corner, size)} | {_at(corner): _size(size)}
        for pivot, arms in self._pivots.items():
            start[_turnstile(pivot)] = _arms(arms)
            start |= {_at(_beside(pivot, way)): TAKEN for way in range(4) if arms >> way & 1}
        start |= {_who(who): GONE for who in range(self._number)}
        for who, cell in self._characters.items():
            start |= {_who(who): _stands(cell), _at(cell): TAKEN}
            if self._tells_present:
                start[_present(who)] = "yes"
        if self._keys:
            start[ACTIVE] = _who(self._active)
        return start

    # --- actions ------------------------------------------------------------------------------

    def _switches(self) -> Iterator[Operator]:
        for who in self._characters:
            for needs, sets in self._followed_by(who):
                yield Operator("switch", {**needs, ACTIVE: _who(who)}, sets, 0, (SWITCH,))

    def _followed_by(self, who: int) -> Iterator[Moved]:
        """Rule 11: who is active after a character, those between them gone."""
        needs: Facts = {}
        for other in sorted(self._characters, key=lambda one: (one <= who, one)):
            if other != who:
                yield {**needs, _present(other): "yes"}, {ACTIVE: _who(other)}
                needs = {**needs, _present(other): "no"}

    def _steps(self, who: int, cell: Cell, way: int) -> Iterator[Operator]:
        """The ways in which a character on a cell can take a step."""
        target = _beside(cell, way)
        here: Facts = {_who(who): _stands(cell)}
        if self._keys:
            here = {**here, ACTIVE: _who(who)}
        if target in self._holes:
            here = {**here, _hole(target): FILLED}
        action = way if self._keys else at_cell(cell[0] * self._stride + cell[1], way)
        walk_cost = int(self._keys)
        walk_actions = (action,) if self._keys else self._aside(who, target)
        if target == self._exit:
            for needs, sets in self._leaving(who):
                gone = {**sets, _who(who): GONE, _at(cell): FREE}
                yield Operator(f"leave-{who + 1}", {**here, **needs}, gone, walk_cost, (action,))
        if target not in self._floor:
            return
        moved = {_at(cell): FREE, _at(target): TAKEN, _who(who): _stands(target)}
        walking = {**here, _at(target): FREE}
        yield Operator(f"walk-{who + 1}", walking, moved, walk_cost, walk_actions)
        for needs, sets in [*self._pushes(target, way), *self._turns(who, cell, target, way)]:
            yield Operator(f"push-{who + 1}", {**here, **needs}, {**moved, **sets}, 1, (action,))

    def _aside(self, who: int, cell: Cell) -> tuple[int, ...]:
        """The paper's action of walking to a cell; a single character needs none."""
        if self._number == 1:
            return ()
        return (aside_to(self._plane, who, cell[0] * self._stride + cell[1]),)

    def _leaving(self, who: int) -> Iterator[Moved]:
        """Rule 10: who is active next; nobody if all others are gone."""
        if not self._tells_present:
            yield {}, {}
            return
        out = {_present(who): "no"}
        for needs, sets in self._followed_by(who):
            yield needs, {**sets, **out}
        yield {_present(other): "no" for other in self._characters if other != who}, out

    # --- pushes -------------------------------------------------------------------------------

    def _pushes(self, target: Cell, way: int) -> Iterator[Moved]:
        """Rules 4 and 5: push the block that covers a cell."""
        for height, width in sorted(set(self._blocks.values())):
            for corner in _body((target[0] - height + 1, target[1] - width + 1), (height, width)):
                body = _body(corner, (height, width))
                after = _body(_beside(corner, way), (height, width))
                if _beside(target, (way + 2) % 4) not in body and body | after <= self._floor:
                    yield from self._push(corner, (height, width), target, way)

    def _push(self, corner: Cell, size: Size, target: Cell, way: int) -> Iterator[Moved]:
        there = _beside(corner, way)
        body, after = _body(corner, size), _body(there, size)
        needs = {_at(corner): _size(size)} | {_at(cell): FREE for cell in after - body}
        left = {_at(cell): FREE for cell in body - after} | {_at(target): TAKEN}
        lying = {_at(cell): TAKEN for cell in after} | {_at(there): _size(size)} | left
        if not after <= self._holes:
            yield needs, lying
            return
        for cell in sorted(after):
            yield {**needs, _hole(cell): FILLED}, lying
        fallen = {_at(cell): FREE for cell in after} | left
        yield (
            needs | {_hole(cell): OPEN for cell in after},
            fallen | {_hole(cell): FILLED for cell in after},
        )

    def _turns(self, who: int, cell: Cell, target: Cell, way: int) -> Iterator[Moved]:
        """Rules 6 and 7: push the arm that lies on a cell."""
        for lying in range(4):
            pivot = _beside(target, (lying + 2) % 4)
            sense = {1: 1, 3: -1}.get((way - lying) % 4)
            if pivot not in self._pivots or sense is None:
                continue
            for before in sorted({_turned(self._pivots[pivot], turns) for turns in range(4)}):
                if before >> lying & 1:
                    after = _turned(before, sense)
                    landing = _beside(target, way) if after >> lying & 1 else target
                    moved = {_who(who): _stands(landing), _at(landing): TAKEN}
                    for needs, sets in self._turn(cell, pivot, before, after, sense):
                        if landing in self._holes:
                            needs = {**needs, _hole(landing): FILLED}
                        yield needs, {**sets, **moved}

    def _turn(
        self, cell: Cell, pivot: Cell, before: int, after: int, sense: int
    ) -> Iterator[Moved]:
        """A turnstile's arms turn, unless something but the pusher is in their way."""
        swept = before if sense > 0 else after
        sides = [_beside(pivot, arm) for arm in range(4)]
        new = {sides[arm] for arm in range(4) if after & ~before & 1 << arm}
        corners = {_beside(sides[arm], (arm + 1) % 4) for arm in range(4) if swept & 1 << arm}
        way, old = (new | corners) - {cell}, {sides[arm] for arm in range(4) if before & 1 << arm}
        if way | old <= self._floor:
            kept = {sides[arm] for arm in range(4) if before & after & 1 << arm}
            left = {_at(side): FREE for side in old - kept}
            needs = {_turnstile(pivot): _arms(before)} | {_at(other): FREE for other in way}
            sets = {_turnstile(pivot): _arms(after)} | left | {_at(side): TAKEN for side in new}
            yield needs, sets
