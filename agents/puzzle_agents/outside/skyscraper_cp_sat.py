"""The constraint solver CP-SAT of OR-Tools, for Skyscraper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from puzzle_agents.agent import Agent, Result, Status
from puzzle_agents.outside.planner import check_installed
from puzzle_agents.skyscraper_writes import heights_of, writes_of
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.skyscraper.level import clues_of, givens_of

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


class CpSat(Agent):
    """The constraint solver CP-SAT: different heights in a line, and a chain of maxima per clue.

    Complete: it solves a grid or proves that it has no solution. Only the level's givens are fixed;
    heights already written are overwritten where the solution found differs.

    The number of writes is proved minimal if each fills an empty cell, or if a second search proves
    that there is no other solution. An attempt that turns out to have taken more branches than the
    budget has expansions gives up, as does one that Ctrl-C ends. Building the model takes part of
    the budget's time.
    """

    name: ClassVar[str] = "cp-sat"
    only: ClassVar[str] = "Skyscraper"
    warming_seconds: ClassVar[float] = 5.0

    def check(self, puzzle: Puzzle, level: Level) -> None:
        """Reject other puzzles, and a missing package."""
        super().check(puzzle, level)
        check_installed(self.name, "ortools")

    def _plan(self, env: PuzzleEnv) -> Result:
        record = env.record[0]
        model, cells = model_of(int(record["size"]), clues_of(record), givens_of(record))
        preparing = self.clock.seconds
        solver, status = self._solved(model)
        counted = Result(status, expanded=solver.num_branches, preparing=preparing)
        if self.budget.expansions is not None and counted.expanded > self.budget.expansions:
            return replace(counted, status=Status.GAVE_UP)
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
        return self._solved(model)[1] == Status.UNSOLVABLE

    def _solved(self, model: cp_model.CpModel) -> tuple[cp_model.CpSolver, Status]:
        """Solve on one core within what is left of the budget."""
        from ortools.sat.python import cp_model

        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_memory_in_mb = max(1, self.budget.bytes >> 20)
        if self.budget.seconds is not None:
            left = self.budget.seconds - self.clock.seconds
            solver.parameters.max_time_in_seconds = max(left, 0.0)
        ended = solver.solve(model)
        if ended in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return solver, Status.SOLVED
        if ended == cp_model.INFEASIBLE:
            return solver, Status.UNSOLVABLE
        return solver, Status.OUT_OF_TIME if self.clock.is_over(0.99) else Status.GAVE_UP


def model_of(
    size: int, clues: Sequence[int], givens: Sequence[int]
) -> tuple[cp_model.CpModel, list[Any]]:
    """The model of a grid, and its cells row by row."""
    from ortools.sat.python import cp_model

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
