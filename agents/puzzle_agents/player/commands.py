"""Keys common to all puzzles, and the key tables generated from them."""

from __future__ import annotations

from typing import NamedTuple

from puzzle_envs.rendering.controls import Controls


class Command(NamedTuple):
    """A command available in every puzzle."""

    name: str
    keys: tuple[str, ...]
    shown: str
    """The keys as displayed."""
    label: str
    """Label of its button; empty if it has none."""
    meaning: str


PLAYING = (
    Command("undo", ("u", "backspace"), "U", "Undo", "undo an action (or Ctrl+Z)"),
    Command("redo", ("y", "ctrl+y"), "Y", "Redo", "redo an action (or Ctrl+Y)"),
    Command("restart", ("r",), "R", "Restart", "back to the start; redo is still possible"),
    Command("hint", ("i",), "I", "Hint", "show an agent's next move; press again to play it"),
    Command("previous", ("p", "pageup"), "P", "Previous", "previous level"),
    Command("next", ("n", "pagedown"), "N", "Next", "next level"),
    Command("save", ("s",), "S", "Save", "save the solution as an episode"),
    Command("help", ("h", "?", "f1"), "H", "Help", "show this help"),
    Command("quit", ("q",), "Q", "", "close the window"),
)
"""Commands of `puzzle-envs play`."""

WATCHING = (
    Command("pause", ("space",), "Space", "Pause", "pause or resume"),
    Command("back", ("left",), "Left", "Back", "one step back"),
    Command(
        "forward", ("right",), "Right", "Step", "one step forward; during a search, one update"
    ),
    Command("first", ("home",), "Home", "", "go to the start"),
    Command("last", ("end",), "End", "Finish", "go to the end; during a search, run at full speed"),
    Command("slower", ("-", "down"), "-", "Slower", "half as fast"),
    Command("faster", ("+", "=", "up"), "+", "Faster", "twice as fast"),
    Command("again", ("r",), "R", "Again", "restart the searches"),
    Command("quit", ("q",), "Q", "", "close the window"),
)
"""Commands of `puzzle-envs watch`."""


def table(controls: Controls | None, commands: tuple[Command, ...]) -> list[tuple[str, str]]:
    """All keys and gestures, each with a description."""
    rows = [] if controls is None else [*controls.keys.items(), *controls.pointer.items()]
    return [*rows, *((command.shown, command.meaning) for command in commands)]
