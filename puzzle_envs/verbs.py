"""The verbs: the compiled functions on (level, state) that implement a puzzle's rules.

A level is one record of a puzzle's own numpy dtype. A state is a row of 64-bit words, as many as
the level needs: environments step it, vector environments keep many in one array, and search tables
store it. A rules file implements the verbs as plain functions:

    rules = Rules(GARDEN)

    @rules
    def apply(level, state, action): ...

Generic kernels call the verbs below; for each level type numba compiles them with that puzzle's
rules force-inlined.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeAlias

import numba
import numpy as np

from puzzle_envs.kernels.compiled import compiled, inlined, separate
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
"""An estimate that proves a dead end: no solution from here."""
UNESTIMATED = -1
"""Placeholder for an unknown estimate."""

# Types of arguments of compiled functions, for type checkers only: the fields of a level and the
# words of a state are Any to them.
LevelRecord: TypeAlias = Any
"""One record of a puzzle's level dtype."""
State: TypeAlias = Any
"""A row of uint64."""
Findings: TypeAlias = Any
"""What a heuristic has precomputed for a level: a row of uint64."""
Rows: TypeAlias = Any
"""States, one row of uint64 each."""
Costs: TypeAlias = Any
"""An int64 per row."""
Mask: TypeAlias = Any
"""An int8 per action."""
Planes: TypeAlias = Any
"""An int8 per cell of each observation plane, plane after plane."""


def start(level: LevelRecord, state: State) -> None:
    """Write the first state."""
    _run("start", level, state)


def legal(level: LevelRecord, state: State, mask: Mask) -> int:
    """Write 1 for each legal action, 0 for every other; return the number of legal actions.

    An unsolved puzzle without legal actions is lost.
    """
    return _run("legal", level, state, mask)  # type: ignore[no-any-return]


def apply(level: LevelRecord, state: State, action: int) -> int:
    """Apply an action in place; return its cost in the paper's moves, or -1 if it is illegal."""
    return _run("apply", level, state, action)  # type: ignore[no-any-return]


def solved(level: LevelRecord, state: State) -> bool:
    """Whether the puzzle is solved."""
    return _run("solved", level, state)  # type: ignore[no-any-return]


def fitness(level: LevelRecord, state: State) -> float:
    """The paper's fitness, higher is better."""
    return _run("fitness", level, state)  # type: ignore[no-any-return]


def forfeit(level: LevelRecord) -> int:
    """The cost of a lost game in moves: at least that of any solution."""
    return _run("forfeit", level)  # type: ignore[no-any-return]


def valid(level: LevelRecord, state: State) -> bool:
    """Whether these words are a state of this level; the other verbs assume so."""
    return _run("valid", level, state)  # type: ignore[no-any-return]


def scenery(level: LevelRecord, planes: Planes) -> None:
    """Write the planes that never change on this level, and 0 everywhere else.

    `planes` is one row: plane after plane, each as large as the largest level of the set.
    """
    _run("scenery", level, planes)


def observe(level: LevelRecord, state: State, planes: Planes) -> None:
    """Add the state to a copy of the scenery."""
    _run("observe", level, state, planes)


def play(level: LevelRecord, state: State, action: int) -> tuple[int, int]:
    """Apply an action as `apply` does; also return its cost in the second count, 0 if illegal.

    Only for puzzles with two move counts.
    """
    return _run("play", level, state, action)  # type: ignore[no-any-return]


def show(level: LevelRecord, unchanging: Planes, state: State, planes: Planes, mask: Mask) -> int:
    """Write the observation and the mask of a state; return the number of legal actions.

    The default copies `unchanging`, the scenery, and calls `observe` and `legal`; implement it only
    if doing all of this at once is faster.
    """
    return _run("show", level, unchanging, state, planes, mask)  # type: ignore[no-any-return]


def canonical(level: LevelRecord, state: State) -> None:
    """Bring a state into the canonical form of the results of `successors`, in place.

    Optional: by default all states are in that form.
    """
    _run("canonical", level, state)


def successors(level: LevelRecord, state: State, rows: Rows, costs: Costs) -> int:
    """Generate all macro-moves (the paper's moves): their results, in canonical form, and costs.

    Whatever free moves lead to from a result is a result itself; only from other states, such as a
    start, do free moves lead to new states. Returns the number of results, or -1 if `rows` is too
    short: its end serves as scratch.
    """
    return _run("successors", level, state, rows, costs)  # type: ignore[no-any-return]


def predecessors(level: LevelRecord, state: State, rows: Rows, costs: Costs) -> int:
    """Generate all canonical states one macro-move before a canonical one, with their costs.

    Backward search needs reversible moves (`Puzzle.reversible`); for those this equals
    `successors`, unless that stops at solved states. `rows` and the result are as in `successors`.
    """
    return _run("predecessors", level, state, rows, costs)  # type: ignore[no-any-return]


def hopeless(level: LevelRecord, state: State) -> bool:
    """Whether a cheap, sound test proves a dead end; False if unknown, and by default."""
    return _run("hopeless", level, state)  # type: ignore[no-any-return]


