"""Default limits of an attempt."""

__all__ = ["MEMORY", "SECONDS"]

SECONDS = 60.0
MEMORY = "2 GiB"
