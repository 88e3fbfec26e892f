"""The calling convention of parts: few arguments, and error checks only where errors can occur.

Numba passes an array as seven numbers, and after each call checks for five kinds of outcome. A part
is called only by kernels and other parts, so its calls can be simpler, which leaves LLVM less to
parse and to remove.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from llvmlite import ir as llvm
from numba.core import cgutils, types

__all__ = ["array_of", "calling", "declare", "stack_room", "unpacked"]


def calling(descriptor: Any, library: Any) -> Any:
    """The implementation by which numba calls a part; the caller returns an error unchanged.

    If a part never fails, nothing is checked.
    """
    if isinstance(descriptor.restype, types.Optional):
        name = descriptor.qualname
        raise TypeError(f"{name} returns a value in some cases and none in others.")

    def call(context: Any, builder: Any, signature: Any, arguments: Sequence[Any]) -> Any:
        function = declare(context, builder.module, descriptor)
        result = stack_room(builder, function.args[0].type.pointee)
        packed = [
            part
            for typ, value in zip(descriptor.argtypes, arguments, strict=True)
            for part in _packed(context, builder, typ, value)
        ]
        code = builder.call(function, [result, builder.function.args[1], *packed])
        if library.can_fail:
            failed = builder.icmp_unsigned("!=", code, llvm.Constant(code.type, 0))
            with builder.if_then(failed, likely=False):
                builder.ret(code)
        return context.get_returned_value(builder, descriptor.restype, builder.load(result))

    called: Any = call
    called.signature, called.libs = descriptor.argtypes, (library,)
    return called


def stack_room(builder: Any, typ: Any) -> Any:
    """Uninitialised memory on the stack."""
    with builder.goto_entry_block():
        return builder.alloca(typ)


def _is_lean(typ: Any) -> bool:
    """Whether the address and the shape of an array determine the rest of it."""
    return isinstance(typ, types.Array) and typ.layout == "C"


def declare(context: Any, module: Any, descriptor: Any) -> Any:
    """The function in a module, which takes an array as its address and its shape."""
    result, error = context.call_conv.get_function_type(descriptor.restype, ()).args
    given = [typ for one in descriptor.argtypes for typ in _packed_types(context, one)]
    typ = llvm.FunctionType(llvm.IntType(32), [result, error, *given])
    function = cgutils.get_or_insert_function(module, typ, descriptor.mangled_name)
    for argument in function.args[:2]:
        argument.add_attribute("noalias")
    if descriptor.inline:
        function.attributes.add("alwaysinline")
    return function


def _packed_types(context: Any, typ: Any) -> list[Any]:
    if not _is_lean(typ):
        return list(context.get_arg_packer([typ]).argument_types)
    number = context.get_value_type(types.intp)
    return [context.get_data_type(typ.dtype).as_pointer(), *[number] * typ.ndim]


def _packed(context: Any, builder: Any, typ: Any, value: Any) -> list[Any]:
    """The arguments passed to a part for a value."""
    if not _is_lean(typ):
        return list(context.get_arg_packer([typ]).as_arguments(builder, [value]))
    model = context.data_model_manager[typ]
    shape = model.get(builder, value, "shape")
    sizes = [builder.extract_value(shape, axis) for axis in range(typ.ndim)]
    return [model.get(builder, value, "data"), *sizes]


def unpacked(context: Any, builder: Any, typ: Any, given: Iterator[Any]) -> Any:
    """The value that was passed to a part."""
    if not _is_lean(typ):
        packer = context.get_arg_packer([typ])
        return packer.from_arguments(builder, [next(given) for _ in packer.argument_types])[0]
    data, *shape = (next(given) for _ in range(1 + typ.ndim))
    return array_of(context, builder, typ, data, shape)


def array_of(context: Any, builder: Any, typ: Any, data: Any, shape: Sequence[Any]) -> Any:
    """A contiguous array that does not own its memory."""
    model = context.data_model_manager[typ]
    itemsize = context.get_constant(
        types.intp, context.get_abi_sizeof(context.get_data_type(typ.dtype))
    )
    strides = [itemsize]
    for size in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], size))
    nitems = shape[0]
    for size in shape[1:]:
        nitems = builder.mul(nitems, size)
    array = llvm.Constant(model.get_value_type(), None)
    for name, value in (("nitems", nitems), ("itemsize", itemsize), ("data", data)):
        array = model.set(builder, array, value, name)
    for name, values in (("shape", shape), ("strides", strides)):
        array = model.set(builder, array, cgutils.pack_array(builder, values), name)
    return array
