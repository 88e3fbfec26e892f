"""Machine code for the rules: compiled on first use, cached on disk, never stale.

Numba's own cache checks only the file of the cached function. Here almost every call crosses files
(a search engine calls the rules of a puzzle), so after an edit of a rules file it would still run
the old machine code. This cache is keyed by everything that is called (reached.py).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
import numpy as np
from numba.core import caching, compiler

from puzzle_envs.kernels.announcement import announcement
from puzzle_envs.kernels.kept import cache_folder, keep, kept, name_of
from puzzle_envs.kernels.parts import COMPILES, Kernel, Part
from puzzle_envs.kernels.reached import level_types, parts_of
from puzzle_envs.kernels.separate import Separate, load

__all__ = ["compiled", "entitle", "inlined", "kernel", "rare_kernel", "separate"]

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a helper function into the kernels that call it."""
    return Part(function) if COMPILES else function


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Like `compiled`, but always inlined: for hot loops, and with bundles as arguments."""
    return Part(function, forceinline=True) if COMPILES else function


def separate(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a large helper function once, to machine code that all kernels share."""
    return Separate(function) if COMPILES else function


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that Python calls, and cache its machine code on disk."""
    return _kept(function, small=False)


def rare_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Like `kernel`, for functions called once per episode or search: compiles in half the time."""
    return _kept(function, small=True)


def _kept(function: Callable[P, R], *, small: bool) -> Callable[P, R]:
    if not COMPILES:
        return function
    return Kernel(function, _Cache(function, small=small), small=small)


_titles: dict[Any, str] = {}
"""The title of the puzzle, by its level type."""


def entitle(level_dtype: np.dtype[Any], title: str) -> None:
    """Set the title of the puzzle with these levels, for the messages during compilation."""
    _titles[numba.from_dtype(level_dtype)] = title


class _Cache(caching.NullCache):
    """The files of one kernel."""

    def __init__(self, function: Callable[..., Any], *, small: bool) -> None:
        self._function, self._small = function, small

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        name = self._name(sig, target_context.codegen())
        found = kept(name)
        if found is not None and all(load(target_context, one) for one in found[0]):
            rebuild: Any = compiler.CompileResult._rebuild
            return rebuild(target_context, *found[1])
        self._announce(_arguments(sig), cache_folder() if name else None)
        return None

    def _announce(self, arguments: tuple[Any, ...], folder: Path | None) -> None:
        titles = [_titles[one] for one in level_types(arguments) if one in _titles]
        parts = [one for one in parts_of(self._function, arguments) if not one.overloads]
        module, name = self._function.__module__, self._function.__name__
        announcement.begin(module, name, " and ".join(titles), len(parts), folder)

    def save_overload(self, sig: Any, data: Any) -> None:
        announcement.end()
        if not data.library.has_dynamic_globals:
            keep(self._name(sig, data.codegen), (data.library.needed, data._reduce()))

    def _name(self, sig: Any, codegen: Any) -> str | None:
        return name_of(self._function, _arguments(sig), self._small, codegen)


def _arguments(signature: Any) -> tuple[Any, ...]:
    """The types of a call's arguments; numba passes a signature or only these."""
    arguments: tuple[Any, ...] = getattr(signature, "args", signature)
    return arguments
