"""Prefetching, compiled.

A search looks up states all over its tables and would wait for a cache miss each time; so it
prefetches several before it reads the first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic


def _build(to_write: int) -> Callable[..., Any]:
    """The processor's own instruction; `index` counts elements, rows lie one after the other."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.gep(data, [arguments[1]])
        pointer = ir.IntType(8).as_pointer()
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, flag, flag, flag])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        constants = [ir.Constant(flag, value) for value in (to_write, 3, 1)]  # to keep, data
        builder.call(function, [builder.bitcast(place, pointer), *constants])
        return context.get_dummy_value()

    return build


@intrinsic
def _prefetch(typing: Any, array: Any, index: Any) -> Any:
    return types.void(array, types.uint64), _build(0)


@intrinsic
def _prefetch_to_write(typing: Any, array: Any, index: Any) -> Any:
    return types.void(array, types.uint64), _build(1)


def _no_prefetch(array: Any, index: Any) -> None:
    return None


prefetch: Callable[[Any, Any], None] = _no_prefetch if config.DISABLE_JIT else _prefetch
"""Prefetch the element of an array at a flat index."""

prefetch_to_write: Callable[[Any, Any], None] = (
    _no_prefetch if config.DISABLE_JIT else _prefetch_to_write
)
"""The same for writing, where another core may have the cache line."""
