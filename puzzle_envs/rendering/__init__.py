"""Drawing and display of puzzles; pygame is imported when the first window opens."""

import os

# pygame's banner would go to standard output, which may hold results.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
