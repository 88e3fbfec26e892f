"""Skyscraper (Towers): place heights so that every clue sees its number of buildings."""

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
    Each cell of an n by n grid, n from 3 to 16, takes a building of height 1 to n, with no height
    repeated in a row or column. A clue at the edge is the number of buildings visible from there: a
    building is hidden by any taller one before it. Some cells may be given. Any grid that satisfies
    all of this solves the level.

    Encoding and fitness follow Y. Yaghoubi, "AI-Based Puzzle Game Solver", whose genome is the list
    of all cells: an action writes one of them.

    ## Action Space
    `Discrete(N ** 3)`, N the size of the largest grid of the set: action (row * N + column) * N +
    value - 1 writes a height into a cell. Heights written may be overwritten, givens may not.
    Illegal actions change nothing.

    ## Observation Space
    `MultiBinary((2 + 5 * N, N, N))`: planes over the cells (int8), zero-padded for smaller grids.

    | Plane | 1 for |
    |-------|-------|
    | 0 | cells of the grid |
    | 1 | givens |
    | 2 to N + 1 | buildings of height 1 to N |
    | then N | columns whose top clue is 1 to N |
    | then N | columns whose bottom clue is 1 to N |
    | then N | rows whose left clue is 1 to N |
    | then N | rows whose right clue is 1 to N |

    ## Starting State
    The givens; all other cells are empty.

    ## Rewards
    `reward="moves"` (default): -1 for each write and for each illegal action. An episode returns
    -(`moves` + `illegal_moves`); losing additionally costs n * n.

    `reward="sparse"`: 1 for solving, otherwise 0.

    `reward="dense"`: the change in fitness.

    ## Episode End
    Terminated: the puzzle is solved; or lost, which means that nothing can be written because every
    cell is given. A grid that cannot be completed is not lost, since it can be overwritten.

    Truncated: after 1000 steps.

    ## Information
    `action_mask` (int8, 1 for legal actions), `solved`, `lost`, `illegal` (whether this action
    was), `moves` (writes), `illegal_moves` (number of illegal actions; not part of `moves`),
    `fitness` (the paper's: minus one for each cell that is empty or repeats a height in its row,
    the same in its column, and for each clue that is not met), `level` and, if a solution is known,
    `optimum` (the cells to fill).

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
    * `mask`: "writes" (every write that changes something), "consistent" (of these, only heights
      not yet in the row or column; if there are none, all) or "empty" (of those, only writes into
      empty cells; if there are none, as "consistent"). Writes outside the mask are still allowed,
      since earlier mistakes may have to be corrected.
    * `reward`: "moves", "sparse" or "dense".
    * `cell_pixels`: size of a cell in pictures, from 4 to 512.
    * `theme`: theme of pictures, "light" or "dark".
    * `observation`: "planes", or the same as "box", "float", "flat" or "image", for frameworks.

    `reset(options={"level": ...})` selects one level, `reset(options={"levels": ...})` replaces the
    set; both must fit the spaces.

    ## Keys
    `gymnasium.utils.play.play(env, wait_on_player=True)` accepts three keys held together: one of q
    w e r t y u i o for the row, one of a s d f g h j k l for the column, and a height up to 9.
    Other combinations, including incomplete ones, send Gymnasium's `noop`, action 0: it writes 1
    into the first cell, so write that cell last.

    ## Registered Configurations
    * `Skyscraper-v0`

    ## Version History
    * v0: the first version.
    """

    puzzle = PUZZLE


class SkyscraperVectorEnv(PuzzleVectorEnv):
    """Vectorised SkyscraperEnv; see PuzzleVectorEnv for the interface."""

    puzzle = PUZZLE
