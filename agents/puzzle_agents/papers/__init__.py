"""The four papers: what they print, our runs of the same, and the two side by side."""
