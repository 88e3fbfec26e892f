"""Searches of plain Python: by whole moves, and by actions."""

from __future__ import annotations

from collections.abc import Iterator

from tests.hua_rong_dao.twin import Twin
from tests.walks import fewest_moves, layers_from, least_cost


def optimum(start: Twin) -> int | None:
    """The least number of moves that solves the box, None if nothing does.

    Which block moved last is forgotten, and yet this is exact: a whole move goes all the way that
    its metric counts as one, so that to go on with the same block gains nothing.
    """
    return fewest_moves(layers_from(start, Twin.whole_moves, Twin.layout_key))


def optimum_by_actions(start: Twin) -> int | None:
    """The least cost of actions that solve the box, None if none do.

    This searches positions, last block and direction included, action by action: slower than
    `optimum`, and exact by the plain meaning of the costs.
    """
    return least_cost(start, _steps, Twin.key)


def _steps(twin: Twin) -> Iterator[tuple[int, Twin]]:
    """What each legal action costs and leads to."""
    for action in twin.legal():
        after = twin.copy()
        cost = after.act(action)
        yield cost, after
