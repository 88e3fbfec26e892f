"""Play of the plain-Python twins: at random, beside an environment, and whole searches."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

import gymnasium
import numpy as np
from hypothesis import strategies as st

from puzzle_envs.env import PuzzleEnv

Cell = tuple[int, int]
Plane = list[list[int]]


class Twin(Protocol):
    """What the twins of all puzzles have."""

    def legal(self) -> Sequence[int]:
        """The legal actions."""

    def act(self, action: int) -> int:
        """Do one; its cost."""

    @property
    def solved(self) -> bool:
        """Whether it is solved."""

    @property
    def lost(self) -> bool:
        """Whether nothing is legal, and it is not solved."""


class Mobile(Twin, Protocol):
    """A twin of which there can be several."""

    def copy(self) -> Any:
        """A position of its own, equal to this one."""


Position = TypeVar("Position", bound=Mobile)


@st.composite
def choices(draw: st.DrawFn, max_size: int = 60) -> list[int]:
    """Integers for `random_walk`; long walks are as frequent as short ones."""
    size = draw(st.integers(0, max_size), label="steps")
    return draw(st.lists(st.integers(0, 255), min_size=size, max_size=size))


def random_walk(twin: Twin, choices: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Play on, and after every action yield it with its cost.

    Each integer picks one of the legal actions, modulo their number. The walk ends with the
    integers, or when there is no legal action. Between two yields the caller may bring another
    implementation up to the same position and compare.
    """
    for choice in choices:
        legal = twin.legal()
        if not legal:
            return
        action = legal[choice % len(legal)]
        yield action, twin.act(action)


def played(twin: Position, *actions: int) -> Position:
    """A copy of the position after the actions."""
    after: Position = twin.copy()
    for action in actions:
        after.act(action)
    return after


# --- what it shows ----------------------------------------------------------------------------


def as_planes(layers: Iterable[Collection[Cell]], height: int, width: int) -> list[Plane]:
    """Planes of 0 and 1, each from the cells that are 1."""
    return [
        [[int((row, column) in layer) for column in range(width)] for row in range(height)]
        for layer in layers
    ]


def marked(plane: Plane) -> set[Cell]:
    """The cells of a plane that are 1."""
    return {(r, c) for r, line in enumerate(plane) for c, value in enumerate(line) if value}


# --- beside an environment --------------------------------------------------------------------


def assert_same(env: PuzzleEnv, info: dict[str, Any], planes: np.ndarray, twin: Any) -> None:
    """Everything the environment shows is what the twin says."""
    mask = np.zeros(env.action_space.n, np.int8)
    mask[twin.legal()] = 1
    np.testing.assert_array_equal(info["action_mask"], mask)
    np.testing.assert_array_equal(planes, twin.planes(*planes.shape[1:]))
    assert (info["solved"], info["lost"]) == (twin.solved, twin.lost)


def play(env: PuzzleEnv, twin: Twin, picks: Iterable[int]) -> None:
    """Drive both; every third pick is any action of the space, legal or not."""
    planes, info = env.reset(options={"level": 0})
    assert_same(env, info, planes, twin)
    moves = 0
    for turn, pick in enumerate(picks):
        legal = twin.legal()
        if not legal:
            return
        action = int(pick % env.action_space.n if turn % 3 == 2 else legal[pick % len(legal)])
        cost = twin.act(action) if action in legal else 0
        moves += cost
        planes, reward, terminated, _, info = env.step(action)
        assert info["illegal"] == (action not in legal)
        assert info["moves"] == moves
        if not twin.lost:
            assert reward == (-cost if action in legal else -1)
        assert terminated == (twin.solved or twin.lost)
        assert_same(env, info, planes, twin)


def replayed(env: gymnasium.Env[Any, Any], actions: Iterable[int]) -> dict[str, Any]:
    """Play a solution on, every action of which is legal; the last info."""
    info: dict[str, Any] = {}
    for action in actions:
        info = env.step(action)[4]
        assert not info["illegal"]
    assert info["solved"]
    return info


# --- searches ---------------------------------------------------------------------------------


def layers_from(
    start: Position,
    moves: Callable[[Position], Iterable[tuple[object, Position]]],
    key: Callable[[Position], Hashable],
) -> Iterator[list[Position]]:
    """The positions first reached after 0, 1, 2, ... moves, until there are none."""
    seen = {key(start)}
    layer = [start]
    while layer:
        yield layer
        reached: list[Position] = []
        for twin in layer:
            for _, after in moves(twin):
                if key(after) not in seen:
                    seen.add(key(after))
                    reached.append(after)
        layer = reached


def fewest_moves(layers: Iterable[Sequence[Twin]]) -> int | None:
    """The number of the first layer with a solution, None if there is none."""
    return next(
        (moves for moves, layer in enumerate(layers) if any(twin.solved for twin in layer)), None
    )


def least_cost(
    start: Any, moves: Callable[[Any], Iterable[tuple[int, Any]]], key: Callable[[Any], Hashable]
) -> int | None:
    """The least cost of a way to a solution, where moves cost 0 or 1; None if there is none."""
    queue = deque([(0, start)])  # In the order of the costs.
    done = set()
    while queue:
        cost, twin = queue.popleft()
        if twin.solved:
            return cost
        if key(twin) in done:
            continue
        done.add(key(twin))
        for more, after in moves(twin):
            if more == 0:
                queue.appendleft((cost, after))
            else:
                queue.append((cost + more, after))
    return None
