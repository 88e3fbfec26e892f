"""The orders of learned search: keys made of a policy's path probabilities, costs and heuristics.

Of a state n with the probability pi of its path, its depth d, its cost g and its heuristic h:

* LEVIN: d / pi, Levin tree search.
* PHS: (g + h) / pi ^ (1 + h / g), PHS*.
* LIKELIEST: 1 / pi.
* ROOTED: rerooted Levin tree search. The search is rooted at several states of each path, the
  first one and all with a lower heuristic or other milestones than the root before. The key is the
  least, over the roots t of its path, of the sum of 1 / pi(n' | t) over all n' from t to n, divided
  by the root's weight exp(-a h(t) / h(start)).

Keys are logarithms of these.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzle_envs.kernels.compiled import inlined

__all__ = ["LEVIN", "LIKELIEST", "PHS", "ROOTED", "Order", "Paths", "Place", "key_of", "prolong"]

LEVIN, PHS, LIKELIEST, ROOTED = range(4)
LAYER = 1e6
"""What a layer adds to the keys of a beam; no key is as large."""
Numbers = npt.NDArray[np.float64]


class Order(NamedTuple):
    """The order of expansion."""

    kind: int
    """One of LEVIN, PHS, LIKELIEST and ROOTED."""
    slope: float = 0.0
    """The a in the weights of roots."""
    width: int = 0
    """For a beam, the number of states expanded at each depth; 0 for all."""

    @property
    def bytes(self) -> int:
        """The memory of a state's path."""
        return 28 if self.kind == ROOTED else 8


class Paths(NamedTuple):
    """The data of each state's path that keys need; all but the first only for ROOTED."""

    logs: Numbers
    """The logarithm of its probability."""
    sums: Numbers
    """The logarithm of the sum of 1 / pi over its states, the first one left out."""
    weights: Numbers
    """The logarithm of the weight of a root; minus infinity for other states."""
    roots: npt.NDArray[np.uint32]
    """The last root before it."""

    @classmethod
    def of(cls, room: int, order: Order) -> Paths:
        """Room for the paths of this many states; the first one is a root."""
        more = room if order.kind == ROOTED else 1
        paths = cls(np.zeros(room), np.empty(more), np.empty(more), np.zeros(more, np.uint32))
        paths.sums[0], paths.weights[0] = -np.inf, -order.slope
        return paths

    def longer(self, room: int, order: Order) -> Paths:
        """A copy for more states."""
        paths = Paths.of(room, order)
        for place in range(len(paths)):
            mine: npt.NDArray[Any] = self[place]
            paths[place][: mine.size] = mine
        return paths


class Place(NamedTuple):
    """Where a state is in the search."""

    number: int
    depth: int
    cost: int
    left: int
    """Its heuristic."""


@inlined
def prolong(paths: Paths, order: Order, parent: int, number: int, probability: float) -> None:
    """Record the path to a state: its parent's, with one more move."""
    log = paths.logs[parent] + np.log(probability)
    paths.logs[number] = log
    if order.kind == ROOTED:
        before = paths.sums[parent]
        paths.sums[number] = max(before, -log) + np.log1p(np.exp(-abs(before + log)))
        is_root = paths.weights[parent] > -np.inf
        paths.roots[number] = parent if is_root else paths.roots[parent]
        paths.weights[number] = -np.inf


@inlined
def key_of(order: Order, paths: Paths, place: Place) -> float:
    """The key of a state; the lowest is expanded next."""
    log = paths.logs[place.number]
    if order.kind == LEVIN:
        key = np.log(np.float64(place.depth)) - log
    elif order.kind == PHS:
        spent = np.float64(max(place.cost, 1))
        key = np.log(spent + place.left) - log * (1 + place.left / spent)
    elif order.kind == LIKELIEST:
        key = -log
    else:
        key = _from_the_best_root(paths, place.number)
    return key + LAYER * place.depth if order.width > 0 else key


@inlined
def _from_the_best_root(paths: Paths, number: int) -> float:
    best, root = np.inf, np.int64(number)
    total = paths.sums[number]
    while root != 0:
        root = np.int64(paths.roots[root])
        since = total + np.log1p(-np.exp(paths.sums[root] - total))
        best = min(best, paths.logs[root] + since - paths.weights[root])
    return best
