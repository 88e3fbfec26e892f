"""The reproduction of four papers: their algorithms, what they print, and our figures beside it."""
