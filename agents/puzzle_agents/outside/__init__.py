"""External solvers as agents: planners and a constraint solver."""
