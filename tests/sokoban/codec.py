"""Four pushes per cell: of the box on it, in one of four directions."""

from __future__ import annotations

from puzzle_envs.codec import Codec, Places, Shape, four_a_cell

FLOOR, GOAL, BOX, REACHED = range(4)


class SokobanCodec(Codec):
    def planes(self, shape: Shape) -> tuple[str, ...]:
        return ("floor", "goal", "box", "where the player can walk")

    def places(self, shape: Shape) -> Places:
        return four_a_cell(shape.height, shape.width)


CODEC = SokobanCodec()
