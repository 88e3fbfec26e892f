"""An agent that goes wrong in the way it is told."""

from __future__ import annotations

import faulthandler
import os
import signal
import time
from dataclasses import replace
from typing import Any, ClassVar

import gymnasium
import numpy as np

from puzzle_agents.agent import Agent, Budget, Result, Status
from puzzle_agents.search.breadth_first import BreadthFirst
from puzzle_envs.env import PuzzleEnv


class Faulty(Agent):
    name: ClassVar[str] = "faulty"

    def __init__(self, budget: Budget | None = None, *, how: str) -> None:
        super().__init__(budget)
        self.how = how

    def solve(self, env: gymnasium.Env[Any, Any]) -> Result:
        """Without the replay that agents do themselves."""
        found = BreadthFirst(self.budget).solve(env)
        if self.how == "claims too much":
            return replace(found, moves=1, proved_optimal=True)
        if self.how == "stops short":
            return replace(found, actions=found.actions[:-1])
        return super().solve(env)

    def _plan(self, env: PuzzleEnv) -> Result:
        if self.how == "raises":
            raise RuntimeError("It cannot\n go on.")
        if self.how == "dies":
            faulthandler.disable()  # pytest's
            os.kill(os.getpid(), signal.SIGSEGV)
        if self.how == "leaves":
            os._exit(3)
        if self.how == "spins":
            while True:
                pass
        if self.how == "sleeps":
            time.sleep(60)
        if self.how == "takes memory":
            taken = []
            while True:
                taken.append(np.ones(2**24))
        return Result(Status.GAVE_UP)
