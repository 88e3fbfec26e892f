"""The windows of play and watch at many sizes, and what they do with keys, without a screen."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pygame
import pytest

from puzzle_agents.environments import make_env, puzzle_of
from puzzle_agents.player.game import Game
from puzzle_agents.player.play_view import PlayView
from puzzle_agents.player.remembered import Progress
from puzzle_agents.player.searching import Pace
from puzzle_agents.player.session import Session
from puzzle_agents.player.style import style_of, text_width
from puzzle_agents.player.watch_view import Pane, WatchView
from puzzle_agents.player.widgets import Button
from puzzle_agents.registry import make
from puzzle_envs.rendering.theme import DARK, LIGHT

SIZES = [(480, 400), (640, 480), (480, 900), (1120, 760), (1920, 1080), (2560, 500)]


def play_view(id: str, path: Path, theme: str = "light") -> PlayView:
    format = puzzle_of(id).format
    levels = format.find_all(puzzle_of(id).default_level)
    session = Session(id, {}, levels, Progress(path / "p.json", id, format), theme=theme)
    session.go_to(0)
    return PlayView(session, style_of(DARK if theme == "dark" else LIGHT))


def test_text_after_pygame_quit() -> None:
    """gymnasium.utils.play ends pygame; fonts made before it are of no use afterwards."""
    width = text_width("text", 18)
    pygame.quit()
    text_width.cache_clear()
    assert text_width("text", 18) == width


def check_layout(surface: pygame.Surface, buttons: list[Button]) -> None:
    window = surface.get_rect()
    for button in buttons:
        assert window.contains(button.area), button
    for one, other in itertools.combinations(buttons, 2):
        assert not one.area.colliderect(other.area), (one, other)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("id", ["Skyscraper-v0", "SlidingTiles-v0"])
def test_everything_has_its_place(id: str, size: tuple[int, int], tmp_path: Path) -> None:
    view, surface = play_view(id, tmp_path), pygame.Surface(size)
    view.resize(*size)
    view.draw(surface)
    check_layout(surface, [*view.buttons, *view.choices])
    board = surface.subsurface(view.board.drawn)
    assert not any(button.area.colliderect(view.board.drawn) for button in view.buttons)
    colours = pygame.surfarray.array3d(board).reshape(-1, 3)
    assert colours.std() > 10, "a board is drawn there"


@pytest.mark.parametrize("size", SIZES)
def test_panes_have_their_place(size: tuple[int, int]) -> None:
    env = make_env("HuaRongDao-v0", "test/1-10/3")
    actions = make("hua-rong-dao-bfs").solve(env).actions
    panes = [Pane(name, Game(env, actions)) for name in "abc"]
    view, surface = WatchView(panes, style_of(LIGHT), Pace()), pygame.Surface(size)
    view.resize(*size)
    view.draw(surface)
    check_layout(surface, view.buttons)
    for one, other in itertools.combinations(panes, 2):
        assert not one.area.colliderect(other.area)
    assert all(surface.get_rect().contains(pane.area) for pane in panes)


def test_a_list_of_actions_is_played_by_keys(tmp_path: Path) -> None:
    view = play_view("SlidingTiles-v0", tmp_path)
    view.resize(640, 480)
    view.key("right")
    view.key("return")
    assert view.session.moves == 1
    view.key("u")
    assert view.session.moves == 0
    view.key("y")
    assert view.session.moves == 1


def test_an_illegal_move_is_shown_gently(tmp_path: Path) -> None:
    view = play_view("Skyscraper-v0", tmp_path, theme="dark")
    view.resize(640, 480)
    view.draw(pygame.Surface((640, 480)))
    view.key("0")
    now = time.perf_counter()
    assert view.advance(now) == 0, "it shakes"
    assert view.session.moves == 0
    assert view.advance(now + 5) is None, "and then nothing moves"


def test_help_is_closed_by_any_key(tmp_path: Path) -> None:
    view, surface = play_view("ZenGarden-v0", tmp_path), pygame.Surface((640, 480))
    view.resize(640, 480)
    view.draw(surface)
    before = pygame.surfarray.array3d(surface)
    view.key("?")
    view.draw(surface)
    assert (pygame.surfarray.array3d(surface) != before).mean() > 0.5
    view.stale = True
    shown = pygame.surfarray.array3d(surface)
    view.draw(surface)
    assert (pygame.surfarray.array3d(surface) == shown).all(), "nothing is drawn over it"
    view.key("down")
    view.draw(surface)
    assert (pygame.surfarray.array3d(surface) == before).all()
    assert view.session.game.position == 0


def test_a_picture_is_drawn_for_the_size_that_it_has(tmp_path: Path) -> None:
    view = play_view("ZenGarden-v0", tmp_path)
    for size in ((640, 480), (900, 700)):
        surface = pygame.Surface(size)
        view.resize(*size)
        view.advance(time.perf_counter() + 1)
        view.draw(surface)
        drawn = view.board.drawn
        picture = view.session.game.now.picture
        shown = pygame.surfarray.array3d(surface.subsurface(drawn)).swapaxes(0, 1)
        cell = round(drawn.width / picture.size(100)[1] * 100)
        exact = picture.paint(cell)
        assert exact.shape == shown.shape
        same = (exact == shown).all(axis=2)
        assert same.mean() > 0.97, "all but the marks, to the pixel"


def test_episodes_are_watched_step_by_step() -> None:
    env = make_env("HuaRongDao-v0", "test/1-10/3")
    actions = make("hua-rong-dao-bfs").solve(env).actions
    game = Game(env, actions)
    game.go_to(0)
    view = WatchView([Pane("mine", game)], style_of(LIGHT), Pace())
    view.resize(800, 600)
    view.begin()
    for key, position in (("space", 0), ("right", 1), ("right", 2), ("left", 1), ("end", 9)):
        view.key(key)
        assert game.position == position
    assert game.now.info["solved"]
    view.key("home")
    view.key("space")
    now = time.perf_counter()
    for tick in range(40):
        view.advance(now + 0.5 * tick)
    assert game.position == len(actions) == 9, "it plays by itself to the end"
    view.draw(pygame.Surface((800, 600)))
    left, right = view.bar.area.midleft, view.bar.area.midright
    view.press(*right)
    view.move((left[0] + right[0]) / 2, left[1], held=True)
    assert 4 <= game.position <= 5
    view.move(*left, held=True)
    view.release(*left)
    assert game.position == 0
