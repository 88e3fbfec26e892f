"""Palette and lighting shared by all pictures.

Colours that carry meaning differ in lightness and shape as well as in hue, so that the pictures
stay readable without colour vision and in black and white. In both themes they are at least 8 apart
in CIELAB for protanopia, deuteranopia and tritanopia; a test simulates these (Machado and others,
2009).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puzzle_envs.common.arguments import one_of

Light = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Theme:
    """Colours as `#rrggbb`, and lighting.

    All themes share one palette; they differ in the light on the ground and around it.

    Attributes:
        ground_light: Factors of red, green and blue light on the ground in play.
        around_light: The same for the surroundings: paths, frames and walls.
        beside: Background colour beside a picture.
        light_x: Horizontal direction of the light, from -1 (left) to 1 (right).
        light_y: Vertical direction of the light, from -1 (above) to 1 (below).
        shadow_strength: Opacity of a full shadow.
    """

    name: str = "light"
    ground_light: Light = (1.0, 1.0, 1.0)
    around_light: Light = (1.0, 1.0, 1.0)
    beside: str = "#d8d2c4"
    sand: str = "#dcc598"
    sand_raked: str = "#f0e4c8"
    sand_shade: str = "#8d6f42"
    sand_light: str = "#fffaea"
    path: str = "#748050"
    path_dark: str = "#525c36"
    path_light: str = "#98a166"
    flagstone: str = "#aba698"
    flagstone_light: str = "#cbc6b7"
    flagstone_dark: str = "#817c70"
    wood: str = "#74523a"
    wood_light: str = "#a27a58"
    wood_dark: str = "#46301f"
    rock: str = "#70747b"
    rock_light: str = "#c2c3c0"
    rock_dark: str = "#363942"
    bronze: str = "#3f9488"
    bronze_light: str = "#9bd8c6"
    bronze_dark: str = "#17463f"
    glow: str = "#fff3c4"
    yellow: str = "#f7cb2d"
    yellow_dark: str = "#8a6500"
    orange: str = "#e87d1c"
    orange_dark: str = "#7f3a04"
    red: str = "#b5172b"
    red_dark: str = "#560813"
    robe: str = "#3b4a75"
    robe_light: str = "#6478ae"
    robe_dark: str = "#1f2845"
    skin: str = "#e7b68d"
    straw: str = "#dcb96c"
    straw_light: str = "#f6e3a6"
    straw_dark: str = "#8b6a2f"
    blossom: str = "#f3b9c4"
    ink: str = "#2b2620"
    shadow: str = "#3a2a14"
    light_x: float = -0.6
    light_y: float = -0.8
    shadow_strength: float = 0.38

    def ground(self, colour: NDArray[np.float32]) -> NDArray[np.float32]:
        """Apply the ground light to RGB colours."""
        return colour * np.array(self.ground_light, np.float32)

    def around(self, colour: NDArray[np.float32]) -> NDArray[np.float32]:
        """Apply the surrounding light to RGB colours."""
        return colour * np.array(self.around_light, np.float32)

    def __reduce__(self) -> tuple[Callable[[str], Theme], tuple[str]]:
        """Pickle as the name, so that copies are identical."""
        return theme_of, (self.name,)


LIGHT = Theme()
DARK = Theme(
    name="dark",
    ground_light=(0.57, 0.55, 0.58),
    around_light=(0.45, 0.44, 0.48),
    beside="#16181d",
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def theme_of(name: str) -> Theme:
    """The theme with this name."""
    one_of("theme", name, THEMES)
    return THEMES[name]
