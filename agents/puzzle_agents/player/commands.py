"""The keys that mean the same in every puzzle, and the tables of keys made from the code."""

from __future__ import annotations

from typing import NamedTuple

from puzzle_envs.rendering.controls import Controls

__all__ = ["PLAYING", "WATCHING", "Command", "table"]


class Command(NamedTuple):
    """Something that a player can do in every puzzle."""

    name: str
    keys: tuple[str, ...]
    shown: str
    """The keys for people."""
    label: str
    """What the button says; nothing where there is none."""
    meaning: str


PLAYING = (
    Command("undo", ("u", "backspace"), "U", "Undo", "take back an action (or Ctrl+Z)"),
    Command("redo", ("y", "ctrl+y"), "Y", "Redo", "do it again (or Ctrl+Y)"),
    Command("restart", ("r",), "R", "Restart", "back to the beginning; redo goes on again"),
    Command("hint", ("i",), "I", "Hint", "show the next move of an agent; again: play it"),
    Command("previous", ("p", "pageup"), "P", "Previous", "the level before"),
    Command("next", ("n", "pagedown"), "N", "Next", "the next level of the set"),
    Command("save", ("s",), "S", "Save", "save the solution as an episode"),
    Command("help", ("h", "?", "f1"), "H", "Help", "show this help"),
    Command("quit", ("q",), "Q", "", "close the window"),
)
"""What can be done in `puzzle-envs play`."""

WATCHING = (
    Command("pause", ("space",), "Space", "Pause", "pause, and go on"),
    Command("back", ("left",), "Left", "Back", "a step back"),
    Command(
        "forward", ("right",), "Right", "Step", "a step forward; while agents search, one look"
    ),
    Command("first", ("home",), "Home", "", "to the beginning"),
    Command("last", ("end",), "End", "Finish", "to the end; while agents search, at full speed"),
    Command("slower", ("-", "down"), "-", "Slower", "half as fast"),
    Command("faster", ("+", "=", "up"), "+", "Faster", "twice as fast"),
    Command("again", ("r",), "R", "Again", "search once more from the beginning"),
    Command("quit", ("q",), "Q", "", "close the window"),
)
"""What can be done in `puzzle-envs watch`."""


def table(controls: Controls | None, commands: tuple[Command, ...]) -> list[tuple[str, str]]:
    """All keys and gestures with what they do, for people."""
    rows = [] if controls is None else [*controls.keys.items(), *controls.pointer.items()]
    return [*rows, *((command.shown, command.meaning) for command in commands)]
