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
"""The same floors, played with the original game's keys."""


class KwirkEnv(PuzzleEnv):
    """Bring every character to the exit in as few pushes as possible.

    ## Description
    One to four characters walk on a floor with walls, holes, blocks and turnstiles. A block is
    pushed as a whole, by one cell, if every cell it newly covers is floor or a hole; a block
    entirely over holes falls and fills them. An arm pushed sideways turns its turnstile by a
    quarter, if every arm has room to swing; arms hover over holes. No character steps onto an
    unfilled hole, whatever lies over it. A pusher moves one cell; if another arm of the turnstile
    swings to where he would stand, it carries him one cell further. A character who enters the exit
    leaves; the puzzle is solved when all have left.

    The moves are those of E. Wittingen, "Creating a solver for Kwirk (Puzzle Boy)": pushes of
    blocks and arms, with walking implied. The rules are those of the game (1989).

    ## Action Space
    `Discrete(4 * W * H)` for sets of floors with one character each, otherwise
    `Discrete((4 + C) * W * H)`, C the maximum number of characters. Cells are counted row by row in
    the largest floor of the set.

    | Action | Meaning |
    |--------|---------|
    | 4 * cell + d | walk to the cell and push from there: 0 up, 1 right, 2 down, 3 left |
    | (4 + k) * W * H + cell | character k + 1 walks aside to the cell |

    The active character pushes or, if he cannot, the next one who can; the one who acts becomes
    active. A step from a cell into the exit is encoded as a push too. The other characters are
    obstacles. Illegal actions change nothing.

    ## Observation Space
    `MultiBinary((15, H, W))`: planes over the cells (int8), zero-padded for smaller floors.

    | Plane | 1 for |
    |-------|-------|
    | 0 | cells that are not walls |
    | 1 | the exit |
    | 2 | unfilled holes, also under blocks and arms |
    | 3 | blocks |
    | 4, 5 | cells joined to the one on the right, below in the same block |
    | 6 | pivots of turnstiles |
    | 7, 8, 9, 10 | arms above, right of, below, left of their pivots |
    | 11, 12, 13, 14 | the active character, the next, the third, the fourth |

    ## Starting State
    The floor of the level; character 1 is active.

    ## Rewards
    `reward="moves"` (default): minus the cost of each action. A push costs 1; leaving and walking
    aside are free; an illegal action earns -1. An episode returns -(`moves` + `illegal_moves`);
    losing, when no action is legal, additionally costs 1000.

    `reward="sparse"`: 1 for solving, otherwise 0.

    `reward="dense"`: the change in fitness. Losing takes back all that was gained.

    ## Episode End
    Terminated: all characters have left, or no action is legal.

    Truncated: after 1000 actions.

    ## Information
    `action_mask` (int8, 1 for legal actions), `solved`, `lost`, `illegal` (whether this action
    was), `moves` (pushes), `illegal_moves` (number of illegal actions; not part of `moves`),
    `pushes` and `steps` (the same path counted in the game's steps), `fitness` (the paper's other
    estimate, section 5.1: minus the characters' mean distance to the exit, rows plus columns),
    `level` and, if proved, `optimum` (fewest pushes).

    ## Arguments
    ```python
    gymnasium.make(
        "Kwirk-v0", level=None, levels=None, reward="moves", cell_pixels=48, theme="light",
        observation="planes",
    )
    ```
    * `level`: a name such as "easy/3", a file, or the text of a floor.
    * `levels`: a set to draw from at each reset: "easy", "train", a file, or a list.
    * `reward`: "moves", "sparse" or "dense".
    * `cell_pixels`: size of a cell in pictures, from 4 to 512.
    * `theme`: theme of pictures, "light" or "dark".
    * `observation`: "planes", or the same as "box", "float", "flat" or "image", for frameworks.

    `reset(options={"level": ...})` selects one level, `reset(options={"levels": ...})` replaces the
    set; both must fit the spaces.

    ## Keys
    `gymnasium.utils.play.play(env, wait_on_player=True)` accepts three keys held together: one of q
    w e r t y u i o p for the row of a cell, one of a s d f g h j k l ; for its column, and an arrow
    to push. Other combinations send Gymnasium's `noop`, action 0, which is illegal. Larger floors
    are played with `KwirkSteps-v0`.

    ## Registered Configurations
    * `Kwirk-v0`

    ## Version History
    * v0: the first version.
    """

    puzzle = PUZZLE


class KwirkVectorEnv(PuzzleVectorEnv):
    """Vectorised KwirkEnv; see PuzzleVectorEnv for the interface."""

    puzzle = PUZZLE


class KwirkStepsEnv(PuzzleEnv):
    """Bring every character to the exit with the game's five keys in as few steps as possible.

    ## Description
    The puzzle of `Kwirk-v0`, played like the original game: a key for each direction moves the
    active character by one cell, a fifth one switches to the next character.

    ## Action Space
    `Discrete(5)`: 0 up, 1 right, 2 down, 3 left, 4 switch. Illegal actions change nothing.

    ## Observation Space
    `MultiBinary((15, H, W))`: the planes of `Kwirk-v0`.

    ## Starting State
    The floor of the level; character 1 is active.

    ## Rewards
    `reward="moves"` (default): minus the cost of each key. A completed step costs 1, including the
    one into the exit and one that carries a character over two cells; switching is free, and an
    illegal action earns -1. An episode returns -(`moves` + `illegal_moves`); losing, when no key is
    legal, additionally costs 1000.

    `reward="sparse"`: 1 for solving, otherwise 0.

    `reward="dense"`: the change in fitness. Losing takes back all that was gained.

    ## Episode End
    Terminated: all characters have left, or no key is legal.

    Truncated: after 1000 keys.

    ## Information
    `action_mask` (int8, 1 for legal keys), `solved`, `lost`, `illegal` (whether this action was),
    `moves` (steps), `illegal_moves` (number of illegal keys; not part of `moves`), `steps` and
    `pushes` (of blocks and arms), `fitness` (minus the characters' mean distance to the exit, rows
    plus columns), `level` and, if proved, `optimum` (fewest steps).

    ## Arguments
    ```python
    gymnasium.make(
        "KwirkSteps-v0", level=None, levels=None, reward="moves", cell_pixels=48, theme="light",
        observation="planes",
    )
    ```
    The arguments of `Kwirk-v0`.

    ## Keys
    `gymnasium.utils.play.play(env, wait_on_player=True)` accepts the arrows, and Tab to switch.

    ## Registered Configurations
    * `KwirkSteps-v0`

    ## Version History
    * v0: the first version.
    """

    puzzle = STEPS


class KwirkStepsVectorEnv(PuzzleVectorEnv):
    """Vectorised KwirkStepsEnv; see PuzzleVectorEnv for the interface."""

    puzzle = STEPS
