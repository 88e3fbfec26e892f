"""A task: one level, one agent, one seed and a budget."""

from __future__ import annotations

import hashlib
import json
from functools import cached_property

import puzzle_envs
from puzzle_agents.agent import Agent, Budget
from puzzle_agents.benchmark.row import Given
from puzzle_agents.episode import Episode
from puzzle_agents.registry import make


class Task(Given):
    """What decides a row."""

    @cached_property
    def key(self) -> str:
        """A hash (16 hex digits) of everything that determines the result."""
        decides = [
            puzzle_envs.__version__, self.env, self.options, self.level, self.level_text,
            self.agent, self.name, self.arguments, self.seed, vars(self.budget),
        ]  # fmt: skip
        text = json.dumps(decides, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def group(self) -> str:
        """Tasks of one group use the same machine code and models."""
        return json.dumps([self.env, self.options, self.name, self.arguments], sort_keys=True)

    def episode(self, actions: tuple[int, ...] = (), moves: int = 0) -> Episode:
        """The level's initial state and the actions taken."""
        return Episode(
            self.env, self.options, self.level, self.level_text, actions, moves, self.agent
        )

    def make_agent(self, budget: Budget | None = None) -> Agent:
        """Create the agent with the task's budget, or with another."""
        limits = self.budget
        own = Budget(limits.seconds, limits.memory, transitions=limits.transitions)
        seeded = {} if self.seed is None else {"seed": self.seed}
        return make(self.name, budget or own, **self.arguments, **seeded)


def in_order(tasks: list[Task]) -> list[Task]:
    """Sort tasks for parallel processing.

    First one of each group, with groups of one environment far apart, so that parallel processes
    compile different machine code. Then group by group.
    """
    groups: dict[str, list[Task]] = {}
    for task in tasks:
        groups.setdefault(task.group, []).append(task)
    turns: dict[str, int] = {}
    turn_of = {}
    for group, (first, *_) in groups.items():
        turn_of[group] = turns[first.env] = turns.get(first.env, -1) + 1
    firsts = [groups[group][0] for group in sorted(groups, key=lambda group: turn_of[group])]
    return firsts + [task for group in groups.values() for task in group[1:]]
