"""Reconstruction of a step: who walked where and pushed what."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from puzzle_envs.codec import cell_and_way
from puzzle_envs.kwirk.codec import ARM, BLOCK, EXIT, GROUND, HOLE, PIVOT, STEPS, SWITCH, is_push
from puzzle_envs.kwirk.picture.scene import Board, Character, Place, Scene, beyond
from puzzle_envs.rendering.board import Rectangle


class Deed(NamedTuple):
    """The meaning of an action: a start and a direction.

    No start means the active character's place; no direction, a switch or a walk aside.
    """

    start: Place | None
    direction: int | None

    @classmethod
    def of(cls, action: int, actions: int, size: tuple[int, int]) -> Deed:
        """Decode an action, given the number of actions and the size of the board."""
        if actions == SWITCH + 1:  # by keys
            return cls(None, action if action < SWITCH else None)
        height, width = size
        if not is_push(height * width, action):
            return cls(None, None)
        cell, direction = cell_and_way(action)
        return cls(divmod(cell, width), direction)


class Turn(NamedTuple):
    """A quarter turn of a turnstile: its pivot, its arms before, and its direction."""

    pivot: Place
    arms: int
    clockwise: bool


@dataclass(frozen=True, eq=False)
class Step:
    """A step from one scene to the next.

    Attributes:
        before: The scene before the step.
        mover: The character that moves.
        start: The place it walks to first, possibly its own.
        direction: The direction of its step; None if it only walks or becomes active.
        end: Its final place, or the exit.
        block: The block that it pushes, in its place before the step.
        falls: Whether it falls into holes.
        turn: The turn of the turnstile that it pushes.
    """

    before: Scene
    mover: Character
    start: Place
    direction: int | None
    end: Place
    block: Rectangle | None = None
    falls: bool = False
    turn: Turn | None = None

    @property
    def leaves(self) -> bool:
        """Whether the mover leaves by the exit."""
        return self.before.holds(self.end, EXIT)

    def walk(self) -> list[Place] | None:
        """A shortest walk to the start, with both ends; None if there is none."""
        before, origin = self.before, self.mover.place
        in_the_way = {other.place for other in before.characters} - {origin}
        came_from: dict[Place, Place] = {origin: origin}
        queue = deque([origin])
        while queue and self.start not in came_from:
            here = queue.popleft()
            for way in range(len(STEPS)):
                there = beyond(here, way)
                if there not in came_from and there not in in_the_way and _is_free(before, there):
                    came_from[there] = here
                    queue.append(there)
        if self.start not in came_from:
            return None
        way_back = [self.start]
        while way_back[-1] != origin:
            way_back.append(came_from[way_back[-1]])
        return way_back[::-1]


def recognized(before: tuple[Character, ...], places: list[Place]) -> tuple[Character, ...] | None:
    """The characters at these places, the active one first; None if no single step leads there.

    At most one character has moved or left; the others keep their order.
    """
    gone = len(before) - len(places)
    if gone not in (0, 1):
        return None
    for first in range(len(before)):
        # The mover is or becomes active.
        candidate = before[first:] + before[:first]
        now = tuple(
            Character(who.number, place)
            for who, place in zip(candidate[gone:], places, strict=True)
        )
        if set(now if gone else now[1:]) <= set(before):
            return now
    return None


def step_between(before: Scene, after: Scene, deed: Deed) -> Step | None:
    """The step of a deed, if it leads from one scene to the other."""
    if not before.characters:
        return None
    staying = {who.number for who in after.characters}
    who_left = [who for who in before.characters if who.number not in staying]
    active = after.characters[0].number if after.characters else 0
    mover = next(iter(who_left or [who for who in before.characters if who.number == active]))
    if deed.direction is None:
        end = after.characters[0].place if not who_left else mover.place
        step, board = Step(before, mover, end, None, end), before.board
    else:
        step, board = _pushed(before, mover, deed.start or mover.place, deed.direction)
    reached = replace(after, board=board, characters=_after(before, step))
    return step if reached.shows_the_same(after) else None


def _pushed(before: Scene, mover: Character, start: Place, direction: int) -> tuple[Step, Board]:
    """The step in a direction, and the board after it."""
    target = beyond(start, direction)
    step = Step(before, mover, start, direction, target)
    if before.holds(target, BLOCK):
        return _with_block(step, before.block(target), direction)
    for way in range(len(STEPS)):
        pivot = beyond(target, (way + 2) % 4)
        sideways = (way - direction) % 2 == 1
        if sideways and before.holds(target, ARM + way) and before.holds(pivot, PIVOT):
            return _with_turn(step, way, direction)
    return step, before.board


def _with_block(step: Step, block: Rectangle, direction: int) -> tuple[Step, Board]:
    own = step.before.board[block.cells] & np.uint16(_OF_A_BLOCK)
    board = step.before.without_block(block).board
    target = board[block.shifted(*STEPS[direction]).cells]
    falls = bool((target >> HOLE & 1).all())
    if target.shape == (block.height, block.width):
        if falls:
            target &= ~np.uint16(1 << HOLE)
        else:
            target |= own
    return replace(step, block=block, falls=falls), board


def _with_turn(step: Step, way: int, direction: int) -> tuple[Step, Board]:
    pivot = beyond(step.end, (way + 2) % 4)
    arms = step.before.arms(pivot)
    clockwise = (way + 1) % 4 == direction
    turned = (arms << 1 | arms >> 3) & 15 if clockwise else (arms >> 1 | arms << 3) & 15
    board = step.before.without_turnstile(pivot).board
    board[pivot] |= np.uint16(1 << PIVOT)
    for new in range(len(STEPS)):
        if turned >> new & 1 and step.before.holds(beyond(pivot, new), GROUND):
            board[beyond(pivot, new)] |= np.uint16(1 << (ARM + new))
    end = beyond(step.end, direction) if turned >> way & 1 else step.end
    return replace(step, end=end, turn=Turn(pivot, arms, clockwise)), board


def _after(before: Scene, step: Step) -> tuple[Character, ...]:
    """The characters after a step: the mover is active or has left."""
    first = before.characters.index(step.mover)
    others = before.characters[first + 1 :] + before.characters[:first]
    if step.direction is not None and step.leaves:
        return others
    return (step.mover._replace(place=step.end), *others)


def _is_free(scene: Scene, place: Place) -> bool:
    """Whether a place is walkable, ignoring characters."""
    if not scene.holds(place, GROUND):
        return False
    return not int(scene.board[place]) & _SOLID


_OF_A_BLOCK = 1 << BLOCK | 1 << (BLOCK + 1) | 1 << (BLOCK + 2)
_SOLID = 1 << EXIT | 1 << HOLE | _OF_A_BLOCK | 1 << PIVOT | 0b1111 << ARM
