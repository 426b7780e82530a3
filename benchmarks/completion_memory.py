"""Complete 10,000 × 10,000 with 1 % seen along ten strengths: time and memory.

``python -m benchmarks.completion_memory [side]``
"""

import resource
import sys
import time

import numpy as np
from scipy import sparse

__all__ = ["main"]


def drawn(side, share=0.01, rank=5, noise=0.5):
    """Return entries of a matrix of low rank with noise, without forming it."""
    rng = np.random.default_rng(0)
    U, V = rng.standard_normal((2, side, rank))
    cells = np.unique(rng.integers(0, side * side, int(share * side * side)))
    i, j = np.divmod(cells, side)
    z = np.sum(U[i] * V[j], axis=1) + noise * rng.standard_normal(len(cells))
    return sparse.csr_array((z, (i, j)), shape=(side, side))


def main(side=10_000):
    """Run and print."""
    from infimum.models.recommend import soft_impute_path

    seen = drawn(side)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    begun, used = time.perf_counter(), time.process_time()
    path = soft_impute_path(seen, n_strengths=10, ratio=0.2, tol=1e-3)
    took, worked = time.perf_counter() - begun, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{side} × {side}, {seen.nnz} entries, ten strengths")
    print(f"ranks {list(path.ranks)}")
    print(f"gaps {[f'{proof.relative_gap:.1e}' for proof in path.certificates]}")
    print(f"{took:.0f} s ({worked:.0f} s of processor time)")
    print(f"peak of the process {peak:.0f} MB, {before:.0f} MB before the path")


if __name__ == "__main__":
    main(*(int(text) for text in sys.argv[1:2]))
