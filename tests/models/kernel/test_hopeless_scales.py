"""Badly scaled features and huge prices: every machine comes back, and honestly."""

import warnings
from fractions import Fraction

import numpy as np
import pytest

from infimum.certificates import allow_for_rounding, certify_support_vectors
from infimum.kernels import Linear
from infimum.models.kernel import SVC, SVR, NuSVC, NuSVR
from infimum.models.novelty import OneClassSVM, SupportVectorDataDescription
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import SupportVectorDual, kernel_tiles

PRICE = 1e6
MACHINES = {
    "SVC": SVC(C=PRICE),
    "squared": SVC(C=PRICE, loss="squared_hinge"),
    "NuSVC": NuSVC(nu=0.3),
    "SVR": SVR(C=PRICE),
    "NuSVR": NuSVR(C=PRICE),
    "OneClassSVM": OneClassSVM(nu=0.3),
    "ball": SupportVectorDataDescription(nu=0.3),
}


def samples(units, rng, n=20):
    X = rng.normal(size=(n, 3)) * units
    return X, (X[:, 0] / units[0] + 0.3 * rng.normal(size=n) > 0.0).astype(int)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
@pytest.mark.parametrize("name", MACHINES)
def test_features_of_all_sizes_end_with_a_proof_or_a_gap(name, kernel, rng):
    X, y = samples((1.0, 1e3, 1e6), rng)
    most = 40 if kernel == "rbf" else -1
    machine = MACHINES[name].set_params(kernel=kernel, max_iter=most)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        machine.fit(X, y)
    proof = machine.certificate_
    assert np.isfinite([proof.primal, proof.dual]).all()
    assert proof.closed == (proof.reason == "gap closed")
    assert proof.closed == (machine.fit_status_ == 0)
    assert np.max(machine.n_iter_) <= 300
    again = machine.certify(X, y)
    assert again.closed == proof.closed


@pytest.mark.parametrize("shift", [1e4, 1e6, 1e8])
def test_far_from_the_origin_no_lower_bound_is_above_the_least_risk(shift, rng):
    # Centred samples have the same best machine, whose risk can be computed.
    X, y = samples((1.0, 1.0, 1.0), rng, n=100)
    least = SVC(C=PRICE, kernel="linear").fit(X, y).certificate_
    assert least.closed
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        far = SVC(C=PRICE, kernel="linear").fit(X + shift, y).certificate_
    null = 2.0 * PRICE * min(y.sum(), len(y) - y.sum())
    assert far.dual <= least.primal * (1.0 + 1e-6)
    assert least.dual * (1.0 - 1e-6) <= far.primal <= null * (1.0 + 1e-9)


def test_a_lower_bound_allows_for_the_rounding_of_sums_and_kernel_values():
    above = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n = int(rng.choice([4, 8, 30]))
        X, signs = rng.normal(size=(n, 3)) + 1e6, np.tile([1.0, -1.0], n // 2)
        point = signs * np.repeat(1000.0 * rng.integers(1, 1000, size=n // 2), 2)
        dual = SupportVectorDual.classification(signs, np.full(n, PRICE))
        tiles = kernel_tiles(Linear(), X)
        scores = dual.scores(tiles, point)
        proof = certify_support_vectors(dual, point, scores)
        weights = [
            sum(map(Fraction.__mul__, fractions(point), fractions(x))) for x in X.T
        ]
        exact = sum(fractions(signs * point)) - sum(w * w for w in weights) / 2
        above += Fraction(proof.dual) > exact
        lower = allow_for_rounding(proof, dual, point, scores, tiles)
        assert Fraction(lower.dual) <= exact
    assert above > 10


def fractions(numbers):
    return [Fraction(float(number)) for number in numbers]
