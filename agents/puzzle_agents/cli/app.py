"""The command `puzzle-envs` and what all of its subcommands have in common.

Exit codes: 0 done; 1 done, but not with the result that was asked for (a figure that should be a
paper's is not); 2 wrong usage, or a file that cannot be read or written; 3 a fault of this program;
130 stopped by Ctrl-C.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from puzzle_agents.cli import evaluate, reproduce, train

__all__ = ["DONE", "FAULT", "NOT_AS_ASKED", "STOPPED", "WRONG_USAGE", "main"]

DONE, NOT_AS_ASKED, WRONG_USAGE, FAULT, STOPPED = 0, 1, 2, 3, 130

DEBUG = "--debug"

app = typer.Typer(
    name="puzzle-envs",
    help="Puzzles as Gymnasium environments, and the agents that solve them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (evaluate, reproduce, train):
    app.command(command.NAME)(command.run)


@app.callback()
def options(
    debug: Annotated[
        bool, typer.Option(DEBUG, help="On an error show where in the program it arose.")
    ] = False,
) -> None:
    """Puzzles as Gymnasium environments, and the agents that solve them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = DEBUG in given
    given = [argument for argument in given if argument != DEBUG]
    try:
        code = app(given, prog_name="puzzle-envs", standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        code = STOPPED
    except typer.TyperException as error:
        return _failed(error.format_message(), WRONG_USAGE)
    except (ImportError, OSError, ValueError) as error:  # an extra, a file, a value
        if debug:
            raise
        return _failed(str(error), WRONG_USAGE)
    except Exception as error:
        if debug:
            raise
        kind = type(error).__name__
        return _failed(f"{kind}: {error} This is a fault of puzzle-envs; {DEBUG} shows it.", FAULT)
    if code == STOPPED:  # so typer says that Ctrl-C stopped a subcommand
        return _failed("Stopped.", STOPPED)
    return code if isinstance(code, int) else DONE


def _failed(sentence: str, code: int) -> int:
    """Say on stderr, in one line, what is wrong."""
    text = " ".join(sentence.replace("Value error, ", "").split())
    if text:  # nothing but the command asks for help, which has been shown
        print(text if text[-1] in ".!?" else f"{text}.", file=sys.stderr)
    return code
