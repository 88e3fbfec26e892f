"""A plane for each tile; an action is the side of the gap from which a tile slides in."""

from __future__ import annotations

from puzzle_envs.codec import Codec, Shape


class TilesCodec(Codec):
    def planes(self, shape: Shape) -> tuple[str, ...]:
        return tuple(f"tile {tile}" for tile in range(16))


CODEC = TilesCodec()
