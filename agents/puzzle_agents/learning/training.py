"""Starting and resuming training runs, each in its own folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from puzzle_agents.learning.card_file import MODEL
from puzzle_agents.learning.config import Config, read_config, write_config
from puzzle_agents.lock import LOCK, held

__all__ = ["CONFIG", "MODEL", "WHO", "new_folder", "resume", "train"]

CONFIG = "config.json"
WHO = "training run"


def _silent(sentence: str) -> None:
    """Say nothing."""


def train(
    config: Config,
    folder: Path,
    command: str = "",
    *,
    threads: int | None = None,
    say: Callable[[str], None] = _silent,
) -> Path:
    """Train a model from scratch; return its file.

    Ctrl-C and SIGTERM save a checkpoint before they end it.

    Args:
        config: The configuration, checked before anything is written.
        folder: The folder of the run; it must not hold a run yet.
        command: The command line, for the model's card.
        threads: Threads used by PyTorch; None for its default.
        say: Receives status messages.
    """
    config.check()
    with new_folder(folder):
        return _run(config, folder, command, threads, say)


def resume(
    folder: Path,
    command: str = "",
    *,
    threads: int | None = None,
    say: Callable[[str], None] = _silent,
) -> Path:
    """Resume a run from its last checkpoint; return the model's file.

    A checkpoint does not hold the replay buffer of dqn, which is refilled first.
    """
    config = read_config(folder / CONFIG)
    with held(folder, WHO):
        return _run(config, folder, command, threads, say)


def _run(
    config: Config, folder: Path, command: str, threads: int | None, say: Callable[[str], None]
) -> Path:
    say("Loading PyTorch and Stable-Baselines3.")
    import puzzle_agents.learning.extra  # noqa: F401 (says what is missing)
    from puzzle_agents.learning.run import Run

    run = Run(config, folder, command, threads, say)  # rejected configurations leave no files
    if not (folder / CONFIG).exists():
        write_config(folder / CONFIG, config)
    return run.to_the_end()


@contextmanager
def new_folder(folder: Path) -> Iterator[None]:
    """Create and lock a run's folder; remove it again if the run does not start."""
    if folder.exists() and not folder.is_dir():
        raise FileExistsError(f"{folder} is a file; name a folder with --output.")
    before = folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    with held(folder, WHO):
        if (folder / CONFIG).exists():
            raise FileExistsError(
                f"{folder} already holds a run; resume it with --resume {folder}, or name another "
                "folder."
            )
        try:
            yield
        finally:
            if not (folder / CONFIG).exists():
                (folder / LOCK).unlink(missing_ok=True)
                if not before:
                    with suppress(OSError):  # other files are there
                        folder.rmdir()
