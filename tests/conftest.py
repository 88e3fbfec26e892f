"""For all tests: no window on a real screen, and the puzzle from outside is registered."""

import os

from tests.sliding_tiles import PUZZLE

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
PUZZLE.register()
