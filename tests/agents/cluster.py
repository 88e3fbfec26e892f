"""A Ray cluster of three nodes on this machine: a head that does no jobs, and two workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

STORE = 80 << 20
"""Bytes of each node's object store: about the least that Ray takes."""


class ThreeNodes:
    """The cluster, while it is up."""

    def __init__(self, cluster: Any) -> None:
        self._cluster = cluster
        self._workers: list[Any] = []
        self.env = os.environ | {"RAY_ADDRESS": str(cluster.address)}
        """The environment variables of a command that uses it."""

    def start_workers(self) -> None:
        """Start those that are not there."""
        while len(self._workers) < 2:
            worker = self._cluster.add_node(num_cpus=1, object_store_memory=STORE)
            self._workers.append(worker)
        self._cluster.wait_for_nodes()

    def kill_one(self) -> None:
        """End a worker as a power cut would: with all its processes, at once."""
        node = self._workers.pop()
        (raylet,) = node.all_processes["raylet"]
        children = _children(raylet.process.pid)
        self._cluster.remove_node(node, allow_graceful=False)
        for process in children:  # which would go on for a second
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def _children(parent: int) -> list[int]:
    """The processes that one has started (on Linux; elsewhere they are not known)."""
    lists = Path(f"/proc/{parent}/task").glob("*/children")
    return [int(child) for one in lists for child in one.read_text().split()]


@contextmanager
def three_nodes() -> Iterator[ThreeNodes]:
    """Start them; end them."""
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 0, "object_store_memory": STORE, "include_dashboard": False}
    cluster: Any = Cluster(initialize_head=True, head_node_args=head)
    try:
        yield ThreeNodes(cluster)
    finally:
        cluster.shutdown()
