"""What all tests share: settings that make every run the same, and the browser where there is one."""

import os
import shutil

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run, and no deadline: a busy machine is not a broken rule.
settings.register_profile(
    "sandtable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
# SANDTABLE_HYPOTHESIS=search looks for new examples instead, for an evening's hunt.
settings.register_profile("search", parent=settings.get_profile("sandtable"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("SANDTABLE_HYPOTHESIS", "sandtable"))


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; a test that needs one is skipped, with the reason, where there is none."""
    found = os.environ.get("SANDTABLE_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not found:
        pytest.skip(os.environ.get("SANDTABLE_NO_CHROMIUM") or "no Chromium on the path (./sandtable test installs it)")
    return found
