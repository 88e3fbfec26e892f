"""Hua Rong Dao (Klotski): bring the largest block out of the box, in as few moves as possible."""

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
    """Bring the largest block out of the box, in as few moves as possible.

    ## Description
    Rectangular blocks stand in a box of 4 by 5 cells; two cells or more are empty. Blocks slide
    into empty cells. The puzzle is solved when the 2x2 stands at the middle of the bottom edge.
    Blocks of one shape are not told apart. Other boxes, up to 8 by 8, with other blocks and goals
    are played in the same way.

    What counts as a move is the metric: "move" (one block, any way, corners allowed), "straight"
    (one block, any distance, one direction) or "step" (one block, one cell). The classic first
    layout takes 81 moves, 90 straight ones, or 116 steps. The encoding and the default metric
    follow Z. Zhao and Y. Xu, "Solving Hua Rong Dao Puzzle and Its Variations using Breadth First
    Search".

    ## Action Space
    `Discrete(4 * W * H)`, `Discrete(80)` for the usual box: action 4 * cell + direction slides the
    block whose upper left cell it is by one cell, 0 up, 1 right, 2 down, 3 left. Cells are counted
    row by row in the widest box of the set. Illegal actions change nothing.

    ## Observation Space
    `MultiBinary((13, H, W))`: planes over the cells (int8), with zeros beyond smaller boxes.

    | Plane | 1 where |
    |-------|---------|
    | 0 | the box is |
    | 1 | a block is |
    | 2 | the goal piece is |
    | 3 | the goal piece has to come |
    | 4, 5, 6, 7 | the cell above, right, below, left belongs to the same block |
    | 8 | the block that moved last is |
    | 9, 10, 11, 12 | the same, if it went up, right, down, left |

    The block that moved last is part of the state, because going on with it may be free.

    ## Starting State
    The layout of the level; no block has moved.

    ## Rewards
    `reward="moves"` (default): minus the cost of each step, which is 0 where it goes on with the
    last move and 1 otherwise, and -1 for an illegal action. So an episode returns
    -(`moves` + `illegal_moves`); losing, where no block can move at all, costs 1000 besides.

    `reward="sparse"`: 1 for solving, otherwise 0.

    `reward="dense"`: the change of the fitness. A lost game gives back what was gained.

    ## Episode End
    Terminated: the goal piece has come where it belongs, or no block can move.

    Truncated: after 1000 steps.

    ## Information
    `action_mask` (int8, 1 for legal actions), `solved`, `lost`, `illegal` (whether this action
    was), `moves` (in the metric), `illegal_moves` (how many actions were illegal; `moves` leaves
    them out), `fitness` (ours: minus the rows and columns that the goal piece is away), `level`,
    `metric` and, where it is proved, `optimum` (fewest moves in the metric).

    ## Arguments
    ```python
    gymnasium.make(
        "HuaRongDao-v0", level=None, levels=None, metric="move", oracle=False, reward="moves",
        cell_pixels=48, theme="light",
    )
    ```
    * `level`: a name such as "classics/1", a file, the text of a layout, the paper's 20 digits,
      or the common code of nine hexadecimal digits, such as "1A9BF0C00".
    * `levels`: a set to draw from at each reset: "classics", "train", a file, or a list.
    * `metric`: "move", "straight" or "step".
    * `oracle`: find the optimum of layouts whose text does not say it: milliseconds to a second
      for each piece set.
    * `reward`: "moves", "sparse" or "dense".
    * `cell_pixels`: the size of a cell in pictures, from 4 to 512.
    * `theme`: "light" or "dark": how pictures are drawn.

    `reset(options={"level": ...})` shows one level, `reset(options={"levels": ...})` changes the
    set; both must fit the spaces.

    ## Keys
    `gymnasium.utils.play.play(env, wait_on_player=True)` knows three keys held together: one of
    q w e r t y u i for the row of a block's upper left cell, one of a s d f g h j k for its column,
    and an arrow. Keys that mean nothing together do Gymnasium's `noop`, action 0: it is illegal.

    ## Registered Configurations
    * `HuaRongDao-v0`

    ## Version History
    * v0: the first version.
    """

    puzzle = PUZZLE


class HuaRongDaoVectorEnv(PuzzleVectorEnv):
    """Many boxes at once; see HuaRongDaoEnv for the puzzle, PuzzleVectorEnv for the vector."""

    puzzle = PUZZLE
