"""How puzzles are drawn and shown; pygame is imported when the first window opens."""

import os

# Otherwise it greets on standard output, which may hold results.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
