"""Agents for the environments of puzzle_envs, with one method `solve`.

Names are imported on first use, so that the command line shows its help at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from puzzle_agents.agent import Agent, Budget, Result, Status
    from puzzle_agents.random_play import RandomPlay
    from puzzle_agents.registry import make, names
    from puzzle_agents.search.anytime import Anytime
    from puzzle_agents.search.beam import Beam
    from puzzle_agents.search.best_first import (
        AStar,
        DepthFirst,
        Greedy,
        UniformCost,
        WeightedAStar,
    )
    from puzzle_agents.search.bidirectional import Bidirectional
    from puzzle_agents.search.breadth_first import BreadthFirst
    from puzzle_agents.search.deepening import IDAStar, IterativeDeepening
    from puzzle_agents.search.fringe import Fringe
    from puzzle_agents.search.frontier import Frontier
    from puzzle_agents.search.novelty import Novelty
    from puzzle_agents.search.portfolio import Portfolio
    from puzzle_agents.search.width import Segments, Types, Width

__all__ = [
    "AStar",
    "Agent",
    "Anytime",
    "Beam",
    "Bidirectional",
    "BreadthFirst",
    "Budget",
    "DepthFirst",
    "Fringe",
    "Frontier",
    "Greedy",
    "IDAStar",
    "IterativeDeepening",
    "Novelty",
    "Portfolio",
    "RandomPlay",
    "Result",
    "Segments",
    "Status",
    "Types",
    "UniformCost",
    "WeightedAStar",
    "Width",
    "make",
    "names",
]

_HOMES = {
    "Agent": "puzzle_agents.agent",
    "Budget": "puzzle_agents.agent",
    "Result": "puzzle_agents.agent",
    "Status": "puzzle_agents.agent",
    "RandomPlay": "puzzle_agents.random_play",
    "make": "puzzle_agents.registry",
    "names": "puzzle_agents.registry",
    "AStar": "puzzle_agents.search.best_first",
    "Anytime": "puzzle_agents.search.anytime",
    "Beam": "puzzle_agents.search.beam",
    "Bidirectional": "puzzle_agents.search.bidirectional",
    "BreadthFirst": "puzzle_agents.search.breadth_first",
    "DepthFirst": "puzzle_agents.search.best_first",
    "Fringe": "puzzle_agents.search.fringe",
    "Frontier": "puzzle_agents.search.frontier",
    "Greedy": "puzzle_agents.search.best_first",
    "IDAStar": "puzzle_agents.search.deepening",
    "IterativeDeepening": "puzzle_agents.search.deepening",
    "Novelty": "puzzle_agents.search.novelty",
    "Portfolio": "puzzle_agents.search.portfolio",
    "Segments": "puzzle_agents.search.width",
    "Types": "puzzle_agents.search.width",
    "UniformCost": "puzzle_agents.search.best_first",
    "WeightedAStar": "puzzle_agents.search.best_first",
    "Width": "puzzle_agents.search.width",
}
"""The module of each name."""


def __getattr__(name: str) -> Any:
    """Import a name on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
