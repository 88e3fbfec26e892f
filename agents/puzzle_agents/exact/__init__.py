"""Exact solvers, each for one puzzle."""
