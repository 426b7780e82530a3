"""Gaussian SVC on a hundred thousand rows: the most memory its process ever takes.

Run as a module with a number of rows, ``python -m benchmarks.tasks.svc_memory 100000``,
it fits in this process and prints the relative duality gap and the peak of resident
memory in GiB, of which the libraries themselves are a part.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from benchmarks.task import Contender
from benchmarks.tasks._support_vectors import blobs

ROWS, FEATURES, MOST = 100_000, 20, 4.0
TOLERANCE = 1e-3


class MemoryTask:
    """Judged by the peak of a process of its own, if the machine is proven optimal."""

    title = "SVC (Gaussian, C = 1), 100,000 × 20, in at most 4 GiB"
    tolerance = 0.0

    def problem(self, *, quick):
        return 2_000 if quick else ROWS

    def contenders(self):
        yield Contender("infimum", lambda rows, _: fit_elsewhere(rows))

    def excess(self, problem, answer):
        """Return by which share the peak lies above the memory there is."""
        gap, peak = answer
        return peak / MOST - 1.0 if gap <= TOLERANCE else float("inf")


def fit_elsewhere(rows):
    """Return the gap and the peak of a fit in a fresh process."""
    call = [sys.executable, "-m", "benchmarks.tasks.svc_memory", str(rows)]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(call, env=paths, check=True, capture_output=True, text=True)
    return json.loads(run.stdout.splitlines()[-1])


def fit_here(rows):
    """Return the gap and the peak of this process after a fit."""
    from infimum.models.kernel import SVC

    X, y = blobs(rows, FEATURES, np.random.default_rng(5))
    proof = SVC(gamma=1.0 / FEATURES).fit(X, y).certificate_
    return proof.relative_gap, peak()


def peak():
    """Return the peak of this process in GiB.

    What `getrusage` tells would include the process that started this one.
    """
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    [kilobytes] = [line.split()[1] for line in lines if line.startswith("VmHWM")]
    return int(kilobytes) / 2**20


TASK = MemoryTask()

if __name__ == "__main__":
    print(json.dumps(fit_here(int(sys.argv[1]))))
