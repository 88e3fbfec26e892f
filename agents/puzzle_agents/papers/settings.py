"""How a paper is to be reproduced."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

Choice = TypeVar("Choice")
Watch: TypeAlias = Callable[[str, int, int], None]
"""Called with the name of the task, the number of steps done, and their total."""


@dataclass(frozen=True)
class Settings:
    """The command's options."""

    quick: bool = False
    """At most two minutes: fewer runs and levels, and tighter budgets."""
    seed: int = 0
    """Random seed of the first run; each further run uses the next number."""
    runs: int | None = None
    """Runs of a genetic algorithm per level; None for as many as in the paper, or few if quick."""
    levels: Path | None = None
    """The paper's own levels, which the user provides."""
    watch: Watch = lambda what, done, of: None

    def either(self, full: Choice, quick: Choice) -> Choice:
        """The first choice, or the second if quick."""
        return quick if self.quick else full

    def levels_or(self, variable: str) -> Path | None:
        """The paper's own levels, if an option or the environment variable names them."""
        named = os.environ.get(variable)
        return self.levels or (Path(named) if named else None)
