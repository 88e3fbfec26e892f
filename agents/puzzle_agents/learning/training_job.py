"""A training run as a job of an engine, which yields the files that it writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from puzzle_agents.environments import import_package
from puzzle_agents.learning.config import Config

CHECKPOINT = "checkpoint.pt"
"""The file of a run's progress, in its folder."""


@dataclass(frozen=True)
class Moment:
    """The progress of a run: the files of its folder that changed since the last message."""

    run: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    said: str = ""
    """Its results so far, in a sentence."""
    fault: str | None = None
    """Why it cannot continue."""
    over: bool = False


@dataclass(frozen=True)
class TrainingJob:
    """A run, from a checkpoint or from its beginning."""

    name: str
    config: Config
    command: str
    """The command line, for the model's card."""
    cores: int
    """Threads of the network."""
    package: str
    """The package whose import registers the environment."""
    checkpoint: bytes | None = None

    def run(self) -> Iterator[Moment]:
        """Train in a temporary folder; yield a message at each measurement."""
        from puzzle_agents.learning.run import Run

        import_package(self.package)
        said: list[str] = []
        with TemporaryDirectory(prefix="puzzle-envs-") as made:
            folder = Path(made)
            if self.checkpoint is not None:
                (folder / CHECKPOINT).write_bytes(self.checkpoint)
            sent: dict[str, bytes] = {}
            try:
                run = Run(self.config, folder, self.command, self.cores, said.append)
                for _ in run.points():
                    yield Moment(self.name, _changed(folder, sent), said[-1])
            except (ValueError, MemoryError) as error:
                fault = str(error).replace(f"{folder}/", "") or "There is not enough memory."
                yield Moment(self.name, fault=fault, over=True)
            else:
                yield Moment(self.name, _changed(folder, sent), over=True)

    def after(self, moment: Moment) -> TrainingJob | None:
        """Continue from the checkpoint of a moment."""
        return None if moment.over else replace(self, checkpoint=moment.files[CHECKPOINT])


def _changed(folder: Path, sent: dict[str, bytes]) -> dict[str, bytes]:
    """The files that have changed since they were sent; they count as sent from now on."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    now = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    changed = {name: data for name, data in now.items() if sent.get(name) != data}
    sent.update(changed)
    return changed
