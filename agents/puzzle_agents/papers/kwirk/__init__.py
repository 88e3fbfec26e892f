"""The solvers of E. Wittingen, "Creating a solver for Kwirk (Puzzle Boy)"."""
