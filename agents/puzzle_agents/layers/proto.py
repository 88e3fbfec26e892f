from puzzle_agents.layers.transitions import *
from puzzle_agents.layers.transitions import KEPT
from puzzle_envs.compiled import kernel
@kernel
def children(levels, state, rows, tags, steps, keys, reached, flags, only):
    level = levels[0]
    n = list_transitions(level, state, rows, tags, steps, only)
    for i in range(n):
        flags[i] = settle_reached(level, rows[i], keys[i], reached)
    return n
