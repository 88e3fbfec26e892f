"""Machine code for the rules: compiled on first use, kept on disk, never stale.

Numba's own cache looks only at the file that holds the cached function. Here almost every call
crosses files (a search engine calls the rules of a puzzle), so an edited rules file would go on
running old machine code. This cache is keyed by the sources of everything that can be called.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
from numba import types
from numba.core import caching, compiler, serialize

from puzzle_envs.files import write_whole

__all__ = ["NO_KERNELS", "compiled", "inlined", "keep_sources", "kernel"]

P = ParamSpec("P")
R = TypeVar("R")

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}

NO_KERNELS = "no_kernels"
"""An empty file that marks a folder as no part of machine code: editing it compiles nothing."""

_sources: dict[types.Type, Path] = {}
"""The folder that holds the rules of a level type."""


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a helper of the rules; it becomes part of the kernels that call it."""
    dispatcher: Callable[P, R] = numba.njit(**OPTIONS)(function)
    return dispatcher


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """The same for a helper of one kernel that takes many arrays: handing them over costs time."""
    dispatcher: Callable[P, R] = numba.njit(forceinline=True, **OPTIONS)(function)
    return dispatcher


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that Python calls; its machine code is kept between processes."""
    dispatcher: Callable[P, R] = numba.njit(**OPTIONS)(function)
    if dispatcher is not function:  # it is under NUMBA_DISABLE_JIT=1
        dispatcher._cache = _Cache(function)  # type: ignore[attr-defined]
    return dispatcher


def keep_sources(level_type: types.Type, folder: Path) -> None:
    """Say which folder holds the rules of a level type, so that editing them recompiles."""
    _sources[level_type] = folder


class _Cache(caching.NullCache):
    """One file for each function, signature and state of the sources; damaged ones are redone."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        try:
            payload = _verified(path.read_bytes()) if path else None
        except OSError:
            payload = None
        if payload is not None:
            rebuild: Any = compiler.CompileResult._rebuild
            return rebuild(target_context, *pickle.loads(payload))
        _announce(kept=path is not None)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        path = self._path(sig, data.codegen)
        if path is None or data.library.has_dynamic_globals:
            return
        dumps: Any = serialize.dumps
        payload = dumps(data._reduce())
        # A full or vanished disk costs a compilation in the next process, nothing else.
        with contextlib.suppress(OSError):
            write_whole(path, hashlib.sha256(payload).digest() + payload)

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        folder = cache_folder()
        if folder is None:
            return None
        arguments = getattr(sig, "args", sig)
        key = (
            numba.__version__,
            sys.version_info[:2],
            codegen.magic_tuple(),
            repr(arguments),
            self._function.__module__,
            self._function.__qualname__,
            [_fingerprint(root) for root in sorted(_roots(self._function, arguments))],
        )
        name = hashlib.sha256(repr(key).encode()).hexdigest()[:32]
        return folder / f"{self._function.__name__}-{name}.bin"


def _verified(data: bytes) -> bytes | None:
    """The payload of a cache file, or None where the file was cut short or damaged."""
    digest, payload = data[:32], data[32:]
    return payload if hashlib.sha256(payload).digest() == digest else None


def _roots(function: Callable[..., Any], arguments: Iterable[Any]) -> set[Path]:
    """The folders and files whose sources can end up in this function's machine code."""
    module = sys.modules[function.__module__]
    package = sys.modules[function.__module__.partition(".")[0]]
    home = package if getattr(package, "__path__", None) else module
    roots = {Path(__file__).parent}
    if getattr(home, "__file__", None):
        file = Path(str(home.__file__))
        roots.add(file.parent if file.name == "__init__.py" else file)
    for argument in arguments:
        level_type = getattr(argument, "dtype", argument)
        if level_type in _sources:
            roots.add(_sources[level_type])
    return roots


@functools.cache
def _fingerprint(root: Path) -> str:
    """A hash over every Python file below a folder that holds kernels (or over one file)."""
    digest = hashlib.sha256()
    for file in _sources_below(root) if root.is_dir() else [root]:
        digest.update(str(file.relative_to(root)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _sources_below(folder: Path) -> list[Path]:
    """The Python files of a folder, without those that are marked as no part of a kernel."""
    if (folder / NO_KERNELS).exists():
        return []
    inner = [path for path in sorted(folder.iterdir()) if path.is_dir()]
    return sorted(folder.glob("*.py")) + [file for path in inner for file in _sources_below(path)]


@functools.cache
def cache_folder() -> Path | None:
    """The first folder of our own that can be written; None where there is none.

    PUZZLE_ENVS_CACHE names one. Otherwise the user's cache folder, then a private one among the
    temporary files: never the place where the package is installed, which may be read-only.
    """
    for choose in (_named_cache, _user_cache, _temporary_cache):
        try:
            folder = choose()
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.access(folder, os.W_OK) and _is_ours(folder):
                return folder
        except (KeyError, OSError, RuntimeError):  # not named; not writable; nobody's home
            continue
    return None


def _named_cache() -> Path:
    return Path(os.environ["PUZZLE_ENVS_CACHE"])


def _user_cache() -> Path:
    variable = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    base = os.environ.get(variable)
    return (Path(base) if base else Path.home() / ".cache") / "puzzle-envs"


def _temporary_cache() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"puzzle-envs-{user}"


def _is_ours(folder: Path) -> bool:
    """Machine code is run as it is read, so nobody else may be able to write it."""
    if not hasattr(os, "getuid"):
        return True
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


@functools.cache
def _announce(*, kept: bool) -> None:
    """One line, once a process."""
    ending = "" if kept else "; no folder to keep it in, set PUZZLE_ENVS_CACHE to one"
    print(f"puzzle-envs: compiling for this machine, some seconds{ending}", file=sys.stderr)
