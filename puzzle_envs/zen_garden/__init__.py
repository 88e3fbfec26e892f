"""Zen Puzzle Garden: rake all of the sand in as few walks as possible."""

from puzzle_envs.env import PuzzleEnv
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.vector import PuzzleVectorEnv

__all__ = ["PUZZLE", "ZenGardenEnv", "ZenGardenVectorEnv"]

PUZZLE = Puzzle(
    package=__name__,
    title="Zen Puzzle Garden",
    environment="ZenGardenEnv",
    vector_environment="ZenGardenVectorEnv",
    default_level="rocks/1",
    registered={"ZenGarden-v0": {"max_episode_steps": 300}},
)


class ZenGardenEnv(PuzzleEnv):
    """Rake all of the sand in a garden in as few walks as possible.

    ## Description
    A monk rakes a garden of sand, W cells wide and H high, surrounded by a perimeter. On the
    perimeter he moves freely. Once he enters the sand he walks straight on, raking, until he steps
    out again or is blocked by raked sand, a rock, an ornament or a leaf he may not take yet.
    Blocked, he turns left or right, or pushes an ornament by one cell; he never turns back. Raked
    sand cannot be entered again. Leaves are collected by walking over them: all yellow ones, then
    all orange ones, then all red ones.

    Encoding and move count follow J. Coldridge and M. Amos, "Genetic algorithms and the art of Zen"
    (2010): a *move* is one walk from perimeter to perimeter.

    ## Action Space
    `Discrete(C + 3)`, where C = 2W + 2H is the number of faces of the largest board of the set.

    | Action | Where | Meaning |
    |--------|-------|---------|
    | 0 to C - 1 | on the perimeter | enter by face 1 to C |
    | C | on sand | push the ornament ahead |
    | C + 1 | on sand | turn left and walk on, push sideways, or step out |
    | C + 2 | on sand | turn right and walk on, push sideways, or step out |

    Faces are counted clockwise from the north face of the upper-left cell. Choices on sand are
    actions even if there is only one. Illegal actions change nothing.

    ## Observation Space
    `MultiBinary((11, H, W))`: planes over the cells (int8), zero-padded for smaller boards.

    | Plane | 1 for |
    |-------|-------|
    | 0 | cells of the garden |
    | 1 | unraked sand (except the monk's cell) |
    | 2 | rocks |
    | 3 | ornaments |
    | 4, 5, 6 | yellow, orange, red leaves left |
    | 7, 8, 9, 10 | the monk heading north, east, south, west (none if he is outside) |

    ## Starting State
    The board of the level, with the monk on the perimeter.

    ## Rewards
    `reward="moves"` (default): -1 when a walk begins, 0 for the choices on sand, -1 for an illegal
    action. An episode returns -(`moves` + `illegal_moves`); losing additionally costs as many moves
    as there are cells to rake, more than any solution takes.

    `reward="sparse"`: 1 for solving, otherwise 0.

    `reward="dense"`: the change in fitness. Losing takes back all that was gained, so that a
    solved episode returns 1 and a lost one 0.

    ## Episode End
    Terminated: the garden is solved (every cell not under a rock or an ornament is raked, and the
    monk is outside), or lost (he has no choice on sand, or no way in).

    Truncated: after 300 steps. Every legal action rakes a cell, so on boards of up to 300 cells
    only illegal actions lead there.

    ## Information
    `action_mask` (int8, 1 for legal actions), `solved`, `lost`, `illegal` (whether this action
    was), `moves` (walks begun), `illegal_moves` (number of illegal actions; not part of `moves`),
    `fitness` (the paper's quality: the share of the sand that is raked, 0 when lost), `level` (its
    name) and, if proved, `optimum` (fewest moves).

    ## Arguments
    ```python
    gymnasium.make(
        "ZenGarden-v0", level=None, levels=None, reward="moves", cell_pixels=48, theme="light",
        observation="planes",
    )
    ```
    * `level`: a name such as "rocks/1", a file, or the text of a board.
    * `levels`: a set to draw from at each reset: "rocks", "train/6x6", a file, or a list.
    * `reward`: "moves", "sparse" or "dense".
    * `cell_pixels`: size of a cell in pictures, from 4 to 512.
    * `theme`: theme of pictures, "light" or "dark".
    * `observation`: "planes", or the same as "box", "float", "flat" or "image", for frameworks.

    `reset(options={"level": ...})` selects one level, `reset(options={"levels": ...})` replaces the
    set; both must fit the spaces.

    ## Keys
    `gymnasium.utils.play.play(env, wait_on_player=True)` accepts these keys:

    | Key | Action |
    |-----|--------|
    | a to z, 0 to 9 | enter by face 1 to 26, 27 to 36 |
    | up, left, right | push, turn left, turn right |

    ## Registered Configurations
    * `ZenGarden-v0`

    ## Version History
    * v0: the first version.
    """

    puzzle = PUZZLE


class ZenGardenVectorEnv(PuzzleVectorEnv):
    """Vectorised ZenGardenEnv; see PuzzleVectorEnv for the interface."""

    puzzle = PUZZLE
