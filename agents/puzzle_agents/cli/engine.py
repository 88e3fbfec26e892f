"""What subcommands take that have jobs done side by side, here or on a cluster."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

__all__ = ["Engine", "EngineName", "Jobs", "check_engine", "check_installed"]

PACKAGES = {"bench": ("jinja2", "matplotlib"), "ray": ("ray",)}
"""What extras bring that is looked for before anything runs."""


class EngineName(StrEnum):
    """Where jobs are done."""

    LOCAL = "local"
    RAY = "ray"


Jobs = Annotated[
    int | None,
    typer.Option(min=1, max=4096, help="Runs side by side.", show_default="as many as cores"),
]
Engine = Annotated[
    EngineName | None,
    typer.Option(
        help="Processes of this machine, or the Ray cluster of RAY_ADDRESS.", show_default="local"
    ),
]


def check_engine(engine: EngineName | None) -> None:
    """Say what an engine lacks before anything has run."""
    if engine == EngineName.RAY:
        from puzzle_agents.engines.on_ray import check_cluster

        check_installed("ray")
        check_cluster()


def check_installed(*extras: str) -> None:
    """Say what is missing before anything has run."""
    from importlib.util import find_spec

    for extra in extras:
        if missing := [package for package in PACKAGES[extra] if find_spec(package) is None]:
            raise ImportError(
                f"This needs {' and '.join(missing)}, which an extra brings: "
                f"pip install 'puzzle-envs[{extra}]'."
            )
