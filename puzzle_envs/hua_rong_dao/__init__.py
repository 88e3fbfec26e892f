"""Hua Rong Dao (Klotski): bring the largest block to the exit in as few moves as possible."""

from puzzle_envs.env import PuzzleEnv
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.vector import PuzzleVectorEnv

__all__ = ["PUZZLE", "HuaRongDaoEnv", "HuaRongDaoVectorEnv"]

PUZZLE = Puzzle(
    package=__name__,
    title="Hua Rong Dao",
    environment="HuaRongDaoEnv",
    vector_environment="HuaRongDaoVectorEnv",
    default_level="classics/1",
    registered={"HuaRongDao-v0": {"max_episode_steps": 1000}},
    reversible=True,
)


class HuaRongDaoEnv(PuzzleEnv):
    """Bring the largest block to the exit in as few moves as possible.

    ## Description
    Rectangular blocks stand in a box of 4 by 5 cells, with at least two cells empty. Blocks slide
    into empty cells. The puzzle is solved when the 2x2 reaches the middle of the bottom edge.
    Blocks of the same shape are interchangeable. Other boxes, up to 8 by 8, with other blocks and
    goals are played in the same way.

    The metric defines a move: "move" (one block, any path, corners allowed), "straight" (one block,
    any distance, one direction) or "step" (one block, one cell). The classic first layout takes 81
    moves, 90 straight ones, or 116 steps. The encoding and the default metric follow Z. Zhao and Y.
    Xu, "Solving Hua Rong Dao Puzzle and Its Variations using Breadth First Search".

    ## Action Space
    `Discrete(4 * W * H)`, `Discrete(80)` for the usual box: action 4 * cell + direction slides the
    block with this upper left cell by one cell: 0 up, 1 right, 2 down, 3 left. Cells are counted
    row by row in the widest box of the set. Illegal actions change nothing.

    ## Observation Space
    `MultiBinary((13, H, W))`: planes over the cells (int8), zero-padded for smaller boxes.

    | Plane | 1 for |
    |-------|-------|
    | 0 | cells of the box |
    | 1 | blocks |
    | 2 | the goal piece |
    | 3 | the goal |
    | 4, 5, 6, 7 | cells joined to the one above, right, below, left in the same block |
    | 8 | the block that moved last |
    | 9, 10, 11, 12 | the same, if it moved up, right, down, left |

    The block that moved last is part of the state, since continuing its move may be free.

    ## Starting State
    The layout of the level; no block has moved.

    ## Rewards
    `reward="moves"` (default): minus the cost of each step, which is 0 if it continues the last
    move and 1 otherwise, and -1 for an illegal action. An episode returns -(`moves` +
    `illegal_moves`); losing, when no block can move at all, additionally costs 1000.

    `reward="sparse"`: 1 for solving, otherwise 0.

    `reward="dense"`: the change in fitness. Losing takes back all that was gained.

    ## Episode End
    Terminated: the goal piece has reached its goal, or no block can move.

    Truncated: after 1000 steps.

    ## Information
    `action_mask` (int8, 1 for legal actions), `solved`, `lost`, `illegal` (whether this action
    was), `moves` (in the metric), `illegal_moves` (number of illegal actions; not part of `moves`),
    `fitness` (ours: minus the goal piece's distance in rows and columns), `level`, `metric` and, if
    proved, `optimum` (fewest moves in the metric).

    ## Arguments
    ```python
    gymnasium.make(
        "HuaRongDao-v0", level=None, levels=None, metric="move", oracle=False, reward="moves",
        cell_pixels=48, theme="light", observation="planes",
    )
    ```
    * `level`: a name such as "classics/1", a file, the text of a layout, the paper's 20 digits,
      or the common code of nine hexadecimal digits, such as "1A9BF0C00".
    * `levels`: a set to draw from at each reset: "classics", "train", a file, or a list.
    * `metric`: "move", "straight" or "step".
    * `oracle`: compute optima that a layout's text does not state: milliseconds to a second for
      each piece set.
    * `reward`: "moves", "sparse" or "dense".
    * `cell_pixels`: size of a cell in pictures, from 4 to 512.
    * `theme`: theme of pictures, "light" or "dark".
    * `observation`: "planes", or the same as "box", "float", "flat" or "image", for frameworks.

    `reset(options={"level": ...})` selects one level, `reset(options={"levels": ...})` replaces the
    set; both must fit the spaces.

    ## Keys
    `gymnasium.utils.play.play(env, wait_on_player=True)` accepts three keys held together: one of q
    w e r t y u i for the row of a block's upper left cell, one of a s d f g h j k for its column,
    and an arrow. Other combinations send Gymnasium's `noop`, action 0, which is illegal.

    ## Registered Configurations
    * `HuaRongDao-v0`

    ## Version History
    * v0: the first version.
    """

    puzzle = PUZZLE


class HuaRongDaoVectorEnv(PuzzleVectorEnv):
    """Vectorised HuaRongDaoEnv; see PuzzleVectorEnv for the interface."""

    puzzle = PUZZLE
