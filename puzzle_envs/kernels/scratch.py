"""Working space for the rules, compiled: words on the stack of the function that asks for them.

Kernels allocate nothing, so that numba's reference counting can be left out; and a search calls
the rules millions of times a second, so that they cannot ask Python for memory either.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import config
from numba.core.imputils import impl_ret_untracked
from numba.extending import intrinsic

from puzzle_envs.kernels.calling import array_of, stack_room

__all__ = ["scratch"]

WORDS = types.Array(types.uint64, 1, "C")


@intrinsic
def _on_the_stack(typing: Any, size: Any) -> Any:
    """An intrinsic becomes part of the function that calls it, so the words are that one's own."""
    if not isinstance(size, types.IntegerLiteral):
        return None
    count = size.literal_value

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        room = stack_room(builder, ir.ArrayType(word, count))
        data = builder.bitcast(room, word.as_pointer())
        shape = [context.get_constant(types.intp, count)]
        array = array_of(context, builder, WORDS, data, shape)
        return impl_ret_untracked(context, builder, WORDS, array)

    return WORDS(size), build


def _from_numpy(size: int) -> Any:
    return np.empty(size, np.uint64)


scratch: Callable[[int], Any] = _from_numpy if config.DISABLE_JIT else _on_the_stack
"""So many words, a number written out, with anything in them.

They are gone when the function that asked for them returns.
"""
