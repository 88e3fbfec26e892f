"""Options and checks of subcommands that run parallel jobs, here or on a cluster."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Annotated

import typer

PACKAGES = {"bench": ("jinja2", "matplotlib"), "ray": ("ray",)}
"""Packages of extras that are checked before anything runs."""


class EngineName(StrEnum):
    """Where jobs run."""

    LOCAL = "local"
    RAY = "ray"


Jobs = Annotated[
    int | None,
    typer.Option(min=1, max=4096, help="Number of parallel runs.", show_default="one per core"),
]
Engine = Annotated[
    EngineName | None,
    typer.Option(
        help="Processes on this machine, or the Ray cluster at RAY_ADDRESS.", show_default="local"
    ),
]


def check_engine(engine: EngineName | None) -> None:
    """Check the requirements of an engine before anything runs."""
    if not hasattr(os, "fork"):
        raise ValueError("Runs in parallel need Linux or macOS; use one of these.")
    if engine == EngineName.RAY:
        from puzzle_agents.engines.ray_cluster import check_cluster

        check_installed("ray")
        check_cluster()


def check_installed(*extras: str) -> None:
    """Check for missing packages before anything runs."""
    from importlib.util import find_spec

    for extra in extras:
        if missing := [package for package in PACKAGES[extra] if find_spec(package) is None]:
            raise ImportError(
                f"This needs {' and '.join(missing)}: pip install 'puzzle-envs[{extra}]'."
            )
