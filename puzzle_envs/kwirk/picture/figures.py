"""Drawing of scenes with their characters."""

from __future__ import annotations

from puzzle_envs.kwirk.picture import characters, tiles
from puzzle_envs.kwirk.picture.scene import Character, Scene
from puzzle_envs.rendering.canvas import Pixels, Sprite
from puzzle_envs.rendering.theme import Theme


def picture(cell: int, theme: Theme, scene: Scene) -> Pixels:
    """Draw a scene to a new array; of several characters, the active one is marked."""
    shown = tiles.picture(cell, theme, scene)
    for who in scene.characters[1:]:
        lay_asleep(shown, cell, who)
    for who in scene.characters[:1]:
        row, column = who.place
        look = characters.AHEAD if scene.heading is None else scene.heading
        sprite = characters.character(cell, who.number, look)
        marked = len(scene.characters) > 1
        lay_awake(shown, cell, sprite, (row * cell, column * cell), marked=marked)
    return shown


def lay_asleep(shown: Pixels, cell: int, who: Character) -> None:
    """Draw an inactive character."""
    row, column = who.place
    sprite = characters.character(cell, who.number, characters.ASLEEP)
    sprite.lay_on(shown, row * cell, column * cell)


def lay_awake(
    shown: Pixels,
    cell: int,
    sprite: Sprite,
    corner: tuple[int, int],
    *,
    marked: bool,
    lifted: int = 0,
) -> None:
    """Draw the active character, some pixels above the ground, and its mark if it has one."""
    top, left = corner
    mark = characters.mark(cell)
    if marked and cell >= characters.FACES:
        mark.lay_on(shown, top, left)
    sprite.lay_on(shown, top - lifted, left)
    if marked and cell < characters.FACES:
        mark.lay_on(shown, top, left)
