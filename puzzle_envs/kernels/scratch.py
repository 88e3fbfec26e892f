"""Working memory for the rules, compiled: words on the stack of the calling function.

Kernels allocate nothing, so that numba's reference counting can be switched off, and the rules are
called millions of times a second, too often to get memory from Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.core.imputils import impl_ret_untracked
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

__all__ = ["scratch"]

WORDS = types.Array(types.uint64, 1, "C")


@intrinsic
def _on_the_stack(typing: Any, size: Any) -> Any:
    """The intrinsic becomes part of its caller, so the words are on the caller's stack."""
    if not isinstance(size, types.IntegerLiteral):
        return None
    count = size.literal_value

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        room = cgutils.alloca_once(builder, ir.ArrayType(word, count))
        array = make_array(WORDS)(context, builder)
        index = context.get_constant(types.intp, count)
        stride = context.get_constant(types.intp, 8)
        populate_array(
            array,
            data=builder.bitcast(room, word.as_pointer()),
            shape=cgutils.pack_array(builder, [index]),
            strides=cgutils.pack_array(builder, [stride]),
            itemsize=stride,
            meminfo=None,
        )
        return impl_ret_untracked(context, builder, WORDS, array._getvalue())

    return WORDS(size), build


def _from_numpy(size: int) -> Any:
    return np.empty(size, np.uint64)


scratch: Callable[[int], Any] = _from_numpy if config.DISABLE_JIT else _on_the_stack
"""Uninitialised words; their number must be a literal.

They are valid until the calling function returns.
"""
