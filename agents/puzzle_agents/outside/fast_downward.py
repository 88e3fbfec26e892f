"""Fast Downward: A* with its heuristics, and LAMA."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

from puzzle_agents.agent import Budget, Status
from puzzle_agents.export import sas
from puzzle_agents.outside.planner import Ended, Planner
from puzzle_envs.common.arguments import flag, one_of
from puzzle_envs.planning import Task

TASK, PLAN = "task.sas", "plan"

SEARCHES = {
    "blind": "astar(blind())",
    "hmax": "astar(hmax())",
    "lmcut": "astar(lmcut())",
    "merge-and-shrink": (
        "astar(merge_and_shrink("
        "merge_strategy=merge_sccs(order_of_sccs=topological,"
        "merge_selector=score_based_filtering("
        "scoring_functions=[goal_relevance(),dfp(),total_order()])),"
        "shrink_strategy=shrink_bisimulation(greedy=false),"
        "label_reduction=exact(before_shrinking=true,before_merging=false),"
        "max_states=50000,threshold_before_merge=1))"
    ),
}
"""Optimal searches, in the planner's own syntax."""

WEIGHTS = (5, 3, 2, 1)
"""Weights of the searches after LAMA's first."""


LANDMARKS = "landmark_sum(lm_reasonable_orders_hps(lm_rhw()),pref=false)"


def _with_heuristics(costs: str, search: str) -> str:
    """A search by landmarks and relaxed plans, for which operators cost `one` or `plusone`."""
    return (
        f"let(hlm,eval_modify_costs({LANDMARKS},cost_type={costs}),"
        f"let(hff,eval_modify_costs(ff(),cost_type={costs}),{search}))"
    )


FIRST = "lazy_greedy([hff,hlm],preferred=[hff,hlm],cost_type=one,reopen_closed=false)"
LAMA_FIRST = _with_heuristics("one", FIRST)
LAMA = _with_heuristics(
    "plusone",
    f"iterated([{FIRST},lazy_greedy([hff,hlm],preferred=[hff,hlm],reopen_closed=false),"
    + ",".join(f"lazy_wastar([hff,hlm],preferred=[hff,hlm],w={weight})" for weight in WEIGHTS)
    + "],repeat_last=true)",
)
"""The searches of LAMA 2011, with one pair of heuristics."""

SOLVED, UNSOLVABLE, INCOMPLETE, BOUNDED, NO_MEMORY, NO_TIME, MISREAD = 0, 11, 12, 13, 22, 23, 33
"""Exit codes of the planner."""


class _Downward(Planner):
    package = "up_fast_downward"
    reads = TASK
    plans = f"{PLAN}*"
    last_line = "; cost"
    expanded = r"\bExpanded (\d+) state"
    generated = r"\bGenerated (\d+) state"
    kilobytes = r"\bPeak memory: (\d+) KB"

    def _write(self, task: Task, folder: Path) -> None:
        (folder / TASK).write_text(sas(task), encoding="ascii")

    def _command(self, task: Task, folder: Path) -> Sequence[str | Path]:
        spec = find_spec(self.package)
        assert spec is not None and spec.submodule_search_locations
        home = Path(spec.submodule_search_locations[0])
        (binary,) = (home / "downward/builds/release/bin").glob("downward*")
        return [binary, *self._options(), "--internal-plan-file", PLAN]

    @abstractmethod
    def _options(self) -> Sequence[str]:
        """The planner's options for a search."""

    def _status(self, ended: Ended) -> Status:
        if ended.code == UNSOLVABLE:
            return Status.UNSOLVABLE
        if ended.code in (SOLVED, INCOMPLETE, BOUNDED):
            return Status.GAVE_UP
        if ended.code == MISREAD:
            said = re.search(r"(.+)\n+Usage error", ended.log)
            fault = said[1] if said else ended.log[-200:]
            raise ValueError(f"Fast Downward does not accept this search: {fault}")
        if ended.code == NO_TIME:  # the system's limit, before the agent's clock
            return Status.OUT_OF_TIME
        if ended.code == NO_MEMORY or ended.lacked_memory:
            return Status.OUT_OF_MEMORY
        raise RuntimeError(
            f"Fast Downward ended with code {ended.code}: {ended.log[-500:].strip()}"
        )


class FastDownward(_Downward):
    """The planner Fast Downward: A* over the level as a planning task.

    Complete and optimal in the environment's moves.
    """

    name: ClassVar[str] = "fast-downward"

    def __init__(self, budget: Budget | None = None, search: str = "lmcut") -> None:
        """Create the planner.

        Args:
            budget: Limits of an attempt.
            search: The heuristic of A*: blind, hmax, lmcut or merge-and-shrink. Or a configuration
                in the planner's own syntax, such as eager_greedy([ff()]), whose plans do not count
                as proved optimal.
        """
        super().__init__(budget)
        if not _is_configuration(search):
            one_of("search", search, SEARCHES)
        self.search = search

    def _options(self) -> Sequence[str]:
        return ["--search", SEARCHES.get(self.search, self.search)]

    def _is_optimal(self, task: Task, ended: Ended) -> bool:
        return ended.code == SOLVED and self.search in SEARCHES


def _is_configuration(search: object) -> bool:
    """Whether a search is in the planner's own syntax."""
    return isinstance(search, str) and "(" in search


class Lama(_Downward):
    """The satisficing planner LAMA, of Fast Downward: landmarks and relaxed plans.

    Not optimal. With `anytime` it continues to better solutions until the budget is spent; its last
    search is exhaustive, but does not count as a proof.
    """

    name: ClassVar[str] = "lama"

    def __init__(self, budget: Budget | None = None, anytime: bool = False) -> None:
        """Create the planner.

        Args:
            budget: Limits of an attempt.
            anytime: Whether to look for better solutions after the first.
        """
        super().__init__(budget)
        self.anytime = flag("anytime", anytime)

    def _options(self) -> Sequence[str]:
        return ["--search", LAMA if self.anytime else LAMA_FIRST]

    def _is_optimal(self, task: Task, ended: Ended) -> bool:
        return False
