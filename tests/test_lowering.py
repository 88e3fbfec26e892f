"""Our lowering of arrays, records, loops and calls: it does what Python does."""

from __future__ import annotations

import operator
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import types
from numba.core.errors import TypingError
from numba.core.registry import cpu_target

from puzzle_envs.kernels.compiled import compiled, inlined, kernel, separate
from puzzle_envs.kernels.inference import operation

RECORD = np.dtype([("count", np.int64), ("cells", np.uint64, 4)], align=True)


def _record() -> np.ndarray:
    records = np.zeros(2, RECORD)
    records["count"], records["cells"] = [3, 5], [[1, 2, 3, 4], [5, 6, 7, 8]]
    return records


def last(numbers: Any) -> Any:
    return numbers[-1] + numbers[np.int64(0) - 2]


def corner(table: Any) -> Any:
    return table[1, -1] * 10 + table[np.uint64(0), np.uint64(1)]


def rows(table: Any) -> Any:
    total = 0
    for index in range(table.shape[0]):
        row = table[index]
        row[0] = index + 7
        total = total * 100 + row.size + row[-1]
    return total * 100 + table[-1][0]


def fields(records: Any) -> Any:
    level = records[1]
    level.cells[2] = 9
    return level.count + level.cells[2] + level.cells.size + records[0].cells[-1]


def loops(numbers: Any) -> Any:
    total = 0
    for low in range(2, numbers.size):
        for high in range(low, low - 5, -2):
            total = 3 * total + numbers[low] - high
        for _ in range(low, 0):
            total += 1000
    return total


def late(numbers: Any) -> Any:
    """What is assigned in a loop is read behind it."""
    found, seen = -1, 0
    for index in range(numbers.size):
        seen = numbers[index]
        if seen > 2 and found < 0:
            found = index
    while found > 0 and numbers[found] > 1:
        found -= 1
    return 10 * found + seen


def narrow(flags: Any) -> Any:
    flags[0] = True
    flags[1] = 0
    return flags[0] + 2 * flags[1] + 4 * flags[2]


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (last, np.arange(5)),
        (corner, np.arange(6).reshape(2, 3)),
        (rows, np.arange(6).reshape(3, 2)),
        (fields, _record()),
        (loops, np.arange(6)),
        (late, np.arange(5)),
        (narrow, np.array([False, True, True])),
        (last, np.arange(10)[::2]),
        (corner, np.asfortranarray(np.arange(6).reshape(2, 3))),
    ],
    ids=lambda one: getattr(one, "__name__", None),
)
def test_a_kernel_and_its_part_do_what_python_does(
    function: Callable[[Any], Any], argument: np.ndarray
) -> None:
    part = compiled(function)

    def call(value: Any) -> Any:
        return part(value)

    expected, before = argument.copy(), argument.copy()
    result = function(expected.view(np.recarray) if expected.dtype.names else expected)
    assert kernel(call)(argument) == result
    assert (argument == expected).all()
    assert kernel(function)(before) == result
    assert (before == expected).all()


@pytest.mark.parametrize("op", [operator.add, operator.iadd, operator.truediv, operator.lshift,
                                operator.lt, operator.invert, operator.not_], ids=str)  # fmt: skip
@pytest.mark.parametrize(
    "one", [types.int64, types.uint64, types.uint8, types.boolean, types.float64]
)
def test_operators_have_the_types_that_numba_gives_them(op: Any, one: Any) -> None:
    """Asked once or twice, in any order."""
    context = cpu_target.typing_context
    for other in (types.int64, types.uint64, types.boolean, types.IntegerLiteral(3)):
        arguments = (one,) if op in (operator.invert, operator.not_) else (one, other)
        for _ in range(2):
            try:
                theirs = context.resolve_value_type(op).get_call_type(context, arguments, {})
            except TypingError:
                with pytest.raises(TypingError):
                    operation(context, op, arguments)
            else:
                assert operation(context, op, arguments) == theirs


@compiled
def _square_root(number: int) -> int:
    if number < 0:
        raise ValueError("This number is negative.")
    return number * number


@compiled
def _deeper(number: int) -> int:
    return _square_root(number) + 1


@separate
def _apart(number: int) -> int:
    return _deeper(number)


@kernel
def fails(number: int) -> int:
    return _deeper(number)


@kernel
def fails_apart(number: int) -> int:
    return _apart(number)


@pytest.mark.parametrize("called", [fails, fails_apart])
def test_an_error_in_a_part_comes_out_of_the_kernel(called: Callable[[int], int]) -> None:
    assert called(3) == 10
    with pytest.raises(ValueError, match="This number is negative"):
        called(-1)


@compiled
def _helper(number: int) -> int:
    return number + 1


@inlined
def _inlined(number: int) -> int:
    return _helper(number)


@kernel
def calls(number: int) -> int:
    return _inlined(number)


def test_what_an_inlined_helper_calls_is_not_inlined_by_force(tmp_path: Path) -> None:
    """In a process without kept machine code, for which nothing would be lowered."""
    code = (
        "from tests import test_lowering as here\n"
        "assert here.calls(1) == 2\n"
        "kept = (here._helper.overloads, here._inlined.overloads)\n"
        "(inner,), (outer,) = (one.values() for one in kept)\n"
        "assert outer.fndesc.inline and not inner.fndesc.inline"
    )
    env = os.environ | {"PUZZLE_ENVS_CACHE": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], env=env, check=True)


@compiled
def _sometimes(number: int) -> Any:
    return number if number > 0 else None


@kernel
def returns_sometimes(number: int) -> Any:
    return _sometimes(number)


def test_a_part_that_returns_nothing_at_times_is_refused() -> None:
    with pytest.raises(TypeError, match="_sometimes returns a value in some cases and none"):
        returns_sometimes(1)
