"""A Ray cluster: the same results as here, and an address where there is none."""

from __future__ import annotations

import time
from importlib.util import find_spec

import msgspec
import pytest

from sandtable.core import SandtableError
from sandtable.lab.simulate import Record, jobs, simulate

pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install 'sandtable[ray]'")
JOBS = {
    "at random": lambda: jobs("munich-war", "little-entente", {}, {}, 4, 5, 0.1),
    "who plan": lambda: jobs("hitlers-war", "barbarossa", {}, {"axis": "colonel", "soviet": "captain"}, 4, 5, 60.0),
}
"""Players who throw dice for everything, and players who work with odds and have a clock of their own."""


def told(records: list[Record]) -> list[Record]:
    """The records without the seconds, which are the machine's."""
    return [msgspec.structs.replace(record, seconds=0.0) for record in records]


def test_a_cluster_that_is_not_there_is_one_sentence_within_seconds() -> None:
    began = time.monotonic()
    with pytest.raises(SandtableError, match=r"no Ray cluster at 127\.0\.0\.1:9: "):
        simulate(JOBS["at random"](), ray="127.0.0.1:9")
    assert time.monotonic() - began < 60, "Ray itself would try for minutes"


@pytest.mark.parametrize("who", JOBS)
def test_ray_on_this_machine_gives_the_results_of_the_local_pool(who: str) -> None:
    made = JOBS[who]()
    assert told(simulate(made, ray="local")) == told(simulate(made, workers=2)) == told(simulate(made))
