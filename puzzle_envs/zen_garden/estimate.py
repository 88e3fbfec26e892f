"""Lower bounds on the moves of a garden, proofs that it is lost, compiled.

**Sides.** A walk enters a cell by one side and leaves it by another, and no cell is entered twice.
So every cell that is finally raked has exactly two sides used: sides to neighbours, or faces to the
perimeter. Many sides are forced: a cell with two usable ones uses both, a cell with two used ones
no other. The used faces are the ends of the walks, two each.

**Corners.** A walk that reaches a cell at the edge heading outwards steps out. So no walk turns
from one inner side of a corner cell into the other.

**Sections.** Connected components by usable sides are sections. A walk lies in one section, so the
bounds of sections add up. Connected components of the ground are regions: no walk and no ornament
leaves one, and if it has sand it takes a walk.

**Edges.** For the same reason a walk runs along an edge only at its start. So it rakes one stretch
of edge cells and the cell where it ends, or the two where it starts and ends.

**Colours.** Let the walks of a section rake d more dark cells than light ones, as on a chessboard.
Every side between two cells is used by a dark and a light one, so 2d more dark faces than light
ones are used. With at least f light and g dark faces there are at least f + d and g - d walks.

**Ornaments.** A cell on which an ornament can end up may stay unraked, and the cell of an ornament
may be raked: such a cell has two sides used, or none. An ornament that can no longer be pushed
never will be, since raked cells stay raked. Entering its cell pushes it on, so the next cell must
accept it; going straight on pushes it twice. Sand without usable sides needs its own ornament.

Without ornaments the estimate is consistent: the cells raked by a move form a walk, and the walks
of any solution after it, together with that walk, satisfy all of the above before it.

Leaf colours are ignored: a cell under a leaf has to be raked as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from puzzle_envs.kernels.bitboards import ONE, bits_from, count_bits, earlier, has, later
from puzzle_envs.kernels.compiled import compiled
from puzzle_envs.kernels.scratch import scratch
from puzzle_envs.level import Record, Words
from puzzle_envs.verbs import NEVER
from puzzle_envs.zen_garden.motion import BELOW_MONK, WIDE, board_words, monk_at
from puzzle_envs.zen_garden.rules import rules
from puzzle_envs.zen_garden.symmetry import DARK, findings_of

NONE = np.uint64(0)

NORTH, EAST, SOUTH, WEST = 0, WIDE, 2 * WIDE, 3 * WIDE
"""Offsets of the usable sides in the scratch memory."""
USED = 4 * WIDE
"""Offset of the sides that must be used, in the same order."""
MUST = 8 * WIDE
"""Cells that must be raked."""
GROUND = 9 * WIDE
"""Sand, and ornaments that can be pushed."""
ORNAMENTS = 10 * WIDE
"""The ornaments among them."""
REACH = 11 * WIDE
"""Cells that an ornament occupies or can be pushed to."""
MOVED = 12 * WIDE
"""Scratch for single steps."""
SECTION = 13 * WIDE
LEFT = 14 * WIDE
"""Cells not yet counted: of the ground, and in REST of a region."""
NE, NS, NW, ES, EW, SW = (place * WIDE for place in range(15, 21))
"""Cells where a walk can use both of two sides."""
REGION = 21 * WIDE
REST = 22 * WIDE
LANDING = 23 * WIDE
"""Cells whose neighbour on a side accepts an ornament, in the order of the sides."""


# --- ornaments --------------------------------------------------------------------------------


@compiled
def _takes(level: Any, board: Any, word: int) -> Any:
    """Sand onto which an ornament may be pushed."""
    bits = board[GROUND + word] & ~board[ORNAMENTS + word]
    if level.has_leaves and not level.push_onto_leaf:
        bits &= ~(level.yellow[word] | level.orange[word] | level.red[word])
    return bits


@compiled
def _before(level: Any, words: Any, word: int, side: int) -> Any:
    """A word in which each cell has the bit of its neighbour on a side; 0 beyond the edge."""
    last = board_words(level) - 1
    if side == 0:
        return earlier(words, word, level.width)
    if side == 1:
        return later(words, word, last, 1) & ~level.edges[1, word]
    if side == 2:
        return later(words, word, last, level.width)
    return earlier(words, word, 1) & ~level.edges[3, word]


@compiled
def _pushers(level: Any, board: Any, word: int, side: int) -> Any:
    """Cells with a place for the monk on this side, from which he can push."""
    bits = _before(level, board[GROUND:], word, side)
    if level.push_from_perimeter:
        bits |= level.edges[side, word]
    return bits


@compiled
def _find_pushes(level: Any, words: int, board: Any) -> None:
    """Remove ornaments that cannot be pushed from the ground; find where the others can go."""
    changed = True
    while changed:
        changed = False
        for word in range(words):
            board[MOVED + word] = _takes(level, board, word)
        for word in range(words):
            free = NONE
            for side in range(4):
                free |= _pushers(level, board, word, side) & _before(
                    level, board[MOVED:], word, side ^ 2
                )
            stuck = board[ORNAMENTS + word] & ~free
            if stuck != 0:
                board[ORNAMENTS + word] ^= stuck
                board[GROUND + word] ^= stuck
                changed = True
    # sides are scratch here: the monk's places for pushing
    for word in range(words):
        board[REACH + word] = board[ORNAMENTS + word]
        board[LEFT + word] = _takes(level, board, word)
        for side in range(4):
            board[side * WIDE + word] = _pushers(level, board, word, side)
    changed = True
    while changed:
        changed = False
        for side in range(4):
            for word in range(words):
                board[MOVED + word] = board[REACH + word] & board[side * WIDE + word]
            for word in range(words):
                more = _before(level, board[MOVED:], word, side) & board[LEFT + word]
                more &= ~board[REACH + word]
                if more != 0:
                    board[REACH + word] |= more
                    changed = True


# --- which sides can be and have to be used ---------------------------------------------------


@compiled
def _pair_at_ornaments(level: Any, words: int, board: Any) -> None:
    """Entering an ornament's cell pushes it by one cell, going straight on by another."""
    for word in range(words):
        board[MOVED + word] = _takes(level, board, word)
    for word in range(words):
        for side in range(4):
            board[LANDING + side * WIDE + word] = _before(level, board[MOVED:], word, side)
    for word in range(words):
        others = ~board[ORNAMENTS + word]
        from_north = board[LANDING + SOUTH + word] & _pushers(level, board, word, 0)
        from_east = board[LANDING + WEST + word] & _pushers(level, board, word, 1)
        from_south = board[LANDING + NORTH + word] & _pushers(level, board, word, 2)
        from_west = board[LANDING + EAST + word] & _pushers(level, board, word, 3)
        board[NE + word] &= others | from_north | from_east
        board[NW + word] &= others | from_north | from_west
        board[ES + word] &= others | from_south | from_east
        board[SW + word] &= others | from_south | from_west
        straight = from_north & _before(level, board[LANDING + SOUTH :], word, 2)
        straight |= from_south & _before(level, board[LANDING + NORTH :], word, 0)
        board[NS + word] &= others | straight
        straight = from_west & _before(level, board[LANDING + EAST :], word, 1)
        straight |= from_east & _before(level, board[LANDING + WEST :], word, 3)
        board[EW + word] &= others | straight


