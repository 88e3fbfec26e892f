"""A player among levels: hints from a thread, verdicts, episodes."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from puzzle_agents.agent import Budget
from puzzle_agents.environments import make_env, puzzle_of
from puzzle_agents.episode import read_episode
from puzzle_agents.player.hints import Hints
from puzzle_agents.player.remembered import Progress
from puzzle_agents.player.searching import Attempt, Pace
from puzzle_agents.player.session import Session, levels_around
from puzzle_agents.progress import Snapshot
from puzzle_agents.registry import make
from puzzle_agents.search.best_first import AStar
from puzzle_agents.search.breadth_first import BreadthFirst
from puzzle_envs.level import save_levels

PATIENCE = 120.0
"""Seconds for a hint: an agent may have to be compiled."""


def session_on(id: str, wanted: str, path: Path, **more: object) -> Session:
    format = puzzle_of(id).format
    levels, number = levels_around(format, wanted)
    session = Session(id, {}, levels, Progress(path / "p.json", id, format), **more)  # type: ignore[arg-type]
    session.go_to(session.first_unsolved if number is None else number)
    return session


def test_hints_lead_to_the_optimum(tmp_path: Path) -> None:
    woken = threading.Event()
    session = session_on("HuaRongDao-v0", "test/1-10/3", tmp_path, wake=woken.set)
    assert session.find_hint() is None
    session.ask_for_hint()
    assert woken.wait(PATIENCE), session.hints.failure
    session.hints.stop()
    for _ in range(100):
        hint = session.find_hint()
        if session.solved:
            break
        assert hint is not None and hint.action is not None and hint.proved
        assert session.play(hint.action)
    assert session.moves == session.optimum == session.level.optimum
    assert "the optimum" in session.verdict()
    assert session.progress.best(session.level) == session.optimum


def test_what_is_known_of_the_fewest_moves(tmp_path: Path) -> None:
    board = "...\n.#.\n...\n"
    told = {
        "; optimum: 2\n": ("fewest", "2"),
        "; optimum: none\n": ("fewest", "none"),
        "; known: 5\n; bound: 2\n": ("best known", "5"),
        "": ("fewest", "?"),
    }
    for number, (stated, known) in enumerate(told.items()):
        session = session_on("ZenGarden-v0", stated + board, tmp_path / str(number))
        assert session.fewest == known


def test_a_player_hears_of_the_best_known_solution(tmp_path: Path) -> None:
    session = session_on("ZenGarden-v0", "; known: 9\n...\n.#.\n...\n", tmp_path)
    for action in make("astar").solve(session.game.env).actions:
        assert session.play(action)
    assert "the best known solution takes 9" in session.verdict()


def test_a_player_better_than_the_optimum_disproves_it(tmp_path: Path) -> None:
    session = session_on("ZenGarden-v0", "; optimum: 9\n...\n.#.\n...\n", tmp_path)
    for action in make("bfs").solve(make_env("ZenGarden-v0", "...\n.#.\n...\n")).actions:
        session.play(action)
    assert session.solved and "fewer than the level's stated optimum of 9" in session.verdict()


def test_a_game_that_cannot_go_on_says_so(tmp_path: Path) -> None:
    session = session_on("ZenGarden-v0", "rocks/3", tmp_path)
    random = np.random.default_rng(0)
    while (legal := np.flatnonzero(session.game.now.board.legal)).size:
        session.play(int(random.choice(legal)))
    assert not session.solved and "undo" in session.verdict()


def test_a_search_that_is_no_longer_wanted_ends() -> None:
    env = make_env("Kwirk-v0", "test/80-399/1")  # A* would take minutes
    hints = Hints("astar")
    hints.ask(env)
    hints.stop()
    assert not hints.is_busy
    assert hints.known(env) is None and not hints.failure


def test_an_agent_that_cannot_play_says_so() -> None:
    woken = threading.Event()
    hints = Hints("zen-ga", woken.set)
    hints.ask(make_env("HuaRongDao-v0", "test/1-10/3"))
    assert woken.wait(PATIENCE)
    assert "zen-ga has no hint" in hints.failure


def test_a_solution_is_an_episode(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    session = session_on("Skyscraper-v0", "4x4/easy-1", tmp_path, save=path)
    assert "Solve the level first" in session.save()
    for action in make("skyscraper-exact").solve(session.game.env).actions:
        session.play(action)
    assert session.solved
    episode = read_episode(path)
    episode.replay()
    assert (episode.agent, episode.level) == ("by hand", "4x4/easy-1")
    assert episode.actions == session.game.actions


def test_levels_around_a_level(tmp_path: Path) -> None:
    format = puzzle_of("Kwirk-v0").format
    levels, number = levels_around(format, "easy/3")
    assert (len(levels), number) == (12, 2)
    assert levels_around(format, "easy")[1] is None
    save_levels(tmp_path / "mine.txt", format, levels[:3])
    name = levels[1].name
    own, number = levels_around(format, f"{tmp_path}/mine.txt/{name.rpartition('/')[2]}")
    assert (len(own), number) == (3, 1)
    save_levels(tmp_path / "mine.txt", format, [replace(one, name=f"a/{one.name}") for one in own])
    own, number = levels_around(format, f"{tmp_path}/mine.txt/a/3")
    assert (own[number or 0].name, number) == ("a/3", 2)
    assert levels_around(format, format.text(levels[0]))[1] == 0


def test_the_first_level_that_was_never_solved(tmp_path: Path) -> None:
    session = session_on("ZenGarden-v0", "first-steps", tmp_path)
    assert session.number == 0
    session.progress.has_solved(session.level, 9)
    assert session_on("ZenGarden-v0", "first-steps", tmp_path).number == 1
    assert not session.go_to(len(session.levels))


def test_a_watched_search_is_the_same_search() -> None:
    env = make_env("HuaRongDao-v0", "test/1-10/3")
    pace, turn = Pace(), threading.Lock()
    pace.finish()
    attempts = [Attempt(kind, Budget(60), env, pace, turn) for kind in (BreadthFirst, AStar)]
    for attempt in attempts:
        attempt.start()
    end = time.monotonic() + PATIENCE
    while not all(attempt.is_over for attempt in attempts) and time.monotonic() < end:
        time.sleep(0.01)
    alone = make("bfs").solve(env)
    seen = attempts[0].result
    assert seen is not None and (seen.moves, seen.expanded) == (alone.moves, alone.expanded)
    snapshot = attempts[0].snapshot
    assert snapshot is not None and snapshot.waiting is not None


def test_a_paused_search_goes_on_by_single_looks() -> None:
    env = make_env("HuaRongDao-v0", "test/1-10/3")
    pace = Pace()
    pace.pause(True)
    attempt = Attempt(lambda budget: make("bfs", budget), Budget(60), env, pace, threading.Lock())
    attempt.start()
    end = time.monotonic() + PATIENCE

    def expanded() -> int:
        return -1 if attempt.snapshot is None else attempt.snapshot.progress.expanded

    for wanted in range(3):
        while expanded() < wanted and time.monotonic() < end:
            time.sleep(0.01)
        assert expanded() == wanted
        state = attempt.snapshot.state if attempt.snapshot else None
        assert (state is None) == (wanted == 0)
        pace.step()
    attempt.stop()
    attempt.join()
    assert attempt.is_over


@pytest.mark.parametrize("agent", ["astar", "bfs", "beam", "idastar", "bidirectional"])
def test_what_a_watcher_sees_are_states_of_the_level(agent: str) -> None:
    env = make_env("HuaRongDao-v0", "test/1-10/3")
    probe, here = env.simulation(), env.get_state()
    seen: list[Snapshot] = []

    def watch(snapshot: Snapshot) -> int:
        seen.append(snapshot)
        return 1

    made = make(agent)
    made.watcher = watch
    result = made.solve(env)
    assert result.solved and len(seen) > 3
    for snapshot in seen:
        if snapshot.state is not None:
            probe.set_state(here._replace(words=tuple(snapshot.state)))
        assert snapshot.waiting is not None and snapshot.waiting >= 0
