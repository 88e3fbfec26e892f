"""Default limits of an attempt."""

SECONDS = 60.0
MEMORY = "2 GiB"
