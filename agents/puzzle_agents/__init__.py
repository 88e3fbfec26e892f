"""Agents for the environments of puzzle_envs: the same `solve` for all of them."""

from puzzle_agents.agent import Agent, Budget, Result, Status
from puzzle_agents.random_play import RandomPlay
from puzzle_agents.registry import make, names
from puzzle_agents.search.a_star import AStar
from puzzle_agents.search.anytime import Anytime
from puzzle_agents.search.beam import Beam
from puzzle_agents.search.bidirectional import Bidirectional
from puzzle_agents.search.breadth_first import BreadthFirst
from puzzle_agents.search.depth_first import DepthFirst
from puzzle_agents.search.fringe import Fringe
from puzzle_agents.search.frontier import Frontier
from puzzle_agents.search.greedy import Greedy
from puzzle_agents.search.ida_star import IDAStar
from puzzle_agents.search.iterative_deepening import IterativeDeepening
from puzzle_agents.search.novelty import Novelty
from puzzle_agents.search.uniform_cost import UniformCost
from puzzle_agents.search.weighted_a_star import WeightedAStar

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
    "RandomPlay",
    "Result",
    "Status",
    "UniformCost",
    "WeightedAStar",
    "make",
    "names",
]
