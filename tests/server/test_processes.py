"""The processes in which computer players think."""

from __future__ import annotations

import subprocess
import sys

_CLOSE_AND_DIE = """
import asyncio, os
from sandtable.server.processes import Worker

async def main():
    worker = Worker()
    await worker.run("owner", os.getpid)
    thinking = asyncio.ensure_future(worker.run("owner", __import__("time").sleep, 60))
    await asyncio.sleep(0.1)
    worker.close()

if __name__ == "__main__":
    asyncio.run(main())
    os._exit(0)
"""


def test_a_closed_worker_leaves_no_semaphores_behind(tmp_path):
    """A server that is stopped ends by the signal, so nothing is put away after it has closed its processes."""
    program = tmp_path / "close.py"
    program.write_text(_CLOSE_AND_DIE)
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=60, check=False)
    assert "leaked semaphore" not in done.stderr
