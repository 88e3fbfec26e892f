"""The constraint solver CP-SAT of OR-Tools, for Skyscraper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from ortools.sat.python import cp_model

from puzzle_agents.agent import Agent, Result, Status
from puzzle_agents.skyscraper_writes import heights_of, writes_of
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.skyscraper.level import clues_of, givens_of

STATUSES = {
    cp_model.OPTIMAL: Status.SOLVED,
    cp_model.FEASIBLE: Status.SOLVED,
    cp_model.INFEASIBLE: Status.UNSOLVABLE,
}


class CpSat(Agent):
    """The constraint solver CP-SAT: different heights in a line, and a chain of maxima per clue.

    Complete: it solves a grid or proves that it has no solution. Only the level's givens are fixed;
    heights already written are overwritten where the solution found differs.

    The number of writes is proved minimal if each fills an empty cell, or if a second search proves
    that there is no other solution. Building the model takes part of the budget's time.
    """

    name: ClassVar[str] = "cp-sat"
    only: ClassVar[str] = "Skyscraper"

    def _plan(self, env: PuzzleEnv) -> Result:
        record = env.record[0]
        model, cells = model_of(int(record["size"]), clues_of(record), givens_of(record))
        preparing = self.clock.seconds
        solver = cp_model.CpSolver()
        status = self._run(solver, model)
        counted = Result(status, expanded=solver.num_branches, preparing=preparing)
        if status != Status.SOLVED:
            return counted
        heights = [int(solver.value(cell)) for cell in cells]
        writes = writes_of(env, heights)
        empty = heights_of(record, env.get_state().words).count(0)
        proved = len(writes) == empty or self._is_only(model, cells, heights)
        return replace(counted, actions=writes, moves=len(writes), proved_optimal=proved)

    def _is_only(self, model: cp_model.CpModel, cells: list[Any], heights: list[int]) -> bool:
        """Whether the rest of the time suffices to prove that there is no other solution."""
        model.add_forbidden_assignments(cells, [heights])
        return self._run(cp_model.CpSolver(), model) == Status.UNSOLVABLE

    def _run(self, solver: cp_model.CpSolver, model: cp_model.CpModel) -> Status:
        """Solve on one core within what is left of the budget."""
        solver.parameters.num_workers = 1
        solver.parameters.max_memory_in_mb = max(1, self.budget.bytes >> 20)
        if self.budget.seconds is not None:
            left = self.budget.seconds - self.clock.seconds
            solver.parameters.max_time_in_seconds = max(left, 0.0)
        return STATUSES.get(solver.solve(model), Status.OUT_OF_TIME)


def model_of(
    size: int, clues: Sequence[int], givens: Sequence[int]
) -> tuple[cp_model.CpModel, list[Any]]:
    """The model of a grid, and its cells row by row."""
    model = cp_model.CpModel()
    cells = [
        model.new_constant(height) if height else model.new_int_var(1, size, "")
        for height in givens
    ]
    rows = [cells[size * index : size * (index + 1)] for index in range(size)]
    columns = [cells[index::size] for index in range(size)]
    for line in (*rows, *columns):
        model.add_all_different(line)
    lines = (
        *columns,
        *(column[::-1] for column in columns),
        *rows,
        *(row[::-1] for row in rows),
    )
    for clue, line in zip(clues, lines, strict=True):
        if clue:
            _see(model, size, line, clue)
    return model, cells


def _see(model: Any, size: int, line: Sequence[Any], clue: int) -> None:
    """Constrain the number of buildings higher than all before them."""
    tallest, visible = line[0], []
    for cell in line[1:]:
        higher = model.new_bool_var("")
        model.add(cell > tallest).only_enforce_if(higher)
        model.add(cell < tallest).only_enforce_if(~higher)
        top = model.new_int_var(1, size, "")
        model.add_max_equality(top, [tallest, cell])
        tallest = top
        visible.append(higher)
    model.add(sum(visible) == clue - 1)
