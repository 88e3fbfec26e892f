"""Kwirk (Puzzle Boy): bring every character to the exit, past blocks, turnstiles and holes."""

from dataclasses import replace

from puzzle_envs.env import PuzzleEnv
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.vector import PuzzleVectorEnv

__all__ = [
    "PUZZLE",
    "STEPS",
    "KwirkEnv",
    "KwirkStepsEnv",
    "KwirkStepsVectorEnv",
    "KwirkVectorEnv",
]

PUZZLE = Puzzle(
    package=__name__,
    title="Kwirk",
    environment="KwirkEnv",
    vector_environment="KwirkVectorEnv",
    default_level="easy/1",
    registered={"Kwirk-v0": {"max_episode_steps": 1000}},
)

STEPS = replace(
    PUZZLE,
    environment="KwirkStepsEnv",
    vector_environment="KwirkStepsVectorEnv",
    registered={"KwirkSteps-v0": {"max_episode_steps": 1000}},
    options=(("keys", True),),
)
"""The same floors, played with the game's own keys."""


class KwirkEnv(PuzzleEnv):
    """Bring every character to the exit, in as few pushes as possible.

    ## Description
    One to four characters walk on a floor with walls, holes, blocks and turnstiles. A block is
    pushed as a whole, by one cell, if every cell it newly covers is floor or a hole; one that
    lies over holes alone falls, and the holes are floor. An arm that is pushed sideways turns its
    turnstile by a quarter, if every arm has room to swing; arms hover over holes. Nobody steps
    onto an unfilled hole, whatever lies over it. A pusher goes one cell; where another arm of the
    turnstile swings to where he would stand, it carries him one cell further. Who enters the exit
    leaves; the puzzle is solved when all have left.

    The moves are those of E. Wittingen, "Creating a solver for Kwirk (Puzzle Boy)": pushes of
    blocks and arms, with walking implied. The rules are those of the game (1989).

    ## Action Space
    `Discrete(4 * W * H)` for sets of floors with one character each, otherwise
    `Discrete((4 + C) * W * H)`, C the most characters of a floor. Cells are counted row by row in
    the largest floor of the set.

    | Action | Meaning |
    |--------|---------|
    | 4 * cell + d | walk to the cell and push from there: 0 up, 1 right, 2 down, 3 left |
    | (4 + k) * W * H + cell | character k + 1 walks aside to the cell |

    The push is done by the active character or, where he cannot, by the next one who can; whoever
    acts becomes the active one. A step from a cell into the exit is a push too: the walk out. The
    others stand in the way wherever they are. Illegal actions change nothing.

    ## Observation Space
    `MultiBinary((15, H, W))`: planes over the cells (int8), with zeros beyond smaller floors.

    | Plane | 1 where |
    |-------|---------|
    | 0 | no wall is |
    | 1 | the exit is |
    | 2 | an unfilled hole is, also under a block or an arm |
    | 3 | a block is |
    | 4, 5 | the same block goes on to the right, below |
    | 6 | the pivot of a turnstile is |
    | 7, 8, 9, 10 | an arm is that lies up, right, down, left of its pivot |
    | 11, 12, 13, 14 | the active character is, the next one, the third, the fourth |

    ## Starting State
    The floor of the level; character 1 is active.

    ## Rewards
    `reward="moves"` (default): minus the cost of each action. A push costs 1; leaving and walking
    aside cost nothing; an illegal action earns -1. So an episode returns
    -(`moves` + `illegal_moves`); losing, where nobody can do anything, costs 1000 besides.

    `reward="sparse"`: 1 for solving, otherwise 0.

    `reward="dense"`: the change of the fitness. A lost game gives back what was gained.

    ## Episode End
    Terminated: all characters have left, or nothing can be done.

    Truncated: after 1000 actions.

    ## Information
    `action_mask` (int8, 1 for what some character can do), `solved`, `lost`, `illegal` (whether
    this action was), `moves` (pushes), `illegal_moves` (how many actions were illegal; `moves`
    leaves them out), `pushes` and `steps` (the same way counted in the game's steps), `fitness`
    (the paper's other estimate, section 5.1: minus the characters' mean distance to the exit, rows
    plus columns), `level` and, where it is proved, `optimum` (fewest pushes).

    ## Arguments
    ```python
    gymnasium.make(
        "Kwirk-v0", level=None, levels=None, reward="moves", cell_pixels=48, theme="light"
    )
    ```
    * `level`: a name such as "easy/3", a file, or the text of a floor.
    * `levels`: a set to draw from at each reset: "easy", "train", a file, or a list.
    * `reward`: "moves", "sparse" or "dense".
    * `cell_pixels`: the size of a cell in pictures, from 4 to 512.
    * `theme`: "light" or "dark": how pictures are drawn.

    `reset(options={"level": ...})` shows one level, `reset(options={"levels": ...})` changes the
    set; both must fit the spaces.

    ## Keys
    `gymnasium.utils.play.play(env, wait_on_player=True)` knows three keys held together: one of
    q w e r t y u i o p for the row of a cell, one of a s d f g h j k l ; for its column, and an
    arrow to push. Keys that mean nothing together do Gymnasium's `noop`, action 0: it is illegal.
    Larger floors are played with `KwirkSteps-v0`.

    ## Registered Configurations
    * `Kwirk-v0`

    ## Version History
    * v0: the first version.
    """

    puzzle = PUZZLE


