"""The manual pages of the command line, from its help texts."""

from __future__ import annotations

import inspect
from typing import Any

from docs.pages.environments import table
from docs.pages.reference import without_html
from puzzle_agents.cli import app


def every_command() -> str:
    """A section for each command."""
    from typer.main import get_command

    group: Any = get_command(app.app)
    overview = table(
        ("Command", "What it does"),
        [
            (f"[`{one.NAME}`](#{one.NAME})", _first(group.commands[one.NAME]))
            for one in app.COMMANDS
        ],
        plain=True,
    )
    sections = [_command(group.commands[one.NAME], one.EXAMPLES) for one in app.COMMANDS]
    codes = inspect.cleandoc(app.__doc__ or "").partition("\n\n")[2]
    return "\n\n".join((overview, codes, *sections))


def _first(command: Any) -> str:
    return str(command.help).partition("\n\n")[0]


def _command(command: Any, examples: tuple[str, ...]) -> str:
    """Usage, description, arguments and examples of one command."""
    given = [one for one in command.params if not getattr(one, "hidden", False)]
    rows = [_row(one) for one in given if one.name != "help"]
    return "\n\n".join(
        (
            f"## `{command.name}`",
            without_html(command.help),
            table(("Argument", "Meaning"), rows, plain=True),
            "\n".join(("```sh", *examples, "```")),
        )
    )


def _row(parameter: Any) -> tuple[str, str]:
    """An argument or option, with its default where it shows one."""
    is_option = parameter.param_type_name == "option"
    metavar = parameter.metavar or parameter.name.upper()
    name = ", ".join(parameter.opts) if is_option else metavar
    meaning = without_html(str(parameter.help or "").replace("|", "\\|"))
    default = parameter.show_default if isinstance(parameter.show_default, str) else None
    if default is None and parameter.show_default and parameter.default not in (None, False, ()):
        value = parameter.default() if callable(parameter.default) else parameter.default
        default = str(getattr(value, "value", value))
    return f"`{name}`", meaning + (f" Default: {default}." if default else "")
