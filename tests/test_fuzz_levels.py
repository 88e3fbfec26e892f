"""Mutated level texts, as many as a test may take; `python -m tests.fuzz_levels` takes more."""

from __future__ import annotations

from tests.fuzz_levels import fuzz


def test_a_mutated_text_is_a_level_that_comes_back_or_an_error_with_its_place() -> None:
    report = fuzz(10_000, seed=1)
    assert not report.faults, report.faults[0]
    assert report.outcomes.total() == 10_000
    reads = {id for id, outcome in report.outcomes if outcome == "read"}
    plays = {id for id, outcome in report.outcomes if outcome == "played"}
    assert len(reads) == 5 and len(plays) >= 3
