"""What any search stands on: tables of states, the memory of a search, paths, exploration."""
