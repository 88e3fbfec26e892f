"""What an attempt may spend where nobody says otherwise: the same wherever agents are asked."""

__all__ = ["MEMORY", "SECONDS"]

SECONDS = 60.0
MEMORY = "2 GiB"
