"""Common utilities: argument checks, suggestions of names, atomic file writes."""
