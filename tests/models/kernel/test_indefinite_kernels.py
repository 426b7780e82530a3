"""Without a positive semi-definite kernel there is no bound, and none is claimed."""

import numpy as np
import pytest

from infimum.models.kernel import SVC, SVR, NuSVC
from infimum.models.novelty import OneClassSVM
from infimum.models.warnings import UncertifiedWarning

draw = np.random.default_rng(0)
X = 2.0 * draw.standard_normal((60, 4))
LABELS = (X[:, 0] + draw.standard_normal(60) > 0).astype(int)
MACHINES = [SVC, NuSVC, SVR, OneClassSVM]


def tanh(A, B):
    return np.tanh(A @ B.T + 1.0)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize(
    "kernel", ["sigmoid", tanh, "precomputed"], ids=["named", "function", "matrix"]
)
def test_an_indefinite_kernel_is_fitted_without_a_claim(machine, kernel):
    data = tanh(X, X) if kernel == "precomputed" else X
    with pytest.warns(UncertifiedWarning, match="indefinite"):
        model = machine(kernel=kernel).fit(data, LABELS)
    assert not model.certificate_.closed
    assert model.certificate_.dual == -np.inf
    assert np.isfinite(model.certificate_.primal)
    assert len(model.predict(data)) == 60


@pytest.mark.parametrize("machine", MACHINES, ids=lambda cls: cls.__name__)
def test_a_precomputed_definite_kernel_keeps_its_proof(machine):
    gram = X @ X.T + 1.0  # of rank 5: many eigenvalues are rounding
    assert machine(kernel="precomputed").fit(gram, LABELS).certificate_.closed
