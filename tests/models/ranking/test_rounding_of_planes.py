"""Rounding of columns far from nought is subtracted from bounds of planes."""

import numpy as np
import pytest

from infimum.models.ranking import LinearRanker, OrdinalSVC


@pytest.mark.filterwarnings("ignore::infimum.models.warnings.UncertifiedWarning")
@pytest.mark.parametrize("seed", range(5))
def test_no_bound_is_above_what_other_limits_reach(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((20, 4)) + 10.0 ** rng.uniform(2, 6)
    y, queries = rng.integers(1, 4, 20), np.repeat([1, 2], 10)
    y[[0, -1, 9, 10]] = 1, 3, 3, 1
    C = 10.0 ** rng.uniform(-3, 3)
    for kind, named in ((OrdinalSVC, {}), (LinearRanker, {"qid": queries})):
        proofs = [
            kind(C=C, max_iter=n, tol=tol).fit(X, y, **named).certificate_
            for n, tol in ((2, 1e-3), (200, 0.1), (1000, 1e-5))
        ]
        best = min(proof.primal + proof.slack for proof in proofs)
        assert max(proof.dual for proof in proofs) <= best
