"""Genetic algorithms: a shared engine, and one file per algorithm."""
