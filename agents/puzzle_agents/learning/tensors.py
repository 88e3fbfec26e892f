"""Files of torch.save as numpy arrays, read without torch.

torch.load would decompress nested data, construct what a pickle asks for, and in some versions read
past the end of a record. Here a pickle is a list of instructions of which a dozen are known, none
of which calls anything, and an array is the bytes of its record or rejected.
"""

from __future__ import annotations

import functools
import math
import pickletools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from puzzle_agents.learning.archive import Archive

LONGEST_PICKLE = 2**20
DEEPEST = 20
"""Maximum nesting of tables, lists and tuples."""
MOST_AXES = 8
TYPES = {"torch FloatStorage": "f4", "torch DoubleStorage": "f8", "torch LongStorage": "i8"}
TENSOR, TABLE = "torch._utils _rebuild_tensor_v2", "collections OrderedDict"


class _Name(NamedTuple):
    """A function or a type named by the pickle."""

    name: str


class _Mark(NamedTuple):
    """A position on the stack where members begin."""


class _Storage(NamedTuple):
    """A record of numbers."""

    numbers: np.ndarray


def read_tensors(data: bytes) -> Any:
    """Read tables, lists, plain values and arrays; a ValueError says what is wrong."""
    archive = Archive(data, packed=False)
    folders = {name.partition("/")[0] for name in archive.names}
    if len(folders) != 1:
        raise ValueError("It was not written by torch.save.")
    (folder,) = folders
    order = "<"
    if f"{folder}/byteorder" in archive.names:
        order = ">" if archive.read(f"{folder}/byteorder", 10) == b"big" else "<"

    @functools.cache
    def stored(key: str, code: str, count: int) -> _Storage:
        kind = np.dtype(order + code)
        name = f"{folder}/data/{key}"
        if archive.size(name) != count * kind.itemsize:
            raise ValueError(f"Its part '{name}' has the wrong length.")
        return _Storage(np.frombuffer(archive.read(name, len(data)), kind))

    return _Unpickler(stored).result(archive.read(f"{folder}/data.pkl", LONGEST_PICKLE))


class _Unpickler:
    """Interprets the instructions that torch.save writes, and rejects any other."""

    def __init__(self, stored: Callable[[str, str, int], _Storage]) -> None:
        self._stored = stored
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def result(self, data: bytes) -> Any:
        """The object that the pickle describes."""
        try:
            for name, argument in _instructions(data):
                self._do(name, argument)
            (made,) = self._stack
            _check_depth(made)
        except (IndexError, KeyError, TypeError, OverflowError) as error:
            raise ValueError(f"Its pickle is damaged: {error!r}.") from None
        return made

    def _do(self, name: str, argument: Any) -> None:
        stack = self._stack
        match name:
            case "PROTO" | "STOP":
                pass
            case "EMPTY_DICT":
                stack.append({})
            case "EMPTY_LIST":
                stack.append([])
            case "EMPTY_TUPLE":
                stack.append(())
            case "NONE" | "NEWTRUE" | "NEWFALSE":
                stack.append({"NONE": None, "NEWTRUE": True, "NEWFALSE": False}[name])
            case "BININT" | "BININT1" | "BININT2" | "LONG1" | "BINFLOAT" | "BINUNICODE":
                stack.append(argument)
            case "MARK":
                stack.append(_Mark())
            case "TUPLE":
                members = self._since_mark()
                stack.append(tuple(members))
            case "TUPLE1" | "TUPLE2" | "TUPLE3":
                stack[-int(name[-1]) :] = [tuple(stack[-int(name[-1]) :])]
            case "BINPUT" | "LONG_BINPUT":
                self._memo[argument] = stack[-1]
            case "BINGET" | "LONG_BINGET":
                stack.append(self._memo[argument])
            case "SETITEM" | "SETITEMS":
                members = [stack.pop(-2), stack.pop()] if name == "SETITEM" else self._since_mark()
                _fill(stack[-1], members)
            case "APPEND" | "APPENDS":
                members = [stack.pop()] if name == "APPEND" else self._since_mark()
                _of(list, stack[-1]).extend(members)
            case "GLOBAL":
                if argument not in (TENSOR, TABLE, *TYPES):
                    raise ValueError(f"It holds more than numbers ({argument[:60]}).")
                stack.append(_Name(argument))
            case "BINPERSID":
                _, storage, key, _, count = _of(tuple, stack.pop())
                stack.append(
                    self._stored(_of(str, key), TYPES[_of(_Name, storage).name], _of(int, count))
                )
            case "REDUCE":
                arguments = _of(tuple, stack.pop())
                function = _of(_Name, stack.pop()).name
                stack.append({} if function == TABLE else _array(function, *arguments))
            case "BUILD":  # torch's metadata of the modules of a table
                stack.pop()
                _of(dict, stack[-1])
            case _:
                raise ValueError(f"It holds more than numbers ({name}).")

    def _since_mark(self) -> list[Any]:
        """Pop everything since the last mark."""
        place = len(self._stack) - 1
        while not isinstance(self._stack[place], _Mark):
            place -= 1
            if place < 0:
                raise IndexError("there is no mark")
        members = self._stack[place + 1 :]
        del self._stack[place:]
        return members


def _instructions(data: bytes) -> Iterator[tuple[str, Any]]:
    try:
        for instruction, argument, _ in pickletools.genops(data):
            yield instruction.name, argument
    except ValueError as error:
        raise ValueError(f"Its pickle is damaged: {error}.") from None


def _of(kind: type[Any], value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{kind.__name__} is wanted")
    return value


def _fill(table: Any, members: list[Any]) -> None:
    """Set alternating keys and values."""
    for key, value in zip(members[::2], members[1::2], strict=True):
        if type(key) not in (str, int):
            raise TypeError("a key is a text or a whole number")
        _of(dict, table)[key] = value


def _array(
    function: str, storage: Any, start: Any, shape: Any, strides: Any, *_: Any
) -> np.ndarray:
    """A tensor, contiguous in its record."""
    if function != TENSOR:
        raise TypeError("only tensors are made")
    numbers = _of(_Storage, storage).numbers
    sizes = [_of(int, size) for size in _of(tuple, shape)]
    steps = [_of(int, step) for step in _of(tuple, strides)]
    count = math.prod(sizes)
    if len(sizes) > MOST_AXES or min([_of(int, start), *sizes]) < 0:
        raise ValueError("A tensor has an invalid shape.")
    usual = [math.prod(sizes[axis + 1 :]) for axis in range(len(sizes))]
    if count and any(
        size > 1 and step != wanted for size, step, wanted in zip(sizes, steps, usual, strict=True)
    ):
        raise ValueError("A tensor is not laid out row by row.")
    if max([start + count, *sizes]) > len(numbers):
        raise ValueError("A tensor is larger than its record.")
    found: np.ndarray = numbers[start : start + count].reshape(sizes)
    return found


def _check_depth(made: Any) -> None:
    """Reject deep or cyclic nesting."""
    inner = {id(made): made}  # visit shared objects once
    for _ in range(DEEPEST):
        inner = {
            id(part): part
            for one in inner.values()
            if isinstance(one, dict | list | tuple)
            for part in (one.values() if isinstance(one, dict) else one)
        }
        if not inner:
            return
    raise ValueError(f"It is nested more than {DEEPEST} deep.")
