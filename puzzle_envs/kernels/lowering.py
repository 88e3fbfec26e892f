"""Lowering from numba's typed code to LLVM IR, with few instructions for what rules do most.

To read an element, numba unpacks the array through memory, thirty instructions each time; it guards
a loop over `range` against a step of zero, and clears every variable that is no longer needed. LLVM
removes all of this again, but generating, parsing and removing it took half of the compile time.
Everything else is lowered by numba itself.
"""

from __future__ import annotations

import operator
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir as llvm
from numba.core import cgutils, ir, lowering, typed_passes, types
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs
from numba.core.ir_utils import get_definition, guard
from numba.np.arrayobj import load_item, store_item

from puzzle_envs.kernels.calling import array_of, declare, stack_room, unpacked
from puzzle_envs.kernels.inference import operation

__all__ = ["Lowering"]


class _Lower(lowering.Lower):
    """Numba's lowering, except for array elements, record fields, counting loops and operators."""

    def lower(self) -> None:
        """Lower the function, and note whether it ever returns an error."""
        if self.library.symbol is not None:
            self.fndesc.mangled_name = self.library.symbol
        super().lower()
        ends = (block.terminator for block in self.function.blocks)
        codes = [one.operands[0] for one in ends if isinstance(one, llvm.Ret)]
        self.library.can_fail = not all(getattr(one, "constant", None) == 0 for one in codes)

    def setup_function(self, fndesc: Any) -> None:
        """Begin the function; that of a part takes compact arguments."""
        if not self._is_part:
            super().setup_function(fndesc)
            return
        self.function = declare(self.context, self.module, fndesc)
        self.entry_block = self.function.append_basic_block("entry")
        self.builder = llvm.IRBuilder(self.entry_block)
        self.call_helper = self.call_conv.init_call_helper(self.builder)

    def extract_function_arguments(self) -> Any:
        """The arguments as numba has them."""
        if not self._is_part:
            return super().extract_function_arguments()
        given = iter(self.function.args[2:])
        self.fnargs = [
            unpacked(self.context, self.builder, typ, given) for typ in self.fndesc.argtypes
        ]
        return self.fnargs

    @property
    def _is_part(self) -> bool:
        """Whether only kernels and other parts call the function."""
        return bool(self.flags.no_compile)

    # --- variables --------------------------------------------------------------------------------

    def _find_singly_assigned_variable(self) -> None:
        """Find what needs no memory: variables assigned once, before whatever reads them."""
        super()._find_singly_assigned_variable()
        if self._disable_sroa_like_opt or self.func_ir.func_id.is_generator:
            return
        uses, dominators = compute_use_defs(self.blocks), self._dominators()
        assigned = Counter(
            one.target.name for block in self.blocks.values() for one in block.find_insts(ir.Assign)
        )
        read = defaultdict(list)
        for block, names in uses.usemap.items():
            for name in names:
                read[name].append(block)
        for block, names in uses.defmap.items():
            for name in names:
                if assigned[name] == 1 and all(
                    block < other and block in dominators[other] for other in read[name]
                ):
                    self._singly_assigned_vars.add(name)

    def _dominators(self) -> Any:
        return compute_cfg_from_blocks(self.blocks).dominators()

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Store a value; nothing is reference-counted, so the previous value is not read."""
        if self._disable_sroa_like_opt:
            super().storevar(value, name, argidx)
        elif name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def delvar(self, name: str) -> None:
        """Do nothing: nothing is reference-counted."""

    # --- arrays and records -----------------------------------------------------------------------

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        """An element, or a row of a table."""
        typ = self.typeof(value.name)
        indices = self._indices(typ, index)
        if indices is None:
            return super().lower_getitem(resty, expr, value, index, signature)
        array = self.loadvar(value.name)
        address = self._address(typ, array, indices)
        if len(indices) < typ.ndim:
            size = self.builder.extract_value(self._fields(typ, array)("shape"), 1)
            return array_of(self.context, self.builder, resty, address, [size])
        found = load_item(self.context, self.builder, typ, address)
        return self.context.cast(self.builder, found, typ.dtype, resty)

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        """Write a number."""
        typ, given = self.typeof(target_var.name), self.typeof(value_var.name)
        indices = self._indices(typ, index_var)
        scalar = (types.Number, types.Boolean)
        if indices is None or len(indices) < typ.ndim or not isinstance(given, scalar):
            return super().lower_setitem(target_var, index_var, value_var, signature)
        value = self.context.cast(self.builder, self.loadvar(value_var.name), given, typ.dtype)
        address = self._address(typ, self.loadvar(target_var.name), indices)
        return store_item(self.context, self.builder, typ, value, address)

    def _indices(self, typ: Any, index: Any) -> list[tuple[Any, Any]] | None:
        """The numbers of an index with their types; None for what numba has to lower."""
        if not isinstance(typ, types.Array) or typ.layout != "C" or index is None:
            return None
        its_type = self.typeof(index.name)
        inner: list[Any] = [its_type]
        if isinstance(its_type, types.BaseTuple):
            inner = list(getattr(its_type, "types", ()))
        known = all(isinstance(one, types.Integer) for one in inner)
        if not known or not self._fits(typ, len(inner)) or self.context.enable_boundscheck:
            return None
        value = self.loadvar(index.name)
        if not isinstance(its_type, types.BaseTuple):
            return [(value, its_type)]
        return [(self.builder.extract_value(value, n), one) for n, one in enumerate(inner)]

    @staticmethod
    def _fits(typ: Any, count: int) -> bool:
        """Whether this many indices name an element or a row of a table."""
        return bool(count == typ.ndim or (count == 1 and typ.ndim == 2))

    def _address(self, typ: Any, array: Any, indices: Sequence[tuple[Any, Any]]) -> Any:
        """The address of an element, or of the first of a row."""
        builder, field = self.builder, self._fields(typ, array)
        shape, place = field("shape"), None
        for axis in range(typ.ndim):
            size = builder.extract_value(shape, axis)
            if axis == len(indices):
                return builder.gep(field("data"), [builder.mul(place, size)])
            index, its_type = indices[axis]
            index = self.context.cast(
                builder, index, its_type, types.intp if its_type.signed else types.uintp
            )
            if its_type.signed and not _is_natural(index):
                negative = builder.icmp_signed("<", index, llvm.Constant(index.type, 0))
                index = builder.select(negative, builder.add(index, size), index)
            place = index if place is None else builder.add(builder.mul(place, size), index)
        return builder.gep(field("data"), [place])

    def _fields(self, typ: Any, value: Any) -> Callable[[str], Any]:
        model = self.context.data_model_manager[typ]
        return lambda name: model.get(self.builder, value, name)

    def _attribute(self, typ: Any, value: Any, name: str) -> Any:
        """The size and shape of an array, or an array in a record; None for anything else."""
        if isinstance(typ, types.Array) and name in ("size", "shape"):
            return self._fields(typ, value)("nitems" if name == "size" else name)
        inner = typ.typeof(name) if isinstance(typ, types.Record) else None
        if not isinstance(inner, types.NestedArray) or inner.ndim != 1:
            return None
        data = cgutils.get_record_member(
            self.builder, value, typ.offset(name), self.context.get_data_type(inner.dtype)
        )
        count = self.context.get_constant(types.intp, inner.shape[0])
        return array_of(self.context, self.builder, inner, data, [count])

    # --- operators --------------------------------------------------------------------------------

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """An operator on two values, neither looked at as a constant: LLVM does."""
        signature = self.fndesc.calltypes[expr]
        if op is operator.pow or op is operator.ipow:
            return super().lower_binop(resty, expr, op)
        values = [
            self.context.cast(self.builder, self.loadvar(one.name), self.typeof(one.name), typ)
            for one, typ in zip((expr.lhs, expr.rhs), signature.args, strict=True)
        ]
        context = self.context.typing_context
        found, function = operation(context, op, signature.args), context.resolve_value_type(op)
        result = self.context.get_function(function, found)(self.builder, values)
        return self.context.cast(self.builder, result, signature.return_type, resty)

    # --- loops, and the rest ----------------------------------------------------------------------

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        """The value of an assignment; a function has none."""
        if isinstance(ty, types.Callable) and isinstance(inst.value, (ir.Global, ir.FreeVar)):
            return self.context.get_dummy_value()
        return super().lower_assign(ty, inst)

    def lower_call(self, resty: Any, expr: Any) -> Any:
        """A call; that of `range` with steps of one just keeps its ends."""
        if not self._is_range_by_one(expr):
            return super().lower_call(resty, expr)
        ends = [self._cast_var(one, resty.dtype) for one in expr.args]
        zero, one = (self.context.get_constant(resty.dtype, number) for number in (0, 1))
        return self._struct(resty, (zero, *ends, one) if len(ends) == 1 else (*ends, one))

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        """Whatever a value is computed by."""
        if expr.op in ("pair_first", "pair_second"):
            pair = self.loadvar(expr.value.name)
            return self.builder.extract_value(pair, 0 if expr.op == "pair_first" else 1)
        if expr.op == "getiter" and self._counts_by_one(expr.value):
            return self._begin_counting(resty, self.loadvar(expr.value.name))
        if expr.op == "iternext" and self._is_counting(expr.value):
            return self._count(resty, self.loadvar(expr.value.name))
        if expr.op == "static_getitem" and expr.index_var is not None:
            typ = self.typeof(expr.value.name)
            if isinstance(typ, types.Array) and isinstance(expr.index, int):
                signature = self.fndesc.calltypes[expr]
                return self.lower_getitem(resty, expr, expr.value, expr.index_var, signature)
        if expr.op == "getattr" and not isinstance(resty, types.BoundFunction):
            typ = self.typeof(expr.value.name)
            found = self._attribute(typ, self.loadvar(expr.value.name), expr.attr)
            if found is not None:
                return found
        return super().lower_expr(resty, expr)

    def _is_range_by_one(self, call: Any) -> bool:
        """Whether an expression is a call of `range` with steps of one."""
        if not isinstance(call, ir.Expr) or call.op != "call" or call.kws or call.vararg:
            return False
        called = self.typeof(call.func.name)
        is_range = isinstance(called, types.Function) and called.typing_key is range
        return is_range and len(call.args) <= 2

    def _counts_by_one(self, variable: Any) -> bool:
        """Whether a variable is a range with steps of one."""
        return self._is_range_by_one(guard(get_definition, self.func_ir, variable))

    def _is_counting(self, variable: Any) -> bool:
        """Whether a variable is an iterator over such a range."""
        found = guard(get_definition, self.func_ir, variable)
        begun = isinstance(found, ir.Expr) and found.op == "getiter"
        return begun and self._counts_by_one(found.value)

    def _begin_counting(self, resty: Any, ends: Any) -> Any:
        """The iterator over a range: the next number and how many are left, in memory."""
        builder = self.builder
        start, stop, step = (builder.extract_value(ends, n) for n in range(3))
        positive = builder.icmp_signed(">", stop, start)
        count = builder.select(positive, builder.sub(stop, start), llvm.Constant(start.type, 0))
        number, left = (stack_room(builder, start.type) for _ in range(2))
        builder.store(start, number)
        builder.store(count, left)
        return self._struct(resty, (number, stop, step, left))

    def _count(self, resty: Any, iterator: Any) -> Any:
        """The next number, and whether there is one."""
        builder = self.builder
        at_number, at_left = (builder.extract_value(iterator, n) for n in (0, 3))
        number, left = builder.load(at_number), builder.load(at_left)
        one, none = (llvm.Constant(left.type, n) for n in (1, 0))
        builder.store(builder.add(number, one), at_number)
        builder.store(builder.sub(left, one), at_left)
        return self._struct(resty, (number, builder.icmp_signed(">", left, none)))

    def _struct(self, typ: Any, values: Sequence[Any]) -> Any:
        struct = llvm.Constant(self.context.get_value_type(typ), llvm.Undefined)
        for place, value in enumerate(values):
            struct = self.builder.insert_value(struct, value, place)
        return struct


def _is_natural(value: Any) -> bool:
    """Whether LLVM's value is a constant that is not negative."""
    return (
        isinstance(value, llvm.Constant) and isinstance(value.constant, int) and value.constant >= 0
    )


class Lowering(typed_passes.NativeLowering):
    """The pass."""

    @property
    def lowering_class(self) -> type[lowering.Lower]:
        """What lowers a function."""
        return _Lower
