"""The registry of agents: names and metadata, without importing them.

The command line can list agents, and suites can be checked, without numba or torch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from puzzle_agents.agent import Agent, Budget
from puzzle_agents.parameters import parameters
from puzzle_envs.common.arguments import text
from puzzle_envs.common.suggestion import did_you_mean

__all__ = [
    "AGENTS",
    "ALL",
    "KINDS",
    "PORTFOLIOS",
    "Entry",
    "Kind",
    "Member",
    "class_of",
    "entry_of",
    "make",
    "names",
]

Kind: TypeAlias = Literal["search", "evolution", "learning", "exact", "planner", "random"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Categories of agents. Textbook searches are search, even for a single puzzle; exact are solvers
specific to one; planners are external solvers, which get a level as a planning task."""

ALL: Final = "all"
"""Stands for every environment not listed."""
ANY = {ALL: ""}

OPTIMUM = "the optimum or unsolvability"
UNSOLVABLE = "unsolvability"
NOTHING = "nothing"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Metadata of an agent."""

    home: str
    """Its class, as `module:Class`."""
    kind: Kind
    does: str
    """A phrase for tables."""
    proves: str = NOTHING
    """What its results guarantee, as a phrase."""
    plays: Mapping[str, str] = field(default_factory=ANY.copy)
    """The ids it plays (or ALL) and under which condition; empty for none."""
    seeded: bool = False
    """Whether it is randomised and takes a seed."""
    advises: bool = False
    """Whether it is the default agent for hints."""

    def condition(self, id: str) -> str | None:
        """The condition for playing an environment: empty for none, None if it cannot."""
        return self.plays.get(id, self.plays.get(ALL))


PLANNED = {"ZenGarden-v0": "", "HuaRongDao-v0": "", "Kwirk-v0": "", "KwirkSteps-v0": ""}
GARDENS = {"ZenGarden-v0": ""}
BOXES = {"HuaRongDao-v0": ""}
FLOORS = {"Kwirk-v0": ""}
GRIDS = {"Skyscraper-v0": ""}

AGENTS: dict[str, Entry] = {
    "random": Entry(
        home="puzzle_agents.random_play:RandomPlay",
        kind="random",
        does="random rollouts of legal actions",
        seeded=True,
    ),
    "bfs": Entry(
        home="puzzle_agents.search.breadth_first:BreadthFirst",
        kind="search",
        does="breadth-first search over macro-moves",
        proves=f"{OPTIMUM}; for Skyscraper only if no cell is overwritten",
        plays={ALL: "", "Skyscraper-v0": "small grids"},
    ),
    "dfs": Entry(
        home="puzzle_agents.search.best_first:DepthFirst",
        kind="search",
        does="depth-first search with a closed list",
        proves=UNSOLVABLE,
    ),
    "iddfs": Entry(
        home="puzzle_agents.search.deepening:IterativeDeepening",
        kind="search",
        does="iterative-deepening depth-first search",
        proves="the optimum",
    ),
    "uniform-cost": Entry(
        home="puzzle_agents.search.best_first:UniformCost",
        kind="search",
        does="uniform-cost search (Dijkstra)",
        proves=OPTIMUM,
    ),
    "astar": Entry(
        home="puzzle_agents.search.best_first:AStar",
        kind="search",
        does="A*",
        proves=OPTIMUM,
    ),
    "weighted-astar": Entry(
        home="puzzle_agents.search.best_first:WeightedAStar",
        kind="search",
        does="A* with the heuristic weighted by `weight`",
        proves="at most `weight` times the optimum, or unsolvability",
    ),
    "idastar": Entry(
        home="puzzle_agents.search.deepening:IDAStar",
        kind="search",
        does="IDA* with a transposition table",
        proves="the optimum",
    ),
    "fringe": Entry(
        home="puzzle_agents.search.fringe:Fringe",
        kind="search",
        does="Fringe search",
        proves=OPTIMUM,
    ),
    "greedy": Entry(
        home="puzzle_agents.search.best_first:Greedy",
        kind="search",
        does="greedy best-first search",
        proves=UNSOLVABLE,
    ),
    "beam": Entry(
        home="puzzle_agents.search.beam:Beam",
        kind="search",
        does="beam search: the best `width` states of each layer",
    ),
    "anytime": Entry(
        home="puzzle_agents.search.anytime:Anytime",
        kind="search",
        does="beam search for a solution, then `improve` with A* for shorter ones and a bound",
        proves="the optimum, or a bound",
    ),
    "novelty": Entry(
        home="puzzle_agents.search.novelty:Novelty",
        kind="search",
        does="best-first width search of width 1: novel states first",
        proves=UNSOLVABLE,
    ),
    "bfws": Entry(
        home="puzzle_agents.search.width:Width",
        kind="search",
        does="best-first width search: new pairs of atoms first, by heuristic and milestones",
        proves=UNSOLVABLE,
    ),
    "segments": Entry(
        home="puzzle_agents.search.width:Segments",
        kind="search",
        does="width search from milestone to milestone, a relaxed plan's facts as aims",
        proves=UNSOLVABLE,
        plays={**FLOORS, "KwirkSteps-v0": ""},
    ),
    "stages": Entry(
        home="puzzle_agents.search.stages:Stages",
        kind="search",
        does="width search by stages (same holes filled), those with fewer fills left more often",
        proves=UNSOLVABLE,
        plays={**FLOORS, "KwirkSteps-v0": ""},
    ),
    "types": Entry(
        home="puzzle_agents.search.width:Types",
        kind="search",
        does="type-based exploration: a state of a random type, by heuristic and milestones",
        proves=UNSOLVABLE,
        seeded=True,
    ),
    "portfolio": Entry(
        home="puzzle_agents.search.portfolio:Portfolio",
        kind="search",
        does="several searches in turn until one has a solution, then `improve` within the budget",
        proves="the optimum, or a bound; unsolvability",
        seeded=True,
    ),
    "bidirectional": Entry(
        home="puzzle_agents.search.bidirectional:Bidirectional",
        kind="search",
        does="bidirectional breadth-first search, for puzzles with reversible moves",
        proves=f"{OPTIMUM}, in each metric",
        plays=BOXES,
    ),
    "frontier": Entry(
        home="puzzle_agents.search.frontier:Frontier",
        kind="search",
        does="frontier search: breadth-first, two layers kept, for puzzles with reversible moves",
        proves=f"{OPTIMUM}, in each metric",
        plays={
            "HuaRongDao-v0": "if states have one word: small boxes, few kinds of blocks",
        },
    ),
    "hua-rong-dao-bfs": Entry(
        home="puzzle_agents.exact.hua_rong_dao:HuaRongDaoBFS",
        kind="exact",
        does="breadth-first search for Hua Rong Dao only, mirror images merged: ten times "
        "faster than `frontier`",
        proves=f"{OPTIMUM}, in each metric",
        plays=BOXES,
        advises=True,
    ),
    "hua-rong-dao-bfs-paper": Entry(
        home="puzzle_agents.papers.hua_rong_dao.breadth_first:PaperBFS",
        kind="search",
        does="the Hua Rong Dao paper's procedure as printed",
        proves=f"{NOTHING}: 84 moves instead of 81",
        plays={"HuaRongDao-v0": "in the box of 4 by 5, metric move"},
    ),
    "kwirk-bfs-paper": Entry(
        home="puzzle_agents.papers.kwirk.simple:SimpleBFS",
        kind="search",
        does="the Kwirk paper's breadth-first search over its tasks",
        proves=f"for one character {OPTIMUM}",
        plays=FLOORS,
    ),
    "kwirk-dfs-paper": Entry(
        home="puzzle_agents.papers.kwirk.simple:SimpleDFS",
        kind="search",
        does="the Kwirk paper's depth-first search",
        proves=UNSOLVABLE,
        plays=FLOORS,
    ),
    "kwirk-astar-paper": Entry(
        home="puzzle_agents.papers.kwirk.simple:SimpleAStar",
        kind="search",
        does="the Kwirk paper's A*, which favours newly reached cells or nearness to the exit",
        proves=UNSOLVABLE,
        plays=FLOORS,
    ),
    "kwirk-fringe-paper": Entry(
        home="puzzle_agents.papers.kwirk.simple:SimpleFringe",
        kind="search",
        does="the Kwirk paper's Fringe search",
        proves=UNSOLVABLE,
        plays=FLOORS,
    ),
    "kwirk-layers-astar": Entry(
        home="puzzle_agents.papers.kwirk.multi_layer:LayersAStar",
        kind="exact",
        does="the Kwirk paper's multi-layer A*: rooms, sub-goals, a search for each",
        proves=UNSOLVABLE,
        plays=FLOORS,
    ),
    "kwirk-layers-fringe": Entry(
        home="puzzle_agents.papers.kwirk.multi_layer:LayersFringe",
        kind="exact",
        does="the Kwirk paper's multi-layer Fringe search",
        proves=UNSOLVABLE,
        plays=FLOORS,
    ),
    "zen-ga": Entry(
        home="puzzle_agents.evolution.zen_garden:ZenGardenGA",
        kind="evolution",
        does="genetic algorithm over plans without wasted moves, with restarts",
        plays=GARDENS,
        seeded=True,
    ),
    "zen-ga-paper": Entry(
        home="puzzle_agents.papers.zen_garden.genetic:ZenGardenPaperGA",
        kind="evolution",
        does="the Zen Puzzle Garden paper's genetic algorithm",
        plays=GARDENS,
        seeded=True,
    ),
    "zen-astar-paper": Entry(
        home="puzzle_agents.papers.zen_garden.a_star:ZenGardenPaperAStar",
        kind="search",
        does="the Zen Puzzle Garden paper's A*, without duplicate detection",
        proves=OPTIMUM,
        plays={"ZenGarden-v0": "small boards"},
    ),
    "skyscraper-ga": Entry(
        home="puzzle_agents.evolution.skyscraper:SkyscraperGA",
        kind="evolution",
        does="memetic algorithm: rows without repeats, crossover and annealing",
        plays=GRIDS,
        seeded=True,
    ),
    "skyscraper-ga-paper": Entry(
        home="puzzle_agents.papers.skyscraper.genetic:SkyscraperPaperGA",
        kind="evolution",
        does="the Skyscraper paper's genetic algorithm",
        plays=GRIDS,
        seeded=True,
    ),
    "skyscraper-exact": Entry(
        home="puzzle_agents.exact.skyscraper:SkyscraperExact",
        kind="exact",
        does="constraint propagation and backtracking with restarts",
        proves="unsolvability or uniqueness",
        plays=GRIDS,
        advises=True,
    ),
    "levin": Entry(
        home="puzzle_agents.search.learned.agents:Levin",
        kind="learning",
        does="Levin tree search: lowest depth over path probability under a trained policy",
        proves=UNSOLVABLE,
        plays=ANY,
    ),
    "phs": Entry(
        home="puzzle_agents.search.learned.agents:PHS",
        kind="learning",
        does="PHS*: Levin tree search with the heuristic in its key",
        proves=UNSOLVABLE,
        plays=ANY,
    ),
    "rooted": Entry(
        home="puzzle_agents.search.learned.agents:Rooted",
        kind="learning",
        does="Levin tree search from several roots of each path, where milestones are reached",
        proves=UNSOLVABLE,
        plays=ANY,
    ),
    "guided-greedy": Entry(
        home="puzzle_agents.search.learned.agents:GuidedGreedy",
        kind="learning",
        does="greedy search by a trained policy: the most likely path first",
        proves=UNSOLVABLE,
        plays=ANY,
    ),
    "guided-beam": Entry(
        home="puzzle_agents.search.learned.agents:GuidedBeam",
        kind="learning",
        does="beam search with the keys of `phs`: the best `width` states at each depth",
        plays=ANY,
    ),
    "fast-downward": Entry(
        home="puzzle_agents.outside.fast_downward:FastDownward",
        kind="planner",
        does="the planner Fast Downward: A* with LM-cut and others (extra `planners`)",
        proves=OPTIMUM,
        plays=PLANNED,
    ),
    "lama": Entry(
        home="puzzle_agents.outside.fast_downward:Lama",
        kind="planner",
        does="the satisficing planner LAMA, of Fast Downward (extra `planners`)",
        proves=UNSOLVABLE,
        plays=PLANNED,
    ),
    "pyperplan": Entry(
        home="puzzle_agents.outside.pyperplan:Pyperplan",
        kind="planner",
        does="the small planner Pyperplan, in Python (extra `planners`)",
        proves=UNSOLVABLE,
        plays=PLANNED,
    ),
    "cp-sat": Entry(
        home="puzzle_agents.outside.skyscraper_cp_sat:CpSat",
        kind="planner",
        does="the constraint solver CP-SAT of OR-Tools (extra `planners`)",
        proves="unsolvability or uniqueness",
        plays=GRIDS,
    ),
    "maskable-ppo": Entry(
        home="puzzle_agents.learning.policy_agent:PolicyAgent",
        kind="learning",
        does="follows a trained policy network: sampled, greedy or as a beam (extra `rl`)",
        plays={ALL: "with a model trained on boards at least as large"},
        seeded=True,
    ),
}
"""The agents of this package; your own are further entries."""


class Member(NamedTuple):
    """An agent of a portfolio."""

    agent: str
    turn: int = 8000
    """Number of transitions of a turn, some 50 to 100 milliseconds."""
    arguments: Mapping[str, Any] = {}

    @property
    def title(self) -> str:
        """Its name, with its arguments."""
        given = ", ".join(f"{key}={value}" for key, value in self.arguments.items())
        return f"{self.agent} ({given})" if given else self.agent


PORTFOLIOS: Mapping[str, Sequence[Member]] = {
    "Kwirk": (
        Member("segments", 8_000),
        Member("bfws", 16_000),
        Member("bfws", 16_000, {"heuristic": "path"}),
        Member("greedy", 40_000),
        Member("stages", 16_000),
    ),
    "": (Member("bfws"), Member("greedy"), Member("beam")),
}
"""The agents of a portfolio for each puzzle, by its title; for any other, those without one."""


def names() -> list[str]:
    """The names accepted by `make`."""
    return list(AGENTS)


LIMITS = ("seconds", "memory", "expansions", "transitions")
"""The arguments of Budget, which `make` does not take itself."""


def make(name: str, budget: Budget | None = None, **arguments: Any) -> Agent:
    """Create an agent by name.

    Args:
        name: One of `names()`.
        budget: Limits of each attempt.
        arguments: Further arguments of the agent's class.
    """
    made = class_of(name)
    known = ["budget", *(key for key in parameters(made) if key != "budget")]
    for key in arguments:
        if key not in known:
            near = did_you_mean(key, known)
            if key in LIMITS:
                near = f" Limits are arguments of the budget: budget=Budget({key}=...)."
            raise TypeError(
                f"'{name}' got an unexpected keyword argument '{key}'.{near} "
                f"It takes {', '.join(known)}."
            )
    return made(budget=budget, **arguments)


def entry_of(name: str) -> Entry:
    """The metadata of an agent; a ValueError suggests similar names."""
    if text("The name of an agent", name) not in AGENTS:
        raise ValueError(
            f"There is no agent '{name}'.{did_you_mean(name, AGENTS)} "
            f"Available: {', '.join(AGENTS)}."
        )
    return AGENTS[name]


def class_of(name: str) -> type[Agent]:
    """The class of an agent, imported on demand; errors as for `entry_of`."""
    module, _, class_name = entry_of(name).home.partition(":")
    found: type[Agent] = getattr(import_module(module), class_name)
    return found
