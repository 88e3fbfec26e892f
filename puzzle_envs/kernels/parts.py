"""How kernels are compiled: helpers become machine code only as parts of kernels.

Numba compiles every function to its own library: with wrappers for Python, optimised, and
optimised again in every caller that inlines it. Python calls only our kernels. So helpers are left
as the front end's output; a kernel links each helper that it reaches once, as an internal function,
and everything is optimised together. That takes a third of the time and half of the memory, and the
machine code is faster.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from llvmlite.binding import Linkage
from numba.core import compiler, config, typed_passes, types, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.targetconfig import ConfigStack
from numba.core.typing.templates import AbstractTemplate, infer_global

from puzzle_envs.kernels.announcement import announcement
from puzzle_envs.kernels.calling import calling
from puzzle_envs.kernels.inference import Inference
from puzzle_envs.kernels.lowering import Lowering

__all__ = ["COMPILES", "Kernel", "Part", "choose_part"]

COMPILES: bool = not config.DISABLE_JIT
"""False with NUMBA_DISABLE_JIT=1, which runs all functions as plain Python."""

OPTIONS: dict[str, Any] = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
    "no_cfunc_wrapper": True,
}

PASSES = (
    untyped_passes.TranslateByteCode(),
    untyped_passes.FixupArgs(),
    untyped_passes.IRProcessing(),
    untyped_passes.GenericRewrites(),
    untyped_passes.ReconstructSSA(),
    Inference(),
    typed_passes.PreLowerStripPhis(),
    typed_passes.IRLegalization(),
    Lowering(),
    typed_passes.NoPythonBackend(),
)
"""Numba's passes without those for closures, array expressions and literals."""


class _Library(JITCodeLibrary):
    """A library whose functions are not optimised one by one before linking."""

    @property
    def symbol(self) -> str | None:
        """The name of its function; None for the name chosen by numba."""
        return None

    def _optimize_functions(self, ll_module: Any) -> None:
        codegen: Any = self._codegen
        ll_module.data_layout = codegen._data_layout


class _PartLibrary(_Library):
    """A helper as LLVM IR, not compiled."""

    def finalize(self) -> None:
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        return self._final_module


class KernelLibrary(_Library):
    """A kernel together with all of its parts."""

    level = 3
    """How hard LLVM tries."""
    needed: tuple[str, ...] = ()
    """The names of the separate helpers that it calls."""

    def finalize(self) -> None:
        """Link, optimise and load."""
        self._own = {one.name for one in self._defined()}
        found = _reached(self._linking_libraries)
        self._linking_libraries = [one for one in found if not isinstance(one, KernelLibrary)]
        self.needed = tuple(one.name for one in found if isinstance(one, KernelLibrary))
        super().finalize()

    def _optimize_final_module(self) -> None:
        for one in self._defined():
            if one.name not in self._own:
                one.linkage = Linkage.internal
        codegen: Any = self._codegen
        passes, builder = codegen._module_pass_manager(opt=self.level)
        passes.run(self._final_module, builder)

    def _defined(self) -> list[Any]:
        module: Any = self._final_module
        values = (*module.functions, *module.global_variables)
        return [one for one in values if not one.is_declaration]


class _SmallKernelLibrary(KernelLibrary):
    """The same, optimised for size."""

    level = 1

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration:
                function.add_function_attribute("minsize")
        super()._optimize_final_module()


def _reached(libraries: list[Any]) -> list[Any]:
    """These libraries and all that their parts call, without numba's runtime."""
    found: dict[Any, None] = {}
    waiting = list(libraries)
    while waiting:
        one = waiting.pop()
        if one in found or one is rtsys.library:
            continue
        found[one] = None
        if isinstance(one, _PartLibrary):
            waiting += one._linking_libraries
    return list(found)


class _Flags(compiler.Flags):
    """Immutable flags with a cached hash: numba compares them at every lookup of a call."""

    def __init__(self, flags: compiler.Flags) -> None:
        super().__init__(flags)
        self._hash = hash(repr(self))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or super().__eq__(other)


_flags: dict[_Flags, _Flags] = {}


def _frozen(flags: compiler.Flags) -> _Flags:
    """One object for all functions with equal flags."""
    frozen = _Flags(flags)
    return _flags.setdefault(frozen, frozen)


class _Compiler(compiler.CompilerBase):
    """Numba's compiler with our passes and library."""

    library_class: type[_Library]

    def _library_name(self) -> str:
        state: Any = self.state
        return str(state.func_id.func_qualname)

    def _compile_core(self) -> Any:
        state: Any = self.state
        state.library = self.library_class(state.targetctx.codegen(), self._library_name())
        state.library.enable_object_caching()
        with ConfigStack().enter(_frozen(state.flags)):
            for one in PASSES:
                one.run_pass(state)
        return state.cr


class PartCompiler(_Compiler):
    """A helper, for kernels."""

    library_class: type[_Library] = _PartLibrary

    def _compile_core(self) -> Any:
        state: Any = self.state
        state.flags.no_compile = True
        return self._callable(super()._compile_core())

    @staticmethod
    def _callable(result: Any) -> Any:
        """What kernels find when they call the part."""
        result = result._replace(entry_point=_Key())
        called = calling(result.fndesc, result.library)
        result.target_context._defns[result.entry_point].append(called, called.signature)
        return result


class _KernelCompiler(_Compiler):
    library_class = KernelLibrary


class _SmallKernelCompiler(_Compiler):
    library_class = _SmallKernelLibrary


class _Key:
    """Stands for a part in numba's tables, where other functions have an entry point."""


class Kernel(CPUDispatcher):
    """A function that Python calls."""

    def __init__(
        self, py_func: Callable[..., Any], cache: Any = None, *, small: bool = False
    ) -> None:
        """Compile a function at its first call, for speed or for size."""
        pipeline = _SmallKernelCompiler if small else _KernelCompiler
        super().__init__(py_func, targetoptions=OPTIONS, pipeline_class=pipeline)
        if cache is not None:
            self._cache = cache


class Part(CPUDispatcher):
    """A function that kernels call."""

    pipeline = PartCompiler

    def __init__(self, py_func: Callable[..., Any], **options: Any) -> None:
        """Compile a function with the first kernel that calls it."""
        options = {**OPTIONS, "no_cpython_wrapper": True, "forceinline": False, **options}
        super().__init__(py_func, targetoptions=options, pipeline_class=self.pipeline)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Treat literal numbers like others, so that there is one version; LLVM sees constants."""
        plain = {name: types.unliteral(value) for name, value in kws.items()}
        return super().get_call_template([types.unliteral(one) for one in args], plain)

    def add_overload(self, cres: Any) -> None:
        """Keep a version for kernels, which Python cannot call."""
        self.overloads[tuple(cres.signature.args)] = cres
        announcement.advance()

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """Called from Python: compile it as a kernel, without a cache."""
        return self._alone._compile_for_args(*args, **kws)

    @cached_property
    def _alone(self) -> Any:
        return Kernel(self.py_func)


def choose_part(function: Callable[..., Any], choose: Callable[[Any], Part | None]) -> None:
    """Replace calls of a function in kernels by the part chosen by the first argument's type."""

    class Chosen(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            part = choose(args[0])
            if part is None:
                return None
            called: Any = types.Dispatcher(part)
            signature = called.get_call_type(self.context, args, kws)
            self._found = called.get_overload(signature)
            return signature

        def get_impl_key(self, sig: Any) -> Any:
            return self._found

    infer_global(function, types.Function(Chosen))
