"""How a paper is to be reproduced."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

Choice = TypeVar("Choice")
Watch: TypeAlias = Callable[[str, int, int], None]
"""Is called with what is being done, how much of it is done, and how much there is."""


@dataclass(frozen=True)
class Settings:
    """What the command's options say."""

    quick: bool = False
    """Two minutes at most: fewer runs, fewer levels, tighter budgets."""
    seed: int = 0
    """Of the first run; each further run takes the next number."""
    runs: int | None = None
    """How often a genetic algorithm is run on a level; None: as the paper did, or few if quick."""
    levels: Path | None = None
    """The paper's own levels, from whoever has them."""
    watch: Watch = lambda what, done, of: None

    def either(self, full: Choice, quick: Choice) -> Choice:
        """The first, or if quick the second."""
        return quick if self.quick else full

    def levels_or(self, variable: str) -> Path | None:
        """The paper's own levels, where the command or the environment variable names them."""
        named = os.environ.get(variable)
        return self.levels or (Path(named) if named else None)
