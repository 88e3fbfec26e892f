"""Puzzle environments for Gymnasium: importing this package registers their ids."""

from importlib import import_module
from pkgutil import iter_modules

from puzzle_envs.puzzle import Puzzle

__version__ = "0.1.0"

for _module in iter_modules(__path__):
    if _module.ispkg:
        for _part in vars(import_module(f"{__name__}.{_module.name}")).values():
            if isinstance(_part, Puzzle):
                _part.register()
