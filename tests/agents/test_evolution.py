"""The engine of the genetic algorithms, on a puzzle whose answer is plain: all genes at 9."""

from __future__ import annotations

import numpy as np
import pytest

from puzzle_agents.evolution.evolution import Evolution
from puzzle_agents.evolution.operators import cross, diversity, draw, mutate, tournament
from puzzle_agents.evolution.population import Chance, Genomes, Population, Scores, Species
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.states.chance import below, happens, new_chance

VALUES = 10


class Nines(Species):
    """The score is minus the genes that are not 9."""

    def __init__(self, size: int = 60, genes: int = 12, elite: int = 1, block: int = 1) -> None:
        self.size, self.genes, self.elite, self.block = size, genes, elite, block
        self.enough = 0.0
        self._counts = np.full(genes, VALUES, np.int64)
        self._parents = np.zeros(size + 1, np.int64)

    def populate(self, genomes: Genomes, chance: Chance) -> None:
        draw(genomes, self._counts, chance)

    def breed(self, genomes: Genomes, scores: Scores, children: Genomes, chance: Chance) -> None:
        tournament(scores, 3, chance, self._parents)
        cross(genomes, self._parents, self.block, 0.9, chance, children)
        mutate(children, self._counts, 0.05, chance)

    def evaluate(self, genomes: Genomes, scores: Scores, most: int, chance: Chance) -> int:
        count = min(most, len(genomes))
        scores[:count] = -(genomes[:count] != VALUES - 1).sum(axis=1)
        return count


def evolved(seed: int | None, islands: int = 1, generations: int = 500) -> Evolution:
    with Evolution([Nines() for _ in range(islands)], seed) as evolution:
        while not evolution.finished and evolution.generations < generations:
            evolution.advance(10**6)
    return evolution


@kernel
def throw(chance: np.ndarray, sides: int, thrown: np.ndarray) -> int:
    """Throw a die so often, write how often each side came; return how many coins were heads."""
    heads = 0
    for _ in range(60_000):
        thrown[below(chance, sides)] += 1
        heads += happens(chance, 0.25)
    return heads


def test_chance_is_fair() -> None:
    thrown = np.zeros(7, np.int64)
    heads = throw(new_chance(3), 6, thrown)
    assert thrown[6] == 0
    assert np.all(np.abs(thrown[:6] - 10_000) < 500)  # more than five standard deviations
    assert abs(heads - 15_000) < 600


def test_streams_and_seeds_differ_and_repeat() -> None:
    states = [new_chance(seed, stream)[0] for seed in (0, 1) for stream in (0, 1)]
    assert len(set(states)) == 4
    assert new_chance(1, 1)[0] == states[3]
    assert new_chance(None)[0] != new_chance(None)[0]


@pytest.mark.parametrize("islands", [1, 3])
def test_evolution_finds_the_answer_and_repeats_itself(islands: int) -> None:
    first, second = evolved(5, islands), evolved(5, islands)
    assert first.finished
    assert first.best.tolist() == [9] * 12
    assert first.history == second.history
    assert evolved(6, islands).history != first.history


def test_the_best_is_never_lost_and_the_history_tells_the_truth() -> None:
    evolution = evolved(1)
    bests = [generation.best for generation in evolution.history]
    assert bests == sorted(bests)
    assert bests[-1] == 0 > bests[0]
    assert evolution.history[0].evaluations == 60
    assert all(
        after.evaluations - before.evaluations == 59  # the elite is not evaluated again
        for before, after in zip(evolution.history, evolution.history[1:], strict=False)
    )
    assert evolution.history[-1].diversity < evolution.history[0].diversity
    assert evolution.champion.best_since == evolution.evaluations


def test_no_more_evaluations_than_allowed() -> None:
    with Evolution([Nines(), Nines()], 0) as evolution:
        evolution.advance(101)
    assert evolution.evaluations == 101
    assert np.isneginf(evolution.populations[1].scores[50:]).all()


def test_islands_send_their_best() -> None:
    one, other = (Population(Nines(size=10), new_chance(seed)) for seed in (0, 1))
    one.advance(10**6)
    other.advance(10**6)
    best = one.scores.max()
    one.send(other, 2)
    assert (other.scores == best).any()
    place = int(np.argmax(other.scores == best))
    assert (other.genomes[place] == 9).sum() == 12 + best


def test_tournaments_prefer_the_better() -> None:
    scores = np.arange(100, dtype=np.float64)
    parents = np.zeros(20_000, np.int64)
    tournament(scores, 10, new_chance(0), parents)
    assert abs(parents.mean() - 100 * 10 / 11) < 1
    tournament(scores, 1, new_chance(0), parents)
    assert abs(parents.mean() - 49.5) < 2


def test_crossing_keeps_blocks_together() -> None:
    genomes = np.array([[0] * 12, [1] * 12], np.uint8)
    children = np.zeros((1001, 12), np.uint8)
    parents = np.tile([0, 1], 501)
    cross(genomes, parents, 4, 0.5, new_chance(0), children)
    blocks = children.reshape(1001, 3, 4)
    assert (blocks == blocks[:, :, :1]).all()
    crossed = (children[:, 0] != children[:, -1]).mean()
    assert 0.4 < crossed < 0.6
    assert {tuple(row) for row in blocks[:, :, 0].tolist()} == {
        (0, 0, 0), (1, 1, 1), (0, 1, 1), (0, 0, 1), (1, 0, 0), (1, 1, 0),
    }  # fmt: skip


def test_mutation_changes_as_many_genes_as_it_should() -> None:
    children = np.full((2000, 12), 200, np.uint8)
    mutate(children, np.full(12, VALUES, np.int64), 0.1, new_chance(0))
    assert abs((children != 200).mean() - 0.1) < 0.01
    assert children[children != 200].max() == VALUES - 1


def test_diversity() -> None:
    tally = np.zeros(256, np.int64)
    assert diversity(np.zeros((5, 3), np.uint8), tally) == 0
    half = np.array([[0, 1], [1, 1], [0, 1], [1, 1]], np.uint8)
    assert diversity(half, tally) == pytest.approx(0.25)
    assert not tally.any()
