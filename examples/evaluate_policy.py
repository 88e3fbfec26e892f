"""Measure how many unseen gardens a pretrained policy solves, compared with random play."""

import torch

from puzzle_agents.learning.evaluation import any_legal, evaluate, usual_side
from puzzle_agents.learning.models import pretrained
from puzzle_envs.zen_garden import PUZZLE

torch.set_num_threads(1)  # for so little work, more threads only wait for each other
model = pretrained("zen-garden-4x4")
gardens = PUZZLE.format.find_all("test/4x4")[:50]
players = (("policy", model.scores, model.sides), ("random", any_legal, usual_side))
for name, policy, sides in players:
    found = evaluate(policy, PUZZLE, gardens, samples=10, sides=sides, longest=40)
    low, high = found.interval(10)
    print(
        f"{name}: {found.rate(1):.0%} in one episode, {found.rate(10):.0%} in ten "
        f"(95 %: {low:.0%} to {high:.0%}), {found.over_optimum:.2f} of the fewest moves"
    )
