"""The next move, found by an agent in a thread while the window goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from puzzle_agents.agent import Agent, Budget, Result, Status
from puzzle_agents.defaults import MEMORY
from puzzle_agents.progress import Snapshot
from puzzle_agents.registry import AGENTS, make
from puzzle_envs.env import PuzzleEnv

__all__ = ["Hint", "Hints", "hint_agent"]

OTHERWISE = "anytime"
"""Who gives hints where no agent of the puzzle's own is the one to ask."""
SECONDS = 20.0
FIRST = 20_000
"""Expansions of a first attempt, whose time is not limited: it may have to be compiled."""
SLICE = 1 << 12
"""Expansions between two looks whether the hint is still wanted."""
PATIENCE = 5.0
"""Seconds to wait for the thread to end."""


class Hint(NamedTuple):
    """What an agent says of a state."""

    action: int | None
    """The next action; None where the agent has none."""
    left: int | None
    """The moves from here to its solution."""
    proved: bool
    """Whether that is proved to be the fewest, or that there is no solution."""


def hint_agent(env: PuzzleEnv) -> str:
    """The name of the agent that gives hints where none is named."""
    id = env.puzzle.format.id
    advisers = (name for name, one in AGENTS.items() if one.advises and id in one.plays)
    return next(advisers, OTHERWISE)


class Hints:
    """Hints for the states of one level. What was found for one serves those that follow."""

    def __init__(self, agent: str, wake: Callable[[], None] = lambda: None) -> None:
        """Say who gives the hints.

        Args:
            agent: The agent's name.
            wake: Called, by the thread, when a hint has been found.
        """
        self._agent, self._wake = agent, wake
        self._known: dict[tuple[int, ...], Hint] = {}
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()
        self.failure = ""
        """Why the agent failed, if it did."""

    def known(self, env: PuzzleEnv) -> Hint | None:
        """The hint for where an environment stands, if it has been found."""
        return self._known.get(env.get_state().words)

    @property
    def is_busy(self) -> bool:
        """Whether a hint is being looked for."""
        return self._thread is not None and self._thread.is_alive()

    def ask(self, env: PuzzleEnv) -> None:
        """Look for a hint from where an environment stands, and for no other any more."""
        self.stop()
        if self.known(env) is not None:
            return
        self.failure, self._stopped = "", threading.Event()
        arguments = (env.simulation(), self._stopped)
        self._thread = threading.Thread(target=self._look, args=arguments, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look no further."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(PATIENCE)
            self._thread = None

    # --- in the thread ------------------------------------------------------------------------

    def _look(self, env: PuzzleEnv, stopped: threading.Event) -> None:
        try:
            self._note(env, self._result(env, stopped), stopped)
        except Exception as error:  # whatever it is, the game goes on
            self.failure = f"{self._agent} has no hint: {error}"
        self._wake()

    def _result(self, env: PuzzleEnv, stopped: threading.Event) -> Result:
        first = self._made(Budget(None, MEMORY, FIRST), stopped).solve(env)
        if first.status == Status.UNSOLVABLE or (first.solved and first.proved_optimal):
            return first
        more = self._made(Budget(SECONDS, MEMORY), stopped).solve(env)
        return more if more.solved or not first.solved else first

    def _made(self, budget: Budget, stopped: threading.Event) -> Agent:
        def watch(snapshot: Snapshot) -> int:
            if stopped.is_set():
                raise KeyboardInterrupt
            return SLICE

        agent = make(self._agent, budget)
        agent.watcher = watch
        return agent

    def _note(self, env: PuzzleEnv, result: Result, stopped: threading.Event) -> None:
        """Keep what was found for each state along the solution."""
        here = env.get_state()
        if not result.solved:
            if not stopped.is_set():
                proved = result.status == Status.UNSOLVABLE
                self._known[here.words] = Hint(None, None, proved)
            return
        for action in result.actions:
            now = env.get_state()
            left = (result.moves or 0) - (now.moves - here.moves)
            self._known[now.words] = Hint(action, left, result.proved_optimal)
            env.step(action)
