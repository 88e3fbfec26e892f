"""How hard levels are, in figures that rules alone define: measured, kept in a file, and read."""
