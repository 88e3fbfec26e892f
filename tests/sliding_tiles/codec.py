"""A plane for each tile; an action says from which side of the gap a tile slides into it."""

from __future__ import annotations

from puzzle_envs.codec import Codec, Shape


class TilesCodec(Codec):
    def planes(self, shape: Shape) -> tuple[str, ...]:
        return tuple(f"tile {tile}" for tile in range(16))


CODEC = TilesCodec()
