"""The hunt for hard grids, which is a check against CP-SAT too."""

from __future__ import annotations

import numpy as np
import pytest

from puzzle_envs.skyscraper.exact import PATIENCE, ExactSearch

hunt = pytest.importorskip("benchmarks.hunt", reason="needs the bench extra")
cp_sat = pytest.importorskip("benchmarks.cp_sat", reason="needs the bench extra")


def sparse(random: np.random.Generator, numbers: np.ndarray, share: float) -> list[int]:
    """About this share of the numbers, the others 0."""
    return [number if random.random() < share else 0 for number in numbers.ravel().tolist()]


@pytest.mark.parametrize("solvable", [True, False])
@pytest.mark.parametrize("size", range(3, 13))
def test_what_is_drawn(size: int, solvable: bool) -> None:
    random, same = np.random.default_rng(size), np.random.default_rng(size)
    for _ in range(5):
        clues = hunt.draw(random, size, solvable=solvable)
        assert np.array_equal(clues, hunt.draw(same, size, solvable=solvable))
        assert clues.shape == (4 * size,)
        shown = clues[clues > 0]
        assert len(shown) < 5 * size // 2 and all(shown >= size // 3) and all(shown <= size)


@pytest.mark.parametrize("size", [4, 5, 6, 7, 8])
def test_claims_agree_with_cp_sat(size: int) -> None:
    """No solution, one or more: whatever is given, and however often the search starts over."""
    random = np.random.default_rng(size)
    answers = set()
    for index in range(12):
        solvable = index % 3 > 0
        clues = hunt.draw(random, size, solvable=solvable).tolist()
        search = ExactSearch(size)
        search.load(clues, [0] * size**2)
        search.run()
        givens = [0] * size**2
        if search.solution is not None:
            givens = sparse(random, search.solution, 0.1 * (index % 4))
        if index % 4 == 3:
            givens[random.integers(size**2)] = int(random.integers(1, size + 1))
        wanted, _ = cp_sat.count_solutions(size, clues, givens, 2)
        for patience in (0, 5, PATIENCE):
            search = ExactSearch(size, patience)
            search.load(clues, givens)
            assert search.run(2)
            assert search.solutions == wanted and search.exhausted == (wanted < 2)
        answers.add(wanted)
    assert answers >= {0, 2}


@pytest.mark.parametrize("solutions", [1, 2])
def test_a_chase(solutions: int) -> None:
    random = np.random.default_rng(1)
    for solvable in (True, False):
        clues = hunt.draw(random, 6, solvable=solvable)
        catch = hunt.chase(6, clues, solutions, 60.0)
        assert catch.id.startswith("6:") and catch.solutions in range(solutions + 1)
        assert catch.solutions or not solvable
        assert catch.ratio == catch.ours / catch.theirs > 0


def test_answers_that_differ_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hunt, "count_solutions", lambda *_: (0, 1.0))
    with pytest.raises(ValueError, match="finds 1 solutions and CP-SAT 0"):
        hunt.chase(5, np.zeros(20, np.int64), 1, 60.0)


@pytest.mark.parametrize(
    ("ours", "theirs", "said"), [(None, 1, 1), (1, None, 1), (None, None, None)]
)
def test_out_of_time(
    monkeypatch: pytest.MonkeyPatch, ours: int | None, theirs: int | None, said: int | None
) -> None:
    def count_ours(*_: object) -> int:
        if ours is None:
            raise RuntimeError("The budget ended.")
        return ours

    monkeypatch.setattr(hunt.SkyscraperExact, "count_solutions", count_ours)
    monkeypatch.setattr(hunt, "count_solutions", lambda *_: (theirs, 1.0))
    assert hunt.chase(5, np.zeros(20, np.int64), 1, 60.0).solutions == said


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["hunt", "--size", "5", "--grids", "4", "--solutions", "2"])
    hunt.main()
    shown = capsys.readouterr().out
    assert "4 grids" in shown and "ours / CP-SAT" in shown and shown.count("  5:") == 4


def test_the_table_of_a_hunt() -> None:
    table = hunt.summary([hunt.Catch("4:", 1, ours, 0.4) for ours in (0.1, 0.2, 0.4)])
    cells = [[*column.cells] for column in table.columns]
    assert cells[0] == ["ours", "CP-SAT", "ours / CP-SAT"]
    assert cells[1] == ["0.200", "0.400", "0.500"] and cells[-1] == ["0.400", "0.400", "1.000"]
