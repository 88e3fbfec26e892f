"""Puzzles as packages: their parts, and their registration with Gymnasium.

The rules (and with them numba) are imported when the first environment is made, the picture when
the first one is drawn, so that importing the package is fast.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt

from puzzle_envs.codec import Codec, Shape
from puzzle_envs.common.arguments import shown
from puzzle_envs.common.suggestion import did_you_mean
from puzzle_envs.generation import Generator
from puzzle_envs.importing import Notation
from puzzle_envs.level import Level, LevelError, LevelFormat, LevelLike, Record, Words
from puzzle_envs.planning import Planning
from puzzle_envs.rendering.controls import ActionList, Controls
from puzzle_envs.rendering.picture import Picture
from puzzle_envs.rendering.theme import Theme
from puzzle_envs.replay import Replay

__all__ = ["Findings", "Puzzle", "example_of"]

Findings: TypeAlias = Callable[[Record], Words]
"""Precomputes what an estimate looks up about a level."""


@dataclass(frozen=True)
class Puzzle:
    """A puzzle package and its parts; only level, rules and picture are required.

    The package's `__init__` holds this object as PUZZLE, and the two environment classes.
    """

    package: str
    title: str
    """Human-readable name."""
    environment: str
    """Names of the two environment classes in the package."""
    vector_environment: str
    default_level: str
    """The level of environments created without level or levels."""
    registered: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Environment ids, each with arguments of `gymnasium.register` besides the entry points."""

    reversible: bool = False
    """Whether every macro-move can be undone by one of equal cost."""

    options: tuple[tuple[str, Any], ...] = ()
    """Puzzle-specific environment arguments, handled by its format."""

    @cached_property
    def format(self) -> LevelFormat:
        """Reads and writes its levels."""
        return _format_of(self.package, **dict(self.options))

    @property
    def codec(self) -> Codec:
        """The meaning of its planes and actions."""
        return self.format.codec

    def configured(self, **options: Any) -> Puzzle:
        """The same puzzle with puzzle-specific arguments, such as a metric."""
        if not options:
            return self
        for name, value in options.items():
            if not isinstance(value, Hashable):
                raise TypeError(f"{name} must be a name, a number or a switch, not {shown(value)}.")
        return replace(self, options=tuple(sorted((dict(self.options) | options).items())))

    def made_with(self, environment: type, options: Mapping[str, Any]) -> Puzzle:
        """The same puzzle with the arguments that an environment's constructor does not know.

        Arguments unknown to the puzzle raise Python's own TypeError message, by which other
        software recognises unsupported arguments.
        """
        own = self.format.arguments()
        for name in options:
            if name not in own:
                taken = [*inspect.signature(environment).parameters, *own]
                taken.remove("options")
                raise TypeError(
                    f"{environment.__name__}.__init__() got an unexpected keyword argument "
                    f"{name!r}.{did_you_mean(name, taken)} It takes {', '.join(taken)}."
                )
        return self.configured(**options)

    @cached_property
    def picture(self) -> Callable[[int, Theme], Picture]:
        """Draws its states."""
        return import_module(f"{self.package}.picture").Picture  # type: ignore[no-any-return]

    def controls(self, shape: Shape) -> Controls:
        """The controls for playing; a list of actions if the puzzle has no module `controls`."""
        module = self._load("controls")
        if module is None:
            return ActionList(lambda action: self.codec.action_text(action, shape))
        own: Controls = module.controls(self.format)
        return own

    @property
    def generator(self) -> Generator | None:
        """Its level generator, if it has a module `generator`."""
        module = self._load("generator")
        return None if module is None else module.GENERATOR

    @property
    def solution(self) -> Callable[[Record], npt.NDArray[np.int64] | None] | None:
        """Finds the final numbers of all cells, row by row, if its module `exact` does."""
        module = self._load("exact")
        return None if module is None else module.solution

    @property
    def replay(self) -> Replay | None:
        """Its drawing code for reports, if it has a module `replay`; otherwise text is shown."""
        module = self._load("replay")
        return None if module is None else module.REPLAY

    @property
    def planning(self) -> Planning | None:
        """Its translation for planners, if it has a module `planning`."""
        module = self._load("planning")
        return None if module is None else module.task

    @property
    def notations(self) -> Sequence[Notation]:
        """Its level notations of other programs, if it has a module `importer`."""
        module = self._load("importer")
        return () if module is None else module.NOTATIONS

    def choose(
        self, level: LevelLike | None, levels: LevelLike | Iterable[LevelLike] | None
    ) -> list[Level]:
        """The levels meant by the arguments `level` and `levels` of an environment."""
        self.refuse_both(level, levels)
        if levels is not None:
            return self.format.find_all(levels)
        if isinstance(level, (list, tuple)):
            raise TypeError(
                f"level must be one level, not {shown(level)}; use levels= for several."
            )
        found = self.format.find(self.default_level if level is None else level)
        if len(found) > 1:
            raise LevelError(
                f"{str(level)!r} holds {len(found)} levels; use levels= to draw from them, or "
                f"name one, such as '{example_of(level, found)}'."
            )
        return found

    @staticmethod
    def refuse_both(level: object, levels: object) -> None:
        """Reject both a level and a set."""
        if level is not None and levels is not None:
            raise LevelError("Give level= (one) or levels= (several to draw from), not both.")

    def implements(self, verb: str) -> bool:
        """Whether its rules implement a verb, instead of its default."""
        from puzzle_envs.verbs import implements

        self.load_rules()
        return implements(self.format.dtype, verb)

    def load_rules(self) -> None:
        """Register this puzzle's rules with the verbs."""
        assert self._loaded

    @cached_property
    def _loaded(self) -> bool:
        """Registered; it takes a millisecond, so it is done once."""
        from puzzle_envs.kernels.compiled import entitle

        import_module(f"{self.package}.rules")
        entitle(self.format.dtype, self.title)
        self._load("estimate")
        self._load("heuristic")
        self._load("traits")
        return True

    @cached_property
    def estimates(self) -> Mapping[str, Findings]:
        """The heuristics by name, the default first: functions that precompute their findings.

        They are ESTIMATES of the puzzle's module `estimate`; a puzzle without one has none.
        """
        module = self._load("estimate")
        return {"none": _nothing_found} if module is None else module.ESTIMATES

    def findings(self, record: Record, estimate: str | None = None) -> Words:
        """The findings of an estimate (None: the default) for a level."""
        self.check_estimate(estimate)
        name = next(iter(self.estimates)) if estimate is None else estimate
        return self.estimates[name](record)

    def planned(self, records: np.ndarray) -> np.ndarray:
        """The levels as viewed by searches that weigh costs, possibly with longer macro-moves.

        States and actions are the same. This is `planned` of the puzzle's module `estimate`; by
        default levels are unchanged.
        """
        planned: Callable[[np.ndarray], np.ndarray] | None = getattr(
            self._load("estimate"), "planned", None
        )
        return records if planned is None else planned(records)

    def check_estimate(self, estimate: str | None) -> None:
        """Reject unknown estimates."""
        if estimate is None or estimate in self.estimates:
            return
        if estimate in self.heuristics:
            raise ValueError(
                f"'{estimate}' of {self.title} is not a lower bound, as an estimate must be; use "
                f"{', '.join(self.estimates)}, or an agent with the argument heuristic."
            )
        raise ValueError(
            f"{self.title} has no estimate '{estimate}'; it has {', '.join(self.estimates)}."
        )

    @cached_property
    def heuristics(self) -> Mapping[str, Findings]:
        """The heuristics by name, the default first, for searches that promise no optimum.

        They are HEURISTICS of the puzzle's module `heuristic`, if it has one, and the estimates.
        """
        module = self._load("heuristic")
        own: Mapping[str, Findings] = {} if module is None else module.HEURISTICS
        return {**own, **self.estimates}

    def heuristic_findings(self, record: Record, heuristic: str | None = None) -> Words:
        """The findings of a heuristic (None: the default) for a level."""
        self.check_heuristic(heuristic)
        name = next(iter(self.heuristics)) if heuristic is None else heuristic
        return self.heuristics[name](record)

    def check_heuristic(self, heuristic: str | None) -> None:
        """Reject unknown heuristics."""
        if heuristic is not None and heuristic not in self.heuristics:
            raise ValueError(
                f"{self.title} has no heuristic '{heuristic}'; it has {', '.join(self.heuristics)}."
            )

    def _load(self, name: str) -> ModuleType | None:
        """A module of the puzzle's package; None if there is none."""
        module = f"{self.package}.{name}"
        return None if find_spec(module) is None else import_module(module)

    def __reduce__(self) -> tuple[Callable[..., Puzzle], tuple[Any, ...]]:
        """Copies are identical."""
        return _puzzle_of, (self.package, self.options)

    def register(self) -> None:
        """Register the environment ids with Gymnasium."""
        for name, options in self.registered.items():
            gymnasium.register(
                name,
                entry_point=f"{self.package}:{self.environment}",
                vector_entry_point=f"{self.package}:{self.vector_environment}",
                **options,
            )


def example_of(wanted: object, found: Sequence[Level]) -> str:
    """The name of one of the levels found where a single one was wanted."""
    first = found[0].name
    return f"{wanted}/{first}" if str(wanted).endswith(".txt") else first


def _nothing_found(record: Record) -> Words:
    return np.empty(0, np.uint64)


@functools.lru_cache(maxsize=None, typed=True)  # 1 is not True: the format rejects it
def _format_of(package: str, **options: Any) -> LevelFormat:
    """Memoised, since level files are cached per format object."""
    plain: LevelFormat = import_module(f"{package}.level").FORMAT
    return plain.configured(**options)


def _puzzle_of(package: str, options: tuple[tuple[str, Any], ...]) -> Puzzle:
    puzzle: Puzzle = import_module(package).PUZZLE
    return puzzle.configured(**dict(options))
