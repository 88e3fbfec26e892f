"""`gymnasium.utils.play` with every puzzle: keys are pressed on a screen that is not there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium
import pygame
import pytest

pytest.importorskip("matplotlib", reason="Gymnasium's play warns without it")

from gymnasium.utils.play import play

from puzzle_agents import Budget, make
from puzzle_agents.environments import puzzle_of
from puzzle_envs.env import PuzzleEnv

LEVELS = {
    "ZenGarden-v0": "first-steps/2",
    "HuaRongDao-v0": "train/1-10",
    "Kwirk-v0": "easy/1",
    "KwirkSteps-v0": "easy/1",
    "Skyscraper-v0": "4x4/easy-1",
}


class Typist(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Presses keys while it is looked at: some at one look, at the next it lets go of them."""

    def __init__(self, env: gymnasium.Env[Any, Any], pressed: list[tuple[Any, ...]]) -> None:
        super().__init__(env)
        self._events = self._typed(pressed)

    def render(self) -> Any:
        for event in next(self._events):
            pygame.event.post(event)
        return super().render()

    @staticmethod
    def _typed(pressed: list[tuple[Any, ...]]) -> Iterator[list[pygame.event.Event]]:
        yield []  # play measures the picture before there is a window
        for keys in pressed:
            codes = [ord(key) if isinstance(key, str) else key for key in keys]
            for kind in (pygame.KEYDOWN, pygame.KEYUP):
                yield [pygame.event.Event(kind, key=code) for code in codes]
        yield [pygame.event.Event(pygame.QUIT)]


def keys_of(env: gymnasium.Env[Any, Any]) -> dict[int, tuple[Any, ...]]:
    unwrapped = env.unwrapped
    assert isinstance(unwrapped, PuzzleEnv)
    return {action: keys for keys, action in unwrapped.get_keys_to_action().items()}


@pytest.mark.parametrize("id", LEVELS)
def test_a_level_is_played_to_its_end(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    first = puzzle_of(id).format.find(LEVELS[id])[0]
    env = gymnasium.make(id, level=first, render_mode="rgb_array", cell_pixels=12)
    env.reset(seed=0)
    plan = make("astar", budget=Budget(seconds=30)).solve(env).actions
    pressed = [keys_of(env)[action] for action in plan]
    done: list[tuple[int, bool, bool]] = []

    def remember(*told: Any) -> None:
        _, _, action, _, terminated, _, info = told
        done.append((action, terminated, info["solved"]))

    play(Typist(env, pressed), callback=remember, fps=2000, wait_on_player=True)
    assert [action for action, _, _ in done] == plan
    assert done[-1][1:] == (True, True)


@pytest.mark.parametrize(
    ("id", "level", "keys", "action"),
    [
        ("ZenGarden-v0", "first-steps/1", ("b",), 1),
        ("ZenGarden-v0", "first-steps/1", (pygame.K_RIGHT,), 14),
        ("HuaRongDao-v0", "classics/1", ("w", "d", pygame.K_LEFT), 4 * (1 * 4 + 2) + 3),
        ("KwirkSteps-v0", "easy/1", ("\t",), 4),
        ("Skyscraper-v0", "4x4/easy-1", ("w", "d", "2"), (1 * 4 + 2) * 4 + 1),
    ],
)
def test_keys_are_those_of_the_manual(
    id: str, level: str, keys: tuple[Any, ...], action: int
) -> None:
    env = gymnasium.make(id, level=level)
    assert keys_of(env)[action] == keys
    assert all(action in env.action_space for action in keys_of(env))
