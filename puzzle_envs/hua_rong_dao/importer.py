"""Lists of layouts: codes, the paper's digits, or 20 characters, one per line."""

from __future__ import annotations

from puzzle_envs.hua_rong_dao.level import FORMAT
from puzzle_envs.importing import one_a_line

NOTATIONS = (one_a_line("codes", FORMAT),)
