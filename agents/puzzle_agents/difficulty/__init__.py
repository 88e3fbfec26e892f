"""The difficulty of levels: measuring it, and the file of the results."""
