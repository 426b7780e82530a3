"""The command ``python -m benchmarks.audit_costs``: the auditor beside the fast proof.

Processor time of ``certify(X, y, rigorous=True)`` over that of ``certify(X, y)``, the
least of three turns: kernel machines with a Gaussian kernel of ten features, and
linear models of each loss under six penalties. ``LOSS ...`` for some of the losses,
numbers for some of the sizes of kernel machines.
"""

import os
import sys
import time
import warnings

os.environ |= dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)

import numpy as np

from infimum.models.kernel import SVC, SVR, KernelRidge
from infimum.models.linear import RiskMinimizer
from infimum.penalties import Box, GroupLasso

__all__ = ["main"]

KERNEL_SIZES, SIZES, TURNS = (1_000, 2_000), ((300, 10), (2_000, 20), (20_000, 50)), 3
PENALTIES = ("none", "ridge", "lasso", "elastic_net", "group_lasso", "box")
MEASURED = ("squared", "absolute", "quantile", "huber", "epsilon_insensitive")
LABELLED = ("logistic", "softmax", "hinge", "squared_hinge")


def main(arguments=None):
    """Print a row for each size of kernel machines, and for each loss and size."""
    print("| rows | SVC | SVR | KernelRidge |\n|---:|---:|---:|---:|")
    given = arguments or []
    sizes = [int(each) for each in given if each.isdigit()]
    for n in sizes if given else KERNEL_SIZES:
        print(f"| {n:,} | " + " | ".join(map(_told, _machines(n))) + " |", flush=True)
    print(
        f"\n| loss | samples | {' | '.join(PENALTIES)} |\n|---|---|"
        + "---:|" * len(PENALTIES)
    )
    for loss in (*MEASURED, *LABELLED, "poisson"):
        for n, d in SIZES if not given or loss in given else ():
            cells = " | ".join(map(_told, _linear(loss, n, d)))
            print(f"| {loss} | {n:,} × {d} | {cells} |", flush=True)
    return 0


def _machines(n):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 10))
    y = np.sin(X[:, 0]) + 0.3 * rng.standard_normal(n)
    machines = (SVC(), y > 0), (SVR(), y), (KernelRidge(kernel="rbf"), y)
    return [(machine.fit(X, target), X, target) for machine, target in machines]


def _linear(loss, n, d):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    scores = X @ rng.standard_normal(d) / np.sqrt(d)
    y = scores + rng.standard_normal(n)
    if loss in LABELLED:
        y = np.digitize(y, [-0.5, 0.5] if loss == "softmax" else [0.0])
    if loss == "poisson":
        y = rng.poisson(np.exp(scores))
    pairs = tuple((j, j + 1) for j in range(0, d, 2))
    parts = {"group_lasso": GroupLasso(0.01, pairs), "box": Box(-0.1, 0.1)}
    for name in PENALTIES:
        strength = None if name in ("none", *parts) else 0.01
        penalty = parts.get(name, name)
        yield RiskMinimizer(loss, penalty, strength=strength).fit(X, y), X, y


def _told(case):
    model, X, y = case
    times = []
    for rigorous in (False, True):
        turns = []
        for _ in range(TURNS):
            began = time.process_time()
            proof = model.certify(X, y, rigorous=rigorous)
            turns.append(time.process_time() - began)
        times.append(min(turns))
    return f"{times[1] / times[0]:.1f}{'' if proof.closed else ' (open)'}"


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sys.exit(main(sys.argv[1:]))
