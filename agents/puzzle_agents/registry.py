"""Agents by name."""

from __future__ import annotations

import difflib
from importlib import import_module
from typing import Any

from puzzle_agents.agent import Agent, Budget

__all__ = ["class_of", "make", "names"]

CLASSES = {
    "random": "puzzle_agents.random_play:RandomPlay",
    "bfs": "puzzle_agents.search.breadth_first:BreadthFirst",
    "dfs": "puzzle_agents.search.best_first:DepthFirst",
    "iddfs": "puzzle_agents.search.deepening:IterativeDeepening",
    "uniform-cost": "puzzle_agents.search.best_first:UniformCost",
    "astar": "puzzle_agents.search.best_first:AStar",
    "weighted-astar": "puzzle_agents.search.best_first:WeightedAStar",
    "idastar": "puzzle_agents.search.deepening:IDAStar",
    "fringe": "puzzle_agents.search.fringe:Fringe",
    "greedy": "puzzle_agents.search.best_first:Greedy",
    "beam": "puzzle_agents.search.beam:Beam",
    "anytime": "puzzle_agents.search.anytime:Anytime",
    "novelty": "puzzle_agents.search.novelty:Novelty",
    "bidirectional": "puzzle_agents.search.bidirectional:Bidirectional",
    "frontier": "puzzle_agents.search.frontier:Frontier",
    "hua-rong-dao-bfs": "puzzle_agents.exact.hua_rong_dao:HuaRongDaoBFS",
    "hua-rong-dao-bfs-paper": "puzzle_agents.exact.hua_rong_dao_paper:PaperBFS",
    "kwirk-astar-paper": "puzzle_agents.layers.simple:SimpleAStar",
    "kwirk-bfs-paper": "puzzle_agents.layers.simple:SimpleBFS",
    "kwirk-dfs-paper": "puzzle_agents.layers.simple:SimpleDFS",
    "kwirk-fringe-paper": "puzzle_agents.layers.simple:SimpleFringe",
    "kwirk-layers-astar": "puzzle_agents.layers.multi_layer:LayersAStar",
    "kwirk-layers-fringe": "puzzle_agents.layers.multi_layer:LayersFringe",
    "zen-astar-paper": "puzzle_agents.exact.zen_garden_paper:ZenGardenPaperAStar",
    "zen-ga": "puzzle_agents.evolution.zen_garden:ZenGardenGA",
    "zen-ga-paper": "puzzle_agents.evolution.zen_garden_paper:ZenGardenPaperGA",
    "maskable-ppo": "puzzle_agents.learning.policy_agent:PolicyAgent",
    "skyscraper-exact": "puzzle_agents.exact.skyscraper:SkyscraperExact",
    "skyscraper-ga": "puzzle_agents.evolution.skyscraper:SkyscraperGA",
    "skyscraper-ga-paper": "puzzle_agents.evolution.skyscraper_paper:SkyscraperPaperGA",
}
"""Imported when they are asked for, so that no agent costs those who do not use it."""


def names() -> list[str]:
    """The names that `make` knows."""
    return list(CLASSES)


def make(name: str, budget: Budget | None = None, **arguments: Any) -> Agent:
    """Make an agent, as `gymnasium.make` makes an environment.

    Args:
        name: One of `names()`.
        budget: What it may spend on each attempt.
        arguments: What this agent's class takes besides.
    """
    return class_of(name)(budget=budget, **arguments)


def class_of(name: str) -> type[Agent]:
    """The class of an agent, imported; a ValueError says that there is none, and what is near."""
    if name not in CLASSES:
        near = difflib.get_close_matches(name, CLASSES, n=1, cutoff=0.4)
        meant = f" Did you mean '{near[0]}'?" if near else ""
        raise ValueError(f"There is no agent '{name}'.{meant} There are {', '.join(CLASSES)}.")
    module, _, class_name = CLASSES[name].partition(":")
    found: type[Agent] = getattr(import_module(module), class_name)
    return found
