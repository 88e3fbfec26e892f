"""CP-SAT on planning tasks: the first horizon with a plan, and its cost, compared with A*.

    python -m benchmarks.bounded_plans --seconds 60

Each step of the horizon has a copy of the variables; one operator, or none, leads to the next.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from typing import Any

from ortools.sat.python import cp_model

import puzzle_agents
from puzzle_agents.environments import make_env
from puzzle_agents.export import played, task_of
from puzzle_envs.planning import Task

LEVELS = (
    *(("HuaRongDao-v0", f"test/{level}") for level in ("1-10/1", "1-10/2", "11-20/1", "21-40/1")),
    *(("Kwirk-v0", f"test/{level}") for level in ("1-3/1", "4-6/1", "7-9/1", "7-9/2")),
)


def model_of(task: Task, horizon: int) -> tuple[cp_model.CpModel, list[list[Any]]]:
    """The model of a plan within a horizon, and its operators step by step."""
    model = cp_model.CpModel()
    facts = [(name, value) for name, values in task.variables.items() for value in values]
    layers = [{fact: model.new_bool_var("") for fact in facts} for _ in range(horizon + 1)]
    chosen = [[model.new_bool_var("") for _ in task.operators] for _ in range(horizon)]
    for layer in layers:
        for name, values in task.variables.items():
            model.add_exactly_one(layer[name, value] for value in values)
    for fact in task.start.items():
        model.add(layers[0][fact] == 1)
    for fact in task.goal.items():
        model.add(layers[-1][fact] == 1)
    for now, then, operators in zip(layers, layers[1:], chosen, strict=False):
        model.add_at_most_one(operators)
        setting = defaultdict(list)
        for taken, operator in zip(operators, task.operators, strict=True):
            for fact in operator.needs.items():
                model.add_implication(taken, now[fact])
            for fact in operator.sets.items():
                model.add_implication(taken, then[fact])
                setting[fact].append(taken)
        for fact in facts:
            model.add_bool_or(~then[fact], now[fact], *setting[fact])
    return model, chosen


def first_plan(task: Task, seconds: float) -> tuple[list[str] | None, int, float]:
    """A plan of the fewest operators, the last horizon tried, and the CPU seconds."""
    began, horizon = time.process_time(), 0
    while True:
        model, chosen = model_of(task, horizon)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = max(0.0, seconds - (time.process_time() - began))
        status = solver.solve(model)
        spent = time.process_time() - began
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            plan = [
                operator.name
                for operators in chosen
                for taken, operator in zip(operators, task.operators, strict=True)
                if solver.value(taken)
            ]
            return plan, horizon, spent
        if status != cp_model.INFEASIBLE:
            return None, horizon, spent
        horizon += 1


def main() -> None:
    """Print a line for each level."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    seconds = parser.parse_args().seconds
    for id, level in LEVELS:
        env = make_env(id, level)
        agent = puzzle_agents.make("astar")
        agent.warm_up(env)
        began = time.process_time()
        ours = agent.solve(env)
        spent = time.process_time() - began
        task = task_of(env)
        plan, horizon, theirs = first_plan(task, seconds)
        found = "no plan within" if plan is None else f"{len(plan)} operators at"
        if plan is not None:
            assert played(env, task.actions_of(plan))[1] is not None
        print(
            f"{id} {level}: A* {ours.moves} moves, {spent:.4f} s; CP-SAT {found} horizon {horizon},"
            f" {theirs:.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