def unfold(level: LevelRecord, state: State, target: State, rows: Rows, actions: Any) -> int:
    """Write the actions of a macro-move from `state` to `target`; return their number.

    Returns -1 if there is none. `rows` is scratch, as in `successors`.
    """
    return _run("unfold", level, state, target, rows, actions)  # type: ignore[no-any-return]


def estimate(level: LevelRecord, findings: Findings, state: State) -> int:
    """An admissible heuristic: a lower bound on the cost left; NEVER or more proves a dead end.

    `findings` are those of `Puzzle.findings`. Defaults to 0.
    """
    return _run("estimate", level, findings, state)  # type: ignore[no-any-return]


def estimate_next(
    level: LevelRecord, findings: Findings, state: State, known: Any, row: State
) -> int:
    """The estimate of a successor of a state whose own estimate is `known`, or UNESTIMATED.

    For incremental heuristics; defaults to `estimate`.
    """
    return _run("estimate_next", level, findings, state, known, row)  # type: ignore[no-any-return]


def heuristic(level: LevelRecord, findings: Findings, state: State) -> int:
    """A heuristic that may be inadmissible; NEVER or more proves a dead end.

    For searches that promise no optimum. `findings` are those of `Puzzle.heuristic_findings`.
    Defaults to `estimate`, which also serves findings of an estimate.
    """
    return _run("heuristic", level, findings, state)  # type: ignore[no-any-return]


def milestones(level: LevelRecord, state: State) -> int:
    """A number for the irreversible progress of a state, such as the holes filled.

    It is used only to distinguish states. Defaults to 0.
    """
    return _run("milestones", level, state)  # type: ignore[no-any-return]


def lasting(level: LevelRecord, state: State) -> int:
    """A number for the irreversible changes so far, such as which holes are filled.

    It is used to distinguish states, though two may share a number. Defaults to `milestones`.
    """
    return _run("lasting", level, state)  # type: ignore[no-any-return]


def outlook(level: LevelRecord, state: State, room: Any) -> int:
    """A slow heuristic, computed only after irreversible changes; NEVER or more proves a dead end.

    It may be inadmissible. `room` is working memory. Defaults to 0.
    """
    return _run("outlook", level, state, room)  # type: ignore[no-any-return]


def outlook_room(level: LevelRecord) -> int:
    """The words of working memory that `outlook` needs; defaults to 0."""
    return _run("outlook_room", level)  # type: ignore[no-any-return]


def atom_count(level: LevelRecord, planes: Planes) -> int:
    """An upper bound, exclusive, on the atoms of a level; defaults to the size of the planes."""
    return _run("atom_count", level, planes)  # type: ignore[no-any-return]


def atoms(level: LevelRecord, state: State, planes: Planes, found: Any) -> int:
    """Write the atoms of a state, the facts that hold in it, ascending; return their number.

    Width search looks for atoms, and pairs of atoms, not seen before. By default they are the cells
    that the observation adds to the scenery. `planes` is the scenery and a row of working memory.
    """
    return _run("atoms", level, state, planes, found)  # type: ignore[no-any-return]


def aims(level: LevelRecord, findings: Findings, state: State, found: Any) -> int:
    """Write atoms that states on the path to a goal may have, such as those of a relaxed plan.

    If there are more than `found` can hold, those nearest to the goal are written. Returns their
    number, or -1 as a proof that there is no solution. Defaults to none.
    """
    return _run("aims", level, findings, state, found)  # type: ignore[no-any-return]


def traits(level: LevelRecord, findings: Findings, state: State, row: State, found: Any) -> int:
    """Write traits of a macro-move, `state` to `row`, as numbers; return their number, at most 16.

    Learned policies use them in addition to what a move changes on the board. `findings` are those
    of `Puzzle.findings`. Defaults to none.
    """
    return _run("traits", level, findings, state, row, found)  # type: ignore[no-any-return]


def representative(level: LevelRecord, findings: Findings, state: State) -> None:
    """Replace a canonical state by the representative of its symmetry class.

    States with the same representative have solutions of equal cost. By default every state
    represents itself.
    """
    _run("representative", level, findings, state)


def goals(level: LevelRecord, rows: Rows) -> int:
    """Write every canonical solved state; return their number, or -1 if `rows` is too short.

    Only for puzzles with reversible moves of equal cost (`Puzzle.reversible`).
    """
    return _run("goals", level, rows)  # type: ignore[no-any-return]


VERBS: dict[str, Callable[..., Any]] = {
    name: stub
    for name, stub in list(globals().items())
    if inspect.isfunction(stub) and stub.__module__ == __name__ and not name.startswith("_")
}
"""The stubs above, by name."""


@inlined
def _play_by_one_count(level: LevelRecord, state: State, action: int) -> tuple[int, int]:
    return apply(level, state, action), 0


