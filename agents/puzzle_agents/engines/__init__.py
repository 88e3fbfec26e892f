"""Where jobs are done: in processes of this machine, or on a Ray cluster."""

from __future__ import annotations

from puzzle_agents.engines.job import Engine
from puzzle_agents.engines.local import local
from puzzle_agents.engines.on_ray import on_ray

__all__ = ["ENGINES"]

ENGINES: dict[str, Engine] = {"local": local, "ray": on_ray}
"""By the name that the command takes."""
