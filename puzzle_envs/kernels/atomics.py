"""Atomic words and a bundle of arguments, shared between threads by compiled code.

Loads acquire and stores release: a thread that reads a word sees all that was written before it.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.core.imputils import impl_ret_untracked
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

ROOM = 512
"""Enough words for a bundle of two dozen arrays."""

COMPILED = not config.DISABLE_JIT
"""Whether these functions can be called: they exist as machine code only."""

WORD_BYTES = 8
HAS_PAUSE = platform.machine().lower() in ("x86_64", "amd64")


def _address(context: Any, builder: Any, kind: Any, words: Any, place: Any) -> Any:
    return cgutils.gep(builder, make_array(kind)(context, builder, words).data, place)


@intrinsic
def _load_word(typing: Any, words: Any, place: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments)
        return builder.load_atomic(address, "acquire", WORD_BYTES)

    return types.int64(words, types.intp), build


@intrinsic
def _store_word(typing: Any, words: Any, place: Any, value: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments[:2])
        builder.store_atomic(arguments[2], address, "release", WORD_BYTES)
        return context.get_dummy_value()

    return types.none(words, types.intp, types.int64), build


@intrinsic
def _swap_word(typing: Any, words: Any, place: Any, expected: Any, value: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments[:2])
        before = builder.cmpxchg(address, arguments[2], arguments[3], "acq_rel", "acquire")
        return builder.extract_value(before, 1)

    return types.boolean(words, types.intp, types.int64, types.int64), build


@intrinsic
def _add_word(typing: Any, words: Any, place: Any, value: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments[:2])
        builder.atomic_rmw("add", address, arguments[2], "acq_rel")
        return context.get_dummy_value()

    return types.none(words, types.intp, types.int64), build


@intrinsic
def _rest(typing: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if HAS_PAUSE:
            kind = ir.FunctionType(ir.VoidType(), [])
            name = "llvm.x86.sse2.pause"
            builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [])
        return context.get_dummy_value()

    return types.none(), build


@intrinsic
def _keep(typing: Any, bundle: Any, room: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = arguments[0]
        if context.get_abi_sizeof(value.type) > WORD_BYTES * ROOM:
            raise ValueError(f"{signature.args[0]} takes more than {ROOM} words.")
        data = make_array(signature.args[1])(context, builder, arguments[1]).data
        builder.store(value, builder.bitcast(data, value.type.as_pointer()), align=WORD_BYTES)
        return context.get_dummy_value()

    return types.none(bundle, room), build


@intrinsic
def _kept(typing: Any, like: Any, room: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = context.get_value_type(signature.args[0])
        data = make_array(signature.args[1])(context, builder, arguments[1]).data
        value = builder.load(builder.bitcast(data, kind.as_pointer()), align=WORD_BYTES)
        return impl_ret_untracked(context, builder, signature.return_type, value)

    return like(like, room), build


load_word: Callable[[Any, int], int] = _load_word
"""A word of an array."""
store_word: Callable[[Any, int, int], None] = _store_word
"""Write a word."""
swap_word: Callable[[Any, int, int, int], bool] = _swap_word
"""Write a word if it is still the expected one; return whether it was."""
add_word: Callable[[Any, int, int], None] = _add_word
"""Add to a word."""
rest: Callable[[], None] = _rest
"""Pause for a moment in a spin loop, where the processor has an instruction for it."""
keep: Callable[[Any, Any], None] = _keep
"""Store a bundle of arrays and numbers in words, as it is passed between functions."""
kept: Callable[[Any, Any], Any] = _kept
"""Load a stored bundle of the same type as the first argument."""
