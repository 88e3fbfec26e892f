"""Searches of plain Python: two exact ones, and the paper's as it is printed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.hua_rong_dao.twin import Layout, Twin
from tests.walks import fewest_moves, layers_from


def layers(start: Twin, *, past_goal: bool = False) -> Iterator[list[Twin]]:
    """The layouts first reached after 0, 1, 2, ... whole moves, until there are none.

    Which block moved last is forgotten, and yet this is exact: a whole move goes all the way that
    its metric counts as one, so that to go on with the same block gains nothing.

    Args:
        start: Where to begin; a block that has moved last there is forgotten, too.
        past_goal: Whether to go on from solved layouts, to all that the blocks can reach.
    """
    return layers_from(start, lambda twin: twin.whole_moves(past_goal=past_goal), Twin.layout_key)


def optimum(start: Twin) -> int | None:
    """The least number of moves that solves the box, None if nothing does."""
    return fewest_moves(layers(start))


def optimum_by_actions(start: Twin) -> int | None:
    """The least cost of actions that solve the box, None if none do.

    This searches positions, last block and direction included, action by action: slower than
    `optimum`, and exact by the plain meaning of the costs.
    """
    queue = deque([(0, start)])  # In the order of the costs, since an action costs 0 or 1.
    done = set()
    while queue:
        cost, twin = queue.popleft()
        if twin.solved:
            return cost
        if twin.key() in done:
            continue
        done.add(twin.key())
        for step_cost, after in _steps(twin):
            if step_cost == 0:
                queue.appendleft((cost, after))
            else:
                queue.append((cost + step_cost, after))
    return None


@dataclass
class PaperResult:
    """What the paper's procedure comes to.

    Attributes:
        moves: The number of moves of the exit state it returns with, None if it fails.
        open_size: Length of the OPEN queue then.
        close_size: Length of the CLOSE queue then, with the state whose check found the exit.
        sizes: For n = 0, 1, 2, ... moves the lengths of CLOSE and OPEN when the first state of
            n moves has gone from OPEN to CLOSE and its new states are yet to come, which is when
            the program behind Table I took them.
    """

    moves: int | None = None
    open_size: int = 0
    close_size: int = 0
    sizes: list[tuple[int, int]] = field(default_factory=list)


def paper_search(start: Twin) -> PaperResult:
    """The procedure of Figure 5 with the pruning of section III-C, to the letter; not exact.

    A new state is one step of one block away. It has as many moves as the state before it if that
    was reached by the same block, else one more. OPEN is in the order of the moves, and among
    equals in the order of arrival. A state whose pattern, the layout alone, is in OPEN or CLOSE
    already is dropped, whichever block moved last and however many moves it has. The search
    returns with the first exit state that is generated; the start is not tested for one.

    Args:
        start: An unsolved position in the metric "move" in which no block has moved.
    """
    result = PaperResult()
    patterns: set[Layout] = {start.layout_key()}  # Of the states in OPEN and CLOSE.
    by_moves: list[list[Twin]] = [[start]]  # OPEN, and behind the state under check CLOSE.
    for moves, states in enumerate(by_moves):  # Both lists grow while they are walked.
        for place, state in enumerate(states):
            result.close_size += 1
            result.open_size = len(patterns) - result.close_size
            if place == 0:
                result.sizes.append((result.close_size, result.open_size))
            for step_cost, after in _steps(state):
                if after.solved:
                    result.moves = moves + step_cost
                    return result
                if after.layout_key() in patterns:
                    continue
                patterns.add(after.layout_key())
                result.open_size += 1
                if moves + step_cost == len(by_moves):
                    by_moves.append([])
                by_moves[moves + step_cost].append(after)
    return result


def _steps(twin: Twin) -> Iterator[tuple[int, Twin]]:
    """What each legal action costs and leads to."""
    for action in twin.legal():
        after = twin.copy()
        cost = after.act(action)
        yield cost, after
