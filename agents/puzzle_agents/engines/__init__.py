"""Engines: where jobs run, in processes on this machine or on a Ray cluster."""

from __future__ import annotations

from puzzle_agents.engines.job import Engine
from puzzle_agents.engines.ray_cluster import on_ray
from puzzle_agents.engines.this_machine import local

ENGINES: dict[str, Engine] = {"local": local, "ray": on_ray}
"""By name on the command line."""
