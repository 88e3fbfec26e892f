"""Levels as planning tasks, in the formats that planners read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from puzzle_agents.agent import WrongPuzzleError
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.planning import Facts, Task

__all__ = ["pddl_domain", "pddl_problem", "plan_of", "played", "sas", "task_of"]


def task_of(env: PuzzleEnv) -> Task:
    """The task of an environment, from its present state.

    Args:
        env: An environment of puzzle_envs, unwrapped, after a reset.

    Raises:
        WrongPuzzleError: Its puzzle has no translation.
    """
    planning = env.puzzle.planning
    if planning is None:
        raise WrongPuzzleError(f"{env.puzzle.title} has no translation for planners.")
    copied = env.simulation(observation="planes")
    state = copied.get_state()
    planes, _ = copied.set_state(state)
    return planning(env.record[0], state.words, planes)


def plan_of(text: str) -> list[str]:
    """The operators of a plan in the planners' format: one per line, in brackets, `;` for comments.

    Raises:
        ValueError: A line is not an operator.
    """
    names = []
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.partition(";")[0].strip()
        if content:
            match = re.fullmatch(r"\(\s*([^\s()]+)\s*\)", content)
            if match is None:
                raise ValueError(
                    f"Line {number} is not an operator in brackets, such as (enter-1-0)."
                )
            names.append(match[1].lower())
    return names


def played(env: PuzzleEnv, actions: Sequence[int]) -> tuple[list[int], int | None]:
    """The actions until the level is solved, and their moves; None if it is never solved.

    Raises:
        ValueError: An action is illegal in its state.
    """
    copied = env.simulation(observation="planes")
    start = copied.get_state()
    _, info = copied.set_state(start)
    taken: list[int] = []
    for action in actions:
        if info["solved"]:
            break
        info = copied.step(action)[4]
        if info["illegal"]:
            raise ValueError(f"Action {action}, number {len(taken) + 1} of the plan, is illegal.")
        taken.append(action)
    return taken, info["moves"] - start.moves if info["solved"] else None


def sas(task: Task) -> str:
    """The task in Fast Downward's format, version 3, as its search reads it."""
    return "\n".join(_sas_lines(task)) + "\n"


def _sas_lines(task: Task) -> Iterator[str]:
    numbers = {name: number for number, name in enumerate(task.variables)}
    values = {
        name: {value: number for number, value in enumerate(known)}
        for name, known in task.variables.items()
    }
    yield from ("begin_version", "3", "end_version", "begin_metric", "1", "end_metric")
    yield str(len(numbers))
    for name, known in task.variables.items():
        yield from ("begin_variable", name, "-1", str(len(known)))
        yield from (f"Atom {name}-{value}()" for value in known)
        yield "end_variable"
    yield "0"  # groups of mutually exclusive facts
    yield "begin_state"
    yield from (str(values[name][task.start[name]]) for name in numbers)
    yield from ("end_state", "begin_goal", str(len(task.goal)))
    yield from (f"{numbers[name]} {values[name][value]}" for name, value in task.goal.items())
    yield from ("end_goal", str(len(task.operators)))
    for operator in task.operators:
        held = {name: value for name, value in operator.needs.items() if name not in operator.sets}
        yield from ("begin_operator", operator.name, str(len(held)))
        yield from (f"{numbers[name]} {values[name][value]}" for name, value in held.items())
        yield str(len(operator.sets))
        for name, value in operator.sets.items():
            before = values[name][operator.needs[name]] if name in operator.needs else -1
            yield f"0 {numbers[name]} {before} {values[name][value]}"
        yield from (str(operator.cost), "end_operator")
    yield "0"  # axioms


def pddl_domain(task: Task, name: str = "puzzle") -> str:
    """The task's operators as a PDDL domain without parameters.

    A fact is a predicate, such as (cell-1-2-free). Costs need :action-costs; where every operator
    costs 1, they are left out.
    """
    has_costs = _has_costs(task)
    extra = " :action-costs" if has_costs else ""
    lines = [f"(define (domain {name})", f"  (:requirements :strips{extra})"]
    lines.append("  (:predicates")
    lines += [f"    ({name}-{value})" for name, known in task.variables.items() for value in known]
    lines.append("  )")
    if has_costs:
        lines.append("  (:functions (total-cost) - number)")
    for operator in task.operators:
        adds = [f"({name}-{value})" for name, value in operator.sets.items()]
        deletes = [
            f"(not ({name}-{old}))"
            for name, value in operator.sets.items()
            for old in ([operator.needs[name]] if name in operator.needs else task.variables[name])
            if old != value
        ]
        cost = [f"(increase (total-cost) {operator.cost})"] if has_costs else []
        lines += [
            f"  (:action {operator.name}",
            "    :parameters ()",
            f"    :precondition {_and(operator.needs)}",
            f"    :effect (and {' '.join(adds + deletes + cost)}))",
        ]
    return "\n".join([*lines, ")", ""])


def pddl_problem(task: Task, name: str = "level", domain: str = "puzzle") -> str:
    """The task's start and goal as a PDDL problem."""
    lines = [f"(define (problem {name})", f"  (:domain {domain})", "  (:init"]
    lines += [f"    ({name}-{value})" for name, value in task.start.items()]
    lines += ["    (= (total-cost) 0)"] if _has_costs(task) else []
    lines += ["  )", f"  (:goal {_and(task.goal)})"]
    lines += ["  (:metric minimize (total-cost))"] if _has_costs(task) else []
    return "\n".join([*lines, ")", ""])


def _and(facts: Facts) -> str:
    return f"(and {' '.join(f'({name}-{value})' for name, value in facts.items())})"


def _has_costs(task: Task) -> bool:
    return any(operator.cost != 1 for operator in task.operators)
