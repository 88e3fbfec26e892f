"""Skyscraper (Towers): build heights so that every edge sees as many as its clue says."""

from puzzle_envs.env import PuzzleEnv
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.vector import PuzzleVectorEnv

__all__ = ["PUZZLE", "SkyscraperEnv", "SkyscraperVectorEnv"]

PUZZLE = Puzzle(
    package=__name__,
    title="Skyscraper",
    environment="SkyscraperEnv",
    vector_environment="SkyscraperVectorEnv",
    default_level="5x5/easy-1",
    registered={"Skyscraper-v0": {"max_episode_steps": 1000}},
)


class SkyscraperEnv(PuzzleEnv):
    """Fill a Latin square of building heights so that every clue is met.

    ## Description
    An n by n grid, n from 3 to 16, takes a building of height 1 to n in each cell, no height twice
    in a row or column. A clue at the edge says how many buildings are seen from there: a building
    is hidden by any taller one before it. Some cells may be given. Any grid that meets all of
    this solves the level.

    Encoding and fitness follow Y. Yaghoubi, "AI-Based Puzzle Game Solver", whose genome is the list
    of all cells: an action writes one of them.

    ## Action Space
    `Discrete(N ** 3)`, N the size of the largest grid of the set: action
    (row * N + column) * N + value - 1 writes a height into a cell. What was written before may be
    overwritten, what is given may not. Illegal actions change nothing.

    ## Observation Space
    `MultiBinary((2 + 5 * N, N, N))`: planes over the cells (int8), with zeros beyond smaller grids.

    | Plane | 1 where |
    |-------|---------|
    | 0 | the grid is |
    | 1 | the cell is given |
    | 2 to N + 1 | the height 1 to N stands |
    | then N | the clue at the top of the column is 1 to N |
    | then N | the same, at the bottom |
    | then N | the same, at the left of the row |
    | then N | the same, at the right |

    ## Starting State
    The givens; everything else is empty.

    ## Rewards
    `reward="moves"` (default): -1 for each write and for each illegal action. So an episode returns
    -(`moves` + `illegal_moves`); losing costs n * n besides.

    `reward="sparse"`: 1 for solving, otherwise 0.

    `reward="dense"`: the change of the fitness.

    ## Episode End
    Terminated: the puzzle is solved; or, which counts as lost, nothing can be written, because
    every cell is given. A grid that cannot be completed is not lost: it can be overwritten.

    Truncated: after 1000 steps.

    ## Information
    `action_mask` (int8, 1 for legal actions), `solved`, `lost`, `illegal` (whether this action
    was), `moves` (writes), `illegal_moves` (how many actions were illegal; `moves` leaves them
    out), `fitness` (the paper's: minus one for each cell that is empty or repeats a height in its
    row, the same in its column, and for each clue that is not met), `level` and, where a solution
    is known, `optimum` (the cells to fill).

    ## Arguments
    ```python
    gymnasium.make(
        "Skyscraper-v0", level=None, levels=None, mask="writes", reward="moves", cell_pixels=48,
        theme="light", observation="planes",
    )
    ```
    * `level`: a name such as "5x5/hard-1", a file, the text of a level, or a Towers game id such
      as "3:3/2/1/1/2/2/3/2/1/1/2/2".
    * `levels`: a set to draw from at each reset: "6x6", "train", a file, or a list.
    * `mask`: "writes" (the mask has every write that changes something), "consistent" (of these
      only heights that stand nowhere else in the row and the column; where there is none, all) or
      "empty" (of those only the ones into empty cells; where there is none, as "consistent").
      What a mask leaves out can be written all the same: old mistakes may stand in the way.
    * `reward`: "moves", "sparse" or "dense".
    * `cell_pixels`: the size of a cell in pictures, from 4 to 512.
    * `theme`: "light" or "dark": how pictures are drawn.
    * `observation`: "planes", or the same as "box", "float", "flat" or "image" (see the README).

    `reset(options={"level": ...})` shows one level, `reset(options={"levels": ...})` changes the
    set; both must fit the spaces.

    ## Keys
    `gymnasium.utils.play.play(env, wait_on_player=True)` knows three keys held together: one of
    q w e r t y u i o for the row, one of a s d f g h j k l for the column, and a height to 9. Keys
    that mean nothing together, also while not all three are held, do Gymnasium's `noop`, action 0:
    it writes 1 into the first cell, so write that one last.

    ## Registered Configurations
    * `Skyscraper-v0`

    ## Version History
    * v0: the first version.
    """

    puzzle = PUZZLE


class SkyscraperVectorEnv(PuzzleVectorEnv):
    """Many grids at once; see SkyscraperEnv for the puzzle, PuzzleVectorEnv for the vector."""

    puzzle = PUZZLE
