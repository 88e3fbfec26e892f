"""The reproduction of four papers: their algorithms, their printed figures, and ours."""
