"""For all tests: no window on a real screen, and the puzzle from outside is registered."""

import os
import signal

from tests.sliding_tiles import PUZZLE

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
# A shell that starts the tests in the background lets them ignore Ctrl-C, and what they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
PUZZLE.register()
