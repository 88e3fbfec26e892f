"""A puzzle is a folder: this finds its parts, and tells Gymnasium its ids.

The rules are imported (and with them numba) when the first environment is made, the picture when
the first one is drawn; so importing the package stays quick.
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
from puzzle_envs.level import Level, LevelError, LevelFormat, LevelLike, Record
from puzzle_envs.rendering.controls import ActionList, Controls
from puzzle_envs.rendering.picture import Picture
from puzzle_envs.rendering.theme import Theme
from puzzle_envs.replay import Replay

__all__ = ["Findings", "Puzzle", "example_of"]

Findings: TypeAlias = Callable[[Record], npt.NDArray[np.uint64]]
"""Finds out about a level what an estimate looks up."""


@dataclass(frozen=True)
class Puzzle:
    """All that serves a puzzle: modules of one package; level, rules and picture must be there.

    The package's `__init__` holds this object as PUZZLE, and the two environment classes.
    """

    package: str
    title: str
    """Its name for people."""
    environment: str
    """Names of the two classes in the package."""
    vector_environment: str
    default_level: str
    """What an environment shows when neither level nor levels is given."""
    registered: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The ids, each with what `gymnasium.register` takes beside the entry points."""

    reversible: bool = False
    """Whether every whole move can be undone by one of the same cost."""

    options: tuple[tuple[str, Any], ...] = ()
    """Environment arguments of this puzzle's own, which its format knows."""

    @cached_property
    def format(self) -> LevelFormat:
        """How its levels are read and written."""
        return _format_of(self.package, **dict(self.options))

    @property
    def codec(self) -> Codec:
        """What its planes and its actions mean."""
        return self.format.codec

    def configured(self, **options: Any) -> Puzzle:
        """The same puzzle under arguments of its own, such as a metric."""
        if not options:
            return self
        for name, value in options.items():
            if not isinstance(value, Hashable):
                raise TypeError(f"{name} is a name, a number or a switch, not {shown(value)}.")
        return replace(self, options=tuple(sorted((dict(self.options) | options).items())))

    def made_with(self, environment: type, options: Mapping[str, Any]) -> Puzzle:
        """The same under what the constructor of an environment's class got and does not know.

        What the puzzle does not know either is refused in Python's own words, by which other
        software recognizes that an argument cannot be given.
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
        """How its states are drawn."""
        return import_module(f"{self.package}.picture").Picture  # type: ignore[no-any-return]

    def controls(self, shape: Shape) -> Controls:
        """How a person plays; where the puzzle has no module `controls`, from a list of actions."""
        module = self._load("controls")
        if module is None:
            return ActionList(lambda action: self.codec.action_text(action, shape))
        own: Controls = module.controls(self.format)
        return own

    @property
    def generator(self) -> Generator | None:
        """How new levels come about, if it has a module `generator`."""
        module = self._load("generator")
        return None if module is None else module.GENERATOR

    @property
    def solution(self) -> Callable[[Record], npt.NDArray[np.int64] | None] | None:
        """What stands in each cell in the end, row by row, if its module `exact` finds that out."""
        module = self._load("exact")
        return None if module is None else module.solution

    @property
    def replay(self) -> Replay | None:
        """How a page draws its episodes, if it has a module `replay`; as text otherwise."""
        module = self._load("replay")
        return None if module is None else module.REPLAY

    def choose(
        self, level: LevelLike | None, levels: LevelLike | Iterable[LevelLike] | None
    ) -> list[Level]:
        """The levels that the arguments `level` and `levels` of an environment mean."""
        self.refuse_both(level, levels)
        if levels is not None:
            return self.format.find_all(levels)
        found = self.format.find(self.default_level if level is None else level)
        if len(found) > 1:
            raise LevelError(
                f"{str(level)!r} holds {len(found)} levels; use levels= to draw from them, or "
                f"name one, such as '{example_of(level, found)}'."
            )
        return found

    @staticmethod
    def refuse_both(level: object, levels: object) -> None:
        """One level and a set to draw from exclude each other."""
        if level is not None and levels is not None:
            raise LevelError("Give level= (one) or levels= (several to draw from), not both.")

    def load_rules(self) -> None:
        """Make the verbs know this puzzle."""
        assert self._loaded

    @cached_property
    def _loaded(self) -> bool:
        """What loading takes a millisecond for is done once."""
        from puzzle_envs.kernels.compiled import entitle

        import_module(f"{self.package}.rules")
        entitle(self.format.dtype, self.title)
        self._load("estimate")
        return True

    @cached_property
    def estimates(self) -> Mapping[str, Findings]:
        """The estimates by name, the usual one first: what each wants to be found out of a level.

        They are ESTIMATES of the puzzle's module `estimate`; a puzzle without one has none.
        """
        module = self._load("estimate")
        return {"none": _nothing_found} if module is None else module.ESTIMATES

    def findings(self, record: Record, estimate: str | None = None) -> npt.NDArray[np.uint64]:
        """What the estimate of this name (None: the usual one) looks up about a level."""
        self.check_estimate(estimate)
        name = next(iter(self.estimates)) if estimate is None else estimate
        return self.estimates[name](record)

    def planned(self, records: np.ndarray) -> np.ndarray:
        """The levels for searches that weigh costs, in which macro-moves may be longer.

        States and actions stay the same. It is `planned` of the puzzle's module `estimate`; by
        default they are as they were.
        """
        planned: Callable[[np.ndarray], np.ndarray] | None = getattr(
            self._load("estimate"), "planned", None
        )
        return records if planned is None else planned(records)

    def check_estimate(self, estimate: str | None) -> None:
        """Refuse the name of an estimate that there is not."""
        if estimate is not None and estimate not in self.estimates:
            raise ValueError(
                f"{self.title} has no estimate '{estimate}'; it has {', '.join(self.estimates)}."
            )

    def _load(self, name: str) -> ModuleType | None:
        """A module of the puzzle's package; None where it has none of this name."""
        module = f"{self.package}.{name}"
        return None if find_spec(module) is None else import_module(module)

    def __reduce__(self) -> tuple[Callable[..., Puzzle], tuple[Any, ...]]:
        """A copy of a puzzle is the same puzzle."""
        return _puzzle_of, (self.package, self.options)

    def register(self) -> None:
        """Register the ids with Gymnasium."""
        for name, options in self.registered.items():
            gymnasium.register(
                name,
                entry_point=f"{self.package}:{self.environment}",
                vector_entry_point=f"{self.package}:{self.vector_environment}",
                **options,
            )


def example_of(wanted: object, found: Sequence[Level]) -> str:
    """How one of the levels is called that were found where one was wanted."""
    first = found[0].name
    return f"{wanted}/{first}" if str(wanted).endswith(".txt") else first


def _nothing_found(record: Record) -> npt.NDArray[np.uint64]:
    return np.empty(0, np.uint64)


@functools.lru_cache(maxsize=None, typed=True)  # 1 is no True: the format refuses it
def _format_of(package: str, **options: Any) -> LevelFormat:
    """Memoised: one object for the same arguments, since level files are cached by this object."""
    plain: LevelFormat = import_module(f"{package}.level").FORMAT
    return plain.configured(**options)


def _puzzle_of(package: str, options: tuple[tuple[str, Any], ...]) -> Puzzle:
    puzzle: Puzzle = import_module(package).PUZZLE
    return puzzle.configured(**dict(options))
