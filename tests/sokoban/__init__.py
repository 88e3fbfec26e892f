"""Sokoban by pushes: another puzzle in one folder, to compare with papers."""

from puzzle_envs.env import PuzzleEnv
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.vector import PuzzleVectorEnv

PUZZLE = Puzzle(
    package=__name__,
    title="Sokoban",
    environment="SokobanEnv",
    vector_environment="SokobanVectorEnv",
    default_level="######\n#@ $.#\n# $ .#\n#    #\n######",
    registered={"Sokoban-v0": {"max_episode_steps": 200}},
)


class SokobanEnv(PuzzleEnv):
    """Push every box onto a goal."""

    puzzle = PUZZLE


class SokobanVectorEnv(PuzzleVectorEnv):
    """Many floors of boxes."""

    puzzle = PUZZLE


PUZZLE.register()