@compiled
def _lay_out(level: Any, state: Any, words: int, board: Any) -> None:
    """Lay out the ground, the cells to rake, and all sides to ground and perimeter."""
    for word in range(words):
        sand = state[word] & BELOW_MONK if word == state.size - 1 else state[word]
        ornaments = NONE
        if level.has_ornaments:
            ornaments = state[words + word]
            if words + word == state.size - 1:
                ornaments &= BELOW_MONK
        board[ORNAMENTS + word] = ornaments
        board[GROUND + word] = sand | ornaments
    if level.has_ornaments:
        _find_pushes(level, words, board)
    for word in range(words):
        ground = board[GROUND + word]
        board[MUST + word] = ground & ~board[REACH + word] if level.has_ornaments else ground
        for side in range(4):
            beside = _before(level, board[GROUND:], word, side) | level.edges[side, word]
            board[side * WIDE + word] = ground & beside
            board[USED + side * WIDE + word] = NONE
        # a walk that reaches a corner along an edge steps out there
        north, east = level.edges[0, word], level.edges[1, word]
        south, west = level.edges[2, word], level.edges[3, word]
        board[NE + word] = ~(south & west)
        board[NW + word] = ~(south & east)
        board[ES + word] = ~(north & west)
        board[SW + word] = ~(north & east)
        board[NS + word] = board[EW + word] = ~NONE
    if level.has_ornaments:
        _pair_at_ornaments(level, words, board)


@compiled
def _two(north: Any, east: Any, south: Any, west: Any) -> Any:
    """Cells with at least two sides."""
    return (north & south) | (east & west) | ((north | south) & (east | west))


@compiled
def _three(north: Any, east: Any, south: Any, west: Any) -> Any:
    """Cells with at least three sides."""
    return (north & south & (east | west)) | (east & west & (north | south))


