"""Genetic algorithms: one engine, and one file an algorithm."""
