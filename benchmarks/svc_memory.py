"""The command ``python -m benchmarks.svc_memory``: memory of a large Gaussian SVC.

It fits 100,000 × 20 samples, or as many rows as it is told, in a fresh process and
prints the relative duality gap and the peak of resident memory, of which the libraries
themselves are a part. It fails above 4 GiB, or without a proof.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from benchmarks.tasks._support_vectors import blobs

__all__ = ["fit_elsewhere", "main"]

ROWS, FEATURES, MOST = 100_000, 20, 4.0
TOLERANCE = 1e-3


def main(arguments):
    """Fit elsewhere, tell the peak; return an exit code."""
    rows = int(arguments[0]) if arguments else ROWS
    gap, peak = fit_elsewhere(rows)
    print(f"SVC, {rows:,} × {FEATURES}: relative gap {gap:.1e}, peak {peak:.2f} GiB")
    return 0 if gap <= TOLERANCE and peak <= MOST else 1


def fit_elsewhere(rows):
    """Return the gap and the peak, in GiB, of a fit in a fresh process."""
    code = f"from benchmarks.svc_memory import fit_here; fit_here({rows})"
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    call = [sys.executable, "-c", code]
    run = subprocess.run(call, env=paths, check=True, capture_output=True, text=True)
    return json.loads(run.stdout.splitlines()[-1])


def fit_here(rows):
    """Print the gap and the peak of this process after a fit."""
    from infimum.models.kernel import SVC

    X, y = blobs(rows, FEATURES, np.random.default_rng(5))
    proof = SVC(gamma=1.0 / FEATURES).fit(X, y).certificate_
    print(json.dumps([proof.relative_gap, own_peak()]))


def own_peak():
    """Return the peak of this process in GiB.

    What `getrusage` tells would include the process that started this one.
    """
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    [kilobytes] = [line.split()[1] for line in lines if line.startswith("VmHWM")]
    return int(kilobytes) / 2**20


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
