"""The paper on Zen Puzzle Garden: its A*, its genetic algorithm and its tables."""
