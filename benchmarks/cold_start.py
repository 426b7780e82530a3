"""What the first call costs: in a fresh process, import and compilation included."""

import os
import subprocess
import sys
import tempfile
import time

from benchmarks.task import load_task

__all__ = ["cold_start"]


def cold_start(name: str, contender: str, rung: int, *, quick: bool) -> list[float]:
    """Return the seconds of the first call ever, and of the first in the next process.

    The first process starts with an empty numba cache, the next one finds it filled.
    """
    call = [sys.executable, "-m", "benchmarks.cold_start"]
    arguments = [name, contender, str(rung), "quick" if quick else "full"]
    with tempfile.TemporaryDirectory() as cache:
        settings = {
            "INFIMUM_MACHINE_CODE": cache,
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        return [
            float(
                subprocess.run(
                    [*call, *arguments],
                    env={**os.environ, **settings},
                    check=True,
                    capture_output=True,
                    text=True,
                ).stdout.split()[-1]
            )
            for _ in range(2)
        ]


def first_call(name: str, contender: str, rung: int, *, quick: bool) -> float:
    """Time one fit in this process, which has not imported the library yet."""
    task = load_task(name)
    problem = task.problem(quick=quick)
    chosen = next(c for c in task.contenders() if c.name == contender)
    start = time.perf_counter()
    chosen.fit(problem, chosen.ladder[rung])
    return time.perf_counter() - start


if __name__ == "__main__":
    task_name, who, step, size = sys.argv[1:]
    print(first_call(task_name, who, int(step), quick=size == "quick"))
