"""Puzzle environments for Gymnasium: importing this package registers their ids."""

from importlib import import_module
from pkgutil import iter_modules

__version__ = "0.1.0"

for _module in iter_modules(__path__):
    if _module.ispkg:
        _puzzle = getattr(import_module(f"{__name__}.{_module.name}"), "PUZZLE", None)
        if _puzzle is not None:
            _puzzle.register()
