"""Bits expanded to bytes, compiled: how rules fill planes and masks from bitboards."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.core.imputils import impl_ret_untracked
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from puzzle_envs.kernels.compiled import compiled

__all__ = ["spread"]

_ONE = np.uint64(1)


@intrinsic
def _in_one_store(typing: Any, bits: Any, cells: Any, first: Any, count: Any) -> Any:
    """As many bits as a vector has bytes; processors have instructions for just this."""
    if not isinstance(count, types.IntegerLiteral):
        return None
    lanes = count.literal_value

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, array, place, _ = arguments
        flags = builder.bitcast(
            builder.trunc(word, ir.IntType(lanes)), ir.VectorType(ir.IntType(1), lanes)
        )
        vector = ir.VectorType(ir.IntType(8), lanes)
        data = make_array(cells)(context, builder, array).data
        target = builder.bitcast(cgutils.gep(builder, data, place), vector.as_pointer())
        builder.store(builder.zext(flags, vector), target, align=1)
        return impl_ret_untracked(context, builder, types.none, context.get_dummy_value())

    return types.none(types.uint64, cells, types.intp, count), build


@compiled
def _spread(bits: Any, cells: Any, first: int, count: int) -> None:
    if count >= 64:
        _in_one_store(bits, cells, first, 64)
        return
    if count & 32:
        _in_one_store(bits, cells, first, 32)
        bits, first = bits >> np.uint64(32), first + 32
    if count & 16:
        _in_one_store(bits, cells, first, 16)
        bits, first = bits >> np.uint64(16), first + 16
    if count & 8:
        _in_one_store(bits, cells, first, 8)
        bits, first = bits >> np.uint64(8), first + 8
    if count & 4:
        _in_one_store(bits, cells, first, 4)
        bits, first = bits >> np.uint64(4), first + 4
    for index in range(count & 3):
        cells[np.uint64(first + index)] = (bits >> np.uint64(index)) & _ONE


def _bit_by_bit(bits: Any, cells: Any, first: int, count: int) -> None:
    for index in range(count):
        cells[first + index] = (bits >> np.uint64(index)) & _ONE


spread = _bit_by_bit if config.DISABLE_JIT else _spread
"""Write the lowest bits of a word, 64 at most, as bytes from `first` on."""