class KwirkVectorEnv(PuzzleVectorEnv):
    """Many floors at once; see KwirkEnv for the puzzle, PuzzleVectorEnv for the vector."""

    puzzle = PUZZLE


class KwirkStepsEnv(PuzzleEnv):
    """Bring every character to the exit with the game's five keys, in as few steps as possible.

    ## Description
    The puzzle of `Kwirk-v0`, see there, played as the game is: a key for each direction moves the
    active character by one cell, a fifth one switches to the next character.

    ## Action Space
    `Discrete(5)`: 0 up, 1 right, 2 down, 3 left, 4 switch. Illegal actions change nothing.

    ## Observation Space
    `MultiBinary((15, H, W))`: the planes of `Kwirk-v0`.

    ## Starting State
    The floor of the level; character 1 is active.

    ## Rewards
    `reward="moves"` (default): minus the cost of each key. A completed step costs 1, also the one
    into the exit and the one by which an arm carries a character over two cells; switching costs
    nothing, and an illegal action earns -1. So an episode returns -(`moves` + `illegal_moves`);
    losing, where no key does anything, costs 1000 besides.

    `reward="sparse"`: 1 for solving, otherwise 0.

    `reward="dense"`: the change of the fitness. A lost game gives back what was gained.

    ## Episode End
    Terminated: all characters have left, or no key does anything.

    Truncated: after 1000 keys.

    ## Information
    `action_mask` (int8, 1 for keys that do something), `solved`, `lost`, `illegal` (whether this
    action was), `moves` (steps), `illegal_moves` (how many keys did nothing; `moves` leaves them
    out), `steps` and `pushes` (of blocks and arms), `fitness` (minus the characters' mean distance
    to the exit, rows plus columns), `level` and, where it is proved, `optimum` (fewest steps).

    ## Arguments
    ```python
    gymnasium.make(
        "KwirkSteps-v0", level=None, levels=None, reward="moves", cell_pixels=48, theme="light"
    )
    ```
    The arguments of `Kwirk-v0`.

    ## Keys
    `gymnasium.utils.play.play(env, wait_on_player=True)` knows the arrows, and Tab to switch.

    ## Registered Configurations
    * `KwirkSteps-v0`

    ## Version History
    * v0: the first version.
    """

    puzzle = STEPS


class KwirkStepsVectorEnv(PuzzleVectorEnv):
    """Many floors at once; see KwirkStepsEnv for the puzzle, PuzzleVectorEnv for the vector."""

    puzzle = STEPS
