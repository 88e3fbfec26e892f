"""A toy: sliding tiles. It shows that a fifth puzzle is one folder, and serves search tests."""

from puzzle_envs.env import PuzzleEnv
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.vector import PuzzleVectorEnv

PUZZLE = Puzzle(
    package=__name__,
    title="Sliding tiles",
    environment="SlidingTilesEnv",
    vector_environment="SlidingTilesVectorEnv",
    default_level="123/456/7.8",
    reversible=True,
    registered={"SlidingTiles-v0": {"max_episode_steps": 50}},
)


class SlidingTilesEnv(PuzzleEnv):
    """Slide the tiles into their order."""

    puzzle = PUZZLE


class SlidingTilesVectorEnv(PuzzleVectorEnv):
    """Many boards of sliding tiles."""

    puzzle = PUZZLE


PUZZLE.register()
