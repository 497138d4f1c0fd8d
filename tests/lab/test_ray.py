"""A Ray cluster: the same results as here, also when a node is lost; and an address where there is none."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from sandtable.core import SandtableError
from sandtable.lab.simulate import Job, Record, do_all, jobs, play, simulate

pytestmark = pytest.mark.skipif(
    find_spec("ray") is None,
    reason=os.environ.get("SANDTABLE_NO_RAY") or "Ray is not installed: pip install 'sandtable[ray]'",
)
PATIENCE = 120


def told(records: list[Record]) -> list[Record]:
    """The records without the seconds, which are the machine's."""
    return [msgspec.structs.replace(record, seconds=0.0) for record in records]


def test_a_cluster_that_is_not_there_is_one_sentence_within_seconds() -> None:
    began = time.monotonic()
    with pytest.raises(SandtableError, match=r"no Ray cluster at 127\.0\.0\.1:9: "):
        simulate(jobs("munich-war", "little-entente", {}, {}, 4, 5, 0.1), ray="127.0.0.1:9")
    assert time.monotonic() - began < 60, "Ray itself would try for minutes"


def test_ray_on_this_machine_gives_the_results_of_the_local_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players who throw dice for everything."""
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")  # otherwise Ray writes a token into the user's home
    made = jobs("munich-war", "little-entente", {}, {}, 4, 5, 0.1)
    on_ray = patiently(lambda: simulate(made, ray="local"))
    assert told(on_ray) == told(simulate(made, workers=2)) == told(simulate(made))


# ---- two nodes, and one is lost ------------------------------------------------------------------------------------
@pytest.fixture
def two_nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any]]:
    """A cluster of two nodes of one core each on loopback; yields it and its second node."""
    if sys.platform != "linux":
        pytest.skip("the nodes have the addresses 127.0.0.2 and 127.0.0.3, which only Linux has by itself")
    for name, value in {"AUTH_MODE": "disabled", "USAGE_STATS_ENABLED": "0", "raylet_start_wait_time_s": "20"}.items():
        monkeypatch.setenv(f"RAY_{name}", value)
    folder = tempfile.mkdtemp(prefix="ray-")  # a short path: Ray puts sockets into it
    cluster, second = patiently(lambda: start(folder))
    yield cluster, second
    cluster.shutdown()
    shutil.rmtree(folder, ignore_errors=True)


def start(folder: str) -> tuple[Any, Any]:
    from ray.cluster_utils import Cluster

    cluster = Cluster()
    try:
        node = {"num_cpus": 1, "object_store_memory": 80 * 1024**2}
        cluster.add_node(node_ip_address="127.0.0.2", include_dashboard=False, temp_dir=folder, **node)
        return cluster, cluster.add_node(node_ip_address="127.0.0.3", **node)
    except BaseException:
        cluster.shutdown()
        raise


T = TypeVar("T")


def patiently(start: Callable[[], T]) -> T:
    """Start a node of Ray, up to three times.

    A node gives up when its agents do not answer within 15 seconds. On a crowded machine that is too short for them to
    load; no setting of Ray makes it longer, and a second start is quicker.
    """
    for _ in range(2):
        with contextlib.suppress(Exception):  # Ray raises plain ones
            return start()
    return start()


def play_and_tell(folder: Path, doomed: str, job: Job) -> Record:
    """Play a match, and tell in a folder where it began. On the doomed node none comes to its end."""
    import ray

    node = ray.get_runtime_context().get_node_id()
    (folder / f"{node} {job.seed.replace('/', '-')}").touch()
    if node == doomed:
        time.sleep(PATIENCE)
        raise AssertionError("the node lives")
    return play(job)


def test_a_node_that_dies_in_the_middle_costs_no_match_and_doubles_none(
    two_nodes: tuple[Any, Any], tmp_path: Path
) -> None:
    """Players who plan: they work with odds and have a clock of their own."""
    cluster, second = two_nodes
    made = jobs("hitlers-war", "barbarossa", {}, {"axis": "colonel", "soviet": "captain"}, 6, 5, 60.0)

    def begun(node: Any) -> list[str]:
        return [path.name for path in tmp_path.iterdir() if path.name.startswith(node.node_id)]

    def kill() -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and not (begun(second) and begun(cluster.head_node)):
            time.sleep(0.05)
        cluster.remove_node(second, allow_graceful=False)

    killer = threading.Thread(target=kill)
    killer.start()
    records = do_all(partial(play_and_tell, tmp_path, second.node_id), made, Record, ray=cluster.address)
    killer.join()
    assert begun(second), "a match was lost with the node"
    assert len(begun(cluster.head_node)) == len(made), "and played again on the other"
    assert told(records) == told(simulate(made))
