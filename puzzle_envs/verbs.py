"""The verbs: what the rules of a puzzle can do, on (level, state), compiled.

A level is one record of a puzzle's own numpy dtype. A state is a row of 64-bit words, as many as
the level asks for: the words that an environment steps, a vector environment keeps in one array
and a search table stores. A rules file implements the verbs as plain functions:

    rules = Rules(GARDEN)

    @rules
    def apply(level, state, action): ...

Generic kernels call the verbs below; for each level type numba compiles them with the rules of
that puzzle inlined.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeAlias

import numba
import numpy as np

from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.parts import Part, choose_part
from puzzle_envs.kernels.reached import choose_by_level

__all__ = [
    "NEVER",
    "UNESTIMATED",
    "VERBS",
    "Costs",
    "Findings",
    "LevelRecord",
    "Mask",
    "Planes",
    "Rows",
    "Rules",
    "State",
]

NEVER = 2**20
"""An estimate that says: there is no solution from here."""
UNESTIMATED = -1
"""In the place of an estimate that nobody knows."""

# What compiled functions are passed. Numba sees through these; to a type checker the fields of a
# level and the words of a state are Any.
LevelRecord: TypeAlias = Any
"""One record of a puzzle's level dtype."""
State: TypeAlias = Any
"""A row of uint64."""
Findings: TypeAlias = Any
"""What a heuristic has found out about a level: a row of uint64."""
Rows: TypeAlias = Any
"""States, a row of uint64 each."""
Costs: TypeAlias = Any
"""An int64 for each of some rows."""
Mask: TypeAlias = Any
"""An int8 for each action."""
Planes: TypeAlias = Any
"""An int8 for each cell of each observation plane, plane after plane."""


def start(level: LevelRecord, state: State) -> None:
    """Write the first state."""
    _run("start", level, state)


def legal(level: LevelRecord, state: State, mask: Mask) -> int:
    """Write 1 for each legal action, 0 for every other; return how many are legal.

    A puzzle that is not solved and has no legal action is lost.
    """
    return _run("legal", level, state, mask)  # type: ignore[no-any-return]


def apply(level: LevelRecord, state: State, action: int) -> int:
    """Do one action in place and return its cost in the paper's moves; -1: illegal, untouched."""
    return _run("apply", level, state, action)  # type: ignore[no-any-return]


def solved(level: LevelRecord, state: State) -> bool:
    """Whether the puzzle is solved."""
    return _run("solved", level, state)  # type: ignore[no-any-return]


def fitness(level: LevelRecord, state: State) -> float:
    """The paper's own measure of quality, higher is better."""
    return _run("fitness", level, state)  # type: ignore[no-any-return]


def forfeit(level: LevelRecord) -> int:
    """What a lost game costs in moves: at least as much as any solution."""
    return _run("forfeit", level)  # type: ignore[no-any-return]


def valid(level: LevelRecord, state: State) -> bool:
    """Whether these words are a state of this level; the other verbs trust that they are."""
    return _run("valid", level, state)  # type: ignore[no-any-return]


def scenery(level: LevelRecord, planes: Planes) -> None:
    """Write the observation of what never changes on this level, and 0 everywhere else.

    `planes` is one row: plane after plane, each as large as the largest level of the set.
    """
    _run("scenery", level, planes)


def observe(level: LevelRecord, state: State, planes: Planes) -> None:
    """Write what the state adds to the scenery, over a copy of it."""
    _run("observe", level, state, planes)


def effort(level: LevelRecord, state: State, action: int) -> int:
    """What a legal action costs by the other count of a puzzle that has two.

    It is asked before the action is done. A puzzle that counts moves alone leaves it out.
    """
    return _run("effort", level, state, action)  # type: ignore[no-any-return]


def canonical(level: LevelRecord, state: State) -> None:
    """Bring a state into canonical form, in place; optional.

    States that differ in nothing that costs a move have the same form.
    """
    _run("canonical", level, state)


def successors(level: LevelRecord, state: State, rows: Rows, costs: Costs) -> int:
    """Write every whole move of the paper from here: its result, canonical, and its cost.

    Only a state that comes from elsewhere has free moves that lead to anything new; those of a
    result are results themselves. Returns how many there are, or -1 when `rows` is too short: its
    far end serves as scratch.
    """
    return _run("successors", level, state, rows, costs)  # type: ignore[no-any-return]


def predecessors(level: LevelRecord, state: State, rows: Rows, costs: Costs) -> int:
    """Write every canonical state from which a whole move leads to a canonical one, and its cost.

    Only puzzles whose moves can be undone (`Puzzle.reversible`) are searched backwards; there it
    is `successors`, unless that ends at solved states. Otherwise as `successors`.
    """
    return _run("predecessors", level, state, rows, costs)  # type: ignore[no-any-return]


