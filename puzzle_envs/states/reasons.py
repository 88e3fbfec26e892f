"""Why the kernel of a search returned; each kernel has some of these reasons."""

from __future__ import annotations

(
    MORE,
    FOUND,
    EXHAUSTED,
    LAYER_DONE,
    NO_ROOM_FOR_STATES,
    NO_ROOM_FOR_ROWS,
    NO_ROOM_FOR_LISTS,
    NO_ROOM_FOR_DEPTH,
    NO_ROOM_IN_HEAP,
    TO_JUDGE,
) = range(10)
"""MORE: it made the expansions asked for. FOUND: a solution. EXHAUSTED: nothing is left to expand.
LAYER_DONE: nothing of this layer is. NO_ROOM_FOR_ROWS: a state has more successors than `rows`
takes; the others without room name the table that is full. TO_JUDGE: states have to be evaluated by
another kernel."""
