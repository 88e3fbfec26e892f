"""Helpers with separate machine code: compiled and cached once, called by all kernels.

Other helpers are compiled again into each kernel that reaches them. For large ones, such as the
macro-moves of a puzzle, that took most of the time of compiling a second search. The symbol of a
separate helper is the name of its cache file, a hash of all that it reaches, so every kernel that
uses the name finds the right code.
"""

from __future__ import annotations

from typing import Any

from numba.core import compiler

from puzzle_envs.kernels.announcement import announcement
from puzzle_envs.kernels.kept import keep, kept, name_of
from puzzle_envs.kernels.parts import KernelLibrary, Part, PartCompiler
from puzzle_envs.kernels.reached import parts_of

__all__ = ["Separate", "load"]


class _Library(KernelLibrary):
    """One helper with all that it calls."""

    can_fail: bool

    @property
    def symbol(self) -> str:
        """What kernels call it by."""
        return str(self.name)


_loaded: dict[str, tuple[_Library, Any, Any]] = {}
"""Loaded in this process, by name: the library, the descriptor of its function, the signature."""


def load(context: Any, name: str) -> bool:
    """Load machine code, and all that it calls; False if any of it is not cached."""
    if name in _loaded:
        return True
    found = kept(name)
    if found is None or not all(load(context, one) for one in found[0]):
        return False
    create: Any = _Library
    library = create(context.codegen(), name)
    library.needed, library.can_fail, code, descriptor, signature = found
    library.enable_object_caching()
    library._set_compiled_object(code)
    library._finalize_final_module()
    _loaded[name] = library, descriptor, signature
    return True


class _Compiler(PartCompiler):
    """Loads machine code from the cache, or compiles it."""

    library_class = _Library

    def _compile_core(self) -> Any:
        state: Any = self.state
        function, arguments = state.func_id.func, tuple(state.args)
        self._name = name_of(function, arguments, False, state.targetctx.codegen())
        if self._name is None or not load(state.targetctx, self._name):
            return self._keep(super()._compile_core())
        announcement.advance(sum(not one.overloads for one in parts_of(function, arguments)))
        library, descriptor, signature = _loaded[self._name]
        result: Any = compiler.compile_result
        return self._callable(
            result(
                typing_context=state.typingctx,
                target_context=state.targetctx,
                library=library,
                fndesc=descriptor,
                signature=signature,
                objectmode=False,
            )
        )

    def _library_name(self) -> str:
        return self._name or f"{super()._library_name()}-{self.state.func_id.unique_id}"

    def _keep(self, result: Any) -> Any:
        library, descriptor, signature = result.library, result.fndesc, result.signature
        library.finalize()
        descriptor.typemap = descriptor.calltypes = None  # of no use any more, and large
        if self._name is not None and not library.has_dynamic_globals:
            code = library._get_compiled_object()
            keep(self._name, (library.needed, library.can_fail, code, descriptor, signature))
            _loaded[self._name] = library, descriptor, signature
        return result


class Separate(Part):
    """A function that kernels call, compiled once for all of them."""

    pipeline = _Compiler
