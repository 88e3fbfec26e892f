"""Lists of grids: Towers ids or lines of clues, one per line."""

from __future__ import annotations

from puzzle_envs.importing import one_a_line
from puzzle_envs.skyscraper.level import FORMAT

NOTATIONS = (one_a_line("ids", FORMAT),)
