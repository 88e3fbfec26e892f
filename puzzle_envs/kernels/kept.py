"""Machine code on disk: one file per function, types and hash of the code reached.

Cache files carry a checksum; a damaged one counts as missing and is replaced.
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
from typing import Any

from numba.core import serialize

from puzzle_envs.common.files import write_whole
from puzzle_envs.kernels.reached import VERSIONS, codes_of, hash_of

__all__ = ["cache_folder", "keep", "kept", "name_of"]


def name_of(
    function: Callable[..., Any], arguments: tuple[Any, ...], small: bool, codegen: Any
) -> str | None:
    """The name of a function's machine code for these types; None if what it reaches is unknown."""
    reached = hash_of(function, arguments)
    if reached is None:
        return None
    name = f"{function.__module__}.{function.__qualname__}"
    how = (VERSIONS, _way(), small, codegen.magic_tuple())
    key = (how, name, repr(arguments), reached)
    return f"{function.__name__}-{hashlib.sha256(repr(key).encode()).hexdigest()[:32]}"


def kept(name: str | None) -> Any:
    """What is cached under a name; None if it is missing or damaged."""
    path = _path(name)
    if path is None:
        return None
    # A class named in the file (of a bundle) may have moved to another module since.
    with contextlib.suppress(OSError, ImportError, AttributeError):
        payload = _verified(path.read_bytes())
        return None if payload is None else pickle.loads(payload)
    return None


def keep(name: str | None, value: Any) -> None:
    """Cache something under a name."""
    path = _path(name)
    if path is None:
        return
    dumps: Any = serialize.dumps
    payload = dumps(value)
    # If the disk is full or gone, the next process compiles again; nothing else is lost.
    with contextlib.suppress(OSError):
        write_whole(path, hashlib.sha256(payload).digest() + payload)


def _path(name: str | None) -> Path | None:
    folder = cache_folder()
    return folder / f"{name}.bin" if folder is not None and name is not None else None


@functools.cache
def _way() -> str:
    """A hash of how kernels are compiled: the code that does it, without docstrings."""
    identities = []
    for file in ("calling.py", "inference.py", "lowering.py", "parts.py", "separate.py"):
        source = pkgutil.get_data(__package__, file) or b""
        for code in codes_of(compile(source, file, "exec", optimize=2)):
            constants = [one for one in code.co_consts if not hasattr(one, "co_code")]
            identities.append((code.co_code, code.co_names, constants))
    return hashlib.sha256(repr(identities).encode()).hexdigest()


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
