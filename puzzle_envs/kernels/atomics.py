"""What threads share, compiled: words that they change one at a time, and a bundle to work on.

Whoever reads a word sees all that was written before the word was (acquire, release).
"""

from __future__ import annotations

import platform
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_untracked
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

__all__ = ["ROOM", "add_word", "keep", "kept", "load_word", "rest", "store_word", "swap_word"]

ROOM = 512
"""The words that a bundle of two dozen arrays takes at most."""

WORD_BYTES = 8
HAS_PAUSE = platform.machine().lower() in ("x86_64", "amd64")


def _address(context: Any, builder: Any, kind: Any, words: Any, place: Any) -> Any:
    return cgutils.gep(builder, make_array(kind)(context, builder, words).data, place)


@intrinsic
def load_word(typing: Any, words: Any, place: Any) -> Any:
    """A word of an array."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments)
        return builder.load_atomic(address, "acquire", WORD_BYTES)

    return types.int64(words, types.intp), build


@intrinsic
def store_word(typing: Any, words: Any, place: Any, value: Any) -> Any:
    """Write a word."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments[:2])
        builder.store_atomic(arguments[2], address, "release", WORD_BYTES)
        return context.get_dummy_value()

    return types.none(words, types.intp, types.int64), build


@intrinsic
def swap_word(typing: Any, words: Any, place: Any, expected: Any, value: Any) -> Any:
    """Write a word if it is still the expected one; return whether it was."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments[:2])
        before = builder.cmpxchg(address, arguments[2], arguments[3], "acq_rel", "acquire")
        return builder.extract_value(before, 1)

    return types.boolean(words, types.intp, types.int64, types.int64), build


@intrinsic
def add_word(typing: Any, words: Any, place: Any, value: Any) -> Any:
    """Add to a word."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments[:2])
        builder.atomic_rmw("add", address, arguments[2], "acq_rel")
        return context.get_dummy_value()

    return types.none(words, types.intp, types.int64), build


@intrinsic
def rest(typing: Any) -> Any:
    """Leave the core to its other thread for a moment, where there is an instruction for it."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if HAS_PAUSE:
            kind = ir.FunctionType(ir.VoidType(), [])
            name = "llvm.x86.sse2.pause"
            builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [])
        return context.get_dummy_value()

    return types.none(), build


@intrinsic
def keep(typing: Any, bundle: Any, room: Any) -> Any:
    """Write a bundle of arrays and numbers, as it is passed between functions, into words."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = arguments[0]
        if context.get_abi_sizeof(value.type) > WORD_BYTES * ROOM:
            raise ValueError(f"{signature.args[0]} takes more than {ROOM} words.")
        data = make_array(signature.args[1])(context, builder, arguments[1]).data
        builder.store(value, builder.bitcast(data, value.type.as_pointer()), align=WORD_BYTES)
        return context.get_dummy_value()

    return types.none(bundle, room), build


@intrinsic
def kept(typing: Any, like: Any, room: Any) -> Any:
    """Read a bundle of the same type as another one."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = context.get_value_type(signature.args[0])
        data = make_array(signature.args[1])(context, builder, arguments[1]).data
        value = builder.load(builder.bitcast(data, kind.as_pointer()), align=WORD_BYTES)
        return impl_ret_untracked(context, builder, signature.return_type, value)

    return like(like, room), build
