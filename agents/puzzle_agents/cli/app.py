"""The command `puzzle-envs` and what all of its subcommands have in common.

Exit codes: 0 done; 1 done, but not with the result that was asked for (a level is not solved, a
figure that should be a paper's is not); 2 wrong usage, or a file that cannot be read or written; 3
a fault of this program; 130 stopped by Ctrl-C; 141 nobody reads the output any longer. SIGTERM ends
it as it ends any program (143 in a shell); `train` saves a checkpoint before either.
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
    generate,
    listing,
    play,
    record,
    report,
    reproduce,
    show,
    solve,
    train,
    watch,
)

__all__ = ["DONE", "FAULT", "NOT_AS_ASKED", "PIPE_CLOSED", "STOPPED", "WRONG_USAGE", "main"]

DONE, NOT_AS_ASKED, WRONG_USAGE, FAULT, STOPPED, PIPE_CLOSED = 0, 1, 2, 3, 130, 141

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Why a write to an open file may fail. Files are named then (`files.naming`), but not stdout."""

DEBUG = "--debug"


def _unwrapped(command: Callable[..., int]) -> str:
    """The docstring with a line for each paragraph, so that the help is as wide as the terminal."""
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
    play,
    watch,
    record,
    generate,
    bench,
    report,
    train,
    evaluate,
    reproduce,
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
    debug: Annotated[
        bool, typer.Option(DEBUG, help="On an error show where in the program it arose.")
    ] = False,
    packages: Annotated[
        list[str] | None,
        typer.Option(
            "--import", metavar="PACKAGE", help="Import a package with puzzles of its own."
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Puzzles as Gymnasium environments, and the agents that solve them."""
    for package in packages or ():
        from puzzle_agents.environments import bring_in

        bring_in(package)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    _open_closed_streams()
    stdout, file = sys.stdout, _file_of(sys.stdout)
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = DEBUG in given
    given = [argument for argument in given if argument != DEBUG]
    try:
        code = app(given, prog_name="puzzle-envs", standalone_mode=False)
        sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        code = STOPPED
    except SystemExit as ended:  # so typer and rich end where a pipe is broken
        if not isinstance(ended.__context__, BrokenPipeError):
            raise
        sys.stdout = stdout
        if _file_of(stdout) == file and _is_read():  # it is another pipe; rich lets this one go
            return _failed(_sentence(ended.__context__), WRONG_USAGE)
        _give_up_stdout()
        return PIPE_CLOSED
    except typer.TyperException as error:
        return _failed(error.format_message(), WRONG_USAGE)
    except (ImportError, OSError, ValueError) as error:  # an extra, a file, a value
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
        return _failed("There is not enough memory for this; ask for less.", WRONG_USAGE)
    except Exception as error:
        if debug:
            raise
        kind = type(error).__name__
        return _failed(f"{kind}: {error} This is a fault of puzzle-envs; {DEBUG} shows it.", FAULT)
    if code == STOPPED:  # so typer says that Ctrl-C stopped a subcommand
        return _failed("Stopped.", STOPPED)
    return code if isinstance(code, int) else DONE


def _open_closed_streams() -> None:
    """Where the shell closed standard output or errors (`>&-`), let what is said go nowhere.

    Else the next file that is opened would be taken for them.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _file_of(stream: TextIO) -> tuple[int, int] | None:
    """Which file of the system a stream is."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def _is_read() -> bool:
    """Whether standard output has a reader; who reads no further (`| head`) has all he wants."""
    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return not poll.poll(0)
    except (AttributeError, OSError, ValueError):  # not on Windows, or no file
        return True


def _give_up_stdout() -> None:
    """Let go what could not be written, or Python tries again at its end, and complains."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _sentence(error: Exception) -> str:
    """What is wrong, where the system says it in its own way too."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename} cannot be read or written: {error.strerror}."
    return str(error)


def _failed(sentence: str, code: int) -> int:
    """Say on stderr, in one line, what is wrong."""
    text = " ".join(sentence.replace("Value error, ", "").split())
    if text:  # nothing but the command asks for help, which has been shown
        print(text if text[-1] in ".!?" else f"{text}.", file=sys.stderr)
    return code
