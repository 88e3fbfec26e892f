"""The memory of freed tensors, kept for the next ones.

The GNU C library gives freed memory back to the system, which clears it before handing it out
again: a tenth of the time of training on boards of some dozen cells.
"""

from __future__ import annotations

import ctypes

TRIM_THRESHOLD, TOP_PAD, MMAP_THRESHOLD = -1, -2, -3
"""Parameters of mallopt: see its manual page."""
KEPT = 2**31 - 1
"""Free memory at the top of the heap, in bytes, above which some is given back."""
MAPPED = 2**25
"""Size of allocations, in bytes, that always go back to the system; the largest allowed."""


def keep_freed_memory() -> None:
    """Let this process keep freed memory, where the C library can be told to."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # another C library
        return
    for parameter, value in ((MMAP_THRESHOLD, MAPPED), (TRIM_THRESHOLD, KEPT), (TOP_PAD, 2**28)):
        mallopt(parameter, value)
