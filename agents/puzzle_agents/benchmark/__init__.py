"""Measurements: how fast things are, and how agents compare."""
