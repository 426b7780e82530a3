"""The command ``python -m benchmarks.audit_costs``: the auditor beside the fast proof.

Processor time of ``certify(X, y, rigorous=True)`` over that of ``certify(X, y)``, the
least of three turns, of kernel machines with a Gaussian kernel of ten features.
"""

import os
import sys
import time

os.environ |= dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)

import numpy as np

from infimum.models.kernel import SVC, SVR, KernelRidge

__all__ = ["main"]

SIZES, TURNS = (1_000, 2_000), 3


def main(arguments=None):
    """Print a row for each size."""
    sizes = [int(each) for each in arguments or SIZES]
    print("| rows | SVC | SVR | KernelRidge |\n|---:|---:|---:|---:|")
    for n in sizes:
        print(f"| {n:,} | " + " | ".join(map(_told, _fitted(n))) + " |", flush=True)
    return 0


def _fitted(n):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 10))
    y = np.sin(X[:, 0]) + 0.3 * rng.standard_normal(n)
    machines = (SVC(), y > 0), (SVR(), y), (KernelRidge(kernel="rbf"), y)
    return [(machine.fit(X, target), X, target) for machine, target in machines]


def _told(case):
    machine, X, y = case
    times = []
    for rigorous in (False, True):
        turns = []
        for _ in range(TURNS):
            began = time.process_time()
            proof = machine.certify(X, y, rigorous=rigorous)
            turns.append(time.process_time() - began)
        times.append(min(turns))
    return f"{times[1] / times[0]:.1f}{'' if proof.closed else ' (open)'}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
