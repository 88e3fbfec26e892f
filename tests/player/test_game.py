"""A game: undo and redo without limit, and the same environment underneath."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzle_agents.environments import make_env
from puzzle_agents.player.game import Game

GARDEN = make_env("ZenGarden-v0", "first-steps/3")
FLOOR = make_env("Kwirk-v0", "two/1")


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from([GARDEN, FLOOR]),
    st.lists(st.tuples(st.sampled_from(["do", "do", "undo", "redo"]), st.integers(0, 10**6))),
)
def test_it_is_a_row_of_moments_over_the_environment(
    env: object, deeds: list[tuple[str, int]]
) -> None:
    """Whatever is done, where it stands is where the environment comes by the actions kept."""
    game = Game(env)  # type: ignore[arg-type]
    kept: list[int] = []
    undone: list[int] = []
    for deed, number in deeds:
        legal = np.flatnonzero(game.now.board.legal)
        if deed == "do" and len(legal):
            action = int(legal[number % len(legal)])
            assert game.play(action)
            kept.append(action)
            undone = undone[1:] if undone[:1] == [action] else []
        elif deed == "undo":
            assert game.go_to(game.position - 1) == bool(kept)
            undone = [*kept[-1:], *undone]
            kept = kept[:-1]
        elif deed == "redo":
            assert game.go_to(game.position + 1) == bool(undone)
            kept += undone[:1]
            undone = undone[1:]
        assert game.actions == tuple(kept)
        assert game.last == len(kept) + len(undone)
    other = game.env.simulation()
    other.set_state(game.moments[0].state)
    for action in kept:
        other.step(action)
    assert game.now.state == other.get_state()


def test_an_illegal_action_changes_nothing() -> None:
    game = Game(GARDEN)
    illegal = int(np.flatnonzero(~game.now.board.legal)[0])
    assert not game.play(illegal)
    assert (game.position, game.last, game.now.info["moves"]) == (0, 0, 0)


def test_undoing_shows_the_trails_again() -> None:
    game = Game(GARDEN)
    for _ in range(2):
        game.play(int(np.flatnonzero(game.now.board.legal)[0]))
    before = game.moments[1].picture.text()
    game.go_to(1)
    assert game.now.picture.text() == before
    assert "x" not in before, "what was raked in view is not drawn as if nobody had seen it"
