"""Machine code for the rules: compiled on first use, cached on disk, never stale.

Numba's own cache checks only the file of the cached function. Here almost every call crosses files
(a search engine calls the rules of a puzzle), so after an edit of a rules file it would still run
the old machine code. This cache is keyed by everything that is called (reached.py).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import pkgutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
import numpy as np
from numba.core import caching, compiler, serialize

from puzzle_envs.common.files import write_whole
from puzzle_envs.kernels.announcement import announcement
from puzzle_envs.kernels.parts import COMPILES, Kernel, Part
from puzzle_envs.kernels.reached import VERSIONS, codes_of, hash_of, level_types, parts_of

__all__ = ["compiled", "entitle", "inlined", "kernel", "rare_kernel"]

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a helper function into the kernels that call it."""
    return Part(function) if COMPILES else function


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """The same, always inlined: for helpers in hot loops, and with bundles as arguments."""
    return Part(function, forceinline=True) if COMPILES else function


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that Python calls, and cache its machine code on disk."""
    return _kept(function, small=False)


def rare_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """The same for functions called once per episode or search: they compile in half the time."""
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
    """One file per function, signature and hash of the code reached; damaged files are replaced."""

    def __init__(self, function: Callable[..., Any], *, small: bool) -> None:
        self._function, self._small = function, small

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        # A class named in the file (of a bundle) may have moved to another module since.
        with contextlib.suppress(OSError, ImportError, AttributeError):
            payload = _verified(path.read_bytes()) if path else None
            if payload is not None:
                rebuild: Any = compiler.CompileResult._rebuild
                return rebuild(target_context, *pickle.loads(payload))
        self._announce(_arguments(sig), cache_folder() if path else None)
        return None

    def _announce(self, arguments: tuple[Any, ...], folder: Path | None) -> None:
        titles = [_titles[one] for one in level_types(arguments) if one in _titles]
        parts = [one for one in parts_of(self._function, arguments) if not one.overloads]
        module, name = self._function.__module__, self._function.__name__
        announcement.begin(module, name, " and ".join(titles), len(parts), folder)

    def save_overload(self, sig: Any, data: Any) -> None:
        announcement.end()
        path = self._path(sig, data.codegen)
        if path is None or data.library.has_dynamic_globals:
            return
        dumps: Any = serialize.dumps
        payload = dumps(data._reduce())
        # If the disk is full or gone, the next process compiles again; nothing else is lost.
        with contextlib.suppress(OSError):
            write_whole(path, hashlib.sha256(payload).digest() + payload)

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        folder = cache_folder()
        if folder is None:
            return None
        arguments = _arguments(sig)
        reached = hash_of(self._function, arguments)
        if reached is None:
            return None
        name = f"{self._function.__module__}.{self._function.__qualname__}"
        how = (VERSIONS, _way(), self._small, codegen.magic_tuple())
        key = (how, name, repr(arguments), reached)
        hashed = hashlib.sha256(repr(key).encode()).hexdigest()[:32]
        return folder / f"{self._function.__name__}-{hashed}.bin"


@functools.cache
def _way() -> str:
    """A hash of how kernels are compiled: the code that does it, without docstrings."""
    said = []
    for file in ("calling.py", "inference.py", "lowering.py", "parts.py"):
        source = pkgutil.get_data(__package__, file) or b""
        for code in codes_of(compile(source, file, "exec", optimize=2)):
            constants = [one for one in code.co_consts if not hasattr(one, "co_code")]
            said.append((code.co_code, code.co_names, constants))
    return hashlib.sha256(repr(said).encode()).hexdigest()


def _arguments(signature: Any) -> tuple[Any, ...]:
    """The types of a call's arguments; numba passes a signature or only these."""
    arguments: tuple[Any, ...] = getattr(signature, "args", signature)
    return arguments


def _verified(data: bytes) -> bytes | None:
    """The payload of a cache file; None if the file is truncated or damaged."""
    digest, payload = data[:32], data[32:]
    return payload if hashlib.sha256(payload).digest() == digest else None


@functools.cache
def cache_folder() -> Path | None:
    """The cache folder: the first that belongs to this user and is writable; None without any.

    Candidates are the folder in PUZZLE_ENVS_CACHE, the user's cache folder, and a private folder
    among the temporary files; never the installed package, which may be read-only.
    """
    for choose in (_named_cache, _user_cache, _temporary_cache):
        try:
            folder = choose()
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.access(folder, os.W_OK) and _is_ours(folder):
                return folder
        except (KeyError, OSError, RuntimeError):  # no variable; not writable; user without a home
            continue
    return None


def _named_cache() -> Path:
    named = os.environ["PUZZLE_ENVS_CACHE"]
    if not named:
        raise KeyError("PUZZLE_ENVS_CACHE")
    return Path(named)


def _user_cache() -> Path:
    variable = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    base = os.environ.get(variable)
    return (Path(base) if base else Path.home() / ".cache") / "puzzle-envs"


def _temporary_cache() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"puzzle-envs-{user}"


def _is_ours(folder: Path) -> bool:
    """Whether only this user can write to a folder; code read from it is run."""
    if not hasattr(os, "getuid"):
        return True
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022
