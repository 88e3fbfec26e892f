"""The command `puzzle-envs`, and what its subcommands share.

Exit codes: 0 success; 1 completed with a negative result (a level is not solved, a figure does not
match the paper's); 2 usage error, or a file that cannot be read or written; 3 internal error; 130
interrupted by Ctrl-C; 141 standard output was closed. SIGTERM terminates it as usual (143 in a
shell); `train` saves a checkpoint on either signal.
"""

from __future__ import annotations

import errno
import inspect
import os
import select
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Annotated, TextIO

import typer

from puzzle_agents.cli import (
    bench,
    evaluate,
    export,
    generate,
    import_levels,
    improve,
    listing,
    play,
    record,
    report,
    reproduce,
    show,
    solve,
    submit,
    train,
    watch,
)
from puzzle_agents.machine import ONE_THREAD

DONE, NOT_AS_ASKED, WRONG_USAGE, FAULT, STOPPED, PIPE_CLOSED = 0, 1, 2, 3, 130, 141

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Errors of writes to an open file. Files are named (`files.naming`), stdout is not."""

DEBUG = "--debug"


def _unwrapped(command: Callable[..., int]) -> str:
    """The docstring with one line per paragraph, so that help fills the terminal's width."""
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


app = typer.Typer(
    name="puzzle-envs",
    help="Puzzles as Gymnasium environments, and the agents that solve them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
COMMANDS = (
    listing,
    show,
    solve,
    improve,
    submit,
    play,
    watch,
    record,
    generate,
    bench,
    report,
    train,
    evaluate,
    reproduce,
    export,
    import_levels,
)
for command in COMMANDS:
    examples = "\n".join(("Examples:", *command.EXAMPLES))
    app.command(command.NAME, help=_unwrapped(command.run), epilog=examples)(command.run)


def _show_version(wanted: bool) -> None:
    if wanted:
        import puzzle_envs

        typer.echo(f"puzzle-envs {puzzle_envs.__version__}")
        raise typer.Exit


@app.callback()
def options(
    debug: Annotated[bool, typer.Option(DEBUG, help="Show the traceback of an error.")] = False,
    packages: Annotated[
        list[str] | None,
        typer.Option("--import", metavar="PACKAGE", help="Import a package with further puzzles."),
    ] = None,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Puzzles as Gymnasium environments, and the agents that solve them."""
    for package in packages or ():
        from puzzle_agents.environments import import_package

        import_package(package)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    _open_closed_streams()
    for name, value in ONE_THREAD.items():  # before any command imports PyTorch
        os.environ.setdefault(name, value)
    stdout, file = sys.stdout, _file_of(sys.stdout)
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = DEBUG in given
    given = [argument for argument in given if argument != DEBUG]
    try:
        code = app(given, prog_name="puzzle-envs", standalone_mode=False)
        sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        code = STOPPED
    except SystemExit as ended:  # raised by typer and rich on a broken pipe
        if not isinstance(ended.__context__, BrokenPipeError):
            raise
        sys.stdout = stdout
        if _file_of(stdout) == file and _is_read():  # another pipe; rich replaces stdout
            return _failed(_sentence(ended.__context__), WRONG_USAGE)
        _give_up_stdout()
        return PIPE_CLOSED
    except typer.TyperException as error:
        return _failed(error.format_message(), WRONG_USAGE)
    except (ImportError, OSError, ValueError) as error:  # a missing extra, a bad file or value
        if isinstance(error, BrokenPipeError) and not _is_read():
            _give_up_stdout()
            return PIPE_CLOSED
        if isinstance(error, OSError) and error.filename is None and error.errno in FULL:
            _give_up_stdout()
            return _failed(f"Standard output cannot be written: {error.strerror}.", WRONG_USAGE)
        if debug:
            raise
        return _failed(_sentence(error), WRONG_USAGE)
    except MemoryError:
        if debug:
            raise
        return _failed("Not enough memory; request less.", WRONG_USAGE)
    except Exception as error:
        if debug:
            raise
        kind = type(error).__name__
        return _failed(
            f"{kind}: {error} This is a bug in puzzle-envs; {DEBUG} shows the traceback.", FAULT
        )
    if code == STOPPED:  # how typer reports Ctrl-C in a subcommand
        return _failed("Stopped.", STOPPED)
    return code if isinstance(code, int) else DONE


def _open_closed_streams() -> None:
    """Redirect standard output or error to the null device if the shell closed it (`>&-`).

    Otherwise the next file opened would take its place.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _file_of(stream: TextIO) -> tuple[int, int] | None:
    """The identity of a stream's file."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def _is_read() -> bool:
    """Whether standard output still has a reader; `| head` closes it."""
    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return not poll.poll(0)
    except (AttributeError, OSError, ValueError):  # on Windows, or not a file
        return True


def _give_up_stdout() -> None:
    """Discard pending output, which Python would try to write again at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _sentence(error: Exception) -> str:
    """The error's message, also for errors of the operating system."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename} cannot be read or written: {error.strerror}."
    return str(error)


def _failed(sentence: str, code: int) -> int:
    """Print an error to stderr, in one line."""
    # typer checks choices with pydantic, which puts these words before a sentence.
    text = " ".join(sentence.replace("Value error, ", "").split())
    if text:  # empty if no command was given, where typer has shown the help
        print(text if text[-1] in ".!?" else f"{text}.", file=sys.stderr)
    return code
