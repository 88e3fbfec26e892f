"""The info of a vector environment: a dict whose arrays are created on first access.

A training loop reads few of them, and creating all takes a tenth as long as the step.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from puzzle_envs.episodes.batch import Batch
    from puzzle_envs.episodes.bundles import Frame

__all__ = ["Columns", "Infos"]

Flags = npt.NDArray[np.bool_]

ALWAYS = (
    "action_mask",
    "solved",
    "lost",
    "illegal",
    "moves",
    "illegal_moves",
    "fitness",
    "level",
)
"""Keys of every puzzle; its own counts and facts follow."""


class Columns:
    """The columns of a frame by name, one entry per episode.

    As in Gymnasium, a second column, its name with an underscore in front, says which episodes
    have it.
    """

    def __init__(self, batch: Batch, frame: Frame, included: Flags | None = None) -> None:
        """Keep the sources of the columns; none of them is written again.

        Args:
            batch: The episodes.
            frame: Their states after the step.
            included: The episodes to include; None for all.
        """
        self._masks, self._outcomes, self._included = frame.masks, frame.outcomes, included
        self._names, self._optima = batch.names, batch.optima
        self._counts, self._facts = batch.puzzle.codec.counts, batch.puzzle.format.facts
        self._always = (*ALWAYS, *self._counts, *self._facts)

    def __contains__(self, key: object) -> bool:
        """Whether there is such a column."""
        name = key.removeprefix("_") if isinstance(key, str) else key
        return name in self._always or (name == "optimum" and bool(self._has_optimum.any()))

    def __iter__(self) -> Iterator[str]:
        """All keys."""
        yield from self._always
        yield from (f"_{name}" for name in self._always)
        if self._has_optimum.any():
            yield from ("optimum", "_optimum")

    def make(self, key: str) -> np.ndarray:
        """The column of a key, as a new array."""
        if key.startswith("_"):
            return self._who_has(key[1:])
        if key == "action_mask":
            return self._masks.copy()
        if key == "level":
            return self._names.take(self._outcomes["level"], mode="clip")
        if key == "optimum":
            optima: np.ndarray = self._optima[self._outcomes["level"]] * self._has_optimum
            return optima
        if key in self._facts:
            return np.full(len(self._outcomes), self._facts[key])
        if key in self._counts:
            key = ("moves", "effort")[self._counts.index(key)]
        return self._outcomes[key].copy()

    def _who_has(self, name: str) -> Flags:
        if name == "optimum":
            return self._has_optimum.copy()
        return (
            np.ones(len(self._outcomes), np.bool_)
            if self._included is None
            else self._included.copy()
        )

    @functools.cached_property
    def _has_optimum(self) -> Flags:
        known: Flags = self._optima[self._outcomes["level"]] >= 0
        return known if self._included is None else known & self._included


class Infos(dict[str, Any]):
    """A dict that creates each column on first access.

    Access to one key creates that column; anything that needs all keys (a loop, a copy, a
    comparison) creates all. A copy is a plain dict.
    """

    __slots__ = ("_columns",)

    def __init__(self, columns: Columns) -> None:
        """Serve these columns; other keys can be set as in any dict."""
        super().__init__()
        self._columns: Columns | None = columns

    def __missing__(self, key: str) -> Any:
        """Create a column."""
        if self._columns is None or key not in self._columns:
            raise KeyError(key)
        value = self[key] = self._columns.make(key)
        return value

    def __contains__(self, key: object) -> bool:
        """Whether the key exists; creates nothing."""
        there = super().__contains__(key)
        return there or (self._columns is not None and key in self._columns)

    def get(self, key: str, default: Any = None) -> Any:
        """One value."""
        with contextlib.suppress(KeyError):
            return self[key]
        return default

    def __reduce_ex__(self, protocol: object) -> tuple[type, tuple[dict[str, Any]]]:
        """Pickled and copied as a plain dict."""
        return dict, (self.copy(),)

    def complete(self) -> None:
        """Create all columns that do not exist yet."""
        for key in self._columns or ():
            self[key]
        self._columns = None


def _of_all(name: str) -> Callable[..., Any]:
    """A method of dict that needs all keys, of its arguments too."""
    method: Callable[..., Any] = getattr(dict, name)

    @functools.wraps(method)
    def call(*arguments: Any) -> Any:
        for one in arguments:
            if isinstance(one, Infos):
                one.complete()
        return method(*arguments)

    return call


# With its own __iter__, dict() and ** get keys and values from these methods, too.
for _name in (
    "__iter__", "__reversed__", "__len__", "__repr__", "__eq__", "__ne__", "__or__", "__ror__",
    "__delitem__", "keys", "values", "items", "pop", "popitem", "setdefault", "copy", "clear",
):  # fmt: skip
    setattr(Infos, _name, _of_all(_name))
