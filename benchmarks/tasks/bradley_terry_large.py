"""Bradley and Terry's scores of ten thousand items."""

import numpy as np

from benchmarks.task import Contender
from benchmarks.tasks.bradley_terry import (
    BradleyTerry,
    fit_ours,
    fit_sklearn,
    surprise,
)


class LargeLeague(BradleyTerry):
    """As the smaller league, against scikit-learn alone."""

    title = "Bradley–Terry, 10,000 items, 2,000,000 comparisons"

    def problem(self, *, quick):
        rng = np.random.default_rng(0)
        n, m = (100, 5_000) if quick else (10_000, 2_000_000)
        u = rng.standard_normal(n)
        i = rng.integers(0, n, m)
        j = (i + rng.integers(1, n, m)) % n
        won = rng.random(m) < 1 / (1 + np.exp(u[j] - u[i]))
        pairs = np.column_stack([np.where(won, i, j), np.where(won, j, i)])
        return pairs, n, surprise(fit_ours((pairs, n), None), pairs)

    def contenders(self):
        yield Contender("infimum", fit_ours)
        yield Contender("scikit-learn", fit_sklearn, (1e-4, 1e-6, 1e-8))


TASK = LargeLeague()
