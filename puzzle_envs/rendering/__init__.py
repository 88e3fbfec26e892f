"""How puzzles are drawn and shown; pygame is imported when the first window opens."""
