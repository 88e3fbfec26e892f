"""A training run as a job of an engine: what it writes down is told to who asked for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from puzzle_agents.environments import bring_in
from puzzle_agents.learning.config import Config

CHECKPOINT = "checkpoint.pt"
"""Where a run is, in its folder."""


@dataclass(frozen=True)
class Moment:
    """Where a run is, and the files of its folder that have changed since the last moment."""

    run: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    said: str = ""
    """How well it does, in a sentence."""
    fault: str | None = None
    """Why it cannot go on."""
    over: bool = False


@dataclass(frozen=True)
class TrainingJob:
    """A run from a checkpoint on, or from its beginning."""

    name: str
    config: Config
    command: str
    """What a person typed, for the model's card."""
    cores: int
    """As many threads has the network."""
    package: str
    """Whose import registers the environment."""
    checkpoint: bytes | None = None

    def run(self) -> Iterator[Moment]:
        """Train in a folder of its own, which goes again; tell of each measurement."""
        from puzzle_agents.learning.run import Run

        bring_in(self.package)
        said: list[str] = []
        with TemporaryDirectory(prefix="puzzle-envs-") as made:
            folder = Path(made)
            if self.checkpoint is not None:
                (folder / CHECKPOINT).write_bytes(self.checkpoint)
            told: dict[str, bytes] = {}
            try:
                run = Run(self.config, folder, self.command, self.cores, said.append)
                for _ in run.points():
                    yield Moment(self.name, _changed(folder, told), said[-1])
            except (ValueError, MemoryError) as error:
                fault = str(error).replace(f"{folder}/", "") or "There is not enough memory."
                yield Moment(self.name, fault=fault, over=True)
            else:
                yield Moment(self.name, _changed(folder, told), over=True)

    def after(self, told: Moment) -> TrainingJob | None:
        """Go on from the checkpoint that was told."""
        return None if told.over else replace(self, checkpoint=told.files[CHECKPOINT])


def _changed(folder: Path, told: dict[str, bytes]) -> dict[str, bytes]:
    """The files that were not told as they are now; they are, from now on."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    now = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    changed = {name: data for name, data in now.items() if told.get(name) != data}
    told.update(changed)
    return changed
