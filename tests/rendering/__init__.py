"""Tests of what all pictures share."""
