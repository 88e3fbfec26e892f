"""Search over whole moves, one algorithm a file."""
