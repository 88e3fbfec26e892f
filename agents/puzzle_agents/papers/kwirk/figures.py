"""What the Kwirk paper prints in its Tables 1 to 4."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["DELTAS", "MEM", "SLOW", "TABLE_1", "TABLE_2", "TABLE_3", "TABLE_4", "Figures"]


class Figures(NamedTuple):
    """What the paper prints of a solver on a puzzle."""

    moves: int | str
    """Or MEM, SLOW: out of memory, not solved in 15 minutes."""
    states: int
    sequences: int | None = None


MEM, SLOW = "MEM", "SLOW"

TABLE_1: dict[str, dict[str, Figures]] = {
    "BFS": {
        "easy-1": Figures(4, 24),
        "easy-2": Figures(4, 39),
        "easy-3": Figures(4, 15),
        "easy-4": Figures(5, 22),
        "easy-5": Figures(8, 374),
        "easy-6": Figures(9, 46),
        "easy-7": Figures(8, 597),
        "easy-8": Figures(9, 374),
        "easy-9": Figures(10, 9_633),
        "easy-10": Figures(7, 263),
        "average-1": Figures(10, 7_333),
        "average-4": Figures(109, 3_218),
        "average-5": Figures(30, 346_583),
        "hard-1": Figures(25, 15_203),
        "hard-3": Figures(34, 135_064),
        "hard-5": Figures(MEM, 212_170),
    },
    "DFS": {
        "easy-1": Figures(15, 40),
        "easy-2": Figures(5, 33),
        "easy-3": Figures(6, 11),
        "easy-4": Figures(5, 7),
        "easy-5": Figures(34, 262),
        "easy-6": Figures(86, 275),
        "easy-7": Figures(51, 96),
        "easy-8": Figures(26, 210_252),
        "easy-9": Figures(22, 2_607),
        "easy-10": Figures(44, 113),
        "average-1": Figures(165, 4_303),
        "average-4": Figures(181, 1_016),
        "average-5": Figures(2599, 193_692),
        "hard-1": Figures(59, 11_315),
        "hard-3": Figures(58, 136_681),
        "hard-5": Figures(699, 17_379),
    },
    "A*": {
        "easy-1": Figures(4, 8),
        "easy-2": Figures(4, 18),
        "easy-3": Figures(4, 7),
        "easy-4": Figures(5, 19),
        "easy-5": Figures(8, 217),
        "easy-6": Figures(9, 26),
        "easy-7": Figures(8, 284),
        "easy-8": Figures(9, 144),
        "easy-9": Figures(10, 513),
        "easy-10": Figures(7, 70),
        "average-1": Figures(10, 3_743),
        "average-4": Figures(109, 2_573),
        "average-5": Figures(30, 360_502),
        "hard-1": Figures(25, 14_100),
        "hard-3": Figures(34, 122_213),
        "hard-5": Figures(12, 24_644),
    },
    "Fringe": {
        "easy-1": Figures(4, 5),
        "easy-2": Figures(4, 16),
        "easy-3": Figures(6, 10),
        "easy-4": Figures(5, 20),
        "easy-5": Figures(8, 174),
        "easy-6": Figures(9, 33),
        "easy-7": Figures(8, 175),
        "easy-8": Figures(9, 158),
        "easy-9": Figures(10, 458),
        "easy-10": Figures(7, 55),
        "average-1": Figures(11, 2_892),
        "average-4": Figures(109, 2_299),
        "average-5": Figures(SLOW, 84_684),
        "hard-1": Figures(25, 7_106),
        "hard-3": Figures(36, 65_592),
        "hard-5": Figures(SLOW, 13_196),
    },
    "Multi-layer A*": {
        "easy-1": Figures(4, 8, 1),
        "easy-2": Figures(4, 16, 1),
        "easy-3": Figures(4, 8, 1),
        "easy-4": Figures(5, 20, 1),
        "easy-5": Figures(8, 119, 1),
        "easy-6": Figures(9, 28, 1),
        "easy-7": Figures(10, 587, 2),
        "easy-8": Figures(9, 2_931, 5),
        "easy-9": Figures(10, 68, 1),
        "easy-10": Figures(9, 73, 1),
        "average-1": Figures(10, 14_140, 8),
        "average-4": Figures(109, 1_724, 1),
        "average-5": Figures(38, 308_747, 1),
        "hard-1": Figures(25, 7_685, 1),
        "hard-3": Figures(34, 212_599, 4),
        "hard-5": Figures(MEM, 85_845, 1000),
    },
    "Multi-layer Fringe": {
        "easy-1": Figures(4, 18, 1),
        "easy-2": Figures(4, 26, 1),
        "easy-3": Figures(4, 17, 1),
        "easy-4": Figures(5, 8, 1),
        "easy-5": Figures(8, 124, 1),
        "easy-6": Figures(9, 10, 1),
        "easy-7": Figures(10, 437, 2),
        "easy-8": Figures(9, 89, 1),
        "easy-9": Figures(11, 384, 3),
        "easy-10": Figures(14, 581, 7),
        "average-1": Figures(11, 17_013, 8),
        "average-4": Figures(109, 1_106, 1),
        "average-5": Figures(163, 514_944, 1),
        "hard-1": Figures(27, 4_859, 1),
        "hard-3": Figures(66, 775_553, 4),
        "hard-5": Figures(MEM, 106_780, 908),
    },
}

TABLE_2: dict[str, dict[str, Figures]] = {
    "A*": {
        "easy-1": Figures(4, 10),
        "easy-2": Figures(4, 67),
        "easy-3": Figures(4, 7),
        "easy-4": Figures(5, 15),
        "easy-6": Figures(9, 21),
        "easy-7": Figures(8, 402),
        "easy-8": Figures(9, 91),
        "easy-9": Figures(10, 2_684),
        "easy-10": Figures(7, 42),
        "average-1": Figures(10, 2_598),
        "average-4": Figures(109, 2_677),
        "average-5": Figures(30, 257_066),
        "hard-3": Figures(34, 118_515),
        "hard-5": Figures(MEM, 180_630),
    },
    "Fringe": {
        "easy-1": Figures(7, 12),
        "easy-2": Figures(4, 29),
        "easy-3": Figures(4, 8),
        "easy-4": Figures(5, 14),
        "easy-6": Figures(9, 26),
        "easy-7": Figures(8, 242),
        "easy-8": Figures(11, 68),
        "easy-9": Figures(10, 1_737),
        "easy-10": Figures(8, 55),
        "average-1": Figures(11, 1_649),
        "average-4": Figures(111, 2_479),
        "average-5": Figures(SLOW, 78_699),
        "hard-3": Figures(34, 62_981),
        "hard-5": Figures(SLOW, 21_277),
    },
}
"""The average exit-distance as the cost function."""

TABLE_3 = {
    "easy-2": Figures(4, 18, 1),
    "easy-3": Figures(4, 7, 1),
    "easy-7": Figures(8, 282, 1),
    "easy-8": Figures(9, 141, 1),
    "easy-9": Figures(10, 508, 1),
    "easy-10": Figures(7, 70, 1),
    "average-1": Figures(10, 3_674, 1),
    "average-5": Figures(30, 351_744, 1),
    "hard-3": Figures(34, 173_635, 2),
    "hard-5": Figures(12, 24_371, 1),
}
"""Only sub-goals for holes, multi-layer A*."""

TABLE_4 = {
    "(a) fewer new sequences": {
        "average-1": Figures(10, 18_539, 8),
        "hard-5": Figures(13, 144, 1),
    },
    "(b) fewer new start-states": {
        "easy-7": Figures(8, 486, 2),
        "easy-8": Figures(9, 24_500, 5),
        "average-1": Figures(10, 10_304, 8),
        "average-5": Figures(43, 384_795, 1),
        "hard-5": Figures(MEM, 79_179, 801),
    },
    "(c) both": {
        "easy-7": Figures(8, 263, 1),
        "easy-8": Figures(9, 26_117, 5),
        "average-1": Figures(14, 3_116, 5),
        "average-5": Figures(43, 384_795, 1),
        "hard-5": Figures(13, 72, 1),
    },
}
"""How often new sequences and start-states are tried, multi-layer A*."""

DELTAS = {
    "Table 2, A*": (
        1.250, 3.722, 1.000, 0.789, 0.808, 1.415, 0.632, 5.232, 0.600, 0.694, 1.040, 0.713, 0.970,
        7.330,
    ),
    "Table 2, Fringe": (
        2.400, 1.813, 0.800, 0.700, 0.788, 1.383, 0.430, 3.793, 1.000, 0.570, 1.078, 0.929, 0.960,
        1.612,
    ),
    "Table 3": (1.125, 0.875, 0.480, 0.048, 7.471, 0.959, 0.260, 1.139, 0.817, 0.284),
    "Table 4 (a)": (1.311, 0.002),
    "Table 4 (b)": (0.828, 8.359, 0.729, 1.246, 0.922),
    "Table 4 (c)": (0.448, 8.911, 0.220, 1.246, 0.001),
}  # fmt: skip
"""The printed quotients of states opened, row by row."""
