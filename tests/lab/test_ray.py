"""A Ray cluster: the same results as here, a machine that dies in the middle, and an address where there is none."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import msgspec
import pytest

from sandtable.core import SandtableError
from sandtable.lab.simulate import Record, jobs, simulate

pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: ./sandtable test brings it")
JOBS = {
    "at random": lambda: jobs("munich-war", "little-entente", {}, {}, 4, 5, 0.1),
    "who plan": lambda: jobs("hitlers-war", "barbarossa", {}, {"axis": "colonel", "soviet": "captain"}, 4, 5, 60.0),
}
"""Players who throw dice for everything, and players who work with odds and have a clock of their own."""
PATIENCE = "300"
"""Seconds for Ray's own processes to start: a busy machine is not a fault."""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_raylet_start_wait_time_s", PATIENCE)
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")


def told(records: list[Record]) -> list[Record]:
    """The records without the seconds, which are the machine's."""
    return [msgspec.structs.replace(record, seconds=0.0) for record in records]


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Two machines of one core each, as far as Ray knows."""
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        made.second = made.add_node(num_cpus=1)
        yield made
    finally:
        made.shutdown()


def test_a_machine_that_dies_in_the_middle_loses_no_match_and_counts_none_twice(cluster: Any) -> None:
    import ray

    made = [job for who in JOBS for job in JOBS[who]()] + jobs("hitlers-war", "barbarossa", {}, {}, 40, 6, 0.1)
    finished = 0

    def one_more() -> None:
        nonlocal finished
        finished += 1
        if finished == 3:
            while ray.available_resources().get("CPU", 0) > 0:  # both are at a match
                time.sleep(0.05)
            cluster.remove_node(cluster.second, allow_graceful=False)

    records = simulate(made, ray=cluster.address, done=one_more)
    assert finished == len(made)
    assert [record.seed for record in records] == [job.seed for job in made]
    assert told(records) == told(simulate(made))


def test_a_cluster_that_is_not_there_is_one_sentence_within_seconds() -> None:
    began = time.monotonic()
    with pytest.raises(SandtableError, match=r"no Ray cluster at 127\.0\.0\.1:9: "):
        simulate(JOBS["at random"](), ray="127.0.0.1:9")
    assert time.monotonic() - began < 60, "Ray itself would try for minutes"


def test_ray_on_this_machine_gives_the_results_of_the_local_pool() -> None:
    made = JOBS["who plan"]()
    assert told(simulate(made, ray="local")) == told(simulate(made, workers=2)) == told(simulate(made))