@compiled
def _decide_sides(level: Any, words: int, board: Any) -> bool:
    """Propagate constraints between sides; return False on a contradiction."""
    changed = True
    while changed:
        changed = False
        for word in range(words):
            north, east = board[NORTH + word], board[EAST + word]
            south, west = board[SOUTH + word], board[WEST + word]
            # a side is usable, and used, by both of its cells or neither
            top, right = level.edges[0, word], level.edges[1, word]
            bottom, left = level.edges[2, word], level.edges[3, word]
            north &= _before(level, board[SOUTH:], word, 0) | top
            east &= _before(level, board[WEST:], word, 1) | right
            south &= _before(level, board[NORTH:], word, 2) | bottom
            west &= _before(level, board[EAST:], word, 3) | left
            ground = board[GROUND + word]
            n = board[USED + NORTH + word] | _before(level, board[USED + SOUTH :], word, 0) & ground
            e = board[USED + EAST + word] | _before(level, board[USED + WEST :], word, 1) & ground
            s = board[USED + SOUTH + word] | _before(level, board[USED + NORTH :], word, 2) & ground
            w = board[USED + WEST + word] | _before(level, board[USED + EAST :], word, 3) & ground
            # two used sides exclude all others
            full = _two(n, e, s, w)
            north &= n | ~full
            east &= e | ~full
            south &= s | ~full
            west &= w | ~full
            # a usable side needs a partner; a used side leaves the others only as partners
            ne, ns, nw = board[NE + word], board[NS + word], board[NW + word]
            es, ew, sw = board[ES + word], board[EW + word], board[SW + word]
            north &= (east & ne | south & ns | west & nw) & (ne | ~e) & (ns | ~s) & (nw | ~w)
            east &= (north & ne | south & es | west & ew) & (ne | ~n) & (es | ~s) & (ew | ~w)
            south &= (north & ns | east & es | west & sw) & (ns | ~n) & (es | ~e) & (sw | ~w)
            west &= (north & nw | east & ew | south & sw) & (nw | ~n) & (ew | ~e) & (sw | ~s)
            must = board[MUST + word] | n | e | s | w
            enough = _two(north, east, south, west)
            if (must & ~enough) | _three(n, e, s, w) != 0:
                return False
            if (n & ~north) | (e & ~east) | (s & ~south) | (w & ~west) != 0:
                return False
            # a single usable side is unusable; if one of two is used, so is the other
            north &= enough
            east &= enough
            south &= enough
            west &= enough
            both = must & ~_three(north, east, south, west)
            n |= north & both
            e |= east & both
            s |= south & both
            w |= west & both
            if (
                (north ^ board[NORTH + word])
                | (east ^ board[EAST + word])
                | (south ^ board[SOUTH + word])
                | (west ^ board[WEST + word])
                | (n ^ board[USED + NORTH + word])
                | (e ^ board[USED + EAST + word])
                | (s ^ board[USED + SOUTH + word])
                | (w ^ board[USED + WEST + word])
            ) != 0:
                changed = True
            board[NORTH + word], board[EAST + word] = north, east
            board[SOUTH + word], board[WEST + word] = south, west
            board[USED + NORTH + word], board[USED + EAST + word] = n, e
            board[USED + SOUTH + word], board[USED + WEST + word] = s, w
            board[MUST + word] = must
    return True


# --- sections ---------------------------------------------------------------------------------


@compiled
def _take_one(words: int, board: Any, source: int, target: int) -> bool:
    """Start a set with one cell of another; return False if that is empty."""
    found = False
    for word in range(words):
        bits = board[source + word]
        board[target + word] = NONE
        if not found and bits != 0:
            board[target + word] = bits & (~bits + ONE)
            found = True
    return found


@compiled
def _spread(level: Any, words: int, board: Any, target: int, joined: bool) -> None:
    """Flood fill a set over usable sides, or over all ground."""
    more = ONE
    while more != 0:
        more = NONE
        for word in range(words):
            grown = board[target + word]
            for side in range(4):
                ways = board[(side * WIDE if joined else GROUND) + word]
                grown |= _before(level, board[target:], word, side) & ways
            more |= grown ^ board[target + word]
            board[target + word] = grown


@compiled
def _walks_of_edge(level: Any, words: int, board: Any, pushable: int, known: int) -> int:
    """Lower bound on the walks needed for the edge cells of a section.

    At most half the number of cells; returns `known` if not larger.
    """
    cells = spare = 0
    for word in range(words):
        edges = level.edges[0, word] | level.edges[1, word]
        edges |= level.edges[2, word] | level.edges[3, word]
        edges &= board[SECTION + word]
        cells += count_bits(edges & board[MUST + word])
        if level.has_ornaments:
            spare += count_bits(edges & ~board[MUST + word] & ~board[ORNAMENTS + word])
    cells += max(0, spare - pushable)
    if cells <= 2 * known:
        return known
    lengths = scratch(17)
    for length in range(17):
        lengths[length] = NONE
    width, height = level.width, level.height
    row = level.row
    for side in range(2):
        first = (height - 1) * width if side == 1 else 0
        links = bits_from(board[EAST : EAST + words], first)
        links &= bits_from(board[SECTION : SECTION + words], first) & (row >> ONE)
        while links != 0:
            lowest = links & (~links + ONE)
            chain = links & ~(links + lowest)
            lengths[count_bits(chain) + 1] += ONE
            links ^= chain
    for side in range(2):
        cell = width - 1 if side == 1 else 0
        length = 1
        for _ in range(height - 1):
            if has(board[SOUTH:], cell) and has(board[SECTION:], cell):
                length += 1
            elif length > 1:
                lengths[length] += ONE
                length = 1
            cell += width
        if length > 1:
            lengths[length] += ONE
    walks = 0
    for length in range(16, 1, -1):
        for _ in range(np.int64(lengths[length])):
            if cells > 0:
                cells -= length + 1
                walks += 1
    return walks + max(0, cells + 1) // 2


