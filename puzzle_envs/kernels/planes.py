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

__all__ = ["erase", "spread", "spread_planes", "spread_side_by_side"]

_ONE, _16 = np.uint64(1), np.uint64(16)


@compiled
def erase(cells: Any) -> None:
    """Write zeros; numba's `cells[:] = 0` compiles to a hundred instructions more."""
    for index in range(cells.size):
        cells[np.uint64(index)] = 0


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


@intrinsic
def _four_in_one_store(
    typing: Any, one: Any, two: Any, three: Any, four: Any, cells: Any, first: Any, count: Any
) -> Any:
    """The lowest bits of four words; a lane holds one bit of each."""
    if not isinstance(count, types.IntegerLiteral):
        return None
    lanes = count.literal_value

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        *words, array, place, _ = arguments
        vector = ir.VectorType(ir.IntType(32), lanes)
        whole = ir.Constant(vector, None)
        for number, word in enumerate(words):
            flags = builder.bitcast(
                builder.trunc(word, ir.IntType(lanes)), ir.VectorType(ir.IntType(1), lanes)
            )
            byte = ir.Constant(vector, [8 * number] * lanes)
            whole = builder.or_(whole, builder.shl(builder.zext(flags, vector), byte))
        data = make_array(cells)(context, builder, array).data
        target = builder.bitcast(cgutils.gep(builder, data, place), vector.as_pointer())
        builder.store(whole, target, align=1)
        return impl_ret_untracked(context, builder, types.none, context.get_dummy_value())

    word = types.uint64
    return types.none(word, word, word, word, cells, types.intp, count), build


@compiled
def _spread_side_by_side(
    one: Any, two: Any, three: Any, four: Any, cells: Any, first: int, count: int
) -> None:
    for _ in range(count >> 4):
        _four_in_one_store(one, two, three, four, cells, first, 16)
        one, two, three, four = one >> _16, two >> _16, three >> _16, four >> _16
        first += 64
    for _ in range(count & 15):
        _four_in_one_store(one, two, three, four, cells, first, 1)
        one, two, three, four = one >> _ONE, two >> _ONE, three >> _ONE, four >> _ONE
        first += 4


def _one_by_one(
    one: Any, two: Any, three: Any, four: Any, cells: Any, first: int, count: int
) -> None:
    for number, bits in enumerate((one, two, three, four)):
        for index in range(count):
            cells[first + 4 * index + number] = (bits >> np.uint64(index)) & _ONE


def _plane_by_plane(words: Any, planes: Any, size: int) -> None:
    for plane in range(words.size):
        _bit_by_bit(words[plane], planes, plane * size, size)


@compiled
def _spread_planes(words: Any, planes: Any, size: int) -> None:
    """Whole stores extend into the next plane, which is written later."""
    first, last = 0, planes.size - 64
    for plane in range(words.size):
        if first <= last:
            _in_one_store(words[plane], planes, first, 64)
        else:
            _spread(words[plane], planes, first, size)
        first += size


spread = _bit_by_bit if config.DISABLE_JIT else _spread
"""Write the lowest bits of a word, 64 at most, as bytes from `first` on."""

spread_side_by_side = _one_by_one if config.DISABLE_JIT else _spread_side_by_side
"""Write the lowest bits of four words as bytes, the first bit of each, then the second of each."""

spread_planes = _plane_by_plane if config.DISABLE_JIT else _spread_planes
"""Write words as planes of `size` cells, 64 at most, one after the other; they fill `planes`."""
