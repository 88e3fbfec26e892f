"""Other people's engines as agents: planners, and a constraint solver."""
