"""The paper on Hua Rong Dao: its breadth-first search and its table."""