@compiled
def _walks_of_section(level: Any, findings: Any, words: int, board: Any, pushable: int) -> int:
    """Lower bound on the walks of a section; NEVER if it cannot be raked."""
    dark_most = dark_least = light_most = light_least = 0
    dark_used = light_used = dark_usable = light_usable = 0
    dark_spare = light_spare = 0
    for word in range(words):
        section, dark = board[SECTION + word], findings[DARK + word]
        must = section & board[MUST + word]
        dark_least += count_bits(must & dark)
        light_least += count_bits(must & ~dark)
        if level.has_ornaments:
            spare = section & ~must
            dark_most += count_bits(spare & dark)
            light_most += count_bits(spare & ~dark)
            spare &= ~board[ORNAMENTS + word]
            dark_spare += count_bits(spare & dark)
            light_spare += count_bits(spare & ~dark)
        for side in range(4):
            edge = section & level.edges[side, word]
            usable = edge & board[side * WIDE + word]
            used = edge & board[USED + side * WIDE + word]
            dark_usable += count_bits(usable & dark)
            light_usable += count_bits(usable & ~dark)
            dark_used += count_bits(used & dark)
            light_used += count_bits(used & ~dark)
    dark_most += dark_least
    light_most += light_least
    dark_least += max(0, dark_spare - pushable)
    light_least += max(0, light_spare - pushable)
    least = max(dark_least - light_most, -((light_usable - dark_used) // 2))
    most = min(dark_most - light_least, (dark_usable - light_used) // 2)
    if least > most:
        return NEVER
    balance = min(max((dark_used - light_used) // 2, least), most)
    walks = max(light_used + balance, dark_used - balance)
    if balance < most:
        walks = min(walks, max(light_used + balance + 1, dark_used - balance - 1))
    if dark_least + light_least > 0:
        walks = max(walks, 1)
    walks = max(walks, _walks_of_edge(level, words, board, pushable, walks))
    faces = dark_usable + light_usable
    return walks if 2 * walks <= faces else NEVER


@compiled
def _walks_of_region(level: Any, findings: Any, words: int, board: Any) -> int:
    """Lower bound on the walks of a region of the ground, which is removed from the cells left."""
    pushable = 0
    sand = NONE
    for word in range(words):
        joined = board[NORTH + word] | board[EAST + word]
        joined |= board[SOUTH + word] | board[WEST + word]
        region, ornaments = board[REGION + word], board[ORNAMENTS + word]
        board[LEFT + word] &= ~region
        board[REST + word] = region & joined
        sand |= region & ~ornaments
        # sand without sides must end under an ornament, which then stays for good
        pushable += count_bits(region & ornaments & joined)
        pushable -= count_bits(region & ~ornaments & ~joined)
    if pushable < 0:
        return NEVER
    walks = 0
    while _take_one(words, board, REST, SECTION):
        _spread(level, words, board, SECTION, True)
        for word in range(words):
            board[REST + word] &= ~board[SECTION + word]
        walks += _walks_of_section(level, findings, words, board, pushable)
    return max(walks, 1) if sand != 0 else 0


@rules
def estimate(level: Any, findings: Any, state: Any) -> int:
    if monk_at(state) >= 0:
        return 0
    words = board_words(level)
    board = scratch(108)
    _lay_out(level, state, words, board)
    left = NONE
    for word in range(words):
        left |= board[GROUND + word] & ~board[ORNAMENTS + word]
    if left == 0:
        return 0
    if not _decide_sides(level, words, board):
        return NEVER
    for word in range(words):
        board[LEFT + word] = board[GROUND + word]
    walks = 0
    while walks < NEVER and _take_one(words, board, LEFT, REGION):
        if level.has_ornaments:
            _spread(level, words, board, REGION, False)
        else:
            for word in range(words):
                board[REGION + word] = board[LEFT + word]
        walks += _walks_of_region(level, findings, words, board)
    return min(walks, NEVER)


ESTIMATES: Mapping[str, Callable[[Record], Words]] = {"sections": findings_of}
"""The estimates, each with the function that prepares its findings."""
