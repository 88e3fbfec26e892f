"""Interactive play and watching agents: games, hints, progress, and the views of their windows."""
