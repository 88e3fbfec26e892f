"""For all tests: no window on a real screen."""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
