"""Selection, crossover and mutation on whole populations, compiled.

A population is an array of genomes, each a row of small integers, and an array of scores, higher is
better. Kernels write into arrays of the caller.
"""

from __future__ import annotations

from typing import Any

from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.states.chance import below, happens


@kernel
def draw(genomes: Any, counts: Any, chance: Any) -> None:
    """Write random genomes; gene g is below counts[g]."""
    for individual in range(genomes.shape[0]):
        for gene in range(genomes.shape[1]):
            genomes[individual, gene] = below(chance, counts[gene])


@kernel
def tournament(scores: Any, size: int, chance: Any, parents: Any) -> None:
    """Tournament selection with replacement, of this tournament size."""
    for index in range(parents.size):
        best = below(chance, scores.size)
        for _ in range(size - 1):
            rival = below(chance, scores.size)
            if scores[rival] > scores[best]:
                best = rival
        parents[index] = best


@kernel
def cross(genomes: Any, parents: Any, block: int, rate: float, chance: Any, children: Any) -> None:
    """One-point crossover: write two children of each pair of parents.

    The point is a multiple of `block` inside the genome; children that are not crossed are copies.
    """
    genes = genomes.shape[1]
    for index in range(0, children.shape[0], 2):
        one, other = parents[index], parents[index + 1]
        point = genes
        if happens(chance, rate):
            point = block * (1 + below(chance, genes // block - 1))
        for gene in range(genes):
            children[index, gene] = genomes[one if gene < point else other, gene]
            if index + 1 < children.shape[0]:
                children[index + 1, gene] = genomes[other if gene < point else one, gene]


@kernel
def mutate(children: Any, counts: Any, rate: float, chance: Any) -> None:
    """Redraw each gene with this probability; gene g is below counts[g]."""
    for individual in range(children.shape[0]):
        for gene in range(children.shape[1]):
            if happens(chance, rate):
                children[individual, gene] = below(chance, counts[gene])


@kernel
def diversity(genomes: Any, tally: Any) -> float:
    """Probability that two random individuals differ in a random gene; `tally` is all zeros."""
    individuals, genes = genomes.shape
    alike = 0
    for gene in range(genes):
        for individual in range(individuals):
            tally[genomes[individual, gene]] += 1
        for individual in range(individuals):
            value = genomes[individual, gene]
            alike += tally[value] * tally[value]
            tally[value] = 0
    return 1.0 - alike / (genes * individuals * individuals)
