"""Benchmarks: agents on suites of levels, within limits, with reports."""
