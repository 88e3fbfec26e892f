"""Search over macro-moves, one algorithm per file."""
