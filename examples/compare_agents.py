"""A custom suite: two agents on three gardens, each run in its own process."""

from pathlib import Path

from puzzle_agents.benchmark.bench import do_tasks
from puzzle_agents.benchmark.report import make_report
from puzzle_agents.benchmark.suite import read_suite
from puzzle_agents.engines.this_machine import local
from puzzle_agents.terminal import show

SUITE = """
[budget]
seconds = 5
memory = "512 MiB"

[[environments]]
id = "ZenGarden-v0"
levels = ["test/4x4"]
first = 3
agents = ["random", "bfs"]
"""

if __name__ == "__main__":
    Path("gardens.toml").write_text(SUITE)
    suite = read_suite("gardens.toml")
    do_tasks(suite.tasks, Path("results"), local, places=2, watch=lambda done: None)
    show(make_report([Path("results")], Path("report")).tables[0])
