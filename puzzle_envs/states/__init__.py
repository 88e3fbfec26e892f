"""The basis of all searches: tables of states, the memory of a search, paths, exploration."""
