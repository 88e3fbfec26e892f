"""The cache key of machine code: a hash of every function and constant that a kernel reaches.

Numba compiles a kernel together with all that it calls, in any file, and replaces the verbs by the
rules of the level's type. The key follows the same calls: an edited function changes the keys of
the kernels that reach it and no others; comments, docstrings and unused functions change none.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

Choice = Callable[[Any], Callable[..., Any] | None]
"""Returns a function's implementation for a level type."""

_choices: dict[Callable[..., Any], Choice] = {}

FOREIGN = frozenset(sys.stdlib_module_names | {"numba", "numpy", "llvmlite"})
"""Packages that change only with their version, which is part of every key."""

CALLED = (Dispatcher, _Intrinsic, FunctionType)


class _UnknownError(Exception):
    """A kernel reaches something whose changes cannot be detected."""


def choose_by_level(verb: Callable[..., Any], choice: Choice) -> None:
    """Register that numba replaces a function by an implementation chosen by the level type."""
    _choices[verb] = choice


def level_types(arguments: Iterable[Any]) -> list[Any]:
    """The record types among the types of a call's arguments, also inside bundles."""
    found = []
    for argument in arguments:
        inner = getattr(argument, "dtype", argument)
        if isinstance(argument, types.BaseTuple):
            found += level_types(getattr(argument, "types", ()))
        elif isinstance(inner, types.Record):
            found.append(inner)
    return list(dict.fromkeys(found))


def hash_of(function: Callable[..., Any], arguments: Iterable[Any]) -> str | None:
    """A hash of all that becomes machine code; None if a part of it is unknown.

    Args:
        function: The Python function of the kernel.
        arguments: The types of its arguments.
    """
    digest = hashlib.sha256()
    try:
        for _, identity, called in _walk(function, level_types(arguments)):
            digest.update(repr((identity, called)).encode())
    except _UnknownError:
        return None
    return digest.hexdigest()


def parts_of(function: Callable[..., Any], arguments: Iterable[Any]) -> list[Any]:
    """The compiled functions that a kernel reaches, as far as they are known."""
    found: list[Any] = []
    with contextlib.suppress(_UnknownError):
        for value, _, _ in _walk(function, level_types(arguments)):
            if isinstance(value, Dispatcher):
                found.append(value)
    return found


def _walk(
    function: Callable[..., Any], levels: Iterable[Any]
) -> Iterator[tuple[Any, Any, list[int]]]:
    """Everything reached: the object, what to hash of it, and the numbers of what it calls."""
    reached: list[Any] = [function]
    numbers = {id(function): 0}
    for value in reached:  # grows meanwhile
        identity, called = _look(value, levels)
        for one in called:
            if numbers.setdefault(id(one), len(reached)) == len(reached):
                reached.append(one)
        yield value, identity, [numbers[id(one)] for one in called]


def _look(value: Any, levels: Iterable[Any]) -> tuple[Any, list[Any]]:
    """What to hash of a callable, and what it calls."""
    if isinstance(value, Dispatcher):
        return sorted(value.targetoptions.items()), [value.py_func]
    if isinstance(value, _Intrinsic):
        return "intrinsic", [value._defn]
    if value in _choices:
        chosen = [_choices[value](level) for level in levels]
        return value.__qualname__, [one for one in chosen if one is not None]
    return _look_at_function(value)


@functools.cache
def _look_at_function(function: FunctionType) -> tuple[Any, list[Any]]:
    if _is_foreign(function.__module__):
        return (function.__module__, function.__qualname__), []
    values: list[Any] = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    values += [cell.cell_contents for cell in function.__closure__ or ()]
    identity: list[Any] = [function.__module__, function.__qualname__]  # parts of cached code
    for code in codes_of(function.__code__):
        constants = [one for one in code.co_consts if not isinstance(one, CodeType)]
        if code is function.__code__ and function.__doc__ is not None:
            del constants[0]
        values += [*constants, *_named(function, code)]
        identity += [code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_flags]
    called = [one for one in values if isinstance(one, CALLED)]
    texts = ["called" if isinstance(one, CALLED) else _constant(one) for one in values]
    return (identity, texts), called


def codes_of(code: CodeType) -> Iterator[CodeType]:
    """The code of a function and of the functions defined inside it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from codes_of(one)


def _named(function: FunctionType, code: CodeType) -> Iterator[Any]:
    """The values of the global names in a code object; for our modules, of the names used."""
    names = [name for name in code.co_names if name in function.__globals__]
    for name in names:
        value = function.__globals__[name]
        if isinstance(value, ModuleType) and not _is_foreign(value.__name__):
            yield from (getattr(value, inner) for inner in code.co_names if hasattr(value, inner))
        else:
            yield value


def _constant(value: Any) -> str:
    """A text for a constant, different for different constants."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype!r} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, (frozenset, set)):
        return f"{type(value)} {sorted(map(_constant, value))}"
    if isinstance(value, (tuple, list)):
        return f"{type(value)} {[_constant(one) for one in value]}"
    if isinstance(value, enum.Enum):
        return f"{type(value)} {value.name} {_constant(value.value)}"
    if isinstance(value, (int, float, complex, str, bytes, np.generic, np.dtype, types.Type)):
        return f"{type(value)} {value!r}"
    if value is None or isinstance(value, np.ufunc):
        return repr(value)
    if isinstance(value, ModuleType) and _is_foreign(value.__name__):
        return value.__name__
    if isinstance(value, type) and issubclass(value, (enum.Enum, tuple, Exception)):
        parts = list(value) if issubclass(value, enum.Enum) else getattr(value, "_fields", ())
        return f"{value!r} {_constant(tuple(parts))}"
    if type(value) is type:  # a field has the name of a global; kernels cannot use the class
        return f"{value!r}"
    if _is_foreign(getattr(value, "__module__", None) or ""):
        return f"{value.__module__}.{getattr(value, '__qualname__', value)}"
    raise _UnknownError


def _is_foreign(module: str) -> bool:
    return module.partition(".")[0] in FOREIGN


VERSIONS = (numba.__version__, np.__version__, sys.version_info[:2])
"""What determines machine code besides the sources and the processor."""