@inlined
def _show_in_turn(
    level: LevelRecord, unchanging: Planes, state: State, planes: Planes, mask: Mask
) -> int:
    """Write first the observation, then the mask."""
    for cell in range(planes.size):
        planes[cell] = unchanging[cell]
    observe(level, state, planes)
    return legal(level, state, mask)


@compiled
def _as_it_is(level: LevelRecord, state: State) -> None:
    return None


@compiled
def _unknown(level: LevelRecord, state: State) -> bool:
    return False


@compiled
def _no_estimate(level: LevelRecord, findings: Findings, state: State) -> int:
    return 0


@compiled
def _estimate_anew(
    level: LevelRecord, findings: Findings, state: State, known: Any, row: State
) -> int:
    return estimate(level, findings, row)


@compiled
def _estimated(level: LevelRecord, findings: Findings, state: State) -> int:
    return estimate(level, findings, state)


@compiled
def _none_passed(level: LevelRecord, state: State) -> int:
    return 0


@compiled
def _milestones_passed(level: LevelRecord, state: State) -> int:
    return milestones(level, state)


@compiled
def _no_outlook(level: LevelRecord, state: State, room: Any) -> int:
    return 0


@compiled
def _no_room(level: LevelRecord) -> int:
    return 0


@compiled
def _one_a_cell(level: LevelRecord, planes: Planes) -> int:
    return planes.shape[1]  # type: ignore[no-any-return]


@compiled
def _marked_cells(level: LevelRecord, state: State, planes: Planes, found: Any) -> int:
    shown, count = planes[1], 0
    for cell in range(shown.size):
        shown[cell] = planes[0, cell]
    observe(level, state, shown)
    for cell in range(shown.size):
        if shown[cell] != 0 and planes[0, cell] == 0:
            found[count] = cell
            count += 1
    return count


@compiled
def _no_aims(level: LevelRecord, findings: Findings, state: State, found: Any) -> int:
    return 0


@compiled
def _no_traits(level: LevelRecord, findings: Findings, state: State, row: State, found: Any) -> int:
    return 0


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
    "play": _play_by_one_count,
    "show": _show_in_turn,
    "canonical": _as_it_is,
    "predecessors": _undone,
    "hopeless": _unknown,
    "estimate": _no_estimate,
    "estimate_next": _estimate_anew,
    "heuristic": _estimated,
    "milestones": _none_passed,
    "lasting": _milestones_passed,
    "outlook": _no_outlook,
    "outlook_room": _no_room,
    "atom_count": _one_a_cell,
    "atoms": _marked_cells,
    "aims": _no_aims,
    "traits": _no_traits,
    "representative": _for_itself,
    "goals": _no_goals,
}
"""Default implementations of the optional verbs."""

STEPPING = frozenset({"apply", "fitness", "legal", "observe", "play", "show", "solved"})
"""The verbs of every step, force-inlined: as calls, unpacking arrays and checking for errors would
take a third of a step."""

SEARCHING = frozenset(
    {"aims", "estimate", "heuristic", "outlook", "predecessors", "successors", "unfold"}
)
"""The large verbs of searches: compiled once, not into each kernel that calls them."""

_rules: dict[Any, dict[str, Callable[..., Any]]] = {}


class Rules:
    """The verbs of one puzzle, collected by decorating its functions."""

    def __init__(self, level_dtype: np.dtype[Any]) -> None:
        """Create the rules of levels of this dtype."""
        self._verbs = _rules.setdefault(numba.from_dtype(level_dtype), dict(DEFAULTS))

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Register a function as this puzzle's implementation of the verb of the same name."""
        name = function.__name__
        if name not in VERBS:
            raise TypeError(f"{name} is not a verb; verbs are {', '.join(VERBS)}.")
        expected = list(inspect.signature(VERBS[name]).parameters)
        if list(inspect.signature(function).parameters) != expected:
            raise TypeError(f"The verb {name} takes ({', '.join(expected)}).")
        if not isinstance(function, Part):  # another puzzle's verb too
            function = _way_of(name)(function)
        self._verbs[name] = function
        return self._verbs[name]


def _way_of(verb: str) -> Callable[..., Any]:
    """How a verb is compiled, unless its puzzle says so."""
    if verb in STEPPING:
        return inlined
    return separate if verb in SEARCHING else compiled


def implements(level_dtype: np.dtype[Any], verb: str) -> bool:
    """Whether the rules of levels of this dtype implement a verb, instead of its default."""
    own = _rules[numba.from_dtype(level_dtype)].get(verb)
    return own is not None and own is not DEFAULTS.get(verb)


def _run(name: str, level: LevelRecord, *arguments: Any) -> Any:
    """Call a verb without compilation (NUMBA_DISABLE_JIT=1)."""
    return _rules[numba.from_dtype(level.dtype)][name](level, *arguments)


def _dispatch(name: str) -> None:
    """Let kernels call the implementation of a verb for the type of the level."""

    def choose(level: Any) -> Any:
        return _rules.get(level, {}).get(name)

    choose_part(VERBS[name], choose)
    choose_by_level(VERBS[name], choose)


for _name in VERBS:
    _dispatch(_name)
