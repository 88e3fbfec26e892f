"""For all tests: no window on a real screen, and the puzzle from outside is registered."""

import os
import signal

import tests.sliding_tiles  # noqa: F401 (registers its id)

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
# A shell that starts the tests in the background lets them ignore Ctrl-C, and what they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
