"""Planning tasks: a level as external planners read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzle_envs.level import Record

__all__ = [
    "Facts",
    "Moved",
    "Operator",
    "Planes",
    "Planning",
    "State",
    "Task",
    "cells_of",
    "numbered",
]

Facts: TypeAlias = Mapping[str, str]
"""Values of some variables."""
Moved: TypeAlias = tuple[Facts, Facts]
"""The preconditions and the effects of a way to move."""
Planes: TypeAlias = npt.NDArray[np.uint8]
"""The planes of a state, as its codec numbers them: plane, row, column."""


State: TypeAlias = Sequence[int]
"""The words of a state."""


def cells_of(plane: npt.NDArray[np.uint8]) -> set[tuple[int, int]]:
    """The cells that a plane marks, by row and column."""
    rows, columns = plane.nonzero()
    return set(zip(rows.tolist(), columns.tolist(), strict=True))


class Operator(NamedTuple):
    """An operator: it applies where `needs` holds, and sets some variables."""

    name: str
    needs: Facts
    sets: Facts
    cost: int
    actions: tuple[int, ...]
    """The environment's actions that do the same."""


@dataclass(frozen=True)
class Task:
    """A task in the finite-domain representation (SAS+), without conditional effects or axioms.

    Variables and values are words of lower-case letters, digits and hyphens.
    """

    start: Facts
    """The value of every variable."""
    goal: Facts
    operators: Sequence[Operator]

    @cached_property
    def variables(self) -> dict[str, tuple[str, ...]]:
        """Each variable's values: those that appear anywhere."""
        values: dict[str, dict[str, None]] = {name: {} for name in self.start}
        for operator in self.operators:
            for facts in (operator.needs, operator.sets):
                for name, value in facts.items():
                    values[name][value] = None
        for facts in (self.start, self.goal):
            for name, value in facts.items():
                values[name][value] = None
        return {name: tuple(sorted(found)) for name, found in values.items()}

    def actions_of(self, plan: Sequence[str]) -> list[int]:
        """The environment's actions of a plan, a sequence of operators' names.

        Raises:
            ValueError: An operator does not exist.
        """
        known = {operator.name: operator.actions for operator in self.operators}
        for name in plan:
            if name not in known:
                raise ValueError(f"The task has no operator '{name}'.")
        return [action for name in plan for action in known[name]]


def numbered(operators: Iterable[Operator]) -> list[Operator]:
    """Operators with a number after each name, so that all names differ."""
    return [one._replace(name=f"{one.name}-{number}") for number, one in enumerate(operators)]


Planning: TypeAlias = Callable[[Record, State, Planes], Task]
"""Translates a level in some state to a task whose plans are solutions from there."""