def hopeless(level: LevelRecord, state: State) -> bool:
    """A cheap and safe proof that no solution goes through this state; False where unknown."""
    return _run("hopeless", level, state)  # type: ignore[no-any-return]


def unfold(level: LevelRecord, state: State, target: State, rows: Rows, actions: Any) -> int:
    """Write the actions of a whole move from `state` to `target`; return how many.

    -1: there is none. `rows` is scratch, as in `successors`.
    """
    return _run("unfold", level, state, target, rows, actions)  # type: ignore[no-any-return]


def estimate(level: LevelRecord, findings: Findings, state: State) -> int:
    """A lower bound on the cost of the moves left; NEVER or more where it proves there are none.

    `findings` is what `Puzzle.findings` has found out about the level. Leaving the verb out means
    0, which is always a lower bound.
    """
    return _run("estimate", level, findings, state)  # type: ignore[no-any-return]


def estimate_next(
    level: LevelRecord, findings: Findings, state: State, known: Any, row: State
) -> int:
    """The estimate of a successor of a state whose own estimate is `known`, or UNESTIMATED.

    For puzzles that can tell faster what a move changes; left out, `estimate` is asked.
    """
    return _run("estimate_next", level, findings, state, known, row)  # type: ignore[no-any-return]


def representative(level: LevelRecord, findings: Findings, state: State) -> None:
    """Replace a canonical state by the one that stands for its mirror images and rotations.

    States with the same representative have solutions of the same cost. Left out, a state stands
    for itself alone.
    """
    _run("representative", level, findings, state)


def goals(level: LevelRecord, rows: Rows) -> int:
    """Write every canonical solved state; return how many, or -1 when `rows` is too short.

    Only puzzles whose moves can be undone at the same cost have it (`Puzzle.reversible`).
    """
    return _run("goals", level, rows)  # type: ignore[no-any-return]


VERBS: dict[str, Callable[..., Any]] = {
    verb.__name__: verb
    for verb in (
        start,
        legal,
        apply,
        solved,
        fitness,
        forfeit,
        valid,
        scenery,
        observe,
        effort,
        canonical,
        successors,
        predecessors,
        hopeless,
        unfold,
        estimate,
        estimate_next,
        representative,
        goals,
    )
}


@compiled
def _no_effort(level: LevelRecord, state: State, action: int) -> int:
    return 0


@compiled
def _as_it_is(level: LevelRecord, state: State) -> None:
    return None


@compiled
def _no_estimate(level: LevelRecord, findings: Findings, state: State) -> int:
    return 0


@compiled
def _estimate_anew(
    level: LevelRecord, findings: Findings, state: State, known: Any, row: State
) -> int:
    return estimate(level, findings, row)


@compiled
def _for_itself(level: LevelRecord, findings: Findings, state: State) -> None:
    return None


@compiled
def _undone(level: LevelRecord, state: State, rows: Rows, costs: Costs) -> int:
    return successors(level, state, rows, costs)


@compiled
def _no_goals(level: LevelRecord, rows: Rows) -> int:
    return 0


DEFAULTS: dict[str, Callable[..., Any]] = {
    "effort": _no_effort,
    "canonical": _as_it_is,
    "predecessors": _undone,
    "estimate": _no_estimate,
    "estimate_next": _estimate_anew,
    "representative": _for_itself,
    "goals": _no_goals,
}
"""The verbs that a puzzle may leave out."""

_rules: dict[Any, dict[str, Callable[..., Any]]] = {}


class Rules:
    """The verbs of one puzzle, collected by decorating its functions."""

    def __init__(self, level_dtype: np.dtype[Any]) -> None:
        """Begin the rules for levels of this dtype."""
        self._verbs = _rules.setdefault(numba.from_dtype(level_dtype), dict(DEFAULTS))

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Take a function as this puzzle's implementation of the verb of the same name."""
        name = function.__name__
        if name not in VERBS:
            raise TypeError(f"{name} is not a verb; the verbs are {', '.join(VERBS)}.")
        expected = list(inspect.signature(VERBS[name]).parameters)
        if list(inspect.signature(function).parameters) != expected:
            raise TypeError(f"The verb {name} takes ({', '.join(expected)}).")
        self._verbs[name] = function if isinstance(function, Part) else compiled(function)
        return self._verbs[name]


def _run(name: str, level: LevelRecord, *arguments: Any) -> Any:
    """The verb without compilation (NUMBA_DISABLE_JIT=1)."""
    return _rules[numba.from_dtype(level.dtype)][name](level, *arguments)


def _dispatch(name: str) -> None:
    """Let kernels call the implementation of a verb that belongs to the type of the level."""

    def choose(level: Any) -> Any:
        return _rules.get(level, {}).get(name)

    choose_part(VERBS[name], choose)
    choose_by_level(VERBS[name], choose)


for _name in VERBS:
    _dispatch(_name)
