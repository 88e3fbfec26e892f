"""Agents for the environments of puzzle_envs: the same `solve` for all of them."""

from puzzle_agents.agent import Agent, Budget, Result, Status
from puzzle_agents.random_play import RandomPlay
from puzzle_agents.registry import make, names
from puzzle_agents.search.breadth_first import BreadthFirst

__all__ = ["Agent", "BreadthFirst", "Budget", "RandomPlay", "Result", "Status", "make", "names"]
